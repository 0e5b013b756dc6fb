// Helpers of the shape rules of operators with windows: reads and checks their attributes and writes every
// default out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/shapes/inferred_node.h"
#include "ops/shapes/windows.h"

namespace tensordsl::ops::shapes {

/// Larger values mean nothing and would overflow the arithmetic of windows.
inline constexpr std::int64_t kMaxWindowValue = 2147483647;

/// The list `name`, of `count` values of at least `minimum`; `fallback` for each if it is absent.
Ints read_list(const Attributes& attributes, const char* name, std::size_t count, std::int64_t minimum,
               std::int64_t fallback);
/// The first choice if it is absent.
std::string read_choice(const Attributes& attributes, const char* name,
                        const std::vector<std::string>& choices);

/// Returns the extent that a window covers in dimension i.
std::int64_t reach(const Window& window, std::size_t i);
/// The window of a node whose input has shape `x` and whose kernel is `kernel`; auto_pad becomes pads.
Window read_window(const Attributes& attributes, const Shape& x, Ints kernel);
Attributes to_attributes(const Window& window);
/// [N, channels, out..] of `window` over an input of shape `x`.
Shape window_output(const Window& window, const Shape& x, const Size& channels, bool round_up);

/// Checks that input 0 is [N,C,..] with one spatial dimension or more. Throws ShapeError otherwise.
void require_spatial(const OperatorCall& call);
/// Checks that input 0 is [N,C,..] with one spatial dimension or more, and of a floating-point type. Throws
/// otherwise.
void require_image(const OperatorCall& call);
/// The kernel of weights [_,_,k..], which kernel_shape may repeat. Throws if they do not fit input 0.
Ints weights_kernel(const OperatorCall& call, const Ints& weights);
/// Checks that input `i`, if present, is a bias [channels]. Throws ShapeError otherwise.
void require_bias(const OperatorCall& call, std::size_t i, const Ints& weights, std::int64_t channels);

}  // namespace tensordsl::ops::shapes
