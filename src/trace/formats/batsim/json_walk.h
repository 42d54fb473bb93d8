/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * json_walk.h - a JSON text, walked value by value: Jansson reads each value, and what is between
 * them is taken here. So a long array is never a tree in memory as a whole, and every value has its
 * line.
 */
#ifndef LOOM_TRACE_FORMATS_BATSIM_JSON_WALK_H
#define LOOM_TRACE_FORMATS_BATSIM_JSON_WALK_H

#include <jansson.h>
#include <workloom/base.h>

struct loom_json_walk {
    const char *next, *end;
    const char *line_start;
    int64_t line; /* of next, from 1 */
    const char *file;
};

void loom_json_walk_start(struct loom_json_walk *walk, const char *text, size_t size,
                          const char *file);
void loom_json_walk_skip_blanks(struct loom_json_walk *walk);
/* Take the next character that is not blank if it is this one. */
bool loom_json_walk_take(struct loom_json_walk *walk, char wanted);
/* Take the next value, whatever it is; the caller must json_decref it. Keys that an object has
 * twice are refused. */
int loom_json_walk_value(json_t **out, struct loom_json_walk *walk, struct loom_error *err);
/* Fail at this place, where `what` ("':'") should be. */
int loom_json_walk_expected(const struct loom_json_walk *walk, const char *what,
                            struct loom_error *err);

#endif
