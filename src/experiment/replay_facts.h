/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_facts.h - what the assumptions of a replay are made of, as the log shows it. */
#ifndef LOOM_EXPERIMENT_REPLAY_FACTS_H
#define LOOM_EXPERIMENT_REPLAY_FACTS_H

#include <workloom/experiment_replay.h>

/* Limits and sizes are of the jobs submitted before middle_s; outages, unseen jobs and jumps are
 * events, and of the whole log. */
struct loom_replay_facts {
    struct loom_downtimes downtime;
    struct loom_downtime *outages; /* the list of downtime */
    struct loom_user_limits limits;
    struct loom_user_limit *own; /* the list of limits */
    struct loom_split queues, partitions;
    struct loom_share *queue_shares, *partition_shares;
    struct loom_trace *primed; /* the log, and behind it unseen jobs; NULL: none */
    uint8_t *urgent;           /* by row of the log, and of primed */
    size_t n_urgent;
    unsigned known; /* assumptions that the log allows; flags */
};

/* Find them. log is the schedule of the log (loom_sim_of_log). The caller must free *out, also
 * after a failure. */
int loom_replay_facts_find(struct loom_replay_facts *out, const struct loom_trace *trace,
                           const struct loom_sim *log, int64_t middle_s, struct loom_error *err);
void loom_replay_facts_free(struct loom_replay_facts *facts);

/* Find the outages of a schedule, at least least_s long: times in which at most `most` processors
 * are in use and jobs wait, but none starts. The caller must free *out. */
int loom_outages_find(struct loom_downtime **out, size_t *n, const struct loom_sim *log,
                      int64_t least_s, int64_t most, struct loom_error *err);
/* Find those of at least ten minutes and at most 2 % of the processors. */
int loom_log_outages(struct loom_downtime **out, size_t *n, const struct loom_sim *log,
                     struct loom_error *err);
/* Find the processors of each queue or partition: the peak of its jobs submitted before before_s,
 * and not less than its widest job. out->n is 0 where there are not 2 to 1000 of them. The caller
 * must free *shares, also after a failure. */
int loom_split_find(struct loom_split *out, struct loom_share **shares,
                    const struct loom_trace *trace, enum loom_name_kind by, int64_t before_s,
                    struct loom_error *err);
/* Mark the rows of jobs that jumped the queue of a schedule; returns their number in *n. */
int loom_jumpers_find(uint8_t *urgent, size_t *n, const struct loom_sim *log,
                      struct loom_error *err);

#endif
