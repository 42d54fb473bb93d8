/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The jobs picked for a workload: put in order, and exchanged within weeks to have less or more
 * locality (Zakay, chapter 3, section 6.5.5). Exchanging times keeps the arrivals of the workload
 * as they are, second by second, and the work of every week, which is what keeps it stable; what
 * changes is who comes when. Without order among a week's jobs the locality of users' sessions is
 * gone; with alike jobs together there is more of it than users have.
 */
#include "base/civil.h"
#include "base/pages.h"
#include "models/resample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- order ----------------------------------------------------------------------------------- */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, WEEK_S = 7 * LOOM_DAY_S };

static void distribute(struct loom_pick *to, const struct loom_pick *from, size_t n,
                       int64_t least_s, unsigned shift)
{
    size_t starts[DIGITS] = {0};
    for (size_t i = 0; i < n; i++)
        starts[(uint64_t)(from[i].submit_s - least_s) >> shift & (DIGITS - 1)]++;
    size_t before = 0;
    for (size_t digit = 0; digit < DIGITS; digit++) {
        size_t here = starts[digit];
        starts[digit] = before;
        before += here;
    }
    for (size_t i = 0; i < n; i++)
        to[starts[(uint64_t)(from[i].submit_s - least_s) >> shift & (DIGITS - 1)]++] = from[i];
}

int loom_picks_sort(struct loom_picks *picks, struct loom_error *err)
{
    int64_t least_s = INT64_MAX, most_s = INT64_MIN;
    for (size_t i = 0; i < picks->n; i++) {
        int64_t time_s = picks->items[i].submit_s;
        least_s = time_s < least_s ? time_s : least_s;
        most_s = time_s > most_s ? time_s : most_s;
    }
    if (picks->n < 2)
        return 0;
    struct loom_pick *other = loom_pages_alloc(picks->n * sizeof *other);
    if (!other)
        return loom_fail_memory(err);
    for (unsigned shift = 0; shift < 64 && (uint64_t)(most_s - least_s) >> shift;
         shift += DIGIT_BITS) {
        distribute(other, picks->items, picks->n, least_s, shift);
        struct loom_pick *sorted = other;
        other = picks->items;
        picks->items = sorted;
    }
    free(other);
    return 0;
}

/* ---- locality -------------------------------------------------------------------------------- */

/* A job that takes part: its place in the order, and what it is like. */
struct mover {
    struct loom_pick pick;
    uint64_t group; /* equal for alike jobs, in no order otherwise */
};

/* As SplitMix64 ends. */
static uint64_t scramble(uint64_t number)
{
    number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
    return number ^ number >> 31;
}

/* Alike are jobs of one size whose run times are within a tenth or so. */
static uint64_t group_of(const struct loom_resampler *resampler, const struct loom_person *persons,
                         const struct loom_pick *pick, uint64_t salt)
{
    const struct loom_jobs *jobs =
        loom_trace_jobs(resampler->sources[persons[pick->person].log].log);
    int64_t run_s = jobs->run_s[pick->row] > 0 ? jobs->run_s[pick->row] : 0;
    uint64_t bin = (uint64_t)floor(log1p((double)run_s) / log(1.1));
    return scramble((uint64_t)(uint32_t)loom_job_procs(jobs, pick->row) << 32 ^ bin ^ salt);
}

static int by_group(const void *a, const void *b)
{
    const struct mover *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->pick.submit_s != y->pick.submit_s)
        return x->pick.submit_s < y->pick.submit_s ? -1 : 1;
    return (x->pick.person > y->pick.person) - (x->pick.person < y->pick.person);
}

/* `wanted` of the n places, each as likely as any other, in order (Knuth's algorithm S). */
static size_t choose(uint32_t *places, size_t n, size_t wanted, struct loom_stream *stream)
{
    size_t chosen = 0;
    for (size_t i = 0; i < n && chosen < wanted; i++)
        if (loom_stream_below(stream, n - i) < wanted - chosen)
            places[chosen++] = (uint32_t)i;
    return chosen;
}

static void mix(struct mover *movers, size_t n, struct loom_stream *stream)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)loom_stream_below(stream, i);
        struct mover kept = movers[i - 1];
        movers[i - 1] = movers[j];
        movers[j] = kept;
    }
}

static void relocate_week(struct loom_pick *picks, size_t n, struct mover *movers, uint32_t *places,
                          const struct loom_resampler *resampler, const struct loom_person *persons,
                          struct loom_stream *stream)
{
    double share = resampler->rule.locality;
    size_t m = choose(places, n, (size_t)llround(fabs(share) * (double)n), stream);
    uint64_t salt = loom_stream_u64(stream);
    for (size_t i = 0; i < m; i++) {
        struct loom_pick *pick = &picks[places[i]];
        movers[i] = (struct mover){*pick, share > 0 ? group_of(resampler, persons, pick, salt) : 0};
    }
    if (share > 0)
        qsort(movers, m, sizeof *movers, by_group);
    else
        mix(movers, m, stream);
    for (size_t i = 0; i < m; i++) {
        picks[places[i]].row = movers[i].pick.row;
        picks[places[i]].person = movers[i].pick.person;
    }
}

int loom_picks_relocate(struct loom_picks *picks, const struct loom_resampler *resampler,
                        const struct loom_person *persons, struct loom_stream *stream,
                        struct loom_error *err)
{
    struct mover *movers = malloc((picks->n + 1) * sizeof *movers);
    uint32_t *places = malloc((picks->n + 1) * sizeof *places);
    int rc = movers && places ? 0 : loom_fail_memory(err);
    for (size_t low = 0, high; low < picks->n && !rc; low = high) {
        int64_t week = (picks->items[low].submit_s - resampler->begin_s) / WEEK_S;
        for (high = low + 1; high < picks->n; high++)
            if ((picks->items[high].submit_s - resampler->begin_s) / WEEK_S != week)
                break;
        relocate_week(picks->items + low, high - low, movers, places, resampler, persons, stream);
    }
    free(movers);
    free(places);
    return rc;
}
