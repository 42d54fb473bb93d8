/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets of users: what they set, and what they leave alone. */
#include "experiment/params.h"
#include "support.h"

#include <math.h>
#include <string.h>

static struct loom_params *params_of(const char *preset)
{
    const struct loom_param *const lists[] = {loom_preset_params, loom_feedback_params,
                                              loom_population_params, NULL};
    struct loom_params *params = NULL;
    assert_int_equal(loom_params_create(&params, lists, NULL), 0);
    if (preset)
        assert_int_equal(loom_params_set(params, "preset", preset, NULL), 0);
    return params;
}

static void chapters(void **state)
{
    static const struct {
        const char *name, *feedback;
        bool pause;
    } cases[] = {
        {"zakay-ch4", "fluid:late=stays,skipped=end", false},
        {"zakay-ch5", "fluid:late=moves,skipped=week", true},
        {"zakay-ch5-literal", "fluid:late=moves,skipped=week", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_params *params = params_of(cases[i].name);
        assert_string_equal(loom_users_preset_at(i)->name, cases[i].name);
        assert_int_equal(loom_users_preset_apply(params, true, NULL), 0);
        assert_string_equal(loom_params_text(params, "feedback"), cases[i].feedback);
        assert_int_equal(loom_params_flag(params, "pause"), cases[i].pause);
        assert_string_equal(loom_params_text(params, "start"), "trace");
        assert_true(fabs(loom_params_real(params, "session-gap") - 60) < 1e-12);
        loom_params_destroy(params);
    }
    assert_null(loom_users_preset_at(COUNT(cases)));
    assert_null(loom_users_preset_find("zakay-ch6"));
}

static void given_values_stay(void **state)
{
    struct loom_params *params = params_of("zakay-ch5");
    (void)state;
    assert_int_equal(loom_params_set(params, "feedback", "adjusted", NULL), 0);
    assert_int_equal(loom_params_set(params, "start", "activity", NULL), 0);
    assert_int_equal(loom_params_set(params, "session-gap", "20", NULL), 0);
    assert_int_equal(loom_users_preset_apply(params, true, NULL), 0);
    assert_string_equal(loom_params_text(params, "feedback"), "adjusted");
    assert_string_equal(loom_params_text(params, "start"), "activity");
    assert_true(fabs(loom_params_real(params, "session-gap") - 20) < 1e-12);
    assert_true(loom_params_flag(params, "pause"));
    loom_params_destroy(params);
}

static void users_of_the_log(void **state)
{
    struct loom_params *chapter_4 = params_of("zakay-ch4"), *chapter_5 = params_of("zakay-ch5");
    struct loom_params *none = params_of(NULL);
    struct loom_error err;
    (void)state;
    assert_int_equal(loom_users_preset_apply(chapter_4, false, &err), 0);
    assert_false(loom_params_given(chapter_4, "start"));
    assert_int_equal(loom_users_preset_apply(chapter_5, false, &err), LOOM_EUSAGE);
    assert_non_null(strstr(err.message, "zakay-ch5"));
    assert_int_equal(loom_users_preset_apply(none, true, &err), 0);
    assert_false(loom_params_given(none, "feedback"));
    loom_params_destroy(chapter_4);
    loom_params_destroy(chapter_5);
    loom_params_destroy(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chapters),
        cmocka_unit_test(given_values_stay),
        cmocka_unit_test(users_of_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
