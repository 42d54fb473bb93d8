/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Eight lines of SWF into eight rows, one field after the other, without a branch that depends on
 * how wide a number is or what stands around it.
 *
 * A number is read from its end: of the 8 bytes before that, last byte first, some are digits, up
 * to a byte that is none. The word is a number if that byte is a blank, or a minus with a blank
 * behind it. Four words share a register; nothing but their ends has to be known, and all layouts
 * cost the same. The caller promises that the byte before an end is no blank.
 *
 * What is no such number is tried again in ways each of which is rarer and wider than the one
 * before: whole numbers of up to 16 digits or, in columns that keep them, fractions of up to 15;
 * last the word itself, by the converter that all formats share (number.h). A word which that
 * refuses or rounds is left to the caller together with its line, so that what is wrong with a line
 * is said in one place (swf/lines.c). Every way gives the number that number.h gives.
 */
#include "trace/formats/swf/eight.h"

#include "base/wide.h"
#include "trace/number.h"

#if LOOM_HAS_WIDE

#include <immintrin.h>
#include <string.h>

#define WIDE_INLINE LOOM_INLINE LOOM_WIDE
#define WIDE_APART LOOM_WIDE static __attribute__((noinline))

enum { FIELDS = LOOM_COLUMN_COUNT, LINES = LOOM_SWF_AT_ONCE };

/* One byte repeated. */
#define BYTES(value) (0x0101010101010101 * (int64_t)(value))
/* The same, but nothing that a word could end in where its last byte is. */
#define BYTES_BUT_LAST(value) ((BYTES(value) & ~(int64_t)0xff) | '\n')

/* The same field of eight lines. */
struct field {
    const char *text;
    const uint32_t *ends; /* of the first line; the next line's is FIELDS further on */
};

/* ---- four words ------------------------------------------------------------------------------ */

/* Four words, the last 8 bytes of each, last byte first. */
struct tails {
    __m256i bytes;
    __m256i values; /* of the bytes as digits */
    __m256i run;    /* the digits up to the first byte that is none */
    __m256i stop;   /* the lowest bit of that byte, or 0 if all eight are digits */
};

WIDE_INLINE int64_t load(const struct field *field, int line, int back)
{
    int64_t word;
    memcpy(&word, field->text + field->ends[FIELDS * line] - back, sizeof word);
    return word;
}

/* 8 bytes from `back` bytes before the end, of the lines first, first + 1, first + 4 and first + 5:
 * two such halves, from lines 0 and 2, fall into order when they are packed (in_order). */
WIDE_INLINE __m256i load_four(const struct field *field, int first, int back)
{
    const __m256i reverse = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                              0x08090a0b0c0d0e0f, 0x0001020304050607);
    __m256i bytes = _mm256_set_epi64x(load(field, first + 5, back), load(field, first + 4, back),
                                      load(field, first + 1, back), load(field, first, back));
    return _mm256_shuffle_epi8(bytes, reverse);
}

/* Adding one to a run of set bits carries over to the first byte behind it. */
WIDE_INLINE struct tails cut(__m256i bytes)
{
    __m256i values = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    __m256i digits = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
    __m256i carried = _mm256_sub_epi64(digits, _mm256_set1_epi64x(-1));
    return (struct tails){
        .bytes = bytes,
        .values = values,
        .run = _mm256_andnot_si256(carried, digits),
        .stop = _mm256_andnot_si256(digits, carried),
    };
}

/* The stops that are a certain byte; pattern is BYTES of it, or BYTES_BUT_LAST. */
WIDE_INLINE __m256i stops_at(const struct tails *tails, int64_t pattern)
{
    __m256i same = _mm256_cmpeq_epi8(tails->bytes, _mm256_set1_epi64x(pattern));
    return _mm256_and_si256(tails->stop, same);
}

/* Not 0 where the digits are a whole word, with these minuses. A blank is one as edges.h says. */
WIDE_INLINE __m256i are_words(const struct tails *tails, __m256i minus)
{
    /* By the lower half of a byte: the one blank that ends in it, or something that does not. */
    const __m256i blanks =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x00000d0c0b0a0900, 0x0000000000000020));
    __m256i blank = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(blanks, tails->bytes), tails->bytes);
    __m256i stop = _mm256_or_si256(tails->stop, _mm256_slli_epi64(minus, 8));
    return _mm256_and_si256(blank, stop);
}

WIDE_INLINE __m256i is_zero(__m256i lanes)
{
    return _mm256_cmpeq_epi64(lanes, _mm256_setzero_si256());
}

/* For bits that are not a lane's highest. */
WIDE_INLINE __m256i is_set(__m256i lanes)
{
    return _mm256_cmpgt_epi64(lanes, _mm256_setzero_si256());
}

/* Digits as two numbers of four digits in each lane, the lower one first. */
WIDE_INLINE __m256i join_fours(const struct tails *tails)
{
    __m256i digits = _mm256_and_si256(tails->values, tails->run);
    __m256i pairs = _mm256_maddubs_epi16(digits, _mm256_set1_epi16(10 << 8 | 1));
    return _mm256_madd_epi16(pairs, _mm256_set1_epi32(100 << 16 | 1));
}

/* Numbers of eight digits, one a lane. */
WIDE_INLINE __m256i join_eights(const struct tails *tails)
{
    __m256i fours = join_fours(tails);
    __m256i upper = _mm256_mul_epu32(_mm256_srli_epi64(fours, 32), _mm256_set1_epi64x(10000));
    return _mm256_add_epi64(_mm256_and_si256(fours, _mm256_set1_epi64x(0xffffffff)), upper);
}

/* ---- eight words ----------------------------------------------------------------------------- */

/* Both halves as eight numbers of 32 bits, in the order of lines. */
WIDE_INLINE __m256i join_halves(__m256i fours, __m256i more_fours)
{
    __m256i packed = _mm256_packus_epi32(fours, more_fours);
    return _mm256_madd_epi16(packed, _mm256_set1_epi32(10000 << 16 | 1));
}

/* The lower 32 bits of both halves' lanes, in the order of lines. */
WIDE_INLINE __m256i in_order(__m256i half, __m256i other)
{
    return _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(half), _mm256_castsi256_ps(other), 0x88));
}

/* A bit for each line whose lane is all ones. */
WIDE_INLINE unsigned line_bits(__m256i half, __m256i other)
{
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(in_order(half, other)));
}

/* Whole numbers of up to 7 digits, and the lines that have something else. */
WIDE_INLINE __m256i read_short(const struct field *field, unsigned *odd)
{
    struct tails a = cut(load_four(field, 0, 8)), b = cut(load_four(field, 2, 8));
    __m256i minus_a = stops_at(&a, BYTES_BUT_LAST('-'));
    __m256i minus_b = stops_at(&b, BYTES_BUT_LAST('-'));
    *odd = line_bits(is_zero(are_words(&a, minus_a)), is_zero(are_words(&b, minus_b)));
    __m256i value = join_halves(join_fours(&a), join_fours(&b));
    __m256i negative = in_order(is_set(minus_a), is_set(minus_b));
    return _mm256_sub_epi32(_mm256_xor_si256(value, negative), negative);
}

/* ---- longer numbers -------------------------------------------------------------------------- */

/* Half of read_long. */
struct longs {
    __m256i lower, upper, minus, words;
};

WIDE_INLINE struct longs cut_long(const struct field *field, int first)
{
    struct tails lower = cut(load_four(field, first, 8)), upper = cut(load_four(field, first, 16));
    __m256i reaching = is_zero(lower.stop);
    __m256i minus = stops_at(&lower, BYTES_BUT_LAST('-'));
    __m256i upper_minus = stops_at(&upper, BYTES('-'));
    upper.run = _mm256_and_si256(upper.run, reaching);
    return (struct longs){
        .lower = join_fours(&lower),
        .upper = join_fours(&upper),
        .minus = _mm256_blendv_epi8(minus, upper_minus, reaching),
        .words =
            _mm256_blendv_epi8(are_words(&lower, minus), are_words(&upper, upper_minus), reaching),
    };
}

WIDE_INLINE void put_long(int64_t *out, __m128i lower, __m128i upper, __m128i negative)
{
    __m256i value = _mm256_mul_epu32(_mm256_cvtepu32_epi64(upper), _mm256_set1_epi64x(100000000));
    value = _mm256_add_epi64(value, _mm256_cvtepu32_epi64(lower));
    __m256i sign = _mm256_cvtepi32_epi64(negative);
    value = _mm256_sub_epi64(_mm256_xor_si256(value, sign), sign);
    _mm256_storeu_si256((__m256i *)(void *)out, value);
}

/* Whole numbers of up to 15 digits, or 16 without a minus, and the lines that have something else.
 */
WIDE_APART unsigned read_long(int64_t out[LINES], const struct field *field)
{
    struct longs a = cut_long(field, 0), b = cut_long(field, 2);
    __m256i lower = join_halves(a.lower, b.lower), upper = join_halves(a.upper, b.upper);
    __m256i negative = in_order(is_set(a.minus), is_set(b.minus));
    put_long(out, _mm256_castsi256_si128(lower), _mm256_castsi256_si128(upper),
             _mm256_castsi256_si128(negative));
    put_long(out + 4, _mm256_extracti128_si256(lower, 1), _mm256_extracti128_si256(upper, 1),
             _mm256_extracti128_si256(negative, 1));
    return line_bits(is_zero(a.words), is_zero(b.words));
}

/* ---- fractions ------------------------------------------------------------------------------- */

/* For numbers below 2^52. */
WIDE_INLINE __m256d to_double(__m256i value)
{
    const __m256d bias = _mm256_set1_pd(0x1p52); /* whose lowest bit stands for 1 */
    __m256i biased = _mm256_or_si256(value, _mm256_castpd_si256(bias));
    return _mm256_sub_pd(_mm256_castsi256_pd(biased), bias);
}

/* The bytes, moved down by up to 64 bits, with those before them in the room that this makes. */
WIDE_INLINE __m256i moved(__m256i bytes, __m256i before, __m256i bits)
{
    __m256i rest = _mm256_sub_epi64(_mm256_set1_epi64x(64), bits);
    return _mm256_or_si256(_mm256_srlv_epi64(bytes, bits), _mm256_sllv_epi64(before, rest));
}

/* The digits before the point: the last eight of them, and those before that. */
struct wholes {
    __m256i lower, upper, minus, words;
};

/* Where no digits reach past the lower eight, the upper ones need not be looked for. */
WIDE_INLINE struct wholes cut_wholes(const struct field *field, int first, __m256i bytes,
                                     __m256i bits)
{
    __m256i before = load_four(field, first, 16);
    struct tails lower = cut(moved(bytes, before, bits));
    __m256i minus = stops_at(&lower, BYTES('-')), reaching = is_zero(lower.stop);
    struct wholes wholes = {.lower = join_eights(&lower),
                            .upper = _mm256_setzero_si256(),
                            .minus = minus,
                            .words = are_words(&lower, minus)};
    if (_mm256_testz_si256(reaching, reaching))
        return wholes;
    struct tails upper = cut(moved(before, load_four(field, first, 24), bits));
    __m256i upper_minus = stops_at(&upper, BYTES('-'));
    wholes.upper = _mm256_and_si256(join_eights(&upper), reaching);
    wholes.minus = _mm256_blendv_epi8(minus, upper_minus, reaching);
    wholes.words = _mm256_blendv_epi8(wholes.words, are_words(&upper, upper_minus), reaching);
    return wholes;
}

/* Half of read_fractions: the lanes where words is not 0. The digits on both sides of the point,
 * taken as one number of at most 15 digits, and the power of ten are exact, so that their quotient
 * is the nearest double. A word without a point has all its digits before it. */
WIDE_INLINE __m256d cut_fraction(const struct field *field, int first, __m256i *words)
{
    const __m256i powers = _mm256_set_epi32(10000000, 1000000, 100000, 10000, 1000, 100, 10, 1);
    struct tails tails = cut(load_four(field, first, 8));
    __m256i has_point = is_set(stops_at(&tails, BYTES_BUT_LAST('.')));
    __m256i ones = _mm256_and_si256(tails.run, _mm256_set1_epi8(1));
    __m256i decimals = _mm256_and_si256(_mm256_sad_epu8(ones, _mm256_setzero_si256()), has_point);
    __m256i bits = _mm256_add_epi64(_mm256_slli_epi64(decimals, 3), _mm256_set1_epi64x(8));
    bits = _mm256_and_si256(bits, has_point);
    struct wholes wholes = cut_wholes(field, first, tails.bytes, bits);

    __m256i scale = _mm256_permutevar8x32_epi32(powers, decimals);
    scale = _mm256_and_si256(scale, _mm256_set1_epi64x(0xffffffff));
    __m256i fraction = _mm256_and_si256(join_eights(&tails), has_point);
    __m256i upper = _mm256_mul_epu32(wholes.upper, scale);
    __m256i too_long = _mm256_cmpgt_epi64(upper, _mm256_set1_epi64x(9999999));
    __m256i no_number = _mm256_or_si256(is_zero(tails.run), too_long);
    *words = _mm256_andnot_si256(no_number, wholes.words);

    __m256i digits = _mm256_add_epi64(_mm256_mul_epu32(wholes.lower, scale), fraction);
    digits = _mm256_add_epi64(digits, _mm256_mul_epu32(upper, _mm256_set1_epi64x(100000000)));
    __m256d value = _mm256_div_pd(to_double(digits), to_double(scale));
    __m256d negative = _mm256_sub_pd(_mm256_setzero_pd(), value);
    return _mm256_blendv_pd(value, negative, _mm256_castsi256_pd(is_set(wholes.minus)));
}

/* Numbers of up to 15 digits, 7 of them behind the point at most, and the lines that have something
 * else. */
WIDE_APART unsigned read_fractions(double out[LINES], const struct field *field)
{
    __m256i words_a, words_b;
    __m256d a = cut_fraction(field, 0, &words_a), b = cut_fraction(field, 2, &words_b);
    _mm256_storeu_pd(out, _mm256_permute2f128_pd(a, b, 0x20));
    _mm256_storeu_pd(out + 4, _mm256_permute2f128_pd(a, b, 0x31));
    return line_bits(is_zero(words_a), is_zero(words_b));
}

/* ---- any word -------------------------------------------------------------------------------- */

static bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

/* The word of a line, by the rules for all formats. False if it is no number, or was rounded. */
#define DEFINE_READ_WORD(suffix, type, convert)                                    \
    static bool read_word_##suffix(type *out, const struct field *field, int line) \
    {                                                                              \
        const char *end = field->text + field->ends[FIELDS * line], *word = end;   \
        while (word > field->text && !is_blank(word[-1]))                          \
            word--;                                                                \
        size_t length = (size_t)(end - word);                                      \
        return (convert) == LOOM_NUMBER_OK;                                        \
    }

DEFINE_READ_WORD(whole, int64_t, loom_number_whole(out, word, length, INT64_MIN, INT64_MAX))
DEFINE_READ_WORD(real, double, loom_number_real(out, word, length))

/* ---- columns --------------------------------------------------------------------------------- */

static unsigned bit(int line)
{
    return 1U << line;
}

/* read_long where it will do, else the word itself. */
WIDE_APART unsigned read_whole(int64_t out[LINES], const struct field *field)
{
    unsigned odd = read_long(out, field);
    for (int line = 0; odd >> line; line++)
        if (odd & bit(line) && read_word_whole(&out[line], field, line))
            odd &= ~bit(line);
    return odd;
}

WIDE_APART unsigned read_whole_32(int32_t out[LINES], const struct field *field)
{
    int64_t numbers[LINES];
    unsigned odd = read_whole(numbers, field);
    for (int line = 0; line < LINES; line++) {
        out[line] = (int32_t)numbers[line];
        if (out[line] != numbers[line])
            odd |= bit(line);
    }
    return odd;
}

/* read_fractions where it will do, else the word itself. */
WIDE_APART unsigned read_real(double out[LINES], const struct field *field)
{
    unsigned odd = read_fractions(out, field);
    for (int line = 0; odd >> line; line++)
        if (odd & bit(line) && read_word_real(&out[line], field, line))
            odd &= ~bit(line);
    return odd;
}

/* What read_short made of eight lines: all of it first, then the columns, so that its constants
 * stay in registers. */
struct shorts {
    __m256i values[FIELDS];
    unsigned odd[FIELDS];
};

WIDE_INLINE unsigned put_int64(int64_t out[LINES], __m256i values, unsigned odd, struct field field)
{
    if (odd)
        return read_whole(out, &field);
    __m256i lower = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(values));
    __m256i upper = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(values, 1));
    _mm256_storeu_si256((__m256i *)(void *)out, lower);
    _mm256_storeu_si256((__m256i *)(void *)(out + 4), upper);
    return 0;
}

WIDE_INLINE unsigned put_int32(int32_t out[LINES], __m256i values, unsigned odd, struct field field)
{
    if (odd)
        return read_whole_32(out, &field);
    _mm256_storeu_si256((__m256i *)(void *)out, values);
    return 0;
}

WIDE_INLINE unsigned put_real(double out[LINES], __m256i values, unsigned odd, struct field field)
{
    if (odd)
        return read_real(out, &field);
    _mm256_storeu_pd(out, _mm256_cvtepi32_pd(_mm256_castsi256_si128(values)));
    _mm256_storeu_pd(out + 4, _mm256_cvtepi32_pd(_mm256_extracti128_si256(values, 1)));
    return 0;
}

#define PUT(column) _Generic(*(column), int64_t : put_int64, int32_t : put_int32, double : put_real)

LOOM_WIDE unsigned loom_swf_read_eight(struct loom_swf_rows *rows, const char *text,
                                       const uint32_t *ends)
{
    struct shorts shorts;
    struct field field = {.text = text, .ends = ends};
    for (int i = 0; i < FIELDS; i++, field.ends++)
        shorts.values[i] = read_short(&field, &shorts.odd[i]);
    const size_t row = rows->n;
    unsigned odd = 0;
    int i = 0;
    field.ends = ends;
#define X(name, type, what)                                                           \
    odd |= PUT(rows->name)(&rows->name[row], shorts.values[i], shorts.odd[i], field); \
    field.ends++;                                                                     \
    i++;
    LOOM_COLUMNS(X)
#undef X
    return odd;
}

#endif
