/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of Minh and Wolters: labels and table worked out by hand. */
#include "minh_log.h"
#include "models/minh/minh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- labels and table ------------------------------------------------------------------------ */

/* "250 jobs requesting 4 cpus and 300 jobs requesting 10 cpus: all will be classified as 9". */
static void labels(void **state)
{
    (void)state;
    static const int64_t cases[][2] = {{250, 9}, {300, 9}, {1, 1},    {2, 2},
                                       {3, 3},   {5, 3},   {6, 4},    {181, 8},
                                       {182, 9}, {362, 9}, {363, 10}, {200000, 19}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(loom_minh_label(cases[i][0]), cases[i][1]);
}

/* Ten jobs. Sizes 1 and 8 have three each: round(1.58) + 1 = 3; size 2 has two: label 2; sizes 3
 * and 4 have one: label 1. */
static const int32_t ten_procs[] = {1, 1, 2, 4, 8, 1, 8, 8, 3, 2};
static const uint32_t ten_kinds[] = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1};
static const uint8_t ten_in_bag[] = {1, 0, 1, 1, 0, 0, 1, 0, 0, 1};

struct hand {
    struct loom_minh_shapes shapes;
    int64_t runs[10];
};

static void count_ten(struct hand *hand, bool split)
{
    *hand = (struct hand){.shapes = {.n_kinds = 2, .split = split}};
    hand->shapes.kinds = calloc(2, sizeof *hand->shapes.kinds);
    for (size_t k = 0; k < 2; k++)
        hand->shapes.kinds[k] = (struct loom_minh_kind){0.5, means[k], sds[k], 0.5};
    struct loom_shapes jobs = {.n = 10,
                               .run_s = hand->runs,
                               .procs = (int32_t *)(uintptr_t)ten_procs};
    assert_int_equal(loom_minh_cells_count(&hand->shapes, &jobs, ten_kinds, ten_in_bag, NULL), 0);
}

static void table_by_hand(void **state)
{
    (void)state;
    static const struct {
        int64_t kind, label;
        size_t n;
        int32_t procs[2];
        int64_t jobs[2], in_bags[2];
    } wanted[] = {
        {1, 1, 1, {4}, {1}, {1}}, {1, 2, 1, {2}, {1}, {1}}, {1, 3, 2, {1, 8}, {2, 1}, {1, 0}},
        {2, 1, 1, {3}, {1}, {0}}, {2, 2, 1, {2}, {1}, {1}}, {2, 3, 2, {1, 8}, {1, 2}, {0, 1}},
    };
    struct hand hand;
    count_ten(&hand, true);
    assert_int_equal(hand.shapes.n_cells, COUNT(wanted));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const struct loom_minh_cell *cell = &hand.shapes.cells[i];
        assert_int_equal(cell->kind, wanted[i].kind);
        assert_int_equal(cell->label, wanted[i].label);
        assert_int_equal(cell->n, wanted[i].n);
        for (size_t s = 0; s < cell->n; s++) {
            assert_int_equal(cell->procs[s], wanted[i].procs[s]);
            assert_null(cell->jobs);
            assert_near(cell->by_place[LOOM_MINH_SINGLE][s],
                        (double)(wanted[i].jobs[s] - wanted[i].in_bags[s]), 0);
            assert_near(cell->by_place[LOOM_MINH_IN_BAG][s], (double)wanted[i].in_bags[s], 0);
        }
    }
    loom_minh_shapes_free(&hand.shapes);
}

/* Pr(c, l) and then algorithm 2 give each size the share it has among the jobs of the kind: of five
 * jobs of kind 1, two are serial, and so on. With tables by place, among those in that place. */
static void sizes_are_drawn_by_the_table(void **state)
{
    (void)state;
    enum { N = 50000 };
    static const struct {
        bool split;
        unsigned without;
        size_t kind;
        enum loom_minh_place place;
        double shares[9]; /* by size */
    } cases[] = {
        {false, 0, 0, LOOM_MINH_ANYWHERE, {[1] = 0.4, [2] = 0.2, [4] = 0.2, [8] = 0.2}},
        {false, 0, 0, LOOM_MINH_IN_BAG, {[1] = 0.4, [2] = 0.2, [4] = 0.2, [8] = 0.2}},
        {false, 0, 1, LOOM_MINH_ANYWHERE, {[1] = 0.2, [2] = 0.2, [3] = 0.2, [8] = 0.4}},
        {true, 0, 0, LOOM_MINH_IN_BAG, {[1] = 1.0 / 3, [2] = 1.0 / 3, [4] = 1.0 / 3}},
        {true, 0, 1, LOOM_MINH_SINGLE, {[1] = 1.0 / 3, [3] = 1.0 / 3, [8] = 1.0 / 3}},
        {true, 0, 1, LOOM_MINH_ANYWHERE, {[1] = 0.2, [2] = 0.2, [3] = 0.2, [8] = 0.4}},
        {false,
         LOOM_CORRELATION,
         1,
         LOOM_MINH_ANYWHERE,
         {[1] = 0.3, [2] = 0.2, [3] = 0.1, [4] = 0.1, [8] = 0.3}},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        struct hand hand;
        struct loom_minh_sampler sampler;
        struct loom_generation generation = {.seed = 8,
                                             .procs = 8,
                                             .log_procs = 8,
                                             .without = cases[k].without};
        count_ten(&hand, cases[k].split);
        assert_int_equal(loom_minh_sampler_init(&sampler, &hand.shapes, loom_minh_weight,
                                                &generation, "test", NULL),
                         0);
        double counts[9] = {0};
        for (size_t i = 0; i < N; i++)
            counts[loom_minh_draw_procs(&sampler, cases[k].kind, cases[k].place)]++;
        for (size_t size = 0; size < COUNT(counts); size++) {
            double p = cases[k].shares[size];
            assert_near(counts[size] / N, p, 4 * sqrt(p * (1 - p) / N));
        }
        loom_minh_sampler_free(&sampler);
        loom_minh_shapes_free(&hand.shapes);
    }
}

/* ---- runtimes that are cut ------------------------------------------------------------------ */

/* The means and deviations of kinds, of jobs in bags too, are kept below a cut at a distance of 1.5
 * to 8 deviations. Bags have a correlation of a half: as many independent runtimes as bags. */
static void cut_kinds_keep_their_moments(void **state)
{
    (void)state;
    enum { BAGS = 40000, SIZE = 3 };
    static const double far[] = {1.5, 2.2, 3, 8};
    for (size_t i = 0; i < COUNT(far); i++) {
        struct hand hand;
        struct loom_minh_sampler sampler;
        struct loom_generation generation = {.seed = i, .procs = 64, .log_procs = 64};
        count_ten(&hand, true);
        hand.shapes.kinds[1] = (struct loom_minh_kind){0.5, 9, 0.8, 0.5};
        int64_t longest_s = llrint(expm1(9 + 0.8 * far[i]));
        assert_int_equal(loom_minh_sampler_init(&sampler, &hand.shapes, loom_minh2012_weight,
                                                &generation, "cut kinds", NULL),
                         0);
        loom_minh_cut(&sampler, longest_s);
        double sum[SIZE] = {0}, squares[SIZE] = {0}, centre;
        for (int bag = 0; bag < BAGS; bag++)
            for (int job = 0; job < SIZE; job++) {
                int64_t run_s = job == 0 ? loom_minh_draw_first(&sampler, 1, 0.5, &centre)
                                         : loom_minh_draw_next(&sampler, 1, 0.5, centre);
                assert_true(run_s <= longest_s);
                sum[job] += (log1p((double)run_s) - 9) / 0.8 / BAGS;
                squares[job] += pow((log1p((double)run_s) - 9) / 0.8, 2) / BAGS;
            }
        for (int job = 0; job < SIZE; job++) {
            assert_near(sum[job], 0, 4 / sqrt(BAGS));
            assert_near(squares[job], 1, 4 * sqrt(2.0 / BAGS));
        }
        loom_minh_sampler_free(&sampler);
        loom_minh_shapes_free(&hand.shapes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels),
        cmocka_unit_test(table_by_hand),
        cmocka_unit_test(sizes_are_drawn_by_the_table),
        cmocka_unit_test(cut_kinds_keep_their_moments),
    };
    return cmocka_run_group_tests_name("minh_table", tests, NULL, NULL);
}
