#include "hwprofile/probes/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

using json = nlohmann::ordered_json;

constexpr int kVersion = 2;  // of the format, and of the curves that the probes measure

json to_json(const CheckpointKey& key) {
  return {{"device", key.device},
          {"driver", key.driver},
          {"platform", key.platform},
          {"seconds", key.seconds},
          {"probes", key.probes}};
}

json to_json(const Curve& curve) {
  return {{"name", curve.name},
          {"x", curve.x},
          {"y", curve.y},
          {"points", curve.sweep.points},
          {"rounds", curve.sweep.rounds}};
}

Curve curve_from(const json& j) {
  Curve curve{j.at("name"), j.at("x"), j.at("y"), {j.at("points"), j.at("rounds")}};
  constexpr std::size_t kMaxPoints = 1000;  // no probe has as many
  check_sweep("checkpoint", curve.sweep, 1);
  if (curve.sweep.points.size() > kMaxPoints || curve.sweep.rounds.size() > kMaxPoints ||
      curve.sweep.points.front() < 0)
    throw ParseError("no probe's curve");
  return curve;
}

Calibration calibration_from(const json& j) {
  const Calibration calibration{j.at("one_unit_ns"), j.at("all_units_ns")};
  if (!(calibration.one_unit_ns > 0) || !(calibration.all_units_ns > 0)) throw ParseError("no calibration");
  return calibration;
}

}  // namespace

std::string checkpoint_to_json(const CheckpointKey& key, const std::vector<ProbeResult>& results) {
  json probes = json::array();
  for (const ProbeResult& result : results) {
    json passes = json::array();
    for (const ProbePass& pass : result.passes) {
      json curves = json::array();
      for (const Curve& curve : pass.curves) curves.push_back(to_json(curve));
      json calibrations = json::array();
      for (const Calibration& c : pass.calibrations)
        calibrations.push_back({{"one_unit_ns", c.one_unit_ns}, {"all_units_ns", c.all_units_ns}});
      passes.push_back({{"curves", curves}, {"calibrations", calibrations}, {"error", pass.error}});
    }
    probes.push_back({{"probe", result.probe}, {"passes", passes}});
  }
  return json{{"version", kVersion}, {"key", to_json(key)}, {"probes", probes}}.dump(
             -1, ' ', false, json::error_handler_t::replace) +
         "\n";
}

std::optional<std::vector<ProbeResult>> checkpoint_from_json(const std::string& text,
                                                             const CheckpointKey& key) {
  try {
    const json parsed = json::parse(text);
    if (parsed.at("version") != kVersion || parsed.at("key") != to_json(key)) return std::nullopt;
    std::vector<ProbeResult> results;
    for (const json& probe : parsed.at("probes")) {
      ProbeResult result{probe.at("probe"), {}};
      for (const json& pass : probe.at("passes")) {
        ProbePass read{{}, {}, pass.at("error")};
        for (const json& calibration : pass.at("calibrations"))
          read.calibrations.push_back(calibration_from(calibration));
        for (const json& curve : pass.at("curves")) read.curves.push_back(curve_from(curve));
        result.passes.push_back(std::move(read));
      }
      results.push_back(std::move(result));
    }
    return results;
  } catch (const json::exception&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

std::vector<ProbeResult> read_checkpoint(const std::filesystem::path& path, const CheckpointKey& key) {
  std::ifstream file(path);
  if (!file) return {};
  std::stringstream text;
  text << file.rdbuf();
  auto results = checkpoint_from_json(text.str(), key);
  if (!results) {
    throw Error(
        fmt::format("{} is not what an interrupted run of this device, driver, length and choice of probes "
                    "left; remove it, or write "
                    "the profile elsewhere",
                    path.string()));
  }
  return std::move(*results);
}

void write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key,
                      const std::vector<ProbeResult>& results) {
  // Of this process alone, should another write the same profile.
  const std::filesystem::path written = fmt::format("{}.{}", path.string(), getpid());
  std::ofstream file(written);
  file << checkpoint_to_json(key, results);
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(written, path, failed);
  if (!file || failed) throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace tensordsl::hwprofile
