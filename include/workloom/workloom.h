/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloom.h - all of the public interface. */
#ifndef WORKLOOM_WORKLOOM_H
#define WORKLOOM_WORKLOOM_H

#include <workloom/base.h>
#include <workloom/experiment.h>
#include <workloom/experiment_plan.h>
#include <workloom/experiment_queueing.h>
#include <workloom/experiment_ranking.h>
#include <workloom/experiment_replay.h>
#include <workloom/experiment_response.h>
#include <workloom/experiment_results.h>
#include <workloom/features.h>
#include <workloom/models.h>
#include <workloom/predict.h>
#include <workloom/queueing.h>
#include <workloom/report.h>
#include <workloom/report_results.h>
#include <workloom/reproduce.h>
#include <workloom/resample.h>
#include <workloom/scheduler.h>
#include <workloom/sim.h>
#include <workloom/sim_grid.h>
#include <workloom/sim_results.h>
#include <workloom/sim_users.h>
#include <workloom/sim_validate.h>
#include <workloom/stats.h>
#include <workloom/stats_intervals.h>
#include <workloom/trace.h>
#include <workloom/users.h>

#endif
