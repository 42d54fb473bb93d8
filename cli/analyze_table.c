/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom analyze --table: the data of one figure or table, as text, JSON or CSV. */
#include "analyze_table.h"

#include "definitions.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const char *const classes[] = {"user", "group",   "queue", "partition",
                                      "size", "runtime", "hour",  NULL};
/* In the order of classes. */
static const char *const class_tables[] = {"service-user",      "service-group", "service-queue",
                                           "service-partition", "service-size",  "service-runtime",
                                           "service-hour"};

const struct loom_param analysis_table_params[] = {
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = classes,
     .metavar = "CLASS",
     .help = "observed service and shares of jobs and work, by class, instead"},
    {.name = "table",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAME",
     .help = "one table, or the data of a figure, instead ('workloom list tables')"},
    {.name = "csv",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write the data of --by or --table to FILE ('-': stdout)"},
    {.name = "rounds",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1e6,
     .metavar = "N",
     .help = "rounds of randomised figures (default: 1000, fewer in long logs)"},
    {.name = NULL},
};

const char *table_of(const struct invocation *call)
{
    if (loom_params_given(call->params, "by"))
        return class_tables[loom_params_choice(call->params, "by")];
    return loom_params_text(call->params, "table");
}

struct loom_report_options report_options_of(const struct invocation *call)
{
    const struct loom_params *params = call->params;
    return (struct loom_report_options){
        .only = table_of(call),
        .seed = seed_of(call),
        .rounds =
            loom_params_given(params, "rounds") ? (size_t)loom_params_int(params, "rounds") : 0,
    };
}

int check_table(const struct invocation *call, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    const char *name = table_of(call);
    struct loom_figure figure;
    if (loom_params_given(params, "by") && loom_params_given(params, "table"))
        return loom_fail(err, LOOM_EUSAGE, "--by shows a table of its own: leave out --table");
    if (!name)
        return loom_params_given(params, "csv")
                   ? loom_fail(err, LOOM_EUSAGE,
                               "--csv writes the data of --by or of a --table: name one")
                   : 0;
    if (loom_params_given(params, "fit") || loom_params_given(params, "feature") ||
        wants_report(call))
        return loom_fail(
            err, LOOM_EUSAGE,
            "--by and --table show one table alone: leave out --fit, --feature, --html and "
            "--figures");
    for (size_t i = 0; loom_figure_at(i, &figure); i++)
        if (strcmp(figure.name, name) == 0)
            return loom_params_given(params, "csv")
                       ? refuse_same_file(call->operands[0], loom_params_text(params, "csv"), err)
                       : 0;
    return loom_fail(err, LOOM_EUSAGE, "there is no table '%s'; see 'workloom list tables'", name);
}

static int print_analyze_table_json(const struct invocation *call, const struct loom_trace *trace,
                                    int64_t left_out, const struct loom_report *report,
                                    const struct loom_definitions *definitions,
                                    struct loom_error *err)
{
    const struct loom_read_report *read = loom_trace_report(trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, read->hash);
    json_t *fields = json_pack("{s:o, s:s, s:s, s:I, s:I, s:o}", "file", text_json(read->file),
                               "hash", hash, "select", loom_params_text(call->params, "select"),
                               "jobs", (json_int_t)loom_trace_count(trace), "left_out",
                               (json_int_t)left_out, "definitions", definitions_json(definitions));
    bool failed = merge_json(fields, loom_report_table_json(report, table_of(call))) != 0;
    return print_fields(call, fields, failed, err);
}

static int write_analyze_table_csv(const struct invocation *call, const struct loom_report *report,
                                   struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, loom_params_text(call->params, "csv"), err);
    if (!rc)
        rc = loom_report_table_csv(out, report, table_of(call), err);
    return end_output(out, rc, call, err);
}

/* Say who has the largest share of the work; hours have none to name. */
static int say_shares(const struct invocation *call, const struct loom_trace *trace,
                      struct loom_error *err)
{
    char text[400] = "";
    int rc = 0;
    if (loom_params_given(call->params, "by"))
        rc = loom_service_shares(text, sizeof text, trace, NULL,
                                 (size_t)loom_params_choice(call->params, "by"), err);
    if (!rc && *text)
        say(call, "%s", text);
    return rc;
}

static int print_analyze_table_text(const struct invocation *call, const struct loom_trace *trace,
                                    const struct loom_report *report, struct loom_error *err)
{
    struct loom_table *table = NULL;
    struct loom_figure figure;
    int rc = loom_report_table(&table, report, table_of(call), err);
    if (!rc) {
        loom_table_wide(table, loom_params_flag(call->params, "wide"));
        rc = print_table(table, err);
    }
    if (!rc && loom_report_figure(report, 0, &figure))
        say(call, "%s: %s", figure.title, figure.caption);
    return rc ? rc : say_shares(call, trace, err);
}

/* Fail in the words of --by where the log does not have what it asks for. */
static int check_classes(const struct invocation *call, const struct loom_report *report,
                         struct loom_error *err)
{
    struct loom_figure figure;
    if (!loom_params_given(call->params, "by") || !loom_report_figure(report, 0, &figure) ||
        !figure.reason)
        return 0;
    return loom_fail(err, LOOM_EDATA, "no table for --by %s: %s",
                     loom_params_text(call->params, "by"), figure.reason);
}

int print_analysis_table(const struct invocation *call, const struct loom_trace *trace,
                         int64_t left_out, const struct loom_features *features,
                         struct loom_pool *pool, struct loom_error *err)
{
    struct loom_report_options options = report_options_of(call);
    struct loom_report *report = NULL;
    int rc = loom_report_create_with(&report, trace, features, &options, pool, err);
    if (!rc)
        rc = check_classes(call, report, err);
    if (!rc && loom_params_given(call->params, "csv"))
        rc = write_analyze_table_csv(call, report, err);
    if (!rc && loom_params_flag(call->params, "json"))
        rc = print_analyze_table_json(call, trace, left_out, report,
                                      loom_features_definitions(features), err);
    else if (!rc && !loom_params_given(call->params, "csv"))
        rc = print_analyze_table_text(call, trace, report, err);
    loom_report_destroy(report);
    return rc;
}
