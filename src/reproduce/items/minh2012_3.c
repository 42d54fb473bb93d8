/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minh 2012, chapter 3: characteristics of logs. */
#include "reproduce/item.h"

static const char revision[] = "the archive's log may be a newer revision than the text's";
static const char rounded[] = "half of the last printed digit, and a newer revision of the log";
static const char minutes[] = "printed in whole minutes";
static const char exact[] = "a count";
static const char spread[] = "the spread over three estimators, as printed with table 3.2";
static const char clustering[] = "12 %: the text's clustering program and its limits are unknown";
static const char fitting[] = "3 % or half of the last digit: another program fitted";
static const char zeros[] =
    "zeros left out of Weibull, lognormal and gamma, as here: 0.52, 542; 5.29, 2.05; 0.37, 3371. "
    "Times as rounded to seconds, 0 among them ('analyze --fit bag-interarrival'): Weibull 0.50, "
    "508, "
    "nearer to print (0.47, 475). Zeros replaced by a small number: if 1.9 % of the times are 0 "
    "and "
    "become 3e-7, the lognormal has 5.29 - 0.019 x 20.4 = 4.91 and a deviation of 3.46, both as "
    "printed (2.8 % of the times are at most 1 s). Likeliest: that was done; the text does not say";

static const char distances[] = "a distance of fits whose parameters may differ by some percent";

/* A feature of the completed jobs of a log (3.1: only jobs that finished successfully). */
#define FEATURE(log_, key, value, tolerance, reason)                                         \
    {                                                                                        \
        .log = log_, .measure = loom_measure_feature, .of = key, .with = "select=completed", \
        .printed = value, .within = tolerance, .why = reason                                 \
    }

/* The distance of such a distribution. */
#define FIT_DISTANCE(log_, name, value)                                                         \
    {                                                                                           \
        .what = "distance of " name, .log = log_, .measure = loom_measure_feature,              \
        .of = "bot.interarrival.fit." name ".ks", .with = "select=completed", .printed = value, \
        .within = 0.015, .why = distances, .tried = zeros                                       \
    }

/* A parameter of a distribution fitted to the times between bags. */
#define FITTED(log_, parameter, value)                                                         \
    {                                                                                          \
        .what = parameter, .log = log_, .measure = loom_measure_feature,                       \
        .of = "bot.interarrival.fit." parameter, .with = "select=completed", .printed = value, \
        .within = 0.005, .share = 0.03, .why = fitting, .tried = zeros                         \
    }

/* A point of a figure of a log, and what the text says about it. */
#define POINT(says, log_, other, column, row, side, limit)                                        \
    {                                                                                             \
        .what = says, .log = log_, .instead = other, .measure = loom_measure_table, .of = column, \
        .cell = row, .with = "select=completed", .is = side, .printed = limit                     \
    }

static const struct loom_claim table_3_1[] = {
    FEATURE("NorduGrid", "jobs", 781367, 781.367, revision),
    FEATURE("AuverGrid", "jobs", 404176, 404.176, revision),
    FEATURE("DAS2-fs0", "jobs", 192269, 192.269, revision),
    FEATURE("DAS2-fs1", "jobs", 34808, 34.808, revision),
    FEATURE("DAS2-fs2", "jobs", 61040, 61.04, revision),
    FEATURE("DAS2-fs3", "jobs", 62767, 62.767, revision),
    FEATURE("DAS2-fs4", "jobs", 29563, 29.563, revision),
    FEATURE("OSC-Clust", "jobs", 36096, 36.096, revision),
    FEATURE("HPC2N", "jobs", 201998, 201.998, revision),
    FEATURE("NIKHEF", "jobs", 220575, 220.575, revision),
    FEATURE("LLNL-uBGL", "jobs", 11280, 11.28, revision),
    FEATURE("LLNL-Atlas", "jobs", 21179, 21.179, revision),
    FEATURE("LLNL-Thunder", "jobs", 102972, 102.972, revision),
    FEATURE("SDSC-BLUE", "jobs", 195591, 195.591, revision),
    FEATURE("SDSC-DS", "jobs", 66743, 66.743, revision),
    FEATURE("LANL-O2K", "jobs", 93326, 93.326, revision),
};

static const struct loom_claim table_3_2[] = {
    FEATURE("NorduGrid", "arrival.hurst.mean", 0.86, 0.07, spread),
    FEATURE("AuverGrid", "arrival.hurst.mean", 0.91, 0.06, spread),
    FEATURE("DAS2-fs2", "arrival.hurst.mean", 0.77, 0.10, spread),
    FEATURE("DAS2-fs3", "arrival.hurst.mean", 0.84, 0.09, spread),
    FEATURE("HPC2N", "arrival.hurst.mean", 0.70, 0.09, spread),
    FEATURE("LANL-O2K", "arrival.hurst.mean", 0.80, 0.03, spread),
    FEATURE("LLNL-Thunder", "arrival.hurst.mean", 0.69, 0.17, spread),
    FEATURE("NIKHEF", "arrival.hurst.mean", 0.70, 0.08, spread),
};

static const struct loom_claim table_3_3[] = {
    FEATURE("NorduGrid", "arrival.interarrival.cv", 33.14, 0.6628, revision),
    FEATURE("AuverGrid", "arrival.interarrival.cv", 5.65, 0.113, revision),
    FEATURE("DAS2-fs2", "arrival.interarrival.cv", 13.88, 0.2776, revision),
    FEATURE("DAS2-fs3", "arrival.interarrival.cv", 17.92, 0.3584, revision),
    FEATURE("HPC2N", "arrival.interarrival.cv", 5.70, 0.114, revision),
    FEATURE("LANL-O2K", "arrival.interarrival.cv", 17.70, 0.354, revision),
    FEATURE("LLNL-Thunder", "arrival.interarrival.cv", 10.00, 0.2, revision),
    FEATURE("NIKHEF", "arrival.interarrival.cv", 18.56, 0.3712, revision),
};

static const struct loom_claim table_3_4[] = {
    FEATURE("DAS2-fs3", "corr.runtime_procs.spearman", -0.247, 0.01, revision),
    FEATURE("HPC2N", "corr.runtime_procs.spearman", -0.229, 0.01, revision),
    FEATURE("DAS2-fs4", "corr.runtime_procs.spearman", -0.214, 0.01, revision),
    FEATURE("OSC-Clust", "corr.runtime_procs.spearman", -0.202, 0.01, revision),
    FEATURE("DAS2-fs0", "corr.runtime_procs.spearman", 0.002, 0.01, revision),
    FEATURE("SDSC-DS", "corr.runtime_procs.spearman", 0.005, 0.01, revision),
    FEATURE("DAS2-fs1", "corr.runtime_procs.spearman", 0.269, 0.01, revision),
    FEATURE("SDSC-BLUE", "corr.runtime_procs.spearman", 0.409, 0.01, revision),
    FEATURE("LLNL-Atlas", "corr.runtime_procs.spearman", 0.431, 0.01, revision),
    FEATURE("LLNL-uBGL", "corr.runtime_procs.spearman", 0.444, 0.01, revision),
    FEATURE("LLNL-Thunder", "corr.runtime_procs.spearman", 0.453, 0.01, revision),
    FEATURE("DAS2-fs2", "corr.runtime_procs.spearman", 0.459, 0.01, revision),
};

static const struct loom_claim table_3_5[] = {
    FEATURE("DAS2-fs3", "locality.runlength.alpha", 1.88, 0.226, clustering),
    FEATURE("HPC2N", "locality.runlength.alpha", 2.26, 0.271, clustering),
    FEATURE("DAS2-fs4", "locality.runlength.alpha", 1.74, 0.209, clustering),
    FEATURE("OSC-Clust", "locality.runlength.alpha", 2.48, 0.298, clustering),
    FEATURE("DAS2-fs0", "locality.runlength.alpha", 2.45, 0.294, clustering),
    FEATURE("SDSC-DS", "locality.runlength.alpha", 2.91, 0.349, clustering),
    FEATURE("DAS2-fs1", "locality.runlength.alpha", 2.07, 0.248, clustering),
    FEATURE("SDSC-BLUE", "locality.runlength.alpha", 3.17, 0.38, clustering),
    FEATURE("LLNL-Atlas", "locality.runlength.alpha", 2.62, 0.314, clustering),
    FEATURE("LLNL-uBGL", "locality.runlength.alpha", 2.71, 0.325, clustering),
    FEATURE("LLNL-Thunder", "locality.runlength.alpha", 2.92, 0.35, clustering),
    FEATURE("DAS2-fs2", "locality.runlength.alpha", 1.98, 0.238, clustering),
};

static const struct loom_claim table_3_6[] = {
    FEATURE("DAS2-fs2", "spatial.entropy", 0.447, 0.006, rounded),
    FEATURE("DAS2-fs3", "spatial.entropy", 0.126, 0.006, rounded),
    FEATURE("HPC2N", "spatial.entropy", 0.305, 0.006, rounded),
    FEATURE("LANL-O2K", "spatial.entropy", 0.317, 0.006, rounded),
    FEATURE("LLNL-Thunder", "spatial.entropy", 0.330, 0.006, rounded),
};

static const struct loom_claim table_3_7[] = {
    FEATURE("DAS2-fs2", "bot.job_fraction", 0.60, 0.012, rounded),
    FEATURE("DAS2-fs3", "bot.job_fraction", 0.89, 0.012, rounded),
    FEATURE("HPC2N", "bot.job_fraction", 0.65, 0.012, rounded),
    FEATURE("LANL-O2K", "bot.job_fraction", 0.34, 0.012, rounded),
    FEATURE("LLNL-Thunder", "bot.job_fraction", 0.40, 0.012, rounded),
    FEATURE("NIKHEF", "bot.job_fraction", 0.83, 0.012, rounded),
};

static const struct loom_claim table_3_8[] = {
    FEATURE("DAS2-fs2", "bot.runtime.cv_mean", 0.19, 0.01, rounded),
    FEATURE("DAS2-fs3", "bot.runtime.cv_mean", 0.20, 0.01, rounded),
    FEATURE("HPC2N", "bot.runtime.cv_mean", 0.25, 0.01, rounded),
    FEATURE("LANL-O2K", "bot.runtime.cv_mean", 0.28, 0.01, rounded),
    FEATURE("LLNL-Thunder", "bot.runtime.cv_mean", 0.45, 0.01, rounded),
    FEATURE("NIKHEF", "bot.runtime.cv_mean", 0.46, 0.01, rounded),
};

static const struct loom_claim table_3_9[] = {
    FITTED("DAS2-fs0", "gp.shape", 1.12),
    FITTED("DAS2-fs0", "gp.scale", 67.53),
    FITTED("DAS2-fs0", "weibull.shape", 0.51),
    FITTED("DAS2-fs0", "weibull.scale", 170.36),
    FITTED("DAS2-fs0", "lognormal.mu", 4.02),
    FITTED("DAS2-fs0", "lognormal.sigma", 3.13),
    FITTED("DAS2-fs0", "gamma.shape", 0.35),
    FITTED("DAS2-fs0", "gamma.scale", 1100),
    FITTED("DAS2-fs0", "exponential.mean", 383.71),
    FITTED("DAS2-fs2", "gp.shape", 0.81),
    FITTED("DAS2-fs2", "gp.scale", 165.99),
    FITTED("DAS2-fs2", "weibull.shape", 0.38),
    FITTED("DAS2-fs2", "weibull.scale", 252.31),
    FITTED("DAS2-fs2", "lognormal.mu", 3.73),
    FITTED("DAS2-fs2", "lognormal.sigma", 5.52),
    FITTED("DAS2-fs2", "gamma.shape", 0.22),
    FITTED("DAS2-fs2", "gamma.scale", 4887),
    FITTED("DAS2-fs2", "exponential.mean", 1085.29),
    FITTED("DAS2-fs3", "gp.shape", 1.26),
    FITTED("DAS2-fs3", "gp.scale", 132.94),
    FITTED("DAS2-fs3", "weibull.shape", 0.39),
    FITTED("DAS2-fs3", "weibull.scale", 374.64),
    FITTED("DAS2-fs3", "lognormal.mu", 4.48),
    FITTED("DAS2-fs3", "lognormal.sigma", 4.09),
    FITTED("DAS2-fs3", "gamma.shape", 0.21),
    FITTED("DAS2-fs3", "gamma.scale", 12826),
    FITTED("DAS2-fs3", "exponential.mean", 2723.14),
    FITTED("HPC2N", "gp.shape", 1.26),
    FITTED("HPC2N", "gp.scale", 172.2),
    FITTED("HPC2N", "weibull.shape", 0.47),
    FITTED("HPC2N", "weibull.scale", 475.43),
    FITTED("HPC2N", "lognormal.mu", 4.91),
    FITTED("HPC2N", "lognormal.sigma", 3.46),
    FITTED("HPC2N", "gamma.shape", 0.31),
    FITTED("HPC2N", "gamma.scale", 3874),
    FITTED("HPC2N", "exponential.mean", 1213.38),
    FITTED("LLNL-Thunder", "gp.shape", 0.96),
    FITTED("LLNL-Thunder", "gp.scale", 40.23),
    FITTED("LLNL-Thunder", "weibull.shape", 0.57),
    FITTED("LLNL-Thunder", "weibull.scale", 91.98),
    FITTED("LLNL-Thunder", "lognormal.mu", 3.6),
    FITTED("LLNL-Thunder", "lognormal.sigma", 2.32),
    FITTED("LLNL-Thunder", "gamma.shape", 0.41),
    FITTED("LLNL-Thunder", "gamma.scale", 438),
    FITTED("LLNL-Thunder", "exponential.mean", 180.02),
    FITTED("NIKHEF", "gp.shape", 1.22),
    FITTED("NIKHEF", "gp.scale", 109.27),
    FITTED("NIKHEF", "weibull.shape", 0.29),
    FITTED("NIKHEF", "weibull.scale", 166.28),
    FITTED("NIKHEF", "lognormal.mu", 2.47),
    FITTED("NIKHEF", "lognormal.sigma", 7.23),
    FITTED("NIKHEF", "gamma.shape", 0.19),
    FITTED("NIKHEF", "gamma.scale", 3101),
    FITTED("NIKHEF", "exponential.mean", 589.2),
};

static const struct loom_claim table_3_10[] = {
    FIT_DISTANCE("DAS2-fs0", "gp", 0.059),
    FIT_DISTANCE("DAS2-fs0", "weibull", 0.098),
    FIT_DISTANCE("DAS2-fs0", "lognormal", 0.182),
    FIT_DISTANCE("DAS2-fs0", "gamma", 0.118),
    FIT_DISTANCE("DAS2-fs0", "exponential", 0.348),
    FIT_DISTANCE("DAS2-fs2", "gp", 0.098),
    FIT_DISTANCE("DAS2-fs2", "weibull", 0.237),
    FIT_DISTANCE("DAS2-fs2", "lognormal", 0.323),
    FIT_DISTANCE("DAS2-fs2", "gamma", 0.212),
    FIT_DISTANCE("DAS2-fs2", "exponential", 0.478),
    FIT_DISTANCE("DAS2-fs3", "gp", 0.063),
    FIT_DISTANCE("DAS2-fs3", "weibull", 0.106),
    FIT_DISTANCE("DAS2-fs3", "lognormal", 0.192),
    FIT_DISTANCE("DAS2-fs3", "gamma", 0.237),
    FIT_DISTANCE("DAS2-fs3", "exponential", 0.604),
    FIT_DISTANCE("HPC2N", "gp", 0.074),
    FIT_DISTANCE("HPC2N", "weibull", 0.054),
    FIT_DISTANCE("HPC2N", "lognormal", 0.139),
    FIT_DISTANCE("HPC2N", "gamma", 0.103),
    FIT_DISTANCE("HPC2N", "exponential", 0.355),
    FIT_DISTANCE("LLNL-Thunder", "gp", 0.063),
    FIT_DISTANCE("LLNL-Thunder", "weibull", 0.127),
    FIT_DISTANCE("LLNL-Thunder", "lognormal", 0.143),
    FIT_DISTANCE("LLNL-Thunder", "gamma", 0.137),
    FIT_DISTANCE("LLNL-Thunder", "exponential", 0.322),
    FIT_DISTANCE("NIKHEF", "gp", 0.152),
    FIT_DISTANCE("NIKHEF", "weibull", 0.212),
    FIT_DISTANCE("NIKHEF", "lognormal", 0.284),
    FIT_DISTANCE("NIKHEF", "gamma", 0.197),
    FIT_DISTANCE("NIKHEF", "exponential", 0.286),
};

static const struct loom_claim table_3_11[] = {
    FEATURE("DAS2-fs0", "bot.interarrival.cv", 7.7, 0.308, rounded),
    FEATURE("DAS2-fs2", "bot.interarrival.cv", 9.6, 0.384, rounded),
    FEATURE("DAS2-fs3", "bot.interarrival.cv", 7.7, 0.308, rounded),
    FEATURE("HPC2N", "bot.interarrival.cv", 3.8, 0.152, rounded),
    FEATURE("LLNL-Thunder", "bot.interarrival.cv", 8.3, 0.332, rounded),
    FEATURE("NIKHEF", "bot.interarrival.cv", 9.9, 0.396, rounded),
};

static const struct loom_claim table_3_12[] = {
    FEATURE("DAS2-fs0", "arrival.hurst.mean", 0.85, 0.08, spread),
    FEATURE("DAS2-fs2", "arrival.hurst.mean", 0.79, 0.08, spread),
    FEATURE("DAS2-fs3", "arrival.hurst.mean", 0.74, 0.08, spread),
    FEATURE("HPC2N", "arrival.hurst.mean", 0.67, 0.08, spread),
    FEATURE("LLNL-Thunder", "arrival.hurst.mean", 0.78, 0.08, spread),
    FEATURE("NIKHEF", "arrival.hurst.mean", 0.69, 0.08, spread),
    FEATURE("DAS2-fs0", "bot.hurst.mean", 0.76, 0.08, spread),
    FEATURE("DAS2-fs2", "bot.hurst.mean", 0.86, 0.08, spread),
    FEATURE("DAS2-fs3", "bot.hurst.mean", 0.73, 0.08, spread),
    FEATURE("HPC2N", "bot.hurst.mean", 0.81, 0.08, spread),
    FEATURE("LLNL-Thunder", "bot.hurst.mean", 0.79, 0.08, spread),
    FEATURE("NIKHEF", "bot.hurst.mean", 0.68, 0.08, spread),
};

static const struct loom_claim table_3_13[] = {
    FEATURE("DAS2-fs0", "bot.size.mean", 7, 0.5, rounded),
    FEATURE("DAS2-fs2", "bot.size.mean", 8, 0.5, rounded),
    FEATURE("DAS2-fs3", "bot.size.mean", 14, 0.5, rounded),
    FEATURE("HPC2N", "bot.size.mean", 7, 0.5, rounded),
    FEATURE("LLNL-Thunder", "bot.size.mean", 5, 0.5, rounded),
    FEATURE("NIKHEF", "bot.size.mean", 8, 0.5, rounded),
    FEATURE("DAS2-fs0", "bot.size.max", 1263, 0, exact),
    FEATURE("DAS2-fs2", "bot.size.max", 558, 0, exact),
    FEATURE("DAS2-fs3", "bot.size.max", 3675, 0, exact),
    FEATURE("HPC2N", "bot.size.max", 2418, 0, exact),
    FEATURE("LLNL-Thunder", "bot.size.max", 169, 0, exact),
    FEATURE("NIKHEF", "bot.size.max", 1201, 0, exact),
};

static const struct loom_claim table_3_14[] = {
    FEATURE("DAS2-fs0", "bot.corr.size_runtime", 0.169, 0.006, revision),
    FEATURE("DAS2-fs2", "bot.corr.size_runtime", -0.038, 0.006, revision),
    FEATURE("DAS2-fs3", "bot.corr.size_runtime", 0.201, 0.006, revision),
    FEATURE("HPC2N", "bot.corr.size_runtime", 0.157, 0.006, revision),
    FEATURE("LLNL-Thunder", "bot.corr.size_runtime", -0.082, 0.006, revision),
    FEATURE("NIKHEF", "bot.corr.size_runtime", -0.106, 0.006, revision),
};

static const struct loom_claim table_3_15[] = {
    FEATURE("DAS2-fs0", "bot.corr.size_procs", -0.032, 0.006, revision),
    FEATURE("DAS2-fs2", "bot.corr.size_procs", -0.198, 0.006, revision),
    FEATURE("DAS2-fs3", "bot.corr.size_procs", -0.310, 0.006, revision),
    FEATURE("HPC2N", "bot.corr.size_procs", -0.150, 0.006, revision),
    FEATURE("LLNL-Thunder", "bot.corr.size_procs", -0.091, 0.006, revision),
    FEATURE("NIKHEF", "bot.corr.size_procs", -0.014, 0.006, revision),
};

static const struct loom_claim table_3_16[] = {
    FEATURE("DAS2-fs0", "bot.corr.size_estimate", -0.033, 0.006, revision),
    FEATURE("DAS2-fs2", "bot.corr.size_estimate", -0.244, 0.006, revision),
    FEATURE("DAS2-fs3", "bot.corr.size_estimate", -0.236, 0.006, revision),
    FEATURE("HPC2N", "bot.corr.size_estimate", 0.175, 0.006, revision),
    FEATURE("NIKHEF", "bot.corr.size_estimate", -0.145, 0.006, revision),
};

static const struct loom_claim table_3_17[] = {
    FEATURE("DAS2-fs0", "bot.estimate_utilization", 0.04, 0.006, rounded),
    FEATURE("DAS2-fs2", "bot.estimate_utilization", 0.06, 0.006, rounded),
    FEATURE("DAS2-fs3", "bot.estimate_utilization", 0.04, 0.006, rounded),
    FEATURE("HPC2N", "bot.estimate_utilization", 0.36, 0.006, rounded),
    FEATURE("NIKHEF", "bot.estimate_utilization", 0.16, 0.006, rounded),
};

static const struct loom_claim table_3_18[] = {
    FEATURE("DAS2-fs0", "bot.occupation_fraction", 0.30, 0.006, rounded),
    FEATURE("DAS2-fs2", "bot.occupation_fraction", 0.20, 0.006, rounded),
    FEATURE("DAS2-fs3", "bot.occupation_fraction", 0.28, 0.006, rounded),
    FEATURE("HPC2N", "bot.occupation_fraction", 0.50, 0.006, rounded),
    FEATURE("LLNL-Thunder", "bot.occupation_fraction", 0.01, 0.006, rounded),
    FEATURE("NIKHEF", "bot.occupation_fraction", 0.81, 0.006, rounded),
};

static const struct loom_claim table_3_19[] = {
    FEATURE("DAS2-fs0", "bot.runtime.mean_s", 360, 30, minutes),
    FEATURE("DAS2-fs2", "bot.runtime.mean_s", 300, 30, minutes),
    FEATURE("DAS2-fs3", "bot.runtime.mean_s", 240, 30, minutes),
    FEATURE("HPC2N", "bot.runtime.mean_s", 18660, 186.6, minutes),
    FEATURE("LLNL-Thunder", "bot.runtime.mean_s", 120, 30, minutes),
    FEATURE("NIKHEF", "bot.runtime.mean_s", 24480, 244.8, minutes),
    FEATURE("DAS2-fs0", "runtime.mean_s", 360, 30, minutes),
    FEATURE("DAS2-fs2", "runtime.mean_s", 540, 30, minutes),
    FEATURE("DAS2-fs3", "runtime.mean_s", 480, 30, minutes),
    FEATURE("HPC2N", "runtime.mean_s", 16920, 169.2, minutes),
    FEATURE("LLNL-Thunder", "runtime.mean_s", 1440, 30, minutes),
    FEATURE("NIKHEF", "runtime.mean_s", 24780, 247.8, minutes),
};

static const struct loom_claim table_3_20[] = {
    FEATURE("DAS2-fs0", "bot.wait_fraction", 0.16, 0.006, rounded),
    FEATURE("DAS2-fs2", "bot.wait_fraction", 0.32, 0.006, rounded),
    FEATURE("DAS2-fs3", "bot.wait_fraction", 0.58, 0.006, rounded),
    FEATURE("HPC2N", "bot.wait_fraction", 0.90, 0.006, rounded),
    FEATURE("LLNL-Thunder", "bot.wait_fraction", 0.39, 0.006, rounded),
    FEATURE("NIKHEF", "bot.wait_fraction", 0.80, 0.006, rounded),
};

/* Interarrival times are heavy-tailed; dependence shows in the rate process, not in them. */
static const struct loom_claim figure_3_1[] = {
    LOOM_CLAIM("interarrival times vary more than exponential ones", "DAS2-fs2",
               loom_measure_feature, "arrival.interarrival.cv", "select=completed",
               .instead = "DAS2-fs1", .is = LOOM_ABOVE, .printed = 1),
    POINT("interarrival times are hardly correlated at lag 50", "DAS2-fs2", "DAS2-fs1",
          "interarrival-acf:autocorrelation", "series=interarrival times; lag=50", LOOM_BELOW,
          0.05),
    POINT("the rate process is correlated at a lag of half a day", "DAS2-fs2", "DAS2-fs1",
          "arrivals-acf:autocorrelation", "series=this log; lag_days<=0.25", LOOM_ABOVE, 0.05),
};

/* Histograms of run lengths fall as a power: most runs are short, some long. */
static const struct loom_claim figure_3_2[] = {
    FEATURE("HPC2N", "locality.runlength.alpha", 2.26, 0.27, clustering),
    FEATURE("OSC-Clust", "locality.runlength.alpha", 2.48, 0.3, clustering),
    FEATURE("DAS2-fs1", "locality.runlength.alpha", 2.07, 0.25, clustering),
    FEATURE("SDSC-BLUE", "locality.runlength.alpha", 3.17, 0.38, clustering),
};

/* Beyond 100 s the curves rise slowly, so that Delta is 100 s. */
#define LIKE_JOBS(log_, other)                                                            \
    POINT("most gaps between like jobs are within 100 s", log_, other, "like-jobs:share", \
          "series=before the first ended; gap_s<=100", LOOM_ABOVE, 0.5)

static const struct loom_claim figure_3_3[] = {
    LIKE_JOBS("HPC2N", NULL),
    LIKE_JOBS("DAS2-fs2", "DAS2-fs1"),
    LIKE_JOBS("LLNL-Thunder", NULL),
};

#define DURATION(log_, other)                                                                    \
    POINT("almost all bags are submitted within 15 minutes", log_, other, "bag-durations:share", \
          "duration_s<=900", LOOM_ABOVE, 0.95)

static const struct loom_claim figure_3_4[] = {
    DURATION("HPC2N", NULL),
    DURATION("DAS2-fs2", "DAS2-fs1"),
    DURATION("LLNL-Thunder", NULL),
};

/* Sizes of bags and run lengths follow a Zipf distribution. */
#define ZIPF(log_, other, key)                                                                    \
    {                                                                                             \
        .what = key " is the exponent of a falling power", .log = log_, .instead = other,         \
        .measure = loom_measure_feature, .of = key, .with = "select=completed", .is = LOOM_ABOVE, \
        .printed = 1                                                                              \
    }

static const struct loom_claim figure_3_5[] = {
    ZIPF("HPC2N", NULL, "bot.size.alpha"),
    ZIPF("HPC2N", NULL, "locality.runlength.alpha"),
    ZIPF("DAS2-fs2", "DAS2-fs1", "bot.size.alpha"),
    ZIPF("LLNL-Thunder", NULL, "bot.size.alpha"),
};

/* Both curves of part (b) are close to the log. */
static const struct loom_claim figure_3_6[] = {
    LOOM_CLAIM("distance of the Generalized Pareto distribution from HPC2N is small", "HPC2N",
               loom_measure_feature, "bot.interarrival.fit.gp.ks", "select=completed",
               .is = LOOM_BELOW, .printed = 0.1),
    LOOM_CLAIM("and of the Weibull distribution", "HPC2N", loom_measure_feature,
               "bot.interarrival.fit.weibull.ks", "select=completed", .is = LOOM_BELOW,
               .printed = 0.1),
    LOOM_CLAIM("the exponential distribution is far", "HPC2N", loom_measure_feature,
               "bot.interarrival.fit.exponential.ks", "select=completed", .is = LOOM_ABOVE,
               .printed = 0.2),
};

/* HPC: bag arrivals have a clear daily cycle, job arrivals have none. */
static const struct loom_claim figure_3_7[] = {
    POINT("HPC: bag arrivals are correlated with the same time of the next day", "HPC2N", NULL,
          "bag-arrivals-acf:autocorrelation", "series=bags; lag_days=1", LOOM_ABOVE, 0.1),
    POINT("HPC: job arrivals are hardly so", "HPC2N", NULL, "bag-arrivals-acf:autocorrelation",
          "series=jobs; lag_days=1", LOOM_BELOW, 0.05),
    POINT("LLN: bag arrivals have a weekly cycle", "LLNL-Thunder", NULL,
          "bag-arrivals-acf:autocorrelation", "series=bags; lag_days=7", LOOM_ABOVE, 0.1),
};

static const struct loom_claim figure_3_8[] = {
    POINT("runtimes of bags are correlated at lag 1", "HPC2N", NULL,
          "bag-runtimes-acf:autocorrelation", "series=bags; lag=1", LOOM_ABOVE, 0.05),
    POINT("runtimes of bags are correlated at lag 1", "DAS2-fs2", "DAS2-fs1",
          "bag-runtimes-acf:autocorrelation", "series=bags; lag=1", LOOM_ABOVE, 0.05),
};

static const struct loom_item items[] = {
    {"minh2012/table-3.1", "Table 3.1", "Logs and their completed jobs", LOOM_CLAIMS(table_3_1)},
    {"minh2012/table-3.2", "Table 3.2", "Hurst parameter of the rate process",
     LOOM_CLAIMS(table_3_2)},
    {"minh2012/table-3.3", "Table 3.3", "Variation of interarrival times", LOOM_CLAIMS(table_3_3)},
    {"minh2012/table-3.4", "Table 3.4", "Correlation of runtime and size by ranks",
     LOOM_CLAIMS(table_3_4)},
    {"minh2012/table-3.5", "Table 3.5", "Zipf exponent of run lengths", LOOM_CLAIMS(table_3_5)},
    {"minh2012/table-3.6", "Table 3.6", "Spatial entropy", LOOM_CLAIMS(table_3_6)},
    {"minh2012/table-3.7", "Table 3.7", "Share of jobs in bags of tasks", LOOM_CLAIMS(table_3_7)},
    {"minh2012/table-3.8", "Table 3.8", "Variation of runtimes inside bags",
     LOOM_CLAIMS(table_3_8)},
    {"minh2012/table-3.9", "Table 3.9", "Distributions fitted to times between bags",
     LOOM_CLAIMS(table_3_9)},
    {"minh2012/table-3.10", "Table 3.10", "Distances of these fits", LOOM_CLAIMS(table_3_10)},
    {"minh2012/table-3.11", "Table 3.11", "Variation of times between bags",
     LOOM_CLAIMS(table_3_11)},
    {"minh2012/table-3.12", "Table 3.12", "Hurst parameter of job and bag arrivals",
     LOOM_CLAIMS(table_3_12)},
    {"minh2012/table-3.13", "Table 3.13", "Sizes of bags", LOOM_CLAIMS(table_3_13)},
    {"minh2012/table-3.14", "Table 3.14", "Correlation of bag size and runtime",
     LOOM_CLAIMS(table_3_14)},
    {"minh2012/table-3.15", "Table 3.15", "Correlation of bag size and processors",
     LOOM_CLAIMS(table_3_15)},
    {"minh2012/table-3.16", "Table 3.16", "Correlation of bag size and estimate",
     LOOM_CLAIMS(table_3_16)},
    {"minh2012/table-3.17", "Table 3.17", "How much of the estimates bags use",
     LOOM_CLAIMS(table_3_17)},
    {"minh2012/table-3.18", "Table 3.18", "Share of processor time that bags take",
     LOOM_CLAIMS(table_3_18)},
    {"minh2012/table-3.19", "Table 3.19", "Mean runtimes of jobs in bags and of all jobs",
     LOOM_CLAIMS(table_3_19)},
    {"minh2012/table-3.20", "Table 3.20", "Share of waiting that bags have",
     LOOM_CLAIMS(table_3_20)},
    {"minh2012/figure-3.1", "Figure 3.1", "Arrivals as interarrival times and as a rate process",
     LOOM_CLAIMS(figure_3_1), .figure = "arrivals-acf interarrival-acf"},
    {"minh2012/figure-3.2", "Figure 3.2", "Histograms of run lengths", LOOM_CLAIMS(figure_3_2),
     .figure = "run-lengths", .note = "The figure has no numbers; the exponents are in table 3.5."},
    {"minh2012/figure-3.3", "Figure 3.3", "Times between like jobs", LOOM_CLAIMS(figure_3_3),
     .figure = "like-jobs"},
    {"minh2012/figure-3.4", "Figure 3.4", "Durations of the submission of bags",
     LOOM_CLAIMS(figure_3_4), .figure = "bag-durations"},
    {"minh2012/figure-3.5", "Figure 3.5", "Histograms of bag sizes and run lengths",
     LOOM_CLAIMS(figure_3_5), .figure = "bag-sizes run-lengths"},
    {"minh2012/figure-3.6", "Figure 3.6", "Times between bags and fitted distributions",
     LOOM_CLAIMS(figure_3_6), .figure = "bag-interarrival"},
    {"minh2012/figure-3.7", "Figure 3.7", "Autocorrelation of bag and job arrivals",
     LOOM_CLAIMS(figure_3_7), .figure = "bag-arrivals-acf"},
    {"minh2012/figure-3.8", "Figure 3.8", "Autocorrelation of bag runtimes",
     LOOM_CLAIMS(figure_3_8), .figure = "bag-runtimes-acf"},
};

const struct loom_chapter loom_chapter_minh2012_3 = {"Minh 2012", "Chapter 3", items,
                                                     sizeof items / sizeof *items};
