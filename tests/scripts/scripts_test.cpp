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

TEST_CASE("scripts: the demo has no option but --all") {
  for (const char* arguments : {"demo --every", "demo --all now"}) {
    CAPTURE(arguments);
    const Outcome outcome = run(arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.text == "demo: '" + std::string(arguments).substr(5) +
                              "' is no option; there is --all, which runs every model of models/\n");
  }
}

TEST_CASE("scripts: check-models runs every model, each symbolic one at its sizes, and fails if one does") {
  const auto program = std::filesystem::temp_directory_path() / fmt::format("tensordsl_{}", getpid());
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

TEST_CASE("scripts: setup takes no argument but --drivers") {
  const Outcome outcome = run("setup --everything");
  CHECK(outcome.code == 2);
  CHECK(outcome.text == "setup: it takes no argument but --drivers, and was given: --everything\n");
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
