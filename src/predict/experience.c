/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The experience base: ended jobs by kind and category. */
#include "predict/experience.h"

#include "base/vec.h"

#include <math.h>

static struct loom_traits traits_of(const struct loom_job_view *job)
{
    return (struct loom_traits){
        .origin = job->origin,
        .nominal = {job->user, job->group, job->queue, job->executable},
        .numeric = {job->procs, (double)job->request_s, job->req_mem_kib},
    };
}

/* ---- categories and kinds by their attributes ------------------------------------------------ */

/* Intern a key, or only look it up. LOOM_MAP_NONE as a tuple is returned unchanged. */
static uint32_t index_of(struct loom_map *map, uint64_t key, bool add)
{
    return add ? loom_map_intern(map, key) : loom_map_find(map, key);
}

static uint32_t extend_tuple(struct loom_map *map, uint32_t tuple, uint32_t part, bool add)
{
    return tuple == LOOM_MAP_NONE ? tuple : index_of(map, loom_map_pair(tuple, part), add);
}

static uint32_t intern_number(struct loom_map *map, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return loom_map_intern(map, bits);
}

/* Return the category of a job; LOOM_MAP_NONE if it is new, or memory is out. All tuples of
 * categories have one length, as have tuples of kinds, so equal indices are equal tuples. */
static uint32_t category_of(struct loom_experience *base, const struct loom_traits *traits,
                            bool add)
{
    uint32_t tuple = base->template ? traits->origin : 0;
    for (unsigned i = 0; i < LOOM_NOMINALS; i++)
        if (base->template & 1u << i)
            tuple = extend_tuple(&base->names, tuple, (uint32_t)traits->nominal[i], add);
    return tuple == LOOM_MAP_NONE ? tuple : index_of(&base->category_of, tuple, add);
}

static uint32_t kind_of(struct loom_experience *base, const struct loom_traits *traits)
{
    unsigned nominals = base->template | base->distinguished;
    uint32_t tuple = nominals ? traits->origin : 0;
    for (unsigned i = 0; i < LOOM_NOMINALS; i++)
        if (nominals & 1u << i)
            tuple = extend_tuple(&base->names, tuple, (uint32_t)traits->nominal[i], true);
    for (unsigned i = 0; i < LOOM_NUMERICS; i++) {
        uint32_t number = intern_number(&base->numbers, traits->numeric[i]);
        tuple = number == LOOM_MAP_NONE ? number : extend_tuple(&base->names, tuple, number, true);
    }
    return tuple == LOOM_MAP_NONE ? tuple : loom_map_intern(&base->kind_of, tuple);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

void loom_experience_widen(struct loom_experience *base, const struct loom_job_view *job)
{
    struct loom_traits traits = traits_of(job);
    bool none = base->rescaled == 0;
    for (unsigned i = 0; i < LOOM_NUMERICS; i++) {
        double value = traits.numeric[i];
        if (none) {
            base->least[i] = 0;
            base->greatest[i] = -1; /* no range yet */
        }
        if (value < 0 || (value >= base->least[i] && value <= base->greatest[i]))
            continue;
        bool first = base->greatest[i] < base->least[i];
        base->least[i] = first || value < base->least[i] ? value : base->least[i];
        base->greatest[i] = first || value > base->greatest[i] ? value : base->greatest[i];
        base->rescaled++;
    }
    if (base->rescaled == 0)
        base->rescaled = 1;
}

/* Minh 2012, eq. 8.4. What is unknown, or the same in all jobs, is 0. */
static void scale(const struct loom_experience *base, struct loom_past_kind *kind)
{
    if (kind->scaled_at == base->rescaled)
        return;
    double squares = 0;
    for (unsigned i = 0; i < LOOM_NUMERICS; i++) {
        double range = base->greatest[i] - base->least[i], value = kind->traits.numeric[i];
        kind->scaled[i] = range > 0 && value >= 0 ? (value - base->least[i]) / range : 0;
        squares += kind->scaled[i] * kind->scaled[i];
    }
    kind->length = sqrt(squares);
    kind->scaled_at = base->rescaled;
}

/* ---- jobs come and end ----------------------------------------------------------------------- */

int loom_experience_submit(struct loom_experience *base, const struct loom_job_view *job,
                           struct loom_error *err)
{
    loom_experience_widen(base, job);
    if (loom_by_job_set(&base->sequences, job, base->submitted++))
        return loom_fail_memory(err);
    return 0;
}

static int list_kind(struct loom_job_category *category, uint32_t kind, bool *listed)
{
    if (*listed)
        return 0;
    if (loom_grow(&category->kinds, category->n, &category->capacity))
        return -1;
    category->kinds[category->n++] = kind;
    *listed = true;
    return 0;
}

/* Remove the jobs before all windows once they are half of the list. */
static void trim(struct loom_past_kind *kind, int64_t oldest)
{
    while (kind->first < kind->n && kind->jobs[kind->first].sequence < oldest)
        kind->first++;
    if (kind->first == 0 || 2 * kind->first < kind->n)
        return;
    kind->n -= kind->first;
    memmove(kind->jobs, kind->jobs + kind->first, kind->n * sizeof *kind->jobs);
    kind->first = 0;
}

/* Insert by sequence, searching from the end: jobs end nearly in the order of submission. */
static int insert(struct loom_past_kind *kind, struct loom_past_job job)
{
    if (loom_grow(&kind->jobs, kind->n, &kind->capacity))
        return -1;
    size_t at = kind->n++;
    for (; at > kind->first && kind->jobs[at - 1].sequence > job.sequence; at--)
        kind->jobs[at] = kind->jobs[at - 1];
    kind->jobs[at] = job;
    return 0;
}

/* Return the index of the job's kind, created if new; LOOM_MAP_NONE when memory is out. */
static uint32_t take_kind(struct loom_experience *base, const struct loom_traits *traits)
{
    if (loom_grow(&base->kinds, base->n_kinds, &base->kinds_capacity))
        return LOOM_MAP_NONE;
    uint32_t index = kind_of(base, traits);
    if (index == base->n_kinds)
        base->kinds[base->n_kinds++] = (struct loom_past_kind){.traits = *traits};
    return index;
}

static uint32_t take_category(struct loom_experience *base, const struct loom_traits *traits)
{
    if (loom_grow(&base->categories, base->n_categories, &base->categories_capacity))
        return LOOM_MAP_NONE;
    uint32_t index = category_of(base, traits, true);
    if (index == base->n_categories)
        base->categories[base->n_categories++] = (struct loom_job_category){0};
    return index;
}

int loom_experience_end(struct loom_experience *base, const struct loom_job_view *job,
                        int64_t run_s, struct loom_error *err)
{
    struct loom_traits traits = traits_of(job);
    uint32_t index = take_kind(base, &traits), place = take_category(base, &traits);
    if (index == LOOM_MAP_NONE || place == LOOM_MAP_NONE)
        return loom_fail_memory(err);
    struct loom_past_kind *kind = &base->kinds[index];
    const struct loom_past_job past = {loom_by_job_get(&base->sequences, job), run_s};
    trim(kind, base->submitted - base->most);
    if (insert(kind, past) || list_kind(&base->categories[place], index, &kind->listed))
        return loom_fail_memory(err);
    return 0;
}

/* ---- searching ------------------------------------------------------------------------------- */

static bool is_nearer(double likeness, int64_t sequence, const struct loom_neighbour *than)
{
    return likeness > than->likeness || (likeness == than->likeness && sequence > than->sequence);
}

/* Offer the jobs of a kind, the most recent first, to the k nearest so far. Return the new number
 * of neighbours. */
static size_t offer(struct loom_neighbour *out, size_t n, size_t k,
                    const struct loom_past_kind *kind, double likeness, int64_t oldest)
{
    for (size_t i = kind->n; i > kind->first; i--) {
        const struct loom_past_job *job = &kind->jobs[i - 1];
        if (job->sequence < oldest || (n == k && !is_nearer(likeness, job->sequence, &out[k - 1])))
            break;
        size_t at = n < k ? n++ : k - 1;
        for (; at > 0 && is_nearer(likeness, job->sequence, &out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = (struct loom_neighbour){likeness, job->sequence, job->run_s, kind};
    }
    return n;
}

static int64_t newest(const struct loom_past_kind *kind)
{
    return kind->n > kind->first ? kind->jobs[kind->n - 1].sequence : -1;
}

static size_t search(struct loom_neighbour *out, size_t k, struct loom_experience *base,
                     struct loom_job_category *category, struct loom_past_kind *job, int64_t window,
                     loom_likeness_fn *likeness, const void *context)
{
    int64_t oldest = base->submitted - 1 - window, forgotten = base->submitted - 1 - base->most;
    size_t n = 0;
    for (size_t i = 0; i < category->n;) {
        struct loom_past_kind *kind = &base->kinds[category->kinds[i]];
        if (newest(kind) < forgotten) {
            kind->listed = false;
            category->kinds[i] = category->kinds[--category->n];
            continue;
        }
        i++;
        if (newest(kind) < oldest)
            continue;
        scale(base, kind);
        n = offer(out, n, k, kind, likeness(context, job, kind), oldest);
    }
    return n;
}

struct loom_past_kind loom_experience_kind(const struct loom_experience *base,
                                           const struct loom_job_view *job)
{
    struct loom_past_kind kind = {.traits = traits_of(job)};
    scale(base, &kind);
    return kind;
}

size_t loom_experience_nearest(struct loom_neighbour *out, size_t k, struct loom_experience *base,
                               const struct loom_job_view *job, int64_t window,
                               loom_likeness_fn *likeness, const void *context)
{
    struct loom_past_kind asked = loom_experience_kind(base, job);
    uint32_t place = category_of(base, &asked.traits, false);
    if (place == LOOM_MAP_NONE)
        return 0;
    return search(out, k, base, &base->categories[place], &asked, window, likeness, context);
}

void loom_experience_free(struct loom_experience *base)
{
    for (size_t i = 0; i < base->n_kinds; i++)
        free(base->kinds[i].jobs);
    for (size_t i = 0; i < base->n_categories; i++)
        free(base->categories[i].kinds);
    free(base->kinds);
    free(base->categories);
    loom_by_job_free(&base->sequences);
    loom_map_free(&base->numbers);
    loom_map_free(&base->names);
    loom_map_free(&base->kind_of);
    loom_map_free(&base->category_of);
    *base = (struct loom_experience){0};
}
