#include "pipeline/prepare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/index_limit.h"
#include "ir/print.h"
#include "pipeline/check_requirements.h"
#include "runtime/evaluate.h"
#include "schedule/schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {

void require_extent(const std::string& tensor, int dimension, std::int64_t extent) {
  if (extent >= 0 && extent <= kMaxElements) return;
  throw ShapeError(fmt::format("realize: the extent of {} in dimension {} is {}; from 0 to {} are possible",
                               tensor, dimension, extent, kMaxElements));
}

namespace {

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

/// Memory, kernels and launches of a compiled pipeline.
class Prepared : public PreparedPipeline {
 public:
  Prepared(const std::vector<ir::FunctionPtr>& outputs, CompiledPipeline compiled, Device& device,
           ParamValues params)
      : compiled_(std::move(compiled)), device_(device), params_(std::move(params)) {
    for (const ir::FunctionPtr& f : ir::reachable(outputs)) {
      if (f->is_input() && std::count(compiled_.inputs.begin(), compiled_.inputs.end(), f->name))
        add_input(f);
    }
    for (const ir::FunctionPtr& output : outputs) add_output(*output);
    check_values();
    check_requirements(compiled_, params_);
    for (const IntermediateBuffer& b : compiled_.intermediates) {
      memory_.emplace(b.name, allocate(b.name, bytes(b.stored.type, evaluate(b.elements, params_))));
    }
    for (const Output& output : outputs_) memory_.emplace(output.name, allocate(output.name, output.bytes()));
    recording_ = device_.record(launches());
  }

  const CompiledPipeline& compiled() const override { return compiled_; }

  void write(const std::string& name, const Buffer& buffer) override {
    const auto it = inputs_.find(name);
    if (it == inputs_.end()) throw Error(fmt::format("write: the pipeline reads no Input \"{}\"", name));
    const Tensor& input = it->second;
    if (buffer.type() != input.type || buffer.shape() != input.shape) {
      throw ShapeError(fmt::format("realize: the Input \"{}\" is {} [{}], but the Buffer is {} [{}]", name,
                                   to_string(input.type), fmt::join(input.shape, ", "),
                                   to_string(buffer.type()), fmt::join(buffer.shape(), ", ")));
    }
    const auto data = to_device_order(buffer, input.layout);
    const DeviceMemory& memory = memory_.at(name);
    memory.image ? device_.write(*memory.image, data) : device_.write(*memory.buffer, data);
  }

  void run() override { recording_->replay(); }
  std::vector<std::int64_t> run_timed() override { return recording_->replay_timed(); }

  Buffer read() override {
    if (outputs_.size() == 1) return read(outputs_[0]);
    throw Error(fmt::format("read: the pipeline has the outputs {}; use realize_all, or read_all",
                            fmt::join(compiled_.outputs, ", ")));
  }

  std::vector<Buffer> read_all() override {
    std::vector<Buffer> buffers;
    for (const Output& output : outputs_) buffers.push_back(read(output));
    return buffers;
  }

 private:
  /// A buffer of an output.
  struct Output {
    std::string name;
    Tensor tensor;

    std::size_t bytes() const {
      return Prepared::bytes(tensor.type, tensor.layout.stored_elements(tensor.shape));
    }
  };

  Buffer read(const Output& output) const {
    const DeviceMemory& memory = memory_.at(output.name);
    const Tensor& tensor = output.tensor;
    std::vector<std::byte> data(output.bytes());
    memory.image ? device_.read(*memory.image, data) : device_.read(*memory.buffer, data);
    if (!tensor.layout.is_row_major()) data = unpack(data, tensor.type.bytes(), tensor.layout, tensor.shape);
    Buffer buffer(tensor.type, tensor.shape);
    std::copy(data.begin(), data.end(), buffer.bytes().begin());
    return buffer;
  }

  static std::size_t bytes(Type type, std::int64_t elements) {
    if (elements > kMaxElements) {
      throw ShapeError(fmt::format("realize: {} elements are more than a kernel can index, which is {}",
                                   elements, kMaxElements));
    }
    return static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) *
           static_cast<std::size_t>(type.bytes());
  }

  void add_input(const ir::FunctionPtr& input) {
    Tensor tensor{input->type(), {}, schedule::scheduled(*input).layout_or_default()};
    for (const Expr& e : input->shape) {
      tensor.shape.push_back(extent_of(e));
      require_extent(input->name, static_cast<int>(tensor.shape.size()) - 1, tensor.shape.back());
    }
    const std::int64_t stored = tensor.layout.stored_elements(tensor.shape);
    memory_.emplace(input->name, allocate(input->name, bytes(tensor.type, stored)));
    inputs_.emplace(input->name, std::move(tensor));
  }

  /// As the kernels that use the tensor want it.
  DeviceMemory allocate(const std::string& tensor, std::size_t bytes) const {
    for (const KernelSource& kernel : compiled_.kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.name != tensor || a.kind != KernelArgument::Kind::Image) continue;
        return {nullptr,
                device_.allocate(ImageDescription{a.image, a.channels, a.type, evaluate(a.width, params_),
                                                  evaluate(a.height, params_), evaluate(a.layers, params_)})};
      }
    }
    return {device_.allocate(bytes), nullptr};
  }

  void add_output(const ir::Function& output) {
    const schedule::ScheduledFunction& function = schedule::scheduled(output);
    Tensor tensor{Type(), {}, function.layout_or_default()};
    for (int d = 0; d < function.rank(); ++d) {
      const auto& bounds = function.schedule.bounds;
      const Expr extent = bounds.empty() ? ir::make_var(fmt::format("{}_extent_{}", function.name, d))
                                         : bounds[static_cast<std::size_t>(d)];
      tensor.shape.push_back(extent_of(extent));
      require_extent(function.name, d, tensor.shape.back());
    }
    for (const int component : function.components()) {
      tensor.type = function.type(component);
      outputs_.push_back({ir::buffer_name(function.name, component), tensor});
    }
  }

  void check_values() const {
    for (const KernelSource& kernel : compiled_.kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.kind == KernelArgument::Kind::Scalar) value_of(a);
      }
    }
  }

  std::vector<Launch> launches() {
    const auto kernels = device_.build(compiled_.kernels);
    std::vector<Launch> launches;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      Launch launch;
      launch.kernel = kernels[i];
      for (const KernelArgument& a : compiled_.kernels[i].arguments) launch.arguments.push_back(value_of(a));
      for (std::size_t d = 0; d < 3; ++d)
        launch.groups[d] = evaluate(compiled_.kernels[i].launch.groups[d], params_);
      launches.push_back(std::move(launch));
    }
    return launches;
  }

  void require_value(const std::string& param) const {
    if (params_.contains(param)) return;
    throw Error(fmt::format("realize: no value for the Param \"{}\"; pass one under that name", param));
  }

  std::int64_t extent_of(const Expr& size) const {
    ir::visit(size, [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Var) require_value(e->name);
      return true;
    });
    return evaluate(size, params_);
  }

  KernelArgumentValue value_of(const KernelArgument& argument) const {
    if (argument.kind == KernelArgument::Kind::Image) return memory_.at(argument.name).image;
    if (argument.kind == KernelArgument::Kind::Buffer) return memory_.at(argument.name).buffer;
    require_value(argument.name);
    const auto it = params_.find(argument.name);
    require_fits(argument.name, argument.type, it->second);
    const auto number = [&]<typename T>(T) -> KernelArgumentValue {
      if constexpr (std::floating_point<T>) {
        return static_cast<T>(it->second.number());
      } else {
        return static_cast<T>(it->second.integer());
      }
    };
    const bool is_wide = argument.type.bits == 64;
    if (argument.type.is_float()) return is_wide ? number(double{}) : number(float{});
    if (argument.type.is_uint()) return is_wide ? number(std::uint64_t{}) : number(std::uint32_t{});
    return is_wide ? number(std::int64_t{}) : number(std::int32_t{});
  }

  CompiledPipeline compiled_;
  Device& device_;
  ParamValues params_;
  std::map<std::string, Tensor> inputs_;
  std::map<std::string, DeviceMemory> memory_;  // by tensor
  std::vector<Output> outputs_;
  std::unique_ptr<Recording> recording_;
};

}  // namespace

std::unique_ptr<PreparedPipeline> prepare_pipeline(const std::vector<ir::FunctionPtr>& outputs,
                                                   CompiledPipeline compiled, Device& device,
                                                   ParamValues params) {
  return std::make_unique<Prepared>(outputs, std::move(compiled), device, std::move(params));
}

}  // namespace tensordsl
