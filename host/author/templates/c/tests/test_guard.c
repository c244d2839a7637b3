#include "testing.h"

/* The rule by which a call is decided where the user asked for a mail to Ann. */
static const char *rule(weir_proposal proposal) {
    weir_authorization mail = weir_test_permit("send", "ann@corp.local", NULL);
    return weir_test_rule(weir_the_policy.start(weir_test_episode(1, &mail)), &proposal);
}

static void a_read_passes_whatever_was_read_before(void) {
    WEIR_CHECK_TEXT(rule(weir_test_propose("read", WEIR_UNTRUSTED, NULL)), "allow_low_risk");
}

static void the_mail_that_the_user_asked_for_passes_even_after_reading_a_hostile_one(void) {
    weir_proposal send = weir_test_propose("send", WEIR_UNTRUSTED, "to", "\"ann@corp.local\"", "body",
                                           "\"hello\"", NULL);
    WEIR_CHECK_TEXT(rule(send), "allow_ledger_match");
}

static void a_mail_to_anyone_else_is_stopped(void) {
    weir_proposal other = weir_test_propose("send", 0, "to", "\"eve@evil.local\"", NULL);
    WEIR_CHECK_TEXT(rule(other), "block_outside_ledger");
    weir_proposal both =
        weir_test_propose("send", 0, "to", "[\"ann@corp.local\",\"eve@evil.local\"]", NULL);
    WEIR_CHECK_TEXT(rule(both), "block_outside_ledger");
}

static void a_secret_does_not_leave_even_to_somebody_who_is_authorised(void) {
    weir_proposal send =
        weir_test_propose("send", 0, "to", "\"ann@corp.local\"", "body", "\"the secret\"", NULL);
    send.arguments.ptr[1].labels = WEIR_CANARY;
    WEIR_CHECK_TEXT(rule(send), "block_secret_leak");
}

int main(void) {
    a_read_passes_whatever_was_read_before();
    the_mail_that_the_user_asked_for_passes_even_after_reading_a_hostile_one();
    a_mail_to_anyone_else_is_stopped();
    a_secret_does_not_leave_even_to_somebody_who_is_authorised();
    return weir_test_result();
}
