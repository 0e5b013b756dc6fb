// Tuning records in a file that many processes may use at once; a process that is killed does not damage it.
//
// The file is an SQLite database with a write-ahead log: one call adds all of its records or none. Its log
// (-wal) and the index of the log (-shm) are next to it while it is open.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "records/tuning_record.h"

namespace tensordsl::records {

/// Summary of the records of a kernel on a device.
struct KernelSummary {
  std::string structure, operators;
  DeviceKey device;
  std::int64_t timed = 0, failed = 0;
  std::optional<TuningRecord> best;
  std::optional<double> apart_us{};  ///< time of the unfused kernels that can replace it
};

/// Selects the records to remove: all records of the named devices or, if `keep`, `failures` or `outdated` is
/// set, only the ones that it describes.
struct PruneOptions {
  std::string device, driver, library;  ///< values that a record must have; empty: any
  std::string except_library;           ///< any version of the library but this; empty: any
  /// Removes records that are slower than this many others of the same kernel and device.
  std::optional<std::int64_t> keep;
  bool failures = false;  ///< true: records of schedules that failed
  bool outdated = false;  ///< true: records of kernels that are not found any more: RecordDatabase::outdated
};

/// Thread safety: an object is for one thread at a time; a file for any number of objects, of many processes.
class RecordDatabase {
 public:
  /// Opens the file, or creates it; a database of an earlier version becomes one of this version. ":memory:"
  /// is a database that only this object has. Throws Error that names the file if it cannot be opened, is
  /// damaged (which takes reading it), is not a database of tuning records, or was made by a later version of
  /// tensordsl.
  explicit RecordDatabase(const std::string& path);
  /// Opens an existing database for reading only. Throws Error if there is none, or if it is damaged.
  static RecordDatabase open_existing(const std::string& path);
  ~RecordDatabase();
  RecordDatabase(RecordDatabase&&) noexcept;
  RecordDatabase& operator=(RecordDatabase&&) noexcept;

  const std::string& path() const;

  /// All of them or, if Error is thrown, none: the disk is full, the file may not be written, another process
  /// holds it for longer than half a minute. A record of the same schedule of the same kernel and device is
  /// replaced.
  void add(const std::vector<TuningRecord>& records);

  /// Returns the records of one kernel on one device, the fastest first, failures last.
  std::vector<TuningRecord> of(const std::string& structure, const DeviceKey& device) const;
  /// The fastest schedule of them.
  std::optional<TuningRecord> best(const std::string& structure, const DeviceKey& device) const;
  /// Timed records on one device, `most` at most, the newest.
  std::vector<TuningRecord> of_device(const DeviceKey& device, std::int64_t most) const;
  /// The fastest schedule of each kernel on one device.
  std::vector<TuningRecord> best_of_device(const DeviceKey& device) const;
  /// Returns the records of the unfused kernels that can replace a fused one (kApart).
  std::vector<TuningRecord> apart_on_device(const DeviceKey& device) const;
  /// The fastest schedule of each kernel of a family.
  std::vector<TuningRecord> best_of_family(const std::string& family, const DeviceKey& device) const;

  /// Every record, by kernel and device, the fastest first.
  std::vector<TuningRecord> all() const;
  std::vector<KernelSummary> summaries() const;
  std::int64_t size() const;
  /// Counts the records of an earlier version of tensordsl, whose keys for kernels were others: the functions
  /// above do not return them.
  std::int64_t outdated() const;

  /// Adds the records of another database except for schedules that are known here. Returns how many were
  /// new.
  std::int64_t merge(const RecordDatabase& other);
  /// Returns how many went.
  std::int64_t prune(const PruneOptions& options);

 private:
  struct Impl;
  explicit RecordDatabase(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tensordsl::records
