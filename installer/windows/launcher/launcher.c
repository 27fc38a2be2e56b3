/* Starts BriefBank: loads the Python of this folder and has it run `_internal\start.py` with the words it was given.

   Built twice: as briefbank.exe for the console, as briefbank-ui.exe for the window. It stays the only process, so that
   exit codes, Ctrl-C and pipes are Python's own. Libraries are looked for in this folder and in Windows' own, never
   where it was started or on PATH. */

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <windows.h>

#define LONGEST_PATH 32768
#define NOT_STARTED 1

/* The C runtime of MinGW would replace words with * or ? by names of files. */
int _dowildcard = 0;

typedef int (*PyMain)(int, wchar_t **);

static int fail(const wchar_t *what, const wchar_t *path)
{
    static wchar_t text[LONGEST_PATH + 512];
    _snwprintf(text, LONGEST_PATH + 511,
               L"BriefBank cannot start: %ls (Windows error %lu).\n%ls\nInstall BriefBank again, or ask IT to.",
               what, GetLastError(), path);
#ifdef WINDOWED
    MessageBoxW(NULL, text, L"BriefBank", MB_OK | MB_ICONERROR);
#else
    fwprintf(stderr, L"%ls\n", text);
#endif
    return NOT_STARTED;
}

int wmain(int count, wchar_t **words)
{
    static wchar_t program[LONGEST_PATH], library[LONGEST_PATH], folder[LONGEST_PATH], script[LONGEST_PATH];
    DWORD length = GetModuleFileNameW(NULL, program, LONGEST_PATH);
    wchar_t *end = length && length < LONGEST_PATH - 64 ? wcsrchr(program, L'\\') : NULL;
    if (!end)
        return fail(L"its folder has too long a name", L"");
    int stem = (int)(end - program);
    _snwprintf(folder, LONGEST_PATH, L"%.*ls\\_internal\\python", stem, program);
    _snwprintf(library, LONGEST_PATH, L"%ls\\python311.dll", folder);
    _snwprintf(script, LONGEST_PATH, L"%.*ls\\_internal\\start.py", stem, program);

    if (!SetDefaultDllDirectories(LOAD_LIBRARY_SEARCH_DEFAULT_DIRS) || !AddDllDirectory(folder))
        return fail(L"Windows is too old", L"");
    HMODULE python = LoadLibraryExW(library, NULL, LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR | LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
    if (!python)
        return fail(L"a library is missing or damaged", library);
    /* By way of void *, since compilers warn where one function is taken for another. */
    PyMain run = (PyMain)(void *)GetProcAddress(python, "Py_Main");
    if (!run)
        return fail(L"a library is damaged", library);

    /* UTF-8 for files and pipes, as on every other system. */
    wchar_t *first[] = {program, L"-X", L"utf8", script};
    int before = sizeof first / sizeof *first;
    wchar_t **all = calloc(before + count, sizeof *all);
    if (!all)
        return fail(L"there is no memory left", L"");
    memcpy(all, first, sizeof first);
    for (int index = 1; index < count; index++)
        all[before + index - 1] = words[index];
    return run(before + count - 1, all);
}
