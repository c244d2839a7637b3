/* A firewall of keywords: it withholds what an agent reads from outside where it gives orders, lets no call out that speaks of a
 * secret, and once it has seen an order it asks the user before anything else happens. It knows nothing of the user's ledger, so
 * it is as good as its lists. */

#include "keywords.h"
#include "weir.h"

#include <stdlib.h>

struct guard {
    weir_ledger tools;
    /* The order that was seen first; NULL so far. */
    const char *seen;
};

static void *start(const weir_episode *episode) {
    struct guard *guard = malloc(sizeof *guard);
    if (guard == NULL) {
        abort();
    }
    guard->tools = weir_ledger_of(episode);
    guard->seen = NULL;
    return guard;
}

static bool filter(void *self, uint32_t observation, weir_filtered *filtered, weir_error *error) {
    struct guard *guard = self;
    weir_string text;
    (void)error;
    if (!weir_text(observation, &text)) {
        return weir_withhold(filtered, "withhold_unseen", weir_string_of("an observation without its text"));
    }
    const char *order = order_in(text);
    if (order == NULL) {
        return weir_pass(filtered);
    }
    guard->seen = guard->seen != NULL ? guard->seen : order;
    weir_log(weir_format("event %u says `%s`", (unsigned)observation, order));
    return weir_withhold(filtered, "withhold_order", weir_format("it says `%s`", order));
}

static bool authorize(void *self, const weir_proposal *proposal, weir_decision *decision, weir_error *error) {
    const struct guard *guard = self;
    (void)error;
    if (!weir_is_high_risk(&guard->tools, proposal)) {
        return weir_allow(decision, "allow_low_risk", weir_string_of("no side effect"));
    }
    for (size_t i = 0; i < proposal->arguments.len; i++) {
        const weir_argument *argument = &proposal->arguments.ptr[i];
        const char *secret = secret_in(argument->value);
        if (secret != NULL) {
            weir_string name = weir_name(&guard->tools, proposal, argument);
            return weir_block(decision, "block_keyword", weir_format("`%t` says `%s`", name, secret));
        }
    }
    if (guard->seen != NULL) {
        return weir_confirm(decision, "confirm_after_order", weir_format("something was read that says `%s`", guard->seen));
    }
    return weir_allow(decision, "allow_no_keyword", weir_string_of("no keyword"));
}

const weir_policy weir_the_policy = {.start = start, .authorize = authorize, .filter = filter};
