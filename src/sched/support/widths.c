/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs by width, and the search through all widths. */
#include "sched/support/widths.h"

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
    int64_t value[LOOM_WIDTH_VALUES];
};

/* Tier 0 is what the jobs have, every other the least of the blocks of the one below. */
struct loom_width_class {
    uint32_t *jobs;   /* by place */
    struct own *owns; /* by place */
    size_t n, jobs_capacity, owns_capacity;
    struct least *tiers[TIERS]; /* from 1 on */
    size_t tier_capacity[TIERS];
};

/* ---- widths ---------------------------------------------------------------------------------- */

enum { EXACT = 64, EXACT_BITS = 6, STEP_BITS = 5 };

unsigned loom_width_class_of(int64_t procs)
{
    if (procs <= EXACT)
        return (unsigned)procs - 1;
    unsigned below = (unsigned)(procs - 1); /* so that a doubling is from 2^k + 1 to 2^(k + 1) */
    unsigned doublings = 31u - (unsigned)__builtin_clz(below);
    return EXACT + ((doublings - EXACT_BITS) << STEP_BITS) +
           ((below >> (doublings - STEP_BITS)) & ((1u << STEP_BITS) - 1));
}

int64_t loom_width_class_least(unsigned class)
{
    if (class < EXACT)
        return class + 1;
    unsigned doublings = EXACT_BITS + ((class - EXACT) >> STEP_BITS);
    int64_t step = (class - EXACT) & ((1u << STEP_BITS) - 1);
    return (((int64_t)1 << STEP_BITS) + step) * ((int64_t)1 << (doublings - STEP_BITS)) + 1;
}

/* ---- widths -----------------------------------------------------------------------------------
 */

/* So many widths, in place of those there are. */
static int make_classes(struct loom_widths *widths, unsigned n)
{
    loom_widths_free(widths);
    widths->classes = calloc(n, sizeof *widths->classes);
    if (!widths->classes)
        return -1;
    widths->capacity = n;
    for (unsigned value = 0; value < LOOM_WIDTH_VALUES; value++) {
        widths->least[value] = malloc(n * sizeof *widths->least[value]);
        if (!widths->least[value])
            return -1;
    }
    return 0;
}

int loom_widths_open(struct loom_widths *widths, int64_t widest)
{
    unsigned n = loom_width_class_of(widest) + 1;
    if (n > widths->capacity && make_classes(widths, n))
        return -1;
    widths->n = n;
    widths->jobs = 0;
    for (unsigned class = 0; class < n; class ++)
        widths->classes[class].n = 0;
    for (unsigned value = 0; value < LOOM_WIDTH_VALUES; value++) {
        for (unsigned class = 0; class < n; class ++)
            widths->least[value][class] = LOOM_NO_VALUE;
        widths->least_of_all[value] = LOOM_NO_VALUE;
    }
    return 0;
}

void loom_widths_free(struct loom_widths *widths)
{
    for (unsigned i = 0; i < widths->capacity; i++) {
        free(widths->classes[i].jobs);
        free(widths->classes[i].owns);
        for (unsigned tier = 1; tier < TIERS; tier++)
            free(widths->classes[i].tiers[tier]);
    }
    for (unsigned value = 0; value < LOOM_WIDTH_VALUES; value++)
        free(widths->least[value]);
    free(widths->classes);
    free(widths->place);
    free(widths->class);
    *widths = (struct loom_widths){0};
}

/* ---- changing -------------------------------------------------------------------------------- */

/* How many entries a tier has. */
static size_t entries(const struct loom_width_class *class, unsigned tier)
{
    return ((class->n - 1) >> (BITS * tier)) + 1;
}

static int64_t value_of(const struct own *own, enum loom_width_value value)
{
    bool loose = own->start_s == LOOM_NO_VALUE;
    if (value == LOOM_WIDTH_START)
        return own->start_s;
    return loose == (value == LOOM_WIDTH_LOOSE) ? own->length_s : LOOM_NO_VALUE;
}

/* Of an entry of any tier. */
static inline int64_t value_at(const struct loom_width_class *class, unsigned tier, size_t at,
                               enum loom_width_value value)
{
    return tier == 0 ? value_of(&class->owns[at], value) : class->tiers[tier][at].value[value];
}

int64_t loom_widths_get(const struct loom_widths *widths, uint32_t job, enum loom_width_value value)
{
    return value_at(&widths->classes[widths->class[job]], 0, widths->place[job], value);
}

/* The least of the block below an entry of a tier above 0. */
static int64_t least_below(const struct loom_width_class *class, unsigned tier, size_t at,
                           enum loom_width_value value)
{
    size_t first = at << BITS, end = entries(class, tier - 1);
    int64_t least = LOOM_NO_VALUE;
    end = end < first + BLOCK ? end : first + BLOCK;
    for (size_t i = first; i < end; i++) {
        int64_t each = value_at(class, tier - 1, i, value);
        least = each < least ? each : least;
    }
    return least;
}

/* The least of a whole class. */
static int64_t least_of(const struct loom_width_class *class, enum loom_width_value value)
{
    int64_t least = LOOM_NO_VALUE;
    for (size_t i = 0; i < entries(class, TIERS - 1); i++)
        if (class->tiers[TIERS - 1][i].value[value] < least)
            least = class->tiers[TIERS - 1][i].value[value];
    return least;
}

/* The least of a class has changed. */
static void renew_least(struct loom_widths *widths, unsigned class, enum loom_width_value value)
{
    int64_t *least = &widths->least[value][class], before = *least, all = LOOM_NO_VALUE;
    *least = least_of(&widths->classes[class], value);
    if (*least <= widths->least_of_all[value]) {
        widths->least_of_all[value] = *least;
        return;
    }
    if (before > widths->least_of_all[value])
        return;
    for (unsigned i = 0; i < widths->n; i++)
        all = widths->least[value][i] < all ? widths->least[value][i] : all;
    widths->least_of_all[value] = all;
}

/* A value of a job has changed: bring the least of its blocks up to date. */
static void spread(struct loom_widths *widths, uint32_t job, enum loom_width_value value,
                   int64_t old, int64_t to)
{
    struct loom_width_class *class = &widths->classes[widths->class[job]];
    size_t at = widths->place[job];
    for (unsigned tier = 1; tier < TIERS; tier++) {
        at >>= BITS;
        int64_t *least = &class->tiers[tier][at].value[value], before = *least;
        if (to <= before)
            *least = to;
        else if (old == before)
            *least = least_below(class, tier, at, value);
        if (*least == before)
            return;
    }
    renew_least(widths, widths->class[job], value);
}

void loom_widths_set(struct loom_widths *widths, uint32_t job, int64_t length_s, int64_t start_s)
{
    struct own *own = &widths->classes[widths->class[job]].owns[widths->place[job]], old = *own;
    *own = (struct own){length_s, start_s};
    for (enum loom_width_value value = 0; value < LOOM_WIDTH_VALUES; value++)
        if (value_of(own, value) != value_of(&old, value))
            spread(widths, job, value, value_of(&old, value), value_of(own, value));
}

/* ---- coming and going ------------------------------------------------------------------------ */

static bool waits(const struct own *own)
{
    return own->length_s != LOOM_NO_VALUE;
}

static size_t count_waiting(const struct loom_width_class *class)
{
    size_t n = 0;
    for (size_t at = 0; at < class->n; at++)
        n += waits(&class->owns[at]);
    return n;
}

static void renew_tiers(struct loom_width_class *class)
{
    for (unsigned tier = 1; tier<TIERS &&class->n> 0; tier++)
        for (size_t at = 0; at < entries(class, tier); at++)
            for (enum loom_width_value value = 0; value < LOOM_WIDTH_VALUES; value++)
                class->tiers[tier][at].value[value] = least_below(class, tier, at, value);
}

/* Take out the jobs that have gone. */
static void close_ranks(struct loom_widths *widths, struct loom_width_class *class)
{
    size_t n = 0;
    for (size_t at = 0; at < class->n; at++)
        if (waits(&class->owns[at])) {
            class->owns[n] = class->owns[at];
            class->jobs[n] = class->jobs[at];
            widths->place[class->jobs[n]] = (uint32_t)n;
            n++;
        }
    class->n = n;
    renew_tiers(class);
}

/* Room for one more place, in every tier. */
static int make_room(struct loom_widths *widths, struct loom_width_class *class)
{
    if (class->n == class->jobs_capacity && count_waiting(class) <= class->n / 2)
        close_ranks(widths, class);
    if (loom_grow(&class->jobs, class->n, &class->jobs_capacity) ||
        loom_grow(&class->owns, class->n, &class->owns_capacity))
        return -1;
    for (unsigned tier = 1; tier < TIERS; tier++)
        if (loom_grow(&class->tiers[tier], class->n >> (BITS * tier), &class->tier_capacity[tier]))
            return -1;
    return 0;
}

int loom_widths_add(struct loom_widths *widths, int64_t procs, int64_t length_s)
{
    static const struct own nothing = {LOOM_NO_VALUE, LOOM_NO_VALUE};
    static const struct least none = {{LOOM_NO_VALUE, LOOM_NO_VALUE, LOOM_NO_VALUE}};
    unsigned number = loom_width_class_of(procs);
    struct loom_width_class *class = &widths->classes[number];
    if (make_room(widths, class) ||
        loom_grow(&widths->place, widths->jobs, &widths->place_capacity) ||
        loom_grow(&widths->class, widths->jobs, &widths->class_capacity))
        return -1;
    class->owns[class->n] = nothing;
    for (unsigned tier = 1; tier < TIERS && class->n % ((size_t)1 << (BITS * tier)) == 0; tier++)
        class->tiers[tier][class->n >> (BITS * tier)] = none;
    widths->place[widths->jobs] = (uint32_t) class->n;
    widths->class[widths->jobs] = (uint16_t)number;
    class->jobs[class->n++] = (uint32_t)widths->jobs++;
    loom_widths_set(widths, (uint32_t)widths->jobs - 1, length_s, LOOM_NO_VALUE);
    return 0;
}

/* Its place stays until ranks are closed. */
void loom_widths_remove(struct loom_widths *widths, uint32_t job)
{
    loom_widths_set(widths, job, LOOM_NO_VALUE, LOOM_NO_VALUE);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* A query in one class: either value, or both the same. */
struct limits {
    enum loom_width_value first, second;
    int64_t first_limit, second_limit;
};

static struct limits limits_of(const struct loom_widths_query *query, unsigned class)
{
    const int64_t *second = query->limit[1] ? query->limit[1] : query->limit[0];
    return (struct limits){
        .first = query->value[0],
        .second = query->limit[1] ? query->value[1] : query->value[0],
        .first_limit = query->limit[0][class],
        .second_limit = second[class],
    };
}

static inline bool passes(const struct loom_width_class *class, unsigned tier, size_t at,
                          const struct limits *limits)
{
    bool first = value_at(class, tier, at, limits->first) <= limits->first_limit;
    bool second = value_at(class, tier, at, limits->second) <= limits->second_limit;
    return first | second;
}

/* The first entry of a tier from `at` to the end of its block that passes, or the end. */
static size_t first_in_block(const struct loom_width_class *class, unsigned tier, size_t at,
                             const struct limits *limits)
{
    size_t end = ((at >> BITS) + 1) << BITS, n = entries(class, tier);
    end = end < n ? end : n;
    while (at < end && !passes(class, tier, at, limits))
        at++;
    return at;
}

/* The first place from `at` on whose job passes and has a number below `before`, or n. */
static size_t next_place(const struct loom_width_class *class, size_t at,
                         const struct limits *limits, uint32_t before)
{
    unsigned tier = 0;
    /* As high up as there are blocks that begin here. */
    for (; at % BLOCK == 0 && entries(class, tier) > BLOCK && tier + 1 < TIERS; tier++)
        at >>= BITS;
    while (at < entries(class, tier) && class->jobs[at << BITS * tier] < before) {
        size_t found = first_in_block(class, tier, at, limits);
        bool over = found >= entries(class, tier) || found >> BITS != at >> BITS;
        if (!over && tier == 0)
            return class->jobs[found] < before ? found : class->n;
        at = over ? (at >> BITS) + 1 : found << BITS;
        if (over && ++tier == TIERS)
            break;
        tier -= !over;
    }
    return class->n;
}

/* The first place whose job has at least this number. */
static size_t place_from(const struct loom_width_class *class, uint32_t job)
{
    size_t low = 0, high = job > 0 ? class->n : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (class->jobs[middle] < job)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first job of a class that will do, from a number on and before another, which is the result
 * if there is none. */
static uint32_t next_of_class(const struct loom_width_class *class,
                              const struct loom_widths_query *query, const struct limits *limits,
                              uint32_t from, uint32_t before)
{
    size_t at = place_from(class, from);
    while ((at = next_place(class, at, limits, before)) < class->n) {
        if (query->is(query->self, class->jobs[at]))
            return class->jobs[at];
        at++;
    }
    return before;
}

uint32_t loom_widths_next(const struct loom_widths *widths, const struct loom_widths_query *query,
                          uint32_t from)
{
    uint32_t first = LOOM_NO_JOB;
    for (unsigned class = 0; class < query->n_classes; class ++) {
        struct limits limits = limits_of(query, class);
        if (widths->least[limits.first][class] <= limits.first_limit ||
            widths->least[limits.second][class] <= limits.second_limit)
            first = next_of_class(&widths->classes[class], query, &limits, from, first);
    }
    return first;
}

int loom_widths_list_booked(const struct loom_widths *widths, struct loom_widths_list *list)
{
    static const struct limits booked = {LOOM_WIDTH_START, LOOM_WIDTH_START, LOOM_NO_VALUE - 1,
                                         LOOM_NO_VALUE - 1};
    list->n = 0;
    for (unsigned i = 0; i < widths->n; i++) {
        const struct loom_width_class *class = &widths->classes[i];
        size_t at = widths->least[LOOM_WIDTH_START][i] == LOOM_NO_VALUE ? class->n : 0;
        for (; (at = next_place(class, at, &booked, LOOM_NO_JOB)) < class->n; at++) {
            if (loom_grow(&list->jobs, list->n, &list->capacity))
                return -1;
            list->jobs[list->n++] = class->jobs[at];
        }
    }
    loom_sort_int64(list->jobs, list->n);
    return 0;
}
