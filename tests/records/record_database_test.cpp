// Records in a file: found again, by many processes at once, whatever happens to one of them.
#include "records/record_database.h"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <random>

#include "records/some_records.h"
#include "records/sqlite.h"
#include "tensordsl/error.h"

namespace tensordsl::records {
namespace {

template <typename F>
std::string error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string structure(const std::string& key) { return key_of(key).structure; }

/// Runs `f` in a child process, which ends with the code that it returns.
template <typename F>
pid_t in_child(F f) {
  const pid_t child = fork();
  if (child != 0) return child;
  int code = 99;
  try {
    code = f();
  } catch (...) {
  }
  _exit(code);
}

int code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace

TEST_CASE("database: what was added is there when it is opened again") {
  const DatabaseFile file("again");
  const std::vector<TuningRecord> records{timed("f32[3]", "a=1", 5), timed("f32[3]", "a=2", 4),
                                          failed("f32[3]", "a=3", "no")};
  RecordDatabase(file.path()).add(records);
  const RecordDatabase database = RecordDatabase::open_existing(file.path());
  CHECK(database.size() == 3);
  const std::vector<TuningRecord> found = database.of(structure("f32[3]"), kDevice);
  REQUIRE(found.size() == 3);
  CHECK(found[0] == records[1]);
  CHECK(found[1] == records[0]);
  CHECK(found[2] == records[2]);
  CHECK(database.best(structure("f32[3]"), kDevice) == records[1]);
}

TEST_CASE("database: a record of the same schedule replaces the one before") {
  RecordDatabase database(":memory:");
  database.add({timed("f32[3]", "a=1", 5)});
  database.add({timed("f32[3]", "a=1", 7), timed("f32[3]", "a=2", 8)});
  CHECK(database.size() == 2);
  CHECK(database.best(structure("f32[3]"), kDevice)->us == 7);
  database.add({failed("f32[3]", "a=1", "it hangs")});
  CHECK(database.best(structure("f32[3]"), kDevice)->us == 8);
}

TEST_CASE("database: another device, driver or version of the library has records of its own") {
  RecordDatabase database(":memory:");
  for (const DeviceKey& key : {DeviceKey{"b", "3.1", "0.1.0"}, DeviceKey{"a", "3.2", "0.1.0"},
                               DeviceKey{"a", "3.1", "0.2.0"}, DeviceKey{"a", "3.1", "0.1.0"}}) {
    TuningRecord record = timed("f32[3]", "a=1", 5);
    record.device = key;
    database.add({record});
    CHECK(database.of(structure("f32[3]"), key).size() == 1);
  }
  CHECK(database.size() == 4);
  CHECK(!database.best(structure("f32[3]"), kDevice));
}

TEST_CASE("database: of a family there are the kernels of other sizes, the fastest of each") {
  RecordDatabase database(":memory:");
  database.add({timed("f32[3]", "a=1", 5), timed("f32[3]", "a=2", 4), timed("f32[8]", "a=1", 9),
                failed("f32[9]", "a=1", "no"), timed("f16[3]", "a=1", 1)});
  const std::string family = key_of("f32[1]").family;
  const std::vector<TuningRecord> best = database.best_of_family(family, kDevice);
  REQUIRE(best.size() == 2);
  CHECK(*best[0].us + *best[1].us == 13);
  CHECK(database.of_device(kDevice, 100).size() == 4);
  CHECK(database.of_device(kDevice, 2).size() == 2);
}

TEST_CASE(
    "database: of schedules that take the same time the one that was there first is the best, everywhere") {
  const DatabaseFile file("equal"), merged("equal_merged");
  RecordDatabase database(file.path());
  database.add({timed("f32[3]", "b=1", 5), timed("f32[3]", "a=1", 5), failed("f32[3]", "a=2", "no")});
  database.add({timed("f32[3]", "a=0", 5), timed("f32[3]", "b=1", 5)});
  RecordDatabase other(merged.path());
  other.merge(database);
  for (const RecordDatabase* one : {&database, &other}) {
    CHECK(one->best(structure("f32[3]"), kDevice)->point == "b=1");
    CHECK(one->best_of_device(kDevice).front().point == "b=1");
    CHECK(one->best_of_family(key_of("f32[3]").family, kDevice).front().point == "b=1");
    CHECK(one->all().front().point == "b=1");
    CHECK(one->summaries().front().best->point == "b=1");
  }
}

TEST_CASE("database: summaries count what was timed and what failed") {
  RecordDatabase database(":memory:");
  database.add({timed("f32[3]", "a=1", 5), timed("f32[3]", "a=2", 4), failed("f32[3]", "a=3", "no"),
                failed("f32[4]", "a=3", "no")});
  const std::vector<KernelSummary> summaries = database.summaries();
  REQUIRE(summaries.size() == 2);
  const KernelSummary& three = summaries[summaries[0].structure == structure("f32[3]") ? 0 : 1];
  const KernelSummary& four = summaries[summaries[0].structure == structure("f32[3]") ? 1 : 0];
  CHECK(three.timed == 2);
  CHECK(three.failed == 1);
  CHECK(three.best->us == 4);
  CHECK(four.timed == 0);
  CHECK(!four.best);
}

TEST_CASE("database: what can stand in a kernel's place is no schedule of it, however fast") {
  const DatabaseFile file("apart");
  RecordDatabase database(file.path());
  TuningRecord apart = timed("f32[3]", "", 5);
  apart.strategy = kApart;
  database.add({apart, timed("f32[3]", "lanes=16", 7), timed("f32[3]", "lanes=8", 9)});
  const std::string structure = apart.kernel.structure;
  CHECK(database.best(structure, kDevice)->us == 7);
  REQUIRE(database.best_of_device(kDevice).size() == 1);
  CHECK(database.best_of_device(kDevice)[0].point == "lanes=16");
  CHECK(database.best_of_family(apart.kernel.family, kDevice)[0].point == "lanes=16");
  CHECK(database.of_device(kDevice, 10).size() == 2);
  REQUIRE(database.apart_on_device(kDevice).size() == 1);
  CHECK(database.apart_on_device(kDevice)[0].us == 5);
  const KernelSummary summary = database.summaries().at(0);
  CHECK(summary.timed == 2);
  CHECK(summary.best->us == 7);
  CHECK(summary.apart_us == 5);
  PruneOptions keep_one;
  keep_one.keep = 1;
  CHECK(database.prune(keep_one) == 1);
  CHECK(database.best(structure, kDevice)->us == 7);
  CHECK(database.apart_on_device(kDevice).size() == 1);
}

TEST_CASE("database: merging keeps what is known and adds what is new") {
  RecordDatabase here(":memory:"), there(":memory:");
  here.add({timed("f32[3]", "a=1", 5)});
  there.add({timed("f32[3]", "a=1", 6), timed("f32[3]", "a=2", 7), timed("f32[4]", "a=1", 8)});
  CHECK(here.merge(there) == 2);
  CHECK(here.merge(there) == 0);
  CHECK(here.size() == 3);
  CHECK(here.best(structure("f32[3]"), kDevice)->us == 5);
}

TEST_CASE("database: pruning removes what is asked for and nothing else") {
  const std::vector<TuningRecord> records{timed("f32[3]", "a=1", 5), timed("f32[3]", "a=2", 4),
                                          timed("f32[3]", "a=3", 6), failed("f32[3]", "a=4", "no"),
                                          timed("f32[4]", "a=1", 9)};
  const auto left = [&](const PruneOptions& options) {
    RecordDatabase database(":memory:");
    database.add(records);
    database.prune(options);
    return database.size();
  };
  PruneOptions keep;
  keep.keep = 1;
  CHECK(left(keep) == 3);
  keep.keep = 0;
  CHECK(left(keep) == 1);
  PruneOptions failures;
  failures.failures = true;
  CHECK(left(failures) == 4);
  failures.keep = 2;
  CHECK(left(failures) == 3);
  PruneOptions other;
  other.device = "another";
  CHECK(left(other) == 5);
  CHECK(left({}) == 0);
  PruneOptions stale;
  stale.except_library = kDevice.library;
  CHECK(left(stale) == 5);
  stale.except_library = "0.2.0";
  CHECK(left(stale) == 0);
}

TEST_CASE("database: a file that is none, or of another program or a later version, is refused and kept") {
  const DatabaseFile file("refused");
  std::ofstream(file.path()) << std::string(4096, 'x');
  CHECK(error_of([&] { RecordDatabase database(file.path()); }) ==
        "cannot use the database " + file.path() + ": it is not an SQLite database");
  CHECK(std::filesystem::file_size(file.path()) == 4096);

  std::filesystem::remove(file.path());
  { RecordDatabase database(file.path()); }
  Sqlite(file.path(), Sqlite::Mode::ReadWrite).run("PRAGMA user_version = 9");
  CHECK(error_of([&] { RecordDatabase database(file.path()); }) ==
        "the database " + file.path() +
            " has version 9; this build supports versions up to 2; use a newer build");
  CHECK(error_of([&] { RecordDatabase database(file.folder().string()); }) ==
        "cannot open the database " + file.folder().string() + ": it is a folder; name a file in it");
  CHECK(error_of([&] { RecordDatabase::open_existing(file.path() + "2"); }) ==
        "the database " + file.path() + "2 does not exist");
  CHECK(error_of([&] {
          RecordDatabase database((file.folder() / "none" / "tuning.db").string());
        }).find("cannot open the database ") == 0);
}

TEST_CASE(
    "database: records of version 1 are of kernels that nobody looks up, and stay until they are pruned") {
  const DatabaseFile file("first_version");
  RecordDatabase(file.path()).add({timed("f32[3]", "a=1", 5), failed("f32[3]", "a=2", "no")});
  Sqlite(file.path(), Sqlite::Mode::ReadWrite).run("PRAGMA user_version = 1");
  {
    const RecordDatabase read = RecordDatabase::open_existing(file.path());
    CHECK(read.size() == 0);
    CHECK(read.outdated() == 2);
    CHECK(read.all().empty());
    CHECK(read.best_of_device(kDevice).empty());
    RecordDatabase merged(":memory:");
    CHECK(merged.merge(read) == 0);
  }
  RecordDatabase database(file.path());
  CHECK(database.size() == 0);
  CHECK(database.outdated() == 2);
  CHECK(!database.best(structure("f32[3]"), kDevice));
  CHECK(database.summaries().empty());
  database.add({timed("f32[3]", "a=1", 4)});
  CHECK(database.size() == 1);
  CHECK(database.best_of_family(key_of("f32[9]").family, kDevice).size() == 1);
  PruneOptions outdated;
  outdated.outdated = true;
  CHECK(database.prune(outdated) == 2);
  CHECK(database.outdated() == 0);
  CHECK(RecordDatabase::open_existing(file.path()).best(structure("f32[3]"), kDevice)->us == 4);
}

TEST_CASE("database: a time that is none is told, and a name like an address is a file's name") {
  const DatabaseFile file("odd");
  RecordDatabase(file.path()).add({timed("f32[3]", "a=1", 5)});
  Sqlite(file.path(), Sqlite::Mode::ReadWrite).run("UPDATE records SET us = 9e999");
  CHECK(error_of([&] {
          RecordDatabase(file.path()).all();
        }).find("the database " + file.path() + " has an unreadable record") == 0);
  Sqlite(file.path(), Sqlite::Mode::ReadWrite)
      .run(("UPDATE records SET us = 5, features = '" + std::string(65, '[') + "'").c_str());
  CHECK(error_of([&] {
          RecordDatabase(file.path()).all();
        }).find("the database " + file.path() + " has an unreadable record") == 0);
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(file.folder());
  { RecordDatabase database("file:odd.db"); }
  CHECK(std::filesystem::exists("file:odd.db"));
  std::filesystem::current_path(before);
}

TEST_CASE("database: damaged pages are told, and do not read as no records; neither is a pipe waited for") {
  const DatabaseFile file("damaged");
  {
    RecordDatabase database(file.path());
    std::vector<TuningRecord> records;
    for (int i = 0; i < 200; ++i) records.push_back(timed("f32[3]", "a=" + std::to_string(i), 5));
    database.add(records);
  }
  {
    std::fstream damaged(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    damaged.seekp(4200);
    damaged << std::string(12000, '\x5a');
  }
  CHECK(error_of([&] {
          RecordDatabase::open_existing(file.path());
        }).starts_with("the database " + file.path() + " is damaged ("));
  const DatabaseFile pipe("pipe");
  REQUIRE(mkfifo(pipe.path().c_str(), 0600) == 0);
  CHECK(error_of([&] { RecordDatabase::open_existing(pipe.path()); }) ==
        "cannot open the database " + pipe.path() + ": it is not a regular file");
}

TEST_CASE("database: several processes write at once, and nothing of it is lost") {
  const DatabaseFile file("several");
  constexpr int kProcesses = 4, kBatches = 25;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    children.push_back(in_child([&] {
      RecordDatabase database(file.path());
      for (int b = 0; b < kBatches; ++b) {
        const std::string key = "f32[" + std::to_string(p) + "]";
        database.add(
            {timed(key, "a=" + std::to_string(b), b + 1), timed("f32[77]", "a=" + std::to_string(b), 3)});
      }
      return 0;
    }));
  }
  for (const pid_t child : children) CHECK(code_of(child) == 0);
  CHECK(RecordDatabase(file.path()).size() == kProcesses * kBatches + kBatches);
}

// A record is announced over a pipe after add() came back: from then on it must be there.
TEST_CASE("database: a process that is killed at any moment loses no record and tears none") {
  const DatabaseFile file("killed");
  { RecordDatabase database(file.path()); }
  std::mt19937 random(7);
  std::int64_t announced = 0;
  for (int run = 0; run < 100; ++run) {
    std::array<int, 2> ends;
    REQUIRE(pipe(ends.data()) == 0);
    const pid_t child = in_child([&] {
      RecordDatabase database(file.path());
      for (int b = 0;; ++b) {
        const std::string point = "run=" + std::to_string(run) + " a=" + std::to_string(b);
        database.add({timed("f32[3]", point + " half=0", 5), timed("f32[3]", point + " half=1", 6)});
        const char done = 1;
        if (write(ends[1], &done, 1) != 1) return 1;
      }
    });
    close(ends[1]);
    usleep(random() % 30'000);
    kill(child, SIGKILL);
    CHECK(code_of(child) == -SIGKILL);
    for (char done; read(ends[0], &done, 1) == 1;) ++announced;
    close(ends[0]);
  }
  const RecordDatabase database(file.path());
  std::int64_t first_halves = 0;
  for (const TuningRecord& record : database.all()) {
    if (record.point.ends_with("half=0")) ++first_halves;
  }
  CHECK(announced > 0);
  CHECK(first_halves >= announced);
  // Two records that were added together are either both present or both absent.
  CHECK(database.size() == 2 * first_halves);
}

TEST_CASE("database: a full disk is told, and what was there stays") {
  const DatabaseFile file("full");
  RecordDatabase(file.path()).add({timed("f32[3]", "a=1", 5)});
  std::array<int, 2> ends;
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = in_child([&] {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{256 << 10, 256 << 10};
    setrlimit(RLIMIT_FSIZE, &limit);
    RecordDatabase database(file.path());
    const std::string text = error_of([&] {
      for (int b = 0; b < 10000; ++b) database.add({timed("f32[3]", "b=" + std::to_string(b), 5)});
    });
    return write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1;
  });
  CHECK(code_of(child) == 0);
  close(ends[1]);
  std::string text(1000, '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], text.data(), text.size()))));
  close(ends[0]);
  CHECK(text.find("cannot use the database " + file.path() + ": ") == 0);
  RecordDatabase database(file.path());
  const std::int64_t size = database.size();
  CHECK(size > 1);
  database.add({timed("f32[4]", "a=1", 5)});
  CHECK(database.size() == size + 1);
}

}  // namespace tensordsl::records
