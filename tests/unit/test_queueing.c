/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Against closed forms of queueing theory: one processor is M/M/1, M/D/1 and M/G/1, serial jobs on
 * c processors are M/M/c. The mean wait must lie within the confidence interval that the run's own
 * batches of jobs give. The jobs come from a source that draws them as the run asks for them.
 */
#include "support.h"

#include <workloom/sim.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>

enum { JOBS = 400000, WARM_UP = 40000, BATCHES = 30, SERVICE_S = 10000 };

typedef double draw_fn(struct loom_stream *stream);

static double exponential(struct loom_stream *stream)
{
    return gsl_ran_exponential(&stream->gsl, SERVICE_S);
}

static double constant(struct loom_stream *stream)
{
    (void)stream;
    return SERVICE_S;
}

/* Nine short ones, a long one: squared coefficient of variation 5.1667. */
static double mixed(struct loom_stream *stream)
{
    bool is_long = loom_stream_below(stream, 10) == 0;
    return gsl_ran_exponential(&stream->gsl, is_long ? 5.5 * SERVICE_S : 0.5 * SERVICE_S);
}

struct system {
    const char *what;
    draw_fn *draw;
    double second_moment; /* of the service, in units of its mean squared */
    int64_t procs;
    double load;
};

static const struct system systems[] = {
    {"M/M/1 at 0.5", exponential, 2, 1, 0.5},
    {"M/M/1 at 0.8", exponential, 2, 1, 0.8},
    {"M/D/1 at 0.8", constant, 1, 1, 0.8},
    /* E[S^2] = 2 (0.9 * 0.5^2 + 0.1 * 5.5^2) */
    {"M/G/1 at 0.6", mixed, 6.5, 1, 0.6},
    {"M/M/8 at 0.9", exponential, 2, 8, 0.9},
    {"M/M/64 at 0.9", exponential, 2, 64, 0.9},
};

/* ---- theory ---------------------------------------------------------------------------------- */

/* The chance to wait with c servers and c * load offered (Erlang C, by his recursion for B). */
static double erlang_c(int64_t servers, double load)
{
    double offered = load * (double)servers, blocked = 1;
    for (int64_t i = 1; i <= servers; i++)
        blocked = offered * blocked / ((double)i + offered * blocked);
    return blocked / (1 - load * (1 - blocked));
}

/* Mean wait in units of the mean service: Pollaczek and Khinchine for one server, Erlang for more.
 */
static double mean_wait(const struct system *system)
{
    if (system->procs == 1)
        return system->load * system->second_moment / (2 * (1 - system->load));
    return erlang_c(system->procs, system->load) / ((double)system->procs * (1 - system->load));
}

/* ---- a source that draws --------------------------------------------------------------------- */

struct drawing {
    const struct system *system;
    struct loom_stream arrivals, services;
    double next_s;
    int left;
    uint32_t admitted;
};

static int64_t due(void *self)
{
    const struct drawing *drawing = self;
    return drawing->left > 0 ? llround(drawing->next_s) : LOOM_NEVER;
}

static int take(void *self, struct loom_submission *out, struct loom_error *err)
{
    struct drawing *drawing = self;
    const struct system *system = drawing->system;
    (void)err;
    *out = (struct loom_submission){
        .submit_s = due(self),
        .run_s = llround(system->draw(&drawing->services)),
        .request_s = -1,
        .procs = 1,
        .user = -1,
        .row = LOOM_NO_ROW,
    };
    double gap_s = SERVICE_S / (system->load * (double)system->procs);
    drawing->next_s += gsl_ran_exponential(&drawing->arrivals.gsl, gap_s);
    drawing->left--;
    return 0;
}

static int admitted(void *self, uint32_t job, struct loom_error *err)
{
    struct drawing *drawing = self;
    (void)err;
    assert_int_equal(job, drawing->admitted);
    drawing->admitted++;
    return 0;
}

/* ---- the comparison -------------------------------------------------------------------------- */

/* Mean of the batch means and half the width of its 99.9 % confidence interval, as there are nine
 * of them. */
static void batch_means(const struct loom_sim *sim, double *mean, double *half)
{
    size_t n;
    const struct loom_sim_job *jobs = loom_sim_jobs(sim, &n);
    size_t each = (n - WARM_UP) / BATCHES;
    double sum = 0, squares = 0;
    for (size_t b = 0; b < BATCHES; b++) {
        double batch = 0;
        for (size_t i = 0; i < each; i++) {
            const struct loom_sim_job *job = &jobs[WARM_UP + b * each + i];
            batch += (double)(job->start_s - job->submit_s);
        }
        batch /= (double)each * SERVICE_S;
        sum += batch;
        squares += batch * batch;
    }
    *mean = sum / BATCHES;
    double variance = (squares - sum * *mean) / (BATCHES - 1);
    *half = gsl_cdf_tdist_Pinv(0.9995, BATCHES - 1) * sqrt(variance / BATCHES);
}

static void check_system(const struct system *system, const char *scheduler)
{
    struct loom_sim *sim = NULL;
    struct loom_error err = {0};
    struct drawing drawing = {.system = system, .left = JOBS};
    loom_stream_init(&drawing.arrivals, 1, 0, "arrivals");
    loom_stream_init(&drawing.services, 1, 0, "services");
    const struct loom_job_source source = {.self = &drawing,
                                           .due = due,
                                           .take = take,
                                           .admitted = admitted};
    const struct loom_sim_options options = {.scheduler = scheduler, .procs = system->procs};
    double mean, half, theory = mean_wait(system);
    assert_int_equal(loom_sim_create(&sim, NULL), 0);
    if (loom_sim_run(sim, &options, &source, &err))
        fail_msg("%s: %s", system->what, err.message);
    batch_means(sim, &mean, &half);
    if (fabs(mean - theory) > half || half > 0.5 * theory)
        fail_msg("%s under %s: mean wait %.4f +- %.4f services, not %.4f", system->what, scheduler,
                 mean, half, theory);
    assert_int_equal(drawing.admitted, JOBS);
    loom_sim_destroy(sim);
}

/* With one processor a job, or one processor in all, nothing can be overtaken: backfilling too must
 * give these waits. */
static void test_closed_forms(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++)
        check_system(&systems[i], "fcfs");
    check_system(&systems[1], "easy");
    check_system(&systems[4], "easy");
    check_system(&systems[1], "conservative");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
