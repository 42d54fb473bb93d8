/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs by width, and the search through all widths. */
#include "sched/lanes.h"

#include "base/vec.h"

#include <workloom/sim.h>

/* Sixteen to a block. */
enum { BITS = 4, BLOCK = 1 << BITS, TIERS = 6 };

struct least {
    int64_t value[LOOM_LANE_VALUES];
};

/* Tier 0 has the values of the jobs, every other the least of the blocks of the one below. */
struct loom_lane {
    uint32_t *jobs; /* by place */
    size_t n, capacity;
    struct least *tiers[TIERS];
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

int loom_lanes_open(struct loom_lanes *lanes, int64_t widest)
{
    unsigned n = loom_lane_of(widest) + 1;
    *lanes = (struct loom_lanes){.lanes = calloc(n, sizeof *lanes->lanes)};
    if (!lanes->lanes)
        return -1;
    lanes->n = n;
    for (unsigned value = 0; value < LOOM_LANE_VALUES; value++) {
        lanes->least[value] = malloc(n * sizeof *lanes->least[value]);
        if (!lanes->least[value])
            return -1;
        for (unsigned lane = 0; lane < n; lane++)
            lanes->least[value][lane] = LOOM_NO_VALUE;
        lanes->least_of_all[value] = LOOM_NO_VALUE;
    }
    return 0;
}

void loom_lanes_free(struct loom_lanes *lanes)
{
    for (unsigned i = 0; i < lanes->n; i++) {
        free(lanes->lanes[i].jobs);
        for (unsigned tier = 0; tier < TIERS; tier++)
            free(lanes->lanes[i].tiers[tier]);
    }
    for (unsigned value = 0; value < LOOM_LANE_VALUES; value++)
        free(lanes->least[value]);
    free(lanes->lanes);
    free(lanes->place);
    free(lanes->lane);
    *lanes = (struct loom_lanes){0};
}

/* ---- adding and changing --------------------------------------------------------------------- */

/* How many entries a tier has. */
static size_t entries(const struct loom_lane *lane, unsigned tier)
{
    return ((lane->n - 1) >> (BITS * tier)) + 1;
}

/* Room for one more place, in every tier. */
static int make_room(struct loom_lane *lane)
{
    if (loom_grow(&lane->jobs, lane->n, &lane->capacity))
        return -1;
    for (unsigned tier = 0; tier < TIERS; tier++)
        if (loom_grow(&lane->tiers[tier], lane->n >> (BITS * tier), &lane->tier_capacity[tier]))
            return -1;
    return 0;
}

int loom_lanes_add(struct loom_lanes *lanes, int64_t procs)
{
    static const struct least none = {{LOOM_NO_VALUE, LOOM_NO_VALUE, LOOM_NO_VALUE}};
    unsigned number = loom_lane_of(procs);
    struct loom_lane *lane = &lanes->lanes[number];
    if (make_room(lane) || loom_grow(&lanes->place, lanes->jobs, &lanes->place_capacity) ||
        loom_grow(&lanes->lane, lanes->jobs, &lanes->lane_capacity))
        return -1;
    for (unsigned tier = 0; tier < TIERS && lane->n % ((size_t)1 << (BITS * tier)) == 0; tier++)
        lane->tiers[tier][lane->n >> (BITS * tier)] = none;
    lanes->place[lanes->jobs] = (uint32_t)lane->n;
    lanes->lane[lanes->jobs] = (uint16_t)number;
    lane->jobs[lane->n++] = (uint32_t)lanes->jobs++;
    return 0;
}

int64_t loom_lanes_get(const struct loom_lanes *lanes, uint32_t job, unsigned value)
{
    return lanes->lanes[lanes->lane[job]].tiers[0][lanes->place[job]].value[value];
}

/* The least of the block below an entry of a tier above 0. */
static int64_t least_below(const struct loom_lane *lane, unsigned tier, size_t at, unsigned value)
{
    size_t first = at << BITS, end = entries(lane, tier - 1);
    int64_t least = LOOM_NO_VALUE;
    end = end < first + BLOCK ? end : first + BLOCK;
    for (size_t i = first; i < end; i++) {
        int64_t own = lane->tiers[tier - 1][i].value[value];
        least = own < least ? own : least;
    }
    return least;
}

/* The least of a whole lane. */
static int64_t least_of(const struct loom_lane *lane, unsigned value)
{
    int64_t least = LOOM_NO_VALUE;
    for (size_t i = 0; i < entries(lane, TIERS - 1); i++)
        if (lane->tiers[TIERS - 1][i].value[value] < least)
            least = lane->tiers[TIERS - 1][i].value[value];
    return least;
}

/* The least of a lane has changed. */
static void renew_least(struct loom_lanes *lanes, unsigned lane, unsigned value)
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

void loom_lanes_set(struct loom_lanes *lanes, uint32_t job, unsigned value, int64_t to)
{
    struct loom_lane *lane = &lanes->lanes[lanes->lane[job]];
    size_t at = lanes->place[job];
    int64_t *own = &lane->tiers[0][at].value[value], old = *own;
    *own = to;
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

/* ---- searching ------------------------------------------------------------------------------- */

/* A quest in one lane: either value, or both the same. */
struct limits {
    unsigned first, second;
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

static bool passes(const struct limits *limits, const struct least *least)
{
    return (least->value[limits->first] <= limits->first_limit) |
           (least->value[limits->second] <= limits->second_limit);
}

/* The first entry of a tier from `at` to the end of its block that passes, or the end. */
static size_t first_in_block(const struct loom_lane *lane, unsigned tier, size_t at,
                             const struct limits *limits)
{
    size_t end = ((at >> BITS) + 1) << BITS, n = entries(lane, tier);
    end = end < n ? end : n;
    while (at < end && !passes(limits, &lane->tiers[tier][at]))
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
