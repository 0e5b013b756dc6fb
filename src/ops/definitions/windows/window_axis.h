// Windows that slide over the spatial dimensions of input 0, for convolutions and pools.
#pragma once

#include <cstdint>
#include <vector>

#include "ops/operator_operands.h"

namespace tensordsl::ops::definitions {

/// A window along one spatial dimension. Tap k of window o is element o * stride + k * dilation - begin of
/// the input, which may be outside [0, in).
struct WindowAxis {
  Size in, out;
  std::int64_t kernel, stride, dilation, begin, end;

  /// The first element of the first window and the one after the last element of the last window.
  std::int64_t first() const { return -begin; }
  Size past_last() const { return (out - 1) * stride + (kernel - 1) * dilation + 1 - begin; }
  /// True if the last element of the last window may be past `limit`.
  bool may_pass(const Size& limit) const { return is_less(limit, past_last()) != false; }
  bool leaves_input() const { return first() < 0 || may_pass(in); }

  Expr element(const Expr& window, const Expr& tap) const;
  /// Returns the number of taps of a window that are in [low, high). Needs: every window starts before high
  /// and ends at or past low.
  Expr taps_within(const Expr& window, std::int64_t low, const Size& high) const;
};

/// Returns the axes from the attributes and shapes of a convolution or pool.
std::vector<WindowAxis> window_axes(const OperatorOperands& operands);

/// {0, kernel} of each axis.
std::vector<std::pair<Expr, Expr>> tap_ranges(const std::vector<WindowAxis>& axes);

/// Input 0, extended with `value` along the axes on which a window leaves it.
Func extended_input(const OperatorOperands& operands, const std::vector<WindowAxis>& axes, const Expr& value);

}  // namespace tensordsl::ops::definitions
