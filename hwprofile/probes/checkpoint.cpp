#include "hwprofile/probes/checkpoint.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

using json = nlohmann::ordered_json;

constexpr int kVersion = 1;

json to_json(const CheckpointKey& key) {
  return {{"device", key.device}, {"driver", key.driver}, {"platform", key.platform}, {"seconds", key.seconds}, {"probes", key.probes}};
}

json to_json(const Curve& curve) {
  return {{"name", curve.name}, {"x", curve.x}, {"y", curve.y}, {"points", curve.sweep.points}, {"rounds", curve.sweep.rounds}};
}

Curve curve_from(const json& j) {
  Curve curve{j.at("name"), j.at("x"), j.at("y"), {j.at("points"), j.at("rounds")}};
  const std::size_t points = curve.sweep.points.size();
  for (std::size_t i = 1; i < points; ++i) {
    if (curve.sweep.points[i] <= curve.sweep.points[i - 1]) throw ParseError("points do not ascend");
  }
  for (const auto& round : curve.sweep.rounds) {
    if (round.size() != points) throw ParseError("a round has not one sample for each point");
    for (const double sample : round) {
      if (!std::isfinite(sample) || sample <= 0) throw ParseError("a sample is not over 0");
    }
  }
  if (points == 0 || curve.sweep.rounds.empty()) throw ParseError("a curve has no samples");
  return curve;
}

}  // namespace

std::string checkpoint_to_json(const CheckpointKey& key, const std::vector<ProbeResult>& results) {
  json probes = json::array();
  for (const ProbeResult& result : results) {
    json passes = json::array();
    for (const ProbePass& pass : result.passes) {
      json curves = json::array();
      for (const Curve& curve : pass.curves) curves.push_back(to_json(curve));
      passes.push_back({{"curves", curves}, {"error", pass.error}});
    }
    probes.push_back({{"probe", result.probe}, {"passes", passes}});
  }
  return json{{"version", kVersion}, {"key", to_json(key)}, {"probes", probes}}.dump() + "\n";
}

std::optional<std::vector<ProbeResult>> checkpoint_from_json(const std::string& text, const CheckpointKey& key) {
  try {
    const json parsed = json::parse(text);
    if (parsed.at("version") != kVersion || parsed.at("key") != to_json(key)) return std::nullopt;
    std::vector<ProbeResult> results;
    for (const json& probe : parsed.at("probes")) {
      ProbeResult result{probe.at("probe"), {}, {}};
      for (const json& pass : probe.at("passes")) {
        ProbePass read{{}, pass.at("error")};
        for (const json& curve : pass.at("curves")) read.curves.push_back(curve_from(curve));
        result.passes.push_back(std::move(read));
      }
      results.push_back(std::move(result));
    }
    return results;
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const ParseError&) {
    return std::nullopt;
  }
}

std::optional<std::vector<ProbeResult>> read_checkpoint(const std::filesystem::path& path, const CheckpointKey& key) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  return checkpoint_from_json(text.str(), key);
}

void write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key, const std::vector<ProbeResult>& results) {
  const std::filesystem::path written = path.string() + ".new";
  std::ofstream file(written);
  file << checkpoint_to_json(key, results);
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(written, path, failed);
  if (!file || failed) throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace tensordsl::hwprofile
