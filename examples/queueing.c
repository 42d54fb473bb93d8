/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * queueing - the trade between response and throughput in a mixed system: open jobs at a given rate
 * beside closed users, exact and simulated, for 1 to 10 closed users.
 *
 *     cc queueing.c -o queueing $(pkg-config --cflags --libs workloom)
 *     ./queueing 0.3
 */
#include <workloom/workloom.h>

#include <stdio.h>
#include <stdlib.h>

enum { USERS = 10 };

static void print_trial(const struct loom_queueing_trial *trial)
{
    const struct loom_estimate *response = &trial->result.metrics[LOOM_QUEUEING_CLOSED_RESPONSE];
    printf("%5d  %10.4f  %8.4f  %8.3f +- %.3f  %s\n", (int)trial->model.closed,
           trial->solved.throughput, trial->solved.response_closed, response->mean,
           response->half_width, loom_mixed_phase_name(trial->solved.phase));
}

int main(int argc, char **argv)
{
    static struct loom_queueing_trial trials[USERS];
    struct loom_pool *pool = NULL;
    struct loom_error err;
    char text[LOOM_ERROR_TEXT];
    if (argc != 2) {
        fprintf(stderr, "usage: %s LAMBDA\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < USERS; i++) {
        trials[i].model = loom_queueing_model(); /* think time 5, service time 1 */
        trials[i].model.lambda = strtod(argv[1], NULL);
        trials[i].model.closed = (uint64_t)i + 1;
        trials[i].options = loom_queueing_options();
        trials[i].options.jobs = 100000;
        trials[i].solve = trials[i].simulate = true;
    }
    int rc = loom_pool_create(&pool, 0, &err); /* a thread for each processor */
    if (!rc)
        rc = loom_queueing_run(trials, USERS, pool, &err);
    if (!rc)
        puts("users  throughput  response  simulated (95 %)  phase");
    for (int i = 0; i < USERS && !rc; i++)
        print_trial(&trials[i]);
    loom_pool_destroy(pool);
    if (rc)
        fprintf(stderr, "queueing: %s\n", loom_error_text(&err, text, sizeof text));
    return rc ? 1 : 0;
}
