/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Zakay 2017, chapter 5: resampled users who react (TBUOS). Sessions are as in the chapter
 * itself (late batches move, skipped sessions come again by week), and long-term users pause before
 * they start again, as in chapter 3.
 */
#include "reproduce/item.h"

static const char extremes[] = "25 %: extremes of 100 runs";
static const char few[] = "extremes of fewer runs than the text has were judged as if of as many; "
                          "more runs can but raise them";
static const char curves[] = "The figure has no numbers; what the text says about it is tested.";

#define TBUOS "fluid:late=moves,skipped=week"

/* What was tried where numbers differ (docs/USERS.md: 30 runs of each reading). */
static const char readings[] = "largest over least mean wait without feedback, 10 runs here, 30 in "
                               "docs/USERS.md: SDSC-SP2 8.61, BLUE "
                               "6.41, KTH 5.42, HPC2N 8.15, CM5 11.62; users who start within "
                               "their own activity, 100 runs: 7.05, 13.86, "
                               "11.93, 62.45, 16.57. The more runs, the larger; the text has 100. "
                               "TBUOS with the sessions of chapter 4: "
                               "1.73, 1.56, 1.74, 2.92, 1.45; word by word without a pause: 1.56, "
                               "1.90, 1.91, 1.99, 1.50; with a pause "
                               "(used here): 2.21, 2.37, 2.02, 1.89, 1.68";
static const char hours[] = "mean wait of SDSC-SP2 over runs, largest of one run: word by word "
                            "with a pause (used here) 20061 s, 32794 "
                            "s; without a pause 64126 s on average; with the sessions of chapter 4 "
                            "29277 s, and with a pause 12441 s, "
                            "which alone stays below 8 hours. SDSC-SP2 has the highest load of "
                            "these logs (0.83), and its printed "
                            "waits of chapter 4 cannot be reached either";
static const char lengths[] =
    "sessions of HPC2N are as long with feedback as without (docs/USERS.md: 1686 s and 1678 s); "
    "with the sessions "
    "of chapter 4 they are 1620 s. The text says \"tend to be shorter\" of no single log";
static const char significant[] = "the bound of 5 % is ours. Over EASY, UPS by load gets 5 % (5 "
                                  "runs) to 8 % (20 runs) more out of BLUE in this "
                                  "reading, 20 % with the sessions of chapter 4 and no pause "
                                  "(docs/USERS.md), where HPC2N's effect is not "
                                  "minor, 23 %";

/* Cells of the same runs with and without feedback; a pause is for users who react. */
static const char *const words[] = {"select=ran",      "resample",
                                    "pause",           "feedback=none",
                                    "feedback=" TBUOS, "scheduler=easy",
                                    "scheduler=fcfs",  NULL};
static const struct loom_trial runs = {.name = "zakay5-feedback",
                                       .words = words,
                                       .quick = 10,
                                       .full = 100};

#define OPEN_EASY "behaviour=; scheduler=easy"
#define OPEN_FCFS "behaviour=; scheduler=fcfs"
#define TBUOS_EASY "behaviour=" TBUOS "; scheduler=easy"
#define TBUOS_FCFS "behaviour=" TBUOS "; scheduler=fcfs"

/* Largest over least mean wait of the runs, and on which side of 3 (about where the printed ones
 * part) the text has it. */
#define EXTREMES(says, log_, where, value, side)                                                   \
    {                                                                                              \
        .what = says ": largest over least mean wait", .log = log_,                                \
        .measure = loom_measure_spread, .trial = &runs, .of = "spread:wait_mean_s", .cell = where, \
        .printed = value, .share = 0.25, .why = extremes, .tried = readings, .has_finding = true,  \
        .finding = side, .bound = 3, .changed = few                                                \
    }
#define BOTH(log_, a, b)                                      \
    EXTREMES("conventional", log_, OPEN_EASY, a, LOOM_ABOVE), \
        EXTREMES("TBUOS", log_, TBUOS_EASY, b, LOOM_BELOW)

static const struct loom_claim table_1[] = {
    BOTH("SDSC-BLUE", 17.31, 2.25), BOTH("LANL-CM5", 7.08, 1.42),     BOTH("CTC-SP2", 5.48, 1.58),
    BOTH("HPC2N", 12.52, 2.99),     BOTH("ANL-Intrepid", 2.68, 2.37), BOTH("KTH-SP2", 6.59, 2.04),
    BOTH("SDSC-DS", 9.29, 2.27),    BOTH("SDSC-SP2", 13.47, 2.05),
};

#define RUNS(says, log_, metric, a, b, side, limit)                                             \
    {                                                                                           \
        .what = says, .log = log_, .measure = loom_measure_trial, .trial = &runs, .of = metric, \
        .cell = a, .over = b, .is = side, .printed = limit                                      \
    }
/* "Usually much lower"; "no simulation with an average wait time of more than 8 hours". */
#define WAITS(log_)                                                                            \
    RUNS("mean wait, TBUOS over conventional", log_, "wait_mean_s", TBUOS_EASY, OPEN_EASY,     \
         LOOM_BELOW, 1),                                                                       \
    {                                                                                          \
        .what = "TBUOS: largest mean wait (s), at most 8 hours", .log = log_,                  \
        .measure = loom_measure_spread, .trial = &runs, .of = "max:wait_mean_s",               \
        .cell = TBUOS_EASY, .is = LOOM_BELOW, .printed = 28800, .tried = hours, .changed = few \
    }

static const struct loom_claim figure_4[] = {
    WAITS("SDSC-BLUE"), WAITS("LANL-CM5"), WAITS("HPC2N"), WAITS("KTH-SP2"), WAITS("SDSC-SP2"),
};

/* "In TBUOS users are active during more weeks and their session lengths tend to be shorter." */
#define BEHAVIOUR(says, log_, what_, side)                                                         \
    {                                                                                              \
        .what = says ", TBUOS over conventional", .log = log_, .measure = loom_measure_users,      \
        .of = what_, .with = "select=ran resample=yes scheduler=easy feedback=" TBUOS, .quick = 3, \
        .full = 20, .is = side, .printed = 1, .tried = lengths                                     \
    }
#define BEHAVIOURS(log_)                                                   \
    BEHAVIOUR("active weeks of a user", log_, "active-weeks", LOOM_ABOVE), \
        BEHAVIOUR("mean length of sessions", log_, "session-length", LOOM_BELOW)

static const struct loom_claim figure_5[] = {
    BEHAVIOURS("SDSC-BLUE"), BEHAVIOURS("LANL-CM5"), BEHAVIOURS("HPC2N"),
    BEHAVIOURS("KTH-SP2"),   BEHAVIOURS("SDSC-SP2"),
};

/* Without feedback, throughput under FCFS and EASY is similar; with it, EASY gets more done on all
 * logs. */
#define THROUGHPUT(log_)                                                                 \
    {.what = "conventional: throughput, FCFS over EASY",                                 \
     .log = log_,                                                                        \
     .measure = loom_measure_trial,                                                      \
     .trial = &runs,                                                                     \
     .of = "throughput_jobs_per_day",                                                    \
     .cell = OPEN_FCFS,                                                                  \
     .over = OPEN_EASY,                                                                  \
     .printed = 1,                                                                       \
     .within = 0.1,                                                                      \
     .why = "similar, as the text says: within a tenth"},                                \
        RUNS("TBUOS: throughput, EASY over FCFS", log_, "users_throughput_jobs_per_day", \
             TBUOS_EASY, TBUOS_FCFS, LOOM_ABOVE, 1)

static const struct loom_claim figure_6[] = {
    THROUGHPUT("SDSC-BLUE"), THROUGHPUT("LANL-CM5"), THROUGHPUT("HPC2N"),
    THROUGHPUT("KTH-SP2"),   THROUGHPUT("SDSC-SP2"),
};

static const char *const sizes_words[] = {"select=ran",      "resample",  "pause",
                                          "feedback=" TBUOS, "procs=430", "procs=336",
                                          "scheduler=easy",  NULL};
static const struct loom_trial sizes = {.name = "zakay5-sizes",
                                        .words = sizes_words,
                                        .quick = 10,
                                        .full = 100};

static const struct loom_claim figure_7[] = {
    {.what = "throughput with 430 processors over that with 336",
     .log = "CTC-SP2",
     .measure = loom_measure_trial,
     .trial = &sizes,
     .of = "users_throughput_jobs_per_day",
     .cell = "machine=430",
     .over = "machine=336",
     .is = LOOM_ABOVE,
     .printed = 1},
};

/* ---- UPS ------------------------------------------------------------------------------------- */

#define UPS(alpha, by) "ups:alpha=" alpha ",priority=" by
static const char *const plain_words[] = {"select=ran",
                                          "resample",
                                          "scheduler=easy",
                                          "scheduler=" UPS("0", "recency"),
                                          "scheduler=" UPS("1", "recency"),
                                          "scheduler=" UPS("0", "load"),
                                          "scheduler=" UPS("1", "load"),
                                          NULL};
static const struct loom_trial plain = {.name = "zakay5-ups-open",
                                        .words = plain_words,
                                        .quick = 3,
                                        .full = 100};

/* "Does not change noticeably." */
#define UNCHANGED(log_, policy)                                                                \
    {                                                                                          \
        .what = "throughput over EASY's: " policy, .log = log_, .measure = loom_measure_trial, \
        .trial = &plain, .of = "throughput_jobs_per_day", .cell = "scheduler=" policy,         \
        .over = "scheduler=easy", .printed = 1, .within = 0.02,                                \
        .why = "not noticeably, as the text says: within 2 %"                                  \
    }

static const struct loom_claim figure_8[] = {
    UNCHANGED("KTH-SP2", UPS("0", "recency")),   UNCHANGED("KTH-SP2", UPS("1", "recency")),
    UNCHANGED("KTH-SP2", UPS("0", "load")),      UNCHANGED("KTH-SP2", UPS("1", "load")),
    UNCHANGED("SDSC-BLUE", UPS("1", "recency")), UNCHANGED("SDSC-BLUE", UPS("1", "load")),
};

static const char *const ups_words[] = {"select=ran",
                                        "resample",
                                        "pause",
                                        "feedback=" TBUOS,
                                        "scheduler=easy",
                                        "scheduler=" UPS("0.5", "recency"),
                                        "scheduler=" UPS("1", "recency"),
                                        "scheduler=" UPS("0.5", "load"),
                                        "scheduler=" UPS("1", "load"),
                                        NULL};
static const struct loom_trial ups = {.name = "zakay5-ups",
                                      .words = ups_words,
                                      .quick = 5,
                                      .full = 100};

#define MORE(says, log_, a, b, side, limit)                                                       \
    {                                                                                             \
        .what = "throughput of " says, .log = log_, .measure = loom_measure_trial, .trial = &ups, \
        .of = "users_throughput_jobs_per_day", .cell = "scheduler=" a, .over = "scheduler=" b,    \
        .is = side, .printed = limit, .tried = significant                                        \
    }

static const struct loom_claim figure_9[] = {
    MORE("UPS by recency over EASY", "SDSC-BLUE", UPS("1", "recency"), "easy", LOOM_ABOVE, 1),
    MORE("UPS by load over EASY", "SDSC-BLUE", UPS("1", "load"), "easy", LOOM_ABOVE, 1),
    MORE("UPS by recency, weight 1 over 0.5", "SDSC-BLUE", UPS("1", "recency"),
         UPS("0.5", "recency"), LOOM_ABOVE, 1),
    MORE("UPS by load, weight 1 over 0.5", "SDSC-BLUE", UPS("1", "load"), UPS("0.5", "load"),
         LOOM_ABOVE, 1),
    MORE("UPS by load over by recency", "SDSC-BLUE", UPS("1", "load"), UPS("1", "recency"),
         LOOM_ABOVE, 1),
    MORE("UPS by load over EASY: very significant", "SDSC-BLUE", UPS("1", "load"), "easy",
         LOOM_ABOVE, 1.05),
    MORE("UPS by load over EASY: a minor effect", "HPC2N", UPS("1", "load"), "easy", LOOM_BELOW,
         1.05),
    MORE("UPS by recency over EASY: a minor effect", "HPC2N", UPS("1", "recency"), "easy",
         LOOM_BELOW, 1.05),
};

static const struct loom_item items[] = {
    {"zakay2017/ch5-table-1", "Table I", "Extremes of waits", LOOM_CLAIMS(table_1)},
    {"zakay2017/ch5-figure-4", "Figure 4", "Waits with and without feedback", LOOM_CLAIMS(figure_4),
     .note = curves},
    {"zakay2017/ch5-figure-5", "Figure 5", "Behaviour of users", LOOM_CLAIMS(figure_5),
     .note = curves},
    {"zakay2017/ch5-figure-6", "Figure 6", "Throughput under FCFS and EASY", LOOM_CLAIMS(figure_6),
     .note = curves},
    {"zakay2017/ch5-figure-7", "Figure 7", "CTC on a machine that is too large",
     LOOM_CLAIMS(figure_7), .note = curves},
    {"zakay2017/ch5-figure-8", "Figure 8", "User-aware scheduling without feedback",
     LOOM_CLAIMS(figure_8),
     .note = "The figure has no numbers, and the text does not name its logs."},
    {"zakay2017/ch5-figure-9", "Figure 9", "User-aware scheduling with feedback",
     LOOM_CLAIMS(figure_9), .note = curves},
};

const struct loom_chapter loom_chapter_zakay2017_5 = {"Zakay 2017", "Chapter 5", items,
                                                      sizeof items / sizeof *items};
