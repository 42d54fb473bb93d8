/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages and figures of comparisons, and the ranking of models. What needs gnuplot is skipped where
 * there is none. */
#include "csv_table.h"

#include "report/report.h"

#include <workloom/experiment_ranking.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ten weeks of jobs in sessions of users; slower are the runtimes of the second of two logs. */
static struct loom_trace *log_of(int64_t slower, bool users)
{
    struct loom_trace *trace = empty_trace();
    struct loom_stream stream;
    loom_stream_init(&stream, 9, (uint64_t)slower, "test_contrast");
    int64_t submit_s = 0;
    for (int i = 0; i < 600; i++) {
        struct loom_job job = loom_job_unknown();
        submit_s += (int64_t)loom_stream_below(&stream, i % 4 ? 60 : 80000);
        job.number = i + 1;
        job.submit_s = submit_s;
        job.wait_s = 0;
        job.run_s = slower * (int64_t)(1 + loom_stream_below(&stream, 5000));
        job.alloc_procs = job.req_procs = 1 << loom_stream_below(&stream, 4);
        job.request_s = 6000 * slower;
        job.user = users ? i / 4 % 7 : -1;
        append(trace, job);
    }
    assert_int_equal(loom_trace_set_directive(trace, "UnixStartTime", "1046646000", NULL), 0);
    assert_int_equal(loom_trace_set_directive(trace, "MaxProcs", "8", NULL), 0);
    return trace;
}

/* ---- a page of two traces -------------------------------------------------------------------- */

struct made {
    struct scratch scratch;
    struct loom_trace *a, *b;
    struct loom_reference *reference;
    struct loom_comparison *comparison;
    struct loom_scorecard *card;
    struct loom_report *report;
};

static void make(struct made *made, struct loom_trace *a, struct loom_trace *b)
{
    struct loom_reference_options options = {.resamples = 5};
    *made = (struct made){.a = a, .b = b};
    assert_int_equal(scratch_open(&made->scratch, "page.html"), 0);
    assert_int_equal(loom_reference_create(&made->reference, a, &options, NULL, NULL, NULL), 0);
    assert_int_equal(loom_comparison_create(&made->comparison, made->reference, b, NULL, NULL,
                                            NULL),
                     0);
    assert_int_equal(loom_scorecard_create(&made->card, made->reference, &made->comparison, 1,
                                           NULL),
                     0);
    struct loom_side sides[] = {
        {"A", a, loom_reference_features(made->reference)},
        {"B", b, loom_comparison_features(made->comparison)},
    };
    assert_int_equal(loom_report_contrast(&made->report, sides, COUNT(sides), NULL, NULL), 0);
}

static void unmake(struct made *made)
{
    loom_report_destroy(made->report);
    loom_scorecard_destroy(made->card);
    loom_comparison_destroy(made->comparison);
    loom_reference_destroy(made->reference);
    loom_trace_destroy(made->a);
    loom_trace_destroy(made->b);
    scratch_close(&made->scratch);
}

static char *written(struct made *made, const struct loom_contrast_page *page)
{
    struct loom_error err = {0};
    if (loom_report_contrast_html(made->report, made->scratch.file, page, &err))
        fail_msg("%s", err.message);
    return load(made->scratch.file);
}

static char *page_of(struct made *made)
{
    const struct loom_trace *b = made->b;
    struct loom_contestant contestant = {"B", made->card};
    struct loom_contrast_page page = {
        .command = "workloom compare <a> b",
        .select = "ran",
        .blocks = loom_reference_blocks(made->reference),
        .reference = made->a,
        .traces = &b,
        .n_traces = 1,
        .contestants = &contestant,
        .n = 1,
    };
    return written(made, &page);
}

static void assert_contains(const char *page, const char *text)
{
    if (!strstr(page, text))
        fail_msg("the page lacks: %s", text);
}

static void test_page(void **state)
{
    (void)state;
    need_gnuplot();
    struct made made;
    make(&made, log_of(1, true), log_of(3, true));
    char *page = page_of(&made), text[96];
    const struct loom_part_info *part;
    for (size_t i = 0; (part = loom_part_at(i)); i++) {
        snprintf(text, sizeof text, "<section id=\"%s\">", part->name);
        assert_contains(page, text);
    }
    const struct loom_compared *line;
    for (size_t i = 0; (line = loom_scorecard_line(made.card, i)); i++) {
        snprintf(text, sizeof text, "<tr id=\"%s-%s\">", line->distribution ? "d" : "f",
                 line->info->key);
        assert_contains(page, text);
    }
    assert_contains(page, "workloom compare &lt;a&gt; b");
    assert_contains(page, "<figure id=\"interarrival-ccdf\">");
    /* Times of a row are in one unit, which has a column of its own. */
    const char *row = strstr(page, "<tr id=\"f-runtime.mean_s\">");
    assert_non_null(row);
    const char *unit = strstr(row, "data-label=\"Unit\">min</td><td class=\"number first\"");
    assert_true(unit && unit < strstr(row, "</tr>"));
    assert_null(strstr(page, "nan"));
    free(page);
    unmake(&made);
}

/* What a trace lacks counts in the number that stands first. */
static void test_overall_comes_first(void **state)
{
    (void)state;
    need_gnuplot();
    struct made made;
    make(&made, log_of(1, true), log_of(3, false));
    double overall = loom_scorecard_overall(made.card).mean;
    double score = loom_scorecard_score(made.card).mean;
    assert_true(score - overall > 0.05);
    char *page = page_of(&made), text[96];
    snprintf(text, sizeof text, "<p class=\"score\">%.2f", overall);
    assert_contains(page, text);
    snprintf(text, sizeof text, "%.2f of what both know (coverage %.2f)", score,
             loom_scorecard_coverage(made.card));
    assert_contains(page, text);
    free(page);
    unmake(&made);
}

/* A trace of unknown users has no line in their figures, and those are left out. */
static void test_figures_left_out(void **state)
{
    (void)state;
    struct made made;
    struct loom_figure figure;
    size_t left_out = 0, n = 0;
    make(&made, log_of(1, true), log_of(1, false));
    for (; loom_report_figure(made.report, n, &figure); n++)
        if (figure.reason) {
            assert_string_equal(figure.reason, "only the reference has data for it");
            assert_true(strncmp(figure.name, "user-", 5) == 0 ||
                        strncmp(figure.name, "bag-", 4) == 0);
            left_out++;
        }
    assert_int_equal(n, 25);
    assert_int_equal(left_out, 9);
    unmake(&made);
}

/* Data are tables, also where a trace lacks what a figure shows. */
static void test_tables(void **state)
{
    (void)state;
    for (int users = 0; users < 2; users++) {
        struct made made;
        size_t tables = 0;
        make(&made, log_of(1, true), log_of(3, users));
        for (size_t i = 0; i < made.report->n; i++)
            if (made.report->drawings[i].table) {
                const char *table = made.report->drawings[i].table;
                check_csv(made.report->drawings[i].ops->name, table);
                assert_ptr_equal(strstr(table, "series,"), table);
                assert_true(strstr(table, "\nA,") && strstr(table, "\nB,"));
                tables++;
            }
        assert_int_equal(tables, users ? 25 : 16);
        unmake(&made);
    }
}

/* Traces of one label are series of their own, a label is quoted, and a trace that lacks what a
 * figure shows is not in the table. */
static void test_series(void **state)
{
    (void)state;
    struct loom_trace *known = log_of(1, true), *unknown = log_of(1, false);
    struct loom_features *features = NULL, *none = NULL;
    struct loom_report *report = NULL;
    assert_int_equal(loom_features_create(&features, known, NULL, NULL, NULL), 0);
    assert_int_equal(loom_features_create(&none, unknown, NULL, NULL, NULL), 0);
    struct loom_side sides[] = {{"A", known, features},
                                {"B", known, features},
                                {"B", unknown, none},
                                {"B", known, features},
                                {"#,\t\"", known, features}};
    assert_int_equal(loom_report_contrast(&report, sides, COUNT(sides), NULL, NULL), 0);
    size_t i = 0;
    while (strcmp(report->drawings[i].ops->name, "user-jobs") != 0)
        i++;
    const struct loom_drawing *drawing = &report->drawings[i];
    check_csv("user-jobs", drawing->table);
    assert_ptr_equal(strstr(drawing->table, "series,user_jobs,share\nA,"), drawing->table);
    assert_non_null(strstr(drawing->table, "\nB,"));
    assert_null(strstr(drawing->table, "B 2"));
    assert_non_null(strstr(drawing->table, "\nB 3,"));
    assert_non_null(strstr(drawing->table, "\n\"#,  \","));
    assert_non_null(strstr(drawing->data, "\n\n\nseries\tB 2 (not known)\nNaN\tNaN\n"));
    loom_report_destroy(report);
    loom_features_destroy(features);
    loom_features_destroy(none);
    loom_trace_destroy(known);
    loom_trace_destroy(unknown);
}

static void test_equal_traces_on_a_page(void **state)
{
    (void)state;
    need_gnuplot();
    struct made made;
    make(&made, log_of(1, true), log_of(1, true));
    char *page = page_of(&made);
    assert_contains(page, "<p class=\"score\">1.00 ");
    assert_contains(page, "equal.");
    assert_null(strstr(page, "Furthest off"));
    free(page);
    unmake(&made);
}

/* ---- the ranking ----------------------------------------------------------------------------- */

/* Candidates by their texts; two at most. */
struct field {
    struct loom_candidate list[2];
    struct loom_params *params[2];
    size_t n;
};

static struct field field_of(const char *one, const char *other)
{
    struct field field = {0};
    const char *const texts[] = {one, other};
    for (; field.n < 2; field.n++) {
        struct loom_candidate *to = &field.list[field.n];
        to->label = texts[field.n];
        assert_int_equal(loom_model_parse(&to->info, &field.params[field.n], to->label, NULL), 0);
        to->params = field.params[field.n];
    }
    return field;
}

static void free_field(struct field *field)
{
    for (size_t i = 0; i < field->n; i++)
        loom_params_destroy(field->params[i]);
}

static struct loom_ranking *rank(struct loom_reference *reference, const struct loom_trace *trace,
                                 const struct field *field, struct loom_pool *pool)
{
    struct loom_ranking_options options = {.candidates = field->list,
                                           .n = field->n,
                                           .replications = 3,
                                           .seed = 1};
    struct loom_ranking *ranking = NULL;
    struct loom_error err = {0};
    if (loom_ranking_create(&ranking, reference, trace, &options, pool, NULL, &err))
        fail_msg("%s", err.message);
    return ranking;
}

/* Jobs drawn whole are nearer than uniform ones, in whatever order they are named and with any
 * number of threads. */
static void test_ranking(void **state)
{
    (void)state;
    struct loom_trace *trace = log_of(1, true), *generated = NULL;
    struct loom_reference_options options = {.resamples = 5};
    struct loom_reference *reference = NULL;
    struct loom_pool *pool = NULL;
    assert_int_equal(loom_pool_create(&pool, 3, NULL), 0);
    assert_int_equal(loom_reference_create(&reference, trace, &options, NULL, NULL, NULL), 0);
    struct field one = field_of("uniform:arrivals=poisson", "bootstrap");
    struct field other = field_of("bootstrap", "uniform:arrivals=poisson");
    struct loom_ranking *first = rank(reference, trace, &one, NULL);
    struct loom_ranking *second = rank(reference, trace, &other, pool);
    struct loom_ranking_entry a, b;
    for (size_t i = 0; i < 2; i++) {
        assert_true(loom_ranking_at(first, i, &a) && loom_ranking_at(second, i, &b));
        assert_string_equal(a.label, other.list[i].label);
        assert_ptr_equal(a.info, other.list[i].info);
        assert_ptr_equal(a.info, b.info);
        assert_true(a.overall.mean == b.overall.mean && a.overall.half == b.overall.half);
        assert_true(a.overall.mean == loom_scorecard_overall(a.card).mean);
        assert_int_equal(loom_scorecard_traces(a.card), 3);
    }
    assert_false(loom_ranking_at(first, 2, &a));
    assert_int_equal(loom_ranking_generate(&generated, first, 0, 0, NULL, NULL), 0);
    assert_int_equal(loom_trace_count(generated), loom_trace_count(trace));
    loom_trace_destroy(generated);
    loom_ranking_destroy(first);
    loom_ranking_destroy(second);
    free_field(&one);
    free_field(&other);
    loom_reference_destroy(reference);
    loom_pool_destroy(pool);
    loom_trace_destroy(trace);
}

/* The page of a ranking says how its workloads were made, and of which model a document is. */
static void test_ranking_on_a_page(void **state)
{
    (void)state;
    need_gnuplot();
    struct made made;
    make(&made, log_of(1, true), log_of(3, true));
    struct field field = field_of("uniform", "bootstrap");
    field.list[0].label = "mine.json";
    struct loom_ranking *ranking = rank(made.reference, made.a, &field, NULL);
    struct loom_ranking_entry best;
    assert_true(loom_ranking_at(ranking, 0, &best));
    struct loom_contestant contestant = {"bootstrap", best.card};
    struct loom_contrast_page page = {.blocks = loom_reference_blocks(made.reference),
                                      .reference = made.a,
                                      .contestants = &contestant,
                                      .n = 1,
                                      .ranking = ranking};
    char *text = written(&made, &page);
    assert_contains(text, "3 workloads of each model");
    assert_contains(text, "<p class=\"lead\"><strong>bootstrap</strong> is nearest to the log: "
                          "overall score ");
    assert_contains(text, " above the next, <strong>mine.json</strong>, at ");
    assert_contains(text, "by Welch's t over 3 replications of each). Its weakest part is <a ");
    assert_contains(text, "the load that the model gives by itself");
    assert_contains(text, "mine.json <span class=\"variant\">model: uniform</span>");
    assert_contains(text, "the log and the best model,");
    free(text);
    page.load = 0.75;
    text = written(&made, &page);
    assert_contains(text, "at an offered load of 0.75.");
    free(text);
    loom_ranking_destroy(ranking);
    free_field(&field);
    unmake(&made);
}

/* A model that cannot be fitted says why, and comes last. */
static void test_model_that_cannot_be_fitted(void **state)
{
    (void)state;
    struct loom_trace *trace = log_of(1, false), *unknown = empty_trace();
    for (size_t i = 0; i < loom_trace_count(trace); i++) {
        struct loom_job job = loom_trace_job(trace, i);
        job.run_s = -1;
        append(unknown, job);
    }
    struct loom_reference_options options = {.resamples = 5};
    struct loom_reference *reference = NULL;
    assert_int_equal(loom_reference_create(&reference, unknown, &options, NULL, NULL, NULL), 0);
    struct field field = field_of("uniform", "poisson");
    struct loom_ranking *ranking = rank(reference, unknown, &field, NULL);
    struct loom_ranking_entry entry;
    assert_true(loom_ranking_at(ranking, 0, &entry) && entry.card);
    assert_string_equal(entry.info->name, "poisson");
    assert_true(loom_ranking_at(ranking, 1, &entry) && !entry.card);
    assert_string_equal(entry.info->name, "uniform");
    assert_true(strlen(entry.reason) > 10);
    loom_ranking_destroy(ranking);
    free_field(&field);
    loom_reference_destroy(reference);
    loom_trace_destroy(trace);
    loom_trace_destroy(unknown);
}

/* A model that has its parameters is not fitted again. */
static void test_model_that_is_fitted_already(void **state)
{
    (void)state;
    struct loom_trace *trace = log_of(1, true), *other = log_of(2, true), *generated = NULL,
                      *own = NULL;
    struct loom_reference_options options = {.resamples = 5};
    struct loom_reference *reference = NULL;
    struct loom_model *model = NULL;
    assert_int_equal(loom_reference_create(&reference, trace, &options, NULL, NULL, NULL), 0);
    struct field field = field_of("uniform", "uniform");
    field.list[1].label = "other";
    assert_int_equal(loom_model_fit(&model, "uniform", other, field.params[1], NULL, NULL), 0);
    field.list[1].model = model;
    struct loom_ranking *ranking = rank(reference, trace, &field, NULL);
    struct loom_ranking_entry entry;
    size_t at = 0;
    while (loom_ranking_at(ranking, at, &entry) && strcmp(entry.label, "other") != 0)
        at++;
    assert_true(at < 2 && entry.card);
    struct loom_generate_options generation = {.seed = 1, .jobs = (int64_t)loom_trace_count(trace)};
    assert_int_equal(loom_ranking_generate(&generated, ranking, at, 0, NULL, NULL), 0);
    assert_int_equal(loom_model_generate(&own, model, &generation, NULL, NULL), 0);
    assert_same_jobs(generated, own);
    loom_trace_destroy(generated);
    loom_trace_destroy(own);
    loom_ranking_destroy(ranking);
    loom_model_destroy(model);
    free_field(&field);
    loom_reference_destroy(reference);
    loom_trace_destroy(trace);
    loom_trace_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_overall_comes_first),
        cmocka_unit_test(test_figures_left_out),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_equal_traces_on_a_page),
        cmocka_unit_test(test_ranking),
        cmocka_unit_test(test_ranking_on_a_page),
        cmocka_unit_test(test_model_that_cannot_be_fitted),
        cmocka_unit_test(test_model_that_is_fitted_already),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
