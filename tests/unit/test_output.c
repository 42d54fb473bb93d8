/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs are whole or not there: every way of ending one, and every kind of target. */
#include "support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LARGE = 1000 * 1000, PATTERN_BYTES = 588890 };

/* ---- a directory of one's own ---------------------------------------------------------------- */

struct fixture {
    char dir[64];
    struct loom_error err;
};

static int set_up(void **state)
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
static const char *at(const struct fixture *f, const char *name)
{
    static char paths[4][PATH_MAX];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, PATH_MAX, "%s/%s", f->dir, name);
    return path;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* All names in the directory, sorted, each followed by a space. */
static const char *list(struct fixture *f, char *text, size_t size)
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

static void assert_listing(struct fixture *f, const char *expected)
{
    char text[4096];
    assert_string_equal(list(f, text, sizeof text), expected);
}

/* How many temporary files there are. */
static size_t temporaries(struct fixture *f)
{
    size_t n = 0;
    DIR *dir = opendir(f->dir);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] == '.' && strlen(entry->d_name) > 2;
    closedir(dir);
    return n;
}

static int tear_down(void **state)
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

static void assert_content(const char *path, const char *expected)
{
    char *text = load(path);
    assert_string_equal(text, expected);
    free(text);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

static struct loom_output *open_output(struct fixture *f, const char *path)
{
    struct loom_output *out = NULL;
    int code = loom_output_create(&out, path, &f->err);
    if (code != 0)
        print_error("%s\n", f->err.message);
    assert_int_equal(code, 0);
    assert_non_null(out);
    return out;
}

static void write_text(struct fixture *f, struct loom_output *out, const char *text)
{
    assert_int_equal(loom_output_write(out, text, strlen(text), &f->err), 0);
}

static void write_whole(struct fixture *f, const char *path, const char *text)
{
    struct loom_output *out = open_output(f, path);
    write_text(f, out, text);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
}

static void assert_error(const struct loom_error *err, const char *expected)
{
    char text[2048];
    assert_string_equal(loom_error_text(err, text, sizeof text), expected);
}

/* path cannot be opened; the sentence ends in reason. */
static void assert_refused(struct fixture *f, const char *path, const char *reason)
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

/* ---- regular files --------------------------------------------------------------------------- */

static void test_new_file_appears_at_commit(void **state)
{
    struct fixture *f = *state;
    const char *path = at(f, "new.swf");
    struct loom_output *out = open_output(f, path);
    assert_string_equal(loom_output_name(out), path);
    write_text(f, out, "one\n");
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(temporaries(f), 1);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    assert_content(path, "one\n");
    loom_output_destroy(out);
    assert_content(path, "one\n");
    assert_listing(f, "new.swf ");
}

static void test_temporary_is_named_after_its_target(void **state)
{
    struct fixture *f = *state;
    char text[256];
    struct loom_output *out = open_output(f, at(f, "name.swf"));
    list(f, text, sizeof text);
    assert_memory_equal(text, ".name.swf.", 10);
    assert_int_equal(strlen(text), strlen(".name.swf.XXXXXX "));
    loom_output_destroy(out);
}

static void test_empty_file(void **state)
{
    struct fixture *f = *state;
    struct loom_output *out = open_output(f, at(f, "empty"));
    assert_int_equal(loom_output_write(out, NULL, 0, &f->err), 0);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    assert_content(at(f, "empty"), "");
}

static void test_destroy_without_commit_leaves_nothing(void **state)
{
    struct fixture *f = *state;
    struct loom_output *out = open_output(f, at(f, "new"));
    static char data[LARGE];
    assert_int_equal(loom_output_write(out, data, sizeof data, &f->err), 0);
    errno = 77;
    loom_output_destroy(out);
    assert_int_equal(errno, 77);
    assert_listing(f, "");
    loom_output_destroy(NULL);
}

static void test_existing_file_is_untouched_until_commit(void **state)
{
    struct fixture *f = *state;
    const char *path = at(f, "file");
    store_text(path, "old");
    struct loom_output *out = open_output(f, path);
    write_text(f, out, "new");
    assert_content(path, "old");
    loom_output_destroy(out);
    assert_content(path, "old");
    assert_listing(f, "file ");
    write_whole(f, path, "new");
    assert_content(path, "new");
    assert_listing(f, "file ");
}

static void test_reader_of_the_old_file_keeps_it(void **state)
{
    struct fixture *f = *state;
    char text[8] = "";
    store_text(at(f, "file"), "old");
    int fd = open(at(f, "file"), O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    write_whole(f, at(f, "file"), "new");
    assert_int_equal(read(fd, text, sizeof text), 3);
    assert_string_equal(text, "old");
    close(fd);
}

static void test_permissions_follow_umask(void **state)
{
    static const mode_t masks[] = {0, 022, 027, 077};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        umask(masks[i]);
        write_whole(f, at(f, "file"), "x");
        assert_int_equal(mode_of(at(f, "file")), 0666 & ~masks[i]);
        assert_int_equal(umask(022), masks[i]);
        unlink(at(f, "file"));
    }
}

static void test_permissions_of_a_replaced_file_stay(void **state)
{
    static const mode_t modes[] = {0600, 0640, 0666, 0755, 0777};
    struct fixture *f = *state;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        store_text(at(f, "file"), "old");
        assert_int_equal(chmod(at(f, "file"), modes[i]), 0);
        write_whole(f, at(f, "file"), "new");
        assert_int_equal(mode_of(at(f, "file")), modes[i]);
        assert_content(at(f, "file"), "new");
    }
}

/* A file that is private stays so while it is being written. */
static void test_temporary_is_as_private_as_its_target(void **state)
{
    struct fixture *f = *state;
    char name[256];
    store_text(at(f, "file"), "old");
    assert_int_equal(chmod(at(f, "file"), 0600), 0);
    struct loom_output *out = open_output(f, at(f, "file"));
    list(f, name, sizeof name);
    *strchr(name, ' ') = '\0';
    assert_int_equal(name[0], '.');
    assert_int_equal(mode_of(at(f, name)), 0600);
    loom_output_destroy(out);
}

static void test_owner_of_a_replaced_file_stays(void **state)
{
    struct fixture *f = *state;
    struct stat status;
    if (geteuid() != 0)
        skip();
    store_text(at(f, "file"), "old");
    assert_int_equal(chown(at(f, "file"), 12345, 23456), 0);
    assert_int_equal(chmod(at(f, "file"), 0640), 0);
    write_whole(f, at(f, "file"), "new");
    assert_int_equal(stat(at(f, "file"), &status), 0);
    assert_int_equal(status.st_uid, 12345);
    assert_int_equal(status.st_gid, 23456);
    assert_int_equal(status.st_mode & 07777, 0640);
}

/* The longest name there is, written by two at once: the last to commit wins. */
static void test_longest_name(void **state)
{
    struct fixture *f = *state;
    char name[NAME_MAX + 2];
    memset(name, 'n', sizeof name);
    name[NAME_MAX] = '\0';
    struct loom_output *one = open_output(f, at(f, name));
    struct loom_output *two = open_output(f, at(f, name));
    assert_int_equal(temporaries(f), 2);
    write_text(f, one, "one");
    write_text(f, two, "two");
    assert_int_equal(loom_output_commit(two, &f->err), 0);
    assert_int_equal(loom_output_commit(one, &f->err), 0);
    loom_output_destroy(one);
    loom_output_destroy(two);
    assert_content(at(f, name), "one");
    assert_int_equal(temporaries(f), 0);
    name[NAME_MAX] = 'n';
    name[NAME_MAX + 1] = '\0';
    assert_refused(f, at(f, name), "File name too long");
}

static void test_relative_path_survives_chdir(void **state)
{
    struct fixture *f = *state;
    int before = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(before >= 0);
    assert_int_equal(chdir(f->dir), 0);
    struct loom_output *kept = open_output(f, "kept");
    struct loom_output *dropped = open_output(f, "./dropped");
    write_text(f, kept, "x");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(loom_output_commit(kept, &f->err), 0);
    loom_output_destroy(kept);
    loom_output_destroy(dropped);
    assert_int_equal(fchdir(before), 0);
    close(before);
    assert_content(at(f, "kept"), "x");
    assert_listing(f, "kept ");
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The same bytes, whatever the sizes of the pieces they come in. */
static void test_pieces_of_any_size(void **state)
{
    static const size_t sizes[] = {1, 7, 4096, 65536, 131071, 131072, 131073, 300000, LARGE};
    static unsigned char data[LARGE], back[LARGE + 1];
    struct fixture *f = *state;
    for (size_t i = 0; i < LARGE; i++)
        data[i] = (unsigned char)(i * 2654435761u >> 16);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct loom_output *out = open_output(f, at(f, "file"));
        for (size_t done = 0; done < LARGE;) {
            size_t size = LARGE - done < sizes[s] ? LARGE - done : sizes[s];
            assert_int_equal(loom_output_write(out, data + done, size, &f->err), 0);
            done += size;
        }
        assert_int_equal(loom_output_commit(out, &f->err), 0);
        loom_output_destroy(out);
        FILE *file = fopen(at(f, "file"), "rb");
        assert_non_null(file);
        assert_int_equal(fread(back, 1, sizeof back, file), LARGE);
        fclose(file);
        assert_memory_equal(back, data, LARGE);
    }
}

static void test_printf_of_any_length(void **state)
{
    struct fixture *f = *state;
    struct loom_output *out = open_output(f, at(f, "file"));
    size_t expected = 0;
    for (int width = 1; width <= 300000; width = width * 3 + 1) {
        assert_int_equal(loom_output_printf(out, &f->err, "%*d|", width, 7), 0);
        expected += (size_t)width + 1;
    }
    for (int i = 0; i < 100000; i++) {
        assert_int_equal(loom_output_printf(out, &f->err, "%05d\n", i), 0);
        expected += 6;
    }
    assert_int_equal(loom_output_printf(out, &f->err, "%s", ""), 0);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    FILE *file = fopen(at(f, "file"), "rb");
    assert_non_null(file);
    for (int width = 1; width <= 300000; width = width * 3 + 1) {
        for (int i = 0; i < width - 1; i++)
            assert_int_equal(getc(file), ' ');
        assert_int_equal(getc(file), '7');
        assert_int_equal(getc(file), '|');
    }
    for (int i = 0; i < 100000; i++) {
        char line[8], wanted[8];
        snprintf(wanted, sizeof wanted, "%05d\n", i % 100000);
        assert_non_null(fgets(line, sizeof line, file));
        assert_string_equal(line, wanted);
    }
    assert_int_equal(ftell(file), (long)expected);
    assert_int_equal(getc(file), EOF);
    fclose(file);
}

static void test_after_commit_nothing_more_is_taken(void **state)
{
    struct fixture *f = *state;
    struct loom_output *out = open_output(f, at(f, "file"));
    write_text(f, out, "x");
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    assert_int_equal(loom_output_write(out, "y", 1, &f->err), LOOM_EUSAGE);
    assert_string_equal(f->err.message, "cannot write: the output was completed before");
    assert_int_equal(loom_output_printf(out, &f->err, "y"), LOOM_EUSAGE);
    assert_int_equal(loom_output_commit(out, &f->err), LOOM_EUSAGE);
    loom_output_destroy(out);
    assert_content(at(f, "file"), "x");
}

/* ---- targets that cannot be opened ----------------------------------------------------------- */

static void test_missing_directory(void **state)
{
    struct fixture *f = *state;
    assert_refused(f, at(f, "missing/file"), "No such file or directory");
    assert_listing(f, "");
    struct loom_output *out = NULL;
    assert_int_equal(loom_output_create(&out, "", &f->err), LOOM_EIO);
    assert_error(&f->err, "cannot open for writing: No such file or directory");
}

static void test_directory_as_target(void **state)
{
    struct fixture *f = *state;
    assert_refused(f, f->dir, "Is a directory");
    assert_refused(f, "/", "Is a directory");
    assert_refused(f, ".", "Is a directory");
    assert_refused(f, at(f, "missing/"), "Is a directory");
}

static void test_file_as_directory(void **state)
{
    struct fixture *f = *state;
    store_text(at(f, "file"), "x");
    assert_refused(f, at(f, "file/below"), "Not a directory");
}

static void test_read_only_directory(void **state)
{
    struct fixture *f = *state;
    if (geteuid() == 0)
        skip();
    store_text(at(f, "file"), "old");
    assert_int_equal(chmod(f->dir, 0555), 0);
    assert_refused(f, at(f, "new"), "Permission denied");
    assert_refused(f, at(f, "file"), "Permission denied");
    assert_int_equal(chmod(f->dir, 0755), 0);
    assert_content(at(f, "file"), "old");
}

static void test_read_only_file_is_not_replaced(void **state)
{
    struct fixture *f = *state;
    if (geteuid() == 0)
        skip();
    store_text(at(f, "file"), "old");
    assert_int_equal(chmod(at(f, "file"), 0444), 0);
    assert_refused(f, at(f, "file"), "Permission denied");
    assert_content(at(f, "file"), "old");
    assert_listing(f, "file ");
}

/* A directory one may write to but not list. */
static void test_unlisted_directory(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(chmod(f->dir, 0300), 0);
    write_whole(f, at(f, "file"), "x");
    assert_int_equal(chmod(f->dir, 0755), 0);
    assert_listing(f, "file ");
}

/* ---- failures on the way --------------------------------------------------------------------- */

static void test_full_device(void **state)
{
    struct fixture *f = *state;
    struct loom_error again = {0};
    if (access("/dev/full", W_OK) != 0)
        skip();
    struct loom_output *out = open_output(f, "/dev/full");
    write_text(f, out, "short");
    assert_int_equal(loom_output_commit(out, &f->err), LOOM_EIO);
    assert_error(&f->err, "/dev/full: cannot write: No space left on device");
    assert_int_equal(loom_output_commit(out, &again), LOOM_EIO);
    assert_memory_equal(&again, &f->err, sizeof again);
    loom_output_destroy(out);
    assert_int_equal(access("/dev/full", W_OK), 0);
}

/* The first failure is reported by every later call, and nothing appears. */
static void test_first_failure_stays(void **state)
{
    static char data[LARGE];
    struct fixture *f = *state;
    const char *path = at(f, "file");
    char expected[PATH_MAX + 64];
    struct rlimit before, low;
    snprintf(expected, sizeof expected, "%s: cannot write: File too large", path);
    store_text(path, "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    low = before;
    low.rlim_cur = 200000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
    struct loom_output *out = open_output(f, path);
    write_text(f, out, "new");
    int code = loom_output_write(out, data, sizeof data, &f->err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(code, LOOM_EIO);
    assert_error(&f->err, expected);
    for (int call = 0; call < 4; call++) {
        struct loom_error err = {0};
        code = call == 0   ? loom_output_write(out, "x", 1, &err)
               : call == 1 ? loom_output_printf(out, &err, "%d", 1)
                           : loom_output_commit(out, call == 2 ? &err : NULL);
        assert_int_equal(code, LOOM_EIO);
        if (call < 3)
            assert_error(&err, expected);
    }
    loom_output_destroy(out);
    assert_content(path, "old");
    assert_listing(f, "file ");
}

static void test_target_became_a_directory(void **state)
{
    struct fixture *f = *state;
    char expected[PATH_MAX + 64];
    const char *path = at(f, "file");
    struct loom_output *out = open_output(f, path);
    assert_int_equal(mkdir(path, 0755), 0);
    assert_int_equal(loom_output_commit(out, &f->err), LOOM_EIO);
    snprintf(expected, sizeof expected,
             "%s: cannot move the finished file into place: Is a directory", path);
    assert_error(&f->err, expected);
    loom_output_destroy(out);
    assert_listing(f, "file ");
}

/* ---- symbolic links -------------------------------------------------------------------------- */

static void assert_link(struct fixture *f, const char *name, const char *expected)
{
    char text[PATH_MAX] = "";
    assert_true(readlink(at(f, name), text, sizeof text - 1) > 0);
    assert_string_equal(text, expected);
}

static void test_link_survives(void **state)
{
    struct fixture *f = *state;
    store_text(at(f, "real"), "old");
    assert_int_equal(chmod(at(f, "real"), 0640), 0);
    assert_int_equal(symlink("real", at(f, "relative")), 0);
    assert_int_equal(symlink(at(f, "relative"), at(f, "absolute")), 0);
    write_whole(f, at(f, "relative"), "one");
    assert_content(at(f, "real"), "one");
    struct loom_output *out = open_output(f, at(f, "absolute"));
    write_text(f, out, "two");
    assert_int_equal(temporaries(f), 1);
    assert_content(at(f, "real"), "one");
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    assert_content(at(f, "real"), "two");
    assert_int_equal(mode_of(at(f, "real")), 0640);
    assert_link(f, "relative", "real");
    assert_link(f, "absolute", at(f, "relative"));
    assert_listing(f, "absolute real relative ");
}

static void test_link_into_another_directory(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(mkdir(at(f, "sub"), 0755), 0);
    assert_int_equal(symlink("sub/../sub/file", at(f, "link")), 0);
    struct loom_output *out = open_output(f, at(f, "link"));
    assert_string_equal(loom_output_name(out), at(f, "link"));
    assert_int_equal(temporaries(f), 0); /* it stands beside the target, in sub */
    write_text(f, out, "x");
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    assert_content(at(f, "sub/file"), "x");
    assert_link(f, "link", "sub/../sub/file");
    assert_int_equal(unlink(at(f, "sub/file")), 0);
    assert_int_equal(rmdir(at(f, "sub")), 0);
}

static void test_dangling_link(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(symlink("nothing", at(f, "link")), 0);
    struct loom_output *out = open_output(f, at(f, "link"));
    loom_output_destroy(out);
    assert_listing(f, "link ");
    write_whole(f, at(f, "link"), "x");
    assert_content(at(f, "nothing"), "x");
    assert_link(f, "link", "nothing");
    assert_int_equal(symlink("missing/file", at(f, "far")), 0);
    assert_refused(f, at(f, "far"), "No such file or directory");
}

static void test_link_to_itself(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(symlink("loop", at(f, "loop")), 0);
    assert_refused(f, at(f, "loop"), "Too many levels of symbolic links");
}

/* /proc's link to a deleted file names nothing that exists; the file is still written. */
static void test_deleted_file_through_proc(void **state)
{
    struct fixture *f = *state;
    char path[64], text[16] = "";
    int fd = open(at(f, "file"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "longer than new", 15), 15);
    assert_int_equal(unlink(at(f, "file")), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (access(path, W_OK) != 0)
        skip();
    write_whole(f, path, "new");
    assert_int_equal(pread(fd, text, sizeof text - 1, 0), 3);
    assert_string_equal(text, "new");
    close(fd);
    assert_listing(f, "");
}

/* ---- written in place ------------------------------------------------------------------------ */

struct reading {
    int fd;
    unsigned delay_us; /* before each read */
    size_t size;
    uint64_t sum;
};

static void *read_all(void *argument)
{
    struct reading *reading = argument;
    static unsigned char data[3001];
    ssize_t size;
    while ((size = read(reading->fd, data, sizeof data)) > 0) {
        for (ssize_t i = 0; i < size; i++)
            reading->sum = reading->sum * 31 + data[i];
        reading->size += (size_t)size;
        if (reading->delay_us > 0)
            usleep(reading->delay_us);
    }
    return NULL;
}

/* Write PATTERN_BYTES in small pieces; 0 or the first error. */
static int write_pattern(struct fixture *f, struct loom_output *out, uint64_t *sum)
{
    int code = 0;
    *sum = 0;
    for (int i = 0; i < 100000 && code == 0; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "%d,", i);
        code = loom_output_write(out, text, (size_t)length, &f->err);
        for (int c = 0; c < length; c++)
            *sum = *sum * 31 + (unsigned char)text[c];
    }
    return code;
}

static void test_fifo(void **state)
{
    struct fixture *f = *state;
    struct stat status;
    uint64_t sum = 0;
    pthread_t thread;
    assert_int_equal(mkfifo(at(f, "fifo"), 0600), 0);
    int fd = open(at(f, "fifo"), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(fcntl(fd, F_SETFL, 0), 0);
    struct loom_output *out = open_output(f, at(f, "fifo"));
    struct reading reading = {.fd = fd};
    assert_int_equal(pthread_create(&thread, NULL, read_all, &reading), 0);
    assert_int_equal(write_pattern(f, out, &sum), 0);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    pthread_join(thread, NULL); /* the commit closed the fifo, which ends the reader */
    loom_output_destroy(out);
    close(fd);
    assert_int_equal(reading.size, PATTERN_BYTES);
    assert_true(reading.sum == sum);
    assert_int_equal(lstat(at(f, "fifo"), &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_listing(f, "fifo ");
}

static void test_null_device_stays_a_device(void **state)
{
    struct fixture *f = *state;
    struct stat status;
    write_whole(f, "/dev/null", "x");
    assert_int_equal(lstat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));
}

static void test_link_to_a_device(void **state)
{
    struct fixture *f = *state;
    assert_int_equal(symlink("/dev/null", at(f, "link")), 0);
    write_whole(f, at(f, "link"), "x");
    assert_link(f, "link", "/dev/null");
    assert_listing(f, "link ");
}

/* ---- standard output ------------------------------------------------------------------------- */

/* Put fd in the place of stdout; returns the old one. */
static int replace_stdout(int fd)
{
    fflush(stdout);
    int saved = dup(STDOUT_FILENO);
    assert_true(saved >= 0);
    assert_true(dup2(fd, STDOUT_FILENO) >= 0);
    return saved;
}

static void restore_stdout(int saved)
{
    dup2(saved, STDOUT_FILENO);
    close(saved);
}

static void test_stdout(void **state)
{
    struct fixture *f = *state;
    static const char *const names[][2] = {{"-", "<stdout>"}, {"/dev/stdout", "/dev/stdout"}};
    for (size_t i = 0; i < 2; i++) {
        store_text(at(f, "file"), "before ");
        int fd = open(at(f, "file"), O_WRONLY | O_APPEND | O_CLOEXEC);
        int saved = replace_stdout(fd);
        struct loom_output *out = NULL;
        int created = loom_output_create(&out, names[i][0], &f->err);
        int printed = loom_output_printf(out, &f->err, "%s", "text");
        int committed = loom_output_commit(out, &f->err);
        int same = strcmp(loom_output_name(out), names[i][1]);
        loom_output_destroy(out);
        bool still_open = fcntl(STDOUT_FILENO, F_GETFD) >= 0;
        restore_stdout(saved);
        close(fd);
        assert_int_equal(created, 0);
        assert_int_equal(printed, 0);
        assert_int_equal(committed, 0);
        assert_int_equal(same, 0);
        assert_true(still_open);
        assert_content(at(f, "file"), "before text");
        assert_listing(f, "file ");
    }
}

static void commit_to_stdout(struct fixture *f, int fd, const char *expected)
{
    int saved = replace_stdout(fd);
    struct loom_output *out = NULL;
    int created = loom_output_create(&out, "-", &f->err);
    int written = loom_output_write(out, "x", 1, &f->err);
    int committed = loom_output_commit(out, &f->err);
    loom_output_destroy(out);
    restore_stdout(saved);
    assert_int_equal(created, 0);
    assert_int_equal(written, 0);
    assert_int_equal(committed, LOOM_EIO);
    assert_error(&f->err, expected);
}

static void test_stdout_on_a_full_device(void **state)
{
    struct fixture *f = *state;
    int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        skip();
    commit_to_stdout(f, fd, "<stdout>: cannot write: No space left on device");
    close(fd);
}

static void test_stdout_on_a_closed_pipe(void **state)
{
    struct fixture *f = *state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    close(ends[0]);
    void (*handler)(int) = signal(SIGPIPE, SIG_IGN);
    commit_to_stdout(f, ends[1], "<stdout>: cannot write: Broken pipe");
    signal(SIGPIPE, handler);
    close(ends[1]);
}

static void test_stdout_without_commit_is_not_flushed(void **state)
{
    struct fixture *f = *state;
    int fd = open(at(f, "file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    int saved = replace_stdout(fd);
    struct loom_output *out = NULL;
    int created = loom_output_create(&out, "-", &f->err);
    int written = loom_output_write(out, "x", 1, &f->err);
    loom_output_destroy(out);
    restore_stdout(saved);
    close(fd);
    assert_int_equal(created, 0);
    assert_int_equal(written, 0);
    assert_content(at(f, "file"), "");
}

static void ignore_signal(int number)
{
    (void)number;
}

static void write_slow_pipe(struct fixture *f, int flags)
{
    int ends[2];
    uint64_t sum = 0;
    pthread_t thread;
    sigset_t alarm_only;
    struct sigaction action = {.sa_handler = ignore_signal};
    struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, flags), 0);
    sigemptyset(&alarm_only);
    sigaddset(&alarm_only, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &alarm_only, NULL); /* the reader inherits this */
    struct reading reading = {.fd = ends[0], .delay_us = 700};
    assert_int_equal(pthread_create(&thread, NULL, read_all, &reading), 0);
    pthread_sigmask(SIG_UNBLOCK, &alarm_only, NULL);
    sigaction(SIGALRM, &action, NULL); /* for good: the last alarm may come late */
    int saved = replace_stdout(ends[1]);
    close(ends[1]);
    setitimer(ITIMER_REAL, &often, NULL);
    struct loom_output *out = NULL;
    int created = loom_output_create(&out, "-", &f->err);
    int written = write_pattern(f, out, &sum);
    int committed = loom_output_commit(out, &f->err);
    loom_output_destroy(out);
    setitimer(ITIMER_REAL, &never, NULL);
    restore_stdout(saved);
    pthread_join(thread, NULL);
    close(ends[0]);
    assert_int_equal(created, 0);
    assert_int_equal(written, 0);
    assert_int_equal(committed, 0);
    assert_int_equal(reading.size, PATTERN_BYTES);
    assert_true(reading.sum == sum);
}

/* Short writes, interruptions and a full non-blocking pipe lose nothing and repeat nothing. */
static void test_slow_pipe_with_signals(void **state)
{
    write_slow_pipe(*state, 0);
    write_slow_pipe(*state, O_NONBLOCK);
}

/* ---- abandoning ------------------------------------------------------------------------------ */

static void test_abandon_all(void **state)
{
    struct fixture *f = *state;
    char expected[PATH_MAX + 128];
    store_text(at(f, "b"), "old");
    struct loom_output *a = open_output(f, at(f, "a"));
    struct loom_output *b = open_output(f, at(f, "b"));
    struct loom_output *done = open_output(f, at(f, "done"));
    write_text(f, a, "x");
    write_text(f, done, "done");
    assert_int_equal(loom_output_commit(done, &f->err), 0);
    assert_int_equal(temporaries(f), 2);
    errno = 77;
    loom_output_abandon_all();
    assert_int_equal(errno, 77);
    assert_listing(f, "b done ");
    loom_output_abandon_all();
    /* If the program goes on after all, it is told that there is no file. */
    snprintf(expected, sizeof expected,
             "%s: cannot move the finished file into place: No such file or directory", at(f, "a"));
    assert_int_equal(loom_output_commit(a, &f->err), LOOM_EIO);
    assert_error(&f->err, expected);
    loom_output_destroy(a);
    loom_output_destroy(b);
    loom_output_destroy(done);
    assert_listing(f, "b done ");
    assert_content(at(f, "b"), "old");
    write_whole(f, at(f, "a"), "again");
    assert_content(at(f, "a"), "again");
}

/* More outputs than the table of temporary names has room for; run twice to see slots come back. */
static void test_more_outputs_than_slots(void **state)
{
    enum { COUNT = 80, SLOTS = 64 };
    struct fixture *f = *state;
    struct loom_output *outs[COUNT];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < COUNT; i++) {
            char name[16];
            snprintf(name, sizeof name, "f%02d", i);
            outs[i] = open_output(f, at(f, name));
        }
        assert_int_equal(temporaries(f), COUNT);
        loom_output_abandon_all();
        assert_int_equal(temporaries(f), COUNT - SLOTS);
        for (int i = 0; i < COUNT; i++) {
            bool covered = i < SLOTS;
            assert_int_equal(loom_output_commit(outs[i], NULL), covered ? LOOM_EIO : 0);
            loom_output_destroy(outs[i]);
        }
        assert_int_equal(temporaries(f), 0);
    }
}

static void abandon_and_exit(int number)
{
    loom_output_abandon_all();
    _exit(number);
}

static void test_signal_leaves_nothing_behind(void **state)
{
    struct fixture *f = *state;
    int ready[2];
    char byte;
    assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct loom_output *out = NULL;
        signal(SIGTERM, abandon_and_exit);
        if (loom_output_create(&out, at(f, "file"), NULL) != 0)
            _exit(1);
        if (loom_output_printf(out, NULL, "%200000d", 1) != 0 || write(ready[1], "r", 1) != 1)
            _exit(1);
        for (;;)
            pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(temporaries(f), 1);
    assert_int_equal(kill(child, SIGTERM), 0);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGTERM);
    close(ready[0]);
    close(ready[1]);
    assert_listing(f, "");
}

static void test_child_does_not_remove_its_parents_files(void **state)
{
    struct fixture *f = *state;
    struct loom_output *out = open_output(f, at(f, "file"));
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        loom_output_abandon_all();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(temporaries(f), 1);
    write_text(f, out, "x");
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    loom_output_destroy(out);
    assert_content(at(f, "file"), "x");
}

/* ---- several threads ------------------------------------------------------------------------- */

enum { ROUNDS = 200 };

struct writer {
    struct fixture *f;
    unsigned number;
    int committed, refused;
};

static void *write_many(void *argument)
{
    struct writer *writer = argument;
    for (int i = 0; i < ROUNDS; i++) {
        struct loom_output *out = NULL;
        char path[PATH_MAX];
        snprintf(path, sizeof path, "%s/w%u", writer->f->dir, writer->number);
        if (loom_output_create(&out, path, NULL) != 0)
            break;
        if (loom_output_printf(out, NULL, "%d\n", i) == 0 && loom_output_commit(out, NULL) == 0)
            writer->committed++;
        else
            writer->refused++;
        loom_output_destroy(out);
    }
    return NULL;
}

/* Outputs of several threads, while files are being abandoned: every output ends either way, and
 * none leaves a file behind. */
static void test_threads_and_abandoning(void **state)
{
    struct fixture *f = *state;
    struct writer writers[4];
    pthread_t threads[4];
    for (unsigned w = 0; w < 4; w++) {
        writers[w] = (struct writer){.f = f, .number = w};
        assert_int_equal(pthread_create(&threads[w], NULL, write_many, &writers[w]), 0);
    }
    for (int i = 0; i < 100; i++) {
        loom_output_abandon_all();
        usleep(300);
    }
    for (unsigned w = 0; w < 4; w++) {
        pthread_join(threads[w], NULL);
        assert_int_equal(writers[w].committed + writers[w].refused, ROUNDS);
    }
    assert_int_equal(temporaries(f), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_new_file_appears_at_commit),
        TEST(test_temporary_is_named_after_its_target),
        TEST(test_empty_file),
        TEST(test_destroy_without_commit_leaves_nothing),
        TEST(test_existing_file_is_untouched_until_commit),
        TEST(test_reader_of_the_old_file_keeps_it),
        TEST(test_permissions_follow_umask),
        TEST(test_permissions_of_a_replaced_file_stay),
        TEST(test_temporary_is_as_private_as_its_target),
        TEST(test_owner_of_a_replaced_file_stays),
        TEST(test_longest_name),
        TEST(test_relative_path_survives_chdir),
        TEST(test_pieces_of_any_size),
        TEST(test_printf_of_any_length),
        TEST(test_after_commit_nothing_more_is_taken),
        TEST(test_missing_directory),
        TEST(test_directory_as_target),
        TEST(test_file_as_directory),
        TEST(test_read_only_directory),
        TEST(test_read_only_file_is_not_replaced),
        TEST(test_unlisted_directory),
        TEST(test_full_device),
        TEST(test_first_failure_stays),
        TEST(test_target_became_a_directory),
        TEST(test_link_survives),
        TEST(test_link_into_another_directory),
        TEST(test_dangling_link),
        TEST(test_link_to_itself),
        TEST(test_deleted_file_through_proc),
        TEST(test_fifo),
        TEST(test_null_device_stays_a_device),
        TEST(test_link_to_a_device),
        TEST(test_stdout),
        TEST(test_stdout_on_a_full_device),
        TEST(test_stdout_on_a_closed_pipe),
        TEST(test_stdout_without_commit_is_not_flushed),
        TEST(test_slow_pipe_with_signals),
        TEST(test_abandon_all),
        TEST(test_more_outputs_than_slots),
        TEST(test_signal_leaves_nothing_behind),
        TEST(test_child_does_not_remove_its_parents_files),
        TEST(test_threads_and_abandoning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
