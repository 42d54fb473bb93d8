/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace holds, in a few numbers: counts, span, and the range of every column. */
#include "base/sort.h"
#include "trace/table.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- ranges ---------------------------------------------------------------------------------- */

/* The range of the values of a column that are known, without branches that depend on them. A
 * column of one value, as many are, is seen by comparing each with the next. */
#define DEFINE_RANGE(type, least, most)                                                \
    static void range_of_##type(struct loom_range *out, const type *values, size_t n)  \
    {                                                                                  \
        bool one = n > 0 && memcmp(values, values + 1, (n - 1) * sizeof *values) == 0; \
        type min = most, max = least;                                                  \
        size_t unknown = 0;                                                            \
        for (size_t i = 0; i < (one ? 1 : n); i++) {                                   \
            type low = values[i] == -1 ? most : values[i];                             \
            type high = values[i] == -1 ? least : values[i];                           \
            min = low < min ? low : min;                                               \
            max = high > max ? high : max;                                             \
            unknown += values[i] == -1;                                                \
        }                                                                              \
        out->known = (int64_t)(n - unknown * (one ? n : 1));                           \
        out->min = out->known ? (double)min : 0;                                       \
        out->max = out->known ? (double)max : 0;                                       \
    }

DEFINE_RANGE(int64_t, INT64_MIN, INT64_MAX)
DEFINE_RANGE(int32_t, INT32_MIN, INT32_MAX)
DEFINE_RANGE(double, -DBL_MAX, DBL_MAX)

static void find_ranges(struct loom_range ranges[LOOM_COLUMN_COUNT], const struct loom_jobs *jobs)
{
#define X(column, type, description)                                     \
    *ranges = (struct loom_range){.name = #column, .what = description}; \
    range_of_##type(ranges++, jobs->column, jobs->n);
    LOOM_COLUMNS(X)
#undef X
}

/* ---- different numbers ----------------------------------------------------------------------- */

enum { SMALL_RANGE = 1 << 26 };

static int count_sorted(int64_t *out, const int32_t *values, size_t n, struct loom_error *err)
{
    int64_t *sorted = malloc(n * sizeof *sorted);
    size_t known = 0;
    if (!sorted)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        if (values[i] != -1)
            sorted[known++] = values[i];
    *out = (int64_t)loom_sort_int64(sorted, known);
    free(sorted);
    return 0;
}

/* Different values other than -1. Numbers of users and the like are small, so a byte each will do,
 * the first being for -1; negative or huge ones are sorted. */
static int count_different(int64_t *out, const int32_t *values, size_t n,
                           const struct loom_range *range, struct loom_error *err)
{
    *out = 0;
    if (range->known == 0)
        return 0;
    if (range->min == range->max) {
        *out = 1;
        return 0;
    }
    if (range->min < 0 || range->max >= SMALL_RANGE)
        return count_sorted(out, values, n, err);
    size_t room = (size_t)range->max + 2;
    uint8_t *seen = calloc(room, 1);
    if (!seen)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        seen[values[i] + 1] = 1;
    for (size_t i = 1; i < room; i++)
        *out += seen[i];
    free(seen);
    return 0;
}

static const struct loom_range *range_named(const struct loom_summary *summary, const char *name)
{
    const struct loom_range *range = summary->columns;
    while (strcmp(range->name, name) != 0)
        range++;
    return range;
}

/* Times beyond what a double holds. */
static void find_span(struct loom_summary *out, const struct loom_jobs *jobs)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->submit_s[i] == -1)
            continue;
        first = jobs->submit_s[i] < first ? jobs->submit_s[i] : first;
        last = jobs->submit_s[i] > last ? jobs->submit_s[i] : last;
    }
    out->first_submit_s = first;
    if (__builtin_sub_overflow(last, first, &out->span_s))
        out->span_s = INT64_MAX;
}

int loom_summarize(struct loom_summary *out, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    *out = (struct loom_summary){.jobs = (int64_t)jobs->n};
    find_ranges(out->columns, jobs);
    const struct {
        enum loom_name_kind kind;
        const char *column;
        const int32_t *values;
    } counted[] = {
        {LOOM_USER, "user", jobs->user},
        {LOOM_GROUP, "group", jobs->group},
        {LOOM_EXECUTABLE, "executable", jobs->executable},
        {LOOM_QUEUE, "queue", jobs->queue},
        {LOOM_PARTITION, "partition", jobs->partition},
    };
    int rc = 0;
    for (size_t i = 0; i < sizeof counted / sizeof *counted && !rc; i++)
        rc = count_different(&out->numbers[counted[i].kind], counted[i].values, jobs->n,
                             range_named(out, counted[i].column), err);
    const struct loom_range *submits = range_named(out, "submit_s");
    if (submits->known > 0 && submits->min > -0x1p53 && submits->max < 0x1p53) {
        out->first_submit_s = (int64_t)submits->min;
        out->span_s = (int64_t)submits->max - (int64_t)submits->min;
    } else if (submits->known > 0) {
        find_span(out, jobs);
    }
    return rc;
}
