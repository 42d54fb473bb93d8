/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs are whole or not there: files, every way of ending one, and what can fail. */
#include "base/output.h"
#include "outputs.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

enum { LARGE = 1000 * 1000 };

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
    char text[256], expected[64];
    struct loom_output *out = open_output(f, at(f, "name.swf"));
    list(f, text, sizeof text);
    snprintf(expected, sizeof expected, ".name.swf.%d-0 ", (int)getpid());
    assert_string_equal(text, expected);
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
    assert_int_equal(loom_output_create(&out, "", &f->err), LOOM_EUSAGE);
    assert_error(&f->err, "the name of an output is empty; '-' is stdout");
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

/* Files that belong together appear together, or not at all. */
static void test_all_or_none(void **state)
{
    struct fixture *f = *state;
    struct loom_output *outs[3] = {open_output(f, at(f, "a")), open_output(f, at(f, "b"))};
    write_text(f, outs[0], "one");
    write_text(f, outs[1], "two");
    assert_int_equal(loom_output_commit_all(outs, 2, &f->err), 0);
    assert_listing(f, "a b ");
    assert_content(at(f, "b"), "two");
    assert_int_equal(loom_output_commit_all(outs, 0, &f->err), 0);
    loom_output_destroy(outs[0]);
    loom_output_destroy(outs[1]);
    if (access("/dev/full", W_OK) != 0)
        return;
    outs[0] = open_output(f, at(f, "c"));
    outs[1] = open_output(f, "/dev/full");
    outs[2] = open_output(f, at(f, "d"));
    for (size_t i = 0; i < 3; i++)
        write_text(f, outs[i], "text");
    assert_int_equal(loom_output_commit_all(outs, 3, &f->err), LOOM_EIO);
    assert_error(&f->err, "/dev/full: cannot write: No space left on device");
    for (size_t i = 0; i < 3; i++)
        loom_output_destroy(outs[i]);
    assert_listing(f, "a b ");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTPUT_TEST(test_new_file_appears_at_commit),
        OUTPUT_TEST(test_temporary_is_named_after_its_target),
        OUTPUT_TEST(test_empty_file),
        OUTPUT_TEST(test_destroy_without_commit_leaves_nothing),
        OUTPUT_TEST(test_existing_file_is_untouched_until_commit),
        OUTPUT_TEST(test_reader_of_the_old_file_keeps_it),
        OUTPUT_TEST(test_permissions_follow_umask),
        OUTPUT_TEST(test_permissions_of_a_replaced_file_stay),
        OUTPUT_TEST(test_temporary_is_as_private_as_its_target),
        OUTPUT_TEST(test_owner_of_a_replaced_file_stays),
        OUTPUT_TEST(test_longest_name),
        OUTPUT_TEST(test_relative_path_survives_chdir),
        OUTPUT_TEST(test_pieces_of_any_size),
        OUTPUT_TEST(test_printf_of_any_length),
        OUTPUT_TEST(test_after_commit_nothing_more_is_taken),
        OUTPUT_TEST(test_missing_directory),
        OUTPUT_TEST(test_directory_as_target),
        OUTPUT_TEST(test_file_as_directory),
        OUTPUT_TEST(test_read_only_directory),
        OUTPUT_TEST(test_read_only_file_is_not_replaced),
        OUTPUT_TEST(test_unlisted_directory),
        OUTPUT_TEST(test_full_device),
        OUTPUT_TEST(test_all_or_none),
        OUTPUT_TEST(test_first_failure_stays),
        OUTPUT_TEST(test_target_became_a_directory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
