/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each policy at each load, side by side on the threads of the pool. A run keeps its results and
 * lets its simulator and its jobs go, so that memory is taken by as many runs as there are threads.
 * Which thread makes which run has no part in the results.
 */
#include "simulate_runs.h"
#include "simulate_classes.h"
#include "simulate_counts.h"
#include "simulate_grid.h"
#include "simulate_load.h"
#include "simulate_report.h"
#include "simulate_users.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- which runs ------------------------------------------------------------------------------ */

enum { MOST_RUNS = 10000 };

static size_t count_runs(const struct invocation *call)
{
    struct load_list list;
    bool none = read_loads(&list, call, NULL) || list.n == 0;
    return count_policies(call) * (none ? 1 : list.n);
}

bool has_several(const struct invocation *call)
{
    return count_runs(call) > 1;
}

int check_several(const struct invocation *call, struct loom_error *err)
{
    static const char *const for_one[] = {"output", "explain", "gantt", "background-output"};
    size_t n = count_runs(call);
    if (n <= 1)
        return 0;
    if (n > MOST_RUNS)
        return loom_fail(err, LOOM_EUSAGE, "%zu policies and loads are too many for one call", n);
    for (size_t i = 0; i < sizeof for_one / sizeof *for_one; i++)
        if (loom_params_given(call->params, for_one[i]))
            return loom_fail(err, LOOM_EUSAGE,
                             "--%s is for one run: give one --scheduler and one --load",
                             for_one[i]);
    return 0;
}

/* ---- the runs -------------------------------------------------------------------------------- */

struct several {
    const struct simulation *base;
    struct simulation *runs; /* by policy, then load */
    size_t n;
    struct load_list loads;
};

/* A copy for a run that changes the load; the log itself for one that does not. */
static int take_jobs(struct simulation *of, const struct simulation *base, double load,
                     struct loom_error *err)
{
    of->trace = base->trace;
    of->before = base->trace;
    return load > 0 ? copy_jobs(&of->trace, base->trace, err) : 0;
}

static int keep_results(struct simulation *of, struct loom_error *err)
{
    int rc = of->outcome ? 0 : loom_sim_outcome_create(&of->outcome, of->sim, err);
    if (!rc && loom_params_flag(of->call->params, "json"))
        rc = run_json(&of->json, of, err);
    return rc ? rc : keep_classes(of, err);
}

static int run_one(struct simulation *of, double load, struct loom_error *err)
{
    int rc =
        of->grid ? load_grid(of, load, err) : apply_load(&of->load, of->call, of->trace, load, err);
    if (!rc)
        rc = check_trim(of->trace, of->call, err);
    if (!rc)
        rc = open_people(of, err);
    if (!rc && !of->grid)
        rc = loom_sim_create(&of->sim, err);
    if (!rc)
        rc = of->grid ? run_grid(of, err) : run_policy(of, err);
    if (!rc)
        rc = measure_run(of, err);
    return rc ? rc : keep_results(of, err);
}

/* Which run it was that failed. */
static int name_run(int rc, const struct simulation *of, double load, struct loom_error *err)
{
    char reason[sizeof err->message], at[40] = "";
    if (!rc || rc == LOOM_ENOMEM || !err)
        return rc;
    snprintf(reason, sizeof reason, "%s", err->message);
    if (load > 0)
        snprintf(at, sizeof at, " at a load of %g", load);
    return loom_fail(err, rc, "%.60s%s: %.350s", of->policy, at, reason);
}

static int run_task(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    struct several *several = context;
    const struct simulation *base = several->base;
    struct simulation *of = &several->runs[index];
    size_t n_loads = several->loads.n ? several->loads.n : 1;
    double load = several->loads.n ? several->loads.loads[index % n_loads] : 0;
    (void)worker;
    of->policy = policy_text(base->call, index / n_loads);
    int rc = of->policy ? take_jobs(of, base, load, err) : loom_fail_memory(err);
    if (!rc && base->grid)
        rc = share_grid(of, base->grid, err);
    if (!rc)
        rc = name_run(run_one(of, load, err), of, load, err);
    loom_feedback_destroy(of->people);
    close_grid(of);
    loom_sim_destroy(of->sim);
    of->people = NULL;
    of->sim = NULL;
    if (of->trace != base->trace)
        loom_trace_destroy(of->trace);
    of->trace = base->trace;
    return rc;
}

static int run_all(struct several *several, struct loom_error *err)
{
    const struct simulation *base = several->base;
    /* How many local jobs models make is seen run by run. */
    size_t jobs = base->grid ? 0 : several->n * loom_trace_count(base->trace);
    struct loom_progress *progress =
        loom_progress_create("simulating", "jobs", jobs,
                             loom_params_flag(base->call->params, "quiet"));
    for (size_t i = 0; i < several->n; i++) {
        several->runs[i] = *base;
        several->runs[i].grid = NULL; /* each has its own, and only while it runs */
        several->runs[i].progress = progress;
    }
    json_object_seed(0); /* which threads may not do at the same time */
    int rc = loom_pool_for(base->pool, several->n, run_task, several, err);
    loom_progress_destroy(progress);
    return rc;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Whole processors and whole seconds may leave a load beside the one asked for. What users offer
 * who react is another matter. */
static bool missed_load(const struct simulation *of)
{
    return of->load.asked > 0 && !has_people(of) && loom_load_missed(&of->load);
}

static bool any_missed(const struct several *several)
{
    for (size_t i = 0; i < several->n; i++)
        if (missed_load(&several->runs[i]))
            return true;
    return false;
}

/* Of a grid: its jobs, but the processors as all jobs use them, and how the local jobs fare that
 * come while grid jobs do. */
static int add_run(struct loom_table *table, const struct simulation *of, bool asked,
                   struct loom_error *err)
{
    const struct loom_sim_metrics *m = &of->metrics;
    const double numbers[] = {
        load_offered(of),  (double)of->outcome->procs,
        (double)m->jobs,   m->wait_mean_s,
        m->wait_median_s,  m->bounded_slowdown_mean,
        m->slowdown_ratio, of->platform ? of->whole.utilization_submitting : m->utilization,
        m->queue_mean,     of->outcome->fairness,
    };
    int rc = loom_table_cell(table, err, "%s", of->policy);
    if (!rc && asked)
        rc = add_number(table, of->load.asked, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !rc; i++)
        rc = add_number(table, numbers[i], err);
    if (!rc && of->platform)
        rc = add_number(table, of->whole.local_submitting.slowdown_ratio, err);
    if (!rc && has_people(of))
        rc = add_number(table, of->submitting.throughput_jobs_per_day, err);
    if (!rc)
        rc = add_number(table, m->saturated < 0 ? NAN : m->outstanding_per_week, err);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", verdict_text(m));
    return rc;
}

static int print_runs(const struct several *several, struct loom_error *err)
{
    static const char local[] = "local response / runtime", throughput[] = "jobs a day";
    static const char asked[] = "load asked";
    static const char *const titles[] = {"scheduler",
                                         asked,
                                         "load",
                                         "procs",
                                         "jobs",
                                         "wait, mean s",
                                         "wait, median s",
                                         "bounded slowdown, mean",
                                         "response / runtime",
                                         "utilization",
                                         "waiting, mean",
                                         "fairness",
                                         local,
                                         throughput,
                                         "growth, jobs a week",
                                         "saturated"};
    const bool missed = any_missed(several);
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    for (size_t i = 0; i < sizeof titles / sizeof *titles && !rc; i++)
        if ((titles[i] != asked || missed) && (titles[i] != local || several->base->platform) &&
            (titles[i] != throughput || has_people(several->base)))
            rc = loom_table_column(table, titles[i], i ? LOOM_RIGHT : LOOM_LEFT, err);
    for (size_t i = 0; i < several->n && !rc; i++)
        rc = add_run(table, &several->runs[i], missed, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

/* A mean wait may be short and yet grow: what the verdict goes by must be said beside it. */
static void say_verdicts(const struct several *several)
{
    size_t none = 0, saturated = 0, filling = 0, backlog = 0;
    for (size_t i = 0; i < several->n; i++)
        none += several->runs[i].metrics.saturated < 0;
    for (size_t i = 0; i < several->n; i++)
        filling += several->runs[i].metrics.filling;
    for (size_t i = 0; i < several->n; i++)
        saturated += several->runs[i].metrics.saturated > 0 && !several->runs[i].metrics.filling;
    if (saturated > 0)
        say(several->base->call,
            "%zu of %zu runs %s saturated (outstanding jobs grow by more than one a week, by the "
            "trend of their weekly counts, however long jobs wait)",
            saturated, several->n, saturated == 1 ? "is" : "are");
    if (filling > 0)
        say(several->base->call,
            "%zu of %zu runs %s filling: outstanding jobs grow by more than one a week, but by "
            "running jobs alone, as the jobs that wait do not grow",
            filling, several->n, filling == 1 ? "is" : "are");
    for (size_t i = 0; i < several->n; i++)
        backlog += loom_sim_had_backlog(&several->runs[i].metrics);
    if (backlog > 0)
        say(several->base->call,
            "%zu of %zu runs %s not saturated by the end, but had %d weeks or more on end that "
            "began with more than a day's work for all processors waiting",
            backlog, several->n, backlog == 1 ? "is" : "are", LOOM_BACKLOG_LONG);
    if (none > 0)
        say(several->base->call,
            "%zu %s without a verdict on saturation: too few weeks for a trend", none,
            none == 1 ? "run is" : "runs are");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int tell(const struct several *several, struct loom_error *err)
{
    const struct invocation *call = several->base->call;
    int rc = wants_report(call) ? write_simulations(several->runs, several->n, err) : 0;
    if (!rc && loom_params_flag(call->params, "json"))
        rc = print_runs_json(several->runs, several->n, err);
    else if (!rc && !wants_report(call)) {
        rc = print_runs(several, err);
        if (!rc)
            rc = print_run_people(several->runs, several->n, err);
        if (!rc)
            rc = print_run_counts(several->runs, several->n, err);
        if (!rc)
            rc = print_classes(several->runs, several->n, err);
    }
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && !loom_params_flag(call->params, "json"))
        say_verdicts(several);
    if (!rc)
        say_people_load(several->base);
    if (!rc)
        warn_coverage(several->runs, several->n);
    if (!rc)
        say_runs(several->runs, several->n);
    return rc;
}

int simulate_several(struct simulation *of, struct loom_error *err)
{
    struct several several = {.base = of, .n = count_runs(of->call)};
    several.runs = calloc(several.n, sizeof *several.runs);
    int rc = several.runs ? read_loads(&several.loads, of->call, err) : loom_fail_memory(err);
    if (!rc && loom_params_given(of->call->params, "platform"))
        rc = open_grid(of, err);
    if (!rc)
        rc = run_all(&several, err);
    if (!rc)
        rc = tell(&several, err);
    for (size_t i = 0; several.runs && i < several.n; i++) {
        json_decref(several.runs[i].json);
        release_simulation(&several.runs[i]);
    }
    free(several.runs);
    return rc;
}
