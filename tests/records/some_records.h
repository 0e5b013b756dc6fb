// Records for tests.
#pragma once

#include <filesystem>
#include <string>

#include "records/kernel_key.h"
#include "records/tuning_record.h"
#include "support/temporary.h"

namespace tensordsl::records {

inline const DeviceKey kDevice{"PoCL / cpu", "3.1", "0.1.0"};

inline TuningRecord timed(const std::string& key, const std::string& point, double us) {
  TuningRecord record;
  record.kernel = kernel_key(key);
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
