/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One description, both directions: what is saved comes back bit by bit, and what does not fit is
 * refused with the path of its key. */
#include "models/document/codec.h"
#include "support.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"red", "green", NULL};

struct item {
    int64_t weight;
};

struct thing {
    double real;
    int64_t whole;
    bool flag;
    int colour;
    struct loom_dist dist;
    double *reals;
    size_t n_reals;
    int32_t *words;
    size_t n_words;
    int64_t *longs;
    size_t n_longs;
    double inner;
    int64_t most;
    int32_t *sizes;
    size_t n_sizes;
    struct item items[4];
    size_t n_items;
};

static void describe(void *state, struct loom_codec *codec)
{
    struct thing *thing = state;
    loom_codec_real(codec, "real", &thing->real, -1, 1);
    loom_codec_int(codec, "whole", &thing->whole, INT64_MIN, INT64_MAX);
    loom_codec_flag(codec, "flag", &thing->flag);
    loom_codec_word(codec, "colour", &thing->colour, colours);
    loom_codec_dist(codec, "dist", &thing->dist, "gamma");
    loom_codec_reals(codec, "reals", &thing->reals, &thing->n_reals, 1, 3, 0, 10);
    loom_codec_int32s(codec, "words", &thing->words, &thing->n_words, thing->n_reals,
                      thing->n_reals, -5, 5);
    loom_codec_int64s(codec, "longs", &thing->longs, &thing->n_longs, 0, 9, 0, INT64_MAX);
    loom_codec_open(codec, "outer");
    loom_codec_real(codec, "inner", &thing->inner, 0, 1e300);
    loom_codec_close(codec);
    loom_codec_procs(codec, "most", &thing->most, 1);
    loom_codec_all_procs(codec, "sizes", &thing->sizes, &thing->n_sizes, 0, 9);
    loom_codec_list(codec, "items", &thing->n_items, 0, COUNT(thing->items));
    for (size_t i = 0; i < thing->n_items; i++) {
        loom_codec_item(codec, i);
        loom_codec_int(codec, "weight", &thing->items[i].weight, 0, 100);
        loom_codec_close(codec);
    }
    loom_codec_close(codec);
    if (thing->n_items > 1 && thing->items[0].weight > thing->items[1].weight)
        loom_codec_refuse(codec, "items", "must ascend");
}

static void clear(struct thing *thing)
{
    free(thing->reals);
    free(thing->words);
    free(thing->longs);
    free(thing->sizes);
}

static const char good[] =
    "{'real': 0.1, 'whole': -7, 'flag': true, 'colour': 'green',"
    " 'dist': {'distribution': 'gamma', 'shape': 2.5, 'scale': 0.3}, 'reals': [0.25, 9],"
    " 'words': [-5, 4], 'longs': [], 'outer': {'inner': 1e-200}, 'most': 128, 'sizes': [1, 128],"
    " 'items': [{'weight': 3}, {'weight': 4}]}";

/* JSON with single quotes, for legible tests. */
static json_t *parse(const char *text)
{
    char *copy = strdup(text);
    for (char *at = copy; *at; at++)
        if (*at == '\'')
            *at = '"';
    json_t *document = json_loads(copy, 0, NULL);
    if (!document)
        fail_msg("no JSON: %s", copy);
    free(copy);
    return document;
}

static void comes_back_as_it_was(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct thing thing = {0};
    json_t *document = parse(good);
    if (loom_codec_load(describe, &thing, document, "", 128, &err))
        fail_msg("%s", err.message);
    assert_true(thing.real == 0.1 && thing.whole == -7 && thing.flag && thing.colour == 1);
    assert_true(thing.dist.params[0] == 2.5 && thing.dist.params[1] == 0.3);
    assert_true(thing.n_reals == 2 && thing.reals[0] == 0.25 && thing.reals[1] == 9);
    assert_true(thing.words[0] == -5 && thing.words[1] == 4 && thing.n_longs == 0);
    assert_true(thing.inner == 1e-200 && thing.n_items == 2 && thing.items[1].weight == 4);
    json_t *saved = loom_codec_save(describe, &thing, &err);
    assert_non_null(saved);
    struct thing again = {0};
    assert_int_equal(loom_codec_load(describe, &again, saved, "", 128, &err), 0);
    json_t *saved_again = loom_codec_save(describe, &again, &err);
    assert_true(json_equal(saved, saved_again));
    json_decref(document);
    json_decref(saved);
    json_decref(saved_again);
    clear(&thing);
    clear(&again);
}

/* Replace the text of one key's value in the good document. */
static void refuses_what_does_not_fit(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new, *message;
    } cases[] = {
        {"'real': 0.1", "'real': 1.5", "p.real is 1.5, and must be between -1 and 1"},
        {"'real': 0.1", "'real': 'x'", "p.real must be a number"},
        {"'real': 0.1, ", "", "p.real is missing"},
        {"'whole': -7", "'whole': 1.5", "p.whole must be a whole number"},
        {"'flag': true", "'flag': 1", "p.flag must be true or false"},
        {"'green'", "'blue'", "p.colour must be one of: red, green"},
        {"'green'", "3", "p.colour must be one of: red, green"},
        {"'gamma'", "'normal'", "p.dist.distribution must be \"gamma\""},
        {"'shape': 2.5", "'shape': -2.5",
         "p.dist is no gamma distribution: gamma: shape must be positive, not -2.5"},
        {"'shape'", "'form'", "p.dist.shape is missing"},
        {", 'scale': 0.3", "", "p.dist.scale is missing"},
        {"[0.25, 9]", "[]", "p.reals has 0 values, and must have 1 to 3"},
        {"[0.25, 9]", "7", "p.reals must be a list"},
        {"[0.25, 9]", "[0.25, 11]", "p.reals[1] is 11, and must be between 0 and 10"},
        {"[0.25, 9]", "[0.25]", "p.words has 2 values, and must have 1"},
        {"[-5, 4]", "[-5, null]", "p.words[1] must be a whole number"},
        {"[-5, 4]", "[-5, 6]", "p.words[1] is 6, and must be between -5 and 5"},
        {"{'inner': 1e-200}", "3", "p.outer must be an object"},
        {"1e-200", "1e-200, 'extra': 3", "p.outer.extra is not a key of this model"},
        {"'most': 128", "'most': 129",
         "p.most is 129, and the machine (log.procs) has 128 processors"},
        {"'most': 128", "'most': 0", "p.most is 0, and must be between 1 and 2147483647"},
        {"[1, 128]", "[1, 200]",
         "p.sizes[1] is 200, and the machine (log.procs) has 128 processors"},
        {"{'weight': 3}", "3", "p.items[0] must be an object"},
        {"'weight': 4", "'weight': 400", "p.items[1].weight is 400, and must be between 0 and 100"},
        {"'weight': 3", "'weight': 30", "p.items must ascend"},
        {"'flag': true", "'flag': true, 'top': 1", "p.top is not a key of this model"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_error err = {0};
        struct thing thing = {0};
        char text[600];
        const char *at = strstr(good, cases[i].old);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, cases[i].new,
                 at + strlen(cases[i].old));
        json_t *document = parse(text);
        assert_int_equal(loom_codec_load(describe, &thing, document, "p", 128, &err), LOOM_EFORMAT);
        assert_string_equal(err.message, cases[i].message);
        json_decref(document);
        clear(&thing);
    }
}

static void saves_only_what_is_finite(void **state)
{
    (void)state;
    struct loom_error err = {0};
    struct thing thing = {0};
    json_t *document = parse(good);
    assert_int_equal(loom_codec_load(describe, &thing, document, "", 128, &err), 0);
    thing.inner = NAN;
    assert_null(loom_codec_save(describe, &thing, &err));
    assert_string_equal(err.message, "outer.inner is not finite and cannot be saved");
    json_decref(document);
    clear(&thing);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back_as_it_was),
        cmocka_unit_test(refuses_what_does_not_fit),
        cmocka_unit_test(saves_only_what_is_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
