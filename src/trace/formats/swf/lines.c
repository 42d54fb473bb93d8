/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of SWF into rows of the job table.
 *
 * The ends of all words of a chunk are found first (swf/ends.h), and numbers are read backwards
 * from there. Where the processor has wide registers, lines of 18 words are read eight at a time:
 * numbers of up to 7 digits, which nearly all are, without a branch that depends on how wide they
 * are or what stands around them. Longer words are read one by one, lines that are anything else
 * line by line; both ways give the same rows.
 */
#include "trace/formats/swf/lines.h"

#include "base/pages.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/wide.h"
#include "trace/number.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = LOOM_SWF_FIELDS, AT_ONCE = 8 };

static const char *const field_names[FIELDS] = {
#define X(name, type, what) what,
    LOOM_COLUMNS(X)
#undef X
};

/* What the lines of a chunk are read with. */
struct lines {
    struct loom_swf_scratch *scratch;
    const struct loom_columns *columns;
    const struct loom_chunk *chunk;
    struct loom_swf_part *part;
    bool skip_bad;
    const char *file;
};

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_blank(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static size_t word_length(const char *text, const char *end)
{
    const char *at = end;
    while (at > text && !is_blank(at[-1]))
        at--;
    return (size_t)(end - at);
}

/* Read eight digits at once: they are added up in pairs, fours and all eight. False if there are
 * other bytes among them. */
static bool read_eight_digits(int64_t *out, const char *text)
{
    uint64_t digits;
    memcpy(&digits, text, sizeof digits);
    digits = le64toh(digits) ^ 0x3030303030303030u;
    bool all = !(((digits + 0x7676767676767676u) | digits) & 0x8080808080808080u);
    digits = digits * 10 + (digits >> 8);
    digits = (digits & 0x000000ff000000ffu) * 0x000f424000000064u +
             ((digits >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u;
    *out = (int64_t)(digits >> 32);
    return all;
}

/* Read a whole number of up to 15 digits backwards from its end; false if the word is no such
 * number. */
static bool read_digits(int64_t *out, const char *end)
{
    const char *at = end;
    int64_t value = 0, scale = 1;
    if (read_eight_digits(&value, end - 8)) {
        at -= 8;
        scale = 100000000;
    } else {
        value = 0;
    }
    for (; at[-1] >= '0' && at[-1] <= '9' && end - at < 15; at--, scale *= 10)
        value += (at[-1] - '0') * scale;
    bool negative = at[-1] == '-';
    *out = negative ? -value : value;
    return at < end && is_blank(negative ? at[-2] : at[-1]);
}

/* The word of text that stops at end, by the rules for all formats. */
static enum loom_number read_int64(int64_t *out, const char *text, const char *end)
{
    size_t length;
    if (read_digits(out, end))
        return LOOM_NUMBER_OK;
    length = word_length(text, end);
    return loom_number_whole(out, end - length, length, INT64_MIN, INT64_MAX);
}

static enum loom_number read_int32(int32_t *out, const char *text, const char *end)
{
    int64_t number = 0;
    enum loom_number result = read_int64(&number, text, end);
    *out = (int32_t)number;
    return result >= 0 && *out != number ? LOOM_NUMBER_RANGE : result;
}

static enum loom_number read_real(double *out, const char *text, const char *end)
{
    size_t length;
    int64_t number;
    if (!read_digits(&number, end)) {
        length = word_length(text, end);
        return loom_number_real(out, end - length, length);
    }
    *out = (double)number;
    return LOOM_NUMBER_OK;
}

#define READ_WORD(at) \
    _Generic(*(at), int64_t : read_int64, int32_t : read_int32, double : read_real)

/* ---- bad lines and remarks ------------------------------------------------------------------- */

/* A bad line: remembered and skipped if that is wanted, else the end of reading. */
static int reject(const struct lines *lines, const struct loom_error *bad, struct loom_error *err)
{
    if (!lines->skip_bad) {
        if (err) {
            *err = *bad;
            err->skippable = true;
        }
        return bad->code;
    }
    if (lines->part->bad_lines++ == 0)
        lines->part->first_bad = *bad;
    return 0;
}

static int reject_field(const struct lines *lines, int64_t line, int field, int column,
                        const char *word, size_t length, enum loom_number problem,
                        struct loom_error *err)
{
    char text[LOOM_SHOWN];
    struct loom_error bad;
    if (memchr(word, '\0', length))
        loom_fail_at(&bad, LOOM_EFORMAT, lines->file, line, column,
                     "field %d (%s) holds a NUL byte", field + 1, field_names[field]);
    else
        loom_fail_at(&bad, LOOM_EFORMAT, lines->file, line, column, "field %d (%s): '%s' %s",
                     field + 1, field_names[field], loom_shown(text, word, length),
                     loom_number_problem(problem));
    return reject(lines, &bad, err);
}

static int reject_count(const struct lines *lines, int64_t line, size_t words,
                        struct loom_error *err)
{
    struct loom_error bad;
    loom_fail_at(&bad, LOOM_EFORMAT, lines->file, line, 0,
                 "the line has %zu field%s where SWF has %d", words, words == 1 ? "" : "s", FIELDS);
    return reject(lines, &bad, err);
}

static int keep_remark(struct loom_swf_part *part, const char *text, const char *newline,
                       struct loom_error *err)
{
    while (newline > text && newline[-1] == '\r')
        newline--;
    size_t length = (size_t)(newline - text);
    if (loom_grow(&part->remarks, part->n_remarks, &part->remarks_capacity))
        return loom_fail_memory(err);
    char *copy = malloc(length ? length : 1);
    if (!copy)
        return loom_fail_memory(err);
    memcpy(copy, text, length);
    part->remarks[part->n_remarks++] = (struct loom_swf_remark){.text = copy, .length = length};
    return 0;
}

void loom_swf_part_free(struct loom_swf_part *part)
{
    for (size_t i = 0; i < part->n_remarks; i++)
        free(part->remarks[i].text);
    free(part->remarks);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* n values of one column into the table, if there are others than the part's first. */
static void put_values(char *column, size_t item_size, const struct loom_swf_part *part,
                       const void *first, bool *varies, const char *values, size_t n)
{
    char *place = column + item_size * part->first_row, *end = place + item_size * part->jobs;
    if (!*varies) {
        if (memcmp(values, first, item_size) == 0 &&
            memcmp(values, values + item_size, item_size * (n - 1)) == 0)
            return;
        *varies = true;
        loom_fill(place, first, item_size, part->jobs);
    }
    memcpy(end, values, item_size * n);
}

/* The rows so far into the table. */
static void flush_rows(const struct lines *lines)
{
    struct loom_swf_rows *rows = &lines->scratch->rows;
    struct loom_swf_part *part = lines->part;
    bool *varies = part->varies;
    if (rows->n == 0)
        return;
#define X(name, type, what)                                                                   \
    if (part->jobs == 0)                                                                      \
        part->first.name = rows->name[0];                                                     \
    put_values((char *)lines->columns->name, sizeof(type), part, &part->first.name, varies++, \
               (const char *)rows->name, rows->n);
    LOOM_COLUMNS(X)
#undef X
    part->jobs += rows->n;
    rows->n = 0;
}

/* ---- one line ------------------------------------------------------------------------------- */

/* The words that stop at these ends into the next row. Returns -1, or the index of a field that is
 * no number. */
static int read_words(const struct lines *lines, const uint32_t *ends, enum loom_number *problem)
{
    struct loom_swf_rows *rows = &lines->scratch->rows;
    const char *text = lines->chunk->text;
    int64_t rounded = 0;
    int field = 0;
    if (rows->n == LOOM_SWF_ROWS)
        flush_rows(lines);
#define X(name, type, what)                                                           \
    *problem = READ_WORD(rows->name)(&rows->name[rows->n], text, text + ends[field]); \
    if (*problem < 0)                                                                 \
        return field;                                                                 \
    rounded += *problem == LOOM_NUMBER_ROUNDED;                                       \
    field++;
    LOOM_COLUMNS(X)
#undef X
    lines->part->rounded += rounded;
    rows->n++;
    return -1;
}

/* The line of that index, from 0, in the chunk. */
static int read_line(const struct lines *lines, size_t index, struct loom_error *err)
{
    const struct loom_ends *ends = &lines->scratch->ends;
    const char *text = lines->chunk->text, *line = text, *newline = text + ends->newlines[index];
    const uint32_t *words = ends->words;
    size_t n_words = ends->counts[index];
    int64_t number = lines->chunk->first_line + (int64_t)index;
    if (index > 0) {
        line += ends->newlines[index - 1] + 1;
        words += ends->counts[index - 1];
        n_words -= ends->counts[index - 1];
    }
    const char *start = line;
    while (start < newline && is_blank(*start))
        start++;
    if (start == newline)
        return 0;
    if (*start == ';')
        return keep_remark(lines->part, start + 1, newline, err);
    if (n_words != FIELDS)
        return reject_count(lines, number, n_words, err);
    enum loom_number problem = LOOM_NUMBER_OK;
    int bad = read_words(lines, words, &problem);
    if (bad < 0)
        return 0;
    size_t length = word_length(text, text + words[bad]);
    const char *word = text + words[bad] - length;
    return reject_field(lines, number, bad, (int)(word - line) + 1, word, length, problem, err);
}

/* ---- eight lines at once --------------------------------------------------------------------- */

#if LOOM_HAS_WIDE
#include <immintrin.h>

/* What came of four words. A lane is 64 bits. */
struct four {
    __m256i fours;    /* two numbers of four digits in each lane, the lower one first */
    __m256i negative; /* all ones where there is a minus */
    __m256i odd;      /* all ones where it is no number of up to 7 digits */
};

LOOM_INLINE int64_t tail_of(const char *end)
{
    int64_t bytes;
    memcpy(&bytes, end - sizeof bytes, sizeof bytes);
    return bytes;
}

/* Read the words of lines 0, 1, 4 and 5 from their ends: of the 8 bytes before each, last byte
 * first, some are digits, up to a byte that is none. The word is a number if that byte is a blank,
 * or a minus with a blank behind it. ends has the first line's. */
LOOM_INLINE LOOM_WIDE struct four read_four(const char *text, const uint32_t *ends)
{
    const __m256i zero = _mm256_setzero_si256();
    const __m256i reverse = _mm256_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607,
                                              0x08090a0b0c0d0e0f, 0x0001020304050607);
    /* By the lower half of a byte: the one blank that ends in it, or something that does not. */
    const __m256i blanks =
        _mm256_broadcastsi128_si256(_mm_set_epi64x(0x00000d0c0b0a0900, 0x0000000000000020));
    __m256i bytes =
        _mm256_set_epi64x(tail_of(text + ends[5 * FIELDS]), tail_of(text + ends[4 * FIELDS]),
                          tail_of(text + ends[1 * FIELDS]), tail_of(text + ends[0]));
    bytes = _mm256_shuffle_epi8(bytes, reverse);
    __m256i values = _mm256_sub_epi8(bytes, _mm256_set1_epi8('0'));
    __m256i digits = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
    /* Adding one to the run of set bits carries over to the first byte behind it. */
    __m256i carried = _mm256_sub_epi64(digits, _mm256_set1_epi64x(-1));
    __m256i run = _mm256_andnot_si256(carried, digits);
    __m256i stop = _mm256_andnot_si256(digits, carried);
    /* A minus that is the last byte has no digits: no blank is looked for behind it. */
    __m256i minus = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi64x(0x2d2d2d2d2d2d2d0a));
    minus = _mm256_and_si256(minus, stop);
    __m256i blank = _mm256_cmpeq_epi8(_mm256_shuffle_epi8(blanks, bytes), bytes);
    __m256i behind = _mm256_or_si256(stop, _mm256_slli_epi64(minus, 8));
    __m256i pairs =
        _mm256_maddubs_epi16(_mm256_and_si256(values, run), _mm256_set1_epi16(10 << 8 | 1));
    return (struct four){
        .fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(100 << 16 | 1)),
        .negative = _mm256_cmpgt_epi64(minus, zero),
        .odd = _mm256_cmpeq_epi64(_mm256_and_si256(blank, behind), zero),
    };
}

/* The lower 32 bits of the lanes of both halves (lines 0, 1, 4, 5 and 2, 3, 6, 7), by line. */
LOOM_INLINE LOOM_WIDE __m256i in_order(__m256i half, __m256i other)
{
    return _mm256_castps_si256(
        _mm256_shuffle_ps(_mm256_castsi256_ps(half), _mm256_castsi256_ps(other), 0x88));
}

/* Read one field of eight lines. Returns a bit for each line that has something else there than a
 * number of up to 7 digits. */
LOOM_INLINE LOOM_WIDE unsigned read_short(int32_t out[AT_ONCE], const char *text,
                                          const uint32_t *ends)
{
    struct four a = read_four(text, ends), b = read_four(text, ends + 2 * FIELDS);
    __m256i packed = _mm256_packus_epi32(a.fours, b.fours);
    __m256i value = _mm256_madd_epi16(packed, _mm256_set1_epi32(10000 << 16 | 1));
    __m256i negative = in_order(a.negative, b.negative);
    value = _mm256_sub_epi32(_mm256_xor_si256(value, negative), negative);
    _mm256_storeu_si256((__m256i *)(void *)out, value);
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(in_order(a.odd, b.odd)));
}

/* Read eight lines, whose words stop at these ends, into the rows behind rows->n. False if there is
 * a word that is no number or must be rounded. */
LOOM_WIDE static bool read_eight(struct loom_swf_rows *rows, const char *text, const uint32_t *ends)
{
    int32_t values[FIELDS][AT_ONCE];
    unsigned odd[FIELDS];
    bool whole = true;
    int field = 0;
    for (int i = 0; i < FIELDS; i++)
        odd[i] = read_short(values[i], text, ends + i);
#define X(name, type, what)                                                                \
    {                                                                                      \
        type *out = rows->name + rows->n;                                                  \
        for (int i = 0; i < AT_ONCE; i++)                                                  \
            out[i] = (type)values[field][i];                                               \
        for (int i = 0; odd[field] >> i; i++)                                              \
            if (odd[field] >> i & 1)                                                       \
                whole &= READ_WORD(out)(out + i, text, text + ends[FIELDS * i + field]) == \
                         LOOM_NUMBER_OK;                                                   \
        field++;                                                                           \
    }
    LOOM_COLUMNS(X)
#undef X
    return whole;
}

/* Read the eight lines from that index on, if all of them have 18 words which are numbers. */
static bool try_eight(const struct lines *lines, size_t index)
{
    struct loom_swf_rows *rows = &lines->scratch->rows;
    const struct loom_ends *ends = &lines->scratch->ends;
    uint32_t before = index ? ends->counts[index - 1] : 0;
    bool full = true;
    if (ends->n_newlines - index < AT_ONCE)
        return false;
    for (uint32_t i = 0; i < AT_ONCE; i++)
        full &= ends->counts[index + i] == before + (i + 1) * FIELDS;
    if (!full)
        return false;
    if (rows->n + AT_ONCE > LOOM_SWF_ROWS)
        flush_rows(lines);
    if (!read_eight(rows, lines->chunk->text, ends->words + before))
        return false;
    rows->n += AT_ONCE;
    return true;
}

#else

static bool try_eight(const struct lines *lines, size_t index)
{
    (void)lines;
    (void)index;
    return false;
}

#endif

/* ---- the interface --------------------------------------------------------------------------- */

int loom_swf_read_lines(struct loom_swf_scratch *scratch, const struct loom_columns *columns,
                        const struct loom_chunk *chunk, struct loom_swf_part *part, bool skip_bad,
                        const char *file, struct loom_error *err)
{
    const struct lines lines = {
        .scratch = scratch,
        .columns = columns,
        .chunk = chunk,
        .part = part,
        .skip_bad = skip_bad,
        .file = file,
    };
    size_t singly = scratch->wide ? 0 : SIZE_MAX; /* lines before this one are read one by one */
    int rc = 0;
    scratch->rows.n = 0;
    loom_find_ends(&scratch->ends, chunk->text, chunk->size, scratch->wide);
    for (size_t i = 0; i < scratch->ends.n_newlines && !rc;) {
        if (i >= singly && try_eight(&lines, i)) {
            i += AT_ONCE;
            continue;
        }
        if (i >= singly)
            singly = i + AT_ONCE;
        rc = read_line(&lines, i++, err);
    }
    flush_rows(&lines);
    return rc;
}

int loom_swf_scratch_init(struct loom_swf_scratch *scratch, struct loom_error *err)
{
    /* What is never needed is never touched, and costs nothing. */
    size_t room = (LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN) * sizeof(uint32_t);
    *scratch = (struct loom_swf_scratch){
        .wide = loom_is_wide(),
        .ends = {.words = malloc(room), .newlines = malloc(room), .counts = malloc(room)},
    };
    return scratch->ends.words && scratch->ends.newlines && scratch->ends.counts
               ? 0
               : loom_fail_memory(err);
}

void loom_swf_scratch_free(struct loom_swf_scratch *scratch)
{
    free(scratch->ends.words);
    free(scratch->ends.newlines);
    free(scratch->ends.counts);
}
