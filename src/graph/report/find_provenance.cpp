#include "graph/report/find_provenance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "classify/classify.h"
#include "graph/report/find_producers.h"
#include "ir/text/print.h"
#include "schedule/func_schedule.h"

namespace tensordsl::graph {
namespace {

using definitions::DefinitionGraph;

using Fate = Inspection::Fate;

class FateFinder {
 public:
  FateFinder(const DefinitionGraph& imported, const Graph& compiled)
      : imported_(imported),
        compiled_(compiled),
        makers_(compiled.groups, compiled.storage),
        funcs_(imported),
        readers_(funcs_.readers()) {
    for (std::size_t i = 0; i < compiled.definitions.tensors.size(); ++i)
      now_.emplace(compiled.definitions.tensors[i].name, i);
    for (std::size_t g = 0; g < compiled.groups.size(); ++g) {
      for (const std::size_t tensor : compiled.groups[g].tensors) group_of_.emplace(tensor, g);
    }
    for (const PassRecord& record : compiled.log) {
      const std::set<std::string> left(record.after.computed.begin(), record.after.computed.end());
      for (const std::string& name : record.before.computed) {
        if (!left.contains(name)) gone_in_.emplace(name, &record);
      }
      for (const PassNote& note : record.notes) {
        if (note.outcome == PassOutcome::Same || note.outcome == PassOutcome::Merged)
          taken_in_.emplace(note.tensor, &note);
        notes_[note.tensor] = &note;
      }
    }
  }

  std::vector<Inspection::Operator> run() {
    std::map<std::size_t, std::size_t> place;
    for (std::size_t i = 0; i < imported_.tensors.size(); ++i) {
      if (imported_.tensors[i].constant) continue;
      place.emplace(i, operators_.size());
      operators_.push_back(describe(i));
    }
    // Readers come after the tensor and say where it went.
    for (auto at = place.rbegin(); at != place.rend(); ++at) {
      Inspection::Operator& op = operators_[at->second];
      find_fate(at->first, op);
      groups_[imported_.tensors[at->first].name] = op.groups;
    }
    for (const auto& [tensor, op] : place) {
      for (const std::size_t read : funcs_.reads_of(funcs_.funcs_of(tensor))) {
        if (const auto found = place.find(read); found != place.end())
          operators_[op].reads.push_back(found->second);
      }
      complete_same(operators_[op]);
    }
    return std::move(operators_);
  }

 private:
  Inspection::Operator describe(std::size_t tensor) const {
    const definitions::DefinedTensor& t = imported_.tensors[tensor];
    Inspection::Operator op;
    op.output = t.name;
    op.tensor = describe_tensor(imported_, tensor);
    if (t.func.is_input()) {
      op.fate = Fate::Input;
      return op;
    }
    op.kind = t.origin.kind;
    op.node = t.origin.node;
    classify::Class highest = classify::Class::Movement;
    for (const Func& func : funcs_.funcs_of(tensor))
      highest = std::max(highest, classify::classify(func.contents()).kind);
    op.classification = classify::to_string(highest);
    op.is_movement = highest == classify::Class::Movement;
    return op;
  }

  void find_fate(std::size_t tensor, Inspection::Operator& op) const {
    if (op.fate == Fate::Input) return;
    if (const auto taken = taken_in_.find(op.output); taken != taken_in_.end()) {
      const PassNote& note = *taken->second;
      op.fate = note.outcome == PassOutcome::Same ? Fate::Same : Fate::Merged;
      op.reason = note.text;
      for (const std::string& name : note.into) add(groups_of(name), op.groups);
      if (op.fate == Fate::Same && op.groups.empty()) add_readers(tensor, op.groups);
    } else if (now_.contains(op.output)) {
      find_place(now_.at(op.output), op);
    } else {
      find_end(tensor, op);
    }
  }

  /// Writes the provenance of a tensor that is still in the graph.
  void find_place(std::size_t now, Inspection::Operator& op) const {
    add(groups_of(op.output), op.groups);
    if (group_of_.contains(now)) {
      const definitions::FusedGroup& group = compiled_.groups[group_of_.at(now)];
      const std::size_t last = group.stored_tensors[0];
      op.fate = Fate::Computed;
      op.reason = now == last ? fmt::format("stored{}{}", group.reason.empty() ? "" : ": ", group.reason)
                              : fmt::format("used by %{} in the same kernel",
                                            compiled_.definitions.tensors[last].name);
    } else if (makers_.is_whole(now)) {
      op.fate = Fate::InPlace;
      op.reason = "its operands are computed in place";
    } else {
      op.fate = Fate::OtherName;
      op.reason = compiled_.storage.reasons[now];
    }
  }

  /// Writes the provenance of a tensor that is no longer in the graph.
  void find_end(std::size_t tensor, Inspection::Operator& op) const {
    std::vector<std::string> names;
    for (const std::size_t reader : readers_[tensor]) names.push_back("%" + imported_.tensors[reader].name);
    add_readers(tensor, op.groups);
    const auto record = gone_in_.find(op.output);
    const auto note = notes_.find(op.output);
    if (op.groups.empty() && names.empty()) {
      op.fate = Fate::Unused;
      op.reason = "not needed by any output";
    } else if (op.is_movement) {
      op.fate = Fate::InIndices;
      const bool says = note != notes_.end() && note->second->outcome == PassOutcome::Gone;
      op.reason =
          says ? note->second->text : fmt::format("folded into the indices of {}", fmt::join(names, ", "));
    } else {
      op.fate = Fate::Merged;
      op.reason = fmt::format("is part of {}{}", fmt::join(names, ", "),
                              record == gone_in_.end() ? "" : fmt::format(" ({})", record->second->name));
    }
  }

  void add_readers(std::size_t tensor, std::vector<std::size_t>& groups) const {
    for (const std::size_t reader : readers_[tensor]) {
      const auto known = groups_.find(imported_.tensors[reader].name);
      if (known != groups_.end()) add(known->second, groups);
    }
  }

  /// The groups that compute a tensor of the compiled graph, or hold its memory.
  std::vector<std::size_t> groups_of(const std::string& name) const {
    const auto found = now_.find(name);
    if (found == now_.end()) {
      const auto known = groups_.find(name);
      return known == groups_.end() ? std::vector<std::size_t>() : known->second;
    }
    const auto group = group_of_.find(found->second);
    return group == group_of_.end() ? makers_.of(found->second) : std::vector<std::size_t>{group->second};
  }

  /// Gives an operator that equals an earlier tensor the provenance of that tensor.
  void complete_same(Inspection::Operator& op) const {
    if (op.fate != Fate::Same || !op.groups.empty()) return;
    for (const std::string& name : taken_in_.at(op.output)->into) {
      const auto known = groups_.find(name);
      if (known != groups_.end()) add(known->second, op.groups);
    }
  }

  static void add(const std::vector<std::size_t>& from, std::vector<std::size_t>& to) {
    to.insert(to.end(), from.begin(), from.end());
    std::ranges::sort(to);
    const auto rest = std::ranges::unique(to);
    to.erase(rest.begin(), rest.end());
  }

  const DefinitionGraph& imported_;
  const Graph& compiled_;
  Producers makers_;
  definitions::TensorFuncs funcs_;
  std::vector<std::vector<std::size_t>> readers_;
  std::map<std::string, std::size_t> now_;       // tensors by name
  std::map<std::size_t, std::size_t> group_of_;  // by tensor now
  std::map<std::string, const PassRecord*> gone_in_;
  std::map<std::string, const PassNote*> taken_in_;
  std::map<std::string, const PassNote*> notes_;
  std::map<std::string, std::vector<std::size_t>> groups_;  // by tensor of the imported graph
  std::vector<Inspection::Operator> operators_;
};

}  // namespace

std::string describe_tensor(const DefinitionGraph& graph, std::size_t tensor) {
  const definitions::DefinedTensor& t = graph.tensors[tensor];
  std::vector<std::string> extents;
  for (const Expr& extent : t.shape) extents.push_back(ir::print(extent));
  return fmt::format("{} [{}]", to_string(t.type()), fmt::join(extents, ", "));
}

std::vector<Inspection::Operator> find_provenance(const DefinitionGraph& imported, const Graph& compiled) {
  return FateFinder(imported, compiled).run();
}

}  // namespace tensordsl::graph
