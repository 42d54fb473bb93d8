/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binary search beside counting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/search.h"

#include <workloom/base.h>

enum { BOUNDS = 300 };

static size_t counted(const int64_t *bounds, size_t n, int64_t number)
{
    size_t below = 0;
    for (size_t i = 0; i < n; i++)
        below += bounds[i] < number;
    return below;
}

static void check_one(const int64_t *bounds, const double *reals, size_t n, int64_t number)
{
    assert_int_equal(loom_lower_bound(bounds, n, number), counted(bounds, n, number));
    size_t up_to = 0;
    for (size_t i = 0; i < n; i++)
        up_to += reals[i] <= (double)number;
    assert_int_equal(loom_upper_bound_real(reals, n, (double)number), up_to);
}

static void check(const int64_t *bounds, size_t n, const int64_t *numbers, size_t n_numbers)
{
    double reals[BOUNDS];
    for (size_t i = 0; i < n; i++)
        reals[i] = (double)bounds[i];
    for (size_t i = 0; i < n_numbers; i++)
        check_one(bounds, reals, n, numbers[i]);
    for (size_t i = 0; i < n; i++)
        for (int64_t beside = -1; beside <= 1; beside++)
            if (bounds[i] < INT64_MAX || beside <= 0)
                check_one(bounds, reals, n, bounds[i] + beside);
}

static void at_the_ends(void **state)
{
    (void)state;
    static const int64_t bounds[] = {-5, 0, 1, 1, 2, 127, 128, 129, 1 << 20, INT64_MAX};
    static const int64_t numbers[] = {-1000,         -5,       -4, 0, 1, 2, 3, 64, 1 << 19,
                                      INT64_MAX - 1, INT64_MAX};
    for (size_t n = 0; n <= sizeof bounds / sizeof bounds[0]; n++)
        check(bounds, n, numbers, sizeof numbers / sizeof numbers[0]);
}

/* Bounds close together and far apart: steps of up to 2^e, for all e. */
static void everywhere(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "search");
    for (unsigned e = 0; e < 54; e++) {
        int64_t bounds[BOUNDS], numbers[BOUNDS], last = 0;
        for (size_t i = 0; i < BOUNDS; i++)
            last = bounds[i] = last + (int64_t)loom_stream_below(&stream, UINT64_C(1) << e);
        for (size_t i = 0; i < BOUNDS; i++)
            numbers[i] = (int64_t)loom_stream_below(&stream, (uint64_t)last + 2);
        check(bounds, BOUNDS, numbers, BOUNDS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_the_ends),
        cmocka_unit_test(everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
