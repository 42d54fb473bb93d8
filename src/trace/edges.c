/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each block of 64 bytes becomes two 64-bit masks, one bit a byte: which are blank, which are
 * newlines. Words begin and end where the blank mask changes; the positions are read off the set
 * bits. SSE2 makes the masks on x86-64; elsewhere eight bytes are compared at a time in a register.
 */
#include "trace/edges.h"

#include <string.h>

enum { BLOCK = 64 };

struct masks {
    uint64_t blank, newline;
};

#ifdef __SSE2__
#include <emmintrin.h>

static struct masks classify(const char *text)
{
    const __m128i space = _mm_set1_epi8(' '), line = _mm_set1_epi8('\n');
    const __m128i tab = _mm_set1_epi8('\t'), four = _mm_set1_epi8(4);
    struct masks masks = {0};
    for (int i = 0; i < 4; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(text + 16 * i));
        __m128i past_tab = _mm_sub_epi8(bytes, tab); /* 0 to 4 for tab to carriage return */
        __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(past_tab, four), past_tab);
        __m128i blank = _mm_or_si128(control, _mm_cmpeq_epi8(bytes, space));
        __m128i newline = _mm_cmpeq_epi8(bytes, line);
        masks.blank |= (uint64_t)(uint32_t)_mm_movemask_epi8(blank) << (16 * i);
        masks.newline |= (uint64_t)(uint32_t)_mm_movemask_epi8(newline) << (16 * i);
    }
    return masks;
}

#else

static struct masks classify(const char *text)
{
    struct masks masks = {0};
    for (int i = 0; i < BLOCK; i++) {
        unsigned char byte = (unsigned char)text[i];
        masks.blank |= (uint64_t)(byte == ' ' || (unsigned char)(byte - '\t') <= 4) << i;
        masks.newline |= (uint64_t)(byte == '\n') << i;
    }
    return masks;
}

#endif

/* Write base + the position of every set bit. Eight at a time without asking whether there are that
 * many: most blocks have about twenty, and the surplus is overwritten by the next block. */
static uint32_t *put_positions(uint32_t *out, uint64_t bits, uint32_t base)
{
    uint32_t *end = out + __builtin_popcountll(bits);
    while (bits) {
        for (int i = 0; i < 8; i++) {
            out[i] = base + (uint32_t)__builtin_ctzll(bits | (uint64_t)1 << 63);
            bits &= bits - 1;
        }
        out += 8;
    }
    return end;
}

void loom_find_edges(struct loom_edges *edges, const char *text, size_t size)
{
    uint32_t *word = edges->words, *newline = edges->newlines;
    uint64_t blank_before = 1;
    for (size_t at = 0; at < size; at += BLOCK) {
        struct masks masks = classify(text + at);
        if (size - at < BLOCK) { /* what lies past the end counts as blank */
            uint64_t inside = ((uint64_t)1 << (size - at)) - 1;
            masks.blank |= ~inside;
            masks.newline &= inside;
        }
        uint64_t changes = masks.blank ^ (masks.blank << 1 | blank_before);
        blank_before = masks.blank >> 63;
        word = put_positions(word, changes, (uint32_t)at);
        newline = put_positions(newline, masks.newline, (uint32_t)at);
    }
    edges->n_words = (size_t)(word - edges->words);
    edges->n_newlines = (size_t)(newline - edges->newlines);
}
