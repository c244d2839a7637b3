#include "testing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 16
#define UNKNOWN UINT32_MAX
#define EVENTS 64

static unsigned checked, failed;
static const char *texts[EVENTS];

static void *room(size_t size) {
    void *block = calloc(1, size);
    if (block == NULL) {
        abort();
    }
    return block;
}

/* A tool of name and role pairs, with NULL after the last. */
static weir_tool tool(const char *name, uint8_t effect, ...) {
    weir_tool tool = {.name = weir_string_of(name), .effect = effect};
    tool.parameters.ptr = room(MOST * sizeof *tool.parameters.ptr);
    va_list roles;
    va_start(roles, effect);
    for (const char *parameter; (parameter = va_arg(roles, const char *)) != NULL;) {
        weir_plugin_types_parameter_t *next = &tool.parameters.ptr[tool.parameters.len++];
        next->name = weir_string_of(parameter);
        next->role = (uint8_t)va_arg(roles, int);
        next->schema = weir_string_of("{}");
    }
    va_end(roles);
    return tool;
}

weir_episode *weir_test_episode(size_t entries, const weir_authorization *ledger) {
    enum { RECIPIENT, TARGET, VISIBILITY, CONTENT, OTHER };
    weir_tool tools[] = {
        tool("read", WEIR_PLUGIN_TYPES_EFFECT_READ, "query", OTHER, NULL),
        tool("send", WEIR_PLUGIN_TYPES_EFFECT_SIDE_EFFECT, "to", RECIPIENT, "bcc", RECIPIENT, "subject", CONTENT, "body", CONTENT,
             NULL),
        tool("share", WEIR_PLUGIN_TYPES_EFFECT_SIDE_EFFECT, "file", TARGET, "with", RECIPIENT, "visibility", VISIBILITY, NULL),
        tool("remember", WEIR_PLUGIN_TYPES_EFFECT_MEMORY_WRITE, "key", TARGET, "value", CONTENT, "scope", VISIBILITY, NULL),
        tool("update", WEIR_PLUGIN_TYPES_EFFECT_SIDE_EFFECT, "object", TARGET, "value", CONTENT, NULL),
        tool("scrub", WEIR_PLUGIN_TYPES_EFFECT_RECOVERY, "key", TARGET, NULL),
    };
    weir_episode *episode = room(sizeof *episode);
    episode->goal = weir_string_of("a goal");
    episode->tools.len = sizeof tools / sizeof *tools;
    episode->tools.ptr = room(sizeof tools);
    memcpy(episode->tools.ptr, tools, sizeof tools);
    episode->ledger.len = entries;
    episode->ledger.ptr = room((entries + 1) * sizeof *ledger);
    if (entries > 0) {
        memcpy(episode->ledger.ptr, ledger, entries * sizeof *ledger);
    }
    episode->taint_vocabulary = WEIR_UNTRUSTED;
    return episode;
}

weir_authorization weir_test_permit(const char *action, ...) {
    weir_authorization entry = {.action = weir_string_of(action)};
    entry.targets.ptr = room(MOST * sizeof *entry.targets.ptr);
    va_list targets;
    va_start(targets, action);
    for (const char *target; entry.targets.len < MOST && (target = va_arg(targets, const char *)) != NULL;) {
        entry.targets.ptr[entry.targets.len++] = weir_string_of(target);
    }
    va_end(targets);
    return entry;
}

weir_proposal weir_test_propose(const char *name, uint64_t labels, ...) {
    const weir_episode *episode = weir_test_episode(0, NULL);
    weir_proposal proposal = {.event = 1, .tool = UNKNOWN, .labels = labels};
    const weir_tool *known = NULL;
    for (uint32_t i = 0; i < episode->tools.len; i++) {
        if (weir_is(episode->tools.ptr[i].name, name)) {
            proposal.tool = i;
            known = &episode->tools.ptr[i];
        }
    }
    proposal.arguments.ptr = room(MOST * sizeof *proposal.arguments.ptr);
    va_list values;
    va_start(values, labels);
    for (const char *given; proposal.arguments.len < MOST && (given = va_arg(values, const char *)) != NULL;) {
        weir_argument *next = &proposal.arguments.ptr[proposal.arguments.len++];
        next->parameter = UNKNOWN;
        for (uint32_t i = 0; known != NULL && i < known->parameters.len; i++) {
            if (weir_is(known->parameters.ptr[i].name, given)) {
                next->parameter = i;
            }
        }
        next->value = weir_string_of(va_arg(values, const char *));
        next->labels = labels;
    }
    va_end(values);
    return proposal;
}

void weir_test_set_text(uint32_t event, const char *text) {
    if (event < EVENTS) {
        texts[event] = text;
    }
}

const char *weir_test_rule(void *policy, const weir_proposal *proposal) {
    weir_decision decision = {0};
    weir_error error = {0};
    if (!weir_the_policy.authorize(policy, proposal, &decision, &error)) {
        return "error";
    }
    const weir_plugin_types_reason_t *reason =
        decision.tag == EXPORTS_WEIR_PLUGIN_POLICY_DECISION_ALLOW ? &decision.val.allow.val : &decision.val.block;
    char *rule = room(reason->rule.len + 1);
    memcpy(rule, reason->rule.ptr, reason->rule.len);
    return rule;
}

void weir_test_check(bool holds, const char *condition, const char *file, int line) {
    checked++;
    if (!holds) {
        failed++;
        printf("%s:%d: does not hold: %s\n", file, line, condition);
    }
}

void weir_test_check_text(const char *found, const char *wanted, const char *file, int line) {
    checked++;
    if (strcmp(found, wanted) != 0) {
        failed++;
        printf("%s:%d: found %s, wanted %s\n", file, line, found, wanted);
    }
}

int weir_test_result(void) {
    printf("%u of %u checks hold\n", checked - failed, checked);
    return failed != 0;
}

/* What the component gets from Weir. */

bool weir_plugin_transcript_text(uint32_t event, policy_plugin_string_t *ret) {
    if (event >= EVENTS || texts[event] == NULL) {
        return false;
    }
    *ret = weir_string_of(texts[event]);
    return true;
}

void weir_plugin_transcript_find(policy_plugin_string_t *text, uint32_t limit, weir_found *ret) {
    ret->ptr = room(EVENTS * sizeof *ret->ptr);
    ret->len = 0;
    for (uint32_t event = 0; event < EVENTS && ret->len < limit; event++) {
        size_t length = texts[event] == NULL ? 0 : strlen(texts[event]);
        bool found = false;
        for (size_t at = 0; text->len > 0 && at + text->len <= length && !found; at++) {
            found = memcmp(texts[event] + at, text->ptr, text->len) == 0;
        }
        if (found) {
            ret->ptr[ret->len++] = event;
        }
    }
}

void weir_plugin_log_write(weir_plugin_log_level_t level, policy_plugin_string_t *message) {
    (void)level;
    printf("log: %.*s\n", (int)message->len, (const char *)message->ptr);
}
