#include "graph/views/choose_layouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/pending/queue.hpp>
#include <numeric>
#include <set>

#include "classify/classify.h"
#include "classify/layout_type.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using classify::Classification;
using definitions::DefinitionGraph;

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

/// True if each dimension of the read lies along the same dimension of `function`, or along none.
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

/// Finds the tensors that are stored channels last: the connected components, along reads that keep
/// dimensions in their positions, in which a tensor asks for it.
class ChannelsLast {
 public:
  explicit ChannelsLast(const DefinitionGraph& graph)
      : graph_(graph), funcs_(graph), neighbors_(graph.tensors.size()), reasons_(graph.tensors.size()) {
    for (std::size_t tensor = 0; tensor < graph.tensors.size(); ++tensor) look_at(tensor);
    for (const DefinitionGraph::Loop& loop : graph.loops) {
      for (const auto& carried : loop.carried) {
        for (const std::size_t other : {carried.now, carried.next, carried.end})
          boost::add_edge(carried.begin, other, neighbors_);
      }
    }
  }

  /// Returns the reason of each, in words; empty for the others.
  std::vector<std::string> run() {
    std::vector<std::size_t> before(graph_.tensors.size());
    std::iota(before.begin(), before.end(), std::size_t{0});
    std::vector<boost::default_color_type> colors(graph_.tensors.size());
    boost::queue<std::size_t> waiting;
    boost::breadth_first_visit(
        neighbors_, asking_.begin(), asking_.end(), waiting,
        boost::make_bfs_visitor(boost::record_predecessors(before.data(), boost::on_tree_edge())),
        colors.data());
    for (std::size_t tensor = 0; tensor < before.size(); ++tensor) {
      if (before[tensor] != tensor)
        reasons_[tensor] = fmt::format("channels last like %{}, which it is combined with element by element",
                                       graph_.tensors[before[tensor]].name);
    }
    return reasons_;
  }

 private:
  using Neighbors = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

  void look_at(std::size_t tensor) {
    if (graph_.tensors[tensor].func.rank() != kImageRank) return;
    for (const Func& func : funcs_.funcs_of(tensor)) {
      if (func.rank() != kImageRank) continue;
      const Classification kind = classify::classify(func.contents());
      // Only operators whose speed depends on the layout of their inputs ask for one: SmartMem, Table 3.
      const bool asks = classify::layout_type_of({kind}, /*is_bijection=*/false).depends_on_input &&
                        wants_channels_last(func.contents(), kind);
      if (asks && reasons_[tensor].empty()) {
        asking_.push_back(tensor);
        reasons_[tensor] = kind.windows.empty()
                               ? "channels last: its channels are reductions over other channels"
                               : "channels last: windows slide over rows and columns";
      }
      for (const classify::Access& read : kind.reads) {
        const auto source = funcs_.tensor_of(*read.tensor);
        if (source && keeps_dimensions(read, func.contents())) boost::add_edge(tensor, *source, neighbors_);
      }
    }
  }

  const DefinitionGraph& graph_;
  definitions::TensorFuncs funcs_;
  Neighbors neighbors_;
  std::vector<std::string> reasons_;
  std::vector<std::size_t> asking_;
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
  for (const definitions::DefinedTensor& tensor : graph.tensors)
    layouts.push_back(Layout::row_major(tensor.func.rank()));
  return layouts;
}

}  // namespace tensordsl::graph
