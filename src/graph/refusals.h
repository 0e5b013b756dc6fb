// Groups whose kernels a device refuses, and what is done instead when they are planned again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
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

/// A group that can be computed by other groups: what they would do without, and of which tensors.
struct Alternative {
  std::set<std::string> Refused::*without = nullptr;
  std::set<std::string> names;
};
/// Of one by Winograd's way, of one that slides over a sum, or of several in one.
std::optional<Alternative> alternative_of(const PlannedGraph& plan, const Group& group);

/// Notes the groups that are better apart. Whether there is one.
bool note_better_apart(const PlannedGraph& plan, const std::vector<ScheduledGroup>& scheduled,
                       Refused& refused);

/// What to do without, where the device refuses groups, with a warning for each: first images, then
/// Winograd's way, then what slides over a sum, then the strategy, then that the group is one kernel.
void note_refusals(const CompiledGraph& compiled, Refused& refused, ImageUse& images,
                   std::vector<std::string>& warnings);

/// Work-groups that the driver finds too large, once it has built their kernels: they are to be smaller, or,
/// where they were to be smaller before, by another strategy. Whether there is one.
bool note_work_groups(const CompiledGraph& compiled, const LoweringOptions& options, Refused& refused,
                      std::vector<std::string>& warnings);

}  // namespace tensordsl
