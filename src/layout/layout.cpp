#include "tensordsl/layout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/index_limit.h"
#include "ir/nodes/expr_node.h"
#include "layout/most_free.h"
#include "tensordsl/error.h"

namespace tensordsl {

using Term = Layout::Term;

Layout Layout::row_major(int rank) {
  if (rank < 0) throw Error(fmt::format("Layout::row_major({}): the rank must not be negative", rank));
  Layout layout;
  layout.rank_ = rank;
  for (int d = 0; d < rank; ++d) layout.terms_.push_back({d, Term::Part::Whole, 1, 0, {}});
  layout.group_ends_ = {layout.terms_.size()};
  return layout;
}

bool Layout::is_row_major() const { return terms_ == row_major(rank_).terms_; }

namespace {

/// Returns the extent of a term without its free elements.
template <typename Extent>
Extent used_extent(const Term& t, const Extent& extent) {
  switch (t.part) {
    case Term::Part::Whole: {
      const int block = t.swizzle ? t.swizzle->modulus * t.swizzle->unit : 1;
      return block == 1 ? extent : (extent + (block - 1)) / block * block;
    }
    case Term::Part::Quotient:
      return (extent + (t.factor - 1)) / t.factor;
    case Term::Part::Remainder:
      break;
  }
  return Extent(t.factor);
}

template <typename Extent>
std::vector<Extent> stored_extents_of(const std::vector<Term>& terms, const std::vector<Extent>& extents) {
  std::vector<Extent> stored;
  for (const Term& t : terms) {
    const Extent used = used_extent(t, extents.at(static_cast<std::size_t>(t.dim)));
    stored.push_back(t.lead + t.gap > 0 ? used + (t.lead + t.gap) : used);
  }
  return stored;
}

}  // namespace

std::vector<std::string> Layout::lead_params() const {
  std::vector<std::string> params;
  for (const Term& t : terms_) {
    if (!t.lead_param.empty() && std::ranges::find(params, t.lead_param) == params.end())
      params.push_back(t.lead_param);
  }
  return params;
}

Layout Layout::at(const std::function<std::int64_t(const std::string&)>& value) const {
  Layout layout = *this;
  for (Term& t : layout.terms_) {
    if (t.lead_param.empty()) continue;
    const std::int64_t lead = value(t.lead_param);
    if (lead < 0 || lead > kMaxFree - t.lead) {
      throw ShapeError(
          fmt::format("the start offset of a tensor, Param \"{}\", is {}; it must be from 0 to {}",
                      t.lead_param, lead, kMaxFree - t.lead));
    }
    t.lead += static_cast<int>(lead);
    t.lead_param.clear();
  }
  return layout;
}

std::vector<Expr> Layout::stored_extents(const std::vector<Expr>& extents) const {
  std::vector<Expr> stored = stored_extents_of(terms_, extents);
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    if (!terms_[i].lead_param.empty()) stored[i] = stored[i] + ir::make_var(terms_[i].lead_param);
  }
  return stored;
}

std::vector<std::int64_t> Layout::stored_extents(const std::vector<std::int64_t>& extents) const {
  if (const auto params = lead_params(); !params.empty()) {
    throw ShapeError(fmt::format("the start offset of a tensor, Param \"{}\", has no value", params[0]));
  }
  return stored_extents_of(terms_, extents);
}

int Layout::padding(int dim) const {
  for (const Term& t : terms_) {
    if (t.dim == dim && t.swizzle) return t.swizzle->modulus * t.swizzle->unit;
    if (t.dim == dim && t.part == Term::Part::Quotient) return t.factor;
  }
  return 1;
}

std::int64_t Layout::stored_elements(const std::vector<std::int64_t>& extents) const {
  const bool is_shape =
      static_cast<int>(extents.size()) == rank_ &&
      std::all_of(extents.begin(), extents.end(), [](std::int64_t e) { return e >= 0 && e <= kMaxElements; });
  if (!is_shape) {
    throw ShapeError(fmt::format("[{}] is not a shape of {} dimensions with extents from 0 to {}",
                                 fmt::join(extents, ", "), rank_, kMaxElements));
  }
  const auto stored = stored_extents(extents);
  if (std::any_of(extents.begin(), extents.end(), [](std::int64_t e) { return e <= 0; })) return 0;
  std::int64_t elements = 1;
  for (const std::int64_t e : stored) {
    if (e <= kMaxElements / elements) {
      elements *= e;
      continue;
    }
    throw ShapeError(fmt::format(
        "a tensor of [{}], stored as [{}], has more elements than the limit of {} that a kernel can index",
        fmt::join(extents, ", "), fmt::join(stored, ", "), kMaxElements));
  }
  return elements;
}

namespace {

Expr swizzled(const Expr& index, const std::vector<Expr>& indices, const Term::Swizzle& s) {
  const Expr& other = indices.at(static_cast<std::size_t>(s.other));
  return ir::make_intrinsic(Int(32), "bitwise_xor", {index, other / s.divisor % s.modulus * s.unit});
}

std::int64_t swizzled(std::int64_t index, const std::vector<std::int64_t>& indices, const Term::Swizzle& s) {
  return index ^ (indices[static_cast<std::size_t>(s.other)] / s.divisor % s.modulus * s.unit);
}

}  // namespace

std::vector<Expr> Layout::stored_indices(const std::vector<Expr>& indices) const {
  std::vector<Expr> stored;
  for (const Term& t : terms_) {
    const Expr& index = indices.at(static_cast<std::size_t>(t.dim));
    switch (t.part) {
      case Term::Part::Whole:
        stored.push_back(t.swizzle ? swizzled(index, indices, *t.swizzle) : index);
        break;
      case Term::Part::Quotient:
        stored.push_back(index / t.factor);
        break;
      case Term::Part::Remainder:
        stored.push_back((t.divisor > 1 ? index / t.divisor : index) % t.factor);
        break;
    }
    if (t.lead > 0) stored.back() = stored.back() + t.lead;
    if (!t.lead_param.empty()) stored.back() = stored.back() + ir::make_var(t.lead_param);
  }
  return stored;
}

std::vector<Expr> Layout::group_extents(const std::vector<Expr>& extents) const {
  const std::vector<Expr> stored = stored_extents(extents);
  std::vector<Expr> groups;
  std::size_t i = 0;
  for (const std::size_t end : group_ends_) {
    Expr extent = stored[i++];
    while (i < end) extent = extent * stored[i++];
    groups.push_back(extent);
  }
  return groups;
}

std::vector<Expr> Layout::group_indices(const std::vector<Expr>& indices,
                                        const std::vector<Expr>& extents) const {
  const std::vector<Expr> within = stored_extents(extents);
  const std::vector<Expr> stored = stored_indices(indices);
  std::vector<Expr> groups;
  std::size_t i = 0;
  for (const std::size_t end : group_ends_) {
    Expr at = stored[i++];
    for (; i < end; ++i) at = at * within[i] + stored[i];
    groups.push_back(at);
  }
  return groups;
}

std::int64_t Layout::position(const std::vector<std::int64_t>& index,
                              const std::vector<std::int64_t>& extents) const {
  const auto stored = stored_extents(extents);
  std::int64_t at = 0;
  for (std::size_t i = 0; i < terms_.size(); ++i) {
    const Term& t = terms_[i];
    const std::int64_t x = index[static_cast<std::size_t>(t.dim)];
    const std::int64_t part = t.swizzle                        ? swizzled(x, index, *t.swizzle)
                              : t.part == Term::Part::Whole    ? x
                              : t.part == Term::Part::Quotient ? x / t.factor
                                                               : x / t.divisor % t.factor;
    at = at * stored[i] + part + t.lead;
  }
  return at;
}

std::optional<std::vector<std::int64_t>> Layout::index_at(std::int64_t position,
                                                          const std::vector<std::int64_t>& extents) const {
  const auto stored = stored_extents(extents);
  std::vector<std::int64_t> index(extents.size(), 0);
  for (std::size_t i = terms_.size(); i-- > 0; position /= stored[i]) {
    const Term& t = terms_[i];
    const std::int64_t part = position % stored[i] - t.lead;
    if (part < 0 || part >= stored[i] - t.lead - t.gap) return std::nullopt;
    const std::int64_t unit = t.part == Term::Part::Quotient ? t.factor : t.divisor;
    index[static_cast<std::size_t>(t.dim)] += part * unit;
  }
  for (const Term& t : terms_) {
    std::int64_t& at = index[static_cast<std::size_t>(t.dim)];
    if (t.swizzle) at = swizzled(at, index, *t.swizzle);
  }
  for (std::size_t d = 0; d < extents.size(); ++d) {
    if (index[d] >= extents[d]) return std::nullopt;
  }
  return index;
}

}  // namespace tensordsl
