#include "graph/memory/lifetimes.h"

#include <algorithm>

#include "runtime/values/evaluate.h"

namespace tensordsl::graph {
namespace {

/// Returns the bytes in memory; nullopt if they depend on a Param.
std::optional<std::int64_t> bytes_in_memory(const Program::Tensor& tensor) {
  std::int64_t bytes = tensor.stored.type.bytes();
  std::vector<SizeExpr> sizes{tensor.elements};
  if (tensor.image) {
    bytes *= tensor.image->channels;
    sizes = {tensor.image->width, tensor.image->height, tensor.image->layers};
  }
  for (const SizeExpr& size : sizes) {
    if (!runtime::has_values(size, {})) return std::nullopt;
    bytes *= runtime::evaluate(size, {});
  }
  return bytes;
}

/// Makes tensors that are used both in a loop and outside of it live in all of its steps. Tensors that are
/// swapped have memory of their own.
void span(const Program::Loop& loop, std::vector<std::optional<Lifetime>>& lives) {
  for (const Program::Loop::Carried& carried : loop.carried)
    lives[carried.now] = lives[carried.next] = std::nullopt;
  const int first = 2 * static_cast<int>(loop.begin.launches), last = 2 * static_cast<int>(loop.end.launches);
  for (std::optional<Lifetime>& life : lives) {
    const bool is_used_inside = life && life->last > first && life->first < last;
    if (!is_used_inside || (life->first > first && life->last < last)) continue;
    life->first = std::min(life->first, first);
    life->last = std::max(life->last, last);
  }
}

}  // namespace

std::vector<std::optional<Lifetime>> find_lifetimes(const Program& program) {
  std::vector<std::optional<Lifetime>> lives(program.tensors.size());
  const auto use = [&](std::size_t tensor, std::size_t step) {
    if (program.tensors[tensor].kind != Program::Tensor::Kind::Intermediate) return;
    const int at = static_cast<int>(step);
    std::optional<Lifetime>& life = lives[tensor];
    if (!life) life = {0, at, at};
    life->first = std::min(life->first, at);
    life->last = std::max(life->last, at);
  };
  for (std::size_t i = 0; i < program.launches.size(); ++i) {
    for (const int tensor : program.launches[i].tensors) {
      if (tensor >= 0) use(static_cast<std::size_t>(tensor), 2 * i + 1);
    }
  }
  for (const Program::HostStep& step : program.host_steps) {
    for (const auto* operands : {&step.reads, &step.writes}) {
      for (const Program::HostStep::Operand& operand : *operands) use(operand.tensor, 2 * step.launches);
    }
  }
  for (const Program::Count& count : program.counts) use(count.tensor, 2 * count.launches);
  for (const Program::Loop& loop : program.loops) span(loop, lives);
  for (std::size_t t = 0; t < lives.size(); ++t) {
    if (!lives[t]) continue;
    if (const auto bytes = bytes_in_memory(program.tensors[t]))
      lives[t]->bytes = *bytes;
    else
      lives[t] = std::nullopt;
  }
  return lives;
}

}  // namespace tensordsl::graph
