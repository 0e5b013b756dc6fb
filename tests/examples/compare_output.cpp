// Checks that the only array of an .npz has the bytes of a file: compare_output OUT.npz OUT.bin
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <iterator>
#include <vector>

#include "runtime/buffer/npz.h"

namespace {

std::vector<char> read_bytes(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

int compare(const char* npz, const char* bin) {
  const auto arrays = tensordsl::runtime::read_npz(npz);
  if (arrays.size() != 1) {
    fmt::print("compare_output: {} has {} arrays, and should have one\n", npz, arrays.size());
    return 1;
  }
  const auto wanted = arrays.begin()->second.bytes();
  const std::vector<char> found = read_bytes(bin);
  const auto is_same = [](std::byte a, char b) { return a == static_cast<std::byte>(b); };
  const auto [difference, end] = std::ranges::mismatch(wanted, found, is_same);
  if (difference == wanted.end() && end == found.end()) {
    fmt::print("compare_output: all {} bytes are equal\n", wanted.size());
    return 0;
  }
  fmt::print("compare_output: {} has {} bytes and {} has {}; they differ from byte {} on\n", npz,
             wanted.size(), bin, found.size(), difference - wanted.begin());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    return compare(argv[1], argv[2]);
  } catch (const std::exception& e) {
    fmt::print("compare_output: {}\n", e.what());
    return 2;
  }
}
