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

/* A column of numbers, and which go first where the table is too wide. */
struct number_column {
    const char *title;
    int priority;
};

static int add_columns(struct loom_table *table, const struct number_column *columns, size_t n,
                       struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = loom_table_column(table, columns[i].title, LOOM_RIGHT, err);
        if (!rc)
            loom_table_priority(table, columns[i].priority);
    }
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

static int by_misfit(const void *a, const void *b)
{
    const struct loom_replay_run *one = *(const struct loom_replay_run *const *)a;
    const struct loom_replay_run *other = *(const struct loom_replay_run *const *)b;
    if (one->misfit != other->misfit)
        return one->misfit < other->misfit ? -1 : 1;
    return one < other ? -1 : one > other;
}

/* List what is shown: all runs that were asked for, then the best of the others. The caller must
 * free the list. */
static int list_shown(const struct loom_replay_run ***out, size_t *n,
                      const struct loom_replay_report *replay, struct loom_error *err)
{
    const struct loom_replay_run **list = malloc((replay->n_runs + 1) * sizeof *list);
    size_t asked = 0, all = 0;
    if (!(*out = list))
        return loom_fail_memory(err);
    for (int searched = 0; searched < 2; searched++)
        for (size_t i = 0; i < replay->n_runs; i++)
            if (replay->runs[i].searched == (bool)searched) {
                list[all++] = &replay->runs[i];
                asked += !searched;
            }
    qsort(list + asked, all - asked, sizeof *list, by_misfit);
    *n = all - asked > SHOWN_SEARCHED ? asked + SHOWN_SEARCHED : all;
    return 0;
}

/* Of one run alone nothing is chosen. */
static int add_runs(struct loom_table *table, const struct loom_replay_report *replay,
                    struct loom_error *err)
{
    const struct loom_replay_run **shown, *chosen = &replay->runs[replay->chosen];
    size_t n = 0;
    int rc = list_shown(&shown, &n, replay, err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = add_run(table, shown[i], n > 1 && shown[i] == chosen, err);
    free(shown);
    return rc;
}

int loom_replay_runs_table(struct loom_table **out, const struct loom_replay_report *replay,
                           struct loom_error *err)
{
    static const struct number_column columns[] = {
        {"mean wait", 40},  {"bias", LOOM_KEEP},        {"mean |error|", 60},  {"rank corr.", 50},
        {"first half", 30}, {"second half", LOOM_KEEP}, {"its rank corr.", 20}};
    int rc = loom_table_create(out, err);
    if (rc)
        return rc;
    rc = loom_table_column(*out, "policy", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(*out, "assumed", LOOM_LEFT, err);
    if (!rc)
        rc = add_columns(*out, columns, sizeof columns / sizeof *columns, err);
    if (!rc)
        rc = add_runs(*out, replay, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}

static int add_meaning(struct loom_table *table, const char *word, const char *meaning,
                       struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", word);
    return rc ? rc : loom_table_cell(table, err, "%s", meaning);
}

/* What the words of the table of runs mean, of assumptions those that are shown. */
static int add_meanings(struct loom_table *table, const struct loom_replay_report *replay,
                        struct loom_error *err)
{
    const struct loom_replay_run **shown;
    unsigned assumptions = 0;
    size_t n = 0;
    int rc = list_shown(&shown, &n, replay, err);
    for (size_t i = 0; i < n; i++)
        assumptions |= shown[i]->assumptions;
    free(shown);
    if (!rc && n > 1)
        rc = add_meaning(table, "*", "the run that explains the first half best", err);
    if (!rc)
        rc = add_meaning(table, "bias, halves",
                         "simulated minus logged mean wait, over the logged one", err);
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && !rc; i++)
        if (assumptions & 1u << i)
            rc = add_meaning(table, loom_assumption_name(i), loom_assumption_meaning(i), err);
    return rc;
}

int loom_replay_legend(struct loom_table **out, const struct loom_replay_report *replay,
                       struct loom_error *err)
{
    int rc = loom_table_create(out, err);
    if (rc)
        return rc;
    rc = loom_table_column(*out, "word", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(*out, "means", LOOM_LEFT, err);
    if (!rc)
        rc = add_meanings(*out, replay, err);
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
    static const struct number_column columns[] = {{"jobs", 40},         {"logged wait", 50},
                                                   {"mean wait", 50},    {"bias", LOOM_KEEP},
                                                   {"mean |error|", 60}, {"rank corr.", 60},
                                                   {"10 %", 30},         {"90 %", 30}};
    int rc = loom_table_create(out, err);
    if (rc)
        return rc;
    rc = loom_table_column(*out, loom_replay_kind_name(classes->kind), LOOM_LEFT, err);
    if (!rc)
        rc = add_columns(*out, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < classes->count && !rc; i++)
        rc = add_class(*out, classes, i, trace, err);
    if (rc) {
        loom_table_destroy(*out);
        *out = NULL;
    }
    return rc;
}
