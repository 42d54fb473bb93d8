/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A libFuzzer target for platform files. Beyond not crashing, this must hold:
 *
 *   - a failure has a negative code, a sentence of its own, and the file and line of what is wrong;
 *   - a platform that was read is one that a grid takes: clusters with names of their own, sizes,
 *     loads, schedulers and parameters in their ranges.
 */
#include "fuzz.h"

#include <workloom/sim_grid.h>

#include <string.h>

static void check_error(int code, const struct loom_error *err, const char *path)
{
    MUST(code < 0 && err->code == code);
    MUST(err->message[0] != '\0' && strchr(err->message, '\n') == NULL);
    MUST(strcmp(err->file, path) == 0);
    /* What is not text at all, such as a damaged gzip stream, has no lines. */
    MUST(err->line > 0 || code != LOOM_EFORMAT || strstr(err->message, "gzip") != NULL);
}

static void check_cluster(const struct loom_platform *platform, size_t at)
{
    const struct loom_platform_cluster *cluster = &platform->clusters[at];
    MUST(cluster->name && cluster->name[0] && cluster->procs >= 1 && cluster->procs <= INT32_MAX);
    MUST(!cluster->scheduler || loom_scheduler_check(NULL, cluster->scheduler, NULL) == 0);
    MUST(!(cluster->background && cluster->model));
    MUST(cluster->load >= 0 && cluster->load <= LOOM_LOAD_MOST && cluster->shift_s >= 0);
    MUST((!(cluster->load > 0) && cluster->shift_s == 0) || cluster->background || cluster->model);
    for (size_t i = 0; i < at; i++)
        MUST(strcmp(platform->clusters[i].name, cluster->name) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = input_file(data, size, path, sizeof path);
    struct loom_error err = {0};
    struct loom_platform *platform = NULL;
    int code = loom_platform_load(&platform, path, NULL, &err);
    if (code != 0) {
        check_error(code, &err, path);
        MUST(platform == NULL);
    } else {
        MUST(platform->n_clusters > 0 && platform->name && platform->name[0]);
        MUST(!platform->dispatch || loom_grid_check(platform->dispatch, NULL) == 0);
        for (size_t i = 0; i < platform->n_clusters; i++)
            check_cluster(platform, i);
    }
    loom_platform_destroy(platform);
    close(fd);
    return 0;
}
