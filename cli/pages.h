/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.h - the text of the manual pages in section 7; each ends with NULL. */
#ifndef WORKLOOM_CLI_PAGES_H
#define WORKLOOM_CLI_PAGES_H

extern const char *const page_experiments[];
extern const char *const page_feedback[];
extern const char *const page_formats[];
extern const char *const page_json[];
extern const char *const page_models[];
extern const char *const page_platforms[];
extern const char *const page_resampling[];
extern const char *const page_scores[];
extern const char *const page_simulation[];

#endif
