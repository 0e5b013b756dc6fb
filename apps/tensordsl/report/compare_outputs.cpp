#include "apps/tensordsl/report/compare_outputs.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tensordsl::cli {

std::vector<Comparison> compare(const std::map<std::string, Buffer>& outputs,
                                const std::map<std::string, Buffer>& expected, double rtol) {
  std::vector<Comparison> result;
  for (const auto& [name, found] : outputs) {
    const Buffer& wanted = expected.at(name);
    Comparison c{name, 0, 0, false};
    for (std::int64_t i = 0; i < found.elements(); ++i) {
      const double a = found.get(i), b = wanted.get(i);
      const double difference = a == b ? 0 : std::abs(a - b);
      c.max_difference = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                                : std::max(c.max_difference, difference);
      if (std::isfinite(b)) c.max_expected = std::max(c.max_expected, std::abs(b));
    }
    c.holds = c.max_difference <= rtol * c.max_expected;
    result.push_back(c);
  }
  return result;
}

}  // namespace tensordsl::cli
