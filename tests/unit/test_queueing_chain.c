/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The mixed model against Markov chains that are solved here, state by state, to 1e-9. */
#include "support.h"

#include <workloom/queueing.h>

#include <math.h>
#include <stdlib.h>

/* To a share of b, or of 1 where b is less. */
static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * fmax(1, fabs(b));
}

#define NEAR(a, b, tolerance) assert_true(is_near(a, b, tolerance))

struct means {
    double throughput_closed, queue_closed, queue_open;
};

/* The chain of open and closed jobs at the queue (m, n), where each of them is as likely in service
 * as any other: the same numbers as first come, first served for one exponential service time.
 * States are eliminated from the last to the first (Grassmann, Taksar and Heyman), inside a band.
 */
struct chain {
    size_t users, states, band;
    double *rate; /* of row i to column j, at i * (2 band + 1) + j - i + band */
};

static double *rate_of(const struct chain *chain, size_t i, size_t j)
{
    return &chain->rate[i * (2 * chain->band + 1) + j + chain->band - i];
}

static void fill_chain(struct chain *chain, const struct loom_queueing_model *model, size_t most)
{
    size_t users = model->closed, row = users + 1;
    for (size_t m = 0; m <= most; m++)
        for (size_t n = 0; n <= users; n++) {
            size_t at = m * row + n, all = m + n;
            double busy = (double)(all < model->servers ? all : model->servers) / model->service;
            if (m < most)
                *rate_of(chain, at, at + row) = model->lambda;
            if (n < users)
                *rate_of(chain, at, at + 1) = (double)(users - n) / model->think.mean;
            if (m > 0)
                *rate_of(chain, at, at - row) = busy * (double)m / (double)all;
            if (n > 0)
                *rate_of(chain, at, at - 1) = busy * (double)n / (double)all;
        }
}

static void eliminate(struct chain *chain)
{
    for (size_t k = chain->states - 1; k > 0; k--) {
        size_t first = k > chain->band ? k - chain->band : 0;
        double out = 0;
        for (size_t j = first; j < k; j++)
            out += *rate_of(chain, k, j);
        for (size_t i = first; i < k; i++) {
            double share = *rate_of(chain, i, k) /= out;
            for (size_t j = first; j < k && share > 0; j++)
                if (j != i)
                    *rate_of(chain, i, j) += share * *rate_of(chain, k, j);
        }
    }
}

static struct means solve_chain(const struct loom_queueing_model *model, size_t most)
{
    struct chain chain = {.users = model->closed,
                          .states = (most + 1) * (model->closed + 1),
                          .band = model->closed + 1};
    chain.rate = calloc(chain.states * (2 * chain.band + 1), sizeof *chain.rate);
    double *p = calloc(chain.states, sizeof *p), total = 0;
    struct means means = {0};
    assert_true(chain.rate && p);
    fill_chain(&chain, model, most);
    eliminate(&chain);
    p[0] = 1;
    for (size_t k = 1; k < chain.states; k++)
        for (size_t i = k > chain.band ? k - chain.band : 0; i < k; i++)
            p[k] += p[i] * *rate_of(&chain, i, k);
    for (size_t k = 0; k < chain.states; k++) {
        double n = (double)(k % (model->closed + 1)), m = (double)(k / (model->closed + 1));
        total += p[k];
        means.queue_closed += n * p[k];
        means.queue_open += m * p[k];
        means.throughput_closed += ((double)model->closed - n) / model->think.mean * p[k];
    }
    means.queue_closed /= total;
    means.queue_open /= total;
    means.throughput_closed /= total;
    free(chain.rate);
    free(p);
    return means;
}

static void assert_means(const struct loom_queueing_model *model, struct means chain)
{
    struct loom_mixed mixed;
    struct loom_error err = {0};
    if (loom_mixed_solve(&mixed, model, &err))
        fail_msg("%s", err.message);
    NEAR(mixed.throughput_closed, chain.throughput_closed, 1e-9);
    NEAR(mixed.response_closed, chain.queue_closed / chain.throughput_closed, 1e-9);
    NEAR(mixed.queue_closed, chain.queue_closed, 1e-9);
    NEAR(mixed.throughput, model->lambda + chain.throughput_closed, 1e-9);
    NEAR(mixed.queue_open, chain.queue_open, 1e-9);
    NEAR(mixed.utilization, mixed.throughput * model->service / model->servers, 1e-12);
    if (model->lambda > 0)
        NEAR(mixed.response_open, chain.queue_open / model->lambda, 1e-9);
}

static void test_mixed_chain(void **state)
{
    static const double lambdas[] = {0, 0.2, 0.5, 0.8}, thinks[] = {0.5, 5, 30};
    (void)state;
    for (size_t l = 0; l < COUNT(lambdas); l++)
        for (uint64_t users = 1; users <= 5; users++)
            for (size_t z = 0; z < COUNT(thinks); z++)
                for (unsigned servers = 1; servers <= 3; servers++) {
                    struct loom_queueing_model model = loom_queueing_model();
                    model.lambda = lambdas[l] * servers / 1.25;
                    model.closed = users;
                    model.think.mean = thinks[z];
                    model.service = 1.25;
                    model.servers = servers;
                    assert_means(&model, solve_chain(&model, 400));
                }
}

/* First come, first served with the whole order of the queue as the state, closed jobs by their
 * places: one or two of them. Solved by Gauss and Seidel. */
enum { LONGEST = 40 };

struct order {
    size_t n, closed, place[2]; /* of closed jobs, ascending, from the head */
};

static size_t index_of(const struct order *at)
{
    size_t base = 0;
    for (size_t n = 0; n < at->n; n++)
        base += 1 + n + n * (n - 1) / 2 * (n > 0);
    if (at->closed == 0)
        return base;
    if (at->closed == 1)
        return base + 1 + at->place[0];
    return base + 1 + at->n + at->place[1] * (at->place[1] - 1) / 2 + at->place[0];
}

/* What flows into a state: a submission made it, or a job before its head ended. */
static double inflow(const double *p, const struct order *at, double lambda, double think,
                     size_t users)
{
    struct order from = *at;
    double sum = 0;
    if (at->n > 0) {
        bool last = at->closed > 0 && at->place[at->closed - 1] == at->n - 1;
        from.n--;
        from.closed -= last;
        sum += p[index_of(&from)] * (last ? (double)(users - from.closed) / think : lambda);
    }
    for (size_t head = 0; head <= 1 && at->n < LONGEST; head++) {
        from = (struct order){.n = at->n + 1, .closed = at->closed + head};
        if (from.closed > users)
            continue;
        for (size_t k = 0; k < at->closed; k++)
            from.place[k + head] = at->place[k] + 1;
        sum += p[index_of(&from)];
    }
    return sum;
}

static double relax(double *p, const struct order *at, double lambda, double think, size_t users)
{
    bool full = at->n == LONGEST;
    double out = (at->n > 0) + (full ? 0 : lambda + (double)(users - at->closed) / think);
    double *here = &p[index_of(at)], old = *here;
    *here = inflow(p, at, lambda, think, users) / out;
    return fabs(*here - old);
}

static double sweep_orders(double *p, double lambda, double think, size_t users, struct means *sum,
                           double *total)
{
    double change = 0;
    *sum = (struct means){0};
    *total = 0;
    for (size_t n = 0; n <= LONGEST; n++)
        for (size_t closed = 0; closed <= users && closed <= n; closed++)
            for (size_t b = 0; b < (closed > 0 ? n : 1); b++)
                for (size_t a = 0; a < (closed > 1 ? b : 1); a++) {
                    struct order at = {n, closed, {closed > 1 ? a : b, b}};
                    change += relax(p, &at, lambda, think, users);
                    double here = p[index_of(&at)];
                    *total += here;
                    sum->queue_closed += here * (double)closed;
                    sum->queue_open += here * (double)(n - closed);
                    sum->throughput_closed += here * (double)(users - closed) / think;
                }
    return change;
}

static void test_mixed_order(void **state)
{
    (void)state;
    for (size_t users = 1; users <= 2; users++)
        for (unsigned z = 1; z <= 5; z += 4) {
            struct order end = {LONGEST + 1, 0, {0, 0}};
            double *p = calloc(index_of(&end), sizeof *p), total = 1;
            struct means means = {0};
            assert_non_null(p);
            for (size_t i = 0; i < index_of(&end); i++)
                p[i] = 1;
            double change = 1;
            for (int i = 0; i < 3000 && change > 1e-14 * total; i++)
                change = sweep_orders(p, 0.3, z, users, &means, &total);
            means.queue_closed /= total;
            means.queue_open /= total;
            means.throughput_closed /= total;
            struct loom_queueing_model model = loom_queueing_model();
            model.lambda = 0.3;
            model.closed = users;
            model.think.mean = z;
            assert_means(&model, means);
            free(p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mixed_chain),
        cmocka_unit_test(test_mixed_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
