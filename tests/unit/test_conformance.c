/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every policy must keep, and what some promise: each registered policy runs on random
 * workloads, with the three overrun rules and by the rules of both simulators, under the eyes of an
 * observer.
 *
 * All: no processor is used twice, nothing starts before it is submitted or twice, everything ends,
 * the same input gives the same schedule, and the order of rows does not matter where submit times
 * differ. With a promise: jobs start in order; reservations (of the first job, of all) never move
 * back, and hold; nothing starves. The first job of relaxed backfilling is late by the slack at
 * most. Promises depend on parameters, so policies run with several, and with each choice of each
 * and the ends of its range.
 *
 * test_conformance FILE.so...: the same for the policies of plug-ins, in place of the built-in
 * ones.
 */
#include "sim/schedulers.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 60, FEW_ROUNDS = 6, MOST_JOBS = 300, NAME = 64 };

static struct loom_schedulers *schedulers; /* NULL without plug-ins */
static size_t n_skipped;                   /* built-in ones, where there are plug-ins */

/* The policies under test, by themselves; NULL past the last. */
static const struct loom_scheduler_info *info_at(size_t index)
{
    return loom_scheduler_at(schedulers, n_skipped + index);
}

/* Besides every built-in policy with its defaults; an order comes last. */
static const char *const variants[] = {
    "fcfs:order=sjf",
    "fcfs:order=expansion",
    "easy:order=sjf",
    "easy:order=lcfs",
    "easy:order=wfp3",
    "easy-sjbf:order=largest",
    "lookahead:order=smallest",
    "lookahead:depth=5",
    "relaxed:order=ljf",
    "relaxed:slack=2",
    "relaxed:slack=0.1",
    "relaxed:slack=0,order=sjf",
    "relaxed:slack=1,order=expansion",
    "lookahead:depth=2,order=laf",
    "selective:categories=runtime",
    "selective:threshold=2",
    "ups:alpha=1",
    "ups:alpha=0",
    "ups:priority=recency",
    "ups:alpha=1,priority=recency",
    "ups:alpha=0,priority=recency",
};

/* The policies to hold to their promises; NULL past the last. */
static const char *policy_at(size_t index)
{
    size_t n = 0;
    for (const struct loom_scheduler_info *info; (info = info_at(n)); n++)
        if (n == index)
            return info->name;
    return !schedulers && index - n < COUNT(variants) ? variants[index - n] : NULL;
}

/* A value of a parameter: a choice or, of numbers, an end of the range or the middle; false past
 * the last. */
static bool value_at(const struct loom_param *param, size_t index, char value[NAME])
{
    const double numbers[] = {param->min, param->max, floor((param->min + param->max) / 2)};
    if (param->type == LOOM_PARAM_CHOICE) {
        if (param->choices[index])
            snprintf(value, NAME, "%s", param->choices[index]);
        return param->choices[index];
    }
    assert_true(param->type == LOOM_PARAM_INT || param->type == LOOM_PARAM_REAL);
    if (index < COUNT(numbers))
        snprintf(value, NAME, "%.15g", numbers[index]);
    return index < COUNT(numbers);
}

/* Every policy with each of these values for one of its parameters; false past the last. */
static bool setting_at(size_t index, char policy[NAME])
{
    const struct loom_scheduler_info *info;
    char value[NAME];
    for (size_t n = 0; (info = info_at(n)); n++)
        for (const struct loom_param *param = info->params; param && param->name; param++)
            for (size_t i = 0; value_at(param, i, value); i++)
                if (index-- == 0) {
                    int length = snprintf(policy, NAME, "%s:%s=%s", info->name, param->name, value);
                    assert_true(length < NAME);
                    return true;
                }
    return false;
}

/* By how much of its promised wait the first job may be late; below 0 where that is not known. */
static double slack_of(const char *policy)
{
    const char *word = strstr(policy, "slack=");
    if (strncmp(policy, "relaxed", strlen("relaxed")) != 0)
        return -1;
    return word ? strtod(word + strlen("slack="), NULL) : 0.5;
}

static unsigned promises_of(const char *policy)
{
    unsigned promises = 0;
    assert_int_equal(loom_scheduler_promises(&promises, schedulers, policy, NULL), 0);
    return promises;
}

/* By submission, where it has no choice. */
static const struct loom_order *order_of(const char *policy)
{
    const char *word = strstr(policy, "order=");
    return word ? loom_order_find(word + strlen("order=")) : &loom_order_fcfs;
}

/* ---- the witness ----------------------------------------------------------------------------- */

struct witness {
    const char *where;
    const struct loom_order *order;
    unsigned promises;
    bool lasting;         /* a reservation is for good; else it is while the job is the first */
    double slack;         /* of relaxed backfilling, below 0 for none */
    int64_t promised_s;   /* there, the earliest time that the first job could have had */
    uint32_t first;       /* who had the last reservation, or LOOM_NO_JOB */
    bool within_instants; /* an end may be seen after the start that it makes room for */
    int64_t planned_s[MOST_JOBS + 1]; /* by job, INT64_MAX before there is a plan */
    int64_t used;
    bool over[MOST_JOBS + 1]; /* by job */
    uint32_t started, ended;
    int64_t last_s;
};

/* Another job is the first, which ends what the last one was promised. */
static void change_first(struct witness *w, uint32_t first)
{
    if (!w->lasting && first != w->first && w->first != LOOM_NO_JOB)
        w->planned_s[w->first] = INT64_MAX;
    if (first != w->first)
        w->promised_s = INT64_MAX;
    w->first = first;
}

/* When as many processors will be free as the job wants, by the estimates of those who run. */
static int64_t shadow_s(const struct witness *w, const struct loom_sim *sim, uint32_t job)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    int64_t earliest_s = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        int64_t at_s = jobs[i].start_s + jobs[i].estimate_s, free = loom_sim_procs(sim);
        if (jobs[i].start_s < 0 || w->over[i] || at_s >= earliest_s)
            continue;
        for (size_t k = 0; k < n; k++)
            if (jobs[k].start_s >= 0 && !w->over[k] && jobs[k].start_s + jobs[k].estimate_s > at_s)
                free -= jobs[k].procs;
        if (free >= jobs[job].procs)
            earliest_s = at_s;
    }
    return earliest_s;
}

static int64_t latest_s(const struct witness *w, const struct loom_sim_job *job)
{
    if (w->promised_s == INT64_MAX)
        return INT64_MAX;
    return w->promised_s +
           (int64_t)floor(w->slack * (double)(w->promised_s - job->submit_s) + 1e-6);
}

/* Relaxed: what the first job is promised is the earliest that EASY would have reserved for it. */
static void see_relaxed(struct witness *w, const struct loom_sim *sim,
                        const struct loom_sim_event *event)
{
    int64_t now_promised_s = shadow_s(w, sim, event->job);
    if (now_promised_s < w->promised_s)
        w->promised_s = now_promised_s;
    if (event->planned_s > latest_s(w, &loom_sim_jobs(sim, NULL)[event->job]))
        fail_msg("%s: the reservation of job %u slips by more than the slack", w->where,
                 event->job);
}

static void see_reserve(struct witness *w, const struct loom_sim *sim,
                        const struct loom_sim_event *event)
{
    int64_t *planned_s = &w->planned_s[event->job];
    change_first(w, event->job);
    if (event->planned_s < event->time_s)
        fail_msg("%s: job %u is planned for the past", w->where, event->job);
    if ((w->promises & (LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL)) && event->planned_s > *planned_s)
        fail_msg("%s: the reservation of job %u moves back", w->where, event->job);
    if (w->slack >= 0)
        see_relaxed(w, sim, event);
    *planned_s = event->planned_s;
}

static bool goes_before(const struct witness *w, const struct loom_sim_job *jobs, uint32_t a,
                        uint32_t b, int64_t now_s)
{
    double left = w->order->key ? w->order->key(&jobs[a], a, now_s) : 0;
    double right = w->order->key ? w->order->key(&jobs[b], b, now_s) : 0;
    return left < right || (left == right && a < b);
}

static bool is_in_turn(const struct witness *w, const struct loom_sim *sim, uint32_t job)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    for (uint32_t other = 0; other < n; other++)
        if (jobs[other].start_s < 0 && goes_before(w, jobs, other, job, loom_sim_now(sim)))
            return false;
    return true;
}

static void see_start(struct witness *w, const struct loom_sim *sim,
                      const struct loom_sim_event *event, const struct loom_sim_job *job)
{
    w->used += job->procs;
    if (w->used > loom_sim_procs(sim) && !w->within_instants)
        fail_msg("%s: job %u starts on processors in use", w->where, event->job);
    if (event->time_s < job->submit_s || job->start_s != event->time_s)
        fail_msg("%s: job %u starts at the wrong time", w->where, event->job);
    if ((w->promises & LOOM_PROMISE_ORDER) && !is_in_turn(w, sim, event->job))
        fail_msg("%s: job %u starts out of order", w->where, event->job);
    bool keeps = w->promises & (LOOM_PROMISE_HEAD | LOOM_PROMISE_ALL);
    if (keeps && event->time_s > w->planned_s[event->job])
        fail_msg("%s: job %u starts after its reservation", w->where, event->job);
    if (w->slack >= 0 && event->job == w->first && event->time_s > latest_s(w, job))
        fail_msg("%s: job %u starts later than the slack allows", w->where, event->job);
    if (event->why == LOOM_WHY_TURN)
        change_first(w, LOOM_NO_JOB);
    w->started++;
}

static int see(void *self, const struct loom_sim *sim, const struct loom_sim_event *event,
               struct loom_error *err)
{
    struct witness *w = self;
    (void)err;
    const struct loom_sim_job *job =
        event->job == LOOM_NO_JOB ? NULL : &loom_sim_jobs(sim, NULL)[event->job];
    assert_true(event->time_s >= w->last_s && event->time_s == loom_sim_now(sim));
    if (event->time_s > w->last_s && w->used > loom_sim_procs(sim))
        fail_msg("%s: more processors are in use than there are", w->where);
    w->last_s = event->time_s;
    if (event->kind == LOOM_EVENT_SUBMIT)
        w->planned_s[event->job] = INT64_MAX;
    if (event->kind == LOOM_EVENT_RESERVE)
        see_reserve(w, sim, event);
    if (event->kind == LOOM_EVENT_START)
        see_start(w, sim, event, job);
    if (event->kind == LOOM_EVENT_END) {
        w->used -= job->procs;
        w->over[event->job] = true;
        w->ended++;
        assert_int_equal(loom_sim_job_end(job), event->time_s);
    }
    return 0;
}

/* ---- workloads ------------------------------------------------------------------------------- */

static int64_t below(struct loom_stream *stream, int64_t n)
{
    return (int64_t)loom_stream_below(stream, (uint64_t)n);
}

static struct loom_trace *random_trace(struct loom_stream *stream, int64_t procs, bool distinct)
{
    struct loom_trace *trace = empty_trace();
    int64_t n = 1 + below(stream, MOST_JOBS), submit_s = 0;
    for (int64_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        submit_s += distinct + (below(stream, 3) ? 0 : below(stream, 300));
        job.number = i;
        job.submit_s = submit_s;
        job.run_s = below(stream, 2) ? below(stream, 30) : below(stream, 4000);
        job.request_s = below(stream, 3) ? job.run_s * (1 + below(stream, 5)) : job.run_s / 2;
        job.req_procs = (int32_t)(1 + below(stream, below(stream, 3) ? (procs + 3) / 4 : procs));
        job.user = (int32_t)(1 + below(stream, 5));
        append(trace, job);
    }
    return trace;
}

static void run(struct loom_sim *sim, const char *where, const struct loom_sim_options *options,
                const struct loom_trace *trace)
{
    struct loom_error err = {0};
    if (loom_sim_run_trace(sim, options, trace, &err))
        fail_msg("%s: %s", where, err.message);
}

/* The starts of the last run by row, which the caller must free. */
static int64_t *starts_of(const struct loom_sim *sim)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    int64_t *starts_s = calloc(n ? n : 1, sizeof *starts_s);
    assert_non_null(starts_s);
    for (size_t i = 0; i < n; i++)
        starts_s[jobs[i].row] = jobs[i].start_s;
    return starts_s;
}

/* ---- what all keep --------------------------------------------------------------------------- */

static void watch(struct loom_sim *sim, struct witness *w, struct loom_sim_options options,
                  const struct loom_trace *trace)
{
    char where[96];
    snprintf(where, sizeof where, "%s, overrun %d, compat %d", options.scheduler, options.overrun,
             options.compat);
    bool trusted = options.overrun != LOOM_OVERRUN_EXTEND;
    unsigned promises = promises_of(options.scheduler);
    *w = (struct witness){
        .where = where,
        .order = order_of(options.scheduler),
        .lasting = promises & (LOOM_PROMISE_ALL | LOOM_PROMISE_FIRST),
        .slack = trusted ? slack_of(options.scheduler) : -1,
        .promised_s = INT64_MAX,
        .first = LOOM_NO_JOB,
        .within_instants = options.compat == LOOM_COMPAT_PYSS,
        .promises = trusted ? promises : promises & LOOM_PROMISE_ORDER,
    };
    const struct loom_observer observer = {.self = w, .events = 127, .on_event = see};
    options.observers = &observer;
    options.n_observers = 1;
    run(sim, where, &options, trace);
    size_t n;
    loom_sim_jobs(sim, &n);
    assert_int_equal(n, loom_trace_count(trace));
    assert_int_equal(w->started, n);
    assert_int_equal(w->ended, n);
    assert_int_equal(w->used, 0);
    assert_int_equal(loom_sim_free(sim), loom_sim_procs(sim));
}

/* Being watched changes nothing, and neither does a run before, nor a job that is refused. */
static void check_same(struct loom_sim *sim, struct loom_sim *used,
                       const struct loom_sim_options *options, const struct loom_trace *trace,
                       size_t n)
{
    int64_t *watched_s = starts_of(sim);
    run(used, options->scheduler, options, trace);
    int64_t *alone_s = starts_of(used);
    for (size_t row = 0; row < n; row++)
        if (watched_s[row] != alone_s[row])
            fail_msg("%s: row %zu of %zu starts at another time, %s", options->scheduler, row, n,
                     n < loom_trace_count(trace) ? "beside jobs that are refused" : "unwatched");
    free(watched_s);
    free(alone_s);
}

/* Any six rounds in a row have each overrun rule by the rules of each simulator. */
static void check_kept(struct loom_sim *sim, struct loom_sim *used, const char *policy,
                       uint64_t first_round, uint64_t rounds)
{
    static struct witness witness;
    for (uint64_t round = first_round; round < first_round + rounds; round++) {
        struct loom_stream stream;
        loom_stream_init(&stream, 1, round, "conformance");
        const struct loom_sim_options options = {
            .scheduler = policy,
            .schedulers = schedulers,
            .procs = (int64_t)1 << below(&stream, 8),
            .overrun = (enum loom_overrun)(round % 3),
            .compat = (enum loom_compat)(round / 3 % 2),
        };
        struct loom_trace *trace = random_trace(&stream, options.procs, false);
        watch(sim, &witness, options, trace);
        size_t n = loom_trace_count(trace);
        check_same(sim, used, &options, trace, n);
        append_refused(trace, options.procs, &stream);
        check_same(sim, used, &options, trace, n);
        loom_trace_destroy(trace);
    }
}

static void test_all_keep(void **state)
{
    struct loom_sim *sim = NULL, *used = NULL;
    const char *policy;
    char setting[NAME];
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    assert_int_equal(loom_sim_create(&used, NULL), 0);
    for (size_t p = 0; (policy = policy_at(p)); p++)
        check_kept(sim, used, policy, 0, ROUNDS);
    for (size_t p = 0; setting_at(p, setting); p++)
        check_kept(sim, used, setting, p * FEW_ROUNDS, FEW_ROUNDS);
    loom_sim_destroy(sim);
    loom_sim_destroy(used);
}

/* ---- rows in another order ------------------------------------------------------------------- */

/* The rows of a trace, last first, with other job numbers. */
static struct loom_trace *reversed(const struct loom_trace *trace)
{
    struct loom_trace *other = empty_trace();
    for (size_t row = loom_trace_count(trace); row-- > 0;) {
        struct loom_job job = loom_trace_job(trace, row);
        job.number = (int64_t)(row * 7919 % 10007);
        append(other, job);
    }
    return other;
}

static void check_permuted(struct loom_sim *sim, const char *scheduler, uint64_t round)
{
    struct loom_stream stream;
    loom_stream_init(&stream, 1, round, "permuted");
    const struct loom_sim_options options = {.scheduler = scheduler,
                                             .schedulers = schedulers,
                                             .procs = 32};
    struct loom_trace *trace = random_trace(&stream, 32, true), *other = reversed(trace);
    size_t n = loom_trace_count(trace);
    run(sim, scheduler, &options, trace);
    int64_t *starts_s = starts_of(sim);
    run(sim, scheduler, &options, other);
    int64_t *others_s = starts_of(sim);
    for (size_t row = 0; row < n; row++)
        if (starts_s[row] != others_s[n - 1 - row])
            fail_msg("%s: row %zu starts at another time when rows are turned round", scheduler,
                     row);
    free(starts_s);
    free(others_s);
    loom_trace_destroy(trace);
    loom_trace_destroy(other);
}

static void test_permuted(void **state)
{
    struct loom_sim *sim = NULL;
    const char *policy;
    char setting[NAME];
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t p = 0; (policy = policy_at(p)); p++)
        for (uint64_t round = 0; round < 10; round++)
            check_permuted(sim, policy, round);
    for (size_t p = 0; setting_at(p, setting); p++)
        for (uint64_t round = p; round < p + 3; round++)
            check_permuted(sim, setting, round);
    loom_sim_destroy(sim);
}

/* ---- starvation ------------------------------------------------------------------------------ */

enum { OUTSIDER = 30, CROWD = 7 * 24 * 30 };

/* A job as wide as the machine and longer than the others, among serial jobs that never leave it
 * empty for a week: 7.5 of 8 processors are busy. */
static struct loom_trace *narrow_crowd(void)
{
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 0; i < CROWD; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i;
        job.submit_s = i * 120;
        job.run_s = job.request_s = i == OUTSIDER ? 1800 : 900;
        job.req_procs = i == OUTSIDER ? 8 : 1;
        job.user = i == OUTSIDER ? 1 : (int32_t)(2 + i % 3);
        append(trace, job);
    }
    return trace;
}

/* A short serial job among jobs as wide as the machine, which come three times as fast as they can
 * run and keep it busy for a week. */
static struct loom_trace *wide_crowd(void)
{
    struct loom_trace *trace = empty_trace();
    for (int64_t i = 0; i < CROWD; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i;
        job.submit_s = i * 41;
        job.run_s = job.request_s = i == OUTSIDER ? 60 : 120;
        job.req_procs = i == OUTSIDER ? 1 : 8;
        job.user = i == OUTSIDER ? 1 : (int32_t)(2 + i % 3);
        append(trace, job);
    }
    return trace;
}

static int64_t outsider_wait(struct loom_sim *sim, const char *policy,
                             const struct loom_trace *crowd)
{
    const struct loom_sim_options options = {.scheduler = policy,
                                             .schedulers = schedulers,
                                             .procs = 8};
    run(sim, policy, &options, crowd);
    return loom_sim_job_wait(&loom_sim_jobs(sim, NULL)[OUTSIDER]);
}

static void test_no_starvation(void **state)
{
    struct loom_sim *sim = NULL;
    struct loom_trace *crowds[] = {narrow_crowd(), wide_crowd()};
    const char *policy;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t p = 0; (policy = policy_at(p)); p++)
        for (size_t i = 0; i < COUNT(crowds) && (promises_of(policy) & LOOM_PROMISE_NO_STARVE); i++)
            if (outsider_wait(sim, policy, crowds[i]) > 2 * 86400)
                fail_msg("%s: the one job that is not like the others waits for days", policy);
    for (size_t i = 0; i < COUNT(crowds); i++)
        loom_trace_destroy(crowds[i]);
    loom_sim_destroy(sim);
}

/* Where jobs do starve, no promise says otherwise: the job waits until the crowd has passed. */
static void test_starvation(void **state)
{
    static const struct {
        const char *policy;
        bool wide;
    } starving[] = {
        {"fcfs:order=lcfs", true},      {"easy:order=sjf", false},
        {"easy:order=smallest", false}, {"easy:order=saf", false},
        {"easy:order=largest", true},   {"easy:order=ljf", true},
        {"easy:order=laf", true},       {"lookahead:order=sjf", false},
        {"relaxed:order=sjf", false},   {"easy-sjbf:order=smallest", false},
        {"fcfs:order=smallest", false}, {"ups:alpha=1", false},
    };
    struct loom_sim *sim = NULL;
    struct loom_trace *narrow = narrow_crowd(), *wide = wide_crowd();
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(starving); i++) {
        const char *policy = starving[i].policy;
        if (outsider_wait(sim, policy, starving[i].wide ? wide : narrow) < 6 * 86400)
            fail_msg("%s: the outsider does not starve", policy);
        if (promises_of(policy) & LOOM_PROMISE_NO_STARVE)
            fail_msg("%s: claims that nothing starves", policy);
    }
    loom_trace_destroy(narrow);
    loom_trace_destroy(wide);
    loom_sim_destroy(sim);
}

/* What is claimed, parameter by parameter. */
static void test_promises(void **state)
{
    enum {
        ORDER = LOOM_PROMISE_ORDER,
        HEAD = LOOM_PROMISE_HEAD,
        ALL = LOOM_PROMISE_ALL,
        FREE = LOOM_PROMISE_NO_STARVE,
        FIRST = LOOM_PROMISE_FIRST,
    };
    static const struct {
        const char *policy;
        unsigned promises;
    } cases[] = {
        {"fcfs", ORDER | FREE | FIRST},
        {"fcfs:order=sjf", ORDER},
        {"easy", HEAD | FREE | FIRST},
        {"easy:order=expansion", HEAD},
        {"easy-sjbf", HEAD | FREE | FIRST},
        {"lookahead:depth=3", HEAD | FREE | FIRST},
        {"lookahead:order=f1", HEAD},
        {"relaxed", FREE | FIRST},
        {"relaxed:order=lcfs", 0},
        {"conservative", HEAD | ALL | FREE},
        {"selective", ALL},
        {"selective:threshold=5", ALL | FREE},
        {"ups", HEAD | FREE},
        {"ups:alpha=1", HEAD},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (promises_of(cases[i].policy) != cases[i].promises)
            fail_msg("%s promises %#x", cases[i].policy, promises_of(cases[i].policy));
}

static int load_plugins(int n, char **files)
{
    struct loom_error err = {0};
    int rc = loom_schedulers_create(&schedulers, &err);
    while (loom_scheduler_at(NULL, n_skipped))
        n_skipped++;
    for (int i = 0; i < n && !rc; i++)
        rc = loom_schedulers_load(schedulers, files[i], &err);
    if (rc)
        fprintf(stderr, "%s: %s\n", err.file, err.message);
    return rc;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_keep),      cmocka_unit_test(test_permuted),
        cmocka_unit_test(test_no_starvation), cmocka_unit_test(test_starvation),
        cmocka_unit_test(test_promises),
    };
    enum { OF_BUILT_IN = 2 }; /* the last ones name them */
    if (argc > 1 && load_plugins(argc - 1, argv + 1))
        return 1;
    size_t n = COUNT(tests) - (argc > 1 ? OF_BUILT_IN : 0);
    int failed = _cmocka_run_group_tests("conformance", tests, n, NULL, NULL);
    loom_schedulers_destroy(schedulers);
    return failed;
}
