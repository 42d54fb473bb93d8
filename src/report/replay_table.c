/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of a replay. */
#include "report/replay.h"

#include "base/human.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN_SEARCHED = 10 };

/* ---- words ----------------------------------------------------------------------------------- */

static int64_t replay_table_value_of(const struct loom_replay_run *run, unsigned flag)
{
    return flag == LOOM_ASSUME_USER_JOBS    ? run->user_jobs
           : flag == LOOM_ASSUME_USER_PROCS ? run->user_procs
           : flag == LOOM_ASSUME_SIZE       ? run->procs
           : flag == LOOM_ASSUME_WEEKS      ? run->exceeded
                                            : 0;
}

const char *loom_replay_assumed(const struct loom_replay_run *run, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && used < size; i++) {
        int64_t value = replay_table_value_of(run, 1u << i);
        if (!(run->assumptions & 1u << i))
            continue;
        used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
                                 loom_assumption_name(i));
        if (value > 0 && used < size)
            used += 1u << i == LOOM_ASSUME_WEEKS
                        ? (size_t)snprintf(buf + used, size - used, " %g %%", (double)value / 10)
                        : (size_t)snprintf(buf + used, size - used, " %" PRId64, value);
    }
    return buf;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static int bias_cell(struct loom_table *table, const struct loom_replay_errors *errors,
                     struct loom_error *err)
{
    double bias = loom_replay_bias(errors);
    char count[LOOM_HUMAN];
    if (isnan(bias))
        return loom_table_cell(table, err, "-");
    if (bias >= 10)
        return loom_table_cell(table, err, "+%s %%",
                               loom_human_count(llround(100 * bias), count, sizeof count));
    return loom_table_cell(table, err, "%+.1f %%", 100 * bias);
}

static int seconds_cell(struct loom_table *table, double seconds, struct loom_error *err)
{
    char text[LOOM_HUMAN];
    return loom_table_cell(table, err, "%s", loom_human_seconds(seconds, text, sizeof text));
}

static int rank_cell(struct loom_table *table, double rank, struct loom_error *err)
{
    return isnan(rank) ? loom_table_cell(table, err, "-")
                       : loom_table_cell(table, err, "%.3f", rank);
}

static int add_errors(struct loom_table *table, const struct loom_replay_errors *errors,
                      struct loom_error *err)
{
    int rc = seconds_cell(table, errors->wait_mean_simulated_s, err);
    if (!rc)
        rc = bias_cell(table, errors, err);
    if (!rc)
        rc = seconds_cell(table, errors->abs_error_mean_s, err);
    return rc ? rc : rank_cell(table, errors->rank_correlation, err);
}

static int add_columns(struct loom_table *table, const char *const *titles, size_t n,
                       struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_table_column(table, titles[i], LOOM_RIGHT, err);
    return rc;
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int add_run(struct loom_table *table, const struct loom_replay_run *run, bool chosen,
                   struct loom_error *err)
{
    char assumed[200];
    int rc = loom_table_cell(table, err, "%s%s", run->policy, chosen ? " *" : "");
    if (!rc)
        rc = loom_table_cell(table, err, "%s", loom_replay_assumed(run, assumed, sizeof assumed));
    if (!rc)
        rc = add_errors(table, &run->all, err);
    if (!rc)
        rc = bias_cell(table, &run->first, err);
    if (!rc)
        rc = bias_cell(table, &run->second, err);
    return rc ? rc : rank_cell(table, run->second.rank_correlation, err);
}

static int by_badness(const void *a, const void *b)
{
    const struct loom_replay_run *one = *(const struct loom_replay_run *const *)a;
    const struct loom_replay_run *other = *(const struct loom_replay_run *const *)b;
    if (one->badness != other->badness)
        return one->badness < other->badness ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* All runs that were asked for, then the best of the others. */
static int add_runs(struct loom_table *table, const struct loom_replay_report *replay,
                    struct loom_error *err)
{
    const struct loom_replay_run **searched = malloc((replay->n_runs + 1) * sizeof *searched);
    size_t n = 0;
    int rc = searched ? 0 : loom_fail_memory(err);
    for (size_t i = 0; i < replay->n_runs && !rc; i++)
        if (replay->runs[i].searched)
            searched[n++] = &replay->runs[i];
        else
            rc = add_run(table, &replay->runs[i], i == replay->chosen, err);
    if (!rc)
        qsort(searched, n, sizeof *searched, by_badness);
    for (size_t i = 0; i < n && i < SHOWN_SEARCHED && !rc; i++)
        rc = add_run(table, searched[i], searched[i] == &replay->runs[replay->chosen], err);
    free(searched);
    return rc;
}

int loom_replay_runs_table(struct loom_table **out, const struct loom_replay_report *replay,
                           struct loom_error *err)
{
    static const char *const titles[] = {"mean wait",  "bias",        "mean |error|",  "rank corr.",
                                         "first half", "second half", "its rank corr."};
    int rc = loom_table_create(out, err);
    if (rc)
        return rc;
    rc = loom_table_column(*out, "policy", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(*out, "assumed", LOOM_LEFT, err);
    if (!rc)
        rc = add_columns(*out, titles, sizeof titles / sizeof *titles, err);
    if (!rc)
        rc = add_runs(*out, replay, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}

/* ---- classes --------------------------------------------------------------------------------- */

static int add_class(struct loom_table *table, const struct loom_replay_classes *classes, size_t at,
                     const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_replay_errors *errors = &classes->classes[at].errors;
    char text[80], count[LOOM_HUMAN];
    loom_replay_class_text(classes, at, trace, text, sizeof text);
    int rc = loom_table_cell(table, err, "%s", text);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", loom_human_count(errors->jobs, count, sizeof count));
    if (!rc)
        rc = seconds_cell(table, errors->wait_mean_log_s, err);
    if (!rc)
        rc = add_errors(table, errors, err);
    if (!rc)
        rc = seconds_cell(table, errors->error_p10_s, err);
    return rc ? rc : seconds_cell(table, errors->error_p90_s, err);
}

int loom_replay_classes_table(struct loom_table **out, const struct loom_replay_classes *classes,
                              const struct loom_trace *trace, struct loom_error *err)
{
    static const char *const titles[] = {"jobs",         "logged wait", "mean wait", "bias",
                                         "mean |error|", "rank corr.",  "10 %",      "90 %"};
    int rc = loom_table_create(out, err);
    if (rc)
        return rc;
    rc = loom_table_column(*out, loom_replay_kind_name(classes->kind), LOOM_LEFT, err);
    if (!rc)
        rc = add_columns(*out, titles, sizeof titles / sizeof *titles, err);
    for (size_t i = 0; i < classes->count && !rc; i++)
        rc = add_class(*out, classes, i, trace, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}
