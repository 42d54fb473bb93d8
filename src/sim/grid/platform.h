/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform.h - a platform while it is being read. */
#ifndef LOOM_SIM_GRID_PLATFORM_H
#define LOOM_SIM_GRID_PLATFORM_H

#include "base/arena.h"

#include <workloom/sim_grid.h>

/* loom_platform_load returns the first member. */
struct loom_platform_owner {
    struct loom_platform platform;
    struct loom_platform_cluster *clusters; /* of the platform, writable */
    size_t capacity;
    struct loom_arena arena; /* all texts */
};

/* Read a platform into a zeroed owner from a file (platform_file.c). */
int loom_platform_read(struct loom_platform_owner *owner, const char *path,
                       const struct loom_schedulers *schedulers, struct loom_error *err);

#endif
