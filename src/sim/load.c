/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another load for the same jobs. The load offered to a machine of N processors is
 * lambda * E[runtime * processors] / N (thesis 5.2.5), which is the work of the jobs over N times
 * the time from first to last submission. Each of its parts can be the one that gives way: N
 * (thesis figure 5.3), the times between submissions, or the runtimes.
 *
 * Only jobs that could be simulated count: submit time, runtime and processors known, no time
 * beyond 2^48 s, and no wider than the machine; than the machine as it becomes, where it is that
 * which gives way. All jobs of the trace are changed alike, except that times beyond 2^48 s stay
 * there.
 */
#include "sim/load.h"
#include "base/sort.h"
#include "sim/engine.h"
#include "trace/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const names[LOOM_LOAD_WAYS] = {"size", "arrivals", "runtimes"};

/* What the load is made of. */
struct offer {
    double work; /* s * processors */
    int64_t first_s, last_s;
    int64_t origin_s; /* first submission of all jobs, from which times are stretched */
};

const char *loom_load_way_name(enum loom_load_way way)
{
    return names[way];
}

/* Could a job be simulated on a machine that is wide enough? */
static bool counts(const struct loom_jobs *jobs, size_t i)
{
    return jobs->submit_s[i] >= 0 && jobs->run_s[i] >= 0 && loom_job_procs(jobs, i) > 0 &&
           !are_too_long(jobs->submit_s[i], jobs->run_s[i], jobs->request_s[i]);
}

static struct offer offer_of(const struct loom_jobs *jobs, int64_t procs)
{
    struct offer offer = {.first_s = INT64_MAX, .last_s = -1, .origin_s = INT64_MAX};
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t submit_s = jobs->submit_s[i];
        int32_t width = loom_job_procs(jobs, i);
        if (submit_s >= 0 && submit_s < offer.origin_s)
            offer.origin_s = submit_s;
        if (!counts(jobs, i) || width > procs)
            continue;
        offer.work += (double)jobs->run_s[i] * width;
        offer.first_s = submit_s < offer.first_s ? submit_s : offer.first_s;
        offer.last_s = submit_s > offer.last_s ? submit_s : offer.last_s;
    }
    return offer;
}

static double load_of(const struct offer *offer, int64_t procs)
{
    return offer->work / ((double)(offer->last_s - offer->first_s) * (double)procs);
}

double loom_load_offered(const struct loom_trace *trace, int64_t procs)
{
    struct offer offer = offer_of(loom_trace_jobs(trace), procs);
    return offer.last_s > offer.first_s ? load_of(&offer, procs) : (double)NAN;
}

/* ---- what gives way -------------------------------------------------------------------------- */

/* The machine that comes nearest to a load. */
struct nearest {
    double procs, load;
};

static void look_nearer(struct nearest *nearest, double asked, double procs, double load)
{
    if (load > 0 &&
        (nearest->procs <= 0 || fabs(log(load / asked)) < fabs(log(nearest->load / asked))))
        *nearest = (struct nearest){procs, load};
}

static int refuse_size(const struct loom_load_change *change, int64_t widest,
                       const struct nearest *nearest, struct loom_error *err)
{
    if (nearest->procs > INT32_MAX)
        return loom_fail(err, LOOM_ERANGE,
                         "a load of %g would take a machine of %.0f processors; the most is %d",
                         change->asked, nearest->procs, INT32_MAX);
    return loom_fail_field(err, LOOM_ERANGE, "load_by",
                           "no machine for jobs of up to %" PRId64
                           " processors has a load of %g, not even without the widest; the nearest "
                           "is %.4g, on %.0f processors: set load_by to arrivals or runtimes",
                           widest, change->asked, nearest->load, nearest->procs);
}

/* What all jobs up to a width offer. */
struct step {
    int64_t width, jobs;
    double work;
    int64_t first_s, last_s;
};

static void add_job(struct step *step, const struct loom_jobs *jobs, size_t i)
{
    int64_t submit_s = jobs->submit_s[i];
    step->jobs++;
    step->work += (double)jobs->run_s[i] * loom_job_procs(jobs, i);
    step->first_s = submit_s < step->first_s ? submit_s : step->first_s;
    step->last_s = submit_s > step->last_s ? submit_s : step->last_s;
}

/* Create the steps of all widths, ascending, each with the jobs of those before it. */
static int list_steps(struct step **out, size_t *n, const struct loom_jobs *jobs,
                      struct loom_error *err)
{
    size_t n_keys = 0;
    loom_key *keys = malloc((jobs->n + 1) * sizeof *keys);
    struct step *steps = malloc((jobs->n + 1) * sizeof *steps);
    *out = steps;
    *n = 0;
    if (!keys || !steps) {
        free(keys);
        return loom_fail_memory(err);
    }
    for (size_t i = 0; i < jobs->n; i++)
        if (counts(jobs, i))
            keys[n_keys++] = (uint64_t)loom_job_procs(jobs, i) << 32 | i;
    loom_sort_keys(keys, n_keys);
    for (size_t k = 0; k < n_keys; k++) {
        int64_t width = (int64_t)(keys[k] >> 32);
        if (*n == 0)
            steps[(*n)++] = (struct step){.width = width, .first_s = INT64_MAX, .last_s = -1};
        else if (steps[*n - 1].width < width) {
            steps[*n] = steps[*n - 1];
            steps[(*n)++].width = width;
        }
        add_job(&steps[*n - 1], jobs, keys[k] & UINT32_MAX);
    }
    free(keys);
    return 0;
}

/* Machines between two widths take the same jobs, and the larger they are the lower is the load.
 * Return whether one of them has the load asked for, and set change->procs; else note the nearest.
 */
static bool try_step(struct loom_load_change *change, struct nearest *nearest,
                     const struct step *step, int64_t most)
{
    if (step->last_s <= step->first_s)
        return false;
    double load = step->work / (double)(step->last_s - step->first_s); /* on one processor */
    double procs = round(load / change->asked);
    if (procs >= (double)step->width && procs <= (double)most) {
        change->procs = (int64_t)procs;
        return true;
    }
    double bound =
        procs > (double)most && most < INT32_MAX ? (double)most : fmax(procs, (double)step->width);
    look_nearer(nearest, change->asked, bound, load / bound);
    return false;
}

/* Find the smallest machine with this load that takes all jobs that the old one takes; as a larger
 * one takes wider jobs too, and with them more work, the widths are gone through upwards. If there
 * is none, find the largest one that leaves out wider jobs, and count them. */
static int resize(struct loom_load_change *change, const struct loom_jobs *jobs,
                  struct loom_error *err)
{
    struct step *steps;
    size_t n, fits = 0;
    struct nearest nearest = {0};
    const int64_t before = change->procs;
    bool found = false;
    int rc = list_steps(&steps, &n, jobs, err);
    while (!rc && fits + 1 < n && steps[fits + 1].width <= before)
        fits++;
    for (size_t k = fits; k < n && !rc && !found; k++)
        found =
            try_step(change, &nearest, &steps[k], k + 1 < n ? steps[k + 1].width - 1 : INT32_MAX);
    for (size_t k = fits; k-- > 0 && !rc && !found && nearest.procs <= INT32_MAX;) {
        found = try_step(change, &nearest, &steps[k], steps[k + 1].width - 1);
        change->left_out = found ? steps[fits].jobs - steps[k].jobs : 0;
    }
    if (!rc && !found)
        rc = refuse_size(change, steps[fits].width, &nearest, err);
    change->factor = (double)change->procs / (double)before;
    free(steps);
    return rc;
}

/* Move a submit time away from the first, to INT64_MAX at most: a job that does not count in the
 * load may be submitted at any time. */
static int64_t stretched(int64_t submit_s, int64_t origin_s, double factor)
{
    double after_s = round((double)(submit_s - origin_s) * factor);
    return after_s < (double)(INT64_MAX - origin_s) ? origin_s + (int64_t)after_s : INT64_MAX;
}

static int stretch_arrivals(struct loom_load_change *change, struct loom_trace *trace,
                            const struct offer *offer, struct loom_error *err)
{
    change->factor = change->before / change->asked;
    if ((double)(offer->last_s - offer->origin_s) * change->factor > 0x1p47)
        return loom_fail(err, LOOM_ERANGE, "a load of %g would take more than 2^47 s to submit",
                         change->asked);
    int rc = loom_trace_own(trace, LOOM_COLUMN_submit_s, err);
    int64_t *submit_s = trace->columns.submit_s;
    for (size_t i = 0; i < loom_trace_count(trace) && !rc; i++)
        if (submit_s[i] >= 0 && (change->factor > 1 || !are_too_long(submit_s[i], 0, 0)))
            submit_s[i] = stretched(submit_s[i], offer->origin_s, change->factor);
    return rc;
}

/* A time of at least 1 s stays one: a job that ran does not become one that did not. */
static int64_t scaled(int64_t time_s, double factor)
{
    return time_s <= 0 ? time_s : (int64_t)fmax(1, round((double)time_s * factor));
}

static bool runs_too_long(const struct loom_trace *trace, size_t i)
{
    return are_too_long(0, trace->columns.run_s[i], trace->columns.request_s[i]);
}

/* Requests, and processor time used, go along: how good a request is, and how busy a job kept its
 * processors, stays as it was. */
static int stretch_runtimes(struct loom_load_change *change, struct loom_trace *trace,
                            struct loom_error *err)
{
    change->factor = change->asked / change->before;
    for (size_t i = 0; i < loom_trace_count(trace); i++)
        if (!runs_too_long(trace, i) &&
            ((double)trace->columns.run_s[i] * change->factor > 0x1p47 ||
             (double)trace->columns.request_s[i] * change->factor > 0x1p47))
            return loom_fail(err, LOOM_ERANGE, "a load of %g would take runtimes beyond 2^47 s",
                             change->asked);
    int rc = loom_trace_own(trace, LOOM_COLUMN_run_s, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_request_s, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_cpu_s, err);
    for (size_t i = 0; i < loom_trace_count(trace) && !rc; i++) {
        if (runs_too_long(trace, i))
            continue;
        trace->columns.run_s[i] = scaled(trace->columns.run_s[i], change->factor);
        trace->columns.request_s[i] = scaled(trace->columns.request_s[i], change->factor);
        if (trace->columns.cpu_s[i] > 0)
            trace->columns.cpu_s[i] *= change->factor;
    }
    return rc;
}

/* ---- all of it ------------------------------------------------------------------------------- */

int loom_load_note(struct loom_trace *trace, const char *load,
                   const struct loom_load_change *change, struct loom_error *err)
{
    char note[160];
    snprintf(note, sizeof note, "%.40s changed from %.6g to %.6g by %s: times %.9g", load,
             change->before, change->after, names[change->way], change->factor);
    return loom_trace_add_directive(trace, "Note", note, err);
}

bool loom_load_missed(const struct loom_load_change *change)
{
    return fabs(change->after - change->asked) > 0.01 * change->asked;
}

static int check(double load, int64_t procs, const struct offer *offer, struct loom_error *err)
{
    if (!(load > 0 && load <= LOOM_LOAD_MOST))
        return loom_fail_field(err, LOOM_ERANGE, "load",
                               "load must be above 0 and at most %d, not %g", LOOM_LOAD_MOST, load);
    if (procs <= 0)
        return loom_fail_field(err, LOOM_EDATA, "procs",
                               "the log does not name the size of its machine; set procs");
    if (offer->work <= 0 || offer->last_s <= offer->first_s)
        return loom_fail(err, LOOM_EDATA,
                         "the jobs of this log do no work or come all at once, so there is no load "
                         "to vary");
    return 0;
}

int loom_load_vary(struct loom_load_change *out, struct loom_trace *trace, int64_t procs,
                   double load, enum loom_load_way way, struct loom_error *err)
{
    int64_t machine = procs ? procs : loom_trace_machine(trace)->max_procs;
    struct offer offer = offer_of(loom_trace_jobs(trace), machine);
    int rc = check(load, machine, &offer, err);
    if (rc)
        return rc;
    *out = (struct loom_load_change){.way = way,
                                     .asked = load,
                                     .before = load_of(&offer, machine),
                                     .procs = machine};
    rc = way == LOOM_LOAD_SIZE       ? resize(out, loom_trace_jobs(trace), err)
         : way == LOOM_LOAD_ARRIVALS ? stretch_arrivals(out, trace, &offer, err)
                                     : stretch_runtimes(out, trace, err);
    if (rc)
        return rc;
    offer = offer_of(loom_trace_jobs(trace), out->procs);
    if (offer.last_s <= offer.first_s)
        return loom_fail(err, LOOM_ERANGE, "at a load of %g all jobs would come at once", load);
    out->after = load_of(&offer, out->procs);
    return 0;
}

int loom_load_change(struct loom_load_change *out, struct loom_trace *trace, int64_t procs,
                     double load, enum loom_load_way way, struct loom_error *err)
{
    int rc = loom_load_vary(out, trace, procs, load, way, err);
    return rc ? rc : loom_load_note(trace, "load", out, err);
}
