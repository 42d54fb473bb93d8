/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs of one piece of work, which appear together or not at all: each is written to the end
 * when it is added, under its temporary name, and all are renamed at the commit. A directory made
 * for them goes again with them.
 */
#include "base/output_set.h"
#include "base/output.h"

#include "base/error.h"
#include "base/signals.h"
#include "base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A directory that was not there before. */
struct directory {
    char *path;
    struct loom_slot *slot; /* NULL if the table was full */
};

struct loom_output_set {
    struct loom_output **outs;
    size_t n, capacity;
    struct directory *directories;
    size_t n_directories, directory_capacity;
};

int loom_output_set_create(struct loom_output_set **out, struct loom_error *err)
{
    *out = calloc(1, sizeof **out);
    return *out ? 0 : loom_fail_memory(err);
}

int loom_output_set_add(struct loom_output_set *set, struct loom_output **out,
                        struct loom_error *err)
{
    if (!set)
        return loom_output_commit(*out, err);
    for (size_t i = 0; i < set->n; i++) /* the second of two of one name would replace the first */
        if (loom_output_same_file(set->outs[i], *out))
            return loom_fail(err, LOOM_EUSAGE,
                             "'%s' would be written twice; give each output a file of its own",
                             loom_output_name(*out));
    int rc = loom_output_finish(*out, err);
    if (rc)
        return rc;
    if (loom_grow(&set->outs, set->n, &set->capacity))
        return loom_fail_memory(err);
    set->outs[set->n++] = *out;
    *out = NULL;
    return 0;
}

int loom_output_set_join(struct loom_output_set *set, struct loom_output_set *other,
                         struct loom_error *err)
{
    while (other->n > 0) {
        if (loom_grow(&set->outs, set->n, &set->capacity))
            return loom_fail_memory(err);
        set->outs[set->n++] = other->outs[--other->n];
    }
    return 0;
}

const char *loom_output_set_name(const struct loom_output_set *set, size_t index)
{
    return index < set->n ? loom_output_name(set->outs[index]) : NULL;
}

/* Make the directory, if it is not there; 0 or an errno. No signal comes between: a directory that
 * was there before is never removed, and one that was made always is. */
static int make_directory(struct directory *directory, bool *made)
{
    sigset_t before;
    loom_signals_hold(&before);
    *made = mkdir(directory->path, 0777) == 0;
    int reason = *made || errno == EEXIST ? 0 : errno;
    directory->slot = *made ? loom_slot_claim(AT_FDCWD, "", directory->path) : NULL;
    loom_signals_release(&before);
    return reason;
}

int loom_output_set_directory(struct loom_output_set *set, const char *path, struct loom_error *err)
{
    bool made = false;
    struct directory directory = {.path = strdup(path)};
    if (!directory.path ||
        loom_grow(&set->directories, set->n_directories, &set->directory_capacity)) {
        free(directory.path);
        return loom_fail_memory(err);
    }
    int reason = make_directory(&directory, &made);
    if (made)
        set->directories[set->n_directories++] = directory;
    else
        free(directory.path);
    return reason ? loom_fail_errno(err, reason, "make the directory", path) : 0;
}

/* Let go of outputs and directories. Directories that were made stay, or go unless somebody has
 * used them since. */
static void output_set_release(struct loom_output_set *set, bool keep)
{
    while (set->n > 0)
        loom_output_destroy(set->outs[--set->n]);
    while (set->n_directories > 0) {
        struct directory *last = &set->directories[--set->n_directories];
        if (!keep)
            rmdir(last->path);
        loom_slot_release(last->slot);
        free(last->path);
    }
}

int loom_output_set_commit(struct loom_output_set *set, struct loom_error *err)
{
    int rc = loom_output_commit_all(set->outs, set->n, err);
    if (rc)
        return rc;
    output_set_release(set, true);
    return 0;
}

void loom_output_set_destroy(struct loom_output_set *set)
{
    if (!set)
        return;
    int saved = errno;
    output_set_release(set, false);
    free(set->outs);
    free(set->directories);
    free(set);
    errno = saved;
}
