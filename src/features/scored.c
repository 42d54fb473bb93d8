/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of a score. Each part measures one property of workloads that the texts call important;
 * all parts have equal weight, since no text gives weights. A part has the distributions and
 * features that measure its property, each aspect once: of features that measure nearly the same
 * (the ends of a confidence interval, parameters of fits to a distribution that is compared itself,
 * five ways to part sessions) one stands for all. Counts that grow with the length of a log, such
 * as jobs and users, are shown but not scored: a model may be asked for any length.
 */
#include "features/compare.h"

#include <math.h>
#include <string.h>

enum part {
    ARRIVALS,
    DEPENDENCE,
    CYCLE,
    RUNTIMES,
    SIZES,
    WORK,
    LOCALITY,
    BAGS,
    USERS,
    ESTIMATES,
    NOT_SCORED = -1,
};

static const struct loom_part_info parts[] = {
    [ARRIVALS] = {"arrivals", "Arrivals",
                  "Do jobs come as irregularly, in bursts and with pauses?"},
    [DEPENDENCE] = {"dependence", "Long-range dependence",
                    "Do busy times follow on busy times over hours, days and weeks?"},
    [CYCLE] = {"cycle", "Cycles", "Do jobs come at the same hours and on the same days?"},
    [RUNTIMES] = {"runtimes", "Runtimes", "Do jobs run as long?"},
    [SIZES] = {"sizes", "Sizes", "Do jobs take as many processors?"},
    [WORK] = {"work", "Work and correlation",
              "Do long runtimes go with large sizes to the same degree, and make the same load?"},
    [LOCALITY] = {"locality", "Locality", "Are successive jobs as much alike?"},
    [BAGS] = {"bags", "Bags of tasks", "Do like jobs come in the same bags?"},
    [USERS] = {"users", "Users and sessions", "Do users work in the same way?"},
    [ESTIMATES] = {"estimates", "Estimates", "Do users ask for the same times?"},
};
_Static_assert(sizeof parts / sizeof *parts == LOOM_PARTS,
               "features.h says how many parts there are");

const struct loom_part_info *loom_part_at(size_t index)
{
    return index < LOOM_PARTS ? &parts[index] : NULL;
}

struct scored {
    const char *key;
    enum part part;
};

static const struct scored features[] = {
    {"arrival.interarrival.mean_s", ARRIVALS},
    {"arrival.interarrival.median_s", ARRIVALS},
    {"arrival.interarrival.cv", ARRIVALS},
    {"arrival.rate900.zero_fraction", ARRIVALS},
    {"arrival.entropy.900", ARRIVALS},
    {"arrival.entropy.3600", ARRIVALS},
    {"arrival.entropy.86400", ARRIVALS},
    {"arrival.hurst.mean", DEPENDENCE},
    {"arrival.hurst.pox", DEPENDENCE},
    {"arrival.hurst.wavelet", DEPENDENCE},
    {"arrival.hurst.whittle", DEPENDENCE},
    {"cycle.daily.gamma.shape", CYCLE},
    {"cycle.daily.gamma.scale", CYCLE},
    {"cycle.weekend_ratio", CYCLE},
    {"arrival.acf.day", CYCLE},
    {"arrival.acf.week", CYCLE},
    {"runtime.mean_s", RUNTIMES},
    {"runtime.median_s", RUNTIMES},
    {"runtime.cv", RUNTIMES},
    {"tail.runtime.llcd_slope", RUNTIMES},
    {"tail.runtime.joint_ratio", RUNTIMES},
    {"procs.mean", SIZES},
    {"procs.median", SIZES},
    {"procs.serial_fraction", SIZES},
    {"procs.pow2_fraction", SIZES},
    {"parallelism.groups", SIZES},
    {"corr.runtime_procs.pearson", WORK},
    {"corr.runtime_procs.spearman", WORK},
    {"spatial.entropy", WORK},
    {"load.offered", WORK},
    {"locality.runlength.alpha", LOCALITY},
    {"locality.runlength.mean", LOCALITY},
    {"locality.stack.runtime", LOCALITY},
    {"locality.stack.procs", LOCALITY},
    {"locality.bins16.runtime", LOCALITY},
    {"locality.bins16.procs", LOCALITY},
    {"bot.job_fraction", BAGS},
    {"bot.size.mean", BAGS},
    {"bot.size.alpha", BAGS},
    {"bot.runtime.cv_mean", BAGS},
    {"bot.duration.p99_s", BAGS},
    {"bot.occupation_fraction", BAGS},
    {"bot.corr.size_runtime", BAGS},
    {"bot.corr.size_procs", BAGS},
    {"bot.interarrival.cv", BAGS},
    {"bot.hurst.mean", BAGS},
    {"session.arrival.jobs_mean", USERS},
    {"session.arrival.length_mean_s", USERS},
    {"session.arrival.single_job_fraction", USERS},
    {"similarity.procs.d0_larger", USERS},
    {"similarity.procs.d1d2_larger", USERS},
    {"similarity.runtime.d0_larger", USERS},
    {"similarity.runtime.d1d2_larger", USERS},
    {"estimate.known_fraction", ESTIMATES},
    {"estimate.utilization", ESTIMATES},
    {"estimate.under_fraction", ESTIMATES},
    {"estimate.at_limit_fraction", ESTIMATES},
    {"estimate.popular20_fraction", ESTIMATES},
    {"locality.stack.estimate", ESTIMATES},
    {"locality.bins16.estimate", ESTIMATES},
    {"bot.estimate_utilization", ESTIMATES},
};

static const struct scored distributions[] = {
    {"interarrival", ARRIVALS},
    {"runtime", RUNTIMES},
    {"procs", SIZES},
    {"work", WORK},
    {"estimate", ESTIMATES},
    {"week", CYCLE},
    {"bag.size", BAGS},
    {"bag.runtime", BAGS},
    {"user.jobs", USERS},
    {"user.sessions", USERS},
    {"user.session_length", USERS},
    {"user.work", USERS},
    {"user.first", USERS},
    {"user.last", USERS},
    {"user.period", USERS},
};

static int part_of(const struct scored *table, size_t n, const char *key)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].key, key) == 0)
            return (int)table[i].part;
    return NOT_SCORED;
}

int loom_part_of_feature(const char *key)
{
    return part_of(features, sizeof features / sizeof *features, key);
}

int loom_part_of_distribution(size_t index)
{
    return part_of(distributions, sizeof distributions / sizeof *distributions,
                   loom_distribution_at(index)->key);
}

bool loom_is_presence(size_t index)
{
    const char *key = loom_distribution_at(index)->key;
    return strcmp(key, "user.first") == 0 || strcmp(key, "user.last") == 0 ||
           strcmp(key, "user.period") == 0;
}

/* A share of 0 is a number, but no more than that there is nothing to compare. */
const char *loom_lacking(const struct loom_feature *feature)
{
    bool share = strcmp(feature->info->key, "estimate.known_fraction") == 0;
    if (feature->known && share && feature->value == 0)
        return "no job has an estimate";
    return feature->known ? NULL : feature->reason;
}

/* Half way at three standard errors, where chance stops being an explanation. */
double loom_closeness(double distance)
{
    double thirds = distance / 3;
    return 1 / (1 + thirds * thirds);
}

double loom_distance_of(double closeness)
{
    return 3 * sqrt(fmax(0, 1 / closeness - 1));
}

double loom_scale(double a, double b, double error)
{
    double size = fmax(fabs(a), fabs(b));
    return isnan(error) ? 0.1 * size : hypot(error, 0.01 * size);
}
