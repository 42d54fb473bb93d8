/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom info: what a log is, what it holds, and what is missing or odd. */
#include "command.h"
#include "features/tool.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is known of one trace. */
struct findings {
    const struct invocation *call;
    const struct loom_trace *trace;
    struct loom_summary summary;
    struct loom_problems *problems;
    struct loom_zone *zone;
    const char *zone_note; /* what the clock does not take into account, or NULL */
    int64_t left_out;
    struct loom_machine_size machine; /* of the whole log */
    struct loom_observed observed;    /* likewise */
    bool cut;                         /* the log is complete for a part of its time only */
};

static const char *const kind_names[LOOM_NAME_KINDS] = {
    [LOOM_USER] = "users",   [LOOM_GROUP] = "groups",         [LOOM_EXECUTABLE] = "executables",
    [LOOM_QUEUE] = "queues", [LOOM_PARTITION] = "partitions",
};

static int investigate(struct findings *out, const struct loom_trace *trace, struct loom_error *err)
{
    out->trace = trace;
    int rc = loom_summarize(&out->summary, trace, err);
    if (!rc)
        rc = loom_problems_create(&out->problems, trace, err);
    if (!rc)
        rc = loom_zone_create(&out->zone, trace, &out->zone_note, err);
    return rc;
}

static void forget(struct findings *findings)
{
    loom_problems_destroy(findings->problems);
    loom_zone_destroy(findings->zone);
}

static bool knows_dates(const struct findings *f)
{
    return loom_trace_machine(f->trace)->unix_start_s >= 0 && f->summary.jobs > 0;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Adds a value that may be NULL for lack of memory; *failed remembers that. */
static void info_put(json_t *object, const char *key, json_t *value, bool *failed)
{
    if (json_object_set_new(object, key, value))
        *failed = true;
}

static json_t *integer(int64_t number)
{
    return json_integer((json_int_t)number);
}

static json_t *columns_json(const struct loom_summary *summary, bool *failed)
{
    json_t *columns = json_object();
    for (int i = 0; i < LOOM_COLUMN_COUNT; i++) {
        const struct loom_range *range = &summary->columns[i];
        json_t *column = json_object();
        info_put(column, "known", integer(range->known), failed);
        info_put(column, "min", range->known ? loom_json_number(range->min) : json_null(), failed);
        info_put(column, "max", range->known ? loom_json_number(range->max) : json_null(), failed);
        info_put(columns, range->name, column, failed);
    }
    return columns;
}

static json_t *problems_json(const struct loom_problems *problems, bool *failed)
{
    json_t *array = json_array();
    for (size_t i = 0; i < loom_problems_count(problems); i++) {
        const struct loom_problem *problem = loom_problems_at(problems, i);
        json_t *item = json_object();
        info_put(item, "code", json_string(problem->code), failed);
        info_put(item, "count", integer(problem->count), failed);
        info_put(item, "text", text_json(problem->text), failed);
        if (json_array_append_new(array, item))
            *failed = true;
    }
    return array;
}

static json_t *header_json(const struct loom_trace *trace, bool *failed)
{
    const struct loom_directive *lines;
    size_t n = loom_trace_directives(trace, &lines);
    json_t *array = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *pair = json_array();
        if (json_array_append_new(pair, text_json(lines[i].key)) ||
            json_array_append_new(pair, text_json(lines[i].value)) ||
            json_array_append_new(array, pair))
            *failed = true;
    }
    return array;
}

static json_t *window_json(const struct loom_trace_window *window, bool *failed)
{
    json_t *object = json_object();
    info_put(object, "from_s", integer(window->from_s), failed);
    info_put(object, "to_s", integer(window->to_s), failed);
    info_put(object, "jobs", integer(window->jobs), failed);
    info_put(object, "before", integer(window->before), failed);
    info_put(object, "after", integer(window->after), failed);
    info_put(object, "running_from", integer(window->running_from), failed);
    info_put(object, "running_to", integer(window->running_to), failed);
    info_put(object, "by_ends", json_boolean(window->by_ends), failed);
    return object;
}

static json_t *dropped_json(const struct loom_read_report *report, bool *failed)
{
    json_t *object = json_object();
    for (size_t i = 0; i < report->n_dropped; i++) {
        json_t *name = text_json(report->dropped[i].name);
        info_put(object, name ? json_string_value(name) : "", integer(report->dropped[i].jobs),
                 failed);
        json_decref(name);
    }
    return object;
}

static json_t *trace_json(const struct findings *f, const char *selected)
{
    const struct loom_read_report *report = loom_trace_report(f->trace);
    const struct loom_machine *machine = loom_trace_machine(f->trace);
    bool failed = false;
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *object = json_object();
    info_put(object, "file", text_json(report->file), &failed);
    info_put(object, "format", json_string(report->format), &failed);
    info_put(object, "hash", json_string(hash), &failed);
    info_put(object, "bytes", integer((int64_t)report->bytes), &failed);
    info_put(object, "select", json_string(selected), &failed);
    info_put(object, "jobs", integer(f->summary.jobs), &failed);
    info_put(object, "left_out", integer(f->left_out), &failed);
    for (int kind = 0; kind < LOOM_NAME_KINDS; kind++)
        info_put(object, kind_names[kind], integer(f->summary.numbers[kind]), &failed);
    info_put(object, "max_procs", integer(f->machine.procs), &failed);
    info_put(object, "max_procs_from",
             json_string(f->machine.source == LOOM_SIZE_HEADER ? "header"
                         : f->machine.source == LOOM_SIZE_PEAK ? "peak"
                                                               : "widest"),
             &failed);
    info_put(object, "max_nodes",
             machine->max_nodes > 0 ? integer(machine->max_nodes) : json_null(), &failed);
    info_put(object, "unix_start_s",
             machine->unix_start_s >= 0 ? integer(machine->unix_start_s) : json_null(), &failed);
    info_put(object, "time_zone", machine->time_zone ? text_json(machine->time_zone) : json_null(),
             &failed);
    info_put(object, "first_submit_s", integer(f->summary.first_submit_s), &failed);
    info_put(object, "span_s", integer(f->summary.span_s), &failed);
    info_put(object, "window", window_json(&f->observed.window, &failed), &failed);
    info_put(object, "utilization",
             isfinite(f->observed.utilization) ? loom_json_number(f->observed.utilization)
                                               : json_null(),
             &failed);
    info_put(object, "bad_lines", integer(report->bad_lines), &failed);
    info_put(object, "dropped", dropped_json(report, &failed), &failed);
    info_put(object, "columns", columns_json(&f->summary, &failed), &failed);
    info_put(object, "problems", problems_json(f->problems, &failed), &failed);
    info_put(object, "header", header_json(f->trace, &failed), &failed);
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static int print_line(struct loom_output *out, struct loom_error *err, const char *label,
                      const char *value)
{
    return loom_output_printf(out, err, "  %-14s%s\n", label, value);
}

/* Header values that identify the log. */
static int print_header(struct loom_output *out, const struct loom_trace *trace,
                        struct loom_error *err)
{
    static const char *const keys[] = {"Computer", "Installation", "Acknowledge", "Version"};
    int rc = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys && !rc; i++) {
        const char *value = loom_trace_directive(trace, keys[i]);
        if (value && *value)
            rc = print_line(out, err, keys[i], value);
    }
    return rc;
}

static int print_times(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    char first[32], last[32], span[LOOM_HUMAN], text[160];
    const char *zone = loom_trace_machine(f->trace)->time_zone;
    int64_t start = f->summary.first_submit_s;
    loom_human_seconds((double)f->summary.span_s, span, sizeof span);
    if (!knows_dates(f))
        return print_line(out, err, "submits", span);
    snprintf(text, sizeof text, "%s to %s, %s", loom_zone_text(f->zone, start, first, sizeof first),
             loom_zone_text(f->zone, start + f->summary.span_s, last, sizeof last), span);
    int rc = print_line(out, err, "submits", text);
    return rc ? rc
              : print_line(out, err, "time zone", zone && !f->zone_note ? zone : "no zone rules");
}

/* The window is named where it matters; the load is over it. */
static int print_window(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    const struct loom_trace_window *window = &f->observed.window;
    char from[32], to[32], length[LOOM_HUMAN], text[200];
    loom_human_seconds((double)window->to_s - (double)window->from_s, length, sizeof length);
    if (knows_dates(f))
        snprintf(text, sizeof text, "%s to %s, %s",
                 loom_zone_text(f->zone, window->from_s, from, sizeof from),
                 loom_zone_text(f->zone, window->to_s, to, sizeof to), length);
    else
        snprintf(text, sizeof text, "%" PRId64 " s to %" PRId64 " s, %s", window->from_s,
                 window->to_s, length);
    return print_line(out, err, "complete", text);
}

/* Name the period of the load, which lacks the jobs before and after the covered window. */
static const char *period_text(const struct findings *f)
{
    const struct loom_trace_window *window = &f->observed.window;
    return f->cut                               ? " while the log is complete"
           : window->before + window->after > 0 ? " in the covered window"
                                                : "";
}

/* Where no job has a wait, the processors in use are not known, but what was asked of them is. */
static int print_offered(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    char text[160];
    double load =
        loom_size_usable(&f->machine) ? loom_load_offered(f->trace, f->machine.procs) : NAN;
    if (f->observed.wait_s.n > 0 || !isfinite(load))
        return 0;
    snprintf(text, sizeof text,
             "%.1f %% of the processors, offered from the first submission to the last; no waits",
             100 * load);
    return print_line(out, err, "load", text);
}

static int print_load(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    char text[160], wait[LOOM_HUMAN];
    if (!isfinite(f->observed.utilization))
        return print_offered(out, f, err);
    loom_human_seconds(f->observed.wait_s.mean, wait, sizeof wait);
    snprintf(text, sizeof text, "%.1f %% of the processors in use%s; mean wait %s%s",
             100 * f->observed.utilization, period_text(f), wait,
             loom_trace_resampled(f->trace) ? " (of the original submissions)" : "");
    return print_line(out, err, "load", text);
}

static int print_count(struct loom_output *out, struct loom_error *err, const char *label,
                       int64_t count)
{
    char text[LOOM_HUMAN];
    return print_line(out, err, label, loom_human_count(count, text, sizeof text));
}

static int print_jobs(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    char jobs[LOOM_HUMAN], left_out[LOOM_HUMAN], text[2 * LOOM_HUMAN + 20];
    loom_human_count(f->summary.jobs, jobs, sizeof jobs);
    if (f->left_out == 0)
        return print_line(out, err, "jobs", jobs);
    snprintf(text, sizeof text, "%s (and %s left out)", jobs,
             loom_human_count(f->left_out, left_out, sizeof left_out));
    return print_line(out, err, "jobs", text);
}

static int print_procs(struct loom_output *out, const struct loom_machine_size *machine,
                       struct loom_error *err)
{
    char procs[LOOM_HUMAN], text[LOOM_HUMAN + 60];
    loom_human_count(machine->procs, procs, sizeof procs);
    if (machine->source == LOOM_SIZE_HEADER)
        snprintf(text, sizeof text, "%s", procs);
    else
        snprintf(text, sizeof text, "%s (%s; the header does not say)", procs,
                 loom_size_source_text(machine->source));
    return print_line(out, err, "processors", text);
}

static int print_counts(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    int rc = print_jobs(out, f, err);
    if (!rc)
        rc = print_procs(out, &f->machine, err);
    for (int kind = 0; kind < LOOM_NAME_KINDS && !rc; kind++)
        rc = print_count(out, err, kind_names[kind], f->summary.numbers[kind]);
    return rc;
}

static int print_dropped(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    const struct loom_read_report *report = loom_trace_report(f->trace);
    int rc = report->n_dropped > 0
                 ? loom_output_printf(out, err, "\nNot kept, with the jobs that have a value:\n")
                 : 0;
    for (size_t i = 0; i < report->n_dropped && !rc; i++) {
        char jobs[LOOM_HUMAN];
        loom_human_count(report->dropped[i].jobs, jobs, sizeof jobs);
        rc = print_line(out, err, report->dropped[i].name, jobs);
    }
    return rc;
}

static int add_range(struct loom_table *table, const struct loom_range *range,
                     struct loom_error *err)
{
    char text[LOOM_HUMAN];
    int rc = loom_table_cell(table, err, "%s", range->name);
    if (!rc)
        rc = count_cell(table, range->known, err);
    for (int i = 0; i < 2 && !rc; i++) {
        double value = i == 0 ? range->min : range->max;
        rc =
            loom_table_cell(table, err, "%s",
                            range->known ? column_text(range->name, value, text, sizeof text) : "");
    }
    return rc ? rc : loom_table_cell(table, err, "%s", range->what);
}

static int fill_ranges(struct loom_table *table, const struct loom_summary *summary,
                       struct loom_error *err)
{
    static const struct table_column columns[] = {{"column", LOOM_LEFT, LOOM_KEEP},
                                                  {"known", LOOM_RIGHT, LOOM_KEEP},
                                                  {"smallest", LOOM_RIGHT, LOOM_KEEP},
                                                  {"largest", LOOM_RIGHT, LOOM_KEEP},
                                                  {"what it is", LOOM_LEFT, 10}};
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (int i = 0; i < LOOM_COLUMN_COUNT && !rc; i++)
        rc = add_range(table, &summary->columns[i], err);
    return rc;
}

static int print_ranges(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = new_table(&table, f->call, err);
    if (!rc)
        rc = fill_ranges(table, &f->summary, err);
    if (!rc)
        rc = loom_output_write(out, "\n", 1, err);
    if (!rc)
        rc = loom_table_write(table, out, err);
    loom_table_destroy(table);
    return rc;
}

static int print_problems(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    size_t n = loom_problems_count(f->problems);
    int rc = loom_output_printf(out, err, n ? "\nNotes:\n" : "\nNothing odd.\n");
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_output_printf(out, err, "  - %s\n", loom_problems_at(f->problems, i)->text);
    if (!rc && f->zone_note)
        rc = loom_output_printf(out, err, "  - %s\n", f->zone_note);
    return rc;
}

static int print_findings(struct loom_output *out, const struct findings *f, struct loom_error *err)
{
    const struct loom_read_report *report = loom_trace_report(f->trace);
    char size[LOOM_HUMAN];
    loom_human_bytes((double)report->bytes, size, sizeof size);
    int rc = loom_output_printf(out, err, "%s: %s, %s of text, xxh3 %016" PRIx64 "\n", report->file,
                                report->format, size, report->hash);
    if (!rc)
        rc = print_header(out, f->trace, err);
    if (!rc)
        rc = print_times(out, f, err);
    if (!rc && f->cut)
        rc = print_window(out, f, err);
    if (!rc)
        rc = print_counts(out, f, err);
    if (!rc)
        rc = print_load(out, f, err);
    if (!rc)
        rc = print_ranges(out, f, err);
    if (!rc)
        rc = print_dropped(out, f, err);
    return rc ? rc : print_problems(out, f, err);
}

/* ---- the command ----------------------------------------------------------------------------- */

/* Where the findings go: lines on stdout, or entries of a document. */
struct sink {
    struct loom_output *out;
    json_t *traces;
};

static int info_show(const struct findings *f, const struct invocation *call, struct sink *sink,
                     bool first, struct loom_error *err)
{
    if (sink->traces) {
        const char *selected = loom_params_text(call->params, "select");
        if (json_array_append_new(sink->traces, trace_json(f, selected)))
            return loom_fail_memory(err);
        return 0;
    }
    int rc = first ? 0 : loom_output_write(sink->out, "\n", 1, err);
    return rc ? rc : print_findings(sink->out, f, err);
}

static int show_file(const struct invocation *call, size_t index, struct loom_pool *pool,
                     struct sink *sink, struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    struct findings findings = {.call = call};
    int rc = read_trace(&trace, call, call->operands[index], pool, err);
    if (!rc)
        rc = loom_observed_summary(&findings.observed, trace, err);
    findings.machine = findings.observed.machine;
    findings.cut = !rc && loom_trace_window_matters(&findings.observed.window, trace);
    if (!rc)
        rc = apply_selection(trace, call, &findings.left_out, err);
    if (!rc)
        rc = investigate(&findings, trace, err);
    if (!rc)
        rc = info_show(&findings, call, sink, index == 0, err);
    forget(&findings);
    loom_trace_destroy(trace);
    return rc;
}

static int show_files(const struct invocation *call, struct sink *sink, struct loom_error *err)
{
    struct loom_pool *pool = NULL;
    int rc = make_pool(&pool, call, err);
    for (size_t i = 0; i < call->n_operands && !rc; i++)
        rc = show_file(call, i, pool, sink, err);
    loom_pool_destroy(pool);
    return rc;
}

static int run_json(const struct invocation *call, struct loom_error *err)
{
    json_t *document = new_document(call);
    struct sink sink = {.traces = json_array()};
    if (json_object_set_new(document, "traces", sink.traces)) {
        json_decref(document);
        return loom_fail_memory(err);
    }
    int rc = show_files(call, &sink, err);
    if (rc) {
        json_decref(document);
        return rc;
    }
    return print_document(document, err);
}

static int info_run(const struct invocation *call, struct loom_error *err)
{
    if (loom_params_flag(call->params, "json"))
        return run_json(call, err);
    struct sink sink = {0};
    int rc = loom_output_create(&sink.out, "-", err);
    if (!rc)
        rc = show_files(call, &sink, err);
    return end_output(sink.out, rc, NULL, err);
}

static const char *const about[] = {
    "'-' reads stdin. Keys of --json: 'workloom help json'. Formats: 'workloom help formats'.",
    NULL,
};

static const struct example examples[] = {
    {"workloom info log.swf.gz", "Look at a log."},
    {"workloom info *.swf.gz --json", "The same for programs."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {loom_select_params, input_params, table_params,
                                                  common_params, NULL};

const struct command command_info = {
    .name = "info",
    .group = GROUP_LOGS,
    .summary = "describe a log: header, counts, ranges, problems",
    .operands = "TRACE...",
    .about = about,
    .params = params,
    .examples = examples,
    .min_operands = 1,
    .max_operands = (size_t)-1,
    .run = info_run,
};
