#include "backends/opencl/loader/opencl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "tensordsl/error.h"

namespace tensordsl::opencl {
namespace {

/// Names of the library, tried in this order. Names without a folder are looked up by the system; an app on
/// Android finds those that its manifest names under uses-native-library.
constexpr const char* kNames[] = {
    "libOpenCL.so.1",
    "libOpenCL.so",
    // Android: Google's phones, cars, then vendors' folders; drivers of Arm and Imagination that have OpenCL
    // in the library of OpenGL. Folders without 64 are for 32-bit processes.
    "libOpenCL-pixel.so",
    "libOpenCL-car.so",
#if defined(__LP64__)
    "/vendor/lib64/libOpenCL.so",
    "/system/vendor/lib64/libOpenCL.so",
    "/system/lib64/libOpenCL.so",
    "/vendor/lib64/egl/libGLES_mali.so",
    "/system/vendor/lib64/egl/libGLES_mali.so",
    "/vendor/lib64/libPVROCL.so",
    "/system/vendor/lib64/libPVROCL.so",
#else
    "/vendor/lib/libOpenCL.so",
    "/system/vendor/lib/libOpenCL.so",
    "/system/lib/libOpenCL.so",
    "/vendor/lib/egl/libGLES_mali.so",
    "/system/vendor/lib/egl/libGLES_mali.so",
    "/vendor/lib/libPVROCL.so",
    "/system/vendor/lib/libPVROCL.so",
#endif
};

const char* last_problem() {
  const char* text = dlerror();
  return text == nullptr ? "no reason given" : text;
}

}  // namespace

const OpenClLibrary& OpenClLibrary::instance() {
  static const OpenClLibrary library;
  return library;
}

OpenClLibrary::OpenClLibrary() {
  const char* own = std::getenv("TENSORDSL_OPENCL_LIBRARY");
  if (own != nullptr && *own != '\0') {
    if (!open(own))
      problem_ = fmt::format("TENSORDSL_OPENCL_LIBRARY={}: no OpenCL library there: {}", own,
                             lacks_.empty() ? last_problem() : lacks_);
    return;
  }
  std::string first_problem;
  for (const char* name : kNames) {
    if (open(name)) return;
    if (first_problem.empty()) first_problem = lacks_.empty() ? last_problem() : lacks_;
  }
  problem_ = fmt::format(
      "no OpenCL library found ({}); install a driver (on Debian: apt-get install pocl-opencl-icd), on "
      "Android name it in the app's manifest as uses-native-library, or set TENSORDSL_OPENCL_LIBRARY to its "
      "path; tried:",
      first_problem);
  for (const char* name : kNames) problem_ += fmt::format(" {}", name);
}

bool OpenClLibrary::open(const char* name) {
  void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return false;
  if (auto* enable = reinterpret_cast<void (*)()>(dlsym(handle, "enableOpenCL")); enable != nullptr) {
    enable();
    function_of_ = reinterpret_cast<void* (*)(const char*)>(dlsym(handle, "loadOpenCLPointer"));
  }
  // Checks for the newest functions in use: a library that lacks one is of OpenCL 1.1, or not OpenCL at all.
  for (const char* needed :
       {"clGetPlatformIDs", "clEnqueueMarkerWithWaitList", "clEnqueueBarrierWithWaitList", "clCreateImage",
        "clGetExtensionFunctionAddressForPlatform"}) {
    if ((function_of_ != nullptr ? function_of_(needed) : dlsym(handle, needed)) != nullptr) continue;
    function_of_ = nullptr;
    dlclose(handle);
    lacks_ = fmt::format("{} lacks {}; OpenCL 1.2 or newer is needed", name, needed);
    return false;
  }
  handle_ = handle;
  return true;
}

void* OpenClLibrary::function(const char* name) const {
  if (handle_ == nullptr) throw DeviceError(problem_);
  void* function = function_of_ != nullptr ? function_of_(name) : dlsym(handle_, name);
  if (function == nullptr)
    throw DeviceError(fmt::format("the OpenCL library lacks {}; OpenCL 1.2 or newer is needed", name));
  return function;
}

}  // namespace tensordsl::opencl
