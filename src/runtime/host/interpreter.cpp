#include "runtime/host/interpreter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <set>

#include "base/text/counted.h"
#include "runtime/host/element.h"
#include "runtime/host/evaluator.h"
#include "runtime/host/required_boxes.h"
#include "tensordsl/error.h"

namespace tensordsl::runtime {
namespace {

using ir::Definition;
using ir::Function;

/// An Input, or a Func over its required box.
struct Tensor {
  std::string name;
  Type type;
  std::vector<std::int64_t> min, extent, stride;
  const std::byte* data = nullptr;
  Buffer storage;  // elements of a Func
  bool is_input = false;
  bool traces_loads = false, traces_stores = false;
  /// For each element, the fault on which its value depends: 1 + an index into the list of them, or 0. Such a
  /// value is harmless as long as the output does not depend on it. Empty if there is none.
  std::vector<std::uint32_t> poison;

  void set_shape(std::vector<std::int64_t> extents) {
    extent = std::move(extents);
    stride.assign(extent.size(), 1);
    for (std::size_t d = extent.size(); d-- > 1;) stride[d - 1] = stride[d] * extent[d];
  }
};

/// A fault that makes dependent values wrong: a read outside a tensor, or a broken promise.
struct Fault {
  int tensor = -1;                  // -1: a promise
  std::vector<std::int64_t> index;  // for a promise: the value, and its promised bounds
};

/// A loop over a slot.
struct Loop {
  int slot = 0;
  std::int64_t min = 0, extent = 0;
};

class Interpreter : public Evaluator<Interpreter> {
 public:
  explicit Interpreter(const InterpretArguments& arguments) : arguments_(arguments) {}

  std::vector<Buffer> run(const std::vector<ir::FunctionPtr>& outputs,
                          const std::vector<std::vector<std::int64_t>>& shapes) {
    if (outputs.size() != shapes.size()) {
      throw DefinitionError(
          fmt::format("interpret: found {} outputs, but {} shapes", outputs.size(), shapes.size()));
    }
    std::vector<Buffer> results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      check_rank(*outputs[i], shapes[i]);
      for (const Type type : outputs[i]->types) results.emplace_back(type, shapes[i]);
    }
    if (std::ranges::all_of(results, [](const Buffer& b) { return b.elements() == 0; })) return results;
    const std::vector<ir::FunctionPtr> order = ir::reachable(outputs);
    const auto boxes = required_boxes(order, outputs, shapes, arguments_.params);
    for (const auto& [function, box] : boxes) total_ += values_in(*function, box);
    for (const ir::FunctionPtr& function : order) {
      if (function->is_input()) {
        add_input(*function);
      } else if (const auto box = boxes.find(function.get()); box != boxes.end()) {
        compute(*function, box->second);
      }
    }
    auto result = results.begin();
    for (const ir::FunctionPtr& output : outputs) {
      for (std::size_t component = 0; component < output->types.size(); ++component, ++result) {
        if (result->elements() == 0) continue;
        const auto first = static_cast<std::size_t>(tensor_of_.at(output.get()));
        copy_out(tensors_[first + component], *result);
      }
    }
    return results;
  }

 private:
  static void check_rank(const Function& output, const std::vector<std::int64_t>& shape) {
    if (static_cast<int>(shape.size()) == output.rank()) return;
    throw DefinitionError(fmt::format("interpret: {} has {}, but the shape [{}] has {}", output.name,
                                      counted(output.rank(), "dimension", "dimensions"),
                                      fmt::join(shape, ", "), shape.size()));
  }

  friend class Evaluator<Interpreter>;

  // Interface that Evaluator requires.

  int resolve_variable(const ir::ExprNode& var) {
    const auto known = slots_.find(var.name);
    if (known != slots_.end()) return known->second;
    const auto param = arguments_.params.find(var.name);
    if (param == arguments_.params.end()) {
      throw Error(fmt::format("interpret: no value for the Param \"{}\"; pass one with this name", var.name));
    }
    const int slot = add_slot(var.name);
    require_fits(var.name, var.type, param->second);
    frame_.back() = scalar_of_param(var.type, param->second);
    return slot;
  }

  int resolve_access(const ir::ExprNode& call) {
    if (call.kind != ir::ExprKind::Call) throw InternalError("interpret: a definition contains a Load");
    const int component = std::max(call.component, 0);
    if (!call.function) return self_ + component;
    // A Func that was not computed is only named in a branch that is never taken.
    const auto known = tensor_of_.find(call.function.get());
    return known == tensor_of_.end() ? -1 : known->second + component;
  }

  Scalar access(const Node& n, int lane) {
    if (n.target < 0)
      throw InternalError(
          "interpret: a Func is read that was not computed; bounds inference found no box for it");
    const Tensor& t = tensors_[static_cast<std::size_t>(n.target)];
    std::int64_t offset = 0;
    for (int d = 0; d < n.count; ++d) {
      const auto axis = static_cast<std::size_t>(d);
      const std::int64_t index = eval(operand(n, d), lane).i - t.min[axis];
      if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(t.extent[axis]))
        return outside(n, lane);
      offset += index * t.stride[axis];
    }
    if (!t.poison.empty() && t.poison[static_cast<std::size_t>(offset)]) {
      poison_ = t.poison[static_cast<std::size_t>(offset)];
    }
    const Scalar value = load_element(t.type, t.data, offset);
    if (t.traces_loads) {
      std::vector<std::int64_t> index;
      for (int d = 0; d < n.count; ++d) index.push_back(eval(operand(n, d), lane).i);
      arguments_.tracing.tell({TraceEvent::Kind::Load, t.name, index, digits_of(t.type, value), ""});
    }
    return value;
  }

  /// Marks the value that is being computed instead of failing: it may turn out to be unused.
  Scalar outside(const Node& n, int lane) {
    const Tensor& t = tensors_[static_cast<std::size_t>(n.target)];
    if (!t.is_input)
      throw InternalError(fmt::format("interpret: {} is read outside its required box", t.name));
    std::vector<std::int64_t> index;
    for (int d = 0; d < n.count; ++d) index.push_back(eval(operand(n, d), lane).i);
    return fault({n.target, std::move(index)});
  }

  Scalar fault(Fault found) {
    constexpr std::size_t kMostFaults = 1 << 16;  // further ones are reported as the last
    if (faults_.size() < kMostFaults) faults_.push_back(std::move(found));
    poison_ = static_cast<std::uint32_t>(faults_.size());
    return {};
  }

  /// Boxes rely on the promise, so the value that replaces a broken one is in them.
  Scalar broken_promise(Scalar value, Scalar low, Scalar high) {
    fault({-1, {value.i, low.i, high.i}});
    return low;
  }

  // Tensors.

  int add_slot(const std::string& name) {
    frame_.push_back({});
    return slots_[name] = static_cast<int>(frame_.size()) - 1;
  }

  void add_input(const Function& input) {
    const auto found = arguments_.inputs.find(input.name);
    if (found == arguments_.inputs.end()) {
      throw Error(
          fmt::format("interpret: no data for the Input \"{}\"; pass a Buffer with this name", input.name));
    }
    const Buffer& given = found->second;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : input.shape) shape.push_back(value_of(extent, arguments_.params, input.name));
    if (given.type() != input.type() || given.shape() != shape) {
      throw ShapeError(fmt::format("interpret: the Input \"{}\" is {} [{}], but the Buffer is {} [{}]",
                                   input.name, to_string(input.type()), fmt::join(shape, ", "),
                                   to_string(given.type()), fmt::join(given.shape(), ", ")));
    }
    Tensor tensor;
    tensor.name = input.name;
    tensor.type = input.type();
    tensor.is_input = true;
    tensor.traces_loads = arguments_.tracing.has_load(input.name);
    tensor.data = given.bytes().data();
    tensor.min.assign(shape.size(), 0);
    tensor.set_shape(std::move(shape));
    tensor_of_[&input] = static_cast<int>(tensors_.size());
    tensors_.push_back(std::move(tensor));
  }

  void compute(const Function& function, const Box& box) {
    self_ = static_cast<int>(tensors_.size());
    tensor_of_[&function] = self_;
    for (const int component : function.components()) {
      const Type type = function.type(component);
      Tensor tensor;
      tensor.name = ir::buffer_name(function.name, component);
      tensor.type = type;
      tensor.traces_loads = arguments_.tracing.has_load(tensor.name);
      tensor.traces_stores = arguments_.tracing.has_store(tensor.name);
      std::vector<std::int64_t> extents;
      for (const ir::Interval& side : box) {
        tensor.min.push_back(side.low);
        extents.push_back(side.high - side.low + 1);
      }
      tensor.storage = Buffer(type, extents);
      tensor.set_shape(std::move(extents));
      tensors_.push_back(std::move(tensor));
      tensors_.back().data = tensors_.back().storage.bytes().data();
    }
    for (const Definition& definition : function.definitions) apply(function, definition, box);
  }

  /// Returns the number of values that the definitions compute over the box.
  std::int64_t values_in(const Function& function, const Box& box) const {
    std::int64_t values = 0;
    if (function.is_input()) return values;
    for (const Definition& definition : function.definitions) {
      std::int64_t points = 1;
      std::set<std::size_t> dimensions;
      for (const auto& [name, dimension] : pure_variables(function, definition)) dimensions.insert(dimension);
      for (const std::size_t d : dimensions) points *= box[d].high - box[d].low + 1;
      for (const ir::ReductionAxis& axis : definition.domain)
        points *= std::max<std::int64_t>(value_of(axis.extent, arguments_.params, function.name), 0);
      values += points;
    }
    return values;
  }

  /// Stores the value at every point of the pure variables and the reduction domain.
  void apply(const Function& function, const Definition& definition, const Box& box) {
    for (std::size_t i = 0; i < definition.values.size(); ++i) {
      if (definition.values[i].type() == function.types.at(i)) continue;
      throw InternalError(fmt::format("interpret: {} has type {}, but its value has another type",
                                      function.name, to_string(function.types[i])));
    }
    slots_.clear();
    frame_.clear();
    std::vector<Loop> loops;
    std::set<std::size_t> pure_dimensions;
    for (const auto& [name, dimension] : pure_variables(function, definition))
      pure_dimensions.insert(dimension);
    for (const std::size_t d : pure_dimensions) {
      loops.push_back({add_slot(definition.args[d]->name), box[d].low, box[d].high - box[d].low + 1});
    }
    for (const ir::ReductionAxis& axis : definition.domain) {
      loops.push_back({add_slot(axis.name), value_of(axis.min, arguments_.params, function.name),
                       value_of(axis.extent, arguments_.params, function.name)});
    }
    std::vector<int> args;
    for (const Expr& arg : definition.args) args.push_back(compile(arg));
    std::vector<int> values;
    for (const Expr& value : definition.values) values.push_back(compile(value));
    const int predicate = definition.predicate.defined() ? compile(definition.predicate) : -1;
    const bool reads_place = predicate >= 0 && reads_self(definition.predicate);
    for_each_point(loops, [&] {
      if (++done_ % kReported == 0 && arguments_.progress) arguments_.progress(done_, total_);
      if (reads_place && !place_of(args)) return;
      if (predicate < 0 || holds(predicate, function.name)) store(args, values);
    });
  }

  static bool reads_self(const Expr& predicate) {
    bool found = false;
    ir::visit(predicate, [&](const Expr& e) {
      found = found || (e->kind == ir::ExprKind::Call && !e->function);
      return !found;
    });
    return found;
  }

  template <typename Body>
  void for_each_point(const std::vector<Loop>& loops, Body body) {
    for (const Loop& loop : loops) {
      if (loop.extent <= 0) return;
      frame_[static_cast<std::size_t>(loop.slot)].i = loop.min;
    }
    for (;;) {
      body();
      std::size_t d = loops.size();
      for (; d > 0; --d) {
        std::int64_t& index = frame_[static_cast<std::size_t>(loops[d - 1].slot)].i;
        if (++index < loops[d - 1].min + loops[d - 1].extent) break;
        index = loops[d - 1].min;
      }
      if (d == 0) return;
    }
  }

  /// True if the predicate holds at the point of the loops.
  bool holds(int predicate, const std::string& function) {
    begin(frame_.data());
    poison_ = 0;
    const bool result = eval(predicate).i != 0;
    if (poison_) throw_fault(function, nullptr);
    return result;
  }

  /// Returns the element that is written at the point of the loops; none if the update's element is never
  /// read.
  std::optional<std::int64_t> place_of(const std::vector<int>& args) {
    begin(frame_.data());
    poison_ = 0;
    const Tensor& first = tensors_[static_cast<std::size_t>(self_)];
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < args.size(); ++d) {
      const std::int64_t index = eval(args[d]).i - first.min[d];
      if (poison_) throw_fault(first.name, nullptr);
      if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(first.extent[d])) return {};
      offset += index * first.stride[d];
    }
    return offset;
  }

  void store(const std::vector<int>& args, const std::vector<int>& values) {
    const std::optional<std::int64_t> place = place_of(args);
    if (!place) return;
    const std::int64_t offset = *place;
    computed_.clear();
    for (const int value : values) {
      begin(frame_.data());  // each component determines its own dependences
      poison_ = 0;
      const Scalar number = eval(value);
      computed_.push_back({number, poison_});
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      Tensor& t = tensors_[static_cast<std::size_t>(self_) + i];
      const auto& [number, poison] = computed_[i];
      store_element(t.type, t.storage.bytes().data(), offset, number);
      if (t.traces_stores) tell_store(t, offset);
      if (poison && t.poison.empty()) t.poison.resize(static_cast<std::size_t>(t.storage.elements()));
      if (!t.poison.empty()) t.poison[static_cast<std::size_t>(offset)] = poison;
    }
  }

  void tell_store(const Tensor& t, std::int64_t offset) const {
    std::vector<std::int64_t> index;
    for (std::size_t d = 0; d < t.extent.size(); ++d)
      index.push_back(t.min[d] + offset / t.stride[d] % t.extent[d]);
    const std::string value = digits_of(t.type, load_element(t.type, t.data, offset));
    arguments_.tracing.tell({TraceEvent::Kind::Store, t.name, index, value, ""});
  }

  void copy_out(const Tensor& t, Buffer& result) {
    std::vector<std::int64_t> index(t.extent.size(), 0);
    for (std::int64_t i = 0; i < result.elements(); ++i) {
      std::int64_t offset = 0;
      for (std::size_t d = 0; d < index.size(); ++d) offset += (index[d] - t.min[d]) * t.stride[d];
      poison_ = t.poison.empty() ? 0 : t.poison[static_cast<std::size_t>(offset)];
      if (poison_) throw_fault(t.name, &index);
      store_element(t.type, result.bytes().data(), i, load_element(t.type, t.data, offset));
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < result.shape()[d]) break;
        index[d] = 0;
      }
    }
  }

  [[noreturn]] void throw_fault(const std::string& reader, const std::vector<std::int64_t>* at) const {
    const Fault& found = faults_[poison_ - 1];
    const std::string place = reader + (at ? fmt::format("({})", fmt::join(*at, ", "))
                                           : " (an index or the condition of an update)");
    if (found.tensor < 0) {
      throw DefinitionError(
          fmt::format("interpret: {} needs an index that unsafe_promise_clamped promises to be in [{}, {}], "
                      "but it is {}; fix the promise, or use clamp",
                      place, found.index[1], found.index[2], found.index[0]));
    }
    const Tensor& t = tensors_[static_cast<std::size_t>(found.tensor)];
    throw DefinitionError(
        fmt::format("interpret: {} needs {}({}), which is outside its shape [{}]; guard the read with "
                    "select or clamp the index",
                    place, t.name, fmt::join(found.index, ", "), fmt::join(t.extent, ", ")));
  }

  const InterpretArguments& arguments_;
  std::vector<Tensor> tensors_;
  std::map<const Function*, int> tensor_of_;
  int self_ = 0;                      // the Func being computed
  std::map<std::string, int> slots_;  // slots of the variables of the current definition
  std::vector<Scalar> frame_;
  std::vector<Fault> faults_;
  std::vector<std::pair<Scalar, std::uint32_t>> computed_;  // value and poison of each component
  static constexpr std::int64_t kReported = 1 << 18;        // values between two reports of the progress
  std::int64_t done_ = 0, total_ = 0;                       // values
  std::uint32_t poison_ = 0;  // fault that the current value depends on; see Tensor::poison
};

}  // namespace

Buffer interpret(const ir::FunctionPtr& output, const std::vector<std::int64_t>& shape,
                 const InterpretArguments& arguments) {
  return Interpreter(arguments).run({output}, {shape})[0];
}

std::vector<Buffer> interpret(const std::vector<ir::FunctionPtr>& outputs,
                              const std::vector<std::vector<std::int64_t>>& shapes,
                              const InterpretArguments& arguments) {
  return Interpreter(arguments).run(outputs, shapes);
}

}  // namespace tensordsl::runtime
