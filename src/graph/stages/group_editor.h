// groups a, b, c; join(0, 2)   ->   groups b, ac
// Needs: groups in an order of execution.  Gives: the same tensors in fewer groups, in such an order.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "definitions/definition_graph.h"
#include "definitions/fused_group.h"

namespace tensordsl::graph {

/// The groups of a graph while a pass joins some of them, with the groups that store and that read each
/// tensor; up to date after each change.
class GroupEditor {
 public:
  /// `graph` must outlive it.
  GroupEditor(const definitions::DefinitionGraph& graph, std::vector<definitions::FusedGroup> groups);

  /// The groups by number, including those that were joined with later ones.
  std::vector<definitions::FusedGroup>& groups() { return groups_; }
  const std::vector<definitions::FusedGroup>& groups() const { return groups_; }
  const definitions::TensorFuncs& funcs() const { return funcs_; }
  const std::vector<std::vector<std::size_t>>& readers() const { return readers_; }

  /// Returns the group that stores the tensor; nothing if none does, or if it was joined with a later one.
  std::optional<std::size_t> group_of(std::size_t tensor) const;
  /// True if nothing but tensors of the group reads this one, not even the host.
  bool is_read_only_by(std::size_t tensor, const definitions::FusedGroup& group) const;

  /// Puts the tensors of `first` before those of `second`; from now on, only `second` stores its tensor. The
  /// Funcs are the caller's.
  void join(std::size_t first, std::size_t second);

  /// Returns the groups that are left.
  std::vector<definitions::FusedGroup> take();

 private:
  const definitions::DefinitionGraph& graph_;
  std::vector<definitions::FusedGroup> groups_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::map<std::size_t, std::size_t> group_of_;  // by tensor that is stored
};

}  // namespace tensordsl::graph
