/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of a comparison: the score and its parts in plain words or, for models, their ranking;
 * then part by part the figures and every number with its distance. Everything that comes from a
 * log or the command line passes through loom_html_text.
 */
#include "report/contrast.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char style[] =
    ".bar{display:inline-block;width:6rem;height:.7rem;background:var(--line);border-radius:3px;"
    "overflow:hidden;vertical-align:middle;margin-left:.5rem}\n"
    ".bar i{display:block;height:100%;background:var(--accent)}\n"
    ".score{font-size:2.2rem;font-weight:700;margin:.5rem 0 0;font-variant-numeric:tabular-nums}\n"
    ".score small{font-size:1rem;font-weight:400;color:var(--soft)}\n"
    "table.ranking{min-width:58rem}table.ranking th,table.ranking td{padding:.45rem .3rem}\n"
    "table.ranking th{vertical-align:bottom;font-size:.8rem}table.ranking th a{color:inherit}\n"
    "table.ranking th:first-child,table.ranking td:first-child{padding-left:.8rem;"
    "white-space:nowrap}\n"
    ".variant{display:block;font-weight:400;font-size:.8rem;color:var(--soft);"
    "white-space:normal;max-width:8.5rem}\n"
    "table.ranking .bar{width:2rem;margin-left:.3rem}table.ranking td{font-size:.85rem}\n"
    "@media (max-width:36rem){"
    "table.ranking{min-width:0}table.ranking td,table.ranking td:first-child{padding:0}}\n"
    "@media print{table.ranking{min-width:0}.bar{display:none}}\n";

/* ---- words ----------------------------------------------------------------------------------- */

static const char *verdict(double score)
{
    return score >= 1     ? "equal"
           : score >= 0.9 ? "alike"
           : score >= 0.7 ? "close"
           : score >= 0.4 ? "different"
                          : "far off";
}

/* What the score is called, and what the ends of its interval would be called where that is not the
 * same: 0.70 ± 0.70 says nothing. */
static void write_verdict(FILE *out, struct loom_spread score)
{
    fprintf(out, " %s", verdict(score.mean));
    const char *low = verdict(fmax(0, score.mean - score.half));
    const char *high = verdict(fmin(1, score.mean + score.half));
    if (!isnan(score.half) && strcmp(low, high) != 0)
        fprintf(out, ", but by its interval anything from %s to %s", low, high);
    fputs(".", out);
}

static void write_bar(FILE *out, double share)
{
    fprintf(out, "<span class=\"bar\" aria-hidden=\"true\"><i style=\"width:%.0f%%\"></i></span>",
            100 * fmin(1, fmax(0, share)));
}

static void write_spread(FILE *out, struct loom_spread spread)
{
    fprintf(out, "%.2f", spread.mean);
    if (!isnan(spread.half))
        fprintf(out, " ± %.2f", spread.half);
}

static void write_number(FILE *out, const struct loom_feature_info *info, double value)
{
    if (strcmp(info->unit, "s") == 0 && fabs(value) >= 600)
        loom_html_duration(out, value);
    else
        loom_html_number(out, value);
    if (strcmp(info->unit, "s") == 0 && fabs(value) < 600)
        fputs("\xC2\xA0s", out);
}

static void write_distance(FILE *out, double distance)
{
    if (distance <= -0.05)
        fputs("\xE2\x88\x92", out); /* a minus sign, but none before 0.0 */
    fprintf(out, fabs(distance) < 10 ? "%.1f" : "%.0f", fabs(distance));
}

/* What a key means, without what follows a colon or semicolon. */
static void write_meaning(FILE *out, const char *meaning)
{
    char text[200];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(meaning, ":;"), meaning);
    loom_html_text(out, text);
}

/* "Furthest off: mean runtime, 3.2 h against 4.5 h, 2.3 times what chance would do." Which line it
 * is goes by closeness, and so does the distance told: the mean of several may lie near to the
 * reference though each of them is far off, on one side or the other. */
static void write_furthest(FILE *out, const struct loom_compared *line)
{
    if (line->closeness >= 1)
        return;
    fputs(" Furthest off: ", out);
    fprintf(out, "<a href=\"#%s%s\">", line->distribution ? "d-" : "f-", line->info->key);
    write_meaning(out, line->info->meaning);
    fputs("</a>, ", out);
    if (line->distribution) {
        fprintf(out, "up to %.0f\xC2\xA0%% of them differ (KS)", 100 * line->ks);
    } else {
        write_number(out, line->info, line->a);
        fputs(" against ", out);
        write_number(out, line->info, line->b.mean);
    }
    if (line->known > 1 && !line->distribution) {
        fputs(" on average (sd ", out);
        write_number(out, line->info, line->b.sd);
        fputs(")", out);
    }
    fputs(line->known > 1 || line->distribution ? ", taken together " : ", ", out);
    write_distance(out, loom_distance_of(line->closeness));
    fputs(" times ", out);
    fputs(isnan(line->error) ? "a tenth of it." : "what chance would do.", out);
}

static void write_part(FILE *out, const struct loom_scorecard *card,
                       const struct loom_score_part *part)
{
    fprintf(out, "<li><a href=\"#%s\"><strong>%s</strong></a>", part->info->name,
            part->info->title);
    if (part->items == 0) {
        fputs(part->absent > 0 ? ": lacking in what is compared, which counts as 0 overall.</li>\n"
                               : ": not known.</li>\n",
              out);
        return;
    }
    fputs(" ", out);
    write_spread(out, part->score);
    write_bar(out, part->score.mean);
    write_verdict(out, part->score);
    write_furthest(out, loom_scorecard_line(card, part->furthest));
    if (part->absent > 0)
        fprintf(out, " %zu more %s known of the reference only.", part->absent,
                part->absent == 1 ? "number is" : "numbers are");
    fputs("</li>\n", out);
}

static size_t count_unknown(const struct loom_scorecard *card)
{
    const struct loom_compared *line;
    size_t n = 0;
    for (size_t i = 0; (line = loom_scorecard_line(card, i)); i++)
        n += line->known == 0;
    return n;
}

static void write_score(FILE *out, const struct loom_scorecard *card)
{
    const struct loom_score_part *part;
    fputs("<p class=\"score\">", out);
    write_spread(out, loom_scorecard_score(card));
    if (loom_scorecard_traces(card) == 1)
        fprintf(out, " <small>of 1; coverage %.2f, overall %.2f</small></p>\n",
                loom_scorecard_coverage(card), loom_scorecard_overall(card).mean);
    else
        fputs(" <small>of 1; mean of the traces</small></p>\n", out);
    fputs("<ul class=\"summary\">\n", out);
    for (size_t i = 0; (part = loom_scorecard_part(card, i)); i++)
        write_part(out, card, part);
    fprintf(
        out,
        "</ul>\n<p class=\"absent\">Features and distributions that are not known on both sides "
        "and left out: %zu.</p>\n",
        count_unknown(card));
}

/* ---- the ranking ----------------------------------------------------------------------------- */

/* The name of a model, and what a variant of it does differently. */
static void write_label(FILE *out, const struct loom_ranking_entry *entry)
{
    if (!entry->variant) {
        loom_html_text(out, entry->label);
        return;
    }
    loom_html_text(out, entry->info->name);
    static const char same[] = "variant=";
    bool said = strncmp(entry->variant, same, sizeof same - 1) == 0;
    fputs(" <span class=\"variant\">variant: ", out);
    loom_html_text(out, entry->variant + (said ? sizeof same - 1 : 0));
    fputs("</span>", out);
}

/* Cells for the score, the coverage and the parts of a card, and their heads. */
static void write_scores(FILE *out, const struct loom_scorecard *card)
{
    const struct loom_score_part *part;
    fprintf(out,
            "<td class=\"number\" data-label=\"Score\">%.2f</td>"
            "<td class=\"number\" data-label=\"Coverage\">%.2f</td>",
            loom_scorecard_score(card).mean, loom_scorecard_coverage(card));
    for (size_t i = 0; (part = loom_scorecard_part(card, i)); i++) {
        fprintf(out, "<td class=\"number\" data-label=\"%s\">", part->info->title);
        if (part->items > 0)
            fprintf(out, "%.2f", part->score.mean);
        else
            fputs(part->absent > 0 ? "lacks" : "\xE2\x80\x93", out);
        fputs("</td>", out);
    }
    fputs("</tr>\n", out);
}

static void write_score_heads(FILE *out)
{
    const struct loom_part_info *part;
    fputs("<th>Score</th><th>Coverage</th>", out);
    for (size_t i = 0; (part = loom_part_at(i)); i++)
        fprintf(out, "<th><a href=\"#%s\">%s</a></th>", part->name, part->title);
    fputs("</tr></thead><tbody>\n", out);
}

static void write_model(FILE *out, const struct loom_ranking_entry *entry, size_t place)
{
    fprintf(out, "<tr><td class=\"what\"><strong>%zu. <a href=\"#m-%s\">", place,
            entry->info->name);
    write_label(out, entry);
    fputs("</a></strong></td><td class=\"number first\" data-label=\"Overall\">", out);
    write_spread(out, entry->overall);
    write_bar(out, entry->overall.mean);
    fputs("</td>", out);
    write_scores(out, entry->card);
}

static void write_ranking(FILE *out, const struct loom_ranking *ranking)
{
    struct loom_ranking_entry entry;
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus ranking\"><thead><tr>"
          "<th>Model</th><th>Overall</th>",
          out);
    write_score_heads(out);
    for (size_t i = 0; loom_ranking_at(ranking, i, &entry); i++)
        if (entry.card)
            write_model(out, &entry, i + 1);
    fputs("</tbody></table></div>\n", out);
    for (size_t i = 0; loom_ranking_at(ranking, i, &entry); i++)
        if (!entry.card) {
            fputs("<p class=\"absent\">The model ", out);
            loom_html_text(out, entry.label);
            fputs(" is left out: ", out);
            loom_html_text(out, entry.reason);
            fputs(".</p>\n", out);
        }
    fputs("<p class=\"intro\">The score is the mean of the ten parts to the right of it, each the "
          "mean closeness of its numbers and distributions. Coverage is the share of what the log "
          "knows that a model's workloads know as well, by parts, and <em>lacks</em> stands for a "
          "part of which they know nothing. Overall is the score where all that is lacking counts "
          "as 0: no model gains by leaving out what the log knows, such as users and bags. Behind "
          "± stands half of the 95 % "
          "confidence interval of the mean over replications (Student's t). A variant is a model "
          "fitted with the settings below its name in place of its own. Figures below show the log "
          "and one workload of each of the best models, with the value of a variant behind a "
          "colon.</p>\n",
          out);
}

/* ---- several traces -------------------------------------------------------------------------- */

static const char *base_name(const struct loom_trace *trace)
{
    const char *file = loom_trace_report(trace)->file;
    const char *slash = strrchr(file, '/');
    return slash && slash[1] ? slash + 1 : file;
}

static void write_each(FILE *out, const struct loom_contrast_page *page)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus ranking\"><thead><tr>"
          "<th>Trace</th><th>Overall</th>",
          out);
    write_score_heads(out);
    for (size_t i = 0; i < page->n_traces; i++) {
        fprintf(out, "<tr><td class=\"what\"><strong>B%zu</strong> <span class=\"variant\">",
                i + 1);
        loom_html_text(out, base_name(page->traces[i]));
        fprintf(out, "</span></td><td class=\"number first\" data-label=\"Overall\">%.2f",
                loom_scorecard_overall(page->cards[i]).mean);
        write_bar(out, loom_scorecard_overall(page->cards[i]).mean);
        fputs("</td>", out);
        write_scores(out, page->cards[i]);
    }
    fprintf(
        out,
        "</tbody></table></div>\n<p class=\"intro\">Coverage is the share of what A knows that "
        "the trace knows as well, by parts; overall is the score where all that is lacking "
        "counts as 0. What follows are means over the %zu traces; behind ± stands half of the "
        "95 %% confidence interval of the mean (Student's t), which of two or three traces may be "
        "wider than the scale from 0 to 1. It is meant for replications of one workload; of "
        "unlike traces, go by the lines above.</p>\n",
        page->n_traces);
}

/* ---- the models that were ranked ------------------------------------------------------------- */

/* Each model once, whatever its variants. */
static bool was_before(const struct loom_ranking *ranking, size_t index)
{
    struct loom_ranking_entry entry, before;
    bool found = false;
    loom_ranking_at(ranking, index, &entry);
    for (size_t i = 0; i < index && !found; i++)
        found = loom_ranking_at(ranking, i, &before) && before.info == entry.info;
    return found;
}

static void write_models(FILE *out, const struct loom_ranking *ranking)
{
    struct loom_ranking_entry entry;
    fputs("<dl>\n", out);
    for (size_t i = 0; loom_ranking_at(ranking, i, &entry); i++) {
        if (was_before(ranking, i))
            continue;
        fprintf(out, "<dt id=\"m-%s\">%s</dt><dd>", entry.info->name, entry.info->name);
        loom_html_text(out, entry.info->summary);
        fputs(" (", out);
        loom_html_text(out, entry.info->source);
        fputs(")</dd>\n", out);
    }
    fputs("</dl>\n", out);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void open_table(FILE *out, const struct loom_contrast_page *page)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus\"><thead><tr><th>Feature</th>"
          "<th>",
          out);
    fputs(page->ranking ? "Log" : "A", out);
    fputs("</th>", out);
    for (size_t i = 0; i < page->n; i++) {
        fputs("<th>", out);
        loom_html_text(out, page->contestants[i].label);
        fputs("</th>", out);
    }
    fputs(page->n == 1 ? "<th>Distance</th><th>Closeness</th></tr></thead><tbody>\n"
                       : "</tr></thead><tbody>\n",
          out);
}

static void write_what(FILE *out, const struct loom_compared *line)
{
    const struct loom_feature_info *info = line->info;
    fprintf(out, "<tr id=\"%s%s\"><td class=\"what\"><code>%s</code> ",
            line->distribution ? "d-" : "f-", info->key, info->key);
    loom_html_text(out, info->meaning);
    fputs(line->distribution ? " (distribution; medians)</td>" : "</td>", out);
}

static void write_b(FILE *out, const struct loom_compared *line, const char *label, bool distance)
{
    fputs("<td class=\"number\" data-label=\"", out);
    loom_html_text(out, label);
    fputs("\">", out);
    if (line->known == 0) {
        fputs("\xE2\x80\x93</td>", out);
        return;
    }
    write_number(out, line->info, line->b.mean);
    if (!isnan(line->b.sd)) {
        fputs("<span class=\"range\">sd ", out);
        write_number(out, line->info, line->b.sd);
        fputs("</span>", out);
    }
    if (line->distribution)
        fprintf(out, "<span class=\"range\">KS %.3f</span>", line->ks);
    if (distance) {
        fputs("<span class=\"range\">distance ", out);
        write_distance(out, line->distance);
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

static void write_far(FILE *out, const struct loom_compared *line)
{
    if (line->known == 0) {
        fputs("<td class=\"missing\" colspan=\"2\">not known: ", out);
        loom_html_text(out, line->reason ? line->reason : "it was not computed");
        fputs("</td>", out);
        return;
    }
    fputs("<td class=\"number\" data-label=\"Distance\">", out);
    write_distance(out, line->distance);
    if (line->distribution) {
        fputs("<span class=\"range\">W ", out);
        write_number(out, line->info, line->wasserstein);
        fputs("</span><span class=\"range\">A² ", out);
        loom_html_number(out, line->anderson_darling);
        fputs("</span>", out);
    }
    fputs("</td><td class=\"number\" data-label=\"Closeness\">", out);
    fprintf(out, "%.2f", line->closeness);
    write_bar(out, line->closeness);
    fputs("</td>", out);
}

static void write_line(FILE *out, const struct loom_contrast_page *page, size_t index)
{
    const struct loom_compared *line = loom_scorecard_line(page->contestants[0].card, index);
    write_what(out, line);
    fprintf(out, "<td class=\"number first\" data-label=\"%s\">", page->ranking ? "Log" : "A");
    if (line->known_a)
        write_number(out, line->info, line->a);
    else
        fputs("\xE2\x80\x93", out);
    fputs("</td>", out);
    for (size_t i = 0; i < page->n; i++)
        write_b(out, loom_scorecard_line(page->contestants[i].card, index),
                page->contestants[i].label, page->n > 1);
    if (page->n == 1)
        write_far(out, line);
    fputs("</tr>\n", out);
}

/* The lines of a part, distributions first. */
static void write_lines(FILE *out, const struct loom_contrast_page *page, int part)
{
    const struct loom_scorecard *card = page->contestants[0].card;
    const struct loom_compared *line;
    open_table(out, page);
    for (int distribution = 1; distribution >= 0; distribution--)
        for (size_t i = 0; (line = loom_scorecard_line(card, i)); i++)
            if (line->part == part && line->distribution == (distribution == 1))
                write_line(out, page, i);
    fputs("</tbody></table></div>\n", out);
}

/* ---- sections -------------------------------------------------------------------------------- */

static void write_section(FILE *out, const struct loom_report *report,
                          const struct loom_contrast_page *page, size_t part)
{
    const struct loom_part_info *info = loom_part_at(part);
    fprintf(out, "<section id=\"%s\">\n<h2>%s</h2>\n<p class=\"intro\">%s</p>\n", info->name,
            info->title, info->meaning);
    loom_page_figures(out, report, info->name);
    loom_page_absent(out, report, info->name);
    write_lines(out, page, (int)part);
    fputs("</section>\n", out);
}

static void write_trace(FILE *out, const char *what, const struct loom_trace *trace)
{
    const struct loom_read_report *read = loom_trace_report(trace);
    fprintf(out, "<dt>%s</dt><dd>", what);
    loom_html_text(out, read->file);
    fputs(" · ", out);
    loom_html_number(out, (double)loom_trace_count(trace));
    fprintf(out, " %s · XXH3-64 %016" PRIx64 "</dd>\n",
            loom_trace_count(trace) == 1 ? "job" : "jobs", read->hash);
}

static const char *trace_label(const struct loom_contrast_page *page, size_t i, char *buf,
                               size_t size)
{
    if (page->n_traces == 1)
        return "B";
    snprintf(buf, size, "B%zu", i + 1);
    return buf;
}

static void write_traces(FILE *out, const struct loom_contrast_page *page)
{
    const struct loom_blocks *blocks = &page->blocks;
    char label[24];
    const char *unit = blocks->unit_s == 3600    ? "hours"
                       : blocks->unit_s == 86400 ? "days"
                                                 : "weeks";
    fputs("<section id=\"traces\">\n<h2>The traces</h2>\n<dl>\n", out);
    write_trace(out, page->ranking ? "Log" : "A, the reference", page->reference);
    for (size_t i = 0; i < page->n_traces; i++)
        write_trace(out, trace_label(page, i, label, sizeof label), page->traces[i]);
    fputs("<dt>Sampling errors</dt><dd>", out);
    if (blocks->unit_s == 0)
        fputs("not known, since the reference is shorter than eight hours: a tenth stands in", out);
    else
        fprintf(out, "from %zu resamples of %zu %s in blocks of %zu", blocks->resamples,
                blocks->units, unit, blocks->length);
    fputs("</dd>\n</dl>\n</section>\n", out);
}

static void write_nav(FILE *out)
{
    const struct loom_part_info *part;
    fputs("<nav aria-label=\"Sections\"><ul><li><a href=\"#summary\">Score</a></li>", out);
    for (size_t i = 0; (part = loom_part_at(i)); i++)
        fprintf(out, "<li><a href=\"#%s\">%s</a></li>", part->name, part->title);
    fputs("<li><a href=\"#others\">Not scored</a></li><li><a href=\"#traces\">The traces</a></li>"
          "</ul></nav>\n",
          out);
}

static const char *heading(const struct loom_contrast_page *page)
{
    return page->ranking ? "Models of " : "Compared with ";
}

static void write_top(FILE *out, const struct loom_contrast_page *page)
{
    fputs("<header><h1>", out);
    fputs(heading(page), out);
    loom_html_text(out, base_name(page->reference));
    fputs("</h1>\n<p class=\"sub\">", out);
    if (page->ranking) {
        loom_html_text(out, loom_trace_report(page->reference)->file);
    } else {
        fputs("A is ", out);
        loom_html_text(out, loom_trace_report(page->reference)->file);
        fputs(page->n_traces == 1 ? ", B is " : ", B are ", out);
        loom_html_text(out, loom_trace_report(page->traces[0])->file);
        if (page->n_traces > 1)
            fprintf(out, " and %zu more", page->n_traces - 1);
    }
    if (page->select) {
        fputs(" · jobs compared: ", out);
        loom_html_text(out, loom_page_selection(page->select));
    }
    fputs("</p></header>\n<main>\n<section id=\"summary\">\n<h2>Score</h2>\n", out);
}

static void write_summary(FILE *out, const struct loom_contrast_page *page)
{
    write_top(out, page);
    if (page->ranking) {
        write_ranking(out, page->ranking);
        write_models(out, page->ranking);
    } else {
        if (page->cards)
            write_each(out, page);
        write_score(out, page->contestants[0].card);
        if (page->other_lengths)
            fputs("<p class=\"absent\">Not all of these traces have about as many jobs as A and "
                  "last about as long. Scores are comparable only among traces of about one "
                  "length.</p>\n",
                  out);
    }
    fputs("<p class=\"intro\">Distances are in units of what two logs of the reference's machine "
          "would differ by chance: 1 means nothing, 3 and more that chance is no explanation. "
          "Closeness is 1 where nothing differs, 0.5 at a distance of 3, and goes to 0; a part is "
          "the mean over what belongs to it, the score the mean over parts.</p>\n</section>\n",
          out);
}

static void write_page(FILE *out, const struct loom_report *report, const void *context)
{
    const struct loom_contrast_page *page = context;
    loom_page_begin(out, heading(page), base_name(page->reference), style);
    write_nav(out);
    write_summary(out, page);
    for (size_t i = 0; loom_part_at(i); i++)
        write_section(out, report, page, i);
    fputs("<section id=\"others\">\n<h2>Not scored</h2>\n<p class=\"intro\">Numbers that grow with "
          "the length of a log, and those that say nearly the same as one above.</p>\n",
          out);
    write_lines(out, page, -1);
    fputs("</section>\n", out);
    write_traces(out, page);
    loom_page_end(out, page->command);
}

int loom_report_contrast_html(struct loom_report *report, const char *path,
                              const struct loom_contrast_page *page, struct loom_error *err)
{
    if (page->n == 0)
        return loom_fail(err, LOOM_EDATA, "there is nothing to compare with");
    return loom_page_write(report, path, write_page, page, err);
}
