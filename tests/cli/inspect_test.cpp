// `tensordsl inspect` as people and scripts see it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "apps/tensordsl/report/inspect_text.h"
#include "cli/small_model.h"

namespace tensordsl::testing {
namespace {

using nlohmann::json;

bool has_graphviz() { return std::system("command -v dot >/dev/null 2>&1") == 0; }

}  // namespace

TEST_CASE("cli: inspect prints passes, kernels and memory") {
  const SmallModel m;
  const CommandResult result = m.run({"inspect", m.model(), "--device", "none"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.starts_with(
      m.model() + ", for any device\n\n  pass                      operators  transformations\n"));
  for (const char* line :
       {"  fuse                      3 -> 1",
        "\n  kernel  of            strategy       launches  flops  reads  writes\n",
        "\n  y       Mul+Add+Relu  data_movement  1                ", "\nmemory    0 B for 0 intermediates",
        "\nkernels   1 launch of 1 distinct kernel; 0 only move elements\n"}) {
    CHECK_MESSAGE(result.out.find(line) != std::string::npos, line, result.out);
  }
  CHECK(result.err.empty());
}

TEST_CASE(
    "cli: the tables of inspect are no wider than a terminal of 80 columns, and have the ends of names") {
  const std::string name = "/layers/layers.1/blocks/blocks.0/attention/projection/MatMul_output_0";
  Inspection inspection;
  inspection.passes = {{"fold_views", false, {1945, 371}, {651, 100}, {}}};
  inspection.kernels.resize(1);
  inspection.kernels[0].entry = std::string(80, 'k');
  inspection.codes = {{"", "", {0}, {{"truncating_div(" + std::string(90, 'x') + ", 7)", 12, 3}}}};
  Inspection::Group group;
  group.label = "MatMul+Add+Div+Erf+Add+Mul+Mul+MatMul+Add+Div+Erf+Add+Mul+Mul";
  group.strategy = "tiled_reduction";
  group.is_movement = true;
  group.stays = "without it %" + name + " would not read contiguous memory";
  group.stores = {{name, false, "", 4, ""}};
  group.launches = {0};
  group.flops = 5;
  group.bytes_read = group.bytes_written = 1023 << 20;
  inspection.groups = {group};
  std::istringstream lines(cli::inspect_text(inspection, 80));
  for (std::string line; std::getline(lines, line);) {
    CAPTURE(line);
    const bool is_one_word = line.find("%/layers") != std::string::npos;
    CHECK((is_one_word || line.size() <= 80));
  }
  const std::string wide = cli::inspect_text(inspection, std::nullopt);
  CHECK(wide.find("tMul_output_0  ") != std::string::npos);
  CHECK(wide.find("remaining layout transformations\n") != std::string::npos);
  CHECK(wide.find("  12      3      kkk") != std::string::npos);
}

TEST_CASE("cli: inspect --json is the whole, and needs no device") {
  const SmallModel m;
  const CommandResult result =
      m.run({"inspect", m.model(), "--device", "none", "--json"}, {"OCL_ICD_VENDORS=/nowhere"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  const json all = json::parse(result.out);
  CHECK(all["version"] == 1);
  CHECK(all["model"] == m.model());
  CHECK(all["for"] == "any device");
  CHECK(all["precision"] == "fp32");
  CHECK(all["launches"] == 1);
  CHECK(all["groups"][0]["label"] == "Mul+Add+Relu");
  CHECK(m.run({"inspect", m.model(), "--device", "none", "--json", "--no-fusion"})
            .out.find("\"launches\": 3") != std::string::npos);
}

TEST_CASE("cli: inspect --html writes a page beside what it prints" * doctest::skip(!has_graphviz())) {
  const SmallModel m;
  const CommandResult result =
      m.run({"inspect", m.model(), "--device", "none", "--html", m.path("page.html"), "--json"});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(json::parse(result.out)["launches"] == 1);
  CHECK(result.err == "tensordsl: wrote " + m.path("page.html") + "\n");
  const std::string page = file_text(m.path("page.html"));
  CHECK(page.starts_with("<!DOCTYPE html>"));
  CHECK(page.find("<title>model</title>") != std::string::npos);
  CHECK(page.find("mul_add_relu_kernel(") != std::string::npos);
  for (const std::string& fact : {std::string("<dt>date</dt><dd>20"), std::string("<dt>host</dt>"),
                                  std::string("<dt>version</dt><dd>tensordsl "),
                                  "<dt>command</dt><dd>tensordsl inspect " + m.model() +
                                      " --device none --json --html " + m.path("page.html")})
    CHECK_MESSAGE(page.find(fact) != std::string::npos, fact);
}

TEST_CASE("cli: inspect --html of a model without kernels, whose names end elements" *
          doctest::skip(!has_graphviz())) {
  const CommandLine line;
  const std::string nasty = "</script><b>\"";
  OnnxModel model;
  model.input(nasty, {3}).node("Identity", {nasty}, {"y"}).output("y");
  line.write("nasty.onnx", model.proto.SerializeAsString());
  const CommandResult result =
      line.run({"inspect", line.path("nasty.onnx"), "--device", "none", "--html", line.path("page.html")});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.find("0 launches of 0 distinct kernels") != std::string::npos);
  const std::string page = file_text(line.path("page.html"));
  CHECK(page.find("<b>") == std::string::npos);
  CHECK(page.find(R"(\u003c/script>\u003cb>\")") != std::string::npos);
}

TEST_CASE("cli: inspect --html without Graphviz names the remedy and leaves no page") {
  const SmallModel m;
  const CommandResult result =
      m.run({"inspect", m.model(), "--device", "none", "--html", m.path("page.html")}, {"PATH=/nowhere"});
  CHECK(result.code == 2);
  CHECK(result.err ==
        "tensordsl: error: --html: graph: cannot run Graphviz's dot, which lays out graphs (No such file or "
        "directory); install it (Debian: apt-get install graphviz)\n");
  CHECK_FALSE(std::filesystem::exists(m.path("page.html")));
}

TEST_CASE("cli: inspect refuses what is no model, and a place that cannot be written") {
  const SmallModel m;
  const auto fails = [&](const std::vector<std::string>& arguments, const std::string& message) {
    std::vector<std::string> all{"inspect"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const CommandResult result = m.run(all);
    CHECK(result.code == 2);
    CHECK(result.out.empty());
    CHECK(result.err.find(message) != std::string::npos);
    CHECK_MESSAGE(std::ranges::count(result.err, '\n') == 1, result.err);
  };
  m.write("broken.onnx", "this is no model");
  fails({m.path("broken.onnx")}, "broken.onnx");
  fails({m.path("absent.onnx")}, "absent.onnx");
  fails({m.model(), "--html", m.path("no/such/folder.html")}, "--html");
  fails({m.model(), "--html", ""}, "--html");
  REQUIRE(m.run({"compile", m.model(), "-o", m.path("program")}).code == 0);
  fails({m.path("program"), "--html", m.path("page.html")},
        "is a compiled package, which has no record of its compilation; pass the ONNX model");
  fails({m.path("program"), "--no-fusion"}, "is already compiled; drop this option");
}

TEST_CASE("cli: packages, one file or a folder, are run, timed and looked into as models are") {
  const SmallModel m;
  for (const std::string& place : {m.path("small.tdsl"), m.path("small")}) {
    REQUIRE(m.run({"compile", m.model(), "--device", "cpu", "--binaries", "-o", place}).code == 0);
    const CommandResult text = m.run({"inspect", place});
    REQUIRE_MESSAGE(text.code == 0, text.err);
    CHECK(text.out.starts_with("package  " + place + "\nof       model.onnx\nfor      "));
    CHECK(text.out.find("binaries 1, ") != std::string::npos);
    CHECK(text.out.find(
              "nodes    not known: a package names the tensors that its kernels write, and the model's "
              "file the nodes\n\n") != std::string::npos);
    CHECK(text.out.find("     kernel               of            writes  groups ") != std::string::npos);
    CHECK(text.out.find("  0  mul_add_relu_kernel  Mul+Add+Relu  y       ") != std::string::npos);
    const auto json = nlohmann::json::parse(m.run({"inspect", place, "--json"}).out);
    CHECK(json["made_from"] == "model.onnx");
    CHECK(json["binaries"] == 1);
    CHECK(json["launches"].size() == 1);
    CHECK(json["launches"][0]["writes"] == nlohmann::json{"y"});
    CHECK(json["profile"].is_object());
    CHECK(m.run({"run", place}).code == 0);
    CHECK(m.run({"bench", place, "--runs", "20"}).code == 0);
  }
  const CommandResult none =
      m.run({"compile", m.model(), "--device", "none", "--binaries", "-o", m.path("a.tdsl")});
  CHECK(none.err ==
        "tensordsl: error: --binaries: needs a device, because its driver makes them; pass another --device "
        "than none\n");
}

}  // namespace tensordsl::testing
