/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sacct/values.c - the values of sacct's fields, each by the rule Slurm prints it with.
 *
 * States become statuses of SWF 2.2: 1 completed, 0 failed, 5 cancelled. PREEMPTED and REQUEUED are
 * 0 and not 2 (partial execution, to be continued): Slurm starts such a job from its beginning, as
 * a record of its own with its own submit time, and gives no line that sums its runs up, which SWF
 * asks for beside partial executions. Jobs that are not over have status -1.
 */
#include "trace/formats/sacct/values.h"

#include "base/civil.h"
#include "base/text.h"

#include <string.h>

enum { MAX_DIGITS = 18 };

static const int64_t NO_VALUE = 4294967294, INFINITE = 4294967295; /* Slurm's NO_VAL, INFINITE */
static const int64_t ELEMENT_BASE = 1000000000;
static const int64_t LAST_S = 253402300799; /* 9999-12-31T23:59:59 */

struct cursor {
    const char *at, *end;
};

/* ---- small parts ----------------------------------------------------------------------------- */

static bool left_open(const char *text, size_t length)
{
    static const char *const words[] = {"",          "Unknown",         "None", "N/A", "INVALID",
                                        "UNLIMITED", "Partition_Limit", "?"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (loom_same_word(text, length, words[i]))
            return true;
    }
    return false;
}

static bool at_digit(const struct cursor *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static bool take_char(struct cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

/* One to max_digits digits, and no digit after them. */
static bool sacct_take_number(struct cursor *c, int max_digits, int64_t *value)
{
    int digits = 0;
    *value = 0;
    for (; at_digit(c) && digits < max_digits; digits++)
        *value = *value * 10 + (*c->at++ - '0');
    return digits > 0 && !at_digit(c);
}

/* An optional '.' and digits, as a number in [0, 1). */
static bool take_fraction(struct cursor *c, double *value)
{
    *value = 0;
    if (!take_char(c, '.'))
        return true;
    if (!at_digit(c))
        return false;
    int64_t digits = 0, scale = 1;
    for (; at_digit(c); c->at++) {
        if (scale > ELEMENT_BASE)
            continue;
        digits = digits * 10 + (*c->at - '0');
        scale *= 10;
    }
    *value = (double)digits / (double)scale;
    return true;
}

/* The power of 1024 of an optional unit: 0 for none. */
static int take_unit(struct cursor *c)
{
    static const char units[] = "kmgtpe";
    const char *found = c->at < c->end && *c->at ? strchr(units, loom_lower(*c->at)) : NULL;
    if (!found)
        return 0;
    c->at++;
    return (int)(found - units) + 1;
}

static double scaled(double value, int power)
{
    for (; power > 0; power--)
        value *= 1024;
    return value;
}

/* ---- numbers --------------------------------------------------------------------------------- */

bool loom_sacct_duration(double *seconds, const char *text, size_t length)
{
    struct cursor c = {text, text + length};
    int64_t days = 0, part[3] = {0, 0, 0};
    double fraction;
    int parts = 1;

    *seconds = -1;
    if (left_open(text, length))
        return true;
    if (!sacct_take_number(&c, 9, &part[0]))
        return false;
    bool with_days = take_char(&c, '-');
    if (with_days) {
        days = part[0];
        if (!sacct_take_number(&c, 9, &part[0]) || part[0] >= 24)
            return false;
    }
    for (; parts < 3 && take_char(&c, ':'); parts++) {
        if (!sacct_take_number(&c, 9, &part[parts]) || part[parts] >= 60)
            return false;
    }
    if (!take_fraction(&c, &fraction) || c.at != c.end || parts < (with_days ? 3 : 2))
        return false;
    int64_t whole = parts == 3 ? (part[0] * 60 + part[1]) * 60 + part[2] : part[0] * 60 + part[1];
    *seconds = (double)(days * LOOM_DAY_S + whole) + fraction;
    return true;
}

bool loom_sacct_count(int64_t *count, const char *text, size_t length)
{
    struct cursor c = {text, text + length};
    int64_t whole;
    double fraction;

    *count = -1;
    if (left_open(text, length))
        return true;
    if (!sacct_take_number(&c, MAX_DIGITS, &whole) || !take_fraction(&c, &fraction))
        return false;
    int power = take_unit(&c);
    if (c.at != c.end)
        return false;
    if (power == 0 && fraction == 0) {
        *count = whole == NO_VALUE || whole == INFINITE ? -1 : whole;
        return true;
    }
    double value = scaled((double)whole + fraction, power);
    if (power == 0 || value > 9e15)
        return false;
    *count = (int64_t)(value + 0.5);
    return true;
}

bool loom_sacct_size(struct loom_sacct_size *size, const char *text, size_t length)
{
    static const double per_cpu_mark_mib = 2147483648.0; /* 2^31, Slurm's 32-bit MEM_PER_CPU */
    struct cursor c = {text, text + length};
    int64_t whole;
    double fraction;

    *size = (struct loom_sacct_size){-1, LOOM_SACCT_PER_JOB};
    if (left_open(text, length) || (length == 2 && text[0] == '?'))
        return true;
    if (!sacct_take_number(&c, MAX_DIGITS, &whole) || !take_fraction(&c, &fraction))
        return false;
    size->kib = scaled((double)whole + fraction, take_unit(&c)) / 1024;
    if (take_char(&c, 'n'))
        size->per = LOOM_SACCT_PER_NODE;
    else if (take_char(&c, 'c'))
        size->per = LOOM_SACCT_PER_CPU;
    if (size->per == LOOM_SACCT_PER_NODE && size->kib >= per_cpu_mark_mib * 1024) {
        size->kib -= per_cpu_mark_mib * 1024;
        size->per = LOOM_SACCT_PER_CPU;
    }
    return c.at == c.end;
}

const char *loom_sacct_tres(size_t *value_length, const char *text, size_t length, const char *key)
{
    const char *end = text + length;
    size_t key_length = strlen(key);

    for (const char *at = text; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop = comma ? comma : end;
        if ((size_t)(stop - at) > key_length && at[key_length] == '=' &&
            memcmp(at, key, key_length) == 0) {
            *value_length = (size_t)(stop - at) - key_length - 1;
            return at + key_length + 1;
        }
        at = comma ? comma + 1 : end;
    }
    return NULL;
}

/* ---- times ----------------------------------------------------------------------------------- */

static bool unix_seconds(struct loom_sacct_time *time, const char *text, size_t length)
{
    struct cursor c = {text, text + length};
    int64_t s;

    if (!sacct_take_number(&c, MAX_DIGITS, &s) || c.at != c.end || s > LAST_S)
        return false;
    if (s > 0) /* Slurm stores 0 for a time that has not come */
        *time = (struct loom_sacct_time){s, LOOM_SACCT_UNIX_CLOCK};
    return true;
}

bool loom_sacct_time(struct loom_sacct_time *time, const char *text, size_t length)
{
    static const size_t civil_length = sizeof "YYYY-MM-DDTHH:MM:SS" - 1;
    int64_t s, east_s;

    *time = (struct loom_sacct_time){-1, LOOM_SACCT_NO_CLOCK};
    if (left_open(text, length) || unix_seconds(time, text, length))
        return true;
    if (length < civil_length || !loom_civil_parse(&s, text, civil_length) || s < 0)
        return false;
    if (length == civil_length) {
        *time = (struct loom_sacct_time){s, LOOM_SACCT_LOCAL_CLOCK};
        return true;
    }
    if (!loom_civil_parse_zone(&east_s, text + civil_length, length - civil_length) || s < east_s)
        return false;
    *time = (struct loom_sacct_time){s - east_s, LOOM_SACCT_UNIX_CLOCK};
    return true;
}

/* ---- states ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    struct loom_sacct_state state;
} states[] = {
    {"COMPLETED", {1, LOOM_SACCT_ENDED}},       {"CANCELLED", {5, LOOM_SACCT_REMOVED}},
    {"REVOKED", {5, LOOM_SACCT_REMOVED}}, /* another cluster of the federation took the job */
    {"DEADLINE", {0, LOOM_SACCT_REMOVED}},      {"FAILED", {0, LOOM_SACCT_ENDED}},
    {"TIMEOUT", {0, LOOM_SACCT_ENDED}},         {"NODE_FAIL", {0, LOOM_SACCT_ENDED}},
    {"OUT_OF_MEMORY", {0, LOOM_SACCT_ENDED}},   {"BOOT_FAIL", {0, LOOM_SACCT_ENDED}},
    {"LAUNCH_FAILED", {0, LOOM_SACCT_ENDED}},   {"RECONFIG_FAIL", {0, LOOM_SACCT_ENDED}},
    {"PREEMPTED", {0, LOOM_SACCT_ENDED}},       {"REQUEUED", {0, LOOM_SACCT_ENDED}},
    {"PENDING", {-1, LOOM_SACCT_WAITING}},      {"REQUEUE_FED", {-1, LOOM_SACCT_WAITING}},
    {"REQUEUE_HOLD", {-1, LOOM_SACCT_WAITING}}, {"RESV_DEL_HOLD", {-1, LOOM_SACCT_WAITING}},
    {"SPECIAL_EXIT", {-1, LOOM_SACCT_WAITING}}, {"RUNNING", {-1, LOOM_SACCT_RUNNING}},
    {"CONFIGURING", {-1, LOOM_SACCT_RUNNING}},  {"COMPLETING", {-1, LOOM_SACCT_RUNNING}},
    {"EXPEDITING", {-1, LOOM_SACCT_RUNNING}},   {"POWER_UP_NODE", {-1, LOOM_SACCT_RUNNING}},
    {"RESIZING", {-1, LOOM_SACCT_RUNNING}},     {"SIGNALING", {-1, LOOM_SACCT_RUNNING}},
    {"STAGE_OUT", {-1, LOOM_SACCT_RUNNING}},    {"STOPPED", {-1, LOOM_SACCT_RUNNING}},
    {"SUSPENDED", {-1, LOOM_SACCT_RUNNING}},
};

/* Does the word start so? */
static bool same_start(const char *text, size_t length, const char *word)
{
    for (size_t i = 0; i < length; i++) {
        if (!word[i] || loom_lower(text[i]) != loom_lower(word[i]))
            return false;
    }
    return true;
}

/* The state of a whole word, or the only one that a cut word can be the start of. */
static bool find_state(struct loom_sacct_state *state, const char *word, size_t length, bool cut)
{
    int found = 0;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        if (!same_start(word, length, states[i].name))
            continue;
        bool whole = strlen(states[i].name) == length;
        if (!whole && !cut)
            continue;
        *state = states[i].state;
        if (whole)
            return true;
        found++;
    }
    return found == 1;
}

bool loom_sacct_state(struct loom_sacct_state *state, const char *text, size_t length)
{
    *state = (struct loom_sacct_state){-1, LOOM_SACCT_UNSAID};
    if (length == 0 || loom_same_word(text, length, "Unknown"))
        return true;
    const char *space = memchr(text, ' ', length);
    size_t word = space ? (size_t)(space - text) : length;
    bool cut = word > 1 && text[word - 1] == '+';
    if (word == 0 || (space && (length - word <= 4 || memcmp(space, " by ", 4) != 0)))
        return false;
    return find_state(state, text, cut ? word - 1 : word, cut);
}

/* ---- job ids --------------------------------------------------------------------------------- */

static bool take_brackets(struct cursor *c, struct loom_sacct_id *id)
{
    const char *close = memchr(c->at, ']', (size_t)(c->end - c->at));
    if (!close)
        return false;
    id->kind = LOOM_SACCT_RANGE;
    id->range = c->at;
    id->range_length = (size_t)(close - c->at);
    c->at = close + 1;
    return true;
}

static bool take_part(struct cursor *c, struct loom_sacct_id *id)
{
    if (take_char(c, '+')) {
        id->kind = LOOM_SACCT_PART;
        return sacct_take_number(c, 9, &id->element);
    }
    if (!take_char(c, '_'))
        return true;
    if (id->base > INT64_MAX / ELEMENT_BASE - 1)
        return false;
    if (take_char(c, '['))
        return take_brackets(c, id);
    id->kind = LOOM_SACCT_ELEMENT;
    return sacct_take_number(c, 9, &id->element);
}

bool loom_sacct_id(struct loom_sacct_id *id, const char *text, size_t length)
{
    struct cursor c = {text, text + length};

    *id = (struct loom_sacct_id){.kind = LOOM_SACCT_PLAIN};
    if (!sacct_take_number(&c, MAX_DIGITS, &id->base) || !take_part(&c, id))
        return false;
    id->length = (size_t)(c.at - text);
    id->step = take_char(&c, '.');
    return id->step ? c.at < c.end : c.at == c.end;
}

int64_t loom_sacct_number(const struct loom_sacct_id *id, int64_t element)
{
    if (id->kind == LOOM_SACCT_PLAIN)
        return id->base;
    if (id->kind == LOOM_SACCT_PART)
        return id->base + element;
    return id->base * ELEMENT_BASE + element;
}

/* N, N-M or N-M:STEP. */
static bool take_item(struct cursor *c, struct loom_sacct_range *range)
{
    range->step = 1;
    if (!sacct_take_number(c, 9, &range->next))
        return false;
    range->last = range->next;
    if (take_char(c, '-') && (!sacct_take_number(c, 9, &range->last) || range->last < range->next))
        return false;
    return !take_char(c, ':') || (sacct_take_number(c, 9, &range->step) && range->step > 0);
}

/* The end of the range's items: before "%LIMIT", and, where it ends in "...", before the last
 * comma, as the number next to the dots may have lost digits. NULL if nothing is left. */
static const char *end_of_items(bool *cut, const char *text, size_t length)
{
    const char *limit = memchr(text, '%', length);
    if (limit) {
        struct cursor c = {limit + 1, text + length};
        int64_t at_once;
        if (!sacct_take_number(&c, 9, &at_once) || c.at != c.end)
            return NULL;
        length = (size_t)(limit - text);
    }
    *cut = length >= 3 && memcmp(text + length - 3, "...", 3) == 0;
    return *cut ? memrchr(text, ',', length) : text + length;
}

bool loom_sacct_range_open(struct loom_sacct_range *range, int64_t *count, bool *cut,
                           const char *text, size_t length)
{
    const char *end = end_of_items(cut, text, length);
    if (!end)
        return false;
    struct cursor c = {text, end};
    *count = 0;
    do {
        if (!take_item(&c, range))
            return false;
        *count += (range->last - range->next) / range->step + 1;
    } while (take_char(&c, ','));
    *range = (struct loom_sacct_range){text, end, 0, -1, 1};
    return c.at == c.end;
}

bool loom_sacct_range_next(struct loom_sacct_range *range, int64_t *element)
{
    if (range->next > range->last) {
        struct cursor c = {range->at, range->end};
        if (c.at == c.end || !take_item(&c, range))
            return false;
        take_char(&c, ',');
        range->at = c.at;
    }
    *element = range->next;
    range->next += range->step;
    return true;
}
