#include "runtime/program/pack_constants.h"

#include <algorithm>
#include <span>

#include "base/run_in_parallel.h"

namespace tensordsl::runtime {
namespace {

void pack_constant(const Buffer& value, const Program::Storage& stored, std::span<std::byte> to) {
  const bool is_as_stored = value.type() == stored.type;
  const Buffer converted = is_as_stored ? Buffer() : value.converted(stored.type);
  pack_into((is_as_stored ? value : converted).bytes(), stored.type.bytes(), stored.layout, stored.shape(),
            to);
}

}  // namespace

Program::Bytes pack_constants(const std::map<std::size_t, const Buffer*>& constants,
                              std::vector<Program::Tensor>& tensors) {
  if (constants.empty()) return {};
  constexpr std::int64_t kAlignment = 64;
  std::int64_t size = 0;
  std::vector<std::pair<std::size_t, const Buffer*>> jobs(constants.begin(), constants.end());
  for (const auto& [tensor, value] : jobs) {
    tensors[tensor].offset = size;
    size = (size + tensors[tensor].stored.bytes() + kAlignment - 1) / kAlignment * kAlignment;
  }
  const auto all = std::make_shared_for_overwrite<std::byte[]>(static_cast<std::size_t>(size));
  run_in_parallel(static_cast<int>(jobs.size()), [&](int job) {
    const auto& [tensor, value] = jobs[static_cast<std::size_t>(job)];
    const Program::Storage& stored = tensors[tensor].stored;
    // The copy includes the gap up to the next constant: every byte has a value.
    const bool is_last = static_cast<std::size_t>(job) + 1 == jobs.size();
    const std::int64_t begin = tensors[tensor].offset;
    const std::int64_t end = is_last ? size : tensors[jobs[static_cast<std::size_t>(job) + 1].first].offset;
    const std::span bytes(all.get() + begin, static_cast<std::size_t>(end - begin));
    std::ranges::fill(bytes, std::byte{0});
    pack_constant(*value, stored, bytes.first(static_cast<std::size_t>(stored.bytes())));
  });
  return {all, static_cast<std::size_t>(size)};
}

}  // namespace tensordsl::runtime
