/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which jobs have a requested time at all, where a log has it of some only.
 *
 * Jobs without one come in stretches, as where a log was kept otherwise for a while, or one user or
 * queue needs none. Generated jobs have the log's share, in stretches of its mean length: a chain
 * of two states over jobs in order. A stretch is at most a thousandth of the jobs on average, or a
 * workload would have all requested times or none.
 */
#include "models/requests/request_model.h"

#include <math.h>

enum { LEAST_STRETCHES = 1000 };

void loom_request_known_fit(struct loom_request_model *model, const struct loom_workload *jobs)
{
    double all = 0, unknown = 0, stretches = 0;
    bool before = true;
    for (size_t i = 0; i < jobs->n; i++) {
        if (jobs->run_s[i] < 0 || jobs->procs[i] < 1)
            continue;
        bool known = jobs->request_s[i] > 0;
        all++;
        unknown += !known;
        stretches += before && !known;
        before = known;
    }
    model->known = all > 0 ? 1 - unknown / all : 1;
    model->unknown_stretch = stretches > 0 ? unknown / stretches : 1;
}

/* Chances to change from one job to the next, such that the share is the wanted one. */
void loom_request_known_apply(const struct loom_request_model *model,
                              struct loom_generation *generation)
{
    struct loom_draft *draft = &generation->draft;
    struct loom_stream stream;
    double unknown = 1 - model->known, most = (double)draft->n / LEAST_STRETCHES;
    if (!(unknown > 0) || !draft->request_s)
        return;
    double length = fmax(fmin(model->unknown_stretch, most), 1);
    double begin = unknown / (model->known * length);
    if (begin > 1) { /* most are unknown: stretches must be longer than that */
        length = unknown / model->known;
        begin = 1;
    }
    loom_generation_stream(&stream, generation, "known requested times");
    bool known = loom_stream_uniform(&stream) >= unknown;
    for (size_t i = 0; i < draft->n; i++) {
        if (!known)
            draft->request_s[i] = -1;
        double u = loom_stream_uniform(&stream);
        known = known ? u >= begin : u < 1 / length;
    }
}
