/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of jobs. */
#include "trace/job_classes.h"

#include <inttypes.h>
#include <stdio.h>

/* Below 10 s, bounded slowdown does not depend on the runtime. */
static const struct length_class {
    int64_t to_s;
    const char *text;
} lengths[] = {
    {10, "up to 10 s"},   {60, "up to 1 min"},    {600, "up to 10 min"},     {3600, "up to 1 h"},
    {21600, "up to 6 h"}, {86400, "up to 1 day"}, {INT64_MAX, "over 1 day"},
};

int64_t loom_size_class(int64_t procs)
{
    int64_t power = 1;
    while (power < procs)
        power *= 2;
    return power;
}

const char *loom_size_class_text(int64_t from, int64_t to, char *buf, size_t size)
{
    if (from == to)
        snprintf(buf, size, "%" PRId64, to);
    else
        snprintf(buf, size, "%" PRId64 "-%" PRId64, from, to);
    return buf;
}

int loom_length_class(int64_t length_s)
{
    int index = 0;
    while (lengths[index].to_s < length_s)
        index++;
    return index;
}

int64_t loom_length_class_end(int index)
{
    return lengths[index].to_s;
}

const char *loom_length_class_text(int index)
{
    return lengths[index].text;
}

const char *loom_named_class_text(const struct loom_trace *trace, enum loom_name_kind kind,
                                  int64_t number, char *buf, size_t size)
{
    const char *name = trace ? loom_trace_name(trace, kind, (int32_t)number) : NULL;
    if (number < 0)
        snprintf(buf, size, "unknown");
    else if (name)
        snprintf(buf, size, "%s", name);
    else
        snprintf(buf, size, "%" PRId64, number);
    return buf;
}
