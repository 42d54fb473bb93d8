/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The explanation of a grid job, and the chart of a grid: against the schedule, second by second
 * and processor by processor, in random cases.
 */
#include "grid_jobs.h"

#include <stdlib.h>

enum { CLUSTERS = 3, JOBS = 25, SIZE_MOST = 8 };

struct case_of {
    struct loom_trace *grid_jobs, *local[CLUSTERS];
    struct loom_cluster clusters[CLUSTERS];
};

/* The first cluster has no local jobs. */
static void make_case(struct case_of *of, struct loom_stream *stream)
{
    static const char *const names[CLUSTERS] = {"a", "b", "c"};
    static const char *const policies[] = {"easy", "fcfs", "conservative"};
    of->grid_jobs = random_jobs(stream, JOBS, SIZE_MOST);
    for (size_t i = 0; i < CLUSTERS; i++) {
        int32_t procs = 2 + (int32_t)loom_stream_below(stream, SIZE_MOST - 2);
        of->local[i] = i ? random_jobs(stream, JOBS, procs) : NULL;
        of->clusters[i] = (struct loom_cluster){.name = names[i],
                                                .procs = procs,
                                                .scheduler = policies[loom_stream_below(stream, 3)],
                                                .background = of->local[i]};
    }
}

static void drop_case(struct case_of *of)
{
    loom_trace_destroy(of->grid_jobs);
    for (size_t i = 0; i < CLUSTERS; i++)
        loom_trace_destroy(of->local[i]);
}

static const char *rule_of(int round)
{
    static const char *const rules[] = {NULL,
                                        "room=free",
                                        "choose=least-free,order=sjf",
                                        "choose=next",
                                        "choose=random,room=free",
                                        "order=lcfs"};
    return rules[(size_t)round % COUNT(rules)];
}

static bool is_free_rule(int round)
{
    return round % 6 == 1 || round % 6 == 4;
}

static void run_case(struct loom_grid *grid, const struct case_of *of,
                     const struct loom_grid_options *given)
{
    struct loom_grid_options options = *given;
    options.clusters = of->clusters;
    options.n_clusters = CLUSTERS;
    must_run(grid, &options, of->grid_jobs);
}

/* ---- a grid job ------------------------------------------------------------------------------ */

static int64_t busy_at(const struct loom_sim *sim, int64_t time_s)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    int64_t procs = 0;
    for (size_t i = 0; i < n; i++)
        if (jobs[i].start_s <= time_s && time_s < loom_sim_job_end(&jobs[i]))
            procs += jobs[i].procs;
    return procs;
}

/* Seconds of the wait in the grid's queue in which no cluster has enough processors free. */
static int64_t short_seconds(const struct loom_grid *grid, const struct loom_sim_job *job,
                             int64_t sent_s)
{
    int64_t seconds = 0;
    for (int64_t t = job->submit_s; t < sent_s; t++) {
        bool enough = false;
        for (size_t c = 0; c < CLUSTERS; c++) {
            const struct loom_sim *sim = loom_grid_cluster(grid, c);
            enough = enough || loom_sim_procs(sim) - busy_at(sim, t) >= job->procs;
        }
        seconds += !enough;
    }
    return seconds;
}

static bool has(const uint32_t *jobs, size_t n, uint32_t job)
{
    for (size_t i = 0; i < n; i++)
        if (jobs[i] == job)
            return true;
    return false;
}

static bool overtook(const struct loom_grid_explanation *found, uint32_t job)
{
    for (size_t i = 0; i < found->n_overtakers; i++)
        if (found->overtakers[i].job == job)
            return true;
    return false;
}

/* Every other job is ahead, overtakes, or is sent before the job comes or after it is sent. */
static void check_others(const struct loom_grid *grid, const struct loom_grid_explanation *found)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(loom_grid_jobs(grid), &n);
    const struct loom_grid_place *places = loom_grid_places(grid);
    const struct loom_sim_job *job = &jobs[found->job];
    for (uint32_t i = 0; i < n; i++) {
        bool ahead = has(found->ahead, found->n_ahead, i);
        assert_false(ahead && overtook(found, i));
        if (ahead)
            assert_true(i != found->job && jobs[i].submit_s <= job->submit_s &&
                        places[i].sent_s >= job->submit_s);
        if (overtook(found, i))
            assert_true(i != found->job && places[i].sent_s >= job->submit_s &&
                        places[i].sent_s <= found->sent.time_s);
        else if (!ahead && i != found->job)
            assert_true(places[i].sent_s <= job->submit_s ||
                        places[i].sent_s >= found->sent.time_s);
    }
}

static void check_rooms(const struct loom_grid_explanation *found, const struct loom_sim_job *job,
                        int round)
{
    const struct loom_cluster_state *chosen = &found->at_sending[found->sent.cluster];
    assert_int_equal(found->n_clusters, CLUSTERS);
    assert_true(chosen->free - chosen->claimed >= job->procs);
    for (size_t i = 0; i < CLUSTERS; i++) {
        const struct loom_cluster_state *state = &found->at_sending[i];
        if (is_free_rule(round))
            assert_int_equal(state->claimed, 0);
        if (round % 6 == 0 || round % 6 == 1 || round % 6 == 5) /* most room */
            assert_true(state->free - state->claimed <= chosen->free - chosen->claimed);
    }
}

static void check_released(const struct loom_grid *grid, const struct loom_grid_explanation *found)
{
    size_t n, ended = 0;
    const struct loom_sim_job *jobs =
        loom_sim_jobs(loom_grid_cluster(grid, found->sent.cluster), &n);
    for (uint32_t i = 0; i < n; i++)
        if (jobs[i].run_s > 0 && loom_sim_job_end(&jobs[i]) == found->sent.time_s) {
            assert_true(has(found->released, found->n_released, i));
            ended++;
        }
    assert_true(ended <= found->n_released);
}

static void check_explanation(const struct loom_grid *grid,
                              const struct loom_grid_explanation *found, int round)
{
    const struct loom_sim_job *job = &loom_sim_jobs(loom_grid_jobs(grid), NULL)[found->job];
    const struct loom_grid_place *place = &loom_grid_places(grid)[found->job];
    assert_int_equal(found->sent.cluster, place->cluster);
    assert_int_equal(found->sent.time_s, place->sent_s);
    int64_t short_s = short_seconds(grid, job, place->sent_s);
    assert_int_equal(found->short_s, short_s);
    assert_int_equal(found->claimed_s, place->sent_s - job->submit_s - short_s);
    if (is_free_rule(round))
        assert_int_equal(found->claimed_s, 0);
    check_others(grid, found);
    check_rooms(found, job, round);
    check_released(grid, found);
    assert_int_equal(found->there->job, place->job);
    assert_int_equal(found->there->start.time_s, job->start_s);
    assert_int_equal(found->there->short_s + found->there->held_s, job->start_s - place->sent_s);
}

static void explain_row(struct loom_grid *grid, struct case_of *of, uint32_t row, int round)
{
    struct loom_grid_explainer *explainer = NULL;
    int32_t procs = loom_trace_jobs(of->grid_jobs)->req_procs[row];
    bool fits = false;
    assert_int_equal(loom_grid_explainer_create(&explainer, grid, row, NULL), 0);
    const struct loom_observer queue = loom_grid_explainer_observer(explainer);
    const struct loom_observer there = loom_grid_explainer_cluster_observer(explainer);
    for (size_t i = 0; i < CLUSTERS; i++) {
        of->clusters[i].observers = &there;
        of->clusters[i].n_observers = 1;
        fits = fits || procs <= of->clusters[i].procs;
    }
    run_case(grid, of,
             &(struct loom_grid_options){.dispatch = rule_of(round),
                                         .observers = &queue,
                                         .n_observers = 1});
    const struct loom_grid_explanation *found = loom_grid_explainer_result(explainer);
    assert_int_equal(found->job != LOOM_NO_JOB, fits);
    if (fits)
        check_explanation(grid, found, round);
    else
        assert_non_null(found->refused);
    loom_grid_explainer_destroy(explainer);
}

static void test_grid_job(void **state)
{
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 11, 0, "explained");
    for (int round = 0; round < 36; round++) {
        struct case_of of;
        make_case(&of, &stream);
        for (uint32_t row = 0; row < JOBS; row++)
            explain_row(grid, &of, row, round);
        drop_case(&of);
    }
    loom_grid_destroy(grid);
}

/* A local job has the story of its cluster, though a grid job of the same row comes there too. */
static void test_local_job(void **state)
{
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    (void)state;
    loom_stream_init(&stream, 12, 0, "explained");
    for (uint32_t row = 0; row < JOBS; row++) {
        struct loom_explainer *explainer = NULL;
        struct case_of of;
        make_case(&of, &stream);
        assert_int_equal(loom_explainer_create(&explainer, row, NULL), 0);
        const struct loom_observer observer = loom_explainer_observer(explainer);
        of.clusters[1].observers = &observer;
        of.clusters[1].n_observers = 1;
        run_case(grid, &of, &(struct loom_grid_options){.dispatch = rule_of((int)row)});
        const struct loom_explanation *found = loom_explainer_result(explainer);
        assert_true(found->job != LOOM_NO_JOB);
        const struct loom_sim_job *job =
            &loom_sim_jobs(loom_grid_cluster(grid, 1), NULL)[found->job];
        assert_int_equal(job->row, row);
        assert_false(job->notes & LOOM_JOB_GRID);
        assert_int_equal(job->start_s, found->start.time_s);
        assert_int_equal(found->short_s + found->held_s, loom_sim_job_wait(job));
        loom_explainer_destroy(explainer);
        drop_case(&of);
    }
    loom_grid_destroy(grid);
}

/* ---- the chart ------------------------------------------------------------------------------- */

static int64_t first_of(const struct case_of *of, size_t cluster)
{
    int64_t first = 0;
    for (size_t i = 0; i < cluster; i++)
        first += of->clusters[i].procs;
    return first;
}

/* Bars lie within their cluster, no two on one processor at once, and have the jobs' work. */
static void check_chart(const struct loom_gantt *gantt, const struct loom_grid *grid,
                        const struct case_of *of)
{
    int64_t area = 0, busy = 0;
    assert_int_equal(gantt->procs, first_of(of, CLUSTERS));
    for (size_t i = 0; i < gantt->count; i++) {
        const struct loom_gantt_bar *a = &gantt->bars[i];
        assert_true(a->first >= first_of(of, a->cluster) &&
                    a->first + a->procs <= first_of(of, a->cluster + 1));
        area += a->procs * (a->to_s - a->from_s);
        for (size_t k = 0; k < i; k++) {
            const struct loom_gantt_bar *b = &gantt->bars[k];
            assert_false(a->from_s < b->to_s && b->from_s < a->to_s &&
                         a->first < b->first + b->procs && b->first < a->first + a->procs);
        }
    }
    for (size_t c = 0; c < CLUSTERS; c++)
        for (int64_t t = gantt->window.from_s; t < gantt->window.to_s; t++)
            busy += busy_at(loom_grid_cluster(grid, c), t);
    assert_int_equal(area, busy);
}

static void test_chart(void **state)
{
    struct loom_grid *grid = new_grid();
    struct loom_stream stream;
    struct loom_gantt *gantt = NULL;
    (void)state;
    loom_stream_init(&stream, 13, 0, "chart");
    for (int round = 0; round < 60; round++) {
        struct case_of of;
        int64_t from_s = (int64_t)loom_stream_below(&stream, 40);
        make_case(&of, &stream);
        run_case(grid, &of, &(struct loom_grid_options){.dispatch = rule_of(round)});
        struct loom_sim_window window = {from_s, from_s + 25 + round};
        assert_int_equal(loom_grid_gantt_create(&gantt, grid, window, NULL), 0);
        check_chart(gantt, grid, &of);
        loom_gantt_destroy(gantt);
        window = (struct loom_sim_window){1000000, 1000001};
        assert_int_equal(loom_grid_gantt_create(&gantt, grid, window, NULL), LOOM_EDATA);
        assert_null(gantt);
        drop_case(&of);
    }
    loom_grid_destroy(grid);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grid_job),
        cmocka_unit_test(test_local_job),
        cmocka_unit_test(test_chart),
    };
    return cmocka_run_group_tests_name("grid_explain", tests, NULL, NULL);
}
