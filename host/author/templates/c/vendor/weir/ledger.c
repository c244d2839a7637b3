#include "weir.h"

#include <stdlib.h>
#include <string.h>

weir_ledger weir_ledger_of(const weir_episode *episode) {
    weir_ledger ledger = {.entries = episode->ledger, .tools = episode->tools, .taint = episode->taint_vocabulary};
    return ledger;
}

bool weir_is_high_risk(const weir_ledger *ledger, const weir_proposal *proposal) {
    const weir_tool *tool = weir_tool_of(ledger, proposal);
    if (tool == NULL) {
        return true;
    }
    switch (tool->effect) {
    case WEIR_PLUGIN_TYPES_EFFECT_READ:
    case WEIR_PLUGIN_TYPES_EFFECT_EGRESS_READ:
    case WEIR_PLUGIN_TYPES_EFFECT_DRAFT:
        return false;
    default:
        return true;
    }
}

bool weir_is_taint(const weir_ledger *ledger, uint64_t labels) {
    return (labels & ledger->taint) != 0;
}

const weir_tool *weir_tool_of(const weir_ledger *ledger, const weir_proposal *proposal) {
    return proposal->tool < ledger->tools.len ? &ledger->tools.ptr[proposal->tool] : NULL;
}

static const weir_plugin_types_parameter_t *parameter(const weir_ledger *ledger, const weir_proposal *proposal,
                                                      const weir_argument *argument) {
    const weir_tool *tool = weir_tool_of(ledger, proposal);
    bool known = tool != NULL && argument->parameter < tool->parameters.len;
    return known ? &tool->parameters.ptr[argument->parameter] : NULL;
}

uint8_t weir_role(const weir_ledger *ledger, const weir_proposal *proposal, const weir_argument *argument) {
    const weir_plugin_types_parameter_t *known = parameter(ledger, proposal, argument);
    return known != NULL ? known->role : WEIR_PLUGIN_TYPES_ROLE_TARGET;
}

weir_string weir_name(const weir_ledger *ledger, const weir_proposal *proposal, const weir_argument *argument) {
    const weir_plugin_types_parameter_t *known = parameter(ledger, proposal, argument);
    return known != NULL ? known->name : weir_string_of("unknown");
}

/* Texts that are gathered one by one. */
struct texts {
    weir_string *ptr;
    size_t len;
    size_t room;
};

static void gather(void *context, weir_string text) {
    struct texts *texts = context;
    if (texts->len == texts->room) {
        texts->room = texts->room == 0 ? 8 : texts->room * 2;
        texts->ptr = realloc(texts->ptr, texts->room * sizeof *texts->ptr);
        if (texts->ptr == NULL) {
            abort();
        }
    }
    texts->ptr[texts->len++] = text;
}

/* Every recipient and target that a call names; false where one is not JSON. */
static bool named_by(const weir_ledger *ledger, const weir_proposal *proposal, struct texts *named) {
    for (size_t i = 0; i < proposal->arguments.len; i++) {
        const weir_argument *argument = &proposal->arguments.ptr[i];
        uint8_t role = weir_role(ledger, proposal, argument);
        bool names = role == WEIR_PLUGIN_TYPES_ROLE_RECIPIENT || role == WEIR_PLUGIN_TYPES_ROLE_TARGET;
        if (names && !weir_leaves(argument->value, gather, named)) {
            return false;
        }
    }
    return true;
}

static bool is_among(const policy_plugin_list_string_t *targets, weir_string text) {
    for (size_t i = 0; i < targets->len; i++) {
        if (weir_equal(targets->ptr[i], text)) {
            return true;
        }
    }
    return false;
}

static bool names_all(const weir_authorization *entry, const struct texts *named) {
    for (size_t i = 0; i < named->len; i++) {
        if (!is_among(&entry->targets, named->ptr[i])) {
            return false;
        }
    }
    return true;
}

static bool allows_arguments(const weir_ledger *ledger, const weir_proposal *proposal, const weir_authorization *entry) {
    for (size_t i = 0; i < entry->constraints.len; i++) {
        const weir_plugin_types_constraint_t *constraint = &entry->constraints.ptr[i];
        const weir_string *given = NULL;
        for (size_t j = 0; j < proposal->arguments.len; j++) {
            const weir_argument *argument = &proposal->arguments.ptr[j];
            const weir_plugin_types_parameter_t *known = parameter(ledger, proposal, argument);
            if (known != NULL && weir_equal(known->name, constraint->argument)) {
                given = &argument->value;
            }
        }
        if (!weir_holds(&constraint->rule, given)) {
            return false;
        }
    }
    return true;
}

static int find(const weir_ledger *ledger, const weir_proposal *proposal, bool arguments) {
    const weir_tool *tool = weir_tool_of(ledger, proposal);
    struct texts named = {.ptr = NULL, .len = 0, .room = 0};
    bool read = false;
    for (size_t i = 0; tool != NULL && i < ledger->entries.len; i++) {
        const weir_authorization *entry = &ledger->entries.ptr[i];
        if (!weir_equal(entry->action, tool->name)) {
            continue;
        }
        /* Once, for the first entry that speaks of the action. */
        if (!read && !named_by(ledger, proposal, &named)) {
            return WEIR_NOT_JSON;
        }
        read = true;
        if (names_all(entry, &named) && (!arguments || allows_arguments(ledger, proposal, entry))) {
            return (int)i;
        }
    }
    return WEIR_NONE;
}

int weir_boundary(const weir_ledger *ledger, const weir_proposal *proposal) {
    return find(ledger, proposal, false);
}

int weir_matching(const weir_ledger *ledger, const weir_proposal *proposal) {
    return find(ledger, proposal, true);
}

static bool speaks_of(const weir_ledger *ledger, int matched, weir_string name) {
    if (matched < 0 || (size_t)matched >= ledger->entries.len) {
        return false;
    }
    const weir_authorization *entry = &ledger->entries.ptr[matched];
    for (size_t i = 0; i < entry->constraints.len; i++) {
        const weir_plugin_types_constraint_t *constraint = &entry->constraints.ptr[i];
        if (constraint->rule.tag != WEIR_PLUGIN_TYPES_RULE_ANY && weir_equal(constraint->argument, name)) {
            return true;
        }
    }
    return false;
}

int weir_leak(const weir_ledger *ledger, const weir_proposal *proposal, int matched) {
    for (size_t i = 0; i < proposal->arguments.len; i++) {
        const weir_argument *argument = &proposal->arguments.ptr[i];
        bool content = weir_role(ledger, proposal, argument) == WEIR_PLUGIN_TYPES_ROLE_CONTENT;
        bool private = (argument->labels & WEIR_PRIVATE) != 0 && content;
        if ((argument->labels & WEIR_CANARY) != 0 ||
            (private && !speaks_of(ledger, matched, weir_name(ledger, proposal, argument)))) {
            return (int)i;
        }
    }
    return WEIR_NONE;
}

/* Null, the empty string and the empty list count as absent. */
static bool is_absent(const weir_string *json) {
    return json == NULL || weir_is(*json, "null") || weir_is(*json, "\"\"") || weir_is(*json, "[]");
}

static size_t characters(weir_string text) {
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += (text.ptr[i] & 0xC0) != 0x80;
    }
    return count;
}

bool weir_holds(const weir_rule *rule, const weir_string *json) {
    bool absent = is_absent(json);
    weir_string text;
    double number;
    switch (rule->tag) {
    case WEIR_PLUGIN_TYPES_RULE_ANY:
        return true;
    case WEIR_PLUGIN_TYPES_RULE_ABSENT:
        return absent;
    case WEIR_PLUGIN_TYPES_RULE_EQUALS:
        return !absent && weir_equal(*json, rule->val.equals);
    case WEIR_PLUGIN_TYPES_RULE_ONE_OF:
        for (size_t i = 0; !absent && i < rule->val.one_of.len; i++) {
            if (weir_equal(*json, rule->val.one_of.ptr[i])) {
                return true;
            }
        }
        return false;
    case WEIR_PLUGIN_TYPES_RULE_PREFIX: {
        weir_string prefix = rule->val.prefix;
        return !absent && weir_json_string(*json, &text) && text.len >= prefix.len &&
               (prefix.len == 0 || memcmp(text.ptr, prefix.ptr, prefix.len) == 0);
    }
    case WEIR_PLUGIN_TYPES_RULE_AT_MOST:
        return absent || (weir_json_number(*json, &number) && number <= rule->val.at_most);
    case WEIR_PLUGIN_TYPES_RULE_MAX_LENGTH:
        return absent || (weir_json_string(*json, &text) && characters(text) <= rule->val.max_length);
    default:
        return false;
    }
}
