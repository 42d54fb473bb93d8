/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit bag sizes, and runtimes outside and inside of bags, by indirect inference: `bags=settled` of
 * minh2010 and minh2012.
 *
 * Algorithm 1 ends a bag when its size is reached or when the next job is too late. Late jobs have
 * cut the sizes counted in a log already; drawn from these, sizes are cut twice: too few jobs are
 * in bags, and bags cut to a single job keep the runtime of a bag. Here the exponent is chosen so
 * that the generated workload has the log's share of jobs outside of bags. This depends only on
 * arrivals: workloads of the log's length are generated once, and bags are laid over them with the
 * same random numbers for every exponent tried.
 *
 * The target is the share of jobs outside of bags, not the counted exponent: the share is monotonic
 * in bag size, while the counted exponent falls and, where nearly all bags are cut, rises again;
 * and the a_k of all kinds add up to the share.
 */
#include "base/draw.h"
#include "base/search.h"
#include "base/sort.h"
#include "models/minh/minh.h"
#include "stats/dist/dist.h"

#include <gsl/gsl_sf_zeta.h>
#include <math.h>
#include <stdlib.h>

/* ---- bursts ---------------------------------------------------------------------------------- */

/* Sequences of jobs with gaps of at most Delta: no bag extends beyond one. */
struct bursts {
    size_t n, longest;
    uint32_t *jobs; /* of each */
    double all;     /* jobs */
};

static int add_bursts(struct bursts *bursts, const struct loom_draft *draft, int64_t delta_s,
                      struct loom_error *err)
{
    uint32_t *jobs = realloc(bursts->jobs, (bursts->n + draft->n + 1) * sizeof *jobs);
    if (!jobs)
        return loom_fail_memory(err);
    bursts->jobs = jobs;
    for (size_t i = 0, end; i < draft->n; i = end) {
        for (end = i + 1; end < draft->n; end++)
            if (draft->submit_s[end] - draft->submit_s[end - 1] > delta_s)
                break;
        jobs[bursts->n++] = (uint32_t)(end - i);
        bursts->longest = end - i > bursts->longest ? end - i : bursts->longest;
    }
    bursts->all += (double)draft->n;
    return 0;
}

/* Add the bursts of one workload, generated with random numbers of its own. */
static int generate_bursts(struct bursts *bursts, const struct loom_minh *minh,
                           const struct loom_training *log, uint64_t seed, struct loom_error *err)
{
    struct loom_generation generation = {.seed = seed,
                                         .replication = UINT64_MAX,
                                         .jobs = log->jobs->n,
                                         .horizon_s = INT64_MAX,
                                         .procs = log->procs,
                                         .log_procs = log->procs,
                                         .rate = 1,
                                         .week_phase_s = log->week_phase_s,
                                         .pool = log->pool};
    int rc = loom_part_generate(&minh->arrivals, &generation, err);
    if (!rc) {
        loom_sort_int64(generation.draft.submit_s, generation.draft.n);
        rc = add_bursts(bursts, &generation.draft, minh->delta_s, err);
    }
    loom_draft_free(&generation.draft);
    return rc;
}

/* ---- bags laid over them --------------------------------------------------------------------- */

struct laid {
    const struct bursts *bursts;
    double *up_to; /* by size, from 1 to the longest burst's: the chance of at most it */
    double wanted; /* share of jobs outside of bags */
    double alone;  /* share that is outside of bags, */
    double drawn;  /* and that was drawn so: the rest was cut */
    double bags;   /* for each job */
};

static void table_sizes(struct laid *laid, double alpha)
{
    double zeta = gsl_sf_zeta(alpha), sum = 0;
    for (size_t k = 1; k <= laid->bursts->longest; k++)
        laid->up_to[k - 1] = sum += exp(-alpha * log((double)k)) / zeta;
}

/* Return the bag size at a quantile, at most the longest burst. */
static size_t size_at(const struct laid *laid, double u)
{
    return 1 + loom_upper_bound_real(laid->up_to, laid->bursts->longest - 1, u);
}

static void lay_bags(struct laid *laid, double alpha)
{
    const struct bursts *bursts = laid->bursts;
    struct loom_stream stream;
    loom_stream_init(&stream, 0, UINT64_MAX, "minh settle");
    table_sizes(laid, alpha);
    size_t alone = 0, drawn = 0, bags = 0;
    for (size_t b = 0; b < bursts->n; b++)
        for (size_t left = bursts->jobs[b], size; left > 0; left -= size < left ? size : left) {
            size = size_at(laid, loom_draw_uniform(&stream));
            bags++;
            drawn += size == 1;
            alone += size == 1 || left == 1;
        }
    laid->alone = (double)alone / bursts->all;
    laid->drawn = (double)drawn / bursts->all;
    laid->bags = (double)bags / bursts->all;
}

/* ---- settling -------------------------------------------------------------------------------- */

static double too_many_alone(double log_power, void *context)
{
    struct laid *laid = context;
    lay_bags(laid, 1 + exp(log_power));
    return laid->alone - laid->wanted;
}

static double share_alone(const struct loom_bags *bags)
{
    size_t alone = 0;
    for (size_t b = 0; b < bags->count; b++)
        alone += loom_bag_size(bags, b) == 1;
    return (double)alone / (double)bags->n_jobs;
}

/* Search log(alpha - 1) within the limits of a document. If the arrivals do not allow the log's
 * bags, alpha ends at its limit, and `kept` shows it. */
static int settle_alpha(struct loom_minh *minh, struct laid *laid, struct loom_error *err)
{
    double low = log(LOOM_MINH_FLATTEST_BAGS - 1), high = log(LOOM_MINH_STEEPEST_BAGS - 1), at = 0;
    laid->up_to = malloc((laid->bursts->longest + 1) * sizeof *laid->up_to);
    if (!laid->up_to)
        return loom_fail_memory(err);
    loom_root(&at, too_many_alone, laid, low, high, 1e-5);
    minh->alpha = fmin(fmax(1 + exp(at), LOOM_MINH_FLATTEST_BAGS), LOOM_MINH_STEEPEST_BAGS);
    lay_bags(laid, minh->alpha);
    minh->kept = (struct loom_bags_kept){.log = 1 - laid->wanted, .model = 1 - laid->alone};
    free(laid->up_to);
    return 0;
}

/* Fit the kinds of single jobs and of jobs in bags separately if the model does; else give all
 * kinds the same share of single jobs. */
static int settle_places(struct loom_minh *minh, const struct loom_minh_log *log,
                         const struct laid *laid, struct loom_error *err)
{
    for (size_t k = 0; k < minh->shapes.n_kinds; k++)
        minh->shapes.kinds[k].single = laid->drawn;
    if (!minh->apart || !(laid->drawn > 0))
        return 0;
    return loom_minh_fit_cut_places(&minh->shapes, log->jobs, log->in_bag, laid->drawn,
                                    1 - laid->drawn / laid->alone, err);
}

/* Scale down the numbers of bags of people if fewer bags are generated than the log has; people
 * with few bags would otherwise be missing. */
static void settle_people(struct loom_minh_people *people, const struct loom_bags *bags,
                          const struct laid *laid)
{
    double share = laid->bags * (double)bags->n_jobs / (double)bags->count;
    for (size_t i = 0; i < people->n && share < 1; i++)
        people->bags[i] = (int64_t)fmax(1, round(share * (double)people->bags[i]));
}

int loom_minh_settle(struct loom_minh *minh, const struct loom_minh_log *log,
                     struct loom_error *err)
{
    enum { WORKLOADS = 8 };
    struct bursts bursts = {0};
    struct laid laid = {.bursts = &bursts, .wanted = share_alone(log->bags)};
    int rc = 0;
    for (uint64_t seed = 1; seed <= WORKLOADS && !rc; seed++)
        rc = generate_bursts(&bursts, minh, log->training, seed, err);
    if (!rc && bursts.n > 0)
        rc = settle_alpha(minh, &laid, err);
    if (!rc && bursts.n > 0)
        rc = settle_places(minh, log, &laid, err);
    if (!rc && bursts.n > 0)
        settle_people(&minh->people, log->bags, &laid);
    free(bursts.jobs);
    return rc;
}
