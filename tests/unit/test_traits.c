/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --without leaves out is gone, and what it does not name stays: measured on what every model
 * generates that was fitted to a log with all traits, for each trait that it has.
 */
#include "base/sort.h"
#include "modeling.h"
#include "stats/counts.h"

#include <workloom/resample.h>
#include <workloom/stats.h>

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INTERVAL_S = 900, INTERVALS = 1 << 13, DELTA_S = 100, JOBS = 20000 };

/* ---- a log with all traits ------------------------------------------------------------------- */

struct kind {
    double mean, sd;
    int32_t procs;
};

/* A bag of one of three kinds, the longer the larger; mostly of the kind and user of the last. */
static int64_t hand_in(struct loom_trace *trace, struct loom_job *job, int64_t clock_s,
                       struct loom_stream *stream)
{
    static const struct kind kinds[] = {{4, 0.4, 1}, {6, 0.5, 4}, {8.5, 0.4, 16}};
    if (loom_stream_below(stream, 3) == 0 || job->user < 0) {
        const struct kind *kind = &kinds[loom_stream_below(stream, COUNT(kinds))];
        double z = gsl_ran_gaussian_ziggurat(&stream->gsl, 1);
        job->user = 1 + (int32_t)loom_stream_below(stream, 12);
        job->group = job->user % 3;
        job->run_s = llrint(expm1(kind->mean + kind->sd * z));
        job->req_procs = kind->procs << loom_stream_below(stream, 2);
        job->executable = 3 * job->user + kind->procs % 3;
    }
    for (uint64_t i = 0, n = 1 + loom_stream_below(stream, 4); i < n; i++) {
        job->number++;
        job->submit_s = clock_s;
        append(trace, *job);
        clock_s += 5 + (int64_t)loom_stream_below(stream, 20);
    }
    return clock_s;
}

/* Intervals remember those before, most bags come by day, and often there are none. */
static struct loom_trace *log_with_all(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    struct loom_job job = loom_job_unknown();
    double *noise = malloc(INTERVALS * sizeof *noise);
    loom_stream_init(&stream, 8, 0, "log with all traits");
    assert_int_equal(loom_fgn(noise, INTERVALS, 0.85, &stream.gsl, NULL), 0);
    job.number = 0;
    job.status = LOOM_STATUS_COMPLETED;
    for (int64_t i = 0; i < INTERVALS; i++) {
        int64_t hour = i / 4 % 24, clock_s = i * INTERVAL_S;
        double bags = (hour >= 8 && hour < 20 ? 1.6 : 0.25) * exp(noise[i]) - 0.5;
        for (int k = 0; k < bags || (i == 0 && k == 0); k++)
            clock_s = hand_in(trace, &job, clock_s, &stream);
    }
    free(noise);
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    assert_int_equal(loom_trace_add_directive(trace, "UnixStartTime", "345600", NULL), 0);
    return trace;
}

/* ---- measures -------------------------------------------------------------------------------- */

/* By trait, in the order of their names: coefficient of variation of times between jobs, over the
 * same for a Poisson process with the same daily cycle, Hurst parameter, share of jobs in bags,
 * share of jobs like the one before beyond shuffled ones', Spearman's correlation, and distance of
 * the daily cycle from an even one. And what is no trait and stays whatever is left out: means of
 * logarithms, of the time between jobs over all, of runtimes and of sizes. */
enum { BURSTINESS, LRD, BAGS, LOCALITY, CORRELATION, CYCLE, GAP, RUN, SIZE, MEASURES };
struct measures {
    double of[MEASURES];
};

static double variation(const int64_t *submit_s, size_t jobs)
{
    double sum = 0, squares = 0, n = (double)jobs - 1;
    for (size_t i = 1; i < jobs; i++) {
        double gap_s = (double)(submit_s[i] - submit_s[i - 1]);
        sum += gap_s;
        squares += gap_s * gap_s;
    }
    return sqrt(squares / n - sum / n * sum / n) / (sum / n);
}

/* Each job on any day, at the half hour of another. */
static double burstiness(const struct loom_jobs *jobs)
{
    enum { DAY_S = 86400, SLOT_S = 1800 };
    struct loom_stream stream;
    int64_t *times_s = malloc(jobs->n * sizeof *times_s);
    uint64_t days = 1 + (uint64_t)jobs->submit_s[jobs->n - 1] / DAY_S;
    loom_stream_init(&stream, 4, 0, "Poisson process with a cycle");
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t slot = jobs->submit_s[loom_stream_below(&stream, jobs->n)] % DAY_S / SLOT_S;
        times_s[i] = (int64_t)loom_stream_below(&stream, days) * DAY_S + slot * SLOT_S +
                     (int64_t)loom_stream_below(&stream, SLOT_S);
    }
    loom_sort_int64(times_s, jobs->n);
    double poisson = variation(times_s, jobs->n);
    free(times_s);
    return variation(jobs->submit_s, jobs->n) / poisson;
}

static double hurst(const struct loom_jobs *jobs)
{
    double *counts = NULL;
    size_t n = 0;
    struct loom_hurst by_variance, by_range, by_spectrum;
    assert_int_equal(loom_counts_create(&counts, &n, jobs->submit_s, jobs->n, INTERVAL_S, NULL), 0);
    assert_int_equal(loom_hurst_aggvar(&by_variance, counts, n, NULL), 0);
    assert_int_equal(loom_hurst_rs(&by_range, counts, n, NULL), 0);
    assert_int_equal(loom_hurst_periodogram(&by_spectrum, counts, n, NULL), 0);
    double h = (by_variance.h + by_range.h + by_spectrum.h) / 3;
    loom_hurst_free(&by_variance);
    loom_hurst_free(&by_range);
    loom_hurst_free(&by_spectrum);
    free(counts);
    return h;
}

static double bagged(const struct loom_trace *trace)
{
    struct loom_bags *bags = NULL;
    assert_int_equal(loom_bags_create(&bags, trace, DELTA_S, NULL), 0);
    double jobs = 0;
    for (size_t b = 0; b < bags->count; b++)
        jobs += loom_bag_size(bags, b) > 1 ? (double)loom_bag_size(bags, b) : 0;
    loom_bags_destroy(bags);
    return jobs / (double)loom_trace_count(trace);
}

/* Jobs with about the runtime of the one before. */
static double alike(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    double n = 0;
    for (size_t i = 1; i < jobs->n; i++)
        n += fabs(log1p((double)jobs->run_s[i]) - log1p((double)jobs->run_s[i - 1])) < 0.1;
    return n / (double)jobs->n;
}

static double locality(struct loom_trace *trace)
{
    struct loom_rearrangement how = {.shuffle = LOOM_SHUFFLE_JOINT, .seed = 7};
    double whole = alike(trace);
    assert_int_equal(loom_trace_rearrange(trace, &how, NULL), 0);
    return whole - alike(trace);
}

/* Half of what the shares of the hours of the day differ from 1/24, in all. Time 0 is a midnight.
 */
static double cycle(const struct loom_jobs *jobs)
{
    double hours[24] = {0}, sum = 0;
    for (size_t i = 0; i < jobs->n; i++)
        hours[jobs->submit_s[i] / 3600 % 24] += 1 / (double)jobs->n;
    for (int hour = 0; hour < 24; hour++)
        sum += fabs(hours[hour] - 1.0 / 24) / 2;
    return sum;
}

static double mean_log_run(const struct loom_jobs *jobs)
{
    double sum = 0;
    for (size_t i = 0; i < jobs->n; i++)
        sum += log1p((double)jobs->run_s[i]);
    return sum / (double)jobs->n;
}

static double mean_log_size(const struct loom_jobs *jobs)
{
    double sum = 0;
    for (size_t i = 0; i < jobs->n; i++)
        sum += log((double)jobs->req_procs[i]);
    return sum / (double)jobs->n;
}

static struct measures measure(const struct loom_model *model, unsigned without,
                               uint64_t replication)
{
    struct loom_generate_options options = {.seed = 6,
                                            .replication = replication,
                                            .jobs = JOBS,
                                            .without = without};
    struct loom_trace *trace = must_generate(model, &options);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    bool shapes = jobs->run_s[0] >= 0;
    struct measures measures = {.of = {[BURSTINESS] = burstiness(jobs), [LRD] = hurst(jobs)}};
    measures.of[CYCLE] = cycle(jobs);
    measures.of[GAP] = log((double)jobs->submit_s[jobs->n - 1] / (double)jobs->n);
    measures.of[RUN] = shapes ? mean_log_run(jobs) : 0;
    measures.of[SIZE] = shapes ? mean_log_size(jobs) : 0;
    measures.of[BAGS] = shapes && jobs->user[0] >= 0 ? bagged(trace) : 0;
    measures.of[CORRELATION] = shapes ? correlation_of(trace) : 0;
    measures.of[LOCALITY] = shapes ? locality(trace) : 0; /* last: it shuffles */
    loom_trace_destroy(trace);
    return measures;
}

/* ---- bounds ---------------------------------------------------------------------------------- */

/* What is left of a trait, and what it was at least. Twenty thousand independent jobs have
 * deviations of 0.007 in the variation of the times between them and of 0.003 in the share of jobs
 * like the one before. Estimates of H vary by 0.03, and jobs of a large bag have one runtime and
 * size, so that correlations vary by 0.05: both are means of REPLICATIONS. */
enum { REPLICATIONS = 8 };
static const struct {
    double least, most, was;
} gone[LOOM_TRAITS] = {
    [BURSTINESS] = {0.95, 1.06, 2},
    [LRD] = {0.46, 0.54, 0.65},
    [BAGS] = {0, 0.001, 0.6},
    [LOCALITY] = {-0.01, 0.01, 0.08},
    [CORRELATION] = {-0.02, 0.02, 0.25},
    [CYCLE] = {0, 0.06, 0.25},
};

/* How far what is not named may move. Jobs that remember come more often or more rarely for long,
 * and the means of runtimes and sizes are over bags, some of them large. */
static const double near[MEASURES] = {
    [BURSTINESS] = 0.02, [LRD] = 0.05, [BAGS] = 0.02, [LOCALITY] = 0.03, [CORRELATION] = 0.02,
    [CYCLE] = 0.03,      [GAP] = 0.08, [RUN] = 0.2,   [SIZE] = 0.12,
};

/* What goes with a trait whose nature it is. Jobs of bags are those that come within Delta, and
 * without burstiness few do; bags are the locality of jobs, and shuffled jobs are in no bags; gaps
 * of more than an interval are long-range dependent, and nights without jobs are gaps. */
static const unsigned goes_with[LOOM_TRAITS] = {
    [BURSTINESS] = LOOM_BAGS,
    [LRD] = LOOM_BURSTINESS,
    [BAGS] = LOOM_LOCALITY,
    [LOCALITY] = LOOM_BAGS,
    [CYCLE] = LOOM_BURSTINESS | LOOM_LRD,
};

/* A model with the traits it must show before they are left out. */
static const struct {
    const char *name;
    const char *const params[4];
    unsigned traits;
} models[] = {
    {"mwm", {NULL}, LOOM_BURSTINESS | LOOM_LRD},
    {"mmwm", {NULL}, LOOM_BURSTINESS | LOOM_LRD},
    {"mmwm", {"variant=improved"}, LOOM_BURSTINESS | LOOM_LRD},
    {"onoff", {NULL}, LOOM_BURSTINESS | LOOM_LRD},
    {"gamma-daily", {NULL}, LOOM_BURSTINESS | LOOM_CYCLE},
    {"poisson", {"day=two-part"}, LOOM_CYCLE},
    {"minh2009", {NULL}, LOOM_LOCALITY | LOOM_CORRELATION},
    {"minh2009", {"arrivals=mmwm"}, LOOM_LOCALITY | LOOM_CORRELATION | LOOM_BURSTINESS | LOOM_LRD},
    {"minh2010", {NULL}, LOOM_BURSTINESS | LOOM_LRD | LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION},
    {"minh2012", {NULL}, LOOM_BURSTINESS | LOOM_LRD | LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION},
    {"minh2012",
     {"variant=improved"},
     LOOM_BURSTINESS | LOOM_LRD | LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION},
    {"minh2012",
     {"variant=improved", "arrivals=gamma-daily"},
     LOOM_BURSTINESS | LOOM_CYCLE | LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION},
    {"lublin2003", {NULL}, LOOM_BURSTINESS | LOOM_CYCLE | LOOM_CORRELATION},
    {"feitelson96", {NULL}, LOOM_LOCALITY | LOOM_CORRELATION},
    {"jann97", {NULL}, LOOM_BURSTINESS | LOOM_CORRELATION},
    {"downey97", {NULL}, LOOM_CORRELATION | LOOM_CYCLE},
    {"usergraph", {NULL}, LOOM_BURSTINESS | LOOM_LOCALITY | LOOM_CORRELATION | LOOM_CYCLE},
    {"uniform", {"arrivals=mmwm"}, LOOM_BURSTINESS | LOOM_LRD},
    {"bootstrap", {"arrivals=gamma-daily"}, LOOM_BURSTINESS | LOOM_CORRELATION | LOOM_CYCLE},
};

static struct loom_trace *all_traits; /* made by the group's setup */

static int make_log(void **state)
{
    (void)state;
    all_traits = log_with_all();
    return 0;
}

static int free_log(void **state)
{
    (void)state;
    loom_trace_destroy(all_traits);
    return 0;
}

/* The users of the log are never away for long, and all that is run again and again has others in
 * between. */
static struct loom_model *fitted(const char *name, const char *const *params)
{
    static const struct {
        const char *name, *settings[2];
    } changes[] = {{"onoff", {"on.alpha=1.4", "off.alpha=1.4"}},
                   {"feitelson96", {"arrivals.interarrival_s=10000", "runs.alpha=3"}}};
    struct loom_model *model = must_fit(name, all_traits, params);
    for (size_t i = 0; i < COUNT(changes); i++)
        if (strcmp(name, changes[i].name) == 0)
            model = must_set(model, changes[i].settings, COUNT(changes[i].settings));
    return model;
}

static void assert_gone(size_t model, size_t trait, double value, double was)
{
    bool is_gone = value >= gone[trait].least && value <= gone[trait].most;
    if (fabs(was) < gone[trait].was || !is_gone)
        fail_msg("%s without %s has %g, and had %g", models[model].name, loom_trait_name(trait),
                 value, was);
}

static void assert_stays(size_t model, size_t trait, size_t other, double value, double was)
{
    static const char *const means[] = {"the time between jobs", "runtime", "size"};
    const char *name = other < LOOM_TRAITS ? loom_trait_name(other) : means[other - LOOM_TRAITS];
    double scale = other == BURSTINESS ? was : other == GAP && trait == LRD ? 2.5 : 1;
    if (fabs(value - was) > near[other] * scale)
        fail_msg("%s without %s: %s is %g, and was %g", models[model].name, loom_trait_name(trait),
                 name, value, was);
}

static bool varies(size_t trait)
{
    return trait == CORRELATION || trait == LRD;
}

static double left_of(const struct loom_model *model, size_t trait, uint64_t replication)
{
    struct loom_generate_options options = {.seed = 6,
                                            .replication = replication,
                                            .jobs = JOBS,
                                            .without = 1u << trait};
    struct loom_trace *trace = must_generate(model, &options);
    double left = trait == LRD ? hurst(loom_trace_jobs(trace)) : correlation_of(trace);
    loom_trace_destroy(trace);
    return left;
}

static void what_is_named_goes_and_all_else_stays(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(models); i++) {
        struct loom_model *model = fitted(models[i].name, models[i].params);
        struct measures whole = measure(model, 0, 0);
        for (size_t trait = 0; trait < LOOM_TRAITS; trait++) {
            if (!(models[i].traits >> trait & 1))
                continue;
            struct measures left = measure(model, 1u << trait, 0);
            for (uint64_t r = 1; r < REPLICATIONS && varies(trait); r++) {
                left.of[trait] += (left_of(model, trait, r) - left.of[trait]) / (double)(r + 1);
            }
            assert_gone(i, trait, left.of[trait], whole.of[trait]);
            unsigned others = models[i].traits & ~(goes_with[trait] | 1u << trait);
            for (size_t other = 0; other < MEASURES; other++)
                if (other >= LOOM_TRAITS || others >> other & 1)
                    assert_stays(i, trait, other, left.of[other], whole.of[other]);
        }
        loom_model_destroy(model);
    }
}

/* The users of usergraph submit bags, which it cannot leave out alone: they stay, with other sizes.
 */
static void bags_keep_one_size(void **state)
{
    (void)state;
    struct loom_model *model = fitted("usergraph", NULL);
    struct measures whole = measure(model, 0, 0), left = measure(model, LOOM_CORRELATION, 0);
    assert_true(whole.of[BAGS] > 0.5);
    assert_near(left.of[BAGS], whole.of[BAGS], near[BAGS]);
    loom_model_destroy(model);
}

/* Without a cycle either, times that are not bursty are a Poisson process; and what has no memory
 * has not got any from somewhere else. */
static void nothing_is_left_of_both(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned without;
    } cases[] = {{"mmwm", LOOM_BURSTINESS | LOOM_LRD},
                 {"onoff", LOOM_BURSTINESS | LOOM_LRD},
                 {"gamma-daily", LOOM_BURSTINESS | LOOM_CYCLE},
                 {"lublin2003", LOOM_BURSTINESS | LOOM_CYCLE}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_model *model = fitted(cases[i].name, NULL);
        struct measures left = measure(model, cases[i].without, 0);
        assert_near(left.of[BURSTINESS], 1, 0.035); /* four standard errors are 0.028 */
        assert_near(left.of[LRD], 0.51, 0.045);
        assert_true(left.of[CYCLE] < 0.03);
        loom_model_destroy(model);
    }
}

/* What a model has and cannot leave out, or has not got, it says. */
static void what_cannot_go(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        unsigned without;
        const char *words;
    } cases[] = {
        {"usergraph", LOOM_LRD, "usergraph cannot do without lrd alone: it comes of how long"},
        {"usergraph", LOOM_BAGS | LOOM_CYCLE, "usergraph cannot do without bot alone: bags are"},
        {"jann97", LOOM_LOCALITY, "jann97 cannot do without locality alone: jobs of one size"},
        {"bootstrap", LOOM_BURSTINESS, "bootstrap has no burstiness that could be left out"},
        {"bootstrap", LOOM_LRD, "bootstrap has no lrd that could be left out"},
        {"bootstrap", LOOM_BAGS, "bootstrap has no bot that could be left out"},
        {"bootstrap", LOOM_LOCALITY, "bootstrap has no locality that could be left out"},
        {"bootstrap", LOOM_CYCLE, "bootstrap has no cycle that could be left out"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_model *model = fitted(cases[i].name, NULL);
        struct loom_generate_options options = {.jobs = 100, .without = cases[i].without};
        struct loom_trace *trace = NULL;
        struct loom_error err = {0};
        assert_int_equal(loom_model_generate(&trace, model, &options, NULL, &err), LOOM_EUSAGE);
        if (strncmp(err.message, cases[i].words, strlen(cases[i].words)) != 0)
            fail_msg("%s", err.message);
        loom_model_destroy(model);
    }
}

/* The table above leaves out no model and no trait. */
static void all_traits_of_all_models(void **state)
{
    (void)state;
    const struct loom_model_info *info;
    for (size_t i = 0; (info = loom_model_at(i)) != NULL; i++) {
        unsigned tried = 0;
        for (size_t k = 0; k < COUNT(models); k++)
            tried |= strcmp(models[k].name, info->name) == 0 ? models[k].traits : 0;
        if (info->traits & ~tried)
            fail_msg("%s has traits that nobody tried to leave out", info->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_named_goes_and_all_else_stays),
        cmocka_unit_test(bags_keep_one_size),
        cmocka_unit_test(nothing_is_left_of_both),
        cmocka_unit_test(what_cannot_go),
        cmocka_unit_test(all_traits_of_all_models),
    };
    return cmocka_run_group_tests(tests, make_log, free_log);
}
