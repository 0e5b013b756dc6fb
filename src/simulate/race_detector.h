// The accesses to each element of a shared memory since the last barrier.
#pragma once

#include <cstdint>
#include <vector>

namespace tensordsl::simulator {

/// A work-item of the launch. `epoch` counts the barriers of the memory; it never returns to a former value.
struct Accessor {
  std::uint32_t group = 0;
  std::uint32_t item = 0;
  std::uint32_t epoch = 0;
};

class RaceDetector {
 public:
  void reset(std::size_t elements) {
    writers_.assign(elements, {});
    readers_.assign(elements, {});
  }

  /// True if the read races with a write.
  bool read(std::size_t element, const Accessor& by) {
    if (conflicts(writers_[element], by)) return true;
    record(readers_[element], by);
    return false;
  }

  /// True if the write races with a read or, unless it does not change the value, with a write.
  bool write(std::size_t element, const Accessor& by, bool changes_value) {
    if (conflicts(readers_[element], by)) return true;
    if (changes_value && conflicts(writers_[element], by)) return true;
    record(writers_[element], by);
    return false;
  }

 private:
  static constexpr std::uint32_t kNobody = UINT32_MAX;
  static constexpr std::uint32_t kSeveral = UINT32_MAX - 1;

  /// The latest accessor; several groups, or several items of the group, in one epoch are kept as kSeveral.
  struct Last {
    std::uint32_t group = kNobody;
    std::uint32_t item = kNobody;
    std::uint32_t epoch = 0;
  };

  static bool conflicts(const Last& last, const Accessor& by) {
    if (last.group == kNobody) return false;
    // A barrier orders the items of one group only.
    return last.group != by.group || (last.epoch == by.epoch && last.item != by.item);
  }

  static void record(Last& last, const Accessor& by) {
    if (last.group == kNobody || (last.group == by.group && last.epoch != by.epoch)) {
      last = {by.group, by.item, by.epoch};
    } else if (last.group != by.group) {
      last.group = kSeveral;
    } else if (last.item != by.item) {
      last.item = kSeveral;
    }
  }

  std::vector<Last> writers_, readers_;
};

}  // namespace tensordsl::simulator
