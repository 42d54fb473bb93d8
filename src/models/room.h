/* SPDX-License-Identifier: GPL-3.0-or-later */
/* room.h - the inside of struct loom_model, for the files that make, save, load and use one. */
#ifndef LOOM_MODELS_ROOM_H
#define LOOM_MODELS_ROOM_H

#include "models/requests/request_model.h"
#include "models/status.h"

struct loom_model {
    const struct loom_model_ops *ops;
    void *state;   /* ops->state_size bytes */
    char *origin;  /* what made it, or NULL */
    uint64_t hash; /* of its document; 0 if it has none */
    bool fitted;   /* to a log; else the parameters are published ones */
    /* Of the log it was fitted to, or of what was published. */
    int64_t jobs;
    int64_t procs;
    int64_t week_phase_s;
    double interarrival_s; /* mean, of the log; 0 if not fitted */
    double load;           /* offered by the log; 0 if it is not known */
    /* How the users of that log asked for runtimes, if it is known and the model itself has none.
     */
    bool has_requests;
    struct loom_request_model requests;
    struct loom_status_model status; /* how its jobs ended; empty where it does not say */
};

/* What this model can leave out. */
unsigned loom_model_traits(const struct loom_model *model);
/* Of the jobs of the log that it makes: how many are generated if nobody says, how often they came
 * and what load they offered. Of published parameters only the first is known. */
struct loom_log_facts loom_model_log_facts(const struct loom_model *model);
/* The speed of its operational time (model.h); false if it has no cycle, or none that it
 * knows. */
bool loom_model_week(const struct loom_model *model, double *speed);

/* The work of jobs in order of submission over what a machine of `procs` could have done from the
 * first of them to the last; 0 where not known (load.c). */
double loom_work_load(const int64_t *submit_s, const int64_t *run_s, const int32_t *job_procs,
                      size_t n, int32_t procs);

/* Put what was generated in order and cut it to what was asked for: a model that lets jobs follow
 * from others may make a few more. */
int loom_generation_settle(struct loom_generation *generation, struct loom_error *err);
/* Generate with such arrivals that the offered load is the wanted one, within half a percent;
 * settled (load.c). */
int loom_generate_at_load(struct loom_generation *generation, const struct loom_model *model,
                          double load, struct loom_error *err);

/* A model with an empty state. */
int loom_model_create(struct loom_model **out, const char *name, struct loom_error *err);

#endif
