// Describes reads of a definition: each index as a function of the point that is computed.
#pragma once

#include <string>
#include <vector>

#include "ir/nodes/function.h"
#include "ir/nodes/linear_form.h"

namespace tensordsl::classify {

enum class IndexKind {
  Affine,        ///< a sum of multiples of axes: 2*h + r - 1
  QuasiAffine,   ///< an index with quotients, remainders or minima of affine ones: c/4, (h*3 + w) % 5
  DataDependent  ///< an index with elements of a tensor: x(index(i))
};

/// An index of a read.
struct IndexMap {
  IndexKind kind = IndexKind::Affine;
  Expr index;               ///< simplified, without the clamp
  ir::LinearForm form;      ///< the form of `index`; its atoms are axes if the kind is Affine
  bool is_clamped = false;  ///< min(max(index, low), high)

  /// True if the index is that axis and nothing else.
  bool is_axis(const std::string& axis) const;
  /// The number by which the index grows with `axis`; 0 if it does not, or as no multiple.
  std::int64_t coefficient_of(const std::string& axis) const;
};

struct Access {
  ir::FunctionPtr tensor;  ///< null: the Func itself
  std::string name;
  int component = ir::kWhole;
  std::vector<IndexMap> indices;

  IndexKind kind() const;  ///< the least regular of its indices'
};

/// "x(n, r_2, h + r_0 - 1) quasi-affine"
std::string to_string(const Access& access);

/// Every read of `expr`, once each, in the order of its text. Reads inside an index come before the read they
/// index.
std::vector<Access> accesses_of(const Expr& expr);

/// Decomposes an index expression.
IndexMap index_map_of(const Expr& index);

}  // namespace tensordsl::classify
