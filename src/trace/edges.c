/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each block of 64 bytes becomes two 64-bit masks, one bit a byte: which are blank, which are
 * newlines. Words begin and end where the blank mask changes; the positions are read off the set
 * bits. SSE2 makes the masks on x86-64. Where the processor has instructions for bits, a copy of
 * the same code that was compiled for them is used.
 */
#include "trace/edges.h"

#include "base/wide.h"

#include <string.h>

enum { BLOCK = 64 };

struct masks {
    uint64_t blank, newline;
};

#ifdef __SSE2__
#include <emmintrin.h>

LOOM_INLINE struct masks classify(const char *text)
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

LOOM_INLINE struct masks classify(const char *text)
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

/* base + the position of the lowest set bit, which is taken out. */
LOOM_INLINE uint32_t take_position(uint64_t *bits, uint32_t base)
{
    uint32_t position = base + (uint32_t)__builtin_ctzll(*bits | (uint64_t)1 << 63);
    *bits &= *bits - 1;
    return position;
}

/* Every set bit of a mask that has many: eight at a time without asking whether there are that
 * many, since what is written too much is overwritten by the next block. */
LOOM_INLINE uint32_t *put_many(uint32_t *out, uint64_t bits, uint32_t base)
{
    uint32_t *end = out + __builtin_popcountll(bits);
    for (; bits; out += 8)
        for (int i = 0; i < 8; i++)
            out[i] = take_position(&bits, base);
    return end;
}

LOOM_INLINE uint32_t *put_few(uint32_t *out, uint64_t bits, uint32_t base)
{
    while (bits)
        *out++ = take_position(&bits, base);
    return out;
}

LOOM_INLINE void find_edges(struct loom_edges *edges, const char *text, size_t size)
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
        word = put_many(word, changes, (uint32_t)at);
        newline = put_few(newline, masks.newline, (uint32_t)at);
    }
    edges->n_words = (size_t)(word - edges->words);
    edges->n_newlines = (size_t)(newline - edges->newlines);
}

typedef uint8_t u8x32 __attribute__((vector_size(32)));

LOOM_INLINE size_t sum_bytes(const u8x32 *counts)
{
    size_t sum = 0;
    for (size_t i = 0; i < sizeof *counts; i++)
        sum += (*counts)[i];
    return sum;
}

/* 32 counters of a byte each, emptied before they can overflow. */
LOOM_INLINE struct loom_line_count count_lines(const char *text, size_t size)
{
    struct loom_line_count count = {.remarks = size > 0 && text[0] == ';'};
    size_t at = 0;
    while (size - at > sizeof(u8x32)) { /* one more byte is looked at */
        u8x32 lines = {0}, remarks = {0}, bytes, next;
        for (int i = 0; i < 255 && size - at > sizeof bytes; i++, at += sizeof bytes) {
            memcpy(&bytes, text + at, sizeof bytes);
            memcpy(&next, text + at + 1, sizeof next);
            u8x32 newline = (u8x32)(bytes == '\n'); /* true is -1 */
            lines -= newline;
            remarks -= newline & (u8x32)(next == ';');
        }
        count.lines += sum_bytes(&lines);
        count.remarks += sum_bytes(&remarks);
    }
    for (; at < size; at++) {
        count.lines += text[at] == '\n';
        count.remarks += text[at] == '\n' && at + 1 < size && text[at + 1] == ';';
    }
    return count;
}

LOOM_WIDE static struct loom_line_count count_lines_wide(const char *text, size_t size)
{
    return count_lines(text, size);
}

struct loom_line_count loom_count_lines(const char *text, size_t size)
{
    return loom_is_wide() ? count_lines_wide(text, size) : count_lines(text, size);
}

LOOM_WIDE static void find_edges_wide(struct loom_edges *edges, const char *text, size_t size)
{
    find_edges(edges, text, size);
}

void loom_find_edges(struct loom_edges *edges, const char *text, size_t size)
{
    if (loom_is_wide())
        find_edges_wide(edges, text, size);
    else
        find_edges(edges, text, size);
}
