/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule "impossible": records that cannot be true.
 *
 * In order: a submit time below 0; a wait or a runtime below -1; a job that ran on 0 processors
 * (runtime above 0, allocated 0, and none requested either), unless no job of the log was allocated
 * any, as a log that does not record allocations may say so with 0; more processors allocated or
 * requested than the machine has, if the header has MaxProcs; a submit time more than a day
 * past the header's EndTime, if the header has the start of the log; all fields the same as in an
 * earlier record. -1 is "unknown" and never impossible, but for the submit time, without which a
 * job has no place in the log.
 *
 * With --max-gap, also jobs that stand apart: at most 5 % of the jobs, before the last or after the
 * first gap in the submit times that is longer than that and cuts off so few. They are records from
 * before the log really began, or with a wrong clock.
 */
#include "trace/clean/clean.h"

#include "base/civil.h"
#include "base/compare.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool impossible_wanted(const struct loom_params *params)
{
    return !loom_params_flag(params, "keep-impossible") || loom_params_text(params, "max-gap");
}

/* ---- tests of one record --------------------------------------------------------------------- */

typedef bool test_fn(const struct loom_jobs *jobs, size_t row, int64_t limit);

static bool submit_is_negative(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    (void)limit;
    return jobs->submit_s[row] < 0;
}

static bool wait_is_negative(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    (void)limit;
    return jobs->wait_s[row] < -1;
}

static bool runtime_is_negative(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    (void)limit;
    return jobs->run_s[row] < -1;
}

static bool ran_nowhere(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    (void)limit;
    return jobs->run_s[row] > 0 && jobs->alloc_procs[row] == 0 && jobs->req_procs[row] <= 0;
}

static bool got_too_many(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    return jobs->alloc_procs[row] > limit;
}

static bool asked_too_many(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    return jobs->req_procs[row] > limit;
}

static bool submit_is_past(const struct loom_jobs *jobs, size_t row, int64_t limit)
{
    return jobs->submit_s[row] > limit;
}

static int drop(struct loom_find *find, test_fn *test, int64_t limit, const char *text,
                struct loom_error *err)
{
    int rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < find->n; i++)
        if (test(find->jobs, find->rows[i], limit))
            loom_reason_mark(find, find->rows[i]);
    return loom_reason_end(find, err, "%s", text);
}

static bool has_allocations(const struct loom_find *find)
{
    for (size_t i = 0; i < find->n; i++)
        if (find->jobs->alloc_procs[find->rows[i]] > 0)
            return true;
    return false;
}

static int drop_negative(struct loom_find *find, struct loom_error *err)
{
    int rc = drop(find, submit_is_negative, 0, "submit time below 0 or unknown", err);
    if (!rc)
        rc = drop(find, wait_is_negative, 0, "wait time below -1", err);
    if (!rc)
        rc = drop(find, runtime_is_negative, 0, "runtime below -1", err);
    if (!rc && has_allocations(find))
        rc = drop(find, ran_nowhere, 0, "ran, but on no processors", err);
    return rc;
}

static int drop_oversized(struct loom_find *find, struct loom_error *err)
{
    int64_t most = loom_trace_machine(find->trace)->max_procs;
    if (most <= 0)
        return 0;
    char text[160];
    snprintf(text, sizeof text, "allocated more processors than the machine's %" PRId64, most);
    int rc = drop(find, got_too_many, most, text, err);
    snprintf(text, sizeof text, "requested more processors than the machine's %" PRId64, most);
    return rc ? rc : drop(find, asked_too_many, most, text, err);
}

/* ---- the end of the log ---------------------------------------------------------------------- */

static int month_of(const char *word)
{
    static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    for (int month = 0; month < 12; month++)
        if (strncasecmp(word, names + 3 * month, 3) == 0)
            return month + 1;
    return 0;
}

/* "Mon Jan 16 20:31:24 CET 2006", with or without the zone, as local seconds since 1970. */
static bool parse_header_time(int64_t *local_s, const char *text)
{
    char month[4], last[8], zone[8];
    struct loom_civil at = {0};
    int used = 0;
    if (sscanf(text, "%*3[A-Za-z] %3[A-Za-z] %2d %2d:%2d:%2d %n", month, &at.day, &at.hour,
               &at.minute, &at.second, &used) != 5 ||
        !used)
        return false;
    if (sscanf(text + used, "%7[A-Za-z] %4[0-9]", zone, last) != 2 &&
        sscanf(text + used, "%4[0-9]", last) != 1)
        return false;
    at.month = month_of(month);
    at.year = strtol(last, NULL, 10);
    if (at.month == 0 || at.year < 1970 || at.day < 1 ||
        at.day > loom_civil_month_days(at.year, at.month) || at.hour < 0 || at.hour > 23 ||
        at.minute < 0 || at.minute > 59 || at.second < 0 || at.second > 60)
        return false;
    *local_s = loom_civil_seconds(&at);
    return true;
}

static int drop_late(struct loom_find *find, struct loom_error *err)
{
    const char *end = loom_trace_directive(find->trace, "EndTime");
    int64_t local_s;
    if (!end || loom_trace_machine(find->trace)->unix_start_s < 0 ||
        !parse_header_time(&local_s, end))
        return 0;
    int64_t end_s = loom_zone_log(find->zone, local_s);
    if (end_s < 0)
        return 0; /* the header ends the log before it begins */
    char text[160];
    snprintf(text, sizeof text, "submitted more than a day past the header's EndTime, %.60s", end);
    return drop(find, submit_is_past, end_s + LOOM_DAY_S, text, err);
}

/* ---- copies ---------------------------------------------------------------------------------- */

struct record {
    uint64_t hash;
    uint32_t row;
    const struct loom_jobs *jobs;
};

static uint64_t hash_record(const struct loom_jobs *jobs, size_t row)
{
    unsigned char bytes[LOOM_JOB_BYTES];
    size_t used = 0;
#define X(name, type, what)                               \
    memcpy(bytes + used, &jobs->name[row], sizeof(type)); \
    used += sizeof(type);
    LOOM_COLUMNS(X)
#undef X
    return loom_hash(bytes, used);
}

/* The order of two records by all their fields, as bytes; 0 if they are the same. */
static int compare_fields(const struct loom_jobs *jobs, size_t a, size_t b)
{
    int order = 0;
#define X(name, type, what) \
    if (!order)             \
        order = memcmp(&jobs->name[a], &jobs->name[b], sizeof(type));
    LOOM_COLUMNS(X)
#undef X
    return order;
}

static int compare_records(const void *left, const void *right)
{
    const struct record *a = left, *b = right;
    if (a->hash != b->hash)
        return LOOM_COMPARE(a->hash, b->hash);
    return LOOM_FIRST_DIFFERENCE(compare_fields(a->jobs, a->row, b->row),
                                 LOOM_COMPARE(a->row, b->row));
}

static int drop_copies(struct loom_find *find, struct loom_error *err)
{
    struct record *records = malloc((find->n ? find->n : 1) * sizeof *records);
    if (!records)
        return loom_fail_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < find->n; i++)
        if (!loom_reason_taken(find, find->rows[i]))
            records[n++] = (struct record){.hash = hash_record(find->jobs, find->rows[i]),
                                           .row = find->rows[i],
                                           .jobs = find->jobs};
    qsort(records, n, sizeof *records, compare_records);
    int rc = loom_reason_begin(find, err);
    for (size_t i = 1; i < n && !rc; i++)
        if (records[i].hash == records[i - 1].hash &&
            compare_fields(find->jobs, records[i].row, records[i - 1].row) == 0)
            loom_reason_mark(find, records[i].row);
    free(records);
    return rc ? rc : loom_reason_end(find, err, "copy of an earlier record, all fields the same");
}

/* ---- jobs that stand apart ------------------------------------------------------------------- */

static bool gap_before(const struct loom_find *find, const uint32_t *rows, size_t i, double gap_s)
{
    const int64_t *submit_s = find->jobs->submit_s;
    return (double)loom_time_between(submit_s[rows[i - 1]], submit_s[rows[i]]) > gap_s;
}

static int drop_stretch(struct loom_find *find, const uint32_t *rows, size_t from, size_t to,
                        const char *side, double days, struct loom_error *err)
{
    if (from == to)
        return 0;
    int rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    for (size_t i = from; i < to; i++)
        loom_reason_mark(find, rows[i]);
    char first[LOOM_FIND_TEXT], last[LOOM_FIND_TEXT];
    const int64_t *submit_s = find->jobs->submit_s;
    return loom_reason_end(find, err, "%s a gap of more than %g days, from %s to %s", side, days,
                           loom_find_time(find, submit_s[rows[from]], first, sizeof first),
                           loom_find_time(find, submit_s[rows[to - 1]], last, sizeof last));
}

static int drop_apart(struct loom_find *find, struct loom_error *err)
{
    uint32_t *rows = malloc((find->n ? find->n : 1) * sizeof *rows);
    if (!rows)
        return loom_fail_memory(err);
    size_t n = 0;
    for (size_t i = 0; i < find->n; i++)
        if (!loom_reason_taken(find, find->rows[i]))
            rows[n++] = find->rows[i];
    double days = loom_params_real(find->params, "max-gap");
    size_t few = n >= 40 ? n / 20 : n > 2 ? 1 : 0;
    size_t start = 0, end = n;
    for (size_t i = 1; i <= few; i++) {
        if (gap_before(find, rows, i, days * LOOM_DAY_S))
            start = i;
        if (gap_before(find, rows, n - i, days * LOOM_DAY_S))
            end = n - i;
    }
    int rc = drop_stretch(find, rows, 0, start, "before", days, err);
    if (!rc)
        rc = drop_stretch(find, rows, end, n, "after", days, err);
    free(rows);
    return rc;
}

/* ---- the rule -------------------------------------------------------------------------------- */

static int find_impossible(struct loom_find *find, struct loom_error *err)
{
    int rc = 0;
    if (!loom_params_flag(find->params, "keep-impossible")) {
        rc = drop_negative(find, err);
        if (!rc)
            rc = drop_oversized(find, err);
        if (!rc)
            rc = drop_late(find, err);
        if (!rc)
            rc = drop_copies(find, err);
    }
    if (!rc && loom_params_text(find->params, "max-gap"))
        rc = drop_apart(find, err);
    return rc;
}

const struct loom_rule_ops loom_rule_impossible = {
    .info = {.name = "impossible",
             .summary = "values that cannot be true, jobs larger than the machine, copies of "
                        "records, and with --max-gap jobs far from all others",
             .on_by_default = true},
    .wanted = impossible_wanted,
    .find = find_impossible,
};
