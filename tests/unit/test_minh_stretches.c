/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run times looked up by stretches have the kind and band that they are worked out to have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/draw.h"
#include "models/minh/minh.h"

#include <math.h>

struct made {
    struct loom_minh_kind kinds[LOOM_MINH_KINDS];
    int64_t edges_s[LOOM_MINH_KINDS * LOOM_MINH_EDGES];
    struct loom_minh_shapes shapes;
    struct loom_minh_dice dice;
};

/* Kinds anywhere between a second and a month, narrow and wide, that overlap as they like. */
static void make_kinds(struct made *made, size_t n, struct loom_stream *stream)
{
    made->shapes = (struct loom_minh_shapes){.split = true, .n_kinds = n, .kinds = made->kinds};
    made->shapes.edges_s = made->edges_s;
    made->dice = (struct loom_minh_dice){.shapes = &made->shapes};
    for (size_t k = 0; k < n; k++) {
        double mean = 15 * loom_draw_uniform(stream), sd = exp(4 * loom_draw_uniform(stream) - 3);
        made->kinds[k] = (struct loom_minh_kind){loom_draw_uniform(stream), mean, sd, 1};
        made->dice.log_height[k] = log(made->kinds[k].weight / sd);
        for (size_t e = 0; e < LOOM_MINH_EDGES; e++)
            made->edges_s[k * LOOM_MINH_EDGES + e] =
                llrint(expm1(mean + sd * ((double)e - 1) * 0.67));
    }
}

static void check(const struct loom_minh_dice *dice, int64_t run_s)
{
    struct loom_minh_stretch stretch = loom_minh_stretch_of(dice, run_s);
    size_t kind = loom_minh_kind_of(dice, log1p((double)run_s));
    assert_int_equal(stretch.kind, kind);
    assert_int_equal(stretch.band, loom_minh_band(dice->shapes, kind, run_s));
}

/* All short run times, and longer and longer steps from there on. */
static void check_all(const struct loom_minh_dice *dice)
{
    for (int64_t run_s = 0; run_s < 3000; run_s++)
        check(dice, run_s);
    for (int64_t run_s = 3000; run_s < INT64_C(1) << 53; run_s += 1 + run_s / 2000)
        check(dice, run_s);
    for (const int64_t *end_s = dice->stretches.ends.bounds; *end_s < INT64_C(1) << 53; end_s++)
        for (int64_t beside = -2; beside <= 3; beside++)
            if (*end_s + beside >= 0)
                check(dice, *end_s + beside);
}

static void stretches_are_of_one_kind_and_band(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "stretches");
    for (size_t n = 1; n <= LOOM_MINH_KINDS; n++) {
        struct made made;
        make_kinds(&made, n, &stream);
        assert_int_equal(loom_minh_stretches_find(&made.dice, NULL), 0);
        check_all(&made.dice);
        loom_minh_stretches_free(&made.dice.stretches);
    }
}

/* Kinds that are the same, and one that no job is of. */
static void equal_and_empty_kinds(void **state)
{
    (void)state;
    struct made made;
    struct loom_stream stream;
    loom_stream_init(&stream, 2, 0, "stretches");
    make_kinds(&made, 4, &stream);
    made.kinds[1] = made.kinds[0];
    made.dice.log_height[1] = made.dice.log_height[0];
    made.dice.log_height[3] = -INFINITY;
    assert_int_equal(loom_minh_stretches_find(&made.dice, NULL), 0);
    check_all(&made.dice);
    loom_minh_stretches_free(&made.dice.stretches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches_are_of_one_kind_and_band),
        cmocka_unit_test(equal_and_empty_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
