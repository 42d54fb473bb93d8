/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Logs, features and results of trials, each made once for all claims that need it. */
#include "reproduce/bench.h"
#include "reproduce/identity.h"
#include "reproduce/trial.h"

#include "base/vec.h"

#include <workloom/report.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Jobs of a log after a selection, and their features. `key` is the path, the words of the
 * selection and of the definitions. */
struct bench_jobs {
    char *key;
    struct loom_trace *trace;
    struct loom_features *features; /* NULL: not yet wanted */
};

struct bench_trial {
    const struct loom_trial *trial;
    const char *path;
    struct loom_run_results *results;
};

/* A table of jobs, by their key. */
struct bench_table {
    char *jobs, *name;
    json_t *document;
};

/* Features of drawn workloads, by replication. */
struct bench_drawn {
    loom_measure_fn *measure;
    const char *path, *with;
    struct loom_features **features;
    size_t n;
};

struct loom_bench {
    struct loom_reproduce_options options;
    struct loom_log_files files;
    uint64_t program;
    struct bench_jobs *jobs;
    size_t n_jobs, jobs_capacity;
    struct bench_trial *trials;
    size_t n_trials, trials_capacity;
    struct bench_drawn *drawn;
    size_t n_drawn, drawn_capacity;
    struct bench_table *tables;
    size_t n_tables, tables_capacity;
};

int loom_bench_create(struct loom_bench **out, const struct loom_reproduce_options *options,
                      struct loom_error *err)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return loom_fail_memory(err);
    (*out)->options = *options;
    int rc = options->db ? loom_program_hash(&(*out)->program, err) : 0;
    if (!rc)
        rc = loom_log_files_create(&(*out)->files, options->logs, err);
    if (rc) {
        free(*out);
        *out = NULL;
    }
    return rc;
}

static void free_table(struct bench_table *table)
{
    free(table->jobs);
    free(table->name);
    json_decref(table->document);
}

static void free_features(struct loom_features **features, size_t n)
{
    for (size_t i = 0; i < n; i++)
        loom_features_destroy(features[i]);
    free(features);
}

void loom_bench_destroy(struct loom_bench *bench)
{
    if (!bench)
        return;
    for (size_t i = 0; i < bench->n_jobs; i++) {
        free(bench->jobs[i].key);
        loom_features_destroy(bench->jobs[i].features);
        loom_trace_destroy(bench->jobs[i].trace);
    }
    for (size_t i = 0; i < bench->n_trials; i++)
        loom_results_destroy(bench->trials[i].results);
    for (size_t i = 0; i < bench->n_drawn; i++)
        free_features(bench->drawn[i].features, bench->drawn[i].n);
    for (size_t i = 0; i < bench->n_tables; i++)
        free_table(&bench->tables[i]);
    free(bench->tables);
    free(bench->jobs);
    free(bench->trials);
    free(bench->drawn);
    loom_log_files_free(&bench->files);
    free(bench);
}

const struct loom_reproduce_options *loom_bench_options(const struct loom_bench *bench)
{
    return &bench->options;
}

uint64_t loom_bench_program(const struct loom_bench *bench)
{
    return bench->program;
}

void loom_bench_choose(const struct loom_bench *bench, const struct loom_claim *claim,
                       const char **path, bool *substitute)
{
    *substitute = false;
    *path = claim->log ? loom_log_files_path(&bench->files, loom_log_find(claim->log)) : NULL;
    if (*path || !claim->instead)
        return;
    *path = loom_log_files_path(&bench->files, loom_log_find(claim->instead));
    *substitute = *path != NULL;
}

const char *loom_bench_path(const struct loom_bench *bench, const struct loom_claim *claim)
{
    const char *path;
    bool substitute;
    loom_bench_choose(bench, claim, &path, &substitute);
    return path;
}

int loom_claim_quick(const struct loom_claim *claim)
{
    return claim->trial ? claim->trial->quick : claim->quick;
}

size_t loom_claim_full(const struct loom_claim *claim)
{
    return (size_t)(claim->trial ? claim->trial->full : claim->full);
}

int loom_bench_replications(const struct loom_bench *bench, const struct loom_claim *claim)
{
    return bench->options.quick ? loom_claim_quick(claim) : (int)loom_claim_full(claim);
}

bool loom_with(const struct loom_claim *claim, const char *key, char *buf, size_t size)
{
    size_t length = strlen(key);
    for (const char *word = claim->with; word && *word; word += strspn(word, " ")) {
        size_t end = strcspn(word, " ");
        if (end > length && strncmp(word, key, length) == 0 && word[length] == '=') {
            snprintf(buf, size, "%.*s", (int)(end - length - 1), word + length + 1);
            return true;
        }
        word += end;
    }
    return false;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Words that select jobs, and words that define features; the others belong to the measure. */
static const char *const selecting[] = {"select",    "job-procs", "users", "queues",
                                        "from-time", "to-time",   "first"};
static const char *const defining[] = {"rate-interval", "bag-gap"};

static int apply_selection(struct loom_trace *trace, const struct loom_claim *claim,
                           struct loom_error *err)
{
    const struct loom_param *const lists[] = {loom_select_params, NULL};
    struct loom_params *params = NULL;
    char value[128];
    uint8_t *keep = malloc(loom_trace_count(trace) + 1);
    int rc = keep ? loom_params_create(&params, lists, err) : loom_fail_memory(err);
    for (size_t i = 0; i < sizeof selecting / sizeof *selecting && !rc; i++)
        if (loom_with(claim, selecting[i], value, sizeof value))
            rc = loom_params_set(params, selecting[i], value, err);
    if (!rc)
        rc = loom_select(keep, trace, params, err);
    if (!rc)
        loom_trace_keep(trace, keep);
    loom_params_destroy(params);
    free(keep);
    return rc;
}

static int read_jobs(struct bench_jobs *out, struct loom_bench *bench, const char *path,
                     const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_read_options options = {.pool = bench->options.pool};
    int rc = loom_trace_read(&out->trace, path, &options, err);
    if (!rc)
        rc = apply_selection(out->trace, claim, err);
    if (!rc && loom_trace_count(out->trace) == 0)
        rc = loom_fail(err, LOOM_EDATA, "the selection leaves no jobs");
    return rc;
}

/* Append those of n words that claim->with has. Returns the length of the key. */
static size_t describe_words(char *key, size_t size, size_t used, const struct loom_claim *claim,
                             const char *const *words, size_t n)
{
    char value[128];
    for (size_t i = 0; i < n && used < size; i++)
        if (loom_with(claim, words[i], value, sizeof value))
            used += (size_t)snprintf(key + used, size - used, " %s=%s", words[i], value);
    return used;
}

/* Write the path, and the words of claim->with that select jobs or define features. */
static void describe_jobs(char *key, size_t size, const char *path, const struct loom_claim *claim)
{
    size_t used = (size_t)snprintf(key, size, "%s", path);
    used = describe_words(key, size, used, claim, selecting, sizeof selecting / sizeof *selecting);
    describe_words(key, size, used, claim, defining, sizeof defining / sizeof *defining);
}

static int find_jobs(struct bench_jobs **out, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    char key[4096];
    const char *path = loom_bench_path(bench, claim);
    describe_jobs(key, sizeof key, path, claim);
    for (size_t i = 0; i < bench->n_jobs; i++)
        if (strcmp(bench->jobs[i].key, key) == 0) {
            *out = &bench->jobs[i];
            return 0;
        }
    if (loom_grow(&bench->jobs, bench->n_jobs, &bench->jobs_capacity))
        return loom_fail_memory(err);
    struct bench_jobs jobs = {.key = strdup(key)};
    int rc = jobs.key ? read_jobs(&jobs, bench, path, claim, err) : loom_fail_memory(err);
    if (rc) {
        loom_trace_destroy(jobs.trace);
        free(jobs.key);
        return rc;
    }
    *out = &bench->jobs[bench->n_jobs];
    bench->jobs[bench->n_jobs++] = jobs;
    return 0;
}

int loom_bench_jobs(const struct loom_trace **out, struct loom_bench *bench,
                    const struct loom_claim *claim, struct loom_error *err)
{
    struct bench_jobs *jobs;
    int rc = find_jobs(&jobs, bench, claim, err);
    if (!rc)
        *out = jobs->trace;
    return rc;
}

struct loom_definitions loom_claim_definitions(const struct loom_claim *claim)
{
    struct loom_definitions definitions = {0};
    char value[32];
    if (loom_with(claim, "rate-interval", value, sizeof value))
        definitions.rate_interval_s = strtoll(value, NULL, 10);
    if (loom_with(claim, "bag-gap", value, sizeof value))
        definitions.bag_gap_s = strtoll(value, NULL, 10);
    return definitions;
}

int loom_bench_features(const struct loom_features **out, struct loom_bench *bench,
                        const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_definitions definitions = loom_claim_definitions(claim);
    struct bench_jobs *jobs;
    int rc = find_jobs(&jobs, bench, claim, err);
    if (!rc && !jobs->features)
        rc = loom_features_create_by(&jobs->features, jobs->trace, &definitions,
                                     bench->options.pool, NULL, err);
    if (!rc)
        *out = jobs->features;
    return rc;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int make_table(struct bench_table *out, struct loom_bench *bench,
                      const struct loom_claim *claim, struct loom_error *err)
{
    struct loom_report_options options = {.only = out->name,
                                          .seed = bench->options.seed,
                                          .rounds = (size_t)loom_bench_replications(bench, claim)};
    const struct loom_features *features = NULL;
    const struct loom_trace *jobs = NULL;
    struct loom_report *report = NULL;
    int rc = loom_bench_features(&features, bench, claim, err);
    if (!rc)
        rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = loom_report_create_with(&report, jobs, features, &options, bench->options.pool, err);
    if (!rc && !(out->document = loom_report_table_json(report, out->name)))
        rc = loom_fail_memory(err);
    loom_report_destroy(report);
    return rc;
}

static int find_table(struct bench_table **out, struct loom_bench *bench,
                      const struct loom_claim *claim, const char *name, struct loom_error *err)
{
    char key[4096];
    describe_jobs(key, sizeof key, loom_bench_path(bench, claim), claim);
    for (size_t i = 0; i < bench->n_tables; i++)
        if (strcmp(bench->tables[i].jobs, key) == 0 && strcmp(bench->tables[i].name, name) == 0) {
            *out = &bench->tables[i];
            return 0;
        }
    if (loom_grow(&bench->tables, bench->n_tables, &bench->tables_capacity))
        return loom_fail_memory(err);
    struct bench_table table = {.jobs = strdup(key), .name = strdup(name)};
    int rc =
        table.jobs && table.name ? make_table(&table, bench, claim, err) : loom_fail_memory(err);
    if (rc) {
        free_table(&table);
        return rc;
    }
    *out = &bench->tables[bench->n_tables];
    bench->tables[bench->n_tables++] = table;
    return 0;
}

int loom_bench_table(struct json_t **rows, struct loom_bench *bench, const struct loom_claim *claim,
                     const char *name, struct loom_error *err)
{
    struct bench_table *table;
    int rc = find_table(&table, bench, claim, name, err);
    if (rc)
        return rc;
    const char *reason = json_string_value(json_object_get(table->document, "reason"));
    *rows = json_object_get(table->document, "rows");
    return json_is_array(*rows) ? 0 : loom_fail(err, LOOM_EDATA, "%s", reason ? reason : "no data");
}

/* ---- drawn workloads ------------------------------------------------------------------------- */

static const struct bench_drawn *find_drawn(const struct loom_bench *bench,
                                            const struct loom_claim *claim)
{
    const char *path = loom_bench_path(bench, claim);
    size_t n = (size_t)loom_bench_replications(bench, claim);
    for (size_t i = 0; i < bench->n_drawn; i++) {
        const struct bench_drawn *drawn = &bench->drawn[i];
        if (drawn->measure == claim->measure && drawn->path == path && drawn->n == n &&
            strcmp(drawn->with, claim->with ? claim->with : "") == 0)
            return drawn;
    }
    return NULL;
}

bool loom_bench_has_drawn(const struct loom_bench *bench, const struct loom_claim *claim)
{
    return find_drawn(bench, claim) != NULL;
}

static int draw_features(struct loom_features **out, const struct loom_bench *bench,
                         const struct loom_claim *claim, loom_draw_fn *draw, void *context,
                         uint64_t replication, struct loom_error *err)
{
    struct loom_definitions definitions = loom_claim_definitions(claim);
    struct loom_trace *trace = NULL;
    struct loom_pool *pool = bench->options.pool;
    int rc = draw(&trace, context, replication, pool, err);
    if (!rc)
        rc = loom_features_create_by(out, trace, &definitions, pool, NULL, err);
    loom_trace_destroy(trace);
    return rc;
}

int loom_bench_drawn(struct loom_features *const **out, size_t *n, struct loom_bench *bench,
                     const struct loom_claim *claim, loom_draw_fn *draw, void *context,
                     struct loom_error *err)
{
    const struct bench_drawn *found = find_drawn(bench, claim);
    *n = (size_t)loom_bench_replications(bench, claim);
    if (found) {
        *out = found->features;
        return 0;
    }
    struct bench_drawn drawn = {.measure = claim->measure,
                                .path = loom_bench_path(bench, claim),
                                .with = claim->with ? claim->with : "",
                                .features = calloc(*n + 1, sizeof *drawn.features),
                                .n = *n};
    if (!drawn.features || loom_grow(&bench->drawn, bench->n_drawn, &bench->drawn_capacity)) {
        free(drawn.features);
        return loom_fail_memory(err);
    }
    int rc = 0;
    for (size_t i = 0; i < *n && !rc; i++)
        rc = draw_features(&drawn.features[i], bench, claim, draw, context, i, err);
    if (rc) {
        free_features(drawn.features, *n);
        return rc;
    }
    bench->drawn[bench->n_drawn++] = drawn;
    *out = drawn.features;
    return 0;
}

/* ---- trials ---------------------------------------------------------------------------------- */

int loom_bench_trial(const struct loom_run_results **out, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    const char *path = loom_bench_path(bench, claim);
    struct bench_trial trial = {.trial = claim->trial, .path = path};
    for (size_t i = 0; i < bench->n_trials; i++)
        if (bench->trials[i].trial == claim->trial && bench->trials[i].path == path) {
            *out = bench->trials[i].results;
            return 0;
        }
    if (loom_grow(&bench->trials, bench->n_trials, &bench->trials_capacity))
        return loom_fail_memory(err);
    int rc = loom_trial_run(&trial.results, bench, claim, err);
    if (rc)
        return rc;
    bench->trials[bench->n_trials++] = trial;
    *out = trial.results;
    return 0;
}

int loom_measured_mean(struct loom_measured *out, const double *values, size_t n,
                       struct loom_error *err)
{
    struct loom_interval interval = {0};
    if (n == 0)
        return loom_fail(err, LOOM_EDATA, "no replication has a value");
    out->n = n;
    if (n == 1) {
        out->value = values[0];
        return 0;
    }
    int rc = loom_mean_interval(&interval, values, n, NULL, err);
    out->value = interval.estimate;
    out->low = interval.low;
    out->high = interval.high;
    out->has_interval = true;
    return rc;
}
