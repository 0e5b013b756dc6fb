// Order of a tensor's elements in memory.
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
/// "+p" after a term leaves p elements free after it, so that vertical neighbors in a tile of local memory
/// are in different banks:
///   "k i+4"          rows of i, each followed by 4 unused elements
/// "p+" before a term leaves p elements free before it; with both, a tensor is a part of a larger one:
///   "n h w 64+c+32"  channels from 64 on of a channels-last tensor that has 32 more after them
/// Before a whole dimension p may also be a Param, whose value is known when kernels run:
///   "past+t h d"     the rows from number `past` on, of as many as there are
/// "^e/q%m*f" after a dimension swizzles it: its index is combined by exclusive or with (e/q % m)*f, where e
/// is another dimension and m and f are powers of two. "/q" and "*f" may be left out. The dimension is padded
/// up to a multiple of m*f.
///   "k i^k/4%4*8"    rows of i, in which blocks of 8 elements are permuted, differently for every fourth k
///
/// "|" separates the terms into groups. Each group is one coordinate of an image, the texel's elements last.
/// For a buffer, groups have no meaning: the order in memory is the same.
///   "n h | c/4 w | c%4"      rows | columns | elements of a texel
///   "c/4 | h | w | c%4"      layers | rows | columns | elements of a texel
///   "n h | c w"              rows | columns, of one element each
class Layout {
 public:
  /// One term of the order: a dimension, or a part of it.
  struct Term {
    /// Form of the term: d, d/factor, or d/divisor%factor.
    enum class Part : std::uint8_t { Whole, Quotient, Remainder };
    int dim = 0;              ///< dimension of the tensor, counted from 0
    Part part = Part::Whole;  ///< part of the dimension
    int factor = 1;           ///< size of a block; 1 for a Whole
    int gap = 0;              ///< elements left free after it
    /// Swizzle of an index: index ^ (other/divisor % modulus)*unit. Only a Whole without free elements has
    /// one.
    struct Swizzle {
      /// @var divisor
      /// Divisor, 1 or more.
      /// @var modulus
      /// Modulus, a power of two, up to 2^16.

      /// Another dimension, which is not swizzled itself.
      int other = 0, divisor = 1, modulus = 1, unit = 1;  ///< a power of two, up to 2^16
      friend bool operator==(const Swizzle&, const Swizzle&) = default;
    };
    std::optional<Swizzle> swizzle = std::nullopt;  ///< none: the index is not changed
    int lead = 0;                                   ///< elements left free before it
    int divisor = 1;                                ///< divisor of a Remainder: index/divisor % factor
    std::string lead_param = {};  ///< Param whose value is added to the `lead` of a Whole; empty: none
    friend bool operator==(const Term&, const Term&) = default;
  };

  /// Makes the layout of a scalar: no terms.
  Layout() = default;
  /// Reads the notation; `dims` names the logical dimensions in order. Throws ParseError if a dimension is
  /// missing, repeated, unknown, or cut inconsistently, or if a group is empty.
  static Layout parse(std::string_view text, const std::vector<std::string>& dims);
  /// Makes a layout of terms, outermost first. `group_ends` has the number of terms up to the end of each
  /// group; if it is empty there is one group. Throws ParseError where the notation would be refused; in its
  /// text the dimensions are d0, d1, ...
  static Layout of(const std::vector<Term>& terms, std::vector<std::size_t> group_ends = {});
  /// Returns the row-major layout. Throws Error on a negative rank.
  static Layout row_major(int rank);

  const std::vector<Term>& terms() const { return terms_; }  ///< terms, outermost first
  int rank() const { return rank_; }                         ///< number of logical dimensions
  bool is_row_major() const;                                 ///< true if it is row-major, with any groups
  /// Returns the number of coordinates of an image; 1 without a "|".
  int groups() const { return static_cast<int>(group_ends_.size()); }
  /// Returns the number of terms up to the end of each group; the last is the number of all terms.
  const std::vector<std::size_t>& group_ends() const { return group_ends_; }
  /// Returns the notation that parse() reads, with `dims` as the names of the dimensions, in order.
  std::string to_string(const std::vector<std::string>& dims) const;

  /// Returns the Params at which terms begin, in order, each once. If there are any, the functions below that
  /// take numbers throw ShapeError: at() gives the layout for values of them.
  std::vector<std::string> lead_params() const;
  /// Returns the layout with each Param replaced by its value. Throws ShapeError on a value that is negative
  /// or more than 2^29.
  Layout at(const std::function<std::int64_t(const std::string& param)>& value) const;

  /// Returns the extents of the stored array, one per term, from the logical extents.
  std::vector<Expr> stored_extents(const std::vector<Expr>& extents) const;
  /// Returns the extents of the stored array in numbers, one per term, from the logical extents.
  std::vector<std::int64_t> stored_extents(const std::vector<std::int64_t>& extents) const;
  /// Returns the elements of the stored array, padding included. Throws ShapeError if a kernel could not
  /// index them.
  std::int64_t stored_elements(const std::vector<std::int64_t>& extents) const;
  /// Returns the multiple up to which a dimension is padded; 1 if it is not padded.
  int padding(int dim) const;
  /// Returns the indices into the stored array, one per term, from the logical indices (counted from 0).
  std::vector<Expr> stored_indices(const std::vector<Expr>& indices) const;
  /// Returns the extents of the groups; a group's terms form one linear index. For an image these are its
  /// coordinates, the texel's elements last.
  std::vector<Expr> group_extents(const std::vector<Expr>& extents) const;
  /// Returns the indices into the groups, from the logical indices and extents.
  std::vector<Expr> group_indices(const std::vector<Expr>& indices, const std::vector<Expr>& extents) const;
  /// Returns the linear position of a logical index; extents are logical.
  std::int64_t position(const std::vector<std::int64_t>& index,
                        const std::vector<std::int64_t>& extents) const;
  /// Returns the logical index at a linear position, the inverse of position(); nothing if the position is
  /// padding.
  std::optional<std::vector<std::int64_t>> index_at(std::int64_t position,
                                                    const std::vector<std::int64_t>& extents) const;

  friend bool operator==(const Layout&, const Layout&) = default;

 private:
  std::vector<Term> terms_;
  std::vector<std::size_t> group_ends_;  // number of terms up to the end of each
  int rank_ = 0;
};

/// Reorders row-major elements of `element_bytes` bytes into the layout's order; padding is zero. Throws
/// ShapeError if the extents do not have as many elements.
std::vector<std::byte> pack(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
                            const std::vector<std::int64_t>& extents);
/// Reorders row-major elements into memory of the layout's size; padding is not written.
void pack_into(std::span<const std::byte> row_major, int element_bytes, const Layout& layout,
               const std::vector<std::int64_t>& extents, std::span<std::byte> stored);
/// Reorders elements from the layout's order to row-major: the inverse of pack().
std::vector<std::byte> unpack(std::span<const std::byte> stored, int element_bytes, const Layout& layout,
                              const std::vector<std::int64_t>& extents);

}  // namespace tensordsl
