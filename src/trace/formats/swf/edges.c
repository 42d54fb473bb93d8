/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each block of 64 bytes becomes two 64-bit masks, one bit a byte: which are blank, which are
 * newlines. Words begin and end where the blank mask changes; the positions are read off the set
 * bits. SSE2 makes the masks on x86-64. Where the processor has instructions for bits, a copy of
 * the same code that was compiled for them is used.
 */
#include "trace/formats/swf/edges.h"

#include "base/wide.h"

#include <stdbool.h>
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

/* ---- ends only ------------------------------------------------------------------------------- */

#if LOOM_HAS_WIDE
#include <immintrin.h>

LOOM_INLINE LOOM_WIDE struct masks classify_wide(const char *text)
{
    /* By the lower half of a byte: the one blank that ends in it, or something that does not. */
    const __m256i blanks =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x00000d0c0b0a0900, 0x0000000000000020));
    struct masks masks = {0};
    for (int i = 0; i < 2; i++) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + 32 * i));
        __m256i blank = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(blanks, bytes), bytes);
        __m256i newline = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n'));
        masks.blank |= (uint64_t)(uint32_t)_mm256_movemask_epi8(blank) << (32 * i);
        masks.newline |= (uint64_t)(uint32_t)_mm256_movemask_epi8(newline) << (32 * i);
    }
    return masks;
}

/* The places of a byte's set bits, the first four of them, a byte each. */
#define PLACE(bits, k) \
    ((uint64_t)((bits) >> (k)&1) * (k) << 8 * __builtin_popcount((bits) & ((1U << (k)) - 1)))
#define PLACES(bits)                                                               \
    (uint32_t)(PLACE(bits, 1) | PLACE(bits, 2) | PLACE(bits, 3) | PLACE(bits, 4) | \
               PLACE(bits, 5) | PLACE(bits, 6) | PLACE(bits, 7))
#define PLACES_4(bits) PLACES(bits), PLACES((bits) + 1), PLACES((bits) + 2), PLACES((bits) + 3)
#define PLACES_16(bits) \
    PLACES_4(bits), PLACES_4((bits) + 4), PLACES_4((bits) + 8), PLACES_4((bits) + 12)
#define PLACES_64(bits) \
    PLACES_16(bits), PLACES_16((bits) + 16), PLACES_16((bits) + 32), PLACES_16((bits) + 48)
static const uint32_t places[256] = {PLACES_64(0U), PLACES_64(64U), PLACES_64(128U),
                                     PLACES_64(192U)};

/* Words do not touch, so that at most four end in eight bytes. What is written too much is
 * overwritten by the next eight. */
LOOM_INLINE LOOM_WIDE uint32_t *put_ends(uint32_t *out, uint64_t bits, uint32_t base)
{
    __m128i start = _mm_set1_epi32((int)base);
    for (int i = 0; i < BLOCK; i += 8, bits >>= 8) {
        __m128i four = _mm_cvtepu8_epi32(_mm_cvtsi32_si128((int)places[bits & 0xff]));
        _mm_storeu_si128((__m128i *)(void *)out, _mm_add_epi32(four, start));
        start = _mm_add_epi32(start, _mm_set1_epi32(8));
        out += _mm_popcnt_u32((uint32_t)(bits & 0xff));
    }
    return out;
}

/* The lines that end in this block, before which n_words have ended: seldom more than one. */
LOOM_INLINE LOOM_WIDE size_t put_lines(const struct loom_word_ends *ends, size_t n,
                                       uint64_t newlines, uint64_t words, uint32_t base,
                                       uint32_t n_words)
{
    size_t after = n + (size_t)__builtin_popcountll(newlines);
    do {
        uint64_t upto = _blsmsk_u64(newlines);
        ends->counts[n] = n_words + (uint32_t)__builtin_popcountll(words & upto);
        ends->newlines[n] = base + (uint32_t)_tzcnt_u64(newlines);
        newlines = _blsr_u64(newlines);
    } while (++n < after);
    return after;
}

LOOM_WIDE void loom_find_word_ends(struct loom_word_ends *ends, const char *text, size_t size)
{
    const struct loom_word_ends out = *ends;
    uint32_t *word = out.words;
    size_t n_newlines = 0;
    uint64_t blank_before = 1;
    for (size_t at = 0; at < size; at += BLOCK) {
        struct masks masks = classify_wide(text + at);
        if (size - at < BLOCK) { /* what lies past the end counts as blank */
            uint64_t inside = ((uint64_t)1 << (size - at)) - 1;
            masks.blank |= ~inside;
            masks.newline &= inside;
        }
        uint64_t words = masks.blank & ~(masks.blank << 1 | blank_before);
        blank_before = masks.blank >> 63;
        n_newlines = put_lines(&out, n_newlines, masks.newline, words, (uint32_t)at,
                               (uint32_t)(word - out.words));
        word = put_ends(word, words, (uint32_t)at);
    }
    ends->n_newlines = n_newlines;
}

#endif

/* ---- lines only ------------------------------------------------------------------------------ */

typedef uint8_t u8x32 __attribute__((vector_size(32)));

LOOM_INLINE size_t sum_bytes(const u8x32 *counts)
{
    size_t sum = 0;
    for (size_t i = 0; i < sizeof *counts; i++)
        sum += (*counts)[i];
    return sum;
}

/* 32 counters of a byte each, emptied before they can overflow. Few chunks have a ';' at all. */
LOOM_INLINE size_t count_newlines(const char *text, size_t size, bool *any_semicolon)
{
    enum { STEP = 4 * sizeof(u8x32) };
    u8x32 semicolons = {0};
    size_t count = 0, at = 0;
    while (size - at >= STEP) {
        u8x32 lines = {0}, bytes;
        for (int i = 0; i < 63 && size - at >= STEP; i++, at += STEP)
            for (size_t k = 0; k < STEP; k += sizeof bytes) {
                memcpy(&bytes, text + at + k, sizeof bytes);
                lines -= (u8x32)(bytes == '\n'); /* true is -1 */
                semicolons |= (u8x32)(bytes == ';');
            }
        count += sum_bytes(&lines);
    }
    *any_semicolon = sum_bytes(&semicolons) != 0;
    for (; at < size; at++) {
        count += text[at] == '\n';
        *any_semicolon |= text[at] == ';';
    }
    return count;
}

LOOM_INLINE struct loom_line_count count_lines(const char *text, size_t size)
{
    bool any_semicolon;
    struct loom_line_count count = {.lines = count_newlines(text, size, &any_semicolon)};
    if (any_semicolon)
        for (size_t at = 0; at < size; at++)
            count.remarks += text[at] == ';' && (at == 0 || text[at - 1] == '\n');
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
