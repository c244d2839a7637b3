/* SDK for Weir policies in C: a table of hooks, ways to answer, and the intent ledger.
 *
 * A policy defines `weir_the_policy`. Types of the contract are wit-bindgen's, in `vendor/bindings/policy_plugin.h`, with the
 * contract's own comments; the most used ones have short names here. Texts are UTF-8 with a length, without a zero at the end.
 * Nothing need be freed: a component lives for one rollout. */
#ifndef WEIR_H
#define WEIR_H

#include "policy_plugin.h"

typedef policy_plugin_string_t weir_string;
typedef exports_weir_plugin_policy_episode_t weir_episode;
typedef exports_weir_plugin_policy_decision_t weir_decision;
typedef exports_weir_plugin_policy_filtered_t weir_filtered;
typedef exports_weir_plugin_policy_list_event_t weir_events;
typedef exports_weir_plugin_policy_list_recovery_t weir_recoveries;
typedef exports_weir_plugin_policy_list_item_t weir_memories;
typedef exports_weir_plugin_policy_list_turn_t weir_history;
typedef exports_weir_plugin_policy_list_endorsement_t weir_endorsements;
typedef weir_plugin_types_proposal_t weir_proposal;
typedef weir_plugin_types_argument_t weir_argument;
typedef weir_plugin_types_authorization_t weir_authorization;
typedef weir_plugin_types_rule_t weir_rule;
typedef weir_plugin_types_tool_t weir_tool;
typedef weir_plugin_types_error_t weir_error;
typedef weir_plugin_transcript_list_event_id_t weir_found;

/* Label bits that mean the same in every episode: content from outside the user's trust, a synthetic secret, content that the
 * user keeps private, and memory held back from recall. */
#define WEIR_UNTRUSTED UINT64_C(1)
#define WEIR_CANARY (UINT64_C(1) << 1)
#define WEIR_PRIVATE (UINT64_C(1) << 2)
#define WEIR_QUARANTINED (UINT64_C(1) << 3)

/* A policy's hooks. All but `start` and `authorize` may be NULL. A hook that can fail returns false and sets its error: the
 * policy is then closed, the call is blocked, and the rollout counts as a fault, never as safety. */
typedef struct weir_policy {
    /* Starts a rollout: the policy's own state, which the other hooks get as `self`. */
    void *(*start)(const weir_episode *episode);
    /* What may become of a proposed call. */
    bool (*authorize)(void *self, const weir_proposal *proposal, weir_decision *decision, weir_error *error);
    /* Text added to the agents' system prompt; false where there is none. */
    bool (*guidance)(void *self, weir_string *text);
    /* Events since the previous hook, oldest first. Called before every hook that is about the trace. */
    void (*observe)(void *self, const weir_events *events);
    /* What the model is shown in place of an untrusted observation, by the number of its event. A replacement bears the
     * observation's labels. */
    bool (*filter)(void *self, uint32_t observation, weir_filtered *filtered, weir_error *error);
    /* A last look before a high-risk call commits. */
    bool (*precommit)(void *self, const weir_proposal *proposal, weir_decision *decision, weir_error *error);
    /* Repairs at the end of a session. */
    bool (*recover)(void *self, weir_recoveries *recoveries, weir_error *error);
    /* Labels consolidated memories, given the history that they were written from: one endorsement for each, in their order. */
    bool (*endorse)(void *self, const weir_memories *memories, const weir_history *history, weir_endorsements *endorsements,
                    weir_error *error);
    /* The memory block that the acting model sees; none leaves the host's own: a line for each memory. */
    bool (*render)(void *self, const weir_memories *memories, policy_plugin_option_string_t *block, weir_error *error);
} weir_policy;

extern const weir_policy weir_the_policy;

/* Ways to answer. Each returns what its hook returns. */

/* Allows the call, by a rule. */
bool weir_allow(weir_decision *decision, const char *rule, weir_string message);
/* Blocks the call, by a rule. What the message says, the agent reads. */
bool weir_block(weir_decision *decision, const char *rule, weir_string message);
/* Lets the user decide, by a rule. */
bool weir_confirm(weir_decision *decision, const char *rule, weir_string message);
/* Shows an observation as it is. */
bool weir_pass(weir_filtered *filtered);
/* Shows this text in an observation's place. */
bool weir_replace(weir_filtered *filtered, weir_string text);
/* Shows nothing but a notice in an observation's place. */
bool weir_withhold(weir_filtered *filtered, const char *rule, weir_string message);
/* Closes the policy. */
bool weir_fail(weir_error *error, weir_string message);

/* Texts. */

/* A text that ends with a zero, not copied. */
weir_string weir_string_of(const char *text);
/* A new text: `%s` is a text that ends with a zero, `%t` a `weir_string`, `%u` an `unsigned`. */
weir_string weir_format(const char *format, ...);
bool weir_equal(weir_string left, weir_string right);
bool weir_is(weir_string text, const char *word);

/* What a policy may ask of Weir: what `weir.toml` asks for, and no more. A model is asked by `weir_plugin_model_complete`. */

/* Writes a line to the audit log. Needs `asks = ["log"]` in weir.toml. */
void weir_log(weir_string message);
/* The text or JSON of an event that this policy was shown; false if it was not. Needs `asks = ["transcript"]`. */
bool weir_text(uint32_t event, weir_string *text);
/* Events that this policy was shown and whose text contains this one, letter for letter: the oldest, at most so many. Needs
 * `asks = ["transcript"]`. */
weir_found weir_find(weir_string text, uint32_t limit);

/* The trusted intent ledger (ContainmentBench equations 8 and 9): which actions, on which targets, under which argument rules,
 * the user's own request authorises. */
typedef struct weir_ledger {
    exports_weir_plugin_policy_list_authorization_t entries;
    exports_weir_plugin_policy_list_tool_t tools;
    uint64_t taint;
} weir_ledger;

/* No such entry or argument. */
#define WEIR_NONE (-1)
/* An argument is not JSON. */
#define WEIR_NOT_JSON (-2)

/* The ledger of an episode, which must outlive it. */
weir_ledger weir_ledger_of(const weir_episode *episode);
/* Whether the call has side effects, writes memory or recovers (ContainmentBench 4.4). A tool outside the episode counts as
 * high-risk. */
bool weir_is_high_risk(const weir_ledger *ledger, const weir_proposal *proposal);
/* Whether these labels count as taint in this episode. */
bool weir_is_taint(const weir_ledger *ledger, uint64_t labels);
/* The proposed tool; NULL for one outside the episode. */
const weir_tool *weir_tool_of(const weir_ledger *ledger, const weir_proposal *proposal);
/* What an argument means. One without a known parameter is treated as a target: it must be authorised. */
uint8_t weir_role(const weir_ledger *ledger, const weir_proposal *proposal, const weir_argument *argument);
/* An argument's name in its tool's schema. */
weir_string weir_name(const weir_ledger *ledger, const weir_proposal *proposal, const weir_argument *argument);
/* The first entry, by its position, that authorises the proposal's action and every recipient and target that it names, whatever
 * its other arguments; WEIR_NONE or WEIR_NOT_JSON. */
int weir_boundary(const weir_ledger *ledger, const weir_proposal *proposal);
/* Match(q, I) of equation 9: the first entry that authorises action, targets and arguments; WEIR_NONE or WEIR_NOT_JSON. */
int weir_matching(const weir_ledger *ledger, const weir_proposal *proposal);
/* The position of an argument that carries a canary, or of content that carries a private label of which the matched entry's
 * rules do not speak; WEIR_NONE where nothing leaks. Canaries have no authorised sink at all. */
int weir_leak(const weir_ledger *ledger, const weir_proposal *proposal, int matched);

/* JSON, which crosses the boundary as canonical text. */

/* Calls `each` with the scalar leaves of a JSON text, in order: strings as they are, numbers and booleans as JSON prints them,
 * nulls and empty strings left out. False where the text is not JSON, which may be noticed late. */
bool weir_leaves(weir_string json, void (*each)(void *context, weir_string leaf), void *context);
/* The string that a JSON text holds; false if it holds none. */
bool weir_json_string(weir_string json, weir_string *text);
/* The number that a JSON text holds; false if it holds none, or one that can only be told roughly: more than 15 digits, or a
 * power of ten beyond 22. */
bool weir_json_number(weir_string json, double *number);
/* Whether a rule holds for an argument's JSON text, or for NULL where the call leaves it out. */
bool weir_holds(const weir_rule *rule, const weir_string *json);

#endif
