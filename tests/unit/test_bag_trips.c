/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of bags of tasks and of requested times, fitted again to the jobs that they generate. */
#include "cascade_log.h"
#include "modeling.h"
#include "models/room.h"
#include "trips.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

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
        cmocka_unit_test(improved_minh2012_comes_back),
        cmocka_unit_test(settled_bags_come_back),
        cmocka_unit_test(requests_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
