/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.h - reading a table for people cell by cell, to show it elsewhere than in a terminal. */
#ifndef LOOM_BASE_TABLE_H
#define LOOM_BASE_TABLE_H

#include <workloom/base.h>

size_t loom_table_width(const struct loom_table *table); /* columns */
enum loom_align loom_table_align(const struct loom_table *table, size_t column);
/* Row 0 has the titles. NULL where there is no such cell. */
const char *loom_table_text(const struct loom_table *table, size_t row, size_t column);

#endif
