#include "graph/pack_constants.h"

#include <algorithm>

#include "base/run_in_parallel.h"

namespace tensordsl {
namespace {

std::vector<std::byte> packed(const Buffer& value, const StoredTensor& stored) {
  const Buffer typed = value.type() == stored.type ? value : value.converted(stored.type);
  const auto bytes = typed.bytes();
  return pack({bytes.begin(), bytes.end()}, stored.type.bytes(), stored.layout, stored.shape());
}

}  // namespace

std::shared_ptr<const std::vector<std::byte>> pack_constants(
    const std::map<std::size_t, const Buffer*>& constants, std::vector<Program::Tensor>& tensors) {
  if (constants.empty()) return nullptr;
  constexpr std::int64_t kAlignment = 64;
  std::int64_t size = 0;
  std::vector<std::pair<std::size_t, const Buffer*>> jobs(constants.begin(), constants.end());
  for (const auto& [tensor, value] : jobs) {
    tensors[tensor].offset = size;
    size = (size + tensors[tensor].stored.bytes() + kAlignment - 1) / kAlignment * kAlignment;
  }
  std::vector<std::byte> all(static_cast<std::size_t>(size));
  run_in_parallel(static_cast<int>(jobs.size()), [&](int job) {
    const auto& [tensor, value] = jobs[static_cast<std::size_t>(job)];
    const std::vector<std::byte> bytes = packed(*value, tensors[tensor].stored);
    std::ranges::copy(bytes, all.begin() + tensors[tensor].offset);
  });
  return std::make_shared<const std::vector<std::byte>>(std::move(all));
}

}  // namespace tensordsl
