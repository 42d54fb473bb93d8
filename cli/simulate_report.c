/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate --html, --figures and --gantt. */
#include "simulate_report.h"
#include "simulate_classes.h"
#include "simulate_counts.h"
#include "simulate_grid.h"
#include "simulate_users.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"user", "why", "home", NULL};
enum { BY_USER, BY_WHY, BY_HOME };

const struct loom_param figure_params[] = {
    REPORT_PARAMS("a page", "table"),
    {.name = "gantt",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FROM:TO",
     .help = "Gantt chart of a window: offsets (12h, 3d) or dates"},
    {.name = "gantt-by",
     .type = LOOM_PARAM_CHOICE,
     .choices = colours,
     .value = "user",
     .metavar = "WHAT",
     .help = "its colours"},
    {.name = NULL},
};

/* ---- the window of a chart ------------------------------------------------------------------- */

/* 3600, 90m, 12h or 3d. */
static bool read_length(int64_t *out_s, const char *text)
{
    static const char letters[] = "smhd";
    static const double lengths_s[] = {1, 60, 3600, 86400};
    char *end = NULL;
    double value = isdigit((unsigned char)*text) ? strtod(text, &end) : -1;
    const char *letter = value >= 0 && *end ? strchr(letters, *end) : letters;
    if (!(value >= 0 && value <= 1e12) || !letter || (*end && end[1]))
        return false;
    *out_s = (int64_t)round(value * lengths_s[letter - letters]);
    return true;
}

/* YYYY-MM-DD, with THH:MM or THH:MM:SS behind it; whether there is such a day is seen later. */
static bool is_date(const char *text)
{
    static const char *const shapes[] = {"0000-00-00", "0000-00-00T00:00", "0000-00-00T00:00:00"};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        size_t at = 0;
        while (text[at] && shapes[i][at] &&
               (shapes[i][at] == '0' ? isdigit((unsigned char)text[at]) != 0
                                     : text[at] == shapes[i][at]))
            at++;
        if (!text[at] && !shapes[i][at])
            return true;
    }
    return false;
}

struct window_text {
    char from[32], to[32];
};

/* Dates have colons of their own: the one that parts two times counts. */
static int split_window(struct window_text *out, const char *text, struct loom_error *err)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        int64_t unused_s;
        size_t length = (size_t)(colon - text);
        if (length >= sizeof out->from || strlen(colon + 1) >= sizeof out->to)
            continue;
        snprintf(out->from, sizeof out->from, "%.*s", (int)length, text);
        snprintf(out->to, sizeof out->to, "%s", colon + 1);
        if ((is_date(out->from) || read_length(&unused_s, out->from)) &&
            (is_date(out->to) || read_length(&unused_s, out->to)))
            return 0;
    }
    return loom_fail(err, LOOM_EUSAGE,
                     "--gantt wants FROM:TO, such as 0:3600, 3d:3.5d or 2003-03-03:2003-03-04, not "
                     "'%s'",
                     text);
}

static int read_time(int64_t *out_s, const char *text, int64_t first_s,
                     const struct loom_trace *trace, struct loom_error *err)
{
    struct loom_zone *zone = NULL;
    if (read_length(out_s, text)) {
        *out_s += first_s;
        return 0;
    }
    int rc = loom_zone_create(&zone, trace, NULL, err);
    if (!rc)
        rc = loom_zone_parse(out_s, zone, text, err);
    loom_zone_destroy(zone);
    return rc;
}

static int check_window(const struct invocation *call, struct loom_error *err)
{
    struct window_text text;
    int64_t from_s, to_s;
    const char *window = loom_params_text(call->params, "gantt");
    int rc = split_window(&text, window, err);
    if (!rc && read_length(&from_s, text.from) && read_length(&to_s, text.to) && from_s >= to_s)
        rc = loom_fail(err, LOOM_EUSAGE, "--gantt %s is empty: FROM must be before TO", window);
    return rc;
}

/* "the run lasts for 31 days" is what a person needs to choose another window. */
static int explain_refusal(int rc, const struct simulation *of, const char *window,
                           struct loom_error *err)
{
    char reason[sizeof err->message], length[LOOM_DURATION];
    if (rc == LOOM_ENOMEM || !err)
        return rc;
    snprintf(reason, sizeof reason, "%s", err->message);
    return loom_fail(err, rc, "--gantt %s: %.300s (the run lasts for %s)", window, reason,
                     loom_duration_text((double)of->metrics.makespan_s, length, sizeof length));
}

int open_gantt(struct loom_gantt **out, const struct simulation *of, struct loom_error *err)
{
    const char *text = loom_params_text(of->call->params, "gantt");
    struct loom_sim_window window;
    struct window_text ends;
    *out = NULL;
    if (!text)
        return 0;
    int64_t first_s = loom_sim_jobs(of->sim, NULL)[0].submit_s;
    int rc = split_window(&ends, text, err);
    if (!rc)
        rc = read_time(&window.from_s, ends.from, first_s, of->trace, err);
    if (!rc)
        rc = read_time(&window.to_s, ends.to, first_s, of->trace, err);
    if (!rc && window.from_s >= window.to_s)
        return loom_fail(err, LOOM_EUSAGE, "--gantt %s is empty: FROM must be before TO", text);
    if (rc)
        return rc;
    rc = of->grid ? loom_grid_gantt_create(out, of->grid->grid, window, err)
                  : loom_gantt_create(out, of->sim, window, err);
    return rc ? explain_refusal(rc, of, text, err) : 0;
}

/* ---- options --------------------------------------------------------------------------------- */

bool wants_starts(const struct invocation *call)
{
    return loom_params_given(call->params, "gantt") &&
           loom_params_choice(call->params, "gantt-by") == BY_WHY;
}

int check_figures(const struct invocation *call, struct loom_error *err)
{
    if (loom_params_given(call->params, "gantt") && !wants_report(call))
        return loom_fail(err, LOOM_EUSAGE,
                         "--gantt is drawn in a page or as a figure: add --html FILE or --figures "
                         "DIR");
    if (loom_params_given(call->params, "gantt-by") && !loom_params_given(call->params, "gantt"))
        return loom_fail(err, LOOM_EUSAGE, "--gantt-by needs a window: add --gantt FROM:TO");
    if (loom_params_choice(call->params, "gantt-by") == BY_HOME &&
        !loom_params_given(call->params, "platform"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--gantt-by home is for a grid: add --platform, or take user or why");
    if (loom_params_given(call->params, "by") && loom_params_given(call->params, "figures") &&
        !loom_params_given(call->params, "html") && !loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--by makes a table, for which --figures has no place: add --html FILE "
                         "or --json");
    int rc = loom_params_given(call->params, "gantt") ? check_window(call, err) : 0;
    return rc ? rc : check_report_outputs(call, err);
}

/* ---- the report ------------------------------------------------------------------------------ */

static int write_files(struct loom_report *report, const struct invocation *call,
                       const struct loom_runs_page *page, struct loom_error *err)
{
    struct loom_figure figure;
    int rc = 0;
    if (loom_params_given(call->params, "html"))
        rc = loom_report_runs_html(report, loom_params_text(call->params, "html"), page, err);
    if (!rc && loom_params_given(call->params, "figures"))
        rc = loom_report_figures(report, loom_params_text(call->params, "figures"),
                                 loom_params_text(call->params, "format"), err);
    for (size_t i = 0; !rc && loom_report_figure(report, i, &figure); i++)
        if (figure.reason)
            say(call, "left out the figure %s: %s", figure.name, figure.reason);
    return rc;
}

/* What a page says beside the runs: of which jobs, on which grid, of which people; and tables. */
enum { MOST_TABLES = 3 };

struct setting {
    char people[200], window[80], grid[2000], select[200], classes[200];
    struct loom_shown_table tables[MOST_TABLES];
    struct loom_table *owned[MOST_TABLES];
    size_t n;
};

static void release_setting(struct setting *setting)
{
    for (size_t i = 0; i < setting->n; i++)
        loom_table_destroy(setting->owned[i]);
}

/* Under these words; without a table nothing. */
static void take_table(struct setting *setting, const struct loom_shown_table *words,
                       struct loom_table *table)
{
    if (!table)
        return;
    setting->owned[setting->n] = table;
    setting->tables[setting->n] = *words;
    setting->tables[setting->n++].table = table;
}

/* Of clusters where there is one run, whose simulator is still there; grids have no other people
 * than the log's. */
static int take_parties(struct setting *setting, const struct simulation *of, size_t n,
                        struct loom_error *err)
{
    static const struct loom_shown_table
        clusters =
            {"clusters", "Clusters",
             "Each cluster, and what became of its local jobs and of the grid jobs there. "
             "Waits are means; response / runtime is the mean response over the "
             "mean runtime. Utilization is that by both, from the first to the last submission "
             "of a grid job, and local jobs are those that come in that time.",
             NULL},
        users = {"users", "Users", "What became of the people who submit.", NULL};
    struct loom_table *table = NULL;
    int rc = 0;
    if (of->grid)
        rc = cluster_table(&table, of, err);
    else if (has_people(of))
        rc = n == 1 ? people_table(&table, of, err) : run_people_table(&table, of, n, err);
    take_table(setting, of->grid ? &clusters : &users, table);
    return rc;
}

static int take_classes(struct setting *setting, const struct simulation *of, size_t n,
                        struct loom_error *err)
{
    const struct loom_shown_table words = {"classes", "Classes of jobs", setting->classes, NULL};
    struct loom_table *table = NULL;
    if (!of->classes)
        return 0;
    int used = snprintf(setting->classes, sizeof setting->classes, "What became of jobs by %s.",
                        loom_class_kind_name(of->classes->kind));
    if (n == 1)
        snprintf(setting->classes + used, sizeof setting->classes - (size_t)used,
                 " Fairness over these classes is %.4g (Jain's index of their mean bounded "
                 "slowdowns: 1 if all fare alike).",
                 of->classes->fairness);
    else if (of->classes->kind == LOOM_CLASS_BAG)
        snprintf(setting->classes + used, sizeof setting->classes - (size_t)used,
                 " Bags are found in the log as it is, and are the same jobs in all runs.");
    int rc = class_table(&table, of, n, err);
    take_table(setting, &words, table);
    return rc;
}

/* Of one run the summary tells them. */
static int take_counts(struct setting *setting, const struct simulation *of, size_t n,
                       struct loom_error *err)
{
    static const struct loom_shown_table words = {
        "counts", "Jobs left out or changed",
        "Jobs that could not run, or not as the log has them, by reason.", NULL};
    struct loom_table *table = NULL;
    int rc = n == 1 ? 0 : run_counts_table(&table, of, n, err);
    take_table(setting, &words, table);
    return rc;
}

/* "2003-03-03 to 2003-03-04", as given; NULL where neither end is a date. */
static const char *describe_window(char *buf, size_t size, const struct invocation *call)
{
    const char *text = loom_params_text(call->params, "gantt");
    struct window_text ends;
    if (!text || split_window(&ends, text, NULL) || (!is_date(ends.from) && !is_date(ends.to)))
        return NULL;
    snprintf(buf, size, "%s to %s", ends.from, ends.to);
    return buf;
}

static int describe(struct loom_runs_page *page, struct setting *setting,
                    const struct simulation *of, struct loom_error *err)
{
    if (describe_people(setting->people, sizeof setting->people, of))
        page->people = setting->people;
    page->jobs = (int64_t)loom_trace_count(of->trace);
    page->left_out = of->left_out;
    page->select = describe_selection(setting->select, sizeof setting->select, of->call);
    page->window = describe_window(setting->window, sizeof setting->window, of->call);
    page->grid = of->platform;
    page->grid_words = of->planned ? setting->grid : NULL;
    page->grid_utilization = of->whole.utilization;
    int rc = of->planned ? describe_grid(setting->grid, sizeof setting->grid, of, err) : 0;
    if (!rc)
        rc = take_parties(setting, of, page->n, err);
    if (!rc)
        rc = take_classes(setting, of, page->n, err);
    if (!rc)
        rc = take_counts(setting, of, page->n, err);
    page->tables = setting->tables;
    page->n_tables = setting->n;
    return rc;
}

static struct loom_shown_gantt show_gantt(const struct simulation *of)
{
    const struct loom_params *params = of->call->params;
    const struct grid_run *run = of->grid;
    struct loom_shown_gantt shown = {.gantt = of->gantt,
                                     .sim = of->sim,
                                     .trace = of->trace,
                                     .starts = of->starts};
    if (run) {
        shown.grid = run->grid;
        shown.clusters = run->clusters;
        shown.cluster_starts = (const struct loom_start_log *const *)run->starts;
        shown.by_home = !loom_params_given(params, "gantt-by") ||
                        loom_params_choice(params, "gantt-by") == BY_HOME;
    }
    return shown;
}

int write_simulations(const struct simulation *of, size_t n, struct loom_error *err)
{
    const struct loom_shown_gantt gantt = show_gantt(of);
    struct loom_shown_run *runs = calloc(n, sizeof *runs);
    struct loom_report *report = NULL;
    if (!runs)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        runs[i] = (struct loom_shown_run){.policy = of[i].policy,
                                          .load = of[i].load.asked > 0 ? &of[i].load : NULL,
                                          .load_offered = load_offered(&of[i]),
                                          .grid = of[i].platform ? &of[i].whole : NULL,
                                          .jobs_per_day = of[i].submitting.throughput_jobs_per_day,
                                          .outcome = of[i].outcome};
    struct setting setting = {0};
    struct loom_runs_page page = {.command = of->call->line,
                                  .runs = runs,
                                  .n = n,
                                  .gantt = of->gantt};
    int rc = describe(&page, &setting, of, err);
    if (!rc)
        rc =
            loom_report_runs(&report, of->trace, runs, n, of->gantt ? &gantt : NULL, of->pool, err);
    if (!rc)
        loom_report_join(report, of->call->outputs);
    if (!rc)
        rc = write_files(report, of->call, &page, err);
    loom_report_destroy(report);
    release_setting(&setting);
    free(runs);
    return rc;
}
