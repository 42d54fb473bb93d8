/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h - what a subcommand is: one cmd_*.c that ends in a const struct command, and one line
 * in the list in main.c. Options are declared, not parsed: the declarations give the command line,
 * its checks, --help and the manual page.
 */
#ifndef WORKLOOM_CLI_COMMAND_H
#define WORKLOOM_CLI_COMMAND_H

#include "base/tool.h"
#include "experiment/tool.h"
#include "report/tool.h"
#include "sim/tool.h"
#include "trace/tool.h"

#include <workloom/workloom.h>

struct example {
    const char *line, *what;
};

/* An option as it was given, with NULL for a flag. */
struct given_option {
    const char *name, *value;
};

/* One call of a command. */
struct invocation {
    const struct command *command;
    struct loom_params *params;
    const char **operands;
    size_t n_operands;
    const char *line;   /* the whole command line, as typed */
    const char *origin; /* the same without output, threads and the like: what made the result */
    struct loom_schedulers *schedulers; /* built-in and --plugin policies; NULL: built-in only */
    struct given_option *words;         /* options of command->words, in the order given */
    size_t n_words;
    struct loom_output_set *outputs; /* the files that the command writes, which appear together */
};

/* Where the overview shows a command. */
enum command_group { GROUP_OTHER, GROUP_LOGS, GROUP_WORKLOADS, GROUP_SIMULATION };

/* Return where the policies of a call are found: NULL, the built-in ones, without plug-ins or a
 * call.
 */
static inline const struct loom_schedulers *schedulers_of(const struct invocation *call)
{
    return call ? call->schedulers : NULL;
}

struct command {
    const char *name; /* one word, or two: "experiment run" */
    enum command_group group;
    const char *summary;                    /* one line, for lists */
    const char *operands;                   /* "TRACE...", for the synopsis */
    const char *const *about;               /* notes below the options, NULL-terminated */
    const struct loom_param *const *params; /* lists of options, NULL-terminated */
    /* Above each list, NULL: the group goes on; NULL for one group of all. A group whose heading
     * begins with '+' is folded: help has the names of its options, 'help --all' what they mean. */
    const char *const *headings;
    const struct example *examples; /* ends with a NULL line */
    /* Lists of options that are words of a plan, NULL-terminated; NULL: none. They may be given
     * several times, are kept in call->words as they are, and checked by the plan. */
    const struct loom_param *const *words;
    const char *const *forms; /* what the first operand may be, NULL-terminated; NULL: anything */
    size_t min_operands, max_operands;
    size_t trace_operand; /* which operand with_trace reads */
    int (*run)(const struct invocation *call, struct loom_error *err);
};

extern const struct command *const commands[]; /* NULL-terminated */
const struct command *find_command(const char *name);
/* Find the command of two words, or NULL. */
const struct command *find_two_words(const char *first, const char *second);
/* Is it the first word of commands of two? */
bool is_first_word(const char *word);

/* ---- options (options.c) --------------------------------------------------------------------- */

/* Sort argv (without the program and command names) into options and operands. On success the
 * caller must call release_invocation. */
int parse_arguments(struct invocation *call, int argc, char **argv, struct loom_error *err);
void release_invocation(struct invocation *call);
/* Fail with "--NAME WHY" if one of these options is given; the list ends with NULL. */
int refuse_options(const struct invocation *call, const char *const *names, const char *why,
                   struct loom_error *err);

/* ---- errors (fields.c) ----------------------------------------------------------------------- */

/* Show the fields that an error of the library names as options of the command. */
void name_options(struct loom_error *err, const struct command *command);

/* Same for a message that was stored without its fields: those with a '_' in their name. */
void name_stored_options(char *message, size_t size, const struct command *command);

/* Warn of a load that was probably meant in percent; return whether it was. */
bool warn_load(double load);

/* Put more behind the sentence of an error, if there is room (shared.c). */
void advise(struct loom_error *err, const char *advice);

/* ---- what commands share (shared.c, outputs.c) ----------------------------------------------- */

extern const struct loom_param common_params[]; /* json, threads, quiet, help */
extern const struct loom_param input_params[];  /* map, from, columns, ... */
extern const struct loom_param output_params[]; /* to */

/* The option --seed, among the options of a command that draws numbers; `what` is its help. */
#define SEED_PARAM(what)                                                               \
    {                                                                                  \
        .name = "seed", .type = LOOM_PARAM_INT, .min = 0, .max = 0x1p53, .value = "1", \
        .metavar = "N", .help = what                                                   \
    }
/* The option --replication, beside --seed. */
#define REPLICATION_PARAM(what)                                                               \
    {                                                                                         \
        .name = "replication", .type = LOOM_PARAM_INT, .min = 0, .max = 0x1p53, .value = "0", \
        .metavar = "N", .help = what                                                          \
    }
/* The option --output of commands that make jobs. */
#define JOBS_OUTPUT_PARAM                                                                          \
    {                                                                                              \
        .name = "output", .letter = 'o', .type = LOOM_PARAM_TEXT, .value = "-", .metavar = "FILE", \
        .help = "write the jobs to FILE, format by suffix"                                         \
    }
/* The options --html, --figures and --format: what a page has, and what it stands in place of. */
extern const char *const image_formats[];
#define REPORT_PARAMS(page, table)                                                             \
    {.name = "html",                                                                           \
     .type = LOOM_PARAM_TEXT,                                                                  \
     .metavar = "FILE",                                                                        \
     .help = "write " page " with figures, in place of the " table},                           \
        {.name = "figures",                                                                    \
         .type = LOOM_PARAM_TEXT,                                                              \
         .metavar = "DIR",                                                                     \
         .help = "write figures, data (.csv) and scripts (.gp) to DIR"},                       \
    {                                                                                          \
        .name = "format", .type = LOOM_PARAM_CHOICE, .choices = image_formats, .value = "svg", \
        .metavar = "FORMAT", .help = "image format"                                            \
    }
/* The options --overrun and --compat, in the order of enum loom_overrun and enum loom_compat. */
#define OVERRUN_PARAM(what)                                                          \
    {                                                                                \
        .name = "overrun", .type = LOOM_PARAM_CHOICE, .choices = loom_overrun_rules, \
        .value = "raise", .metavar = "RULE", .help = what                            \
    }
#define COMPAT_PARAM(what)                                                         \
    {                                                                              \
        .name = "compat", .type = LOOM_PARAM_CHOICE, .choices = loom_compat_rules, \
        .value = "none", .metavar = "SIMULATOR", .help = what                      \
    }
uint64_t seed_of(const struct invocation *call);
/* Cut the next item off a list with commas, without the blanks around it; NULL at the end. */
char *next_item(char **rest);
int make_pool(struct loom_pool **out, const struct invocation *call, struct loom_error *err);
/* Read a trace as the input options say. */
int read_trace(struct loom_trace **out, const struct invocation *call, const char *path,
               struct loom_pool *pool, struct loom_error *err);
/* Read the trace operand, with a pool, and do the work of a command on it. */
typedef int trace_work(const struct invocation *call, struct loom_trace *trace,
                       struct loom_pool *pool, struct loom_error *err);
int with_trace(const struct invocation *call, trace_work *work, struct loom_error *err);
/* Drop the jobs that the selection options leave out; *dropped says how many. */
int apply_selection(struct loom_trace *trace, const struct invocation *call, int64_t *dropped,
                    struct loom_error *err);
/* Fail where there are no jobs, or the selection left none, to do something to: "to simulate". The
 * message has the options that selected.
 * Asked by commands that conclude something from a log; those that describe one or pass it on take
 * any. */
int need_jobs(const struct loom_trace *trace, const struct invocation *call, int64_t left_out,
              const char *purpose, struct loom_error *err);
/* Say so if the log is complete for a part of its time only, unless a window or times are given. */
int warn_incomplete(const struct loom_trace *trace, const struct invocation *call,
                    struct loom_error *err);
/* Both, and drop the jobs whose submit time is unknown, which *left_out does not count. Where a log
 * lacks what --select needs, the message names it. */
int take_selection(struct loom_trace *trace, const struct invocation *call, const char *purpose,
                   int64_t *left_out, struct loom_error *err);
/* Version, command line, the input and its hash (report may be NULL). The caller must free it; NULL
 * when memory is out. */
char *origin_text(const struct loom_read_report *report, const struct invocation *call);
/* Record in the header what made this trace: version, command line, the input and its hash. input
 * is NULL where there was none. */
int record_origin(struct loom_trace *trace, const struct loom_read_report *input,
                  const struct invocation *call, struct loom_error *err);
/* Note that users were resampled, and by which random numbers. */
int record_draw(struct loom_trace *trace, uint64_t seed, uint64_t replication,
                struct loom_error *err);
/* Set MaxRecords, where the header has it, to the number of jobs: for a part of a log. */
int update_records(struct loom_trace *trace, struct loom_error *err);
/* Hand on rc; an error that lies in the jobs of a trace, and has no place, gets its file. */
int name_trace(int rc, const struct loom_trace *trace, struct loom_error *err);
/* A usage error if both come from stdin; either may be NULL. */
int refuse_stdin_twice(const char *one, const char *other, struct loom_error *err);
/* A usage error if out names the same file as in. */
int refuse_same_file(const char *in, const char *out, struct loom_error *err);
/* Could write_trace write there? Asked before the work starts. */
int check_trace_output(const struct invocation *call, const char *path, struct loom_error *err);
/* Can what is written there say all that these jobs are? Asked before the work on them starts. */
int check_jobs_output(const struct loom_trace *trace, const struct invocation *call,
                      const char *path, struct loom_error *err);
/* It appears with keep_outputs, which comes after results on stdout: if either fails, there is
 * no file and an error, and never a result of a command that failed. */
int write_trace(const struct loom_trace *trace, const struct invocation *call, const char *path,
                struct loom_pool *pool, struct loom_error *err);
/* All files that were written appear under their names: to be done before saying so. What is left
 * when a command is through appears then. */
int keep_outputs(const struct invocation *call, struct loom_error *err);
/* End an output, which may be NULL after a failure, and destroy it. Without an error in rc it
 * appears: with the other files of a call, at once if call is NULL. Returns the first error. */
int end_output(struct loom_output *out, int rc, const struct invocation *call,
               struct loom_error *err);
/* A usage error if two options name the same file to write; either may be NULL. */
int refuse_same_output(const struct invocation *call, const char *option, const char *other,
                       struct loom_error *err);

/* Is --html or --figures given, and can what they name be written? Asked before the work starts. */
bool wants_report(const struct invocation *call);
int check_report_outputs(const struct invocation *call, struct loom_error *err);
struct loom_report;
/* Write the files of --figures, name the figures that were left out and why (those without data
 * unless --quiet, those that gnuplot failed on always), and destroy the report, which may be NULL
 * after a failure. Given an error in rc, only destroys it. Returns the first error. */
int end_report(struct loom_report *report, int rc, const struct invocation *call,
               struct loom_error *err);

struct json_t;
/* Text of any origin as JSON: bytes that are no UTF-8 are shown as '?'. */
struct json_t *text_json(const char *text);
/* Put all fields of an object into another, taking it over; not 0 if there is none or memory ran
 * out. */
int merge_json(struct json_t *into, struct json_t *from);
/* A document that starts with what every JSON output says: version and command line. */
struct json_t *new_document(const struct invocation *call);
/* Write a document to stdout; takes it over. NULL stands for "memory ran out while making it". */
int print_document(struct json_t *document, struct loom_error *err);
/* Write such a document with these fields behind, which are taken over: NULL, or `failed`, if
 * memory ran out while making them. */
int print_fields(const struct invocation *call, struct json_t *fields, bool failed,
                 struct loom_error *err);
/* "1,234 jobs" or "1 job". Returns buf. */
enum { JOBS_SIZE = 64 };
const char *jobs_text(int64_t jobs, char *buf, size_t size);
/* Messages quote file names and contents: keep a text to one line of printable characters. */
void one_line(char *text);
/* A message for people on stderr, one line, unless --quiet. */
void say(const struct invocation *call, const char *format, ...) LOOM_PRINTF(2, 3);
/* The same with --quiet too: of an output that is not all that was asked for. */
void warn(const char *format, ...) LOOM_PRINTF(1, 2);

/* Map each block of memory of at least so many bytes on its own from here on: it grows without a
 * copy, and goes back to the system when it is freed. */
void map_large_blocks(int bytes);

enum { CAUTION_SIZE = 400 };
/* Write how far a replay of a log with waits is from it under the nearest of the policies, as a
 * sentence; "" if it cannot be found out. Fails with LOOM_ENOMEM. */
int replay_caution(char *buf, size_t size, const struct loom_replay_options *options,
                   struct loom_error *err);

/* Say a sentence, if it is not "", as a message: with a small letter and no full stop. call is the
 * invocation. */
void say_sentence(void *call, const char *sentence);

/* ---- tables (tables.c) ----------------------------------------------------------------------- */

extern const struct loom_param table_params[]; /* wide */

/* Return the line width: COLUMNS, else the terminal's, else 100. */
size_t terminal_width(void);
/* Create a table as wide as the terminal, with all columns if --wide is given. */
int new_table(struct loom_table **out, const struct invocation *call, struct loom_error *err);
/* A column with its priority (loom_table_priority). */
struct table_column {
    const char *title;
    enum loom_align align;
    int priority;
};
int add_columns(struct loom_table *table, const struct table_column *columns, size_t n,
                struct loom_error *err);
/* Add a cell in human units; "-" for NAN. */
int count_cell(struct loom_table *table, int64_t count, struct loom_error *err);
int number_cell(struct loom_table *table, double number, struct loom_error *err);
int seconds_cell(struct loom_table *table, double seconds, struct loom_error *err);
int share_cell(struct loom_table *table, double share, struct loom_error *err);
/* Format a value of a job column, whose name ends in its unit (run_s, used_mem_kib). Returns buf.
 */
const char *column_text(const char *name, double value, char *buf, size_t size);
/* Format a value of a feature: "3.1 days" of seconds, "81 %" of a share, else a number. Returns
 * buf.
 */
const char *feature_text(const struct loom_feature_info *info, double value, char *buf,
                         size_t size);
/* Write a table to stdout and destroy it. */
int print_table(struct loom_table *table, struct loom_error *err);
/* The same below another one, after an empty line. */
int print_next_table(struct loom_table *table, struct loom_error *err);

/* ---- parameters of plug-ins (parameters.c) --------------------------------------------------- */

extern const struct loom_param plugin_params[]; /* param */
/* A model by name, with what is behind its colon and each --param. The caller must destroy *params,
 * also after a failure. */
int take_model(const struct loom_model_info **info, struct loom_params **params, const char *text,
               const struct invocation *call, struct loom_error *err);
/* A name with each --param behind its colon; NULL if memory runs out. The caller must free it. */
char *with_params(const char *name, const struct invocation *call);
/* Is it the name of a model, whatever is behind its colon? */
bool names_model(const char *text);
/* Is it the file of a model, and not the name of one? */
bool is_model_file(const char *text);
/* Load such a file. Parameters are not for what is fitted, and refused. */
int load_model_file(struct loom_model **out, const char *text, const struct invocation *call,
                    const char *const *settings, size_t n_settings, struct loom_error *err);

/* What help has on a model, a scheduler, ... */
struct plugin {
    const char *name, *kind, *summary, *source;
    char more[400]; /* more sentences, or "" */
    const struct loom_param *params;
    const char *given; /* how these are given; NULL: by --param */
};
/* A page of help, which is also a manual page in section 7: text, and plug-ins of a kind. */
struct topic {
    const char *name, *summary, *about;
    /* NULL: text alone */
    bool (*at)(struct plugin *out, const struct invocation *call, size_t index);
    const char *const *page; /* more text (pages.c), or NULL */
};
extern const struct topic topics[]; /* ends with a NULL name */
const struct topic *find_topic(const char *name);
/* Look a name up in all topics, after so many of the same name: a model and a predictor may share
 * one. */
bool find_namesake(struct plugin *out, const struct invocation *call, const char *name,
                   size_t before);
/* Look a name up in all topics. */
bool find_plugin(struct plugin *out, const struct invocation *call, const char *name);

/* ---- shared objects (plugins.c) -------------------------------------------------------------- */

/* The option --plugin of commands that take or show schedulers. */
#define PLUGIN_PARAM                                                                       \
    {                                                                                      \
        .name = "plugin", .type = LOOM_PARAM_TEXT, .repeated = true, .metavar = "FILE.so", \
        .help = "load policies from a shared object"                                       \
    }

/* ---- models (model_rate.c) ------------------------------------------------------------------- */

struct loom_model;
/* Say so where n jobs, those of a trace that a model is of, are few, or the trace is short. */
void say_short(const struct invocation *call, int64_t n, const struct loom_trace *trace);
/* Say so where a fitted model makes jobs at a rate that is not its log's, and what to do about it
 * if that is not said elsewhere. */
void say_rate(const struct invocation *call, const struct loom_model *model, bool advise);
/* Say so where a fit that was to keep its log's means could not. */
void say_means(const struct invocation *call, const struct loom_model *model);
/* And its log's bags. */
void say_bags(const struct invocation *call, const struct loom_model *model);
/* Mean times between jobs, of "log" and of "model", null where not known. */
struct json_t *rate_json(const struct loom_model *model);
struct json_t *means_json(const struct loom_model *model);
struct json_t *bags_json(const struct loom_model *model);

/* ---- loads of models (model_load.c) ---------------------------------------------------------- */

/* Return the processors of a log's machine: its header's, else the most in use at once. */
int64_t machine_procs(const struct loom_trace *trace);
/* Return the offered load of a trace; NAN if unknown. */
double offered_load(const struct loom_trace *trace);

#define LOAD_PARAM(sentence)                                                          \
    {                                                                                 \
        .name = "load", .type = LOOM_PARAM_TEXT, .metavar = "L|log", .help = sentence \
    }
/* The load that is asked for, 0 if none is; log_load is what the word log stands for, and NAN where
 * that is not known. */
int take_load(double *out, const struct invocation *call, double log_load, struct loom_error *err);
/* Print a note and return true if the load of a trace, of enough jobs, is far from the log's. */
bool say_load_missed(const struct invocation *call, const struct loom_model *model, double load,
                     const struct loom_trace *trace);
/* The end of a sentence: how to have the load of the log, as far as that can be; "" if not. */
const char *load_advice(const struct loom_model *model);
/* Say so where what was asked for makes the load of a trace another than the model's own. */
void say_load_moved(const struct invocation *call, const struct loom_model *model,
                    const struct loom_trace *trace, unsigned without);

/* ---- requested times (estimates.c) ----------------------------------------------------------- */

/* The option --estimates of a command that reads a trace, beside --seed and --replication. */
#define ESTIMATES_PARAM                                                                       \
    {                                                                                         \
        .name = "estimates", .type = LOOM_PARAM_TEXT, .value = "requested", .metavar = "HOW", \
        .help = "requested times: requested, exact, f:FACTOR, uniform:FACTOR or modal"        \
    }
/* What --estimates, --seed and --replication ask for. */
int take_request_change(struct loom_request_change *out, const struct invocation *call,
                        struct loom_error *err);
/* Say how many jobs were changed; nothing for "requested". */
void say_request_change(const struct invocation *call, const struct loom_request_change *change,
                        const struct loom_trace *trace);
/* An object with estimates, changed, and seed and replication, null where nothing was drawn. */
struct json_t *request_change_json(const struct loom_request_change *change);

/* ---- help (help.c) --------------------------------------------------------------------------- */

enum { LABEL_SIZE = 96, HELP_SIZE = 640 };

/* "-q, --quiet" or "--from FORMAT"; "quiet" or "from=FORMAT" for a plug-in. Both return label. */
const char *option_label(const struct loom_param *param, char *label, size_t size);
const char *setting_label(const struct loom_param *param, char *label, size_t size);
/* The help sentence with what the declaration adds: choices, default, whether it repeats. */
const char *option_help(const struct loom_param *param, char *text, size_t size);

/* Return the heading of a list of a command's options, without its mark; NULL: none. */
const char *option_heading(const struct command *command, size_t list);

/* "Text." of "text". Returns buf. */
const char *as_sentence(const char *text, char *buf, size_t size);

int print_overview(struct loom_output *out, struct loom_error *err);

/* Print the commands of two words that start with `first`, each with its summary. */
int print_family_help(const char *first, struct loom_output *out, struct loom_error *err);
/* Print the help of a command; all unfolds every group of options. */
int print_command_help(const struct command *command, bool all, struct loom_output *out,
                       struct loom_error *err);
int print_plugin_help(const struct plugin *plugin, struct loom_output *out, struct loom_error *err);
int print_topic_help(const struct topic *topic, const struct invocation *call,
                     struct loom_output *out, struct loom_error *err);

/* ---- lists (cmd_list.c) ---------------------------------------------------------------------- */

/* The list of that name, or that has something of it, for 'workloom list'; NULL if none has. */
const char *find_listed(const struct invocation *call, const char *word);

/* The name of a list that 'workloom list' has; NULL past the last. */
const char *listed_at(size_t index);

/* ---- completion (completion.c) --------------------------------------------------------------- */

/* Print the completion script for bash. */
int print_completion(struct loom_output *out, struct loom_error *err);

/* ---- manual pages (manual.c) ----------------------------------------------------------------- */

/* As mdoc; NULL for the page of workloom itself. */
int print_manual(const struct command *command, struct loom_output *out, struct loom_error *err);
int print_topic_manual(const struct topic *topic, const struct invocation *call,
                       struct loom_output *out, struct loom_error *err);

#endif
