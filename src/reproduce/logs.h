/* SPDX-License-Identifier: GPL-3.0-or-later */
/* logs.h - the logs that the texts use, and which of them are in a directory. */
#ifndef LOOM_REPRODUCE_LOGS_H
#define LOOM_REPRODUCE_LOGS_H

#include <workloom/base.h>

struct loom_log_info {
    const char *name; /* as items call it: "HPC2N" */
    /* How the names of its files begin in the archive: "HPC2N-2002". Others are found by two lines
     * of the header, which contain these texts; NULL: by the name only. */
    const char *prefix;
    const char *computer, *installation;
    const char *archive; /* where it is published */
};

/* Return the log of this name, NULL if there is none. Static. */
const struct loom_log_info *loom_log_find(const char *name);
/* Return a log by index, NULL past the last. Static. */
const struct loom_log_info *loom_log_at(size_t index);

/* Files of a directory. */
struct loom_log_files {
    char **paths;                       /* sorted by name */
    const struct loom_log_info **infos; /* NULL: none of the logs */
    size_t n, capacity;
};

/* List the logs in a directory (NULL: an empty list). A file is known by the start of its name, or
 * else by its header. The caller must free it. LOOM_EIO if the directory cannot be read. */
int loom_log_files_create(struct loom_log_files *out, const char *directory,
                          struct loom_error *err);
void loom_log_files_free(struct loom_log_files *files);
/* Return the path of a log, the last by name (the newest revision) of several, NULL if there is
 * none. */
const char *loom_log_files_path(const struct loom_log_files *files,
                                const struct loom_log_info *info);

/* Compute the hash of a file (XXH3-64). LOOM_EIO if it cannot be read. */
int loom_log_hash(uint64_t *out, const char *path, struct loom_error *err);

#endif
