/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processors in use over time: starts and ends of jobs, sorted and added up; and from that
 * the size of a log's machine, where the header does not give it.
 *
 * The most processors in use at once are at least there. One wrong record, or jobs whose times
 * overlap by seconds, would raise that at will; so the size is the number in use that is exceeded
 * for a thousandth of the busy time at most. A wide job may run for less than that and is no error:
 * the size is at least its width, unless it is more than twice as wide as all else. In a log of a
 * thousand jobs or more, jobs more than twice as wide as the number that all but the widest
 * thousandth give are taken for wrong records, however long they run.
 *
 * Nothing is known of use over time where waits are unknown. The widest job is then all there is.
 */
#include "trace/use.h"

#include "base/human.h"
#include "base/pages.h"
#include "base/sort.h"
#include "trace/table.h"

#include <stdlib.h>

/* Changes by starts and ends. Returns how many. */
static size_t list_changes(struct loom_use_step *steps, const struct loom_jobs *jobs,
                           int64_t widest)
{
    size_t n = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        if (!loom_job_placed(jobs, i) || jobs->run_s[i] == 0 || procs <= 0 || procs > widest)
            continue;
        int64_t start_s = jobs->submit_s[i] + jobs->wait_s[i];
        steps[n++] = (struct loom_use_step){start_s, procs};
        steps[n++] = (struct loom_use_step){start_s + jobs->run_s[i], -procs};
    }
    return n;
}

/* Turn changes into levels, one for each moment, in place. Returns how many. */
static size_t add_use_up(struct loom_use_step *steps, size_t n)
{
    int64_t level = 0;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        level += steps[i].procs;
        if (i + 1 == n || steps[i + 1].at_s != steps[i].at_s)
            steps[kept++] = (struct loom_use_step){steps[i].at_s, level};
    }
    return kept;
}

int loom_use_create(struct loom_use *out, const struct loom_jobs *jobs, int64_t widest,
                    struct loom_error *err)
{
    out->steps = loom_pages_alloc((2 * jobs->n + 1) * sizeof *out->steps);
    if (!out->steps)
        return loom_fail_memory(err);
    out->n = list_changes(out->steps, jobs, widest);
    if (loom_sort_records(out->steps, out->n)) {
        free(out->steps);
        out->steps = NULL;
        return loom_fail_memory(err);
    }
    out->n = add_use_up(out->steps, out->n);
    return 0;
}

/* ---- the size of the machine ------------------------------------------------------------------
 */

static const double SHARE_ABOVE = 0.001;
enum { JOBS_PER_ERROR = 1000 };

static int by_level_down(const void *left, const void *right)
{
    const struct loom_use_step *a = left, *b = right;
    return (a->procs < b->procs) - (a->procs > b->procs);
}

/* Turn steps into levels with their lengths in place of times. Returns how many are not 0. */
static size_t list_levels(struct loom_use_step *steps, size_t n)
{
    size_t levels = 0;
    for (size_t i = 0; i + 1 < n; i++)
        if (steps[i].procs > 0)
            steps[levels++] =
                (struct loom_use_step){steps[i + 1].at_s - steps[i].at_s, steps[i].procs};
    return levels;
}

/* Find the level that jobs of at most `widest` processors exceed for SHARE_ABOVE of the time. */
static int level_exceeded(int64_t *out, const struct loom_jobs *jobs, int64_t widest,
                          struct loom_error *err)
{
    struct loom_use use;
    int rc = loom_use_create(&use, jobs, widest, err);
    if (rc)
        return rc;
    double busy_s = 0, above_s = 0;
    size_t n = list_levels(use.steps, use.n), at = 0;
    if (n > 0)
        qsort(use.steps, n, sizeof *use.steps, by_level_down);
    for (size_t i = 0; i < n; i++)
        busy_s += (double)use.steps[i].at_s;
    while (at + 1 < n && (above_s += (double)use.steps[at].at_s) <= SHARE_ABOVE * busy_s)
        at++;
    *out = n > 0 ? use.steps[at].procs : 0;
    free(use.steps);
    return 0;
}

static int64_t widest_below(const struct loom_jobs *jobs, int64_t limit)
{
    int64_t most = 0;
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        most = procs > most && procs <= limit ? procs : most;
    }
    return most;
}

/* Find the width that all but the widest thousandth of the jobs have at most; INT64_MAX where that
 * is less than a job. */
static int common_width(int64_t *out, const struct loom_jobs *jobs, struct loom_error *err)
{
    size_t aside = jobs->n / JOBS_PER_ERROR, n = 0;
    *out = INT64_MAX;
    if (aside == 0)
        return 0;
    int64_t *widths = loom_pages_alloc(jobs->n * sizeof *widths);
    if (!widths)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t procs = loom_job_used(jobs, i);
        if (procs > 0)
            widths[n++] = procs;
    }
    loom_sort_int64(widths, n);
    *out = n > aside ? widths[n - 1 - aside] : INT64_MAX;
    free(widths);
    return 0;
}

int loom_trace_peak_procs(int64_t *out, const struct loom_trace *trace, struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    int64_t width = INT64_MAX, level = 0;
    int rc = common_width(&width, jobs, err);
    if (!rc)
        rc = level_exceeded(&level, jobs, width, err);
    if (!rc && width < widest_below(jobs, 2 * level))
        rc = level_exceeded(&level, jobs, 2 * level, err);
    if (rc)
        return rc;
    int64_t wide = widest_below(jobs, 2 * level);
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
    out->procs = widest_below(loom_trace_jobs(trace), INT64_MAX);
    out->source = out->procs > 0 ? LOOM_SIZE_WIDEST : LOOM_SIZE_UNKNOWN;
    return 0;
}

bool loom_size_usable(const struct loom_machine_size *size)
{
    return size->procs > 0 && (size->source == LOOM_SIZE_HEADER || size->source == LOOM_SIZE_PEAK);
}

int loom_trace_settle_machine(struct loom_machine_size *out, struct loom_trace *trace,
                              struct loom_error *err)
{
    int rc = loom_trace_machine_size(out, trace, err);
    if (rc || out->source == LOOM_SIZE_HEADER || !loom_size_usable(out))
        return rc;
    return loom_trace_set_directive_number(trace, "MaxProcs", out->procs, err);
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

const char *loom_size_note(const struct loom_machine_size *size, char *buf, size_t buf_size)
{
    char procs[LOOM_HUMAN];
    snprintf(buf, buf_size,
             "the log does not name the size of its machine: taken as %s processors, %s",
             loom_human_count(size->procs, procs, sizeof procs),
             loom_size_source_text(size->source));
    return buf;
}
