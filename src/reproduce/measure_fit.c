/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions fitted to what the jobs of a log have. */
#include "reproduce/bench.h"

#include "stats/dist/dist.h"
#include "stats/rounded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "COLUMN:DISTRIBUTION:WHAT". */
struct question {
    char column[32], distribution[40], what[32];
};

static int parse_question(struct question *out, const char *text, struct loom_error *err)
{
    if (sscanf(text, "%31[^:]:%39[^:]:%31s", out->column, out->distribution, out->what) == 3)
        return 0;
    return loom_fail(err, LOOM_EUSAGE, "'%s' is not COLUMN:DISTRIBUTION:WHAT", text);
}

/* Compute Ashman's D of two gammas: the distance of their means in deviations. Above 2, a mixture
 * has two modes that are apart. */
static double separation(const struct loom_dist *dist)
{
    const double *p = dist->params; /* weight, shape, scale of each */
    double variance = p[1] * p[2] * p[2] + p[4] * p[5] * p[5];
    return fabs(p[1] * p[2] - p[4] * p[5]) / sqrt(variance / 2);
}

static int pick(double *out, const struct loom_ranked *item, const char *what,
                struct loom_error *err)
{
    const struct loom_dist *dist = &item->fit.dist;
    char name[32];
    bool two_gammas = strcmp(item->name, "hypergamma") == 0 && dist->n_params == 6;
    for (size_t i = 0; i < dist->n_params; i++)
        if (strcmp(loom_dist_param_name(dist->ops, i, name, sizeof name), what) == 0) {
            *out = dist->params[i];
            return 0;
        }
    if (strcmp(what, "ks") == 0)
        *out = item->goodness.ks;
    else if (strcmp(what, "passed-500") == 0)
        *out = item->share_passed[0];
    else if (strcmp(what, "passed-1000") == 0)
        *out = item->share_passed[1];
    else if (strcmp(what, "separation") == 0 && two_gammas)
        *out = separation(dist);
    else
        return loom_fail(err, LOOM_EUSAGE, "%s has no '%s'", item->name, what);
    return 0;
}

/* Fit a distribution, and pick something of it. */
static int fit_and_pick(double *out, const struct loom_rounded *values, const char *distribution,
                        const char *what, const struct loom_bench *bench, enum loom_fit_by by,
                        struct loom_error *err)
{
    struct loom_ranked item = {0};
    snprintf(item.name, sizeof item.name, "%s", distribution);
    int rc = loom_fit_judge(&item, values, by, loom_bench_options(bench)->seed, err);
    return rc ? rc : pick(out, &item, what, err);
}

static enum loom_fit_by fit_by(const struct loom_claim *claim)
{
    char by[32] = "likelihood";
    loom_with(claim, "fit-by", by, sizeof by);
    return strcmp(by, "moments") == 0       ? LOOM_FIT_MOMENTS
           : strcmp(by, "percentiles") == 0 ? LOOM_FIT_PERCENTILES
                                            : LOOM_FIT_LIKELIHOOD;
}

int loom_measure_fit(struct loom_measured *out, struct loom_bench *bench,
                     const struct loom_claim *claim, struct loom_error *err)
{
    const char *second = claim->minus ? claim->minus : claim->over;
    const struct loom_trace *jobs = NULL;
    struct loom_rounded values = {0};
    struct question question;
    double other = 0;
    int rc = parse_question(&question, claim->of, err);
    if (!rc)
        rc = loom_bench_jobs(&jobs, bench, claim, err);
    if (!rc)
        rc = loom_values_rounded(&values, jobs, question.column, err);
    if (!rc && values.n < 2)
        rc = loom_fail(err, LOOM_EDATA, "there are too few values to fit anything to");
    if (!rc)
        rc = fit_and_pick(&out->value, &values, question.distribution, question.what, bench,
                          fit_by(claim), err);
    if (!rc && second)
        rc = fit_and_pick(&other, &values, second, question.what, bench, fit_by(claim), err);
    loom_rounded_free(&values);
    return rc ? rc : loom_relate(out, claim, other, err);
}
