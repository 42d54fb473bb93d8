/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay DIRECTORY...: run every file of these directories through a fuzz target, without
 * libFuzzer, as a test that speaks TAP. Each file runs in a process of its own, so that one that
 * crashes is named and the others still run. A directory that does not exist holds no files.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SECONDS_PER_FILE = 60 };

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* The bytes of a file in a block of exactly their size, so that reading past the end is noticed;
 * the caller must free it. */
static uint8_t *contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    uint8_t *data = NULL;
    if (file != NULL && fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode)) {
        *size = (size_t)status.st_size;
        data = malloc(*size > 0 ? *size : 1);
    }
    if (data != NULL && fread(data, 1, *size, file) != *size) {
        free(data);
        data = NULL;
    }
    if (file != NULL)
        fclose(file);
    return data;
}

static void run_in_child(const char *path)
{
    size_t size = 0;
    uint8_t *data = contents(path, &size);
    if (data == NULL) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(2);
    }
    alarm(SECONDS_PER_FILE);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    exit(0);
}

/* 1 if the target ran through, else 0. */
static int replay_file(const char *path, int number)
{
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        run_in_child(path);
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    int good = child > 0 && status == 0;
    printf("%s %d - %s\n", good ? "ok" : "not ok", number, path);
    if (child > 0 && WIFSIGNALED(status))
        printf("# ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    return good;
}

/* Files replayed, of which *failed did not run through. */
static int replay_directory(const char *directory, int first, int *failed)
{
    struct dirent **entries = NULL;
    int n = scandir(directory, &entries, is_visible, alphasort);
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", directory, entries[i]->d_name);
        *failed += !replay_file(path, first + i);
        free(entries[i]);
    }
    free(entries);
    return n > 0 ? n : 0;
}

int main(int argc, char **argv)
{
    int files = 0, failed = 0;
    for (int i = 1; i < argc; i++)
        files += replay_directory(argv[i], files + 1, &failed);
    if (files == 0)
        printf("1..0 # SKIP there are no files to replay\n");
    else
        printf("1..%d\n", files);
    return failed > 0;
}
