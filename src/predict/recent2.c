/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mean of the runtimes of the two jobs of the same user that ended last, in whole seconds; the
 * requested time while there are fewer than two (Tsafrir, Etsion and Feitelson 2007).
 */
#include "base/map.h"
#include "base/vec.h"
#include "predict/predictor.h"

struct last_two {
    int64_t run_s[2]; /* the last first; -1: none yet */
};

struct recent2 {
    struct loom_map users; /* by origin and user */
    struct last_two *last; /* by user */
    size_t capacity;
};

static void recent2_close(void *state)
{
    struct recent2 *self = state;
    loom_map_free(&self->users);
    free(self->last);
}

static uint64_t user_key(const struct loom_job_view *job)
{
    return loom_map_pair(job->origin, (uint32_t)job->user);
}

static int recent2_predict(struct loom_prediction *out, void *state,
                           const struct loom_job_view *job, struct loom_error *err)
{
    const struct recent2 *self = state;
    uint32_t user = loom_map_find(&self->users, user_key(job));
    (void)err;
    if (user == LOOM_MAP_NONE || self->last[user].run_s[1] < 0)
        return 0;
    const int64_t *run_s = self->last[user].run_s;
    /* The halves first: the sum of two long runtimes is beyond 64 bits. */
    out->run_s = (double)(run_s[0] / 2 + run_s[1] / 2 + (run_s[0] % 2 + run_s[1] % 2) / 2);
    return 0;
}

static int recent2_learn(void *state, const struct loom_job_view *job, int64_t run_s,
                         struct loom_error *err)
{
    struct recent2 *self = state;
    if (job->user < 0)
        return 0;
    size_t known = self->users.n;
    if (loom_grow(&self->last, known, &self->capacity))
        return loom_fail_memory(err);
    uint32_t user = loom_map_intern(&self->users, user_key(job));
    if (user == LOOM_MAP_NONE)
        return loom_fail_memory(err);
    if (user == known)
        self->last[user] = (struct last_two){{-1, -1}};
    self->last[user].run_s[1] = self->last[user].run_s[0];
    self->last[user].run_s[0] = run_s;
    return 0;
}

const struct loom_predictor_ops loom_predictor_recent2 = {
    .info = {"recent2", "mean of the user's two last ended jobs (Tsafrir 2007)", NULL},
    .state_size = sizeof(struct recent2),
    .close = recent2_close,
    .predict = recent2_predict,
    .learn = recent2_learn,
};
