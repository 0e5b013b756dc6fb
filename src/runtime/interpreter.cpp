#include "runtime/interpreter.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "runtime/element.h"
#include "runtime/evaluator.h"
#include "runtime/required_boxes.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace runtime {
namespace {

using ir::Definition;
using ir::Function;

/// An Input, or a Func over its required box.
struct Tensor {
  std::string name;
  Type type;
  std::vector<std::int64_t> min, extent, stride;
  const std::byte* data = nullptr;
  Buffer storage;  // of a Func
  bool is_input = false;
  /// By element, which out-of-range read its value depends on: 1 + an index into the list of them, or 0. Such
  /// a value is harmless as long as the output does not depend on it. Empty if there is none.
  std::vector<std::uint32_t> poison;

  void set_shape(std::vector<std::int64_t> extents) {
    extent = std::move(extents);
    stride.assign(extent.size(), 1);
    for (std::size_t d = extent.size(); d-- > 1;) stride[d - 1] = stride[d] * extent[d];
  }
};

struct OutsideRead {
  int tensor = 0;
  std::vector<std::int64_t> index;
};

/// A loop over a slot.
struct Loop {
  int slot = 0;
  std::int64_t min = 0, extent = 0;
};

class Interpreter : public Evaluator<Interpreter> {
 public:
  explicit Interpreter(const InterpretArguments& arguments) : arguments_(arguments) {}

  Buffer run(const ir::FunctionPtr& output, const std::vector<std::int64_t>& shape) {
    if (static_cast<int>(shape.size()) != output->rank()) {
      throw DefinitionError(fmt::format("interpret: {} has {} dimensions, but the shape [{}] has {}",
                                        output->name, output->rank(), fmt::join(shape, ", "), shape.size()));
    }
    Buffer result(output->type, shape);
    if (result.elements() == 0) return result;
    const std::vector<ir::FunctionPtr> order = ir::reachable(output);
    const auto boxes = required_boxes(order, shape, arguments_.params);
    for (const ir::FunctionPtr& function : order) {
      if (function->is_input()) {
        add_input(*function);
      } else if (const auto box = boxes.find(function.get()); box != boxes.end()) {
        compute(*function, box->second);
      }
    }
    copy_out(tensors_[static_cast<std::size_t>(tensor_of_.at(output.get()))], result);
    return result;
  }

 private:
  friend class Evaluator<Interpreter>;

  // What Evaluator asks for.

  int resolve_variable(const ir::ExprNode& var) {
    const auto known = slots_.find(var.name);
    if (known != slots_.end()) return known->second;
    const auto param = arguments_.params.find(var.name);
    if (param == arguments_.params.end()) {
      throw DefinitionError(fmt::format("interpret: {} has no value; give it in params", var.name));
    }
    const int slot = add_slot(var.name);
    require_fits(var.name, var.type, param->second);
    frame_.back() = scalar_of_param(var.type, param->second);
    return slot;
  }

  int resolve_access(const ir::ExprNode& call) {
    if (call.kind != ir::ExprKind::Call) throw InternalError("interpret: a definition holds a Load");
    if (!call.function) return self_;
    // A Func that was not computed is only named in a branch that is never taken.
    const auto known = tensor_of_.find(call.function.get());
    return known == tensor_of_.end() ? -1 : known->second;
  }

  Scalar access(const Node& n, int lane) {
    if (n.target < 0) throw InternalError("interpret: a Func is read that no box was found for");
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
    return load_element(t.type, t.data, offset);
  }

  /// Marks the value being computed instead of failing: nobody may need it.
  Scalar outside(const Node& n, int lane) {
    const Tensor& t = tensors_[static_cast<std::size_t>(n.target)];
    if (!t.is_input)
      throw InternalError(fmt::format("interpret: {} is read outside its required box", t.name));
    constexpr std::size_t kMaxReads = 1 << 16;  // further ones are reported as the last
    if (outside_reads_.size() < kMaxReads) {
      OutsideRead read{n.target, {}};
      for (int d = 0; d < n.count; ++d) read.index.push_back(eval(operand(n, d), lane).i);
      outside_reads_.push_back(std::move(read));
    }
    poison_ = static_cast<std::uint32_t>(outside_reads_.size());
    return {};
  }

  // Tensors.

  int add_slot(const std::string& name) {
    frame_.push_back({});
    return slots_[name] = static_cast<int>(frame_.size()) - 1;
  }

  void add_input(const Function& input) {
    const auto found = arguments_.inputs.find(input.name);
    if (found == arguments_.inputs.end()) {
      throw DefinitionError(
          fmt::format("interpret: the input {} is missing; give a Buffer for it", input.name));
    }
    const Buffer& given = found->second;
    std::vector<std::int64_t> shape;
    for (const Expr& extent : input.shape) shape.push_back(value_of(extent, arguments_.params, input.name));
    if (given.type() != input.type || given.shape() != shape) {
      throw DefinitionError(fmt::format("interpret: the input {} must be {} [{}], found {} [{}]", input.name,
                                        to_string(input.type), fmt::join(shape, ", "),
                                        to_string(given.type()), fmt::join(given.shape(), ", ")));
    }
    Tensor tensor;
    tensor.name = input.name;
    tensor.type = input.type;
    tensor.is_input = true;
    tensor.data = given.bytes().data();
    tensor.min.assign(shape.size(), 0);
    tensor.set_shape(std::move(shape));
    tensor_of_[&input] = static_cast<int>(tensors_.size());
    tensors_.push_back(std::move(tensor));
  }

  void compute(const Function& function, const Box& box) {
    Tensor tensor;
    tensor.name = function.name;
    tensor.type = function.type;
    std::vector<std::int64_t> extents;
    for (const ir::Interval& side : box) {
      tensor.min.push_back(side.low);
      extents.push_back(side.high - side.low + 1);
    }
    tensor.storage = Buffer(function.type, extents);
    tensor.set_shape(std::move(extents));
    self_ = static_cast<int>(tensors_.size());
    tensor_of_[&function] = self_;
    tensors_.push_back(std::move(tensor));
    tensors_.back().data = tensors_.back().storage.bytes().data();
    for (const Definition& definition : function.definitions) apply(function, definition, box);
  }

  /// Stores the value at every point of the pure variables and the reduction domain.
  void apply(const Function& function, const Definition& definition, const Box& box) {
    if (definition.value.type() != function.type) {
      throw InternalError(
          fmt::format("interpret: {} is {}, its value is not", function.name, to_string(function.type)));
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
    const int value = compile(definition.value);
    const int predicate = definition.predicate.defined() ? compile(definition.predicate) : -1;
    for_each_point(loops, [&] {
      if (predicate < 0 || holds(predicate)) store(args, value);
    });
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

  /// At the point of the loops.
  bool holds(int predicate) {
    begin(frame_.data());
    return eval(predicate).i != 0;
  }

  void store(const std::vector<int>& args, int value) {
    begin(frame_.data());
    poison_ = 0;
    Tensor& t = tensors_[static_cast<std::size_t>(self_)];
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < args.size(); ++d) {
      const std::int64_t index = eval(args[d]).i - t.min[d];
      if (poison_) throw_outside(t.name, nullptr);
      // An update may write where nobody reads.
      if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(t.extent[d])) return;
      offset += index * t.stride[d];
    }
    store_element(t.type, t.storage.bytes().data(), offset, eval(value));
    if (poison_ && t.poison.empty()) t.poison.resize(static_cast<std::size_t>(t.storage.elements()));
    if (!t.poison.empty()) t.poison[static_cast<std::size_t>(offset)] = poison_;
  }

  void copy_out(const Tensor& t, Buffer& result) {
    std::vector<std::int64_t> index(t.extent.size(), 0);
    for (std::int64_t i = 0; i < result.elements(); ++i) {
      std::int64_t offset = 0;
      for (std::size_t d = 0; d < index.size(); ++d) offset += (index[d] - t.min[d]) * t.stride[d];
      poison_ = t.poison.empty() ? 0 : t.poison[static_cast<std::size_t>(offset)];
      if (poison_) throw_outside(t.name, &index);
      store_element(t.type, result.bytes().data(), i, load_element(t.type, t.data, offset));
      for (std::size_t d = index.size(); d-- > 0;) {
        if (++index[d] < result.shape()[d]) break;
        index[d] = 0;
      }
    }
  }

  [[noreturn]] void throw_outside(const std::string& reader, const std::vector<std::int64_t>* at) const {
    const OutsideRead& read = outside_reads_[poison_ - 1];
    const Tensor& t = tensors_[static_cast<std::size_t>(read.tensor)];
    throw DefinitionError(
        fmt::format("interpret: {}{} needs {}({}), which is outside its shape [{}]; guard the read with "
                    "select or clamp the index",
                    reader, at ? fmt::format("({})", fmt::join(*at, ", ")) : " (an index of an update)",
                    t.name, fmt::join(read.index, ", "), fmt::join(t.extent, ", ")));
  }

  const InterpretArguments& arguments_;
  std::vector<Tensor> tensors_;
  std::map<const Function*, int> tensor_of_;
  int self_ = 0;                      // the Func being computed
  std::map<std::string, int> slots_;  // of its current definition
  std::vector<Scalar> frame_;
  std::vector<OutsideRead> outside_reads_;
  std::uint32_t poison_ = 0;  // what the value being computed depends on; see Tensor::poison
};

}  // namespace
}  // namespace runtime

Buffer interpret(const ir::FunctionPtr& output, const std::vector<std::int64_t>& shape,
                 const InterpretArguments& arguments) {
  return runtime::Interpreter(arguments).run(output, shape);
}

}  // namespace tensordsl
