/* Stands in for Tesseract on Windows: reads a picture and says of every page the same words, in Tesseract's own table. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <string.h>

static const char *WORDS[] = {"The", "stand-in", "read", "this", "page", "of", "a", "scanned", "brief", "on", "Windows"};

int main(int count, char **words)
{
    static char picture[1 << 16];
    if (count > 1 && !strcmp(words[1], "--version"))
        return puts("tesseract 5.0.0") < 0;
    if (count > 1 && !strcmp(words[1], "--list-langs"))
        return puts("List of available languages (2):\neng\nosd") < 0;
    _setmode(_fileno(stdin), _O_BINARY);
    while (fread(picture, 1, sizeof picture, stdin) > 0)
        ;
    puts("level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext");
    for (int line = 1; line <= 20; line++)
        for (int word = 0; word < 11; word++)
            printf("5\t1\t1\t1\t%d\t%d\t%d\t%d\t90\t30\t96.0\t%s\n", line, word + 1, 200 + 100 * word, 200 + 60 * line,
                   WORDS[word]);
    return 0;
}
