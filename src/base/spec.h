/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spec.h - a plug-in and its parameters as one text: "NAME", "NAME:PARAMETER=VALUE,FLAG,...". */
#ifndef LOOM_BASE_SPEC_H
#define LOOM_BASE_SPEC_H

#include <workloom/base.h>

/* The plug-ins of a kind. */
struct loom_spec_list {
    const char *kind;   /* "scheduler" */
    const char *remedy; /* "see 'workloom list schedulers'" */
    /* The name of one, and the parameters that it declares (NULL: none). NULL past the last. */
    const char *(*at)(const void *self, size_t index, const struct loom_param **params);
    const void *self;
};

/* Find the plug-in with this name. LOOM_EUSAGE, with the nearest name, if none has. */
int loom_spec_find(size_t *index, const struct loom_spec_list *list, const char *name,
                   struct loom_error *err);

/* Parse a text into the index of a plug-in and its parameters, which the caller must destroy. */
int loom_spec_parse(size_t *index, struct loom_params **params, const struct loom_spec_list *list,
                    const char *text, struct loom_error *err);

/* Create the parameters that a plug-in declares (NULL: none), with values from words as in a text;
 * NULL words set none. The name is for messages. The caller must destroy the result. */
int loom_spec_params(struct loom_params **out, const char *name, const struct loom_param *declared,
                     const char *words, struct loom_error *err);

#endif
