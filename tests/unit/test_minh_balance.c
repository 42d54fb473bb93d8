/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of sizes of the improved minh2012, balanced: sizes and work are the log's. */
#include "base/draw.h"
#include "minh_log.h"
#include "models/minh/minh.h"
#include "models/room.h"

#include <string.h>
#include <workloom/users.h>

enum { SKEWED_JOBS = 6000, LIMIT_S = 80000 };

/* Long runtimes lie between 8,000 s and a limit, where many of them end, as no mixture of normals
 * has it; and the longer ones are small, while single jobs are three times as large. Every second
 * time, three jobs of equal size come 20 s apart. */
static struct loom_job skewed_job(struct loom_stream *stream, bool alone)
{
    struct loom_job job = job_of_kind(stream, 1);
    if (loom_stream_below(stream, 3) == 0) {
        double u = loom_draw_uniform(stream);
        job.run_s = u < 0.4 ? LIMIT_S : 8000 + (int64_t)((LIMIT_S - 8000) * (u - 0.4) / 0.6);
        double share = 0.9 - 0.8 * (double)job.run_s / LIMIT_S;
        job.req_procs = loom_draw_uniform(stream) < share ? 16 : 2;
    }
    job.req_procs *= alone ? 3 : 1;
    return job;
}

static struct loom_trace *skewed_log(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 7, 0, "skewed log");
    int64_t clock_s = 0;
    for (int made = 0; made < SKEWED_JOBS;) {
        bool alone = loom_stream_below(&stream, 2) == 0;
        struct loom_job job = skewed_job(&stream, alone);
        clock_s += 101 + (int64_t)loom_stream_below(&stream, 2000);
        for (int i = 0; i < (alone ? 1 : 3) && made < SKEWED_JOBS; i++, made++) {
            job.number = made + 1;
            job.submit_s = clock_s + 20 * i;
            append(trace, job);
        }
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

static struct loom_trace *log_of_all;
static struct loom_model *model;

static int fit_all(void **state)
{
    (void)state;
    log_of_all = skewed_log();
    model = must_fit("minh2012", log_of_all, improved);
    return 0;
}

static int free_all(void **state)
{
    (void)state;
    loom_model_destroy(model);
    loom_trace_destroy(log_of_all);
    return 0;
}

/* Jobs outside of bags, or inside: how many, how many of each size, and sums. */
struct place {
    double n, of_size[LOG_PROCS + 1], procs, procs_squared, work, work_squared;
};

static void measure(struct place places[2], const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct loom_bags *bags = NULL;
    assert_int_equal(loom_bags_create(&bags, trace, 100, NULL), 0);
    for (size_t b = 0; b < bags->count; b++)
        for (size_t i = bags->first[b]; i < bags->first[b + 1]; i++) {
            struct place *place = &places[loom_bag_size(bags, b) > 1];
            double procs = jobs->req_procs[bags->row[i]];
            double work = procs * (double)jobs->run_s[bags->row[i]];
            place->n++;
            place->of_size[(size_t)procs]++;
            place->procs += procs;
            place->procs_squared += procs * procs;
            place->work += work;
            place->work_squared += work * work;
        }
    loom_bags_destroy(bags);
}

/* To three standard errors of what is generated, as if only one job in three, as many as a bag has,
 * were independent. */
static void assert_same_mean(double n, double sum, double squares, double wanted)
{
    double mean = sum / n, variance = squares / n - mean * mean;
    assert_near(mean, wanted, 3 * sqrt(variance / (n / 3)));
}

/* By counts alone, sizes would be 3.5 % and 5 % larger in the two places, and bags would have 9 %
 * more work. */
static void sizes_and_work_are_those_of_the_log(void **state)
{
    (void)state;
    struct loom_generate_options options = {.seed = 4, .jobs = 400000};
    struct loom_trace *trace = must_generate(model, &options);
    struct place was[2] = {{0}}, is[2] = {{0}};
    measure(was, log_of_all);
    measure(is, trace);
    for (int i = 0; i < 2; i++) {
        assert_same_mean(is[i].n, is[i].procs, is[i].procs_squared, was[i].procs / was[i].n);
        assert_same_mean(is[i].n, is[i].work, is[i].work_squared, was[i].work / was[i].n);
    }
    loom_trace_destroy(trace);
}

static const struct loom_minh_shapes *shapes_of(const struct loom_model *of)
{
    return &((const struct loom_minh *)of->state)->shapes;
}

/* The table has as many jobs of each size as the log, in both places. */
static void table_has_the_sizes_of_the_log(void **state)
{
    (void)state;
    struct place was[2] = {{0}}, is[2] = {{0}};
    measure(was, log_of_all);
    const struct loom_minh_shapes *shapes = shapes_of(model);
    for (size_t c = 0; c < shapes->n_cells; c++)
        for (size_t s = 0; s < shapes->cells[c].n; s++)
            for (int i = 0; i < 2; i++)
                is[i].of_size[shapes->cells[c].procs[s]] += shapes->cells[c].by_place[i][s];
    for (int i = 0; i < 2; i++)
        for (size_t procs = 1; procs <= LOG_PROCS; procs++)
            assert_near(is[i].of_size[procs], was[i].of_size[procs], 1e-3 * was[i].n);
}

/* A table without jobs has no sizes to draw; one job is enough. */
static void a_table_without_jobs_is_refused(void **state)
{
    (void)state;
    const struct loom_minh_shapes *shapes = shapes_of(model);
    for (size_t c = 0; c < shapes->n_cells; c++)
        for (size_t s = 0; s < shapes->cells[c].n; s++)
            shapes->cells[c].by_place[0][s] = shapes->cells[c].by_place[1][s] = 0;
    shapes->cells[0].by_place[LOOM_MINH_IN_BAG][0] = 1;
    struct scratch scratch;
    struct loom_error err = {0};
    struct loom_output *out = NULL;
    struct loom_model *again = NULL;
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    assert_int_equal(loom_output_create(&out, scratch.file, NULL), 0);
    assert_int_equal(loom_model_save(model, out, NULL), 0);
    assert_int_equal(loom_output_commit(out, NULL), 0);
    loom_output_destroy(out);
    assert_int_equal(loom_model_load(&again, scratch.file, NULL, 0, NULL), 0);
    loom_model_destroy(again);
    static const char *const none[] = {"sizes.0.in_bags.0=0"};
    assert_int_not_equal(loom_model_load(&again, scratch.file, none, 1, &err), 0);
    assert_non_null(strstr(err.message, "sizes must have jobs"));
    assert_int_equal(scratch_close(&scratch), 0);
}

/* ---- tables by hand -------------------------------------------------------------------------- */

/* One kind, and two rows of half of the jobs each: runtimes up to the median, which is 147 s, and
 * longer ones. Both have jobs of two sizes, with these counts by place, row and size. The log has
 * so many bags of equal size, and work that all jobs have an equal part of. */
enum { ROWS = 2, SIZES = 2 };
static const double MEAN = 5, SD = 1;

struct by_hand {
    double jobs[2][ROWS][SIZES];
    double alike;
    size_t bags, bag_size;
    int64_t run_s;
};

static void balance(struct by_hand *hand)
{
    enum { MOST = 100 };
    int32_t procs[] = {1, 8}, ones[MOST];
    int64_t edges_s[] = {147, 147, 147}, run_s[MOST];
    uint32_t job[MOST], first[MOST + 1];
    size_t n = hand->bags * hand->bag_size;
    for (uint32_t i = 0; i < n; i++) {
        job[i] = i;
        ones[i] = 1;
        run_s[i] = hand->run_s;
    }
    for (size_t b = 0; b <= hand->bags; b++)
        first[b] = (uint32_t)(b * hand->bag_size);
    struct loom_minh_kind kind = {.weight = 1, .mean = MEAN, .sd = SD, .single = 0.5};
    struct loom_minh_cell cells[ROWS];
    for (size_t row = 0; row < ROWS; row++)
        cells[row] = (struct loom_minh_cell){.kind = 1,
                                             .band = row == 0 ? 1 : LOOM_MINH_BANDS,
                                             .label = 1,
                                             .n = SIZES,
                                             .procs = procs,
                                             .by_place = {hand->jobs[LOOM_MINH_SINGLE][row],
                                                          hand->jobs[LOOM_MINH_IN_BAG][row]}};
    struct loom_minh minh = {.shapes = {.bags = true,
                                        .split = true,
                                        .n_kinds = 1,
                                        .n_cells = ROWS,
                                        .kinds = &kind,
                                        .edges_s = edges_s,
                                        .cells = cells},
                             .refined = {.alike = &hand->alike, .longest_s = 1000000000}};
    struct loom_shapes jobs = {.n = n, .job = job, .run_s = run_s, .procs = ones};
    struct loom_bags bags = {.n_jobs = n, .count = hand->bags, .first = first};
    struct loom_minh_log log = {.jobs = &jobs, .bags = &bags};
    assert_int_equal(loom_minh_balance(&minh, &log, NULL), 0);
}

/* Twenty single jobs without work, ten of each size, all in the first row; of long jobs in bags,
 * nine in ten are small. So the table of single jobs begins with 10.5 and 10.5 in the first row and
 * with 0.9 and 0.1 in the second. Ten are drawn in each row, and ten of each size, while the ratio
 * of odds stays 1 : 9: as 2.5 : 7.5 is to 7.5 : 2.5. */
static void a_row_without_jobs_has_the_usual_sizes(void **state)
{
    (void)state;
    struct by_hand hand = {.jobs = {{{10, 10}, {0, 0}}, {{10, 10}, {9, 1}}},
                           .bags = 20,
                           .bag_size = 1};
    static const double wanted[ROWS][SIZES] = {{2.5, 7.5}, {7.5, 2.5}};
    balance(&hand);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t s = 0; s < SIZES; s++)
            assert_near(hand.jobs[LOOM_MINH_SINGLE][row][s], wanted[row][s], 0.02);
}

static double normal_below(double z)
{
    return erfc(-z * M_SQRT1_2) / 2;
}

/* Of bags of four, the first job goes with the row. Its runtime is exp(5 + z) - 1; another job's
 * has a z of its own that is correlated with it by r, so that given z < 0 both have a mean of 2
 * exp(5.5) Phi(-r) - 1, with r = 1 for the first. Ten, ten, ten and ten jobs by row and size are to
 * have the work of 6, 14, 14 and 6. */
static void work_is_that_of_all_jobs_of_a_bag(void **state)
{
    (void)state;
    static const double alike[] = {0, 0.4, 0.8, 1}, SMALL = 6, HALF = 20;
    for (size_t i = 0; i < COUNT(alike); i++) {
        double all_s = exp(MEAN + SD * SD / 2), work = 0, run_s[ROWS];
        for (size_t row = 0; row < ROWS; row++) {
            double sign = row == 0 ? -1 : 1;
            run_s[row] =
                2 * all_s *
                    (0.25 * normal_below(sign * SD) + 0.75 * normal_below(sign * SD * alike[i])) -
                1;
            double small = row == 0 ? SMALL : HALF - SMALL;
            work += run_s[row] * (small + 8 * (HALF - small));
        }
        struct by_hand hand = {.jobs = {{{0}}, {{10, 10}, {10, 10}}},
                               .alike = alike[i],
                               .bags = 10,
                               .bag_size = 4,
                               .run_s = llrint(work / (2 * HALF))};
        balance(&hand);
        assert_near(hand.jobs[LOOM_MINH_IN_BAG][0][0], SMALL, 0.1);
        assert_near(hand.jobs[LOOM_MINH_IN_BAG][1][0], HALF - SMALL, 0.1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_work_are_those_of_the_log),
        cmocka_unit_test(table_has_the_sizes_of_the_log),
        cmocka_unit_test(a_table_without_jobs_is_refused),
        cmocka_unit_test(a_row_without_jobs_has_the_usual_sizes),
        cmocka_unit_test(work_is_that_of_all_jobs_of_a_bag),
    };
    return cmocka_run_group_tests_name("minh_balance", tests, fit_all, free_all);
}
