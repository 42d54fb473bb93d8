/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fit minh2010 and minh2012 to the bags of tasks of a log: shapes, bag sizes, users, arrivals (2010
 * paper VI, Minh 2012, 5.1).
 */
#include "base/param.h"
#include "base/sort.h"
#include "models/minh/minh.h"

#include <stdlib.h>
#include <string.h>

/* ---- bags of a log --------------------------------------------------------------------------- */

const char *const loom_minh_bag_fits[] = {"counted", "settled", NULL};

static int fit_alpha(double *alpha, const struct loom_bags *bags, struct loom_error *err)
{
    double *sizes = malloc((bags->count + 1) * sizeof *sizes);
    if (!sizes)
        return loom_fail_memory(err);
    double most = 0;
    for (size_t b = 0; b < bags->count; b++) {
        sizes[b] = (double)loom_bag_size(bags, b);
        most = sizes[b] > most ? sizes[b] : most;
    }
    struct loom_fit fit = {0};
    int rc = most > 1 ? loom_dist_fit(&fit, "zipf", sizes, NULL, bags->count, err) : 0;
    *alpha = rc == 0 && most > 1 ? fit.dist.params[0] : LOOM_MINH_STEEPEST_BAGS;
    free(sizes);
    return rc;
}

/* Flag the jobs with shapes that are in a bag of at least two; the caller frees *out. */
static int mark_bags(uint8_t **out, const struct loom_bags *bags, const struct loom_shapes *jobs,
                     struct loom_error *err)
{
    uint8_t *in_bag = calloc(bags->n_jobs + 1, 1);
    if (!in_bag)
        return loom_fail_memory(err);
    for (size_t b = 0; b < bags->count; b++)
        for (size_t i = bags->first[b]; i < bags->first[b + 1]; i++)
            in_bag[i] = loom_bag_size(bags, b) > 1;
    for (size_t i = 0; i < jobs->n; i++)
        in_bag[i] = in_bag[jobs->job[i]]; /* never ahead of what is still to be read */
    *out = in_bag;
    return 0;
}

/* ---- people ---------------------------------------------------------------------------------- */

static int fit_people(struct loom_minh_people *out, const struct loom_workload *jobs,
                      const struct loom_bags *bags, struct loom_error *err)
{
    int64_t *persons = malloc((bags->count + 1) * sizeof *persons);
    if (!persons)
        return loom_fail_memory(err);
    size_t n = 0;
    for (size_t b = 0; b < bags->count; b++)
        if (jobs->user[bags->first[b]] >= 0)
            persons[n++] = loom_minh_person(jobs, bags->first[b]);
    size_t different = loom_sort_int64(persons, n);
    *out = (struct loom_minh_people){.user = malloc((different + 1) * sizeof *out->user),
                                     .group = malloc((different + 1) * sizeof *out->group),
                                     .bags = malloc((different + 1) * sizeof *out->bags)};
    int rc = out->user && out->group && out->bags ? 0 : loom_fail_memory(err);
    for (size_t i = 0, end; i < n && !rc; i = end) {
        for (end = i; end < n && persons[end] == persons[i]; end++)
            ;
        out->user[out->n] = (int32_t)(persons[i] >> 32);
        out->group[out->n] = (int32_t)(uint32_t)persons[i];
        out->bags[out->n++] = (int64_t)(end - i);
    }
    free(persons);
    return rc;
}

static void people_free(struct loom_minh_people *people)
{
    free(people->user);
    free(people->group);
    free(people->bags);
}

/* ---- fitting --------------------------------------------------------------------------------- */

static int need_users(const struct loom_workload *jobs, const char *model, struct loom_error *err)
{
    for (size_t i = 0; i < jobs->n; i++)
        if (jobs->user[i] >= 0)
            return 0;
    return loom_fail(err, LOOM_EDATA,
                     "%s finds bags of tasks by their users, and no job of this log has a user; "
                     "minh2009 has runtimes and sizes that are alike in a row, and asks for none",
                     model);
}

static int fit_shapes(struct loom_minh *minh, struct loom_minh_log *log, uint32_t **kind_of,
                      struct loom_error *err)
{
    minh->shapes.split = minh->variant == LOOM_IMPROVED;
    int rc = loom_minh_shapes_fit(&minh->shapes, kind_of, log->jobs, log->in_bag,
                                  log->training->pool, err);
    if (!rc && minh->variant == LOOM_IMPROVED)
        rc = loom_minh_fit_places(&minh->shapes, log->jobs, log->in_bag, err);
    log->kind_of = *kind_of;
    return rc;
}

/* Fit the arrivals. Settling the bags needs arrivals like the log's: of mmwm, the improved
 * variant. */
static int fit_arrivals(struct loom_minh *minh, const struct loom_training *log, bool settled,
                        struct loom_error *err)
{
    const char *arrivals = loom_params_text(log->params, "arrivals");
    bool improved = settled || minh->variant == LOOM_IMPROVED;
    return loom_part_fit_with(&minh->arrivals, arrivals, log, "variant",
                              loom_variants[improved ? LOOM_IMPROVED : LOOM_PRINTED], err);
}

static int fit_parts(struct loom_minh *minh, struct loom_minh_log *log, struct loom_error *err)
{
    const struct loom_training *training = log->training;
    bool settled = loom_params_choice(training->params, "bags") == LOOM_MINH_SETTLED;
    uint32_t *kind_of = NULL;
    uint8_t *in_bag = NULL;
    int rc = mark_bags(&in_bag, log->bags, log->jobs, err);
    log->in_bag = in_bag;
    if (!rc)
        rc = fit_shapes(minh, log, &kind_of, err);
    if (!rc)
        rc = fit_alpha(&minh->alpha, log->bags, err);
    if (!rc)
        rc = fit_people(&minh->people, training->jobs, log->bags, err);
    if (!rc)
        rc = loom_minh_queues_fit(&minh->queues, &minh->people, log, err);
    if (!rc)
        rc = fit_arrivals(minh, training, settled, err);
    if (!rc && minh->variant == LOOM_IMPROVED)
        rc = loom_minh_refine(minh, log, err);
    if (!rc && settled)
        rc = loom_minh_settle(minh, log, err);
    free(kind_of);
    free(in_bag);
    return rc;
}

/* Refuse a scale given for the arrivals: model and arrivals share the model's own. */
static int check_scale(const struct loom_params *params, const char *model, struct loom_error *err)
{
    const char *arrivals = loom_params_text(params, "arrivals"), *setting;
    if (loom_params_given(params, "scale") && !loom_part_has_param(arrivals, "scale"))
        return loom_fail(err, LOOM_EUSAGE,
                         "%s: scale is for arrivals with intervals, such as mmwm, and %s has none; "
                         "leave it out",
                         model, arrivals);
    for (size_t i = 0; (setting = loom_params_nested(params, "arrivals", i)); i++)
        if (strncmp(setting, "scale=", strlen("scale=")) == 0)
            return loom_fail(err, LOOM_EUSAGE,
                             "%s: the model's jobs follow the intervals of its arrivals; give %s, "
                             "which is for both, in place of arrivals.%s",
                             model, setting, setting);
    return 0;
}

int loom_minh_fit(struct loom_minh *minh, const struct loom_training *log, const char *model,
                  struct loom_error *err)
{
    enum { FEWEST = 30 };
    minh->delta_s = loom_params_int(log->params, "delta");
    struct loom_shapes jobs = {0};
    struct loom_bags *bags = NULL;
    int rc = check_scale(log->params, model, err);
    if (!rc)
        rc = need_users(log->jobs, model, err);
    if (!rc)
        rc = loom_shapes_create(&jobs, log, model, FEWEST, err);
    if (!rc)
        rc = loom_bags_create(&bags, log->jobs->trace, minh->delta_s, err);
    struct loom_minh_log known = {.training = log, .jobs = &jobs, .bags = bags};
    if (!rc)
        rc = fit_parts(minh, &known, err);
    loom_bags_destroy(bags);
    loom_shapes_free(&jobs);
    return rc;
}

void loom_minh_clear(void *state)
{
    struct loom_minh *minh = state;
    loom_part_clear(&minh->arrivals);
    loom_minh_shapes_free(&minh->shapes);
    loom_minh_refined_free(&minh->refined);
    people_free(&minh->people);
    loom_minh_queues_free(&minh->queues);
}

/* ---- as a document --------------------------------------------------------------------------- */

static void describe_people(struct loom_minh *minh, struct loom_codec *codec)
{
    struct loom_minh_people *people = &minh->people;
    loom_codec_open(codec, "people");
    loom_codec_int32s(codec, "user", &people->user, &people->n, 1, UINT32_MAX, 0, INT32_MAX);
    size_t n = people->n;
    loom_codec_int32s(codec, "group", &people->group, &n, n, n, -1, INT32_MAX);
    loom_codec_int64s(codec, "bags", &people->bags, &n, n, n, 1, INT64_MAX / 2);
    loom_minh_queues_describe(&minh->queues, n, minh->shapes.n_kinds, codec);
    loom_codec_close(codec);
}

void loom_minh_describe(void *state, struct loom_codec *codec)
{
    struct loom_minh *minh = state;
    loom_codec_part(codec, "arrivals", &minh->arrivals);
    loom_codec_open(codec, "bags");
    loom_codec_int(codec, "delta_s", &minh->delta_s, 0, INT64_MAX / 2);
    loom_codec_real(codec, "alpha", &minh->alpha, LOOM_MINH_FLATTEST_BAGS, LOOM_MINH_STEEPEST_BAGS);
    loom_codec_close(codec);
    minh->shapes.bags = true;
    minh->shapes.split = minh->variant == LOOM_IMPROVED;
    loom_minh_shapes_describe(&minh->shapes, codec);
    describe_people(minh, codec);
    if (minh->variant == LOOM_IMPROVED)
        loom_minh_refined_describe(minh, codec);
}

const struct loom_part *loom_minh_arrivals(const void *state)
{
    return &((const struct loom_minh *)state)->arrivals;
}

struct loom_bags_kept loom_minh_bags_kept(const void *state)
{
    return ((const struct loom_minh *)state)->kept;
}

unsigned loom_minh_traits(const void *state)
{
    const struct loom_minh *minh = state;
    return LOOM_BAGS | LOOM_LOCALITY | LOOM_CORRELATION | loom_part_traits(&minh->arrivals);
}
