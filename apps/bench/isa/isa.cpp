#include "apps/bench/isa/isa.h"

#include <fmt/format.h>

#include "apps/bench/isa/gpu_compilers.h"
#include "apps/bench/isa/isa_report.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {
namespace {

std::vector<IsaRow> rows_of(const std::string& place, const Gpu& gpu, const IsaOptions& options,
                            const std::string& folder) {
  const std::string profile = options.profile.empty() ? gpu.profile : options.profile;
  const std::vector<IsaKernel> kernels =
      isa_kernels_of(place, profile, options.precision == "fp16", options.without);
  const std::vector<CompiledFile> files = compile_for(gpu, folder, kernels);
  std::vector<IsaRow> rows;
  for (std::size_t i = 0; i < kernels.size(); ++i) rows.push_back(row_of(kernels[i], files[i]));
  return rows;
}

}  // namespace

int run_isa(const IsaOptions& options) {
  if (!options.compare.empty() && options.places.size() != 1)
    throw Error("--compare: needs exactly one PLACE, with the kernels after the change");
  bool is_refused = false;
  for (const std::string& name : options.gpus) {
    const Gpu gpu = gpu_of(name);
    const std::string folder = gpu.compiler == IsaCompiler::Llvm ? "" : compilers_folder(options.compilers);
    for (const std::string& place : options.places) {
      const std::vector<IsaRow> rows = rows_of(place, gpu, options, folder);
      is_refused = is_refused || totals_of(rows).refused > 0;
      if (options.json) {
        nlohmann::ordered_json report{{"place", place}, {"gpu", name}, {"precision", options.precision}};
        report.update(json_of(rows));
        fmt::print("{}\n", report.dump());
        continue;
      }
      fmt::print("{} on {} ({})\n", place, name, gpu.about);
      if (options.compare.empty())
        fmt::print("{}", table_of(rows));
      else
        fmt::print("{}", comparison_of(rows_of(options.compare, gpu, options, folder), rows));
    }
  }
  return is_refused ? 1 : 0;
}

}  // namespace tensordsl::bench
