/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reproduce.h - tables and figures of the texts, computed again and compared with what is printed.
 *
 * An item is one table or figure. It has claims: numbers that the text prints, each with a
 * tolerance, and statements that can be tested. A reproduction measures the claims on the logs in a
 * directory and gives each claim, and each item, a verdict.
 *
 *     struct loom_reproduce_options options = {.logs = "logs", .quick = true};
 *     struct loom_reproduction *all = NULL;
 *     if (loom_reproduce(&all, &options, NULL, 0, &err))
 *         ...
 *     for (size_t i = 0; i < loom_reproduction_items(all); i++)
 *         puts(loom_verdict_name(loom_reproduction_item(all, i).verdict));
 *     loom_reproduction_destroy(all);
 */
#ifndef WORKLOOM_REPRODUCE_H
#define WORKLOOM_REPRODUCE_H

#include <workloom/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* From best to worst, as an item takes the verdict of its worst claim that could be tested. */
enum loom_verdict {
    LOOM_SAME,         /* within the tolerance */
    LOOM_SAME_FINDING, /* the statement holds; its number differs, or none is printed */
    LOOM_SUBSTITUTE,   /* holds on another log than the text's */
    LOOM_UNDECIDED,    /* the interval is too wide for either answer */
    LOOM_DIFFERS,
    LOOM_NOT_POSSIBLE, /* a log is not at hand, or the text does not print the values */
};
enum { LOOM_VERDICTS = 6 };

/* Return the name of a verdict: "same", "same finding", ... Static. */
LOOM_API const char *loom_verdict_name(enum loom_verdict verdict);

/* One item. Texts are static. */
struct loom_reproduced_item {
    const char *name;    /* "minh2012/table-3.3" */
    const char *text;    /* "Minh 2012" */
    const char *chapter; /* "Chapter 3" */
    const char *place;   /* "Table 3.3" */
    const char *title;   /* what it shows */
    const char *note;    /* what to know of our reading, or NULL */
    enum loom_verdict verdict;
    size_t n; /* claims */
    /* The fewest replications of a claim that has less than it should, and how many it should have;
     * 0: none has. */
    size_t replications, wanted;
    size_t not_possible; /* claims that could not be tested; the verdict is about the others */
};

/* One claim. Texts are valid as long as the reproduction. */
struct loom_reproduced_claim {
    const char *what;      /* what is measured, or stated */
    const char *log;       /* the text's log, or NULL */
    const char *used;      /* file that was read, or NULL */
    const char *stands_in; /* log that was used instead of the text's, or NULL */
    const char *bound;     /* "equals", "above" or "below" the printed number */
    double printed;
    double tolerance; /* absolute */
    const char *why;  /* reason of the tolerance, or NULL */
    bool known;       /* it was measured */
    bool
        has_interval; /* of a mean, median or share over replications, 95 %; ends may be infinite */
    double value, low, high;
    size_t replications; /* 0: nothing is random */
    size_t wanted;       /* replications without `quick`; 0: nothing is random */
    enum loom_verdict verdict;
    const char *reason;  /* why it could not be measured, or NULL */
    const char *tried;   /* readings that were tried and what each gives, or NULL */
    const char *command; /* how to make the number */
    const char *changed; /* what was changed after the first run, or NULL */
    /* Undecided claims: replications that would decide, if the estimate stays; 0: not known. */
    size_t deciding;
    /* The same claim with as many replications as the other of quick and full, where the database
     * has it and its number of replications is another. */
    bool other_known;
    bool other_has_interval;
    double other_value, other_low, other_high;
    size_t other_replications;
    enum loom_verdict other_verdict;
};

struct loom_reproduce_options {
    const char *logs; /* directory of logs; NULL: none are at hand */
    bool quick;       /* fewer replications than the texts */
    bool figures;     /* draw figures for the page; gnuplot must be on the PATH */
    const char *db;   /* database to continue and to fill; NULL: none */
    uint64_t seed;
    struct loom_pool *pool;   /* NULL: the calling thread */
    volatile const int *stop; /* return after the claim at hand when it is not 0; may be NULL */
    /* Called before each item; may be NULL. */
    void (*progress)(void *context, size_t done, size_t items, const char *name);
    /* Called before a run without `quick` whose database has times of a quick run: how long it will
     * take at that speed. May be NULL. */
    void (*estimate)(void *context, double seconds);
    void *context;
};

struct loom_reproduction;

/* Measure all items whose name starts with one of n prefixes; n = 0: all. The name of an item
 * stands for this item alone. The caller must destroy *out. Fails with LOOM_EUSAGE if a prefix fits
 * no item, LOOM_EIO if the directory or the database cannot be read or gnuplot is missing,
 * LOOM_EDATA if the database is no such database. A log that cannot be read makes its claims
 * impossible, with the reason. */
LOOM_API int loom_reproduce(struct loom_reproduction **out,
                            const struct loom_reproduce_options *options,
                            const char *const *prefixes, size_t n, struct loom_error *err);
/* Destroy a reproduction; NULL is allowed. */
LOOM_API void loom_reproduction_destroy(struct loom_reproduction *reproduction);

/* Return whether it was stopped before all items were done. */
LOOM_API bool loom_reproduction_stopped(const struct loom_reproduction *reproduction);
/* Return the number of items that were done. */
LOOM_API size_t loom_reproduction_items(const struct loom_reproduction *reproduction);
/* Return an item by index. */
LOOM_API struct loom_reproduced_item
loom_reproduction_item(const struct loom_reproduction *reproduction, size_t index);
/* Return a claim of an item by index. */
LOOM_API struct loom_reproduced_claim
loom_reproduction_claim(const struct loom_reproduction *reproduction, size_t item, size_t index);
/* Count the items of each verdict. */
LOOM_API void loom_reproduction_count(const struct loom_reproduction *reproduction,
                                      size_t counts[LOOM_VERDICTS]);

/* Store the name, place ("Table 3.3") and title of an item by index, without measuring. Returns
 * false past the last. Static. */
LOOM_API bool loom_item_at(size_t index, const char **name, const char **place, const char **title);

/* Write a reproduction as JSON. `command` is how it was made; NULL: not said. Fails as
 * loom_output_write does. */
LOOM_API int loom_reproduction_json(const struct loom_reproduction *reproduction,
                                    struct loom_output *out, const char *command,
                                    struct loom_error *err);
/* Write a reproduction as Markdown. Arguments and failure as for JSON. */
LOOM_API int loom_reproduction_markdown(const struct loom_reproduction *reproduction,
                                        struct loom_output *out, const char *command,
                                        struct loom_error *err);
/* Write a reproduction as a page of HTML. Arguments and failure as for JSON. */
LOOM_API int loom_reproduction_html(const struct loom_reproduction *reproduction,
                                    struct loom_output *out, const char *command,
                                    struct loom_error *err);

#ifdef __cplusplus
}
#endif
#endif
