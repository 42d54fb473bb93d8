/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trips.h - round trips: a model is generated and fitted again, most of them TRIPS times.
 *
 * The deviation of the fits is the sampling error of one of them, divided by the root of TRIPS it
 * is the error of their mean. The mean must be within one sampling error of a single fit, which is
 * 4.5 standard errors of the mean: with some 200 parameters, 3 would be passed by chance. What is
 * counted in whole numbers, such as zeros of a scale, may be off by a part of one. And a fit that
 * says little must not pass for a good one: where a deviation is stated it must not be larger.
 */
#ifndef LOOM_TESTS_TRIPS_H
#define LOOM_TESTS_TRIPS_H

#include "support.h"

#include <math.h>
#include <stdio.h>

enum { TRIPS = 20, MOST = 40 };

struct parameter {
    char name[32];
    double wanted;
    double grain;           /* what it is counted in */
    double most;            /* deviation of a fit; 0 if not known */
    double n, sum, squares; /* of the fits */
};

struct trips {
    size_t n;
    struct parameter all[MOST];
};

static inline void expect(struct trips *trips, const char *name, size_t index, double wanted,
                          double grain, double most)
{
    assert_true(trips->n < MOST);
    struct parameter *parameter = &trips->all[trips->n++];
    *parameter = (struct parameter){.wanted = wanted, .grain = grain, .most = most};
    snprintf(parameter->name, sizeof parameter->name, "%s %zu", name, index);
}

static inline void observe(struct trips *trips, size_t *at, double value)
{
    struct parameter *parameter = &trips->all[(*at)++];
    parameter->n++;
    parameter->sum += value;
    parameter->squares += value * value;
}

static inline void assert_back(const struct trips *trips, const char *what)
{
    for (size_t i = 0; i < trips->n; i++) {
        const struct parameter *p = &trips->all[i];
        double mean = p->sum / p->n;
        double sd = sqrt(fmax(0, p->squares - p->sum * mean) / (p->n - 1)), off = mean - p->wanted;
        print_message("# %-12s %-12s %10.5g comes back as %10.5g, deviation %9.3g, off by %5.2f\n",
                      what, p->name, p->wanted, mean, sd, sd > 0 ? off / sd : 0);
        if (fabs(off) > sd + p->grain)
            fail_msg("%s: %s is %g, fits have %g with a deviation of %g", what, p->name, p->wanted,
                     mean, sd);
        if (p->most > 0 && sd > p->most)
            fail_msg("%s: fits of %s have a deviation of %g, more than %g", what, p->name, sd,
                     p->most);
    }
}

#endif
