/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a database is of another plan: the keys in which one of its cells differs from the cell of
 * the plan that is most like it. */
#include "experiment/store_db.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { MOST_KEYS = 64, VALUE_BYTES = 128, TEXT_BYTES = 400 };

struct stored_key {
    char name[40], value[VALUE_BYTES];
};

struct stored_cell {
    struct stored_key keys[MOST_KEYS];
    size_t n;
};

static int read_cell(struct stored_cell *out, struct loom_store *store, const char *hash,
                     struct loom_error *err)
{
    sqlite3_stmt *all;
    int step = SQLITE_DONE;
    int rc = loom_db_prepare(
        &all, store,
        "SELECT 'trace', trace FROM cells WHERE hash = ?1 "
        "UNION ALL SELECT 'source', source FROM cells WHERE hash = ?1 "
        "UNION ALL SELECT 'scheduler', scheduler FROM cells WHERE hash = ?1 "
        "UNION ALL SELECT 'load', printf('%g', load) FROM cells WHERE hash = ?1 AND load NOT NULL "
        "UNION ALL SELECT 'seed', value FROM plan WHERE key = 'seed' "
        "UNION ALL SELECT key, value FROM settings WHERE cell = "
        "(SELECT cell FROM cells WHERE hash = ?1) AND key <> 'load'",
        err);
    if (rc)
        return rc;
    sqlite3_bind_text(all, 1, hash, -1, SQLITE_STATIC);
    while (out->n < MOST_KEYS && (step = sqlite3_step(all)) == SQLITE_ROW) {
        const char *value = (const char *)sqlite3_column_text(all, 1);
        struct stored_key *key = &out->keys[out->n++];
        snprintf(key->name, sizeof key->name, "%s", (const char *)sqlite3_column_text(all, 0));
        snprintf(key->value, sizeof key->value, "%s", value ? value : "");
    }
    if (step != SQLITE_ROW && step != SQLITE_DONE)
        rc = loom_db_fail(store, "read", err);
    sqlite3_finalize(all);
    return rc;
}

/* The value of a key of a planned cell, "" if it has none. */
static const char *planned_value(const struct loom_store_plan *plan,
                                 const struct loom_store_cell *cell, const char *key,
                                 char buf[VALUE_BYTES])
{
    const char *text = strcmp(key, "trace") == 0       ? cell->trace
                       : strcmp(key, "source") == 0    ? cell->source
                       : strcmp(key, "scheduler") == 0 ? cell->scheduler
                                                       : NULL;
    buf[0] = '\0';
    if (strcmp(key, "seed") == 0)
        snprintf(buf, VALUE_BYTES, "%" PRIu64, plan->seed);
    else if (strcmp(key, "load") == 0 && !isnan(cell->load))
        snprintf(buf, VALUE_BYTES, "%g", cell->load);
    for (size_t i = 0; i < cell->n_settings && !text && !buf[0]; i++)
        if (strcmp(cell->settings[i].key, key) == 0)
            text = cell->settings[i].value;
    if (text)
        snprintf(buf, VALUE_BYTES, "%s", text);
    return buf;
}

static bool has_key(const struct stored_cell *stored, const char *key)
{
    for (size_t i = 0; i < stored->n; i++)
        if (strcmp(stored->keys[i].name, key) == 0)
            return true;
    return false;
}

/* Add a key to the text if it differs, "load 0.6 (this plan: 0.7)". Returns whether it does. */
static bool add_key(char text[TEXT_BYTES], const char *key, const char *stored, const char *planned)
{
    size_t used = strlen(text);
    if (strcmp(stored, planned) == 0)
        return false;
    snprintf(text + used, TEXT_BYTES - used, "%s%s %s (this plan: %s)", used ? ", " : "", key,
             stored[0] ? stored : "none", planned[0] ? planned : "none");
    return true;
}

/* Write the differences of a planned cell and return their number. */
static size_t differences_of(char text[TEXT_BYTES], const struct stored_cell *stored,
                             const struct loom_store_plan *plan, const struct loom_store_cell *cell)
{
    char value[VALUE_BYTES];
    size_t n = 0;
    text[0] = '\0';
    for (size_t i = 0; i < stored->n; i++)
        n += add_key(text, stored->keys[i].name, stored->keys[i].value,
                     planned_value(plan, cell, stored->keys[i].name, value));
    if (!has_key(stored, "load"))
        n += add_key(text, "load", "", planned_value(plan, cell, "load", value));
    for (size_t i = 0; i < cell->n_settings; i++)
        if (strcmp(cell->settings[i].key, "load") != 0 && !has_key(stored, cell->settings[i].key))
            n += add_key(text, cell->settings[i].key, "", cell->settings[i].value);
    return n;
}

/* Add the value of one more cell that differs in the same key alone: "(this plan: 0.6, 0.7)". */
static void add_value(char least[TEXT_BYTES], const char *text)
{
    static const char mark[] = "(this plan: ";
    const char *value = strstr(text, mark);
    size_t used = strlen(least), prefix = value ? (size_t)(value - text) + strlen(mark) : 0;
    char item[VALUE_BYTES];
    if (!value || strncmp(least, text, prefix) != 0)
        return;
    snprintf(item, sizeof item, "%.*s", (int)strlen(text + prefix) - 1, text + prefix);
    if (!strstr(least + prefix, item))
        snprintf(least + used - 1, TEXT_BYTES - used + 1, ", %s)", item);
}

int loom_store_fail_other(struct loom_store *store, const struct loom_store_plan *plan,
                          const char *hash, struct loom_error *err)
{
    struct stored_cell stored = {.n = 0};
    char text[TEXT_BYTES], least[TEXT_BYTES] = "";
    size_t fewest = SIZE_MAX;
    int rc = read_cell(&stored, store, hash, err);
    if (rc)
        return rc;
    for (size_t i = 0; i < plan->n_cells; i++) {
        size_t n = differences_of(text, &stored, plan, &plan->cells[i]);
        if (n < fewest) {
            fewest = n;
            memcpy(least, text, sizeof least);
        } else if (n == 1 && fewest == 1) {
            add_value(least, text);
        }
    }
    return loom_fail_at(err, LOOM_EUSAGE, store->path, 0, 0,
                        "the database is of another plan: it has %s; name another file",
                        least[0] ? least : "runs of other content of the same files");
}
