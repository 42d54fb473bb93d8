/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queueing.h - which numbers of a study reports show. */
#ifndef LOOM_REPORT_QUEUEING_H
#define LOOM_REPORT_QUEUEING_H

#include <workloom/queueing.h>

#include <math.h>

/* Return whether the numbers shown first are exact ones. */
static inline bool loom_trial_exact(const struct loom_queueing_study *study,
                                    const struct loom_queueing_trial *trial)
{
    return trial->solve && (study->exact_first || !trial->simulate);
}

/* Return the value of a metric that is shown first. */
static inline double loom_trial_value(const struct loom_queueing_study *study,
                                      const struct loom_queueing_trial *trial, size_t metric)
{
    return loom_trial_exact(study, trial) ? trial->exact[metric]
                                          : trial->result.metrics[metric].mean;
}

/* Return whether a trial shows a metric. The classes of the mixed model are shown even where one is
 * empty, so that its documents always have the same keys. */
static inline bool loom_trial_shows(const struct loom_queueing_study *study,
                                    const struct loom_queueing_trial *trial, size_t metric)
{
    if (metric == LOOM_QUEUEING_USER_QUOTIENT && !study->quotients)
        return false;
    return loom_queueing_metric_applies(metric, &trial->model) ||
           (study->exact_first && metric >= LOOM_QUEUEING_CLOSED_THROUGHPUT);
}

static inline bool loom_study_shows(const struct loom_queueing_study *study, size_t metric)
{
    for (size_t i = 0; i < study->curves * study->points; i++)
        if (loom_trial_shows(study, &study->trials[i], metric))
            return true;
    return false;
}

#endif
