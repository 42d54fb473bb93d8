/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims as command lines. */
#include "reproduce/command.h"

#include "reproduce/bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text that is cut at the end of its buffer. */
struct line {
    char *buf;
    size_t size, used;
};

static void line_put(struct line *line, const char *format, ...) LOOM_PRINTF(2, 3);

static void line_put(struct line *line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (line->used < line->size)
        line->used +=
            (size_t)vsnprintf(line->buf + line->used, line->size - line->used, format, args);
    va_end(args);
}

/* Write "key=value" as " --key value", "flag" as " --flag". */
static void put_word(struct line *line, const char *word, size_t length)
{
    size_t equals = strcspn(word, "=");
    if (equals < length)
        line_put(line, " --%.*s %.*s", (int)equals, word, (int)(length - equals - 1),
                 word + equals + 1);
    else
        line_put(line, " --%.*s", (int)length, word);
}

/* Write all words of claim->with as options but the one named (NULL: none). */
static void put_with(struct line *line, const struct loom_claim *claim, const char *without)
{
    for (const char *word = claim->with; word && *word; word += strspn(word, " ")) {
        size_t length = strcspn(word, " ");
        bool left_out =
            without && strncmp(word, without, strlen(without)) == 0 && word[strlen(without)] == '=';
        if (!left_out)
            put_word(line, word, length);
        word += length;
    }
}

/* Fit the model of a claim; a published one needs no fit. */
static void put_fit(struct line *line, const struct loom_claim *claim, const char *file)
{
    char name[256] = "";
    loom_with(claim, "model", name, sizeof name);
    if (file) {
        line_put(line, "workloom fit %s %s", name, file);
        put_with(line, claim, "model");
        line_put(line, " -o model.json; ");
    }
}

/* Generate jobs of the model, and compare them with the log. */
static void put_comparison(struct line *line, const struct loom_claim *claim, const char *file,
                           int n)
{
    put_fit(line, claim, file);
    line_put(line, "workloom generate model.json --replication 0 -o jobs.swf; ");
    line_put(line, "workloom compare %s jobs.swf (replications 0 to %d)", file, n - 1);
    if (claim->minus)
        line_put(line, ", and the same of %s", claim->minus);
}

static void put_parameter(struct line *line, const struct loom_claim *claim, const char *file)
{
    char name[256] = "";
    loom_with(claim, "model", name, sizeof name);
    put_fit(line, claim, file);
    if (file)
        line_put(line, "jq .parameters.%s model.json", claim->of);
    else
        line_put(line, "workloom generate %s (its parameter %s)", name, claim->of);
}

static void put_model(struct line *line, const struct loom_claim *claim, const char *file, int n)
{
    char name[256] = "";
    loom_with(claim, "model", name, sizeof name);
    put_fit(line, claim, file);
    line_put(line, "workloom generate %s --replication 0 -o jobs.swf; ",
             file ? "model.json" : name);
    line_put(line, "workloom analyze jobs.swf --feature %s (replications 0 to %d)", claim->of,
             n - 1);
}

/* Write a command for measures of Zakay 2017 that no other command prints as one number. */
static void put_users(struct line *line, const struct loom_claim *claim, const char *file, int n)
{
    if (claim->measure == loom_measure_variant_distance) {
        line_put(line, "workloom resample %s -o variant.swf --replication 0", file);
        put_with(line, claim, NULL);
        line_put(line, "; workloom compare %s variant.swf (%s; replications 0 to %d)", file,
                 claim->of, n - 1);
    } else if (claim->measure == loom_measure_users) {
        line_put(line, "workloom simulate %s -o run.swf", file);
        put_with(line, claim, NULL);
        line_put(line, "; workloom compare %s run.swf (%s; replications 0 to %d)", file, claim->of,
                 n - 1);
    } else if (claim->measure == loom_measure_queueing) {
        line_put(line, "workloom queue (%s; docs/VALIDATION.md has the settings)", claim->of);
    }
}

const char *loom_claim_command(char *buf, size_t size, const struct loom_claim *claim,
                               const char *file, int replications)
{
    struct line line = {buf, size, 0};
    buf[0] = '\0';
    if (claim->measure == loom_measure_feature) {
        line_put(&line, "workloom analyze %s --feature %s", file, claim->of);
        put_with(&line, claim, NULL);
    } else if (claim->measure == loom_measure_table) {
        line_put(&line, "workloom analyze %s --table %.*s", file, (int)strcspn(claim->of, ":"),
                 claim->of);
        put_with(&line, claim, NULL);
    } else if (claim->measure == loom_measure_prediction) {
        line_put(&line, "workloom predict %s", file);
        put_with(&line, claim, "big");
        if (claim->minus || claim->over)
            line_put(&line, " --predictor %s", claim->minus ? claim->minus : claim->over);
    } else if (claim->measure == loom_measure_model) {
        put_model(&line, claim, file, replications);
    } else if (claim->measure == loom_measure_distance || claim->measure == loom_measure_day) {
        put_comparison(&line, claim, file, replications);
    } else if (claim->measure == loom_measure_parameter) {
        put_parameter(&line, claim, file);
    } else if (claim->measure == loom_measure_fit) {
        line_put(&line, "workloom analyze %s --fit %.*s", file, (int)strcspn(claim->of, ":"),
                 claim->of);
        put_with(&line, claim, NULL);
    } else if (claim->measure == loom_measure_variants) {
        line_put(&line, "workloom resample %s -o variant.swf --replication 0", file);
        put_with(&line, claim, NULL);
        line_put(&line, "; workloom analyze variant.swf --feature %s (replications 0 to %d)",
                 claim->of, replications - 1);
    } else if (claim->measure == loom_measure_rearranged) {
        line_put(&line, "workloom convert %s rearranged.swf --correlation-degree %s", file,
                 claim->of);
        put_with(&line, claim, "model");
    } else if (claim->trial) {
        line_put(&line, "workloom experiment run%s",
                 claim->trial->local ? " examples/plans/minh6-grid.yaml" : "");
        if (file)
            line_put(&line, " --trace %s", file);
        for (size_t i = 0; claim->trial->words[i]; i++)
            put_word(&line, claim->trial->words[i], strlen(claim->trial->words[i]));
        line_put(&line, " --replications %d --db study.db", replications);
    } else {
        put_users(&line, claim, file, replications);
    }
    return buf;
}
