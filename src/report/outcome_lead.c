/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What several policies come to in one sentence, which stands before all numbers: which is better,
 * and by how much.
 *
 * Users who react to service make throughput a result (Zakay, chapter 5), and it is then what is
 * compared; otherwise the mean wait. Policies that are less than 1 % apart are said not to differ:
 * one run of each cannot tell them apart.
 */
#include "report/outcomes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The runs that differ by policy alone, at one load. */
struct loom_policy_pair {
    const struct loom_outcome *best, *second, *worst;
    size_t n;
    size_t alike; /* others that do not differ from the best */
};

static bool reacts(const struct loom_outcome *outcome)
{
    return outcome->submitters && outcome->submitters->behaviour && outcome->submitters->resampled;
}

static const struct loom_metric *measure_of(const struct loom_outcome *outcome)
{
    return loom_metric_of(reacts(outcome) ? "users_throughput_jobs_per_day" : "wait_mean_s");
}

/* Smaller is better. */
static double rank_of(const struct loom_outcome *outcome)
{
    const struct loom_metric *metric = measure_of(outcome);
    double value = loom_outcome_metric(outcome, metric);
    return reacts(outcome) ? -value : value;
}

static const double APART = 0.01;

static bool differ(const struct loom_outcome *one, const struct loom_outcome *other)
{
    double a = fabs(rank_of(one)), b = fabs(rank_of(other));
    return fabs(a - b) >= APART * fmax(a, b) && a != b;
}

/* Is this a run at the load? */
static bool takes_part(const struct loom_outcome *one, double load)
{
    return fabs(one->load.asked - load) < 1e-12 && !isnan(rank_of(one));
}

static struct loom_policy_pair hold(const struct loom_outcome *const *outcomes, size_t n,
                                    double load)
{
    struct loom_policy_pair contest = {0};
    for (size_t i = 0; i < n; i++) {
        const struct loom_outcome *one = outcomes[i];
        if (!takes_part(one, load))
            continue;
        contest.n++;
        if (!contest.best || rank_of(one) < rank_of(contest.best)) {
            contest.second = contest.best;
            contest.best = one;
        } else if (!contest.second || rank_of(one) < rank_of(contest.second))
            contest.second = one;
        if (!contest.worst || rank_of(one) >= rank_of(contest.worst))
            contest.worst = one;
    }
    for (size_t i = 0; i < n; i++)
        contest.alike += takes_part(outcomes[i], load) && outcomes[i] != contest.best &&
                         !differ(contest.best, outcomes[i]);
    return contest;
}

LOOM_PRINTF(4, 5)
static size_t print(char *buf, size_t used, size_t size, const char *format, ...)
{
    if (used >= size)
        return used;
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(buf + used, size - used, format, arguments);
    va_end(arguments);
    return n > 0 ? used + (size_t)n : used;
}

/* ", fcfs 30 h (-94 %)" */
static size_t print_other(char *buf, size_t used, size_t size, const struct loom_metric *metric,
                          const struct loom_outcome *best, const struct loom_outcome *other)
{
    double x = loom_outcome_metric(best, metric), y = loom_outcome_metric(other, metric);
    char text[LOOM_HUMAN];
    used = print(buf, used, size, ", %.40s %s", other->policy,
                 loom_metric_text(metric, y, text, sizeof text));
    return y > 0 ? print(buf, used, size, " (%+.0f %%)", 100 * (x / y - 1)) : used;
}

/* "1.9 h, easy 2 h (-5 %), fcfs 30 h (-94 %)"; a next that does not differ is left out */
static size_t print_against(char *buf, size_t used, size_t size, const struct loom_metric *metric,
                            const struct loom_policy_pair *contest)
{
    const struct loom_outcome *best = contest->best;
    char text[LOOM_HUMAN];
    used = print(buf, used, size, "%s",
                 loom_metric_text(metric, loom_outcome_metric(best, metric), text, sizeof text));
    if (contest->alike == 0)
        used = print_other(buf, used, size, metric, best, contest->second);
    return contest->n > 2 ? print_other(buf, used, size, metric, best, contest->worst) : used;
}

/* "; saturated, so that waits grow with the log: fcfs, easy": of some runs those of a verdict. */
static size_t print_verdict(char *buf, size_t used, size_t size, const char *verdict,
                            const char *words, const struct loom_outcome *const *runs, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++)
        if (runs[i] && strcmp(loom_verdict_text(runs[i]), verdict) == 0) {
            used = print(buf, used, size, "%s%s%.40s", any ? "" : words, any ? ", " : ": ",
                         runs[i]->policy);
            any = true;
        }
    return used;
}

/* A wait of a saturated run is no property of its policy. */
static size_t print_doubts(char *buf, size_t used, size_t size,
                           const struct loom_policy_pair *contest)
{
    bool second = contest->n == 2 || contest->alike == 0;
    const struct loom_outcome *named[] = {contest->best, second ? contest->second : NULL,
                                          contest->n > 2 ? contest->worst : NULL};
    used = print_verdict(buf, used, size, "yes", "; saturated, so that waits grow with the log",
                         named, 3);
    return print_verdict(buf, used, size, "undecided", "; saturation undecided", named, 3);
}

/* "easy and fcfs do not differ in mean wait (34.4 min)", "all 9 policies ... (34.4 to 34.5 min)" */
static void print_alike(char *buf, size_t size, const struct loom_policy_pair *contest)
{
    const struct loom_metric *metric = measure_of(contest->best);
    char low[LOOM_HUMAN], high[LOOM_HUMAN];
    loom_metric_text(metric, loom_outcome_metric(contest->best, metric), low, sizeof low);
    loom_metric_text(metric, loom_outcome_metric(contest->worst, metric), high, sizeof high);
    bool equal = strcmp(low, high) == 0;
    size_t used = contest->n == 2 ? print(buf, 0, size, "%.40s and %.40s", contest->best->policy,
                                          contest->second->policy)
                                  : print(buf, 0, size, "all %zu policies", contest->n);
    print(buf, used, size, " do not differ in %s (%s%s%s)", metric->label, low, equal ? "" : " to ",
          equal ? "" : high);
}

static size_t print_winner(char *buf, size_t size, const struct loom_policy_pair *contest)
{
    const char *best = contest->best->policy;
    const char *label = measure_of(contest->best)->label;
    if (contest->n == 2)
        return print(buf, 0, size, "%.40s is better than %.40s in %s: ", best,
                     contest->second->policy, label);
    if (contest->alike > 0)
        return print(buf, 0, size, "%.40s and %zu %s are best of %zu policies in %s: ", best,
                     contest->alike, contest->alike == 1 ? "other" : "others", contest->n, label);
    return print(buf, 0, size, "%.40s is best of %zu policies in %s: ", best, contest->n, label);
}

/* One run says nothing of how far others would be from it. */
static void print_single(char *buf, size_t used, size_t size)
{
    print(buf, used, size, "; one run each, no interval");
}

static void lead_one_load(char *buf, size_t size, const struct loom_policy_pair *contest)
{
    const struct loom_metric *slowdown = loom_metric_of("bounded_slowdown_mean");
    if (contest->alike == contest->n - 1) {
        print_alike(buf, size, contest);
        return;
    }
    size_t used = print_winner(buf, size, contest);
    used = print_against(buf, used, size, measure_of(contest->best), contest);
    used = print(buf, used, size, "; %s ", slowdown->label);
    used = print_against(buf, used, size, slowdown, contest);
    used = print_doubts(buf, used, size, contest);
    print_single(buf, used, size);
}

/* How many loads a policy is the best at, and the least and the most that it is better by than the
 * next. At a load at which the next does not differ there is no best. */
struct wins {
    size_t n;
    double least, most;
};

static struct wins count_wins(const struct loom_outcome *const *outcomes, size_t n,
                              const char *policy)
{
    struct wins wins = {.least = INFINITY};
    for (size_t i = 0; i < n; i++) {
        const struct loom_outcome *one = outcomes[i];
        if (strcmp(one->policy, policy) != 0)
            continue;
        struct loom_policy_pair contest = hold(outcomes, n, one->load.asked);
        if (contest.best != one || contest.n < 2 || contest.alike > 0)
            continue;
        double ours = fabs(rank_of(one)), next = fabs(rank_of(contest.second));
        double better = next > 0 ? 100 * fabs(ours / next - 1) : 0;
        wins.n++;
        wins.least = fmin(wins.least, better);
        wins.most = fmax(wins.most, better);
    }
    return wins;
}

static bool is_repeated(const struct loom_outcome *const *outcomes, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(outcomes[i]->policy, outcomes[at]->policy) == 0)
            return true;
    return false;
}

static void lead_loads(char *buf, size_t size, const struct loom_outcome *const *outcomes, size_t n,
                       size_t loads)
{
    const struct loom_metric *metric = measure_of(outcomes[0]);
    size_t used = print(buf, 0, size, "best %s:", metric->label), won = 0;
    for (size_t i = 0; i < n; i++) {
        struct wins wins = count_wins(outcomes, n, outcomes[i]->policy);
        if (is_repeated(outcomes, i) || wins.n == 0)
            continue;
        used = print(buf, used, size, "%s %.40s at %zu of %zu loads", won ? ";" : "",
                     outcomes[i]->policy, wins.n, loads);
        used = wins.n == 1 ? print(buf, used, size, ", by %.0f %% of the next", wins.most)
                           : print(buf, used, size, ", by %.0f to %.0f %% of the next", wins.least,
                                   wins.most);
        won += wins.n;
    }
    if (won < loads)
        used = print(buf, used, size, "%s none at %zu of %zu loads (less than 1 %% apart)",
                     won ? ";" : "", loads - won, loads);
    print_single(buf, used, size);
}

const char *loom_outcome_lead(char *buf, size_t size, const struct loom_outcome *const *outcomes,
                              size_t n)
{
    size_t policies = 0, loads = 0;
    buf[0] = 0;
    for (size_t i = 0; i < n; i++) {
        policies += !is_repeated(outcomes, i);
        loads += strcmp(outcomes[i]->policy, outcomes[0]->policy) == 0;
    }
    if (policies < 2)
        return buf;
    struct loom_policy_pair contest = hold(outcomes, n, outcomes[0]->load.asked);
    if (loads > 1)
        lead_loads(buf, size, outcomes, n, loads);
    else if (contest.n > 1)
        lead_one_load(buf, size, &contest);
    return buf;
}
