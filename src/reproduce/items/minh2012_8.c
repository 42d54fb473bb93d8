/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minh 2012, chapter 8: runtime prediction, with the parameters of table 8.3. */
#include "reproduce/item.h"

static const char revision[] = "the archive's log may be a newer revision than the text's";
static const char split[] = "the text's split into training and test parts is unknown; here halves";
static const char rounded[] = "half of the last printed digit, and a newer revision of the log";

static const char halves[] =
    "parts of the years that are predicted; the others are history. Mean absolute errors of "
    "Tsafrir's, Li's and the thesis' predictor: whole years 1753, 1547 and 1671 s (SDSC02), 8404, "
    "7399 and 7858 (HPC2N04), 26034, 19892 and 19381 (HPC2N05); second halves by number of jobs, "
    "as "
    "here; last thirds 2274, 1922 and 2120, 14520, 12825 and 13910, 48325, 31552 and 30155. Shares "
    "underestimated, whole years: 0.456, 0.433 and 0.253; 0.476, 0.515 and 0.348; 0.475, 0.506 and "
    "0.312; last thirds: 0.444, 0.419 and 0.249; 0.484, 0.521 and 0.427; 0.420, 0.452 and 0.350. "
    "Weighted errors, whole years: 23313, 21339 and 18999; 39980, 40478 and 41718; 95441, 98643 "
    "and "
    "91065; last thirds: 22252, 19613 and 17854; 54872, 57639 and 59482; 118754, 123315 and "
    "111053. "
    "No part gives all of the table; the thesis' predictor has the smallest share everywhere, as "
    "in "
    "print. Likeliest: another split, and Li's predictor trained, where ibl has its defaults";
static const char other_part[] =
    "the later part of the year, by number of jobs, from 0, 0.2, 0.4, 0.5 and 0.667 of it on: mean "
    "runtimes of SDSC02 2854, 2928, 3120, 3268 and 3629 s (printed 3120), of HPC2N04 12500, 13468, "
    "15122, 16342 and 18039 (14760), of HPC2N05 23484, 24845, 26486, 29711 and 33878 (28680): the "
    "last 60 % are nearest in all three. Serial jobs of these parts: SDSC02, with one node of 8 "
    "processors as serial, 0.60, 0.60, 0.61, 0.62 and 0.67 (0.68; no job has one processor), "
    "HPC2N04 "
    "0.45, 0.50, 0.55, 0.59 and 0.67 (0.63), HPC2N05 0.51, 0.53, 0.54, 0.52 and 0.41 (0.35). "
    "Likeliest: the table is about the jobs that were predicted, which the text does not name";

/* The years of table 8.1: a log and a selection. */
#define SDSC02 "SDSC-BLUE", "select=completed from-time=2002-01-01 to-time=2003-01-01"
#define SDSC02_PREDICTOR                                                                          \
    "minh2010:template=user+queue+executable,pivot=19369,n1=5046,k1=10,alpha1=0.956,beta1=0.949," \
    "n2=8661,k2=5,alpha2=0.105,beta2=0.941"
#define SDSC04 "SDSC-DS", "select=completed from-time=2004-01-01 to-time=2006-01-01"
#define SDSC04_PREDICTOR                                                                         \
    "minh2010:template=user+group+executable,pivot=40931,n1=6268,k1=8,alpha1=0.976,beta1=0.958," \
    "n2=9757,k2=2,alpha2=0.038,beta2=0.925"
#define HPC2N04 "HPC2N", "select=completed from-time=2004-01-01 to-time=2005-01-01"
#define HPC2N04_PREDICTOR                                                                         \
    "minh2010:template=group+queue,pivot=32257,n1=6904,k1=8,alpha1=0.997,beta1=0.976,n2=9189,k2=" \
    "2,alpha2=0.021,beta2=0.986"
#define HPC2N05 "HPC2N", "select=completed from-time=2005-01-01 to-time=2006-02-01"
#define HPC2N05_PREDICTOR                                                                         \
    "minh2010:template=user,pivot=122562,n1=4763,k1=9,alpha1=1,beta1=0.989,n2=5610,k2=10,alpha2=" \
    "0.008,beta2=0.832"

#define YEAR_(log_, words, says, key, value, tolerance, reason)                               \
    {                                                                                         \
        .what = says, .log = log_, .measure = loom_measure_feature, .of = key, .with = words, \
        .printed = value, .within = tolerance, .why = reason, .tried = other_part             \
    }
#define YEAR(...) YEAR_(__VA_ARGS__)

static const struct loom_claim table_8_1[] = {
    YEAR(SDSC02, "SDSC02: number of jobs", "jobs", 80756, 161.512, revision),
    YEAR(SDSC04, "SDSC04: number of jobs", "jobs", 66743, 133.486, revision),
    YEAR(HPC2N04, "HPC2N04: number of jobs", "jobs", 81113, 162.226, revision),
    YEAR(HPC2N05, "HPC2N05: number of jobs", "jobs", 55389, 110.778, revision),
};

/* An error on the second half of a year. Predictors of others are in the text's form only by name:
 * Li's has the defaults of ibl here, where the text trained it. */
#define ERROR_(log_, words, says, name, key, value, tolerance, floor)                     \
    {                                                                                     \
        .what = says, .log = log_, .measure = loom_measure_prediction, .of = key,         \
        .with = words " train=0.5 predictor=" name, .printed = value, .share = tolerance, \
        .within = floor, .why = split, .tried = halves                                    \
    }
#define ERROR(...) ERROR_(__VA_ARGS__)
#define ERRORS(year, unit, key, tolerance, floor, tsafrir, li, thesis)                          \
    ERROR(year, #year ", Tsafrir's predictor" unit, "recent2", key, tsafrir, tolerance, floor), \
        ERROR(year, #year ", Li's predictor" unit, "ibl", key, li, tolerance, floor),           \
        ERROR(year, #year ", the thesis' predictor" unit, year##_PREDICTOR, key, thesis,        \
              tolerance, floor)

static const char ratios[] =
    "the thesis' predictor over Tsafrir's and over Li's. Weighted errors by parts of the years "
    "that "
    "are predicted: whole years 0.81 and 0.89 (SDSC02), 1.04 and 1.03 (HPC2N04), 0.95 and 0.92 "
    "(HPC2N05); last thirds 0.80 and 0.91, 1.08 and 1.03, 0.94 and 0.90. Mean absolute errors, "
    "whole years 0.95 and 1.08, 0.94 and 1.06, 0.74 and 0.97; last thirds 0.93 and 1.10, 0.96 and "
    "1.08, 0.62 and 0.96. On HPC2N04 no part has the text's order, nor has any reading tried of "
    "what "
    "the equations leave open (docs/VALIDATION.md, second half: weighted error 864 to 874 min, "
    "where "
    "Tsafrir's is 806), but parameters of our own training have, 729 min. Likeliest: parameters "
    "trained on a part of the year that the text does not name, and a Li's predictor that is "
    "trained, where ibl has its defaults";
static const char conclusions[] = "added after the first run: conclusions of sections 8.4.2 to "
                                  "8.4.4, where only their numbers were tested";
static const char alike[] =
    "the text calls 5 % \"not much different\", and 20 % \"much better\"; here 5 %";

/* What the text concludes: an error of the thesis' predictor over that of another. */
#define RATIO_(log_, words, says, name, other, key, ...)                                          \
    {                                                                                             \
        .what = says, .log = log_, .measure = loom_measure_prediction, .of = key,                 \
        .with = words " train=0.5 predictor=" name, .over = other, .printed = 1, .tried = ratios, \
        .changed = conclusions, __VA_ARGS__                                                       \
    }
#define RATIO(...) RATIO_(__VA_ARGS__)
#define LOWER(year, says, other, key)                                                     \
    RATIO(year, #year ": the thesis' predictor over " says, year##_PREDICTOR, other, key, \
          .is = LOOM_BELOW)
#define ALIKE(year, says, other, key)                                                     \
    RATIO(year, #year ": the thesis' predictor over " says, year##_PREDICTOR, other, key, \
          .within = 0.05, .why = alike)

static const struct loom_claim table_8_4[] = {
    ERRORS(SDSC02, "", "underestimated_fraction", 0, 0.04, 0.47, 0.5, 0.25),
    ERRORS(SDSC04, "", "underestimated_fraction", 0, 0.04, 0.45, 0.49, 0.29),
    ERRORS(HPC2N04, "", "underestimated_fraction", 0, 0.04, 0.55, 0.52, 0.36),
    ERRORS(HPC2N05, "", "underestimated_fraction", 0, 0.04, 0.51, 0.5, 0.31),
    LOWER(SDSC02, "Tsafrir's, considerably fewer (0.53)", "recent2", "underestimated_fraction"),
    LOWER(SDSC02, "Li's, considerably fewer (0.50)", "ibl", "underestimated_fraction"),
    LOWER(SDSC04, "Tsafrir's, considerably fewer (0.64)", "recent2", "underestimated_fraction"),
    LOWER(SDSC04, "Li's, considerably fewer (0.59)", "ibl", "underestimated_fraction"),
    LOWER(HPC2N04, "Tsafrir's, considerably fewer (0.65)", "recent2", "underestimated_fraction"),
    LOWER(HPC2N04, "Li's, considerably fewer (0.69)", "ibl", "underestimated_fraction"),
    LOWER(HPC2N05, "Tsafrir's, considerably fewer (0.61)", "recent2", "underestimated_fraction"),
    LOWER(HPC2N05, "Li's, considerably fewer (0.62)", "ibl", "underestimated_fraction"),
};

static const struct loom_claim table_8_5[] = {
    ERRORS(SDSC02, " (s)", "mae_s", 0.1, 0, 2322.0, 1830.0, 1842.0),
    ERRORS(SDSC04, " (s)", "mae_s", 0.1, 0, 3624.0, 3606.0, 2886.0),
    ERRORS(HPC2N04, " (s)", "mae_s", 0.1, 0, 11220, 9840, 9360),
    ERRORS(HPC2N05, " (s)", "mae_s", 0.1, 0, 28440, 26160, 26280),
    LOWER(SDSC02, "Tsafrir's, clearly better (21 %)", "recent2", "mae_s"),
    ALIKE(SDSC02, "Li's, approximately the same (0 %)", "ibl", "mae_s"),
    LOWER(SDSC04, "Tsafrir's, clearly better (20 %)", "recent2", "mae_s"),
    LOWER(SDSC04, "Li's, much better (20 %)", "ibl", "mae_s"),
    LOWER(HPC2N04, "Tsafrir's, clearly better (17 %)", "recent2", "mae_s"),
    LOWER(HPC2N04, "Li's, a little bit better (5 %)", "ibl", "mae_s"),
    LOWER(HPC2N05, "Tsafrir's, better (8 %)", "recent2", "mae_s"),
    ALIKE(HPC2N05, "Li's, not much different (0 %)", "ibl", "mae_s"),
};

static const struct loom_claim table_8_6[] = {
    ERRORS(SDSC02, " (s)", "wae_s", 0.1, 0, 31380, 24120, 22440),
    ERRORS(SDSC04, " (s)", "wae_s", 0.1, 0, 19680, 20340, 16260),
    ERRORS(HPC2N04, " (s)", "wae_s", 0.1, 0, 59040, 54180, 48300),
    ERRORS(HPC2N05, " (s)", "wae_s", 0.1, 0, 128040, 152580, 103320),
    LOWER(SDSC02, "Tsafrir's, better (29 %)", "recent2", "wae_s"),
    LOWER(SDSC02, "Li's, not strongly better (7 %)", "ibl", "wae_s"),
    LOWER(SDSC04, "Tsafrir's, considerably better (17 %)", "recent2", "wae_s"),
    LOWER(SDSC04, "Li's, considerably better (20 %)", "ibl", "wae_s"),
    LOWER(HPC2N04, "Tsafrir's, considerably better (18 %)", "recent2", "wae_s"),
    LOWER(HPC2N04, "Li's, considerably better (11 %)", "ibl", "wae_s"),
    LOWER(HPC2N05, "Tsafrir's, considerably better (19 %)", "recent2", "wae_s"),
    LOWER(HPC2N05, "Li's, considerably better (32 %)", "ibl", "wae_s"),
};

static const struct loom_claim table_8_7[] = {
    YEAR(SDSC02, "SDSC02: mean runtime (s)", "runtime.mean_s", 3120, 31.2, rounded),
    YEAR(SDSC02, "SDSC02: serial jobs", "procs.serial_fraction", 0.68, 0.012, rounded),
    YEAR(SDSC04, "SDSC04: mean runtime (s)", "runtime.mean_s", 5160, 51.6, rounded),
    YEAR(SDSC04, "SDSC04: serial jobs", "procs.serial_fraction", 0.33, 0.012, rounded),
    YEAR(HPC2N04, "HPC2N04: mean runtime (s)", "runtime.mean_s", 14760, 147.6, rounded),
    YEAR(HPC2N04, "HPC2N04: serial jobs", "procs.serial_fraction", 0.63, 0.012, rounded),
    YEAR(HPC2N05, "HPC2N05: mean runtime (s)", "runtime.mean_s", 28680, 286.8, rounded),
    YEAR(HPC2N05, "HPC2N05: serial jobs", "procs.serial_fraction", 0.35, 0.012, rounded),
};

/* Most ratios of runtime to requested time are below 1, many near 0. */
static const struct loom_claim figure_8_1[] = {
    LOOM_CLAIM("share of jobs that run longer than requested", "SDSC-DS", loom_measure_feature,
               "estimate.under_fraction", "select=completed", .instead = "SDSC-BLUE",
               .is = LOOM_BELOW, .printed = 0.1),
    LOOM_CLAIM("mean ratio of runtime to requested time", "SDSC-DS", loom_measure_feature,
               "estimate.utilization", "select=completed", .instead = "SDSC-BLUE", .is = LOOM_BELOW,
               .printed = 0.6),
};

/* HPC2N05 has the longest jobs, SDSC02 the shortest. */
static const struct loom_claim figure_8_2[] = {
    LOOM_CLAIM("SDSC04: share of runtimes up to 10,000 s", "SDSC-DS", loom_measure_table,
               "runtime-cdf:share", "select=completed", .cell = "runtime_s<=10000", .printed = 0.86,
               .within = 0.015, .why = rounded),
    LOOM_CLAIM("SDSC02: share of runtimes up to 10,000 s", "SDSC-BLUE", loom_measure_table,
               "runtime-cdf:share", "select=completed from-time=2002-01-01 to-time=2003-01-01",
               .cell = "runtime_s<=10000", .printed = 0.95, .within = 0.015, .why = rounded,
               .changed =
                   "added: a number in the text about the figure, \"only 5 % jobs are bigger\""),
    LOOM_CLAIM("HPC2N05 has more runtimes above 10,000 s than SDSC04", "HPC2N", loom_measure_table,
               "runtime-cdf:share", "select=completed from-time=2005-01-01 to-time=2006-02-01",
               .cell = "runtime_s<=10000", .is = LOOM_BELOW, .printed = 0.86,
               .changed =
                   "in place of two claims on median runtimes, of which the text says nothing"),
};

static const char big_jobs[] =
    "the first run could not measure errors by requested time; these rows were added";

/* Big jobs request 20,000 s or more; predictions are Tsafrir's. The log is the whole of SDSC04. */
#define BIG(says, other, key, value, tolerance, ...)                                          \
    {                                                                                         \
        .what = says, .log = "SDSC-DS", .instead = other, .measure = loom_measure_prediction, \
        .of = key,                                                                            \
        .with = "select=completed from-time=2004-01-01 to-time=2006-01-01 "                   \
                "predictor=recent2 big=20000",                                                \
        .printed = value, .within = tolerance, .changed = big_jobs, __VA_ARGS__               \
    }
static const struct loom_claim table_8_2[] = {
    BIG("SDSC04: share of big jobs", NULL, "big_jobs", 0.236, 0.01, .why = rounded),
    BIG("SDSC04: share of big jobs in the absolute error", NULL, "big_error", 0.74, 0.03,
        .why = rounded),
    /* The years of SDSC04 are not in other logs. */
    LOOM_CLAIM("big jobs have most of the absolute error: their share", "SDSC-DS",
               loom_measure_prediction, "big_error", "select=completed predictor=recent2 big=20000",
               .instead = "SDSC-BLUE", .is = LOOM_ABOVE, .printed = 0.5,
               .tried = "SDSC-BLUE in place of SDSC-DS, with the same pivot of 20,000 s",
               .changed = big_jobs),
    LOOM_CLAIM("big jobs are a minority: share of jobs", "SDSC-DS", loom_measure_prediction,
               "big_jobs", "select=completed predictor=recent2 big=20000", .instead = "SDSC-BLUE",
               .is = LOOM_BELOW, .printed = 0.5, .changed = big_jobs),
};

static const struct loom_item items[] = {
    {"minh2012/table-8.1", "Table 8.1", "Years of logs and their completed jobs",
     LOOM_CLAIMS(table_8_1)},
    {"minh2012/table-8.2", "Table 8.2", "Share of big jobs in the error", LOOM_CLAIMS(table_8_2)},
    {"minh2012/table-8.3", "Table 8.3", "Trained parameters",
     .note =
         "Results of a random search on an unknown part of the logs; tables 8.4 to 8.6 use them "
         "as they are printed. docs/VALIDATION.md has our own beside them."},
    {"minh2012/table-8.4", "Table 8.4", "Share of underestimated jobs", LOOM_CLAIMS(table_8_4)},
    {"minh2012/table-8.5", "Table 8.5", "Mean absolute error", LOOM_CLAIMS(table_8_5)},
    {"minh2012/table-8.6", "Table 8.6", "Weighted absolute error", LOOM_CLAIMS(table_8_6)},
    {"minh2012/table-8.7", "Table 8.7", "Mean runtimes and serial jobs", LOOM_CLAIMS(table_8_7)},
    {"minh2012/figure-8.1", "Figure 8.1", "Ratios of runtime and requested time",
     LOOM_CLAIMS(figure_8_1), .figure = "estimate-ratio",
     .note = "The figure has no numbers; what the text says is tested."},
    {"minh2012/figure-8.2", "Figure 8.2", "Runtimes of the years", LOOM_CLAIMS(figure_8_2),
     .figure = "runtime-cdf"},
};

const struct loom_chapter loom_chapter_minh2012_8 = {"Minh 2012", "Chapter 8", items,
                                                     sizeof items / sizeof *items};
