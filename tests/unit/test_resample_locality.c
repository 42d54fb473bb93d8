/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Resampled users with the locality of sessions. */
#include "resampled.h"

/* ---- locality -------------------------------------------------------------------------------- */

/* Within each window, the jobs of a user follow each other, and so do jobs of one size, estimate
 * and runtime (which differs by more than a tenth where it differs). */
static void check_together(const struct loom_jobs *jobs, int64_t begin_s, int64_t window_s)
{
    for (size_t i = 0; i < jobs->n; i++) {
        bool same_user = true, alike = true;
        for (size_t k = i + 1; k < jobs->n && (jobs->submit_s[k] - begin_s) / window_s ==
                                                  (jobs->submit_s[i] - begin_s) / window_s;
             k++) {
            bool user = jobs->user[k] == jobs->user[i];
            bool job = user && jobs->req_procs[k] == jobs->req_procs[i] &&
                       jobs->run_s[k] == jobs->run_s[i];
            assert_true(same_user || !user);
            assert_true(alike || !job);
            same_user = same_user && user;
            alike = alike && job;
        }
    }
}

/* The arrivals stay as they are, and so do the jobs of every week. */
static void test_locality(void **state)
{
    (void)state;
    struct loom_trace *log = random_log(6, 64, 1);
    struct loom_resample_rule rule = loom_resample_rule();
    struct loom_resampled *plain = resample(log, &rule, 2);
    const struct loom_jobs *old = loom_trace_jobs(plain->trace);
    int64_t begin_s = loom_trace_jobs(log)->submit_s[0];
    static const double degrees[] = {-1, -0.5, 0.5, 1};
    for (size_t d = 0; d < COUNT(degrees); d++) {
        rule.locality = degrees[d];
        struct loom_resampled *made = resample(log, &rule, 2);
        const struct loom_jobs *jobs = loom_trace_jobs(made->trace);
        assert_int_equal(jobs->n, old->n);
        size_t same = 0, low = 0;
        for (size_t i = 0; i < jobs->n; i++) {
            assert_int_equal(jobs->submit_s[i], old->submit_s[i]);
            same += row_of(jobs, i) == row_of(old, i) && jobs->user[i] == old->user[i];
            if (i + 1 < jobs->n &&
                (jobs->submit_s[i + 1] - begin_s) / WEEK == (jobs->submit_s[i] - begin_s) / WEEK)
                continue;
            double sum = 0, sum_old = 0; /* of the week that ends here */
            for (; low <= i; low++) {
                sum += (double)row_of(jobs, low) * jobs->user[low];
                sum_old += (double)row_of(old, low) * old->user[low];
            }
            assert_true(sum == sum_old);
        }
        if (degrees[d] < 0)
            assert_true(degrees[d] > -1 ? same > jobs->n / 3 : same < jobs->n / 3);
        else
            check_together(jobs, begin_s, (int64_t)(degrees[d] * WEEK));
        loom_resampled_destroy(made);
    }
    loom_resampled_destroy(plain);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_locality),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
