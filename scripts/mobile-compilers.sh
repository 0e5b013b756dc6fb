# Functions of scripts/setup: the compilers of mobile GPUs, Mesa's for Adreno (ir3) and Mali (Bifrost, Valhall), without such a GPU.
# They come from Debian's packages for arm64 and run in an emulator; two small libraries of Mesa's source stand in for the kernel's
# drivers (drm-shim), so that a GPU seems to be there. Nothing is installed outside the folder but clang, lld and AMD's device library.
# tensordsl-bench isa (apps/bench/isa) runs them and reads what they print.

mobile_folder=build/mobile-compilers
# Debian 13 has the first Mesa whose OpenCL (rusticl) drives both. read_imageh fails in its version 25.0.7.
mobile_suite=trixie

# Makes an apt of its own, for arm64 and that suite, in $1.
mobile_apt() {
  local folder=$1 mirror key='[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -n 1)
  [[ $mirror ]] || mirror=$(awk '$1 == "deb" { for (i = 2; i <= NF; ++i) if ($i ~ /^http/) { print $i; exit } }' /etc/apt/sources.list)
  mkdir -p "$folder"/apt/{state/lists/partial,cache/archives/partial,sources.list.d,preferences.d} "$folder"/{packages/partial,extra,source,root}
  printf 'deb %s %s %s main\ndeb-src %s %s %s main\n' "$key" "$mirror" "$mobile_suite" "$key" "$mirror" "$mobile_suite" >"$folder/apt/sources.list"
  : >"$folder/apt/state/status"
  cat >"$folder/apt.conf" <<EOF
Dir::State "$folder/apt/state";
Dir::State::status "$folder/apt/state/status";
Dir::Cache "$folder/apt/cache";
Dir::Cache::archives "$folder/packages";
Dir::Etc::sourcelist "$folder/apt/sources.list";
Dir::Etc::sourceparts "$folder/apt/sources.list.d";
Dir::Etc::preferencesparts "$folder/apt/preferences.d";
APT::Architecture "arm64";
APT::Architectures { "arm64"; "amd64"; };
APT::Sandbox::User "root";
Acquire::Languages "none";
EOF
}

# Builds the library that stands in for the driver $2 of the kernel, in $1, from Mesa's source in $3.
mobile_shim() {
  local folder=$1 driver=$2 source=$3 file
  local -a utilities=(hash_table set anon_file ralloc simple_mtx u_debug os_misc log u_printf u_call_once rand_xor memstream u_process os_file vma blob) files=()
  for file in "${utilities[@]}"; do files+=("$source/src/util/$file.c"); done
  local -a defines=(HAVE_PTHREAD HAVE_STRUCT_TIMESPEC HAVE_TIMESPEC_GET HAVE_MEMFD_CREATE HAVE_FLOCK HAVE_SECURE_GETENV HAVE_DL_ITERATE_PHDR
    HAVE_ENDIAN_H HAVE___BUILTIN_FFS HAVE___BUILTIN_FFSLL HAVE___BUILTIN_CLZ HAVE___BUILTIN_UNREACHABLE _GNU_SOURCE NDEBUG
    UTIL_ARCH_LITTLE_ENDIAN=1 UTIL_ARCH_BIG_ENDIAN=0 DETECT_OS_LINUX=1 'PACKAGE_VERSION="drm-shim"')
  mobile_cc "$folder" -std=gnu11 -fPIC -shared -fvisibility=hidden -Wl,--no-undefined "${defines[@]/#/-D}" \
    -I"$source/include" -I"$source/src" -I"$folder/root/usr/include/libdrm" -I"$source/include/drm-uapi" \
    "$source/src/drm-shim/device.c" "$source/src/drm-shim/drm_shim.c" "$source/src/$driver/drm-shim/${driver}_noop.c" \
    "${files[@]}" "$source/src/c11/impl/threads_posix.c" -lm -o "$folder/lib${driver}_noop_drm_shim.so"
}

# Compiles for arm64 against the packages in $1.
mobile_cc() {
  local folder=$1 gcc=$1/root/usr/lib/gcc/aarch64-linux-gnu/14
  shift
  clang --target=aarch64-linux-gnu --sysroot="$folder/root" -fuse-ld=lld -B"$gcc" -L"$gcc" -O1 -w "$@"
}

# Links the compiler for AMD's GPUs and the library of its functions, both from Debian's packages, in $1.
mobile_llvm() {
  local folder=$1/llvm compiler library
  compiler=$(command -v clang-15) || compiler=
  library=$(dpkg -L rocm-device-libs 2>/dev/null | grep -m 1 '/ockl\.bc$') || library=
  if [[ ! $compiler || ! $library ]]; then
    echo "setup: going on without AMD's GPUs (optional): clang-15 or rocm-device-libs is missing." >&2
    return
  fi
  mkdir -p "$folder"
  ln -sfn "$compiler" "$folder/clang"
  ln -sfn "$(dirname "$library")" "$folder/bitcode"
}

# Installs the compilers into build/mobile-compilers, unless they are there.
setup_mobile_compilers() {
  local folder=$PWD/$mobile_folder source
  if [[ -x $folder/compile_kernels ]]; then
    mobile_llvm "$folder"
    echo "setup: the compilers of mobile GPUs are in $mobile_folder."
    return
  fi
  rm -rf "$folder"
  echo "setup: the compilers of mobile GPUs go into $mobile_folder: 100 MB of downloads, a minute."
  mobile_apt "$folder"
  APT_CONFIG=$folder/apt.conf apt-get -qq update
  APT_CONFIG=$folder/apt.conf apt-get -qq -y --no-install-recommends --download-only install \
    mesa-opencl-icd ocl-icd-libopencl1 libclc-19 libclang-common-19-dev >/dev/null
  (cd "$folder/extra" && APT_CONFIG=$folder/apt.conf apt-get -qq download libc6-dev linux-libc-dev libgcc-14-dev libdrm-dev ocl-icd-opencl-dev opencl-c-headers)
  local package
  for package in "$folder"/packages/*.deb "$folder"/extra/*.deb; do dpkg -x "$package" "$folder/root"; done
  ln -sfn usr/lib "$folder/root/lib"
  (cd "$folder/source" && APT_CONFIG=$folder/apt.conf apt-get -qq source --download-only mesa >/dev/null &&
    tar xf mesa_*.orig.tar.xz --wildcards '*/src/util/*' '*/src/c11/*' '*/src/drm-shim/*' '*/src/freedreno/drm-shim/*' '*/src/panfrost/drm-shim/*' '*/include/*')
  source=$(echo "$folder"/source/mesa-*/)
  # Its list of GPUs lacks Adreno 640.
  sed -i 's/^static const struct msm_device_info device_infos\[\] = {/&\n   {.gpu_id = 640, .chip_id = CHIPID(6, 4, 0, 0xff), .gmem_size = 1024 * 1024},/' \
    "$source/src/freedreno/drm-shim/freedreno_noop.c"
  mobile_shim "$folder" freedreno "$source"
  mobile_shim "$folder" panfrost "$source"
  mobile_cc "$folder" -std=c99 -D_POSIX_C_SOURCE=200809L -I"$folder/root/usr/include" apps/bench/isa/compile_kernels.c -lOpenCL -o "$folder/compile_kernels.new"
  (cd "$folder/extra" && apt-get -qq download qemu-user-static && dpkg --fsys-tarfile qemu-user-static_*.deb | tar xO ./usr/bin/qemu-aarch64-static >"$folder/qemu")
  chmod +x "$folder/qemu"
  rm -rf "$folder/source" "$folder/packages" "$folder/extra" "$folder/apt"
  mv "$folder/compile_kernels.new" "$folder/compile_kernels"
  mobile_llvm "$folder"
  echo "setup: done; tensordsl-bench isa MODEL --gpu a640,g76 counts what they make of kernels."
}
