/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minh 2012, chapter 7: correlation and locality of runtimes and sizes. */
#include "reproduce/item.h"

/* Patterns of correlation from -1 to 1; the load of figure 7.3 is not printed. */
static const char *const degree_words[] = {"model=minh2009:arrivals=poisson",
                                           "select=completed",
                                           "shuffle=runtime",
                                           "jobs=70000",
                                           "procs=240",
                                           "correlation-degree=-1:1:0.4",
                                           "load=0.7,0.8",
                                           "estimates=exact",
                                           "scheduler=fcfs",
                                           "scheduler=easy",
                                           "scheduler=conservative",
                                           "scheduler=selective",
                                           "scheduler=selective:categories=runtime",
                                           NULL};
static const struct loom_trial degrees = {"minh7-correlation", degree_words, 3, 20};

#define CORRELATION(workload, degree, value)                                                    \
    {                                                                                           \
        .what = "correlation of " workload, .log = "HPC2N", .measure = loom_measure_rearranged, \
        .of = degree, .with = "select=completed model=minh2009:arrivals=poisson", .quick = 5,   \
        .full = 20, .printed = value, .within = 0.012,                                          \
        .why = "three deviations as printed, and another program for the model"                 \
    }

static const struct loom_claim table_7_1[] = {
    CORRELATION("W1", "-1", -0.957),   CORRELATION("W2", "-0.8", -0.766),
    CORRELATION("W3", "-0.6", -0.576), CORRELATION("W4", "-0.4", -0.382),
    CORRELATION("W5", "-0.2", -0.191), CORRELATION("W6", "0", -0.001),
    CORRELATION("W7", "0.2", 0.191),   CORRELATION("W8", "0.4", 0.384),
    CORRELATION("W9", "0.6", 0.574),   CORRELATION("W10", "0.8", 0.766),
    CORRELATION("W11", "1", 0.957),
};

/* Correlation = |MaxCor| d with MaxCor 0.95 on the log itself. */
#define LINE(degree, value)                                                                       \
    {                                                                                             \
        .what = "correlation at d = " degree, .log = "HPC2N", .measure = loom_measure_rearranged, \
        .of = degree, .with = "select=completed", .quick = 5, .full = 20, .printed = value,       \
        .within = 0.012, .why = "the slope is printed with two digits"                            \
    }

static const struct loom_claim figure_7_2[] = {
    LINE("-1", -0.95),
    LINE("-0.5", -0.475),
    LINE("0.5", 0.475),
    LINE("1", 0.95),
};

/* Slowdown in one cell over another, beside 1. */
#define RATIO(says, a, b, side, at, more)                                                    \
    {                                                                                        \
        .what = says, .log = "HPC2N", .measure = loom_measure_trial, .of = "slowdown_ratio", \
        .trial = &degrees, .cell = a "; load=" at, .over = b "; load=" at, .is = side,       \
        .printed = 1, .tried = loads, more                                                   \
    }
#define RISES(name)                                                                               \
    RATIO(name ": slowdown at correlation 1 over -1", "scheduler=" name "; correlation_degree=1", \
          "scheduler=" name "; correlation_degree=-1", LOOM_ABOVE, "0.8", .reading = false)

static const char loads[] = "the load is not printed: 0.7 and 0.8 were tried (rows). Thresholds of "
                            "the selective policies are "
                            "not printed either; their defaults adapt to the mean slowdown";

static const struct loom_claim figure_7_3[] = {
    RISES("fcfs"),
    RISES("easy"),
    RISES("conservative"),
    RISES("selective:categories=runtime"),
};

#define SELECTIVE(says, degree, side, at, more)                                       \
    RATIO(says, "scheduler=selective:categories=runtime; correlation_degree=" degree, \
          "scheduler=selective; correlation_degree=" degree, side, at, more)

static const struct loom_claim figure_7_4[] = {
    SELECTIVE("load 0.8, correlation -1: with categories over without", "-1", LOOM_BELOW, "0.8",
              .reading = false),
    SELECTIVE("load 0.8, correlation 1: with categories over without", "1", LOOM_ABOVE, "0.8",
              .reading = false),
    SELECTIVE("load 0.7, correlation -1: with categories over without", "-1", LOOM_BELOW, "0.7",
              .reading = true),
    SELECTIVE("load 0.7, correlation 1: with categories over without", "1", LOOM_ABOVE, "0.7",
              .reading = true),
};

/* With locality (none) and without (joint), below and above saturation. */
static const char *const locality_words[] = {"model=minh2009:arrivals=poisson",
                                             "select=completed",
                                             "jobs=70000",
                                             "shuffle=none",
                                             "shuffle=joint",
                                             "load=0.8,1.2",
                                             "estimates=exact",
                                             "scheduler=fcfs",
                                             "scheduler=easy",
                                             NULL};
static const struct loom_trial locality = {"minh7-locality", locality_words, 5, 20};

#define LOCALITY(says, log_, other, policy, at, side)                                           \
    {                                                                                           \
        .what = says, .log = log_, .instead = other, .measure = loom_measure_trial,             \
        .of = "slowdown_ratio", .trial = &locality,                                             \
        .cell = "shuffle=none; scheduler=" policy "; load=" at,                                 \
        .over = "shuffle=joint; scheduler=" policy "; load=" at, .is = side, .printed = 1,      \
        .tried = "one load on each side of 1; the text shows curves over loads without numbers" \
    }

static const struct loom_claim figure_7_5[] = {
    LOCALITY("EASY, load 0.8: with locality over without, negative correlation", "DAS2-fs3",
             "HPC2N", "easy", "0.8", LOOM_ABOVE),
    LOCALITY("FIFO, load 0.8: with locality over without, negative correlation", "DAS2-fs3",
             "HPC2N", "fcfs", "0.8", LOOM_ABOVE),
    LOCALITY("FIFO, load 1.2: with locality over without, negative correlation", "DAS2-fs3",
             "HPC2N", "fcfs", "1.2", LOOM_BELOW),
    LOCALITY("EASY, load 0.8: with locality over without, positive correlation", "DAS2-fs2",
             "SDSC-BLUE", "easy", "0.8", LOOM_ABOVE),
    LOCALITY("FIFO, load 1.2: with locality over without, positive correlation", "DAS2-fs2",
             "SDSC-BLUE", "fcfs", "1.2", LOOM_BELOW),
};

static const char one_number[] =
    "the printed 74 % is over all long logs of table 3.4 together; a log whose correlation never "
    "changes its sign, as SDSC-BLUE's, is predicted nearly always. Over seven logs it is 82 %";

#define WEEKS(log_)                                                                               \
    {                                                                                             \
        .what = "weeks whose correlation has the predicted sign", .log = log_,                    \
        .measure = loom_measure_feature, .of = "corr.week.predicted", .with = "select=completed", \
        .printed = 0.74, .within = 0.1,                                                           \
        .why = "the text prints one number for all of its long logs", .tried = one_number         \
    }

static const struct loom_claim section_7_4[] = {
    WEEKS("HPC2N"),
    WEEKS("OSC-Clust"),
    WEEKS("SDSC-BLUE"),
    WEEKS("DAS2-fs1"),
};

static const struct loom_item items[] = {
    {"minh2012/table-7.1", "Table 7.1", "Correlation of controlled workloads",
     LOOM_CLAIMS(table_7_1)},
    {"minh2012/figure-7.2", "Figure 7.2", "Correlation against d", LOOM_CLAIMS(figure_7_2)},
    {"minh2012/figure-7.3", "Figure 7.3", "Slowdown against correlation", LOOM_CLAIMS(figure_7_3), .axis = "correlation_degree; load=0.8"},
    {"minh2012/figure-7.4", "Figure 7.4", "Selective backfilling with and without categories",
     LOOM_CLAIMS(figure_7_4), .axis = "correlation_degree; load=0.8"},
    {"minh2012/figure-7.5", "Figure 7.5", "Slowdown with and without locality",
     LOOM_CLAIMS(figure_7_5), .axis = "load"},
    {"minh2012/section-7.4", "Section 7.4", "Predicted sign of the weekly correlation",
     LOOM_CLAIMS(section_7_4)},
};

const struct loom_chapter loom_chapter_minh2012_7 = {"Minh 2012", "Chapter 7", items,
                                                     sizeof items / sizeof *items};
