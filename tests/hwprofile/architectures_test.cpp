// A thousand devices that do not exist, from the curves of all probes to the profile.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hwprofile/named_fields.h"
#include "hwprofile/profiling/profile_device.h"
#include "hwprofile/synthetic_architecture.h"

namespace tensordsl::hwprofile {
namespace {

struct Score {
  int of = 0, near = 0, confident = 0, wrong = 0;
  int figures = 0, held = 0;  // that were found, and whose intervals hold the true value

  void operator+=(const Score& other) {
    of += other.of;
    near += other.near;
    confident += other.confident;
    wrong += other.wrong;
    figures += other.figures;
    held += other.held;
  }
};

/// The figures and findings of a profile by their names.
class Flat : public NamedFields<Flat> {
 public:
  std::map<std::string, std::optional<Measurement>> figures;
  std::map<std::string, std::optional<BoolMeasurement>> findings;

  void numbers(const char*, const std::vector<int>&) {}
  void steps(const char*, const std::vector<OccupancyStep>&) {}
  void field(const char* name, const char*, const std::optional<Measurement>& f) {
    figures[full_name(name)] = f;
  }
  void field(const char* name, const char*, const std::optional<BoolMeasurement>& f) {
    findings[full_name(name)] = f;
  }
};

Flat flat(const HwProfile& profile) {
  Flat result;
  visit_fields(profile, result);
  return result;
}

/// False for figures that are not measured, or that the curves of a synthetic device do not show.
bool is_judged(const std::string& name) {
  return name != "local_memory.bytes" && name != "constant_memory.bytes" && name != "registers.pool" &&
         name != "image_gbs";
}

/// A figure that does not exist and was found all the same is wrong if it is confident; one that exists is
/// found if it is within 10 %.
void judge(const HwProfile& found, const HwProfile& truth, std::map<std::string, Score>& scores) {
  const Flat f = flat(found);
  Flat t = flat(truth);
  for (const auto& [name, figure] : f.figures) t.figures.try_emplace(name);  // a level that is not there
  for (const auto& [name, expected] : t.figures) {
    if (!is_judged(name)) continue;
    const auto it = f.figures.find(name);
    const bool is_found = it != f.figures.end() && it->second;
    const Measurement figure = is_found ? *it->second : Measurement();
    const bool is_near =
        expected && is_found && std::abs(figure.value - expected->value) <= 0.1 * expected->value;
    const bool is_sure = is_found && figure.confident;
    const bool is_figure = expected && is_found,
               is_held = is_figure && figure.low <= expected->value && expected->value <= figure.high;
    scores[name] += {expected.has_value(), is_near, is_sure, is_sure && !is_near, is_figure, is_held};
    CHECK((figure.low <= figure.value && figure.value <= figure.high));
  }
  for (const auto& [name, expected] : t.findings) {
    const std::optional<BoolMeasurement>& finding = f.findings.at(name);
    const bool is_near = expected && finding && finding->value == expected->value,
               is_sure = finding && finding->confident;
    scores[name] += {expected.has_value(), is_near, is_sure, is_sure && !is_near};
  }
}

}  // namespace

TEST_CASE(
    "profile_of: of 1,000 random architectures under 10 % noise, 95 % of the parameters are within 10 % and "
    "under 1 % are confident and wrong") {
  std::map<std::string, Score> scores;
  Score all;
  for (unsigned device = 0; device < 1000; ++device) {
    std::mt19937 random(device);
    const SyntheticArchitecture architecture = draw_architecture(random);
    std::vector<ProbeResult> results = architecture.measure(random);
    const std::vector<ProbeResult> again = architecture.measure(random);
    for (std::size_t i = 0; i < results.size(); ++i) results[i].passes.push_back(again[i].passes[0]);
    judge(profile_of(architecture.info(), results), architecture.truth(), scores);
  }
  for (const auto& [name, score] : scores) {
    all += score;
    CAPTURE(name);
    CHECK(score.wrong <= 0.02 * std::max(score.of, 50));
    const double percent = 100.0 / std::max(score.of, 1);
    fmt::print(
        "{:<32} {:5} times: {:5.1f} % found, {:5.1f} % confident, {:.1f} % wrong, {:5.1f} % of the intervals "
        "hold it\n",
        name, score.of, score.near * percent, score.confident * percent, score.wrong * percent,
        100.0 * score.held / std::max(score.figures, 1));
  }
  fmt::print(
      "{} parameters: {:.2f} % found, {:.2f} % confident, {:.2f} % confident and wrong, {:.2f} % of the "
      "intervals hold what is true\n",
      all.of, 100.0 * all.near / all.of, 100.0 * all.confident / all.of, 100.0 * all.wrong / all.of,
      100.0 * all.held / all.figures);
  CHECK(all.near >= 0.95 * all.of);
  CHECK(all.wrong < 0.01 * all.of);
  CHECK(all.confident >= 0.5 * all.of);
  CHECK(all.held >= 0.95 * all.figures);
}

}  // namespace tensordsl::hwprofile
