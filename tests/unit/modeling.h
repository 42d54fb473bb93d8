/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modeling.h - models in tests: made, generated from, fitted again, and asked for a parameter. */
#ifndef LOOM_TESTS_MODELING_H
#define LOOM_TESTS_MODELING_H

#include "support.h"

#include <workloom/models.h>

/* settings: "name=value" texts for the model's declared parameters, NULL-terminated, or NULL. All
 * fail with the message if that fails. */
struct loom_model *must_publish(const char *name, const char *const *settings);
struct loom_model *must_fit(const char *name, const struct loom_trace *trace,
                            const char *const *settings);
struct loom_trace *must_generate(const struct loom_model *model,
                                 const struct loom_generate_options *options);

/* Write the model's document. */
void must_save(const struct loom_model *model, const char *path);

/* A number of the model's document, by its path below "parameters": "arrivals.interarrival_s",
 * "classes.0.share"; of a list, its length. */
double number_in(const struct loom_model *model, const char *path);
/* The model after "path=number" has replaced a number of its document. */
struct loom_model *must_set(struct loom_model *model, const char *const *settings, size_t n);

/* The load that a generated trace offers to its machine. */
double load_of(const struct loom_trace *trace);
/* Spearman's, of runtimes with sizes. */
double correlation_of(const struct loom_trace *trace);

void assert_near(double got, double wanted, double tolerance);

#endif
