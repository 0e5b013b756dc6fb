#include <fmt/format.h>

#include "ops/element_types.h"
#include "ops/shapes/shape_rules.h"
#include "tensordsl/error.h"

namespace tensordsl::ops::shapes {
namespace {

/// Numbers of one part or of two, in the last dimension. Throws ShapeError on others.
bool is_complex(const Shape& x) {
  const Size parts = x.empty() ? Size(0) : x.back();
  if (x.size() < 2 || (parts != Size(1) && parts != Size(2))) {
    throw ShapeError(
        fmt::format("the input has the shape {}; its last dimension must be 1 (real) or 2 (complex), with a "
                    "signal before it",
                    to_string(x)));
  }
  return parts == Size(2);
}

/// An attribute that is one size. Throws ModelError if it is less than 1, or four times it is not an index.
Size length_attribute(const OperatorCall& call, const char* name) {
  constexpr std::int64_t kMost = 1 << 28;
  const Size size = call.attributes.sizes(name).at(0);
  if (is_less(size, 1) != true && is_less(kMost, size) != true) return size;
  throw ModelError(fmt::format("{} is {}; it must be 1 to {}", name, to_string(size), kMost));
}

}  // namespace

InferredNode window_function(const OperatorCall& call) {
  const Size size = call.attributes.sizes("size").at(0);
  if (is_less(size, 0) == true)
    throw ModelError(fmt::format("size is {}; it must not be negative", to_string(size)));
  InferredNode result{
      element_type("output_datatype", call.attributes.get<std::int64_t>("output_datatype", 1)), Shape{size},
      call.attributes};
  result.attributes.set("periodic", read_flag(call.attributes, "periodic", 1));
  return result;
}

InferredNode dft(const OperatorCall& call) {
  require_float(call, 0);
  const Shape& x = call.input(0).shape;
  const bool has_two_parts = is_complex(x);
  const std::int64_t inverse = read_flag(call.attributes, "inverse"),
                     onesided = read_flag(call.attributes, "onesided");
  const std::int64_t given = call.attributes.get<std::int64_t>("axis"), axis = normal_axis(given, x.size());
  const auto place = static_cast<std::size_t>(axis);
  if (place + 1 == x.size())
    throw ShapeError(fmt::format("axis {} holds the real and imaginary parts; pass another axis", given));
  if (onesided != 0 && has_two_parts != (inverse != 0)) {
    throw ShapeError(fmt::format("onesided = 1 with inverse = {} needs a {} input; it is {}", inverse,
                                 inverse != 0 ? "complex" : "real", has_two_parts ? "complex" : "real"));
  }
  InferredNode result{call.input(0).type, x, call.attributes};
  if (!call.attributes.has("dft_length")) {
    const Size length = onesided != 0 && inverse != 0 ? 2 * (x[place] - 1) : x[place];
    result.attributes.set("dft_length", Sizes{length});
  }
  const Size length = length_attribute({result.attributes, {}}, "dft_length");
  Shape& y = result.outputs[0].shape;
  y[place] = onesided != 0 && inverse == 0 ? quotient(length, 2) + 1 : length;
  y.back() = onesided != 0 && inverse != 0 ? 1 : 2;
  result.attributes.set("axis", axis);
  result.attributes.set("inverse", inverse);
  result.attributes.set("onesided", onesided);
  return result;
}

InferredNode stft(const OperatorCall& call) {
  require_float(call, 0);
  require_same_types(call);
  const Shape& x = call.input(0).shape;
  const bool has_two_parts = is_complex(x);
  if (x.size() != 3)
    throw ShapeError(
        fmt::format("the signal has the shape {}; it must be [batch, length, 1 or 2]", to_string(x)));
  const std::int64_t onesided = read_flag(call.attributes, "onesided", 1);
  if (onesided != 0 && has_two_parts) throw ShapeError("onesided = 1 needs a real signal; it is complex");
  InferredNode result{call.input(0).type, x, call.attributes};
  if (!call.attributes.has("frame_length")) {
    const bool has_window = call.has_input(1) && call.input(1).shape.size() == 1;
    result.attributes.set("frame_length", Sizes{has_window ? call.input(1).shape[0] : x[1]});
  }
  const Size step = length_attribute(call, "frame_step"),
             length = length_attribute({result.attributes, {}}, "frame_length");
  if (call.has_input(1) && call.input(1).shape != Shape{length}) {
    throw ShapeError(fmt::format("the window has the shape {}; it must be [{}], as frame_length says",
                                 to_string(call.input(1).shape), to_string(length)));
  }
  if (is_less(x[1], length) == true) {
    throw ShapeError(fmt::format("the signal has {} samples; a frame has {}, and must not be longer",
                                 to_string(x[1]), to_string(length)));
  }
  const Size frequencies = onesided != 0 ? quotient(length, 2) + 1 : length;
  result.outputs[0].shape = Shape{x[0], quotient(x[1] - length, step) + 1, frequencies, 2};
  result.attributes.set("onesided", onesided);
  return result;
}

InferredNode mel_weight_matrix(const OperatorCall& call) {
  const Shape& bins = call.input(0).shape;
  return {element_type("output_datatype", call.attributes.get<std::int64_t>("output_datatype", 1)),
          Shape{call.attributes.sizes("spectrogram_bins").at(0), bins.at(0) - 2}, call.attributes};
}

}  // namespace tensordsl::ops::shapes
