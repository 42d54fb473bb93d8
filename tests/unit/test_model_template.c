/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The model to copy is a good one: it publishes, generates, and finds its parameters again. It is
 * no part of the library, so it is compiled here and called as the room calls a model. */
#include "models/template.c"
#include "support.h"

#include <jansson.h>
#include <math.h>

enum { JOBS = 20000 };

static struct loom_params *defaults(void)
{
    const struct loom_param *const lists[] = {params, NULL};
    struct loom_params *made = NULL;
    assert_int_equal(loom_params_create(&made, lists, NULL), 0);
    return made;
}

static struct loom_generation generated(const struct template *template)
{
    struct loom_generation request = {
        .seed = 1, .jobs = JOBS, .horizon_s = INT64_MAX, .procs = 4, .log_procs = 4, .rate = 1};
    assert_int_equal(loom_model_template.generate(template, &request, NULL), 0);
    assert_int_equal(request.draft.n, JOBS);
    return request;
}

static void generates_what_it_says(void **state)
{
    (void)state;
    struct template template = {0};
    struct loom_params *given = defaults();
    assert_int_equal(loom_model_template.publish(&template, given, NULL), 0);
    struct loom_generation request = generated(&template);
    double sum_s = 0;
    for (size_t i = 0; i < JOBS; i++) {
        sum_s += (double)request.draft.run_s[i];
        assert_int_equal(request.draft.procs[i], 1);
    }
    /* The mean of an exponential sample has a relative standard error of 1 / sqrt(n). */
    assert_true(fabs(sum_s / JOBS / 3600 - 1) < 4 / sqrt(JOBS));
    loom_draft_free(&request.draft);
    loom_model_template.clear(&template);
    loom_params_destroy(given);
}

static void finds_its_parameters_again(void **state)
{
    (void)state;
    struct template template = {0}, again = {0};
    struct loom_params *given = defaults();
    assert_int_equal(loom_model_template.publish(&template, given, NULL), 0);
    struct loom_generation request = generated(&template);
    const struct loom_draft *draft = &request.draft;
    struct loom_workload jobs = {.n = JOBS,
                                 .span_s = draft->submit_s[JOBS - 1],
                                 .submit_s = draft->submit_s,
                                 .run_s = draft->run_s,
                                 .procs = draft->procs};
    struct loom_training log = {.jobs = &jobs, .procs = 4, .params = given};
    assert_int_equal(loom_model_template.fit(&again, &log, NULL), 0);
    assert_true(fabs(again.mean_run_s / template.mean_run_s - 1) < 4 / sqrt(JOBS));
    json_t *document = loom_codec_save(template_describe, &again, NULL);
    struct template loaded = {0};
    assert_int_equal(loom_codec_load(template_describe, &loaded, document, "parameters", 128, NULL),
                     0);
    assert_true(loaded.mean_run_s == again.mean_run_s);
    json_decref(document);
    loom_draft_free(&request.draft);
    loom_model_template.clear(&template);
    loom_model_template.clear(&again);
    loom_model_template.clear(&loaded);
    loom_params_destroy(given);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generates_what_it_says),
        cmocka_unit_test(finds_its_parameters_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
