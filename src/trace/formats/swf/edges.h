/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * edges.h - where the words and lines of a text are, found 64 bytes at a time.
 *
 * Finding word boundaries first, for a whole chunk, and converting numbers afterwards keeps the
 * converter from waiting for the scanner: a word's position does not depend on the word before it.
 */
#ifndef LOOM_TRACE_FORMATS_SWF_EDGES_H
#define LOOM_TRACE_FORMATS_SWF_EDGES_H

#include <stddef.h>
#include <stdint.h>

struct loom_edges {
    uint32_t *words;    /* start and end (past the last byte) of each word, in turn */
    uint32_t *newlines; /* position of each newline */
    size_t n_words;     /* entries of words: twice the number of words */
    size_t n_newlines;
};

/* words and newlines must have room for size + 64 entries each. A blank is a space, tab, newline,
 * vertical tab, form feed or carriage return. The text must end in a newline, and must be readable
 * for 63 bytes past its end. size < 2^32. */
void loom_find_edges(struct loom_edges *edges, const char *text, size_t size);

/* Lines and where their words end, without where those begin. Only with loom_is_wide(). */
struct loom_word_ends {
    uint32_t *words;    /* end (past the last byte) of each word */
    uint32_t *newlines; /* position of each newline */
    uint32_t *counts;   /* for each newline, how many words stand before it */
    size_t n_newlines;
};

/* words must have room for size / 2 + 64 entries, newlines and counts for size + 64; the text is as
 * for loom_find_edges. */
void loom_find_word_ends(struct loom_word_ends *ends, const char *text, size_t size);

/* Lines of a text that ends in a newline, and of those the ones that start with ';' (at the very
 * start of the line). The text must be readable for 32 bytes past its end. */
struct loom_line_count {
    size_t lines, remarks;
};
struct loom_line_count loom_count_lines(const char *text, size_t size);

#endif
