#include "apps/bench/isa/isa.h"

#include <fmt/format.h>

#include <map>

#include "apps/bench/isa/gpu_compilers.h"
#include "apps/bench/isa/isa_report.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

/// The kernels of places, which GPUs of one profile share.
class PlaceKernels {
 public:
  explicit PlaceKernels(const IsaOptions& options) : options_(options) {}

  /// Returns the rows of each place. All places go to the compiler together: equal kernels are compiled once.
  std::vector<std::vector<IsaRow>> rows(const std::vector<std::string>& places, const Gpu& gpu,
                                        const std::string& folder) {
    const std::string profile = options_.profile.empty() ? gpu.profile : options_.profile;
    std::vector<IsaKernel> all;
    for (const std::string& place : places) {
      const std::vector<IsaKernel>& kernels = of(place, profile);
      all.insert(all.end(), kernels.begin(), kernels.end());
    }
    const std::vector<CompiledFile> files = compile_for(gpu, folder, all);
    std::vector<std::vector<IsaRow>> rows;
    std::size_t next = 0;
    for (const std::string& place : places) {
      rows.emplace_back();
      for (const IsaKernel& kernel : of(place, profile)) rows.back().push_back(row_of(kernel, files[next++]));
    }
    return rows;
  }

 private:
  const std::vector<IsaKernel>& of(const std::string& place, const std::string& profile) {
    const auto [known, is_new] = known_.try_emplace({place, profile});
    if (is_new)
      known->second = isa_kernels_of(place, profile, options_.precision == "fp16", options_.without);
    return known->second;
  }

  const IsaOptions& options_;
  std::map<std::pair<std::string, std::string>, std::vector<IsaKernel>> known_;
};

/// Prints the totals of all places together.
void print_all(const std::vector<std::vector<IsaRow>>& rows, const Gpu& gpu, const IsaOptions& options) {
  std::vector<IsaRow> all;
  for (const std::vector<IsaRow>& of_place : rows) all.insert(all.end(), of_place.begin(), of_place.end());
  if (!options.json) {
    fmt::print("all places on {}: {}\n", gpu.name, text_of(totals_of(all)));
    return;
  }
  nlohmann::ordered_json report{{"place", "all"}, {"gpu", gpu.name}, {"precision", options.precision}};
  report.update(json_of(totals_of(all)));
  fmt::print("{}\n", report.dump());
}

}  // namespace

int run_isa(const IsaOptions& options) {
  if (!options.compare.empty() && options.places.size() != 1)
    throw Error("--compare: needs exactly one PLACE, with the kernels after the change");
  const std::string folder = compilers_folder(options.compilers);
  PlaceKernels kernels(options);
  std::vector<std::string> places = options.places;
  if (!options.compare.empty()) places.push_back(options.compare);
  bool is_refused = false;
  for (const std::string& name : options.gpus) {
    const Gpu gpu = gpu_of(name);
    const std::vector<std::vector<IsaRow>> rows = kernels.rows(places, gpu, folder);
    for (std::size_t i = 0; i < options.places.size(); ++i) {
      is_refused = is_refused || totals_of(rows[i]).refused > 0;
      if (options.json) {
        nlohmann::ordered_json report{{"place", places[i]}, {"gpu", name}, {"precision", options.precision}};
        report.update(json_of(rows[i]));
        fmt::print("{}\n", report.dump());
        continue;
      }
      fmt::print("{} on {} ({})\n", places[i], name, gpu.about);
      fmt::print("{}", options.compare.empty() ? table_of(rows[i]) : comparison_of(rows.back(), rows[i]));
    }
    if (options.places.size() > 1) print_all(rows, gpu, options);
  }
  return is_refused ? 1 : 0;
}

}  // namespace tensordsl::bench
