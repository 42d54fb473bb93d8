/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of simulations: of one run its results in plain words and as a table, of several a table
 * to compare them, of several loads where the machine saturates; who submits, on which grid, tables
 * of classes and clusters; and the figures. Everything that
 * comes from a log or the command line passes through loom_html_text.
 */
#include "report/runs.h"
#include "report/tool.h"
#include "sim/results/saturation.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PEOPLE, GRID, CLASSES };

/* ---- what stands beside the figures
 * ----------------------------------------------------------------------------------- */

static void describe_people(char *buf, size_t size, const struct loom_outcome *outcome)
{
    const struct loom_users_outcome *users = outcome->submitters;
    int used = snprintf(
        buf, size, "%s, %s%s%s",
        users->resampled ? "a resampled population" : "the users of the log",
        users->behaviour ? "reacting by " : "who do not react",
        users->behaviour ? users->behaviour : "",
        outcome->load.asked > 0
            ? "; the load of the log is changed before that, and the load offered is a result"
            : "");
    if (!isnan(users->log_load) && used > 0 && (size_t)used < size)
        snprintf(buf + used, size - (size_t)used,
                 ". The log itself has a load of %.3g and a throughput of %.4g jobs/day",
                 users->log_load, users->log_throughput_jobs_per_day);
}

enum { MOST_CLUSTERS = 8 }; /* named one by one */
#define COVERS_ENOUGH 0.9

static const char *source_of(const struct loom_cluster_outcome *cluster)
{
    return cluster->model ? cluster->model : cluster->log ? cluster->log : "";
}

static void describe_local(FILE *out, const struct loom_grid_outcome *grid)
{
    size_t with = 0, shown = 0, alike = 0;
    for (size_t i = 0; i < grid->n; i++) {
        with += *source_of(&grid->clusters[i]) != 0;
        alike += strcmp(source_of(&grid->clusters[i]), source_of(&grid->clusters[0])) == 0;
    }
    fputs(with == 0 ? " There are no local jobs." : " Local jobs: ", out);
    for (size_t i = 0; i < grid->n && shown < (alike == grid->n ? 1 : MOST_CLUSTERS); i++) {
        const struct loom_cluster_outcome *cluster = &grid->clusters[i];
        if (!*source_of(cluster))
            continue;
        fprintf(out, "%s%s from the %s %s", shown++ ? "; " : "",
                alike == grid->n ? "on each cluster" : cluster->name,
                cluster->model ? "model" : "log", source_of(cluster));
        if ((alike < grid->n || grid->n == 1) && !isnan(cluster->metrics.load))
            fprintf(out, " at a load of %.2g", cluster->metrics.load);
    }
    if (alike < grid->n && with > shown)
        fprintf(out, "; and on %zu more clusters", with - shown);
    if (with > 0)
        fputs(".", out);
}

static int describe_grid(char *buf, size_t size, const struct loom_grid_outcome *grid,
                         struct loom_error *err)
{
    FILE *text = fmemopen(buf, size - 1, "w"); /* it ends with a 0 if all fits */
    if (!text)
        return loom_fail_memory(err);
    fprintf(text, "%zu cluster%s:", grid->n, grid->n == 1 ? "" : "s");
    for (size_t i = 0; i < grid->n && i < MOST_CLUSTERS; i++)
        fprintf(text, "%s %s with %" PRId64 " processors", i ? "," : "", grid->clusters[i].name,
                grid->clusters[i].procs);
    if (grid->n > MOST_CLUSTERS)
        fprintf(text, " and %zu more", grid->n - MOST_CLUSTERS);
    fputs(".", text);
    describe_local(text, grid);
    if (grid->metrics.covers_least < COVERS_ENOUGH)
        fprintf(text, " Those of %s come in only %.2g %% of the time of grid jobs.",
                grid->clusters[grid->metrics.least_covered].name, 100 * grid->metrics.covers_least);
    fclose(text);
    buf[size - 1] = 0;
    return 0;
}

static void describe_classes(char *buf, size_t size, const struct loom_outcome *outcome, size_t n)
{
    int used = snprintf(buf, size, "Jobs by %s.", loom_class_kind_name(outcome->classes->kind));
    if (n == 1 && isnan(outcome->classes->fairness))
        snprintf(buf + used, size - (size_t)used, " No job has a known %s.",
                 loom_class_kind_name(outcome->classes->kind));
    else if (n == 1)
        snprintf(buf + used, size - (size_t)used,
                 " Fairness over these classes is %.3g (Jain's index of their mean bounded "
                 "slowdowns: 1 if all are equal).",
                 outcome->classes->fairness);
    else if (outcome->classes->kind == LOOM_CLASS_BAG)
        snprintf(buf + used, size - (size_t)used,
                 " Bags are found in the log as it is, and are the same jobs in all runs.");
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void add_table(struct loom_runs_sheet *sheet, const char *id, const char *title,
                      const char *intro, struct loom_table *table)
{
    if (table)
        sheet->tables[sheet->n_tables++] = (struct loom_shown_table){id, title, intro, table};
}

/* Users of a resampled population have no names in the log. */
static const struct loom_trace *names_of(const struct loom_outcome *outcome,
                                         const struct loom_trace *trace)
{
    return outcome->submitters && outcome->submitters->resampled ? NULL : trace;
}

static int collect_tables(struct loom_runs_sheet *sheet, const struct loom_trace *trace,
                          struct loom_error *err)
{
    struct loom_table *table = NULL;
    int rc = 0;
    if (sheet->n == 1 && sheet->runs[0]->grid) {
        rc = loom_clusters_table(&table, sheet->runs[0], err);
        add_table(
            sheet, "clusters", "Clusters",
            "Each cluster, its local jobs and the grid jobs that ran there, from the first to the "
            "last submission of a grid job. Waits are means; response / runtime is mean response "
            "over mean runtime.",
            table);
    }
    table = NULL;
    if (!rc && sheet->runs[0]->classes) {
        describe_classes(sheet->words[CLASSES], sizeof sheet->words[CLASSES], sheet->runs[0],
                         sheet->n);
        rc =
            loom_classes_table(&table, sheet->runs, sheet->n, names_of(sheet->runs[0], trace), err);
        add_table(sheet, "classes", "Classes of jobs", sheet->words[CLASSES], table);
    }
    table = NULL;
    if (!rc && sheet->n > 1) {
        rc = loom_counts_table(&table, sheet->runs, sheet->n, err);
        add_table(sheet, "counts", "Jobs left out or changed",
                  "Jobs that could not run, or not as the log has them, by reason.", table);
    }
    return rc;
}

int loom_runs_sheet_open(struct loom_runs_sheet *out, const struct loom_report *report,
                         const struct loom_runs_page *page, struct loom_error *err)
{
    const struct loom_outcome *first = page->outcomes[0];
    *out = (struct loom_runs_sheet){.command = page->command,
                                    .runs = page->outcomes,
                                    .n = page->n,
                                    .gantt = page->gantt,
                                    .window = page->window,
                                    .select = page->select,
                                    .caution = page->caution,
                                    .jobs = (int64_t)loom_trace_count(report->trace),
                                    .left_out = page->left_out};
    int rc = 0;
    if (first->submitters) {
        describe_people(out->words[PEOPLE], sizeof out->words[PEOPLE], first);
        out->people = out->words[PEOPLE];
    }
    if (first->grid) {
        rc = describe_grid(out->words[GRID], sizeof out->words[GRID], first->grid, err);
        out->grid = first->grid->platform;
        out->grid_words = out->words[GRID];
        out->grid_utilization = first->grid->metrics.utilization;
    }
    return rc ? rc : collect_tables(out, report->trace, err);
}

void loom_runs_sheet_close(struct loom_runs_sheet *sheet)
{
    for (size_t i = 0; i < sheet->n_tables; i++)
        loom_table_destroy(sheet->tables[i].table);
}

/* ---- words ----------------------------------------------------------------------------------- */

static void number(FILE *out, const char *before, double value, const char *after)
{
    fputs(before, out);
    if (isnan(value))
        fputs("\xE2\x80\x93", out);
    else
        loom_html_number(out, value);
    fputs(after, out);
}

static void duration(FILE *out, const char *before, double seconds, const char *after)
{
    fputs(before, out);
    loom_html_duration(out, seconds);
    fputs(after, out);
}

/* The percentiles from the largest of those at which nobody waits. */
static void write_waits(FILE *out, const double waits_s[LOOM_N_PERCENTS])
{
    static const struct {
        const char *who;
        size_t percentile;
    } parts[] = {{"half of them", 0}, {"nine of ten", 1}, {"99 of 100", 3}};
    size_t first = 0;
    while (first < 2 && waits_s[parts[first + 1].percentile] < 1)
        first++;
    for (size_t i = first; i < 3; i++) {
        double wait_s = waits_s[parts[i].percentile];
        fprintf(out, "%s%s", i == first ? ": " : ", ", parts[i].who);
        if (wait_s < 1)
            fputs(" not at all", out);
        else
            duration(out, " at most ", wait_s, "");
    }
}

static void write_service(FILE *out, const struct loom_sim_metrics *metrics)
{
    duration(out, "<li><a href=\"#service\">Jobs waited</a> ", metrics->wait_mean_s, " on average");
    write_waits(out, metrics->wait_percentile_s);
    number(out, ". Bounded slowdown is ", metrics->bounded_slowdown_mean, " on average");
    number(out, ", and the mean response is ", metrics->slowdown_ratio,
           " times the mean runtime.</li>\n");
}

/* A grid has local jobs too, and its own are what the rest of the page is about. */
static void write_busy(FILE *out, const struct loom_sim_metrics *metrics,
                       const struct loom_runs_sheet *page)
{
    if (!page->grid) {
        loom_html_percent(out, "<li><a href=\"#time\">The machine was busy</a> to ",
                          metrics->utilization, "");
        return;
    }
    const struct loom_grid_metrics *grid =
        page->runs[0]->grid ? &page->runs[0]->grid->metrics : NULL;
    loom_html_percent(out, "<li>All jobs, <a href=\"#clusters\">local ones</a> too, kept ",
                      page->grid_utilization, " of the grid busy");
    if (grid && !isnan(grid->utilization_submitting))
        loom_html_percent(out, ", and ", grid->utilization_submitting, " while grid jobs came");
    fputs(".</li>\n", out);
    loom_html_percent(out, "<li><a href=\"#time\">Grid jobs</a> kept ", metrics->utilization,
                      " of it busy in their makespan");
}

static void write_machine(FILE *out, const struct loom_outcome *outcome,
                          const struct loom_runs_sheet *page)
{
    const struct loom_sim_metrics *metrics = &outcome->metrics;
    write_busy(out, metrics, page);
    if (metrics->queue_mean < 0.01)
        fputs(", with hardly ever a job waiting", out);
    else
        number(out, ", with ", metrics->queue_mean, " jobs waiting on average");
    number(out, " and ", (double)metrics->queue_max, " at most");
    loom_html_percent(out, "; for ", outcome->rates.queue_share[0], " of the time nobody waited.");
    number(out, " The load offered is ", metrics->load_offered,
           page->grid ? " over all processors" : "");
    if (metrics->filling)
        number(out, "; outstanding jobs grow by ", loom_growth_shown(metrics->outstanding.per_week),
               " a week, which is saturation by the rule, but rests on running jobs alone while "
               "there is room for more: the jobs that wait do not grow");
    else if (metrics->saturated >= 0) {
        fprintf(out, "; the %s is ", page->grid ? "grid" : "machine");
        number(out,
               metrics->undecided   ? "perhaps saturated, which is undecided: outstanding jobs "
                                      "grow by "
               : metrics->saturated ? "saturated, since outstanding jobs grow by "
                                    : "not saturated: outstanding jobs grow by ",
               loom_growth_shown(metrics->outstanding.per_week), " a week");
        if (!isnan(metrics->outstanding.error)) {
            number(out, ", standard error ", loom_growth_shown(metrics->outstanding.error), "");
            number(out, ", interval ", loom_growth_shown(metrics->outstanding.low), "");
            number(out, " to ", loom_growth_shown(metrics->outstanding.high), "");
        }
    }
    if (loom_sim_had_backlog(metrics))
        number(out, ", by the last weeks; but ", (double)metrics->backlog_weeks,
               " weeks on end began with more than a day's work for all processors waiting");
    fputs(".</li>\n", out);
}

static void write_words(FILE *out, const struct loom_runs_sheet *page)
{
    const struct loom_outcome *run = page->runs[0];
    const struct loom_sim_metrics *metrics = &run->metrics;
    number(out, "<ul class=\"summary\">\n<li>", (double)metrics->jobs,
           metrics->jobs == 1 ? " job ran on " : " jobs ran on ");
    number(out, "", (double)run->procs, run->procs == 1 ? " processor" : " processors");
    duration(out, " in ", (double)metrics->makespan_s,
             " from the first submission to the last end");
    if (metrics->measured < metrics->jobs)
        number(out, "; ", (double)metrics->measured, " of them are measured");
    fputs(".</li>\n", out);
    write_service(out, metrics);
    if (metrics->makespan_s > 0)
        write_machine(out, run, page);
    if (!isnan(run->fairness))
        number(out, "<li>Fairness over users is ", run->fairness,
               " (Jain's index of their mean bounded slowdowns: 1 if all fare alike).</li>\n");
    if (run->load.asked > 0)
        fprintf(
            out,
            "<li>The load%s was changed from %.3f to %.3f by %s, so that there are other numbers "
            "than the log's.</li>\n",
            page->grid ? " of the grid, over the processors that local jobs leave," : "",
            run->load.before, run->load.after, loom_load_way_name(run->load.way));
#define X(name, what)                                 \
    if (run->counts.name > 0)                         \
        number(out, "<li>", (double)run->counts.name, \
               run->counts.name == 1 ? " job: " what ".</li>\n" : " jobs: " what ".</li>\n");
    LOOM_SIM_COUNTS(X)
#undef X
    fputs("</ul>\n", out);
}

/* ---- several runs ---------------------------------------------------------------------------- */

/* A table of more rows, or of several loads, comes behind the figures. */
enum { SHORT_TABLE = 8 };

static bool is_long(const struct loom_runs_sheet *page)
{
    return page->n > SHORT_TABLE || loom_runs_of(page->runs, page->n).n_loads > 1;
}

/* Of many policies at one load. */
static void write_overview(FILE *out, const struct loom_runs_sheet *page)
{
    const struct loom_outcome *best = page->runs[0];
    number(out, "<ul class=\"summary\">\n<li>", (double)page->n,
           " runs of the same jobs; their <a href=\"#results\">results</a> stand behind the "
           "figures.</li>\n");
    for (size_t i = 1; i < page->n; i++)
        if (page->runs[i]->metrics.wait_mean_s < best->metrics.wait_mean_s)
            best = page->runs[i];
    duration(out, "<li>The shortest mean wait is ", best->metrics.wait_mean_s, " (");
    loom_html_text(out, best->policy);
    fputs(").</li>\n</ul>\n", out);
}

/* ---- sections -------------------------------------------------------------------------------- */

static const struct section {
    const char *id, *title, *intro;
} sections[] = {
    {"load", "Load",
     "The same jobs at several loads: arrival rate times mean work of a job, over the "
     "processors."},
    {"service", "Waits and slowdowns",
     "How long jobs waited, and how that compares with how long "
     "they ran."},
    {"time", "Over time", "How busy the machine was, and how many jobs waited."},
    {"chart", "Gantt chart", ""},
};

enum { N_SECTIONS = sizeof sections / sizeof *sections };

static bool has_figures(const struct loom_report *report, const char *section)
{
    for (size_t i = 0; i < report->n; i++)
        if (strcmp(report->drawings[i].ops->section, section) == 0)
            return true;
    return false;
}

static void write_gantt_words(FILE *out, const struct loom_runs_sheet *page, int64_t first_s)
{
    const struct loom_gantt *gantt = page->gantt;
    number(out, "<p class=\"intro\">", (double)gantt->jobs, gantt->jobs == 1 ? " job" : " jobs");
    duration(out, " in ", (double)(gantt->window.to_s - gantt->window.from_s), "");
    if (page->window) {
        fputs(", ", out);
        loom_html_text(out, page->window);
    }
    duration(out, ", from ", (double)(gantt->window.from_s - first_s),
             " after the first submission on.</p>\n");
}

static void write_section(FILE *out, const struct loom_report *report,
                          const struct loom_runs_sheet *page, const struct section *section)
{
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n", section->id, section->title);
    if (page->grid && strcmp(section->id, "time") == 0)
        fputs("<p class=\"intro\">How busy grid jobs kept all clusters, and how many of them "
              "waited.</p>\n",
              out);
    else if (page->grid && strcmp(section->id, "load") == 0)
        fputs("<p class=\"intro\">The same grid jobs at several loads of the grid: arrival rate "
              "times mean work of a grid job, over the processors that local jobs leave.</p>\n",
              out);
    else if (section->intro[0])
        fprintf(out, "<p class=\"intro\">%s</p>\n", section->intro);
    else
        write_gantt_words(out, page, page->runs[0]->series->from_s);
    loom_page_figures(out, report, section->id);
    loom_page_absent(out, report, section->id);
    fputs("</section>\n", out);
}

static void write_nav(FILE *out, const struct loom_report *report,
                      const struct loom_runs_sheet *page)
{
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Summary</a></li>", out);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (has_figures(report, sections[i].id))
            fprintf(out, "<li><a href=\"#%s\">%s</a></li>", sections[i].id, sections[i].title);
    if (page->n == 1 || is_long(page))
        fputs("<li><a href=\"#results\">Results</a></li>", out);
    for (size_t i = 0; i < page->n_tables; i++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>", page->tables[i].id, page->tables[i].title);
    fputs("<li><a href=\"#log\">The log</a></li></ul></nav>\n", out);
}

static void write_title(FILE *out, const struct loom_report *report,
                        const struct loom_runs_sheet *page)
{
    fputs("Simulation of ", out);
    loom_page_name(out, report->trace);
    if (page->grid) {
        fputs(" on the grid ", out);
        loom_html_text(out, page->grid);
    }
}

/* Write a note, which begins with a letter or a digit, as a paragraph. */
static void write_sentence(void *context, const char *sentence)
{
    FILE *out = context;
    fprintf(out, "<p class=\"note\">%c", toupper((unsigned char)sentence[0]));
    loom_html_text(out, sentence + 1);
    fputs("</p>\n", out);
}

/* Which policy is better, before all numbers. */
static void write_lead(FILE *out, const struct loom_runs_sheet *page)
{
    char text[600];
    if (!loom_outcome_lead(text, sizeof text, page->runs, page->n)[0])
        return;
    text[0] = (char)toupper((unsigned char)text[0]);
    fputs("<p class=\"intro\"><strong>", out);
    loom_html_text(out, text);
    fputs(".</strong></p>\n", out);
}

static void write_header(FILE *out, const struct loom_report *report,
                         const struct loom_runs_sheet *page)
{
    const struct loom_read_report *read = loom_trace_report(report->trace);
    const struct loom_runs runs = loom_runs_of(page->runs, page->n);
    fputs("<header><h1>", out);
    write_title(out, report, page);
    fputs("</h1>\n<p class=\"sub\">", out);
    loom_html_text(out, read && read->file ? read->file : "");
    number(out, " · ", (double)page->jobs,
           page->jobs == 1 ? " job of the log" : " jobs of the log");
    if (page->select) {
        fputs(", selected by ", out);
        loom_html_text(out, page->select);
        number(out, ", ", (double)page->left_out, " left out");
    }
    if (page->n == 1) {
        fputs(" · ", out);
        loom_html_text(out, page->runs[0]->policy);
    }
    if (page->people) {
        fputs(" · ", out);
        loom_html_text(out, page->people);
    }
    fputs("</p></header>\n<main>\n<section id=\"summary\">\n<h2>Summary</h2>\n", out);
    if (page->grid_words) {
        fputs("<p class=\"intro\">", out);
        loom_html_text(out, page->grid_words);
        fputs("</p>\n", out);
    }
    if (page->n > 1)
        write_lead(out, page);
    if (page->n == 1)
        write_words(out, page);
    else if (runs.n_loads > 1)
        loom_runs_loads(out, &runs, page->grid ? "grid" : "machine");
    else if (page->n <= SHORT_TABLE)
        loom_runs_table(out, page);
    else
        write_overview(out, page);
    loom_outcome_notes(page->runs, page->n, write_sentence, out);
    if (page->caution)
        write_sentence(out, page->caution);
    fputs(
        "<p class=\"note\"><strong>One sample:</strong> each policy ran one workload, and nothing "
        "here says how far another of its kind would be from it. Several replications of a "
        "resampled or generated workload give intervals.</p>\n</section>\n",
        out);
}

void loom_runs_page_write(FILE *out, const struct loom_report *report, const void *context)
{
    const struct loom_runs_sheet *page = context;
    loom_page_head(out);
    write_title(out, report, page);
    loom_page_body(out, "");
    write_nav(out, report, page);
    write_header(out, report, page);
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (has_figures(report, sections[i].id))
            write_section(out, report, page, &sections[i]);
    if (page->n == 1)
        loom_runs_results(out, page->runs[0]);
    else if (is_long(page)) {
        fputs("<section id=\"results\">\n<h2>Results</h2>\n", out);
        loom_runs_table(out, page);
        fputs("</section>\n", out);
    }
    for (size_t i = 0; i < page->n_tables; i++)
        loom_page_table_section(out, &page->tables[i]);
    loom_page_log(out, report->trace);
    loom_page_end(out, page->command);
}

int loom_report_runs_html(struct loom_report *report, const char *path,
                          const struct loom_runs_page *page, struct loom_error *err)
{
    struct loom_runs_sheet sheet;
    int rc = loom_runs_sheet_open(&sheet, report, page, err);
    if (!rc)
        rc = loom_page_write(report, path, loom_runs_page_write, &sheet, err);
    loom_runs_sheet_close(&sheet);
    return rc;
}
