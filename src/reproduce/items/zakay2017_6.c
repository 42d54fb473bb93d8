/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zakay 2017, chapter 6: semi-open queueing models, statement by statement (measure_queueing.c). */
#include "reproduce/item.h"

/* A statement that holds (1) or not (0). */
#define SAYS_(says, name, readings)                                                  \
    {                                                                                \
        .what = says " (1: it holds)", .measure = loom_measure_queueing, .of = name, \
        .is = LOOM_ABOVE, .printed = 0.5, .tried = readings                          \
    }
#define SAYS(says, name) SAYS_(says, name, NULL)

static const struct loom_claim figure_3[] = {
    SAYS("more closed users raise response and throughput", "both-grow"),
    SAYS("the response becomes linear in N", "linear-response"),
    SAYS("the throughput saturates at the capacity", "saturates"),
    SAYS("response against throughput is far from linear, as in open systems", "nonlinear"),
    SAYS("responses of open and closed jobs hardly differ for large N (as a share)",
         "classes-meet"),
    SAYS("in the full phase R = N/(mu - lambda) - Z", "full-phase"),
    SAYS("in the partial phase R is above it", "partial-phase"),
    SAYS("batch users (Z = 0) always use all of the server", "batch-full"),
};

static const struct loom_claim figure_4[] = {
    SAYS("think time has no effect on throughput, utilization, queue, wait, jobs per user",
         "think-time"),
    SAYS_("think time has no effect on the throughput per user", "think-time-user",
          "jobs over the time in the system are 1/(R + p Z), which changes by 44 % between Z = 0.1 "
          "and "
          "10 at p = 0.36; without the time of thinking it does not change. The text says that no "
          "result depends on the think time; whether its figure shows this metric is not known"),
};

static const struct loom_claim figure_5[] = {
    SAYS("with constant p, X = lambda/(1 - p)", "constant-throughput"),
    SAYS("throughput grows moderately with p, the wait steeply near saturation only",
         "precipitous"),
    SAYS("the throughput per user falls with p", "user-drops-with-p"),
};

static const struct loom_claim figure_6[] = {
    SAYS("the throughput per user falls sharply as the response grows", "user-drops-with-response"),
};

static const struct loom_claim figure_7[] = {
    SAYS("throughput is above lambda", "more-than-lambda"),
    SAYS("throughput and utilization approach 1 as lambda grows", "converge"),
    SAYS("users submit fewer jobs at higher lambda", "fewer-jobs"),
    SAYS(
        "the throughput per user falls more moderately than with constant p, at equal utilizations",
        "moderate-user-drop"),
    SAYS_("the same, over the ranges that are swept", "moderate-user-drop-in-figures",
          "at equal utilizations it holds; from end to end of the swept ranges (p from 0 to 0.48, "
          "lambda from 0.05 to 0.95) it does not, as the ranges begin at other utilizations. The "
          "text "
          "does not say which it compares"),
    SAYS("queue and wait grow steeply near saturation only", "late-waits"),
    SAYS("Shmueli's rule starts with more jobs per user", "shmueli-more-jobs"),
    SAYS("it falls nearly linearly to 1, the exponential ever more slowly", "shapes-of-falls"),
    SAYS("its throughput reaches 1 at a lower lambda, and its wait is longer",
         "shmueli-converges-first"),
    SAYS_(
        "its throughput per user starts higher", "shmueli-user-starts-higher",
        "at lambda 0.1, jobs over the time in the system are 0.611 with the exponential rule, "
        "0.561 "
        "with Shmueli's; as the mean over users of their own quotients it starts higher, 2.31 for "
        "1.01 (next line), which is likely what the figure shows"),
    SAYS("the same, taken as a mean of quotients", "shmueli-quotient-starts-higher"),
    SAYS("its throughput per user is lower at high lambda", "shmueli-user-ends-lower"),
};

static const struct loom_claim figure_8[] = {
    SAYS("last jobs of users are longer than others", "last-longer"),
    SAYS_("this is stronger with Shmueli's rule", "shmueli-bias-stronger",
          "last over earlier runtimes at lambda 0.1 are 2.84 with the exponential rule, 1.64 with "
          "Shmueli's; at 0.9 2.03 and 1.10. From a response of 0 to 1 the exponential p falls from "
          "1 to "
          "0.37, Shmueli's from 0.8 to 0.53. The text's time unit of Shmueli's rule may differ"),
    SAYS("it is weaker at high lambda", "bias-fades"),
};

static const char curves[] = "The figure has no numbers; what the text says about it is tested.";

static const struct loom_sweep closed_users = {.axes = {"N=1:60", "lambda=0,0.3,0.6"},
                                               .think = 5,
                                               .exact = true};
static const struct loom_sweep think_times = {.axes = {"think=0.1,0.5,1,2,5,10"},
                                              .rules = {"constant:0.36"},
                                              .lambda = 0.5};
static const struct loom_sweep probabilities = {.axes = {"p=0:0.48:0.06"},
                                                .lambda = 0.5,
                                                .think = 1};
static const struct loom_sweep rules = {.axes = {"lambda=0.05:0.95:0.1"},
                                        .rules = {"exponential", "shmueli"},
                                        .think = 1};
static const struct loom_sweep repeats = {.rules = {"exponential"}, .lambda = 0.5, .think = 1};

static const struct loom_item items[] = {
    {"zakay2017/ch6-figure-3", "Figure 3", "Open and closed users together", LOOM_CLAIMS(figure_3),
     .figure = "closed-response throughput response-throughput", .sweep = &closed_users,
     .note = curves},
    {"zakay2017/ch6-figure-4", "Figure 4", "Think times", LOOM_CLAIMS(figure_4),
     .figure = "throughput utilization wait user-throughput", .sweep = &think_times,
     .note = curves},
    {"zakay2017/ch6-figure-5", "Figure 5", "Probability to submit again", LOOM_CLAIMS(figure_5),
     .figure = "throughput wait user-throughput", .sweep = &probabilities, .note = curves},
    {"zakay2017/ch6-figure-6", "Figure 6", "Throughput per user and response",
     LOOM_CLAIMS(figure_6), .figure = "user-throughput-response", .sweep = &probabilities,
     .note = curves},
    {"zakay2017/ch6-figure-7", "Figure 7", "Probabilities that depend on the response",
     LOOM_CLAIMS(figure_7), .figure = "throughput wait jobs-per-user user-throughput",
     .sweep = &rules, .note = curves},
    {"zakay2017/ch6-figure-8", "Figure 8", "Runtimes of last jobs", LOOM_CLAIMS(figure_8),
     .figure = "runtimes", .sweep = &repeats, .note = curves},
};

const struct loom_chapter loom_chapter_zakay2017_6 = {"Zakay 2017", "Chapter 6", items,
                                                      sizeof items / sizeof *items};
