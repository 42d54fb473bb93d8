/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batsim profiles of synthetic applications (application.h). Jobs of the same runtime R and size P
 * share one, app_R_P: a sequence, repeated, of its phases. A phase is computing and communication,
 * the same on all processors, app_R_P_kw, and then the wait for the slowest, app_R_P_kb, where
 * there is one.
 */
#include "trace/application.h"
#include "trace/formats/batsim/batsim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct shape {
    int64_t run_s;
    int32_t procs;
};

static int by_shape(const void *a, const void *b)
{
    const struct shape *x = a, *y = b;
    if (x->run_s != y->run_s)
        return x->run_s < y->run_s ? -1 : 1;
    return (x->procs > y->procs) - (x->procs < y->procs);
}

static int write_phase(struct loom_output *out, const char *name, size_t k,
                       const struct loom_phase *phase, const struct loom_application *application,
                       struct loom_error *err)
{
    int rc = loom_output_printf(out, err,
                                ",\n  \"%s_%zuw\": {\"type\": \"parallel_homogeneous\", \"cpu\": "
                                "%.17g, \"com\": %" PRId64 "}",
                                name, k, phase->work_s * application->flops,
                                application->exchange_bytes);
    if (!rc && phase->wait_s > 0)
        rc = loom_output_printf(out, err,
                                ",\n  \"%s_%zub\": {\"type\": \"delay\", \"delay\": %.17g}", name,
                                k, phase->wait_s);
    return rc;
}

static int write_application(struct loom_output *out, struct shape shape, const char *before,
                             const struct loom_application *application, struct loom_error *err)
{
    struct loom_loop loop;
    char name[64];
    snprintf(name, sizeof name, "app_%" PRId64 "_%" PRId32, shape.run_s, shape.procs);
    loom_application_loop(&loop, application, shape.run_s, shape.procs);
    int rc = loom_output_printf(out, err,
                                "%s\n  \"%s\": {\"type\": \"composed\", \"repeat\": %" PRId64
                                ", \"seq\": [",
                                before, name, loop.repeat);
    for (size_t k = 0; k < loop.n && !rc; k++) {
        rc = loom_output_printf(out, err, "%s\"%s_%zuw\"", k ? ", " : "", name, k + 1);
        if (!rc && loop.phases[k].wait_s > 0)
            rc = loom_output_printf(out, err, ", \"%s_%zub\"", name, k + 1);
    }
    if (!rc)
        rc = loom_output_printf(out, err, "]}");
    for (size_t k = 0; k < loop.n && !rc; k++)
        rc = write_phase(out, name, k + 1, &loop.phases[k], application, err);
    return rc;
}

int loom_batsim_write_applications(const struct loom_trace *trace, struct loom_output *out,
                                   const struct loom_application *application,
                                   struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct shape *shapes = malloc((jobs->n + 1) * sizeof *shapes);
    if (!shapes)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++)
        shapes[i] = (struct shape){jobs->run_s[i], loom_job_procs(jobs, i)};
    qsort(shapes, jobs->n, sizeof *shapes, by_shape);
    int rc = loom_output_printf(out, err, "\"profiles\": {");
    for (size_t i = 0; i < jobs->n && !rc; i++)
        if (i == 0 || by_shape(&shapes[i], &shapes[i - 1]) != 0)
            rc = write_application(out, shapes[i], i ? "," : "", application, err);
    free(shapes);
    return rc ? rc : loom_output_printf(out, err, "\n}\n");
}
