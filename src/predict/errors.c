/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors of predictions (Minh 2012, eq. 8.10 to 8.12). */
#include "predict/errors.h"

#include <math.h>

static const double OUTSIDE = 0.2; /* share of runtimes outside of a right interval */

void loom_error_sums_add(struct loom_error_sums *sums, const struct loom_prediction *said,
                         int64_t run_s, int32_t procs)
{
    double run = (double)run_s, error = said->run_s - run, work = run * procs;
    sums->jobs++;
    sums->under += error < 0;
    sums->error += fabs(error);
    sums->signed_error += error;
    sums->weighted += fabs(error) * work;
    sums->run += run;
    sums->work += work;
    if (isnan(said->low_s))
        return;
    sums->intervals++;
    sums->below += run < said->low_s;
    sums->above += run > said->high_s;
    sums->width += said->high_s - said->low_s;
    sums->score += said->high_s - said->low_s +
                   2 / OUTSIDE * (fmax(said->low_s - run, 0) + fmax(run - said->high_s, 0));
}

struct loom_prediction_errors loom_error_sums_means(const struct loom_error_sums *sums)
{
    double n = sums->jobs > 0 ? (double)sums->jobs : NAN;
    double intervals = sums->intervals > 0 ? (double)sums->intervals : NAN;
    return (struct loom_prediction_errors){
        .jobs = sums->jobs,
        .underestimated_fraction = (double)sums->under / n,
        .mae_s = sums->error / n,
        .bias_s = sums->signed_error / n,
        .wae_s = sums->work > 0 ? sums->weighted / sums->work : NAN,
        .ne = sums->run > 0 ? sums->error / sums->run : NAN,
        .intervals = sums->intervals,
        .covered_fraction = (double)(sums->intervals - sums->below - sums->above) / intervals,
        .below_fraction = (double)sums->below / intervals,
        .above_fraction = (double)sums->above / intervals,
        .width_s = sums->width / intervals,
        .interval_score_s = sums->score / intervals,
    };
}
