/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs by width, and the search through all widths. */
#include "sched/support/lanes.h"

#include "base/sort.h"
#include "base/vec.h"

#include <workloom/sim.h>

/* Sixteen to a block. */
enum { BITS = 4, BLOCK = 1 << BITS, TIERS = 6 };

/* What a job has, LOOM_NO_VALUE where it has none. */
struct own {
    int64_t length_s, start_s;
};

struct least {
    int64_t value[LOOM_LANE_VALUES];
};

/* Tier 0 is what the jobs have, every other the least of the blocks of the one below. */
struct loom_lane {
    uint32_t *jobs;   /* by place */
    struct own *owns; /* by place */
    size_t n, jobs_capacity, owns_capacity;
    struct least *tiers[TIERS]; /* from 1 on */
    size_t tier_capacity[TIERS];
};

/* ---- widths ---------------------------------------------------------------------------------- */

enum { EXACT = 64, EXACT_BITS = 6, STEP_BITS = 5 };

unsigned loom_lane_of(int64_t procs)
{
    if (procs <= EXACT)
        return (unsigned)procs - 1;
    unsigned below = (unsigned)(procs - 1); /* so that a doubling is from 2^k + 1 to 2^(k + 1) */
    unsigned doublings = 31u - (unsigned)__builtin_clz(below);
    return EXACT + ((doublings - EXACT_BITS) << STEP_BITS) +
           ((below >> (doublings - STEP_BITS)) & ((1u << STEP_BITS) - 1));
}

int64_t loom_lane_width(unsigned lane)
{
    if (lane < EXACT)
        return lane + 1;
    unsigned doublings = EXACT_BITS + ((lane - EXACT) >> STEP_BITS);
    int64_t step = (lane - EXACT) & ((1u << STEP_BITS) - 1);
    return (((int64_t)1 << STEP_BITS) + step) * ((int64_t)1 << (doublings - STEP_BITS)) + 1;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* So many lanes, in place of those there are. */
static int make_lanes(struct loom_lanes *lanes, unsigned n)
{
    loom_lanes_free(lanes);
    lanes->lanes = calloc(n, sizeof *lanes->lanes);
    if (!lanes->lanes)
        return -1;
    lanes->capacity = n;
    for (unsigned value = 0; value < LOOM_LANE_VALUES; value++) {
        lanes->least[value] = malloc(n * sizeof *lanes->least[value]);
        if (!lanes->least[value])
            return -1;
    }
    return 0;
}

int loom_lanes_open(struct loom_lanes *lanes, int64_t widest)
{
    unsigned n = loom_lane_of(widest) + 1;
    if (n > lanes->capacity && make_lanes(lanes, n))
        return -1;
    lanes->n = n;
    lanes->jobs = 0;
    for (unsigned lane = 0; lane < n; lane++)
        lanes->lanes[lane].n = 0;
    for (unsigned value = 0; value < LOOM_LANE_VALUES; value++) {
        for (unsigned lane = 0; lane < n; lane++)
            lanes->least[value][lane] = LOOM_NO_VALUE;
        lanes->least_of_all[value] = LOOM_NO_VALUE;
    }
    return 0;
}

void loom_lanes_free(struct loom_lanes *lanes)
{
    for (unsigned i = 0; i < lanes->capacity; i++) {
        free(lanes->lanes[i].jobs);
        free(lanes->lanes[i].owns);
        for (unsigned tier = 1; tier < TIERS; tier++)
            free(lanes->lanes[i].tiers[tier]);
    }
    for (unsigned value = 0; value < LOOM_LANE_VALUES; value++)
        free(lanes->least[value]);
    free(lanes->lanes);
    free(lanes->place);
    free(lanes->lane);
    *lanes = (struct loom_lanes){0};
}

/* ---- changing -------------------------------------------------------------------------------- */

/* How many entries a tier has. */
static size_t entries(const struct loom_lane *lane, unsigned tier)
{
    return ((lane->n - 1) >> (BITS * tier)) + 1;
}

static int64_t value_of(const struct own *own, enum loom_lane_value value)
{
    bool loose = own->start_s == LOOM_NO_VALUE;
    if (value == LOOM_LANE_START)
        return own->start_s;
    return loose == (value == LOOM_LANE_LOOSE) ? own->length_s : LOOM_NO_VALUE;
}

/* Of an entry of any tier. */
static inline int64_t value_at(const struct loom_lane *lane, unsigned tier, size_t at,
                               enum loom_lane_value value)
{
    return tier == 0 ? value_of(&lane->owns[at], value) : lane->tiers[tier][at].value[value];
}

int64_t loom_lanes_get(const struct loom_lanes *lanes, uint32_t job, enum loom_lane_value value)
{
    return value_at(&lanes->lanes[lanes->lane[job]], 0, lanes->place[job], value);
}

/* The least of the block below an entry of a tier above 0. */
static int64_t least_below(const struct loom_lane *lane, unsigned tier, size_t at,
                           enum loom_lane_value value)
{
    size_t first = at << BITS, end = entries(lane, tier - 1);
    int64_t least = LOOM_NO_VALUE;
    end = end < first + BLOCK ? end : first + BLOCK;
    for (size_t i = first; i < end; i++) {
        int64_t each = value_at(lane, tier - 1, i, value);
        least = each < least ? each : least;
    }
    return least;
}

/* The least of a whole lane. */
static int64_t least_of(const struct loom_lane *lane, enum loom_lane_value value)
{
    int64_t least = LOOM_NO_VALUE;
    for (size_t i = 0; i < entries(lane, TIERS - 1); i++)
        if (lane->tiers[TIERS - 1][i].value[value] < least)
            least = lane->tiers[TIERS - 1][i].value[value];
    return least;
}

/* The least of a lane has changed. */
static void renew_least(struct loom_lanes *lanes, unsigned lane, enum loom_lane_value value)
{
    int64_t *least = &lanes->least[value][lane], before = *least, all = LOOM_NO_VALUE;
    *least = least_of(&lanes->lanes[lane], value);
    if (*least <= lanes->least_of_all[value]) {
        lanes->least_of_all[value] = *least;
        return;
    }
    if (before > lanes->least_of_all[value])
        return;
    for (unsigned i = 0; i < lanes->n; i++)
        all = lanes->least[value][i] < all ? lanes->least[value][i] : all;
    lanes->least_of_all[value] = all;
}

/* A value of a job has changed: bring the least of its blocks up to date. */
static void spread(struct loom_lanes *lanes, uint32_t job, enum loom_lane_value value, int64_t old,
                   int64_t to)
{
    struct loom_lane *lane = &lanes->lanes[lanes->lane[job]];
    size_t at = lanes->place[job];
    for (unsigned tier = 1; tier < TIERS; tier++) {
        at >>= BITS;
        int64_t *least = &lane->tiers[tier][at].value[value], before = *least;
        if (to <= before)
            *least = to;
        else if (old == before)
            *least = least_below(lane, tier, at, value);
        if (*least == before)
            return;
    }
    renew_least(lanes, lanes->lane[job], value);
}

void loom_lanes_set(struct loom_lanes *lanes, uint32_t job, int64_t length_s, int64_t start_s)
{
    struct own *own = &lanes->lanes[lanes->lane[job]].owns[lanes->place[job]], old = *own;
    *own = (struct own){length_s, start_s};
    for (enum loom_lane_value value = 0; value < LOOM_LANE_VALUES; value++)
        if (value_of(own, value) != value_of(&old, value))
            spread(lanes, job, value, value_of(&old, value), value_of(own, value));
}

/* ---- coming and going ------------------------------------------------------------------------ */

static bool waits(const struct own *own)
{
    return own->length_s != LOOM_NO_VALUE;
}

static size_t count_waiting(const struct loom_lane *lane)
{
    size_t n = 0;
    for (size_t at = 0; at < lane->n; at++)
        n += waits(&lane->owns[at]);
    return n;
}

static void renew_tiers(struct loom_lane *lane)
{
    for (unsigned tier = 1; tier < TIERS && lane->n > 0; tier++)
        for (size_t at = 0; at < entries(lane, tier); at++)
            for (enum loom_lane_value value = 0; value < LOOM_LANE_VALUES; value++)
                lane->tiers[tier][at].value[value] = least_below(lane, tier, at, value);
}

/* Take out the jobs that have gone. */
static void close_ranks(struct loom_lanes *lanes, struct loom_lane *lane)
{
    size_t n = 0;
    for (size_t at = 0; at < lane->n; at++)
        if (waits(&lane->owns[at])) {
            lane->owns[n] = lane->owns[at];
            lane->jobs[n] = lane->jobs[at];
            lanes->place[lane->jobs[n]] = (uint32_t)n;
            n++;
        }
    lane->n = n;
    renew_tiers(lane);
}

/* Room for one more place, in every tier. */
static int make_room(struct loom_lanes *lanes, struct loom_lane *lane)
{
    if (lane->n == lane->jobs_capacity && count_waiting(lane) <= lane->n / 2)
        close_ranks(lanes, lane);
    if (loom_grow(&lane->jobs, lane->n, &lane->jobs_capacity) ||
        loom_grow(&lane->owns, lane->n, &lane->owns_capacity))
        return -1;
    for (unsigned tier = 1; tier < TIERS; tier++)
        if (loom_grow(&lane->tiers[tier], lane->n >> (BITS * tier), &lane->tier_capacity[tier]))
            return -1;
    return 0;
}

int loom_lanes_add(struct loom_lanes *lanes, int64_t procs, int64_t length_s)
{
    static const struct own nothing = {LOOM_NO_VALUE, LOOM_NO_VALUE};
    static const struct least none = {{LOOM_NO_VALUE, LOOM_NO_VALUE, LOOM_NO_VALUE}};
    unsigned number = loom_lane_of(procs);
    struct loom_lane *lane = &lanes->lanes[number];
    if (make_room(lanes, lane) || loom_grow(&lanes->place, lanes->jobs, &lanes->place_capacity) ||
        loom_grow(&lanes->lane, lanes->jobs, &lanes->lane_capacity))
        return -1;
    lane->owns[lane->n] = nothing;
    for (unsigned tier = 1; tier < TIERS && lane->n % ((size_t)1 << (BITS * tier)) == 0; tier++)
        lane->tiers[tier][lane->n >> (BITS * tier)] = none;
    lanes->place[lanes->jobs] = (uint32_t)lane->n;
    lanes->lane[lanes->jobs] = (uint16_t)number;
    lane->jobs[lane->n++] = (uint32_t)lanes->jobs++;
    loom_lanes_set(lanes, (uint32_t)lanes->jobs - 1, length_s, LOOM_NO_VALUE);
    return 0;
}

/* Its place stays until ranks are closed. */
void loom_lanes_remove(struct loom_lanes *lanes, uint32_t job)
{
    loom_lanes_set(lanes, job, LOOM_NO_VALUE, LOOM_NO_VALUE);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* A quest in one lane: either value, or both the same. */
struct limits {
    enum loom_lane_value first, second;
    int64_t first_limit, second_limit;
};

static struct limits limits_of(const struct loom_lanes_quest *quest, unsigned lane)
{
    const int64_t *second = quest->limit[1] ? quest->limit[1] : quest->limit[0];
    return (struct limits){
        .first = quest->value[0],
        .second = quest->limit[1] ? quest->value[1] : quest->value[0],
        .first_limit = quest->limit[0][lane],
        .second_limit = second[lane],
    };
}

static inline bool passes(const struct loom_lane *lane, unsigned tier, size_t at,
                          const struct limits *limits)
{
    bool first = value_at(lane, tier, at, limits->first) <= limits->first_limit;
    bool second = value_at(lane, tier, at, limits->second) <= limits->second_limit;
    return first | second;
}

/* The first entry of a tier from `at` to the end of its block that passes, or the end. */
static size_t first_in_block(const struct loom_lane *lane, unsigned tier, size_t at,
                             const struct limits *limits)
{
    size_t end = ((at >> BITS) + 1) << BITS, n = entries(lane, tier);
    end = end < n ? end : n;
    while (at < end && !passes(lane, tier, at, limits))
        at++;
    return at;
}

/* The first place from `at` on whose job passes and has a number below `before`, or n. */
static size_t next_place(const struct loom_lane *lane, size_t at, const struct limits *limits,
                         uint32_t before)
{
    unsigned tier = 0;
    /* As high up as there are blocks that begin here. */
    for (; at % BLOCK == 0 && entries(lane, tier) > BLOCK && tier + 1 < TIERS; tier++)
        at >>= BITS;
    while (at < entries(lane, tier) && lane->jobs[at << BITS * tier] < before) {
        size_t found = first_in_block(lane, tier, at, limits);
        bool over = found >= entries(lane, tier) || found >> BITS != at >> BITS;
        if (!over && tier == 0)
            return lane->jobs[found] < before ? found : lane->n;
        at = over ? (at >> BITS) + 1 : found << BITS;
        if (over && ++tier == TIERS)
            break;
        tier -= !over;
    }
    return lane->n;
}

/* The first place whose job has at least this number. */
static size_t place_from(const struct loom_lane *lane, uint32_t job)
{
    size_t low = 0, high = job > 0 ? lane->n : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (lane->jobs[middle] < job)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first job of a lane that will do, from a number on and before another, which is the result if
 * there is none. */
static uint32_t next_of_lane(const struct loom_lane *lane, const struct loom_lanes_quest *quest,
                             const struct limits *limits, uint32_t from, uint32_t before)
{
    size_t at = place_from(lane, from);
    while ((at = next_place(lane, at, limits, before)) < lane->n) {
        if (quest->is(quest->self, lane->jobs[at]))
            return lane->jobs[at];
        at++;
    }
    return before;
}

uint32_t loom_lanes_next(const struct loom_lanes *lanes, const struct loom_lanes_quest *quest,
                         uint32_t from)
{
    uint32_t first = LOOM_NO_JOB;
    for (unsigned lane = 0; lane < quest->n_lanes; lane++) {
        struct limits limits = limits_of(quest, lane);
        if (lanes->least[limits.first][lane] <= limits.first_limit ||
            lanes->least[limits.second][lane] <= limits.second_limit)
            first = next_of_lane(&lanes->lanes[lane], quest, &limits, from, first);
    }
    return first;
}

int loom_lanes_list_booked(const struct loom_lanes *lanes, struct loom_lanes_list *list)
{
    static const struct limits booked = {LOOM_LANE_START, LOOM_LANE_START, LOOM_NO_VALUE - 1,
                                         LOOM_NO_VALUE - 1};
    list->n = 0;
    for (unsigned i = 0; i < lanes->n; i++) {
        const struct loom_lane *lane = &lanes->lanes[i];
        size_t at = lanes->least[LOOM_LANE_START][i] == LOOM_NO_VALUE ? lane->n : 0;
        for (; (at = next_place(lane, at, &booked, LOOM_NO_JOB)) < lane->n; at++) {
            if (loom_grow(&list->jobs, list->n, &list->capacity))
                return -1;
            list->jobs[list->n++] = lane->jobs[at];
        }
    }
    loom_sort_int64(list->jobs, list->n);
    return 0;
}
