#include "docs/value_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "docs/results.h"
#include "ir/nodes/function.h"
#include "schedule/func_schedule.h"

namespace tensordsl::docs {

Expr Operands::element(Type type, double value) {
  const std::string name = to_string(type) + "_operands";
  const Input& operands = inputs_.try_emplace(name, name, type, std::vector<Expr>{kMost}).first->second;
  Buffer& buffer = buffers_.emplace(name, Buffer(type, {kMost})).first->second;
  const int index = used_[name]++;
  if (index >= kMost) throw std::runtime_error("a table has too many operands of " + to_string(type));
  buffer.set(index, value);
  return operands(index);
}

std::string Operands::values_of(const std::vector<Buffer>& values,
                                const std::vector<ValueExample>& examples) const {
  std::size_t width = 0;
  for (const ValueExample& e : examples) width = std::max(width, e.code.size());
  std::string text;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const Buffer& value = values[i];
    text += fmt::format("{:<{}}  // {}, {}\n", examples[i].code, width, element_text(value, 0),
                        to_string(value.type()));
  }
  return text;
}

std::string Operands::table(const std::vector<ValueExample>& examples) const {
  std::vector<Expr> values;
  for (const ValueExample& e : examples) values.push_back(e.value);
  Func all("all");
  all() = Tuple(values);
  all.bound({});
  std::map<std::string, Buffer> inputs;
  for (const ir::FunctionPtr& f : ir::reachable(all.shared())) {
    if (f->is_input()) inputs.emplace(f->name, buffers_.at(f->name));
  }
  const Pipeline pipeline(all);
  const std::string defined = values_of(pipeline.interpret(inputs), examples);
  const std::string simulated = values_of(pipeline.simulate(inputs), examples);
  if (simulated != defined)
    throw std::runtime_error("the simulator gives\n" + simulated + "instead of\n" + defined);
  const auto device = Device::open();
  const bool has_double = buffers_.contains("f64_operands");
  if (has_double && !device->info().has_fp64) return defined;
  const std::string computed = values_of(pipeline.realize_all(inputs, *device), examples);
  if (computed != defined)
    throw std::runtime_error("the device gives\n" + computed + "instead of\n" + defined);
  return defined;
}

}  // namespace tensordsl::docs
