/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Maps of CSV columns: the ones shipped, on made-up samples of what their datasets document; units,
 * zones and words; maps that are wrong; and what CSV files say of themselves without a map. */
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scratch scratch;
static char map_path[128];

static int set_up(void **state)
{
    *state = &scratch;
    int rc = scratch_open(&scratch, "log.csv");
    snprintf(map_path, sizeof map_path, "%s/map.yaml", scratch.directory);
    return rc;
}

static struct loom_trace *read_mapped(const char *csv, const char *map)
{
    struct loom_read_options options = {.map = map};
    struct loom_trace *trace = NULL;
    struct loom_error err = {0};
    store_text(scratch.file, csv);
    if (loom_trace_read(&trace, scratch.file, &options, &err))
        fail_msg("%s:%lld:%d: %s", err.file, (long long)err.line, err.column, err.message);
    return trace;
}

static const char *shipped(const char *name)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", LOOM_TEST_MAPS, name);
    return path;
}

static void test_pm100(void **state)
{
    (void)state;
    struct loom_trace *trace = read_mapped(
        "job_id,user_id,group_id,partition,qos,job_state,submit_time,eligible_time,start_time,"
        "end_time,run_time,time_limit,num_cores_req,num_cores_alloc,num_nodes_alloc\n"
        "11,u1,g1,m100,normal,COMPLETED,2020-05-01 00:00:00+00:00,2020-05-01 00:00:00+00:00,"
        "2020-05-01 00:01:00+00:00,2020-05-01 01:01:00+00:00,3600,1440,32,128,1\n"
        "12,u2,g1,m100,normal,NODE_FAIL,2020-05-01 00:10:00+00:00,2020-05-01 00:10:00+00:00,"
        "2020-05-01 00:10:30+00:00,2020-05-01 00:11:30+00:00,60,4294967295,4,4,1\n"
        "13,u2,g1,m100,normal,OUT_OF_MEMORY,2020-05-01 00:20:00+00:00,2020-05-01 00:20:00+00:00,"
        "2020-05-01 00:20:00+00:00,2020-05-01 00:20:10+00:00,10,30,4,4,1\n",
        shipped("pm100.yaml"));
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(jobs->n, 3);
    assert_int_equal(jobs->number[0], 11);
    assert_int_equal(jobs->submit_s[1], 600);
    assert_int_equal(jobs->wait_s[0], 60);
    assert_int_equal(jobs->run_s[0], 3600);
    assert_int_equal(jobs->alloc_procs[0], 128);
    assert_int_equal(jobs->req_procs[0], 32);
    assert_int_equal(jobs->request_s[0], 86400);
    assert_int_equal(jobs->request_s[1], -1);
    assert_int_equal(jobs->status[0], LOOM_STATUS_COMPLETED);
    assert_int_equal(jobs->status[1], LOOM_STATUS_FAILED);
    assert_int_equal(jobs->status[2], LOOM_STATUS_FAILED);
    assert_string_equal(loom_trace_name(trace, LOOM_USER, jobs->user[1]), "u2");
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1588291200);
    const struct loom_read_report *report = loom_trace_report(trace);
    assert_int_equal(report->n_dropped, 2);
    assert_string_equal(report->dropped[0].name, "eligible_time");
    assert_int_equal(report->dropped[0].jobs, 3);
    assert_string_equal(report->dropped[1].name, "num_nodes_alloc");
    loom_trace_destroy(trace);
}

/* Timestamps are by the clock of Tokyo, nine hours ahead; nodes have 48 cores. */
static void test_fdata(void **state)
{
    (void)state;
    struct loom_trace *trace =
        read_mapped("jid,usr,jnam,cnumr,nnumr,adt,qdt,sdt,edt,elpl,nnuma,duration,exit state\n"
                    "j1,u1,n1,96,2,2021-03-01 09:00:00,2021-03-01 09:00:01,2021-03-01 09:10:00,"
                    "2021-03-01 10:10:00,7200,4,3600,completed\n"
                    "j2,u1,n2,48,1,2021-03-01 09:05:00,2021-03-01 09:00:01,2021-03-01 09:10:00,"
                    "2021-03-01 10:10:00,NaN,1,3600,failed\n",
                    shipped("fdata.yaml"));
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1614556800);
    assert_string_equal(loom_trace_machine(trace)->time_zone, "Asia/Tokyo");
    assert_int_equal(jobs->submit_s[1], 300);
    assert_int_equal(jobs->wait_s[0], 600);
    assert_int_equal(jobs->alloc_procs[0], 192);
    assert_int_equal(jobs->req_procs[0], 96);
    assert_int_equal(jobs->request_s[0], 7200);
    assert_int_equal(jobs->request_s[1], -1);
    assert_int_equal(jobs->status[1], LOOM_STATUS_FAILED);
    loom_trace_destroy(trace);
}

static void test_supercloud(void **state)
{
    (void)state;
    struct loom_trace *trace =
        read_mapped("id_job,id_array_job,id_user,cpus_req,partition,state,timelimit,time_submit,"
                    "time_eligible,time_start,time_end,nodes_alloc\n"
                    "5,0,9001,40,p1,3,5760,1609459200,1609459200,1609459260,1609462860,1\n"
                    "6,0,9002,20,p1,11,4294967295,1609459300,1609459300,1609459300,1609459400,1\n"
                    "7,0,9002,20,p1,4,60,1609459400,1609459400,0,1609459500,0\n",
                    shipped("supercloud.yaml"));
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(jobs->wait_s[0], 60);
    assert_int_equal(jobs->run_s[0], 3600);
    assert_int_equal(jobs->request_s[0], 5760 * 60);
    assert_int_equal(jobs->request_s[1], -1);
    assert_int_equal(jobs->status[0], LOOM_STATUS_COMPLETED);
    assert_int_equal(jobs->status[1], LOOM_STATUS_FAILED);
    assert_int_equal(jobs->status[2], LOOM_STATUS_CANCELLED);
    assert_int_equal(jobs->run_s[2], -1);
    assert_int_equal(jobs->req_procs[1], 20);
    loom_trace_destroy(trace);
}

static void test_alcf(void **state)
{
    (void)state;
    struct loom_trace *trace = read_mapped(
        "\"JOB_NAME\",\"QUEUED_TIMESTAMP\",\"START_TIMESTAMP\",\"END_TIMESTAMP\",\"USERNAME_"
        "GENID\","
        "\"PROJECT_NAME_GENID\",\"QUEUE_NAME\",\"WALLTIME_SECONDS\",\"RUNTIME_SECONDS\","
        "\"NODES_USED\",\"NODES_REQUESTED\",\"CORES_USED\",\"CORES_REQUESTED\",\"EXIT_STATUS\"\n"
        "\"1.mira\",\"2013-04-09 00:00:00.000000\",\"2013-04-09 00:30:00.000000\","
        "\"2013-04-09 01:30:00.000000\",\"77\",\"88\",\"prod-short\",\"21600\",\"3600.0\",\"512\","
        "\"512\",\"8192\",\"8192\",\"0\"\n",
        shipped("alcf.yaml"));
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(jobs->n, 1);
    assert_int_equal(jobs->wait_s[0], 1800);
    assert_int_equal(jobs->run_s[0], 3600);
    assert_int_equal(jobs->request_s[0], 21600);
    assert_int_equal(jobs->alloc_procs[0], 8192);
    assert_int_equal(jobs->status[0], LOOM_STATUS_COMPLETED);
    assert_int_equal(jobs->user[0], 77);
    loom_trace_destroy(trace);
}

static void test_units(void **state)
{
    (void)state;
    store_text(map_path, "separator: \";\"\ntime_zone: \"+02:00\"\ncolumns:\n"
                         "  submit_s: {column: at, unit: ms}\n  wait_s: {column: w, unit: h}\n"
                         "  run_s: {column: r, unit: clock}\n"
                         "  req_mem_kib: {column: m, unit: GiB, unknown: [\"0\", none]}\n"
                         "  alloc_procs: {column: chips, times: 8}\n");
    struct loom_trace *trace = read_mapped("at;w;r;m;chips\n1600000000000;0.5;1-00:00:01;2;3\n"
                                           "1600000001000;1;90:00;none;1\n",
                                           map_path);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    assert_int_equal(jobs->submit_s[1] - jobs->submit_s[0], 1);
    assert_int_equal(loom_trace_machine(trace)->unix_start_s, 1600000000);
    assert_int_equal(loom_trace_machine(trace)->time_zone_s, 7200);
    assert_int_equal(jobs->wait_s[0], 1800);
    assert_int_equal(jobs->run_s[0], 86401);
    assert_int_equal(jobs->run_s[1], 5400);
    assert_true(jobs->req_mem_kib[0] == 2 * 1048576.0);
    assert_true(jobs->req_mem_kib[1] == -1);
    assert_int_equal(jobs->alloc_procs[0], 24);
    loom_trace_destroy(trace);
}

/* Each wrong map, with line and column of what is wrong. */
static void test_wrong_maps(void **state)
{
    static const struct {
        const char *map;
        int line, column;
        const char *message;
    } cases[] = {
        {"columns: {submit_s: at, run: r}\n", 1, 25, "columns are submit_s"},
        {"columns:\n  submit_s: at\n  run_s: {column: r, unit: week}\n", 3, 28, "unit is s, ms"},
        {"columns:\n  run_s: r\n", 1, 1, "the map has no column submit_s"},
        {"columns:\n  submit_s: {unit: s}\n", 2, 3, "there is no column"},
        {"columns:\n  submit_s: at\n  alloc_procs: {column: n, unit: nodes}\n", 3, 3,
         "procs_per_node"},
        {"columns:\n  submit_s: at\nzone: UTC\n", 3, 1, "a map has columns"},
        {"columns:\n  submit_s: at\ntime_zone: Nowhere/Else\n", 3, 12, "time_zone is"},
        {"columns:\n  submit_s: at\n  status: {column: s, words: {OK: fine}}\n", 3, 35,
         "a word means"},
        {"columns:\n  submit_s: at\n  run_s: {column: r, words: {OK: failed}}\n", 3, 22,
         "words belong to status"},
        {"columns:\n  submit_s: at\nprocs_per_node: -4\n", 3, 17, "a number above 0"},
        {"columns: [a\n", 0, 0, "not YAML"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct loom_read_options options = {.map = map_path};
        struct loom_trace *trace = NULL;
        struct loom_error err = {0};
        store_text(map_path, cases[i].map);
        store_text(scratch.file, "at,r,n,s\n1,2,3,OK\n");
        assert_int_equal(loom_trace_read(&trace, scratch.file, &options, &err), LOOM_EFORMAT);
        assert_string_equal(err.file, map_path);
        if (cases[i].line > 0) {
            assert_int_equal(err.line, cases[i].line);
            assert_int_equal(err.column, cases[i].column);
        }
        assert_non_null(strstr(err.message, cases[i].message));
    }
}

static void test_wrong_use(void **state)
{
    struct loom_read_options options = {.map = map_path};
    struct loom_trace *trace = NULL;
    struct loom_error err = {0};
    (void)state;
    store_text(map_path, "columns: {submit_s: at, run_s: gone}\n");
    store_text(scratch.file, "at,r\n1,2\n");
    assert_int_equal(loom_trace_read(&trace, scratch.file, &options, &err), LOOM_EFORMAT);
    assert_non_null(strstr(err.message, "there is no column 'gone', which line 1 of the map"));
    options.format = "swf";
    assert_int_equal(loom_trace_read(&trace, scratch.file, &options, &err), LOOM_EUSAGE);
    options = (struct loom_read_options){.map = map_path, .columns = "submit,run"};
    assert_int_equal(loom_trace_read(&trace, scratch.file, &options, &err), LOOM_EUSAGE);
    options = (struct loom_read_options){.map = "/nonexistent/map.yaml"};
    assert_int_equal(loom_trace_read(&trace, scratch.file, &options, &err), LOOM_EIO);
}

/* Without a map: Slurm's time_limit is in minutes or a clock, its marks are unknown, its states are
 * understood, and columns that are not read are counted. */
static void test_slurm_words(void **state)
{
    struct loom_trace *trace = NULL;
    (void)state;
    store_text(scratch.file, "submit,time_limit,cpus,state,qos\n"
                             "1,30,4,NODE_FAIL,a\n2,4294967295,4294967294,OUT_OF_MEMORY,\n"
                             "3,1-00:00:00,4,CANCELLED by 1000,b\n4,UNLIMITED,4,COMPLETED,b\n");
    assert_int_equal(loom_trace_read(&trace, scratch.file, NULL, NULL), 0);
    const struct loom_jobs *jobs = loom_trace_jobs(trace);
    static const int64_t request_s[] = {1800, -1, 86400, -1};
    static const int32_t status[] = {LOOM_STATUS_FAILED, LOOM_STATUS_FAILED, LOOM_STATUS_CANCELLED,
                                     LOOM_STATUS_COMPLETED};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(jobs->request_s[i], request_s[i]);
        assert_int_equal(jobs->status[i], status[i]);
    }
    assert_int_equal(jobs->alloc_procs[1], -1);
    assert_int_equal(loom_trace_report(trace)->n_dropped, 1);
    assert_int_equal(loom_trace_report(trace)->dropped[0].jobs, 3);
    loom_trace_destroy(trace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pm100),      cmocka_unit_test(test_fdata),
        cmocka_unit_test(test_supercloud), cmocka_unit_test(test_alcf),
        cmocka_unit_test(test_units),      cmocka_unit_test(test_wrong_maps),
        cmocka_unit_test(test_wrong_use),  cmocka_unit_test(test_slurm_words),
    };
    return cmocka_run_group_tests(tests, set_up, close_scratch);
}
