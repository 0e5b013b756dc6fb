#include "tensordsl/pipeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "backends/opencl/emit/emit.h"
#include "base/index_limit.h"
#include "ir/print.h"
#include "lower/pipeline.h"
#include "pipeline/describe.h"
#include "runtime/evaluate.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

ir::FunctionPtr definition_of(const Func& output) { return output.shared(); }

/// Debug builds check the IR after every pass.
lower::LowerOptions lower_options() {
  lower::LowerOptions options;
#ifndef NDEBUG
  options.verify = true;
#endif
  return options;
}

/// The order of a tensor's elements in device memory.
struct Tensor {
  Type type;
  std::vector<std::int64_t> shape;
  Layout layout;
};

/// A buffer or an image.
struct DeviceMemory {
  std::shared_ptr<DeviceBuffer> buffer;
  std::shared_ptr<DeviceImage> image;
};

std::vector<std::byte> to_device_order(const Buffer& buffer, const Layout& layout) {
  const auto bytes = buffer.bytes();
  std::vector<std::byte> data(bytes.begin(), bytes.end());
  return layout.is_row_major() ? data : pack(data, buffer.type().bytes(), layout, buffer.shape());
}

void require_extent(const std::string& tensor, int dimension, std::int64_t extent) {
  if (extent >= 0 && extent <= kMostElements) return;
  throw ShapeError(fmt::format("realize: the extent of {} in dimension {} is {}; from 0 to {} are possible", tensor, dimension, extent,
                               kMostElements));
}

/// One run of a compiled pipeline: buffers, launches, results.
class Run {
 public:
  Run(const Func& output, const CompiledPipeline& compiled, Device& device, ParamValues params)
      : output_(output), compiled_(compiled), device_(device), params_(std::move(params)) {}

  Buffer execute(const std::map<std::string, Buffer>& inputs) {
    for (const ir::FunctionPtr& f : ir::reachable(definition_of(output_))) {
      if (f->is_input() && std::count(compiled_.inputs.begin(), compiled_.inputs.end(), f->name)) upload(*f, inputs);
    }
    for (const IntermediateBuffer& b : compiled_.intermediates) {
      memory_.emplace(b.name, allocate(b.name, bytes(b.type, evaluate(b.elements, params_))));
    }
    const Tensor result = output_tensor();
    const auto stored = bytes(result.type, result.layout.stored_elements(result.shape));
    const DeviceMemory& output = memory_.emplace(output_.name(), allocate(output_.name(), stored)).first->second;
    device_.record(launches())->replay();
    std::vector<std::byte> data(stored);
    output.image ? device_.read(*output.image, data) : device_.read(*output.buffer, data);
    if (!result.layout.is_row_major()) data = unpack(data, result.type.bytes(), result.layout, result.shape);
    Buffer buffer(result.type, result.shape);
    std::copy(data.begin(), data.end(), buffer.bytes().begin());
    return buffer;
  }

 private:
  static std::size_t bytes(Type type, std::int64_t elements) {
    if (elements > kMostElements) {
      throw ShapeError(fmt::format("realize: {} elements are more than a kernel can index, which is {}", elements, kMostElements));
    }
    return static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) * static_cast<std::size_t>(type.bytes());
  }

  void upload(const ir::Function& input, const std::map<std::string, Buffer>& inputs) {
    const auto it = inputs.find(input.name);
    if (it == inputs.end()) {
      throw Error(fmt::format("realize: no data for the Input \"{}\"; pass a Buffer under that name", input.name));
    }
    const Buffer& buffer = it->second;
    std::vector<std::int64_t> shape;
    for (const Expr& e : input.shape) {
      shape.push_back(evaluate(ir::print(e), params_));
      require_extent(input.name, static_cast<int>(shape.size()) - 1, shape.back());
    }
    if (buffer.type() != input.type || buffer.shape() != shape) {
      throw ShapeError(fmt::format("realize: the Input \"{}\" is {} [{}], but the Buffer is {} [{}]", input.name,
                                   to_string(input.type), fmt::join(shape, ", "), to_string(buffer.type()),
                                   fmt::join(buffer.shape(), ", ")));
    }
    const auto data = to_device_order(buffer, schedule::scheduled(input).layout_or_default());
    const DeviceMemory& memory = memory_.emplace(input.name, allocate(input.name, data.size())).first->second;
    memory.image ? device_.write(*memory.image, data) : device_.write(*memory.buffer, data);
  }

  /// As the kernels that use the tensor want it.
  DeviceMemory allocate(const std::string& tensor, std::size_t bytes) const {
    for (const KernelSource& kernel : compiled_.kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.name != tensor || a.kind != KernelArgument::Kind::Image) continue;
        return {nullptr, device_.allocate(ImageDescription{a.image, a.channels, a.type, evaluate(a.width, params_),
                                                           evaluate(a.height, params_), evaluate(a.layers, params_)})};
      }
    }
    return {device_.allocate(bytes), nullptr};
  }

  Tensor output_tensor() const {
    const auto& function = output_.contents();
    Tensor tensor{function.type, {}, function.layout_or_default()};
    for (int d = 0; d < function.rank(); ++d) {
      const auto& bounds = function.schedule.bounds;
      const std::string extent = bounds.empty() ? fmt::format("{}_extent_{}", function.name, d)
                                                : ir::print(bounds[static_cast<std::size_t>(d)]);
      tensor.shape.push_back(evaluate(extent, params_));
      require_extent(function.name, d, tensor.shape.back());
    }
    return tensor;
  }

  std::vector<Launch> launches() {
    const auto kernels = device_.build(compiled_.kernels);
    std::vector<Launch> launches;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      Launch launch;
      launch.kernel = kernels[i];
      for (const KernelArgument& a : compiled_.kernels[i].arguments) launch.arguments.push_back(value_of(a));
      for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = evaluate(compiled_.kernels[i].launch.groups[d], params_);
      launches.push_back(std::move(launch));
    }
    return launches;
  }

  KernelArgumentValue value_of(const KernelArgument& argument) const {
    if (argument.kind == KernelArgument::Kind::Image) return memory_.at(argument.name).image;
    if (argument.kind == KernelArgument::Kind::Buffer) return memory_.at(argument.name).buffer;
    const auto it = params_.find(argument.name);
    if (it == params_.end()) {
      throw Error(fmt::format("realize: no value for the Param \"{}\"; pass one under that name", argument.name));
    }
    require_fits(argument.name, argument.type, it->second);
    if (argument.type.is_float()) return static_cast<float>(it->second.number());
    if (argument.type.bits == 64) return it->second.integer();
    return static_cast<std::int32_t>(it->second.integer());
  }

  const Func& output_;
  const CompiledPipeline& compiled_;
  Device& device_;
  ParamValues params_;
  std::map<std::string, DeviceMemory> memory_;  // by tensor
};

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(fmt::format("cannot write {}", path.string()));
}

}  // namespace

namespace {

CompiledPipeline compiled(const Func& output, const lower::LowerOptions& options) {
  const lower::LoweredPipeline lowered = lower::lower(definition_of(output), options);
  CompiledPipeline compiled;
  std::set<std::string> entries;
  for (const lower::LoweredKernel& kernel : lowered.kernels) {
    compiled.kernels.push_back(opencl::emit(kernel, entries));
    entries.insert(compiled.kernels.back().entry);
  }
  for (const lower::Intermediate& i : lowered.intermediates) {
    compiled.intermediates.push_back({i.name, i.type, ir::print(i.elements)});
  }
  compiled.inputs = lowered.inputs;
  compiled.output = lowered.output;
  return compiled;
}

}  // namespace

CompiledPipeline Pipeline::compile() const { return compiled(output_, lower_options()); }

CompiledPipeline Pipeline::compile(const DeviceInfo& device) const {
  lower::LowerOptions options = lower_options();
  options.image_limits = device.image_limits;
  return compiled(output_, options);
}

std::string Pipeline::emit(const std::string& stage) const {
  if (stage == "funcs") return describe_definitions(definition_of(output_));
  if (stage == "cl") {
    std::string text;
    for (const KernelSource& kernel : compile().kernels) text += kernel.text + "\n";
    return text;
  }
  if (stage == "loops" || stage == "ir") {
    std::string text;
    lower::LowerOptions options = lower_options();
    if (stage == "loops") {
      options.observer = [&](const std::string& pass, const std::string& kernel, const ir::Stmt& stmt) {
        if (pass == "simplify_loops") text += fmt::format("// {}\n{}\n", kernel, ir::print(stmt));
      };
    }
    const lower::LoweredPipeline lowered = lower::lower(definition_of(output_), options);
    if (stage == "ir") {
      for (const lower::LoweredKernel& kernel : lowered.kernels) text += describe_kernel(kernel) + "\n";
    }
    return text;
  }
  throw Error(fmt::format("emit: there is no stage \"{}\"; the stages are funcs, loops, ir and cl", stage));
}

Buffer Pipeline::realize(const std::map<std::string, Buffer>& inputs, Device& device,
                         const ParamValues& params, const std::vector<std::int64_t>& shape) const {
  ParamValues values = params;
  const auto& function = output_.contents();
  if (function.schedule.bounds.empty()) {
    if (static_cast<int>(shape.size()) != function.rank()) {
      throw ShapeError(fmt::format("realize: {} has {} dimensions and no bound(); pass a shape with {} extents, found {}",
                                   output_.name(), function.rank(), function.rank(), shape.size()));
    }
    for (std::size_t d = 0; d < shape.size(); ++d) {
      require_extent(output_.name(), static_cast<int>(d), shape[d]);
      values[fmt::format("{}_extent_{}", output_.name(), d)] = shape[d];
    }
  }
  const CompiledPipeline compiled = compile(device.info());
  return Run(output_, compiled, device, std::move(values)).execute(inputs);
}

void Pipeline::write_cl(const std::string& folder) const {
  const CompiledPipeline compiled = compile();
  const std::filesystem::path root(folder);
  std::error_code error;
  std::filesystem::create_directories(root, error);
  if (error) throw Error(fmt::format("write_cl: cannot make the folder {}: {}", folder, error.message()));
  nlohmann::ordered_json manifest;
  manifest["inputs"] = compiled.inputs;
  manifest["output"] = compiled.output;
  manifest["intermediates"] = nlohmann::ordered_json::array();
  for (const IntermediateBuffer& b : compiled.intermediates) {
    manifest["intermediates"].push_back({{"name", b.name}, {"type", to_string(b.type)}, {"elements", b.elements}});
  }
  manifest["kernels"] = nlohmann::ordered_json::array();
  for (const KernelSource& kernel : compiled.kernels) {
    write_file(root / (kernel.entry + ".cl"), kernel.text);
    auto entry = nlohmann::ordered_json::parse(to_json(kernel));
    entry["file"] = kernel.entry + ".cl";
    manifest["kernels"].push_back(entry);
  }
  write_file(root / (compiled.output + ".json"), manifest.dump(2) + "\n");
}

}  // namespace tensordsl
