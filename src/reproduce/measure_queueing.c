/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Statements of Zakay 2017 about figures 3 to 8 of chapter 6. */
#include "reproduce/queueing_statements.h"

#include "reproduce/bench.h"

#include <workloom/queueing.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { USERS = 250000 };

/* What a statement is checked with: where numbers go, and the first failure. */
struct probe {
    char *measured;
    int rc;
    struct loom_error *err;
};

/* ---- numbers --------------------------------------------------------------------------------- */

static struct loom_mixed mixed(struct probe *p, double lambda, uint64_t users, double think)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_mixed out = {0};
    model.lambda = lambda;
    model.closed = users;
    model.think.mean = think;
    if (!p->rc)
        p->rc = loom_mixed_solve(&out, &model, p->err);
    return out;
}

static struct loom_queueing_result reopen(struct probe *p, const char *rule, double lambda,
                                          double think)
{
    struct loom_queueing_model model = loom_queueing_model();
    struct loom_queueing_options options = loom_queueing_options();
    struct loom_queueing_result out = {0};
    model.lambda = lambda;
    model.think.mean = think;
    options.jobs = 0;
    options.users = USERS;
    if (!p->rc)
        p->rc = loom_repeat_parse(&model.repeat, rule, p->err);
    if (!p->rc)
        p->rc = loom_queueing_simulate(&out, &model, &options, NULL, p->err);
    return out;
}

static double metric(struct probe *p, const char *rule, double lambda, double think, size_t which)
{
    return reopen(p, rule, lambda, think).metrics[which].mean;
}

/* The arrival rate at which a rule reaches a throughput, by bisection. */
static double lambda_at(struct probe *p, const char *rule, double throughput)
{
    double low = 0.01, high = 0.99;
    for (int i = 0; i < 10; i++) {
        double middle = (low + high) / 2;
        if (metric(p, rule, middle, 1, LOOM_QUEUEING_THROUGHPUT) < throughput)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

#define SAY(...) snprintf(p->measured, LOOM_STATEMENT_TEXT, __VA_ARGS__)

/* ---- figure 3 -------------------------------------------------------------------------------- */

static bool both_grow(struct probe *p)
{
    bool grow = true;
    for (uint64_t n = 2; n <= 60; n++) {
        struct loom_mixed less = mixed(p, 0.3, n - 1, 5), more = mixed(p, 0.3, n, 5);
        grow = grow && more.response_closed > less.response_closed &&
               more.throughput >= less.throughput - 1e-12;
    }
    SAY("N 1 to 60, lambda 0.3: R %.2f to %.1f, X %.3f to %.3f",
        mixed(p, 0.3, 1, 5).response_closed, mixed(p, 0.3, 60, 5).response_closed,
        mixed(p, 0.3, 1, 5).throughput, mixed(p, 0.3, 60, 5).throughput);
    return grow;
}

static bool linear_response(struct probe *p)
{
    double step = mixed(p, 0.3, 60, 5).response_closed - mixed(p, 0.3, 59, 5).response_closed;
    SAY("step from N 59 to 60 is %.4f; 1/(mu - lambda) = %.4f", step, 1 / 0.7);
    return fabs(step - 1 / 0.7) < 1e-6;
}

static bool saturates(struct probe *p)
{
    struct loom_mixed at = mixed(p, 0.3, 60, 5);
    SAY("X = %.6f at N = 60", at.throughput);
    return at.throughput > 0.999 && at.throughput <= 1;
}

static bool nonlinear(struct probe *p)
{
    struct loom_mixed some = mixed(p, 0, 4, 5), most = mixed(p, 0, 9, 5), all = mixed(p, 0, 14, 5);
    SAY("lambda 0: R = %.2f, %.2f, %.2f at X = %.2f, %.2f, %.3f", some.response_closed,
        most.response_closed, all.response_closed, some.throughput, most.throughput,
        all.throughput);
    double early =
        (most.response_closed - some.response_closed) / (most.throughput - some.throughput);
    double late = (all.response_closed - most.response_closed) / (all.throughput - most.throughput);
    return late > 5 * early;
}

static bool classes_meet(struct probe *p)
{
    struct loom_mixed few = mixed(p, 0.3, 2, 5), many = mixed(p, 0.3, 60, 5);
    double first = few.response_open / few.response_closed - 1;
    double last = many.response_open / many.response_closed - 1;
    SAY("R_open above R_closed: %.0f %% at N = 2, %.1f %% at 60", 100 * first, 100 * last);
    return last < 0.03 && first > 0.1;
}

static bool full_phase(struct probe *p)
{
    struct loom_mixed at = mixed(p, 0.3, 60, 5);
    SAY("N = 60: R = %.6f, N/(mu - lambda) - Z = %.6f", at.response_closed, 60 / 0.7 - 5);
    return fabs(at.response_closed - (60 / 0.7 - 5)) < 1e-6;
}

static bool partial_phase(struct probe *p)
{
    bool above = true;
    for (uint64_t n = 1; n <= 4; n++)
        above = above && mixed(p, 0.3, n, 5).response_closed > (double)n / 0.7 - 5;
    SAY("N = 4 (N* = 4.5): R = %.3f > %.3f", mixed(p, 0.3, 4, 5).response_closed, 4 / 0.7 - 5);
    return above;
}

static bool batch_full(struct probe *p)
{
    struct loom_mixed one = mixed(p, 0.3, 1, 0), many = mixed(p, 0.3, 20, 0);
    SAY("Z = 0: utilization %.6f with 1 user, %.6f with 20", one.utilization, many.utilization);
    return fabs(one.utilization - 1) < 1e-12 && fabs(many.throughput - 1) < 1e-12;
}

/* ---- figures 4 to 6 -------------------------------------------------------------------------- */

/* The largest change of a metric between think rates 0.1 and 10, as a share. */
static double think_effect(struct probe *p, const char *rule, size_t which)
{
    double slow = metric(p, rule, 0.5, 10, which), fast = metric(p, rule, 0.5, 0.1, which);
    return fabs(slow / fast - 1);
}

static bool think_time(struct probe *p)
{
    static const size_t which[] = {LOOM_QUEUEING_THROUGHPUT, LOOM_QUEUEING_UTILIZATION,
                                   LOOM_QUEUEING_LENGTH, LOOM_QUEUEING_WAIT,
                                   LOOM_QUEUEING_JOBS_PER_USER};
    double most = 0;
    size_t worst = 0;
    for (size_t i = 0; i < sizeof which / sizeof *which; i++) {
        double effect = think_effect(p, "constant:0.36", which[i]);
        worst = effect > most ? which[i] : worst;
        most = fmax(most, effect);
    }
    SAY("Z 0.1 and 10, p = 0.36: at most %.1f %% (%s)", 100 * most,
        loom_queueing_metric_at(worst)->label);
    return most < 0.05;
}

static bool think_time_user(struct probe *p)
{
    double effect = think_effect(p, "constant:0.36", LOOM_QUEUEING_USER_THROUGHPUT);
    SAY("p = 0.36: 1/(R + p Z) changes by %.0f %% between Z 0.1 and 10", 100 * effect);
    return effect < 0.05;
}

static bool constant_throughput(struct probe *p)
{
    double x = metric(p, "constant:0.36", 0.5, 1, LOOM_QUEUEING_THROUGHPUT);
    SAY("p = 0.36: X = %.4f, lambda/(1 - p) = %.4f", x, 0.5 / 0.64);
    return fabs(x - 0.5 / 0.64) < 0.005;
}

static bool precipitous(struct probe *p)
{
    struct loom_queueing_result low = reopen(p, "constant:0", 0.5, 1),
                                middle = reopen(p, "constant:0.24", 0.5, 1),
                                high = reopen(p, "constant:0.48", 0.5, 1);
    double moderate =
        high.metrics[LOOM_QUEUEING_THROUGHPUT].mean / low.metrics[LOOM_QUEUEING_THROUGHPUT].mean;
    double first = middle.metrics[LOOM_QUEUEING_WAIT].mean / low.metrics[LOOM_QUEUEING_WAIT].mean;
    double last = high.metrics[LOOM_QUEUEING_WAIT].mean / middle.metrics[LOOM_QUEUEING_WAIT].mean;
    SAY("p 0, 0.24, 0.48: X times %.2f in all; wait times %.1f, then times %.0f", moderate, first,
        last);
    return moderate < 2.2 && first < 3 && last > 6;
}

static bool user_drops_with_p(struct probe *p)
{
    double low = metric(p, "constant:0", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    double middle = metric(p, "constant:0.24", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    double high = metric(p, "constant:0.48", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    SAY("p 0, 0.24, 0.48: %.3f, %.3f, %.3f", low, middle, high);
    return low > middle && middle > high;
}

static bool user_drops_with_response(struct probe *p)
{
    struct loom_queueing_result low = reopen(p, "constant:0", 0.5, 1),
                                high = reopen(p, "constant:0.48", 0.5, 1);
    double response =
        high.metrics[LOOM_QUEUEING_RESPONSE].mean / low.metrics[LOOM_QUEUEING_RESPONSE].mean;
    double user = high.metrics[LOOM_QUEUEING_USER_THROUGHPUT].mean /
                  low.metrics[LOOM_QUEUEING_USER_THROUGHPUT].mean;
    SAY("R times %.0f, throughput per user times %.2f", response, user);
    return response > 5 && user < 0.15;
}

/* ---- figure 7 -------------------------------------------------------------------------------- */

static const char *const rules[] = {"exponential", "shmueli"};

static bool more_than_lambda(struct probe *p)
{
    double least = INFINITY;
    for (size_t r = 0; r < 2; r++)
        for (double lambda = 0.05; lambda < 0.96; lambda += 0.3)
            least = fmin(least, metric(p, rules[r], lambda, 1, LOOM_QUEUEING_THROUGHPUT) / lambda);
    SAY("X / lambda is at least %.3f (lambda 0.05 to 0.95)", least);
    return least > 1.02;
}

static bool converge(struct probe *p)
{
    double x[2];
    for (size_t r = 0; r < 2; r++)
        x[r] = metric(p, rules[r], 0.95, 1, LOOM_QUEUEING_UTILIZATION);
    SAY("lambda 0.95: utilization %.3f exponential, %.4f Shmueli", x[0], x[1]);
    return x[0] > 0.97 && x[1] > 0.97 && x[0] <= 1 && x[1] <= 1;
}

static bool fewer_jobs(struct probe *p)
{
    bool fall = true;
    double jobs[2][2];
    for (size_t r = 0; r < 2; r++) {
        jobs[r][0] = metric(p, rules[r], 0.1, 1, LOOM_QUEUEING_JOBS_PER_USER);
        jobs[r][1] = metric(p, rules[r], 0.95, 1, LOOM_QUEUEING_JOBS_PER_USER);
        fall = fall && jobs[r][1] < jobs[r][0];
    }
    SAY("lambda 0.1 and 0.95: %.2f and %.2f exponential, %.2f and %.2f Shmueli", jobs[0][0],
        jobs[0][1], jobs[1][0], jobs[1][1]);
    return fall;
}

/* Between utilizations 0.5 and 0.96, which constant p reaches at lambda 0.5 by p = 0 and 0.479. */
static bool moderate_user_drop(struct probe *p)
{
    double ratio[3];
    ratio[0] = metric(p, "constant:0.479", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT) /
               metric(p, "constant:0", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    for (size_t r = 0; r < 2; r++)
        ratio[r + 1] =
            metric(p, rules[r], lambda_at(p, rules[r], 0.96), 1, LOOM_QUEUEING_USER_THROUGHPUT) /
            metric(p, rules[r], lambda_at(p, rules[r], 0.5), 1, LOOM_QUEUEING_USER_THROUGHPUT);
    SAY("utilization 0.5 to 0.96: times %.3f constant, %.3f exponential, %.3f Shmueli", ratio[0],
        ratio[1], ratio[2]);
    return ratio[1] > 1.5 * ratio[0] && ratio[2] > 1.5 * ratio[0];
}

/* The same from end to end of figures 7 and 5. */
static bool moderate_user_drop_in_figures(struct probe *p)
{
    double ratio[3];
    ratio[0] = metric(p, "constant:0.48", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT) /
               metric(p, "constant:0", 0.5, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    for (size_t r = 0; r < 2; r++)
        ratio[r + 1] = metric(p, rules[r], 0.95, 1, LOOM_QUEUEING_USER_THROUGHPUT) /
                       metric(p, rules[r], 0.05, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    SAY("p 0 to 0.48: times %.3f; lambda 0.05 to 0.95: times %.3f exponential, %.3f Shmueli",
        ratio[0], ratio[1], ratio[2]);
    return ratio[1] > 1.5 * ratio[0] && ratio[2] > 1.5 * ratio[0];
}

static bool late_waits(struct probe *p)
{
    double wait[3];
    for (size_t i = 0; i < 3; i++)
        wait[i] = metric(p, "exponential", (double[]){0.5, 0.8, 0.95}[i], 1, LOOM_QUEUEING_WAIT);
    SAY("exponential, lambda 0.5, 0.8, 0.95: wait %.1f, %.1f, %.0f", wait[0], wait[1], wait[2]);
    return wait[1] < 6 && wait[2] > 3 * wait[1];
}

static bool shmueli_more_jobs(struct probe *p)
{
    double e = metric(p, "exponential", 0.05, 1, LOOM_QUEUEING_JOBS_PER_USER);
    double s = metric(p, "shmueli", 0.05, 1, LOOM_QUEUEING_JOBS_PER_USER);
    SAY("lambda 0.05: %.2f exponential, %.2f Shmueli", e, s);
    return s > e;
}

static bool shapes_of_falls(struct probe *p)
{
    double early[2], late[2];
    for (size_t r = 0; r < 2; r++) {
        early[r] = (metric(p, rules[r], 0.35, 1, LOOM_QUEUEING_JOBS_PER_USER) -
                    metric(p, rules[r], 0.05, 1, LOOM_QUEUEING_JOBS_PER_USER)) /
                   0.3;
        late[r] = (metric(p, rules[r], 0.95, 1, LOOM_QUEUEING_JOBS_PER_USER) -
                   metric(p, rules[r], 0.65, 1, LOOM_QUEUEING_JOBS_PER_USER)) /
                  0.3;
    }
    SAY("slope below 0.35 and above 0.65: %.2f, %.2f Shmueli; %.2f, %.2f exponential", early[1],
        late[1], early[0], late[0]);
    return late[1] / early[1] > 0.75 && late[0] / early[0] < 0.65;
}

static bool shmueli_converges_first(struct probe *p)
{
    double e = lambda_at(p, "exponential", 0.95), s = lambda_at(p, "shmueli", 0.95);
    double wait_e = metric(p, "exponential", 0.8, 1, LOOM_QUEUEING_WAIT);
    double wait_s = metric(p, "shmueli", 0.8, 1, LOOM_QUEUEING_WAIT);
    SAY("X = 0.95 at lambda %.2f, exponential %.2f; wait at 0.8: %.1f, exponential %.1f", s, e,
        wait_s, wait_e);
    return s < e && wait_s > wait_e;
}

static bool shmueli_user_starts_higher(struct probe *p)
{
    double e = metric(p, "exponential", 0.1, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    double s = metric(p, "shmueli", 0.1, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    SAY("lambda 0.1, jobs over residence: %.3f exponential, %.3f Shmueli", e, s);
    return s > e;
}

static bool shmueli_quotient_starts_higher(struct probe *p)
{
    double e = metric(p, "exponential", 0.1, 1, LOOM_QUEUEING_USER_QUOTIENT);
    double s = metric(p, "shmueli", 0.1, 1, LOOM_QUEUEING_USER_QUOTIENT);
    SAY("lambda 0.1, mean of quotients: %.2f exponential, %.2f Shmueli", e, s);
    return s > e;
}

static bool shmueli_user_ends_lower(struct probe *p)
{
    double e = metric(p, "exponential", 0.9, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    double s = metric(p, "shmueli", 0.9, 1, LOOM_QUEUEING_USER_THROUGHPUT);
    SAY("lambda 0.9: %.3f exponential, %.3f Shmueli", e, s);
    return s < e;
}

/* ---- figure 8 -------------------------------------------------------------------------------- */

/* Mean runtime of last jobs over the mean of the others. */
static double bias(struct probe *p, const char *rule, double lambda, double *before, double *last)
{
    struct loom_queueing_result at = reopen(p, rule, lambda, 1);
    *before = at.metrics[LOOM_QUEUEING_RUNTIME_CONTINUE].mean;
    *last = at.metrics[LOOM_QUEUEING_RUNTIME_LAST].mean;
    return *last / *before;
}

static bool last_longer(struct probe *p)
{
    double b[2], l[2];
    bool longer = true;
    for (size_t r = 0; r < 2; r++)
        longer = bias(p, rules[r], 0.1, &b[r], &l[r]) > 1.1 && longer;
    SAY("lambda 0.1: %.2f before, %.2f last exponential; %.2f, %.2f Shmueli", b[0], l[0], b[1],
        l[1]);
    return longer;
}

static bool shmueli_bias_stronger(struct probe *p)
{
    double b, l, e = bias(p, "exponential", 0.1, &b, &l), s = bias(p, "shmueli", 0.1, &b, &l);
    SAY("lambda 0.1, last over before: %.2f exponential, %.2f Shmueli", e, s);
    return s > e;
}

static bool bias_fades(struct probe *p)
{
    double b, l, low[2], high[2];
    for (size_t r = 0; r < 2; r++) {
        low[r] = bias(p, rules[r], 0.1, &b, &l);
        high[r] = bias(p, rules[r], 0.9, &b, &l);
    }
    SAY("last over before, lambda 0.1 and 0.9: %.2f, %.2f exponential; %.2f, %.2f Shmueli", low[0],
        high[0], low[1], high[1]);
    return high[0] < low[0] && high[1] < low[1];
}

/* ---- the table ------------------------------------------------------------------------------- */

static const struct {
    struct loom_queueing_statement about;
    bool (*check)(struct probe *p);
} statements[] = {
    {{"both-grow", "fig. 3", "more closed users raise response and throughput"}, both_grow},
    {{"linear-response", "fig. 3", "the response becomes linear in N"}, linear_response},
    {{"saturates", "fig. 3", "the throughput saturates at the capacity"}, saturates},
    {{"nonlinear", "fig. 3", "response against throughput is far from linear, as in open systems"},
     nonlinear},
    {{"classes-meet", "III.B",
      "responses of open and closed jobs hardly differ for large N (as a share)"},
     classes_meet},
    {{"full-phase", "III.C", "in the full phase R = N/(mu - lambda) - Z"}, full_phase},
    {{"partial-phase", "III.C", "in the partial phase R is above it"}, partial_phase},
    {{"batch-full", "II", "batch users (Z = 0) always use all of the server"}, batch_full},
    {{"think-time", "fig. 4",
      "think time has no effect on throughput, utilization, queue, wait, jobs per user"},
     think_time},
    {{"think-time-user", "fig. 4",
      "think time has no effect on the throughput per user (thinking included)"},
     think_time_user},
    {{"constant-throughput", "IV.A", "with constant p, X = lambda/(1 - p)"}, constant_throughput},
    {{"precipitous", "fig. 5",
      "throughput grows moderately with p, the wait steeply near saturation only"},
     precipitous},
    {{"user-drops-with-p", "fig. 5", "the throughput per user falls with p"}, user_drops_with_p},
    {{"user-drops-with-response", "fig. 6",
      "the throughput per user falls sharply as the response grows"},
     user_drops_with_response},
    {{"more-than-lambda", "fig. 7", "throughput is above lambda"}, more_than_lambda},
    {{"converge", "fig. 7", "throughput and utilization approach 1 as lambda grows"}, converge},
    {{"fewer-jobs", "fig. 7", "users submit fewer jobs at higher lambda"}, fewer_jobs},
    {{"moderate-user-drop", "fig. 7",
      "the throughput per user falls more moderately than with constant p, at equal "
      "utilizations"},
     moderate_user_drop},
    {{"moderate-user-drop-in-figures", "fig. 7", "the same, over the ranges that are swept"},
     moderate_user_drop_in_figures},
    {{"late-waits", "fig. 7", "queue and wait grow steeply near saturation only"}, late_waits},
    {{"shmueli-more-jobs", "fig. 7", "Shmueli's rule starts with more jobs per user"},
     shmueli_more_jobs},
    {{"shapes-of-falls", "fig. 7",
      "it falls nearly linearly to 1, the exponential ever more slowly"},
     shapes_of_falls},
    {{"shmueli-converges-first", "fig. 7",
      "its throughput reaches 1 at a lower lambda, and its wait is longer"},
     shmueli_converges_first},
    {{"shmueli-user-starts-higher", "fig. 7", "its throughput per user starts higher"},
     shmueli_user_starts_higher},
    {{"shmueli-quotient-starts-higher", "fig. 7", "the same, taken as a mean of quotients"},
     shmueli_quotient_starts_higher},
    {{"shmueli-user-ends-lower", "fig. 7", "its throughput per user is lower at high lambda"},
     shmueli_user_ends_lower},
    {{"last-longer", "fig. 8", "last jobs of users are longer than others"}, last_longer},
    {{"shmueli-bias-stronger", "fig. 8", "this is stronger with Shmueli's rule"},
     shmueli_bias_stronger},
    {{"bias-fades", "fig. 8", "it is weaker at high lambda"}, bias_fades},
};

const struct loom_queueing_statement *loom_queueing_statement_at(size_t index)
{
    return index < sizeof statements / sizeof *statements ? &statements[index].about : NULL;
}

int loom_queueing_statement_check(bool *holds, char measured[LOOM_STATEMENT_TEXT], size_t index,
                                  struct loom_error *err)
{
    struct probe probe = {.measured = measured, .err = err};
    measured[0] = '\0';
    *holds = statements[index].check(&probe);
    return probe.rc;
}

int loom_measure_queueing(struct loom_measured *out, struct loom_bench *bench,
                          const struct loom_claim *claim, struct loom_error *err)
{
    char measured[LOOM_STATEMENT_TEXT];
    (void)bench;
    for (size_t i = 0; loom_queueing_statement_at(i); i++)
        if (strcmp(loom_queueing_statement_at(i)->name, claim->of) == 0) {
            bool holds = false;
            int rc = loom_queueing_statement_check(&holds, measured, i, err);
            out->value = holds;
            return rc;
        }
    return loom_fail(err, LOOM_EUSAGE, "there is no statement '%s'", claim->of);
}
