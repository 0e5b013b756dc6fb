// Prints the results of `tensordsl-bench operators`.
#include <fmt/format.h>

#include <algorithm>

#include "apps/bench/geometric_mean.h"
#include "apps/bench/operators/run_operators.h"

namespace tensordsl::bench {

nlohmann::ordered_json to_json(const OperatorResult& r) {
  nlohmann::ordered_json json{
      {"op", r.op}, {"text", r.text},   {"model", r.model},       {"strategy", r.strategy},
      {"us", r.us}, {"flops", r.flops}, {"floor_us", r.floor_us}, {"roofline", r.roofline()}};
  if (!r.peer.empty()) {
    json["peer"] = r.peer;
    json["peer_us"] = r.peer_us;
  }
  if (!r.failure.empty()) json["failure"] = r.failure;
  return json;
}

std::string to_text(const OperatorResult& r) {
  if (r.us == 0) return fmt::format("{:<10} {}: FAILED, {}", r.op, r.text, r.failure);
  const double gflops = static_cast<double>(r.flops) / r.us * 1e-3;
  const std::string peer = r.peer.empty() ? "" : fmt::format("; {} {:.1f} us", r.peer, r.peer_us);
  return fmt::format("{:>9.1f} us {:>9.1f} GFLOPS {:>5.2f} of the roofline  {:<10} {} ({}; {}){}", r.us,
                     gflops, r.roofline(), r.op, r.text, r.strategy, r.model, peer);
}

std::string summary_of(const std::vector<OperatorResult>& results) {
  GeometricMean shares, ratios;
  int failed = 0;
  const OperatorResult* least = nullptr;
  for (const OperatorResult& r : results) {
    if (r.us == 0) {
      ++failed;
      continue;
    }
    shares.add(std::max(r.roofline(), 1e-6));
    if (!r.peer.empty()) ratios.add(r.peer_us / r.us);
    if (!least || r.roofline() < least->roofline()) least = &r;
  }
  if (shares.count() == 0) return fmt::format("no operator was timed, {} failed", failed);
  return fmt::format(
      "{} operators{}, geometric mean of their fractions of the roofline {:.3f}, lowest {:.3f} ({} {}){}",
      shares.count(), failed > 0 ? fmt::format(", {} more failed", failed) : "", shares.value(),
      least->roofline(), least->op, least->text,
      ratios.count() > 0 ? fmt::format("; {} with a peer, {:.3f} times as fast in geometric mean",
                                       ratios.count(), ratios.value())
                         : "");
}

}  // namespace tensordsl::bench
