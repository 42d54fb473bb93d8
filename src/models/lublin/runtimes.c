/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runtimes of the Lublin-Feitelson model: their logarithms are hyper-gamma (section 5). Large jobs
 * run longer because p, the share of the first gamma, falls with size (section 6).
 *
 * If total work is drawn instead (section 5.3), the runtime is work over size. The limit then
 * applies to work: a limit on runtimes would remove most of the work of small jobs.
 */
#include "base/draw.h"
#include "models/lublin/lublin.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

const char *const loom_lublin_of_names[] = {"runtime", "work", NULL};

/* ---- making runtimes ------------------------------------------------------------------------ */

static double clamp(double p)
{
    return p < 0 ? 0 : p > 1 ? 1 : p;
}

/* Return the mean of p over the sizes, at equally spaced quantiles. */
static double mean_p(const struct loom_lublin_runtimes *runtimes,
                     const struct loom_lublin_sizer *sizer)
{
    enum { PLACES = 1 << 16 };
    double sum = 0;
    for (int i = 0; i < PLACES; i++) {
        int32_t size = loom_lublin_size(sizer, (i + 0.5) / PLACES);
        sum += clamp(runtimes->slope * size + runtimes->intercept);
    }
    return sum / PLACES;
}

/* Refuse a limit so low that rejection sampling would hardly end. */
static int check_limit(const struct loom_lublin_runtimes *runtimes, struct loom_error *err)
{
    for (int i = 0; i < 2; i++)
        if (!(gsl_cdf_gamma_P(runtimes->limit, runtimes->shape[i], runtimes->scale[i]) > 1e-3))
            return loom_fail(err, LOOM_EDATA,
                             "nearly all %s that gamma %d draws would exceed the limit of exp(%g) "
                             "s; raise runtimes.limit, or lower shape or scale of the gamma",
                             runtimes->of == LOOM_LUBLIN_WORK ? "work" : "runtimes", i + 1,
                             runtimes->limit);
    return 0;
}

int loom_lublin_runner_open(struct loom_lublin_runner *out,
                            const struct loom_lublin_runtimes *runtimes,
                            const struct loom_lublin_sizer *sizer, bool correlation,
                            struct loom_error *err)
{
    out->runtimes = *runtimes;
    loom_ziggurat_init(&out->ziggurat);
    for (int i = 0; i < 2; i++)
        loom_gamma_sampler_init(&out->gammas[i], runtimes->shape[i], runtimes->scale[i]);
    if (!correlation) {
        out->runtimes.slope = 0;
        out->runtimes.intercept = mean_p(runtimes, sizer);
    }
    return check_limit(runtimes, err);
}

int64_t loom_lublin_run_s(const struct loom_lublin_runner *runner, struct loom_stream *stream,
                          int32_t procs)
{
    const struct loom_lublin_runtimes *r = &runner->runtimes;
    double p = r->slope * procs + r->intercept; /* outside 0 and 1 the choice is certain */
    double spread = r->of == LOOM_LUBLIN_WORK ? log(procs) : 0, x;
    do {
        int i = loom_draw_uniform(stream) < p ? 0 : 1;
        x = loom_gamma_sampler_draw(&runner->gammas[i], &runner->ziggurat, stream);
    } while (x > r->limit);
    return loom_whole_seconds(exp(x - spread), 1);
}

void loom_lublin_runtimes_describe(struct loom_lublin_runtimes *runtimes, struct loom_codec *codec)
{
    static const char *const gammas[] = {"gamma1", "gamma2"};
    loom_codec_word(codec, "of", &runtimes->of, loom_lublin_of_names);
    for (int i = 0; i < 2; i++) {
        loom_codec_open(codec, gammas[i]);
        loom_codec_real(codec, "shape", &runtimes->shape[i], 1e-3, 1e9);
        loom_codec_real(codec, "scale", &runtimes->scale[i], 1e-9, 1e3);
        loom_codec_close(codec);
    }
    loom_codec_open(codec, "p");
    loom_codec_real(codec, "slope", &runtimes->slope, -1e6, 1e6);
    loom_codec_real(codec, "intercept", &runtimes->intercept, -1e6, 1e6);
    loom_codec_close(codec);
    loom_codec_real(codec, "limit", &runtimes->limit, 1e-3, 36);
}
