/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What models share in making jobs: columns that stay together, sizes on another machine, and other
 * times for the jobs there are. */
#include "modeling.h"
#include "models/model.h"

#include <math.h>
#include <stdlib.h>

enum { JOBS = 3000, DETAILS = 31 };

/* ---- columns --------------------------------------------------------------------------------- */

/* Every column of a job holds its number, and times are in order, two jobs at a time. */
static struct loom_generation numbered(void)
{
    struct loom_generation generation = {.seed = 5};
    struct loom_draft *draft = &generation.draft;
    assert_int_equal(loom_draft_detail(draft, DETAILS, NULL), 0);
    assert_int_equal(loom_draft_resize(draft, JOBS, NULL), 0);
    for (int32_t i = 0; i < JOBS; i++) {
        draft->submit_s[i] = i / 2;
        draft->run_s[i] = draft->request_s[i] = i;
        draft->procs[i] = draft->user[i] = draft->group[i] = i;
        draft->executable[i] = draft->queue[i] = i;
    }
    return generation;
}

static void assert_whole(const struct loom_draft *draft, size_t i)
{
    assert_int_equal(draft->procs[i], draft->run_s[i]);
    assert_int_equal(draft->request_s[i], draft->run_s[i]);
    assert_int_equal(draft->user[i], draft->run_s[i]);
    assert_int_equal(draft->group[i], draft->run_s[i]);
    assert_int_equal(draft->executable[i], draft->run_s[i]);
    assert_int_equal(draft->queue[i], draft->run_s[i]);
}

/* Shuffled, a job is all of another, and times stay; each job comes once, and one in n where it
 * was. */
static void shuffled_jobs_stay_whole(void **state)
{
    (void)state;
    struct loom_generation generation = numbered();
    const struct loom_draft *draft = &generation.draft;
    loom_draft_shuffle(&generation, "test");
    size_t where_it_was = 0, first_half = 0;
    bool come[JOBS] = {false};
    for (size_t i = 0; i < JOBS; i++) {
        assert_int_equal(draft->submit_s[i], i / 2);
        assert_whole(draft, i);
        assert_false(come[draft->run_s[i]]);
        come[draft->run_s[i]] = true;
        where_it_was += draft->run_s[i] == (int64_t)i;
        first_half += i < JOBS / 2 && draft->run_s[i] < JOBS / 2;
    }
    assert_true(where_it_was < 6);                             /* Poisson, of mean 1 */
    assert_in_range(first_half, JOBS / 4 - 55, JOBS / 4 + 55); /* four times sqrt(n / 16) */
    loom_draft_free(&generation.draft);
}

/* Of three jobs, each of the six orders comes as often: chi-squared of 5 degrees of freedom is
 * above 20.5 once in a thousand times. */
static void all_orders_are_as_likely(void **state)
{
    (void)state;
    enum { SHUFFLES = 6000 };
    double counts[27] = {0}, chi2 = 0;
    for (uint64_t r = 0; r < SHUFFLES; r++) {
        struct loom_generation generation = {.seed = 1, .replication = r};
        assert_int_equal(loom_draft_resize(&generation.draft, 3, NULL), 0);
        int64_t *run_s = generation.draft.run_s;
        for (int i = 0; i < 3; i++)
            run_s[i] = i;
        loom_draft_shuffle(&generation, "test");
        counts[9 * run_s[0] + 3 * run_s[1] + run_s[2]]++;
        loom_draft_free(&generation.draft);
    }
    for (size_t i = 0; i < COUNT(counts); i++)
        chi2 += counts[i] > 0 ? pow(counts[i] - SHUFFLES / 6, 2) / (SHUFFLES / 6) : 0;
    assert_true(chi2 < 20.5);
}

/* Jobs of one time stay in the order they were made in, all of each, wherever one is late. */
static void sorted_jobs_stay_whole(void **state)
{
    (void)state;
    static const size_t late[] = {1, 2, 1023, 1024, 1025, 2048, JOBS - 1};
    for (size_t k = 0; k < COUNT(late); k++) {
        struct loom_generation generation = numbered();
        struct loom_draft *draft = &generation.draft;
        assert_true(loom_draft_in_order(draft));
        draft->submit_s[late[k]] = -1;
        assert_false(loom_draft_in_order(draft));
        assert_int_equal(loom_draft_sort(draft, NULL), 0);
        for (size_t i = 0; i < JOBS; i++) {
            size_t job = i == 0 ? late[k] : i <= late[k] ? i - 1 : i;
            assert_int_equal(draft->submit_s[i], i == 0 ? -1 : (int64_t)(job / 2));
            assert_int_equal(draft->run_s[i], job);
            assert_whole(draft, i);
        }
        loom_draft_free(draft);
    }
}

/* What is cut off does not come back. */
static void new_jobs_are_unknown(void **state)
{
    (void)state;
    static const size_t longer[] = {JOBS, 2 * JOBS, 5 * JOBS};
    for (size_t k = 0; k < COUNT(longer); k++) {
        struct loom_generation generation = numbered();
        struct loom_draft *draft = &generation.draft;
        assert_int_equal(loom_draft_resize(draft, JOBS / 2, NULL), 0);
        assert_int_equal(loom_draft_resize(draft, longer[k], NULL), 0);
        assert_int_equal(draft->n, longer[k]);
        for (size_t i = 0; i < longer[k]; i++) {
            assert_int_equal(draft->submit_s[i], i < JOBS / 2 ? i / 2 : 0);
            assert_int_equal(draft->run_s[i], i < JOBS / 2 ? (int64_t)i : -1);
            assert_whole(draft, i);
        }
        loom_draft_free(draft);
    }
}

/* ---- sizes and seconds ----------------------------------------------------------------------- */

static void sizes_are_shares_of_the_machine(void **state)
{
    (void)state;
    static const struct {
        int32_t procs, log_procs, size, wanted;
    } cases[] = {
        {64, 64, 7, 7},    {64, 64, 64, 64},     {64, 64, 65, 64}, /* as it is */
        {128, 64, 1, 1},   {16, 64, 1, 1},                         /* serial */
        {128, 64, 7, 14},  {32, 64, 7, 4},       {16, 64, 7, 2},   /* a share */
        {6, 64, 5, 1},     {100, 64, 63, 98},    {128, 64, 64, 128},
        {100, 64, 64, 64}, {100, 64, 16, 32},    {96, 64, 2, 4}, /* powers of two */
        {90, 64, 2, 2},    {48, 100, 64, 32},    {3, 64, 2, 1},
        {32, 48, 48, 32},  {200, 100, 100, 200},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_generation generation = {.procs = cases[i].procs,
                                             .log_procs = cases[i].log_procs};
        if (loom_generation_size(&generation, cases[i].size) != cases[i].wanted)
            fail_msg("%d of %d are %d of %d, not %d", cases[i].size, cases[i].log_procs,
                     loom_generation_size(&generation, cases[i].size), cases[i].procs,
                     cases[i].wanted);
    }
}

static void seconds_are_whole(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        int64_t least, wanted;
    } cases[] = {{0.4, 0, 0},
                 {0.6, 0, 1},
                 {0.4, 1, 1},
                 {1.2, 1, 1},
                 {1.7, 1, 2},
                 {-5, 0, 0},
                 {NAN, 1, 1},
                 {1e300, 0, INT64_C(1) << 53},
                 {100.5, 0, 100},
                 {101.5, 0, 102},
                 {INFINITY, 1, INT64_C(1) << 53}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(loom_whole_seconds(cases[i].seconds, cases[i].least), cases[i].wanted);
}

/* ---- traces ---------------------------------------------------------------------------------- */

/* What a model says nothing of is unknown. */
static void what_no_model_makes_is_unknown(void **state)
{
    (void)state;
    struct loom_model *model = must_publish("uniform", NULL);
    struct loom_generate_options options = {.jobs = 50};
    struct loom_trace *trace = must_generate(model, &options);
    for (size_t i = 0; i < 50; i++) {
        struct loom_job job = loom_trace_job(trace, i);
        assert_int_equal(job.number, i + 1);
        assert_int_equal(job.alloc_procs, job.req_procs);
        assert_int_equal(job.status, LOOM_STATUS_COMPLETED);
        assert_true(job.cpu_s == -1 && job.used_mem_kib == -1 && job.req_mem_kib == -1);
        assert_true(job.wait_s == -1 && job.request_s == -1 && job.user == -1);
        assert_true(job.group == -1 && job.executable == -1 && job.queue == -1);
        assert_true(job.partition == -1 && job.preceding == -1 && job.think_s == -1);
    }
    loom_trace_destroy(trace);
    loom_model_destroy(model);
}

/* ---- other times ----------------------------------------------------------------------------- */

/* As many jobs as the state says, the last of them first. */
static int count_down(const void *state, struct loom_generation *generation, struct loom_error *err)
{
    size_t n = *(const size_t *)state;
    int rc = loom_draft_resize(&generation->draft, n, err);
    for (size_t i = 0; i < n && !rc; i++)
        generation->draft.submit_s[i] = (int64_t)(1000 + n - 1 - i);
    return rc;
}

/* Where there are more times than jobs, some of them, in order and with nothing between favoured;
 * where there are fewer, only so many jobs are left. Jobs are the same in all else. */
static void jobs_take_other_times(void **state)
{
    (void)state;
    static const struct loom_model_ops ops = {.generate = count_down};
    size_t times[] = {JOBS, 2 * JOBS, JOBS / 3, 0};
    for (size_t k = 0; k < COUNT(times); k++) {
        struct loom_generation generation = numbered();
        const struct loom_draft *draft = &generation.draft;
        size_t left = times[k] < JOBS ? times[k] : JOBS, early = 0;
        assert_int_equal(loom_part_retime(&(struct loom_part){&ops, &times[k]}, &generation, NULL),
                         0);
        assert_int_equal(draft->n, left);
        for (size_t i = 0; i < left; i++) {
            assert_int_equal(draft->run_s[i], i);
            assert_whole(draft, i);
            assert_in_range(draft->submit_s[i], 1000, 1000 + times[k] - 1);
            assert_true(i == 0 || draft->submit_s[i] > draft->submit_s[i - 1]);
            early += draft->submit_s[i] < 1000 + (int64_t)times[k] / 2;
        }
        assert_in_range(early, left / 2 - left / 30, left / 2 + left / 30);
        loom_draft_free(&generation.draft);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shuffled_jobs_stay_whole),
        cmocka_unit_test(all_orders_are_as_likely),
        cmocka_unit_test(sorted_jobs_stay_whole),
        cmocka_unit_test(new_jobs_are_unknown),
        cmocka_unit_test(sizes_are_shares_of_the_machine),
        cmocka_unit_test(seconds_are_whole),
        cmocka_unit_test(what_no_model_makes_is_unknown),
        cmocka_unit_test(jobs_take_other_times),
    };
    return cmocka_run_group_tests_name("draft", tests, NULL, NULL);
}
