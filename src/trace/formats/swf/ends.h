/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * swf/ends.h - where the words and lines of a text end.
 *
 * Finding the ends first, for a whole chunk, and converting numbers afterwards keeps the converter
 * from waiting for the scanner: a word's place does not depend on the word before it.
 */
#ifndef LOOM_TRACE_FORMATS_SWF_ENDS_H
#define LOOM_TRACE_FORMATS_SWF_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loom_ends {
    uint32_t *words;    /* end (past the last byte) of each word */
    uint32_t *newlines; /* position of each newline */
    uint32_t *counts;   /* for each newline, how many words end before it */
    size_t n_newlines;
};

/* Find the ends of words and lines in a text that ends in a newline and is readable for 63 bytes
 * past its end; size < 2^32. Each array must have room for size + 64 entries. A blank is a space,
 * tab, newline, vertical tab, form feed or carriage return. wide needs loom_is_wide(). */
void loom_find_ends(struct loom_ends *ends, const char *text, size_t size, bool wide);

#endif
