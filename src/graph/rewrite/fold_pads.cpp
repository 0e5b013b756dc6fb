#include "graph/rewrite/fold_pads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "classify/padding.h"
#include "dsl/func_of.h"
#include "dsl/make_func.h"
#include "graph/rewrite/graph_rewriter.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "tensordsl/boundary.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

using namespace ir;
using classify::Padding;

namespace {

/// A tensor, or a Func of one, that is another tensor with a border.
struct Pad {
  Padding padding;
  std::size_t source = 0;
  std::optional<std::size_t> over = std::nullopt;  ///< the pad of `source` that it was around
};

bool reads(const Function& function, const Function& other) {
  const classify::Classification kind = classify::classify(function);
  return std::ranges::any_of(kind.reads, [&](const auto& read) { return read.tensor.get() == &other; });
}

/// True if the Func reads the other one only in windows that slide over it.
bool slides_over(const Function& function, const Function& other) {
  const classify::Classification kind = classify::classify(function);
  return std::ranges::all_of(kind.reads, [&](const classify::Access& read) {
    return read.tensor.get() != &other ||
           std::ranges::any_of(read.indices, [&](const classify::IndexMap& index) {
             return std::ranges::any_of(kind.windows, [&](const classify::Window& window) {
               return index.coefficient_of(window.axis) != 0 && index.coefficient_of(window.dim) != 0;
             });
           });
  });
}

class PadMerger {
 public:
  PadMerger(DefinitionGraph graph, const std::set<std::string>& kept, PassNotes* notes)
      : rewriter_(std::move(graph), notes), kept_(kept) {}

  DefinitionGraph run() {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) find_pad(i);
    for (const auto& [tensor, pad] : pads_) choose(tensor);
    return rewriter_.run([&](std::size_t tensor) {
      if (!pads_.empty() && !graph_.tensors[tensor].func.is_input()) rebuild(tensor);
    });
  }

 private:
  std::vector<Expr> extents_of(std::size_t tensor) const { return graph_.tensors[tensor].extents(); }
  const Func& func_of(std::size_t tensor) const { return graph_.tensors[tensor].func; }

  /// Returns the pad if the Func is another tensor with a border. `extents`: as for padding_of.
  std::optional<Pad> pad_of(const Func& func, const std::vector<Expr>& extents) const {
    if (!may_be_pad(func)) return std::nullopt;
    const std::vector<std::size_t> sources = funcs_.reads_of({func});
    if (sources.size() != 1) return std::nullopt;
    const auto padding = classify::padding_of(func.contents(), extents_of(sources[0]), extents);
    return padding ? std::optional(around({*padding, sources[0]})) : std::nullopt;
  }

  void find_pad(std::size_t tensor) {
    const definitions::DefinedTensor& t = graph_.tensors[tensor];
    if (t.func.is_input() || kept_.contains(t.origin.kind) || !may_be_pad(t.func)) return;
    if (funcs_.funcs_of(tensor).size() != 1) return;
    if (const auto pad = pad_of(t.func, t.extents())) pads_.emplace(tensor, *pad);
  }

  static bool may_be_pad(const Func& func) {
    const Function& function = func.contents();
    return function.definitions.size() == 1 && !function.is_tuple() &&
           function.definitions[0].value()->kind == ExprKind::Select;
  }

  /// A pad of a pad as one, if that is one.
  Pad around(const Pad& outer) const {
    const auto inner = pads_.find(outer.source);
    if (inner == pads_.end()) return outer;
    const auto both = classify::composed(outer.padding, inner->second.padding, extents_of(outer.source),
                                         extents_of(inner->second.source));
    return both ? Pad{*both, inner->second.source, outer.source} : outer;
  }

  /// The border that a tensor has around another one for its windows.
  std::optional<Pad> own_border(std::size_t tensor, const Func& func) const {
    const bool is_part = &func.contents() != &func_of(tensor).contents();
    auto pad = is_part ? pad_of(func, {}) : std::nullopt;
    if (!pad) return std::nullopt;
    for (const Func& reader : funcs_.funcs_of(tensor)) {
      if (!slides_over(reader.contents(), func.contents())) return std::nullopt;
    }
    return pad;
  }

  void choose(std::size_t tensor) {
    if (graph_.is_read_by_host(tensor)) return rewriter_.note(tensor, PassOutcome::Kept, "it is an output");
    std::vector<std::string> names;
    for (const std::size_t reader : rewriter_.readers_of(tensor)) {
      const auto pad = pads_.find(reader);
      const bool is_around = pad != pads_.end() && pad->second.over == tensor;
      const std::string& name = graph_.tensors[reader].name;
      if (!is_around && !takes_in(reader, tensor))
        return rewriter_.note(tensor, PassOutcome::Kept,
                              fmt::format("%{} does more than slide windows over it", name));
      names.push_back("%" + name);
    }
    gone_.insert(tensor);
    rewriter_.note(tensor, PassOutcome::Gone, fmt::format("is the border of {}", fmt::join(names, ", ")));
  }

  /// True if the reader only slides windows over the tensor, with or without a border of its own.
  bool takes_in(std::size_t reader, std::size_t tensor) const {
    if (kept_.contains(graph_.tensors[reader].origin.kind)) return false;
    const Function& padded = func_of(tensor).contents();
    return std::ranges::all_of(funcs_.funcs_of(reader), [&](const Func& func) {
      return !reads(func.contents(), padded) || slides_over(func.contents(), padded) ||
             own_border(reader, func).has_value();
    });
  }

  void rebuild(std::size_t tensor) {
    if (const auto pad = pads_.find(tensor); pad != pads_.end() && pad->second.over) {
      const Func& func = func_of(tensor);
      const Func padded = bordered(pad->second, func.name());
      const std::vector<std::string>& dims = padded.contents().dims;
      const std::vector<Expr> places = shifted(vars_of(func.contents().dims), pad->second.padding);
      Substitution values;
      for (std::size_t d = 0; d < dims.size(); ++d) values.emplace(dims[d], places[d]);
      const Expr& value = padded.contents().definitions[0].value();
      return rewriter_.replace(func, pure_func(func.name(), func.contents().dims, substitute(value, values)));
    }
    std::map<const Function*, std::pair<Padding, Func>> borders;  // by the Func that they replace
    std::vector<std::string> names;
    for (const Func& func : funcs_.funcs_of(tensor)) names.push_back(func.name());
    const auto border_of = [&](const Function& read, const Pad& pad) {
      names.push_back(fresh_name(func_of(tensor).name() + "_padded", names));
      return borders.try_emplace(&read, pad.padding, bordered(pad, names.back())).first;
    };
    for (const Func& func : funcs_.funcs_of(tensor)) {
      const auto own = own_border(tensor, func);
      if (own && own->over && gone_.contains(*own->over)) {
        std::erase(names, func.name());
        border_of(func.contents(), *own);
        continue;
      }
      bool is_changed = false;
      const Func copy = copy_with_reads(func, func.name(), [&](const Expr& call) {
        auto border = borders.find(call->function.get());
        const auto source = funcs_.tensor_of(*call->function);
        if (border == borders.end() && source && gone_.contains(*source))
          border = border_of(*call->function, pads_.at(*source));
        if (border == borders.end()) return call;
        is_changed = true;
        return read_of(border->second.second, shifted(call->operands, border->second.first));
      });
      if (is_changed) {
        rewriter_.replace(func, copy);
      } else {
        rewriter_.update(func);
      }
    }
  }

  /// Returns the source with the border, at the indices of the source.
  Func bordered(const Pad& pad, const std::string& name) {
    std::vector<Expr> extents = extents_of(pad.source);
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (!pad.padding.has_border[d]) extents[d] = Expr();
    }
    return BoundaryConditions::constant(rewriter_.now(func_of(pad.source)), pad.padding.value, extents, name);
  }

  static std::vector<Expr> shifted(std::vector<Expr> places, const Padding& padding) {
    for (std::size_t d = 0; d < places.size(); ++d) {
      if (padding.offsets[d] != 0) places[d] = simplify(places[d] + static_cast<int>(padding.offsets[d]));
    }
    return places;
  }

  GraphRewriter rewriter_;
  const DefinitionGraph& graph_ = rewriter_.graph();
  const definitions::TensorFuncs& funcs_ = rewriter_.funcs();
  const std::set<std::string>& kept_;
  std::map<std::size_t, Pad> pads_;  // by tensor
  std::set<std::size_t> gone_;
};

}  // namespace

void fold_pads(Graph& graph, const GraphContext& context) {
  graph.definitions = PadMerger(std::move(graph.definitions), context.options.on_host, context.notes).run();
}

}  // namespace tensordsl::graph
