// Records for tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/kernel_key.h"
#include "records/tuning_record.h"
#include "support/temporary.h"

namespace tensordsl::records {

/// "f32[3]": the definitions "f32[]" with the size 3.
inline KernelKey key_of(const std::string& text) {
  std::string definitions;
  std::vector<std::int64_t> sizes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    definitions += text[at];
    if (text[at] == '[') sizes.push_back(std::stoll(text.substr(at + 1)));
    if (text[at] == '[') at = text.find(']', at) - 1;
  }
  return kernel_key(definitions, sizes);
}

inline const DeviceKey kDevice{"PoCL / cpu", "3.1", "0.1.0"};

inline TuningRecord timed(const std::string& key, const std::string& point, double us) {
  TuningRecord record;
  record.kernel = key_of(key);
  record.device = kDevice;
  record.operators = "Conv+Relu";
  record.strategy = "tiled_reduction";
  record.point = point;
  record.us = us;
  record.features = {{"groups", 4.5}, {"us", 3}};
  return record;
}

inline TuningRecord failed(const std::string& key, const std::string& point, const std::string& why) {
  TuningRecord record = timed(key, point, 1);
  record.us.reset();
  record.failure = why;
  record.features.clear();
  return record;
}

/// A file's name in a folder of its own, which goes with it.
class DatabaseFile {
 public:
  explicit DatabaseFile(const std::string& name) : folder_(testing::temporary("records_" + name)) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~DatabaseFile() { std::filesystem::remove_all(folder_); }
  DatabaseFile(const DatabaseFile&) = delete;
  DatabaseFile& operator=(const DatabaseFile&) = delete;

  std::string path() const { return folder_ / "tuning.db"; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

}  // namespace tensordsl::records
