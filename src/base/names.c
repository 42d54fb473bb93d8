/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers to names by binary search in a sorted list, names to numbers by hashing. */
#include "base/names.h"

#include "base/hash.h"
#include "base/search.h"
#include "base/vec.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

/* Where a number stands in the list, or would. */
static size_t position_of(const struct loom_names *names, int32_t number)
{
    if (names->n == 0 || names->entries[names->n - 1].number < number)
        return names->n; /* numbers mostly come in order */
    size_t low = 0, high = names->n;
    LOOM_BISECT(low, high, middle, names->entries[middle].number < number);
    return low;
}

static bool names_has_number(const struct loom_names *names, size_t position, int32_t number)
{
    return position < names->n && names->entries[position].number == number;
}

static bool has_name(const struct loom_named *entry, const char *name, size_t length)
{
    return entry->length == length && memcmp(entry->name, name, length) == 0;
}

/* The slot that holds a name, or the free one where it would go. n_slots > 0. */
static struct loom_named *names_slot_of(const struct loom_names *names, const char *name,
                                        size_t length)
{
    size_t mask = names->n_slots - 1;
    size_t i = (size_t)loom_hash(name, length) & mask;
    while (names->slots[i].name && !has_name(&names->slots[i], name, length))
        i = (i + 1) & mask;
    return &names->slots[i];
}

static void put_slot(struct loom_names *names, const struct loom_named *entry)
{
    struct loom_named *slot = names_slot_of(names, entry->name, entry->length);
    if (!slot->name || entry->number < slot->number)
        *slot = *entry;
}

static int rebuild_slots(struct loom_names *names, size_t n_slots)
{
    struct loom_named *slots = calloc(n_slots, sizeof *slots);
    if (!slots)
        return -1;
    free(names->slots);
    names->slots = slots;
    names->n_slots = n_slots;
    for (size_t i = 0; i < names->n; i++)
        put_slot(names, &names->entries[i]);
    return 0;
}

size_t loom_names_position(const struct loom_names *names, int32_t number)
{
    size_t position = position_of(names, number);
    return names_has_number(names, position, number) ? position : names->n;
}

const char *loom_names_get(const struct loom_names *names, int32_t number)
{
    size_t position = position_of(names, number);
    return names_has_number(names, position, number) ? names->entries[position].name : NULL;
}

int32_t loom_names_find(const struct loom_names *names, const char *name, size_t length)
{
    if (names->n_slots == 0)
        return -1;
    const struct loom_named *slot = names_slot_of(names, name, length);
    return slot->name ? slot->number : -1;
}

static int names_insert(struct loom_names *names, size_t position, struct loom_named entry)
{
    if (loom_grow(&names->entries, names->n, &names->capacity))
        return -1;
    if (names->n_slots < 2 * (names->n + 1) &&
        rebuild_slots(names, names->n_slots ? names->n_slots * 2 : 16))
        return -1;
    struct loom_named *at = names->entries + position;
    memmove(at + 1, at, (names->n - position) * sizeof *at);
    *at = entry;
    names->n++;
    put_slot(names, &entry);
    return 0;
}

int loom_names_set(struct loom_names *names, struct loom_arena *arena, int32_t number,
                   const char *name, size_t length)
{
    if (length > UINT32_MAX)
        return -1;
    size_t position = position_of(names, number);
    if (names_has_number(names, position, number) &&
        has_name(&names->entries[position], name, length))
        return 0;
    const char *copy = loom_arena_text(arena, name, length);
    if (!copy)
        return -1;
    struct loom_named entry = {.number = number, .length = (uint32_t)length, .name = copy};
    if (!names_has_number(names, position, number))
        return names_insert(names, position, entry);
    struct loom_named before = names->entries[position];
    names->entries[position] = entry;
    if (rebuild_slots(names, names->n_slots)) {
        names->entries[position] = before;
        return -1;
    }
    return 0;
}

int32_t loom_names_intern(struct loom_names *names, struct loom_arena *arena, const char *name,
                          size_t length)
{
    int32_t number = loom_names_find(names, name, length);
    if (number >= 0)
        return number;
    int32_t largest = names->n ? names->entries[names->n - 1].number : 0;
    if (largest == INT32_MAX)
        return -1;
    number = largest < 0 ? 1 : largest + 1;
    return loom_names_set(names, arena, number, name, length) ? -1 : number;
}

void loom_names_free(struct loom_names *names)
{
    free(names->entries);
    free(names->slots);
    *names = (struct loom_names){0};
}
