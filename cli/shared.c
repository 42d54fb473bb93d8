/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands share: common options, reading and writing traces, JSON on stdout. */
#include "command.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <malloc.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct loom_param common_params[] = {
    {.name = "json", .type = LOOM_PARAM_FLAG, .help = "print one JSON document"},
    {.name = "threads",
     .type = LOOM_PARAM_INT,
     .min = 0,
     .max = LOOM_MAX_THREADS,
     .value = "0",
     .metavar = "N",
     .help = "number of threads; 0: one per processor"},
    {.name = "quiet",
     .letter = 'q',
     .type = LOOM_PARAM_FLAG,
     .help = "no messages and no progress"},
    {.name = "help", .letter = 'h', .type = LOOM_PARAM_FLAG, .help = "show this help"},
    {.name = NULL},
};

/* "map" stands first: a command with a map of its own passes input_params + 1. */
const struct loom_param input_params[] = {
    {.name = "map",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FILE",
     .help = "what the columns of a CSV file mean: units, zone, states"},
    {.name = "from",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FORMAT",
     .help = "input format, if suffix and content are not clear"},
    {.name = "columns",
     .type = LOOM_PARAM_TEXT,
     .metavar = "NAMES",
     .help = "column names for sacct or CSV without a header line"},
    {.name = "max-bytes",
     .type = LOOM_PARAM_BYTES,
     .min = 1,
     .max = 0x1p62,
     .value = "4G",
     .metavar = "BYTES",
     .help = "largest input when unpacked, as 500M"},
    {.name = "max-procs",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 0x1p31 - 1,
     .metavar = "N",
     .help = "processors of the machine, in place of the header's"},
    {.name = "skip-bad-lines",
     .type = LOOM_PARAM_FLAG,
     .help = "skip lines that cannot be read, and count them"},
    {.name = NULL},
};

const struct loom_param output_params[] = {
    {.name = "to",
     .type = LOOM_PARAM_TEXT,
     .metavar = "FORMAT",
     .help = "output format, if the suffix is not clear"},
    {.name = NULL},
};

const char *const image_formats[] = {"svg", "pdf", "png", NULL};
uint64_t seed_of(const struct invocation *call)
{
    return (uint64_t)loom_params_int(call->params, "seed");
}

char *next_item(char **rest)
{
    char *item = strsep(rest, ",");
    if (!item)
        return NULL;
    item += strspn(item, " \t");
    size_t length = strlen(item);
    while (length > 0 && strchr(" \t", item[length - 1]))
        item[--length] = '\0';
    return item;
}

int make_pool(struct loom_pool **out, const struct invocation *call, struct loom_error *err)
{
    int64_t threads = loom_params_int(call->params, "threads");
    *out = NULL; /* one thread is the caller's */
    return threads == 1 ? 0 : loom_pool_create(out, (unsigned)threads, err);
}

int name_trace(int rc, const struct loom_trace *trace, struct loom_error *err)
{
    if (rc == LOOM_EDATA && !*err->file)
        snprintf(err->file, sizeof err->file, "%s", loom_trace_report(trace)->file);
    return rc;
}

static void say_skipped(const struct invocation *call, const struct loom_read_report *report)
{
    char first[LOOM_ERROR_TEXT];
    say(call, "skipped %" PRId64 " bad %s, %s%s", report->bad_lines,
        report->bad_lines == 1 ? "line" : "lines", report->bad_lines == 1 ? "" : "the first ",
        loom_error_text(&report->first_bad, first, sizeof first));
}

bool warn_load(double load)
{
    static const double PERCENT = 10;
    if (load >= PERCENT)
        warn("a load of %g is %g times what the machine can do; for %g %% give %g", load, load,
             load, load / 100);
    return load >= PERCENT;
}

void advise(struct loom_error *err, const char *advice)
{
    size_t used = strlen(err->message);
    snprintf(err->message + used, sizeof err->message - used, "%s", advice);
}

/* Return the bytes of text in a file, or 0 if they are unknown until it is read. */
static uint64_t plain_size(const char *path)
{
    struct stat info;
    if (loom_packed_suffix(path) > 0 || stat(path, &info) != 0 || !S_ISREG(info.st_mode))
        return 0;
    return (uint64_t)info.st_size;
}

int read_trace(struct loom_trace **out, const struct invocation *call, const char *path,
               struct loom_pool *pool, struct loom_error *err)
{
    struct loom_read_options options = {
        .format = loom_params_text(call->params, "from"),
        .columns = loom_params_text(call->params, "columns"),
        .map = loom_params_find(call->params, "map") == input_params
                   ? loom_params_text(call->params, "map")
                   : NULL,
        .max_bytes = (uint64_t)loom_params_int(call->params, "max-bytes"),
        .skip_bad_lines = loom_params_flag(call->params, "skip-bad-lines"),
        .pool = pool,
        .progress = loom_progress_create("reading", "B", plain_size(path),
                                         loom_params_flag(call->params, "quiet")),
    };
    int rc = loom_trace_read(out, path, &options, err);
    loom_progress_destroy(options.progress);
    if (rc && err->skippable)
        advise(err, "; mend it, or use --skip-bad-lines");
    if (rc == LOOM_EIO && access(path, F_OK) != 0 && names_model(path))
        advise(err, "; that is a model, and 'workloom generate' makes a trace of one");
    if (!rc && loom_params_given(call->params, "max-procs")) {
        char procs[24];
        snprintf(procs, sizeof procs, "%" PRId64, loom_params_int(call->params, "max-procs"));
        rc = loom_trace_set_directive(*out, "MaxProcs", procs, err);
    }
    if (!rc && loom_trace_report(*out)->bad_lines > 0)
        say_skipped(call, loom_trace_report(*out));
    return rc;
}

int with_trace(const struct invocation *call, trace_work *work, struct loom_error *err)
{
    struct loom_pool *pool = NULL;
    struct loom_trace *trace = NULL;
    int rc = make_pool(&pool, call, err);
    if (!rc)
        rc = read_trace(&trace, call, call->operands[call->command->trace_operand], pool, err);
    if (!rc)
        rc = work(call, trace, pool, err);
    loom_trace_destroy(trace);
    loom_pool_destroy(pool);
    return rc;
}

int apply_selection(struct loom_trace *trace, const struct invocation *call, int64_t *dropped,
                    struct loom_error *err)
{
    size_t before = loom_trace_count(trace);
    *dropped = 0;
    if (loom_selects_all(call->params))
        return 0;
    uint8_t *keep = malloc(before ? before : 1);
    if (!keep)
        return loom_fail_memory(err);
    int rc = loom_select(keep, trace, call->params, err);
    if (!rc) {
        loom_trace_keep(trace, keep);
        *dropped = (int64_t)(before - loom_trace_count(trace));
    }
    free(keep);
    return rc;
}

/* The options that select, as they were given: "--users 7 --first 10". A command's own --procs is
 * the machine's. Returns buf. */
static const char *selection_text(const struct loom_params *params, char *buf, size_t size)
{
    size_t used = 0;
    buf[0] = '\0';
    for (const struct loom_param *param = loom_select_params; param->name; param++) {
        const struct loom_param *known = loom_params_find(params, param->name);
        bool machine = strcmp(param->name, "procs") == 0 && known != param;
        if (!known || machine)
            continue;
        bool which = strcmp(param->name, "select") == 0; /* has a value that was not given */
        if (which ? strcmp(loom_params_text(params, "select"), "all") == 0
                  : !loom_params_given(params, param->name))
            continue;
        for (size_t i = 0; i < loom_params_count(params, param->name) && used < size; i++)
            used += (size_t)snprintf(buf + used, size - used, "%s--%s %s", used ? " " : "",
                                     param->name, loom_params_item(params, param->name, i));
    }
    return buf;
}

int need_jobs(const struct loom_trace *trace, const struct invocation *call, int64_t left_out,
              const char *purpose, struct loom_error *err)
{
    const char *file = loom_trace_report(trace)->file;
    char selection[200];
    if (loom_trace_count(trace) > 0)
        return 0;
    if (left_out == 0)
        return loom_fail_at(err, LOOM_EDATA, file, 0, 0, "there are no jobs %s", purpose);
    return loom_fail_at(err, LOOM_EDATA, file, 0, 0,
                        "there are no jobs %s: the selection, %s, leaves out all %" PRId64, purpose,
                        selection_text(call->params, selection, sizeof selection), left_out);
}

/* What a selection by --select asks of a job and none of the log's has, with what to do; NULL if it
 * is not that. */
static const char *what_lacks(const struct loom_trace *trace, const struct loom_params *params)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    bool run = false, given = false, asked = false, completed = false;
    for (size_t i = 0; i < jobs->n; i++) {
        run = run || jobs->run_s[i] >= 0;
        given = given || jobs->alloc_procs[i] > 0;
        asked = asked || jobs->req_procs[i] > 0;
        completed = completed || jobs->status[i] == LOOM_STATUS_COMPLETED;
    }
    const char *select = loom_params_text(params, "select");
    if (strcmp(select, "completed") == 0 && !completed)
        return "no job of this log is marked as completed; take those that ran, by --select ran";
    if (strcmp(select, "ran") != 0)
        return NULL;
    if (!run)
        return "no job has a runtime, so none is known to have run; "
               "--select all takes them as they are, for what goes by arrivals alone";
    if (!given && asked)
        return "no job has allocated processors, so none is known "
               "to have run; --select all takes the processors that were asked for";
    return given ? NULL
                 : "no job has processors, so none is known to have run; "
                   "--select all takes them as they are";
}

/* Drop the jobs whose submit time is unknown, and say how many they are. */
static int drop_unsubmitted(struct loom_trace *trace, const struct invocation *call,
                            const char *purpose, struct loom_error *err)
{
    size_t n = loom_trace_count(trace), unsubmitted = loom_trace_unsubmitted(trace);
    if (unsubmitted == 0)
        return 0;
    if (unsubmitted == n)
        return loom_fail_at(err, LOOM_EDATA, loom_trace_report(trace)->file, 0, 0,
                            "there are no jobs %s: no job has a submit time", purpose);
    uint8_t *keep = malloc(n);
    if (!keep)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        keep[i] = loom_trace_jobs(trace)->submit_s[i] != -1;
    loom_trace_keep(trace, keep);
    free(keep);
    char count[LOOM_HUMAN];
    say(call, "left out %s %s without a submit time",
        loom_human_count((int64_t)unsubmitted, count, sizeof count),
        unsubmitted == 1 ? "job" : "jobs");
    return 0;
}

int warn_incomplete(const struct loom_trace *trace, const struct invocation *call,
                    struct loom_error *err)
{
    struct loom_trace_window window;
    char length[LOOM_HUMAN], jobs[JOBS_SIZE];
    if (loom_params_given(call->params, "window") || loom_params_given(call->params, "from-time") ||
        loom_params_given(call->params, "to-time") || loom_params_flag(call->params, "quiet"))
        return 0;
    int rc = loom_trace_window_complete(&window, trace, err);
    if (rc || !loom_trace_window_matters(&window, trace))
        return rc;
    loom_human_seconds((double)window.to_s - (double)window.from_s, length, sizeof length);
    say(call,
        "the log seems complete for %s only (%s before, %" PRId64
        " after): --window complete keeps to that",
        length, jobs_text(window.before, jobs, sizeof jobs), window.after);
    return 0;
}

int take_selection(struct loom_trace *trace, const struct invocation *call, const char *purpose,
                   int64_t *left_out, struct loom_error *err)
{
    const char *lacking = what_lacks(trace, call->params);
    bool any = loom_trace_count(trace) > 0;
    int rc = warn_incomplete(trace, call, err);
    if (!rc)
        rc = apply_selection(trace, call, left_out, err);
    if (!rc && any && lacking && loom_trace_count(trace) == 0)
        return loom_fail_at(err, LOOM_EDATA, loom_trace_report(trace)->file, 0, 0,
                            "there are no jobs %s: %s", purpose, lacking);
    if (!rc)
        rc = need_jobs(trace, call, *left_out, purpose, err);
    return rc ? rc : drop_unsubmitted(trace, call, purpose, err);
}

int update_records(struct loom_trace *trace, struct loom_error *err)
{
    char number[24];
    if (loom_trace_machine(trace)->max_records < 0)
        return 0;
    snprintf(number, sizeof number, "%zu", loom_trace_count(trace));
    return loom_trace_set_directive(trace, "MaxRecords", number, err);
}

char *origin_text(const struct loom_read_report *report, const struct invocation *call)
{
    char *text;
    int length = report ? asprintf(&text, "workloom %s: %s (input %s, xxh3 %016" PRIx64 ")",
                                   loom_version(), call->origin, report->file, report->hash)
                        : asprintf(&text, "workloom %s: %s", loom_version(), call->origin);
    return length < 0 ? NULL : text;
}

int record_origin(struct loom_trace *trace, const struct loom_read_report *report,
                  const struct invocation *call, struct loom_error *err)
{
    char *text = origin_text(report, call);
    int rc =
        text ? loom_trace_add_directive(trace, "Conversion", text, err) : loom_fail_memory(err);
    free(text);
    return rc;
}

int record_draw(struct loom_trace *trace, uint64_t seed, uint64_t replication,
                struct loom_error *err)
{
    char text[200];
    snprintf(text, sizeof text,
             "resampled by users, whom notes name ORIGINAL#COPY; seed %" PRIu64
             ", replication %" PRIu64,
             seed, replication);
    return loom_trace_add_directive(trace, "Note", text, err);
}

/* Return the options of writing a trace. *application is filled in, and must outlive them. */
static struct loom_write_options write_options(const struct invocation *call,
                                               struct loom_application *application)
{
    struct loom_write_options options = {.format = loom_params_text(call->params, "to")};
    if (loom_params_find(call->params, "structure") &&
        loom_application_take(application, call->params))
        options.application = application;
    return options;
}

/* Refuse options that describe the --structure when it is not asked for. */
static int check_structure(const struct loom_params *params, struct loom_error *err)
{
    const struct loom_param *structure = loom_application_params;
    if (!loom_params_find(params, structure->name) || loom_params_flag(params, structure->name))
        return 0;
    for (const struct loom_param *detail = structure + 1; detail->name; detail++)
        if (loom_params_given(params, detail->name))
            return loom_fail(err, LOOM_EUSAGE, "--%s is for --%s", detail->name, structure->name);
    return 0;
}

int check_trace_output(const struct invocation *call, const char *path, struct loom_error *err)
{
    struct loom_application application;
    struct loom_write_options options = write_options(call, &application);
    int rc = check_structure(call->params, err);
    return rc ? rc : loom_trace_writable(path, &options, err);
}

int check_jobs_output(const struct loom_trace *trace, const struct invocation *call,
                      const char *path, struct loom_error *err)
{
    struct loom_application application;
    struct loom_write_options options = write_options(call, &application);
    return name_trace(loom_trace_holdable(trace, path, &options, err), trace, err);
}

int write_trace(const struct loom_trace *trace, const struct invocation *call, const char *path,
                struct loom_pool *pool, struct loom_error *err)
{
    struct loom_application application;
    struct loom_write_options options = write_options(call, &application);
    options.pool = pool;
    return loom_trace_write_set(trace, path, &options, call->outputs, err);
}

/* ---- results on stdout ----------------------------------------------------------------------- */

struct json_t *text_json(const char *text)
{
    return loom_json_text(text);
}

int merge_json(struct json_t *into, struct json_t *from)
{
    return loom_json_merge(into, from);
}

struct json_t *new_document(const struct invocation *call)
{
    return json_pack("{s:s, s:o}", "workloom", loom_version(), "command", text_json(call->line));
}

int print_document(struct json_t *document, struct loom_error *err)
{
    struct loom_output *out = NULL;
    if (!document)
        return loom_fail_memory(err);
    int rc = loom_output_create(&out, "-", err);
    if (!rc)
        rc = loom_json_write(document, out, err);
    json_decref(document);
    return end_output(out, rc, NULL, err);
}

int print_fields(const struct invocation *call, struct json_t *fields, bool failed,
                 struct loom_error *err)
{
    json_t *document = new_document(call);
    if (merge_json(document, fields) || failed) {
        json_decref(document);
        document = NULL;
    }
    return print_document(document, err);
}

const char *jobs_text(int64_t jobs, char *buf, size_t size)
{
    char count[LOOM_HUMAN];
    snprintf(buf, size, "%s %s", loom_human_count(jobs, count, sizeof count),
             jobs == 1 ? "job" : "jobs");
    return buf;
}

void one_line(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 127)
            *text = '?';
}

static void print_message(const char *format, va_list args) LOOM_PRINTF(1, 0);

static void print_message(const char *format, va_list args)
{
    char text[2048];
    vsnprintf(text, sizeof text, format, args);
    one_line(text);
    fprintf(stderr, "workloom: %s\n", text);
}

void say(const struct invocation *call, const char *format, ...)
{
    if (loom_params_flag(call->params, "quiet"))
        return;
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
}

void warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    print_message(format, args);
    va_end(args);
}

/* glibc raises its threshold with each such block that is freed, unless it is set. */
void map_large_blocks(int bytes)
{
    (void)mallopt(M_MMAP_THRESHOLD, bytes);
}

void say_sentence(void *call, const char *sentence)
{
    size_t length = strlen(sentence);
    if (length == 0)
        return;
    length -= sentence[length - 1] == '.';
    say(call, "%c%.*s", tolower((unsigned char)sentence[0]), (int)length - 1, sentence + 1);
}

int replay_caution(char *buf, size_t size, const struct loom_replay_options *options,
                   struct loom_error *err)
{
    struct loom_replay_errors errors;
    struct loom_error reason;
    size_t nearest;
    snprintf(buf, size, "%s", loom_replay_resampled(options->trace));
    if (*buf)
        return 0;
    int rc = loom_replay_measure(&errors, &nearest, options, &reason);
    if (rc == LOOM_ENOMEM)
        return loom_fail_memory(err);
    if (!rc)
        loom_replay_caution(&errors, options->policies[nearest], options->n_policies, buf, size);
    return 0;
}
