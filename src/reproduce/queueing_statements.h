/* SPDX-License-Identifier: GPL-3.0-or-later */
/* queueing_statements.h - statements of Zakay 2017, chapter 6, with the numbers that decide them.
 */
#ifndef LOOM_REPRODUCE_QUEUEING_STATEMENTS_H
#define LOOM_REPRODUCE_QUEUEING_STATEMENTS_H

#include <workloom/base.h>

enum { LOOM_STATEMENT_TEXT = 160 };

struct loom_queueing_statement {
    const char *name;  /* "both-grow" */
    const char *place; /* "fig. 3" */
    const char *text;
};

/* Return a statement by index, static; NULL past the last. */
const struct loom_queueing_statement *loom_queueing_statement_at(size_t index);
/* Check a statement: store whether it holds, and the numbers as text. Fails as the models do. */
int loom_queueing_statement_check(bool *holds, char measured[LOOM_STATEMENT_TEXT], size_t index,
                                  struct loom_error *err);

#endif
