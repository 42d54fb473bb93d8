/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tune.h - what training needs of the other files of this room. */
#ifndef LOOM_PREDICT_TUNE_H
#define LOOM_PREDICT_TUNE_H

#include "predict/evaluate.h"
#include "predict/predictors.h"

enum { LOOM_MOST_GENES = 24 };

#endif
