/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Platforms by name. A new one is a list of clusters and a line of the table.
 *
 * DAS-3 is table 6.1 of the thesis: nodes times sockets times cores. A job there asks for
 * processors, and a core is one. The table's clock rates do not enter: the loads of sections 5.2.5
 * and 6.2 are of runtimes as they are, the same on every cluster.
 */
#include "sim/grid/platform.h"

#include "base/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const struct loom_platform_cluster das3[] = {
    {.name = "VU", .procs = 85 * 2 * 2},    {.name = "LU", .procs = 32 * 2 * 1},
    {.name = "UvA", .procs = 41 * 2 * 2},   {.name = "TUD", .procs = 68 * 2 * 1},
    {.name = "UvAMN", .procs = 46 * 2 * 1},
};

static const struct loom_platform known[] = {
    {.name = "das3",
     .summary = "the Distributed ASCI Supercomputer 3 (thesis, table 6.1)",
     .clusters = das3,
     .n_clusters = COUNT(das3)},
};

const struct loom_platform *loom_platform_at(size_t index)
{
    return index < COUNT(known) ? &known[index] : NULL;
}

static int fail_unknown(const char *name, struct loom_error *err)
{
    const char *names[COUNT(known) + 1] = {0};
    for (size_t i = 0; i < COUNT(known); i++)
        names[i] = known[i].name;
    const char *nearest = loom_nearest(name, names);
    return loom_fail(err, LOOM_EUSAGE, "there is no platform '%s'%s%s%s", name,
                     nearest ? "; did you mean '"
                             : "; see 'workloom list platforms', or name a file",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

static int find_or_read(struct loom_platform_owner *owner, const char *name,
                        const struct loom_schedulers *schedulers, struct loom_error *err)
{
    bool path = strpbrk(name, "./") != NULL;
    for (size_t i = 0; i < COUNT(known) && !path; i++)
        if (strcmp(known[i].name, name) == 0) {
            owner->platform = known[i];
            return 0;
        }
    if (!path && access(name, F_OK) != 0)
        return fail_unknown(name, err);
    return loom_platform_read(owner, name, schedulers, err);
}

int loom_platform_load(struct loom_platform **out, const char *name,
                       const struct loom_schedulers *schedulers, struct loom_error *err)
{
    struct loom_platform_owner *owner = calloc(1, sizeof *owner);
    if (!owner)
        return loom_fail_memory(err);
    int rc = find_or_read(owner, name, schedulers, err);
    if (rc)
        loom_platform_destroy(&owner->platform);
    else
        *out = &owner->platform;
    return rc;
}

void loom_platform_destroy(struct loom_platform *platform)
{
    struct loom_platform_owner *owner = (struct loom_platform_owner *)platform;
    if (!owner)
        return;
    loom_arena_free(&owner->arena);
    free(owner->clusters);
    free(owner);
}
