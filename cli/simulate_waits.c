/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Predicted waits, job by job. */
#include "simulate.h"

#include <inttypes.h>
#include <string.h>

int check_waits(const struct invocation *call, struct loom_error *err)
{
    const char *to = loom_params_text(call->params, "waits");
    if (!loom_params_flag(call->params, "predict-waits"))
        return loom_fail(err, LOOM_EUSAGE, "--waits requires --predict-waits");
    if (strcmp(to, "-") == 0)
        return loom_fail(err, LOOM_EUSAGE, "--waits wants the name of a file, not '-'");
    int rc = refuse_same_output(call, "waits", "output", err);
    if (!rc)
        rc = refuse_same_output(call, "waits", "csv", err);
    if (!rc)
        rc = refuse_same_file(call->operands[0], to, err);
    return rc ? rc : loom_output_check(to, err);
}

/* A job that users submit has no row of the log, and its number in the run instead. */
static int write_simulate_waits_job(struct loom_output *out, const struct loom_outcome *outcome,
                                    uint32_t number, struct loom_error *err)
{
    const struct loom_sim_job *job = &loom_sim_jobs(loom_outcome_sim(outcome), NULL)[number];
    const struct loom_jobs *jobs = loom_trace_jobs(loom_outcome_trace(outcome));
    int64_t start_s = loom_outcome_predicted_start(outcome, number);
    int64_t id = job->row == LOOM_NO_ROW ? (int64_t)number + 1 : jobs->number[job->row];
    return loom_output_printf(out, err,
                              "%" PRId64 ",%" PRId64 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",%" PRId64
                              "\n",
                              id, job->submit_s, job->procs, job->run_s, start_s - job->submit_s,
                              loom_sim_job_wait(job));
}

int write_waits(const struct simulation *of, const char *path, struct loom_error *err)
{
    const struct loom_outcome *outcome = of->outcomes[0];
    struct loom_output *out = NULL;
    size_t n;
    loom_sim_jobs(loom_outcome_sim(outcome), &n);
    int rc = loom_output_create(&out, path, err);
    if (!rc)
        rc = loom_output_printf(out, err, "job,submit_s,procs,run_s,predicted_wait_s,wait_s\n");
    for (size_t i = 0; i < n && !rc; i++)
        rc = write_simulate_waits_job(out, outcome, (uint32_t)i, err);
    return end_output(out, rc, of->call, err);
}
