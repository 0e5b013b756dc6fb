// What compile_graph knows of a graph before its groups have schedules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "definitions/definition_graph.h"
#include "graph/lower_groups.h"
#include "graph/plan_storage.h"
#include "tensordsl/optimizations.h"
#include "tensordsl/precision.h"

namespace tensordsl {

/// A group that is to have a schedule.
struct SchedulingCase {
  const std::string& key;  ///< graph/group_key.h
  const Group& group;
  const Target& target;
  const ChosenSchedule& first;  ///< what it has without a look
  /// With Funcs of its own, by a schedule; may be called by several threads.
  std::function<ScheduledGroup(const ChosenSchedule&)> scheduled;
};

struct CompileOptions : LoweringOptions {
  Precision precision = Precision::Float32;
  WeightPrecision weights = WeightPrecision::Model;
  Optimizations optimizations;
  std::optional<std::int64_t> winograd_budget;  ///< see use_winograd
  ScheduleChoices schedules;                    ///< of groups that someone has looked at
  /// Of the others: what trials have found. Null, or nothing: they take their first.
  std::function<std::optional<ChosenSchedule>(const SchedulingCase&)> known_schedule{};
  /// By its key (graph/group_key.h), whether a group that can be computed otherwise is slower than that: as
  /// the kernels that it is made of, or not by Winograd's way. Null: what the graph's own estimates say
  /// holds.
  std::function<bool(const std::string& key)> better_apart{};
};

/// A graph that is cut into groups, with a place for each tensor.
struct PlannedGraph {
  DefinitionGraph graph;
  std::vector<std::string> on_host;  ///< by tensor, as choose_host gives it
  std::vector<Group> fused;          ///< all of them
  std::vector<Group> placed;         ///< those that need a kernel, or the host
  std::vector<Group> groups;         ///< the same, some of them as one
  TensorStorage storage;
  std::set<std::size_t> winograd;  ///< tensors that use_winograd has changed
  /// Tensors (DefinedTensor::name) whose kernels have the strategy that stands in for the first one.
  std::set<std::string> stood_in;
  std::map<std::string, std::int64_t> most_items;  ///< of a work-group of their kernels, where it is known
};

}  // namespace tensordsl
