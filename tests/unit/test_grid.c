/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A grid against its definition, restated in the plainest way: a table of all jobs, and loops over
 * it. On thousands of small random workloads, full of ties and jobs of no length, both must send
 * every grid job to the same cluster and start every job, local ones too, in the same second.
 */
#include "support.h"

#include <workloom/sim_grid.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_CLUSTERS = 4, MOST_JOBS = 60, GRID = -1 };

struct job {
    int home; /* the cluster it is submitted to, or GRID */
    int64_t submit_s, run_s, estimate_s;
    int32_t procs;
    int cluster;      /* whose queue it has joined, or -1 */
    int turn;         /* when it joined it, among all */
    bool queued;      /* in the grid's queue, or once was */
    bool gone;        /* its end has been seen */
    int64_t start_s;  /* -1 before */
    uint32_t in_home; /* its row there */
};

struct plain {
    struct job jobs[MOST_JOBS];
    int n, n_clusters, turns;
    int64_t procs[MOST_CLUSTERS];
    bool easy[MOST_CLUSTERS]; /* or FCFS */
    int64_t now_s;
    /* the grid's queue */
    const char *choose;
    bool unclaimed, shortest_first;
    int last;
    struct loom_stream stream;
};

/* ---- a plain cluster ------------------------------------------------------------------------- */

static bool runs(const struct job *job, int cluster)
{
    return job->cluster == cluster && job->start_s >= 0 && !job->gone;
}

/* By estimates; now, by what really runs. */
static int64_t free_at(const struct plain *p, int cluster, int64_t time_s)
{
    int64_t free = p->procs[cluster];
    for (int j = 0; j < p->n; j++)
        if (runs(&p->jobs[j], cluster) &&
            (time_s == p->now_s || p->jobs[j].start_s + p->jobs[j].estimate_s > time_s))
            free -= p->jobs[j].procs;
    return free;
}

/* The job that waits in a cluster and joined next after a turn, or -1. */
static int next_waiting(const struct plain *p, int cluster, int after)
{
    int next = -1;
    for (int j = 0; j < p->n; j++) {
        const struct job *job = &p->jobs[j];
        if (job->cluster == cluster && job->start_s < 0 && job->turn > after &&
            (next < 0 || job->turn < p->jobs[next].turn))
            next = j;
    }
    return next;
}

/* The earliest time at which enough is free for a job, by estimates. */
static int64_t shadow_of(const struct plain *p, int cluster, const struct job *first)
{
    int64_t shadow_s = INT64_MAX;
    for (int j = 0; j < p->n; j++) {
        int64_t end_s = p->jobs[j].start_s + p->jobs[j].estimate_s;
        if (runs(&p->jobs[j], cluster) && end_s < shadow_s &&
            free_at(p, cluster, end_s) >= first->procs)
            shadow_s = end_s;
    }
    return shadow_s;
}

static void local_pass(struct plain *p, int cluster)
{
    int first;
    while ((first = next_waiting(p, cluster, -1)) >= 0 &&
           p->jobs[first].procs <= free_at(p, cluster, p->now_s))
        p->jobs[first].start_s = p->now_s;
    if (first < 0 || !p->easy[cluster])
        return;
    int64_t shadow_s = shadow_of(p, cluster, &p->jobs[first]);
    for (int j = first; (j = next_waiting(p, cluster, p->jobs[j].turn)) >= 0;) {
        struct job *job = &p->jobs[j];
        if (job->procs > free_at(p, cluster, p->now_s))
            continue;
        job->start_s = p->now_s; /* unless the first job could then not start as planned */
        if (free_at(p, cluster, shadow_s) < p->jobs[first].procs)
            job->start_s = -1;
    }
}

static void join(struct plain *p, int j, int cluster)
{
    p->jobs[j].cluster = cluster;
    p->jobs[j].turn = p->turns++;
}

/* All that happens now in a cluster by itself. */
static void local_instant(struct plain *p, int cluster)
{
    for (bool again = true; again;) {
        again = false;
        for (int j = 0; j < p->n; j++)
            if (runs(&p->jobs[j], cluster) && p->jobs[j].start_s + p->jobs[j].run_s <= p->now_s) {
                p->jobs[j].gone = again = true;
            }
        for (int j = 0; j < p->n; j++)
            if (p->jobs[j].home == cluster && p->jobs[j].cluster < 0 &&
                p->jobs[j].submit_s <= p->now_s) {
                join(p, j, cluster);
                again = true;
            }
        if (again)
            local_pass(p, cluster);
    }
}

/* ---- a plain grid queue ---------------------------------------------------------------------- */

static int64_t room(const struct plain *p, int cluster)
{
    int64_t left = free_at(p, cluster, p->now_s);
    for (int j = 0; j < p->n && p->unclaimed; j++)
        if (p->jobs[j].home == GRID && p->jobs[j].cluster == cluster && p->jobs[j].start_s < 0)
            left -= p->jobs[j].procs;
    return left;
}

static int choose(struct plain *p, int32_t procs)
{
    int fitting[MOST_CLUSTERS], n = 0, best = 0;
    for (int c = 0; c < p->n_clusters; c++)
        if (room(p, c) >= procs)
            fitting[n++] = c;
    if (n == 0)
        return -1;
    if (strcmp(p->choose, "random") == 0)
        return fitting[loom_stream_below(&p->stream, (uint64_t)n)];
    for (int i = 1; i < n; i++) {
        int64_t more = room(p, fitting[i]) - room(p, fitting[best]);
        if ((strcmp(p->choose, "most-free") == 0 && more > 0) ||
            (strcmp(p->choose, "least-free") == 0 && more < 0) ||
            (strcmp(p->choose, "next") == 0 && fitting[best] <= p->last && fitting[i] > p->last))
            best = i;
    }
    return fitting[best];
}

static bool waits_before(const struct plain *p, int a, int b)
{
    if (p->shortest_first && p->jobs[a].estimate_s != p->jobs[b].estimate_s)
        return p->jobs[a].estimate_s < p->jobs[b].estimate_s;
    return a < b;
}

static bool fits_somewhere(const struct plain *p, int j)
{
    for (int c = 0; c < p->n_clusters; c++)
        if (room(p, c) >= p->jobs[j].procs)
            return true;
    return false;
}

static void grid_pass(struct plain *p)
{
    for (;;) {
        int first = -1;
        for (int j = 0; j < p->n; j++)
            if (p->jobs[j].queued && p->jobs[j].cluster < 0 && fits_somewhere(p, j) &&
                (first < 0 || waits_before(p, j, first)))
                first = j;
        if (first < 0)
            return;
        p->last = choose(p, p->jobs[first].procs);
        join(p, first, p->last);
        local_pass(p, p->last);
    }
}

/* ---- the plain simulation -------------------------------------------------------------------- */

/* The next end or submission that has not been seen, or -1. */
static int64_t next_instant(const struct plain *p)
{
    int64_t next_s = -1;
    for (int j = 0; j < p->n; j++) {
        const struct job *job = &p->jobs[j];
        bool submitted = job->queued || job->cluster >= 0;
        int64_t time_s = !submitted                        ? job->submit_s
                         : job->start_s >= 0 && !job->gone ? job->start_s + job->run_s
                                                           : -1;
        if (time_s >= 0 && (next_s < 0 || time_s < next_s))
            next_s = time_s;
    }
    return next_s;
}

static void run_plainly(struct plain *p)
{
    p->last = p->n_clusters - 1;
    loom_stream_init(&p->stream, 5, 0, "grid");
    while ((p->now_s = next_instant(p)) >= 0) {
        for (int c = 0; c < p->n_clusters; c++)
            local_instant(p, c);
        for (int j = 0; j < p->n; j++)
            if (p->jobs[j].home == GRID && p->jobs[j].submit_s <= p->now_s)
                p->jobs[j].queued = true;
        grid_pass(p);
    }
}

/* ---- the comparison -------------------------------------------------------------------------- */

static int32_t widest(const struct plain *p, int home)
{
    int64_t procs = home == GRID ? 1 : p->procs[home];
    for (int c = 0; c < p->n_clusters && home == GRID; c++)
        procs = p->procs[c] > procs ? p->procs[c] : procs;
    return (int32_t)procs;
}

/* Short times and few processors, so that much happens at once. */
static void make_jobs(struct plain *p, struct loom_stream *stream)
{
    uint32_t rows[MOST_CLUSTERS + 1] = {0};
    int64_t clock_s = 0, pace_s = 1 + (int64_t)loom_stream_below(stream, 6);
    p->n_clusters = 1 + (int)loom_stream_below(stream, MOST_CLUSTERS);
    p->n = 2 + (int)loom_stream_below(stream, MOST_JOBS - 1);
    for (int c = 0; c < p->n_clusters; c++) {
        p->procs[c] = 1 + (int64_t)loom_stream_below(stream, 8);
        p->easy[c] = loom_stream_below(stream, 4) > 0;
    }
    for (int j = 0; j < p->n; j++) {
        struct job *job = &p->jobs[j];
        bool local = j > 0 && loom_stream_below(stream, 2);
        int home = local ? (int)loom_stream_below(stream, (uint64_t)p->n_clusters) : GRID;
        clock_s += (int64_t)loom_stream_below(stream, (uint64_t)pace_s);
        *job = (struct job){.home = home, .submit_s = clock_s, .cluster = -1, .start_s = -1};
        job->estimate_s = 1 + (int64_t)loom_stream_below(stream, 20);
        job->run_s = (int64_t)loom_stream_below(stream, (uint64_t)job->estimate_s + 1);
        job->procs = 1 + (int32_t)loom_stream_below(stream, (uint64_t)widest(p, home));
        job->in_home = rows[home + 1]++;
    }
}

static struct loom_trace *jobs_of(const struct plain *p, int home)
{
    struct loom_trace *trace = empty_trace();
    for (int j = 0; j < p->n; j++) {
        if (p->jobs[j].home != home)
            continue;
        struct loom_job job = loom_job_unknown();
        job.number = j + 1;
        job.submit_s = p->jobs[j].submit_s;
        job.run_s = p->jobs[j].run_s;
        job.request_s = p->jobs[j].estimate_s;
        job.req_procs = p->jobs[j].procs;
        append(trace, job);
    }
    return trace;
}

static void print_plain(const struct plain *p)
{
    for (int c = 0; c < p->n_clusters; c++)
        print_message("cluster %d: %lld processors, %s\n", c, (long long)p->procs[c],
                      p->easy[c] ? "easy" : "fcfs");
    for (int j = 0; j < p->n; j++)
        print_message("%d: home %d submit %lld run %lld estimate %lld procs %d: cluster %d, "
                      "start %lld\n",
                      j, p->jobs[j].home, (long long)p->jobs[j].submit_s,
                      (long long)p->jobs[j].run_s, (long long)p->jobs[j].estimate_s,
                      p->jobs[j].procs, p->jobs[j].cluster, (long long)p->jobs[j].start_s);
}

static void differ(const struct plain *p, const struct job *job, const char *dispatch,
                   int64_t start_s, int64_t cluster)
{
    print_plain(p);
    fail_msg("%s: job %d is started at %lld on %lld", dispatch, (int)(job - p->jobs),
             (long long)start_s, (long long)cluster);
}

static void check_same(const struct plain *p, const struct loom_grid *grid, const char *dispatch)
{
    for (int j = 0; j < p->n; j++) {
        const struct job *job = &p->jobs[j];
        if (job->home == GRID) {
            const struct loom_sim_job *got = loom_sim_jobs(loom_grid_jobs(grid), NULL);
            const struct loom_grid_place *places = loom_grid_places(grid);
            if (got[job->in_home].start_s != job->start_s ||
                (int)places[job->in_home].cluster != job->cluster)
                differ(p, job, dispatch, got[job->in_home].start_s, places[job->in_home].cluster);
            continue;
        }
        size_t n;
        const struct loom_sim_job *local =
            loom_sim_jobs(loom_grid_cluster(grid, (size_t)job->home), &n);
        for (size_t i = 0; i < n; i++)
            if (!(local[i].notes & LOOM_JOB_GRID) && local[i].row == job->in_home &&
                local[i].start_s != job->start_s)
                differ(p, job, dispatch, local[i].start_s, job->home);
    }
}

static void compare(struct loom_grid *grid, const struct plain *given, const char *choose_by,
                    bool unclaimed, bool shortest_first)
{
    struct plain p = *given;
    struct loom_cluster clusters[MOST_CLUSTERS] = {0};
    struct loom_trace *traces[MOST_CLUSTERS], *trace = jobs_of(&p, GRID);
    struct loom_error err = {0};
    char dispatch[80];
    snprintf(dispatch, sizeof dispatch, "choose=%s,room=%s,order=%s", choose_by,
             unclaimed ? "unclaimed" : "free", shortest_first ? "sjf" : "fcfs");
    for (int c = 0; c < p.n_clusters; c++) {
        traces[c] = jobs_of(&p, c);
        clusters[c] = (struct loom_cluster){
            .name = "c",
            .procs = p.procs[c],
            .scheduler = p.easy[c] ? NULL : "fcfs",
            .background = loom_trace_count(traces[c]) ? traces[c] : NULL,
        };
    }
    p.choose = choose_by;
    p.unclaimed = unclaimed;
    p.shortest_first = shortest_first;
    run_plainly(&p);
    const struct loom_grid_options options = {.clusters = clusters,
                                              .n_clusters = (size_t)p.n_clusters,
                                              .dispatch = dispatch,
                                              .seed = 5};
    if (loom_grid_run(grid, &options, trace, &err))
        fail_msg("%s", err.message);
    check_same(&p, grid, dispatch);
    for (int c = 0; c < p.n_clusters; c++)
        loom_trace_destroy(traces[c]);
    loom_trace_destroy(trace);
}

/* The grid jobs at another load, local jobs as they are; false where that cannot be. */
static bool change_load(struct plain *p, double load, enum loom_load_way way)
{
    struct loom_trace *trace = jobs_of(p, GRID);
    struct loom_load_change change;
    int rc = loom_load_change(&change, trace, widest(p, GRID), load, way, NULL);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (int j = 0; j < p->n && !rc; j++)
        if (p->jobs[j].home == GRID) {
            uint32_t row = p->jobs[j].in_home;
            p->jobs[j].submit_s = jobs->submit_s[row];
            p->jobs[j].run_s = jobs->run_s[row];
            p->jobs[j].estimate_s = jobs->request_s[row];
        }
    loom_trace_destroy(trace);
    return rc == 0;
}

static void test_at_several_loads(void **state)
{
    struct loom_grid *grid = NULL;
    struct loom_stream stream;
    int compared = 0;
    (void)state;
    assert_int_equal(loom_grid_create(&grid, NULL), 0);
    loom_stream_init(&stream, 18, 0, "grids at loads");
    for (int round = 0; round < 600; round++) {
        struct plain p = {0};
        make_jobs(&p, &stream);
        for (int i = 1; i <= 3; i++) {
            struct plain at = p;
            if (!change_load(&at, 0.4 * i, round % 2 ? LOOM_LOAD_ARRIVALS : LOOM_LOAD_RUNTIMES))
                continue;
            compare(grid, &at, "most-free", round % 3 > 0, false);
            compared++;
        }
    }
    assert_true(compared > 1000);
    loom_grid_destroy(grid);
}

static void test_as_defined(void **state)
{
    static const char *const rules[] = {"most-free", "least-free", "first", "next", "random"};
    struct loom_grid *grid = NULL;
    struct loom_stream stream;
    (void)state;
    assert_int_equal(loom_grid_create(&grid, NULL), 0);
    loom_stream_init(&stream, 17, 0, "grids");
    for (int round = 0; round < 3000; round++) {
        struct plain p = {0};
        make_jobs(&p, &stream);
        compare(grid, &p, rules[0], false, false);
        compare(grid, &p, rules[round % 5], round % 2, round % 3 == 0);
    }
    loom_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_defined),
        cmocka_unit_test(test_at_several_loads),
    };
    return cmocka_run_group_tests_name("grid", tests, NULL, NULL);
}
