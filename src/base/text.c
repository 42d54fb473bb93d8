/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of text from outside: letters by ASCII, characters by UTF-8. */
#include "base/text.h"

#include <string.h>

char loom_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool loom_same_word(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    while (i < length && word[i] && loom_lower(text[i]) == loom_lower(word[i]))
        i++;
    return i == length && !word[i];
}

static bool text_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

void loom_trim(const char **text, size_t *length)
{
    for (; *length > 0 && text_is_blank((*text)[0]); --*length)
        ++*text;
    while (*length > 0 && text_is_blank((*text)[*length - 1]))
        --*length;
}

/* ---- characters ------------------------------------------------------------------------------ */

size_t loom_utf8(const char *text, size_t size, uint32_t *value)
{
    const unsigned char *bytes = (const unsigned char *)text;
    unsigned char lead = bytes[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (length == 0 || length > size || lead > 0xf4)
        return 0;
    *value = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80)
            return 0;
        *value = *value << 6 | (bytes[i] & 0x3f);
    }
    bool overlong = (length == 3 && *value < 0x800) || (length == 4 && *value < 0x10000);
    bool surrogate = *value >= 0xd800 && *value <= 0xdfff;
    return overlong || surrogate || *value > 0x10ffff ? 0 : length;
}

size_t loom_utf8_step(const char *text, size_t size, bool *printable)
{
    uint32_t value = 0;
    size_t length = loom_utf8(text, size, &value);
    bool control = value < 0x20 || (value >= 0x7f && value < 0xa0);
    bool separator = value == 0x2028 || value == 0x2029;
    *printable = length > 0 && !control && !separator;
    return length > 0 ? length : 1;
}

const char *loom_shown(char buf[LOOM_SHOWN], const char *text, size_t length)
{
    size_t at = 0, used = 0;
    while (at < length) {
        bool printable;
        size_t step = loom_utf8_step(text + at, length - at, &printable);
        size_t wanted = printable ? step : 1;
        if (used + wanted > LOOM_SHOWN - sizeof "...")
            break;
        memcpy(buf + used, printable ? text + at : "?", wanted);
        used += wanted;
        at += step;
    }
    memcpy(buf + used, at < length ? "..." : "", at < length ? sizeof "..." : 1);
    return buf;
}
