/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mixed model with several servers, by its product form: with m open and n closed jobs at the
 * queue, a state has the weight
 *
 *     C(n + m, m) lambda^m  prod_{k=1}^{n+m} S / min(k, c)  *  Z^(N-n) / (N-n)!
 *
 * (Baskett, Chandy, Muntz and Palacios; both classes have one exponential service time). The sum
 * over m is computed for each n; weights are logarithms, since they exceed the range of a double.
 */
#include "queueing/mixed.h"

#include <math.h>
#include <stdlib.h>

/* The states with n closed jobs: the logarithm of their weight, without the factor of thinking
 * users, and the mean response that an open job finds in them. */
struct level {
    double log_weight, response;
};

#define RESCALE 1e250

/* Sum over the open jobs, relative to the state without any, until the rest, bounded by a geometric
 * series, is negligible. */
static struct level sum_level(const struct loom_mixed_load *load, double n, double log_none)
{
    double c = load->servers, term = 1, sum = 0, ahead = 0, shift = 0;
    for (double m = 0;; m++) {
        double more = n + m + 1;
        sum += term;
        ahead += term * (more > c ? more - c : 0);
        double ratio = more / (m + 1) * load->rate * load->service / (more < c ? more : c);
        if (m >= c && ratio < 1 &&
            term * ratio * (more + 1 / (1 - ratio)) / (1 - ratio) < 1e-17 * (sum + ahead))
            break;
        term *= ratio;
        if (ahead > RESCALE || sum > RESCALE || term > RESCALE) {
            term /= RESCALE;
            sum /= RESCALE;
            ahead /= RESCALE;
            shift += log(RESCALE);
        }
    }
    return (struct level){log_none + shift + log(sum), load->service * (1 + ahead / sum / c)};
}

/* The logarithm of the weight of n at the queue and the others thinking. */
static double log_state(const struct level *level, double thinking, double think)
{
    if (think == 0)
        return thinking == 0 ? level->log_weight : -INFINITY;
    return level->log_weight + thinking * log(think) - lgamma(thinking + 1);
}

/* The throughput of closed users is the quotient of the sums of all states for N - 1 and N. */
static void mixed_add_up(struct loom_mixed_means *out, const struct level *levels,
                         const struct loom_mixed_load *load)
{
    double users = (double)load->users, top = -INFINITY;
    for (size_t n = 0; n <= load->users; n++)
        top = fmax(top, log_state(&levels[n], users - (double)n, load->think));
    double total = 0, fewer = 0, queue = 0, response = 0;
    for (size_t n = 0; n <= load->users; n++) {
        double weight = exp(log_state(&levels[n], users - (double)n, load->think) - top);
        total += weight;
        queue += weight * (double)n;
        response += weight * levels[n].response;
        if (n < load->users)
            fewer += exp(log_state(&levels[n], users - 1 - (double)n, load->think) - top);
    }
    *out = (struct loom_mixed_means){fewer / total, queue / total, response / total};
}

int loom_mixed_product(struct loom_mixed_means *out, const struct loom_mixed_load *load,
                       struct loom_error *err)
{
    struct level *levels = malloc((load->users + 1) * sizeof *levels);
    if (!levels)
        return loom_fail_memory(err);
    double log_none = 0;
    for (size_t n = 0; n <= load->users; n++) {
        if (n > 0)
            log_none += log(load->service / (n < load->servers ? (double)n : load->servers));
        levels[n] = sum_level(load, (double)n, log_none);
    }
    mixed_add_up(out, levels, load);
    free(levels);
    return 0;
}
