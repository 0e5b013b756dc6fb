# What the Python module is built and tested with, for scripts/setup; source it from the root of the tree.
#
# A folder build/python-environment, which CMake looks for (cmake/Python.cmake).

python_environment=build/python-environment
python_packages=(nanobind==3.1.0 scikit-build-core==1.1.2 numpy onnx)

# Python from 3.10 on, with the headers of its C interface.
has_usable_python() {
  python3 - 2>/dev/null <<'PYTHON'
import os, sys, sysconfig, venv
has_headers = os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h"))
sys.exit(not (sys.version_info >= (3, 10) and has_headers))
PYTHON
}

make_python_environment() {
  rm -rf "$python_environment"
  python3 -m venv "$python_environment" &&
    "$python_environment/bin/python" -m pip install --quiet --disable-pip-version-check --retries 1 --timeout 15 "${python_packages[@]}" &&
    printf '%s\n' "${python_packages[*]}" >"$python_environment/version"
}

install_python() {
  [[ $(cat "$python_environment/version" 2>/dev/null) != "${python_packages[*]}" ]] || return 0
  if ! has_usable_python; then
    echo "setup: going on without the Python module: python3 from 3.10 on with its headers is not there (python3-dev, python3-venv)"
    return
  fi
  echo "setup: fetching ${python_packages[*]} from PyPI into $python_environment"
  if ! make_python_environment; then
    rm -rf "$python_environment"
    echo "setup: going on without the Python module: PyPI does not give ${python_packages[*]} for this machine"
  fi
}
