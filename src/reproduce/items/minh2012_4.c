/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minh 2012, chapter 4: models of arrivals. Its logs are not at hand for everyone, so what it says
 * of them is also tested on others. */
#include "reproduce/item.h"

static const char five[] = "quick runs draw 5 workloads, 3 in the first run";

static const char revision[] = "the archive's log may be a newer revision than the text's";
static const char rounded[] = "half of the last printed digit, and a newer revision of the log";
static const char spread[] = "the spread over three estimators, as printed";
static const char drawn[] = "20 %, as one workload was printed; for Hurst parameters the spread";

/* Why statements about MWM and the model differ on logs that stand in. */
static const char firing[] =
    "rates of MWM are never 0, but jobs fired from them leave intervals empty where rates are "
    "below "
    "one job (DAS2-fs1: 0.70 of the intervals for the log's 0.81). Of CV, MWM has 4.4 for 14.0 on "
    "DAS2-fs1, as in print, but 5.0 for 5.6 on HPC2N, whose arrivals vary less. The printed model "
    "has 5.9, 6.7, 8.0 and 9.4 at T = 900 to 7200 s on DAS2-fs1, the improved variant 15.4 to 14.4";

/* Share of empty intervals of a log. */
#define ZEROS(log_, interval, value)                                                             \
    {                                                                                            \
        .what = "empty intervals of " interval " s", .log = log_, .measure = loom_measure_table, \
        .of = "rate-intervals:zero_fraction", .cell = "interval_s=" interval,                    \
        .with = "select=completed", .printed = value, .within = 0.012, .why = rounded            \
    }

#define HURST(log_, interval, value)                                                  \
    {                                                                                 \
        .what = "Hurst parameter of the log, T = " interval " s", .log = log_,        \
        .measure = loom_measure_table, .of = "rate-intervals:hurst_mean",             \
        .cell = "interval_s=" interval, .with = "select=completed", .printed = value, \
        .within = 0.08, .why = spread                                                 \
    }

/* A feature of arrivals that a process fitted at an interval generates. */
#define MODEL(says, log_, process, interval, key, value, tolerance)                           \
    {                                                                                         \
        .what = says, .log = log_, .measure = loom_measure_model, .of = key,                  \
        .with = "select=completed rate-interval=" interval " model=uniform:arrivals=" process \
                ",arrivals.scale=" interval,                                                  \
        .quick = 5, .full = 20, .changed = five, .printed = value, .share = tolerance,        \
        .why = drawn                                                                          \
    }

/* C_v of the completed jobs of a log. */
#define LOG_CV(log_, value)                                                            \
    {                                                                                  \
        .what = "C_v of the log", .log = log_, .measure = loom_measure_feature,        \
        .of = "arrival.interarrival.cv", .with = "select=completed", .printed = value, \
        .share = 0.02, .why = revision                                                 \
    }

/* The same at the four intervals of the tables. */
#define ZEROS_ROW(log_, at_900, at_1800, at_3600, at_7200)                                  \
    ZEROS(log_, "900", at_900), ZEROS(log_, "1800", at_1800), ZEROS(log_, "3600", at_3600), \
        ZEROS(log_, "7200", at_7200)
#define HURST_ROW(log_, at_900, at_1800, at_3600, at_7200)                                  \
    HURST(log_, "900", at_900), HURST(log_, "1800", at_1800), HURST(log_, "3600", at_3600), \
        HURST(log_, "7200", at_7200)
#define MODEL_ROW(says, log_, process, key, tolerance, at_900, at_1800, at_3600, at_7200) \
    MODEL(says ", T = 900 s", log_, process, "900", key, at_900, tolerance),              \
        MODEL(says ", T = 1800 s", log_, process, "1800", key, at_1800, tolerance),       \
        MODEL(says ", T = 3600 s", log_, process, "3600", key, at_3600, tolerance),       \
        MODEL(says ", T = 7200 s", log_, process, "7200", key, at_7200, tolerance)
#define CV_ROW(log_, process, ...) \
    MODEL_ROW("C_v of " process, log_, process, "arrival.interarrival.cv", 0.2, __VA_ARGS__)
#define MODEL_HURST_ROW(log_, ...) \
    MODEL_ROW("Hurst parameter of mmwm", log_, "mmwm", "arrival.hurst.mean", 0.12, __VA_ARGS__)

/* The same relative to the log, as a statement, on a log that stands in. */
#define RELATIVE(says, log_, other, process, key, side, limit)                                 \
    {                                                                                          \
        .what = says, .log = log_, .instead = other, .measure = loom_measure_model, .of = key, \
        .with = "select=completed model=uniform:arrivals=" process, .quick = 5, .full = 20,    \
        .changed = five, .per_log = true, .is = side, .printed = limit, .tried = firing        \
    }

static const struct loom_claim table_4_1[] = {
    LOG_CV("NorduGrid", 33.14),
    ZEROS_ROW("NorduGrid", .60, .52, .44, .37),
    CV_ROW("NorduGrid", "mwm", 5.09, 4.56, 5.28, 4.6),
    LOG_CV("NIKHEF", 18.56),
    ZEROS_ROW("NIKHEF", .50, .36, .19, .16),
    CV_ROW("NIKHEF", "mwm", 4.34, 4.55, 4.06, 4.28),
    RELATIVE("MWM has less than half of the log's C_v", "NorduGrid", "DAS2-fs1", "mwm",
             "arrival.interarrival.cv", LOOM_BELOW, 0.5),
    RELATIVE("MWM leaves hardly an interval empty", "NorduGrid", "DAS2-fs1", "mwm",
             "arrival.rate900.zero_fraction", LOOM_BELOW, 0.5),
    RELATIVE("MWM has less than half of the log's C_v", "NIKHEF", "HPC2N", "mwm",
             "arrival.interarrival.cv", LOOM_BELOW, 0.5),
};

static const struct loom_claim table_4_2[] = {
    HURST_ROW("NorduGrid", 0.86, 0.89, 0.88, 0.84),
    MODEL_HURST_ROW("NorduGrid", 0.79, 0.87, 0.85, 0.81),
    HURST_ROW("LANL-O2K", 0.80, 0.81, 0.78, 0.81),
    MODEL_HURST_ROW("LANL-O2K", 0.81, 0.87, 0.83, 0.78),
    RELATIVE("arrivals of the model are nearly as dependent as the log's", "LANL-O2K", "DAS2-fs1",
             "mmwm", "arrival.hurst.mean", LOOM_ABOVE, 0.85),
    RELATIVE("and not more", "LANL-O2K", "DAS2-fs1", "mmwm", "arrival.hurst.mean", LOOM_BELOW,
             1.15),
};

static const struct loom_claim table_4_3[] = {
    LOG_CV("NorduGrid", 33.14),
    CV_ROW("NorduGrid", "mwm", 5.09, 4.56, 5.28, 4.60),
    MODEL("C_v of mmwm, T = 900 s", "NorduGrid", "mmwm", "900", "arrival.interarrival.cv", 24.65,
          0.2),
    MODEL("C_v of mmwm, T = 1800 s", "NorduGrid", "mmwm", "1800", "arrival.interarrival.cv", 25.81,
          0.2),
    MODEL("C_v of mmwm, T = 3600 s", "NorduGrid", "mmwm", "3600", "arrival.interarrival.cv", 25.77,
          0.2),
    MODEL("C_v of mmwm, T = 7200 s", "NorduGrid", "mmwm", "7200", "arrival.interarrival.cv", 27.20,
          0.2),
    LOG_CV("LANL-O2K", 17.70),
    CV_ROW("LANL-O2K", "mwm", 2.93, 2.48, 2.24, 2.15),
    MODEL("C_v of mmwm, T = 900 s", "LANL-O2K", "mmwm", "900", "arrival.interarrival.cv", 13.32,
          0.2),
    MODEL("C_v of mmwm, T = 1800 s", "LANL-O2K", "mmwm", "1800", "arrival.interarrival.cv", 13.79,
          0.2),
    MODEL("C_v of mmwm, T = 3600 s", "LANL-O2K", "mmwm", "3600", "arrival.interarrival.cv", 13.74,
          0.2),
    MODEL("C_v of mmwm, T = 7200 s", "LANL-O2K", "mmwm", "7200", "arrival.interarrival.cv", 13.74,
          0.2),
    RELATIVE("the model has more than half of the log's C_v", "NorduGrid", "DAS2-fs1", "mmwm",
             "arrival.interarrival.cv", LOOM_ABOVE, 0.5),
    RELATIVE("the model has more than half of the log's C_v", "LANL-O2K", "HPC2N", "mmwm",
             "arrival.interarrival.cv", LOOM_ABOVE, 0.5),
};

static const struct loom_claim figure_4_5[] = {
    RELATIVE("dependence of the model, as its Hurst parameter", "LANL-O2K", "DAS2-fs1", "mmwm",
             "arrival.hurst.mean", LOOM_ABOVE, 0.85),
};

static const char too_empty[] =
    "the printed and the improved variant (rows 3 and 4), which differ little. Quartiles of one "
    "workload are 7, 18 and 52 s, of HPC2N 2, 12 and 153 s: within an interval of 900 s the model "
    "spreads arrivals evenly, where the log has bursts and pauses; 0.063 of its gaps are above 900 "
    "s, 0.100 of the log's. The text shows CCDFs over "
    "logarithms, which are about long gaps. 'Close' is taken as 0.15; the text gives no number";

/* Curves of the log and of the model lie close to each other. */
#define CLOSE(log_, other, says, variant, ...)                                                  \
    {                                                                                           \
        .what = "distance of interarrival times of the model from the log" says, .log = log_,   \
        .instead = other, .measure = loom_measure_distance, .of = "interarrival",               \
        .with = "select=completed model=uniform:arrivals=mmwm" variant, .quick = 5, .full = 20, \
        .is = LOOM_BELOW, .printed = 0.15, .tried = too_empty, __VA_ARGS__                      \
    }
#define CLOSE_IMPROVED(log_, other)                                                         \
    CLOSE(log_, other, ", improved variant", ",arrivals.variant=improved", .reading = true, \
          .changed = "a further reading, added")

static const struct loom_claim figure_4_6[] = {
    CLOSE("LANL-O2K", "HPC2N", "", "", .changed = five),
    CLOSE("NorduGrid", "DAS2-fs1", "", "", .changed = five),
    CLOSE_IMPROVED("LANL-O2K", "HPC2N"),
    CLOSE_IMPROVED("NorduGrid", "DAS2-fs1"),
};

static const struct loom_item items[] = {
    {"minh2012/table-4.1", "Table 4.1", "Burstiness of logs and of MWM, and empty intervals",
     LOOM_CLAIMS(table_4_1)},
    {"minh2012/table-4.2", "Table 4.2", "Hurst parameters of logs and of the model",
     LOOM_CLAIMS(table_4_2)},
    {"minh2012/table-4.3", "Table 4.3", "Burstiness of logs, MWM and the model",
     LOOM_CLAIMS(table_4_3)},
    {"minh2012/figure-4.5", "Figure 4.5", "Autocorrelation of rate processes, log and model",
     LOOM_CLAIMS(figure_4_5), .figure = "arrivals-acf",
     .note = "The figure has no numbers; dependence is tested."},
    {"minh2012/figure-4.6", "Figure 4.6", "Interarrival times of logs and of the model",
     LOOM_CLAIMS(figure_4_6), .figure = "interarrival-cdf",
     .note = "The figure has no numbers; the distance is tested."},
};

const struct loom_chapter loom_chapter_minh2012_4 = {"Minh 2012", "Chapter 4", items,
                                                     sizeof items / sizeof *items};
