/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample_log - a made-up log of a 128-processor machine, for trying things out where no real log is
 * at hand, and an example of the library: build a trace job by job, simulate it for its waits, and
 * write it.
 *
 *     sample_log OUT [JOBS [SEED]]
 *
 * Forty users work in sessions at office hours: a session is a few similar jobs, each submitted
 * some time after the one before. Into that go the things real logs are cleaned of: a script that
 * runs at 3:30 every night, one user's flurry, jobs that never ran, and two impossible records.
 * Jobs wait as long as under conservative backfilling. It is a sample to read and clean, not a
 * workload model.
 */
#include <workloom/workloom.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    DAY_S = 86400,
    PROCS = 128,
    USERS = 40,
    SCRIPT_USER = 41,
    FLURRY_USER = 17,
    FLURRY_JOBS = 2000,
};

struct sample {
    struct loom_trace *trace;
    struct loom_stream stream;
    struct loom_error err;
};

static int64_t round_up(double seconds, int64_t unit)
{
    return ((int64_t)seconds / unit + 1) * unit;
}

/* A job as most are: powers of two are common, runtimes are skewed, estimates are generous. */
static struct loom_job draw_job(struct sample *s, int32_t user)
{
    gsl_rng *rng = &s->stream.gsl;
    struct loom_job job = loom_job_unknown();
    job.user = user;
    job.group = user % 5 + 1;
    job.executable = user * 3 + (int32_t)gsl_rng_uniform_int(rng, 3);
    job.queue = gsl_rng_uniform(rng) < 0.2 ? 0 : 1;
    job.req_procs = job.alloc_procs = 1 << gsl_rng_uniform_int(rng, 7);
    job.run_s = (int64_t)gsl_ran_lognormal(rng, job.queue ? 6.5 : 4, job.queue ? 1.6 : 1) + 1;
    if (job.run_s > 2 * DAY_S)
        job.run_s = 2 * DAY_S;
    job.request_s = round_up((double)job.run_s * (1 + 3 * gsl_rng_uniform(rng)), 900);
    job.cpu_s = floor((double)job.run_s * gsl_rng_uniform(rng) * 100) / 100;
    job.wait_s = (int64_t)gsl_ran_exponential(rng, 300); /* until it is cancelled */
    job.status = gsl_rng_uniform(rng) < 0.9 ? LOOM_STATUS_COMPLETED : LOOM_STATUS_FAILED;
    return job;
}

static int add(struct sample *s, struct loom_job job, int64_t submit_s)
{
    job.number = (int64_t)loom_trace_count(s->trace) + 1;
    job.submit_s = submit_s;
    return loom_trace_append(s->trace, &job, &s->err);
}

/* One user's session: similar jobs, minutes apart; one in fifteen is cancelled before it runs. */
static int add_session(struct sample *s, int64_t at)
{
    gsl_rng *rng = &s->stream.gsl;
    /* Few users submit most of the jobs. */
    int32_t user = 1 + (int32_t)(USERS * pow(gsl_rng_uniform(rng), 2));
    struct loom_job like = draw_job(s, user);
    unsigned jobs = 1 + gsl_ran_geometric(rng, 0.25);
    int rc = 0;
    for (unsigned i = 0; i < jobs && !rc; i++) {
        struct loom_job job = like;
        job.run_s = (int64_t)((double)like.run_s * (0.9 + 0.2 * gsl_rng_uniform(rng)));
        if (gsl_rng_uniform(rng) < 1.0 / 15) {
            job.run_s = job.alloc_procs = -1;
            job.cpu_s = -1;
            job.status = LOOM_STATUS_CANCELLED;
        }
        rc = add(s, job, at);
        at += (int64_t)gsl_ran_exponential(rng, 240);
    }
    return rc;
}

static int add_night_script(struct sample *s, int64_t day)
{
    struct loom_job job = loom_job_unknown();
    job.user = SCRIPT_USER;
    job.group = 1;
    job.executable = 1;
    job.queue = 1;
    job.req_procs = job.alloc_procs = 1;
    job.run_s = 4;
    job.request_s = 60;
    job.status = LOOM_STATUS_COMPLETED;
    return add(s, job, day * DAY_S + 3 * 3600 + 1800);
}

static int add_flurry(struct sample *s, int64_t day)
{
    struct loom_job job = draw_job(s, FLURRY_USER);
    job.run_s = 2;
    job.status = LOOM_STATUS_COMPLETED;
    int rc = 0;
    for (int i = 0; i < FLURRY_JOBS && !rc; i++)
        rc = add(s, job, day * DAY_S + 10 * 3600 + i * 7);
    return rc;
}

/* A request above the machine, and a time before the log began. */
static int add_impossible(struct sample *s)
{
    struct loom_job wide = draw_job(s, 3), early = draw_job(s, 4);
    wide.req_procs = wide.alloc_procs = 4 * PROCS;
    int rc = add(s, wide, 5 * DAY_S);
    return rc ? rc : add(s, early, -86400);
}

/* Sessions of one day: more by day than by night, fewer at weekends (1 January 2003 is a
 * Wednesday). */
static int add_day(struct sample *s, int64_t day)
{
    gsl_rng *rng = &s->stream.gsl;
    int weekday = (int)((day + 2) % 7);
    unsigned sessions = gsl_ran_poisson(rng, weekday >= 5 ? 12 : 30);
    int rc = add_night_script(s, day);
    for (unsigned i = 0; i < sessions && !rc; i++) {
        double hour = 14 + 4 * gsl_ran_ugaussian(rng);
        rc = add_session(s, day * DAY_S + (int64_t)(fmod(hour + 24, 24) * 3600));
    }
    return rc;
}

static int add_header(struct sample *s)
{
    static const char *const lines[][2] = {
        {"Version", "2.2"},
        {"Computer", "sample machine"},
        {"Installation", "made up"},
        {"UnixStartTime", "1041375600"},
        {"TimeZone", "3600"},
        {"TimeZoneString", "Europe/Amsterdam"},
        {"MaxNodes", "128"},
        {"MaxProcs", "128"},
        {"Queue", "0 interactive"},
        {"Queue", "1 batch"},
        {"Note", "no real machine ran these jobs"},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines && !rc; i++)
        rc = loom_trace_add_directive(s->trace, lines[i][0], lines[i][1], &s->err);
    return rc;
}

/* Set the wait of each job that runs to its wait under conservative backfilling. */
static int set_waits(struct sample *s)
{
    struct loom_scenario scenario = loom_scenario();
    struct loom_outcome *outcome = NULL;
    struct loom_trace *schedule = NULL;
    scenario.trace = s->trace;
    scenario.policy = "conservative";
    scenario.keep = LOOM_KEEP_RUN;
    int rc = loom_scenario_run(&outcome, &scenario, NULL, &s->err);
    if (!rc)
        rc = loom_outcome_schedule(&schedule, outcome, &s->err);
    for (size_t row = 0; !rc && row < loom_trace_count(s->trace); row++) {
        struct loom_job job = loom_trace_job(s->trace, row);
        if (job.run_s >= 0) {
            job.wait_s = loom_trace_job(schedule, row).wait_s;
            loom_trace_replace(s->trace, row, &job);
        }
    }
    loom_trace_destroy(schedule);
    loom_outcome_destroy(outcome);
    return rc;
}

static int make(struct sample *s, const char *path, size_t jobs)
{
    int rc = loom_trace_create(&s->trace, &s->err);
    if (!rc)
        rc = add_header(s);
    for (int64_t day = 0; !rc && loom_trace_count(s->trace) < jobs; day++) {
        rc = add_day(s, day);
        if (!rc && day == 9)
            rc = add_flurry(s, day);
    }
    if (!rc)
        rc = add_impossible(s);
    if (!rc)
        rc = set_waits(s);
    if (!rc)
        rc = loom_trace_write(s->trace, path, NULL, &s->err);
    loom_trace_destroy(s->trace);
    return rc;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: %s OUT [JOBS [SEED]]\n", argv[0]);
        return 2;
    }
    struct sample s = {0};
    size_t jobs = argc > 2 ? strtoul(argv[2], NULL, 10) : 10000;
    loom_stream_init(&s.stream, argc > 3 ? strtoul(argv[3], NULL, 10) : 1, 0, "sample log");
    int rc = make(&s, argv[1], jobs);
    if (rc) {
        char text[LOOM_ERROR_TEXT];
        fprintf(stderr, "sample_log: %s\n", loom_error_text(&s.err, text, sizeof text));
        return 1;
    }
    return 0;
}
