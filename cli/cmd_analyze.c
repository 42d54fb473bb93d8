/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom analyze: the features of a log, as text or JSON, as a report to read, and as figures. */
#include "analyze_fit.h"
#include "analyze_table.h"
#include "definitions.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const selections[] = {"ran", "completed", "all", NULL};

/* The selection options, with the default of the feature dictionary in place of their own. */
static const struct loom_param select_param[] = {
    {.name = "select",
     .type = LOOM_PARAM_CHOICE,
     .choices = selections,
     .value = "ran",
     .metavar = "WHICH",
     .help = "which jobs"},
    {.name = NULL},
};

static const struct loom_param report_params[] = {
    REPORT_PARAMS("a page", "table"),
    {.name = NULL},
};

static const struct loom_param feature_params[] = {
    {.name = "feature",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "PREFIXES",
     .help = "only features whose keys start so, comma-separated"},
    {.name = NULL},
};

/* ---- which features -------------------------------------------------------------------------- */

/* One prefix of a list with commas, from `at` on, which is moved behind it; false at the end. */
static bool next_prefix(const char **at, const char **prefix, size_t *length)
{
    if (!*at)
        return false;
    *at += strspn(*at, " ");
    *prefix = *at;
    *length = strcspn(*at, ",");
    *at = (*at)[*length] ? *at + *length + 1 : NULL;
    return true;
}

static bool is_wanted(const struct invocation *call, const char *key)
{
    size_t n = loom_params_count(call->params, "feature"), length;
    for (size_t i = 0; i < n; i++) {
        const char *list = loom_params_item(call->params, "feature", i), *prefix;
        while (next_prefix(&list, &prefix, &length))
            if (strncmp(key, prefix, length) == 0)
                return true;
    }
    return n == 0;
}

static bool is_known_prefix(const char *prefix, size_t length)
{
    const struct loom_feature_info *info;
    for (size_t k = 0; length > 0 && (info = loom_feature_info_at(k)); k++)
        if (strncmp(info->key, prefix, length) == 0)
            return true;
    return false;
}

/* Write which keys or beginnings of keys may have been meant: as many words, between dots, as were
 * typed. */
static void guess_prefix(char *buf, size_t size, const char *prefix)
{
    enum { MOST = 512 };
    char cut[MOST][48];
    const char *words[MOST + 1];
    const struct loom_feature_info *info;
    size_t n = 0, dots = 0;
    for (const char *at = prefix; *at; at++)
        dots += *at == '.';
    for (; n < MOST && (info = loom_feature_info_at(n)); n++) {
        size_t length = 0;
        for (size_t i = 0; i <= dots && info->key[length]; i++)
            length += strcspn(info->key + length + (i > 0), ".") + (i > 0);
        snprintf(cut[n], sizeof cut[n], "%.*s", (int)length, info->key);
        words[n] = cut[n];
    }
    words[n] = NULL;
    const char *nearest = loom_nearest(prefix, words);
    if (nearest)
        snprintf(buf, size, "; did you mean '%s'?", nearest);
    else
        snprintf(buf, size, "; see 'workloom list features'");
}

static int check_prefixes(const struct invocation *call, struct loom_error *err)
{
    size_t length;
    for (size_t i = 0; i < loom_params_count(call->params, "feature"); i++) {
        const char *list = loom_params_item(call->params, "feature", i), *prefix;
        while (next_prefix(&list, &prefix, &length))
            if (!is_known_prefix(prefix, length)) {
                char word[48], guess[80];
                snprintf(word, sizeof word, "%.*s", (int)length, prefix);
                guess_prefix(guess, sizeof guess, word);
                return loom_fail(err, LOOM_EUSAGE, "no feature's key starts with '%.*s'%s",
                                 (int)length, prefix, guess);
            }
    }
    return 0;
}

/* ---- output ---------------------------------------------------------------------------------- */

/* Jobs that were not measured. */
struct left {
    int64_t out;         /* by the selection */
    int64_t unsubmitted; /* as their submit time is unknown */
};

static int print_analyze_json(const struct invocation *call, const struct loom_trace *trace,
                              const struct left *left, const struct loom_features *features,
                              struct loom_error *err)
{
    const struct loom_read_report *report = loom_trace_report(trace);
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, report->hash);
    json_t *values = json_object(), *reasons = json_object(), *notes = json_object();
    bool failed = false;
    for (size_t i = 0; i < loom_features_count(features); i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        const char *key = feature->info->key;
        if (!is_wanted(call, key))
            continue;
        json_t *value = feature->known ? loom_json_number(feature->value) : json_null();
        failed |= json_object_set_new(values, key, value);
        if (!feature->known)
            failed |= json_object_set_new(reasons, key, json_string(feature->reason));
        if (feature->note)
            failed |= json_object_set_new(notes, key, json_string(feature->note));
    }
    const struct loom_definitions *definitions = loom_features_definitions(features);
    json_t *rest = json_pack("{s:o, s:s, s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:o}", "file",
                             text_json(report->file), "hash", hash, "select",
                             loom_params_text(call->params, "select"), "jobs",
                             (json_int_t)loom_trace_count(trace), "left_out", (json_int_t)left->out,
                             "without_submit", (json_int_t)left->unsubmitted, "definitions",
                             definitions_json(definitions), "features", values, "reasons", reasons,
                             "notes", notes, "changed", changed_json(definitions));
    return print_fields(call, rest, failed, err);
}

/* The unit has a column of its own, so that numbers stand below each other. */
static int add_feature(struct loom_table *table, const struct loom_feature *feature,
                       const struct loom_definitions *definitions, struct loom_error *err)
{
    char value[LOOM_HUMAN], note[NOTE_SIZE];
    const char *unit = feature->known ? feature->info->unit : "";
    feature_text(feature->info, feature->known ? feature->value : NAN, value, sizeof value);
    char *blank = strchr(value, ' ');
    if (blank) {
        *blank = '\0';
        unit = blank + 1;
    }
    int rc = loom_table_cell(table, err, "%s", feature->info->key);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", value);
    if (!rc)
        rc = loom_table_cell(table, err, "%s", unit);
    loom_definitions_note(definitions, feature->info->key, note, sizeof note);
    if (!rc)
        rc = loom_table_cell(table, err, "%s%s%s%s%s%s%s", note[0] ? "[" : "", note,
                             note[0] ? "] " : "", feature->known ? "" : "unknown: ",
                             feature->known ? feature->info->meaning : feature->reason,
                             feature->note ? "; " : "", feature->note ? feature->note : "");
    return rc;
}

static int fill_analyze_table(struct loom_table *table, const struct invocation *call,
                              const struct loom_features *features, struct loom_error *err)
{
    static const struct table_column columns[] = {{"feature", LOOM_LEFT, LOOM_KEEP},
                                                  {"value", LOOM_RIGHT, LOOM_KEEP},
                                                  {"", LOOM_LEFT, LOOM_KEEP},
                                                  {"meaning", LOOM_LEFT, 10}};
    int rc = add_columns(table, columns, sizeof columns / sizeof *columns, err);
    for (size_t i = 0; i < loom_features_count(features) && !rc; i++) {
        const struct loom_feature *feature = loom_features_at(features, i);
        if (is_wanted(call, feature->info->key))
            rc = add_feature(table, feature, loom_features_definitions(features), err);
    }
    return rc;
}

static int print_analyze_text(const struct invocation *call, const struct loom_features *features,
                              struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = new_table(&table, call, err);
    if (!rc)
        rc = fill_analyze_table(table, call, features, err);
    if (!rc)
        return print_table(table, err);
    loom_table_destroy(table);
    return rc;
}

/* ---- the report ------------------------------------------------------------------------------ */

static int check_report(const struct invocation *call, struct loom_error *err)
{
    if (loom_params_given(call->params, "fit") && wants_report(call))
        return loom_fail(err, LOOM_EUSAGE, "--fit has no figures: leave out --html and --figures");
    if (loom_params_given(call->params, "fit") && loom_params_given(call->params, "feature"))
        return loom_fail(err, LOOM_EUSAGE, "--fit shows no features: leave out --feature");
    return check_report_outputs(call, err);
}

static int write_analyze_report(const struct invocation *call, const struct loom_trace *trace,
                                const struct loom_features *features, struct loom_pool *pool,
                                struct loom_error *err)
{
    struct loom_report_options options = report_options_of(call);
    struct loom_report *report = NULL;
    int rc = loom_report_create_with(&report, trace, features, &options, pool, err);
    if (!rc)
        loom_report_join(report, call->outputs);
    if (!rc && loom_params_given(call->params, "html"))
        rc = loom_report_html(report, loom_params_text(call->params, "html"), call->line,
                              loom_params_text(call->params, "select"), err);
    return end_report(report, rc, call, err);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int analyze_measure(struct loom_features **out, const struct invocation *call,
                           const struct loom_trace *trace, struct loom_pool *pool,
                           struct loom_error *err)
{
    struct loom_progress *progress =
        loom_progress_create("measuring", "families", loom_feature_families(),
                             loom_params_flag(call->params, "quiet"));
    struct loom_definitions definitions = definitions_of(call);
    int rc = loom_features_create_by(out, trace, &definitions, pool, progress, err);
    loom_progress_destroy(progress);
    return rc;
}

static void say_measured(const struct invocation *call, const struct loom_trace *trace,
                         int64_t left_out)
{
    char jobs[JOBS_SIZE], count[LOOM_HUMAN];
    say(call, "measured %s (--select %s), left out %s",
        jobs_text((int64_t)loom_trace_count(trace), jobs, sizeof jobs),
        loom_params_text(call->params, "select"), loom_human_count(left_out, count, sizeof count));
}

/* As a report, as JSON, or as text. */
static int show_features(const struct invocation *call, const struct loom_trace *trace,
                         const struct left *left, const struct loom_features *features,
                         struct loom_pool *pool, struct loom_error *err)
{
    int rc = wants_report(call) ? write_analyze_report(call, trace, features, pool, err) : 0;
    if (!rc && loom_params_flag(call->params, "json"))
        return print_analyze_json(call, trace, left, features, err);
    return rc || wants_report(call) ? rc : print_analyze_text(call, features, err);
}

static int analyze(const struct invocation *call, struct loom_trace *trace, struct loom_pool *pool,
                   struct loom_error *err)
{
    struct loom_features *features = NULL;
    struct left left = {0};
    size_t before = loom_trace_count(trace);
    if (loom_params_given(call->params, "fit")) {
        int rc = take_selection(trace, call, "to fit to", &left.out, err);
        return rc ? rc : print_fits(call, trace, left.out, pool, err);
    }
    int rc = before > 0 ? take_selection(trace, call, "to measure", &left.out, err) : 0;
    left.unsubmitted = (int64_t)(before - loom_trace_count(trace)) - left.out;
    if (!rc)
        rc = analyze_measure(&features, call, trace, pool, err);
    if (!rc && table_of(call))
        rc = print_analysis_table(call, trace, left.out, features, pool, err);
    else if (!rc)
        rc = show_features(call, trace, &left, features, pool, err);
    if (!rc)
        rc = keep_outputs(call, err);
    if (!rc) {
        say_measured(call, trace, left.out);
        say_definitions(call, loom_features_definitions(features));
    }
    loom_features_destroy(features);
    return rc;
}

static int analyze_run(const struct invocation *call, struct loom_error *err)
{
    enum { LARGE = 1 << 20 };
    int rc = check_prefixes(call, err);
    if (wants_report(call))
        map_large_blocks(LARGE); /* each figure has large tables for a short time */
    if (!rc)
        rc = check_report(call, err);
    if (!rc)
        rc = check_table(call, err);
    return rc ? rc : with_trace(call, analyze, err);
}

static const char *const about[] = {
    "A feature that the log cannot give has a reason in place of a value; 'workloom list features' "
    "has meanings and sources.",
    "Pages and figures need gnuplot; 'gnuplot NAME.gp' in DIR draws a figure again. A figure "
    "that gnuplot fails on is left out, with a warning.",
    "Times, shares and counts are rounded for reading; --json has full precision ('workloom help "
    "json').",
    NULL,
};

static const struct example examples[] = {
    {"workloom analyze log.swf.gz", "All features of the jobs that ran."},
    {"workloom analyze log.swf.gz --select completed --feature bot. --json",
     "Bags of tasks among the completed jobs, for a program."},
    {"workloom analyze log.swf.gz --fit interarrival", "Which distribution fits best?"},
    {"workloom analyze log.swf.gz --rate-interval 3600 --feature arrival.",
     "Arrivals by the hour."},
    {"workloom analyze log.swf.gz --by user",
     "Who had which share of the work, and waited how long?"},
    {"workloom analyze log.swf.gz --table session-rules",
     "Sessions by all methods, thresholds and cuts."},
    {"workloom analyze log.swf.gz --html report.html", "A report to read in a browser."},
    {"workloom analyze log.swf.gz --figures figures --format pdf", "Figures for a paper."},
    {NULL, NULL},
};

static const struct loom_param *const params[] = {
    feature_params, analysis_table_params,  fit_params,   definition_params,
    select_param,   loom_select_params + 1, input_params, report_params,
    table_params,   common_params,          NULL};

/* Above the list of the same number. */
static const char *const headings[] = {
    [0] = "What is measured", [3] = "Definitions", [4] = "Which jobs", [6] = "Input",
    [7] = "Output",           [9] = NULL,
};
_Static_assert(sizeof headings / sizeof *headings + 1 == sizeof params / sizeof *params,
               "a heading for each list");

const struct command command_analyze = {
    .name = "analyze",
    .group = GROUP_LOGS,
    .summary = "measure the features of a log",
    .operands = "TRACE",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 1,
    .max_operands = 1,
    .run = analyze_run,
};
