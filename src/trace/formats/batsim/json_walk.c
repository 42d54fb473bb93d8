/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walking a JSON text. Places are lines and columns of the whole text, also for errors that Jansson
 * finds inside a value; columns are bytes up to the value and characters inside it.
 */
#include "trace/formats/batsim/json_walk.h"

#include <limits.h>
#include <string.h>

static bool json_walk_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The end is the last value's, so that what is missing there is reported there. */
void loom_json_walk_start(struct loom_json_walk *walk, const char *text, size_t size,
                          const char *file)
{
    while (size > 0 && json_walk_is_blank(text[size - 1]))
        size--;
    *walk = (struct loom_json_walk){
        .next = text, .end = text + size, .line_start = text, .line = 1, .file = file};
}

/* Go on to a place, counting lines. */
static void move_to(struct loom_json_walk *walk, const char *position)
{
    const char *newline;
    while ((newline = memchr(walk->next, '\n', (size_t)(position - walk->next)))) {
        walk->next = walk->line_start = newline + 1;
        walk->line++;
    }
    walk->next = position;
}

static int column_of(const struct loom_json_walk *walk, int beyond)
{
    int64_t column = walk->next - walk->line_start + beyond;
    return column < INT_MAX ? (int)column : INT_MAX;
}

void loom_json_walk_skip_blanks(struct loom_json_walk *walk)
{
    const char *position = walk->next;
    while (position < walk->end && json_walk_is_blank(*position))
        position++;
    move_to(walk, position);
}

bool loom_json_walk_take(struct loom_json_walk *walk, char wanted)
{
    loom_json_walk_skip_blanks(walk);
    if (walk->next == walk->end || *walk->next != wanted)
        return false;
    walk->next++;
    return true;
}

int loom_json_walk_expected(const struct loom_json_walk *walk, const char *what,
                            struct loom_error *err)
{
    return loom_fail_at(err, LOOM_EFORMAT, walk->file, walk->line, column_of(walk, 1),
                        "not valid JSON: %s expected%s", what,
                        walk->next == walk->end ? " before the end of the file" : "");
}

static int explain(const struct loom_json_walk *walk, json_error_t *error, struct loom_error *err)
{
    /* Most of Jansson's own failures to get memory leave no message. */
    if (json_error_code(error) == json_error_out_of_memory || !error->text[0])
        return loom_fail_memory(err);
    for (char *c = error->text; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?';
    int column = error->line > 1 ? error->column : column_of(walk, error->column);
    return loom_fail_at(err, LOOM_EFORMAT, walk->file, walk->line + error->line - 1, column,
                        "not valid JSON: %s", error->text);
}

int loom_json_walk_value(json_t **out, struct loom_json_walk *walk, struct loom_error *err)
{
    loom_json_walk_skip_blanks(walk);
    if (walk->next == walk->end)
        return loom_json_walk_expected(walk, "a value", err);
    size_t left = (size_t)(walk->end - walk->next);
    json_error_t error;
    /* Jansson counts the bytes it used in an int. */
    json_t *value =
        json_loadb(walk->next, left < INT_MAX ? left : INT_MAX,
                   JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &error);
    if (!value)
        return explain(walk, &error, err);
    move_to(walk, walk->next + error.position);
    *out = value;
    return 0;
}
