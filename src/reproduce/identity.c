/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes of the program and of claims. */
#include "reproduce/identity.h"

#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the program ----------------------------------------------------------------------------- */

/* Copy the path of a line of /proc/self/maps, "LOW-HIGH rights offset device inode PATH", if the
 * address is between both. */
static bool read_mapping(char *path, size_t size, const char *line, uintptr_t address)
{
    char *end;
    const char *slash = strchr(line, '/');
    uintmax_t low = strtoumax(line, &end, 16);
    if (*end != '-' || !slash || address < low || address >= strtoumax(end + 1, NULL, 16))
        return false;
    snprintf(path, size, "%.*s", (int)strcspn(slash, "\n"), slash);
    return true;
}

/* Find the file that this code is mapped from; false if the system does not name it. */
static bool find_program(char *path, size_t size)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (maps && !found && getline(&line, &capacity, maps) > 0)
        found = read_mapping(path, size, line, (uintptr_t)&loom_program_hash);
    free(line);
    if (maps)
        fclose(maps);
    return found;
}

int loom_program_hash(uint64_t *out, struct loom_error *err)
{
    char path[4096];
    if (find_program(path, sizeof path))
        return loom_log_hash(out, path, err);
    *out = loom_hash(loom_version(), strlen(loom_version()));
    return 0;
}

/* ---- claims ---------------------------------------------------------------------------------- */

size_t loom_measure_number(loom_measure_fn *measure)
{
    static loom_measure_fn *const measures[] = {
        loom_measure_feature,     loom_measure_table,    loom_measure_model,
        loom_measure_distance,    loom_measure_variants, loom_measure_variant_distance,
        loom_measure_rearranged,  loom_measure_trial,    loom_measure_spread,
        loom_measure_users,       loom_measure_queueing, loom_measure_prediction,
        loom_measure_fit,         loom_measure_day,      loom_measure_parameter,
        loom_measure_running_mean};
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++)
        if (measures[i] == measure)
            return i;
    return LOOM_NO_MEASURE;
}

static void add_number(XXH3_state_t *state, uint64_t number)
{
    XXH3_64bits_update(state, &number, sizeof number);
}

/* Add a text with its length, so that texts side by side cannot be mistaken for others; NULL is
 * not the empty text. */
static void add_text(XXH3_state_t *state, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    add_number(state, text ? length : UINT64_MAX);
    XXH3_64bits_update(state, text ? text : "", length);
}

/* Add texts up to NULL; no list is as an empty one. */
static void add_texts(XXH3_state_t *state, const char *const *texts)
{
    for (size_t i = 0; texts && texts[i]; i++)
        add_text(state, texts[i]);
    add_text(state, NULL);
}

static void add_claim(XXH3_state_t *state, const struct loom_claim *claim)
{
    add_number(state, loom_measure_number(claim->measure));
    add_number(state, claim->per_log);
    const char *const texts[] = {claim->of, claim->with, claim->cell, claim->minus, claim->over};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        add_text(state, texts[i]);
    add_text(state, claim->trial ? claim->trial->name : NULL);
    add_texts(state, claim->trial ? claim->trial->words : NULL);
    add_texts(state, claim->trial ? claim->trial->local : NULL);
}

int loom_claim_identity(uint64_t *out, const struct loom_bench *bench, const char *item,
                        const struct loom_claim *claim, const char *path, int replications,
                        struct loom_error *err)
{
    uint64_t log = 0;
    if (loom_measure_number(claim->measure) == LOOM_NO_MEASURE)
        return loom_fail(err, LOOM_EUSAGE, "%s: a measure has no number in identity.c", item);
    int rc = path ? loom_log_hash(&log, path, err) : 0;
    XXH3_state_t *state = rc ? NULL : XXH3_createState();
    if (rc || !state)
        return rc ? rc : loom_fail_memory(err);
    XXH3_64bits_reset(state);
    add_text(state, item);
    add_claim(state, claim);
    add_number(state, log);
    add_number(state, (uint64_t)replications);
    add_number(state, loom_bench_options(bench)->seed);
    add_number(state, loom_bench_program(bench));
    *out = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return 0;
}
