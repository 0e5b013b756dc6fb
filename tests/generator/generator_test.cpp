// The command line of generators, and what they write.
#include "tensordsl/generator.h"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "generator/find_target.h"
#include "generator/host_expression.h"
#include "generator/launcher_header.h"
#include "generator/output_name.h"
#include "generator/write_outputs.h"
#include "runtime/program/combine_kernels.h"
#include "support/error_text.h"
#include "support/json_schema.h"
#include "support/source_dir.h"
#include "support/temporary.h"
#include "tensordsl/error.h"
#include "tensordsl/tensordsl.h"

namespace tensordsl {
namespace {

using generator::find_target;
using generator::host_expression;

namespace fs = std::filesystem;

struct Example : Generator {
  GeneratorParam<int> tile{this, "tile", 8, 1, 64, "elements"};
  GeneratorParam<double> slope{this, "slope", 0.5, 0, 1, "of the negative side"};
  GeneratorParam<bool> fast{this, "fast", false, "or exact"};
  GeneratorParam<std::string> mode{this, "mode", "zero", {"zero", "repeat", "mirror"}, "at the edge"};
  GeneratorParam<Type> type{this, "type", Float(32), {Float(32), UInt(8)}, "of an element"};
  GeneratorParam<Extent> size{this, "size", 100, "elements"};
  Pipeline generate(const GeneratorTarget&) override {
    const Var x("x");
    Input in("in", type, {size});
    Func out("out");
    out(x) = in(x)*cast(type, tile);
    out.bound({size});
    return Pipeline(out);
  }
};

std::string refusal(AnyGeneratorParam& param, const std::string& text) {
  return error_of([&] { param.set(text); });
}

fs::path fresh_folder() {
  const fs::path folder = testing::temporary("generator_test");
  fs::remove_all(folder);
  return folder;
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("generator: parameters read what they write, and say what is legal") {
  Example e;
  CHECK(e.params().size() == 6);
  for (AnyGeneratorParam* param : e.params()) {
    const std::string before = param->text();
    param->set(before);
    CHECK(param->text() == before);
  }
  e.tile.set("64");
  CHECK(e.tile == 64);
  e.type.set("u8");
  CHECK(Type(e.type) == UInt(8));
  e.size.set("symbolic");
  CHECK(e.size.text() == "symbolic");
  CHECK(to_string(Expr(e.size)) == "size");
  CHECK(refusal(e.tile, "65") == "tile=65: expected a whole number from 1 to 64");
  CHECK(refusal(e.tile, "8x") == "tile=8x: expected a whole number from 1 to 64");
  CHECK(refusal(e.tile, "") == "tile=: expected a whole number from 1 to 64");
  CHECK(refusal(e.tile, "99999999999") == "tile=99999999999: expected a whole number from 1 to 64");
  CHECK(refusal(e.slope, "nan") == "slope=nan: expected a number from 0 to 1");
  CHECK(refusal(e.fast, "1") == "fast=1: expected true or false");
  CHECK(refusal(e.mode, "none") == "mode=none: expected zero, repeat or mirror");
  CHECK(refusal(e.type, "i8") == "type=i8: expected f32 or u8");
  CHECK(refusal(e.size, "0") == "size=0: expected a whole number from 1 to 2130706432 or symbolic");
}

TEST_CASE("generator: numbers among its parameters are numbers, and constants in expressions") {
  Example e;
  CHECK(e.tile + e.tile == 16);
  CHECK(-e.tile == -8);
  CHECK(e.tile % 3 == 2);
  CHECK(e.slope * e.tile == 4.0);
  CHECK(to_string(Var("x") * e.tile) == "x*8");
  CHECK_THROWS_WITH_AS(static_cast<void>(Extent::symbolic("n").value()),
                       "n is symbolic, but this generator needs its value; pass n=NUMBER", Error);
}

TEST_CASE("generator: a class whose parameters cannot be given is refused when it is made") {
  struct Twice : Generator {
    GeneratorParam<bool> a{this, "a", false, ""}, b{this, "a", false, ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  struct Spaced : Generator {
    GeneratorParam<bool> a{this, "a b", false, ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  struct Outside : Generator {
    GeneratorParam<int> a{this, "a", 5, 0, 4, ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  CHECK(error_of([] { Twice(); }) == "generator parameter \"a\" is declared twice; rename one of them");
  CHECK(error_of([] { Spaced(); }) ==
        "generator parameter \"a b\": the name must consist of letters, digits and \"_\", and must not be "
        "\"target\"");
  CHECK(error_of([] { Outside(); }) ==
        "generator parameter \"a\" has an invalid declaration: the default is \"5\", expected a whole number "
        "from 0 to 4; fix the program");
}

TEST_CASE("generator: a parameter that no value suits is the program's fault, and not its user's") {
  struct None : Generator {
    GeneratorParam<std::string> a{this, "a", "x", {}, ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  struct NoType : Generator {
    GeneratorParam<Type> a{this, "a", Float(32), {}, ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  struct Crossed : Generator {
    GeneratorParam<int> a{this, "a", 5, 9, 3, ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  struct NotANumber : Generator {
    GeneratorParam<double> a{this, "a", 0, 0, std::nan(""), ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  const std::string start = "generator parameter \"a\" has an invalid declaration: ";
  CHECK(error_of([] { None(); }) == start + "the list of choices is empty; fix the program");
  CHECK(error_of([] { NoType(); }) == start + "the list of choices is empty; fix the program");
  CHECK(error_of([] { Crossed(); }) == start + "the range from 9 to 3 is empty; fix the program");
  CHECK(error_of([] { NotANumber(); }) == start + "the range from 0 to nan is empty; fix the program");
}

TEST_CASE("generator: a symbolic extent has its parameter's name") {
  struct Symbolic : Generator {
    GeneratorParam<Extent> size{this, "size", Extent::symbolic("size"), ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  struct Other : Generator {
    GeneratorParam<Extent> size{this, "size", Extent::symbolic("other"), ""};
    Pipeline generate(const GeneratorTarget&) override { return Pipeline(Func()); }
  };
  Symbolic symbolic;
  CHECK(symbolic.size.text() == "symbolic");
  CHECK(to_string(Expr(symbolic.size)) == "size");
  symbolic.size.set("7");
  symbolic.size.set("symbolic");
  CHECK(to_string(Expr(symbolic.size)) == "size");
  CHECK(error_of([] { Other(); }) ==
        "generator parameter \"size\" has an invalid declaration: the default is the symbolic extent "
        "\"other\", expected Extent::symbolic(\"size\"); fix the program");
}

TEST_CASE("generator: a word is compared with words of every kind") {
  const Example e, other;
  const std::string word = "zero";
  CHECK(e.mode == word);
  CHECK(word == e.mode);
  CHECK(e.mode == std::string_view("zero"));
  CHECK(e.mode == "zero");
  CHECK(e.mode != "mirror");
  CHECK(e.mode == other.mode);
}

TEST_CASE("generator: names of files collide with nothing that a host includes") {
  const auto refusal = [](const std::string& name) {
    return error_of([&] { generator::check_output_name(name, "-n " + name); });
  };
  for (const char* name :
       {"exp", "log", "abs", "main", "size_t", "conv2d", "FFt", "cloud", "kernels", "detail"})
    CHECK(refusal(name) == "no error");
  for (const char* name : {"aio", "time", "stdnoreturn", "stdatomic", "monetary", "wordexp"}) {
    CHECK(refusal(name) == "-n " + std::string(name) + ": a header " + name +
                               ".h would hide the C library's; use another name, such as " + name +
                               "_kernels");
  }
  for (const char* name : {"cl_mem", "CL_TRUE", "clFinish"}) {
    CHECK(refusal(name) == "-n " + std::string(name) +
                               ": the prefix is reserved for OpenCL; use another name, such as kernels_" +
                               name);
  }
  for (const char* name : {"NULL", "M_PI", "SIZE_MAX"})
    CHECK(refusal(name) ==
          "-n " + std::string(name) + ": names in capitals are reserved for macros; use lower-case letters");
  for (const char* name : {"", "3x3", "_a", "a__b", "a-b", "std", "class", "errno", "linux"})
    CHECK(refusal(name).starts_with("-n " + std::string(name) +
                                    ": the name must be valid for a C++ namespace"));
}

TEST_CASE("generator: a target is nothing, a profile, or a device") {
  CHECK(find_target("any").figures == Target());
  CHECK(find_target("adreno640").figures.prefers_images);
  CHECK(find_target("nvidia_h100").figures.has_local_memory);
  CHECK(find_target("pocl_cpu_avx512").figures.group_items == 1);
  CHECK(error_of([] { find_target("adreno"); }) ==
        "target=adreno: the profile \"adreno\" is neither a readable file nor one of adreno630, adreno640, "
        "mali_g76, mali_t860, nvidia_h100, pocl_cpu_avx512; expected any, here, one of adreno630, adreno640, "
        "mali_g76, mali_t860, nvidia_h100, pocl_cpu_avx512, or a file written by `tensordsl profile`");
}

TEST_CASE("generator: what several kernels need stands once in their file") {
  const Var x("x");
  const Input in("in", Float(16), {64});
  Func a("a"), b("b");
  a(x) = cast(Float(16), in(x)*2.0f);
  b(x) = cast(Float(16), a(x) + in(x / 2));
  a.compute_root().vectorize(x, 8);
  b.bound({64});
  const Program program = Pipeline(b).compile();
  REQUIRE(program.kernels.size() == 2);
  const std::string text = runtime::combined_text(program);
  const auto count = [&](const std::string& part) {
    int n = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  CHECK(count("__kernel") == 2);
  CHECK(count("float half_to_float(ushort h) {") == 1);
  CHECK(count("ushort8 float_to_half8(float8 v) {") == 1);
  CHECK(count("float8 half_to_float8(ushort8 h) {") == 1);
  CHECK(text.find("ushort8 float_to_half8(") < text.find("__kernel"));
}

TEST_CASE("generator: sizes become C++ that computes them exactly") {
  const Param n("n"), m("m");
  const auto cpp = [](const Expr& e) {
    return host_expression(e, [](const std::string& name) { return "p." + name; });
  };
  CHECK(cpp(Expr(n) * 4 + m) == "detail::plus(detail::times(p.n, 4), p.m)");
  CHECK(cpp((Expr(n) + 7) / 8 % m) == "detail::floor_mod(detail::floor_div(detail::plus(p.n, 7), 8), p.m)");
  CHECK(cpp(min(Expr(n), max(Expr(m), -3))) ==
        "std::min<std::int64_t>(p.n, std::max<std::int64_t>(p.m, (-3)))");
  CHECK(cpp(select(n < 3 && !(m == 0), Expr(n), Expr(m))) == "(((p.n < 3) && !(p.m == 0)) ? p.n : p.m)");
  CHECK(cpp(Expr(n) & 3) == "(p.n & 3)");
  CHECK(cpp(cast(UInt(8), Expr(n))) == "static_cast<std::int64_t>(static_cast<std::uint8_t>(p.n))");
  CHECK(cpp(Expr(n) - m) == "detail::minus(p.n, p.m)");
  CHECK(cpp(cast(Int(32), n < m) * 3) == "detail::times(((p.n < p.m) ? 1 : 0), 3)");
  const Param k("k", UInt(32)), f("f", Float(32)), g("g", Float(32));
  CHECK(cpp(cast(Int(32), k + 1u)) ==
        "static_cast<std::int64_t>(static_cast<std::uint32_t>(detail::plus(p.k, 1)))");
  CHECK(error_of([&] { cpp(cast(Int(32), f)); }) ==
        "the launcher cannot compute \"i32(f:f32)\": sizes must be integers, and the Param \"f\" is f32; "
        "make \"f\" an integer, pass the size as another Param, or drop the header from -e");
  CHECK(error_of([&] { cpp(select(f == g, Expr(n), Expr(m))); }).find("the Param \"f\" is f32") !=
        std::string::npos);
  CHECK(error_of([&] { cpp(cast(Int(32), sqrt(cast(Float(32), Expr(n))))); }) ==
        "the launcher cannot compute \"i32(sqrt(f32(n)))\": it must be a sum, product, quotient, minimum or "
        "select of integers; drop the header from -e");
}

TEST_CASE("generator: the files are the Program, to be read again and run") {
  const fs::path folder = fresh_folder();
  Example e;
  e.size.set("symbolic");
  const Pipeline pipeline = e.generate({});
  const auto paths = generator::write_outputs(
      pipeline, {},
      {folder.string(), "scaled", "from a test", {"cl", "manifest", "header", "schedule", "ir", "html"}});
  CHECK(paths.size() == 6);
  const auto json = nlohmann::ordered_json::parse(contents(folder / "scaled.json"));
  const auto schema =
      nlohmann::ordered_json::parse(contents(source_dir() / "src/runtime/json/program.schema.json"));
  CHECK(schema_mismatch(schema, schema, json, "program") == "");
  CHECK(json["kernels"][0]["file"] == "scaled.cl");
  CHECK(contents(folder / "scaled.cl").starts_with("// from a test\n__kernel"));
  CHECK(contents(folder / "scaled.h").find(contents(folder / "scaled.cl")) != std::string::npos);
  CHECK(contents(folder / "scaled.html").find("__kernel") != std::string::npos);
  const auto device = Device::open();
  Runner runner(std::make_shared<const Program>(read_program((folder / "scaled.json").string())), *device,
                {{"size", 3}});
  Buffer in(Float(32), {3});
  for (int i = 0; i < 3; ++i) in.set(i, i);
  runner.write("in", in);
  runner.run();
  CHECK(runner.read().get(2) == 16);
  fs::remove_all(folder);
}

TEST_CASE("generator: a tensor may be called as what the launcher makes of another") {
  const Var x("x");
  const Input in("in", Float(32), {4}), storage("in_storage", Float(32), {4});
  Func pair("pair");
  pair(x) = {in(x) + storage(x), in(x)};
  pair.bound({4});
  const Program program = Pipeline(pair).compile();
  const std::string header =
      generator::launcher_header(program, runtime::combined_text(program), "-cl-std=CL1.2", {"names", ""});
  CHECK(header.find("detail::check_memory(in, this->in_storage());") != std::string::npos);
  CHECK(header.find("// output  pair.0, here pair_0: float [4]\n") != std::string::npos);
  CHECK(header.find("cl_mem in, cl_mem in_storage, cl_mem pair_0, cl_mem pair_1,") != std::string::npos);
}

TEST_CASE("generator: what the definitions read is in the signature, whether kernels need it or not") {
  const Var x("x");
  const Param n("n"), unused("unused", Float(32)), rows("rows");
  Input a("a", Float(32), {Expr(n)}), b("b", Float(32), {Expr(rows)});
  Func out("out");
  out(x) = a(x) + select(x < 0, b(0) * unused, 0.0f);
  out.bound({Expr(n)});
  const Program program = Pipeline(out).compile();
  REQUIRE(program.inputs.size() == 2);
  CHECK(program.inputs[0].name == "a");
  CHECK(program.inputs[1].name == "b");
  CHECK(program.kernels[0].arguments.size() == 3);  // a, out and n
  std::vector<std::string> params;
  for (const Program::Param& p : program.params) params.push_back(p.name);
  CHECK(params == std::vector<std::string>{"n", "rows", "unused"});
  const std::string header =
      generator::launcher_header(program, runtime::combined_text(program), "-cl-std=CL1.2", {"names", ""});
  CHECK(header.find("void run(cl_command_queue queue, cl_mem a, cl_mem b, cl_mem out,") != std::string::npos);
  CHECK(header.find("float unused = 0;") != std::string::npos);
  Buffer values(Float(32), {3}), other(Float(32), {2});
  for (int i = 0; i < 3; ++i) values.set(i, i);
  const Buffer result = Pipeline(out).realize({{"a", values}, {"b", other}}, *Device::open(),
                                              {{"n", 3}, {"rows", 2}, {"unused", 1}});
  CHECK(result.get(2) == 2);
}

TEST_CASE("generator: names that C++ has taken do not reach the launcher") {
  const Var x("x");
  const Param count("class");
  Input in("queue", Float(32), {Expr(count)}), other("context", Float(32), {Expr(count)});
  Func out("namespace");
  out(x) = in(x) + other(x);
  out.bound({Expr(count)});
  const Program program = Pipeline(out).compile();
  const std::string header = generator::launcher_header(program, runtime::combined_text(program),
                                                        "-cl-std=CL1.2", {"names", "a\nb\\"});
  CHECK(header.starts_with("// a?b?\n"));
  CHECK(header.find("std::int32_t class_2 = 0;") != std::string::npos);
  CHECK(header.find("void write_queue_2(cl_command_queue queue, cl_mem queue_2") != std::string::npos);
  CHECK(header.find("Memory create_context_2() const") != std::string::npos);
  CHECK(header.find("read_namespace_2") != std::string::npos);
  CHECK(header.find("// input   queue, here queue_2: float [class]\n") != std::string::npos);
  CHECK(header.find("// output  namespace, here namespace_2: float [class]\n") != std::string::npos);
  CHECK(header.find("// param   class, here class_2: std::int32_t\n") != std::string::npos);
}

}  // namespace tensordsl
