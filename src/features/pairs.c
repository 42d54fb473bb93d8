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
 *     it than there are values, and looking at these; to find the larger of two medians,
 *     their ranges need only be narrowed until they lie apart.
 */
#include "features/pairs.h"
#include "base/sort.h"

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

static uint64_t equal_within(struct run a)
{
    uint64_t equal = 0;
    for (size_t i = 1, same = 0; i < a.n; i++) {
        same = a.x[i] == a.x[i - 1] ? same + 1 : 0;
        equal += same;
    }
    return equal;
}

static uint64_t equal_pairs(const struct loom_pairs *pairs)
{
    uint64_t equal = 0;
    for (size_t i = 0; i < session_pairs(pairs); i++)
        equal += pairs->distance > 0
                     ? equal_between(side(pairs, i), side(pairs, i + pairs->distance))
                     : equal_within(side(pairs, i));
    return equal;
}

static uint64_t zeros_of(struct run a)
{
    uint64_t zeros = 0;
    while (zeros < a.n && a.x[zeros] <= 0)
        zeros++;
    return zeros;
}

/* The number of pairs of a zero and another number, whose similarity is 0. */
static uint64_t zero_pairs(const struct loom_pairs *pairs)
{
    uint64_t count = 0;
    for (size_t i = 0; i < session_pairs(pairs); i++) {
        struct run a = side(pairs, i), b = side(pairs, i + pairs->distance);
        uint64_t zeros = zeros_of(a), others = a.n - zeros, zeros_b = zeros_of(b);
        count += pairs->distance > 0 ? zeros * (b.n - zeros_b) + others * zeros_b : zeros * others;
    }
    return count;
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
 * are always among them. Similarities that a rounding error parts from the limit may be taken for
 * either side of it, the same at every count. */
struct window {
    double above;
    size_t from, to;
};

static void move_window(struct window *window, double x, struct run b)
{
    double least = x * window->above;
    while (window->from < b.n && b.x[window->from] < x && b.x[window->from] <= least)
        window->from++;
    while (window->to < b.n && (b.x[window->to] <= x || b.x[window->to] * window->above < x))
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

static void settle_middle(struct loom_middle *m, double value)
{
    m->low = m->high = value;
}

static void look(struct loom_middle *m)
{
    size_t n = collect(m->scratch, m->pairs, m->low, m->high);
    loom_sort_real(m->scratch, n);
    size_t first = n - 1 - (m->first - m->above_high), last = n - 1 - (m->last - m->above_high);
    settle_middle(m, (m->scratch[first] + m->scratch[last]) / 2);
}

static double at_rank(struct loom_middle m, uint64_t rank)
{
    m.first = m.last = rank;
    while (m.low < m.high)
        loom_middle_narrow(&m);
    return m.low;
}

/* The two in the middle are on both sides of the cut. */
static void settle_parted(struct loom_middle *m, double cut, uint64_t above)
{
    struct loom_middle upper = *m, lower = *m;
    upper.low = cut, upper.above_low = above;
    lower.high = cut, lower.above_high = above;
    settle_middle(m, (at_rank(upper, m->first) + at_rank(lower, m->last)) / 2);
}

/* Halve the range, or look at the pairs inside once they fit the room. */
void loom_middle_narrow(struct loom_middle *m)
{
    if (m->above_low - m->above_high <= loom_pairs_room(m->pairs)) {
        look(m);
        return;
    }
    double cut = m->low + (m->high - m->low) / 2;
    if (cut <= m->low || cut >= m->high) {
        settle_middle(m, m->high);
        return;
    }
    uint64_t above = similar_pairs(m->pairs, cut);
    if (above > m->first && above <= m->last) {
        settle_parted(m, cut, above);
        return;
    }
    if (above > m->last)
        m->low = cut, m->above_low = above;
    else
        m->high = cut, m->above_high = above;
}

/* Equal pairs have 1; a zero and another number have 0. */
static double at_end(const struct loom_middle *m, uint64_t rank)
{
    if (rank < m->above_high)
        return 1;
    return rank >= m->above_low ? 0 : at_rank(*m, rank);
}

void loom_middle_open(struct loom_middle *m, const struct loom_pairs *pairs, double *scratch)
{
    uint64_t count = loom_pairs_count(pairs);
    *m = (struct loom_middle){.pairs = pairs, .scratch = scratch, .high = 1};
    m->last = count / 2;
    m->first = m->last - (count % 2 == 0);
    m->above_low = count - zero_pairs(pairs);
    m->above_high = equal_pairs(pairs);
    if (m->first < m->above_high || m->last >= m->above_low)
        settle_middle(m, (at_end(m, m->first) + at_end(m, m->last)) / 2);
}

int loom_middle_compare(struct loom_middle *a, struct loom_middle *b, double equal)
{
    for (;;) {
        if (a->low > b->high + equal)
            return 1;
        if (b->low > a->high + equal)
            return -1;
        double a_left = a->high - a->low, b_left = b->high - b->low;
        if (a_left <= 0 && b_left <= 0)
            return 0;
        loom_middle_narrow(a_left >= b_left ? a : b);
    }
}

double loom_pairs_median(const struct loom_pairs *pairs, double *scratch)
{
    struct loom_middle middle;
    loom_middle_open(&middle, pairs, scratch);
    while (middle.low < middle.high)
        loom_middle_narrow(&middle);
    return middle.low;
}

/* As many as there are values, so that looking at them costs little more than another cut. */
size_t loom_pairs_room(const struct loom_pairs *pairs)
{
    return pairs->first[pairs->sessions] - pairs->first[0] + 1;
}
