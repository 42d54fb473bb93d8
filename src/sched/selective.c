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
 * What it guarantees: no reservation moves back, as long as no estimate is too short. With a given
 * threshold every job has one some time; an adaptive threshold can run away from a long job where
 * slowdowns grow without end. Where estimates are extended (--overrun extend), all reservations are
 * made anew, in order of submission.
 */
#include "base/vec.h"
#include "sched/support/tournament.h"
#include "sched/support/widths.h"
#include "sim/schedulers.h"

enum { CATEGORIES = 3 };

struct category {
    double slowdowns; /* the sum */
    int64_t ended;
    double fixed;                      /* 0 if the threshold is adaptive */
    double threshold;                  /* in this pass */
    struct loom_tournament tournament; /* waiting jobs without a reservation */
};

/* From now on, `procs` processors are free until until_s, and fewer then. */
struct stair {
    int64_t procs, until_s;
};

struct selective {
    bool categorized;
    int64_t small_below_s, medium_to_s;
    struct category categories[CATEGORIES];
    struct loom_widths jobs; /* that wait: estimates, and the times reserved */
    size_t n_others;
    struct loom_widths_list reserved; /* while reservations are made anew */
    bool renew;                       /* an estimate turned out too short since the last pass */
    bool freed;           /* a reservation was given up since all of them were last tried */
    int64_t free;         /* processors, after the last pass */
    struct stair *stairs; /* what the profile leaves; fewer and fewer, longer and longer */
    size_t n_stairs, capacity;
    /* The same for the narrowest jobs of each class, of those that may fit: for how long, and until
     * when. */
    int64_t length_s[LOOM_WIDTH_CLASSES], until_s[LOOM_WIDTH_CLASSES];
    unsigned n_classes;
};

static const char *const own_threshold[CATEGORIES] = {"threshold-small", "threshold-medium",
                                                      "threshold-large"};

/* Asked for, or parameters of categories given. */
static bool is_categorized(const struct loom_params *params)
{
    bool own = loom_params_choice(params, "categories") == 1 ||
               loom_params_given(params, "small-below") || loom_params_given(params, "medium-to");
    for (int i = 0; i < CATEGORIES; i++)
        own = own || loom_params_given(params, own_threshold[i]);
    return own;
}

/* Everything but the memory. */
static void forget_run(struct selective *self)
{
    struct selective old = *self;
    *self = (struct selective){.jobs = old.jobs,
                               .stairs = old.stairs,
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
    return loom_widths_open(&self->jobs, loom_sim_procs(sim)) ? loom_fail_memory(err) : 0;
}

static void close(void *state)
{
    struct selective *self = state;
    for (int i = 0; i < CATEGORIES; i++)
        loom_tournament_free(&self->categories[i].tournament);
    loom_widths_free(&self->jobs);
    free(self->stairs);
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

static int submitted(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct selective *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    if (loom_tournament_add(&category_of(self, what)->tournament, job) ||
        loom_widths_add(&self->jobs, what->procs, what->estimate_s))
        return loom_fail_memory(err);
    self->n_others++;
    return 0;
}

static int ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    struct category *category = category_of(state, what);
    int64_t ran_s = loom_sim_now(sim) - what->start_s;
    double run_s = ran_s < 1 ? 1 : (double)ran_s;
    (void)err;
    category->slowdowns += ((double)(what->start_s - what->submit_s) + run_s) / run_s;
    category->ended++;
    return 0;
}

static int extended(struct loom_sim *sim, void *state, uint32_t job, int64_t old_estimate_s,
                    struct loom_error *err)
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

/* The first job from a number on that has passed its threshold, or LOOM_NO_JOB. */
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
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    loom_profile_book(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
    loom_widths_set(&self->jobs, job, what->estimate_s, from_s);
    loom_sim_reserve(sim, job, from_s);
}

static void unbook(struct loom_sim *sim, const struct selective *self, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t from_s = loom_widths_get(&self->jobs, job, LOOM_WIDTH_START);
    loom_profile_unbook(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
}

static int64_t earliest(struct loom_sim *sim, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    return loom_profile_earliest(loom_sim_profile(sim), what->procs, what->estimate_s);
}

static bool any(const void *self, uint32_t job)
{
    (void)self, (void)job;
    return true;
}

/* The first job from a number on with a reservation for time_s or earlier. */
static uint32_t next_reserved(struct selective *self, uint32_t from, int64_t time_s)
{
    const struct loom_widths_query query = {
        self->jobs.n, {LOOM_WIDTH_START}, {self->until_s}, any, NULL};
    if (loom_widths_least(&self->jobs, LOOM_WIDTH_START) > time_s)
        return LOOM_NO_JOB;
    for (unsigned class = 0; class < self->jobs.n; class ++)
        self->until_s[class] = time_s;
    return loom_widths_next(&self->jobs, &query, from);
}

static int make_anew(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    struct loom_widths_list *list = &self->reserved;
    if (loom_widths_list_booked(&self->jobs, list))
        return loom_fail_memory(err);
    for (size_t i = 0; i < list->n; i++)
        unbook(sim, self, (uint32_t)list->jobs[i]);
    for (size_t i = 0; i < list->n; i++)
        reserve(sim, self, (uint32_t)list->jobs[i], earliest(sim, (uint32_t)list->jobs[i]));
    self->freed = true;
    return 0;
}

/* ---- what fits now --------------------------------------------------------------------------- */

/* Until when so many processors are free; -1 if they are not now. */
static int64_t free_until(const struct selective *self, int64_t procs)
{
    size_t i = self->n_stairs;
    while (i > 0 && self->stairs[i - 1].procs < procs)
        i--;
    return i > 0 ? self->stairs[i - 1].until_s : -1;
}

static int find_stairs(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    struct loom_profile *profile = loom_sim_profile(sim);
    int64_t now_s = loom_sim_now(sim), left = loom_profile_at(profile, now_s);
    self->n_classes = left > 0 ? loom_width_class_of(left) + 1 : 0;
    unsigned class = self->n_classes;
    for (self->n_stairs = 0; left > 0; self->n_stairs++) {
        if (loom_grow(&self->stairs, self->n_stairs, &self->capacity))
            return loom_fail_memory(err);
        struct stair *stair = &self->stairs[self->n_stairs];
        stair->procs = left;
        left = 0;
        /* Less than for ever, which is the value of no job. */
        stair->until_s = loom_profile_below(profile, stair->procs, &left);
        stair->until_s = stair->until_s == LOOM_NEVER ? LOOM_NEVER - 1 : stair->until_s;
        for (; class > 0 && loom_width_class_least(class - 1) > left; class --) {
            self->until_s[class - 1] = stair->until_s;
            self->length_s[class - 1] = stair->until_s - now_s;
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
    const struct loom_sim_job *what = &fit->jobs[job];
    return what->estimate_s <= free_until(fit->self, what->procs) - fit->now_s;
}

/* From the time reserved on, what the job needs is its own. */
static bool fits_reserved(const void *self, uint32_t job)
{
    const struct fit *fit = self;
    int64_t until_s = free_until(fit->self, fit->jobs[job].procs);
    return fits(self, job) || loom_widths_get(&fit->self->jobs, job, LOOM_WIDTH_START) <= until_s;
}

/* ---- the steps of a pass --------------------------------------------------------------------- */

static void start_due(struct loom_sim *sim, struct selective *self)
{
    int64_t now_s = loom_sim_now(sim);
    for (uint32_t job = 0; (job = next_reserved(self, job, now_s)) != LOOM_NO_JOB; job++) {
        loom_widths_remove(&self->jobs, job);
        loom_sim_start_booked(sim, job, LOOM_WHY_PLANNED);
    }
}

/* A reservation that is made for now, or has moved there. */
static void start_at_once(struct loom_sim *sim, struct selective *self, uint32_t job)
{
    loom_widths_remove(&self->jobs, job);
    loom_sim_reserve(sim, job, loom_sim_now(sim));
    loom_sim_start(sim, job, LOOM_WHY_PLANNED);
}

/* What did not fit when it was last tried still does not, unless something was given back since: by
 * a job that ended, or by one that started before the time reserved for it. */
static int start_reserved(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    const struct fit fit = {self, loom_sim_jobs(sim, NULL), loom_sim_now(sim)};
    struct loom_widths_query query = {.is = fits_reserved, .self = &fit};
    if (!self->freed || loom_widths_least(&self->jobs, LOOM_WIDTH_START) == LOOM_NO_VALUE)
        return 0;
    query.value[0] = LOOM_WIDTH_BOOKED, query.limit[0] = self->length_s;
    query.value[1] = LOOM_WIDTH_START, query.limit[1] = self->until_s;
    self->freed = false;
    int rc = 0;
    for (uint32_t job = 0; !rc; job++) {
        rc = find_stairs(sim, self, err);
        query.n_classes = self->n_classes;
        if (rc || (job = loom_widths_next(&self->jobs, &query, job)) == LOOM_NO_JOB)
            return rc;
        unbook(sim, self, job);
        start_at_once(sim, self, job);
        self->freed = true;
    }
    return rc;
}

/* A job is no longer one without a reservation. */
static void promote(struct loom_sim *sim, struct selective *self, uint32_t job)
{
    loom_tournament_remove(&category_of(self, loom_sim_job(sim, job))->tournament, job);
    self->n_others--;
}

static void reserve_passed(struct loom_sim *sim, struct selective *self)
{
    for (uint32_t job = 0; (job = next_passed(sim, self, job)) != LOOM_NO_JOB; job++) {
        int64_t from_s = earliest(sim, job);
        promote(sim, self, job);
        if (from_s <= loom_sim_now(sim))
            start_at_once(sim, self, job);
        else
            reserve(sim, self, job, from_s);
    }
}

/* For those who watch. */
static enum loom_why why_other(struct loom_sim *sim, const struct selective *self, uint32_t job)
{
    int64_t end_s = loom_sim_now(sim) + loom_sim_job(sim, job)->estimate_s;
    if (loom_queue_first(loom_sim_waiting(sim)) == job)
        return LOOM_WHY_TURN;
    return end_s <= loom_widths_least(&self->jobs, LOOM_WIDTH_START) ? LOOM_WHY_BEFORE
                                                                     : LOOM_WHY_BESIDE;
}

static int start_others(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    const struct fit fit = {self, loom_sim_jobs(sim, NULL), loom_sim_now(sim)};
    struct loom_widths_query query = {.is = fits, .self = &fit};
    int rc = 0;
    query.value[0] = LOOM_WIDTH_LOOSE, query.limit[0] = self->length_s;
    for (uint32_t job = 0; !rc && self->n_others > 0; job++) {
        rc = find_stairs(sim, self, err);
        query.n_classes = self->n_classes;
        if (rc || (job = loom_widths_next(&self->jobs, &query, job)) == LOOM_NO_JOB)
            return rc;
        promote(sim, self, job);
        loom_widths_remove(&self->jobs, job);
        loom_sim_start(sim, job, why_other(sim, self, job));
    }
    return rc;
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct selective *self = state;
    self->freed |= loom_sim_free(sim) > self->free;
    int rc = self->renew ? make_anew(sim, self, err) : 0;
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
    loom_sim_wake(sim, loom_widths_least(&self->jobs, LOOM_WIDTH_START));
    return rc;
}

/* For those who explain. */
static void explain_rank(const struct loom_sim *sim, const void *state, uint32_t job,
                         struct loom_standing *out)
{
    static const char *const names[CATEGORIES] = {"small estimates", "medium estimates",
                                                  "large estimates"};
    const struct selective *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    size_t category = category_number(self, what);
    double wait_s = (double)(loom_sim_now(sim) - what->submit_s);
    out->measure = "expansion_factor";
    out->value = (wait_s + (double)what->estimate_s) / (double)what->estimate_s;
    out->bar = "threshold";
    out->bar_value = self->categories[category].threshold;
    out->category = self->categorized ? names[category] : NULL;
}

/* Every job passes a threshold that stays. One that grows with the slowdowns of others may run
 * ahead of a long job for ever, where the load is too high. */
static unsigned promises_by(const struct loom_params *params)
{
    bool all = true;
    for (int i = 0; i < CATEGORIES; i++)
        all = all && loom_params_given(params, own_threshold[i]);
    return all || loom_params_given(params, "threshold") ? LOOM_PROMISE_NO_STARVE : 0;
}

/* Categories have thresholds of their own; `threshold` is one for all jobs. */
static int check(const struct loom_params *params, struct loom_error *err)
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
    .promises_by = promises_by,
    .check = check,
    .wants_profile = true,
    .keeps_jobs = true,
    .reopens = true,
    .state_size = sizeof(struct selective),
    .open = selective_open,
    .close = close,
    .submitted = submitted,
    .ended = ended,
    .extended = extended,
    .pass = pass,
    .explain_rank = explain_rank,
};
