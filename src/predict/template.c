/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A predictor to copy (docs/ADDING-A-PREDICTOR.md). It predicts the longest runtime of the user's
 * last jobs that ended; the requested time while none has.
 */
#include "base/map.h"
#include "base/vec.h"
#include "predict/predictor.h"

enum { MOST_JOBS = 16 };

/* The last jobs of a user that ended, in a ring. */
struct last {
    int64_t run_s[MOST_JOBS];
    size_t n; /* jobs so far */
};

/* What a predictor knows: state_size bytes, zeroed before open. */
struct template
{
    size_t jobs;           /* parameter */
    struct loom_map users; /* indices of `last`, by origin and user */
    struct last *last;
    size_t capacity;
};

static int template_open(void *state, const struct loom_params *params, struct loom_error *err)
{
    struct template *self = state;
    (void)err;
    self->jobs = (size_t)loom_params_int(params, "jobs");
    return 0;
}

static void template_close(void *state)
{
    struct template *self = state;
    loom_map_free(&self->users);
    free(self->last);
}

/* Users of different origins are different, even with the same number. */
static uint64_t user_key(const struct loom_job_view *job)
{
    return loom_map_pair(job->origin, (uint32_t)job->user);
}

/* Predict a job being submitted. out->run_s arrives as the requested time, or the mean runtime so
 * far: it stays if nothing is known. Set low_s and high_s as well if there is an interval. */
static int template_predict(struct loom_prediction *out, void *state,
                            const struct loom_job_view *job, struct loom_error *err)
{
    const struct template *self = state;
    uint32_t user = loom_map_find(&self->users, user_key(job));
    (void)err;
    if (user == LOOM_MAP_NONE)
        return 0;
    const struct last *last = &self->last[user];
    int64_t longest_s = 0;
    for (size_t i = 0; i < last->n && i < self->jobs; i++)
        if (last->run_s[i] > longest_s)
            longest_s = last->run_s[i];
    out->run_s = (double)longest_s;
    return 0;
}

/* Learn from a job that has ended. -1 is an unknown user. */
static int template_learn(void *state, const struct loom_job_view *job, int64_t run_s,
                          struct loom_error *err)
{
    struct template *self = state;
    size_t known = self->users.n;
    if (job->user < 0)
        return 0;
    if (loom_grow(&self->last, known, &self->capacity))
        return loom_fail_memory(err);
    uint32_t user = loom_map_intern(&self->users, user_key(job));
    if (user == LOOM_MAP_NONE)
        return loom_fail_memory(err);
    if (user == known)
        self->last[user] = (struct last){0};
    struct last *last = &self->last[user];
    last->run_s[last->n++ % self->jobs] = run_s;
    return 0;
}

/* Declared once: parsing, checks, help and listings come from here. */
static const struct loom_param params[] = {
    LOOM_INT_PARAM("jobs", 1, MOST_JOBS, "2", "N", "jobs of the user to look back at"),
    {.name = NULL},
};

const struct loom_predictor_ops loom_predictor_template = {
    .info = {"template", "longest of the user's last jobs", params},
    .state_size = sizeof(struct template),
    .open = template_open,
    .close = template_close,
    .predict = template_predict,
    .learn = template_learn,
};
