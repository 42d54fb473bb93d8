/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The option that names classes of jobs. */
#include "simulate.h"

static const char *const kinds[] = {"size", "runtime", "user", "queue", "bag", NULL};

const struct loom_param class_params[] = {
    {.name = "by",
     .type = LOOM_PARAM_CHOICE,
     .choices = kinds,
     .metavar = "WHAT",
     .help = "metrics by"},
    {.name = NULL},
};
