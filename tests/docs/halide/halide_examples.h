// The code of docs/HALIDE.md: the regions "// [NAME]" of halide_examples.cpp are its blocks.
#pragma once

#include <string>
#include <vector>

namespace tensordsl::docs {

struct HalideExample {
  std::string name;
  std::string (*run)();  // the text that is shown below the code
};

std::vector<HalideExample> halide_examples();

}  // namespace tensordsl::docs
