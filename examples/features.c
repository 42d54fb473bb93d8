/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * features - print the workload features of a log, all or those whose keys start with a prefix.
 *
 *     cc features.c -o features $(pkg-config --cflags --libs workloom)
 *     ./features log.swf arrival. runtime.mean
 */
#include <workloom/workloom.h>

#include <stdio.h>
#include <string.h>

/* Return whether the key starts with one of the prefixes, or there are none. */
static bool chosen(const char *key, char **prefixes, int n)
{
    for (int i = 0; i < n; i++)
        if (!strncmp(key, prefixes[i], strlen(prefixes[i])))
            return true;
    return n == 0;
}

/* A feature that the log does not have (no users, no requested times) has a reason instead. */
static void print_feature(const struct loom_feature *feature)
{
    if (feature->known)
        printf("%-40s %.6g %s\n", feature->info->key, feature->value, feature->info->unit);
    else
        printf("%-40s unknown: %s\n", feature->info->key, feature->reason);
}

/* Measure the log and print the chosen features. Returns 0, or a negative code with err filled. */
static int run(const char *path, char **prefixes, int n, struct loom_error *err)
{
    struct loom_trace *trace = NULL;
    struct loom_features *features = NULL;
    const struct loom_feature *feature;
    int rc = loom_trace_read(&trace, path, NULL, err);
    if (!rc)
        rc = loom_features_create(&features, trace, NULL, NULL, err);
    for (size_t i = 0; !rc && (feature = loom_features_at(features, i)); i++)
        if (chosen(feature->info->key, prefixes, n))
            print_feature(feature);
    loom_features_destroy(features);
    loom_trace_destroy(trace);
    return rc;
}

int main(int argc, char **argv)
{
    struct loom_error err;
    char text[LOOM_ERROR_TEXT];
    if (argc < 2) {
        fprintf(stderr, "usage: %s LOG [PREFIX...]\n", argv[0]);
        return 2;
    }
    if (run(argv[1], argv + 2, argc - 2, &err)) {
        fprintf(stderr, "features: %s\n", loom_error_text(&err, text, sizeof text));
        return 1;
    }
    return 0;
}
