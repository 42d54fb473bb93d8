/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another load for the same jobs. The load offered to a machine of N processors is
 * lambda * E[runtime * processors] / N (thesis 5.2.5), which is the work of the jobs over N times
 * the time from first to last submission. Each of its parts can be the one that gives way: N
 * (thesis figure 5.3), the times between submissions, or the runtimes.
 *
 * Only jobs that could be simulated count: submit time, runtime and processors known, and no wider
 * than the machine; than the machine as it becomes, where it is that which gives way. All jobs of
 * the trace are changed alike.
 */
#include "sim/load.h"
#include "sim/engine.h"
#include "trace/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char *const names[LOOM_LOAD_WAYS] = {"size", "arrivals", "runtimes"};

/* What the load is made of. */
struct offer {
    double work; /* s * processors */
    int64_t first_s, last_s;
    int64_t widest, wider; /* of the jobs that count, and the narrowest of those too wide, or 0 */
    int64_t origin_s;      /* first submission of all jobs, from which times are stretched */
};

const char *loom_load_way_name(enum loom_load_way way)
{
    return names[way];
}

static struct offer offer_of(const struct loom_jobs *jobs, int64_t procs)
{
    struct offer offer = {.first_s = INT64_MAX, .last_s = -1, .origin_s = INT64_MAX};
    for (size_t i = 0; i < jobs->n; i++) {
        int64_t submit_s = jobs->submit_s[i];
        int32_t width = loom_job_procs(jobs, i);
        if (submit_s >= 0 && submit_s < offer.origin_s)
            offer.origin_s = submit_s;
        if (submit_s < 0 || jobs->run_s[i] < 0 || width <= 0)
            continue;
        if (width > procs) {
            offer.wider = offer.wider && offer.wider < width ? offer.wider : width;
            continue;
        }
        offer.work += (double)jobs->run_s[i] * width;
        offer.first_s = submit_s < offer.first_s ? submit_s : offer.first_s;
        offer.last_s = submit_s > offer.last_s ? submit_s : offer.last_s;
        offer.widest = width > offer.widest ? width : offer.widest;
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
                           "no machine with room for a job of %" PRId64
                           " processors has a load of %g; the nearest is %.4g, on %.0f processors: "
                           "set load_by to arrivals or runtimes",
                           widest, change->asked, nearest->load, nearest->procs);
}

/* A larger machine takes wider jobs too, and with them more work: between two widths the work stays
 * the same and the load falls as the machine grows, and at a width it leaps up. Gone through from
 * the jobs that fit the machine as it was, the first such stretch in which the load asked for comes
 * out has the smallest machine that has it. */
static int resize(struct loom_load_change *change, const struct loom_jobs *jobs, struct offer offer,
                  struct loom_error *err)
{
    const int64_t widest = offer.widest;
    struct nearest nearest = {0};
    for (;;) {
        double most = offer.wider ? (double)offer.wider - 1 : INT32_MAX;
        double procs = round(load_of(&offer, 1) / change->asked);
        if (procs >= (double)offer.widest && procs <= most) {
            change->factor = procs / (double)change->procs;
            change->procs = (int64_t)procs;
            return 0;
        }
        double bound = procs > most && offer.wider ? most : fmax(procs, (double)offer.widest);
        look_nearer(&nearest, change->asked, bound, load_of(&offer, 1) / bound);
        if (!offer.wider)
            return refuse_size(change, widest, &nearest, err);
        offer = offer_of(jobs, offer.wider);
    }
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
        if (submit_s[i] >= 0)
            submit_s[i] = offer->origin_s +
                          (int64_t)round((double)(submit_s[i] - offer->origin_s) * change->factor);
    return rc;
}

/* A time of at least 1 s stays one: a job that ran does not become one that did not. */
static int64_t scaled(int64_t time_s, double factor)
{
    return time_s <= 0 ? time_s : (int64_t)fmax(1, round((double)time_s * factor));
}

/* Requests, and processor time used, go along: how good a request is, and how busy a job kept its
 * processors, stays as it was. */
static int stretch_runtimes(struct loom_load_change *change, struct loom_trace *trace,
                            struct loom_error *err)
{
    change->factor = change->asked / change->before;
    for (size_t i = 0; i < loom_trace_count(trace); i++)
        if ((double)trace->columns.run_s[i] * change->factor > 0x1p47 ||
            (double)trace->columns.request_s[i] * change->factor > 0x1p47)
            return loom_fail(err, LOOM_ERANGE, "a load of %g would take runtimes beyond 2^47 s",
                             change->asked);
    int rc = loom_trace_own(trace, LOOM_COLUMN_run_s, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_request_s, err);
    if (!rc)
        rc = loom_trace_own(trace, LOOM_COLUMN_cpu_s, err);
    for (size_t i = 0; i < loom_trace_count(trace) && !rc; i++) {
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
                               "the log does not say how many processors its machine has; set "
                               "procs");
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
    rc = way == LOOM_LOAD_SIZE       ? resize(out, loom_trace_jobs(trace), offer, err)
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
