/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs abandoned: by the program, by a signal, and by one thread while others write. */
#include "outputs.h"

#include "base/output.h"
#include "base/output_set.h"
#include "base/signals.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

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
    /* If the program goes on after all, it finds that there is no file. */
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
    enum { COUNT = 530, SLOTS = 512 };
    struct fixture *f = *state;
    struct loom_output *outs[COUNT];
    struct rlimit files; /* an output has two descriptors */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &files), 0);
    if (files.rlim_cur < 3 * COUNT) {
        if (files.rlim_max < 3 * COUNT)
            skip();
        files.rlim_cur = 3 * COUNT;
        assert_int_equal(setrlimit(RLIMIT_NOFILE, &files), 0);
    }
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

/* ---- sets ------------------------------------------------------------------------------------ */

/* Stands before the C library's: with raised set, a signal comes before every rename. */
static int raised;
/* As many renames succeed, and those after them fail; -1: all succeed. */
static int renames = -1;

int renameat(int old_dir, const char *old_name, int new_dir, const char *new_name)
{
    if (raised)
        raise(raised);
    if (renames == 0) {
        errno = ENOSPC;
        return -1;
    }
    renames -= renames > 0;
    return renameat2(old_dir, old_name, new_dir, new_name, 0);
}

static void test_signal_between_renames(void **state)
{
    struct fixture *f = *state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct loom_output *outs[4] = {NULL};
        static const char *const names[] = {"a", "b", "c", "d"};
        signal(SIGTERM, abandon_and_exit);
        for (size_t i = 0; i < 4; i++)
            if (loom_output_create(&outs[i], at(f, names[i]), NULL) != 0)
                _exit(1);
        raised = SIGTERM;
        loom_output_commit_all(outs, 4, NULL);
        _exit(0); /* too late: the signal has ended it */
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), SIGTERM);
    assert_listing(f, "a b c d ");
}

/* A directory made for outputs goes with them, unless it has something else. */
static void test_directory(void **state)
{
    struct fixture *f = *state;
    for (int used = 0; used < 2; used++) {
        const char *path = at(f, "made");
        assert_int_equal(mkdir(path, 0777), 0);
        struct loom_slot *slot = loom_slot_claim(AT_FDCWD, "", path);
        assert_non_null(slot);
        struct loom_output *out = open_output(f, at(f, "made/file"));
        if (used)
            store_text(at(f, "made/other"), "old");
        loom_output_abandon_all();
        assert_listing(f, used ? "made " : "");
        loom_output_destroy(out);
        loom_slot_release(slot);
    }
    unlink(at(f, "made/other"));
    rmdir(at(f, "made"));
}

static void add(struct fixture *f, struct loom_output_set *set, const char *name)
{
    struct loom_output *out = open_output(f, at(f, name));
    write_text(f, out, name);
    assert_int_equal(loom_output_set_add(set, &out, &f->err), 0);
    assert_null(out);
}

/* What is added appears at the commit, and what is not committed never does; then the directories
 * that were made go too, and those that were there stay. */
static void test_set(void **state)
{
    struct fixture *f = *state;
    for (int committed = 0; committed < 2; committed++) {
        struct loom_output_set *set = NULL;
        assert_int_equal(loom_output_set_create(&set, &f->err), 0);
        assert_int_equal(loom_output_set_directory(set, at(f, "made"), &f->err), 0);
        assert_int_equal(loom_output_set_directory(set, at(f, "made"), &f->err), 0);
        add(f, set, "a");
        add(f, set, "made/b");
        assert_string_equal(loom_output_set_name(set, 1), at(f, "made/b"));
        assert_null(loom_output_set_name(set, 2));
        assert_int_equal(access(at(f, "a"), F_OK), -1);
        assert_int_equal(access(at(f, "made/b"), F_OK), -1);
        if (committed) {
            assert_int_equal(loom_output_set_commit(set, &f->err), 0);
            assert_null(loom_output_set_name(set, 0));
            assert_content(at(f, "a"), "a");
            assert_content(at(f, "made/b"), "made/b");
            add(f, set, "later");
        }
        loom_output_set_destroy(set);
        assert_listing(f, committed ? "a made " : "");
    }
    unlink(at(f, "made/b"));
    rmdir(at(f, "made"));
}

/* A signal before the commit takes all of it away. */
static void test_set_abandoned(void **state)
{
    struct fixture *f = *state;
    struct loom_output_set *set = NULL;
    assert_int_equal(loom_output_set_create(&set, &f->err), 0);
    assert_int_equal(loom_output_set_directory(set, at(f, "made"), &f->err), 0);
    add(f, set, "a");
    add(f, set, "made/b");
    loom_output_abandon_all();
    assert_listing(f, "");
    assert_int_equal(loom_output_set_commit(set, &f->err), LOOM_EIO);
    loom_output_set_destroy(set);
    assert_listing(f, "");
}

/* Of a set that cannot be whole, new files go again; what was replaced is lost. */
static void test_set_cut_short(void **state)
{
    struct fixture *f = *state;
    struct loom_output_set *set = NULL;
    store_text(at(f, "b"), "old");
    assert_int_equal(loom_output_set_create(&set, &f->err), 0);
    assert_int_equal(loom_output_set_directory(set, at(f, "made"), &f->err), 0);
    add(f, set, "made/a");
    add(f, set, "b");
    add(f, set, "c");
    renames = 2;
    assert_int_equal(loom_output_set_commit(set, &f->err), LOOM_EIO);
    renames = -1;
    loom_output_set_destroy(set);
    assert_listing(f, "b ");
    assert_content(at(f, "b"), "b");
}

static void test_set_refusals(void **state)
{
    struct fixture *f = *state;
    struct loom_output_set *set = NULL;
    struct loom_output *out = open_output(f, at(f, "a"));
    write_text(f, out, "a");
    assert_int_equal(loom_output_set_add(NULL, &out, &f->err), 0);
    assert_content(at(f, "a"), "a");
    assert_non_null(out);
    loom_output_destroy(out);
    assert_int_equal(loom_output_set_create(&set, &f->err), 0);
    assert_int_equal(loom_output_set_directory(set, at(f, "a/b"), &f->err), LOOM_EIO);
    out = open_output(f, at(f, "c"));
    assert_int_equal(loom_output_finish(out, &f->err), 0);
    assert_int_equal(loom_output_finish(out, &f->err), 0);
    assert_int_equal(loom_output_write(out, "x", 1, &f->err), LOOM_EUSAGE);
    assert_int_equal(loom_output_commit(out, &f->err), 0);
    assert_int_equal(loom_output_set_add(set, &out, &f->err), LOOM_EUSAGE);
    loom_output_destroy(out);
    out = open_output(f, "/dev/full");
    write_text(f, out, "x");
    assert_int_equal(loom_output_set_add(set, &out, &f->err), LOOM_EIO);
    loom_output_destroy(out);
    add(f, set, "e");
    out = open_output(f, at(f, "./e"));
    assert_int_equal(loom_output_set_add(set, &out, &f->err), LOOM_EUSAGE);
    loom_output_destroy(out);
    loom_output_set_destroy(set);
    loom_output_set_destroy(NULL);
    assert_listing(f, "a c ");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        OUTPUT_TEST(test_abandon_all),
        OUTPUT_TEST(test_more_outputs_than_slots),
        OUTPUT_TEST(test_signal_leaves_nothing_behind),
        OUTPUT_TEST(test_child_does_not_remove_its_parents_files),
        OUTPUT_TEST(test_signal_between_renames),
        OUTPUT_TEST(test_directory),
        OUTPUT_TEST(test_set),
        OUTPUT_TEST(test_set_abandoned),
        OUTPUT_TEST(test_set_cut_short),
        OUTPUT_TEST(test_set_refusals),
        OUTPUT_TEST(test_threads_and_abandoning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
