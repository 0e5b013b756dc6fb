# OpenCL drivers beside the system's, for tests; source it from the root of the tree.
#
# Each has a folder build/drivers/NAME: vendors/ with the file that tells the loader of it, and lib/ where it brought
# libraries along. scripts/with-driver runs a command on one.

drivers_folder=build/drivers

# Intel's runtime for CPUs, from PyPI: arithmetic on halves and sub-groups, which PoCL 3.1 lacks. It comes under Intel's
# End User License Agreement for Developer Tools, which lies beside it.
intel_wheels=(intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0 tbb==2023.2.0)

# A driver in folder $1 whose library is $2.
write_vendor() {
  mkdir -p "$1/vendors"
  printf '%s\n' "$2" >"$1/vendors/driver.icd"
}

unpack_intel() {
  local folder=$1 wheel library base
  python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --retries 1 --timeout 15 \
    --dest "$folder/wheels" "${intel_wheels[@]}" || return 1
  for wheel in "$folder"/wheels/*.whl; do python3 -m zipfile -e "$wheel" "$folder/unpacked" || return 1; done
  mkdir -p "$folder/lib" || return 1
  mv "$folder"/unpacked/*.data/data/lib/* "$folder/lib/" || return 1
  cp "$folder"/unpacked/intel_opencl_rt-*.dist-info/LICENSE.txt "$folder/" || return 1
  rm -rf "$folder/wheels" "$folder/unpacked"
  # The loader is the system's, and no compiler is linked here.
  rm -f "$folder"/lib/libOpenCL.so* "$folder/lib/icx-lto.so" "$folder"/lib/*.py
  # A wheel has no links, and so each library several times.
  for library in "$folder"/lib/*.so.*; do
    base=${library%%.so.*}.so
    if [[ -f $base ]] && cmp -s "$base" "$library"; then ln -sf "$(basename "$library")" "$base"; fi
  done
  printf '%s\n' "${intel_wheels[*]}" >"$folder/version"
}

install_intel() {
  local folder=$drivers_folder/intel
  if [[ $(cat "$folder/version" 2>/dev/null) != "${intel_wheels[*]}" ]]; then
    if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
      echo "setup: going on without Intel's OpenCL driver: it comes from PyPI, and python3 with pip is not there (python3-pip)"
      return
    fi
    echo "setup: fetching Intel's OpenCL driver from PyPI into $folder (270 MB)"
    rm -rf "$folder" "$folder.new"
    mkdir -p "$folder.new"
    if ! unpack_intel "$folder.new"; then
      rm -rf "$folder.new"
      echo "setup: going on without Intel's OpenCL driver: PyPI does not give ${intel_wheels[*]} for this machine"
      return
    fi
    mv "$folder.new" "$folder"
  fi
  write_vendor "$folder" "$PWD/$folder/lib/libintelocl.so"
}

# Mesa's rusticl, of Debian's mesa-opencl-icd.
install_rusticl() {
  local vendor=/etc/OpenCL/vendors/rusticl.icd
  if [[ ! -r $vendor ]]; then
    rm -rf "$drivers_folder/rusticl"
    echo "setup: going on without Mesa's rusticl: $vendor is not there (mesa-opencl-icd)"
    return
  fi
  write_vendor "$drivers_folder/rusticl" "$(cat "$vendor")"
}

install_drivers() {
  install_intel
  install_rusticl
  local driver found=
  for driver in intel rusticl; do
    if [[ -r $drivers_folder/$driver/vendors/driver.icd ]]; then found+=" $driver"; fi
  done
  echo "setup: drivers for tests, beside the system's:${found:- none}"
}
