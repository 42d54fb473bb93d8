/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads of the Batsim simulator: a JSON object with nb_res (processors), profiles (how long
 * things take, by name) and jobs (each of which names a profile).
 *
 * The runtime of a job is its delay profile's delay, or the sum over a sequence of them; any other
 * profile takes as long as a simulation of it says: unknown here, and noted in the header. res is
 * what was requested; walltime is the requested time, and does not cut the runtime short as it
 * does in Batsim. The number a job's id ends in ("w0!12") is its job number if every job has one
 * and no two have the same; else jobs are numbered by their place in the file, from 1.
 *
 * Profiles may stand after the jobs that use them, so the rows of the trace wait for their
 * runtimes until the whole document has been walked.
 */
#include "trace/formats/batsim/batsim.h"
#include "base/sort.h"
#include "base/vec.h"
#include "trace/formats/batsim/json_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Profiles may be made of profiles; deeper than this they are refused. */
enum { MAX_NESTING = 100 };

/* ---- what is being read ---------------------------------------------------------------------- */

/* What a row of the trace still waits for until all profiles are known. */
struct pending {
    size_t index; /* in "jobs" */
    int64_t line;
    int32_t profile;          /* its number in profile_names */
    uint8_t rounded;          /* fractions */
    bool own_number, own_run; /* "swf" gave them */
};

enum measure { NOT_MEASURED, MEASURING, MEASURED, UNKNOWN, BAD };

/* How long a profile takes: whole_s if it is whole, else real_s. */
struct duration {
    enum measure state;
    bool is_whole;
    int64_t whole_s;
    double real_s;
};

struct workload {
    struct loom_reader *reader;
    struct loom_json_walk at;
    json_t *nb_res, *profiles, *header; /* NULL where not seen yet */
    bool has_jobs;
    size_t n_jobs; /* seen, also those that were rejected */
    bool ids_are_numbers;
    struct pending *pending; /* one for each row of the trace */
    size_t n_pending, capacity;
    struct loom_arena arena;
    struct loom_names profile_names;
    struct duration *durations; /* by the profile's number */
};

static int fail(const struct workload *load, struct loom_error *err, const char *message)
{
    return loom_fail_at(err, LOOM_EFORMAT, load->at.file, 0, 0, "%s", message);
}

static int add_batsim_job(struct workload *load, json_t *value, int64_t line,
                          struct loom_error *err)
{
    struct loom_batsim_job job;
    char problem[LOOM_BATSIM_PROBLEM];
    size_t index = load->n_jobs++;
    if (!loom_batsim_take_job(&job, value, problem))
        return loom_reader_reject(load->reader, err, line, 0, "jobs[%zu]%s", index, problem);
    int32_t profile =
        loom_names_intern(&load->profile_names, &load->arena, job.profile, strlen(job.profile));
    if (profile < 0 || loom_grow(&load->pending, load->n_pending, &load->capacity))
        return loom_fail_memory(err);
    load->pending[load->n_pending++] = (struct pending){.index = index,
                                                        .line = line,
                                                        .profile = profile,
                                                        .rounded = job.rounded,
                                                        .own_number = job.own_number,
                                                        .own_run = job.own_run};
    if (!job.own_number && !job.id_is_number)
        load->ids_are_numbers = false;
    return loom_trace_append(load->reader->trace, &job.job, err);
}

/* ---- the document ---------------------------------------------------------------------------- */

static int read_jobs(struct workload *load, struct loom_error *err)
{
    struct loom_json_walk *at = &load->at;
    load->has_jobs = true;
    if (!loom_json_walk_take(at, '['))
        return loom_fail_at(err, LOOM_EFORMAT, at->file, at->line, 0, "\"jobs\" is not an array");
    if (loom_json_walk_take(at, ']'))
        return 0;
    do {
        loom_json_walk_skip_blanks(at);
        int64_t line = at->line;
        json_t *job;
        int rc = loom_json_walk_value(&job, at, err);
        if (rc)
            return rc;
        rc = add_batsim_job(load, job, line, err);
        json_decref(job);
        if (rc)
            return rc;
    } while (loom_json_walk_take(at, ','));
    return loom_json_walk_take(at, ']') ? 0 : loom_json_walk_expected(at, "',' or ']'", err);
}

/* Other documents of ours are JSON, too. */
static int refuse_kin(const struct workload *load, const char *key, struct loom_error *err)
{
    if (strcmp(key, "workloom_model") == 0)
        return fail(load, err,
                    "this is a model, not a log: make jobs of it first, by 'workloom generate "
                    "MODEL.json -o LOG.swf'");
    if (strcmp(key, "workloom_platform") == 0)
        return fail(load, err, "this is a platform, not a log: simulate a log on it");
    return 0;
}

/* Each key that matters may be there once. */
static int read_member(struct workload *load, const char *key, struct loom_error *err)
{
    json_t *unused = NULL, **place = &unused;
    int rc = refuse_kin(load, key, err);
    if (rc)
        return rc;
    if (strcmp(key, "nb_res") == 0)
        place = &load->nb_res;
    else if (strcmp(key, "profiles") == 0)
        place = &load->profiles;
    else if (strcmp(key, "swf_header") == 0)
        place = &load->header;
    bool is_jobs = strcmp(key, "jobs") == 0;
    if (*place || (is_jobs && load->has_jobs))
        return loom_fail_at(err, LOOM_EFORMAT, load->at.file, load->at.line, 0,
                            "\"%s\" is there twice", key);
    if (is_jobs)
        return read_jobs(load, err);
    rc = loom_json_walk_value(place, &load->at, err);
    json_decref(unused);
    return rc;
}

static int read_document(struct workload *load, struct loom_error *err)
{
    struct loom_json_walk *at = &load->at;
    if (!loom_json_walk_take(at, '{'))
        return loom_json_walk_expected(at, "'{'", err);
    if (!loom_json_walk_take(at, '}')) {
        do {
            json_t *key;
            int rc = loom_json_walk_value(&key, at, err);
            if (rc)
                return rc;
            if (!json_is_string(key))
                rc = loom_json_walk_expected(at, "a key in double quotes", err);
            else if (!loom_json_walk_take(at, ':'))
                rc = loom_json_walk_expected(at, "':'", err);
            else
                rc = read_member(load, json_string_value(key), err);
            json_decref(key);
            if (rc)
                return rc;
        } while (loom_json_walk_take(at, ','));
        if (!loom_json_walk_take(at, '}'))
            return loom_json_walk_expected(at, "',' or '}'", err);
    }
    loom_json_walk_skip_blanks(at);
    return at->next == at->end ? 0 : loom_json_walk_expected(at, "the end of the file", err);
}

static int check_document(const struct workload *load, struct loom_error *err)
{
    if (!load->nb_res)
        return fail(load, err, "the workload has no \"nb_res\", the number of processors");
    json_int_t nb_res = json_integer_value(load->nb_res);
    if (nb_res < 1 || nb_res > INT32_MAX)
        return fail(load, err,
                    "\"nb_res\" is not a whole number of processors from 1 to 2147483647");
    if (!load->has_jobs)
        return fail(load, err, "the workload has no \"jobs\"");
    if (!load->profiles)
        return fail(load, err, "the workload has no \"profiles\"");
    if (!json_is_object(load->profiles))
        return fail(load, err, "\"profiles\" is not an object");
    if (load->header && !json_is_array(load->header))
        return fail(load, err, "\"swf_header\" is not an array");
    return 0;
}

/* ---- profiles -------------------------------------------------------------------------------- */

static int bad_profile(struct workload *load, int32_t number, const char *what,
                       struct loom_error *err)
{
    const char *name = loom_names_get(&load->profile_names, number);
    char shown[LOOM_SHOWN];
    load->durations[number].state = BAD;
    return loom_reader_reject(load->reader, err, 0, 0, "profiles.%s%s",
                              loom_shown(shown, name, strlen(name)), what);
}

static int measure_delay(struct workload *load, int32_t number, const json_t *profile,
                         struct loom_error *err)
{
    struct duration *duration = &load->durations[number];
    const json_t *delay = json_object_get(profile, "delay");
    if (!json_is_number(delay) || json_number_value(delay) < 0)
        return bad_profile(load, number, ".delay is not a number of seconds", err);
    *duration = (struct duration){
        .state = MEASURED,
        .is_whole = json_is_integer(delay),
        .whole_s = json_integer_value(delay),
        .real_s = json_number_value(delay),
    };
    return 0;
}

static void add_duration(struct duration *sum, const struct duration *part)
{
    sum->is_whole = sum->is_whole && part->is_whole &&
                    !__builtin_add_overflow(sum->whole_s, part->whole_s, &sum->whole_s);
    sum->real_s += part->real_s;
    if (part->state != MEASURED && sum->state != BAD)
        sum->state = part->state;
}

static void repeat_duration(struct duration *sum, json_int_t times)
{
    sum->is_whole = sum->is_whole && !__builtin_mul_overflow(sum->whole_s, times, &sum->whole_s);
    sum->real_s *= (double)times;
}

static int batsim_measure(struct workload *load, int32_t number, int nesting,
                          struct loom_error *err);

static int measure_sequence(struct workload *load, int32_t number, const json_t *profile,
                            int nesting, struct loom_error *err)
{
    const json_t *parts = json_object_get(profile, "seq");
    const json_t *repeat = json_object_get(profile, "repeat");
    if (!repeat)
        repeat = json_object_get(profile, "nb"); /* its name in Batsim 1 */
    if (repeat && json_integer_value(repeat) < 1)
        return bad_profile(load, number, ".repeat is not a positive whole number", err);
    if (json_array_size(parts) == 0)
        return bad_profile(load, number, ".seq is not an array of names of profiles", err);
    load->durations[number].state = MEASURING;
    struct duration sum = {.state = MEASURED, .is_whole = true};
    for (size_t i = 0; i < json_array_size(parts); i++) {
        const char *name = json_string_value(json_array_get(parts, i));
        int32_t part = name ? loom_names_find(&load->profile_names, name, strlen(name)) : -1;
        if (part < 0)
            return bad_profile(load, number, ".seq names a profile that is not there", err);
        if (load->durations[part].state == MEASURING)
            return bad_profile(load, number, ".seq leads back to itself", err);
        int rc = batsim_measure(load, part, nesting + 1, err);
        if (rc)
            return rc;
        add_duration(&sum, &load->durations[part]);
    }
    repeat_duration(&sum, repeat ? json_integer_value(repeat) : 1);
    load->durations[number] = sum;
    return 0;
}

static bool is_one_of(const char *word, const char *const *list)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list;
}

/* The names that the versions of Batsim have given to the two types. */
static const char *const delay_types[] = {"delay", "DelayProfile", NULL};
static const char *const sequence_types[] = {"composed", "sequence", "sequential_composition",
                                             "SequentialCompositionProfile", NULL};

static int batsim_measure(struct workload *load, int32_t number, int nesting,
                          struct loom_error *err)
{
    struct duration *duration = &load->durations[number];
    if (duration->state != NOT_MEASURED)
        return 0;
    if (nesting > MAX_NESTING)
        return bad_profile(load, number, " is nested too deep in other profiles", err);
    const char *name = loom_names_get(&load->profile_names, number);
    const json_t *profile = json_object_get(load->profiles, name);
    if (!profile)
        return bad_profile(load, number, " is used but not there", err);
    if (!json_is_object(profile))
        return bad_profile(load, number, " is not an object", err);
    const char *type = json_string_value(json_object_get(profile, "type"));
    if (!type)
        return bad_profile(load, number, ".type is not a string", err);
    if (is_one_of(type, delay_types))
        return measure_delay(load, number, profile, err);
    if (is_one_of(type, sequence_types))
        return measure_sequence(load, number, profile, nesting, err);
    duration->state = UNKNOWN;
    return 0;
}

static int measure_profiles(struct workload *load, struct loom_error *err)
{
    const char *name;
    json_t *profile;
    size_t used = load->profile_names.n; /* numbers from 1 to this are used by jobs */
    json_object_foreach(load->profiles, name, profile)
    {
        (void)profile;
        if (loom_names_intern(&load->profile_names, &load->arena, name, strlen(name)) < 0)
            return loom_fail_memory(err);
    }
    size_t n = load->profile_names.n;
    load->durations = calloc(n + 1, sizeof *load->durations);
    if (!load->durations)
        return loom_fail_memory(err);
    int rc = 0;
    for (size_t number = 1; number <= n && !rc; number++) {
        const char *own = loom_names_get(&load->profile_names, (int32_t)number);
        /* A profile that only jobs name is the jobs' mistake, and reported there. */
        if (number <= used && !json_object_get(load->profiles, own))
            load->durations[number].state = BAD;
        else
            rc = batsim_measure(load, (int32_t)number, 0, err);
    }
    return rc;
}

/* ---- putting it together --------------------------------------------------------------------- */

/* Set a row's runtime, or say why there is none. */
static bool take_run(struct workload *load, size_t row, const char **problem)
{
    struct pending *pending = &load->pending[row];
    const struct duration *duration = &load->durations[pending->profile];
    int64_t *run_s = &load->reader->trace->columns.run_s[row];
    *problem = NULL;
    if (duration->state == BAD)
        *problem = "which is not there or cannot be used";
    else if (pending->own_run || duration->state == UNKNOWN)
        return true;
    else if (duration->is_whole)
        *run_s = duration->whole_s;
    else if (!loom_batsim_round(run_s, duration->real_s, &pending->rounded))
        *problem = "which takes longer than 64 bits of seconds";
    return !*problem;
}

static int take_runs(struct workload *load, uint8_t *keep, int64_t *unknown, struct loom_error *err)
{
    for (size_t row = 0; row < load->n_pending; row++) {
        const struct pending *pending = &load->pending[row];
        const char *problem;
        keep[row] = take_run(load, row, &problem);
        if (keep[row]) {
            load->reader->trace->report.rounded += pending->rounded;
            *unknown += !pending->own_run && load->durations[pending->profile].state == UNKNOWN;
            continue;
        }
        const char *name = loom_names_get(&load->profile_names, pending->profile);
        char shown[LOOM_SHOWN];
        int rc = loom_reader_reject(load->reader, err, pending->line, 0,
                                    "jobs[%zu].profile names \"%s\", %s", pending->index,
                                    loom_shown(shown, name, strlen(name)), problem);
        if (rc)
            return rc;
    }
    return 0;
}

static int number_jobs(struct workload *load, struct loom_error *err)
{
    int64_t *number = load->reader->trace->columns.number;
    int64_t *copy = malloc((load->n_pending + 1) * sizeof *copy);
    if (!copy)
        return loom_fail_memory(err);
    size_t n = 0;
    for (size_t row = 0; row < load->n_pending; row++)
        if (!load->pending[row].own_number)
            copy[n++] = number[row];
    bool good = load->ids_are_numbers && loom_sort_int64(copy, n) == n;
    free(copy);
    if (good)
        return 0;
    for (size_t row = 0; row < load->n_pending; row++)
        if (!load->pending[row].own_number)
            number[row] = (int64_t)load->pending[row].index + 1;
    return loom_trace_add_directive(
        load->reader->trace, "Note",
        "the ids of the Batsim workload are not different numbers; jobs "
        "are numbered by their place in the file",
        err);
}

/* A header line from a string, or from the bytes that {"latin1": ...} stands for. Returns its
 * length, or -1 if it is neither. buf is as long as the value's text. */
static int64_t header_line(char *buf, const char *text, bool latin1)
{
    size_t length = 0;
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        unsigned char byte = *c;
        if (latin1 && byte >= 0x80) {
            if (byte > 0xc3) /* past U+00FF */
                return -1;
            byte = (unsigned char)(byte << 6 | (*++c & 0x3f));
        }
        if (byte == '\n')
            return -1;
        buf[length++] = (char)byte;
    }
    return (int64_t)length;
}

static int take_header_line(struct workload *load, const json_t *value, size_t index,
                            struct loom_error *err)
{
    const json_t *latin1 = json_object_get(value, "latin1");
    const char *text = json_string_value(latin1 ? latin1 : value);
    char *buf = text ? malloc(strlen(text) + 1) : NULL;
    if (text && !buf)
        return loom_fail_memory(err);
    int64_t length = text ? header_line(buf, text, latin1) : -1;
    int rc = length < 0 ? loom_fail_at(err, LOOM_EFORMAT, load->at.file, 0, 0,
                                       "swf_header[%zu] is not one line of text", index)
                        : loom_trace_add_line(load->reader->trace, buf, (size_t)length, err);
    free(buf);
    return rc;
}

/* nb_res is what Batsim would go by, whatever a header says. */
static int take_header(struct workload *load, struct loom_error *err)
{
    struct loom_trace *trace = load->reader->trace;
    int rc = 0;
    for (size_t i = 0; i < json_array_size(load->header) && !rc; i++)
        rc = take_header_line(load, json_array_get(load->header, i), i, err);
    json_int_t nb_res = json_integer_value(load->nb_res);
    if (rc || (load->header && loom_trace_max_procs(trace) == nb_res))
        return rc;
    return loom_trace_set_directive_number(trace, "MaxProcs", nb_res, err);
}

static int note_unknown(struct workload *load, int64_t jobs, struct loom_error *err)
{
    char text[128];
    if (jobs == 0)
        return 0;
    snprintf(text, sizeof text,
             "runtime unknown for %" PRId64 " jobs, whose Batsim profiles need a simulation", jobs);
    return loom_trace_add_directive(load->reader->trace, "Note", text, err);
}

static int assemble(struct workload *load, struct loom_error *err)
{
    uint8_t *keep = malloc(load->n_pending + 1);
    if (!keep)
        return loom_fail_memory(err);
    int64_t unknown = 0;
    int rc = measure_profiles(load, err);
    if (!rc)
        rc = take_runs(load, keep, &unknown, err);
    if (!rc)
        rc = take_header(load, err);
    if (!rc)
        rc = number_jobs(load, err);
    if (!rc)
        rc = note_unknown(load, unknown, err);
    if (!rc)
        loom_trace_keep(load->reader->trace, keep);
    free(keep);
    return rc;
}

static int batsim_read(struct loom_reader *reader, struct loom_error *err)
{
    const char *text;
    size_t size;
    int rc = loom_input_text(reader->input, &text, &size, err);
    if (rc)
        return rc;
    struct workload load = {.reader = reader, .ids_are_numbers = true};
    loom_json_walk_start(&load.at, text, size, loom_input_name(reader->input));
    rc = read_document(&load, err);
    if (!rc)
        rc = check_document(&load, err);
    if (!rc)
        rc = assemble(&load, err);
    json_decref(load.nb_res);
    json_decref(load.profiles);
    json_decref(load.header);
    free(load.pending);
    free(load.durations);
    loom_names_free(&load.profile_names);
    loom_arena_free(&load.arena);
    return rc;
}

/* ---- the format ------------------------------------------------------------------------------ */

static int batsim_probe(const char *head, size_t size)
{
    size_t start = 0;
    while (start < size && memchr(" \t\r\n", head[start], 4))
        start++;
    if (start == size || head[start] != '{')
        return 0;
    bool named = memmem(head, size, "\"nb_res\"", 8) || memmem(head, size, "\"jobs\"", 6);
    return named ? 90 : 40;
}

const struct loom_format_ops loom_format_batsim = {
    .info = {.name = "batsim",
             .summary = "JSON workload of the Batsim simulator",
             .suffixes = "json",
             .can_read = true,
             .can_write = true,
             .applications = true},
    .probe = batsim_probe,
    .read = batsim_read,
    .write = loom_batsim_write,
    .holds = loom_batsim_holds,
};
