/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom help: the overview, the help of a command or a plug-in, or a manual page. */
#include "command.h"

static const struct loom_param help_params[] = {
    {.name = "man", .type = LOOM_PARAM_FLAG, .help = "print the manual page source (mdoc) instead"},
    {.name = "help", .letter = 'h', .type = LOOM_PARAM_FLAG, .help = "show this help"},
    {.name = NULL},
};

static int write_help(const struct invocation *call, const struct command *command,
                      const struct plugin *plugin, struct loom_output *out, struct loom_error *err)
{
    if (plugin->name)
        return print_plugin_help(plugin, out, err);
    if (loom_params_flag(call->params, "man"))
        return print_manual(command, out, err);
    return command ? print_command_help(command, out, err) : print_overview(out, err);
}

/* All that help can tell about. */
static int unknown_word(const char *word, struct loom_error *err)
{
    enum { MOST = 128 };
    const char *names[MOST + 1] = {0};
    const struct loom_model_info *model;
    const struct loom_scheduler_info *scheduler;
    size_t n = 0;
    for (size_t i = 0; commands[i] && n < MOST; i++)
        names[n++] = commands[i]->name;
    for (size_t i = 0; (model = loom_model_at(i)) && n < MOST; i++)
        names[n++] = model->name;
    for (size_t i = 0; (scheduler = loom_scheduler_at(i)) && n < MOST; i++)
        names[n++] = scheduler->name;
    return loom_fail_unknown(err, "command, model or scheduler", word, names,
                             "see 'workloom help', 'workloom list models' and "
                             "'workloom list schedulers'");
}

static int run(const struct invocation *call, struct loom_error *err)
{
    const struct command *command = NULL;
    struct plugin plugin = {0};
    if (call->n_operands > 0) {
        command = find_command(call->operands[0]);
        if (!command && !find_plugin(&plugin, call->operands[0]))
            return unknown_word(call->operands[0], err);
    }
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = write_help(call, command, &plugin, out, err);
    if (!rc)
        rc = loom_output_commit(out, err);
    loom_output_destroy(out);
    return rc;
}

static const char *const about[] = {
    "Without a word, lists the commands. With the name of a command, tells what it does and takes; "
    "with that of a model or scheduler, what it is and which parameters it has.",
    NULL,
};

static const struct loom_param *const params[] = {help_params, NULL};

const struct command command_help = {
    .name = "help",
    .summary = "tell about a command, a model or a scheduler",
    .operands = "[NAME]",
    .about = about,
    .params = params,
    .max_operands = 1,
    .run = run,
};
