#include "runtime/buffer/npz.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <random>
#include <span>

#include "runtime/buffer/npy.h"
#include "tensordsl/error.h"

using namespace tensordsl;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "tensordsl-npz-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  fs::path operator/(const char* name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string contents_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write_file(const fs::path& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

Buffer some_buffer(Type type, std::vector<std::int64_t> shape) {
  Buffer buffer(type, std::move(shape));
  for (std::int64_t i = 0; i < buffer.elements(); ++i) buffer.set(i, type.is_bool() ? i % 2 : i % 100);
  return buffer;
}

bool equal(const Buffer& a, const Buffer& b) {
  return a.type() == b.type() && a.shape() == b.shape() && std::ranges::equal(a.bytes(), b.bytes());
}

std::map<std::string, Buffer> some_arrays() {
  return {{"image", some_buffer(Float(32), {1, 3, 5, 7})},
          {"scalar", some_buffer(Float(32), {})},
          {"empty", some_buffer(Int(32), {0, 4})},
          {"layer/0:weight", some_buffer(Float(16), {9})},
          {"i8", some_buffer(Int(8), {300})},
          {"u8", some_buffer(UInt(8), {2, 2})},
          {"i64", some_buffer(Int(64), {3})},
          {"flags", some_buffer(Bool(), {6})}};
}

/// A .npy file with this header text, as numpy lays it out.
std::string npy(const std::string& header, const std::string& elements, char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> (8 * i));
  return file + header + elements;
}

std::string bytes_of(const auto&... values) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  return bytes;
}

Buffer parse(const std::string& file) {
  std::size_t at = 0;
  return runtime::read_npy(file.size(), [&](std::span<std::byte> to) {
    REQUIRE(to.size() <= file.size() - at);
    std::ranges::copy(std::as_bytes(std::span(file)).subspan(at, to.size()), to.begin());
    at += to.size();
  });
}

std::string error_of(const auto& call) {
  try {
    call();
  } catch (const ModelError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("npz: what is written is read back, of every type and shape") {
  const Folder folder;
  const auto arrays = some_arrays();
  runtime::write_npz(folder / "a.npz", arrays);
  const auto back = runtime::read_npz(folder / "a.npz");
  CHECK(back.size() == arrays.size());
  for (const auto& [name, buffer] : arrays) CHECK_MESSAGE(equal(back.at(name), buffer), name);
}

TEST_CASE("npz: equal arrays give equal files, and a file is replaced as a whole") {
  const Folder folder;
  runtime::write_npz(folder / "a.npz", some_arrays());
  runtime::write_npz(folder / "b.npz", {{"other", some_buffer(Float(32), {1000})}});
  runtime::write_npz(folder / "b.npz", some_arrays());
  CHECK(contents_of(folder / "a.npz") == contents_of(folder / "b.npz"));
}

TEST_CASE("npy: headers of every format version, key order and spacing are understood") {
  const std::string elements = bytes_of(1.0f, 2.0f);
  for (const char version : {1, 2, 3}) {
    CHECK(
        parse(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n", elements, version)).get(1) ==
        2);
  }
  CHECK(parse(npy("{\"shape\":(2L,1),\"fortran_order\":False,\"descr\":\"<f4\"}", elements)).shape() ==
        std::vector<std::int64_t>{2, 1});
  CHECK(parse(npy("{'descr': '<f4', 'fortran_order': True, 'shape': ()}", bytes_of(3.0f))).get(0) == 3);
}

TEST_CASE("npy: doubles stay doubles, any true byte becomes 1") {
  const Buffer doubles =
      parse(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", bytes_of(0.1, 1e300)));
  CHECK(doubles.type() == Float(64));
  CHECK(doubles.as<double>()[0] == 0.1);
  CHECK(doubles.converted(Float(32)).get(0) == 0.1f);
  CHECK(doubles.converted(Float(32)).get(1) == std::numeric_limits<float>::infinity());
  const Buffer flags =
      parse(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", std::string("\0\1\x80", 3)));
  CHECK(flags.get(1) == 1);
  CHECK(static_cast<int>(flags.bytes()[2]) == 1);
}

TEST_CASE("npy: column-major arrays become row-major") {
  std::string elements;  // element (i, j, k) of shape (2, 3, 4) is i*100 + j*10 + k
  for (int k = 0; k < 4; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) elements += bytes_of(std::int32_t{i * 100 + j * 10 + k});
    }
  }
  const Buffer b = parse(npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3, 4)}", elements));
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) CHECK(b.get_int((i * 3 + j) * 4 + k) == i * 100 + j * 10 + k);
    }
  }
  CHECK(parse(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2)}", bytes_of(1., 2., 3., 4.)))
            .get(1) == 3);
}

TEST_CASE("npy: malformed and hostile headers are refused in one line") {
  const auto error = [](const std::string& file) { return error_of([&] { parse(file); }); };
  const auto header_error = [&](const std::string& header) { return error(npy(header, "1234")); };
  CHECK(error("") == "the .npy header is truncated; write the file again");
  CHECK(error(std::string("\x93NUMPY\1\0\7", 9)) == "the .npy header is truncated; write the file again");
  CHECK(error(npy("", "").substr(0, 8) + "\xff\x7f") == "the .npy header is truncated; write the file again");
  CHECK(error("PK\3\4 something else") == "not a .npy array");
  CHECK(error(npy("", "", 4)) == ".npy format 4.0 is not supported; supported: 1.0, 2.0, 3.0");
  CHECK(error(std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)) ==
        "the .npy header has 4294967295 bytes; supported: up to 65536");
  for (const char* header :
       {"", "{", "{}", "x", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'more': 1}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,)}"}) {
    CHECK_MESSAGE(header_error(header) == "malformed .npy header", header);
  }
  CHECK(header_error("{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}") ==
        "element type '>f4' has the other byte order; convert it with .astype('<f4')");
  CHECK(header_error("{'descr': '|O', 'fortran_order': False, 'shape': (1,)}").find("element type '|O'") ==
        0);
  CHECK(header_error("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}") ==
        "shape (2, 3) of '<f4' needs 24 bytes, but the file has 4");
  CHECK(header_error("{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}") ==
        "shape (0) of '<f4' needs 0 bytes, but the file has 4");
  CHECK(header_error("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905, 1)}") ==
        "shape (4611686018427387905, 1) has too many elements");
}

TEST_CASE("npy: an empty array may have extents whose product overflows, or be refused, but does no harm") {
  for (const char* order : {"True", "False"}) {
    const std::string text = error_of([&] {
      CHECK(parse(npy(std::string("{'descr': '<f8', 'fortran_order': ") + order +
                          ", 'shape': (4611686018427387905, 4611686018427387905, 0)}",
                      ""))
                .elements() == 0);
    });
    CHECK_FALSE(text.empty());
  }
}

TEST_CASE("npz: files that are no archives are refused with their name") {
  const Folder folder;
  const fs::path path = folder / "a.npz";
  CHECK(error_of([&] { runtime::read_npz(path); }) == path.string() + ": No such file");
  write_file(path, "");
  CHECK(error_of([&] { runtime::read_npz(path); }) == path.string() + ": Not a zip archive");
  write_file(path, "PK\5\6" + std::string(18, '\0'));
  CHECK(error_of([&] { runtime::read_npz(path); }) == path.string() + ": the file contains no arrays");
  write_file(path, "not a zip archive");
  CHECK(error_of([&] { runtime::read_npz(path); }) == path.string() + ": Not a zip archive");
  const std::string folder_error = error_of([&] { runtime::read_npz(path.parent_path()); });
  CHECK(folder_error.find(path.parent_path().string() + ": ") == 0);
  CHECK(error_of([&] {
          runtime::write_npz(folder / "none" / "a.npz", some_arrays());
        }).find((folder / "none" / "a.npz").string() + ": ") == 0);
  CHECK(error_of([&] { runtime::write_npz(path, {}); }) == path.string() + ": no arrays to write");
}

TEST_CASE("npz: a member whose data, size or checksum is not right is refused") {
  const Folder folder;
  const fs::path path = folder / "a.npz";
  runtime::write_npz(path, {{"x", some_buffer(Float(32), {100})}});
  const std::string good = contents_of(path);

  std::string bad = good;
  bad[good.find("NUMPY") + 300] ^= 1;  // an element
  write_file(path, bad);
  CHECK(error_of([&] { runtime::read_npz(path); }) == path.string() + ": x: CRC error");

  // A size of 4 GiB in the central directory: more than a file of this size can unpack to.
  const std::size_t directory = good.find("PK\1\2");
  bad = good;
  for (std::size_t i = 0; i < 4; ++i) bad[directory + 24 + i] = static_cast<char>(i == 0 ? 0xfe : 0xff);
  write_file(path, bad);
  CHECK(error_of([&] { runtime::read_npz(path); }) ==
        path.string() + ": x: the zip directory declares more data than the file can hold");

  bad = good;
  bad[good.find("'<f4'") + 1] = '>';
  write_file(path, bad);
  CHECK(error_of([&] {
          runtime::read_npz(path);
        }).find(path.string() + ": x: element type '>f4' has the other byte order") == 0);

  bad = good;
  for (std::size_t at = bad.find("x.npy"); at != std::string::npos; at = bad.find("x.npy"))
    bad.replace(at, 5, "a\nb/c");
  write_file(path, bad);
  CHECK(error_of([&] { runtime::read_npz(path); }) == path.string() + ": a?b/c: not a .npy array");
}

TEST_CASE("npz fuzz: cut and mutated files give arrays or a ModelError of one line, never anything else") {
  const Folder folder;
  const fs::path path = folder / "a.npz";
  runtime::write_npz(path, {{"x", some_buffer(Float(32), {2, 3})}, {"y", some_buffer(Bool(), {4})}});
  const std::string good = contents_of(path);
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string bad = good;
    if (round % 5 == 0) {
      bad.resize(random() % good.size());
    } else {
      for (unsigned n = 1 + random() % 4; n > 0; --n) {
        bad[random() % bad.size()] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
      }
    }
    write_file(path, bad);
    const std::string text = error_of([&] { runtime::read_npz(path); });
    CHECK(text.find('\n') == std::string::npos);
    refused += text != "no error";
  }
  CHECK(refused > 1000);
}

TEST_CASE("npy fuzz: mutated headers give an array or a ModelError, never anything else") {
  const std::string good =
      npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", std::string(48, 'x'));
  std::mt19937 random(2);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string bad = good;
    for (unsigned n = 1 + random() % 3; n > 0; --n) {
      const std::size_t at = random() % 70;
      switch (random() % 3) {
        case 0:
          bad[at] = static_cast<char>(random());
          break;
        case 1:
          bad.erase(at, 1 + random() % 3);
          break;
        default:
          bad.insert(at, 1, "0123456789(),'{}: <f"[random() % 20]);
      }
    }
    refused += error_of([&] { parse(bad); }) != "no error";
  }
  CHECK(refused > 10000);
}
