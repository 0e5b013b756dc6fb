// Groups whose kernels a device refuses, and what is done instead when they are planned again.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "graph/choose_images.h"
#include "graph/compile_graph.h"

namespace tensordsl {

/// Tensors (DefinedTensor::name) that a device has refused.
struct Refused {
  std::set<std::string> together;  ///< with others as one kernel
  std::set<std::string> winograd;
  std::set<std::string> slid_over;                 ///< with the windows that slide over them
  std::set<std::string> stood_in;                  ///< by the strategy that comes first
  std::map<std::string, std::int64_t> most_items;  ///< of their work-groups

  /// Without work-groups.
  std::size_t size() const { return together.size() + winograd.size() + slid_over.size() + stood_in.size(); }
};

/// What to do without, where the device refuses groups, with a warning for each: first images, then
/// Winograd's way, then what slides over a sum, then the strategy, then that the group is one kernel.
void note_refusals(const CompiledGraph& compiled, Refused& refused, ImageUse& images,
                   std::vector<std::string>& warnings);

/// Work-groups that the driver finds too large, once it has built their kernels: they are to be smaller, or,
/// where they were to be smaller before, by another strategy. Whether there is one.
bool note_work_groups(const CompiledGraph& compiled, const LoweringOptions& options, Refused& refused,
                      std::vector<std::string>& warnings);

}  // namespace tensordsl
