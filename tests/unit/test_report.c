/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports: text from outside is harmless, figures are drawn or say why not, files redraw as they
 * are, and the table of printed values fits the dictionary. What needs gnuplot is skipped where
 * there is none.
 */
#include "csv_table.h"

#include "report/report.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- logs ------------------------------------------------------------------------------------ */

/* A word that is nowhere but in the log. */
#define MARK "Zyxwvut"

static void add_text(struct loom_trace *trace, const char *key, const char *value)
{
    struct loom_error err = {0};
    if (loom_trace_add_directive(trace, key, value, &err))
        fail_msg("%s", err.message);
}

static struct loom_trace *hostile_header(void)
{
    struct loom_trace *trace = empty_trace();
    add_text(trace, "Computer", "<script>alert('" MARK "')</script>");
    add_text(trace, "Installation", MARK "\" onload=\"x\" & <b>");
    add_text(trace, "Acknowledge", "bad \xff\xfe utf \xc3" MARK);
    add_text(trace, "Note", "'; system('touch " MARK "'); set output '" MARK);
    add_text(trace, "UnixStartTime", "843500000");
    add_text(trace, "MaxProcs", "64");
    return trace;
}

/* Some weeks of jobs of a few users, in bursts, with names that are no good. */
static struct loom_trace *busy_log(size_t n)
{
    struct loom_trace *trace = hostile_header();
    struct loom_stream stream;
    struct loom_error err = {0};
    loom_stream_init(&stream, 7, 0, "report");
    int64_t submit_s = 0;
    if (loom_trace_set_name(trace, LOOM_USER, 3, "`" MARK "`<i>", &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        submit_s += (int64_t)(-log(1 - loom_stream_uniform(&stream)) * (i % 9 == 0 ? 4000 : 12));
        job.submit_s = submit_s;
        job.wait_s = (int64_t)loom_stream_below(&stream, 500);
        job.run_s = (int64_t)exp(loom_stream_uniform(&stream) * 11);
        job.req_procs = 1 << i / 9 % 6;
        job.request_s = (int64_t)(1 + i / 9 % 3) * 40000;
        job.user = (int32_t)(i / 9 % 5);
        job.group = job.queue = job.partition = 1;
        job.status = LOOM_STATUS_COMPLETED;
        append(trace, job);
    }
    return trace;
}

static struct loom_trace *equal_log(size_t n)
{
    struct loom_trace *trace = hostile_header();
    for (size_t i = 0; i < n; i++) {
        struct loom_job job = loom_job_unknown();
        job.submit_s = (int64_t)i * 100;
        job.run_s = 60;
        job.wait_s = 0;
        job.req_procs = 4;
        job.user = 1;
        append(trace, job);
    }
    return trace;
}

/* ---- reports --------------------------------------------------------------------------------- */

struct made {
    struct scratch scratch;
    struct loom_trace *trace;
    struct loom_features *features;
    struct loom_report *report;
};

static void make(struct made *made, struct loom_trace *trace, struct loom_pool *pool)
{
    struct loom_error err = {0};
    made->trace = trace;
    made->features = NULL;
    made->report = NULL;
    assert_int_equal(scratch_open(&made->scratch, "report.html"), 0);
    if (loom_features_create(&made->features, trace, pool, NULL, &err) ||
        loom_report_create(&made->report, trace, made->features, pool, &err))
        fail_msg("%s", err.message);
}

static void unmake(struct made *made)
{
    loom_report_destroy(made->report);
    loom_features_destroy(made->features);
    loom_trace_destroy(made->trace);
    assert_int_equal(scratch_close(&made->scratch), 0);
}

static char *page_of(struct made *made)
{
    struct loom_error err = {0};
    if (loom_report_html(made->report, made->scratch.file, "workloom <analyze>", "ran", &err))
        fail_msg("%s", err.message);
    return load(made->scratch.file);
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void test_hostile_page(void **state)
{
    struct made made;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(4000), NULL);
    char *page = page_of(&made);
    assert_null(strstr(page, "<script"));
    assert_null(strstr(page, "<b>"));
    assert_null(strstr(page, "<i>"));
    assert_null(strstr(page, "<analyze>"));
    assert_null(strstr(page, "\" onload"));
    assert_null(strchr(page, '\xff'));
    assert_null(strstr(page, "\xc3" MARK));
    assert_non_null(strstr(page, "<h1>Workload of &lt;script&gt;alert(&#39;" MARK
                                 "&#39;)&lt;/script&gt;</h1>"));
    assert_non_null(strstr(page, "bad \xef\xbf\xbd\xef\xbf\xbd utf \xef\xbf\xbd" MARK));
    assert_non_null(strstr(page, "workloom &lt;analyze&gt;"));
    /* Long tables are folded, and each cell names its column. */
    assert_non_null(strstr(page, " features</summary>\n<div class=\"scroll\""));
    assert_non_null(strstr(page, "<td class=\"value\" data-label=\"Value\">4,000</td>"
                                 "<td class=\"unit\" data-label=\"Unit\">jobs</td>"));
    assert_non_null(strstr(page, "data-label=\"Source\">Minh 2012, 3.1</td>"));
    struct loom_figure figure;
    for (size_t i = 0; loom_report_figure(made.report, i, &figure); i++) {
        char id[96];
        snprintf(id, sizeof id, "<%s id=\"%s\"", figure.table ? "div" : "figure", figure.name);
        /* The log has no executables. */
        if (strcmp(figure.name, "applications") == 0)
            continue;
        if (figure.reason)
            fail_msg("%s is left out: %s", figure.name, figure.reason);
        assert_non_null(strstr(page, id));
    }
    free(page);
    unmake(&made);
}

/* Every figure is on the page, or is named there with its reason; returns how many are left out. */
static size_t count_absent(struct loom_trace *trace)
{
    struct made made;
    struct loom_figure figure;
    size_t absent = 0;
    make(&made, trace, NULL);
    char *page = page_of(&made);
    for (size_t i = 0; loom_report_figure(made.report, i, &figure); i++) {
        char id[96];
        snprintf(id, sizeof id, "<%s id=\"%s\"", figure.table ? "div" : "figure", figure.name);
        assert_true((strstr(page, id) != NULL) == (figure.reason == NULL));
        if (!figure.reason)
            continue;
        absent++;
        assert_true(strlen(figure.reason) > 5);
        assert_non_null(strstr(page, figure.title));
    }
    assert_null(strstr(page, "nan"));
    assert_non_null(strstr(page, "</html>"));
    free(page);
    unmake(&made);
    return absent;
}

static void test_small_logs(void **state)
{
    struct made made;
    struct loom_figure figure;
    size_t all = 0;
    (void)state;
    need_gnuplot();
    make(&made, hostile_header(), NULL);
    while (loom_report_figure(made.report, all, &figure))
        all++;
    unmake(&made);
    assert_int_equal(count_absent(hostile_header()), all);
    assert_int_equal(count_absent(empty_trace()), all);
    assert_int_equal(count_absent(equal_log(1)), all - 15);
    assert_true(count_absent(equal_log(300)) >= 8);
    assert_int_equal(count_absent(busy_log(4000)), 1); /* no executables, so no applications */
}

static void test_threads(void **state)
{
    char *pages[2];
    (void)state;
    need_gnuplot();
    for (unsigned threads = 1; threads <= 2; threads++) {
        struct made made;
        struct loom_pool *pool = NULL;
        assert_int_equal(loom_pool_create(&pool, threads, NULL), 0);
        make(&made, busy_log(800), pool);
        pages[threads - 1] = page_of(&made);
        unmake(&made);
        loom_pool_destroy(pool);
    }
    if (strcmp(pages[0], pages[1]) != 0)
        fail_msg("pages differ with the number of threads");
    free(pages[0]);
    free(pages[1]);
}

/* ---- files ----------------------------------------------------------------------------------- */

static void test_files(void **state)
{
    static const char *const suffixes[] = {"gp", "csv", "svg"};
    struct made made;
    struct loom_error err = {0};
    struct loom_figure figure;
    char command[512];
    (void)state;
    need_gnuplot();
    make(&made, busy_log(4000), NULL);
    const char *directory = made.scratch.directory;
    if (loom_report_figures(made.report, directory, "svg", &err))
        fail_msg("%s", err.message);
    for (size_t i = 0; loom_report_figure(made.report, i, &figure); i++) {
        if (figure.table)
            continue;
        for (size_t k = 0; k < COUNT(suffixes); k++) {
            char *text = load_in(directory, figure.name, suffixes[k]);
            if (strstr(text, MARK))
                fail_msg("%s.%s has text of the log", figure.name, suffixes[k]);
            if (strcmp(suffixes[k], "csv") == 0)
                check_csv(figure.name, text);
            free(text);
        }
        char *drawn = load_in(directory, figure.name, "svg");
        snprintf(command, sizeof command,
                 "cd '%s' && rm %s.svg %s.csv && gnuplot -d %s.gp 2>/dev/null", directory,
                 figure.name, figure.name, figure.name);
        assert_int_equal(system(command), 0);
        char *redrawn = load_in(directory, figure.name, "svg");
        loom_svg_tidy(redrawn);
        if (strcmp(redrawn, drawn) != 0)
            fail_msg("%s.gp draws something else", figure.name);
        free(drawn);
        free(redrawn);
    }
    assert_int_equal(access(MARK, F_OK), -1);
    unmake(&made);
}

/* Data are tables whatever the log is. */
static void test_tables(void **state)
{
    struct loom_trace *const logs[] = {empty_trace(),  hostile_header(), equal_log(1), equal_log(3),
                                       equal_log(300), busy_log(20),     busy_log(800)};
    size_t tables = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(logs); i++) {
        struct made made;
        make(&made, logs[i], NULL);
        for (size_t k = 0; k < made.report->n; k++) {
            const struct loom_drawing *drawing = &made.report->drawings[k];
            assert_int_equal(drawing->data != NULL, drawing->table != NULL);
            if (!drawing->table)
                continue;
            check_csv_cells(drawing->ops->name, drawing->table, !drawing->ops->script);
            /* Tables of classes carry names of the log; they are never drawn. */
            if (drawing->ops->script || strncmp(drawing->ops->name, "service-", 8) != 0)
                assert_null(strstr(drawing->table, MARK));
            tables++;
        }
        unmake(&made);
    }
    assert_true(tables > 30);
}

/* Stands before the C library's: with raised set, a signal comes as soon as there is a directory.
 */
static int raised;

int mkdir(const char *path, mode_t mode)
{
    int rc = mkdirat(AT_FDCWD, path, mode);
    if (raised)
        raise(raised);
    return rc;
}

static void abandon_and_exit(int number)
{
    loom_output_abandon_all();
    _exit(number);
}

/* What was there before stays, what was made goes. */
static void test_interrupted(void **state)
{
    struct made made;
    char path[256];
    (void)state;
    need_gnuplot();
    make(&made, equal_log(300), NULL);
    snprintf(path, sizeof path, "%s/figures", made.scratch.directory);
    for (int there = 0; there < 2; there++) {
        assert_true(!there || mkdir(path, 0777) == 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            signal(SIGTERM, abandon_and_exit);
            raised = SIGTERM;
            loom_report_figures(made.report, path, "svg", NULL);
            _exit(0); /* too late: the signal has ended it */
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), SIGTERM);
        assert_int_equal(access(path, F_OK), there ? 0 : -1);
    }
    assert_int_equal(rmdir(path), 0);
    unmake(&made);
}

static void test_formats(void **state)
{
    static const struct {
        const char *format, *start;
    } cases[] = {{"pdf", "%PDF"}, {"png", "\x89PNG"}};
    struct made made;
    struct loom_error err = {0};
    (void)state;
    need_gnuplot();
    make(&made, equal_log(300), NULL);
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (loom_report_figures(made.report, made.scratch.directory, cases[i].format, &err))
            fail_msg("%s", err.message);
        char *image = load_in(made.scratch.directory, "arrivals-hour", cases[i].format);
        assert_memory_equal(image, cases[i].start, 4);
        free(image);
    }
    assert_int_equal(loom_report_figures(made.report, made.scratch.directory, "gif", &err),
                     LOOM_EUSAGE);
    assert_string_equal(err.message, "there is no image format 'gif', only svg, pdf and png");
    unmake(&made);
}

static void test_no_gnuplot(void **state)
{
    struct made made;
    struct loom_error err = {0};
    (void)state;
    make(&made, equal_log(300), NULL);
    char *path = strdup(getenv("PATH"));
    assert_non_null(path);
    setenv("PATH", made.scratch.directory, 1);
    int rc = loom_report_html(made.report, made.scratch.file, NULL, NULL, &err);
    setenv("PATH", path, 1);
    free(path);
    assert_int_equal(rc, LOOM_EIO);
    assert_string_equal(err.message,
                        "figures are drawn by gnuplot, which is not on the PATH; install "
                        "it (on Debian, the package gnuplot-nox)");
    assert_int_equal(access(made.scratch.file, F_OK), -1);
    unmake(&made);
}

/* Put a script in place of gnuplot, in front of the PATH, which the caller must set back by
 * restore(). */
static char *replace_gnuplot(const struct made *made, const char *script)
{
    char fake[128], front[4096];
    char *path = strdup(getenv("PATH"));
    assert_non_null(path);
    snprintf(fake, sizeof fake, "%s/gnuplot", made->scratch.directory);
    store_text(fake, script);
    assert_int_equal(chmod(fake, 0755), 0);
    snprintf(front, sizeof front, "%s:%s", made->scratch.directory, path);
    setenv("PATH", front, 1);
    return path;
}

static void restore(char *path)
{
    setenv("PATH", path, 1);
    free(path);
}

/* A gnuplot that fails at all figures: the page has its last line in place of each. */
static void test_failing_gnuplot(void **state)
{
    struct made made;
    struct loom_figure figure;
    (void)state;
    make(&made, equal_log(300), NULL);
    char *path = replace_gnuplot(&made, "#!/bin/sh\necho first >&2\n"
                                        "echo 'line 3: it <broke>' >&2\nexit 1\n");
    char *page = page_of(&made);
    restore(path);
    assert_null(strstr(page, "<figure"));
    assert_non_null(strstr(page, "is left out: gnuplot could not draw it: "
                                 "line 3: it &lt;broke&gt;.</p>"));
    for (size_t i = 0; loom_report_figure(made.report, i, &figure); i++)
        if (!figure.reason && !figure.table)
            assert_string_equal(figure.failure, "gnuplot could not draw it: line 3: it <broke>");
    free(page);
    unmake(&made);
}

static bool has_file(const struct made *made, const char *name, const char *suffix)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s.%s", made->scratch.directory, name, suffix);
    return access(path, F_OK) == 0;
}

/* A gnuplot that crashes at one figure: it is named with the signal, and the others are drawn. */
static void test_crashing_gnuplot(void **state)
{
    struct made made;
    struct loom_figure figure;
    struct loom_error err = {0};
    size_t failures = 0;
    (void)state;
    need_gnuplot();
    make(&made, busy_log(800), NULL);
    char *path = replace_gnuplot(&made, "#!/bin/sh\nPATH=${PATH#*:}\n"
                                        "grep -q 'tail index' \"$2\" && kill -SEGV $$\n"
                                        "exec gnuplot \"$@\"\n");
    char *page = page_of(&made);
    if (loom_report_figures(made.report, made.scratch.directory, "svg", &err))
        fail_msg("%s", err.message);
    restore(path);
    for (size_t i = 0; loom_report_figure(made.report, i, &figure); i++) {
        bool broken = strcmp(figure.name, "hill") == 0;
        failures += figure.failure != NULL;
        assert_int_equal(broken, figure.failure != NULL);
        if (figure.reason)
            continue;
        assert_true(has_file(&made, figure.name, "csv"));
        assert_int_equal(figure.table, !has_file(&made, figure.name, "gp"));
        assert_int_equal(broken || figure.table, !has_file(&made, figure.name, "svg"));
        if (broken)
            assert_string_equal(figure.failure,
                                "gnuplot crashed: signal 11, SIGSEGV (Segmentation fault)");
    }
    assert_int_equal(failures, 1);
    assert_null(strstr(page, "<figure id=\"hill\""));
    assert_non_null(strstr(page, "<figure id=\"mass-count\""));
    assert_non_null(strstr(page, "Hill plot\xE2\x80\x9D is left out: gnuplot crashed: signal 11"));
    free(page);
    unmake(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hostile_page),    cmocka_unit_test(test_small_logs),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_files),
        cmocka_unit_test(test_tables),          cmocka_unit_test(test_formats),
        cmocka_unit_test(test_interrupted),     cmocka_unit_test(test_no_gnuplot),
        cmocka_unit_test(test_failing_gnuplot), cmocka_unit_test(test_crashing_gnuplot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
