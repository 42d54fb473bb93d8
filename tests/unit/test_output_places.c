/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs through links, into pipes and devices, and to standard output. */
#include "base/output.h"
#include "outputs.h"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

enum { PATTERN_BYTES = 588890 };

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

/* ---- asked before ------------------------------------------------------------------------ */

static void test_check_leaves_all_as_it_is(void **state)
{
    struct fixture *f = *state;
    store_text(at(f, "old"), "old");
    assert_int_equal(mkfifo(at(f, "fifo"), 0600), 0);
    assert_int_equal(symlink("nothing", at(f, "link")), 0);
    /* Opening a pipe without a reader would wait for one. */
    static const char *const good[] = {"old", "fifo", "link", "new"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(loom_output_check(at(f, good[i]), &f->err), 0);
    assert_int_equal(loom_output_check("-", &f->err), 0);
    assert_int_equal(loom_output_check("/dev/null", &f->err), 0);
    assert_content(at(f, "old"), "old");
    assert_listing(f, "fifo link old ");
}

static void test_check_refuses(void **state)
{
    struct fixture *f = *state;
    store_text(at(f, "file"), "x");
    static const struct {
        const char *name, *message;
    } cases[] = {
        {"missing/new", "cannot open for writing: No such file or directory"},
        {"file/new", "cannot open for writing: Not a directory"},
        {".", "cannot open for writing: Is a directory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(loom_output_check(at(f, cases[i].name), &f->err), LOOM_EIO);
        assert_string_equal(f->err.message, cases[i].message);
    }
    assert_int_equal(loom_output_check_directory(at(f, "file"), &f->err), LOOM_EIO);
    assert_string_equal(f->err.message, "cannot write into the directory: Not a directory");
    assert_int_equal(loom_output_check_directory(at(f, "missing/new"), &f->err), LOOM_EIO);
    assert_int_equal(loom_output_check_directory(at(f, "new"), &f->err), 0);
    assert_int_equal(loom_output_check_directory(f->dir, &f->err), 0);
    assert_listing(f, "file ");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTPUT_TEST(test_link_survives),
        OUTPUT_TEST(test_link_into_another_directory),
        OUTPUT_TEST(test_dangling_link),
        OUTPUT_TEST(test_link_to_itself),
        OUTPUT_TEST(test_deleted_file_through_proc),
        OUTPUT_TEST(test_fifo),
        OUTPUT_TEST(test_check_leaves_all_as_it_is),
        OUTPUT_TEST(test_check_refuses),
        OUTPUT_TEST(test_null_device_stays_a_device),
        OUTPUT_TEST(test_link_to_a_device),
        OUTPUT_TEST(test_stdout),
        OUTPUT_TEST(test_stdout_on_a_full_device),
        OUTPUT_TEST(test_stdout_on_a_closed_pipe),
        OUTPUT_TEST(test_stdout_without_commit_is_not_flushed),
        OUTPUT_TEST(test_slow_pipe_with_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
