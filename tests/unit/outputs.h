/* SPDX-License-Identifier: GPL-3.0-or-later */
/* outputs.h - what the tests of outputs share: a directory of their own and what is in it. */
#ifndef LOOM_TESTS_OUTPUTS_H
#define LOOM_TESTS_OUTPUTS_H

#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char dir[64];
    struct loom_error err;
};

static inline int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    snprintf(f->dir, sizeof f->dir, "/tmp/loom-output-XXXXXX");
    assert_non_null(mkdtemp(f->dir));
    umask(022);
    *state = f;
    return 0;
}

/* The path of a name in the directory; good until three more are asked for. */
static inline const char *at(const struct fixture *f, const char *name)
{
    static char paths[4][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", f->dir, name);
    return path;
}

static inline int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All names in the directory, sorted, each followed by a space. */
static inline const char *list(struct fixture *f, char *text, size_t size)
{
    char names[128][NAME_MAX + 1];
    size_t n = 0;
    DIR *dir = opendir(f->dir);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir)) && n < 128;) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            snprintf(names[n++], sizeof names[0], "%s", entry->d_name);
    }
    closedir(dir);
    qsort(names, n, sizeof names[0], compare_names);
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        int length = snprintf(text + used, size - used, "%s ", names[i]);
        assert_true(length > 0 && (size_t)length < size - used);
        used += (size_t)length;
    }
    return text;
}

static inline void assert_listing(struct fixture *f, const char *expected)
{
    char text[4096];
    assert_string_equal(list(f, text, sizeof text), expected);
}

/* How many temporary files there are. */
static inline size_t temporaries(struct fixture *f)
{
    size_t n = 0;
    DIR *dir = opendir(f->dir);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] == '.' && strlen(entry->d_name) > 2;
    closedir(dir);
    return n;
}

static inline int tear_down(void **state)
{
    struct fixture *f = *state;
    DIR *dir = opendir(f->dir);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        unlinkat(dirfd(dir), entry->d_name, entry->d_type == DT_DIR ? AT_REMOVEDIR : 0);
    closedir(dir);
    assert_int_equal(rmdir(f->dir), 0);
    free(f);
    return 0;
}

static inline void assert_content(const char *path, const char *expected)
{
    char *text = load(path);
    assert_string_equal(text, expected);
    free(text);
}

static inline mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static inline struct loom_output *open_output(struct fixture *f, const char *path)
{
    struct loom_output *out = NULL;
    int code = loom_output_create(&out, path, &f->err);
    if (code != 0)
        print_error("%s\n", f->err.message);
    assert_int_equal(code, 0);
    assert_non_null(out);
    return out;
}

static inline void write_text(struct fixture *f, struct loom_output *out, const char *text)
{
    assert_int_equal(loom_output_write(out, text, strlen(text), &f->err), 0);
}

static inline void write_whole(struct fixture *f, const char *path, const char *text)
{
    struct loom_output *out = open_output(f, path);
    write_text(f, out, text);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
}

static inline void assert_error(const struct loom_error *err, const char *expected)
{
    char text[2048];
    assert_string_equal(loom_error_text(err, text, sizeof text), expected);
}

/* path cannot be opened; the sentence ends in reason. */
static inline void assert_refused(struct fixture *f, const char *path, const char *reason)
{
    struct loom_output *out = (void *)f;
    char expected[PATH_MAX + 256];
    assert_int_equal(loom_output_create(&out, path, &f->err), LOOM_EIO);
    assert_null(out);
    assert_int_equal(f->err.code, LOOM_EIO);
    snprintf(expected, sizeof expected, "%s: cannot open for writing: %s", path, reason);
    assert_error(&f->err, expected);
    assert_int_equal(loom_output_create(&out, path, NULL), LOOM_EIO);
}

#define OUTPUT_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
