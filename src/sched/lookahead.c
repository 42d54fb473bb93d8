/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backfilling with lookahead (LOS; Shmueli and Feitelson 2005): EASY, except that the jobs that
 * overtake the first one are chosen together, so that as many processors as possible are busy now.
 * Of the first `depth` jobs behind it that could each be backfilled, the set with the most
 * processors is started; of several such sets the one that has the earliest jobs of the queue.
 *
 * Choosing is a knapsack problem. Short jobs, which end by the reservation, are limited by the free
 * processors; long jobs also by the processors that the reservation leaves free. For each kind and
 * each i, a bit set has the numbers of processors that jobs from i on can add up to. The set is
 * then built from the front: a job is taken if the jobs behind it can use the rest of the best
 * total.
 *
 * It guarantees what EASY guarantees.
 */
#include "base/vec.h"

#include <workloom/scheduler.h>

enum { WORD_BITS = 64 };

struct lookahead {
    size_t depth;
    uint32_t *jobs; /* candidates, in the queue's order */
    bool *long_run; /* by candidate: runs past the reservation */
    uint64_t *sums; /* (depth + 1) x 2 sets: sums of the short and of the long ones from job i on */
    size_t sums_words;
};

static int lookahead_open(struct loom_sim *sim, void *state, const struct loom_params *params,
                          struct loom_error *err)
{
    struct lookahead *self = state;
    loom_sim_set_order(sim, loom_order_chosen(params));
    self->depth = (size_t)loom_params_int(params, "depth");
    self->jobs = malloc(self->depth * sizeof *self->jobs);
    self->long_run = malloc(self->depth * sizeof *self->long_run);
    return self->jobs && self->long_run ? 0 : loom_fail_memory(err);
}

static void lookahead_close(void *state)
{
    struct lookahead *self = state;
    free(self->jobs);
    free(self->long_run);
    free(self->sums);
}

/* ---- sets of sums ---------------------------------------------------------------------------- */

static bool holds(const uint64_t *set, int64_t sum)
{
    return set[sum / WORD_BITS] >> (sum % WORD_BITS) & 1;
}

/* Set `out` to the sums of `set`, with and without `more` added, up to the width of a set. */
static void add_to_sums(uint64_t *out, const uint64_t *set, size_t words, int64_t more)
{
    size_t skip = (size_t)(more / WORD_BITS);
    unsigned shift = (unsigned)(more % WORD_BITS);
    for (size_t i = 0; i < words; i++) {
        uint64_t moved = i >= skip ? set[i - skip] << shift : 0;
        if (shift && i > skip)
            moved |= set[i - skip - 1] >> (WORD_BITS - shift);
        out[i] = set[i] | moved;
    }
}

static uint64_t *sums_from(const struct lookahead *self, size_t i, bool long_run, size_t words)
{
    return self->sums + (2 * i + long_run) * words;
}

static int fill_sums(struct lookahead *self, struct loom_sim *sim, size_t n, size_t words,
                     struct loom_error *err)
{
    size_t wanted = 2 * (self->depth + 1) * words;
    if (wanted > self->sums_words) {
        uint64_t *sums = realloc(self->sums, wanted * sizeof *sums);
        if (!sums)
            return loom_fail_memory(err);
        self->sums = sums;
        self->sums_words = wanted;
    }
    memset(sums_from(self, n, false, words), 0, 2 * words * sizeof *self->sums);
    *sums_from(self, n, false, words) = *sums_from(self, n, true, words) = 1; /* the sum 0 */
    for (size_t i = n; i-- > 0;) {
        bool kind = self->long_run[i];
        add_to_sums(sums_from(self, i, kind, words), sums_from(self, i + 1, kind, words), words,
                    loom_sim_job(sim, self->jobs[i])->procs);
        memcpy(sums_from(self, i, !kind, words), sums_from(self, i + 1, !kind, words),
               words * sizeof *self->sums);
    }
    return 0;
}

/* ---- the best set ---------------------------------------------------------------------------- */

/* Return whether jobs from i on can have `wanted` processors in total, at most `spare` of them in
 * long jobs. */
static bool can_make(const struct lookahead *self, size_t i, size_t words, int64_t wanted,
                     int64_t spare)
{
    const uint64_t *brief = sums_from(self, i, false, words);
    const uint64_t *lasting = sums_from(self, i, true, words);
    for (int64_t part = 0; part <= wanted && part <= spare; part++)
        if (holds(lasting, part) && holds(brief, wanted - part))
            return true;
    return false;
}

static void start_set(struct lookahead *self, struct loom_sim *sim, size_t n, size_t words,
                      struct loom_gap *gap)
{
    int64_t wanted = gap->procs;
    while (!can_make(self, 0, words, wanted, gap->spare))
        wanted--;
    for (size_t i = 0; i < n && wanted > 0; i++) {
        int64_t procs = loom_sim_job(sim, self->jobs[i])->procs;
        int64_t spare = gap->spare - (self->long_run[i] ? procs : 0);
        if (procs > wanted || spare < 0 || !can_make(self, i + 1, words, wanted - procs, spare))
            continue;
        loom_backfill(sim, gap, self->jobs[i]);
        wanted -= procs;
    }
}

static size_t find_candidates(struct lookahead *self, struct loom_sim *sim, uint32_t first,
                              const struct loom_gap *gap)
{
    struct loom_cursor cursor = loom_sim_cursor(sim, first);
    uint32_t next;
    size_t n = 0;
    while (n < self->depth && (next = loom_sim_next_fit(sim, &cursor, gap)) != LOOM_NO_JOB) {
        self->jobs[n] = next;
        self->long_run[n++] = loom_sim_job(sim, next)->estimate_s > gap->length_s;
    }
    return n;
}

static int lookahead_pass(struct loom_sim *sim, void *state, struct loom_error *err)
{
    struct lookahead *self = state;
    uint32_t first = loom_sim_start_in_order(sim);
    if (first == LOOM_NO_JOB)
        return 0;
    struct loom_gap gap = loom_shadow_gap(sim, first);
    size_t n = gap.procs > 0 ? find_candidates(self, sim, first, &gap) : 0;
    if (n == 0)
        return 0;
    size_t words = (size_t)gap.procs / WORD_BITS + 1;
    int rc = fill_sums(self, sim, n, words, err);
    if (!rc)
        start_set(self, sim, n, words, &gap);
    return rc;
}

static const struct loom_param params[] = {
    LOOM_ORDER_PARAM,
    {.name = "depth",
     .type = LOOM_PARAM_INT,
     .min = 1,
     .max = 10000,
     .value = "50",
     .metavar = "JOBS",
     .help = "how many jobs that could be backfilled are looked at together"},
    {.name = NULL},
};

const struct loom_scheduler_ops loom_scheduler_lookahead = {
    .info = {"lookahead", "EASY that backfills the set of jobs that uses most processors", params},
    .promises = LOOM_PROMISE_HEAD,
    .promises_by = loom_order_promises,
    .only_starts = true,
    .state_size = sizeof(struct lookahead),
    .open = lookahead_open,
    .close = lookahead_close,
    .pass = lookahead_pass,
};
