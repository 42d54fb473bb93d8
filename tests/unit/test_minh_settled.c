/* SPDX-License-Identifier: GPL-3.0-or-later */
/* minh2010 and minh2012 with bags=settled: what they are made of is found in what they make. */
#include "minh_log.h"
#include "models/minh/minh.h"
#include "models/room.h"

#include <string.h>
#include <workloom/users.h>

static const char *const names[] = {"minh2010", "minh2012"};
static const char *const counted[] = {"arrivals=poisson", "delta=200", "bags=counted", NULL};
static const char *const settled[] = {"arrivals=poisson", "delta=200", "bags=settled", NULL};

static double single_of(const struct loom_model *model, int kind)
{
    char path[40];
    snprintf(path, sizeof path, "runtimes.%d.single", kind);
    return number_in(model, path);
}

static double weight_of(const struct loom_model *model, int kind)
{
    char path[40];
    snprintf(path, sizeof path, "runtimes.%d.weight", kind);
    return number_in(model, path);
}

/* pjob_k or pbot_k. */
static double share_of(const struct loom_model *model, int kind, bool single)
{
    double own = 0, all = 0;
    for (int k = 0; k < 3; k++) {
        double share =
            weight_of(model, k) * (single ? single_of(model, k) : 1 - single_of(model, k));
        all += share;
        own += k == kind ? share : 0;
    }
    return own / all;
}

/* Of arrivals 200 s apart, 0.63 follow within 200 s, so that most bags of alpha = 1.8 are cut, many
 * of them to single jobs, which are a third of those outside of bags. Few single jobs are of the
 * first kind. */
static const char *const truth[] = {"bags.delta_s=200", "bags.alpha=1.8",
                                    "arrivals.interarrival_s=200", "runtimes.0.single=0.02"};

/* To three deviations of a fit, 0.01 over five workloads. As counted it is 2.5. */
static void alpha_comes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_model *model = model_with(names[i], counted, truth, COUNT(truth));
        struct loom_trace *trace = must_generate(model, &many);
        struct loom_model *back = must_fit(names[i], trace, settled);
        struct loom_model *printed = must_fit(names[i], trace, counted);
        assert_near(number_in(back, "bags.alpha"), 1.8, 0.03);
        assert_true(number_in(printed, "bags.alpha") > 2.3);
        loom_model_destroy(printed);
        loom_model_destroy(back);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
}

/* To three deviations, 0.005 over five workloads. As counted, bags that were cut make the first
 * kind twice as frequent among single jobs. */
static void shares_come_back(void **state)
{
    (void)state;
    struct loom_model *model = model_with("minh2012", counted, truth, COUNT(truth));
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_model *back = must_fit("minh2012", trace, settled);
    struct loom_model *printed = must_fit("minh2012", trace, counted);
    for (int k = 0; k < 3; k++) {
        assert_near(share_of(back, k, true), share_of(model, k, true), 0.015);
        assert_near(share_of(back, k, false), share_of(model, k, false), 0.015);
    }
    assert_true(share_of(printed, 0, true) > 2 * share_of(model, 0, true));
    loom_model_destroy(printed);
    loom_model_destroy(back);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* minh2010 has single jobs of all kinds alike. */
static void one_share_for_all_kinds(void **state)
{
    (void)state;
    struct loom_model *model = model_with("minh2010", settled, NULL, 0);
    assert_true(single_of(model, 0) > 0);
    for (int k = 1; k < 3; k++)
        assert_near(single_of(model, k), single_of(model, 0), 0);
    loom_model_destroy(model);
}

/* The share of jobs in bags of two and more, which is what `analyze` finds. */
static double bagged_share(const struct loom_trace *trace, int64_t delta_s)
{
    struct loom_bags *bags = NULL;
    assert_int_equal(loom_bags_create(&bags, trace, delta_s, NULL), 0);
    size_t alone = 0;
    for (size_t b = 0; b < bags->count; b++)
        alone += loom_bag_size(bags, b) == 1;
    double share = 1 - (double)alone / (double)bags->n_jobs;
    loom_bags_destroy(bags);
    return share;
}

/* The arrivals of the log differ from the models', and yet as many jobs are in bags; with Delta
 * = 1000 s, enough of them come soon. A workload varies by 0.0015. */
static void as_many_jobs_in_bags(void **state)
{
    (void)state;
    static const char *const both[][4] = {{"arrivals=poisson", "delta=1000", "bags=settled"},
                                          {"arrivals=mmwm", "delta=1000", "bags=settled"}};
    struct loom_trace *log = make_log();
    double wanted = bagged_share(log, 1000);
    for (size_t i = 0; i < COUNT(both); i++) {
        struct loom_model *model = must_fit("minh2012", log, both[i]);
        struct loom_trace *trace = must_generate(model, &many);
        assert_near(bagged_share(trace, 1000), wanted, 0.01);
        assert_near(loom_model_bags_kept(model).model, wanted, 1e-3);
        loom_trace_destroy(trace);
        loom_model_destroy(model);
    }
    loom_trace_destroy(log);
}

/* Counted bags are not to be kept, and documents do not say. A workload varies by 0.0015. */
static void fits_tell_of_missing_bags(void **state)
{
    (void)state;
    static const char *const full[] = {"arrivals=poisson", "delta=20", "bags=settled", NULL};
    struct loom_trace *log = make_log();
    struct loom_model *model = must_fit("minh2012", log, full);
    struct loom_model *printed = must_fit("minh2012", log, counted);
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_bags_kept kept = loom_model_bags_kept(model);
    assert_near(kept.log, bagged_share(log, 20), 1e-9);
    assert_near(kept.model, bagged_share(trace, 20), 0.005);
    assert_true(kept.model < 0.5 * kept.log);
    assert_true(isnan(loom_model_bags_kept(printed).log));
    loom_trace_destroy(trace);
    loom_model_destroy(printed);
    loom_model_destroy(model);
    loom_trace_destroy(log);
}

/* One job alone, then two 20 s apart, in turn, of fifty people: 3000 jobs in 2000 bags. */
static struct loom_trace *log_of_pairs(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "pairs");
    struct loom_job job = {0};
    for (int i = 0; i < 3000; i++) {
        if (i % 3 < 2)
            job = job_of_kind(&stream, loom_stream_below(&stream, 3));
        job.number = i + 1;
        job.user = job.group = i / 3 % 50;
        job.submit_s = i / 3 * 250 + (i % 3 == 0 ? 0 : 100 + 20 * (i % 3));
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

static int64_t cards(const char *const *params, const struct loom_trace *log, double *made)
{
    struct loom_model *model = must_fit("minh2012", log, params);
    const struct loom_minh_people *people = &((const struct loom_minh *)model->state)->people;
    struct loom_trace *trace = must_generate(model, &many);
    struct loom_bags *bags = NULL;
    int64_t all = 0;
    for (size_t i = 0; i < people->n; i++)
        all += people->bags[i];
    assert_int_equal(loom_bags_create(&bags, trace, 100, NULL), 0);
    *made = (double)bags->count / (double)bags->n_jobs;
    loom_bags_destroy(bags);
    loom_trace_destroy(trace);
    loom_model_destroy(model);
    return all;
}

/* As many jobs in bags of other sizes than two are in fewer bags: so there are fewer cards. Where
 * more bags are made, as arrivals 20 s apart are too few for the log's bags, none are added. The 40
 * bags of each of the people are rounded, by at most half a bag, and a workload has an error of one
 * in a hundred. */
static void as_many_cards_as_bags(void **state)
{
    (void)state;
    static const char *const plain[] = {"arrivals=poisson", "delta=100", "bags=counted", NULL};
    static const char *const fewer[] = {"arrivals=poisson", "delta=100", "bags=settled", NULL};
    static const char *const more[] = {"arrivals=poisson", "delta=20", "bags=settled", NULL};
    double made;
    struct loom_trace *log = log_of_pairs();
    assert_int_equal(cards(plain, log, &made), 2000);
    assert_int_equal(cards(more, log, &made), 2000);
    double found = (double)cards(fewer, log, &made);
    assert_near(found, made * 3000, 40);
    assert_true(made * 3000 < 1800);
    loom_trace_destroy(log);
}

/* A log without bags, and one whose bags have no room among arrivals 20 s apart at most. */
static void limits(void **state)
{
    (void)state;
    static const char *const none[] = {"arrivals=poisson", "delta=0", "bags=settled", NULL};
    static const char *const full[] = {"arrivals=poisson", "delta=20", "bags=settled", NULL};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct loom_model *without = model_with(names[i], none, NULL, 0);
        assert_true(number_in(without, "bags.alpha") > 10);
        struct loom_model *with = model_with(names[i], full, NULL, 0);
        assert_near(number_in(with, "bags.alpha"), 1.001, 1e-6);
        loom_model_destroy(with);
        loom_model_destroy(without);
    }
}

/* Settled bags have arrivals that come back, by mmwm's improved variant; counted ones have the
 * thesis' arrivals. */
static void arrivals(void **state)
{
    (void)state;
    static const struct {
        const char *settings[2];
        double base;
    } cases[] = {{{"bags=counted"}, 0}, {{"bags=settled"}, 1}};
    for (size_t i = 0; i < COUNT(names); i++)
        for (size_t k = 0; k < COUNT(cases); k++) {
            struct loom_model *model = model_with(names[i], cases[k].settings, NULL, 0);
            assert_near(number_in(model, "arrivals.zeros.base"), cases[k].base, 0);
            loom_model_destroy(model);
        }
}

static void improved_has_its_own_way(void **state)
{
    (void)state;
    const struct loom_model_info *info = NULL;
    struct loom_params *params = NULL;
    struct loom_model *model = NULL;
    struct loom_error err = {0};
    struct loom_trace *log = make_log();
    assert_int_equal(loom_model_parse(&info, &params, "minh2012:variant=improved,bags=settled",
                                      &err),
                     0);
    assert_int_equal(loom_model_fit(&model, info->name, log, params, NULL, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "bags is for variant=printed"));
    loom_params_destroy(params);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alpha_comes_back),          cmocka_unit_test(shares_come_back),
        cmocka_unit_test(one_share_for_all_kinds),   cmocka_unit_test(as_many_jobs_in_bags),
        cmocka_unit_test(as_many_cards_as_bags),     cmocka_unit_test(limits),
        cmocka_unit_test(fits_tell_of_missing_bags), cmocka_unit_test(arrivals),
        cmocka_unit_test(improved_has_its_own_way),
    };
    return cmocka_run_group_tests_name("minh_settled", tests, NULL, NULL);
}
