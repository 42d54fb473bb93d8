/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The progress line: what it says, and when it is drawn on a (pseudo) terminal. */
#include "base/progress.h"

#include <workloom/base.h>

#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- what it says ---------------------------------------------------------------------------- */

static void test_lines(void **state)
{
    static const struct {
        struct loom_progress_view view;
        const char *line;
    } cases[] = {
        {{"reading", "jobs", 50, 100, 10.0, 80},
         "reading  [===============>              ]   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 0, 100, 0.0, 80},
         "reading  [>                             ]    0%  0 jobs/s  -:-- left"},
        {{"reading", "jobs", 100, 100, 10.0, 80},
         "reading  [==============================]  100%  10 jobs/s  0:00 left"},
        /* More than was announced is still all of it. */
        {{"reading", "jobs", 150, 100, 10.0, 80},
         "reading  [==============================]  100%  15 jobs/s  0:00 left"},
        /* 100% is kept for the end. */
        {{"reading", "jobs", 999999, 1000000, 1.0, 80},
         "reading  [=============================>]   99%  1.0 M jobs/s  0:01 left"},
        {{"reading", "jobs", 3600000, 10000000, 3.0, 80},
         "reading  [==========>                   ]   36%  1.2 M jobs/s  0:06 left"},
        {{"x", "B", 1500000, 3000000, 1.0, 80},
         "x  [===============>              ]   50%  1.5 MB/s  0:01 left"},
        {{"", "jobs", 50, 100, 10.0, 80},
         "[===============>              ]   50%  5 jobs/s  0:10 left"},
        /* Total unknown: how much, how fast, for how long. */
        {{"reading", "jobs", 3400000, 0, 3.0, 80}, "reading  3.4 M jobs  1.1 M jobs/s  0:03"},
        {{"reading", "jobs", 0, 0, 0.0, 80}, "reading  0 jobs  0 jobs/s  0:00"},
        {{"reading", "B", 7, 0, 2.0, 80}, "reading  7 B  3.5 B/s  0:02"},
        /* Columns: 0 means 80; the bar shrinks, goes, and then the label is cut. */
        {{"reading", "jobs", 50, 100, 10.0, 0},
         "reading  [===============>              ]   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 50},
         "reading  [=====>     ]   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 44}, "reading  [==>  ]   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 43}, "reading   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 35}, "reading   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 32}, "read   50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 28}, " 50%  5 jobs/s  0:10 left"},
        {{"reading", "jobs", 50, 100, 10.0, 16}, " 50%  5 jobs/s "},
        {{"reading", "jobs", 50, 100, 10.0, 2}, " "},
        {{"reading", "jobs", 50, 100, 10.0, 1}, ""},
        /* Labels are text from outside, such as a file's name. */
        {{"Zürich", "jobs", 50, 100, 10.0, 31}, "Zür   50%  5 jobs/s  0:10 left"},
        {{"a\033[2J\n\177\xc2\x9b\xff\xc3", "jobs", 1, 0, 1.0, 80},
         "a?[2J??\?\?\?\?  1 jobs  1 jobs/s  0:01"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[512];
        size_t length = loom_progress_format(&cases[i].view, line, sizeof line);
        assert_string_equal(line, cases[i].line);
        assert_int_equal(length, strlen(cases[i].line));
    }
}

static void test_amounts(void **state)
{
    static const struct {
        uint64_t done;
        const char *text;
    } cases[] = {
        {9, "9 jobs"},
        {999, "999 jobs"},
        {1000, "1.0 k jobs"},
        {1234, "1.2 k jobs"},
        {9949, "9.9 k jobs"},
        {9950, "10 k jobs"},
        {123456, "123 k jobs"},
        {999499, "999 k jobs"},
        {999500, "1.0 M jobs"},
        {UINT64_C(1234567890), "1.2 G jobs"},
        {UINT64_C(5000000000000), "5.0 T jobs"},
        {UINT64_C(7000000000000000), "7.0 P jobs"},
        {UINT64_MAX, "18 E jobs"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[512], expected[512];
        struct loom_progress_view view = {"", "jobs", cases[i].done, 0, 1.0, 80};
        snprintf(expected, sizeof expected, "%s  %s/s  0:01", cases[i].text, cases[i].text);
        loom_progress_format(&view, line, sizeof line);
        assert_string_equal(line, expected);
    }
}

static void test_times(void **state)
{
    static const struct {
        double elapsed_s;
        const char *text;
    } cases[] = {
        {0.99, "0:00"},      {59.9, "0:59"},    {60, "1:00"},
        {3599, "59:59"},     {3600, "1:00:00"}, {7384, "2:03:04"},
        {86399, "23:59:59"}, {86400, "1d 00h"}, {5 * 86400 + 6 * 3600 + 59, "5d 06h"},
        {1e9, "-:--"},       {1e300, "-:--"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[512], expected[64];
        struct loom_progress_view view = {"", "jobs", 0, 0, cases[i].elapsed_s, 80};
        snprintf(expected, sizeof expected, "0 jobs  0 jobs/s  %s", cases[i].text);
        loom_progress_format(&view, line, sizeof line);
        assert_string_equal(line, expected);
    }
}

/* A buffer that is too small gets the beginning, in whole characters. */
static void test_small_buffers(void **state)
{
    static const char full[] = "Zürich  0 jobs  0 jobs/s  0:00";
    struct loom_progress_view view = {"Zürich", "jobs", 0, 0, 0.0, 80};
    (void)state;
    assert_int_equal(loom_progress_format(&view, NULL, 0), 0);
    for (size_t size = 1; size <= sizeof full; size++) {
        char *line = malloc(size);
        assert_non_null(line);
        size_t expected = size == 3 ? 1 : size - 1; /* "ü" takes bytes 1 and 2 */
        assert_int_equal(loom_progress_format(&view, line, size), expected);
        assert_memory_equal(line, full, expected);
        assert_int_equal(line[expected], '\0');
        free(line);
    }
}

/* Whatever the terminal's width, the line is shorter. */
static void test_never_wider_than_the_terminal(void **state)
{
    (void)state;
    for (unsigned columns = 1; columns <= 250; columns++) {
        for (unsigned label = 0; label <= 60; label += 4) {
            char name[64] = "", line[2048];
            memset(name, 'n', label);
            struct loom_progress_view view = {name, "jobs", label, label % 3 * 40, 5.0, columns};
            assert_true(loom_progress_format(&view, line, sizeof line) < columns);
        }
    }
}

/* ---- when it is drawn ------------------------------------------------------------------------ */

static void sleep_ms(long ms)
{
    struct timespec span = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    nanosleep(&span, NULL);
}

static int add_some(void *context, size_t index, unsigned worker, struct loom_error *err)
{
    (void)index;
    (void)worker;
    (void)err;
    loom_progress_add(context, 1);
    return 0;
}

/* The work of the child: its progress goes to the terminal on stderr. */
typedef void work_fn(void);

static void long_work(void)
{
    struct loom_progress *progress = loom_progress_create("reading", "jobs", 100, false);
    for (int i = 0; i < 50; i++) {
        loom_progress_add(progress, 1);
        sleep_ms(5);
    }
    loom_progress_add(progress, 0);
    loom_progress_destroy(progress);
}

static void short_work(void)
{
    struct loom_progress *progress = loom_progress_create("reading", "jobs", 100, false);
    loom_progress_add(progress, 50);
    loom_progress_destroy(progress);
}

static void quiet_work(void)
{
    struct loom_progress *progress = loom_progress_create("reading", "jobs", 100, true);
    sleep_ms(120);
    loom_progress_add(progress, 50);
    loom_progress_destroy(progress);
}

static void dumb_work(void)
{
    setenv("TERM", "dumb", 1);
    struct loom_progress *progress = loom_progress_create("reading", "jobs", 100, false);
    sleep_ms(120);
    loom_progress_add(progress, 50);
    loom_progress_destroy(progress);
}

/* A receiver of the caller's own. */
struct counter {
    struct loom_progress progress;
    uint64_t calls, sum;
};

static void receive(struct loom_progress *progress, uint64_t amount)
{
    struct counter *counter = (struct counter *)progress;
    counter->calls++;
    counter->sum += amount;
}

static void test_own_receiver(void **state)
{
    struct counter counter = {.progress = {receive}};
    (void)state;
    loom_progress_add(&counter.progress, 5);
    loom_progress_add(&counter.progress, 7);
    loom_progress_add(NULL, 7);
    assert_int_equal(counter.calls, 2);
    assert_int_equal(counter.sum, 12);
}

static void threaded_work(void)
{
    struct loom_pool *pool = NULL;
    struct loom_progress *progress = loom_progress_create("reading", "jobs", 20001, false);
    if (loom_pool_create(&pool, 4, NULL) != 0)
        _exit(1);
    loom_pool_for(pool, 20000, add_some, progress, NULL);
    loom_pool_destroy(pool);
    sleep_ms(250);
    loom_progress_add(progress, 1); /* nothing was lost */
    loom_progress_destroy(progress);
}

static double now_ms(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* What work leaves on an 80-column terminal. Returns how long it took at most, in milliseconds. */
static double run_on_terminal(work_fn *work, char *text, size_t size)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        skip();
    struct winsize window = {.ws_row = 24, .ws_col = 80};
    char name[128];
    assert_int_equal(ptsname_r(master, name, sizeof name), 0);
    int slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (slave < 0)
        skip();
    assert_int_equal(ioctl(slave, TIOCSWINSZ, &window), 0);
    double start_ms = now_ms();
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("TERM", "xterm", 1);
        dup2(slave, STDERR_FILENO);
        work();
        _exit(0);
    }
    int status = 1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    double took_ms = now_ms() - start_ms;
    size_t used = 0;
    struct pollfd ready = {.fd = master, .events = POLLIN};
    while (used < size - 1 && poll(&ready, 1, 50) > 0 && ready.revents & POLLIN) {
        ssize_t got = read(master, text + used, size - 1 - used);
        assert_true(got > 0);
        used += (size_t)got;
    }
    text[used] = '\0';
    close(slave);
    close(master);
    return took_ms;
}

static size_t count(const char *text, const char *part)
{
    size_t n = 0;
    for (; (text = strstr(text, part)); text += strlen(part))
        n++;
    return n;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static void test_drawn_and_cleared(void **state)
{
    char text[4096];
    (void)state;
    double took_ms = run_on_terminal(long_work, text, sizeof text);
    assert_memory_equal(text, "\rreading  [", 11);
    assert_true(ends_with(text, " left\033[K\r\033[K"));
    assert_in_range(count(text, "reading"), 1, (uintmax_t)(took_ms / 100));
    assert_int_equal(count(text, "\033[K"), count(text, "reading") + 1);
    assert_int_equal(count(text, "\n"), 0);
}

static void test_short_and_quiet_work_draw_nothing(void **state)
{
    char text[4096];
    (void)state;
    run_on_terminal(short_work, text, sizeof text);
    assert_string_equal(text, "");
    run_on_terminal(quiet_work, text, sizeof text);
    assert_string_equal(text, "");
    run_on_terminal(dumb_work, text, sizeof text);
    assert_string_equal(text, "");
}

static void test_threads_lose_nothing(void **state)
{
    char text[8192];
    (void)state;
    run_on_terminal(threaded_work, text, sizeof text);
    assert_true(count(text, "100%") == 1);
    assert_true(ends_with(text, "0:00 left\033[K\r\033[K"));
}

static void test_no_terminal_no_progress(void **state)
{
    (void)state;
    int saved = dup(STDERR_FILENO);
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    assert_true(saved >= 0 && null >= 0);
    dup2(null, STDERR_FILENO);
    struct loom_progress *progress = loom_progress_create("reading", "jobs", 100, false);
    dup2(saved, STDERR_FILENO);
    close(saved);
    close(null);
    assert_null(progress);
    loom_progress_add(progress, 1);
    loom_progress_destroy(progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_amounts),
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_small_buffers),
        cmocka_unit_test(test_never_wider_than_the_terminal),
        cmocka_unit_test(test_own_receiver),
        cmocka_unit_test(test_drawn_and_cleared),
        cmocka_unit_test(test_short_and_quiet_work_draw_nothing),
        cmocka_unit_test(test_threads_lose_nothing),
        cmocka_unit_test(test_no_terminal_no_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
