#include "runtime/program/merge_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "runtime/program/shared_images.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

class Merger {
 public:
  void add(const std::string& name, const Program& program) {
    if (!program.counts.empty() || !program.host_steps.empty())
      throw Error(fmt::format("merge_programs: {} has counts or host steps; run it separately", name));
    const std::size_t first_tensor = result_.tensors.size();
    const auto named = [&](const std::string& text) { return fmt::format("{}/{}", name, text); };
    const auto first_byte = static_cast<std::int64_t>(constants_.size());
    add_constants(program.constants);
    const std::vector<int> slots = add_slots(program);
    for (Program::Tensor tensor : program.tensors) {
      tensor.name = named(tensor.name);
      if (tensor.slot >= 0) tensor.slot = slots[static_cast<std::size_t>(tensor.slot)];
      if (tensor.kind == Program::Tensor::Kind::Constant) tensor.offset += first_byte;
      result_.tensors.push_back(std::move(tensor));
    }
    for (Program::Launch launch : program.launches) {
      launch.kernel = kernel(program.kernels[launch.kernel]);
      for (int& tensor : launch.tensors) {
        if (tensor >= 0) tensor += static_cast<int>(first_tensor);
      }
      launch.label = named(launch.label);
      result_.launches.push_back(std::move(launch));
    }
    const auto add_values = [&](std::vector<Program::Value>& to, const std::vector<Program::Value>& values) {
      for (const Program::Value& value : values)
        to.push_back({named(value.name), value.type, value.shape, value.tensor + first_tensor});
    };
    add_values(result_.inputs, program.inputs);
    add_values(result_.outputs, program.outputs);
    add_params(program.params);
    for (ReadRequirement requirement : program.requirements) {
      requirement.tensor = named(requirement.tensor);
      result_.requirements.push_back(std::move(requirement));
    }
    for (FactorRequirement factor : program.factors) {
      factor.tensor = named(factor.tensor);
      result_.factors.push_back(std::move(factor));
    }
    for (const std::string& warning : program.warnings) result_.warnings.push_back(named(warning));
  }

  Program result() {
    for (const auto& [name, type] : params_) result_.params.push_back({name, type});
    const auto bytes = std::make_shared_for_overwrite<std::byte[]>(constants_.size());
    std::ranges::copy(constants_, bytes.get());
    result_.constants = {bytes, constants_.size()};
    return std::move(result_);
  }

 private:
  void add_constants(const Program::Bytes& constants) {
    constexpr std::size_t kAlignment = 64;
    const std::span bytes(constants.data.get(), constants.size);
    constants_.insert(constants_.end(), bytes.begin(), bytes.end());
    constants_.resize((constants_.size() + kAlignment - 1) / kAlignment * kAlignment);
  }

  /// Returns the new indices of the slots of `program`. The next program may overwrite the intermediates of
  /// the last one; images stay separate.
  std::vector<int> add_slots(const Program& program) {
    const std::map<int, ImageDescription> images = shared_images(program);
    std::vector<int> places;
    std::size_t buffers = 0;
    for (const std::int64_t bytes : program.slot_bytes) {
      const bool is_image = images.contains(static_cast<int>(places.size()));
      if (is_image || buffers == slots_of_buffers_.size()) {
        places.push_back(static_cast<int>(result_.slot_bytes.size()));
        result_.slot_bytes.push_back(bytes);
        if (!is_image) slots_of_buffers_.push_back(places.back());
      } else {
        places.push_back(slots_of_buffers_[buffers]);
        std::int64_t& shared = result_.slot_bytes[static_cast<std::size_t>(places.back())];
        shared = std::max(shared, bytes);
      }
      buffers += is_image ? 0 : 1;
    }
    return places;
  }

  void add_params(const std::vector<Program::Param>& params) {
    for (const auto& [name, type] : params) {
      if (params_.try_emplace(name, type).first->second != type)
        throw Error(fmt::format("merge_programs: the Param \"{}\" has two types; rename one of them", name));
    }
  }

  std::size_t kernel(const KernelSource& source) {
    // The text alone does not distinguish kernels: two that copy may differ in their sizes only.
    const auto [it, is_new] = kernel_of_.try_emplace(source.text + to_json(source), result_.kernels.size());
    if (is_new) result_.kernels.push_back(with_own_entry(source));
    return it->second;
  }

  /// Kernels of OpenCL may become one program, in which each has a name of its own. Kernels of other backends
  /// are modules, whose names may repeat.
  KernelSource with_own_entry(KernelSource source) {
    if (source.backend != kOpenClBackend) return source;
    std::string entry = source.entry;
    for (int k = 2; !entries_.insert(entry).second; ++k) entry = fmt::format("{}_{}", source.entry, k);
    const std::string head = fmt::format("void {}(", source.entry);
    const std::size_t at = source.text.rfind(head);
    if (at == std::string::npos)
      throw InternalError(
          fmt::format("merge_programs: the source does not contain the kernel {}", source.entry));
    source.text.replace(at, head.size(), fmt::format("void {}(", entry));
    source.entry = std::move(entry);
    return source;
  }

  Program result_;
  std::vector<int> slots_of_buffers_;  // slots of the result that programs share
  std::vector<std::byte> constants_;
  std::map<std::string, std::size_t> kernel_of_;  // kernels by text and manifest
  std::set<std::string> entries_;
  std::map<std::string, Type> params_;
};

}  // namespace

Program merge_programs(const std::vector<NamedProgram>& programs) {
  Merger merger;
  for (const auto& [name, program] : programs) merger.add(name, *program);
  return merger.result();
}

}  // namespace tensordsl::runtime
