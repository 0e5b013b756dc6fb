#include "model/take_pictures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "definitions/redirector.h"
#include "dsl/make_func.h"
#include "ir/nodes/expr_node.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using definitions::DefinedTensor;
using definitions::DefinitionGraph;

constexpr int kBytes = 4;  // of a pixel
constexpr int kAlpha = 3;
constexpr double kMost = 255;

[[noreturn]] void refuse(const std::string& name, const std::string& problem) {
  throw ModelError(fmt::format("pictures: \"{}\" {}", name, problem));
}

/// value*scale + offset, or with these two a byte.
struct Line {
  std::vector<double> scale, offset;  // of each channel
};

std::vector<double> of_channels(const std::string& name, const char* what, const std::vector<double>& values,
                                std::size_t channels) {
  if (values.size() == 1) return std::vector<double>(channels, values[0]);
  if (values.size() == channels) return values;
  refuse(name, fmt::format("has {} channels, but {} values of {}; pass one value, or one per channel",
                           channels, values.size(), what));
}

bool is_normalized(const Picture& picture) { return picture.storage == Picture::Storage::NormalizedImage; }

/// The linear map from stored elements to values.
Line line_of(const std::string& name, const Picture& picture, std::size_t channels) {
  const std::vector<double> mean = of_channels(name, "mean", picture.mean, channels),
                            deviation = of_channels(name, "deviation", picture.deviation, channels);
  Line line;
  for (std::size_t c = 0; c < channels; ++c) {
    if (!std::isfinite(mean[c]) || !std::isfinite(deviation[c]) || deviation[c] == 0)
      refuse(
          name,
          fmt::format(
              "has a mean of {} and a deviation of {}; both must be finite, and the deviation must not be 0",
              mean[c], deviation[c]));
    if (!std::isfinite(static_cast<float>(1 / deviation[c])))
      refuse(name, fmt::format("has a deviation of {}, too small to divide by", deviation[c]));
    line.scale.push_back(1 / ((is_normalized(picture) ? 1 : kMost) * deviation[c]));
    line.offset.push_back(-mean[c] / deviation[c]);
  }
  return line;
}

Line inverse(const Line& line) {
  Line back;
  for (std::size_t c = 0; c < line.scale.size(); ++c) {
    back.scale.push_back(1 / line.scale[c]);
    back.offset.push_back(-line.offset[c] / line.scale[c]);
  }
  return back;
}

/// The value of `channel`, a number where all are one.
Expr chosen(const std::vector<double>& values, const Expr& channel) {
  const auto number = [](double value) { return Expr(static_cast<float>(value)); };
  if (std::ranges::all_of(values, [&](double value) { return value == values[0]; })) return number(values[0]);
  Expr result = number(values.back());
  for (std::size_t c = values.size() - 1; c-- > 0;)
    result = select(channel == static_cast<int>(c), number(values[c]), result);
  return result;
}

Expr on_line(const Expr& value, const Line& line, const Expr& channel) {
  const Expr scaled = value * chosen(line.scale, channel);
  const bool is_zero = std::ranges::all_of(line.offset, [](double offset) { return offset == 0; });
  return is_zero ? scaled : scaled + chosen(line.offset, channel);
}

/// Returns the number of channels of a tensor that may be a picture.
std::size_t channels_of(const std::string& name, const DefinedTensor& tensor) {
  const std::int64_t* channels = tensor.shape.size() == 4 ? ir::as_int(tensor.shape[1]) : nullptr;
  const bool is_picture =
      tensor.type() == Float(32) && channels && (*channels == 1 || *channels == 3 || *channels == 4);
  if (is_picture) return static_cast<std::size_t>(*channels);
  std::vector<std::string> extents;
  for (const Expr& extent : tensor.shape) extents.push_back(to_string(extent));
  refuse(name,
         fmt::format(
             "is {} [{}]; a picture must be f32 [batch, channels, rows, columns] with 1, 3 or 4 channels",
             to_string(tensor.type()), fmt::join(extents, ", ")));
}

std::vector<Expr> shape_of_bytes(const DefinedTensor& tensor) {
  return {tensor.shape[0], tensor.shape[2], tensor.shape[3], kBytes};
}

/// x_value(n, c, h, w), of the bytes x(n, h, w, c).
Func values_of(const Func& bytes, const Line& line) {
  const std::vector<std::string> dims{"n", "c", "h", "w"};
  const std::vector<Expr> at = vars_of(dims);
  const Expr byte = read_of(bytes, {at[0], at[2], at[3], at[1]});
  return pure_func(bytes.name() + "_value", dims, on_line(cast(Float(32), byte), line, at[1]));
}

/// y_picture(n, h, w, c), of the values y(n, c, h, w).
Func pixels_of(const Func& values, const Line& to_bytes, bool normalized) {
  const std::vector<std::string> dims{"n", "h", "w", "c"};
  const std::vector<Expr> at = vars_of(dims);
  const auto channels = static_cast<int>(to_bytes.scale.size());
  const Expr channel = channels == kBytes ? at[3] : min(at[3], channels - 1);
  const Expr value = on_line(read_of(values, {at[0], channel, at[1], at[2]}), to_bytes, channel);
  const Expr byte = normalized ? min(max(value, 0.0f), 1.0f) : saturating_cast(UInt(8), round(value));
  const Expr opaque = normalized ? Expr(1.0f) : cast(UInt(8), static_cast<int>(kMost));
  return pure_func(values.name() + "_picture", dims,
                   channels == kBytes ? byte : select(at[3] == kAlpha, opaque, byte));
}

class PictureTaker {
 public:
  explicit PictureTaker(DefinitionGraph graph) : graph_(std::move(graph)), funcs_(graph_) {}

  DefinitionGraph run(const std::map<std::string, Picture>& pictures) {
    for (const auto& [name, picture] : pictures) {
      const bool is_input = take_input(name, picture);
      if (!is_input) find_output(name);
    }
    if (!inputs_.empty()) redirect_readers();
    for (const auto& [name, picture] : pictures) {
      const bool is_input = std::ranges::any_of(
          inputs_, [&](const auto& input) { return graph_.tensors[input.first].name == name; });
      if (!is_input) give_output(graph_.outputs[find_output(name)], picture);
    }
    return std::move(graph_);
  }

 private:
  struct Input {
    Func values;  // as readers had it
    Line line;
    Picture picture;
  };

  bool take_input(const std::string& name, const Picture& picture) {
    const auto found = std::ranges::find_if(
        graph_.inputs, [&](std::size_t input) { return graph_.tensors[input].name == name; });
    if (found == graph_.inputs.end()) return false;
    DefinedTensor& tensor = graph_.tensors[*found];
    const std::size_t channels = channels_of(name, tensor);
    if (graph_.is_read_by_host(*found))
      refuse(name, "is both an input and an output; only one of them can be a picture");
    const auto place = static_cast<std::size_t>(found - graph_.inputs.begin());
    if (std::ranges::any_of(graph_.states, [&](const auto& state) { return state.input == place; }))
      refuse(name, "is a state, which cannot be a picture");
    inputs_.emplace(*found, Input{tensor.func, line_of(name, picture, channels), picture});
    return true;
  }

  std::size_t find_output(const std::string& name) const {
    const auto found = std::ranges::find(graph_.outputs, name, &DefinitionGraph::Output::name);
    if (found != graph_.outputs.end()) return static_cast<std::size_t>(found - graph_.outputs.begin());
    std::vector<std::string> names;
    for (const std::size_t input : graph_.inputs) names.push_back(graph_.tensors[input].name);
    for (const DefinitionGraph::Output& output : graph_.outputs) names.push_back(output.name);
    throw ModelError(fmt::format("pictures: the model has no input or output \"{}\"; it has \"{}\"", name,
                                 fmt::join(names, "\", \"")));
  }

  /// Each tensor that reads an input converts it by a Func of its own.
  void redirect_readers() {
    for (auto& [place, input] : inputs_) {
      DefinedTensor& tensor = graph_.tensors[place];
      tensor.shape = shape_of_bytes(tensor);
      tensor.func = tensordsl::Input(tensor.func.name(), is_normalized(input.picture) ? Float(32) : UInt(8),
                                     tensor.shape);
      tensor.given_as.reset();
      tensor.is_image = input.picture.storage != Picture::Storage::Buffer;
    }
    std::vector<std::vector<Func>> funcs;
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i)
      funcs.push_back(inputs_.contains(i) ? std::vector<Func>() : funcs_.funcs_of(i));
    for (std::size_t i = 0; i < graph_.tensors.size(); ++i) {
      for (const auto& [place, input] : inputs_)
        redirector_.redirect(input.values, values_of(graph_.tensors[place].func, input.line));
      for (const Func& func : funcs[i]) redirector_.update(func);
      if (!inputs_.contains(i)) graph_.tensors[i].func = redirector_.now(graph_.tensors[i].func);
    }
  }

  void give_output(DefinitionGraph::Output& output, const Picture& picture) {
    const DefinedTensor& tensor = graph_.tensors[output.tensor];
    const std::size_t channels = channels_of(output.name, tensor);
    const auto place = static_cast<std::size_t>(&output - graph_.outputs.data());
    if (std::ranges::any_of(graph_.states, [&](const auto& state) { return state.output == place; }))
      refuse(output.name, "is a state, which cannot be a picture");
    DefinedTensor made{
        output.name + "_picture",
        pixels_of(tensor.func, inverse(line_of(output.name, picture, channels)), is_normalized(picture)),
        shape_of_bytes(tensor)};
    made.origin = {"Picture", output.name};
    made.is_image = picture.storage != Picture::Storage::Buffer;
    output.tensor = graph_.tensors.size();
    output.read_as.reset();
    graph_.tensors.push_back(std::move(made));
  }

  DefinitionGraph graph_;
  definitions::TensorFuncs funcs_;
  definitions::Redirector redirector_;
  std::map<std::size_t, Input> inputs_;  // by tensor
};

}  // namespace

DefinitionGraph take_pictures(DefinitionGraph graph, const std::map<std::string, Picture>& pictures) {
  return pictures.empty() ? std::move(graph) : PictureTaker(std::move(graph)).run(pictures);
}

}  // namespace tensordsl
