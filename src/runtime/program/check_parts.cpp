#include "runtime/program/check_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "ir/nodes/function.h"
#include "runtime/program/shared_images.h"
#include "runtime/values/evaluate.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using TensorKind = Program::Tensor::Kind;

template <typename... Arguments>
[[noreturn]] void fail_of_part(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw ParseError("program: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}

class PartChecker {
 public:
  explicit PartChecker(const Program& program) : program_(program) {}

  void run() {
    for (const Program::Tensor& tensor : program_.tensors) check(tensor);
    check_shared_images();
    for (const Program::Param& param : program_.params) names_.insert(param.name);
    for (const Program::Count& count : program_.counts) check(count);
    for (const Program::Loop& loop : program_.loops) check(loop);
    for (const Program::Launch& launch : program_.launches) check(launch);
    for (const Program::HostStep& step : program_.host_steps) check(step);
    check_names(program_.inputs);
    check_names(program_.outputs);
  }

 private:
  void check(const Program::Tensor& t) const {
    const auto elements = t.elements.constant();
    if (elements && *elements < 0) fail_of_part("\"{}\" has a negative number of elements", t.name);
    if (t.image && t.image->channels != 1 && t.image->channels != 4)
      fail_of_part("the image \"{}\" must have 1 or 4 channels", t.name);
    if (t.slot >= 0 && t.kind != TensorKind::Intermediate)
      fail_of_part("\"{}\" has a slot; only intermediates can have one", t.name);
    if (t.offset != 0 && t.kind != TensorKind::Constant && t.slot < 0)
      fail_of_part("\"{}\" has an offset, but is neither a constant nor in a slot", t.name);
    if (t.slot >= 0) check_slot(t);
    if (!t.stored.layout.lead_params().empty())
      fail_of_part("\"{}\" begins at a Param of its memory; only operands of host steps can", t.name);
  }

  void check_slot(const Program::Tensor& t) const {
    const std::int64_t elements = evaluate(t.elements, {}), size = t.stored.type.bytes();
    const std::int64_t room = program_.slot_bytes[static_cast<std::size_t>(t.slot)] - t.offset;
    if (elements < 0 || room < 0 || elements > room / size) fail_of_part("\"{}\" exceeds its slot", t.name);
    if (t.offset % size != 0) {
      fail_of_part("\"{}\" is at {} in its slot, which is not a multiple of its type's {} bytes", t.name,
                   t.offset, size);
    }
  }

  /// Checks that the images of a slot are alike but for their sizes, and that it has room for one that all
  /// fit.
  void check_shared_images() const {
    std::map<int, const Program::Tensor*> first;
    for (const Program::Tensor& t : program_.tensors) {
      if (t.slot < 0) continue;
      const Program::Tensor& other = *first.try_emplace(t.slot, &t).first->second;
      if (t.image.has_value() != other.image.has_value())
        fail_of_part("\"{}\" and \"{}\" share a slot, but only one of them is an image", other.name, t.name);
      if (!t.image) continue;
      if (t.offset != 0) fail_of_part("the image \"{}\" must be at offset 0 of its slot", t.name);
      if (t.stored.type != other.stored.type || t.stored.image != other.stored.image ||
          t.image->channels != other.image->channels)
        fail_of_part("\"{}\" and \"{}\" share a slot, but are different kinds of images", other.name, t.name);
      for (const SizeExpr& side : {t.image->width, t.image->height, t.image->layers}) {
        if (evaluate(side, {}) < 1)
          fail_of_part("the image \"{}\" in a slot must have at least one texel", t.name);
      }
    }
    for (const auto& [slot, image] : shared_images(program_)) {
      // Computed as a real number, which does not overflow.
      const double texels = static_cast<double>(image.width) * static_cast<double>(image.height) *
                            static_cast<double>(image.layers);
      const auto room = static_cast<double>(program_.slot_bytes[static_cast<std::size_t>(slot)]);
      if (texels * image.channels * image.type.bytes() > room)
        fail_of_part("the images of slot {} do not fit into it", slot);
    }
  }

  void check(const Program::Count& count) {
    if (!names_.insert(count.param).second)
      fail_of_part("the name {} of a count is already in use", count.param);
    const Type type = program_.tensors[count.tensor].stored.type;
    if (type != Int(32) && type != Int(64))
      fail_of_part("the count {} is in a tensor of {}; expected i32 or i64", count.param, to_string(type));
    if (count.bound.type() != Int(32)) fail_of_part("the bound of the count {} must be i32", count.param);
  }

  void check(const Program::Loop& loop) {
    if (loop.step.empty() || !names_.insert(loop.step).second)
      fail_of_part("the name \"{}\" of a loop's step is empty or already in use", loop.step);
    if (!loop.taken.empty() && !names_.insert(loop.taken).second)
      fail_of_part("the name {} of the count of a loop's steps is already in use", loop.taken);
    if (loop.steps.type() != Int(32)) fail_of_part("the number of a loop's steps must be i32");
  }

  void check(const Program::Launch& launch) const {
    const KernelSource& kernel = program_.kernels[launch.kernel];
    if (launch.tensors.size() != kernel.arguments.size()) {
      fail_of_part("a launch of {} has {} arguments; expected {}", kernel.entry, launch.tensors.size(),
                   kernel.arguments.size());
    }
    for (std::size_t a = 0; a < kernel.arguments.size(); ++a)
      check_argument(kernel.arguments[a], launch.tensors[a]);
    if (launch.groups != kernel.launch.groups)
      fail_of_part("a launch of {} has a different number of work-groups than its kernel", kernel.entry);
  }

  void check_argument(const KernelArgument& argument, int tensor) const {
    if (argument.kind == KernelArgument::Kind::Scalar) {
      if (tensor != -1 || !names_.contains(argument.name))
        fail_of_part("the scalar argument {} is not a Param", argument.name);
      return;
    }
    const std::size_t count = program_.tensors.size();
    if (tensor < 0 || static_cast<std::size_t>(tensor) >= count)
      fail_of_part("tensor {} is out of range; there are {}", tensor, count);
    const Program::Tensor& t = program_.tensors[static_cast<std::size_t>(tensor)];
    const bool is_image = argument.kind == KernelArgument::Kind::Image;
    if (is_image != t.image.has_value() || argument.type != t.stored.type)
      fail_of_part("the argument {} does not match the storage of \"{}\"", argument.name, t.name);
    if (t.slot >= 0 && argument.alignment > 0 && t.offset % argument.alignment != 0) {
      fail_of_part("the argument {} needs alignment to {} bytes, but \"{}\" is at {} in its slot",
                   argument.name, argument.alignment, t.name, t.offset);
    }
  }

  static void check(const Program::HostStep& step) {
    using Operand = Program::HostStep::Operand;
    const auto check_operand = [&](const Operand& operand, bool is_input) {
      const auto function = std::ranges::find(step.definitions, operand.name, &ir::Function::name);
      if (function == step.definitions.end() || (*function)->is_input() != is_input ||
          (*function)->type() != operand.stored.type ||
          (*function)->rank() != static_cast<int>(operand.stored.extents.size()))
        fail_of_part("operand {} of a host step does not match its tensor", operand.name);
    };
    for (const Operand& operand : step.reads) check_operand(operand, true);
    for (const Operand& operand : step.writes) check_operand(operand, false);
    for (const ir::FunctionPtr& function : step.definitions) {
      const bool is_read = std::ranges::find(step.reads, function->name, &Operand::name) != step.reads.end();
      if (function->is_input() && !is_read)
        fail_of_part("operand {} of a host step has no tensor", function->name);
    }
  }

  static void check_names(const std::vector<Program::Value>& values) {
    std::set<std::string> names;
    for (const Program::Value& value : values) {
      if (!names.insert(value.name).second) fail_of_part("\"{}\" is listed twice", value.name);
    }
  }

  const Program& program_;
  std::set<std::string> names_;  // Params, counts, and names of loops
};

}  // namespace

void check_parts(const Program& program) { PartChecker(program).run(); }

}  // namespace tensordsl::runtime
