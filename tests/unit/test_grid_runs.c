/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What must hold of every grid, whatever its clusters' policies: special cases that are another
 * machine in disguise, capacity and promises cluster by cluster, the same result every time, and
 * measures that can be checked by hand.
 */
#include "grid_jobs.h"

#include <workloom/sim_results.h>
#include <workloom/sim_validate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 3 };

static struct loom_sim *run_alone(const char *scheduler, int64_t procs,
                                  const struct loom_trace *trace)
{
    struct loom_sim *sim = NULL;
    struct loom_error err = {0};
    const struct loom_sim_options options = {.scheduler = scheduler, .procs = procs};
    if (loom_sim_create(&sim, &err) || loom_sim_run_trace(sim, &options, trace, &err))
        fail_msg("%s: %s", scheduler, err.message);
    return sim;
}

static void assert_same_starts(const struct loom_sim *got, const struct loom_sim *wanted)
{
    size_t n, n_wanted;
    const struct loom_sim_job *a = loom_sim_jobs(got, &n), *b = loom_sim_jobs(wanted, &n_wanted);
    assert_int_equal(n, n_wanted);
    for (size_t i = 0; i < n; i++)
        if (a[i].start_s != b[i].start_s)
            fail_msg("job %zu starts at %lld, not %lld", i, (long long)a[i].start_s,
                     (long long)b[i].start_s);
}

/* ---- another machine in disguise ------------------------------------------------------------- */

/* One cluster without local jobs: a job is sent when it fits, so it starts at once, whoever waits
 * before it. So does EASY, when its promise to the first job is so far off that it never binds. */
static void test_one_cluster_is_first_fit(void **state)
{
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 3, 0, "first fit");
    for (int round = 0; round < 500; round++) {
        int32_t procs = 1 + (int32_t)loom_stream_below(&stream, 12);
        struct loom_trace *trace = random_jobs(&stream, 40, procs);
        struct loom_sim *alone = run_alone("relaxed:slack=1000", procs, trace);
        const struct loom_cluster cluster = {.name = "one", .procs = procs};
        const struct loom_grid_options options = {.clusters = &cluster, .n_clusters = 1};
        must_run(grid, &options, trace);
        assert_same_starts(loom_grid_jobs(grid), alone);
        loom_sim_destroy(alone);
        loom_trace_destroy(trace);
    }
    loom_grid_destroy(grid);
}

/* Serial jobs on clusters of one processor each: first come, first served on all of them. */
static void test_processors_as_clusters(void **state)
{
    static const struct loom_cluster clusters[] = {{.name = "1", .procs = 1},
                                                   {.name = "2", .procs = 1},
                                                   {.name = "3", .procs = 1}};
    static const char *const rules[] = {"choose=most-free", "choose=first", "choose=next",
                                        "choose=random"};
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 4, 0, "serial");
    for (int round = 0; round < 200; round++) {
        struct loom_trace *trace = random_jobs(&stream, 60, 1);
        struct loom_sim *alone = run_alone("fcfs", COUNT(clusters), trace);
        const struct loom_grid_options options = {.clusters = clusters,
                                                  .n_clusters = COUNT(clusters),
                                                  .dispatch = rules[round % 4]};
        must_run(grid, &options, trace);
        assert_same_starts(loom_grid_jobs(grid), alone);
        loom_sim_destroy(alone);
        loom_trace_destroy(trace);
    }
    loom_grid_destroy(grid);
}

/* Grid jobs that come when all local jobs are over change nothing for these, under any policy. */
static void test_clusters_alone(void **state)
{
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    const struct loom_scheduler_info *policy;
    (void)state;
    loom_stream_init(&stream, 5, 0, "alone");
    for (size_t p = 0; (policy = loom_scheduler_at(NULL, p)); p++)
        for (int round = 0; round < 20; round++) {
            struct loom_trace *local = random_jobs(&stream, 60, 8), *trace = empty_trace();
            struct loom_sim *alone = run_alone(policy->name, 8, local);
            struct loom_job late = loom_job_unknown();
            late.submit_s = 1000000;
            late.run_s = late.req_procs = 1;
            append(trace, late);
            const struct loom_cluster clusters[] = {
                {.name = "busy", .procs = 8, .scheduler = policy->name, .background = local},
                {.name = "idle", .procs = 9}};
            const struct loom_grid_options options = {.clusters = clusters, .n_clusters = 2};
            must_run(grid, &options, trace);
            assert_int_equal(loom_grid_places(grid)[0].cluster, 1); /* more is free there */
            assert_same_starts(loom_grid_cluster(grid, 0), alone);
            loom_sim_destroy(alone);
            loom_trace_destroy(local);
            loom_trace_destroy(trace);
        }
    loom_grid_destroy(grid);
}

/* ---- conformance ----------------------------------------------------------------------------- */

struct case_of {
    struct loom_trace *trace, *local[MOST];
    struct loom_cluster clusters[MOST];
};

static void make_case(struct case_of *of, struct loom_stream *stream, const char *scheduler)
{
    of->trace = random_jobs(stream, 60, 10);
    for (int c = 0; c < MOST; c++) {
        int32_t procs = 4 + 3 * c;
        of->local[c] = random_jobs(stream, 40, procs);
        of->clusters[c] = (struct loom_cluster){.name = "c",
                                                .procs = procs,
                                                .scheduler = scheduler,
                                                .background = of->local[c],
                                                .background_shift_s = 7 * c};
    }
}

static void drop_case(struct case_of *of)
{
    loom_trace_destroy(of->trace);
    for (int c = 0; c < MOST; c++)
        loom_trace_destroy(of->local[c]);
}

/* All jobs of a cluster as a schedule, in the order in which they joined its queue. */
static struct loom_trace *schedule_of(const struct loom_sim *sim)
{
    struct loom_trace *trace = empty_trace();
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = jobs[i].submit_s;
        job.wait_s = loom_sim_job_wait(&jobs[i]);
        job.run_s = jobs[i].run_s;
        job.request_s = jobs[i].estimate_s;
        job.req_procs = jobs[i].procs;
        append(trace, job);
    }
    return trace;
}

static void assert_valid(const struct loom_sim *sim, const char *policy)
{
    struct loom_validation result;
    struct loom_trace *schedule = schedule_of(sim);
    bool promises = strcmp(policy, "fcfs") == 0 || strcmp(policy, "easy") == 0;
    const struct loom_validate_options options = {.procs = loom_sim_procs(sim),
                                                  .policy = promises ? policy : NULL};
    assert_int_equal(loom_validate(&result, schedule, &options, NULL), 0);
    for (size_t i = 0; i < result.n; i++)
        if (result.checks[i].breaches)
            fail_msg("%s: %s: %s", policy, result.checks[i].rule, result.checks[i].first[0].text);
    assert_int_equal(result.unrun, 0);
    loom_trace_destroy(schedule);
}

/* Every grid job is on the cluster that it was sent to, once, and fits it. */
static void assert_sent(const struct loom_grid *grid, size_t n_clusters)
{
    size_t n, there, sent = 0;
    const struct loom_sim_job *jobs = loom_sim_jobs(loom_grid_jobs(grid), &n);
    const struct loom_grid_place *places = loom_grid_places(grid);
    for (size_t i = 0; i < n; i++) {
        const struct loom_sim *cluster = loom_grid_cluster(grid, places[i].cluster);
        const struct loom_sim_job *job = &loom_sim_jobs(cluster, &there)[places[i].job];
        assert_true(places[i].job < there);
        assert_true(job->notes & LOOM_JOB_GRID);
        assert_int_equal(job->row, jobs[i].row);
        assert_int_equal(job->procs, jobs[i].procs);
        assert_int_equal(job->start_s, jobs[i].start_s);
        assert_int_equal(job->submit_s, places[i].sent_s);
        assert_true(jobs[i].submit_s <= places[i].sent_s && places[i].sent_s <= job->start_s);
    }
    for (size_t c = 0; c < n_clusters; c++) {
        const struct loom_sim_job *all = loom_sim_jobs(loom_grid_cluster(grid, c), &there);
        for (size_t i = 0; i < there; i++)
            sent += (all[i].notes & LOOM_JOB_GRID) != 0;
    }
    assert_int_equal(sent, n);
}

static void test_conformance(void **state)
{
    static const char *const dispatch[] = {NULL, "room=free", "choose=random,order=wfp3",
                                           "choose=least-free,order=lcfs"};
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    const struct loom_scheduler_info *policy;
    (void)state;
    loom_stream_init(&stream, 6, 0, "conformance");
    for (size_t p = 0; (policy = loom_scheduler_at(NULL, p)); p++)
        for (int round = 0; round < 40; round++) {
            struct case_of of;
            make_case(&of, &stream, policy->name);
            const struct loom_grid_options options = {.clusters = of.clusters,
                                                      .n_clusters = MOST,
                                                      .dispatch = dispatch[round % 4]};
            must_run(grid, &options, of.trace);
            assert_sent(grid, MOST);
            for (size_t c = 0; c < MOST; c++)
                assert_valid(loom_grid_cluster(grid, c), policy->name);
            drop_case(&of);
        }
    loom_grid_destroy(grid);
}

/* ---- again and again ------------------------------------------------------------------------- */

/* The same case made anew, and its schedule. */
static struct loom_trace *schedule_again(struct loom_grid *grid, uint64_t seed)
{
    struct loom_stream stream;
    struct case_of of;
    loom_stream_init(&stream, 7, 0, "again");
    make_case(&of, &stream, "easy");
    const struct loom_grid_options options = {.clusters = of.clusters,
                                              .n_clusters = MOST,
                                              .dispatch = "choose=random",
                                              .seed = seed};
    must_run(grid, &options, of.trace);
    assert_int_equal(loom_grid_schedule(grid, of.trace, NULL), 0);
    struct loom_trace *schedule = of.trace;
    of.trace = NULL;
    drop_case(&of);
    return schedule;
}

static bool same_partitions(const struct loom_trace *a, const struct loom_trace *b)
{
    return memcmp(loom_trace_jobs(a)->partition, loom_trace_jobs(b)->partition,
                  loom_trace_count(a) * sizeof(int32_t)) == 0;
}

static void test_same_every_time(void **state)
{
    struct loom_grid *grid = new_grid(), *other = new_grid();
    (void)state;
    struct loom_trace *first = schedule_again(grid, 1), *second = schedule_again(grid, 1);
    struct loom_trace *third = schedule_again(other, 1), *fourth = schedule_again(other, 2);
    assert_same_jobs(second, first);
    assert_same_jobs(third, first);
    assert_false(same_partitions(fourth, first));
    loom_trace_destroy(first);
    loom_trace_destroy(second);
    loom_trace_destroy(third);
    loom_trace_destroy(fourth);
    loom_grid_destroy(grid);
    loom_grid_destroy(other);
}

/* ---- by hand --------------------------------------------------------------------------------- */

static struct loom_trace *trace_of(const int64_t (*rows)[4], size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = rows[i][0];
        job.req_procs = (int32_t)rows[i][1];
        job.request_s = rows[i][2];
        job.run_s = rows[i][3];
        append(trace, job);
    }
    return trace;
}

/* Cluster a has 4 processors and two local jobs, b has 2 and none.
 *
 *     local  submit procs estimate run   start
 *     A           0     3       10  10       0   a
 *     B           5     4       10  10      10   a, with a reservation at 10 from 5 on
 *
 *     grid   submit procs estimate run   sent start
 *     1           1     2        8   8       1     1   b: all that is free anywhere, with 1 on a
 *     2           2     2        4   4       9     9   b, when job 1 ends
 *     3           6     1       20  20       6    20   a has 1 free, and holds it for B
 *     4           7     9        1   1   rejected
 */
static void test_by_hand(void **state)
{
    static const int64_t local[][4] = {{0, 3, 10, 10}, {5, 4, 10, 10}};
    static const int64_t jobs[][4] = {{1, 2, 8, 8}, {2, 2, 4, 4}, {6, 1, 20, 20}, {7, 9, 1, 1}};
    static const int64_t sent_s[] = {1, 9, 6}, start_s[] = {1, 9, 20};
    static const uint32_t where[] = {1, 1, 0};
    struct loom_grid *grid = new_grid();
    struct loom_trace *background = trace_of(local, COUNT(local));
    struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
    const struct loom_cluster clusters[] = {{.name = "a", .procs = 4, .background = background},
                                            {.name = "b", .procs = 2}};
    const struct loom_grid_options options = {.clusters = clusters, .n_clusters = 2};
    (void)state;
    must_run(grid, &options, trace);
    const struct loom_sim_job *got = loom_sim_jobs(loom_grid_jobs(grid), NULL);
    for (size_t i = 0; i < COUNT(sent_s); i++) {
        assert_int_equal(loom_grid_places(grid)[i].cluster, where[i]);
        assert_int_equal(loom_grid_places(grid)[i].sent_s, sent_s[i]);
        assert_int_equal(got[i].start_s, start_s[i]);
    }
    assert_int_equal(loom_sim_counts(loom_grid_jobs(grid))->rejected_too_wide, 1);

    struct loom_sim_metrics jobs_only;
    assert_int_equal(loom_sim_metrics(&jobs_only, loom_grid_jobs(grid), NULL), 0);
    assert_int_equal(jobs_only.jobs, 3);
    assert_near(jobs_only.wait_mean_s, (0 + 7 + 14) / 3.0);
    assert_near(jobs_only.slowdown_ratio, (8 + 11 + 34) / 32.0);
    assert_int_equal(jobs_only.queue_max, 2); /* jobs 2 and 3, one here and one there */
    assert_near(jobs_only.utilization, (16 + 8 + 20) / (6.0 * 39));

    struct loom_grid_metrics whole;
    assert_int_equal(loom_grid_metrics(&whole, grid, NULL), 0);
    assert_int_equal(whole.procs, 6);
    assert_int_equal(whole.makespan_s, 40);
    assert_near(whole.wait_queue_mean_s, 7 / 3.0);
    assert_near(whole.wait_cluster_mean_s, 14 / 3.0);
    assert_near(whole.utilization, (30 + 40 + 44) / (6.0 * 40));
    assert_near(whole.utilization_submitting, (15 + 10) / (6.0 * 5)); /* from 1 to 6 */
    assert_near(whole.covers_least, 4 / 5.0);                         /* of that, from 1 to 5 */
    assert_int_equal(whole.least_covered, 0);
    /* The local load of a is 70 / (5 * 4) = 3.5; b is all free. */
    assert_near(whole.procs_left, -2.5 * 4 + 2);
    assert_true(isnan(whole.load));

    struct loom_cluster_metrics a, b;
    assert_int_equal(loom_cluster_metrics(&a, grid, 0, NULL), 0);
    assert_int_equal(loom_cluster_metrics(&b, grid, 1, NULL), 0);
    assert_int_equal(a.local.jobs, 2);
    assert_int_equal(a.grid.jobs, 1);
    assert_near(a.local.wait_mean_s, 2.5);
    assert_near(a.grid.wait_mean_s, 14);
    assert_near(a.local.utilization, 70 / 160.0);
    assert_near(a.utilization, 90 / 160.0);
    /* From 1 to 6 A runs on a and job 1 on b; of the local jobs B comes in that time. */
    assert_near(a.utilization_submitting, 15 / 20.0);
    assert_near(b.utilization_submitting, 1);
    assert_int_equal(a.local_submitting.jobs, 1);
    assert_near(a.local_submitting.wait_mean_s, 5);
    assert_near(a.local_submitting.slowdown_ratio, 1.5);
    assert_near(a.local_submitting.utilization, 15 / 20.0);
    assert_int_equal(b.local_submitting.jobs, 0);
    assert_near(b.local_submitting.utilization, 0);
    assert_int_equal(whole.local_submitting.jobs, 1);
    assert_near(whole.local_submitting.utilization, 15 / 30.0);
    assert_near(a.load, 3.5);
    assert_near(a.covers, 4 / 5.0);
    assert_true(isnan(b.covers));
    assert_int_equal(a.queue_max, 2);
    assert_int_equal(b.local.jobs, 0);
    assert_true(isnan(b.local.wait_mean_s));
    assert_near(b.load, 0);
    assert_near(b.utilization, 24 / 80.0);
    assert_near(b.grid.slowdown_ratio, 19 / 12.0);
    loom_trace_destroy(background);
    loom_trace_destroy(trace);
    loom_grid_destroy(grid);
}

/* The load of a grid: 40 s * processors in 10 s, over 0.5 * 4 + 2 processors. */
static void test_load(void **state)
{
    static const int64_t local[][4] = {{0, 1, 10, 10}, {10, 1, 10, 10}};
    static const int64_t jobs[][4] = {{0, 1, 20, 20}, {10, 1, 20, 20}};
    struct loom_grid *grid = new_grid();
    struct loom_grid_metrics whole;
    struct loom_trace *background = trace_of(local, COUNT(local));
    struct loom_trace *trace = trace_of(jobs, COUNT(jobs));
    const struct loom_cluster clusters[] = {{.name = "a", .procs = 4, .background = background},
                                            {.name = "b", .procs = 2}};
    const struct loom_grid_options options = {.clusters = clusters, .n_clusters = 2};
    (void)state;
    must_run(grid, &options, trace);
    assert_int_equal(loom_grid_metrics(&whole, grid, NULL), 0);
    assert_near(whole.procs_left, 4);
    assert_near(whole.load, 1);
    loom_trace_destroy(background);
    loom_trace_destroy(trace);
    loom_grid_destroy(grid);
}

/* ---- schedules and estimates ----------------------------------------------------------------- */

/* Both kinds of job have their schedule, each in its own trace. */
static void test_schedules(void **state)
{
    static const int64_t local[][4] = {{0, 2, 10, 10}};
    static const int64_t jobs[][4] = {{1, 2, 5, 5}, {2, 9, 5, 5}};
    struct loom_grid *grid = new_grid();
    struct loom_trace *background = trace_of(local, 1), *trace = trace_of(jobs, 2);
    const struct loom_cluster clusters[] = {{.name = "a", .procs = 2, .background = background}};
    const struct loom_grid_options options = {.clusters = clusters, .n_clusters = 1};
    (void)state;
    must_run(grid, &options, trace);
    assert_int_equal(loom_trace_add_directive(trace, "Partition", "1 other", NULL), 0);
    assert_int_equal(loom_grid_schedule(grid, trace, NULL), 0);
    assert_int_equal(loom_trace_jobs(trace)->wait_s[0], 9);
    assert_int_equal(loom_trace_jobs(trace)->wait_s[1], -1);
    assert_int_equal(loom_trace_jobs(trace)->partition[0], 1);
    assert_int_equal(loom_trace_jobs(trace)->partition[1], -1);
    assert_string_equal(loom_trace_name(trace, LOOM_PARTITION, 1), "a");
    assert_int_equal(loom_sim_schedule(loom_grid_cluster(grid, 0), background, NULL), 0);
    assert_int_equal(loom_trace_jobs(background)->wait_s[0], 0);
    loom_trace_destroy(background);
    loom_trace_destroy(trace);
    loom_grid_destroy(grid);
}

/* What happens to a job that outlives its estimate happens once, and on the cluster too. */
static void test_overruns(void **state)
{
    static const int64_t jobs[][4] = {{0, 2, 5, 12}, {1, 2, 5, 3}};
    static const struct {
        enum loom_overrun rule;
        int64_t second_s, raised, cut, extended, estimate_s;
    } cases[] = {{LOOM_OVERRUN_RAISE, 12, 1, 0, 0, 12},
                 {LOOM_OVERRUN_KILL, 5, 0, 1, 0, 5},
                 {LOOM_OVERRUN_EXTEND, 12, 0, 0, 1, 20}};
    struct loom_trace *trace = trace_of(jobs, 2);
    const struct loom_cluster cluster = {.name = "a", .procs = 3};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_grid *grid = new_grid();
        const struct loom_grid_options options = {.clusters = &cluster,
                                                  .n_clusters = 1,
                                                  .overrun = cases[i].rule};
        must_run(grid, &options, trace);
        const struct loom_sim_counts *counts = loom_sim_counts(loom_grid_jobs(grid));
        const struct loom_sim_counts *there = loom_sim_counts(loom_grid_cluster(grid, 0));
        const struct loom_sim_job *got = loom_sim_jobs(loom_grid_jobs(grid), NULL);
        assert_int_equal(got[1].start_s, cases[i].second_s);
        assert_int_equal(got[0].estimate_s, cases[i].estimate_s);
        assert_int_equal(counts->estimates_raised, cases[i].raised);
        assert_int_equal(counts->cut, cases[i].cut);
        assert_int_equal(counts->extended, cases[i].extended);
        assert_int_equal(there->estimates_raised + there->cut + there->extended, 0);
        loom_grid_destroy(grid);
    }
    loom_trace_destroy(trace);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void test_errors(void **state)
{
    static const int64_t jobs[][4] = {{0, 1, 5, 5}};
    struct loom_trace *trace = trace_of(jobs, 1), *nothing = empty_trace();
    const struct loom_cluster good = {.name = "a", .procs = 4};
    const struct loom_cluster policy = {.name = "b", .procs = 4, .scheduler = "esay"};
    const struct loom_cluster small = {.name = "c", .procs = 0};
    const struct loom_cluster empty = {.name = "d", .procs = 1, .background = nothing};
    const struct {
        const struct loom_cluster *cluster;
        size_t n;
        const char *dispatch;
        const struct loom_trace *trace;
        int code;
        const char *message;
    } cases[] = {
        {&good, 0, NULL, trace, LOOM_ERANGE, "a grid must have 1 to 1000000 clusters, not 0"},
        {&policy, 1, NULL, trace, LOOM_EUSAGE,
         "cluster b: there is no scheduler 'esay'; did you mean 'easy'?"},
        {&small, 1, NULL, trace, LOOM_ERANGE,
         "cluster c: the machine must have 1 to 2147483647 processors, not 0"},
        {&empty, 1, NULL, trace, LOOM_EDATA,
         "cluster d: this log has no jobs, so there is nothing to simulate"},
        {&good, 1, NULL, nothing, LOOM_EDATA,
         "this log has no jobs, so there is nothing to simulate"},
        {&good, 1, "rooms=free", trace, LOOM_EUSAGE,
         "grid has no parameter 'rooms'; did you mean 'room'?"},
    };
    struct loom_grid *grid = new_grid();
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_error err = {0};
        const struct loom_grid_options options = {.clusters = cases[i].cluster,
                                                  .n_clusters = cases[i].n,
                                                  .dispatch = cases[i].dispatch};
        assert_int_equal(loom_grid_run(grid, &options, cases[i].trace, &err), cases[i].code);
        assert_string_equal(err.message, cases[i].message);
    }
    /* It can be run again after a failure. */
    must_run(grid, &(struct loom_grid_options){.clusters = &good, .n_clusters = 1}, trace);
    assert_int_equal(loom_sim_jobs(loom_grid_jobs(grid), NULL)[0].start_s, 0);
    loom_trace_destroy(trace);
    loom_trace_destroy(nothing);
    loom_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_cluster_is_first_fit),
        cmocka_unit_test(test_processors_as_clusters),
        cmocka_unit_test(test_clusters_alone),
        cmocka_unit_test(test_conformance),
        cmocka_unit_test(test_same_every_time),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_overruns),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests_name("grid_runs", tests, NULL, NULL);
}
