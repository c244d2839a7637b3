/* Joins `weir_the_policy` to the component's exports. It is not part of the tests. */

#include "weir.h"

#include <stdlib.h>

struct exports_weir_plugin_policy_session_t {
    void *policy;
};

typedef exports_weir_plugin_policy_borrow_session_t session;

/* The bindings refer to it, so that an object with the world's description is linked. Weir embeds the description itself. */
void __component_type_object_force_link_policy_plugin(void) {
}

exports_weir_plugin_policy_own_session_t exports_weir_plugin_policy_constructor_session(weir_episode *episode) {
    exports_weir_plugin_policy_session_t *own = malloc(sizeof *own);
    weir_episode *kept = malloc(sizeof *kept);
    if (own == NULL || kept == NULL) {
        abort();
    }
    *kept = *episode;
    own->policy = weir_the_policy.start(kept);
    return exports_weir_plugin_policy_session_new(own);
}

void exports_weir_plugin_policy_session_destructor(exports_weir_plugin_policy_session_t *own) {
    (void)own;
}

static void observe(session self, const weir_events *delta) {
    if (weir_the_policy.observe != NULL) {
        weir_the_policy.observe(self->policy, delta);
    }
}

bool exports_weir_plugin_policy_method_session_guidance(session self, weir_string *ret) {
    return weir_the_policy.guidance != NULL && weir_the_policy.guidance(self->policy, ret);
}

bool exports_weir_plugin_policy_method_session_filter(session self, weir_events *delta, uint32_t observation, weir_filtered *ret,
                                                      weir_error *err) {
    observe(self, delta);
    if (weir_the_policy.filter == NULL) {
        return weir_pass(ret);
    }
    return weir_the_policy.filter(self->policy, observation, ret, err);
}

bool exports_weir_plugin_policy_method_session_authorize(session self, weir_events *delta, weir_proposal *proposal,
                                                         weir_decision *ret, weir_error *err) {
    observe(self, delta);
    return weir_the_policy.authorize(self->policy, proposal, ret, err);
}

bool exports_weir_plugin_policy_method_session_precommit(session self, weir_events *delta, weir_proposal *proposal,
                                                         weir_decision *ret, weir_error *err) {
    observe(self, delta);
    if (weir_the_policy.precommit == NULL) {
        ret->tag = EXPORTS_WEIR_PLUGIN_POLICY_DECISION_ALLOW;
        ret->val.allow.is_some = false;
        return true;
    }
    return weir_the_policy.precommit(self->policy, proposal, ret, err);
}

bool exports_weir_plugin_policy_method_session_recover(session self, weir_events *delta, weir_recoveries *ret, weir_error *err) {
    observe(self, delta);
    if (weir_the_policy.recover == NULL) {
        ret->ptr = NULL;
        ret->len = 0;
        return true;
    }
    return weir_the_policy.recover(self->policy, ret, err);
}

bool exports_weir_plugin_policy_method_session_endorse(session self, weir_memories *memories, weir_history *history,
                                                       weir_endorsements *ret, weir_error *err) {
    if (weir_the_policy.endorse != NULL) {
        return weir_the_policy.endorse(self->policy, memories, history, ret, err);
    }
    ret->len = memories->len;
    /* Zeroes say: no label, and no turn behind it. */
    ret->ptr = calloc(memories->len == 0 ? 1 : memories->len, sizeof *ret->ptr);
    if (ret->ptr == NULL) {
        abort();
    }
    return true;
}

bool exports_weir_plugin_policy_method_session_render(session self, weir_memories *memories, policy_plugin_option_string_t *ret,
                                                      weir_error *err) {
    ret->is_some = false;
    return weir_the_policy.render == NULL || weir_the_policy.render(self->policy, memories, ret, err);
}
