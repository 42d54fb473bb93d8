/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queues of bags: those that people of the log gave to jobs of that kind, as often as they did, and
 * all else as without queues.
 */
#include "minh_log.h"
#include "models/minh/minh.h"

#include <stdlib.h>
#include <string.h>

enum { QUEUES = 3 };

/* The first users have a queue for each kind, the others one for all of theirs; of user 10 every
 * other bag is in another, and of user 9 none is known. */
static int32_t queue_of(const struct loom_job *job, size_t bag)
{
    if (job->user == 9)
        return -1;
    if (job->user == 10)
        return (int32_t)(bag % 2);
    return job->user < 5 ? (int32_t)kind_of(job->run_s) : 2;
}

static struct loom_trace *log_with_queues(void)
{
    struct loom_trace *plain = make_log(), *trace = empty_trace();
    size_t bag = 0;
    int64_t before_s = 0;
    for (size_t i = 0; i < loom_trace_count(plain); i++) {
        struct loom_job job = loom_trace_job(plain, i);
        bag += job.submit_s - before_s > 20;
        before_s = job.submit_s;
        job.queue = queue_of(&job, bag);
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    loom_trace_destroy(plain);
    return trace;
}

/* The share of queue 1 among bags of user 10: jobs of the log that come next to no other. */
static double share_of_log(const struct loom_trace *log)
{
    const struct loom_jobs *jobs = loom_trace_jobs(log);
    double bags[2] = {0};
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->user[i] == 10 && (i == 0 || jobs->submit_s[i] - jobs->submit_s[i - 1] > 20))
            bags[jobs->queue[i]]++;
    return bags[1] / (bags[0] + bags[1]);
}

static void queues_go_by_user_and_kind(void **state)
{
    (void)state;
    static const char *const *const variants[] = {counted_bags, improved};
    for (size_t v = 0; v < COUNT(variants); v++) {
        struct loom_trace *log = log_with_queues();
        struct loom_model *model = must_fit("minh2012", log, variants[v]);
        struct loom_trace *generated = must_generate(model, &many);
        const struct loom_jobs *jobs = loom_trace_jobs(generated);
        double split[2] = {0}, wrong = 0;
        for (size_t i = 0; i < jobs->n; i++) {
            struct loom_job job = loom_trace_job(generated, i);
            if (job.user == 10)
                split[job.queue == 1]++;
            else
                wrong += job.queue != queue_of(&job, 0);
        }
        assert_true(wrong < 1e-3 * (double)jobs->n); /* kinds are far apart, and no further */
        /* A draw for each bag: as if of 5 jobs each, by their squares; three standard errors. */
        double n = split[0] + split[1], error = 3 * sqrt(0.25 / (n / 5));
        assert_true(fabs(split[1] / n - share_of_log(log)) < error && error < 0.05);
        loom_trace_destroy(generated);
        loom_model_destroy(model);
        loom_trace_destroy(log);
    }
}

/* All other columns are what they are without. */
static void the_rest_is_the_same(void **state)
{
    (void)state;
    struct loom_trace *log = log_with_queues(), *plain = make_log();
    struct loom_model *with = must_fit("minh2010", log, counted_bags);
    struct loom_model *without = must_fit("minh2010", plain, counted_bags);
    const struct loom_generate_options few = {.seed = 4, .jobs = 3000};
    struct loom_trace *one = must_generate(with, &few), *other = must_generate(without, &few);
    for (size_t i = 0; i < 3000; i++) {
        struct loom_job a = loom_trace_job(one, i), b = loom_trace_job(other, i);
        assert_true(a.queue >= (a.user == 9 ? -1 : 0) && a.queue < QUEUES);
        assert_int_equal(b.queue, -1);
        a.queue = -1;
        assert_int_equal(a.submit_s, b.submit_s);
        assert_int_equal(a.run_s, b.run_s);
        assert_int_equal(a.req_procs, b.req_procs);
        assert_int_equal(a.user, b.user);
        assert_int_equal(a.group, b.group);
        assert_int_equal(a.executable, b.executable);
    }
    loom_trace_destroy(one);
    loom_trace_destroy(other);
    loom_model_destroy(with);
    loom_model_destroy(without);
    loom_trace_destroy(log);
    loom_trace_destroy(plain);
}

/* ---- by hand --------------------------------------------------------------------------------- */

/* Person 0 gave queues 1 and 2 to bags of the first kind, three times and once, and queue 3 to one
 * of the last; person 1 gave none; person 2 gave an unknown one and, twice, queue 5 to the second;
 * person 3 gave queue 6 to the first. */
enum { PEOPLE = 4, KINDS = 3, ROWS = 6, DRAWS = 20000, LAST = 6 };
static int32_t row_person[ROWS] = {0, 0, 0, 2, 2, 3}, row_kind[ROWS] = {1, 1, 3, 2, 2, 1},
               row_queue[ROWS] = {1, 2, 3, -1, 5, 6};
static int64_t row_bags[ROWS] = {3, 1, 1, 1, 2, 1};

/* Of a kind that a person gave no queue to, queues come as often as in all of that person's bags,
 * and never from another's; where there are none at all, the queue is unknown. */
static void queues_by_hand(void **state)
{
    (void)state;
    static const struct {
        size_t person, kind;
        double shares[LAST + 2]; /* from queue -1 on */
    } cases[] = {
        {0, 0, {[2] = 0.75, [3] = 0.25}},
        {0, 1, {[2] = 0.6, [3] = 0.2, [4] = 0.2}},
        {0, 2, {[4] = 1}},
        {1, 0, {[0] = 1}},
        {1, 2, {[0] = 1}},
        {2, 0, {[0] = 1.0 / 3, [6] = 2.0 / 3}},
        {2, 1, {[0] = 1.0 / 3, [6] = 2.0 / 3}},
        {2, 2, {[0] = 1.0 / 3, [6] = 2.0 / 3}},
        {3, 0, {[7] = 1}},
        {3, 2, {[7] = 1}},
    };
    struct loom_minh minh = {
        .shapes = {.n_kinds = KINDS},
        .people = {.n = PEOPLE},
        .queues = {ROWS, row_person, row_kind, row_queue, row_bags},
    };
    struct loom_minh_queue_sampler queues;
    assert_int_equal(loom_minh_queue_sampler_create(&queues, &minh,
                                                    &(struct loom_generation){.seed = 3}, NULL),
                     0);
    for (size_t k = 0; k < COUNT(cases); k++) {
        double counts[LAST + 2] = {0};
        for (size_t i = 0; i < DRAWS; i++)
            counts[loom_minh_draw_queue(&queues, cases[k].person, cases[k].kind) + 1]++;
        for (size_t q = 0; q < COUNT(counts); q++) {
            double p = cases[k].shares[q];
            assert_near(counts[q] / DRAWS, p, 4 * sqrt(p * (1 - p) / DRAWS));
        }
    }
    loom_minh_queue_sampler_free(&queues);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queues_go_by_user_and_kind),
        cmocka_unit_test(the_rest_is_the_same),
        cmocka_unit_test(queues_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
