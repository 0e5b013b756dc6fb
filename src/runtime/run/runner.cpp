#include "tensordsl/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "runtime/run/runner_impl.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

void require_known_params(const Program& program, const ParamValues& params) {
  for (const auto& [name, value] : params) {
    if (std::ranges::find(program.params, name, &Program::Param::name) != program.params.end()) continue;
    std::vector<std::string> names;
    for (const Program::Param& param : program.params) names.push_back("\"" + param.name + "\"");
    throw Error(fmt::format("run: the program has no Param \"{}\"; it has {}", name,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

bool is_single_half(const KernelArgument& argument) {
  return argument.kind == KernelArgument::Kind::Image && argument.channels == 1 && argument.type == Float(16);
}

/// Checks images of one f16 to a texel. Throws DeviceError if the Program has some and the device reads them
/// wrongly. The device is only probed if there are any.
void check_r16f_images(const Program& program, Device& device) {
  for (const KernelSource& kernel : program.kernels) {
    const auto it = std::find_if(kernel.arguments.begin(), kernel.arguments.end(), is_single_half);
    if (it == kernel.arguments.end() || device.reads_r16f_images()) continue;
    throw DeviceError(
        fmt::format("{}: {} is an image of one f16 per texel, which {} supports but reads incorrectly; use "
                    "four per texel, with a layout that ends in \"| c%4\", or f32",
                    kernel.entry, it->name, device.info().name));
  }
}

}  // namespace

Runner::Runner(std::shared_ptr<const Program> program, Device& device, const ParamValues& params,
               const std::function<void(int, int)>& progress)
    : impl_(std::make_unique<Impl>()) {
  if (!program) throw Error("Runner: the Program is null; pass one");
  Impl& s = *impl_;
  s.program = std::move(program);
  s.device = &device;
  s.kept_device = device.weak_from_this().lock();
  const auto now = std::chrono::steady_clock::now;
  s.steps.begin = now();
  require_known_params(*s.program, params);
  s.values = std::make_unique<runtime::RunValues>(*s.program, params);
  s.check_values();
  s.check_requirements();
  s.plan();
  check_r16f_images(*s.program, device);
  s.memory = std::make_unique<runtime::ProgramMemory>(*s.program, device, *s.values);
  s.has_value.resize(s.program->tensors.size());
  s.states = std::make_unique<runtime::RunStates>(*s.program, *s.values, *s.memory);
  s.have_states(true);
  s.steps.uploaded = now();
  s.kernels = device.build(s.program->kernels, progress);
  s.steps.built = now();
  if (s.order[0].kind == runtime::RunStep::Kind::Launches) s.record(s.stretches[0]);
  s.steps.recorded = now();
}

Runner::~Runner() = default;
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;

const Program& Runner::program() const { return *impl_->program; }
Device& Runner::device() const { return *impl_->device; }
const RunnerSteps& Runner::steps() const { return impl_->steps; }
ParamValues Runner::params() const { return impl_->values->known(); }

void Runner::set_params(const ParamValues& params) {
  require_known_params(*impl_->program, params);
  impl_->set_params(params);
}

void Runner::clear_states() {
  impl_->states->clear();
  impl_->have_states(true);
}

std::vector<std::int64_t> Runner::shape(const std::string& name) const {
  const Program::Value& value = impl_->value_of("shape", name);
  return impl_->values->shape(name, value.shape);
}

void Runner::write(const std::string& input, const Buffer& value) {
  const Program::Value& to = impl_->written_value(input);
  const runtime::RunShape shape = impl_->values->shape(input, to.shape);
  if (value.type() != to.type || value.shape() != shape) {
    throw ShapeError(fmt::format("the input \"{}\" is {} [{}], but the Buffer is {} [{}]", input,
                                 to_string(to.type), fmt::join(shape, ", "), to_string(value.type()),
                                 fmt::join(value.shape(), ", ")));
  }
  impl_->has_value[to.tensor] = true;
  impl_->memory->write_value(to, value);
}

void Runner::write(const std::string& input, std::span<const std::byte> value) {
  const Program::Value& to = impl_->written_value(input);
  impl_->require_bytes("input", to, value.size());
  impl_->has_value[to.tensor] = true;
  impl_->memory->write_value(to, value);
}

void Runner::write_all(const std::map<std::string, Buffer>& inputs) {
  for (const auto& [name, value] : inputs) {
    if (!impl_->find(impl_->program->inputs, name))
      throw Error(fmt::format("the program has no input \"{}\"", name));
  }
  for (const Program::Value& input : impl_->program->inputs) {
    const auto value = inputs.find(input.name);
    if (value == inputs.end())
      throw Error(fmt::format("no value for the input \"{}\"; pass one", input.name));
    write(input.name, value->second);
  }
}

void Runner::run(Waiting waiting) {
  // A read between them waits for all launches that were started before it.
  impl_->run([waiting](Recording& launches, std::size_t, std::size_t, bool is_last) {
    is_last ? launches.replay(waiting) : launches.start();
  });
  impl_->retired.clear();
}

std::vector<std::int64_t> Runner::run_timed() {
  std::vector<std::int64_t> times;
  for (const LaunchInterval& interval : run_intervals()) times.push_back(interval.end - interval.start);
  return times;
}

std::vector<LaunchInterval> Runner::run_intervals() {
  std::vector<LaunchInterval> intervals(impl_->program->launches.size());
  impl_->run([&](Recording& launches, std::size_t first, std::size_t last, bool) {
    // The launches of several steps of a loop may be in one recording.
    const std::vector<LaunchInterval> found = launches.replay_intervals();
    for (std::size_t i = 0; i < found.size(); ++i) {
      LaunchInterval& all = intervals[first + i % (last - first)];
      all = all.end == 0 ? found[i] : LaunchInterval{all.start, all.end + found[i].end - found[i].start};
    }
  });
  impl_->retired.clear();
  return intervals;
}

void Runner::start() {
  impl_->run([](Recording& launches, std::size_t, std::size_t, bool) { launches.start(); });
}

void Runner::wait(Waiting waiting) {
  impl_->device->finish(waiting);
  impl_->retired.clear();
}

Buffer Runner::read(const std::string& output) const { return impl_->read(impl_->read_value(output)); }

void Runner::read(const std::string& output, std::span<std::byte> to) const {
  const Program::Value& value = impl_->read_value(output);
  impl_->check_read(value);
  impl_->require_bytes("output", value, to.size());
  impl_->memory->read_value(value, to);
}

Buffer Runner::read() const {
  const auto& outputs = impl_->program->outputs;
  if (outputs.size() == 1) return impl_->read(outputs[0]);
  std::vector<std::string> names;
  for (const Program::Value& output : outputs) names.push_back(output.name);
  throw Error(
      fmt::format("read: the program has the outputs {}; name one, or use read_all", fmt::join(names, ", ")));
}

std::vector<Buffer> Runner::read_all() const {
  std::vector<Buffer> values;
  for (const Program::Value& output : impl_->program->outputs) values.push_back(impl_->read(output));
  return values;
}

std::vector<DeviceBinary> Runner::binaries() const { return impl_->device->binaries(impl_->kernels); }

void Runner::bind(const std::string& name, std::shared_ptr<DeviceBuffer> buffer) {
  const Program::Value& value = impl_->own_value(name);
  runtime::DeviceMemory& own = impl_->memory->of(value.tensor);
  if (own.image) throw Error(fmt::format("bind: \"{}\" is an image; pass an image, not a buffer", name));
  const std::size_t bytes = impl_->memory->most_bytes(value.tensor);
  const std::size_t found = buffer ? buffer->size_bytes() : 0;
  if (!buffer || found < bytes)
    throw ShapeError(fmt::format("bind: \"{}\" needs {} bytes, but the buffer has {}", name, bytes, found));
  impl_->require_own_memory(value, buffer->access(), buffer->memory());
  own.buffer = std::move(buffer);
  impl_->bound_memory.erase(value.tensor);
  impl_->note_bound(value);
}

bool Runner::bind_memory(const std::string& name, std::span<std::byte> memory,
                         std::shared_ptr<const void> owner) {
  const Program::Value& value = impl_->value_of("bind", name);
  const bool is_input = impl_->find(impl_->program->inputs, name) == &value;
  impl_->require_bytes(is_input ? "input" : "output", value, memory.size());
  const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
  const bool is_usable =
      impl_->why_not_own(value).empty() && impl_->memory->is_stored_as_seen(value) &&
      impl_->memory->most_bytes(value.tensor) <= memory.size() && !impl_->overlaps_bound(value, memory) &&
      address % std::max(impl_->alignment_of(value.tensor), std::uintptr_t(value.type.bytes())) == 0;
  if (!is_usable) return false;
  auto buffer = impl_->device->share(memory, std::move(owner));
  if (!buffer) return false;
  bind(name, std::move(buffer));
  impl_->bound_memory.insert_or_assign(value.tensor, memory);
  return true;
}

void Runner::bind(const std::string& name, std::shared_ptr<DeviceImage> image) {
  const Program::Value& value = impl_->own_value(name);
  runtime::DeviceMemory& own = impl_->memory->of(value.tensor);
  if (!own.image) throw Error(fmt::format("bind: \"{}\" is a buffer; pass a buffer, not an image", name));
  const ImageDescription wanted = impl_->memory->wanted_image(value.tensor);
  if (!image)
    throw ShapeError(
        fmt::format("bind: \"{}\" needs {}, but the image passed is null; allocate one on the device", name,
                    to_string(wanted)));
  const ImageDescription& found = image->description();
  if (!found.is_read_as(wanted) || found.width != wanted.width || found.height != wanted.height ||
      found.layers != wanted.layers)
    throw ShapeError(
        fmt::format("bind: \"{}\" is {}, but the image is {}", name, to_string(wanted), to_string(found)));
  impl_->require_own_memory(value, image->access(), image->memory());
  impl_->bound_images.insert_or_assign(value.tensor, Impl::Bound{name, image});
  own.image = std::move(image);
  impl_->note_bound(value);
}

}  // namespace tensordsl
