/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * requests/urn.h - the modal model of requested times, made ready for drawing millions of them.
 *
 * Jobs are many, so whatever depends on the model alone is looked up and not searched for: the
 * class of a size, about where the class of a run time is, a place by its share (Walker's alias
 * method), which tail values a segment has.
 *
 * Most tail values are rare, and independent draws would miss many of them. So they are dealt like
 * cards, of which each value has as many as users took it up in the log (or, where jobs have no
 * users, as jobs asked for it). Each segment has a deck; when it is dealt, another begins. A user
 * may come back to a card some times, of which there are as many on average as `tail_turns` says.
 */
#ifndef LOOM_MODELS_REQUESTS_URN_H
#define LOOM_MODELS_REQUESTS_URN_H

#include "base/guide.h"
#include "models/requests/request_model.h"

/* Tail values by their places: from .. to - 1. */
struct loom_tail_range {
    size_t from, to;
};

struct loom_segment {
    struct loom_tail_range tails;
    int64_t left; /* cards of these that are not dealt yet */
};

struct loom_urn {
    const struct loom_request_model *model;
    const struct loom_generation *generation;
    size_t places, rows;
    uint64_t *faces;     /* rows: the alias of a place in 16 bits, and above them its own share */
    const double *cards; /* of each tail value */
    double *tails;       /* running sums of their roots: tails + 1 */
    int32_t *left;       /* the same, that are not dealt yet; below 0 if dealt beforehand */
    double *inverse_log; /* of the chance that a user comes back once more; 0 if nobody does */
    struct loom_segment *segments; /* heads + 1 */
    uint8_t *size_class;           /* by processors, up to `sized` */
    int32_t sized;
    struct loom_guide runs; /* the class of a run time is how many heads are shorter */
};

/* The urn is to stay where it is, and keeps its model and generate. It is to be closed in any case.
 */
int loom_urn_open(struct loom_urn *urn, const struct loom_request_model *model,
                  const struct loom_generation *generation, struct loom_error *err);
void loom_urn_close(struct loom_urn *urn);

/* ---- askers ---------------------------------------------------------------------------------- */

/* A job, as far as its request depends on it. */
struct loom_asking {
    uint32_t row, run; /* of the model: shares, and class of run time */
    int64_t run_s;
};

/* The class of a size that is not in the table. */
size_t loom_urn_other_size(const struct loom_urn *urn, int32_t procs);

static inline struct loom_asking loom_urn_asking(const struct loom_urn *urn, int32_t procs,
                                                 int64_t run_s)
{
    bool tabled = procs >= 0 && procs <= urn->sized;
    size_t run = loom_guide_below(&urn->runs, run_s);
    size_t size = tabled ? urn->size_class[procs] : loom_urn_other_size(urn, procs);
    size_t row = size * (urn->model->heads + 1) + run;
    return (struct loom_asking){(uint32_t)row, (uint32_t)run, run_s};
}

/* ---- requests -------------------------------------------------------------------------------- */

/* What is asked for, which head or segment that is (2 * segment, or 2 * head + 1), and which of the
 * tail values. */
struct loom_asked {
    int64_t s;
    uint32_t slot, tail;
};

#define LOOM_NO_TAIL UINT32_MAX

/* A place by the shares of jobs like this, and a request of that place. */
size_t loom_urn_draw_place(const struct loom_urn *urn, struct loom_asking asking,
                           struct loom_stream *stream);
struct loom_asked loom_urn_draw_value(const struct loom_urn *urn, struct loom_asking asking,
                                      size_t place, struct loom_stream *stream);

/* Put a card back. */
static inline void loom_urn_put_back(const struct loom_urn *urn, uint32_t slot, uint32_t tail)
{
    if (tail == LOOM_NO_TAIL)
        return;
    urn->left[tail]++;
    urn->segments[slot / 2].left++;
}

/* How often a user may come back to a tail value that is taken up: no end of it if it is none. */
uint32_t loom_urn_turns(const struct loom_urn *urn, uint32_t tail, struct loom_stream *stream);

/* The place of what was asked for before: heads and segments above the run time's own are enough,
 * those below are not. */
static inline size_t loom_urn_place(struct loom_asking asking, struct loom_asked asked)
{
    return asked.slot + (asked.s >= asking.run_s);
}

/* Is a request of that place enough? */
static inline bool loom_urn_enough(struct loom_asking asking, size_t place)
{
    return place > 2 * asking.run;
}

#endif
