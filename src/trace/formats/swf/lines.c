/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of SWF into rows, in one of two ways.
 *
 * The general way finds the edges of all words of a text first (edges.h) and converts the words
 * then. It runs on any processor, and it alone knows what is wrong with a line.
 *
 * The fast way, for processors with wide registers, takes lines of 18 words eight at a time
 * (swf/eight.h). Other lines, and those which it does not read, are left to the general way, each
 * in its turn. Both give the same rows.
 */
#include "trace/formats/swf/lines.h"

#include "base/pages.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/wide.h"
#include "trace/number.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS = LOOM_SWF_FIELDS };

/* One byte repeated. */
#define BYTES(value) (0x0101010101010101u * (uint64_t)(value))

static const char *const field_names[FIELDS] = {
#define X(name, type, what) what,
    LOOM_COLUMNS(X)
#undef X
};

/* What the lines of a chunk are read with. */
struct lines {
    struct loom_swf_scratch *scratch;
    const struct loom_columns *columns;
    struct loom_swf_part *part;
    bool skip_bad;
    const char *file;
};

/* ---- numbers --------------------------------------------------------------------------------- */

LOOM_INLINE uint64_t load(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

/* The high bit of every byte that is not 0 to 9. */
LOOM_INLINE uint64_t not_digits(uint64_t digits)
{
    return ((digits + BYTES(0x76)) | digits) & BYTES(0x80);
}

/* Eight digits, first to last, as a number: added up in pairs, fours and all eight. */
LOOM_INLINE int64_t join_digits(uint64_t digits)
{
    digits = digits * 10 + (digits >> 8);
    digits = ((digits & 0x000000ff000000ffu) * 0x000f424000000064u +
              ((digits >> 16) & 0x000000ff000000ffu) * 0x0000271000000001u) >>
             32;
    return (int64_t)(uint32_t)digits;
}

/* At most 8 digits, or -1: nearly every field of a log. */
LOOM_INLINE bool read_short(const char *word, size_t length, int64_t *out)
{
    if (length == 2 && word[0] == '-' && word[1] == '1') {
        *out = -1;
        return true;
    }
    if (length > 8)
        return false;
    uint64_t digits = (load(word + length - 8) ^ BYTES('0')) & ~(uint64_t)0 << (64 - 8 * length);
    *out = join_digits(digits);
    return !not_digits(digits);
}

/* At most 18 digits and nothing else. */
static bool read_digits(int64_t *out, const char *word, size_t length)
{
    int64_t number = 0;
    if (length > 18)
        return false;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned char)word[i] - (unsigned)'0';
        if (digit > 9)
            return false;
        number = 10 * number + (int64_t)digit;
    }
    *out = number;
    return true;
}

static enum loom_number read_int64(int64_t *out, const char *word, size_t length)
{
    if (read_digits(out, word, length))
        return LOOM_NUMBER_OK;
    return loom_number_whole(out, word, length, INT64_MIN, INT64_MAX);
}

static enum loom_number read_int32(int32_t *out, const char *word, size_t length)
{
    int64_t number = 0;
    enum loom_number result = loom_number_whole(&number, word, length, INT32_MIN, INT32_MAX);
    *out = (int32_t)number;
    return result;
}

#define READ_WORD(at) \
    _Generic(*(at), int64_t : read_int64, int32_t : read_int32, double : loom_number_real)

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

/* ---- the general way ------------------------------------------------------------------------- */

/* The words of one line into the next row. Returns -1, or the index of a field that is no number.
 */
static int read_words(const struct lines *lines, const char *text, const uint32_t *words,
                      enum loom_number *problem)
{
    struct loom_swf_rows *rows = &lines->scratch->rows;
    int field = 0;
    int64_t number;
    if (rows->n == LOOM_SWF_ROWS)
        flush_rows(lines);
    size_t row = rows->n;
#define X(name, type, what)                                                   \
    {                                                                         \
        const char *word = text + words[2 * field];                           \
        size_t length = words[2 * field + 1] - words[2 * field];              \
        if (__builtin_expect(read_short(word, length, &number), 1)) {         \
            rows->name[row] = (type)number;                                   \
        } else {                                                              \
            *problem = READ_WORD(rows->name)(&rows->name[row], word, length); \
            if (*problem < 0)                                                 \
                return field;                                                 \
            lines->part->rounded += *problem == LOOM_NUMBER_ROUNDED;          \
        }                                                                     \
        field++;                                                              \
    }
    LOOM_COLUMNS(X)
#undef X
    rows->n++;
    return -1;
}

/* One line of n_words words; line_start and newline are where it stands in text, as the words are.
 */
static int read_line(const struct lines *lines, const char *text, int64_t line, uint32_t line_start,
                     uint32_t newline, const uint32_t *words, size_t n_words,
                     struct loom_error *err)
{
    if (n_words == 0)
        return 0;
    if (text[words[0]] == ';')
        return keep_remark(lines->part, text + words[0] + 1, text + newline, err);
    if (n_words != FIELDS)
        return reject_count(lines, line, n_words, err);
    int64_t rounded = lines->part->rounded;
    enum loom_number problem = LOOM_NUMBER_OK;
    int bad = read_words(lines, text, words, &problem);
    if (bad < 0)
        return 0;
    lines->part->rounded = rounded; /* the line does not count */
    const uint32_t *word = words + 2 * bad;
    return reject_field(lines, line, bad, (int)(word[0] - line_start) + 1, text + word[0],
                        word[1] - word[0], problem, err);
}

/* All lines of a text, the first of which has number `line`. */
static __attribute__((noinline)) int read_any(const struct lines *lines, const char *text,
                                              size_t size, int64_t line, struct loom_error *err)
{
    struct loom_edges *edges = &lines->scratch->edges;
    loom_find_edges(edges, text, size);
    const uint32_t *word = edges->words;
    const uint32_t *end = word + edges->n_words;
    uint32_t line_start = 0;
    for (size_t i = 0; i < edges->n_newlines; i++) {
        uint32_t newline = edges->newlines[i];
        const uint32_t *next = word + 2 * FIELDS;
        bool as_expected = next <= end && next[-1] <= newline && (next == end || *next > newline);
        if (!as_expected)
            for (next = word; next < end && *next < newline; next += 2)
                ;
        int rc = read_line(lines, text, line + (int64_t)i, line_start, newline, word,
                           (size_t)(next - word) / 2, err);
        if (rc)
            return rc;
        word = next;
        line_start = newline + 1;
    }
    return 0;
}

/* ---- eight lines at once --------------------------------------------------------------------- */

#if LOOM_HAS_WIDE

/* Where the reading of a chunk stands. */
struct progress {
    const struct loom_word_ends *ends;
    const char *text;
    int64_t first_line;
    size_t line; /* the next one, from 0 */
    size_t odd;  /* lines so far that were read the general way */
};

/* Where the next line begins, and how many words stand before it. */
static uint32_t line_start(const struct progress *at)
{
    return at->line ? at->ends->newlines[at->line - 1] + 1 : 0;
}

static uint32_t words_before(const struct progress *at)
{
    return at->line ? at->ends->counts[at->line - 1] : 0;
}

/* The next line, the general way. */
static int read_odd_line(const struct lines *lines, struct progress *at, struct loom_error *err)
{
    uint32_t start = line_start(at);
    size_t size = at->ends->newlines[at->line] + 1 - start;
    int rc = read_any(lines, at->text + start, size, at->first_line + (int64_t)at->line, err);
    at->line++;
    at->odd++;
    return rc;
}

/* The rest of the chunk, the general way. */
static int read_rest(const struct lines *lines, const struct progress *at,
                     const struct loom_chunk *chunk, struct loom_error *err)
{
    size_t start = line_start(at);
    return read_any(lines, at->text + start, chunk->size - start,
                    at->first_line + (int64_t)at->line, err);
}

/* n lines that have just been read behind rows->n, but for the odd ones among them. Those that turn
 * out to be no jobs make the others move up. */
static int read_mixed_lines(const struct lines *lines, struct progress *at, size_t n, unsigned odd,
                            struct loom_error *err)
{
    struct loom_swf_rows *rows = &lines->scratch->rows;
    size_t first = rows->n;
    for (size_t i = 0; i < n; i++) {
        if (odd >> i & 1) {
            int rc = read_odd_line(lines, at, err);
            if (rc)
                return rc;
        } else {
#define X(name, type, what) rows->name[rows->n] = rows->name[first + i];
            LOOM_COLUMNS(X)
#undef X
            rows->n++;
            at->line++;
        }
    }
    return 0;
}

/* How many of the next lines, up to eight, have as many words as there are fields. */
LOOM_INLINE LOOM_WIDE size_t count_full_lines(const struct progress *at)
{
    const uint32_t *counts = at->ends->counts + at->line;
    uint32_t before = words_before(at);
    size_t left = at->ends->n_newlines - at->line, n = 0;
    if (left >= LOOM_SWF_AT_ONCE) {
        bool full = true;
        for (uint32_t i = 0; i < LOOM_SWF_AT_ONCE; i++)
            full &= counts[i] == before + (i + 1) * FIELDS;
        if (full)
            return LOOM_SWF_AT_ONCE;
    }
    while (n < left && n < LOOM_SWF_AT_ONCE && counts[n] == before + (uint32_t)(n + 1) * FIELDS)
        n++;
    return n;
}

/* The next n lines, which have 18 words each; where they are fewer than eight, the words behind
 * them are read for nothing. */
LOOM_INLINE LOOM_WIDE int read_full_lines(const struct lines *lines, struct progress *at, size_t n,
                                          struct loom_error *err)
{
    struct loom_swf_rows *rows = &lines->scratch->rows;
    const uint32_t *words = at->ends->words + words_before(at);
    uint32_t repeated[LOOM_SWF_AT_ONCE * FIELDS];
    if (n < LOOM_SWF_AT_ONCE) {
        for (size_t i = 0; i < LOOM_SWF_AT_ONCE; i++)
            memcpy(repeated + i * FIELDS, words + (i < n ? i : 0) * FIELDS, FIELDS * sizeof *words);
        words = repeated;
    }
    if (rows->n + LOOM_SWF_AT_ONCE > LOOM_SWF_ROWS)
        flush_rows(lines);
    unsigned odd = loom_swf_read_eight(rows, at->text, words) & ((1U << n) - 1);
    if (!odd) {
        rows->n += n;
        at->line += n;
        return 0;
    }
    return read_mixed_lines(lines, at, n, odd, err);
}

LOOM_WIDE static int read_chunk_wide(const struct lines *lines, const struct loom_chunk *chunk,
                                     struct loom_error *err)
{
    enum { PATIENCE = 16 };
    struct loom_word_ends *ends = &lines->scratch->ends;
    loom_find_word_ends(ends, chunk->text, chunk->size);
    struct progress at = {.ends = ends, .text = chunk->text, .first_line = chunk->first_line};
    int rc = 0;
    while (at.line < ends->n_newlines && !rc) {
        if (at.odd > PATIENCE && at.odd * 4 > at.line)
            return read_rest(lines, &at, chunk, err);
        size_t n = count_full_lines(&at);
        rc = n ? read_full_lines(lines, &at, n, err) : read_odd_line(lines, &at, err);
    }
    return rc;
}

#endif

/* ---- the interface --------------------------------------------------------------------------- */

static int read_chunk(const struct lines *lines, const struct loom_chunk *chunk,
                      struct loom_error *err)
{
#if LOOM_HAS_WIDE
    if (lines->scratch->wide)
        return read_chunk_wide(lines, chunk, err);
#endif
    return read_any(lines, chunk->text, chunk->size, chunk->first_line, err);
}

int loom_swf_read_lines(struct loom_swf_scratch *scratch, const struct loom_columns *columns,
                        const struct loom_chunk *chunk, struct loom_swf_part *part, bool skip_bad,
                        const char *file, struct loom_error *err)
{
    const struct lines lines = {
        .scratch = scratch,
        .columns = columns,
        .part = part,
        .skip_bad = skip_bad,
        .file = file,
    };
    scratch->rows.n = 0;
    int rc = read_chunk(&lines, chunk, err);
    flush_rows(&lines);
    return rc;
}

int loom_swf_scratch_init(struct loom_swf_scratch *scratch, struct loom_error *err)
{
    /* What is never needed is never touched, and costs nothing. */
    size_t room = (LOOM_CHUNK_BYTES + 2 * LOOM_INPUT_MARGIN) * sizeof(uint32_t);
    *scratch = (struct loom_swf_scratch){
        .wide = loom_is_wide(),
        .edges = {.words = malloc(room), .newlines = malloc(room)},
        .ends = {.words = malloc(room), .newlines = malloc(room), .counts = malloc(room)},
    };
    return scratch->edges.words && scratch->edges.newlines && scratch->ends.words &&
                   scratch->ends.newlines && scratch->ends.counts
               ? 0
               : loom_fail_memory(err);
}

void loom_swf_scratch_free(struct loom_swf_scratch *scratch)
{
    free(scratch->edges.words);
    free(scratch->edges.newlines);
    free(scratch->ends.words);
    free(scratch->ends.newlines);
    free(scratch->ends.counts);
}
