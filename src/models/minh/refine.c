/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The improved variant of minh2012: differences from the printed one, and why.
 *
 * Sizes of bags. Algorithm 1 ends a bag when its size is reached or when the next job is too late,
 * so the size drawn is only an upper limit. Late jobs have cut the bags of a log already; a fit to
 * the observed sizes would cut them twice. Here a bag ended by a late job is a censored
 * observation, of at least its size. Single jobs are more frequent than the Zipf fit predicts, more
 * so the later the next job arrives: they have a probability of their own, by that time. A job
 * alone because the next one is too late counts as a single job, with the runtime of one.
 *
 * Times. An arrival process with intervals of length T does not model times below T. The jobs of an
 * interval are placed as in equally full intervals of the log; counts per interval do not change.
 *
 * Sizes of jobs depend on being in a bag, as runtimes do: users keep the jobs of bags small too.
 * They also depend on the runtime within its kind: the kind of the longest jobs is wide, and its
 * longest jobs have few processors, so sizes independent of the runtime give too much work. The
 * table is balanced for the runtimes drawn (minh/balance.c).
 *
 * Runtimes. The jobs of a bag are correlated as in the log, not copies (minh/alike.c), and none
 * runs longer than the longest job of the log. Shares of kinds inside and outside of bags account
 * for overlapping kinds (minh/places.c).
 */
#include "base/draw.h"
#include "base/sort.h"
#include "models/minh/minh.h"
#include "stats/dist/dist.h"

#include <gsl/gsl_sf_zeta.h>
#include <math.h>
#include <stdlib.h>

enum { CLASSES = 32 };

/* Return the index of the highest bit set; 0 for 0 and 1. */
static size_t minh_refine_class_of(size_t number)
{
    size_t class = 63 - (size_t)__builtin_clzll(number | 1);
    return class < CLASSES ? class : CLASSES - 1;
}

/* ---- single jobs ----------------------------------------------------------------------------- */

static size_t gap_class(int64_t gap_s)
{
    return gap_s > 0 ? 1 + minh_refine_class_of((size_t)gap_s) : 0;
}

double loom_minh_single(const struct loom_minh_refined *refined, int64_t gap_s)
{
    size_t class = gap_class(gap_s);
    return refined->single[class < refined->n_single ? class : refined->n_single - 1];
}

/* Return the time from a job to the next one, in the same bag or not; INT64_MAX for the last
 * job. */
static int64_t gap_after(const struct loom_minh_log *log, size_t job)
{
    const int64_t *submit_s = log->training->jobs->submit_s;
    return job + 1 < log->bags->n_jobs ? submit_s[job + 1] - submit_s[job] : INT64_MAX;
}

static int fit_single(struct loom_minh *minh, const struct loom_minh_log *log,
                      struct loom_error *err)
{
    struct loom_minh_refined *refined = &minh->refined;
    double bags[CLASSES + 1] = {0}, alone[CLASSES + 1] = {0}, all_bags = 0, all_alone = 0;
    for (size_t b = 0; b < log->bags->count; b++) {
        int64_t gap_s = gap_after(log, log->bags->first[b]);
        if (gap_s > minh->delta_s)
            continue;
        bool is_alone = loom_bag_size(log->bags, b) == 1;
        bags[gap_class(gap_s)]++, all_bags++;
        alone[gap_class(gap_s)] += is_alone, all_alone += is_alone;
    }
    refined->n_single = gap_class(minh->delta_s) + 1;
    refined->single = calloc(refined->n_single, sizeof *refined->single);
    if (!refined->single)
        return loom_fail_memory(err);
    for (size_t c = 0; c < refined->n_single; c++)
        refined->single[c] = bags[c] > 0    ? alone[c] / bags[c]
                             : all_bags > 0 ? all_alone / all_bags
                                            : 1;
    return 0;
}

/* ---- sizes of bags --------------------------------------------------------------------------- */

/* Bags of at least two jobs by size: numbers of exact and of censored observations. */
struct ends {
    size_t n;
    double *jobs, *exact, *at_least; /* parts of `storage` */
    double *storage;                 /* owned */
};

/* Return whether the job after a bag is too late, or there is none. */
static bool ends_late(const struct loom_minh_log *log, int64_t delta_s, size_t bag)
{
    return gap_after(log, log->bags->first[bag + 1] - 1) > delta_s;
}

/* Count the bags by size and by how they end: sorted codes of 2 * size + (1 if the end is late). */
static int count_ends(struct ends *out, const struct loom_minh_log *log, int64_t delta_s,
                      struct loom_error *err)
{
    const struct loom_bags *bags = log->bags;
    int64_t *codes = malloc((bags->count + 1) * sizeof *codes);
    if (!codes)
        return loom_fail_memory(err);
    size_t n = 0;
    for (size_t b = 0; b < bags->count; b++)
        if (loom_bag_size(bags, b) > 1)
            codes[n++] = 2 * (int64_t)loom_bag_size(bags, b) + ends_late(log, delta_s, b);
    size_t different = loom_sort_int64(codes, n);
    double *storage = calloc(3 * different + 1, sizeof *storage);
    if (storage)
        *out = (struct ends){different, storage, storage + different, storage + 2 * different,
                             storage};
    for (size_t i = 0, end, k = 0; storage && i < n; i = end, k++) {
        for (end = i; end < n && codes[end] == codes[i]; end++)
            ;
        bool late = codes[i] % 2;
        out->jobs[k] = (double)(codes[i] / 2);
        if (late)
            out->at_least[k] = (double)(end - i);
        else
            out->exact[k] = (double)(end - i);
    }
    free(codes);
    return storage ? 0 : loom_fail_memory(err);
}

/* Return minus the log-likelihood of a Zipf distribution of size - 1. */
static double minh_refine_cost(double log_power, void *context)
{
    const struct ends *ends = context;
    double alpha = 1 + exp(log_power), log_zeta = log(gsl_sf_zeta(alpha)), sum = 0;
    for (size_t i = 0; i < ends->n; i++) {
        double u = ends->jobs[i] - 1;
        sum += ends->exact[i] * (alpha * log(u) + log_zeta);
        if (ends->at_least[i] > 0)
            sum += ends->at_least[i] * (log_zeta - log(gsl_sf_hzeta(alpha, u)));
    }
    return sum;
}

/* Logarithms of alpha - 1. */
static const double FLATTEST = -6.9, GUESS = -1, STEEPEST = 3;

static int fit_sizes(struct loom_minh *minh, const struct loom_minh_log *log,
                     struct loom_error *err)
{
    struct ends ends = {0};
    int rc = count_ends(&ends, log, minh->delta_s, err);
    double log_power = 0;
    if (!rc && ends.n > 0) {
        loom_minimum(&log_power, minh_refine_cost, &ends, FLATTEST, GUESS, STEEPEST, 1e-9);
        minh->alpha = 1 + exp(log_power);
    }
    free(ends.storage);
    return rc;
}

/* ---- times within an interval ---------------------------------------------------------------- */

/* Return the first job from i on submitted at or after a time. */
static size_t first_from(const int64_t *submit_s, size_t n, size_t i, int64_t time_s)
{
    while (i < n && submit_s[i] < time_s)
        i++;
    return i;
}

/* Return the index after the last job in the interval of job i. */
static size_t interval_end(const int64_t *submit_s, size_t n, size_t i, int64_t origin_s,
                           int64_t scale_s)
{
    int64_t end_s = origin_s + ((submit_s[i] - origin_s) / scale_s + 1) * scale_s;
    return first_from(submit_s, n, i, end_s);
}

/* Return the maximum number of jobs in an interval. */
static size_t fullest(const int64_t *submit_s, size_t n, int64_t origin_s, int64_t scale_s)
{
    size_t most = 0;
    for (size_t i = 0, end; i < n; i = end) {
        end = interval_end(submit_s, n, i, origin_s, scale_s);
        most = end - i > most ? end - i : most;
    }
    return most;
}

/* Set gaps to the *n sorted times between jobs in intervals of a class. */
static int gaps_of(double *gaps, size_t *n, size_t class, const struct loom_workload *jobs,
                   int64_t scale_s, struct loom_error *err)
{
    *n = 0;
    for (size_t i = 0, end; i < jobs->n; i = end) {
        end = interval_end(jobs->submit_s, jobs->n, i, jobs->submit_s[0], scale_s);
        if (minh_refine_class_of(end - i) != class)
            continue;
        for (size_t j = i + 1; j < end; j++)
            gaps[(*n)++] = (double)(jobs->submit_s[j] - jobs->submit_s[j - 1]);
    }
    return loom_sort(gaps, *n, err);
}

/* Fit the classes up to the fullest interval; a class without intervals copies the one below. */
static int fit_times(struct loom_minh_refined *refined, const struct loom_workload *jobs,
                     int64_t scale_s, struct loom_error *err)
{
    size_t n = 0,
           classes =
               minh_refine_class_of(fullest(jobs->submit_s, jobs->n, jobs->submit_s[0], scale_s));
    refined->scale_s = scale_s;
    refined->n_gaps = classes * LOOM_MINH_QUANTILES;
    refined->gaps_s = calloc(refined->n_gaps + 1, sizeof *refined->gaps_s);
    double *gaps = malloc((jobs->n + 1) * sizeof *gaps);
    int rc = refined->gaps_s && gaps ? 0 : loom_fail_memory(err);
    for (size_t c = 1; c <= classes && !rc; c++) {
        double *row = refined->gaps_s + (c - 1) * LOOM_MINH_QUANTILES;
        rc = gaps_of(gaps, &n, c, jobs, scale_s, err);
        for (size_t q = 0; q < LOOM_MINH_QUANTILES && !rc; q++)
            row[q] = n > 0   ? loom_quantile(gaps, n, (double)q / (LOOM_MINH_QUANTILES - 1))
                     : c > 1 ? refined->gaps_s[(c - 2) * LOOM_MINH_QUANTILES + q]
                             : (double)scale_s / 2;
    }
    free(gaps);
    return rc;
}

/* Return a random quantile by 32 bits, interpolated between two of the row. */
static inline double gap_at(const double *row, uint32_t bits)
{
    enum { PLACES = LOOM_MINH_QUANTILES - 1 };
    uint64_t place = (uint64_t)bits * PLACES;
    size_t q = place >> 32;
    return row[q] + (double)(int64_t)(uint32_t)place * 0x1p-32 * (row[q + 1] - row[q]);
}

/* Scratch space to place the jobs of an interval. */
struct placing {
    const struct loom_minh_refined *refined;
    size_t capacity;  /* of offset_s */
    double *offset_s; /* of each job from the first */
    struct loom_halves halves;
};

/* Draw the times between the jobs of an interval, scaled down if they exceed it; split the
 * remaining time at random between both ends. The first job of a workload begins its interval, as
 * in a log. */
static void refine_place_jobs(struct placing *placing, int64_t *submit_s, size_t n, int64_t begin_s)
{
    const struct loom_minh_refined *refined = placing->refined;
    size_t classes = refined->n_gaps / LOOM_MINH_QUANTILES, class = minh_refine_class_of(n);
    size_t row = (class < classes ? class : classes) - 1;
    const double *gaps_s = refined->gaps_s + row * LOOM_MINH_QUANTILES;
    double *offset_s = placing->offset_s, last_s = 0;
    for (size_t j = 0; j < n; j++) {
        offset_s[j] = last_s;
        if (j + 1 < n)
            last_s += gap_at(gaps_s, loom_draw_half(&placing->halves));
    }
    double room_s = (double)refined->scale_s - 1;
    double factor = last_s > room_s ? room_s / last_s : 1;
    double u = (double)(int64_t)loom_draw_half(&placing->halves) * 0x1p-32;
    double first_s = begin_s > 0 ? u * (room_s - last_s * factor) : 0;
    for (size_t j = 0; j < n; j++)
        submit_s[j] = begin_s + (int64_t)(first_s + offset_s[j] * factor);
}

static int minh_refine_reserve(struct placing *placing, size_t n)
{
    if (n <= placing->capacity)
        return 0;
    double *offset_s = realloc(placing->offset_s, 2 * n * sizeof *offset_s);
    if (!offset_s)
        return -1;
    placing->offset_s = offset_s;
    placing->capacity = 2 * n;
    return 0;
}

int loom_minh_retime(const struct loom_minh_refined *refined, struct loom_generation *generation,
                     struct loom_error *err)
{
    int64_t *submit_s = generation->draft.submit_s;
    size_t n = generation->draft.n;
    if (refined->scale_s == 0 || refined->n_gaps == 0)
        return 0;
    struct placing placing = {.refined = refined};
    int rc = 0;
    loom_generation_stream(&placing.halves.stream, generation, "minh times");
    for (size_t i = 0, end; i < n && !rc; i = end) {
        int64_t begin_s = submit_s[i] / refined->scale_s * refined->scale_s;
        end = first_from(submit_s, n, i, begin_s + refined->scale_s);
        if (end - i > 1 && !(rc = minh_refine_reserve(&placing, end - i)))
            refine_place_jobs(&placing, submit_s + i, end - i, begin_s);
    }
    if (n > 0)
        submit_s[0] = submit_s[0] / refined->scale_s * refined->scale_s;
    free(placing.offset_s);
    return rc ? loom_fail_memory(err) : 0;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int loom_minh_refine(struct loom_minh *minh, const struct loom_minh_log *log,
                     struct loom_error *err)
{
    const struct loom_training *training = log->training;
    int rc = fit_single(minh, log, err);
    if (!rc)
        rc = fit_sizes(minh, log, err);
    for (size_t i = 0; i < log->jobs->n; i++)
        if (log->jobs->run_s[i] > minh->refined.longest_s)
            minh->refined.longest_s = log->jobs->run_s[i];
    if (!rc)
        rc = loom_minh_fit_alike(minh, log, err);
    if (!rc)
        rc = loom_minh_balance(minh, log, err);
    if (!rc && loom_part_has_param(minh->arrivals.ops->info.name, "scale"))
        rc = fit_times(&minh->refined, training->jobs, loom_params_int(training->params, "scale"),
                       err);
    return rc;
}

void loom_minh_refined_free(struct loom_minh_refined *refined)
{
    free(refined->single);
    free(refined->alike);
    free(refined->gaps_s);
}

void loom_minh_refined_describe(struct loom_minh *minh, struct loom_codec *codec)
{
    enum { MOST_GAPS = CLASSES * LOOM_MINH_QUANTILES };
    struct loom_minh_refined *refined = &minh->refined;
    size_t n = minh->shapes.n_kinds;
    loom_codec_open(codec, "improved");
    loom_codec_reals(codec, "single", &refined->single, &refined->n_single, 1, CLASSES + 1, 0, 1);
    loom_codec_reals(codec, "alike", &refined->alike, &n, n, n, 0, 1);
    loom_codec_int(codec, "longest_s", &refined->longest_s, 0, INT64_MAX / 2);
    loom_codec_int(codec, "scale_s", &refined->scale_s, 0, INT32_MAX);
    loom_codec_reals(codec, "gaps_s", &refined->gaps_s, &refined->n_gaps, 0, MOST_GAPS, 0,
                     (double)INT32_MAX);
    if (refined->n_gaps % LOOM_MINH_QUANTILES)
        loom_codec_refuse(codec, "gaps_s", "must have %d values for each class",
                          LOOM_MINH_QUANTILES);
    loom_codec_close(codec);
}
