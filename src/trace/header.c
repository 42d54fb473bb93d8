/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header of a log: every line kept as it stands, and the directives that Workloom acts on
 * parsed.
 *
 * Real headers are messy. Keys may be right-aligned ("   MaxProcs: 64"), values may carry remarks
 * ("1664 (72, 1368, 224)", "3600   # DEPRECATED"), keys are spelled in mixed case. So a number is
 * taken from the start of the value and what follows is a remark; a key is letters only, so that a
 * sentence with a colon in it does not pass for a directive. Where a directive is repeated, the
 * first one that can be read counts.
 *
 * Names of queues and partitions come from "Queue: 1 name" lines. SWF has no directive for names of
 * users, groups and executables: Workloom keeps them in notes, "Note: user 3 = name".
 */
#include "base/vec.h"
#include "trace/number.h"
#include "trace/origin.h"
#include "trace/table.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- cutting a line -------------------------------------------------------------------------- */

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

/* Keep a line, and cut it into key and value; the key is empty if it is not "Key: value". */
static int cut_directive(struct loom_directive *out, struct loom_trace *trace, const char *text,
                         size_t length)
{
    out->text = loom_arena_text(&trace->arena, text, length);
    if (!out->text)
        return -1;
    const char *start = skip_blanks(out->text);
    size_t key = 0;
    while (isalpha((unsigned char)start[key]))
        key++;
    if (start[key] != ':' || start[key + 1] == '/')
        key = 0;
    out->key = loom_arena_text(&trace->arena, start, key);
    const char *value = skip_blanks(start + (key ? key + 1 : 0));
    size_t value_length = strlen(value);
    while (value_length > 0 && isspace((unsigned char)value[value_length - 1]))
        value_length--;
    out->value = loom_arena_text(&trace->arena, value, value_length);
    return out->key && out->value ? 0 : -1;
}

/* ---- what the directives mean ---------------------------------------------------------------- */

/* Directives that are numbers: where they go, what stands there until one is found, and what is
 * believed. */
static const struct known {
    const char *key;
    size_t offset; /* in struct loom_machine */
    int64_t unknown, min, max;
} known[] = {
    {"MaxProcs", offsetof(struct loom_machine, max_procs), -1, 1, INT64_MAX},
    {"MaxNodes", offsetof(struct loom_machine, max_nodes), -1, 1, INT64_MAX},
    {"MaxJobs", offsetof(struct loom_machine, max_jobs), -1, 1, INT64_MAX},
    {"MaxRecords", offsetof(struct loom_machine, max_records), -1, 1, INT64_MAX},
    {"UnixStartTime", offsetof(struct loom_machine, unix_start_s), -1, 0, INT64_MAX},
    {"TimeZone", offsetof(struct loom_machine, time_zone_s), INT64_MIN, -14 * 3600, 14 * 3600},
};

/* The entry of a key, and the number it is about; NULL if there is none. */
static const struct known *find_known(struct loom_trace *trace, const char *key, int64_t **number)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcasecmp(known[i].key, key) == 0) {
            *number = (int64_t *)(void *)((char *)&trace->machine + known[i].offset);
            return &known[i];
        }
    return NULL;
}

/* How a header names things: the key of the line, what the value starts with, and what stands
 * between number and name. */
static const struct naming {
    const char *key, *word;
    char joint;
} namings[LOOM_NAME_KINDS] = {
    [LOOM_USER] = {"Note", "user", '='},
    [LOOM_GROUP] = {"Note", "group", '='},
    [LOOM_EXECUTABLE] = {"Note", "executable", '='},
    [LOOM_QUEUE] = {"Queue", "", '-'},
    [LOOM_PARTITION] = {"Partition", "", '-'},
};

/* "1  name", "1 - name" (the joint is optional unless it is a '=') */
static bool cut_name(const char *value, char joint, int32_t *number, const char **name)
{
    char *end;
    errno = 0;
    long n = strtol(value, &end, 10);
    if (end == value || errno == ERANGE || n < 0 || n > INT32_MAX)
        return false;
    const char *rest = skip_blanks(end);
    if (*rest == joint)
        rest = skip_blanks(rest + 1);
    else if (joint == '=')
        return false;
    *number = (int32_t)n;
    *name = rest;
    return *rest != '\0';
}

/* Does this line name something, and what? */
static bool cut_naming(const struct loom_directive *line, enum loom_name_kind *kind,
                       int32_t *number, const char **name)
{
    for (int k = 0; k < LOOM_NAME_KINDS; k++) {
        const struct naming *naming = &namings[k];
        size_t length = strlen(naming->word);
        if (strcasecmp(line->key, naming->key) != 0 ||
            strncmp(line->value, naming->word, length) != 0)
            continue;
        *kind = (enum loom_name_kind)k;
        if (cut_name(line->value + length, naming->joint, number, name))
            return true;
    }
    return false;
}

/* Take what a line says of the machine, or the name that it gives; the first of two counts. */
static int understand(struct loom_trace *trace, const struct loom_directive *line)
{
    int64_t *field;
    const struct known *entry = find_known(trace, line->key, &field);
    if (entry) {
        char *end;
        errno = 0;
        long long number = strtoll(line->value, &end, 10);
        if (end != line->value && errno != ERANGE && *field == entry->unknown &&
            number >= entry->min && number <= entry->max)
            *field = number;
        return 0;
    }
    size_t length = strcspn(line->value, " \t#");
    if (strcasecmp(line->key, "TimeZoneString") == 0) {
        if (!trace->machine.time_zone && length > 0 &&
            !(trace->machine.time_zone = loom_arena_text(&trace->arena, line->value, length)))
            return -1;
        return 0;
    }
    enum loom_name_kind kind;
    int32_t named;
    const char *name;
    return cut_naming(line, &kind, &named, &name)
               ? loom_names_set(&trace->names[kind], &trace->arena, named, name, strlen(name))
               : 0;
}

/* ---- the interface --------------------------------------------------------------------------- */

int loom_trace_add_line(struct loom_trace *trace, const char *text, size_t length,
                        struct loom_error *err)
{
    if (loom_grow(&trace->directives, trace->n_directives, &trace->directives_capacity))
        return loom_fail_memory(err);
    struct loom_directive *line = &trace->directives[trace->n_directives];
    if (cut_directive(line, trace, text, length) || understand(trace, line))
        return loom_fail_memory(err);
    trace->n_directives++;
    return 0;
}

size_t loom_trace_directives(const struct loom_trace *trace, const struct loom_directive **out)
{
    *out = trace->directives;
    return trace->n_directives;
}

static struct loom_directive *find_directive(const struct loom_trace *trace, const char *key)
{
    for (size_t i = 0; i < trace->n_directives; i++)
        if (strcasecmp(trace->directives[i].key, key) == 0)
            return &trace->directives[i];
    return NULL;
}

const char *loom_trace_directive(const struct loom_trace *trace, const char *key)
{
    const struct loom_directive *line = find_directive(trace, key);
    return line ? line->value : NULL;
}

bool loom_trace_resampled(const struct loom_trace *trace)
{
    bool resampled = false;
    for (size_t i = 0; i < trace->n_directives; i++) {
        const struct loom_directive *line = &trace->directives[i];
        if (strcasecmp(line->key, "Conversion") != 0)
            continue;
        if (strstr(line->value, ": workloom resample "))
            resampled = true;
        else if (strstr(line->value, ": workloom simulate "))
            resampled = false;
    }
    return resampled;
}

/* A header line must stay one line, whatever a file or command line put into it. */
static void flatten(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = ' ';
}

static char *make_line(const char *key, const char *value, struct loom_error *err)
{
    char *line;
    int length = *key ? asprintf(&line, " %s: %s", key, value) : asprintf(&line, " %s", value);
    if (length < 0) {
        loom_fail_memory(err);
        return NULL;
    }
    flatten(line);
    return line;
}

int loom_trace_add_directive(struct loom_trace *trace, const char *key, const char *value,
                             struct loom_error *err)
{
    char *line = make_line(key, value, err);
    if (!line)
        return LOOM_ENOMEM;
    int rc = loom_trace_add_line(trace, line, strlen(line), err);
    free(line);
    return rc;
}

/* Understood anew after a replacement; what a directive no longer says must not linger. */
static void forget(struct loom_trace *trace, const char *key)
{
    int64_t *field;
    const struct known *entry = find_known(trace, key, &field);
    if (entry)
        *field = entry->unknown;
    else if (strcasecmp(key, "TimeZoneString") == 0)
        trace->machine.time_zone = NULL;
}

int loom_trace_set_directive(struct loom_trace *trace, const char *key, const char *value,
                             struct loom_error *err)
{
    struct loom_directive *line = find_directive(trace, key);
    if (!line) {
        forget(trace, key);
        return loom_trace_add_directive(trace, key, value, err);
    }
    char *text = make_line(key, value, err);
    if (!text)
        return LOOM_ENOMEM;
    struct loom_directive replacement;
    int rc = cut_directive(&replacement, trace, text, strlen(text));
    free(text);
    if (rc)
        return loom_fail_memory(err);
    *line = replacement;
    forget(trace, key);
    return understand(trace, line) ? loom_fail_memory(err) : 0;
}

void loom_trace_drop_directive(struct loom_trace *trace, const char *key)
{
    size_t kept = 0;
    for (size_t i = 0; i < trace->n_directives; i++)
        if (strcasecmp(trace->directives[i].key, key) != 0)
            trace->directives[kept++] = trace->directives[i];
    trace->n_directives = kept;
    forget(trace, key);
}

int loom_trace_set_directive_number(struct loom_trace *trace, const char *key, int64_t number,
                                    struct loom_error *err)
{
    char text[LOOM_NUMBER_PRINT];
    loom_number_print_int(text, number);
    return loom_trace_set_directive(trace, key, text, err);
}

const struct loom_machine *loom_trace_machine(const struct loom_trace *trace)
{
    return &trace->machine;
}

int64_t loom_trace_max_procs(const struct loom_trace *trace)
{
    if (trace->machine.max_procs > 0)
        return trace->machine.max_procs;
    int32_t most = 0;
    for (size_t row = 0; row < trace->view.n; row++) {
        if (trace->view.alloc_procs[row] > most)
            most = trace->view.alloc_procs[row];
        if (trace->view.req_procs[row] > most)
            most = trace->view.req_procs[row];
    }
    return most;
}

const char *loom_trace_name(const struct loom_trace *trace, enum loom_name_kind kind,
                            int32_t number)
{
    return loom_names_get(&trace->names[kind], number);
}

int32_t loom_trace_number(const struct loom_trace *trace, enum loom_name_kind kind,
                          const char *name)
{
    return loom_names_find(&trace->names[kind], name, strlen(name));
}

int loom_trace_intern(int32_t *out, struct loom_trace *trace, enum loom_name_kind kind,
                      const char *name, size_t length, struct loom_error *err)
{
    *out = loom_names_intern(&trace->names[kind], &trace->arena, name, length);
    return *out < 0 ? loom_fail_memory(err) : 0;
}

int loom_trace_set_name(struct loom_trace *trace, enum loom_name_kind kind, int32_t number,
                        const char *name, struct loom_error *err)
{
    if (loom_names_set(&trace->names[kind], &trace->arena, number, name, strlen(name)))
        return loom_fail_memory(err);
    return 0;
}

/* ---- names without a header line ------------------------------------------------------------- */

/* Mark, by position in the table of its kind, every name that a line of the header gives. */
static void mark_declared(const struct loom_trace *trace, bool *declared[LOOM_NAME_KINDS])
{
    for (size_t i = 0; i < trace->n_directives; i++) {
        enum loom_name_kind kind;
        int32_t number;
        const char *name;
        if (!cut_naming(&trace->directives[i], &kind, &number, &name))
            continue;
        size_t position = loom_names_position(&trace->names[kind], number);
        if (position < trace->names[kind].n)
            declared[kind][position] = true;
    }
}

static int declare(struct loom_trace *trace, enum loom_name_kind kind,
                   const struct loom_named *entry, struct loom_error *err)
{
    const struct naming *naming = &namings[kind];
    char *value;
    /* The '-' may be left out, but would then be taken from a name that starts with one. */
    char joint[] = {naming->joint, ' ', '\0'};
    if (naming->joint != '=' && *skip_blanks(entry->name) != naming->joint)
        joint[0] = '\0';
    int length = asprintf(&value, "%s%s%d %s%s", naming->word, *naming->word ? " " : "",
                          (int)entry->number, joint, entry->name);
    if (length < 0)
        return loom_fail_memory(err);
    int rc = loom_trace_add_directive(trace, naming->key, value, err);
    free(value);
    return rc;
}

int loom_trace_declare_names(struct loom_trace *trace, struct loom_error *err)
{
    bool *declared[LOOM_NAME_KINDS] = {0};
    size_t names = 0;
    int rc = 0;
    for (int kind = 0; kind < LOOM_NAME_KINDS; kind++)
        names += trace->names[kind].n;
    if (names == 0)
        return 0;
    for (int kind = 0; kind < LOOM_NAME_KINDS && !rc; kind++) {
        declared[kind] = calloc(trace->names[kind].n + 1, sizeof(bool));
        if (!declared[kind])
            rc = loom_fail_memory(err);
    }
    if (!rc)
        mark_declared(trace, declared);
    for (int kind = 0; kind < LOOM_NAME_KINDS && !rc; kind++)
        for (size_t i = 0; i < trace->names[kind].n && !rc; i++)
            if (!declared[kind][i])
                rc = declare(trace, (enum loom_name_kind)kind, &trace->names[kind].entries[i], err);
    for (int kind = 0; kind < LOOM_NAME_KINDS; kind++)
        free(declared[kind]);
    return rc;
}

/* ---- heirs ----------------------------------------------------------------------------------- */

/* Is a line untrue of another workload made from the jobs of a log? */
static bool is_outdated(const struct loom_directive *line)
{
    static const char *const keys[] = {"MaxJobs", "MaxRecords", "StartTime", "EndTime"};
    enum loom_name_kind kind;
    int32_t number;
    const char *name;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strcasecmp(line->key, keys[i]) == 0)
            return true;
    return cut_naming(line, &kind, &number, &name) && kind == LOOM_USER;
}

int loom_trace_inherit(struct loom_trace *trace, const struct loom_trace *log,
                       struct loom_error *err)
{
    int rc = 0;
    for (size_t i = 0; i < log->n_directives && !rc; i++) {
        const struct loom_directive *line = &log->directives[i];
        if (!is_outdated(line))
            rc = loom_trace_add_line(trace, line->text, strlen(line->text), err);
    }
    return rc;
}
