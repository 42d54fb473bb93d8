/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The registry of policies: what is added or loaded is found by its name, beside the built-in ones
 * and nowhere else; what is faulty is refused with one sentence, and leaves nothing behind.
 * PLUGINS and EXAMPLES are the directories of the shared objects.
 */
#include "base/param.h"
#include "sim/schedulers.h"
#include "support.h"

#include <string.h>

/* What plug-ins were built with. Where one of these fails they must be rebuilt: raise
 * LOOM_SCHEDULER_ABI, and change the sizes. */
#define SAME_SIZE(thing, size) \
    _Static_assert(LOOM_SCHEDULER_ABI == 1 && sizeof(thing) == (size), "raise LOOM_SCHEDULER_ABI")
SAME_SIZE(struct loom_scheduler_plugin, 16);
SAME_SIZE(struct loom_scheduler_ops, 120);
SAME_SIZE(struct loom_param, 88);
SAME_SIZE(struct loom_sim_job, 48);
SAME_SIZE(struct loom_order, 32);
SAME_SIZE(struct loom_cursor, 24);
SAME_SIZE(struct loom_gap, 24);
SAME_SIZE(struct loom_standing, 80);
SAME_SIZE(struct loom_error, 1312);

static struct loom_schedulers *schedulers;

static int set_up(void **state)
{
    (void)state;
    return loom_schedulers_create(&schedulers, NULL);
}

static int tear_down(void **state)
{
    (void)state;
    loom_schedulers_destroy(schedulers);
    return 0;
}

static size_t count(const struct loom_schedulers *of)
{
    size_t n = 0;
    while (loom_scheduler_at(of, n))
        n++;
    return n;
}

static void must_load(const char *path)
{
    struct loom_error err = {0};
    if (loom_schedulers_load(schedulers, path, &err))
        fail_msg("%s: %s", path, err.message);
}

/* ---- policies of the program ----------------------------------------------------------------- */

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    loom_sim_start_in_order(sim);
    return 0;
}

static const char *const none[] = {NULL};
static const char *const words[] = {"a", "b", NULL};

static const struct loom_param good_params[] = {
    {.name = "n", .type = LOOM_PARAM_INT, .min = 1, .max = 9, .value = "3", .help = "a number"},
    {.name = "word", .type = LOOM_PARAM_CHOICE, .choices = words, .value = "a", .help = "a word"},
    {.name = NULL},
};

static void test_add(void **state)
{
    const struct loom_scheduler_ops mine = {.info = {"mine", "mine", good_params}, .pass = pass};
    size_t n = count(NULL);
    unsigned promises = 1;
    (void)state;
    assert_int_equal(count(schedulers), n);
    assert_int_equal(loom_schedulers_add(schedulers, &mine, NULL), 0);
    assert_int_equal(count(schedulers), n + 1);
    assert_ptr_equal(loom_scheduler_at(schedulers, n), &mine.info);
    assert_int_equal(count(NULL), n);
    assert_int_equal(loom_scheduler_check(schedulers, "mine:n=4,word=b", NULL), 0);
    assert_int_equal(loom_scheduler_check(schedulers, "mine:n=10", NULL), LOOM_ERANGE);
    assert_int_equal(loom_scheduler_check(schedulers, "easy:order=sjf", NULL), 0);
    assert_int_equal(loom_scheduler_check(NULL, "mine", NULL), LOOM_EUSAGE);
    assert_int_equal(loom_scheduler_promises(&promises, schedulers, "mine", NULL), 0);
    assert_int_equal(promises, 0);
}

#define PARAM(...)              \
    (const struct loom_param[]) \
    {                           \
        {__VA_ARGS__},          \
        {                       \
            .name = NULL        \
        }                       \
    }

static void test_faulty(void **state)
{
    static const struct loom_param twice[] = {{.name = "x", .help = "a flag"},
                                              {.name = "x", .help = "again"},
                                              {.name = NULL}};
    const struct {
        struct loom_scheduler_ops ops;
        const char *message; /* a part of it */
    } faulty[] = {
        {{.info = {"easy", "", NULL}, .pass = pass}, "already a scheduler 'easy', built in"},
        {{.info = {"mine", "", NULL}, .pass = pass}, "already a scheduler 'mine'; rename one"},
        {{.info = {NULL, "", NULL}, .pass = pass}, "name of a scheduler must be"},
        {{.info = {"", "", NULL}, .pass = pass}, "name of a scheduler must be"},
        {{.info = {"a:b", "", NULL}, .pass = pass}, "not 'a:b'"},
        {{.info = {"a b", "", NULL}, .pass = pass}, "not 'a b'"},
        {{.info = {"-s", "", NULL}, .pass = pass}, "not '-s'"},
        {{.info = {"all", "", NULL}, .pass = pass}, "'all' stands for every scheduler"},
        {{.info = {"x", NULL, NULL}, .pass = pass}, "x: it has no summary"},
        {{.info = {"x", "", NULL}}, "x: it has no pass()"},
        {{.info = {"x", "", twice}, .pass = pass}, "parameter 'x' is declared twice"},
        {{.info = {"x", "", PARAM(.name = "a=b", .help = "")}, .pass = pass}, "parameter 'a=b'"},
        {{.info = {"x", "", PARAM(.name = "y")}, .pass = pass}, "parameter 'y': it has no help"},
        {{.info = {"x", "", PARAM(.name = "y", .help = "", .type = LOOM_PARAM_CHOICE)},
          .pass = pass},
         "parameter 'y': it has no choices"},
        {{.info = {"x", "",
                   PARAM(.name = "y", .help = "", .type = LOOM_PARAM_CHOICE, .choices = none)},
          .pass = pass},
         "parameter 'y': it has no choices"},
        {{.info = {"x", "", PARAM(.name = "y", .help = "", .type = LOOM_PARAM_INT, .min = 2)},
          .pass = pass},
         "parameter 'y': min is above max"},
        {{.info = {"x", "",
                   PARAM(.name = "y", .help = "", .type = LOOM_PARAM_INT, .max = 2, .value = "3")},
          .pass = pass},
         "y must be between 0 and 2, not 3"},
        {{.info = {"x", "",
                   PARAM(.name = "y", .help = "", .type = LOOM_PARAM_CHOICE, .choices = words,
                         .value = "c")},
          .pass = pass},
         "y wants a or b, not 'c'"},
    };
    const struct loom_scheduler_ops mine = {.info = {"mine", "mine", NULL}, .pass = pass};
    (void)state;
    assert_int_equal(loom_schedulers_add(schedulers, &mine, NULL), 0);
    size_t n = count(schedulers);
    for (size_t i = 0; i < COUNT(faulty); i++) {
        struct loom_error err = {0};
        assert_int_equal(loom_schedulers_add(schedulers, &faulty[i].ops, &err), LOOM_EDATA);
        if (!strstr(err.message, faulty[i].message))
            fail_msg("'%s' does not say '%s'", err.message, faulty[i].message);
        assert_int_equal(count(schedulers), n);
    }
}

/* ---- shared objects -------------------------------------------------------------------------- */

static void test_load(void **state)
{
    size_t n = count(NULL);
    struct loom_error err = {0};
    (void)state;
    must_load(EXAMPLES "/own_policy.so");
    must_load(PLUGINS "/template_plugin.so");
    assert_int_equal(count(schedulers), n + 2);
    assert_string_equal(loom_scheduler_at(schedulers, n)->name, "easy-short");
    assert_string_equal(loom_scheduler_at(schedulers, n + 1)->name, "template");
    assert_int_equal(loom_scheduler_check(schedulers, "easy-short:longest=60,order=sjf", NULL), 0);
    assert_int_equal(loom_schedulers_load(schedulers, EXAMPLES "/own_policy.so", &err), LOOM_EDATA);
    assert_string_equal(err.file, EXAMPLES "/own_policy.so");
    assert_string_equal(err.message, "there is already a scheduler 'easy-short' in " EXAMPLES
                                     "/own_policy.so; rename one");
    assert_int_equal(count(schedulers), n + 2);
}

static void test_refused(void **state)
{
    static const struct {
        const char *file;
        int code;
        const char *message; /* a part of it */
    } refused[] = {
        {PLUGINS "/no_such_file.so", LOOM_EIO, "cannot open: No such file or directory"},
        {PLUGINS, LOOM_EDATA, "cannot load as a shared object"},
        {"/dev/null", LOOM_EDATA, "cannot load as a shared object: file too short"},
        {PLUGINS "/faulty_symbol.so", LOOM_EDATA, "loom_scheduler_plugin is missing"},
        {PLUGINS "/faulty_undefined.so", LOOM_EDATA,
         "undefined symbol: loom_no_such_function; rebuild it with the headers"},
        {PLUGINS "/faulty_abi.so", LOOM_EDATA,
         "for version 2 of the scheduler interface, not 1: rebuild it with the headers"},
        {PLUGINS "/faulty_empty.so", LOOM_EDATA, "no schedulers"},
        {PLUGINS "/faulty_second.so", LOOM_EDATA, "second: it has no pass()"},
    };
    size_t n = count(NULL);
    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++) {
        struct loom_error err = {0};
        assert_int_equal(loom_schedulers_load(schedulers, refused[i].file, &err), refused[i].code);
        assert_string_equal(err.file, refused[i].file);
        if (!strstr(err.message, refused[i].message))
            fail_msg("'%s' does not say '%s'", err.message, refused[i].message);
        assert_int_equal(count(schedulers), n);
    }
}

/* A plug-in that is linked with libworkloom.so, of which there are two copies then, calls the one
 * of the program. */
static void test_linked(void **state)
{
    const struct loom_scheduler_ops *ops = NULL;
    struct loom_params *params = NULL;
    (void)state;
    must_load(PLUGINS "/linked_plugin.so");
    assert_int_equal(loom_scheduler_parse(&ops, &params, schedulers, "easy-short", NULL), 0);
    assert_true(ops->promises_by == loom_order_promises);
    assert_ptr_equal(loom_params_find(params, "order")->choices, loom_order_names);
    loom_params_destroy(params);
}

/* ---- in use ---------------------------------------------------------------------------------- */

/* Four processors: the first job has three of them for 10 s, the second wants all. */
static struct loom_trace *four_jobs(void)
{
    static const struct {
        int64_t submit_s, run_s;
        int32_t procs;
    } jobs[] = {{0, 10, 3}, {1, 5, 4}, {2, 8, 1}, {2, 3, 1}};
    struct loom_trace *trace = empty_trace();
    for (size_t i = 0; i < COUNT(jobs); i++) {
        struct loom_job job = loom_job_unknown();
        job.number = (int64_t)i + 1;
        job.submit_s = jobs[i].submit_s;
        job.run_s = job.request_s = jobs[i].run_s;
        job.req_procs = jobs[i].procs;
        append(trace, job);
    }
    return trace;
}

/* Both fit before the reservation at 10; only the last is short enough for easy-short. */
static void test_run(void **state)
{
    static const struct {
        const char *scheduler;
        int64_t starts_s[4];
    } cases[] = {
        {"easy", {0, 10, 2, 15}},
        {"easy-short:longest=8", {0, 10, 2, 15}},
        {"easy-short:longest=3", {0, 10, 15, 2}},
    };
    struct loom_trace *trace = four_jobs();
    struct loom_sim *sim = NULL;
    (void)state;
    must_load(EXAMPLES "/own_policy.so");
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_sim_options options = {.scheduler = cases[i].scheduler,
                                           .schedulers = schedulers,
                                           .procs = 4};
        assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), 0);
        for (size_t row = 0; row < 4; row++)
            assert_int_equal(loom_sim_jobs(sim, NULL)[row].start_s, cases[i].starts_s[row]);
        options.schedulers = NULL;
        assert_int_equal(loom_sim_run_trace(sim, &options, trace, NULL), i == 0 ? 0 : LOOM_EUSAGE);
    }
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

static int start_both(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    if (loom_sim_queued(sim) == 2)
        for (uint32_t job = 0; job < 2; job++)
            loom_sim_start(sim, job, LOOM_WHY_OTHER);
    return 0;
}

static int start_twice(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    for (int i = 0; i < 2; i++)
        loom_sim_start(sim, 0, LOOM_WHY_OTHER);
    return 0;
}

static int start_unprofiled(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)state, (void)err;
    if (loom_sim_start_in_order(sim) != LOOM_NO_JOB)
        loom_profile_at(loom_sim_profile(sim), loom_sim_now(sim));
    return 0;
}

static int start_none(struct loom_sim *sim, void *state, struct loom_error *err)
{
    (void)sim, (void)state, (void)err;
    return 0;
}

/* A policy that does what it must not ends the run with one sentence. */
static void test_wrong_starts(void **state)
{
    const struct {
        struct loom_scheduler_ops ops;
        const char *message;
    } wrong[] = {
        {{.info = {"both", "", NULL}, .pass = start_both, .wants_profile = true},
         "the policy 'both' starts a job of 4 processors where 1 are free"},
        {{.info = {"twice", "", NULL}, .pass = start_twice},
         "the policy 'twice' starts a job that does not wait"},
        {{.info = {"unprofiled", "", NULL}, .pass = start_unprofiled},
         "the policy 'unprofiled' uses the profile, but does not set wants_profile"},
        {{.info = {"none", "", NULL}, .pass = start_none},
         "the policy 'none' leaves 4 jobs waiting on an idle machine"},
    };
    struct loom_trace *trace = four_jobs();
    struct loom_sim *sim = NULL;
    (void)state;
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct loom_error err = {0};
        assert_int_equal(loom_schedulers_add(schedulers, &wrong[i].ops, NULL), 0);
        const struct loom_sim_options options = {.scheduler = wrong[i].ops.info.name,
                                                 .schedulers = schedulers,
                                                 .procs = 4};
        assert_int_equal(loom_sim_run_trace(sim, &options, trace, &err), LOOM_EDATA);
        assert_string_equal(err.message, wrong[i].message);
    }
    loom_sim_destroy(sim);
    loom_trace_destroy(trace);
}

/* The queue of a policy's own, as a plug-in sees it. */
static void test_own_queue(void **state)
{
    const struct loom_sim_job jobs[] = {{.estimate_s = 30, .procs = 1},
                                        {.estimate_s = 10, .procs = 4},
                                        {.estimate_s = 20, .procs = 2}};
    const struct loom_gap gap = {.procs = 2, .length_s = 60};
    struct loom_queue *queue = loom_queue_create(loom_order_find("sjf"));
    struct loom_cursor cursor = {0};
    (void)state;
    assert_non_null(queue);
    for (uint32_t i = 0; i < COUNT(jobs); i++)
        assert_int_equal(loom_queue_add(queue, jobs, i, 0), 0);
    assert_int_equal(loom_queue_next(queue, &cursor), 1);
    assert_int_equal(loom_queue_next_fit(queue, jobs, &cursor, &gap), 2);
    loom_queue_remove(queue, jobs, 2);
    assert_int_equal(loom_queue_next(queue, &cursor), 0);
    assert_int_equal(loom_queue_next(queue, &cursor), LOOM_NO_JOB);
    loom_queue_destroy(queue);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_add, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_faulty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_load, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_linked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_wrong_starts, set_up, tear_down),
        cmocka_unit_test(test_own_queue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
