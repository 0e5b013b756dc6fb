#include "graph/views/find_aliases.h"

#include <optional>
#include <set>

#include "graph/views/layout_of_source.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;
using definitions::FusedGroup;

bool is_row_major(const DefinedTensor& tensor, const Layout& layout) {
  return canonical(layout, tensor.extents()) == canonical(Layout::row_major(layout.rank()), tensor.extents());
}

bool lies_alike(const DefinedTensor& moved, const Layout& layout, const DefinedTensor& source,
                const Layout& of_source) {
  const auto wanted = layout_of_source(moved, source, layout);
  return wanted && canonical(*wanted, source.extents()) == canonical(of_source, source.extents());
}

class AliasFinder {
 public:
  AliasFinder(const DefinitionGraph& graph, const std::vector<Layout>& layouts,
              const std::map<std::size_t, std::size_t>& within)
      : graph_(graph), funcs_(graph), layouts_(layouts), within_(within) {}

  void visit(const FusedGroup& group) {
    if (group.tensors.size() != 1 || !group.prologue.empty() || !group.epilogue.empty()) return;
    const std::size_t index = group.tensors[0];
    if (graph_.is_handed_on(index)) return;
    const DefinedTensor& tensor = graph_.tensors[index];
    const std::vector<std::size_t> reads = funcs_.reads_of({tensor.func});
    if (reads.size() != 1) return;
    const DefinedTensor& source = graph_.tensors[reads[0]];
    if (source.constant || source.stored_as ||
        !lies_alike(tensor, layouts_[index], source, layouts_[reads[0]]))
      return;
    const std::size_t owner = owner_of(reads[0]);
    const bool is_shown = graph_.is_read_by_host(index);
    const bool is_turned = !is_row_major(graph_.tensors[owner], layouts_[owner]);
    if (within_.contains(index) || (is_turned && is_shown)) {
      if (has_place(owner)) return;
      found_.within.emplace(owner, index);
    } else {
      found_.within.emplace(index, reads[0]);
      if (is_shown) shown_.insert(owner);
    }
    found_.sources.emplace(index, reads[0]);
  }

  const Aliases& found() const { return found_; }

 private:
  std::size_t owner_of(std::size_t tensor) const {
    for (auto at = found_.within.find(tensor); at != found_.within.end(); at = found_.within.find(tensor))
      tensor = at->second;
    return tensor;
  }

  bool has_place(std::size_t tensor) const {
    return graph_.tensors[tensor].func.is_input() || graph_.is_read_by_host(tensor) ||
           shown_.contains(tensor) || within_.contains(tensor);
  }

  const DefinitionGraph& graph_;
  definitions::TensorFuncs funcs_;
  const std::vector<Layout>& layouts_;
  const std::map<std::size_t, std::size_t>& within_;
  Aliases found_;
  std::set<std::size_t> shown_;  ///< whose memory the host reads under another name
};

}  // namespace

Aliases find_aliases(const DefinitionGraph& graph, const std::vector<FusedGroup>& groups,
                     const std::vector<Layout>& layouts, const std::map<std::size_t, std::size_t>& within) {
  AliasFinder finder(graph, layouts, within);
  for (const FusedGroup& group : groups) finder.visit(group);
  return finder.found();
}

}  // namespace tensordsl::graph
