// When the intermediates of a Program are needed.
#include "graph/memory/lifetimes.h"

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace tensordsl {

using namespace graph;
namespace {

using Kind = Program::Tensor::Kind;

Program::Tensor buffer(Kind kind, const std::string& name, const std::string& elements) {
  return {kind, name, {Float(16), {}, Layout::row_major(0)}, elements};
}

/// "a 8: [1, 3]", a line for each tensor that has one.
std::string text(const Program& program) {
  std::string all;
  const auto lives = find_lifetimes(program);
  REQUIRE(lives.size() == program.tensors.size());
  for (std::size_t t = 0; t < lives.size(); ++t) {
    if (lives[t])
      all += fmt::format("{} {}: [{}, {}]\n", program.tensors[t].name, lives[t]->bytes, lives[t]->first,
                         lives[t]->last);
  }
  return all;
}

/// A Program whose launches take the tensors with the given numbers.
Program program(const std::vector<Program::Tensor>& tensors, const std::vector<std::vector<int>>& launches) {
  Program p;
  p.tensors = tensors;
  for (const auto& used : launches) {
    p.launches.emplace_back();
    p.launches.back().tensors = used;
  }
  return p;
}

}  // namespace

TEST_CASE("lifetimes: from the first launch that has a tensor to the last; inputs and outputs have none") {
  CHECK(text(program({buffer(Kind::Input, "x", "4"), buffer(Kind::Intermediate, "a", "4"),
                      buffer(Kind::Intermediate, "b", "(5 + 3)/4*4"), buffer(Kind::Output, "y", "4")},
                     {{0, 1}, {1, 2}, {-1, 0, 2}, {1, 3}})) == "a 8: [1, 7]\nb 16: [3, 5]\n");
}

TEST_CASE("lifetimes: what no step uses has none, nor what has an open size") {
  CHECK(text(program({buffer(Kind::Intermediate, "unused", "4"), buffer(Kind::Intermediate, "open", "n*4"),
                      buffer(Kind::Intermediate, "a", "3")},
                     {{1, 2}})) == "a 6: [1, 1]\n");
}

TEST_CASE("lifetimes: an image's bytes are those of its texels") {
  Program::Tensor image = buffer(Kind::Intermediate, "image", "30");
  image.stored.image = ImageKind::Image2D;
  image.image = Program::Tensor::ImageSize{.channels = 4, .width = "5", .height = "2"};
  CHECK(text(program({image}, {{0}})) == "image 80: [1, 1]\n");
}

TEST_CASE("lifetimes: what the host does lies before the launch that it comes before") {
  Program p = program({buffer(Kind::Intermediate, "a", "1"), buffer(Kind::Intermediate, "b", "1"),
                       buffer(Kind::Intermediate, "n", "1")},
                      {{0}, {1}, {2}});
  p.host_steps.emplace_back();
  p.host_steps[0].reads = {{"a", 0, {}}};
  p.host_steps[0].writes = {{"b", 1, {}}};
  p.host_steps[0].launches = 1;
  p.counts = {{"n", 2, 3, 1}};
  CHECK(text(p) == "a 2: [1, 2]\nb 2: [2, 3]\nn 2: [5, 6]\n");
}

}  // namespace tensordsl
