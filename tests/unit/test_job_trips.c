/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models of jobs, fitted to what they wove: every parameter comes back. */
#include "modeling.h"
#include "trips.h"

#include <stdlib.h>

enum { JOBS = 20000 };

static struct loom_model *weave_and_fit(const struct loom_model *model, const char *const *settings,
                                        uint64_t trip)
{
    struct loom_weave_options options = {.seed = 1, .replication = trip, .jobs = JOBS};
    struct loom_trace *trace = must_weave(model, &options);
    struct loom_model *back = must_fit(loom_model_info(model)->name, trace, settings);
    loom_trace_destroy(trace);
    return back;
}

/* What a model says by a path of its document, NULL-terminated, comes back, in logarithms. */
static void assert_comes_back(const struct loom_model *model, const char *const *settings,
                              const char *const *paths, double most)
{
    struct trips trips = {0};
    for (size_t i = 0; paths[i]; i++)
        expect(&trips, paths[i], i, log(number_in(model, paths[i])), 0, most);
    for (uint64_t trip = 0; trip < TRIPS; trip++) {
        struct loom_model *back = weave_and_fit(model, settings, trip);
        for (size_t i = 0, at = 0; paths[i]; i++)
            observe(&trips, &at, log(number_in(back, paths[i])));
        loom_model_destroy(back);
    }
    assert_back(&trips, settings ? settings[0] : loom_model_info(model)->name);
}

/* Of work from 10 s up, whole seconds hide much: on 128 processors anything below 192 s runs for
 * one. */
static void downey97_comes_back(void **state)
{
    (void)state;
    static const char *const ways[][2] = {{"speedup=downey"}, {"speedup=sevcik"}};
    static const char *const paths[] = {"work_s.low", "work_s.high", "parallelism.low",
                                        "parallelism.high", NULL};
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct loom_model *model = must_publish("downey97", ways[i]);
        assert_comes_back(model, ways[i], paths, 0.05);
        loom_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(downey97_comes_back),
    };
    return cmocka_run_group_tests_name("job_trips", tests, NULL, NULL);
}
