#include "apps/tensordsl/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>

#include "tensordsl/error.h"

namespace tensordsl::cli {

std::vector<Comparison> compare(const std::map<std::string, Buffer>& outputs,
                                const std::map<std::string, Buffer>& expected, double rtol) {
  std::vector<Comparison> result;
  for (const auto& [name, found] : outputs) {
    const auto it = expected.find(name);
    if (it == expected.end()) throw Error(fmt::format("--expect: the file has no output \"{}\"", name));
    if (it->second.shape() != found.shape()) {
      throw Error(fmt::format("--expect: output \"{}\" is [{}] in the file, but the model gives [{}]", name,
                              fmt::join(it->second.shape(), ","), fmt::join(found.shape(), ",")));
    }
    Comparison c{name, 0, 0, false};
    for (std::int64_t i = 0; i < found.elements(); ++i) {
      const double a = found.get(i), b = it->second.get(i);
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
