/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run resulted in: every number is worked out once, here or in src/sim/results. */
#include "base/human.h"
#include "base/sort.h"
#include "experiment/run.h"
#include "sim/engine.h"

#include <workloom/stats.h>
#include <workloom/stats_intervals.h>

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

/* Which jobs of the run are of selected rows of the trace. */
static int keep_selected(uint8_t *keep, const struct loom_sim_job *jobs, size_t n,
                         const struct loom_trace *trace, const struct loom_params *which,
                         struct loom_error *err)
{
    size_t rows = loom_trace_count(trace);
    uint8_t *selected = malloc(rows + 1);
    int rc = selected ? loom_select(selected, trace, which, err) : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        keep[i] = jobs[i].row >= rows || selected[jobs[i].row];
    free(selected);
    return rc;
}

/* Rare behaviours are there for what they do to others, and never measured (Zakay, chapter 3, 6.4,
 * step 4). */
static int measure_part(struct loom_sim *sim, const struct loom_run *run,
                        const struct loom_params *which, struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    uint8_t *keep = malloc(n + 1);
    if (!keep)
        return loom_fail_memory(err);
    memset(keep, 1, n);
    int rc = which ? keep_selected(keep, jobs, n, run->jobs.jobs, which, err) : 0;
    for (size_t i = 0; i < n && run->users; i++)
        if (loom_feedback_is_rare(run->users, jobs[i].user))
            keep[i] = 0;
    if (!rc)
        rc = loom_sim_measure(sim, keep, err);
    free(keep);
    return rc;
}

/* ---- within the run -------------------------------------------------------------------------- */

/* Statistics of the waits in order of submission; NAN where there are too few. */
static int measure_within(struct loom_outcome *out, const struct loom_sim *sim,
                          struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_measured(sim, &n);
    struct loom_batch_means batches;
    struct loom_warmup warmup;
    double *waits_s = malloc((n + 1) * sizeof *waits_s);
    struct loom_within_outcome *within = out->within = malloc(sizeof *within);
    int rc = waits_s && within ? 0 : LOOM_ENOMEM;
    if (within)
        *within = (struct loom_within_outcome){NAN, NAN, NAN};
    for (size_t i = 0; i < n && !rc; i++)
        waits_s[i] = (double)loom_sim_job_wait(&jobs[i]);
    if (!rc)
        rc = loom_batch_means(&batches, waits_s, n, 0, 0, NULL);
    if (!rc) {
        within->wait_half_s = batches.mean.high - batches.mean.estimate;
        within->batch_correlation = batches.correlation;
    }
    if (!rc || rc == LOOM_EDATA)
        rc = loom_mser5(&warmup, waits_s, n, NULL);
    if (!rc)
        within->warmup_mser_jobs = (double)warmup.cut;
    free(waits_s);
    return rc && rc != LOOM_EDATA ? loom_fail_memory(err) : 0;
}

/* ---- users ----------------------------------------------------------------------------------- */

/* Fairness over users, and the jobs a day of known ones: how many users, their median and the most.
 */
static int measure_users(struct loom_outcome *out, const struct loom_sim *sim,
                         struct loom_error *err)
{
    struct loom_sim_classes *users = NULL;
    size_t n = 0;
    int rc = loom_sim_classes_create(&users, sim, NULL, LOOM_CLASS_USER, err);
    if (rc)
        return rc;
    double *rates = malloc((users->count + 1) * sizeof *rates);
    for (size_t i = 0; rates && i < users->count; i++)
        if (users->classes[i].from >= 0)
            rates[n++] = users->classes[i].throughput_jobs_per_day;
    if (rates) {
        loom_sort_real(rates, n);
        out->users = (int64_t)n;
        out->user_rate_median = n ? (rates[(n - 1) / 2] + rates[n / 2]) / 2 : NAN;
        out->user_rate_max = n ? rates[n - 1] : NAN;
        out->fairness = users->fairness;
    } else {
        rc = loom_fail_memory(err);
    }
    free(rates);
    loom_sim_classes_destroy(users);
    return rc;
}

/* Throughput of a log as its own machine had it: jobs that could be simulated and ended, by their
 * recorded waits (unknown: 0), between the first and the last submission. */
static double log_throughput(const struct loom_jobs *jobs, int64_t procs)
{
    int64_t first_s = INT64_MAX, last_s = -1, ended = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < jobs->n; i++) {
            int64_t submit_s = jobs->submit_s[i], wait_s = jobs->wait_s[i];
            int32_t width = loom_job_procs(jobs, i);
            if (submit_s < 0 || jobs->run_s[i] < 0 || width <= 0 || width > procs)
                continue;
            if (pass == 0) {
                first_s = submit_s < first_s ? submit_s : first_s;
                last_s = submit_s > last_s ? submit_s : last_s;
            } else {
                ended += submit_s + (wait_s > 0 ? wait_s : 0) + jobs->run_s[i] <= last_s;
            }
        }
    return last_s > first_s ? (double)ended * 86400 / (double)(last_s - first_s) : (double)NAN;
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
    users->log_load = loom_load_offered(run->jobs.jobs, loom_sim_procs(run->sim));
    users->log_throughput_jobs_per_day = log_throughput(jobs, loom_sim_procs(run->sim));
    int rc = loom_sim_rates(&users->submitting, run->sim,
                            loom_feedback_window(run->users, run->sim), err);
    return rc ? rc : loom_user_metrics(&users->did, run->sim, options->sessions, err);
}

/* ---- what is kept ---------------------------------------------------------------------------- */

/* Bags are found in the jobs before the load was changed: so they are the same at any load. */
static int keep_more(struct loom_outcome *out, const struct loom_run *run,
                     const struct loom_scenario *scenario, struct loom_error *err)
{
    const struct loom_sim *sim = loom_run_sim(run);
    int rc = 0;
    if (scenario->by != LOOM_NO_CLASSES)
        rc = loom_sim_classes_create(&out->classes, sim, run->jobs.before,
                                     (enum loom_class_kind)scenario->by, err);
    if (!rc && out->classes)
        rc = loom_outcome_name_classes(out, run->jobs.before, err);
    if (!rc && scenario->keep & LOOM_KEEP_SERIES)
        rc = loom_sim_series_create(&out->series, sim, err);
    if (!rc && scenario->keep & LOOM_KEEP_SERIES)
        rc = loom_sim_outstanding(&out->outstanding, &out->n_weeks, sim, err);
    if (rc || !(scenario->keep & LOOM_KEEP_CURVES))
        return rc;
    out->curves = malloc(sizeof *out->curves);
    return out->curves ? loom_sim_curves(out->curves, sim, err) : loom_fail_memory(err);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int keep_predicted(struct loom_outcome *out, const struct loom_run *run,
                          const struct loom_scenario *scenario, struct loom_error *err)
{
    struct loom_prediction_outcome *predicted = out->predicted = calloc(1, sizeof *predicted);
    if (!predicted || !(predicted->predictor = strdup(scenario->predictor)))
        return loom_fail_memory(err);
    predicted->correction = scenario->correction;
    predicted->errors = run->predicted;
    predicted->requests_unknown = run->requests_unknown;
    return 0;
}

static int keep_waits(struct loom_outcome *out, const struct loom_run *run, struct loom_error *err)
{
    out->waits = malloc(sizeof *out->waits);
    if (!out->waits)
        return loom_fail_memory(err);
    *out->waits = loom_wait_forecast_errors(run->forecast, run->sim);
    return 0;
}

int loom_measure(struct loom_outcome **outcome, const struct loom_run *run,
                 const struct loom_scenario *scenario, struct loom_error *err)
{
    struct loom_outcome *out = *outcome = calloc(1, sizeof *out);
    if (!out)
        return loom_fail_memory(err);
    struct loom_sim *sim = loom_run_sim(run);
    const bool rare = scenario->users && scenario->users->n_rare > 0;
    out->procs = loom_sim_procs(sim);
    out->size_source = run->machine.source;
    out->seed = scenario->seed;
    out->replication = scenario->replication;
    out->load = run->jobs.load;
    out->requests = run->jobs.requests;
    out->counts = *loom_sim_counts(sim);
    if (!(out->policy = strdup(scenario->policy)))
        return loom_fail_memory(err);
    int rc = loom_sim_trim(sim, &scenario->trim, err);
    if (!rc && (scenario->measure || rare))
        rc = measure_part(sim, run, scenario->measure, err);
    if (!rc)
        rc = loom_sim_metrics(&out->metrics, sim, err);
    if (!rc)
        rc = loom_sim_rates(&out->rates, sim, loom_sim_window(sim), err);
    if (!rc && scenario->keep & LOOM_KEEP_WITHIN)
        rc = measure_within(out, sim, err);
    if (!rc)
        rc = measure_users(out, sim, err);
    if (!rc && run->users)
        rc = measure_submitters(out, run, scenario->users, err);
    if (!rc && scenario->predictor)
        rc = keep_predicted(out, run, scenario, err);
    if (!rc && run->forecast)
        rc = keep_waits(out, run, err);
    if (!rc && run->grid)
        rc = loom_grid_run_measure(&out->grid, run->grid, err);
    if (!rc)
        rc = keep_more(out, run, scenario, err);
    /* What users offer who react is another load than the one asked for. */
    out->load_shown = out->load.asked > 0 && !out->submitters ? out->load.after
                      : out->grid                             ? out->grid->metrics.load
                                                              : out->metrics.load_offered;
    return rc;
}
