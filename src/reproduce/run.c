/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measuring the claims of the items that are wanted. */
#include "reproduce/bench.h"
#include "reproduce/command.h"
#include "reproduce/figures.h"
#include "reproduce/identity.h"
#include "reproduce/reproduction.h"
#include "reproduce/store.h"
#include "reproduce/verdict.h"

#include "base/words.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

struct run {
    struct loom_reproduction *out;
    struct loom_bench *bench;
    struct loom_claim_store *store; /* NULL: none */
};

static bool is_item(const char *name)
{
    for (size_t i = 0; loom_chapters[i]; i++)
        for (size_t j = 0; j < loom_chapters[i]->n; j++)
            if (strcmp(loom_chapters[i]->items[j].name, name) == 0)
                return true;
    return false;
}

/* Is an item wanted? The name of an item stands for this one alone, anything else for all items
 * whose names start with it. */
static bool is_item_wanted(const char *name, const char *const *prefixes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (is_item(prefixes[i]) ? strcmp(name, prefixes[i]) == 0
                                 : strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return n == 0;
}

static size_t count_items(void)
{
    size_t n = 0;
    for (size_t i = 0; loom_chapters[i]; i++)
        n += loom_chapters[i]->n;
    return n;
}

bool loom_item_at(size_t index, const char **name, const char **place, const char **title)
{
    for (size_t i = 0; loom_chapters[i]; index -= loom_chapters[i++]->n)
        if (index < loom_chapters[i]->n) {
            *name = loom_chapters[i]->items[index].name;
            *place = loom_chapters[i]->items[index].place;
            *title = loom_chapters[i]->items[index].title;
            return true;
        }
    return false;
}

/* ---- one claim ------------------------------------------------------------------------------- */

static const char *copy(struct run *run, const char *text)
{
    return loom_arena_text(&run->out->arena, text, strlen(text));
}

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Measure a claim, or take its number from the database. */
static int measure_claim(struct loom_measured *out, struct run *run, const char *item,
                         const struct loom_claim *claim, const char *path, struct loom_error *err)
{
    uint64_t hash = 0;
    bool found = false;
    int replications = loom_bench_replications(run->bench, claim);
    int rc = run->store
                 ? loom_claim_identity(&hash, run->bench, item, claim, path, replications, err)
                 : 0;
    if (!rc && run->store)
        rc = loom_claim_store_find(out, &found, run->store, hash, err);
    if (rc || found)
        return rc;
    double began = now_s();
    rc = claim->measure(out, run->bench, claim, err);
    if (!rc)
        rc = loom_measured_check(out, err);
    if (!rc && run->store)
        rc = loom_claim_store_add(run->store, hash, item, claim->what ? claim->what : claim->of,
                                  out, now_s() - began, err);
    return rc;
}

/* Say why a claim cannot be tested. */
static int refuse_claim(struct loom_done_claim *out, struct run *run, const char *reason,
                        struct loom_error *err)
{
    out->verdict = LOOM_NOT_POSSIBLE;
    out->reason = copy(run, reason);
    return out->reason ? 0 : loom_fail_memory(err);
}

static int refuse_without_log(struct loom_done_claim *out, struct run *run,
                              const struct loom_claim *claim, struct loom_error *err)
{
    char text[256];
    const struct loom_log_info *log = loom_log_find(claim->log);
    const char *rest = strstr(log->prefix, ".swf") ? ".gz" : "-*.swf.gz";
    snprintf(text, sizeof text, "log not at hand: %s%s (%s)", log->prefix, rest, log->archive);
    return refuse_claim(out, run, text, err);
}

/* Return how many replications a claim should have that has n: as many where quick runs are as long
 * as full ones, or where nothing is random in one cell of a trial, which has one run then. */
static size_t wanted_replications(const struct loom_claim *claim, size_t n, int asked)
{
    bool all = (size_t)loom_claim_quick(claim) == loom_claim_full(claim) || (n == 1 && asked > 1);
    return n == 0 || all ? n : loom_claim_full(claim);
}

/* Take what the database has of a claim with the replications of the other of quick and full. */
static int find_other(struct loom_done_claim *out, struct run *run, const char *item,
                      const struct loom_claim *claim, const char *path, struct loom_error *err)
{
    int quick = loom_claim_quick(claim), full = (int)loom_claim_full(claim);
    int other = run->out->quick ? full : quick;
    uint64_t hash = 0;
    if (!run->store || quick == full)
        return 0;
    int rc = loom_claim_identity(&hash, run->bench, item, claim, path, other, err);
    if (!rc)
        rc = loom_claim_store_find(&out->other, &out->other_known, run->store, hash, err);
    if (!rc && out->other_known)
        out->other_verdict = loom_judge(claim, &out->other, out->substitute);
    return rc;
}

static int do_claim(struct loom_done_claim *out, struct run *run, const char *item,
                    const struct loom_claim *claim, struct loom_error *err)
{
    char command[1024], text[LOOM_ERROR_TEXT];
    const char *path;
    struct loom_error reason = {0};
    loom_bench_choose(run->bench, claim, &path, &out->substitute);
    if (!claim->measure)
        return refuse_claim(out, run, claim->tried, err);
    if (claim->log && !path)
        return refuse_without_log(out, run, claim, err);
    out->command =
        copy(run, loom_claim_command(command, sizeof command, claim, path ? file_name(path) : NULL,
                                     loom_bench_replications(run->bench, claim)));
    out->used = path ? copy(run, file_name(path)) : NULL;
    if (!out->command || (path && !out->used))
        return loom_fail_memory(err);
    int rc = measure_claim(&out->measured, run, item, claim, path, &reason);
    if (rc == LOOM_ENOMEM || rc == LOOM_EUSAGE) {
        if (err)
            *err = reason;
        return rc;
    }
    if (rc)
        return refuse_claim(out, run, loom_error_text(&reason, text, sizeof text), err);
    out->known = true;
    out->wanted =
        wanted_replications(claim, out->measured.n, loom_bench_replications(run->bench, claim));
    out->verdict = loom_judge(claim, &out->measured, out->substitute);
    return find_other(out, run, item, claim, path, err);
}

/* ---- all items ------------------------------------------------------------------------------- */

static int do_item(struct loom_done_item *out, struct run *run, struct loom_error *err)
{
    size_t n = out->item->n;
    const struct loom_reproduce_options *options = loom_bench_options(run->bench);
    enum loom_verdict *verdicts = loom_arena_alloc(&run->out->arena, (n + 1) * sizeof *verdicts);
    out->claims = loom_arena_alloc(&run->out->arena, (n + 1) * sizeof *out->claims);
    if (!verdicts || !out->claims)
        return loom_fail_memory(err);
    memset(out->claims, 0, (n + 1) * sizeof *out->claims);
    int rc = 0;
    for (size_t i = 0; i < n && !rc; i++) {
        rc = do_claim(&out->claims[i], run, out->item->name, &out->item->claims[i], err);
        verdicts[i] = out->claims[i].verdict;
        if (options->stop && *options->stop)
            run->out->stopped = true;
        if (run->out->stopped)
            return rc;
    }
    out->verdict = loom_judge_item(out->item, verdicts);
    return rc;
}

/* List the items that are wanted. */
static int list_items(struct loom_reproduction *out, const char *const *prefixes, size_t n,
                      struct loom_error *err)
{
    out->items = calloc(count_items() + 1, sizeof *out->items);
    if (!out->items)
        return loom_fail_memory(err);
    for (size_t i = 0; loom_chapters[i]; i++)
        for (size_t j = 0; j < loom_chapters[i]->n; j++)
            if (is_item_wanted(loom_chapters[i]->items[j].name, prefixes, n))
                out->items[out->n++] = (struct loom_done_item){.chapter = loom_chapters[i],
                                                               .item = &loom_chapters[i]->items[j]};
    return 0;
}

/* Refuse a word that is no start of an item's name, with the names that are near. */
static int refuse_prefix(const char *word, struct loom_error *err)
{
    const char **names = calloc(count_items() + 1, sizeof *names);
    const char *place, *title;
    if (!names)
        return loom_fail_memory(err);
    for (size_t i = 0; loom_item_at(i, &names[i], &place, &title);)
        i++;
    int rc = loom_fail_unknown(err, "item", word, names, "see 'workloom list items'");
    free(names);
    return rc;
}

static int check_prefixes(const struct loom_reproduction *all, const char *const *prefixes,
                          size_t n, struct loom_error *err)
{
    for (size_t i = 0; i < n; i++) {
        bool used = false;
        for (size_t j = 0; j < all->n; j++)
            used |= is_item_wanted(all->items[j].item->name, &prefixes[i], 1);
        if (!used)
            return refuse_prefix(prefixes[i], err);
    }
    return 0;
}

/* Add the time that a claim will take to *out: its time in a quick run, times the replications. */
static int estimate_claim(double *out, struct run *run, const char *item,
                          const struct loom_claim *claim, struct loom_error *err)
{
    const char *path = loom_bench_path(run->bench, claim);
    int quick = loom_claim_quick(claim);
    double seconds = 0;
    uint64_t hash;
    if (!claim->measure || (claim->log && !path))
        return 0;
    int rc = loom_claim_identity(&hash, run->bench, item, claim, path, quick, err);
    if (!rc)
        rc = loom_claim_store_seconds(&seconds, run->store, hash, err);
    *out += quick > 0 ? seconds * (double)loom_claim_full(claim) / quick : seconds;
    return rc;
}

/* Report how long a full run will take, by the times of a quick run in the same database. */
static int estimate_run(struct run *run, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(run->bench);
    double seconds = 0;
    int rc = 0;
    if (!run->store || options->quick || !options->estimate)
        return 0;
    for (size_t i = 0; i < run->out->n && !rc; i++) {
        const struct loom_item *item = run->out->items[i].item;
        for (size_t j = 0; j < item->n && !rc; j++)
            rc = estimate_claim(&seconds, run, item->name, &item->claims[j], err);
    }
    if (!rc)
        options->estimate(options->context, seconds);
    return rc;
}

static int do_items(struct run *run, struct loom_error *err)
{
    const struct loom_reproduce_options *options = loom_bench_options(run->bench);
    struct loom_reproduction *out = run->out;
    for (size_t i = 0; i < out->n; i++) {
        if (options->progress)
            options->progress(options->context, i, out->n, out->items[i].item->name);
        int rc = do_item(&out->items[i], run, err);
        if (rc)
            return rc;
        if (out->stopped)
            out->n = i;
    }
    return 0;
}

int loom_reproduce(struct loom_reproduction **out, const struct loom_reproduce_options *options,
                   const char *const *prefixes, size_t n, struct loom_error *err)
{
    struct run run = {.out = calloc(1, sizeof **out)};
    *out = NULL;
    if (!run.out)
        return loom_fail_memory(err);
    run.out->quick = options->quick;
    run.out->seed = options->seed;
    int rc = list_items(run.out, prefixes, n, err);
    if (!rc)
        rc = check_prefixes(run.out, prefixes, n, err);
    if (!rc)
        rc = loom_bench_create(&run.bench, options, err);
    if (!rc && options->db)
        rc = loom_claim_store_open(&run.store, options->db, err);
    if (!rc)
        rc = estimate_run(&run, err);
    if (!rc)
        rc = do_items(&run, err);
    if (!rc && options->figures)
        rc = loom_figures_make(run.out, run.bench, err);
    loom_claim_store_close(run.store);
    loom_bench_destroy(run.bench);
    if (rc)
        loom_reproduction_destroy(run.out);
    else
        *out = run.out;
    return rc;
}
