/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zakay 2017, chapter 4: users who react to the service they get. */
#include "reproduce/item.h"

static const char ten[] = "10 runs, as the text; in quick runs 3 before, and 2 for figures 5 to 9";

static const char simulators[] = "5 %: another simulator on, in part, other revisions of the logs";
/* What was tried where numbers differ (docs/USERS.md). */
static const char waits_tried[] = "the conventional waits, which owe nothing to users, are already "
                                  "0.34 to 0.91 of the printed ones: "
                                  "another simulator, and newer revisions of the logs. Fluid users "
                                  "with skipped=week wait 16180, 5958, "
                                  "5298, 9694 and 2076 s on SDSC-SP2, BLUE, KTH, HPC2N and CM5, "
                                  "nearer to print than skipped=end (used "
                                  "here: 10736, 3562, 4420, 8100, 1479). Relative to conventional "
                                  "waits, models do what they do in print";
static const char ratio_tried[] =
    "users get their working hours by chance, and waits differ much from run to run; means of 10 "
    "runs are "
    "above the conventional one where print is, but the interval is not";
static const char curves[] = "The figure has no numbers; what the text says about it is tested.";

static const char *const models_words[] = {"select=all",
                                           "scheduler=easy",
                                           "feedback=none",
                                           "feedback=adjusted",
                                           "feedback=distribution",
                                           "feedback=fluid",
                                           NULL};
static const struct loom_trial models = {.name = "zakay4-models",
                                         .words = models_words,
                                         .quick = 10,
                                         .full = 10};

/* ---- table I --------------------------------------------------------------------------------- */

#define WAIT(log_, says, model, value)                                                       \
    {                                                                                        \
        .what = says ": mean wait (s)", .log = log_, .measure = loom_measure_trial,          \
        .trial = &models, .of = "wait_mean_s", .cell = "behaviour=" model, .printed = value, \
        .share = 0.05, .why = simulators, .changed = ten, .tried = waits_tried               \
    }
/* "Performance is much improved" with adjusted users, waits are long with users of the distribution
 * "for most of the workloads", and shorter with fluid ones. */
#define RATIO(log_, model, side)                                                    \
    {                                                                               \
        .what = model ": mean wait over the conventional one", .log = log_,         \
        .measure = loom_measure_trial, .trial = &models, .of = "wait_mean_s",       \
        .cell = "behaviour=" model, .over = "behaviour=", .is = side, .printed = 1, \
        .changed = ten, .tried = ratio_tried                                        \
    }
#define WAITS(log_, a, b, c, d)                                               \
    WAIT(log_, "conventional", "", a), WAIT(log_, "adjusted", "adjusted", b), \
        WAIT(log_, "distribution", "distribution", c), WAIT(log_, "fluid", "fluid", d)

static const struct loom_claim table_1[] = {
    WAITS("SDSC-DS", 8353, 5005, 12976, 5972),      WAITS("CEA-Curie", 6989, 5073, 6141, 4395),
    WAITS("SDSC-SP2", 37363, 24731, 40579, 18748),  WAITS("SDSC-BLUE", 8487, 7199, 47219, 6826),
    WAITS("ANL-Intrepid", 1242, 2307, 1369, 1958),  WAITS("KTH-SP2", 8755, 8364, 11717, 6389),
    WAITS("HPC2N", 12591, 8167, 13347, 10092),      WAITS("LANL-CM5", 20966, 3702, 3503, 2614),
    RATIO("SDSC-SP2", "adjusted", LOOM_BELOW),      RATIO("SDSC-BLUE", "adjusted", LOOM_BELOW),
    RATIO("KTH-SP2", "adjusted", LOOM_BELOW),       RATIO("HPC2N", "adjusted", LOOM_BELOW),
    RATIO("LANL-CM5", "adjusted", LOOM_BELOW),      RATIO("SDSC-SP2", "distribution", LOOM_ABOVE),
    RATIO("SDSC-BLUE", "distribution", LOOM_ABOVE), RATIO("KTH-SP2", "distribution", LOOM_ABOVE),
    RATIO("HPC2N", "distribution", LOOM_ABOVE),     RATIO("LANL-CM5", "distribution", LOOM_BELOW),
    RATIO("SDSC-SP2", "fluid", LOOM_BELOW),         RATIO("SDSC-BLUE", "fluid", LOOM_BELOW),
    RATIO("KTH-SP2", "fluid", LOOM_BELOW),          RATIO("HPC2N", "fluid", LOOM_BELOW),
    RATIO("LANL-CM5", "fluid", LOOM_BELOW),
};

/* ---- arrivals and activity ------------------------------------------------------------------- */

static const char users_tried[] =
    "the bounds are ours, and hours of users are drawn for each run, so that single users decide. "
    "Share of the "
    "fullest hour over the log's, 10 runs: KTH-SP2 1.47, LANL-CM5 1.14, the others above 1.5. "
    "Longest "
    "activity: HPC2N 1.07 on average with runs below 1, the others above 1";
#define USERS_(says, log_, what_, model, side, limit)                                  \
    {                                                                                  \
        .what = says, .log = log_, .measure = loom_measure_users, .of = what_,         \
        .with = "scheduler=easy feedback=" model, .quick = 10, .full = 10, .is = side, \
        .printed = limit, .changed = ten, .tried = users_tried                         \
    }
#define ON_ALL(says, what_, model, side, limit)               \
    USERS_(says, "SDSC-SP2", what_, model, side, limit),      \
        USERS_(says, "SDSC-BLUE", what_, model, side, limit), \
        USERS_(says, "KTH-SP2", what_, model, side, limit),   \
        USERS_(says, "HPC2N", what_, model, side, limit),     \
        USERS_(says, "LANL-CM5", what_, model, side, limit)

/* "Total destruction of the daily and weekly cycles." */
static const struct loom_claim figure_5[] = {
    ON_ALL("correlation of arrivals by hour of the week with the log's", "cycle", "adjusted",
           LOOM_BELOW, 0.5),
};

/* "Sharp peaks of activity that do not exist in the original data." */
static const struct loom_claim figure_6[] = {
    ON_ALL("share of the fullest hour of the week over the log's", "peak", "distribution",
           LOOM_ABOVE, 1.5),
};

/* "For most of the workloads, high throughput per user"; some are active for excessively long. */
static const struct loom_claim figure_7[] = {
    ON_ALL("median activity of users over that in the log", "activity", "distribution", LOOM_BELOW,
           1),
    ON_ALL("longest activity of a user over the longest in the log", "longest", "distribution",
           LOOM_ABOVE, 1),
};

/* "Preserves the daily and weekly cycles." */
static const struct loom_claim figure_8[] = {
    ON_ALL("correlation of arrivals by hour of the week with the log's", "cycle", "fluid",
           LOOM_ABOVE, 0.85),
};

/* "Close to the original workload in most of the traces", with a few very long activities. */
static const struct loom_claim figure_9[] = {
    ON_ALL("median activity of users over that in the log", "activity", "fluid", LOOM_ABOVE, 0.8),
    ON_ALL("median activity of users over that in the log", "activity", "fluid", LOOM_BELOW, 1.25),
    ON_ALL("longest activity of a user over the longest in the log", "longest", "fluid", LOOM_ABOVE,
           1),
};

/* ---- queues ---------------------------------------------------------------------------------- */

static const char *const queues_words[] = {"select=all",    "scheduler=easy", "scheduler=fcfs",
                                           "feedback=none", "feedback=fluid", NULL};
static const struct loom_trial queues = {.name = "zakay4-queues",
                                         .words = queues_words,
                                         .quick = 10,
                                         .full = 10};

static const char queue_tried[] = "HPC2N has the lowest load of these logs (0.60), and FIFO can "
                                  "nearly serve it: mean queues of 20.1 under "
                                  "EASY and 30.1 under FIFO without feedback, 7.7 and 8.6 with "
                                  "fluid users. The text speaks of all logs "
                                  "at once";
#define QUEUE(says, log_, a, b, side, limit)                                                    \
    {                                                                                           \
        .what = says, .log = log_, .measure = loom_measure_trial, .trial = &queues,             \
        .of = "queue_mean", .cell = a, .over = b, .is = side, .printed = limit, .changed = ten, \
        .tried = queue_tried                                                                    \
    }
/* Users who adapt have queues under FIFO that are a bit longer than under EASY, and under EASY
 * shorter than without feedback; without it they are huge under FIFO. */
#define QUEUES(log_)                                                                             \
    QUEUE("conventional: queue under FIFO over EASY, \"unreasonably huge\"", log_,               \
          "behaviour=; scheduler=fcfs", "behaviour=; scheduler=easy", LOOM_ABOVE, 2),            \
        QUEUE("fluid: queue under FIFO over EASY", log_, "behaviour=fluid; scheduler=fcfs",      \
              "behaviour=fluid; scheduler=easy", LOOM_ABOVE, 1),                                 \
        QUEUE("queue under FIFO, fluid over conventional", log_,                                 \
              "behaviour=fluid; scheduler=fcfs", "behaviour=; scheduler=fcfs", LOOM_BELOW, 0.5), \
        QUEUE("queue under EASY, fluid over conventional", log_,                                 \
              "behaviour=fluid; scheduler=easy", "behaviour=; scheduler=easy", LOOM_BELOW, 1)

static const struct loom_claim figure_10[] = {
    QUEUES("SDSC-SP2"), QUEUES("SDSC-BLUE"), QUEUES("KTH-SP2"), QUEUES("HPC2N"), QUEUES("LANL-CM5"),
};

static const struct loom_item items[] = {
    {"zakay2017/ch4-table-1", "Table I", "Mean waits of models of users", LOOM_CLAIMS(table_1)},
    {"zakay2017/ch4-figure-5", "Figure 5", "The week of adjusted users", LOOM_CLAIMS(figure_5),
     .figure = "arrivals-week", .note = curves},
    {"zakay2017/ch4-figure-6", "Figure 6", "The week of users with working hours",
     LOOM_CLAIMS(figure_6), .figure = "arrivals-week", .note = curves},
    {"zakay2017/ch4-figure-7", "Figure 7", "Activity of users with working hours",
     LOOM_CLAIMS(figure_7), .figure = "user-period", .note = curves},
    {"zakay2017/ch4-figure-8", "Figure 8", "The week of fluid users", LOOM_CLAIMS(figure_8),
     .figure = "arrivals-week", .note = curves},
    {"zakay2017/ch4-figure-9", "Figure 9", "Activity of fluid users", LOOM_CLAIMS(figure_9),
     .figure = "user-period", .note = curves},
    {"zakay2017/ch4-figure-10", "Figure 10", "Queues under EASY and FIFO", LOOM_CLAIMS(figure_10),
     .note = curves},
};

const struct loom_chapter loom_chapter_zakay2017_4 = {"Zakay 2017", "Chapter 4", items,
                                                      sizeof items / sizeof *items};
