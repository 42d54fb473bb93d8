/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Classes of jobs by processors and runtime. */
#include "trace/classes.h"

#include <inttypes.h>
#include <stdio.h>

/* The longest runtime of each class, and its name. Bounded slowdown is the same function of the
 * response up to 10 s. */
static const struct {
    int64_t to_s;
    const char *text;
} runtime_classes[LOOM_RUNTIME_CLASSES] = {
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

int loom_runtime_class(int64_t run_s)
{
    int index = 0;
    while (runtime_classes[index].to_s < run_s)
        index++;
    return index;
}

int64_t loom_runtime_class_end(int class_index)
{
    return runtime_classes[class_index].to_s;
}

const char *loom_runtime_class_text(int class_index)
{
    return runtime_classes[class_index].text;
}

const char *loom_size_class_text(int64_t end, char *buf, size_t size)
{
    int64_t from = end / 2 + 1;
    if (from == end || end == 1)
        snprintf(buf, size, "%" PRId64, end);
    else
        snprintf(buf, size, "%" PRId64 "-%" PRId64, from, end);
    return buf;
}

const char *loom_number_text(const struct loom_trace *trace, enum loom_name_kind kind,
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
