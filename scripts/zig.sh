# Zig's compiler, for a build of the runtime with another C library than this system's; source it from the root of the tree.
# It is Clang with musl and LLVM's C++ library in one package, from PyPI, and comes under the MIT license.

zig_folder=build/zig
zig_wheel=ziglang==0.17.1

install_zig() {
  [[ $(cat "$zig_folder/version" 2>/dev/null) == "$zig_wheel" ]] && return
  if ! command -v python3 >/dev/null || ! python3 -m pip --version >/dev/null 2>&1; then
    echo "setup: going on without Zig's compiler: it comes from PyPI, and python3 with pip is not there (python3-pip)"
    return
  fi
  echo "setup: fetching Zig's compiler from PyPI into $zig_folder (90 MB)"
  rm -rf "$zig_folder" "$zig_folder.new"
  mkdir -p "$zig_folder.new"
  if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --retries 1 --timeout 15 \
    --dest "$zig_folder.new" "$zig_wheel" || ! python3 -m zipfile -e "$zig_folder.new"/*.whl "$zig_folder.new"; then
    rm -rf "$zig_folder.new"
    echo "setup: going on without Zig's compiler: PyPI does not give $zig_wheel for this machine"
    return
  fi
  rm "$zig_folder.new"/*.whl
  chmod +x "$zig_folder.new/ziglang/zig"
  printf '%s\n' "$zig_wheel" >"$zig_folder.new/version"
  mv "$zig_folder.new" "$zig_folder"
}
