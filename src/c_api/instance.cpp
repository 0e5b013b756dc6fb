// Implements tdsl_instance_* and the functions on an instance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "c_api/describe_memory.h"
#include "c_api/describe_tensor.h"
#include "c_api/guarded.h"
#include "c_api/handles.h"
#include "tensordsl/error.h"
#include "tensordsl/opencl.h"

using namespace tensordsl;
using namespace tensordsl::c_api;

namespace {

/// An integer where it is one: sizes are integers.
ParamValue value_of(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (value == std::floor(value) && std::abs(value) <= kExact) return static_cast<std::int64_t>(value);
  return value;
}

ParamValues values_of(const tdsl_param* params, size_t count, const char* call) {
  ParamValues values;
  if (count > 0) require(params, call, "params");
  for (std::size_t i = 0; i < count; ++i) {
    require(params[i].name, call, "a param's name");
    values[params[i].name] = value_of(params[i].value);
  }
  return values;
}

void write_host_inputs(tdsl_instance& instance) {
  for (const auto& [name, memory] : instance.host_inputs) instance.runner.write(name, memory);
}

void read_host_outputs(const tdsl_instance& instance) {
  for (const auto& [name, memory] : instance.host_outputs) instance.runner.read(name, memory);
}

bool has(const std::vector<Program::Value>& values, const std::string& name) {
  return std::ranges::find(values, name, &Program::Value::name) != values.end();
}

/// Checks the size as far as extents are known; runs check it again.
void require_size(const tdsl_instance& instance, const std::string& name, std::span<std::byte> memory) {
  if (memory.data() == nullptr) return;
  const Program& program = *instance.package->program;
  for (const auto* list : {&program.inputs, &program.outputs}) {
    const auto value = std::ranges::find(*list, name, &Program::Value::name);
    if (value == list->end()) continue;
    const auto index = static_cast<std::size_t>(value - list->begin());
    const tdsl_tensor tensor = describe_tensor(*list, index, instance.runner.params(), "tdsl_bind_host");
    const bool is_known = std::ranges::find(tensor.shape, -1) == std::end(tensor.shape);
    if (is_known && tensor.bytes != memory.size())
      throw ShapeError(fmt::format("tdsl_bind_host: \"{}\" needs {} bytes, but the given memory has {}", name,
                                   tensor.bytes, memory.size()));
  }
}

/// Forgets the host's memory of a value that is now bound to memory of the device.
void forget_host(tdsl_instance& instance, const std::string& name) {
  instance.host_inputs.erase(name);
  instance.host_outputs.erase(name);
}

void bind_host(tdsl_instance& instance, const std::string& name, std::span<std::byte> memory) {
  const Program& program = *instance.package->program;
  if (!has(program.inputs, name) && !has(program.outputs, name))
    throw Error(fmt::format("tdsl_bind_host: \"{}\" is not an input or output of the program", name));
  require_size(instance, name, memory);
  auto& bound = has(program.inputs, name) ? instance.host_inputs : instance.host_outputs;
  if (memory.data() == nullptr) {
    bound.erase(name);
  } else {
    bound.insert_or_assign(name, memory);
  }
}

/// Binds the device memory into which `adopt` turns an OpenCL memory object, which the call names `what`.
template <typename Adopt>
tdsl_status bind_memory(const char* call, tdsl_instance* instance, const char* name, const char* what,
                        cl_mem memory, Adopt adopt) {
  return guarded([&] {
    require(instance, call, "instance");
    require(name, call, "name");
    require(memory, call, what);
    instance->runner.bind(name, adopt(*instance->device, memory));
    forget_host(*instance, name);
  });
}

}  // namespace

tdsl_status tdsl_instance_create(tdsl_package* package, tdsl_device* device, const tdsl_param* params,
                                 size_t count, tdsl_instance** instance) {
  if (instance != nullptr) *instance = nullptr;
  return guarded([&] {
    require(package, "tdsl_instance_create", "package");
    require(device, "tdsl_instance_create", "device");
    require(instance, "tdsl_instance_create", "instance");
    device->device->offer(package->package->binaries);
    Runner runner(package->package->program, *device->device,
                  values_of(params, count, "tdsl_instance_create"));
    *instance = new tdsl_instance{package->package, device->device, std::move(runner), {}, {}, false};
  });
}

void tdsl_instance_close(tdsl_instance* instance) { delete instance; }

tdsl_status tdsl_set_params(tdsl_instance* instance, const tdsl_param* params, size_t count) {
  return guarded([&] {
    require(instance, "tdsl_set_params", "instance");
    instance->runner.set_params(values_of(params, count, "tdsl_set_params"));
  });
}

tdsl_status tdsl_clear_states(tdsl_instance* instance) {
  return guarded([&] {
    require(instance, "tdsl_clear_states", "instance");
    instance->runner.clear_states();
  });
}

tdsl_status tdsl_input(const tdsl_instance* instance, size_t index, tdsl_tensor* input) {
  return guarded([&] {
    require(instance, "tdsl_input", "instance");
    require(input, "tdsl_input", "input");
    *input =
        describe_tensor(instance->package->program->inputs, index, instance->runner.params(), "tdsl_input");
  });
}

tdsl_status tdsl_output(const tdsl_instance* instance, size_t index, tdsl_tensor* output) {
  return guarded([&] {
    require(instance, "tdsl_output", "instance");
    require(output, "tdsl_output", "output");
    *output =
        describe_tensor(instance->package->program->outputs, index, instance->runner.params(), "tdsl_output");
  });
}

tdsl_status tdsl_write(tdsl_instance* instance, const char* input, const void* data, size_t bytes) {
  return guarded([&] {
    require(instance, "tdsl_write", "instance");
    require(input, "tdsl_write", "input");
    if (bytes > 0) require(data, "tdsl_write", "data");
    instance->runner.write(input, std::span(static_cast<const std::byte*>(data), bytes));
  });
}

tdsl_status tdsl_read(tdsl_instance* instance, const char* output, void* data, size_t bytes) {
  return guarded([&] {
    require(instance, "tdsl_read", "instance");
    require(output, "tdsl_read", "output");
    if (bytes > 0) require(data, "tdsl_read", "data");
    if (!instance->was_run && has(instance->package->program->outputs, output))
      throw Error("tdsl_read: the instance has not run yet; call tdsl_run first");
    instance->runner.read(output, std::span(static_cast<std::byte*>(data), bytes));
  });
}

tdsl_status tdsl_bind_host(tdsl_instance* instance, const char* name, void* data, size_t bytes) {
  return guarded([&] {
    require(instance, "tdsl_bind_host", "instance");
    require(name, "tdsl_bind_host", "name");
    bind_host(*instance, name, {static_cast<std::byte*>(data), bytes});
  });
}

tdsl_status tdsl_memory_of(const tdsl_instance* instance, const char* name, tdsl_memory* memory) {
  return guarded([&] {
    require(instance, "tdsl_memory_of", "instance");
    require(name, "tdsl_memory_of", "name");
    require(memory, "tdsl_memory_of", "memory");
    *memory =
        describe_memory(*instance->package->program, name, instance->runner.params(), instance->layouts);
  });
}

tdsl_status tdsl_bind_buffer(tdsl_instance* instance, const char* name, _cl_mem* buffer) {
  return bind_memory("tdsl_bind_buffer", instance, name, "buffer", buffer, opencl::buffer_of);
}

tdsl_status tdsl_bind_image(tdsl_instance* instance, const char* name, _cl_mem* image) {
  return bind_memory("tdsl_bind_image", instance, name, "image", image, opencl::image_of);
}

tdsl_status tdsl_run(tdsl_instance* instance) {
  return guarded([&] {
    require(instance, "tdsl_run", "instance");
    write_host_inputs(*instance);
    instance->runner.run();
    instance->was_run = true;
    read_host_outputs(*instance);
  });
}

tdsl_status tdsl_start(tdsl_instance* instance, _cl_event* const* wait_for, size_t count, _cl_event** done) {
  if (done != nullptr) *done = nullptr;
  return guarded([&] {
    require(instance, "tdsl_start", "instance");
    if (count > 0) require(wait_for, "tdsl_start", "wait_for");
    // Copies of the host's memory come first: after the events they would wait for them.
    write_host_inputs(*instance);
    opencl::wait_for(*instance->device, {wait_for, count});
    instance->runner.start();
    instance->was_run = true;
    if (done != nullptr) *done = opencl::completion_of(*instance->device);
  });
}

tdsl_status tdsl_wait(tdsl_instance* instance) {
  return guarded([&] {
    require(instance, "tdsl_wait", "instance");
    instance->runner.wait();
    if (instance->was_run) read_host_outputs(*instance);
  });
}
