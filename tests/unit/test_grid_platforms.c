/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Platforms of a grid: the one by name, and those from files. */
#include "grid_jobs.h"

#include <workloom/sim_results.h>
#include <workloom/sim_validate.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- platforms ------------------------------------------------------------------------------- */

static void test_das3(void **state)
{
    static const char *const names[] = {"VU", "LU", "UvA", "TUD", "UvAMN"};
    static const int64_t procs[] = {340, 64, 164, 136, 92};
    struct loom_platform *das3 = NULL;
    (void)state;
    assert_int_equal(loom_platform_load(&das3, "das3", NULL, NULL), 0);
    assert_int_equal(das3->n_clusters, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_string_equal(das3->clusters[i].name, names[i]);
        assert_int_equal(das3->clusters[i].procs, procs[i]);
        assert_null(das3->clusters[i].background);
    }
    loom_platform_destroy(das3);
    loom_platform_destroy(NULL);
}

static void test_platform_file(void **state)
{
    static const char text[] = "{\"clusters\": [\n"
                               "  {\"name\": \"a\", \"procs\": 4, \"background\": \"sub/a.swf\",\n"
                               "   \"load\": 0.5, \"shift_s\": 60},\n"
                               "  {\"name\": \"b\", \"procs\": 8, \"scheduler\": \"fcfs\",\n"
                               "   \"model\": \"uniform\"},\n"
                               "  {\"name\": \"c\", \"procs\": 8, \"model\": \"/m.json\"}],\n"
                               " \"grid\": {\"order\": \"sjf\", \"choose\": \"next\"},\n"
                               " \"workloom_platform\": 1}\n";
    struct scratch scratch;
    struct loom_platform *platform = NULL;
    struct loom_error err = {0};
    char path[200];
    (void)state;
    assert_int_equal(scratch_open(&scratch, "p.json"), 0);
    store_text(scratch.file, text);
    if (loom_platform_load(&platform, scratch.file, NULL, &err))
        fail_msg("%s", err.message);
    snprintf(path, sizeof path, "%s/sub/a.swf", scratch.directory);
    assert_string_equal(platform->name, scratch.file);
    assert_string_equal(platform->dispatch, "order=sjf,choose=next");
    assert_int_equal(platform->n_clusters, 3);
    assert_string_equal(platform->clusters[0].background, path);
    assert_near(platform->clusters[0].load, 0.5);
    assert_int_equal(platform->clusters[0].shift_s, 60);
    assert_true(platform->clusters[0].has_shift);
    assert_null(platform->clusters[0].scheduler);
    assert_string_equal(platform->clusters[1].scheduler, "fcfs");
    assert_string_equal(platform->clusters[1].model, "uniform");
    assert_string_equal(platform->clusters[2].model, "/m.json");
    loom_platform_destroy(platform);

    /* Whatever becomes of a byte, the file is a platform or says where it is none. */
    struct loom_stream stream;
    loom_stream_init(&stream, 8, 0, "bytes");
    for (int round = 0; round < 1000; round++) {
        static const char odd[] = "{}[]\",:0-9e.\\ \n\t\x80z";
        char changed[sizeof text];
        memcpy(changed, text, sizeof text);
        for (int i = 0; i < 1 + round % 3; i++)
            changed[loom_stream_below(&stream, sizeof text - 1)] =
                odd[loom_stream_below(&stream, sizeof odd - 1)];
        store(scratch.file, changed, sizeof text - 1);
        platform = NULL;
        int rc = loom_platform_load(&platform, scratch.file, NULL, &err);
        assert_true(rc == 0 || rc == LOOM_EFORMAT);
        loom_platform_destroy(platform);
    }

    /* Nothing that is cut off anywhere is a platform. */
    for (size_t size = 0; size + 2 < sizeof text; size++) {
        store(scratch.file, text, size);
        assert_int_equal(loom_platform_load(&platform, scratch.file, NULL, &err), LOOM_EFORMAT);
        assert_string_equal(err.file, scratch.file);
    }
    assert_int_equal(scratch_close(&scratch), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_das3),
        cmocka_unit_test(test_platform_file),
    };
    return cmocka_run_group_tests_name("grid_platforms", tests, NULL, NULL);
}
