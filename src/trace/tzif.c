/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A zone of the time zone database: a list of moments at which the offset changes, and a rule (the
 * footer, a POSIX TZ string such as "CET-1CEST,M3.5.0,M10.5.0/3") for all time after the last of
 * them.
 *
 * The file holds its data twice, first with 32-bit and then, from version 2 on, with 64-bit times;
 * the better block is used. Nothing in the file is believed: sizes, indices, the order of the
 * transitions and the range of offsets are checked, and a file that fails a check is not used at
 * all.
 */
#include "trace/tzif.h"
#include "base/search.h"

#include "base/civil.h"
#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    HEADER_BYTES = 44,
    MAX_FILE_BYTES = 1 << 20,
    MAX_TYPES = 256,
    LEAST_OFFSET_S = -25 * 3600 + 1, /* RFC 8536, section 3.2 */
    MOST_OFFSET_S = 26 * 3600 - 1,
};

/* The calendar, and so the rule, repeats after 400 years. */
static const int64_t era_s = (int64_t)146097 * LOOM_DAY_S;

enum rule_kind { RULE_JULIAN, RULE_DAY_OF_YEAR, RULE_WEEKDAY };

/* The moment of the year at which the offset changes, by the clock in force before. */
struct rule {
    enum rule_kind kind;
    int day;         /* 1 .. 365 without 29 February; 0 .. 365; or a weekday, Sunday 0 */
    int month, week; /* for RULE_WEEKDAY: the week-th such weekday, 5 being the last */
    int32_t time_s;  /* after midnight, may be negative or past a day */
};

struct footer {
    bool given, has_dst;
    int32_t std_s, dst_s; /* east of UTC */
    struct rule start, end;
};

struct loom_tzif {
    size_t n;        /* transitions, ascending in time */
    int64_t *at_s;   /* from then on ... */
    int32_t *east_s; /* ... this offset holds */
    int32_t first_s; /* the offset before all of them */
    struct footer footer;
    size_t n_offsets; /* all offsets the zone ever has, each once */
    int32_t offsets_s[MAX_TYPES + 2];
};

void loom_tzif_destroy(struct loom_tzif *tzif)
{
    if (!tzif)
        return;
    free(tzif->at_s);
    free(tzif->east_s);
    free(tzif);
}

/* ---- the footer ------------------------------------------------------------------------------ */

/* The text still to be read. Readers return false, and leave it anywhere, when it does not fit. */
struct cursor {
    const char *next, *end;
};

static char peek(const struct cursor *cursor)
{
    return cursor->next < cursor->end ? *cursor->next : '\0';
}

static bool tzif_take(struct cursor *cursor, char wanted)
{
    if (cursor->next == cursor->end || *cursor->next != wanted)
        return false;
    cursor->next++;
    return true;
}

static bool tzif_take_number(struct cursor *cursor, int least, int most, int *out)
{
    int number = 0, digits = 0;
    for (; peek(cursor) >= '0' && peek(cursor) <= '9' && digits < 4; digits++)
        number = number * 10 + (*cursor->next++ - '0');
    *out = number;
    return digits > 0 && number >= least && number <= most;
}

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* "CET", or "<+0330>"; what it says does not matter here. */
static bool take_designation(struct cursor *cursor)
{
    const char *start = cursor->next;
    if (tzif_take(cursor, '<')) {
        while (cursor->next < cursor->end && *cursor->next != '>')
            cursor->next++;
        return tzif_take(cursor, '>');
    }
    while (is_letter(peek(cursor)))
        cursor->next++;
    return cursor->next - start >= 3;
}

/* [+-]HH[:MM[:SS]] */
static bool take_clock(struct cursor *cursor, int most_hours, int32_t *out)
{
    bool negative = tzif_take(cursor, '-');
    if (!negative)
        tzif_take(cursor, '+');
    int hours, minutes = 0, seconds = 0;
    if (!tzif_take_number(cursor, 0, most_hours, &hours))
        return false;
    if (tzif_take(cursor, ':')) {
        if (!tzif_take_number(cursor, 0, 59, &minutes))
            return false;
        if (tzif_take(cursor, ':') && !tzif_take_number(cursor, 0, 59, &seconds))
            return false;
    }
    int32_t total = hours * 3600 + minutes * 60 + seconds;
    *out = negative ? -total : total;
    return true;
}

/* ",M3.5.0/2", ",J60", ",59/-1:30" */
static bool take_rule(struct cursor *cursor, struct rule *out)
{
    *out = (struct rule){.time_s = 2 * 3600};
    if (!tzif_take(cursor, ','))
        return false;
    bool good;
    if (tzif_take(cursor, 'M')) {
        out->kind = RULE_WEEKDAY;
        good = tzif_take_number(cursor, 1, 12, &out->month) && tzif_take(cursor, '.') &&
               tzif_take_number(cursor, 1, 5, &out->week) && tzif_take(cursor, '.') &&
               tzif_take_number(cursor, 0, 6, &out->day);
    } else if (tzif_take(cursor, 'J')) {
        out->kind = RULE_JULIAN;
        good = tzif_take_number(cursor, 1, 365, &out->day);
    } else {
        out->kind = RULE_DAY_OF_YEAR;
        good = tzif_take_number(cursor, 0, 365, &out->day);
    }
    if (good && tzif_take(cursor, '/'))
        good = take_clock(cursor, 167, &out->time_s);
    return good;
}

/* POSIX counts offsets to the west. An empty text is a zone without a rule. */
static bool parse_footer(struct footer *footer, const char *text, size_t length)
{
    struct cursor cursor = {text, text + length};
    if (length == 0)
        return true;
    int32_t west_s;
    if (!take_designation(&cursor) || !take_clock(&cursor, 24, &west_s))
        return false;
    footer->given = true;
    footer->std_s = -west_s;
    footer->dst_s = footer->std_s + 3600;
    if (cursor.next == cursor.end)
        return true;
    if (!take_designation(&cursor))
        return false;
    if (peek(&cursor) != ',') {
        if (!take_clock(&cursor, 24, &west_s))
            return false;
        footer->dst_s = -west_s;
    }
    footer->has_dst = true;
    return take_rule(&cursor, &footer->start) && take_rule(&cursor, &footer->end) &&
           cursor.next == cursor.end;
}

/* Days since 1970-01-01 of the day a rule means in a year. */
static int64_t rule_day(const struct rule *rule, int64_t year)
{
    if (rule->kind == RULE_DAY_OF_YEAR)
        return loom_civil_days(year, 1, 1) + rule->day;
    if (rule->kind == RULE_JULIAN) {
        bool leap = loom_civil_month_days(year, 2) == 29;
        return loom_civil_days(year, 1, 1) + rule->day - 1 + (leap && rule->day >= 60);
    }
    int64_t first = loom_civil_days(year, rule->month, 1);
    int to_weekday = (rule->day - loom_civil_weekday(first) + 7) % 7;
    int day = to_weekday + 7 * (rule->week - 1);
    while (day >= loom_civil_month_days(year, rule->month))
        day -= 7;
    return first + day;
}

/* The last change at or before the time decides. Times of day may lie days away from their date, so
 * the years around are looked at too; of two changes at once, the start of daylight saving time
 * counts, which is how a rule says that it never ends. */
static int32_t footer_offset(const struct footer *footer, int64_t unix_s)
{
    if (!footer->has_dst)
        return footer->std_s;
    int64_t time_s = unix_s % era_s;
    int64_t year = loom_civil_of(time_s).year;
    int64_t last_s = INT64_MIN;
    int32_t offset = footer->std_s;
    for (int64_t y = year - 1; y <= year + 1; y++) {
        int64_t start_s =
            rule_day(&footer->start, y) * LOOM_DAY_S + footer->start.time_s - footer->std_s;
        int64_t end_s = rule_day(&footer->end, y) * LOOM_DAY_S + footer->end.time_s - footer->dst_s;
        if (end_s <= time_s && end_s > last_s) {
            last_s = end_s;
            offset = footer->std_s;
        }
        if (start_s <= time_s && start_s >= last_s) {
            last_s = start_s;
            offset = footer->dst_s;
        }
    }
    return offset;
}

/* ---- the file -------------------------------------------------------------------------------- */

static uint32_t big_endian_32(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static int64_t time_at(const unsigned char *bytes, size_t width)
{
    uint64_t high = big_endian_32(bytes);
    if (width == 4)
        return (int32_t)(uint32_t)high;
    return (int64_t)(high << 32 | big_endian_32(bytes + 4));
}

/* One of the two data blocks: its header's counts, and where its parts begin. */
struct block {
    size_t width; /* bytes of a time */
    uint64_t n_times, n_types;
    const unsigned char *times, *indices, *types;
    const unsigned char *end;
};

static bool cut_block(struct block *block, const unsigned char *data, const unsigned char *end,
                      size_t width)
{
    if (end - data < HEADER_BYTES || memcmp(data, "TZif", 4) != 0)
        return false;
    uint64_t n_utc = big_endian_32(data + 20), n_std = big_endian_32(data + 24);
    uint64_t n_leaps = big_endian_32(data + 28), n_chars = big_endian_32(data + 40);
    block->width = width;
    block->n_times = big_endian_32(data + 32);
    block->n_types = big_endian_32(data + 36);
    /* Counts are below 2^32 and their factors small: the sum cannot overflow. */
    uint64_t size = block->n_times * (width + 1) + block->n_types * 6 + n_chars +
                    n_leaps * (width + 4) + n_std + n_utc;
    if (size > (uint64_t)(end - data - HEADER_BYTES))
        return false;
    block->times = data + HEADER_BYTES;
    block->indices = block->times + block->n_times * width;
    block->types = block->indices + block->n_times;
    block->end = data + HEADER_BYTES + size;
    return true;
}

static void remember_offset(struct loom_tzif *tzif, int32_t offset_s)
{
    for (size_t i = 0; i < tzif->n_offsets; i++)
        if (tzif->offsets_s[i] == offset_s)
            return;
    tzif->offsets_s[tzif->n_offsets++] = offset_s;
}

static bool take_types(struct loom_tzif *tzif, const struct block *block, int32_t *east_s)
{
    if (block->n_types == 0 || block->n_types > MAX_TYPES)
        return false;
    for (size_t i = 0; i < block->n_types; i++) {
        east_s[i] = (int32_t)big_endian_32(block->types + 6 * i);
        if (east_s[i] < LEAST_OFFSET_S || east_s[i] > MOST_OFFSET_S)
            return false;
        remember_offset(tzif, east_s[i]);
    }
    tzif->first_s = east_s[0];
    return true;
}

static bool take_transitions(struct loom_tzif *tzif, const struct block *block,
                             const int32_t *east_s)
{
    for (size_t i = 0; i < tzif->n; i++) {
        tzif->at_s[i] = time_at(block->times + i * block->width, block->width);
        if (block->indices[i] >= block->n_types || (i > 0 && tzif->at_s[i] <= tzif->at_s[i - 1]))
            return false;
        tzif->east_s[i] = east_s[block->indices[i]];
    }
    return true;
}

/* "\n" TZ string "\n" */
static bool take_footer(struct loom_tzif *tzif, const unsigned char *data, const unsigned char *end)
{
    if (end - data < 2 || data[0] != '\n')
        return false;
    const char *text = (const char *)data + 1;
    const char *newline = memchr(text, '\n', (size_t)((const char *)end - text));
    if (!newline || !parse_footer(&tzif->footer, text, (size_t)(newline - text)))
        return false;
    if (tzif->footer.given)
        remember_offset(tzif, tzif->footer.std_s);
    if (tzif->footer.has_dst)
        remember_offset(tzif, tzif->footer.dst_s);
    return true;
}

/* 0, LOOM_EFORMAT or LOOM_ENOMEM */
static int tzif_fill(struct loom_tzif *tzif, const unsigned char *data, const unsigned char *end)
{
    struct block block;
    if (!cut_block(&block, data, end, 4))
        return LOOM_EFORMAT;
    bool has_footer = data[4] >= '2';
    if (has_footer && !cut_block(&block, block.end, end, 8))
        return LOOM_EFORMAT;
    int32_t east_s[MAX_TYPES];
    if (!take_types(tzif, &block, east_s))
        return LOOM_EFORMAT;
    tzif->n = (size_t)block.n_times;
    tzif->at_s = malloc((tzif->n + 1) * sizeof *tzif->at_s);
    tzif->east_s = malloc((tzif->n + 1) * sizeof *tzif->east_s);
    if (!tzif->at_s || !tzif->east_s)
        return LOOM_ENOMEM;
    if (!take_transitions(tzif, &block, east_s) ||
        (has_footer && !take_footer(tzif, block.end, end)))
        return LOOM_EFORMAT;
    return 0;
}

int loom_tzif_parse(struct loom_tzif **out, const void *data, size_t size, struct loom_error *err)
{
    struct loom_tzif *tzif = calloc(1, sizeof *tzif);
    if (!tzif)
        return loom_fail_memory(err);
    const unsigned char *bytes = data;
    int rc = tzif_fill(tzif, bytes, bytes + size);
    if (rc) {
        loom_tzif_destroy(tzif);
        return rc == LOOM_ENOMEM ? loom_fail_memory(err)
                                 : loom_fail(err, rc, "not a time zone in TZif format");
    }
    *out = tzif;
    return 0;
}

/* A zone name is a relative path of plain words: nothing that could lead out of the directory. */
static bool is_zone_name(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > 200 || name[0] == '/' || name[length - 1] == '/')
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        if (!is_letter(c) && !(c >= '0' && c <= '9') && !strchr("_+-/", c))
            return false; /* no dot, and so no ".." */
    }
    return true;
}

static int open_zone(const char *name)
{
    const char *directory = getenv("TZDIR");
    if (!directory || !*directory)
        directory = "/usr/share/zoneinfo";
    char path[4096];
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

/* At most capacity bytes of a file, or -1. */
static ssize_t read_all(int file, unsigned char *buffer, size_t capacity)
{
    size_t size = 0;
    while (size < capacity) {
        ssize_t got = read(file, buffer + size, capacity - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        size += (size_t)got;
    }
    return (ssize_t)size;
}

int loom_tzif_read(struct loom_tzif **out, const char *name, struct loom_error *err)
{
    if (!is_zone_name(name))
        return loom_fail(err, LOOM_EUSAGE, "not a time zone name");
    int file = open_zone(name);
    if (file < 0)
        return loom_fail_errno(err, errno, "open", name);
    unsigned char *buffer = malloc(MAX_FILE_BYTES);
    if (!buffer) {
        close(file);
        return loom_fail_memory(err);
    }
    ssize_t size = read_all(file, buffer, MAX_FILE_BYTES);
    int rc = size < 0 ? loom_fail_errno(err, errno, "read", name)
                      : loom_tzif_parse(out, buffer, (size_t)size, err);
    free(buffer);
    close(file);
    return rc;
}

/* ---- asking ---------------------------------------------------------------------------------- */

int32_t loom_tzif_offset(const struct loom_tzif *tzif, int64_t unix_s)
{
    size_t low = 0, high = tzif->n; /* transitions below low are at or before the time */
    LOOM_BISECT(low, high, middle, tzif->at_s[middle] <= unix_s);
    if (low == tzif->n && tzif->footer.given)
        return footer_offset(&tzif->footer, unix_s);
    return low > 0 ? tzif->east_s[low - 1] : tzif->first_s;
}

/* An offset b explains a local time if it holds at the Unix time it leads to. In a gap none does;
 * there the offset before the change leads past the change, where the offset a holds, and a leads
 * back before the change, where b holds. */
static bool explains(const struct loom_tzif *tzif, int64_t local_s, int32_t b, bool gap)
{
    int32_t a = loom_tzif_offset(tzif, loom_saturated_subtract(local_s, b));
    if (!gap)
        return a == b;
    return a > b && loom_tzif_offset(tzif, loom_saturated_subtract(local_s, a)) == b;
}

int64_t loom_tzif_unix(const struct loom_tzif *tzif, int64_t local_s)
{
    for (int gap = 0; gap <= 1; gap++) {
        bool found = false;
        int32_t largest = 0; /* the largest offset is the earliest time */
        for (size_t i = 0; i < tzif->n_offsets; i++) {
            int32_t offset_s = tzif->offsets_s[i];
            if ((!found || offset_s > largest) && explains(tzif, local_s, offset_s, gap)) {
                found = true;
                largest = offset_s;
            }
        }
        if (found)
            return loom_saturated_subtract(local_s, largest);
    }
    return loom_saturated_subtract(local_s, loom_tzif_offset(tzif, local_s));
}
