/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Speedup functions against the profiles of parallelism they come from, and the model of moldable
 * jobs: its distributions, its runtimes, and its parameters found again in what it makes.
 */
#include "modeling.h"

#include <math.h>
#include <stdlib.h>
#include <workloom/stats.h>

/* ---- speedup --------------------------------------------------------------------------------- */

/* A program is phases of a duration, given enough processors, and of a parallelism. On n
 * processors, a phase is prolonged by parallelism / n where that is more than 1. */
struct phase {
    double duration, parallelism;
};

static double profile_speedup(const struct phase *phases, size_t n_phases, double n)
{
    double serial = 0, parallel = 0;
    for (size_t i = 0; i < n_phases; i++) {
        serial += phases[i].duration * phases[i].parallelism;
        parallel += phases[i].duration * fmax(1, phases[i].parallelism / n);
    }
    return serial / parallel;
}

static void downey_is_its_profile(void **state)
{
    (void)state;
    static const double parallelisms[] = {1, 1.5, 2, 7, 32.5, 100};
    static const double sigmas[] = {0, 0.25, 0.5, 1, 1.000001, 1.5, 2, 10};
    for (size_t i = 0; i < COUNT(parallelisms); i++)
        for (size_t k = 0; k < COUNT(sigmas); k++) {
            double a = parallelisms[i], s = sigmas[k];
            const struct phase low[] = {{1 - s, a}, {s / 2, 1}, {s / 2, 2 * a - 1}};
            const struct phase high[] = {{s, 1}, {1, a + a * s - s}};
            struct loom_speedup speedup = {.parallelism = a, .sigma = s};
            for (int64_t n = 1; n < 500; n += 1 + n / 7) {
                double wanted = s <= 1 ? profile_speedup(low, 3, (double)n)
                                       : profile_speedup(high, 2, (double)n);
                assert_near(loom_moldable_speedup(&speedup, 1, n), wanted, 1e-9 * wanted);
                assert_near(loom_moldable_run_s(&speedup, 1000, n), 1000 / wanted, 1e-6);
            }
        }
}

/* By hand. Downey: A = 10, sigma = 1: S(10) = 10 x 10 / (10 + 4.5) = 6.897, and 10 from 19 on.
 * Sevcik: W = 100, imbalance 1.2, 2 s and 0.5 s a processor: T(1) = 102.5, T(10) = 12 + 2 + 5. */
static void speedups_by_hand(void **state)
{
    (void)state;
    struct loom_speedup downey = {.parallelism = 10, .sigma = 1};
    assert_near(loom_moldable_speedup(&downey, 1, 1), 1, 0);
    assert_near(loom_moldable_speedup(&downey, 1, 10), 100 / 14.5, 1e-12);
    assert_near(loom_moldable_speedup(&downey, 1, 18), 180 / 18.5, 1e-12);
    assert_near(loom_moldable_speedup(&downey, 1, 19), 10, 1e-12);
    assert_near(loom_moldable_speedup(&downey, 1, 1000), 10, 1e-12);
    struct loom_speedup sevcik = {.kind = LOOM_SPEEDUP_SEVCIK,
                                  .imbalance = 1.2,
                                  .fixed_s = 2,
                                  .per_processor_s = 0.5};
    assert_near(loom_moldable_run_s(&sevcik, 100, 1), 102.5, 1e-12);
    assert_near(loom_moldable_run_s(&sevcik, 100, 10), 19, 1e-12);
    assert_near(loom_moldable_speedup(&sevcik, 100, 10), 102.5 / 19, 1e-12);
    /* The overhead wins in the end: sqrt(phi W / beta) = 15.5 processors are best. */
    assert_true(loom_moldable_run_s(&sevcik, 100, 15) < loom_moldable_run_s(&sevcik, 100, 30));
}

/* ---- the model ------------------------------------------------------------------------------- */

enum { JOBS = 40000 };

/* Size n is parallelism between n - 1/2 and n + 1/2. */
static void sizes_are_log_uniform(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("downey97", NULL);
    struct loom_trace *trace =
        must_generate(model, &(struct loom_generate_options){.seed = 2, .jobs = JOBS});
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double counts[129] = {0}, chi2 = 0;
    for (size_t i = 0; i < jobs->n; i++)
        counts[jobs->req_procs[i]]++;
    for (int n = 1; n <= 128; n++) {
        double from = n == 1 ? 1 : n - 0.5, to = n == 128 ? 128 : n + 0.5;
        double expected = JOBS * log(to / from) / log(128);
        chi2 += (counts[n] - expected) * (counts[n] - expected) / expected;
    }
    assert_true(chi2 < 182); /* 127 degrees of freedom: exceeded by 1 in 1000 */
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* Ends of a line through a distribution function have a standard error of about range x sqrt(3/n)
 * in the logarithm; what else the fit loses (sigma is not seen, seconds are whole) is below that.
 */
static void round_trip(void **state)
{
    (void)state;
    static const char *const changes[] = {"work_s.low=20000", "work_s.high=9000000",
                                          "parallelism.low=1.5", "parallelism.high=80"};
    static const char *const kinds[][2] = {{"speedup=downey", NULL}, {"speedup=sevcik", NULL}};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        struct loom_model *model =
            must_set(must_publish("downey97", kinds[i]), changes, COUNT(changes));
        struct loom_trace *trace =
            must_generate(model, &(struct loom_generate_options){.seed = 5, .jobs = JOBS});
        struct loom_model *again = must_fit("downey97", trace, kinds[i]);
        double work = 3 * log(450) * sqrt(3.0 / JOBS), size = 3 * log(80 / 1.5) * sqrt(3.0 / JOBS);
        assert_near(log(number_in(again, "work_s.low") / 20000), 0, work);
        assert_near(log(number_in(again, "work_s.high") / 9e6), 0, work);
        assert_near(log(number_in(again, "parallelism.low") / 1.5), 0, size);
        assert_near(log(number_in(again, "parallelism.high") / 80), 0, size);
        assert_near(number_in(again, "arrivals.interarrival_s"), 900, 3 * 900 / sqrt(JOBS));
        loom_model_destroy(again);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

static double spearman(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double *x = malloc(jobs->n * sizeof *x), *y = malloc(jobs->n * sizeof *y), rho = 0;
    assert_true(x && y);
    for (size_t i = 0; i < jobs->n; i++) {
        x[i] = (double)jobs->run_s[i];
        y[i] = jobs->req_procs[i];
    }
    assert_int_equal(loom_spearman(&rho, x, y, jobs->n, NULL), 0);
    free(x);
    free(y);
    return rho;
}

/* More processors make the same work shorter: an inverse correlation, which can be left out. */
static void correlation_can_be_left_out(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("downey97", NULL);
    struct loom_generate_options options = {.seed = 3, .jobs = JOBS};
    struct loom_trace *trace = must_generate(model, &options);
    assert_true(spearman(trace) < -0.3);
    loom_trace_destroy(trace);
    options.without = LOOM_CORRELATION;
    trace = must_generate(model, &options);
    assert_near(spearman(trace), 0, 3 / sqrt(JOBS));
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* Jobs of work W and parallelism 16 on as many processors run for W (16 + 15 sigma / 2) / 16^2, and
 * sigma is uniform up to 1: the mean is the one for sigma 1/2, and the variance a twelfth of the
 * square of 7.5 W / 16^2. Of 40,000 jobs the standard deviation is known to 0.3 %. */
static void parallelism_varies(void **state)
{
    (void)state;
    enum { W = 1000000 };
    static const char *const changes[] = {"work_s.low=999999.9", "work_s.high=1000000.1",
                                          "parallelism.low=15.99", "parallelism.high=16.01",
                                          "max_sigma=1"};
    struct loom_model *model = must_set(must_publish("downey97", NULL), changes, COUNT(changes));
    struct loom_generate_options options = {.seed = 1, .jobs = JOBS};
    struct loom_trace *trace = must_generate(model, &options);
    double mean = 0, squares = 0, spread = 7.5 * W / 256 / sqrt(12);
    for (size_t i = 0; i < JOBS; i++) {
        struct loom_job job = loom_trace_job(trace, i);
        assert_int_equal(job.req_procs, 16);
        mean += (double)job.run_s / JOBS;
        squares += (double)job.run_s * (double)job.run_s / JOBS;
    }
    assert_near(mean, W * (16 + 7.5 / 2) / 256, 4 * spread / sqrt(JOBS));
    assert_near(sqrt(squares - mean * mean), spread, 0.02 * spread);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* On a machine twice as large, sizes reach twice as far: log 2 of log 256, an eighth, are above
 * what there was. */
static void parallelism_grows_with_the_machine(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("downey97", NULL);
    struct loom_generate_options options = {.seed = 1, .jobs = JOBS, .procs = 256};
    struct loom_trace *trace = must_generate(model, &options);
    double above = 0;
    for (size_t i = 0; i < JOBS; i++)
        above += loom_trace_job(trace, i).req_procs > 128;
    assert_near(above / JOBS, log(256 / 128.5) / log(256), 4 * sqrt(0.11 / JOBS));
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* A log-uniform distribution at the place u. */
static double log_uniform(double low, double high, double u)
{
    return low * pow(high / low, u);
}

/* Sizes up to 200 on a machine of 128: what was cut there is not taken for its own size. Work from
 * a tenth of a second on, of which runtimes show no less than one: serial jobs, for which no parts
 * are out of balance. */
static void what_logs_do_not_show_is_found(void **state)
{
    (void)state;
    enum { N = 5000 };
    static const char *const sevcik[] = {"speedup=sevcik", "imbalance=3", "fixed=0",
                                         "per-processor=0", NULL};
    struct loom_trace *cut = empty_trace(), *serial = empty_trace();
    for (int i = 0; i < N; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = 100 * i;
        job.run_s = 1000;
        job.req_procs = (int32_t)fmin(128, round(log_uniform(1, 200, (i + 0.5) / N)));
        append(cut, job);
        job.run_s = (int64_t)fmax(1, round(log_uniform(0.1, 10000, (i + 0.5) / N)));
        job.req_procs = 1;
        append(serial, job);
    }
    struct loom_model *model = must_fit("downey97", cut, NULL);
    assert_near(log(number_in(model, "parallelism.high") / 200), 0, 0.1);
    loom_model_destroy(model);
    model = must_fit("downey97", serial, sevcik);
    assert_near(log(number_in(model, "work_s.low") / 0.1), 0, 0.1);
    assert_near(log(number_in(model, "work_s.high") / 10000), 0, 0.1);
    loom_model_destroy(model);
    loom_trace_destroy(cut);
    loom_trace_destroy(serial);
}

/* By hand, A = 10 and sigma = 1: 100 s on 10 processors are 100 x 100 / 14.5 = 689.66 s of work. At
 * an efficiency of 0.5: S(19) / 19 = 10 / 19 = 0.526 and S(20) / 20 = 0.5, so 20 processors and
 * 68.97 s; at 0.8, 10 n / (10 + (n - 1) / 2) >= 0.8 n up to n = 6, and 689.66 x 12.5 / 60 = 143.7
 * s.
 */
static void jobs_are_resized(void **state)
{
    (void)state;
    static const struct {
        const char *how;
        int32_t procs;
        int64_t run_s, request_s;
    } cases[] = {{"speedup", 20, 69, 138},
                 {"speedup:efficiency=0.8", 6, 144, 287},
                 {"speedup:efficiency=0.1", 64, 69, 138}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *trace = empty_trace();
        struct loom_error err = {0};
        struct loom_resize how;
        struct loom_job job = loom_job_unknown();
        job.run_s = 100;
        job.req_procs = job.alloc_procs = 10;
        job.request_s = 200;
        job.wait_s = 5;
        append(trace, job);
        job.run_s = -1;
        append(trace, job);
        assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
        assert_int_equal(loom_resize_parse(&how, cases[i].how, &err), 0);
        assert_int_equal(loom_trace_resize(trace, &how, &err), 0);
        assert_int_equal(how.changed, 1);
        job = loom_trace_job(trace, 0);
        assert_int_equal(job.req_procs, cases[i].procs);
        assert_int_equal(job.alloc_procs, cases[i].procs);
        assert_int_equal(job.run_s, cases[i].run_s);
        assert_int_equal(job.request_s, cases[i].request_s);
        assert_int_equal(job.wait_s, -1);
        assert_int_equal(loom_trace_job(trace, 1).req_procs, 10);
        loom_trace_destroy(trace);
    }
    struct loom_error err = {0};
    struct loom_resize how;
    assert_int_equal(loom_resize_parse(&how, "speedup:efficiency=2", &err), LOOM_ERANGE);
    assert_int_equal(loom_resize_parse(&how, "size", &err), LOOM_EUSAGE);
}

/* A = 20 and sigma = 0: speedup n up to 20. 100 s on 10 processors are 1,000 s of work; at an
 * efficiency of 0.5 there are 40 processors, and 50 s. The job without a note goes by its size. */
static void notes_are_taken(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_error err = {0};
    struct loom_resize how;
    struct loom_job job = loom_job_unknown();
    (void)state;
    for (int64_t number = 7; number <= 8; number++) {
        job.number = number;
        job.run_s = 100;
        job.req_procs = job.alloc_procs = 10;
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    assert_int_equal(loom_resize_parse(&how, "speedup:jobs=notes", &err), 0);
    assert_int_equal(loom_trace_resize(trace, &how, &err), LOOM_EDATA);
    assert_int_equal(loom_trace_add_directive(trace, "Note", "job 7 parallelism 20 sigma 0", NULL),
                     0);
    assert_int_equal(loom_trace_resize(trace, &how, &err), 0);
    assert_int_equal(loom_trace_job(trace, 0).req_procs, 40);
    assert_int_equal(loom_trace_job(trace, 0).run_s, 50);
    assert_int_equal(loom_trace_job(trace, 1).req_procs, 20);
    assert_int_equal(loom_trace_add_directive(trace, "Note", "job 8 parallelism 0 sigma 0", NULL),
                     0);
    assert_int_equal(loom_trace_resize(trace, &how, &err), LOOM_EDATA);
    loom_trace_destroy(trace);
}

/* What a job takes on one processor, by its own speedup, is its work: log-uniform from 10 to 1e6 s
 * in the illustrative model. */
static void speedups_are_noted(void **state)
{
    struct loom_model *model = NULL;
    struct loom_trace *trace = NULL, *plain = NULL;
    struct loom_generate_options options = {.seed = 1, .jobs = 2000, .notes = LOOM_NOTE_SPEEDUP};
    struct loom_error err = {0};
    (void)state;
    model = must_publish("downey97", NULL);
    assert_int_equal(loom_model_generate(&trace, model, &options, NULL, NULL), 0);
    options.notes = 0;
    assert_int_equal(loom_model_generate(&plain, model, &options, NULL, NULL), 0);
    double most_s = 0;
    for (size_t i = 0; i < 2000; i++) /* the notes change no job */
        assert_int_equal(loom_trace_job(trace, i).run_s, loom_trace_job(plain, i).run_s);
    size_t notes = 0, below = 0;
    const struct loom_directive *lines;
    size_t n = loom_trace_directives(trace, &lines);
    for (size_t i = 0; i < n; i++) {
        double a, sigma;
        int number;
        if (sscanf(lines[i].value, "job %d parallelism %lf sigma %lf", &number, &a, &sigma) != 3)
            continue;
        assert_int_equal(number, ++notes);
        assert_true(a >= 1 && a <= 128.5 && sigma >= 0 && sigma <= 2);
        /* The size of a job is its parallelism, rounded. */
        struct loom_job job = loom_trace_job(trace, notes - 1);
        assert_true(fabs(job.req_procs - a) <= 1);
        struct loom_speedup speedup = {.parallelism = a, .sigma = sigma};
        double work_s = (double)job.run_s / loom_moldable_run_s(&speedup, 1, job.req_procs);
        below += work_s < pow(10, 1 + 5 * 0.5); /* the median of the work */
        most_s = fmax(most_s, work_s);
    }
    assert_int_equal(notes, 2000);
    assert_true(below > 900 && below < 1100);
    assert_true(most_s < 1.1e6);
    loom_model_destroy(model);
    model = must_publish("lublin2003", NULL);
    options.notes = LOOM_NOTE_SPEEDUP;
    struct loom_trace *none = NULL;
    assert_int_equal(loom_model_generate(&none, model, &options, NULL, &err), LOOM_EUSAGE);
    loom_model_destroy(model);
    loom_trace_destroy(trace);
    loom_trace_destroy(plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_are_resized),
        cmocka_unit_test(notes_are_taken),
        cmocka_unit_test(speedups_are_noted),
        cmocka_unit_test(downey_is_its_profile),
        cmocka_unit_test(speedups_by_hand),
        cmocka_unit_test(sizes_are_log_uniform),
        cmocka_unit_test(round_trip),
        cmocka_unit_test(correlation_can_be_left_out),
        cmocka_unit_test(parallelism_varies),
        cmocka_unit_test(parallelism_grows_with_the_machine),
        cmocka_unit_test(what_logs_do_not_show_is_found),
    };
    return cmocka_run_group_tests_name("downey97", tests, NULL, NULL);
}
