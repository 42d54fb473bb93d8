/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of SWF into rows, in one of two ways.
 *
 * The general way finds the edges of all words of a text first (edges.h) and converts the words
 * then. It reads any layout, and it alone knows what is wrong with a line.
 *
 * The aligned way is for logs as the archive has them: numbers stand in columns, right-aligned, so
 * that they end at the same places in every line of the same length. There a field can be converted
 * from the 8 bytes before its end without looking for its beginning: blanks in front count as
 * zeros. A line that is not exactly as expected is left to the general way, which also teaches new
 * layouts. Both give the same rows.
 */
#include "trace/swf_lines.h"

#include "base/text.h"
#include "base/vec.h"
#include "base/wide.h"
#include "trace/number.h"
#include "trace/summary.h"

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

/* ---- the general way ------------------------------------------------------------------------- */

/* The words of one line into the next row. Returns -1, or the index of a field that is no number.
 */
static int read_words(const struct lines *lines, const char *text, const uint32_t *words,
                      enum loom_number *problem)
{
    const struct loom_columns *columns = lines->columns;
    size_t row = lines->part->first_row + lines->part->jobs;
    int field = 0;
    int64_t number;
#define X(name, type, what)                                                         \
    {                                                                               \
        const char *word = text + words[2 * field];                                 \
        size_t length = words[2 * field + 1] - words[2 * field];                    \
        if (__builtin_expect(read_short(word, length, &number), 1)) {               \
            columns->name[row] = (type)number;                                      \
        } else {                                                                    \
            *problem = READ_WORD(columns->name)(&columns->name[row], word, length); \
            if (*problem < 0)                                                       \
                return field;                                                       \
            lines->part->rounded += *problem == LOOM_NUMBER_ROUNDED;                \
        }                                                                           \
        field++;                                                                    \
    }
    LOOM_COLUMNS(X)
#undef X
    lines->part->jobs++;
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

/* ---- the aligned way ------------------------------------------------------------------------- */

/* The last n of 8 bytes. n <= 8. */
static uint64_t last_bytes(uint32_t n)
{
    return n == 0 ? 0 : ~(uint64_t)0 << (64 - 8 * n);
}

static void learn_field(struct loom_swf_layout *layout, uint32_t slot, uint32_t start, uint32_t end)
{
    uint32_t width = end - start, near = width < 8 ? width : 8;
    layout->end[slot] = end;
    layout->inside[slot] = last_bytes(near);
    layout->joint[slot] = start > 0 && width <= 8 ? last_bytes(near) & ~last_bytes(near - 1) : 0;
    layout->before[slot] = last_bytes(width - near);
    if (width > near && slot < FIELDS)
        layout->reaching[layout->n_reaching++] = slot;
}

/* Take the layout of a line from the edges of its 18 words, which must begin the scratch's edges.
 */
static void learn_layout(struct loom_swf_scratch *scratch, size_t length)
{
    struct loom_swf_layout *layout = &scratch->layouts[length % LOOM_SWF_LAYOUTS];
    const uint32_t *words = scratch->edges.words;
    layout->length = 0;
    layout->n_reaching = 0;
    if (scratch->edges.n_words != 2 * FIELDS || words[2 * FIELDS - 1] != length - 1)
        return;
    uint32_t start = 0;
    for (uint32_t field = 0; field < FIELDS; field++) {
        uint32_t end = words[2 * field + 1];
        if (end - start > 16)
            return;
        learn_field(layout, field, start, end);
        start = end;
    }
    for (uint32_t slot = FIELDS; slot < LOOM_SWF_SLOTS; slot++)
        learn_field(layout, slot, 0, layout->end[0]);
    layout->length = length;
}

/* A field that is neither 8 digits nor -1, such as a fraction: where its word begins. Returns the
 * length of the word, or 0 if the field is not blanks and then a word. */
static size_t odd_word(const char *line, const struct loom_swf_layout *layout, int field)
{
    const char *start = line + (field > 0 ? layout->end[field - 1] : 0);
    const char *end = line + layout->end[field], *word = end;
    while (word > start && (unsigned char)word[-1] > ' ')
        word--;
    for (const char *blank = start; blank < word; blank++)
        if (*blank != ' ')
            return 0;
    return field > 0 && word == start ? 0 : (size_t)(end - word);
}

static bool read_odd_fields(const struct lines *lines, const char *line,
                            const struct loom_swf_layout *layout, size_t row, const uint64_t *odd)
{
    int64_t rounded = 0;
    int field = 0;
#define X(name, type, what)                                                   \
    if (odd[field]) {                                                         \
        size_t length = odd_word(line, layout, field);                        \
        const char *word = line + layout->end[field] - length;                \
        type *value = &lines->columns->name[row];                             \
        enum loom_number result =                                             \
            length ? READ_WORD(value)(value, word, length) : LOOM_NUMBER_BAD; \
        if (result < 0)                                                       \
            return false;                                                     \
        rounded += result == LOOM_NUMBER_ROUNDED;                             \
    }                                                                         \
    field++;
    LOOM_COLUMNS(X)
#undef X
    lines->part->rounded += rounded;
    return true;
}

/* Four numbers of 64, eight of 32 or sixteen of 16 bits: one or two registers. */
typedef uint64_t u64x4 __attribute__((vector_size(32)));
typedef uint32_t u32x8 __attribute__((vector_size(32)));
typedef uint16_t u16x16 __attribute__((vector_size(32)));

/* The numbers at four ends at once: blanks, then up to eight digits or -1. Where bad[i] is not 0,
 * field i is something else. */
LOOM_INLINE void read_four(const char *line, const struct loom_swf_layout *layout, int slot,
                           int64_t *numbers, uint64_t *bad, u64x4 *any_bad)
{
    const uint32_t *end = layout->end + slot;
    u64x4 inside, joint;
    memcpy(&inside, layout->inside + slot, sizeof inside);
    memcpy(&joint, layout->joint + slot, sizeof joint);
    u64x4 bytes = {load(line + end[0] - 8), load(line + end[1] - 8), load(line + end[2] - 8),
                   load(line + end[3] - 8)};
    u64x4 marks = (bytes ^ BYTES(' ')) & inside; /* 0 for a blank, 16 to 25 for a digit */
    u64x4 digit = marks & BYTES(16), value = marks & BYTES(15);
    u64x4 is_unknown =
        (u64x4)(marks == ((uint64_t)('-' ^ ' ') << 48 | (uint64_t)('1' ^ ' ') << 56));
    /* neither blank nor digit */
    u64x4 odd = (marks & BYTES(0xe0)) | ((value + BYTES(6)) & BYTES(16)) |
                (value & ~(digit - (digit >> 4)));
    /* a blank behind a digit, no digit at the end, a digit where the field before must end */
    odd |= digit & ~(digit >> 8) & ~((uint64_t)0xff << 56);
    odd |= (~digit & (uint64_t)16 << 56) | (digit & joint);
    odd &= ~is_unknown;
    /* Pairs of digits, then fours, then all eight; the first of two is the lower one. */
    u64x4 pairs = ((value << 3) + (value << 1) + (value >> 8)) & 0x00ff00ff00ff00ffu;
    u64x4 fours = ((u64x4)((u16x16)pairs * 100) + (pairs >> 16)) & 0x0000ffff0000ffffu;
    u64x4 eights = ((u64x4)((u32x8)fours * 10000) + (fours >> 32)) & 0xffffffffu;
    eights |= is_unknown; /* all bits set: -1 */
    memcpy(numbers + slot, &eights, sizeof eights);
    memcpy(bad + slot, &odd, sizeof odd);
    *any_bad |= odd;
}

/* A field that has more than 8 bytes is odd where the ones before those are not blank. */
LOOM_INLINE uint64_t mark_long_fields(const char *line, const struct loom_swf_layout *layout,
                                      uint64_t *bad)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < layout->n_reaching; i++) {
        uint32_t field = layout->reaching[i];
        uint64_t marks =
            (load(line + layout->end[field] - 16) ^ BYTES(' ')) & layout->before[field];
        bad[field] |= marks;
        any |= marks;
    }
    return any;
}

/* One line laid out as expected into the next row. False if it is not; the row is then free again.
 */
LOOM_INLINE bool read_aligned_line(const struct lines *lines, const char *line,
                                   const struct loom_swf_layout *layout)
{
    const struct loom_columns *columns = lines->columns;
    size_t row = lines->part->first_row + lines->part->jobs;
    int64_t numbers[LOOM_SWF_SLOTS];
    uint64_t bad[LOOM_SWF_SLOTS];
    u64x4 any = {0};
    for (int slot = 0; slot < LOOM_SWF_SLOTS; slot += 4)
        read_four(line, layout, slot, numbers, bad, &any);
    uint64_t any_bad = mark_long_fields(line, layout, bad) | any[0] | any[1] | any[2] | any[3];
    int field = 0;
#define X(name, type, what) columns->name[row] = (type)numbers[field++];
    LOOM_COLUMNS(X)
#undef X
    if (any_bad && !read_odd_fields(lines, line, layout, row, bad))
        return false;
    lines->part->jobs++;
    return true;
}

/* A chunk line by line, guessing that each line is as long as the one before. When more than one
 * line in four is not laid out as expected, the rest is read the general way at once. */
LOOM_INLINE int read_aligned(const struct lines *lines, const struct loom_chunk *chunk,
                             struct loom_error *err)
{
    enum { PATIENCE = 16 };
    struct loom_swf_scratch *scratch = lines->scratch;
    const char *at = chunk->text, *end = chunk->text + chunk->size;
    int64_t line = chunk->first_line, misses = 0;
    size_t length = 0;
    for (; at < end; at += length, line++) {
        if (length == 0 || length > (size_t)(end - at) || at[length - 1] != '\n')
            length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) + 1 - at);
        const struct loom_swf_layout *layout = &scratch->layouts[length % LOOM_SWF_LAYOUTS];
        if (layout->length == length && read_aligned_line(lines, at, layout))
            continue;
        length = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) + 1 - at);
        if (++misses > PATIENCE && misses * 4 > line - chunk->first_line)
            return read_any(lines, at, (size_t)(end - at), line, err);
        int rc = read_any(lines, at, length, line, err);
        if (rc)
            return rc;
        learn_layout(scratch, length);
    }
    return 0;
}

/* ---- the interface --------------------------------------------------------------------------- */

LOOM_WIDE static int read_aligned_wide(const struct lines *lines, const struct loom_chunk *chunk,
                                       struct loom_error *err)
{
    return read_aligned(lines, chunk, err);
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
    int rc =
        loom_is_wide() ? read_aligned_wide(&lines, chunk, err) : read_aligned(&lines, chunk, err);
    /* Now, while the rows are still in the processor's cache. */
    loom_ranges_find(part->ranges, columns, part->first_row, part->first_row + part->jobs);
    return rc;
}

int loom_swf_scratch_init(struct loom_swf_scratch *scratch, struct loom_error *err)
{
    size_t most = LOOM_CHUNK_BYTES + 2 * LOOM_SOURCE_MARGIN;
    *scratch = (struct loom_swf_scratch){
        .edges = {.words = malloc(most * sizeof(uint32_t)),
                  .newlines = malloc(most * sizeof(uint32_t))},
    };
    return scratch->edges.words && scratch->edges.newlines ? 0 : loom_fail_memory(err);
}

void loom_swf_scratch_free(struct loom_swf_scratch *scratch)
{
    free(scratch->edges.words);
    free(scratch->edges.newlines);
}
