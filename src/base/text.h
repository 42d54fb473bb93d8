/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.h - compare, trim and show pieces of text from outside. A piece is a pointer and a length,
 * and need not end in NUL. The locale never matters.
 */
#ifndef LOOM_BASE_TEXT_H
#define LOOM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lower case, of ASCII letters only. */
char loom_lower(char c);
/* Return whether the text and the NUL-terminated word are equal, ignoring case (ASCII). */
bool loom_same_word(const char *text, size_t length, const char *word);
/* Cut blanks and tabs off both ends. */
void loom_trim(const char **text, size_t *length);

/* Return the length in bytes of the well-formed UTF-8 code point at the start of text (Unicode
 * table 3-7), 0 if there is none. Overlong forms, surrogates and values above U+10FFFF are not well
 * formed. size > 0. */
size_t loom_utf8(const char *text, size_t size, uint32_t *value);
/* Return the length in bytes of the code point at the start of text, 1 if there is none. *printable
 * is false for control characters, line separators and bytes that are not UTF-8, which could move
 * the cursor or break the line. size > 0. */
size_t loom_utf8_step(const char *text, size_t size, bool *printable);

/* Write the start of a piece to buf for a message, with '?' for what is not printable and "..."
 * where it is cut. Returns buf. */
enum { LOOM_SHOWN = 48 };
const char *loom_shown(char buf[LOOM_SHOWN], const char *text, size_t length);

#endif
