/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Synthetic applications (survey 5.2, after Rudolph and Feitelson): the work of a job is cut into
 * units between barriers, as many for each processor, whose sizes vary; all wait at the barrier for
 * the slowest. Applications are iterative: a few different phases are repeated in a loop.
 *
 * A log knows how long a job took and on how many processors. Phases are made to fit: sizes of
 * units are gamma variates of mean 1 and the given coefficient of variation, the time to a barrier
 * is the largest of them, and one scale for all brings the loop to the runtime.
 *
 * Applications differ: the mean time between barriers, the variation of units and their number are
 * gamma variates over jobs, with a mean and a coefficient of variation each (0: the same for all).
 * No text has these distributions (survey 5.2 says so); jobs of one runtime and size are one
 * application.
 */
#include "trace/application.h"

#include "trace/tool.h"

#include <gsl/gsl_randist.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const struct loom_param loom_application_params[] = {
    {.name = "structure",
     .type = LOOM_PARAM_FLAG,
     .help = "write jobs as synthetic applications (Batsim only)"},
    {.name = "phase",
     .type = LOOM_PARAM_REAL,
     .min = 1e-3,
     .max = 1e9,
     .value = "60",
     .metavar = "SECONDS",
     .help = "mean time between barriers"},
    {.name = "phase-kinds",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = LOOM_APPLICATION_KINDS,
     .value = "4",
     .metavar = "N",
     .help = "number of different phases in a loop"},
    {.name = "variability",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 100,
     .value = "0.3",
     .metavar = "CV",
     .help = "CV of the size of a work unit"},
    {.name = "phase-cv",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 100,
     .value = "0",
     .metavar = "CV",
     .help = "CV over jobs of their mean time between barriers"},
    {.name = "variability-cv",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 100,
     .value = "0",
     .metavar = "CV",
     .help = "CV over jobs of their variability"},
    {.name = "units",
     .type = LOOM_PARAM_REAL,
     .min = 1,
     .max = 1e6,
     .value = "1",
     .metavar = "N",
     .help = "mean number of work units of a processor between two barriers"},
    {.name = "units-cv",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 100,
     .value = "0",
     .metavar = "CV",
     .help = "CV over jobs of that number"},
    {.name = "exchange",
     .type = LOOM_PARAM_BYTES,
     .min = 0,
     .max = 0x1p53,
     .value = "0",
     .metavar = "BYTES",
     .help = "bytes between each pair of processors in a phase"},
    {.name = "flops",
     .type = LOOM_PARAM_REAL,
     .min = 1,
     .max = 1e24,
     .value = "1e9",
     .metavar = "FLOPS",
     .help = "operations per second of a processor"},
    {.name = "structure-seed",
     .type = LOOM_PARAM_INT,
     .min = 0,
     .max = 0x1p53,
     .value = "1",
     .metavar = "N",
     .help = "random seed of the structure"},
    {.name = NULL},
};

bool loom_application_take(struct loom_application *out, const struct loom_params *params)
{
    *out = (struct loom_application){
        .phase_s = loom_params_real(params, "phase"),
        .kinds = loom_params_int(params, "phase-kinds"),
        .variability = loom_params_real(params, "variability"),
        .phase_cv = loom_params_real(params, "phase-cv"),
        .variability_cv = loom_params_real(params, "variability-cv"),
        .units = loom_params_real(params, "units"),
        .units_cv = loom_params_real(params, "units-cv"),
        .exchange_bytes = loom_params_int(params, "exchange"),
        .flops = loom_params_real(params, "flops"),
        .seed = (uint64_t)loom_params_int(params, "structure-seed"),
    };
    return loom_params_flag(params, "structure");
}

/* Mean and largest work of a processor in one phase, in units of their expectation. The sum of n
 * gamma variates is one of n times the shape. */
static struct loom_phase draw_phase(const struct loom_application *application, int32_t procs,
                                    struct loom_stream *stream)
{
    double cv = application->variability, units = fmax(application->units, 1), sum = 0, most = 0;
    if (!(cv > 0))
        return (struct loom_phase){1, 0};
    for (int32_t i = 0; i < procs; i++) {
        double work = gsl_ran_gamma(&stream->gsl, units / (cv * cv), cv * cv / units);
        sum += work;
        most = fmax(most, work);
    }
    return (struct loom_phase){sum / procs, most - sum / procs};
}

static double draw_around(double mean, double cv, struct loom_stream *stream)
{
    return cv > 0 ? gsl_ran_gamma(&stream->gsl, 1 / (cv * cv), mean * cv * cv) : mean;
}

/* The parameters of one job. */
static struct loom_application draw_parameters(const struct loom_application *of,
                                               struct loom_stream *stream)
{
    struct loom_application own = *of;
    own.phase_s = fmax(draw_around(of->phase_s, of->phase_cv, stream), 1e-3);
    own.variability = draw_around(of->variability, of->variability_cv, stream);
    own.units = fmax(1, round(draw_around(of->units, of->units_cv, stream)));
    return own;
}

void loom_application_loop(struct loom_loop *out, const struct loom_application *application,
                           int64_t run_s, int32_t procs)
{
    char purpose[64];
    struct loom_stream stream;
    snprintf(purpose, sizeof purpose, "application %" PRId64 " %" PRId32, run_s, procs);
    loom_stream_init(&stream, application->seed, 0, purpose);
    struct loom_application own = draw_parameters(application, &stream);
    double least_s = 1e-3, length_s = fmax((double)run_s, least_s);
    double barriers = fmax(1, round(length_s / own.phase_s)), sum = 0;
    out->n = (size_t)fmin(barriers, (double)application->kinds);
    out->repeat = (int64_t)fmax(1, round(barriers / (double)out->n));
    for (size_t i = 0; i < out->n; i++) {
        out->phases[i] = draw_phase(&own, procs, &stream);
        sum += out->phases[i].work_s + out->phases[i].wait_s;
    }
    if (!(sum > 0)) { /* units so uneven that all of them came out as nothing */
        out->phases[0].work_s = sum = 1;
        out->n = 1;
    }
    double scale_s = length_s / ((double)out->repeat * sum);
    for (size_t i = 0; i < out->n; i++) {
        out->phases[i].work_s *= scale_s;
        out->phases[i].wait_s *= scale_s;
    }
}
