; The Windows installer. Compiled by `make windows`, or by
;   makensis -DVERSION=0.1.0 -DBUNDLE=FOLDER -DOUT=FILE.exe installer/windows/briefbank.nsi
; Silent: BriefBank-setup.exe /S               for the user who runs it
;         BriefBank-setup.exe /S /ALLUSERS     for every user; run it as an administrator
;         … /D=C:\Some\Folder                  last, without quotation marks: another folder; for every
;                                             user one in Program Files
; Banks and feedback lie in users' own data folders; neither an upgrade nor the uninstaller touches them.

Unicode true
Target amd64-unicode
!ifdef QUICK
  SetCompress off
!else
  SetCompressor /SOLID lzma
!endif
ManifestDPIAware true
ManifestLongPathAware true
RequestExecutionLevel user

!ifndef VERSION
  !error "name the version: -DVERSION=…"
!endif
!ifndef BUNDLE
  !error "name the offline folder: -DBUNDLE=…"
!endif
!ifndef OUT
  !define OUT "BriefBank-setup.exe"
!endif
!ifdef SIGN
  ; Between backquotes, since the command holds the two other marks.
  !uninstfinalize `${SIGN} "%1"`
!endif

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinVer.nsh

!define KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\BriefBank"
!define PACK "BriefBank.Pack"

Name "BriefBank ${VERSION}"
OutFile "${OUT}"
InstallDir ""
ShowInstDetails nevershow
ShowUninstDetails nevershow
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "BriefBank"
VIAddVersionKey FileDescription "BriefBank, offline search over an office's own briefs"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "GNU Affero General Public License, version 3 or later"
!ifdef ICON
  Icon "${ICON}"
  UninstallIcon "${ICON}"
!endif

!insertmacro MUI_PAGE_LICENSE "${BUNDLE}/LICENSE"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"

Var ForAll

!macro RemoveProgram
  RMDir /r "$INSTDIR\_internal"
  RMDir /r "$INSTDIR\docs"
  RMDir /r "$INSTDIR\installer"
  RMDir /r "$INSTDIR\licences"
  RMDir /r "$INSTDIR\models"
  RMDir /r "$INSTDIR\samples"
  RMDir /r "$INSTDIR\source"
  Delete "$INSTDIR\briefbank.exe"
  Delete "$INSTDIR\briefbank-ui.exe"
  Delete "$INSTDIR\files.csv"
  Delete "$INSTDIR\LICENSE"
  Delete "$INSTDIR\README.md"
  Delete "$INSTDIR\CHANGELOG.md"
  Delete "$INSTDIR\SOURCE.md"
!macroend

; Windows lets nobody write to a library that a program has loaded: every program of BriefBank loads this one.
!macro RefuseWhileOpen
  ${If} ${FileExists} "$INSTDIR\_internal\python\python311.dll"
    ClearErrors
    FileOpen $0 "$INSTDIR\_internal\python\python311.dll" a
    ${If} ${Errors}
      MessageBox MB_OK|MB_ICONSTOP "BriefBank is open, or indexing. Close it and run this again." /SD IDOK
      SetErrorLevel 5
      Quit
    ${EndIf}
    FileClose $0
  ${EndIf}
!macroend

; Installing and removing take away whole folders by their names: nobody else's may bear one of them.
!macro RefuseForeign NAME
  ${If} ${FileExists} "$INSTDIR\${NAME}\*.*"
    MessageBox MB_OK|MB_ICONSTOP "$INSTDIR\${NAME} is not of BriefBank. Choose a folder of its own for BriefBank." /SD IDOK
    SetErrorLevel 145
    Quit
  ${EndIf}
!macroend
!macro RefuseForeignFolder
  ${IfNot} ${FileExists} "$INSTDIR\uninstall.exe"
  ${AndIfNot} ${FileExists} "$INSTDIR\briefbank.exe"
    !insertmacro RefuseForeign "_internal"
    !insertmacro RefuseForeign "docs"
    !insertmacro RefuseForeign "installer"
    !insertmacro RefuseForeign "licences"
    !insertmacro RefuseForeign "models"
    !insertmacro RefuseForeign "samples"
    !insertmacro RefuseForeign "source"
  ${EndIf}
!macroend

; What everybody runs, nobody but administrators may change. Windows holds that in Program Files; on other disks every
; user may change what is new, and rename the folders on the way to it.
!macro RefuseOpenPlace
  ${If} $ForAll == 1
    StrCpy $1 "$PROGRAMFILES64\"
    StrLen $2 $1
    System::Call 'kernel32::GetFullPathNameW(w "$INSTDIR", i ${NSIS_MAX_STRLEN}, w .r0, p 0)'
    StrCpy $0 $0 $2
    ${If} $0 != $1
      MessageBox MB_OK|MB_ICONSTOP "$INSTDIR is not in $PROGRAMFILES64. For all users, choose a folder in there." /SD IDOK
      SetErrorLevel 161
      Quit
    ${EndIf}
  ${EndIf}
!macroend

Function .onInit
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "BriefBank needs Windows 10 or newer." /SD IDOK
    SetErrorLevel 2
    Quit
  ${EndIf}
  SetRegView 64
  StrCpy $ForAll 0
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/ALLUSERS" $1
  ${IfNot} ${Errors}
    StrCpy $ForAll 1
    UserInfo::GetAccountType
    Pop $1
    ${If} $1 != "Admin"
      MessageBox MB_OK|MB_ICONSTOP "Installing for all users needs an administrator." /SD IDOK
      SetErrorLevel 740
      Quit
    ${EndIf}
  ${EndIf}
  ${If} $ForAll == 1
    SetShellVarContext all
    StrCpy $1 "$PROGRAMFILES64\BriefBank"
  ${Else}
    SetShellVarContext current
    StrCpy $1 "$LOCALAPPDATA\Programs\BriefBank"
  ${EndIf}
  ${If} $INSTDIR == ""
    ; An upgrade goes where the older version is.
    ReadRegStr $INSTDIR SHCTX "${KEY}" InstallLocation
  ${EndIf}
  ${If} $INSTDIR == ""
    StrCpy $INSTDIR $1
  ${EndIf}
FunctionEnd

Section "BriefBank"
  !insertmacro RefuseOpenPlace
  !insertmacro RefuseForeignFolder
  !insertmacro RefuseWhileOpen
  !insertmacro RemoveProgram
  SetOutPath "$INSTDIR"
  ClearErrors
  File /r "${BUNDLE}/*.*"
  ${If} ${Errors}
    MessageBox MB_OK|MB_ICONSTOP "Some files could not be written; is there space left?" /SD IDOK
    SetErrorLevel 11
    Quit
  ${EndIf}

  CreateDirectory "$SMPROGRAMS\BriefBank"
  CreateShortcut "$SMPROGRAMS\BriefBank\BriefBank.lnk" "$INSTDIR\briefbank-ui.exe"

  WriteRegStr SHCTX "Software\Classes\.bbpack" "" "${PACK}"
  WriteRegStr SHCTX "Software\Classes\${PACK}" "" "BriefBank pack"
  WriteRegStr SHCTX "Software\Classes\${PACK}\DefaultIcon" "" "$INSTDIR\briefbank-ui.exe,0"
  ; The console stays open behind the command, so that what it says can be read.
  WriteRegStr SHCTX "Software\Classes\${PACK}\shell\open\command" "" \
    '"$SYSDIR\cmd.exe" /d /s /k ""$INSTDIR\briefbank.exe" install "%1""'
  WriteRegStr SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\briefbank.exe" "" "$INSTDIR\briefbank.exe"

  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr SHCTX "${KEY}" DisplayName "BriefBank"
  WriteRegStr SHCTX "${KEY}" DisplayVersion "${VERSION}"
  WriteRegStr SHCTX "${KEY}" DisplayIcon "$INSTDIR\briefbank-ui.exe"
  WriteRegStr SHCTX "${KEY}" InstallLocation "$INSTDIR"
  ${If} $ForAll == 1
    WriteRegStr SHCTX "${KEY}" UninstallString '"$INSTDIR\uninstall.exe" /ALLUSERS'
    WriteRegStr SHCTX "${KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S /ALLUSERS'
  ${Else}
    WriteRegStr SHCTX "${KEY}" UninstallString '"$INSTDIR\uninstall.exe"'
    WriteRegStr SHCTX "${KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /S'
  ${EndIf}
  WriteRegDWORD SHCTX "${KEY}" NoModify 1
  WriteRegDWORD SHCTX "${KEY}" NoRepair 1
  ${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
  WriteRegDWORD SHCTX "${KEY}" EstimatedSize $0
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext current
  ${GetParameters} $0
  ClearErrors
  ${GetOptions} $0 "/ALLUSERS" $1
  ${IfNot} ${Errors}
    SetShellVarContext all
  ${EndIf}
FunctionEnd

Section "Uninstall"
  !insertmacro RefuseWhileOpen
  ; What the installer wrote goes, by name: somebody may keep a bank in the same folder.
  !insertmacro RemoveProgram
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  Delete "$SMPROGRAMS\BriefBank\BriefBank.lnk"
  RMDir "$SMPROGRAMS\BriefBank"
  ReadRegStr $0 SHCTX "Software\Classes\.bbpack" ""
  ${If} $0 == "${PACK}"
    DeleteRegKey SHCTX "Software\Classes\.bbpack"
  ${EndIf}
  DeleteRegKey SHCTX "Software\Classes\${PACK}"
  DeleteRegKey SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\briefbank.exe"
  DeleteRegKey SHCTX "${KEY}"
  System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
