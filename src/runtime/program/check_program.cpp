#include "runtime/program/check_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "base/lexer.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "runtime/program/run_order.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using Kind = Program::Tensor::Kind;
using Names = std::set<std::string>;

template <typename... Arguments>
[[noreturn]] void fail(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw ParseError("program: " + fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Checks the names in a definition of a host step.
void check_names(const Expr& size, const Names& known, const std::string& what) {
  ir::visit(size, [&](const Expr& e) {
    if (e->kind == ir::ExprKind::Var && !known.contains(e->name))
      fail("{} uses {}, which is not a Param or a count known at that point", what, e->name);
    return true;
  });
}

void check_names(const std::vector<Expr>& sizes, const Names& known, const std::string& what) {
  for (const Expr& size : sizes) check_names(size, known, what);
}

void check_names(const SizeExpr& size, const Names& known, const std::string& what) {
  for (const std::string& name : names_in(size)) {
    if (!known.contains(name))
      fail("{} uses {}, which is not a Param or a count known at that point", what, name);
  }
}

void check_names(std::span<const SizeExpr> sizes, const Names& known, const std::string& what) {
  for (const SizeExpr& size : sizes) check_names(size, known, what);
}

bool is_name(const std::string& text) {
  return !text.empty() && is_letter(text[0]) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

/// Follows the steps of a run.
class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {
    for (const Program::Param& param : program.params) known_.insert(param.name);
    for (std::size_t t = 0; t < program.tensors.size(); ++t) {
      if (is_given(t) || program.tensors[t].kind == Kind::State) written_.insert(t);
    }
  }

  void run() {
    for (const Program::Value& input : program_.inputs)
      check_names(input.shape, known_, fmt::format("the input \"{}\"", input.name));
    states();
    const std::vector<RunStep> order = run_order(program_);
    steps(order, 0, order.size());
    for (const Program::Tensor& tensor : program_.tensors) check_sizes(tensor);
    for (const Program::Value& output : program_.outputs) {
      check_names(output.shape, known_, fmt::format("the output \"{}\"", output.name));
      if (!written_.contains(output.tensor)) fail("the output \"{}\" is never written", output.name);
    }
    for (const Program::Loop& loop : program_.loops) known_.insert(loop.step);
    for (const ReadRequirement& r : program_.requirements)
      check_names(std::array{r.when, r.begin, r.end, r.extent}, known_,
                  fmt::format("a requirement of {}", r.reader));
    for (const FactorRequirement& f : program_.factors) {
      check_names(f.when, known_, fmt::format("a factor of {}", f.reader));
      if (!known_.contains(f.param))
        fail("an index of {} has the factor {}, which is not a Param", f.reader, f.param);
    }
  }

 private:
  void steps(const std::vector<RunStep>& order, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const RunStep& step = order[i];
      switch (step.kind) {
        case RunStep::Kind::Launches:
          for (std::size_t l = step.first; l < step.last; ++l) launch(program_.launches[l]);
          break;
        case RunStep::Kind::Count:
          count(program_.counts[step.first]);
          break;
        case RunStep::Kind::Host:
          host_step(program_.host_steps[step.first]);
          break;
        case RunStep::Kind::Loop:
          loop(program_.loops[step.first], [&] { steps(order, i + 1, step.last); });
          i = step.last - 1;
          break;
      }
    }
  }

  /// Checks that carried tensors are written before the loop, and in each step.
  template <typename Steps>
  void loop(const Program::Loop& loop, const Steps& run_steps) {
    const std::string what = fmt::format("the loop over {}", loop.step);
    check_names(loop.steps, known_, what);
    if (loop.taken.empty() == loop.condition.has_value())
      fail("{} must have both a condition and a count of its steps, or neither", what);
    std::set<std::size_t> places;
    for (const Program::Loop::Carried& carried : loop.carried) {
      const Program::Tensor &now = program_.tensors[carried.now], &next = program_.tensors[carried.next];
      read(carried.now, what);
      if (is_given(carried.now) || is_given(carried.next) || now.image || next.image ||
          !places.insert(carried.now).second || !places.insert(carried.next).second)
        fail("{} carries \"{}\", which does not have its own memory", what, now.name);
      if (now.stored.type != next.stored.type || now.elements != next.elements || now.slot >= 0 ||
          next.slot >= 0 || next.kind != Kind::Intermediate)
        fail(
            "{} carries \"{}\", but its next value \"{}\" is not an intermediate of the same type and size "
            "with its own memory",
            what, now.name, next.name);
    }
    known_.insert(loop.step);
    run_steps();
    known_.erase(loop.step);
    for (const Program::Loop::Carried& carried : loop.carried) read(carried.next, what);
    if (loop.condition) read(*loop.condition, what);
    if (!loop.taken.empty()) known_.insert(loop.taken);
  }

  bool is_given(std::size_t tensor) const {
    const Kind kind = program_.tensors[tensor].kind;
    return kind == Kind::Input || kind == Kind::Constant;
  }

  void write(std::size_t tensor, const std::string& writer) {
    if (is_given(tensor)) {
      fail("{} writes \"{}\", which is {}", writer, program_.tensors[tensor].name,
           program_.tensors[tensor].kind == Kind::Input ? "an input" : "a constant");
    }
    written_.insert(tensor);
  }

  void read(std::size_t tensor, const std::string& reader) const {
    if (!written_.contains(tensor))
      fail("{} reads \"{}\", which was not written before", reader, program_.tensors[tensor].name);
  }

  /// Checks that each input and output has one state at most, in the order of inputs, and that growing states
  /// share one Param.
  void states() const {
    std::string param;
    SizeExpr next;
    std::set<std::size_t> kept, outputs;
    for (std::size_t i = 0; i < program_.states.size(); ++i) {
      const Program::State& state = program_.states[i];
      const Program::Value &input = program_.inputs[state.input], &output = program_.outputs[state.output];
      const std::string what = fmt::format("the state \"{}\"", input.name);
      if (!outputs.insert(state.output).second || (i > 0 && state.input <= program_.states[i - 1].input))
        fail("{} is out of order, or its output belongs to another state", what);
      if (input.type != output.type || input.shape.size() != output.shape.size())
        fail("{} and its output \"{}\" have different types or ranks", what, output.name);
      for (std::size_t d = 0; d < input.shape.size(); ++d) {
        const SizeExpr &from = input.shape[d], &to = output.shape[d];
        if (static_cast<int>(d) != state.axis) {
          if (from != to) fail("{} and its output have different extents in dimension {}", what, d);
          continue;
        }
        const std::string length(from.name());
        if (from.kind() != SizeExpr::Kind::Name || !known_.contains(length))
          fail("{} grows along dimension {}, whose extent is not a Param", what, d);
        if (!param.empty() && (param != length || next != to))
          fail("{} grows differently from the state before it", what);
        param = length;
        next = to;
      }
      if (state.axis >= static_cast<int>(input.shape.size()))
        fail("{} has no dimension {}", what, state.axis);
      if (program_.tensors[input.tensor].kind == Kind::State) kept.insert(input.tensor);
      if (program_.tensors[input.tensor].kind == Kind::State && !begins_in_place(state))
        fail("{} and its output do not begin at the same place in memory", what);
    }
    for (std::size_t t = 0; t < program_.tensors.size(); ++t) {
      if (program_.tensors[t].kind == Kind::State && !kept.contains(t))
        fail("the tensor \"{}\" does not belong to a state", program_.tensors[t].name);
    }
  }

  /// True if one tensor holds both, and new elements are appended after the old ones.
  bool begins_in_place(const Program::State& state) const {
    const Program::Value &input = program_.inputs[state.input], &output = program_.outputs[state.output];
    const Layout& layout = program_.tensors[input.tensor].stored.layout;
    return input.tensor == output.tensor && state.axis >= 0 && layout.rank() > 0 &&
           layout.terms()[0] == Layout::Term{.dim = state.axis} && !program_.tensors[input.tensor].image;
  }

  void launch(const Program::Launch& launch) {
    const KernelSource& kernel = program_.kernels[launch.kernel];
    const std::string what = "the launch of " + kernel.entry;
    check_names(launch.groups, known_, what);
    for (std::size_t a = 0; a < kernel.arguments.size(); ++a) {
      const KernelArgument& argument = kernel.arguments[a];
      if (argument.kind == KernelArgument::Kind::Scalar) {
        if (!known_.contains(argument.name))
          fail("{} takes {}, which is not a Param or a count known at that point", what, argument.name);
      } else if (argument.access == KernelArgument::Access::ReadOnly) {
        read(static_cast<std::size_t>(launch.tensors[a]), what);
      }
    }
    for (std::size_t a = 0; a < kernel.arguments.size(); ++a) {
      const KernelArgument& argument = kernel.arguments[a];
      if (argument.kind != KernelArgument::Kind::Scalar &&
          argument.access != KernelArgument::Access::ReadOnly)
        write(static_cast<std::size_t>(launch.tensors[a]), what);
    }
  }

  void count(const Program::Count& count) {
    const std::string what = "the count " + count.param;
    check_names(count.bound, known_, what);
    read(count.tensor, what);
    known_.insert(count.param);
  }

  void host_step(const Program::HostStep& step) {
    const std::string what = fmt::format("the host step {}", step.label);
    for (const ir::FunctionPtr& function : step.definitions) check_function(*function, what);
    for (const auto& operand : step.reads) {
      check_names(operand.stored.extents, known_, what);
      read(operand.tensor, what);
    }
    for (const auto& operand : step.writes) {
      check_names(operand.stored.extents, known_, what);
      write(operand.tensor, what);
    }
  }

  void check_function(const ir::Function& function, const std::string& step) const {
    check_names(function.shape, known_, step);
    for (const ir::Definition& definition : function.definitions) {
      Names here = known_;
      const auto add = [&](const std::string& name) {
        if (!is_name(name)) fail("{} has the index \"{}\", which is not a valid name", step, name);
        here.insert(name);
      };
      for (const ir::ReductionAxis& axis : definition.domain) {
        check_names(std::vector{axis.min, axis.extent}, known_, step);
        add(axis.name);
      }
      for (const std::string& dim : function.dims) add(dim);
      check_names(definition.args, here, step);
      check_names(definition.values, here, step);
      if (definition.predicate.defined()) check_names(definition.predicate, here, step);
    }
  }

  void check_sizes(const Program::Tensor& tensor) const {
    const std::string what = fmt::format("the size of \"{}\"", tensor.name);
    check_names(tensor.stored.extents, known_, what);
    check_names(tensor.elements, known_, what);
    if (!tensor.image) return;
    check_names(std::array{tensor.image->width, tensor.image->height, tensor.image->layers}, known_, what);
  }

  const Program& program_;
  Names known_;                    // Params, and counts that are known at the current step
  std::set<std::size_t> written_;  // tensors
};

}  // namespace

void check_program(const Program& program) { Checker(program).run(); }

}  // namespace tensordsl::runtime
