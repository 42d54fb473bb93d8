/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model within a model: the arrival process of a workload model. */
#include "base/param.h"
#include "models/model.h"

#include <stdlib.h>
#include <string.h>

static const struct loom_model_ops *find_arrivals(const char *name)
{
    for (size_t i = 0; loom_models[i]; i++)
        if (loom_models[i]->info.arrivals_only && strcmp(loom_models[i]->info.name, name) == 0)
            return loom_models[i];
    return NULL;
}

static int part_start(struct loom_part *out, const char *name, struct loom_error *err)
{
    out->ops = find_arrivals(name);
    if (!out->ops)
        return loom_fail(err, LOOM_EUSAGE,
                         "there is no arrival process '%s'; see 'workloom list models'", name);
    out->state = calloc(1, out->ops->state_size);
    return out->state ? 0 : loom_fail_memory(err);
}

/* Copy the whole's values of equally named parameters. */
static int pass_on(struct loom_params *params, const struct loom_param *list,
                   const struct loom_params *whole, struct loom_error *err)
{
    int rc = 0;
    for (; list && list->name && !rc; list++)
        if (loom_params_find(whole, list->name) && loom_params_given(whole, list->name))
            rc = loom_params_set(params, list->name, loom_params_text(whole, list->name), err);
    return rc;
}

/* Set the values given as "arrivals.NAME=VALUE". */
static int take_own(struct loom_params *params, const struct loom_model_ops *ops,
                    const struct loom_params *whole, struct loom_error *err)
{
    const char *setting;
    int rc = 0;
    if (!loom_params_find(whole, "arrivals"))
        return 0;
    for (size_t i = 0; (setting = loom_params_nested(whole, "arrivals", i)) && !rc; i++)
        rc = loom_params_assign(params, ops->info.name, setting, err);
    return rc;
}

/* A value set by the whole model, for a part with such a parameter. */
struct choice {
    const char *param, *value;
};

/* Create the parameters of the part; NULL if it has none. A published model passes on only values
 * given for the part. */
static int make_params(struct loom_params **out, const struct loom_model_ops *ops,
                       const struct loom_params *whole, bool fitted, struct choice choice,
                       struct loom_error *err)
{
    const struct loom_param *const lists[] = {ops->info.params, NULL};
    *out = NULL;
    int rc = lists[0] ? loom_params_create(out, lists, err) : 0;
    if (!rc && whole && fitted)
        rc = pass_on(*out, lists[0], whole, err);
    if (!rc && choice.param && *out && loom_params_find(*out, choice.param))
        rc = loom_params_set(*out, choice.param, choice.value, err);
    if (!rc && whole)
        rc = take_own(*out, ops, whole, err);
    if (rc) {
        loom_params_destroy(*out);
        *out = NULL;
    }
    return rc;
}

int loom_part_check(const struct loom_params *whole, struct loom_error *err)
{
    struct loom_params *params = NULL;
    if (!whole || !loom_params_find(whole, "arrivals") || !loom_params_nested(whole, "arrivals", 0))
        return 0;
    const struct loom_model_ops *ops = find_arrivals(loom_params_text(whole, "arrivals"));
    int rc = make_params(&params, ops, whole, false, (struct choice){0}, err);
    loom_params_destroy(params);
    return rc;
}

bool loom_part_has_param(const char *name, const char *param)
{
    const struct loom_model_ops *ops = find_arrivals(name);
    for (const struct loom_param *list = ops ? ops->info.params : NULL; list && list->name; list++)
        if (strcmp(list->name, param) == 0)
            return true;
    return false;
}

int loom_part_fit(struct loom_part *out, const char *name, const struct loom_training *log,
                  struct loom_error *err)
{
    return loom_part_fit_with(out, name, log, NULL, NULL, err);
}

int loom_part_fit_with(struct loom_part *out, const char *name, const struct loom_training *log,
                       const char *param, const char *value, struct loom_error *err)
{
    *out = (struct loom_part){0};
    struct loom_params *params = NULL;
    int rc = part_start(out, name, err);
    if (!rc)
        rc = make_params(&params, out->ops, log->params, true, (struct choice){param, value}, err);
    struct loom_training own = *log;
    own.params = params;
    if (!rc)
        rc = loom_refuse_given(out->ops, params, LOOM_WHILE_FITTING, err);
    if (!rc)
        rc = out->ops->fit(out->state, &own, err);
    loom_params_destroy(params);
    if (rc)
        loom_part_clear(out);
    return rc;
}

int loom_part_publish(struct loom_part *out, const char *name, const struct loom_params *whole,
                      struct loom_error *err)
{
    return loom_part_publish_with(out, name, whole, NULL, NULL, err);
}

int loom_part_publish_with(struct loom_part *out, const char *name, const struct loom_params *whole,
                           const char *param, const char *value, struct loom_error *err)
{
    *out = (struct loom_part){0};
    struct loom_params *params = NULL;
    int rc = part_start(out, name, err);
    if (!rc && !out->ops->publish)
        rc = loom_fail(
            err, LOOM_EUSAGE,
            "arrivals by %s have no parameters of their own; fit the whole model to a log, "
            "by 'workloom fit MODEL:arrivals=%s TRACE -o MODEL.json', or take arrivals "
            "that have them, poisson or gamma-daily",
            name, name);
    if (!rc)
        rc = make_params(&params, out->ops, whole, false, (struct choice){param, value}, err);
    if (!rc)
        rc = loom_refuse_given(out->ops, params, LOOM_WHILE_PUBLISHING, err);
    if (!rc)
        rc = out->ops->publish(out->state, params, err);
    loom_params_destroy(params);
    if (rc)
        loom_part_clear(out);
    return rc;
}

int loom_part_generate(const struct loom_part *part, struct loom_generation *generation,
                       struct loom_error *err)
{
    return part->ops->generate(part->state, generation, err);
}

/* Keep a uniformly random subset of `left` times. */
static void thin(struct loom_draft *draft, size_t left, struct loom_stream *stream)
{
    size_t kept = 0;
    for (size_t i = 0; i < draft->n; i++)
        if (loom_stream_below(stream, draft->n - i) < left - kept)
            draft->submit_s[kept++] = draft->submit_s[i];
    draft->n = left;
}

/* Replace the times; if generated by days, their number may differ from the number of jobs. */
int loom_part_retime(const struct loom_part *part, struct loom_generation *generation,
                     struct loom_error *err)
{
    struct loom_stream stream;
    struct loom_generation other = *generation;
    other.draft = (struct loom_draft){0};
    loom_generation_stream(&stream, generation, "other times");
    int rc = loom_part_generate(part, &other, err);
    if (!rc)
        rc = loom_draft_sort(&other.draft, err);
    if (!rc && other.draft.n > generation->draft.n)
        thin(&other.draft, generation->draft.n, &stream);
    if (!rc)
        rc = loom_draft_resize(&generation->draft, other.draft.n, err);
    for (size_t i = 0; i < other.draft.n && !rc; i++)
        generation->draft.submit_s[i] = other.draft.submit_s[i];
    loom_draft_free(&other.draft);
    return rc;
}

unsigned loom_part_traits(const struct loom_part *part)
{
    if (!part->ops)
        return 0;
    return part->ops->traits ? part->ops->traits(part->state) : part->ops->info.traits;
}

void loom_part_clear(struct loom_part *part)
{
    if (part->ops && part->state && part->ops->clear)
        part->ops->clear(part->state);
    free(part->state);
    *part = (struct loom_part){0};
}

/* As {"process": NAME, its own keys ...}. */
void loom_codec_part(struct loom_codec *codec, const char *key, struct loom_part *value)
{
    loom_codec_open(codec, key);
    int index = 0;
    for (int i = 0; !loom_codec_reading(codec) && loom_arrival_names[i]; i++)
        if (strcmp(loom_arrival_names[i], value->ops->info.name) == 0)
            index = i;
    loom_codec_word(codec, "process", &index, loom_arrival_names);
    struct loom_error err;
    if (loom_codec_reading(codec) && !loom_codec_failed(codec) &&
        part_start(value, loom_arrival_names[index], &err))
        loom_codec_refuse(codec, "process", "cannot be made: %s", err.message);
    if (!loom_codec_failed(codec))
        value->ops->describe(value->state, codec);
    loom_codec_close(codec);
}
