#include "graph/fuse/find_prologue.h"

#include <fmt/format.h>

#include <algorithm>

#include "classify/classify.h"
#include "graph/rewrite/cheap_factor.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {

using classify::Class;

namespace {

// The most columns of a product whose factor may be recomputed. A tile evaluates a factor once for some 32
// columns. Measured with PoCL on AVX-512: with 197 columns (the scores of vit_b16) that costs as much as
// storing the factor, with 888 (a convolution of regnety_032) 15 times that.
constexpr int kMostColumns = 256;

/// Estimates how often `product` reads each element of the factor: along the dimensions of the other one.
/// `extents` are its own, if it has as many dimensions.
double evaluations_in(const ir::Function& product, const classify::Contraction& roles, const Func& factor,
                      const std::vector<Expr>& extents) {
  if (extents.size() != product.dims.size()) return kMostColumns + 1.0;
  const std::vector<std::string>& others = roles.a.tensor == factor.shared() ? roles.n : roles.m;
  double evaluations = 1;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (std::ranges::count(others, product.dims[d]) == 0) continue;
    const std::int64_t* extent = ir::as_int(extents[d]);
    evaluations *= extent ? static_cast<double>(*extent) : kMostColumns + 1.0;
  }
  return evaluations;
}

}  // namespace

std::optional<std::size_t> PrologueFinder::product_of(std::size_t tensor) const {
  if (graph_.is_read_by_host(tensor) || readers_[tensor].size() != 1) return std::nullopt;
  const std::size_t reader = readers_[tensor][0];
  if (!apart_.may_meet(graph_, reader, tensor)) return std::nullopt;
  return why_no_factor(tensor, reader).empty() ? std::optional(reader) : std::nullopt;
}

std::string PrologueFinder::why_no_factor(std::size_t tensor, std::size_t reader) const {
  const std::vector<Func> funcs = funcs_.funcs_of(tensor);
  if (funcs.size() != 1 || !is_cheap_factor(funcs[0].contents()))
    return "would recompute it for each of its columns, and it is more than a sum or a product";
  const auto is_of = [&](const classify::Access& read) { return read.tensor == funcs[0].shared(); };
  for (const Func& func : funcs_.funcs_of(reader)) {
    const classify::Classification kind = classify::classify(func.contents());
    if (std::ranges::none_of(kind.reads, is_of)) continue;
    const bool is_product = kind.kind == Class::Contraction && kind.windows.empty();
    if (!is_product) return kind.windows.empty() ? "reads it before its product" : "slides windows over it";
    const double evaluations =
        evaluations_in(func.contents(), *kind.roles, funcs[0], graph_.tensors[reader].extents());
    if (evaluations > kMostColumns)
      return fmt::format("would compute it {} times; above {} this costs more than storing it", evaluations,
                         kMostColumns);
  }
  return "";
}

}  // namespace tensordsl::graph
