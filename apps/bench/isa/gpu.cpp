#include "apps/bench/isa/gpu.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <nlohmann/json.hpp>

#include "apps/bench/isa/gpu_list.h"
#include "tensordsl/error.h"

namespace tensordsl::bench {

std::vector<Gpu> known_gpus() {
  static const std::map<std::string, IsaCompiler> kCompilers{
      {"ir3", IsaCompiler::Ir3}, {"panfrost", IsaCompiler::Panfrost}, {"llvm", IsaCompiler::Llvm}};
  std::vector<Gpu> gpus;
  for (const auto& gpu : nlohmann::json::parse(gpu_list().front().text())) {
    const auto text = [&](const char* key) { return gpu.at(key).get<std::string>(); };
    gpus.push_back(
        {text("name"), kCompilers.at(text("compiler")), text("id"), text("profile"), text("about")});
  }
  return gpus;
}

Gpu gpu_of(const std::string& name) {
  std::vector<std::string> known;
  for (const Gpu& gpu : known_gpus()) {
    if (gpu.name == name) return gpu;
    known.push_back(fmt::format("{} ({})", gpu.name, gpu.about));
  }
  throw Error(fmt::format("--gpu: \"{}\" is unknown; there are {}", name, fmt::join(known, ", ")));
}

}  // namespace tensordsl::bench
