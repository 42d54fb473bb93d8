/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule "admin": automated administrative activity, such as the peak of short jobs at 3:30 AM on
 * many days in the log of the SDSC Paragon (survey 2.3).
 *
 * The jobs of one user that run the same executable or, where that is unknown, have the same number
 * of processors are of one kind. Of the short jobs of a kind (runtime known and at most
 * admin-runtime), take the five minutes of the local day in which most of them are submitted. These
 * jobs are administrative if they
 *   - hold at least admin-concentration of all jobs of the kind, short or not, and
 *   - fall on at least admin-days days, and on at least admin-recurrence of the days on which
 * anyone submitted a job. What is left of the kind is then tried again, for a script that runs more
 * than once a day.
 */
#include "trace/clean/clean.h"

#include "base/civil.h"
#include "base/compare.h"
#include "base/sort.h"

#include <stdio.h>
#include <stdlib.h>

enum { WINDOW_S = 300, NOT_SHORT = LOOM_DAY_S };

struct entry {
    int32_t user;
    bool by_size;
    int32_t kind;
    int32_t second; /* of the local day, or NOT_SHORT */
    int64_t day;
    uint32_t row;
};

struct limits {
    int64_t runtime_s;
    double days;
    double concentration;
};

static bool admin_wanted(const struct loom_params *params)
{
    return loom_params_flag(params, "admin");
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static struct entry make_entry(const struct loom_find *find, uint32_t row, int64_t runtime_s)
{
    const struct loom_jobs *jobs = find->jobs;
    int64_t second;
    int64_t day = loom_civil_day(loom_zone_local(find->zone, jobs->submit_s[row]), &second);
    bool by_size = jobs->executable[row] < 0;
    bool is_short = jobs->run_s[row] >= 0 && jobs->run_s[row] <= runtime_s;
    return (struct entry){
        .user = jobs->user[row],
        .by_size = by_size,
        .kind = by_size ? loom_job_procs(jobs, row) : jobs->executable[row],
        .second = is_short ? (int32_t)second : NOT_SHORT,
        .day = day,
        .row = row,
    };
}

static bool same_kind(const struct entry *a, const struct entry *b)
{
    return a->user == b->user && a->by_size == b->by_size && a->kind == b->kind;
}

/* By kind, then by time of day, so that a kind is a run with its short jobs first. */
static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(a->user, b->user),
                                 LOOM_COMPARE(a->by_size, b->by_size),
                                 LOOM_COMPARE(a->kind, b->kind), LOOM_COMPARE(a->second, b->second),
                                 LOOM_COMPARE(a->day, b->day), LOOM_COMPARE(a->row, b->row));
}

/* ---- the busiest five minutes ---------------------------------------------------------------- */

/* Entries first, first + 1, ... (n of them, going round) of a kind's short jobs. */
struct window {
    size_t first, n;
};

/* The day is a circle: entry count + i stands for entry i on the next day. */
static struct window busiest(const struct entry *jobs, size_t count)
{
    struct window best = {0, 0};
    size_t end = 0;
    for (size_t first = 0; first < count; first++) {
        while (end < first + count) {
            int32_t second = jobs[end % count].second + (end >= count ? LOOM_DAY_S : 0);
            if (second - jobs[first].second >= WINDOW_S)
                break;
            end++;
        }
        if (end - first > best.n)
            best = (struct window){first, end - first};
    }
    return best;
}

/* Days on which the window has jobs; past midnight, the day is that on which the window began. */
static size_t window_days(const struct entry *jobs, size_t count, struct window window,
                          int64_t *scratch)
{
    for (size_t i = 0; i < window.n; i++) {
        size_t at = window.first + i;
        scratch[i] = jobs[at % count].day - (at >= count);
    }
    return loom_sort_int64(scratch, window.n);
}

static int drop_window(struct loom_find *find, const struct entry *jobs, size_t count,
                       struct window window, size_t days, size_t active, struct loom_error *err)
{
    int rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < window.n; i++)
        loom_reason_mark(find, jobs[(window.first + i) % count].row);
    const struct entry *job = &jobs[window.first];
    char user[LOOM_FIND_TEXT];
    return loom_reason_end(
        find, err,
        "automated short jobs of %s, %s %d, within five minutes from %02d:%02d on "
        "%zu of the log's %zu active days",
        loom_find_user(find, job->user, user, sizeof user),
        job->by_size ? "processors" : "executable", job->kind, job->second / 3600,
        job->second / 60 % 60, days, active);
}

/* Take the window out of the kind's short jobs, keeping their order. */
static size_t cut_window(struct entry *jobs, size_t count, struct window window)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        bool inside =
            i >= window.first ? i - window.first < window.n : i + count - window.first < window.n;
        if (!inside)
            jobs[left++] = jobs[i];
    }
    return left;
}

static int try_kind(struct loom_find *find, struct entry *jobs, size_t total, size_t active,
                    const struct limits *limits, int64_t *scratch, struct loom_error *err)
{
    size_t count = 0;
    while (count < total && jobs[count].second != NOT_SHORT)
        count++;
    while ((double)count >= limits->days) {
        struct window window = busiest(jobs, count);
        if ((double)window.n < limits->days ||
            (double)window.n < limits->concentration * (double)total)
            break;
        size_t days = window_days(jobs, count, window, scratch);
        if ((double)days < limits->days)
            break;
        int rc = drop_window(find, jobs, count, window, days, active, err);
        if (rc)
            return rc;
        count = cut_window(jobs, count, window);
    }
    return 0;
}

/* ---- the rule -------------------------------------------------------------------------------- */

static int try_kinds(struct loom_find *find, struct entry *entries, int64_t *days,
                     struct loom_error *err)
{
    struct limits limits = {
        .runtime_s = loom_params_int(find->params, "admin-runtime"),
        .days = (double)loom_params_int(find->params, "admin-days"),
        .concentration = loom_params_real(find->params, "admin-concentration"),
    };
    for (size_t i = 0; i < find->n; i++) {
        entries[i] = make_entry(find, find->rows[i], limits.runtime_s);
        days[i] = entries[i].day;
    }
    size_t active = loom_sort_int64(days, find->n);
    double recurring = loom_params_real(find->params, "admin-recurrence") * (double)active;
    limits.days = limits.days > recurring ? limits.days : recurring;
    qsort(entries, find->n, sizeof *entries, compare_entries);
    int rc = 0;
    for (size_t i = 0, end; i < find->n && !rc; i = end) {
        for (end = i + 1; end < find->n && same_kind(&entries[i], &entries[end]);)
            end++;
        if (entries[i].user >= 0) /* jobs of unknown users are not of one kind */
            rc = try_kind(find, entries + i, end - i, active, &limits, days, err);
    }
    return rc;
}

static int find_admin(struct loom_find *find, struct loom_error *err)
{
    size_t n = find->n ? find->n : 1;
    struct entry *entries = malloc(n * sizeof *entries);
    int64_t *days = malloc(n * sizeof *days);
    int rc = entries && days ? try_kinds(find, entries, days, err) : loom_fail_memory(err);
    free(entries);
    free(days);
    return rc;
}

const struct loom_rule_ops loom_rule_admin = {
    .info = {.name = "admin",
             .summary =
                 "automated administrative jobs: short ones of one user and kind that recur at "
                 "the same time of day",
             .on_by_default = false},
    .wanted = admin_wanted,
    .find = find_admin,
};
