#include "graph/fuse/fuse_contractions.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "definitions/unit_axes.h"
#include "graph/stages/group_editor.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using classify::Class;
using classify::Classification;
using definitions::ChainForm;
using definitions::FusedGroup;
using definitions::GroupForm;
using definitions::PlainForm;

constexpr std::int64_t kMostElements = 4096;
constexpr std::int64_t kMostChainedTerms = 1 << 19, kMostOfItem = 64;
constexpr std::int64_t kMostRows = 8;

/// More than the most if one is open.
std::int64_t bounded_product(const std::vector<Expr>& extents) {
  std::int64_t product = 1;
  for (const Expr& e : extents) {
    const std::int64_t* extent = ir::as_int(e);
    if (!extent || *extent > kMostChainedTerms) return kMostChainedTerms + 1;
    product = std::min(product * *extent, kMostChainedTerms + 1);
  }
  return product;
}

bool slides(const Classification& kind) {
  return std::ranges::any_of(kind.windows, [](const classify::Window& window) {
    const std::int64_t* extent = ir::as_int(window.extent);
    return !extent || *extent != 1;
  });
}

/// A product that reads a tensor along its own axes.
struct Link {
  std::size_t source = 0;
  std::int64_t rows = 1, rows_of_source = 1;  ///< along dimensions of both
};

/// 64 if it is open.
std::int64_t likely_extent(const Expr& extent) {
  const std::int64_t* value = ir::as_int(extent);
  return value ? *value : 64;
}

/// Returns the Func of the epilogue that `next` contracts, and its dimension along the axis.
std::optional<ChainForm::Link> contracted_by(const FusedGroup& group, const Func& sum, const Func& next) {
  const Func plain = definitions::without_unit_axes(next);
  const Classification kind = classify::classify(plain.contents());
  if (kind.kind != Class::Contraction || !kind.windows.empty()) return std::nullopt;
  for (const classify::Access& read : kind.reads) {
    const auto result =
        std::ranges::find_if(group.epilogue, [&](const Func& f) { return f.shared() == read.tensor; });
    if (result == group.epilogue.end() || result->rank() != sum.rank()) continue;
    for (const ir::ReductionAxis& axis : plain.contents().definitions.at(1).domain) {
      for (std::size_t d = 0; d < read.indices.size(); ++d) {
        if (read.indices[d].is_axis(axis.name))
          return ChainForm::Link{sum, *result, static_cast<int>(d), likely_extent(axis.extent)};
      }
    }
  }
  return std::nullopt;
}

/// The last anchor and the output. Its channels are its columns.
std::optional<ChainForm::Link> last_link(const FusedGroup& group, const Func& sum,
                                         const std::vector<Expr>& extents) {
  const Func& out = group.outputs[0];
  const Func plain = definitions::without_unit_axes(sum);
  const Classification kind = classify::classify(plain.contents());
  if (!kind.roles || out.rank() != sum.rank()) return std::nullopt;
  std::optional<ChainForm::Link> link;
  for (int d = 0; d < sum.rank(); ++d) {
    const std::string& dim = sum.contents().dims[static_cast<std::size_t>(d)];
    const std::int64_t extent = likely_extent(extents[static_cast<std::size_t>(d)]);
    const bool is_column =
        std::ranges::count(kind.roles->n, dim) > 0 || std::ranges::count(kind.roles->m, dim) > 0;
    if (is_column && (!link || extent > link->channels)) link = ChainForm::Link{sum, out, d, extent};
  }
  return link;
}

/// The group as one that a work-group computes row by row. Plain if a sum of it cannot be summed in parts, or
/// channels are all that there is. `extents`: of the output.
GroupForm chain_form(const FusedGroup& group, const std::vector<Expr>& extents) {
  ChainForm form;
  for (std::size_t i = 0; i < group.anchors.size(); ++i) {
    const Func& sum = group.anchors[i];
    if (!schedule::traits_of(sum.contents(), sum.contents().definitions.at(1)).is_associative)
      return PlainForm();
    const auto link = i + 1 < group.anchors.size() ? contracted_by(group, sum, group.anchors[i + 1])
                                                   : last_link(group, sum, extents);
    if (!link) return PlainForm();
    form.links.push_back(*link);
  }
  return form.links.back().result.rank() < 2 ? GroupForm(PlainForm()) : GroupForm(std::move(form));
}

class Chainer {
 public:
  Chainer(const definitions::DefinitionGraph& graph, std::vector<FusedGroup> groups, const Target& target,
          const FusionBarriers& apart)
      : graph_(graph),
        editor_(graph, std::move(groups)),
        most_terms_(target.group_items > 1 ? kMostOfItem * target.group_items : kMostChainedTerms),
        apart_(apart) {}

  std::vector<FusedGroup> run() {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (const auto before = before_of(groups_[i])) join(*before, i);
    }
    for (const std::size_t chain : chains_) {
      FusedGroup& group = groups_[chain];
      group.form = chain_form(group, graph_.tensors[group.stored_tensors[0]].extents());
    }
    return editor_.take();
  }

 private:
  /// The group whose result this one's product contracts.
  std::optional<std::size_t> before_of(const FusedGroup& group) const {
    if (!is_plain(group) || group.anchors.size() != 1) return std::nullopt;
    const auto link = link_of(group);
    if (!link || link->rows != link->rows_of_source || link->rows > kMostRows) return std::nullopt;
    const auto found = editor_.group_of(link->source);
    if (!found || !is_plain(groups_[*found])) return std::nullopt;
    const FusedGroup& before = groups_[*found];
    if (before.anchors.size() > 1 && !chains_.contains(*found)) return std::nullopt;
    const bool is_small = bounded_product(graph_.tensors[link->source].extents()) <= kMostElements &&
                          terms_of(before) + terms_of(group) <= most_terms_;
    const bool is_its_own = !graph_.is_read_by_host(link->source) &&
                            editor_.readers()[link->source] == std::vector<std::size_t>{group.tensors[0]};
    if (!is_small || !is_its_own) return std::nullopt;
    if (!apart_.may_meet(graph_, link->source, group.tensors[0])) return std::nullopt;
    return found;
  }

  /// True if the group has only sums, computed at the indices of the stored tensor, and operations on them.
  bool is_plain(const FusedGroup& group) const {
    if (!group.prologue.empty() || group.stored_tensors.size() != 1) return false;
    return std::ranges::all_of(group.anchors, [&](const Func& anchor) {
      if (anchor.updates() != 1 || anchor.rank() != group.outputs[0].rank()) return false;
      const Classification kind = classify::classify(anchor.contents());
      return (kind.kind == Class::Reduction || kind.kind == Class::Contraction) && !slides(kind);
    });
  }

  std::optional<Link> link_of(const FusedGroup& group) const {
    const ir::Function& function = group.anchors[0].contents();
    const Classification kind = classify::classify(function);
    if (!kind.roles) return std::nullopt;
    const std::vector<Expr> extents = graph_.tensors[group.stored_tensors[0]].extents();
    const bool a_is_constant = is_constant(kind.roles->a), b_is_constant = is_constant(kind.roles->b);
    if (a_is_constant == b_is_constant) return std::nullopt;
    const classify::Access& read = a_is_constant ? kind.roles->b : kind.roles->a;
    const std::vector<std::string>& columns = a_is_constant ? kind.roles->m : kind.roles->n;
    const auto source = editor_.funcs().tensor_of(*read.tensor);
    if (!source) return std::nullopt;
    Link link{*source};
    std::vector<Expr> rows, of_source;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      if (std::ranges::count(columns, function.dims[d]) == 0) rows.push_back(extents[d]);
    }
    const std::vector<Expr> all = graph_.tensors[*source].extents();
    for (std::size_t d = 0; d < all.size(); ++d) {
      const auto is_along = [&](const std::string& axis) {
        return read.indices[d].coefficient_of(axis) != 0;
      };
      if (std::ranges::none_of(kind.roles->k, is_along)) of_source.push_back(all[d]);
    }
    link.rows = bounded_product(rows);
    link.rows_of_source = bounded_product(of_source);
    return link;
  }

  bool is_constant(const classify::Access& read) const {
    const auto tensor = read.tensor ? editor_.funcs().tensor_of(*read.tensor) : std::nullopt;
    return tensor && graph_.tensors[*tensor].constant != nullptr;
  }

  /// Terms of all sums; more than the most if that is open.
  std::int64_t terms_of(const FusedGroup& group) const {
    std::int64_t terms = 0;
    for (const std::size_t tensor : group.tensors) {
      for (const Func& func : editor_.funcs().funcs_of(tensor)) {
        if (func.updates() == 0) continue;
        std::vector<Expr> extents = graph_.tensors[tensor].extents();
        for (const ir::ReductionAxis& axis : func.contents().definitions[1].domain)
          extents.push_back(axis.extent);
        terms += bounded_product(extents);
      }
    }
    return terms;
  }

  void join(std::size_t before, std::size_t group) {
    const FusedGroup& first = groups_[before];
    FusedGroup& second = groups_[group];
    second.anchors.insert(second.anchors.begin(), first.anchors.begin(), first.anchors.end());
    second.epilogue.insert(second.epilogue.begin(), first.epilogue.begin(), first.epilogue.end());
    editor_.join(before, group);
    chains_.insert(group);
  }

  const definitions::DefinitionGraph& graph_;
  GroupEditor editor_;
  std::vector<FusedGroup>& groups_ = editor_.groups();
  std::int64_t most_terms_;
  const FusionBarriers& apart_;
  std::set<std::size_t> chains_;  // groups that others were joined with
};

}  // namespace

void fuse_contractions(Graph& graph, const GraphContext& context) {
  const FusionBarriers barriers = barriers_of(graph, graph.fallbacks.refused(Refusal::Together));
  graph.groups = Chainer(graph.definitions, std::move(graph.groups), context.options.target, barriers).run();
}

}  // namespace tensordsl::graph
