/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Downey's model of 1997 (survey 5.2 and Lublin 5.3 name its speedup function, Lublin 4.1 its sizes
 * without powers of two; the rest is from the archive's page of the model): jobs are moldable. The
 * total work of a job, which is its runtime on one processor, and its average parallelism are
 * log-uniform and independent; the variance of its parallelism is uniform. Its runtime on n
 * processors follows from the speedup function, Downey's or Sevcik's.
 *
 * In the trace, the size of a job is its average parallelism, rounded: as many as it can use
 * efficiently. The upper end of parallelism scales with the machine. Without correlation, the
 * runtime is that of an independent job.
 *
 * The fit is Downey's: the cdf of a log-uniform variable is a straight line over log x, so a
 * least-squares line through the log's cdf gives both ends. Parallelism is estimated from sizes:
 * size n is any parallelism below n + 1/2. Work is size times runtime, minus the mean loss of the
 * speedup function at that size over sigma. Runtimes are whole seconds, so work has bounds; between
 * them it is log-uniform too. A straight line has no tail, where most of the work is: to keep the
 * log's mean work, and so its load, the upper end is moved.
 */
#include "base/compare.h"
#include "base/search.h"
#include "models/model.h"
#include "stats/dist/dist.h"

#include <math.h>
#include <stdlib.h>

static const char *const speedup_names[] = {"downey", "sevcik", NULL};

enum { MEANS_FREE, MEANS_LOG };
static const char *const mean_names[] = {"free", "log", NULL};

static const struct loom_param params[] = {
    LOOM_ARRIVALS_PARAM("poisson",
                        "the arrival process; poisson has a day of two parts (day=two-part)"),
    LOOM_CHOICE_PARAM(
        "means", mean_names, "free", NULL,
        "leave work as Downey's line has it, or give it the log's mean, and so its load"),
    LOOM_CHOICE_PARAM("speedup", speedup_names, "downey", NULL, "the speedup function"),
    LOOM_REAL_PARAM("max-sigma", 0, 100, "2", NULL,
                    "Downey's speedup: the variance of parallelism is uniform between 0 and this"),
    LOOM_REAL_PARAM("imbalance", 1, 1000, "1.1", NULL,
                    "Sevcik's speedup: by how much imbalance prolongs parallel work"),
    LOOM_REAL_PARAM("fixed", 0, 1e9, "1", "SECONDS",
                    "Sevcik's speedup: what cannot be done in parallel"),
    LOOM_REAL_PARAM("per-processor", 0, 1e9, "0.01", "SECONDS",
                    "Sevcik's speedup: what each processor adds"),
    {.name = NULL},
};

enum { LEAST_JOBS = 50 };

struct downey97 {
    struct loom_part arrivals;
    struct loom_dist work, parallelism; /* log-uniform */
    int speedup;                        /* an enum loom_speedup_kind */
    double max_sigma;
    double imbalance, fixed_s, per_processor_s;
    struct loom_means_kept kept; /* by a fit that was to keep them; documents do not have it */
};

static void take_speedup(struct downey97 *model, const struct loom_params *given)
{
    model->speedup =
        loom_params_text(given, "speedup")[0] == 's' ? LOOM_SPEEDUP_SEVCIK : LOOM_SPEEDUP_DOWNEY;
    model->max_sigma = loom_params_real(given, "max-sigma");
    model->imbalance = loom_params_real(given, "imbalance");
    model->fixed_s = loom_params_real(given, "fixed");
    model->per_processor_s = loom_params_real(given, "per-processor");
}

/* Return the speedup function of a job whose variance is share u of the maximum. */
static struct loom_speedup speedup_of(const struct downey97 *model, double parallelism, double u)
{
    return (struct loom_speedup){.kind = (enum loom_speedup_kind)model->speedup,
                                 .parallelism = fmax(parallelism, 1),
                                 .sigma = u * model->max_sigma,
                                 .imbalance = model->imbalance,
                                 .fixed_s = model->fixed_s,
                                 .per_processor_s = model->per_processor_s};
}

enum { PUBLISHED_PROCS = 128 };

static int downey97_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    struct downey97 *model = state;
    take_speedup(model, given);
    int rc = loom_dist_init(&model->work, "loguniform", (double[]){10, 1e6}, 2, err);
    if (!rc)
        rc = loom_dist_init(&model->parallelism, "loguniform", (double[]){1, PUBLISHED_PROCS}, 2,
                            err);
    return rc ? rc
              : loom_part_publish_with(&model->arrivals, loom_params_text(given, "arrivals"), given,
                                       "day", "two-part", err);
}

static void downey97_describe(void *state, struct loom_codec *codec)
{
    struct downey97 *model = state;
    loom_codec_part(codec, "arrivals", &model->arrivals);
    loom_codec_dist(codec, "work_s", &model->work, "loguniform");
    loom_codec_dist(codec, "parallelism", &model->parallelism, "loguniform");
    loom_codec_word(codec, "speedup", &model->speedup, speedup_names);
    loom_codec_real(codec, "max_sigma", &model->max_sigma, 0, 1e6);
    loom_codec_real(codec, "imbalance", &model->imbalance, 1, 1e6);
    loom_codec_real(codec, "fixed_s", &model->fixed_s, 0, 1e9);
    loom_codec_real(codec, "per_processor_s", &model->per_processor_s, 0, 1e9);
}

/* A log-uniform distribution to draw from; `reach` scales its upper end. */
struct span {
    double log_low, range;
};

static struct span span_of(const struct loom_dist *dist, double reach)
{
    double low = log(dist->params[0]), high = log(dist->params[1] * reach);
    return (struct span){low, fmax(high - low, 0)};
}

static int32_t size_of(double parallelism, int32_t most)
{
    double size = floor(parallelism + 0.5);
    return size < 1 ? 1 : size > most ? most : (int32_t)size;
}

/* ---- fitting --------------------------------------------------------------------------------- */

struct job {
    int32_t procs;
    int64_t run_s;
};

static int by_shape(const void *a, const void *b)
{
    const struct job *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->procs, y->procs),
                                 LOOM_COMPARE(x->run_s, y->run_s));
}

/* Fit a log-uniform distribution to points of its cdf. */
static int draw_line(struct loom_dist *out, const double *log_x, const double *share, size_t n,
                     struct loom_error *err)
{
    struct loom_line line;
    double ends[2];
    int rc = loom_line_fit(&line, log_x, share, n, err);
    if (!rc && line.slope > 0) {
        ends[0] = exp(-line.intercept / line.slope);
        ends[1] = exp((1 - line.intercept) / line.slope);
    } else { /* all values are one */
        ends[0] = exp(log_x[0] - 0.01);
        ends[1] = exp(log_x[0] + 0.01);
    }
    return loom_dist_init(out, "loguniform", ends, 2, err);
}

/* Fit parallelism: one point for each job, the share of jobs of at most its size. The largest size
 * is left out: larger parallelism was cut there. */
static int fit_parallelism(struct downey97 *model, const struct job *jobs, size_t n, double *x,
                           double *y, struct loom_error *err)
{
    size_t used = 0;
    for (size_t first = 0, next; first < n; first = next) {
        for (next = first; next < n && jobs[next].procs == jobs[first].procs; next++)
            ;
        for (size_t i = first; i < next && (next < n || first == 0); i++, used++) {
            x[used] = log(jobs[i].procs + 0.5);
            y[used] = (double)next / (double)n;
        }
    }
    return draw_line(&model->parallelism, x, y, used, err);
}

/* Return the mean over sigma of log(n / speedup) of a job of n processors. */
static double mean_log_loss(const struct downey97 *model, int32_t n)
{
    enum { POINTS = 64 };
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        struct loom_speedup speedup = speedup_of(model, n, (i + 0.5) / POINTS);
        sum += log((double)n / loom_moldable_speedup(&speedup, 1, n));
    }
    return sum / POINTS;
}

/* Return the logarithm of the work of a runtime; of otherwise_s if it is all overhead, which the
 * model does not have. */
static double log_work(const struct downey97 *model, int32_t procs, double run_s,
                       double otherwise_s, double loss)
{
    if (model->speedup == LOOM_SPEEDUP_DOWNEY)
        return log(run_s * procs) - loss;
    double parallel_s = run_s - model->fixed_s - model->per_processor_s * procs;
    return log((parallel_s > 0 ? parallel_s : otherwise_s) * procs /
               (procs > 1 ? model->imbalance : 1));
}

/* Jobs of equal size and runtime: their work is between two bounds. At 1 s, the shortest runtime,
 * there is no lower bound. */
struct alike {
    size_t jobs;
    double from, to; /* of log work */
};

/* jobs: in order of size and runtime. */
static size_t bound_work(struct alike *out, const struct downey97 *model, const struct job *jobs,
                         size_t n)
{
    size_t groups = 0;
    double loss = 0;
    for (size_t i = 0; i < n; i++) {
        bool resized = i == 0 || jobs[i].procs != jobs[i - 1].procs;
        if (resized && model->speedup == LOOM_SPEEDUP_DOWNEY)
            loss = mean_log_loss(model, jobs[i].procs);
        if (resized || jobs[i].run_s != jobs[i - 1].run_s) {
            int32_t procs = jobs[i].procs;
            double from_s = jobs[i].run_s > 1 ? (double)jobs[i].run_s - 0.5 : 0;
            double to_s = fmax((double)jobs[i].run_s, 0) + 0.5;
            out[groups++] = (struct alike){.from = log_work(model, procs, from_s, 0, loss),
                                           .to = log_work(model, procs, to_s, 0.5, loss)};
        }
        out[groups - 1].jobs++;
    }
    return groups;
}

/* Spread the work of each group evenly between its bounds, at or above `least` if possible. */
static void place_work(double *x, const struct alike *groups, size_t n, double least)
{
    for (size_t g = 0; g < n; g++) {
        double to = groups[g].to, from = fmin(fmax(groups[g].from, least), to);
        for (size_t i = 0; i < groups[g].jobs; i++)
            *x++ = from + (to - from) * ((double)i + 0.5) / (double)groups[g].jobs;
    }
}

/* Find the least work by fixed-point iteration: it depends on the placement of the shortest jobs,
 * and determines it. */
static int settle_work(struct downey97 *model, const struct alike *groups, size_t n_groups,
                       double *x, const double *y, size_t n, struct loom_error *err)
{
    enum { ROUNDS = 100 };
    double least = INFINITY, moved = INFINITY;
    for (int i = 0; i < ROUNDS && moved > 1e-6; i++) {
        place_work(x, groups, n_groups, least);
        int rc = loom_sort(x, n, err);
        if (!rc)
            rc = draw_line(&model->work, x, y, n, err);
        if (rc)
            return rc;
        moved = fabs(log(model->work.params[0]) - least);
        least = log(model->work.params[0]);
    }
    return 0;
}

static int fit_work(struct downey97 *model, const struct job *jobs, size_t n, double *x, double *y,
                    struct loom_error *err)
{
    struct alike *groups = malloc(n * sizeof *groups);
    if (!groups)
        return loom_fail_memory(err);
    size_t n_groups = bound_work(groups, model, jobs, n);
    for (size_t i = 0; i < n; i++)
        y[i] = ((double)i + 0.5) / (double)n;
    int rc = settle_work(model, groups, n_groups, x, y, n, err);
    free(groups);
    return rc;
}

static int fit_shapes(struct downey97 *model, const struct loom_shapes *shapes,
                      struct loom_error *err)
{
    struct job *jobs = malloc(shapes->n * sizeof *jobs);
    double *x = malloc(shapes->n * sizeof *x), *y = malloc(shapes->n * sizeof *y);
    int rc = jobs && x && y ? 0 : loom_fail_memory(err);
    if (!rc) {
        for (size_t i = 0; i < shapes->n; i++)
            jobs[i] = (struct job){shapes->procs[i], shapes->run_s[i]};
        qsort(jobs, shapes->n, sizeof *jobs, by_shape);
        rc = fit_parallelism(model, jobs, shapes->n, x, y, err);
    }
    if (!rc)
        rc = fit_work(model, jobs, shapes->n, x, y, err);
    free(jobs);
    free(x);
    free(y);
    return rc;
}

/* Return the mean over parallelism and sigma of processors times runtime of a job of this work, a
 * linear function of work. */
static double mean_shown(const struct downey97 *model, double work_s, int32_t procs)
{
    enum { POINTS = 256 };
    struct span parallelism = span_of(&model->parallelism, 1);
    double sum = 0;
    for (int i = 0; i < POINTS * POINTS; i++) {
        double a = exp(parallelism.log_low + parallelism.range * (i / POINTS + 0.5) / POINTS);
        struct loom_speedup speedup = speedup_of(model, a, (i % POINTS + 0.5) / POINTS);
        int32_t n = size_of(a, procs);
        sum += n * loom_moldable_run_s(&speedup, work_s, n);
    }
    return sum / (POINTS * POINTS);
}

/* Return the upper end of a log-uniform distribution with this lower end and mean. */
static double upper_end(double least, double mean)
{
    double low = least, high = 2 * mean;
    while ((high - least) / log(high / least) < mean)
        high *= 2;
    LOOM_HALVE(100, low, high, most, sqrt(low * high), (most - least) / log(most / least) < mean);
    return high;
}

static double mean_work(const struct loom_dist *work)
{
    double low = work->params[0], high = work->params[1];
    return high > low ? (high - low) / log(high / low) : low;
}

/* Move the upper end of work to keep the log's mean; do nothing if no upper end has it. */
static int keep_mean(struct downey97 *model, const struct loom_shapes *shapes, int32_t procs,
                     struct loom_error *err)
{
    double shown = 0, fixed = mean_shown(model, 0, procs), low = model->work.params[0];
    for (size_t i = 0; i < shapes->n; i++)
        shown += (double)shapes->run_s[i] * shapes->procs[i] / (double)shapes->n;
    double rise = mean_shown(model, 1, procs) - fixed, mean = (shown - fixed) / rise;
    int rc = mean > 1.01 * low ? loom_dist_init(&model->work, "loguniform",
                                                (double[]){low, upper_end(low, mean)}, 2, err)
                               : 0;
    model->kept =
        (struct loom_means_kept){.run = NAN,
                                 .work = (fixed + rise * mean_work(&model->work)) / shown};
    return rc;
}

static int downey97_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct downey97 *model = state;
    struct loom_shapes shapes;
    int rc = loom_shapes_create(&shapes, log, "downey97", LEAST_JOBS, err);
    if (rc)
        return rc;
    take_speedup(model, log->params);
    rc = fit_shapes(model, &shapes, err);
    if (!rc && loom_params_choice(log->params, "means") == MEANS_LOG)
        rc = keep_mean(model, &shapes, log->procs, err);
    loom_shapes_free(&shapes);
    return rc ? rc
              : loom_part_fit_with(&model->arrivals, loom_params_text(log->params, "arrivals"), log,
                                   "day", "two-part", err);
}

/* ---- generating ---------------------------------------------------------------------------------
 */

static double span_draw(const struct span *span, struct loom_stream *stream)
{
    return exp(span->log_low + span->range * loom_stream_uniform(stream));
}

static int open_notes(const struct downey97 *model, struct loom_generation *generation,
                      struct loom_error *err)
{
    if (!(generation->notes & LOOM_NOTE_SPEEDUP))
        return 0;
    if (model->speedup != LOOM_SPEEDUP_DOWNEY)
        return loom_fail_field(err, LOOM_EUSAGE, "notes",
                               "Sevcik's speedup is the same for all jobs, with nothing to note");
    return loom_draft_detail(&generation->draft, LOOM_DETAIL_SPEEDUP, err);
}

static void note_speedup(struct loom_draft *draft, size_t i, const struct loom_speedup *speedup)
{
    if (!draft->parallelism_millionths)
        return;
    draft->parallelism_millionths[i] = llrint(speedup->parallelism * 1e6);
    draft->sigma_millionths[i] = llrint(speedup->sigma * 1e6);
}

static int downey97_generate(const void *state, struct loom_generation *generation,
                             struct loom_error *err)
{
    const struct downey97 *model = state;
    struct loom_draft *draft = &generation->draft;
    int rc = loom_part_generate(&model->arrivals, generation, err);
    if (!rc)
        rc = open_notes(model, generation, err);
    if (rc)
        return rc;
    struct span work = span_of(&model->work, 1);
    struct span parallelism =
        span_of(&model->parallelism, (double)generation->procs / generation->log_procs);
    struct loom_stream works, shapes, others;
    loom_generation_stream(&works, generation, "downey97 work");
    loom_generation_stream(&shapes, generation, "downey97 parallelism");
    loom_generation_stream(&others, generation, "downey97 other jobs");
    for (size_t i = 0; i < draft->n; i++) {
        double a = span_draw(&parallelism, &shapes), sigma = loom_stream_uniform(&shapes);
        draft->procs[i] = size_of(a, generation->procs);
        if (generation->without & LOOM_CORRELATION)
            a = span_draw(&parallelism, &others);
        struct loom_speedup speedup = speedup_of(model, a, sigma);
        double run_s =
            loom_moldable_run_s(&speedup, span_draw(&work, &works), size_of(a, generation->procs));
        draft->run_s[i] = loom_whole_seconds(run_s, 1);
        note_speedup(draft, i, &speedup);
    }
    return 0;
}

static const struct loom_part *downey97_arrivals(const void *state)
{
    return &((const struct downey97 *)state)->arrivals;
}

static struct loom_means_kept means_kept(const void *state)
{
    return ((const struct downey97 *)state)->kept;
}

static unsigned downey97_traits(const void *state)
{
    return loom_part_traits(&((const struct downey97 *)state)->arrivals) | LOOM_CORRELATION;
}

static void downey97_clear(void *state)
{
    loom_part_clear(&((struct downey97 *)state)->arrivals);
}

static const char *const compared[] = {"means=log", NULL};

static const char *const fit_only[] = {"means", NULL};

const struct loom_model_ops loom_model_downey97 = {
    .info = {.name = "downey97",
             .summary = "moldable jobs: log-uniform work and parallelism, and a speedup function",
             .source =
                 "Feitelson 2002, 5.2; Lublin 2003, 4.1 and 5.3; the archive's page of the model",
             .defaults = LOOM_DEFAULTS_ILLUSTRATIVE,
             .can_fit = true,
             .moldable = true,
             .traits = LOOM_CORRELATION,
             .params = params,
             .variants = compared},
    .state_size = sizeof(struct downey97),
    .published_jobs = 10000,
    .published_procs = PUBLISHED_PROCS,
    .publish = downey97_publish,
    .fit_only = fit_only,
    .fit = downey97_fit,
    .describe = downey97_describe,
    .generate = downey97_generate,
    .arrivals = downey97_arrivals,
    .traits = downey97_traits,
    .means_kept = means_kept,
    .clear = downey97_clear,
};
