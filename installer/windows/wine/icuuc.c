/* Windows' own converter of encodings, which Wine lacks and Qt links to: every call says that there is none, and Qt then
   uses its own. For trying the program under Wine only: never shipped. */

#define NONE(name) __declspec(dllexport) void *name(void) { return 0; }

NONE(ucnv_open) NONE(ucnv_close) NONE(ucnv_reset) NONE(ucnv_getMaxCharSize) NONE(ucnv_getName)
NONE(ucnv_getToUCallBack) NONE(ucnv_getFromUCallBack) NONE(ucnv_setToUCallBack) NONE(ucnv_setFromUCallBack)
NONE(ucnv_cbToUWriteUChars) NONE(ucnv_cbFromUWriteUChars) NONE(ucnv_toUnicode) NONE(ucnv_fromUnicode)
NONE(ucnv_toUCountPending) NONE(ucnv_fromUCountPending) NONE(ucnv_getStandardName) NONE(ucnv_getAvailableName)
NONE(ucnv_countAvailable) NONE(UCNV_FROM_U_CALLBACK_SUBSTITUTE) NONE(UCNV_TO_U_CALLBACK_SUBSTITUTE)
