// for out.x in [0, 56) { store out[out.x] = f[out.x - 1] + f[out.x + 1] }   ->   f: [-1, 58)
// Needs: a statement with one index per dimension.  Gives: the box of a tensor that the statement reads, over
// the variables that are free in it.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ir/analyze/index_ranges.h"
#include "lower/stages.h"

namespace tensordsl::lower {

/// Returns the smallest box that interval analysis finds around every Load (and, with `stores`, every Store)
/// of `tensor` in `stmt`; empty if there is none. Tests (`if (x < n)`) and the conditions of selects narrow
/// the variables they speak of. Throws DefinitionError if an index cannot be bounded: it depends on data,
/// say.
std::optional<Box> required_box(const ir::Stmt& stmt, const std::string& tensor, bool stores = false,
                                ir::Ends ends = ir::Ends::Short);

/// Handling of an index without bounds.
enum class Unbounded { Refused, Kept };

/// Returns the box of required_box(), as intervals; with Unbounded::Kept, ends without a bound are undefined.
std::optional<std::vector<ir::SymbolicInterval>> required_intervals(const ir::Stmt& stmt,
                                                                    const std::string& tensor, bool stores,
                                                                    Unbounded unbounded,
                                                                    ir::Ends ends = ir::Ends::Short);

/// A read of a tensor.
struct ReadRegion {
  std::string tensor;
  std::string stored;  // target of the statement; empty in a condition or a loop's end
  Box box;
  Expr when;  // condition, over free variables of the statement, under which the read is made; undefined if
              // it always is
};

/// Returns every read of one of `tensors`, in the order of the text. Takes no Param to be positive, unlike
/// required_box(), and throws as it does.
std::vector<ReadRegion> read_regions(const ir::Stmt& stmt, const std::set<std::string>& tensors);

/// A name that required_box() takes to be not negative, or positive if it is the divisor of a remainder.
struct AssumedFactor {
  std::string tensor;
  std::string factor;
  bool is_divisor = false;
  Expr when;  // condition, over free variables of the statement, under which the access is made; undefined if
              // it always is
};

/// Returns the `names` that an index of a Load or Store of one of `tensors` is a multiple of, or a remainder
/// by, in the order of the text.
std::vector<AssumedFactor> assumed_factors(const ir::Stmt& stmt, const std::set<std::string>& tensors,
                                           const std::set<std::string>& names);

/// Returns the smallest box around both.
Box hull(const Box& a, const Box& b);

}  // namespace tensordsl::lower
