// `tensordsl autoschedule` and `compile --explain`.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/text/counted.h"
#include "cli/pseudo_terminal.h"
#include "cli/small_model.h"
#include "records/sqlite.h"
#include "tensordsl/version.h"

namespace tensordsl::testing {

using nlohmann::json;

TEST_CASE("cli: autoschedule writes a program that run takes, and says what it chose") {
  const SmallModel m;
  const auto done =
      m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "2", "--db", m.path("t.db")});
  CHECK(done.code == 0);
  CHECK(done.out.find("strategy") != std::string::npos);
  CHECK(done.out.find("times as fast as the first choice") != std::string::npos);
  CHECK(
      m.run({"run", m.path("tuned"), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz")}).code ==
      0);
}

TEST_CASE("cli: autoschedule --json has a kernel for each structure, and no times where nothing was timed") {
  const SmallModel m;
  const auto done = m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--profile", "adreno640",
                           "--device", "none", "--json"});
  REQUIRE(done.code == 0);
  const json report = json::parse(done.out);
  REQUIRE(report.at("kernels").size() == 1);
  CHECK(report["kernels"][0].at("us").is_null());
  CHECK(report["kernels"][0].at("predicted_us") > 0);
  CHECK(report.at("for") == "any device, by the profile adreno640");
}

TEST_CASE("cli: autoschedule refuses trials without a device, and a missing folder") {
  const SmallModel m;
  check_user_error(
      m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--profile", "adreno640", "--trials", "3"}),
      "autoschedule: no device to time schedules on; pass --device, or drop --trials and --minutes to choose "
      "schedules without timing");
  check_user_error_like(m.run({"autoschedule", m.model()}), "--output is required");
}

TEST_CASE("cli: trials are kept in the database, where the next call and other commands find them") {
  const SmallModel m;
  const std::vector<std::string> command{
      "autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "3", "--db", m.path("t.db"), "--json"};
  const json first = json::parse(m.run(command).out);
  const int timed = first.at("kernels").at(0).at("timed");
  CHECK(timed >= 1);
  CHECK(first["trials"] == timed);
  const json list = json::parse(m.run({"db", "list", "--db", m.path("t.db"), "--json"}).out);
  CHECK(list.at("kernels").at(0).at("us") == first["kernels"][0].at("us"));
  const json second = json::parse(m.run(command).out);
  CHECK(second.at("kernels").at(0).at("known") == timed);
  const auto run = m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz"),
                          "--db", m.path("t.db")});
  CHECK(run.code == 0);
  CHECK(m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--db", m.path("t.db")}).code == 0);
  check_user_error(m.run({"run", m.model(), "--db", m.path("none.db")}),
                   "the database " + m.path("none.db") + " does not exist");
}

TEST_CASE("cli: a database without a record of this version is told, with the remedy") {
  const SmallModel m;
  const std::string db = m.path("t.db");
  REQUIRE(m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "2", "--db", db}).code == 0);
  const std::vector<std::string> compile{"compile", m.model(), "-o", m.path("compiled"), "--db", db};
  CHECK(m.run(compile).err.find("warning") == std::string::npos);
  const auto warning_with = [&](const std::string& left_out) {
    return "warning: the database " + db + " has no schedule for this version of tensordsl, " + version() +
           ": left out are 2 records of " + left_out + "; `tensordsl autoschedule --minutes 10 --db " + db +
           "` tries schedules again\n";
  };
  const records::Sqlite connection(db, records::Sqlite::Mode::ReadWrite);
  connection.run("UPDATE devices SET library = '0.0.1'");
  auto done = m.run(compile);
  CHECK(done.code == 0);
  CHECK(without_progress(done.err) == warning_with("tensordsl 0.0.1"));
  connection.run("PRAGMA user_version = 1");
  CHECK(without_progress(m.run(compile).err) == warning_with("an earlier version of its format"));
}

TEST_CASE("cli: --report writes a page with the kernels, what was tried, and schedules as C++") {
  const SmallModel m;
  const auto done = m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "4", "--db", "none",
                           "--report", m.path("page.html")});
  CHECK(done.code == 0);
  CHECK(done.err.find("tensordsl: wrote " + m.path("page.html")) != std::string::npos);
  const std::string page = file_text(m.path("page.html"));
  for (const char* part :
       {"Mul+Add+Relu", "Speed over that of the first schedule", "Predicted and measured",
        "void schedule(const tensordsl::Func&amp; output)", "access width", "<dt>date</dt><dd>20",
        "<dt>host</dt>", "<dt>version</dt><dd>tensordsl ", "<dt>command</dt><dd>tensordsl autoschedule "}) {
    CAPTURE(part);
    CHECK(page.find(part) != std::string::npos);
  }
  check_user_error_like(
      m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--report", m.path("none/a.html")}),
      "--report: ");
}

TEST_CASE("cli: without --db trials are kept where the environment says, and with none nowhere") {
  const SmallModel m;
  const std::vector<std::string> command{"autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "2"};
  CHECK(m.run(command, {"TENSORDSL_DB=" + m.path("own.db")}).code == 0);
  CHECK(std::filesystem::exists(m.path("own.db")));
  CHECK(m.run(command, {"TENSORDSL_DB=", "XDG_DATA_HOME=" + m.path("data")}).code == 0);
  CHECK(std::filesystem::exists(m.path("data/tensordsl/tuning.db")));
  std::vector<std::string> kept_nowhere = command;
  kept_nowhere.insert(kept_nowhere.end(), {"--db", "none"});
  CHECK(m.run(kept_nowhere, {"TENSORDSL_DB=" + m.path("other.db")}).code == 0);
  CHECK(!std::filesystem::exists(m.path("other.db")));
}

TEST_CASE("cli: a database that is none is told before anything is measured, and stays as it is") {
  const SmallModel m;
  m.write("t.db",
          "a diary, not a database, and longer than the header of one would be. It goes on for a while.");
  check_user_error(
      m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "2", "--db", m.path("t.db")}),
      "cannot use the database " + m.path("t.db") + ": it is not an SQLite database");
  CHECK(file_text(m.path("t.db")).starts_with("a diary"));
}

TEST_CASE("cli: autoschedule refuses explorers, workers and limits that are none") {
  const SmallModel m;
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> all{"autoschedule", m.model(), "-o", m.path("tuned"), "--db", "none"};
    all.insert(all.end(), more.begin(), more.end());
    return m.run(all);
  };
  check_user_error_like(run({"--trials", "2", "--explorer", "best"}),
                        "--explorer: best not in {model,anneal,");
  check_user_error_like(run({"--trials", "-1"}), "--trials: ");
  check_user_error_like(run({"--minutes", "x"}), "");
  check_user_error_like(run({"--seed", "99999999999999999999"}), "--seed: ");
  check_user_error_like(run({"--workers", ""}), "--workers: expected a device");
  check_user_error_like(run({"--report", ""}), "--report: expected a file's name");
  check_user_error_like(run({"--trials", "2", "--workers", "no such device"}), "the measuring worker \"");
}

TEST_CASE("cli: Ctrl-C ends the trials with what was found, and code 130") {
  const SmallModel m;
  const std::string results = m.path("results.txt");
  PseudoTerminal terminal({"/bin/sh", "-c", "exec \"$@\" > \"$0\"", results, TENSORDSL_CLI, "autoschedule",
                           std::string(TENSORDSL_MODELS) + "/squeezenet1_0.onnx", "--random-weights", "-o",
                           m.path("tuned"), "--minutes", "30", "--db", m.path("t.db")},
                          100);
  terminal.read_until(" trials");
  terminal.interrupt();
  std::string shown;
  CHECK(terminal.wait(shown) == 130);
  CHECK(shown.find("tensordsl: interrupted: stopping; the best schedules found so far") != std::string::npos);
  const std::string printed = file_text(results);
  CHECK(printed.find("kernels (") != std::string::npos);
  CHECK_MESSAGE(printed.find("  0.0  ") == std::string::npos, printed);
  CHECK(std::regex_search(printed, std::regex(R"(\n\d+ of \d+ kernels timed: )")));
  CHECK_MESSAGE(std::regex_search(printed, std::regex(R"( \d+\.\d+ +predicted )")), printed);
  CHECK(std::filesystem::exists(m.path("tuned/program.json")));
}

TEST_CASE("cli: db shows, exports, imports, merges and prunes records") {
  const SmallModel m;
  const std::string db = m.path("t.db");
  REQUIRE(m.run({"autoschedule", m.model(), "-o", m.path("tuned"), "--trials", "3", "--db", db}).code == 0);
  const auto list = m.run({"db", "list", "--db", db});
  CHECK(list.out.find("Mul+Add+Relu") != std::string::npos);
  const json listed = json::parse(m.run({"db", "list", "--db", db, "--json"}).out);
  const int timed = listed.at("kernels").at(0).at("timed");
  const std::string structure = listed["kernels"][0].at("structure");
  CHECK(m.run({"db", "best", structure.substr(0, 8), "--db", db}).out.find(structure) == 0);
  check_user_error(
      m.run({"db", "best", "Conv", "--db", db}),
      "db best: " + db + " has no record for \"Conv\"; run `tensordsl db list` to see its kernels");

  CHECK(m.run({"db", "export", "--db", db, "-o", m.path("best.json")}).out ==
        "1 record in " + m.path("best.json") + "\n");
  CHECK(m.run({"db", "export", "--db", db, "--all"}).out.find("\"version\": 2") != std::string::npos);
  const std::string other = m.path("other.db");
  CHECK(m.run({"db", "import", m.path("best.json"), "--db", other}).out ==
        "1 record imported, 1 of them new, into " + other + "\n");
  CHECK(m.run({"db", "merge", db, "--db", other}).out ==
        counted(timed - 1, "new record", "new records") + " merged from " + db + " into " + other + "\n");
  check_user_error_like(m.run({"db", "prune", "--db", other}), "db prune: nothing selected; pass ");
  CHECK(m.run({"db", "prune", "--keep", "1", "--db", other}).out ==
        counted(timed - 1, "record", "records") + " removed, 1 left in " + other + "\n");
  records::Sqlite(other, records::Sqlite::Mode::ReadWrite).run("PRAGMA user_version = 1");
  const std::string unused =
      "0 kernels, 0 records in " + other +
      "\n1 record is not used: written by an earlier version, with other kernel names; "
      "`tensordsl db prune --outdated` removes outdated records\n";
  CHECK(m.run({"db", "list", "--db", other}).out.ends_with(unused));
  CHECK(m.run({"db", "prune", "--outdated", "--db", other}).out ==
        "1 record removed, 0 left in " + other + "\n");
  m.write("bad.json", "{}");
  check_user_error(m.run({"db", "import", m.path("bad.json"), "--db", other}),
                   m.path("bad.json") + ": not tuning records: key 'version' not found");
  check_user_error(m.run({"db", "list", "--db", m.path("none.db")}),
                   "the database " + m.path("none.db") + " does not exist");
  check_user_error(m.run({"db", "merge", m.path("none.db"), "--db", m.path("fresh.db")}),
                   "the database " + m.path("none.db") + " does not exist");
  CHECK(!std::filesystem::exists(m.path("fresh.db")));
}

TEST_CASE("cli: no output takes the place of what is read or kept") {
  const SmallModel m;
  const std::string db = m.path("t.db"), link = m.path("link.db");
  const std::vector<std::string> tune{"autoschedule", m.model(), "-o",   m.path("tuned"),
                                      "--trials",     "2",       "--db", db};
  REQUIRE(m.run(tune).code == 0);
  std::filesystem::create_symlink(db, link);
  const std::string kept = file_text(db);
  for (const std::string& name : {db, link}) {
    check_user_error(m.run({"db", "export", "--db", db, "-o", name}),
                     "-o: " + name + " is the database and would be overwritten; name another file");
  }
  const auto with_report = [&](const std::string& page) {
    std::vector<std::string> all = tune;
    all.insert(all.end(), {"--report", page});
    return m.run(all);
  };
  check_user_error(with_report(db),
                   "--report: " + db + " is the database and would be overwritten; name another file");
  check_user_error(
      with_report(db + "-wal"),
      "--report: " + db + "-wal is a part of the database and would be overwritten; name another file");
  check_user_error(with_report(m.model()),
                   "--report: " + m.model() + " is the model and would be overwritten; name another file");
  check_user_error(m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--outputs", m.path("in.npz")}),
                   "--outputs: " + m.path("in.npz") +
                       " is the file of --inputs and would be overwritten; name another file");
  for (const char* option : {"--outputs", "--trace"}) {
    check_user_error(
        m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--db", db, option, db}),
        std::string(option) + ": " + db + " is the database and would be overwritten; name another file");
  }
  CHECK(file_text(db) == kept);
  CHECK(m.run({"run", m.model(), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz")}).code == 0);
}

TEST_CASE("cli: a database that takes no more records ends the trials, and what they found is written") {
  const SmallModel m;
  const std::string db = m.path("t.db");
  REQUIRE(m.run({"autoschedule", m.model(), "-o", m.path("first"), "--trials", "1", "--db", db}).code == 0);
  // A file may have no more than these kilobytes: as many as the database has, and the program's are smaller.
  const std::string kilobytes = std::to_string(std::filesystem::file_size(db) / 1024);
  const std::string command = "bash -c 'ulimit -f " + kilobytes + "; " + TENSORDSL_CLI + " autoschedule " +
                              m.model() + " -o " + m.path("tuned") + " --trials 12 --db " + db + "' >" +
                              m.path("out") + " 2>" + m.path("err");
  CHECK(WEXITSTATUS(std::system(command.c_str())) == 2);
  const std::string error = file_text(m.path("err"));
  CHECK_MESSAGE(error.find("cannot use the database " + db) != std::string::npos, error);
  CHECK_MESSAGE(error.find("; tuning stopped there, and " + m.path("tuned") +
                           " holds the best schedules found until then") != std::string::npos,
                error);
  CHECK(
      m.run({"run", m.path("tuned"), "--inputs", m.path("in.npz"), "--expect", m.path("expect.npz")}).code ==
      0);
}

TEST_CASE("cli: what a database holds does not reach the terminal as commands") {
  const SmallModel m;
  const std::string zeros(64, '0');
  m.write("odd.json",
          "{\"version\":2,\"devices\":[{\"device\":\"d\\u001b[2J\",\"driver\":\"1\",\"library\":\"1\"}],"
          "\"records\":[{\"device\":0,\"operators\":\"\\u001b]0;x\\u0007\",\"structure\":\"" +
              zeros + "\",\"family\":\"" + zeros +
              "\",\"sizes\":[],\"strategy\":\"s\",\"point\":\"a=1\",\"us\":1}]}");
  const std::string db = m.path("odd.db");
  CHECK(m.run({"db", "import", m.path("odd.json"), "--db", db}).code == 0);
  for (const char* command : {"list", "best"}) {
    const auto done = m.run({"db", command, "--db", db});
    CHECK(done.code == 0);
    CHECK(done.out.find('\x1b') == std::string::npos);
    CHECK(done.out.find("?]0;x?") != std::string::npos);
  }
}

TEST_CASE("cli: a worker says who it is, and that a line is no order") {
  const SmallModel m;
  const std::string command = "echo '{}' | " + std::string(TENSORDSL_CLI) + " worker >" + m.path("out");
  CHECK(std::system(command.c_str()) == 0);
  const std::string out = file_text(m.path("out"));
  CHECK(out.find("{\"hello\":{\"protocol\":1,") == 0);
  CHECK(out.find("{\"error\":\"key 'measure' not found\"}") != std::string::npos);
  const std::string absent =
      std::string(TENSORDSL_CLI) + " worker --device absent </dev/null >" + m.path("out");
  CHECK(std::system(absent.c_str()) == 0);
  CHECK(file_text(m.path("out")).find("{\"error\":") == 0);
}

TEST_CASE("cli: compile --explain tells of a kernel, and of the lack of one") {
  const SmallModel m;
  const auto done =
      m.run({"compile", m.model(), "--device", "none", "--profile", "nvidia_h100", "--explain", "Relu"});
  CHECK(done.code == 0);
  CHECK(done.out.find("// Mul+Add+Relu -> y\n") == 0);
  check_user_error(m.run({"compile", m.model(), "--explain", "absent"}),
                   "explain: no kernel, node or tensor has \"absent\" in its name; the kernels are "
                   "mul_add_relu_kernel; the "
                   "nodes are xw, xwb, y");
  // A node by its name, and a tensor that its kernel does not store.
  const auto kernels_of = [&](const std::string& name) {
    return m.run({"compile", m.model(), "--device", "none", "--emit", "groups", "--kernel", name}).out;
  };
  CHECK(kernels_of("xw").find("// Mul+Add+Relu -> y\n") == 0);
  CHECK(kernels_of("xw") == kernels_of("Mul"));
  check_user_error(m.run({"compile", m.model(), "--explain", "Relu", "--json"}),
                   "--json: cannot be combined with --explain, which prints text; drop one of them");
}

}  // namespace tensordsl::testing
