/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The logs that the texts use, and which of them are in a directory. */
#include "reproduce/logs.h"

#include "base/hash.h"
#include "base/vec.h"

#include <workloom/trace.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char pwa[] = "Parallel Workloads Archive";
static const char gwa[] = "Grid Workloads Archive";

/* Versions with flurries come before all files of the same name. */
static const struct loom_log_info logs[] = {
    {"LANL-CM5 with flurries", "LANL-CM5-1994-4.swf", NULL, NULL, pwa},
    {"SDSC-SP2 with flurries", "SDSC-SP2-1998-4.swf", NULL, NULL, pwa},
    {"SDSC-Par95 with flurries", "SDSC-Par-1995-3.swf", NULL, NULL, pwa},
    {"KTH-SP2", "KTH-SP2-1996", "IBM SP2", "(KTH)", pwa},
    {"CTC-SP2", "CTC-SP2-1996", "IBM SP2", "Cornell", pwa},
    {"SDSC-SP2", "SDSC-SP2-1998", "IBM SP2", "SDSC", pwa},
    {"SDSC-BLUE", "SDSC-BLUE-2000", "IBM SP", "SDSC Blue Horizon", pwa},
    {"SDSC-DS", "SDSC-DS-2004", NULL, "DataStar", pwa},
    {"SDSC-Par95", "SDSC-Par-1995", NULL, NULL, pwa},
    {"SDSC-Par96", "SDSC-Par-1996", NULL, NULL, pwa},
    {"LANL-CM5", "LANL-CM5-1994", "CM-5", "Los Alamos", pwa},
    {"LANL-O2K", "LANL-O2K-1999", "Origin 2000", "Los Alamos", pwa},
    {"NASA-iPSC", "NASA-iPSC-1993", "iPSC/860", "NASA Ames", pwa},
    {"OSC-Clust", "OSC-Clust-2000", "Linux cluster", "OSC", pwa},
    {"HPC2N", "HPC2N-2002", "Seth", "HPC2N", pwa},
    {"LLNL-T3D", "LLNL-T3D-1996", "T3D", NULL, pwa},
    {"LLNL-uBGL", "LLNL-uBGL-2006", NULL, NULL, pwa},
    {"LLNL-Atlas", "LLNL-Atlas-2006", NULL, NULL, pwa},
    {"LLNL-Thunder", "LLNL-Thunder-2007", NULL, NULL, pwa},
    {"LPC-EGEE", "LPC-EGEE-2004", NULL, NULL, pwa},
    {"DAS2-fs0", "DAS2-fs0-2003", NULL, "(fs0)", pwa},
    {"DAS2-fs1", "DAS2-fs1-2003", NULL, "(fs1)", pwa},
    {"DAS2-fs2", "DAS2-fs2-2003", NULL, "(fs2)", pwa},
    {"DAS2-fs3", "DAS2-fs3-2003", NULL, "(fs3)", pwa},
    {"DAS2-fs4", "DAS2-fs4-2003", NULL, "(fs4)", pwa},
    {"SHARCNET", "SHARCNET-2005", NULL, NULL, pwa},
    {"ANL-Intrepid", "ANL-Intrepid-2009", NULL, NULL, pwa},
    {"PIK-IPLEX", "PIK-IPLEX-2009", NULL, NULL, pwa},
    {"CEA-Curie", "CEA-Curie-2011", NULL, NULL, pwa},
    {"NorduGrid", "GWA-T-3", NULL, NULL, gwa},
    {"AuverGrid", "GWA-T-4", NULL, NULL, gwa},
    {"NIKHEF", "NIKHEF", NULL, NULL, "not published"},
};

const struct loom_log_info *loom_log_at(size_t index)
{
    return index < sizeof logs / sizeof *logs ? &logs[index] : NULL;
}

const struct loom_log_info *loom_log_find(const char *name)
{
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        if (strcmp(logs[i].name, name) == 0)
            return &logs[i];
    return NULL;
}

/* ---- files of a directory -------------------------------------------------------------------- */

static const struct loom_log_info *by_name(const char *file)
{
    for (size_t i = 0; i < sizeof logs / sizeof *logs; i++)
        if (strncmp(file, logs[i].prefix, strlen(logs[i].prefix)) == 0)
            return &logs[i];
    return NULL;
}

/* Does a line of the header contain the text? True for no text. */
static bool header_has(const struct loom_trace *trace, const char *key, const char *text)
{
    const char *line = loom_trace_directive(trace, key);
    return !text || (line && strstr(line, text));
}

/* Find out by the header. Files that cannot be read are none of the logs. */
static const struct loom_log_info *by_header(const char *path)
{
    struct loom_trace *trace = NULL;
    const struct loom_log_info *found = NULL;
    if (loom_trace_read(&trace, path, NULL, NULL))
        return NULL;
    for (size_t i = 0; i < sizeof logs / sizeof *logs && !found; i++)
        if ((logs[i].computer || logs[i].installation) &&
            header_has(trace, "Computer", logs[i].computer) &&
            header_has(trace, "Installation", logs[i].installation))
            found = &logs[i];
    loom_trace_destroy(trace);
    return found;
}

static int add_path(struct loom_log_files *files, const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (!path || loom_grow(&files->paths, files->n, &files->capacity)) {
        free(path);
        return -1;
    }
    stpcpy(stpcpy(stpcpy(path, directory), "/"), name);
    files->paths[files->n++] = path;
    return 0;
}

static int list_directory(struct loom_log_files *out, const char *directory, struct loom_error *err)
{
    DIR *open = opendir(directory);
    int rc = 0;
    if (!open)
        return loom_fail_field(err, LOOM_EIO, "logs", "cannot read directory '%s': %s", directory,
                               strerror(errno));
    for (const struct dirent *entry; !rc && (entry = readdir(open));)
        if (entry->d_name[0] != '.' && (strstr(entry->d_name, ".swf") ||
                                        strstr(entry->d_name, ".gwf") || by_name(entry->d_name)))
            rc = add_path(out, directory, entry->d_name) ? loom_fail_memory(err) : 0;
    closedir(open);
    return rc;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

int loom_log_files_create(struct loom_log_files *out, const char *directory, struct loom_error *err)
{
    *out = (struct loom_log_files){0};
    int rc = directory ? list_directory(out, directory, err) : 0;
    if (!rc && out->n) {
        qsort(out->paths, out->n, sizeof *out->paths, compare_paths);
        out->infos = calloc(out->n, sizeof *out->infos);
        rc = out->infos ? 0 : loom_fail_memory(err);
    }
    for (size_t i = 0; i < out->n && !rc; i++) {
        out->infos[i] = by_name(strrchr(out->paths[i], '/') + 1);
        if (!out->infos[i])
            out->infos[i] = by_header(out->paths[i]);
    }
    if (rc)
        loom_log_files_free(out);
    return rc;
}

void loom_log_files_free(struct loom_log_files *files)
{
    for (size_t i = 0; i < files->n; i++)
        free(files->paths[i]);
    free(files->paths);
    free(files->infos);
    *files = (struct loom_log_files){0};
}

const char *loom_log_files_path(const struct loom_log_files *files,
                                const struct loom_log_info *info)
{
    for (size_t i = files->n; i-- > 0;)
        if (files->infos[i] == info)
            return files->paths[i];
    return NULL;
}

int loom_log_hash(uint64_t *out, const char *path, struct loom_error *err)
{
    FILE *file = fopen(path, "rb");
    XXH3_state_t *state = XXH3_createState();
    char buf[1 << 16];
    size_t n;
    int rc = !file    ? loom_fail_at(err, LOOM_EIO, path, 0, 0, "cannot open: %s", strerror(errno))
             : !state ? loom_fail_memory(err)
                      : 0;
    if (!rc) {
        XXH3_64bits_reset(state);
        while ((n = fread(buf, 1, sizeof buf, file)) > 0)
            XXH3_64bits_update(state, buf, n);
        *out = XXH3_64bits_digest(state);
        if (ferror(file))
            rc = loom_fail_at(err, LOOM_EIO, path, 0, 0, "cannot read: %s", strerror(errno));
    }
    XXH3_freeState(state);
    if (file)
        fclose(file);
    return rc;
}
