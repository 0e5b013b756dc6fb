// A Program -> JSON
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "base/json_text.h"
#include "runtime/function_json.h"
#include "runtime/program_format.h"
#include "runtime/program_text.h"
#include "tensordsl/program.h"

namespace tensordsl {

using nlohmann::ordered_json;

namespace {

int version_of(const Program& program) {
  if (!program.loops.empty()) return kVersionWithLoops;
  if (!program.states.empty()) return kVersionWithStates;
  if (std::ranges::any_of(program.tensors, is_shared_image)) return kVersionWithSharedImages;
  if (std::ranges::any_of(program.tensors, has_offset)) return kVersionWithOffsets;
  return program.counts.empty() && program.host_steps.empty() ? kFirstVersion : kVersionWithSteps;
}

/// A number if it is one, so that a reader without expressions can do without them.
ordered_json size_json(const SizeExpr& size) {
  if (size.type() == Int(32) && size.constant()) return *size.constant();
  return to_string(size);
}

ordered_json extents_json(std::span<const SizeExpr> extents) {
  ordered_json list = ordered_json::array();
  for (const SizeExpr& extent : extents) list.push_back(size_json(extent));
  return list;
}

ordered_json tensor_json(const Program::Tensor& t) {
  ordered_json j{{"kind", kTensorKinds[static_cast<std::size_t>(t.kind)]},
                 {"name", t.name},
                 {"type", to_string(t.stored.type)},
                 {"extents", extents_json(t.stored.extents)},
                 {"layout", t.stored.layout.to_string(dim_names(t.stored.extents.size()))},
                 {"elements", size_json(t.elements)}};
  if (j["elements"].is_number()) j["bytes"] = j["elements"].get<std::int64_t>() * t.stored.type.bytes();
  if (t.stored.image && t.image) {
    j["image"] = {{"kind", *t.stored.image},
                  {"channels", t.image->channels},
                  {"width", size_json(t.image->width)},
                  {"height", size_json(t.image->height)},
                  {"layers", size_json(t.image->layers)}};
  }
  if (t.slot >= 0) j["slot"] = t.slot;
  if (t.kind == Program::Tensor::Kind::Constant || has_offset(t)) j["offset"] = t.offset;
  return j;
}

ordered_json values_json(const std::vector<Program::Value>& values) {
  ordered_json list = ordered_json::array();
  for (const Program::Value& v : values) {
    list.push_back({{"name", v.name},
                    {"type", to_string(v.type)},
                    {"shape", extents_json(v.shape)},
                    {"tensor", v.tensor}});
  }
  return list;
}

ordered_json operands_json(const std::vector<Program::HostStep::Operand>& operands) {
  ordered_json list = ordered_json::array();
  for (const Program::HostStep::Operand& o : operands) {
    list.push_back({{"name", o.name},
                    {"tensor", o.tensor},
                    {"extents", extents_json(o.stored.extents)},
                    {"layout", o.stored.layout.to_string(dim_names(o.stored.extents.size()))}});
  }
  return list;
}

ordered_json place_json(const Program::Loop::Place& place) {
  return {{"launches", place.launches}, {"counts", place.counts}, {"host_steps", place.host_steps}};
}

}  // namespace

std::string to_json(const Program& program) { return program_text(program, {}); }

std::string program_text(const Program& program, const ProgramFiles& files) {
  ordered_json j{{"version", version_of(program)}, {"name", program.name}, {"params", ordered_json::array()}};
  for (const Program::Param& p : program.params)
    j["params"].push_back({{"name", p.name}, {"type", to_string(p.type)}});
  j["inputs"] = values_json(program.inputs);
  j["outputs"] = values_json(program.outputs);
  j["kernels"] = ordered_json::array();
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    ordered_json entry = parse_json(to_json(program.kernels[k]));
    entry["file"] = files.kernels.empty()
                        ? fmt::format("{:03}_{}.{}", k, program.kernels[k].entry,
                                      program.kernels[k].backend == kLlvmBackend ? "ll" : "cl")
                        : files.kernels;
    j["kernels"].push_back(std::move(entry));
  }
  j["tensors"] = ordered_json::array();
  for (const Program::Tensor& t : program.tensors) j["tensors"].push_back(tensor_json(t));
  j["slots"] = program.slot_bytes;
  j["constants"] = {{"file", files.constants}, {"bytes", program.constants.size}};
  j["launches"] = ordered_json::array();
  for (const Program::Launch& l : program.launches) {
    j["launches"].push_back({{"kernel", l.kernel},
                             {"tensors", l.tensors},
                             {"groups", extents_json(l.groups)},
                             {"label", l.label},
                             {"flops", l.flops}});
  }
  for (const Program::Count& c : program.counts) {
    j["counts"].push_back(
        {{"param", c.param}, {"tensor", c.tensor}, {"launches", c.launches}, {"bound", size_json(c.bound)}});
  }
  for (const Program::HostStep& h : program.host_steps) {
    j["host_steps"].push_back({{"label", h.label},
                               {"definitions", functions_to_json(h.definitions)},
                               {"reads", operands_json(h.reads)},
                               {"writes", operands_json(h.writes)},
                               {"launches", h.launches},
                               {"counts", h.counts}});
  }
  for (const Program::Loop& l : program.loops) {
    ordered_json carried = ordered_json::array();
    for (const Program::Loop::Carried& c : l.carried) carried.push_back({{"now", c.now}, {"next", c.next}});
    j["loops"].push_back({{"begin", place_json(l.begin)},
                          {"end", place_json(l.end)},
                          {"step", l.step},
                          {"steps", size_json(l.steps)},
                          {"carried", carried}});
    if (l.condition) j["loops"].back()["condition"] = *l.condition;
    if (!l.taken.empty()) j["loops"].back()["taken"] = l.taken;
  }
  for (const Program::State& s : program.states) {
    j["states"].push_back({{"input", s.input}, {"output", s.output}});
    if (s.axis >= 0) j["states"].back()["axis"] = s.axis;
  }
  j["requirements"] = ordered_json::array();
  for (const ReadRequirement& r : program.requirements) {
    j["requirements"].push_back({{"reader", r.reader},
                                 {"tensor", r.tensor},
                                 {"dimension", r.dimension},
                                 {"axis", r.axis},
                                 {"when", size_json(r.when)},
                                 {"begin", size_json(r.begin)},
                                 {"end", size_json(r.end)},
                                 {"extent", size_json(r.extent)},
                                 {"is_input", r.is_input}});
  }
  j["factors"] = ordered_json::array();
  for (const FactorRequirement& f : program.factors) {
    j["factors"].push_back({{"reader", f.reader},
                            {"tensor", f.tensor},
                            {"param", f.param},
                            {"least", f.least},
                            {"when", size_json(f.when)}});
  }
  j["warnings"] = program.warnings;
  return dump_json(j, 2) + "\n";
}

}  // namespace tensordsl
