/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - a plug-in and its parameters as one text: "NAME", "NAME:PARAMETER=VALUE,FLAG,...". */
#ifndef LOOM_BASE_SPEC_H
#define LOOM_BASE_SPEC_H

#include <workloom/base.h>

/* Cut the text behind the name; what follows it, or NULL. */
char *loom_spec_split(char *text);

/* The parameters that a plug-in declares (NULL: none), with values from such words; NULL words set
 * none. The name is for messages. The caller must destroy the result. */
int loom_spec_params(struct loom_params **out, const char *name, const struct loom_param *declared,
                     const char *words, struct loom_error *err);

#endif
