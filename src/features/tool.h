/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - functions for the command beyond the public interface. */
#ifndef LOOM_FEATURES_TOOL_H
#define LOOM_FEATURES_TOOL_H

#include "features/observed.h"

#endif
