/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sort the jobs picked for a workload, and exchange their times within weeks for less or more
 * locality (Zakay 2017, chapter 3, section 6.5.5). Exchanges keep the arrival times of the workload
 * and the work of every week, and so its stability; only the assignment of jobs to times changes. A
 * random order within a week removes the locality of sessions; grouping similar jobs increases it.
 */
#include "base/civil.h"
#include "base/compare.h"
#include "base/sort.h"
#include "resample/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ----------------------------------------------------------------------------------- */

enum { WEEK_S = 7 * LOOM_DAY_S };

int loom_picks_sort(struct loom_picks *picks, struct loom_error *err)
{
    int rc = loom_sort_records(picks->items, picks->n);
    return rc ? loom_fail_memory(err) : 0;
}

/* ---- less locality --------------------------------------------------------------------------- */

/* Choose `wanted` of n indices uniformly, ascending (Knuth's algorithm S). Return their number. */
static size_t choose_places(uint32_t *places, size_t n, size_t wanted, struct loom_stream *stream)
{
    size_t chosen = 0;
    for (size_t i = 0; i < n && chosen < wanted; i++)
        if (loom_stream_below(stream, n - i) < wanted - chosen)
            places[chosen++] = (uint32_t)i;
    return chosen;
}

static void swap_jobs(struct loom_pick *a, struct loom_pick *b)
{
    struct loom_pick kept = *a;
    a->row = b->row;
    a->person = b->person;
    b->row = kept.row;
    b->person = kept.person;
}

/* Exchange the times of a share of the jobs at random. */
static void scatter(struct loom_pick *picks, size_t n, double share, uint32_t *places,
                    struct loom_stream *stream)
{
    size_t m = choose_places(places, n, (size_t)llround(share * (double)n), stream);
    for (size_t i = m; i > 1; i--)
        swap_jobs(&picks[places[i - 1]], &picks[places[loom_stream_below(stream, i)]]);
}

/* ---- more locality --------------------------------------------------------------------------- */

/* A job, its index among the jobs to sort, and the indices of the first job of the same person and
 * of the first similar job. */
struct mover {
    struct loom_pick pick;
    int64_t request_s;
    int32_t procs, bin;
    uint32_t place, first_of_person, first_alike;
};

/* Jobs are similar if they have equal size and request, and runtimes within about a tenth. */
static struct mover mover_of(const struct loom_resampler *resampler,
                             const struct loom_person *persons, const struct loom_pick *pick,
                             uint32_t place)
{
    const struct loom_jobs *jobs =
        loom_trace_jobs(resampler->sources[persons[pick->person].log].log);
    int64_t run_s = jobs->run_s[pick->row] > 0 ? jobs->run_s[pick->row] : 0;
    return (struct mover){
        .pick = *pick,
        .request_s = jobs->request_s[pick->row],
        .procs = loom_job_procs(jobs, pick->row),
        .bin = (int32_t)floor(log1p((double)run_s) / log(1.1)),
        .place = place,
    };
}

static int by_person(const struct mover *x, const struct mover *y)
{
    return LOOM_COMPARE(x->pick.person, y->pick.person);
}

static int by_likeness(const struct mover *x, const struct mover *y)
{
    int order = by_person(x, y);
    order = order ? order : LOOM_COMPARE(x->procs, y->procs);
    order = order ? order : LOOM_COMPARE(x->request_s, y->request_s);
    return order ? order : LOOM_COMPARE(x->bin, y->bin);
}

static int by_likeness_and_place(const void *a, const void *b)
{
    const struct mover *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(by_likeness(x, y), LOOM_COMPARE(x->place, y->place));
}

static int by_firsts(const void *a, const void *b)
{
    const struct mover *x = a, *y = b;
    return LOOM_FIRST_DIFFERENCE(LOOM_COMPARE(x->first_of_person, y->first_of_person),
                                 LOOM_COMPARE(x->first_alike, y->first_alike),
                                 LOOM_COMPARE(x->place, y->place));
}

/* Set the first jobs of each mover; movers are sorted by similarity and index. */
static void find_firsts(struct mover *movers, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        uint32_t first = movers[i].place;
        for (end = i; end < n && by_person(&movers[end], &movers[i]) == 0; end++) {
            first = movers[end].place < first ? movers[end].place : first;
            bool goes_on = end > i && by_likeness(&movers[end], &movers[end - 1]) == 0;
            movers[end].first_alike = goes_on ? movers[end - 1].first_alike : movers[end].place;
        }
        for (size_t k = i; k < end; k++)
            movers[k].first_of_person = first;
    }
}

/* Sort users by first job, and each user's jobs by similarity. */
static void bring_together(struct loom_pick *picks, size_t n, struct mover *movers,
                           const struct loom_resampler *resampler,
                           const struct loom_person *persons)
{
    for (size_t i = 0; i < n; i++)
        movers[i] = mover_of(resampler, persons, &picks[i], (uint32_t)i);
    qsort(movers, n, sizeof *movers, by_likeness_and_place);
    find_firsts(movers, n);
    qsort(movers, n, sizeof *movers, by_firsts);
    for (size_t i = 0; i < n; i++) {
        picks[i].row = movers[i].pick.row;
        picks[i].person = movers[i].pick.person;
    }
}

/* ---- both ------------------------------------------------------------------------------------ */

int loom_picks_relocate(struct loom_picks *picks, const struct loom_resampler *resampler,
                        const struct loom_person *persons, struct loom_stream *stream,
                        struct loom_error *err)
{
    double degree = resampler->rule.locality;
    int64_t window_s = degree < 0 ? WEEK_S : (int64_t)ceil(degree * WEEK_S);
    struct mover *movers = malloc((degree > 0 ? picks->n + 1 : 1) * sizeof *movers);
    uint32_t *places = malloc((picks->n + 1) * sizeof *places);
    int rc = movers && places ? 0 : loom_fail_memory(err);
    for (size_t low = 0, high; low < picks->n && !rc; low = high) {
        int64_t window = (picks->items[low].submit_s - resampler->begin_s) / window_s;
        for (high = low + 1; high < picks->n; high++)
            if ((picks->items[high].submit_s - resampler->begin_s) / window_s != window)
                break;
        if (degree < 0)
            scatter(picks->items + low, high - low, -degree, places, stream);
        else
            bring_together(picks->items + low, high - low, movers, resampler, persons);
    }
    free(movers);
    free(places);
    return rc;
}
