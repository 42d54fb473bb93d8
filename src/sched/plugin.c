/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policies of shared objects. A plug-in is not linked with the library: its calls are resolved
 * against the program that loads it, which has the library in it (the workloom command exports the
 * public functions) or is linked with libworkloom.so. A plug-in that is linked with libworkloom.so
 * all the same brings in a second copy, but its calls still go to the first, as the program comes
 * first in the order of search.
 */
#include "sched/registry.h"

#include "base/error.h"
#include "base/vec.h"

#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

/* What to do about the usual reasons. */
static const char *remedy_for(const char *why)
{
    if (strstr(why, "undefined symbol: loom_"))
        return "; rebuild it with the headers of this workloom";
    return strstr(why, "libworkloom") ? "; build it without -lworkloom" : "";
}

/* Why the system could not load it, without the path, which its messages begin with. */
static int fail_load(const char *path, const char *real, struct loom_error *err)
{
    const char *why = dlerror();
    size_t length = strlen(real);
    if (!why)
        why = "unknown error";
    else if (strncmp(why, real, length) == 0 && why[length] == ':')
        why += length + 1 + strspn(why + length + 1, " ");
    return loom_fail_at(err, LOOM_EDATA, path, 0, 0, "cannot load as a shared object: %.400s%s",
                        why, remedy_for(why));
}

/* dlopen searches the library path for a name without a slash, so it gets a whole path. */
static int open_object(void **out, const char *path, struct loom_error *err)
{
    char *real = realpath(path, NULL);
    if (!real)
        return loom_fail_errno(err, errno, "open", path);
    int rc = access(real, R_OK) ? loom_fail_errno(err, errno, "open", path) : 0;
    if (!rc && !(*out = dlopen(real, RTLD_NOW | RTLD_LOCAL)))
        rc = fail_load(path, real, err);
    free(real);
    return rc;
}

static int find_plugin(const struct loom_scheduler_plugin **out, void *handle, const char *path,
                       struct loom_error *err)
{
    const struct loom_scheduler_plugin *plugin = dlsym(handle, "loom_scheduler_plugin");
    if (!plugin)
        return loom_fail_at(err, LOOM_EDATA, path, 0, 0,
                            "it is no plug-in: loom_scheduler_plugin is missing; end its source "
                            "with LOOM_SCHEDULER_PLUGIN(...)");
    if (plugin->abi != LOOM_SCHEDULER_ABI)
        return loom_fail_at(err, LOOM_EDATA, path, 0, 0,
                            "the plug-in is for version %u of the scheduler interface, not %d: "
                            "rebuild it with the headers of workloom %s",
                            plugin->abi, LOOM_SCHEDULER_ABI, loom_version());
    if (!plugin->schedulers || !plugin->schedulers[0])
        return loom_fail_at(err, LOOM_EDATA, path, 0, 0, "the plug-in has no schedulers");
    *out = plugin;
    return 0;
}

/* All policies of a plug-in or none. */
static int add_all(struct loom_schedulers *schedulers, const struct loom_scheduler_plugin *plugin,
                   const char *path, struct loom_error *err)
{
    size_t known = schedulers->n_added;
    struct loom_error why = {0};
    int rc = 0;
    for (size_t i = 0; plugin->schedulers[i] && !rc; i++)
        rc = loom_registry_add(schedulers, plugin->schedulers[i], path, &why);
    if (!rc)
        return 0;
    schedulers->n_added = known;
    return rc == LOOM_ENOMEM ? loom_fail_memory(err)
                             : loom_fail_at(err, rc, path, 0, 0, "%s", why.message);
}

static void close_plugin(struct loom_loaded_plugin *plugin)
{
    if (plugin->handle)
        dlclose(plugin->handle);
    free(plugin->path);
}

int loom_schedulers_load(struct loom_schedulers *schedulers, const char *path,
                         struct loom_error *err)
{
    const struct loom_scheduler_plugin *plugin = NULL;
    struct loom_loaded_plugin loaded = {.path = strdup(path)};
    if (!loaded.path ||
        loom_grow(&schedulers->plugins, schedulers->n_plugins, &schedulers->plugins_capacity)) {
        free(loaded.path);
        return loom_fail_memory(err);
    }
    int rc = open_object(&loaded.handle, path, err);
    if (!rc)
        rc = find_plugin(&plugin, loaded.handle, path, err);
    if (!rc)
        rc = add_all(schedulers, plugin, loaded.path, err);
    if (rc)
        close_plugin(&loaded);
    else
        schedulers->plugins[schedulers->n_plugins++] = loaded;
    return rc;
}

void loom_plugins_close(struct loom_schedulers *schedulers)
{
    for (size_t i = 0; i < schedulers->n_plugins; i++)
        close_plugin(&schedulers->plugins[i]);
    free(schedulers->plugins);
}
