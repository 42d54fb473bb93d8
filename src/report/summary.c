/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workload in plain words. Each sentence is said only if the features that it needs are known,
 * and its judgement hangs on the limits that the texts name: a coefficient of variation of 1 and a
 * Hurst parameter of 0.5 are what arrivals without memory have. Its first words lead to the section
 * that has the figures.
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

static void summary_number(FILE *out, const char *before, double value, const char *after)
{
    fputs(before, out);
    loom_html_number(out, value);
    fputs(after, out);
}

static void count(FILE *out, const char *before, double n, const char *one, const char *many)
{
    summary_number(out, before, n, n == 1 ? one : many);
}

static void duration(FILE *out, const char *before, double seconds, const char *after)
{
    fputs(before, out);
    loom_html_duration(out, seconds);
    fputs(after, out);
}

typedef void sentence_fn(FILE *out, const struct loom_features *features);

static void open_item(FILE *out, const char *section, const char *words)
{
    fprintf(out, "<li><strong><a href=\"#%s\">%s:</a></strong> ", section, words);
}

static void extent(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "jobs", "span_s"))
        return;
    open_item(out, "overview", "Extent");
    count(out, "", v[0], " job", " jobs");
    if (v[1] > 0)
        duration(out, " in ", v[1], "");
    if (GET(v, features, "users"))
        count(out, ", by ", v[0], " user", " users");
    if (GET(v, features, "max_procs"))
        count(out, ", on a machine of ", v[0], " processor", " processors");
    if (GET(v, features, "load.offered") && !GET(v, features, "service.utilization"))
        loom_html_percent(out, ", which they load to ", v[0], "");
    fputs(".</li>\n", out);
}

/* Over the window in which the log is complete, which is named where it is much shorter. */
static void service(FILE *out, const struct loom_features *features)
{
    double v[4], window[2], span[1];
    if (!GET(v, features, "service.wait.mean_s", "service.wait.median_s", "service.wait.p90_s"))
        return;
    open_item(out, "observed", "Service");
    duration(out, "the mean wait is ", v[0], "");
    duration(out, ", the median ", v[1], "");
    duration(out, "; one job in ten waits for more than ", v[2], "");
    const struct loom_feature *use = loom_features_find(features, "service.utilization");
    if (use && use->known)
        loom_html_percent(out, "; the machine is in use to ", use->value, "");
    if (use && use->known && use->note)
        fprintf(out, " (%s)", use->note);
    if (GET(window, features, "window.from_s", "window.to_s") && GET(span, features, "span_s") &&
        window[1] - window[0] < 0.95 * span[0]) {
        duration(out, "; all of this over the ", window[1] - window[0], "");
        duration(out, " in which the log is complete, of ", span[0], "");
    }
    fputs(".</li>\n", out);
}

static void burstiness(FILE *out, const struct loom_features *features)
{
    double v[1];
    if (!GET(v, features, "arrival.interarrival.cv"))
        return;
    open_item(out, "arrivals",
              v[0] > 1.2   ? "Bursty"
              : v[0] < 0.8 ? "Regular"
                           : "As irregular as chance");
    summary_number(out, "the coefficient of variation of interarrival times is ", v[0],
                   "; a Poisson process has 1");
    if (loom_features_definitions(features)->rate_interval_s == 900 &&
        GET(v, features, "arrival.rate900.zero_fraction"))
        loom_html_percent(out, ". In ", v[0], " of all quarter hours no job arrives");
    fputs(".</li>\n", out);
}

/* Daily and weekly cycles raise the estimates of the texts (arrival.hurst.*) as dependence does, so
 * the verdict is on what is left without them. An interval from below 0.5 to CLEAR or more leaves
 * open what there is, unless the estimate itself is below 0.5. */
static void dependence(FILE *out, const struct loom_features *features)
{
    enum { H, LOW, HIGH, REMOVED };
    static const double CLEAR = 0.75;
    double v[4];
    if (!GET(v, features, "arrival.dependence.h", "arrival.dependence.low",
             "arrival.dependence.high", "arrival.dependence.cycles_removed"))
        return;
    bool unclear = v[LOW] <= 0.5 && v[H] > 0.5 && v[HIGH] >= CLEAR;
    open_item(out, "arrivals",
              v[LOW] >= 1    ? "Not stationary"
              : v[LOW] > 0.5 ? "Long-range dependent"
              : unclear      ? "Long-range dependence undecided"
                             : "No sign of long-range dependence");
    fprintf(
        out,
        "without daily and weekly cycles, which are %.0f %% of the variance of hourly arrivals, "
        "the Hurst parameter is H %.2f (99 %% interval: %.2f to %.2f); without dependence it is "
        "0.5",
        100 * v[REMOVED], v[H], fmax(v[LOW], 0), v[HIGH]);
    if (v[LOW] >= 1)
        fputs(", and from 1 on the rate itself drifts", out);
    else if (unclear)
        fputs("; the log is too short to tell", out);
    fputs(".</li>\n", out);
}

static void cycles(FILE *out, const struct loom_features *features)
{
    enum { WEEK_S = 7 * 86400 };
    double v[1], span[1];
    if (!GET(v, features, "cycle.peak_hour") || !GET(span, features, "span_s") || span[0] < 86400)
        return;
    open_item(out, "arrivals", "Cycles");
    fprintf(out, "the busiest hour of the day is from %.0f:00 to %.0f:00", v[0], v[0] + 1);
    if (span[0] >= 2 * WEEK_S && GET(v, features, "cycle.weekend_ratio"))
        loom_html_percent(out, "; on weekends jobs arrive at ", v[0],
                          " of the rate of working days");
    if (GET(v, features, "arrival.acf.day"))
        summary_number(out, "; the autocorrelation of arrivals after a day is ", v[0], "");
    fputs(span[0] < 2 * WEEK_S ? "; for a weekly cycle the log is too short.</li>\n" : ".</li>\n",
          out);
}

static void write_runtimes(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "runtime.mean_s", "runtime.median_s"))
        return;
    open_item(out, "jobs", "Runtimes");
    duration(out, "the mean is ", v[0], "");
    duration(out, ", the median ", v[1], "");
    if (GET(v, features, "runtime.cv"))
        summary_number(out, ", the coefficient of variation ", v[0], "");
    if (GET(v, features, "runtime.clusters"))
        count(out, "; their logarithms fall into ", v[0], " cluster", " clusters");
    const struct loom_feature *clusters = loom_features_find(features, "runtime.clusters");
    if (clusters && clusters->note)
        fprintf(out, " (%s)", clusters->note);
    fputs(".</li>\n", out);
}

static void write_sizes(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "procs.serial_fraction", "procs.mean"))
        return;
    open_item(out, "jobs", "Sizes");
    loom_html_percent(out, "", v[0], " of jobs are serial");
    count(out, "; the mean size is ", v[1], " processor", " processors");
    if (GET(v, features, "procs.pow2_fraction"))
        loom_html_percent(out, ", and ", v[0], " of parallel jobs ask for a power of two");
    if (GET(v, features, "corr.runtime_procs.spearman")) {
        const char *judgement = v[0] > 0.1    ? "larger jobs tend to run longer"
                                : v[0] < -0.1 ? "larger jobs tend to run shorter"
                                              : "size and runtime hardly go together";
        fprintf(out, "; %s", judgement);
        summary_number(out, " (rank correlation ", v[0], ")");
    }
    fputs(".</li>\n", out);
}

static void bags(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "bot.job_fraction"))
        return;
    open_item(out, "bags", "Bags of tasks");
    if (v[0] <= 0) {
        fputs("no jobs come in bags.</li>\n", out);
        return;
    }
    loom_html_percent(out, "", v[0], " of jobs come in bags");
    if (GET(v, features, "bot.size.mean", "bot.size.max")) {
        summary_number(out, " of ", v[0], " jobs on average");
        summary_number(out, " (the largest has ", v[1], ")");
    }
    if (GET(v, features, "bot.occupation_fraction"))
        loom_html_percent(out, "; these jobs take ", v[0], " of the processor time");
    if (GET(v, features, "bot.wait_fraction"))
        loom_html_percent(out, " and do ", v[0], " of the waiting");
    fputs(".</li>\n", out);
}

static void long_term(FILE *out, const struct loom_features *features)
{
    double v[2], span[1], jobs[1];
    if (!GET(v, features, "user.long_term.count", "user.long_term.jobs") ||
        !GET(span, features, "span_s"))
        return;
    if (span[0] <= 12 * 7 * 86400) {
        fputs("the log is too short to tell who stays for more than 12 weeks", out);
    } else if (v[0] < 1) {
        fputs("no user stays for more than 12 weeks", out);
    } else {
        count(out, "", v[0], " user stays", " users stay");
        fputs(" for more than 12 weeks", out);
        if (GET(jobs, features, "jobs") && jobs[0] > 0)
            loom_html_percent(out, v[0] == 1 ? " and submits " : " and submit ", v[1] / jobs[0],
                              " of the jobs");
    }
}

static void people(FILE *out, const struct loom_features *features)
{
    double v[2];
    if (!GET(v, features, "user.long_term.count"))
        return;
    open_item(out, "users", "Users");
    long_term(out, features);
    if (GET(v, features, "session.arrival.count", "session.arrival.jobs_mean")) {
        count(out, "; people work in ", v[0], " session", " sessions");
        count(out, " of ", v[1], " job", " jobs on average");
    }
    fputs(".</li>\n", out);
}

static void estimates(FILE *out, const struct loom_features *features)
{
    double used[1] = {0}, under[1] = {0};
    if (!GET(used, features, "estimate.utilization"))
        return;
    open_item(out, "estimates", "Estimates");
    loom_html_percent(out, "on average, a job runs for ", used[0], " of the time that it asks for");
    if (GET(under, features, "estimate.under_fraction"))
        loom_html_percent(out, "; ", under[0], " of jobs run longer than estimated");
    fputs(".</li>\n", out);
}

static void tails(FILE *out, const struct loom_features *features)
{
    double v[1];
    if (!GET(v, features, "runtime.cv") || !GET(v, features, "tail.runtime.joint_ratio"))
        return;
    open_item(out, "tails",
              v[0] <= 25   ? "Few jobs take most of the time"
              : v[0] <= 40 ? "Longer jobs take most of the time"
                           : "Jobs take similar shares of the time");
    loom_html_percent(out, "the longest ", v[0] / 100, " of jobs have ");
    loom_html_percent(out, "", 1 - v[0] / 100, " of all runtime.</li>\n");
}

void loom_summary_write(FILE *out, const struct loom_features *features)
{
    static sentence_fn *const sentences[] = {extent, service,        burstiness,  dependence,
                                             cycles, write_runtimes, write_sizes, bags,
                                             people, estimates,      tails};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        sentences[i](out, features);
}
