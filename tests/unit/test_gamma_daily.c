/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lublin and Feitelson's arrivals as a process: the day they make, by each of the three methods,
 * and what is left without the cycle or without bursts. */
#include "modeling.h"
#include "models/arrivals/gamma_daily.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../oracle/lublin_days.inc"

enum { JOBS = 200000 };

static struct loom_model *process(const char *setting)
{
    const char *const settings[] = {setting, NULL};
    return must_publish("gamma-daily", settings);
}

static void count_slots(double *shares, const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    memset(shares, 0, LOOM_SLOTS * sizeof *shares);
    for (size_t i = 0; i < jobs->n; i++)
        shares[jobs->submit_s[i] / LOOM_SLOT_S % LOOM_SLOTS] += LOOM_SLOTS / (double)jobs->n;
}

static void generate_slots(double *shares, const char *setting,
                           struct loom_generate_options options)
{
    struct loom_model *model = process(setting);
    struct loom_trace *trace = must_generate(model, &options);
    count_slots(shares, trace);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* The paper's measure of how far a day is from the one it should be (section 7.3), for 20,000 jobs.
 */
static double misfit(const double *made, const double *wanted)
{
    double sum = 0;
    for (int i = 0; i < LOOM_SLOTS; i++)
        sum += (made[i] - wanted[i]) * (made[i] - wanted[i]) / (made[i] + wanted[i]);
    return sum * 20000 / LOOM_SLOTS;
}

static void test_weights(void **state)
{
    (void)state;
    static const struct {
        double shape, scale;
        const double *weights;
    } days[] = {{8.1737, 3.9631, combined_weights},
                {6.1271, 5.2740, batch_weights},
                {8.9186, 3.6680, interactive_weights}};
    for (size_t k = 0; k < COUNT(days); k++) {
        double weights[LOOM_SLOTS];
        loom_daily_weights(weights, days[k].shape, days[k].scale);
        for (int i = 0; i < LOOM_SLOTS; i++)
            assert_near(weights[i], days[k].weights[i], 1e-9);
    }
}

static int extreme(const double *shares, double sign)
{
    int at = 0;
    for (int i = 1; i < LOOM_SLOTS; i++)
        if (sign * shares[i] > sign * shares[at])
            at = i;
    return at;
}

/* Figure 9: the quietest time is about 5:00, the busiest early in the afternoon, and the day
 * follows the daily gamma. */
static void test_day(void **state)
{
    (void)state;
    static const double *const wanted[] = {combined_weights, batch_weights, interactive_weights};
    static const char *const types[] = {"type=combined", "type=batch", "type=interactive"};
    for (size_t k = 0; k < COUNT(types); k++) {
        double shares[LOOM_SLOTS];
        generate_slots(shares, types[k], (struct loom_generate_options){.seed = 1, .jobs = JOBS});
        int quiet = extreme(shares, -1), busy = extreme(shares, 1);
        assert_true(quiet >= 9 && quiet <= 11);
        assert_true(busy >= 24 && busy <= 33);
        assert_true(misfit(shares, wanted[k]) < 60);
    }
}

/* Slot weights fit best, and all three methods better than none. */
static void test_methods(void **state)
{
    (void)state;
    struct loom_generate_options options = {.seed = 1, .jobs = JOBS};
    double shares[LOOM_SLOTS];
    generate_slots(shares, "cycle=slot-weight", options);
    double by_weight = misfit(shares, combined_weights);
    generate_slots(shares, "cycle=expected-interarrival", options);
    double by_interarrival = misfit(shares, combined_weights);
    generate_slots(shares, "cycle=expected-slots", options);
    double by_slots = misfit(shares, combined_weights);
    options.without = LOOM_CYCLE;
    generate_slots(shares, "cycle=slot-weight", options);
    double by_nothing = misfit(shares, combined_weights);
    assert_true(by_weight < 60 && by_weight < by_interarrival);
    assert_true(by_interarrival < by_nothing / 4 && by_slots < by_nothing / 1.5);
    for (int i = 0; i < LOOM_SLOTS; i++)
        assert_near(shares[i], 1, 0.1);
}

static struct loom_daily_clock *clock_of(int method, double rate)
{
    static const struct loom_gamma_daily daily = {10.2303, 0.4871, 1.0225, 13, 8.1737, 3.9631, 0};
    struct loom_gamma_daily own = daily;
    struct loom_generation generation = {.seed = 1, .rate = rate};
    struct loom_daily_clock *clock = malloc(sizeof *clock);
    assert_non_null(clock);
    own.method = method;
    assert_int_equal(loom_daily_clock_open(clock, &own, &generation, "test", NULL), 0);
    return clock;
}

/* alpha(t) = alpha + log(mean w / w(t)) / beta. */
static void test_shapes(void **state)
{
    (void)state;
    struct loom_daily_clock *clock = clock_of(LOOM_DAILY_EXPECTED_INTERARRIVAL, 1);
    for (int t = 0; t < LOOM_SLOTS; t++)
        assert_near(clock->shapes[t], 10.2303 * 1.0225 - log(combined_weights[t]) / 0.4871, 1e-6);
    free(clock);
}

/* The condition that the iteration ends with: mean gaps are to each other as expected jumps. The
 * values are SciPy's for the same iteration. */
static void test_jumps(void **state)
{
    (void)state;
    struct loom_daily_clock *clock = clock_of(LOOM_DAILY_EXPECTED_SLOTS, 1);
    for (int t = 0; t < LOOM_SLOTS; t++)
        assert_near(clock->shapes[t], combined_jump_shapes[t], 1e-6);
    free(clock);
}

/* Against numerical integration by SciPy. */
static void test_mean(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(mean_gaps); i++) {
        const double *m = mean_gaps[i];
        assert_near(loom_daily_mean(m[0], m[1], m[2]) / m[3], 1, 1e-8);
    }
}

/* Arrivals as often as asked for, with the same day. */
static void test_rate(void **state)
{
    (void)state;
    struct loom_daily_clock *slow = clock_of(LOOM_DAILY_SLOT_WEIGHT, 1);
    struct loom_daily_clock *fast = clock_of(LOOM_DAILY_SLOT_WEIGHT, 4);
    double shares[LOOM_SLOTS] = {0}, slow_s = 0, fast_s = 0;
    for (int i = 0; i < JOBS; i++) {
        slow_s = loom_daily_clock_next(slow);
        fast_s = loom_daily_clock_next(fast);
        shares[(int64_t)fast_s / LOOM_SLOT_S % LOOM_SLOTS] += (double)LOOM_SLOTS / JOBS;
    }
    assert_near(slow_s / fast_s, 4, 0.01);
    assert_near(slow_s / JOBS, slow->means_s[0], 0.05 * slow->means_s[0]);
    assert_true(misfit(shares, combined_weights) < 120);
    free(slow);
    free(fast);
}

static double variation(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double sum = 0, squares = 0, n = (double)jobs->n - 1;
    for (size_t i = 1; i < jobs->n; i++) {
        double gap = (double)(jobs->submit_s[i] - jobs->submit_s[i - 1]);
        sum += gap;
        squares += gap * gap;
    }
    return sqrt(squares / n - sum * sum / n / n) / (sum / n);
}

/* Without both traits a Poisson process, of the same rate. */
static void test_without(void **state)
{
    (void)state;
    struct loom_model *model = process("type=combined");
    struct loom_generate_options options = {.seed = 1, .jobs = JOBS};
    struct loom_trace *with = must_generate(model, &options);
    options.without = LOOM_BURSTINESS | LOOM_CYCLE;
    struct loom_trace *without = must_generate(model, &options);
    const struct loom_jobs *a = loom_trace_jobs(with), *b = loom_trace_jobs(without);
    assert_true(variation(with) > 2);
    assert_near(variation(without), 1, 0.02);
    assert_near((double)a->submit_s[JOBS - 1] / (double)b->submit_s[JOBS - 1], 1, 0.05);
    loom_trace_destroy(with);
    loom_trace_destroy(without);
    loom_model_destroy(model);
}

/* Time 0 is a moment of the day. */
static void test_phase(void **state)
{
    (void)state;
    static const struct loom_gamma_daily daily = {10.2303, 0.4871, 1.0225, 13, 8.1737, 3.9631, 0};
    struct loom_generation generation = {.seed = 1,
                                         .rate = 1000,
                                         .week_phase_s = 2 * 86400 + 50000};
    struct loom_daily_clock *clock = malloc(sizeof *clock);
    assert_non_null(clock);
    assert_int_equal(loom_daily_clock_open(clock, &daily, &generation, "test", NULL), 0);
    assert_int_equal(clock->slot, 27);
    double first = loom_daily_clock_next(clock);
    assert_true(first >= 0 && first < 1000);
    free(clock);
}

/* The gammas that SciPy finds for two means, by quadrature and fsolve. */
static void test_match(void **state)
{
    (void)state;
    static const struct {
        double mean_log, mean_s, limit, shape, scale;
    } cases[] = {
        {5.2, 1400, 11.2, 7.04738668, 0.74584706},
        {3.0, 541, 13.1, 2.64174311, 1.13746432},
        {4.6, 430, 12, 9.92880524, 0.4633905},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_gamma_daily daily = {.limit = cases[i].limit};
        loom_daily_match(&daily, cases[i].mean_log, cases[i].mean_s);
        assert_near(loom_gamma_daily_gap_s(&daily), cases[i].mean_s, 1e-6 * cases[i].mean_s);
        assert_near(daily.shape, cases[i].shape, 1e-6 * cases[i].shape);
        assert_near(daily.scale, cases[i].scale, 1e-6 * cases[i].scale);
    }
}

/* Fitted to jobs whose peak hours would give another rate, the model has the jobs' rate, by each
 * method; the paper's way has not. */
static void test_log_rate(void **state)
{
    (void)state;
    static const char *const ways[] = {"cycle=slot-weight", "cycle=expected-interarrival",
                                       "cycle=expected-slots", "gaps=peak"};
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 5, 0, "bursts by day");
    double clock_s = 0;
    for (int i = 0; i < 6000; i++) {
        bool day = fmod(clock_s / 3600, 24) > 8;
        struct loom_job job = loom_job_unknown();
        job.submit_s = (int64_t)clock_s;
        append(trace, job);
        clock_s += i % 4 ? 0 : (day ? 900 : 9000) * -log1p(-loom_stream_uniform(&stream));
        clock_s += i % 4 ? (double)loom_stream_below(&stream, 60) : 0;
    }
    for (size_t i = 0; i < COUNT(ways); i++) {
        const char *const settings[] = {ways[i], NULL};
        struct loom_model *model = must_fit("gamma-daily", trace, settings);
        struct loom_generate_options options = {.seed = 1, .jobs = 400000};
        struct loom_trace *generated = must_generate(model, &options);
        double log_s, model_s,
            mean_s = (double)loom_trace_jobs(generated)->submit_s[399999] / 399999;
        loom_model_interarrival(model, &log_s, &model_s);
        assert_near(log_s, (double)loom_trace_jobs(trace)->submit_s[5999] / 5999, 1e-9 * log_s);
        assert_near(mean_s, model_s, 0.05 * model_s);
        if (i < 3)
            assert_near(model_s, log_s, i == 0 ? 1e-6 * log_s : 0.04 * log_s);
        else
            assert_true(fabs(model_s / log_s - 1) > 0.1);
        loom_trace_destroy(generated);
        loom_model_destroy(model);
    }
    loom_trace_destroy(trace);
}

static void test_refusals(void **state)
{
    (void)state;
    static const char *const far[] = {"peak.shape=500"};
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    struct loom_model *model = must_set(process("type=combined"), far, 1);
    struct loom_generate_options options = {.seed = 1, .jobs = 10};
    assert_int_equal(loom_model_generate(&trace, model, &options, NULL, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "limit"));
    loom_model_destroy(model);
    int64_t nights[100];
    struct loom_gamma_daily daily;
    for (int i = 0; i < 100; i++)
        nights[i] = i * INT64_C(43200) + 60 * i % 7;
    struct loom_daily_fitting peak = {.gaps = LOOM_GAPS_PEAK, .model = "gd"}, any = {.model = "gd"};
    assert_int_equal(loom_gamma_daily_fit(&daily, nights, 100, &peak, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "peak hours"));
    assert_int_equal(loom_gamma_daily_fit(&daily, nights, 1, &any, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "more than one time of the day"));
    for (int i = 0; i < 100; i++)
        nights[i] = i / 50 * INT64_C(3600);
    assert_int_equal(loom_gamma_daily_fit(&daily, nights, 50 + 1, &any, &err), 0);
    assert_int_equal(loom_gamma_daily_fit(&daily, nights + 40, 15, &any, &err), LOOM_EDATA);
    assert_non_null(strstr(err.message, "times between jobs"));
}

/* Gaps of whole seconds, many of them too short to count: the others are cut off half a second
 * above the longest of those. Cut off at that one, shape and mean would be 5.4 and 2.6 to 2.7; over
 * the cases they vary by 0.1 and 0.02. */
static void test_short_gaps(void **state)
{
    (void)state;
    enum { N = 60000 };
    static const struct loom_gamma_daily real = {.shape = 4,
                                                 .scale = 0.6,
                                                 .arar = 1,
                                                 .limit = 12,
                                                 .cycle_shape = 8.1737,
                                                 .cycle_scale = 3.9631,
                                                 .method = LOOM_DAILY_EXPECTED_INTERARRIVAL};
    static const double least_s[] = {3, 5, 7};
    struct loom_generation generation = {.seed = 1, .rate = 1};
    struct loom_daily_clock *clock = malloc(sizeof *clock);
    int64_t *local_s = malloc(N * sizeof *local_s);
    assert_true(clock && local_s);
    assert_int_equal(loom_daily_clock_open(clock, &real, &generation, "test", NULL), 0);
    for (size_t i = 0; i < N; i++)
        local_s[i] = (int64_t)loom_daily_clock_next(clock);
    for (size_t i = 0; i < COUNT(least_s); i++) {
        struct loom_gamma_daily found = real;
        assert_int_equal(loom_daily_fit_slots(&found, local_s, N, least_s[i], NULL), 0);
        assert_near(found.shape, real.shape, 0.4);
        assert_near(found.shape * found.scale, real.shape * real.scale, 0.06);
    }
    free(local_s);
    free(clock);
}

/* Times between jobs are the log's or the paper's in one of the two ways to fit only. */
static void test_gaps_by_likelihood(void **state)
{
    (void)state;
    static const int64_t local_s[] = {0, 60, 3600};
    struct loom_daily_fitting how = {.estimators = LOOM_ESTIMATORS_LIKELIHOOD,
                                     .gaps_given = true,
                                     .model = "gamma-daily"};
    struct loom_gamma_daily daily;
    struct loom_error err = {0};
    assert_int_equal(loom_gamma_daily_fit(&daily, local_s, COUNT(local_s), &how, &err),
                     LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "gaps is for estimators=paper"));
}

static void must_not_end(const int64_t *local_s, size_t n, int estimators, const char *message)
{
    struct loom_daily_fitting how = {.method = LOOM_DAILY_EXPECTED_SLOTS,
                                     .estimators = estimators,
                                     .model = "gd"};
    struct loom_gamma_daily daily;
    struct loom_error err = {0};
    assert_int_equal(loom_gamma_daily_fit(&daily, local_s, n, &how, &err), LOOM_EDATA);
    assert_string_equal(err.message, message);
}

/* Jobs of one busy hour a day have no shapes by the expected time slots method, and jobs spread
 * evenly over the day no likeliest gamma: the refusal says so, and what to take instead, the
 * paper's estimators where they come to an end. */
static void test_endless(void **state)
{
    (void)state;
    enum { TIMES = 6000, A_DAY = 100 };
    static int64_t local_s[TIMES];
    struct loom_stream stream;
    double clock_s = 0;
    loom_stream_init(&stream, 5, 0, "days without end");
    for (int i = 0; i < TIMES; i++)
        local_s[i] = i / A_DAY * INT64_C(86400) + 10 * 3600 + i % A_DAY * 36 +
                     (int64_t)loom_stream_below(&stream, 36);
    must_not_end(local_s, TIMES, LOOM_ESTIMATORS_PAPER,
                 "gd: fitting the daily cycle with cycle=expected-slots does not come to an end on "
                 "this log; take cycle=slot-weight");
    for (int i = 0; i < TIMES; i++)
        local_s[i] = (int64_t)(clock_s += 900 * -log1p(-loom_stream_uniform(&stream)));
    must_not_end(local_s, TIMES, LOOM_ESTIMATORS_LIKELIHOOD,
                 "gd: fitting the daily cycle with cycle=expected-slots by likelihood does not "
                 "come to an end on this log; take cycle=slot-weight, or estimators=paper");
}

/* ---- the paper's estimates by hand ----------------------------------------------------------- */

static void add_time(int64_t *local_s, size_t *n, int64_t day_s, int hour, int minute, int second)
{
    local_s[(*n)++] = day_s + 3600 * hour + 60 * minute + second;
}

/*
 * Four weeks from Monday, 5 January 1970, on. Every day jobs come at 4:59 and 5:00, in slots 58 (as
 * 10 comes after midnight) and 11; at 9:00, 9:00:20 and 9:05, in slot 19; at 18:59:50 in slot 38
 * and 10 s later, when the peak is over, in slot 39. So at peak there are times of 20 s, 280 s and
 * that to 18:59:50, from Monday to Friday. Gammas have the means of what they are fitted to.
 */
static void test_paper_by_hand(void **state)
{
    (void)state;
    enum { DAYS = 28, A_DAY = 7 };
    int64_t local_s[DAYS * A_DAY];
    size_t n = 0;
    for (int day = 4; day < 4 + DAYS; day++) {
        static const int times[A_DAY][3] = {{4, 59, 0}, {5, 0, 0},    {9, 0, 0}, {9, 0, 20},
                                            {9, 5, 0},  {18, 59, 50}, {19, 0, 0}};
        for (int i = 0; i < A_DAY; i++)
            add_time(local_s, &n, 86400 * (int64_t)day, times[i][0], times[i][1], times[i][2]);
    }
    static const double gaps[A_DAY] = {60, 4 * 3600, 20, 280, 35690, 10, 35940};
    double peak = (log(20) + log(280) + log(35690)) / 3, all = 0;
    for (int i = 0; i < A_DAY; i++)
        all += log(gaps[i]) * (i < A_DAY - 1 ? DAYS : DAYS - 1);
    all /= DAYS * A_DAY - 1;
    struct loom_daily_fitting how = {.estimators = LOOM_ESTIMATORS_PAPER,
                                     .gaps = LOOM_GAPS_PEAK,
                                     .model = "test"};
    struct loom_gamma_daily found;
    assert_int_equal(loom_gamma_daily_fit(&found, local_s, n, &how, NULL), 0);
    assert_near(found.shape * found.scale, peak, 1e-9);
    assert_near(found.arar, all / peak, 1e-12);
    assert_near(found.limit, log(35940), 1e-12);
    assert_near(found.cycle_shape * found.cycle_scale, (58 + 11 + 3 * 19 + 38 + 39) / 7.0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weights),    cmocka_unit_test(test_paper_by_hand),
        cmocka_unit_test(test_day),        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_shapes),     cmocka_unit_test(test_jumps),
        cmocka_unit_test(test_mean),       cmocka_unit_test(test_rate),
        cmocka_unit_test(test_without),    cmocka_unit_test(test_phase),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_match),
        cmocka_unit_test(test_log_rate),   cmocka_unit_test(test_gaps_by_likelihood),
        cmocka_unit_test(test_short_gaps), cmocka_unit_test(test_endless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
