#include "fuzz/opencl_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "backends/opencl/device/check.h"
#include "backends/opencl/device/create_image.h"
#include "backends/opencl/device/device_list.h"
#include "backends/opencl/device/handle.h"
#include "backends/opencl/emit/emit_opencl.h"
#include "ir/text/print.h"
#include "runtime/device/select_device.h"
#include "runtime/values/evaluate.h"
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
    const std::size_t start =
        std::min(kernel.find("#if defined(cl_intel_required_subgroup_size)"), kernel.find("__kernel"));
    std::string helpers = kernel.substr(0, start);
    // A sampler is one line, and so is a directive; a function ends with its brace.
    for (std::size_t end; (end = end_of_helper(helpers)) != std::string::npos; helpers.erase(0, end)) {
      const std::string helper = helpers.substr(0, end);
      const bool is_known = std::find(helpers_.begin(), helpers_.end(), helper) != helpers_.end();
      if (!is_known || helper.starts_with("#")) helpers_.push_back(helper);
    }
    kernels_ += kernel.substr(start) + "\n";
  }

  std::string text() const {
    std::string text;
    for (const std::string& helper : helpers_) text += helper;
    return text + kernels_;
  }

 private:
  static std::size_t end_of_helper(const std::string& helpers) {
    const bool is_line = helpers.starts_with("__constant") || helpers.starts_with("#");
    const std::size_t last = helpers.find(is_line ? "\n" : "\n}\n");
    return last == std::string::npos ? last : last + (is_line ? 1 : 3);
  }

  std::vector<std::string> helpers_;
  std::string kernels_;
};

opencl::ListedDevice choose_device() {
  const auto listed = opencl::list_devices();
  std::vector<DeviceInfo> infos;
  for (const auto& device : listed) infos.push_back(device.info);
  const char* environment = std::getenv("TENSORDSL_DEVICE");
  return listed[runtime::select_device(infos, "", environment ? environment : "")];
}

class Batch {
 public:
  Batch(const std::vector<Result>& cases, std::size_t kernels_of_program, const opencl::ListedDevice& device)
      : device_(device.id), info_(device.info) {
    cl_int status = CL_SUCCESS;
    context_ = Context(clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &status));
    check(status, "clCreateContext");
    queue_ = Queue(clCreateCommandQueue(context_.get(), device_, 0, &status));
    check(status, "clCreateCommandQueue");
    ProgramText text;
    std::size_t kernels = 0;
    for (const Result& c : cases) {
      if (kernels > 0 && kernels + c.lowered.kernels.size() > kernels_of_program) {
        programs_.push_back(build(std::exchange(text, {}).text()));
        kernels = 0;
      }
      programs_of_cases_.push_back(programs_.size());
      sources_.emplace_back();
      for (const lower::LoweredKernel& kernel : c.lowered.kernels) {
        sources_.back().push_back(opencl::emit(kernel));
        text.add(sources_.back().back().text);
      }
      kernels += c.lowered.kernels.size();
    }
    if (!cases.empty()) programs_.push_back(build(text.text()));
  }

  std::string run(const Result& c, std::size_t number) {
    Tensors tensors;
    for (const Input& input : c.definition.inputs) {
      const Buffer stored = in_memory_order(c.definition.data.at(input.name()), input);
      tensors[input.name()] = allocate(input.name(), number, c.definition.params, stored.size_bytes());
      write(tensors[input.name()], stored);
    }
    for (const lower::Intermediate& i : c.lowered.intermediates) {
      const std::int64_t elements = runtime::evaluate(ir::print(i.elements), c.definition.params);
      tensors[i.name] = allocate(i.name, number, c.definition.params,
                                 static_cast<std::size_t>(elements * i.stored.type.bytes()));
    }
    std::vector<Buffer> results;
    for (const Func& output : c.definition.outputs) {
      for (int component = 0; component < output.outputs(); ++component) {
        const std::string& name = c.lowered.outputs[results.size()];
        results.push_back(in_memory_order(c.expected[results.size()], output));
        Buffer& result = results.back();
        std::fill(result.bytes().begin(), result.bytes().end(), std::byte{0xCD});
        tensors[name] = allocate(name, number, c.definition.params, result.size_bytes());
        write(tensors[name], result);
      }
    }
    const Program& program = programs_[programs_of_cases_[number]];
    for (const KernelSource& source : sources_[number]) launch(program, source, tensors, c.definition.params);
    for (std::size_t i = 0; i < results.size(); ++i) read(tensors.at(c.lowered.outputs[i]), results[i]);
    return difference(c.definition, results, c.expected, c.definition.tolerances);
  }

 private:
  Program build(const std::string& text) const {
    const char* pointer = text.c_str();
    cl_int status = CL_SUCCESS;
    Program program(clCreateProgramWithSource(context_.get(), 1, &pointer, nullptr, &status));
    check(status, "clCreateProgramWithSource");
    // Sub-groups came with OpenCL C 2.0.
    const bool is_plain = text.find("sub_group_reduce") == std::string::npos;
    if (clBuildProgram(program.get(), 1, &device_, is_plain ? "-cl-std=CL1.2" : "-cl-std=CL3.0", nullptr,
                       nullptr) == CL_SUCCESS)
      return program;
    std::string log(1 << 16, '\0');
    clGetProgramBuildInfo(program.get(), device_, CL_PROGRAM_BUILD_LOG, log.size(), log.data(), nullptr);
    throw DeviceError("the program does not build:\n" + std::string(log.c_str()) + "\n" + text);
  }

  /// A buffer or an image.
  struct Tensor {
    Memory buffer;
    std::shared_ptr<opencl::OpenClImage> image;

    cl_mem handle() const { return image ? image->object.get() : buffer.get(); }
    /// The memory on which copies of linear data act; null for an image that has texels of its own.
    cl_mem linear() const { return image ? image->storage.get() : buffer.get(); }
  };
  using Tensors = std::map<std::string, Tensor>;

  /// Allocates memory of the kind that the case's kernels take.
  Tensor allocate(const std::string& name, std::size_t number, const ParamValues& params,
                  std::size_t bytes) const {
    for (const KernelSource& source : sources_[number]) {
      for (const KernelArgument& a : source.arguments) {
        if (a.name != name || a.kind != KernelArgument::Kind::Image) continue;
        return {Memory(), opencl::create_image(context_, info_,
                                               ImageDescription{a.image, a.channels, a.type,
                                                                runtime::evaluate(a.width, params),
                                                                runtime::evaluate(a.height, params),
                                                                runtime::evaluate(a.layers, params)})};
      }
    }
    cl_int status = CL_SUCCESS;
    Tensor tensor{Memory(clCreateBuffer(context_.get(), CL_MEM_READ_WRITE, std::max<std::size_t>(bytes, 1),
                                        nullptr, &status)),
                  nullptr};
    check(status, "clCreateBuffer");
    return tensor;
  }

  void write(const Tensor& to, const Buffer& data) const {
    if (data.size_bytes() == 0) return;
    if (to.linear()) {
      check(clEnqueueWriteBuffer(queue_.get(), to.linear(), CL_TRUE, 0, data.size_bytes(),
                                 data.bytes().data(), 0, nullptr, nullptr),
            "clEnqueueWriteBuffer");
      return;
    }
    const std::size_t origin[3] = {0, 0, 0};
    const auto region = opencl::region_of(to.image->what);
    check(clEnqueueWriteImage(queue_.get(), to.handle(), CL_TRUE, origin, region.data(), 0, 0,
                              data.bytes().data(), 0, nullptr, nullptr),
          "clEnqueueWriteImage");
  }

  void read(const Tensor& from, Buffer& data) const {
    if (data.size_bytes() == 0) return;
    if (from.linear()) {
      check(clEnqueueReadBuffer(queue_.get(), from.linear(), CL_TRUE, 0, data.size_bytes(),
                                data.bytes().data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      return;
    }
    const std::size_t origin[3] = {0, 0, 0};
    const auto region = opencl::region_of(from.image->what);
    check(clEnqueueReadImage(queue_.get(), from.handle(), CL_TRUE, origin, region.data(), 0, 0,
                             data.bytes().data(), 0, nullptr, nullptr),
          "clEnqueueReadImage");
  }

  void launch(const Program& program, const KernelSource& source, const Tensors& tensors,
              const ParamValues& params) const {
    cl_int status = CL_SUCCESS;
    const Kernel kernel(clCreateKernel(program.get(), source.entry.c_str(), &status));
    check(status, "clCreateKernel", source.entry);
    cl_uint number = 0;
    for (const KernelArgument& argument : source.arguments) set(kernel, number++, argument, tensors, params);
    std::size_t global[3], local[3];
    for (std::size_t d = 0; d < 3; ++d) {
      local[d] = static_cast<std::size_t>(source.launch.group_size[d]);
      global[d] = local[d] * static_cast<std::size_t>(runtime::evaluate(source.launch.groups[d], params));
      if (global[d] == 0) return;
    }
    check(clEnqueueNDRangeKernel(queue_.get(), kernel.get(), 3, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel", source.entry);
  }

  static void set(const Kernel& kernel, cl_uint number, const KernelArgument& argument,
                  const Tensors& tensors, const ParamValues& params) {
    const auto set_value = [&](auto value) {
      check(clSetKernelArg(kernel.get(), number, sizeof value, &value), "clSetKernelArg", argument.name);
    };
    if (argument.kind != KernelArgument::Kind::Scalar) return set_value(tensors.at(argument.name).handle());
    const ParamValue& value = params.at(argument.name);
    // Unsigned ones have the same bits.
    if (argument.type == Float(64)) return set_value(static_cast<cl_double>(value.number()));
    if (argument.type.is_float()) return set_value(static_cast<cl_float>(value.number()));
    if (argument.type.bits == 64) return set_value(static_cast<cl_long>(value.integer()));
    set_value(static_cast<cl_int>(value.integer()));
  }

  cl_device_id device_;
  DeviceInfo info_;
  Context context_;
  Queue queue_;
  std::vector<Program> programs_;
  std::vector<std::size_t> programs_of_cases_;      // by case, an index into programs_
  std::vector<std::vector<KernelSource>> sources_;  // by case
};

}  // namespace

DeviceInfo device_of_batch() { return choose_device().info; }

std::vector<std::string> run_on_device(const std::vector<Result>& cases, int kernels_of_program) {
  Batch batch(cases, static_cast<std::size_t>(kernels_of_program), choose_device());
  std::vector<std::string> differences;
  for (std::size_t i = 0; i < cases.size(); ++i) differences.push_back(batch.run(cases[i], i));
  return differences;
}

}  // namespace tensordsl::fuzz
