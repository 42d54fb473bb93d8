/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load by tenths of the length of a new workload. */
#include <workloom/resample.h>

#include <string.h>

static size_t tenth_of(const struct loom_resampled *resampled, int64_t submit_s)
{
    double length_s = (double)(resampled->until_s - resampled->begin_s);
    double at = LOOM_TENTHS * (double)(submit_s - resampled->begin_s) / length_s;
    return at < 0 ? 0 : at < LOOM_TENTHS ? (size_t)at : LOOM_TENTHS - 1;
}

void loom_resampled_tenths(double out[LOOM_TENTHS], const struct loom_resampled *resampled)
{
    const struct loom_jobs *jobs = loom_trace_jobs(resampled->trace);
    double all = 0;
    memset(out, 0, LOOM_TENTHS * sizeof *out);
    for (size_t i = 0; i < jobs->n; i++) {
        int32_t procs = loom_job_procs(jobs, i);
        if (jobs->run_s[i] <= 0 || procs <= 0)
            continue;
        double work = (double)jobs->run_s[i] * procs;
        out[tenth_of(resampled, jobs->submit_s[i])] += work;
        all += work;
    }
    for (size_t i = 0; i < LOOM_TENTHS && all > 0; i++)
        out[i] *= LOOM_TENTHS / all;
}
