/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workloom - the command. Finds the subcommand, runs it, and turns an error into one sentence on
 * stderr. Exit status: 0 done, 1 failed, 2 the command line made no sense; or the signal that ended
 * it.
 */
#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const struct command command_info, command_analyze, command_convert, command_clean,
    command_fit, command_generate, command_resample, command_compare, command_simulate,
    command_replay, command_validate, command_predict, command_queue, command_experiment_run,
    command_experiment_status, command_experiment_report, command_experiment_merge,
    command_experiment_submit, command_reproduce, command_list, command_help;

const struct command *const commands[] = {
    &command_info,
    &command_analyze,
    &command_convert,
    &command_clean,
    &command_fit,
    &command_generate,
    &command_resample,
    &command_compare,
    &command_simulate,
    &command_replay,
    &command_validate,
    &command_predict,
    &command_queue,
    &command_experiment_run,
    &command_experiment_status,
    &command_experiment_report,
    &command_experiment_merge,
    &command_experiment_submit,
    &command_reproduce,
    &command_list,
    &command_help,
    NULL,
};

enum { EXIT_USAGE = 2 };

const struct command *find_command(const char *name)
{
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}

const struct command *find_two_words(const char *first, const char *second)
{
    char name[64];
    snprintf(name, sizeof name, "%s %s", first, second);
    return find_command(name);
}

bool is_first_word(const char *word)
{
    size_t length = strlen(word);
    for (const struct command *const *command = commands; *command; command++)
        if (strncmp((*command)->name, word, length) == 0 && (*command)->name[length] == ' ')
            return true;
    return false;
}

static int report(const struct loom_error *err)
{
    char text[sizeof *err + 64];
    loom_error_text(err, text, sizeof text);
    one_line(text);
    fprintf(stderr, "workloom: %s\n", text);
    return err->code == LOOM_EUSAGE ? EXIT_USAGE : EXIT_FAILURE;
}

/* Fail on a word that names no command, with the nearest that does, or with what to do with what it
 * does name. */
static int unknown_command(const char *word, struct loom_error *err)
{
    const char *list = find_listed(NULL, word);
    struct plugin plugin;
    if (access(word, F_OK) == 0)
        return loom_fail(err, LOOM_EUSAGE,
                         "there is no command '%s'; to look at a log, 'workloom info %s'", word,
                         word);
    if (find_topic(word) || find_plugin(&plugin, NULL, word))
        return loom_fail(err, LOOM_EUSAGE, "there is no command '%s'; see 'workloom help %s'", word,
                         word);
    if (list)
        return loom_fail(err, LOOM_EUSAGE, "there is no command '%s'; see 'workloom list %s'", word,
                         list);
    const char *names[64] = {"--help", "--version"};
    for (size_t i = 0; commands[i] && i + 3 < sizeof names / sizeof *names; i++)
        names[i + 2] = commands[i]->name;
    bool option = word[0] == '-';
    return loom_fail_unknown(err, "command", word, option ? names : names + 2,
                             option ? "options come after the command, see 'workloom help'"
                                    : "see 'workloom help'");
}

/* Fail on a first word without one of those that can follow. */
static int unknown_second(const char *first, const char *second, struct loom_error *err)
{
    const char *names[16] = {0};
    char list[200] = "";
    size_t n = 0, length = strlen(first), used = 0;
    for (size_t i = 0; commands[i] && n + 1 < sizeof names / sizeof *names; i++)
        if (strncmp(commands[i]->name, first, length) == 0 && commands[i]->name[length] == ' ') {
            names[n++] = commands[i]->name + length + 1;
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", n > 1 ? ", " : "",
                                     names[n - 1]);
        }
    if (second && second[0] != '-') {
        char kind[64], otherwise[240];
        snprintf(kind, sizeof kind, "command '%s' with", first);
        snprintf(otherwise, sizeof otherwise, "there are %s", list);
        return loom_fail_unknown(err, kind, second, names, otherwise);
    }
    return loom_fail(err, LOOM_EUSAGE, "'%s' needs one of %s; see 'workloom help %s'", first, list,
                     first);
}

/* ---- signals --------------------------------------------------------------------------------- */

static void on_signal(int number)
{
    loom_output_abandon_all();
    signal(number, SIG_DFL);
    raise(number);
}

/* Whoever closes a pipe, as head does, has seen enough: an end without a word, as of other tools. A
 * limit on file sizes should be an error like any other, not a sudden end. What is ignored stays
 * so, and a closed pipe is an error then. */
static void set_signals(void)
{
    static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++) {
        struct sigaction old;
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            signal(deadly[i], on_signal);
    }
    signal(SIGXFSZ, SIG_IGN);
}

/* Open /dev/null on each of the first three descriptors that is closed: a file opened later would
 * get their number, and messages would be written to it. Reads and writes still fail, as they do on
 * a closed descriptor. */
static void fill_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* ---- running --------------------------------------------------------------------------------- */

static void put_quoted(FILE *out, const char *word)
{
    fputc('\'', out);
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    fputc('\'', out);
}

/* How many words from argv[i] on say where the result goes and how it is made, but not what it is:
 * whatever they are, the same jobs come out. */
static int without_effect(int argc, char **argv, int i)
{
    static const char *const flags[] = {"-q", "--quiet", "--json"};
    static const char *const options[] = {"-o", "--output", "--threads"};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        if (strcmp(argv[i], flags[k]) == 0)
            return 1;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
        size_t length = strlen(options[k]);
        if (strcmp(argv[i], options[k]) == 0)
            return i + 1 < argc ? 2 : 1;
        if (strncmp(argv[i], options[k], length) == 0 && (argv[i][length] == '=' || length == 2))
            return 1;
    }
    return 0;
}

/* The command line as one text, words quoted where a shell would need it; or only what made its
 * result what it is. */
static char *join_words(int argc, char **argv, bool all)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./:,=+@%";
    char *line = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&line, &size);
    if (!memory)
        return NULL;
    fputs("workloom", memory);
    for (int i = 1; i < argc; i++) {
        int skip = all ? 0 : without_effect(argc, argv, i);
        if (skip > 0) {
            i += skip - 1;
            continue;
        }
        all = all || strcmp(argv[i], "--") == 0; /* operands from here on */
        fputc(' ', memory);
        if (argv[i][0] && !argv[i][strspn(argv[i], plain)])
            fputs(argv[i], memory);
        else
            put_quoted(memory, argv[i]);
    }
    if (fclose(memory) != 0) {
        free(line);
        return NULL;
    }
    return line;
}

/* Show the help of a command; without one, of all commands that start with a first word, or the
 * overview if that is NULL too. */
static int show_help(const struct command *command, const char *first, struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = command ? print_command_help(command, false, out, err)
             : first ? print_family_help(first, out, err)
                     : print_overview(out, err);
    return end_output(out, rc, NULL, err);
}

static int show_version(struct loom_error *err)
{
    struct loom_output *out = NULL;
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_output_printf(out, err, "workloom %s (%s)\n", loom_version(),
                                loom_build_features());
    return end_output(out, rc, NULL, err);
}

/* Load the policies of --plugin FILE.so. */
static int load_plugins(struct invocation *call, struct loom_error *err)
{
    size_t n =
        loom_params_find(call->params, "plugin") ? loom_params_count(call->params, "plugin") : 0;
    int rc = n > 0 ? loom_schedulers_create(&call->schedulers, err) : 0;
    for (size_t i = 0; i < n && !rc; i++)
        rc = loom_schedulers_load(call->schedulers, loom_params_item(call->params, "plugin", i),
                                  err);
    return rc;
}

/* All files of a command appear together: none does if it fails, or is ended, before. */
static int run_command(struct invocation call, int argc, char **argv, struct loom_error *err)
{
    int rc = parse_arguments(&call, argc, argv, err);
    if (rc) {
        /* Whatever is wrong with a value on the command line is the command line's fault. */
        if (rc != LOOM_ENOMEM)
            err->code = LOOM_EUSAGE;
        name_options(err, call.command);
        return rc;
    }
    if (loom_params_flag(call.params, "help")) {
        rc = show_help(call.command, NULL, err);
    } else {
        rc = load_plugins(&call, err);
        if (!rc)
            rc = loom_output_set_create(&call.outputs, err);
        if (!rc)
            rc = call.command->run(&call, err);
        if (!rc)
            rc = keep_outputs(&call, err);
    }
    if (rc)
        name_options(err, call.command);
    loom_output_set_destroy(call.outputs);
    loom_schedulers_destroy(call.schedulers);
    release_invocation(&call);
    return rc;
}

static bool asks_help(const char *word)
{
    return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int dispatch(int argc, char **argv, struct invocation call, struct loom_error *err)
{
    const char *word = argc > 1 ? argv[1] : "";
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
        return show_version(err);
    if (argc < 2 || asks_help(word))
        return show_help(NULL, NULL, err);
    int words = is_first_word(word) ? 2 : 1;
    if (words == 2 && argc > 2 && asks_help(argv[2]))
        return show_help(NULL, word, err);
    if (words == 2 && (argc < 3 || !find_two_words(word, argv[2])))
        return unknown_second(word, argc < 3 ? NULL : argv[2], err);
    call.command = words == 2 ? find_two_words(word, argv[2]) : find_command(word);
    if (!call.command)
        return unknown_command(word, err);
    return run_command(call, argc - 1 - words, argv + 1 + words, err);
}

int main(int argc, char **argv)
{
    struct loom_error err = {0};
    fill_descriptors();
    set_signals();
    char *line = join_words(argc, argv, true), *origin = join_words(argc, argv, false);
    struct invocation call = {.line = line, .origin = origin};
    int rc = line && origin ? dispatch(argc, argv, call, &err) : loom_fail_memory(&err);
    free(line);
    free(origin);
    return rc ? report(&err) : EXIT_SUCCESS;
}
