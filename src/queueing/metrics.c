/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metrics of a simulation: each is one sum over another, with an interval from batches. */
#include "queueing/cells.h"

#include <workloom/stats_intervals.h>

#include <math.h>

static const struct metric {
    struct loom_queueing_metric_info info;
    enum loom_cell_sum above, below;
} metrics[] = {
    [LOOM_QUEUEING_THROUGHPUT] = {{"throughput", "throughput", "jobs per unit of time"},
                                  LOOM_SUM_JOBS,
                                  LOOM_SUM_TIME},
    [LOOM_QUEUEING_UTILIZATION] = {{"utilization", "utilization",
                                    "share of the servers that is busy"},
                                   LOOM_SUM_BUSY,
                                   LOOM_SUM_TIME},
    [LOOM_QUEUEING_RESPONSE] = {{"response_mean", "mean response", "mean of wait and service"},
                                LOOM_SUM_RESPONSE,
                                LOOM_SUM_JOBS},
    [LOOM_QUEUEING_WAIT] = {{"wait_mean", "mean wait", "mean time before service"},
                            LOOM_SUM_WAIT,
                            LOOM_SUM_JOBS},
    [LOOM_QUEUEING_LENGTH] = {{"queue_mean", "mean queue", "mean number of waiting jobs"},
                              LOOM_SUM_WAIT,
                              LOOM_SUM_TIME},
    [LOOM_QUEUEING_JOBS_PER_USER] = {{"jobs_per_user", "jobs per user",
                                      "mean number of jobs of an open user"},
                                     LOOM_SUM_USER_JOBS,
                                     LOOM_SUM_USERS},
    [LOOM_QUEUEING_USER_THROUGHPUT] = {{"throughput_per_user", "throughput per user",
                                        "jobs of all open users over the time that they are in the "
                                        "system, thinking included"},
                                       LOOM_SUM_USER_JOBS,
                                       LOOM_SUM_RESIDENCE},
    [LOOM_QUEUEING_USER_QUOTIENT] =
        {{"throughput_per_user_quotients", "throughput per user (mean of quotients)",
          "mean over open users of jobs over time in the system; infinite "
          "unless p approaches 1 as the response falls to 0"},
         LOOM_SUM_QUOTIENT,
         LOOM_SUM_USERS},
    [LOOM_QUEUEING_RUNTIME_CONTINUE] =
        {{"runtime_continue", "runtime before another job",
          "mean service time of jobs after which an open user submits "
          "another"},
         LOOM_SUM_CONTINUED_TIME,
         LOOM_SUM_CONTINUED},
    [LOOM_QUEUEING_RUNTIME_LAST] = {{"runtime_last", "runtime of last jobs",
                                     "mean service time of jobs after which an open user leaves"},
                                    LOOM_SUM_LAST_TIME,
                                    LOOM_SUM_USERS},
    [LOOM_QUEUEING_CLOSED_THROUGHPUT] = {{"throughput_closed", "throughput of closed users",
                                          "jobs of closed users per unit of time"},
                                         LOOM_SUM_CLOSED_JOBS,
                                         LOOM_SUM_TIME},
    [LOOM_QUEUEING_CLOSED_RESPONSE] = {{"response_closed", "response of closed users",
                                        "mean response of jobs of closed users"},
                                       LOOM_SUM_CLOSED_RESPONSE,
                                       LOOM_SUM_CLOSED_JOBS},
    [LOOM_QUEUEING_OPEN_RESPONSE] = {{"response_open", "response of open users",
                                      "mean response of jobs of open users"},
                                     LOOM_SUM_OPEN_RESPONSE,
                                     LOOM_SUM_OPEN_JOBS},
};

_Static_assert(sizeof metrics / sizeof *metrics == LOOM_QUEUEING_METRICS, "a line for each metric");

const struct loom_queueing_metric_info *loom_queueing_metric_at(size_t index)
{
    return index < LOOM_QUEUEING_METRICS ? &metrics[index].info : NULL;
}

/* Return the ratio of two sums over n batches with its interval: the residuals of batches, above -
 * ratio * below, are assumed independent, and the sum of `below` known. */
static struct loom_estimate ratio_of(const struct metric *metric, const struct loom_sums *batches,
                                     size_t n, double confidence)
{
    double above = 0, below = 0, squares = 0;
    for (size_t b = 0; b < n; b++) {
        above += batches[b].of[metric->above];
        below += batches[b].of[metric->below];
    }
    if (!(below > 0)) /* as jobs of closed users in a model without any */
        return (struct loom_estimate){NAN, NAN};
    double count = (double)n, mean = above / below;
    for (size_t b = 0; b < n; b++) {
        double off = batches[b].of[metric->above] - mean * batches[b].of[metric->below];
        squares += off * off;
    }
    double sd = sqrt(squares / (count - 1));
    return (struct loom_estimate){mean,
                                  n > 1 ? loom_t_half_width(sd, count, confidence) / (below / count)
                                        : NAN};
}

void loom_job_cells_estimate(struct loom_estimate *out, const struct loom_sums *batches, size_t n,
                             double confidence)
{
    for (size_t i = 0; i < LOOM_QUEUEING_METRICS; i++)
        out[i] = ratio_of(&metrics[i], batches, n, confidence);
}
