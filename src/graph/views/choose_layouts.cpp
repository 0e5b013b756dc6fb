#include "graph/views/choose_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl::graph {

using classify::Classification;

namespace {

constexpr int kImageRank = 4;
constexpr std::size_t kChannels = 1;

/// The dimensions of `function` that an index varies with.
std::set<std::string> dims_in(const Expr& index, const ir::Function& function) {
  std::set<std::string> dims;
  ir::visit(index, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Var && std::ranges::count(function.dims, e->name) > 0) dims.insert(e->name);
    return true;
  });
  return dims;
}

/// Whether each dimension of the read lies along the same dimension of `function`, or along none.
bool keeps_dimensions(const classify::Access& read, const ir::Function& function) {
  if (read.indices.size() != function.dims.size()) return false;
  for (std::size_t d = 0; d < read.indices.size(); ++d) {
    const std::set<std::string> dims = dims_in(read.indices[d].index, function);
    if (dims.size() > 1 || (dims.size() == 1 && *dims.begin() != function.dims[d])) return false;
  }
  return true;
}

/// A window slides over it, or a contraction makes channels of others.
bool wants_channels_last(const ir::Function& function, const Classification& kind) {
  if (static_cast<int>(function.dims.size()) != kImageRank) return false;
  if (!kind.windows.empty()) return true;
  return kind.roles && (std::ranges::count(kind.roles->n, function.dims[kChannels]) > 0 ||
                        std::ranges::count(kind.roles->group, function.dims[kChannels]) > 0);
}

/// Which tensors lie channels last.
class ChannelsLast {
 public:
  explicit ChannelsLast(const DefinitionGraph& graph)
      : graph_(graph), funcs_(graph), neighbors_(graph.tensors.size()), reasons_(graph.tensors.size()) {
    for (std::size_t tensor = 0; tensor < graph.tensors.size(); ++tensor) look_at(tensor);
    for (const DefinitionGraph::Loop& loop : graph.loops) {
      for (const auto& carried : loop.carried) {
        for (const std::size_t other : {carried.now, carried.next, carried.end}) link(carried.begin, other);
      }
    }
  }

  /// Why each is so, in words; empty of the others.
  std::vector<std::string> run() {
    while (!waiting_.empty()) {
      const std::size_t tensor = waiting_.back();
      waiting_.pop_back();
      for (const std::size_t neighbor : neighbors_[tensor])
        find(neighbor, fmt::format("channels last as %{}, which goes with it dimension by dimension",
                                   graph_.tensors[tensor].name));
    }
    return reasons_;
  }

 private:
  void look_at(std::size_t tensor) {
    if (graph_.tensors[tensor].func.rank() != kImageRank) return;
    for (const Func& func : funcs_.funcs_of(tensor)) {
      if (func.rank() != kImageRank) continue;
      const Classification kind = classify::classify(func.contents());
      if (wants_channels_last(func.contents(), kind)) {
        find(tensor, kind.windows.empty() ? "channels last: its channels are sums over other channels"
                                          : "channels last: windows slide over rows and columns");
      }
      for (const classify::Access& read : kind.reads) {
        const auto source = funcs_.tensor_of(*read.tensor);
        if (!source || !keeps_dimensions(read, func.contents())) continue;
        link(tensor, *source);
      }
    }
  }

  void link(std::size_t a, std::size_t b) {
    neighbors_[a].push_back(b);
    neighbors_[b].push_back(a);
  }

  void find(std::size_t tensor, std::string reason) {
    if (!reasons_[tensor].empty()) return;
    reasons_[tensor] = std::move(reason);
    waiting_.push_back(tensor);
  }

  const DefinitionGraph& graph_;
  TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> neighbors_;
  std::vector<std::string> reasons_;
  std::vector<std::size_t> waiting_;  // found, their neighbors not yet
};

}  // namespace

std::vector<Layout> choose_layouts(const DefinitionGraph& graph, std::vector<std::string>* reasons) {
  const Layout channels_last = Layout::of({{.dim = 0}, {.dim = 2}, {.dim = 3}, {.dim = 1}});
  std::vector<std::string> found = ChannelsLast(graph).run();
  std::vector<Layout> layouts;
  for (std::size_t i = 0; i < graph.tensors.size(); ++i)
    layouts.push_back(found[i].empty() ? Layout::row_major(graph.tensors[i].func.rank()) : channels_last);
  if (reasons) *reasons = std::move(found);
  return layouts;
}

std::vector<Layout> row_major_layouts(const DefinitionGraph& graph) {
  std::vector<Layout> layouts;
  for (const DefinedTensor& tensor : graph.tensors) layouts.push_back(Layout::row_major(tensor.func.rank()));
  return layouts;
}

}  // namespace tensordsl::graph
