/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resample.h - structures shared by the files of resampling: sources are prepared once
 * (resample/log.c, resample/classes.c); each workload is picked from them job by job (resample.c),
 * sorted and perhaps relocated (resample/picks.c), and converted to a trace (resample/trace.c).
 */
#ifndef LOOM_RESAMPLE_RESAMPLE_H
#define LOOM_RESAMPLE_RESAMPLE_H

#include "trace/table.h"

#include <workloom/resample.h>

/* A log to draw from: its users and the data needed to draw them. */
struct loom_resample_log {
    const struct loom_trace *log;
    int32_t *user;   /* the log's column where rare behaviours are users of their own, else NULL */
    int64_t *wall_s; /* submissions by the clock on the wall, where the rule says so, else NULL */
    struct loom_zone *zone;
    struct loom_users *users;
    struct loom_user_pools *pools;
    struct loom_sessions *sessions;  /* NULL unless shaken by session */
    double *weight;                  /* by user, or NULL */
    int64_t frame_s;                 /* plus a time of this log: a time of the new workload */
    int64_t lead_s;                  /* the population starts so much before the workload */
    int32_t procs;                   /* of its machine */
    int32_t offset[LOOM_NAME_KINDS]; /* to be added to numbers of groups, queues, ... */
};

struct loom_resampler {
    struct loom_resample_rule rule;
    struct loom_rare *rare;
    struct loom_resample_log *sources;
    size_t n;
    int64_t begin_s, until_s; /* of the new workload */
    int32_t procs;
    bool constant[LOOM_COLUMN_COUNT]; /* the column has one value in all logs */
};

int loom_resample_log_create(struct loom_resample_log *out, const struct loom_trace *log,
                             const struct loom_resample_rule *rule, const struct loom_rare *rare,
                             size_t n_rare, struct loom_error *err);
void loom_resample_log_free(struct loom_resample_log *source);
/* Return the number of a user in the log, rare behaviours included. */
int32_t loom_resample_log_original(const struct loom_resample_log *source, uint32_t user,
                                   const struct loom_resampler *resampler);

/* Compute weights of users by class; *out stays NULL if no class is favoured. The caller must free
 * it. */
int loom_favours_weigh(double **out, const struct loom_resample_log *source,
                       const struct loom_resample_rule *rule, struct loom_error *err);

/* ---- a workload in the making ---------------------------------------------------------------- */

/* One job of the new workload. */
struct loom_pick {
    int64_t submit_s;
    uint32_t row; /* of its log */
    uint32_t person;
};

struct loom_picks {
    struct loom_pick *items;
    size_t n;
};

/* Sort jobs by submission, stable. */
int loom_picks_sort(struct loom_picks *picks, struct loom_error *err);
/* Exchange submissions within weeks (loom_resample_rule.locality). Picks must be in order. */
int loom_picks_relocate(struct loom_picks *picks, const struct loom_resampler *resampler,
                        const struct loom_person *persons, struct loom_stream *stream,
                        struct loom_error *err);

int loom_picks_trace(struct loom_trace **out, const struct loom_picks *picks,
                     const struct loom_person *persons, size_t n_persons,
                     const struct loom_resampler *resampler, struct loom_error *err);

#endif
