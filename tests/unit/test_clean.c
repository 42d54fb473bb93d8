/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cleaning, rule by rule, on small logs made here: what must go, what looks like it and must stay,
 * and that every dropped job is accounted for once.
 */
#include <workloom/trace.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { DAY = 86400, WEEK = 7 * DAY, HOUR = 3600 };

/* ---- logs ------------------------------------------------------------------------------------ */

/* All logs begin at 2001-09-09 00:00:00 UTC, a Sunday, and their zone is UTC. */
static struct loom_trace *new_trace(void)
{
    struct loom_trace *trace = NULL;
    assert_int_equal(loom_trace_create(&trace, NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "999993600", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "TimeZone", "0", NULL), 0);
    return trace;
}

/* A job that nothing is wrong with. */
static struct loom_job good_job(int64_t submit_s, int32_t user)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = submit_s;
    job.wait_s = 0;
    job.run_s = 100;
    job.alloc_procs = job.req_procs = 4;
    job.status = LOOM_STATUS_COMPLETED;
    job.user = user;
    return job;
}

/* Numbers jobs by their row, from 1. */
static void add(struct loom_trace *trace, struct loom_job job)
{
    job.number = (int64_t)loom_trace_count(trace) + 1;
    assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
}

static void add_every(struct loom_trace *trace, int32_t user, int64_t from_s, int64_t to_s,
                      int64_t step_s)
{
    for (int64_t at = from_s; at < to_s; at += step_s)
        add(trace, good_job(at, user));
}

static void add_burst(struct loom_trace *trace, int32_t user, int64_t from_s, int64_t jobs,
                      int64_t length_s)
{
    for (int64_t i = 0; i < jobs; i++)
        add(trace, good_job(from_s + i * length_s / jobs, user));
}

/* Five users, and per_week jobs of theirs every week. */
static void add_others(struct loom_trace *trace, int64_t weeks, int64_t per_week)
{
    for (int64_t i = 0; i < weeks * per_week; i++)
        add(trace, good_job(i * WEEK / per_week, (int32_t)(1 + i % 5)));
}

/* ---- cleaning them --------------------------------------------------------------------------- */

struct option {
    const char *name, *value;
};

static struct loom_params *new_params(const struct option *options)
{
    static const struct loom_param *const lists[] = {loom_clean_params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    for (; options->name; options++)
        assert_int_equal(loom_params_set(params, options->name, options->value, NULL), 0);
    return params;
}

static int try_clean(struct loom_cleaning **out, const struct loom_trace *trace,
                     const struct option *options, struct loom_error *err)
{
    struct loom_params *params = new_params(options);
    int rc = loom_cleaning_create(out, trace, params, err);
    loom_params_destroy(params);
    return rc;
}

/* Each mark points at a reason, and each reason counts its marks. */
static void assert_account(const struct loom_cleaning *cleaning, size_t jobs)
{
    const uint32_t *marks = loom_cleaning_marks(cleaning);
    size_t reasons = loom_cleaning_reasons(cleaning);
    int64_t *counts = calloc(reasons + 1, sizeof *counts);
    assert_non_null(counts);
    for (size_t row = 0; row < jobs; row++) {
        assert_true(marks[row] <= reasons);
        counts[marks[row]]++;
    }
    for (size_t i = 0; i < reasons; i++)
        assert_int_equal(loom_cleaning_reason(cleaning, i)->jobs, counts[i + 1]);
    free(counts);
    assert_null(loom_cleaning_reason(cleaning, reasons));
}

static struct loom_cleaning *clean(const struct loom_trace *trace, const struct option *options)
{
    struct loom_error err = {0};
    struct loom_cleaning *cleaning = NULL;
    if (try_clean(&cleaning, trace, options, &err))
        fail_msg("%s", err.message);
    assert_account(cleaning, loom_trace_count(trace));
    return cleaning;
}

#define OPTIONS(...) ((const struct option[]){__VA_ARGS__, {NULL, NULL}})
#define NO_OPTIONS ((const struct option[]){{NULL, NULL}})

/* "rule jobs text\n" for each reason. */
static char *reasons_text(const struct loom_cleaning *cleaning)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    for (size_t i = 0; i < loom_cleaning_reasons(cleaning); i++) {
        const struct loom_clean_reason *reason = loom_cleaning_reason(cleaning, i);
        fprintf(file, "%s %lld %s\n", reason->rule, (long long)reason->jobs, reason->text);
    }
    assert_int_equal(fclose(file), 0);
    return text;
}

static void assert_reasons(const struct loom_cleaning *cleaning, const char *expected)
{
    char *text = reasons_text(cleaning);
    assert_string_equal(text, expected);
    free(text);
}

/* Clean, and destroy the trace. */
static void assert_cleans(struct loom_trace *trace, const struct option *options,
                          const char *expected)
{
    struct loom_cleaning *cleaning = clean(trace, options);
    assert_reasons(cleaning, expected);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* The rows that go are first .. last and no others. */
static void assert_drops_rows(const struct loom_cleaning *cleaning, size_t jobs, size_t first,
                              size_t last)
{
    for (size_t row = 0; row < jobs; row++)
        if ((loom_cleaning_marks(cleaning)[row] != 0) != (row >= first && row <= last))
            fail_msg("row %zu is marked %u", row, loom_cleaning_marks(cleaning)[row]);
}

/* ---- impossible ------------------------------------------------------------------------------ */

struct odd {
    int64_t submit_s, wait_s, run_s;
    int32_t alloc, requested;
    int mark; /* what is expected of it */
};

static void add_odd(struct loom_trace *trace, const struct odd *odd)
{
    struct loom_job job = good_job(odd->submit_s, 1);
    job.wait_s = odd->wait_s;
    job.run_s = odd->run_s;
    job.alloc_procs = odd->alloc;
    job.req_procs = odd->requested;
    add(trace, job);
}

static const struct odd odd_jobs[] = {
    {0, 0, 100, 4, 4, 0},        {-1, 0, 100, 4, 4, 1},
    {-500, -7, -7, 4, 4, 1},     {10, -1, 100, 4, 4, 0},
    {20, -2, 100, 4, 4, 2},      {30, 0, -1, 4, 4, 0},
    {40, 0, -2, 4, 4, 3},        {50, 0, 1, 0, -1, 4},
    {60, 0, 1, -1, 4, 0},        {70, 0, 0, 0, 0, 0},
    {80, 0, 100, 64, 64, 0},     {90, 0, 100, 65, 4, 5},
    {100, 0, 100, 65, 65, 5},    {110, 0, 100, 4, 65, 6},
    {WEEK + DAY, 0, 1, 1, 1, 0}, {WEEK + DAY + 1, 0, 1, 1, 1, 7},
};

static void test_impossible(void **state)
{
    (void)state;
    enum { ODD = sizeof odd_jobs / sizeof *odd_jobs };
    struct loom_trace *trace = new_trace();
    loom_trace_add_directive(trace, "MaxProcs", "64", NULL);
    loom_trace_add_directive(trace, "EndTime", "Sun Sep 16 00:00:00 UTC 2001", NULL);
    for (size_t i = 0; i < ODD; i++)
        add_odd(trace, &odd_jobs[i]);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS({"keep-unrun", NULL}));
    for (size_t i = 0; i < ODD; i++)
        assert_int_equal(loom_cleaning_marks(cleaning)[i], odd_jobs[i].mark);
    assert_reasons(cleaning,
                   "impossible 2 submit time below 0 or unknown\n"
                   "impossible 1 wait time below -1\n"
                   "impossible 1 runtime below -1\n"
                   "impossible 1 ran, but on no processors\n"
                   "impossible 2 allocated more processors than the machine's 64\n"
                   "impossible 1 requested more processors than the machine's 64\n"
                   "impossible 1 submitted more than a day past the header's EndTime, Sun Sep 16 "
                   "00:00:00 UTC 2001\n");
    loom_cleaning_destroy(cleaning);
    assert_cleans(trace, OPTIONS({"keep-unrun", NULL}, {"keep-impossible", NULL}), "");
}

static void test_unknown_machine_and_end(void **state)
{
    (void)state;
    static const char *const ends[] = {"",
                                       "soon",
                                       "Sun Foo 16 00:00:00 2001",
                                       "Sun Sep 31 00:00:00 2001",
                                       "Sun Sep 16 24:00:00 2001",
                                       "Sun Sep 16 00:00:00",
                                       "Sat Sep 08 00:00:00 2001"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct loom_trace *trace = new_trace();
        loom_trace_add_directive(trace, "EndTime", ends[i], NULL);
        struct loom_job job = good_job(1000 * WEEK, 1);
        job.alloc_procs = job.req_procs = INT32_MAX;
        add(trace, job);
        assert_cleans(trace, NO_OPTIONS, "");
    }
}

static void test_copies(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    struct loom_job job = good_job(5, 1);
    job.number = 77;
    for (int i = 0; i < 3; i++)
        assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
    job.think_s = 0; /* differs in the last field alone */
    assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
    job.cpu_s = 0.5;
    assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
    struct loom_cleaning *cleaning = clean(trace, NO_OPTIONS);
    assert_drops_rows(cleaning, 5, 1, 2);
    assert_reasons(cleaning, "impossible 2 copy of an earlier record, all fields the same\n");
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

static struct loom_trace *trace_with_stragglers(int64_t gap_s)
{
    struct loom_trace *trace = new_trace();
    add_every(trace, 1, 0, 3 * HOUR, HOUR);
    add_every(trace, 1, 2 * HOUR + gap_s, 2 * HOUR + gap_s + 100 * HOUR, HOUR);
    add(trace, good_job(101 * HOUR + 2 * gap_s, 1));
    return trace;
}

static void test_gaps(void **state)
{
    (void)state;
    assert_cleans(trace_with_stragglers(100 * DAY), NO_OPTIONS, "");
    assert_cleans(trace_with_stragglers(100 * DAY), OPTIONS({"max-gap", "100"}), "");
    assert_cleans(trace_with_stragglers(100 * DAY + 1), OPTIONS({"max-gap", "100"}),
                  "impossible 3 before a gap of more than 100 days, from 2001-09-09 00:00:00 to "
                  "2001-09-09 02:00:00\n"
                  "impossible 1 after a gap of more than 100 days, from 2002-04-01 05:00:02 to "
                  "2002-04-01 05:00:02\n");
    /* Two halves of a log with a long pause between them are both the log. */
    struct loom_trace *halves = new_trace();
    add_every(halves, 1, 0, 50 * HOUR, HOUR);
    add_every(halves, 1, 200 * DAY, 200 * DAY + 50 * HOUR, HOUR);
    assert_cleans(halves, OPTIONS({"max-gap", "100"}), "");
}

/* ---- unrun ----------------------------------------------------------------------------------- */

static void add_run(struct loom_trace *trace, int64_t run_s, int32_t alloc, int32_t status)
{
    struct loom_job job = good_job(0, 1);
    job.run_s = run_s;
    job.alloc_procs = alloc;
    job.status = status;
    add(trace, job);
}

static void test_unrun(void **state)
{
    (void)state;
    static const uint32_t expected[] = {0, 1, 1, 2, 0, 0, 3, 3};
    struct loom_trace *trace = new_trace();
    add_run(trace, 100, 4, 1);
    add_run(trace, -1, 4, 1);
    add_run(trace, -1, -1, 5);
    add_run(trace, 0, 4, 5);
    add_run(trace, 0, 4, 0);
    add_run(trace, 100, 4, 5);
    add_run(trace, 100, -1, 5);
    add_run(trace, 100, 0, 1);
    struct loom_cleaning *cleaning = clean(trace, NO_OPTIONS);
    assert_memory_equal(loom_cleaning_marks(cleaning), expected, sizeof expected);
    assert_reasons(cleaning, "unrun 2 never ran: the runtime is unknown\n"
                             "unrun 1 never ran: cancelled with runtime 0\n"
                             "unrun 2 never ran: no processors were allocated\n");
    loom_cleaning_destroy(cleaning);
    assert_cleans(trace, OPTIONS({"keep-unrun", NULL}), "");
}

static void test_unrecorded_columns_drop_nothing(void **state)
{
    (void)state;
    struct loom_trace *no_runtimes = new_trace(), *no_allocations = new_trace();
    for (int i = 0; i < 3; i++) {
        add_run(no_runtimes, -1, 4, 1);
        add_run(no_allocations, 100, -1, 1);
    }
    assert_cleans(no_runtimes, NO_OPTIONS, "");
    assert_cleans(no_allocations, NO_OPTIONS, "");
}

/* ---- admin ----------------------------------------------------------------------------------- */

static void add_daily(struct loom_trace *trace, int32_t user, int32_t executable, int64_t run_s,
                      int days, int64_t second)
{
    for (int day = 0; day < days; day++) {
        struct loom_job job = good_job(day * DAY + second + day % 4 * 60, user);
        job.executable = executable;
        job.run_s = run_s;
        add(trace, job);
    }
}

static void test_admin(void **state)
{
    (void)state;
    static const struct {
        int32_t executable;
        int64_t run_s;
        int days;
        int64_t second;
        const char *expected;
    } cases[] = {
        {3, 60, 40, 12600,
         "admin 40 automated short jobs of user 7, executable 3, within five minutes from 03:30 on "
         "40 of the log's 40 active days\n"},
        {-1, 0, 12, 12600,
         "admin 12 automated short jobs of user 7, processors 4, within five minutes from 03:30 on "
         "12 of the log's 40 active days\n"},
        {3, 60, 40, DAY - 100,
         "admin 40 automated short jobs of user 7, executable 3, within five minutes from 23:58 on "
         "40 of the log's 41 active days\n"},
        {3, 61, 40, 12600, ""}, /* not short */
        {3, -1, 40, 12600, ""}, /* not known to be short */
        {-1, 0, 11, 12600, ""}, /* on 27.5 % of the days */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        add_every(trace, 1, HOUR, 40 * DAY, 4 * HOUR);
        add_daily(trace, 7, cases[i].executable, cases[i].run_s, cases[i].days, cases[i].second);
        assert_cleans(trace, OPTIONS({"admin", NULL}, {"keep-unrun", NULL}), cases[i].expected);
    }
}

static void test_admin_takes_only_its_window(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_every(trace, 1, HOUR, 40 * DAY, 4 * HOUR);
    size_t first = loom_trace_count(trace);
    add_daily(trace, 7, 3, 5, 40, 12600);
    add_daily(trace, 7, 3, 5, 40, 12600 + 500); /* 3:38, just past the window */
    add_daily(trace, 7, 3, 5000, 40, 12600);    /* the same program in earnest */
    struct loom_cleaning *cleaning = clean(trace, OPTIONS({"admin", NULL}));
    assert_drops_rows(cleaning, loom_trace_count(trace), first, first + 79);
    assert_int_equal(loom_cleaning_reasons(cleaning), 2);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS({"admin", NULL}, {"admin-concentration", "0.34"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

static void test_hourly_and_unknown_users_are_not_admin(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    for (int hour = 0; hour < 24; hour++)
        add_daily(trace, 7, 3, 5, 40, hour * HOUR);
    add_daily(trace, -1, 3, 5, 40, 12600);
    assert_cleans(trace, OPTIONS({"admin", NULL}), "");
}

/* ---- flurries -------------------------------------------------------------------------------- */

#define AUTO               \
    {                      \
        "flurries", "auto" \
    }

static void test_flurry_is_found(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    add(trace, good_job(3 * WEEK - 2 * DAY, 9)); /* the user's ordinary jobs stay */
    add(trace, good_job(4 * WEEK + 2 * DAY, 9));
    size_t first = loom_trace_count(trace);
    add_burst(trace, 9, 3 * WEEK, 300, 10 * HOUR);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_drops_rows(cleaning, loom_trace_count(trace), first, first + 299);
    assert_reasons(cleaning,
                   "flurry 300 flurry of user 9 from 2001-09-30 00:00:00 to 2001-09-30 "
                   "09:58:00, 98 % of all jobs in that time and in 7 days up to 3.0 times "
                   "the busy week of all others\n");
    loom_cleaning_destroy(cleaning);
    assert_cleans(trace, NO_OPTIONS, "");
}

static void test_what_is_no_flurry(void **state)
{
    (void)state;
    static const struct {
        const char *why;
        int32_t user;
        int64_t others, jobs, length_s;
    } cases[] = {
        {"too few jobs", 9, 100, 299, 10 * HOUR},
        {"not 1.5 busy weeks", 9, 201, 300, 10 * HOUR},
        {"spread over the log", 9, 150, 1000, 10 * WEEK},
        {"not one user", -1, 100, 300, 10 * HOUR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, cases[i].others);
        int64_t from_s = cases[i].length_s < 10 * WEEK ? 3 * WEEK : 0;
        add_burst(trace, cases[i].user, from_s, cases[i].jobs, cases[i].length_s);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        if (loom_cleaning_reasons(cleaning) != 0)
            fail_msg("%s: %s", cases[i].why, loom_cleaning_reason(cleaning, 0)->text);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* Three users at once are a crowd, not a flurry: none of them has half of the jobs. */
static void test_crowd_is_no_flurry(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    for (int32_t user = 7; user <= 9; user++)
        add_burst(trace, user, 3 * WEEK, 300, 10 * HOUR);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS(AUTO, {"flurry-share", "0.3"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 3);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* The busy week is the 90th percentile: one busy week of the others in ten does not hide a flurry,
 * two do. */
static void test_busy_weeks(void **state)
{
    (void)state;
    for (int busy = 1; busy <= 2; busy++) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        for (int week = 0; week < busy; week++)
            add_every(trace, 6, week * WEEK, (week + 1) * WEEK, WEEK / 101);
        size_t before = loom_trace_count(trace);
        add_burst(trace, 9, 5 * WEEK, 300, 10 * HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        if (busy == 1)
            assert_drops_rows(cleaning, before + 300, before, before + 299);
        else
            assert_int_equal(loom_cleaning_reasons(cleaning), 0);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* After the flurry all others pause; what little its user does then is not part of it. */
static void test_quiet_days_are_not_hot(void **state)
{
    (void)state;
    for (int64_t jobs = 14; jobs <= 15; jobs++) { /* the busy day of the others has 100/7 */
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        add_burst(trace, 9, 10 * WEEK, 300, 10 * HOUR);
        add_burst(trace, 9, 10 * WEEK + 3 * DAY, jobs, HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        size_t last = 1299 + (jobs == 15 ? 15 : 0);
        assert_drops_rows(cleaning, loom_trace_count(trace), 1000, last);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

static void test_flurry_thresholds_can_be_moved(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    add_burst(trace, 9, 3 * WEEK, 100, 10 * HOUR);
    struct loom_cleaning *cleaning =
        clean(trace, OPTIONS(AUTO, {"flurry-jobs", "100"}, {"flurry-weeks", "1"}));
    assert_drops_rows(cleaning, loom_trace_count(trace), 1000, 1099);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS(AUTO, {"flurry-jobs", "100"}, {"flurry-weeks", "1.01"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS(AUTO, {"flurry-jobs", "100"}, {"flurry-weeks", "1"},
                                    {"flurry-share", "0.95"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 0);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* Hot days up to a week apart are one flurry, with what the user did in between. */
static void test_flurries_are_chained(void **state)
{
    (void)state;
    for (int days = 6; days <= 8; days += 2) {
        struct loom_trace *trace = new_trace();
        add_others(trace, 10, 100);
        add_burst(trace, 9, 3 * WEEK, 300, 10 * HOUR);
        add(trace, good_job(3 * WEEK + 3 * DAY, 9));
        add_burst(trace, 9, 3 * WEEK + days * DAY, 300, 10 * HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
        assert_int_equal(loom_cleaning_reasons(cleaning), days == 6 ? 1 : 2);
        assert_int_equal(loom_cleaning_marks(cleaning)[1300], days == 6 ? 1 : 0);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
}

/* A long flurry hides a small one from the first search, not from the second. */
static void test_hidden_flurry(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add_others(trace, 10, 100);
    add_burst(trace, 8, WEEK, 6000, 3 * WEEK);
    add_burst(trace, 9, 6 * WEEK, 300, 10 * HOUR);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_drops_rows(cleaning, loom_trace_count(trace), 1000, 7299);
    assert_int_equal(loom_cleaning_reasons(cleaning), 2);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

static void test_named_flurries(void **state)
{
    (void)state;
    static const struct {
        const char *option, *expected;
    } cases[] = {
        {"9:3600:10800", "flurry 3 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 "
                         "03:00:00, named 9:3600:10800, 60 % of all jobs in that time\n"},
        {"anna:2001-09-09T01:00:2001-09-09T02:59:59",
         "flurry 2 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 02:00:00, named "
         "anna:2001-09-09T01:00:2001-09-09T02:59:59, 67 % of all jobs in that time\n"},
        {"9:2001-09-09 01:00:00:2001-09-09 01:00:00",
         "flurry 1 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 01:00:00, named "
         "9:2001-09-09 01:00:00:2001-09-09 01:00:00, 100 % of all jobs in that time\n"},
        {"9::7200", "flurry 3 flurry of user 9 (anna) from 2001-09-09 00:00:00 to 2001-09-09 "
                    "02:00:00, named 9::7200, 60 % of all jobs in that time\n"},
        {"9:2001-09-09:",
         "flurry 10 flurry of user 9 (anna) from 2001-09-09 00:00:00 to 2001-09-09 "
         "09:00:00, named 9:2001-09-09:, 53 % of all jobs in that time\n"},
        {"9:#2:#4", "flurry 3 flurry of user 9 (anna) from 2001-09-09 01:00:00 to 2001-09-09 "
                    "03:00:00, named 9:#2:#4, 60 % of all jobs in that time\n"},
        {"5:0:100", "flurry 0 flurry named 5:0:100, which has no jobs\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        add_every(trace, 9, 0, 10 * HOUR, HOUR);
        add_every(trace, 1, HOUR / 2, 10 * HOUR, HOUR);
        loom_trace_set_name(trace, LOOM_USER, 9, "anna", NULL);
        assert_cleans(trace, OPTIONS({"flurry", cases[i].option}), cases[i].expected);
    }
}

static void test_bad_names_of_flurries(void **state)
{
    (void)state;
#define WANTS \
    "--flurry wants USER:FROM:TO with two times, or USER:#FIRST:#LAST with two job numbers, not "
    static const struct {
        const char *option, *message;
    } cases[] = {
        {"9", WANTS "'9'"},
        {"9:5", WANTS "'9:5'"},
        {"9:a:b", WANTS "'9:a:b'"},
        {"9:#1:#", WANTS "'9:#1:#'"},
        {"9:#1:5", WANTS "'9:#1:5'"},
        {"9:#1", WANTS "'9:#1'"},
        {"9:2001-13-01:2002-01-01", WANTS "'9:2001-13-01:2002-01-01'"},
        {"9:5:4", "--flurry 9:5:4 ends before it begins"},
        {"9:#5:#4", "--flurry 9:#5:#4 ends before it begins"},
        {"ana:1:2", "there is no user 'ana'; did you mean 'anna'?"},
        {":1:2", "there is no user ''; give its number or one of the log's names"},
    };
    struct loom_trace *trace = new_trace();
    loom_trace_set_name(trace, LOOM_USER, 9, "anna", NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_error err = {0};
        struct loom_cleaning *cleaning = NULL;
        int rc = try_clean(&cleaning, trace, OPTIONS({"flurry", cases[i].option}), &err);
        assert_int_equal(rc, LOOM_EUSAGE);
        assert_string_equal(err.message, cases[i].message);
        assert_null(cleaning);
    }
    loom_trace_destroy(trace);
}

/* Without a start there are no dates: times are the log's seconds, and a date is refused. */
static void test_flurry_in_a_log_without_start(void **state)
{
    (void)state;
    struct loom_trace *trace = NULL;
    assert_int_equal(loom_trace_create(&trace, NULL), 0);
    add_every(trace, 9, 0, 3 * HOUR, HOUR);
    struct loom_error err = {0};
    struct loom_cleaning *cleaning = NULL;
    assert_int_equal(try_clean(&cleaning, trace, OPTIONS({"flurry", "9:2001-09-09:"}), &err),
                     LOOM_EDATA);
    assert_cleans(trace, OPTIONS({"flurry", "9:1:"}),
                  "flurry 2 flurry of user 9 from second 3600 to second 7200, named 9:1:, 100 % of "
                  "all jobs in that time\n");
}

/* ---- days ------------------------------------------------------------------------------------ */

/* Weekdays with eight jobs of four users, weekend days with two of one. */
static struct loom_trace *trace_of_days(int days)
{
    struct loom_trace *trace = new_trace();
    for (int day = 0; day < days; day++) {
        bool weekend = day % 7 == 0 || day % 7 == 6;
        for (int i = 0; i < (weekend ? 2 : 8); i++)
            add(trace, good_job(day * DAY + i * HOUR, weekend ? 1 : 1 + i / 2));
    }
    return trace;
}

static void test_abnormal_day(void **state)
{
    (void)state;
    struct loom_trace *trace = trace_of_days(42);
    assert_cleans(trace, OPTIONS({"abnormal-days", NULL}), "");
    trace = trace_of_days(42);
    size_t before = loom_trace_count(trace);
    add_burst(trace, 5, 42 * DAY, 600, DAY);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS({"abnormal-days", NULL}));
    assert_drops_rows(cleaning, before + 600, before, before + 599);
    assert_reasons(cleaning,
                   "days 600 abnormal day of 2001-10-21, 9.3 standard deviations from the "
                   "mean of all days (1 users, on average 4 processors and 100 s a job)\n");
    loom_cleaning_destroy(cleaning);
    assert_cleans(trace, NO_OPTIONS, "");
}

static void test_abnormal_days_one_by_one(void **state)
{
    (void)state;
    struct loom_trace *trace = trace_of_days(42);
    size_t before = loom_trace_count(trace);
    add_burst(trace, 5, 42 * DAY, 300, DAY);
    add_burst(trace, 5, 43 * DAY, 3000, DAY);
    struct loom_cleaning *cleaning = clean(trace, OPTIONS({"abnormal-days", NULL}));
    assert_drops_rows(cleaning, before + 3300, before, before + 3299);
    assert_int_equal(loom_cleaning_reasons(cleaning), 2);
    assert_int_equal(loom_cleaning_reason(cleaning, 0)->jobs, 3000);
    assert_int_equal(loom_cleaning_reason(cleaning, 1)->jobs, 300);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, OPTIONS({"abnormal-days", NULL}, {"max-days", "1"}));
    assert_drops_rows(cleaning, before + 3300, before + 300, before + 3299);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* What the survey warns of: two such days are a cluster, and stay. Few days are not looked at. */
static void test_days_that_stay(void **state)
{
    (void)state;
    struct loom_trace *twins = trace_of_days(42);
    add_burst(twins, 5, 42 * DAY, 600, DAY);
    add_burst(twins, 5, 43 * DAY, 590, DAY);
    assert_cleans(twins, OPTIONS({"abnormal-days", NULL}), "");
    struct loom_trace *few = trace_of_days(26);
    add_burst(few, 5, 26 * DAY, 600, DAY);
    assert_cleans(few, OPTIONS({"abnormal-days", NULL}), "");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static struct loom_trace *dirty_trace(void)
{
    struct loom_trace *trace = new_trace();
    loom_trace_add_directive(trace, "MaxJobs", "1303", NULL);
    loom_trace_add_directive(trace, "MaxRecords", "1303", NULL);
    add_others(trace, 10, 100);
    add_burst(trace, 9, 3 * WEEK, 300, 10 * HOUR);
    struct loom_job job = good_job(-5, 9);
    add(trace, job);
    job = good_job(3 * WEEK + HOUR, 9); /* unrun and of the flurry: the first reason counts */
    job.run_s = -1;
    add(trace, job);
    add(trace, job);
    return trace;
}

static void test_apply(void **state)
{
    (void)state;
    static const char *const notes[] = {
        "",
        " Note: THIS IS A CLEANED VERSION OF THE LOG!",
        "       The filters used to produce it were",
        "         submit time below 0 or unknown (1 job removed)",
        "         never ran: the runtime is unknown (2 jobs removed)",
        "         flurry of user 9 from 2001-09-30 00:00:00 to 2001-09-30 09:58:00, 98 % of all "
        "jobs "
        "in that time and in 7 days up to 3.0 times the busy week of all others (300 jobs removed)",
        "",
    };
    enum { NOTES = sizeof notes / sizeof *notes };
    struct loom_trace *trace = dirty_trace();
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_int_equal(loom_trace_count(trace), 1303);
    assert_int_equal(loom_cleaning_apply(cleaning, trace, NULL), 0);
    assert_int_equal(loom_trace_count(trace), 1000);
    for (size_t row = 0; row < 1000; row++)
        assert_int_equal(loom_trace_jobs(trace)->number[row], row + 1);
    const struct loom_directive *lines;
    size_t n = loom_trace_directives(trace, &lines);
    assert_int_equal(n, 4 + NOTES);
    for (size_t i = 0; i < NOTES; i++)
        assert_string_equal(lines[4 + i].text, notes[i]);
    assert_string_equal(loom_trace_directive(trace, "MaxRecords"), "1000");
    assert_string_equal(loom_trace_directive(trace, "MaxJobs"), "1303");

    struct loom_error err = {0};
    assert_int_equal(loom_cleaning_apply(cleaning, trace, &err), LOOM_EUSAGE);
    assert_string_equal(err.message, "this cleaning was made for a trace of 1303 jobs, not 1000");
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

static void test_cleaning_twice(void **state)
{
    (void)state;
    struct loom_trace *trace = dirty_trace();
    struct loom_cleaning *cleaning = clean(trace, OPTIONS(AUTO));
    assert_int_equal(loom_cleaning_apply(cleaning, trace, NULL), 0);
    loom_cleaning_destroy(cleaning);
    const struct loom_directive *lines;
    size_t before = loom_trace_directives(trace, &lines);
    cleaning = clean(trace, OPTIONS(AUTO));
    assert_reasons(cleaning, "");
    assert_int_equal(loom_cleaning_apply(cleaning, trace, NULL), 0);
    assert_int_equal(loom_trace_count(trace), 1000);
    assert_int_equal(loom_trace_directives(trace, &lines), before);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

static void test_one_filter_and_no_record(void **state)
{
    (void)state;
    struct loom_trace *trace = new_trace();
    add(trace, good_job(0, 9));
    add(trace, good_job(0, 1));
    struct loom_cleaning *cleaning = clean(trace, OPTIONS({"flurry", "9::"}, {"flurry", "4::"}));
    assert_int_equal(loom_cleaning_reasons(cleaning), 2);
    assert_int_equal(loom_cleaning_apply(cleaning, trace, NULL), 0);
    const struct loom_directive *lines;
    assert_int_equal(loom_trace_directives(trace, &lines), 2 + 5);
    assert_string_equal(lines[4].text, "       The filter used to produce it was");
    assert_null(loom_trace_directive(trace, "MaxRecords"));
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

/* Nothing, and times at the ends of what can be held, with every rule on. */
static void test_extremes(void **state)
{
    (void)state;
    static const struct option all[] = {{"admin", NULL},
                                        AUTO,
                                        {"abnormal-days", NULL},
                                        {"max-gap", "1"},
                                        {"flurry", "9:0:10"},
                                        {"keep-impossible", NULL},
                                        {NULL, NULL}};
    struct loom_trace *trace = new_trace();
    struct loom_cleaning *cleaning = clean(trace, all);
    assert_reasons(cleaning, "flurry 0 flurry named 9:0:10, which has no jobs\n");
    loom_cleaning_destroy(cleaning);
    for (int i = 0; i < 40; i++) {
        struct loom_job job = good_job(i % 2 ? INT64_MAX - i : INT64_MIN + i, i % 3);
        job.run_s = i % 5 ? INT64_MAX : INT64_MIN;
        job.alloc_procs = i % 4 ? INT32_MAX : INT32_MIN;
        job.user = i % 7 ? INT32_MAX : INT32_MIN;
        add(trace, job);
    }
    cleaning = clean(trace, all);
    loom_cleaning_destroy(cleaning);
    cleaning = clean(trace, NO_OPTIONS);
    loom_cleaning_destroy(cleaning);
    loom_trace_destroy(trace);
}

static void test_listing(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool on;
    } expected[] = {
        {"impossible", true}, {"unrun", true}, {"admin", false}, {"flurry", false}, {"days", false},
    };
    size_t n = sizeof expected / sizeof *expected;
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(loom_rule_at(i)->name, expected[i].name);
        assert_int_equal(loom_rule_at(i)->on_by_default, expected[i].on);
    }
    assert_null(loom_rule_at(n));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_impossible),
        cmocka_unit_test(test_unknown_machine_and_end),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_unrun),
        cmocka_unit_test(test_unrecorded_columns_drop_nothing),
        cmocka_unit_test(test_admin),
        cmocka_unit_test(test_admin_takes_only_its_window),
        cmocka_unit_test(test_hourly_and_unknown_users_are_not_admin),
        cmocka_unit_test(test_flurry_is_found),
        cmocka_unit_test(test_what_is_no_flurry),
        cmocka_unit_test(test_crowd_is_no_flurry),
        cmocka_unit_test(test_busy_weeks),
        cmocka_unit_test(test_quiet_days_are_not_hot),
        cmocka_unit_test(test_flurry_thresholds_can_be_moved),
        cmocka_unit_test(test_flurries_are_chained),
        cmocka_unit_test(test_hidden_flurry),
        cmocka_unit_test(test_named_flurries),
        cmocka_unit_test(test_bad_names_of_flurries),
        cmocka_unit_test(test_flurry_in_a_log_without_start),
        cmocka_unit_test(test_abnormal_day),
        cmocka_unit_test(test_abnormal_days_one_by_one),
        cmocka_unit_test(test_days_that_stay),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_cleaning_twice),
        cmocka_unit_test(test_one_filter_and_no_record),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_listing),
    };
    return cmocka_run_group_tests_name("clean", tests, NULL, NULL);
}
