// Tests that the parts of a Program are consistent.
#include "runtime/program/check_program.h"

#include <doctest/doctest.h>

#include <functional>

#include "ir/nodes/expr_node.h"
#include "ir/nodes/function.h"
#include "tensordsl/error.h"

namespace tensordsl {
namespace {

using Access = KernelArgument::Access;
using Kind = Program::Tensor::Kind;

SizeExpr symbol(const std::string& name) { return SizeExpr::param(name); }
Expr index(const std::string& name) { return ir::make_param(name, Int(32)); }

Program::Tensor tensor(Kind kind, const std::string& name, Type type, const SizeExpr& extent) {
  Program::Tensor result;
  result.kind = kind;
  result.name = name;
  result.stored.type = type;
  result.stored.extents = {extent};
  result.elements = extent;
  return result;
}

KernelArgument argument(const std::string& name, Type type, Access access) {
  KernelArgument result;
  result.name = name;
  result.type = type;
  result.access = access;
  return result;
}

/// x[n] -> number, the count m -> the host's y[m] -> z[m]
Program program() {
  Program p;
  p.params = {{"n", Int(32)}};
  p.tensors = {tensor(Kind::Input, "x", Float(32), symbol("n")),
               tensor(Kind::Intermediate, "number", Int(32), 1),
               tensor(Kind::Intermediate, "y", Float(32), symbol("m")),
               tensor(Kind::Output, "z", Float(32), symbol("m"))};
  p.kernels.resize(2);
  p.kernels[0].entry = "counter";
  p.kernels[0].arguments = {argument("x", Float(32), Access::ReadOnly),
                            argument("number", Int(32), Access::WriteOnly)};
  p.kernels[1].entry = "last";
  KernelArgument m = argument("m", Int(32), Access::ReadOnly);
  m.kind = KernelArgument::Kind::Scalar;
  p.kernels[1].arguments = {m, argument("y", Float(32), Access::ReadOnly),
                            argument("z", Float(32), Access::WriteOnly)};
  p.launches.resize(2);
  p.launches[0].tensors = {0, 1};
  p.launches[1].kernel = 1;
  p.launches[1].tensors = {-1, 2, 3};
  p.launches[1].groups[0] = "m";
  p.counts = {{"m", 1, 1, symbol("n")}};
  const auto input = std::make_shared<ir::Function>();
  input->name = "a";
  input->dims = {"i"};
  input->types = {Float(32)};
  input->is_given = true;
  input->shape = {index("n")};
  const auto copy = std::make_shared<ir::Function>();
  copy->name = "b";
  copy->dims = {"i"};
  copy->types = {Float(32)};
  copy->definitions = {{{index("i")}, {ir::make_call(Float(32), input, "a", {index("i")})}, {}, {}}};
  p.host_steps = {
      {"Copy", {input, copy}, {{"a", 0, p.tensors[0].stored}}, {{"b", 2, p.tensors[2].stored}}, 1, 1}};
  p.inputs = {{"x", Float(32), {symbol("n")}, 0}};
  p.outputs = {{"z", Float(32), {symbol("m")}, 3}};
  return p;
}

std::string problem(const std::function<void(Program&)>& damage) {
  Program p = program();
  damage(p);
  try {
    runtime::check_program(p);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("check program: what fits together passes") {
  CHECK(problem([](Program&) {}) == "none");
}

TEST_CASE("check program: what nothing has written is neither read nor an output") {
  CHECK(problem([](Program& p) {
          p.launches.erase(p.launches.begin());
          p.counts[0].launches = 0;
          p.host_steps[0].launches = 0;
        }) == "program: the count m reads \"number\", which was not written before");
  CHECK(problem([](Program& p) { p.counts[0].launches = 0; }) ==
        "program: the count m reads \"number\", which was not written before");
  CHECK(problem([](Program& p) { p.host_steps.clear(); }) ==
        "program: the launch of last reads \"y\", which was not written before");
  CHECK(problem([](Program& p) { p.host_steps[0].reads[0].tensor = 3; }) ==
        "program: the host step Copy reads \"z\", which was not written before");
  CHECK(problem([](Program& p) { p.launches.pop_back(); }) == "program: the output \"z\" is never written");
}

TEST_CASE("check program: inputs and constants are not written") {
  CHECK(problem([](Program& p) { p.launches[0].tensors[1] = 0; }) ==
        "program: the launch of counter writes \"x\", which is an input");
  CHECK(problem([](Program& p) { p.tensors[2].kind = Kind::Constant; }) ==
        "program: the host step Copy writes \"y\", which is a constant");
}

TEST_CASE("check program: sizes are of Params, and of counts from their place on") {
  const std::string there = ", which is not a Param or a count known at that point";
  CHECK(problem([](Program& p) { p.counts[0].bound = symbol("m"); }) ==
        "program: the count m uses m" + there);
  CHECK(problem([](Program& p) {
          p.host_steps[0].counts = 0;
          p.host_steps[0].reads[0].stored.extents = {symbol("m")};
          p.host_steps[0].launches = 0;
        }) == "program: the host step Copy uses m" + there);
  CHECK(problem([](Program& p) { p.launches[0].groups[1] = "m"; }) ==
        "program: the launch of counter uses m" + there);
  CHECK(problem([](Program& p) { p.kernels[1].arguments[0].name = "q"; }) ==
        "program: the launch of last takes q" + there);
  CHECK(problem([](Program& p) { p.inputs[0].shape = {symbol("m")}; }) ==
        "program: the input \"x\" uses m" + there);
  CHECK(problem([](Program& p) { p.outputs[0].shape = {symbol("k")}; }) ==
        "program: the output \"z\" uses k" + there);
  CHECK(problem([](Program& p) { p.tensors[3].elements = "m*k"; }) ==
        "program: the size of \"z\" uses k" + there);
  CHECK(problem([](Program& p) {
          p.tensors[3].image = Program::Tensor::ImageSize{4, "1", "k", "1"};
        }) == "program: the size of \"z\" uses k" + there);
  CHECK(problem([](Program& p) {
          p.requirements = {{"f", "x", 0, "i", symbol("k"), 0, 1, 2, true}};
        }) == "program: a requirement of f uses k" + there);
  CHECK(problem([](Program& p) {
          p.factors = {{"f", "x", "k", 1, 1}};
        }) == "program: an index of f has the factor k, which is not a Param");
}

TEST_CASE("check program: a state's output is like its input, but for one extent") {
  const auto with = [](const std::function<void(Program&)>& change) {
    return problem([&](Program& p) {
      p.params.push_back({"past", Int(32)});
      p.tensors.push_back(tensor(Kind::State, "cache", Float(32), "past + n"));
      p.tensors.back().stored.layout = Layout::row_major(1);
      p.inputs.push_back({"old", Float(32), {symbol("past")}, 4});
      p.outputs.push_back({"new", Float(32), {"past + n"}, 4});
      p.states = {{1, 1, 0}};
      change(p);
    });
  };
  CHECK(with([](Program&) {}) == "none");
  CHECK(with([](Program& p) { p.states.clear(); }) ==
        "program: the tensor \"cache\" does not belong to a state");
  CHECK(with([](Program& p) { p.states[0].axis = -1; }) ==
        "program: the state \"old\" and its output have different extents in dimension 0");
  CHECK(with([](Program& p) { p.states[0].axis = 1; }) ==
        "program: the state \"old\" and its output have different extents in dimension 0");
  CHECK(with([](Program& p) {
          p.inputs[1].shape = {symbol("past"), 2};
        }) == "program: the state \"old\" and its output \"new\" have different types or ranks");
  CHECK(with([](Program& p) { p.inputs[1].shape = {4}; }) ==
        "program: the state \"old\" grows along dimension 0, whose extent is not a Param");
  CHECK(with([](Program& p) { p.outputs[1].tensor = 3; }) ==
        "program: the state \"old\" and its output do not begin at the same place in memory");
  CHECK(with([](Program& p) { p.tensors[4].stored.layout = Layout::parse("4+d0", {"d0"}); }) ==
        "program: the state \"old\" and its output do not begin at the same place in memory");
  CHECK(with([](Program& p) { p.states.push_back(p.states[0]); }) ==
        "program: the state \"old\" is out of order, or its output belongs to another state");
}

TEST_CASE("check program: a host step's definitions are over their own indices") {
  const auto with = [](const std::function<void(ir::Function&)>& change) {
    return problem([&](Program& p) {
      auto function = std::make_shared<ir::Function>(*p.host_steps[0].definitions[1]);
      change(*function);
      p.host_steps[0].definitions[1] = function;
    });
  };
  CHECK(with([](ir::Function& f) { f.definitions[0].values = {cast(Float(32), index("j"))}; }) ==
        "program: the host step Copy uses j, which is not a Param or a count known at that point");
  CHECK(with([](ir::Function& f) { f.dims = {"i i"}; }) ==
        "program: the host step Copy has the index \"i i\", which is not a valid name");
  CHECK(with([](ir::Function& f) {
          f.definitions[0].domain = {{"r", 0, index("i")}};
        }) == "program: the host step Copy uses i, which is not a Param or a count known at that point");
}

}  // namespace tensordsl
