/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What users who react to service make of the jobs of a log: when they come, and for how long. */
#include "reproduce/bench.h"

#include "base/sort.h"

#include <workloom/sim_users.h>
#include <workloom/stats.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HOURS = 168 };

/* Submissions of a log and of a run of it. */
struct course {
    double hours[HOURS];       /* submissions by hour of the week */
    int64_t *first_s, *last_s; /* by user; INT64_MIN: none */
    size_t users;              /* numbers of users are below it */
};

static void free_course(struct course *course)
{
    free(course->first_s);
    free(course->last_s);
}

static int begin_course(struct course *course, size_t users, struct loom_error *err)
{
    *course = (struct course){.first_s = malloc((users + 1) * sizeof(int64_t)),
                              .last_s = malloc((users + 1) * sizeof(int64_t)),
                              .users = users};
    if (!course->first_s || !course->last_s)
        return loom_fail_memory(err);
    for (size_t i = 0; i < users; i++)
        course->first_s[i] = course->last_s[i] = INT64_MIN;
    return 0;
}

static void add_submission(struct course *course, int64_t submit_s, int32_t user)
{
    if (submit_s < 0)
        return;
    course->hours[submit_s / 3600 % HOURS]++;
    if (user < 0 || (size_t)user >= course->users)
        return;
    if (course->first_s[user] == INT64_MIN || submit_s < course->first_s[user])
        course->first_s[user] = submit_s;
    if (submit_s > course->last_s[user])
        course->last_s[user] = submit_s;
}

static size_t count_users(const struct loom_jobs *jobs)
{
    int32_t most = -1;
    for (size_t i = 0; i < jobs->n; i++)
        most = jobs->user[i] > most ? jobs->user[i] : most;
    return (size_t)most + 1;
}

static int course_of_log(struct course *out, const struct loom_jobs *jobs, struct loom_error *err)
{
    int rc = begin_course(out, count_users(jobs), err);
    for (size_t i = 0; i < jobs->n && !rc; i++)
        add_submission(out, jobs->submit_s[i], jobs->user[i]);
    return rc;
}

/* The rows of a run's jobs name the users of the log, whatever numbers the run gives them. */
static int course_of_run(struct course *out, const struct loom_sim *sim,
                         const struct loom_jobs *of_log, struct loom_error *err)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    int rc = begin_course(out, count_users(of_log), err);
    for (size_t i = 0; i < n && !rc; i++)
        if (jobs[i].row != LOOM_NO_ROW)
            add_submission(out, jobs[i].submit_s, of_log->user[jobs[i].row]);
    return rc;
}

/* ---- measures -------------------------------------------------------------------------------- */

static double largest_share(const struct course *course)
{
    double sum = 0, most = 0;
    for (size_t i = 0; i < HOURS; i++) {
        sum += course->hours[i];
        most = fmax(most, course->hours[i]);
    }
    return most / sum;
}

static double longest(const struct course *course)
{
    double most = 0;
    for (size_t i = 0; i < course->users; i++)
        if (course->first_s[i] != INT64_MIN)
            most = fmax(most, (double)(course->last_s[i] - course->first_s[i]));
    return most;
}

/* The median over users who were there for at least a day of the log: quotients of shorter times
 * show single gaps. */
static int median_activity(double *out, const struct course *run, const struct course *log,
                           struct loom_error *err)
{
    double *quotients = malloc((log->users + 1) * sizeof *quotients);
    size_t n = 0;
    if (!quotients)
        return loom_fail_memory(err);
    for (size_t i = 0; i < log->users; i++) {
        double of_log = (double)log->last_s[i] - (double)log->first_s[i];
        if (log->first_s[i] != INT64_MIN && run->first_s[i] != INT64_MIN && of_log >= 86400)
            quotients[n++] = (double)(run->last_s[i] - run->first_s[i]) / of_log;
    }
    loom_sort_real(quotients, n);
    if (n > 0)
        *out = (quotients[(n - 1) / 2] + quotients[n / 2]) / 2;
    free(quotients);
    return n > 0 ? 0 : loom_fail(err, LOOM_EDATA, "no user was there for a day");
}

static int compare_courses(double *out, const char *what, const struct course *run,
                           const struct course *log, struct loom_error *err)
{
    if (strcmp(what, "cycle") == 0)
        return loom_pearson(out, run->hours, log->hours, HOURS, err);
    if (strcmp(what, "activity") == 0)
        return median_activity(out, run, log, err);
    if (strcmp(what, "peak") == 0)
        *out = largest_share(run) / largest_share(log);
    else if (strcmp(what, "longest") == 0)
        *out = longest(run) / longest(log);
    else
        return loom_fail(err, LOOM_EUSAGE, "users have no '%s'", what);
    return 0;
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct users_run {
    struct loom_sim *sim;
    struct loom_feedback *people;
    struct loom_feedback *plain; /* the same population without feedback; NULL: users of the log */
    struct loom_sim_options options;
    const struct loom_trace *trace;
    struct course log;
};

static int one_run(double *out, struct users_run *run, const char *what, uint64_t replication,
                   struct loom_error *err)
{
    struct course course = {0};
    int rc = loom_sim_run_feedback(run->sim, &run->options, run->people, replication, err);
    if (!rc)
        rc = course_of_run(&course, run->sim, loom_trace_jobs(run->trace), err);
    if (!rc)
        rc = compare_courses(out, what, &course, &run->log, err);
    free_course(&course);
    return rc;
}

/* What a population is like. */
static int run_population(double *out, struct users_run *run, struct loom_feedback *people,
                          const char *what, uint64_t replication, struct loom_error *err)
{
    struct loom_user_metrics metrics;
    bool weeks = strcmp(what, "active-weeks") == 0;
    if (!weeks && strcmp(what, "session-length") != 0)
        return loom_fail(err, LOOM_EUSAGE, "populations have no '%s'", what);
    int rc = loom_sim_run_feedback(run->sim, &run->options, people, replication, err);
    if (!rc)
        rc = loom_user_metrics(&metrics, run->sim, NULL, err);
    if (!rc)
        *out = weeks ? metrics.active_weeks_mean : metrics.session_mean_s;
    return rc;
}

static int one_population(double *out, struct users_run *run, const char *what,
                          uint64_t replication, struct loom_error *err)
{
    double reacting = 0, plain = 0;
    int rc = run_population(&reacting, run, run->people, what, replication, err);
    if (!rc)
        rc = run_population(&plain, run, run->plain, what, replication, err);
    *out = reacting / plain;
    return rc;
}

static int begin_runs(struct users_run *run, struct loom_bench *bench,
                      const struct loom_claim *claim, const char *behaviour, struct loom_error *err)
{
    const struct loom_population_rule rule = loom_population_rule();
    struct loom_feedback_options options = {.behaviour = behaviour,
                                            .seed = loom_bench_options(bench)->seed};
    char word[16];
    bool resampled = loom_with(claim, "resample", word, sizeof word);
    options.population = resampled ? &rule : NULL;
    options.pauses = resampled;
    int rc = loom_bench_jobs(&run->trace, bench, claim, err);
    if (!rc)
        rc = loom_feedback_create(&run->people, run->trace, &options, err);
    options.behaviour = NULL;
    options.pauses = false;
    if (!rc && resampled)
        rc = loom_feedback_create(&run->plain, run->trace, &options, err);
    if (!rc)
        rc = loom_sim_create(&run->sim, err);
    return rc ? rc : course_of_log(&run->log, loom_trace_jobs(run->trace), err);
}

int loom_measure_users(struct loom_measured *out, struct loom_bench *bench,
                       const struct loom_claim *claim, struct loom_error *err)
{
    char behaviour[128] = "fluid", scheduler[128] = "easy";
    struct users_run run = {.options.scheduler = scheduler};
    size_t n = (size_t)loom_bench_replications(bench, claim);
    double *values = calloc(n + 1, sizeof *values);
    loom_with(claim, "feedback", behaviour, sizeof behaviour);
    loom_with(claim, "scheduler", scheduler, sizeof scheduler);
    int rc = values ? begin_runs(&run, bench, claim, behaviour, err) : loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        rc = run.plain ? one_population(&values[i], &run, claim->of, i, err)
                       : one_run(&values[i], &run, claim->of, i, err);
    if (!rc)
        rc = loom_measured_mean(out, values, n, err);
    free_course(&run.log);
    loom_sim_destroy(run.sim);
    loom_feedback_destroy(run.people);
    loom_feedback_destroy(run.plain);
    free(values);
    return rc;
}
