// The scripts of the tree, as far as they can be asked without building or installing anything.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/source_dir.h"
#include "support/temporary.h"

namespace {

/// The lines of a script that hold `part`.
std::vector<std::string> lines_with(const std::string& script, const std::string& part) {
  std::ifstream file(source_dir() / "scripts" / script);
  std::vector<std::string> found;
  for (std::string line; std::getline(file, line);) {
    if (line.find(part) != std::string::npos) found.push_back(line);
  }
  return found;
}

struct Outcome {
  int code = -1;
  std::string text;  // of both outputs
};

Outcome run(const std::string& arguments, const std::string& environment = "") {
  FILE* pipe = popen(
      (environment + " '" + (source_dir() / "scripts").string() + "'/" + arguments + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  Outcome outcome;
  for (int c; (c = std::fgetc(pipe)) != EOF;) outcome.text += static_cast<char>(c);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace

TEST_CASE(
    "scripts: the demo and the tests configure alike, so that neither builds again what the other has "
    "built") {
  const auto demo = lines_with("demo", "cmake --preset"), test = lines_with("test", "cmake --preset");
  REQUIRE(demo.size() == 1);
  CHECK(demo == test);
}

TEST_CASE("scripts: the demo prints its usage and its options, and does nothing else then") {
  for (const char* option : {"--help", "-h"}) {
    const Outcome outcome = run(std::string("demo ") + option);
    CHECK(outcome.code == 0);
    CHECK(outcome.text.starts_with("usage: scripts/demo [--all]\n"));
    CHECK(outcome.text.find("\n  --all ") != std::string::npos);
    CHECK(outcome.text.find("1/4") == std::string::npos);
  }
}

TEST_CASE("scripts: the demo has no option but --all and --help") {
  for (const char* arguments : {"demo --every", "demo --all now"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.text == "demo: '" + std::string(arguments).substr(5) +
                              "' is not an option; there is --all, which runs every model of models/\n");
  }
}

TEST_CASE("scripts: check-models runs every model, each symbolic one at its sizes, and fails if one does") {
  const auto program = tensordsl::testing::temporary("program");
  std::ofstream(program) << "#!/bin/sh\n"
                            "case \"$2 $*\" in *vgg16*fp16*) echo cannot run >&2; exit 2;; esac\n"
                            "echo 'time     7 ms per run'\n"
                            "echo 'check    y: max |difference| 1.5, allowed 2 (0.001 of 2): ok'\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const Outcome outcome = run("check-models", "TENSORDSL=" + program.string());
  std::filesystem::remove(program);
  CHECK(outcome.code == 1);
  const auto has = [&](const std::string& line) { return outcome.text.find(line) != std::string::npos; };
  CHECK(has("swin_t                                  fp16  ok      1.5           2                     7\n"));
  CHECK(has("transformer      batch=2 sequence=7     fp32  ok      1.5           2                     7\n"));
  CHECK(has(
      "gpt              batch=1 sequence=5 past=3 fp32  ok      1.5           2                     7\n"));
  CHECK(has("vgg16                                   fp16  error   cannot run\n"));
  CHECK(has("1 of 42 runs failed\n"));
}

TEST_CASE("scripts: setup takes no argument but --drivers or --mobile-compilers") {
  const Outcome outcome = run("setup --everything");
  CHECK(outcome.code == 2);
  CHECK(outcome.text == "setup: it takes --drivers or --mobile-compilers, and was given: --everything\n");
}

TEST_CASE("scripts: with-driver says which drivers there can be") {
  for (const char* arguments : {"with-driver", "with-driver intel", "with-driver adreno true"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.text ==
          "with-driver: name a driver, intel or rusticl, and a command: scripts/with-driver intel "
          "build/release/bin/test_device\n");
  }
}

TEST_CASE("scripts: with-driver runs a command where the driver is installed, and else ends with 77") {
  for (const std::string driver : {"intel", "rusticl"}) {
    CAPTURE(driver);
    const bool is_installed =
        std::filesystem::exists(source_dir() / "build/drivers" / driver / "vendors/driver.icd");
    const Outcome outcome = run("with-driver " + driver +
                                " sh -c 'echo ${TENSORDSL_DEVICE-unset} && ls $OCL_ICD_VENDORS && exit 5'");
    CHECK(outcome.code == (is_installed ? 5 : 77));
    CHECK(outcome.text == (is_installed
                               ? "unset\ndriver.icd\n"
                               : "with-driver: skipped: " + driver +
                                     " is not installed; scripts/setup --drivers installs what it can\n"));
  }
}

TEST_CASE("scripts: onnx-data says which data there can be") {
  for (const char* arguments : {"onnx-data", "onnx-data node"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.text ==
          "onnx-data: say which data, debian or pypi, and a command for it: scripts/onnx-data debian "
          "build/release/bin/onnx_conformance\n");
  }
}

TEST_CASE(
    "scripts: onnx-data hands its folder to a command where the data is installed, and else ends with 77") {
  for (const std::string data : {"debian", "pypi"}) {
    CAPTURE(data);
    const Outcome place = run("onnx-data " + data);
    const Outcome outcome = run("onnx-data " + data + " echo");
    CHECK(outcome.code == place.code);
    if (place.code == 0) {
      CHECK(outcome.text == "--data " + place.text);
    } else {
      CHECK(place.code == 77);
      CHECK(outcome.text == "onnx-data: skipped: ONNX's data (" + data +
                                ") is not here; scripts/setup --drivers installs it\n");
    }
  }
}

namespace {

/// Returns the labels of the tests that a change of `file` asks for.
std::string affected_by(const std::string& file) {
  const Outcome outcome = run("affected-tests -", "echo '" + file + "' |");
  CHECK(outcome.code == 0);
  return outcome.text;
}

}  // namespace

TEST_CASE("scripts: a change asks for the tests of its layer and of the layers above") {
  CHECK(affected_by("src/tune/tune_task.cpp") ==
        "^(layer:apps|layer:every|layer:examples|layer:generators|layer:model|layer:pages|layer:python|"
        "layer:tool|layer:tool/commands|layer:tool/diff|layer:tool/model|layer:tool/profile|"
        "layer:tool/report|layer:tool/tune|layer:tree|layer:tune|layer:tutorials)$\n");
  CHECK(affected_by("include/tensordsl/runtime.h") ==
        "^(layer:apps|layer:c_api|layer:every|layer:examples|layer:generators|layer:python|layer:tree|"
        "layer:tutorials)$\n");
  CHECK(affected_by("apps/bench/main.cpp") == "^(layer:apps|layer:every|layer:tree)$\n");
  CHECK(affected_by("apps/examples/blur.cpp") == "^(layer:apps|layer:every|layer:examples|layer:tree)$\n");
}

TEST_CASE("scripts: a change of tests and of documents asks for those that have to do with them") {
  CHECK(affected_by("tests/graph/fuse_test.cpp") == "^(layer:tree|tests/graph)$\n");
  CHECK(affected_by("tests/simulate/random_expression.cpp") == "^(layer:tree|tests/llvm|tests/simulate)$\n");
  const std::string document = affected_by("docs/OPERATORS.md");
  CHECK(document.starts_with("^(layer:tree|"));
  CHECK(document.find("|tests/docs|tests/onnx_data|") != std::string::npos);
  CHECK(document.find("tests/graph") == std::string::npos);
  const std::string model = affected_by("models/resnet18.onnx");
  CHECK(model.starts_with("^(layer:every|layer:tree|"));
  CHECK(model.find("|tests/models") != std::string::npos);
  CHECK(model.find("|tests/cli|") != std::string::npos);
  CHECK(affected_by("tests/c++/-v.cpp").find("tests/c\\+\\+") != std::string::npos);
}

TEST_CASE("scripts: a change of what belongs to no layer asks for every test") {
  for (const std::string file : {"CMakeLists.txt", "src/graph/CMakeLists.txt", "src/layers.txt",
                                 "scripts/test", "tests/support/main.cpp"}) {
    CAPTURE(file);
    CHECK(affected_by(file) == ".\n");
  }
}

TEST_CASE("scripts: a change is told from a commit that there is") {
  const Outcome none = run("affected-tests");
  CHECK(none.code == 2);
  CHECK(none.text ==
        "affected-tests: name the commit to compare with, as main or HEAD~3, or - to read a list of files\n");
  const Outcome unknown = run("affected-tests no-such-commit");
  CHECK(unknown.code == 2);
  CHECK(unknown.text ==
        "affected-tests: 'no-such-commit' is not a commit of this repository; name the one that the change "
        "began at, as main or HEAD~3\n");
  for (const char* argument : {"", "--al", "--all=1", "all", "--changed=main", "--helpful"}) {
    CAPTURE(argument);
    const Outcome refused = run("test '" + std::string(argument) + "'");
    CHECK(refused.code == 2);
    CHECK(refused.text.starts_with("test: '" + std::string(argument) +
                                   "' is not an option; there are --all, "));
  }
  CHECK(run("test --all -R").text == "test: -R takes a value, as of ctest\n");
  CHECK(run("test --help").text.find("scripts/test --changed BASE ") != std::string::npos);
  const Outcome test = run("test --changed");
  CHECK(test.code == 2);
  CHECK(test.text == "test: --changed takes the commit to compare with, as main or HEAD~3\n");
  CHECK(run("test --changed no-such-commit").text == unknown.text);
}
