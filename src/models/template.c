/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model to copy: serial jobs with exponential runtimes, and arrivals by any process. It is
 * whole, and is no part of the library; the unit tests compile it and use it as generate.c uses a
 * model.
 *
 * To add a model:
 *   1. copy this file to NAME.c, put NAME wherever "template" stands, and write its functions;
 *   2. name the file in src/meson.build and the model in the list in models.c, among the arrivals
 * if it makes times of submission only;
 *   3. run tests/unit/test_models.c, which asks of every model of the list what a model must do,
 * and write a test of what only this one does: that fitting what it generated gives its parameters
 * back, and that it has the figures of its text;
 *   4. add a paragraph to docs/methods/models.md: equations, source, and every choice the text left
 * open.
 *
 * This paragraph is for the method: what a job of this model is, how the parameters come from a
 * log, which steps of the text are where.
 */
#include "models/model.h"

#include <gsl/gsl_randist.h>

/* Parameters of the fit, as 'workloom fit template --param NAME=VALUE' takes them. */
static const struct loom_param params[] = {
    LOOM_ARRIVALS_PARAM("poisson", "the arrival process"),
    {.name = NULL},
};

/* The state: all that template_generate() needs, nothing derived. */
struct template
{
    struct loom_part arrivals;
    double mean_run_s;
};

/* ---- parameters ------------------------------------------------------------------------------ */

/* Set the published parameters. Omit this and `defaults` if the text has none. */
static int template_publish(void *state, const struct loom_params *given, struct loom_error *err)
{
    struct template *template = state;
    template->mean_run_s = 3600;
    return loom_part_publish(&template->arrivals, loom_params_text(given, "arrivals"), given, err);
}

/* Fit to a log. On failure template_clear() frees what the state owns. */
static int template_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct template *template = state;
    struct loom_shapes shapes;
    int rc = loom_shapes_create(&shapes, log, "template", 10, err);
    if (rc)
        return rc;
    double sum_s = 0;
    for (size_t i = 0; i < shapes.n; i++)
        sum_s += (double)shapes.run_s[i];
    template->mean_run_s = sum_s > 0 ? sum_s / (double)shapes.n : 1;
    loom_shapes_free(&shapes);
    return loom_part_fit(&template->arrivals, loom_params_text(log->params, "arrivals"), log, err);
}

/* Write to a document, or read from one. */
static void template_describe(void *state, struct loom_codec *codec)
{
    struct template *template = state;
    loom_codec_part(codec, "arrivals", &template->arrivals);
    loom_codec_real(codec, "mean_run_s", &template->mean_run_s, 1e-6, 1e12);
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static int template_generate(const void *state, struct loom_generation *generation,
                             struct loom_error *err)
{
    const struct template *template = state;
    int rc = loom_part_generate(&template->arrivals, generation, err);
    if (rc)
        return rc;
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, "template run times");
    for (size_t i = 0; i < generation->draft.n; i++) {
        double run_s = gsl_ran_exponential(&stream.gsl, template->mean_run_s);
        generation->draft.run_s[i] = loom_whole_seconds(run_s, 0);
        generation->draft.procs[i] = 1;
    }
    return 0;
}

/* This model has only the traits that its arrivals have. */
static unsigned template_traits(const void *state)
{
    return loom_part_traits(&((const struct template *)state)->arrivals);
}

static void template_clear(void *state)
{
    loom_part_clear(&((struct template *)state)->arrivals);
}

extern const struct loom_model_ops loom_model_template;
const struct loom_model_ops loom_model_template = {
    .info = {.name = "template",
             .summary = "serial jobs with exponential runtimes",
             .source = "none",
             .defaults = LOOM_DEFAULTS_ILLUSTRATIVE,
             .can_fit = true,
             .params = params},
    .state_size = sizeof(struct template),
    .published_jobs = 1000,
    .published_procs = 1,
    .publish = template_publish,
    .fit = template_fit,
    .describe = template_describe,
    .generate = template_generate,
    .traits = template_traits,
    .clear = template_clear,
};
