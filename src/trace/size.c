/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The size of a log's machine, where the header does not give it.
 *
 * The most processors in use at once are at least there. One wrong record, or jobs whose times
 * overlap by seconds, would raise that at will; so the size is the number in use that is exceeded
 * for a thousandth of the busy time at most. A wide job may run for less than that and is no error:
 * the size is at least its width, unless it is more than twice as wide as all else.
 *
 * Nothing is known of use over time where waits are unknown. The widest job is then all there is.
 */
#include "trace/table.h"

#include <stdlib.h>

static const double SHARE_ABOVE = 0.001;

/* At a time, so many processors more or fewer are in use; or of a level, for how long it was. */
struct step {
    int64_t at, change;
};

static int by_time(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->change > b->change) - (a->change < b->change);
}

static int by_level_down(const void *left, const void *right)
{
    const struct step *a = left, *b = right;
    return (a->at < b->at) - (a->at > b->at);
}

/* What a job was given counts, not what it asked for, which is the second best. */
static int64_t procs_in_use(const struct loom_jobs *jobs, size_t row)
{
    return jobs->alloc_procs[row] > 0 ? jobs->alloc_procs[row] : jobs->req_procs[row];
}

/* Starts and ends of the jobs whose times are known. Returns how many. */
static size_t list_steps(struct step *steps, const struct loom_jobs *jobs)
{
    const int64_t most = INT64_MAX / 4;
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t submit_s = jobs->submit_s[i], wait_s = (int64_t)jobs->wait_s[i];
        int64_t run_s = (int64_t)jobs->run_s[i], procs = procs_in_use(jobs, i);
        if (submit_s < 0 || wait_s < 0 || run_s <= 0 || procs <= 0)
            continue;
        if (submit_s > most || wait_s > most || run_s > most)
            continue;
        steps[n++] = (struct step){submit_s + wait_s, procs};
        steps[n++] = (struct step){submit_s + wait_s + run_s, -procs};
    }
    return n;
}

/* Turn steps in time into levels with their lengths, in place. Returns how many are not empty. */
static size_t list_levels(struct step *steps, size_t n)
{
    int64_t level = 0;
    size_t levels = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        int64_t length_s = steps[i + 1].at - steps[i].at;
        level += steps[i].change;
        if (level > 0 && length_s > 0)
            steps[levels++] = (struct step){level, length_s};
    }
    return levels;
}

static int64_t level_exceeded(const struct step *levels, size_t n)
{
    double busy_s = 0, above_s = 0;
    for (size_t i = 0; i < n; i++)
        busy_s += (double)levels[i].change;
    size_t at = 0;
    while (at + 1 < n && (above_s += (double)levels[at].change) <= SHARE_ABOVE * busy_s)
        at++;
    return n > 0 ? levels[at].at : 0;
}

static int64_t widest(const struct loom_jobs *jobs, int64_t limit)
{
    int64_t most = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = procs_in_use(jobs, i);
        most = procs > most && procs <= limit ? procs : most;
    }
    return most;
}

int loom_trace_peak_procs(int64_t *out, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    struct step *steps = malloc((2 * jobs->n + 1) * sizeof *steps);
    if (!steps)
        return loom_fail_memory(err);
    size_t n = list_steps(steps, jobs);
    qsort(steps, n, sizeof *steps, by_time);
    n = list_levels(steps, n);
    qsort(steps, n, sizeof *steps, by_level_down);
    int64_t level = level_exceeded(steps, n), wide = widest(jobs, 2 * level);
    free(steps);
    *out = wide > level ? wide : level;
    return 0;
}

int loom_trace_machine_size(struct loom_machine_size *out, const struct loom_trace *trace,
                            struct loom_error *err)
{
    *out = (struct loom_machine_size){loom_trace_machine(trace)->max_procs, LOOM_SIZE_HEADER};
    if (out->procs > 0)
        return 0;
    out->source = LOOM_SIZE_PEAK;
    int rc = loom_trace_peak_procs(&out->procs, trace, err);
    if (rc || out->procs > 0)
        return rc;
    out->procs = widest(loom_trace_jobs(trace), INT64_MAX);
    out->source = out->procs > 0 ? LOOM_SIZE_WIDEST : LOOM_SIZE_UNKNOWN;
    return 0;
}

const char *loom_size_source_text(enum loom_size_source source)
{
    static const char *const texts[] = {
        [LOOM_SIZE_HEADER] = "as the header says",
        [LOOM_SIZE_PEAK] = "the most in use at once",
        [LOOM_SIZE_WIDEST] = "the widest job's",
        [LOOM_SIZE_UNKNOWN] = "unknown",
    };
    return texts[source];
}
