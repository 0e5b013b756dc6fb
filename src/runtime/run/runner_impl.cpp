#include "runtime/run/runner_impl.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/index_limit.h"
#include "runtime/run/run_host_step.h"
#include "runtime/values/check_requirements.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

KernelArgumentValue scalar_value(const KernelArgument& argument, const runtime::RunValues& values) {
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

/// Adds the Params that the launch has: its scalars, and those in its numbers of groups.
void note_params(const Program& program, const Program::Launch& launch, std::set<std::string>& params) {
  for (const KernelArgument& argument : program.kernels[launch.kernel].arguments) {
    if (argument.kind == KernelArgument::Kind::Scalar) params.insert(argument.name);
  }
  for (const SizeExpr& groups : launch.groups) {
    for (const std::string& name : names_in(groups)) params.insert(name);
  }
}

}  // namespace

void Runner::Impl::check_values() {
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

void Runner::Impl::check_type(const Program::Value& value) const {
  const Type stored = program->tensors[value.tensor].stored.type;
  if (value.type == stored || (value.type.is_float() && stored.is_float())) return;
  throw Error(
      fmt::format("the program is damaged: \"{}\" has type {}, but its memory has type {}; compile it again",
                  value.name, to_string(value.type), to_string(stored)));
}

void Runner::Impl::check_elements(const Program::Value& value) const {
  const auto count = [](const runtime::RunShape& shape) {
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
  const runtime::RunShape shape = values->shape(value.name, value.shape);
  const runtime::RunShape stored =
      is_inner ? runtime::RunShape() : values->shape(tensor.name, tensor.stored.extents);
  if (!is_inner && count(shape) == count(stored)) return;
  throw ShapeError(
      fmt::format("the program is damaged: \"{}\" is [{}], but its memory is for [{}]; compile it again",
                  value.name, fmt::join(shape, ", "), fmt::join(stored, ", ")));
}

void Runner::Impl::plan() {
  order = runtime::run_order(*program);
  has_changed_places.resize(program->loops.size());
  for (const runtime::RunStep& step : order) {
    Stretch& stretch = stretches.emplace_back();
    if (step.kind != runtime::RunStep::Kind::Launches) continue;
    stretch.first = step.first;
    stretch.last = step.last;
    for (std::size_t i = step.first; i < step.last; ++i)
      note_params(*program, program->launches[i], stretch.params);
  }
}

void Runner::Impl::check_requirements() { runtime::check_requirements(*program, *values, is_checked); }

auto Runner::Impl::recorded(Stretch& stretch) const -> Stretch::Recorded& {
  const auto changed = std::ranges::count(has_changed_places, true) + (states->is_swapped() ? 1 : 0);
  return stretch.recorded[static_cast<std::size_t>(changed % 2)];
}

bool Runner::Impl::is_ready(const Stretch& stretch, const Stretch::Recorded& recorded) const {
  return recorded.recording && recorded.places == has_changed_places && recorded.with == values_for(stretch);
}

void Runner::Impl::add_launches(const Stretch& stretch, std::vector<Launch>& launches) const {
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
      const runtime::DeviceMemory& own = memory->of(static_cast<std::size_t>(planned.tensors[a]));
      if (argument.kind == KernelArgument::Kind::Image) {
        launch.arguments.emplace_back(own.image);
      } else {
        launch.arguments.emplace_back(own.buffer);
      }
    }
    for (std::size_t d = 0; d < 3; ++d) launch.groups[d] = values->value(planned.groups[d]);
    launches.push_back(std::move(launch));
  }
}

void Runner::Impl::record(Stretch& stretch) {
  std::vector<Launch> launches;
  add_launches(stretch, launches);
  Stretch::Recorded& now = recorded(stretch);
  if (now.recording) retire(std::move(now.recording));
  now = {device->record(std::move(launches)), values_for(stretch), has_changed_places};
}

ParamValues Runner::Impl::values_for(const Stretch& stretch) const {
  ParamValues found = values->known();
  for (const Program::Loop& loop : program->loops) {
    if (!stretch.params.contains(loop.step)) found.erase(loop.step);
  }
  return found;
}

void Runner::Impl::run(const LaunchStretch& launch) {
  states->begin_run();
  if (!states->param().empty()) refit();
  for (const Program::Value& input : program->inputs) {
    if (!has_value[input.tensor] && !is_empty(input))
      throw Error(fmt::format("run: the input \"{}\" has no value; write it or bind a buffer", input.name));
  }
  for (const auto& [tensor, bound] : bound_images) {
    if (memory->of(tensor).image != bound.image)
      throw ShapeError(fmt::format("run: \"{}\" is now {}, but was bound to {}; bind it again", bound.name,
                                   to_string(memory->wanted_image(tensor)),
                                   to_string(bound.image->description())));
  }
  if (!program->counts.empty() || !program->loops.empty()) {
    values->forget_counts();
    is_checked.clear();
    check_requirements();
  }
  run_steps(0, order.size(), launch);
  states->note_run();
  has_run = true;
}

void Runner::Impl::run_steps(std::size_t first, std::size_t last, const LaunchStretch& launch) {
  for (std::size_t i = first; i < last; ++i) {
    const runtime::RunStep& step = order[i];
    switch (step.kind) {
      case runtime::RunStep::Kind::Launches: {
        Stretch& now = stretches[i];
        const Stretch::Recorded& ready = recorded(now);
        if (!is_ready(now, ready)) record(now);
        launch(*ready.recording, now.first, now.last, i + 1 == order.size());
        break;
      }
      case runtime::RunStep::Kind::Count:
        read_count(program->counts[step.first]);
        break;
      case runtime::RunStep::Kind::Host:
        runtime::run_host_step(program->host_steps[step.first], *values, *memory);
        break;
      case runtime::RunStep::Kind::Loop:
        run_loop(i, launch);
        i = step.last - 1;
        break;
    }
  }
}

bool Runner::Impl::is_empty(const Program::Value& value) const {
  return std::ranges::any_of(value.shape, [&](const SizeExpr& extent) { return values->value(extent) == 0; });
}

void Runner::Impl::check_params(const ParamValues& params) {
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

void Runner::Impl::set_params(const ParamValues& params) {
  const auto kept = params.find(states->param());
  if (kept != params.end()) states->check_length(kept->second.integer());
  check_params(params);
  if (kept == params.end()) {
    states->begin_run();
  } else if (!states->keep(kept->second.integer())) {
    have_states(false);
  }
  std::vector<runtime::RunShape> before;
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

void Runner::Impl::have_states(bool have) {
  for (const Program::State& state : program->states) has_value[program->inputs[state.input].tensor] = have;
}

void Runner::Impl::refit() {
  check_values();
  is_checked.clear();
  check_requirements();
  memory->fit();
}

void Runner::Impl::read_count(const Program::Count& count) {
  values->set(count, memory->read(count.tensor).get_int(0));
  check_requirements();
}

void Runner::Impl::require_own_memory(const Program::Value& value, KernelArgument::Access access,
                                      const void* given) const {
  const auto is_output = [&](const Program::Value& v) {
    return program->tensors[v.tensor].kind == Kind::Output;
  };
  using Access = KernelArgument::Access;
  const bool is_allowed = access == Access::ReadWrite || (!is_output(value) && access == Access::ReadOnly);
  if (!is_allowed)
    throw Error(
        fmt::format("bind: kernels can only {} the memory given for \"{}\"; create it with CL_MEM_READ_WRITE",
                    access == Access::ReadOnly ? "read" : "write", value.name));
  for (const auto* list : {&program->inputs, &program->outputs}) {
    for (const Program::Value& other : *list) {
      const runtime::DeviceMemory& has = memory->of(other.tensor);
      const bool is_same =
          (has.buffer && has.buffer->memory() == given) || (has.image && has.image->memory() == given);
      if (other.tensor == value.tensor || !is_same) continue;
      if (is_output(value) || is_output(other)) {
        throw Error(fmt::format("bind: \"{}\" is already bound to this {}; bind \"{}\" to another one",
                                other.name, has.image ? "image" : "buffer", value.name));
      }
    }
  }
}

bool Runner::Impl::overlaps_bound(const Program::Value& value, std::span<const std::byte> given) const {
  return std::ranges::any_of(bound_memory, [&](const auto& bound) {
    const auto& [tensor, other] = bound;
    const bool overlaps =
        given.data() < other.data() + other.size() && other.data() < given.data() + given.size();
    return tensor != value.tensor && overlaps;
  });
}

const Program::Value& Runner::Impl::value_of(const char* call, const std::string& name) const {
  const Program::Value* value = find(program->inputs, name);
  if (!value) value = find(program->outputs, name);
  if (!value) throw Error(fmt::format("{}: \"{}\" is not an input or output of the program", call, name));
  return *value;
}

std::string Runner::Impl::why_not_own(const Program::Value& value) const {
  if (program->tensors[value.tensor].kind == Kind::Constant) return "is a constant of the program";
  std::ptrdiff_t values_of_tensor = 0;
  for (const auto* list : {&program->inputs, &program->outputs})
    values_of_tensor += std::ranges::count(*list, value.tensor, &Program::Value::tensor);
  if (values_of_tensor > 1) return "shares its memory with another input or output";
  if (states->is_state(value)) return "is a state, whose memory belongs to the Runner";
  for (const Program::Loop& loop : program->loops) {
    if (std::ranges::count(loop.carried, value.tensor, &Program::Loop::Carried::now) > 0)
      return "is carried by a loop, which swaps its memory";
  }
  return "";
}

const Program::Value& Runner::Impl::own_value(const std::string& name) const {
  const Program::Value& value = value_of("bind", name);
  const std::string problem = why_not_own(value);
  if (!problem.empty()) throw Error(fmt::format("bind: \"{}\" {}", name, problem));
  return value;
}

std::uintptr_t Runner::Impl::alignment_of(std::size_t tensor) const {
  int alignment = 1;
  for (const Program::Launch& launch : program->launches) {
    for (std::size_t a = 0; a < launch.tensors.size(); ++a) {
      if (launch.tensors[a] == static_cast<int>(tensor))
        alignment = std::max(alignment, program->kernels[launch.kernel].arguments[a].alignment);
    }
  }
  return static_cast<std::uintptr_t>(alignment);
}

void Runner::Impl::note_bound(const Program::Value& value) {
  has_value[value.tensor] = true;
  for (Stretch& stretch : stretches) {
    for (Stretch::Recorded& recorded : stretch.recorded) {
      if (recorded.recording) retire(std::move(recorded.recording));
    }
    stretch.recorded = {};
  }
  forget_steps();
}

void Runner::Impl::retire(std::unique_ptr<Recording> recording) {
  retired.push_back(std::move(recording));
  // Its end waits for the queue. Where the caller waits for frames by other means, the oldest recordings have
  // ended.
  constexpr std::size_t kMostRetired = 64;
  if (retired.size() > kMostRetired) retired.erase(retired.begin(), retired.end() - kMostRetired / 2);
}

void Runner::Impl::require_own_format(const char* call, const Program::Value& value) const {
  const auto& image = memory->of(value.tensor).image;
  if (!image || image->description().type == program->tensors[value.tensor].stored.type) return;
  throw Error(fmt::format(
      "{}: \"{}\" is bound to {}, which has another type; {} that image directly, or bind {}", call,
      value.name, to_string(image->description()), call, to_string(memory->wanted_image(value.tensor))));
}

const Program::Value* Runner::Impl::find(const std::vector<Program::Value>& list,
                                         const std::string& name) const {
  const auto found = std::ranges::find(list, name, &Program::Value::name);
  return found == list.end() ? nullptr : &*found;
}

const Program::Value& Runner::Impl::written_value(const std::string& input) {
  const Program::Value* to = find(program->inputs, input);
  if (!to) throw Error(fmt::format("write: the program has no input \"{}\"", input));
  if (states->is_state(*to)) states->begin_run();
  require_own_format("write", *to);
  return *to;
}

const Program::Value& Runner::Impl::read_value(const std::string& output) const {
  const Program::Value* value = find(program->outputs, output);
  if (!value) throw Error(fmt::format("read: the program has no output \"{}\"", output));
  return *value;
}

void Runner::Impl::check_read(const Program::Value& output) const {
  require_own_format("read", output);
  values->shape(output.name, output.shape);
  if (!has_run && !states->is_state(output))
    throw Error(fmt::format("read: \"{}\" has no value yet; run first", output.name));
  check_elements(output);
}

Buffer Runner::Impl::read(const Program::Value& output) const {
  check_read(output);
  return memory->read_value(output);
}

void Runner::Impl::require_bytes(const char* kind, const Program::Value& value, std::size_t given) const {
  const runtime::RunShape shape = values->shape(value.name, value.shape);
  std::size_t bytes = static_cast<std::size_t>(value.type.bytes());
  for (const std::int64_t extent : shape) bytes *= static_cast<std::size_t>(extent);
  if (given == bytes) return;
  throw ShapeError(fmt::format("the {} \"{}\" needs {} [{}] of {} bytes, but the given memory has {}", kind,
                               value.name, to_string(value.type), fmt::join(shape, ", "), bytes, given));
}

}  // namespace tensordsl
