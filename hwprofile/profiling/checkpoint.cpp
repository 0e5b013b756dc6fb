#include "hwprofile/profiling/checkpoint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/json_text.h"
#include "tensordsl/error.h"

namespace tensordsl::hwprofile {
namespace {

using json = nlohmann::ordered_json;

constexpr int kVersion = 2;  // version of the format, and of the probes' curves

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
    throw ParseError("not a curve of a probe");
  return curve;
}

Calibration calibration_from(const json& j) {
  const Calibration calibration{j.at("one_unit_ns"), j.at("all_units_ns")};
  if (!(calibration.one_unit_ns > 0) || !(calibration.all_units_ns > 0)) throw ParseError("no calibration");
  return calibration;
}

std::string json_line(const json& j) { return dump_json(j, -1, InvalidUtf8::Replace) + "\n"; }

constexpr const char* kBegin = "{\"tensordsl profile\":";  // beginning of the first line

json first_line(const CheckpointKey& key) { return {{"tensordsl profile", kVersion}, {"key", to_json(key)}}; }

/// True if the line is complete. Throws Error if it belongs to another run, and names the first difference.
bool check_first_line(const std::string& line, const CheckpointKey& key) {
  constexpr const char* kRemedy = "; remove it, or write the profile elsewhere";
  const json found = parse_json_or_discard(line);
  if (found.is_discarded()) {
    if (line.starts_with(std::string(kBegin).substr(0, line.size()))) return false;
    throw Error(fmt::format("is not the file of an interrupted run{}", kRemedy));
  }
  if (!found.is_object() || found.value("tensordsl profile", json()) != kVersion || !found.contains("key") ||
      !found["key"].is_object())
    throw Error(fmt::format("is not a checkpoint of this version of tensordsl{}", kRemedy));
  const json wanted = parse_json(json_line(to_json(key)));
  for (const auto& [name, value] : wanted.items()) {
    const json other = found["key"].value(name, json());
    if (other == value) continue;
    throw Error(fmt::format("belongs to another run: its {} {} {}, this run's {}{}", name,
                            name == "probes" ? "are" : "is", dump_json(other), dump_json(value), kRemedy));
  }
  return true;
}

/// Adds a pass, which has to be the next one of its probe.
void read_pass(const json& j, std::vector<ProbeResult>& results) {
  const std::string name = j.at("probe");
  if (results.empty() || results.back().probe != name) results.push_back({name, {}});
  ProbePass pass{{}, {}, j.at("error")};
  for (const json& curve : j.at("curves")) pass.curves.push_back(curve_from(curve));
  for (const json& calibration : j.at("calibrations"))
    pass.calibrations.push_back(calibration_from(calibration));
  if (j.at("pass") != results.back().passes.size()) throw ParseError("a pass is missing");
  results.back().passes.push_back(std::move(pass));
}

}  // namespace

std::string checkpoint_text(const CheckpointKey& key, const std::vector<ProbeResult>& results) {
  std::string text = json_line(first_line(key));
  for (const ProbeResult& result : results) {
    for (std::size_t i = 0; i < result.passes.size(); ++i) {
      const ProbePass& pass = result.passes[i];
      json curves = json::array(), calibrations = json::array();
      for (const Curve& curve : pass.curves) curves.push_back(to_json(curve));
      for (const Calibration& c : pass.calibrations)
        calibrations.push_back({{"one_unit_ns", c.one_unit_ns}, {"all_units_ns", c.all_units_ns}});
      text += json_line({{"probe", result.probe},
                         {"pass", i},
                         {"curves", curves},
                         {"calibrations", calibrations},
                         {"error", pass.error}});
    }
  }
  return text;
}

Checkpoint parse_checkpoint(const std::string& text, const CheckpointKey& key) {
  if (text.empty()) return {{}, "it is empty"};
  Checkpoint checkpoint;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const bool has_end = !lines.eof();
    if (number == 1) {
      if (check_first_line(line, key)) continue;
    } else {
      try {
        read_pass(parse_json(line), checkpoint.results);
        continue;
      } catch (const json::exception&) {
        // Reported below.
      } catch (const Error&) {
        // Reported below.
      }
    }
    checkpoint.damage = fmt::format("its line {} is {}", number, has_end ? "damaged" : "cut off");
    break;
  }
  return checkpoint;
}

Checkpoint read_checkpoint(const std::filesystem::path& path, const CheckpointKey& key) {
  std::ifstream file(path);
  if (!file) return {};
  std::stringstream text;
  text << file.rdbuf();
  try {
    return parse_checkpoint(text.str(), key);
  } catch (const Error& e) {
    throw Error(fmt::format("{} {}", path.string(), e.what()));
  }
}

std::filesystem::path checkpoint_draft(const std::filesystem::path& path) {
  // The name belongs only to this process, in case another one writes the same profile.
  return fmt::format("{}.{}", path.string(), getpid());
}

void write_checkpoint(const std::filesystem::path& path, const CheckpointKey& key,
                      const std::vector<ProbeResult>& results) {
  const std::filesystem::path written = checkpoint_draft(path);
  std::ofstream file(written);
  file << checkpoint_text(key, results);
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(written, path, failed);
  if (!file || failed) throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace tensordsl::hwprofile
