/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what base has for the command beyond the public interface. */
#ifndef LOOM_BASE_TOOL_H
#define LOOM_BASE_TOOL_H

#include "base/human.h"
#include "base/json.h"
#include "base/numbers.h"
#include "base/output.h"
#include "base/output_set.h"
#include "base/param.h"
#include "base/progress.h"
#include "base/table.h"
#include "base/words.h"

#endif
