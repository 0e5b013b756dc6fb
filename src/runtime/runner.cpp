#include "tensordsl/runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/index_limit.h"
#include "runtime/check_r16f_images.h"
#include "runtime/check_requirements.h"
#include "runtime/program_memory.h"
#include "runtime/run_host_step.h"
#include "runtime/run_order.h"
#include "runtime/run_states.h"
#include "runtime/run_values.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

KernelArgumentValue scalar_value(const KernelArgument& argument, const RunValues& values) {
  values.require_value(argument.name);
  const ParamValue& value = values.known().at(argument.name);
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

void require_known_params(const Program& program, const ParamValues& params) {
  for (const auto& [name, value] : params) {
    if (std::ranges::find(program.params, name, &Program::Param::name) != program.params.end()) continue;
    std::vector<std::string> names;
    for (const Program::Param& param : program.params) names.push_back("\"" + param.name + "\"");
    throw Error(fmt::format("run: the program has no Param \"{}\"; it has {}", name,
                            names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
  }
}

/// Launches that are handed to the device at once.
struct Stretch {
  std::size_t first = 0, last = 0;
  struct Recorded {
    std::unique_ptr<Recording> recording;  // null until it is needed, and once a buffer was bound
    ParamValues with;                      // the Params and counts
  };
  std::array<Recorded, 2> recorded;  // as states are in their places, and as they have changed them
};

}  // namespace

struct Runner::State {
  std::shared_ptr<const Program> program;
  Device* device = nullptr;
  std::shared_ptr<Device> kept_device;  // null if no shared_ptr holds it
  std::unique_ptr<RunValues> values;
  std::unique_ptr<ProgramMemory> memory;
  std::unique_ptr<RunStates> states;
  std::vector<bool> has_value;  // of the tensors: inputs that were written or bound
  std::vector<std::shared_ptr<DeviceKernel>> kernels;
  std::vector<RunStep> order;
  std::vector<Stretch> stretches;  // of the order's launches, in order
  std::vector<bool> is_checked;    // of the requirements, in this run
  struct Bound {
    std::string name;
    std::shared_ptr<DeviceImage> image;
  };
  std::map<std::size_t, Bound> bound_images;  // by tensor
  /// Whose memory the caller has taken back, and which may run still.
  std::vector<std::unique_ptr<Recording>> retired;
  RunnerSteps steps;

  using Kind = Program::Tensor::Kind;

  void check_values() {
    for (const Program::Tensor& tensor : program->tensors) {
      if (tensor.kind != Kind::Intermediate && values->is_known(tensor.stored.extents))
        values->shape(tensor.name, tensor.stored.extents);
    }
    for (const auto* list : {&program->inputs, &program->outputs}) {
      for (const Program::Value& value : *list) {
        check_type(value);
        if (values->is_known(value.shape)) check_elements(value);
      }
    }
    for (const KernelSource& kernel : program->kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.kind == KernelArgument::Kind::Scalar && !values->is_count(a.name)) scalar_value(a, *values);
      }
    }
  }

  void check_type(const Program::Value& value) const {
    const Type stored = program->tensors[value.tensor].stored.type;
    if (value.type == stored || (value.type.is_float() && stored.is_float())) return;
    throw Error(fmt::format("the program is damaged: \"{}\" is {}, and its memory is {}", value.name,
                            to_string(value.type), to_string(stored)));
  }

  /// A value may have another shape than its tensor, but must have as many elements.
  void check_elements(const Program::Value& value) const {
    const auto count = [](const RunShape& shape) {
      std::int64_t elements = 1;
      for (const std::int64_t extent : shape) {
        if (extent == 0) return std::int64_t{0};
        elements = elements > kMaxElements / extent ? kMaxElements + 1 : elements * extent;
      }
      return elements;
    };
    const Program::Tensor& tensor = program->tensors[value.tensor];
    const bool is_inner = tensor.kind == Kind::Intermediate;
    if (tensor.kind == Kind::State) return;  // an input is less than all of it
    const RunShape shape = values->shape(value.name, value.shape);
    const RunShape stored = is_inner ? RunShape() : values->shape(tensor.name, tensor.stored.extents);
    if (!is_inner && count(shape) == count(stored)) return;
    throw ShapeError(fmt::format("the program is damaged: \"{}\" is [{}], and its memory is for [{}]",
                                 value.name, fmt::join(shape, ", "), fmt::join(stored, ", ")));
  }

  void plan() {
    order = run_order(*program);
    for (const RunStep& step : order) {
      if (step.kind == RunStep::Kind::Launches) stretches.push_back({step.first, step.last, {}});
    }
  }

  /// Before anything runs that could break one.
  void check_requirements() { tensordsl::check_requirements(*program, *values, is_checked); }

  Stretch::Recorded& recorded(Stretch& stretch) const {
    return stretch.recorded[states->is_swapped() ? 1 : 0];
  }

  void record(Stretch& stretch) {
    std::vector<Launch> launches;
    for (std::size_t i = stretch.first; i < stretch.last; ++i) {
      const Program::Launch& planned = program->launches[i];
      const KernelSource& source = program->kernels[planned.kernel];
      Launch launch;
      launch.kernel = kernels[planned.kernel];
      for (std::size_t a = 0; a < source.arguments.size(); ++a) {
        const KernelArgument& argument = source.arguments[a];
        if (argument.kind == KernelArgument::Kind::Scalar) {
          launch.arguments.push_back(scalar_value(argument, *values));
          continue;
        }
        const DeviceMemory& own = memory->of(static_cast<std::size_t>(planned.tensors[a]));
        if (argument.kind == KernelArgument::Kind::Image) {
          launch.arguments.emplace_back(own.image);
        } else {
          launch.arguments.emplace_back(own.buffer);
        }
      }
      for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = values->value(planned.groups[d]);
      launches.push_back(std::move(launch));
    }
    recorded(stretch) = {device->record(std::move(launches)), values->known()};
  }

  /// Runs all steps: `launch` is called with the recordings in order, and whether one is the last.
  template <typename F>
  void run(F launch) {
    states->begin_run();
    if (!states->param().empty()) refit();
    for (const Program::Value& input : program->inputs) {
      if (!has_value[input.tensor] && !is_empty(input))
        throw Error(fmt::format("run: the input \"{}\" has no value; write it or bind a buffer", input.name));
    }
    for (const auto& [tensor, bound] : bound_images) {
      if (memory->of(tensor).image != bound.image)
        throw ShapeError(fmt::format("run: \"{}\" is {} now, and was bound to {}; bind it again", bound.name,
                                     to_string(memory->wanted_image(tensor)),
                                     to_string(bound.image->description())));
    }
    if (!program->counts.empty()) {
      values->forget_counts();
      is_checked.clear();
      check_requirements();
    }
    std::size_t stretch = 0;
    for (const RunStep& step : order) {
      switch (step.kind) {
        case RunStep::Kind::Launches: {
          Stretch& now = stretches[stretch++];
          const Stretch::Recorded& ready = recorded(now);
          if (!ready.recording || ready.with != values->known()) record(now);
          launch(*ready.recording, stretch == stretches.size());
          break;
        }
        case RunStep::Kind::Count:
          read_count(program->counts[step.first]);
          break;
        case RunStep::Kind::Host:
          run_host_step(program->host_steps[step.first], *values, *memory);
          break;
      }
    }
    states->note_run();
  }

  bool is_empty(const Program::Value& value) const {
    return std::ranges::any_of(value.shape, [&](const Expr& extent) { return values->value(extent) == 0; });
  }

  /// Throws what setting them would, and changes nothing.
  void check_params(const ParamValues& params) {
    const ParamValues known = values->known();
    const auto restore = [&] {
      for (const auto& [name, value] : known) {
        if (!values->is_count(name)) values->set(name, value);
      }
      is_checked.clear();
    };
    try {
      if (!states->param().empty() && !params.contains(states->param()))
        values->set(states->param(), states->held());
      for (const auto& [name, value] : params) values->set(name, value);
      is_checked.clear();
      check_values();
      check_requirements();
      memory->check_room();
    } catch (...) {
      restore();
      throw;
    }
    restore();
  }

  void set_params(const ParamValues& params) {
    const auto kept = params.find(states->param());
    if (kept != params.end()) states->check_length(kept->second.integer());
    check_params(params);
    if (kept == params.end()) {
      states->begin_run();
    } else if (!states->keep(kept->second.integer())) {
      have_states(false);
    }
    std::vector<RunShape> before;
    for (const Program::Value& input : program->inputs)
      before.push_back(values->shape(input.name, input.shape));
    for (const auto& [name, value] : params) {
      if (name != states->param()) values->set(name, value);
    }
    refit();
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Program::Value& input = program->inputs[i];
      if (values->shape(input.name, input.shape) != before[i]) has_value[input.tensor] = false;
    }
  }

  void have_states(bool have) {
    for (const Program::State& state : program->states) has_value[program->inputs[state.input].tensor] = have;
  }

  /// Behind a change of Params.
  void refit() {
    check_values();
    is_checked.clear();
    check_requirements();
    memory->fit();
  }

  void read_count(const Program::Count& count) {
    values->set(count, memory->read(count.tensor).get_int(0));
    check_requirements();
  }

  /// Inputs may share memory; what is written while another is read may not. `given`: a buffer or an image.
  template <typename Given>
  void require_own_memory(const Program::Value& value, const Given& given) const {
    const auto is_output = [&](const Program::Value& v) {
      return program->tensors[v.tensor].kind == Kind::Output;
    };
    using Access = KernelArgument::Access;
    const bool is_allowed =
        given.access() == Access::ReadWrite || (!is_output(value) && given.access() == Access::ReadOnly);
    if (!is_allowed)
      throw Error(
          fmt::format("bind: kernels may only {} the memory given for \"{}\"; make it with "
                      "CL_MEM_READ_WRITE",
                      given.access() == Access::ReadOnly ? "read" : "write", value.name));
    for (const auto* list : {&program->inputs, &program->outputs}) {
      for (const Program::Value& other : *list) {
        const DeviceMemory& has = memory->of(other.tensor);
        const bool is_same = (has.buffer && has.buffer->memory() == given.memory()) ||
                             (has.image && has.image->memory() == given.memory());
        if (other.tensor == value.tensor || !is_same) continue;
        if (is_output(value) || is_output(other)) {
          throw Error(fmt::format("bind: \"{}\" is in this {} already; give \"{}\" another one", other.name,
                                  has.image ? "image" : "buffer", value.name));
        }
      }
    }
  }

  /// An input or output that may be the caller's.
  const Program::Value& own_value(const std::string& name) const {
    const Program::Value* value = find(program->inputs, name);
    if (!value) value = find(program->outputs, name);
    if (!value) throw Error(fmt::format("bind: there is no input or output \"{}\"", name));
    if (program->tensors[value->tensor].kind == Kind::Constant)
      throw Error(fmt::format("bind: \"{}\" is a constant of the program", name));
    int values_of_tensor = 0;
    for (const auto* list : {&program->inputs, &program->outputs})
      values_of_tensor += static_cast<int>(std::ranges::count(*list, value->tensor, &Program::Value::tensor));
    if (values_of_tensor > 1)
      throw Error(fmt::format("bind: \"{}\" shares its memory with another input or output", name));
    if (states->is_state(*value))
      throw Error(fmt::format("bind: \"{}\" is a state, which the Runner keeps in memory of its own", name));
    return *value;
  }

  void note_bound(const Program::Value& value) {
    has_value[value.tensor] = true;
    for (Stretch& stretch : stretches) {
      for (Stretch::Recorded& recorded : stretch.recorded) {
        if (recorded.recording) retired.push_back(std::move(recorded.recording));
      }
      stretch.recorded = {};
    }
    // Its end waits for the queue. Where the caller waits for frames by other means, the oldest are done.
    constexpr std::size_t kMostRetired = 64;
    if (retired.size() > kMostRetired) retired.erase(retired.begin(), retired.end() - kMostRetired / 2);
  }

  /// Of an image of another format than the program's own the host's bytes would be other ones.
  void require_own_format(const char* call, const Program::Value& value) const {
    const auto& image = memory->of(value.tensor).image;
    if (!image || image->description().type == program->tensors[value.tensor].stored.type) return;
    throw Error(fmt::format("{}: \"{}\" is bound to {}; {} that image, or bind one of {}", call, value.name,
                            to_string(image->description()), call,
                            to_string(memory->wanted_image(value.tensor))));
  }

  const Program::Value* find(const std::vector<Program::Value>& list, const std::string& name) const {
    const auto found = std::ranges::find(list, name, &Program::Value::name);
    return found == list.end() ? nullptr : &*found;
  }

  /// An input that is about to be written.
  const Program::Value& written_value(const std::string& input) {
    const Program::Value* to = find(program->inputs, input);
    if (!to) throw Error(fmt::format("write: there is no input \"{}\"", input));
    if (states->is_state(*to)) states->begin_run();
    require_own_format("write", *to);
    return *to;
  }

  const Program::Value& read_value(const std::string& output) const {
    const Program::Value* value = find(program->outputs, output);
    if (!value) throw Error(fmt::format("read: there is no output \"{}\"", output));
    return *value;
  }

  void check_read(const Program::Value& output) const {
    require_own_format("read", output);
    values->shape(output.name, output.shape);
    check_elements(output);
  }

  Buffer read(const Program::Value& output) const {
    check_read(output);
    return memory->read_value(output);
  }

  /// What a caller's memory has to be; `kind` for the message.
  void require_bytes(const char* kind, const Program::Value& value, std::size_t given) const {
    const RunShape shape = values->shape(value.name, value.shape);
    std::size_t bytes = static_cast<std::size_t>(value.type.bytes());
    for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
    if (given == bytes) return;
    throw ShapeError(fmt::format("the {} \"{}\" is {} [{}] of {} bytes, and the memory given has {}", kind,
                                 value.name, to_string(value.type), fmt::join(shape, ", "), bytes, given));
  }
};

Runner::Runner(std::shared_ptr<const Program> program, Device& device, const ParamValues& params,
               const std::function<void(int, int)>& progress)
    : state_(std::make_unique<State>()) {
  if (!program) throw Error("Runner: there is no Program; pass one");
  State& s = *state_;
  s.program = std::move(program);
  s.device = &device;
  s.kept_device = device.weak_from_this().lock();
  const auto now = std::chrono::steady_clock::now;
  s.steps.begin = now();
  require_known_params(*s.program, params);
  s.values = std::make_unique<RunValues>(*s.program, params);
  s.check_values();
  s.check_requirements();
  s.plan();
  check_r16f_images(*s.program, device);
  s.memory = std::make_unique<ProgramMemory>(*s.program, device, *s.values);
  s.has_value.resize(s.program->tensors.size());
  s.states = std::make_unique<RunStates>(*s.program, *s.values, *s.memory);
  s.have_states(true);
  s.steps.uploaded = now();
  s.kernels = device.build(s.program->kernels, progress);
  s.steps.built = now();
  if (s.order[0].kind == RunStep::Kind::Launches) s.record(s.stretches[0]);
  s.steps.recorded = now();
}

Runner::~Runner() = default;
Runner::Runner(Runner&&) noexcept = default;
Runner& Runner::operator=(Runner&&) noexcept = default;

const Program& Runner::program() const { return *state_->program; }
Device& Runner::device() const { return *state_->device; }
const RunnerSteps& Runner::steps() const { return state_->steps; }
ParamValues Runner::params() const { return state_->values->known(); }

void Runner::set_params(const ParamValues& params) {
  require_known_params(*state_->program, params);
  state_->set_params(params);
}

void Runner::clear_states() {
  state_->states->clear();
  state_->have_states(true);
}

void Runner::write(const std::string& input, const Buffer& value) {
  const Program::Value& to = state_->written_value(input);
  const RunShape shape = state_->values->shape(input, to.shape);
  if (value.type() != to.type || value.shape() != shape) {
    throw ShapeError(fmt::format("the input \"{}\" is {} [{}], but the Buffer is {} [{}]", input,
                                 to_string(to.type), fmt::join(shape, ", "), to_string(value.type()),
                                 fmt::join(value.shape(), ", ")));
  }
  state_->has_value[to.tensor] = true;
  state_->memory->write_value(to, value);
}

void Runner::write(const std::string& input, std::span<const std::byte> value) {
  const Program::Value& to = state_->written_value(input);
  state_->require_bytes("input", to, value.size());
  state_->has_value[to.tensor] = true;
  state_->memory->write_value(to, value);
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

void Runner::run(Waiting waiting) {
  state_->run([waiting](Recording& launches, bool) { launches.replay(waiting); });
  state_->retired.clear();
}

std::vector<std::int64_t> Runner::run_timed() {
  std::vector<std::int64_t> times;
  for (const LaunchInterval& interval : run_intervals()) times.push_back(interval.end - interval.start);
  return times;
}

std::vector<LaunchInterval> Runner::run_intervals() {
  std::vector<LaunchInterval> intervals;
  state_->run([&](Recording& launches, bool) {
    const std::vector<LaunchInterval> next = launches.replay_intervals();
    intervals.insert(intervals.end(), next.begin(), next.end());
  });
  return intervals;
}

void Runner::start() {
  state_->run([](Recording& launches, bool is_last) { is_last ? launches.start() : launches.replay(); });
}

void Runner::wait(Waiting waiting) {
  state_->device->finish(waiting);
  state_->retired.clear();
}

Buffer Runner::read(const std::string& output) const { return state_->read(state_->read_value(output)); }

void Runner::read(const std::string& output, std::span<std::byte> to) const {
  const Program::Value& value = state_->read_value(output);
  state_->check_read(value);
  state_->require_bytes("output", value, to.size());
  state_->memory->read_value(value, to);
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

std::vector<DeviceBinary> Runner::binaries() const { return state_->device->binaries(state_->kernels); }

void Runner::bind(const std::string& name, std::shared_ptr<DeviceBuffer> buffer) {
  const Program::Value& value = state_->own_value(name);
  DeviceMemory& own = state_->memory->of(value.tensor);
  if (own.image) throw Error(fmt::format("bind: \"{}\" is an image; it cannot be a buffer", name));
  const std::size_t bytes = state_->memory->most_bytes(value.tensor);
  const std::size_t found = buffer ? buffer->size_bytes() : 0;
  if (!buffer || found < bytes)
    throw ShapeError(fmt::format("bind: \"{}\" takes {} bytes, and the buffer has {}", name, bytes, found));
  state_->require_own_memory(value, *buffer);
  own.buffer = std::move(buffer);
  state_->note_bound(value);
}

void Runner::bind(const std::string& name, std::shared_ptr<DeviceImage> image) {
  const Program::Value& value = state_->own_value(name);
  DeviceMemory& own = state_->memory->of(value.tensor);
  if (!own.image) throw Error(fmt::format("bind: \"{}\" is a buffer; it cannot be an image", name));
  const ImageDescription wanted = state_->memory->wanted_image(value.tensor);
  if (!image)
    throw ShapeError(fmt::format("bind: \"{}\" is {}, and there is no image", name, to_string(wanted)));
  const ImageDescription& found = image->description();
  if (!found.is_read_as(wanted) || found.width != wanted.width || found.height != wanted.height ||
      found.layers != wanted.layers)
    throw ShapeError(
        fmt::format("bind: \"{}\" is {}, and the image is {}", name, to_string(wanted), to_string(found)));
  state_->require_own_memory(value, *image);
  state_->bound_images.insert_or_assign(value.tensor, State::Bound{name, image});
  own.image = std::move(image);
  state_->note_bound(value);
}

}  // namespace tensordsl
