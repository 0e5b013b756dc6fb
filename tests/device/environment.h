// Helpers of the device tests: a clean environment, temporary folders, and a small kernel.
#pragma once

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "tensordsl/device.h"

namespace tensordsl::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tensordsl-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  const std::filesystem::path& path() const { return path_; }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) found.push_back(entry.path());
    return found;
  }

 private:
  std::filesystem::path path_;
};

/// Sets (or with no value unsets) an environment variable until the end of the scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::optional<std::string>& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    set(value);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() { set(old_); }

 private:
  void set(const std::optional<std::string>& value) const {
    if (value) {
      setenv(name_, value->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  const char* name_;
  std::optional<std::string> old_;
};

/// A cache folder and $TMPDIR of the test's own.
struct CleanEnvironment {
  TemporaryFolder cache;
  TemporaryFolder temporary;
  ScopedVariable folder{"TENSORDSL_CACHE_DIR", cache.path().string()};
  ScopedVariable state{"TENSORDSL_CACHE", std::nullopt};
  ScopedVariable device{"TENSORDSL_DEVICE", std::nullopt};
  ScopedVariable tmpdir{"TMPDIR", temporary.path().string()};
};

inline std::string contents_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::filesystem::path& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

/// out[i] = a[i] + b[i] for i < n, in work-groups of 8; `comment` makes the text differ from others.
inline KernelSource add_source(const std::string& comment = "") {
  KernelSource source;
  source.entry = "add";
  source.text = "// " + comment + R"(
__kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void add(__global const float* a, __global const float* b, __global float* out, const int n) {
  const int i = get_global_id(0);
  if (i < n) out[i] = a[i] + b[i];
})";
  using Kind = KernelArgument::Kind;
  using Access = KernelArgument::Access;
  source.arguments = {{Kind::Buffer, "a", Float(32), Access::ReadOnly, "n"},
                      {Kind::Buffer, "b", Float(32), Access::ReadOnly, "n"},
                      {Kind::Buffer, "out", Float(32), Access::WriteOnly, "n"},
                      {Kind::Scalar, "n", Int(32), Access::ReadOnly, "1"}};
  source.launch = {{"(n + 7)/8", "1", "1"}, {8, 1, 1}};
  return source;
}

}  // namespace tensordsl::test
