/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.h - comma-separated values, field by field (RFC 4180, lines end in a newline). */
#ifndef LOOM_REPORT_CSV_H
#define LOOM_REPORT_CSV_H

#include <stdio.h>
#include <workloom/base.h>

/* Text that goes to an output, or to a stream, piece by piece; the first failure of an output ends
 * it. Failures of a stream show when it is closed. */
struct loom_csv {
    struct loom_output *out;
    FILE *stream; /* used if out is NULL */
    struct loom_error *err;
    int rc;
};

/* Write text as it is. */
void loom_csv_put(struct loom_csv *to, const char *text, size_t length);
/* Write a field, quoted if it has a separator, a quote or a line end in it. */
void loom_csv_text(struct loom_csv *to, const char *text);
/* Write a number; the field of a value that is not finite is empty, as JSON has null. */
void loom_csv_number(struct loom_csv *to, double value);

#endif
