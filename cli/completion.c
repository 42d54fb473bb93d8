/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * completion.c - the completion script for bash, made from the same declarations as help: commands,
 * options, values of choices, and names of plug-ins where an option takes one. Whatever else is a
 * file, which bash completes by itself where the script has no answer.
 */
#include "command.h"

#include <stdio.h>
#include <string.h>

/* The lists of names that values come from. */
typedef const char *name_at(size_t index, struct plugin *room);

static const char *in_topic(const char *topic, size_t index, struct plugin *room)
{
    return find_topic(topic)->at(room, NULL, index) ? room->name : NULL;
}

static const char *scheduler_name(size_t index, struct plugin *room)
{
    (void)room;
    const struct loom_scheduler_info *scheduler = loom_scheduler_at(NULL, index);
    return scheduler ? scheduler->name : NULL;
}

static const char *model_name(size_t index, struct plugin *room)
{
    return in_topic("models", index, room);
}

static const char *behaviour_name(size_t index, struct plugin *room)
{
    return in_topic("behaviours", index, room);
}

static const char *platform_name(size_t index, struct plugin *room)
{
    return in_topic("platforms", index, room);
}

static const char *predictor_name(size_t index, struct plugin *room)
{
    return in_topic("predictors", index, room);
}

static const char *format_name(size_t index, struct plugin *room)
{
    return in_topic("formats", index, room);
}

static const char *feature_name(size_t index, struct plugin *room)
{
    (void)room;
    const struct loom_feature_info *feature = loom_feature_info_at(index);
    return feature ? feature->key : NULL;
}

static const char *class_name(size_t index, struct plugin *room)
{
    (void)room;
    const struct loom_user_class_info *info = loom_user_class_at(index);
    return info ? info->name : NULL;
}

static const char *trait_name(size_t index, struct plugin *room)
{
    (void)room;
    return index < LOOM_TRAITS ? loom_trait_name(index) : NULL;
}

static const char *estimate_name(size_t index, struct plugin *room)
{
    static const char *const words[] = {"model", "none", "exact", "f:", "uniform:", "modal"};
    (void)room;
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

/* Of a trace, whose requested times may stay as they are. */
static const char *trace_estimate_name(size_t index, struct plugin *room)
{
    static const char *const words[] = {"requested", "exact", "f:", "uniform:", "modal"};
    (void)room;
    return index < sizeof words / sizeof *words ? words[index] : NULL;
}

/* Its first word; "" of a command whose first word another one before it has. */
static const char *command_name(size_t index, struct plugin *room)
{
    static const char *const first_words[] = {"experiment"}; /* of commands of two words */
    (void)room;
    if (!commands[index])
        return NULL;
    for (size_t i = 0; i < sizeof first_words / sizeof *first_words; i++)
        if (strncmp(commands[index]->name, first_words[i], strlen(first_words[i])) == 0) {
            bool first = index == 0 || strncmp(commands[index - 1]->name, first_words[i],
                                               strlen(first_words[i])) != 0;
            return first ? first_words[i] : "";
        }
    return commands[index]->name;
}

static const char *topic_name(size_t index, struct plugin *room)
{
    (void)room;
    return topics[index].name;
}

static const char *list_name(size_t index, struct plugin *room)
{
    (void)room;
    return listed_at(index);
}

/* Options whose values are names; words go before them. */
static const struct {
    const char *option;
    name_at *at;
    const char *words;
} named[] = {
    {"scheduler", scheduler_name, "all"},
    {"policy", scheduler_name, ""},
    {"models", model_name, "all"},
    {"feedback", behaviour_name, ""},
    {"platform", platform_name, ""},
    {"predictor", predictor_name, "all"},
    {"tune", predictor_name, ""},
    {"background-model", model_name, ""},
    {"from", format_name, ""},
    {"to", format_name, ""},
    {"feature", feature_name, ""},
    {"favour", class_name, ""},
    {"without", trait_name, ""},
    {"estimates", estimate_name, ""},
};

/* Commands whose operands are names. */
static const struct {
    const char *command;
    name_at *at[6];
} operands[] = {
    {"fit", {model_name}},
    {"generate", {model_name}},
    {"list", {list_name}},
    {"help",
     {command_name, topic_name, scheduler_name, model_name, behaviour_name, predictor_name}},
};

/* ---- the script ------------------------------------------------------------------------------ */

static int print_names(name_at *at, struct loom_output *out, struct loom_error *err)
{
    struct plugin room;
    const char *name;
    int rc = 0;
    for (size_t i = 0; !rc && (name = at(i, &room)); i++)
        rc = *name ? loom_output_printf(out, err, " %s", name) : 0;
    return rc;
}

static int print_pattern(const struct loom_param *param, struct loom_output *out,
                         struct loom_error *err)
{
    if (param->letter)
        return loom_output_printf(out, err, "        -%c | --%s) ", param->letter, param->name);
    return loom_output_printf(out, err, "        --%s) ", param->name);
}

static int print_choices(const struct loom_param *param, struct loom_output *out,
                         struct loom_error *err)
{
    int rc = print_pattern(param, out, err);
    if (!rc)
        rc = loom_output_printf(out, err, "values='");
    for (const char *const *choice = param->choices; *choice && !rc; choice++)
        rc = loom_output_printf(out, err, " %s", *choice);
    return rc ? rc : loom_output_printf(out, err, "' ;;\n");
}

/* A case for each other option that takes a value: files are offered there, not options. */
static int print_file_value(const struct loom_param *param, struct loom_output *out,
                            struct loom_error *err)
{
    int rc = print_pattern(param, out, err);
    return rc ? rc : loom_output_printf(out, err, "kind='file' ;;\n");
}

static int print_named(size_t index, const struct loom_param *param, struct loom_output *out,
                       struct loom_error *err)
{
    int rc = print_pattern(param, out, err);
    if (!rc)
        rc = loom_output_printf(out, err, "values='%s", named[index].words);
    if (!rc)
        rc = print_names(named[index].at == estimate_name &&
                                 (!param->value || strcmp(param->value, "requested") == 0)
                             ? trace_estimate_name
                             : named[index].at,
                         out, err);
    return rc ? rc : loom_output_printf(out, err, "' ;;\n");
}

static int print_directory(const struct loom_param *param, struct loom_output *out,
                           struct loom_error *err)
{
    int rc = print_pattern(param, out, err);
    return rc ? rc : loom_output_printf(out, err, "kind=directory ;;\n");
}

/* A case for an option that takes a value. */
static int print_values(const struct loom_param *param, struct loom_output *out,
                        struct loom_error *err)
{
    if (param->type == LOOM_PARAM_FLAG)
        return 0;
    if (param->choices)
        return print_choices(param, out, err);
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].option, param->name) == 0)
            return print_named(i, param, out, err);
    bool directory = param->metavar && strcmp(param->metavar, "DIR") == 0;
    return directory ? print_directory(param, out, err) : print_file_value(param, out, err);
}

static int print_operands(const struct command *command, struct loom_output *out,
                          struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "        operands='");
    for (size_t i = 0; i < sizeof operands / sizeof *operands && !rc; i++)
        if (strcmp(operands[i].command, command->name) == 0)
            for (size_t k = 0; k < 5 && operands[i].at[k] && !rc; k++)
                rc = print_names(operands[i].at[k], out, err);
    return rc ? rc : loom_output_printf(out, err, "'\n");
}

static int print_options(const struct command *command, struct loom_output *out,
                         struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "        options='");
    for (const struct loom_param *const *list = command->params; *list && !rc; list++)
        for (const struct loom_param *param = *list; param->name && !rc; param++)
            rc = loom_output_printf(out, err, " --%s", param->name);
    return rc ? rc : loom_output_printf(out, err, "'\n");
}

static int print_command(const struct command *command, struct loom_output *out,
                         struct loom_error *err)
{
    const char *quote = strchr(command->name, ' ') ? "'" : "";
    int rc = loom_output_printf(out, err, "    %s%s%s)\n", quote, command->name, quote);
    if (!rc)
        rc = print_options(command, out, err);
    if (!rc)
        rc = print_operands(command, out, err);
    if (!rc)
        rc = loom_output_printf(out, err, "        case $prev in\n");
    for (const struct loom_param *const *list = command->params; *list && !rc; list++)
        for (const struct loom_param *param = *list; param->name && !rc; param++)
            rc = print_values(param, out, err);
    return rc ? rc : loom_output_printf(out, err, "        esac\n        ;;\n");
}

/* Lists of names with commas are completed after the last comma. */
static const char beginning[] =
    "# bash completion for workloom, printed by 'workloom help --completion bash'\n"
    "_workloom()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local options='' operands='' values='' kind='' before=''\n"
    "    if [[ $cur == = ]]; then cur=''; fi\n"
    "    if [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"--help --version";

static const char middle[] = "\" -- \"$cur\")\n"
                             "        return\n"
                             "    fi\n"
                             "    local command=${COMP_WORDS[1]}\n"
                             "    if [[ $command == experiment ]]; then\n"
                             "        if ((COMP_CWORD == 2)); then\n"
                             "            mapfile -t COMPREPLY < <(compgen -W \"";
static const char after_words[] = "\" -- \"$cur\")\n"
                                  "            return\n"
                                  "        fi\n"
                                  "        command+=\" ${COMP_WORDS[2]}\"\n"
                                  "    fi\n"
                                  "    case $command in\n";

/* What can follow the first word of a command of two. */
static int print_second_words(struct loom_output *out, struct loom_error *err)
{
    char words[200] = "";
    size_t used = 0;
    for (size_t i = 0; commands[i] && used < sizeof words; i++) {
        const char *blank = strchr(commands[i]->name, ' ');
        if (blank)
            used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", used ? " " : "",
                                     blank + 1);
    }
    return loom_output_printf(out, err, "%s%s%s", middle, words, after_words);
}

static const char end[] =
    "    esac\n"
    "    if [[ $values ]]; then\n"
    "        if [[ $cur == *,* ]]; then before=${cur%,*},; fi\n"
    "        mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$values\" -- \"${cur##*,}\")\n"
    "    elif [[ $kind == directory ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n"
    "    elif [[ $kind == file ]]; then\n"
    "        return\n"
    "    elif [[ $cur == -* ]]; then\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
    "    elif [[ $operands ]]; then\n"
    "        compopt -o filenames 2>/dev/null\n"
    "        mapfile -t COMPREPLY < <(compgen -W \"$operands\" -- \"$cur\"; compgen -f -- "
    "\"$cur\")\n"
    "    fi\n"
    "}\n"
    "complete -o bashdefault -o default -F _workloom workloom\n";

int print_completion(struct loom_output *out, struct loom_error *err)
{
    int rc = loom_output_printf(out, err, "%s", beginning);
    if (!rc)
        rc = print_names(command_name, out, err);
    if (!rc)
        rc = print_second_words(out, err);
    for (size_t i = 0; commands[i] && !rc; i++)
        rc = print_command(commands[i], out, err);
    return rc ? rc : loom_output_printf(out, err, "%s", end);
}
