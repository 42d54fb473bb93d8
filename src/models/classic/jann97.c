/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model of Jann and others, 1997 (survey 3.2; Lublin 4.1): jobs fall into classes of size
 * delimited by powers of two, 1, 2, 3 to 4, 5 to 8 and so on. Each class has its own interarrival
 * times and runtimes, from hyper-Erlang distributions of common order with the log's first three
 * moments. Powers of two get no special treatment. Within a class, sizes have geometric weights,
 * with the ratio that gives the log's mean size: the maximum-entropy distribution with this mean.
 * sizes=uniform gives equal weights.
 *
 * Classes of fewer than 30 jobs are merged with the next one. If no hyper-Erlang distribution has
 * the moments (all values are equal, or all but one are zero), an Erlang distribution with the mean
 * and about the variance is used.
 *
 * Without correlation, the runtime is drawn from a random class; without burstiness, the
 * interarrival times of a class are exponential. The arrival process starts in its steady state.
 */
#include "base/draw.h"
#include "models/model.h"
#include "models/size_classes.h"
#include "stats/dist/dist.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_JOBS = 60, LEAST_IN_CLASS = 30, MAX_CLASSES = LOOM_SIZE_CLASSES };

static const char *const ways[] = {"mean", "uniform", NULL};

static const struct loom_param params[] = {
    LOOM_CHOICE_PARAM("sizes", ways, "mean", NULL,
                      "sizes within a class: of the log's mean, or all alike"),
    {.name = NULL},
};

struct class
{
    int32_t low, high; /* sizes */
    double mean;       /* of these */
    struct loom_dist interarrival, run;
};

struct jann97 {
    size_t n;
    struct class *classes; /* by rising size */
};

static void describe_class(struct class *class, int64_t above, struct loom_codec *codec)
{
    int64_t low = class->low, high = class->high;
    loom_codec_procs(codec, "from_procs", &low, above + 1);
    loom_codec_procs(codec, "to_procs", &high, low);
    class->low = (int32_t)low;
    class->high = (int32_t)high;
    loom_codec_real(codec, "mean_procs", &class->mean, (double)low, (double)high);
    loom_codec_dist(codec, "interarrival_s", &class->interarrival, "hypererlang");
    loom_codec_dist(codec, "run_s", &class->run, "hypererlang");
}

static void jann97_describe(void *state, struct loom_codec *codec)
{
    struct jann97 *model = state;
    loom_codec_list(codec, "classes", &model->n, 1, MAX_CLASSES);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec)) {
        model->classes = calloc(model->n, sizeof *model->classes);
        if (!model->classes)
            loom_codec_refuse(codec, "classes", "is too long for the memory there is");
    }
    for (size_t i = 0; i < model->n && !loom_codec_failed(codec); i++) {
        loom_codec_item(codec, i);
        describe_class(&model->classes[i], i ? model->classes[i - 1].high : 0, codec);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
}

/* ---- fitting --------------------------------------------------------------------------------- */

/* Find the classes of the log; the last one ends at the machine size. */
static void find_classes(struct jann97 *model, const struct loom_shapes *shapes, int32_t procs)
{
    int32_t from[LOOM_SIZE_CLASSES];
    model->n = loom_size_classes(from, shapes->procs, NULL, shapes->n, LEAST_IN_CLASS);
    for (size_t i = 0; i < model->n; i++)
        model->classes[i] =
            (struct class){.low = from[i], .high = i + 1 < model->n ? from[i + 1] - 1 : procs};
}

/* Match a hyper-Erlang distribution to the moments of a sample. */
static int jann97_match(struct loom_dist *out, const double *x, size_t n, struct loom_error *err)
{
    double m1 = 0, m2 = 0, m3 = 0;
    for (size_t i = 0; i < n; i++) {
        m1 += x[i] / (double)n;
        m2 += x[i] * x[i] / (double)n;
        m3 += x[i] * x[i] * x[i] / (double)n;
    }
    if (n > 2 && loom_hypererlang_match(out, m1, m2, m3, NULL) == 0)
        return 0;
    double mean = n > 0 && m1 > 0 ? m1 : 0.25, variance = m2 - m1 * m1;
    double order = variance > 0 ? fmin(1000, fmax(1, round(mean * mean / variance))) : 1000;
    double erlang[] = {order, 1, mean / order};
    return loom_dist_init(out, "hypererlang", erlang, 3, err);
}

static int fit_class(struct class *class, const struct loom_training *log,
                     const struct loom_shapes *shapes, double *x, struct loom_error *err)
{
    size_t n = 0, gaps = 0;
    int64_t before_s = 0;
    double procs = 0;
    for (size_t i = 0; i < shapes->n; i++)
        if (shapes->procs[i] >= class->low && shapes->procs[i] <= class->high) {
            x[n++] = (double)shapes->run_s[i];
            procs += shapes->procs[i];
        }
    bool uniform = n == 0 || strcmp(loom_params_text(log->params, "sizes"), "uniform") == 0;
    class->mean = uniform ? ((double)class->low + class->high) / 2 : procs / (double)n;
    int rc = jann97_match(&class->run, x, n, err);
    for (size_t i = 0, seen = 0; i < shapes->n; i++) {
        if (shapes->procs[i] < class->low || shapes->procs[i] > class->high)
            continue;
        int64_t submit_s = log->jobs->submit_s[shapes->job[i]];
        if (seen++ > 0)
            x[gaps++] = (double)(submit_s - before_s);
        before_s = submit_s;
    }
    return rc ? rc : jann97_match(&class->interarrival, x, gaps, err);
}

static int jann97_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct jann97 *model = state;
    struct loom_shapes shapes;
    int rc = loom_shapes_create(&shapes, log, "jann97", LEAST_JOBS, err);
    if (rc)
        return rc;
    double *x = malloc(shapes.n * sizeof *x);
    model->classes = calloc(MAX_CLASSES, sizeof *model->classes);
    rc = x && model->classes ? 0 : loom_fail_memory(err);
    if (!rc)
        find_classes(model, &shapes, log->procs);
    for (size_t i = 0; i < model->n && !rc; i++)
        rc = fit_class(&model->classes[i], log, &shapes, x, err);
    free(x);
    loom_shapes_free(&shapes);
    return rc;
}

/* ---- generating ---------------------------------------------------------------------------------
 */

/* Sizes of a class: a truncated geometric distribution with ratio e^-fall, from the more frequent
 * end. */
struct sizes {
    int32_t first, step; /* the most frequent one; 1 or -1 */
    double n;            /* how many sizes there are */
    double fall;         /* 0: uniform; infinite: only the first */
};

/* Return the distance of the mean from the first of n sizes minus the wanted one, given
 * log(fall). */
static double distance_excess(double log_fall, void *context)
{
    const double *wanted = context, n = wanted[1], fall = exp(log_fall);
    return 1 / expm1(fall) - n / expm1(n * fall) - wanted[0];
}

static struct sizes open_sizes(const struct class *class)
{
    bool rising = class->mean - class->low > class->high - class->mean;
    struct sizes sizes = {.first = rising ? class->high : class->low,
                          .step = rising ? -1 : 1,
                          .n = (double)class->high - class->low + 1};
    double wanted[] = {fabs(class->mean - sizes.first), sizes.n}, log_fall = 0;
    double least = log(1e-4 / sizes.n), most = log(30);
    if (wanted[0] <= 0)
        sizes.fall = INFINITY;
    else if (distance_excess(least, wanted) > 0) {
        loom_root(&log_fall, distance_excess, wanted, least, most, 1e-12);
        sizes.fall = exp(log_fall);
    }
    return sizes;
}

static int32_t draw_size(const struct sizes *sizes, struct loom_stream *stream)
{
    double u = loom_draw_uniform(stream), position = sizes->n * u;
    if (isinf(sizes->fall))
        position = 0;
    else if (sizes->fall > 0)
        position = -log1p(u * expm1(-sizes->n * sizes->fall)) / sizes->fall;
    return sizes->first + sizes->step * (int32_t)fmin(position, sizes->n - 1);
}

/* The streams of a class, and its next arrival. */
struct source {
    struct loom_stream gaps, shapes;
    struct sizes sizes;
    double next_s, mean_s;
};

struct maker {
    const struct jann97 *model;
    struct loom_generation *generation;
    struct source *sources;
    gsl_ran_discrete_t *classes; /* of jobs, weighted by arrival rate */
    struct loom_stream others;
};

static void jann97_advance(const struct maker *maker, size_t i)
{
    struct source *source = &maker->sources[i];
    double gap_s =
        maker->generation->without & LOOM_BURSTINESS
            ? gsl_ran_exponential(&source->gaps.gsl, source->mean_s)
            : loom_dist_sample(&maker->model->classes[i].interarrival, &source->gaps.gsl);
    source->next_s += gap_s / maker->generation->rate;
}

/* Draw the time to the first job of a stationary process: the residual of a length-biased gap. A
 * branch has probability proportional to weight times scale, since all have the same number of
 * stages, and the current stage is uniform. */
static double residual_s(const struct loom_dist *gap, struct loom_stream *stream)
{
    const double *branch = gap->params + 1, *end = gap->params + gap->n_params;
    double length = 0;
    for (const double *b = branch; b < end; b += 2)
        length += b[0] * b[1];
    double position = length * loom_draw_uniform(stream);
    for (; branch + 2 < end && position >= branch[0] * branch[1]; branch += 2)
        position -= branch[0] * branch[1];
    uint64_t stages = 1 + loom_stream_below(stream, (uint64_t)gap->params[0]);
    return gsl_ran_gamma(&stream->gsl, (double)stages, branch[1]);
}

/* Draw the first arrival of a class; exponential gaps are memoryless. */
static void jann97_start(const struct maker *maker, size_t i)
{
    struct source *source = &maker->sources[i];
    if (maker->generation->without & LOOM_BURSTINESS)
        jann97_advance(maker, i);
    else
        source->next_s = residual_s(&maker->model->classes[i].interarrival, &source->gaps) /
                         maker->generation->rate;
}

static int open_sources(struct maker *maker, struct loom_error *err)
{
    const struct jann97 *model = maker->model;
    double rates[MAX_CLASSES];
    maker->sources = calloc(model->n, sizeof *maker->sources);
    if (!maker->sources)
        return loom_fail_memory(err);
    for (size_t i = 0; i < model->n; i++) {
        struct source *source = &maker->sources[i];
        char purpose[32];
        snprintf(purpose, sizeof purpose, "jann97 times %zu", i);
        loom_generation_stream(&source->gaps, maker->generation, purpose);
        snprintf(purpose, sizeof purpose, "jann97 shapes %zu", i);
        loom_generation_stream(&source->shapes, maker->generation, purpose);
        source->sizes = open_sizes(&model->classes[i]);
        source->mean_s = loom_dist_mean(&model->classes[i].interarrival);
        rates[i] = 1 / source->mean_s;
        jann97_start(maker, i);
    }
    maker->classes = loom_alias_create(model->n, rates);
    loom_generation_stream(&maker->others, maker->generation, "jann97 classes");
    return maker->classes ? 0 : loom_fail_memory(err);
}

static size_t next_class(const struct maker *maker)
{
    size_t first = 0;
    for (size_t i = 1; i < maker->model->n; i++)
        if (maker->sources[i].next_s < maker->sources[first].next_s)
            first = i;
    return first;
}

static void jann97_make_job(struct maker *maker, size_t job, size_t i)
{
    const struct class *class = &maker->model->classes[i], *like = class;
    struct loom_draft *draft = &maker->generation->draft;
    struct source *source = &maker->sources[i];
    int32_t procs = draw_size(&source->sizes, &source->shapes);
    if (maker->generation->without & LOOM_CORRELATION)
        like = &maker->model->classes[gsl_ran_discrete(&maker->others.gsl, maker->classes)];
    draft->submit_s[job] = loom_whole_seconds(floor(source->next_s), 0);
    draft->procs[job] = loom_generation_size(maker->generation, procs);
    draft->run_s[job] = loom_whole_seconds(loom_dist_sample(&like->run, &source->shapes.gsl), 1);
}

static int jann97_make_jobs(struct maker *maker, struct loom_error *err)
{
    struct loom_generation *generation = maker->generation;
    size_t n = 0;
    for (; n < generation->jobs; n++) {
        size_t i = next_class(maker);
        if (maker->sources[i].next_s >= (double)generation->horizon_s)
            break;
        int rc = n < generation->draft.n ? 0 : loom_generation_more(generation, err);
        if (rc)
            return rc;
        jann97_make_job(maker, n, i);
        jann97_advance(maker, i);
    }
    return loom_draft_resize(&generation->draft, n, err);
}

static int jann97_generate(const void *state, struct loom_generation *generation,
                           struct loom_error *err)
{
    struct maker maker = {.model = state, .generation = generation};
    int rc = open_sources(&maker, err);
    if (!rc)
        rc = jann97_make_jobs(&maker, err);
    loom_alias_destroy(maker.classes);
    free(maker.sources);
    return rc;
}

static void jann97_clear(void *state)
{
    free(((struct jann97 *)state)->classes);
}

static const char locality[] = "jobs of one size follow one another because classes are bursty; "
                               "leave out burstiness, and it goes with it";

const struct loom_model_ops loom_model_jann97 = {
    .info = {.name = "jann97",
             .summary = "by class of size, hyper-Erlang times with the log's first three moments",
             .source = "Feitelson 2002, 3.2; Lublin 2003, 4.1",
             .can_fit = true,
             .traits = LOOM_CORRELATION | LOOM_BURSTINESS,
             .params = params},
    .bound = {NULL, NULL, NULL, locality},
    .state_size = sizeof(struct jann97),
    .fit = jann97_fit,
    .describe = jann97_describe,
    .generate = jann97_generate,
    .clear = jann97_clear,
};
