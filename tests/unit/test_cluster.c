/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model-based clustering: against R's mclust, against sums written out plainly, and on samples
 * that leave little or nothing to cluster.
 *
 * test_cluster --write DIR leaves the samples in DIR for tests/oracle/cluster.R.
 */
#include "cluster_samples.h"

/* ---- mclust ---------------------------------------------------------------------------------- */

static double parameters(size_t count, size_t model)
{
    return (double)(model == LOOM_VARIANCE_EQUAL ? 2 * count : 3 * count - 1);
}

/* Both stop when a step gains next to nothing, so equal maxima agree to about that. */
static void assert_as_high(const struct loom_clusters *found, const struct oracle *oracle)
{
    for (size_t i = 0; i < ORACLE_MAX * MODELS; i++) {
        size_t count = i / MODELS + 1, model = i % MODELS;
        double theirs = oracle->log_likelihoods[model][count - 1];
        double ours = (found->bic_table[i] + parameters(count, model) * log((double)oracle->n)) / 2;
        if (!isnan(theirs) && !(ours >= theirs - 1e-9 * fabs(theirs)))
            fail_msg("%s, %c, %zu clusters: log-likelihood %.6f, mclust's is %.6f", oracle->name,
                     "EV"[model], count, ours, theirs);
    }
}

static void test_mclust_likelihoods(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(oracles); i++) {
        struct sample sample = take_sample(oracles[i].name);
        assert_int_equal(sample.n, oracles[i].n);
        struct loom_clusters found = must_cluster(sample.x, sample.n, 1, ORACLE_MAX);
        assert_as_high(&found, &oracles[i]);
        loom_clusters_free(&found);
        free(sample.x);
    }
}

static void assert_same_parameters(const struct loom_clusters *found, const struct oracle *oracle)
{
    for (size_t k = 0; k < found->count; k++) {
        double near = 0.02 * oracle->sds[k];
        assert_near(found->weights[k], oracle->weights[k], 0.002);
        assert_near(found->means[k], oracle->means[k], near);
        assert_near(found->sds[k], oracle->sds[k], near);
    }
}

/* On samples drawn from mixtures the choice is mclust's, and where the fits are the same too, so
 * are the parameters. On the geyser's a better mixture of three is found, which beats mclust's of
 * four. */
static void test_mclust_choice(void **state)
{
    (void)state;
    size_t same_fits = 0;
    for (size_t i = 0; i < COUNT(oracles); i++) {
        const struct oracle *oracle = &oracles[i];
        struct sample sample = take_sample(oracle->name);
        struct loom_clusters found = must_cluster(sample.x, sample.n, 1, ORACLE_MAX);
        double theirs = oracle->log_likelihoods[oracle->variance][oracle->count - 1];
        if (strcmp(oracle->name, "geyser") == 0) {
            double bic =
                2 * theirs - parameters(oracle->count, oracle->variance) * log((double)oracle->n);
            assert_true(found.bic > bic);
        } else if (found.count != oracle->count || found.variance != oracle->variance) {
            fail_msg("%s: %c,%zu is chosen, mclust chooses %c,%zu", oracle->name,
                     "EV"[found.variance], found.count, "EV"[oracle->variance], oracle -> count);
        } else if (fabs(found.log_likelihood - theirs) < 0.1) {
            assert_same_parameters(&found, oracle);
            same_fits++;
        }
        loom_clusters_free(&found);
        free(sample.x);
    }
    assert_true(same_fits >= 2);
}

static void test_mclust_starts(void **state)
{
    (void)state;
    double edges[2 * LOOM_CLUSTER_QUANTILES(ORACLE_MAX)];
    for (size_t i = 0; i < COUNT(oracles); i++) {
        struct sample sample = take_sample(oracles[i].name);
        qsort(sample.x, sample.n, sizeof *sample.x, compare_doubles);
        for (size_t count = 2; count <= ORACLE_MAX; count++) {
            assert_true(loom_cluster_quantiles(edges, sample.x, sample.n, count));
            size_t sizes[ORACLE_MAX] = {0}, group = 0;
            for (size_t j = 0; j < sample.n; j++) {
                while (group + 1 < count && sample.x[j] >= edges[group + 1])
                    group++;
                sizes[group]++;
            }
            assert_memory_equal(sizes, oracles[i].start_sizes[count - 2], sizeof sizes);
        }
        free(sample.x);
    }
}

/* ---- plain sums ------------------------------------------------------------------------------ */

static long double plain_log_density(const struct loom_clusters *found, size_t k, double x)
{
    long double z = ((long double)x - (long double)found->means[k]) / (long double)found->sds[k];
    return logl((long double)found->weights[k]) - logl((long double)found->sds[k]) -
           logl(2 * acosl(-1)) / 2 - z * z / 2;
}

/* The log-likelihood in long double, and the most likely component of each value. */
static long double plain_log_likelihood(const struct loom_clusters *found, const double *x,
                                        uint32_t *labels)
{
    long double sum = 0;
    for (size_t i = 0; i < found->n; i++) {
        long double top = -INFINITY, density = 0;
        for (size_t k = 0; k < found->count; k++) {
            long double l = plain_log_density(found, k, x[i]);
            if (l > top) {
                top = l;
                labels[i] = (uint32_t)k;
            }
        }
        for (size_t k = 0; k < found->count; k++)
            density += expl(plain_log_density(found, k, x[i]) - top);
        sum += top + logl(density);
    }
    return sum;
}

static void assert_sound(const struct loom_clusters *found, const double *x)
{
    uint32_t *labels = malloc(found->n * sizeof *labels);
    assert_non_null(labels);
    double log_likelihood = (double)plain_log_likelihood(found, x, labels);
    assert_near(found->log_likelihood, log_likelihood, 1e-10 * (1 + fabs(log_likelihood)));
    assert_memory_equal(found->labels, labels, found->n * sizeof *labels);
    free(labels);
    double bic = 2 * found->log_likelihood -
                 parameters(found->count, found->variance) * log((double)found->n);
    assert_near(found->bic, bic, 1e-12 * fabs(bic));
    double total = 0;
    for (size_t k = 0; k < found->count; k++) {
        total += found->weights[k];
        assert_true(found->weights[k] > 0 && found->sds[k] > 0);
        assert_true(k == 0 || found->means[k] >= found->means[k - 1]);
        assert_true(found->variance == LOOM_VARIANCE_VARYING || found->sds[k] == found->sds[0]);
    }
    assert_near(total, 1, 1e-12);
    for (size_t i = 0; i < found->max_clusters * MODELS; i++)
        assert_true(isnan(found->bic_table[i]) || found->bic_table[i] <= found->bic);
}

static void test_results_are_sound(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(oracles); i++) {
        struct sample sample = take_sample(oracles[i].name);
        struct loom_clusters found = must_cluster(sample.x, sample.n, 1, 12);
        assert_true(found.converged);
        assert_sound(&found, sample.x);
        loom_clusters_free(&found);
        free(sample.x);
    }
}

/* Values a million deviations apart, with a run of equal ones and values in between. */
static void test_far_apart(void **state)
{
    (void)state;
    double x[600];
    struct loom_stream stream;
    loom_stream_init(&stream, 1, 0, "far apart");
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = gsl_ran_gaussian(&stream.gsl, 1) + (i % 3 == 1 ? 1e6 : i % 3 == 2 ? -4e9 : 0);
    x[7] = 3e11;
    x[8] = 3e11 + 1;
    for (size_t last = 1; last <= 8; last++) {
        struct loom_clusters found = must_cluster(x, COUNT(x), last, last);
        assert_int_equal(found.count, last);
        assert_sound(&found, x);
        loom_clusters_free(&found);
    }
}

/* ---- what must not matter -------------------------------------------------------------------- */

static void assert_same(const struct loom_clusters *a, const struct loom_clusters *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->variance, b->variance);
    assert_memory_equal(a->weights, b->weights, a->count * sizeof *a->weights);
    assert_memory_equal(a->means, b->means, a->count * sizeof *a->means);
    assert_memory_equal(a->sds, b->sds, a->count * sizeof *a->sds);
    assert_memory_equal(a->labels, b->labels, a->n * sizeof *a->labels);
    assert_memory_equal(a->bic_table, b->bic_table,
                        a->max_clusters * MODELS * sizeof *a->bic_table);
    assert_memory_equal(&a->log_likelihood, &b->log_likelihood, sizeof a->log_likelihood);
}

static void test_threads(void **state)
{
    (void)state;
    struct sample sample = take_sample("large");
    struct loom_clusters alone = must_cluster(sample.x, sample.n, 1, 8);
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct loom_pool *pool;
        struct loom_clusters found;
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        const struct loom_cluster_options options = {.max_clusters = 8, .pool = pool};
        assert_int_equal(loom_cluster(&found, sample.x, sample.n, &options, NULL), 0);
        assert_same(&found, &alone);
        loom_clusters_free(&found);
        loom_pool_destroy(pool);
    }
    loom_clusters_free(&alone);
    free(sample.x);
}

/* The order of values, and which smaller numbers of clusters were asked for. */
static void test_order_and_range(void **state)
{
    (void)state;
    struct sample sample = take_sample("seconds");
    struct loom_clusters found = must_cluster(sample.x, sample.n, 1, 6);
    for (size_t i = 0; i < sample.n / 2; i++) {
        double swap = sample.x[i];
        sample.x[i] = sample.x[sample.n - 1 - i];
        sample.x[sample.n - 1 - i] = swap;
    }
    struct loom_clusters other = must_cluster(sample.x, sample.n, 3, 6);
    for (size_t i = 0; i < sample.n; i++)
        assert_int_equal(found.labels[i], other.labels[sample.n - 1 - i]);
    for (size_t i = 0; i < 6 * MODELS; i++) {
        if (i < 2 * MODELS)
            assert_true(isnan(other.bic_table[i]));
        else
            assert_memory_equal(&found.bic_table[i], &other.bic_table[i], sizeof(double));
    }
    loom_clusters_free(&found);
    loom_clusters_free(&other);
    free(sample.x);
}

/* Scaling by c takes n log c off the log-likelihood and changes nothing else. MCLUST's rule looks
 * at the log-likelihood itself, so fits may stop a step apart. */
static void test_units(void **state)
{
    (void)state;
    static const int exponents[] = {-1060, -900, -40, -1, 1, 60, 1015};
    struct sample sample = take_sample("equal");
    struct loom_clusters found = must_cluster(sample.x, sample.n, 4, 4);
    for (size_t i = 0; i < COUNT(exponents); i++) {
        double *scaled = malloc(sample.n * sizeof *scaled);
        assert_non_null(scaled);
        for (size_t j = 0; j < sample.n; j++)
            scaled[j] = ldexp(sample.x[j], exponents[i]);
        struct loom_clusters other = must_cluster(scaled, sample.n, 4, 4);
        assert_int_equal(other.variance, found.variance);
        double shift = (double)sample.n * exponents[i] * log(2);
        assert_near(other.log_likelihood + shift, found.log_likelihood, 0.5);
        for (size_t k = 0; k < 4; k++) {
            assert_near(other.weights[k], found.weights[k], 0.02);
            assert_near(ldexp(other.means[k], -exponents[i]), found.means[k], 0.05);
            assert_near(ldexp(other.sds[k], -exponents[i]), found.sds[k], 0.05);
        }
        loom_clusters_free(&other);
        free(scaled);
    }
    loom_clusters_free(&found);
    free(sample.x);
}

/* ---- little to cluster ----------------------------------------------------------------------- */

static void test_refused(void **state)
{
    (void)state;
    static const double one[] = {5}, same[] = {7, 7, 7, 7, 7, 7}, two[] = {1, 2};
    static const double nan[] = {1, 2, NAN, 4}, infinite[] = {1, -INFINITY, 3};
    static const struct {
        const double *x;
        size_t n, first, last;
        int code;
        const char *message;
    } cases[] = {
        {one, 0, 0, 0, LOOM_EDATA, "there are no values to cluster"},
        {one, 1, 0, 0, LOOM_EDATA,
         "no mixture of 1 to 20 normals fits: the values are too few or too many of them are "
         "equal"},
        {same, 6, 0, 3, LOOM_EDATA,
         "no mixture of 1 to 3 normals fits: the values are too few or too many of them are equal"},
        {two, 2, 2, 9, LOOM_EDATA,
         "no mixture of 2 to 9 normals fits: the values are too few or too many of them are equal"},
        {nan, 4, 0, 0, LOOM_EDATA,
         "value 3 is not a finite number; leave such values out to cluster the rest"},
        {infinite, 3, 0, 0, LOOM_EDATA,
         "value 2 is not a finite number; leave such values out to cluster the rest"},
        {two, 2, 3, 2, LOOM_ERANGE, "the smallest number of clusters, 3, is above the largest, 2"},
        {two, 2, 0, 101, LOOM_ERANGE, "101 clusters are too many; ask for at most 100"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_clusters found;
        struct loom_error err = {0};
        const struct loom_cluster_options options = {.min_clusters = cases[i].first,
                                                     .max_clusters = cases[i].last};
        assert_int_equal(loom_cluster(&found, cases[i].x, cases[i].n, &options, &err),
                         cases[i].code);
        assert_string_equal(err.message, cases[i].message);
        assert_null(found.labels);
    }
}

/* Two values: one normal of their mean and deviation (with n); two normals would have no width. */
static void test_two_values(void **state)
{
    (void)state;
    static const double x[] = {3, 1, 1, 3, 1, 1};
    static const size_t sizes[] = {2, 6};
    static const double means[] = {2, 5 / 3.0}, sds[] = {1, 0.94280904158206336587};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct loom_clusters found = must_cluster(x, sizes[i], 0, 0);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.variance, LOOM_VARIANCE_EQUAL);
        assert_near(found.weights[0], 1, 0);
        assert_near(found.means[0], means[i], 1e-15);
        assert_near(found.sds[0], sds[i], 1e-15);
        assert_near(found.bic_table[0], found.bic_table[1], 0);
        for (size_t k = MODELS; k < 20 * MODELS; k++)
            assert_true(isnan(found.bic_table[k]));
        assert_sound(&found, x);
        loom_clusters_free(&found);
    }
}

/* Seven different values, nine tenths of all at one of them: a normal of its own for those would
 * have no width, and where variances vary one always ends up there. Equal variances leave room for
 * any number of normals below the values' own. */
static void test_ties(void **state)
{
    (void)state;
    double x[1000];
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = i % 10 == 0 ? (double)(i % 70) : 60;
    struct loom_clusters found = must_cluster(x, COUNT(x), 0, 9);
    for (size_t count = 1; count <= 9; count++) {
        double equal = found.bic_table[2 * (count - 1)];
        double varying = found.bic_table[2 * (count - 1) + 1];
        assert_true(count == 7 || isnan(equal) == (count > 7));
        assert_true(isnan(varying) == (count >= 2));
    }
    assert_near(found.bic_table[0], -7673.5656, 1e-3); /* both as mclust has them */
    assert_near(found.bic_table[2], -5951.4032, 1e-3);
    assert_int_equal(found.count, 6);
    assert_sound(&found, x);
    loom_clusters_free(&found);
}

static void test_one_model(void **state)
{
    (void)state;
    struct sample sample = take_sample("three");
    for (size_t model = 0; model < MODELS; model++) {
        struct loom_clusters found;
        const struct loom_cluster_options options = {.max_clusters = 5,
                                                     .equal = model == LOOM_VARIANCE_EQUAL,
                                                     .varying = model == LOOM_VARIANCE_VARYING};
        assert_int_equal(loom_cluster(&found, sample.x, sample.n, &options, NULL), 0);
        assert_int_equal(found.variance, model);
        for (size_t i = 0; i < 5 * MODELS; i++)
            assert_true(isnan(found.bic_table[i]) == (i % MODELS != model));
        loom_clusters_free(&found);
    }
    free(sample.x);
}

/* As many clusters as a caller may ask for, of fewer values. */
static void test_many_clusters(void **state)
{
    (void)state;
    double x[40];
    for (size_t i = 0; i < COUNT(x); i++)
        x[i] = sqrt((double)i);
    struct loom_clusters found = must_cluster(x, COUNT(x), 0, 100);
    assert_int_equal(found.max_clusters, 100);
    for (size_t i = COUNT(x) * MODELS; i < 100 * MODELS; i++)
        assert_true(isnan(found.bic_table[i]));
    assert_sound(&found, x);
    loom_clusters_free(&found);
}

static int write_samples(const char *directory)
{
    for (size_t i = 0; i < COUNT(recipes); i++) {
        char path[4096];
        struct sample sample = draw_sample(&recipes[i]);
        snprintf(path, sizeof path, "%s/%s.f64", directory, recipes[i].name);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(sample.x, sizeof *sample.x, sample.n, file) != sample.n || fclose(file))
            return 1;
        free(sample.x);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "--write") == 0)
        return write_samples(argv[2]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mclust_likelihoods),
        cmocka_unit_test(test_mclust_choice),
        cmocka_unit_test(test_mclust_starts),
        cmocka_unit_test(test_results_are_sound),
        cmocka_unit_test(test_far_apart),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_order_and_range),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_two_values),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_one_model),
        cmocka_unit_test(test_many_clusters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
