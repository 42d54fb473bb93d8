/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help for people and manual pages, both made from the declarations of the commands. */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, OPTION_INDENT = 4, HELP_INDENT = 8, LABEL_SIZE = 96 };

/* ---- text ------------------------------------------------------------------------------------ */

/* Words of text filled into lines of WIDTH, each indented. */
static int print_filled(struct loom_output *out, const char *text, int indent,
                        struct loom_error *err)
{
    int column = 0;
    int rc = 0;
    while (*text && !rc) {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + 1 + (int)length > WIDTH) {
            rc = loom_output_write(out, "\n", 1, err);
            column = 0;
        }
        if (!rc)
            rc =
                loom_output_printf(out, err, "%*s%.*s", column ? 1 : indent, "", (int)length, text);
        column += (column ? 1 : indent) + (int)length;
        text += length;
        text += strspn(text, " ");
    }
    return rc ? rc : loom_output_write(out, "\n", 1, err);
}

/* "-q, --quiet" or "--from FORMAT" */
static const char *option_label(const struct loom_param *param, char *label, size_t size)
{
    char letter[8] = "";
    if (param->letter)
        snprintf(letter, sizeof letter, "-%c, ", param->letter);
    const char *value = param->metavar ? param->metavar : "VALUE";
    bool flag = param->type == LOOM_PARAM_FLAG;
    snprintf(label, size, "%s--%s%s%s", letter, param->name, flag ? "" : " ", flag ? "" : value);
    return label;
}

static void append(char *text, size_t size, const char *part)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", part);
}

/* The help sentence with what the declaration adds: choices, default, whether it repeats. */
static const char *option_help(const struct loom_param *param, char *text, size_t size)
{
    snprintf(text, size, "%s", param->help);
    for (const char *const *choice = param->choices; choice && *choice; choice++) {
        append(text, size, choice == param->choices ? ": " : choice[1] ? ", " : " or ");
        append(text, size, *choice);
    }
    if (param->value) {
        append(text, size, " (default ");
        append(text, size, param->value);
        append(text, size, ")");
    }
    if (param->repeated)
        append(text, size, "; may be given several times");
    return text;
}

static int print_options(const struct command *command, struct loom_output *out,
                         struct loom_error *err)
{
    char label[LABEL_SIZE], text[640];
    int rc = loom_output_printf(out, err, "\nOptions:\n");
    for (const struct loom_param *const *list = command->params; *list && !rc; list++)
        for (const struct loom_param *param = *list; param->name && !rc; param++) {
            rc = loom_output_printf(out, err, "%*s%s\n", OPTION_INDENT, "",
                                    option_label(param, label, sizeof label));
            if (!rc)
                rc = print_filled(out, option_help(param, text, sizeof text), HELP_INDENT, err);
        }
    return rc;
}

static int print_examples(const struct command *command, struct loom_output *out,
                          struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "\nExamples:\n");
    for (const struct example *e = command->examples; e->line && !rc; e++) {
        rc = loom_output_printf(out, err, "%*s%s\n", OPTION_INDENT, "", e->line);
        if (!rc)
            rc = print_filled(out, e->what, HELP_INDENT, err);
    }
    return rc;
}

int print_command_help(const struct command *command, struct loom_output *out,
                       struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "Usage: workloom %s [OPTIONS]%s%s\n", command->name,
                                *command->operands ? " " : "", command->operands);
    for (const char *const *text = command->about; *text && !rc; text++) {
        rc = loom_output_write(out, "\n", 1, err);
        if (!rc)
            rc = print_filled(out, *text, 0, err);
    }
    if (!rc)
        rc = print_options(command, out, err);
    if (!rc && command->examples)
        rc = print_examples(command, out, err);
    return rc;
}

/* ---- plug-ins -------------------------------------------------------------------------------- */

static int print_plugin_params(const struct loom_param *params, struct loom_output *out,
                               struct loom_error *err)
{
    char text[640];
    int rc = loom_output_printf(out, err, "\nParameters (--param NAME=VALUE):\n");
    for (const struct loom_param *param = params; param->name && !rc; param++) {
        rc = loom_output_printf(out, err, "%*s%s%s%s\n", OPTION_INDENT, "", param->name,
                                param->type == LOOM_PARAM_FLAG ? "" : "=",
                                param->type == LOOM_PARAM_FLAG ? ""
                                : param->metavar               ? param->metavar
                                                               : "VALUE");
        if (!rc)
            rc = print_filled(out, option_help(param, text, sizeof text), HELP_INDENT, err);
    }
    return rc;
}

int print_plugin_help(const struct plugin *plugin, struct loom_output *out, struct loom_error *err)
{
    char text[512];
    snprintf(text, sizeof text, "%s (%s): %s.", plugin->name, plugin->kind, plugin->summary);
    int rc = print_filled(out, text, 0, err);
    if (!rc && plugin->source) {
        snprintf(text, sizeof text, "Source: %s.", plugin->source);
        rc = print_filled(out, text, 0, err);
    }
    if (!rc && plugin->more[0])
        rc = print_filled(out, plugin->more, 0, err);
    if (!rc && plugin->params && plugin->params->name)
        rc = print_plugin_params(plugin->params, out, err);
    return rc;
}

int print_overview(struct loom_output *out, struct loom_error *err)
{
    int rc = loom_output_printf(
        out, err,
        "Usage: workloom COMMAND [OPTIONS] ...\n\n"
        "Takes the accounting log of a parallel machine to a scheduling conclusion that\n"
        "can be trusted.\n\nCommands:\n");
    for (const struct command *const *command = commands; *command && !rc; command++)
        rc = loom_output_printf(out, err, "    %-10s %s\n", (*command)->name, (*command)->summary);
    if (!rc)
        rc = loom_output_printf(out, err,
                                "\n'workloom help COMMAND' tells about one of them, 'workloom "
                                "--version' about\nthis build.\n");
    return rc;
}

/* ---- manual pages ---------------------------------------------------------------------------- */

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

static int print_mdoc_head(struct loom_output *out, const char *name, const char *summary,
                           struct loom_error *err)
{
    char title[64];
    snprintf(title, sizeof title, "%s", name);
    for (char *at = title; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return loom_output_printf(out, err,
                              ".Dd November 15, 2026\n.Dt %s 1\n.Os\n.Sh NAME\n.Nm %s\n.Nd %s\n",
                              title, name, summary);
}

static int print_mdoc_options(const struct command *command, struct loom_output *out,
                              struct loom_error *err)
{
    char label[LABEL_SIZE], text[640];
    int rc = loom_output_printf(out, err, ".Sh OPTIONS\n.Bl -tag -width indent\n");
    for (const struct loom_param *const *list = command->params; *list && !rc; list++)
        for (const struct loom_param *param = *list; param->name && !rc; param++) {
            rc = loom_output_printf(out, err, ".It ");
            if (!rc)
                rc = print_mdoc_text(out, option_label(param, label, sizeof label), err);
            if (!rc)
                rc = print_mdoc_text(out, option_help(param, text, sizeof text), err);
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
                              "made no sense.\n");
}

static int print_command_manual(const struct command *command, struct loom_output *out,
                                struct loom_error *err)
{
    char name[64];
    snprintf(name, sizeof name, "workloom-%s", command->name);
    int rc = print_mdoc_head(out, name, command->summary, err);
    if (!rc)
        rc = loom_output_printf(out, err,
                                ".Sh SYNOPSIS\n.Nm workloom %s\n.Op OPTIONS\n%s\n"
                                ".Sh DESCRIPTION\n",
                                command->name, command->operands);
    for (const char *const *text = command->about; *text && !rc; text++) {
        rc = text == command->about ? 0 : loom_output_printf(out, err, ".Pp\n");
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
    int rc = print_mdoc_head(out, "workloom",
                             "workloads of parallel machines, from log to conclusion", err);
    if (!rc)
        rc =
            loom_output_printf(out, err,
                               ".Sh SYNOPSIS\n.Nm\n.Ar COMMAND\n.Op OPTIONS\n.Ar ...\n"
                               ".Sh DESCRIPTION\nTakes the accounting log of a parallel machine to "
                               "a scheduling conclusion that can be trusted.\nThe commands are:\n"
                               ".Bl -tag -width convert\n");
    for (const struct command *const *command = commands; *command && !rc; command++)
        rc = loom_output_printf(out, err, ".It Xr workloom-%s 1\n%s\n", (*command)->name,
                                (*command)->summary);
    if (!rc)
        rc = loom_output_printf(out, err, ".El\n");
    return rc ? rc : print_mdoc_exit(out, err);
}

int print_manual(const struct command *command, struct loom_output *out, struct loom_error *err)
{
    return command ? print_command_manual(command, out, err) : print_main_manual(out, err);
}
