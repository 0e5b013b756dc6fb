#include "ops/shapes/read_window.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {

Ints read_list(const Attributes& attributes, const char* name, std::size_t count, std::int64_t minimum,
               std::int64_t fallback) {
  Ints list = attributes.get<Ints>(name, Ints(count, fallback));
  if (list.size() != count) {
    throw ShapeError(fmt::format("attribute {} = {} has {} values; {} are needed", name, to_string(list),
                                 list.size(), count));
  }
  for (const std::int64_t value : list) {
    if (value < minimum || value > kMaxWindowValue) {
      throw ModelError(fmt::format("attribute {} = {} is not supported; supported: values from {} to {}",
                                   name, to_string(list), minimum, kMaxWindowValue));
    }
  }
  return list;
}

std::int64_t reach(const Window& window, std::size_t i) {
  return (window.kernel[i] - 1) * window.dilations[i] + 1;
}

namespace {

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

}  // namespace

Window read_window(const Attributes& attributes, const Shape& x, Ints kernel) {
  const std::size_t rank = kernel.size();
  Window window{std::move(kernel), read_list(attributes, "strides", rank, 1, 1),
                read_list(attributes, "dilations", rank, 1, 1),
                read_list(attributes, "pads", 2 * rank, 0, 0)};
  const std::string mode =
      read_choice(attributes, "auto_pad", {"NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"});
  if (mode == "VALID") {
    window.pads.assign(2 * rank, 0);
  } else if (mode != "NOTSET") {
    pad_to_same(window, x, mode == "SAME_UPPER");
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
    // The last window may begin after the image only if it does not need that many elements.
    const bool may_begin_behind = round_up && reach(window, i) < end + stride;
    if (may_begin_behind && (out.value() - 1) * stride >= (x[i + 2] + begin).value()) out -= 1;
    shape.push_back(out);
  }
  return shape;
}

void require_spatial(const OperatorCall& call) {
  if (call.input(0).shape.size() < 3) {
    throw ShapeError(fmt::format(
        "the input is {}; it must have the dimensions [N,C,..] with one spatial dimension or more",
        to_string(call.input(0))));
  }
}

void require_image(const OperatorCall& call) {
  require_float(call, 0);
  require_spatial(call);
}

std::string read_choice(const Attributes& attributes, const char* name,
                        const std::vector<std::string>& choices) {
  std::string value = attributes.get<std::string>(name, choices[0]);
  if (std::ranges::find(choices, value) == choices.end()) {
    throw ModelError(fmt::format("attribute {} = \"{}\" is not supported; supported: {}", name, value,
                                 fmt::join(choices, ", ")));
  }
  return value;
}

Ints weights_kernel(const OperatorCall& call, const Ints& weights) {
  const Shape& x = call.input(0).shape;
  if (weights.size() != x.size()) {
    throw ShapeError(
        fmt::format("the input {} and the weights {} differ in rank", to_string(x), to_string(weights)));
  }
  Ints kernel(weights.begin() + 2, weights.end());
  if (call.attributes.get<Ints>("kernel_shape", kernel) != kernel) {
    throw ShapeError(fmt::format("attribute kernel_shape = {} differs from the weights {}",
                                 to_string(call.attributes.get<Ints>("kernel_shape")), to_string(weights)));
  }
  if (std::ranges::any_of(kernel, [](std::int64_t k) { return k < 1 || k > kMaxWindowValue; })) {
    throw ShapeError(fmt::format("the weights {} have no elements or are too large", to_string(weights)));
  }
  return kernel;
}

void require_bias(const OperatorCall& call, std::size_t i, const Ints& weights, std::int64_t channels) {
  if (call.has_input(i) && call.input(i).shape != Shape{channels}) {
    throw ShapeError(fmt::format("the bias is {}; weights {} need a bias [{}]", to_string(call.input(i)),
                                 to_string(weights), channels));
  }
}

}  // namespace tensordsl::ops::shapes
