/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom convert: from one format to another, whole or in part. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <workloom/models.h>

static const struct loom_param mold_params[] = {
    {.name = "procs-by",
     .type = LOOM_PARAM_TEXT,
     .metavar = "speedup:...",
     .help = "take jobs for moldable and run each on as many processors as it uses well"},
    {.name = NULL},
};

static const struct loom_param request_params[] = {
    ESTIMATES_PARAM,
    {.name = NULL},
};

static const struct loom_param draw_params[] = {
    SEED_PARAM("random seed"),
    REPLICATION_PARAM("number of the replication, for --estimates"),
    {.name = NULL},
};

/* ---- rearranging ----------------------------------------------------------------------------- */

/* What was asked, and the offered load before and after: work is runtime times size, and its mean
 * goes with their correlation. */
struct rearranging {
    struct loom_rearrangement how;
    double load_before, load_after;
};

static int take_rearrangement(struct loom_rearrangement *how, const struct invocation *call,
                              struct loom_error *err)
{
    bool asked;
    int rc = loom_rearrangement_take(how, &asked, call->params, err);
    how->seed = seed_of(call);
    return rc;
}

/* No sign before 0.0000. */
static double unsigned_zero(double correlation)
{
    return fabs(correlation) < 5e-5 ? 0 : correlation;
}

static int rearrange(struct loom_trace *trace, struct rearranging *done, struct loom_error *err)
{
    done->load_before = offered_load(trace);
    int rc = loom_trace_rearrange(trace, &done->how, err);
    done->load_after = offered_load(trace);
    return rc;
}

/* Of two workloads with different loads, the load is printed first. */
static void report_load(const struct invocation *call, const struct rearranging *done)
{
    static const double WORTH_SAYING = 0.02;
    double before = done->load_before, after = done->load_after;
    if (!(before > 0) || !(after > 0))
        return;
    bool moved = fabs(after / before - 1) > WORTH_SAYING;
    say(call, "offered load %.3g%s, was %.3g%s", after,
        after > 1 ? ", more than the machine can do" : "", before,
        moved ? ": runtimes have met other sizes; 'workloom simulate --load L' runs both workloads "
                "at the same load"
              : "");
}

static void report_rearrangement(const struct invocation *call, const struct rearranging *done)
{
    const struct loom_rearrangement *how = &done->how;
    if (how->jobs == 0)
        return;
    char jobs[JOBS_SIZE];
    say(call, "rearranged %s; Spearman correlation of runtime and size %.4f, was %.4f",
        jobs_text(how->jobs, jobs, sizeof jobs), unsigned_zero(how->after),
        unsigned_zero(how->before));
    report_load(call, done);
    if (how->correlate && !how->by_degree && fabs(how->after - how->value) > 0.001)
        say(call,
            "the correlation asked for was %g: each exchange of sizes changes it by a step, and "
            "jobs that are few or much alike make these large",
            how->value);
}

static json_t *rearrangement_json(const struct rearranging *done)
{
    const struct loom_rearrangement *how = &done->how;
    bool target = how->correlate && !how->by_degree;
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "jobs", (json_int_t)how->jobs,
                     "before", loom_json_number(how->before), "after", loom_json_number(how->after),
                     "target", loom_json_number(target ? how->value : NAN), "degree",
                     loom_json_number(how->degree), "load_offered", "before",
                     loom_json_number(done->load_before), "after",
                     loom_json_number(done->load_after));
}

/* ---- changes --------------------------------------------------------------------------------- */

/* All that is done to the jobs on the way. */
struct changes {
    int64_t dropped;
    struct rearranging moved;
    bool resizes;
    struct loom_resize sizes;
    struct loom_request_change requests;
};

static int refuse_idle(const struct invocation *call, const char *option, const char *users,
                       struct loom_error *err)
{
    if (!loom_params_given(call->params, option))
        return 0;
    if (loom_params_given(call->params, "estimates"))
        return loom_fail(err, LOOM_EUSAGE, "--%s has no effect with --estimates %s", option,
                         loom_params_text(call->params, "estimates"));
    return loom_fail(err, LOOM_EUSAGE, "--%s has no effect without %s", option, users);
}

/* Refuse --seed and --replication where nothing is drawn. */
static int check_draws(const struct changes *changes, const struct invocation *call,
                       struct loom_error *err)
{
    const struct loom_rearrangement *how = &changes->moved.how;
    bool drawn = loom_request_rule_random(changes->requests.how);
    int rc = 0;
    if (!drawn && how->shuffle == LOOM_SHUFFLE_NONE && !how->correlate)
        rc = refuse_idle(call, "seed",
                         "--shuffle, --correlation or --estimates uniform:FACTOR or modal", err);
    if (!rc && !drawn)
        rc = refuse_idle(call, "replication", "--estimates uniform:FACTOR or modal", err);
    return rc;
}

static int take_changes(struct changes *changes, const struct invocation *call,
                        struct loom_error *err)
{
    int rc = take_rearrangement(&changes->moved.how, call, err);
    changes->resizes = loom_params_given(call->params, "procs-by");
    if (!rc && changes->resizes)
        rc = loom_resize_parse(&changes->sizes, loom_params_text(call->params, "procs-by"), err);
    if (!rc)
        rc = take_request_change(&changes->requests, call, err);
    return rc ? rc : check_draws(changes, call, err);
}

/* Requests come last: they depend on the runtime that a job has in the end. */
static int apply_changes(struct loom_trace *trace, struct changes *changes, struct loom_pool *pool,
                         struct loom_error *err)
{
    int rc = rearrange(trace, &changes->moved, err);
    if (!rc && changes->resizes)
        rc = loom_trace_resize(trace, &changes->sizes, err);
    if (!rc)
        rc = name_trace(loom_trace_change_requests(trace, &changes->requests, pool, err), trace,
                        err);
    if (!rc && changes->dropped > 0)
        rc = update_records(trace, err);
    return rc;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void report_convert_text(const struct invocation *call, const struct loom_trace *trace,
                                int64_t dropped, const char *to)
{
    char jobs[JOBS_SIZE], count[LOOM_HUMAN], left_out[LOOM_HUMAN + 16] = "";
    if (dropped > 0)
        snprintf(left_out, sizeof left_out, ", left out %s",
                 loom_human_count(dropped, count, sizeof count));
    if (dropped > 0 && loom_trace_count(trace) == 0)
        warn("warning: no job is selected");
    say(call, "wrote %s to %s%s", jobs_text((int64_t)loom_trace_count(trace), jobs, sizeof jobs),
        strcmp(to, "-") == 0 ? "<stdout>" : to, left_out);
}

static int report_convert_json(const struct invocation *call, const struct loom_trace *trace,
                               const struct changes *changes, const char *to,
                               struct loom_error *err)
{
    int64_t jobs = (int64_t)loom_trace_count(trace);
    json_t *rest = json_pack("{s:o, s:o, s:I, s:I, s:I}", "input",
                             text_json(loom_trace_report(trace)->file), "output", text_json(to),
                             "jobs", (json_int_t)jobs, "left_out", (json_int_t)changes->dropped,
                             "bad_lines", (json_int_t)loom_trace_report(trace)->bad_lines);
    if (changes->resizes)
        json_object_set_new(rest, "resized", json_integer((json_int_t)changes->sizes.changed));
    bool failed = changes->moved.how.jobs > 0 &&
                  json_object_set_new(rest, "rearranged", rearrangement_json(&changes->moved));
    if (changes->requests.how != LOOM_REQUESTS_REQUESTED)
        failed |= json_object_set_new(rest, "requested_times",
                                      request_change_json(&changes->requests)) != 0;
    return print_fields(call, rest, failed, err);
}

/* Files are written before results are printed and appear after that: none is left behind if
 * printing fails, and nothing is printed about jobs that cannot be written. */
static int convert(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                   struct loom_error *err)
{
    const char *to = call->operands[1];
    bool json = loom_params_flag(call->params, "json");
    struct changes changes = {0};
    int rc = take_changes(&changes, call, err);
    if (!rc)
        rc = apply_selection(trace, call, &changes.dropped, err);
    if (!rc)
        rc = check_jobs_output(trace, call, to, err);
    if (!rc)
        rc = apply_changes(trace, &changes, pool, err);
    if (!rc)
        rc = record_origin(trace, loom_trace_report(trace), call, err);
    if (!rc)
        rc = write_trace(trace, call, to, pool, err);
    if (!rc && json)
        rc = report_convert_json(call, trace, &changes, to, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc && !json) {
        report_rearrangement(call, &changes.moved);
        say_request_change(call, &changes.requests, trace);
        report_convert_text(call, trace, changes.dropped, to);
    }
    return rc;
}

static int convert_run(const struct invocation *call, struct loom_error *err)
{
    const char *from = call->operands[0], *to = call->operands[1];
    if (loom_params_flag(call->params, "json") && strcmp(to, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "--json and the jobs cannot both go to stdout; name a file to write");
    int rc = refuse_same_file(from, to, err);
    if (!rc)
        rc = check_trace_output(call, to, err);
    return rc ? rc : with_trace(call, convert, err);
}

static const char *const about[] = {
    "Formats follow from suffix and content, '.gz' is packed, '-' is stdin or stdout: 'workloom "
    "help formats'. The header of OUT records the command and the hash of IN.",
    "With --shuffle, joint permutes runtimes with their sizes (removes locality, keeps "
    "correlation), "
    "runtime or procs one of them, separate both. With a runtime go its requested time, CPU time "
    "and status; submit times and users stay, and waits become unknown.",
    "The load changes with the correlation; 'workloom simulate --load' runs both workloads at one "
    "load.",
    "--procs-by speedup:efficiency=0.5,sigma=1 takes the size of a job for its average "
    "parallelism, "
    "or with jobs=notes what 'generate downey97 --speedups' noted of it, "
    "(Downey's speedup; function=sevcik has imbalance, fixed and per-processor) and gives it the "
    "most processors at which speedup over processors is the efficiency, with the runtime that "
    "follows.",
    "--estimates replaces requested times: exact is the runtime, f:FACTOR a multiple of it, "
    "uniform:FACTOR a multiple drawn from 1 to FACTOR + 1 for each job, modal a draw from a model "
    "of the log's own requests (at least 50 jobs). A job of unknown runtime keeps its request.",
    NULL,
};

static const struct example examples[] = {
    {"workloom convert log.swf.gz log.json --select ran", "Make a Batsim workload of a log."},
    {"workloom convert --from sacct jobs.txt jobs.swf", "Make SWF of `sacct --parsable2` output."},
    {"workloom convert log.swf week.swf --from-time 2003-03-03 --to-time 2003-03-10",
     "Cut out a week."},
    {"workloom convert log.swf more.swf --select ran --correlation 0.4 --seed 7",
     "Make long jobs large, to a Spearman correlation of 0.4."},
    {"workloom convert log.swf loose.swf --estimates uniform:4 --seed 7",
     "Have jobs request up to five times their runtime."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    loom_select_params, loom_rearrange_params,   mold_params,   request_params, draw_params,
    input_params,       loom_application_params, output_params, common_params,  NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "Which jobs", [1] = "Runtimes and sizes", [3] = "Requested times", [4] = "Random numbers",
    [5] = "Input",      [6] = "Structure of jobs",  [7] = "Output",          [8] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_convert = {
    .name = "convert",
    .group = GROUP_LOGS,
    .summary = "convert between formats, whole or a selection",
    .operands = "IN OUT",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 2,
    .max_operands = 2,
    .run = convert_run,
};
