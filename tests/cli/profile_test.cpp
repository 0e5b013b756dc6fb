// `tensordsl profile` as people and scripts see it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/command_line.h"
#include "cli/pseudo_terminal.h"

namespace tensordsl::testing {
namespace {

using nlohmann::json;

void write_profile(const CommandLine& cli, const std::string& name, double warp, const char* more) {
  cli.write(name,
            "{\"version\": 1, \"device\": \"a device\", \"driver\": \"1.0\", \"warp_size\": {\"value\": " +
                std::to_string(warp) + ", \"low\": " + std::to_string(warp) +
                ", \"high\": " + std::to_string(warp) + ", \"confident\": true}" + more + "}");
}

}  // namespace

TEST_CASE("cli: profile measures what it is asked, prints it, and writes a profile") {
  const CommandLine cli;
  check_user_error(cli.run({"profile", "--only", "launch,cache"}),
                   "unknown probe \"cache\"; the probes are launch, transfer, arithmetic, warp, parallelism, "
                   "registers, memory, buffer_cache, image_cache, local_memory, constant_memory, barrier");
  check_user_error(cli.run({"profile", "-o", cli.path("no/such/folder.json")}),
                   "cannot write " + cli.path("no/such/folder.json") + ": No such file or directory");
  check_user_error(cli.run({"profile", "-o", cli.path("")}),
                   "cannot write " + cli.path("") + ": it is a folder; name a file in it");
  check_user_error(cli.run({"profile", "--plots", "/proc"}),
                   "cannot write /proc/profile.html: No such file or directory");
  check_user_error(cli.run({"profile", "--plots", "/dev/null/plots"}),
                   "cannot create the folder /dev/null/plots");
  std::ofstream(cli.path("profile.json.partial")) << "notes of somebody";
  check_user_error(cli.run({"profile", "-o", cli.path("profile.json")}),
                   cli.path("profile.json.partial") +
                       " is not the file of an interrupted run; remove it, or write the profile elsewhere");
  CHECK(file_text(cli.path("profile.json.partial")) == "notes of somebody");
  std::filesystem::remove(cli.path("profile.json.partial"));
  const CommandResult result = cli.run({"profile", "--quick", "--only", "launch,barrier", "-o",
                                        cli.path("profile.json"), "--plots", cli.path("plots")});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(result.out.find("launch_us") != std::string::npos);
  CHECK(result.out.find("fma_gflops") == std::string::npos);
  const json profile = json::parse(file_text(cli.path("profile.json")));
  CHECK(profile["version"] == 1);
  // On a busy machine the cost of a further launch may not be measurable.
  const json& launch = profile["launch_us"];
  CHECK((launch.is_null() || launch["value"] > 0));
  CHECK(profile["warp_size"].is_null());
  CHECK_FALSE(std::filesystem::exists(cli.path("profile.json.partial")));
  const std::string page = file_text(cli.path("plots/profile.html"));
  CHECK(page.find("<h2>launch</h2>") != std::string::npos);
  CHECK(page.find("<h2>barrier</h2>") != std::string::npos);
  CHECK(page.find("<h2>warp</h2>") == std::string::npos);
  for (const char* fact :
       {"<dt>date</dt><dd>20", "<dt>host</dt>", "<dt>version</dt><dd>tensordsl ", "<dt>command</dt>"})
    CHECK_MESSAGE(page.find(fact) != std::string::npos, fact);
}

TEST_CASE("cli: profile --json prints the profile alone") {
  const CommandLine cli;
  const CommandResult result =
      cli.run({"profile", "--quick", "--only", "barrier", "--json", "--plots", cli.path("plots")});
  REQUIRE_MESSAGE(result.code == 0, result.err);
  CHECK(json::parse(result.out)["version"] == 1);
  CHECK(without_progress(result.err) == "tensordsl: wrote " + cli.path("plots/profile.html") + "\n");
}

TEST_CASE("cli: profile show prints a saved or bundled profile, as a table, as JSON and as a page") {
  const CommandLine cli;
  write_profile(cli, "p.json", 32,
                ", \"dram_gbs\": {\"value\": 100, \"low\": 90, \"high\": 110.5, \"confident\": false}");
  const CommandResult table = cli.run({"profile", "show", cli.path("p.json"), "--plots", cli.path("plots")});
  REQUIRE_MESSAGE(table.code == 0, table.err);
  CHECK(table.out.starts_with("a device (1.0)\n  parameter"));
  CHECK(std::regex_search(table.out, std::regex("\n  warp_size +32 +confident\n")));
  CHECK(std::regex_search(table.out, std::regex("\n  dram_gbs +100 GB/s +a guess +90 to 110.5\n")));
  CHECK(std::regex_search(table.out, std::regex("\n  compute_units +not seen\n")));
  const std::string page = file_text(cli.path("plots/profile.html"));
  for (const std::string& part :
       {std::string("<h1>a device</h1>"), "<dt>profile</dt><dd>" + cli.path("p.json") + "</dd>",
        std::string(" UTC, of the file</dd>"),
        "<dt>command</dt><dd>tensordsl profile show " + cli.path("p.json") + " --plots " + cli.path("plots")})
    CHECK_MESSAGE(page.find(part) != std::string::npos, part);
  CHECK(cli.run({"profile", "show", "adreno640", "--plots", cli.path("plots")}).code == 0);
  const std::string bundled = file_text(cli.path("plots/profile.html"));
  for (const char* part : {"<dt>profile</dt><dd>adreno640, which comes with tensordsl</dd>",
                           "<dt>source</dt><dd>Liang et al., Romou (MobiCom 2022), Table 2",
                           "<dt>date</dt><dd>see the sources</dd>"})
    CHECK_MESSAGE(bundled.find(part) != std::string::npos, part);
  const CommandResult as_json = cli.run({"profile", "show", cli.path("p.json"), "--json"});
  CHECK(json::parse(as_json.out)["dram_gbs"]["high"] == 110.5);
  CHECK(as_json.err == "");
  CHECK(cli.run({"profile", "show", "adreno640"}).out.find("Adreno") != std::string::npos);
  check_user_error_like(
      cli.run({"profile", "show", cli.path("none.json")}),
      "the profile \"" + cli.path("none.json") + "\" is neither a readable file nor one of ");
  cli.write("bad.json", "{\"version\": 1, \"warp\": null}");
  check_user_error(cli.run({"profile", "show", cli.path("bad.json")}),
                   cli.path("bad.json") + ": profile: warp: unknown field");
  check_user_error(cli.run({"profile", "--quick", "show", "adreno640"}),
                   "profile show: --quick before \"show\" applies only to measuring; pass the options of "
                   "show after \"show\"");
}

TEST_CASE("cli: profile compare shows what differs") {
  const CommandLine cli;
  write_profile(cli, "a.json", 32, ", \"autobroadcast_pays\": {\"value\": true, \"confident\": false}");
  write_profile(cli, "b.json", 34, ", \"autobroadcast_pays\": {\"value\": false, \"confident\": true}");
  write_profile(
      cli, "c.json", 34,
      ", \"buffer_caches\": [{\"bytes\": {\"value\": 2048, \"low\": 2048, \"high\": 2048, \"confident\": "
      "true}}]");
  const std::vector<std::string> command{"profile", "compare", cli.path("a.json"), cli.path("b.json"),
                                         cli.path("c.json")};
  const CommandResult table = cli.run(command);
  REQUIRE_MESSAGE(table.code == 0, table.err);
  CHECK(std::regex_search(table.out, std::regex("\n +warp_size +32 +34 +34\n")));
  CHECK(std::regex_search(table.out, std::regex("\n  \\* +autobroadcast_pays +~yes +no +not seen\n")));
  CHECK(std::regex_search(table.out,
                          std::regex("\n  \\* +buffer_caches\\[0\\].bytes +not seen +not seen +2 KiB\n")));
  CHECK(table.out.find("compute_units") == std::string::npos);
  auto as_json = command;
  as_json.emplace_back("--json");
  const json compared = json::parse(cli.run(as_json).out);
  CHECK(compared["profiles"].size() == 3);
  REQUIRE(compared["parameters"].size() == 3);
  CHECK(compared["parameters"][0]["name"] == "warp_size");
  CHECK(compared["parameters"][0]["values"][1]["value"] == 34);
  CHECK(compared["parameters"][0]["differs"] == false);
  CHECK(compared["parameters"][1]["name"] == "buffer_caches[0].bytes");
  CHECK(compared["parameters"][1]["unit"] == "B");
  CHECK(compared["parameters"][1]["values"][0] == nullptr);
  CHECK(compared["parameters"][1]["differs"] == true);
  check_user_error(cli.run({"profile", "compare", "adreno640"}),
                   "profile compare: found one profile; pass two or more");
}

TEST_CASE("cli: tables of profiles are not wider than the terminal, down to 60 columns") {
  for (const int columns : {60, 80, 100}) {
    CAPTURE(columns);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{TENSORDSL_CLI, "profile", "show", "nvidia_h100"},
          {TENSORDSL_CLI, "profile", "compare", "nvidia_h100", "adreno640", "mali_g76", "adreno630"}}) {
      PseudoTerminal terminal(command, columns);
      std::string output;
      CHECK(terminal.wait(output) == 0);
      CHECK(output.find("warp_size") != std::string::npos);
      CHECK(longest_line(output) <= static_cast<std::size_t>(columns));
    }
  }
}

TEST_CASE(
    "cli: Ctrl-C in profile says how to go on, and the same command does, even if the file was cut off "
    "since") {
  const CommandLine cli;
  const std::string output = cli.path("a profile.json"), partial = output + ".partial";
  const std::vector<std::string> arguments{"profile", "--quick", "--only", "local_memory,barrier",
                                           "-o",      output};
  std::vector<std::string> command{TENSORDSL_CLI};
  command.insert(command.end(), arguments.begin(), arguments.end());
  PseudoTerminal terminal(command, 50);
  const std::string bar = terminal.read_until("1/4");
  CHECK(bar.find(" [==") != std::string::npos);
  CHECK(longest_line(bar) < 50);
  terminal.interrupt();
  std::string shown;
  CHECK(terminal.wait(shown) == 130);
  // The second one is short.
  const std::string kept = file_text(partial);
  const auto lines = std::count(kept.begin(), kept.end(), '\n');
  REQUIRE(lines >= 2);
  CHECK_MESSAGE(
      shown.find("tensordsl: interrupted: " + partial + " has " + std::to_string(lines - 1) +
                 " of 4 measurements; to resume: tensordsl profile --only local_memory,barrier --quick -o '" +
                 output + "'\r\n") != std::string::npos,
      shown);
  std::ofstream(partial) << kept.substr(0, kept.size() - 20);
  const CommandResult again = cli.run(arguments);
  REQUIRE_MESSAGE(again.code == 0, again.err);
  CHECK(without_progress(again.err) == "tensordsl: " + partial + " is damaged: its line " +
                                           std::to_string(lines) + " is cut off; of 4 measurements " +
                                           std::to_string(lines - 2) +
                                           " could be read and are kept; the others are repeated\n");
  CHECK_FALSE(std::filesystem::exists(partial));
  CHECK(json::parse(file_text(output))["version"] == 1);
}

TEST_CASE("cli: Ctrl-C in a profile that is not written says that nothing is kept") {
  PseudoTerminal terminal({TENSORDSL_CLI, "profile", "--only", "local_memory,barrier"}, 80);
  terminal.read_until("1/4");
  terminal.interrupt();
  std::string shown;
  CHECK(terminal.wait(shown) == 130);
  CHECK(shown.find("tensordsl: interrupted: no measurement was saved; with -o FILE, an interrupted run can "
                   "be resumed\r\n") != std::string::npos);
}

}  // namespace tensordsl::testing
