/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of sizes of the improved minh2012, balanced: sizes and work are those of the log. */
#include "base/draw.h"
#include "minh_log.h"
#include "models/minh.h"
#include "models/room.h"

#include <string.h>
#include <workloom/users.h>

enum { SKEWED_JOBS = 6000, LIMIT_S = 80000 };

/* Long run times lie between 8,000 s and a limit, where many of them end, as no mixture of normals
 * has it; and the longer ones are small, while those of single jobs are three times as large. Every
 * second time, three jobs of equal size come 20 s apart. */
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

/* To three standard errors of what is woven, as if only one job in three, as many as a bag has,
 * told something new. */
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
    struct loom_weave_options options = {.seed = 4, .jobs = 400000};
    struct loom_trace *trace = must_weave(model, &options);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_work_are_those_of_the_log),
        cmocka_unit_test(table_has_the_sizes_of_the_log),
        cmocka_unit_test(a_table_without_jobs_is_refused),
    };
    return cmocka_run_group_tests_name("minh_balance", tests, fit_all, free_all);
}
