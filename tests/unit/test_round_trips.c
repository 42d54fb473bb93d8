/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrival processes, and bags of jobs, fitted to what they generated: every parameter comes back.
 */
#include "cascade_log.h"
#include "modeling.h"
#include "models/room.h"
#include "trips.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

/* ---- wavelet models -------------------------------------------------------------------------- */

enum { LEVELS = 10 };

/* Much as the improved variant has them of HPC2N, LANL-CM5, DAS2-fs1 and KTH-SP2, at 7200 s, and of
 * HPC2N at 900 s, with fewer trees. The last one is so even that firing is most of what the finest
 * scales vary by, which mwm's printed estimators take for the rate. */
static const struct {
    const char *name, *scale;
    int64_t interval_s, roots;
    double root_mean, root_sd;
    size_t depth;
    double beta[LEVELS], share[LEVELS], spread;
} sets[] = {
    {"HPC2N",
     "7200",
     7200,
     14,
     0.056,
     0.0223,
     10,
     {5.29, 5.73, 6.28, 4.69, 2.91, 2.03, 1.04, 0.533, 0.474, 0.574},
     {0, 0, 0, 0.01, 0.01, 0.02, 0.0566, 0.129, 0.0442, 0.0502},
     0.636},
    {"LANL-CM5",
     "7200",
     7200,
     8,
     0.0481,
     0.0103,
     10,
     {27, 18.5, 27.2, 7.53, 3.84, 3.67, 3.05, 1.47, 1.8, 2.42},
     {0, 0, 0, 0, 0.00328, 0.00379, 0.0116, 0.02, 0.0141, 0.027},
     0.826},
    {"DAS2-fs1",
     "7200",
     7200,
     8,
     0.0242,
     0.0189,
     9,
     {3.22, 0.435, 15.3, 2.05, 0.659, 3.96, 0.743, 1.13, 1.98},
     {0, 0.0821, 0.0978, 0.0735, 0.0585, 0.22, 0.0567, 0.0196, 0.0178},
     0.65},
    {"KTH-SP2",
     "7200",
     7200,
     15,
     0.00991,
     0.00322,
     8,
     {21.9, 12.9, 5.86, 4.91, 2.49, 1.09, 1.48, 1.83},
     {0, 0, 0, 0.01, 0.0267, 0.171, 0.0658, 0.0552},
     0.654},
    {"fine",
     "900",
     900,
     15,
     0.022,
     0.006,
     8,
     {6, 4, 3, 1.8, 1.4, 1, 0.9, 1.1},
     {0, 0.01, 0.02, 0.04, 0.06, 0.1, 0.12, 0.1},
     0.515},
    {"even",
     "900",
     900,
     15,
     0.03,
     0.006,
     9,
     {20, 20, 15, 15, 10, 10, 10, 12, 15},
     {0, 0, 0, 0.01, 0.01, 0.02, 0.03, 0.05, 0.06},
     0.515},
};

static struct loom_mmwm mmwm_of(size_t row)
{
    size_t size = LEVELS * sizeof(double);
    struct loom_mmwm mmwm = {
        .cascade = {.interval_s = sets[row].interval_s,
                    .roots = sets[row].roots,
                    .root_mean = sets[row].root_mean,
                    .root_sd = sets[row].root_sd,
                    .depth = sets[row].depth,
                    .beta = malloc(size)},
        .zeros = {.depth = sets[row].depth,
                  .share = malloc(size),
                  .preference = 0.5,
                  .apart = true,
                  .base = 1,
                  .spread = sets[row].spread},
    };
    memcpy(mmwm.cascade.beta, sets[row].beta, size);
    memcpy(mmwm.zeros.share, sets[row].share, size);
    return mmwm;
}

/* Multipliers by their variance: that is what is estimated without bias. */
static double variance_of(double beta)
{
    return 1 / (2 * beta + 1);
}

static void expect_cascade(struct trips *trips, const struct loom_cascade *cascade)
{
    expect(trips, "root mean", 0, cascade->root_mean, 0, 0.35 * cascade->root_mean);
    expect(trips, "root sd", 0, cascade->root_sd, 0, 0.5 * cascade->root_sd);
    for (size_t j = 0; j < cascade->depth; j++)
        expect(trips, "variance", j + 1, variance_of(cascade->beta[j]), 0, 0.3);
}

static void observe_cascade(struct trips *trips, size_t *at, const struct loom_cascade *cascade)
{
    observe(trips, at, cascade->root_mean);
    observe(trips, at, cascade->root_sd);
    for (size_t j = 0; j < cascade->depth; j++)
        observe(trips, at, variance_of(cascade->beta[j]));
}

/* One growth, generated and fitted again. The last interval may be a zero, which nobody sees: one
 * job more tells where the growth ends. */
static void travel(void *back, const void *state, const struct loom_model_ops *ops, size_t row,
                   const char *variant, uint64_t trip)
{
    int64_t intervals = sets[row].roots << sets[row].depth;
    struct loom_generation generation = {.seed = trip,
                                         .jobs = SIZE_MAX,
                                         .horizon_s = intervals * sets[row].interval_s,
                                         .rate = 1};
    struct loom_error err = {0};
    must(ops->generate(state, &generation, &err), &err);
    size_t n = generation.draft.n;
    must(loom_draft_resize(&generation.draft, n + 1, &err), &err);
    generation.draft.submit_s[n] = generation.horizon_s - 1;
    const struct loom_param *const lists[] = {ops->info.params, NULL};
    struct log log = {.jobs = {.n = n + 1, .submit_s = generation.draft.submit_s}};
    log.jobs.span_s = generation.draft.submit_s[n] - generation.draft.submit_s[0];
    assert_int_equal(loom_params_create(&log.params, lists, NULL), 0);
    set(&log, "scale", sets[row].scale);
    if (variant)
        set(&log, "variant", variant);
    fit(back, ops, &log);
    loom_params_destroy(log.params);
    loom_draft_free(&generation.draft);
}

static void improved_mmwm_comes_back(void **state)
{
    (void)state;
    for (size_t row = 0; row < COUNT(sets); row++) {
        struct loom_mmwm mmwm = mmwm_of(row);
        struct trips trips = {0};
        expect_cascade(&trips, &mmwm.cascade);
        for (size_t i = 0; i < mmwm.zeros.depth; i++)
            expect(&trips, "share", i + 2, mmwm.zeros.share[i],
                   0.3 / (double)(mmwm.cascade.roots << (i + 1)), 0.05);
        expect(&trips, "spread", 0, mmwm.zeros.spread, 5e-4, 1e-3);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_mmwm back = {0};
            travel(&back, &mmwm, &loom_model_mmwm, row, "improved", trip);
            assert_int_equal(back.cascade.depth, mmwm.cascade.depth);
            size_t at = 0;
            observe_cascade(&trips, &at, &back.cascade);
            for (size_t i = 0; i < back.zeros.depth; i++)
                observe(&trips, &at, back.zeros.share[i]);
            observe(&trips, &at, back.zeros.spread);
            loom_model_mmwm.clear(&back);
        }
        assert_back(&trips, sets[row].name);
        loom_model_mmwm.clear(&mmwm);
    }
}

static void assert_mwm_comes_back(const char *variant, size_t rows)
{
    for (size_t row = 0; row < rows; row++) {
        struct loom_mmwm mmwm = mmwm_of(row);
        struct trips trips = {0};
        expect_cascade(&trips, &mmwm.cascade);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_cascade back = {0};
            travel(&back, &mmwm.cascade, &loom_model_mwm, row, variant, trip);
            size_t at = 0;
            observe_cascade(&trips, &at, &back);
            loom_model_mwm.clear(&back);
        }
        assert_back(&trips, sets[row].name);
        loom_model_mmwm.clear(&mmwm);
    }
}

static void mwm_comes_back(void **state)
{
    (void)state;
    assert_mwm_comes_back("printed", COUNT(sets) - 1);
}

static void improved_mwm_comes_back(void **state)
{
    (void)state;
    assert_mwm_comes_back("improved", COUNT(sets));
}

/* ---- others ---------------------------------------------------------------------------------- */

enum { JOBS = 10000 };

static struct loom_model *generate_and_fit(const struct loom_model *model,
                                           const char *const *settings, uint64_t trip)
{
    struct loom_generate_options options = {.seed = 1, .replication = trip, .jobs = JOBS};
    struct loom_trace *trace = must_generate(model, &options);
    struct loom_model *back = must_fit(loom_model_info(model)->name, trace, settings);
    loom_trace_destroy(trace);
    return back;
}

/* The deviation of the mean of n exponential variates is their mean over the root of n. */
static void poisson_comes_back(void **state)
{
    (void)state;
    static const char *const means[] = {"interarrival_s=20", "interarrival_s=540.8",
                                        "interarrival_s=1401"};
    for (size_t i = 0; i < COUNT(means); i++) {
        struct loom_model *model = must_set(must_publish("poisson", NULL), &means[i], 1);
        double mean_s = number_in(model, "interarrival_s");
        struct trips trips = {0};
        expect(&trips, "mean", 0, mean_s, 0, 1.5 * mean_s / sqrt(JOBS));
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_model *back = generate_and_fit(model, NULL, trip);
            size_t at = 0;
            observe(&trips, &at, number_in(back, "interarrival_s"));
            loom_model_destroy(back);
        }
        assert_back(&trips, "poisson");
        loom_model_destroy(model);
    }
}

/* Of shape and arar nothing is seen but their product; the greatest logarithm of a gap is at most
 * the limit, give or take the weights of the slots, and no estimate of it where gaps seldom come
 * near. */
static void expect_daily(struct trips *trips, const struct loom_model *model, bool day)
{
    double shape = number_in(model, "peak.shape") * number_in(model, "arar");
    double scale = number_in(model, "peak.scale");
    expect(trips, "gaps", 0, shape, 0, 0.05 * shape);
    expect(trips, "gaps", 1, scale, 0, 0.05 * scale);
    if (!day)
        return;
    expect(trips, "day", 0, number_in(model, "cycle.shape"), 0, 0.8);
    expect(trips, "day", 1, number_in(model, "cycle.scale"), 0, 0.6);
}

static void observe_daily(struct trips *trips, const struct loom_model *model, bool day)
{
    size_t at = 0;
    observe(trips, &at, number_in(model, "peak.shape") * number_in(model, "arar"));
    observe(trips, &at, number_in(model, "peak.scale"));
    if (!day)
        return;
    observe(trips, &at, number_in(model, "cycle.shape"));
    observe(trips, &at, number_in(model, "cycle.scale"));
}

/* By likelihood all of it; with the log's rate, the gaps, while the day is fitted as in the paper,
 * as if nobody had cut it off. */
static void gamma_daily_comes_back(void **state)
{
    (void)state;
    static const struct {
        const char *published[3]; /* and the second for the fit as well */
        const char *fit;
        bool day;
    } ways[] = {
        {{"type=combined"}, "estimators=likelihood", true},
        {{"type=batch"}, "estimators=likelihood", true},
        {{"type=interactive"}, "estimators=likelihood", true},
        {{"type=combined", "cycle=expected-interarrival"}, "estimators=likelihood", true},
        {{"type=combined", "cycle=expected-slots"}, "estimators=likelihood", true},
        {{"type=combined"}, "gaps=rate", false},
        {{"type=interactive"}, "gaps=rate", false},
    };
    for (size_t i = 0; i < COUNT(ways); i++) {
        const char *const settings[] = {ways[i].fit, ways[i].published[1], NULL};
        struct loom_model *model = must_publish("gamma-daily", ways[i].published);
        struct trips trips = {0};
        expect_daily(&trips, model, ways[i].day);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_model *back = generate_and_fit(model, settings, trip);
            observe_daily(&trips, back, ways[i].day);
            assert_true(number_in(back, "limit") < number_in(model, "limit") + 0.05);
            loom_model_destroy(back);
        }
        assert_back(&trips, ways[i].published[0]);
        loom_model_destroy(model);
    }
}

/* ---- bags of jobs ---------------------------------------------------------------------------- */

/* Two kinds that overlap, and of which the longer one is cut at two deviations; in bags the
 * shorter one prevails, and bags have a centre. Half of the users have one bag or two. */
enum { BAG_JOBS = 6000, USERS = 80 };

static struct loom_job first_of_bag(struct loom_stream *stream, size_t bag, bool alone)
{
    struct loom_job job = loom_job_unknown();
    job.user = 1 + (int32_t)(bag < USERS ? bag : loom_stream_below(stream, USERS / 2));
    job.group = 1;
    job.status = LOOM_STATUS_COMPLETED;
    job.req_procs = 1 << loom_stream_below(stream, 4);
    job.executable = 1 + (int32_t)(loom_stream_below(stream, 10) < (alone ? 8 : 2));
    return job;
}

static int64_t run_around(struct loom_stream *stream, int32_t kind, double *centre)
{
    static const double ALIKE = 0.7, LONGEST = 10.5;
    double log_run = INFINITY;
    while (!(log_run < LONGEST)) {
        double z = gsl_ran_gaussian_ziggurat(&stream->gsl, 1);
        if (!isfinite(*centre))
            *centre = gsl_ran_gaussian_ziggurat(&stream->gsl, 1);
        log_run = (kind == 1 ? 6 : 8.4) + sqrt(ALIKE) * *centre + sqrt(1 - ALIKE) * z;
        if (log_run >= LONGEST)
            *centre = NAN;
    }
    return llrint(expm1(log_run));
}

/* People ask for the first round value that is at least so many times what the first job of a bag
 * takes, one in ten for whole minutes, and half of the time for what they asked for last, if it is
 * enough. */
static int64_t request_of(struct loom_stream *stream, int64_t *last_s, int64_t run_s)
{
    static const int64_t round_s[] = {300,   600,   900,   1200,  1800,   2700,  3600,  5400,
                                      7200,  9000,  10800, 14400, 18000,  21600, 28800, 36000,
                                      43200, 54000, 64800, 86400, 129600, 172800};
    double wanted_s = (double)run_s * (1 + 3 * loom_stream_uniform(stream));
    size_t pick = 0;
    while (pick + 1 < COUNT(round_s) && (double)round_s[pick] < wanted_s)
        pick++;
    bool odd = loom_stream_below(stream, 10) == 0, keep = loom_stream_below(stream, 2) == 0;
    if (!keep || *last_s < run_s)
        *last_s = odd ? 60 * (1 + (int64_t)wanted_s / 60) : round_s[pick];
    return *last_s;
}

static struct loom_trace *log_of_bags(bool with_requests)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "log of bags");
    int64_t clock_s = 0, last_s[USERS + 1] = {0};
    for (size_t bag = 0, made = 0; made < BAG_JOBS; bag++) {
        bool alone = loom_stream_below(&stream, 2) == 0;
        size_t size = alone ? 1 : 2 + loom_stream_below(&stream, 3);
        struct loom_job job = first_of_bag(&stream, bag, alone);
        double centre = NAN;
        for (size_t i = 0; i < size; i++) {
            job.number = (int64_t)++made;
            job.submit_s = clock_s;
            job.run_s = run_around(&stream, job.executable, &centre);
            if (with_requests && i == 0)
                job.request_s = request_of(&stream, &last_s[job.user], job.run_s);
            append(trace, job);
            clock_s += 20 + (int64_t)loom_stream_below(&stream, 40);
        }
        clock_s += (int64_t)loom_stream_below(&stream, 200);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

/* What kinds add up to, since they may be found in other numbers: mean and deviation of ln(runtime
 * + 1) outside and inside of bags, and the share of the first. */
struct bag_measures {
    double mean[2], sd[2], single;
};

static double of_kind(const struct loom_model *model, const char *list, size_t kind,
                      const char *key)
{
    char path[40];
    snprintf(path, sizeof path, "%s.%zu%s%s", list, kind, key ? "." : "", key ? key : "");
    return number_in(model, path);
}

static struct bag_measures measure_bags(const struct loom_model *model)
{
    double sums[2][3] = {{0}};
    for (size_t k = 0; k < (size_t)number_in(model, "runtimes"); k++) {
        double mean = of_kind(model, "runtimes", k, "mean"),
               sd = of_kind(model, "runtimes", k, "sd");
        double weight = of_kind(model, "runtimes", k, "weight");
        double single = of_kind(model, "runtimes", k, "single");
        for (int in_bag = 0; in_bag < 2; in_bag++) {
            double own = weight * (in_bag ? 1 - single : single);
            sums[in_bag][0] += own;
            sums[in_bag][1] += own * mean;
            sums[in_bag][2] += own * (mean * mean + sd * sd);
        }
    }
    struct bag_measures out = {.single = sums[0][0] / (sums[0][0] + sums[1][0])};
    for (int i = 0; i < 2; i++) {
        out.mean[i] = sums[i][1] / sums[i][0];
        out.sd[i] = sqrt(sums[i][2] / sums[i][0] - out.mean[i] * out.mean[i]);
    }
    return out;
}

/* The deviation within a bag, of the improved variant. */
static double within_bags(const struct loom_model *model)
{
    double within = 0, sum = 0;
    for (size_t k = 0; k < (size_t)number_in(model, "runtimes"); k++) {
        double sd = of_kind(model, "runtimes", k, "sd");
        double weight =
            of_kind(model, "runtimes", k, "weight") * (1 - of_kind(model, "runtimes", k, "single"));
        within += weight * sd * sd * (1 - of_kind(model, "improved.alike", k, NULL));
        sum += weight;
    }
    return sqrt(within / sum);
}

/* Deviations of one fit are at most half as large again as those measured over 20. */
static void expect_bags(struct trips *trips, const struct loom_model *model)
{
    struct bag_measures wanted = measure_bags(model);
    for (size_t i = 0; i < 2; i++) {
        expect(trips, i ? "in bags" : "single", 0, wanted.mean[i], 0, 0.1);
        expect(trips, i ? "in bags, sd" : "single, sd", 0, wanted.sd[i], 0, 0.1);
    }
    expect(trips, "within bags", 0, within_bags(model), 0, 0.05);
    expect(trips, "people", 0, number_in(model, "people.user"), 0.5, 0);
    expect(trips, "alpha", 0, number_in(model, "bags.alpha"), 0, 0.1);
    for (size_t c = 5; c < 8; c++)
        expect(trips, "alone", c, of_kind(model, "improved.single", c, NULL), 0, 0.1);
}

static void observe_bags(struct trips *trips, const struct loom_model *back)
{
    struct bag_measures found = measure_bags(back);
    size_t at = 0;
    for (size_t i = 0; i < 2; i++) {
        observe(trips, &at, found.mean[i]);
        observe(trips, &at, found.sd[i]);
    }
    observe(trips, &at, within_bags(back));
    observe(trips, &at, number_in(back, "people.user"));
    observe(trips, &at, number_in(back, "bags.alpha"));
    for (size_t c = 5; c < 8; c++)
        observe(trips, &at, of_kind(back, "improved.single", c, NULL));
}

static void improved_minh2012_comes_back(void **state)
{
    (void)state;
    static const char *const params[] = {"arrivals=poisson", "variant=improved", NULL};
    struct loom_trace *log = log_of_bags(false);
    struct loom_model *model = must_fit("minh2012", log, params);
    struct trips trips = {0};
    expect_bags(&trips, model);
    for (uint64_t trip = 0; trip < TRIPS; trip++) {
        struct loom_generate_options options = {.seed = trip, .jobs = BAG_JOBS};
        struct loom_trace *generated = must_generate(model, &options);
        struct loom_model *back = must_fit("minh2012", generated, params);
        observe_bags(&trips, back);
        loom_model_destroy(back);
        loom_trace_destroy(generated);
    }
    assert_back(&trips, "minh2012");
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* As printed, but for bags that come back: in minh2010 all kinds are alike in single jobs, so that
 * what holds inside of bags holds outside. */
static void expect_settled(struct trips *trips, const struct loom_model *model)
{
    struct bag_measures wanted = measure_bags(model);
    for (size_t i = 0; i < 2; i++) {
        expect(trips, i ? "in bags" : "single", 0, wanted.mean[i], 0, 0.15);
        expect(trips, i ? "in bags, sd" : "single, sd", 0, wanted.sd[i], 0, 0.1);
    }
    expect(trips, "alone", 0, wanted.single, 0, 0.03);
    expect(trips, "people", 0, number_in(model, "people.user"), 0.5, 0);
    expect(trips, "alpha", 0, number_in(model, "bags.alpha"), 0, 0.1);
}

static void observe_settled(struct trips *trips, const struct loom_model *back)
{
    struct bag_measures found = measure_bags(back);
    size_t at = 0;
    for (size_t i = 0; i < 2; i++) {
        observe(trips, &at, found.mean[i]);
        observe(trips, &at, found.sd[i]);
    }
    observe(trips, &at, found.single);
    observe(trips, &at, number_in(back, "people.user"));
    observe(trips, &at, number_in(back, "bags.alpha"));
}

static void settled_bags_come_back(void **state)
{
    (void)state;
    static const char *const names[] = {"minh2010", "minh2012"};
    static const char *const params[] = {"arrivals=poisson", "bags=settled", NULL};
    struct loom_trace *log = log_of_bags(false);
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_model *model = must_fit(names[i], log, params);
        struct trips trips = {0};
        expect_settled(&trips, model);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_generate_options options = {.seed = trip, .jobs = BAG_JOBS};
            struct loom_trace *generated = must_generate(model, &options);
            struct loom_model *back = must_fit(names[i], generated, params);
            observe_settled(&trips, back);
            loom_model_destroy(back);
            loom_trace_destroy(generated);
        }
        assert_back(&trips, names[i]);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* ---- requested times ------------------------------------------------------------------------- */

static void expect_requests(struct trips *trips, const struct loom_request_model *model)
{
    expect(trips, "whole", 0, model->whole_bundles, 1e-9, 0.05);
    expect(trips, "kept, same", 0, model->keep_same, 0, 0.08);
    expect(trips, "kept, other", 0, model->keep_other, 0, 0.08);
    expect(trips, "novelty", 0, model->novelty, 0, 0.08);
}

static void observe_requests(struct trips *trips, const struct loom_request_model *found)
{
    size_t at = 0;
    observe(trips, &at, found->whole_bundles);
    observe(trips, &at, found->keep_same);
    observe(trips, &at, found->keep_other);
    observe(trips, &at, found->novelty);
}

/* On the jobs of models whose users are much as the log's, or have jobs of all kinds. */
static void requests_come_back(void **state)
{
    (void)state;
    static const char *const poisson[] = {"arrivals=poisson", "variant=printed", NULL};
    static const char *const improved[] = {"arrivals=poisson", "variant=improved", NULL};
    static const struct {
        const char *name;
        const char *const *params;
    } models[] = {{"minh2012", poisson}, {"minh2012", improved}, {"usergraph", NULL}};
    struct loom_trace *log = log_of_bags(true);
    for (size_t i = 0; i < COUNT(models); i++) {
        struct loom_model *model = must_fit(models[i].name, log, models[i].params);
        model->requests.keep_same = 0.9;
        model->requests.keep_other = 0.7;
        model->requests.novelty = 0.3;
        struct trips trips = {0};
        expect_requests(&trips, &model->requests);
        for (uint64_t trip = 0; trip < TRIPS; trip++) {
            struct loom_generate_options options = {.seed = trip, .jobs = BAG_JOBS};
            struct loom_trace *generated = must_generate(model, &options);
            struct loom_model *back = must_fit(models[i].name, generated, models[i].params);
            observe_requests(&trips, &back->requests);
            loom_model_destroy(back);
            loom_trace_destroy(generated);
        }
        assert_back(&trips, models[i].name);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(improved_mmwm_comes_back), cmocka_unit_test(mwm_comes_back),
        cmocka_unit_test(improved_mwm_comes_back),  cmocka_unit_test(poisson_comes_back),
        cmocka_unit_test(gamma_daily_comes_back),   cmocka_unit_test(improved_minh2012_comes_back),
        cmocka_unit_test(settled_bags_come_back),   cmocka_unit_test(requests_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
