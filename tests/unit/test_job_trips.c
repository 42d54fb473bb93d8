/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of jobs, fitted to what they generated: every parameter comes back. */
#include "modeling.h"
#include "trips.h"

#include <gsl/gsl_randist.h>
#include <math.h>

enum { JOBS = 20000 };

static struct loom_model *generate_and_fit(const struct loom_model *model,
                                           const char *const *settings, int64_t jobs, uint64_t trip)
{
    struct loom_generate_options options = {.seed = 1, .replication = trip, .jobs = jobs};
    struct loom_trace *trace = must_generate(model, &options);
    struct loom_model *back = must_fit(loom_model_info(model)->name, trace, settings);
    loom_trace_destroy(trace);
    return back;
}

/* What a model says by a path of its document, NULL-terminated, comes back, in logarithms. */
static void assert_comes_back(const struct loom_model *model, const char *const *settings,
                              const char *const *paths, double most)
{
    struct trips trips = {0};
    for (size_t i = 0; paths[i]; i++)
        expect(&trips, paths[i], i, log(number_in(model, paths[i])), 0, most);
    for (uint64_t trip = 0; trip < TRIPS; trip++) {
        struct loom_model *back = generate_and_fit(model, settings, JOBS, trip);
        for (size_t i = 0, at = 0; paths[i]; i++)
            observe(&trips, &at, log(number_in(back, paths[i])));
        loom_model_destroy(back);
    }
    assert_back(&trips, settings ? settings[0] : loom_model_info(model)->name);
}

/* Of work from 10 s up, whole seconds hide much: on 128 processors anything below 192 s runs for
 * one. */
static void downey97_comes_back(void **state)
{
    (void)state;
    static const char *const ways[][2] = {{"speedup=downey"}, {"speedup=sevcik"}};
    static const char *const paths[] = {"work_s.low", "work_s.high", "parallelism.low",
                                        "parallelism.high", NULL};
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct loom_model *model = must_publish("downey97", ways[i]);
        assert_comes_back(model, ways[i], paths, 0.05);
        loom_model_destroy(model);
    }
}

/* Where most of the shortest runtimes are overhead: jobs of 1 s on 32 processors do at most 0.18 s
 * of work each. */
static void downey97_comes_back_from_short_jobs(void **state)
{
    (void)state;
    static const char *const way[] = {"speedup=sevcik", NULL};
    static const char *const changes[] = {"work_s.low=1.4", "work_s.high=31000",
                                          "parallelism.low=0.35", "parallelism.high=33"};
    static const char *const paths[] = {"work_s.low", "work_s.high", NULL};
    struct loom_model *model = must_set(must_publish("downey97", way), changes, COUNT(changes));
    assert_comes_back(model, way, paths, 0.05);
    loom_model_destroy(model);
}

/* ---- runs of a kind -------------------------------------------------------------------------- */

/* Seven kinds, each a deviation and a half from the next, in runs of up to 30 jobs. The jobs of a
 * run are alike, so that a log has few runs cut by the borders of its kinds. */
enum { KINDS = 7, RUN_JOBS = 8000 };

static struct loom_trace *log_of_runs(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 9, 0, "log of runs");
    size_t kind = 0;
    for (int64_t made = 0; made < RUN_JOBS;) {
        kind = (kind + 1 + loom_stream_below(&stream, KINDS - 1)) % KINDS;
        double centre = 3 + (double)kind + 0.6 * gsl_ran_gaussian_ziggurat(&stream.gsl, 1);
        int64_t length = (int64_t)fmin(30, floor(1 / (1 - loom_stream_uniform(&stream))));
        for (int64_t i = 0; i < length; i++) {
            struct loom_job job = loom_job_unknown();
            double z = gsl_ran_gaussian_ziggurat(&stream.gsl, 1);
            job.number = ++made;
            job.submit_s = 100 * made;
            job.run_s = llrint(expm1(fmax(centre + 0.2 * z, 0)));
            job.req_procs = 1 << loom_stream_below(&stream, 4);
            job.status = LOOM_STATUS_COMPLETED;
            append(trace, job);
        }
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

/* Kinds come back in other numbers and places: what is compared is what their runs add up to. */
struct run_measures {
    double exponent, length; /* their means over jobs, and over runs */
};

static double of_kind(const struct loom_model *model, const char *list, size_t kind,
                      const char *key)
{
    char path[40];
    snprintf(path, sizeof path, "%s.%zu.%s", list, kind, key);
    return number_in(model, path);
}

static double mean_length(double alpha, double longest)
{
    double sum = 0, jobs = 0;
    for (double k = 1; k <= longest; k++) {
        sum += pow(k, -alpha);
        jobs += pow(k, 1 - alpha);
    }
    return jobs / sum;
}

static struct run_measures measure_runs(const struct loom_model *model)
{
    double exponents = 0, runs = 0;
    for (size_t k = 0; k < (size_t)number_in(model, "runtimes"); k++) {
        double weight = of_kind(model, "runtimes", k, "weight");
        double alpha = of_kind(model, "runs", k, "alpha");
        exponents += weight * alpha;
        runs += weight / mean_length(alpha, of_kind(model, "runs", k, "longest"));
    }
    return (struct run_measures){exponents, 1 / runs};
}

static void minh2009_comes_back(void **state)
{
    (void)state;
    static const char *const settings[] = {"arrivals=poisson", NULL};
    struct loom_trace *log = log_of_runs();
    struct loom_model *model = must_fit("minh2009", log, settings);
    struct run_measures wanted = measure_runs(model);
    struct trips trips = {0};
    expect(&trips, "exponent", 0, wanted.exponent, 0, 0.06);
    expect(&trips, "length", 0, wanted.length, 0, 0.3);
    for (uint64_t trip = 0; trip < TRIPS; trip++) {
        struct loom_model *back = generate_and_fit(model, settings, RUN_JOBS, trip);
        struct run_measures found = measure_runs(back);
        size_t at = 0;
        observe(&trips, &at, found.exponent);
        observe(&trips, &at, found.length);
        loom_model_destroy(back);
    }
    assert_back(&trips, "minh2009");
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(downey97_comes_back),
        cmocka_unit_test(downey97_comes_back_from_short_jobs),
        cmocka_unit_test(minh2009_comes_back),
    };
    return cmocka_run_group_tests_name("job_trips", tests, NULL, NULL);
}
