/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors as values: filling them, and turning them into one sentence. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Long paths lose their beginning: the end of a path distinguishes files. */
static void set_file(struct loom_error *err, const char *file)
{
    size_t length = strlen(file);
    size_t room = sizeof err->file - 1;
    if (length <= room)
        memcpy(err->file, file, length + 1);
    else
        snprintf(err->file, sizeof err->file, "...%s", file + length - (room - 3));
}

LOOM_PRINTF(6, 0)
static void error_fill(struct loom_error *err, int code, const char *file, int64_t line, int column,
                       const char *format, va_list args)
{
    err->code = code;
    err->line = line;
    err->column = column;
    err->skippable = false;
    err->field = NULL;
    err->file[0] = '\0';
    if (file)
        set_file(err, file);
    vsnprintf(err->message, sizeof err->message, format, args);
}

int loom_fail(struct loom_error *err, int code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        error_fill(err, code, NULL, 0, 0, format, args);
        va_end(args);
    }
    return code;
}

int loom_fail_at(struct loom_error *err, int code, const char *file, int64_t line, int column,
                 const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        error_fill(err, code, file, line, column, format, args);
        va_end(args);
    }
    return code;
}

int loom_fail_field(struct loom_error *err, int code, const char *field, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        error_fill(err, code, NULL, 0, 0, format, args);
        va_end(args);
    }
    return loom_blame(code, field, err);
}

int loom_blame(int code, const char *field, struct loom_error *err)
{
    if (err)
        err->field = field;
    return code;
}

int loom_fail_memory(struct loom_error *err)
{
    return loom_fail(err, LOOM_ENOMEM, "out of memory");
}

int loom_fail_errno(struct loom_error *err, int errno_value, const char *doing, const char *file)
{
    char reason[128];
    /* The GNU strerror_r may return a static string instead of filling the buffer. */
    const char *text = strerror_r(errno_value, reason, sizeof reason);
    int code = errno_value == ENOMEM ? LOOM_ENOMEM : LOOM_EIO;
    return loom_fail_at(err, code, file, 0, 0, "cannot %s: %s", doing, text);
}

const char *loom_error_text(const struct loom_error *err, char *buf, size_t size)
{
    if (!err->file[0])
        snprintf(buf, size, "%s", err->message);
    else if (err->line <= 0)
        snprintf(buf, size, "%s: %s", err->file, err->message);
    else if (err->column <= 0)
        snprintf(buf, size, "%s:%lld: %s", err->file, (long long)err->line, err->message);
    else
        snprintf(buf, size, "%s:%lld:%d: %s", err->file, (long long)err->line, err->column,
                 err->message);
    return buf;
}

int loom_fail_null(struct loom_error *err, const char *what)
{
    return loom_fail(err, LOOM_EUSAGE, "%s is NULL and must be given", what);
}
