/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Observed service, worked by hand. On 4 processors:
 *
 *     job  submit  wait  run  procs  user  start..end  response  bounded slowdown
 *     A         0     0  100      2     1    0..100        100     1
 *     B        10    90  100      4     2  100..200        190     1.9
 *     C        50   150   10      1     1  200..210        160    16
 *
 * The first end, 100, is behind the last submission: the window goes by submissions, 0..50. In it 2
 * of 4 processors are in use, and B waits for 40 of the 50 seconds.
 */
#include "support.h"

#include "features/compare.h"
#include "features/observed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void expect(double value, double wanted)
{
    assert_true(fabs(value - wanted) < 1e-12 * fmax(1, fabs(wanted)));
}

static void add(struct loom_trace *trace, int64_t submit_s, int64_t wait_s, int64_t run_s,
                int32_t procs, int32_t user)
{
    struct loom_job job = loom_job_unknown();
    job.submit_s = submit_s;
    job.wait_s = wait_s;
    job.run_s = run_s;
    job.alloc_procs = procs;
    job.user = user;
    assert_int_equal(loom_trace_append(trace, &job, NULL), 0);
}

static struct loom_trace *three_jobs(void)
{
    struct loom_trace *trace = empty_trace();
    add(trace, 0, 0, 100, 2, 1);
    add(trace, 10, 90, 100, 4, 2);
    add(trace, 50, 150, 10, 1, 1);
    return trace;
}

static void test_by_hand(void **state)
{
    struct loom_trace *trace = three_jobs();
    struct loom_observed observed;
    (void)state;
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "4", NULL), 0);
    assert_int_equal(loom_observed_measure(&observed, trace, NULL), 0);
    assert_int_equal(observed.window.from_s, 0);
    assert_int_equal(observed.window.to_s, 50);
    assert_int_equal(observed.jobs, 3);
    expect(observed.work_s, 610);
    expect(observed.wait_s.mean, 80);
    expect(observed.wait_s.median, 90);
    expect(observed.wait_s.p90, 138);
    expect(observed.wait_s.max, 150);
    expect(observed.response_s.mean, 150);
    expect(observed.bounded_slowdown.mean, 6.3);
    expect(observed.utilization, 0.5);
    expect(observed.queue_mean, 0.8);
    assert_int_equal(observed.queue_max, 1);
    loom_trace_destroy(trace);
}

static struct loom_observed_classes *classes_of(const struct loom_trace *trace,
                                                enum loom_observed_by by)
{
    struct loom_observed observed;
    struct loom_observed_classes *classes = NULL;
    struct loom_zone *zone = NULL;
    assert_int_equal(loom_observed_measure(&observed, trace, NULL), 0);
    assert_int_equal(loom_zone_create(&zone, trace, NULL, NULL), 0);
    assert_int_equal(loom_observed_classes(&classes, trace, &observed.window, zone, by, NULL), 0);
    loom_zone_destroy(zone);
    return classes;
}

/* Users by their work; sizes and runtimes ascend. */
static void test_classes(void **state)
{
    struct loom_trace *trace = three_jobs();
    char text[40];
    (void)state;
    struct loom_observed_classes *users = classes_of(trace, LOOM_BY_USER);
    assert_int_equal(users->count, 2);
    assert_int_equal(users->classes[0].key, 2);
    expect(users->classes[0].work_share, 400.0 / 610);
    expect(users->classes[0].jobs_share, 1.0 / 3);
    expect(users->classes[0].wait_s.mean, 90);
    expect(users->classes[1].wait_s.mean, 75);
    expect(users->classes[1].response_mean_s, 130);
    expect(users->classes[1].bounded_slowdown_mean, 8.5);
    free(users);
    struct loom_observed_classes *sizes = classes_of(trace, LOOM_BY_SIZE);
    assert_int_equal(sizes->count, 3);
    assert_string_equal(loom_observed_class_text(sizes, 2, trace, text, sizeof text), "3-4");
    free(sizes);
    struct loom_observed_classes *runtimes = classes_of(trace, LOOM_BY_RUNTIME);
    assert_int_equal(runtimes->count, 2);
    assert_string_equal(loom_observed_class_text(runtimes, 0, trace, text, sizeof text),
                        "up to 10 s");
    assert_int_equal(runtimes->classes[1].jobs, 2);
    free(runtimes);
    struct loom_observed_classes *groups = classes_of(trace, LOOM_BY_GROUP);
    assert_int_equal(groups->count, 1);
    assert_string_equal(loom_observed_class_text(groups, 0, trace, text, sizeof text), "unknown");
    free(groups);
    loom_trace_destroy(trace);
}

/* Steps of a minute: one, of 50 s. */
static void test_series(void **state)
{
    struct loom_trace *trace = three_jobs();
    struct loom_observed_series *series = NULL;
    const struct loom_trace_window all = {.from_s = 0, .to_s = 210};
    (void)state;
    assert_int_equal(loom_observed_series(&series, trace, &all, NULL), 0);
    assert_int_equal(series->step_s, 60);
    assert_int_equal(series->count, 4);
    expect(series->steps[0].procs, 2);
    expect(series->steps[1].procs, (40 * 2 + 20 * 4) / 60.0);
    expect(series->steps[3].procs, (20 * 4 + 10 * 1) / 30.0);
    expect(series->steps[0].queue_mean, (50 + 10) / 60.0);
    assert_int_equal(series->steps[0].queue_max, 2);
    assert_int_equal(series->steps[1].queue_max, 2);
    expect(series->steps[3].queue_mean, 20 / 30.0);
    free(series);
    loom_trace_destroy(trace);
}

static void test_without_waits(void **state)
{
    struct loom_trace *trace = empty_trace();
    struct loom_features *features = NULL;
    struct loom_observed observed;
    (void)state;
    assert_int_equal(loom_observed_measure(&observed, trace, NULL), 0);
    assert_true(isnan(observed.utilization) && isnan(observed.wait_s.mean));
    for (int i = 0; i < 20; i++)
        add(trace, i * 100, -1, 50, 1, 1);
    assert_int_equal(loom_observed_measure(&observed, trace, NULL), 0);
    assert_true(isnan(observed.utilization) && isnan(observed.queue_mean));
    assert_int_equal(observed.jobs, 20);
    assert_int_equal(loom_features_create(&features, trace, NULL, NULL, NULL), 0);
    const struct loom_feature *wait = loom_features_find(features, "service.wait.mean_s");
    assert_false(wait->known);
    assert_string_equal(wait->reason, "no job has a recorded wait");
    assert_true(loom_features_find(features, "window.to_s")->value == 1900);
    loom_features_destroy(features);
    loom_trace_destroy(trace);
}

static void test_not_scored(void **state)
{
    const struct loom_feature_info *info;
    size_t found = 0;
    (void)state;
    for (size_t i = 0; (info = loom_feature_info_at(i)); i++)
        if (strncmp(info->key, "service.", 8) == 0 || strncmp(info->key, "window.", 7) == 0) {
            assert_true(loom_part_of_feature(info->key) < 0);
            found++;
        }
    assert_int_equal(found, 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),    cmocka_unit_test(test_classes),
        cmocka_unit_test(test_series),     cmocka_unit_test(test_without_waits),
        cmocka_unit_test(test_not_scored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
