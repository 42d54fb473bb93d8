/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resize rigid jobs of a trace as moldable ones (survey 5.2): a speedup function gives a job's work
 * from its runtime and size, and the new size is the largest with at least the wanted efficiency
 * (speedup over processors).
 *
 * With Downey's function, the requested size is taken for the average parallelism, and one
 * coefficient of variance applies to all jobs. Jobs of downey97 may have both in notes, which take
 * precedence.
 */
#include "base/error.h"
#include "base/map.h"
#include "base/spec.h"
#include "models/model.h"
#include "trace/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

static const char *const functions[] = {"downey", "sevcik", NULL};

static const char *const job_sources[] = {"size", "notes", NULL};

static const struct loom_param params[] = {
    {.name = "function", .type = LOOM_PARAM_CHOICE, .choices = functions, .value = "downey"},
    {.name = "efficiency", .type = LOOM_PARAM_REAL, .min = 1e-6, .max = 1, .value = "0.5"},
    {.name = "sigma", .type = LOOM_PARAM_REAL, .min = 0, .max = 100, .value = "1"},
    {.name = "jobs", .type = LOOM_PARAM_CHOICE, .choices = job_sources, .value = "size"},
    {.name = "imbalance", .type = LOOM_PARAM_REAL, .min = 1, .max = 1000, .value = "1.1"},
    {.name = "fixed", .type = LOOM_PARAM_REAL, .min = 0, .max = 1e9, .value = "1"},
    {.name = "per-processor", .type = LOOM_PARAM_REAL, .min = 0, .max = 1e9, .value = "0.01"},
    {.name = NULL},
};

static const char *resize_at(const void *self, size_t index, const struct loom_param **declared)
{
    (void)self;
    *declared = params;
    return index == 0 ? "speedup" : NULL;
}

int loom_resize_parse(struct loom_resize *out, const char *text, struct loom_error *err)
{
    static const struct loom_spec_list list = {"way to set processors", "it is speedup:NAME=VALUE",
                                               resize_at, NULL};
    struct loom_params *given = NULL;
    size_t index;
    int rc = loom_spec_parse(&index, &given, &list, text, err);
    if (rc)
        return rc;
    *out = (struct loom_resize){.speedup = {.kind = loom_params_choice(given, "function") == 0
                                                        ? LOOM_SPEEDUP_DOWNEY
                                                        : LOOM_SPEEDUP_SEVCIK,
                                            .sigma = loom_params_real(given, "sigma"),
                                            .imbalance = loom_params_real(given, "imbalance"),
                                            .fixed_s = loom_params_real(given, "fixed"),
                                            .per_processor_s =
                                                loom_params_real(given, "per-processor")},
                                .noted = loom_params_choice(given, "jobs") == 1,
                                .efficiency = loom_params_real(given, "efficiency")};
    loom_params_destroy(given);
    return 0;
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Speedup parameters from notes, by job number. */
struct notes {
    struct loom_map numbers;
    struct noted {
        double parallelism, sigma;
    } * of;
};

static int add_note(struct notes *notes, const char *text, struct loom_error *err)
{
    int64_t number;
    struct noted noted;
    if (sscanf(text, "job %" SCNd64 " parallelism %lf sigma %lf", &number, &noted.parallelism,
               &noted.sigma) != 3)
        return 0;
    if (!(noted.parallelism >= 1 && noted.parallelism <= INT32_MAX && noted.sigma >= 0 &&
          noted.sigma <= 1e6))
        return loom_fail(err, LOOM_EDATA,
                         "job %" PRId64 " is noted with parallelism %g and sigma %g; they are at "
                         "least 1 and 0",
                         number, noted.parallelism, noted.sigma);
    uint32_t index = loom_map_intern(&notes->numbers, (uint64_t)number);
    if (index == LOOM_MAP_NONE)
        return loom_fail_memory(err);
    notes->of[index] = noted;
    return 0;
}

static int read_notes(struct notes *notes, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_directive *lines;
    size_t n = loom_trace_directives(trace, &lines);
    int rc = 0;
    *notes = (struct notes){.of = malloc((n + 1) * sizeof *notes->of)};
    if (!notes->of)
        return loom_fail_memory(err);
    for (size_t i = 0; i < n && !rc; i++)
        if (lines[i].key && strcasecmp(lines[i].key, "Note") == 0 && lines[i].value)
            rc = add_note(notes, lines[i].value, err);
    if (!rc && notes->numbers.n == 0)
        rc = loom_fail_field(err, LOOM_EDATA, "jobs",
                             "no job has a note of its speedup; generate writes them with "
                             "speedups, and without them jobs must be size");
    return rc;
}

static void free_notes(struct notes *notes)
{
    loom_map_free(&notes->numbers);
    free(notes->of);
}

static void take_note(struct loom_speedup *speedup, const struct notes *notes, int64_t number)
{
    uint32_t index = loom_map_find(&notes->numbers, (uint64_t)number);
    if (index == LOOM_MAP_NONE)
        return;
    speedup->parallelism = notes->of[index].parallelism;
    speedup->sigma = notes->of[index].sigma;
}

/* ---- jobs ------------------------------------------------------------------------------------ */

/* Return the work that takes run_s on n processors; 0 if the runtime is all overhead. */
static double resize_work_of(const struct loom_speedup *speedup, double run_s, int64_t n)
{
    double none_s = loom_moldable_run_s(speedup, 0, n);
    double each_s = loom_moldable_run_s(speedup, 1, n) - none_s;
    return fmax(run_s - none_s, 0) / each_s;
}

/* Return the largest size with the wanted efficiency, which falls with the size. */
static int64_t best_size(const struct loom_resize *resize, const struct loom_speedup *speedup,
                         double work_s, int64_t most)
{
    int64_t low = 1, high = most;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        double enough = resize->efficiency * (double)middle * (1 - 1e-12);
        if (loom_moldable_speedup(speedup, work_s, middle) >= enough)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Resize a job; the requested time is scaled like the runtime. */
static void resize_job(struct loom_columns *columns, size_t i, struct loom_resize *resize,
                       const struct notes *notes, int64_t most)
{
    int64_t run_s = columns->run_s[i], request_s = columns->request_s[i];
    int32_t size = columns->req_procs[i] > 0 ? columns->req_procs[i] : columns->alloc_procs[i];
    struct loom_speedup speedup = resize->speedup;
    if (run_s < 0 || size < 1)
        return;
    speedup.parallelism = size;
    if (resize->noted)
        take_note(&speedup, notes, columns->number[i]);
    double work_s = resize_work_of(&speedup, (double)run_s, size);
    int64_t procs = best_size(resize, &speedup, work_s, most > size ? most : size);
    if (procs == size)
        return;
    double new_s = loom_moldable_run_s(&speedup, work_s, procs);
    columns->run_s[i] = loom_whole_seconds(new_s, run_s > 0);
    columns->req_procs[i] = columns->alloc_procs[i] = (int32_t)procs;
    if (request_s > 0 && run_s > 0)
        columns->request_s[i] = loom_whole_seconds((double)request_s * new_s / (double)run_s, 1);
    resize->changed++;
}

static int resize_note(struct loom_trace *trace, const struct loom_resize *resize,
                       const struct loom_machine_size *size, struct loom_error *err)
{
    char text[240];
    snprintf(text, sizeof text,
             "processors set by speedup (%s, efficiency %g) on a machine of %" PRId64
             ", %s: %" PRId64 " of %zu jobs changed",
             functions[resize->speedup.kind == LOOM_SPEEDUP_SEVCIK], resize->efficiency,
             size->procs, loom_size_source_text(size->source), resize->changed,
             loom_trace_count(trace));
    return loom_trace_add_directive(trace, "Note", text, err);
}

int loom_trace_resize(struct loom_trace *trace, struct loom_resize *resize, struct loom_error *err)
{
    static const enum loom_column written[] = {LOOM_COLUMN_run_s,       LOOM_COLUMN_req_procs,
                                               LOOM_COLUMN_alloc_procs, LOOM_COLUMN_request_s,
                                               LOOM_COLUMN_wait_s,      LOOM_COLUMN_cpu_s};
    static const int64_t unknown = -1;
    static const double unknown_cpu = -1;
    struct notes notes = {0};
    struct loom_machine_size size;
    if (!trace || !resize)
        return loom_fail_null(err, trace ? "how" : "trace");
    resize->changed = 0;
    if (!(resize->efficiency > 0 && resize->efficiency <= 1))
        return loom_fail_field(err, LOOM_ERANGE, "efficiency",
                               "efficiency must be above 0 and at most 1, not %g",
                               resize->efficiency);
    int rc = loom_trace_machine_size(&size, trace, err);
    if (!rc && resize->noted)
        rc = read_notes(&notes, trace, err);
    for (size_t i = 0; i < sizeof written / sizeof *written && !rc; i++)
        rc = loom_trace_own(trace, written[i], err);
    for (size_t i = 0; i < loom_trace_count(trace) && !rc; i++)
        resize_job(&trace->columns, i, resize, &notes,
                   size.procs < INT32_MAX ? size.procs : INT32_MAX);
    free_notes(&notes);
    if (rc)
        return rc;
    loom_trace_set_column(trace, LOOM_COLUMN_wait_s, &unknown);
    loom_trace_set_column(trace, LOOM_COLUMN_cpu_s, &unknown_cpu);
    return resize_note(trace, resize, &size, err);
}
