/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Systems to run jobs on: one machine, or a grid with the logs of its clusters' local jobs. */
#include "experiment/system.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int loom_system_create(struct loom_system **out, int64_t procs, struct loom_error *err)
{
    *out = NULL;
    if (procs < 1 || procs > INT32_MAX)
        return loom_fail_field(err, LOOM_ERANGE, "procs",
                               "procs must be 1 to %" PRId32 ", not %" PRId64, INT32_MAX, procs);
    struct loom_system *system = calloc(1, sizeof *system);
    if (!system)
        return loom_fail_memory(err);
    system->procs = procs;
    *out = system;
    return 0;
}

/* ---- local jobs ------------------------------------------------------------------------------ */

int loom_blame_cluster(const struct loom_platform_cluster *cluster, int rc, struct loom_error *err)
{
    char text[sizeof err->message];
    if (!rc || rc == LOOM_ENOMEM || !err)
        return rc;
    memcpy(text, err->message, sizeof text);
    if (err->file[0])
        snprintf(err->message, sizeof err->message, "%.640s (local jobs of cluster %.60s)", text,
                 cluster->name);
    else
        snprintf(err->message, sizeof err->message, "cluster %.60s: %.680s", cluster->name, text);
    return rc;
}

/* Leave out the jobs that a negative shift would put before time 0. */
static int drop_early(struct loom_local_log *local, const struct loom_platform_cluster *cluster,
                      struct loom_error *err)
{
    const struct loom_jobs *jobs = loom_trace_jobs(local->log);
    uint8_t *keep = malloc(jobs->n + 1);
    if (!keep)
        return loom_fail_memory(err);
    for (size_t i = 0; i < jobs->n; i++) {
        keep[i] = jobs->submit_s[i] < 0 || jobs->submit_s[i] >= -cluster->shift_s;
        local->left_out += !keep[i];
    }
    int rc = 0;
    if (local->left_out == jobs->n)
        rc = loom_fail_at(err, LOOM_EDATA, cluster->background, 0, 0,
                          "a shift of %" PRId64 " s puts all jobs before time 0; shift it less",
                          cluster->shift_s);
    else if (local->left_out > 0)
        loom_trace_keep(local->log, keep);
    free(keep);
    return rc;
}

static int read_local(struct loom_local_log *local, const struct loom_platform_cluster *cluster,
                      const struct loom_read_options *read, struct loom_error *err)
{
    struct loom_load_change change;
    int rc = loom_trace_read(&local->log, cluster->background, read, err);
    if (!rc && loom_trace_count(local->log) == 0)
        rc = loom_fail_at(err, LOOM_EDATA, cluster->background, 0, 0, "there are no jobs in it");
    if (!rc && cluster->load > 0)
        rc = loom_load_change(&change, local->log, cluster->procs, cluster->load,
                              LOOM_LOAD_ARRIVALS, err);
    if (!rc && cluster->has_shift && cluster->shift_s < 0)
        rc = drop_early(local, cluster, err);
    return rc;
}

static int read_locals(struct loom_system *system, const struct loom_read_options *read,
                       struct loom_error *err)
{
    const struct loom_platform *platform = system->platform;
    int rc = 0;
    for (size_t i = 0; i < platform->n_clusters && !rc; i++)
        if (platform->clusters[i].background)
            rc = loom_blame_cluster(&platform->clusters[i],
                                    read_local(&system->locals[i], &platform->clusters[i], read,
                                               err),
                                    err);
    return rc;
}

int loom_system_create_grid(struct loom_system **out, const struct loom_platform *platform,
                            const struct loom_read_options *read, struct loom_error *err)
{
    struct loom_system *system = calloc(1, sizeof *system);
    *out = NULL;
    if (!system)
        return loom_fail_memory(err);
    system->platform = platform;
    for (size_t i = 0; i < platform->n_clusters; i++)
        system->procs += platform->clusters[i].procs;
    system->locals = calloc(platform->n_clusters + 1, sizeof *system->locals);
    int rc = system->locals ? read_locals(system, read, err) : loom_fail_memory(err);
    if (rc)
        loom_system_destroy(system);
    else
        *out = system;
    return rc;
}

void loom_system_destroy(struct loom_system *system)
{
    if (!system)
        return;
    for (size_t i = 0; system->locals && i < system->platform->n_clusters; i++)
        loom_trace_destroy(system->locals[i].log);
    free(system->locals);
    free(system);
}

/* ---- what it is ------------------------------------------------------------------------------ */

int64_t loom_system_procs(const struct loom_system *system)
{
    return system->procs;
}

const struct loom_platform *loom_system_platform(const struct loom_system *system)
{
    return system->platform;
}

const struct loom_trace *loom_system_local(const struct loom_system *system, size_t cluster)
{
    return system->locals ? system->locals[cluster].log : NULL;
}

size_t loom_system_left_out(const struct loom_system *system, size_t cluster)
{
    return system->locals ? system->locals[cluster].left_out : 0;
}
