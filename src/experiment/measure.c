/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run resulted in: every number is worked out once, here or in src/sim/results. */
#include "base/human.h"
#include "experiment/run.h"

#include <workloom/stats.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- which jobs ------------------------------------------------------------------------------ */

int loom_measure_check(const struct loom_scenario *scenario, const struct loom_trace *jobs,
                       struct loom_error *err)
{
    const struct loom_sim_trim *trim = &scenario->trim;
    struct loom_summary summary;
    char span[LOOM_HUMAN];
    if (!(trim->warm_up_jobs | trim->warm_up_s | trim->cool_down_jobs | trim->cool_down_s))
        return 0;
    if (scenario->users) /* who submit other jobs, at other times: seen when they are known */
        return 0;
    int rc = loom_summarize(&summary, jobs, err);
    if (!rc && (trim->warm_up_jobs >= summary.jobs - trim->cool_down_jobs ||
                trim->warm_up_s > summary.span_s - trim->cool_down_s))
        rc = loom_fail_at(err, LOOM_ERANGE, loom_trace_report(jobs)->file, 0, 0,
                          "warm-up and cool-down leave none of the %" PRId64
                          " jobs, submitted within %s, to measure; make them shorter",
                          summary.jobs,
                          loom_human_seconds((double)summary.span_s, span, sizeof span));
    return rc;
}

static int measure_selected(struct loom_sim *sim, const struct loom_run *run,
                            const struct loom_params *which, struct loom_error *err)
{
    const struct loom_trace *jobs = run->jobs.jobs;
    size_t n = loom_trace_count(jobs);
    uint8_t *keep = malloc(n + 1);
    int rc = keep ? loom_select(keep, jobs, which, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_sim_measure(sim, keep, n, err);
    free(keep);
    return rc;
}

static int choose_jobs(const struct loom_run *run, const struct loom_scenario *scenario,
                       struct loom_error *err)
{
    struct loom_sim *sim = loom_run_sim(run);
    int rc = loom_sim_trim(sim, &scenario->trim, err);
    return rc || !scenario->measure ? rc : measure_selected(sim, run, scenario->measure, err);
}

/* ---- users ----------------------------------------------------------------------------------- */

/* Jobs a day of known users: how many users, their median and the most. */
static int rank_users(struct loom_outcome *out, const struct loom_sim_classes *users,
                      struct loom_error *err)
{
    double *rates = malloc((users->count + 1) * sizeof *rates);
    size_t n = 0;
    if (!rates)
        return loom_fail_memory(err);
    for (size_t i = 0; i < users->count; i++)
        if (users->classes[i].from >= 0)
            rates[n++] = users->classes[i].throughput_jobs_per_day;
    int rc = loom_sort(rates, n, err);
    out->users = (int64_t)n;
    out->user_rate_median = n ? (rates[(n - 1) / 2] + rates[n / 2]) / 2 : NAN;
    out->user_rate_max = n ? rates[n - 1] : NAN;
    free(rates);
    return rc;
}

static int measure_users(struct loom_outcome *out, const struct loom_sim *sim,
                         struct loom_error *err)
{
    struct loom_sim_classes *users = NULL;
    int rc = loom_sim_classes_create(&users, sim, NULL, LOOM_CLASS_USER, err);
    if (!rc)
        rc = rank_users(out, users, err);
    if (!rc)
        out->fairness = users->fairness;
    loom_sim_classes_destroy(users);
    return rc;
}

static int measure_submitters(struct loom_outcome *out, const struct loom_run *run,
                              const struct loom_feedback_options *options, struct loom_error *err)
{
    struct loom_users_outcome *users = out->submitters = calloc(1, sizeof *users);
    const struct loom_jobs *jobs = loom_trace_jobs(run->jobs.jobs);
    if (!users || (options->behaviour && !(users->behaviour = strdup(options->behaviour))))
        return loom_fail_memory(err);
    users->resampled = options->population != NULL;
    users->counts = *loom_feedback_counts(run->users);
    for (size_t row = 0; row < jobs->n; row++) {
        users->without_user += jobs->user[row] < 0;
        users->without_wait += jobs->user[row] >= 0 && jobs->wait_s[row] < 0;
    }
    int rc = loom_sim_rates(&users->submitting, run->sim,
                            loom_feedback_window(run->users, run->sim), err);
    return rc ? rc : loom_user_metrics(&users->did, run->sim, err);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

static int keep_series(struct loom_outcome *out, const struct loom_sim *sim, struct loom_error *err)
{
    int rc = loom_sim_series_create(&out->series, sim, err);
    return rc ? rc : loom_sim_outstanding(&out->outstanding, &out->n_weeks, sim, err);
}

static int keep_curves(struct loom_outcome *out, const struct loom_sim *sim, struct loom_error *err)
{
    out->curves = malloc(sizeof *out->curves);
    return out->curves ? loom_sim_curves(out->curves, sim, err) : loom_fail_memory(err);
}

/* Bags are found in the jobs before the load was changed: so they are the same at any load. */
static int keep_more(struct loom_outcome *out, const struct loom_run *run,
                     const struct loom_scenario *scenario, struct loom_error *err)
{
    const struct loom_sim *sim = loom_run_sim(run);
    int rc = 0;
    if (scenario->by != LOOM_NO_CLASSES)
        rc = loom_sim_classes_create(&out->classes, sim, run->jobs.before,
                                     (enum loom_class_kind)scenario->by, err);
    if (!rc && scenario->keep & LOOM_KEEP_SERIES)
        rc = keep_series(out, sim, err);
    if (!rc && scenario->keep & LOOM_KEEP_CURVES)
        rc = keep_curves(out, sim, err);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* What users offer who react is another load than the one asked for. */
static double shown_load(const struct loom_outcome *outcome)
{
    if (outcome->load.asked > 0 && !outcome->submitters)
        return outcome->load.after;
    return outcome->grid ? outcome->grid->metrics.load : outcome->metrics.load_offered;
}

static int fill(struct loom_outcome *out, const struct loom_run *run,
                const struct loom_scenario *scenario, struct loom_error *err)
{
    const struct loom_sim *sim = loom_run_sim(run);
    out->procs = loom_sim_procs(sim);
    out->seed = scenario->seed;
    out->replication = scenario->replication;
    out->load = run->jobs.load;
    out->requests = run->jobs.requests;
    out->counts = *loom_sim_counts(sim);
    if (!(out->policy = strdup(scenario->policy)))
        return loom_fail_memory(err);
    int rc = choose_jobs(run, scenario, err);
    if (!rc)
        rc = loom_sim_metrics(&out->metrics, sim, err);
    if (!rc)
        rc = loom_sim_rates(&out->rates, sim, loom_sim_window(sim), err);
    if (!rc)
        rc = measure_users(out, sim, err);
    if (!rc && run->users)
        rc = measure_submitters(out, run, scenario->users, err);
    if (!rc && run->grid)
        rc = loom_grid_run_measure(&out->grid, run->grid, err);
    if (!rc)
        rc = keep_more(out, run, scenario, err);
    out->load_shown = shown_load(out);
    return rc;
}

int loom_measure(struct loom_outcome **out, const struct loom_run *run,
                 const struct loom_scenario *scenario, struct loom_error *err)
{
    struct loom_outcome *outcome = calloc(1, sizeof *outcome);
    int rc = outcome ? fill(outcome, run, scenario, err) : loom_fail_memory(err);
    if (rc)
        loom_outcome_destroy(outcome);
    else
        *out = outcome;
    return rc;
}
