/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom resample: new workloads of a log's own users. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "all",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

static const struct loom_param size_params[] = {
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine; sizes scale with it",
     .hint = "it is the size of the machine, and --job-procs MIN:MAX selects jobs"},
    {.name = NULL},
};

static const struct loom_param draw_params[] = {
    SEED_PARAM("random seed"),
    {.name = "replication",
     .type = LOOM_PARAM_INT,
     .min = 0,
     .max = 0x1p52,
     .value = "0",
     .metavar = "N",
     .help = "number of the first replication"},
    {.name = NULL},
};

static const struct loom_param file_params[] = {
    JOBS_OUTPUT_PARAM,
    {.name = "variants",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1e6,
     .value = "1",
     .metavar = "N",
     .help = "number of workloads: out-1.swf, out-2.swf, ..."},
    {.name = "map",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write new users and their originals (CSV)"},
    {.name = NULL},
};

/* What became of one variant. */
struct variant {
    int64_t jobs, users;
    double work_s;
    double load; /* offered; NAN if unknown */
    double tenths[LOOM_TENTHS];
};

/* One call of the command. */
struct job {
    const struct invocation *call;
    struct loom_pool *pool; /* to write one variant with */
    struct loom_trace **logs;
    size_t n_logs;
    struct loom_resample_request request;
    struct loom_resampler *resampler;
    size_t variants;
    struct variant *made;
    struct loom_output_set **files; /* by variant, if all appear together; else NULL */
};

/* Files that appear together: each is removed if a signal comes before, for which there is room. */
enum { MOST_TOGETHER = 480 };

static bool are_many(const struct invocation *call, size_t variants)
{
    return variants * (loom_params_given(call->params, "map") ? 2 : 1) > MOST_TOGETHER;
}

/* ---- names of variants ----------------------------------------------------------------------- */

/* "out.swf.gz" is "out-3.swf.gz". The caller must free it; NULL when memory is out. */
static char *variant_name(const char *path, size_t variant, size_t variants)
{
    char *name;
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    const char *dot = strchr(*base == '.' ? base + 1 : base, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    if (variants == 1)
        return strdup(path);
    return asprintf(&name, "%.*s-%zu%s", stem, path, variant + 1, dot ? dot : "") < 0 ? NULL : name;
}

/* ---- the table of users ---------------------------------------------------------------------- */

static const char *kind_name(uint8_t kind)
{
    static const char *const names[LOOM_USER_KINDS] = {[LOOM_LONG_TERM] = "long-term",
                                                       [LOOM_TEMPORARY] = "temporary",
                                                       [LOOM_DISCARDED] = "discarded",
                                                       [LOOM_RARE] = "rare"};
    return names[kind];
}

static int write_persons(struct loom_output *out, const struct loom_resampled *resampled,
                         struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "user,log,original,copy,kind,first_submit_s,jobs\n");
    for (size_t i = 0; i < resampled->persons && !rc; i++) {
        const struct loom_person *person = &resampled->person[i];
        if (person->jobs > 0)
            rc = loom_output_printf(out, err,
                                    "%zu,%" PRIu32 ",%" PRId32 ",%" PRIu32 ",%s,%" PRId64
                                    ",%" PRIu32 "\n",
                                    i + 1, person->log + 1, person->original, person->copy,
                                    kind_name(person->kind), person->arrival_s, person->jobs);
    }
    return rc;
}

static int write_map(const struct job *job, const struct loom_resampled *resampled, size_t variant,
                     const struct invocation *call, struct loom_error *err)
{
    const char *path = loom_params_text(call->params, "map");
    if (!path)
        return 0;
    struct loom_output *out = NULL;
    char *name = variant_name(path, variant, job->variants);
    int rc = name ? loom_output_create(&out, name, err) : loom_fail_memory(err);
    if (!rc)
        rc = write_persons(out, resampled, err);
    free(name);
    return end_output(out, rc, call, err);
}

/* ---- variants -------------------------------------------------------------------------------- */

static struct variant resample_describe(const struct loom_resampled *resampled)
{
    const struct loom_jobs *jobs = loom_trace_jobs(resampled->trace);
    struct variant made = {.jobs = (int64_t)jobs->n, .load = offered_load(resampled->trace)};
    for (size_t i = 0; i < resampled->persons; i++)
        made.users += resampled->person[i].jobs > 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int32_t procs = loom_job_procs(jobs, i);
        if (jobs->run_s[i] > 0 && procs > 0)
            made.work_s += (double)jobs->run_s[i] * procs;
    }
    loom_resampled_tenths(made.tenths, resampled);
    return made;
}

static int record(struct loom_trace *trace, const struct job *job, uint64_t seed,
                  uint64_t replication, struct loom_error *err)
{
    char text[200];
    int rc = record_draw(trace, seed, replication, err);
    for (size_t i = 1; i < job->n_logs && !rc; i++) {
        const struct loom_read_report *report = loom_trace_report(job->logs[i]);
        snprintf(text, sizeof text, "mixed in: log %zu, %.120s, xxh3 %016" PRIx64, i + 1,
                 report->file, report->hash);
        rc = loom_trace_add_directive(trace, "Note", text, err);
    }
    return rc ? rc : record_origin(trace, loom_trace_report(job->logs[0]), job->call, err);
}

static int write_variant(const struct job *job, const struct loom_resampled *resampled,
                         const struct invocation *call, size_t variant, struct loom_error *err)
{
    char *name = variant_name(loom_params_text(call->params, "output"), variant, job->variants);
    int rc =
        name ? write_trace(resampled->trace, call, name, job->variants == 1 ? job->pool : NULL, err)
             : loom_fail_memory(err);
    free(name);
    return rc ? rc : write_map(job, resampled, variant, call, err);
}

/* All variants appear together when the command is through: who stops it keeps the files that were
 * there. Of many, which replace no files, each appears when it is made. */
static int keep_variant(const struct job *job, const struct loom_resampled *resampled,
                        size_t variant, struct loom_error *err)
{
    struct invocation call = *job->call;
    int rc = loom_output_set_create(&call.outputs, err);
    if (!rc)
        rc = write_variant(job, resampled, &call, variant, err);
    if (!rc && !job->files)
        rc = keep_outputs(&call, err);
    if (job->files)
        job->files[variant] = call.outputs;
    else
        loom_output_set_destroy(call.outputs);
    return rc;
}

static int make_variant(void *context, size_t variant, unsigned worker, struct loom_error *err)
{
    (void)worker;
    struct job *job = context;
    const struct loom_params *given = job->call->params;
    uint64_t seed = (uint64_t)loom_params_int(given, "seed");
    uint64_t replication = (uint64_t)loom_params_int(given, "replication") + variant;
    struct loom_resampled *resampled = NULL;
    int rc = loom_resample(&resampled, job->resampler, seed, replication, err);
    if (!rc)
        rc = record(resampled->trace, job, seed, replication, err);
    if (!rc)
        rc = keep_variant(job, resampled, variant, err);
    if (!rc)
        job->made[variant] = resample_describe(resampled);
    loom_resampled_destroy(resampled);
    return rc;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Of several logs the mean: each gives its share of the load. */
static double load_of_logs(const struct job *job)
{
    double sum = 0;
    for (size_t i = 0; i < job->n_logs; i++)
        sum += offered_load(job->logs[i]);
    return sum / (double)job->n_logs;
}

/* NULL when memory is out. */
static json_t *tenths_json(const double tenths[LOOM_TENTHS])
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < LOOM_TENTHS; i++)
        if (json_array_append_new(list, loom_json_number(tenths[i]))) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static int report_resample_json(const struct job *job, struct loom_error *err)
{
    const struct loom_params *given = job->call->params;
    size_t count[LOOM_USER_KINDS], without;
    loom_resampler_pools(job->resampler, count, &without);
    json_t *variants = json_array();
    for (size_t i = 0; variants && i < job->variants; i++) {
        char *name = variant_name(loom_params_text(given, "output"), i, job->variants);
        json_t *one =
            name ? json_pack("{s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "output", text_json(name),
                             "replication",
                             (json_int_t)loom_params_int(given, "replication") + (json_int_t)i,
                             "jobs", (json_int_t)job->made[i].jobs, "users",
                             (json_int_t)job->made[i].users, "work_s",
                             loom_json_number(job->made[i].work_s), "load_offered",
                             loom_json_number(job->made[i].load), "load_tenths",
                             tenths_json(job->made[i].tenths))
                 : NULL;
        free(name);
        if (!one || json_array_append_new(variants, one)) {
            json_decref(variants);
            variants = NULL;
        }
    }
    json_t *rest =
        json_pack("{s:I, s:{s:I, s:I, s:I, s:I}, s:I, s:o, s:o}", "seed",
                  (json_int_t)loom_params_int(given, "seed"), "pools", "long_term",
                  (json_int_t)count[LOOM_LONG_TERM], "temporary", (json_int_t)count[LOOM_TEMPORARY],
                  "discarded", (json_int_t)count[LOOM_DISCARDED], "rare",
                  (json_int_t)count[LOOM_RARE], "jobs_without_user", (json_int_t)without,
                  "log_load_offered", loom_json_number(load_of_logs(job)), "variants", variants);
    return print_fields(job->call, rest, false, err);
}

/* What was written beside what was resampled: it changes with the weeks, users and sizes asked for,
 * and by chance. */
static void say_load(const struct job *job)
{
    double load = 0, of_logs = load_of_logs(job);
    char logs[LOOM_HUMAN + 60] = "", made[LOOM_HUMAN], share[LOOM_HUMAN];
    for (size_t i = 0; i < job->variants; i++)
        load += job->made[i].load / (double)job->variants;
    if (isnan(load))
        return;
    if (!isnan(of_logs))
        snprintf(logs, sizeof logs, "; the %s %s",
                 job->n_logs == 1 ? "log's is" : "mean of the logs' is",
                 loom_human_share(of_logs, share, sizeof share));
    say(job->call, "offered load %s%s%s%s", loom_human_share(load, made, sizeof made),
        job->variants > 1 ? " on average" : "", load > 1 ? ", more than the machine can do" : "",
        logs);
}

/* Every tenth of a workload expects the same load; of a single variant, half more or less is
 * chance. */
static void say_uneven(const struct job *job)
{
    double n = (double)job->variants, low = INFINITY, high = 0;
    double limit = fmax(0.2, 0.5 / sqrt(n));
    for (size_t tenth = 0; tenth < LOOM_TENTHS; tenth++) {
        double mean = 0;
        for (size_t i = 0; i < job->variants; i++)
            mean += job->made[i].tenths[tenth] / n;
        low = fmin(low, mean);
        high = fmax(high, mean);
    }
    bool active = loom_params_choice(job->call->params, "start") == 1;
    if (high > 0 && (low < 1 - limit || high > 1 + limit))
        say(job->call, "uneven load: tenths of the workload have %.2g to %.2g times the mean%s",
            low, high, active ? "; --start trace evens it out" : "");
}

static void report_words(const struct job *job)
{
    size_t count[LOOM_USER_KINDS], without;
    const char *to = loom_params_text(job->call->params, "output");
    double jobs = 0, users = 0;
    char made[JOBS_SIZE], by[LOOM_HUMAN];
    loom_resampler_pools(job->resampler, count, &without);
    for (size_t i = 0; i < job->variants; i++) {
        jobs += (double)job->made[i].jobs / (double)job->variants;
        users += (double)job->made[i].users / (double)job->variants;
    }
    if (without > 0)
        say(job->call, "left out %s of unknown users",
            jobs_text((int64_t)without, made, sizeof made));
    if (!loom_params_flag(job->call->params, "as-is"))
        say(job->call,
            "drew from %zu long-term and %zu temporary users; %zu seen only at an end of the log "
            "are "
            "left out",
            count[LOOM_LONG_TERM], count[LOOM_TEMPORARY], count[LOOM_DISCARDED]);
    jobs_text(llround(jobs), made, sizeof made);
    loom_human_count(llround(users), by, sizeof by);
    if (job->variants == 1)
        say(job->call, "wrote %s of %s %s to %s", made, by, users == 1 ? "user" : "users",
            strcmp(to, "-") == 0 ? "<stdout>" : to);
    else
        say(job->call, "wrote %zu variants with %s of %s users on average", job->variants, made,
            by);
    say_load(job);
}

static int report(const struct job *job, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; job->files && i < job->variants && !rc; i++)
        rc = loom_output_set_join(job->call->outputs, job->files[i], err);
    if (!rc)
        rc = keep_outputs(job->call, err);
    if (rc)
        return rc;
    if (!loom_params_flag(job->call->params, "json"))
        report_words(job);
    say_uneven(job);
    return 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Refuse to replace files that cannot all be replaced together. */
static int refuse_existing(const char *path, size_t variants, struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < variants && !rc; i++) {
        char *name = variant_name(path, i, variants);
        if (!name)
            rc = loom_fail_memory(err);
        else if (access(name, F_OK) == 0)
            rc = loom_fail(err, LOOM_EUSAGE,
                           "'%s' is there already, and more than %d files are not replaced "
                           "together; remove it, or name others",
                           name, MOST_TOGETHER);
        free(name);
    }
    return rc;
}

/* Could the first variant and its map be written, and all variants appear? */
static int check_files(const struct invocation *call, struct loom_error *err)
{
    size_t variants = (size_t)loom_params_int(call->params, "variants");
    const char *map = loom_params_text(call->params, "map");
    if (are_many(call, variants)) {
        int many = refuse_existing(loom_params_text(call->params, "output"), variants, err);
        if (!many && map)
            many = refuse_existing(map, variants, err);
        if (many)
            return many;
    }
    char *jobs = variant_name(loom_params_text(call->params, "output"), 0, variants);
    char *persons = map ? variant_name(map, 0, variants) : NULL;
    int rc =
        jobs && (persons || !map) ? check_trace_output(call, jobs, err) : loom_fail_memory(err);
    if (!rc && persons)
        rc = loom_output_check(persons, err);
    free(persons);
    free(jobs);
    return rc;
}

static int check_resample(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    const char *map = loom_params_text(call->params, "map");
    bool to_stdout = strcmp(to, "-") == 0;
    if (to_stdout && loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--json and the jobs cannot both go to stdout; name a file with -o");
    if (to_stdout && loom_params_int(call->params, "variants") > 1)
        return loom_fail(err, LOOM_EUSAGE,
                         "several variants need several files; name the first with -o");
    if (map && strcmp(map, to) == 0)
        return loom_fail(err, LOOM_EUSAGE, "--map and --output name the same file '%s'", to);
    size_t from_stdin = 0;
    int rc = 0;
    for (size_t i = 0; i < call->n_operands && !rc; i++) {
        from_stdin += strcmp(call->operands[i], "-") == 0;
        rc = refuse_same_file(call->operands[i], to, err);
        if (!rc && map)
            rc = refuse_same_file(call->operands[i], map, err);
    }
    if (!rc && from_stdin > 1)
        rc = loom_fail(err, LOOM_EUSAGE, "only one trace can come from stdin");
    return rc ? rc : check_files(call, err);
}

/* Find the machine of a log by all of its jobs, unless --procs gives it. */
static int settle_machine(struct loom_trace *log, const struct invocation *call,
                          struct loom_error *err)
{
    struct loom_machine_size size;
    char text[160];
    if (loom_params_given(call->params, "procs"))
        return 0;
    int rc = loom_trace_settle_machine(&size, log, err);
    if (!rc && size.source != LOOM_SIZE_HEADER && loom_size_usable(&size))
        say(call, "%s; --procs N sets it", loom_size_note(&size, text, sizeof text));
    return rc;
}

static int read_logs(struct job *job, struct loom_error *err)
{
    int rc = 0;
    int64_t left_out;
    for (size_t i = 0; i < job->call->n_operands && !rc; i++) {
        rc = read_trace(&job->logs[i], job->call, job->call->operands[i], job->pool, err);
        job->n_logs = i + 1;
        if (!rc)
            rc = settle_machine(job->logs[i], job->call, err);
        if (!rc)
            rc = take_selection(job->logs[i], job->call, "to resample", &left_out, err);
        if (!rc)
            rc = check_jobs_output(job->logs[i], job->call,
                                   loom_params_text(job->call->params, "output"), err);
    }
    return rc;
}

static int resample(struct job *job, struct loom_error *err)
{
    int rc = make_pool(&job->pool, job->call, err);
    if (!rc)
        rc = read_logs(job, err);
    if (!rc)
        rc = loom_resample_request_take(&job->request, job->call->params, job->logs[0], err);
    if (!rc && loom_params_given(job->call->params, "procs"))
        job->request.rule.procs = loom_params_int(job->call->params, "procs");
    if (!rc)
        rc = loom_resampler_create(&job->resampler, (const struct loom_trace *const *)job->logs,
                                   job->n_logs, &job->request.rule, err);
    if (!rc)
        rc = loom_pool_for(job->variants == 1 ? NULL : job->pool, job->variants, make_variant, job,
                           err);
    if (!rc && loom_params_flag(job->call->params, "json"))
        rc = report_resample_json(job, err);
    return rc ? rc : report(job, err);
}

static int resample_run(const struct invocation *call, struct loom_error *err)
{
    struct job job = {.call = call, .variants = (size_t)loom_params_int(call->params, "variants")};
    int rc = check_resample(call, err);
    if (rc)
        return rc;
    job.logs = calloc(call->n_operands, sizeof *job.logs);
    job.made = calloc(job.variants, sizeof *job.made);
    const bool together = !are_many(call, job.variants);
    job.files = together ? calloc(job.variants, sizeof(struct loom_output_set *)) : NULL;
    rc = job.logs && job.made && (job.files || !together) ? resample(&job, err)
                                                          : loom_fail_memory(err);
    for (size_t i = 0; job.files && i < job.variants; i++)
        loom_output_set_destroy(job.files[i]);
    free(job.files);
    loom_resampler_destroy(job.resampler);
    loom_resample_request_release(&job.request);
    for (size_t i = 0; job.logs && i < call->n_operands; i++)
        loom_trace_destroy(job.logs[i]);
    free(job.logs);
    free(job.made);
    loom_pool_destroy(job.pool);
    return rc;
}

static const char *const about[] = {
    "Each seed and replication gives another variant, for confidence intervals, longer workloads "
    "and other loads. Several traces are mixed. 'workloom help resampling' explains the options.",
    "The files of all variants appear together, and replace earlier ones; more than 480 appear one "
    "by one and replace none.",
    NULL,
};

static const struct example examples[] = {
    {"workloom resample log.swf.gz -o new.swf --variants 100",
     "A hundred variants of the log, new-1.swf to new-100.swf."},
    {"workloom resample log.swf.gz -o long.swf.gz --weeks 520", "Ten years of it."},
    {"workloom resample log.swf.gz -o busy.swf --load-factor 1.3", "With 30 % more users."},
    {"workloom resample log.swf.gz -o flurry.swf --rare 374:: --rare-per-week 0.25",
     "What user 374 did comes once in four weeks on average."},
    {"workloom resample log.swf.gz -o shaken.swf --as-is --shake session --shake-by 60",
     "The log itself, each session up to a minute earlier or later."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {loom_resample_length_params,
                                                  size_params,
                                                  loom_resample_user_params,
                                                  loom_rare_params,
                                                  loom_resample_change_params,
                                                  draw_params,
                                                  select_param,
                                                  loom_select_params + 2,
                                                  input_params + 1,
                                                  file_params,
                                                  output_params,
                                                  common_params,
                                                  NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Length and load", [2] = "Users", [4] = "Changes to jobs", [5] = "Random numbers",
    [6] = "Which jobs",      [8] = "Input", [9] = "Output",          [11] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_resample = {
    .name = "resample",
    .group = GROUP_WORKLOADS,
    .summary = "draw new workloads from the users of a log",
    .operands = "TRACE...",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1000,
    .run = resample_run,
};
