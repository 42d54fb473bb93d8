/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help for people, made from the declarations of commands and plug-ins. */
#include "command.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, OPTION_INDENT = 4, HELP_INDENT = 8 };

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

const char *option_label(const struct loom_param *param, char *label, size_t size)
{
    char letter[8] = "";
    if (param->letter)
        snprintf(letter, sizeof letter, "-%c, ", param->letter);
    const char *value = param->metavar ? param->metavar : "VALUE";
    bool flag = param->type == LOOM_PARAM_FLAG;
    snprintf(label, size, "%s--%s%s%s", letter, param->name, flag ? "" : " ", flag ? "" : value);
    return label;
}

const char *setting_label(const struct loom_param *param, char *label, size_t size)
{
    const char *value = param->metavar ? param->metavar : "VALUE";
    bool flag = param->type == LOOM_PARAM_FLAG;
    snprintf(label, size, "%s%s%s", param->name, flag ? "" : "=", flag ? "" : value);
    return label;
}

static void append(char *text, size_t size, const char *part)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", part);
}

const char *option_help(const struct loom_param *param, char *text, size_t size)
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

const char *option_heading(const struct command *command, size_t list)
{
    if (command->headings)
        return command->headings[list];
    return list == 0 ? "Options" : NULL;
}

static int print_options(const struct command *command, struct loom_output *out,
                         struct loom_error *err)
{
    char label[LABEL_SIZE], text[HELP_SIZE];
    int rc = 0;
    for (size_t list = 0; command->params[list] && !rc; list++) {
        const char *heading = option_heading(command, list);
        if (heading)
            rc = loom_output_printf(out, err, "\n%s:\n", heading);
        for (const struct loom_param *param = command->params[list]; param->name && !rc; param++) {
            rc = loom_output_printf(out, err, "%*s%s\n", OPTION_INDENT, "",
                                    option_label(param, label, sizeof label));
            if (!rc)
                rc = print_filled(out, option_help(param, text, sizeof text), HELP_INDENT, err);
        }
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

static int print_plugin_params(const struct plugin *plugin, struct loom_output *out,
                               struct loom_error *err)
{
    char label[LABEL_SIZE], text[HELP_SIZE];
    int rc = loom_output_printf(out, err, "\nParameters (%s):\n",
                                plugin->given ? plugin->given : "--param NAME=VALUE");
    for (const struct loom_param *param = plugin->params; param->name && !rc; param++) {
        rc = loom_output_printf(out, err, "%*s%s\n", OPTION_INDENT, "",
                                setting_label(param, label, sizeof label));
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
        rc = print_plugin_params(plugin, out, err);
    return rc;
}

int print_topic_help(const struct topic *topic, const struct invocation *call,
                     struct loom_output *out, struct loom_error *err)
{
    struct plugin plugin;
    int rc = print_filled(out, topic->about, 0, err);
    for (size_t i = 0; !rc && topic->at(&plugin, call, i); i++) {
        rc = loom_output_write(out, "\n", 1, err);
        if (!rc)
            rc = print_plugin_help(&plugin, out, err);
    }
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
