/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mixed model, exactly (Zakay 2017, chapter 6, section III): mean value analysis of the closed
 * users with their service stretched by the open jobs, and the operational bounds.
 *
 * From N* closed users on the phase is full: N users who never meet, with a throughput of N / (Z +
 * R1) where R1 is the response of a single one, would use the capacity left, mu - lambda. With one
 * server R1 = 1 / (mu - lambda) and N* = 1 + (mu - lambda) Z.
 */
#include "queueing/mixed.h"
#include "queueing/model.h"

#include <math.h>

struct loom_mixed_means loom_mixed_mva(const struct loom_mixed_load *load)
{
    double stretched = load->service / (1 - load->rate * load->service);
    struct loom_mixed_means means = {0};
    for (uint64_t n = 1; n <= load->users; n++) {
        double response = stretched * (1 + means.queue);
        means.throughput = (double)n / (response + load->think);
        means.queue = means.throughput * response;
    }
    means.response_open = stretched * (1 + means.queue);
    return means;
}

/* Return the response of a single closed user among the open jobs. */
static double response_of_one(const struct loom_mixed_load *load)
{
    struct loom_station alone;
    return load->rate > 0 &&
                   !loom_queueing_mmc(&alone, load->rate, load->service, load->servers, NULL)
               ? alone.response
               : load->service;
}

static void set_bounds(struct loom_mixed *out, const struct loom_mixed_load *load)
{
    double users = (double)load->users, left = load->servers / load->service - load->rate;
    double one = response_of_one(load), most = users / (load->think + one);
    out->users_for_full = left * (load->think + one);
    out->phase = users >= out->users_for_full ? LOOM_PHASE_FULL : LOOM_PHASE_PARTIAL;
    out->throughput_max = load->rate + (most < left ? most : left);
    out->throughput_min = load->rate + (users > 0 ? users / (load->think + users * one) : 0);
    out->response_closed_min = users > 0 ? fmax(one, users / left - load->think) : 0;
}

static int check_solvable(const struct loom_queueing_model *model, struct loom_error *err)
{
    if (model->service_dist.ops)
        return loom_fail_field(err, LOOM_EUSAGE, "service-dist",
                               "service-dist has no exact solution: simulate it");
    if (model->think.rule != LOOM_THINK_PLAIN)
        return loom_fail_field(err, LOOM_EUSAGE, "think",
                               "think times that depend on the response have no exact solution: "
                               "simulate them");
    if (model->repeat.rule > LOOM_REPEAT_CONSTANT)
        return loom_fail_field(err, LOOM_EUSAGE, "repeat",
                               "repeat by the response has no exact solution: simulate it");
    return loom_queueing_check(model, err);
}

int loom_mixed_solve(struct loom_mixed *out, const struct loom_queueing_model *model,
                     struct loom_error *err)
{
    struct loom_mixed_load load = {.rate = loom_queueing_job_rate(model),
                                   .users = model->closed,
                                   .think = model->think.mean,
                                   .service = model->service,
                                   .servers = model->servers};
    struct loom_mixed_means means = {0};
    int rc = check_solvable(model, err);
    if (!rc && load.servers == 1)
        means = loom_mixed_mva(&load);
    else if (!rc)
        rc = loom_mixed_product(&means, &load, err);
    if (rc)
        return rc;
    double left = load.servers / load.service - load.rate;
    means.throughput = fmin(means.throughput, left); /* but for rounding it is never above */
    *out = (struct loom_mixed){
        .throughput = load.rate + means.throughput,
        .throughput_closed = means.throughput,
        .response_closed = load.users > 0 ? means.queue / means.throughput : 0,
        .response_open = means.response_open,
        .utilization = fmin(1, (load.rate + means.throughput) * load.service / load.servers),
        .queue_closed = means.queue,
        .queue_open = load.rate * means.response_open,
    };
    set_bounds(out, &load);
    return 0;
}

const char *loom_mixed_phase_name(enum loom_mixed_phase phase)
{
    return phase == LOOM_PHASE_FULL ? "full" : "partial";
}
