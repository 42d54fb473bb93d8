/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h - "did you mean": which words of a list a mistyped one may stand for. */
#ifndef LOOM_BASE_WORDS_H
#define LOOM_BASE_WORDS_H

#include <workloom/base.h>

/* Return the word of the NULL-terminated list nearest to `word`, or NULL if none is near enough for
 * a person to have meant it. Dashes before words do not count. */
const char *loom_nearest(const char *word, const char *const *list);

/* Write "did you mean 'minh2010' or 'minh2012'?" into buf: the words that are nearest, and those
 * that begin with `word`; "" if there are none. Returns buf. */
const char *loom_did_you_mean(char *buf, size_t size, const char *word, const char *const *list);

/* Fail with LOOM_EUSAGE: "there is no KIND 'WORD'", and what may have been meant or, if nothing is
 * near, `otherwise`. Returns the code. */
int loom_fail_unknown(struct loom_error *err, const char *kind, const char *word,
                      const char *const *list, const char *otherwise);

#endif
