/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zakay 2017, chapter 3, tables: similarity, kinds of users, locality and self-similarity. */
#include "reproduce/item.h"

static const char eight[] = "quick runs have 8 variants, as the text, 3 in the first run";

static const char revision[] = "the archive's log may be a newer revision than the text's";
static const char users[] = "0.01: one or two users, as the archive's log may be a newer revision";
static const char depths[] =
    "6 %: the text does not say how a value that is not found counts, nor which processors";
static const char slopes[] = "two standard deviations over variants, as printed; the text's blocks "
                             "are not named";
static const char edge[] = "a count; the text's own rule";

/* A share of users. */
#define SHARE(log_, key, value, side)                                                              \
    {                                                                                              \
        .log = log_, .measure = loom_measure_feature, .of = "similarity." key,                     \
        .with = "select=ran", .printed = value, .within = 0.01, .why = users, .has_finding = true, \
        .finding = side, .bound = 0.5                                                              \
    }
/* What 70 to 85 % of users show "in most cases": more similarity at the shorter distance. */
#define SIMILAR(log_, what, a, b, c, d, e, f)                                                    \
    SHARE(log_, what ".d0_larger", a, LOOM_ABOVE), SHARE(log_, what ".d0_equal", b, LOOM_BELOW), \
        SHARE(log_, what ".d1_larger", c, LOOM_BELOW),                                           \
        SHARE(log_, what ".d1d2_larger", d, LOOM_ABOVE),                                         \
        SHARE(log_, what ".d1d2_equal", e, LOOM_BELOW),                                          \
        SHARE(log_, what ".d2_larger", f, LOOM_BELOW)

static const struct loom_claim table_2[] = {
    SIMILAR("LANL-CM5", "procs", 0.727, 0.0160, 0.257, 0.663, 0.0053, 0.332),
    SIMILAR("CTC-SP2", "procs", 0.722, 0.0152, 0.262, 0.670, 0.0325, 0.300),
    SIMILAR("KTH-SP2", "procs", 0.782, 0.0075, 0.211, 0.692, 0.0150, 0.293),
    SIMILAR("SDSC-SP2", "procs", 0.771, 0.0120, 0.217, 0.747, 0.0080, 0.245),
    SIMILAR("SDSC-BLUE", "procs", 0.856, 0.0000, 0.144, 0.762, 0.0046, 0.233),
    SIMILAR("HPC2N", "procs", 0.856, 0.0046, 0.140, 0.684, 0.0000, 0.316),
    SIMILAR("SDSC-DS", "procs", 0.767, 0.0031, 0.230, 0.702, 0.0092, 0.288),
    SIMILAR("ANL-Intrepid", "procs", 0.788, 0.0052, 0.207, 0.746, 0.0000, 0.254),
    SIMILAR("CEA-Curie", "procs", 0.866, 0.0022, 0.131, 0.746, 0.0043, 0.250),
};

static const struct loom_claim table_3[] = {
    SIMILAR("LANL-CM5", "estimate", 0.765, 0.1016, 0.134, 0.668, 0.1016, 0.230),
    SIMILAR("CTC-SP2", "estimate", 0.757, 0.1041, 0.139, 0.705, 0.1085, 0.187),
    SIMILAR("KTH-SP2", "estimate", 0.895, 0.0075, 0.098, 0.789, 0.0150, 0.195),
    SIMILAR("SDSC-SP2", "estimate", 0.791, 0.0924, 0.116, 0.795, 0.0924, 0.112),
    SIMILAR("SDSC-BLUE", "estimate", 0.947, 0.0069, 0.046, 0.794, 0.0069, 0.199),
    SIMILAR("HPC2N", "estimate", 0.907, 0.0279, 0.065, 0.781, 0.0233, 0.195),
    SIMILAR("SDSC-DS", "estimate", 0.837, 0.0613, 0.101, 0.739, 0.0583, 0.202),
    SIMILAR("ANL-Intrepid", "estimate", 0.834, 0.0777, 0.088, 0.715, 0.0777, 0.207),
    SIMILAR("CEA-Curie", "estimate", 0.843, 0.0625, 0.095, 0.718, 0.0625, 0.220),
};

static const struct loom_claim table_4[] = {
    SIMILAR("LANL-CM5", "runtime", 0.733, 0.0000, 0.267, 0.711, 0.0053, 0.283),
    SIMILAR("CTC-SP2", "runtime", 0.829, 0.0043, 0.167, 0.722, 0.0065, 0.271),
    SIMILAR("KTH-SP2", "runtime", 0.827, 0.0075, 0.165, 0.684, 0.0000, 0.316),
    SIMILAR("SDSC-SP2", "runtime", 0.759, 0.0000, 0.241, 0.759, 0.0040, 0.237),
    SIMILAR("SDSC-BLUE", "runtime", 0.888, 0.0114, 0.101, 0.757, 0.0092, 0.233),
    SIMILAR("HPC2N", "runtime", 0.879, 0.0326, 0.088, 0.721, 0.0279, 0.251),
    SIMILAR("SDSC-DS", "runtime", 0.840, 0.0215, 0.138, 0.706, 0.0245, 0.270),
    SIMILAR("ANL-Intrepid", "runtime", 0.850, 0.0000, 0.150, 0.710, 0.0000, 0.290),
    SIMILAR("CEA-Curie", "runtime", 0.817, 0.0151, 0.168, 0.685, 0.0151, 0.300),
};

#define POOL(log_, key, value, tolerance, reason)                                      \
    {                                                                                  \
        .log = log_, .measure = loom_measure_feature, .of = key, .with = "select=ran", \
        .printed = value, .share = tolerance, .why = reason, .tried = eight_weeks      \
    }
#define POOLS(log_, a, b, c, d)                                \
    POOL(log_, "user.long_term.count", a, 0, edge),            \
        POOL(log_, "user.long_term.jobs", b, 0.002, revision), \
        POOL(log_, "user.temporary.count", c, 0, edge),        \
        POOL(log_, "user.temporary.jobs", d, 0.002, revision)

static const char eight_weeks[] =
    "temporary users are discarded near the ends of the log, if their whole activity is there: "
    "within 4 weeks, as the text says, 45, 82, 234, 32 and 77 stay of LANL-CM5, KTH-SP2, SDSC-SP2, "
    "SDSC-BLUE and HPC2N; within 8 weeks 39, 64, 202, 32 and 69; within 7.5 weeks of the beginning "
    "and 9 of the end 38, 66, 206, 30 and 67, nearest to print, with 2346 jobs on KTH-SP2 and 8786 "
    "on SDSC-SP2; if the first or the last job alone lies within 4 weeks, 40, 65, 212, 30 and 74. "
    "Likeliest: about 8 weeks in place of 4, and another revision of the logs";

static const struct loom_claim table_5[] = {
    POOLS("LANL-CM5", 159, 119998, 37, 1727),    POOLS("SDSC-Par95", 57, 45087, 32, 7354),
    POOLS("CTC-SP2", 314, 63287, 236, 10625),    POOLS("KTH-SP2", 102, 25202, 66, 2349),
    POOLS("SDSC-SP2", 173, 44251, 206, 8790),    POOLS("SDSC-BLUE", 426, 221745, 31, 1435),
    POOLS("HPC2N", 178, 194429, 66, 7949),       POOLS("SDSC-DS", 230, 74764, 192, 9012),
    POOLS("ANL-Intrepid", 124, 58875, 81, 7725), POOLS("PIK-IPLEX", 175, 724045, 46, 4764),
    POOLS("CEA-Curie", 269, 244733, 223, 38814),
};

#define DEPTH(log_, key, value)                                                    \
    {                                                                              \
        .log = log_, .measure = loom_measure_feature, .of = "locality.stack." key, \
        .with = "select=ran", .printed = value, .share = 0.06, .why = depths       \
    }
#define DEPTH_OF_VARIANTS(log_, key, value)                                       \
    {                                                                             \
        .what = "variants: " key, .log = log_, .measure = loom_measure_variants,  \
        .of = "locality.stack." key, .with = "select=ran", .quick = 8, .full = 8, \
        .changed = eight, .printed = value, .share = 0.06, .why = depths          \
    }
#define DEPTHS(log_, a, b, c, d, e, f)                                                            \
    DEPTH(log_, "runtime", a), DEPTH_OF_VARIANTS(log_, "runtime", b), DEPTH(log_, "estimate", c), \
        DEPTH_OF_VARIANTS(log_, "estimate", d), DEPTH(log_, "procs", e),                          \
        DEPTH_OF_VARIANTS(log_, "procs", f)

static const struct loom_claim table_6[] = {
    DEPTHS("LANL-CM5", 36.01, 36.97, 2.53, 2.51, 1.15, 1.08),
    DEPTHS("CTC-SP2", 28.01, 27.72, 4.51, 4.33, 3.44, 3.35),
    DEPTHS("KTH-SP2", 35.25, 35.03, 6.46, 6.42, 3.83, 3.87),
    DEPTHS("SDSC-SP2", 25.13, 24.48, 4.09, 3.96, 2.89, 2.79),
    DEPTHS("SDSC-BLUE", 25.11, 25.97, 3.12, 3.46, 1.58, 1.57),
    DEPTHS("HPC2N", 18.67, 19.44, 2.36, 2.37, 0.98, 0.95),
    DEPTHS("SDSC-DS", 25.01, 25.68, 4.09, 3.95, 2.07, 2.02),
    DEPTHS("ANL-Intrepid", 13.21, 14.02, 2.58, 2.56, 1.28, 1.27),
    DEPTHS("CEA-Curie", 28.0, 28.06, 2.42, 2.39, 4.93, 5.02),
};

/* Self-similar: "far bigger than 0.5". */
#define SLOPES(log_, a, b)                                                                    \
    {.log = log_,                                                                             \
     .measure = loom_measure_feature,                                                         \
     .of = "arrival.hurst.pox",                                                               \
     .with = "select=ran",                                                                    \
     .printed = a,                                                                            \
     .within = 0.08,                                                                          \
     .why = slopes,                                                                           \
     .has_finding = true,                                                                     \
     .finding = LOOM_ABOVE,                                                                   \
     .bound = 0.5},                                                                           \
    {                                                                                         \
        .what = "variants: Hurst parameter by the pox plot", .log = log_,                     \
        .measure = loom_measure_variants, .of = "arrival.hurst.pox", .with = "select=ran",    \
        .quick = 8, .full = 8, .changed = eight, .printed = b, .within = 0.08, .why = slopes, \
        .has_finding = true, .finding = LOOM_ABOVE, .bound = 0.5                              \
    }

static const struct loom_claim table_7[] = {
    SLOPES("LANL-CM5", 0.690, 0.679),     SLOPES("SDSC-Par95", 0.745, 0.745),
    SLOPES("CTC-SP2", 0.617, 0.620),      SLOPES("KTH-SP2", 0.666, 0.648),
    SLOPES("SDSC-SP2", 0.638, 0.715),     SLOPES("SDSC-BLUE", 0.778, 0.704),
    SLOPES("HPC2N", 0.769, 0.722),        SLOPES("SDSC-DS", 0.747, 0.651),
    SLOPES("ANL-Intrepid", 0.754, 0.789), SLOPES("PIK-IPLEX", 0.697, 0.722),
    SLOPES("CEA-Curie", 0.710, 0.630),
};

static const struct loom_item items[] = {
    {"zakay2017/ch3-table-2", "Table II", "Similarity of processors by distance",
     LOOM_CLAIMS(table_2)},
    {"zakay2017/ch3-table-3", "Table III", "Similarity of estimates by distance",
     LOOM_CLAIMS(table_3)},
    {"zakay2017/ch3-table-4", "Table IV", "Similarity of runtimes by distance",
     LOOM_CLAIMS(table_4)},
    {"zakay2017/ch3-table-5", "Table V", "Long-term and temporary users", LOOM_CLAIMS(table_5)},
    {"zakay2017/ch3-table-6", "Table VI", "Stack depths of logs and variants",
     LOOM_CLAIMS(table_6)},
    {"zakay2017/ch3-table-7", "Table VII", "Hurst parameters of logs and variants",
     LOOM_CLAIMS(table_7)},
};

const struct loom_chapter loom_chapter_zakay2017_3 = {"Zakay 2017", "Chapter 3", items,
                                                      sizeof items / sizeof *items};
