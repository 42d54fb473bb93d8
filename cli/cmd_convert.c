/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom convert: from one format to another, whole or in part. */
#include "command.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static void report_text(const struct invocation *call, const struct loom_trace *trace,
                        int64_t dropped, const char *to)
{
    int64_t jobs = (int64_t)loom_trace_count(trace);
    char left_out[40] = "";
    if (dropped > 0)
        snprintf(left_out, sizeof left_out, ", left out %" PRId64, dropped);
    say(call, "wrote %" PRId64 " %s to %s%s", jobs, jobs == 1 ? "job" : "jobs",
        strcmp(to, "-") == 0 ? "<stdout>" : to, left_out);
}

static int report_json(const struct invocation *call, const struct loom_trace *trace,
                       int64_t dropped, const char *to, struct loom_error *err)
{
    int64_t jobs = (int64_t)loom_trace_count(trace);
    json_t *document = new_document(call);
    json_t *rest = json_pack("{s:o, s:o, s:I, s:I, s:I}", "input",
                             text_json(loom_trace_report(trace)->file), "output", text_json(to),
                             "jobs", (json_int_t)jobs, "left_out", (json_int_t)dropped, "bad_lines",
                             (json_int_t)loom_trace_report(trace)->bad_lines);
    if (!rest || json_object_update(document, rest)) {
        json_decref(document);
        document = NULL;
    }
    json_decref(rest);
    return print_document(document, err);
}

/* What goes to stdout comes first: if it cannot be printed, no file is left behind. */
static int convert(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                   struct loom_error *err)
{
    const char *to = call->operands[1];
    int64_t dropped = 0;
    bool json = loom_params_flag(call->params, "json");
    int rc = apply_selection(trace, call, &dropped, err);
    if (!rc && json)
        rc = report_json(call, trace, dropped, to, err);
    if (!rc && dropped > 0)
        rc = update_records(trace, err);
    if (!rc)
        rc = record_origin(trace, loom_trace_report(trace), call, err);
    if (!rc)
        rc = write_trace(trace, call, to, pool, err);
    if (!rc && !json)
        report_text(call, trace, dropped, to);
    return rc;
}

static int run(const struct invocation *call, struct loom_error *err)
{
    const char *from = call->operands[0], *to = call->operands[1];
    if (loom_params_flag(call->params, "json") && strcmp(to, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "--json and the jobs cannot both go to stdout; name a file to write");
    int rc = refuse_same_file(from, to, err);
    return rc ? rc : with_trace(call, convert, err);
}

static const char *const about[] = {
    "Reads IN and writes its jobs to OUT. The formats go by suffix and content ('.gz' is packed or "
    "unpacked on the way), or by --from and --to; '-' is stdin or stdout. Every job and header "
    "line "
    "is kept unless a selection option leaves it out; the header of OUT records the command and "
    "the "
    "hash of IN.",
    "Times for --from-time and --to-time are seconds of the log, or dates in its own time zone.",
    NULL,
};

static const struct example examples[] = {
    {"workloom convert log.swf.gz log.json --select ran", "Make a Batsim workload of a log."},
    {"workloom convert --from sacct jobs.txt jobs.swf", "Make SWF of `sacct --parsable2` output."},
    {"workloom convert log.swf week.swf --from-time 2003-03-03 --to-time 2003-03-10",
     "Cut out a week."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {loom_select_params, input_params, output_params,
                                                  common_params, NULL};

const struct command command_convert = {
    .name = "convert",
    .summary = "convert between formats, whole or a selection",
    .operands = "IN OUT",
    .about = about,
    .params = params,
    .examples = examples,
    .min_operands = 2,
    .max_operands = 2,
    .run = run,
};
