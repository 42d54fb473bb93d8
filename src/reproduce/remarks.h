/* SPDX-License-Identifier: GPL-3.0-or-later */
/* remarks.h - what there is to say about the claims of an item, each text once. */
#ifndef LOOM_REPRODUCE_REMARKS_H
#define LOOM_REPRODUCE_REMARKS_H

#include <workloom/reproduce.h>

/* What verdicts mean, for pages: pairs of a verdict's name and a sentence, NULL-terminated. */
extern const char *const loom_verdict_meanings[];

enum loom_remark_kind {
    LOOM_REMARK_TOLERANCE, /* why the tolerance is what it is */
    LOOM_REMARK_CHANGED,   /* what was changed after the first run */
    LOOM_REMARK_REASON,    /* why a claim could not be measured */
    LOOM_REMARK_TRIED,     /* readings that were tried, and what each gives */
    LOOM_REMARK_COMMAND,   /* how to make the number */
    LOOM_REMARKS,
};

struct loom_remark {
    const char *text;
    char rows[64]; /* numbers of the claims, from 1: "1, 3-7" */
};

/* Store the index-th different remark of a kind in *out. Returns false past the last. */
bool loom_remark_at(struct loom_remark *out, const struct loom_reproduction *all, size_t item,
                    enum loom_remark_kind kind, size_t index);
/* Return what to write before remarks of a kind: "tolerance: ", or "". */
const char *loom_remark_title(enum loom_remark_kind kind);

#endif
