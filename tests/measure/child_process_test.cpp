// Lines to and from a process, and how it ended.
#include "measure/child_process.h"

#include <doctest/doctest.h>

#include "tensordsl/error.h"

namespace tensordsl::measure {
namespace {

using Outcome = ChildProcess::Outcome;
constexpr std::chrono::milliseconds kLong{60'000}, kShort{50};

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

}  // namespace

TEST_CASE("child: lines go in and come out, also long ones") {
  ChildProcess child({"cat"});
  std::string line;
  for (const std::string& text : {std::string("a"), std::string(""), std::string(3'000'000, 'x')}) {
    // `cat` writes while it reads: a line longer than what lies between has to be read meanwhile.
    if (text.size() < 1000) {
      CHECK(child.write_line(text, kLong) == Outcome::Done);
      CHECK(child.read_line(line, kLong) == Outcome::Done);
      CHECK(line == text);
    } else {
      CHECK(child.write_line(text, kShort) == Outcome::Silent);
    }
  }
}

TEST_CASE("child: one that says nothing is silent, and one that is over has ended") {
  ChildProcess sleeper(shell("sleep 1000"));
  std::string line;
  CHECK(sleeper.read_line(line, kShort) == Outcome::Silent);
  CHECK(sleeper.end() == "it was ended by signal 9 (Killed)");

  ChildProcess child(shell("echo one; echo two >&2; exit 4"));
  CHECK(child.read_line(line, kLong) == Outcome::Done);
  CHECK(line == "one");
  CHECK(child.read_line(line, kLong) == Outcome::Ended);
  CHECK(child.end() == "it exited with code 4: two");
}

TEST_CASE("child: writing to one that is gone is no signal") {
  ChildProcess child(shell("exit 0"));
  std::string line;
  CHECK(child.read_line(line, kLong) == Outcome::Ended);
  // The pipe buffers some lines before the end is seen.
  Outcome outcome = Outcome::Done;
  for (int i = 0; i < 1000 && outcome == Outcome::Done; ++i)
    outcome = child.write_line(std::string(10'000, 'x'), kLong);
  CHECK(outcome == Outcome::Ended);
}

TEST_CASE("child: of much that it says of an error the last is told") {
  ChildProcess child(shell("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done"));
  std::string line;
  CHECK(child.read_line(line, kLong) == Outcome::Ended);
  const std::string end = child.end();
  CHECK(end.size() < 2100);
  CHECK(end.ends_with("line 2999"));
}

TEST_CASE("child: a program that is not there is told") {
  CHECK_THROWS_WITH_AS(ChildProcess({"no_such_program_here"}),
                       "cannot start no_such_program_here: No such file or directory", Error);
  CHECK_THROWS_WITH_AS(ChildProcess({}),
                       "cannot start a process: the command is empty; pass a program and its arguments",
                       Error);
}

}  // namespace tensordsl::measure
