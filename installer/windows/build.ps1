# Builds the offline folder and the installer on Windows 10 or 11 (x86-64), from a checkout:
#   powershell -ExecutionPolicy Bypass -File installer\windows\build.ps1 [-Tesseract "C:\Program Files\Tesseract-OCR"]
# Needs Python 3.11, NSIS 3 (makensis on PATH), git, and for llama-cpp-python the Visual Studio build tools with CMake.
# Without -Tesseract, laptops read scanned pages only where Tesseract is installed beside BriefBank.
param(
    [string]$Python = "py -3.11",
    [string]$Tesseract = "",
    [string]$Out = "build\bundle",
    [string]$Wheelhouse = ""
)
$ErrorActionPreference = "Stop"
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Step([string]$What, [scriptblock]$Step) {
    Write-Host $What
    & $Step
    if ($LASTEXITCODE -ne 0) { throw "$What failed with exit code $LASTEXITCODE" }
}

$from = @("--constraint", "constraints.txt")
if ($Wheelhouse) { $from += @("--no-index", "--find-links", $Wheelhouse) }

# A processor of another make must be able to run it: AVX2, and nothing newer that the build machine happens to have.
$env:CMAKE_ARGS = "-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON -DGGML_AVX512=OFF"

$venv = "build\venv-windows"
if (-not (Test-Path "$venv\Scripts\python.exe")) {
    Invoke-Step "Making an environment" { Invoke-Expression "$Python -m venv $venv" }
}
$bin = "$venv\Scripts"
Invoke-Step "Installing BriefBank" { & "$bin\python" -m pip install --quiet @from ".[index,llm,bundle,dev]" }
Invoke-Step "Building the samples" { & "$bin\python" tests\data\build_samples.py build\samples }
$ocr = @()
if ($Tesseract) { $ocr = @("--ocr", $Tesseract) }
Invoke-Step "Building the offline folder" { & "$bin\python" installer\bundle\build.py $Out @ocr }
Invoke-Step "Trying it" { & "$Out\briefbank\briefbank.exe" --version }

$version = & "$bin\python" -c "import briefbank; print(briefbank.__version__)"
$setup = Join-Path (Resolve-Path $Out) "BriefBank-$version-setup.exe"
$folder = Resolve-Path "$Out\briefbank"
$icon = Resolve-Path "$Out\work\briefbank.ico"
Invoke-Step "Compiling the installer" {
    & makensis /V2 "/DVERSION=$version" "/DBUNDLE=$folder" "/DSLASH=\" "/DICON=$icon" "/DOUT=$setup" installer\windows\briefbank.nsi
}
# NSIS cannot address more than 2 GB: models and banks therefore travel as packs, never inside the installer.
if ((Get-ChildItem $folder -Recurse -File | Measure-Object Length -Sum).Sum -gt 2GB) { throw "The folder is over 2 GB." }
Write-Host "Sign it, then hand it out: $setup"
