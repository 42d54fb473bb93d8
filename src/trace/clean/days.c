/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rule "days": days unlike all others, after Cirne and Berman (survey 2.3).
 *
 * Each local day with jobs is a vector: number of jobs, total work (runtime x processors), mean
 * processors, mean runtime, number of users; each component standardised over the days (mean 0,
 * variance 1). Jobs whose processors or runtime are unknown are left out of what needs them. The
 * days are put into two clusters by k-means, started from the day farthest from the mean and the
 * day farthest from that one. If one cluster is a single day, that day is dropped and all is
 * repeated with the rest, until no day stands alone or max-days are dropped. The jobs submitted on
 * dropped days go.
 *
 * Of few days, one always stands alone; a log of fewer than four weeks of active days is left as it
 * is.
 */
#include "trace/clean/clean.h"

#include "base/civil.h"
#include "base/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEATURES = 5, FEWEST_DAYS = 28, MAX_STEPS = 100 };

static bool days_wanted(const struct loom_params *params)
{
    return loom_params_flag(params, "abnormal-days");
}

/* ---- days as vectors ------------------------------------------------------------------------- */

struct entry {
    int64_t day;
    int32_t user;
    uint32_t row;
};

struct day {
    size_t first, end;  /* its entries */
    double x[FEATURES]; /* as measured */
    double z[FEATURES]; /* standardised */
    int cluster;
};

struct days {
    struct day *days;
    size_t n;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(a->day, b->day), LOOM_COMPARE(a->user, b->user),
                                 LOOM_COMPARE(a->row, b->row));
}

static void read_entries(struct entry *entries, const struct loom_find *find)
{
    for (size_t i = 0; i < find->n; i++) {
        int64_t local_s = loom_zone_local(find->zone, find->jobs->submit_s[find->rows[i]]), second;
        entries[i] = (struct entry){
            .day = loom_civil_day(local_s, &second),
            .user = find->jobs->user[find->rows[i]],
            .row = find->rows[i],
        };
    }
    qsort(entries, find->n, sizeof *entries, compare_entries);
}

static void measure_day(struct day *day, const struct entry *entries, const struct loom_jobs *jobs)
{
    double work = 0, procs_sum = 0, run_sum = 0, procs_known = 0, run_known = 0, users = 0;
    for (size_t i = day->first; i < day->end; i++) {
        int32_t procs = loom_job_procs(jobs, entries[i].row);
        int64_t run_s = jobs->run_s[entries[i].row];
        users += i == day->first || entries[i].user != entries[i - 1].user;
        if (procs > 0) {
            procs_sum += procs;
            procs_known++;
        }
        if (run_s >= 0) {
            run_sum += (double)run_s;
            run_known++;
        }
        if (procs > 0 && run_s >= 0)
            work += (double)run_s * procs;
    }
    const double x[FEATURES] = {
        (double)(day->end - day->first),
        work,
        procs_known > 0 ? procs_sum / procs_known : 0,
        run_known > 0 ? run_sum / run_known : 0,
        users,
    };
    memcpy(day->x, x, sizeof x);
}

static void measure_days(struct days *days, const struct entry *entries,
                         const struct loom_find *find)
{
    days->n = 0;
    for (size_t i = 0, end; i < find->n; i = end) {
        for (end = i + 1; end < find->n && entries[end].day == entries[i].day;)
            end++;
        struct day *day = &days->days[days->n++];
        *day = (struct day){.first = i, .end = end};
        measure_day(day, entries, find->jobs);
    }
}

static void standardise(struct days *days)
{
    double n = (double)days->n;
    for (int f = 0; f < FEATURES; f++) {
        double sum = 0, square = 0;
        for (size_t i = 0; i < days->n; i++)
            sum += days->days[i].x[f];
        double mean = sum / n;
        for (size_t i = 0; i < days->n; i++) {
            double off = days->days[i].x[f] - mean;
            square += off * off;
        }
        double deviation = sqrt(square / n);
        bool constant = deviation <= 1e-9 * fabs(mean); /* but for rounding */
        for (size_t i = 0; i < days->n; i++)
            days->days[i].z[f] = constant ? 0 : (days->days[i].x[f] - mean) / deviation;
    }
}

/* ---- two clusters ---------------------------------------------------------------------------- */

static double distance2(const double *a, const double *b)
{
    double sum = 0;
    for (int f = 0; f < FEATURES; f++)
        sum += (a[f] - b[f]) * (a[f] - b[f]);
    return sum;
}

/* The day farthest from a point, the earliest of several. */
static const struct day *farthest(const struct days *days, const double *point)
{
    const struct day *far = &days->days[0];
    for (size_t i = 1; i < days->n; i++)
        if (distance2(days->days[i].z, point) > distance2(far->z, point))
            far = &days->days[i];
    return far;
}

static bool assign(struct days *days, double centers[2][FEATURES])
{
    bool changed = false;
    for (size_t i = 0; i < days->n; i++) {
        struct day *day = &days->days[i];
        int cluster = distance2(day->z, centers[0]) > distance2(day->z, centers[1]);
        changed |= cluster != day->cluster;
        day->cluster = cluster;
    }
    return changed;
}

/* Move the centers to the means of their clusters. A cluster without days keeps its center. */
static void move_centers(const struct days *days, double centers[2][FEATURES])
{
    double sums[2][FEATURES] = {{0}}, counts[2] = {0};
    for (size_t i = 0; i < days->n; i++) {
        const struct day *day = &days->days[i];
        counts[day->cluster]++;
        for (int f = 0; f < FEATURES; f++)
            sums[day->cluster][f] += day->z[f];
    }
    for (int c = 0; c < 2; c++)
        for (int f = 0; f < FEATURES; f++)
            centers[c][f] = counts[c] > 0 ? sums[c][f] / counts[c] : centers[c][f];
}

static void cluster(struct days *days)
{
    const double origin[FEATURES] = {0};
    const struct day *first = farthest(days, origin);
    double centers[2][FEATURES];
    memcpy(centers[0], first->z, sizeof centers[0]);
    memcpy(centers[1], farthest(days, first->z)->z, sizeof centers[1]);
    for (size_t i = 0; i < days->n; i++)
        days->days[i].cluster = -1;
    for (int step = 0; step < MAX_STEPS && assign(days, centers); step++)
        move_centers(days, centers);
}

/* The day that is a cluster of its own, or days->n. */
static size_t lone_day(const struct days *days)
{
    size_t second = 0, lone[2] = {0, 0};
    for (size_t i = 0; i < days->n; i++) {
        second += days->days[i].cluster == 1;
        lone[days->days[i].cluster] = i;
    }
    if (second == 1)
        return lone[1];
    return days->n - second == 1 ? lone[0] : days->n;
}

/* ---- the rule -------------------------------------------------------------------------------- */

static int drop_day(struct loom_find *find, const struct entry *entries, const struct day *day,
                    struct loom_error *err)
{
    int rc = loom_reason_begin(find, err);
    if (rc)
        return rc;
    for (size_t i = day->first; i < day->end; i++)
        loom_reason_mark(find, entries[i].row);
    const double origin[FEATURES] = {0};
    int64_t first_s = find->jobs->submit_s[entries[day->first].row];
    char text[LOOM_FIND_TEXT];
    loom_find_time(find, first_s, text, sizeof text);
    if (loom_trace_machine(find->trace)->unix_start_s >= 0)
        text[strcspn(text, " ")] = '\0'; /* the date alone */
    return loom_reason_end(find, err,
                           "abnormal day of %s, %.1f standard deviations from the mean of all days "
                           "(%.0f users, on average %.1f processors and %.0f s a job)",
                           text, sqrt(distance2(day->z, origin)), day->x[4], day->x[2], day->x[3]);
}

static int drop_days(struct loom_find *find, const struct entry *entries, struct days *days,
                     struct loom_error *err)
{
    int rc = 0;
    measure_days(days, entries, find);
    for (int64_t left = loom_params_int(find->params, "max-days");
         left > 0 && days->n >= FEWEST_DAYS && !rc; left--) {
        standardise(days);
        cluster(days);
        size_t lone = lone_day(days);
        if (lone == days->n)
            break;
        rc = drop_day(find, entries, &days->days[lone], err);
        days->n--;
        memmove(&days->days[lone], &days->days[lone + 1], (days->n - lone) * sizeof *days->days);
    }
    return rc;
}

static int find_days(struct loom_find *find, struct loom_error *err)
{
    size_t n = find->n ? find->n : 1;
    struct entry *entries = malloc(n * sizeof *entries);
    struct days days = {.days = malloc(n * sizeof *days.days)};
    int rc = 0;
    if (!entries || !days.days) {
        rc = loom_fail_memory(err);
    } else {
        read_entries(entries, find);
        rc = drop_days(find, entries, &days, err);
    }
    free(entries);
    free(days.days);
    return rc;
}

const struct loom_rule_ops loom_rule_days = {
    .info = {.name = "days",
             .summary = "days that form a cluster of their own (Cirne and Berman)",
             .on_by_default = false},
    .wanted = days_wanted,
    .find = find_days,
};
