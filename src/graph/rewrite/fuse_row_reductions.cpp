#include "graph/rewrite/fuse_row_reductions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "classify/classify.h"
#include "graph/rewrite/composed_funcs.h"
#include "graph/rewrite/epilogues.h"
#include "ir/nodes/expr_node.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;

using namespace ir;

namespace {

using classify::Class;
using classify::Classification;
using Dims = std::set<std::size_t>;

// A longer chain gains little, as in fuse.
constexpr std::size_t kMostRowTensors = 32;
// A row that one work-group computes in the time of a launch or two, though others wait.
constexpr std::int64_t kShortRow = 1 << 14;

bool is_one(const Expr& extent) { return is_const(simplify(extent), 1); }

/// The role of a tensor in the computation of a row.
enum class Role {
  Other,
  Pure,      ///< computed element by element
  Reduction  ///< one reduction, and operations on its result
};

/// Tensors that become the definition of the last one.
struct Region {
  std::set<std::size_t> tensors;
  std::vector<Expr> extents;  ///< of a whole row's tensor
  std::optional<Dims> along;  ///< dimensions of the reductions
};

class RowComposer {
 public:
  RowComposer(DefinitionGraph graph, const Target& target, const std::set<std::string>& kept,
              const std::set<std::string>& apart, PassNotes* notes)
      : graph_(std::move(graph)),
        target_(target),
        kept_(kept),
        apart_(apart),
        notes_(notes),
        funcs_(graph_),
        readers_(funcs_.readers()),
        epilogues_(graph_, funcs_, readers_) {
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      roles_.push_back(role_of(i));
      follows_.push_back(follows_reduction(i));
    }
  }

  DefinitionGraph run() {
    std::map<std::size_t, Composition> compositions;
    std::set<std::size_t> taken;
    for (std::size_t i = graph_.tensors.size(); i-- > 0;) {
      if (taken.contains(i) || roles_[i] == Role::Other) continue;
      const Region region = region_of(i, taken);
      if (!pays(region)) continue;
      taken.insert(region.tensors.begin(), region.tensors.end());
      compositions.emplace(i, Composition{region.tensors, "is fused into the row reduction"});
    }
    return with_compositions(std::move(graph_), compositions, notes_);
  }

 private:
  /// A reduction, also of squares or of the products of two rows: no dimension is of only one factor.
  static bool is_by_element(const Classification& kind) {
    if (kind.kind == Class::Reduction) return true;
    return kind.roles && kind.roles->m.empty() && kind.roles->n.empty() && kind.roles->group.empty();
  }

  Role role_of(std::size_t tensor) const {
    const definitions::DefinedTensor& t = graph_.tensors[tensor];
    if (t.func.is_input() || kept_.contains(t.origin.kind) || apart_.contains(t.name)) return Role::Other;
    int reductions = 0;
    for (const Func& func : funcs_.funcs_of(tensor)) {
      const Function& function = func.contents();
      if (function.is_tuple() || function.dims.size() != t.extents().size()) return Role::Other;
      const Classification kind = classify::classify(function);
      const bool is_pure = kind.kind == Class::Pointwise || kind.kind == Class::Movement;
      const bool is_reduction = is_by_element(kind) && kind.windows.empty() && func.updates() == 1;
      if (!is_pure && !is_reduction) return Role::Other;
      reductions += is_reduction ? 1 : 0;
    }
    if (reductions > 1) return Role::Other;
    return reductions == 1 ? Role::Reduction : Role::Pure;
  }

  /// True if a pure tensor needs the result of a reduction.
  bool follows_reduction(std::size_t tensor) const {
    if (roles_[tensor] != Role::Pure) return false;
    return std::ranges::any_of(funcs_.reads_of(funcs_.funcs_of(tensor)), [&](std::size_t source) {
      return roles_[source] == Role::Reduction || (source < follows_.size() && follows_[source]);
    });
  }

  Region region_of(std::size_t last, const std::set<std::size_t>& taken) const {
    Region region{{last}, graph_.tensors[last].extents(), std::nullopt};
    if (roles_[last] == Role::Reduction && !add_reduction(last, region)) return region;
    std::set<std::size_t> waiting = sources_of(last);
    while (!waiting.empty() && region.tensors.size() < kMostRowTensors) {
      const std::size_t source = *waiting.rbegin();
      waiting.erase(source);
      if (taken.contains(source) || !may_join(source, region)) continue;
      if (roles_[source] == Role::Reduction && !add_reduction(source, region)) continue;
      region.tensors.insert(source);
      waiting.merge(sources_of(source));
    }
    return region;
  }

  std::set<std::size_t> sources_of(std::size_t tensor) const {
    const std::vector<std::size_t> reads = funcs_.reads_of(funcs_.funcs_of(tensor));
    return {reads.begin(), reads.end()};
  }

  /// True if only the region reads it, and its members read it at their own row.
  bool may_join(std::size_t source, const Region& region) const {
    if (roles_[source] == Role::Other || graph_.is_read_by_host(source)) return false;
    const auto is_member = [&](std::size_t reader) { return region.tensors.contains(reader); };
    if (!std::ranges::all_of(readers_[source], is_member)) return false;
    int reads = 0;
    for (const std::size_t reader : readers_[source]) {
      const auto here = reads_at_row(reader, source);
      if (!here) return false;
      reads += *here;
    }
    if (roles_[source] == Role::Reduction || follows_[source]) return true;
    return reads == 1 && !epilogues_.contains(source);
  }

  /// Counts the reads of the tensor by the reader's definitions; nullopt unless each is at the computed
  /// element, along the axis of a reduction, or at the only element of a dimension.
  std::optional<int> reads_at_row(std::size_t reader, std::size_t source) const {
    const std::vector<Expr> extents = graph_.tensors[source].extents();
    int reads = 0;
    for (const Func& func : funcs_.funcs_of(reader)) {
      const Function& function = func.contents();
      for (const Definition& definition : function.definitions) {
        bool is_at_row = true;
        const auto is_place = [&](const Expr& index, std::size_t d) {
          if (index->kind != ExprKind::Var) return is_one(extents[d]) && is_const(simplify(index), 0);
          const bool is_axis = std::ranges::any_of(definition.domain, [&](const ReductionAxis& axis) {
            return axis.name == index->name && is_const(simplify(axis.min), 0) &&
                   same(simplify(axis.extent), simplify(extents[d]));
          });
          return is_axis || index->name == function.dims[d];
        };
        for (const Expr& value : definition.expressions()) {
          visit(value, [&](const Expr& e) {
            if (e->kind != ExprKind::Call || e->function != graph_.tensors[source].func.shared()) return true;
            ++reads;
            is_at_row = is_at_row && e->operands.size() == function.dims.size();
            for (std::size_t d = 0; is_at_row && d < e->operands.size(); ++d)
              is_at_row = is_place(e->operands[d], d);
            return true;
          });
        }
        if (!is_at_row) return std::nullopt;
      }
    }
    return reads;
  }

  /// Adds the reduction if it runs along the dimensions of the region. Returns true if it does.
  bool add_reduction(std::size_t tensor, Region& region) const {
    const std::vector<Expr> extents = graph_.tensors[tensor].extents();
    Dims along;
    std::vector<Expr> whole = extents;
    for (const Func& func : funcs_.funcs_of(tensor)) {
      if (func.updates() == 0) continue;
      for (const classify::Access& read : classify::classify(func.contents()).reads) {
        if (read.indices.size() != extents.size()) return false;
        for (const ReductionAxis& axis : func.contents().definitions[1].domain) {
          for (std::size_t d = 0; d < extents.size(); ++d) {
            if (!read.indices[d].is_axis(axis.name)) continue;
            along.insert(d);
            whole[d] = axis.extent;
          }
        }
      }
    }
    if (along.empty() || (region.along && *region.along != along)) return false;
    if (!std::ranges::all_of(along, [&](std::size_t d) { return is_one(extents[d]); })) return false;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const bool fits = same(simplify(region.extents[d]), simplify(whole[d])) ||
                        (along.contains(d) && is_one(region.extents[d]));
      if (!fits) return false;
    }
    region.along = along;
    region.extents = whole;
    return true;
  }

  /// True if the region has a reduction and more, and either enough rows for all units or short rows.
  bool pays(const Region& region) const {
    if (!region.along || region.tensors.size() < 2) return false;
    std::int64_t rows = 1, length = 1;
    for (std::size_t d = 0; d < region.extents.size(); ++d) {
      const std::int64_t* extent = as_int(simplify(region.extents[d]));
      if (!extent) continue;
      (region.along->contains(d) ? length : rows) *= *extent;
    }
    const bool is_spread = rows >= (target_.group_items > 1 ? 1 : 2) * std::int64_t{target_.compute_units};
    return is_spread || length <= kShortRow;
  }

  DefinitionGraph graph_;
  const Target& target_;
  const std::set<std::string>& kept_;
  const std::set<std::string>& apart_;
  PassNotes* notes_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::vector<Role> roles_;
  std::vector<bool> follows_;
  Epilogues epilogues_;
};

}  // namespace

void fuse_row_reductions(Graph& graph, const GraphContext& context) {
  graph.definitions =
      RowComposer(std::move(graph.definitions), context.options.target, context.options.on_host,
                  graph.fallbacks.refused(Refusal::Together), context.notes)
          .run();
}

}  // namespace tensordsl::graph
