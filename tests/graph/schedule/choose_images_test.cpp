// Tests which tensors of a graph become images.
#include "graph/schedule/choose_images.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "graph/compile_graph.h"
#include "support/definitions.h"
#include "support/some_device.h"

using namespace tensordsl;
using namespace tensordsl::definitions;
using namespace tensordsl::graph;
using testing::attribute;
using testing::definitions_of;
using testing::Ints;
using testing::OnnxModel;

namespace {

CompileOptions options_with_images() {
  CompileOptions options;
  options.target.prefers_images = true;
  return options;
}

/// "c: n h | w c/4 | c%4 (an image: ..)", a line for each tensor that kernels store.
std::string stored(const OnnxModel& model, const CompileOptions& options = options_with_images()) {
  const graph::Graph compiled = compile_in_full(definitions_of(model), options);
  std::string all;
  for (std::size_t i = 0; i < compiled.definitions.tensors.size(); ++i) {
    const DefinedTensor& tensor = compiled.definitions.tensors[i];
    if (tensor.constant || tensor.func.is_input()) continue;
    std::vector<std::string> names{"n", "c", "h", "w"};
    names.resize(static_cast<std::size_t>(tensor.func.rank()));
    const std::string reason = compiled.storage.reasons[i];
    if (reason.find(" image") == std::string::npos && reason.find("buffer") == std::string::npos) continue;
    const std::size_t begin = reason.rfind("; ");
    all += fmt::format("{}: {} ({})\n", tensor.name, compiled.storage.layouts[i].to_string(names),
                       begin == std::string::npos ? reason : reason.substr(begin + 2));
  }
  return all;
}

std::vector<float> ones(std::size_t count) { return std::vector<float>(count, 1.0F); }

/// Two convolutions, of windows and of pixels; the first one's output has `channels`.
OnnxModel convolutions(std::int64_t channels) {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8})
      .floats("w", {channels, 3, 3, 3}, ones(static_cast<std::size_t>(channels) * 27));
  model.floats("v", {8, channels, 1, 1}, ones(static_cast<std::size_t>(channels) * 8));
  model.node("Conv", {"x", "w"}, {"c"}, {attribute("pads", Ints{1, 1, 1, 1})});
  return model.node("Conv", {"c", "v"}, {"y"}).output("y");
}

}  // namespace

TEST_CASE("images: what one convolution writes and another reads, but not what the host has") {
  CHECK(stored(convolutions(16)) ==
        "c: n h | w c/4 | c%4 (an image: its kernels read and write four neighbors at a time)\ny: n h w c (a "
        "buffer: the host reads or writes it)\n");
}

TEST_CASE("images: channels that texels do not divide stay in a buffer") {
  CHECK(stored(convolutions(6))
            .starts_with("c: n h w c (a buffer: Conv does not write four neighbors at a time)\n"));
}

TEST_CASE(
    "images: none on a target that does not prefer them, on a device without them, or without layouts") {
  CHECK(stored(convolutions(16), CompileOptions()).empty());
  CompileOptions options = options_with_images();
  options.optimizations.layout_selection = false;
  CHECK(stored(convolutions(16), options).empty());
  options = options_with_images();
  options.device = some_device();
  CHECK(!stored(convolutions(16), options).empty());
  options.device->has_images = false;
  CHECK(stored(convolutions(16), options).empty());
}

TEST_CASE("images: by the limits of the device") {
  CompileOptions options = options_with_images();
  options.device = some_device();
  options.device->image_limits = {32, 8, 8, 1024};
  CHECK(stored(convolutions(16), options).starts_with("c: n h | w c/4 | c%4 (an image"));
  options.device->image_limits = {4, 4, 1, 16};
  CHECK(stored(convolutions(16), options)
            .starts_with("c: n h w c (a buffer: its layout does not fit texels of four elements, or it "
                         "exceeds the image limits)"));
}

TEST_CASE("images: the parts of a whole are all images, or none is") {
  const auto joined = [](std::int64_t channels) {
    OnnxModel model;
    model.input("x", {1, 3, 8, 8}).floats("a", {4, 3, 1, 1}, ones(12));
    model.floats("b", {channels, 3, 1, 1}, ones(static_cast<std::size_t>(channels) * 3));
    model.floats("v", {8, 4 + channels, 1, 1}, ones(static_cast<std::size_t>(4 + channels) * 8));
    model.node("Conv", {"x", "a"}, {"p"}).node("Conv", {"x", "b"}, {"q"});
    model.node("Concat", {"p", "q"}, {"j"}, {attribute("axis", 1)}).node("Conv", {"j", "v"}, {"y"});
    return stored(model.output("y"));
  };
  CHECK(joined(8).starts_with(
      "p: n h | w c/4+2 | c%4 (an image: its kernels read and write four neighbors at a time)\nq: n h | w "
      "1+c/4 | c%4 (an image: its kernels read and write four neighbors at a time)\nj: n h | w c/4 | c%4 (an "
      "image: its kernels read and write four neighbors at a time)\n"));
  CHECK(joined(6).find("an image") == std::string::npos);
}

TEST_CASE("images: what a softmax reads stays in a buffer") {
  OnnxModel model;
  model.input("x", {1, 3, 8, 8}).floats("w", {16, 3, 3, 3}, ones(432)).floats("v", {16, 16, 1, 1}, ones(256));
  model.node("Conv", {"x", "w"}, {"m"}).node("Softmax", {"m"}, {"s"}, {attribute("axis", 2)});
  model.node("Conv", {"s", "v"}, {"y"});
  CHECK(stored(model.output("y")) ==
        "m: n h w c (a buffer: Softmax does not read four neighbors at a time)\n"
        "s: n h w c (a buffer: Softmax does not write four neighbors at a time)\n"
        "y: n h w c (a buffer: the host reads or writes it)\n");
}

TEST_CASE(
    "images: weights are, in tiles of channels, and the kernel reads nothing else of a buffer but biases") {
  OnnxModel model;
  testing::Floats bias = ones(16);
  bias[3] = 2;
  model.input("x", {1, 4, 8, 8}).floats("w", {16, 4, 3, 3}, ones(576)).floats("b", {16}, bias);
  model.floats("v", {8, 16, 3, 3}, ones(1152)).node("Conv", {"x", "w", "b"}, {"c"});
  const graph::Graph compiled = compile_in_full(
      definitions_of(model.node("Conv", {"c", "v"}, {"y"}).output("y")), options_with_images());
  std::string all;
  for (const ScheduledGroup& group : compiled.scheduled) {
    for (const GroupOperand& operand : group.group.operands)
      all += compiled.definitions.tensors[operand.tensor].name + ": " + to_string(operand.stored) + "\n";
  }
  CHECK(all ==
        "x: f32 [1, 4, 8, 8], layout \"d0 d2 d3 d1\"\n"
        "w: f32 [16, 4, 3, 3], layout \"d0/4 d2 | d3 d1 | d0%4\", Image2D\n"
        "b: f32 [16]\n"
        "c: f32 [1, 16, 6, 6], layout \"d0 d2 | d3 d1/4 | d1%4\", Image2D\n"
        "v: f32 [8, 16, 3, 3], layout \"d0/4 d2 d3 | d1 | d0%4\", Image2D\n");
}
