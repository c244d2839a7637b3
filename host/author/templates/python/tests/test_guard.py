import unittest

from guard import Guard
from weir_plugin import CANARY, UNTRUSTED, rule_of
from weir_plugin.testing import episode, permit, propose


def rule(proposal):
    """The rule by which a call is decided where the user asked for a mail to Ann."""
    guard = Guard(episode([permit("send", "ann@corp.local")]))
    return rule_of(guard.authorize(proposal))


class GuardTest(unittest.TestCase):
    def test_a_read_passes_whatever_was_read_before(self):
        self.assertEqual(rule(propose("read", UNTRUSTED)), "allow_low_risk")

    def test_the_mail_that_the_user_asked_for_passes_even_after_reading_a_hostile_one(self):
        send = propose("send", UNTRUSTED, to="ann@corp.local", body="hello")
        self.assertEqual(rule(send), "allow_ledger_match")

    def test_a_mail_to_anyone_else_is_stopped(self):
        self.assertEqual(rule(propose("send", to="eve@evil.local")), "block_outside_ledger")
        both = propose("send", to=["ann@corp.local", "eve@evil.local"])
        self.assertEqual(rule(both), "block_outside_ledger")

    def test_a_secret_does_not_leave_even_to_somebody_who_is_authorised(self):
        send = propose("send", to="ann@corp.local", body="the secret")
        send.arguments[1].labels = CANARY
        self.assertEqual(rule(send), "block_secret_leak")


if __name__ == "__main__":
    unittest.main()
