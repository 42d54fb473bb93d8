/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feitelson: Workload Modeling for Performance Evaluation (2002). */
#include "reproduce/item.h"

static const char printed_digits[] =
    "half of the last printed digit, and a newer revision of the log";

/* ---- table 1 --------------------------------------------------------------------------------- */

/* A cell of the row with so many of the longest jobs left out: "parallel jobs". */
#define ROW(says, omitted, column, value, tolerance)                              \
    {                                                                             \
        .what = says ", " omitted " jobs omitted", .log = "CTC-SP2",              \
        .measure = loom_measure_table, .of = "sensitivity:" column,               \
        .cell = "series=runtime (s); omitted=" omitted,                           \
        .with = "select=ran job-procs=2:", .printed = value, .within = tolerance, \
        .why = printed_digits                                                     \
    }
#define ROWS(omitted, mean, cv, median)                        \
    ROW("mean runtime", omitted, "mean", mean, 0.02 * (mean)), \
        ROW("CV of runtimes", omitted, "cv", cv, 0.1),         \
        ROW("median runtime", omitted, "median", median, 0.02 * (median))

/* What the text concludes from the row of 5 omitted jobs, on another log. */
#define SENSITIVE(says, other, column, less, side, limit)                                    \
    {                                                                                        \
        .what = says, .log = "CTC-SP2", .instead = other, .measure = loom_measure_table,     \
        .of = "sensitivity:" column, .cell = "series=runtime (s); omitted=5", .minus = less, \
        .with = "select=ran job-procs=2:", .is = side, .printed = limit                      \
    }
#define SENSITIVITY(other)                                                                      \
    SENSITIVE("the CV falls more than the mean, in %, without the top 5", other,                \
              "cv_change_percent", "series=runtime (s); omitted=5; column=mean_change_percent", \
              LOOM_BELOW, 0),                                                                   \
        SENSITIVE("the mean falls more than the median, in %, without the top 5", other,        \
                  "mean_change_percent",                                                        \
                  "series=runtime (s); omitted=5; column=median_change_percent", LOOM_BELOW, 0)

static const struct loom_claim table_1[] = {
    LOOM_CLAIM("parallel jobs", "CTC-SP2", loom_measure_feature, "jobs",
               "select=ran job-procs=2:", .printed = 50866, .share = 0.02,
               .why =
                   "the text does not say which jobs were left out; a newer revision of the log"),
    ROWS("0", 9371, 3.1, 552),
    ROWS("5", 9177, 2.2, 551),
    ROWS("10", 9094, 2.0, 551),
    ROWS("20", 9023, 1.9, 551),
    ROWS("40", 8941, 1.9, 550),
    ROWS("80", 8834, 1.8, 549),
    ROWS("160", 8704, 1.8, 546),
    SENSITIVITY("KTH-SP2"),
    SENSITIVITY("SDSC-SP2"),
};

/* ---- table 2 --------------------------------------------------------------------------------- */

/* Coefficients are "typically rather small": the largest printed is the bound. */
#define CORRELATION(log_, value)                                                                \
    {                                                                                           \
        .log = log_, .measure = loom_measure_feature, .of = "corr.runtime_procs.pearson",       \
        .with = "select=ran", .printed = value, .within = 0.005,                                \
        .why = "printed with three digits; a newer revision of the log, which moves the third", \
        .has_finding = true, .finding = LOOM_BELOW, .bound = 0.31                               \
    }

static const struct loom_claim table_2[] = {
    CORRELATION("CTC-SP2", -0.029),   CORRELATION("KTH-SP2", 0.011),
    CORRELATION("SDSC-SP2", 0.145),   CORRELATION("LANL-CM5", 0.211),
    CORRELATION("SDSC-Par95", 0.305),
};

/* ---- figures --------------------------------------------------------------------------------- */

/* Jobs that end within an hour: fewer of the large ones. */
#define LONGER(log_, other, large, small)                                                     \
    {                                                                                         \
        .what = "jobs of " large " processors favor longer runtimes than of " small           \
                ": share that ends in an hour",                                               \
        .log = log_, .instead = other, .measure = loom_measure_table,                         \
        .of = "runtime-by-size:share", .cell = "series=" large "; runtime_s<=3600",           \
        .minus = "series=" small "; runtime_s<=3600", .with = "select=ran", .is = LOOM_BELOW, \
        .printed = 0                                                                          \
    }

/* Models with three moments become bimodal, and the other one "more closely resembles" the log. */
#define RESEMBLES(log_, other)                                                             \
    {                                                                                      \
        .what = "distance of runtimes from the log: feitelson96 less jann97", .log = log_, \
        .instead = other, .measure = loom_measure_distance, .of = "log-runtime",           \
        .with = "select=ran model=feitelson96", .minus = "jann97", .quick = 3, .full = 20, \
        .is = LOOM_BELOW, .printed = 0                                                     \
    }

static const struct loom_claim figure_1[] = {
    LONGER("SDSC-Par96", "SDSC-SP2", "17-32", "2"),
    LONGER("SDSC-Par96", "SDSC-SP2", "9-16", "1"),
    LONGER("CTC-SP2", "KTH-SP2", "17-32", "2"),
    LONGER("CTC-SP2", "KTH-SP2", "9-16", "2"),
    RESEMBLES("CTC-SP2", "KTH-SP2"),
    RESEMBLES("SDSC-Par96", "SDSC-SP2"),
};

static const struct loom_claim figure_2[] = {
    LOOM_CLAIM("no significant linear correlation", "SDSC-Par95", loom_measure_feature,
               "corr.runtime_procs.pearson", "select=ran", .instead = "SDSC-SP2", .is = LOOM_BELOW,
               .printed = 0.31, .why = "the largest coefficient that the text calls rather small"),
};

/* The running mean "grows in big jumps ... and then it slowly decays". */
static const struct loom_claim figure_4[] = {
    {.what = "share of samples at which the running mean decays, Pareto with a = 1",
     .measure = loom_measure_running_mean,
     .of = "falls",
     .with = "shape=1",
     .quick = 8,
     .full = 100,
     .is = LOOM_ABOVE,
     .printed = 0.5,
     .why = "it mostly decays: more than half"},
    {.what = "mean jump over mean decay of the running mean, Pareto with a = 1",
     .measure = loom_measure_running_mean,
     .of = "jumps",
     .with = "shape=1",
     .quick = 8,
     .full = 100,
     .is = LOOM_ABOVE,
     .printed = 2,
     .why = "big jumps, slow decay: at least twice; the text gives no number"},
};

/* Arrivals of a self-similar process: 0.5 < H < 1. */
#define SELF_SIMILAR(says, other, key, words, side, limit)                                    \
    {                                                                                         \
        .what = says, .log = "SDSC-Par96", .instead = other, .measure = loom_measure_feature, \
        .of = key, .with = "select=ran" words, .is = side, .printed = limit                   \
    }

static const struct loom_claim figure_5[] = {
    SELF_SIMILAR("bursts do not average out at intervals of an hour: H by variance", "SDSC-SP2",
                 "arrival.hurst.aggvar", " rate-interval=3600", LOOM_ABOVE, 0.5),
    SELF_SIMILAR("bursts do not average out at intervals of four hours: H by variance", "SDSC-SP2",
                 "arrival.hurst.aggvar", " rate-interval=14400", LOOM_ABOVE, 0.5),
    SELF_SIMILAR("bursts do not average out at intervals of an hour: H by variance", "SDSC-BLUE",
                 "arrival.hurst.aggvar", " rate-interval=3600", LOOM_ABOVE, 0.5),
};

static const struct loom_claim figure_6[] = {
    SELF_SIMILAR("H by the rescaled range, above 0.5", "SDSC-SP2", "arrival.hurst.rs", "",
                 LOOM_ABOVE, 0.5),
    SELF_SIMILAR("H by the rescaled range, below 1", "SDSC-SP2", "arrival.hurst.rs", "", LOOM_BELOW,
                 1),
    SELF_SIMILAR("H by variance and time, above 0.5", "SDSC-SP2", "arrival.hurst.aggvar", "",
                 LOOM_ABOVE, 0.5),
    SELF_SIMILAR("H by variance and time, below 1", "SDSC-SP2", "arrival.hurst.aggvar", "",
                 LOOM_BELOW, 1),
};

/* Means over windows of 7 and of 28 days. */
#define GROWS(says, other, column, longer, shorter)                                          \
    {                                                                                        \
        .what = says, .log = "SDSC-Par96", .instead = other, .measure = loom_measure_table,  \
        .of = "window-growth:" column, .cell = "window_days=" longer,                        \
        .over = "window_days=" shorter, .with = "select=ran", .is = LOOM_ABOVE, .printed = 1 \
    }

static const struct loom_claim figure_7[] = {
    GROWS("users active in a week over those in a day", "SDSC-SP2", "users_mean", "7", "1"),
    GROWS("users active in 28 days over those in a week", "SDSC-SP2", "users_mean", "28", "7"),
    GROWS("job sizes seen in a week over those in a day", "SDSC-SP2", "sizes_mean", "7", "1"),
    GROWS("job sizes seen in 28 days over those in a week", "SDSC-SP2", "sizes_mean", "28", "7"),
};

static const struct loom_item items[] = {
    {"feitelson2002/table-1", "Table 1", "Sensitivity of statistics to the largest values",
     LOOM_CLAIMS(table_1)},
    {"feitelson2002/table-2", "Table 2", "Correlation of runtime and size", LOOM_CLAIMS(table_2)},
    {"feitelson2002/figure-1", "Figure 1", "Runtimes by size, of two logs and two models",
     LOOM_CLAIMS(figure_1), .figure = "runtime-by-size runtime-cdf",
     .note = "The figure has no numbers; what the text says of it is tested."},
    {"feitelson2002/figure-2", "Figure 2", "Runtime against size", LOOM_CLAIMS(figure_2),
     .figure = "runtime-size-scatter", .note = "The figure has no numbers."},
    {"feitelson2002/figure-3", "Figure 3", "Sizes of Unix files",
     .note = "Not of jobs: sizes of 12 million files, surveyed in 1993, which are not published "
             "with the text. The methods, mass-count disparity and the log-log complementary plot, "
             "are applied to runtimes by 'workloom analyze'."},
    {"feitelson2002/figure-4", "Figure 4", "Running mean of Pareto samples", LOOM_CLAIMS(figure_4),
     .note = "The figure has no numbers; what the text says of it is tested, from 1,000 to 100,000 "
             "samples."},
    {"feitelson2002/figure-5", "Figure 5", "Arrivals at several time scales", LOOM_CLAIMS(figure_5),
     .figure = "arrivals-scales",
     .note = "The figure has no numbers. Poisson arrivals average out: H is then 0.5."},
    {"feitelson2002/figure-6", "Figure 6", "Rescaled range and variance-time plot",
     LOOM_CLAIMS(figure_6), .figure = "hurst-pox variance-time",
     .note = "The slopes are not in the text; its range of H is tested."},
    {"feitelson2002/figure-7", "Figure 7", "Users and sizes by length of the window",
     LOOM_CLAIMS(figure_7), .figure = "window-growth",
     .note = "The figure has no numbers, and the text names no log; the log of figures 2, 5 and 6 "
             "is taken."},
};

const struct loom_chapter loom_chapter_feitelson2002 = {"Feitelson 2002", "", items,
                                                        sizeof items / sizeof *items};
