/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sacct/record.h - a line of sacct's output, cut into fields, and the job that it describes. */
#ifndef LOOM_TRACE_FORMATS_SACCT_RECORD_H
#define LOOM_TRACE_FORMATS_SACCT_RECORD_H

#include "trace/formats/sacct/values.h"

#include <workloom/trace.h>

/* The columns that mean something here, by their names in sacct. */
#define LOOM_SACCT_FIELDS(X)         \
    X(ACCOUNT, "Account")            \
    X(ALLOC_CPUS, "AllocCPUS")       \
    X(ALLOC_NODES, "AllocNodes")     \
    X(ALLOC_TRES, "AllocTRES")       \
    X(CLUSTER, "Cluster")            \
    X(CPU_TIME_RAW, "CPUTimeRAW")    \
    X(ELAPSED, "Elapsed")            \
    X(ELAPSED_RAW, "ElapsedRaw")     \
    X(END, "End")                    \
    X(GID, "GID")                    \
    X(GROUP, "Group")                \
    X(JOB_ID, "JobID")               \
    X(JOB_ID_RAW, "JobIDRaw")        \
    X(JOB_NAME, "JobName")           \
    X(MAX_RSS, "MaxRSS")             \
    X(NCPUS, "NCPUS")                \
    X(NNODES, "NNodes")              \
    X(NODE_LIST, "NodeList")         \
    X(PARTITION, "Partition")        \
    X(REQ_CPUS, "ReqCPUS")           \
    X(REQ_MEM, "ReqMem")             \
    X(REQ_NODES, "ReqNodes")         \
    X(REQ_TRES, "ReqTRES")           \
    X(START, "Start")                \
    X(STATE, "State")                \
    X(SUBMIT, "Submit")              \
    X(TIMELIMIT, "Timelimit")        \
    X(TIMELIMIT_RAW, "TimelimitRaw") \
    X(TOTAL_CPU, "TotalCPU")         \
    X(UID, "UID")                    \
    X(USER, "User")

enum loom_sacct_field {
#define X(id, name) SACCT_##id,
    LOOM_SACCT_FIELDS(X)
#undef X
        SACCT_IGNORED, /* any other column */
};
enum { SACCT_FIELD_COUNT = SACCT_IGNORED };

/* A piece of a line. */
struct loom_sacct_text {
    const char *at; /* NULL where the log lacks the column */
    size_t length;
};

/* A line, cut into fields. clock is shared by all lines, and is set by the first time read:
 * all times of a log must be in one time zone, or their differences mean nothing. Where a record
 * cannot be read, problem says why. */
struct loom_sacct_line {
    const char *text;
    struct loom_sacct_text fields[SACCT_FIELD_COUNT];
    enum loom_sacct_clock clock;
    int problem_column;
    char problem[256];
};

struct loom_sacct_record {
    struct loom_sacct_id id;
    struct loom_sacct_text id_text;
    int64_t raw_id; /* JobIDRaw, or -1 */
    struct loom_sacct_state state;
    int64_t submit_s, start_s, end_s;
    double elapsed_s;
    bool started;
    bool early;          /* it started before its submit time */
    bool rounded;        /* its runtime had a fraction */
    struct loom_job job; /* without number and names; its submit time is not yet shifted */
};

/* The column of a name, which may have blanks around it, and a width as in sacct's --format:
 * JobName%30. */
enum loom_sacct_field loom_sacct_find_field(struct loom_sacct_text name);

/* Note what is wrong at a place in the line. Returns false, to be handed up. */
bool loom_sacct_complain(struct loom_sacct_line *line, const char *place, const char *format, ...)
    LOOM_PRINTF(3, 4);

/* Read the job id alone: enough to distinguish steps from jobs. False with a complaint. */
bool loom_sacct_read_id(struct loom_sacct_record *record, struct loom_sacct_line *line);
/* Read all else of a record whose id is read. False with a complaint. */
bool loom_sacct_read_record(struct loom_sacct_record *record, struct loom_sacct_line *line);

#endif
