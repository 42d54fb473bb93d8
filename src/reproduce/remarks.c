/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Remarks on claims, and the meaning of verdicts. */
#include "reproduce/remarks.h"

#include <stdio.h>
#include <string.h>

const char *const loom_verdict_meanings[] = {
    "same",
    "the printed number is within the tolerance of our estimate, whose interval is no wider than "
    "twice the tolerance",
    "same finding",
    "the statement holds; its number differs, or none is printed",
    "substitute",
    "the statement holds on another log, as the text's log is not at hand",
    "undecided",
    "the interval of our mean, median or share is wider than twice the tolerance, comes within the "
    "tolerance though the estimate itself does not, or has the bound of the statement inside: it "
    "shows neither. More replications (--full) may decide; the row has how many would if the "
    "estimate stays. This verdict was added after the first "
    "run; until then a wide interval around a printed number counted as same, and one around a "
    "bound as differs. Intervals of medians and shares, and the rule that the estimate itself must "
    "be within the tolerance to be the same, were added later. An extreme (largest, or largest "
    "over "
    "least) of fewer runs than the text has can only grow with more: it differs if it is already "
    "more than the claim allows, and is undecided otherwise, unless the statement is that it is "
    "above a bound which it has passed; until lately it was judged as if of as many runs",
    "differs",
    "neither holds; readings that were tried are named, with what each gives",
    "not possible",
    "a log is not at hand, the text prints no values, or the measure has no finite value",
    NULL,
};

const char *loom_remark_title(enum loom_remark_kind kind)
{
    static const char *const titles[LOOM_REMARKS] = {"tolerance: ", "changed after the first run: ",
                                                     "", "readings tried: ", ""};
    return titles[kind];
}

static const char *remark_of(const struct loom_reproduction *all, size_t item, size_t claim,
                             enum loom_remark_kind kind)
{
    struct loom_reproduced_claim of = loom_reproduction_claim(all, item, claim);
    const char *const texts[LOOM_REMARKS] = {of.known ? of.why : NULL, of.changed, of.reason,
                                             of.tried, of.command};
    return texts[kind] ? texts[kind] : "";
}

/* Write the numbers of the claims with a remark, runs of them as "3-7". */
static void name_rows(char *buf, size_t size, const struct loom_reproduction *all, size_t item,
                      enum loom_remark_kind kind, const char *text)
{
    size_t n = loom_reproduction_item(all, item).n, used = 0;
    buf[0] = '\0';
    for (size_t i = 0, end; i < n && used < size; i = end + 1) {
        for (end = i; end < n && strcmp(remark_of(all, item, end, kind), text) == 0;)
            end++;
        if (end == i)
            continue;
        used += (size_t)snprintf(buf + used, size - used, end > i + 1 ? "%s%zu-%zu" : "%s%zu",
                                 used > 0 ? ", " : "", i + 1, end);
    }
}

/* Is a claim the first with its remark? */
static bool is_first(const struct loom_reproduction *all, size_t item, size_t claim,
                     enum loom_remark_kind kind)
{
    const char *text = remark_of(all, item, claim, kind);
    for (size_t i = 0; i < claim; i++)
        if (strcmp(remark_of(all, item, i, kind), text) == 0)
            return false;
    return text[0] != '\0';
}

bool loom_remark_at(struct loom_remark *out, const struct loom_reproduction *all, size_t item,
                    enum loom_remark_kind kind, size_t index)
{
    size_t n = loom_reproduction_item(all, item).n;
    for (size_t i = 0; i < n; i++) {
        if (!is_first(all, item, i, kind) || index-- > 0)
            continue;
        out->text = remark_of(all, item, i, kind);
        name_rows(out->rows, sizeof out->rows, all, item, kind, out->text);
        return true;
    }
    return false;
}
