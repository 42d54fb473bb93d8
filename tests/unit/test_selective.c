/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selective backfilling: a few schedules worked out by hand, and the whole rule restated plainly
 * (every reservation and every running job looked at for every question) on thousands of small
 * random workloads.
 */
#include "plain_machine.h"

#include <math.h>

/* ---- by hand --------------------------------------------------------------------------------- */

enum { HAND_JOBS = 9 };

struct hand {
    const char *what, *scheduler;
    struct {
        int64_t submit_s, run_s, estimate_s;
        int32_t procs;
    } jobs[HAND_JOBS];
    int64_t starts_s[HAND_JOBS];
    int64_t procs;
};

static const struct hand hands[] = {
    /* C starts beside A, and B, which needs all processors, must wait for it. */
    {"a job that has not waited long is overtaken",
     "selective:threshold=1000",
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 20, 20, 1}},
     {0, 22, 2},
     4},
    /* At 6 B has waited 5 s, an expansion factor of 2: not above the threshold, and D starts. */
    {"a factor of the threshold is not above it",
     "selective:threshold=2",
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 4, 4, 1}, {6, 20, 20, 1}},
     {0, 26, 2, 6},
     4},
    /* A second later it is: B is to start at 10, and D would run until 27. */
    {"a factor above it brings a reservation",
     "selective:threshold=2",
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 4, 4, 1}, {7, 20, 20, 1}},
     {0, 10, 2, 15},
     4},
    /* At 8 B is promised 20, and C fits before. At 10 A ends, 10 s early, and B can start. */
    {"an early end starts a job with a reservation",
     "selective:threshold=2",
     {{0, 10, 20, 3}, {1, 5, 5, 4}, {8, 1, 1, 1}},
     {0, 10, 8},
     4},
    /* At 8 C is promised 20. A's early end at 10 leaves it there, though 18 would do by then: D
     * runs from 10 to 20. */
    {"an early end moves no reservation to a later time than now",
     "selective:threshold=2",
     {{0, 10, 20, 2}, {0, 18, 18, 2}, {1, 5, 5, 4}, {8, 10, 10, 2}},
     {0, 0, 20, 10},
     4},
    /* Before any job has ended the threshold is 1, which B has passed at 2. */
    {"at first all that wait have reservations",
     "selective",
     {{0, 10, 10, 3}, {1, 5, 5, 4}, {2, 20, 20, 1}},
     {0, 10, 15},
     4},
    /* A ends at 10 with a slowdown of 1, B at 12 with (9 + 2) / 2 = 5.5: the mean is 3.25. At 13
     * the factor of D is (2 + 2) / 2 = 2, and E, which starts beside C, makes it wait until 43. */
    {"the threshold is the mean slowdown",
     "selective",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 20, 20, 3}, {11, 2, 2, 4}, {13, 30, 30, 1}},
     {0, 10, 12, 43, 13},
     4},
    /* A and B are small. Of medium jobs none has ended: their threshold is 1, D is promised 5012 at
     * 12, and E must not be in its way. */
    {"a category goes by its own jobs",
     "selective:categories=runtime",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 2000, 2000, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 5012, 7012},
     4},
    {"and without categories, by all",
     "selective",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 2000, 2000, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 6013, 13},
     4},
    /* The same with D at the ends of the categories: small it is not promised anything, as 2 s are
     * no expansion by 3.25; medium it is. */
    {"an estimate of 999 s is small",
     "selective:categories=runtime",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 999, 999, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 6013, 13},
     4},
    {"an estimate of 1,000 s is medium",
     "selective:categories=runtime",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 1000, 1000, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 5012, 6012},
     4},
    {"a border can be moved",
     "selective:small-below=1001",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 1000, 1000, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 6013, 13},
     4},
    {"a category can have a threshold of its own",
     "selective:threshold-medium=4",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 2000, 2000, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 6013, 13},
     4},
    {"and others keep their mean slowdown",
     "selective:threshold-large=4",
     {{0, 10, 10, 4}, {1, 2, 2, 4}, {11, 5000, 5000, 3}, {11, 2000, 2000, 4}, {13, 6000, 6000, 1}},
     {0, 10, 12, 5012, 7012},
     4},
    /* The mean of medium jobs is 1.4995 at 2000, of large ones 1. */
    {"an estimate of 10,000 s is medium",
     "selective:categories=runtime",
     {{0, 1000, 1000, 4},
      {1, 1000, 1000, 4},
      {1500, 20000, 20000, 3},
      {1500, 10000, 10000, 4},
      {2001, 30000, 30000, 1}},
     {0, 1000, 2000, 32001, 2001},
     4},
    {"an estimate of 10,001 s is large",
     "selective:categories=runtime",
     {{0, 1000, 1000, 4},
      {1, 1000, 1000, 4},
      {1500, 20000, 20000, 3},
      {1500, 10001, 10001, 4},
      {2001, 30000, 30000, 1}},
     {0, 1000, 2000, 22000, 32001},
     4},
    /* The fourth job, of 1 processor for 30 s, is promised 22 at 4, after the fifth and sixth,
     * which were promised 20 at 2. At 5 the first ends early. The fourth would be in their way
     * at 20. Then the sixth starts, through by 7, and leaves it room at 20: so it starts at 6, when
     * nothing but a submission happens. */
    {"a reservation that was given up makes room before the next end",
     "selective:threshold=1.1",
     {{0, 5, 20, 3},
      {0, 100, 100, 1},
      {0, 20, 20, 2},
      {0, 30, 30, 1},
      {1, 5, 5, 4},
      {1, 2, 2, 1},
      {2, 50, 50, 6},
      {4, 50, 50, 6},
      {6, 50, 50, 6}},
     {0, 0, 0, 6, 20, 5, 100, 150, 200},
     6},
};

static void set_up(struct machine *m, const struct hand *hand)
{
    *m = (struct machine){.procs = hand->procs};
    for (; m->n < HAND_JOBS && hand->jobs[m->n].procs > 0; m->n++)
        m->jobs[m->n] = (struct job){.submit_s = hand->jobs[m->n].submit_s,
                                     .run_s = hand->jobs[m->n].run_s,
                                     .estimate_s = hand->jobs[m->n].estimate_s,
                                     .procs = hand->jobs[m->n].procs};
}

static void works_by_hand(void **state)
{
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t h = 0; h < COUNT(hands); h++) {
        struct machine m;
        struct loom_error err = {0};
        set_up(&m, &hands[h]);
        struct loom_trace *trace = to_trace(&m);
        const struct loom_sim_options options = {.scheduler = hands[h].scheduler, .procs = m.procs};
        if (loom_sim_run_trace(sim, &options, trace, &err))
            fail_msg("%s: %s", hands[h].what, err.message);
        for (int j = 0; j < m.n; j++)
            if (loom_sim_jobs(sim, NULL)[j].start_s != hands[h].starts_s[j])
                fail_msg("%s: job %d starts at %d", hands[h].what, j,
                         (int)loom_sim_jobs(sim, NULL)[j].start_s);
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

/* A pass at 6 would find job 3 past the threshold, and job 2 not yet. */
static void knows_nothing_of_the_refused(void **state)
{
    static const int64_t submit_s[] = {0, 1, 2, 20}, run_s[] = {100, 10, 2, 1},
                         starts_s[] = {0, 100, 110, 112};
    static const struct {
        int64_t run_s;
        int32_t procs;
    } refused[] = {{-1, 1}, {1, -1}, {1, 2}};
    const struct loom_sim_options options = {.scheduler = "selective:threshold=2", .procs = 1};
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t kind = 0; kind < COUNT(refused); kind++) {
        struct loom_trace *trace = empty_trace();
        struct loom_job job = loom_job_unknown();
        job.submit_s = 6;
        job.run_s = refused[kind].run_s;
        job.req_procs = refused[kind].procs;
        append(trace, job);
        for (size_t j = 0; j < COUNT(submit_s); j++) {
            job.submit_s = submit_s[j];
            job.run_s = job.request_s = run_s[j];
            job.req_procs = 1;
            append(trace, job);
        }
        assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
        for (size_t j = 0; j < COUNT(submit_s); j++)
            assert_int_equal(loom_sim_jobs(sim, NULL)[j].start_s, starts_s[j]);
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

/* ---- the rule, plainly ----------------------------------------------------------------------- */

static int category_of(const struct machine *m, const struct job *job)
{
    if (!m->flag || job->estimate_s < 1000)
        return 0;
    return job->estimate_s <= 10000 ? 1 : 2;
}

/* The given threshold, or the mean slowdown of the jobs of a category that have ended, summed in
 * the order in which they did. */
static double threshold_of(const struct machine *m, int category)
{
    const struct job *ended[MOST_JOBS];
    int n = 0;
    double sum = 0;
    for (int j = 0; j < m->n; j++) {
        const struct job *job = &m->jobs[j];
        if (job->start_s < 0 || is_running(m, j) || category_of(m, job) != category)
            continue;
        int at = n++;
        int64_t end_s = job->start_s + job->run_s;
        for (; at > 0; at--) {
            int64_t other_s = ended[at - 1]->start_s + ended[at - 1]->run_s;
            if (other_s < end_s || (other_s == end_s && ended[at - 1]->turn < job->turn))
                break;
            ended[at] = ended[at - 1];
        }
        ended[at] = job;
    }
    for (int i = 0; i < n; i++) {
        int64_t run_s = ended[i]->run_s < 1 ? 1 : ended[i]->run_s;
        sum += (double)(ended[i]->start_s - ended[i]->submit_s + run_s) / (double)run_s;
    }
    return m->number > 0 ? m->number : n > 0 ? sum / n : 1;
}

static bool is_reserved(const struct machine *m, int j)
{
    return is_waiting(m, j) && m->jobs[j].planned_s >= 0;
}

/* Processors that running jobs and reservations, but for j's, leave at a time. */
static int64_t left_at(const struct machine *m, int j, int64_t time_s)
{
    int64_t left = free_at(m, time_s);
    for (int k = 0; k < m->n; k++)
        if (k != j && is_reserved(m, k) && m->jobs[k].planned_s <= time_s &&
            m->jobs[k].planned_s + m->jobs[k].estimate_s > time_s)
            left -= m->jobs[k].procs;
    return left;
}

/* It can become less only where a reservation begins. */
static bool fits_at(const struct machine *m, int j, int64_t time_s)
{
    const struct job *job = &m->jobs[j];
    if (left_at(m, j, time_s) < job->procs)
        return false;
    for (int k = 0; k < m->n; k++) {
        int64_t begin_s = m->jobs[k].planned_s;
        if (is_reserved(m, k) && begin_s > time_s && begin_s < time_s + job->estimate_s &&
            left_at(m, j, begin_s) < job->procs)
            return false;
    }
    return true;
}

static int64_t earliest(const struct machine *m, int j)
{
    int64_t best_s = fits_at(m, j, m->now_s) ? m->now_s : INT64_MAX;
    for (int k = 0; k < m->n; k++) {
        const struct job *job = &m->jobs[k];
        int64_t end_s = (job->start_s < 0 ? job->planned_s : job->start_s) + job->estimate_s;
        if ((is_running(m, k) || is_reserved(m, k)) && end_s > m->now_s && end_s < best_s &&
            fits_at(m, j, end_s))
            best_s = end_s;
    }
    return best_s;
}

static bool has_passed(const struct machine *m, const struct job *job, const double *thresholds)
{
    double estimate_s = (double)job->estimate_s;
    return ((double)(m->now_s - job->submit_s) + estimate_s) / estimate_s >
           thresholds[category_of(m, job)];
}

/* Where an estimate was extended, all reservations are made anew, in order of submission. */
static void make_anew(struct machine *m)
{
    bool was_reserved[MOST_JOBS];
    for (int j = 0; j < m->n; j++) {
        was_reserved[j] = is_reserved(m, j);
        if (was_reserved[j])
            m->jobs[j].planned_s = -1;
    }
    for (int j = 0; j < m->n; j++)
        if (was_reserved[j])
            m->jobs[j].planned_s = earliest(m, j);
}

static void selective(struct machine *m)
{
    const double thresholds[] = {threshold_of(m, 0), threshold_of(m, 1), threshold_of(m, 2)};
    if (m->extended)
        make_anew(m);
    for (int j = 0; j < m->n; j++)
        if (is_reserved(m, j) && m->jobs[j].planned_s == m->now_s)
            start(m, j);
    for (int j = 0; j < m->n; j++)
        if (is_reserved(m, j) && fits_at(m, j, m->now_s))
            start(m, j);
    for (int j = 0; j < m->n; j++) {
        if (!is_waiting(m, j) || is_reserved(m, j) || !has_passed(m, &m->jobs[j], thresholds))
            continue;
        int64_t from_s = earliest(m, j);
        if (from_s == m->now_s)
            start(m, j);
        else
            m->jobs[j].planned_s = from_s;
    }
    for (int j = 0; j < m->n; j++)
        if (is_waiting(m, j) && !is_reserved(m, j) && fits_at(m, j, m->now_s))
            start(m, j);
}

static const struct restated variants[] = {
    {"selective", selective, 0, false},
    {"selective:categories=runtime", selective, 0, true},
    {"selective:threshold=1", selective, 1, false},
    {"selective:threshold=1.3", selective, 1.3, false},
    {"selective:threshold=2,categories=none", selective, 2, false},
    {"selective:threshold=5", selective, 5, false},
    {"selective:threshold=1000000", selective, 1000000, false},
};

static void does_as_it_is_defined(void **state)
{
    (void)state;
    compare_all(variants, COUNT(variants), 2000);
}

/* ---- the rule, second by second -------------------------------------------------------------- */

/* For workloads of some hundred jobs: what is left in each second from now on. */
enum { SECONDS = 60000 };

struct seconds {
    int64_t left[SECONDS]; /* from now_s on */
    int64_t now_s;
};

static void hold(struct seconds *s, const struct job *job, int64_t from_s, int by)
{
    int64_t from = from_s > s->now_s ? from_s - s->now_s : 0, to = from_s + job->estimate_s;
    assert_true(to - s->now_s < SECONDS);
    for (int64_t t = from; t < to - s->now_s; t++)
        s->left[t] -= by * job->procs;
}

static bool has_room(const struct seconds *s, const struct job *job, int64_t from_s)
{
    for (int64_t t = from_s - s->now_s; t < from_s - s->now_s + job->estimate_s; t++)
        if (s->left[t] < job->procs)
            return false;
    return true;
}

static int64_t first_room(const struct seconds *s, const struct job *job)
{
    int64_t from_s = s->now_s;
    while (!has_room(s, job, from_s))
        from_s++;
    return from_s;
}

static void fill_seconds(struct seconds *s, const struct machine *m)
{
    s->now_s = m->now_s;
    for (int64_t t = 0; t < SECONDS; t++)
        s->left[t] = m->procs;
    for (int j = 0; j < m->n; j++) {
        if (is_running(m, j))
            hold(s, &m->jobs[j], m->jobs[j].start_s, 1);
        if (is_reserved(m, j))
            hold(s, &m->jobs[j], m->jobs[j].planned_s, 1);
    }
}

/* Start a job now if there is room for it. */
static bool try_now(struct seconds *s, struct machine *m, int j)
{
    if (!has_room(s, &m->jobs[j], m->now_s))
        return false;
    start(m, j);
    hold(s, &m->jobs[j], m->now_s, 1);
    return true;
}

static void try_reserved(struct seconds *s, struct machine *m, int j)
{
    hold(s, &m->jobs[j], m->jobs[j].planned_s, -1);
    if (!try_now(s, m, j))
        hold(s, &m->jobs[j], m->jobs[j].planned_s, 1);
}

static void reserve_anew(struct seconds *s, struct machine *m)
{
    for (int j = 0; j < m->n; j++)
        if (is_reserved(m, j))
            hold(s, &m->jobs[j], m->jobs[j].planned_s, -1);
    for (int j = 0; j < m->n; j++)
        if (is_reserved(m, j)) {
            m->jobs[j].planned_s = first_room(s, &m->jobs[j]);
            hold(s, &m->jobs[j], m->jobs[j].planned_s, 1);
        }
}

static void selective_by_seconds(struct machine *m)
{
    static struct seconds s;
    const double thresholds[] = {threshold_of(m, 0), threshold_of(m, 1), threshold_of(m, 2)};
    fill_seconds(&s, m);
    if (m->extended)
        reserve_anew(&s, m);
    for (int j = 0; j < m->n; j++)
        if (is_reserved(m, j) && m->jobs[j].planned_s == m->now_s)
            start(m, j);
    for (int j = 0; j < m->n; j++)
        if (is_reserved(m, j))
            try_reserved(&s, m, j);
    for (int j = 0; j < m->n; j++) {
        if (!is_waiting(m, j) || is_reserved(m, j) || !has_passed(m, &m->jobs[j], thresholds))
            continue;
        if (!try_now(&s, m, j)) {
            m->jobs[j].planned_s = first_room(&s, &m->jobs[j]);
            hold(&s, &m->jobs[j], m->jobs[j].planned_s, 1);
        }
    }
    for (int j = 0; j < m->n; j++)
        if (is_waiting(m, j) && !is_reserved(m, j))
            try_now(&s, m, j);
}

/* Hundreds of jobs, most of which wait at once. */
static void make_crowd(struct machine *m, struct loom_stream *stream)
{
    int64_t clock_s = 0;
    m->n = 200 + (int)loom_stream_below(stream, MOST_JOBS - 199);
    m->procs = 20 + (int64_t)loom_stream_below(stream, 200);
    for (int j = 0; j < m->n; j++) {
        struct job *job = &m->jobs[j];
        uint64_t length_s = 1u << (1 + loom_stream_below(stream, 8));
        clock_s += (int64_t)loom_stream_below(stream, 8);
        job->submit_s = clock_s;
        job->estimate_s = 1 + (int64_t)loom_stream_below(stream, length_s);
        job->run_s = 1 + (int64_t)loom_stream_below(stream, (uint64_t)job->estimate_s *
                                                                (m->overruns ? 2 : 1));
        job->procs = 1 + (int32_t)loom_stream_below(stream, (uint64_t)m->procs /
                                                                (1 + loom_stream_below(stream, 8)));
        job->start_s = job->planned_s = -1;
    }
}

static void does_so_in_a_crowd(void **state)
{
    static const struct restated crowded[] = {
        {"selective", selective_by_seconds, 0, false},
        {"selective:categories=runtime", selective_by_seconds, 0, true},
        {"selective:threshold=1", selective_by_seconds, 1, false},
        {"selective:threshold=4", selective_by_seconds, 4, false},
    };
    struct loom_sim *sim = NULL;
    struct loom_stream stream;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    loom_stream_init(&stream, 14, 0, "selective crowd");
    for (int round = 0; round < 16; round++) {
        struct machine m = {.overruns = round % 4 == 3};
        make_crowd(&m, &stream);
        struct loom_trace *trace = to_trace(&m);
        for (size_t i = 0; i < COUNT(crowded); i++)
            compare(sim, &crowded[i], &m, trace);
        loom_trace_destroy(trace);
    }
    loom_sim_destroy(sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(works_by_hand),
        cmocka_unit_test(knows_nothing_of_the_refused),
        cmocka_unit_test(does_as_it_is_defined),
        cmocka_unit_test(does_so_in_a_crowd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
