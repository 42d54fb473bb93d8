/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches: within a session, a job that is submitted while the batch is still running belongs to it
 * (Zakay, chapter 2, section 2). Chapter 4 has two words on a job submitted in the very second of
 * the end: its definition 2 says no, its algorithm says yes. The algorithm is taken, as chapter 2's
 * table 1 was made that way.
 */
#include "users/scan.h"

/* As jobs are in order of submission, a job overlaps some earlier job of the session if and only if
 * it comes before their latest end: the batches that this scan finds are connected components. With
 * `last`, a batch runs as long as the job submitted last, and batches may overlap. */
void loom_mark_batches(uint8_t *starts, const struct loom_users *users,
                       const struct loom_session_rule *rule)
{
    bool latest = loom_rule_takes_latest(rule) || rule->method == LOOM_SESSION_ARRIVAL;
    int64_t until_s = 0;
    for (size_t i = 0; i < users->n; i++) {
        bool first = starts[i] == LOOM_STARTS_SESSION;
        int64_t own_s = loom_rule_ended(rule, users, i);
        if (!first && users->submit_s[i] > until_s)
            starts[i] = LOOM_STARTS_BATCH;
        until_s = first || !latest || own_s > until_s ? own_s : until_s;
    }
}
