// Finds reads along four neighbors in memory, which an image reads and writes at once.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "classify/access_map.h"
#include "definitions/stored_group.h"

namespace tensordsl::schedules {

/// Elements of a texel, in which images are read and written.
inline constexpr int kTexel = 4;

/// A read of an operand by a Func of a group, directly or through an inlined prologue. Each index is over the
/// Func's own dimensions and axes; nullopt if the prologue does not read at a plain dimension of its own.
struct OperandRead {
  Func reader;
  std::vector<std::optional<classify::IndexMap>> indices;
};
std::vector<OperandRead> reads_of_operand(const definitions::StoredGroup& group, std::size_t operand);

/// The value of a knob that says where a tensor lies: 0 is a buffer.
constexpr int storage_of(ImageKind kind) { return static_cast<int>(kind) + 1; }
/// The image that such a value stands for; nothing: a buffer.
constexpr std::optional<ImageKind> image_of_storage(int value) {
  return value == 0 ? std::nullopt : std::optional(static_cast<ImageKind>(value - 1));
}

/// The dimension along which a tensor's neighbors in memory are.
int innermost_dim(const Layout& layout);

/// Returns the reduction axis of `reader` along which four steps are four neighbors of the operand:
/// innermost, of an extent that is a multiple of 4, and not of a window. Nullopt if there is none.
std::optional<std::string> texel_axis(const definitions::StoredGroup& group, const OperandRead& read,
                                      int dim);

/// True if every read is of four neighbors that begin at a multiple of four. Either the kernel computes four
/// neighbors along the output's innermost dimension at a time or, with `has_axes`, four steps along a
/// texel_axis are taken together.
bool reads_in_fours(const definitions::StoredGroup& group, std::size_t operand, bool has_axes);

/// True if every index is a dimension or an axis that reaches no further than the operand.
bool stays_within(const definitions::StoredGroup& group, std::size_t operand);

/// The dimensions of the operand over which windows slide.
std::set<int> window_dims(const definitions::StoredGroup& group, std::size_t operand);

}  // namespace tensordsl::schedules
