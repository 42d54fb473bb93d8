/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule "flurry": bursts of one user that dominate the log for a while (Feitelson and Tsafrir,
 * "Workload sanitation for performance evaluation", 2006), named by the user or found
 * automatically.
 *
 * Found automatically: let B be the busy week of all *other* users, the 90th percentile over the
 * log's weeks (7 days each from its first submit, empty weeks left out) of the number of jobs they
 * submit. Measured so, a log in which many users come in bursts needs a larger one to stand out.
 *   1. A span of 24 hours from one of the user's jobs is hot if the user submits in it at least B/7
 *      jobs, as many as all others on a busy day, and at least flurry-share of the jobs that anyone
 *      submits in it.
 *   2. Hot spans at most a week apart are chained. A chain runs from the first to the last of the
 *      user's jobs in its spans.
 *   3. A chain is a flurry if it has at least flurry-jobs jobs and, in its busiest 7 days, at least
 *      flurry-weeks times B.
 *   4. It must be a burst of this user too, not the way the user always works: it lasts at most a
 *      third of the log and, where the user has jobs outside it in at least four weeks, its busiest
 *      7 days hold at least three times the median of those weeks.
 * All the user's jobs in a flurry go. As a flurry raises the B of everyone else, the search is
 * repeated on what is left until it finds nothing more, at most 20 times.
 *
 * Jobs of unknown users are never a flurry, and a log of one user has none: there is nobody to
 * dominate.
 */
#include "base/compare.h"
#include "base/search.h"
#include "trace/clean/clean.h"

#include "base/civil.h"
#include "trace/number.h"
#include "trace/select.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WEEK_S = 7 * LOOM_DAY_S,
    MAX_ROUNDS = 20,
    LOG_PARTS = 3,    /* a flurry lasts at most one of so many equal parts of the log */
    OWN_TIMES = 3,    /* and is so many times the user's median week, */
    OWN_WEEKS_MIN = 4 /* needed to know it */
};

static bool flurry_wanted(const struct loom_params *params)
{
    return loom_params_count(params, "flurry") > 0 ||
           strcmp(loom_params_text(params, "flurries"), "auto") == 0;
}

/* ---- the log as it stands -------------------------------------------------------------------- */

/* A job of the log: where it is, when, and whose. */
struct entry {
    int64_t submit_s;
    int32_t user;
    uint32_t row;
    uint32_t week; /* counting only weeks with jobs */
};

/* The unmarked jobs, once by (submit, row) and once by (user, submit, row). */
struct log {
    struct entry *by_time, *by_user;
    size_t n;
    uint32_t *week_jobs;    /* of each week */
    uint32_t *sorted_weeks; /* the same, ascending */
    uint32_t *own_weeks;    /* room for one user's */
    size_t n_weeks;
};

static void log_free(struct log *log)
{
    free(log->by_time);
    free(log->by_user);
    free(log->week_jobs);
    free(log->sorted_weeks);
    free(log->own_weeks);
}

static int log_create(struct log *log, size_t n, struct loom_error *err)
{
    *log = (struct log){0};
    size_t room = n ? n : 1;
    log->by_time = malloc(room * sizeof *log->by_time);
    log->by_user = malloc(room * sizeof *log->by_user);
    log->week_jobs = malloc(room * sizeof *log->week_jobs);
    log->sorted_weeks = malloc(room * sizeof *log->sorted_weeks);
    log->own_weeks = malloc(room * sizeof *log->own_weeks);
    if (log->by_time && log->by_user && log->week_jobs && log->sorted_weeks && log->own_weeks)
        return 0;
    log_free(log);
    return loom_fail_memory(err);
}

static int compare_users(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(a->user, b->user),
                                 LOOM_COMPARE(a->submit_s, b->submit_s),
                                 LOOM_COMPARE(a->row, b->row));
}

static int compare_counts(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return LOOM_COMPARE(a, b);
}

static void number_weeks(struct log *log)
{
    uint64_t last = 0;
    log->n_weeks = 0;
    for (size_t i = 0; i < log->n; i++) {
        uint64_t week =
            loom_time_between(log->by_time[0].submit_s, log->by_time[i].submit_s) / WEEK_S;
        if (i == 0 || week != last)
            log->week_jobs[log->n_weeks++] = 0;
        last = week;
        log->week_jobs[log->n_weeks - 1]++;
        log->by_time[i].week = (uint32_t)(log->n_weeks - 1);
    }
}

static void log_fill(struct log *log, const struct loom_find *find)
{
    log->n = 0;
    for (size_t i = 0; i < find->n; i++) {
        uint32_t row = find->rows[i];
        if (!loom_reason_taken(find, row))
            log->by_time[log->n++] = (struct entry){.submit_s = find->jobs->submit_s[row],
                                                    .user = find->jobs->user[row],
                                                    .row = row};
    }
    number_weeks(log);
    memcpy(log->by_user, log->by_time, log->n * sizeof *log->by_user);
    qsort(log->by_user, log->n, sizeof *log->by_user, compare_users);
    memcpy(log->sorted_weeks, log->week_jobs, log->n_weeks * sizeof *log->sorted_weeks);
    qsort(log->sorted_weeks, log->n_weeks, sizeof *log->sorted_weeks, compare_counts);
}

/* Jobs of anyone submitted before time_s, or (through) at time_s too. */
static size_t jobs_before(const struct log *log, int64_t time_s, bool through)
{
    size_t low = 0, high = log->n;
    if (through)
        LOOM_BISECT(low, high, middle, log->by_time[middle].submit_s <= time_s);
    else
        LOOM_BISECT(low, high, middle, log->by_time[middle].submit_s < time_s);
    return low;
}

static size_t jobs_between(const struct log *log, int64_t first_s, int64_t last_s)
{
    return jobs_before(log, last_s, true) - jobs_before(log, first_s, false);
}

/* ---- the busy week of all others ------------------------------------------------------------- */

static size_t weeks_up_to(const struct log *log, uint32_t jobs)
{
    size_t low = 0, high = log->n_weeks;
    LOOM_BISECT(low, high, middle, log->sorted_weeks[middle] <= jobs);
    return low;
}

/* In how many weeks the others submit at most `most` jobs. own is the user's jobs. */
static size_t others_up_to(const struct log *log, const struct entry *own, size_t n, uint32_t most)
{
    size_t weeks = weeks_up_to(log, most);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && own[end].week == own[i].week;)
            end++;
        uint32_t all = log->week_jobs[own[i].week];
        weeks += all > most && all - (uint32_t)(end - i) <= most;
    }
    return weeks;
}

/* The least number of jobs that the others do not exceed in 90 % of the weeks, and at least 1.
 * Found by halving, as only the user's own weeks differ from the sorted totals. */
static double busy_week(const struct log *log, const struct entry *own, size_t n)
{
    size_t wanted_weeks = log->n_weeks - log->n_weeks / 10;
    uint32_t low = 0, high = log->sorted_weeks[log->n_weeks - 1];
    LOOM_BISECT(low, high, middle, others_up_to(log, own, n, middle) < wanted_weeks);
    return low > 0 ? (double)low : 1.0;
}

/* ---- finding flurries ------------------------------------------------------------------------ */

struct limits {
    double weeks, share, jobs;
};

/* The user's jobs own[first .. last]. */
struct chain {
    size_t first, last;
};

/* One past the last of the user's jobs less than span_s after job `first`, looking from `end` on.
 */
static size_t span_end(const struct entry *own, size_t n, size_t first, size_t end, uint64_t span_s)
{
    while (end < n && loom_time_between(own[first].submit_s, own[end].submit_s) < span_s)
        end++;
    return end;
}

static bool is_hot(const struct log *log, const struct entry *own, size_t first, size_t end,
                   double busy, double share)
{
    double mine = (double)(end - first);
    if (mine * 7 < busy)
        return false;
    int64_t last_s = loom_saturated_add(own[first].submit_s, LOOM_DAY_S - 1);
    return mine >= share * (double)jobs_between(log, own[first].submit_s, last_s);
}

static size_t busiest_week(const struct entry *own, size_t n, struct chain chain)
{
    size_t most = 0, end = chain.first;
    for (size_t i = chain.first; i <= chain.last; i++) {
        end = span_end(own, n, i, end, WEEK_S);
        if (end > chain.last + 1)
            end = chain.last + 1;
        most = end - i > most ? end - i : most;
    }
    return most;
}

/* The user's jobs outside the chain in each week that has any, into log->own_weeks. */
static size_t count_outside(const struct log *log, const struct entry *own, size_t n,
                            struct chain chain)
{
    size_t weeks = 0;
    uint32_t last = 0;
    for (size_t i = 0; i < n; i++) {
        if (i >= chain.first && i <= chain.last)
            continue;
        if (weeks == 0 || own[i].week != last)
            log->own_weeks[weeks++] = 0;
        last = own[i].week;
        log->own_weeks[weeks - 1]++;
    }
    return weeks;
}

/* most is the chain's busiest 7 days. Of an even number of weeks the lower median counts. */
static bool is_burst(const struct log *log, const struct entry *own, size_t n, struct chain chain,
                     size_t most)
{
    uint64_t log_s = loom_time_between(log->by_time[0].submit_s, log->by_time[log->n - 1].submit_s);
    if (loom_time_between(own[chain.first].submit_s, own[chain.last].submit_s) > log_s / LOG_PARTS)
        return false;
    size_t weeks = count_outside(log, own, n, chain);
    if (weeks < OWN_WEEKS_MIN)
        return true;
    qsort(log->own_weeks, weeks, sizeof *log->own_weeks, compare_counts);
    return most / OWN_TIMES >= log->own_weeks[(weeks - 1) / 2];
}

static int drop_flurry(struct loom_find *find, const struct log *log, const struct entry *own,
                       struct chain chain, double times, struct loom_error *err)
{
    int rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    for (size_t i = chain.first; i <= chain.last; i++)
        loom_reason_mark(find, own[i].row);
    int64_t first_s = own[chain.first].submit_s, last_s = own[chain.last].submit_s;
    double share =
        (double)(chain.last - chain.first + 1) / (double)jobs_between(log, first_s, last_s);
    char user[LOOM_FIND_TEXT], from[LOOM_FIND_TEXT], to[LOOM_FIND_TEXT];
    return loom_reason_end(find, err,
                           "flurry of %s from %s to %s, %.0f %% of all jobs in that time and in 7 "
                           "days up to %.1f times the busy week of all others",
                           loom_find_user(find, own->user, user, sizeof user),
                           loom_find_time(find, first_s, from, sizeof from),
                           loom_find_time(find, last_s, to, sizeof to), 100 * share, times);
}

static int end_chain(struct loom_find *find, const struct log *log, const struct entry *own,
                     size_t n, struct chain chain, double busy, const struct limits *limits,
                     struct loom_error *err)
{
    if ((double)(chain.last - chain.first + 1) < limits->jobs)
        return 0;
    size_t most = busiest_week(own, n, chain);
    double times = (double)most / busy;
    if (times < limits->weeks || !is_burst(log, own, n, chain, most))
        return 0;
    return drop_flurry(find, log, own, chain, times, err);
}

static int search_user(struct loom_find *find, const struct log *log, const struct entry *own,
                       size_t n, const struct limits *limits, struct loom_error *err)
{
    if ((double)n < limits->jobs || n == log->n)
        return 0;
    double busy = busy_week(log, own, n);
    struct chain chain = {0, 0};
    bool open = false;
    int rc = 0;
    for (size_t i = 0, end = 0; i < n && !rc; i++) {
        end = span_end(own, n, i, end, LOOM_DAY_S);
        if (!is_hot(log, own, i, end, busy, limits->share))
            continue;
        if (open && (i <= chain.last ||
                     loom_time_between(own[chain.last].submit_s, own[i].submit_s) <= WEEK_S)) {
            chain.last = end - 1 > chain.last ? end - 1 : chain.last;
            continue;
        }
        if (open)
            rc = end_chain(find, log, own, n, chain, busy, limits, err);
        chain = (struct chain){i, end - 1};
        open = true;
    }
    return open && !rc ? end_chain(find, log, own, n, chain, busy, limits, err) : rc;
}

static int search_users(struct loom_find *find, const struct log *log, const struct limits *limits,
                        struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0, end; i < log->n && !rc; i = end) {
        const struct entry *own = log->by_user + i;
        for (end = i + 1; end < log->n && log->by_user[end].user == own->user;)
            end++;
        if (own->user >= 0)
            rc = search_user(find, log, own, end - i, limits, err);
    }
    return rc;
}

static int search(struct loom_find *find, struct log *log, struct loom_error *err)
{
    const struct limits limits = {
        .weeks = loom_params_real(find->params, "flurry-weeks"),
        .share = loom_params_real(find->params, "flurry-share"),
        .jobs = (double)loom_params_int(find->params, "flurry-jobs"),
    };
    size_t before = find->n + 1;
    int rc = 0;
    log_fill(log, find);
    for (int round = 0; round < MAX_ROUNDS && log->n < before && !rc; round++) {
        before = log->n;
        rc = search_users(find, log, &limits, err);
        log_fill(log, find);
    }
    return rc;
}

/* ---- named flurries -------------------------------------------------------------------------- */

struct named {
    int32_t user;
    bool by_number; /* first and last are job numbers, else times */
    int64_t first, last;
};

static int fail_named(const char *text, struct loom_error *err)
{
    return loom_fail_field(
        err, LOOM_EUSAGE, "flurry",
        "flurry wants USER:FROM:TO with two times, or USER:#FIRST:#LAST with two job "
        "numbers, not '%s'",
        text);
}

static bool parse_job(int64_t *out, const char *text, size_t length)
{
    return length > 1 && text[0] == '#' &&
           loom_number_int(out, text + 1, length - 1) == LOOM_NUMBER_OK;
}

/* One side of FROM:TO; an empty one leaves the value, an open end. Negative on failure. */
static int parse_time(int64_t *out, const struct loom_find *find, const char *text, size_t length,
                      struct loom_error *err)
{
    char copy[64];
    if (length == 0)
        return 0;
    if (length >= sizeof copy)
        return LOOM_EUSAGE;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return loom_zone_parse(out, find->zone, copy, err);
}

/* Times have colons of their own: the colon between them is the one with a time on either side. */
static int parse_times(struct named *named, const struct loom_find *find, const char *text,
                       const char *whole, struct loom_error *err)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        named->first = INT64_MIN;
        named->last = INT64_MAX;
        int rc = parse_time(&named->first, find, text, (size_t)(colon - text), err);
        if (!rc)
            rc = parse_time(&named->last, find, colon + 1, strlen(colon + 1), err);
        if (rc == 0 || rc == LOOM_EDATA)
            return rc;
    }
    return fail_named(whole, err);
}

static int parse_named(struct named *named, const struct loom_find *find, const char *text,
                       struct loom_error *err)
{
    const char *range = strchr(text, ':');
    if (!range)
        return fail_named(text, err);
    int rc =
        loom_trace_resolve(&named->user, find->trace, LOOM_USER, text, (size_t)(range - text), err);
    if (rc)
        return rc;
    range++;
    named->by_number = *range == '#';
    if (named->by_number) {
        size_t left = strcspn(range, ":");
        const char *right = range[left] ? range + left + 1 : "";
        if (!parse_job(&named->first, range, left) ||
            !parse_job(&named->last, right, strlen(right)))
            rc = fail_named(text, err);
    } else {
        rc = parse_times(named, find, range, text, err);
    }
    if (!rc && named->first > named->last)
        rc = loom_fail_field(err, LOOM_EUSAGE, "flurry", "flurry %s ends before it begins", text);
    return rc;
}

static bool is_named(const struct named *named, const struct loom_jobs *jobs, uint32_t row)
{
    int64_t at = named->by_number ? jobs->number[row] : jobs->submit_s[row];
    return jobs->user[row] == named->user && at >= named->first && at <= named->last;
}

static int drop_named(struct loom_find *find, const struct log *log, const char *text,
                      struct loom_error *err)
{
    struct named named;
    int rc = parse_named(&named, find, text, err);
    if (!rc)
        rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    int64_t first_s = 0, last_s = 0;
    for (size_t i = 0; i < log->n; i++) {
        uint32_t row = log->by_time[i].row;
        if (!is_named(&named, find->jobs, row) || loom_reason_taken(find, row))
            continue;
        last_s = log->by_time[i].submit_s;
        first_s = loom_reason_jobs(find) ? first_s : last_s;
        loom_reason_mark(find, row);
    }
    int64_t jobs = loom_reason_jobs(find);
    if (jobs == 0)
        return loom_reason_end_named(find, err, "flurry named %s, which has no jobs", text);
    char user[LOOM_FIND_TEXT], from[LOOM_FIND_TEXT], to[LOOM_FIND_TEXT];
    return loom_reason_end(find, err,
                           "flurry of %s from %s to %s, named %s, %.0f %% of all jobs in that time",
                           loom_find_user(find, named.user, user, sizeof user),
                           loom_find_time(find, first_s, from, sizeof from),
                           loom_find_time(find, last_s, to, sizeof to), text,
                           100 * (double)jobs / (double)jobs_between(log, first_s, last_s));
}

/* ---- the rule -------------------------------------------------------------------------------- */

static int find_flurries(struct loom_find *find, struct loom_error *err)
{
    struct log log;
    int rc = log_create(&log, find->n, err);
    if (rc)
        return rc;
    log_fill(&log, find);
    for (size_t i = 0; i < loom_params_count(find->params, "flurry") && !rc; i++)
        rc = drop_named(find, &log, loom_params_item(find->params, "flurry", i), err);
    if (!rc && strcmp(loom_params_text(find->params, "flurries"), "auto") == 0)
        rc = search(find, &log, err);
    log_free(&log);
    return rc;
}

const struct loom_rule_ops loom_rule_flurry = {
    .info = {.name = "flurry",
             .summary = "bursts of one user that dominate the log, named (--flurry) or found "
                        "(--flurries auto)",
             .on_by_default = false},
    .wanted = flurry_wanted,
    .find = find_flurries,
};
