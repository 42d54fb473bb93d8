/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of columns: our words, SWF's, the usual other ones, the caller's, or a map's. */
#include "trace/formats/csv/names.h"

#include "base/error.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* ---- names of columns ------------------------------------------------------------------------ */

enum { START = LOOM_CSV_START, END = LOOM_CSV_END, TARGETS = LOOM_CSV_TARGETS };

/* In lower case without blanks, '-' and '_'; the better name first. Our own names, as the writer
 * puts them (cpu_s is not "cpus"), come before all of these. */
static const struct alias {
    int target;
    const char *names;
} aliases[] = {
    {LOOM_COLUMN_number, "number jobnumber jobid job id jobno"},
    {LOOM_COLUMN_submit_s, "submittime submit submission submissiontime submitted submittedat "
                           "submitdate arrival arrivaltime arrived"},
    {LOOM_COLUMN_wait_s, "waittime wait waiting waitingtime queueingtime queuingtime"},
    {LOOM_COLUMN_run_s,
     "runtime run duration elapsed elapsedtime elapsedraw executiontime exectime "
     "wallclock wallclocktime"},
    {LOOM_COLUMN_alloc_procs,
     "numberofallocatedprocessors allocatedprocessors allocatedprocs procs processors nprocs nproc "
     "numprocs alloccpus allocatedcpus cpus ncpus numcpus cores ncores numcores alloccores slots "
     "nodes nnodes numnodes allocnodes"},
    {LOOM_COLUMN_cpu_s, "averagecputimeused averagecputime avgcputime usedcputime cputimeused"},
    {LOOM_COLUMN_used_mem_kib, "usedmemory usedmem usedmemkb memoryused memused"},
    {LOOM_COLUMN_req_procs,
     "requestednumberofprocessors requestednumberofresources requestedprocessors requestedprocs "
     "reqnprocs reqprocessors "
     "requestedcpus reqcpus requestedcores reqcores requestednodes reqnodes"},
    {LOOM_COLUMN_request_s,
     "requestedtime reqtime reqtimes walltime reqwalltime requestedwalltime estimate userestimate "
     "runtimeestimate estimatedruntime requestedruntime timerequested timelimit timelimitraw"},
    {LOOM_COLUMN_req_mem_kib, "requestedmemory reqmemory reqmem reqmemkb requestedmem"},
    {LOOM_COLUMN_status, "status state jobstatus jobstate success"},
    {LOOM_COLUMN_user, "user userid uid username usernumber owner"},
    {LOOM_COLUMN_group, "group groupid gid groupname groupnumber"},
    {LOOM_COLUMN_executable, "executable executableid executablenumber "
                             "executable(application)number application applicationnumber app exe "
                             "jobname"},
    {LOOM_COLUMN_queue, "queue queueid queuename queuenumber"},
    {LOOM_COLUMN_partition, "partition partitionid partitionname partitionnumber"},
    {LOOM_COLUMN_preceding, "precedingjobnumber precedingjob preceding"},
    {LOOM_COLUMN_think_s, "thinktimefromprecedingjob thinktime think"},
    {START, "start starttime startingtime started startedat begin begintime dispatchtime"},
    {END, "end endtime ended endedat finish finishtime finished completiontime stop stoptime"},
};

static bool is_gap(char c)
{
    return c == ' ' || c == '\t' || c == '-' || c == '_';
}

static int own_target(const struct loom_csv_field *field)
{
    for (int target = 0; target < LOOM_COLUMN_COUNT; target++) {
        const char *name = loom_column_table[target].name;
        size_t i = 0;
        while (i < field->length && name[i] &&
               (is_gap(field->text[i]) ? '_' : loom_lower(field->text[i])) == name[i])
            i++;
        if (i == field->length && !name[i])
            return target;
    }
    return -1;
}

/* What a name is for, and how good a name it is: 1 the best, more for others, 0 for none at all. */
static int understand_name(int *target, const struct loom_csv_field *field)
{
    char word[40];
    size_t n = 0;

    *target = own_target(field);
    if (*target >= 0)
        return 1;
    for (size_t i = 0; i < field->length; i++) {
        if (is_gap(field->text[i]))
            continue;
        if (n + 1 == sizeof word)
            return 0;
        word[n++] = loom_lower(field->text[i]);
    }
    for (size_t i = 0; n > 0 && i < sizeof aliases / sizeof *aliases; i++) {
        int rank = 2;
        const char *name = aliases[i].names;
        for (; *name; rank++) {
            const size_t length = strcspn(name, " ");
            if (length == n && memcmp(name, word, n) == 0) {
                *target = aliases[i].target;
                return rank;
            }
            name += length + (name[length] == ' ');
        }
    }
    return 0;
}

/* Slurm's time_limit is in minutes. */
static bool is_limit(const struct loom_csv_field *field)
{
    size_t n = 0;
    static const char limit[] = "timelimit";
    for (size_t i = 0; i < field->length && n < sizeof limit - 1; i++)
        if (!is_gap(field->text[i]) && loom_lower(field->text[i]) != limit[n++])
            return false;
    return n == sizeof limit - 1;
}

static void bind(struct loom_csv_binding *binding, const struct loom_csv_records *records)
{
    int ranks[TARGETS] = {0};

    *binding = (struct loom_csv_binding){.width = records->n};
    for (int target = 0; target < TARGETS; target++)
        binding->field[target] = -1;
    for (size_t i = 0; i < records->n && i < INT32_MAX; i++) {
        int target = -1;
        const int rank = understand_name(&target, &records->fields[i]);
        if (rank == 0 || (ranks[target] != 0 && ranks[target] <= rank))
            continue;
        binding->understood += ranks[target] == 0;
        ranks[target] = rank;
        binding->field[target] = (int)i;
        if (target == LOOM_COLUMN_request_s)
            binding->minutes = is_limit(&records->fields[i]);
    }
}

/* Bind as a map says: columns by their names, ignoring case. All must be there. */
static int bind_map(struct loom_csv_binding *binding, const struct loom_csv_map *map,
                    const struct loom_csv_records *records, int64_t line, const char *file,
                    struct loom_error *err)
{
    *binding = (struct loom_csv_binding){.width = records->n};
    for (int target = 0; target < TARGETS; target++) {
        const struct loom_csv_entry *entry = loom_csv_map_entry(map, target);
        binding->field[target] = -1;
        for (size_t i = 0; entry && binding->field[target] < 0 && i < records->n; i++)
            if (loom_same_word(records->fields[i].text, records->fields[i].length, entry->column))
                binding->field[target] = (int)i;
        if (entry && binding->field[target] < 0)
            return loom_fail_at(err, LOOM_EFORMAT, file, line, 0,
                                "there is no column '%.80s', which line %d of the map %.80s names",
                                entry->column, entry->line, loom_csv_map_file(map));
        binding->understood += entry != NULL;
    }
    return 0;
}

static bool has_submit(const struct loom_csv_binding *binding)
{
    return binding->field[LOOM_COLUMN_submit_s] >= 0;
}

/* ---- the header line ------------------------------------------------------------------------- */

/* Read the record at records->at as a header line and move past it, with the separator that makes
 * most of it: as many fields as are wanted (0: any number), names understood, fields. */
static int read_names(struct loom_csv_binding *binding, struct loom_csv_records *records,
                      size_t wanted, struct loom_error *err)
{
    static const char separators[] = {',', ';', '\t', '|'};
    struct loom_csv_records best = *records;
    int best_score = -1;

    bind(binding, &(struct loom_csv_records){0});
    for (size_t i = 0; i < sizeof separators; i++) {
        struct loom_csv_records trial = best;
        struct loom_csv_binding names;
        trial.at = records->at;
        trial.line = records->line;
        trial.separator = separators[i];
        const int rc = loom_csv_next_record(&trial, err);
        best.fields = trial.fields;
        best.capacity = trial.capacity;
        bind(&names, &trial);
        const int score = names.understood + (wanted && names.width == wanted ? TARGETS : 0);
        if (rc > 0 && !trial.problem &&
            (score > best_score || (score == best_score && names.width > binding->width))) {
            *binding = names;
            best_score = score;
            best = trial;
        }
        if (rc < 0) {
            *records = best;
            return rc;
        }
    }
    /* Trials share their fields: the best one is read again. */
    best.at = records->at;
    best.line = records->line;
    *records = best;
    const int rc = loom_csv_next_record(records, err);
    return rc > 0 ? 0 : rc;
}

static int no_submit(struct loom_reader *reader, const struct loom_csv_binding *binding,
                     int64_t line, struct loom_error *err)
{
    int rc = loom_fail_at(
        err, LOOM_EFORMAT, loom_input_name(reader->input), line, 0,
        "%s: name one submit, submit_time or arrival in the header line or in columns; also "
        "understood are job_id, start, end, wait, run (runtime, duration, elapsed), procs "
        "(processors, cpus, cores, nodes), req_procs, req_time (walltime, estimate, timelimit), "
        "cpu_s, used_mem_kib, req_mem_kib, status, user, group, executable, queue, partition, "
        "preceding, think_time",
        binding->width ? "there is no column for submit times" : "there is no header line");
    return loom_blame(rc, "columns", err);
}

/* Names given by the caller: they also replace the names of a header line, if there is one. */
static int use_given_names(struct loom_csv_binding *binding, struct loom_csv_records *records,
                           const char *names, struct loom_error *err)
{
    struct loom_csv_records given = {.at = names,
                                     .end = names + strlen(names),
                                     .line = 1,
                                     .separator = ','};
    struct loom_csv_binding first;
    const char *at = records->at;
    const int64_t line = records->line;
    int rc = loom_csv_next_record(&given, err);

    bind(binding, &given);
    free(given.fields);
    if (rc < 0)
        return rc;
    rc = read_names(&first, records, binding->width, err);
    if (!rc && !has_submit(&first)) {
        records->at = at;
        records->line = line;
    }
    return rc;
}

static int add_comments(struct loom_reader *reader, const char *text, const char *end,
                        struct loom_error *err)
{
    struct loom_lines lines = {.next = text, .end = end};
    const char *line;
    size_t length;
    int rc = 0;

    while (!rc && loom_lines_next(&lines, &line, &length))
        rc = memchr(line, '\0', length)
                 ? loom_reader_reject(reader, err, lines.number, 0,
                                      "there is a NUL byte in this header line")
                 : loom_trace_add_line(reader->trace, line + 1, length - 1, err);
    return rc;
}

/* The header line by a map: it names all columns, so that nothing is guessed but the separator. */
static int read_mapped_header(struct loom_csv_binding *binding, struct loom_csv_records *records,
                              struct loom_reader *reader, const struct loom_csv_map *map,
                              struct loom_error *err)
{
    const char *comments = records->at;
    for (; records->at < records->end && *records->at == '#';)
        loom_csv_next_line(records);
    const char *data = records->at;
    const int64_t line = records->line;
    struct loom_csv_binding guessed;
    int rc = read_names(&guessed, records, 0, err);

    if (!rc && loom_csv_map_separator(map)) {
        records->at = data;
        records->line = line;
        records->separator = loom_csv_map_separator(map);
        rc = loom_csv_next_record(records, err);
        rc = rc > 0 ? 0 : rc;
    }
    if (!rc)
        rc = bind_map(binding, map, records, line, loom_input_name(reader->input), err);
    return rc ? rc : add_comments(reader, comments, data, err);
}

/* The '#' lines, and then the names. Some programs put the names behind a '#' as well: the last
 * such line is tried if the line below it does not name a submit column. */
static int read_named_header(struct loom_csv_binding *binding, struct loom_csv_records *records,
                             struct loom_reader *reader, struct loom_error *err)
{
    const char *given = reader->options ? reader->options->columns : NULL;
    const char *comments = records->at, *last = NULL;

    for (; records->at < records->end && *records->at == '#'; loom_csv_next_line(records))
        last = records->at;
    const char *data = records->at, *comments_end = data;
    const int64_t line = records->line;
    int rc = given ? use_given_names(binding, records, given, err)
                   : read_names(binding, records, 0, err);

    if (!rc && !given && last && !has_submit(binding)) {
        struct loom_csv_binding behind;
        records->at = last + 1;
        rc = read_names(&behind, records, 0, err);
        records->at = data;
        records->line = line;
        if (has_submit(&behind)) {
            *binding = behind;
            comments_end = last;
        }
    }
    if (!rc && !has_submit(binding))
        rc = no_submit(reader, binding, given ? 0 : line, err);
    return rc ? rc : add_comments(reader, comments, comments_end, err);
}

int loom_csv_read_header(struct loom_csv_binding *binding, struct loom_csv_records *records,
                         struct loom_reader *reader, const struct loom_csv_map *map,
                         struct loom_error *err)
{
    return map ? read_mapped_header(binding, records, reader, map, err)
               : read_named_header(binding, records, reader, err);
}

int loom_csv_read_names(struct loom_csv_binding *binding, struct loom_csv_records *records,
                        struct loom_error *err)
{
    return read_names(binding, records, 0, err);
}
