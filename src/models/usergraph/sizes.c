/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sizes that have nothing to do with runtimes, in bags that stay bags: what a user submits in one
 * session with one size, job after job, is a row, and a row gets a size as a whole.
 *
 * The sizes of all jobs lie side by side, smallest first, and rows beside them in random order,
 * each as long as it has jobs. A row takes the size beside its middle, wherever that happens to be:
 * nothing that the row is has a say in it, and only rows that lie across the border of two sizes
 * change how many jobs there are of each.
 */
#include "models/usergraph/usergraph.h"

#include "base/sort.h"

#include <stdlib.h>

struct rows {
    uint32_t *first; /* the job that begins it, and one entry for the end of all */
    uint32_t *order;
    size_t n;
};

static bool begins_row(const struct loom_draft *draft, size_t i, int64_t pause_s)
{
    return i == 0 || draft->user[i] != draft->user[i - 1] ||
           draft->procs[i] != draft->procs[i - 1] || draft->submit_s[i] < draft->submit_s[i - 1] ||
           draft->submit_s[i] - draft->submit_s[i - 1] > pause_s;
}

static void find_rows(struct rows *out, const struct loom_draft *draft, int64_t pause_s)
{
    for (size_t i = 0; i < draft->n; i++)
        if (begins_row(draft, i, pause_s)) {
            out->order[out->n] = (uint32_t)out->n;
            out->first[out->n++] = (uint32_t)i;
        }
    out->first[out->n] = (uint32_t)draft->n;
}

static void shuffle(struct rows *rows, const struct loom_generation *generation)
{
    struct loom_stream stream;
    loom_generation_stream(&stream, generation, "usergraph sizes");
    for (size_t i = rows->n; i > 1; i--) {
        size_t other = (size_t)loom_stream_below(&stream, i);
        uint32_t row = rows->order[i - 1];
        rows->order[i - 1] = rows->order[other];
        rows->order[other] = row;
    }
}

/* sizes: in order. */
static void assign(struct loom_draft *draft, const struct rows *rows, const int64_t *sizes)
{
    size_t place = 0;
    for (size_t i = 0; i < rows->n; i++) {
        uint32_t first = rows->first[rows->order[i]], end = rows->first[rows->order[i] + 1];
        int32_t size = (int32_t)sizes[place + (end - first) / 2];
        for (uint32_t job = first; job < end; job++)
            draft->procs[job] = size;
        place += end - first;
    }
}

int loom_usergraph_shuffle_sizes(struct loom_generation *generation, int64_t pause_s,
                                 struct loom_error *err)
{
    struct loom_draft *draft = &generation->draft;
    if (draft->n > UINT32_MAX)
        return 0; /* too many for a trace, which loom_generation_settle() reports */
    struct rows rows = {.first = malloc((draft->n + 1) * sizeof *rows.first),
                        .order = malloc((draft->n + 1) * sizeof *rows.order)};
    int64_t *sizes = malloc((draft->n + 1) * sizeof *sizes);
    int rc = rows.first && rows.order && sizes ? 0 : loom_fail_memory(err);
    if (!rc) {
        for (size_t i = 0; i < draft->n; i++)
            sizes[i] = draft->procs[i];
        loom_sort_int64(sizes, draft->n);
        find_rows(&rows, draft, pause_s);
        shuffle(&rows, generation);
        assign(draft, &rows, sizes);
    }
    free(rows.first);
    free(rows.order);
    free(sizes);
    return rc;
}
