/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a page of simulations at several loads says in words: under which policy the machine
 * saturates, and from which load on; and how long jobs wait under each policy at each load.
 */
#include "report/runs.h"
#include "sim/results/saturation.h"

/* Runs of one policy, by load. */
struct group {
    const struct loom_outcome *const *runs;
    size_t n;
};

static struct group group_at(const struct loom_runs *runs, size_t at)
{
    return (struct group){&runs->of[at], loom_runs_end(runs, at) - at};
}

static bool is_filling(const struct loom_outcome *run)
{
    return run->metrics.filling;
}

typedef bool holds_fn(const struct loom_outcome *run);

static size_t count_verdicts(struct group group, holds_fn *holds)
{
    size_t n = 0;
    for (size_t i = 0; i < group.n; i++)
        n += holds(group.runs[i]);
    return n;
}

/* Not saturated at the end, but with a queue that stood for weeks. */
static bool had_backlog(const struct loom_outcome *run)
{
    return loom_sim_had_backlog(&run->metrics);
}

static bool is_undecided(const struct loom_outcome *run)
{
    return run->metrics.undecided && !run->metrics.filling;
}

static size_t first_saturated(struct group group)
{
    size_t i = 0;
    while (i < group.n && !loom_outcome_saturated(group.runs[i]))
        i++;
    return i;
}

static void write_saturation(FILE *out, struct group group, const char *machine)
{
    size_t first = first_saturated(group),
           saturated = count_verdicts(group, loom_outcome_saturated);
    fputs("<li>Under <strong>", out);
    loom_html_text(out, group.runs[0]->policy);
    fprintf(out, "</strong> the %s is ", machine);
    size_t undecided = count_verdicts(group, is_undecided);
    if (saturated == 0 && undecided > 0)
        fprintf(out, "surely saturated at none of these loads.");
    else if (saturated == 0)
        fputs("not saturated at any of these loads.", out);
    else if (saturated == group.n)
        fputs("saturated at all of these loads.", out);
    else if (saturated == group.n - first)
        fprintf(out, saturated == 1 ? "saturated at load %.3g." : "saturated from load %.3g on.",
                group.runs[first]->load_shown);
    else
        fprintf(out, "saturated at %zu of these %zu loads, first at %.3g.", saturated, group.n,
                group.runs[first]->load_shown);
    if (undecided > 0)
        fprintf(out, " At %zu of these %zu loads that is undecided.", undecided, group.n);
    size_t filling = count_verdicts(group, is_filling);
    if (filling > 0)
        fprintf(out, " At %zu of these %zu loads the %s fills.", filling, group.n, machine);
    size_t backlog = count_verdicts(group, had_backlog);
    if (backlog > 0)
        fprintf(
            out,
            " At %zu of these %zu loads it is not saturated at the end, but had %d or more weeks "
            "in a row that began with over a day's work waiting.",
            backlog, group.n, LOOM_BACKLOG_LONG);
    fputs("</li>\n", out);
}

static bool knows_saturation(const struct loom_runs *runs)
{
    for (size_t i = 0; i < runs->n; i++)
        if (runs->of[i]->metrics.saturated < 0)
            return false;
    return true;
}

/* ---- waits by policy and load ---------------------------------------------------------------- */

static void write_wait(FILE *out, const struct loom_outcome *run, struct loom_html_unit unit)
{
    fprintf(out, "<td class=\"number\" data-label=\"Mean wait (%s) at load %.3g\">", unit.name,
            run->load.after);
    loom_html_number(out, run->metrics.wait_mean_s / unit.length_s);
    fputs(loom_outcome_saturated(run) ? "\xC2\xA0*</td>"
          : is_filling(run)           ? "\xC2\xA0**</td>"
          : is_undecided(run)         ? "\xC2\xA0?</td>"
                                      : "</td>",
          out);
}

/* What the stars mean. */
static void write_marks(FILE *out, const struct loom_runs *runs, const char *machine)
{
    const struct group all = {runs->of, runs->n};
    size_t saturated = count_verdicts(all, loom_outcome_saturated),
           filling = count_verdicts(all, is_filling);
    if (saturated > 0)
        fprintf(out,
                "<p class=\"note\">* The %s is saturated: outstanding jobs grow by more than one a "
                "week, so that the mean grows with the length of the log.</p>\n",
                machine);
    if (filling > 0)
        fprintf(out,
                "<p class=\"note\">** The %s fills: outstanding jobs grow by more than one a week, "
                "which is saturation by the rule, but by running jobs alone, as the jobs that wait "
                "do not grow.</p>\n",
                machine);
    if (count_verdicts(all, is_undecided) > 0)
        fprintf(out,
                "<p class=\"note\">? Whether the %s is saturated is undecided: the interval of the "
                "growth of outstanding jobs contains one a week.</p>\n",
                machine);
    if (saturated + filling == 0 && !knows_saturation(runs))
        fputs("<p class=\"note\">Saturation is not known of all runs: too few weeks "
              "for a trend.</p>\n",
              out);
}

static void write_waits(FILE *out, const struct loom_runs *runs, const char *machine)
{
    struct group group = group_at(runs, 0);
    const struct loom_html_unit unit = loom_runs_wait_unit(runs);
    fprintf(out,
            "<div class=\"scroll\" tabindex=\"0\"><table class=\"versus\"><thead><tr>"
            "<th>Mean wait (%s) at load</th>",
            unit.name);
    for (size_t i = 0; i < group.n; i++)
        fprintf(out, "<th>%.3g</th>", group.runs[i]->load.after);
    fputs("</tr></thead><tbody>\n", out);
    for (size_t at = 0; at < runs->n; at += group.n) {
        group = group_at(runs, at);
        fputs("<tr><td class=\"what\" data-label=\"Policy\"><strong>", out);
        loom_html_text(out, group.runs[0]->policy);
        fputs("</strong></td>", out);
        for (size_t i = 0; i < group.n; i++)
            write_wait(out, group.runs[i], unit);
        fputs("</tr>\n", out);
    }
    fputs("</tbody></table></div>\n", out);
    write_marks(out, runs, machine);
}

void loom_runs_loads(FILE *out, const struct loom_runs *runs, const char *machine)
{
    fputs("<ul class=\"summary\">\n<li>", out);
    fprintf(out, "The same jobs at %zu loads", runs->n_loads);
    if (runs->n_policies > 1)
        fprintf(out, " under %zu policies", runs->n_policies);
    fprintf(out, ", the load changed by %s.</li>\n", loom_load_way_name(runs->of[0]->load.way));
    for (size_t at = 0; at < runs->n && knows_saturation(runs); at = loom_runs_end(runs, at))
        write_saturation(out, group_at(runs, at), machine);
    fputs("</ul>\n", out);
    write_waits(out, runs, machine);
}
