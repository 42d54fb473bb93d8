/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the processor has wide registers, each block of 64 bytes becomes two masks, one bit a byte:
 * which are blank, which are newlines. Words end where the blanks begin; the positions are read off
 * the set bits.
 */
#include "trace/formats/swf/ends.h"

#include "base/wide.h"

#if LOOM_HAS_WIDE
#include <immintrin.h>

enum { BLOCK = 64 };

/* Returns the blanks of a block. */
LOOM_INLINE LOOM_WIDE uint64_t classify(const char *text, uint64_t *newlines)
{
    /* By the lower half of a byte: the one blank that ends in it, or something that does not. */
    const __m256i blanks =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x00000d0c0b0a0900, 0x0000000000000020));
    uint64_t blank = 0, newline = 0;
    for (int i = 0; i < BLOCK; i += 32) {
        __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(text + i));
        __m256i is_blank = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(blanks, bytes), bytes);
        __m256i is_newline = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n'));
        blank |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_blank) << i;
        newline |= (uint64_t)(uint32_t)_mm256_movemask_epi8(is_newline) << i;
    }
    *newlines = newline;
    return blank;
}

/* The position of every set bit, eight at a time without asking whether there are that many: what
 * is written too much is overwritten by the next block. Returns the end of the positions. */
LOOM_INLINE LOOM_WIDE uint32_t *put_positions(uint32_t *out, uint64_t bits, uint32_t base)
{
    uint32_t *end = out + _mm_popcnt_u64(bits);
    for (; bits; out += 8)
        for (int i = 0; i < 8; i++, bits = _blsr_u64(bits))
            out[i] = base + (uint32_t)_tzcnt_u64(bits);
    return end;
}

LOOM_WIDE static void find_ends_wide(struct loom_ends *ends, const char *text, size_t size)
{
    uint32_t *word = ends->words;
    size_t lines = 0;
    uint64_t blank_before = 1;
    for (size_t at = 0; at < size; at += BLOCK) {
        uint64_t newlines, blanks = classify(text + at, &newlines);
        if (size - at < BLOCK) { /* what lies past the end counts as blank */
            blanks |= ~(uint64_t)0 << (size - at);
            newlines &= ~(~(uint64_t)0 << (size - at));
        }
        uint64_t words = blanks & ~(blanks << 1 | blank_before);
        blank_before = blanks >> 63;
        size_t after = lines + (size_t)_mm_popcnt_u64(newlines);
        do { /* seldom more than one: to write one without asking is faster */
            uint64_t until = words & _blsmsk_u64(newlines);
            ends->newlines[lines] = (uint32_t)(at + _tzcnt_u64(newlines));
            ends->counts[lines] = (uint32_t)(word - ends->words + _mm_popcnt_u64(until));
            newlines = _blsr_u64(newlines);
        } while (++lines < after);
        lines = after;
        word = put_positions(word, words, (uint32_t)at);
    }
    ends->n_newlines = lines;
}

#endif

static void find_ends(struct loom_ends *ends, const char *text, size_t size)
{
    uint32_t n_words = 0;
    bool blank_before = true;
    ends->n_newlines = 0;
    for (uint32_t at = 0; at < size; at++) {
        bool blank = text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r');
        if (blank && !blank_before)
            ends->words[n_words++] = at;
        blank_before = blank;
        if (text[at] == '\n') {
            ends->newlines[ends->n_newlines] = at;
            ends->counts[ends->n_newlines++] = n_words;
        }
    }
}

void loom_find_ends(struct loom_ends *ends, const char *text, size_t size, bool wide)
{
#if LOOM_HAS_WIDE
    if (wide) {
        find_ends_wide(ends, text, size);
        return;
    }
#endif
    (void)wide;
    find_ends(ends, text, size);
}
