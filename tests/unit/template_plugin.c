/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policy to copy, as a plug-in. */
#include "sched/template.c"

LOOM_SCHEDULER_PLUGIN(&loom_scheduler_template);
