/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The adaptive scheduler that thesis 7.4 sketches: the system is in one of four states, overloaded
 * or not, with a positive or negative correlation of runtime and size, and each state has a rule.
 *
 * Overloaded: the waiting jobs ask for at least `overload` times the processors of the machine. The
 * correlation of a week is predicted as the mean of the two weeks before (positive at 0, and before
 * the second week ends). It is Pearson's correlation of log(runtime + 1 s) and log(size) over the
 * jobs that ended in the week, which needs sums only; the text has Spearman's of whole weeks.
 *
 * The rules are: fcfs, jobs in order of submission; easy, as the policy of that name; selective,
 * uncategorized selective backfilling, where jobs whose expansion factor exceeds the mean slowdown
 * so far have reservations. Unlike the policy of that name it makes all reservations anew in each
 * pass, in order of submission, since the state may change between two passes. So no reservation
 * is a promise.
 */
#include "base/vec.h"

#include <workloom/scheduler.h>

#include <math.h>
#include <stdlib.h>

enum { WEEK_S = 7 * 86400, WEEKS = 2, LEAST_JOBS = 10 };

enum rule { RULE_FCFS, RULE_EASY, RULE_SELECTIVE };
static const char *const rules[] = {"fcfs", "easy", "selective", NULL};

/* Sums of the jobs that ended in a week. */
struct sums {
    double n, x, y, xx, yy, xy;
};

struct booking {
    int64_t from_s, to_s, procs;
};

struct adaptive {
    enum rule of[2][2]; /* by overloaded and positive */
    double overload;
    double asked, given;       /* processors of jobs submitted, and of those that ended */
    double slowdowns, ended;   /* of the jobs that ended */
    int64_t week_s;            /* when this week began; -1 before the first job */
    struct sums week;          /* so far */
    double correlation[WEEKS]; /* of the weeks before, the last first; NAN: too few jobs */
    struct booking *bookings;  /* of this pass */
    size_t n_bookings, capacity;
};

static int adaptive_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                         struct loom_error *err)
{
    static const char *const names[2][2] = {{"underload-negative", "underload-positive"},
                                            {"overload-negative", "overload-positive"}};
    struct adaptive *self = state, old = *self;
    (void)sim, (void)err;
    *self = (struct adaptive){.bookings = old.bookings, .capacity = old.capacity};
    for (int load = 0; load < 2; load++)
        for (int sign = 0; sign < 2; sign++)
            self->of[load][sign] = (enum rule)loom_params_choice(params, names[load][sign]);
    self->overload = loom_params_real(params, "overload");
    self->week_s = -1;
    for (int i = 0; i < WEEKS; i++)
        self->correlation[i] = NAN;
    return 0;
}

static void adaptive_close(void *state)
{
    free(((struct adaptive *)state)->bookings);
}

/* ---- the state ------------------------------------------------------------------------------- */

static double correlation_of(const struct sums *sums)
{
    double n = sums->n, cov = sums->xy - sums->x * sums->y / n;
    double var_x = sums->xx - sums->x * sums->x / n, var_y = sums->yy - sums->y * sums->y / n;
    return n >= LEAST_JOBS && var_x > 0 && var_y > 0 ? cov / sqrt(var_x * var_y) : (double)NAN;
}

static void turn_weeks(struct adaptive *self, int64_t now_s)
{
    if (self->week_s < 0)
        self->week_s = now_s;
    for (; now_s - self->week_s >= WEEK_S; self->week_s += WEEK_S) {
        self->correlation[1] = self->correlation[0];
        self->correlation[0] = correlation_of(&self->week);
        self->week = (struct sums){0};
    }
}

static bool predicts_positive(const struct adaptive *self)
{
    double sum = 0;
    for (int i = 0; i < WEEKS; i++)
        sum += isnan(self->correlation[i]) ? 0 : self->correlation[i];
    return sum >= 0;
}

/* Waiting jobs are those submitted that have neither ended nor run now. */
static bool is_overloaded(struct loom_sim *sim, const struct adaptive *self)
{
    double procs = (double)loom_sim_procs(sim), running = procs - (double)loom_sim_free(sim);
    return self->asked - self->given - running >= self->overload * procs;
}

static int adaptive_submitted(struct loom_sim *sim, void *state, uint32_t job,
                              struct loom_error *err)
{
    struct adaptive *self = state;
    (void)err;
    self->asked += (double)loom_sim_job(sim, job)->procs;
    return 0;
}

static int adaptive_ended(struct loom_sim *sim, void *state, uint32_t job, struct loom_error *err)
{
    struct adaptive *self = state;
    const struct loom_sim_job *sim_job = loom_sim_job(sim, job);
    double ran_s = (double)(loom_sim_now(sim) - sim_job->start_s);
    double x = log1p(ran_s), y = log((double)sim_job->procs), run_s = fmax(ran_s, 1);
    (void)err;
    turn_weeks(self, loom_sim_now(sim));
    self->given += (double)sim_job->procs;
    self->slowdowns += ((double)(sim_job->start_s - sim_job->submit_s) + run_s) / run_s;
    self->ended++;
    struct sums *week = &self->week;
    *week = (struct sums){week->n + 1,      week->x + x,      week->y + y,
                          week->xx + x * x, week->yy + y * y, week->xy + x * y};
    return 0;
}

/* ---- the rules ------------------------------------------------------------------------------- */

static void pass_easy(struct loom_sim *sim)
{
    uint32_t first = loom_sim_start_in_order(sim);
    if (first == LOOM_NO_JOB || !loom_sim_could_backfill(sim))
        return;
    struct loom_gap gap = loom_shadow_gap(sim, first);
    loom_backfill_behind(sim, &gap, first);
}

static bool has_waited(const struct adaptive *self, const struct loom_sim_job *job, int64_t now_s)
{
    double threshold = self->ended > 0 ? self->slowdowns / self->ended : 1;
    double estimate_s = (double)job->estimate_s;
    return (double)(now_s - job->submit_s) + estimate_s > threshold * estimate_s;
}

static int book(struct loom_sim *sim, struct adaptive *self, const struct loom_sim_job *job,
                int64_t from_s, struct loom_error *err)
{
    if (loom_grow(&self->bookings, self->n_bookings, &self->capacity))
        return loom_fail_memory(err);
    struct booking booking = {from_s, from_s + job->estimate_s, job->procs};
    self->bookings[self->n_bookings++] = booking;
    loom_profile_book(loom_sim_profile(sim), booking.from_s, booking.to_s, booking.procs);
    return 0;
}

/* Start or book the jobs that have waited long, then start others that fit beside them. */
static int pass_selective(struct loom_sim *sim, struct adaptive *self, struct loom_error *err)
{
    int64_t now_s = loom_sim_now(sim);
    int rc = 0;
    for (int turn = 0; turn < 2 && !rc; turn++) {
        struct loom_cursor cursor = {0};
        uint32_t number;
        while (!rc && loom_sim_free(sim) > 0 &&
               (number = loom_sim_next_waiting(sim, &cursor)) != LOOM_NO_JOB) {
            const struct loom_sim_job *job = loom_sim_job(sim, number);
            if (has_waited(self, job, now_s) != (turn == 0))
                continue;
            int64_t from_s =
                loom_profile_earliest(loom_sim_profile(sim), job->procs, job->estimate_s);
            if (from_s <= now_s)
                loom_sim_start(sim, number, turn ? LOOM_WHY_BESIDE : LOOM_WHY_PLANNED);
            else if (turn == 0)
                rc = book(sim, self, job, from_s, err);
        }
    }
    for (size_t i = 0; i < self->n_bookings; i++)
        loom_profile_unbook(loom_sim_profile(sim), self->bookings[i].from_s, self->bookings[i].to_s,
                            self->bookings[i].procs);
    self->n_bookings = 0;
    return rc;
}

static int adaptive_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct adaptive *self = state;
    turn_weeks(self, loom_sim_now(sim));
    switch (self->of[is_overloaded(sim, self)][predicts_positive(self)]) {
    case RULE_FCFS:
        loom_sim_start_in_order(sim);
        return 0;
    case RULE_EASY:
        pass_easy(sim);
        return 0;
    case RULE_SELECTIVE:
        return pass_selective(sim, self, err);
    }
    return 0;
}

#define RULE_PARAM(state, rule, sentence)                                          \
    {                                                                              \
        .name = state, .type = LOOM_PARAM_CHOICE, .choices = rules, .value = rule, \
        .metavar = "RULE", .help = "rule where the machine is " sentence           \
    }

static const struct loom_param params[] = {
    RULE_PARAM("overload-positive", "selective",
               "overloaded and runtimes are predicted to rise with size"),
    RULE_PARAM("overload-negative", "easy", "overloaded and they are predicted to fall"),
    RULE_PARAM("underload-positive", "selective", "not overloaded and they are to rise"),
    RULE_PARAM("underload-negative", "easy", "not overloaded and they are to fall"),
    {.name = "overload",
     .type = LOOM_PARAM_REAL,
     .min = 0,
     .max = 1e9,
     .value = "1",
     .metavar = "FACTOR",
     .help = "overloaded is where waiting jobs ask for that many times the machine's processors"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_adaptive = {
    .info = {"adaptive", "a rule for each of four states, by load and predicted correlation",
             params},
    .wants_profile = true,
    .reopens = true,
    .state_size = sizeof(struct adaptive),
    .open = adaptive_open,
    .close = adaptive_close,
    .submitted = adaptive_submitted,
    .ended = adaptive_ended,
    .pass = adaptive_pass,
};
