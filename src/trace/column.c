/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of columns, made from LOOM_COLUMNS, and values of each column's type. */
#include "trace/column.h"

#define COLUMN_TYPE(type) \
    _Generic((type)0, int64_t : LOOM_WHOLE_64, int32_t : LOOM_WHOLE_32, double : LOOM_REAL)

const struct loom_column_info loom_column_table[LOOM_COLUMN_COUNT] = {
#define X(name, type, what) {#name, what, COLUMN_TYPE(type), offsetof(struct loom_job, name)},
    LOOM_COLUMNS(X)
#undef X
};

int loom_column_kind(enum loom_column column)
{
    _Static_assert(LOOM_COLUMN_partition - LOOM_COLUMN_user == (int)LOOM_PARTITION &&
                       LOOM_COLUMN_queue - LOOM_COLUMN_user == (int)LOOM_QUEUE,
                   "the columns that hold names stand in the order of their kinds");
    return column >= LOOM_COLUMN_user && column <= LOOM_COLUMN_partition
               ? (int)column - LOOM_COLUMN_user
               : -1;
}

enum loom_number loom_column_set(struct loom_job *job, enum loom_column column, const char *text,
                                 size_t length)
{
    void *const field = (char *)job + loom_column_table[column].offset;
    const enum loom_column_type type = loom_column_table[column].type;
    int64_t whole = 0;

    if (type == LOOM_REAL)
        return loom_number_real(field, text, length);
    if (type == LOOM_WHOLE_64)
        return loom_number_whole(field, text, length, INT64_MIN, INT64_MAX);
    const enum loom_number result = loom_number_whole(&whole, text, length, INT32_MIN, INT32_MAX);
    if (result >= 0)
        *(int32_t *)field = (int32_t)whole;
    return result;
}

size_t loom_column_print(char *buf, const struct loom_job *job, enum loom_column column)
{
    const void *const field = (const char *)job + loom_column_table[column].offset;

    switch (loom_column_table[column].type) {
    case LOOM_REAL:
        return loom_number_print_real(buf, *(const double *)field);
    case LOOM_WHOLE_32:
        return loom_number_print_int(buf, *(const int32_t *)field);
    default:
        return loom_number_print_int(buf, *(const int64_t *)field);
    }
}
