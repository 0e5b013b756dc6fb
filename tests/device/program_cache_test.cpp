#include "runtime/device/program_cache.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <thread>

#include "device/environment.h"
#include "tensordsl/error.h"

using namespace tensordsl;
using namespace tensordsl::test;

namespace {

const std::vector<std::string> kIdentity = {"name", "vendor", "version", "driver", "platform"};

runtime::ProgramKey some_key(const std::string& text = "text") {
  KernelSource source;
  source.text = text;
  return runtime::program_key(source, kIdentity);
}

runtime::ProgramBinary some_binary(std::size_t size = 1000, unsigned char seed = 1) {
  runtime::ProgramBinary binary(size);
  for (std::size_t i = 0; i < size; ++i) binary[i] = static_cast<unsigned char>(i * 7 + seed);
  return binary;
}

}  // namespace

TEST_CASE("program cache: the key tells apart everything a binary depends on") {
  KernelSource source;
  source.text = "text";
  source.options = "options";
  const runtime::ProgramKey key = runtime::program_key(source, kIdentity);
  CHECK(runtime::program_key(source, kIdentity) == key);

  KernelSource other = source;
  other.text = "texT";
  CHECK(runtime::program_key(other, kIdentity) != key);
  other = source;
  other.options = "";
  CHECK(runtime::program_key(other, kIdentity) != key);
  other = source;
  other.text = "textop";
  other.options = "tions";
  CHECK(runtime::program_key(other, kIdentity) != key);
  for (std::size_t i = 0; i < kIdentity.size(); ++i) {
    std::vector<std::string> identity = kIdentity;
    identity[i] += "2";
    CHECK(runtime::program_key(source, identity) != key);
  }
}

TEST_CASE("program cache: what is stored is found again, by another cache object too") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path() / "made" / "on demand");
  CHECK_FALSE(cache.load(some_key()));
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{1} << 20}) {
    cache.store(some_key(), some_binary(size));
    CHECK(runtime::ProgramCache(cache.folder()).load(some_key()) == some_binary(size));
  }
  CHECK_FALSE(cache.load(some_key("another")));
}

TEST_CASE("program cache: an entry with any changed byte is not trusted, and storing mends it") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path());
  cache.store(some_key(), some_binary());
  const std::string good = contents_of(cache.path_of(some_key()));
  const std::size_t header = good.size() - 1000;
  for (std::size_t i = 0; i < good.size(); i += i < header ? 1 : 97) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
    write_file(cache.path_of(some_key()), bad);
    CHECK_MESSAGE(!cache.load(some_key()), "byte " << i);
  }
  for (const std::size_t size : {std::size_t{0}, std::size_t{7}, header - 1, header, good.size() - 1}) {
    write_file(cache.path_of(some_key()), good.substr(0, size));
    CHECK_MESSAGE(!cache.load(some_key()), "cut to " << size);
  }
  write_file(cache.path_of(some_key()), good + "x");
  CHECK_FALSE(cache.load(some_key()));

  cache.store(some_key(), some_binary());
  CHECK(cache.load(some_key()) == some_binary());
}

TEST_CASE("program cache: an entry under another's name is not trusted") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path());
  cache.store(some_key("one"), some_binary(100, 1));
  cache.store(some_key("two"), some_binary(100, 2));
  std::filesystem::rename(cache.path_of(some_key("one")), folder.path() / "aside");
  std::filesystem::rename(cache.path_of(some_key("two")), cache.path_of(some_key("one")));
  std::filesystem::rename(folder.path() / "aside", cache.path_of(some_key("two")));
  CHECK_FALSE(cache.load(some_key("one")));
  CHECK_FALSE(cache.load(some_key("two")));
}

TEST_CASE("program cache: folders and pipes in an entry's place are passed over") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path());
  std::filesystem::create_directory(cache.path_of(some_key("folder")));
  REQUIRE(mkfifo(cache.path_of(some_key("pipe")).c_str(), 0600) == 0);
  CHECK_FALSE(cache.load(some_key("folder")));
  CHECK_FALSE(cache.load(some_key("pipe")));
  cache.store(some_key("folder"), some_binary());  // cannot be replaced
  CHECK_FALSE(cache.load(some_key("folder")));
  cache.store(some_key("pipe"), some_binary());
  CHECK(cache.load(some_key("pipe")) == some_binary());
  CHECK(folder.files().size() == 2);  // no temporary file is left
}

TEST_CASE("program cache: a folder that cannot be written only means no caching") {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "");
  const runtime::ProgramCache cache(folder.path() / "file" / "cache");
  cache.store(some_key(), some_binary());
  CHECK_FALSE(cache.load(some_key()));
  const runtime::ProgramCache none(std::nullopt);
  none.store(some_key(), some_binary());
  CHECK_FALSE(none.load(some_key()));
}

TEST_CASE("program cache: readers beside writers see a whole entry, one or the other") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path());
  const auto one = some_binary(100000, 1), two = some_binary(50000, 2);
  cache.store(some_key(), one);
  std::vector<std::thread> writers;
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) cache.store(some_key(), i % 2 == 0 ? one : two);
    });
  }
  int whole = 0;
  for (int round = 0; round < 200; ++round) {
    const auto found = cache.load(some_key());
    whole += found == one || found == two;
  }
  for (std::thread& writer : writers) writer.join();
  CHECK(whole == 200);
  CHECK(folder.files().size() == 1);
}

TEST_CASE("program cache: beyond its limit, what was not used for the longest time goes first") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path());
  const auto key = [](int i) { return some_key(std::to_string(i)); };
  const auto is_there = [&](int i) { return std::filesystem::exists(cache.path_of(key(i))); };
  const auto used = [&](int i, int hours_ago) {
    std::filesystem::last_write_time(
        cache.path_of(key(i)), std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours_ago));
  };
  for (int i = 0; i < 10; ++i) {
    cache.store(
        key(i),
        some_binary(1000 - runtime::cache_entry(key(i), {}).size()));  // 1,000 bytes with what precedes it
    used(i, 100 - i);
  }
  cache.trim(10'000);
  for (int i = 0; i < 10; ++i) CHECK(is_there(i));
  CHECK(cache.load(key(0)));  // is now the one that was used last
  cache.trim(9'000);
  CHECK(is_there(0));
  CHECK(!is_there(1));
  CHECK(!is_there(2));
  for (int i = 3; i < 10; ++i) CHECK(is_there(i));
  cache.trim(0);
  for (int i = 0; i < 10; ++i) CHECK(!is_there(i));
}

TEST_CASE("program cache: what a killed process left goes after a day, other files stay") {
  const TemporaryFolder folder;
  const runtime::ProgramCache cache(folder.path());
  for (const char* name : {"new-aaaaaa", "new-bbbbbb", "notes.txt"})
    std::ofstream(folder.path() / name) << "x";
  for (const char* name : {"new-aaaaaa", "notes.txt"}) {
    std::filesystem::last_write_time(folder.path() / name,
                                     std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
  }
  cache.trim(0);
  CHECK(!std::filesystem::exists(folder.path() / "new-aaaaaa"));
  CHECK(std::filesystem::exists(folder.path() / "new-bbbbbb"));
  CHECK(std::filesystem::exists(folder.path() / "notes.txt"));
}

TEST_CASE("program cache: its limit is in MiB, and is 1 GiB where nothing is told") {
  const auto limit = [](const char* text) {
    const ScopedVariable told("TENSORDSL_CACHE_LIMIT", text);
    return runtime::ProgramCache::limit_of_environment();
  };
  CHECK(limit("10") == 10U << 20);
  CHECK(limit("0") == 0);
  CHECK(limit("") == 1U << 30);
  for (const char* text : {"much", "-1", "10 MB", "99999999999999999999"}) {
    CHECK_THROWS_WITH_AS(
        limit(text),
        (std::string("TENSORDSL_CACHE_LIMIT=") + text + ": expected a whole number of MiB").c_str(), Error);
  }
}

TEST_CASE("program cache: the folder comes from the environment") {
  const ScopedVariable state("TENSORDSL_CACHE", std::nullopt);
  const ScopedVariable folder("TENSORDSL_CACHE_DIR", "/own");
  const ScopedVariable xdg("XDG_CACHE_HOME", "/xdg");
  const ScopedVariable home("HOME", "/home/me");
  CHECK(runtime::ProgramCache::folder_of_environment() == "/own");
  {
    const ScopedVariable off("TENSORDSL_CACHE", "off");
    CHECK_FALSE(runtime::ProgramCache::folder_of_environment());
    const ScopedVariable neither("TENSORDSL_CACHE", "maybe");
    CHECK_THROWS_WITH_AS(runtime::ProgramCache::folder_of_environment(),
                         "TENSORDSL_CACHE=maybe: expected on or off", Error);
  }
  const ScopedVariable no_folder("TENSORDSL_CACHE_DIR", "");
  CHECK(runtime::ProgramCache::folder_of_environment() == "/xdg/tensordsl");
  const ScopedVariable no_xdg("XDG_CACHE_HOME", std::nullopt);
  CHECK(runtime::ProgramCache::folder_of_environment() == "/home/me/.cache/tensordsl");
  const ScopedVariable no_home("HOME", std::nullopt);
  CHECK_FALSE(runtime::ProgramCache::folder_of_environment());
}
