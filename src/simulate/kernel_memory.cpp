// Memory accesses of the work-items of a simulated launch.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "runtime/host/element.h"
#include "simulate/kernel_simulation.h"

namespace tensordsl::simulator {

using ir::Memory;
using runtime::load_element;
using runtime::store_element;

std::size_t KernelSimulation::checked_offset(const MemoryBlock& block, std::int64_t index, int lane,
                                             std::string_view action) const {
  const std::int64_t offset = block.lanes > 1 ? index * block.lanes + lane : index;
  if (index < 0 || offset >= block.elements) {
    fail(fmt::format("{} {}{}[{}], which has {} elements", item_name(item_), action, block.name, index,
                     block.elements / block.lanes));
  }
  return static_cast<std::size_t>(block.is_shared() ? offset : offset + item_ * block.elements);
}

void KernelSimulation::check_alignment(const MemoryBlock& block, std::int64_t first,
                                       std::int64_t alignment) const {
  if (first % alignment == 0) return;
  fail(fmt::format("{} accesses {} from {} on, which must be a multiple of {}", item_name(item_), block.name,
                   first, alignment));
}

Accessor KernelSimulation::accessor(const MemoryBlock& block) const {
  return {group_number_, static_cast<std::uint32_t>(item_),
          block.space == Memory::Local ? local_epoch_ : global_epoch_};
}

Scalar KernelSimulation::access(const runtime::Node& load, int lane) {
  MemoryBlock& block = *blocks_[static_cast<std::size_t>(load.target)];
  if (block.is_image) return read_texel(block, load, lane);
  const std::int64_t index = eval(load.a, block.lanes > 1 ? 0 : lane).i;
  if (lane == 0) check_alignment(block, index, load.alignment);
  return read(block, checked_offset(block, index, lane, "reads "), index);
}

std::optional<std::int64_t> KernelSimulation::texel_at(const MemoryBlock& image,
                                                       const std::vector<int>& exprs) {
  std::int64_t texel = 0;
  bool is_inside = true;
  for (std::size_t c = 0; c < image.texels.size(); ++c) {
    const std::int64_t at = eval(exprs[c]).i;
    is_inside = is_inside && at >= 0 && at < image.texels[c];
    texel = texel * image.texels[c] + at;
  }
  return is_inside ? std::optional(texel) : std::nullopt;
}

Scalar KernelSimulation::read_texel(MemoryBlock& image, const runtime::Node& load, int lane) {
  std::vector<int> exprs;
  for (int i = 0; i < load.count; ++i) exprs.push_back(operand(load, i));
  const auto texel = texel_at(image, exprs);
  const bool has_sampler = image.has_border && load.alignment != ir::kInside;
  if (!texel && has_sampler) return scalar_of(image.type, 0);
  if (!texel) fail(fmt::format("{} reads a texel outside the image {}", item_name(item_), image.name));
  const std::int64_t element = *texel * image.channels + lane;
  return read(image, static_cast<std::size_t>(element), element);
}

void KernelSimulation::write_texel(MemoryBlock& image, const Step& step) {
  const auto texel = texel_at(image, {step.exprs.begin() + 1, step.exprs.end()});
  if (!texel) fail(fmt::format("{} writes a texel outside the image {}", item_name(item_), image.name));
  if (step.lanes != image.channels) {
    fail(fmt::format("{} writes {} elements to a texel of {}, which has {}", item_name(item_), step.lanes,
                     image.name, image.channels));
  }
  for (int lane = 0; lane < step.lanes; ++lane) values_.push_back(eval(step.exprs[0], lane));
  for (int lane = 0; lane < step.lanes; ++lane) {
    const std::int64_t element = *texel * image.channels + lane;
    write(image, static_cast<std::size_t>(element), element, values_[static_cast<std::size_t>(lane)]);
  }
}

Scalar KernelSimulation::read(MemoryBlock& block, std::size_t offset, std::int64_t index) {
  const auto report = [&](std::string_view what) {
    fail(fmt::format("{} reads {}[{}], {}", item_name(item_), block.name, index, what));
  };
  if (!block.readable) report("a write-only buffer");
  if (block.is_shared() && block.races.read(offset, accessor(block))) {
    report("a race: another work-item writes it, without a barrier in between");
  }
  if (block.written && !block.written[offset]) report("which was never written");
  const Scalar value = load_element(block.type, block.data, static_cast<std::int64_t>(offset));
  if (block.traces_loads) trace(TraceEvent::Kind::Load, block, index, value);
  return value;
}

void KernelSimulation::store(const Step& step, int item) {
  enter(item);
  MemoryBlock& block = *blocks_[static_cast<std::size_t>(step.target)];
  // All lanes are loaded before the first is stored.
  values_.clear();
  if (block.is_image) return write_texel(block, step);
  for (int lane = 0; lane < step.lanes; ++lane) {
    values_.push_back(eval(step.exprs[0], lane));
    values_.push_back(eval(step.exprs[1], block.lanes > 1 ? 0 : lane));
  }
  check_alignment(block, values_[1].i, step.source->alignment);
  for (int lane = 0; lane < step.lanes; ++lane) {
    const Scalar value = values_[static_cast<std::size_t>(2 * lane)];
    const std::int64_t index = values_[static_cast<std::size_t>(2 * lane + 1)].i;
    write(block, checked_offset(block, index, lane, "writes "), index, value);
  }
}

void KernelSimulation::write(MemoryBlock& block, std::size_t offset, std::int64_t index, Scalar value) {
  const auto report = [&](std::string_view what) {
    fail(fmt::format("{} writes {}[{}], {}", item_name(item_), block.name, index, what));
  };
  if (!block.writable) report("a read-only buffer");
  std::array<std::byte, sizeof(std::int64_t)> stored;
  const auto width = static_cast<std::size_t>(block.type.bytes());
  store_element(block.type, stored.data(), 0, value);
  std::byte* element = block.data + offset * width;
  if (block.is_shared()) {
    const bool changes = std::memcmp(element, stored.data(), width) != 0;
    if (block.races.write(offset, accessor(block), changes)) {
      report("a race: another work-item accesses it, without a barrier in between");
    }
  }
  std::memcpy(element, stored.data(), width);
  if (block.written) block.written[offset] = 1;
  if (block.traces_stores)
    trace(TraceEvent::Kind::Store, block, index, load_element(block.type, stored.data(), 0));
}

void KernelSimulation::trace(TraceEvent::Kind kind, const MemoryBlock& block, std::int64_t index,
                             Scalar value) const {
  tracing_.tell({kind, block.name, {index}, runtime::digits_of(block.type, value), kernel_.name});
}

}  // namespace tensordsl::simulator
