/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom simulate: the jobs of a log under a scheduler, what it is worth, and the schedule. */
#include "resample_options.h"
#include "simulate.h"
#include "simulate_classes.h"
#include "simulate_counts.h"
#include "simulate_explain.h"
#include "simulate_grid.h"
#include "simulate_load.h"
#include "simulate_report.h"
#include "simulate_runs.h"
#include "simulate_users.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

/* The selection options, but --procs means the machine. */
static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "all",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

static const struct loom_param machine_params[] = {
    {.name = "procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine (default: the log's)",
     .hint = "it is the size of the machine, and --job-procs MIN:MAX selects jobs"},
    OVERRUN_PARAM("job past its estimate"),
    COMPAT_PARAM("order of events"),
    {.name = NULL},
};

static const struct loom_param schedule_params[] = {
    {.name = "output",
     .letter = 'o',
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write the schedule: the log with the simulated waits"},
    {.name = NULL},
};

int run_policy(const struct simulation *of, struct loom_error *err)
{
    const struct loom_params *params = of->call->params;
    struct loom_observer observers[2];
    size_t n = 0;
    if (of->explainer)
        observers[n++] = loom_explainer_observer(of->explainer);
    if (of->starts)
        observers[n++] = loom_start_log_observer(of->starts);
    struct loom_sim_options options = {
        .scheduler = of->policy,
        .procs = of->load.procs,
        .overrun = (enum loom_overrun)loom_params_choice(params, "overrun"),
        .compat = (enum loom_compat)loom_params_choice(params, "compat"),
        .observers = observers,
        .n_observers = n,
        .progress = of->progress,
    };
    uint64_t replication = (uint64_t)loom_params_int(params, "replication");
    int rc = of->people ? loom_sim_run_feedback(of->sim, &options, of->people, replication, err)
                        : loom_sim_run_trace(of->sim, &options, of->trace, err);
    loom_sim_shrink(of->sim); /* it does not run again, and measuring takes memory too */
    return name_trace(rc, of->trace, err);
}

/* People submit at other times than the log, and a population other jobs: their schedule is a trace
 * of its own. */
static int write_schedule(const struct simulation *of, const char *path, struct loom_error *err)
{
    char procs[24];
    struct loom_trace *woven = NULL, *trace = of->trace;
    snprintf(procs, sizeof procs, "%" PRId64, loom_sim_procs(of->sim));
    int rc = of->people ? loom_feedback_schedule(&woven, of->people, of->sim, err)
             : of->grid ? schedule_grid(of, err)
                        : loom_sim_schedule(of->sim, trace, err);
    if (woven)
        trace = woven;
    if (!rc)
        rc = loom_trace_set_directive(trace, "MaxProcs", procs, err);
    if (!rc)
        rc = update_records(trace, err);
    if (!rc && has_new_users(of))
        rc = record_draw(trace, seed_of(of->call),
                         (uint64_t)loom_params_int(of->call->params, "replication"), err);
    if (!rc)
        rc = record_origin(trace, loom_trace_report(of->trace), of->call, err);
    if (!rc)
        rc = write_trace(trace, of->call, path, of->pool, err);
    loom_trace_destroy(woven);
    return rc;
}

static const char *verdict_words(const struct simulation *of)
{
    if (of->metrics.filling)
        return "; outstanding jobs grow week by week, but by running jobs alone: more run while "
               "there is room, and the queue does not grow";
    if (of->metrics.saturated <= 0)
        return "";
    return of->grid ? "; the grid is saturated: outstanding jobs grow week by week"
                    : "; the machine is saturated: outstanding jobs grow week by week";
}

static int write_files(const struct simulation *of, struct loom_error *err)
{
    const char *to = loom_params_text(of->call->params, "output");
    int rc = wants_report(of->call) ? write_simulations(of, 1, err) : 0;
    if (!rc && to)
        rc = write_schedule(of, to, err);
    return rc ? rc : write_local_schedules(of, err);
}

static int print_results(const struct simulation *of, struct loom_error *err)
{
    const char *to = loom_params_text(of->call->params, "output");
    bool schedule_to_stdout = to && strcmp(to, "-") == 0;
    if (loom_params_flag(of->call->params, "json"))
        return print_simulation_json(of, err);
    if (has_explanation(of))
        return print_explanation(of, err);
    return schedule_to_stdout || wants_report(of->call) ? 0 : print_simulation_text(of, err);
}

/* Files are written before anything is told and appear after it: none is left behind if it cannot
 * be printed, and nothing is told of a schedule that cannot be written. */
static int report(const struct simulation *of, struct loom_error *err)
{
    const struct invocation *call = of->call;
    int rc = write_files(of, err);
    if (!rc)
        rc = print_results(of, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc)
        warn_coverage(of, 1);
    if (!rc)
        say(call,
            "simulated %" PRId64 " %s on %" PRId64 " %s, left out %" PRId64
            " by selection and %" PRId64 " that could not run%s",
            of->metrics.jobs, of->metrics.jobs == 1 ? "job" : "jobs", loom_sim_procs(of->sim),
            loom_sim_procs(of->sim) == 1 ? "processor" : "processors", of->left_out,
            jobs_refused(loom_sim_counts(of->sim)), verdict_words(of));
    return rc;
}

/* Up to the run: the jobs, the machine, the policy, and who watches. */
static int prepare(struct simulation *of, struct loom_error *err)
{
    bool grid = loom_params_given(of->call->params, "platform");
    int rc = 0;
    if (!(of->policy = policy_text(of->call, 0)))
        rc = loom_fail_memory(err);
    if (!rc && grid)
        rc = open_grid(of, err);
    if (!rc)
        rc = grid ? load_grid(of, one_load(of->call), err)
                  : apply_load(&of->load, of->call, of->trace, one_load(of->call), err);
    if (!rc && grid)
        say_grid_load(of);
    else if (!rc)
        say_load(of->call, &of->load);
    if (!rc)
        say_people_load(of);
    if (!rc)
        rc = check_trim(of->trace, of->call, err);
    if (!rc)
        rc = open_explainer(of, err);
    if (!rc)
        rc = open_people(of, err);
    if (!rc && wants_starts(of->call))
        rc = grid ? open_starts(of, err) : loom_start_log_create(&of->starts, err);
    return rc || grid ? rc : loom_sim_create(&of->sim, err);
}

int measure_run(struct simulation *of, struct loom_error *err)
{
    int rc = apply_trim(of->sim, of->call, of->trace, err);
    if (!rc)
        rc = name_trace(loom_sim_metrics(&of->metrics, of->sim, err), of->trace, err);
    if (!rc && of->grid)
        rc = loom_grid_metrics(&of->whole, of->grid->grid, err);
    if (!rc)
        rc = loom_sim_rates(&of->rates, of->sim, loom_sim_window(of->sim), err);
    if (!rc && wants_report(of->call))
        rc = loom_sim_outcome_create(&of->outcome, of->sim, err);
    if (!rc)
        rc = open_gantt(&of->gantt, of, err);
    return rc ? rc : measure_people(of, err);
}

void release_simulation(struct simulation *of)
{
    loom_gantt_destroy(of->gantt);
    loom_sim_outcome_destroy(of->outcome);
    loom_sim_classes_destroy(of->classes);
    loom_start_log_destroy(of->starts);
    loom_explainer_destroy(of->explainer);
    loom_feedback_destroy(of->people);
    close_grid(of);
    loom_sim_destroy(of->sim);
    free(of->policy);
}

/* Of a log whose load is to change, a copy where bags are to be found as they are in it. */
static int copy_for_bags(struct loom_trace **out, const struct simulation *of,
                         struct loom_error *err)
{
    const char *by = loom_params_text(of->call->params, "by");
    *out = NULL;
    return by && strcmp(by, "bag") == 0 && one_load(of->call) > 0 ? copy_jobs(out, of->trace, err)
                                                                  : 0;
}

static int simulate_once(struct simulation *of, struct loom_error *err)
{
    struct loom_trace *before;
    int rc = copy_for_bags(&before, of, err);
    of->before = before;
    if (!rc)
        rc = prepare(of, err);
    of->progress =
        loom_progress_create("simulating", "jobs",
                             !rc && of->grid ? count_grid_jobs(of) : loom_trace_count(of->trace),
                             loom_params_flag(of->call->params, "quiet"));
    if (!rc)
        rc = of->grid ? run_grid(of, err) : run_policy(of, err);
    loom_progress_destroy(of->progress);
    of->progress = NULL;
    if (!rc)
        rc = measure_run(of, err);
    if (!rc)
        rc = keep_classes(of, err);
    if (!rc)
        rc = report(of, err);
    loom_trace_destroy(before);
    of->before = NULL;
    return rc;
}

/* The schedule has all jobs of the log, those that could not run too; people submit but what runs.
 */
static int check_schedule(const struct simulation *of, struct loom_error *err)
{
    const char *to = loom_params_text(of->call->params, "output");
    return to && !has_people(of) ? check_jobs_output(of->trace, of->call, to, err) : 0;
}

static int simulate(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                    struct loom_error *err)
{
    struct simulation of = {.call = call, .trace = trace, .pool = pool};
    int rc = select_people(&of, err);
    if (!rc)
        rc = need_jobs(of.trace, call, of.left_out, "to simulate", err);
    if (!rc)
        rc = check_schedule(&of, err);
    if (!rc)
        tell_gaps(&of);
    if (!rc)
        rc = has_several(call) ? simulate_several(&of, err) : simulate_once(&of, err);
    release_simulation(&of);
    return rc;
}

/* Queues grow large while a simulation runs. What comes straight from the system grows without
 * being copied; left alone, the allocator asks it for ever larger things only. */
static void grow_in_place(void)
{
    enum { LARGE = 128 << 10 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
}

static int run(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "output");
    bool explain = loom_params_given(call->params, "explain");
    if (to && strcmp(to, "-") == 0 && (explain || loom_params_flag(call->params, "json")))
        return loom_fail(err, LOOM_EUSAGE,
                         "%s and the schedule cannot both go to stdout; name a file with -o",
                         explain ? "--explain" : "--json");
    grow_in_place();
    int rc = check_load(call, err);
    if (!rc)
        rc = check_policy(call, err);
    if (!rc)
        rc = check_people(call, err);
    if (!rc)
        rc = check_trim(NULL, call, err);
    if (!rc)
        rc = check_explain(call, err);
    if (!rc)
        rc = check_grid(call, err);
    if (!rc)
        rc = check_figures(call, err);
    if (!rc)
        rc = check_several(call, err);
    if (!rc && to)
        rc = refuse_same_file(call->operands[0], to, err);
    if (!rc && to)
        rc = check_trace_output(call, to, err);
    return rc ? rc : with_trace(call, simulate, err);
}

static const char *const about[] = {
    "Rules, load, metrics: 'workloom help simulation'. Users who react: 'workloom help feedback'. "
    "Grids and platform files: 'workloom help platforms'. Policies: 'workloom help schedulers'. "
    "Keys of --json: 'workloom help json'.",
    NULL,
};

static const struct example examples[] = {
    {"workloom simulate log.swf.gz -s fcfs -s easy", "Compare two policies on the log's machine."},
    {"workloom simulate log.swf.gz -s conservative -o schedule.swf", "Keep the schedule."},
    {"workloom simulate log.swf.gz --load 0.5:0.95:0.05 --html load.html",
     "Slowdown against load, as a page to read."},
    {"workloom simulate log.swf.gz --explain 4711", "Why did job 4711 wait?"},
    {"workloom simulate log.swf.gz --users resampled --feedback fluid -s ups",
     "A new population that reacts to service."},
    {"workloom simulate log.swf.gz --platform das3 --background-model uniform",
     "Jobs of a grid of five clusters with local jobs."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {select_param,  loom_select_params + 3,
                                                  input_params,  policy_params,
                                                  plugin_params, machine_params,
                                                  load_params,   people_params,
                                                  rare_params,   grid_params,
                                                  class_params,  explain_params,
                                                  figure_params, schedule_params,
                                                  output_params, common_params,
                                                  NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "What is simulated",
    [3] = "Policy and machine",
    [6] = "Load",
    [7] = "Users",
    [9] = "Grid",
    [10] = "Results",
    [13] = "Output",
    [15] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_simulate = {
    .name = "simulate",
    .group = GROUP_SIMULATION,
    .summary = "simulate a log under a batch scheduler",
    .operands = "TRACE",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = run,
};
