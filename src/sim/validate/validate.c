/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Schedules checked: who ran when, whether that is possible, and what two of them differ in. */
#include "sim/validate/validate.h"
#include "base/error.h"
#include "base/human.h"
#include "sim/schedulers.h"
#include "sim/share.h"
#include "trace/instant.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void loom_breach(struct loom_checked *check, const struct loom_ran *job, int64_t time_s,
                 const char *format, ...)
{
    if (check->breaches++ >= LOOM_BREACHES_KEPT)
        return;
    struct loom_breach *breach = &check->first[check->breaches - 1];
    breach->row = job->row;
    breach->time_s = time_s;
    va_list args;
    va_start(args, format);
    vsnprintf(breach->text, sizeof breach->text, format, args);
    va_end(args);
}

const char *loom_when(const struct loom_played *played, int64_t time_s, char buf[LOOM_WHEN])
{
    if (played->dates)
        return loom_instant_text(played->zone, time_s, buf, LOOM_WHEN);
    snprintf(buf, LOOM_WHEN, "%" PRId64, time_s);
    return buf;
}

const char *loom_how_long(const struct loom_played *played, int64_t span_s, char buf[LOOM_WHEN])
{
    if (played->dates)
        return loom_exact_duration(span_s, buf, LOOM_WHEN);
    snprintf(buf, LOOM_WHEN, "%" PRId64 " s", span_s);
    return buf;
}

/* ---- the jobs that ran ----------------------------------------------------------------------- */

/* Beyond this sums would overflow. */
static const int64_t LONGEST_S = INT64_C(1) << 60;

/* A start before the submission is there to be found: it shows as a negative wait other than the
 * -1 that means unknown. */
bool loom_did_run(const struct loom_jobs *jobs, size_t row)
{
    return jobs->submit_s[row] >= 0 && jobs->wait_s[row] != -1 && jobs->run_s[row] >= 0 &&
           loom_job_procs(jobs, row) > 0 && jobs->submit_s[row] < LONGEST_S &&
           jobs->wait_s[row] < LONGEST_S && jobs->wait_s[row] > -LONGEST_S &&
           jobs->run_s[row] < LONGEST_S;
}

/* The requested time is raised to the runtime, unless it was extended during the run. */
static int64_t estimate_of(const struct loom_jobs *jobs, uint32_t row, enum loom_overrun overrun)
{
    int64_t request_s = jobs->request_s[row], run_s = jobs->run_s[row];
    if (request_s <= 0 || (request_s < run_s && overrun != LOOM_OVERRUN_EXTEND))
        return run_s > 1 ? run_s : 1;
    return request_s < LONGEST_S ? request_s : LONGEST_S;
}

static struct loom_ran ran(const struct loom_jobs *jobs, uint32_t row, enum loom_overrun overrun)
{
    struct loom_ran job = {
        .submit_s = jobs->submit_s[row],
        .start_s = jobs->submit_s[row] + jobs->wait_s[row],
        .estimate_s = estimate_of(jobs, row, overrun),
        .procs = loom_job_procs(jobs, row),
        .row = row,
        .number = jobs->number[row],
    };
    job.end_s = job.start_s + jobs->run_s[row];
    return job;
}

static int compare_times(int64_t a, int64_t b, uint32_t i, uint32_t k)
{
    return a != b ? (a > b) - (a < b) : (i > k) - (i < k);
}

static int by_start(const void *a, const void *b, void *jobs)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct loom_ran *table = jobs;
    return compare_times(table[i].start_s, table[k].start_s, i, k);
}

static int by_end(const void *a, const void *b, void *jobs)
{
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    const struct loom_ran *table = jobs;
    return compare_times(table[i].end_s, table[k].end_s, i, k);
}

static void close_played(struct loom_played *played)
{
    free(played->jobs);
    free(played->by_start);
    free(played->by_end);
    loom_zone_destroy(played->zone);
    *played = (struct loom_played){0};
}

static int open_played(struct loom_played *out, const struct loom_trace *schedule,
                       const struct loom_validate_options *options, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(schedule);
    uint32_t *order = NULL;
    int rc = loom_trace_order(&order, schedule, err);
    if (rc)
        return rc;
    *out = (struct loom_played){.procs = options->procs,
                                .dates = options->dates,
                                .jobs = malloc((jobs->n + 1) * sizeof *out->jobs),
                                .by_start = malloc((jobs->n + 1) * sizeof *out->by_start),
                                .by_end = malloc((jobs->n + 1) * sizeof *out->by_end)};
    if (!out->jobs || !out->by_start || !out->by_end) {
        free(order);
        close_played(out);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < jobs->n; i++)
        if (loom_did_run(jobs, order[i])) {
            out->by_start[out->n] = out->by_end[out->n] = (uint32_t)out->n;
            out->jobs[out->n++] = ran(jobs, order[i], options->overrun);
        }
    free(order);
    if (out->dates && loom_trace_machine(schedule)->unix_start_s != -1)
        rc = loom_zone_create(&out->zone, schedule, NULL, err);
    qsort_r(out->by_start, out->n, sizeof *out->by_start, by_start, out->jobs);
    qsort_r(out->by_end, out->n, sizeof *out->by_end, by_end, out->jobs);
    return rc;
}

/* ---- what must hold for any policy ----------------------------------------------------------- */

static void check_starts(struct loom_checked *check, const struct loom_played *played)
{
    char start[LOOM_WHEN], submit[LOOM_WHEN];
    for (size_t i = 0; i < played->n; i++) {
        const struct loom_ran *job = &played->jobs[i];
        if (job->start_s < job->submit_s)
            loom_breach(check, job, job->start_s,
                        "job %" PRId64 " starts at %s and is submitted at %s", job->number,
                        loom_when(played, job->start_s, start),
                        loom_when(played, job->submit_s, submit));
    }
}

/* Ends come first: a job has its processors until its end, the end excluded. A job of no length has
 * them for no time, and all that can be asked is that they exist. */
static void check_capacity(struct loom_checked *check, const struct loom_played *played)
{
    int64_t busy = 0;
    size_t ended = 0;
    char start[LOOM_WHEN];
    for (size_t i = 0; i < played->n; i++) {
        const struct loom_ran *job = &played->jobs[played->by_start[i]], *done;
        while (ended < played->n &&
               (done = &played->jobs[played->by_end[ended]])->end_s <= job->start_s) {
            busy -= done->end_s > done->start_s ? done->procs : 0;
            ended++;
        }
        busy += job->end_s > job->start_s ? job->procs : 0;
        if (busy > played->procs || job->procs > played->procs)
            loom_breach(check, job, job->start_s,
                        "job %" PRId64 " starts at %s, and then %" PRId64 " of %" PRId64
                        " processors are busy",
                        job->number, loom_when(played, job->start_s, start),
                        busy > job->procs ? busy : job->procs, played->procs);
    }
}

static bool overran(const struct loom_jobs *jobs, size_t row)
{
    return loom_did_run(jobs, row) && jobs->request_s[row] > 0 &&
           jobs->run_s[row] > jobs->request_s[row];
}

static int64_t count_overran(const struct loom_trace *schedule)
{
    const struct loom_jobs *jobs = loom_trace_jobs(schedule);
    int64_t n = 0;
    for (size_t row = 0; row < jobs->n; row++)
        n += overran(jobs, row);
    return n;
}

static void check_killed(struct loom_checked *check, const struct loom_played *played,
                         const struct loom_jobs *jobs)
{
    char asked[LOOM_WHEN], ran_for[LOOM_WHEN];
    for (size_t i = 0; i < played->n; i++) {
        const struct loom_ran *job = &played->jobs[i];
        if (overran(jobs, job->row))
            loom_breach(check, job, job->start_s + jobs->request_s[job->row],
                        "job %" PRId64 " requested %s and runs for %s", job->number,
                        loom_how_long(played, jobs->request_s[job->row], asked),
                        loom_how_long(played, jobs->run_s[job->row], ran_for));
    }
}

/* ---- all checks ------------------------------------------------------------------------------ */

static struct loom_checked *add_check(struct loom_validation *out, const char *rule,
                                      const char *what)
{
    struct loom_checked *check = &out->checks[out->n++];
    *check = (struct loom_checked){.rule = rule, .what = what};
    return check;
}

static struct loom_checked *add_reservation(struct loom_validation *out, int64_t slack)
{
    return add_check(out, "reservation",
                     slack > 0
                         ? "no job starts later than was promised to it as the first, and the "
                           "slack"
                         : "no job starts later than was promised to it as the first");
}

/* The policies that start jobs in the order of their queue, and look after its first. */
static int check_queue(struct loom_validation *out, const struct loom_played *played,
                       const char *policy, const struct loom_params *params, struct loom_error *err)
{
    struct loom_first_rules rules = {.order = loom_order_chosen(params)};
    bool fcfs = strcmp(policy, "fcfs") == 0, by_submission = rules.order == &loom_order_fcfs;
    if (strcmp(policy, "relaxed") == 0)
        rules.slack = loom_billionths(loom_params_real(params, "slack"));
    rules.idle = add_check(out, "idle", "the first waiting job starts as soon as it fits");
    if (fcfs && by_submission)
        loom_check_order(add_check(out, "order", "no job starts before one submitted earlier"),
                         played);
    else if (fcfs)
        rules.turn = add_check(out, "order", "no job starts before another that the order prefers");
    else
        rules.reservation = add_reservation(out, rules.slack);
    return loom_check_first(&rules, played, err);
}

/* What the policy promises and the schedule shows. Is there anything? */
static int check_promises(struct loom_validation *out, bool *any, const struct loom_played *played,
                          const char *policy, const struct loom_params *params,
                          struct loom_error *err)
{
    static const char *const queues[] = {"fcfs", "easy", "easy-sjbf", "lookahead", "relaxed"};
    *any = true;
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        if (strcmp(queues[i], policy) == 0)
            return check_queue(out, played, policy, params, err);
    if (strcmp(policy, "conservative") == 0)
        return loom_check_plan(add_check(out, "plan", "no job starts later than it was planned"),
                               played, err);
    *any = false;
    return 0;
}

/* The promises are stated for our own order of events. */
static int check_policy(struct loom_validation *out, const struct loom_trace *schedule,
                        const struct loom_played *played,
                        const struct loom_validate_options *options, struct loom_error *err)
{
    const struct loom_scheduler_ops *ops = NULL;
    struct loom_params *params = NULL;
    bool any = false;
    int rc = loom_scheduler_parse(&ops, &params, options->schedulers, options->policy, err);
    if (!rc && options->compat == LOOM_COMPAT_NONE)
        rc = check_promises(out, &any, played, ops->info.name, params, err);
    if (!rc && (options->exact || !any))
        rc = loom_check_exact(
            add_check(out, "exact", "every job starts when a simulation of the policy starts it"),
            schedule, played, options, err);
    loom_params_destroy(params);
    return rc;
}

/* Before anything is looked at. */
static int check_options(const struct loom_validate_options *options, const char *file,
                         struct loom_error *err)
{
    int rc = options->policy ? loom_scheduler_check(options->schedulers, options->policy, err) : 0;
    if (!rc && options->exact && !options->policy)
        rc = loom_fail_field(err, LOOM_EUSAGE, "exact policy", "exact requires policy");
    if (!rc && options->procs <= 0)
        rc = loom_blame(loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                                     "the schedule does not name the size of its machine; set "
                                     "procs"),
                        "procs", err);
    return rc;
}

static void check_any(struct loom_validation *out, const struct loom_trace *schedule,
                      const struct loom_played *played, enum loom_overrun overrun)
{
    out->jobs = (int64_t)played->n;
    out->unrun = (int64_t)(loom_trace_count(schedule) - played->n);
    out->overran = count_overran(schedule);
    check_starts(add_check(out, "start", "no job starts before it is submitted"), played);
    check_capacity(add_check(out, "capacity", "no more processors are busy than there are"),
                   played);
    if (overrun == LOOM_OVERRUN_KILL)
        check_killed(add_check(out, "overrun", "no job runs longer than it requested"), played,
                     loom_trace_jobs(schedule));
}

int loom_validate(struct loom_validation *out, const struct loom_trace *schedule,
                  const struct loom_validate_options *options, struct loom_error *err)
{
    *out = (struct loom_validation){0};
    struct loom_played played = {0};
    const char *file = loom_trace_report(schedule)->file;
    int rc = check_options(options, file, err);
    if (!rc)
        rc = open_played(&played, schedule, options, err);
    if (!rc && played.n == 0)
        rc = loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                          "no job of it has a known wait, runtime and size: there is no schedule "
                          "to check");
    if (!rc)
        check_any(out, schedule, &played, options->overrun);
    if (!rc && options->policy)
        rc = check_policy(out, schedule, &played, options, err);
    close_played(&played);
    return rc;
}

/* ---- two schedules --------------------------------------------------------------------------- */

struct numbered {
    int64_t number, submit_s, start_s;
    int32_t procs;
};

static int by_number(const void *a, const void *b)
{
    int64_t left = ((const struct numbered *)a)->number,
            right = ((const struct numbered *)b)->number;
    return (left > right) - (left < right);
}

/* The starts of all jobs by number; -1 for those that did not run. The caller must free them. */
static int number_starts(struct numbered **out, const struct loom_trace *trace,
                         struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct numbered *list = malloc((jobs->n + 1) * sizeof *list);
    if (!list)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        list[i] =
            (struct numbered){.number = jobs->number[i],
                              .submit_s = jobs->submit_s[i],
                              .start_s =
                                  loom_did_run(jobs, i) ? jobs->submit_s[i] + jobs->wait_s[i] : -1,
                              .procs = loom_job_procs(jobs, i)};
    qsort(list, jobs->n, sizeof *list, by_number);
    for (size_t i = 1; i < jobs->n; i++)
        if (list[i].number == list[i - 1].number) {
            int64_t number = list[i].number;
            free(list);
            return loom_fail_at(err, LOOM_EDATA, loom_trace_report(trace)->file, 0, 0,
                                "job number %" PRId64
                                " occurs twice, so schedules cannot be compared job by job; give "
                                "each job a number of its own",
                                number);
        }
    *out = list;
    return 0;
}

static void compare_pair(struct loom_schedule_difference *out, double *sum_s, int64_t *both_ran,
                         const struct numbered *a, const struct numbered *b)
{
    out->unlike += a->submit_s != b->submit_s || a->procs != b->procs;
    if (a->start_s >= 0 && b->start_s >= 0) {
        int64_t apart_s = llabs(a->start_s - b->start_s);
        *sum_s += (double)apart_s;
        ++*both_ran;
        if (apart_s > out->largest_s)
            out->largest_s = apart_s;
    }
    if (a->start_s == b->start_s) {
        ++*(a->start_s < 0 ? &out->unrun : &out->same);
        return;
    }
    out->different++;
    if (out->n_first < LOOM_BREACHES_KEPT) {
        out->first[out->n_first].number = a->number;
        out->first[out->n_first].start_a_s = a->start_s;
        out->first[out->n_first++].start_b_s = b->start_s;
    }
}

static void compare_lists(struct loom_schedule_difference *out, const struct numbered *a, size_t n,
                          const struct numbered *b, size_t m)
{
    double sum_s = 0;
    int64_t both_ran = 0;
    size_t i = 0, k = 0;
    while (i < n && k < m)
        if (a[i].number < b[k].number) {
            out->only_a++;
            i++;
        } else if (a[i].number > b[k].number) {
            out->only_b++;
            k++;
        } else {
            compare_pair(out, &sum_s, &both_ran, &a[i++], &b[k++]);
        }
    out->only_a += (int64_t)(n - i);
    out->only_b += (int64_t)(m - k);
    out->mean_s = both_ran ? sum_s / (double)both_ran : 0;
}

int loom_schedules_compare(struct loom_schedule_difference *out, const struct loom_trace *a,
                           const struct loom_trace *b, struct loom_error *err)
{
    *out = (struct loom_schedule_difference){0};
    struct numbered *left = NULL, *right = NULL;
    int rc = number_starts(&left, a, err);
    if (!rc)
        rc = number_starts(&right, b, err);
    if (!rc)
        compare_lists(out, left, loom_trace_count(a), right, loom_trace_count(b));
    free(left);
    free(right);
    return rc;
}
