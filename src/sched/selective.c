/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selective backfilling (Srinivasan, Kettimuthu, Subramani and Sadayappan 2002; thesis 7.2.2): only
 * jobs that have waited long get a reservation, namely those whose expansion factor
 *
 *     (wait + estimate) / estimate
 *
 * exceeds a threshold. The threshold is given, or is the mean slowdown of the jobs that have ended
 * so far, (wait + runtime) / runtime with a runtime of at least 1 s; 1 before any has. With
 * categories, jobs of an estimate below 1,000 s, up to 10,000 s and above have a mean each, or a
 * threshold that is given each; both borders are parameters.
 *
 * A pass, each step in the order of submission and with thresholds as they are when it begins:
 *
 *     1. Jobs whose reservation is for now start.
 *     2. So do other jobs with a reservation if they fit now beside the running jobs and all
 *        reservations but their own. Otherwise they keep it: an early end moves no reservation to
 *        another time than now.
 *     3. Jobs that have passed the threshold get a reservation at the earliest time that running
 *        jobs and reservations leave; where that is now, they start.
 *     4. The others start if they fit beside the running jobs and all reservations.
 *
 * A pass is made when jobs end or are submitted, and when the time of a reservation has come; a job
 * that passes the threshold in between has its reservation from the next pass on, and nothing could
 * have overtaken it before.
 *
 * What it guarantees: no reservation moves back, as long as no estimate is too short. With a fixed
 * threshold every job gets one; an adaptive threshold can grow faster than the expansion factor of
 * a long job if slowdowns grow without bound. Where estimates are extended (--overrun extend), all
 * reservations are made anew, in order of submission.
 */
#include "base/vec.h"
#include "sched/support/tournament.h"
#include "sched/support/width_index.h"
#include "sim/schedulers.h"

enum { CATEGORIES = 3 };

struct category {
    double slowdowns; /* the sum */
    int64_t ended;
    double fixed;                      /* 0 if the threshold is adaptive */
    double threshold;                  /* in this pass */
    struct loom_tournament tournament; /* waiting jobs without a reservation */
};

/* `procs` processors are free from now until until_s, and fewer after that. */
struct free_step {
    int64_t procs, until_s;
};

struct selective {
    bool categorized;
    int64_t small_below_s, medium_to_s;
    struct category categories[CATEGORIES];
    struct loom_width_index jobs; /* that wait: estimates and reservations */
    size_t n_others;
    struct loom_job_list reserved; /* while reservations are made anew */
    bool renew;                    /* an estimate turned out too short since the last pass */
    bool freed;   /* processors were given back since start_reserved last tried all jobs */
    int64_t free; /* processors, after the last pass */
    struct free_step *steps; /* free processors from now on: procs falls, until_s rises */
    size_t n_steps, capacity;
    /* Limits of a query for jobs that fit now, set by find_steps: by width group, for how long and
     * until when the narrowest width of the group is free. n_groups: of widths that are free now.
     */
    int64_t length_s[LOOM_WIDTH_GROUPS], until_s[LOOM_WIDTH_GROUPS];
    unsigned n_groups;
};

static const char *const own_threshold[CATEGORIES] = {"threshold-small", "threshold-medium",
                                                      "threshold-large"};

/* Return whether categories=runtime or another parameter of categories is given. */
static bool is_categorized(const struct loom_params *params)
{
    bool own = loom_params_choice(params, "categories") == 1 ||
               loom_params_given(params, "small-below") || loom_params_given(params, "medium-to");
    for (int i = 0; i < CATEGORIES; i++)
        own = own || loom_params_given(params, own_threshold[i]);
    return own;
}

/* Reset the state; keep the memory. */
static void forget_run(struct selective *self)
{
    struct selective old = *self;
    *self = (struct selective){.jobs = old.jobs,
                               .steps = old.steps,
                               .capacity = old.capacity,
                               .reserved = old.reserved};
    for (int i = 0; i < CATEGORIES; i++)
        self->categories[i].tournament = old.categories[i].tournament;
}

static int selective_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                          struct loom_error *err)
{
    struct selective *self = state;
    forget_run(self);
    self->categorized = is_categorized(params);
    self->small_below_s = loom_params_int(params, "small-below");
    self->medium_to_s = loom_params_int(params, "medium-to");
    for (int i = 0; i < CATEGORIES; i++) {
        const char *name = self->categorized ? own_threshold[i] : "threshold";
        if (loom_params_given(params, name))
            self->categories[i].fixed = loom_params_real(params, name);
        loom_tournament_open(&self->categories[i].tournament);
    }
    return loom_width_index_open(&self->jobs, loom_sim_procs(sim)) ? loom_fail_memory(err) : 0;
}

static void selective_close(void *state)
{
    struct selective *self = state;
    for (int i = 0; i < CATEGORIES; i++)
        loom_tournament_free(&self->categories[i].tournament);
    loom_width_index_free(&self->jobs);
    free(self->steps);
    free(self->reserved.jobs);
}

/* ---- thresholds ------------------------------------------------------------------------------ */

static size_t category_number(const struct selective *self, const struct loom_sim_job *job)
{
    if (!self->categorized || job->estimate_s < self->small_below_s)
        return 0;
    return job->estimate_s <= self->medium_to_s ? 1 : 2;
}

static struct category *category_of(struct selective *self, const struct loom_sim_job *job)
{
    return &self->categories[category_number(self, job)];
}

static int selective_submitted(struct loom_sim *sim, void *state, uint32_t job,
                               struct loom_error *err)
{
    struct selective *self = state;
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    if (loom_tournament_add(&category_of(self, sim_job)->tournament, job) ||
        loom_width_index_add(&self->jobs, sim_job->procs, sim_job->estimate_s))
        return loom_fail_memory(err);
    self->n_others++;
    return 0;
}

static int selective_ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    struct category *category = category_of(state, sim_job);
    int64_t ran_s = loom_sim_now(sim) - sim_job->start_s;
    double run_s = ran_s < 1 ? 1 : (double)ran_s;
    (void)err;
    category->slowdowns += ((double)(sim_job->start_s - sim_job->submit_s) + run_s) / run_s;
    category->ended++;
    return 0;
}

static int selective_extended(struct loom_sim *sim, void *state, uint32_t job,
                              int64_t old_estimate_s, struct loom_error *err)
{
    (void)sim, (void)job, (void)old_estimate_s, (void)err;
    ((struct selective *)state)->renew = true;
    return 0;
}

static void set_thresholds(struct selective *self)
{
    for (int i = 0; i < CATEGORIES; i++) {
        struct category *category = &self->categories[i];
        category->threshold = category->fixed > 0   ? category->fixed
                              : category->ended > 0 ? category->slowdowns / (double)category->ended
                                                    : 1;
    }
}

/* Return the first job from a number on that has passed its threshold, or LOOM_NO_JOB. */
static uint32_t next_passed(struct loom_sim *sim, struct selective *self, uint32_t from)
{
    uint32_t first = LOOM_NO_JOB;
    for (int i = 0; i < CATEGORIES; i++) {
        struct category *category = &self->categories[i];
        uint32_t job = loom_tournament_next(&category->tournament, loom_sim_jobs(sim, NULL), from,
                                            category->threshold, loom_sim_now(sim));
        first = job < first ? job : first;
    }
    return first;
}

/* ---- reservations ---------------------------------------------------------------------------- */

static void reserve(struct loom_sim *sim, struct selective *self, uint32_t job, int64_t from_s)
{
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    loom_profile_book(loom_sim_profile(sim), from_s, from_s + sim_job->estimate_s, sim_job->procs);
    loom_width_index_set(&self->jobs, job, sim_job->estimate_s, from_s);
    loom_sim_reserve(sim, job, from_s);
}

static void unbook(struct loom_sim *sim, const struct selective *self, uint32_t job)
{
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    int64_t from_s = loom_width_index_get(&self->jobs, job, LOOM_WIDTH_START);
    loom_profile_unbook(loom_sim_profile(sim), from_s, from_s + sim_job->estimate_s,
                        sim_job->procs);
}

static int64_t earliest(struct loom_sim *sim, uint32_t job)
{
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    return loom_profile_earliest(loom_sim_profile(sim), sim_job->procs, sim_job->estimate_s);
}

static bool accept_all(const void *self, uint32_t job)
{
    (void)self, (void)job;
    return true;
}

/* Return the first job from a number on with a reservation for time_s or earlier, or LOOM_NO_JOB.
 */
static uint32_t next_reserved(const struct selective *self, uint32_t from, int64_t time_s)
{
    int64_t limit_s[LOOM_WIDTH_GROUPS];
    if (loom_width_index_min(&self->jobs, LOOM_WIDTH_START) > time_s)
        return LOOM_NO_JOB;
    for (unsigned group = 0; group < self->jobs.n; group++)
        limit_s[group] = time_s;
    const struct loom_width_query query = {
        .n_groups = self->jobs.n,
        .value = {LOOM_WIDTH_START},
        .limit = {limit_s},
        .accepts = accept_all,
    };
    return loom_width_index_next(&self->jobs, &query, from);
}

static int renew_reservations(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    struct loom_job_list *list = &self->reserved;
    if (loom_width_index_reserved(&self->jobs, list))
        return loom_fail_memory(err);
    for (size_t i = 0; i < list->n; i++)
        unbook(sim, self, (uint32_t)list->jobs[i]);
    for (size_t i = 0; i < list->n; i++)
        reserve(sim, self, (uint32_t)list->jobs[i], earliest(sim, (uint32_t)list->jobs[i]));
    self->freed = true;
    return 0;
}

/* ---- what fits now --------------------------------------------------------------------------- */

/* Return until when so many processors are free; -1 if they are not free now. */
static int64_t free_until(const struct selective *self, int64_t procs)
{
    size_t i = self->n_steps;
    while (i > 0 && self->steps[i - 1].procs < procs)
        i--;
    return i > 0 ? self->steps[i - 1].until_s : -1;
}

/* Find the steps of the free processors, and the limits of queries. */
static int find_steps(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    struct loom_profile *profile = loom_sim_profile(sim);
    int64_t now_s = loom_sim_now(sim), left = loom_profile_at(profile, now_s);
    self->n_groups = left > 0 ? loom_width_group_of(left) + 1 : 0;
    unsigned group = self->n_groups;
    for (self->n_steps = 0; left > 0; self->n_steps++) {
        if (loom_grow(&self->steps, self->n_steps, &self->capacity))
            return loom_fail_memory(err);
        struct free_step *step = &self->steps[self->n_steps];
        step->procs = left;
        left = 0;
        /* Below LOOM_NO_VALUE, so that jobs without the value do not match. */
        step->until_s = loom_profile_below(profile, step->procs, &left);
        step->until_s = step->until_s == LOOM_NEVER ? LOOM_NEVER - 1 : step->until_s;
        for (; group > 0 && loom_width_group_min(group - 1) > left; group--) {
            self->until_s[group - 1] = step->until_s;
            self->length_s[group - 1] = step->until_s - now_s;
        }
    }
    return 0;
}

struct fit {
    const struct selective *self;
    const struct loom_sim_job *jobs;
    int64_t now_s;
};

static bool fits(const void *self, uint32_t job)
{
    const struct fit *fit = self;
    const struct loom_sim_job *sim_job = &fit->jobs[job];
    return sim_job->estimate_s <= free_until(fit->self, sim_job->procs) - fit->now_s;
}

/* A job may run into its own reservation: from there on its processors are reserved for it. */
static bool fits_reserved(const void *self, uint32_t job)
{
    const struct fit *fit = self;
    int64_t until_s = free_until(fit->self, fit->jobs[job].procs);
    return fits(self, job) ||
           loom_width_index_get(&fit->self->jobs, job, LOOM_WIDTH_START) <= until_s;
}

/* ---- the steps of a pass --------------------------------------------------------------------- */

static void start_due(struct loom_sim *sim, struct selective *self)
{
    int64_t now_s = loom_sim_now(sim);
    for (uint32_t job = 0; (job = next_reserved(self, job, now_s)) != LOOM_NO_JOB; job++) {
        loom_width_index_remove(&self->jobs, job);
        loom_sim_start_booked(sim, job, LOOM_WHY_PLANNED);
    }
}

/* Start a job whose reservation is made for now, or moved to now. */
static void start_at_once(struct loom_sim *sim, struct selective *self, uint32_t job)
{
    loom_width_index_remove(&self->jobs, job);
    loom_sim_reserve(sim, job, loom_sim_now(sim));
    loom_sim_start(sim, job, LOOM_WHY_PLANNED);
}

/* Store in *job the first job from *job on that fits now and matches the query, or LOOM_NO_JOB. */
static int find_fit(struct loom_sim *sim, struct selective *self, struct loom_width_query *query,
                    uint32_t *job, struct loom_error *err)
{
    int rc = find_steps(sim, self, err);
    if (rc)
        return rc;
    query->n_groups = self->n_groups;
    *job = loom_width_index_next(&self->jobs, query, *job);
    return 0;
}

/* Start jobs with a reservation that fit now. A job that did not fit when it was last tried still
 * does not, unless processors were given back since, by a job that ended or by one that started
 * before its reservation. */
static int start_reserved(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    const struct fit fit = {self, loom_sim_jobs(sim, NULL), loom_sim_now(sim)};
    struct loom_width_query query = {
        .value = {LOOM_WIDTH_RESERVED, LOOM_WIDTH_START},
        .limit = {self->length_s, self->until_s},
        .accepts = fits_reserved,
        .self = &fit,
    };
    if (!self->freed || loom_width_index_min(&self->jobs, LOOM_WIDTH_START) == LOOM_NO_VALUE)
        return 0;
    bool started = false;
    uint32_t job = 0;
    int rc = find_fit(sim, self, &query, &job, err);
    while (!rc && job != LOOM_NO_JOB) {
        unbook(sim, self, job);
        start_at_once(sim, self, job);
        started = true;
        job++;
        rc = find_fit(sim, self, &query, &job, err);
    }
    self->freed = started;
    return rc;
}

/* Remove a job from those without a reservation. */
static void remove_other(struct loom_sim *sim, struct selective *self, uint32_t job)
{
    loom_tournament_remove(&category_of(self, loom_sim_job(sim, job))->tournament, job);
    self->n_others--;
}

static void reserve_passed(struct loom_sim *sim, struct selective *self)
{
    for (uint32_t job = 0; (job = next_passed(sim, self, job)) != LOOM_NO_JOB; job++) {
        int64_t from_s = earliest(sim, job);
        remove_other(sim, self, job);
        if (from_s <= loom_sim_now(sim))
            start_at_once(sim, self, job);
        else
            reserve(sim, self, job, from_s);
    }
}

/* Return the reason reported for the start of a job without a reservation. */
static enum loom_why why_other(struct loom_sim *sim, const struct selective *self, uint32_t job)
{
    int64_t end_s = loom_sim_now(sim) + loom_sim_job(sim, job)->estimate_s;
    if (loom_queue_first(loom_sim_waiting(sim)) == job)
        return LOOM_WHY_TURN;
    return end_s <= loom_width_index_min(&self->jobs, LOOM_WIDTH_START) ? LOOM_WHY_BEFORE
                                                                        : LOOM_WHY_BESIDE;
}

/* Start jobs without a reservation that fit now. */
static int start_others(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    const struct fit fit = {self, loom_sim_jobs(sim, NULL), loom_sim_now(sim)};
    struct loom_width_query query = {
        .value = {LOOM_WIDTH_UNRESERVED},
        .limit = {self->length_s},
        .accepts = fits,
        .self = &fit,
    };
    uint32_t job = 0;
    int rc = 0;
    while (!rc && self->n_others > 0) {
        rc = find_fit(sim, self, &query, &job, err);
        if (rc || job == LOOM_NO_JOB)
            break;
        remove_other(sim, self, job);
        loom_width_index_remove(&self->jobs, job);
        loom_sim_start(sim, job, why_other(sim, self, job));
        job++;
    }
    return rc;
}

static int selective_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct selective *self = state;
    self->freed |= loom_sim_free(sim) > self->free;
    int rc = self->renew ? renew_reservations(sim, self, err) : 0;
    if (rc)
        return rc;
    self->renew = false;
    set_thresholds(self);
    start_due(sim, self);
    rc = start_reserved(sim, self, err);
    if (rc)
        return rc;
    reserve_passed(sim, self);
    rc = start_others(sim, self, err);
    self->free = loom_sim_free(sim);
    loom_sim_wake(sim, loom_width_index_min(&self->jobs, LOOM_WIDTH_START));
    return rc;
}

/* Report the expansion factor and threshold of a job, for explanations. */
static void selective_explain_rank(const struct loom_sim *sim, const void *state, uint32_t job,
                                   struct loom_standing *out)
{
    static const char *const names[CATEGORIES] = {"small estimates", "medium estimates",
                                                  "large estimates"};
    const struct selective *self = state;
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    size_t category = category_number(self, sim_job);
    double wait_s = (double)(loom_sim_now(sim) - sim_job->submit_s);
    out->measure = "expansion_factor";
    out->value = (wait_s + (double)sim_job->estimate_s) / (double)sim_job->estimate_s;
    out->bar = "threshold";
    out->bar_value = self->categories[category].threshold;
    out->category = self->categorized ? names[category] : NULL;
}

/* Every job passes a fixed threshold at some time. An adaptive one can grow faster than the
 * expansion factor of a long job, for ever if the load is too high. */
static unsigned selective_promises_by(const struct loom_params *params)
{
    bool all = true;
    for (int i = 0; i < CATEGORIES; i++)
        all = all && loom_params_given(params, own_threshold[i]);
    return all || loom_params_given(params, "threshold") ? LOOM_PROMISE_NO_STARVE : 0;
}

/* Refuse `threshold`, which is for all jobs, together with categories. */
static int selective_check(const struct loom_params *params, struct loom_error *err)
{
    if (!is_categorized(params) || !loom_params_given(params, "threshold"))
        return 0;
    return loom_fail(err, LOOM_EUSAGE,
                     "selective: threshold is for all jobs; categories have threshold-small, "
                     "threshold-medium and threshold-large");
}

static const char *const categories[] = {"none", "runtime", NULL};

#define OWN_THRESHOLD(param, which)                                                        \
    {                                                                                      \
        .name = param, .type = LOOM_PARAM_REAL, .min = 1, .max = 1e9, .metavar = "FACTOR", \
        .help = "threshold of " which " estimates, which implies categories=runtime"       \
    }

static const struct loom_param params[] = {
    {.name = "categories",
     .type = LOOM_PARAM_CHOICE,
     .choices = categories,
     .value = "none",
     .metavar = "BY",
     .help = "one mean slowdown as threshold for all jobs, or one each for small, medium and large "
             "estimates; not with threshold"},
    {.name = "threshold",
     .type = LOOM_PARAM_REAL,
     .min = 1,
     .max = 1e9,
     .metavar = "FACTOR",
     .help = "expansion factor above which a job gets a reservation, instead of the mean slowdown "
             "of the jobs ended so far"},
    OWN_THRESHOLD("threshold-small", "small"),
    OWN_THRESHOLD("threshold-medium", "medium"),
    OWN_THRESHOLD("threshold-large", "large"),
    {.name = "small-below",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1000000000,
     .value = "1000",
     .metavar = "SECONDS",
     .help = "estimates below are small; implies categories=runtime"},
    {.name = "medium-to",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 1000000000,
     .value = "10000",
     .metavar = "SECONDS",
     .help = "estimates above, and not small, are large; implies categories=runtime"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_selective = {
    .info = {"selective", "backfilling that does not delay jobs that have waited long", params},
    .promises = LOOM_PROMISE_ALL,
    .promises_by = selective_promises_by,
    .check = selective_check,
    .wants_profile = true,
    .keeps_jobs = true,
    .reopens = true,
    .state_size = sizeof(struct selective),
    .open = selective_open,
    .close = selective_close,
    .submitted = selective_submitted,
    .ended = selective_ended,
    .extended = selective_extended,
    .pass = selective_pass,
    .explain_rank = selective_explain_rank,
};
