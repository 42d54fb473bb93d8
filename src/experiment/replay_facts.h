/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_facts.h - what a log shows for the assumptions of a replay. */
#ifndef LOOM_EXPERIMENT_REPLAY_FACTS_H
#define LOOM_EXPERIMENT_REPLAY_FACTS_H

#include <workloom/experiment_replay.h>

/* ---- the schedule of a log ------------------------------------------------------------------- */

/* In this order at equal times. */
enum loom_log_change { LOOM_LOG_ENDS, LOOM_LOG_SUBMITS, LOOM_LOG_STARTS };

struct loom_log_event {
    int64_t time_s;
    enum loom_log_change what;
    uint32_t job; /* index in the schedule */
};

/* List ends (of jobs that ran), submissions and starts in order of time. The caller must free
 * *out. */
int loom_log_events(struct loom_log_event **out, size_t *n, const struct loom_sim *log,
                    struct loom_error *err);

/* Processors in use while jobs waited, by week since the first event. */
struct loom_weekly_use {
    int64_t first_s;
    size_t n_weeks, n_uses;
    struct loom_use_piece *uses; /* by week, highest use first */
    int64_t *widest;             /* by week: the widest job that ran */
};

/* Compute the use of a schedule. The caller must free *out, also after a failure. */
int loom_weekly_use_find(struct loom_weekly_use *out, const struct loom_sim *log,
                         struct loom_error *err);
void loom_weekly_use_free(struct loom_weekly_use *use);
/* Set levels[week] to the use that is exceeded for some thousandths of the time in which jobs
 * waited, not less than the widest job; -1 where jobs waited for less than an hour. */
void loom_weekly_levels(int64_t *levels, const struct loom_weekly_use *use, int64_t thousandths);
/* Copy a trace and append an unseen job for each time in which fewer than *procs processors were
 * there, by the levels of the weeks. *procs is raised to the highest level. The caller must destroy
 * *out, also after a failure. */
int loom_capacity_trace(struct loom_trace **out, int64_t *procs, const struct loom_trace *trace,
                        const struct loom_weekly_use *use, int64_t thousandths,
                        struct loom_error *err);

/* ---- what replays assume --------------------------------------------------------------------- */

/* Limits and sizes are of the jobs submitted before middle_s; outages, unseen jobs and jumps are
 * events, and of the whole log. */
struct loom_replay_facts {
    struct loom_downtimes downtime;
    struct loom_downtime *outages; /* the list of downtime */
    struct loom_user_limits limits;
    struct loom_user_limit *own; /* the list of limits */
    struct loom_split queues, partitions;
    struct loom_share *queue_shares, *partition_shares;
    struct loom_trace *primed; /* the log, followed by unseen jobs; NULL: none */
    uint8_t *urgent;           /* by row of the log, and of primed */
    size_t n_urgent;
    struct loom_weekly_use use;
    unsigned known; /* assumptions that the log allows; flags */
};

/* Find the facts of a log; `log` is its schedule (loom_sim_of_log). The caller must free *out, also
 * after a failure. */
int loom_replay_facts_find(struct loom_replay_facts *out, const struct loom_trace *trace,
                           const struct loom_sim *log, int64_t middle_s, struct loom_error *err);
void loom_replay_facts_free(struct loom_replay_facts *facts);

/* Find the outages of a schedule, at least least_s long: times in which at most `most` processors
 * are in use and jobs wait, but none starts. The caller must free *out. */
int loom_outages_find(struct loom_downtime **out, size_t *n, const struct loom_sim *log,
                      int64_t least_s, int64_t most, struct loom_error *err);
/* Find outages of at least ten minutes, with at most 2 % of the processors in use. */
int loom_log_outages(struct loom_downtime **out, size_t *n, const struct loom_sim *log,
                     struct loom_error *err);
/* Find the processors of each queue or partition: the peak of its jobs submitted before before_s,
 * and not less than its widest job. out->n is 0 where there are not 2 to 1000 of them. The caller
 * must free *shares, also after a failure. */
int loom_split_find(struct loom_split *out, struct loom_share **shares,
                    const struct loom_trace *trace, enum loom_name_kind by, int64_t before_s,
                    struct loom_error *err);
/* Mark the rows of jobs that jumped the queue of a schedule; returns their number in *n. */
int loom_urgent_find(uint8_t *urgent, size_t *n, const struct loom_sim *log,
                     struct loom_error *err);

#endif
