/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * text.h - pieces of text from outside: compared, trimmed, and made safe to show. A piece is a
 * pointer and a length, and need not end in NUL. The locale never matters.
 */
#ifndef LOOM_BASE_TEXT_H
#define LOOM_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Lower case, of ASCII letters only. */
char loom_lower(char c);
/* Do the text and the NUL-terminated word differ in case at most (ASCII)? */
bool loom_same_word(const char *text, size_t length, const char *word);
/* Cut blanks and tabs off both ends. */
void loom_trim(const char **text, size_t *length);

/* Bytes of the well-formed code point of UTF-8 at the start of text (Unicode table 3-7), 0 if there
 * is none. Overlong forms, surrogates and values above U+10FFFF are not well formed. size > 0. */
size_t loom_utf8(const char *text, size_t size, uint32_t *value);
/* Bytes of what stands at the start of text: a code point, else one byte. printable says whether it
 * may be shown as it is; control characters, line separators and what is not UTF-8 may not, as they
 * could move the cursor or break the line. size > 0. */
size_t loom_utf8_step(const char *text, size_t size, bool *printable);

/* The start of a piece, for a message: '?' for what cannot be shown, "..." where it is cut. Returns
 * buf. */
enum { LOOM_SHOWN = 48 };
const char *loom_shown(char buf[LOOM_SHOWN], const char *text, size_t length);

#endif
