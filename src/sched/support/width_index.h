/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * width_index.h - waiting jobs in groups of similar width, each group in the order of submission,
 * with a search for the next job that has a value of at most the limit of its group.
 *
 * A job has a length and, if it has a reservation, a start. A search uses one or two of the three
 * values of enum loom_width_value and skips jobs without the value. Each width up to 64 is a group
 * of its own; above, the widths of a group differ by less than 1/32. Groups are divided into
 * blocks, and blocks of blocks, that have the minimum of each value. A search takes O(groups * log
 * jobs). Memory: the largest number of jobs that each group had at once, and six bytes per job ever
 * added.
 *
 * Zero the struct before the first loom_width_index_open.
 */
#ifndef LOOM_SCHED_SUPPORT_WIDTH_INDEX_H
#define LOOM_SCHED_SUPPORT_WIDTH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOM_NO_VALUE INT64_MAX

enum { LOOM_WIDTH_GROUPS = 64 + 32 * 25 };

enum loom_width_value {
    LOOM_WIDTH_UNRESERVED, /* length of a job without a reservation */
    LOOM_WIDTH_RESERVED,   /* length of a job with one */
    LOOM_WIDTH_START,      /* its start */
    LOOM_WIDTH_VALUES,
};

struct loom_width_group;

struct loom_width_index {
    unsigned n, capacity;            /* groups in use, and allocated */
    struct loom_width_group *groups; /* by width */
    int64_t *min[LOOM_WIDTH_VALUES]; /* by group */
    int64_t overall_min[LOOM_WIDTH_VALUES];
    uint32_t *position; /* by job, in its group */
    uint16_t *group;    /* by job */
    size_t jobs, position_capacity, group_capacity;
};

/* Delete all jobs; later ones have at most `widest` processors. Memory is kept. 0, or -1 if out of
 * memory. */
int loom_width_index_open(struct loom_width_index *index, int64_t widest);
void loom_width_index_free(struct loom_width_index *index);

/* Return the group of a width, and the narrowest width of a group. */
unsigned loom_width_group_of(int64_t procs);
int64_t loom_width_group_min(unsigned group);

/* Add the job of the next number, without a reservation. 0, or -1 if out of memory. */
int loom_width_index_add(struct loom_width_index *index, int64_t procs, int64_t length_s);

/* Change the length and start of a job; start LOOM_NO_VALUE: no reservation. */
void loom_width_index_set(struct loom_width_index *index, uint32_t job, int64_t length_s,
                          int64_t start_s);
/* Remove a job. It must not be used again. */
void loom_width_index_remove(struct loom_width_index *index, uint32_t job);
/* Return a value of a job, or LOOM_NO_VALUE. */
int64_t loom_width_index_get(const struct loom_width_index *index, uint32_t job,
                             enum loom_width_value value);
/* Return the minimum of a value over all jobs, or LOOM_NO_VALUE. */
static inline int64_t loom_width_index_min(const struct loom_width_index *index,
                                           enum loom_width_value value)
{
    return index->overall_min[value];
}

/* Search for a job of the first n_groups groups with value[0] <= limit[0][group] or
 * value[1] <= limit[1][group], and for which accepts() returns true. limit[1] may be NULL. */
struct loom_width_query {
    unsigned n_groups;
    enum loom_width_value value[2];
    const int64_t *limit[2];
    bool (*accepts)(const void *self, uint32_t job);
    const void *self;
};

/* Return the first such job from a number on, or LOOM_NO_JOB. */
uint32_t loom_width_index_next(const struct loom_width_index *index,
                               const struct loom_width_query *query, uint32_t from);

/* A list of job numbers. Zeroed, it is empty; the owner frees `jobs`. */
struct loom_job_list {
    int64_t *jobs;
    size_t n, capacity;
};

/* List all jobs with a reservation, in the order of submission, replacing the contents of the list.
 * Faster than a search for each, which visits every group. 0, or -1 if out of memory. */
int loom_width_index_reserved(const struct loom_width_index *index, struct loom_job_list *list);

#endif
