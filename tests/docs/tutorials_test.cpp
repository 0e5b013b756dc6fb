// The tutorials have the code of the programs that they describe, and the loops and kernels that it gives.
// After a change, TENSORDSL_UPDATE_DOCS=1 build/release/bin/test_tutorials writes all into the documents.
#include <doctest/doctest.h>

#include <map>
#include <string>

#include "apps/tutorials/convolution_steps.h"
#include "docs/generated_blocks.h"
#include "docs/source_regions.h"

namespace tensordsl::docs {
namespace {

std::map<std::string, std::string> blocks() {
  std::map<std::string, std::string> blocks = regions_of_folder("apps/tutorials");
  blocks.merge(regions_of_folder("apps/examples"));
  for (const ConvolutionStep& step : convolution_steps())
    blocks["nest_" + step.name] = Pipeline(step.out).print_loop_nest();
  Var y("y"), x("x"), xo("xo"), xi("xi");
  Input image("image", Float(32), {480, 640});
  Func blur("blur");
  blur(y, x) = (image(y, x) + image(y, x + 1) + image(y, x + 2)) / 3.0f;
  blur.bound({480, 638});
  blur.split(x, xo, xi, 4).vectorize(xi).gpu_tile(xo, y, {16, 4});
  blocks["nest"] = Pipeline(blur).print_loop_nest();
  blocks["kernel_text"] = Pipeline(blur).emit("cl");
  return blocks;
}

}  // namespace

TEST_CASE("tutorials: code and loops are those of the programs") {
  const auto all = blocks();
  for (const char* name : {"FIRST_KERNEL", "FAST_CONVOLUTION", "SHIP_A_MODEL"}) {
    CAPTURE(name);
    CHECK(is_current("docs/tutorials/" + std::string(name) + ".md",
                     [&](const std::string& block) { return all.at(block); }));
  }
}

}  // namespace tensordsl::docs
