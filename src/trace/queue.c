/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interactive queues by their names. */
#include "trace/queue.h"
#include "trace/table.h"

#include <string.h>

/* The text before `word` ends in "non", "non-" or "non_". */
static bool is_negated(const char *name, const char *word)
{
    if (word > name && (word[-1] == '-' || word[-1] == '_'))
        word--;
    return word - name >= 3 && strncasecmp(word - 3, "non", 3) == 0;
}

static bool says_interactive(const char *name)
{
    for (const char *word = name; (word = strcasestr(word, "interactive")); word++)
        if (!is_negated(name, word))
            return true;
    return false;
}

bool loom_queue_is_interactive(const struct loom_trace *trace, int32_t queue)
{
    const char *name = loom_trace_name(trace, LOOM_QUEUE, queue);
    return name ? says_interactive(name) : queue == 0;
}

bool loom_trace_has_interactive_queue(const struct loom_trace *trace)
{
    const struct loom_names *queues = &trace->names[LOOM_QUEUE];
    for (size_t i = 0; i < queues->n; i++)
        if (says_interactive(queues->entries[i].name))
            return true;
    return false;
}
