#include "pipeline/build_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ir/nodes/size_conversion.h"
#include "ir/simplify/simplify.h"
#include "pipeline/all_params.h"
#include "runtime/program/pack_constants.h"
#include "runtime/program/storage.h"
#include "schedule/func_schedule.h"

namespace tensordsl {
namespace {

using Kind = Program::Tensor::Kind;

class ProgramBuilder {
 public:
  ProgramBuilder(const std::vector<ir::FunctionPtr>& outputs, const lower::LoweredPipeline& lowered,
                 std::vector<KernelSource> kernels, const std::map<std::string, Buffer>& constants)
      : outputs_(outputs), functions_(ir::reachable(outputs)), lowered_(lowered), constants_(constants) {
    program_.kernels = std::move(kernels);
  }

  Program run() {
    program_.name = outputs_.at(0)->name;
    add_inputs();
    for (const ir::FunctionPtr& output : outputs_) add_output(schedule::scheduled(*output));
    for (const lower::Intermediate& i : lowered_.intermediates)
      add_tensor({Kind::Intermediate, i.name, runtime::storage_of(i.stored), ir::to_size(i.elements)});
    add_launches();
    add_requirements();
    add_params();
    program_.constants = runtime::pack_constants(values_, program_.tensors);
    return std::move(program_);
  }

 private:
  std::size_t add_tensor(Program::Tensor tensor) {
    tensor.image = image_size(tensor.name);
    tensors_.emplace(tensor.name, program_.tensors.size());
    program_.tensors.push_back(std::move(tensor));
    return program_.tensors.size() - 1;
  }

  /// Returns the image size that the kernels that use the tensor declare.
  std::optional<Program::Tensor::ImageSize> image_size(const std::string& tensor) const {
    for (const KernelSource& kernel : program_.kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.name == tensor && a.kind == KernelArgument::Kind::Image)
          return Program::Tensor::ImageSize{a.channels, a.width, a.height, a.layers};
      }
    }
    return std::nullopt;
  }

  /// `image` is set only if a kernel uses the tensor as an image; a tensor that no kernel uses is a buffer.
  void add_value(Kind kind, const std::string& name, StoredTensor stored,
                 std::vector<Program::Value>& values) {
    if (!image_size(name)) stored.image.reset();
    for (Expr& extent : stored.extents) extent = ir::simplify(extent);
    Program::Storage storage = runtime::storage_of(stored);
    if (kind != Kind::Constant)
      values.push_back({name, storage.type, storage.extents, program_.tensors.size()});
    add_tensor({kind, name, std::move(storage), ir::to_size(stored.elements())});
  }

  /// Adds the inputs in the order in which the definitions read them, whatever the schedule and the kernels.
  void add_inputs() {
    for (const ir::FunctionPtr& f : functions_) {
      if (!f->is_input()) continue;
      const schedule::ScheduledFunction& input = schedule::scheduled(*f);
      const auto constant = constants_.find(f->name);
      if (constant != constants_.end() && std::ranges::count(lowered_.inputs, f->name) == 0) continue;
      if (constant != constants_.end()) values_.emplace(program_.tensors.size(), &constant->second);
      add_value(constant == constants_.end() ? Kind::Input : Kind::Constant, f->name,
                {input.type(), input.shape, input.layout_or_default(), input.schedule.image},
                program_.inputs);
    }
  }

  void add_output(const schedule::ScheduledFunction& output) {
    std::vector<Expr> extents = output.schedule.bounds;
    for (int d = 0; output.schedule.bounds.empty() && d < output.rank(); ++d)
      extents.push_back(ir::make_var(fmt::format("{}_extent_{}", output.name, d)));
    for (const int component : output.components()) {
      add_value(Kind::Output, ir::buffer_name(output.name, component),
                {output.type(component), extents, output.layout_or_default(), output.schedule.image},
                program_.outputs);
    }
  }

  void add_launches() {
    for (std::size_t k = 0; k < program_.kernels.size(); ++k) {
      const KernelSource& kernel = program_.kernels[k];
      Program::Launch launch{k, {}, kernel.launch.groups, kernel.entry, kernel.resources.flops};
      for (const KernelArgument& a : kernel.arguments) {
        const bool is_scalar = a.kind == KernelArgument::Kind::Scalar;
        launch.tensors.push_back(is_scalar ? -1 : static_cast<int>(tensors_.at(a.name)));
      }
      program_.launches.push_back(std::move(launch));
    }
  }

  void add_requirements() {
    for (const lower::ReadRequirement& r : lowered_.requirements) {
      const auto is_read = [&](const ir::FunctionPtr& f) { return f->is_input() && f->name == r.tensor; };
      const bool is_input = std::ranges::any_of(functions_, is_read);
      program_.requirements.push_back({r.reader, r.tensor, r.dimension, r.axis, condition(r.when),
                                       ir::to_size(r.begin), ir::to_size(r.end), ir::to_size(r.extent),
                                       is_input});
    }
    for (const lower::FactorRequirement& f : lowered_.factors) {
      program_.factors.push_back({f.reader, f.tensor, f.param, f.is_divisor ? 1 : 0, condition(f.when)});
    }
  }

  /// Returns the condition as a size; an undefined one always holds.
  static SizeExpr condition(const Expr& when) { return when.defined() ? ir::to_size(when) : 1; }

  /// All that the pipeline declares, whatever of them is left in kernels.
  void add_params() {
    std::map<std::string, Type> params = all_params(functions_);
    for (const KernelSource& kernel : program_.kernels) {
      for (const KernelArgument& a : kernel.arguments) {
        if (a.kind == KernelArgument::Kind::Scalar) params.emplace(a.name, a.type);
      }
    }
    // Outputs without bound() have Params of their own.
    for (const Program::Tensor& tensor : program_.tensors) {
      for (const SizeExpr& extent : tensor.stored.extents) {
        if (extent.kind() == SizeExpr::Kind::Name) params.emplace(extent.name(), extent.type());
      }
    }
    for (const auto& [name, type] : params) program_.params.push_back({name, type});
  }

  const std::vector<ir::FunctionPtr>& outputs_;
  const std::vector<ir::FunctionPtr> functions_;
  const lower::LoweredPipeline& lowered_;
  const std::map<std::string, Buffer>& constants_;  // constants by Input
  std::map<std::size_t, const Buffer*> values_;     // values by tensor
  Program program_;
  std::map<std::string, std::size_t> tensors_;  // indices by name
};

}  // namespace

Program build_program(const std::vector<ir::FunctionPtr>& outputs, const lower::LoweredPipeline& lowered,
                      std::vector<KernelSource> kernels, const std::map<std::string, Buffer>& constants) {
  return ProgramBuilder(outputs, lowered, std::move(kernels), constants).run();
}

}  // namespace tensordsl
