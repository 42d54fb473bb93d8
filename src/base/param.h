/* SPDX-License-Identifier: GPL-3.0-or-later */
/* param.h - declared parameters as a command line and the settings of plug-ins need them. */
#ifndef LOOM_BASE_PARAM_H
#define LOOM_BASE_PARAM_H

#include <workloom/base.h>

/* Return the declaration of a parameter by its name or letter (as a one-character name), or NULL.
 */
const struct loom_param *loom_params_find(const struct loom_params *params, const char *name);

/* Set a parameter of a plug-in from text: "NAME=VALUE", or the NAME of a flag. params is NULL where
 * there are none; messages start with the name of the plug-in. LOOM_EUSAGE or LOOM_ERANGE as
 * loom_params_set. */
int loom_params_assign(struct loom_params *params, const char *plugin, const char *setting,
                       struct loom_error *err);

/* Set several, with commas between: "order=sjf,threshold=2". */
int loom_params_assign_all(struct loom_params *params, const char *plugin, const char *settings,
                           struct loom_error *err);

/* Return what was given for the plug-in that a nested parameter names: "PARAMETER=VALUE", as it is
 * to be assigned there; NULL past the last. */
const char *loom_params_nested(const struct loom_params *params, const char *name, size_t index);

#endif
