/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of simulated waits: of all jobs, and of classes of jobs. */
#include "experiment/replay.h"

#include "base/sort.h"
#include "sim/results/classes.h"

#include <workloom/stats.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kind_names[LOOM_REPLAY_KINDS] = {"size", "runtime", "user", "queue",
                                                          "week"};

const char *loom_replay_kind_name(enum loom_replay_kind kind)
{
    return kind_names[kind];
}

double loom_replay_bias(const struct loom_replay_errors *errors)
{
    return errors->wait_mean_log_s > 0 ? errors->bias_s / errors->wait_mean_log_s : (double)NAN;
}

double loom_replay_log_ratio(const struct loom_replay_errors *errors)
{
    return errors->jobs > 0
               ? log((errors->wait_mean_simulated_s + 60) / (errors->wait_mean_log_s + 60))
               : 0;
}

double loom_replay_disorder(const struct loom_replay_errors *errors)
{
    double rank = errors->rank_correlation;
    return isnan(rank) ? 1 : (1 - rank) / 2;
}

double loom_replay_distance(const struct loom_replay_errors *errors)
{
    return fabs(loom_replay_log_ratio(errors)) + loom_replay_disorder(errors);
}

enum loom_replay_support loom_replay_support(const struct loom_replay_errors *errors)
{
    const double near = 0.3, far = 5, ordered = 0.1;
    if (fabs(loom_replay_log_ratio(errors)) > log(far) || !(errors->rank_correlation >= ordered))
        return LOOM_SUPPORTS_NOTHING;
    return fabs(loom_replay_bias(errors)) <= near ? LOOM_SUPPORTS_LEVELS
                                                  : LOOM_SUPPORTS_DIFFERENCES;
}

/* ---- pairs of waits -------------------------------------------------------------------------- */

/* Waits are whole seconds, so sums up to 2^53 are exact and do not depend on the order. */
static int measure_errors(struct loom_replay_errors *out, const double *logged,
                          const double *simulated, double *errors, size_t n, struct loom_error *err)
{
    double log_sum = 0, simulated_sum = 0, distance = 0, m = (double)n;
    for (size_t i = 0; i < n; i++) {
        errors[i] = simulated[i] - logged[i];
        log_sum += logged[i];
        simulated_sum += simulated[i];
        distance += fabs(errors[i]);
    }
    out->wait_mean_log_s = log_sum / m;
    out->wait_mean_simulated_s = simulated_sum / m;
    out->bias_s = (simulated_sum - log_sum) / m;
    out->abs_error_mean_s = distance / m;
    loom_sort_real(errors, n);
    out->error_p10_s = loom_quantile(errors, n, 0.1);
    out->error_median_s = loom_quantile(errors, n, 0.5);
    out->error_p90_s = loom_quantile(errors, n, 0.9);
    int rc = loom_spearman(&out->rank_correlation, logged, simulated, n, err);
    if (rc == LOOM_EDATA) { /* one side does not vary */
        out->rank_correlation = NAN;
        rc = 0;
    }
    return rc;
}

int loom_replay_compare(struct loom_replay_errors *out, const int64_t *logged_s,
                        const int64_t *simulated_s, size_t n, struct loom_error *err)
{
    *out = (struct loom_replay_errors){0, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    double *logged = malloc((3 * n + 1) * sizeof *logged);
    if (!logged)
        return loom_fail_memory(err);
    size_t pairs = 0;
    for (size_t i = 0; i < n; i++)
        if (logged_s[i] >= 0 && simulated_s[i] >= 0) {
            logged[pairs] = (double)logged_s[i];
            logged[n + pairs++] = (double)simulated_s[i];
        }
    out->jobs = (int64_t)pairs;
    int rc = pairs > 0 ? measure_errors(out, logged, logged + n, logged + 2 * n, pairs, err) : 0;
    free(logged);
    return rc;
}

/* ---- classes --------------------------------------------------------------------------------- */

enum { WEEK_S = 7 * 86400 };

static int64_t replay_class_key(const struct loom_replayed *of, enum loom_replay_kind kind,
                                size_t row)
{
    const struct loom_jobs *jobs = loom_trace_jobs(of->trace);
    const struct loom_sim_job job = {.procs = loom_job_procs(jobs, row),
                                     .run_s = jobs->run_s[row],
                                     .user = jobs->user[row]};
    return kind == LOOM_REPLAY_WEEK
               ? (jobs->submit_s[row] - of->first_s) / WEEK_S + 1
               : loom_class_key((enum loom_class_kind)kind, &job, jobs->queue[row]);
}

/* List the jobs that are compared, sorted by class: key in the high half, row in the low one. */
static size_t sort_rows(uint64_t *rows, const struct loom_replayed *of, enum loom_replay_kind kind)
{
    size_t n = 0;
    for (size_t row = 0; row < of->n; row++)
        if (of->logged_s[row] >= 0 && of->simulated_s[row] >= 0)
            rows[n++] = (uint64_t)replay_class_key(of, kind, row) << 32 | row;
    loom_sort_keys(rows, n);
    return n;
}

static size_t count_classes(const uint64_t *rows, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += i == 0 || rows[i] >> 32 != rows[i - 1] >> 32;
    return count;
}

static int compare_class(struct loom_replay_class *out, enum loom_replay_kind kind,
                         const uint64_t *rows, size_t n, const struct loom_replayed *of,
                         int64_t *room, struct loom_error *err)
{
    int64_t key = (int64_t)(rows[0] >> 32);
    for (size_t i = 0; i < n; i++) {
        room[i] = of->logged_s[rows[i] & UINT32_MAX];
        room[n + i] = of->simulated_s[rows[i] & UINT32_MAX];
    }
    out->from = out->to = key;
    if (kind != LOOM_REPLAY_WEEK)
        loom_class_range(&out->from, &out->to, (enum loom_class_kind)kind, key);
    return loom_replay_compare(&out->errors, room, room + n, n, err);
}

int loom_replay_classes_create(struct loom_replay_classes **out, const struct loom_replayed *of,
                               enum loom_replay_kind kind, struct loom_error *err)
{
    uint64_t *rows = malloc((3 * of->n + 1) * sizeof *rows);
    int64_t *room = (int64_t *)(rows + of->n);
    if (!rows)
        return loom_fail_memory(err);
    size_t n = sort_rows(rows, of, kind), count = count_classes(rows, n);
    struct loom_replay_classes *classes =
        calloc(1, sizeof *classes + count * sizeof *classes->classes);
    int rc = classes ? 0 : loom_fail_memory(err);
    for (size_t first = 0, next; first < n && !rc; first = next) {
        for (next = first + 1; next < n && rows[next] >> 32 == rows[first] >> 32;)
            next++;
        rc = compare_class(&classes->classes[classes->count++], kind, rows + first, next - first,
                           of, room, err);
    }
    free(rows);
    if (rc)
        free(classes);
    else
        classes->kind = kind;
    *out = rc ? NULL : classes;
    return rc;
}

const char *loom_replay_class_text(const struct loom_replay_classes *classes, size_t at,
                                   const struct loom_trace *trace, char *buf, size_t size)
{
    const struct loom_replay_class *class = &classes->classes[at];
    if (classes->kind == LOOM_REPLAY_WEEK) {
        snprintf(buf, size, "week %" PRId64, class->to);
        return buf;
    }
    return loom_class_text((enum loom_class_kind)classes->kind, class->from, class->to, trace, buf,
                           size);
}
