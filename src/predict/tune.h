/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tune.h - functions of other files used by training. */
#ifndef LOOM_PREDICT_TUNE_H
#define LOOM_PREDICT_TUNE_H

#include "predict/evaluate.h"
#include "predict/predictors.h"

enum { LOOM_MOST_GENES = 24 };

#endif
