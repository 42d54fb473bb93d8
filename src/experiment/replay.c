/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replays: each run is a scenario on the jobs of the log, whose waits are compared with the logged
 * ones. Runs are independent tasks of a pool; the first one also has classes and series.
 */
#include "experiment/replay.h"

#include "base/sort.h"
#include "experiment/replay_facts.h"
#include "sim/results/logged.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- assumptions ----------------------------------------------------------------------------- */

static const struct {
    const char *name, *meaning;
} named[LOOM_ASSUMPTIONS] = {
    {"exact", "estimates are the runtimes"},
    {"downtime", "the machine stands still where the log shows an outage"},
    {"initial", "unseen jobs hold processors when the log begins"},
    {"queues", "each queue has processors of its own, its peak in the first half"},
    {"partitions", "each partition has processors of its own, its peak in the first half"},
    {"peaks",
     "no user has more jobs or processors at once than the same user had in the first half"},
    {"user-jobs", "no user has more than a number of jobs at once, fitted to the first half"},
    {"user-procs",
     "no user has more than a number of processors at once, fitted to the first half"},
    {"size", "fewer processors than the machine is said to have, fitted to the first half"},
    {"jumpers", "jobs that jumped the queue in the log come first"},
};

const char *loom_assumption_name(size_t index)
{
    return index < LOOM_ASSUMPTIONS ? named[index].name : NULL;
}

const char *loom_assumption_meaning(size_t index)
{
    return index < LOOM_ASSUMPTIONS ? named[index].meaning : NULL;
}

enum { MOST_VALUES = 64 };

/* ---- the log --------------------------------------------------------------------------------- */

/* What all runs share. */
struct study {
    const struct loom_replay_options *options;
    struct loom_replay_report *report;
    int64_t *logged_s;    /* by row; -1: unknown */
    int64_t first_s;      /* first submission */
    struct loom_sim *log; /* its schedule */
    struct loom_replay_facts facts;
    size_t from; /* index of the first run of the list that is being run */
};

static void take_waits(struct study *study)
{
    const struct loom_jobs *jobs = loom_trace_jobs(study->options->trace);
    study->first_s = INT64_MAX;
    for (size_t row = 0; row < jobs->n; row++) {
        int64_t wait_s = jobs->wait_s[row], submit_s = jobs->submit_s[row];
        study->report->negative_waits += wait_s < -1;
        study->logged_s[row] = submit_s >= 0 && wait_s >= 0 ? wait_s : -1;
        if (submit_s >= 0 && submit_s < study->first_s)
            study->first_s = submit_s;
    }
}

/* Find the median submission of the jobs with waits. Fails if there are none. */
static int find_middle(struct study *study, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(study->options->trace);
    int64_t *submits = malloc((jobs->n + 1) * sizeof *submits);
    size_t n = 0;
    if (!submits)
        return loom_fail_memory(err);
    for (size_t row = 0; row < jobs->n; row++)
        if (study->logged_s[row] >= 0)
            submits[n++] = jobs->submit_s[row];
    loom_sort_int64(submits, n);
    study->report->middle_s = n > 0 ? submits[n / 2] : 0;
    study->report->quarter_s = n > 0 ? submits[n / 4] : 0;
    free(submits);
    if (n > 0)
        return 0;
    return study->report->negative_waits > 0
               ? loom_fail(err, LOOM_EDATA,
                           "all known waits of this log are negative, so there is nothing to "
                           "compare a simulation with")
               : loom_fail(err, LOOM_EDATA,
                           "no job of this log has a wait, so there is nothing to compare a "
                           "simulation with");
}

static int find_procs(struct study *study, struct loom_error *err)
{
    struct loom_machine_size size = study->options->machine;
    int rc = size.procs > 0 ? 0 : loom_trace_machine_size(&size, study->options->trace, err);
    study->report->procs = size.procs;
    study->report->size_source = size.source;
    if (!rc && size.procs <= 0)
        rc = loom_fail_field(err, LOOM_EDATA, "procs",
                             "the log does not say how many processors its machine has, and no job "
                             "has wait, runtime and processors; set procs");
    return rc;
}

/* The report has the outages; the facts keep the use of them. */
static void copy_facts(struct loom_replay_report *report, struct loom_replay_facts *facts)
{
    report->outages = facts->outages;
    report->n_outages = facts->downtime.n;
    facts->outages = NULL;
    report->limited_users = (int64_t)facts->limits.n_own;
    report->jumpers = (int64_t)facts->n_urgent;
    report->known = facts->known;
}

static int open_study(struct study *study, struct loom_error *err)
{
    const struct loom_trace *trace = study->options->trace;
    study->logged_s = malloc((loom_trace_count(trace) + 1) * sizeof *study->logged_s);
    if (!study->logged_s)
        return loom_fail_memory(err);
    take_waits(study);
    int rc = find_middle(study, err);
    if (!rc)
        rc = loom_trace_peak_procs(&study->report->peak_procs, trace, err);
    if (!rc)
        rc = find_procs(study, err);
    if (!rc)
        rc = loom_sim_of_log(&study->log, trace, study->report->procs, err);
    if (!rc)
        rc = loom_replay_facts_find(&study->facts, trace, study->log, study->report->middle_s, err);
    if (!rc)
        copy_facts(study->report, &study->facts);
    return rc;
}

/* ---- one run --------------------------------------------------------------------------------- */

static void assume(struct loom_scenario *scenario, const struct loom_replay_facts *facts,
                   unsigned assumptions)
{
    static const struct loom_request_change exact = {.how = LOOM_REQUESTS_EXACT};
    if (assumptions & LOOM_ASSUME_EXACT)
        scenario->requests = &exact;
    if (assumptions & LOOM_ASSUME_DOWNTIME)
        scenario->downtime = &facts->downtime;
    if (assumptions & LOOM_ASSUME_INITIAL)
        scenario->trace = facts->primed;
    if (assumptions & LOOM_ASSUME_QUEUES)
        scenario->split = &facts->queues;
    if (assumptions & LOOM_ASSUME_PARTITIONS)
        scenario->split = &facts->partitions;
    if (assumptions & LOOM_ASSUME_PEAKS)
        scenario->limits = &facts->limits;
    if (assumptions & LOOM_ASSUME_JUMPERS)
        scenario->urgent = facts->urgent;
}

/* A scenario of a run; limits is room for its limits of users. */
static struct loom_scenario scenario_of(const struct study *study,
                                        const struct loom_replay_run *run,
                                        struct loom_user_limits *limits)
{
    const struct loom_replay_options *options = study->options;
    struct loom_scenario scenario = loom_scenario();
    scenario.trace = options->trace;
    scenario.machine = (struct loom_machine_size){study->report->procs, LOOM_SIZE_PEAK};
    scenario.policy = run->policy;
    scenario.schedulers = options->schedulers;
    scenario.overrun = options->overrun;
    scenario.keep = LOOM_KEEP_RUN;
    scenario.progress = options->progress;
    scenario.downtime = options->downtime;
    scenario.limits = options->limits;
    scenario.split = options->split;
    assume(&scenario, &study->facts, run->assumptions);
    *limits = (struct loom_user_limits){.jobs = run->user_jobs, .procs = run->user_procs};
    if (run->user_jobs > 0 || run->user_procs > 0)
        scenario.limits = limits;
    if (run->procs > 0)
        scenario.machine.procs = run->procs;
    return scenario;
}

/* Compare the jobs submitted in [from_s, to_s). */
static int compare_within(struct loom_replay_errors *out, const struct loom_replayed *waits,
                          int64_t from_s, int64_t to_s, int64_t *room, struct loom_error *err)
{
    const int64_t *submit_s = loom_trace_jobs(waits->trace)->submit_s;
    for (size_t row = 0; row < waits->n; row++)
        room[row] = submit_s[row] >= from_s && submit_s[row] < to_s ? waits->simulated_s[row] : -1;
    return loom_replay_compare(out, waits->logged_s, room, waits->n, err);
}

/* The logarithm of the ratio of mean waits. A minute is added to both, below which waits are noise.
 */
static double log_ratio(const struct loom_replay_errors *errors)
{
    return errors->jobs > 0
               ? log((errors->wait_mean_simulated_s + 60) / (errors->wait_mean_log_s + 60))
               : 0;
}

/* How badly a run explains the first half: the logarithm of the ratio of mean waits in the worse of
 * its two halves, so that what fits on average alone is not preferred; half of what the rank
 * correlation lacks to 1; and a little for each assumption, so that one that explains nothing is
 * not made. */
static double badness(const struct loom_replay_run *run)
{
    const double each = 0.02;
    double rank = run->first.rank_correlation;
    return fmax(fabs(run->quarters[0]), fabs(run->quarters[1])) + (isnan(rank) ? 1 : 1 - rank) / 2 +
           each * __builtin_popcount(run->assumptions);
}

static int compare_run(struct loom_replay_run *run, const struct loom_replayed *waits,
                       const struct loom_replay_report *report, struct loom_error *err)
{
    struct loom_replay_errors part;
    int64_t *room = malloc((waits->n + 1) * sizeof *room);
    if (!room)
        return loom_fail_memory(err);
    int rc = loom_replay_compare(&run->all, waits->logged_s, waits->simulated_s, waits->n, err);
    if (!rc)
        rc = compare_within(&run->first, waits, 0, report->middle_s, room, err);
    if (!rc)
        rc = compare_within(&run->second, waits, report->middle_s, INT64_MAX, room, err);
    for (int i = 0; i < 2 && !rc; i++) {
        rc = compare_within(&part, waits, i ? report->quarter_s : 0,
                            i ? report->middle_s : report->quarter_s, room, err);
        run->quarters[i] = log_ratio(&part);
    }
    free(room);
    run->badness = badness(run);
    return rc;
}

static void take_simulated(int64_t *simulated_s, size_t n, const struct loom_sim *sim)
{
    size_t n_jobs;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n_jobs);
    for (size_t row = 0; row < n; row++)
        simulated_s[row] = -1;
    for (size_t i = 0; i < n_jobs; i++)
        if (jobs[i].row < n)
            simulated_s[jobs[i].row] = loom_sim_job_wait(&jobs[i]);
}

static void count_compared(struct loom_replay_report *report, const struct loom_replayed *waits)
{
    for (size_t row = 0; row < waits->n; row++) {
        report->no_wait += waits->simulated_s[row] >= 0 && waits->logged_s[row] < 0;
        report->not_simulated += waits->simulated_s[row] < 0 && waits->logged_s[row] >= 0;
    }
}

/* Keep classes and series of the first run. */
static int detail(struct loom_replay_report *report, const struct loom_sim *log,
                  const struct loom_replayed *waits, const struct loom_outcome *outcome,
                  struct loom_error *err)
{
    struct loom_sim_metrics metrics;
    int rc = 0;
    count_compared(report, waits);
    report->utilization_simulated = loom_outcome_value(outcome, "utilization");
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS && !rc; kind++)
        rc = loom_replay_classes_create(&report->by[kind], waits, (enum loom_replay_kind)kind, err);
    if (!rc)
        rc = loom_sim_series_create(&report->simulated, loom_outcome_sim(outcome), err);
    if (!rc)
        rc = loom_sim_series_create(&report->logged, log, err);
    if (!rc)
        rc = loom_sim_metrics(&metrics, log, err);
    if (!rc)
        report->utilization_logged = metrics.utilization;
    return rc;
}

/* Simulate a run with the values it has, and compare. */
static int simulate(const struct study *study, struct loom_replay_run *run, bool detailed,
                    struct loom_error *err)
{
    struct loom_user_limits limits;
    const struct loom_scenario scenario = scenario_of(study, run, &limits);
    struct loom_outcome *outcome = NULL;
    struct loom_replayed waits = {.trace = study->options->trace,
                                  .n = loom_trace_count(study->options->trace),
                                  .logged_s = study->logged_s,
                                  .first_s = study->first_s};
    waits.simulated_s = malloc((waits.n + 1) * sizeof *waits.simulated_s);
    int rc = waits.simulated_s ? loom_scenario_run(&outcome, &scenario, NULL, err)
                               : loom_fail_memory(err);
    if (!rc) {
        take_simulated(waits.simulated_s, waits.n, loom_outcome_sim(outcome));
        rc = compare_run(run, &waits, study->report, err);
    }
    if (!rc && detailed)
        rc = detail(study->report, study->log, &waits, outcome, err);
    loom_outcome_destroy(outcome);
    free(waits.simulated_s);
    return rc;
}

/* ---- fitting a value ------------------------------------------------------------------------- */

/* The values to choose from, ascending: about 1.2 times each other. Returns their number. */
static size_t list_values(int64_t *values, int64_t least, int64_t most)
{
    size_t n = 0;
    for (int64_t value = least; value <= most && n < MOST_VALUES;
         value = value + (value / 6 > 1 ? value / 6 : 1))
        values[n++] = value;
    return n;
}

/* Sizes of the machine: half of it, and on in steps of 1/50. */
static size_t list_sizes(int64_t *values, int64_t procs)
{
    size_t n = 0;
    for (int64_t fiftieth = 25; fiftieth < 50; fiftieth++)
        if (procs * fiftieth / 50 > 0)
            values[n++] = procs * fiftieth / 50;
    return n;
}

static size_t values_of(int64_t *values, const struct study *study, unsigned flag)
{
    enum { MOST_JOBS = 200 };
    int64_t procs = study->report->procs;
    return flag == LOOM_ASSUME_SIZE        ? list_sizes(values, procs)
           : flag == LOOM_ASSUME_USER_JOBS ? list_values(values, 1, MOST_JOBS)
                                           : list_values(values, 1, procs);
}

static int64_t *value_field(struct loom_replay_run *run, unsigned flag)
{
    return flag == LOOM_ASSUME_SIZE        ? &run->procs
           : flag == LOOM_ASSUME_USER_JOBS ? &run->user_jobs
                                           : &run->user_procs;
}

/* Find the value that explains the first half best. The mean wait falls as the
 * value rises, apart from noise, so the sign of the error shows where to look. */
static int fit(const struct study *study, struct loom_replay_run *run, struct loom_error *err)
{
    int64_t values[MOST_VALUES];
    size_t low = 0, high = values_of(values, study, run->fitted);
    struct loom_replay_run best = *run;
    bool any = false;
    int rc = 0;
    while (low < high && !rc) {
        size_t middle = (low + high) / 2;
        struct loom_replay_run tried = *run;
        *value_field(&tried, run->fitted) = values[middle];
        rc = simulate(study, &tried, false, err);
        if (rc)
            break;
        if (!any || tried.badness < best.badness)
            best = tried;
        any = true;
        if (log_ratio(&tried.first) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    *run = best;
    return rc;
}

static int run_one(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    const struct study *study = context;
    struct loom_replay_run *run = &study->report->runs[study->from + index];
    (void)worker;
    return run->fitted ? fit(study, run, err) : simulate(study, run, study->from + index == 0, err);
}

/* ---- all runs -------------------------------------------------------------------------------- */

/* Add a run that has an assumption more than another, or none. */
static int add_run(struct loom_replay_report *report, const char *policy,
                   const struct loom_replay_run *parent, unsigned more, struct loom_error *err)
{
    struct loom_replay_run run = parent ? *parent : (struct loom_replay_run){0};
    struct loom_replay_run *larger =
        realloc(report->runs, (report->n_runs + 1) * sizeof *report->runs);
    if (!larger)
        return loom_fail_memory(err);
    report->runs = larger;
    run.policy = strdup(policy);
    run.assumptions |= more;
    run.fitted = more & (LOOM_ASSUME_USER_JOBS | LOOM_ASSUME_USER_PROCS | LOOM_ASSUME_SIZE);
    run.searched = false;
    larger[report->n_runs] = run;
    return larger[report->n_runs++].policy ? 0 : loom_fail_memory(err);
}

/* Run what was added since `from`. */
static int run_from(struct study *study, size_t from, struct loom_error *err)
{
    study->from = from;
    return loom_pool_for(study->options->pool, study->report->n_runs - from, run_one, study, err);
}

static int add_asked(struct study *study, struct loom_error *err)
{
    const struct loom_replay_options *options = study->options;
    unsigned tried = options->assumptions & study->facts.known;
    int rc = 0;
    for (size_t i = 0; i < options->n_policies && !rc; i++)
        rc = add_run(study->report, options->policies[i], NULL, 0, err);
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && !rc; i++)
        if (tried & 1u << i)
            rc = add_run(study->report, options->policies[0], NULL, 1u << i, err);
    return rc;
}

/* ---- the search ------------------------------------------------------------------------------ */

static size_t find_best(const struct loom_replay_report *report, size_t from)
{
    size_t best = from;
    for (size_t i = from; i < report->n_runs; i++)
        if (report->runs[i].badness < report->runs[best].badness)
            best = i;
    return best;
}

static bool has_run(const struct loom_replay_report *report, const char *policy,
                    unsigned assumptions)
{
    for (size_t i = 0; i < report->n_runs; i++)
        if (report->runs[i].assumptions == assumptions &&
            strcmp(report->runs[i].policy, policy) == 0)
            return true;
    return false;
}

static int add_candidate(struct study *study, const char *policy,
                         const struct loom_replay_run *parent, unsigned more,
                         struct loom_error *err)
{
    if (has_run(study->report, policy, (parent ? parent->assumptions : 0) | more))
        return 0;
    int rc = add_run(study->report, policy, parent, more, err);
    if (!rc)
        study->report->runs[study->report->n_runs - 1].searched = true;
    return rc;
}

/* Every policy with its defaults, and EASY in every order. */
static int add_policies(struct study *study, struct loom_error *err)
{
    const struct loom_scheduler_info *info;
    const struct loom_order_info *order;
    char text[80];
    int rc = 0;
    for (size_t i = 0; (info = loom_scheduler_at(study->options->schedulers, i)) && !rc; i++)
        rc = add_candidate(study, info->name, NULL, 0, err);
    for (size_t i = 1; (order = loom_order_at(i)) && !rc; i++) {
        snprintf(text, sizeof text, "easy:order=%s", order->name);
        rc = add_candidate(study, text, NULL, 0, err);
    }
    return rc;
}

/* Do assumptions go together? Unseen jobs are of no queue. */
static bool is_possible(unsigned assumptions)
{
    const unsigned splits = LOOM_ASSUME_QUEUES | LOOM_ASSUME_PARTITIONS;
    const unsigned limits = LOOM_ASSUME_PEAKS | LOOM_ASSUME_USER_JOBS | LOOM_ASSUME_USER_PROCS;
    unsigned split = assumptions & splits, limit = assumptions & limits;
    return split != splits && (limit & (limit - 1)) == 0 &&
           !(split && assumptions & (LOOM_ASSUME_INITIAL | LOOM_ASSUME_SIZE));
}

static int add_neighbours(struct study *study, size_t index, struct loom_error *err)
{
    const struct loom_replay_run parent = study->report->runs[index]; /* the list moves */
    int rc = 0;
    for (unsigned i = 0; i < LOOM_ASSUMPTIONS && !rc; i++)
        if (study->facts.known & ~parent.assumptions & 1u << i &&
            is_possible(parent.assumptions | 1u << i))
            rc = add_candidate(study, parent.policy, &parent, 1u << i, err);
    return rc;
}

/* Add assumptions one after the other to the best policies, as long as the first half is explained
 * better. Runs of the caller take part. */
static int search(struct study *study, struct loom_error *err)
{
    enum { ROUNDS = 3, TRIED = 3 };
    struct loom_replay_report *report = study->report;
    size_t from = report->n_runs;
    int rc = add_policies(study, err);
    if (!rc)
        rc = run_from(study, from, err);
    for (int round = 0; round < ROUNDS && !rc; round++) {
        double least = -1;
        size_t last = report->n_runs;
        for (int k = 0; k < TRIED && !rc; k++) { /* the k-th best so far */
            size_t best = SIZE_MAX;
            for (size_t i = 0; i < last; i++)
                if (report->runs[i].badness > least &&
                    (best == SIZE_MAX || report->runs[i].badness < report->runs[best].badness))
                    best = i;
            if (best == SIZE_MAX)
                break;
            least = report->runs[best].badness;
            rc = add_neighbours(study, best, err);
        }
        if (!rc)
            rc = run_from(study, last, err);
    }
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int run_all(struct study *study, struct loom_error *err)
{
    int rc = add_asked(study, err);
    if (!rc)
        rc = run_from(study, 0, err);
    if (!rc && study->options->search)
        rc = search(study, err);
    if (!rc)
        study->report->chosen = find_best(study->report, 0);
    return rc;
}

int loom_replay_run(struct loom_replay_report **out, const struct loom_replay_options *options,
                    struct loom_error *err)
{
    struct study study = {.options = options, .report = calloc(1, sizeof *study.report)};
    *out = NULL;
    if (!study.report)
        return loom_fail_memory(err);
    int rc = open_study(&study, err);
    if (!rc)
        rc = run_all(&study, err);
    free(study.logged_s);
    loom_sim_destroy(study.log);
    loom_replay_facts_free(&study.facts);
    if (rc)
        loom_replay_report_destroy(study.report);
    else
        *out = study.report;
    return rc;
}

int loom_replay_measure(struct loom_replay_errors *out, const struct loom_replay_options *options,
                        struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(options->trace);
    struct loom_scenario scenario = loom_scenario();
    struct loom_outcome *outcome = NULL;
    int64_t *logged_s = malloc((2 * jobs->n + 1) * sizeof *logged_s);
    bool any = false;
    *out = (struct loom_replay_errors){0};
    if (!logged_s)
        return loom_fail_memory(err);
    for (size_t row = 0; row < jobs->n; row++) {
        bool known = jobs->submit_s[row] >= 0 && jobs->wait_s[row] >= 0;
        logged_s[row] = known ? jobs->wait_s[row] : -1;
        any |= logged_s[row] > 0;
    }
    scenario.trace = options->trace;
    scenario.machine = options->machine;
    scenario.policy = options->policies[0];
    scenario.schedulers = options->schedulers;
    scenario.overrun = options->overrun;
    scenario.keep = LOOM_KEEP_RUN;
    int rc = any ? loom_scenario_run(&outcome, &scenario, NULL, err) : 0;
    if (!rc && any) {
        take_simulated(logged_s + jobs->n, jobs->n, loom_outcome_sim(outcome));
        rc = loom_replay_compare(out, logged_s, logged_s + jobs->n, jobs->n, err);
    }
    loom_outcome_destroy(outcome);
    free(logged_s);
    return rc;
}

void loom_replay_report_destroy(struct loom_replay_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; i < report->n_runs; i++)
        free(report->runs[i].policy);
    for (size_t kind = 0; kind < LOOM_REPLAY_KINDS; kind++)
        free(report->by[kind]);
    loom_sim_series_destroy(report->logged);
    loom_sim_series_destroy(report->simulated);
    free(report->runs);
    free(report->outages);
    free(report);
}
