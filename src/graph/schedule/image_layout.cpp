#include "graph/schedule/image_layout.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "ir/nodes/expr_node.h"

namespace tensordsl::graph {
namespace {

using LayoutTerm = Layout::Term;
using TermPart = Layout::Term::Part;

constexpr int kTexel = 4;

/// "d1" as "d1/4", "d1%4"; "d0%8" as "d0/4%2", "d0%4". Nothing if texels would have elements of two rows.
std::optional<std::vector<LayoutTerm>> cut_last(std::vector<LayoutTerm> terms,
                                                const std::vector<std::int64_t>& extents) {
  const LayoutTerm last = terms.back();
  terms.pop_back();
  if (last.swizzle || last.divisor != 1 || last.lead % kTexel != 0 || last.gap % kTexel != 0 ||
      !last.lead_param.empty())
    return std::nullopt;
  if (last.part == TermPart::Whole) {
    if (extents[static_cast<std::size_t>(last.dim)] % kTexel != 0) return std::nullopt;
    LayoutTerm quotient{
        .dim = last.dim, .part = TermPart::Quotient, .factor = kTexel, .gap = last.gap / kTexel};
    quotient.lead = last.lead / kTexel;
    terms.push_back(quotient);
  } else {
    if (last.part != TermPart::Remainder || last.factor % kTexel != 0 || last.lead + last.gap > 0)
      return std::nullopt;
    if (last.factor > kTexel) {
      LayoutTerm blocks{.dim = last.dim, .part = TermPart::Remainder, .factor = last.factor / kTexel};
      blocks.divisor = kTexel;
      terms.push_back(blocks);
    }
  }
  terms.push_back({.dim = last.dim, .part = TermPart::Remainder, .factor = kTexel});
  return terms;
}

/// The terms before a texel's elements, and how many of each there are.
class TexelTerms {
 public:
  TexelTerms(std::vector<LayoutTerm> terms, const std::vector<std::int64_t>& extents,
             const ImageLimits& limits)
      : terms_(std::move(terms)),
        sizes_(Layout::of(terms_).stored_extents(extents)),
        limits_(limits),
        count_(terms_.size() - 1) {}

  /// True if there is more than one term before the terms of a texel.
  bool has_rows() const { return count_ > 1; }

  std::optional<Layout> in_rows(std::optional<int> sliding) const {
    std::vector<std::size_t> splits;
    for (std::size_t at = 1; at < count_; ++at) {
      if (product(0, at) <= limits_.height && product(at, count_) <= limits_.width) splits.push_back(at);
    }
    if (splits.empty()) return std::nullopt;
    const auto length = [&](std::size_t at) { return std::max(product(0, at), product(at, count_)); };
    std::size_t columns = *std::ranges::min_element(splits, {}, length);
    for (const std::size_t at : splits) {
      if (sliding && terms_[at].dim == *sliding && terms_[at].part == TermPart::Whole) columns = at;
    }
    return Layout::of(terms_, {columns, count_, count_ + 1});
  }

  std::optional<Layout> in_layers() const {
    for (std::size_t rows = 1; rows + 1 < count_; ++rows) {
      for (std::size_t columns = rows + 1; columns < count_; ++columns) {
        if (product(0, rows) <= limits_.layers && product(rows, columns) <= limits_.height &&
            product(columns, count_) <= limits_.width)
          return Layout::of(terms_, {rows, columns, count_, count_ + 1});
      }
    }
    return std::nullopt;
  }

  std::optional<Layout> in_a_row() const {
    if (product(0, count_) > limits_.buffer_texels) return std::nullopt;
    return Layout::of(terms_, {count_, count_ + 1});
  }

 private:
  std::int64_t product(std::size_t first, std::size_t end) const {
    std::int64_t all = 1;
    for (std::size_t i = first; i < end; ++i) all *= sizes_[i];
    return all;
  }

  std::vector<LayoutTerm> terms_;
  std::vector<std::int64_t> sizes_;
  ImageLimits limits_;
  std::size_t count_;
};

/// Returns nullopt if the extents are not known, the innermost one is not a multiple of four, or images do
/// not support the type.
std::optional<TexelTerms> texels_of(const StoredTensor& buffer, const ImageLimits& limits) {
  std::vector<std::int64_t> extents;
  for (const Expr& extent : buffer.extents) {
    const std::int64_t* size = ir::as_int(extent);
    if (!size || *size < 1) return std::nullopt;
    extents.push_back(*size);
  }
  if (buffer.type.bits == 64 || buffer.layout.groups() != 1 || buffer.layout.terms().empty())
    return std::nullopt;
  const auto terms = cut_last(buffer.layout.terms(), extents);
  if (!terms) return std::nullopt;
  return TexelTerms(*terms, extents, limits);
}

}  // namespace

std::optional<Layout> image_layout(const StoredTensor& buffer, std::optional<int> sliding,
                                   const ImageLimits& limits) {
  const auto texels = texels_of(buffer, limits);
  if (!texels) return std::nullopt;
  if (texels->has_rows()) {
    if (auto rows = texels->in_rows(sliding)) return rows;
    if (auto layers = texels->in_layers()) return layers;
  }
  return texels->in_a_row();
}

std::optional<Layout> image_layout(const StoredTensor& buffer, ImageKind kind, const ImageLimits& limits) {
  const auto texels = texels_of(buffer, limits);
  if (!texels) return std::nullopt;
  switch (kind) {
    case ImageKind::Image1DBuffer:
      return texels->in_a_row();
    case ImageKind::Image2D:
      return texels->has_rows() ? texels->in_rows(std::nullopt) : std::nullopt;
    case ImageKind::Image2DArray:
      return texels->has_rows() ? texels->in_layers() : std::nullopt;
  }
  return std::nullopt;
}

std::optional<ImageKind> image_of(const Layout& layout) {
  switch (layout.groups()) {
    case 2:
      return ImageKind::Image1DBuffer;
    case 3:
      return ImageKind::Image2D;
    case 4:
      return ImageKind::Image2DArray;
    default:
      return std::nullopt;
  }
}

}  // namespace tensordsl::graph
