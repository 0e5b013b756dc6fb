#include "graph/schedule/find_in_place.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "classify/classify.h"
#include "ir/nodes/expr_node.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::StoredGroup;
using ir::Function;

bool is_pure(const Function& function) {
  return function.definitions.size() == 1 && function.types.size() == 1;
}

std::vector<const Function*> group_functions(const StoredGroup& group) {
  std::vector<const Function*> all;
  for (const auto* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
    for (const Func& func : *funcs) all.push_back(&func.contents());
  }
  return all;
}

std::set<std::string> names_read(const Function& function) {
  std::set<std::string> names;
  for (const ir::Definition& definition : function.definitions) {
    std::vector<Expr> all = definition.expressions();
    for (const ir::ReductionAxis& axis : definition.domain) all.insert(all.end(), {axis.min, axis.extent});
    for (const Expr& expr : all) {
      for (const classify::Access& access : classify::accesses_of(expr)) names.insert(access.name);
    }
  }
  return names;
}

/// Checks if the output reads `name` only at the element that it computes, through any number of Funcs.
class InPlace {
 public:
  explicit InPlace(const StoredGroup& group)
      : output_(&group.outputs[0].contents()), functions_(group_functions(group)) {
    for (const Function* function : functions_) reads_.push_back(names_read(*function));
  }

  bool is_read_in_place(const std::string& name) const {
    bool is_read = false;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      if (!reads_[i].contains(name)) continue;
      const Function& reader = *functions_[i];
      is_read = true;
      if (!is_pure(reader) || !classify::reads_in_place(reader, name)) return false;
      if (&reader != output_ && !is_read_in_place(reader.name)) return false;
    }
    return is_read;
  }

 private:
  const Function* output_;
  std::vector<const Function*> functions_;
  std::vector<std::set<std::string>> reads_;
};

bool has_open_extent(const StoredTensor& stored) {
  return std::ranges::any_of(stored.extents, [](const Expr& extent) { return !ir::as_int(extent); });
}

using Extents = std::map<std::string, std::int64_t>;

/// Tracks extents by axis through splits and fuses; false if a split covers some indices twice, or indices
/// outside the extent.
bool covers_once(const schedule::StageSchedule& stage, Extents extents) {
  if (stage.companion) return false;
  for (const schedule::Transform& transform : stage.transforms) {
    if (const auto& split = transform.split) {
      const auto whole = extents.find(split->axis);
      if (whole == extents.end()) return false;
      const bool divides = whole->second % split->factor == 0;
      if (!divides && split->tail != Tail::Guard) return false;
      extents[split->outer] = (whole->second + split->factor - 1) / split->factor;
      extents[split->inner] = split->factor;
    } else if (const auto& fuse = transform.fuse) {
      if (!extents.contains(fuse->outer) || !extents.contains(fuse->inner)) return false;
      extents[fuse->fused] = extents.at(fuse->outer) * extents.at(fuse->inner);
    }
  }
  return stage.specializations.empty();
}

}  // namespace

std::vector<std::size_t> overwritable_operands(const StoredGroup& group) {
  std::vector<std::size_t> found;
  if (group.outputs.size() != 1 || !is_pure(group.outputs[0].contents()) || has_open_extent(group.stored[0]))
    return found;
  const InPlace in_place(group);
  // No other Func may read the output.
  for (const Function* function : group_functions(group)) {
    if (names_read(*function).contains(group.outputs[0].name())) return found;
  }
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    const definitions::GroupOperand& operand = group.operands[i];
    if (operand.is_constant || operand.stored.image || has_open_extent(operand.stored)) continue;
    if (to_string(operand.stored) == to_string(group.stored[0]) &&
        in_place.is_read_in_place(operand.input.name()))
      found.push_back(i);
  }
  return found;
}

bool stores_each_once(const StoredGroup& group) {
  const schedule::ScheduledFunction& output = schedule::scheduled(group.outputs[0].contents());
  Extents extents;
  for (std::size_t d = 0; d < output.dims.size(); ++d)
    extents.emplace(output.dims[d], *ir::as_int(group.stored[0].extents[d]));
  return output.stages.size() == 1 && covers_once(output.stages[0], std::move(extents));
}

}  // namespace tensordsl::graph
