#include "pipeline/check_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/text/counted.h"
#include "ir/text/print.h"
#include "pipeline/all_params.h"
#include "runtime/values/evaluate.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

template <typename Values>
void check_names(std::string_view kind, const std::set<std::string>& known, const Values& given) {
  for (const auto& [name, value] : given) {
    if (known.contains(name)) continue;
    throw Error(fmt::format("realize: the pipeline has no {} \"{}\"; {}", kind, name,
                            known.empty() ? fmt::format("it has none")
                                          : fmt::format("there are \"{}\"", fmt::join(known, "\", \""))));
  }
}

}  // namespace

void check_params(const std::vector<ir::FunctionPtr>& outputs, const ParamValues& params) {
  std::set<std::string> known;
  for (const auto& [name, type] : all_params(ir::reachable(outputs))) {
    known.insert(name);
    if (const auto given = params.find(name); given != params.end()) require_fits(name, type, given->second);
  }
  check_names("Param", known, params);
}

void check_inputs(const std::vector<ir::FunctionPtr>& outputs, const std::map<std::string, Buffer>& inputs) {
  std::set<std::string> known;
  for (const ir::FunctionPtr& f : ir::reachable(outputs)) {
    if (f->is_input()) known.insert(f->name);
  }
  check_names("Input", known, inputs);
}

void check_index(const std::string& call, const ir::Function& function,
                 const std::vector<std::int64_t>& index, const std::map<std::string, Buffer>& inputs) {
  const std::string found = fmt::format("{}(\"{}\", {{{}}})", call, function.name, fmt::join(index, ", "));
  if (static_cast<int>(index.size()) != function.rank()) {
    throw DefinitionError(fmt::format("{}: expected an index for each of its {} dimension{}", found,
                                      function.rank(), function.rank() == 1 ? "" : "s"));
  }
  const auto input = inputs.find(function.name);
  if (input == inputs.end()) return;
  const std::vector<std::int64_t>& shape = input->second.shape();
  for (std::size_t d = 0; d < std::min(shape.size(), index.size()); ++d) {
    if (index[d] >= 0 && index[d] < shape[d]) continue;
    throw ShapeError(
        fmt::format("{}: the index is outside the Input's shape, [{}]", found, fmt::join(shape, ", ")));
  }
}

void check_outputs(const std::vector<ir::FunctionPtr>& outputs,
                   const std::map<std::string, std::vector<std::int64_t>>& shapes) {
  std::set<std::string> known;
  for (const ir::FunctionPtr& output : outputs) {
    known.insert(output->name);
    if (!output->definitions.empty()) continue;
    throw DefinitionError(fmt::format(
        "realize: {} has no definition; the output of a pipeline must be a defined Func", output->name));
  }
  check_names("output", known, shapes);
}

void check_shape(const ir::FunctionPtr& output, const ParamValues& params,
                 const std::vector<std::int64_t>& shape) {
  const std::vector<Expr>& bounds = schedule::scheduled(*output).schedule.bounds;
  if (bounds.empty() && static_cast<int>(shape.size()) != output->rank()) {
    throw ShapeError(fmt::format("realize: {} has {}, but no bound(); pass a shape with {}, found {}",
                                 output->name, counted(output->rank(), "dimension", "dimensions"),
                                 counted(output->rank(), "extent", "extents"), shape.size()));
  }
  if (bounds.empty() || shape.empty()) return;
  std::vector<std::int64_t> bound;
  for (const Expr& extent : bounds) bound.push_back(runtime::evaluate(extent, params));
  if (bound == shape) return;
  throw ShapeError(
      fmt::format("realize: {} has the shape [{}] by its bound(), but [{}] was requested; drop the shape, or "
                  "change the bound",
                  output->name, fmt::join(bound, ", "), fmt::join(shape, ", ")));
}

void check_constant(const std::vector<ir::FunctionPtr>& outputs, const std::string& input,
                    const Buffer& value) {
  std::vector<std::string> names;
  for (const ir::FunctionPtr& f : ir::reachable(outputs)) {
    if (!f->is_input()) continue;
    names.push_back(f->name);
    if (f->name != input) continue;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : f->shape) {
      const std::int64_t* number = ir::as_int(extent);
      if (number == nullptr) {
        throw ShapeError(
            fmt::format("set_constant(\"{}\"): the Input's shape depends on a Param, {}; a constant needs a "
                        "constant shape",
                        input, ir::print(extent)));
      }
      shape.push_back(*number);
    }
    if (f->type() == value.type() && shape == value.shape()) return;
    throw ShapeError(fmt::format("set_constant(\"{}\"): the Input is {} [{}], but the Buffer is {} [{}]",
                                 input, to_string(f->type()), fmt::join(shape, ", "), to_string(value.type()),
                                 fmt::join(value.shape(), ", ")));
  }
  throw Error(fmt::format("set_constant(\"{}\"): the pipeline has no such Input; its Inputs are {}", input,
                          names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace tensordsl
