/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lublin, Feitelson: The Workload on Parallel Supercomputers: Modeling the Characteristics of Rigid
 * Jobs (2003). SDSC95 and SDSC96 are the archive's SDSC-Par logs. */
#include "reproduce/item.h"

/* Jobs that completed, in the months that section 2 gives. */
#define SDSC "select=completed"
#define KTH "select=completed from-time=1996-10-01"
#define LANL "select=completed from-time=1996-01-01 to-time=1996-10-01"
#define PAPER " model=lublin2003:gaps=peak,means=free"

static const char other_jobs[] =
    "10 %: the text had 16,221 completed jobs of KTH and 36,306 of LANL, other ones than the "
    "archive's cleaned logs have";
static const char other_share[] = "0.05, as the log has other completed jobs than the text's";
static const char other_fit[] =
    "0.02: another set of jobs, and whole seconds are fitted as intervals";
static const char table_digits[] = "half of the last printed digit";
static const char program_digits[] =
    "the published program has more digits than the table, and shares of all jobs";

/* A parameter of a distribution fitted to a column of the jobs of a log. */
#define FIT(says, log_, words, question, value, absolute, relative, reason)                    \
    {                                                                                          \
        .what = says, .log = log_, .measure = loom_measure_fit, .of = question, .with = words, \
        .printed = value, .within = absolute, .share = relative, .why = reason                 \
    }
/* The row of a hyper-gamma in tables 2 to 4. */
#define HYPERGAMMA(says, log_, words, column, a1, b1, a2, b2, p, d)                        \
    FIT(says "shape of gamma 1", log_, words, column ":hypergamma:shape1", a1, 0, 0.1,     \
        other_jobs),                                                                       \
        FIT(says "scale of gamma 1", log_, words, column ":hypergamma:scale1", b1, 0, 0.1, \
            other_jobs),                                                                   \
        FIT(says "shape of gamma 2", log_, words, column ":hypergamma:shape2", a2, 0, 0.1, \
            other_jobs),                                                                   \
        FIT(says "scale of gamma 2", log_, words, column ":hypergamma:scale2", b2, 0, 0.1, \
            other_jobs),                                                                   \
        FIT(says "p", log_, words, column ":hypergamma:weight1", p, 0.05, 0, other_share), \
        FIT(says "KS distance", log_, words, column ":hypergamma:ks", d, 0.02, 0, other_fit)

/* One distribution is nearer to a log than another. */
#define NEARER(says, log_, stand_in, words, column, better, worse)                      \
    {                                                                                   \
        .what = says, .log = log_, .instead = stand_in, .measure = loom_measure_fit,    \
        .of = column ":" better ":ks", .minus = worse, .with = words, .is = LOOM_BELOW, \
        .printed = 0                                                                    \
    }

/* A parameter of the model fitted to a log as the paper does. */
#define FITTED(says, log_, words, key, value, absolute, relative, reason)                    \
    {                                                                                        \
        .what = says, .log = log_, .measure = loom_measure_parameter, .of = "combined." key, \
        .with = words PAPER, .printed = value, .within = absolute, .share = relative,        \
        .why = reason                                                                        \
    }
/* A parameter of the published model. */
#define PUBLISHED(says, parameters, key, value, tolerance, reason)                              \
    {                                                                                           \
        .what = says " of the model", .measure = loom_measure_parameter, .of = "combined." key, \
        .with = "model=lublin2003" parameters, .printed = value, .within = tolerance,           \
        .why = reason                                                                           \
    }

/* ---- table 1 --------------------------------------------------------------------------------- */

#define SHARE(says, log_, words, key, value)                                                  \
    {                                                                                         \
        .what = says, .log = log_, .measure = loom_measure_feature, .of = key, .with = words, \
        .printed = value, .within = 0.05, .why = other_share                                  \
    }
#define TWO_STAGE(log_, words, l, m, h, p, d)                                            \
    FITTED("low", log_, words, "sizes.log2.low", l, 0.25, 0,                             \
           "0.25: the text does not say how it is chosen, and the model has min - 0.2"), \
        FITTED("medium", log_, words, "sizes.log2.medium", m, 0.25, 0,                   \
               "0.25: printed in steps of one half at most"),                            \
        FITTED("high", log_, words, "sizes.log2.high", h, 0.05, 0, table_digits),        \
        FITTED("p", log_, words, "sizes.log2.probability", p, 0.05, 0, other_share),     \
        FIT("KS distance of the two-stage uniform", log_,                                \
            words " job-procs=2:", "log-procs:twostage-uniform:ks", d, 0.02, 0, other_fit)
#define SIZE_GAMMA(log_, words, a, b, d)                                                           \
    FIT("shape of the gamma", log_, words " job-procs=2:", "log-procs:gamma:shape", a, 0, 0.1,     \
        other_jobs),                                                                               \
        FIT("scale of the gamma", log_, words " job-procs=2:", "log-procs:gamma:scale", b, 0, 0.1, \
            other_jobs),                                                                           \
        FIT("KS distance of the gamma", log_, words " job-procs=2:", "log-procs:gamma:ks", d,      \
            0.02, 0, other_fit)

static const struct loom_claim table_1[] = {
    SHARE("serial share p1", "SDSC-Par95", SDSC, "procs.serial_fraction", 0.21),
    SHARE("powers of two p2", "SDSC-Par95", SDSC, "procs.pow2_fraction", 0.76),
    TWO_STAGE("SDSC-Par95", SDSC, 0.75, 5.00, 8.64, 0.92, 0.040),
    SIZE_GAMMA("SDSC-Par95", SDSC, 4.04, 0.77, 0.064),
    SHARE("serial share p1", "SDSC-Par96", SDSC, "procs.serial_fraction", 0.21),
    SHARE("powers of two p2", "SDSC-Par96", SDSC, "procs.pow2_fraction", 0.89),
    TWO_STAGE("SDSC-Par96", SDSC, 1.00, 5.00, 7.00, 0.86, 0.038),
    SIZE_GAMMA("SDSC-Par96", SDSC, 4.92, 0.69, 0.052),
    SHARE("serial share p1", "KTH-SP2", KTH, "procs.serial_fraction", 0.30),
    SHARE("powers of two p2", "KTH-SP2", KTH, "procs.pow2_fraction", 0.60),
    TWO_STAGE("KTH-SP2", KTH, 0.70, 4.00, 6.64, 0.84, 0.033),
    SIZE_GAMMA("KTH-SP2", KTH, 3.87, 0.73, 0.058),
    TWO_STAGE("LANL-CM5", LANL, 4.50, 7.00, 10.0, 0.82, 0.083),
    SIZE_GAMMA("LANL-CM5", LANL, 24.95, 0.25, 0.114),
    PUBLISHED("p1", "", "sizes.serial", 0.24, 0.005, table_digits),
    PUBLISHED("p2", "", "sizes.power_of_two", 0.75, 0.015, program_digits),
    PUBLISHED("low, min - 0.2", "", "sizes.log2.low", 0.8, 0.005, table_digits),
    PUBLISHED("medium, max - 2.5 for 128 processors", "", "sizes.log2.medium", 4.5, 0.005,
              table_digits),
    PUBLISHED("high, max for 128 processors", "", "sizes.log2.high", 7, 0.005, table_digits),
    PUBLISHED("p", "", "sizes.log2.probability", 0.86, 0.005, table_digits),
    NEARER("the two-stage uniform fits better than the gamma", "SDSC-Par95", NULL,
           SDSC " job-procs=2:", "log-procs", "twostage-uniform", "gamma"),
    NEARER("the two-stage uniform fits better than the gamma", "SDSC-Par96", NULL,
           SDSC " job-procs=2:", "log-procs", "twostage-uniform", "gamma"),
    NEARER("the two-stage uniform fits better than the gamma", "KTH-SP2", NULL,
           KTH " job-procs=2:", "log-procs", "twostage-uniform", "gamma"),
    NEARER("the two-stage uniform fits better than the gamma", "LANL-CM5", NULL,
           LANL " job-procs=2:", "log-procs", "twostage-uniform", "gamma"),
};

/* ---- tables 2 to 4: hyper-gammas ------------------------------------------------------------- */

/* Subsamples "of between 500 and 1000 jobs" pass: most of them must. */
#define PASSES(log_, words)                                                                     \
    {.what = "random subsamples of 500 jobs pass at 95 %",                                      \
     .log = log_,                                                                               \
     .measure = loom_measure_fit,                                                               \
     .of = "log-runtime:hypergamma:passed-500",                                                 \
     .with = words,                                                                             \
     .is = LOOM_ABOVE,                                                                          \
     .printed = 0.5,                                                                            \
     .why = "one subsample was drawn of each log and passed: most should"},                     \
    {                                                                                           \
        .what = "random subsamples of 1000 jobs pass at 95 %", .log = log_,                     \
        .measure = loom_measure_fit, .of = "log-runtime:hypergamma:passed-1000", .with = words, \
        .is = LOOM_ABOVE, .printed = 0.5,                                                       \
        .why = "one subsample was drawn of each log and passed: most should"                    \
    }
#define BEST(log_, words)                                                                   \
    NEARER("the hyper-gamma fits better than the gamma", log_, NULL, words, "log-runtime",  \
           "hypergamma", "gamma"),                                                          \
        NEARER("the hyper-gamma fits better than the hyper-exponential", log_, NULL, words, \
               "log-runtime", "hypergamma", "hyperexponential")
#define GAMMAS(says, parameters, a1, b1, a2, b2)                                           \
    PUBLISHED(says "shape of gamma 1", parameters, "runtimes.gamma1.shape", a1, 0.005,     \
              table_digits),                                                               \
        PUBLISHED(says "scale of gamma 1", parameters, "runtimes.gamma1.scale", b1, 0.005, \
                  table_digits),                                                           \
        PUBLISHED(says "shape of gamma 2", parameters, "runtimes.gamma2.shape", a2, 0.05,  \
                  table_digits),                                                           \
        PUBLISHED(says "scale of gamma 2", parameters, "runtimes.gamma2.scale", b2, 0.005, \
                  table_digits)

static const struct loom_claim table_2[] = {
    HYPERGAMMA("", "SDSC-Par95", SDSC, "log-runtime", 2.35, 1.50, 1533, 0.007, 0.94, 0.037),
    HYPERGAMMA("", "SDSC-Par96", SDSC, "log-runtime", 4.15, 0.96, 569.7, 0.018, 0.70, 0.035),
    HYPERGAMMA("", "KTH-SP2", KTH, "log-runtime", 5.76, 0.82, 159.5, 0.05, 0.61, 0.081),
    HYPERGAMMA("", "LANL-CM5", LANL, "log-runtime", 6.00, 0.66, 68.5, 0.13, 0.55, 0.034),
    GAMMAS("average, ", "", 4.20, 0.94, 312.0, 0.03),
    GAMMAS("search, ", ":representative=search", 4.00, 1.00, 500.0, 0.02),
    BEST("SDSC-Par95", SDSC),
    BEST("SDSC-Par96", SDSC),
    BEST("KTH-SP2", KTH),
    BEST("LANL-CM5", LANL),
    PASSES("SDSC-Par95", SDSC),
    PASSES("SDSC-Par96", SDSC),
    PASSES("KTH-SP2", KTH),
    PASSES("LANL-CM5", LANL),
};

static const struct loom_claim table_3[] = {
    HYPERGAMMA("", "SDSC-Par95", SDSC, "log-work", 3.66, 1.32, 13.4, 0.87, 0.88, 0.033),
    HYPERGAMMA("", "SDSC-Par96", SDSC, "log-work", 5.12, 1.09, 120.0, 0.10, 0.71, 0.026),
    HYPERGAMMA("", "KTH-SP2", KTH, "log-work", 118.4, 0.06, 42.2, 0.28, 0.30, 0.050),
    HYPERGAMMA("", "LANL-CM5", LANL, "log-work", 5.16, 1.10, 30.6, 0.34, 0.59, 0.019),
    GAMMAS("average, ", ":runtimes=work", 10.74, 0.55, 37.96, 0.37),
    GAMMAS("search, ", ":runtimes=work,representative=search", 5.00, 1.10, 45.00, 0.30),
};

#define GROUP(log_, words, sizes, a1, b1, a2, b2, p, d)                                           \
    HYPERGAMMA(sizes " processors, ", log_, words " job-procs=" sizes, "log-runtime", a1, b1, a2, \
               b2, p, d)

static const struct loom_claim table_4[] = {
    GROUP("SDSC-Par95", SDSC, "1:4", 3.73, 1.05, 0.19, 4.77, 0.97, 0.038),
    GROUP("SDSC-Par95", SDSC, "5:16", 9.68, 0.56, 161.0, 0.074, 0.82, 0.034),
    GROUP("SDSC-Par95", SDSC, "17:400", 12.63, 0.62, 197.1, 0.07, 0.66, 0.063),
    GROUP("SDSC-Par96", SDSC, "1:8", 5.46, 0.92, 230.5, 0.05, 0.87, 0.033),
    GROUP("SDSC-Par96", SDSC, "9:16", 9.87, 0.66, 1577, 0.008, 0.40, 0.062),
    GROUP("SDSC-Par96", SDSC, "17:320", 11.65, 0.71, 378.4, 0.037, 0.46, 0.065),
    GROUP("KTH-SP2", KTH, "1:4", 5.36, 0.89, 39.6, 0.232, 0.61, 0.045),
    GROUP("KTH-SP2", KTH, "5:100", 8.68, 0.84, 89.97, 0.133, 0.58, 0.016),
    GROUP("LANL-CM5", LANL, "32:32", 29.96, 0.29, 330.6, 0.036, 0.63, 0.021),
    GROUP("LANL-CM5", LANL, "64:64", 38.33, 0.25, 560.6, 0.023, 0.45, 0.039),
    GROUP("LANL-CM5", LANL, "128:128", 6190, 0.001, 35.11, 0.331, 0.47, 0.140),
    GROUP("LANL-CM5", LANL, "256:1024", 31.82, 0.37, 773.3, 0.019, 0.47, 0.052),
};

/* ---- tables 5 to 7 --------------------------------------------------------------------------- */

/* "Given that p should decrease as s increases, a will be negative." */
#define LINE(log_, words, a, b, d)                                                              \
    {.what = "slope of p",                                                                      \
     .log = log_,                                                                               \
     .measure = loom_measure_parameter,                                                         \
     .of = "combined.runtimes.p.slope",                                                         \
     .with = words PAPER,                                                                       \
     .printed = a,                                                                              \
     .share = 0.1,                                                                              \
     .why = other_jobs,                                                                         \
     .has_finding = true,                                                                       \
     .finding = LOOM_BELOW,                                                                     \
     .bound = 0},                                                                               \
        FITTED("intercept of p", log_, words, "runtimes.p.intercept", b, 0.05, 0, other_share), \
    {                                                                                           \
        .what = "KS distance of runtimes of the model", .log = log_,                            \
        .measure = loom_measure_distance, .of = "log-runtime", .with = words PAPER, .quick = 3, \
        .full = 20, .printed = d, .within = 0.02,                                               \
        .why = "0.02: of generated jobs, where the text has the distribution function, and of " \
               "other completed jobs"                                                           \
    }

static const struct loom_claim table_5[] = {
    LINE("SDSC-Par95", SDSC, -0.0043, 0.995, 0.038),
    LINE("SDSC-Par96", SDSC, -0.0107, 0.900, 0.056),
    LINE("KTH-SP2", KTH, -0.0065, 0.649, 0.058),
    LINE("LANL-CM5", LANL, -0.00027, 0.575, 0.089),
    PUBLISHED("slope of p", "", "runtimes.p.slope", -0.0054, 0.00005, table_digits),
    PUBLISHED("intercept of p", "", "runtimes.p.intercept", 0.780, 0.0005, table_digits),
};

#define PEAK(log_, words, a, b, d)                                                                \
    FITTED("shape at peak hours", log_, words, "arrivals.peak.shape", a, 0, 0.1, other_jobs),     \
        FITTED("scale at peak hours", log_, words, "arrivals.peak.scale", b, 0, 0.1, other_jobs), \
        FIT("KS distance at peak hours", log_, words, "log-peak:gamma:ks", d, 0.02, 0, other_fit)
/* "All but the exponential distribution gave good fits. The hyper-Gamma was marginally better." */
#define PEAK_FITS(log_, words)                                                                   \
    NEARER("the gamma fits better than the exponential", log_, NULL, words, "log-peak", "gamma", \
           "exponential"),                                                                       \
        NEARER("the hyper-gamma fits better than the gamma", log_, NULL, words, "log-peak",      \
               "hypergamma", "gamma")

static const struct loom_claim table_6[] = {
    PEAK("SDSC-Par95", SDSC, 6.89, 0.62, 0.053),
    PEAK("SDSC-Par96", SDSC, 7.13, 0.70, 0.072),
    PEAK("KTH-SP2", KTH, 14.10, 0.37, 0.064),
    PEAK("LANL-CM5", LANL, 15.81, 0.35, 0.084),
    PUBLISHED("shape at peak hours", "", "arrivals.peak.shape", 10.23, 0.005, table_digits),
    PUBLISHED("scale at peak hours", "", "arrivals.peak.scale", 0.49, 0.005, table_digits),
    PEAK_FITS("SDSC-Par95", SDSC),
    PEAK_FITS("SDSC-Par96", SDSC),
    PEAK_FITS("KTH-SP2", KTH),
    PEAK_FITS("LANL-CM5", LANL),
};

#define DAY(log_, words, a, b, d)                                                                \
    FITTED("shape of the day", log_, words, "arrivals.cycle.shape", a, 0, 0.1, other_jobs),      \
        FITTED("scale of the day", log_, words, "arrivals.cycle.scale", b, 0, 0.1, other_jobs),  \
    {                                                                                            \
        .what = "KS distance of the day of the model", .log = log_, .measure = loom_measure_day, \
        .of = "ks", .with = words PAPER, .quick = 3, .full = 20, .printed = d, .within = 0.02,   \
        .why = "0.02: of generated jobs, where the text has the distribution function, and of "  \
               "other completed jobs"                                                            \
    }

static const struct loom_claim table_7[] = {
    DAY("SDSC-Par95", SDSC, 7.77, 4.16, 0.047),
    DAY("SDSC-Par96", SDSC, 6.84, 4.77, 0.050),
    DAY("KTH-SP2", KTH, 12.00, 2.55, 0.054),
    DAY("LANL-CM5", LANL, 7.00, 4.86, 0.056),
    PUBLISHED("shape of the day", "", "arrivals.cycle.shape", 8.17, 0.005, table_digits),
    PUBLISHED("scale of the day", "", "arrivals.cycle.scale", 3.96, 0.005, table_digits),
};

/* ---- figures --------------------------------------------------------------------------------- */

#define DRAWN(says, key, value, tolerance, reason)                                          \
    {                                                                                       \
        .what = says, .measure = loom_measure_model, .of = key, .with = "model=lublin2003", \
        .quick = 4, .full = 20, .printed = value, .within = tolerance, .why = reason        \
    }

static const struct loom_claim figure_2[] = {
    DRAWN("serial share of jobs of the published model", "procs.serial_fraction", 0.24, 0.01,
          "p1 with two digits, and the interval over workloads"),
};

/* The logarithm of runtimes has two modes: Ashman's D of the two gammas is above 2. */
#define BIMODAL(log_, words)                                                                 \
    {                                                                                        \
        .what = "runtimes are bimodal in log space: distance of the gammas in deviations",   \
        .log = log_, .measure = loom_measure_fit, .of = "log-runtime:hypergamma:separation", \
        .with = words, .is = LOOM_ABOVE, .printed = 2,                                       \
        .why = "Ashman's criterion of two modes; the text says that they seem to be bimodal" \
    }

static const struct loom_claim figure_3[] = {
    BIMODAL("SDSC-Par95", SDSC),
    BIMODAL("SDSC-Par96", SDSC),
    BIMODAL("KTH-SP2", KTH),
    BIMODAL("LANL-CM5", LANL),
};

/* Share of jobs that end in an hour: less of large jobs, as their curve is below. */
#define LONGER(log_, words, large, small)                                                          \
    {                                                                                              \
        .what = "jobs of " large " processors run longer than of " small                           \
                ": share that ends in an hour",                                                    \
        .log = log_, .measure = loom_measure_table, .of = "runtime-by-size:share",                 \
        .cell = "series=" large "; runtime_s<=3600", .minus = "series=" small "; runtime_s<=3600", \
        .with = words, .is = LOOM_BELOW, .printed = 0                                              \
    }
/* "A small positive correlation": 6.1, which figure 4 is to show better. */
#define CORRELATION(log_, words, value)                                                   \
    {                                                                                     \
        .log = log_, .measure = loom_measure_feature, .of = "corr.runtime_procs.pearson", \
        .with = words, .printed = value, .within = 0.02,                                  \
        .why = "0.02: other completed jobs than the text's", .has_finding = true,         \
        .finding = LOOM_ABOVE, .bound = 0                                                 \
    }

static const struct loom_claim figure_4[] = {
    CORRELATION("KTH-SP2", KTH, 0.02),
    CORRELATION("SDSC-Par96", SDSC, 0.40),
    {.what = "correlation of runtime and processors is small and positive",
     .log = "LANL-CM5",
     .measure = loom_measure_feature,
     .of = "corr.runtime_procs.pearson",
     .with = LANL,
     .is = LOOM_ABOVE,
     .printed = 0},
    LONGER("SDSC-Par95", SDSC, "17-32", "2"),
    LONGER("SDSC-Par96", SDSC, "17-32", "2"),
    LONGER("KTH-SP2", KTH, "17-32", "1"),
    LONGER("KTH-SP2", KTH, "17-32", "2"),
    LONGER("KTH-SP2", KTH, "17-32", "3-4"),
    LONGER("LANL-CM5", LANL, "257-512", "17-32"),
    LONGER("LANL-CM5", LANL, "257-512", "33-64"),
};

/* "A good fit as measured by the Kolmogorov-Smirnov method": as good as the worst of table 4. */
#define GOOD(stand_in, sizes)                                                                \
    {                                                                                        \
        .what = "KS distance of the hyper-gamma, " sizes " processors", .log = "SDSC-Par95", \
        .instead = stand_in, .measure = loom_measure_fit, .of = "log-runtime:hypergamma:ks", \
        .with = SDSC " job-procs=" sizes, .is = LOOM_BELOW, .printed = 0.14,                 \
        .why = "the largest distance of table 4, which the text calls good"                  \
    }

static const struct loom_claim figure_5[] = {
    GOOD("KTH-SP2", "1:4"),
    GOOD("KTH-SP2", "5:16"),
    GOOD("KTH-SP2", "17:400"),
};

/* "Much more accurate than using the same model for all sizes". */
#define BY_SIZE(log_, words, sizes)                                                             \
    {                                                                                           \
        .what = "distance of runtimes of " sizes                                                \
                " processors: p by size, less the same p for all sizes",                        \
        .log = log_, .measure = loom_measure_distance, .of = "log-runtime",                     \
        .with = words PAPER " within=" sizes,                                                   \
        .minus = "lublin2003:gaps=peak,means=free without correlation", .quick = 3, .full = 20, \
        .is = LOOM_BELOW, .printed = 0                                                          \
    }

static const struct loom_claim figure_7[] = {
    BY_SIZE("SDSC-Par95", SDSC, "1:4"), BY_SIZE("SDSC-Par95", SDSC, "17:400"),
    BY_SIZE("SDSC-Par96", SDSC, "1:8"), BY_SIZE("SDSC-Par96", SDSC, "17:320"),
    BY_SIZE("KTH-SP2", KTH, "1:4"),     BY_SIZE("KTH-SP2", KTH, "5:100"),
    BY_SIZE("LANL-CM5", LANL, "32:32"), BY_SIZE("LANL-CM5", LANL, "256:1024"),
};

/* Jobs of the hour at 5:00, where the minimum is, less those of another hour. */
#define LEAST(log_, words, hour)                                                                 \
    {                                                                                            \
        .what = "the minimum is around 5:00: jobs of that hour less those from " hour ":00",     \
        .log = log_, .measure = loom_measure_table, .of = "hour-profile:jobs", .cell = "hour=5", \
        .minus = "hour=" hour, .with = words, .is = LOOM_BELOW, .printed = 0                     \
    }
#define BUSIEST(log_, words, side, limit)                                                    \
    {                                                                                        \
        .what = "the busiest hour is in the peak, 8:00 to 19:00", .log = log_,               \
        .measure = loom_measure_feature, .of = "cycle.peak_hour", .with = words, .is = side, \
        .printed = limit                                                                     \
    }

static const struct loom_claim figure_8[] = {
    LEAST("SDSC-Par95", SDSC, "0"),
    LEAST("SDSC-Par95", SDSC, "10"),
    LEAST("SDSC-Par96", SDSC, "0"),
    LEAST("SDSC-Par96", SDSC, "10"),
    LEAST("KTH-SP2", KTH, "0"),
    LEAST("KTH-SP2", KTH, "10"),
    LEAST("LANL-CM5", LANL, "0"),
    LEAST("LANL-CM5", LANL, "10"),
    BUSIEST("KTH-SP2", KTH, LOOM_ABOVE, 7.5),
    BUSIEST("KTH-SP2", KTH, LOOM_BELOW, 18.5),
    BUSIEST("LANL-CM5", LANL, LOOM_ABOVE, 7.5),
    BUSIEST("LANL-CM5", LANL, LOOM_BELOW, 18.5),
    {.what = "a large peak at 3:30: jobs from 3:00 over those from 4:00",
     .log = "SDSC-Par95",
     .measure = loom_measure_table,
     .of = "hour-profile:jobs",
     .cell = "hour=3",
     .over = "hour=4",
     .with = "select=completed",
     .is = LOOM_ABOVE,
     .printed = 1},
};

/* Section 7.3: the first method has "a poor match with the daily cycle", the slots' weights fit. */
#define BETTER_DAY(log_, words)                                                                \
    {                                                                                          \
        .what = "P of the day: slot weights less the expected interarrival time", .log = log_, \
        .measure = loom_measure_day, .of = "chi2", .with = words PAPER,                        \
        .minus = "lublin2003:gaps=peak,means=free,cycle=expected-interarrival", .quick = 3,    \
        .full = 20, .is = LOOM_BELOW, .printed = 0                                             \
    }

static const struct loom_claim figure_9[] = {
    BETTER_DAY("SDSC-Par95", SDSC),
    BETTER_DAY("SDSC-Par96", SDSC),
    BETTER_DAY("KTH-SP2", KTH),
    BETTER_DAY("LANL-CM5", LANL),
};

#define KIND(says, log_, queue, key, value, tolerance)                           \
    {                                                                            \
        .what = says, .log = log_, .measure = loom_measure_feature, .of = key,   \
        .with = SDSC " queues=" queue, .printed = value, .within = tolerance,    \
        .why = "half of the last printed digit, and a newer revision of the log" \
    }
#define BATCH_LONGER(log_, stand_in)                                                               \
    {                                                                                              \
        .what = "mean runtime of batch jobs over that of interactive ones", .log = log_,           \
        .instead = stand_in, .measure = loom_measure_feature,                                      \
        .of = "noninteractive.runtime.mean_s", .over = "interactive.runtime.mean_s", .with = SDSC, \
        .is = LOOM_ABOVE, .printed = 1                                                             \
    }

static const struct loom_claim figure_10[] = {
    KIND("interactive jobs", "SDSC-Par95", "0", "jobs", 55208, 1104),
    KIND("interactive jobs", "SDSC-Par96", "0", "jobs", 17807, 356),
    KIND("correlation of batch jobs", "SDSC-Par95", "!0", "corr.runtime_procs.pearson", 0.24,
         0.015),
    KIND("correlation of batch jobs", "SDSC-Par96", "!0", "corr.runtime_procs.pearson", 0.35,
         0.015),
    KIND("correlation of interactive jobs", "SDSC-Par95", "0", "corr.runtime_procs.pearson", 0.02,
         0.015),
    KIND("correlation of interactive jobs", "SDSC-Par96", "0", "corr.runtime_procs.pearson", 0.06,
         0.015),
    BATCH_LONGER("SDSC-Par95", "NASA-iPSC"),
    BATCH_LONGER("SDSC-Par96", "NASA-iPSC"),
};

static const struct loom_item items[] = {
    {"lublin2003/table-1", "Table 1", "Sizes of jobs", LOOM_CLAIMS(table_1)},
    {"lublin2003/table-2", "Table 2", "Runtimes of jobs", LOOM_CLAIMS(table_2)},
    {"lublin2003/table-3", "Table 3", "Total work of jobs", LOOM_CLAIMS(table_3)},
    {"lublin2003/table-4", "Table 4", "Runtimes by size", LOOM_CLAIMS(table_4)},
    {"lublin2003/table-5", "Table 5", "How runtimes depend on size", LOOM_CLAIMS(table_5)},
    {"lublin2003/table-6", "Table 6", "Interarrival times at peak hours", LOOM_CLAIMS(table_6)},
    {"lublin2003/table-7", "Table 7", "The daily cycle", LOOM_CLAIMS(table_7)},
    {"lublin2003/figure-2", "Figure 2", "Algorithm for the size of a job", LOOM_CLAIMS(figure_2),
     .note = "The figure is an algorithm; jobs made by it are tested."},
    {"lublin2003/figure-3", "Figure 3", "Runtimes in log space", LOOM_CLAIMS(figure_3),
     .note = "The figure has no numbers; what the text says of it is tested."},
    {"lublin2003/figure-4", "Figure 4", "Runtimes by size", LOOM_CLAIMS(figure_4),
     .note = "The groups of the figure are not in the text; ranges between powers of two are "
             "taken."},
    {"lublin2003/figure-5", "Figure 5", "Runtimes by size, log and hyper-gammas",
     LOOM_CLAIMS(figure_5), .note = "The figure has no numbers; 'good' is what table 4 has."},
    {"lublin2003/figure-6", "Figure 6", "Algorithm for the runtime of a job",
     .note = "The figure is an algorithm without numbers; its parameters are those of tables 2 and "
             "5, and its jobs those of figure 7."},
    {"lublin2003/figure-7", "Figure 7", "Runtimes by size, log and model", LOOM_CLAIMS(figure_7),
     .note = "The figure has no numbers; what the text says of it is tested."},
    {"lublin2003/figure-8", "Figure 8", "Arrivals by time of day", LOOM_CLAIMS(figure_8),
     .note = "The figure has no numbers; what the text says of it is tested."},
    {"lublin2003/figure-9", "Figure 9", "The day of the model and of the logs",
     LOOM_CLAIMS(figure_9), .note = "The figure has no numbers; P is the measure of section 7.3."},
    {"lublin2003/figure-10", "Figure 10", "Interactive and batch jobs", LOOM_CLAIMS(figure_10),
     .note = "The figure has no numbers; sections 8.1 and 8.2 are tested."},
};

const struct loom_chapter loom_chapter_lublin2003 = {"Lublin, Feitelson 2003", "", items,
                                                     sizeof items / sizeof *items};
