/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate --html, --figures and --gantt. */
#include "simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"user", "why", "home", NULL};

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

/* "the run lasts for 31 days" is what a person needs to choose another window. */
static int explain_refusal(int rc, const struct loom_outcome *outcome, const char *window,
                           struct loom_error *err)
{
    char reason[sizeof err->message], length[LOOM_HUMAN];
    if (rc == LOOM_ENOMEM || !err)
        return rc;
    snprintf(reason, sizeof reason, "%s", err->message);
    return loom_fail(err, rc, "--gantt %s: %.300s (the run lasts for %s)", window, reason,
                     loom_human_seconds(loom_outcome_value(outcome, "makespan_s"), length,
                                        sizeof length));
}

/* The chart of the window that --gantt names. */
static int open_gantt(struct loom_gantt **out, const struct simulation *of, struct loom_error *err)
{
    const char *text = loom_params_text(of->call->params, "gantt");
    const struct loom_outcome *outcome = of->outcomes[0];
    struct loom_sim_window window;
    struct loom_window_text ends;
    int64_t first_s = loom_sim_jobs(loom_outcome_sim(outcome), NULL)[0].submit_s;
    int rc = loom_window_split(&ends, text, "gantt", err);
    if (!rc)
        rc = loom_window_resolve(&window.from_s, &window.to_s, &ends, of->trace, first_s, "gantt",
                                 err);
    if (rc)
        return rc;
    rc = loom_outcome_gantt(out, outcome, window, err);
    return rc ? explain_refusal(rc, outcome, text, err) : 0;
}

/* ---- options --------------------------------------------------------------------------------- */

bool wants_starts(const struct invocation *call)
{
    return loom_params_given(call->params, "gantt") &&
           loom_params_choice(call->params, "gantt-by") == LOOM_GANTT_BY_WHY;
}

int check_figures(const struct invocation *call, struct loom_error *err)
{
    if (loom_params_given(call->params, "gantt") && !wants_report(call))
        return loom_fail(err, LOOM_EUSAGE,
                         "--gantt is drawn in a page or as a figure: add --html FILE or --figures "
                         "DIR");
    if (loom_params_given(call->params, "gantt-by") && !loom_params_given(call->params, "gantt"))
        return loom_fail(err, LOOM_EUSAGE, "--gantt-by needs a window: add --gantt FROM:TO");
    if (loom_params_choice(call->params, "gantt-by") == LOOM_GANTT_BY_HOME &&
        !loom_params_given(call->params, "platform"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--gantt-by home is for a grid: add --platform, or take user or why");
    if (loom_params_given(call->params, "by") && loom_params_given(call->params, "explain") &&
        !loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--explain is printed in place of the table of --by: add --json, or leave "
                         "out one");
    if (loom_params_given(call->params, "by") && loom_params_given(call->params, "figures") &&
        !loom_params_given(call->params, "html") && !loom_params_flag(call->params, "json"))
        return loom_fail(err, LOOM_EUSAGE,
                         "--by makes a table, for which --figures has no place: add --html FILE "
                         "or --json");
    struct loom_window_text window;
    const char *gantt = loom_params_text(call->params, "gantt");
    int rc = gantt ? loom_window_split(&window, gantt, "gantt", err) : 0;
    return rc ? rc : check_report_outputs(call, err);
}

/* ---- the report ------------------------------------------------------------------------------ */

static int write_files(struct loom_report *report, const struct invocation *call,
                       const struct loom_runs_page *page, struct loom_error *err)
{
    int rc = 0;
    if (loom_params_given(call->params, "html"))
        rc = loom_report_runs_html(report, loom_params_text(call->params, "html"), page, err);
    if (!rc && loom_params_given(call->params, "figures"))
        rc = loom_report_figures(report, loom_params_text(call->params, "figures"),
                                 loom_params_text(call->params, "format"), err);
    if (!rc)
        say_left_out(call, report);
    return rc;
}

/* "2003-03-03 to 2003-03-04", as given; NULL where neither end is a date. */
static const char *describe_window(char *buf, size_t size, const struct invocation *call)
{
    const char *text = loom_params_text(call->params, "gantt");
    struct loom_window_text ends;
    if (loom_window_split(&ends, text, "gantt", NULL) || !ends.dated)
        return NULL;
    snprintf(buf, size, "%s to %s", ends.from, ends.to);
    return buf;
}

/* On a grid, by default, where jobs come from. */
static enum loom_gantt_colours colours_of(const struct simulation *of)
{
    const struct loom_params *params = of->call->params;
    return of->platform && !loom_params_given(params, "gantt-by")
               ? LOOM_GANTT_BY_HOME
               : (enum loom_gantt_colours)loom_params_choice(params, "gantt-by");
}

int write_simulations(const struct simulation *of, struct loom_error *err)
{
    char window[80], select[200], caution[300];
    struct loom_report *report = NULL;
    struct loom_gantt *gantt = NULL;
    struct loom_runs_page page = {
        .command = of->call->line,
        .outcomes = of->outcomes,
        .n = of->n,
        .select = describe_selection(select, sizeof select, of->call),
        .left_out = of->left_out,
    };
    enum loom_gantt_colours by = LOOM_GANTT_BY_USER;
    int rc = 0;
    if (!of->platform && loom_params_given(of->call->params, "html"))
        page.caution =
            replay_caution(caution, sizeof caution, of->call, of->trace, of->machine,
                           loom_outcome_policy(of->outcomes[0]),
                           (enum loom_overrun)loom_params_choice(of->call->params, "overrun"));
    if (loom_params_given(of->call->params, "gantt")) {
        rc = open_gantt(&gantt, of, err);
        page.gantt = gantt;
        page.window = describe_window(window, sizeof window, of->call);
        by = colours_of(of);
    }
    if (!rc)
        rc = loom_report_runs(&report, of->trace, page.outcomes, of->n, gantt, by, of->pool, err);
    if (!rc)
        loom_report_join(report, of->call->outputs);
    if (!rc)
        rc = write_files(report, of->call, &page, err);
    loom_report_destroy(report);
    if (gantt)
        loom_gantt_destroy(gantt);
    return rc;
}
