#include "graph/schedule/group_key.h"

#include <fmt/format.h>

#include <map>

#include "graph/rewrite/definition_encoder.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::StoredGroup;

using Numbers = DefinitionEncoder::Numbers;

DefinitionEncoding encoded(const StoredGroup& group, Numbers numbers) {
  std::map<const ir::Function*, std::size_t> functions;  // by their order
  for (const definitions::GroupOperand& operand : group.operands)
    functions.emplace(&operand.input.contents(), functions.size());
  // Numbers all Funcs first, because an anchor may read Funcs computed from other anchors: attention's
  // largest score.
  for (const auto* funcs : {&group.prologue, &group.anchors, &group.epilogue}) {
    for (const Func& func : *funcs) functions.emplace(&func.contents(), functions.size());
  }
  const auto number_of = [&functions](const ir::Function& function) { return functions.at(&function); };
  DefinitionEncoder encoder(numbers, number_of);
  encoder.add(numbers == Numbers::Kept ? 'G' : 'g');
  for (const definitions::GroupOperand& operand : group.operands) {
    encoder.add(operand.is_constant ? 'C' : 'O');
    encoder.add_stored(operand.stored);
  }
  const auto add = [&](char role, const std::vector<Func>& funcs) {
    for (const Func& func : funcs) {
      encoder.add(role);
      encoder.add_number(number_of(func.contents()));
      encoder.add_definitions(func.contents());
    }
  };
  add('p', group.prologue);
  add('a', group.anchors);
  add('e', group.epilogue);
  // Strategies keep these in a tile, and compute others where they are read.
  for (const Func& func : group.kept) {
    encoder.add('k');
    encoder.add_number(number_of(func.contents()));
  }
  for (std::size_t i = 0; i < group.outputs.size(); ++i) {
    encoder.add('o');
    encoder.add_number(number_of(group.outputs[i].contents()));
    encoder.add_stored(group.stored[i]);
  }
  return encoder.take();
}

}  // namespace

records::KernelKey group_key(const StoredGroup& group) {
  DefinitionEncoding encoding = encoded(group, Numbers::LeftOut);
  if (!encoding.has_too_many) return records::kernel_key(encoding.bytes, std::move(encoding.left_out));
  // The group has a family of its own.
  return records::kernel_key(encoded(group, Numbers::Kept).bytes, {});
}

std::string group_key(const StoredGroup& group, const GroupSchedule& schedule) {
  return fmt::format("{} {}\n{}\n", schedule.strategy->name, schedules::to_string(schedule.point),
                     group_key(group).structure);
}

}  // namespace tensordsl::graph
