// Tests the parts that all commands share: help, wrong options, and outputs that cannot be written.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/small_model.h"
#include "hwprofile/bundled_profiles.h"
#include "support/source_dir.h"
#include "tensordsl/version.h"

namespace tensordsl::testing {

using nlohmann::json;

TEST_CASE("cli: help of the tool and of every command, exit 0, nothing on stderr") {
  const CommandLine cli;
  const CommandResult all = cli.run({"--help"});
  CHECK(all.code == 0);
  CHECK(all.err == "");
  for (const char* command : {"devices", "run", "compile", "bench"}) {
    CHECK_MESSAGE(all.out.find(command) != std::string::npos, command);
    const CommandResult one = cli.run({command, "--help"});
    CHECK(one.code == 0);
    CHECK(one.out.find("--json") != std::string::npos);
    CHECK(one.err == "");
  }
}

TEST_CASE("cli: --version prints the version") {
  const CommandLine cli;
  const CommandResult result = cli.run({"--version"});
  CHECK(result.code == 0);
  CHECK(result.out == std::string("tensordsl ") + version() + "\n");
}

TEST_CASE("cli: --help and INSTALL.md have every variable of the environment that the library reads") {
  const CommandLine cli;
  const std::string help = cli.run({"--help"}).out, document = file_text(source_dir() / "docs/INSTALL.md");
  int found = 0;
  for (const char* folder : {"src", "backends", "hwprofile", "schedules", "apps/tensordsl"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source_dir() / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      const std::string text = file_text(entry.path());
      const std::regex quoted("\"(TENSORDSL_[A-Z_]+)\"");
      for (std::sregex_iterator match(text.begin(), text.end(), quoted), end; match != end; ++match) {
        const std::string name = (*match)[1];
        CAPTURE(name);
        CHECK(help.find("  " + name + " ") != std::string::npos);
        CHECK(document.find("`" + name + "`") != std::string::npos);
        ++found;
      }
    }
  }
  CHECK(found >= 4);
}

TEST_CASE("cli: weights as integers, ways to wait, and a budget that nothing would use") {
  const SmallModel m;
  const std::string model = m.path("model.onnx");
  for (const char* waiting : {"driver", "sleep", "spin"})
    CHECK(m.run({"run", model, "--weights", "int8", "--wait", waiting}).code == 0);
  check_user_error(m.run({"run", model, "--wait", "slp"}),
                   "--wait: slp not in {driver,sleep,spin} (see tensordsl run --help)");
  check_user_error_like(m.run({"run", model, "--weights", "int3"}), "--weights: int3 not in {int8,int4}");
  check_user_error(m.run({"run", model, "--winograd-memory", "1", "--no-winograd"}),
                   "--winograd-memory: has no effect with --no-winograd; drop one of them");
  CHECK(m.run({"run", model, "--winograd-memory", "1", "--precision", "fp16"}).code == 0);
  CHECK(m.run({"run", model, "--weights", "int4"}).code == 0);
}

TEST_CASE("cli: pictures have names, and means and deviations or none") {
  const SmallModel m;
  testing::OnnxModel model;
  model.input("x=1", {1, 3, 2, 2}).node("Relu", {"x=1"}, {"y"}).output("y");
  m.write("picture.onnx", model.proto.SerializeAsString());
  const std::string file = m.path("picture.onnx");
  CHECK(m.run({"run", file, "--picture", "y"}).code == 0);
  CHECK(m.run({"run", file, "--picture", "x=1=0.5:1,2,3", "--picture", "y=0:2"}).code == 0);
  const std::string expected =
      ": expected NAME or NAME=MEAN:DEVIATION, with one number or one per channel, for example --picture "
      "data=0.485,0.456,0.406:0.229,0.224,0.225";
  for (const char* wrong : {"y=", "y=1", "y=1:", "y=:1", "y=1,:1", "y=1:a", "y=1:2:3", "=1:1"})
    check_user_error(m.run({"run", file, "--picture", wrong}), std::string("--picture ") + wrong + expected);
  check_user_error(m.run({"run", file, "--picture", "y", "--picture", "y=0:1"}),
                   "--picture y=0:1: y is given twice; give it once");
  check_user_error_like(m.run({"run", file, "--picture", "z"}),
                        file + ": pictures: the model has no input or output \"z\"; it has \"x=1\", \"y\"");
  REQUIRE(m.run({"compile", file, "--picture", "y", "-o", m.path("folder")}).code == 0);
  CHECK(m.run({"run", m.path("folder")}).code == 0);
  check_user_error_like(m.run({"run", m.path("folder"), "--picture", "y"}), "--picture: ");
}

TEST_CASE("cli: a wrong command line is exit 2 with one line") {
  const SmallModel m;
  check_user_error_like(m.run({}), "A subcommand is required");
  check_user_error_like(m.run({"walk"}), "");
  check_user_error_like(m.run({"run"}), "MODEL is required");
  check_user_error_like(m.run({"run", m.model(), "--nonsense"}), "");
  check_user_error_like(m.run({"run", m.model(), "--repeat", "0"}), "--repeat");
  check_user_error_like(m.run({"run", m.model(), "--rtol", "x"}), "");
  check_user_error(m.run({"run", m.model(), "--rtol", "0.1"}),
                   "--rtol requires --expect (see tensordsl run --help)");
  check_user_error(m.run({"run", m.model(), "--device", ""}),
                   "--device: expected a device (see tensordsl run --help)");
  check_user_error(
      m.run({"rum", m.model()}),
      "unknown command rum; the commands are devices, run, compile, autoschedule, inspect, diff, "
      "bench, profile, db, worker");
  check_user_error(m.run({"run", m.model(), "--expect", m.path("e.npz"), "--rtol", "nan"}),
                   "--rtol nan: expected a non-negative number");
  check_user_error(m.run({"run", m.model(), "--expect", m.path("e.npz"), "--rtol", "-1"}),
                   "--rtol -1: expected a non-negative number");
  check_user_error_like(m.run({"run", m.model(), "--precision", "fp8"}), "--precision");
  check_user_error_like(m.run({"compile", m.model(), "--emit", "soup"}), "--emit");
  check_user_error(m.run({"run", m.model(), "--dim", "batch"}),
                   "--dim batch: expected NAME=NUMBER, for example --dim batch=1");
  check_user_error(m.run({"run", m.model(), "--dim", "batch=x"}),
                   "--dim batch=x: expected NAME=NUMBER, for example --dim batch=1");
  check_user_error(m.run({"run", m.model(), "--dim", "batch=1", "--dim", "batch=2"}),
                   "--dim batch=2: batch is given twice; give it once");
  check_user_error(m.run({"run", m.model(), "--constant", "rate"}),
                   "--constant rate: expected NAME=VALUE, for example --constant rate=16000, --constant "
                   "flag=true or --constant scales=1,2.5");
  check_user_error(m.run({"run", m.model(), "--constant", "a=1", "--constant", "a=2"}),
                   "--constant a=2: a is given twice; give it once");
  check_user_error_like(
      m.run({"run", m.model(), "--constant", "rate=16000"}),
      m.model() + ": the model has no input 'rate', for which a constant is given; its inputs are ");
  check_user_error(m.run({"run", m.model(), "--state", "x"}),
                   "--state x: expected INPUT=OUTPUT, for example --state past_key=present_key");
  check_user_error(m.run({"run", m.model(), "--state", "x=y", "--state", "x=z"}),
                   "--state x=z: x is given twice; give it once");
  check_user_error_like(m.run({"run", m.model(), "--state", "q=y"}),
                        m.model() + ": states: the model has no input \"q\"");
  check_user_error(m.run({"compile", m.model(), "--emit", "graph", "--kernel", "Relu"}),
                   "--kernel: cannot be used with --emit graph, which is printed as a whole; use it with "
                   "--emit classes, groups, layouts, funcs, nest, loops, ir or cl");
  check_user_error(m.run({"compile", m.model(), "-o", m.path("out"), "--kernel", "Relu"}),
                   "--kernel: needs --emit STAGE, whose output it filters");
  check_user_error(m.run({"compile", m.model()}),
                   "compile: nothing to do; pass -o DIR or -o NAME.tdsl to write a package, --emit STAGE to "
                   "print a stage, or --explain KERNEL to explain the schedule of a kernel");
  check_user_error(m.run({"compile", m.model(), "--emit", "cl", "--kernel", "Softmax"}),
                   "emit: no kernel, node or tensor has \"Softmax\" in its name; the kernels are "
                   "mul_add_relu_kernel; the nodes "
                   "are xw, xwb, y");
  check_user_error_like(m.run({"compile", m.model(), "-o", "/dev/null/out"}),
                        "-o: cannot create the folder /dev/null/out: ");
}

TEST_CASE("cli: commands that need an ONNX model refuse a package, and say what it is") {
  const SmallModel m;
  for (const std::string& place : {m.path("model.tdsl"), m.path("folder")}) {
    REQUIRE(m.run({"compile", m.model(), "-o", place}).code == 0);
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"compile", place, "--emit", "cl"},
          {"compile", place, "-o", m.path("again.tdsl")},
          {"diff", place},
          {"autoschedule", place, "-o", m.path("again.tdsl")}}) {
      check_user_error(m.run(arguments),
                       place + " is a package, already compiled; give the ONNX model it was made of");
    }
  }
  CHECK_FALSE(std::filesystem::exists(m.path("again.tdsl")));
  check_user_error_like(m.run({"compile", m.path("absent.tdsl"), "--emit", "cl"}),
                        m.path("absent.tdsl") + ": there is no such file");
}

TEST_CASE("cli: an output that cannot be written is exit 2 with one line") {
  const SmallModel m;
  const std::string full = "No space left on device";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"compile", m.model(), "--emit", "cl"},
        {"devices"},
        {"--help"},
        {"run", m.model()}}) {
    const CommandResult result = m.run(arguments, {}, "/dev/full");
    CHECK(result.code == 2);
    const std::string error = without_progress(result.err);
    CHECK(error.find(full) != std::string::npos);
    CHECK(std::count(error.begin(), error.end(), '\n') == 1);
  }
}

TEST_CASE("cli: a command of a command that is not there is refused with a list of those that are") {
  const CommandLine cli;
  check_user_error(cli.run({"db", "foo"}),
                   "unknown command db foo; the commands are list, best, export, import, merge, prune");
  check_user_error(cli.run({"profile", "foo"}),
                   "unknown command profile foo; the commands are show, compare");
}

TEST_CASE("cli: files that cannot be written are told with the reason, and nothing is left of them") {
  const SmallModel m;
  const std::string none = m.path("none/file");
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"compile", m.model(), "-o", none + ".tdsl"},
        {"autoschedule", m.model(), "-o", none + ".tdsl"}})
    check_user_error(m.run(arguments), "-o: cannot write " + none + ".tdsl: No such file or directory");
  check_user_error(m.run({"inspect", m.model(), "--html", "/dev/full"}),
                   "cannot write /dev/full: No space left on device");
  check_user_error(m.run({"run", m.model(), "--trace", "/dev/full"}),
                   "cannot write /dev/full: No space left on device");
  // The new file of a page goes to a full disk: the page is neither there, nor a part of it.
  std::filesystem::create_symlink("/dev/full", m.path("page.html.new"));
  check_user_error(m.run({"inspect", m.model(), "--html", m.path("page.html")}),
                   "cannot write " + m.path("page.html.new") + ": No space left on device");
  CHECK_FALSE(std::filesystem::is_symlink(m.path("page.html.new")));
  CHECK_FALSE(std::filesystem::exists(m.path("page.html")));
  std::filesystem::create_directory(m.path("folder"));
  std::filesystem::create_symlink("/dev/full", m.path("folder/program.json"));
  check_user_error(m.run({"compile", m.model(), "-o", m.path("folder")}),
                   "cannot write " + m.path("folder/program.json") + ": No space left on device");
  CHECK(std::filesystem::is_empty(m.path("folder")));
}

TEST_CASE("cli: the tool runs without an environment, and without a home folder keeps nothing") {
  const SmallModel m;
  const auto run = [&](const std::string& arguments) {
    const std::string command = "env -i '" TENSORDSL_CLI "' " + arguments + " >'" + m.path("out") + "' 2>'" +
                                m.path("err") + "' </dev/null";
    CommandResult result;
    const int status = std::system(command.c_str());
    if (WIFEXITED(status)) result.code = WEXITSTATUS(status);
    result.out = file_text(m.path("out"));
    result.err = file_text(m.path("err"));
    return result;
  };
  const CommandResult model = run("run '" + m.model() + "'");
  CHECK_MESSAGE(model.code == 0, model.err);
  const CommandResult package = run("compile '" + m.model() + "' -o '" + m.path("model.tdsl") + "'");
  CHECK_MESSAGE(package.code == 0, package.err);
  CHECK(run("run '" + m.path("model.tdsl") + "'").code == 0);
  check_user_error(run("db list"),
                   "cannot find a home folder for tuning records; name a database with --db or "
                   "TENSORDSL_DB");
  const CommandResult tuned =
      run("autoschedule '" + m.model() + "' --trials 1 -o '" + m.path("tuned.tdsl") + "'");
  CHECK_MESSAGE(tuned.code == 0, tuned.err);
  CHECK(tuned.err.find("tensordsl: warning: there is no home folder, so trials are not kept; --db or "
                       "TENSORDSL_DB names a database\n") != std::string::npos);
}

TEST_CASE("cli: the help of --device has the host, that of --profile the bundled profiles") {
  const CommandLine cli;
  const auto help_of = [&](const char* command) {
    return std::regex_replace(cli.run({command, "--help"}).out, std::regex("\\s+"), " ");
  };
  for (const char* command : {"run", "bench", "diff", "compile", "autoschedule", "inspect"}) {
    const std::string help = help_of(command);
    CAPTURE(command);
    CHECK(help.find("gpu, cpu, host") != std::string::npos);
    for (const hwprofile::BundledProfile& profile : hwprofile::bundled_profiles())
      CHECK(help.find(profile.name) != std::string::npos);
  }
}

TEST_CASE("cli: a reader that goes away ends the command quietly, with what shells show of SIGPIPE") {
  const SmallModel m;
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"--help"},
                                                    {"profile", "show", "nvidia_h100", "--json"},
                                                    {"compile", m.model(), "--emit", "cl"},
                                                    {"run", m.model()}}) {
    const CommandResult result = m.run_without_reader(arguments);
    CHECK(result.code == 141);
    CHECK(without_progress(result.err) == "");
  }
  // A failed check is reported all the same.
  CHECK(m.run_without_reader({"run", m.model(), "--expect", m.path("expect.npz")}).code == 1);
  const CommandResult profile =
      m.run_without_reader({"profile", "--quick", "--only", "barrier", "-o", m.path("profile.json")});
  CHECK(profile.code == 141);
  CHECK(json::parse(file_text(m.path("profile.json")))["version"] == 1);
}

TEST_CASE("cli: errors that nobody can be told end in their exit code") {
  const SmallModel m;
  CHECK(std::system(("'" TENSORDSL_CLI "' walk 2>/dev/full >/dev/null </dev/null; test $? -eq 2")) == 0);
  CHECK(std::system(("'" TENSORDSL_CLI "' run absent.onnx 2>&- >/dev/null </dev/null; test $? -eq 2")) == 0);
}

}  // namespace tensordsl::testing
