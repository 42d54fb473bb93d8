/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom reproduce: tables and figures of the texts, computed again, beside what is printed. */
#include "command.h"

#include "reproduce/tool.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- running --------------------------------------------------------------------------------- */

static volatile int stop;

/* The first Ctrl-C lets the claim at hand finish, the second one does not. */
static void on_stop(int number)
{
    stop = 1;
    signal(number, SIG_DFL);
}

static void show_progress(void *context, size_t done, size_t items, const char *name)
{
    const struct invocation *call = context;
    if (!loom_params_flag(call->params, "quiet"))
        fprintf(stderr, "%s%zu of %zu items: %s%s", isatty(2) ? "\r\033[K" : "", done, items, name,
                isatty(2) ? "" : "\n");
}

static void show_estimate(void *context, double seconds)
{
    char text[64];
    if (seconds > 0)
        say(context, "about %s, at the speed of the quick run in the database",
            loom_human_seconds(seconds, text, sizeof text));
    else
        say(context, "no estimate of the time: run --quick with the same --db first");
}

static void clear_progress(const struct invocation *call)
{
    if (!loom_params_flag(call->params, "quiet") && isatty(2))
        fputs("\r\033[K", stderr);
}

/* Say so where claims are about logs and none of these is there: a wrong directory is likely. */
static void say_without_logs(const struct invocation *call, const struct loom_reproduction *all)
{
    bool wanted = false;
    for (size_t i = 0; i < loom_reproduction_items(all); i++) {
        size_t n = loom_reproduction_item(all, i).n;
        for (size_t j = 0; j < n; j++) {
            struct loom_reproduced_claim claim = loom_reproduction_claim(all, i, j);
            if (claim.used)
                return;
            wanted |= claim.log != NULL;
        }
    }
    if (wanted)
        say(call, "no log of these items is in '%s' (--logs)",
            loom_params_text(call->params, "logs"));
}

/* ---- output ---------------------------------------------------------------------------------- */

static int item_rows(struct loom_table *table, const struct loom_reproduction *all,
                     struct loom_error *err)
{
    char fewer[64], impossible[64];
    int rc = loom_table_column(table, "item", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "verdict", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "untested", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "replications", LOOM_LEFT, err);
    if (!rc)
        rc = loom_table_column(table, "what it shows", LOOM_LEFT, err);
    for (size_t i = 0; i < loom_reproduction_items(all) && !rc; i++) {
        struct loom_reproduced_item item = loom_reproduction_item(all, i);
        rc = loom_table_cell(table, err, "%s", item.name);
        if (!rc)
            rc = loom_table_cell(table, err, "%s", loom_verdict_name(item.verdict));
        if (!rc)
            rc = loom_table_cell(table, err, "%s",
                                 loom_impossible_text(&item, impossible, sizeof impossible));
        if (!rc)
            rc = loom_table_cell(table, err, "%s", loom_fewer_text(&item, fewer, sizeof fewer));
        if (!rc)
            rc = loom_table_cell(table, err, "%s", item.title);
    }
    return rc;
}

static int claim_row(struct loom_table *table, const char *item,
                     const struct loom_reproduced_claim *claim, const char **last,
                     struct loom_error *err)
{
    char log[80], printed[80], ours[200];
    const char *remark = claim->reason ? claim->reason : claim->tried ? claim->tried : "";
    bool again = strcmp(remark, *last) == 0;
    *last = remark;
    const char *cells[] = {item,
                           loom_log_text(claim, log, sizeof log),
                           loom_printed_text(claim, printed, sizeof printed),
                           loom_ours_text(claim, ours, sizeof ours),
                           loom_verdict_name(claim->verdict),
                           claim->what,
                           again ? "" : remark};
    int rc = 0;
    for (size_t i = 0; i < sizeof cells / sizeof *cells && !rc; i++)
        rc = loom_table_cell(table, err, "%s", cells[i]);
    return rc;
}

static int claim_rows(struct loom_table *table, const struct loom_reproduction *all,
                      struct loom_error *err)
{
    static const char *const titles[] = {"item",    "log",  "printed", "ours",
                                         "verdict", "what", "remark"};
    int rc = 0;
    for (size_t i = 0; i < sizeof titles / sizeof *titles && !rc; i++)
        rc = loom_table_column(table, titles[i], LOOM_LEFT, err);
    for (size_t i = 0; i < loom_reproduction_items(all) && !rc; i++) {
        struct loom_reproduced_item item = loom_reproduction_item(all, i);
        const char *last = "";
        for (size_t j = 0; j < item.n && !rc; j++) {
            struct loom_reproduced_claim claim = loom_reproduction_claim(all, i, j);
            rc = claim_row(table, item.name, &claim, &last, err);
        }
    }
    return rc;
}

/* All items get a line each, items that were named a line for each claim. */
static int print_verdicts(const struct invocation *call, const struct loom_reproduction *all,
                          struct loom_error *err)
{
    struct loom_table *table = NULL;
    char counts[200];
    int rc = loom_table_create(&table, err);
    if (!rc)
        rc = call->n_operands ? claim_rows(table, all, err) : item_rows(table, all, err);
    if (!rc)
        loom_table_wide(table, loom_params_flag(call->params, "wide"));
    if (!rc)
        rc = print_table(table, err);
    else
        loom_table_destroy(table);
    if (!rc)
        printf("%s\n", loom_counts_text(all, counts, sizeof counts));
    return rc;
}

typedef int write_fn(const struct loom_reproduction *reproduction, struct loom_output *out,
                     const char *command, struct loom_error *err);

static int write_file(const struct invocation *call, const char *option, write_fn *write,
                      const struct loom_reproduction *all, struct loom_error *err)
{
    struct loom_output *out = NULL;
    const char *path = loom_params_text(call->params, option);
    if (!path)
        return 0;
    int rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = write(all, out, call->origin, err);
    return end_output(out, rc, call, err);
}

static int print_reproduce_json(const struct invocation *call, const struct loom_reproduction *all,
                                struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_reproduction_json(all, out, call->line, err);
    return end_output(out, rc, NULL, err);
}

static int print_all(const struct invocation *call, const struct loom_reproduction *all,
                     struct loom_error *err)
{
    int rc = write_file(call, "html", loom_reproduction_html, all, err);
    if (!rc)
        rc = write_file(call, "markdown", loom_reproduction_markdown, all, err);
    if (!rc)
        rc = loom_params_flag(call->params, "json") ? print_reproduce_json(call, all, err)
                                                    : print_verdicts(call, all, err);
    if (!rc && loom_reproduction_stopped(all))
        say(call, "stopped; %s",
            loom_params_given(call->params, "db") ? "the same command continues from here"
                                                  : "with --db FILE it can be continued");
    return rc;
}

static int reproduce_run(const struct invocation *call, struct loom_error *err)
{
    const struct loom_params *params = call->params;
    struct loom_reproduction *all = NULL;
    struct loom_reproduce_options options = {
        .logs = loom_params_text(params, "logs"),
        .quick = !loom_params_flag(params, "full"),
        .figures = loom_params_given(params, "html"),
        .db = loom_params_text(params, "db"),
        .seed = seed_of(call),
        .stop = &stop,
        .progress = show_progress,
        .estimate = show_estimate,
        .context = (void *)call,
    };
    if (loom_params_flag(params, "full") && loom_params_flag(params, "quick"))
        return loom_fail(err, LOOM_EUSAGE, "--quick and --full exclude each other");
    int rc = make_pool(&options.pool, call, err);
    signal(SIGINT, on_stop);
    signal(SIGTERM, on_stop);
    if (!rc)
        rc = loom_reproduce(&all, &options, call->operands, call->n_operands, err);
    clear_progress(call);
    if (!rc) {
        say_without_logs(call, all);
        rc = print_all(call, all, err);
    }
    loom_reproduction_destroy(all);
    loom_pool_destroy(options.pool);
    return rc;
}

/* ---- options --------------------------------------------------------------------------------- */

static const struct loom_param reproduce_params[] = {
    {.name = "logs",
     .type = LOOM_PARAM_TEXT,
     .value = ".",
     .metavar = "DIR",
     .help = "directory of logs, found by name (as in the archive) or by header"},
    {.name = "quick", .type = LOOM_PARAM_FLAG, .help = "few replications, in minutes (default)"},
    {.name = "full", .type = LOOM_PARAM_FLAG, .help = "as many replications as the texts"},
    {.name = "db",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "store what was measured in FILE, and continue from there"},
    SEED_PARAM("random seed"),
    {.name = NULL},
};

static const struct loom_param output_files[] = {
    {.name = "html",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write a page with figures, by text and chapter"},
    {.name = "markdown",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "write the same as Markdown"},
    {.name = NULL},
};

static const struct loom_param *const params[] = {reproduce_params, output_files, table_params,
                                                  common_params, NULL};
static const char *const headings[] = {[0] = "What and how", [1] = "Output", [3] = NULL};

static const char *const about[] = {
    "NAME is an item's name, or the start of several, as in 'minh2012/table-3'; 'workloom list "
    "items' has them all. Without NAME, all items are computed.",
    "Verdicts: same (our estimate is within the tolerance), same finding (the statement holds, the "
    "number differs "
    "or none is printed), substitute (holds on another log than the text's), undecided (the "
    "interval is wider than twice the tolerance, comes within the tolerance though the estimate "
    "does not, or has the bound of the statement inside), "
    "differs, not possible (a log is not at hand, or the text does not print the values). An item "
    "has the worst verdict of its claims that could be tested; its line says how many could not.",
    "Means, medians and shares over replications have a 95 % interval, and the verdict is about "
    "the interval. Each line says how many replications it has and how many the text has. An "
    "extreme of fewer runs than the text has can only grow, and decides only what that cannot "
    "change.",
    "On eight logs of the archive a quick run takes about 5 minutes on one processor, a full one "
    "20. With --db FILE a run continues where it was stopped or killed. If FILE has a quick run, a "
    "full one prints at the start how long it will take, and either lists the verdicts that differ "
    "between both.",
    NULL,
};

static const struct example examples[] = {
    {"workloom reproduce --logs ~/logs", "All items that these logs allow."},
    {"workloom reproduce minh2010/table-5 --logs ~/logs", "One table, claim by claim."},
    {"workloom reproduce --full --logs ~/logs --db all.db --html all.html",
     "As in the texts; what was measured is kept."},
    {NULL, NULL},
};

const struct command command_reproduce = {
    .name = "reproduce",
    .group = GROUP_SIMULATION,
    .summary = "compute tables and figures of the texts again",
    .operands = "[NAME...]",
    .about = about,
    .params = params,
    .headings = headings,
    .examples = examples,
    .min_operands = 0,
    .max_operands = 1000,
    .run = reproduce_run,
};
