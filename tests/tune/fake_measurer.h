// A measurer that has no device.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "measure/measurer.h"

namespace tensordsl::tune {

/// Times by the kernels' texts: always the same, but for how fast the device is at the moment.
class FakeMeasurer final : public measure::Measurer {
 public:
  static double us_of(const Program& program) {
    std::size_t sum = 0;
    for (const KernelSource& kernel : program.kernels) sum += std::hash<std::string>{}(kernel.text) % 1000;
    return 100 + static_cast<double>(sum);
  }

  using Measurer::measure;
  std::vector<measure::Measured> measure(const measure::Request& request,
                                         const measure::MeasureHooks& hooks) override {
    ++calls;
    std::vector<measure::Measured> measured(request.programs.size());
    for (std::size_t i = 0; i < measured.size(); ++i) {
      if (!request.programs[i] || hooks.stops()) continue;
      const double us = us_of(*request.programs[i]);
      texts.insert(request.programs[i]->kernels[0].text);
      least = std::min(least, us);
      if (is_wrong) {
        measured[i] = {std::nullopt, "element 0 of output 0 is 1, but should be 2", true};
      } else if (fails && i % 2 == 1) {
        measured[i] = {std::nullopt, "it hangs", false};
        if (hooks.failed) hooks.failed(i, measured[i]);
      } else {
        measured[i].us = us * slowness;
      }
    }
    slowness *= 1.5;
    return measured;
  }

  int calls = 0;
  double slowness = 1, least = INFINITY;
  bool is_wrong = false, fails = false;
  std::set<std::string> texts;
};

}  // namespace tensordsl::tune
