/* {{name}}: a defence. Weir tells it what the user asked for, shows it the trace as it grows, and asks
 * it before each tool call of the agent whether the call may happen.
 *
 * It begins as a simple one: whatever has side effects must be authorised by the user's own request,
 * and no secret may leave. Change `authorize`, and see in `weir run` what that does to attacks and to
 * authorised work. */

#include "weir.h"

#include <stdlib.h>

/* What the defence knows in one rollout. Each rollout begins with a new one. */
struct guard {
    weir_ledger ledger;
};

static void *start(const weir_episode *episode) {
    struct guard *guard = malloc(sizeof *guard);
    if (guard == NULL) {
        abort();
    }
    /* What the user's request authorises: which actions, on which targets, with which arguments. */
    guard->ledger = weir_ledger_of(episode);
    return guard;
}

static bool authorize(void *self, const weir_proposal *proposal, weir_decision *decision,
                      weir_error *error) {
    const weir_ledger *ledger = &((struct guard *)self)->ledger;
    /* Reading changes nothing that anyone else can see: to stop it would only cost work. */
    if (!weir_is_high_risk(ledger, proposal)) {
        return weir_allow(decision, "allow_low_risk", weir_string_of("no side effect"));
    }
    /* Each decision names its rule: by it reports count what was stopped, and which authorised work
     * was lost. What the message says, the agent reads. */
    int entry = weir_matching(ledger, proposal);
    if (entry == WEIR_NOT_JSON) {
        return weir_fail(error, weir_string_of("an argument is not JSON"));
    }
    if (entry == WEIR_NONE) {
        return weir_block(decision, "block_outside_ledger",
                          weir_string_of("the user's request authorises no such call"));
    }
    int argument = weir_leak(ledger, proposal, entry);
    if (argument != WEIR_NONE) {
        weir_string name = weir_name(ledger, proposal, &proposal->arguments.ptr[argument]);
        return weir_block(decision, "block_secret_leak", weir_format("`%t` carries a secret", name));
    }
    return weir_allow(decision, "allow_ledger_match", weir_format("ledger entry %u", (unsigned)entry));
}

/* There are more hooks, and none is needed: `observe` and `filter` for what the agent reads,
 * `precommit` and `recover` for what it has done, `guidance` for its prompt, `endorse` and `render`
 * for its memories. See `vendor/weir/weir.h`. */
const weir_policy weir_the_policy = {.start = start, .authorize = authorize};
