/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generate a workload with a given offered load.
 *
 * First, by the arrival rate: the model generates again, with the same random numbers and a scaled
 * rate, until the offered load (work over span times machine) is within half a percent. The load is
 * about proportional to the rate, so a few tries are enough; a rate that the model refuses, because
 * the jobs would take centuries, is bracketed. But if jobs depend on interarrival times, as bags
 * do, every rate gives other jobs and the load is discontinuous; searching on until a rate happens
 * to hit would select odd workloads, or fail.
 *
 * Then the remaining difference, mostly a few percent, is removed by stretching the submit times in
 * operational time: on a clock with the speed of the model's weekly cycle, so that the cycle keeps
 * its phase. (A model may have a cycle without known hours, as usergraph, where only sessions start
 * by a clock: the clock is then estimated from the jobs before stretching.) With a fixed number of
 * jobs the span grows with the stretch and the work does not change, so each load has one stretch,
 * found by bracketing. With a fixed number of days, jobs enter or leave at the end one at a time; a
 * load can be out of reach only if a single job is more than the tolerance. Then other random
 * numbers are used, of a replication outside the range of users.
 */
#include "models/arrivals/week.h"
#include "models/room.h"

#include <math.h>

enum { RATES = 8, STRETCHES = 48, OTHERS = 16 };
static const double TOLERANCE = 0.005;

struct aim {
    const struct loom_model *model;
    const struct loom_generation *request;
    double load;
    struct loom_week week;
    bool week_of_jobs;    /* of the jobs before stretching */
    double rate, stretch; /* of this try */
    uint64_t other;       /* replications to go on */
    struct loom_generation made;
    double reached;
    bool hit;
};

/* ---- operational time ------------------------------------------------------------------------ */

static void open_week(struct aim *aim)
{
    double speed[LOOM_WEEK_SLOTS];
    bool cycle = loom_model_traits(aim->model) & ~aim->request->without & LOOM_CYCLE;
    bool known = cycle && loom_model_week(aim->model, speed);
    loom_week_open(&aim->week, known ? speed : NULL, LOOM_WEEK_SLOTS);
    aim->week_of_jobs = cycle && !known;
}

/* Return the time `factor` times as far from time 0 on the clock of the week. */
static double stretched(const struct aim *aim, double time_s, double factor)
{
    double phase_s = (double)aim->request->week_phase_s;
    double origin_s = loom_week_working(&aim->week, phase_s);
    double working_s = loom_week_working(&aim->week, phase_s + time_s) - origin_s;
    return loom_week_local(&aim->week, origin_s + working_s * factor) - phase_s;
}

/* Stretch all times, rounded to whole seconds; a positive one stays at least 1. */
static void stretch_times(struct aim *aim)
{
    struct loom_draft *draft = &aim->made.draft;
    for (size_t i = 0; i < draft->n; i++) {
        double time_s = stretched(aim, (double)draft->submit_s[i], aim->stretch);
        draft->submit_s[i] = loom_whole_seconds(floor(time_s + 1e-6), 0);
    }
}

/* ---- one try --------------------------------------------------------------------------------- */

static double load_work_of(const int64_t *run_s, const int32_t *job_procs, size_t n)
{
    double work = 0;
    for (size_t i = 0; i < n; i++)
        if (run_s[i] > 0 && job_procs[i] > 0)
            work += (double)run_s[i] * job_procs[i];
    return work;
}

double loom_work_load(const int64_t *submit_s, const int64_t *run_s, const int32_t *job_procs,
                      size_t n, int32_t procs)
{
    double span_s = n ? (double)(submit_s[n - 1] - submit_s[0]) : 0;
    return span_s > 0 ? load_work_of(run_s, job_procs, n) / (span_s * procs) : 0;
}

/* Return the offered load. Jobs all within one second count with a span of 1 s, a load too high
 * rather than none; a single job has none. */
static double offered_load(const struct loom_generation *made)
{
    const struct loom_draft *draft = &made->draft;
    bool dense = draft->n > 1 && draft->submit_s[draft->n - 1] == draft->submit_s[0];
    return dense
               ? load_work_of(draft->run_s, draft->procs, draft->n) / made->procs
               : loom_work_load(draft->submit_s, draft->run_s, draft->procs, draft->n, made->procs);
}

static int load_make(struct aim *aim, struct loom_error *err)
{
    struct loom_generation *made = &aim->made;
    loom_draft_free(&made->draft);
    *made = *aim->request;
    made->rate = aim->rate;
    made->replication += aim->other;
    if (made->horizon_s < INT64_MAX && aim->stretch != 1)
        made->horizon_s =
            loom_whole_seconds(ceil(stretched(aim, (double)made->horizon_s, 1 / aim->stretch)) + 1,
                               1);
    int rc = aim->model->ops->generate(aim->model->state, made, err);
    made->horizon_s = aim->request->horizon_s;
    if (!rc && aim->stretch != 1)
        stretch_times(aim);
    if (!rc)
        rc = loom_generation_settle(made, err);
    aim->reached = rc ? 0 : offered_load(made);
    aim->hit = fabs(aim->reached / aim->load - 1) <= TOLERANCE;
    return rc;
}

/* ---- the search ------------------------------------------------------------------------------ */

/* A value with too little load and one with too much. */
struct bracket {
    double low, high;
};

/* Correct in proportion, or halve the bracket if that leaves it. `up`: the load grows with the
 * value. */
static double next_value(struct bracket *bracket, double value, const struct aim *aim, bool up)
{
    bool more = (aim->reached < aim->load) == up;
    if (more)
        bracket->low = value;
    else
        bracket->high = value;
    double ratio = aim->load / aim->reached, next = value * (up ? ratio : 1 / ratio);
    bool inside = next > bracket->low && next < bracket->high;
    return inside ? next : (bracket->low + bracket->high) / 2;
}

/* Return a rate between one that the model refused and the nearest so far. A burst of a few jobs
 * offers a load of thousands, and a proportional step then leads to a far too low rate. */
static double step_back(struct bracket *bracket, double refused, double nearest)
{
    if (refused < nearest)
        bracket->low = refused;
    else
        bracket->high = refused;
    return sqrt(refused * nearest);
}

/* Search the rate; leave it at the nearest found. */
static int find_rate(struct aim *aim, struct loom_error *err)
{
    struct bracket bracket = {.high = INFINITY};
    double nearest = aim->rate, miss = INFINITY;
    for (int i = 0; i < RATES; i++) {
        int rc = load_make(aim, err);
        if (rc == LOOM_ERANGE && i > 0) {
            aim->rate = step_back(&bracket, aim->rate, nearest);
            aim->reached = aim->load; /* not 0: there are jobs at the nearest rate */
            continue;
        }
        if (rc || aim->hit || !(aim->reached > 0))
            return rc;
        if (fabs(log(aim->reached / aim->load)) < miss) {
            miss = fabs(log(aim->reached / aim->load));
            nearest = aim->rate;
        }
        aim->rate = next_value(&bracket, aim->rate, aim, true);
    }
    aim->rate = nearest;
    return 0;
}

static int find_stretch(struct aim *aim, struct loom_error *err)
{
    static const double CLOSED = 1 + 1e-7;
    struct bracket bracket = {.high = INFINITY};
    aim->stretch = 1;
    for (int i = 0; i < STRETCHES && bracket.high > bracket.low * CLOSED; i++) {
        int rc = load_make(aim, err);
        if (rc || aim->hit || !(aim->reached > 0))
            return rc;
        if (i == 0 && aim->week_of_jobs)
            loom_week_of_times(&aim->week, aim->made.draft.submit_s, aim->made.draft.n,
                               aim->request->week_phase_s);
        aim->stretch = next_value(&bracket, aim->stretch, aim, false);
    }
    return 0;
}

/* Try other random numbers: replications far above all those in use. */
static int find_other(struct aim *aim, struct loom_error *err)
{
    static const uint64_t FAR = UINT64_C(1) << 56;
    int rc = 0;
    for (int i = 0; i < OTHERS && !rc && !aim->hit && aim->reached > 0; i++) {
        aim->other += FAR;
        rc = find_stretch(aim, err);
    }
    return rc;
}

static int unreachable(const struct aim *aim, struct loom_error *err)
{
    if (!(aim->reached > 0))
        return loom_fail(err, LOOM_EDATA,
                         "a load of %g was not reached: a job alone, or jobs without work, offer "
                         "none; ask for more jobs or more days",
                         aim->load);
    return loom_fail(err, LOOM_EDATA,
                     "a load of %g was not reached: arrivals %g times as dense give %g; ask for "
                     "more jobs, another load or another machine",
                     aim->load, aim->rate / aim->stretch, aim->reached);
}

int loom_generate_at_load(struct loom_generation *generation, const struct loom_model *model,
                          double load, struct loom_error *err)
{
    struct aim aim = {.model = model, .request = generation, .load = load, .rate = 1, .stretch = 1};
    open_week(&aim);
    int rc = find_rate(&aim, err);
    if (!rc && !aim.hit && aim.reached > 0)
        rc = find_stretch(&aim, err);
    if (!rc && !aim.hit && aim.reached > 0 && generation->horizon_s < INT64_MAX)
        rc = find_other(&aim, err);
    if (!rc && !aim.hit)
        rc = unreachable(&aim, err);
    if (rc)
        loom_draft_free(&aim.made.draft);
    else
        *generation = aim.made;
    return rc;
}
