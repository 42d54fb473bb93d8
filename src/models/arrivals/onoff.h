/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * onoff.h - many users who are active (on) and away (off) for heavy-tailed times (survey 4.3, 5.1).
 *
 * A user submits jobs at an even pace while on, at least one, and none while off. Lengths of
 * periods are Pareto distributed and independent. The sum of many such users is self-similar, with
 * H = (3 - alpha) / 2 for the smaller of the two tail indices (Willinger et al. 1997).
 */
#ifndef LOOM_MODELS_ARRIVALS_ONOFF_H
#define LOOM_MODELS_ARRIVALS_ONOFF_H

#include "models/model.h"

/* Lengths of the periods of one kind. The smallest is mean_s (alpha - 1) / alpha. */
struct loom_periods {
    double alpha; /* of the tail: above 1, so that there is a mean; below 2, if it is heavy */
    double mean_s;
};

struct loom_onoff {
    int64_t users;
    struct loom_periods on, off;
    double jobs_per_on; /* mean, at least 1 */
    char remark[200];   /* of the fit: bounds that were hit; documents do not have it */
};

/* On periods are sessions of the log's users, see onoff_fit.c. */
int loom_onoff_fit(void *state, const struct loom_training *log, struct loom_error *err);

/* An on period of a given length has the nearest whole number of jobs to length / pace, at least
 * one. The mean of that number for Pareto lengths, or for exponential ones of the same mean. */
double loom_onoff_jobs(const struct loom_periods *on, double pace_s, bool exponential);
/* The pace at which there are that many, more than 1 of them. */
double loom_onoff_pace(const struct loom_periods *on, double jobs, bool exponential);

#endif
