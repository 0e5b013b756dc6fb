#include "fuzz/opencl_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/device_list.h"
#include "backends/opencl/device/handle.h"
#include "backends/opencl/device/select_device.h"
#include "backends/opencl/emit/emit.h"
#include "ir/print.h"
#include "runtime/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::fuzz {
namespace {

using opencl::check;
using opencl::Context;
using opencl::Kernel;
using opencl::Memory;
using opencl::Program;
using opencl::Queue;

/// The texts of all kernels, with each helper function once.
class ProgramText {
 public:
  void add(const std::string& kernel) {
    const std::size_t start = kernel.find("__kernel");
    std::string helpers = kernel.substr(0, start);
    for (std::size_t end; (end = helpers.find("\n}\n")) != std::string::npos; helpers.erase(0, end + 3)) {
      const std::string helper = helpers.substr(0, end + 3);
      if (std::find(helpers_.begin(), helpers_.end(), helper) == helpers_.end()) helpers_.push_back(helper);
    }
    kernels_ += kernel.substr(start) + "\n";
  }

  std::string text() const {
    std::string text;
    for (const std::string& helper : helpers_) text += helper;
    return text + kernels_;
  }

 private:
  std::vector<std::string> helpers_;
  std::string kernels_;
};

cl_device_id choose_device() {
  const auto listed = opencl::list_devices();
  std::vector<DeviceInfo> infos;
  for (const auto& device : listed) infos.push_back(device.info);
  const char* environment = std::getenv("TENSORDSL_DEVICE");
  return listed[opencl::select_device(infos, "", environment ? environment : "")].id;
}

class Batch {
 public:
  explicit Batch(const std::vector<Result>& cases) : device_(choose_device()) {
    cl_int status = CL_SUCCESS;
    context_ = Context(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status));
    check(status, "clCreateContext");
    queue_ = Queue(clCreateCommandQueue(context_.get(), device_, 0, &status));
    check(status, "clCreateCommandQueue");
    ProgramText text;
    for (const Result& c : cases) {
      sources_.emplace_back();
      for (const lower::LoweredKernel& kernel : c.lowered.kernels) {
        sources_.back().push_back(opencl::emit(kernel));
        text.add(sources_.back().back().text);
      }
    }
    build(text.text());
  }

  std::string run(const Result& c, std::size_t number) {
    std::map<std::string, Memory> buffers;
    for (const Input& input : c.definition.inputs) {
      const Buffer stored = in_memory_order(c.definition.data.at(input.name()), input);
      buffers[input.name()] = allocate(stored.size_bytes(), stored.bytes().data());
    }
    for (const lower::Intermediate& i : c.lowered.intermediates) {
      const std::int64_t elements = evaluate(ir::print(i.elements), c.definition.params);
      buffers[i.name] = allocate(static_cast<std::size_t>(elements * i.type.bytes()), nullptr);
    }
    const Func& output = c.definition.output();
    Buffer result = in_memory_order(c.expected, output);
    std::fill(result.bytes().begin(), result.bytes().end(), std::byte{0xCD});
    buffers[output.name()] = allocate(result.size_bytes(), result.bytes().data());
    for (const KernelSource& source : sources_[number]) launch(source, buffers, c.definition.params);
    check(clEnqueueReadBuffer(queue_.get(), buffers.at(output.name()).get(), CL_TRUE, 0, result.size_bytes(),
                              result.bytes().data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return difference(c.definition, result, c.expected);
  }

 private:
  void build(const std::string& text) {
    const char* pointer = text.c_str();
    cl_int status = CL_SUCCESS;
    program_ = Program(clCreateProgramWithSource(context_.get(), 1, &pointer, nullptr, &status));
    check(status, "clCreateProgramWithSource");
    if (clBuildProgram(program_.get(), 1, &device_, "-cl-std=CL1.2", nullptr, nullptr) == CL_SUCCESS) return;
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program_.get(), device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    throw DeviceError("the program does not build:\n" + std::string(log.c_str()) + "\n" + text);
  }

  Memory allocate(std::size_t bytes, const void* data) const {
    cl_int status = CL_SUCCESS;
    Memory memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1), nullptr, &status));
    check(status, "clCreateBuffer");
    if (data && bytes > 0) {
      check(clEnqueueWriteBuffer(queue_.get(), memory.get(), CL_TRUE, 0, bytes, data, 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
    }
    return memory;
  }

  void launch(const KernelSource& source, const std::map<std::string, Memory>& buffers,
              const ParamValues& params) const {
    cl_int status = CL_SUCCESS;
    const Kernel kernel(clCreateKernel(program_.get(), source.entry.c_str(), &status));
    check(status, "clCreateKernel", source.entry);
    cl_uint number = 0;
    for (const KernelArgument& argument : source.arguments) set(kernel, number++, argument, buffers, params);
    std::size_t global[3], local[3];
    for (std::size_t d = 0; d < 3; ++d) {
      local[d] = static_cast<std::size_t>(source.launch.group_size[d]);
      global[d] = local[d] * static_cast<std::size_t>(evaluate(source.launch.groups[d], params));
      if (global[d] == 0) return;
    }
    check(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 3, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel", source.entry);
  }

  static void set(const Kernel& kernel, cl_uint number, const KernelArgument& argument,
                  const std::map<std::string, Memory>& buffers, const ParamValues& params) {
    const auto set_value = [&](auto value) {
      check(clSetKernelArg(kernel.get(), number, sizeof value, &value), "clSetKernelArg", argument.name);
    };
    if (argument.kind == KernelArgument::Kind::Buffer) return set_value(buffers.at(argument.name).get());
    const ParamValue& value = params.at(argument.name);
    if (argument.type.is_float()) return set_value(static_cast<cl_float>(value.number()));
    if (argument.type.bits == 64) return set_value(static_cast<cl_long>(value.integer()));
    set_value(static_cast<cl_int>(value.integer()));
  }

  cl_device_id device_;
  Context context_;
  Queue queue_;
  Program program_;
  std::vector<std::vector<KernelSource>> sources_;  // by case
};

}  // namespace

std::vector<std::string> run_on_device(const std::vector<Result>& cases) {
  Batch batch(cases);
  std::vector<std::string> differences;
  for (std::size_t i = 0; i < cases.size(); ++i) differences.push_back(batch.run(cases[i], i));
  return differences;
}

}  // namespace tensordsl::fuzz
