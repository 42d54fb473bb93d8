/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what experiment has for the command beyond the public interface. */
#ifndef LOOM_EXPERIMENT_TOOL_H
#define LOOM_EXPERIMENT_TOOL_H

#include <workloom/experiment.h>

/* Find what a "[CLUSTER=]VALUE" of a parameter is about: *cluster is the number of clusters where
 * it names none. LOOM_EUSAGE for an unknown cluster, or one without local jobs. */
int loom_platform_scope(size_t *cluster, const char **value, const struct loom_platform *platform,
                        const char *param, const char *text, struct loom_error *err);

#endif
