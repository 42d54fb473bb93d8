/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulate_users.h - `workloom simulate --feedback` and `--users resampled`: people behind the jobs
 * of a simulation, who react to the service they get. */
#ifndef WORKLOOM_CLI_SIMULATE_USERS_H
#define WORKLOOM_CLI_SIMULATE_USERS_H

#include "simulate.h"

extern const struct loom_param people_params[]; /* users, feedback, ... */

/* Before the log is read: whether the options fit each other and the behaviour exists. */
int check_people(const struct invocation *call, struct loom_error *err);
/* apply_selection, for which "resampled" is no user's name. */
int select_people(struct simulation *of, struct loom_error *err);
/* The options by which jobs were selected, for a page: "--users 3 --first 100". Returns buf, or
 * NULL if none was given. */
const char *describe_selection(char *buf, size_t size, const struct invocation *call);
/* The people of of->trace, where they are asked for. */
int open_people(struct simulation *of, struct loom_error *err);
/* Tell of jobs of unknown users or waits, where people are asked for. */
void tell_gaps(const struct simulation *of);
/* With --load: that it is the log which is changed, before people submit. */
void say_people_load(const struct simulation *of);
/* Are the users of the results others than those of the log? */
bool has_new_users(const struct simulation *of);
/* Do the jobs come from people, also when their run is over? */
bool has_people(const struct simulation *of);
/* The load that the jobs of a run offered: what was asked for, unless users made another of it. */
double load_offered(const struct simulation *of);
/* After the run; nothing without people. */
int measure_people(struct simulation *of, struct loom_error *err);

/* Add "people", with the settings, to a document; nothing without people. Not 0 when memory is out.
 */
int add_people_json(struct json_t *document, const struct simulation *of);
/* In a few words, for a page: the population and how it behaves. False without people. */
bool describe_people(char *buf, size_t size, const struct simulation *of);
/* For a page; the caller must destroy it. */
int people_table(struct loom_table **out, const struct simulation *of, struct loom_error *err);
/* The same of several runs, a row for each. */
int run_people_table(struct loom_table **out, const struct simulation *runs, size_t n,
                     struct loom_error *err);
/* A table below the others. */
int print_people(const struct simulation *of, struct loom_error *err);
int print_run_people(const struct simulation *runs, size_t n, struct loom_error *err);

#endif
