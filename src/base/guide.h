/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * guide.h - how many of a few ascending numbers are below another, looked up and not searched for:
 * for loops that ask it a million times.
 *
 * Numbers fall into spans, 64 from each power of two to the next. Bounds of spans before are
 * smaller, those of spans after are not; only those of the number's own span are compared.
 */
#ifndef LOOM_BASE_GUIDE_H
#define LOOM_BASE_GUIDE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LOOM_GUIDE_SPANS = 64 * 64, LOOM_GUIDE_MOST = UINT16_MAX };

struct loom_guide {
    uint16_t first[LOOM_GUIDE_SPANS]; /* by span: how many bounds are in spans before it */
    size_t steps;                     /* bounds in a span, at most */
    int64_t *bounds;                  /* and then as many steps of INT64_MAX */
};

/* Of n ascending bounds, LOOM_GUIDE_MOST at most. 0, or -1 when memory is out; to be freed in
 * either case, or if it is all zeros. */
int loom_guide_init(struct loom_guide *guide, const int64_t *bounds, size_t n);
void loom_guide_free(struct loom_guide *guide);

/* By the exponent of the number as a double and the first six bits after its leading one. */
static inline size_t loom_guide_span(int64_t number)
{
    double positive = number > 0 ? (double)number : 1;
    uint64_t bits;
    memcpy(&bits, &positive, sizeof bits);
    return (size_t)((bits >> 46) - (UINT64_C(1023) << 6));
}

/* How many bounds are below the number. */
static inline size_t loom_guide_below(const struct loom_guide *guide, int64_t number)
{
    size_t first = guide->first[loom_guide_span(number)], below = 0;
    for (size_t i = 0; i < guide->steps; i++)
        below += guide->bounds[first + i] < number;
    return first + below;
}

#endif
