/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster/em.c - EM for mixtures of normals on one level of a sample.
 *
 * A step goes over the level in blocks of neighbouring bins. For a block, the log-densities of each
 * component are bounded from below and above by its distance to the block. All densities are
 * computed relative to the largest lower bound, so that their sum is at least 1 and never
 * underflows; components below 1e-17 of it are left out; and a block over which densities would
 * overflow is halved, down to single bins, where nothing can. What is left is exponentials, by a
 * polynomial that compilers turn into vector code.
 *
 * Sums run over four lanes whatever the width of the machine's vectors, and nothing is fused, so
 * results are the same with any instruction set.
 *
 * The rule to stop is MCLUST's: the log-likelihood L changes by at most 1e-5 (1 + |L|) in a step.
 * For a large sample that is several units of BIC a step, so such a fit is then polished by
 * extrapolating EM's own path (SQUAREM, Varadhan and Roland 2008) until a step gains less than
 * 0.01.
 */
#include "stats/cluster/cluster.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TOLERANCE 1e-5
#define POLISHED 0.01

enum {
    LANES = 4,
    VECTORS = 32,
    BLOCK = LANES * VECTORS,
    POLISH_CYCLES = 60,
};

/* Vectors as the compilers offer them: each operation is done on every lane, in whatever registers
 * the machine has. Casts keep the bits. */
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef uint64_t lane_bits __attribute__((vector_size(LANES * sizeof(double))));

/* Sums over the bins of responsibilities r and distances d to the old mean. */
struct sums {
    double r, rd, rdd;
};

struct loom_cluster_em {
    lanes x[VECTORS], weight[VECTORS], spread[VECTORS]; /* a block, filled up with weights of 0 */
    lanes density[VECTORS], ratio[VECTORS];
    lanes *densities; /* VECTORS for each component */
    double *scales;   /* -1 / (2 s^2) */
    double *heights;  /* log of weight over sqrt(2 pi s^2) */
    double *uppers;   /* of log-densities in the block */
    struct sums *sums;
    double log_likelihood;
    struct loom_normals points[4]; /* of the path to extrapolate */
};

/* ---- mixtures -------------------------------------------------------------------------------- */

void loom_normals_shape(struct loom_normals *mixture, size_t count, enum loom_variance variance)
{
    mixture->count = count;
    mixture->variance = variance;
    mixture->means = mixture->weights + count;
    mixture->variances = mixture->means + count;
    mixture->log_likelihood = NAN;
    mixture->converged = false;
}

int loom_normals_init(struct loom_normals *mixture, size_t count, enum loom_variance variance)
{
    double *block = calloc(3 * count, sizeof *block);
    if (!block)
        return -1;
    mixture->weights = block;
    loom_normals_shape(mixture, count, variance);
    return 0;
}

void loom_normals_copy(struct loom_normals *to, const struct loom_normals *from)
{
    loom_normals_shape(to, from->count, from->variance);
    to->log_likelihood = from->log_likelihood;
    to->converged = from->converged;
    memcpy(to->weights, from->weights, 3 * from->count * sizeof *to->weights);
}

void loom_normals_free(struct loom_normals *mixture)
{
    free(mixture->weights);
    *mixture = (struct loom_normals){0};
}

size_t loom_normals_label(const struct loom_normals *mixture, double x)
{
    size_t best = 0;
    double best_log = -INFINITY;
    for (size_t k = 0; k < mixture->count; k++) {
        double off = x - mixture->means[k];
        double log_density = log(mixture->weights[k]) - log(mixture->variances[k]) / 2 -
                             off * off / mixture->variances[k] / 2;
        if (log_density > best_log) {
            best = k;
            best_log = log_density;
        }
    }
    return best;
}

/* ---- arithmetic over a block ----------------------------------------------------------------- */

#define INLINE static inline __attribute__((always_inline))

/* a = e^a for |a| < 700, 0 below, to 2 units in the last place: a = k log 2 + r, |r| <= log(2) / 2,
 * and a Taylor polynomial in r. Adding 1.5 * 2^52 rounds k to the low bits of the sum. */
INLINE void exponential(lanes *a)
{
    const double shift = 0x1.8p52;
    lanes shifted = *a * 0x1.71547652b82fep0 + shift;
    lanes k = shifted - shift;
    lanes r = *a - k * 0x1.62e42fefa0000p-1 - k * 0x1.cf79abc9e3b3ap-40;
    lanes p = r * (1 / 479001600.0) + 1 / 39916800.0;
    p = p * r + 1 / 3628800.0;
    p = p * r + 1 / 362880.0;
    p = p * r + 1 / 40320.0;
    p = p * r + 1 / 5040.0;
    p = p * r + 1 / 720.0;
    p = p * r + 1 / 120.0;
    p = p * r + 1 / 24.0;
    p = p * r + 1 / 6.0;
    p = p * r + 0.5;
    p = p * r + 1;
    p = p * r + 1;
    lane_bits power = ((lane_bits)shifted << 52) + 0x3ff0000000000000u;
    *a = (lanes)((lane_bits)(p * (lanes)power) & (lane_bits)(*a > -700.0));
}

/* a = log a for finite a >= 1: a = 2^k m with m in [sqrt(1/2), sqrt(2)), and log m = 2 artanh s
 * with s = (m - 1) / (m + 1). The bits of sqrt(1/2) are taken off to find k, which is turned into a
 * number by placing it in the low bits of 2^52. */
INLINE void logarithm(lanes *a)
{
    lane_bits k = ((lane_bits)*a - 0x3fe6a09e667f3bcdu) >> 52;
    lanes m = (lanes)((lane_bits)*a - (k << 52));
    lanes s = (m - 1) / (m + 1);
    lanes z = s * s;
    lanes p = z * (1 / 21.0) + 1 / 19.0;
    p = p * z + 1 / 17.0;
    p = p * z + 1 / 15.0;
    p = p * z + 1 / 13.0;
    p = p * z + 1 / 11.0;
    p = p * z + 1 / 9.0;
    p = p * z + 1 / 7.0;
    p = p * z + 1 / 5.0;
    p = p * z + 1 / 3.0;
    p = p * z + 1;
    lanes exponent = (lanes)(k | 0x4330000000000000u) - 0x1p52;
    *a = exponent * 0x1.62e42fefa39efp-1 + 2 * s * p;
}

INLINE double lane_sum(const lanes *v)
{
    return ((*v)[0] + (*v)[1]) + ((*v)[2] + (*v)[3]);
}

/* The densities of one component over n vectors of bins, added to em->density. */
INLINE void add_densities(struct loom_cluster_em *em, lanes *restrict out, size_t n, double mean,
                          double height, double scale)
{
    for (size_t i = 0; i < n; i++) {
        lanes d = em->x[i] - mean;
        lanes e = height + (d * d + em->spread[i]) * scale;
        exponential(&e);
        out[i] = e;
        em->density[i] += e;
    }
}

/* Log-likelihood over the block, and weight / density into em->ratio. */
INLINE double take_logs(struct loom_cluster_em *em, size_t n, double base)
{
    lanes sum = {0};
    for (size_t i = 0; i < n; i++) {
        lanes l = em->density[i];
        logarithm(&l);
        sum += em->weight[i] * (l + base);
        em->ratio[i] = em->weight[i] / em->density[i];
    }
    return lane_sum(&sum);
}

INLINE void add_sums(struct sums *sums, const struct loom_cluster_em *em, const lanes *densities,
                     size_t n, double mean)
{
    lanes r = {0}, rd = {0}, rdd = {0};
    for (size_t i = 0; i < n; i++) {
        lanes d = em->x[i] - mean;
        lanes share = densities[i] * em->ratio[i];
        r += share;
        rd += share * d;
        rdd += share * (d * d + em->spread[i]);
    }
    sums->r += lane_sum(&r);
    sums->rd += lane_sum(&rd);
    sums->rdd += lane_sum(&rdd);
}

/* ---- a block --------------------------------------------------------------------------------- */

/* Components whose densities stay this far (in logs) below the base of the block don't count. */
#define NEGLIGIBLE 40.0
#define OVERFLOWING 600.0

static void expand_block(struct loom_cluster_em *em, const struct loom_normals *mixture, size_t n,
                         double base)
{
    memset(em->density, 0, n * sizeof *em->density);
    for (size_t k = 0; k < mixture->count; k++)
        if (em->uppers[k] > base - NEGLIGIBLE)
            add_densities(em, em->densities + k * VECTORS, n, mixture->means[k],
                          em->heights[k] - base, em->scales[k]);
    em->log_likelihood += take_logs(em, n, base);
    for (size_t k = 0; k < mixture->count; k++)
        if (em->uppers[k] > base - NEGLIGIBLE)
            add_sums(&em->sums[k], em, em->densities + k * VECTORS, n, mixture->means[k]);
}

/* Bound the log-densities over bins from .. to - 1. Returns the largest lower bound. */
static double bound_block(struct loom_cluster_em *em, const struct loom_normals *mixture,
                          double low, double high, double spread_min, double spread_max,
                          double *upper)
{
    double base = -INFINITY;
    *upper = -INFINITY;
    for (size_t k = 0; k < mixture->count; k++) {
        double below = mixture->means[k] - low, above = high - mixture->means[k];
        double near = fmax(0, -fmin(below, above));
        double far = fmax(below, above);
        double lower = em->heights[k] + (far * far + spread_max) * em->scales[k];
        em->uppers[k] = em->heights[k] + (near * near + spread_min) * em->scales[k];
        base = fmax(base, lower);
        *upper = fmax(*upper, em->uppers[k]);
    }
    return base;
}

/* Returns the number of vectors; the last is filled up with its last bin at weight 0. */
static size_t load_block(struct loom_cluster_em *em, const struct loom_level *level, size_t from,
                         size_t n)
{
    size_t vectors = (n + LANES - 1) / LANES, size = n * sizeof(double);
    memcpy(em->x, level->x + from, size);
    memcpy(em->weight, level->weight + from, size);
    if (level->spread)
        memcpy(em->spread, level->spread + from, size);
    else
        memset(em->spread, 0, vectors * sizeof *em->spread);
    for (size_t i = n; i < vectors * LANES; i++) {
        em->x[i / LANES][i % LANES] = em->x[(n - 1) / LANES][(n - 1) % LANES];
        em->spread[i / LANES][i % LANES] = em->spread[(n - 1) / LANES][(n - 1) % LANES];
        em->weight[i / LANES][i % LANES] = 0;
    }
    return vectors;
}

static void step_block(struct loom_cluster_em *em, const struct loom_normals *mixture,
                       const struct loom_level *level, size_t from, size_t n)
{
    double least = 0, most = level->spread_max;
    if (n == 1)
        least = most = level->spread ? level->spread[from] : 0;
    double upper;
    double base =
        bound_block(em, mixture, level->x[from], level->x[from + n - 1], least, most, &upper);
    if (upper - base > OVERFLOWING && n > 1) {
        step_block(em, mixture, level, from, n / 2);
        step_block(em, mixture, level, from + n / 2, n - n / 2);
        return;
    }
    size_t vectors = load_block(em, level, from, n);
    expand_block(em, mixture, vectors, base);
}

/* ---- a step ---------------------------------------------------------------------------------- */

static void cluster_em_prepare(struct loom_cluster_em *em, const struct loom_normals *mixture)
{
    for (size_t k = 0; k < mixture->count; k++) {
        em->scales[k] = -0.5 / mixture->variances[k];
        em->heights[k] = log(mixture->weights[k]) - log(2 * M_PI * mixture->variances[k]) / 2;
        em->sums[k] = (struct sums){0};
    }
    em->log_likelihood = 0;
}

/* New parameters from the sums. False if a component has degenerated. */
static bool cluster_em_maximise(struct loom_normals *to, const struct loom_normals *from,
                                const struct loom_cluster_em *em, const struct loom_level *level)
{
    double floor = LOOM_CLUSTER_MIN_VARIANCE * level->variance;
    double squares = 0;
    bool sound = true;
    for (size_t k = 0; k < from->count; k++) {
        const struct sums *sums = &em->sums[k];
        if (!(sums->r > LOOM_CLUSTER_MIN_SHARE))
            return false;
        double moved = sums->rd / sums->r;
        double within = fmax(0, sums->rdd - sums->rd * moved);
        to->weights[k] = sums->r / level->total;
        to->means[k] = from->means[k] + moved;
        to->variances[k] = within / sums->r;
        squares += within;
    }
    for (size_t k = 0; k < from->count; k++) {
        if (from->variance == LOOM_VARIANCE_EQUAL)
            to->variances[k] = squares / level->total;
        sound = sound && to->variances[k] > floor;
    }
    return sound;
}

/* One step of EM: the log-likelihood of `from` into it, and the parameters that follow into `to`.
 * False if those are degenerate. */
static bool cluster_em_step(struct loom_cluster_em *em, struct loom_normals *to,
                            struct loom_normals *from, const struct loom_level *level)
{
    cluster_em_prepare(em, from);
    for (size_t at = 0; at < level->n; at += BLOCK)
        step_block(em, from, level, at, level->n - at < BLOCK ? level->n - at : BLOCK);
    from->log_likelihood = em->log_likelihood - level->total * level->log_unit;
    loom_normals_shape(to, from->count, from->variance);
    return cluster_em_maximise(to, from, em, level) && isfinite(from->log_likelihood);
}

/* ---- climbing -------------------------------------------------------------------------------- */

static bool is_resolved(const struct loom_normals *mixture, const struct loom_level *level)
{
    for (size_t k = 0; k < mixture->count; k++)
        if (mixture->variances[k] < level->width * level->width)
            return false;
    return true;
}

bool loom_cluster_em_run(struct loom_cluster_em *em, struct loom_normals *mixture,
                         const struct loom_level *level, int steps)
{
    struct loom_normals *here = &em->points[0], *next = &em->points[1];
    loom_normals_copy(here, mixture);
    double before = -INFINITY;
    here->converged = false;
    for (int i = 1;; i++) {
        if (is_resolved(here, level))
            loom_normals_copy(mixture, here);
        bool sound = cluster_em_step(em, next, here, level);
        double now = here->log_likelihood;
        here->converged = fabs(now - before) <= TOLERANCE * (1 + fabs(now));
        if (here->converged || i >= steps)
            break;
        if (!sound)
            return false;
        before = now;
        struct loom_normals *swap = here;
        here = next;
        next = swap;
    }
    loom_normals_copy(mixture, here);
    return true;
}

/* The step length of SQUAREM's third scheme along the path a, b, c: the ratio of the norms of the
 * first difference and of the change of differences. At least 1, where it lands on c. */
static double path_length(const struct loom_normals *a, const struct loom_normals *b,
                          const struct loom_normals *c, double unit)
{
    double first = 0, change = 0;
    for (size_t k = 0; k < a->count; k++) {
        const double one[3] = {
            log(b->weights[k] / a->weights[k]),
            (b->means[k] - a->means[k]) / unit,
            log(b->variances[k] / a->variances[k]),
        };
        const double two[3] = {
            log(c->weights[k] / b->weights[k]),
            (c->means[k] - b->means[k]) / unit,
            log(c->variances[k] / b->variances[k]),
        };
        for (int j = 0; j < 3; j++) {
            first += one[j] * one[j];
            change += (two[j] - one[j]) * (two[j] - one[j]);
        }
    }
    return change > 0 ? fmax(1, sqrt(first / change)) : 1;
}

static double extrapolate(double a, double b, double c, double length)
{
    double first = b - a, second = c - b - first;
    return a + 2 * length * first + length * length * second;
}

/* False if the result is no mixture. */
static bool leap(struct loom_normals *to, const struct loom_normals *a,
                 const struct loom_normals *b, const struct loom_normals *c, double length)
{
    loom_normals_copy(to, c);
    double total = 0;
    for (size_t k = 0; k < a->count; k++) {
        to->weights[k] =
            exp(extrapolate(log(a->weights[k]), log(b->weights[k]), log(c->weights[k]), length));
        to->means[k] = extrapolate(a->means[k], b->means[k], c->means[k], length);
        to->variances[k] = exp(
            extrapolate(log(a->variances[k]), log(b->variances[k]), log(c->variances[k]), length));
        total += to->weights[k];
        if (!(to->weights[k] > 0) || !(to->variances[k] > 0) || !isfinite(to->variances[k]))
            return false;
    }
    for (size_t k = 0; k < a->count; k++)
        to->weights[k] /= total;
    return isfinite(total);
}

/* Two steps from a give b and c, and a leap along them d. The next cycle starts from d if it is
 * higher than b, else from c. */
void loom_cluster_em_polish(struct loom_cluster_em *em, struct loom_normals *mixture,
                            const struct loom_level *level)
{
    struct loom_normals *a = &em->points[0], *b = &em->points[1], *c = &em->points[2];
    struct loom_normals *d = &em->points[3];
    double unit = sqrt(level->variance);
    loom_normals_copy(a, mixture);
    if (!cluster_em_step(em, b, a, level))
        return;
    for (int cycle = 0; cycle < POLISH_CYCLES; cycle++) {
        if (!cluster_em_step(em, c, b, level))
            break;
        bool done = b->log_likelihood - a->log_likelihood < POLISHED;
        double length = path_length(a, b, c, unit);
        b->converged = mixture->converged;
        loom_normals_copy(mixture, b);
        if (done)
            break;
        struct loom_normals *swap = a;
        if (length > 1 && leap(d, a, b, c, length) && cluster_em_step(em, swap, d, level) &&
            d->log_likelihood >= b->log_likelihood) {
            a = d;
            d = b;
            b = swap;
        } else {
            a = c;
            c = swap;
            if (!cluster_em_step(em, b, a, level))
                break;
        }
    }
}

/* ---- scratch memory -------------------------------------------------------------------------- */

struct loom_cluster_em *loom_cluster_em_create(size_t count)
{
    struct loom_cluster_em *em = aligned_alloc(sizeof(lanes), sizeof *em);
    if (!em)
        return NULL;
    memset(em, 0, sizeof *em);
    em->densities = aligned_alloc(sizeof(lanes), count * VECTORS * sizeof *em->densities);
    em->scales = malloc(3 * count * sizeof *em->scales);
    em->sums = malloc(count * sizeof *em->sums);
    bool whole = em->densities && em->scales && em->sums;
    for (int i = 0; i < 4; i++)
        whole = whole && !loom_normals_init(&em->points[i], count, LOOM_VARIANCE_EQUAL);
    if (!whole) {
        loom_cluster_em_destroy(em);
        return NULL;
    }
    em->heights = em->scales + count;
    em->uppers = em->heights + count;
    return em;
}

void loom_cluster_em_destroy(struct loom_cluster_em *em)
{
    if (!em)
        return;
    free(em->densities);
    free(em->scales);
    free(em->sums);
    for (int i = 0; i < 4; i++)
        loom_normals_free(&em->points[i]);
    free(em);
}
