#include "tune/pipeline/isolated_group.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dsl/func_of.h"
#include "ir/nodes/expr_node.h"
#include "ir/nodes/substitute.h"
#include "ir/simplify/simplify.h"
#include "schedule/func_schedule.h"

namespace tensordsl::tune {
namespace {

using ir::Interval;

bool is_output(const PipelineCopy& pipeline, const Func& func) {
  return std::ranges::any_of(pipeline.outputs,
                             [&](const Func& output) { return output.shared() == func.shared(); });
}

bool is_root(const PipelineCopy& pipeline, const Places& places, const Func& func) {
  return is_output(pipeline, func) || places.at(func.name()) == Place::Root;
}

class Isolator {
 public:
  Isolator(const PipelineCopy& pipeline, const std::map<std::string, Box>& boxes, const Places& places,
           const Func& root)
      : boxes_(boxes), places_(places), root_(root), members_(members_of(pipeline, places, root)) {}

  IsolatedGroup run() {
    for (const Func& member : members_) {
      const Func copy = copied(member);
      copies_.emplace(&member.contents(), copy);
      place(member, copy);
    }
    definitions::StoredGroup& group = result_.group;
    const Func& output = copies_.at(&root_.contents());
    group.label = root_.name();
    group.tensors = {0};
    group.outputs = {output};
    group.stored_tensors = {0};
    group.stored = {{output.contents().type(), extents_of(root_.name()), Layout::row_major(output.rank())}};
    classify_funcs(group);
    return std::move(result_);
  }

 private:
  std::int64_t low(const std::string& func, std::size_t d) const {
    const auto box = boxes_.find(func);
    const std::int64_t low = box == boxes_.end() ? 0 : box->second[d].low;
    return low == INT64_MIN ? 0 : low;
  }

  std::vector<Expr> extents_of(const std::string& func) const {
    std::vector<Expr> extents;
    const Box& box = boxes_.at(func);
    for (std::size_t d = 0; d < box.size(); ++d) {
      const bool is_known = box[d].low != INT64_MIN && box[d].high != INT64_MAX;
      constexpr std::int64_t kLargest = std::int64_t{1} << 30;
      const std::int64_t extent = is_known ? box[d].high - box[d].low + 1 : 0;
      if (is_known && extent > 0 && extent < kLargest) {
        extents.emplace_back(static_cast<int>(extent));
      } else {
        extents.push_back(Param(fmt::format("extent{}_of_{}", d, func)));
      }
    }
    return extents;
  }

  /// Returns the name of the variable in the group.
  std::string own(const std::string& var) {
    const auto known = own_.find(var);
    if (known != own_.end()) return known->second;
    const std::string name = fmt::format("own{}", own_.size());
    own_.emplace(var, name);
    result_.names.emplace(name, var);
    return name;
  }

  Func copied(const Func& func) {
    const ir::Function& function = func.contents();
    ir::Substitution variables;
    for (std::size_t d = 0; d < function.dims.size(); ++d) {
      variables.insert_or_assign(function.dims[d],
                                 shifted(ir::make_var(own(function.dims[d])), low(func.name(), d)));
    }
    for (const ir::Definition& definition : function.definitions) {
      for (const ir::ReductionAxis& axis : definition.domain)
        variables.insert_or_assign(axis.name, ir::make_var(own(axis.name)));
    }
    const auto rewritten = [&](const Expr& expr) {
      return ir::rewrite(ir::substitute(expr, variables), [&](const Expr& e) {
        return e->kind == ir::ExprKind::Call ? read_of(e, func.name()) : e;
      });
    };
    std::vector<ir::Definition> definitions = function.definitions;
    for (std::size_t k = 0; k < definitions.size(); ++k) {
      ir::Definition& definition = definitions[k];
      for (std::size_t d = 0; d < definition.args.size(); ++d)
        definition.args[d] = shifted(rewritten(definition.args[d]), -low(func.name(), d));
      for (Expr& value : definition.values) value = rewritten(value);
      if (definition.predicate.defined()) definition.predicate = rewritten(definition.predicate);
      for (ir::ReductionAxis& axis : definition.domain) {
        axis.min = rewritten(axis.min);
        axis.extent = rewritten(axis.extent);
        axis.name = own(axis.name);
      }
    }
    std::vector<std::string> dims;
    for (const std::string& dim : function.dims) dims.push_back(own(dim));
    return func_of(func.name(), dims, std::move(definitions));
  }

  static Expr shifted(const Expr& index, std::int64_t by) {
    return by == 0 ? index : ir::simplify(index + static_cast<int>(by));
  }

  Expr read_of(const Expr& call, const std::string& reader) {
    std::vector<Expr> indices = call->operands;
    const std::string& name = call->function ? call->function->name : reader;
    for (std::size_t d = 0; d < indices.size(); ++d) indices[d] = shifted(indices[d], -low(name, d));
    if (!call->function) return ir::make_call(call.type(), nullptr, reader, indices, call->component);
    if (const auto copy = copies_.find(call->function.get()); copy != copies_.end())
      return ir::make_call(call.type(), copy->second.shared(), name, indices, call->component);
    const Func& input = input_for(*call->function, call->component);
    return ir::make_call(call.type(), input.shared(), input.name(), indices, ir::kWhole);
  }

  /// Returns an Input that replaces another root, or an Input.
  const Func& input_for(const ir::Function& function, int component) {
    const bool is_part = function.is_tuple();
    const std::string name = is_part ? fmt::format("{}_{}", function.name, component) : function.name;
    for (const definitions::GroupOperand& known : result_.group.operands) {
      if (known.input.name() == name) return known.input;
    }
    const std::vector<Expr> shape =
        function.is_input() ? with_params(function.shape) : extents_of(function.name);
    std::vector<std::string> dims;
    for (const std::string& dim : function.dims) dims.push_back(own(dim));
    const Input input(name, function.type(component), shape, dims);
    const std::size_t number = result_.group.operands.size() + 1;
    result_.group.operands.push_back(
        {number, input, {function.type(component), shape, Layout::row_major(function.rank())}, false});
    return result_.group.operands.back().input;
  }

  void place(const Func& member, const Func& copy) {
    definitions::StoredGroup& group = result_.group;
    const bool is_last = member.shared() == root_.shared();
    const bool are_accumulated = std::ranges::any_of(
        members_, [&](const Func& m) { return m.shared() != root_.shared() && m.updates() > 0; });
    if (copy.updates() > 0 || (is_last && !are_accumulated)) {
      group.anchors.push_back(copy);
    } else if (group.anchors.empty()) {
      group.prologue.push_back(copy);
    } else {
      group.epilogue.push_back(copy);
    }
    if (!is_last && places_.at(member.name()) == Place::Tile) group.kept.push_back(copy);
  }

  const std::map<std::string, Box>& boxes_;
  const Places& places_;
  const Func& root_;
  std::vector<Func> members_;
  std::map<const ir::Function*, Func> copies_;
  std::map<std::string, std::string> own_;
  IsolatedGroup result_;
};

}  // namespace

std::vector<Func> roots_of(const PipelineCopy& pipeline, const Places& places) {
  std::vector<Func> roots;
  for (const Func& func : pipeline.funcs) {
    if (!func.is_input() && is_root(pipeline, places, func)) roots.push_back(func);
  }
  return roots;
}

std::vector<Func> members_of(const PipelineCopy& pipeline, const Places& places, const Func& root) {
  std::set<const ir::Function*> found{&root.contents()};
  std::vector<Func> members;
  for (auto func = pipeline.funcs.rbegin(); func != pipeline.funcs.rend(); ++func) {
    if (!found.contains(&func->contents())) continue;
    members.push_back(*func);
    for_each_read(func->contents(), [&](const ir::ExprNode& call) {
      const auto read = std::ranges::find_if(
          pipeline.funcs, [&](const Func& f) { return &f.contents() == call.function.get(); });
      if (!read->is_input() && !is_root(pipeline, places, *read)) found.insert(&read->contents());
    });
  }
  std::ranges::reverse(members);
  return members;
}

IsolatedGroup isolate(const PipelineCopy& pipeline, const std::map<std::string, Box>& boxes,
                      const Places& places, const Func& root) {
  return Isolator(pipeline, boxes, places, root).run();
}

}  // namespace tensordsl::tune
