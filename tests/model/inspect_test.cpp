// Tests how the tool describes a model's way to kernels.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "support/load_model.h"
#include "support/random_graph.h"

namespace tensordsl::testing {
namespace {

using Fate = Inspection::Fate;

CompileTarget target_of(const Optimizations& optimizations = {}) {
  CompileTarget target;
  target.optimizations = optimizations;
  return target;
}

Inspection inspected(const OnnxModel& model, const Optimizations& optimizations = {}) {
  return load_model(model).inspect(target_of(optimizations));
}

/// A convolution, its Relu, a transpose, and a product of that, large enough for two kernels.
OnnxModel convolution() {
  OnnxModel m;
  m.input("x", {1, 4, 32, 48})
      .floats("w", {8, 4, 1, 1}, Floats(32, 0.5F))
      .floats("v", {8, 5}, Floats(40, 0.5F));
  m.node("Conv", {"x", "w"}, {"c"}).node("Relu", {"c"}, {"r"});
  m.node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{0, 2, 3, 1})});
  return m.node("MatMul", {"t", "v"}, {"p"}).node("Neg", {"p"}, {"y"}).output("y");
}

std::string fates(const Inspection& inspection) {
  std::string text;
  for (const Inspection::Operator& op : inspection.operators) {
    text += fmt::format("{} {} [{}] {}: {}\n", op.kind, op.output, fmt::join(op.groups, " "),
                        to_string(op.fate), op.reason);
  }
  return text;
}

std::string passes(const Inspection& inspection) {
  std::string text;
  for (const Inspection::Pass& pass : inspection.passes) {
    text += fmt::format("{} {}/{} -> {}/{}\n", pass.name, pass.before.operators, pass.before.movements,
                        pass.after.operators, pass.after.movements);
    for (const std::string& note : pass.notes) text += "  " + note + "\n";
  }
  return text;
}

/// Checks what holds for every model.
void check_laws(const Model& model, const Optimizations& optimizations) {
  const Inspection inspection = model.inspect(target_of(optimizations));
  const Program program = model.compile(target_of(optimizations));
  CHECK(inspection.kernels == program.kernels);
  CHECK(inspection.memory.slot_bytes == program.slot_bytes);
  CHECK(inspection.memory.copied_intermediates == 0);  // one layout is for all that read it
  CHECK(inspection.flops() == program.flops());
  std::vector<std::size_t> launches, expected;
  for (const Inspection::Group& group : inspection.groups)
    launches.insert(launches.end(), group.launches.begin(), group.launches.end());
  for (const Program::Launch& launch : program.launches) expected.push_back(launch.kernel);
  CHECK(launches == expected);

  std::set<std::string> computed;
  for (const NodeOutput& output : model.node_outputs()) {
    if (output.fate == NodeOutput::Fate::Computed) computed.insert(output.name);
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < inspection.operators.size(); ++i) {
    const Inspection::Operator& op = inspection.operators[i];
    CAPTURE(op.output);
    for (const std::size_t read : op.reads) CHECK(read < i);
    for (const std::size_t group : op.groups) REQUIRE(group < inspection.groups.size());
    if (op.fate == Fate::Input) continue;
    CHECK(seen.insert(op.output).second);
    CHECK_FALSE(op.reason.empty());
    CHECK(op.fate != Fate::Unused);
    const auto members = [&](const Inspection::Group& group) {
      return std::ranges::count(group.members, op.output, &Inspection::Member::output);
    };
    std::ptrdiff_t groups = 0;
    for (const Inspection::Group& group : inspection.groups) groups += members(group);
    if (op.fate == Fate::Computed) {
      CHECK(groups == 1);
      REQUIRE(op.groups.size() == 1);
      CHECK(members(inspection.groups[op.groups[0]]) == 1);
    } else if (op.fate != Fate::Merged) {
      CHECK(groups == 0);
    }
  }
  CHECK(seen == computed);

  for (std::size_t i = 0; i < inspection.groups.size(); ++i) {
    const Inspection::Group& group = inspection.groups[i];
    CAPTURE(group.label);
    for (const std::size_t from : group.from) CHECK(from < i);
    CHECK(group.from.size() + group.inputs.size() > 0);
    REQUIRE(group.code < inspection.codes.size());
    CHECK(inspection.codes[group.code].kernels == group.launches);
    CHECK_FALSE(inspection.codes[group.code].funcs.empty());
    CHECK(inspection.codes[group.code].nest.empty() == group.launches.empty());
    CHECK(group.is_movement == !group.stays.empty());
    CHECK_FALSE(group.reason.empty());
  }
  CHECK(inspection.outputs.size() == program.outputs.size());
  for (const Inspection::Output& output : inspection.outputs) CHECK((output.group || output.input));
  for (std::size_t i = 1; i < inspection.passes.size(); ++i) {
    const auto &pass = inspection.passes[i], &before = inspection.passes[i - 1];
    CHECK(pass.before == before.after);
  }
  CHECK(inspection.passes.back().after.operators == inspection.groups.size());
  CHECK(inspection.memory.lower_bound <= inspection.memory.planned);
  CHECK(inspection.memory.planned <=
        inspection.memory.apart + 4096 * static_cast<std::int64_t>(inspection.memory.tensors.size()));
}

}  // namespace

TEST_CASE("inspect: what became of each operator, and why") {
  CHECK(fates(inspected(convolution())) ==
        " x [] input: \nConv c [0] computed: used by %r in the same kernel\nRelu r [0] computed: stored: %p "
        "would recompute it for each of its columns, and it is more than a sum or a product\nTranspose t [1] "
        "in indices: folded into the indices of %p\nMatMul p [1] computed: used by %y in the same "
        "kernel\nNeg y [1] computed: stored: it is an output\n");
}

TEST_CASE("inspect: passes with what they did") {
  const std::string text = passes(inspected(convolution()));
  CHECK(text.substr(text.find("fold_views")) ==
        "fold_views 5/1 -> 4/0\n  %t folded into the indices of %p\npropagate_scalars 4/0 -> "
        "4/0\nrestore_integers 4/0 -> 4/0\nkeep_input_precision 4/0 -> 4/0\nchoose_host 4/0 -> 4/0\nfuse 4/0 "
        "-> 2/0\n  %c, %r are fused\n  %r is stored: %p would recompute it for each of its columns, and it "
        "is more than a sum or a product\n  %p, %y are fused\n  %y is stored: it is an "
        "output\nremove_made_groups 2/0 -> 2/0\n  %x is channels last like %c, which it is combined with "
        "element by element\n  %c is channels last: windows slide over rows and columns\n  %r is channels "
        "last like %c, which it is combined with element by element\n");
}

TEST_CASE("inspect: a border is in the indices of its windows, and what is defined twice is the same") {
  OnnxModel model;
  model.input("x", {1, 2, 5, 6}).floats("w", {2, 2, 3, 3}, testing::Floats(36, 0.5F));
  model.ints("p", {8}, {0, 0, 1, 1, 0, 0, 1, 1})
      .node("Pad", {"x", "p"}, {"a"})
      .node("Conv", {"a", "w"}, {"b"});
  model.node("Conv", {"a", "w"}, {"c"}).node("Sub", {"b", "c"}, {"y"}).output("y");
  CHECK(fates(inspected(model)) ==
        " x [] input: \nPad a [0] in indices: is the border of %b\nConv b [0] computed: used by %y in the "
        "same kernel\nConv c [0] same: has the same definition as %b\nSub y [0] computed: stored: it is an "
        "output\n");
}

TEST_CASE("inspect: without view folding a transpose is left, and the reason is told") {
  const Inspection inspection = inspected(convolution(), {.movement_elimination = false});
  CHECK(inspection.movement_launches() == 1);
  REQUIRE(inspection.groups.size() == 3);
  CHECK(inspection.groups[1].stays == "the elimination of layout transformations is off");
}

TEST_CASE("inspect: a group tells what it computes, how, and where its tensors lie") {
  const Inspection inspection = inspected(convolution());
  REQUIRE(inspection.groups.size() == 2);
  const Inspection::Group& group = inspection.groups[0];
  CHECK(group.label == "Conv+Relu");
  CHECK(group.role == "contraction m(n, h, w) n(c) k(r_2) window(h: r_0) window(w: r_1)");
  CHECK(group.strategy == "tiled_reduction");
  CHECK(group.bytes_read == 4 * (4 * 32 * 48 + 8 * 4));
  CHECK(group.bytes_written == 4 * 8 * 32 * 48);
  CHECK(group.flops == 2 * 4 * 8 * 32 * 48);
  REQUIRE(group.stores.size() == 1);
  CHECK(group.stores[0].tensor == "r");
  CHECK(group.stores[0].stored == "f32 [1, 8, 1536], layout \"d0 d2 d1\"");
  CHECK(group.stores[0].reason == "channels last like %c, which it is combined with element by element");
  REQUIRE(group.members.size() == 2);
  CHECK(group.members[1].output == "r");
  REQUIRE(group.members[1].origins.size() == 1);
  CHECK(group.members[1].origins[0].ends_with("(Relu)"));
  CHECK(inspection.groups[1].from == std::vector<std::size_t>{0});
  CHECK(inspection.groups[1].inputs.empty());
}

TEST_CASE("inspect: why a tensor is stored and not computed in its reader") {
  OnnxModel m;
  m.input("x", {4, 300})
      .floats("w", {300, 500}, Floats(150000, 0.5F))
      .floats("u", {500, 3}, Floats(1500, 0.5F));
  m.node("Add", {"x", "x"}, {"a"}).node("MatMul", {"a", "w"}, {"p"}).node("Exp", {"p"}, {"e"});
  m.node("MatMul", {"e", "u"}, {"q"})
      .node("Neg", {"q"}, {"y"})
      .node("ReduceSum", {"q"}, {"z"})
      .output("y")
      .output("z");
  std::string text;
  for (const Inspection::Group& group : inspected(m).groups)
    text += fmt::format("{}: {}\n", group.stores[0].tensor, group.reason);
  CHECK(text ==
        "a: %p would compute it 500 times; above 256 this costs more than storing it\ne: %q would recompute "
        "it for each of its columns, and it is more than a sum or a product\nq: %y is one of several "
        "readers; %z is a reduction\ny: it is an output\nz: it is an output\n");
}

TEST_CASE("inspect: divisions that are left in a kernel are listed with their places") {
  OnnxModel m;
  m.input("x", {7, 30});
  m.node("Reshape", {"x", "s"}, {"r"}).node("Transpose", {"r"}, {"t"}, {attribute("perm", Ints{1, 0})});
  m.ints("s", {2}, {30, 7});
  m.node("Neg", {"t"}, {"y"}).output("y");
  const Inspection inspection = inspected(m);
  std::string text;
  for (const Inspection::Code& code : inspection.codes) {
    for (const Inspection::Division& division : code.divisions) {
      CHECK(division.count > 0);
      text += division.text + "\n";
      // The constant is in the kernel's text, in C's notation.
      CHECK(inspection.kernels[code.kernels[0]].text.find(
                division.text.find("_mod") == std::string::npos ? " / " : " % ") != std::string::npos);
    }
  }
  CHECK(text.find("truncating_mod(") != std::string::npos);
}

TEST_CASE("inspect: JSON has it all, and is told apart by its version") {
  const Inspection inspection = inspected(convolution());
  const auto json = nlohmann::json::parse(to_json(inspection, {{"for", "any device"}}));
  CHECK(json["version"] == 1);
  CHECK(json["for"] == "any device");
  CHECK(json["launches"] == 2);
  CHECK(json["movement_launches"] == 0);
  CHECK(json["operators"].size() == inspection.operators.size());
  CHECK(json["operators"][1]["text"].get<std::string>().starts_with("%c: f32[1,8,32,48] = Conv(%x, "));
  CHECK(json["groups"][0]["label"] == "Conv+Relu");
  CHECK(json["kernels"][0]["text"] == inspection.kernels[0].text);
  CHECK(json["memory"]["lower_bound"] == inspection.memory.lower_bound);
  CHECK(to_json(inspection) == to_json(inspected(convolution())));
}

TEST_CASE("inspect: what the host computes says why") {
  CompileTarget target;
  target.on_host = {"MatMul"};
  const Inspection inspection = load_model(convolution()).inspect(target);
  std::size_t hosts = 0;
  for (const Inspection::Group& group : inspection.groups) {
    if (group.host.empty()) continue;
    ++hosts;
    CHECK(group.launches.empty());
    CHECK(inspection.codes[group.code].nest.empty());
    CHECK_FALSE(inspection.codes[group.code].funcs.empty());
  }
  CHECK(hosts == 1);
}

TEST_CASE("inspect: an open size leaves the bytes open") {
  OnnxModel m = convolution();
  m.name_dim(0, 0, "batch");
  const auto json = nlohmann::json::parse(to_json(inspected(m)));
  CHECK(json["groups"][0]["bytes_read"].is_null());
  CHECK(json["memory"]["open"] == 1);
  CHECK(json["memory"]["planned"] == 0);
}

TEST_CASE("inspect: an output that is an input has no kernel") {
  OnnxModel m;
  m.input("x", {3}).node("Identity", {"x"}, {"y"}).output("y");
  const Inspection inspection = inspected(m);
  CHECK(inspection.groups.empty());
  REQUIRE(inspection.outputs.size() == 1);
  CHECK(inspection.outputs[0].input == 0);
  CHECK(fates(inspection) == " x [] input: \nIdentity y [] same: equals %x, element by element\n");
}

TEST_CASE("inspect: counts are those of the Program, and every operator has one end") {
  std::mt19937 random(11);
  for (int i = 0; i < 40; ++i) {
    CAPTURE(i);
    const Model model = load_model(RandomGraph(random, 5 + static_cast<int>(random() % 40)).model());
    check_laws(model, {});
    check_laws(model,
               {.movement_elimination = i % 2 == 0, .fusion = i % 3 == 0, .layout_selection = i % 5 == 0});
  }
}

}  // namespace tensordsl::testing
