/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a trace holds, in a few numbers: counts, span, and the range of every column. */
#include "trace/summary.h"

#include "base/wide.h"

#include <stdlib.h>
#include <string.h>

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Doubles, but for NaN, are in the order of these integers. */
LOOM_INLINE int64_t key_of_real(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}

static double real_of_key(int64_t key)
{
    int64_t bits = key ^ (int64_t)((uint64_t)(key >> 63) >> 1);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define SAME(value) (value)
#define DOUBLE(key) ((double)(key))

/* Integers, no branches, and counters as wide as the values, so that the compiler can take several
 * values at a time (a trace has fewer than 2^32 jobs). Where a value is unknown, its bits are
 * turned into those of one that changes nothing. */
#define DEFINE_RANGE(suffix, type, key_type, counter, least, most, key_of, of_key)          \
    LOOM_INLINE struct loom_range scan_##suffix(const type *values, size_t n)               \
    {                                                                                       \
        counter unknown = 0;                                                                \
        key_type min = most, max = least;                                                   \
        for (size_t i = 0; i < n; i++) {                                                    \
            key_type key = key_of(values[i]), is_unknown = -(key_type)(key == key_of(-1));  \
            key_type low = key ^ (is_unknown & (key_of(-1) ^ most));                        \
            key_type high = key ^ (is_unknown & (key_of(-1) ^ least));                      \
            min = low < min ? low : min;                                                    \
            max = high > max ? high : max;                                                  \
            unknown -= (counter)is_unknown;                                                 \
        }                                                                                   \
        int64_t known = (int64_t)n - (int64_t)unknown;                                      \
        if (known == 0)                                                                     \
            return (struct loom_range){.known = 0};                                         \
        return (struct loom_range){.known = known, .min = of_key(min), .max = of_key(max)}; \
    }                                                                                       \
    LOOM_WIDE static struct loom_range scan_##suffix##_wide(const type *values, size_t n)   \
    {                                                                                       \
        return scan_##suffix(values, n);                                                    \
    }                                                                                       \
    struct loom_range loom_range_##suffix(const type *values, size_t n)                     \
    {                                                                                       \
        return loom_is_wide() ? scan_##suffix##_wide(values, n) : scan_##suffix(values, n); \
    }

DEFINE_RANGE(int64, int64_t, int64_t, uint64_t, INT64_MIN, INT64_MAX, SAME, DOUBLE)
DEFINE_RANGE(int32, int32_t, int32_t, uint32_t, INT32_MIN, INT32_MAX, SAME, DOUBLE)
DEFINE_RANGE(real, double, int64_t, uint64_t, INT64_MIN, INT64_MAX, key_of_real, real_of_key)

void loom_ranges_find(struct loom_range ranges[LOOM_COLUMN_COUNT],
                      const struct loom_columns *columns, size_t from, size_t to)
{
#define X(column, type, description)                                            \
    *ranges = LOOM_RANGE(to > from ? columns->column + from : NULL, to - from); \
    ranges->name = #column;                                                     \
    ranges->what = description;                                                 \
    ranges++;
    LOOM_COLUMNS(X)
#undef X
}

void loom_ranges_add(struct loom_range ranges[LOOM_COLUMN_COUNT],
                     const struct loom_range more[LOOM_COLUMN_COUNT])
{
    for (int i = 0; i < LOOM_COLUMN_COUNT; i++) {
        struct loom_range *range = &ranges[i];
        bool first = range->known == 0;
        range->name = more[i].name;
        range->what = more[i].what;
        if (more[i].known == 0)
            continue;
        range->min = first || more[i].min < range->min ? more[i].min : range->min;
        range->max = first || more[i].max > range->max ? more[i].max : range->max;
        range->known += more[i].known;
    }
}

/* ---- different numbers ----------------------------------------------------------------------- */

enum { SMALL_RANGE = 1 << 26 };

static int compare_int32(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int count_sorted(int64_t *out, const int32_t *values, size_t n, struct loom_error *err)
{
    int32_t *sorted = malloc(n * sizeof *sorted);
    if (!sorted)
        return loom_fail_memory(err);
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_int32);
    *out = 0;
    for (size_t i = 0; i < n; i++)
        *out += sorted[i] != -1 && (i == 0 || sorted[i] != sorted[i - 1]);
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

int loom_summarize(struct loom_summary *out, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    *out = (struct loom_summary){.jobs = (int64_t)jobs->n};
    if (trace->has_ranges)
        memcpy(out->columns, trace->ranges, sizeof out->columns);
    else
        loom_ranges_find(out->columns, &trace->columns, 0, jobs->n);
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
    if (submits->known == out->jobs && submits->min > -0x1p53 && submits->max < 0x1p53) {
        out->first_submit_s = (int64_t)submits->min;
        out->span_s = (int64_t)submits->max - (int64_t)submits->min;
    } else if (jobs->n > 0) {
        int64_t first = jobs->submit_s[0], last = first;
        for (size_t i = 1; i < jobs->n; i++) {
            first = jobs->submit_s[i] < first ? jobs->submit_s[i] : first;
            last = jobs->submit_s[i] > last ? jobs->submit_s[i] : last;
        }
        out->first_submit_s = first;
        if (__builtin_sub_overflow(last, first, &out->span_s))
            out->span_s = INT64_MAX;
    }
    return rc;
}
