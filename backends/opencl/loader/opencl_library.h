// The system's OpenCL library, found when it is first needed.
#pragma once

#include <string>

namespace tensordsl::opencl {

/// The loaded OpenCL library, or the reason why there is none. The process has one: it is never closed, as
/// drivers crash when they are closed.
class OpenClLibrary {
 public:
  /// Returns the library, which is loaded in the first call, from any thread.
  static const OpenClLibrary& instance();

  bool is_there() const { return handle_ != nullptr; }
  /// Returns the names that were tried and the system's errors; empty if the library was loaded.
  const std::string& problem() const { return problem_; }
  /// Returns the address of a function of the library. Throws DeviceError if there is no library, or it lacks
  /// the function because its OpenCL is older than 1.2.
  void* function(const char* name) const;

 private:
  OpenClLibrary();
  bool open(const char* name);

  void* handle_ = nullptr;
  /// Function that returns the functions on Google's phones, instead of the library's symbols.
  void* (*function_of_)(const char* name) = nullptr;
  std::string problem_;
  std::string lacks_;  // functions that a library lacked
};

}  // namespace tensordsl::opencl
