/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom help: the overview, the help of a command or of plug-ins, or a manual page. */
#include "command.h"

#include <stdio.h>
#include <string.h>

static const char *const shells[] = {"bash", NULL};

static const struct loom_param help_params[] = {
    {.name = "all", .type = LOOM_PARAM_FLAG, .help = "explain every option of a command"},
    {.name = "man", .type = LOOM_PARAM_FLAG, .help = "print the manual page (mdoc)"},
    PLUGIN_PARAM,
    {.name = "completion",
     .type = LOOM_PARAM_CHOICE,
     .choices = shells,
     .metavar = "SHELL",
     .help = "print a completion script"},
    {.name = "help", .letter = 'h', .type = LOOM_PARAM_FLAG, .help = "show this help"},
    {.name = NULL},
};

/* What the word is about: one of them, or nothing for all commands. */
struct subject {
    const struct command *command;
    const char *family; /* first word of several commands */
    const struct topic *topic;
    bool is_plugin;
    struct plugin plugin;
};

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Fail on a word that help has nothing on, with the nearest of all that it has. */
static int unknown_word(const struct invocation *call, const char *word, struct loom_error *err)
{
    enum { MOST = 128 };
    const char *names[MOST + 1] = {0};
    struct plugin plugin;
    size_t n = 0;
    const char *list = find_listed(call, word);
    if (list)
        return loom_fail(err, LOOM_EUSAGE, "there is no help on '%s'; see 'workloom list %s'", word,
                         list);
    for (size_t i = 0; commands[i] && n < MOST; i++)
        names[n++] = commands[i]->name;
    for (const struct topic *topic = topics; topic->name; topic++) {
        if (n < MOST)
            names[n++] = topic->name;
        for (size_t i = 0; topic->at && n < MOST && topic->at(&plugin, call, i); i++)
            if (!is_among(names, plugin.name))
                names[n++] = plugin.name;
    }
    return loom_fail_unknown(err, "help on", word, names,
                             "see 'workloom help' and 'workloom list'");
}

/* NAME:PARAMETER=VALUE, as other commands take it. */
static bool find_before_colon(struct plugin *out, const struct invocation *call, const char *word)
{
    char name[64];
    size_t length = strcspn(word, ":");
    if (!word[length] || length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    return find_plugin(out, call, name);
}

/* Is it what the first operand of a command may be, as in "queue fit"? */
static bool is_form(const struct command *command, const char *word)
{
    return command && command->forms && is_among(command->forms, word);
}

static int find_subject(struct subject *out, const struct invocation *call, struct loom_error *err)
{
    const char *word = call->operands[0];
    bool two = is_first_word(word) && call->n_operands > 1;
    out->command = two ? find_two_words(word, call->operands[1]) : find_command(word);
    if (two && !out->command)
        return unknown_word(call, call->operands[1], err);
    if (!two && is_first_word(word)) {
        out->family = word;
        return 0;
    }
    if (!two && call->n_operands > 1 && !is_form(out->command, call->operands[1]))
        return unknown_word(call, call->operands[1], err);
    out->topic = find_topic(word);
    out->is_plugin =
        find_plugin(&out->plugin, call, word) || find_before_colon(&out->plugin, call, word);
    return out->command || out->topic || out->is_plugin ? 0 : unknown_word(call, word, err);
}

/* Write the help of all plug-ins of one name. */
static int write_plugins(const struct plugin *first, const struct invocation *call,
                         struct loom_output *out, struct loom_error *err)
{
    struct plugin plugin;
    int rc = 0;
    for (size_t i = 0; !rc && find_namesake(&plugin, call, first->name, i); i++) {
        if (i > 0)
            rc = loom_output_printf(out, err, "\n");
        if (!rc)
            rc = print_plugin_help(&plugin, out, err);
    }
    return rc;
}

static int write_help(const struct subject *about, const struct invocation *call,
                      struct loom_output *out, struct loom_error *err)
{
    bool manual = loom_params_flag(call->params, "man");
    if (about->topic)
        return manual ? print_topic_manual(about->topic, call, out, err)
                      : print_topic_help(about->topic, call, out, err);
    if (about->family && !manual)
        return print_family_help(about->family, out, err);
    if (about->is_plugin)
        return write_plugins(&about->plugin, call, out, err);
    if (manual)
        return print_manual(about->command, out, err);
    return about->command
               ? print_command_help(about->command, loom_params_flag(call->params, "all"), out, err)
               : print_overview(out, err);
}

static int help_run(const struct invocation *call, struct loom_error *err)
{
    struct subject subject = {0};
    struct loom_output *out = NULL;
    int rc = call->n_operands > 0 ? find_subject(&subject, call, err) : 0;
    if (!rc && loom_params_flag(call->params, "all") && !subject.command)
        rc = loom_fail(err, LOOM_EUSAGE, "--all is for the help of a command: name one");
    if (!rc)
        rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_params_given(call->params, "completion") ? print_completion(out, err)
                                                           : write_help(&subject, call, out, err);
    return end_output(out, rc, NULL, err);
}

static const char *const about[] = {
    "NAME is a command, a page listed by 'workloom help', or a model, scheduler, behaviour, "
    "predictor, platform or format. Commands and pages are also manual pages: man "
    "workloom-simulate, man 7 "
    "workloom-json.",
    NULL,
};

static const struct loom_param *const params[] = {help_params, NULL};

const struct command command_help = {
    .name = "help",
    .summary = "show help on a command, page, model or scheduler",
    .operands = "[NAME]",
    .about = about,
    .params = params,
    .max_operands = 2,
    .run = help_run,
};
