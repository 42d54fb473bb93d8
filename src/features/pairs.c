/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Similarity over all pairs of values of sessions. A session may have thousands of jobs, and what
 * is wanted of its millions of pairs are a sum, a count and a median, all of which follow from the
 * sessions' values in order:
 *
 *   - the sum over pairs of smaller / larger is the sum over values x of (sum of the smaller ones
 * in the other session) / x, once from either side, and the number of equal pairs;
 *   - the pairs more similar than t are, for each value, a window in the other session, whose ends
 *     only move forward as the value rises;
 *   - so the median is found by narrowing the range of similarities until fewer pairs are left in
 *     it than there are values, and looking at these.
 */
#include "features/pairs.h"

#include <stdbool.h>
#include <stdlib.h>

/* The values of one session. */
struct run {
    const double *x;
    size_t n;
};

/* The two sides of pair number `at`, which for distance 0 are the same. */
static struct run side(const struct loom_pairs *pairs, size_t at)
{
    size_t first = pairs->first[at];
    return (struct run){pairs->values + first, pairs->first[at + 1] - first};
}

static size_t session_pairs(const struct loom_pairs *pairs)
{
    return pairs->sessions > pairs->distance ? pairs->sessions - pairs->distance : 0;
}

uint64_t loom_pairs_count(const struct loom_pairs *pairs)
{
    uint64_t count = 0;
    for (size_t i = 0; i < session_pairs(pairs); i++) {
        uint64_t a = side(pairs, i).n, b = side(pairs, i + pairs->distance).n;
        count += pairs->distance > 0 ? a * b : a > 1 ? a * (a - 1) / 2 : 0;
    }
    return count;
}

/* ---- sums ------------------------------------------------------------------------------------ */

/* The sum of y / x over x of a and y < x of b. */
static double sum_below(struct run a, struct run b)
{
    double sum = 0, below = 0;
    size_t next = 0;
    for (size_t i = 0; i < a.n; i++) {
        for (; next < b.n && b.x[next] < a.x[i]; next++)
            below += b.x[next];
        if (below > 0)
            sum += below / a.x[i];
    }
    return sum;
}

/* The number of equal pairs of one value of a and one of b. */
static uint64_t equal_between(struct run a, struct run b)
{
    uint64_t equal = 0;
    size_t from = 0, to = 0;
    for (size_t i = 0; i < a.n; i++) {
        while (from < b.n && b.x[from] < a.x[i])
            from++;
        for (to = to < from ? from : to; to < b.n && b.x[to] == a.x[i];)
            to++;
        equal += to - from;
    }
    return equal;
}

/* Within one run, every value equals itself, and other equal pairs come up twice. */
static uint64_t equal_pairs(const struct loom_pairs *pairs)
{
    uint64_t equal = 0;
    for (size_t i = 0; i < session_pairs(pairs); i++) {
        struct run a = side(pairs, i), b = side(pairs, i + pairs->distance);
        uint64_t here = equal_between(a, b);
        equal += pairs->distance > 0 ? here : (here - a.n) / 2;
    }
    return equal;
}

double loom_pairs_mean(const struct loom_pairs *pairs)
{
    double sum = (double)equal_pairs(pairs);
    for (size_t i = 0; i < session_pairs(pairs); i++) {
        struct run a = side(pairs, i), b = side(pairs, i + pairs->distance);
        sum += sum_below(a, b);
        if (pairs->distance > 0)
            sum += sum_below(b, a);
    }
    return sum / (double)loom_pairs_count(pairs);
}

double loom_pairs_identical(const struct loom_pairs *pairs)
{
    return (double)equal_pairs(pairs) / (double)loom_pairs_count(pairs);
}

/* ---- windows --------------------------------------------------------------------------------- */

/* The values of a session more similar to a given one than a limit: from .. to - 1. Equal values
 * are always among them. */
struct window {
    double above;
    size_t from, to;
};

static void move_window(struct window *window, double x, struct run b)
{
    while (window->from < b.n && b.x[window->from] < x && b.x[window->from] / x <= window->above)
        window->from++;
    while (window->to < b.n && (b.x[window->to] <= x || x / b.x[window->to] > window->above))
        window->to++;
}

static uint64_t similar_pairs(const struct loom_pairs *pairs, double above)
{
    uint64_t similar = 0;
    for (size_t i = 0; i < session_pairs(pairs); i++) {
        struct run a = side(pairs, i), b = side(pairs, i + pairs->distance);
        struct window window = {.above = above};
        uint64_t here = 0;
        for (size_t k = 0; k < a.n; k++) {
            move_window(&window, a.x[k], b);
            here += window.to - window.from;
        }
        similar += pairs->distance > 0 ? here : (here - a.n) / 2;
    }
    return similar;
}

/* The similarities above `low` and up to `high`, of unequal values. */
static size_t collect(double *out, const struct loom_pairs *pairs, double low, double high)
{
    size_t n = 0;
    for (size_t i = 0; i < session_pairs(pairs); i++) {
        struct run a = side(pairs, i), b = side(pairs, i + pairs->distance);
        struct window wide = {.above = low}, narrow = {.above = high};
        for (size_t k = 0; k < a.n; k++) {
            move_window(&wide, a.x[k], b);
            move_window(&narrow, a.x[k], b);
            for (size_t j = narrow.to; j < wide.to; j++)
                out[n++] = a.x[k] / b.x[j];
            for (size_t j = wide.from; pairs->distance > 0 && j < narrow.from; j++)
                out[n++] = b.x[j] / a.x[k];
        }
    }
    return n;
}

/* ---- the median ------------------------------------------------------------------------------ */

static int compare_falling(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* Similarities above low and up to high, and how many pairs are more similar than these. */
struct bracket {
    double low, high;
    uint64_t above_low, above_high;
};

/* Where to cut a bracket: in the middle; or, as long as that does better than halving, where the
 * rank would be if similarities were spread evenly, a little to either side in turn, so that both
 * ends close in. */
static double choose_cut(const struct bracket *b, uint64_t rank, int cuts, bool halve)
{
    double inside = (double)(b->above_low - b->above_high);
    double margin = (cuts % 2 ? inside : -inside) / 32;
    double share = halve ? 0.5 : ((double)(rank - b->above_high) + 0.5 + margin) / inside;
    share = share < 0.01 ? 0.01 : share > 0.99 ? 0.99 : share;
    return b->high - (b->high - b->low) * share;
}

/* The mean of the similarities at the ranks first and last, which are one or neighbours, in falling
 * order from 0. Both lie inside the bracket. Pairs inside are looked at once they are few, or fit
 * the room and a cut no longer parts them. */
static double at_ranks(const struct loom_pairs *pairs, struct bracket b, uint64_t first,
                       uint64_t last, double *room)
{
    size_t most = loom_pairs_room(pairs);
    uint64_t inside = b.above_low - b.above_high, before = UINT64_MAX;
    for (int cuts = 0; inside > most || (inside > most / 16 && inside < before); cuts++) {
        double cut = choose_cut(&b, first, cuts, inside > before / 2);
        if (cut <= b.low || cut >= b.high)
            return b.high;
        uint64_t above = similar_pairs(pairs, cut);
        if (above > first && above <= last)
            return (at_ranks(pairs, (struct bracket){cut, b.high, above, b.above_high}, first,
                             first, room) +
                    at_ranks(pairs, (struct bracket){b.low, cut, b.above_low, above}, last, last,
                             room)) /
                   2;
        if (above > last)
            b.low = cut, b.above_low = above;
        else
            b.high = cut, b.above_high = above;
        before = inside;
        inside = b.above_low - b.above_high;
    }
    size_t n = collect(room, pairs, b.low, b.high);
    qsort(room, n, sizeof *room, compare_falling);
    return (room[first - b.above_high] + room[last - b.above_high]) / 2;
}

/* Equal pairs are at 1, and those of a zero and another number at 0. */
static double at_rank(const struct loom_pairs *pairs, const struct bracket *all, uint64_t rank,
                      double *room)
{
    if (rank < all->above_high)
        return 1;
    return rank >= all->above_low ? 0 : at_ranks(pairs, *all, rank, rank, room);
}

double loom_pairs_median(const struct loom_pairs *pairs, double *room)
{
    uint64_t count = loom_pairs_count(pairs), last = count / 2, first = last - (count % 2 == 0);
    struct bracket all = {0, 1, similar_pairs(pairs, 0), equal_pairs(pairs)};
    if (first >= all.above_high && last < all.above_low)
        return at_ranks(pairs, all, first, last, room);
    return (at_rank(pairs, &all, first, room) + at_rank(pairs, &all, last, room)) / 2;
}

/* As many as there are values, so that looking at them costs little more than another cut. */
size_t loom_pairs_room(const struct loom_pairs *pairs)
{
    return pairs->first[pairs->sessions] - pairs->first[0] + 1;
}
