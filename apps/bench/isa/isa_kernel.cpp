#include "apps/bench/isa/isa_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "apps/bench/isa/model_program.h"
#include "tensordsl/error.h"
#include "tensordsl/hw_profile.h"
#include "tensordsl/package.h"
#include "tensordsl/program.h"

namespace tensordsl::bench {
namespace {

double product_of(const std::array<SizeExpr, 3>& groups, const std::array<int, 3>& group_size) {
  constexpr double kOpenGroups = 64;  // work-groups along a dimension of an open size
  double product = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<std::int64_t> count = groups[i].constant();
    product *= (count ? static_cast<double>(*count) : kOpenGroups) * group_size[i];
  }
  return product;
}

/// `us`: predicted times of the kernels, or none.
std::vector<IsaKernel> kernels_of_program(const Program& program, const std::vector<double>& us) {
  std::vector<IsaKernel> kernels;
  for (const KernelSource& source : program.kernels) {
    IsaKernel kernel{fmt::format("{:03}_{}", kernels.size(), source.entry),
                     source.entry,
                     source.text,
                     source.options,
                     {},
                     source.resources.live_registers,
                     0,
                     us.empty() ? 0 : us[kernels.size()],
                     source.resources.private_bytes};
    for (const Program::Launch& launch : program.launches) {
      if (launch.kernel != kernels.size()) continue;
      kernel.work_items += product_of(launch.groups, source.launch.group_size);
      if (kernel.label.empty()) kernel.label = launch.label;
    }
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<IsaKernel> kernels_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw Error(fmt::format("isa: {} cannot be read", path.string()));
  static const std::regex kEntry(R"(\b(?:__)?kernel\b[^;{]*?\bvoid (\w+)\()");
  std::vector<IsaKernel> kernels;
  for (std::sregex_iterator it(text.begin(), text.end(), kEntry), end; it != end; ++it)
    kernels.push_back({path.stem().string(), (*it)[1], text, "-cl-std=CL1.2", {}, std::nullopt, 1});
  if (kernels.empty()) throw Error(fmt::format("isa: {} has no kernel function", path.string()));
  return kernels;
}

}  // namespace

std::vector<IsaKernel> isa_kernels_of(const std::string& place, const std::string& profile, bool half,
                                      const std::vector<std::string>& without) {
  const std::string ending = std::filesystem::path(place).extension().string();
  if (ending == ".cl") return kernels_of_file(place);
  if (ending != ".onnx") {
    if (half || !without.empty())
      throw Error(fmt::format("isa: {} is already compiled; --precision and --without need a model", place));
    return kernels_of_program(*read_package(place).program, {});
  }
  CompileTarget target;
  target.profile = load_hw_profile(profile);
  target.precision = half ? Precision::Float16 : Precision::Float32;
  target.disabled_passes = {without.begin(), without.end()};
  target.tuned_schedules = false;
  const PredictedProgram predicted = predicted_program(place, target);
  return kernels_of_program(predicted.program, predicted.us);
}

}  // namespace tensordsl::bench
