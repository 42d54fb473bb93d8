/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cleaning, rule by rule (but for flurries), on small logs made here: what must go, what looks like
 * it and must stay, and that every dropped job is accounted for once.
 */
#include "cleaning.h"

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
    {120, 0, 1, -1, -1, 0},      {130, 0, 1, -1, 0, 0},
    {140, 0, 1, 0, 0, 4},
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
                   "impossible 2 ran, but on no processors\n"
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
        append(trace, job);
    job.think_s = 0; /* differs in the last field alone */
    append(trace, job);
    job.cpu_s = 0.5;
    append(trace, job);
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
    /* Of 60 jobs 3 are a twentieth, which may be stragglers; 4 are not, nor are 3 of 59. */
    static const struct {
        int jobs, stragglers;
        size_t reasons;
    } cases[] = {{60, 3, 1}, {60, 4, 0}, {59, 3, 0}, {59, 2, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct loom_trace *trace = new_trace();
        int rest = cases[i].jobs - cases[i].stragglers;
        add_every(trace, 1, 0, cases[i].stragglers * HOUR, HOUR);
        add_every(trace, 1, 200 * DAY, 200 * DAY + rest * HOUR, HOUR);
        struct loom_cleaning *cleaning = clean(trace, OPTIONS({"max-gap", "100"}));
        assert_int_equal(loom_cleaning_reasons(cleaning), cases[i].reasons);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
    }
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

/* Unknown is -1, but a log may have 0 in a column it does not record. */
static void test_unrecorded_columns_drop_nothing(void **state)
{
    (void)state;
    for (int32_t alloc = -1; alloc <= 0; alloc++)
        for (int32_t requested = -1; requested <= 0; requested++) {
            struct loom_trace *no_processors = new_trace();
            for (int i = 0; i < 3; i++)
                add_odd(no_processors, &(struct odd){i, 0, 100, alloc, requested, 0});
            assert_cleans(no_processors, NO_OPTIONS, "");
        }
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

/* Five minutes from a job on, and not the second after them. */
static void test_admin_window_ends(void **state)
{
    (void)state;
    for (int64_t apart_s = 299; apart_s <= 300; apart_s++) {
        struct loom_trace *trace = new_trace();
        add_every(trace, 1, HOUR, 40 * DAY, 4 * HOUR);
        for (int day = 0; day < 40; day++)
            for (int i = 0; i < 2; i++) {
                struct loom_job job = good_job(day * DAY + 12600 + i * apart_s, 7);
                job.executable = 3;
                job.run_s = 5;
                add(trace, job);
            }
        struct loom_cleaning *cleaning = clean(trace, OPTIONS({"admin", NULL}));
        assert_int_equal(loom_cleaning_reasons(cleaning), apart_s == 299 ? 1 : 2);
        loom_cleaning_destroy(cleaning);
        loom_trace_destroy(trace);
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
                   "mean of all days (1 users, on average 4.0 processors and 100 s a job)\n");
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
        "           (flurry: --flurry-weeks 1.5 --flurry-share 0.5 --flurry-jobs 300)",
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
        cmocka_unit_test(test_admin_window_ends),
        cmocka_unit_test(test_hourly_and_unknown_users_are_not_admin),
        cmocka_unit_test(test_abnormal_day),
        cmocka_unit_test(test_abnormal_days_one_by_one),
        cmocka_unit_test(test_days_that_stay),
        cmocka_unit_test(test_apply),
        cmocka_unit_test(test_cleaning_twice),
        cmocka_unit_test(test_one_filter_and_no_record),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_listing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
