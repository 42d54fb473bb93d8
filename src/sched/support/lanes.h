/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lanes.h - jobs by width, each width in the order of submission, and the question which is the
 * next job of all that has a value of at most what there is for its width.
 *
 * A job has a length, and if it is booked a start as well. Searches go by one of three values made
 * of these, and do not see a job whose value is LOOM_NO_VALUE. A lane holds one width up to 64,
 * above that widths less than a thirty-second apart. Each block of jobs of a lane, and each block
 * of such blocks, knows the least of each value: a search looks at every lane once, and into those
 * that have what it looks for, in time that grows with the logarithm of their jobs. Memory goes
 * with the most jobs that a lane has had at once, but for six bytes of each job that ever came.
 *
 * A zeroed struct begins with loom_lanes_open.
 */
#ifndef LOOM_SCHED_SUPPORT_LANES_H
#define LOOM_SCHED_SUPPORT_LANES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOM_NO_VALUE INT64_MAX

enum { LOOM_LANES = 64 + 32 * 25 };

enum loom_lane_value {
    LOOM_LANE_LOOSE,  /* the length of a job that is not booked */
    LOOM_LANE_BOOKED, /* the length of one that is */
    LOOM_LANE_START,  /* and its start */
    LOOM_LANE_VALUES,
};

struct loom_lane;

struct loom_lanes {
    unsigned n, capacity;             /* lanes there are, and there is room for */
    struct loom_lane *lanes;          /* by width */
    int64_t *least[LOOM_LANE_VALUES]; /* of each lane */
    int64_t least_of_all[LOOM_LANE_VALUES];
    uint32_t *place; /* of each job in its lane */
    uint16_t *lane;  /* of each job */
    size_t jobs, place_capacity, lane_capacity;
};

/* No jobs, none of more than `widest` processors to come. Memory of an earlier use is kept. 0, or
 * -1 when memory is out. */
int loom_lanes_open(struct loom_lanes *lanes, int64_t widest);
void loom_lanes_free(struct loom_lanes *lanes);

/* The lane of a width, and the narrowest width of a lane. */
unsigned loom_lane_of(int64_t procs);
int64_t loom_lane_width(unsigned lane);

/* The next job by number comes, with a length and not booked. 0, or -1 when memory is out. */
int loom_lanes_add(struct loom_lanes *lanes, int64_t procs, int64_t length_s);

/* Give a job another length and start; a start of LOOM_NO_VALUE is none. */
void loom_lanes_set(struct loom_lanes *lanes, uint32_t job, int64_t length_s, int64_t start_s);
/* A job goes, and must not be asked for again. */
void loom_lanes_remove(struct loom_lanes *lanes, uint32_t job);
int64_t loom_lanes_get(const struct loom_lanes *lanes, uint32_t job, enum loom_lane_value value);
/* The least of all jobs, or LOOM_NO_VALUE. */
static inline int64_t loom_lanes_least(const struct loom_lanes *lanes, enum loom_lane_value value)
{
    return lanes->least_of_all[value];
}

/* What to look for: a job whose one value, or whose other, is at most the limit of its lane, and of
 * which is() says so too. */
struct loom_lanes_quest {
    unsigned n_lanes; /* the first so many */
    enum loom_lane_value value[2];
    const int64_t *limit[2]; /* by lane; the second may be NULL */
    bool (*is)(const void *self, uint32_t job);
    const void *self;
};

/* The first such job from a number on, or LOOM_NO_JOB. */
uint32_t loom_lanes_next(const struct loom_lanes *lanes, const struct loom_lanes_quest *quest,
                         uint32_t from);

/* Jobs by number. A zeroed one is empty; its owner frees `jobs`. */
struct loom_lanes_list {
    int64_t *jobs;
    size_t n, capacity;
};

/* All jobs that are booked, in the order of submission, in place of what the list had: in one walk
 * along the lanes, where a search for each would look at every lane again. 0, or -1 when memory is
 * out. */
int loom_lanes_list_booked(const struct loom_lanes *lanes, struct loom_lanes_list *list);

#endif
