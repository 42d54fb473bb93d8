/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans: what is wrong with them and where, the cells they make, and what these are known by. */
#include "scenarios.h"

#include "experiment/plan.h"
#include "experiment/tool.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

static struct scratch scratch;
static char log_path[128], plan_path[128];

static int open_files(void **state)
{
    *state = &scratch;
    if (scratch_open(&scratch, "log.swf"))
        return -1;
    struct loom_trace *trace = user_log(400);
    snprintf(log_path, sizeof log_path, "%s", scratch.file);
    snprintf(plan_path, sizeof plan_path, "%s/plan.yaml", scratch.directory);
    must_write(trace, log_path);
    loom_trace_destroy(trace);
    return 0;
}

/* A plan of this text, in which LOG is the log. */
static int load_text(struct loom_plan **out, const char *text, struct loom_error *err)
{
    char whole[4096] = "";
    size_t used = 0;
    for (const char *at; (at = strstr(text, "LOG")); text = at + 3)
        used += (size_t)snprintf(whole + used, sizeof whole - used, "%.*s%s", (int)(at - text),
                                 text, log_path);
    snprintf(whole + used, sizeof whole - used, "%s", text);
    store_text(plan_path, whole);
    assert_int_equal(loom_plan_create(out, err), 0);
    int rc = loom_plan_read(*out, plan_path, err);
    return rc ? rc : loom_plan_load(*out, NULL, err);
}

static struct loom_plan *must_load(const char *text)
{
    struct loom_plan *plan = NULL;
    struct loom_error err = {0};
    if (load_text(&plan, text, &err))
        fail_msg("%" PRId64 ":%d: %s", err.line, err.column, err.message);
    return plan;
}

/* ---- errors ---------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    int code, line, column;
    const char *words;
} wrong[] = {
    {"trace: LOG\nshceduler: easy\n", LOOM_EUSAGE, 2, 1, "did you mean 'scheduler'?"},
    {"trace: LOG\nscheduler: [easy, esay]\n", LOOM_EUSAGE, 2, 19, "did you mean 'easy'"},
    {"trace: LOG\nscheduler: [easy, easy]\n", LOOM_EUSAGE, 2, 19, "twice"},
    {"trace: LOG\nload: [0.9, high]\n", LOOM_EUSAGE, 2, 13, "high"},
    {"trace: LOG\nload: 0.9:0.7:0.1\n", LOOM_EUSAGE, 2, 7, "above"},
    {"trace: LOG\nload: 1000\n", LOOM_EUSAGE, 2, 7, "1000"},
    {"trace: LOG\nprocs: 0\n", LOOM_ERANGE, 2, 8, "between 1"},
    {"trace: LOG\nreplications: 0\n", LOOM_ERANGE, 2, 15, "between 1"},
    {"trace: LOG\nreplications: [1, 2]\n", LOOM_EFORMAT, 2, 19, "one value"},
    {"trace: none.swf\n", LOOM_EIO, 1, 8, "none.swf"},
    {"trace: LOG\nmodel: minh\n", LOOM_EUSAGE, 2, 8, "did you mean"},
    {"model: minh2012\n", LOOM_EUSAGE, 1, 8, "trace"},
    {"model: none.json\n", LOOM_EIO, 1, 8, "none.json"},
    {"trace: LOG\nweeks: 3\n", LOOM_EUSAGE, 2, 8, "without resample"},
    {"trace: LOG\nload-by: arrivals\n", LOOM_EUSAGE, 2, 10, "without load"},
    {"trace: LOG\nmix: LOG\n", LOOM_EUSAGE, 2, 6, "without resample"},
    {"trace: LOG\nresample: true\nmix: none.swf\n", LOOM_EIO, 3, 6, "none.swf"},
    {"trace: LOG\nresample: true\nfeedback: fluid\nmix: LOG\n", LOOM_EUSAGE, 4, 6, "feedback"},
    {"trace: LOG\nsource-procs: 64\n", LOOM_EUSAGE, 2, 15, "without model or resample"},
    {"trace: LOG\nmap: none.map\n", LOOM_EIO, 2, 6, "none.map"},
    {"trace: LOG\nfresh-names: true\n", LOOM_EUSAGE, 2, 14, "without resample"},
    {"trace: LOG\nby: colour\n", LOOM_EUSAGE, 2, 5, "size, runtime"},
    {"trace: LOG\nresample: sometimes\n", LOOM_EFORMAT, 2, 11, "true or false"},
    {"trace: LOG\nresample: true\nfeedback: flood\n", LOOM_EUSAGE, 3, 11, "fluid"},
    {"trace: LOG\nresample: true\nfeedback: fluid\nshake: job\n", LOOM_EUSAGE, 4, 8, "feedback"},
    {"trace: LOG\nprocs: 4\nplatform: das3\n", LOOM_EUSAGE, 2, 8, "platform"},
    {"trace: LOG\npreset: zakay-ch6\n", LOOM_EUSAGE, 2, 9, "zakay-ch5"},
    {"trace: LOG\npreset: zakay-ch5\n", LOOM_EUSAGE, 2, 9, "add resample"},
    {"trace: LOG\ncorrection: double\n", LOOM_EUSAGE, 2, 13, "without predictor"},
    {"trace: LOG\npredictor: [recent2, recent3]\n", LOOM_EUSAGE, 2, 22, "did you mean 'recent2'"},
    {"trace: LOG\npredictor: 'minh2010:k1=0'\n", LOOM_ERANGE, 2, 13, "k1"},
    {"trace: LOG\npredictor: 'minh2010:k0=1'\n", LOOM_EUSAGE, 2, 13, "k0"},
    {"trace: LOG\npredictor: recent2\ncorrection: triple\n", LOOM_EUSAGE, 3, 13, "double"},
    {"trace: LOG\nestimates: [exact, 'f:x']\n", LOOM_EUSAGE, 2, 21, "f:"},
    {"trace: LOG\nwarm-up: long\n", LOOM_EUSAGE, 2, 10, "number of jobs"},
    {"trace: LOG\ncorrelation: 0.1\ncorrelation-degree: 0.2\n", LOOM_EUSAGE, 2, 14, "one of"},
    {"trace: LOG\nmetrics: [wait_mean_s, wait_mode_s]\n", LOOM_EUSAGE, 2, 24, "metric"},
    {"trace: LOG\nload: [0.5\n", LOOM_EFORMAT, 3, 1, "not YAML"},
    {"trace: LOG\nscheduler: easy\n\tload: 0.5\n", LOOM_EFORMAT, 3, 1, "a tab"},
    {"trace: LOG\nload: []\n", LOOM_EFORMAT, 2, 1, "empty"},
    {"trace: LOG\nload: {from: 1}\n", LOOM_EFORMAT, 2, 1, "a value"},
    {"trace: LOG\ncells: easy\n", LOOM_EFORMAT, 2, 1, "list of blocks"},
    {"trace: LOG\ncells:\n  - seed: 3\n", LOOM_EFORMAT, 3, 5, "whole plan"},
    {"trace: LOG\ncells:\n  - lod: 3\n", LOOM_EUSAGE, 3, 5, "did you mean 'load'"},
    {"trace: LOG\n---\nload: 0.5\n", LOOM_EFORMAT, 3, 1, "one document"},
    {"trace: LOG\n---\nload: [\n", LOOM_EFORMAT, 4, 1, "not YAML"},
    {"trace: LOG\nusers: [a, \"b\\nc\"]\n", LOOM_EUSAGE, 2, 13, "control character"},
    {"trace: LOG\n%load: 0.5\n", LOOM_EFORMAT, 2, 1, "directives"},
    {"trace: LOG\nname: ab\xff\n", LOOM_EFORMAT, 2, 9, "UTF-8"},
    {"- trace\n", LOOM_EFORMAT, 1, 1, "KEY: VALUE"},
    {"scheduler: easy\n", LOOM_EUSAGE, 0, 0, "trace or model"},
    {"", LOOM_EFORMAT, 1, 1, ""},
};

static void test_errors_have_a_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct loom_plan *plan = NULL;
        struct loom_error err = {0};
        int code = load_text(&plan, wrong[i].text, &err);
        if (code != wrong[i].code || err.line != wrong[i].line || err.column != wrong[i].column ||
            !strstr(err.message, wrong[i].words))
            fail_msg("%s-> %d at %" PRId64 ":%d: %s", wrong[i].text, code, err.line, err.column,
                     err.message);
        loom_plan_destroy(plan);
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

static void test_keys_are_crossed(void **state)
{
    struct loom_plan *plan = must_load("trace: LOG\nresample: true\nscheduler: [easy, fcfs]\n"
                                       "load: 0.5:0.7:0.1\nreplications: 4\n");
    struct loom_scenario scenario;
    (void)state;
    assert_int_equal(loom_plan_cells(plan), 6);
    assert_int_equal(loom_plan_runs(plan), 24);
    for (size_t i = 0; i < 6; i++) {
        assert_true(loom_plan_scenario(plan, i, 3, &scenario));
        assert_string_equal(scenario.policy, i < 3 ? "easy" : "fcfs");
        assert_true(fabs(scenario.load - (0.5 + 0.1 * (double)(i % 3))) < 1e-12);
        assert_int_equal(scenario.replication, 3);
        assert_non_null(scenario.resampler);
    }
    assert_false(loom_plan_scenario(plan, 0, 4, &scenario));
    assert_false(loom_plan_scenario(plan, 6, 0, &scenario));
    loom_plan_destroy(plan);
}

/* Blocks are crossed by themselves, stand in place of the plan's words, and share cells. */
static void test_blocks(void **state)
{
    struct loom_plan *plan = must_load("trace: LOG\nscheduler: easy\nload: 0.5\nreplications: 3\n"
                                       "cells:\n"
                                       "  - scheduler: [fcfs, easy]\n    load: [0.5, 0.70]\n"
                                       "  - load: [0.7, none]\n"
                                       "  - resample: [true, false]\n    estimates: exact\n");
    static const double loads[] = {0.5, 0.7, 0.5, 0.7, 0, 0.5, 0.5};
    struct loom_scenario scenario;
    (void)state;
    assert_int_equal(loom_plan_cells(plan), 7);
    assert_int_equal(loom_plan_runs(plan), 9); /* only the resampled cell is random */
    for (size_t i = 0; i < 7; i++) {
        assert_true(loom_plan_scenario(plan, i, 0, &scenario));
        assert_true(scenario.load == loads[i]);
        assert_int_equal(scenario.requests != NULL, i >= 5);
    }
    loom_plan_destroy(plan);
}

/* Predictors are crossed like policies, and a correction goes with those there are. */
static void test_predictors(void **state)
{
    struct loom_plan *plan =
        must_load("trace: LOG\nscheduler: [easy, fcfs]\npredictor: [none, recent2, "
                  "'minh2010:k1=3']\ncorrection: [incremental, double]\n");
    static const char *const names[] = {NULL, "recent2", "recent2", "minh2010:k1=3",
                                        "minh2010:k1=3"};
    struct loom_scenario scenario;
    (void)state;
    assert_int_equal(loom_plan_cells(plan), 10);
    for (size_t i = 0; i < 10; i++) {
        const char *name = names[i % 5];
        assert_true(loom_plan_scenario(plan, i, 0, &scenario));
        assert_string_equal(scenario.policy, i < 5 ? "easy" : "fcfs");
        assert_int_equal(scenario.predictor != NULL, name != NULL);
        if (!name)
            continue;
        assert_string_equal(scenario.predictor, name);
        assert_int_equal(scenario.correction,
                         i % 5 % 2 ? LOOM_CORRECTION_INCREMENTAL : LOOM_CORRECTION_DOUBLE);
        assert_string_equal(loom_store_setting(loom_plan_stored(plan, i), "predictor"), name);
    }
    assert_non_null(strstr(plan->metrics, "prediction_mae_s"));
    assert_null(strstr(plan->metrics, "wait_prediction"));
    loom_plan_destroy(plan);
    plan = must_load("trace: LOG\npredict-waits: [true, false]\n");
    assert_int_equal(loom_plan_cells(plan), 2);
    assert_true(loom_plan_scenario(plan, 0, 0, &scenario) && scenario.predict_waits);
    assert_true(loom_plan_scenario(plan, 1, 0, &scenario) && !scenario.predict_waits);
    assert_non_null(strstr(plan->metrics, "wait_prediction"));
    loom_plan_destroy(plan);
    plan = must_load("trace: LOG\nload: 0.5\nload-by: runtimes\ncells:\n  - load: [none, 0.7]\n");
    assert_int_equal(loom_plan_cells(plan), 2);
    assert_null(strstr(plan->metrics, "prediction_mae_s"));
    loom_plan_destroy(plan);
}

/* A parameter file is known by what is in it, and is noted as an input. */
static void test_predictor_files(void **state)
{
    static const char text[] = "{\"workloom\": \"predictor\", \"version\": 1, \"predictor\": "
                               "\"minh2010\", \"parameters\": {\"k1\": %d}}";
    char file[160], content[256], words[400];
    struct loom_plan *plans[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s/tuned-%d.json", scratch.directory, i);
        snprintf(content, sizeof content, text, i < 2 ? 3 : 4);
        store_text(file, content);
        snprintf(words, sizeof words, "trace: LOG\npredictor: %s\n", file);
        plans[i] = must_load(words);
        assert_int_equal(plans[i]->n_inputs, 2);
        assert_string_equal(plans[i]->inputs[1].key, file);
    }
    assert_string_equal(plans[0]->cells[0].hash, plans[1]->cells[0].hash);
    assert_string_not_equal(plans[0]->cells[0].hash, plans[2]->cells[0].hash);
    for (size_t i = 0; i < 3; i++)
        loom_plan_destroy(plans[i]);
}

/* A file that is called as a predictor, a platform or a model is neither read nor hashed. */
static void test_files_called_as_words(void **state)
{
    static const char *const names[] = {"recent2", "das3", "lublin2003"};
    static const char *const words[] = {
        "trace: LOG\npredictor: recent2\n",
        "trace: LOG\nplatform: das3\n",
        "trace: LOG\nplatform: das3\nbackground-model: lublin2003\n",
        "trace: LOG\nplatform: das3\nbackground-model: VU=lublin2003\n",
        "model: lublin2003\njobs: 10\n",
    };
    char *directory = getcwd(NULL, 0);
    (void)state;
    assert_int_equal(chdir(scratch.directory), 0);
    for (size_t i = 0; i < COUNT(words); i++) {
        struct loom_plan *plan = must_load(words[i]);
        for (size_t f = 0; f < COUNT(names); f++)
            store_text(names[f], "not what the word means");
        struct loom_plan *beside = must_load(words[i]);
        for (size_t f = 0; f < COUNT(names); f++)
            unlink(names[f]);
        assert_string_equal(beside->cells[0].hash, plan->cells[0].hash);
        assert_int_equal(beside->n_inputs, plan->n_inputs);
        loom_plan_destroy(plan);
        loom_plan_destroy(beside);
    }
    assert_int_equal(chdir(directory), 0);
    free(directory);
}

/* Copy a shared object and add a byte to it, which a loader does not look at. */
static void copy_plugin(const char *to, const char *from, int extra)
{
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_non_null(in);
    assert_non_null(out);
    for (int c; (c = getc(in)) != EOF;)
        putc(c, out);
    putc(extra, out);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* A plug-in is known by what is in it, too, but only where a policy of it may run. */
static void test_plugin_files(void **state)
{
    char file[160], words[400];
    struct loom_plan *plans[3];
    (void)state;
    for (int i = 0; i < 3; i++) {
        snprintf(file, sizeof file, "%s/policy-%d.so", scratch.directory, i);
        copy_plugin(file, EXAMPLES "/own_policy.so", i < 2 ? 'a' : 'b');
        snprintf(words, sizeof words, "trace: LOG\nplugin: %s\nscheduler: [easy, easy-short]\n",
                 file);
        plans[i] = must_load(words);
        assert_int_equal(plans[i]->n_cells, 2);
        assert_int_equal(plans[i]->n_inputs, 2);
        assert_string_equal(plans[i]->inputs[1].key, file);
    }
    for (size_t cell = 0; cell < 2; cell++)
        assert_string_equal(plans[0]->cells[cell].hash, plans[1]->cells[cell].hash);
    assert_string_equal(plans[0]->cells[0].hash, plans[2]->cells[0].hash);
    assert_string_not_equal(plans[0]->cells[1].hash, plans[2]->cells[1].hash);
    for (size_t i = 0; i < 3; i++)
        loom_plan_destroy(plans[i]);
}

/* For jobs of a model, none is a rule for requested times; for a log, it leaves them alone. */
static void test_no_estimates(void **state)
{
    struct loom_plan *plan = must_load("model: [none, lublin2003]\ntrace: [LOG, none]\n"
                                       "jobs: 100\nestimates: none\n"
                                       "cells:\n  - model: none\n    trace: LOG\n"
                                       "  - model: lublin2003\n    trace: none\n");
    struct loom_scenario scenario;
    (void)state;
    assert_int_equal(loom_plan_cells(plan), 2);
    assert_true(loom_plan_scenario(plan, 0, 0, &scenario));
    assert_non_null(scenario.trace);
    assert_null(scenario.requests);
    assert_true(loom_plan_scenario(plan, 1, 0, &scenario));
    assert_int_equal(scenario.generate.requests, LOOM_REQUESTS_NONE);
    loom_plan_destroy(plan);
}

/* A preset is the words that it stands for. */
static void test_presets(void **state)
{
    struct loom_plan *plan = must_load("trace: LOG\nresample: true\npreset: [none, zakay-ch5]\n");
    struct loom_plan *words = must_load("trace: LOG\nresample: true\npause: true\nstart: trace\n"
                                        "session-gap: 60\n"
                                        "feedback: 'fluid:late=moves,skipped=week'\n");
    struct loom_scenario scenario;
    (void)state;
    assert_int_equal(loom_plan_cells(plan), 2);
    assert_true(loom_plan_scenario(plan, 0, 0, &scenario));
    assert_null(scenario.users);
    assert_true(loom_plan_scenario(plan, 1, 0, &scenario));
    assert_string_equal(scenario.users->behaviour, "fluid:late=moves,skipped=week");
    assert_true(scenario.users->pauses);
    assert_string_equal(plan->cells[1].hash, words->cells[0].hash);
    loom_plan_destroy(plan);
    loom_plan_destroy(words);
}

/* What is set stands in place of the file's, and the text of the plan gives the same plan. */
static void test_words_that_are_set(void **state)
{
    struct loom_plan *plan = NULL, *again = NULL;
    struct loom_error err = {0};
    (void)state;
    store_text(plan_path, "scheduler: [easy, fcfs]\nload: 0.5\nmetrics: [wait_mean_s]\n"
                          "cells:\n  - resample: true\n");
    assert_int_equal(loom_plan_create(&plan, &err), 0);
    assert_int_equal(loom_plan_read(plan, plan_path, &err), 0);
    assert_int_equal(loom_plan_set(plan, "trace", log_path, &err), 0);
    assert_int_equal(loom_plan_set(plan, "load", "0.6", &err), 0);
    assert_int_equal(loom_plan_set(plan, "load", "0.8", &err), 0);
    assert_int_equal(loom_plan_set(plan, "weks", "1", &err), LOOM_EUSAGE);
    assert_int_equal(loom_plan_load(plan, NULL, &err), 0);
    assert_int_equal(loom_plan_cells(plan), 4);
    again = must_load(loom_plan_text(plan));
    assert_int_equal(loom_plan_cells(again), 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(plan->cells[i].hash, again->cells[i].hash);
    assert_string_equal(plan->metrics, "wait_mean_s");
    loom_plan_destroy(plan);
    loom_plan_destroy(again);
}

/* ---- identity -------------------------------------------------------------------------------- */

/* Runs are known by what they are, whatever else is in the plan and however it is written. */
static void test_identity(void **state)
{
    struct loom_plan *a = must_load("trace: LOG\nresample: true\nload: [0.7, 0.9]\n");
    struct loom_plan *b =
        must_load("name: other\ntrace: LOG\nscheduler: [conservative, easy]\n"
                  "load: 0.90\nresample: true\noverrun: raise\nreplications: 3\n");
    struct loom_plan *other = must_load("trace: LOG\nresample: true\nload: 0.9\nseed: 2\n");
    char x[LOOM_HASH_TEXT], y[LOOM_HASH_TEXT];
    (void)state;
    loom_plan_run_hash(x, &a->cells[1], 2);
    loom_plan_run_hash(y, &b->cells[1], 2);
    assert_string_equal(x, y);
    loom_plan_run_hash(y, &b->cells[1], 1);
    assert_string_not_equal(x, y);
    loom_plan_run_hash(y, &b->cells[0], 2);
    assert_string_not_equal(x, y);
    loom_plan_run_hash(y, &other->cells[0], 2);
    assert_string_not_equal(x, y);
    assert_true(a->cells[0].scenario.seed == b->cells[0].scenario.seed);
    assert_true(a->cells[0].scenario.seed != other->cells[0].scenario.seed);
    loom_plan_destroy(a);
    loom_plan_destroy(b);
    loom_plan_destroy(other);
}

/* Policies and loads of a source are one workload; a change of it is another, with the same seed.
 */
/* Every word of a source makes another source: selections and changes that cells differ in must not
 * share one. */
static void test_sources_are_apart(void **state)
{
    static const char *const words[] = {
        "window: [whole, complete]", "from-time: [none, '2000']", "first: [100, 200]",
        "job-procs: ['1:2', '1:4']", "max-procs: [64, 128]",      "skip-bad-lines: [true, false]",
    };
    static const char *const resampled[] = {
        "fresh-names: [false, true]", "weeks: [2, 3]",      "clock: [seconds, wall]",
        "long-term-weeks: [2, 3]",    "edge-weeks: [0, 1]", "start: [trace, activity]",
        "shake: [none, job]",         "locality: [0, 0.5]", "source-procs: [64, 256]",
    };
    char text[400];
    (void)state;
    for (size_t i = 0; i < COUNT(words); i++) {
        snprintf(text, sizeof text, "trace: LOG\n%s\n", words[i]);
        struct loom_plan *plan = must_load(text);
        assert_int_equal(plan->n_cells, 2);
        if (plan->cells[0].scenario.trace == plan->cells[1].scenario.trace)
            fail_msg("%s: one log for both cells", words[i]);
        loom_plan_destroy(plan);
    }
    for (size_t i = 0; i < COUNT(resampled); i++) {
        snprintf(text, sizeof text, "trace: LOG\nresample: true\n%s\n", resampled[i]);
        struct loom_plan *plan = must_load(text);
        assert_int_equal(plan->n_cells, 2);
        if (plan->cells[0].scenario.resampler == plan->cells[1].scenario.resampler)
            fail_msg("%s: one resampler for both cells", resampled[i]);
        loom_plan_destroy(plan);
    }
}

/* Write a log of 40 jobs, of which the first has no allocated processors, or (bare) none has. */
static void write_unknown(char *path, size_t size, bool bare)
{
    struct loom_trace *trace = empty_trace();
    snprintf(path, size, "%s/%s.swf", scratch.directory, bare ? "bare" : "partly");
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "8", NULL), 0);
    for (int i = 0; i < 40; i++) {
        struct loom_job job = loom_job_unknown();
        job.number = i + 1;
        job.submit_s = 100 * i;
        job.run_s = 60;
        job.req_procs = 2;
        job.alloc_procs = bare || i == 0 ? -1 : 2;
        append(trace, job);
    }
    must_write(trace, path);
    loom_trace_destroy(trace);
}

/* A plan selects the jobs that simulate does: those that ran, or all where that is unknown. The
 * selection is part of what a run is known by, given or not. */
static void test_default_selection(void **state)
{
    static const struct {
        bool bare;
        const char *words, *select;
        int64_t jobs, left_out;
    } cases[] = {
        {false, "", "ran", 39, 1},
        {false, "select: ran\n", "ran", 39, 1},
        {false, "select: all\n", "all", 40, 0},
        {true, "", "all", 40, 0},
    };
    char path[160], text[300], hashes[COUNT(cases)][LOOM_HASH_TEXT];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_unknown(path, sizeof path, cases[i].bare);
        snprintf(text, sizeof text, "trace: %s\n%s", path, cases[i].words);
        struct loom_plan *plan = must_load(text);
        const struct loom_plan_log *log = loom_plan_log(plan, 0);
        assert_non_null(log);
        assert_null(loom_plan_log(plan, 1));
        assert_string_equal(log->path, path);
        assert_string_equal(log->select, cases[i].select);
        assert_int_equal(log->jobs, cases[i].jobs);
        assert_int_equal(log->left_out, cases[i].left_out);
        assert_int_equal(loom_trace_count(plan->cells[0].scenario.trace), cases[i].jobs);
        memcpy(hashes[i], plan->cells[0].hash, sizeof hashes[i]);
        assert_non_null(strstr(plan->cells[0].identity, "\nselect="));
        loom_plan_destroy(plan);
    }
    assert_string_equal(hashes[0], hashes[1]);
    assert_string_not_equal(hashes[0], hashes[2]);
}

/* Logs that are mixed are one source, with a seed and jobs of its own. */
static void test_mixed_logs(void **state)
{
    struct loom_plan *plan = must_load("trace: LOG\nresample: true\nscheduler: [easy, fcfs]\n"
                                       "cells:\n  - mix: LOG\n    weeks: 2\n  - weeks: 2\n");
    const struct loom_plan_cell *cells = plan->cells;
    (void)state;
    assert_int_equal(plan->n_cells, 4);
    assert_ptr_equal(cells[0].scenario.resampler, cells[1].scenario.resampler);
    assert_ptr_not_equal(cells[0].scenario.resampler, cells[2].scenario.resampler);
    assert_int_equal(cells[0].scenario.seed, cells[1].scenario.seed);
    assert_true(cells[0].scenario.seed != cells[2].scenario.seed);
    assert_string_equal(cells[0].stored.trace, "log+log");
    assert_string_equal(cells[2].stored.trace, "log");
    struct loom_outcome *mixed = must_succeed(&cells[0].scenario, NULL);
    struct loom_outcome *single = must_succeed(&cells[2].scenario, NULL);
    assert_true(loom_outcome_value(mixed, "jobs") > 0);
    assert_true(loom_outcome_value(mixed, "wait_mean_s") !=
                loom_outcome_value(single, "wait_mean_s"));
    loom_outcome_destroy(mixed);
    loom_outcome_destroy(single);
    loom_plan_destroy(plan);
}

/* A model, and a resampled log, make jobs for the machine that source-procs names. */
static void test_source_procs(void **state)
{
    static const char *const sources[] = {"model: lublin2003\njobs: 100\n",
                                          "trace: LOG\nresample: true\n"};
    char text[300];
    (void)state;
    for (size_t i = 0; i < COUNT(sources); i++) {
        snprintf(text, sizeof text, "%ssource-procs: [64, 512]\n", sources[i]);
        struct loom_plan *plan = must_load(text);
        assert_int_equal(plan->n_cells, 2);
        for (size_t k = 0; k < 2; k++) {
            struct loom_outcome *outcome = must_succeed(&plan->cells[k].scenario, NULL);
            assert_int_equal(loom_outcome_procs(outcome), k == 0 ? 64 : 512);
            loom_outcome_destroy(outcome);
        }
        loom_plan_destroy(plan);
    }
}

static void test_workloads(void **state)
{
    struct loom_plan *plan =
        must_load("trace: LOG\nresample: true\nscheduler: [easy, fcfs]\nload: [0.7, 0.9]\n"
                  "load-factor: [1, 1.5]\n");
    (void)state;
    assert_int_equal(loom_plan_cells(plan), 8);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(plan->cells[i].workload, i / 4);
        assert_true(plan->cells[i].scenario.seed == plan->cells[0].scenario.seed);
    }
    loom_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_have_a_place),
        cmocka_unit_test(test_keys_are_crossed),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_predictors),
        cmocka_unit_test(test_predictor_files),
        cmocka_unit_test(test_files_called_as_words),
        cmocka_unit_test(test_plugin_files),
        cmocka_unit_test(test_no_estimates),
        cmocka_unit_test(test_presets),
        cmocka_unit_test(test_words_that_are_set),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_sources_are_apart),
        cmocka_unit_test(test_default_selection),
        cmocka_unit_test(test_mixed_logs),
        cmocka_unit_test(test_source_procs),
        cmocka_unit_test(test_workloads),
    };
    return cmocka_run_group_tests(tests, open_files, close_scratch);
}
