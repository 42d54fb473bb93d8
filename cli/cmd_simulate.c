/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom simulate: the jobs of a log under a scheduler, what it is worth, and the schedule. */
#include "simulate_classes.h"
#include "simulate_explain.h"
#include "simulate_load.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const overruns[] = {"raise", "kill", "extend", NULL};
static const char *const compats[] = {"none", "pyss", NULL};

static const char *const selections[] = {"ran", "completed", "all", NULL};

/* The selection options, but --procs means the machine. */
static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "all",
     .metavar = "WHICH",
     .help =
         "which jobs to simulate: those that ran, that completed, or all whose runtime is known"},
    {.name = NULL},
};

static const struct loom_param simulate_params[] = {
    {.name = "scheduler",
     .letter = 's',
     .type = LOOM_PARAM_TEXT,
     .value = "easy",
     .metavar = "POLICY",
     .help = "the policy ('workloom list schedulers') and, behind a colon, its parameters: "
             "easy:order=sjf"},
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine; by default those of the log's machine"},
    {.name = "overrun",
     .type = LOOM_PARAM_CHOICE,
     .choices = overruns,
     .value = "raise",
     .metavar = "RULE",
     .help =
         "a job that runs longer than its estimate: raise the estimate beforehand, kill the job, "
         "or let it run and extend the estimate when it is over"},
    {.name = "compat",
     .type = LOOM_PARAM_CHOICE,
     .choices = compats,
     .value = "none",
     .metavar = "SIMULATOR",
     .help = "go by the rules of another simulator for events of the same second"},
    {.name = "output",
     .letter = 'o',
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write the schedule: the log with the simulated waits, -1 for a job not simulated"},
    {.name = NULL},
};

/* Where in a list of choices a word is. */
static int choice(const char *const *list, const char *word)
{
    int at = 0;
    while (strcmp(list[at], word) != 0)
        at++;
    return at;
}

/* The policy as the library wants it: --scheduler with each --param behind it. The caller must free
 * it; NULL when memory is out. */
static char *policy_text(const struct invocation *call)
{
    const char *policy = loom_params_text(call->params, "scheduler");
    bool first = !strchr(policy, ':');
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return NULL;
    fputs(policy, memory);
    for (size_t i = 0; i < loom_params_count(call->params, "param"); i++, first = false)
        fprintf(memory, "%c%s", first ? ':' : ',', loom_params_item(call->params, "param", i));
    if (fclose(memory) == 0)
        return text;
    free(text);
    return NULL;
}

/* What was done to the log before the run. */
struct preparation {
    int64_t left_out;
    struct loom_load_change load; /* without --load only its procs: of --procs, or 0 */
};

/* ---- results --------------------------------------------------------------------------------- */

/* One number of the results: a row of the table and a key of the JSON document. */
struct figure {
    const char *key, *label, *unit;
    double value;
};

enum { N_FIGURES = 13 };

static void list_figures(struct figure out[N_FIGURES], const struct loom_sim_metrics *m)
{
    const struct figure figures[N_FIGURES] = {
        {"wait_mean_s", "wait, mean", "s", m->wait_mean_s},
        {"wait_median_s", "wait, median", "s", m->wait_median_s},
        {"response_mean_s", "response, mean", "s", m->response_mean_s},
        {"slowdown_mean", "slowdown, mean", "", m->slowdown_mean},
        {"bounded_slowdown_mean", "bounded slowdown (10 s), mean", "", m->bounded_slowdown_mean},
        {"slowdown_ratio", "mean response / mean runtime", "", m->slowdown_ratio},
        {"utilization", "utilization", "", m->utilization},
        {"throughput_jobs_per_day", "throughput", "jobs a day", m->throughput_jobs_per_day},
        {"makespan_s", "makespan", "s", (double)m->makespan_s},
        {"queue_mean", "jobs waiting, mean", "", m->queue_mean},
        {"queue_max", "jobs waiting, most", "", (double)m->queue_max},
        {"load_offered", "load offered", "", m->load_offered},
        {"outstanding_per_week", "growth of outstanding jobs", "jobs a week",
         m->outstanding_per_week},
    };
    memcpy(out, figures, sizeof figures);
}

struct tally {
    const char *key, *what;
    int64_t jobs;
};

enum {
    N_TALLIES = 0
#define X(name, what) +1
    LOOM_SIM_COUNTS(X)
#undef X
};

static void list_tallies(struct tally out[N_TALLIES], const struct loom_sim_counts *counts)
{
    const struct tally tallies[N_TALLIES] = {
#define X(name, what) {#name, what, counts->name},
        LOOM_SIM_COUNTS(X)
#undef X
    };
    memcpy(out, tallies, sizeof tallies);
}

static json_t *tallies_json(const struct loom_sim *sim)
{
    struct tally tallies[N_TALLIES];
    json_t *object = json_object();
    int failed = 0;
    list_tallies(tallies, loom_sim_counts(sim));
    for (size_t i = 0; i < N_TALLIES; i++)
        failed |= json_object_set_new(object, tallies[i].key, json_integer(tallies[i].jobs));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

static json_t *results_json(const struct loom_sim *sim, const struct loom_sim_metrics *metrics)
{
    struct figure figures[N_FIGURES];
    json_t *object = json_object();
    int failed = json_object_set_new(object, "jobs", json_integer(metrics->jobs));
    failed |= json_object_set_new(object, "measured", json_integer(metrics->measured));
    list_figures(figures, metrics);
    for (size_t i = 0; i < N_FIGURES; i++)
        failed |= json_object_set_new(object, figures[i].key, loom_json_number(figures[i].value));
    failed |= json_object_set_new(object, "saturated",
                                  metrics->saturated < 0 ? json_null()
                                                         : json_boolean(metrics->saturated));
    failed |= json_object_set_new(object, "outstanding_weekly", weeks_json(sim));
    failed |= json_object_set_new(object, "percentiles", metrics_percentiles_json(metrics));
    failed |= json_object_set_new(object, "counts", tallies_json(sim));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* The policy with its parameters. */
static json_t *policy_json(const struct invocation *call)
{
    char *policy = policy_text(call);
    json_t *text = policy ? text_json(policy) : NULL;
    free(policy);
    return text;
}

static int print_json(const struct invocation *call, const struct loom_trace *trace,
                      const struct loom_sim *sim, const struct loom_sim_metrics *metrics,
                      const struct loom_explainer *explainer, const struct preparation *prepared,
                      struct loom_error *err)
{
    bool loaded = loom_params_given(call->params, "load");
    const struct loom_read_report *report = loom_trace_report(trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *document = new_document(call), *results = results_json(sim, metrics);
    json_t *setting =
        json_pack("{s:o, s:s, s:o, s:I, s:s, s:s, s:I}", "file", text_json(report->file), "hash",
                  hash, "scheduler", policy_json(call), "procs", (json_int_t)loom_sim_procs(sim),
                  "overrun", loom_params_text(call->params, "overrun"), "compat",
                  loom_params_text(call->params, "compat"), "left_out",
                  (json_int_t)prepared->left_out);
    if (!setting || !results || json_object_update(document, setting) ||
        (loaded && json_object_set_new(document, "load", load_json(&prepared->load))) ||
        json_object_update(document, results) ||
        (explainer &&
         json_object_set_new(document, "explain", explanation_json(call, trace, sim, explainer)))) {
        json_decref(document);
        document = NULL;
    }
    json_decref(setting);
    json_decref(results);
    int rc = document ? add_classes_json(document, call, sim, trace, err) : 0;
    if (!rc)
        return print_document(document, err);
    json_decref(document);
    return rc;
}

static int add_row(struct loom_table *table, const struct figure *figure, struct loom_error *err)
{
    int rc = loom_table_cell(table, err, "%s", figure->label);
    if (!rc)
        rc = isnan(figure->value)         ? loom_table_cell(table, err, "-")
             : fabs(figure->value) >= 100 ? loom_table_cell(table, err, "%.0f", figure->value)
                                          : loom_table_cell(table, err, "%.4g", figure->value);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", figure->unit);
    return rc;
}

/* The median of waits has its row already. */
static int add_percentiles(struct loom_table *table, const struct loom_sim_metrics *metrics,
                           struct loom_error *err)
{
    static const int percents[LOOM_N_PERCENTS] = LOOM_PERCENTS;
    int rc = 0;
    for (size_t i = 0; i < 2 * LOOM_N_PERCENTS && !rc; i++) {
        size_t p = i % LOOM_N_PERCENTS;
        bool wait = i < LOOM_N_PERCENTS;
        char label[64];
        const struct figure row = {NULL, label, wait ? "s" : "",
                                   wait ? metrics->wait_percentile_s[p]
                                        : metrics->bounded_slowdown_percentile[p]};
        snprintf(label, sizeof label, "%s, %dth percentile", wait ? "wait" : "bounded slowdown",
                 percents[p]);
        if (i > 0)
            rc = add_row(table, &row, err);
    }
    return rc;
}

static int fill_table(struct loom_table *table, const struct loom_sim *sim,
                      const struct loom_sim_metrics *metrics, const struct loom_load_change *load,
                      struct loom_error *err)
{
    struct figure figures[N_FIGURES];
    struct tally tallies[N_TALLIES];
    const struct figure jobs = {NULL, "jobs simulated", "", (double)metrics->jobs};
    const struct figure measured = {NULL, "of them measured", "", (double)metrics->measured};
    list_figures(figures, metrics);
    list_tallies(tallies, loom_sim_counts(sim));
    int rc = loom_table_column(table, "result", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "value", LOOM_RIGHT, err);
    if (!rc)
        rc = loom_table_column(table, "", LOOM_LEFT, err);
    if (!rc)
        rc = add_row(table, &jobs, err);
    if (!rc && measured.value < jobs.value)
        rc = add_row(table, &measured, err);
    for (size_t i = 0; i < N_FIGURES && !rc; i++)
        rc = add_row(table, &figures[i], err);
    if (!rc && load->asked > 0)
        rc =
            add_row(table, &(struct figure){NULL, "load of the log itself", "", load->before}, err);
    if (!rc)
        rc = add_percentiles(table, metrics, err);
    for (size_t i = 0; i < N_TALLIES && !rc; i++) {
        const struct figure row = {NULL, tallies[i].what, "jobs", (double)tallies[i].jobs};
        if (tallies[i].jobs > 0)
            rc = add_row(table, &row, err);
    }
    return rc;
}

static int print_text(const struct invocation *call, const struct loom_trace *trace,
                      const struct loom_sim *sim, const struct loom_sim_metrics *metrics,
                      const struct loom_load_change *load, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = fill_table(table, sim, metrics, load, err);
    if (!rc) {
        rc = print_table(table, err);
        return rc ? rc : print_classes(call, sim, trace, err);
    }
    loom_table_destroy(table);
    return rc;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run_simulation(struct loom_sim *sim, const struct invocation *call,
                          const struct loom_trace *trace, int64_t procs,
                          struct loom_explainer *explainer, struct loom_error *err)
{
    const struct loom_observer observer =
        explainer ? loom_explainer_observer(explainer) : (struct loom_observer){0};
    char *policy = policy_text(call);
    if (!policy)
        return loom_fail_memory(err);
    struct loom_sim_options options = {
        .scheduler = policy,
        .procs = procs,
        .overrun = (enum loom_overrun)choice(overruns, loom_params_text(call->params, "overrun")),
        .compat = (enum loom_compat)choice(compats, loom_params_text(call->params, "compat")),
        .observers = &observer,
        .n_observers = explainer ? 1 : 0,
        .progress = loom_progress_create("simulating", "jobs", loom_trace_count(trace),
                                         loom_params_flag(call->params, "quiet")),
    };
    int rc = loom_sim_run_trace(sim, &options, trace, err);
    loom_progress_destroy(options.progress);
    free(policy);
    return rc;
}

static int write_schedule(const struct invocation *call, const struct loom_sim *sim,
                          struct loom_trace *trace, struct loom_pool *pool, struct loom_error *err)
{
    char procs[24];
    snprintf(procs, sizeof procs, "%" PRId64, loom_sim_procs(sim));
    int rc = loom_sim_schedule(sim, trace, err);
    if (!rc)
        rc = loom_trace_set_directive(trace, "MaxProcs", procs, err);
    if (!rc)
        rc = update_records(trace, err);
    if (!rc)
        rc = record_origin(trace, loom_trace_report(trace), call, err);
    return rc ? rc : write_trace(trace, call, loom_params_text(call->params, "output"), pool, err);
}

/* What goes to stdout comes first: if it cannot be printed, no file is left behind. */
static int report(const struct invocation *call, struct loom_sim *sim, struct loom_trace *trace,
                  const struct loom_explainer *explainer, struct loom_pool *pool,
                  const struct preparation *prepared, struct loom_error *err)
{
    struct loom_sim_metrics metrics;
    const char *to = loom_params_text(call->params, "output");
    bool schedule_to_stdout = to && strcmp(to, "-") == 0;
    int rc = apply_trim(sim, call, err);
    if (!rc)
        rc = loom_sim_metrics(&metrics, sim, err);
    if (!rc && loom_params_flag(call->params, "json"))
        rc = print_json(call, trace, sim, &metrics, explainer, prepared, err);
    else if (!rc && explainer)
        rc = print_explanation(call, trace, sim, explainer, err);
    else if (!rc && !schedule_to_stdout)
        rc = print_text(call, trace, sim, &metrics, &prepared->load, err);
    if (!rc && to)
        rc = write_schedule(call, sim, trace, pool, err);
    if (!rc)
        say(call,
            "simulated %" PRId64 " jobs on %" PRId64 " processors, left out %" PRId64
            " by selection and %" PRId64 " that could not run%s",
            metrics.jobs, loom_sim_procs(sim), prepared->left_out,
            (int64_t)loom_trace_count(trace) - metrics.jobs,
            metrics.saturated == 1 ? "; the machine is saturated: the queue grows week by week"
                                   : "");
    return rc;
}

static int simulate(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                    struct loom_error *err)
{
    struct loom_sim *sim = NULL;
    struct loom_explainer *explainer = NULL;
    struct preparation prepared = {0};
    int rc = apply_selection(trace, call, &prepared.left_out, err);
    if (!rc)
        rc = apply_load(&prepared.load, call, trace, err);
    if (!rc)
        rc = open_explainer(&explainer, call, trace, err);
    if (!rc)
        rc = loom_sim_create(&sim, err);
    if (!rc)
        rc = run_simulation(sim, call, trace, prepared.load.procs, explainer, err);
    if (!rc)
        rc = report(call, sim, trace, explainer, pool, &prepared, err);
    loom_explainer_destroy(explainer);
    loom_sim_destroy(sim);
    return rc;
}

/* Before the log is read, so that a slip of the fingers costs no time. */
static int check_policy(const struct invocation *call, struct loom_error *err)
{
    char *policy = policy_text(call);
    int rc = policy ? loom_scheduler_check(policy, err) : loom_fail_memory(err);
    free(policy);
    if (rc && rc != LOOM_ENOMEM)
        err->code = LOOM_EUSAGE;
    return rc;
}

static int run(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    bool explain = loom_params_given(call->params, "explain");
    if (to && strcmp(to, "-") == 0 && (explain || loom_params_flag(call->params, "json")))
        return loom_fail(err, LOOM_EUSAGE,
                         "%s and the schedule cannot both go to stdout; name a file with -o",
                         explain ? "--explain" : "--json");
    int rc = check_load(call, err);
    if (!rc)
        rc = check_policy(call, err);
    if (!rc && to)
        rc = refuse_same_file(call->operands[0], to, err);
    return rc ? rc : with_trace(call, simulate, err);
}

static const char *const about[] = {
    "Runs the jobs of TRACE, submitted when the log says, through a batch scheduler on a "
    "space-shared machine, and reports what that schedule is worth. In each second, jobs end "
    "first, "
    "then jobs are submitted (in file order), then the scheduler decides.",
    "A job's estimate is its requested time or, where that is unknown, its runtime. Whatever is "
    "done "
    "to a job (rejected because it is wider than the machine, dropped because its runtime is "
    "unknown, "
    "given another estimate, killed) is counted by reason in the results.",
    "--compat pyss follows pyss and its descendants: submissions before ends, a scheduling pass "
    "after "
    "every event.",
    NULL,
};

static const struct example examples[] = {
    {"workloom simulate log.swf.gz --scheduler easy", "EASY backfilling on the log's own machine."},
    {"workloom simulate log.swf.gz -s fcfs:order=sjf --procs 256 --json",
     "Shortest job first, on another machine, for a program."},
    {"workloom simulate log.swf.gz -s conservative -o schedule.swf",
     "Keep the schedule, job by job."},
    {"workloom simulate log.swf.gz --load 0.9 --load-by arrivals --by size",
     "The same jobs in quicker succession, and how small and large ones fare."},
    {"workloom simulate log.swf.gz --explain 4711", "Ask why job 4711 waited."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    simulate_params,        load_params,   class_params,
    explain_params,         plugin_params, select_param,
    loom_select_params + 2, input_params,  output_params,
    common_params,          NULL};

const struct command command_simulate = {
    .name = "simulate",
    .summary = "run a log through a batch scheduler",
    .operands = "TRACE",
    .about = about,
    .params = params,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
