/* SPDX-License-Identifier: GPL-3.0-or-later */
/* definitions.h - options that define features otherwise than the dictionary. */
#ifndef WORKLOOM_CLI_DEFINITIONS_H
#define WORKLOOM_CLI_DEFINITIONS_H

#include "command.h"

enum { NOTE_SIZE = 120 };

/* bag-gap, rate-interval, session-method, session-gap, session-cut */
extern const struct loom_param definition_params[];

struct loom_definitions definitions_of(const struct invocation *call);
/* The values in use, and notes by feature where they are not the dictionary's. */
struct json_t *definitions_json(const struct loom_definitions *definitions);
struct json_t *changed_json(const struct loom_definitions *definitions);
/* Say so where features are measured by other definitions. */
void say_definitions(const struct invocation *call, const struct loom_definitions *definitions);

#endif
