/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Minh 2012, chapter 6: arrivals on a cluster and on a grid. Runtimes and sizes are uniform;
 * arrivals are Poisson (N), MWM (L: dependent) or MMWM (LB: dependent and bursty). The text does
 * not name the log that arrivals are fitted to. */
#include "reproduce/item.h"

#define N "source=uniform:arrivals=poisson; "
#define L "source=uniform:arrivals=mwm; "
#define LB "source=uniform:arrivals=mmwm; "
#define IMPROVED "source=uniform:arrivals=mmwm,arrivals.variant=improved; "

static const char *const cluster_words[] = {"model=uniform:arrivals=poisson",
                                            "model=uniform:arrivals=mwm",
                                            "model=uniform:arrivals=mmwm",
                                            "model=uniform:arrivals=mmwm,arrivals.variant=improved",
                                            "select=completed",
                                            "jobs=63000",
                                            "scheduler=fcfs",
                                            "scheduler=easy",
                                            "load=0.5,0.7,0.9",
                                            NULL};
static const struct loom_trial cluster = {"minh6-cluster", cluster_words, 5, 50};

/* Slowdown (mean response over mean runtime) in one cell over another, beside 1. */
#define RATIO(says, log_, a, b, side, more)                                                     \
    {                                                                                           \
        .what = says, .log = log_, .measure = loom_measure_trial, .of = "slowdown_ratio",       \
        .trial = &cluster, .cell = a, .over = b, .is = side, .printed = 1, .tried = burst, more \
    }

static const char burst[] =
    "loads 0.5, 0.7 and 0.9, arrivals of DAS2-fs1, HPC2N and LANL-CM5, and both variants of MMWM: "
    "the "
    "rows below say which gives which answer. The printed MMWM leaves more intervals empty than "
    "the "
    "log, but its busy ones are like MWM's, so that its queues are hardly longer";

static const struct loom_claim figure_6_1[] = {
    RATIO("FIFO, load 0.7: L over N", "DAS2-fs1", L "scheduler=fcfs; load=0.7",
          N "scheduler=fcfs; load=0.7", LOOM_ABOVE, .reading = false),
    RATIO("EASY, load 0.7: L over N", "DAS2-fs1", L "scheduler=easy; load=0.7",
          N "scheduler=easy; load=0.7", LOOM_ABOVE, .reading = false),
    RATIO("FIFO, load 0.7: LB over L", "DAS2-fs1", LB "scheduler=fcfs; load=0.7",
          L "scheduler=fcfs; load=0.7", LOOM_ABOVE, .reading = false),
    RATIO("EASY, load 0.7: LB over L", "DAS2-fs1", LB "scheduler=easy; load=0.7",
          L "scheduler=easy; load=0.7", LOOM_ABOVE, .reading = false),
    RATIO("load 0.5, EASY: LB over L", "DAS2-fs1", LB "scheduler=easy; load=0.5",
          L "scheduler=easy; load=0.5", LOOM_ABOVE, .reading = true),
    RATIO("load 0.9, EASY: LB over L", "DAS2-fs1", LB "scheduler=easy; load=0.9",
          L "scheduler=easy; load=0.9", LOOM_ABOVE, .reading = true),
    RATIO("improved MMWM, EASY, load 0.7: LB over L", "DAS2-fs1",
          IMPROVED "scheduler=easy; load=0.7", L "scheduler=easy; load=0.7", LOOM_ABOVE,
          .reading = true),
    RATIO("arrivals of HPC2N, EASY, load 0.7: LB over L", "HPC2N", LB "scheduler=easy; load=0.7",
          L "scheduler=easy; load=0.7", LOOM_ABOVE, .reading = true),
    RATIO("arrivals of LANL-CM5, EASY, load 0.7: LB over L", "LANL-CM5",
          LB "scheduler=easy; load=0.7", L "scheduler=easy; load=0.7", LOOM_ABOVE, .reading = true),
    RATIO("arrivals of LANL-CM5, improved MMWM, EASY, load 0.7: LB over L", "LANL-CM5",
          IMPROVED "scheduler=easy; load=0.7", L "scheduler=easy; load=0.7", LOOM_ABOVE,
          .reading = true),
};

/* Conservative backfilling takes minutes on bursts of 63,000 jobs whose sizes are uniform, so these
 * workloads have 5,000. */
static const char *const backfill_words[] = {"model=uniform:arrivals=poisson",
                                             "model=uniform:arrivals=mmwm",
                                             "select=completed",
                                             "jobs=5000",
                                             "scheduler=easy",
                                             "scheduler=conservative",
                                             "load=0.9",
                                             NULL};
static const struct loom_trial backfill = {"minh6-backfill", backfill_words, 5, 50};

#define BACKFILL(says, log_, a, b, more)                                                    \
    {                                                                                       \
        .what = says ", load 0.9, 5,000 jobs", .log = log_, .measure = loom_measure_trial,  \
        .of = "slowdown_ratio", .trial = &backfill, .cell = a, .over = b, .is = LOOM_BELOW, \
        .printed = 1, .tried = backfilled, more                                             \
    }

static const char backfilled[] =
    "arrivals of DAS2-fs1 and HPC2N, and 5,000 jobs where the text has 63,000: too few for a queue "
    "to settle. Eight workloads of 63,000 jobs had 31.8 for conservative and 42.5 for EASY with N, "
    "as "
    "in print; with LB such runs take minutes each and were not settled";

static const struct loom_claim figure_6_2[] = {
    BACKFILL("N: conservative over EASY", "DAS2-fs1", N "scheduler=conservative",
             N "scheduler=easy", .reading = false),
    BACKFILL("LB: EASY over conservative", "DAS2-fs1", LB "scheduler=easy",
             LB "scheduler=conservative", .reading = false),
    BACKFILL("LB, arrivals of HPC2N: EASY over conservative", "HPC2N", LB "scheduler=easy",
             LB "scheduler=conservative", .reading = true),
};

/* The grid with Poisson grid jobs and local jobs of three patterns, from models fitted to the log.
 */
static const char *const grid_words[] = {"model=uniform:arrivals=poisson",
                                         "model=uniform:arrivals=mwm",
                                         "model=uniform:arrivals=mmwm",
                                         "select=completed",
                                         "jobs=20000",
                                         "platform=das3",
                                         "background-model=uniform",
                                         "background-load=0.4",
                                         "scheduler=easy",
                                         "load=0.2,0.6",
                                         NULL};
static const struct loom_trial grid = {"minh6-grid", grid_words, 3, 25};

static const char few[] =
    "three workloads of 20,000 jobs in quick runs, local jobs as Poisson arrivals at load 0.4, "
    "which "
    "the text does not name: means are on the side of the text for grid jobs, but single workloads "
    "saturate the grid, so that intervals decide nothing";

#define GRID(says, metric, a, b, side)                                                \
    {                                                                                 \
        .what = says, .log = "DAS2-fs1", .measure = loom_measure_trial, .of = metric, \
        .trial = &grid, .cell = a, .over = b, .is = side, .printed = 1, .tried = few  \
    }

static const struct loom_claim figure_6_3[] = {
    GRID("grid load 0.6: slowdown of grid jobs, g_L over g_N", "slowdown_ratio", L "load=0.6",
         N "load=0.6", LOOM_ABOVE),
    GRID("grid load 0.6: slowdown of grid jobs, g_LB over g_N", "slowdown_ratio", LB "load=0.6",
         N "load=0.6", LOOM_ABOVE),
    {.what = "grid jobs hardly change local jobs: local slowdown, g_LB over g_N, grid load 0.6",
     .log = "DAS2-fs1",
     .measure = loom_measure_trial,
     .of = "local_slowdown_ratio",
     .trial = &grid,
     .cell = LB "load=0.6",
     .over = N "load=0.6",
     .printed = 1,
     .within = 0.1,
     .why = "'does not change' is taken as a tenth",
     .tried =
         "Poisson local jobs at load 0.4, which the text does not name, in three workloads of "
         "20,000 jobs: bursts of grid jobs raise the local slowdown to 1.8 times (1.5 to 2.1)"},
    {.what = "other patterns of local jobs",
     .tried = "their models are files of their own: examples/plans/minh6-grid.yaml runs them"},
};

static const struct loom_item items[] = {
    {"minh2012/figure-6.1", "Figure 6.1", "Dependence and burstiness of arrivals on a cluster",
     LOOM_CLAIMS(figure_6_1), .axis = "load",
     .note =
         "The text does not name the load or the log of the arrivals; rows after the first four "
         "are other readings and do not count for the verdict."},
    {"minh2012/figure-6.2", "Figure 6.2", "EASY and conservative, with and without burstiness",
     LOOM_CLAIMS(figure_6_2)},
    {"minh2012/figure-6.3", "Figure 6.3", "Patterns of local and grid jobs on a grid",
     LOOM_CLAIMS(figure_6_3), .axis = "load"},
};

const struct loom_chapter loom_chapter_minh2012_6 = {"Minh 2012", "Chapter 6", items,
                                                     sizeof items / sizeof *items};
