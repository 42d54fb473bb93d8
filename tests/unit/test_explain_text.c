/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Explanations as text and JSON, of small schedules worked by hand. */
#include "grid_jobs.h"

#include <workloom/report.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct spec {
    int64_t number, submit_s, run_s;
    int32_t procs, user;
};

static struct loom_trace *jobs_of(const struct spec *specs, size_t n)
{
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = specs[i].number;
        job.submit_s = specs[i].submit_s;
        job.run_s = job.request_s = specs[i].run_s;
        job.req_procs = specs[i].procs;
        job.user = specs[i].user;
        append(trace, job);
    }
    return trace;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* The text of an explanation; the caller must free it. */
static char *text_of(const struct loom_explained *what)
{
    struct scratch scratch;
    struct loom_output *out = NULL;
    struct loom_error err = {0};
    assert_int_equal(scratch_open(&scratch, "explained.txt"), 0);
    assert_int_equal(loom_output_create(&out, scratch.file, &err), 0);
    if (loom_explain_text(out, what, &err))
        fail_msg("%s", err.message);
    assert_int_equal(loom_output_commit(out, &err), 0);
    loom_output_destroy(out);
    char *text = load(scratch.file);
    assert_int_equal(scratch_close(&scratch), 0);
    return text;
}

static void check_text(const struct loom_explained *what, const char *wanted)
{
    char *text = text_of(what);
    assert_string_equal(text, wanted);
    free(text);
}

static void check_words(const struct loom_explained *what, const char *words)
{
    char *text = text_of(what);
    if (!strstr(text, words))
        fail_msg("'%s' is not in '%s'", words, text);
    free(text);
}

/* The object must have these members among others; wanted is released. */
static void check_members(json_t *object, json_t *wanted)
{
    const char *key;
    json_t *value;
    assert_non_null(wanted);
    json_object_foreach(wanted, key, value)
    {
        if (!json_equal(json_object_get(object, key), value))
            fail_msg("%s is not as expected", key);
    }
    json_decref(wanted);
}

static void check_json(const struct loom_explained *what, json_t *wanted)
{
    json_t *object = loom_explain_json(what);
    assert_non_null(object);
    check_members(object, wanted);
    json_decref(object);
}

/* ---- one machine ----------------------------------------------------------------------------- */

/* 4 processors under EASY, estimates exact.
 *
 *             0         10
 *     1 x3    ##########
 *     2 x4     .........####
 *     3 x1      #####
 *     4 x1       ..........######   would delay job 2
 *     5 x9    rejected
 */
static const struct spec machine_jobs[] = {
    {1, 0, 10, 3, 7}, {2, 1, 4, 4, 8}, {3, 2, 5, 1, 7}, {4, 3, 8, 1, -1}, {5, 3, 8, 9, 7},
};

struct machine {
    struct loom_trace *trace;
    struct loom_sim *sim;
    struct loom_explainer *explainer;
    struct loom_explained what;
};

static void run_machine(struct machine *machine, const char *scheduler, uint32_t row)
{
    struct loom_error err = {0};
    *machine = (struct machine){.trace = jobs_of(machine_jobs, COUNT(machine_jobs))};
    assert_int_equal(loom_sim_create(&machine->sim, &err), 0);
    assert_int_equal(loom_explainer_create(&machine->explainer, row, &err), 0);
    const struct loom_observer observer = loom_explainer_observer(machine->explainer);
    const struct loom_sim_options options = {.procs = 4,
                                             .scheduler = scheduler,
                                             .observers = &observer,
                                             .n_observers = 1};
    if (loom_sim_run_trace(machine->sim, &options, machine->trace, &err))
        fail_msg("%s", err.message);
    machine->what = (struct loom_explained){.trace = machine->trace,
                                            .sim = machine->sim,
                                            .explainer = machine->explainer};
}

static void drop_machine(struct machine *machine)
{
    loom_explainer_destroy(machine->explainer);
    loom_sim_destroy(machine->sim);
    loom_trace_destroy(machine->trace);
}

/* Job 2 waits for the end of job 1. */
static void test_overtaken(void **state)
{
    struct machine machine;
    (void)state;
    run_machine(&machine, "easy", 1);
    check_text(&machine.what,
               "job 2: 4 processors, estimate 4 s\n"
               "  submitted at 1, started at 10 after a wait of 9 s, ended at 14\n"
               "  times are in seconds of the log; submitted 1 s after the first job (windows of "
               "Gantt charts count from it)\n"
               "  wait in the log: unknown\n"
               "\n"
               "At submission\n"
               "  1 of 4 processors free, 1 job running\n"
               "  no job ahead in the queue\n"
               "\n"
               "Reservation\n"
               "  at 1: reserved for 10\n"
               "\n"
               "Overtaken by\n"
               "  at 2: job 3 (1 processor, estimate 5 s): backfilled, as by its estimate it ends "
               "at 7, in time for the reservation of job 2 at 10\n"
               "\n"
               "Wait\n"
               "  9 s: too few processors free\n"
               "  at 10: job 1 ended and released 3 processors, with 1 already free\n"
               "\n"
               "Why it started\n"
               "  first in the policy's order, and enough processors free\n");
    check_json(&machine.what,
               json_pack("{s:i, s:i, s:b, s:i, s:i, s:i, s:i, s:[], s:[{s:i, s:n, s:i, s:n}], s:i, "
                         "s:i, s:n, s:[i], s:n}",
                         "job", 2, "user", 8, "simulated", 1, "submit_s", 1, "start_s", 10, "end_s",
                         14, "wait_s", 9, "ahead", "reservations", "time_s", 1, "from_s", "to_s",
                         10, "cause_job", "too_few_s", 9, "held_back_s", 0, "held_for_job",
                         "released_by", 1, "weighed"));
    json_t *object = loom_explain_json(&machine.what);
    json_t *overtaker = json_array_get(json_object_get(object, "overtaken_by"), 0);
    check_members(overtaker,
                  json_pack("{s:i, s:i, s:i, s:s, s:i, s:i}", "job", 3, "time_s", 2, "procs", 1,
                            "why", "before", "reserved_job", 2, "reserved_s", 10));
    json_decref(object);
    drop_machine(&machine);
}

/* Job 4 would delay job 2 from 7 on, when job 3 ends, to 10, when job 2 starts. */
static void test_held_back(void **state)
{
    struct machine machine;
    (void)state;
    run_machine(&machine, "easy", 3);
    check_text(&machine.what,
               "job 4: 1 processor, estimate 8 s\n"
               "  submitted at 3, started at 14 after a wait of 11 s, ended at 22\n"
               "  times are in seconds of the log; submitted 3 s after the first job (windows of "
               "Gantt charts count from it)\n"
               "  wait in the log: unknown\n"
               "\n"
               "At submission\n"
               "  0 of 4 processors free, 2 jobs running\n"
               "  1 job ahead in the queue:\n"
               "    job 2: 4 processors, estimate 4 s; started at 10\n"
               "\n"
               "Reservation\n"
               "  at 10: reserved for 14\n"
               "\n"
               "Overtaken by\n"
               "  no job\n"
               "\n"
               "Wait\n"
               "  8 s: too few processors free\n"
               "  3 s: enough processors free, but its start could have delayed the "
               "reservation of the first job (last: job 2 at 10)\n"
               "  at 14: job 2 ended and released 4 processors, with 0 already free\n"
               "\n"
               "Why it started\n"
               "  first in the policy's order, and enough processors free\n");
    check_json(&machine.what,
               json_pack("{s:i, s:n, s:i, s:i, s:i, s:i, s:i, s:[], s:[i]}", "job", 4, "user",
                         "wait_s", 11, "too_few_s", 8, "held_back_s", 3, "held_for_job", 2,
                         "held_for_s", 10, "overtaken_by", "released_by", 2));
    drop_machine(&machine);
}

/* Under ups the user of job 4 goes before the user of job 2, who has more work waiting. */
static void test_ranked(void **state)
{
    struct machine machine;
    (void)state;
    run_machine(&machine, "ups", 1);
    check_words(&machine.what, "\nCriteria of the policy\n  at 1 (submission): priority ");
    check_words(&machine.what, ", user 8 ranked 1 of 1; this job was first\n");
    check_words(&machine.what, "\n  at 2: job 3 (1 processor, estimate 5 s): first in the policy's "
                               "order, and enough processors free; user 7 ranked 1, this job's "
                               "user ranked 2\n");
    drop_machine(&machine);
    run_machine(&machine, "ups", 3);
    check_words(&machine.what, "\n  1 waiting job submitted earlier (the policy ranks all jobs in "
                               "each pass):\n    job 2: 4 processors, estimate 4 s, user 8; ");
    check_words(&machine.what, ", unknown user ranked 1 of 2; this job was first\n");
    drop_machine(&machine);
}

/* A log with a start time, whose arrivals were rescaled. */
static void test_times(void **state)
{
    struct machine machine;
    (void)state;
    run_machine(&machine, "easy", 1);
    assert_int_equal(loom_trace_set_directive(machine.trace, "UnixStartTime", "1046649600", NULL),
                     0);
    assert_int_equal(loom_trace_set_directive(machine.trace, "TimeZoneString", "Europe/Amsterdam",
                                              NULL),
                     0);
    machine.what.arrival_factor = 0.25;
    check_words(&machine.what, "\n  submitted at 1 (2003-03-03 01:00:01), started at 10 ");
    check_words(&machine.what,
                "\n  times are in seconds of the log, rescaled (interarrival times x "
                "0.25); submitted 1 s after the first job ");
    drop_machine(&machine);
}

/* ---- a grid ---------------------------------------------------------------------------------- */

struct grid_case {
    struct loom_trace *trace, *local;
    struct loom_cluster clusters[2];
    struct loom_grid *grid;
    struct loom_grid_explainer *grid_explainer;
    struct loom_explainer *explainer;
    struct loom_explained what;
};

/* The worked example of docs/SEMANTICS.md, and two jobs that are too wide. Cluster a has 4
 * processors and local jobs 1, 2 and 9, cluster b has 2.
 *
 *                  0         10        20        30
 *     1 x3  a      ##########
 *     2 x4  a           .....##########
 *     3 x2  b       ########
 *     4 x2  b        .......####
 *     5 x1  a            ..............####################
 *     6 x1  b             ......###
 *     7 x9  rejected
 *     9 x5  a      rejected
 */
static const struct spec local_jobs[] = {{1, 0, 10, 3, 1}, {2, 5, 10, 4, 1}, {9, 6, 1, 5, 1}};
static const struct spec grid_jobs[] = {
    {3, 1, 8, 2, 1}, {4, 2, 4, 2, 1}, {5, 6, 20, 1, 3}, {6, 7, 3, 1, 3}, {7, 8, 1, 9, 3},
};

static void run_grid(struct grid_case *of, size_t n_local, bool local, uint32_t row)
{
    struct loom_observer queue, there;
    *of = (struct grid_case){.trace = jobs_of(grid_jobs, COUNT(grid_jobs)),
                             .local = jobs_of(local_jobs, n_local),
                             .grid = new_grid()};
    if (local) {
        assert_int_equal(loom_explainer_create(&of->explainer, row, NULL), 0);
        there = loom_explainer_observer(of->explainer);
    } else {
        assert_int_equal(loom_grid_explainer_create(&of->grid_explainer, of->grid, row, NULL), 0);
        queue = loom_grid_explainer_observer(of->grid_explainer);
        there = loom_grid_explainer_cluster_observer(of->grid_explainer);
    }
    of->clusters[0] = (struct loom_cluster){.name = "a",
                                            .procs = 4,
                                            .background = n_local ? of->local : NULL,
                                            .observers = &there,
                                            .n_observers = 1};
    of->clusters[1] = (struct loom_cluster){.name = "b",
                                            .procs = 2,
                                            .observers = &there,
                                            .n_observers = local ? 0 : 1};
    must_run(of->grid,
             &(struct loom_grid_options){.clusters = of->clusters,
                                         .n_clusters = COUNT(of->clusters),
                                         .observers = &queue,
                                         .n_observers = local ? 0 : 1},
             of->trace);
    of->what = (struct loom_explained){.trace = of->trace,
                                       .explainer = of->explainer,
                                       .grid = of->grid,
                                       .clusters = of->clusters,
                                       .cluster = 0,
                                       .grid_explainer = of->grid_explainer};
}

static void drop_grid(struct grid_case *of)
{
    loom_explainer_destroy(of->explainer);
    loom_grid_explainer_destroy(of->grid_explainer);
    loom_grid_destroy(of->grid);
    loom_trace_destroy(of->trace);
    loom_trace_destroy(of->local);
}

static void test_grid_job(void **state)
{
    struct grid_case of;
    (void)state;
    run_grid(&of, COUNT(local_jobs), false, 3);
    check_text(&of.what,
               "job 6: 1 processor, estimate 3 s\n"
               "  submitted at 7, sent to b at 13 after 6 s in the grid queue, started there at "
               "once, ended at 16\n"
               "  times are in seconds of the log; submitted 6 s after the first grid job (windows "
               "of Gantt charts count from it)\n"
               "  wait in the log: unknown\n"
               "\n"
               "At submission to the grid\n"
               "  a: 1 of 4 processors free, 1 claimed by grid jobs in its queue, 2 jobs waiting\n"
               "  b: 0 of 2 processors free\n"
               "  1 job ahead in the grid queue:\n"
               "    job 4: 2 processors; sent to b at 9\n"
               "\n"
               "Overtaken in the grid queue by\n"
               "  no job\n"
               "\n"
               "Wait in the grid queue\n"
               "  3 s: too few processors free in every cluster\n"
               "  3 s: enough processors free in a cluster, but claimed by grid jobs in its queue\n"
               "  at 13: job 4 ended and released 2 processors\n"
               "\n"
               "Why it was sent to b\n"
               "  a: 0 of 4 processors free, 1 claimed by grid jobs in its queue, 1 job waiting\n"
               "  b: 2 of 2 processors free\n"
               "  it fit no other cluster\n"
               "\n"
               "On arrival at b\n"
               "  2 of 2 processors free, 0 jobs running\n"
               "  no job ahead in the queue\n"
               "\n"
               "Why it started\n"
               "  first in the policy's order, and enough processors free\n");
    check_json(&of.what, json_pack("{s:i, s:b, s:i, s:i, s:i, s:i}", "job", 6, "simulated", 1,
                                   "submit_s", 7, "start_s", 13, "end_s", 16, "wait_s", 6));
    json_t *object = loom_explain_json(&of.what);
    check_members(json_object_get(object, "queue"),
                  json_pack("{s:[], s:i, s:i, s:i, s:s, s:s, s:[i]}", "overtaken_by", "too_few_s",
                            3, "claimed_s", 3, "sent_s", 13, "cluster", "b", "rule", "most room",
                            "released_by", 4));
    check_members(json_object_get(object, "there"),
                  json_pack("{s:i, s:i, s:i, s:i}", "job", 6, "submit_s", 13, "wait_s", 0,
                            "free_at_submit", 2));
    json_decref(object);
    drop_grid(&of);
}

static void test_waiting_on_cluster(void **state)
{
    struct grid_case of;
    (void)state;
    run_grid(&of, COUNT(local_jobs), false, 2);
    check_words(&of.what, "sent to a at once, started at 20 after 14 s in the cluster queue, ");
    check_words(&of.what, "\nOn arrival at a\n  1 of 4 processors free, 1 job running\n"
                          "  1 job ahead in the queue:\n    job a=2: 4 processors");
    drop_grid(&of);
}

/* Without local jobs, job 3 fits both clusters. */
static void test_choice(void **state)
{
    struct grid_case of;
    (void)state;
    run_grid(&of, 0, false, 0);
    check_words(&of.what, "\nWhy it was sent to a\n"
                          "  it fit 2 clusters, and the rule selected this one: most room\n");
    drop_grid(&of);
}

static void test_local_job(void **state)
{
    struct grid_case of;
    (void)state;
    run_grid(&of, COUNT(local_jobs), true, 1);
    check_words(&of.what, "job a=2: 4 processors, estimate 10 s\n"
                          "  submitted at 5, started at 10 after a wait of 5 s, ended at 20\n");
    check_words(&of.what,
                "\n  at 10: job a=1 ended and released 3 processors, with 1 already free");
    check_json(&of.what,
               json_pack("{s:s, s:i, s:[s]}", "job", "a=2", "wait_s", 5, "released_by", "a=1"));
    drop_grid(&of);
}

static void test_refused(void **state)
{
    struct machine machine;
    struct grid_case of;
    (void)state;
    run_machine(&machine, "easy", 4);
    check_text(&machine.what, "job 5 was not simulated: wider than the machine, rejected\n");
    drop_machine(&machine);
    run_grid(&of, COUNT(local_jobs), false, 4);
    check_text(&of.what, "job 7 was not simulated: wider than the machine, rejected\n");
    check_json(&of.what, json_pack("{s:i, s:b, s:s}", "job", 7, "simulated", 0, "reason",
                                   "wider than the machine, rejected"));
    drop_grid(&of);
    run_grid(&of, COUNT(local_jobs), true, 2);
    check_text(&of.what, "job a=9 was not simulated: wider than the machine, rejected\n");
    check_json(&of.what, json_pack("{s:s, s:b}", "job", "a=9", "simulated", 0));
    drop_grid(&of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overtaken), cmocka_unit_test(test_held_back),
        cmocka_unit_test(test_ranked),    cmocka_unit_test(test_times),
        cmocka_unit_test(test_grid_job),  cmocka_unit_test(test_waiting_on_cluster),
        cmocka_unit_test(test_choice),    cmocka_unit_test(test_local_job),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
