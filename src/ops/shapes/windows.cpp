#include "ops/shapes/windows.h"

#include <fmt/format.h>

#include <algorithm>

#include "ops/assumed_sizes.h"
#include "ops/shapes/quantization.h"
#include "ops/shapes/read_window.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops {
namespace {

using namespace shapes;

/// The kernel_shape of a node that has no weights.
Ints read_kernel(const OperatorCall& call) {
  if (!call.attributes.has("kernel_shape")) throw ModelError("attribute kernel_shape is missing");
  return read_list(call.attributes, "kernel_shape", call.input(0).shape.size() - 2, 1, 1);
}

InferredNode pool(const OperatorCall& call) {
  require_spatial(call);
  const Shape& x = call.input(0).shape;
  const Window window = read_window(call.attributes, x, read_kernel(call));
  for (std::size_t i = 0; i < window.pads.size(); ++i) {
    if (window.pads[i] >= reach(window, i % window.rank())) {
      throw ModelError(
          fmt::format("attribute pads = {} with kernel_shape = {} is not supported; supported: pads smaller "
                      "than the kernel",
                      to_string(window.pads), to_string(window.kernel)));
    }
  }
  const std::int64_t ceil_mode = read_flag(call.attributes, "ceil_mode");
  InferredNode result{call.input(0).type, window_output(window, x, x[1], ceil_mode == 1),
                      to_attributes(window)};
  result.attributes.set("ceil_mode", ceil_mode);
  return result;
}

/// The exponent of a norm.
std::int64_t read_norm(const Attributes& attributes) {
  const std::int64_t p = attributes.get<std::int64_t>("p", 2);
  if (p < 1) throw ModelError(fmt::format("attribute p = {} is not supported; supported: 1 and more", p));
  return p;
}

/// Reads the group of a convolution, which divides the input and the output channels.
std::int64_t read_group(const OperatorCall& call, const Ints& weights) {
  const Shape& x = call.input(0).shape;
  const std::int64_t group = call.attributes.get<std::int64_t>("group", 1);
  if (group < 1 || weights[0] % group != 0 || Size(weights[1]) * group != x[1]) {
    throw ShapeError(
        fmt::format("group = {} does not fit an input {} and weights {}: they need the shapes [N,Ci,..] and "
                    "[Co,Ci/group,..]",
                    group, to_string(x), to_string(weights)));
  }
  return group;
}

/// Says that a window has to fit into the image, so that the output has elements.
void need_window(InferredNode& result, const OperatorCall& call, const Window& window) {
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const std::int64_t pads = window.pads[i] + window.pads[i + window.rank()];
    result.need(call, {0, i + 2, 0, reach(window, i) - pads});
  }
}

/// Infers the convolution of input 0 with the inputs `weights` and `bias`.
InferredNode convolution(const OperatorCall& call, std::size_t weights, std::size_t bias, Type type) {
  require_spatial(call);
  const Shape& x = call.input(0).shape;
  const Ints w = known(call.input(weights).shape);
  const Ints kernel = weights_kernel(call, w);
  const std::int64_t group = read_group(call, w);
  require_bias(call, bias, w, w[0]);
  const Window window = read_window(call.attributes, x, kernel);
  InferredNode result{type, window_output(window, x, w[0], false), to_attributes(window)};
  need_window(result, call, window);
  result.attributes.set("group", group);
  return result;
}

/// Says how many elements the image needs for the output to have some.
void need_transposed(InferredNode& result, const OperatorCall& call, const Shape& output,
                     const Ints& strides) {
  const Shape& x = call.input(0).shape;
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (is_less(output[i + 2], 1) == true) {
      throw ShapeError(
          fmt::format("the output of an input {} would be {}; its spatial extents must be 1 or "
                      "more: use smaller pads",
                      to_string(x), to_string(output)));
    }
    // Each element more makes the output longer by the stride.
    const Size of_one = output[i + 2] - (x[i + 2] - 1) * strides[i];
    result.need(call, {0, i + 2, 0, quotient(Size(1) - of_one + (strides[i] - 1), strides[i]) + 1});
  }
}

/// Determines the shapes of a transposed convolution. The extents before padding are `full`.
struct TransposedWindow {
  Window window;
  Ints output_padding;
  Sizes full;

  /// Chooses pads that leave `wanted` of the elements; missing elements become output padding.
  void pad_to(const Sizes& wanted, bool odd_at_end) {
    for (std::size_t i = 0; i < window.rank(); ++i) {
      const std::int64_t surplus = (full[i] - wanted[i]).value(), total = std::max<std::int64_t>(surplus, 0);
      output_padding[i] += total - surplus;
      full[i] += total - surplus;
      window.pads[i] = odd_at_end ? total / 2 : total - total / 2;
      window.pads[i + window.rank()] = total - window.pads[i];
    }
  }
};

TransposedWindow read_transposed(const OperatorCall& call, Ints kernel) {
  const Attributes& attributes = call.attributes;
  const Shape& x = call.input(0).shape;
  const std::size_t rank = kernel.size();
  TransposedWindow result{
      {std::move(kernel), read_list(attributes, "strides", rank, 1, 1),
       read_list(attributes, "dilations", rank, 1, 1), read_list(attributes, "pads", 2 * rank, 0, 0)},
      read_list(attributes, "output_padding", rank, 0, 0),
      {}};
  Sizes same;
  for (std::size_t i = 0; i < rank; ++i) {
    const Size stride = result.window.strides[i];
    result.full.push_back((x[i + 2] - 1) * stride + reach(result.window, i) + result.output_padding[i]);
    same.push_back(x[i + 2] * stride);
  }
  const std::string mode =
      read_choice(attributes, "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
  if (attributes.has("output_shape")) {
    Ints wanted = attributes.get<Ints>("output_shape");
    if (wanted.size() == rank + 2) wanted.erase(wanted.begin(), wanted.begin() + 2);
    if (wanted.size() != rank) {
      throw ShapeError(fmt::format("attribute output_shape = {} has {} values; {} are needed",
                                   to_string(wanted), wanted.size(), rank));
    }
    result.pad_to({wanted.begin(), wanted.end()}, mode == "SAME_UPPER");
  } else if (mode == "VALID") {
    result.window.pads.assign(2 * rank, 0);
  } else if (mode != "NOTSET") {
    result.pad_to(same, mode == "SAME_UPPER");
  }
  return result;
}

/// An image of floats, and weights of the same type.
struct Convolved {
  const Shape& x;
  Ints w, kernel;
};

Convolved read_convolved(const OperatorCall& call) {
  require_image(call);
  require_same_types(call);
  Ints w = known(call.input(1).shape);
  Ints kernel = weights_kernel(call, w);
  return {call.input(0).shape, std::move(w), std::move(kernel)};
}

}  // namespace

Window Window::of(const Attributes& attributes) {
  return {attributes.get<Ints>("kernel_shape"), attributes.get<Ints>("strides"),
          attributes.get<Ints>("dilations"), attributes.get<Ints>("pads")};
}

namespace shapes {

InferredNode conv(const OperatorCall& call) {
  require_float(call, 0);
  require_same_types(call);
  return convolution(call, 1, 2, call.input(0).type);
}

InferredNode conv_integer(const OperatorCall& call) {
  require_quantized(call, 0, 2);
  require_quantized(call, 1, 3);
  require_parameter(call, 2);
  require_channel_parameter(call, 3, call.input(1).shape);
  return convolution(call, 1, 4, Int(32));
}

InferredNode qlinear_conv(const OperatorCall& call) {
  require_quantized(call, 0, 2);
  require_quantized(call, 3, 5);
  require_quantized(call, 7, 7);
  for (const std::size_t i : {1, 4, 6}) require_float(call, i);
  for (const std::size_t i : {1, 2, 6, 7}) require_parameter(call, i);
  for (const std::size_t i : {4, 5}) require_channel_parameter(call, i, call.input(3).shape);
  if (call.has_input(8) && call.input(8).type != Int(32))
    throw ModelError(fmt::format("the bias is {}; supported: i32", to_string(call.input(8))));
  return convolution(call, 3, 8, call.input(7).type);
}

InferredNode conv_transpose(const OperatorCall& call) {
  const Convolved convolved = read_convolved(call);
  const Shape& x = convolved.x;
  const Ints &w = convolved.w, &kernel = convolved.kernel;
  const std::int64_t group = call.attributes.get<std::int64_t>("group", 1);
  if (group < 1 || w[0] % group != 0 || Size(w[0]) != x[1]) {
    throw ShapeError(
        fmt::format("group = {} does not fit an input {} and weights {}: they need the shapes [N,Ci,..] and "
                    "[Ci,Co/group,..]",
                    group, to_string(x), to_string(w)));
  }
  require_bias(call, 2, w, w[1] * group);
  const TransposedWindow transposed = read_transposed(call, kernel);
  Shape shape{x[0], w[1] * group};
  const Ints& pads = transposed.window.pads;
  for (std::size_t i = 0; i < kernel.size(); ++i)
    shape.push_back(transposed.full[i] - pads[i] - pads[i + kernel.size()]);
  InferredNode result{call.input(0).type, std::move(shape), to_attributes(transposed.window)};
  need_transposed(result, call, result.shape(), transposed.window.strides);
  result.attributes.set("group", group);
  result.attributes.set("output_padding", transposed.output_padding);
  return result;
}

InferredNode deform_conv(const OperatorCall& call) {
  const Convolved convolved = read_convolved(call);
  const Shape& x = convolved.x;
  const Ints &w = convolved.w, &kernel = convolved.kernel;
  const std::int64_t group = read_group(call, w);
  require_bias(call, 3, w, w[0]);
  const std::int64_t offset_group = call.attributes.get<std::int64_t>("offset_group", 1);
  if (offset_group < 1 || !exact_quotient(x[1], offset_group)) {
    throw ShapeError(fmt::format("offset_group = {} does not divide the channels of an input {}",
                                 offset_group, to_string(x)));
  }
  const Window window = read_window(call.attributes, x, kernel);
  InferredNode result{call.input(0).type, window_output(window, x, w[0], false), to_attributes(window)};
  need_window(result, call, window);
  std::int64_t taps = offset_group;
  for (const std::int64_t extent : kernel) taps *= extent;
  const auto require_shape = [&](std::size_t i, const char* what, std::int64_t channels) {
    if (!call.has_input(i)) return;
    Shape wanted = result.shape();
    wanted[0] = x[0];
    wanted[1] = channels;
    if (call.input(i).shape != wanted) {
      refuse_unequal(
          fmt::format("the {} is {}; it must be {}", what, to_string(call.input(i)), to_string(wanted)),
          call.input(i).shape, wanted);
    }
  };
  require_shape(2, "offset", taps * static_cast<std::int64_t>(kernel.size()));
  require_shape(4, "mask", taps);
  result.attributes.set("group", group);
  result.attributes.set("offset_group", offset_group);
  return result;
}

InferredNode max_pool(const OperatorCall& call) {
  if (const Type type = call.input(0).type; !type.is_float() && type.bits != 8) {
    throw ModelError(
        fmt::format("input 0 is {}; supported: f64, f32, f16, i8, u8", to_string(call.input(0))));
  }
  InferredNode result = pool(call);
  result.attributes.set("storage_order", read_flag(call.attributes, "storage_order"));
  if (call.outputs > 1) result.outputs.push_back({Int(64), result.shape()});
  return result;
}

InferredNode average_pool(const OperatorCall& call) {
  require_float(call, 0);
  InferredNode result = pool(call);
  result.attributes.set("count_include_pad", read_flag(call.attributes, "count_include_pad"));
  return result;
}

InferredNode lp_pool(const OperatorCall& call) {
  require_float(call, 0);
  InferredNode result = pool(call);
  result.attributes.set("p", read_norm(call.attributes));
  return result;
}

InferredNode global_pool(const OperatorCall& call) {
  require_image(call);
  Shape shape = call.input(0).shape;
  std::fill(shape.begin() + 2, shape.end(), 1);
  return {call.input(0).type, std::move(shape), {}};
}

InferredNode global_lp_pool(const OperatorCall& call) {
  InferredNode result = global_pool(call);
  result.attributes.set("p", read_norm(call.attributes));
  return result;
}

Sizes unpooled_extents(const Window& window, const Shape& x) {
  Sizes extents;
  for (std::size_t i = 0; i < window.rank(); ++i) {
    extents.push_back((x[i + 2] - 1) * window.strides[i] + window.kernel[i] - window.pads[i] -
                      window.pads[i + window.rank()]);
  }
  return extents;
}

InferredNode max_unpool(const OperatorCall& call) {
  require_image(call);
  const Shape& x = call.input(0).shape;
  if (call.input(1).type != Int(64) || call.input(1).shape != x) {
    const std::string text = fmt::format("the indices are {}; an input {} needs i64{}",
                                         to_string(call.input(1)), to_string(x), to_string(x));
    if (call.input(1).type != Int(64)) throw ShapeError(text);
    refuse_unequal(text, call.input(1).shape, x);
  }
  const Ints kernel = read_kernel(call);
  const Window window{kernel, read_list(call.attributes, "strides", kernel.size(), 1, 1),
                      Ints(kernel.size(), 1), read_list(call.attributes, "pads", 2 * kernel.size(), 0, 0)};
  Shape shape{x[0], x[1]};
  for (const Size& extent : unpooled_extents(window, x)) shape.push_back(extent);
  if (call.attributes.has("output_shape")) {
    const Shape wanted(call.attributes.sizes("output_shape"));
    bool fits = wanted.size() == x.size();
    for (std::size_t d = 0; fits && d < wanted.size(); ++d)
      fits = d < 2 ? wanted[d] == x[d] : is_less(wanted[d], shape[d]) != true;
    if (!fits) {
      throw ShapeError(fmt::format("the output shape is {}; it must be {} or more in the spatial dimensions",
                                   to_string(wanted), to_string(shape)));
    }
    shape = wanted;
  }
  InferredNode result{call.input(0).type, shape, to_attributes(window)};
  result.attributes.erase("dilations");
  result.attributes.set("output_shape", Sizes(shape));
  return result;
}

InferredNode col2im(const OperatorCall& call) {
  const TensorInfo& x = call.input(0);
  const Sizes image = call.attributes.sizes("image_shape");
  const Window window =
      read_window(call.attributes, {}, read_list(call.attributes, "block_shape", image.size(), 1, 1));
  if (x.type.is_bool())
    throw ModelError(fmt::format("input 0 is {}; supported: all types but bool", to_string(x)));
  Size taps = 1, windows = 1;
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const Size room = image[i] + window.pads[i] + window.pads[i + window.rank()] - reach(window, i);
    if (is_less(room, 0) == true)
      throw ShapeError(fmt::format("a block of {} does not fit into dimension {} of the image {}",
                                   reach(window, i), i, to_string(image)));
    taps *= window.kernel[i];
    windows *= quotient(room, window.strides[i]) + 1;
  }
  const auto channels = x.shape.size() == 3 ? exact_quotient(x.shape[1], taps) : std::nullopt;
  if (image.empty() || !channels || x.shape[2] != windows) {
    const std::string text =
        fmt::format("the input is {}; the image {} and the block {} need the shape [N,C*{},{}]", to_string(x),
                    to_string(image), to_string(window.kernel), to_string(taps), to_string(windows));
    if (image.empty() || !channels) throw ShapeError(text);
    refuse_unequal(text, x.shape[2], windows);
  }
  Shape shape{x.shape[0], *channels};
  shape.insert(shape.end(), image.begin(), image.end());
  InferredNode result{x.type, std::move(shape), to_attributes(window)};
  result.attributes.erase("kernel_shape");
  result.attributes.set("block_shape", window.kernel);
  result.attributes.set("image_shape", image);
  return result;
}

}  // namespace shapes
}  // namespace tensordsl::ops
