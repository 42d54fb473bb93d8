/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user of a trace should know before trusting it: values that are missing or cannot be, and
 * a header that does not fit the jobs. Each check is one line in a table; it counts jobs, and its
 * sentence is shown when the count is not zero.
 */
#include "base/human.h"
#include "base/sort.h"
#include "base/vec.h"
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

/* A function that counts the rows i of `jobs` for which the condition holds. */
#define DEFINE_COUNT(name, condition)                                            \
    static int64_t count_##name(const struct loom_jobs *jobs, int64_t max_procs) \
    {                                                                            \
        int64_t count = 0;                                                       \
        (void)max_procs;                                                         \
        for (size_t i = 0; i < jobs->n; i++)                                     \
            count += (condition);                                                \
        return count;                                                            \
    }

DEFINE_COUNT(out_of_order,
             i > 0 && jobs->submit_s[i] < jobs->submit_s[i - 1] && jobs->submit_s[i] != -1)
DEFINE_COUNT(unknown_submit, jobs->submit_s[i] == -1)
DEFINE_COUNT(negative_submit, jobs->submit_s[i] < -1)
DEFINE_COUNT(unknown_run, jobs->run_s[i] < 0)
DEFINE_COUNT(zero_run, jobs->run_s[i] == 0)
DEFINE_COUNT(unknown_procs, jobs->alloc_procs[i] <= 0)
DEFINE_COUNT(unknown_wait, jobs->wait_s[i] < 0)
DEFINE_COUNT(unknown_estimate, jobs->request_s[i] <= 0)
DEFINE_COUNT(unknown_user, jobs->user[i] < 0)
DEFINE_COUNT(past_estimate, jobs->request_s[i] > 0 && jobs->run_s[i] > jobs->request_s[i])
DEFINE_COUNT(too_wide,
             max_procs > 0 && (jobs->alloc_procs[i] > max_procs || jobs->req_procs[i] > max_procs))
DEFINE_COUNT(odd_status, jobs->status[i]<-1 || jobs->status[i]> LOOM_STATUS_CANCELLED)

static const struct job_check {
    const char *code;
    int64_t (*count)(const struct loom_jobs *jobs, int64_t max_procs);
    const char *text; /* follows "N jobs" */
} job_checks[] = {
    {"unsorted", count_out_of_order, "submitted before the job on the line above"},
    {"no-submit", count_unknown_submit, "without a submit time"},
    {"negative-submit", count_negative_submit, "submitted before the log's start"},
    {"no-runtime", count_unknown_run, "without a runtime"},
    {"zero-runtime", count_zero_run, "with a runtime of 0 s"},
    {"no-procs", count_unknown_procs, "without allocated processors"},
    {"no-wait", count_unknown_wait, "without a wait time"},
    {"no-estimate", count_unknown_estimate, "without a requested time"},
    {"no-user", count_unknown_user, "without a user"},
    {"past-estimate", count_past_estimate, "that ran longer than requested"},
    {"too-wide", count_too_wide, "wider than the machine"},
    {"odd-status", count_odd_status, "with a status that SWF does not define"},
};

/* ---- the list -------------------------------------------------------------------------------- */

LOOM_PRINTF(5, 6)
static int problems_add(struct loom_problems *problems, struct loom_error *err, const char *code,
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

static int check_jobs(struct loom_problems *problems, const struct loom_trace *trace,
                      struct loom_error *err)
{
    const struct job_check *check = job_checks;
    int64_t all = (int64_t)trace->view.n;
    char text[LOOM_HUMAN];
    int rc = 0;
    for (; check < job_checks + N_JOB_CHECKS && !rc; check++) {
        int64_t count = check->count(&trace->view, trace->machine.max_procs);
        if (count > 1 && count == all)
            rc = problems_add(problems, err, check->code, all, "all jobs are %s", check->text);
        else if (count > 0)
            rc = problems_add(problems, err, check->code, count, "%s %s %s",
                              loom_human_count(count, text, sizeof text),
                              count == 1 ? "job" : "jobs", check->text);
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

static int count_repeated_sorted(int64_t *out, const int64_t *numbers, size_t n,
                                 struct loom_error *err)
{
    int64_t *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    memcpy(sorted, numbers, n * sizeof *sorted);
    *out += (int64_t)(n - loom_sort_int64(sorted, n));
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
    return problems_add(problems, err, "repeated-number", repeated,
                        "%" PRId64 " %s a number that an earlier job has", repeated,
                        repeated == 1 ? "job has" : "jobs have");
}

static int check_start(struct loom_problems *problems, const struct loom_trace *trace,
                       struct loom_error *err)
{
    enum { DAY_S = 86400 };
    const struct loom_jobs *jobs = &trace->view;
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->submit_s[i] != -1 && jobs->submit_s[i] < first)
            first = jobs->submit_s[i];
    if (first == INT64_MAX || first < DAY_S)
        return 0;
    return problems_add(problems, err, "late-start", 1,
                        "the first job is submitted %.1f days after the log's start",
                        (double)first / DAY_S);
}

static int check_header(struct loom_problems *problems, const struct loom_trace *trace,
                        struct loom_error *err)
{
    const struct loom_machine *machine = &trace->machine;
    int64_t n = (int64_t)trace->view.n;
    int rc = 0;
    if (machine->max_procs < 0)
        rc = problems_add(problems, err, "no-max-procs", 1,
                          "the header does not give the machine's size (MaxProcs)");
    if (!rc && machine->unix_start_s < 0)
        rc = problems_add(problems, err, "no-start-time", 1,
                          "the header does not say when the log began (UnixStartTime)");
    if (!rc && !machine->time_zone && machine->time_zone_s == INT64_MIN)
        rc = problems_add(problems, err, "no-time-zone", 1,
                          "the header does not give the time zone (TimeZoneString)");
    if (!rc && machine->max_records >= 0 && machine->max_records != n)
        rc =
            problems_add(problems, err, "record-count", 1,
                         "the header promises %" PRId64 " records (MaxRecords), there are %" PRId64,
                         machine->max_records, n);
    return rc;
}

/* Where the machine's size is not named, it is this peak. */
static int check_peak(struct loom_problems *problems, const struct loom_trace *trace,
                      struct loom_error *err)
{
    int64_t peak = 0, procs = trace->machine.max_procs;
    char used[LOOM_HUMAN], size[LOOM_HUMAN];
    int rc = procs > 0 ? loom_trace_peak_procs(&peak, trace, err) : 0;
    if (rc || procs <= 0 || peak <= procs)
        return rc;
    return problems_add(problems, err, "over-full", 1,
                        "%s processors are in use at once on a machine of %s (exceeded for a "
                        "thousandth of the busy time at most)",
                        loom_human_count(peak, used, sizeof used),
                        loom_human_count(procs, size, sizeof size));
}

static int check_reading(struct loom_problems *problems, const struct loom_read_report *report,
                         struct loom_error *err)
{
    int rc = 0;
    if (report->bad_lines > 0) {
        char first[160];
        rc = problems_add(problems, err, "bad-lines", report->bad_lines,
                          "%" PRId64 " bad %s skipped, first %s", report->bad_lines,
                          report->bad_lines == 1 ? "line was" : "lines were",
                          loom_error_text(&report->first_bad, first, sizeof first));
    }
    if (!rc && report->rounded > 0)
        rc = problems_add(problems, err, "rounded", report->rounded,
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
        rc = problems_add(problems, err, "empty", 1, "there are no jobs");
    if (!rc)
        rc = check_jobs(problems, trace, err);
    if (!rc)
        rc = check_numbers(problems, &trace->view, err);
    if (!rc)
        rc = check_start(problems, trace, err);
    if (!rc)
        rc = check_peak(problems, trace, err);
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
