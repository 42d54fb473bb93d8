/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The weekly predictor of correlation, by hand. */
#include "modeling.h"

#include <workloom/features.h>

/* Ten jobs a week; in weeks of '+' runtimes rise with size, in weeks of '-' they fall, and weeks of
 * ' ' have no jobs. */
static struct loom_trace *weeks(const char *signs)
{
    struct loom_trace *trace = empty_trace();
    for (int64_t week = 0; signs[week]; week++)
        for (int i = 0; i < 10 && signs[week] != ' '; i++) {
            struct loom_job job = loom_job_unknown();
            job.submit_s = week * 7 * 86400 + 3600 * i;
            job.req_procs = 1 + i;
            job.run_s = signs[week] == '+' ? 100 + i : 100 - i;
            append(trace, job);
        }
    return trace;
}

/* A week is predicted where it and both before it have jobs; the mean of + and - is 0, which is not
 * positive. */
static void signs_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *signs;
        double weeks, predicted;
    } cases[] = {
        {"++++", 2, 1},     /* the third and fourth */
        {"+++--+", 4, 0.5}, /* right, wrong, right (0 before -), wrong */
        {"---+++", 4, 0.5}, /* right, wrong, wrong (0 before +), right */
        {"+++ +++", 2, 1},  /* the gap takes two predictions with it */
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_trace *trace = weeks(cases[i].signs);
        struct loom_features *features = NULL;
        struct loom_error err = {0};
        assert_int_equal(loom_features_create(&features, trace, NULL, NULL, &err), 0);
        assert_near(loom_features_find(features, "corr.week.weeks")->value, cases[i].weeks, 0);
        assert_near(loom_features_find(features, "corr.week.predicted")->value, cases[i].predicted,
                    1e-12);
        loom_features_destroy(features);
        loom_trace_destroy(trace);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(signs_by_hand)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
