/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waiting jobs by width, and the search over all widths. */
#include "sched/support/width_index.h"

#include "base/sort.h"
#include "base/vec.h"

#include <workloom/sim.h>

enum { BITS = 4, BLOCK = 1 << BITS, LEVELS = 6 }; /* entries per block: BLOCK */

/* Values of a job; LOOM_NO_VALUE: none. */
struct job_values {
    int64_t length_s, start_s;
};

struct minima {
    int64_t value[LOOM_WIDTH_VALUES];
};

/* Level 0 has the values of the jobs. Level n + 1 has an entry for each block of level n: the
 * minimum of each value. */
struct loom_width_group {
    uint32_t *jobs;            /* by position */
    struct job_values *values; /* by position */
    size_t n, jobs_capacity, values_capacity;
    struct minima *levels[LEVELS]; /* levels[0] is not used */
    size_t level_capacity[LEVELS];
};

/* ---- groups ---------------------------------------------------------------------------------- */

enum { EXACT = 64, EXACT_BITS = 6, STEP_BITS = 5 };

unsigned loom_width_group_of(int64_t procs)
{
    if (procs <= EXACT)
        return (unsigned)procs - 1;
    unsigned below = (unsigned)(procs - 1); /* so that a doubling is from 2^k + 1 to 2^(k + 1) */
    unsigned doublings = 31u - (unsigned)__builtin_clz(below);
    return EXACT + ((doublings - EXACT_BITS) << STEP_BITS) +
           ((below >> (doublings - STEP_BITS)) & ((1u << STEP_BITS) - 1));
}

int64_t loom_width_group_min(unsigned group)
{
    if (group < EXACT)
        return group + 1;
    unsigned doublings = EXACT_BITS + ((group - EXACT) >> STEP_BITS);
    int64_t step = (group - EXACT) & ((1u << STEP_BITS) - 1);
    return (((int64_t)1 << STEP_BITS) + step) * ((int64_t)1 << (doublings - STEP_BITS)) + 1;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Replace the groups by n new ones. 0, or -1 if out of memory. */
static int make_groups(struct loom_width_index *index, unsigned n)
{
    loom_width_index_free(index);
    index->groups = calloc(n, sizeof *index->groups);
    if (!index->groups)
        return -1;
    index->capacity = n;
    for (unsigned value = 0; value < LOOM_WIDTH_VALUES; value++) {
        index->min[value] = malloc(n * sizeof *index->min[value]);
        if (!index->min[value])
            return -1;
    }
    return 0;
}

int loom_width_index_open(struct loom_width_index *index, int64_t widest)
{
    unsigned n = loom_width_group_of(widest) + 1;
    if (n > index->capacity && make_groups(index, n))
        return -1;
    index->n = n;
    index->jobs = 0;
    for (unsigned group = 0; group < n; group++)
        index->groups[group].n = 0;
    for (unsigned value = 0; value < LOOM_WIDTH_VALUES; value++) {
        for (unsigned group = 0; group < n; group++)
            index->min[value][group] = LOOM_NO_VALUE;
        index->overall_min[value] = LOOM_NO_VALUE;
    }
    return 0;
}

void loom_width_index_free(struct loom_width_index *index)
{
    for (unsigned i = 0; i < index->capacity; i++) {
        free(index->groups[i].jobs);
        free(index->groups[i].values);
        for (unsigned level = 1; level < LEVELS; level++)
            free(index->groups[i].levels[level]);
    }
    for (unsigned value = 0; value < LOOM_WIDTH_VALUES; value++)
        free(index->min[value]);
    free(index->groups);
    free(index->position);
    free(index->group);
    *index = (struct loom_width_index){0};
}

/* ---- changing -------------------------------------------------------------------------------- */

/* Return how many entries a level has. */
static size_t entries(const struct loom_width_group *group, unsigned level)
{
    return ((group->n - 1) >> (BITS * level)) + 1;
}

/* Return a value of a job, or LOOM_NO_VALUE. */
static int64_t value_of(const struct job_values *job, enum loom_width_value value)
{
    bool reserved = job->start_s != LOOM_NO_VALUE;
    if (value == LOOM_WIDTH_START)
        return job->start_s;
    return reserved == (value == LOOM_WIDTH_RESERVED) ? job->length_s : LOOM_NO_VALUE;
}

/* Return a value of an entry of any level. */
static inline int64_t value_at(const struct loom_width_group *group, unsigned level, size_t at,
                               enum loom_width_value value)
{
    return level == 0 ? value_of(&group->values[at], value) : group->levels[level][at].value[value];
}

int64_t loom_width_index_get(const struct loom_width_index *index, uint32_t job,
                             enum loom_width_value value)
{
    return value_at(&index->groups[index->group[job]], 0, index->position[job], value);
}

/* Return the minimum of the block below an entry of a level above 0. */
static int64_t min_below(const struct loom_width_group *group, unsigned level, size_t at,
                         enum loom_width_value value)
{
    size_t first = at << BITS, end = entries(group, level - 1);
    int64_t min = LOOM_NO_VALUE;
    end = end < first + BLOCK ? end : first + BLOCK;
    for (size_t i = first; i < end; i++) {
        int64_t each = value_at(group, level - 1, i, value);
        min = each < min ? each : min;
    }
    return min;
}

/* Return the minimum of a group. */
static int64_t min_of(const struct loom_width_group *group, enum loom_width_value value)
{
    int64_t min = LOOM_NO_VALUE;
    for (size_t i = 0; i < entries(group, LEVELS - 1); i++)
        if (group->levels[LEVELS - 1][i].value[value] < min)
            min = group->levels[LEVELS - 1][i].value[value];
    return min;
}

/* Recompute the minimum of a group, and the overall one. */
static void renew_min(struct loom_width_index *index, unsigned group, enum loom_width_value value)
{
    int64_t *min = &index->min[value][group], before = *min, overall = LOOM_NO_VALUE;
    *min = min_of(&index->groups[group], value);
    if (*min <= index->overall_min[value]) {
        index->overall_min[value] = *min;
        return;
    }
    if (before > index->overall_min[value])
        return;
    for (unsigned i = 0; i < index->n; i++)
        overall = index->min[value][i] < overall ? index->min[value][i] : overall;
    index->overall_min[value] = overall;
}

/* Update the minima after a value of a job has changed. */
static void update_minima(struct loom_width_index *index, uint32_t job, enum loom_width_value value,
                          int64_t old, int64_t to)
{
    struct loom_width_group *group = &index->groups[index->group[job]];
    size_t at = index->position[job];
    for (unsigned level = 1; level < LEVELS; level++) {
        at >>= BITS;
        int64_t *min = &group->levels[level][at].value[value], before = *min;
        if (to <= before)
            *min = to;
        else if (old == before)
            *min = min_below(group, level, at, value);
        if (*min == before)
            return;
    }
    renew_min(index, index->group[job], value);
}

void loom_width_index_set(struct loom_width_index *index, uint32_t job, int64_t length_s,
                          int64_t start_s)
{
    struct job_values *values = &index->groups[index->group[job]].values[index->position[job]];
    struct job_values old = *values;
    *values = (struct job_values){length_s, start_s};
    for (enum loom_width_value value = 0; value < LOOM_WIDTH_VALUES; value++)
        if (value_of(values, value) != value_of(&old, value))
            update_minima(index, job, value, value_of(&old, value), value_of(values, value));
}

/* ---- adding and removing --------------------------------------------------------------------- */

static bool waits(const struct job_values *job)
{
    return job->length_s != LOOM_NO_VALUE;
}

static size_t count_waiting(const struct loom_width_group *group)
{
    size_t n = 0;
    for (size_t at = 0; at < group->n; at++)
        n += waits(&group->values[at]);
    return n;
}

/* Recompute the minima of a group. */
static void renew_levels(struct loom_width_group *group)
{
    for (unsigned level = 1; level < LEVELS && group->n > 0; level++)
        for (size_t at = 0; at < entries(group, level); at++)
            for (enum loom_width_value value = 0; value < LOOM_WIDTH_VALUES; value++)
                group->levels[level][at].value[value] = min_below(group, level, at, value);
}

/* Delete the entries of removed jobs. */
static void compact(struct loom_width_index *index, struct loom_width_group *group)
{
    size_t n = 0;
    for (size_t at = 0; at < group->n; at++)
        if (waits(&group->values[at])) {
            group->values[n] = group->values[at];
            group->jobs[n] = group->jobs[at];
            index->position[group->jobs[n]] = (uint32_t)n;
            n++;
        }
    group->n = n;
    renew_levels(group);
}

/* Make space for one more entry in every level, by deleting those of removed jobs if they are half
 * of all. */
static int reserve_entry(struct loom_width_index *index, struct loom_width_group *group)
{
    if (group->n == group->jobs_capacity && count_waiting(group) <= group->n / 2)
        compact(index, group);
    if (loom_grow(&group->jobs, group->n, &group->jobs_capacity) ||
        loom_grow(&group->values, group->n, &group->values_capacity))
        return -1;
    for (unsigned level = 1; level < LEVELS; level++)
        if (loom_grow(&group->levels[level], group->n >> (BITS * level),
                      &group->level_capacity[level]))
            return -1;
    return 0;
}

int loom_width_index_add(struct loom_width_index *index, int64_t procs, int64_t length_s)
{
    static const struct job_values nothing = {LOOM_NO_VALUE, LOOM_NO_VALUE};
    static const struct minima none = {{LOOM_NO_VALUE, LOOM_NO_VALUE, LOOM_NO_VALUE}};
    unsigned number = loom_width_group_of(procs);
    struct loom_width_group *group = &index->groups[number];
    if (reserve_entry(index, group) ||
        loom_grow(&index->position, index->jobs, &index->position_capacity) ||
        loom_grow(&index->group, index->jobs, &index->group_capacity))
        return -1;
    group->values[group->n] = nothing;
    for (unsigned level = 1; level < LEVELS && group->n % ((size_t)1 << (BITS * level)) == 0;
         level++)
        group->levels[level][group->n >> (BITS * level)] = none;
    index->position[index->jobs] = (uint32_t)group->n;
    index->group[index->jobs] = (uint16_t)number;
    group->jobs[group->n++] = (uint32_t)index->jobs++;
    loom_width_index_set(index, (uint32_t)index->jobs - 1, length_s, LOOM_NO_VALUE);
    return 0;
}

/* The entry stays until compact() deletes it. */
void loom_width_index_remove(struct loom_width_index *index, uint32_t job)
{
    loom_width_index_set(index, job, LOOM_NO_VALUE, LOOM_NO_VALUE);
}

/* ---- searching ------------------------------------------------------------------------------- */

/* A query in one group: a job matches if either value is at most its limit. Both may be the same.
 */
struct limits {
    enum loom_width_value first, second;
    int64_t first_limit, second_limit;
};

static struct limits limits_of(const struct loom_width_query *query, unsigned group)
{
    const int64_t *second = query->limit[1] ? query->limit[1] : query->limit[0];
    return (struct limits){
        .first = query->value[0],
        .second = query->limit[1] ? query->value[1] : query->value[0],
        .first_limit = query->limit[0][group],
        .second_limit = second[group],
    };
}

static inline bool matches(const struct loom_width_group *group, unsigned level, size_t at,
                           const struct limits *limits)
{
    bool first = value_at(group, level, at, limits->first) <= limits->first_limit;
    bool second = value_at(group, level, at, limits->second) <= limits->second_limit;
    return first | second;
}

/* The first entry of a level from `at` to the end of its block that matches, or that end. */
static size_t first_in_block(const struct loom_width_group *group, unsigned level, size_t at,
                             const struct limits *limits)
{
    size_t end = ((at >> BITS) + 1) << BITS, n = entries(group, level);
    end = end < n ? end : n;
    while (at < end && !matches(group, level, at, limits))
        at++;
    return at;
}

/* Return the first position from `at` on whose job matches and has a number below `before`, or n.
 */
static size_t next_position(const struct loom_width_group *group, size_t at,
                            const struct limits *limits, uint32_t before)
{
    unsigned level = 0;
    /* Start at the highest level that has a block beginning here. */
    for (; at % BLOCK == 0 && entries(group, level) > BLOCK && level + 1 < LEVELS; level++)
        at >>= BITS;
    while (at < entries(group, level) && group->jobs[at << BITS * level] < before) {
        size_t found = first_in_block(group, level, at, limits);
        bool over = found >= entries(group, level) || found >> BITS != at >> BITS;
        if (!over && level == 0)
            return group->jobs[found] < before ? found : group->n;
        at = over ? (at >> BITS) + 1 : found << BITS;
        if (over && ++level == LEVELS)
            break;
        level -= !over;
    }
    return group->n;
}

/* Return the first position with a job of at least this number. */
static size_t position_from(const struct loom_width_group *group, uint32_t job)
{
    size_t low = 0, high = job > 0 ? group->n : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (group->jobs[middle] < job)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the first matching job of a group with from <= number < before, or `before`. */
static uint32_t next_of_group(const struct loom_width_group *group,
                              const struct loom_width_query *query, const struct limits *limits,
                              uint32_t from, uint32_t before)
{
    size_t at = position_from(group, from);
    while ((at = next_position(group, at, limits, before)) < group->n) {
        if (query->accepts(query->self, group->jobs[at]))
            return group->jobs[at];
        at++;
    }
    return before;
}

uint32_t loom_width_index_next(const struct loom_width_index *index,
                               const struct loom_width_query *query, uint32_t from)
{
    uint32_t first = LOOM_NO_JOB;
    for (unsigned group = 0; group < query->n_groups; group++) {
        struct limits limits = limits_of(query, group);
        if (index->min[limits.first][group] <= limits.first_limit ||
            index->min[limits.second][group] <= limits.second_limit)
            first = next_of_group(&index->groups[group], query, &limits, from, first);
    }
    return first;
}

int loom_width_index_reserved(const struct loom_width_index *index, struct loom_job_list *list)
{
    static const struct limits any_start = {LOOM_WIDTH_START, LOOM_WIDTH_START, LOOM_NO_VALUE - 1,
                                            LOOM_NO_VALUE - 1};
    list->n = 0;
    for (unsigned i = 0; i < index->n; i++) {
        const struct loom_width_group *group = &index->groups[i];
        size_t at = index->min[LOOM_WIDTH_START][i] == LOOM_NO_VALUE ? group->n : 0;
        for (; (at = next_position(group, at, &any_start, LOOM_NO_JOB)) < group->n; at++) {
            if (loom_grow(&list->jobs, list->n, &list->capacity))
                return -1;
            list->jobs[list->n++] = group->jobs[at];
        }
    }
    loom_sort_int64(list->jobs, list->n);
    return 0;
}
