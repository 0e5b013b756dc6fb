#include "tensordsl/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/index_limit.h"
#include "ir/expr_node.h"
#include "runtime/check_memory.h"
#include "runtime/check_r16f_images.h"
#include "runtime/check_requirements.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

/// A buffer or an image.
struct DeviceMemory {
  std::shared_ptr<DeviceBuffer> buffer;
  std::shared_ptr<DeviceImage> image;
};

using Shape = std::vector<std::int64_t>;

void require_value(const ParamValues& params, const std::string& param) {
  if (params.contains(param)) return;
  throw Error(fmt::format("realize: no value for the Param \"{}\"; pass one under that name", param));
}

std::int64_t value_of(const Expr& size, const ParamValues& params) {
  ir::visit(size, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Var) require_value(params, e->name);
    return true;
  });
  return evaluate(size, params);
}

Shape shape_of(const std::string& name, const std::vector<Expr>& extents, const ParamValues& params) {
  Shape shape;
  for (const Expr& extent : extents) {
    shape.push_back(value_of(extent, params));
    require_extent(name, static_cast<int>(shape.size()) - 1, shape.back());
  }
  return shape;
}

std::size_t checked_bytes(Type type, std::int64_t elements) {
  if (elements > kMaxElements) {
    throw ShapeError(fmt::format("realize: {} elements are more than a kernel can index, which is {}",
                                 elements, kMaxElements));
  }
  return static_cast<std::size_t>(std::max<std::int64_t>(elements, 0)) *
         static_cast<std::size_t>(type.bytes());
}

KernelArgumentValue scalar_value(const KernelArgument& argument, const ParamValues& params) {
  require_value(params, argument.name);
  const ParamValue& value = params.at(argument.name);
  require_fits(argument.name, argument.type, value);
  const auto number = [&]<typename T>(T) -> KernelArgumentValue {
    if constexpr (std::floating_point<T>) {
      return static_cast<T>(value.number());
    } else {
      return static_cast<T>(value.integer());
    }
  };
  const bool is_wide = argument.type.bits == 64;
  if (argument.type.is_float()) return is_wide ? number(double{}) : number(float{});
  if (argument.type.is_uint()) return is_wide ? number(std::uint64_t{}) : number(std::uint32_t{});
  return is_wide ? number(std::int64_t{}) : number(std::int32_t{});
}

}  // namespace

struct Runner::State {
  std::shared_ptr<const Program> program;
  Device* device = nullptr;
  ParamValues params;
  std::vector<Shape> shapes;         // of the tensors, as they are stored; of Intermediates empty
  std::vector<DeviceMemory> memory;  // of the tensors
  std::vector<bool> has_value;       // of the tensors: inputs that were written or bound
  std::vector<std::shared_ptr<DeviceKernel>> kernels;
  std::unique_ptr<Recording> recording;  // null until the next run once a buffer was bound
  RunnerSteps steps;

  using Kind = Program::Tensor::Kind;

  void check_values() {
    for (const Program::Tensor& tensor : program->tensors) {
      const bool is_inner = tensor.kind == Kind::Intermediate;
      shapes.push_back(is_inner ? Shape() : shape_of(tensor.name, tensor.stored.extents, params));
    }
    for (const auto* values : {&program->inputs, &program->outputs}) {
      for (const Program::Value& value : *values) check_elements(value);
    }
    for (const KernelSource& kernel : program->kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.kind == KernelArgument::Kind::Scalar) scalar_value(a, params);
      }
    }
    check_requirements(*program, params);
  }

  /// A value may have another shape than its tensor, but must have as many elements.
  void check_elements(const Program::Value& value) const {
    const auto count = [](const Shape& shape) {
      std::int64_t elements = 1;
      for (const std::int64_t extent : shape) {
        if (extent == 0) return std::int64_t{0};
        elements = elements > kMaxElements / extent ? kMaxElements + 1 : elements * extent;
      }
      return elements;
    };
    const Shape shape = shape_of(value.name, value.shape, params);
    const Type stored = program->tensors[value.tensor].stored.type;
    if (value.type != stored && !(value.type.is_float() && stored.is_float())) {
      throw Error(fmt::format("the program is damaged: \"{}\" is {}, and its memory is {}", value.name,
                              to_string(value.type), to_string(stored)));
    }
    if (program->tensors[value.tensor].kind != Kind::Intermediate &&
        count(shape) == count(shapes[value.tensor]))
      return;
    throw ShapeError(fmt::format("the program is damaged: \"{}\" is [{}], and its memory is for [{}]",
                                 value.name, fmt::join(shape, ", "), fmt::join(shapes[value.tensor], ", ")));
  }

  std::size_t bytes_of(std::size_t tensor) const {
    const Program::Tensor& t = program->tensors[tensor];
    return checked_bytes(t.stored.type, t.kind == Kind::Intermediate
                                            ? evaluate(t.elements, params)
                                            : t.stored.layout.stored_elements(shapes[tensor]));
  }

  /// Buffers as they are allocated, and the tensors in them.
  void check_device_memory() const {
    std::vector<std::int64_t> allocations(program->slot_bytes);
    std::vector<TensorMemory> tensors;
    for (std::size_t i = 0; i < program->tensors.size(); ++i) {
      const Program::Tensor& t = program->tensors[i];
      const auto bytes = t.image && t.stored.image ? image_of(t).elements() * t.stored.type.bytes()
                                                   : static_cast<std::int64_t>(bytes_of(i));
      if (t.slot < 0) allocations.push_back(bytes);
      tensors.push_back({t.name, shape_text(i), bytes});
    }
    check_memory(device->info(), allocations, tensors);
  }

  /// "f32[64,3]"
  std::string shape_text(std::size_t tensor) const {
    const StoredTensor& stored = program->tensors[tensor].stored;
    Shape extents;
    for (const Expr& extent : stored.extents) extents.push_back(value_of(extent, params));
    return fmt::format("{}[{}]", to_string(stored.type), fmt::join(extents, ","));
  }

  ImageDescription image_of(const Program::Tensor& t) const {
    return {*t.stored.image,
            t.image->channels,
            t.stored.type,
            evaluate(t.image->width, params),
            evaluate(t.image->height, params),
            evaluate(t.image->layers, params)};
  }

  void allocate() {
    std::vector<std::shared_ptr<DeviceBuffer>> slots;
    for (const std::int64_t bytes : program->slot_bytes)
      slots.push_back(device->allocate(static_cast<std::size_t>(bytes)));
    has_value.resize(program->tensors.size());
    for (std::size_t i = 0; i < program->tensors.size(); ++i) {
      const Program::Tensor& t = program->tensors[i];
      DeviceMemory own;
      if (t.slot >= 0) {
        own.buffer = slots[static_cast<std::size_t>(t.slot)];
      } else if (t.image && t.stored.image) {
        own.image = device->allocate(image_of(t));
      } else {
        own.buffer = device->allocate(bytes_of(i));
      }
      memory.push_back(std::move(own));
      if (t.kind == Kind::Constant) write_stored(i, constant(i));
    }
  }

  std::span<const std::byte> constant(std::size_t tensor) const {
    const std::size_t bytes = bytes_of(tensor),
                      offset = static_cast<std::size_t>(program->tensors[tensor].offset);
    const std::size_t size = program->constants.size;
    if (offset > size || bytes > size - offset) {
      throw Error(fmt::format("the constant \"{}\" is not in the program: {} bytes at {} of {}",
                              program->tensors[tensor].name, bytes, offset, size));
    }
    return {program->constants.data.get() + offset, bytes};
  }

  void write_stored(std::size_t tensor, std::span<const std::byte> bytes) {
    const DeviceMemory& to = memory[tensor];
    to.image ? device->write(*to.image, bytes) : device->write(*to.buffer, bytes);
  }

  void record() {
    std::vector<Launch> launches;
    for (const Program::Launch& planned : program->launches) {
      const KernelSource& source = program->kernels[planned.kernel];
      Launch launch;
      launch.kernel = kernels[planned.kernel];
      for (std::size_t a = 0; a < source.arguments.size(); ++a) {
        const KernelArgument& argument = source.arguments[a];
        if (argument.kind == KernelArgument::Kind::Scalar) {
          launch.arguments.push_back(scalar_value(argument, params));
          continue;
        }
        const DeviceMemory& own = memory[static_cast<std::size_t>(planned.tensors[a])];
        if (argument.kind == KernelArgument::Kind::Image) {
          launch.arguments.emplace_back(own.image);
        } else {
          launch.arguments.emplace_back(own.buffer);
        }
      }
      for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = evaluate(planned.groups[d], params);
      launches.push_back(std::move(launch));
    }
    recording = device->record(std::move(launches));
  }

  /// The launches, as soon as there is something to read. Inputs of no elements need no value.
  Recording& ready() {
    for (const Program::Value& input : program->inputs) {
      if (!has_value[input.tensor] && bytes_of(input.tensor) > 0)
        throw Error(fmt::format("run: the input \"{}\" has no value; write it or bind a buffer", input.name));
    }
    if (!recording) record();
    return *recording;
  }

  const Program::Value* find(const std::vector<Program::Value>& values, const std::string& name) const {
    const auto found = std::ranges::find(values, name, &Program::Value::name);
    return found == values.end() ? nullptr : &*found;
  }

  Buffer read(const Program::Value& output) const {
    const Program::Tensor& tensor = program->tensors[output.tensor];
    const DeviceMemory& from = memory[output.tensor];
    std::vector<std::byte> stored(bytes_of(output.tensor));
    from.image ? device->read(*from.image, stored) : device->read(*from.buffer, stored);
    const auto plain =
        tensor.stored.layout.is_row_major()
            ? std::move(stored)
            : unpack(stored, tensor.stored.type.bytes(), tensor.stored.layout, shapes[output.tensor]);
    Buffer value(tensor.stored.type, shape_of(output.name, output.shape, params));
    std::ranges::copy(plain, value.bytes().begin());
    return tensor.stored.type == output.type ? value : value.converted(output.type);
  }
};

Runner::Runner(std::shared_ptr<const Program> program, Device& device, const ParamValues& params,
               const std::function<void(int, int)>& progress)
    : state_(std::make_unique<State>()) {
  if (!program) throw Error("Runner: there is no Program; pass one");
  state_->program = std::move(program);
  state_->device = &device;
  state_->params = params;
  const auto now = std::chrono::steady_clock::now;
  state_->steps.begin = now();
  state_->check_values();
  state_->check_device_memory();
  check_r16f_images(*state_->program, device);
  state_->allocate();
  state_->steps.uploaded = now();
  state_->kernels = device.build(state_->program->kernels, progress);
  state_->steps.built = now();
  state_->record();
  state_->steps.recorded = now();
}

Runner::~Runner() = default;
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;

const Program& Runner::program() const { return *state_->program; }
Device& Runner::device() const { return *state_->device; }
const RunnerSteps& Runner::steps() const { return state_->steps; }

void Runner::write(const std::string& input, const Buffer& value) {
  const Program::Value* to = state_->find(state_->program->inputs, input);
  if (!to) throw Error(fmt::format("write: there is no input \"{}\"", input));
  const Shape shape = shape_of(input, to->shape, state_->params);
  if (value.type() != to->type || value.shape() != shape) {
    throw ShapeError(fmt::format("the input \"{}\" is {} [{}], but the Buffer is {} [{}]", input,
                                 to_string(to->type), fmt::join(shape, ", "), to_string(value.type()),
                                 fmt::join(value.shape(), ", ")));
  }
  state_->has_value[to->tensor] = true;
  const StoredTensor& stored = state_->program->tensors[to->tensor].stored;
  const Buffer typed = value.type() == stored.type ? value : value.converted(stored.type);
  if (stored.layout.is_row_major()) {
    state_->write_stored(to->tensor, typed.bytes());
    return;
  }
  const auto bytes = typed.bytes();
  state_->write_stored(to->tensor,
                       pack(bytes, stored.type.bytes(), stored.layout, state_->shapes[to->tensor]));
}

void Runner::write_all(const std::map<std::string, Buffer>& inputs) {
  for (const auto& [name, value] : inputs) {
    if (!state_->find(state_->program->inputs, name))
      throw Error(fmt::format("there is no input \"{}\"", name));
  }
  for (const Program::Value& input : state_->program->inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end()) throw Error(fmt::format("no value for the input \"{}\"", input.name));
    write(input.name, value->second);
  }
}

void Runner::run() { state_->ready().replay(); }
std::vector<std::int64_t> Runner::run_timed() { return state_->ready().replay_timed(); }
std::vector<LaunchInterval> Runner::run_intervals() { return state_->ready().replay_intervals(); }
void Runner::start() { state_->ready().start(); }
void Runner::wait() { state_->device->finish(); }

Buffer Runner::read(const std::string& output) const {
  const Program::Value* value = state_->find(state_->program->outputs, output);
  if (!value) throw Error(fmt::format("read: there is no output \"{}\"", output));
  return state_->read(*value);
}

Buffer Runner::read() const {
  const auto& outputs = state_->program->outputs;
  if (outputs.size() == 1) return state_->read(outputs[0]);
  std::vector<std::string> names;
  for (const Program::Value& output : outputs) names.push_back(output.name);
  throw Error(
      fmt::format("read: there are the outputs {}; name one, or use read_all", fmt::join(names, ", ")));
}

std::vector<Buffer> Runner::read_all() const {
  std::vector<Buffer> values;
  for (const Program::Value& output : state_->program->outputs) values.push_back(state_->read(output));
  return values;
}

void Runner::bind(const std::string& name, std::shared_ptr<DeviceBuffer> buffer) {
  const Program::Value* value = state_->find(state_->program->inputs, name);
  if (!value) value = state_->find(state_->program->outputs, name);
  if (!value) throw Error(fmt::format("bind: there is no input or output \"{}\"", name));
  DeviceMemory& own = state_->memory[value->tensor];
  if (own.image) throw Error(fmt::format("bind: \"{}\" is an image; it cannot be a buffer", name));
  if (state_->program->tensors[value->tensor].kind == Program::Tensor::Kind::Constant)
    throw Error(fmt::format("bind: \"{}\" is a constant of the program", name));
  int values = 0;
  for (const auto* list : {&state_->program->inputs, &state_->program->outputs})
    values += static_cast<int>(std::ranges::count(*list, value->tensor, &Program::Value::tensor));
  if (values > 1)
    throw Error(fmt::format("bind: \"{}\" shares its memory with another input or output", name));
  const std::size_t bytes = state_->bytes_of(value->tensor);
  const std::size_t found = buffer ? buffer->size_bytes() : 0;
  if (!buffer || found < bytes)
    throw ShapeError(fmt::format("bind: \"{}\" takes {} bytes, and the buffer has {}", name, bytes, found));
  own.buffer = std::move(buffer);
  state_->has_value[value->tensor] = true;
  state_->recording.reset();
}

}  // namespace tensordsl
