/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom help: the overview, the help of a command, or a manual page. */
#include "command.h"

static const struct loom_param help_params[] = {
    {.name = "man", .type = LOOM_PARAM_FLAG, .help = "print the manual page source (mdoc) instead"},
    {.name = "help", .letter = 'h', .type = LOOM_PARAM_FLAG, .help = "show this help"},
    {.name = NULL},
};

static int write_help(const struct invocation *call, const struct command *command,
                      struct loom_output *out, struct loom_error *err)
{
    if (loom_params_flag(call->params, "man"))
        return print_manual(command, out, err);
    return command ? print_command_help(command, out, err) : print_overview(out, err);
}

static int run(const struct invocation *call, struct loom_error *err)
{
    const struct command *command = NULL;
    if (call->n_operands > 0) {
        command = find_command(call->operands[0]);
        if (!command)
            return unknown_command(call->operands[0], err);
    }
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = write_help(call, command, out, err);
    if (!rc)
        rc = loom_output_commit(out, err);
    loom_output_destroy(out);
    return rc;
}

static const char *const about[] = {
    "Without COMMAND, lists the commands. With it, tells what the command does and takes.",
    NULL,
};

static const struct loom_param *const params[] = {help_params, NULL};

const struct command command_help = {
    .name = "help",
    .summary = "tell about a command",
    .operands = "[COMMAND]",
    .about = about,
    .params = params,
    .max_operands = 1,
    .run = run,
};
