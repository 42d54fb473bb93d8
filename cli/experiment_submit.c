/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workloom experiment submit: an experiment as jobs of a batch system. An array has a task for each
 * shard, with a database of its own; a job that waits for it merges them. Both scripts are kept, so
 * that they can be read, changed and submitted by hand.
 */
#include "experiment.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct loom_param submit_params[] = {
    {.name = "slurm", .type = LOOM_PARAM_FLAG, .help = "write and submit jobs for Slurm"},
    {.name = "shards",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 100000,
     .value = "10",
     .metavar = "N",
     .help = "tasks of the array"},
    {.name = "task-threads",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = LOOM_MAX_THREADS,
     .value = "1",
     .metavar = "N",
     .help = "threads of each task (--cpus-per-task)"},
    {.name = "sbatch",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "OPTION",
     .help = "an option for sbatch, as --sbatch=--time=2:00:00"},
    {.name = "db",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "database of results (default: the plan's name with .db)"},
    {.name = "dry-run", .type = LOOM_PARAM_FLAG, .help = "write the scripts, submit nothing"},
    {.name = NULL},
};

/* ---- scripts --------------------------------------------------------------------------------- */

/* Where the files of a submission are: DB.slurm/. */
struct submission {
    const struct invocation *call;
    char program[4096];
    char *plan, *db, *folder; /* absolute */
    int64_t shards;
};

static void put_quoted(FILE *to, const char *text)
{
    fputc('\'', to);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text, to);
    fputc('\'', to);
}

static void put_head(FILE *to, const struct submission *submission, const char *name)
{
    const struct loom_params *params = submission->call->params;
    fprintf(to, "#!/bin/sh\n#SBATCH --job-name=%s\n", name);
    for (size_t i = 0; i < loom_params_count(params, "sbatch"); i++)
        fprintf(to, "#SBATCH %s\n", loom_params_item(params, "sbatch", i));
}

static int write_script(const struct submission *submission, const char *name,
                        void (*put)(FILE *to, const struct submission *submission),
                        struct loom_error *err)
{
    char path[4200], *text = NULL;
    size_t size = 0;
    struct loom_output *out = NULL;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return loom_fail_memory(err);
    put(to, submission);
    snprintf(path, sizeof path, "%s/%s", submission->folder, name);
    int rc = fclose(to) == 0 ? loom_output_create(&out, path, err) : loom_fail_memory(err);
    if (!rc)
        rc = loom_output_write(out, text, size, err);
    free(text);
    return end_output(out, rc, NULL, err);
}

static void put_array(FILE *to, const struct submission *submission)
{
    int64_t threads = loom_params_int(submission->call->params, "task-threads");
    put_head(to, submission, "workloom");
    fprintf(to, "#SBATCH --array=1-%" PRId64 "\n#SBATCH --cpus-per-task=%" PRId64 "\n",
            submission->shards, threads);
    fprintf(to, "#SBATCH --output=%s/shard-%%a.log\n", submission->folder);
    put_quoted(to, submission->program);
    fputs(" experiment run ", to);
    put_quoted(to, submission->plan);
    fprintf(to, " --threads %" PRId64 " --shard \"$SLURM_ARRAY_TASK_ID/%" PRId64 "\" --db ",
            threads, submission->shards);
    put_quoted(to, submission->folder);
    fputs("/shard-\"$SLURM_ARRAY_TASK_ID\".db\n", to);
}

static void put_merge(FILE *to, const struct submission *submission)
{
    put_head(to, submission, "workloom-merge");
    fprintf(to, "#SBATCH --output=%s/merge.log\n", submission->folder);
    put_quoted(to, submission->program);
    fputs(" experiment merge ", to);
    put_quoted(to, submission->folder);
    fputs("/shard-*.db -o ", to);
    put_quoted(to, submission->db);
    fputc('\n', to);
}

/* ---- submitting ------------------------------------------------------------------------------ */

static int fail_sbatch(const char *why, struct loom_error *err)
{
    return loom_fail(err, LOOM_EIO, "sbatch failed: %s", why);
}

/* Run sbatch --parsable with an option (NULL: none) and store the number of the job. */
static int submit(char *job, size_t size, const struct submission *submission, const char *option,
                  const char *script, struct loom_error *err)
{
    char path[4200];
    int ends[2], status;
    snprintf(path, sizeof path, "%s/%s", submission->folder, script);
    if (pipe(ends) != 0)
        return fail_sbatch(strerror(errno), err);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        const char *words[] = {"sbatch", "--parsable", option ? option : path, option ? path : NULL,
                               NULL};
        execvp("sbatch", (char *const *)(uintptr_t)words);
        _exit(127);
    }
    close(ends[1]);
    ssize_t n = child < 0 ? -1 : read(ends[0], job, size - 1);
    close(ends[0]);
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return fail_sbatch(strerror(errno), err);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return fail_sbatch("is Slurm installed?", err);
    if (n <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return fail_sbatch("see its message above", err);
    job[n] = '\0';
    job[strcspn(job, ";\n")] = '\0';
    return 0;
}

static int submit_both(const struct submission *submission, struct loom_error *err)
{
    char array[64], merge[64], after[100];
    int rc = submit(array, sizeof array, submission, NULL, "array.sh", err);
    if (rc)
        return rc;
    snprintf(after, sizeof after, "--dependency=afterok:%s", array);
    rc = submit(merge, sizeof merge, submission, after, "merge.sh", err);
    if (!rc)
        say(submission->call,
            "submitted array %s of %" PRId64
            " tasks and job %s, which merges their results into %s",
            array, submission->shards, merge, submission->db);
    return rc;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The plan as one file: words given as options too. */
static int write_plan(const struct submission *submission, const struct loom_plan *plan,
                      struct loom_error *err)
{
    struct loom_output *out = NULL;
    const char *text = loom_plan_text(plan);
    int rc = loom_output_create(&out, submission->plan, err);
    if (!rc)
        rc = loom_output_write(out, text, strlen(text), err);
    return end_output(out, rc, NULL, err);
}

static int name_files(struct submission *out, struct loom_error *err)
{
    char here[4096] = "";
    char *db = experiment_database(out->call);
    if (!db || !getcwd(here, sizeof here)) {
        free(db);
        return loom_fail_memory(err);
    }
    ssize_t n = readlink("/proc/self/exe", out->program, sizeof out->program - 1);
    if (n < 0)
        snprintf(out->program, sizeof out->program, "workloom");
    int rc =
        asprintf(&out->db, db[0] == '/' ? "%s%s" : "%s/%s", db[0] == '/' ? "" : here, db) < 0 ||
                asprintf(&out->folder, "%s.slurm", out->db) < 0 ||
                asprintf(&out->plan, "%s/plan.yaml", out->folder) < 0
            ? loom_fail_memory(err)
            : 0;
    free(db);
    if (!rc && mkdir(out->folder, 0777) != 0 && errno != EEXIST)
        rc = loom_fail(err, LOOM_EIO, "cannot make the directory %s: %s", out->folder,
                       strerror(errno));
    return rc;
}

static int submit_plan(struct submission *submission, const struct loom_plan *plan,
                       struct loom_error *err)
{
    int rc = name_files(submission, err);
    if (!rc)
        rc = write_plan(submission, plan, err);
    if (!rc)
        rc = write_script(submission, "array.sh", put_array, err);
    if (!rc)
        rc = write_script(submission, "merge.sh", put_merge, err);
    if (!rc && !loom_params_flag(submission->call->params, "dry-run"))
        return submit_both(submission, err);
    if (!rc)
        say(submission->call, "wrote array.sh, merge.sh and plan.yaml to %s", submission->folder);
    return rc;
}

static int run_submit(const struct invocation *call, struct loom_error *err)
{
    struct submission submission = {.call = call,
                                    .shards = loom_params_int(call->params, "shards")};
    struct loom_plan *plan = NULL;
    if (!loom_params_flag(call->params, "slurm"))
        return loom_fail(err, LOOM_EUSAGE, "'experiment submit' needs --slurm");
    int rc = take_plan(&plan, call, NULL, err);
    if (!rc)
        rc = submit_plan(&submission, plan, err);
    free(submission.plan);
    free(submission.db);
    free(submission.folder);
    loom_plan_destroy(plan);
    return rc;
}

static const char *const about[] = {
    "Writes an array job with a task for each shard and a job that merges their databases, to "
    "DB.slurm, and submits both. Failed tasks can be submitted again: a shard goes on where it "
    "was.",
    NULL,
};

static const struct example examples[] = {
    {"workloom experiment submit plan.yaml --slurm --shards 40 --sbatch=--time=2:00:00",
     "An array of 40 tasks."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {PLAN_PARAMS, submit_params, common_params, NULL};

static const char *const headings[] = {PLAN_HEADINGS, [PLAN_LISTS] = "Submission",
                                       [PLAN_LISTS + 1] = "Output"};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_experiment_submit = {
    .name = "experiment submit",
    .group = GROUP_SIMULATION,
    .summary = "submit an experiment to a batch system",
    .operands = "[PLAN]",
    .about = about,
    .params = params,
    .headings = headings,
    .words = loom_plan_params,
    .examples = examples,
    .max_operands = 1,
    .run = run_submit,
};
