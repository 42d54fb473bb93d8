/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comprehensive model of Minh 2012, chapter 5: algorithm 1 over any arrival process, with
 * separate runtime distributions for jobs in bags, which users keep short (5.1.2), and single jobs.
 */
#include "models/minh/minh.h"

static const struct loom_param params[] = {
    LOOM_MINH_PARAMS,
    LOOM_VARIANT_PARAM(
        "improved",
        "the method as printed, or with its sizes of bags, times and runtimes improved"),
    {.name = NULL},
};

static int minh2012_fit(void *state, const struct loom_training *log, struct loom_error *err)
{
    struct loom_minh *minh = state;
    bool bags = loom_params_given(log->params, "bags");
    minh->variant = loom_params_choice(log->params, "variant");
    minh->apart = true;
    if (bags && !loom_params_given(log->params, "variant"))
        minh->variant = LOOM_PRINTED; /* the only one that has this choice */
    if (bags && minh->variant == LOOM_IMPROVED)
        return loom_fail(err, LOOM_EUSAGE,
                         "minh2012: bags is for variant=printed; leave one of the two out");
    return loom_minh_fit(minh, log, "minh2012", err);
}

static void minh2012_describe(void *state, struct loom_codec *codec)
{
    struct loom_minh *minh = state;
    loom_codec_word(codec, "variant", &minh->variant, loom_variants);
    loom_minh_describe(minh, codec);
}

/* pjob_k, pbot_k and p_k, up to a factor. */
double loom_minh2012_weight(const struct loom_minh_kind *kind, enum loom_minh_place place)
{
    double share = place == LOOM_MINH_SINGLE ? kind->single : 1 - kind->single;
    return kind->weight * (place == LOOM_MINH_ANYWHERE ? 1 : share);
}

static int minh2012_generate(const void *state, struct loom_generation *generation,
                             struct loom_error *err)
{
    return loom_minh_generate(state, loom_minh2012_weight, generation, err);
}

static const char *variant(const void *state)
{
    const struct loom_minh *minh = state;
    return loom_variants[minh->variant];
}

static const char *remark(const void *state)
{
    const struct loom_minh *minh = state;
    return minh->variant == LOOM_IMPROVED
               ? "variant=improved, the default, is to keep the log's bags and load; the method as "
                 "the "
                 "thesis prints it is variant=printed"
               : "variant=printed loses bags and moves the load (HPC2N: 0.46 of the jobs in bags "
                 "for 0.64, load 0.73 for 0.60); variant=improved keeps both";
}

static const char *const compared[] = {"variant=printed", NULL};

const struct loom_model_ops loom_model_minh2012 = {
    .info = {.name = "minh2012",
             .summary = "as minh2010, with different runtimes inside and outside of bags",
             .source = "Minh 2012, 5",
             .can_fit = true,
             .traits = LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION,
             .params = params,
             .variants = compared},
    .state_size = sizeof(struct loom_minh),
    .fit = minh2012_fit,
    .describe = minh2012_describe,
    .generate = minh2012_generate,
    .arrivals = loom_minh_arrivals,
    .traits = loom_minh_traits,
    .remark = remark,
    .variant = variant,
    .bags_kept = loom_minh_bags_kept,
    .clear = loom_minh_clear,
};
