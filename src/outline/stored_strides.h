// The distances between neighbors of a tensor in memory.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "predict/kernel_outline.h"
#include "tensordsl/image.h"
#include "tensordsl/layout.h"

namespace tensordsl::outline {

/// The terms of a layout with the bytes between their neighbors.
struct StoredStrides {
  struct Term {
    Layout::Term of;
    double bytes = 4;
  };
  std::vector<Term> terms;
  double bytes = 4;  ///< of the whole tensor

  /// Adds the terms by which `coefficient` times the variable moves an access in dimension `dim`.
  void add_terms(int dim, int variable, double coefficient, predict::NestAccess& access) const;
};

/// Returns the strides of a tensor. Rows of an image count as long as the longest one, as in count_work.
StoredStrides stored_strides(const Layout& layout, const std::vector<std::int64_t>& extents,
                             int element_bytes, std::optional<ImageKind> image);

}  // namespace tensordsl::outline
