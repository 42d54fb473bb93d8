/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * registry.h - policies by name: the built-in ones (registry.c), then those that were added
 * (registry.c) or loaded (plugin.c). A registry does not change after it is set up, so that threads
 * may share it.
 */
#ifndef LOOM_SCHED_REGISTRY_H
#define LOOM_SCHED_REGISTRY_H

#include <workloom/scheduler.h>

struct loom_added_scheduler {
    const struct loom_scheduler_ops *ops;
    const char *plugin; /* the file it comes from, borrowed; NULL: the program itself */
};

struct loom_loaded_plugin {
    char *path;
    void *handle; /* of dlopen */
};

struct loom_schedulers {
    struct loom_added_scheduler *added;
    size_t n_added, added_capacity;
    struct loom_loaded_plugin *plugins;
    size_t n_plugins, plugins_capacity;
};

/* Check and add a policy of a plug-in; `plugin` is borrowed. */
int loom_registry_add(struct loom_schedulers *schedulers, const struct loom_scheduler_ops *ops,
                      const char *plugin, struct loom_error *err);

/* Unload all plug-ins (plugin.c). */
void loom_plugins_close(struct loom_schedulers *schedulers);

#endif
