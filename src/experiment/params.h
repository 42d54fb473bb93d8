/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * params.h - the keys that commands and plans share: lists of declared parameters, and functions
 * that turn their values into what a scenario points at. Messages name parameters, which the
 * command shows as its options.
 */
#ifndef LOOM_EXPERIMENT_PARAMS_H
#define LOOM_EXPERIMENT_PARAMS_H

#include <workloom/experiment.h>

/* Return a parameter in weeks as seconds. */
int64_t loom_params_weeks_s(const struct loom_params *params, const char *name);

/* ---- resampling (resample_params.c) ---------------------------------------------------------- */

/* Declarations that resampled logs and resampled populations share. */
#define LOOM_WEEKS_PARAM                                                                    \
    {                                                                                       \
        .name = "weeks", .type = LOOM_PARAM_REAL, .min = 0.001, .max = 1e6, .metavar = "W", \
        .help = "length of a resampled workload (default: the log's)"                       \
    }
#define LOOM_LOAD_FACTOR_PARAM                                                                 \
    {                                                                                          \
        .name = "load-factor", .type = LOOM_PARAM_REAL, .min = 1e-3, .max = 1e4, .value = "1", \
        .metavar = "F", .help = "scale the number of resampled users, and with it the load"    \
    }
#define LOOM_START_PARAM                                                             \
    {                                                                                \
        .name = "start", .type = LOOM_PARAM_CHOICE, .choices = loom_resample_starts, \
        .value = "trace", .metavar = "WHERE",                                        \
        .help = "long-term users start in any week of the log, or of their activity" \
    }
#define LOOM_LONG_TERM_WEEKS_PARAM                                                     \
    {                                                                                  \
        .name = "long-term-weeks", .type = LOOM_PARAM_REAL, .max = 1e6, .value = "12", \
        .metavar = "W", .help = "activity of a long-term user"                         \
    }
#define LOOM_EDGE_WEEKS_PARAM                                                                    \
    {                                                                                            \
        .name = "edge-weeks", .type = LOOM_PARAM_REAL, .max = 1e6, .value = "4", .metavar = "W", \
        .help = "drop temporary users seen near an end"                                          \
    }

/* Read weeks, load-factor, start, rare-per-week, long-term-weeks and edge-weeks. */
void loom_population_take(struct loom_population_rule *population, struct loom_user_rule *pools,
                          const struct loom_params *params);

extern const struct loom_param loom_resample_length_params[]; /* and size, and so load */
extern const struct loom_param loom_resample_user_params[];   /* who is drawn, and how */
extern const struct loom_param loom_resample_change_params[]; /* what is done to their jobs */
extern const char *const loom_resample_starts[];              /* where long-term users start */
extern const struct loom_param loom_rare_params[];            /* rare, rare-per-week */

/* Create the list of rare behaviours that rare names, and store its length. The caller must free
 * it, even after an error. */
int loom_rare_take(struct loom_rare **out, size_t *n_rare, const struct loom_params *params,
                   const struct loom_trace *log, struct loom_error *err);
/* Check that rare-per-week goes with rare. */
int loom_rare_check(const struct loom_params *params, struct loom_error *err);

/* The rule, with the lists it points to. */
struct loom_resample_request {
    struct loom_resample_rule rule;
    struct loom_rare *rare;
    struct loom_favour *favours;
    char **names; /* of the favours */
};

/* Read the rule; log is the first one. The request must be released, even after an error. */
int loom_resample_request_take(struct loom_resample_request *out, const struct loom_params *params,
                               const struct loom_trace *log, struct loom_error *err);
void loom_resample_request_release(struct loom_resample_request *request);

/* ---- users who submit (users_params.c) ------------------------------------------------------- */

extern const struct loom_param loom_population_params[]; /* weeks, load-factor, ... */
extern const struct loom_param loom_feedback_params[];   /* feedback, session-gap, pause, ... */

extern const struct loom_param loom_preset_params[]; /* preset */

/* What a preset (users_preset.c) sets. */
struct loom_users_preset {
    const char *name, *about;
    const char *behaviour;  /* feedback */
    double session_gap_min; /* session-gap */
    const char *start;      /* of a resampled population; NULL: left alone */
    bool pause;
    bool log_users; /* also of the users of a log */
};

/* Return the preset at an index or of a name; NULL if there is none. Static. */
const struct loom_users_preset *loom_users_preset_at(size_t index);
const struct loom_users_preset *loom_users_preset_find(const char *name);

/* Set what the parameter preset, if it is given, says of feedback, session-gap, start and pause,
 * each unless it is given itself. Call before the parameters are checked or read. resampled: the
 * users are a population. Fails with LOOM_EUSAGE for a preset of populations without one. */
int loom_users_preset_apply(struct loom_params *params, bool resampled, struct loom_error *err);

/* Options of users, with what they point to. */
struct loom_users_request {
    struct loom_population_rule population;
    struct loom_user_rule pools;
    struct loom_session_rule sessions;
    struct loom_rare *rare;
    struct loom_feedback_options options;
};

/* Read the options; resampled: the users are a population drawn from the users of the trace. The
 * request must be released, even after an error, must not move, and borrows from params. */
int loom_users_request_take(struct loom_users_request *out, const struct loom_params *params,
                            bool resampled, const struct loom_trace *trace, struct loom_error *err);
void loom_users_request_release(struct loom_users_request *request);

/* ---- changes of jobs, and what is measured (run_params.c) ------------------------------------ */

extern const struct loom_param loom_rearrange_params[];  /* shuffle, correlation, ... */
extern const struct loom_param loom_trim_params[];       /* warm-up, cool-down, measure-users */
extern const struct loom_param loom_class_params[];      /* by */
extern const struct loom_param loom_prediction_params[]; /* predictor, correction, ... */
extern const struct loom_param loom_amount_params[];     /* jobs, days: of a model */
extern const struct loom_param loom_without_params[];    /* without */

/* Choices of load-by, overrun and compat in the order of their enums, NULL-terminated. */
extern const char *const loom_load_ways[], *const loom_overrun_rules[], *const loom_compat_rules[];

/* Read how to rearrange; *asked is false if nothing is. The seed is left 0. */
int loom_rearrangement_take(struct loom_rearrangement *out, bool *asked,
                            const struct loom_params *params, struct loom_error *err);
/* Read warm-up and cool-down. */
int loom_trim_take(struct loom_sim_trim *out, const struct loom_params *params,
                   struct loom_error *err);
/* Create the selection of measure-users in *out; NULL if it is not given. */
int loom_measured_take(struct loom_params **out, const struct loom_params *params,
                       struct loom_error *err);
/* Read the traits to leave out: names separated by commas, of each item of without. */
int loom_without_take(unsigned *out, const struct loom_params *params, struct loom_error *err);

/* ---- constraints of the machine (constraint_params.c) ---------------------------------------- */

extern const struct loom_param loom_constraint_params[]; /* downtime, user-jobs, ... */

/* Constraints, with the lists they point to. */
struct loom_constraints {
    struct loom_downtimes downtime;
    struct loom_user_limits limits;
    struct loom_split split;
    struct loom_downtime *down;
    struct loom_share *shares;
};

/* Return whether any of them is given. */
bool loom_constraints_given(const struct loom_params *params);
/* Read them; times and queues are of the trace, which may be NULL if none is given. Must be
 * released, even after an error, and must not move once applied. */
int loom_constraints_take(struct loom_constraints *out, const struct loom_params *params,
                          const struct loom_trace *trace, struct loom_error *err);
/* Let a scenario point at those that are set. */
void loom_constraints_apply(struct loom_scenario *scenario, const struct loom_constraints *of);
void loom_constraints_release(struct loom_constraints *constraints);

/* ---- keys of plans alone (plan_params.c) ----------------------------------------------------- */

extern const struct loom_param loom_plan_whole_params[];    /* name, replications, seed, metrics */
extern const struct loom_param loom_plan_source_params[];   /* trace, model, resample, ... */
extern const struct loom_param loom_plan_read_params[];     /* from, columns, ... */
extern const struct loom_param loom_plan_estimate_params[]; /* estimates */
extern const struct loom_param loom_plan_policy_params[];   /* scheduler, plugin, procs, ... */
extern const struct loom_param loom_plan_load_params[];     /* load, load-by */

#endif
