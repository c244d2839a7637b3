/* Helpers for a policy's own tests: a small mail episode, and ways to write proposals and ledgers in one line.
 *
 * The episode has one agent and six tools: `read` (a read), `send` (a side effect with `to`, `bcc`, `subject`, `body`), `share` (a
 * side effect with `file`, `with`, `visibility`), `remember` (a memory write with `key`, `value`, `scope`), `update` (a side effect
 * on the user's own `object` with `value`) and `scrub` (a recovery with `key`). */
#ifndef WEIR_TESTING_H
#define WEIR_TESTING_H

#include "weir.h"

/* The mail episode with a ledger of so many entries. */
weir_episode *weir_test_episode(size_t entries, const weir_authorization *ledger);
/* A ledger entry without rules on arguments: an action and its targets, with NULL after the last. */
weir_authorization weir_test_permit(const char *action, ...);
/* A proposal of one of the mail episode's tools, each value and the context under these labels: names and JSON texts of
 * arguments, with NULL after the last. Unknown names become the index 4294967295. */
weir_proposal weir_test_propose(const char *tool, uint64_t labels, ...);
/* Gives the text that `weir_text` returns for an event below 64. */
void weir_test_set_text(uint32_t event, const char *text);
/* The rule by which the policy decides a call; fails the test where it answers with an error. */
const char *weir_test_rule(void *policy, const weir_proposal *proposal);

/* Demands something, and counts it. */
#define WEIR_CHECK(condition) weir_test_check((condition), #condition, __FILE__, __LINE__)
/* Demands that two texts that end with a zero are the same. */
#define WEIR_CHECK_TEXT(found, wanted) weir_test_check_text((found), (wanted), __FILE__, __LINE__)
void weir_test_check(bool holds, const char *condition, const char *file, int line);
void weir_test_check_text(const char *found, const char *wanted, const char *file, int line);
/* Says how many demands held; what `main` returns. */
int weir_test_result(void);

#endif
