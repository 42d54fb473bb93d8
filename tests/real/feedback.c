/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The findings of Zakay's chapters 4 and 5 on the real logs: what users who react make of the
 * arrivals, the queues and the throughput. Speaks TAP; skipped where there are no logs.
 *
 * WORKLOOM_REPLICATIONS=100 takes the figures of docs/USERS.md, which are written as comments.
 */
#include "unit/serving.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <workloom/sim_users.h>
#include <workloom/stats.h>

enum { HOUR_S = 3600, WEEK_HOURS = 168, MOST_RUNS = 1000 };

static int replications(void)
{
    const char *asked = getenv("WORKLOOM_REPLICATIONS");
    int runs = asked ? atoi(asked) : 10;
    return runs < 2 ? 2 : runs > MOST_RUNS ? MOST_RUNS : runs;
}

/* ---- logs ------------------------------------------------------------------------------------ */

struct log {
    const char *short_name, *name;
    struct loom_trace *trace;
};

static struct log logs[] = {
    {"SDSC-SP2", "SDSC-SP2-1998-4.2-cln", NULL}, {"BLUE", "SDSC-BLUE-2000-4.2-cln", NULL},
    {"KTH", "KTH-SP2-1996-2.1-cln", NULL},       {"HPC2N", "HPC2N-2002-2.2-cln", NULL},
    {"CM5", "LANL-CM5-1994-4.1-cln", NULL},
};

static struct loom_sim *sim;

static int open_logs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(logs); i++)
        logs[i].trace = real_log(logs[i].name);
    return loom_sim_create(&sim, NULL);
}

static int close_logs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(logs); i++)
        loom_trace_destroy(logs[i].trace);
    loom_sim_destroy(sim);
    return 0;
}

static void skip_without_logs(void)
{
    for (size_t i = 0; i < COUNT(logs); i++)
        if (!logs[i].trace)
            skip();
}

/* ---- runs ------------------------------------------------------------------------------------ */

struct figures {
    double wait_mean_s;
    double queue_mean;
    double throughput; /* jobs a day that ended in the time of submissions */
    double active_weeks, session_s;
    double cycle; /* correlation of the arrivals in the 168 hours of the week with the log's */
};

/* Arrivals by hour of the week. */
static void profile(double hours[WEEK_HOURS], const int64_t *submit_s, size_t n)
{
    memset(hours, 0, WEEK_HOURS * sizeof *hours);
    for (size_t i = 0; i < n; i++)
        if (submit_s[i] >= 0)
            hours[submit_s[i] / HOUR_S % WEEK_HOURS]++;
}

static double cycle_of(const struct log *log)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    double hours[WEEK_HOURS], of_log[WEEK_HOURS];
    int64_t *submit_s = malloc((n + 1) * sizeof *submit_s);
    for (size_t i = 0; i < n; i++)
        submit_s[i] = jobs[i].submit_s;
    profile(hours, submit_s, n);
    profile(of_log, loom_trace_jobs(log->trace)->submit_s, loom_trace_count(log->trace));
    free(submit_s);
    double cycle;
    assert_int_equal(loom_pearson(&cycle, hours, of_log, WEEK_HOURS, NULL), 0);
    return cycle;
}

/* people is NULL for the log as it is. */
static struct figures run(const struct log *log, struct loom_feedback *people,
                          const char *scheduler, int replication)
{
    const struct loom_sim_options options = {.scheduler = scheduler};
    struct loom_error err;
    struct loom_sim_metrics metrics;
    struct loom_user_metrics users;
    struct loom_sim_rates rates;
    int rc = people ? loom_sim_run_feedback(sim, &options, people, (uint64_t)replication, &err)
                    : loom_sim_run_trace(sim, &options, log->trace, &err);
    if (rc)
        fail_msg("%s: %s", log->name, err.message);
    assert_int_equal(loom_sim_metrics(&metrics, sim, NULL), 0);
    assert_int_equal(loom_user_metrics(&users, sim, NULL, NULL), 0);
    struct loom_sim_window window =
        people ? loom_feedback_window(people, sim) : loom_sim_window(sim);
    assert_int_equal(loom_sim_rates(&rates, sim, window, NULL), 0);
    return (struct figures){metrics.wait_mean_s,           metrics.queue_mean,
                            rates.throughput_jobs_per_day, users.active_weeks_mean,
                            users.session_mean_s,          cycle_of(log)};
}

static struct loom_feedback *open_people(const struct log *log, const char *behaviour,
                                         bool resampled)
{
    const struct loom_population_rule rule = loom_population_rule();
    const struct loom_feedback_options options = {.behaviour = behaviour,
                                                  .population = resampled ? &rule : NULL,
                                                  .seed = 1};
    struct loom_feedback *people = NULL;
    struct loom_error err;
    if (loom_feedback_create(&people, log->trace, &options, &err))
        fail_msg("%s: %s", log->name, err.message);
    return people;
}

/* Many runs: their means, and the largest mean wait by the least. */
struct runs {
    struct figures mean;
    double max_wait_s, min_wait_s;
};

static struct runs run_many(const struct log *log, const char *behaviour, const char *scheduler)
{
    struct loom_feedback *people = open_people(log, behaviour, true);
    int n = replications();
    struct runs out = {.min_wait_s = INFINITY};
    for (int i = 0; i < n; i++) {
        struct figures f = run(log, people, scheduler, i);
        out.mean.wait_mean_s += f.wait_mean_s / n;
        out.mean.throughput += f.throughput / n;
        out.mean.active_weeks += f.active_weeks / n;
        out.mean.session_s += f.session_s / n;
        out.mean.cycle += f.cycle / n;
        out.max_wait_s = fmax(out.max_wait_s, f.wait_mean_s);
        out.min_wait_s = fmin(out.min_wait_s, f.wait_mean_s);
    }
    loom_feedback_destroy(people);
    printf("# %-8s %-9s %-28s wait %7.0f s  max/min %6.2f  throughput %6.1f  weeks %5.1f  session "
           "%5.0f s  cycle %.3f\n",
           log->short_name, behaviour ? "TBUOS" : "resampled", scheduler, out.mean.wait_mean_s,
           out.max_wait_s / out.min_wait_s, out.mean.throughput, out.mean.active_weeks,
           out.mean.session_s, out.mean.cycle);
    fflush(stdout);
    return out;
}

/* ---- chapter 4 ------------------------------------------------------------------------------- */

/* Slurm's own accounting, with the waits it knows. */
static struct loom_trace *sacct_log(void)
{
    const char *folder = getenv("WORKLOOM_TRACES");
    const struct loom_read_options options = {
        .format = "sacct",
        .columns = "jobid,jobidraw,cluster,partition,qos,account,group,gid,user,uid,submit,"
                   "eligible,start,end,elapsed,exitcode,state,nnodes,ncpus,reqcpus,reqmem,reqtres,"
                   "alloctres,timelimit,nodelist,jobname"};
    char path[4096];
    snprintf(path, sizeof path, "%s/sacct-xdmod-pozidriv.txt.gz", folder ? folder : "");
    struct loom_trace *trace;
    return loom_trace_read(&trace, path, &options, NULL) ? NULL : trace;
}

/* "If we simulate exactly the same scheduler, and we use the delays of the original TT and IAT,
 * then all the jobs will arrive exactly at the same times" (section VII). */
static void played_back(void **state)
{
    static const char *const names[] = {"SDSC-SP2-1998-4.2-cln", "SDSC-BLUE-2000-4.2-cln",
                                        "KTH-SP2-1996-2.1-cln",  "HPC2N-2002-2.2-cln",
                                        "LANL-CM5-1994-4.1-cln", "OSC-Clust-2000-3.1-cln",
                                        "DAS2-fs1-2003-1",       "NASA-iPSC-1993-3.1-cln"};
    size_t played = 0;
    (void)state;
    for (size_t i = 0; i <= COUNT(names); i++) {
        struct loom_trace *trace = i < COUNT(names) ? real_log(names[i]) : sacct_log();
        if (!trace)
            continue;
        assert_replayed(trace);
        loom_trace_destroy(trace);
        played++;
    }
    if (played == 0)
        skip();
}

/* Table I, figures 5, 6 and 8: the mean wait falls under the adjusted and the fluid model; fluid
 * users keep the cycle of the week, adjusted ones lose most of it. */
static void models_of_chapter_4(void **state)
{
    static const char *const models[] = {NULL, "adjusted", "distribution", "fluid"};
    enum { CONVENTIONAL, ADJUSTED, DISTRIBUTION, FLUID };
    (void)state;
    skip_without_logs();
    for (size_t i = 0; i < COUNT(logs); i++) {
        struct figures f[COUNT(models)];
        for (size_t m = 0; m < COUNT(models); m++) {
            struct loom_feedback *people =
                models[m] ? open_people(&logs[i], models[m], false) : NULL;
            f[m] = run(&logs[i], people, "easy", 0);
            printf("# %-8s %-12s wait %6.0f s  cycle %.3f  weeks %5.1f\n", logs[i].short_name,
                   models[m] ? models[m] : "conventional", f[m].wait_mean_s, f[m].cycle,
                   f[m].active_weeks);
            loom_feedback_destroy(people);
        }
        assert_true(f[ADJUSTED].wait_mean_s < f[CONVENTIONAL].wait_mean_s);
        assert_true(f[FLUID].wait_mean_s < f[ADJUSTED].wait_mean_s * 1.2);
        assert_true(f[FLUID].cycle > 0.85);
        assert_true(f[FLUID].cycle > f[ADJUSTED].cycle + 0.3);
    }
}

/* Figure 10: without feedback, queues under FCFS are far longer than with it, where they are a bit
 * longer than under EASY. */
static void queues(void **state)
{
    (void)state;
    skip_without_logs();
    for (size_t i = 0; i < COUNT(logs); i++) {
        struct loom_feedback *people = open_people(&logs[i], "fluid", false);
        struct figures easy = run(&logs[i], NULL, "easy", 0), fcfs = run(&logs[i], NULL, "fcfs", 0);
        struct figures fluid_easy = run(&logs[i], people, "easy", 0);
        struct figures fluid_fcfs = run(&logs[i], people, "fcfs", 0);
        printf(
            "# %-8s mean queue: conventional easy %7.1f fcfs %8.1f, fluid easy %6.1f fcfs %6.1f\n",
            logs[i].short_name, easy.queue_mean, fcfs.queue_mean, fluid_easy.queue_mean,
            fluid_fcfs.queue_mean);
        assert_true(fcfs.queue_mean > 3 * fluid_fcfs.queue_mean);
        assert_true(fluid_easy.queue_mean < easy.queue_mean);
        assert_true(fluid_fcfs.queue_mean / fluid_easy.queue_mean <
                    fcfs.queue_mean / easy.queue_mean);
        loom_feedback_destroy(people);
    }
}

/* ---- chapter 5 ------------------------------------------------------------------------------- */

/* Table I and figures 4 to 6: TBUOS has lower waits that differ less from run to run, and users who
 * are active in more weeks with shorter sessions; EASY has a higher throughput than FCFS in TBUOS
 * and not, or hardly, where nobody reacts. */
static void tbuos(void **state)
{
    (void)state;
    skip_without_logs();
    for (size_t i = 0; i < COUNT(logs); i++) {
        struct runs open_easy = run_many(&logs[i], NULL, "easy");
        struct runs open_fcfs = run_many(&logs[i], NULL, "fcfs");
        struct runs easy = run_many(&logs[i], "fluid", "easy");
        struct runs fcfs = run_many(&logs[i], "fluid", "fcfs");
        assert_true(easy.mean.wait_mean_s < open_easy.mean.wait_mean_s);
        /* With users who start in any week of the log, waits on HPC2N differ as much as in TBUOS,
         * and sessions are as long. */
        double as_much = strcmp(logs[i].short_name, "HPC2N") == 0 ? 1.1 : 1;
        assert_true(easy.max_wait_s / easy.min_wait_s <
                    as_much * open_easy.max_wait_s / open_easy.min_wait_s);
        assert_true(easy.mean.active_weeks > open_easy.mean.active_weeks);
        assert_true(easy.mean.session_s < as_much * open_easy.mean.session_s);
        assert_true(easy.mean.throughput > 1.1 * fcfs.mean.throughput);
        assert_true(open_easy.mean.throughput / open_fcfs.mean.throughput <
                    easy.mean.throughput / fcfs.mean.throughput);
        assert_true(easy.mean.cycle > 0.8);
    }
}

/* Figure 9: UPS raises the throughput over EASY, more so with more weight on users, and more by
 * load than by recency. */
static void user_priority(void **state)
{
    (void)state;
    skip_without_logs();
    const struct log *blue = &logs[1];
    struct runs easy = run_many(blue, "fluid", "easy");
    struct runs load = run_many(blue, "fluid", "ups:priority=load,alpha=1");
    struct runs recency = run_many(blue, "fluid", "ups:priority=recency,alpha=1");
    struct runs half = run_many(blue, "fluid", "ups:priority=load,alpha=0.5");
    assert_true(recency.mean.throughput > easy.mean.throughput);
    assert_true(load.mean.throughput > recency.mean.throughput);
    assert_true(half.mean.throughput > easy.mean.throughput);
    assert_true(half.mean.throughput < load.mean.throughput);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(played_back),   cmocka_unit_test(models_of_chapter_4),
        cmocka_unit_test(queues),        cmocka_unit_test(tbuos),
        cmocka_unit_test(user_priority),
    };
    return cmocka_run_group_tests(tests, open_logs, close_logs);
}
