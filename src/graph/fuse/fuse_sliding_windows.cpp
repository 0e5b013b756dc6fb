#include "graph/fuse/fuse_sliding_windows.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "graph/fuse/find_sliding_windows.h"
#include "graph/stages/group_editor.h"
#include "schedules/window/choose_sliding_tile.h"

namespace tensordsl::graph {
namespace {

using definitions::FusedGroup;

class Slider {
 public:
  Slider(const definitions::DefinitionGraph& graph, std::vector<FusedGroup> groups,
         const TensorStorage& storage, const Target& target, const FusionBarriers& apart)
      : graph_(graph), editor_(graph, std::move(groups)), storage_(storage), target_(target), apart_(apart) {
    for (const auto& [part, whole] : storage.within) shared_.insert({part, whole});
  }

  std::vector<FusedGroup> run() {
    if (target_.group_items != 1) return editor_.take();
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto before = before_of(groups_[i]);
      if (!before) continue;
      const std::size_t tensor = groups_[i].stored_tensors[0];
      const FusedGroup both = together(groups_[*before], groups_[i]);
      auto form = find_sliding_windows(both, graph_.tensors[tensor].extents(), storage_.layouts[tensor]);
      const auto tile = form ? schedules::choose_sliding_tile(form->problem, target_) : std::nullopt;
      if (!tile) continue;
      form->tile = *tile;
      static_cast<definitions::GroupFuncs&>(groups_[i]) = both;
      groups_[i].form = *form;
      editor_.join(*before, i);
    }
    return editor_.take();
  }

 private:
  static bool has_one_sum(const FusedGroup& group) {
    return std::holds_alternative<definitions::PlainForm>(group.form) && group.anchors.size() == 1 &&
           group.anchors[0].updates() == 1 && group.stored_tensors.size() == 1 &&
           std::ranges::none_of(group.prologue, [](const Func& f) { return f.updates() > 0; });
  }

  /// Returns the group of the only tensor, constants aside, that the windows slide over.
  std::optional<std::size_t> before_of(const FusedGroup& group) const {
    if (!has_one_sum(group)) return std::nullopt;
    std::vector<Func> sliding = group.prologue;
    sliding.push_back(group.anchors[0]);
    std::optional<std::size_t> source;
    for (const std::size_t tensor : editor_.funcs().reads_of(sliding)) {
      if (graph_.tensors[tensor].constant) continue;
      if (source) return std::nullopt;
      source = tensor;
    }
    if (!source || shared_.contains(*source)) return std::nullopt;
    const bool is_read_beside = std::ranges::count(editor_.funcs().reads_of(group.epilogue), *source) > 0;
    const bool is_its_own = editor_.is_read_only_by(*source, group);
    if (is_read_beside || !is_its_own || !apart_.may_meet(graph_, *source, group.tensors[0]))
      return std::nullopt;
    const auto found = editor_.group_of(*source);
    return found && has_one_sum(groups_[*found]) ? found : std::nullopt;
  }

  static FusedGroup together(const FusedGroup& first, FusedGroup second) {
    const auto add = [](auto& list, const auto& before) {
      list.insert(list.begin(), before.begin(), before.end());
    };
    add(second.prologue, first.prologue);
    add(second.anchors, first.anchors);
    add(second.epilogue, first.epilogue);
    return second;
  }

  const definitions::DefinitionGraph& graph_;
  GroupEditor editor_;
  std::vector<FusedGroup>& groups_ = editor_.groups();
  const TensorStorage& storage_;
  const Target& target_;
  const FusionBarriers& apart_;
  std::set<std::size_t> shared_;  // tensors that are in another's memory, or have others in theirs
};

}  // namespace

void fuse_sliding_windows(Graph& graph, const GraphContext& context) {
  std::set<std::string> apart = graph.fallbacks.refused(Refusal::Together);
  const std::set<std::string>& sliding = graph.fallbacks.refused(Refusal::Sliding);
  apart.insert(sliding.begin(), sliding.end());
  const FusionBarriers barriers = barriers_of(graph, apart);
  graph.groups =
      Slider(graph.definitions, std::move(graph.groups), graph.storage, context.options.target, barriers)
          .run();
}

}  // namespace tensordsl::graph
