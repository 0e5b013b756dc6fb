#include "graph/report/find_producers.h"

#include <algorithm>

namespace tensordsl::graph {

Producers::Producers(const std::vector<definitions::FusedGroup>& groups, const TensorStorage& storage)
    : storage_(storage) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const std::size_t tensor : groups[i].stored_tensors) group_of_.emplace(tensor, i);
  }
  for (const auto& [tensor, owner] : storage.within) within_[owner].push_back(tensor);
}

std::vector<std::size_t> Producers::of(std::size_t tensor) const {
  std::vector<std::size_t> groups;
  add_parts(tensor, groups);
  while (groups.empty() && storage_.within.contains(tensor)) {
    tensor = storage_.within.at(tensor);
    add_parts(tensor, groups);
  }
  std::ranges::sort(groups);
  const auto rest = std::ranges::unique(groups);
  groups.erase(rest.begin(), rest.end());
  return groups;
}

bool Producers::is_whole(std::size_t tensor) const {
  const auto found = within_.find(tensor);
  if (found == within_.end() || group_of_.contains(tensor)) return false;
  const auto is_made = [&](std::size_t part) {
    std::vector<std::size_t> groups;
    add_parts(part, groups);
    return !groups.empty();
  };
  return std::ranges::count_if(found->second, is_made) > 1;
}

void Producers::add_parts(std::size_t tensor, std::vector<std::size_t>& groups) const {
  if (const auto group = group_of_.find(tensor); group != group_of_.end()) {
    groups.push_back(group->second);
  } else if (const auto parts = within_.find(tensor); parts != within_.end()) {
    for (const std::size_t part : parts->second) add_parts(part, groups);
  }
}

}  // namespace tensordsl::graph
