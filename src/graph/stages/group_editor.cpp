#include "graph/stages/group_editor.h"

#include <algorithm>
#include <utility>

namespace tensordsl::graph {

GroupEditor::GroupEditor(const definitions::DefinitionGraph& graph,
                         std::vector<definitions::FusedGroup> groups)
    : graph_(graph), groups_(std::move(groups)), funcs_(graph), readers_(funcs_.readers()) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    for (const std::size_t tensor : groups_[i].stored_tensors) group_of_[tensor] = i;
  }
}

std::optional<std::size_t> GroupEditor::group_of(std::size_t tensor) const {
  const auto found = group_of_.find(tensor);
  return found == group_of_.end() ? std::nullopt : std::optional(found->second);
}

bool GroupEditor::is_read_only_by(std::size_t tensor, const definitions::FusedGroup& group) const {
  return !graph_.is_read_by_host(tensor) && std::ranges::all_of(readers_[tensor], [&](std::size_t reader) {
    return std::ranges::count(group.tensors, reader) > 0;
  });
}

void GroupEditor::join(std::size_t first, std::size_t second) {
  definitions::FusedGroup &before = groups_[first], &after = groups_[second];
  after.tensors.insert(after.tensors.begin(), before.tensors.begin(), before.tensors.end());
  after.label = before.label + "+" + after.label;
  for (const std::size_t tensor : before.stored_tensors) group_of_.erase(tensor);
}

std::vector<definitions::FusedGroup> GroupEditor::take() {
  std::vector<definitions::FusedGroup> left;
  for (definitions::FusedGroup& group : groups_) {
    if (group_of_.contains(group.stored_tensors[0])) left.push_back(std::move(group));
  }
  return left;
}

}  // namespace tensordsl::graph
