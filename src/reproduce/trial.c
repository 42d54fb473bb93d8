/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trials: plans made of the words of an item, run into a database. */
#include "reproduce/trial.h"

#include "base/hash.h"

#include <workloom/experiment_plan.h>
#include <workloom/models.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH_SIZE = 4096 };

/* ---- words ----------------------------------------------------------------------------------- */

static int set_word(struct loom_plan *plan, const char *word, struct loom_error *err)
{
    char key[64];
    const char *equals = strchr(word, '=');
    if (!equals)
        return loom_plan_set(plan, word, NULL, err);
    snprintf(key, sizeof key, "%.*s", (int)(equals - word), word);
    return loom_plan_set(plan, key, equals + 1, err);
}

static int set_words(struct loom_plan *plan, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    char number[32];
    const char *path = loom_bench_path(bench, claim);
    int rc = path ? loom_plan_set(plan, "trace", path, err) : 0;
    for (size_t i = 0; claim->trial->words[i] && !rc; i++)
        rc = set_word(plan, claim->trial->words[i], err);
    snprintf(number, sizeof number, "%d", loom_bench_replications(bench, claim));
    if (!rc)
        rc = loom_plan_set(plan, "replications", number, err);
    snprintf(number, sizeof number, "%llu", (unsigned long long)loom_bench_options(bench)->seed);
    return rc ? rc : loom_plan_set(plan, "seed", number, err);
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Hash the words of a trial and the program: where one of them changes, another database is used.
 */
static uint64_t hash_words(const struct loom_trial *trial, uint64_t program)
{
    uint64_t hash = program;
    for (size_t i = 0; trial->words[i]; i++)
        hash = hash * 31 + loom_hash(trial->words[i], strlen(trial->words[i]));
    for (size_t i = 0; trial->local && trial->local[i]; i++)
        hash = hash * 31 + loom_hash(trial->local[i], strlen(trial->local[i]));
    return hash;
}

/* Write the path of the database of a trial: beside the database of claims, so that a trial
 * continues too, or a temporary file. */
static int name_database(char *path, size_t size, const struct loom_bench *bench,
                         const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(bench);
    if (options->db) {
        snprintf(path, size, "%s.%s.%s.%s.%08x", options->db, claim->trial->name,
                 claim->log ? claim->log : "", options->quick ? "quick" : "full",
                 (unsigned)hash_words(claim->trial, loom_bench_program(bench)));
        return 0;
    }
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/workloom-XXXXXX", folder && *folder ? folder : "/tmp");
    int file = mkstemp(path);
    if (file < 0)
        return loom_fail(err, LOOM_EIO, "cannot create a temporary file in %s", path);
    close(file);
    return 0;
}

/* Write the path of a file beside the database: of a model of local jobs ("uniform:arrivals=mwm" is
 * "local-mwm.json"), or of the plan (model NULL). */
static void name_beside(char *path, size_t size, const char *db, const char *model)
{
    const char *equals = model ? strrchr(model, '=') : NULL;
    if (model)
        snprintf(path, size, "%s.local-%s.json", db, equals ? equals + 1 : model);
    else
        snprintf(path, size, "%s.yaml", db);
}

static void remove_files(const char *db, const struct loom_trial *trial)
{
    static const char *const ends[] = {"", "-wal", "-shm", ".yaml"};
    char name[PATH_SIZE + 64];
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(name, sizeof name, "%s%s", db, ends[i]);
        unlink(name);
    }
    for (size_t i = 0; trial->local && trial->local[i]; i++) {
        name_beside(name, sizeof name, db, trial->local[i]);
        unlink(name);
    }
}

/* ---- local jobs ------------------------------------------------------------------------------ */

/* Fit a model of local jobs to the log of a claim, and store it. */
static int store_model(const char *path, struct loom_bench *bench, const struct loom_claim *claim,
                       const char *name, struct loom_error *err)
{
    struct loom_model *model = NULL;
    struct loom_output *out = NULL;
    int rc = loom_claim_model_named(&model, bench, claim, name, err);
    if (!rc)
        rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = loom_model_save(model, out, err);
    if (!rc)
        rc = loom_output_commit(out, err);
    loom_output_destroy(out);
    loom_model_destroy(model);
    return rc;
}

/* Read cells into a plan that differ by the models of local jobs: a file of a plan has them. */
static int read_local(struct loom_plan *plan, struct loom_bench *bench,
                      const struct loom_claim *claim, const char *db, struct loom_error *err)
{
    char path[PATH_SIZE + 64], text[4 * PATH_SIZE] = "cells:\n";
    struct loom_output *out = NULL;
    int rc = 0;
    for (size_t i = 0; claim->trial->local[i] && !rc; i++) {
        size_t used = strlen(text);
        name_beside(path, sizeof path, db, claim->trial->local[i]);
        snprintf(text + used, sizeof text - used, "  - background-model: '%s'\n", path);
        rc = store_model(path, bench, claim, claim->trial->local[i], err);
    }
    name_beside(path, sizeof path, db, NULL);
    if (!rc)
        rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = loom_output_write(out, text, strlen(text), err);
    if (!rc)
        rc = loom_output_commit(out, err);
    loom_output_destroy(out);
    return rc ? rc : loom_plan_read(plan, path, err);
}

/* ---- running --------------------------------------------------------------------------------- */

/* The words of a plan were accepted; what is refused after that, a user who is not there, is a
 * matter of the log, and leaves other claims possible. */
static int of_the_log(int rc)
{
    return rc == LOOM_EUSAGE ? LOOM_EDATA : rc;
}

static int load_plan(struct loom_plan **out, struct loom_bench *bench,
                     const struct loom_claim *claim, const char *db, struct loom_error *err)
{
    int rc = loom_plan_create(out, err);
    if (!rc && claim->trial->local)
        rc = read_local(*out, bench, claim, db, err);
    if (!rc)
        rc = set_words(*out, bench, claim, err);
    return rc ? rc : of_the_log(loom_plan_load(*out, loom_bench_options(bench)->pool, err));
}

int loom_trial_run(struct loom_run_results **out, struct loom_bench *bench,
                   const struct loom_claim *claim, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(bench);
    struct loom_plan *plan = NULL;
    struct loom_study_report report;
    char db[PATH_SIZE];
    int rc = name_database(db, sizeof db, bench, claim, err);
    if (rc)
        return rc;
    struct loom_study_options study = {.db = db,
                                       .command = "workloom reproduce",
                                       .pool = options->pool,
                                       .stop = options->stop};
    rc = load_plan(&plan, bench, claim, db, err);
    if (!rc)
        rc = of_the_log(loom_study_run(&report, plan, &study, err));
    if (!rc && report.stopped)
        rc = loom_fail(err, LOOM_EDATA, "stopped");
    if (!rc)
        rc = loom_results_read(out, db, err);
    loom_plan_destroy(plan);
    if (!options->db)
        remove_files(db, claim->trial);
    return rc;
}
