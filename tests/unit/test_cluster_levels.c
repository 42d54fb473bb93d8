/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model-based clustering: levels of detail, and hierarchical clustering by trying all pairs. */
#include "cluster_samples.h"

/* ---- levels ---------------------------------------------------------------------------------- */

static struct loom_level make_exact(const struct sample *sample)
{
    struct loom_level level = {0};
    qsort(sample->x, sample->n, sizeof *sample->x, compare_doubles);
    assert_int_equal(loom_level_exact(&level, sample->x, sample->n, 0, NULL), 0);
    return level;
}

static void assert_same_moments(const struct loom_level *level, const struct loom_level *exact)
{
    double weight = 0, mean = 0, variance = 0, mean_exact = 0;
    for (size_t i = 0; i < level->n; i++) {
        weight += level->weight[i];
        mean += level->x[i] * level->weight[i] / exact->total;
    }
    for (size_t i = 0; i < exact->n; i++)
        mean_exact += exact->x[i] * exact->weight[i] / exact->total;
    for (size_t i = 0; i < level->n; i++)
        variance += level->weight[i] / exact->total *
                    ((level->x[i] - mean) * (level->x[i] - mean) + level->spread[i]);
    assert_near(weight, exact->total, 0);
    assert_near(mean, mean_exact, 1e-12);
    assert_near(variance, exact->variance, 1e-11);
}

/* Any mixture: the bound rises as bins are split, to the log-likelihood at the exact level. */
static void test_levels_bound_from_below(void **state)
{
    (void)state;
    struct loom_normals mixture = {0};
    struct loom_cluster_em *em = loom_cluster_em_create(3);
    assert_non_null(em);
    assert_int_equal(loom_normals_init(&mixture, 3, LOOM_VARIANCE_VARYING), 0);
    for (size_t i = 0; i < COUNT(oracles); i++) {
        struct sample sample = take_sample(oracles[i].name);
        struct loom_level exact = make_exact(&sample);
        double bounds[5];
        for (size_t k = 0; k < 5; k++) {
            struct loom_level level = {0};
            const size_t bins = (size_t)10 << (2 * k);
            assert_int_equal(loom_level_coarse(&level, &exact, bins, NULL), 0);
            assert_true(level.n <= 3 * bins + 2);
            assert_same_moments(&level, &exact);
            memcpy(mixture.weights, (const double[]){0.2, 0.3, 0.5, 1, 3, 8, 0.09, 0.0004, 16},
                   9 * sizeof(double));
            assert_true(loom_cluster_em_run(em, &mixture, &level, 1));
            bounds[k] = mixture.log_likelihood;
            assert_true(k == 0 || bounds[k] >= bounds[0]);
            loom_level_free(&level);
        }
        assert_true(loom_cluster_em_run(em, &mixture, &exact, 1));
        for (size_t k = 0; k < 5; k++)
            assert_true(bounds[k] <= mixture.log_likelihood + 1e-9 * fabs(mixture.log_likelihood));
        assert_near(bounds[4], mixture.log_likelihood, 1e-3 * fabs(mixture.log_likelihood));
        loom_level_free(&exact);
        free(sample.x);
    }
    loom_normals_free(&mixture);
    loom_cluster_em_destroy(em);
}

/* ---- hierarchical clustering ----------------------------------------------------------------- */

/* 0 1 10 11 30: the pairs cost 1/2 each, left before right; both pairs together 100, the right pair
 * and 30 would cost 2/3 * 19.5^2 = 253.5. So 30 stands alone longest, then 0 1 | 10 11. */
static void test_hierarchy_by_hand(void **state)
{
    (void)state;
    double x[] = {0, 1, 10, 11, 30}, ones[] = {1, 1, 1, 1, 1};
    const struct loom_level level = {.n = 5, .x = x, .weight = ones, .total = 5, .variance = 118};
    size_t cuts[4];
    assert_int_equal(loom_cluster_hierarchy(cuts, &level, LOOM_VARIANCE_EQUAL, 5, NULL), 0);
    assert_memory_equal(cuts, ((const size_t[]){4, 2, 3, 1}), sizeof cuts);
}

enum { SMALL = 14 };

struct group {
    double weight, mean, squares;
    size_t first;
};

static double plain_cost(const struct group *a, const struct group *b)
{
    double apart = a->mean - b->mean;
    return a->weight * b->weight / (a->weight + b->weight) * apart * apart;
}

/* Ward's clustering among all pairs. Fills starts[g] with bits of first values for g groups. */
static void plain_ward(unsigned *starts, const struct loom_level *level)
{
    struct group groups[SMALL];
    size_t n = level->n;
    for (size_t i = 0; i < n; i++)
        groups[i] = (struct group){level->weight[i], level->x[i], 0, i};
    for (; n > 0; n--) {
        size_t a = 0, b = 1;
        starts[n] = 0;
        for (size_t i = 0; i < n; i++)
            starts[n] |= 1u << groups[i].first;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                if (plain_cost(&groups[i], &groups[j]) < plain_cost(&groups[a], &groups[b])) {
                    a = i;
                    b = j;
                }
        if (n == 1)
            break;
        double weight = groups[a].weight + groups[b].weight;
        groups[a].mean =
            (groups[a].mean * groups[a].weight + groups[b].mean * groups[b].weight) / weight;
        groups[a].weight = weight;
        memmove(groups + b, groups + b + 1, (n - b - 1) * sizeof *groups);
    }
}

static void test_hierarchy_of_all_pairs(void **state)
{
    (void)state;
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "hierarchy");
    for (int round = 0; round < 500; round++) {
        double x[SMALL], weight[SMALL];
        struct loom_level level = {.n = SMALL, .x = x, .weight = weight};
        for (size_t i = 0; i < SMALL; i++) {
            x[i] = gsl_ran_gaussian(&stream.gsl, 3);
            weight[i] = (double)(1 + loom_stream_below(&stream, 20));
            level.total += weight[i];
        }
        qsort(x, SMALL, sizeof *x, compare_doubles);
        unsigned wanted[SMALL + 1], got = 1;
        size_t cuts[SMALL - 1];
        plain_ward(wanted, &level);
        assert_int_equal(loom_cluster_hierarchy(cuts, &level, LOOM_VARIANCE_EQUAL, SMALL, NULL), 0);
        for (size_t count = 1; count <= SMALL; count++) {
            assert_int_equal(got, wanted[count]);
            if (count < SMALL)
                got |= 1u << cuts[count - 1];
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_levels_bound_from_below),
        cmocka_unit_test(test_hierarchy_by_hand),
        cmocka_unit_test(test_hierarchy_of_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
