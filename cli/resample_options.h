/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resample_options.h - what resample is asked for, from the command line to the library's rule. */
#ifndef WORKLOOM_CLI_RESAMPLE_OPTIONS_H
#define WORKLOOM_CLI_RESAMPLE_OPTIONS_H

#include "command.h"

extern const struct loom_param resample_length_params[]; /* and size, and so load */
extern const struct loom_param resample_user_params[];   /* who is drawn, and how */
extern const struct loom_param resample_change_params[]; /* what is done to their jobs */
extern const struct loom_param resample_draw_params[];   /* seed, replication */
extern const struct loom_param resample_file_params[];   /* output, variants, map */
extern const struct loom_param rare_params[];            /* rare, rare-per-week: of simulate too */

/* The behaviours that --rare names, as a new list that the caller must free, even after an error;
 * and whether --rare-per-week goes with it. */
int take_rare(struct loom_rare **out, size_t *n_rare, const struct invocation *call,
              const struct loom_trace *log, struct loom_error *err);
int check_rare(const struct loom_params *params, struct loom_error *err);

/* The rule, with the lists it points to. */
struct resample_request {
    struct loom_resample_rule rule;
    struct loom_rare *rare;
    struct loom_favour *favours;
    char **names; /* of the favours */
};

/* log is the first one. The request must be released, even after an error. */
int take_resample_request(struct resample_request *out, const struct invocation *call,
                          const struct loom_trace *log, struct loom_error *err);
void release_resample_request(struct resample_request *request);

#endif
