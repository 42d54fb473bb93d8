/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports: text and SVG from outside, and values printed in texts. */
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

/* ---- text ------------------------------------------------------------------------------------ */

static char *written(void (*write)(FILE *, const char *), const char *text)
{
    char *out = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&out, &size);
    assert_non_null(stream);
    write(stream, text);
    assert_int_equal(fclose(stream), 0);
    return out;
}

static void test_text(void **state)
{
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"},
        {"a & b", "a &amp; b"},
        {"\"'", "&quot;&#39;"},
        {"&lt;", "&amp;lt;"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"\xff", "\xef\xbf\xbd"},
        {"\xc3", "\xef\xbf\xbd"},
        {"a\xc3<", "a\xef\xbf\xbd&lt;"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"a\x1b[31m\x7f", "a\xef\xbf\xbd[31m\xef\xbf\xbd"},
        {"two\nlines\t", "two\nlines\t"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *got = written(loom_html_text, cases[i].text);
        assert_string_equal(got, cases[i].wanted);
        free(got);
    }
}

static void test_numbers(void **state)
{
    static const struct {
        double value;
        const char *wanted;
    } cases[] = {
        {0, "0"},
        {7, "7"},
        {-0.229, "\xe2\x88\x92"
                 "0.229"},
        {5.63, "5.63"},
        {538.5, "538.5"},
        {2418, "2,418"},
        {202871, "202,871"},
        {1234567.8, "1,234,568"},
        {0.00001, "1e-05"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *got = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&got, &size);
        assert_non_null(out);
        loom_html_number(out, cases[i].value);
        assert_int_equal(fclose(out), 0);
        assert_string_equal(got, cases[i].wanted);
        free(got);
    }
}

static void test_svg_tidy(void **state)
{
    char image[] = "<svg>\n<g fill=\"none\" color=\"white\">\n</g>\n<g fill=\"none\">\n\t<path/>\n"
                   "</g>\n<g fill=\"x\">\n</g>\n<g fill=";
    (void)state;
    size_t size = loom_svg_tidy(image);
    assert_string_equal(image, "<svg>\n<g fill=\"none\">\n\t<path/>\n</g>\n<g fill=");
    assert_int_equal(size, strlen(image));
}

static void test_svg_ids(void **state)
{
    char image[] = "<?xml?>\n<svg \n viewBox=\"0 0 560 358\"\n>\n<title>x</title>\n<desc>y</desc>\n"
                   "<g id=\"a\"><circle id='gpDot'/><use xlink:href='#gpDot'/><title>tip</title>"
                   "<g filter='url(#box)'/></g></svg>\n";
    static const struct loom_figure_ops ops = {.name = "fig", .title = "A & B"};
    struct loom_drawing drawing = {.ops = &ops, .image = image, .image_size = sizeof image - 1};
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    (void)state;
    assert_non_null(out);
    assert_true(loom_svg_inline(out, &drawing));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(got, "<svg role=\"img\" aria-label=\"A &amp; B\" viewBox=\"0 0 560 358\">\n"
                             "<g id=\"fig-a\"><circle id='fig-gpDot'/><use "
                             "xlink:href='#fig-gpDot'/><g filter='url(#fig-box)'/></g></svg>\n");
    free(got);
}

/* Colours of figures become variables of the page, others stay. */
static void test_svg_colours(void **state)
{
    char image[] = "<svg viewBox=\"0 0 1 1\"><desc></desc><path stroke='rgb(  0, 114, 178)' "
                   "fill=\"rgb(68,68,68)\" color=\"black\"/><path stroke='rgb(1, 2, 3)' "
                   "fill='rgb(0,114'/><text>rgb black</text></svg>";
    static const struct loom_figure_ops ops = {.name = "fig", .title = "A"};
    struct loom_drawing drawing = {.ops = &ops, .image = image, .image_size = sizeof image - 1};
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    (void)state;
    assert_non_null(out);
    assert_true(loom_svg_inline(out, &drawing));
    assert_int_equal(fclose(out), 0);
    assert_string_equal(got,
                        "<svg role=\"img\" aria-label=\"A\" viewBox=\"0 0 1 1\"><path "
                        "stroke='var(--c1)' fill=\"var(--axis)\" color=\"var(--ink)\"/><path "
                        "stroke='rgb(1, 2, 3)' fill='rgb(0,114'/><text>rgb black</text></svg>");
    free(got);
}

/* Every variable that an image refers to is set by the style, for light and for dark. */
static void test_colours_of_the_page(void **state)
{
    static const char *const names[] = {"ink:", "axis:", "mark:", "dim:", "grid:", "card:", "c1:",
                                        "c2:",  "c3:",   "c4:",   "c5:",  "c6:",   "c1b:",  "c1c:"};
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        char text[32];
        snprintf(text, sizeof text, "--%s#", names[i]);
        const char *light = strstr(loom_page_style, text);
        assert_non_null(light);
        const char *dark = strstr(strstr(loom_page_style, "prefers-color-scheme:dark"), text);
        assert_true(dark && dark > light);
    }
}

/* ---- printed values -------------------------------------------------------------------------- */

static void test_printed(void **state)
{
    size_t n = 0, keys = 0;
    (void)state;
    for (const struct loom_printed *p = loom_printed; p->key; p++, n++) {
        size_t i = 0;
        const struct loom_feature_info *info;
        while ((info = loom_feature_info_at(i)) && strcmp(info->key, p->key) != 0)
            i++;
        if (!info)
            fail_msg("no feature has the key %s", p->key);
        if (p > loom_printed && strcmp(p[-1].key, p->key) == 0)
            continue;
        keys++;
        /* All values of a key stand together. */
        const struct loom_printed *later = p;
        while (later->key && strcmp(later->key, p->key) == 0)
            later++;
        for (; later->key; later++)
            if (strcmp(later->key, p->key) == 0)
                fail_msg("%s stands in two places", p->key);
    }
    assert_true(keys > 50);
    assert_true(n > 400);
}

static char *place_of(double value)
{
    static const struct loom_feature_info info = {"arrival.interarrival.cv", "", "", ""};
    struct loom_feature feature = {.info = &info, .known = true, .value = value};
    char *got = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&got, &size);
    assert_non_null(out);
    loom_printed_place(out, &feature);
    assert_int_equal(fclose(out), 0);
    return got;
}

/* Table 3.3 of the thesis: 33.14 5.65 13.88 17.92 5.70 17.70 10.00 18.56. */
static void test_place(void **state)
{
    (void)state;
    char *got = place_of(12);
    assert_non_null(strstr(got, "5.65 (AuverGrid) to 33.14 (NorduGrid); above 3 of 8"));
    free(got);
    got = place_of(1);
    assert_non_null(strstr(got, "; above 0 of 8"));
    assert_non_null(strstr(got, "class=\"here\" d=\"M6.0 2"));
    free(got);
    got = place_of(99);
    assert_non_null(strstr(got, "; above 8 of 8"));
    free(got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_svg_tidy),    cmocka_unit_test(test_svg_ids),
        cmocka_unit_test(test_svg_colours), cmocka_unit_test(test_colours_of_the_page),
        cmocka_unit_test(test_printed),     cmocka_unit_test(test_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
