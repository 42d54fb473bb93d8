/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimal numbers from text and to text, and jobs as rows of them.
 *
 * A text is first cut into sign, digits and exponent (struct decimal); nothing past that step looks
 * at anything but digits. Whole numbers are rounded on these digits, so that no double comes
 * between a 19-digit number and its value. Doubles take one exact multiplication where the digits
 * and the power of ten are small enough for it, which is nearly always, and else the C library's
 * conversion in the "C" locale.
 */
#include "trace/number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond this any number that is not 0 is out of range, and smaller ones are 0. */
enum { EXPONENT_LIMIT = 100000 };

/* value = +-0.d0 d1 d2 ... * 10^point */
struct decimal {
    const char *first; /* the first digit, or the decimal point */
    size_t whole;      /* digits before the point in the text */
    size_t n;          /* digits in all */
    int64_t point;
    bool negative;
    bool plain; /* neither point nor exponent */
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static unsigned digit_at(const struct decimal *d, size_t i)
{
    return (unsigned)(d->first[i < d->whole ? i : i + 1] - '0');
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

static const char *skip_sign(const char *at, const char *end, bool *negative)
{
    *negative = at < end && *at == '-';
    return at < end && (*at == '-' || *at == '+') ? at + 1 : at;
}

/* The number after the 'e', kept within EXPONENT_LIMIT; false if there is none or more than it. */
static bool cut_exponent(int64_t *out, const char *at, const char *end)
{
    bool negative;
    int64_t value = 0;

    at = skip_sign(at, end, &negative);
    if (at == end)
        return false;
    for (; at < end && is_digit(*at); at++)
        if (value < EXPONENT_LIMIT)
            value = value * 10 + (*at - '0');
    *out = negative ? -value : value;
    return at == end;
}

static bool cut(struct decimal *d, const char *text, size_t length)
{
    const char *end = text + length, *at;
    int64_t exponent = 0;

    if (length > LOOM_NUMBER_TEXT)
        return false;
    d->first = skip_sign(text, end, &d->negative);
    at = skip_digits(d->first, end);
    d->whole = d->n = (size_t)(at - d->first);
    d->plain = at == end;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;
        at = skip_digits(fraction, end);
        d->n += (size_t)(at - fraction);
    }
    if (d->n == 0)
        return false;
    if (at < end) {
        if ((*at != 'e' && *at != 'E') || !cut_exponent(&exponent, at + 1, end))
            return false;
    }
    d->point = (int64_t)d->whole + exponent;
    return true;
}

/* The digits before the point, as a magnitude; false past 64 bits. */
static bool magnitude(uint64_t *out, const struct decimal *d)
{
    uint64_t value = 0;

    for (int64_t i = 0; i < d->point; i++) {
        bool given = i < (int64_t)d->n;
        if (!given && value == 0)
            break;
        if (__builtin_mul_overflow(value, 10U, &value) ||
            __builtin_add_overflow(value, given ? digit_at(d, (size_t)i) : 0U, &value))
            return false;
    }
    *out = value;
    return true;
}

/* What the digits behind the point amount to: whether they round up, and whether there are any. */
static bool fraction_rounds_up(const struct decimal *d, bool *any)
{
    size_t from = d->point > 0 ? (size_t)d->point : 0;

    *any = false;
    for (size_t i = from; i < d->n; i++)
        *any |= digit_at(d, i) != 0;
    return d->point >= 0 && from < d->n && digit_at(d, from) >= 5;
}

static bool with_sign(int64_t *out, uint64_t value, bool negative)
{
    const uint64_t limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);

    if (value > limit)
        return false;
    *out = negative ? (int64_t)(0 - value) : (int64_t)value;
    return true;
}

enum loom_number loom_number_whole(int64_t *out, const char *text, size_t length, int64_t min,
                                   int64_t max)
{
    struct decimal d;
    uint64_t value;
    int64_t result;
    bool fraction;

    if (!cut(&d, text, length))
        return LOOM_NUMBER_BAD;
    if (!magnitude(&value, &d))
        return LOOM_NUMBER_RANGE;
    if (fraction_rounds_up(&d, &fraction) && __builtin_add_overflow(value, 1U, &value))
        return LOOM_NUMBER_RANGE;
    if (!with_sign(&result, value, d.negative) || result < min || result > max)
        return LOOM_NUMBER_RANGE;
    *out = result;
    return fraction ? LOOM_NUMBER_ROUNDED : LOOM_NUMBER_OK;
}

enum loom_number loom_number_int(int64_t *out, const char *text, size_t length)
{
    struct decimal d;
    uint64_t value;

    if (!cut(&d, text, length) || !d.plain)
        return LOOM_NUMBER_BAD;
    if (!magnitude(&value, &d) || !with_sign(out, value, d.negative))
        return LOOM_NUMBER_RANGE;
    return LOOM_NUMBER_OK;
}

/* ---- doubles --------------------------------------------------------------------------------- */

/* Both m < 2^53 and 10^k for k <= 22 are exact doubles, so m * 10^k and m / 10^k are the correctly
 * rounded values (Clinger 1990). */
static bool exact_product(double *out, const struct decimal *d)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int64_t exponent = d->point - (int64_t)d->n;
    uint64_t m = 0;

    if (exponent < -22 || exponent > 22 || d->n > 18)
        return false;
    for (size_t i = 0; i < d->n; i++)
        m = m * 10 + digit_at(d, i);
    if (m > UINT64_C(1) << 53)
        return false;
    *out = exponent < 0 ? (double)m / powers[-exponent] : (double)m * powers[exponent];
    return true;
}

/* The "C" locale object is a constant of the C library: asking for it costs nothing. */
static locale_t c_locale(void)
{
    return newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

enum loom_number loom_number_real(double *out, const char *text, size_t length)
{
    struct decimal d;
    double value;

    if (!cut(&d, text, length))
        return LOOM_NUMBER_BAD;
    if (exact_product(&value, &d)) {
        *out = d.negative ? -value : value;
        return LOOM_NUMBER_OK;
    }
    char copy[LOOM_NUMBER_TEXT + 1];
    memcpy(copy, text, length);
    copy[length] = '\0';
    locale_t locale = c_locale();
    if (!locale)
        return LOOM_NUMBER_BAD;
    value = strtod_l(copy, NULL, locale);
    freelocale(locale);
    if (!isfinite(value))
        return LOOM_NUMBER_RANGE;
    *out = value;
    return LOOM_NUMBER_OK;
}

const char *loom_number_problem(enum loom_number result)
{
    return result == LOOM_NUMBER_RANGE ? "is out of range" : "is not a number";
}

/* ---- printing -------------------------------------------------------------------------------- */

size_t loom_number_print_int(char *buf, int64_t value)
{
    char digits[20];
    size_t n = 0, length = 0;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    if (value < 0)
        buf[length++] = '-';
    while (n > 0)
        buf[length++] = digits[--n];
    buf[length] = '\0';
    return length;
}

/* Up to 15 digits always survive the way through a normal double, so "%.15g", which drops trailing
 * zeros, is the shortest text whenever 15 digits are enough; 17 always are. */
static size_t print_shortest(char *buf, double value)
{
    int length = 0;

    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        double back = 0;
        length = snprintf(buf, LOOM_NUMBER_PRINT, "%.*g", digits, value);
        if (loom_number_real(&back, buf, (size_t)length) == LOOM_NUMBER_OK && back == value)
            break;
    }
    return (size_t)length;
}

size_t loom_number_print_real(char *buf, double value)
{
    if (!isfinite(value))
        return loom_number_print_int(buf, -1);
    if (fabs(value) < 0x1p53 && value == trunc(value) && !(value == 0 && signbit(value)))
        return loom_number_print_int(buf, (int64_t)value);

    locale_t locale = c_locale();
    locale_t before = uselocale(locale);
    size_t length = print_shortest(buf, value);
    uselocale(before);
    if (locale)
        freelocale(locale);
    return length;
}

/* ---- fields ---------------------------------------------------------------------------------- */

bool loom_number_missing(const char *text, size_t length)
{
    static const char *const words[] = {"",    "-",    "NA",   "N/A",  "NaN", "nan",
                                        "NAN", "null", "NULL", "Null", "None"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}

const char *loom_shown(char buf[LOOM_SHOWN], const char *text, size_t length)
{
    const size_t room = LOOM_SHOWN - 4;
    const size_t n = length < room ? length : room;

    for (size_t i = 0; i < n; i++)
        buf[i] = (unsigned char)text[i] < ' ' || text[i] == 0x7f ? '?' : text[i];
    memcpy(buf + n, n < length ? "..." : "", n < length ? 4 : 1);
    return buf;
}

/* ---- columns --------------------------------------------------------------------------------- */

enum column_type { WHOLE_64, WHOLE_32, REAL };

#define COLUMN_TYPE(type) _Generic((type)0, int64_t : WHOLE_64, int32_t : WHOLE_32, double : REAL)

static const struct column {
    const char *what;
    enum column_type type;
    size_t offset;
} columns[] = {
#define X(name, type, what) {what, COLUMN_TYPE(type), offsetof(struct loom_job, name)},
    LOOM_COLUMNS(X)
#undef X
};

const char *loom_column_what(enum loom_column column)
{
    return columns[column].what;
}

int loom_column_kind(enum loom_column column)
{
    _Static_assert(LOOM_COLUMN_partition - LOOM_COLUMN_user == (int)LOOM_PARTITION &&
                       LOOM_COLUMN_queue - LOOM_COLUMN_user == (int)LOOM_QUEUE,
                   "the columns that hold names stand in the order of their kinds");
    return column >= LOOM_COLUMN_user && column <= LOOM_COLUMN_partition
               ? (int)column - LOOM_COLUMN_user
               : -1;
}

enum loom_number loom_column_set(struct loom_job *job, enum loom_column column, const char *text,
                                 size_t length)
{
    char *const place = (char *)job + columns[column].offset;
    enum loom_number result;
    int64_t whole = 0;

    if (columns[column].type == REAL)
        return loom_number_real((double *)(void *)place, text, length);
    if (columns[column].type == WHOLE_64)
        return loom_number_whole((int64_t *)(void *)place, text, length, INT64_MIN, INT64_MAX);
    result = loom_number_whole(&whole, text, length, INT32_MIN, INT32_MAX);
    if (result >= 0)
        *(int32_t *)(void *)place = (int32_t)whole;
    return result;
}

/* ---- identifiers ----------------------------------------------------------------------------- */

static int32_t *identifiers(struct loom_trace *trace, enum loom_name_kind kind)
{
    int32_t *const places[LOOM_NAME_KINDS] = {
        trace->columns.user,  trace->columns.group,     trace->columns.executable,
        trace->columns.queue, trace->columns.partition,
    };
    return places[kind];
}

static int intern_number(int32_t *out, struct loom_trace *trace, enum loom_name_kind kind,
                         int64_t number, struct loom_error *err)
{
    char name[LOOM_NUMBER_PRINT];
    size_t length = loom_number_print_int(name, number);

    if (number == -1) {
        *out = -1;
        return 0;
    }
    return loom_trace_intern(out, trace, kind, name, length, err);
}

/* The column turns out to hold names: so the numbers read so far were names too. */
static int turn_to_names(struct loom_rows *rows, enum loom_name_kind kind, struct loom_error *err)
{
    const size_t n = loom_trace_count(rows->trace);
    int rc = 0;

    for (size_t row = 0; row < n && !rc; row++) {
        int32_t *place = &identifiers(rows->trace, kind)[row];
        rc = intern_number(place, rows->trace, kind, *place, err);
    }
    rows->named[kind] = true;
    return rc;
}

int loom_rows_identify(struct loom_rows *rows, struct loom_job *job, enum loom_name_kind kind,
                       const char *text, size_t length, struct loom_error *err)
{
    int32_t *const place =
        (int32_t *)(void *)((char *)job + columns[LOOM_COLUMN_user + (int)kind].offset);
    int64_t number = -1;
    int rc = 0;

    if (loom_number_missing(text, length))
        return 0;
    /* A number with a fraction, or past 32 bits, can only be a name. */
    bool whole = loom_number_whole(&number, text, length, INT32_MIN, INT32_MAX) == LOOM_NUMBER_OK;
    if (!whole && !rows->named[kind])
        rc = turn_to_names(rows, kind, err);
    if (rc)
        return rc;
    if (!whole)
        return loom_trace_intern(place, rows->trace, kind, text, length, err);
    if (rows->named[kind])
        return intern_number(place, rows->trace, kind, number, err);
    *place = (int32_t)number;
    return 0;
}

/* ---- Unix times ------------------------------------------------------------------------------ */

/* The smallest submit time that is known; false if there is none. */
static bool first_submit(int64_t *out, const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    bool found = false;

    for (size_t row = 0; row < jobs->n; row++) {
        if (jobs->submit_s[row] == -1 || (found && jobs->submit_s[row] >= *out))
            continue;
        *out = jobs->submit_s[row];
        found = true;
    }
    return found;
}

static int subtract_start(struct loom_trace *trace, int64_t start_s, struct loom_error *err)
{
    for (size_t row = 0; row < loom_trace_count(trace); row++) {
        int64_t *submit_s = &trace->columns.submit_s[row];
        if (*submit_s != -1 && __builtin_sub_overflow(*submit_s, start_s, submit_s))
            return loom_fail(err, LOOM_ERANGE, "the submit times are too far apart to be held");
    }
    return 0;
}

static int set_unix_start(struct loom_trace *trace, int64_t start_s, struct loom_error *err)
{
    char value[LOOM_NUMBER_PRINT];

    loom_number_print_int(value, start_s);
    return loom_trace_set_directive(trace, "UnixStartTime", value, err);
}

int loom_rows_finish(struct loom_rows *rows, struct loom_error *err)
{
    struct loom_trace *trace = rows->trace;
    const bool stated = loom_trace_directive(trace, "UnixStartTime") != NULL;
    const int64_t start_s = loom_trace_machine(trace)->unix_start_s;
    int64_t smallest_s = -1;

    if (!first_submit(&smallest_s, trace))
        return 0;
    const bool after_start = start_s > LOOM_UNIX_TIMES_FROM && smallest_s >= start_s;
    if (!rows->unix_times && (smallest_s <= LOOM_UNIX_TIMES_FROM || (stated && !after_start)))
        return 0;
    int rc = subtract_start(trace, after_start ? start_s : smallest_s, err);
    return rc || after_start ? rc : set_unix_start(trace, smallest_s, err);
}

/* ---- writing --------------------------------------------------------------------------------- */

int loom_rows_write_header(const struct loom_trace *trace, struct loom_output *out,
                           struct loom_error *err)
{
    const struct loom_directive *lines;
    const size_t n = loom_trace_directives(trace, &lines);
    int64_t smallest_s = -1;
    int rc = 0;

    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_output_printf(out, err, "#%s\n", lines[i].text);
    /* Large submits of a log whose start is unknown must not be read as Unix times. */
    if (!rc && !loom_trace_directive(trace, "UnixStartTime") && first_submit(&smallest_s, trace) &&
        smallest_s > LOOM_UNIX_TIMES_FROM)
        rc = loom_output_printf(out, err, "# UnixStartTime: -1\n");
    return rc;
}

static size_t print_column(char *buf, const struct loom_job *job, int column)
{
    const char *const place = (const char *)job + columns[column].offset;

    switch (columns[column].type) {
    case REAL:
        return loom_number_print_real(buf, *(const double *)(const void *)place);
    case WHOLE_32:
        return loom_number_print_int(buf, *(const int32_t *)(const void *)place);
    default:
        return loom_number_print_int(buf, *(const int64_t *)(const void *)place);
    }
}

int loom_rows_write(const struct loom_trace *trace, struct loom_output *out, int n, char separator,
                    const char *tail, struct loom_error *err)
{
    enum { ROW_BYTES = LOOM_COLUMN_COUNT * (LOOM_NUMBER_PRINT + 1), BUFFER_BYTES = 32 * 1024 };
    const size_t tail_length = strlen(tail), count = loom_trace_count(trace);
    char buffer[BUFFER_BYTES + ROW_BYTES];
    size_t used = 0;
    int rc = 0;

    for (size_t row = 0; row < count && !rc; row++) {
        const struct loom_job job = loom_trace_job(trace, row);
        for (int column = 0; column < n; column++) {
            if (column > 0)
                buffer[used++] = separator;
            used += print_column(buffer + used, &job, column);
        }
        memcpy(buffer + used, tail, tail_length);
        used += tail_length;
        if (used + tail_length >= BUFFER_BYTES) {
            rc = loom_output_write(out, buffer, used, err);
            used = 0;
        }
    }
    return rc || used == 0 ? rc : loom_output_write(out, buffer, used, err);
}
