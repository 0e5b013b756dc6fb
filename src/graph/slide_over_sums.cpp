#include "graph/slide_over_sums.h"

#include <algorithm>
#include <map>
#include <optional>

#include "schedules/choose_sliding_tile.h"
#include "schedules/sliding_parts.h"

namespace tensordsl {
namespace {

class Slider {
 public:
  Slider(const DefinitionGraph& graph, std::vector<Group> groups, const TensorStorage& storage,
         const std::set<std::size_t>& changed, const Target& target, const KeptApart& apart)
      : graph_(graph),
        groups_(std::move(groups)),
        storage_(storage),
        changed_(changed),
        target_(target),
        apart_(apart),
        funcs_(graph),
        readers_(readers_of(graph)) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const std::size_t tensor : groups_[i].stored_tensors) group_of_[tensor] = i;
    }
    for (const auto& [part, whole] : storage.within) shared_.insert({part, whole});
  }

  std::vector<Group> run() {
    if (target_.group_items != 1) return std::move(groups_);
    std::set<std::size_t> joined;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto before = before_of(groups_[i]);
      if (!before || joined.contains(*before)) continue;
      Group both = together(groups_[*before], groups_[i]);
      const std::size_t tensor = both.stored_tensors[0];
      const auto parts =
          schedules::sliding_parts(both, graph_.tensors[tensor].extents(), storage_.layouts[tensor]);
      if (!parts || !schedules::choose_sliding_tile(parts->problem, target_)) continue;
      groups_[i] = std::move(both);
      joined.insert(*before);
    }
    std::vector<Group> left;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!joined.contains(i)) left.push_back(std::move(groups_[i]));
    }
    return left;
  }

 private:
  static bool has_one_sum(const Group& group) {
    return group.anchors.size() == 1 && group.anchors[0].updates() == 1 && group.stored_tensors.size() == 1 &&
           std::ranges::none_of(group.prologue, [](const Func& f) { return f.updates() > 0; });
  }

  /// The group of the one tensor, beside constants, that the windows slide over.
  std::optional<std::size_t> before_of(const Group& group) const {
    if (!has_one_sum(group) || changed_.contains(group.stored_tensors[0])) return std::nullopt;
    std::vector<Func> sliding = group.prologue;
    sliding.push_back(group.anchors[0]);
    std::optional<std::size_t> source;
    for (const std::size_t tensor : funcs_.reads_of(sliding)) {
      if (graph_.tensors[tensor].constant) continue;
      if (source) return std::nullopt;
      source = tensor;
    }
    if (!source || graph_.is_read_by_host(*source) || shared_.contains(*source)) return std::nullopt;
    const bool is_read_beside = std::ranges::count(funcs_.reads_of(group.epilogue), *source) > 0;
    const bool is_its_own = std::ranges::all_of(
        readers_[*source], [&](std::size_t reader) { return std::ranges::count(group.tensors, reader) > 0; });
    if (is_read_beside || !is_its_own || !apart_.may_meet(graph_, *source, group.tensors[0]))
      return std::nullopt;
    const auto found = group_of_.find(*source);
    if (found == group_of_.end() || changed_.contains(*source) || !has_one_sum(groups_[found->second]))
      return std::nullopt;
    return found->second;
  }

  static Group together(const Group& first, Group second) {
    const auto add = [](auto& list, const auto& before) {
      list.insert(list.begin(), before.begin(), before.end());
    };
    add(second.tensors, first.tensors);
    add(second.prologue, first.prologue);
    add(second.anchors, first.anchors);
    add(second.epilogue, first.epilogue);
    second.label = first.label + "+" + second.label;
    return second;
  }

  const DefinitionGraph& graph_;
  std::vector<Group> groups_;
  const TensorStorage& storage_;
  const std::set<std::size_t>& changed_;
  const Target& target_;
  const KeptApart& apart_;
  TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::map<std::size_t, std::size_t> group_of_;  // by tensor that is stored
  std::set<std::size_t> shared_;  // tensors that are in another's memory, or have others in theirs
};

}  // namespace

std::vector<Group> slide_over_sums(const DefinitionGraph& graph, std::vector<Group> groups,
                                   const TensorStorage& storage, const std::set<std::size_t>& changed,
                                   const Target& target, const KeptApart& apart) {
  return Slider(graph, std::move(groups), storage, changed, target, apart).run();
}

}  // namespace tensordsl
