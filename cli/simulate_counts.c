/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was done to jobs, by reason, as rows, tables and JSON. Several runs mostly do the same to
 * the same jobs and then tell it once; runs whose users react have jobs of their own, and so have
 * counts of their own.
 */
#include "simulate_counts.h"
#include "simulate_users.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct tally {
    const char *key, *what;
    int64_t jobs;
};

enum {
    N_TALLIES = 0
#define X(name, what) +1
    LOOM_SIM_COUNTS(X)
#undef X
};

static void list_tallies(struct tally out[N_TALLIES], const struct loom_sim_counts *counts)
{
    const struct tally tallies[N_TALLIES] = {
#define X(name, what) {#name, what, counts->name},
        LOOM_SIM_COUNTS(X)
#undef X
    };
    memcpy(out, tallies, sizeof tallies);
}

int64_t jobs_refused(const struct loom_sim_counts *counts)
{
    return counts->rejected_too_wide + counts->dropped_no_runtime + counts->dropped_no_procs +
           counts->dropped_no_submit + counts->dropped_too_long;
}

/* ---- one run --------------------------------------------------------------------------------- */

int add_count_rows(struct loom_table *table, const struct loom_sim_counts *counts,
                   struct loom_error *err)
{
    struct tally tallies[N_TALLIES];
    int rc = 0;
    list_tallies(tallies, counts);
    for (size_t i = 0; i < N_TALLIES && !rc; i++) {
        const struct result row = {NULL, tallies[i].what, tallies[i].jobs == 1 ? "job" : "jobs",
                                   (double)tallies[i].jobs};
        if (tallies[i].jobs > 0)
            rc = add_result_row(table, &row, err);
    }
    return rc;
}

json_t *counts_json(const struct loom_sim_counts *counts)
{
    struct tally tallies[N_TALLIES];
    json_t *object = json_object();
    int failed = 0;
    list_tallies(tallies, counts);
    for (size_t i = 0; i < N_TALLIES; i++)
        failed |= json_object_set_new(object, tallies[i].key, json_integer(tallies[i].jobs));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- several runs ---------------------------------------------------------------------------- */

static bool any_counts(const struct simulation *runs, size_t n)
{
    static const struct loom_sim_counts none;
    for (size_t i = 0; i < n; i++)
        if (memcmp(&runs[i].outcome->counts, &none, sizeof none) != 0)
            return true;
    return false;
}

static bool same_counts(const struct simulation *runs, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (memcmp(&runs[i].outcome->counts, &runs->outcome->counts, sizeof runs->outcome->counts))
            return false;
    return true;
}

/* Without `named` for all runs. */
static int add_run_counts(struct loom_table *table, const struct simulation *of, bool named,
                          struct loom_error *err)
{
    struct tally tallies[N_TALLIES];
    int rc = 0;
    list_tallies(tallies, &of->outcome->counts);
    for (size_t i = 0; i < N_TALLIES && !rc; i++) {
        if (tallies[i].jobs == 0)
            continue;
        if (named)
            rc = loom_table_cell(table, err, "%s", of->policy);
        if (!rc && named)
            rc = add_number(table, load_offered(of), err);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", tallies[i].what);
        if (!rc)
            rc = loom_table_cell(table, err, "%" PRId64, tallies[i].jobs);
    }
    return rc;
}

static int fill_counts(struct loom_table *table, const struct simulation *runs, size_t n,
                       struct loom_error *err)
{
    bool same = same_counts(runs, n);
    int rc = same ? 0 : loom_table_column(table, "scheduler", LOOM_LEFT, err);
    if (!rc && !same)
        rc = loom_table_column(table, "load", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, same ? "done to jobs, in each run" : "done to jobs",
                               LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "jobs", LOOM_RIGHT, err);
    for (size_t i = 0; i < (same ? 1 : n) && !rc; i++)
        rc = add_run_counts(table, &runs[i], !same, err);
    return rc;
}

int run_counts_table(struct loom_table **out, const struct simulation *runs, size_t n,
                     struct loom_error *err)
{
    *out = NULL;
    if (!any_counts(runs, n))
        return 0;
    int rc = loom_table_create(out, err);
    if (!rc)
        rc = fill_counts(*out, runs, n, err);
    if (!rc)
        return 0;
    loom_table_destroy(*out);
    *out = NULL;
    return rc;
}

int print_run_counts(const struct simulation *runs, size_t n, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = run_counts_table(&table, runs, n, err);
    return table ? print_next_table(table, err) : rc;
}

struct range {
    int64_t least, most;
};

static void widen(struct range *range, int64_t value, bool first)
{
    range->least = first || value < range->least ? value : range->least;
    range->most = first || value > range->most ? value : range->most;
}

/* "7", or "5 to 7"; returns buf. */
static const char *range_text(char buf[48], struct range range)
{
    if (range.least == range.most)
        snprintf(buf, 48, "%" PRId64, range.most);
    else
        snprintf(buf, 48, "%" PRId64 " to %" PRId64, range.least, range.most);
    return buf;
}

void say_runs(const struct simulation *runs, size_t n)
{
    struct range jobs = {0}, refused = {0};
    char text[2][48];
    for (size_t i = 0; i < n; i++) {
        widen(&jobs, runs[i].metrics.jobs, i == 0);
        widen(&refused, jobs_refused(&runs[i].outcome->counts), i == 0);
    }
    say(runs->call,
        "made %zu runs of %s %s, left out %" PRId64 " by selection and %s that could not run", n,
        range_text(text[0], jobs), jobs.most == 1 ? "job" : "jobs", runs->left_out,
        range_text(text[1], refused));
}
