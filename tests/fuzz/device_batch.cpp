#include "fuzz/device_batch.h"

#include <algorithm>
#include <map>
#include <variant>

#include "ir/text/print.h"
#include "runtime/values/evaluate.h"

namespace tensordsl::fuzz {
namespace {

/// The memory of one case's tensors, as its kernels want it.
class Tensors {
 public:
  Tensors(Device& device, const Result& c, const std::vector<std::shared_ptr<DeviceKernel>>& kernels)
      : device_(device), case_(c), kernels_(kernels) {}

  void add(const std::string& name, std::size_t bytes) {
    if (const KernelArgument* image = image_argument(name)) {
      const auto size = [&](const SizeExpr& extent) {
        return runtime::evaluate(extent, case_.definition.params);
      };
      memory_[name] =
          device_.allocate(ImageDescription{image->image, image->channels, image->type, size(image->width),
                                            size(image->height), size(image->layers)});
    } else {
      memory_[name] = device_.allocate(bytes);
    }
  }

  void write(const std::string& name, const Buffer& data) {
    const auto to = memory_.at(name);
    if (const auto* image = std::get_if<std::shared_ptr<DeviceImage>>(&to)) {
      if (data.size_bytes() > 0) device_.write(**image, data.bytes());
    } else {
      device_.write(*std::get<std::shared_ptr<DeviceBuffer>>(to), data.bytes(), 0);
    }
  }

  void read(const std::string& name, Buffer& data) {
    const auto from = memory_.at(name);
    if (const auto* image = std::get_if<std::shared_ptr<DeviceImage>>(&from)) {
      if (data.size_bytes() > 0) device_.read(**image, data.bytes());
    } else {
      device_.read(*std::get<std::shared_ptr<DeviceBuffer>>(from), data.bytes(), 0);
    }
  }

  Launch launch(const std::shared_ptr<DeviceKernel>& kernel) const {
    Launch launch{kernel, {}, {}};
    for (const KernelArgument& a : kernel->source().arguments) {
      launch.arguments.push_back(a.kind == KernelArgument::Kind::Scalar ? scalar(a) : memory_.at(a.name));
    }
    for (std::size_t d = 0; d < 3; ++d)
      launch.groups[d] = runtime::evaluate(kernel->source().launch.groups[d], case_.definition.params);
    return launch;
  }

 private:
  const KernelArgument* image_argument(const std::string& name) const {
    for (const auto& kernel : kernels_) {
      for (const KernelArgument& a : kernel->source().arguments) {
        if (a.name == name && a.kind == KernelArgument::Kind::Image) return &a;
      }
    }
    return nullptr;
  }

  KernelArgumentValue scalar(const KernelArgument& a) const {
    const ParamValue& value = case_.definition.params.at(a.name);
    if (a.type == Float(64)) return value.number();
    if (a.type.is_float()) return static_cast<float>(value.number());
    if (a.type == Int(64)) return value.integer();
    if (a.type == UInt(64)) return static_cast<std::uint64_t>(value.integer());
    if (a.type.is_uint()) return static_cast<std::uint32_t>(value.integer());
    return static_cast<std::int32_t>(value.integer());
  }

  Device& device_;
  const Result& case_;
  const std::vector<std::shared_ptr<DeviceKernel>>& kernels_;
  std::map<std::string, KernelArgumentValue> memory_;
};

std::string run(Device& device, const Result& c, const std::vector<std::shared_ptr<DeviceKernel>>& kernels) {
  Tensors tensors(device, c, kernels);
  for (const Input& input : c.definition.inputs) {
    const Buffer stored = in_memory_order(c.definition.data.at(input.name()), input);
    tensors.add(input.name(), stored.size_bytes());
    tensors.write(input.name(), stored);
  }
  for (const lower::Intermediate& i : c.lowered.intermediates) {
    const std::int64_t elements = runtime::evaluate(ir::print(i.elements), c.definition.params);
    tensors.add(i.name, static_cast<std::size_t>(elements * i.stored.type.bytes()));
  }
  std::vector<Buffer> results;
  for (const Func& output : c.definition.outputs) {
    for (int component = 0; component < output.outputs(); ++component) {
      const std::string& name = c.lowered.outputs[results.size()];
      results.push_back(in_memory_order(c.expected[results.size()], output));
      std::ranges::fill(results.back().bytes(), std::byte{0xCD});
      tensors.add(name, results.back().size_bytes());
      tensors.write(name, results.back());
    }
  }
  std::vector<Launch> launches;
  for (const auto& kernel : kernels) launches.push_back(tensors.launch(kernel));
  device.record(std::move(launches))->replay();
  for (std::size_t i = 0; i < results.size(); ++i) tensors.read(c.lowered.outputs[i], results[i]);
  return difference(c.definition, results, c.expected, c.definition.tolerances);
}

}  // namespace

std::vector<std::string> run_on_device(Device& device, const Backend& backend,
                                       const std::vector<Result>& cases) {
  std::vector<KernelSource> sources;
  std::vector<std::string> differences(cases.size());
  std::vector<std::size_t> ends;  // of the cases' kernels among all
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t begin = sources.size();
    try {
      for (const lower::LoweredKernel& kernel : cases[i].lowered.kernels) {
        sources.push_back(backend.emit(kernel, {}, &device.info()));
        sources.back().backend = backend.name();
      }
    } catch (const std::exception& error) {
      differences[i] = error.what();
      sources.resize(begin);
    }
    ends.push_back(sources.size());
  }
  const auto kernels = device.build(sources);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto at = [&](std::size_t place) { return kernels.begin() + static_cast<std::ptrdiff_t>(place); };
    if (differences[i].empty()) {
      try {
        differences[i] = run(device, cases[i], {at(begin), at(ends[i])});
      } catch (const std::exception& error) {
        differences[i] = error.what();
      }
    }
    begin = ends[i];
  }
  return differences;
}

}  // namespace tensordsl::fuzz
