/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A behaviour to copy. Users think for an exponential time before each batch and never sleep; those
 * whom poor service sends away come back the next day at the same time.
 *
 * To add a behaviour:
 *   1. copy this file and rename loom_behaviour_template at its end, and the name in it;
 *   2. name the file in src/meson.build, and the behaviour in the list in behaviours.c;
 *   3. the unit test of feedback holds it to the order and the dependencies of batches by itself:
 *      add what it promises beyond that.
 */
#include "users/behaviour.h"

#include <math.h>

struct template
{
    double think_s;
};

static int template_open(void *model, const struct loom_user_history *history,
                         const struct loom_params *params, struct loom_error *err)
{
    struct template *self = model;
    (void)history, (void)err;
    self->think_s = loom_params_real(params, "think");
    return 0;
}

static int64_t template_arrival(const void *model, struct loom_sim_user *user,
                                const struct loom_release *release)
{
    const struct template *self = model;
    double think_s = -log1p(-loom_stream_uniform(user->stream)) * self->think_s;
    return release->now_s + (int64_t)think_s + (release->leaves ? 86400 : 0);
}

static const struct loom_param params[] = {
    LOOM_REAL_PARAM("think", 0, 1e9, "600", "SECONDS",
                    "how long users think before a batch, on average"),
    {.name = NULL},
};

const struct loom_behaviour_ops loom_behaviour_template = {
    .info = {"template", "an exponential think time before each batch", params},
    .model_size = sizeof(struct template),
    .open = template_open,
    .arrival = template_arrival,
};
