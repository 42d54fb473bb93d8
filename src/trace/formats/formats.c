/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of formats, and how one is found for a file: the name the caller gave, else the content
 * where it is unmistakable, else the suffix, else the best guess from the content.
 */
#include "base/error.h"
#include "base/output.h"
#include "base/output_set.h"
#include "base/words.h"
#include "trace/formats/format.h"
#include "trace/tool.h"
#include "trace/unpack.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* All formats. A new one is one more line here. */
#define FORMATS(X) \
    X(swf)         \
    X(sacct)       \
    X(gwf)         \
    X(csv)         \
    X(batsim)

#define X(name) extern const struct loom_format_ops loom_format_##name;
FORMATS(X)
#undef X

const struct loom_format_ops *const loom_formats[] = {
#define X(name) &loom_format_##name,
    FORMATS(X)
#undef X
        NULL,
};

enum { N_FORMATS = sizeof loom_formats / sizeof *loom_formats - 1, SURE = 80, LIKELY = 20 };

const struct loom_format_info *loom_format_at(size_t index)
{
    return index < N_FORMATS ? &loom_formats[index]->info : NULL;
}

/* ---- finding a format ------------------------------------------------------------------------ */

static int find_by_name(const struct loom_format_ops **out, const char *name,
                        struct loom_error *err)
{
    const char *names[N_FORMATS + 1] = {0};
    for (size_t i = 0; i < N_FORMATS; i++) {
        names[i] = loom_formats[i]->info.name;
        if (strcmp(names[i], name) == 0) {
            *out = loom_formats[i];
            return 0;
        }
    }
    return loom_fail_unknown(err, "format", name, names, "see 'workloom list formats'");
}

static bool has_word(const char *list, const char *word, size_t length)
{
    for (const char *at = list; *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == length && strncasecmp(at, word, length) == 0)
            return true;
    return false;
}

/* The suffix of a path, without a final one of a packed file. */
static const char *suffix_of(const char *path, size_t *length)
{
    const char *base = strrchr(path, '/');
    base = base ? base + 1 : path;
    size_t end = strlen(base) - loom_packed_suffix(base);
    size_t start = end;
    while (start > 0 && base[start - 1] != '.')
        start--;
    *length = start > 0 ? end - start : 0;
    return base + start;
}

static const struct loom_format_ops *find_by_suffix(const char *path)
{
    size_t length;
    const char *suffix = suffix_of(path, &length);
    for (size_t i = 0; i < N_FORMATS && length > 0; i++)
        if (has_word(loom_formats[i]->info.suffixes, suffix, length))
            return loom_formats[i];
    return NULL;
}

static const struct loom_format_ops *find_by_content(const char *head, size_t size, int *sure)
{
    const struct loom_format_ops *best = NULL;
    *sure = 0;
    for (size_t i = 0; i < N_FORMATS; i++) {
        int confidence = loom_formats[i]->probe ? loom_formats[i]->probe(head, size) : 0;
        if (confidence > *sure) {
            *sure = confidence;
            best = loom_formats[i];
        }
    }
    return best;
}

/* Where the content looks like what the suffix says, no other format need be tried. */
static int choose_for_reading(const struct loom_format_ops **out, const char *name,
                              const char *path, const struct loom_input *input,
                              struct loom_error *err)
{
    if (name)
        return find_by_name(out, name, err);
    int sure;
    const char *head;
    size_t size;
    const struct loom_format_ops *by_suffix = find_by_suffix(path);
    loom_input_head(input, &head, &size);
    if (by_suffix && by_suffix->probe && by_suffix->probe(head, size) >= LIKELY) {
        *out = by_suffix;
        return 0;
    }
    const struct loom_format_ops *by_content = find_by_content(head, size, &sure);
    if (sure >= SURE || (!by_suffix && sure >= LIKELY))
        *out = by_content;
    else
        *out = by_suffix;
    if (*out)
        return 0;
    if (size == 0)
        return loom_fail_at(err, LOOM_EFORMAT, loom_input_name(input), 0, 0, "the file is empty");
    int rc = loom_fail_at(err, LOOM_EFORMAT, loom_input_name(input), 0, 0,
                          "unknown format of this file; see 'workloom list formats' and name it");
    return loom_blame(rc, "read.format", err);
}

/* ---- reading --------------------------------------------------------------------------------- */

static int read_input(struct loom_trace *trace, struct loom_input *input, const char *path,
                      const struct loom_read_options *options, struct loom_error *err)
{
    const struct loom_format_ops *format = NULL;
    const char *name = loom_input_name(input);
    const char *wanted = options->format ? options->format : options->map ? "csv" : NULL;
    int rc = choose_for_reading(&format, wanted, path, input, err);
    if (!rc && options->map && format != &loom_format_csv)
        rc = loom_fail_field(err, LOOM_EUSAGE, "map", "map is for CSV files, not for %s",
                             format->info.name);
    if (!rc && options->map && options->columns)
        rc = loom_fail_field(err, LOOM_EUSAGE, "map columns",
                             "map names the columns itself: leave out columns");
    if (rc)
        return rc;
    struct loom_reader reader = {.trace = trace, .input = input, .options = options};
    rc = format->read(&reader, err);
    if (!rc)
        rc = loom_trace_declare_names(trace, err);
    if (rc)
        return rc;
    const char *file = loom_arena_text(&trace->arena, name, strlen(name));
    if (!file)
        return loom_fail_memory(err);
    trace->report.file = file;
    trace->report.format = format->info.name;
    trace->report.bytes = loom_input_bytes(input);
    trace->report.hash = loom_input_hash(input);
    return 0;
}

int loom_trace_read(struct loom_trace **out, const char *path,
                    const struct loom_read_options *options, struct loom_error *err)
{
    static const struct loom_read_options defaults = {0};
    if (!options)
        options = &defaults;
    struct loom_input *input = NULL;
    struct loom_trace *trace = NULL;
    int rc = loom_input_open(&input, path, options->max_bytes, err);
    if (!rc)
        rc = loom_trace_create(&trace, err);
    if (!rc)
        rc = read_input(trace, input, path, options, err);
    loom_input_close(input);
    if (rc) {
        loom_trace_destroy(trace);
        return rc;
    }
    *out = trace;
    return 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Stdout, pipes and devices have no suffix to go by; a directory fails when it is
 * opened. */
static bool has_no_suffix(const char *path)
{
    struct stat info;
    return !*path || strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

static int unknown_suffix(const char *path, struct loom_error *err)
{
    char known[200] = "";
    size_t used = 0;
    for (size_t i = 0; i < N_FORMATS; i++) {
        if (!loom_formats[i]->write)
            continue;
        for (const char *at = loom_formats[i]->info.suffixes; *at && used < sizeof known;) {
            int length = (int)strcspn(at, " ");
            used += (size_t)snprintf(known + used, sizeof known - used, "%s.%.*s", used ? ", " : "",
                                     length, at);
            at += length;
            at += strspn(at, " ");
        }
    }
    int rc = loom_fail_at(err, LOOM_EUSAGE, path, 0, 0,
                          "the suffix names no format to write; end the name in one of %s, with "
                          ".gz behind to pack it, or name the format",
                          known);
    return loom_blame(rc, "write.format", err);
}

static int choose_for_writing(const struct loom_format_ops **out, const char *name,
                              const char *path, struct loom_error *err)
{
    if (name) {
        int rc = find_by_name(out, name, err);
        if (rc)
            return rc;
    } else {
        *out = has_no_suffix(path) ? &loom_format_swf : find_by_suffix(path);
        if (!*out)
            return unknown_suffix(path, err);
    }
    if (!(*out)->write)
        return loom_fail(err, LOOM_EUSAGE, "format '%s' can be read but not written",
                         (*out)->info.name);
    return 0;
}

static bool ends_in_gz(const char *path)
{
    size_t length = strlen(path);
    return length > 3 && strcasecmp(path + length - 3, ".gz") == 0;
}

static const struct loom_write_options plain = {0};

static int find_writer(const struct loom_format_ops **out, const char *path,
                       const struct loom_write_options *options, struct loom_error *err)
{
    if (!path)
        return loom_fail(err, LOOM_EUSAGE, "the trace to write has no file name; '-' is stdout");
    int rc = choose_for_writing(out, options->format, path, err);
    if (!rc && loom_packed_suffix(path) > 0 && !ends_in_gz(path))
        rc = loom_fail(err, LOOM_EUSAGE,
                       "%s: of packed files only gzip can be written; end the name in .gz", path);
    if (!rc && options->application && !(*out)->info.applications)
        rc = loom_fail(err, LOOM_EUSAGE, "%s cannot hold the structure of jobs; write it as Batsim",
                       (*out)->info.name);
    return rc;
}

int loom_trace_writable(const char *path, const struct loom_write_options *options,
                        struct loom_error *err)
{
    const struct loom_format_ops *format = NULL;
    int rc = find_writer(&format, path, options ? options : &plain, err);
    return rc ? rc : loom_output_check(path, err);
}

int loom_trace_holdable(const struct loom_trace *trace, const char *path,
                        const struct loom_write_options *options, struct loom_error *err)
{
    const struct loom_format_ops *format = NULL;
    int rc = find_writer(&format, path, options ? options : &plain, err);
    return rc || !format->holds ? rc : format->holds(trace, err);
}

int loom_trace_write_set(const struct loom_trace *trace, const char *path,
                         const struct loom_write_options *options, struct loom_output_set *set,
                         struct loom_error *err)
{
    if (!options)
        options = &plain;
    const struct loom_format_ops *format = NULL;
    struct loom_output *out = NULL;
    int rc = find_writer(&format, path, options, err);
    if (!rc)
        rc = loom_output_create(&out, path, err);
    if (!rc && ends_in_gz(path))
        rc = loom_output_gzip(out, err);
    if (!rc)
        rc = format->write(trace, out, options, err);
    if (!rc)
        rc = loom_output_set_add(set, &out, err);
    loom_output_destroy(out);
    return rc;
}

int loom_trace_write(const struct loom_trace *trace, const char *path,
                     const struct loom_write_options *options, struct loom_error *err)
{
    return loom_trace_write_set(trace, path, options, NULL, err);
}

/* ---- for readers ----------------------------------------------------------------------------- */

int loom_reader_reject(struct loom_reader *reader, struct loom_error *err, int64_t line, int column,
                       const char *format, ...)
{
    char message[sizeof err->message];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const char *file = loom_input_name(reader->input);
    if (!reader->options->skip_bad_lines) {
        loom_fail_at(err, LOOM_EFORMAT, file, line, column, "%s", message);
        if (err)
            err->skippable = true;
        return LOOM_EFORMAT;
    }
    struct loom_read_report *report = &reader->trace->report;
    if (report->bad_lines++ == 0)
        loom_fail_at(&report->first_bad, LOOM_EFORMAT, file, line, column, "%s", message);
    return 0;
}

void loom_reader_dropped(struct loom_reader *reader, const char *name, size_t length, int64_t jobs)
{
    struct loom_read_report *report = &reader->trace->report;
    if (jobs == 0 || report->n_dropped == LOOM_MOST_DROPPED)
        return;
    struct loom_dropped *dropped = &report->dropped[report->n_dropped++];
    snprintf(dropped->name, sizeof dropped->name, "%.*s", length < 31 ? (int)length : 31, name);
    dropped->jobs = jobs;
}

bool loom_lines_next(struct loom_lines *lines, const char **line, size_t *length)
{
    if (lines->next >= lines->end)
        return false;
    size_t left = (size_t)(lines->end - lines->next);
    const char *newline = memchr(lines->next, '\n', left);
    const char *end = newline ? newline : lines->end;
    *line = lines->next;
    lines->next = newline ? newline + 1 : lines->end;
    lines->number++;
    while (end > *line && end[-1] == '\r')
        end--;
    *length = (size_t)(end - *line);
    return true;
}
