/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One libFuzzer target per format, all from this file: LOOM_FUZZ_FORMAT names the format, and
 * LOOM_FUZZ_SUFFIX what the rewritten file's name ends in (".swf.gz" makes the gzip target).
 *
 * The input is read as a log of that format; first strictly, then, if it has a bad line, leaving
 * that out. Whatever could be read goes through everything that a command does with a log: its
 * problems, a selection, the sorted view, local time, cleaning, and writing. Beyond not crashing,
 * this must hold:
 *
 *   - a failure has a negative code and a sentence of its own; a success has no bad lines left out
 *     unless that was asked for;
 *   - what was written can be read again, and is the same in every value, but for those that the
 *     format has no place for.
 */
#include "fuzz.h"

#include <workloom/trace.h>

#include <string.h>

#ifndef LOOM_FUZZ_FORMAT
#define LOOM_FUZZ_FORMAT "swf"
#endif
#ifndef LOOM_FUZZ_SUFFIX
#define LOOM_FUZZ_SUFFIX "." LOOM_FUZZ_FORMAT
#endif

/* More text than this is refused, so that a small packed input cannot ask for hours. */
#define MOST_BYTES (UINT64_C(4) << 20)

/* Columns of an sacct dump without a header line, taken for every other input. */
#define SACCT_COLUMNS \
    "jobid,user,account,partition,submit,start,end,elapsed,state,ncpus,reqmem,timelimit,jobname"

/* ---- files ----------------------------------------------------------------------------------- */

static char output_directory[256];

static void remove_output_directory(void)
{
    rmdir(output_directory);
}

/* Outputs are renamed into place, so they need a directory: in memory where there is one. */
static void output_path(char *path, size_t size)
{
    if (output_directory[0] == '\0') {
        const char *parent = getenv("TMPDIR");
        if (parent == NULL || *parent == '\0')
            parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(output_directory, sizeof output_directory, "%.200s/workloom-fuzz-XXXXXX", parent);
        MUST(mkdtemp(output_directory) != NULL);
        atexit(remove_output_directory);
    }
    snprintf(path, size, "%s/out" LOOM_FUZZ_SUFFIX, output_directory);
}

/* ---- what is done with a log ----------------------------------------------------------------- */

static void check_error(int code, const struct loom_error *err)
{
    MUST(code < 0 && err->code == code);
    MUST(err->message[0] != '\0' && strchr(err->message, '\n') == NULL);
}

/* Every value of every column, so that a checker of memory sees each of them used. */
static double sum_of_columns(const struct loom_jobs *jobs)
{
    double sum = 0;
    for (size_t row = 0; row < jobs->n; row++) {
#define X(name, type, what) sum += (double)jobs->name[row];
        LOOM_COLUMNS(X)
#undef X
    }
    return sum;
}

static void look_at_header(const struct loom_trace *trace)
{
    const struct loom_directive *directives = NULL;
    size_t n = loom_trace_directives(trace, &directives);
    size_t length = 0;
    for (size_t i = 0; i < n; i++)
        length +=
            strlen(directives[i].text) + strlen(directives[i].key) + strlen(directives[i].value);
    MUST(n == 0 || length < SIZE_MAX / 2);
    MUST(loom_trace_machine(trace) != NULL && loom_trace_max_procs(trace) >= 0);
}

static void look_at_problems(const struct loom_trace *trace)
{
    struct loom_error err = {0};
    struct loom_problems *problems = NULL;
    int code = loom_problems_create(&problems, trace, &err);
    if (code != 0) {
        check_error(code, &err);
        return;
    }
    for (size_t i = 0; i < loom_problems_count(problems); i++) {
        const struct loom_problem *problem = loom_problems_at(problems, i);
        MUST(problem->code[0] != '\0' && problem->text[0] != '\0' && problem->count >= 0);
    }
    loom_problems_destroy(problems);
}

static void look_at_times(const struct loom_trace *trace)
{
    struct loom_error err = {0};
    struct loom_zone *zone = NULL;
    int code = loom_zone_create(&zone, trace, NULL, &err);
    if (code != 0) {
        check_error(code, &err);
        return;
    }
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t row = 0; row < jobs->n && row < 4; row++) {
        char text[64];
        MUST(loom_zone_text(zone, jobs->submit_s[row], text, sizeof text) == text);
        MUST(memchr(text, '\0', sizeof text) != NULL);
    }
    loom_zone_destroy(zone);
}

static void look_at_order(const struct loom_trace *trace)
{
    struct loom_error err = {0};
    uint32_t *order = NULL;
    int code = loom_trace_order(&order, trace, &err);
    if (code != 0) {
        check_error(code, &err);
        return;
    }
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    for (size_t i = 1; i < jobs->n; i++) {
        int64_t before = jobs->submit_s[order[i - 1]], here = jobs->submit_s[order[i]];
        MUST(before < here || (before == here && order[i - 1] < order[i]));
    }
    free(order);
}

/* The values of a list of declared parameters, all at their defaults; NULL where memory ran out. */
static struct loom_params *params_of(const struct loom_param *list)
{
    const struct loom_param *lists[] = {list, NULL};
    struct loom_params *params = NULL;
    struct loom_error err = {0};
    int code = loom_params_create(&params, lists, &err);
    if (code != 0)
        check_error(code, &err);
    return params;
}

static void select_jobs(const struct loom_trace *trace, unsigned choice)
{
    static const char *const wanted[] = {"all", "ran", "completed"};
    size_t n = loom_trace_count(trace);
    uint8_t *keep = calloc(n + 1, 1);
    struct loom_params *params = params_of(loom_select_params);
    struct loom_error err = {0};
    MUST(keep != NULL && params != NULL);
    MUST(loom_params_set(params, "select", wanted[choice % 3], &err) == 0);
    if (choice & 4)
        MUST(loom_params_set(params, "procs", "2-64", &err) == 0);
    if (choice & 8)
        MUST(loom_params_set(params, "first", "3", &err) == 0);
    int code = loom_select(keep, trace, params, &err);
    if (code != 0) {
        check_error(code, &err);
    } else {
        struct loom_trace *subset = NULL;
        size_t kept = 0;
        for (size_t row = 0; row < n; row++)
            kept += keep[row] != 0;
        MUST(!(choice & 8) || kept <= 3);
        MUST(loom_trace_subset(&subset, trace, keep, 1, &err) == 0);
        MUST(loom_trace_count(subset) == kept);
        loom_trace_destroy(subset);
    }
    loom_params_destroy(params);
    free(keep);
}

/* Every dropped job has exactly one reason, and the reasons add up. Changes the trace. */
static void clean_jobs(struct loom_trace *trace)
{
    struct loom_params *params = params_of(loom_clean_params);
    struct loom_cleaning *cleaning = NULL;
    struct loom_error err = {0};
    MUST(params != NULL);
    int code = loom_cleaning_create(&cleaning, trace, params, &err);
    if (code != 0) {
        check_error(code, &err);
    } else {
        size_t n = loom_trace_count(trace), dropped = 0;
        size_t reasons = loom_cleaning_reasons(cleaning);
        const uint32_t *marks = loom_cleaning_marks(cleaning);
        int64_t accounted = 0;
        for (size_t row = 0; row < n; row++) {
            MUST(marks[row] <= reasons);
            dropped += marks[row] != 0;
        }
        for (size_t i = 0; i < reasons; i++)
            accounted += loom_cleaning_reason(cleaning, i)->jobs;
        MUST(accounted == (int64_t)dropped);
        MUST(loom_cleaning_apply(cleaning, trace, &err) == 0);
        MUST(loom_trace_count(trace) == n - dropped);
    }
    loom_cleaning_destroy(cleaning);
    loom_params_destroy(params);
}

/* ---- writing and reading again --------------------------------------------------------------- */

static bool can_write(void)
{
    const struct loom_format_info *info = NULL;
    for (size_t i = 0; (info = loom_format_at(i)) != NULL; i++)
        if (strcmp(info->name, LOOM_FUZZ_FORMAT) == 0)
            return info->can_write;
    return false;
}

static bool is_format(const char *name)
{
    return strcmp(LOOM_FUZZ_FORMAT, name) == 0;
}

/* CSV and GWF take large submit times that all lie after UnixStartTime as Unix times, also in a log
 * that was made relative before. What is then subtracted again, else 0. */
static int64_t shift_of(const struct loom_trace *trace)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    const int64_t start_s = loom_trace_machine(trace)->unix_start_s;
    bool any = false;
    if (start_s <= 100000000 || !(is_format("csv") || is_format("gwf")))
        return 0;
    for (size_t row = 0; row < jobs->n; row++) {
        if (jobs->submit_s[row] != -1 && jobs->submit_s[row] < start_s)
            return 0;
        any |= jobs->submit_s[row] != -1;
    }
    return any ? start_s : 0;
}

/* A job as it must come back. */
static struct loom_job kept_of(const struct loom_trace *trace, size_t row, int64_t shift_s)
{
    struct loom_job job = loom_trace_job(trace, row);
    if (job.submit_s != -1)
        job.submit_s -= shift_s;
    if (is_format("gwf"))
        job.preceding = job.think_s = -1;
    return job;
}

static void must_be_same(const struct loom_trace *written, const struct loom_trace *read)
{
    const int64_t shift_s = shift_of(written);
    MUST(loom_trace_count(written) == loom_trace_count(read));
    for (size_t row = 0; row < loom_trace_count(read); row++) {
        const struct loom_job a = kept_of(written, row, shift_s), b = loom_trace_job(read, row);
#define X(name, type, what) MUST(!(a.name < b.name) && !(a.name > b.name));
        LOOM_COLUMNS(X)
#undef X
    }
}

static void write_and_read_again(const struct loom_trace *trace)
{
    char path[384];
    struct loom_error err = {0};
    struct loom_write_options to = {.format = LOOM_FUZZ_FORMAT};
    struct loom_read_options from = {.format = LOOM_FUZZ_FORMAT};
    if (!can_write())
        return;
    output_path(path, sizeof path);
    int code = loom_trace_write(trace, path, &to, &err);
    if (code != 0) {
        /* A trace that the format has no words for may be refused; nothing may be left of it. */
        check_error(code, &err);
        MUST(code != LOOM_EIO && access(path, F_OK) != 0);
        return;
    }
    struct loom_trace *again = NULL;
    code = loom_trace_read(&again, path, &from, &err);
    if (code != 0)
        fprintf(stderr, "what was written cannot be read: line %lld: %s\n", (long long)err.line,
                err.message);
    MUST(code == 0);
    must_be_same(trace, again);
    loom_trace_destroy(again);
    unlink(path);
}

/* ---- the target ------------------------------------------------------------------------------ */

static void use(struct loom_trace *trace, unsigned choice)
{
    volatile double sum = sum_of_columns(loom_trace_jobs(trace));
    (void)sum;
    look_at_header(trace);
    look_at_problems(trace);
    if ((choice & 96) == 0) /* the zone's file is slow to read: now and then will do */
        look_at_times(trace);
    look_at_order(trace);
    select_jobs(trace, choice);
    write_and_read_again(trace);
    clean_jobs(trace);
    if ((choice & 24) == 24)
        write_and_read_again(trace);
}

static int read_and_use(const char *path, bool skip_bad_lines, unsigned choice)
{
    struct loom_error err = {0};
    struct loom_trace *trace = NULL;
    struct loom_read_options options = {.format = LOOM_FUZZ_FORMAT,
                                        .max_bytes = MOST_BYTES,
                                        .skip_bad_lines = skip_bad_lines};
    if (strcmp(LOOM_FUZZ_FORMAT, "sacct") == 0 && (choice & 1))
        options.columns = SACCT_COLUMNS;
    int code = loom_trace_read(&trace, path, &options, &err);
    if (code != 0) {
        check_error(code, &err);
        MUST(trace == NULL);
        return code;
    }
    const struct loom_read_report *report = loom_trace_report(trace);
    MUST(strcmp(report->format, LOOM_FUZZ_FORMAT) == 0);
    MUST(report->bad_lines == 0 || (skip_bad_lines && report->bad_lines > 0));
    use(trace, choice);
    loom_trace_destroy(trace);
    return 0;
}

/* Some bits that depend on every byte, so that an input is a plain file of its format and still
 * picks among the variants. */
static unsigned fold(const uint8_t *data, size_t size)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash >> 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = input_file(data, size, path, sizeof path);
    unsigned choice = fold(data, size);
    if (read_and_use(path, false, choice) != 0)
        read_and_use(path, true, choice);
    close(fd);
    return 0;
}
