#include "runtime/program/combine_kernels.h"

#include <algorithm>
#include <set>

namespace tensordsl::runtime {

std::string combined_text(const Program& program) {
  std::string shared, kernels;
  std::set<std::string> seen;
  for (const KernelSource& kernel : program.kernels) {
    std::size_t begin = 0;
    for (const std::string& part : kernel.shared) {
      begin += part.size();
      if (seen.insert(part).second) shared += part;
    }
    begin = kernel.text.find_first_not_of('\n', begin);
    kernels += (kernels.empty() ? "" : "\n") + kernel.text.substr(std::min(begin, kernel.text.size()));
  }
  return shared.empty() ? kernels : shared + "\n" + kernels;
}

std::string combined_options(const Program& program) {
  // "-cl-std=CL1.2" is before "-cl-std=CL2.0" and that before "-cl-std=CL3.0".
  std::string options = "-cl-std=CL1.2";
  for (const KernelSource& kernel : program.kernels) options = std::max(options, kernel.options);
  return options;
}

Program with_combined_kernels(Program program) {
  const auto is_opencl = [](const KernelSource& kernel) { return kernel.backend == kOpenClBackend; };
  if (!std::ranges::all_of(program.kernels, is_opencl)) return program;
  const std::string text = combined_text(program), options = combined_options(program);
  for (KernelSource& kernel : program.kernels) {
    kernel.text = text;
    kernel.shared.clear();
    kernel.options = options;
  }
  return program;
}

}  // namespace tensordsl::runtime
