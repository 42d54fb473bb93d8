/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare --html and --figures: traces, or the best models, laid over the reference. */
#include "compare_output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_report_write_report(const struct contest *contest, const struct loom_side *sides,
                                       size_t n, const struct loom_contrast_page *page,
                                       struct loom_error *err)
{
    const struct invocation *call = contest->call;
    struct loom_report *report = NULL;
    int rc = loom_report_contrast(&report, sides, n, contest->pool, err);
    if (!rc)
        loom_report_join(report, call->outputs);
    if (!rc && loom_params_given(call->params, "html"))
        rc = loom_report_contrast_html(report, loom_params_text(call->params, "html"), page, err);
    return end_report(report, rc, call, err);
}

static struct loom_contrast_page page_of(const struct contest *contest)
{
    return (struct loom_contrast_page){
        .command = contest->call->line,
        .select = loom_params_text(contest->call->params, "select"),
        .blocks = loom_reference_blocks(contest->reference),
        .definitions = *loom_features_definitions(loom_reference_features(contest->reference)),
        .reference = contest->traces[0],
    };
}

/* ---- traces ---------------------------------------------------------------------------------- */

int report_traces(const struct contest *contest, struct loom_error *err)
{
    size_t n = contest->n_traces;
    struct loom_side *sides = calloc(n, sizeof *sides);
    char(*labels)[24] = calloc(n, sizeof *labels);
    struct loom_contestant contestant = {n == 2 ? "B" : "B, mean", contest->card};
    struct loom_contrast_page page = page_of(contest);
    page.traces = (const struct loom_trace *const *)contest->traces + 1;
    page.n_traces = n - 1;
    page.other_lengths = first_other_length(contest) < n;
    page.cards = n > 2 ? contest->cards : NULL;
    page.contestants = &contestant;
    page.n = 1;
    for (size_t i = 0; sides && labels && i < n; i++) {
        if (i == 0 || n == 2 || n > 7)
            snprintf(labels[i], sizeof labels[i], "%s", i == 0 ? "A" : "B");
        else
            snprintf(labels[i], sizeof labels[i], "B%zu", i);
        sides[i] =
            (struct loom_side){labels[i], contest->traces[i],
                               i == 0 ? loom_reference_features(contest->reference)
                                      : loom_comparison_features(contest->comparisons[i - 1])};
    }
    int rc = sides && labels ? compare_report_write_report(contest, sides, n, &page, err)
                             : loom_fail_memory(err);
    free(labels);
    free(sides);
    return rc;
}

/* ---- models ---------------------------------------------------------------------------------- */

enum { MOST_SHOWN = 5 };

/* One workload of each of the best models, generated and measured once more. */
struct shown {
    struct loom_side sides[1 + MOST_SHOWN];
    struct loom_contestant contestants[MOST_SHOWN];
    struct loom_trace *traces[MOST_SHOWN];
    struct loom_features *features[MOST_SHOWN];
    char labels[MOST_SHOWN][64];
    size_t n;
};

/* Keys of figures have room for little: "minh2012:improved" of "minh2012:variant=improved". */
static void set_label(char *out, size_t size, const struct loom_ranking_entry *entry)
{
    const char *equals = entry->variant ? strchr(entry->variant, '=') : NULL;
    const char *slash = entry->variant ? NULL : strrchr(entry->label, '/');
    if (equals && !strchr(entry->variant, ','))
        snprintf(out, size, "%s:%s", entry->info->name, equals + 1);
    else
        snprintf(out, size, "%s", slash && slash[1] ? slash + 1 : entry->label);
}

static int show_model(struct shown *shown, const struct contest *contest,
                      const struct loom_ranking *ranking, const struct loom_ranking_entry *entry,
                      struct loom_error *err)
{
    size_t i = shown->n++;
    char *label = shown->labels[i];
    set_label(label, sizeof shown->labels[i], entry);
    int rc = loom_ranking_generate(&shown->traces[i], ranking, i, 0, contest->pool, err);
    if (!rc)
        rc = loom_features_create_by(&shown->features[i], shown->traces[i],
                                     loom_features_definitions(shown->sides[0].features),
                                     contest->pool, NULL, err);
    shown->sides[i + 1] = (struct loom_side){label, shown->traces[i], shown->features[i]};
    shown->contestants[i] = (struct loom_contestant){label, entry->card};
    return rc;
}

int report_models(const struct contest *contest, const struct loom_ranking *ranking,
                  struct loom_error *err)
{
    struct shown shown = {0};
    struct loom_ranking_entry entry;
    int rc = 0;
    shown.sides[0] =
        (struct loom_side){"log", contest->traces[0], loom_reference_features(contest->reference)};
    while (shown.n < MOST_SHOWN && !rc && loom_ranking_at(ranking, shown.n, &entry) && entry.card)
        rc = show_model(&shown, contest, ranking, &entry, err);
    struct loom_contrast_page page = page_of(contest);
    page.contestants = shown.contestants;
    page.n = shown.n;
    page.ranking = ranking;
    page.load = contest->load;
    if (!rc)
        rc = compare_report_write_report(contest, shown.sides, 1 + shown.n, &page, err);
    for (size_t i = 0; i < shown.n; i++) {
        loom_features_destroy(shown.features[i]);
        loom_trace_destroy(shown.traces[i]);
    }
    return rc;
}
