/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runtimes with locality and correlated sizes: the model of Minh and Wolters (2009) as described in
 * Minh 2012 (7.2.1, with 2.3.2, 3.3.1 and 3.3.3; docs/methods/models-minh.md lists our choices).
 *
 * A run is a sequence of jobs of one kind; its length follows a Zipf distribution. Jobs are
 * generated run by run: a kind other than the previous one, a length, and for each job of the run a
 * runtime of that kind and a number of processors from the table of the kind.
 *
 * Each kind has its own distribution of lengths, up to the longest in the log, and a frequency that
 * keeps its share of the jobs. Kinds overlap, and a run consists of jobs with one label: its
 * runtimes are drawn from the whole mixture where its kind is the most likely one. So runs stay
 * whole, and all jobs together have the distribution of the mixture.
 */
#include "models/minh/minh2009.h"
#include "base/draw.h"

#include <math.h>
#include <stdlib.h>

enum { FEWEST = 30, SPARES = 128 };

static const struct loom_param params[] = {
    LOOM_ARRIVALS_PARAM("poisson", "the arrival process"),
    {.name = NULL},
};

/* ---- fitting --------------------------------------------------------------------------------- */

static int minh2009_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_minh2009 *minh = state;
    struct loom_shapes jobs = {0};
    uint32_t *kind_of = NULL;
    int rc = loom_shapes_create(&jobs, log, "minh2009", FEWEST, err);
    if (!rc)
        rc = loom_minh_shapes_fit(&minh->shapes, &kind_of, &jobs, NULL, log->pool, err);
    if (!rc)
        rc = loom_minh2009_fit_runs(minh, kind_of, jobs.n, log->pool, err);
    if (!rc)
        rc = loom_part_fit(&minh->arrivals, loom_params_text(log->params, "arrivals"), log, err);
    free(kind_of);
    loom_shapes_free(&jobs);
    return rc;
}

static void minh2009_describe(void *state, struct loom_codec *codec)
{
    struct loom_minh2009 *minh = state;
    loom_codec_part(codec, "arrivals", &minh->arrivals);
    loom_minh_shapes_describe(&minh->shapes, codec);
    size_t n = minh->shapes.n_kinds;
    loom_codec_list(codec, "runs", &n, n, n);
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        !(minh->runs = calloc(n, sizeof *minh->runs)))
        loom_codec_refuse(codec, "", "needs more memory than there is");
    for (size_t k = 0; k < n && !loom_codec_failed(codec); k++) {
        loom_codec_item(codec, k);
        loom_codec_real(codec, "alpha", &minh->runs[k].alpha, LOOM_MINH_FLATTEST,
                        LOOM_MINH_STEEPEST);
        loom_codec_int(codec, "longest", &minh->runs[k].longest, 1, LOOM_MINH_LONGEST_RUN);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
}

/* ---- generating ---------------------------------------------------------------------------------
 */

/* Runtimes of a kind drawn but not used yet. */
struct unused_runtimes {
    size_t n;
    int64_t run_s[SPARES];
};

struct generator {
    const struct loom_minh2009 *minh;
    double share[LOOM_MINH_KINDS]; /* of jobs of the log */
    struct loom_minh_sampler sampler;
    struct loom_stream runs;
    gsl_ran_discrete_t *any;  /* kind of a job */
    gsl_ran_discrete_t *kind; /* kind of the next run */
    bool alternate;           /* no run is followed by one of its own kind */
    gsl_ran_discrete_t *length[LOOM_MINH_KINDS];
    struct unused_runtimes unused[LOOM_MINH_KINDS];
};

/* Kinds are drawn until one differs from the last, so the share of runs of kind k is proportional
 * to r_k (1 - r_k), with r the probabilities of a draw. Solve r_k = c q_k / (1 - r_k) for the
 * wanted shares q. Return false if a share is above a half: then there is no solution. */
static bool alternating(double *r, const double *q, size_t n)
{
    enum { STEPS = 10000 };
    double most = 0, change = 1;
    for (size_t k = 0; k < n; k++) {
        r[k] = q[k];
        most = q[k] > most ? q[k] : most;
    }
    for (int step = 0; step < STEPS && change > 1e-13 && most < 0.5; step++) {
        double sum = 0, next[LOOM_MINH_KINDS];
        for (size_t k = 0; k < n; k++)
            sum += next[k] = q[k] / (1 - r[k]);
        change = 0;
        for (size_t k = 0; k < n; k++) {
            change = fmax(change, fabs(next[k] / sum - r[k]));
            r[k] = next[k] / sum;
        }
    }
    return most < 0.5;
}

static void weigh_kinds(struct generator *generator)
{
    const struct loom_minh_shapes *shapes = &generator->minh->shapes;
    for (size_t i = 0; i < shapes->n_cells; i++)
        for (size_t s = 0; s < shapes->cells[i].n; s++)
            generator->share[shapes->cells[i].kind - 1] += (double)shapes->cells[i].jobs[s];
}

/* Runs of a kind are as frequent as the share of its jobs over the mean length of its runs. */
static int make_kinds(struct generator *generator, const double *mean_length,
                      struct loom_error *err)
{
    const struct loom_minh_shapes *shapes = &generator->minh->shapes;
    double q[LOOM_MINH_KINDS], r[LOOM_MINH_KINDS], sum = 0;
    weigh_kinds(generator);
    for (size_t k = 0; k < shapes->n_kinds; k++)
        sum += q[k] = generator->share[k] / mean_length[k];
    for (size_t k = 0; k < shapes->n_kinds; k++)
        q[k] /= sum;
    generator->alternate = alternating(r, q, shapes->n_kinds);
    generator->kind = loom_alias_create(shapes->n_kinds, generator->alternate ? r : q);
    generator->any = loom_alias_create(shapes->n_kinds, generator->share);
    return generator->kind && generator->any ? 0 : loom_fail_memory(err);
}

static int make_lengths(struct generator *generator, double *mean_length, struct loom_error *err)
{
    for (size_t k = 0; k < generator->minh->shapes.n_kinds; k++) {
        const struct loom_minh_runs *runs = &generator->minh->runs[k];
        size_t n = (size_t)runs->longest;
        double *chances = malloc(n * sizeof *chances), sum = 0, jobs = 0;
        for (size_t i = 0; chances && i < n; i++) {
            sum += chances[i] = pow((double)(i + 1), -runs->alpha);
            jobs += (double)(i + 1) * chances[i];
        }
        if (chances)
            generator->length[k] = loom_alias_create(n, chances);
        free(chances);
        if (!generator->length[k])
            return loom_fail_memory(err);
        mean_length[k] = jobs / sum;
    }
    return 0;
}

static size_t next_kind(struct generator *generator, size_t last)
{
    size_t kind;
    do
        kind = gsl_ran_discrete(&generator->runs.gsl, generator->kind);
    while (generator->alternate && kind == last);
    return kind;
}

/* Draw a runtime of a kind chosen by weight. */
static int64_t draw_any(struct generator *generator)
{
    size_t kind = loom_minh_draw_shape(&generator->sampler, LOOM_MINH_ANYWHERE).kind;
    return loom_minh_run(&generator->sampler, kind, loom_minh_draw_normal(&generator->sampler));
}

/* Draw from the whole mixture, given the label (of whole seconds); draws with another label are
 * kept for later. A kind that is almost nowhere the most likely one gives its mean. */
static int64_t draw_run(struct generator *generator, size_t kind)
{
    enum { TRIES = 10000 };
    struct unused_runtimes *own = &generator->unused[kind];
    for (int i = 0; i < TRIES && own->n == 0; i++) {
        int64_t run_s = draw_any(generator);
        size_t label = loom_minh_kind_of(&generator->sampler, log1p((double)run_s));
        struct unused_runtimes *unused = &generator->unused[label];
        if (unused->n < SPARES)
            unused->run_s[unused->n++] = run_s;
    }
    return own->n > 0 ? own->run_s[--own->n] : loom_minh_run(&generator->sampler, kind, 0);
}

static void minh2009_make_jobs(struct generator *generator, struct loom_draft *draft,
                               uint32_t *kinds, bool local)
{
    size_t kind = SIZE_MAX, left = 0;
    for (size_t j = 0; j < draft->n; j++, left--) {
        if (!local) {
            kind = gsl_ran_discrete(&generator->runs.gsl, generator->any);
            left = 1;
        } else if (left == 0) {
            kind = next_kind(generator, kind);
            left = 1 + gsl_ran_discrete(&generator->runs.gsl, generator->length[kind]);
        }
        if (kinds)
            kinds[j] = (uint32_t)kind;
        draft->run_s[j] = draw_run(generator, kind);
        draft->procs[j] = loom_minh_draw_procs(&generator->sampler, kind, LOOM_MINH_ANYWHERE);
    }
}

int loom_minh2009_spin(const struct loom_minh2009 *minh, struct loom_generation *generation,
                       uint32_t *kinds, struct loom_error *err)
{
    struct generator generator = {.minh = minh};
    double mean_length[LOOM_MINH_KINDS];
    loom_generation_stream(&generator.runs, generation, "minh2009 runs");
    int rc = make_lengths(&generator, mean_length, err);
    if (!rc)
        rc = make_kinds(&generator, mean_length, err);
    if (!rc)
        rc = loom_minh_sampler_init(&generator.sampler, &generator.minh->shapes, loom_minh_weight,
                                    generation, "minh2009 shapes", err);
    if (!rc)
        minh2009_make_jobs(&generator, &generation->draft, kinds,
                           !(generation->without & LOOM_LOCALITY));
    for (size_t k = 0; k < LOOM_MINH_KINDS; k++)
        if (generator.length[k])
            loom_alias_destroy(generator.length[k]);
    if (generator.kind)
        loom_alias_destroy(generator.kind);
    if (generator.any)
        loom_alias_destroy(generator.any);
    loom_minh_sampler_free(&generator.sampler);
    return rc;
}

static int minh2009_generate(const void *state, struct loom_generation *generation,
                             struct loom_error *err)
{
    const struct loom_minh2009 *minh = state;
    int rc = loom_part_generate(&minh->arrivals, generation, err);
    return rc ? rc : loom_minh2009_spin(minh, generation, NULL, err);
}

static const struct loom_part *minh2009_arrivals(const void *state)
{
    return &((const struct loom_minh2009 *)state)->arrivals;
}

static unsigned minh2009_traits(const void *state)
{
    return LOOM_LOCALITY | LOOM_CORRELATION |
           loom_part_traits(&((const struct loom_minh2009 *)state)->arrivals);
}

static void minh2009_clear(void *state)
{
    struct loom_minh2009 *minh = state;
    loom_part_clear(&minh->arrivals);
    loom_minh_shapes_free(&minh->shapes);
    free(minh->runs);
}

static const char *const compared[] = {"arrivals=mmwm", NULL};

const struct loom_model_ops loom_model_minh2009 = {
    .info = {.name = "minh2009",
             .summary = "runtimes in runs of a kind, with sizes that go with them",
             .source = "Minh 2012, 7.2.1",
             .can_fit = true,
             .traits = LOOM_LOCALITY | LOOM_CORRELATION,
             .params = params,
             .variants = compared},
    .state_size = sizeof(struct loom_minh2009),
    .fit = minh2009_fit,
    .describe = minh2009_describe,
    .generate = minh2009_generate,
    .arrivals = minh2009_arrivals,
    .traits = minh2009_traits,
    .clear = minh2009_clear,
};
