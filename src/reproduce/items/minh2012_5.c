/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minh 2012, chapter 5: the comprehensive model. */
#include "reproduce/item.h"

static const char five[] = "quick runs draw 5 workloads, 3 in the first run";

static const char rounded[] = "half of the last printed digit, and a newer revision of the log";
static const char drawn[] = "0.03, as one workload was printed";

#define OF_LOG(key, log_, value, tolerance)                                                  \
    {                                                                                        \
        .log = log_, .measure = loom_measure_feature, .of = key, .with = "select=completed", \
        .printed = value, .within = tolerance, .why = rounded                                \
    }

#define OF_MODEL(says, key, model, log_, value, tolerance)                                \
    {                                                                                     \
        .what = says, .log = log_, .measure = loom_measure_model, .of = key,              \
        .with = "select=completed model=" model, .quick = 5, .full = 20, .changed = five, \
        .printed = value, .within = tolerance, .why = drawn                               \
    }

#define PRINTED "minh2012:variant=printed"

#define ENTROPY(log_, value) OF_LOG("spatial.entropy", log_, value, 0.006)
#define MODEL_ENTROPY(log_, value) \
    OF_MODEL("spatial entropy of the model", "spatial.entropy", PRINTED, log_, value, 0.03)
#define NAIVE_ENTROPY(log_, value) \
    OF_MODEL("spatial entropy of the naive model", "spatial.entropy", "uniform", log_, value, 0.005)

static const struct loom_claim table_5_1[] = {
    ENTROPY("DAS2-fs2", 0.447),
    ENTROPY("DAS2-fs3", 0.126),
    ENTROPY("HPC2N", 0.305),
    ENTROPY("LANL-O2K", 0.317),
    ENTROPY("LLNL-Thunder", 0.330),
    MODEL_ENTROPY("DAS2-fs2", 0.536),
    MODEL_ENTROPY("DAS2-fs3", 0.192),
    MODEL_ENTROPY("HPC2N", 0.316),
    MODEL_ENTROPY("LANL-O2K", 0.308),
    MODEL_ENTROPY("LLNL-Thunder", 0.320),
    NAIVE_ENTROPY("DAS2-fs2", 0.998),
    NAIVE_ENTROPY("DAS2-fs3", 0.998),
    NAIVE_ENTROPY("HPC2N", 0.999),
    NAIVE_ENTROPY("LANL-O2K", 0.997),
    NAIVE_ENTROPY("LLNL-Thunder", 0.996),
};

#define SPEARMAN(log_, value) OF_LOG("corr.runtime_procs.spearman", log_, value, 0.004)
#define MODEL_SPEARMAN(log_, value)                                                                \
    OF_MODEL("rank correlation of the model", "corr.runtime_procs.spearman", PRINTED, log_, value, \
             0.03)

static const struct loom_claim table_5_2[] = {
    SPEARMAN("DAS2-fs2", 0.459),        SPEARMAN("DAS2-fs3", -0.247),
    SPEARMAN("HPC2N", -0.229),          SPEARMAN("LANL-O2K", 0.073),
    SPEARMAN("LLNL-Thunder", 0.453),    MODEL_SPEARMAN("DAS2-fs2", 0.389),
    MODEL_SPEARMAN("DAS2-fs3", -0.285), MODEL_SPEARMAN("HPC2N", -0.205),
    MODEL_SPEARMAN("LANL-O2K", 0.088),  MODEL_SPEARMAN("LLNL-Thunder", 0.457),
};

/* A feature of the model relative to the log. */
#define RATIO(says, key, side, limit)                                                       \
    {                                                                                       \
        .what = says, .log = "HPC2N", .measure = loom_measure_model, .of = key,             \
        .with = "select=completed model=" PRINTED, .quick = 5, .full = 20, .changed = five, \
        .per_log = true, .is = side, .printed = limit                                       \
    }

/* Curves of the model are close to the log's. */
static const struct loom_claim figure_5_1[] = {
    RATIO("Zipf exponent of bag sizes, model over log", "bot.size.alpha", LOOM_ABOVE, 0.85),
    RATIO("Zipf exponent of bag sizes, model over log", "bot.size.alpha", LOOM_BELOW, 1.15),
    RATIO("mean runtime of jobs in bags, model over log", "bot.runtime.mean_s", LOOM_ABOVE, 0.75),
    RATIO("mean runtime of jobs in bags, model over log", "bot.runtime.mean_s", LOOM_BELOW, 1.25),
};

#define DISTANCE(what_, limit)                                                                    \
    {                                                                                             \
        .what = "distance of the model from the log: " what_, .log = "HPC2N",                     \
        .measure = loom_measure_distance, .of = what_, .with = "select=completed model=" PRINTED, \
        .quick = 5, .full = 20, .changed = five, .is = LOOM_BELOW, .printed = limit               \
    }

static const struct loom_claim figure_5_2[] = {
    DISTANCE("runtime", 0.1),
    DISTANCE("procs", 0.1),
};

/* Slowdown (mean response over mean runtime) of workloads of the model relative to the log. The
 * text changes the load by the size of the machine. */
static const char *const policies_words[] = {"model=minh2012:variant=printed",
                                             "select=completed",
                                             "estimates=exact",
                                             "scheduler=fcfs",
                                             "scheduler=easy",
                                             "load=0.4:0.7:0.1",
                                             "load-by=arrivals",
                                             NULL};
static const struct loom_trial model_loads = {.name = "minh5-model",
                                              .words = policies_words,
                                              .quick = 10,
                                              .full = 10};

static const char ten[] =
    "requested times are the runtimes, as the model of the text has none; they were modelled after "
    "the log before, with 5 workloads in quick runs";

#define AT_LOAD(says, a, b, metric, side, limit)                                                \
    {                                                                                           \
        .what = says, .log = "LLNL-Thunder", .instead = "HPC2N", .measure = loom_measure_trial, \
        .of = metric, .trial = &model_loads, .cell = a, .over = b, .changed = ten, .is = side,  \
        .printed = limit                                                                        \
    }

static const struct loom_claim figure_5_3[] = {
    AT_LOAD("FIFO: slowdown rises towards saturation (load 0.7 over 0.4)",
            "scheduler=fcfs; load=0.7", "scheduler=fcfs; load=0.4", "slowdown_ratio", LOOM_ABOVE,
            1),
    AT_LOAD("EASY: slowdown rises towards saturation (load 0.7 over 0.4)",
            "scheduler=easy; load=0.7", "scheduler=easy; load=0.4", "slowdown_ratio", LOOM_ABOVE,
            1),
    AT_LOAD("EASY is better than FIFO at load 0.7", "scheduler=easy; load=0.7",
            "scheduler=fcfs; load=0.7", "slowdown_ratio", LOOM_BELOW, 1),
};

static const struct loom_item items[] = {
    {"minh2012/table-5.1", "Table 5.1", "Spatial entropy of logs, the model and a naive model",
     LOOM_CLAIMS(table_5_1)},
    {"minh2012/table-5.2", "Table 5.2", "Rank correlation of runtime and size, logs and model",
     LOOM_CLAIMS(table_5_2)},
    {"minh2012/figure-5.1", "Figure 5.1", "Sizes and runtimes of bags, HPC and the model",
     LOOM_CLAIMS(figure_5_1), .figure = "bag-size-ccdf bag-runtime-ccdf",
     .note = "The figure has no numbers; an exponent and a mean are compared."},
    {"minh2012/figure-5.2", "Figure 5.2", "Runtimes and sizes, HPC and the model",
     LOOM_CLAIMS(figure_5_2), .figure = "runtime-cdf size-cdf",
     .note = "The figure has no numbers; distances are tested."},
    {"minh2012/figure-5.3", "Figure 5.3", "Slowdown against load, LLN and the model",
     LOOM_CLAIMS(figure_5_3), .axis = "load"},
};

const struct loom_chapter loom_chapter_minh2012_5 = {"Minh 2012", "Chapter 5", items,
                                                     sizeof items / sizeof *items};
