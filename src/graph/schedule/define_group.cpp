#include "graph/schedule/define_group.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/lower_case.h"
#include "definitions/unit_axes.h"
#include "dsl/func_of.h"
#include "graph/schedule/image_layout.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {

using definitions::DefinitionGraph;
using definitions::FusedGroup;
using definitions::StoredGroup;
using definitions::TensorFuncs;

using namespace ir;

namespace {

/// True if every element that the value moves is stored as `type`.
bool moves_stored(const Expr& value, Type type) {
  if (value->kind == ExprKind::Select)
    return moves_stored((*value)[1], type) && moves_stored((*value)[2], type);
  const bool is_read = value->kind == ExprKind::Cast && (*value)[0]->kind == ExprKind::Call;
  return is_read ? (*value)[0].type() == type : is_const(simplify(value));
}

/// `value` of another type, converted at its reads: select(c, f32(x), 0.0)  ->  select(c, x, f16(0.0))
Expr converted(const Expr& value, Type type) {
  if (value->kind == ExprKind::Select)
    return make_select((*value)[0], converted((*value)[1], type), converted((*value)[2], type));
  if (value->kind == ExprKind::Cast && (*value)[0].type() == type) return (*value)[0];
  return make_cast(type, value);
}

class GroupDefiner {
 public:
  GroupDefiner(const DefinitionGraph& graph, const TensorFuncs& funcs, const FusedGroup& group,
               Precision precision)
      : graph_(graph), funcs_(funcs), group_(group), precision_(precision) {}

  StoredGroup run() {
    for (const std::size_t tensor : group_.tensors) copy_tensor(tensor);
    result_.label = group_.label;
    result_.tensors = group_.tensors;
    result_.stored_tensors = group_.stored_tensors;
    const auto copies = [&](const std::vector<Func>& of) {
      std::vector<Func> list;
      for (const Func& func : of) list.push_back(copies_.at(&func.contents()));
      return list;
    };
    result_.prologue = copies(group_.prologue);
    result_.anchors = copies(group_.anchors);
    result_.epilogue = copies(group_.epilogue);
    result_.outputs = copies(group_.outputs);
    result_.form = group_.form;
    replace_funcs(result_.form, [&](const Func& func) { return copies_.at(&func.contents()); });
    for (std::size_t i = 0; i < result_.outputs.size(); ++i) {
      if (result_.outputs[i].updates() > 0)
        throw InternalError(
            fmt::format("define_group: {} is stored, but not pure", result_.outputs[i].name()));
      const std::vector<Expr> extents = graph_.tensors[group_.stored_tensors[i]].extents();
      result_.stored.push_back(
          {result_.outputs[i].type(), extents, Layout::row_major(static_cast<int>(extents.size()))});
    }
    classify_funcs(result_);
    return std::move(result_);
  }

 private:
  /// Returns the base name of the tensor's Funcs: "conv", "add2"; the last one is named after the whole
  /// group, "conv_clip".
  std::string base_name(std::size_t tensor) {
    constexpr std::size_t kMaxNamed = 6;
    std::string base = lower_case(graph_.tensors[tensor].origin.kind);
    if (tensor == group_.tensors.back()) {
      std::vector<std::string> kinds;
      for (const std::size_t t : group_.tensors) {
        for (const definitions::Origin& origin : origins_of(graph_.tensors[t]))
          kinds.push_back(lower_case(origin.kind));
      }
      const std::size_t named = std::min(kMaxNamed, kinds.size());
      base = fmt::format("{}",
                         fmt::join(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(named), "_"));
      if (kinds.size() > kMaxNamed) base += fmt::format("_and_{}_more", kinds.size() - kMaxNamed);
    }
    const int count = names_[base]++;
    return count == 0 ? base : fmt::format("{}{}", base, count + 1);
  }

  void copy_tensor(std::size_t tensor) {
    const std::string base = base_name(tensor);
    const std::string& whole = graph_.tensors[tensor].func.name();
    for (const Func& func : funcs_.funcs_of(tensor)) {
      // Parts are named after the tensor that they belong to.
      const std::string part =
          func.name().starts_with(whole) ? func.name().substr(whole.size()) : fmt::format("_{}", func.name());
      copies_.insert_or_assign(&func.contents(), copy(func, fresh(base + part)));
    }
  }

  /// Returns `name`, or `name` with a number, such that nothing in the group has that name: the maximum of a
  /// ReduceMax and a Max after it are both called "reducemax_max".
  std::string fresh(const std::string& name) {
    std::string result = name;
    for (int i = 2; !used_.insert(result).second; ++i) result = fmt::format("{}{}", name, i);
    return result;
  }

  Func copy(const Func& func, const std::string& name) {
    Func result = copy_with_reads(func, name, [&](const Expr& call) { return replaced(call); });
    std::vector<Definition> definitions = result.contents().definitions;
    for (Definition& definition : definitions) definitions::drop_unit_axes(definition);
    const bool is_stored = std::ranges::any_of(
        group_.outputs, [&](const Func& output) { return output.shared() == func.shared(); });
    Expr& value = definitions[0].values.at(0);
    const Type stored = stored_type(value.type(), precision_);
    if (stored != value.type() && definitions.size() == 1) {
      // Moved elements keep their stored type; others are rounded when they are stored.
      if (moves_stored(value, stored)) {
        value = converted(value, stored);
      } else if (is_stored) {
        value = make_cast(stored, value);
      }
    }
    return func_of(name, result.contents().dims, std::move(definitions));
  }

  /// Returns the replacement of a read: another Func of the group, or an Input.
  Expr replaced(const Expr& call) {
    const auto known = copies_.find(call->function.get());
    if (known != copies_.end()) return read(known->second, call);
    return read(operand(funcs_.tensor_of(*call->function).value()), call);
  }

  static Expr read(const Func& func, const Expr& call) {
    const Type type = func.contents().type(call->component);
    return make_cast(call.type(),
                     make_call(type, func.shared(), func.name(), call->operands, call->component));
  }

  Func operand(std::size_t tensor) {
    for (const definitions::GroupOperand& known : result_.operands) {
      if (known.tensor == tensor) return known.input;
    }
    const definitions::DefinedTensor& source = graph_.tensors[tensor];
    const StoredTensor stored{stored_type(source, precision_), source.extents(),
                              Layout::row_major(source.func.rank())};
    const Input input(fresh(fmt::format("x{}", result_.operands.size())), stored.type, stored.extents);
    result_.operands.push_back({tensor, input, stored, source.constant != nullptr});
    return input;
  }

  const DefinitionGraph& graph_;
  const TensorFuncs& funcs_;
  const FusedGroup& group_;
  Precision precision_;
  StoredGroup result_;
  std::map<const Function*, Func> copies_;
  std::map<std::string, int> names_;
  std::set<std::string> used_;  // names of Funcs and Inputs
};

}  // namespace

Type stored_type(Type type, Precision precision) {
  return type == Float(32) && precision == Precision::Float16 ? Float(16) : type;
}

Type stored_type(const definitions::DefinedTensor& tensor, Precision precision) {
  return tensor.stored_as.value_or(stored_type(tensor.type(), precision));
}

StoredGroup define_group(const DefinitionGraph& graph, const TensorFuncs& funcs, const FusedGroup& group,
                         Precision precision) {
  return GroupDefiner(graph, funcs, group, precision).run();
}

StoredGroup with_layouts(StoredGroup group, const std::vector<Layout>& layouts) {
  const auto store = [&](StoredTensor& stored, std::size_t tensor) {
    stored.layout = layouts[tensor];
    stored.image = image_of(stored.layout);
  };
  for (definitions::GroupOperand& operand : group.operands) store(operand.stored, operand.tensor);
  for (std::size_t i = 0; i < group.outputs.size(); ++i) store(group.stored[i], group.stored_tensors[i]);
  return group;
}

}  // namespace tensordsl::graph
