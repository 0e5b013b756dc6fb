#include "ops/shapes/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// Larger values mean nothing and would overflow the arithmetic below.
constexpr std::int64_t kMaxValue = std::numeric_limits<std::int32_t>::max();

/// The list `name`, of `count` values of at least `minimum`; `fallback` for each if it is absent.
Ints read_list(const Attributes& attributes, const char* name, std::size_t count, std::int64_t minimum,
               std::int64_t fallback) {
  Ints list = attributes.get<Ints>(name, Ints(count, fallback));
  if (list.size() != count) {
    throw ShapeError(fmt::format("attribute {} = {} has {} values; {} are needed", name, to_string(list),
                                 list.size(), count));
  }
  for (const std::int64_t value : list) {
    if (value < minimum || value > kMaxValue) {
      throw ModelError(fmt::format("attribute {} = {} is not supported; supported: values from {} to {}",
                                   name, to_string(list), minimum, kMaxValue));
    }
  }
  return list;
}

/// How far a window reaches in dimension i.
std::int64_t reach(const Window& window, std::size_t i) {
  return (window.kernel[i] - 1) * window.dilations[i] + 1;
}

/// The padding that makes the output ceil(in / stride) long, the odd element at the end or at the begin.
void pad_to_same(Window& window, const Shape& x, bool odd_at_end) {
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const Size& in = x[i + 2];
    const Size stride = window.strides[i], out = quotient(in + stride - 1, stride);
    const std::int64_t total = max(0, (out - 1) * stride + reach(window, i) - in).value();
    window.pads[i] = odd_at_end ? total / 2 : total - total / 2;
    window.pads[i + window.rank()] = total - window.pads[i];
  }
}

/// Reads the window of a node whose input has shape `x` and whose kernel is `kernel`, resolving auto_pad.
Window read_window(const Attributes& attributes, const Shape& x, Ints kernel) {
  const std::size_t rank = kernel.size();
  Window window{std::move(kernel), read_list(attributes, "strides", rank, 1, 1),
                read_list(attributes, "dilations", rank, 1, 1),
                read_list(attributes, "pads", 2 * rank, 0, 0)};
  const std::string mode = attributes.get<std::string>("auto_pad", "NOTSET");
  if (mode == "VALID") {
    window.pads.assign(2 * rank, 0);
  } else if (mode == "SAME_UPPER" || mode == "SAME_LOWER") {
    pad_to_same(window, x, mode == "SAME_UPPER");
  } else if (mode != "NOTSET") {
    throw ModelError(fmt::format(
        "attribute auto_pad = \"{}\" is not supported; supported: NOTSET, SAME_UPPER, SAME_LOWER, VALID",
        mode));
  }
  return window;
}

Attributes to_attributes(const Window& window) {
  Attributes attributes;
  attributes.set("kernel_shape", window.kernel);
  attributes.set("strides", window.strides);
  attributes.set("dilations", window.dilations);
  attributes.set("pads", window.pads);
  return attributes;
}

/// [N, channels, out..] of `window` over an input of shape `x`.
Shape window_output(const Window& window, const Shape& x, const Size& channels, bool round_up) {
  Shape shape{x[0], channels};
  for (std::size_t i = 0; i < window.rank(); ++i) {
    const std::int64_t begin = window.pads[i], end = window.pads[i + window.rank()],
                       stride = window.strides[i];
    const Size room = x[i + 2] + begin + end - reach(window, i);
    if (is_less(room, 0) == true) {
      throw ShapeError(
          fmt::format("a window of {} (kernel {}, dilation {}) does not fit into spatial dimension {} of {} "
                      "with pads {} and {}",
                      reach(window, i), window.kernel[i], window.dilations[i], i, to_string(x), begin, end));
    }
    Size out = quotient(room + (round_up ? stride - 1 : 0), stride) + 1;
    if (round_up && (out.value() - 1) * stride >= (x[i + 2] + begin).value()) out -= 1;
    shape.push_back(out);
  }
  return shape;
}

void require_image(const OperatorCall& call) {
  require_float(call, 0);
  if (call.input(0).shape.size() < 3) {
    throw ShapeError(fmt::format(
        "the input is {}; it must have the dimensions [N,C,..] with one spatial dimension or more",
        to_string(call.input(0))));
  }
}

std::int64_t read_flag(const Attributes& attributes, const char* name) {
  const std::int64_t value = attributes.get<std::int64_t>(name, 0);
  if (value != 0 && value != 1) {
    throw ModelError(fmt::format("attribute {} = {} is not supported; supported: 0, 1", name, value));
  }
  return value;
}

InferredNode pool(const OperatorCall& call) {
  require_image(call);
  const Shape& x = call.input(0).shape;
  if (!call.attributes.has("kernel_shape")) throw ModelError("attribute kernel_shape is missing");
  const Window window =
      read_window(call.attributes, x, read_list(call.attributes, "kernel_shape", x.size() - 2, 1, 1));
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

}  // namespace

Window Window::of(const Attributes& attributes) {
  return {attributes.get<Ints>("kernel_shape"), attributes.get<Ints>("strides"),
          attributes.get<Ints>("dilations"), attributes.get<Ints>("pads")};
}

namespace shapes {

InferredNode conv(const OperatorCall& call) {
  require_image(call);
  require_same_types(call);
  const Shape& x = call.input(0).shape;
  const Ints w = known(call.input(1).shape);
  if (w.size() != x.size()) {
    throw ShapeError(
        fmt::format("the input {} and the weights {} differ in rank", to_string(x), to_string(Shape(w))));
  }
  const std::int64_t group = call.attributes.get<std::int64_t>("group", 1);
  if (group < 1 || w[0] % group != 0 || Size(w[1]) * group != x[1]) {
    throw ShapeError(
        fmt::format("group = {} does not fit an input {} and weights {}: they need the shapes [N,Ci,..] and "
                    "[Co,Ci/group,..]",
                    group, to_string(x), to_string(Shape(w))));
  }
  if (call.has_input(2) && call.input(2).shape != Shape{w[0]}) {
    throw ShapeError(fmt::format("the bias is {}; weights {} need a bias [{}]", to_string(call.input(2)),
                                 to_string(Shape(w)), w[0]));
  }
  const Ints kernel(w.begin() + 2, w.end());
  if (call.attributes.get<Ints>("kernel_shape", kernel) != kernel) {
    throw ShapeError(fmt::format("attribute kernel_shape = {} differs from the weights {}",
                                 to_string(call.attributes.get<Ints>("kernel_shape")), to_string(Shape(w))));
  }
  if (std::ranges::any_of(kernel, [](std::int64_t k) { return k < 1 || k > kMaxValue; })) {
    throw ShapeError(fmt::format("the weights {} have no elements or are too large", to_string(Shape(w))));
  }
  const Window window = read_window(call.attributes, x, kernel);
  InferredNode result{call.input(0).type, window_output(window, x, w[0], false), to_attributes(window)};
  result.attributes.set("group", group);
  return result;
}

InferredNode max_pool(const OperatorCall& call) {
  if (const auto order = call.attributes.get<std::int64_t>("storage_order", 0); order != 0) {
    throw ModelError(fmt::format("attribute storage_order = {} is not supported; supported: 0", order));
  }
  return pool(call);
}

InferredNode average_pool(const OperatorCall& call) {
  InferredNode result = pool(call);
  result.attributes.set("count_include_pad", read_flag(call.attributes, "count_include_pad"));
  return result;
}

InferredNode global_pool(const OperatorCall& call) {
  require_image(call);
  Shape shape = call.input(0).shape;
  std::fill(shape.begin() + 2, shape.end(), 1);
  return {call.input(0).type, std::move(shape), {}};
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
  if (image.empty() || !channels || is_equal(x.shape[2], windows) == false) {
    throw ShapeError(fmt::format("the input is {}; the image {} and the block {} need the shape [N,C*{},{}]",
                                 to_string(x), to_string(image), to_string(window.kernel), to_string(taps),
                                 to_string(windows)));
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
}  // namespace tensordsl
