/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents of models with one thing wrong in them, as a slip of the hand or malice has it: every
 * number replaced by others, every list cut or emptied, every key taken away. Each is refused with
 * the key at fault, or generates sound jobs in little time, or says why it cannot.
 *
 * Of a long list, the first item and the last number stand for all; requested times, which are
 * alike in all models, are tried in the first one. Keys that must be there, and values of another
 * type, are test_models.c's.
 */
#include "support.h"

#include <workloom/models.h>

#include <jansson.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { LOG_JOBS = 800, JOBS = 200, MOST_S = 10 /* of the processor */ };

/* ---- a log ----------------------------------------------------------------------------------- */

/* Of a dozen users who come back for a few jobs at a time, in a batch and an interactive queue. */
static struct loom_trace *make_log(void)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 3, 0, "log");
    double clock_s = 0;
    for (int i = 0; i < LOG_JOBS; i++) {
        struct loom_job job = loom_job_unknown();
        clock_s -= (i % 4 ? 20 : 3000) * log(1 - loom_stream_uniform(&stream));
        int size = (int)loom_stream_below(&stream, 6);
        job.number = i + 1;
        job.submit_s = (int64_t)clock_s;
        job.run_s = (int64_t)exp(1 + size + 3 * loom_stream_uniform(&stream));
        job.alloc_procs = job.req_procs = (1 << size) + (size > 1 && i % 5 == 0);
        job.request_s = job.run_s < 900 ? 900 : 7200;
        job.status = LOOM_STATUS_COMPLETED;
        job.user = i / 4 % 12;
        job.group = job.user % 3;
        job.executable = size;
        job.queue = size < 2 ? 0 : 1;
        append(trace, job);
    }
    assert_int_equal(loom_trace_add_directive(trace, "MaxProcs", "64", NULL), 0);
    return trace;
}

/* ---- one change ------------------------------------------------------------------------------ */

struct damage {
    const struct loom_model_info *info;
    json_t *document;
    const char *file;
    int tried, generated;
};

static char at_hand[200]; /* what is being tried, for the alarm */

static void too_long(int signal)
{
    (void)signal;
    static const char text[] = " takes too long\n";
    if (write(STDERR_FILENO, at_hand, strlen(at_hand)) < 0 ||
        write(STDERR_FILENO, text, sizeof text - 1) < 0)
        _exit(2);
    _exit(1);
}

static void check_jobs(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t most = loom_trace_machine(trace)->max_procs;
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->submit_s[i] < (i ? jobs->submit_s[i - 1] : 0) || jobs->run_s[i] < -1 ||
            jobs->req_procs[i] == 0 || jobs->req_procs[i] > most || jobs->request_s[i] < -1)
            fail_msg("%s: job %zu: submit %lld, run %lld, procs %d, asked %lld", at_hand, i + 1,
                     (long long)jobs->submit_s[i], (long long)jobs->run_s[i], jobs->req_procs[i],
                     (long long)jobs->request_s[i]);
}

/* A load, which takes many tries, is asked for where the log's machine changes. */
static void generate(struct damage *damage, const struct loom_model *model, const char *path)
{
    static const struct loom_generate_options options[] = {
        {.seed = 1, .jobs = JOBS},
        {.seed = 1, .jobs = JOBS, .days = 3, .procs = 100},
        {.seed = 1, .jobs = JOBS, .load = 0.5},
    };
    for (size_t i = 0; i < COUNT(options); i++) {
        struct loom_error err = {0};
        struct loom_trace *trace = NULL;
        bool loads = !damage->info->arrivals_only && strcmp(path, ".log.procs") == 0;
        if (options[i].load > 0 && !loads)
            continue;
        int rc = loom_model_generate(&trace, model, &options[i], NULL, &err);
        if (rc && (rc == LOOM_EUSAGE || strlen(err.message) < 20))
            fail_msg("%s: %d, '%s'", at_hand, rc, err.message);
        if (!rc)
            check_jobs(trace);
        damage->generated += !rc;
        loom_trace_destroy(trace);
    }
}

/* The document as it is now. */
static void try(struct damage *damage, const char *path, const char *change)
{
    static const struct itimerval most = {.it_value.tv_sec = MOST_S}, none;
    struct loom_error err = {0};
    struct loom_model *model = NULL;
    snprintf(at_hand, sizeof at_hand, "%s: %s %s", damage->info->name, path, change);
    assert_int_equal(json_dump_file(damage->document, damage->file, 0), 0);
    assert_int_equal(setitimer(ITIMER_PROF, &most, NULL), 0);
    int rc = loom_model_load(&model, damage->file, NULL, 0, &err);
    if (rc && (rc != LOOM_EFORMAT || !strchr(err.message, ' ')))
        fail_msg("%s: %d, '%s'", at_hand, rc, err.message);
    if (!rc)
        generate(damage, model, path);
    assert_int_equal(setitimer(ITIMER_PROF, &none, NULL), 0);
    damage->tried++;
    loom_model_destroy(model);
}

/* ---- all changes ----------------------------------------------------------------------------- */

/* Put `value`, which is taken over, in the place of a key or an item. */
static void put(json_t *within, const char *key, size_t index, json_t *value)
{
    assert_int_equal(json_is_array(within) ? json_array_set_new(within, index, value)
                                           : json_object_set_new(within, key, value),
                     0);
}

static void change_number(struct damage *damage, json_t *within, const char *key, size_t index,
                          const char *path)
{
    static const char *const numbers[] = {"0",         "-1",         "1",
                                          "1e-9",      "1e15",       "100000",
                                          "1.0000001", "2147483647", "9223372036854775807",
                                          "\"nan\""};
    json_t *old =
        json_is_array(within) ? json_array_get(within, index) : json_object_get(within, key);
    json_incref(old);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        put(within, key, index, json_loads(numbers[i], JSON_DECODE_ANY, NULL));
        try(damage, path, numbers[i]);
    }
    put(within, key, index, old);
}

static void change_all(struct damage *damage, json_t *value, const char *path);

static void change(struct damage *damage, json_t *within, const char *key, size_t index,
                   const char *path)
{
    char inner[160];
    json_t *value;
    if (json_is_array(within)) {
        snprintf(inner, sizeof inner, "%s[%zu]", path, index);
        value = json_array_get(within, index);
    } else {
        snprintf(inner, sizeof inner, "%s.%s", path, key);
        value = json_object_get(within, key);
    }
    if (json_is_number(value))
        change_number(damage, within, key, index, inner);
    else
        change_all(damage, value, inner);
}

static void change_list(struct damage *damage, json_t *list, const char *path)
{
    size_t n = json_array_size(list);
    json_t *whole = json_copy(list);
    if (n > 0) {
        change(damage, list, NULL, 0, path);
        if (n > 1 && json_is_number(json_array_get(list, n - 1)))
            change(damage, list, NULL, n - 1, path);
        json_array_append(list, json_array_get(whole, n - 1));
        try(damage, path, "longer");
        json_array_remove(list, n);
        json_array_remove(list, n - 1);
        try(damage, path, "shorter");
    }
    json_array_clear(list);
    try(damage, path, "empty");
    assert_int_equal(json_array_extend(list, whole), 0);
    json_decref(whole);
}

static void change_object(struct damage *damage, json_t *object, const char *path)
{
    json_t *whole = json_copy(object), *value;
    const char *key;
    json_object_foreach(whole, key, value)
    {
        change(damage, object, key, 0, path);
        json_object_del(object, key);
        try(damage, path, key);
        assert_int_equal(json_object_set(object, key, value), 0);
    }
    json_decref(whole);
}

static void change_all(struct damage *damage, json_t *value, const char *path)
{
    if (json_is_object(value))
        change_object(damage, value, path);
    else if (json_is_array(value))
        change_list(damage, value, path);
}

/* ---- every model ----------------------------------------------------------------------------- */

static struct loom_model *fit(const char *name, const char *settings, struct loom_trace *log)
{
    struct loom_error err = {0};
    struct loom_params *params = NULL;
    const struct loom_model_info *info = NULL;
    struct loom_model *model = NULL;
    char text[80];
    snprintf(text, sizeof text, "%s%s", name, settings);
    if (loom_model_parse(&info, &params, text, &err) ||
        loom_model_fit(&model, name, log, params, NULL, &err))
        fail_msg("%s: %s", text, err.message);
    loom_params_destroy(params);
    return model;
}

static void damage_document(const char *name, const char *settings, bool estimates,
                            struct loom_trace *log, const char *file)
{
    struct damage damage = {.file = file};
    struct loom_model *model = fit(name, settings, log);
    struct loom_output *out = NULL;
    assert_int_equal(loom_output_create(&out, file, NULL), 0);
    assert_int_equal(loom_model_save(model, out, NULL), 0);
    assert_int_equal(loom_output_commit(out, NULL), 0);
    loom_output_destroy(out);
    damage.info = loom_model_info(model);
    damage.document = json_load_file(file, 0, NULL);
    assert_non_null(damage.document);
    if (!estimates)
        json_object_del(damage.document, "estimates");
    change_all(&damage, damage.document, "");
    assert_true(damage.generated > 0 && damage.tried > damage.generated / 3);
    json_decref(damage.document);
    loom_model_destroy(model);
}

static void survives_any_document(void **state)
{
    (void)state;
    static const struct {
        const char *name, *settings;
    } more[] = {{"minh2012", ":variant=improved"}, {"mmwm", ":variant=improved"},
                {"lublin2003", ":variant=mix"},    {"lublin2003", ":runtimes=work"},
                {"downey97", ":speedup=sevcik"},   {"uniform", ":arrivals=mmwm"}};
    struct scratch scratch;
    const struct loom_model_info *info;
    struct loom_trace *log = make_log();
    signal(SIGPROF, too_long);
    assert_int_equal(scratch_open(&scratch, "model.json"), 0);
    for (size_t i = 0; (info = loom_model_at(i)); i++)
        if (info->can_fit)
            damage_document(info->name, "", i == 0, log, scratch.file);
    for (size_t i = 0; i < COUNT(more); i++)
        damage_document(more[i].name, more[i].settings, false, log, scratch.file);
    assert_int_equal(scratch_close(&scratch), 0);
    loom_trace_destroy(log);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(survives_any_document),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
