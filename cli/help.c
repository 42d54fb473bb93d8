/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Help for people, made from the declarations of commands and plug-ins. */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, INDENT = 2, DEEP_INDENT = 6, HELP_COLUMN = 27, LONGEST_LINE = 100 };

/* ---- text ------------------------------------------------------------------------------------ */

/* Fill words of text into lines of WIDTH, each indented; the first begins at column `at`. */
static int fill_from(struct loom_output *out, const char *text, int at, int indent,
                     struct loom_error *err)
{
    bool first = true; /* word of its line */
    int column = at, rc = 0;
    while (*text && !rc) {
        size_t length = strcspn(text, " ");
        if (!first && column + 1 + (int)length > WIDTH) {
            rc = loom_output_write(out, "\n", 1, err);
            column = 0;
            first = true;
        }
        int blanks = !first ? 1 : column < indent ? indent - column : 0;
        if (!rc)
            rc = loom_output_printf(out, err, "%*s%.*s", blanks, "", (int)length, text);
        column += blanks + (int)length;
        first = false;
        text += length;
        text += strspn(text, " ");
    }
    return rc ? rc : loom_output_write(out, "\n", 1, err);
}

static int print_filled(struct loom_output *out, const char *text, int indent,
                        struct loom_error *err)
{
    return fill_from(out, text, 0, indent, err);
}

/* Print a label and, beside or below it, what it means. */
static int print_item(struct loom_output *out, const char *label, const char *text,
                      struct loom_error *err)
{
    int end = INDENT + (int)strlen(label);
    int rc = loom_output_printf(out, err, "%*s%s", INDENT, "", label);
    if (!rc && end + 2 > HELP_COLUMN)
        rc = loom_output_write(out, "\n", 1, err);
    return rc ? rc : fill_from(out, text, end + 2 > HELP_COLUMN ? 0 : end, HELP_COLUMN, err);
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
        append(text, size, "; repeatable");
    return text;
}

/* Return whether help lists the options of a list by name only. */
static bool is_folded(const struct command *command, size_t list)
{
    while (command->headings && list > 0 && !command->headings[list])
        list--;
    return command->headings && command->headings[list] && command->headings[list][0] == '+';
}

const char *option_heading(const struct command *command, size_t list)
{
    const struct loom_param *params = command->params[list];
    if (command->headings && command->headings[list])
        return command->headings[list] + is_folded(command, list);
    if (command->headings)
        return NULL;
    if (params == loom_select_params)
        return "Which jobs";
    if (params == input_params || params == input_params + 1)
        return "Input";
    if (params == table_params ||
        (params == common_params && command->params[list - 1] != table_params))
        return "Output";
    return list == 0 ? "Options" : NULL;
}

/* Print the names of the options of a folded group, whose first list is at *list, and move *list to
 * its last. */
static int print_names(const struct command *command, size_t *list, struct loom_output *out,
                       struct loom_error *err)
{
    char names[HELP_SIZE] = "";
    for (;; (*list)++) {
        for (const struct loom_param *param = command->params[*list]; param->name; param++) {
            append(names, sizeof names, *names ? ", --" : "--");
            append(names, sizeof names, param->name);
        }
        if (!command->params[*list + 1] || command->headings[*list + 1])
            return print_filled(out, names, INDENT, err);
    }
}

/* Print the options of one list, each with what it means. */
static int print_list(const struct loom_param *params, struct loom_output *out,
                      struct loom_error *err)
{
    char label[LABEL_SIZE], text[HELP_SIZE];
    int rc = 0;
    for (const struct loom_param *param = params; param->name && !rc; param++)
        rc = print_item(out, option_label(param, label, sizeof label),
                        option_help(param, text, sizeof text), err);
    return rc;
}

static int print_options(const struct command *command, bool all, struct loom_output *out,
                         struct loom_error *err)
{
    int rc = 0;
    for (size_t list = 0; command->params[list] && !rc; list++) {
        const char *heading = option_heading(command, list);
        if (heading)
            rc = loom_output_printf(out, err, "\n%s:\n", heading);
        if (!rc)
            rc = !all && is_folded(command, list) ? print_names(command, &list, out, err)
                                                  : print_list(command->params[list], out, err);
    }
    return rc;
}

/* Print a command line; one that is too long goes on behind a backslash, before an option. */
static int print_command_line(struct loom_output *out, const char *line, struct loom_error *err)
{
    int indent = INDENT, rc = 0;
    while (indent + (int)strlen(line) > LONGEST_LINE && !rc) {
        const char *end = line + LONGEST_LINE - 2 - indent;
        while (end > line && strncmp(end, " -", 2) != 0)
            end--;
        if (end == line)
            break;
        rc = loom_output_printf(out, err, "%*s%.*s \\\n", indent, "", (int)(end - line), line);
        line = end + 1;
        indent = DEEP_INDENT;
    }
    return rc ? rc : loom_output_printf(out, err, "%*s%s\n", indent, "", line);
}

static int print_examples(const struct command *command, struct loom_output *out,
                          struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "\nExamples:\n");
    for (const struct example *e = command->examples; e->line && !rc; e++) {
        rc = print_command_line(out, e->line, err);
        if (!rc)
            rc = print_filled(out, e->what, DEEP_INDENT, err);
    }
    return rc;
}

/* Return whether any group of a command's options is folded. */
static bool has_folded(const struct command *command)
{
    for (size_t list = 0; command->params[list]; list++)
        if (is_folded(command, list))
            return true;
    return false;
}

static int print_notes(const struct command *command, bool all, struct loom_output *out,
                       struct loom_error *err)
{
    char folded[160];
    int rc = loom_output_printf(out, err, "\nNotes:\n");
    snprintf(folded, sizeof folded, "'workloom help %s --all' explains the options listed by name.",
             command->name);
    if (!rc && !all && has_folded(command))
        rc = print_filled(out, folded, INDENT, err);
    for (const char *const *text = command->about; *text && !rc; text++)
        rc = print_filled(out, *text, INDENT, err);
    return rc;
}

const char *as_sentence(const char *text, char *buf, size_t size)
{
    snprintf(buf, size, "%s.", text);
    buf[0] = (char)toupper((unsigned char)buf[0]);
    return buf;
}

int print_command_help(const struct command *command, bool all, struct loom_output *out,
                       struct loom_error *err)
{
    char summary[160];
    int rc = loom_output_printf(out, err, "Usage: workloom %s [OPTIONS]%s%s\n\n", command->name,
                                *command->operands ? " " : "", command->operands);
    if (!rc)
        rc = print_filled(out, as_sentence(command->summary, summary, sizeof summary), 0, err);
    if (!rc)
        rc = print_options(command, all, out, err);
    if (!rc && command->examples)
        rc = print_examples(command, out, err);
    return !rc && command->about ? print_notes(command, all, out, err) : rc;
}

/* ---- plug-ins -------------------------------------------------------------------------------- */

static int print_plugin_params(const struct plugin *plugin, struct loom_output *out,
                               struct loom_error *err)
{
    char label[LABEL_SIZE], text[HELP_SIZE];
    int rc = loom_output_printf(out, err, "\nParameters (%s):\n",
                                plugin->given ? plugin->given : "--param NAME=VALUE");
    for (const struct loom_param *param = plugin->params; param->name && !rc; param++)
        rc = print_item(out, setting_label(param, label, sizeof label),
                        option_help(param, text, sizeof text), err);
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

static int print_page_line(const char *line, struct loom_output *out, struct loom_error *err)
{
    char term[200];
    const char *tab = strchr(line, '\t');
    if (*line == '=')
        return loom_output_printf(out, err, "%s:\n", line + 2);
    if (*line == ' ')
        return loom_output_printf(out, err, "%s\n", line);
    if (!tab)
        return print_filled(out, line, 0, err);
    snprintf(term, sizeof term, "%.*s", (int)(tab - line), line);
    return print_item(out, term, tab + 1, err);
}

/* An empty line goes before a heading, and between paragraphs. */
static bool needs_gap(const char *before, const char *line)
{
    bool plain = *line != ' ' && *line != '=' && !strchr(line, '\t');
    bool after_text = !before || *before != '=';
    return *line == '=' || (plain && after_text);
}

static int print_page(const char *const *page, struct loom_output *out, struct loom_error *err)
{
    int rc = 0;
    for (const char *const *line = page; *line && !rc; line++) {
        if (needs_gap(line == page ? NULL : line[-1], *line))
            rc = loom_output_write(out, "\n", 1, err);
        if (!rc)
            rc = print_page_line(*line, out, err);
    }
    return rc;
}

int print_topic_help(const struct topic *topic, const struct invocation *call,
                     struct loom_output *out, struct loom_error *err)
{
    struct plugin plugin;
    int rc = print_filled(out, topic->about, 0, err);
    if (!rc && topic->page)
        rc = print_page(topic->page, out, err);
    for (size_t i = 0; !rc && topic->at && topic->at(&plugin, call, i); i++) {
        rc = loom_output_write(out, "\n", 1, err);
        if (!rc)
            rc = print_plugin_help(&plugin, out, err);
    }
    return rc;
}

/* ---- overview -------------------------------------------------------------------------------- */

static const char *const group_titles[] = {
    [GROUP_LOGS] = "Logs",
    [GROUP_WORKLOADS] = "Models and new workloads",
    [GROUP_SIMULATION] = "Simulation",
    [GROUP_OTHER] = "Other",
};

static int print_group(enum command_group group, struct loom_output *out, struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "\n%s:\n", group_titles[group]);
    for (const struct command *const *command = commands; *command && !rc; command++)
        if ((*command)->group == group)
            rc =
                loom_output_printf(out, err, "  %-19s %s\n", (*command)->name, (*command)->summary);
    return rc;
}

static int print_topics(struct loom_output *out, struct loom_error *err)
{
    char names[400] = "";
    for (const struct topic *topic = topics; topic->name; topic++) {
        append(names, sizeof names, topic->name);
        append(names, sizeof names, topic[1].name ? ", " : ".");
    }
    int rc = loom_output_printf(out, err, "\nPages ('workloom help PAGE'):\n");
    return rc ? rc : print_filled(out, names, INDENT, err);
}

int print_family_help(const char *first, struct loom_output *out, struct loom_error *err)
{
    size_t length = strlen(first);
    int rc = loom_output_printf(out, err, "Usage: workloom %s COMMAND [OPTIONS] ...\n\nCommands:\n",
                                first);
    for (const struct command *const *command = commands; *command && !rc; command++)
        if (strncmp((*command)->name, first, length) == 0 && (*command)->name[length] == ' ')
            rc = print_item(out, (*command)->name + length + 1, (*command)->summary, err);
    return rc ? rc
              : loom_output_printf(out, err, "\n'workloom help %s COMMAND' lists the options.\n",
                                   first);
}

int print_overview(struct loom_output *out, struct loom_error *err)
{
    static const enum command_group order[] = {GROUP_LOGS, GROUP_WORKLOADS, GROUP_SIMULATION,
                                               GROUP_OTHER};
    int rc = loom_output_printf(
        out, err,
        "Usage: workloom COMMAND [OPTIONS] ...\n\n"
        "Analyse, model and simulate workload logs of parallel machines.\n\n"
        "First steps:\n"
        "  workloom info LOG                          what is in a log?\n"
        "  workloom analyze LOG --html report.html    its features, with figures\n"
        "  workloom simulate LOG -s fcfs -s easy      compare two schedulers on it\n");
    for (size_t i = 0; i < sizeof order / sizeof *order && !rc; i++)
        rc = print_group(order[i], out, err);
    if (!rc)
        rc = print_topics(out, err);
    return rc ? rc
              : loom_output_printf(out, err,
                                   "\n'workloom help COMMAND' lists the options of a command, "
                                   "'workloom help NAME' the\nparameters of a model or "
                                   "scheduler.\n");
}
