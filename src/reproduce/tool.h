/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tool.h - what reproduce has for the command beyond the public interface. */
#ifndef LOOM_REPRODUCE_TOOL_H
#define LOOM_REPRODUCE_TOOL_H

#include "reproduce/numbers.h"

#endif
