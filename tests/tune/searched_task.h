// The search of a convolution, with what its database is said to have.
#pragma once

#include <memory>
#include <vector>

#include "records/kernel_key.h"
#include "tune/single_task.h"
#include "tune/trial/task_search.h"

namespace tensordsl::tune {

class SearchedTask {
 public:
  SearchedTask() {
    options_.ranking.target = task_.target();
    options_.ranking.profile = task_.profile();
  }

  std::unique_ptr<TaskSearch> search(const std::vector<records::TuningRecord>& known = {},
                                     const std::vector<records::TuningRecord>& others = {}) const {
    return std::make_unique<TaskSearch>(task_.source(), options_, task_.key(),
                                        records::DeviceKey{"d", "e", "f"}, known, others);
  }
  TaskSearchOptions& options() { return options_; }

 private:
  SingleTask task_;
  TaskSearchOptions options_;
};

}  // namespace tensordsl::tune
