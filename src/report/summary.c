/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workload in plain words. Each sentence is said only if the features that it needs are known,
 * and its judgement hangs on the limits that the texts name: a coefficient of variation of 1 and a
 * Hurst parameter of 0.5 are what arrivals without memory have.
 */
#include "report/report.h"

#include <math.h>

/* The values of up to four keys; false if one is not known. */
static bool get(double *values, const struct loom_features *features, const char *const *keys)
{
    for (size_t i = 0; keys[i]; i++) {
        const struct loom_feature *feature = loom_features_find(features, keys[i]);
        if (!feature || !feature->known)
            return false;
        values[i] = feature->value;
    }
    return true;
}

#define GET(values, features, ...) get(values, features, (const char *const[]){__VA_ARGS__, NULL})

static void number(FILE *out, const char *before, double value, const char *after)
{
    fputs(before, out);
    loom_html_number(out, value);
    fputs(after, out);
}

static void percent(FILE *out, const char *before, double share, const char *after)
{
    double hundredths = 100 * share;
    fprintf(out, hundredths > 0 && hundredths < 10 ? "%s%.1f\xC2\xA0%%%s" : "%s%.0f\xC2\xA0%%%s",
            before, hundredths, after);
}

static void duration(FILE *out, const char *before, double seconds, const char *after)
{
    fputs(before, out);
    loom_html_duration(out, seconds);
    fputs(after, out);
}

typedef void sentence_fn(FILE *out, const struct loom_features *features);

static void open_item(FILE *out, const char *word)
{
    fprintf(out, "<li><strong>%s</strong> ", word);
}

static void counts(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "jobs", "span_s"))
        return;
    open_item(out, "Extent:");
    number(out, "", v[0], v[0] == 1 ? " job" : " jobs");
    duration(out, " in ", v[1], "");
    if (GET(v, features, "users"))
        number(out, ", by ", v[0], v[0] == 1 ? " user" : " users");
    if (GET(v, features, "max_procs"))
        number(out, ", on a machine of ", v[0], " processors");
    if (GET(v, features, "load.offered"))
        percent(out, ", which they load to ", v[0], "");
    fputs(".</li>\n", out);
}

static void burstiness(FILE *out, const struct loom_features *features)
{
    double v[1];
    if (!GET(v, features, "arrival.interarrival.cv"))
        return;
    open_item(out, v[0] > 1.2 ? "Bursty:" : v[0] < 0.8 ? "Regular:" : "As irregular as chance:");
    number(out, "the coefficient of variation of interarrival times is ", v[0],
           "; a Poisson process has 1");
    if (GET(v, features, "arrival.rate900.zero_fraction"))
        percent(out, ". In ", v[0], " of all quarter hours no job arrives");
    fputs(".</li>\n", out);
}

static void dependence(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "arrival.hurst.mean", "arrival.hurst.sd"))
        return;
    open_item(out, v[0] - v[1] > 0.5   ? "Long-range dependent:"
                   : v[0] + v[1] > 0.5 ? "Perhaps long-range dependent:"
                                       : "Without long memory:");
    fprintf(out,
            "the Hurst parameter of arrivals is H %.2f ± %.2f, the mean and deviation of three "
            "estimates; without memory it is 0.5.</li>\n",
            v[0], v[1]);
}

static void cycles(FILE *out, const struct loom_features *features)
{
    double v[1];
    if (!GET(v, features, "cycle.peak_hour"))
        return;
    open_item(out, "Cycles:");
    fprintf(out, "most jobs arrive between %.0f:00 and %.0f:00", v[0], v[0] + 1);
    if (GET(v, features, "cycle.weekend_ratio"))
        percent(out, "; on weekends they arrive at ", v[0], " of the rate of working days");
    if (GET(v, features, "arrival.acf.day"))
        number(out, "; the autocorrelation of arrivals after a day is ", v[0], "");
    fputs(".</li>\n", out);
}

static void runtimes(FILE *out, const struct loom_features *features)
{
    double v[3];
    if (!GET(v, features, "runtime.mean_s", "runtime.median_s"))
        return;
    open_item(out, "Runtimes:");
    duration(out, "the mean is ", v[0], "");
    duration(out, ", the median ", v[1], "");
    if (GET(v, features, "runtime.cv"))
        number(out, ", the coefficient of variation ", v[0], "");
    if (GET(v, features, "runtime.clusters"))
        number(out, "; there are ", v[0], v[0] == 1 ? " kind of runtime" : " kinds of runtimes");
    fputs(".</li>\n", out);
}

static void sizes(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "procs.serial_fraction", "procs.mean"))
        return;
    open_item(out, "Sizes:");
    percent(out, "", v[0], " of jobs are serial");
    number(out, "; the mean size is ", v[1], " processors");
    if (GET(v, features, "procs.pow2_fraction"))
        percent(out, ", and ", v[0], " of parallel jobs ask for a power of two");
    if (GET(v, features, "corr.runtime_procs.spearman")) {
        const char *judgement = v[0] > 0.1    ? "larger jobs tend to run longer"
                                : v[0] < -0.1 ? "larger jobs tend to run shorter"
                                              : "size and runtime hardly go together";
        fprintf(out, "; %s", judgement);
        number(out, " (rank correlation ", v[0], ")");
    }
    fputs(".</li>\n", out);
}

static void bags(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "bot.job_fraction"))
        return;
    open_item(out, "Bags of tasks:");
    percent(out, "", v[0], " of jobs come in bags");
    if (GET(v, features, "bot.size.mean", "bot.size.max")) {
        number(out, " of ", v[0], " jobs on average");
        number(out, " (the largest has ", v[1], ")");
    }
    if (GET(v, features, "bot.occupation_fraction"))
        percent(out, "; they take ", v[0], " of the processor time");
    if (GET(v, features, "bot.wait_fraction"))
        percent(out, " and ", v[0], " of the waiting");
    fputs(".</li>\n", out);
}

static void people(FILE *out, const struct loom_features *features)
{
    double v[2], jobs[1];
    if (!GET(v, features, "user.long_term.count", "user.long_term.jobs"))
        return;
    open_item(out, "Users:");
    number(out, "", v[0], v[0] == 1 ? " is there" : " are there");
    fputs(" for more than 12 weeks", out);
    if (GET(jobs, features, "jobs") && jobs[0] > 0)
        percent(out, v[0] == 1 ? " and submits " : " and submit ", v[1] / jobs[0], " of the jobs");
    if (GET(v, features, "session.arrival.count", "session.arrival.jobs_mean")) {
        number(out, "; people work in ", v[0], v[0] == 1 ? " session" : " sessions");
        number(out, " of ", v[1], " jobs on average");
    }
    fputs(".</li>\n", out);
}

static void estimates(FILE *out, const struct loom_features *features)
{
    double v[1];
    if (!GET(v, features, "estimate.utilization"))
        return;
    open_item(out, "Estimates:");
    percent(out, "jobs use ", v[0], " of the time that they ask for, on average");
    if (GET(v, features, "estimate.under_fraction"))
        percent(out, "; ", v[0], " of them run longer than estimated");
    fputs(".</li>\n", out);
}

static void tails(FILE *out, const struct loom_features *features)
{
    double v[1];
    if (!GET(v, features, "tail.runtime.joint_ratio"))
        return;
    open_item(out, "Few jobs take most of the time:");
    percent(out, "the longest ", v[0] / 100, " of jobs have ");
    percent(out, "", 1 - v[0] / 100, " of all runtime.</li>\n");
}

void loom_summary_write(FILE *out, const struct loom_features *features)
{
    static sentence_fn *const sentences[] = {counts, burstiness, dependence, cycles,    runtimes,
                                             sizes,  bags,       people,     estimates, tails};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        sentences[i](out, features);
}
