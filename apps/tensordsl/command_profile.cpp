#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <utility>

#include "apps/tensordsl/commands.h"
#include "apps/tensordsl/progress.h"
#include "hwprofile/probes/profile_device.h"
#include "hwprofile/profile_fields.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using namespace hwprofile;

struct Options {
  std::string device, output;
  std::vector<std::string> only;
  bool is_quick = false;
};

std::string scaled(double value) {
  for (const auto& [unit, factor] : {std::pair{"Mi", 1 << 20}, {"Ki", 1 << 10}}) {
    if (value >= factor) return fmt::format("{:.4g} {}", value / factor, unit);
  }
  return fmt::format("{:.4g} ", value);
}

/// One line for each figure that is known.
class Table {
 public:
  void text(const char*, const std::string&) {}
  void texts(const char*, const std::vector<std::string>&) {}
  void numbers(const char* name, const std::vector<int>& values) {
    if (!values.empty()) fmt::print("  {:<34} {}\n", prefix_ + name, fmt::join(values, ", "));
  }
  void field(const char* name, const char* unit, const std::optional<Figure>& f) {
    if (!f) return;
    const bool is_size = std::string_view(unit) == "B";
    const auto shown = [&](double v) { return is_size ? scaled(v) + "B" : fmt::format("{:.4g} {}", v, unit); };
    const std::string range = f->low == f->high ? "" : fmt::format("[{}, {}]", shown(f->low), shown(f->high));
    fmt::print("  {:<34} {:<16} {:<10} {}\n", prefix_ + name, shown(f->value), f->confident ? "confident" : "a guess", range);
  }
  void field(const char* name, const char*, const std::optional<Finding>& f) {
    if (f) fmt::print("  {:<34} {:<16} {}\n", prefix_ + name, f->value ? "yes" : "no", f->confident ? "confident" : "a guess");
  }
  template <typename F>
  void group(const char* name, F visit) {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    visit();
    prefix_ = outer;
  }
  void levels(const char* name, const std::vector<CacheLevel>& levels) {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      group(fmt::format("{}[{}]", name, i).c_str(), [&] { visit_fields_of_level(levels[i], *this); });
    }
  }

 private:
  std::string prefix_;
};

int run(const Options& options) {
  const auto device = Device::open(options.device);
  // Three minutes of measuring are not to end at a folder that is not there.
  std::ofstream file;
  if (!options.output.empty()) file.open(options.output);
  if (!options.output.empty() && !file) throw Error(fmt::format("cannot write {}", options.output));
  DeviceProfile found;
  {
    Progress progress("profiling " + device->info().name);
    found = profile_device(*device, {options.only, options.is_quick ? 30.0 : 180.0}, [&](std::string_view, int done, int total) { progress.update(done, total); });
  }
  for (const ProbeResult& result : found.results) {
    if (!result.error.empty()) fmt::print(stderr, "tensordsl: warning: the probe {} found nothing: {}\n", result.probe, result.error);
  }
  fmt::print("{}\n", found.profile.device);
  Table table;
  visit_fields(std::as_const(found.profile), table);
  if (options.output.empty()) return 0;
  file << to_json(found.profile);
  file.close();
  if (!file) throw Error(fmt::format("cannot write {}", options.output));
  return 0;
}

}  // namespace

Command add_profile_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  app.add_option("--device", options->device, "the device: gpu, cpu, P:D or a part of its name");
  app.add_option("-o,--output", options->output, "write the profile, as JSON");
  app.add_option("--only", options->only, "the probes to run, with commas between them")->delimiter(',');
  app.add_flag("--quick", options->is_quick, "take half a minute instead of three");
  return [options] { return run(*options); };
}

}  // namespace tensordsl::cli
