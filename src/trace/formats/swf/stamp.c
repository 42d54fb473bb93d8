/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of jobs that look alike, a column at a time.
 *
 * Fields are padded to a width, and only few numbers are wider, so the lines of neighbouring jobs
 * are nearly always of one length, each field in one place. Then the line of the first job is
 * copied for all of them, and every column that varies is put over it: in one short loop without a
 * branch, whose iterations do not wait for each other. All of that is for whole numbers from -1 on;
 * a job with anything else, or of another length, ends the row.
 */
#include "trace/formats/swf/stamp.h"

#include "base/pages.h"
#include "base/wide.h"
#include "trace/formats/swf/digits.h"

enum { FIELDS = LOOM_COLUMN_COUNT, MOST_DIGITS = 16 };

void loom_stamp_texts_init(struct loom_stamp_texts *texts)
{
    texts->text[0] = LOOM_EIGHT_UNKNOWN;
    for (uint32_t number = 0; number < LOOM_STAMP_SMALL; number++)
        texts->text[1 + number] = loom_eight_text(number);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Whether not all values are as the first, bit by bit: piece by piece, since a column that varies
 * nearly always does so in the first. */
enum { PIECE = 64 };
#define VARIES(suffix, type, bits_type)                                \
    LOOM_INLINE bool varies_##suffix(const type *values, size_t n)     \
    {                                                                  \
        bits_type different = 0, first, bits;                          \
        memcpy(&first, values, sizeof first);                          \
        for (size_t from = 1; from < n && !different; from += PIECE) { \
            size_t to = n - from < PIECE ? n : from + PIECE;           \
            for (size_t i = from; i < to; i++) {                       \
                memcpy(&bits, &values[i], sizeof bits);                \
                different |= bits ^ first;                             \
            }                                                          \
        }                                                              \
        return different != 0;                                         \
    }
VARIES(int64, int64_t, uint64_t)
VARIES(int32, int32_t, uint32_t)
VARIES(real, double, uint64_t)
#undef VARIES

#define VARIES(column) \
    _Generic((column), const int64_t *: varies_int64, const int32_t *: varies_int32, \
             const double *: varies_real)

LOOM_INLINE void plan_block(struct loom_stamp_plan *plan, const struct loom_jobs *jobs, size_t from,
                            size_t n)
{
    int i = 0;
#define X(name, type, what) plan->varies[i++] = VARIES(jobs->name)(jobs->name + from, n);
    LOOM_COLUMNS(X)
#undef X
}

LOOM_WIDE static void plan_block_wide(struct loom_stamp_plan *plan, const struct loom_jobs *jobs,
                                      size_t from, size_t n)
{
    plan_block(plan, jobs, from, n);
}

void loom_stamp_plan(struct loom_stamp_plan *plan, const struct loom_jobs *jobs, size_t from,
                     size_t to)
{
    if (loom_is_wide())
        plan_block_wide(plan, jobs, from, to - from);
    else
        plan_block(plan, jobs, from, to - from);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* A column of the jobs as whole numbers, and where in a line it stands. */
struct column {
    bool varies;
    const int64_t *values;
    int64_t low, high;
    size_t offset, length;
    int64_t room[LOOM_STAMP_JOBS]; /* for values that have to be converted */
};

/* Take up to n values, as long as they are whole. */
LOOM_INLINE size_t take_int64(struct column *column, const int64_t *from, size_t n)
{
    column->values = from;
    return n;
}

LOOM_INLINE size_t take_int32(struct column *column, const int32_t *from, size_t n)
{
    column->values = column->room;
    for (size_t i = 0; i < n; i++)
        column->room[i] = from[i];
    return n;
}

LOOM_INLINE size_t take_real(struct column *column, const double *from, size_t n)
{
    column->values = column->room;
    for (size_t i = 0; i < n; i++) {
        if (!(from[i] >= -1 && from[i] < 0x1p53 && from[i] == (double)(int64_t)from[i]))
            return i;
        column->room[i] = (int64_t)from[i];
    }
    return n;
}

LOOM_INLINE void find_range(struct column *column, size_t n)
{
    int64_t low = column->values[0], high = low;
    for (size_t i = 1; i < n; i++) {
        low = column->values[i] < low ? column->values[i] : low;
        high = column->values[i] > high ? column->values[i] : high;
    }
    column->low = low;
    column->high = high;
}

/* How many of the first n values are as long as the first. */
LOOM_INLINE size_t count_alike(struct column *column, size_t n, size_t width)
{
    if (n == 0)
        return 0;
    int64_t first = column->values[0], least = -1, most = 10;
    for (column->length = 1; column->length < width || most <= first; column->length++) {
        if (column->length == MOST_DIGITS)
            return 0;
        if (column->length >= width)
            least = most;
        most *= 10;
    }
    find_range(column, n);
    if (column->low >= least && column->high < most)
        return n;
    size_t alike = 0;
    while (alike < n && column->values[alike] >= least && column->values[alike] < most)
        alike++;
    find_range(column, alike);
    return alike;
}

/* ---- putting --------------------------------------------------------------------------------- */

/* A field of up to eight characters into eight bytes of which the others stay. */
LOOM_INLINE void put_over(char *at, uint64_t text, size_t length)
{
    uint64_t others = length < 8 ? ~UINT64_C(0) << 8 * length : 0;
    loom_store_eight(at, (loom_load_eight(at) & others) | text >> 8 * (8 - length));
}

LOOM_INLINE void put_small(char *at, size_t step, const struct column *column, size_t n,
                           const struct loom_stamp_texts *texts)
{
    for (size_t i = 0; i < n; i++, at += step)
        put_over(at, texts->text[1 + column->values[i]], column->length);
}

/* Digits first, since these loops fit wide registers. */
LOOM_INLINE void put_short(char *at, size_t step, const struct column *column, size_t n)
{
    uint64_t texts[LOOM_STAMP_JOBS];
    for (size_t i = 0; i < n; i++) {
        uint64_t text = loom_eight_text((uint32_t)column->values[i]);
        texts[i] = column->values[i] < 0 ? LOOM_EIGHT_UNKNOWN : text;
    }
    for (size_t i = 0; i < n; i++, at += step)
        put_over(at, texts[i], column->length);
}

/* The last eight digits of longer numbers, which are what is left of them after `base`. */
LOOM_INLINE void put_ends(char *at, size_t step, const struct column *column, size_t n,
                          int64_t base)
{
    uint64_t texts[LOOM_STAMP_JOBS];
    for (size_t i = 0; i < n; i++)
        texts[i] = loom_eight_digits((uint32_t)(column->values[i] - base));
    for (size_t i = 0; i < n; i++, at += step)
        loom_store_eight(at, texts[i]);
}

/* More than eight digits, and all have as many. Those before the last eight are mostly the same in
 * all jobs, and there already. */
LOOM_INLINE void put_long(char *at, size_t step, const struct column *column, size_t n)
{
    const int64_t unit = LOOM_EIGHT_DIGITS;
    size_t more = column->length - 8;
    if (column->low / unit == column->high / unit) {
        put_ends(at + more, step, column, n, column->low / unit * unit);
        return;
    }
    for (size_t i = 0; i < n; i++, at += step) {
        put_over(at, loom_eight_digits((uint32_t)(column->values[i] / unit)), more);
        loom_store_eight(at + more, loom_eight_digits((uint32_t)(column->values[i] % unit)));
    }
}

LOOM_INLINE void put_column(char *at, size_t step, const struct column *column, size_t n,
                            const struct loom_stamp_texts *texts)
{
    if (column->high < LOOM_STAMP_SMALL)
        put_small(at, step, column, n, texts);
    else if (column->length <= 8)
        put_short(at, step, column, n);
    else
        put_long(at, step, column, n);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* How many of n values fit the layout of the first. */
#define LAY_OUT(suffix, type)                                                              \
    LOOM_INLINE size_t lay_out_##suffix(struct column *column, const type *from, size_t n, \
                                        int width, bool varies)                            \
    {                                                                                      \
        column->varies = varies;                                                           \
        size_t taken = take_##suffix(column, from, column->varies ? n : 1);                \
        size_t alike = count_alike(column, taken, (size_t)width);                          \
        return column->varies || alike == 0 ? alike : n;                                   \
    }
LAY_OUT(int64, int64_t)
LAY_OUT(int32, int32_t)
LAY_OUT(real, double)
#undef LAY_OUT

#define LAY_OUT(column) \
    _Generic((column), const int64_t *: lay_out_int64, const int32_t *: lay_out_int32, \
             const double *: lay_out_real)

/* How many of n jobs look like the first. */
LOOM_INLINE size_t lay_out(struct column columns[FIELDS], const struct loom_jobs *jobs, size_t from,
                           size_t n, const int *widths, const struct loom_stamp_plan *plan)
{
    int i = 0;
    size_t offset = 0;
#define X(name, type, what)                                                                     \
    if (n > 0) {                                                                                \
        n = LAY_OUT(jobs->name)(&columns[i], jobs->name + from, n, widths[i], plan->varies[i]); \
        columns[i].offset = offset;                                                             \
        offset += columns[i++].length + 1;                                                      \
    }
    LOOM_COLUMNS(X)
#undef X
    return n;
}

LOOM_INLINE size_t stamp_lines(char *at, const char *next, const struct loom_jobs *jobs,
                               size_t from, size_t to, const int *widths,
                               const struct loom_stamp_texts *texts,
                               const struct loom_stamp_plan *plan)
{
    struct column columns[FIELDS];
    size_t n = lay_out(columns, jobs, from, to - from, widths, plan), step = (size_t)(next - at);
    if (n <= 1)
        return 1;
    loom_fill(at + step, at, step, n - 1);
    for (int i = 0; i < FIELDS; i++)
        if (columns[i].varies)
            put_column(at + columns[i].offset, step, &columns[i], n, texts);
    return n;
}

LOOM_WIDE static size_t stamp_lines_wide(char *at, const char *next, const struct loom_jobs *jobs,
                                         size_t from, size_t to, const int *widths,
                                         const struct loom_stamp_texts *texts,
                                         const struct loom_stamp_plan *plan)
{
    return stamp_lines(at, next, jobs, from, to, widths, texts, plan);
}

size_t loom_stamp_lines(char *at, const char *next, const struct loom_jobs *jobs, size_t from,
                        size_t to, const int *widths, const struct loom_stamp_texts *texts,
                        const struct loom_stamp_plan *plan)
{
    return loom_is_wide() ? stamp_lines_wide(at, next, jobs, from, to, widths, texts, plan)
                          : stamp_lines(at, next, jobs, from, to, widths, texts, plan);
}
