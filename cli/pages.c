/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pages.c - the text of the manual pages in section 7, which 'workloom help NAME' shows as well.
 *
 * A page is a list of texts: "= TITLE" is a heading, "TERM\tTEXT" an item of a list, a text that
 * begins with a blank is a line to be shown as it is, and any other is a paragraph.
 */
#include "pages.h"

#include <stddef.h>

const char *const page_simulation[] = {
    "= Rules",
    "Jobs are submitted when the log says and run on a space-shared machine. In each second jobs "
    "end first, then jobs are submitted in file order, then the policy decides. --compat pyss "
    "follows pyss and its descendants: submissions before ends, and a scheduling pass after every "
    "event.",
    "The estimate of a job is its requested time or, where that is unknown, its runtime. --overrun "
    "says what happens to a job that runs longer: raise sets the estimate to the runtime "
    "beforehand, kill ends the job, extend doubles the estimate when it is over.",
    "A job that is wider than the machine is rejected, and one of unknown runtime is dropped. "
    "Whatever is done to a job is counted by reason.",
    "= Load",
    "Offered load is the arrival rate times the mean work of a job over the processors. --load L "
    "reaches it by --load-by: arrivals (times between jobs), runtimes (and requested times) or "
    "size (of the machine). Several policies and loads make a run of each, on as many threads as "
    "there are. 'workloom generate --load' makes other jobs at a load, with their daily cycle.",
    "= Metrics",
    "Waits and slowdowns are of the jobs within the measured window (--warm-up, --cool-down). "
    "Bounded slowdown has a bound of 10 s. Fairness is Jain's index of the users' mean bounded "
    "slowdowns: 1 if all fare alike, 1/n if one of n suffers alone.",
    "A machine is saturated if outstanding jobs grow by more than one a week; undecided, if the "
    "interval of the growth contains one; filling, if that growth is of running jobs alone.",
    "= Constraints",
    "--downtime: the machine stands still; no job starts, those that run go on afterwards, and the "
    "policy does not know of it. --user-jobs and --user-procs limit what a user has in queue and "
    "machine at once; further jobs are held back until earlier ones have ended. --own-procs gives "
    "each queue or partition processors of its own, as many as it used at its peak.",
    "= Levels",
    "On a log with waits a last line says how far a simulation of it is from what happened, under "
    "the nearest of the policies ('workloom replay'). Where that is over 30 %, trust differences "
    "between policies, not levels; where it is over 5 times, or waits are in another order (rank "
    "correlation below 0.1), the log supports neither.",
    "= Explanations",
    "--explain JOB lists who was ahead of the job, how its reservation moved, who overtook it and "
    "why, what the policy weighed (selective, ups), and whose end let it start. For a grid job it "
    "also explains why it waited in the grid's queue and why it was sent to its cluster. Local "
    "jobs are named CLUSTER=JOB.",
    "= Figures",
    "--html writes a page with waits, slowdowns, queue length and utilization over time, and for "
    "several loads slowdown against load. --gantt FROM:TO adds a Gantt chart. --figures writes "
    "the same figures with data and gnuplot scripts. Both need gnuplot.",
    NULL,
};

const char *const page_feedback[] = {
    "= Users who react",
    "With 'workloom simulate --feedback BEHAVIOUR' jobs come from the users of the log. Each "
    "user's jobs are cut into sessions (--session-gap) and batches, which come in the order of the "
    "log, none before all that it depends on has ended. The behaviour says when ('workloom help "
    "behaviours').",
    "= Populations",
    "--users resampled draws a new population from the log. Temporary users arrive, submit what "
    "they did and leave. Long-term users (--long-term-weeks) start in any week of the log "
    "(--start); "
    "under feedback they start again when their last job has ended, so that throughput is a "
    "result. --load-factor scales their number, --weeks sets the length, and --rare leaves out "
    "what a user did once. --load is the load of the workload that is drawn; with --feedback, "
    "where "
    "jobs depend on service, of the log that users are drawn from.",
    "= Presets",
    "--preset sets --feedback, --session-gap, --start and --pause, each unless it is given: "
    "zakay-ch4 (fluid users of chapter 4), zakay-ch5 (TBUOS of chapter 5, with the pauses of "
    "chapter 3) or zakay-ch5-literal (without pauses). docs/USERS.md compares their results with "
    "the printed ones.",
    "= Poor service",
    "A job with a bounded slowdown above --poor makes its user end the session with probability "
    "--abort, and leave for good with probability --abandon.",
    "= Results",
    "-o writes the jobs that ran at their new submit times; users of a population are named "
    "ORIGINAL#COPY. --json has the key people ('workloom help json'). --replication N gives "
    "independent runs of one seed.",
    "= Examples",
    "    workloom simulate log.swf.gz --feedback fluid",
    "    workloom simulate log.swf.gz --users resampled --feedback fluid -s ups",
    NULL,
};

const char *const page_platforms[] = {
    "= Grids",
    "The jobs of the log are those of a grid. Its clusters have policies and, if any, local jobs "
    "of their own. The first job of the grid's queue that fits the free processors of a cluster "
    "is sent there and joins its queue; 'workloom help grid' lists the parameters of the grid's "
    "queue, set by --dispatch. --scheduler is the policy of clusters that name none.",
    "= Local jobs",
    "Local jobs come from a log (--background) or a model (--background-model), of all clusters "
    "or of one (CLUSTER=LOG). A log begins when grid jobs do, unless --background-shift adds "
    "seconds to its submit times; a model makes jobs for as long as grid jobs are submitted. A "
    "path with a '=' needs a '/' before it: ./a=b.swf. --background-load sets their offered load.",
    "= Loads and results",
    "--load is the load of grid jobs over the processors that local jobs leave. At several loads "
    "local jobs are the same. Results are of grid jobs over the processors of all clusters; each "
    "cluster follows. Utilization is by all jobs while grid jobs are submitted. -o gives the "
    "cluster as partition, from 1, and --background-output CLUSTER=FILE a cluster's local jobs.",
    "= Platform files",
    "A platform file is JSON:",
    "    {\"workloom_platform\": 1, \"name\": \"two\",",
    "     \"clusters\": [{\"name\": \"a\", \"procs\": 64},",
    "                  {\"name\": \"b\", \"procs\": 128, \"scheduler\": \"fcfs\",",
    "                   \"background\": \"b.swf\", \"load\": 0.5}],",
    "     \"grid\": {\"choose\": \"first\"}}",
    "name\tof a cluster, or of the platform (optional)",
    "procs\tprocessors of the cluster",
    "scheduler\tits policy (optional)",
    "background\ta log of local jobs; shift_s is added to its submit times",
    "model\ta model of local jobs",
    "load\toffered load of the local jobs",
    "grid\tparameters of the grid's queue",
    NULL,
};

const char *const page_models[] = {
    "= Leaving traits out",
    "'workloom generate --without TRAITS' leaves out traits of a model, and keeps all else but for "
    "what is named here. A model can do without what it lists, and without what its arrival "
    "process can.",
    "burstiness\ttimes between jobs vary as in a Poisson process with the same daily cycle; jobs "
    "keep their order, and long-range dependence stays. Jobs of a bag are still alike and next to "
    "each other, but most come later than Delta after the one before",
    "lrd\tintervals of T (900 s for onoff) come in random order, each with its jobs: from T on the "
    "Hurst parameter is 1/2. Gaps longer than T are broken up",
    "bot\tevery job is drawn on its own; there are no bags of tasks",
    "locality\tjobs are assigned anew to the submit times (minh2010, minh2012, usergraph), each "
    "job "
    "is of any kind (minh2009), or runs once (feitelson96)",
    "correlation\tsizes and runtimes are drawn independently. The load changes with it, to half or "
    "twice on some logs: add --load to compare both",
    "cycle\tall hours of the day and week are alike",
    "= Load",
    "--load L is reached within half a percent by the rate of arrivals, with the daily cycle kept; "
    "'log' is the load of the fitted log. 'workloom simulate --load' scales a given trace, beyond "
    "1 if wanted.",
    "= Time",
    "Time 0 is the moment of the week at which the fitted log began, or a Monday midnight; "
    "UnixStartTime in the header says so. The same model, options and seed give the same jobs.",
    NULL,
};

const char *const page_scores[] = {
    "= Distance",
    "'workloom compare' measures every feature, and distributions of jobs, bags and users, of the "
    "first trace, the reference, and of the others. A distance is b - a divided by the scale: the "
    "sampling error of the difference and, by squares, a hundredth of the larger value. About 1 is "
    "chance; 3 is not.",
    "= Score",
    "The score is 1 where nothing differs and goes to 0. It is the mean of the parts, each the "
    "mean over what belongs to it; what a trace does not know is left out.",
    "coverage\tshare of what the reference knows that the trace knows as well",
    "overall\tthe score with 0 for all that is lacking",
    "Scores are comparable only among traces of about one length: generate as many jobs as the "
    "reference has.",
    "= Several traces",
    "Each trace has a line with its scores, then their mean follows; after ± stands half of the "
    "95 % confidence interval (Student's t). It is meant for replications of one workload; of "
    "unlike traces, use each one's line. The feature furthest off is that of least mean closeness.",
    "= Models",
    "--models fits models to the one trace, generates workloads of as many jobs from each, and "
    "ranks them by overall score, so that none gains by lacking what the log knows. 'all' is every "
    "workload model, with the variants that are worth comparing.",
    NULL,
};

const char *const page_experiments[] = {
    "= Plans",
    "A plan is a YAML file of keys and values. Keys are the options of 'workloom experiment run', "
    "and options given beside a plan stand in place of its keys. A key with several values, as a "
    "list [A, B] or a range of numbers 0.7:0.9:0.1, is crossed with all others: each combination "
    "is "
    "a cell. The value none stands for leaving a key out.",
    "mix, set, users, queues, rare, favour, dispatch, background, background-model, "
    "background-load, background-shift, downtime and measure-users keep all their values in each "
    "cell. name, replications, seed, metrics and plugin are for the whole plan.",
    "cells is a list of blocks of keys. Each block is crossed by itself, and its keys stand in "
    "place of the plan's.",
    "= Runs",
    "Each replication of a cell is a run. All cells with the same source of jobs get the same "
    "workload in a replication. A run that the database has is not repeated; a plan with more "
    "cells or replications runs what is new. A cell in which nothing is random has one run.",
    "Results do not depend on the number of threads, processes (mpirun) or parts (--shard, "
    "'experiment merge').",
    "= Database",
    "SQLite tables plan, cells, settings, runs, metrics, classes, provenance and inputs, and a "
    "view results with a row for each run: trace, source, scheduler, load, replication, settings, "
    "metrics. source is log, resampled or the name of a model. The view class_results has a row "
    "for each class of jobs of a run, in cells with by.",
    NULL,
};

const char *const page_resampling[] = {
    "= Users",
    "Every user does what they did in the log, job by job, at the same times of day and week, but "
    "different users meet. Long-term users (--long-term-weeks) start in any week of the log, and "
    "start "
    "again when it is over; temporary users arrive at the rate of the log. Users seen only near an "
    "end of the log (--edge-weeks) are left out, and others do as many jobs as they did.",
    "With --start activity, all long-term users start in a week of their own activity. The load is "
    "then high at first and low in the middle. load_tenths of --json is the load of each tenth of "
    "a variant by the mean; one far from 1 is reported.",
    "--favour CLASS=WEIGHT draws users of a class more often: the third with the long or short, "
    "wide or narrow jobs, the most or least work (heavy, light) or jobs (busy, quiet), or the most "
    "memory (memory).",
    "= Rare behaviour",
    "--rare USER:FROM:TO leaves out what a user did in that time, such as a flurry; "
    "--rare-per-week N brings it back at that rate, in place of temporary users, as user "
    "rare-USER#COPY. --users '!rare-*' selects the others later.",
    "= Changes to jobs",
    "--shake moves jobs, sessions or users by a random time. --locality D from 0 to -1 makes that "
    "share of each week's jobs exchange their times at random; from 0 to 1, jobs within that part "
    "of a week are ordered so that each user's, and of these similar ones, follow each other. "
    "--clock wall keeps the time of day when clocks change. --fresh-names gives the groups and "
    "executables of the second, third, ... copy of a user new numbers, so that a predictor that "
    "looks at them does not know what the first copy did.",
    "= Several logs",
    "Several traces are mixed for as long as the first lasts: each gives the same part of its "
    "users' load, on the machine of the first. Sizes are scaled, but powers of two and serial jobs "
    "stay so, so that the load is not the mean of the logs'; both are printed.",
    "= Output",
    "Users get new numbers. Notes in the header name the original of each (Note: user 7 = 42#1), "
    "and --map writes them as CSV with the columns user, log, original, copy, kind, "
    "first_submit_s, jobs.",
    NULL,
};

const char *const page_formats[] = {
    "= Choice",
    "The format of a file follows from its suffix or content, or from --from and --to. A name that "
    "ends in .gz is packed with gzip; input may also be packed with zstd, xz or bzip2. '-' is "
    "stdin "
    "or stdout.",
    "= Any CSV file",
    "--map FILE says what its columns mean, in YAML: columns (submit_s, start_s, end_s, run_s, "
    "alloc_procs, request_s, status, user, ..., each a column or {column, unit, times, unknown, "
    "words}), unknown, time_zone, separator, procs_per_node. Maps of PM100, F-DATA, MIT SuperCloud "
    "and ALCF dumps are in share/workloom/maps.",
    "= Jobs",
    "All formats become one table of jobs ('workloom list columns'): the 18 fields of SWF. Times "
    "are in seconds, memory in KiB, and -1 is unknown. Header lines are kept; a line Conversion "
    "names the version, the command and the hash of the input.",
    "A schedule is a log whose waits say when jobs started: 'simulate -o' writes the log's job "
    "numbers with the simulated waits, -1 for a job that did not run.",
    "= Models",
    "'workloom fit -o M.json' writes a model as JSON: workloom_model, its name, parameters and "
    "origin. 'workloom generate --set KEY=VALUE' replaces a key.",
    "= Platforms",
    "See 'workloom help platforms'.",
    "= Results",
    "--json prints one document with stable keys: see 'workloom help json'. --figures DIR writes "
    "for each figure NAME.svg (or pdf, png); NAME.csv, its data as one table with a header line, "
    "times in seconds and shares from 0 to 1; and NAME.gp, which has the data inside: 'gnuplot "
    "NAME.gp' in DIR draws it again.",
    NULL,
};

const char *const page_json[] = {
    "--json prints one document. Keys listed here are stable: new ones may be added. Numbers are "
    "in base units (seconds, processors, shares from 0 to 1); null is unknown.",
    "= All commands",
    "workloom\tversion",
    "command\tthe command line",
    "file, hash\tinput and its XXH3-64 hash",
    "left_out\tjobs that the selection left out",
    "without_submit\tjobs left out as their submit time is unknown (analyze)",
    "= info",
    "traces\tone object a file: file, format, hash, bytes, select, jobs, left_out, users, groups, "
    "executables, queues, partitions, max_procs, max_procs_from, max_nodes, unix_start_s, "
    "time_zone, "
    "first_submit_s, span_s, window (in which the log is complete: from_s, to_s, jobs, before, "
    "after, "
    "running_from, running_to, by_ends), utilization (over it), bad_lines, dropped (jobs by what "
    "the reader left out),  columns (each: known, "
    "min, max), problems (code, count, "
    "text), header (pairs)",
    "= analyze",
    "select, jobs\twhich jobs, and how many",
    "features\tvalue by key ('workloom list features')",
    "reasons\twhy a feature is unknown, by key",
    "notes\twhat to know of a value, such as a bound that it hit, by key",
    "definitions\tbag_gap_s, rate_interval_s, session_method, session_gap_s, session_cut_s",
    "changed\tby key: the definitions of a feature that are not the dictionary's",
    "With --by or --table: table, title, caption and rows, one object a row; or rows null and "
    "reason.",
    "With --fit: column, by (--fit-by), select, jobs, values (how many) and fits, best first, each "
    "with "
    "distribution, fitted, values, parameters, log_likelihood, aic, bic, converged, ks, ks_p, ad, "
    "chi2, chi2_p, discrete, subsamples_500_passed, subsamples_1000_passed, spike (of a mixture "
    "component on one value), note, or reason.",
    "= convert",
    "input, output\tfiles",
    "jobs, bad_lines\tnumbers",
    "rearranged\twith --shuffle or --correlation: jobs, before, after, target, degree (of "
    "correlation), load_offered (before, after)",
    "= clean",
    "jobs, dropped, kept\tnumbers",
    "reasons\teach: rule, text, jobs",
    "= fit",
    "model, variant, select, jobs, output\twhat was fitted to what",
    "interarrival_s\tmean time between jobs: log, model",
    "means_kept\tof means=log: run, work (model over log)",
    "bags_kept\tof bags=settled: shares of jobs in bags, log and model",
    "remarks\tsentences on the variant that was fitted, and on bounds that parameters hit",
    "guesses\tsentences on what the log does not say, and what was assumed",
    "= generate",
    "model, variant, made_by, seed, replication, output\twhat was made of what",
    "jobs, max_procs\tnumbers",
    "load_offered, log_load_offered\tof the jobs, and of the fitted log",
    "interarrival_s\tmean time between jobs: log, model",
    "= resample",
    "seed\trandom seed",
    "pools\tnumbers of users: long_term, temporary, discarded, rare",
    "jobs_without_user, log_load_offered\tof the log",
    "variants\teach: output, replication, jobs, users, work_s, load_offered, load_tenths",
    "= compare",
    "select, seed\twhat was compared",
    "reference\tfile, hash, jobs, span_s",
    "bootstrap\tresamples, unit_s, units, block_units",
    "definitions, changed\tas of analyze",
    "traces\teach: file, hash, jobs, span_s, same_length, score, coverage, overall, parts",
    "score, coverage, overall\tscores, with _sd and _half (of the 95 % interval) of several traces",
    "parts\teach: score, scored, absent, sd, half",
    "features, distributions\teach: a, b, distance, error, scale, closeness, part; b_sd, b_half, "
    "b_each of several traces; ks, wasserstein, anderson_darling of a distribution",
    "reasons\twhy one is unknown, by key",
    "With --models: replications, load, response (the log's: policy, load, wait_mean_s, "
    "slowdown_ratio; of a model with its score), models (each: model, name, variant, rank and the "
    "keys from "
    "score on) and not_ranked (each: model, name, variant, reason).",
    "= simulate",
    "scheduler, procs, overrun, compat\twhat was simulated",
    "model\twith --model: the model that generated the jobs",
    "jobs, measured\tnumbers",
    "wait_mean_s, wait_median_s, response_mean_s\ttimes",
    "slowdown_mean, bounded_slowdown_mean\tbound 10 s",
    "slowdown_ratio\tmean response over mean runtime",
    "utilization, throughput_jobs_per_day, makespan_s\tof the run",
    "queue_mean, queue_max\twaiting jobs",
    "load_offered\toffered load",
    "saturated, filling\ttrue, false or null; filling if by running jobs alone",
    "saturation_undecided\twhether the interval of outstanding_per_week contains 1",
    "outstanding_per_week_error, outstanding_per_week_low, outstanding_per_week_high\tstandard "
    "error and interval of that growth",
    "outstanding_per_week, waiting_per_week, backlog_weeks, outstanding_weekly\tgrowth of "
    "outstanding and waiting jobs",
    "percentiles\twait_s and bounded_slowdown: 50, 90, 95, 99",
    "within_run\twait_half_s and batch_correlation of batch means, warmup_mser_jobs (MSER-5)",
    "counts\tjobs by what was done to them: rejected_too_wide, dropped_no_runtime, "
    "dropped_no_procs, "
    "dropped_no_submit, dropped_too_long, estimates_missing, estimates_raised, estimates_to_1s, "
    "cut, "
    "extended",
    "fairness, users\tJain's index; count, jobs_per_day_median, jobs_per_day_max (of each user: "
    "--by user)",
    "window\tmeasured window: from_s, to_s, utilization, throughput_jobs_per_day, queue_mean, "
    "queue_max",
    "queue_length\tpercentiles and distribution",
    "over_time\tfrom_s, step_s, utilization, queue_mean, queue_max",
    "load\twith --load: asked, by, before, after, factor, left_out",
    "requests\twith --estimates: estimates, seed, replication, changed",
    "runs\tof several policies or loads: a list of all these",
    "classes\twith --by: by, fairness, list (each: class, from, to, jobs, wait_mean_s, "
    "wait_median_s, bounded_slowdown_mean, throughput_jobs_per_day)",
    "explain\twith --explain: job, user, submit_s, start_s, end_s, wait_s, ahead, reservations, "
    "overtaken_by, start, released_by, ...; of a grid job queue and there",
    "people\twith --feedback, or --users resampled without --load: population, feedback, seed, "
    "replication, "
    "jobs_without_user, jobs_without_wait (of the log), count (users who submitted), returned, "
    "throughput_jobs_per_day, utilization (while jobs are submitted), "
    "log_throughput_jobs_per_day, log_load (of the log itself), jobs_per_day_mean, "
    "jobs_per_day_median, active_weeks_mean, active_weeks_median, activity_mean_s, sessions, "
    "session_mean_s, session_median_s, aborted (sessions), abandoned (users), jobs_lost",
    "platform, grid, clusters\twith --platform. grid: dispatch, seed, load, procs_left, "
    "utilization, utilization_submitting (while grid jobs are submitted), makespan_s, "
    "wait_queue_mean_s, wait_cluster_mean_s, local, local_submitting. clusters, each: name, procs, "
    "scheduler, background, utilization, utilization_submitting, load, covers (share of that time "
    "with local jobs), queue_max, local, local_submitting, grid, local_counts",
    "= replay",
    "jobs, wait_mean_log_s, wait_mean_simulated_s, bias_s, abs_error_mean_s, error_p10_s, "
    "error_median_s, error_p90_s, rank_correlation\tof the first run; null where not known",
    "first_half, second_half\tthe same of the jobs of each half",
    "by\tsize, runtime, user, queue, week: lists (each: class, from, to, and the keys above)",
    "runs\teach: scheduler, assumptions, user_jobs, user_procs, procs (fitted, else null), "
    "badness, "
    "and the keys above",
    "chosen\tindex of the run that explains the first half best",
    "processors, middle_s\tof the machine; where the second half begins",
    "= validate",
    "valid\ttrue if no rule is broken and nothing differs",
    "overrun, compat, jobs, unrun, overran\twhat was checked",
    "checks\teach: rule, what, breaches, first (job, time_s, text)",
    "against\twith --against: same, unrun, different, only_here, only_there, unlike, largest_s, "
    "mean_s, first (job, start_a_s, start_b_s)",
    "= predict",
    "select, train, history\thow jobs were selected, and the first part that was history only: as "
    "a "
    "share, and in jobs",
    "waits_unknown, requests_unknown, memory_unknown, users_unknown, groups_unknown, "
    "queues_unknown, executables_unknown\tjobs without",
    "predictors\teach: name, text (as given), params, jobs, underestimated_fraction, mae_s, wae_s, "
    "ne, bias_s, intervals, interval_80_covered, interval_80_below, interval_80_above, "
    "interval_80_width_s, interval_80_score_s",
    "classes\tof a predictor, with --by: by, list (each: class, from, to, the errors as above, "
    "error_share)",
    "= list",
    "lists\twithout WHAT, each: name, summary, for",
    "With WHAT, a list of that name, each: name, summary, and what else its table shows.",
    NULL,
};
