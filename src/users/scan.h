/* SPDX-License-Identifier: GPL-3.0-or-later */
/* scan.h - how the files of this room share the work of finding sessions and batches. */
#ifndef LOOM_USERS_SCAN_H
#define LOOM_USERS_SCAN_H

#include <workloom/users.h>

/* What a job starts. A session starts with a batch. */
enum loom_start { LOOM_STARTS_NOTHING, LOOM_STARTS_BATCH, LOOM_STARTS_SESSION };

/* Return whether think times start at the latest end so far, not at the end of the job before. */
bool loom_rule_takes_latest(const struct loom_session_rule *rule);
/* When the job at a position counts as ended, if it does not count by its arrival. */
int64_t loom_rule_ended(const struct loom_session_rule *rule, const struct loom_users *users,
                        size_t position);

/* Mark where sessions start, by position; all other marks become LOOM_STARTS_NOTHING. */
void loom_mark_sessions(uint8_t *starts, const struct loom_users *users,
                        const struct loom_session_rule *rule);
/* Mark where further batches start, in sessions that are marked. */
void loom_mark_batches(uint8_t *starts, const struct loom_users *users,
                       const struct loom_session_rule *rule);

#endif
