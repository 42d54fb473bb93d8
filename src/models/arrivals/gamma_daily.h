/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gamma_daily.h - Lublin and Feitelson's arrivals (section 7): two gammas, one for the logarithm of
 * the time between jobs, one for the time of day.
 *
 * The day has 48 half-hour slots. They are numbered from 1, and the first ten, 0:00 to 5:00, come
 * after the last as 49 to 58, so that the day begins where it is quietest. Slot i has the weight
 * F(i + 1/2) - F(i - 1/2), F being the cdf of the daily gamma.
 *
 * The logarithms of the times between jobs are gamma(shape * arar, scale), where shape and scale
 * are fitted to peak hours; arar (arrive rush-to-all ratio) corrects for the rest of the day.
 */
#ifndef LOOM_MODELS_ARRIVALS_GAMMA_DAILY_H
#define LOOM_MODELS_ARRIVALS_GAMMA_DAILY_H

#include "models/arrivals/week.h"
#include "models/model.h"
#include "stats/gamma_sampler.h"

enum { LOOM_SLOTS = 48, LOOM_SLOT_S = 1800 };

/* How the two gammas become one process (section 7.3). */
enum loom_daily_method {
    LOOM_DAILY_SLOT_WEIGHT,           /* time passes faster in slots of more weight */
    LOOM_DAILY_EXPECTED_INTERARRIVAL, /* each slot has a shape, by its weight alone */
    LOOM_DAILY_EXPECTED_SLOTS,        /* each slot has a shape, by the slots that follow too */
};
extern const char *const loom_daily_methods[]; /* their names, NULL-terminated */

/* The populations whose parameters were published. */
enum loom_lublin_type { LOOM_LUBLIN_COMBINED, LOOM_LUBLIN_BATCH, LOOM_LUBLIN_INTERACTIVE };
enum { LOOM_LUBLIN_TYPES = 3 };
extern const char *const loom_lublin_type_names[]; /* NULL-terminated */

/* Estimators of the fit: as in the paper, or such that give a model back from its own
 * jobs. */
enum loom_lublin_estimators { LOOM_ESTIMATORS_PAPER, LOOM_ESTIMATORS_LIKELIHOOD };
extern const char *const loom_lublin_estimator_names[]; /* NULL-terminated */

/* Where the times between jobs of a fitted model come from: so that the log's rate comes out, or
 * from its peak hours as in the paper, where it does not. */
enum loom_daily_gaps { LOOM_GAPS_RATE, LOOM_GAPS_PEAK };
extern const char *const loom_daily_gap_names[]; /* NULL-terminated */

struct loom_gamma_daily {
    double shape, scale; /* of the logarithm of interarrival times, in s, at peak hours */
    double arar;
    double limit; /* greater logarithms are drawn again */
    double cycle_shape, cycle_scale;
    int method; /* enum loom_daily_method */
};

void loom_gamma_daily_publish(struct loom_gamma_daily *out, enum loom_lublin_type type, int method);
void loom_gamma_daily_describe(struct loom_gamma_daily *daily, struct loom_codec *codec);
/* Whether a document may have these parameters, and jobs come of them. */
bool loom_gamma_daily_runs(const struct loom_gamma_daily *daily);

/* How to fit. By likelihood, gaps are what is most likely, and to ask for others is an error. */
struct loom_daily_fitting {
    int method, estimators, gaps;
    const char *model; /* for messages */
    bool gaps_given;   /* somebody asked for them */
};
/* From parameters "cycle", "estimators" and "gaps". */
struct loom_daily_fitting loom_daily_fitting(const struct loom_params *params, const char *model);

/* Fit to jobs that were submitted at local_s, n times in order, in local seconds since 1970.
 * LOOM_EDATA where too few are close together, or the search for the shapes of slots does not end;
 * the sentence names the model. */
int loom_gamma_daily_fit(struct loom_gamma_daily *out, const int64_t *local_s, size_t n,
                         const struct loom_daily_fitting *options, struct loom_error *err);

/* The most likely parameters by one of the methods that have a shape for each slot, near those
 * given, from gaps of more than least_s. */
int loom_daily_fit_slots(struct loom_gamma_daily *daily, const int64_t *local_s, size_t n,
                         double least_s, struct loom_error *err);

/* ---- the rate -------------------------------------------------------------------------------- */

/* The mean time between jobs; NAN if the process cannot run. */
double loom_gamma_daily_gap_s(const struct loom_gamma_daily *daily);
/* Set shape, scale and arar so that logarithms of what is drawn have one mean and times between
 * jobs the other, with limit and method as they are. */
void loom_daily_match_rate(struct loom_gamma_daily *daily, double wanted_log, double wanted_s);
/* The same for what is drawn, before the method has made times of it. */
void loom_daily_match(struct loom_gamma_daily *daily, double wanted_log, double wanted_s);

/* The declared parameters of fitting, for all who have this process as a part of theirs. */
#define LOOM_DAILY_PARAMS                                                                         \
    {.name = "cycle",                                                                             \
     .type = LOOM_PARAM_CHOICE,                                                                   \
     .choices = loom_daily_methods,                                                               \
     .value = "slot-weight",                                                                      \
     .help = "how times between jobs follow the time of day"},                                    \
        {.name = "estimators",                                                                    \
         .type = LOOM_PARAM_CHOICE,                                                               \
         .choices = loom_lublin_estimator_names,                                                  \
         .value = "paper",                                                                        \
         .help =                                                                                  \
             "fit as the paper does, or so that the model's own jobs give its parameters back "   \
             "(which, with a cycle other than slot-weight, loses most of a real log's day)"},     \
    {                                                                                             \
        .name = "gaps", .type = LOOM_PARAM_CHOICE, .choices = loom_daily_gap_names,               \
        .value = "rate",                                                                          \
        .help = "times between jobs: with the log's rate of arrivals, or from peak hours as the " \
                "paper has it"                                                                    \
    }

/* ---- the day --------------------------------------------------------------------------------- */

/* Weights of the slots from midnight on, of mean 1; all 1 if the gamma has none in the day. */
void loom_daily_weights(double *weights, double cycle_shape, double cycle_scale);
/* The slot that a time is in, from midnight on. */
size_t loom_daily_slot(int64_t local_s);
/* Shapes of the slots by the expected interarrival method. */
void loom_daily_shapes_by_weight(double *shapes, const double *weights, double shape, double scale);
/* By the expected time slots method: the day that they are for, and from where they are, with the
 * mean gap of `shape`. */
struct loom_daily_jumps {
    const double *weights;
    double scale, limit, rate;
};
int loom_daily_shapes_by_jumps(double *shapes, const struct loom_daily_jumps *day, double shape,
                               struct loom_error *err);
/* The same for every day of the week, by half hours. */
void loom_gamma_daily_week(const struct loom_gamma_daily *daily, double *speed);
/* Mean of exp(x) where x is gamma(shape, scale), given that x is at most limit. */
double loom_daily_mean(double shape, double scale, double limit);

/* ---- the clock ------------------------------------------------------------------------------- */

/* A running process. Time is measured in virtual seconds, of which a slot has 1800 times its
 * weight, so that a day has as many as it has real ones. */
struct loom_daily_clock {
    struct loom_stream stream;
    struct loom_ziggurat ziggurat;
    struct loom_gamma_below gammas[LOOM_SLOTS];
    double scale, limit, rate;
    bool poisson; /* without burstiness: exponential times of the same means */
    double shapes[LOOM_SLOTS], means_s[LOOM_SLOTS];
    double weights[LOOM_SLOTS];
    double starts[LOOM_SLOTS + 1]; /* of the slots, in virtual seconds since midnight */
    double day_s;                  /* midnight of the current day, from time 0 of the workload */
    double virtual_s;              /* since then */
    size_t slot;
};

/* A clock must not be moved once it is open. The purpose selects its random numbers. */
int loom_daily_clock_open(struct loom_daily_clock *clock, const struct loom_gamma_daily *daily,
                          const struct loom_generation *generation, const char *purpose,
                          struct loom_error *err);
/* The time of the next job, in seconds from time 0. */
double loom_daily_clock_next(struct loom_daily_clock *clock);

#endif
