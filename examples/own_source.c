/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own_source - jobs that are made during the run: closed users, each of whom thinks for a while
 * when a job has ended, and then submits the next. N users with think time Z and jobs of runtime R
 * on c processors complete at most min(N / (R + Z), c / R) jobs a second (Denning and Buzen 1978),
 * and exactly that many where, as here, nothing is random.
 *
 *     cc own_source.c -o own_source $(pkg-config --cflags --libs workloom) && ./own_source
 */
#include <workloom/workloom.h>

#include <stdio.h>

enum { PROCS = 4, RUN_S = 600, THINK_S = 1200, DAY_S = 86400, LAST_S = 100 * DAY_S, USERS = 32 };

/* The source is an array: when each user submits next, LOOM_NEVER while a job waits or runs. */
static int32_t first_user(const int64_t *next_s)
{
    int32_t first = 0;
    for (int32_t i = 1; i < USERS; i++)
        if (next_s[i] < next_s[first])
            first = i;
    return first;
}

static int64_t due(void *self)
{
    return ((const int64_t *)self)[first_user(self)];
}

static int take(void *self, struct loom_submission *out, struct loom_error *err)
{
    int64_t *next_s = self;
    int32_t user = first_user(next_s);
    (void)err; /* nothing can fail here */
    *out = (struct loom_submission){next_s[user], RUN_S, RUN_S, 1, user, LOOM_NO_ROW};
    next_s[user] = LOOM_NEVER;
    return 0;
}

static int ended(void *self, uint32_t job, const struct loom_sim_job *what, struct loom_error *err)
{
    int64_t *next_s = self, at_s = loom_sim_job_end(what) + THINK_S;
    (void)job, (void)err;
    next_s[what->user] = at_s < LAST_S ? at_s : LOOM_NEVER;
    return 0;
}

/* Run n users, who all submit their first job at time 0, and print their throughput. */
static int run(struct loom_sim *sim, int n, struct loom_error *err)
{
    int64_t next_s[USERS];
    struct loom_job_source source = {.self = next_s, .due = due, .take = take, .ended = ended};
    struct loom_sim_options options = {.scheduler = "fcfs", .procs = PROCS};
    struct loom_sim_metrics got;
    int light = n * DAY_S / (RUN_S + THINK_S), full = PROCS * DAY_S / RUN_S;
    for (int i = 0; i < USERS; i++)
        next_s[i] = i < n ? 0 : LOOM_NEVER;
    int rc = loom_sim_run(sim, &options, &source, err);
    if (!rc)
        rc = loom_sim_metrics(&got, sim, err);
    if (!rc)
        printf("users %2d: %5.1f jobs/day, expected %3d\n", n, got.throughput_jobs_per_day,
               light < full ? light : full);
    return rc;
}

int main(void)
{
    struct loom_sim *sim = NULL;
    struct loom_error err;
    int rc = loom_sim_create(&sim, &err);
    for (int n = 1; !rc && n <= USERS; n *= 2)
        rc = run(sim, n, &err);
    loom_sim_destroy(sim);
    if (rc)
        fprintf(stderr, "own_source: %s\n", err.message);
    return rc ? 1 : 0;
}
