/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each policy of EASY's family against its definition, restated here in the plainest way: lists
 * that are walked from front to back, sums taken anew each time, sets of jobs tried one by one. On
 * thousands of small random workloads both must start every job in the same second.
 */
#include "plain_machine.h"

#include <float.h>
#include <math.h>

/* ---- orders ---------------------------------------------------------------------------------- */

typedef double order_fn(const struct machine *m, const struct job *job);

static double by_submit(const struct machine *m, const struct job *job)
{
    (void)m, (void)job;
    return 0;
}

static double by_last(const struct machine *m, const struct job *job)
{
    return (double)(m->jobs - job);
}

static double by_estimate(const struct machine *m, const struct job *job)
{
    (void)m;
    return (double)job->estimate_s;
}

static double by_length(const struct machine *m, const struct job *job)
{
    (void)m;
    return -(double)job->estimate_s;
}

static double by_procs(const struct machine *m, const struct job *job)
{
    (void)m;
    return job->procs;
}

static double by_width(const struct machine *m, const struct job *job)
{
    (void)m;
    return -job->procs;
}

static double by_area(const struct machine *m, const struct job *job)
{
    (void)m;
    return (double)(job->estimate_s * job->procs);
}

static double by_bulk(const struct machine *m, const struct job *job)
{
    return -by_area(m, job);
}

static double by_expansion(const struct machine *m, const struct job *job)
{
    return -(double)(m->now_s - job->submit_s) / (double)job->estimate_s;
}

static double by_wfp3(const struct machine *m, const struct job *job)
{
    int64_t wait_s = m->now_s - job->submit_s, estimate_s = job->estimate_s;
    return -(double)(wait_s * wait_s * wait_s * job->procs) /
           (double)(estimate_s * estimate_s * estimate_s);
}

static double log_submit(const struct job *job)
{
    return log10(job->submit_s < 1 ? 1 : (double)job->submit_s);
}

static double by_f1(const struct machine *m, const struct job *job)
{
    (void)m;
    return log10((double)job->estimate_s) * job->procs + 870 * log_submit(job);
}

static double by_f2(const struct machine *m, const struct job *job)
{
    (void)m;
    return sqrt((double)job->estimate_s) * job->procs + 25600 * log_submit(job);
}

static double by_f3(const struct machine *m, const struct job *job)
{
    (void)m;
    return (double)(job->estimate_s * job->procs) + 6860000 * log_submit(job);
}

static double by_f4(const struct machine *m, const struct job *job)
{
    (void)m;
    return (double)job->estimate_s * sqrt(job->procs) + 530000 * log_submit(job);
}

/* The waiting jobs in an order, equal ones as submitted. */
static int waiting_by(const struct machine *m, order_fn *key, int *list)
{
    int n = 0;
    for (int j = 0; j < m->n; j++) {
        if (!is_waiting(m, j))
            continue;
        int at = n++;
        for (; at > 0 && key(m, &m->jobs[list[at - 1]]) > key(m, &m->jobs[j]); at--)
            list[at] = list[at - 1];
        list[at] = j;
    }
    return n;
}

/* ---- policies -------------------------------------------------------------------------------- */

static int64_t shadow_of(const struct machine *m, int j)
{
    int64_t best_s = INT64_MAX;
    for (int k = 0; k < m->n; k++) {
        int64_t end_s = m->jobs[k].start_s + m->jobs[k].estimate_s;
        if (is_running(m, k) && end_s < best_s && free_at(m, end_s) >= m->jobs[j].procs)
            best_s = end_s;
    }
    return best_s;
}

/* Start from the front while it fits. Returns how many started. */
static int start_front(struct machine *m, const int *list, int n)
{
    int i = 0;
    while (i < n && m->jobs[list[i]].procs <= free_at(m, m->now_s))
        start(m, list[i++]);
    return i;
}

/* May j start now without making `first` unable to start at reserved_s? */
static bool may_overtake(struct machine *m, int j, int first, int64_t reserved_s)
{
    if (m->jobs[j].procs > free_at(m, m->now_s))
        return false;
    start(m, j);
    bool harmless = free_at(m, reserved_s) >= m->jobs[first].procs;
    m->jobs[j].start_s = -1;
    return harmless;
}

static void fill(struct machine *m, const int *list, int n, int first, int64_t reserved_s)
{
    for (int i = 0; i < n; i++)
        if (list[i] != first && m->jobs[list[i]].start_s < 0 &&
            may_overtake(m, list[i], first, reserved_s))
            start(m, list[i]);
}

static void easy_by(struct machine *m, order_fn *key, order_fn *fill_key)
{
    int list[MOST_JOBS], others[MOST_JOBS];
    int n = waiting_by(m, key, list), i = start_front(m, list, n);
    if (i == n)
        return;
    int n_others = waiting_by(m, fill_key, others);
    fill(m, others, n_others, list[i], shadow_of(m, list[i]));
}

static void fcfs_by(struct machine *m, order_fn *key)
{
    int list[MOST_JOBS];
    start_front(m, list, waiting_by(m, key, list));
}

#define BY(name)                               \
    static void easy_##name(struct machine *m) \
    {                                          \
        easy_by(m, by_##name, by_##name);      \
    }                                          \
    static void fcfs_##name(struct machine *m) \
    {                                          \
        fcfs_by(m, by_##name);                 \
    }
BY(submit)
BY(last)
BY(estimate)
BY(length)
BY(procs)
BY(width)
BY(area)
BY(bulk)
BY(expansion)
BY(wfp3)
BY(f1)
BY(f2)
BY(f3)
BY(f4)
#undef BY

static void sjbf(struct machine *m)
{
    easy_by(m, by_submit, by_estimate);
}

static void sjbf_largest(struct machine *m)
{
    easy_by(m, by_width, by_estimate);
}

/* The first job may start up to (1 + slack) times the least promised wait after its submission. */
static void relaxed_by(struct machine *m, order_fn *key)
{
    int list[MOST_JOBS];
    int n = waiting_by(m, key, list), i = start_front(m, list, n);
    if (i == n)
        return;
    int64_t shadow_s = shadow_of(m, list[i]), submit_s = m->jobs[list[i]].submit_s;
    if (m->first != list[i] || shadow_s < m->promised_s)
        m->promised_s = shadow_s;
    m->first = list[i];
    int64_t latest_s =
        m->promised_s + (int64_t)floor(m->number * (double)(m->promised_s - submit_s));
    fill(m, list + i, n - i, list[i], latest_s > shadow_s ? latest_s : shadow_s);
}

static void relaxed(struct machine *m)
{
    relaxed_by(m, by_submit);
}

static void relaxed_shortest(struct machine *m)
{
    relaxed_by(m, by_estimate);
}

/* All sets of jobs are tried: the most processors, then the set whose first difference from the
 * other is a job nearer to the front. */
static void lookahead_by(struct machine *m, order_fn *key)
{
    int list[MOST_JOBS];
    int n = waiting_by(m, key, list), i = start_front(m, list, n);
    if (i == n)
        return;
    int first = list[i], able[MOST_JOBS], n_able = 0;
    int64_t shadow_s = shadow_of(m, first), best = 0;
    for (int k = i + 1; k < n && n_able < (int)m->number; k++)
        if (may_overtake(m, list[k], first, shadow_s))
            able[n_able++] = list[k];
    unsigned chosen = 0;
    for (unsigned set = 1; set < 1u << n_able; set++) {
        int64_t sum = 0, beyond = 0;
        for (int k = 0; k < n_able; k++)
            if (set >> k & 1) {
                sum += m->jobs[able[k]].procs;
                if (m->now_s + m->jobs[able[k]].estimate_s > shadow_s)
                    beyond += m->jobs[able[k]].procs;
            }
        if (sum > free_at(m, m->now_s) || free_at(m, shadow_s) - beyond < m->jobs[first].procs)
            continue;
        unsigned difference = set ^ chosen;
        if (sum > best || (sum == best && (set & (difference & -difference)))) {
            best = sum;
            chosen = set;
        }
    }
    for (int k = 0; k < n_able; k++)
        if (chosen >> k & 1)
            start(m, able[k]);
}

static void lookahead(struct machine *m)
{
    lookahead_by(m, by_submit);
}

static void lookahead_expanded(struct machine *m)
{
    lookahead_by(m, by_expansion);
}

/* ---- users ----------------------------------------------------------------------------------- */

struct standing {
    int user, earliest, latest;
    double work;
};

static int standings(const struct machine *m, struct standing *out)
{
    int n = 0;
    for (int j = 0; j < m->n; j++) {
        int k = 0;
        while (k < n && out[k].user != m->jobs[j].user)
            k++;
        if (is_waiting(m, j) && k == n)
            out[n++] = (struct standing){.user = m->jobs[j].user, .earliest = j};
        if (is_waiting(m, j))
            out[k].work += (double)(m->jobs[j].estimate_s * m->jobs[j].procs);
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < m->n; j++)
            if (m->jobs[j].user == out[k].user && m->jobs[j].submit_s <= m->now_s)
                out[k].latest = j;
    return n;
}

static bool outranks(const struct machine *m, const struct standing *a, const struct standing *b)
{
    if (!m->flag)
        return a->latest > b->latest;
    return a->work < b->work || (a->work == b->work && a->earliest < b->earliest);
}

/* The rank of each job's user, from the standings when the pass begins. */
static void user_ranks(const struct machine *m, int *ranks)
{
    struct standing table[MOST_JOBS];
    int n = standings(m, table);
    for (int j = 0; j < m->n; j++) {
        int own = 0;
        ranks[j] = 1;
        while (own < n && table[own].user != m->jobs[j].user)
            own++;
        for (int k = 0; own < n && k < n; k++)
            ranks[j] += outranks(m, &table[k], &table[own]);
    }
}

/* By alpha / rank + (1 - alpha) * wait / 4 hours, of which the difference, times both ranks and 16
 * hours, is a whole number for an alpha of quarters. */
static bool has_priority(const struct machine *m, const int *ranks, int a, int b)
{
    int64_t quarters = (int64_t)(m->number * 4);
    int64_t later_s = m->jobs[a].submit_s - m->jobs[b].submit_s;
    return quarters * 4 * HOUR_S * (ranks[b] - ranks[a]) >
           (4 - quarters) * later_s * ranks[a] * ranks[b];
}

static int foremost(const struct machine *m, const int *ranks)
{
    int best = -1;
    for (int j = 0; j < m->n; j++)
        if (is_waiting(m, j) && (best < 0 || has_priority(m, ranks, j, best)))
            best = j;
    return best;
}

static void ups(struct machine *m)
{
    int ranks[MOST_JOBS], list[MOST_JOBS], first, n = 0;
    user_ranks(m, ranks);
    while ((first = foremost(m, ranks)) >= 0 && m->jobs[first].procs <= free_at(m, m->now_s))
        start(m, first);
    if (first < 0)
        return;
    for (int j = 0; j < m->n; j++) {
        if (!is_waiting(m, j))
            continue;
        int at = n++;
        for (; at > 0 && ranks[list[at - 1]] > ranks[j]; at--)
            list[at] = list[at - 1];
        list[at] = j;
    }
    fill(m, list, n, first, shadow_of(m, first));
}

/* ---- the comparison -------------------------------------------------------------------------- */

static const struct restated all[] = {
    {"fcfs", fcfs_submit, 0, false},
    {"easy", easy_submit, 0, false},
    {"fcfs:order=lcfs", fcfs_last, 0, false},
    {"easy:order=lcfs", easy_last, 0, false},
    {"fcfs:order=sjf", fcfs_estimate, 0, false},
    {"easy:order=sjf", easy_estimate, 0, false},
    {"fcfs:order=ljf", fcfs_length, 0, false},
    {"easy:order=ljf", easy_length, 0, false},
    {"fcfs:order=smallest", fcfs_procs, 0, false},
    {"easy:order=smallest", easy_procs, 0, false},
    {"fcfs:order=largest", fcfs_width, 0, false},
    {"easy:order=largest", easy_width, 0, false},
    {"fcfs:order=saf", fcfs_area, 0, false},
    {"easy:order=saf", easy_area, 0, false},
    {"fcfs:order=laf", fcfs_bulk, 0, false},
    {"easy:order=laf", easy_bulk, 0, false},
    {"fcfs:order=expansion", fcfs_expansion, 0, false},
    {"easy:order=expansion", easy_expansion, 0, false},
    {"fcfs:order=wfp3", fcfs_wfp3, 0, false},
    {"easy:order=wfp3", easy_wfp3, 0, false},
    {"fcfs:order=f1", fcfs_f1, 0, false},
    {"easy:order=f1", easy_f1, 0, false},
    {"fcfs:order=f2", fcfs_f2, 0, false},
    {"easy:order=f2", easy_f2, 0, false},
    {"fcfs:order=f3", fcfs_f3, 0, false},
    {"easy:order=f3", easy_f3, 0, false},
    {"fcfs:order=f4", fcfs_f4, 0, false},
    {"easy:order=f4", easy_f4, 0, false},
    {"easy-sjbf", sjbf, 0, false},
    {"easy-sjbf:order=largest", sjbf_largest, 0, false},
    {"relaxed:slack=0", relaxed, 0, false},
    {"relaxed:slack=0.25", relaxed, 0.25, false},
    {"relaxed:slack=3", relaxed, 3, false},
    {"relaxed:slack=0.5,order=sjf", relaxed_shortest, 0.5, false},
    {"lookahead", lookahead, 50, false},
    {"lookahead:depth=3", lookahead, 3, false},
    {"lookahead:order=expansion", lookahead_expanded, 50, false},
    {"ups:alpha=0", ups, 0, true},
    {"ups:alpha=0.5", ups, 0.5, true},
    {"ups:alpha=1", ups, 1, true},
    {"ups:alpha=0,priority=recency", ups, 0, false},
    {"ups:alpha=0.75,priority=recency", ups, 0.75, false},
    {"ups:alpha=1,priority=recency", ups, 1, false},
};

/* Job 2, of a user with twice as much work waiting, has made up for that by its longer wait, just
 * so: it is the earlier one, and goes first, whenever the log begins. */
static void decides_ties_by_submission(void **state)
{
    static const struct {
        const char *scheduler;
        int64_t ahead_s;
    } cases[] = {{"ups", 7200},
                 {"ups:alpha=0.2", 1800},
                 {"ups:alpha=0.1", 800},
                 {"ups:alpha=0.7", 16800},
                 {"ups:alpha=0.9", 64800}};
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int64_t origin_s = 0; origin_s < 100000; origin_s += 773) {
            struct machine m = {.n = 3, .procs = 4};
            int64_t later_s = origin_s + 38 + cases[i].ahead_s;
            m.jobs[0] = (struct job){.submit_s = origin_s, .run_s = 90000, .user = 9};
            m.jobs[1] = (struct job){.submit_s = origin_s + 38, .run_s = 200, .user = 1};
            m.jobs[2] = (struct job){.submit_s = later_s, .run_s = 100, .user = 2};
            for (int j = 0; j < m.n; j++) {
                m.jobs[j].estimate_s = m.jobs[j].run_s;
                m.jobs[j].procs = 4;
            }
            struct loom_trace *trace = to_trace(&m);
            const struct loom_sim_options options = {.scheduler = cases[i].scheduler, .procs = 4};
            assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
            assert_int_equal(loom_sim_jobs(sim, NULL)[1].start_s, origin_s + 90000);
            assert_int_equal(loom_sim_jobs(sim, NULL)[2].start_s, origin_s + 90200);
            loom_trace_destroy(trace);
        }
    loom_sim_destroy(sim);
}

/* Numbers that are equal, though doubles on the way to them are not; and sums past 64 processors.
 */
static void counts_exactly(void **state)
{
    static const struct {
        const char *scheduler;
        int64_t procs;
        struct job jobs[5];
        int64_t starts_s[5];
    } cases[] = {
        /* 0.57 times a wait of 100 s is 57 s: job 2 ends just then. */
        {"relaxed:slack=0.57",
         4,
         {{.run_s = 100, .procs = 3}, {.run_s = 5, .procs = 4}, {2, .run_s = 155, .procs = 1}},
         {0, 157, 2}},
        {"relaxed:slack=0.56",
         4,
         {{.run_s = 100, .procs = 3}, {.run_s = 5, .procs = 4}, {2, .run_s = 155, .procs = 1}},
         {0, 100, 105}},
        /* At 5, (5 / 1)^3 and (5 / 3)^3 times 27. */
        {"fcfs:order=wfp3",
         27,
         {{.run_s = 5, .procs = 27}, {.run_s = 1, .procs = 1}, {.run_s = 3, .procs = 27}},
         {0, 5, 6}},
        {"fcfs:order=wfp3",
         27,
         {{.run_s = 5, .procs = 27}, {.run_s = 3, .procs = 27}, {.run_s = 1, .procs = 1}},
         {0, 5, 8}},
        /* 2^27 * 2^27 processor-seconds waiting are one more than (2^27 - 1) * (2^27 + 1). */
        {"ups:alpha=1",
         1 << 27,
         {{.run_s = 10, .procs = 1 << 27, .user = 3},
          {1, .run_s = 1 << 27, .procs = 1 << 27, .user = 1},
          {2, .run_s = (1 << 27) + 1, .procs = (1 << 27) - 1, .user = 2}},
         {0, 11 + (1 << 27), 10}},
        /* 60 and 40 processors are more than 70. */
        {"lookahead",
         200,
         {{.run_s = 100, .procs = 100},
          {1, .run_s = 10, .procs = 200},
          {2, .run_s = 10, .procs = 70},
          {2, .run_s = 10, .procs = 60},
          {2, .run_s = 10, .procs = 40}},
         {0, 100, 12, 2, 2}},
    };
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct machine m = {.procs = cases[i].procs};
        for (; m.n < 5 && cases[i].jobs[m.n].procs > 0; m.n++) {
            m.jobs[m.n] = cases[i].jobs[m.n];
            m.jobs[m.n].estimate_s = m.jobs[m.n].run_s;
        }
        struct loom_trace *trace = to_trace(&m);
        const struct loom_sim_options options = {.scheduler = cases[i].scheduler, .procs = m.procs};
        assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
        for (int j = 0; j < m.n; j++)
            if (loom_sim_jobs(sim, NULL)[j].start_s != cases[i].starts_s[j])
                fail_msg("%s: job %d starts at %d", cases[i].scheduler, j,
                         (int)loom_sim_jobs(sim, NULL)[j].start_s);
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

static void do_as_they_are_defined(void **state)
{
    (void)state;
    compare_all(all, COUNT(all), 3000);
}

/* So many users that a tree of them has several levels, which grow and shrink: all at once and
 * spread over days, with some who have many jobs. */
static void ranks_many_users(void **state)
{
    struct loom_sim *sim = NULL;
    struct loom_stream stream;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    loom_stream_init(&stream, 5, 0, "users");
    for (int round = 0; round < 3; round++) {
        struct machine m = {.n = MOST_JOBS, .procs = 12};
        int64_t clock_s = 0, pace_s = round == 0 ? 1 : round == 1 ? 60 : 1800;
        for (int j = 0; j < m.n; j++) {
            struct job *job = &m.jobs[j];
            clock_s += (int64_t)loom_stream_below(&stream, (uint64_t)pace_s);
            job->submit_s = clock_s;
            job->estimate_s = 1 + (int64_t)loom_stream_below(&stream, 4000);
            job->run_s = (int64_t)loom_stream_below(&stream, (uint64_t)job->estimate_s + 1);
            job->procs = 1 + (int32_t)loom_stream_below(&stream, 12);
            job->user =
                (int32_t)loom_stream_below(&stream, loom_stream_below(&stream, 3) ? 300 : 2);
            job->start_s = job->planned_s = -1;
        }
        struct loom_trace *trace = to_trace(&m);
        for (size_t i = 0; i < COUNT(all); i++)
            if (all[i].policy == ups)
                compare(sim, &all[i], &m, trace);
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(do_as_they_are_defined),
        cmocka_unit_test(ranks_many_users),
        cmocka_unit_test(counts_exactly),
        cmocka_unit_test(decides_ties_by_submission),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
