/* SPDX-License-Identifier: GPL-3.0-or-later */
/* resample_options.h - what resample is asked for, from the command line to the library's rule. */
#ifndef WORKLOOM_CLI_RESAMPLE_OPTIONS_H
#define WORKLOOM_CLI_RESAMPLE_OPTIONS_H

#include "command.h"

extern const struct loom_param resample_params[];

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
