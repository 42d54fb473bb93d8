/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zakay 2017, chapter 3, figures: what resampling keeps, and what it is used for. */
#include "reproduce/item.h"

static const char eight[] = "quick runs have 8 variants, 3 in the first run";
static const char ten_runs[] =
    "10 runs, as the text, 3 to 5 in quick runs before; means of the response at two loads are "
    "subtracted, where they were divided: the same statement";

static const char rounded[] = "half of the last printed digit, and a newer revision of the log";
static const char curves[] = "The figure has no numbers; what the text says about it is tested.";

/* ---- similarity ------------------------------------------------------------------------------ */

/* "In all the graphs, jobs in the same session are the most similar." */
#define SAME_SESSION(log_, series, says)                                                       \
    {                                                                                          \
        .what = says ": within a session less one session apart", .log = log_,                 \
        .measure = loom_measure_table, .of = "similarity-distance:mean", .with = "select=ran", \
        .cell = "series=" series "; distance=0", .minus = "series=" series "; distance=1",     \
        .is = LOOM_ABOVE, .printed = 0                                                         \
    }
#define SAME_SESSIONS(log_)                                       \
    SAME_SESSION(log_, "processors", "similarity of processors"), \
        SAME_SESSION(log_, "runtimes", "similarity of runtimes"), \
        SAME_SESSION(log_, "estimates", "similarity of estimates")

static const struct loom_claim figure_1[] = {
    SAME_SESSIONS("LANL-CM5"),  SAME_SESSIONS("KTH-SP2"), SAME_SESSIONS("SDSC-SP2"),
    SAME_SESSIONS("SDSC-BLUE"), SAME_SESSIONS("HPC2N"),
};

/* "Much higher than the similarity observed when jobs are randomized": than in any round. */
#define BY_CHANCE(series)                                                                     \
    {                                                                                         \
        .what = "similarity of " series ": the log less the most similar of mixed ones",      \
        .log = "CEA-Curie", .instead = "KTH-SP2", .measure = loom_measure_table,              \
        .of = "similarity-random:similarity", .with = "select=ran",                           \
        .cell = "series=" series ", this log", .quick = 50, .full = 1000,                     \
        .changed =                                                                            \
            "the row of mixed jobs is named otherwise; the number of rounds is a number of "  \
            "replications, and full runs have 1,000, not as many as fit 20 million jobs",     \
        .minus = "series=" series ", * rounds; similarity<=1", .is = LOOM_ABOVE, .printed = 0 \
    }

static const struct loom_claim figure_2[] = {
    BY_CHANCE("processors"),
    BY_CHANCE("runtimes"),
    BY_CHANCE("estimates"),
};

/* ---- variants beside their log --------------------------------------------------------------- */

/* "All the distributions are very similar": nearer than two samples of 200 users are in 19 of 20
 * cases, with room for the users that are drawn twice. */
static const char firsts[] = "first submissions of KTH-SP2's users: 0.12 on average over variants, "
                             "0.16 if users start within their "
                             "own activity (start=activity), 0.14 if users within 8 weeks of an "
                             "end are discarded; SDSC-SP2 0.08, "
                             "LANL-CM5 0.20. New users come evenly, as the text says of figure 11, "
                             "and in these logs they do not; "
                             "its own log is not at hand";
#define NEAR(log_, other, key, words)                                                    \
    {                                                                                    \
        .what = "distance from the log: " key, .log = log_, .instead = other,            \
        .measure = loom_measure_variant_distance, .of = key, .with = "select=ran" words, \
        .quick = 8, .full = 8, .changed = eight, .is = LOOM_BELOW, .printed = 0.15,      \
        .tried = firsts                                                                  \
    }
#define NEAR_IN_SIZES(log_, other, words)                                             \
    NEAR(log_, other, "user.jobs", words), NEAR(log_, other, "user.sessions", words), \
        NEAR(log_, other, "user.session_length", words), NEAR(log_, other, "user.work", words)
#define NEAR_IN_ALL(log_, other, words)                                        \
    NEAR_IN_SIZES(log_, other, words), NEAR(log_, other, "user.first", words), \
        NEAR(log_, other, "user.last", words), NEAR(log_, other, "user.period", words)

static const struct loom_claim figure_4[] = {
    NEAR_IN_ALL("ANL-Intrepid", "KTH-SP2", ""),
};

/* Repetitions, each of them five times as long as the log (the text has three of them). */
static const struct loom_claim figure_10[] = {
    NEAR_IN_SIZES("SDSC-DS", "KTH-SP2", " times=5 part=1"),
    NEAR_IN_SIZES("SDSC-DS", "KTH-SP2", " times=5 part=3"),
    NEAR_IN_SIZES("SDSC-DS", "KTH-SP2", " times=5 part=5"),
};

/* A feature of variants over the log's. */
#define KEPT(says, log_, key, tolerance)                                                \
    {                                                                                   \
        .what = says, .log = log_, .measure = loom_measure_variants, .of = key,         \
        .with = "select=ran", .quick = 8, .full = 8, .changed = eight, .per_log = true, \
        .printed = 1, .within = tolerance, .why = similar, .tried = less_local          \
    }
static const char less_local[] = "the text finds variants \"generally similar\", in some cases \"a "
                                 "bit below\" as some locality is of "
                                 "several users together, and does not name its four logs; "
                                 "estimates of SDSC-BLUE are 0.82 of the "
                                 "log's in 8 variants, all other logs are within a tenth";
static const char similar[] = "similar, as the text says: within a tenth";
#define BINS(log_)                                                                             \
    KEPT("fullest of 16 bins of runtimes, variants over log", log_, "locality.bins16.runtime", \
         0.1),                                                                                 \
        KEPT("fullest of 16 bins of estimates, variants over log", log_,                       \
             "locality.bins16.estimate", 0.1)

static const struct loom_claim figure_5[] = {
    BINS("LANL-CM5"), BINS("KTH-SP2"), BINS("SDSC-SP2"), BINS("SDSC-BLUE"), BINS("HPC2N"),
};

static const struct loom_claim figure_6[] = {
    KEPT("slope of the pox plot, variants over log", "LANL-CM5", "arrival.hurst.pox", 0.1),
    KEPT("slope of the pox plot, variants over log", "HPC2N", "arrival.hurst.pox", 0.1),
    KEPT("slope of the pox plot, variants over log", "ANL-Intrepid", "arrival.hurst.pox", 0.1),
};

/* "There is no slope lower than 0.6 or higher than 0.9." */
#define SLOPE(log_, side, limit)                                                                  \
    {                                                                                             \
        .what = "slope of the pox plot, variants", .log = log_, .measure = loom_measure_variants, \
        .of = "arrival.hurst.pox", .with = "select=ran", .quick = 8, .full = 8, .changed = eight, \
        .is = side, .printed = limit                                                              \
    }
#define SLOPES(log_) SLOPE(log_, LOOM_ABOVE, 0.6), SLOPE(log_, LOOM_BELOW, 0.9)

static const struct loom_claim figure_7[] = {
    SLOPES("LANL-CM5"), SLOPES("KTH-SP2"), SLOPES("SDSC-SP2"), SLOPES("SDSC-BLUE"), SLOPES("HPC2N"),
};

/* ---- many variants under EASY ---------------------------------------------------------------- */

static const char *const variants_words[] = {"select=ran", "scheduler=easy", "resample=true",
                                             "resample=false", NULL};
static const struct loom_trial variants = {.name = "zakay3-variants",
                                           .words = variants_words,
                                           .quick = 10,
                                           .full = 1000};
static const char few[] = "quick has 10 variants, the text 1000";

/* A statistic of the variants relative to the log itself. */
#define VARIED(...) VARIED_(__VA_ARGS__, NULL)
#define VARIED_(says, log_, statistic, side, limit, readings)                          \
    {                                                                                  \
        .what = says, .log = log_, .measure = loom_measure_spread, .trial = &variants, \
        .of = statistic, .cell = "source=resampled", .over = "source=log", .is = side, \
        .printed = limit, .tried = readings                                            \
    }
/* "Typically distributed around the original"; less than 8 % apart even in the worst case. */
#define AROUND(log_)                                                                               \
    VARIED("median number of jobs over the log's", log_, "median:jobs", LOOM_ABOVE, 0.97),         \
        VARIED("median number of jobs over the log's", log_, "median:jobs", LOOM_BELOW, 1.03),     \
        VARIED("median utilization over the log's", log_, "median:utilization", LOOM_ABOVE, 0.92), \
        VARIED("median utilization over the log's", log_, "median:utilization", LOOM_BELOW, 1.08)

static const struct loom_claim figure_8[] = {
    {.what = "share of variants with more jobs than the log",
     .log = "SDSC-BLUE",
     .measure = loom_measure_spread,
     .trial = &variants,
     .of = "above:jobs",
     .cell = "source=resampled",
     .over = "source=log",
     .printed = 0.08,
     .within = 0.1,
     .why = few,
     .tried =
         "0.46 (0.43 to 0.49) of 1,000 variants, 0.5 of 10. Starts within users' own activity "
         "(start=activity): 0.65 of 20; "
         "temporary users at the rate of their pool alone (arrivals=0.22), which does not make up "
         "for discarded ones: 0.25, median 0.9985. The text does not say that it makes up for "
         "them"},
    {.what = "median number of jobs over the log's",
     .log = "SDSC-BLUE",
     .measure = loom_measure_spread,
     .trial = &variants,
     .of = "median:jobs",
     .cell = "source=resampled",
     .over = "source=log",
     .printed = 0.9955,
     .within = 0.002,
     .why = few,
     .has_finding = true,
     .finding = LOOM_ABOVE,
     .bound = 0.98},
    AROUND("LANL-CM5"),
    AROUND("KTH-SP2"),
    AROUND("SDSC-SP2"),
    AROUND("SDSC-BLUE"),
    AROUND("HPC2N"),
    AROUND("CTC-SP2"),
    AROUND("CEA-Curie"),
};

/* Waits are around the log's or largely above, in most cases by 20 % at the most. */
static const char synchronised[] =
    "waits of variants are 2 to 20 times the log's, whatever is read: users who start in their own "
    "activity (start=activity) have a median of 5.0 times the log's wait on SDSC-BLUE, those at "
    "the rate of "
    "their pool 2.7. Moving users by whole weeks alone gives nearly all of the rise, edges of the "
    "log nothing "
    "(docs/VALIDATION.md): users of a log avoid busy times, and that is lost. Chapter 5 has waits "
    "above "
    "100,000 s without feedback, and ratios of 17 on BLUE, which this sentence does not fit";
#define EXTREME(log_)                                                               \
    VARIED_("longest mean wait over the log's: 10 to 20 % \"in most cases\"", log_, \
            "max:wait_mean_s", LOOM_BELOW, 1.2, synchronised)

static const struct loom_claim figure_9[] = {
    VARIED("share of variants with longer waits than the log: largely", "SDSC-BLUE",
           "above:wait_mean_s", LOOM_ABOVE, 0.5),
    VARIED("share of variants with longer waits than the log: largely", "HPC2N",
           "above:wait_mean_s", LOOM_ABOVE, 0.5),
    VARIED("share of variants with a higher slowdown than the log: nearly all", "HPC2N",
           "above:slowdown_mean", LOOM_ABOVE, 0.85),
    VARIED("share of variants with a higher slowdown than the log: around it", "SDSC-BLUE",
           "above:slowdown_mean", LOOM_ABOVE, 0.05),
    VARIED_("share of variants with a higher slowdown than the log: around it", "SDSC-BLUE",
            "above:slowdown_mean", LOOM_BELOW, 0.95, synchronised),
    VARIED("share of variants with a higher slowdown than the log: few", "SDSC-DS",
           "above:slowdown_mean", LOOM_BELOW, 0.15),
    EXTREME("LANL-CM5"),
    EXTREME("KTH-SP2"),
    EXTREME("SDSC-SP2"),
    EXTREME("SDSC-BLUE"),
    EXTREME("HPC2N"),
};

/* ---- load ------------------------------------------------------------------------------------ */

static const char *const six_words[] = {"select=ran", "scheduler=easy", "resample", "load-factor=6",
                                        NULL};
static const struct loom_trial six = {.name = "zakay3-six",
                                      .words = six_words,
                                      .quick = 3,
                                      .full = 8};

static const struct loom_claim figure_11[] = {
    LOOM_CLAIM("load of the log", "OSC-Clust", loom_measure_feature, "load.offered", "select=ran",
               .printed = 0.128, .within = 0.0015, .why = rounded),
    {.what = "load with six times the users",
     .log = "OSC-Clust",
     .measure = loom_measure_trial,
     .trial = &six,
     .of = "load_offered",
     .printed = 0.768,
     .within = 0.04,
     .why = "the text's target, \"approximately\"; users differ from draw to draw"},
    NEAR_IN_SIZES("OSC-Clust", NULL, " load-factor=6"),
};

static const char *const factors_words[] = {"select=ran",      "scheduler=easy",
                                            "resample",        "load-factor=0.8",
                                            "load-factor=1",   "load-factor=1.2",
                                            "load-factor=1.5", NULL};
static const struct loom_trial factors = {.name = "zakay3-load",
                                          .words = factors_words,
                                          .quick = 10,
                                          .full = 10};
static const char *const osc_words[] = {
    "select=ran",    "scheduler=easy", "resample", "load-factor=1",
    "load-factor=5", "load-factor=9",  NULL};
static const struct loom_trial osc_factors = {.name = "zakay3-load-osc",
                                              .words = osc_words,
                                              .quick = 10,
                                              .full = 10};

#define AT_FACTOR(says, log_, other, trial_, metric, a, how, b, side, limit, ...)         \
    {                                                                                     \
        .what = says, .log = log_, .instead = other, .measure = loom_measure_trial,       \
        .trial = trial_, .of = metric, .cell = a, .how = b, .is = side, .printed = limit, \
        __VA_ARGS__                                                                       \
    }
#define PROFILE(log_, other, trial_, low, high)                                                    \
    AT_FACTOR("mean response (s) grows with the load", log_, other, trial_, "response_mean_s",     \
              "load_factor=" high, minus, "load_factor=" low, LOOM_ABOVE, 0, .changed = ten_runs), \
        AT_FACTOR("mean slowdown grows precipitously: tenfold", log_, other, trial_,               \
                  "slowdown_mean", "load_factor=" high, over, "load_factor=" low, LOOM_ABOVE, 10,  \
                  .changed = ten_runs),                                                            \
        AT_FACTOR("share of saturated runs grows with the load", log_, other, trial_, "saturated", \
                  "load_factor=" high, minus, "load_factor=" low, LOOM_ABOVE, 0,                   \
                  .changed = ten_runs)

static const struct loom_claim figure_12[] = {
    PROFILE("SDSC-DS", "SDSC-SP2", &factors, "0.8", "1.5"),
    PROFILE("SDSC-BLUE", NULL, &factors, "0.8", "1.5"),
    LOOM_CLAIM("most utilization of runs that are not saturated: close to 100 %", "SDSC-BLUE",
               loom_measure_spread, "max:utilization", "saturated=drop", .trial = &factors,
               .cell = "load_factor=1.2", .is = LOOM_ABOVE, .printed = 0.88, .changed = ten_runs),
    PROFILE("OSC-Clust", NULL, &osc_factors, "1", "9"),
};

/* ---- flurries -------------------------------------------------------------------------------- */

#define CM5 "LANL-CM5 with flurries"
#define SP2 "SDSC-SP2 with flurries"

/* A user is among the eleven with most jobs, each of which the table has. */
#define FLURRY(log_, user)                                                                   \
    {                                                                                        \
        .what = "user " user " is among those with most jobs: jobs in a week", .log = log_,  \
        .measure = loom_measure_table, .of = "jobs-weekly-users:jobs", .with = "select=all", \
        .cell = "series=user " user, .is = LOOM_ABOVE, .printed = 0                          \
    }

static const struct loom_claim figure_13[] = {
    FLURRY(CM5, "50"),
    FLURRY(CM5, "38"),
    FLURRY(CM5, "31"),
    FLURRY(SP2, "374"),
    FLURRY("SDSC-Par95 with flurries", "66"),
    FLURRY("SDSC-Par95 with flurries", "92"),
};

static const char *const sp2_words[] = {"select=all",         "scheduler=easy",
                                        "resample",           "rare=374::",
                                        "rare-per-week=0",    "rare-per-week=0.125",
                                        "rare-per-week=0.25", NULL};
static const struct loom_trial sp2_flurries = {.name = "zakay3-flurries-sp2",
                                               .words = sp2_words,
                                               .quick = 3,
                                               .full = 7};
static const char *const cm5_words[] = {"select=all",
                                        "scheduler=easy",
                                        "resample",
                                        "rare=50::",
                                        "rare=38::",
                                        "rare=31::",
                                        "rare-per-week=0",
                                        "rare-per-week=0.125",
                                        "rare-per-week=0.25",
                                        "rare-per-week=0.5",
                                        "measure-users=!rare-*",
                                        NULL};
static const struct loom_trial cm5_flurries = {.name = "zakay3-flurries-cm5",
                                               .words = cm5_words,
                                               .quick = 10,
                                               .full = 100};

#define FLURRIES(says, log_, trial_, metric, a, b, side)                                       \
    AT_FACTOR(says, log_, NULL, trial_, metric, "rare_per_week=" a, minus, "rare_per_week=" b, \
              side, 0, .reading = false)

static const struct loom_claim figure_14[] = {
    FLURRIES("more jobs with a flurry in 8 weeks than with none", SP2, &sp2_flurries, "jobs",
             "0.125", "0", LOOM_ABOVE),
    FLURRIES("more jobs with a flurry in 4 weeks than in 8", SP2, &sp2_flurries, "jobs", "0.25",
             "0.125", LOOM_ABOVE),
};

static const struct loom_claim figure_15[] = {
    FLURRIES("more jobs with a flurry in 8 weeks than with none", CM5, &cm5_flurries, "jobs",
             "0.125", "0", LOOM_ABOVE),
};

static const struct loom_claim figure_16[] = {
    FLURRIES("fewer jobs that are not of flurries", CM5, &cm5_flurries, "measured", "0.5", "0",
             LOOM_BELOW),
    FLURRIES("less utilization by them", CM5, &cm5_flurries, "utilization", "0.5", "0", LOOM_BELOW),
    FLURRIES("higher slowdown", CM5, &cm5_flurries, "slowdown_mean", "0.5", "0", LOOM_ABOVE),
    FLURRIES("longer waits", CM5, &cm5_flurries, "wait_mean_s", "0.5", "0", LOOM_ABOVE),
};

static const struct loom_item items[] = {
    {"zakay2017/ch3-figure-1", "Figure 1", "Similarity by distance", LOOM_CLAIMS(figure_1),
     .figure = "similarity-distance",
     .note = "The figure has no numbers, and the text does not name its logs."},
    {"zakay2017/ch3-figure-2", "Figure 2", "Similarity of mixed jobs", LOOM_CLAIMS(figure_2),
     .figure = "similarity-random",
     .note = "The figure has no numbers; what the text says of it is tested."},
    {"zakay2017/ch3-figure-4", "Figure 4", "Users of a log and of variants", LOOM_CLAIMS(figure_4),
     .figure = "user-jobs user-sessions user-first user-last user-period",
     .note = "The figure has no numbers; the text finds the same on other logs."},
    {"zakay2017/ch3-figure-5", "Figure 5", "Concentration in bins of a day", LOOM_CLAIMS(figure_5),
     .figure = "locality-days",
     .note = "The figure has no numbers, and the text does not name its four logs."},
    {"zakay2017/ch3-figure-6", "Figure 6", "Pox plots of logs and variants", LOOM_CLAIMS(figure_6),
     .figure = "hurst-pox",
     .note = "The figure has no numbers; slopes are compared, which table VII prints."},
    {"zakay2017/ch3-figure-7", "Figure 7", "Slopes of pox plots", LOOM_CLAIMS(figure_7),
     .note = curves},
    {"zakay2017/ch3-figure-8", "Figure 8", "Throughput and utilization of variants",
     LOOM_CLAIMS(figure_8)},
    {"zakay2017/ch3-figure-9", "Figure 9", "Slowdown and wait of variants", LOOM_CLAIMS(figure_9),
     .note = curves},
    {"zakay2017/ch3-figure-10", "Figure 10", "Parts of a longer variant", LOOM_CLAIMS(figure_10),
     .figure = "user-jobs user-period", .note = curves},
    {"zakay2017/ch3-figure-11", "Figure 11", "Six times the users of OSC", LOOM_CLAIMS(figure_11)},
    {"zakay2017/ch3-figure-12", "Figure 12", "EASY under different loads", LOOM_CLAIMS(figure_12),
     .axis = "load_factor",
     .note = "The figure has no numbers; what the text says of it is tested."},
    {"zakay2017/ch3-figure-13", "Figure 13", "Flurries in logs", LOOM_CLAIMS(figure_13),
     .figure = "jobs-weekly-users", .note = "Needs the versions of the logs that are not cleaned."},
    {"zakay2017/ch3-figure-14", "Figure 14", "Flurries added to a variant", LOOM_CLAIMS(figure_14),
     .note = "Needs the version of the log that is not cleaned."},
    {"zakay2017/ch3-figure-15", "Figure 15", "Users with and without flurries",
     LOOM_CLAIMS(figure_15), .figure = "jobs-weekly-users",
     .note = "Needs the version of the log that is not cleaned."},
    {"zakay2017/ch3-figure-16", "Figure 16", "EASY with and without flurries",
     LOOM_CLAIMS(figure_16), .note = "Needs the version of the log that is not cleaned."},
};

const struct loom_chapter loom_chapter_zakay2017_3_figures = {"Zakay 2017", "Chapter 3", items,
                                                              sizeof items / sizeof *items};
