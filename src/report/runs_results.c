/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of runs on a page: all metrics of one, or several runs as the rows of a table. */
#include "report/runs.h"
#include "sim/results/saturation.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void write_run_value(FILE *out, const struct loom_metric *metric, double value)
{
    if (isnan(value))
        fputs("\xE2\x80\x93", out);
    else if (strcmp(metric->unit, "yes/no") == 0)
        fputs(value > 0 ? "yes" : "no", out);
    else
        loom_html_number(out, value);
}

/* ---- one run --------------------------------------------------------------------------------- */

static bool is_shown_result(const struct loom_outcome *outcome, const struct loom_metric *metric)
{
    bool trimmed = outcome->metrics.measured < outcome->metrics.jobs;
    if (metric->group == LOOM_METRICS_WINDOW && strncmp(metric->key, "window_", 7) == 0)
        return trimmed;
    return loom_outcome_has(outcome, metric->group) && metric->group != LOOM_METRICS_COUNTS;
}

void loom_runs_results(FILE *out, const struct loom_outcome *outcome)
{
    const struct loom_metric *metric;
    fputs("<section id=\"results\">\n<h2>Results</h2>\n<details><summary>Table of all results"
          "</summary>\n<div class=\"scroll\" "
          "tabindex=\"0\"><table><thead><tr><th>Result</th><th>Value</th><th>Unit</th></tr></"
          "thead><tbody>\n",
          out);
    for (size_t i = 0; (metric = loom_metric_at(i)); i++) {
        bool share = strcmp(metric->unit, "share") == 0;
        double value = loom_outcome_metric(outcome, metric);
        if (!is_shown_result(outcome, metric))
            continue;
        fputs("<tr>", out);
        loom_html_cell(out, "what", "Result", metric->label);
        fputs("<td class=\"value\" data-label=\"Value\">", out);
        write_run_value(out, metric, share ? 100 * value : value);
        fputs("</td>", out);
        loom_html_cell(out, "unit", "Unit", share ? "%" : metric->unit);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n</details>\n</section>\n", out);
}

/* ---- several runs ---------------------------------------------------------------------------- */

/* Between the shortest and the longest, on a logarithmic scale. */
struct loom_html_unit loom_runs_wait_unit(const struct loom_runs *runs)
{
    double shortest_s = INFINITY, longest_s = 0;
    for (size_t i = 0; i < runs->n; i++) {
        double wait_s = runs->of[i]->metrics.wait_mean_s;
        if (wait_s > 0) {
            shortest_s = fmin(shortest_s, wait_s);
            longest_s = fmax(longest_s, wait_s);
        }
    }
    return loom_html_unit(longest_s > 0 ? sqrt(shortest_s * longest_s) : 0);
}

/* "Mean wait (h)", "Utilization (%)". Returns buf. */
static const char *heading(const struct loom_run_column *column, const struct loom_html_unit *unit,
                           char *buf, size_t size)
{
    const struct loom_metric *metric = loom_metric_of(column->key);
    bool time = strcmp(metric->unit, "s") == 0, share = strcmp(metric->unit, "share") == 0;
    snprintf(buf, size, "%s%s%s%s", column->title, time || share ? " (" : "",
             time    ? unit->name
             : share ? "%"
                     : "",
             time || share ? ")" : "");
    buf[0] = (char)toupper((unsigned char)buf[0]);
    return buf;
}

static void write_cell(FILE *out, const struct loom_outcome *run,
                       const struct loom_run_column *column, const struct loom_html_unit *unit)
{
    const struct loom_metric *metric = loom_metric_of(column->key);
    double value = loom_run_column_value(run, column);
    char label[80];
    if (strcmp(metric->unit, "s") == 0)
        value /= unit->length_s;
    if (strcmp(metric->unit, "share") == 0)
        value *= 100;
    fprintf(out, "<td class=\"number\" data-label=\"%s\">",
            heading(column, unit, label, sizeof label));
    write_run_value(out, metric, value);
    fputs("</td>", out);
}

static void write_run(FILE *out, const struct loom_outcome *run, const struct loom_outcome *first,
                      const struct loom_html_unit *unit, bool asked)
{
    const struct loom_run_column *column;
    fputs("<tr><td class=\"what\" data-label=\"Policy\"><strong>", out);
    loom_html_text(out, run->policy);
    fputs("</strong></td>", out);
    if (asked) {
        fputs("<td class=\"number\" data-label=\"Load asked\">", out);
        write_run_value(out, loom_metric_of("load_offered"),
                        run->load.asked > 0 ? run->load.asked : (double)NAN);
        fputs("</td>", out);
    }
    for (size_t next = 0; (column = loom_run_column(first, &next));)
        write_cell(out, run, column, unit);
    const char *verdict = loom_verdict_text(run);
    fprintf(out, "<td class=\"number\" data-label=\"Saturated\">%s</td></tr>\n",
            strcmp(verdict, "-") == 0 ? "\xE2\x80\x93" : verdict);
}

static void write_titles(FILE *out, const struct loom_runs_sheet *page,
                         const struct loom_html_unit *unit, bool asked)
{
    const struct loom_run_column *column;
    char label[80];
    fprintf(out,
            "<div class=\"scroll\" tabindex=\"0\"><table class=\"versus\"><thead><tr>"
            "<th>Policy</th>%s",
            asked ? "<th>Load asked</th>" : "");
    for (size_t next = 0; (column = loom_run_column(page->runs[0], &next));)
        fprintf(out, "<th>%s</th>", heading(column, unit, label, sizeof label));
    fputs("<th>Saturated</th></tr></thead><tbody>\n", out);
}

static bool any_filling(const struct loom_runs_sheet *page)
{
    for (size_t i = 0; i < page->n; i++)
        if (page->runs[i]->metrics.filling)
            return true;
    return false;
}

static bool any_undecided(const struct loom_runs_sheet *page)
{
    for (size_t i = 0; i < page->n; i++)
        if (page->runs[i]->metrics.undecided)
            return true;
    return false;
}

static bool lacks_verdict(const struct loom_runs_sheet *page)
{
    for (size_t i = 0; i < page->n; i++)
        if (page->runs[i]->metrics.saturated < 0)
            return true;
    return false;
}

static size_t count_backlogs(const struct loom_runs_sheet *page)
{
    size_t n = 0;
    for (size_t i = 0; i < page->n; i++)
        n += loom_sim_had_backlog(&page->runs[i]->metrics);
    return n;
}

static void write_note(FILE *out, const struct loom_runs_sheet *page)
{
    fputs("<p class=\"note\">Response / runtime is mean response over mean runtime. Fairness is "
          "Jain's index of the users' mean bounded slowdowns: 1 if all are equal. ",
          out);
    if (page->runs[0]->grid)
        fputs(
            "Utilization is by all jobs, local ones too, from the first to the last submission of "
            "a grid job. ",
            out);
    if (page->runs[0]->submitters)
        fputs("Jobs/day are those that ended in the time of submissions. ", out);
    fprintf(out,
            "A %s is saturated if outstanding jobs, submitted and not ended, grow by more than one "
            "a week by the trend of their weekly counts (Zakay 2017, chapter 3), however long jobs "
            "wait",
            page->grid ? "grid" : "machine");
    if (any_undecided(page))
        fputs("; undecided if the interval of the growth contains one a week: its 95 % interval, "
              "widened by what it would be had the run ended earlier",
              out);
    if (any_filling(page))
        fputs("; filling if that growth is of running jobs alone and the queue does not grow", out);
    size_t backlogs = count_backlogs(page);
    if (backlogs > 0)
        fprintf(
            out,
            "; %zu of these runs %s not saturated at the end, but had %d or more weeks in a row "
            "that began with over a day's work waiting",
            backlogs, backlogs == 1 ? "is" : "are", LOOM_BACKLOG_LONG);
    fputs(lacks_verdict(page) ? "; \xE2\x80\x93 if the weeks are too few for a trend.</p>\n"
                              : ".</p>\n",
          out);
}

void loom_runs_table(FILE *out, const struct loom_runs_sheet *page)
{
    const struct loom_runs all = {.of = page->runs, .n = page->n};
    const struct loom_html_unit unit = loom_runs_wait_unit(&all);
    const bool asked = loom_runs_missed_load(page->runs, page->n);
    const bool folded = loom_page_fold(out, page->n, "runs");
    write_titles(out, page, &unit, asked);
    for (size_t i = 0; i < page->n; i++)
        write_run(out, page->runs[i], page->runs[0], &unit, asked);
    fputs("</tbody></table></div>\n", out);
    loom_page_unfold(out, folded);
    write_note(out, page);
}
