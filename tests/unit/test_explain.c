/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explanations against the finished schedule, which says when every job ran: on small random
 * workloads under every policy, for every job. The explainer must not change what it watches.
 */
#include "sim/results/start_log.h"
#include "support.h"

#include <workloom/sim_results.h>

#include <math.h>
#include <string.h>

enum { MOST_JOBS = 20, ROUNDS = 60, MACHINE = 8 };

/* Where no order is named, who was submitted before is ahead. */
static const char *const schedulers[] = {
    "fcfs",
    "easy",
    "conservative",
    "relaxed",
    "lookahead",
    "lookahead:depth=1",
    "easy-sjbf",
    "ups",
    "ups:alpha=0",
    "selective",
    "selective:threshold=2",
    "selective:categories=runtime",
    "fcfs:order=sjf",
    "easy:order=largest",
    "easy:order=expansion",
};

static int64_t below(struct loom_stream *stream, uint64_t n)
{
    return (int64_t)loom_stream_below(stream, n);
}

static struct loom_trace *random_jobs(struct loom_stream *stream)
{
    struct loom_trace *trace = empty_trace();
    size_t n = (size_t)below(stream, MOST_JOBS) + 1;
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = below(stream, 30);
        job.run_s = below(stream, 12);
        job.request_s = job.run_s + below(stream, 10) - 2;
        job.req_procs = (int32_t)below(stream, MACHINE) + 1;
        job.user = (int32_t)below(stream, 3);
        append(trace, job);
    }
    return trace;
}

/* ---- all reservations of a run --------------------------------------------------------------- */

enum { MOST_RESERVED = 10000 };

struct reserved {
    uint32_t job;
    size_t started; /* jobs started before it was made */
    int64_t planned_s;
};

struct recorder {
    struct reserved list[MOST_RESERVED];
    size_t n, started;
    uint32_t order[MOST_JOBS]; /* in which jobs started */
};

static int record(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
                  struct loom_error *err)
{
    struct recorder *recorder = self;
    (void)sim, (void)err;
    if (event->kind == LOOM_EVENT_START) {
        recorder->order[recorder->started++] = event->job;
        return 0;
    }
    assert_true(recorder->n < MOST_RESERVED);
    recorder->list[recorder->n++] =
        (struct reserved){event->job, recorder->started, event->planned_s};
    return 0;
}

/* ---- what must hold -------------------------------------------------------------------------- */

struct check {
    const struct loom_explanation *found;
    const struct loom_sim_job *jobs, *job;
    size_t n;
    const char *scheduler;
    unsigned promises;
    const struct loom_start_log *log;
    const struct reserved *reserved; /* all reservations of the run, as they were made */
    size_t n_reserved;
    const uint32_t *order; /* in which jobs started */
};

static bool in_list(const uint32_t *list, size_t n, uint32_t job)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == job)
            return true;
    return false;
}

static bool overtook(const struct check *check, uint32_t job)
{
    for (size_t i = 0; i < check->found->n_overtakers; i++)
        if (check->found->overtakers[i].job == job)
            return true;
    return false;
}

/* The wait is shared out completely, and by the processors that the others had. */
static void check_shares(const struct check *check)
{
    int64_t short_s = 0;
    for (int64_t now_s = check->job->submit_s; now_s < check->job->start_s; now_s++) {
        int64_t free = MACHINE;
        for (size_t k = 0; k < check->n; k++)
            if (check->jobs[k].start_s <= now_s && loom_sim_job_end(&check->jobs[k]) > now_s)
                free -= check->jobs[k].procs;
        short_s += free < check->job->procs;
    }
    assert_int_equal(check->found->short_s, short_s);
    assert_int_equal(check->found->short_s + check->found->held_s,
                     check->job->start_s - check->job->submit_s);
}

/* Everyone who waited when the job was submitted either stands ahead or not; whoever does not and
 * starts earlier has overtaken it. */
static void check_others(const struct check *check)
{
    const struct loom_explanation *found = check->found;
    for (uint32_t k = 0; k < check->n; k++) {
        const struct loom_sim_job *other = &check->jobs[k];
        bool ahead = in_list(found->ahead, found->n_ahead, k);
        if (k == found->job)
            continue;
        if (ahead)
            assert_true(k < found->job && other->start_s >= check->job->submit_s);
        bool was_there = k < found->job && other->start_s < check->job->submit_s;
        if (!ahead && !was_there && other->start_s < check->job->start_s)
            assert_true(overtook(check, k));
        if (overtook(check, k))
            assert_true(!ahead && other->start_s <= check->job->start_s);
        if (!strchr(check->scheduler, '=') && k < found->job &&
            other->start_s > check->job->submit_s)
            assert_true(ahead);
    }
}

/* Of those that wait when a job starts, the reservation that is due first; LOOM_NEVER if none has
 * one. */
static int64_t next_reservation(const struct check *check, const struct loom_explained_start *start)
{
    int64_t next_s = LOOM_NEVER;
    size_t before = 0;
    while (check->order[before] != start->job)
        before++;
    for (uint32_t k = 0; k < check->n; k++) {
        int64_t planned_s = LOOM_NEVER;
        bool waits = k != start->job;
        for (size_t i = 0; i < before; i++)
            waits &= check->order[i] != k;
        for (size_t i = 0; i < check->n_reserved && check->reserved[i].started <= before; i++)
            if (check->reserved[i].job == k)
                planned_s = check->reserved[i].planned_s;
        if (waits && planned_s < next_s)
            next_s = planned_s;
    }
    return next_s;
}

static bool took_no_time(const struct check *check, int64_t time_s)
{
    for (uint32_t k = 0; k < check->n; k++)
        if (check->jobs[k].start_s == time_s && check->jobs[k].run_s == 0)
            return true;
    return false;
}

/* When the first job could start, by the estimates of those who ran before any was backfilled in
 * this second. */
static int64_t shadow(const struct check *check, uint32_t first, int64_t now_s)
{
    for (int64_t time_s = now_s;; time_s++) {
        int64_t free = MACHINE;
        for (uint32_t k = 0; k < check->n; k++) {
            const struct loom_sim_job *job = &check->jobs[k];
            bool runs = job->start_s < now_s && loom_sim_job_end(job) > now_s;
            bool began =
                job->start_s == now_s && loom_start_log_why(check->log, k) == LOOM_WHY_TURN;
            if ((runs || began) && job->start_s + job->estimate_s > time_s)
                free -= job->procs;
        }
        if (free >= check->jobs[first].procs)
            return time_s;
    }
}

static void check_backfilled(const struct check *check, const struct loom_explained_start *start)
{
    assert_int_equal(start->time_s, check->jobs[start->job].start_s);
    if (start->why != LOOM_WHY_BEFORE && start->why != LOOM_WHY_BESIDE)
        return;
    if (check->promises & LOOM_PROMISE_ALL)
        assert_int_equal(start->reserved_s < 0 ? LOOM_NEVER : start->reserved_s,
                         next_reservation(check, start));
    if (start->reserved_job == LOOM_NO_JOB) {
        assert_true((check->promises & LOOM_PROMISE_ALL) && start->why == LOOM_WHY_BEFORE);
        return;
    }
    if ((check->promises & LOOM_PROMISE_HEAD) && !took_no_time(check, start->time_s))
        assert_int_equal(start->reserved_s, shadow(check, start->reserved_job, start->time_s));
    assert_true(start->reserved_job < check->n && start->reserved_job != start->job);
    assert_true(check->jobs[start->reserved_job].start_s >= start->time_s);
    assert_int_equal(start->why == LOOM_WHY_BEFORE,
                     start->time_s + start->estimate_s <= start->reserved_s);
}

/* What a reservation promised is kept where the policy keeps promises, and moves hang together. */
static void check_moves(const struct check *check)
{
    const struct loom_explanation *found = check->found;
    bool keeps =
        strcmp(check->scheduler, "easy") == 0 || strcmp(check->scheduler, "conservative") == 0;
    for (size_t i = 0; i < found->n_moves; i++) {
        const struct loom_explained_move *move = &found->moves[i];
        assert_int_equal(move->from_s, i ? found->moves[i - 1].to_s : -1);
        assert_true(move->from_s != move->to_s && move->to_s >= move->time_s);
        if (keeps)
            assert_true(check->job->start_s <= move->to_s);
        if (keeps && i)
            assert_true(move->to_s < move->from_s && move->cause_job != LOOM_NO_JOB &&
                        loom_sim_job_end(&check->jobs[move->cause_job]) == move->time_s);
    }
    if (strcmp(check->scheduler, "conservative") == 0)
        assert_int_equal(found->moves[found->n_moves - 1].to_s, check->job->start_s);
    if (strcmp(check->scheduler, "fcfs") == 0)
        assert_int_equal(found->n_moves, 0);
}

/* It was held back for someone who then waited, too. */
static void check_held(const struct check *check)
{
    const struct loom_explanation *found = check->found;
    assert_true(found->overlooked_s >= 0 && found->overlooked_s <= found->held_s);
    if (strncmp(check->scheduler, "lookahead:depth", 15) != 0)
        assert_int_equal(found->overlooked_s, 0);
    if (found->held_for_job == LOOM_NO_JOB)
        return;
    assert_true(found->held_s > 0);
    assert_true(found->held_for_job != found->job);
    assert_true(check->jobs[found->held_for_job].start_s >= check->job->submit_s);
    assert_false(check->promises & (LOOM_PROMISE_ALL | LOOM_PROMISE_ORDER));
}

/* Whoever the job waited for ended in the second of its start; and where processors were short
 * until then, there is someone. A job that took no time may end after others of the same second. */
static void check_released(const struct check *check)
{
    const struct loom_explanation *found = check->found;
    bool waited = check->job->start_s > check->job->submit_s, no_time = false;
    for (size_t i = 0; i < found->n_released; i++) {
        const struct loom_sim_job *ended = &check->jobs[found->released[i]];
        assert_int_equal(loom_sim_job_end(ended), check->job->start_s);
        no_time |= ended->run_s == 0;
    }
    if (!waited || no_time)
        return;
    if (found->free_before < check->job->procs)
        assert_true(found->n_released > 0);
    for (uint32_t k = 0; k < check->n && found->n_released > 0; k++)
        if (check->jobs[k].run_s > 0 && loom_sim_job_end(&check->jobs[k]) == check->job->start_s)
            assert_true(in_list(found->released, found->n_released, k));
}

/* ---- by what policies weigh jobs ------------------------------------------------------------- */

static bool is_policy(const struct check *check, const char *name)
{
    return strncmp(check->scheduler, name, strlen(name)) == 0;
}

static void assert_close(double value, double expected, double tolerance)
{
    assert_true(fabs(value - expected) <= tolerance);
}

/* The mean slowdown of the jobs that have ended: all of them are of the first category. */
static double mean_slowdown(const struct check *check, int64_t now_s)
{
    double sum = 0;
    size_t ended = 0;
    for (uint32_t k = 0; k < check->n; k++) {
        const struct loom_sim_job *job = &check->jobs[k];
        double run_s = job->run_s < 1 ? 1 : (double)job->run_s;
        if (loom_sim_job_end(job) > now_s)
            continue;
        sum += ((double)loom_sim_job_wait(job) + run_s) / run_s;
        ended++;
    }
    return ended > 0 ? sum / (double)ended : 1;
}

static void check_expansion(const struct check *check, const struct loom_standing *at, uint32_t job)
{
    const struct loom_sim_job *what = &check->jobs[job];
    double estimate_s = (double)what->estimate_s, wait_s = (double)(at->time_s - what->submit_s);
    bool fixed = strstr(check->scheduler, "threshold=2"), no_time = took_no_time(check, at->time_s);
    assert_string_equal(at->measure, "expansion_factor");
    assert_string_equal(at->bar, "threshold");
    assert_close(at->value, (wait_s + estimate_s) / estimate_s, 1e-12);
    if (fixed || !no_time)
        assert_close(at->bar_value, fixed ? 2 : mean_slowdown(check, at->time_s), 1e-9);
    assert_int_equal(at->category != NULL, strstr(check->scheduler, "runtime") != NULL);
    if (at->category)
        assert_string_equal(at->category, "small estimates");
    assert_int_equal(at->user_rank, 0);
    assert_int_equal(at->first_job, LOOM_NO_JOB);
}

enum { USERS = 3 };

struct load {
    int64_t work;
    uint32_t first;
};

static void find_loads(const struct check *check, int64_t now_s, struct load loads[USERS])
{
    for (int u = 0; u < USERS; u++)
        loads[u] = (struct load){0, LOOM_NO_JOB};
    for (uint32_t k = 0; k < check->n; k++) {
        const struct loom_sim_job *job = &check->jobs[k];
        struct load *load = &loads[job->user];
        if (job->submit_s > now_s || job->start_s < now_s)
            continue;
        load->work += job->estimate_s * job->procs;
        load->first = k < load->first ? k : load->first;
    }
}

/* Users with waiting jobs, by their work; 0 for a user who has none. */
static uint64_t rank_of(const struct load loads[USERS], int32_t user)
{
    uint64_t rank = 1;
    for (int u = 0; u < USERS; u++)
        rank += loads[u].work > 0 &&
                (loads[u].work < loads[user].work ||
                 (loads[u].work == loads[user].work && loads[u].first < loads[user].first));
    return rank;
}

static double priority_of(const struct check *check, uint32_t job, uint64_t rank, int64_t now_s)
{
    double alpha = strstr(check->scheduler, "alpha=0") ? 0 : 0.5;
    double wait_s = (double)(now_s - check->jobs[job].submit_s);
    return alpha / (double)rank + (1 - alpha) * wait_s / 14400;
}

static void check_priority(const struct check *check, const struct loom_standing *at, uint32_t job)
{
    struct load loads[USERS];
    uint64_t users = 0;
    assert_string_equal(at->measure, "priority");
    assert_true(at->first_job < check->n);
    assert_true(at->bar_value >= at->value - 1e-12);
    assert_close(at->value, priority_of(check, job, at->user_rank, at->time_s), 1e-12);
    assert_close(at->bar_value, priority_of(check, at->first_job, at->first_rank, at->time_s),
                 1e-12);
    if (took_no_time(check, at->time_s))
        return; /* there is more than one pass, with jobs of the first gone in the next */
    find_loads(check, at->time_s, loads);
    for (int u = 0; u < USERS; u++)
        users += loads[u].work > 0;
    assert_int_equal(at->users, users);
    assert_int_equal(at->user_rank, rank_of(loads, check->jobs[job].user));
    assert_int_equal(at->first_rank, rank_of(loads, check->jobs[at->first_job].user));
}

static void check_standing(const struct check *check, const struct loom_standing *at, uint32_t job)
{
    if (is_policy(check, "selective"))
        check_expansion(check, at, job);
    else if (is_policy(check, "ups"))
        check_priority(check, at, job);
    else
        assert_null(at->measure);
}

/* What had passed the bar has its reservation, and what had not has none; under ups, the first. */
static void check_standings(const struct check *check)
{
    const struct loom_explanation *found = check->found;
    const struct loom_standing *reserved = &found->at_reservation, *nearest = &found->nearest;
    check_standing(check, &found->at_submit, found->job);
    check_standing(check, &found->start.own, found->job);
    for (size_t i = 0; i < found->n_overtakers; i++) {
        check_standing(check, &found->overtakers[i].standing, found->overtakers[i].job);
        check_standing(check, &found->overtakers[i].own, found->job);
    }
    if (!found->at_submit.measure)
        return;
    assert_int_equal(found->at_submit.time_s, check->job->submit_s);
    assert_int_equal(reserved->measure != NULL, found->n_moves > 0);
    if (nearest->measure) {
        check_standing(check, nearest, found->job);
        assert_true(nearest->value <= nearest->bar_value);
        assert_true(found->n_moves == 0 || nearest->time_s <= found->moves[0].time_s);
    }
    if (!reserved->measure)
        return;
    check_standing(check, reserved, found->job);
    assert_int_equal(reserved->time_s, found->moves[0].time_s);
    if (is_policy(check, "selective"))
        assert_true(reserved->value > reserved->bar_value);
    else
        assert_int_equal(reserved->first_job, found->job);
}

static void check_explanation(const struct check *check)
{
    const struct loom_explanation *found = check->found;
    assert_null(found->refused);
    assert_int_equal(found->start.time_s, check->job->start_s);
    check_shares(check);
    check_others(check);
    check_moves(check);
    check_released(check);
    check_held(check);
    check_standings(check);
    check_backfilled(check, &found->start);
    for (size_t i = 0; i < found->n_overtakers; i++)
        check_backfilled(check, &found->overtakers[i]);
}

/* ---- every job of a workload ----------------------------------------------------------------- */

static void must_run(struct loom_sim *sim, const struct loom_sim_options *options,
                     const struct loom_trace *trace)
{
    struct loom_error err = {0};
    if (loom_sim_run_trace(sim, options, trace, &err))
        fail_msg("%s: %s", options->scheduler, err.message);
}

static void explain_row(struct loom_sim *sim, struct loom_sim *watched, struct check check,
                        const struct loom_trace *trace, uint32_t row)
{
    struct loom_explainer *explainer = NULL;
    const char *scheduler = check.scheduler;
    assert_int_equal(loom_explainer_create(&explainer, row, NULL), 0);
    const struct loom_observer observer = loom_explainer_observer(explainer);
    const struct loom_sim_options options = {.scheduler = scheduler,
                                             .procs = MACHINE,
                                             .observers = &observer,
                                             .n_observers = 1};
    must_run(watched, &options, trace);
    check.found = loom_explainer_result(explainer);
    check.jobs = loom_sim_jobs(watched, &check.n);
    assert_memory_equal(check.jobs, loom_sim_jobs(sim, NULL), check.n * sizeof *check.jobs);
    assert_true(check.found->job < check.n);
    check.job = &check.jobs[check.found->job];
    assert_int_equal(check.job->row, row);
    check_explanation(&check);
    loom_explainer_destroy(explainer);
}

static void explain_all(struct loom_sim *sim, struct loom_sim *watched,
                        const struct loom_trace *trace, const char *scheduler)
{
    static struct recorder recorder;
    struct loom_start_log *log = NULL;
    recorder.n = recorder.started = 0;
    assert_int_equal(loom_start_log_create(&log, NULL), 0);
    const struct loom_observer observers[] = {
        loom_start_log_observer(log),
        {.self = &recorder, .events = LOOM_EVENT_RESERVE | LOOM_EVENT_START, .on_event = record},
    };
    const struct loom_sim_options options = {.scheduler = scheduler,
                                             .procs = MACHINE,
                                             .observers = observers,
                                             .n_observers = COUNT(observers)};
    struct check check = {
        .scheduler = scheduler,
        .log = log,
        .reserved = recorder.list,
        .order = recorder.order,
    };
    must_run(sim, &options, trace);
    check.n_reserved = recorder.n;
    assert_int_equal(loom_scheduler_promises(&check.promises, NULL, scheduler, NULL), 0);
    for (uint32_t row = 0; row < loom_trace_count(trace); row++)
        explain_row(sim, watched, check, trace, row);
    loom_start_log_destroy(log);
}

static void test_schedules(void **state)
{
    struct loom_sim *sim = NULL, *watched = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_create(&watched, NULL), 0);
    for (size_t s = 0; s < COUNT(schedulers); s++)
        for (uint64_t round = 0; round < ROUNDS; round++) {
            struct loom_stream stream;
            loom_stream_init(&stream, 5, round, "test_explain");
            struct loom_trace *trace = random_jobs(&stream);
            explain_all(sim, watched, trace, schedulers[s]);
            loom_trace_destroy(trace);
        }
    loom_sim_destroy(sim);
    loom_sim_destroy(watched);
}

/* ---- jobs that do not run -------------------------------------------------------------------- */

static void test_refused(void **state)
{
    static const struct {
        int64_t submit_s, run_s;
        int32_t procs;
        const char *refused;
    } cases[] = {
        {0, 5, MACHINE, NULL},
        {3, 5, MACHINE + 1, "wider than the machine, rejected"},
        {3, -1, 1, "no known runtime, dropped"},
        {3, 5, -1, "no known processors, dropped"},
        {-1, 5, 1, "no known submit time, dropped"},
        {3, (INT64_C(1) << 48) + 1, 1, "a time beyond 2^48 s, dropped"},
    };
    struct loom_trace *trace = empty_trace();
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = cases[i].submit_s;
        job.run_s = cases[i].run_s;
        job.req_procs = cases[i].procs;
        append(trace, job);
    }
    for (uint32_t row = 0; row < COUNT(cases) + 1; row++) {
        struct loom_explainer *explainer = NULL;
        assert_int_equal(loom_explainer_create(&explainer, row, NULL), 0);
        const struct loom_observer observer = loom_explainer_observer(explainer);
        must_run(sim,
                 &(struct loom_sim_options){.scheduler = "easy",
                                            .procs = MACHINE,
                                            .observers = &observer,
                                            .n_observers = 1},
                 trace);
        const struct loom_explanation *found = loom_explainer_result(explainer);
        assert_int_equal(found->job, row == 0 ? 0 : LOOM_NO_JOB);
        if (row < COUNT(cases) && cases[row].refused)
            assert_string_equal(found->refused, cases[row].refused);
        else
            assert_null(found->refused);
        loom_explainer_destroy(explainer);
    }
    loom_explainer_destroy(NULL);
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
