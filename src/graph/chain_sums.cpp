#include "graph/chain_sums.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "ir/expr_node.h"
#include "schedule/schedule.h"

namespace tensordsl {
namespace {

using classify::Class;
using classify::Classification;

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
  std::int64_t rows = 1, rows_of_source = 1;  ///< along what is in both
};

class Chainer {
 public:
  Chainer(const DefinitionGraph& graph, std::vector<Group> groups, const Target& target,
          const KeptApart& apart)
      : graph_(graph),
        groups_(std::move(groups)),
        most_terms_(target.group_items > 1 ? kMostOfItem * target.group_items : kMostChainedTerms),
        apart_(apart),
        funcs_(graph),
        readers_(readers_of(graph)) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      for (const std::size_t tensor : groups_[i].stored_tensors) group_of_[tensor] = i;
    }
  }

  std::vector<Group> run() {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (const auto before = before_of(groups_[i])) join(*before, i);
    }
    std::vector<Group> left;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (!joined_.contains(i)) left.push_back(std::move(groups_[i]));
    }
    return left;
  }

 private:
  /// The group whose result this one's product contracts.
  std::optional<std::size_t> before_of(const Group& group) const {
    if (!is_plain(group) || group.anchors.size() != 1) return std::nullopt;
    const auto link = link_of(group);
    if (!link || link->rows != link->rows_of_source || link->rows > kMostRows) return std::nullopt;
    const auto found = group_of_.find(link->source);
    if (found == group_of_.end() || !is_plain(groups_[found->second])) return std::nullopt;
    const Group& before = groups_[found->second];
    if (before.anchors.size() > 1 && !chains_.contains(found->second)) return std::nullopt;
    const bool is_small = bounded_product(graph_.tensors[link->source].extents()) <= kMostElements &&
                          terms_of(before) + terms_of(group) <= most_terms_;
    const bool is_its_own = !graph_.is_read_by_host(link->source) &&
                            readers_[link->source] == std::vector<std::size_t>{group.tensors[0]};
    if (!is_small || !is_its_own) return std::nullopt;
    if (!apart_.may_meet(graph_, link->source, group.tensors[0])) return std::nullopt;
    return found->second;
  }

  /// Nothing but sums, at the places of the tensor that is stored, and what is applied to them.
  bool is_plain(const Group& group) const {
    if (!group.prologue.empty() || group.stored_tensors.size() != 1) return false;
    return std::ranges::all_of(group.anchors, [&](const Func& anchor) {
      if (anchor.updates() != 1 || anchor.rank() != group.outputs[0].rank()) return false;
      const Classification kind = classify::classify(anchor.contents());
      return (kind.kind == Class::Reduction || kind.kind == Class::Contraction) && !slides(kind);
    });
  }

  std::optional<Link> link_of(const Group& group) const {
    const ir::Function& function = group.anchors[0].contents();
    const Classification kind = classify::classify(function);
    if (!kind.roles) return std::nullopt;
    const std::vector<Expr> extents = graph_.tensors[group.stored_tensors[0]].extents();
    const bool a_is_constant = is_constant(kind.roles->a), b_is_constant = is_constant(kind.roles->b);
    if (a_is_constant == b_is_constant) return std::nullopt;
    const classify::Access& read = a_is_constant ? kind.roles->b : kind.roles->a;
    const std::vector<std::string>& columns = a_is_constant ? kind.roles->m : kind.roles->n;
    const auto source = funcs_.tensor_of(*read.tensor);
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
    const auto tensor = read.tensor ? funcs_.tensor_of(*read.tensor) : std::nullopt;
    return tensor && graph_.tensors[*tensor].constant != nullptr;
  }

  /// Terms of all sums; more than the most if that is open.
  std::int64_t terms_of(const Group& group) const {
    std::int64_t terms = 0;
    for (const std::size_t tensor : group.tensors) {
      for (const Func& func : funcs_.funcs_of(tensor)) {
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
    const Group& first = groups_[before];
    Group& second = groups_[group];
    second.tensors.insert(second.tensors.begin(), first.tensors.begin(), first.tensors.end());
    second.anchors.insert(second.anchors.begin(), first.anchors.begin(), first.anchors.end());
    second.epilogue.insert(second.epilogue.begin(), first.epilogue.begin(), first.epilogue.end());
    second.label = first.label + "+" + second.label;
    joined_.insert(before);
    chains_.insert(group);
  }

  const DefinitionGraph& graph_;
  std::vector<Group> groups_;
  std::int64_t most_terms_;
  const KeptApart& apart_;
  TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::map<std::size_t, std::size_t> group_of_;  // by tensor that is stored
  std::set<std::size_t> joined_;                 // with a later one
  std::set<std::size_t> chains_;                 // groups that others were joined with
};

}  // namespace

std::vector<Group> chain_sums(const DefinitionGraph& graph, std::vector<Group> groups, const Target& target,
                              const KeptApart& apart) {
  return Chainer(graph, std::move(groups), target, apart).run();
}

}  // namespace tensordsl
