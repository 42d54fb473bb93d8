/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Errors of the library name the field of a struct, or the declared parameter, that is at fault. A
 * user of the command knows options: each field that the command has an option for is shown as that
 * option, in its place in the message or, where the message does not name it, behind.
 */
#include "command.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Fields whose option is not simply their name with '-' for '_'. */
static const struct {
    const char *field, *option;
} renamed[] = {
    {"read.format", "from"},
    {"write.format", "to"},
    {"long_term_s", "long-term-weeks"},
    {"edge_s", "edge-weeks"},
    {"MaxProcs", "max-procs"},
    {"setting", "set"},
    {"bag_gap_s", "bag-gap"},
    {"rate_interval_s", "rate-interval"},
    {"session_gap_s", "session-gap"},
    {"session_cut_s", "session-cut"},
    {"only", "table"},
    {"closed", "users"},
    {"notes", "speedups"},
    {"limits", "user-jobs"},
    {"split", "own-procs"},
    {"parts", "own-procs"},
};

enum { NAME_SIZE = 64 };

static void option_of(char option[NAME_SIZE], const char *field)
{
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++)
        if (strcmp(renamed[i].field, field) == 0)
            field = renamed[i].option;
    snprintf(option, NAME_SIZE, "%s", field);
    for (char *c = option; *c; c++)
        if (*c == '_')
            *c = '-';
}

static bool has_option(const struct command *command, const char *name)
{
    for (const struct loom_param *const *list = command->params; *list; list++)
        for (const struct loom_param *param = *list; param->name; param++)
            if (strcmp(param->name, name) == 0)
                return true;
    return false;
}

static bool in_name(char c)
{
    return isalnum((unsigned char)c) || strchr("_-.", c);
}

/* Find a name that is not a part of a longer one; NULL if the text has none. */
static char *find_name(char *text, const char *name)
{
    size_t length = strlen(name);
    for (char *at = strstr(text, name); at; at = strstr(at + 1, name)) {
        bool starts = at == text || !in_name(at[-1]);
        if (starts && (!at[length] || !in_name(at[length])))
            return at;
    }
    return NULL;
}

static void show_option(struct loom_error *err, const char *field, const char *option)
{
    char rest[sizeof err->message] = "", *at = find_name(err->message, field);
    size_t used = at ? (size_t)(at - err->message) : strlen(err->message);
    if (at)
        strcpy(rest, at + strlen(field));
    snprintf(err->message + used, sizeof err->message - used, at ? "--%s%s" : " (--%s)%s", option,
             rest);
}

void name_options(struct loom_error *err, const struct command *command)
{
    char fields[128], option[NAME_SIZE], *rest = fields, *field;
    if (!err->field)
        return;
    snprintf(fields, sizeof fields, "%s", err->field);
    while ((field = strsep(&rest, " "))) {
        option_of(option, field);
        /* Commands that take the size of the machine for reading a log only. */
        if (strcmp(option, "procs") == 0 && !has_option(command, option))
            snprintf(option, sizeof option, "max-procs");
        if (has_option(command, option))
            show_option(err, field, option);
    }
}

void name_stored_options(char *message, size_t size, const struct command *command)
{
    struct loom_error err = {0};
    snprintf(err.message, sizeof err.message, "%s", message);
    for (size_t i = 0; i < sizeof renamed / sizeof *renamed; i++) {
        const char *field = renamed[i].field;
        if (strchr(field, '_') && has_option(command, renamed[i].option) &&
            find_name(err.message, field))
            show_option(&err, field, renamed[i].option);
    }
    snprintf(message, size, "%s", err.message);
}
