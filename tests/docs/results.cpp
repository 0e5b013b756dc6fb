#include "docs/results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ir/nodes/function.h"
#include "runtime/values/evaluate.h"
#include "schedule/func_schedule.h"

namespace tensordsl::docs {
namespace {

/// Elements with one another below each other, a row to a line.
std::string table_of(const std::string& label, const Buffer& buffer) {
  std::size_t width = 0;
  for (std::int64_t i = 0; i < buffer.elements(); ++i)
    width = std::max(width, element_text(buffer, i).size());
  const bool is_flat = buffer.shape().size() < 2;
  const std::int64_t columns = is_flat ? std::max<std::int64_t>(buffer.elements(), 1) : buffer.shape().back();
  std::string text = label + ":";
  for (std::int64_t i = 0; i < buffer.elements(); ++i) {
    if (i > 0 && i % columns == 0) text += "\n" + std::string(label.size() + 1, ' ');
    text += fmt::format(" {:>{}}", element_text(buffer, i), is_flat ? 0 : width);
  }
  return text + "\n";
}

std::string text_of(const std::vector<Func>& outputs, const std::vector<Buffer>& results) {
  std::string text;
  auto result = results.begin();
  for (const Func& output : outputs) {
    const int components = output.outputs();
    for (int c = 0; c < components; ++c, ++result)
      text += table_of(components == 1 ? output.name() : fmt::format("{}[{}]", output.name(), c), *result);
  }
  return text;
}

std::map<std::string, Buffer> all_inputs(const std::vector<Func>& outputs, const Arguments& arguments) {
  std::map<std::string, Buffer> inputs = arguments.inputs;
  std::vector<ir::FunctionPtr> functions;
  for (const Func& output : outputs) functions.push_back(output.shared());
  for (const ir::FunctionPtr& f : ir::reachable(functions)) {
    if (!f->is_input() || inputs.contains(f->name)) continue;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : f->shape) shape.push_back(runtime::evaluate(extent, arguments.params));
    inputs.emplace(f->name, counting(f->type(), shape));
  }
  return inputs;
}

}  // namespace

Buffer counting(Type type, const std::vector<std::int64_t>& shape) {
  Buffer buffer(type, shape);
  for (std::int64_t i = 0; i < buffer.elements(); ++i) buffer.set(i, static_cast<double>(i + 1));
  return buffer;
}

Buffer buffer_of(Type type, const std::vector<std::int64_t>& shape, const std::vector<double>& values) {
  Buffer buffer(type, shape);
  for (std::size_t i = 0; i < values.size(); ++i) buffer.set(static_cast<std::int64_t>(i), values[i]);
  return buffer;
}

std::string element_text(const Buffer& buffer, std::int64_t element) {
  if (buffer.type().is_bool()) return buffer.get_int(element) != 0 ? "true" : "false";
  if (buffer.type() == UInt(64))
    return fmt::format("{}", static_cast<std::uint64_t>(buffer.get_int(element)));
  if (!buffer.type().is_float()) return fmt::format("{}", buffer.get_int(element));
  const double value = buffer.get(element);
  if (std::isnan(value)) return "nan";  // of either sign
  return buffer.type() == Float(64) ? fmt::format("{}", value) : fmt::format("{}", static_cast<float>(value));
}

std::string results_of(const std::vector<Func>& outputs, const Arguments& arguments) {
  const auto inputs = all_inputs(outputs, arguments);
  const auto device = Device::open();
  const Pipeline pipeline(outputs);
  const auto& [given, params, shapes] = arguments;
  const std::string defined = text_of(outputs, pipeline.interpret(inputs, params, shapes));
  const std::string simulated = text_of(outputs, pipeline.simulate(inputs, params, shapes));
  if (simulated != defined)
    throw std::runtime_error("the simulator gives\n" + simulated + "instead of\n" + defined);
  const std::string computed = text_of(outputs, pipeline.realize_all(inputs, *device, params, shapes));
  if (computed != defined)
    throw std::runtime_error("the device gives\n" + computed + "instead of\n" + defined);
  return defined;
}

std::string results_of(const Func& output, const Arguments& arguments) {
  return results_of(std::vector<Func>{output}, arguments);
}

}  // namespace tensordsl::docs
