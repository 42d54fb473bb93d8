/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A reproduction as JSON and Markdown. */
#include "reproduce/against.h"
#include "reproduce/numbers.h"
#include "reproduce/remarks.h"
#include "reproduce/reproduction.h"

#include "base/json.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *optional_text(const char *text)
{
    return text ? loom_json_text(text) : json_null();
}

/* A claim with the replications of the other of quick and full, null where it is not known. */
static json_t *other_json(const struct loom_reproduced_claim *claim)
{
    if (!claim->other_known)
        return json_null();
    json_t *out = json_object();
    int bad = !out;
    bool has = claim->other_has_interval;
    bad |= json_object_set_new(out, "value", loom_json_number(claim->other_value));
    bad |= json_object_set_new(out, "low", has ? loom_json_number(claim->other_low) : json_null());
    bad |=
        json_object_set_new(out, "high", has ? loom_json_number(claim->other_high) : json_null());
    bad |= json_object_set_new(out, "replications",
                               json_integer((json_int_t)claim->other_replications));
    bad |=
        json_object_set_new(out, "verdict", json_string(loom_verdict_name(claim->other_verdict)));
    if (!bad)
        return out;
    json_decref(out);
    return NULL;
}

static json_t *claim_json(const struct loom_reproduced_claim *claim, bool quick)
{
    json_t *out = json_object();
    int bad = !out;
    bad |= json_object_set_new(out, "what", loom_json_text(claim->what));
    bad |= json_object_set_new(out, "log", optional_text(claim->log));
    bad |= json_object_set_new(out, "file", optional_text(claim->used));
    bad |= json_object_set_new(out, "stands_in", optional_text(claim->stands_in));
    bad |= json_object_set_new(out, "relation", json_string(claim->bound));
    bad |= json_object_set_new(out, "printed", loom_json_number(claim->printed));
    bad |= json_object_set_new(out, "tolerance", loom_json_number(claim->tolerance));
    bad |= json_object_set_new(out, "value",
                               claim->known ? loom_json_number(claim->value) : json_null());
    bad |= json_object_set_new(out, "low",
                               claim->has_interval ? loom_json_number(claim->low) : json_null());
    bad |= json_object_set_new(out, "high",
                               claim->has_interval ? loom_json_number(claim->high) : json_null());
    bad |= json_object_set_new(out, "replications", json_integer((json_int_t)claim->replications));
    bad |= json_object_set_new(out, "replications_wanted", json_integer((json_int_t)claim->wanted));
    bad |= json_object_set_new(out, "verdict", json_string(loom_verdict_name(claim->verdict)));
    bad |= json_object_set_new(out, "why", optional_text(claim->why));
    bad |= json_object_set_new(out, "reason", optional_text(claim->reason));
    bad |= json_object_set_new(out, "tried", optional_text(claim->tried));
    bad |= json_object_set_new(out, "command", optional_text(claim->command));
    bad |= json_object_set_new(out, "changed", optional_text(claim->changed));
    bad |= json_object_set_new(out, "replications_deciding",
                               claim->deciding > 0 ? json_integer((json_int_t)claim->deciding)
                                                   : json_null());
    bad |= json_object_set_new(out, quick ? "full" : "quick", other_json(claim));
    if (!bad)
        return out;
    json_decref(out);
    return NULL;
}

static json_t *item_json(const struct loom_reproduction *all, size_t index)
{
    struct loom_reproduced_item item = loom_reproduction_item(all, index);
    json_t *out = json_object(), *claims = json_array();
    int bad = !out || !claims;
    bad |= json_object_set_new(out, "name", json_string(item.name));
    bad |= json_object_set_new(out, "text", json_string(item.text));
    bad |= json_object_set_new(out, "chapter", json_string(item.chapter));
    bad |= json_object_set_new(out, "place", json_string(item.place));
    bad |= json_object_set_new(out, "title", json_string(item.title));
    bad |= json_object_set_new(out, "note", optional_text(item.note));
    bad |= json_object_set_new(out, "verdict", json_string(loom_verdict_name(item.verdict)));
    bad |= json_object_set_new(out, "not_possible", json_integer((json_int_t)item.not_possible));
    for (size_t i = 0; i < item.n && !bad; i++) {
        struct loom_reproduced_claim claim = loom_reproduction_claim(all, index, i);
        bad |= json_array_append_new(claims, claim_json(&claim, all->quick));
    }
    bad |= json_object_set(out, "claims", claims);
    json_decref(claims);
    if (!bad)
        return out;
    json_decref(out);
    return NULL;
}

static json_t *counts_json(const struct loom_reproduction *all)
{
    size_t counts[LOOM_VERDICTS];
    json_t *out = json_object();
    int bad = !out;
    loom_reproduction_count(all, counts);
    for (int i = 0; i < LOOM_VERDICTS; i++)
        bad |= json_object_set_new(out, loom_verdict_name((enum loom_verdict)i),
                                   json_integer((json_int_t)counts[i]));
    if (!bad)
        return out;
    json_decref(out);
    return NULL;
}

int loom_reproduction_json(const struct loom_reproduction *reproduction, struct loom_output *out,
                           const char *command, struct loom_error *err)
{
    json_t *document = json_object(), *items = json_array();
    int bad = !document || !items;
    bad |= json_object_set_new(document, "version", json_string(loom_version()));
    bad |= json_object_set_new(document, "command", optional_text(command));
    bad |=
        json_object_set_new(document, "mode", json_string(reproduction->quick ? "quick" : "full"));
    bad |= json_object_set_new(document, "seed", json_integer((json_int_t)reproduction->seed));
    bad |= json_object_set_new(document, "complete", json_boolean(!reproduction->stopped));
    for (size_t i = 0; i < reproduction->n && !bad; i++)
        bad |= json_array_append_new(items, item_json(reproduction, i));
    bad |= json_object_set(document, "items", items);
    bad |= json_object_set_new(document, "verdicts", counts_json(reproduction));
    int rc = bad ? loom_fail_memory(err) : loom_json_write(document, out, err);
    json_decref(items);
    json_decref(document);
    return rc;
}

/* ---- Markdown -------------------------------------------------------------------------------- */

/* Write a text as the cell of a table. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}

static void put_claim(FILE *out, size_t row, const struct loom_reproduced_claim *claim)
{
    char log[80], printed[80], ours[200];
    fprintf(out, "| %zu | ", row);
    put_cell(out, claim->what);
    fprintf(out, " | %s | %s | %s | %s |\n", loom_log_text(claim, log, sizeof log),
            loom_printed_text(claim, printed, sizeof printed),
            loom_ours_text(claim, ours, sizeof ours), loom_verdict_name(claim->verdict));
}

/* Write remarks on claims as a list. Commands would fill the page, and are in JSON and HTML. */
static void put_remarks(FILE *out, const struct loom_reproduction *all, size_t index)
{
    struct loom_remark remark;
    for (int kind = 0; kind < LOOM_REMARK_COMMAND; kind++)
        for (size_t i = 0; loom_remark_at(&remark, all, index, (enum loom_remark_kind)kind, i); i++)
            fprintf(out, "- %s: %s%s\n", remark.rows,
                    loom_remark_title((enum loom_remark_kind)kind), remark.text);
}

static void put_item(FILE *out, const struct loom_reproduction *all, size_t index)
{
    struct loom_reproduced_item item = loom_reproduction_item(all, index);
    char impossible[64];
    loom_impossible_text(&item, impossible, sizeof impossible);
    fprintf(out, "\n### %s: %s\n\n`%s`: **%s**%s%s\n", item.place, item.title, item.name,
            loom_verdict_name(item.verdict), impossible[0] ? ", " : "", impossible);
    if (item.note)
        fprintf(out, "\n%s\n", item.note);
    if (item.n == 0)
        return;
    fputs("\n| # | what | log | printed | ours | verdict |\n|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < item.n; i++) {
        struct loom_reproduced_claim claim = loom_reproduction_claim(all, index, i);
        put_claim(out, i + 1, &claim);
    }
    fputc('\n', out);
    put_remarks(out, all, index);
}

/* Write what verdicts mean. */
static void put_verdicts(FILE *out)
{
    fputs("\n| verdict | meaning |\n|---|---|\n", out);
    for (size_t i = 0; loom_verdict_meanings[i]; i += 2)
        fprintf(out, "| %s | %s |\n", loom_verdict_meanings[i], loom_verdict_meanings[i + 1]);
    fputs("\nAn item has the worst verdict of its claims that could be tested, but for further "
          "readings, which are shown and do not count. Numbers before remarks are rows of the "
          "table above them.\n",
          out);
}

/* Write a claim with both numbers of replications as a row. */
static void put_against_row(FILE *out, const struct loom_reproduction *all,
                            const struct loom_against *against)
{
    char log[80], printed[80], quick[200], full[200];
    fprintf(out, "| `%s` | %zu | ", all->items[against->item].item->name, against->row + 1);
    put_cell(out, against->quick.what);
    fprintf(out, " | %s | %s | %s | %s | %s | %s |\n",
            loom_log_text(&against->quick, log, sizeof log),
            loom_printed_text(&against->quick, printed, sizeof printed),
            loom_ours_text(&against->quick, quick, sizeof quick),
            loom_verdict_name(against->quick.verdict),
            loom_ours_text(&against->full, full, sizeof full),
            loom_verdict_name(against->full.verdict));
}

/* Write what verdicts are others with many replications, where that is known. */
static void put_against(FILE *out, const struct loom_reproduction *all)
{
    char text[500];
    struct loom_against against = {0};
    if (!loom_against_text(all, text, sizeof text)[0])
        return;
    fprintf(out, "\n## Quick against full\n\n%s.\n", text);
    if (!loom_against_next(&against, all))
        return;
    fputs("\n| item | # | what | log | printed | quick | verdict | full | verdict |\n"
          "|---|---|---|---|---|---|---|---|---|\n",
          out);
    do
        put_against_row(out, all, &against);
    while (loom_against_next(&against, all));
}

static void put_document(FILE *out, const struct loom_reproduction *all, const char *command)
{
    char text[200];
    const char *before = "", *chapter = "";
    fputs("# Tables and figures of the texts, computed again\n\n", out);
    if (command)
        fprintf(out, "Written by `%s` (version %s). ", command, loom_version());
    fprintf(out, "%s\n", loom_counts_text(all, text, sizeof text));
    put_verdicts(out);
    put_against(out, all);
    for (size_t i = 0; i < all->n; i++) {
        struct loom_reproduced_item item = loom_reproduction_item(all, i);
        if (strcmp(item.text, before) != 0 || strcmp(item.chapter, chapter) != 0)
            fprintf(out, "\n## %s%s%s\n", item.text, item.chapter[0] ? ", " : "", item.chapter);
        before = item.text;
        chapter = item.chapter;
        put_item(out, all, i);
    }
}

int loom_reproduction_markdown(const struct loom_reproduction *reproduction,
                               struct loom_output *out, const char *command, struct loom_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory)
        return loom_fail_memory(err);
    put_document(memory, reproduction, command);
    int bad = ferror(memory);
    bad |= fclose(memory);
    int rc = bad ? loom_fail_memory(err) : loom_output_write(out, text, size, err);
    free(text);
    return rc;
}
