// Lists and edits a database of tuning records.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "apps/tensordsl/commands/commands.h"
#include "apps/tensordsl/console/files.h"
#include "apps/tensordsl/console/print_json.h"
#include "apps/tensordsl/console/text_table.h"
#include "apps/tensordsl/console/time_text.h"
#include "apps/tensordsl/tune/tuning_database.h"
#include "base/text/counted.h"
#include "records/record_database.h"
#include "records/record_json.h"
#include "tensordsl/error.h"
#include "tensordsl/version.h"

namespace tensordsl::cli {
namespace {

using records::KernelSummary;
using records::PruneOptions;
using records::RecordDatabase;
using records::TuningRecord;

struct DbArguments {
  std::string database;
  std::string kernel;  // part of the operators, or the beginning of the structure
  std::string file;    // to or from
  std::vector<std::string> others;
  std::vector<std::string> device_parts;
  PruneOptions prune;
  bool is_all = false, is_stale = false;
  bool json = false;
};

std::string path_of(const DbArguments& options) {
  return options.database.empty() ? default_database() : options.database;
}

bool matches(const DbArguments& options, const std::string& operators, const std::string& structure) {
  return options.kernel.empty() || structure.starts_with(options.kernel) ||
         operators.find(options.kernel) != std::string::npos;
}

nlohmann::ordered_json summary_json(const KernelSummary& summary) {
  nlohmann::ordered_json json{{"structure", summary.structure},    {"operators", summary.operators},
                              {"device", summary.device.device},   {"driver", summary.device.driver},
                              {"library", summary.device.library}, {"timed", summary.timed},
                              {"failed", summary.failed}};
  if (summary.best) {
    json["us"] = *summary.best->us;
    json["strategy"] = summary.best->strategy;
    json["point"] = summary.best->point;
  }
  return json;
}

/// Replaces control characters: imported text may be anyone's, and must not send commands to the terminal.
std::string printable_text(std::string text) {
  for (char& c : text) {
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = '?';
  }
  return text;
}

int list(const DbArguments& options) {
  const RecordDatabase database = RecordDatabase::open_existing(path_of(options));
  std::vector<KernelSummary> summaries = database.summaries();
  std::erase_if(summaries,
                [&](const KernelSummary& s) { return !matches(options, s.operators, s.structure); });
  if (options.json) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const KernelSummary& summary : summaries) json.push_back(summary_json(summary));
    print_json({{"database", database.path()}, {"kernels", json}});
    return 0;
  }
  std::vector<std::vector<std::string>> rows{{"kernel", "operators", "timed", "failed", "us", "device"}};
  constexpr std::size_t kDigits = 12, kWidest = 40;
  for (const KernelSummary& s : summaries) {
    rows.push_back({s.structure.substr(0, kDigits), shortened_in_middle(printable_text(s.operators), kWidest),
                    std::to_string(s.timed), std::to_string(s.failed),
                    s.best ? microseconds_text(*s.best->us) : "",
                    shortened_in_middle(printable_text(s.device.device), kWidest)});
  }
  fmt::print("{}{}, {} in {}\n", text_table(rows), counted(summaries.size(), "kernel", "kernels"),
             counted(database.size(), "record", "records"), database.path());
  if (database.outdated() > 0) {
    fmt::print(
        "{} not used: written by an earlier version, with other kernel names; `tensordsl db prune "
        "--outdated` removes outdated records\n",
        counted(database.outdated(), "record is", "records are"));
  }
  return 0;
}

int best(const DbArguments& options) {
  const RecordDatabase database = RecordDatabase::open_existing(path_of(options));
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  std::string text;
  for (const KernelSummary& summary : database.summaries()) {
    if (!matches(options, summary.operators, summary.structure) || !summary.best) continue;
    json.push_back(summary_json(summary));
    text += fmt::format("{}  {}\n  {} us  {}: {}\n  {}, {}, tensordsl {}\n", summary.structure,
                        printable_text(summary.operators), microseconds_text(*summary.best->us),
                        printable_text(summary.best->strategy), printable_text(summary.best->point),
                        printable_text(summary.device.device), printable_text(summary.device.driver),
                        printable_text(summary.device.library));
  }
  if (options.json) {
    print_json({{"database", database.path()}, {"kernels", json}});
  } else {
    fmt::print("{}", text);
  }
  if (!text.empty()) return 0;
  throw Error(
      options.kernel.empty()
          ? fmt::format("db best: {} has no record of a schedule that ran successfully", database.path())
          : fmt::format("db best: {} has no record for \"{}\"; run `tensordsl db list` to see its kernels",
                        database.path(), options.kernel));
}

int export_records(const DbArguments& options) {
  check_is_no_database("-o", options.file, path_of(options));
  check_output_file("-o", options.file);
  const RecordDatabase database = RecordDatabase::open_existing(path_of(options));
  std::vector<TuningRecord> records = database.all();
  if (!options.is_all) {
    // The fastest schedule of each kernel and device, and the time of the unfused kernels that can replace
    // it.
    std::set<std::tuple<records::DeviceKey, std::string, bool>> known;
    std::erase_if(records, [&](const TuningRecord& record) {
      return !record.us || !known.insert({record.device, record.kernel.structure, record.is_apart()}).second;
    });
  }
  const std::string json = records::to_json(records, options.device_parts);
  if (options.file.empty()) {
    fmt::print("{}", json);
  } else {
    write_file(options.file, json);
    fmt::print("{} in {}\n", counted(records.size(), "record", "records"), options.file);
  }
  return 0;
}

int import_records(const DbArguments& options) {
  const std::vector<TuningRecord> records = [&] {
    try {
      return records::records_from_json(read_text_file(options.file));
    } catch (const ParseError& error) {
      throw Error(fmt::format("{}: {}", options.file, error.what()));
    }
  }();
  RecordDatabase database(path_of(options));
  const std::int64_t before = database.size();
  database.add(records);
  fmt::print("{} imported, {} of them new, into {}\n", counted(records.size(), "record", "records"),
             database.size() - before, database.path());
  return 0;
}

int merge(const DbArguments& options) {
  // Before a database is made: if another one is missing, none is made.
  for (const std::string& other : options.others) RecordDatabase::open_existing(other);
  RecordDatabase database(path_of(options));
  for (const std::string& other : options.others) {
    const std::int64_t added = database.merge(RecordDatabase::open_existing(other));
    fmt::print("{} merged from {} into {}\n", counted(added, "new record", "new records"), other,
               database.path());
  }
  return 0;
}

int prune(DbArguments options) {
  if (options.is_stale) options.prune.except_library = version();
  const PruneOptions& p = options.prune;
  if (!options.is_all && !p.keep && !p.failures && !p.outdated && p.except_library.empty() &&
      p.device.empty() && p.driver.empty() && p.library.empty()) {
    throw Error(
        "db prune: nothing selected; pass --keep N, --failures, --outdated, --stale, --device, --driver, "
        "--library, or --all");
  }
  const bool has_conditions = p.keep || p.failures || p.outdated || !p.except_library.empty() ||
                              !p.device.empty() || !p.driver.empty() || !p.library.empty();
  if (options.is_all && has_conditions)
    throw Error(
        "db prune: --all removes every record and cannot be combined with other options; drop it or the "
        "others");
  RecordDatabase::open_existing(path_of(options));
  RecordDatabase database(path_of(options));
  const std::int64_t removed = database.prune(p);
  fmt::print("{} removed, {} left in {}\n", counted(removed, "record", "records"), database.size(),
             database.path());
  return 0;
}

using Run = int (*)(const DbArguments&);

}  // namespace

Command add_db_command(CLI::App& app) {
  app.require_subcommand(1);
  auto options = std::make_shared<DbArguments>();
  auto chosen = std::make_shared<std::function<int()>>();
  const auto add = [&](const char* name, const char* description, auto run) {
    CLI::App* command = app.add_subcommand(name, description);
    command->add_option("--db", options->database, "the database; " + default_database_text())
        ->check(NotEmpty("a file's name"));
    command->callback([chosen, options, run] { *chosen = [options, run] { return run(*options); }; });
    return command;
  };
  for (CLI::App* command :
       {add("list", "list the kernels in the database with their number of records", list),
        add("best", "show the fastest schedule of each kernel", best)}) {
    command->add_option(
        "KERNEL", options->kernel,
        "a part of the operators' names, or the start of the kernel's hash; default: all kernels");
    command->add_flag("--json", options->json, "print JSON");
  }
  CLI::App* to =
      add("export", "write records as JSON: the fastest of each kernel and device", export_records);
  to->add_option("-o,--output", options->file, "the file to write; default: standard output");
  to->add_flag("--all", options->is_all, "write every record, also those of failed schedules");
  to->add_option("--for", options->device_parts,
                 "a part of the device names that a file of schedules/tuned is for; may be repeated");
  add("import",
      "add records from a JSON file that `db export` wrote; they replace records of the same schedules",
      import_records)
      ->add_option("FILE", options->file, "the JSON file")
      ->required();
  add("merge", "add the records of other databases; existing records are kept", merge)
      ->add_option("DATABASES", options->others, "the databases to read")
      ->required();
  CLI::App* prune_app = add("prune", "remove records", [](const DbArguments& o) { return prune(o); });
  prune_app->add_option("--keep", options->prune.keep, "remove a kernel's records except the N fastest")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000}));
  prune_app->add_flag("--failures", options->prune.failures, "remove records of failed schedules");
  prune_app->add_flag("--outdated", options->prune.outdated,
                      "remove unused records with the kernel names of an earlier version");
  prune_app->add_flag("--stale", options->is_stale, "remove records of other versions of tensordsl");
  prune_app->add_option("--device", options->prune.device,
                        "remove only records of this device, named as in `db list`");
  prune_app->add_option("--driver", options->prune.driver, "remove only records of this driver version");
  prune_app->add_option("--library", options->prune.library,
                        "remove only records of this version of tensordsl");
  prune_app->add_flag("--all", options->is_all, "remove all records");
  return [chosen] { return (*chosen)(); };
}

}  // namespace tensordsl::cli
