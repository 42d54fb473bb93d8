/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user of a trace should know before trusting it: values that are missing or cannot be, and
 * a header that does not fit the jobs. Each check is one line in a table; it counts jobs, and its
 * sentence is shown when the count is not zero.
 */
#include "base/human.h"
#include "base/vec.h"
#include "base/wide.h"
#include "trace/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct loom_problems {
    struct loom_problem *items;
    size_t n, capacity;
};

/* ---- jobs ------------------------------------------------------------------------------------ */

/* What a column's range tells of all its n values, -1 among them where some are unknown. */
static double lowest(const struct loom_range *range, int64_t n)
{
    if (range->known == 0)
        return -1;
    return range->known < n && range->min > -1 ? -1 : range->min;
}

static double highest(const struct loom_range *range, int64_t n)
{
    if (range->known == 0)
        return -1;
    return range->known < n && range->max < -1 ? -1 : range->max;
}

#define BELOW(column, bound) (lowest(&ranges[LOOM_COLUMN_##column], n) < (double)(bound))
#define ABOVE(column, bound) (highest(&ranges[LOOM_COLUMN_##column], n) > (double)(bound))

/* A function that counts the rows i of a block of `jobs` for which the condition holds, and one
 * that knows from the ranges of columns whether there can be such rows among all n. */
#define DEFINE_COUNT(name, condition, possible)                                                \
    LOOM_INLINE int64_t scan_##name(const struct loom_jobs *jobs, size_t from, size_t to,      \
                                    int64_t max_procs)                                         \
    {                                                                                          \
        int64_t count = 0;                                                                     \
        (void)max_procs;                                                                       \
        for (size_t i = from; i < to; i++)                                                     \
            count += (condition);                                                              \
        return count;                                                                          \
    }                                                                                          \
    LOOM_WIDE static int64_t scan_##name##_wide(const struct loom_jobs *jobs, size_t from,     \
                                                size_t to, int64_t max_procs)                  \
    {                                                                                          \
        return scan_##name(jobs, from, to, max_procs);                                         \
    }                                                                                          \
    static int64_t count_##name(const struct loom_jobs *jobs, size_t from, size_t to,          \
                                int64_t max_procs)                                             \
    {                                                                                          \
        return loom_is_wide() ? scan_##name##_wide(jobs, from, to, max_procs)                  \
                              : scan_##name(jobs, from, to, max_procs);                        \
    }                                                                                          \
    static bool possible_##name(const struct loom_range *ranges, int64_t n, int64_t max_procs) \
    {                                                                                          \
        (void)ranges;                                                                          \
        (void)n;                                                                               \
        (void)max_procs;                                                                       \
        return (possible);                                                                     \
    }

DEFINE_COUNT(out_of_order, jobs->submit_s[i]<jobs->submit_s[i > 0 ? i - 1 : 0], n> 1)
DEFINE_COUNT(negative_submit, jobs->submit_s[i] < 0, BELOW(submit_s, 0))
DEFINE_COUNT(unknown_run, jobs->run_s[i] < 0, BELOW(run_s, 0))
DEFINE_COUNT(zero_run, jobs->run_s[i] == 0, BELOW(run_s, 1))
DEFINE_COUNT(unknown_procs, jobs->alloc_procs[i] <= 0, BELOW(alloc_procs, 1))
DEFINE_COUNT(unknown_wait, jobs->wait_s[i] < 0, BELOW(wait_s, 0))
DEFINE_COUNT(unknown_estimate, jobs->request_s[i] <= 0, BELOW(request_s, 1))
DEFINE_COUNT(unknown_user, jobs->user[i] < 0, BELOW(user, 0))
DEFINE_COUNT(past_estimate, jobs->request_s[i] > 0 && jobs->run_s[i] > jobs->request_s[i],
             ABOVE(request_s, 0))
DEFINE_COUNT(too_wide,
             max_procs > 0 && (jobs->alloc_procs[i] > max_procs || jobs->req_procs[i] > max_procs),
             max_procs > 0 && (ABOVE(alloc_procs, max_procs) || ABOVE(req_procs, max_procs)))
DEFINE_COUNT(odd_status, jobs->status[i]<-1 || jobs->status[i]> LOOM_STATUS_CANCELLED,
             BELOW(status, -1) || ABOVE(status, LOOM_STATUS_CANCELLED))

#define CHECK(name) count_##name, possible_##name

static const struct job_check {
    const char *code;
    int64_t (*count)(const struct loom_jobs *jobs, size_t from, size_t to, int64_t max_procs);
    bool (*possible)(const struct loom_range *ranges, int64_t n, int64_t max_procs);
    const char *text; /* follows "N jobs" */
} job_checks[] = {
    {"unsorted", CHECK(out_of_order), "submitted before the job on the line above"},
    {"negative-submit", CHECK(negative_submit), "submitted before the log's start"},
    {"no-runtime", CHECK(unknown_run), "without a runtime"},
    {"zero-runtime", CHECK(zero_run), "with a runtime of 0 s"},
    {"no-procs", CHECK(unknown_procs), "without allocated processors"},
    {"no-wait", CHECK(unknown_wait), "without a wait time"},
    {"no-estimate", CHECK(unknown_estimate), "without a requested time"},
    {"no-user", CHECK(unknown_user), "without a user"},
    {"past-estimate", CHECK(past_estimate), "that ran longer than requested"},
    {"too-wide", CHECK(too_wide), "wider than the machine"},
    {"odd-status", CHECK(odd_status), "with a status that SWF does not define"},
};

/* ---- the list -------------------------------------------------------------------------------- */

LOOM_PRINTF(5, 6)
static int add(struct loom_problems *problems, struct loom_error *err, const char *code,
               int64_t count, const char *format, ...)
{
    if (loom_grow(&problems->items, problems->n, &problems->capacity))
        return loom_fail_memory(err);
    struct loom_problem *problem = &problems->items[problems->n++];
    *problem = (struct loom_problem){.code = code, .count = count};
    va_list args;
    va_start(args, format);
    vsnprintf(problem->text, sizeof problem->text, format, args);
    va_end(args);
    return 0;
}

enum { N_JOB_CHECKS = sizeof job_checks / sizeof *job_checks };

/* Block by block, so that what several checks look at is fetched from memory once. */
static void count_jobs(int64_t counts[N_JOB_CHECKS], const struct loom_trace *trace)
{
    enum { BLOCK = 4096 };
    const struct loom_jobs *jobs = &trace->view;
    const int64_t max_procs = trace->machine.max_procs;
    bool possible[N_JOB_CHECKS];
    for (int i = 0; i < N_JOB_CHECKS; i++)
        possible[i] = !trace->has_ranges ||
                      job_checks[i].possible(trace->ranges, (int64_t)jobs->n, max_procs);
    for (size_t from = 0; from < jobs->n; from += BLOCK) {
        size_t to = jobs->n - from < BLOCK ? jobs->n : from + BLOCK;
        for (int i = 0; i < N_JOB_CHECKS; i++)
            if (possible[i])
                counts[i] += job_checks[i].count(jobs, from, to, max_procs);
    }
}

static int check_jobs(struct loom_problems *problems, const struct loom_trace *trace,
                      struct loom_error *err)
{
    int64_t counts[N_JOB_CHECKS] = {0}, all = (int64_t)trace->view.n;
    char count[LOOM_HUMAN];
    int rc = 0;
    count_jobs(counts, trace);
    for (int i = 0; i < N_JOB_CHECKS && !rc; i++) {
        if (counts[i] > 1 && counts[i] == all)
            rc = add(problems, err, job_checks[i].code, all, "all jobs are %s", job_checks[i].text);
        else if (counts[i] > 0)
            rc = add(problems, err, job_checks[i].code, counts[i], "%s %s %s",
                     loom_human_count(counts[i], count, sizeof count),
                     counts[i] == 1 ? "job" : "jobs", job_checks[i].text);
    }
    return rc;
}

static bool increasing(const int64_t *numbers, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (numbers[i - 1] >= numbers[i])
            return false;
    return true;
}

static int compare_int64(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int count_repeated_sorted(int64_t *out, const int64_t *numbers, size_t n,
                                 struct loom_error *err)
{
    int64_t *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    memcpy(sorted, numbers, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_int64);
    for (size_t i = 1; i < n; i++)
        *out += sorted[i] == sorted[i - 1];
    free(sorted);
    return 0;
}

/* Jobs whose number another job before them has. Numbers mostly lie close together, so that a bit
 * for each will do; scattered ones are sorted. */
static int count_repeated(int64_t *out, const int64_t *numbers, size_t n, struct loom_error *err)
{
    int64_t least = numbers[0], most = numbers[0];
    for (size_t i = 1; i < n; i++) {
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
    }
    uint64_t range = (uint64_t)most - (uint64_t)least;
    *out = 0;
    if (range / 64 > n)
        return count_repeated_sorted(out, numbers, n, err);
    uint64_t *seen = calloc((size_t)(range / 64 + 1), sizeof *seen);
    if (!seen)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = (uint64_t)numbers[i] - (uint64_t)least;
        uint64_t bit = (uint64_t)1 << (at % 64);
        *out += (seen[at / 64] & bit) != 0;
        seen[at / 64] |= bit;
    }
    free(seen);
    return 0;
}

static int check_numbers(struct loom_problems *problems, const struct loom_jobs *jobs,
                         struct loom_error *err)
{
    if (increasing(jobs->number, jobs->n))
        return 0;
    int64_t repeated;
    int rc = count_repeated(&repeated, jobs->number, jobs->n, err);
    if (rc || repeated == 0)
        return rc;
    return add(problems, err, "repeated-number", repeated,
               "%" PRId64 " %s a number that an earlier job has", repeated,
               repeated == 1 ? "job has" : "jobs have");
}

static int check_start(struct loom_problems *problems, const struct loom_trace *trace,
                       struct loom_error *err)
{
    enum { DAY_S = 86400 };
    const struct loom_jobs *jobs = &trace->view;
    int64_t first = INT64_MAX;
    if (trace->has_ranges && lowest(&trace->ranges[LOOM_COLUMN_submit_s], (int64_t)jobs->n) < DAY_S)
        return 0;
    for (size_t i = 0; i < jobs->n; i++)
        first = jobs->submit_s[i] < first ? jobs->submit_s[i] : first;
    if (jobs->n == 0 || first < DAY_S)
        return 0;
    return add(problems, err, "late-start", 1,
               "the first job is submitted %.1f days after the log's start", (double)first / DAY_S);
}

static int check_header(struct loom_problems *problems, const struct loom_trace *trace,
                        struct loom_error *err)
{
    const struct loom_machine *machine = &trace->machine;
    int64_t n = (int64_t)trace->view.n;
    int rc = 0;
    if (machine->max_procs < 0)
        rc = add(problems, err, "no-max-procs", 1,
                 "the header does not give the machine's size (MaxProcs)");
    if (!rc && machine->unix_start_s < 0)
        rc = add(problems, err, "no-start-time", 1,
                 "the header does not say when the log began (UnixStartTime)");
    if (!rc && !machine->time_zone && machine->time_zone_s == INT64_MIN)
        rc = add(problems, err, "no-time-zone", 1,
                 "the header does not give the time zone (TimeZoneString)");
    if (!rc && machine->max_records >= 0 && machine->max_records != n)
        rc = add(problems, err, "record-count", 1,
                 "the header promises %" PRId64 " records (MaxRecords), there are %" PRId64,
                 machine->max_records, n);
    return rc;
}

static int check_reading(struct loom_problems *problems, const struct loom_read_report *report,
                         struct loom_error *err)
{
    int rc = 0;
    if (report->bad_lines > 0) {
        char first[160];
        rc = add(problems, err, "bad-lines", report->bad_lines,
                 "%" PRId64 " bad %s skipped, first %s", report->bad_lines,
                 report->bad_lines == 1 ? "line was" : "lines were",
                 loom_error_text(&report->first_bad, first, sizeof first));
    }
    if (!rc && report->rounded > 0)
        rc = add(problems, err, "rounded", report->rounded,
                 "%" PRId64 " fractions were rounded to whole numbers", report->rounded);
    return rc;
}

int loom_problems_create(struct loom_problems **out, const struct loom_trace *trace,
                         struct loom_error *err)
{
    struct loom_problems *problems = calloc(1, sizeof *problems);
    if (!problems)
        return loom_fail_memory(err);
    int rc = check_reading(problems, &trace->report, err);
    if (!rc)
        rc = check_header(problems, trace, err);
    if (!rc && trace->view.n == 0)
        rc = add(problems, err, "empty", 1, "there are no jobs");
    if (!rc)
        rc = check_jobs(problems, trace, err);
    if (!rc)
        rc = check_numbers(problems, &trace->view, err);
    if (!rc)
        rc = check_start(problems, trace, err);
    if (rc) {
        loom_problems_destroy(problems);
        return rc;
    }
    *out = problems;
    return 0;
}

void loom_problems_destroy(struct loom_problems *problems)
{
    if (!problems)
        return;
    free(problems->items);
    free(problems);
}

size_t loom_problems_count(const struct loom_problems *problems)
{
    return problems->n;
}

const struct loom_problem *loom_problems_at(const struct loom_problems *problems, size_t index)
{
    return index < problems->n ? &problems->items[index] : NULL;
}
