/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * widths.h - jobs in classes of width, each class in the order of submission, and the search for
 * the next job of all that has a value of at most the limit of its class.
 *
 * A job has a length, and if it is booked a start as well. Searches go by one of three values made
 * of these, and do not see a job whose value is LOOM_NO_VALUE. A class is one width up to 64, above
 * that widths less than a thirty-second apart. Each block of jobs of a class, and each block of
 * such blocks, has the least of each value: a search takes time that grows with the number of
 * classes and the logarithm of their jobs. Memory goes with the most jobs that a class has had at
 * once, and six bytes of each job that ever came.
 *
 * A zeroed struct begins with loom_widths_open.
 */
#ifndef LOOM_SCHED_SUPPORT_WIDTHS_H
#define LOOM_SCHED_SUPPORT_WIDTHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOM_NO_VALUE INT64_MAX

enum { LOOM_WIDTH_CLASSES = 64 + 32 * 25 };

enum loom_width_value {
    LOOM_WIDTH_LOOSE,  /* the length of a job that is not booked */
    LOOM_WIDTH_BOOKED, /* the length of one that is */
    LOOM_WIDTH_START,  /* and its start */
    LOOM_WIDTH_VALUES,
};

struct loom_width_class;

struct loom_widths {
    unsigned n, capacity;              /* classes in use, and allocated */
    struct loom_width_class *classes;  /* by width */
    int64_t *least[LOOM_WIDTH_VALUES]; /* of each class */
    int64_t least_of_all[LOOM_WIDTH_VALUES];
    uint32_t *place; /* of each job in its class */
    uint16_t *class; /* of each job */
    size_t jobs, place_capacity, class_capacity;
};

/* No jobs, none of more than `widest` processors to come. Memory of an earlier use is kept. 0, or
 * -1 when memory is out. */
int loom_widths_open(struct loom_widths *widths, int64_t widest);
void loom_widths_free(struct loom_widths *widths);

/* The class of a width, and the narrowest width of a class. */
unsigned loom_width_class_of(int64_t procs);
int64_t loom_width_class_least(unsigned class);

/* The next job by number comes, with a length and not booked. 0, or -1 when memory is out. */
int loom_widths_add(struct loom_widths *widths, int64_t procs, int64_t length_s);

/* Give a job another length and start; a start of LOOM_NO_VALUE is none. */
void loom_widths_set(struct loom_widths *widths, uint32_t job, int64_t length_s, int64_t start_s);
/* A job goes, and must not be asked for again. */
void loom_widths_remove(struct loom_widths *widths, uint32_t job);
int64_t loom_widths_get(const struct loom_widths *widths, uint32_t job,
                        enum loom_width_value value);
/* The least of all jobs, or LOOM_NO_VALUE. */
static inline int64_t loom_widths_least(const struct loom_widths *widths,
                                        enum loom_width_value value)
{
    return widths->least_of_all[value];
}

/* What to look for: a job whose one value, or whose other, is at most the limit of its class, and
 * of which is() says so too. */
struct loom_widths_query {
    unsigned n_classes; /* the first so many */
    enum loom_width_value value[2];
    const int64_t *limit[2]; /* by class; the second may be NULL */
    bool (*is)(const void *self, uint32_t job);
    const void *self;
};

/* The first such job from a number on, or LOOM_NO_JOB. */
uint32_t loom_widths_next(const struct loom_widths *widths, const struct loom_widths_query *query,
                          uint32_t from);

/* Jobs by number. A zeroed one is empty; its owner frees `jobs`. */
struct loom_widths_list {
    int64_t *jobs;
    size_t n, capacity;
};

/* All jobs that are booked, in the order of submission, in place of what the list had: in one walk
 * along the widths, where a search for each would look at every class again. 0, or -1 when memory
 * is out. */
int loom_widths_list_booked(const struct loom_widths *widths, struct loom_widths_list *list);

#endif
