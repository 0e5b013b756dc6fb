// How a tensor's elements are ordered in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tensordsl/expr.h"

namespace tensordsl {

/// An ordered list of terms over the logical dimensions; the last is innermost. A term is a whole dimension
/// d, or one part of a dimension cut by k: "d/k" (which block of k) or "d%k" (where in the block). A block
/// may be cut again: "d/12", "d/3%4" (which 3 of the 12) and "d%3".
///   "n c h w"        row-major NCHW          "n h w c"       channels last
///   "n c/4 h w c%4"  blocks of four channels "o/16 y x i o%16" packed convolution weights
/// A dimension that k does not divide is padded up to the next multiple.
///
/// "+p" behind a term leaves p elements free behind it, so that what lies above each other in a tile of local
/// memory is in different banks:
///   "k i+4"          rows of i, each followed by 4 elements that nobody uses
/// "p+" before a term does the same before it; with both, a tensor is a part of a larger one:
///   "n h w 64+c+32"  channels 64 and on of a channels-last tensor that has 32 more behind them
/// Before a whole dimension it may also be a Param, whose value is known when kernels run:
///   "past+t h d"     the rows from number `past` on, of as many as there are
/// "^e/q%m*f" behind a dimension swizzles it: its index is changed by exclusive or with (e/q % m)*f, e being
/// another dimension and m and f powers of two. "/q" and "*f" may be left out. The dimension is padded up to
/// a multiple of m*f.
///   "k i^k/4%4*8"    rows of i, in which blocks of 8 elements change places, differently for every fourth k
///
/// "|" parts the terms into groups. Each group is one coordinate of an image, the texel's elements last, and
/// means nothing to a buffer: the order in memory is the same.
///   "n h | c/4 w | c%4"      rows | columns | elements of a texel
///   "c/4 | h | w | c%4"      layers | rows | columns | elements of a texel
///   "n h | c w"              rows | columns, of one element each
class Layout {
 public:
  /// One term of the order: a dimension, or a part of it.
  struct Term {
    /// d, d/factor, or d/divisor%factor.
    enum class Part : std::uint8_t { Whole, Quotient, Remainder };
    int dim = 0;              ///< of the tensor, counted from 0
    Part part = Part::Whole;  ///< what of the dimension it is
    int factor = 1;           ///< a block's size; 1 of a Whole
    int gap = 0;              ///< elements left free behind it
    /// index ^ (other/divisor % modulus)*unit: only of a Whole without free elements beside it.
    struct Swizzle {
      /// @var divisor
      /// 1 or more.
      /// @var modulus
      /// A power of two, up to 2^16.

      /// Another dimension, which is not swizzled itself.
      int other = 0, divisor = 1, modulus = 1, unit = 1;  ///< a power of two, up to 2^16
      friend bool operator==(const Swizzle&, const Swizzle&) = default;
    };
    std::optional<Swizzle> swizzle = std::nullopt;  ///< none: the index as it is
    int lead = 0;                                   ///< elements left free before it
    int divisor = 1;                                ///< of a Remainder: index/divisor % factor
    std::string lead_param = {};  ///< of a Whole: a Param; as many elements more are left free before it
    friend bool operator==(const Term&, const Term&) = default;
  };

  /// Of a scalar: no terms.
  Layout() = default;
  /// Reads the notation; `dims` names the logical dimensions in order. Throws ParseError if a dimension is
  /// missing, repeated, unknown, or cut inconsistently, or if a group is empty.
  static Layout parse(std::string_view text, const std::vector<std::string>& dims);
  /// The terms, outermost first, in groups that end behind these numbers of terms; in one group if there are
  /// none. Throws ParseError where the notation would be refused; the dimensions are d0, d1, ... in its text.
  static Layout of(const std::vector<Term>& terms, std::vector<std::size_t> group_ends = {});
  /// Row-major. Throws Error on a negative rank.
  static Layout row_major(int rank);

  const std::vector<Term>& terms() const { return terms_; }  ///< outermost first
  int rank() const { return rank_; }                         ///< number of logical dimensions
  bool is_row_major() const;                                 ///< whatever its groups
  /// Coordinates of an image; 1 without a "|".
  int groups() const { return static_cast<int>(group_ends_.size()); }
  /// Behind so many of the terms each group ends; the last is the number of terms.
  const std::vector<std::size_t>& group_ends() const { return group_ends_; }
  /// The notation that parse() reads, with `dims` as the names of the dimensions, in order.
  std::string to_string(const std::vector<std::string>& dims) const;

  /// The Params that terms begin at, in order, once each. The functions below that take numbers throw
  /// ShapeError where there are any: at() gives the layout for values of them.
  std::vector<std::string> lead_params() const;
  /// With the value of each Param as the number before its term. Throws ShapeError on a negative value, or
  /// one that is more than 2^29.
  Layout at(const std::function<std::int64_t(const std::string& param)>& value) const;

  /// Extents of the stored array, one per term, from the logical extents.
  std::vector<Expr> stored_extents(const std::vector<Expr>& extents) const;
  /// The same in numbers.
  std::vector<std::int64_t> stored_extents(const std::vector<std::int64_t>& extents) const;
  /// Elements of the stored array, padding included. Throws ShapeError if a kernel could not index them.
  std::int64_t stored_elements(const std::vector<std::int64_t>& extents) const;
  /// The multiple up to which a dimension is padded; 1 if it is not.
  int padding(int dim) const;
  /// Indices into the stored array, one per term, from the logical indices (counted from 0).
  std::vector<Expr> stored_indices(const std::vector<Expr>& indices) const;
  /// Extents of the groups, each group's terms as one linear index: of an image its coordinates, the texel's
  /// elements last.
  std::vector<Expr> group_extents(const std::vector<Expr>& extents) const;
  /// Indices into the groups, from the logical indices and extents.
  std::vector<Expr> group_indices(const std::vector<Expr>& indices, const std::vector<Expr>& extents) const;
  /// The linear position of a logical index; extents are logical.
  std::int64_t position(const std::vector<std::int64_t>& index,
                        const std::vector<std::int64_t>& extents) const;
  /// The logical index that lies at a linear position, the inverse of position(); nothing where the position
  /// is padding.
  std::optional<std::vector<std::int64_t>> index_at(std::int64_t position,
                                                    const std::vector<std::int64_t>& extents) const;

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  std::vector<Term> terms_;
  std::vector<std::size_t> group_ends_;  // behind the last term of each
  int rank_ = 0;
};

/// Row-major elements of `element_bytes` bytes -> the layout's order; padding is zero. Throws ShapeError if
/// the extents do not have as many elements.
std::vector<std::byte> pack(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
                            const std::vector<std::int64_t>& extents);
/// The same into memory of the layout's size; padding keeps what it is.
void pack_into(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
               const std::vector<std::int64_t>& extents, std::span<std::byte> stored);
/// The inverse of pack.
std::vector<std::byte> unpack(std::span<const std::byte> stored, int element_bytes, const Layout& layout,
                              const std::vector<std::int64_t>& extents);

}  // namespace tensordsl
