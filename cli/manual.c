/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Manual pages (mdoc), made from the same declarations as help: one of each command in section 1,
 * and one of each kind of plug-in in section 7. */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A line of text in mdoc: backslashes, and what would make the line a macro, are escaped. */
static int print_mdoc_line(struct loom_output *out, const char *text, size_t length,
                           struct loom_error *err)
{
    int rc = *text == '.' || *text == '\'' ? loom_output_printf(out, err, "\\&") : 0;
    for (size_t i = 0; i < length && !rc; i++) {
        if (text[i] == '\\')
            rc = loom_output_printf(out, err, "\\e");
        else if (text[i] == '-')
            rc = loom_output_printf(out, err, "\\-");
        else
            rc = loom_output_write(out, text + i, 1, err);
    }
    return rc ? rc : loom_output_write(out, "\n", 1, err);
}

/* A line for each sentence, as mdoc wants it. */
static int print_mdoc_text(struct loom_output *out, const char *text, struct loom_error *err)
{
    const char *stop;
    int rc = 0;
    while (!rc && (stop = strstr(text, ". "))) {
        rc = print_mdoc_line(out, text, (size_t)(stop + 1 - text), err);
        text = stop + 2;
    }
    return rc ? rc : print_mdoc_line(out, text, strlen(text), err);
}

static int print_mdoc_head(struct loom_output *out, const char *name, int section,
                           const char *summary, struct loom_error *err)
{
    char title[64];
    snprintf(title, sizeof title, "%s", name);
    for (char *at = title; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return loom_output_printf(out, err,
                              ".Dd November 16, 2026\n.Dt %s %d\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n",
                              title, section, name, summary);
}

/* ---- pages of text --------------------------------------------------------------------------- */

/* What a line of a page (pages.c) is. */
enum line_kind { TEXT, HEADING, ITEM, LITERAL };

static enum line_kind kind_of(const char *line)
{
    return *line == '=' ? HEADING : *line == ' ' ? LITERAL : strchr(line, '\t') ? ITEM : TEXT;
}

/* Open and close lists and displays where the kind of line changes. */
static int print_mdoc_change(enum line_kind before, enum line_kind kind, struct loom_output *out,
                             struct loom_error *err)
{
    static const char *const open[] = {
        [ITEM] = ".Bl -tag -width indent\n", [LITERAL] = ".Bd -literal\n"};
    static const char *const close[] = {[ITEM] = ".El\n", [LITERAL] = ".Ed\n"};
    int rc = 0;
    if (before == kind && kind != TEXT)
        return 0;
    if (before == ITEM || before == LITERAL)
        rc = loom_output_printf(out, err, "%s", close[before]);
    if (!rc && (kind == ITEM || kind == LITERAL))
        rc = loom_output_printf(out, err, "%s", open[kind]);
    if (!rc && kind == TEXT && before != HEADING)
        rc = loom_output_printf(out, err, ".Pp\n");
    return rc;
}

static int print_mdoc_heading(struct loom_output *out, const char *text, struct loom_error *err)
{
    char title[80];
    snprintf(title, sizeof title, "%s", text);
    for (char *at = title; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return loom_output_printf(out, err, ".Sh %s\n", title);
}

static int print_mdoc_page_line(struct loom_output *out, const char *line, struct loom_error *err)
{
    const char *tab = strchr(line, '\t');
    int rc;
    switch (kind_of(line)) {
    case HEADING:
        return print_mdoc_heading(out, line + 2, err);
    case LITERAL:
        return print_mdoc_line(out, line, strlen(line), err);
    case ITEM:
        rc = loom_output_printf(out, err, ".It ");
        if (!rc)
            rc = print_mdoc_line(out, line, (size_t)(tab - line), err);
        return rc ? rc : print_mdoc_text(out, tab + 1, err);
    default:
        return print_mdoc_text(out, line, err);
    }
}

/* The page begins below a paragraph. */
static int print_mdoc_page(const char *const *page, struct loom_output *out, struct loom_error *err)
{
    enum line_kind before = TEXT;
    int rc = 0;
    for (; *page && !rc; page++) {
        rc = print_mdoc_change(before, kind_of(*page), out, err);
        if (!rc)
            rc = print_mdoc_page_line(out, *page, err);
        before = kind_of(*page);
    }
    return rc ? rc : print_mdoc_change(before, HEADING, out, err);
}

/* ---- pages of commands ----------------------------------------------------------------------- */

static int print_mdoc_options(const struct command *command, struct loom_output *out,
                              struct loom_error *err)
{
    char label[LABEL_SIZE], text[HELP_SIZE];
    int rc = loom_output_printf(out, err, ".Sh OPTIONS\n");
    for (size_t list = 0; command->params[list] && !rc; list++) {
        const char *heading = option_heading(command, list);
        if (heading && list > 0)
            rc = loom_output_printf(out, err, ".El\n");
        if (heading && command->headings && !rc)
            rc = loom_output_printf(out, err, ".Ss %s\n", heading);
        if (heading && !rc)
            rc = loom_output_printf(out, err, ".Bl -tag -width indent\n");
        for (const struct loom_param *param = command->params[list]; param->name && !rc; param++) {
            rc = loom_output_printf(out, err, ".It ");
            if (!rc)
                rc = print_mdoc_text(out, option_label(param, label, sizeof label), err);
            if (!rc)
                rc = print_mdoc_text(out, option_help(param, text, sizeof text), err);
        }
    }
    return rc ? rc : loom_output_printf(out, err, ".El\n");
}

static int print_mdoc_examples(const struct command *command, struct loom_output *out,
                               struct loom_error *err)
{
    int rc = loom_output_printf(out, err, ".Sh EXAMPLES\n.Bl -tag -width indent\n");
    for (const struct example *e = command->examples; e->line && !rc; e++) {
        rc = loom_output_printf(out, err, ".It ");
        if (!rc)
            rc = print_mdoc_text(out, e->line, err);
        if (!rc)
            rc = print_mdoc_text(out, e->what, err);
    }
    return rc ? rc : loom_output_printf(out, err, ".El\n");
}

static int print_mdoc_exit(struct loom_output *out, struct loom_error *err)
{
    return loom_output_printf(out, err,
                              ".Sh EXIT STATUS\n0 when done, 1 on failure, 2 when the command line "
                              "made no sense.\nWhere whoever reads the output closes it, as head "
                              "does, it ends by SIGPIPE without a word.\n");
}

/* "workloom-experiment-run" of "experiment run". */
static void page_name(char *buf, size_t size, const struct command *command)
{
    snprintf(buf, size, "workloom-%s", command->name);
    for (char *blank = strchr(buf, ' '); blank; blank = strchr(blank, ' '))
        *blank = '-';
}

static int print_command_manual(const struct command *command, struct loom_output *out,
                                struct loom_error *err)
{
    char name[64], summary[160];
    page_name(name, sizeof name, command);
    int rc = print_mdoc_head(out, name, 1, command->summary, err);
    if (!rc)
        rc = loom_output_printf(out, err,
                                ".Sh SYNOPSIS\n.Nm workloom %s\n.Op OPTIONS\n%s\n"
                                ".Sh DESCRIPTION\n",
                                command->name, command->operands);
    if (!rc)
        rc = print_mdoc_text(out, as_sentence(command->summary, summary, sizeof summary), err);
    for (const char *const *text = command->about; text && *text && !rc; text++) {
        rc = loom_output_printf(out, err, ".Pp\n");
        if (!rc)
            rc = print_mdoc_text(out, *text, err);
    }
    if (!rc)
        rc = print_mdoc_options(command, out, err);
    if (!rc)
        rc = print_mdoc_exit(out, err);
    if (!rc && command->examples)
        rc = print_mdoc_examples(command, out, err);
    return rc ? rc : loom_output_printf(out, err, ".Sh SEE ALSO\n.Xr workloom 1\n");
}

static int print_main_manual(struct loom_output *out, struct loom_error *err)
{
    int rc = print_mdoc_head(out, "workloom", 1,
                             "workloads of parallel machines, from log to conclusion", err);
    if (!rc)
        rc = loom_output_printf(out, err,
                                ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op OPTIONS\n.Ar ...\n"
                                ".Sh DESCRIPTION\nAnalyses, models and simulates workload logs of "
                                "parallel machines.\nThe commands are:\n"
                                ".Bl -tag -width convert\n");
    for (const struct command *const *command = commands; *command && !rc; command++) {
        char name[64];
        page_name(name, sizeof name, *command);
        rc = loom_output_printf(out, err, ".It Xr %s 1\n%s\n", name, (*command)->summary);
    }
    if (!rc)
        rc = loom_output_printf(out, err, ".El\n");
    if (!rc)
        rc = print_mdoc_exit(out, err);
    if (!rc)
        rc = loom_output_printf(out, err, ".Sh SEE ALSO\n");
    for (const struct topic *topic = topics; topic->name && !rc; topic++)
        rc = loom_output_printf(out, err, ".Xr workloom-%s 7%s\n", topic->name,
                                topic[1].name ? " ," : "");
    return rc;
}

/* ---- pages of plug-ins ----------------------------------------------------------------------- */

static int print_mdoc_params(const struct loom_param *params, struct loom_output *out,
                             struct loom_error *err)
{
    char label[LABEL_SIZE], text[HELP_SIZE];
    int rc = loom_output_printf(out, err, ".Bl -tag -width indent\n");
    for (const struct loom_param *param = params; param->name && !rc; param++) {
        rc = loom_output_printf(out, err, ".It ");
        if (!rc)
            rc = print_mdoc_text(out, setting_label(param, label, sizeof label), err);
        if (!rc)
            rc = print_mdoc_text(out, option_help(param, text, sizeof text), err);
    }
    return rc ? rc : loom_output_printf(out, err, ".El\n");
}

static int print_mdoc_plugin(const struct plugin *plugin, struct loom_output *out,
                             struct loom_error *err)
{
    char text[HELP_SIZE];
    int rc = loom_output_printf(out, err, ".Ss %s\n", plugin->name);
    snprintf(text, sizeof text, "%s: %s.", plugin->kind, plugin->summary);
    text[0] = (char)toupper((unsigned char)text[0]);
    if (!rc)
        rc = print_mdoc_text(out, text, err);
    if (!rc && plugin->source) {
        snprintf(text, sizeof text, "Source: %s.", plugin->source);
        rc = print_mdoc_text(out, text, err);
    }
    if (!rc && plugin->more[0])
        rc = print_mdoc_text(out, plugin->more, err);
    if (!rc && plugin->params && plugin->params->name)
        rc = print_mdoc_params(plugin->params, out, err);
    return rc;
}

int print_topic_manual(const struct topic *topic, const struct invocation *call,
                       struct loom_output *out, struct loom_error *err)
{
    char name[64];
    struct plugin plugin;
    snprintf(name, sizeof name, "workloom-%s", topic->name);
    int rc = print_mdoc_head(out, name, 7, topic->summary, err);
    if (!rc)
        rc = loom_output_printf(out, err, ".Sh DESCRIPTION\n");
    if (!rc)
        rc = print_mdoc_text(out, topic->about, err);
    if (!rc && topic->page)
        rc = print_mdoc_page(topic->page, out, err);
    if (!rc && topic->page && topic->at)
        rc = print_mdoc_heading(out, topic->name, err);
    for (size_t i = 0; !rc && topic->at && topic->at(&plugin, call, i); i++)
        rc = print_mdoc_plugin(&plugin, out, err);
    return rc ? rc : loom_output_printf(out, err, ".Sh SEE ALSO\n.Xr workloom 1\n");
}

int print_manual(const struct command *command, struct loom_output *out, struct loom_error *err)
{
    return command ? print_command_manual(command, out, err) : print_main_manual(out, err);
}
