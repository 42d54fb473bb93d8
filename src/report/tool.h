/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what report has for the command beyond the public interface. */
#ifndef LOOM_REPORT_TOOL_H
#define LOOM_REPORT_TOOL_H

#include <workloom/report.h>

struct loom_output_set;
struct loom_table;

/* Let all files that are made of the report, from now on, appear with the others of a set, which is
 * borrowed for the life of the report. Otherwise a page appears when it is written, and so do all
 * figures of a directory. */
void loom_report_join(struct loom_report *report, struct loom_output_set *set);

/* A table in a section of its own, in words of the caller's that are shown as they are. */
struct loom_shown_table {
    const char *id, *title, *intro;
    const struct loom_table *table;
};

/* Show n tables on pages of runs that are written from now on; borrowed until then. */
void loom_report_tables(struct loom_report *report, const struct loom_shown_table *tables,
                        size_t n);

#endif
