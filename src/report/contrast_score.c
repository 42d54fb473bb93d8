/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a page of comparison says first: the score and its parts in plain words or, for models,
 * their ranking.
 */
#include "report/contrast.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

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

static void write_spread(FILE *out, struct loom_spread spread)
{
    fprintf(out, "%.2f", spread.mean);
    if (!isnan(spread.half))
        fprintf(out, " ± %.2f", spread.half);
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
        loom_contrast_number(out, line->info, line->a);
        fputs(" against ", out);
        loom_contrast_number(out, line->info, line->b.mean);
    }
    if (line->known > 1 && !line->distribution) {
        fputs(" on average (sd ", out);
        loom_contrast_number(out, line->info, line->b.sd);
        fputs(")", out);
    }
    fputs(line->known > 1 || line->distribution ? ", taken together " : ", ", out);
    loom_contrast_distance(out, loom_distance_of(line->closeness));
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
    loom_contrast_bar(out, part->score.mean);
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
    write_spread(out, loom_scorecard_overall(card));
    fputs(" <small>of 1 overall, where what is lacking counts as 0; ", out);
    write_spread(out, loom_scorecard_score(card));
    fprintf(out, " of what both know (coverage %.2f)%s</small></p>\n",
            loom_scorecard_coverage(card),
            loom_scorecard_traces(card) == 1 ? "" : "; means of the traces");
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

/* Below the name of a model: what a variant of it does differently, or of which model a document
 * has the parameters. */
static void write_below(FILE *out, const char *word, const char *text)
{
    fprintf(out, " <span class=\"variant\">%s: ", word);
    loom_html_text(out, text);
    fputs("</span>", out);
}

static void write_label(FILE *out, const struct loom_ranking_entry *entry)
{
    static const char same[] = "variant=";
    bool said = entry->variant && strncmp(entry->variant, same, sizeof same - 1) == 0;
    loom_html_text(out, entry->variant ? entry->info->name : entry->label);
    if (entry->variant)
        write_below(out, "variant", entry->variant + (said ? sizeof same - 1 : 0));
    else if (strcmp(entry->label, entry->info->name) != 0)
        write_below(out, "model", entry->info->name);
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
    fprintf(out, "<tr><td class=\"what\" data-label=\"Model\"><strong>%zu. <a href=\"#m-%s\">",
            place, entry->info->name);
    write_label(out, entry);
    fputs("</a></strong></td><td class=\"number first\" data-label=\"Overall\">", out);
    write_spread(out, entry->overall);
    loom_contrast_bar(out, entry->overall.mean);
    fputs("</td>", out);
    write_scores(out, entry->card);
}

/* Half of the 95 % confidence interval of the difference of two means over n replications each, by
 * Welch's t. */
static double half_of_difference(struct loom_spread one, struct loom_spread other, double n)
{
    double a = one.sd * one.sd / n, b = other.sd * other.sd / n;
    if (a + b <= 0)
        return 0;
    double freedom = (a + b) * (a + b) / ((a * a + b * b) / (n - 1));
    return gsl_cdf_tdist_Pinv(0.975, freedom) * sqrt(a + b);
}

/* By how much the best is nearer to the log than the next, and how sure that is. */
static void write_margin(FILE *out, const struct loom_ranking_entry *best,
                         const struct loom_ranking_entry *next)
{
    size_t n = loom_scorecard_traces(best->card);
    double margin = best->overall.mean - next->overall.mean;
    double half = n > 1 ? half_of_difference(best->overall, next->overall, (double)n) : NAN;
    if (half >= margin)
        fputs(", not significantly above the next, <strong>", out);
    else
        fprintf(out, ", %.2f above the next, <strong>", margin);
    loom_html_text(out, next->label);
    fputs("</strong>, at ", out);
    write_spread(out, next->overall);
    if (n > 1)
        fprintf(out,
                " (95 %% confidence interval of the difference: %s%.3f to %.3f, by Welch's t over "
                "%zu replications of each)",
                margin < half ? "\xE2\x88\x92" : "", fabs(margin - half), margin + half, n);
    else
        fputs(" (one replication of each, so no confidence interval; 5 replications give one)",
              out);
}

/* Which model is nearest to the log, by how much, and what it is worst at. */
static void write_nearest(FILE *out, const struct loom_ranking *ranking)
{
    struct loom_ranking_entry best, next;
    const struct loom_score_part *part, *worst = NULL;
    if (!loom_ranking_at(ranking, 0, &best) || !best.card)
        return;
    fputs("<p class=\"lead\"><strong>", out);
    loom_html_text(out, best.label);
    fputs("</strong> is nearest to the log: overall score ", out);
    write_spread(out, best.overall);
    fputs(" of 1", out);
    if (loom_ranking_at(ranking, 1, &next) && next.card)
        write_margin(out, &best, &next);
    fputs(".", out);
    for (size_t i = 0; (part = loom_scorecard_part(best.card, i)); i++)
        if (part->items > 0 && (!worst || part->score.mean < worst->score.mean))
            worst = part;
    if (worst)
        fprintf(out, " Its weakest part is <a href=\"#%s\">%s</a> (%.2f).", worst->info->name,
                worst->info->title, worst->score.mean);
    fputs("</p>\n", out);
}

/* How many workloads stand behind the numbers, and how they were made. */
static void write_conditions(FILE *out, const struct loom_contrast_page *page)
{
    size_t replications = loom_scorecard_traces(page->contestants[0].card);
    fprintf(out, "<p class=\"intro\">%zu %s of each model, as many jobs each as the log has, at ",
            replications, replications == 1 ? "workload" : "workloads");
    if (page->load > 0)
        fprintf(out, "an offered load of %.3g.", page->load);
    else
        fputs("the load that the model gives by itself.", out);
    if (replications > 1 && replications < 5)
        fputs(" So few leave intervals wide: 5 replications and more narrow them.", out);
    fputs("</p>\n", out);
}

static void write_left_out(FILE *out, const struct loom_ranking *ranking)
{
    struct loom_ranking_entry entry;
    for (size_t i = 0; loom_ranking_at(ranking, i, &entry); i++) {
        if (entry.card)
            continue;
        fputs("<p class=\"absent\">The model ", out);
        loom_html_text(out, entry.label);
        fputs(" is left out: ", out);
        loom_html_text(out, entry.reason);
        fputs(".</p>\n", out);
    }
}

static void write_key(FILE *out, const struct loom_contrast_page *page)
{
    char best[48] = "best model";
    if (page->n > 1)
        snprintf(best, sizeof best, "%zu best models", page->n);
    fputs("<p class=\"intro\">The score is the mean of the ten parts to the right of it, each the "
          "mean closeness of its numbers and distributions. Coverage is the share of what the log "
          "knows that a model's workloads know as well, by parts, and <em>lacks</em> stands for a "
          "part of which they know nothing. Overall is the score where all that is lacking counts "
          "as 0: no model gains by leaving out what the log knows, such as users and bags. Behind "
          "± stands half of the 95 % confidence interval of the mean over replications (Student's "
          "t). A variant is a model fitted with the settings below its name in place of its own. ",
          out);
    fprintf(out,
            "Tables below show the log and the %s, and figures one workload of each, "
            "with the parameters of a variant after a colon; the JSON output has the numbers of "
            "all.</p>\n",
            best);
}

static void write_ranking(FILE *out, const struct loom_contrast_page *page)
{
    struct loom_ranking_entry entry;
    write_nearest(out, page->ranking);
    write_conditions(out, page);
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus ranking\"><thead><tr>"
          "<th>Model</th><th>Overall</th>",
          out);
    write_score_heads(out);
    for (size_t i = 0; loom_ranking_at(page->ranking, i, &entry); i++)
        if (entry.card)
            write_model(out, &entry, i + 1);
    fputs("</tbody></table></div>\n", out);
    write_left_out(out, page->ranking);
    write_key(out, page);
}

/* ---- several traces -------------------------------------------------------------------------- */

static void write_each(FILE *out, const struct loom_contrast_page *page)
{
    fputs("<div class=\"scroll\" tabindex=\"0\"><table class=\"versus ranking\"><thead><tr>"
          "<th>Trace</th><th>Overall</th>",
          out);
    write_score_heads(out);
    for (size_t i = 0; i < page->n_traces; i++) {
        fprintf(out,
                "<tr><td class=\"what\" data-label=\"Trace\"><strong>B%zu</strong> <span "
                "class=\"variant\">",
                i + 1);
        loom_page_name(out, page->traces[i]);
        fprintf(out, "</span></td><td class=\"number first\" data-label=\"Overall\">%.2f",
                loom_scorecard_overall(page->cards[i]).mean);
        loom_contrast_bar(out, loom_scorecard_overall(page->cards[i]).mean);
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

/* ---- all of it ------------------------------------------------------------------------------- */

void loom_contrast_scores(FILE *out, const struct loom_contrast_page *page)
{
    if (page->ranking) {
        write_ranking(out, page);
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
