/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this library is and was built with. */
#include <workloom/base.h>

#include "config.h"

#include <gsl/gsl_version.h>
#include <jansson.h>
#include <libdeflate.h>

const char *loom_version(void)
{
    return WORKLOOM_VERSION;
}

const char *loom_build_features(void)
{
    return "gsl " GSL_VERSION ", jansson " JANSSON_VERSION ", libdeflate " LIBDEFLATE_VERSION_STRING
           ", MPI " WORKLOOM_MPI;
}
