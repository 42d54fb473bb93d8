/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cleaning: the rules in their order, the account of what they drop and why, and the record of it
 * in the header.
 *
 * The record is in the manner of the Parallel Workloads Archive: a note that this is a cleaned
 * version, then one line a filter with the number of jobs it removed, and after those of a rule
 * that has thresholds one line with their values, defaults too. MaxRecords becomes the number of
 * jobs left; MaxJobs stays, as in the archive, the number of jobs of the original.
 */
#include "trace/clean/clean.h"

#include "base/arena.h"
#include "base/vec.h"
#include "trace/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct loom_rule_ops *const rules[] = {
    &loom_rule_impossible, &loom_rule_unrun, &loom_rule_admin,
    &loom_rule_flurry,     &loom_rule_days,  NULL,
};

static const char *const flurry_choices[] = {"auto", "off", NULL};

const struct loom_param loom_clean_params[] = {
    /* impossible */
    LOOM_FLAG_PARAM("keep-impossible", "keep impossible values and duplicate records"),
    LOOM_REAL_PARAM("max-gap", 1e-6, 1e6, NULL, "DAYS",
                    "drop the few jobs (up to 5 %) beyond a gap in submit times longer than this"),
    /* unrun */
    LOOM_FLAG_PARAM("keep-unrun", "keep jobs that never ran"),
    /* admin */
    LOOM_FLAG_PARAM("admin", "drop automated jobs: short, recurring at one time of day"),
    LOOM_INT_PARAM("admin-runtime", 0, 86400, "60", "SECONDS", "longest runtime of such a job"),
    LOOM_INT_PARAM("admin-days", 2, 1e6, "10", "DAYS", "fewest days on which it recurs"),
    LOOM_REAL_PARAM("admin-recurrence", 0, 1, "0.3", "SHARE",
                    "smallest share of active days on which it recurs"),
    LOOM_REAL_PARAM("admin-concentration", 0, 1, "0.3", "SHARE",
                    "smallest share of the user's such jobs at that time of day"),
    /* flurry */
    {.name = "flurry",
     .type = LOOM_PARAM_TEXT,
     .repeated = true,
     .metavar = "USER:FROM:TO",
     .help = "drop a user's jobs from FROM to TO (times, or job numbers as #N:#M)"},
    LOOM_CHOICE_PARAM("flurries", flurry_choices, "off", "HOW",
                      "how to detect flurries: bursts of one user that dominate the log"),
    LOOM_REAL_PARAM("flurry-weeks", 0.1, 1e6, "1.5", "R",
                    "least size within 7 days, in busy weeks (90th percentile) of all other users"),
    LOOM_REAL_PARAM("flurry-share", 0.01, 1, "0.5", "SHARE",
                    "smallest share of all jobs on the days of the flurry"),
    LOOM_INT_PARAM("flurry-jobs", 2, 0x1p62, "300", "N", "fewest jobs of a flurry"),
    /* days */
    LOOM_FLAG_PARAM("abnormal-days",
                    "drop days that form a cluster of their own (Cirne and Berman)"),
    LOOM_INT_PARAM("max-days", 1, 1e6, "20", "N", "most days to drop"),
    {.name = NULL},
};

/* The parameters that a rule is held to, for the record. Those of the rule "impossible" are in its
 * reasons. */
static const struct {
    const struct loom_rule_ops *rule;
    const char *names[5];
} thresholds[] = {
    {&loom_rule_admin, {"admin-runtime", "admin-days", "admin-recurrence", "admin-concentration"}},
    {&loom_rule_flurry, {"flurry-weeks", "flurry-share", "flurry-jobs"}},
    {&loom_rule_days, {"max-days"}},
};

enum { N_RULES = sizeof rules / sizeof rules[0] - 1 };

const struct loom_rule_info *loom_rule_at(size_t index)
{
    return index < N_RULES ? &rules[index]->info : NULL;
}

/* ---- the account ----------------------------------------------------------------------------- */

struct loom_cleaning {
    struct loom_clean_reason *reasons;
    size_t n, capacity;
    uint32_t *marks;
    size_t jobs;
    const char *limits[N_RULES]; /* of each rule, as options; NULL if it has none */
    struct loom_arena arena;
};

void loom_cleaning_destroy(struct loom_cleaning *cleaning)
{
    if (!cleaning)
        return;
    free(cleaning->reasons);
    free(cleaning->marks);
    loom_arena_free(&cleaning->arena);
    free(cleaning);
}

size_t loom_cleaning_reasons(const struct loom_cleaning *cleaning)
{
    return cleaning->n;
}

const struct loom_clean_reason *loom_cleaning_reason(const struct loom_cleaning *cleaning,
                                                     size_t index)
{
    return index < cleaning->n ? &cleaning->reasons[index] : NULL;
}

const uint32_t *loom_cleaning_marks(const struct loom_cleaning *cleaning)
{
    return cleaning->marks;
}

/* ---- reasons, for the rules ------------------------------------------------------------------ */

int loom_reason_begin(struct loom_find *find, struct loom_error *err)
{
    struct loom_cleaning *cleaning = find->cleaning;
    if (loom_grow(&cleaning->reasons, cleaning->n, &cleaning->capacity))
        return loom_fail_memory(err);
    cleaning->reasons[cleaning->n++] =
        (struct loom_clean_reason){.rule = find->rule->info.name, .text = ""};
    return 0;
}

bool loom_reason_taken(const struct loom_find *find, uint32_t row)
{
    return find->cleaning->marks[row] != 0;
}

void loom_reason_mark(struct loom_find *find, uint32_t row)
{
    struct loom_cleaning *cleaning = find->cleaning;
    if (cleaning->marks[row])
        return;
    cleaning->marks[row] = (uint32_t)cleaning->n;
    cleaning->reasons[cleaning->n - 1].jobs++;
}

int64_t loom_reason_jobs(const struct loom_find *find)
{
    return find->cleaning->reasons[find->cleaning->n - 1].jobs;
}

/* Names come from logs, and the text goes into a header line: one line it must be. */
static void blank_controls(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

static int set_text(struct loom_cleaning *cleaning, struct loom_error *err, const char *format,
                    va_list args) LOOM_PRINTF(3, 0);

static int set_text(struct loom_cleaning *cleaning, struct loom_error *err, const char *format,
                    va_list args)
{
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    blank_controls(text);
    const char *copy = loom_arena_text(&cleaning->arena, text, strlen(text));
    if (!copy)
        return loom_fail_memory(err);
    cleaning->reasons[cleaning->n - 1].text = copy;
    return 0;
}

int loom_reason_end(struct loom_find *find, struct loom_error *err, const char *format, ...)
{
    if (loom_reason_jobs(find) == 0) {
        find->cleaning->n--;
        return 0;
    }
    va_list args;
    va_start(args, format);
    int rc = set_text(find->cleaning, err, format, args);
    va_end(args);
    return rc;
}

int loom_reason_end_named(struct loom_find *find, struct loom_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int rc = set_text(find->cleaning, err, format, args);
    va_end(args);
    return rc;
}

const char *loom_find_user(const struct loom_find *find, int32_t user, char *buf, size_t size)
{
    const char *name = loom_trace_name(find->trace, LOOM_USER, user);
    if (name)
        snprintf(buf, size, "user %" PRId32 " (%.60s)", user, name);
    else
        snprintf(buf, size, "user %" PRId32, user);
    return buf;
}

const char *loom_find_time(const struct loom_find *find, int64_t log_s, char *buf, size_t size)
{
    if (loom_trace_machine(find->trace)->unix_start_s >= 0)
        return loom_zone_text(find->zone, log_s, buf, size);
    snprintf(buf, size, "second %" PRId64, log_s);
    return buf;
}

/* ---- the thresholds -------------------------------------------------------------------------- */

static void describe_limits(char *text, size_t size, const char *const *names,
                            const struct loom_params *params)
{
    size_t used = 0;
    for (; *names && used < size; names++) {
        int n = snprintf(text + used, size - used, "%s--%s %.40s", used ? " " : "", *names,
                         loom_params_text(params, *names));
        used += n > 0 ? (size_t)n : 0;
    }
}

/* Flurries that are all named were held to no threshold. */
static bool has_limits(const struct loom_rule_ops *rule, const struct loom_params *params)
{
    return rule != &loom_rule_flurry || strcmp(loom_params_text(params, "flurries"), "auto") == 0;
}

static int set_limits(struct loom_cleaning *cleaning, const struct loom_params *params,
                      struct loom_error *err)
{
    for (size_t i = 0; i < N_RULES; i++)
        for (size_t k = 0; k < sizeof thresholds / sizeof *thresholds; k++) {
            if (thresholds[k].rule != rules[i] || !has_limits(rules[i], params))
                continue;
            char text[320];
            describe_limits(text, sizeof text, thresholds[k].names, params);
            blank_controls(text);
            cleaning->limits[i] = loom_arena_text(&cleaning->arena, text, strlen(text));
            if (!cleaning->limits[i])
                return loom_fail_memory(err);
        }
    return 0;
}

/* ---- running the rules ----------------------------------------------------------------------- */

/* Leave out the marked rows, keeping the order. */
static size_t drop_marked(uint32_t *rows, size_t n, const uint32_t *marks)
{
    size_t left = 0;
    for (size_t i = 0; i < n; i++)
        if (!marks[rows[i]])
            rows[left++] = rows[i];
    return left;
}

static int run_rules(struct loom_find *find, uint32_t *rows, struct loom_error *err)
{
    int rc = 0;
    find->rows = rows;
    for (size_t i = 0; rules[i] && !rc; i++) {
        if (!rules[i]->wanted(find->params))
            continue;
        find->rule = rules[i];
        rc = rules[i]->find(find, err);
        find->n = drop_marked(rows, find->n, find->cleaning->marks);
    }
    return rc;
}

static int find_all(struct loom_cleaning *cleaning, const struct loom_trace *trace,
                    const struct loom_params *params, struct loom_error *err)
{
    cleaning->jobs = loom_trace_count(trace);
    cleaning->marks = calloc(cleaning->jobs ? cleaning->jobs : 1, sizeof *cleaning->marks);
    if (!cleaning->marks)
        return loom_fail_memory(err);
    uint32_t *rows = NULL;
    struct loom_zone *zone = NULL;
    int rc = loom_trace_order(&rows, trace, err);
    if (!rc)
        rc = loom_zone_create(&zone, trace, NULL, err);
    struct loom_find find = {
        .trace = trace,
        .jobs = loom_trace_jobs(trace),
        .params = params,
        .zone = zone,
        .n = cleaning->jobs,
        .cleaning = cleaning,
    };
    if (!rc)
        rc = run_rules(&find, rows, err);
    loom_zone_destroy(zone);
    free(rows);
    return rc;
}

int loom_cleaning_create(struct loom_cleaning **out, const struct loom_trace *trace,
                         const struct loom_params *params, struct loom_error *err)
{
    struct loom_cleaning *cleaning = calloc(1, sizeof *cleaning);
    if (!cleaning)
        return loom_fail_memory(err);
    int rc = set_limits(cleaning, params, err);
    if (!rc)
        rc = find_all(cleaning, trace, params, err);
    if (rc) {
        loom_cleaning_destroy(cleaning);
        return rc;
    }
    *out = cleaning;
    return 0;
}

/* ---- applying -------------------------------------------------------------------------------- */

static int add_line(struct loom_trace *trace, struct loom_error *err, const char *format, ...)
    LOOM_PRINTF(3, 4);

static int add_line(struct loom_trace *trace, struct loom_error *err, const char *format, ...)
{
    char line[640];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    return loom_trace_add_line(trace, line, strlen(line), err);
}

static size_t count_filters(const struct loom_cleaning *cleaning)
{
    size_t filters = 0;
    for (size_t i = 0; i < cleaning->n; i++)
        filters += cleaning->reasons[i].jobs > 0;
    return filters;
}

static int note_rule(const struct loom_cleaning *cleaning, size_t rule, struct loom_trace *trace,
                     struct loom_error *err)
{
    const char *name = rules[rule]->info.name;
    bool dropped = false;
    int rc = 0;
    for (size_t i = 0; i < cleaning->n && !rc; i++) {
        const struct loom_clean_reason *reason = &cleaning->reasons[i];
        if (reason->jobs == 0 || strcmp(reason->rule, name) != 0)
            continue;
        rc = add_line(trace, err, "         %s (%" PRId64 " %s removed)", reason->text,
                      reason->jobs, reason->jobs == 1 ? "job" : "jobs");
        dropped = true;
    }
    if (!rc && dropped && cleaning->limits[rule])
        rc = add_line(trace, err, "           (%s: %s)", name, cleaning->limits[rule]);
    return rc;
}

static int note_reasons(const struct loom_cleaning *cleaning, struct loom_trace *trace,
                        struct loom_error *err)
{
    bool one = count_filters(cleaning) == 1;
    int rc = add_line(trace, err, "%s", "");
    if (!rc)
        rc = add_line(trace, err, " Note: THIS IS A CLEANED VERSION OF THE LOG!");
    if (!rc)
        rc = add_line(trace, err, "       The %s used to produce it %s", one ? "filter" : "filters",
                      one ? "was" : "were");
    for (size_t rule = 0; rule < N_RULES && !rc; rule++)
        rc = note_rule(cleaning, rule, trace, err);
    return rc ? rc : add_line(trace, err, "%s", "");
}

static int set_records(struct loom_trace *trace, size_t records, struct loom_error *err)
{
    if (!loom_trace_directive(trace, "MaxRecords"))
        return 0;
    return loom_trace_set_directive_number(trace, "MaxRecords", (int64_t)records, err);
}

int loom_cleaning_apply(const struct loom_cleaning *cleaning, struct loom_trace *trace,
                        struct loom_error *err)
{
    if (loom_trace_count(trace) != cleaning->jobs)
        return loom_fail(err, LOOM_EUSAGE,
                         "this cleaning was made for a trace of %zu jobs, not %zu", cleaning->jobs,
                         loom_trace_count(trace));
    if (count_filters(cleaning) == 0)
        return 0;
    uint8_t *keep = malloc(cleaning->jobs);
    if (!keep)
        return loom_fail_memory(err);
    size_t kept = 0;
    for (size_t row = 0; row < cleaning->jobs; row++)
        kept += keep[row] = cleaning->marks[row] == 0;
    int rc = note_reasons(cleaning, trace, err);
    if (!rc)
        rc = set_records(trace, kept, err);
    if (!rc)
        loom_trace_keep(trace, keep);
    free(keep);
    return rc;
}
