// Damaged packages: whatever is in them, reading ends in a Package or in an Error of one line, and what is
// read leads no device out of its memory. TENSORDSL_FUZZ_ROUNDS sets the number of mutations of each kind and
// seed, and TENSORDSL_FUZZ_FIRST the first one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/mapped_file.h"
#include "package/checked_device.h"
#include "package/json_mutator.h"
#include "package/package_parts.h"
#include "runtime/values/evaluate.h"
#include "support/source_dir.h"
#include "tensordsl/package.h"
#include "tensordsl/runner.h"

using namespace tensordsl;
using namespace tensordsl::testing;

namespace fs = std::filesystem;

namespace {

constexpr const char* kSeeds[] = {"buffers", "counts", "images", "states", "symbolic"};

int number(const char* variable, int otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::atoi(given) : otherwise;
}

PackageParts seed(const std::string& name) {
  const fs::path folder = source_dir() / "tests/package/seeds" / name;
  PackageParts parts;
  parts.index = index_from_json(MappedFile(folder / kIndexName).text());
  for (const PackageEntry& entry : parts.index.entries)
    parts.files[entry.name] = std::string(MappedFile(folder / entry.name).text());
  return parts;
}

/// The last stage that a package reached.
enum class Got { Refused, Read, Run };

void run(const Package& package) {
  constexpr std::int64_t kMost = 1 << 16;  // elements that it is worth to fill
  CheckedDevice device;
  ParamValues params;
  // Names of one letter are extents of inputs; outputs are smaller.
  for (const Program::Param& param : package.program->params)
    params[param.name] = param.name.size() == 1 ? 5 : 3;
  Runner runner(package.program, device, params);
  for (const Program::Value& input : package.program->inputs) {
    std::int64_t bytes = input.type.bytes();
    for (const SizeExpr& extent : input.shape)
      bytes *= std::clamp<std::int64_t>(runtime::evaluate(extent, runner.params()), 0, kMost);
    if (bytes <= kMost * 8) runner.write(input.name, std::vector<std::byte>(static_cast<std::size_t>(bytes)));
  }
  runner.run();
  runner.read_all();
  runner.set_params({});
  runner.clear_states();
}

Got try_package(const std::string& bytes) {
  Package package;
  try {
    package = read_package(std::as_bytes(std::span(bytes)), nullptr, "fuzz.tdsl");
  } catch (const Error& error) {
    const std::string text = error.what();
    CHECK_MESSAGE(text.starts_with("fuzz.tdsl: "), text);
    CHECK_MESSAGE(text.find('\n') == std::string::npos, text);
    return Got::Refused;
  }
  try {
    run(package);
  } catch (const Error&) {
    return Got::Read;
  }
  return Got::Run;
}

/// All rounds of one kind of damage on one seed: some must be refused, some not.
template <typename Damage>
void rounds(int usual, Damage damage) {
  const int first = number("TENSORDSL_FUZZ_FIRST", 0), count = number("TENSORDSL_FUZZ_ROUNDS", usual);
  for (const std::string name : kSeeds) {
    CAPTURE(name);
    const PackageParts good = seed(name);
    const std::string whole = good.together();
    CHECK_NOTHROW(run(read_package(std::as_bytes(std::span(whole)), nullptr, "fuzz.tdsl")));
    int refused = 0;
    for (int round = first; round < first + count; ++round) {
      CAPTURE(round);
      JsonMutator mutator(static_cast<std::uint32_t>(round));
      refused += try_package(damage(good, mutator)) == Got::Refused;
    }
    CHECK(refused > 0);
  }
}

}  // namespace

TEST_CASE("package fuzz: bytes that are damaged on the way are refused") {
  rounds(1000,
         [](const PackageParts& good, JsonMutator& mutator) { return mutator.damage(good.together()); });
}

TEST_CASE("package fuzz: programs with other values lead nowhere out of memory") {
  rounds(3000, [](const PackageParts& good, JsonMutator& mutator) {
    PackageParts bad = good;
    auto program = nlohmann::ordered_json::parse(bad.files[kProgramName]);
    mutator.damage(program);
    bad.files[kProgramName] = program.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return bad.together();
  });
}

TEST_CASE("package fuzz: programs with damaged text lead nowhere out of memory") {
  rounds(1000, [](const PackageParts& good, JsonMutator& mutator) {
    PackageParts bad = good;
    std::string& program = bad.files[kProgramName];
    program = mutator.damage(program);
    return bad.together();
  });
}

TEST_CASE("package fuzz: files of other sizes lead nowhere out of memory") {
  rounds(300, [](const PackageParts& good, JsonMutator& mutator) {
    PackageParts bad = good;
    auto& [name, file] =
        *std::next(bad.files.begin(), static_cast<std::ptrdiff_t>(mutator.pick(bad.files.size())));
    file = mutator.damage(file);
    return bad.together();
  });
}

TEST_CASE("package fuzz: an index that lies about its files is refused, or is none the worse") {
  rounds(1000, [](const PackageParts& good, JsonMutator& mutator) {
    // The files stay where they are, whatever the length of the index is now.
    std::string whole = good.together();
    const auto length = static_cast<unsigned char>(whole[16]) + 256U * static_cast<unsigned char>(whole[17]);
    auto json = nlohmann::ordered_json::parse(whole.substr(64, length));
    mutator.damage(json);
    const std::string index = json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    const std::string begin = package_header(index) + index;
    whole.resize(std::max(whole.size(), begin.size()));
    std::ranges::copy(begin, whole.begin());
    return whole;
  });
}
