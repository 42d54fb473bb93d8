/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines in the GNU manner: --name VALUE, --name=VALUE, -n VALUE, -nVALUE, flags without
 * value, and "--" before operands that start with a dash. Options and operands may be mixed. A lone
 * "-" is an operand: stdin or stdout.
 */
#include "command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES = 128, NAME_SIZE = 32 };

/* The long names of all options of a command, for "did you mean". */
struct names {
    const char *list[MOST_NAMES + 1];
    char text[MOST_NAMES][NAME_SIZE];
};

static void collect_names(struct names *out, const struct command *command)
{
    size_t n = 0;
    for (const struct loom_param *const *list = command->params; *list; list++)
        for (const struct loom_param *param = *list; param->name && n < MOST_NAMES; param++, n++) {
            snprintf(out->text[n], NAME_SIZE, "--%s", param->name);
            out->list[n] = out->text[n];
        }
    out->list[n] = NULL;
}

static bool has_option(const struct command *command, const char *name)
{
    for (const struct loom_param *const *list = command->params; *list; list++)
        for (const struct loom_param *param = *list; param->name; param++)
            if (strcmp(param->name, name) == 0)
                return true;
    return false;
}

/* Is it a parameter of a model or scheduler, which --param sets? */
static bool names_setting(const char *name)
{
    static const char *const kinds[] = {"schedulers", "models"};
    struct plugin plugin;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; find_topic(kinds[k])->at(&plugin, NULL, i); i++)
            for (const struct loom_param *param = plugin.params; param && param->name; param++)
                if (strcmp(param->name, name) == 0)
                    return true;
    return false;
}

static int fail_unknown(const struct command *command, const char *word, struct loom_error *err)
{
    /* One thing by two names, each in another command. */
    static const char *const twins[][2] = {{"policy", "scheduler"}, {"scheduler", "policy"}};
    struct names names;
    collect_names(&names, command);
    char meant[320];
    const char *name = word + strspn(word, "-");
    if (has_option(command, "param") && names_setting(name))
        return loom_fail(err, LOOM_EUSAGE,
                         "'%s' has no option '%s'; set that parameter by -p %s=VALUE",
                         command->name, word, name);
    for (size_t i = 0; i < sizeof twins / sizeof *twins; i++)
        if (strcmp(name, twins[i][0]) == 0 && has_option(command, twins[i][1]))
            return loom_fail(err, LOOM_EUSAGE, "'%s' has no option '%s'; did you mean '--%s'?",
                             command->name, word, twins[i][1]);
    if (*loom_did_you_mean(meant, sizeof meant, word, names.list))
        return loom_fail(err, LOOM_EUSAGE, "'%s' has no option '%s'; %s", command->name, word,
                         meant);
    return loom_fail(err, LOOM_EUSAGE, "'%s' has no option '%s'; see 'workloom help %s'",
                     command->name, word, command->name);
}

static bool is_word(const struct command *command, const struct loom_param *param)
{
    for (const struct loom_param *const *list = command->words; *list; list++)
        for (const struct loom_param *word = *list; word->name; word++)
            if (word == param)
                return true;
    return false;
}

/* Of two values one would be forgotten without a word. */
static int set_option(struct invocation *call, const struct loom_param *param, const char *value,
                      struct loom_error *err)
{
    if (call->command->words && is_word(call->command, param) &&
        (value || param->type == LOOM_PARAM_FLAG)) {
        call->words[call->n_words++] = (struct given_option){param->name, value};
        return 0;
    }
    bool again = param->type != LOOM_PARAM_FLAG && !param->repeated &&
                 loom_params_given(call->params, param->name);
    if (again && value)
        return loom_fail(err, LOOM_EUSAGE,
                         "--%s takes one value, and was given '%s' and '%s'; leave one out",
                         param->name, loom_params_text(call->params, param->name), value);
    return loom_params_set(call->params, param->name, value, err);
}

/* Is the value left out, and the default meant: "--csv" at the end or before another option, where
 * it has a default? */
static bool stands_alone(const struct loom_param *param, const char *next)
{
    return strcmp(param->name, "csv") == 0 && param->value &&
           (!next || (next[0] == '-' && next[1]));
}

/* --name, --name=value, or --name followed by its value. Advances *at past what it used. */
static int parse_long(struct invocation *call, int argc, char **argv, int *at,
                      struct loom_error *err)
{
    const char *word = argv[*at] + 2;
    const char *equals = strchr(word, '=');
    char name[64];
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name), word);
    const struct loom_param *param = length > 1 ? loom_params_find(call->params, name) : NULL;
    if (!param) {
        snprintf(name, sizeof name, "--%.*s", (int)(length < 60 ? length : 60), word);
        return fail_unknown(call->command, name, err);
    }
    const char *value = equals ? equals + 1 : NULL;
    if (!value && stands_alone(param, *at + 1 < argc ? argv[*at + 1] : NULL))
        value = param->value;
    if (!value && param->type != LOOM_PARAM_FLAG && *at + 1 < argc)
        value = argv[++*at];
    return set_option(call, param, value, err);
}

/* -n, -nVALUE, -n VALUE, and flags run together: -qj. */
static int parse_short(struct invocation *call, int argc, char **argv, int *at,
                       struct loom_error *err)
{
    for (const char *letter = argv[*at] + 1; *letter; letter++) {
        const char name[2] = {*letter, '\0'};
        const struct loom_param *param = loom_params_find(call->params, name);
        if (!param) {
            const char word[3] = {'-', *letter, '\0'};
            return fail_unknown(call->command, word, err);
        }
        if (param->type == LOOM_PARAM_FLAG) {
            int rc = set_option(call, param, NULL, err);
            if (rc)
                return rc;
            continue;
        }
        const char *value = letter[1] ? letter + 1 : *at + 1 < argc ? argv[++*at] : NULL;
        return set_option(call, param, value, err);
    }
    return 0;
}

static int parse_words(struct invocation *call, int argc, char **argv, struct loom_error *err)
{
    bool operands_only = false;
    for (int at = 0; at < argc; at++) {
        const char *word = argv[at];
        int rc = 0;
        if (operands_only || word[0] != '-' || !word[1])
            call->operands[call->n_operands++] = word;
        else if (strcmp(word, "--") == 0)
            operands_only = true;
        else if (word[1] == '-')
            rc = parse_long(call, argc, argv, &at, err);
        else
            rc = parse_short(call, argc, argv, &at, err);
        if (rc)
            return rc;
    }
    return 0;
}

/* Does an operand name a scheduler, with or without parameters? */
static const char *find_scheduler(const struct invocation *call)
{
    for (size_t i = 0; i < call->n_operands; i++)
        if (loom_scheduler_check(call->schedulers, call->operands[i], NULL) == 0)
            return call->operands[i];
    return NULL;
}

static int check_operands(const struct invocation *call, struct loom_error *err)
{
    const struct command *command = call->command;
    if (loom_params_flag(call->params, "help"))
        return 0;
    if (call->n_operands < command->min_operands)
        return loom_fail(err, LOOM_EUSAGE, "'%s' needs %s; see 'workloom help %s'", command->name,
                         command->operands, command->name);
    if (call->n_operands <= command->max_operands)
        return 0;
    const char *policy = has_option(command, "scheduler") ? find_scheduler(call) : NULL;
    if (policy)
        return loom_fail(err, LOOM_EUSAGE, "'%s' takes %s; name a scheduler by -s %s",
                         command->name, command->operands, policy);
    if (has_option(command, "against"))
        return loom_fail(err, LOOM_EUSAGE,
                         "'%s' takes one %s; compare it with another by --against %s",
                         command->name, command->operands, call->operands[command->max_operands]);
    return loom_fail(err, LOOM_EUSAGE, "'%s' does not know what to do with '%s'; it takes %s%s",
                     command->name, call->operands[command->max_operands],
                     *command->operands ? command->operands : "no operands",
                     loom_params_find(call->params, "output") ? ", and -o FILE for what it writes"
                                                              : "");
}

int parse_arguments(struct invocation *call, int argc, char **argv, struct loom_error *err)
{
    int rc = loom_params_create(&call->params, call->command->params, err);
    if (rc)
        return rc;
    call->operands = calloc((size_t)argc + 1, sizeof *call->operands);
    call->words = calloc((size_t)argc + 1, sizeof *call->words);
    if (!call->operands || !call->words)
        rc = loom_fail_memory(err);
    if (!rc)
        rc = parse_words(call, argc, argv, err);
    if (!rc)
        rc = check_operands(call, err);
    if (rc)
        release_invocation(call);
    return rc;
}

void release_invocation(struct invocation *call)
{
    loom_params_destroy(call->params);
    free(call->operands);
    free(call->words);
    call->words = NULL;
    call->params = NULL;
    call->operands = NULL;
}

int refuse_options(const struct invocation *call, const char *const *names, const char *why,
                   struct loom_error *err)
{
    for (; *names; names++)
        if (loom_params_given(call->params, *names))
            return loom_fail(err, LOOM_EUSAGE, "--%s %s", *names, why);
    return 0;
}

char *with_params(const char *name, const struct invocation *call)
{
    size_t n = loom_params_count(call->params, "param"), size = strlen(name) + 1;
    for (size_t i = 0; i < n; i++)
        size += strlen(loom_params_item(call->params, "param", i)) + 1;
    char *text = malloc(size);
    if (!text)
        return NULL;
    char separator = strchr(name, ':') ? ',' : ':';
    char *end = stpcpy(text, name);
    for (size_t i = 0; i < n; i++, separator = ',') {
        *end++ = separator;
        end = stpcpy(end, loom_params_item(call->params, "param", i));
    }
    return text;
}
