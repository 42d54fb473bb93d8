/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimal numbers from text and to text.
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

/* Up to 15 digits with a point among them, as logs write CPU times: both the digits and the power
 * of ten are exact doubles, so that their quotient is the nearest one. False for anything else. */
static bool read_plain(double *out, const char *text, size_t length)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    size_t decimals = 0, points = 0;
    uint64_t digits = 0;
    if (length < 2 || length > 16)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned char)text[i] - (unsigned)'0';
        if (digit <= 9) {
            digits = 10 * digits + digit;
            decimals += points;
        } else if (text[i] == '.' && points == 0) {
            points = 1;
        } else {
            return false;
        }
    }
    if (length - points > 15)
        return false;
    *out = (double)digits / powers[decimals];
    return true;
}

enum loom_number loom_number_real(double *out, const char *text, size_t length)
{
    struct decimal d;
    double value;

    if (read_plain(out, text, length))
        return LOOM_NUMBER_OK;
    if (!cut(&d, text, length))
        return LOOM_NUMBER_BAD;
    if (exact_product(&value, &d)) {
        *out = d.negative ? 0 - value : value;
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
    *out = 0 + value;
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

/* ---- no number ------------------------------------------------------------------------------- */

bool loom_number_missing(const char *text, size_t length)
{
    static const char *const words[] = {"",    "-",    "NA",   "N/A",  "NaN", "nan",
                                        "NAN", "null", "NULL", "Null", "None"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], text, length) == 0)
            return true;
    return false;
}
