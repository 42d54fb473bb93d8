/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selective backfilling (Srinivasan, Kettimuthu, Subramani and Sadayappan 2002; thesis 7.2.2): only
 * jobs that have waited long get a reservation, namely those whose expansion factor
 *
 *     (wait + estimate) / estimate
 *
 * exceeds a threshold. The threshold is given, or is the mean slowdown of the jobs that have ended
 * so far, (wait + runtime) / runtime with a runtime of at least 1 s; 1 before any has. With
 * categories, jobs of an estimate below 1,000 s, up to 10,000 s and above have a mean each.
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
 * What it guarantees: no reservation moves back, as long as no estimate is too short. Where
 * estimates are extended (--overrun extend), all reservations are made anew, in order of
 * submission.
 */
#include "base/vec.h"
#include "sched/lows.h"
#include "sched/race.h"
#include "sim/scheduler.h"

enum { CATEGORIES = 3, SMALL_BELOW_S = 1000, MEDIUM_TO_S = 10000 };

struct category {
    double slowdowns; /* the sum */
    int64_t ended;
    double threshold;      /* in this pass */
    struct loom_race race; /* waiting jobs without a reservation */
};

/* From now on, `procs` processors are free until until_s, and fewer then. */
struct stair {
    int64_t procs, until_s;
};

struct selective {
    bool categorized;
    double fixed; /* 0 if the threshold is adaptive */
    struct category categories[CATEGORIES];
    struct loom_lows others;    /* jobs without a reservation, by estimate */
    struct loom_lows by_length; /* jobs with one, by estimate */
    struct loom_lows by_start;  /* and by the time reserved */
    bool renew;                 /* an estimate turned out too short since the last pass */
    struct stair *stairs;       /* what the profile leaves; fewer and fewer, longer and longer */
    size_t n_stairs, capacity;
    /* The same by class of widths, for the narrowest: for how long, and until when. */
    int64_t length_s[LOOM_WIDTH_CLASSES], until_s[LOOM_WIDTH_CLASSES];
};

static int open(struct loom_sim *sim, void *state, const struct loom_params *params,
                struct loom_error *err)
{
    struct selective *self = state;
    (void)err;
    self->categorized = loom_params_choice(params, "categories") == 1;
    if (loom_params_given(params, "threshold"))
        self->fixed = loom_params_real(params, "threshold");
    for (int i = 0; i < CATEGORIES; i++)
        loom_race_open(&self->categories[i].race);
    loom_lows_open(&self->others, loom_sim_procs(sim));
    loom_lows_open(&self->by_length, loom_sim_procs(sim));
    loom_lows_open(&self->by_start, loom_sim_procs(sim));
    return 0;
}

static void close(void *state)
{
    struct selective *self = state;
    for (int i = 0; i < CATEGORIES; i++)
        loom_race_free(&self->categories[i].race);
    loom_lows_free(&self->others);
    loom_lows_free(&self->by_length);
    loom_lows_free(&self->by_start);
    free(self->stairs);
}

/* ---- thresholds ------------------------------------------------------------------------------ */

static struct category *category_of(struct selective *self, const struct loom_sim_job *job)
{
    if (!self->categorized || job->estimate_s < SMALL_BELOW_S)
        return &self->categories[0];
    return &self->categories[job->estimate_s <= MEDIUM_TO_S ? 1 : 2];
}

static int submitted(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct selective *self = state;
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    if (loom_race_add(&category_of(self, what)->race, job) ||
        loom_lows_add(&self->others, job, what->procs, what->estimate_s))
        return loom_fail_memory(err);
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
        category->threshold = self->fixed > 0       ? self->fixed
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
        uint32_t job = loom_race_next(&category->race, loom_sim_jobs(sim, NULL), from,
                                      category->threshold, loom_sim_now(sim));
        first = job < first ? job : first;
    }
    return first;
}

/* ---- reservations ---------------------------------------------------------------------------- */

static int reserve(struct loom_sim *sim, struct selective *self, uint32_t job, int64_t from_s,
                   struct loom_error *err)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    loom_profile_book(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
    if (loom_lows_add(&self->by_length, job, what->procs, what->estimate_s) ||
        loom_lows_add(&self->by_start, job, what->procs, from_s))
        return loom_fail_memory(err);
    loom_sim_reserve(sim, job, from_s);
    return 0;
}

static void forget(struct selective *self, uint32_t job)
{
    loom_lows_remove(&self->by_length, job);
    loom_lows_remove(&self->by_start, job);
}

static void unbook(struct loom_sim *sim, const struct selective *self, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    int64_t from_s = self->by_start.values[job];
    loom_profile_unbook(loom_sim_profile(sim), from_s, from_s + what->estimate_s, what->procs);
}

static int64_t earliest(struct loom_sim *sim, uint32_t job)
{
    const struct loom_sim_job *what = loom_sim_job(sim, job);
    return loom_profile_earliest(loom_sim_profile(sim), what->procs, what->estimate_s);
}

/* Reservations up to a time. */
struct due {
    const struct loom_lows *by_start;
    int64_t time_s[LOOM_WIDTH_CLASSES];
};

static bool may_be_due(void *self, unsigned tier, uint32_t block)
{
    const struct due *due = self;
    return loom_lows_may(due->by_start, tier, block, due->time_s);
}

static bool is_due(void *self, uint32_t job)
{
    const struct due *due = self;
    return loom_lows_has(due->by_start, job) && due->by_start->values[job] <= due->time_s[0];
}

static uint32_t next_due(const struct selective *self, uint32_t from, int64_t time_s)
{
    struct due due = {.by_start = &self->by_start};
    const struct loom_tiers_quest quest = {&due, may_be_due, is_due};
    for (unsigned class = 0; class < self->by_start.n_classes; class ++)
        due.time_s[class] = time_s;
    return loom_tiers_next(&self->by_start.tiers, &quest, from);
}

static int make_anew(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    static const int64_t any_s = LOOM_NEVER - 1;
    int rc = 0;
    for (uint32_t job = 0; (job = next_due(self, job, any_s)) != LOOM_NO_JOB; job++)
        unbook(sim, self, job);
    for (uint32_t job = 0; !rc && (job = next_due(self, job, any_s)) != LOOM_NO_JOB; job++) {
        forget(self, job);
        rc = reserve(sim, self, job, earliest(sim, job), err);
    }
    return rc;
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
    for (self->n_stairs = 0; left > 0; self->n_stairs++) {
        if (loom_grow(&self->stairs, self->n_stairs, &self->capacity))
            return loom_fail_memory(err);
        struct stair *stair = &self->stairs[self->n_stairs];
        stair->procs = left;
        left = 0;
        /* Less than for ever, which is the lowest value of no jobs. */
        stair->until_s = loom_profile_below(profile, stair->procs, &left);
        stair->until_s = stair->until_s == LOOM_NEVER ? LOOM_NEVER - 1 : stair->until_s;
    }
    for (unsigned class = 0; self->n_stairs > 0 && class < self->others.n_classes; class ++) {
        self->until_s[class] = free_until(self, loom_class_width(class));
        self->length_s[class] = self->until_s[class] - (self->until_s[class] < 0 ? 0 : now_s);
    }
    return 0;
}

struct fit {
    const struct selective *self;
    const struct loom_sim_job *jobs;
    int64_t now_s;
};

static bool may_fit(void *self, unsigned tier, uint32_t block)
{
    const struct fit *fit = self;
    return loom_lows_may(&fit->self->others, tier, block, fit->self->length_s);
}

static bool fits(void *self, uint32_t job)
{
    const struct fit *fit = self;
    const struct loom_sim_job *what = &fit->jobs[job];
    return loom_lows_has(&fit->self->others, job) &&
           what->estimate_s <= free_until(fit->self, what->procs) - fit->now_s;
}

static bool may_fit_reserved(void *self, unsigned tier, uint32_t block)
{
    const struct fit *fit = self;
    return loom_lows_may(&fit->self->by_length, tier, block, fit->self->length_s) ||
           loom_lows_may(&fit->self->by_start, tier, block, fit->self->until_s);
}

/* From the time reserved on, what the job needs is its own. */
static bool fits_reserved(void *self, uint32_t job)
{
    const struct fit *fit = self;
    const struct loom_sim_job *what = &fit->jobs[job];
    if (!loom_lows_has(&fit->self->by_start, job))
        return false;
    int64_t until_s = free_until(fit->self, what->procs);
    return what->estimate_s <= until_s - fit->now_s || fit->self->by_start.values[job] <= until_s;
}

/* ---- the steps of a pass --------------------------------------------------------------------- */

static void start_due(struct loom_sim *sim, struct selective *self)
{
    for (uint32_t job = 0; (job = next_due(self, job, loom_sim_now(sim))) != LOOM_NO_JOB; job++) {
        forget(self, job);
        loom_sim_start_booked(sim, job, LOOM_WHY_PLANNED);
    }
}

static int start_reserved(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    struct fit fit = {self, loom_sim_jobs(sim, NULL), loom_sim_now(sim)};
    const struct loom_tiers_quest quest = {&fit, may_fit_reserved, fits_reserved};
    if (loom_lows_lowest(&self->by_start) == LOOM_NEVER)
        return 0;
    int rc = find_stairs(sim, self, err);
    for (uint32_t job = 0;
         !rc && self->n_stairs > 0 &&
         (job = loom_tiers_next(&self->by_start.tiers, &quest, job)) != LOOM_NO_JOB;
         job++) {
        unbook(sim, self, job);
        forget(self, job);
        loom_sim_start(sim, job, LOOM_WHY_OTHER);
        rc = find_stairs(sim, self, err);
    }
    return rc;
}

/* A job is no longer one without a reservation. */
static void promote(struct loom_sim *sim, struct selective *self, uint32_t job)
{
    loom_race_remove(&category_of(self, loom_sim_job(sim, job))->race, job);
    loom_lows_remove(&self->others, job);
}

static int reserve_passed(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    int rc = 0;
    for (uint32_t job = 0; !rc && (job = next_passed(sim, self, job)) != LOOM_NO_JOB; job++) {
        int64_t from_s = earliest(sim, job);
        promote(sim, self, job);
        if (from_s <= loom_sim_now(sim))
            loom_sim_start(sim, job, LOOM_WHY_OTHER);
        else
            rc = reserve(sim, self, job, from_s, err);
    }
    return rc;
}

static enum loom_why why_other(struct loom_sim *sim, const struct selective *self, uint32_t job)
{
    int64_t end_s = loom_sim_now(sim) + loom_sim_job(sim, job)->estimate_s;
    if (loom_queue_first(loom_sim_waiting(sim)) == job)
        return LOOM_WHY_TURN;
    return end_s <= loom_lows_lowest(&self->by_start) ? LOOM_WHY_BEFORE : LOOM_WHY_BESIDE;
}

static int start_others(struct loom_sim *sim, struct selective *self, struct loom_error *err)
{
    struct fit fit = {self, loom_sim_jobs(sim, NULL), loom_sim_now(sim)};
    const struct loom_tiers_quest quest = {&fit, may_fit, fits};
    int rc = find_stairs(sim, self, err);
    for (uint32_t job = 0; !rc && self->n_stairs > 0 &&
                           (job = loom_tiers_next(&self->others.tiers, &quest, job)) != LOOM_NO_JOB;
         job++) {
        promote(sim, self, job);
        loom_sim_start(sim, job, why_other(sim, self, job));
        rc = find_stairs(sim, self, err);
    }
    return rc;
}

static int pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct selective *self = state;
    int rc = self->renew ? make_anew(sim, self, err) : 0;
    self->renew = false;
    set_thresholds(self);
    if (!rc) {
        start_due(sim, self);
        rc = start_reserved(sim, self, err);
    }
    if (!rc)
        rc = reserve_passed(sim, self, err);
    if (!rc)
        rc = start_others(sim, self, err);
    loom_sim_wake(sim, loom_lows_lowest(&self->by_start));
    return rc;
}

static const char *const categories[] = {"none", "runtime", NULL};

static const struct loom_param params[] = {
    {.name = "categories",
     .type = LOOM_PARAM_CHOICE,
     .choices = categories,
     .value = "none",
     .metavar = "BY",
     .help = "one threshold for all jobs, or one each for estimates below 1,000 s, up to 10,000 s "
             "and above"},
    {.name = "threshold",
     .type = LOOM_PARAM_REAL,
     .min = 1,
     .max = 1e9,
     .metavar = "FACTOR",
     .help = "expansion factor above which a job gets a reservation, instead of the mean slowdown "
             "of the jobs ended so far"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_selective = {
    .info = {"selective", "backfilling that does not delay jobs that have waited long", params},
    .wants_profile = true,
    .state_size = sizeof(struct selective),
    .open = open,
    .close = close,
    .submitted = submitted,
    .ended = ended,
    .extended = extended,
    .pass = pass,
};
