// Operations that the work-items of a sub-group do together.
#include <fmt/format.h>

#include <algorithm>

#include "simulate/kernel_simulation.h"

namespace tensordsl::simulator {

using ir::SubGroupOperationKind;

void KernelSimulation::meet(const Step& step, const Items& items) {
  const bool is_product = step.meeting->kind == SubGroupOperationKind::Multiply;
  const int size = is_product ? ir::kMatrixTile.lanes : kernel_.sub_group_size;
  if (size == 0) fail("a sub-group operation in a kernel without a sub-group size");
  MemoryBlock& block = *blocks_[static_cast<std::size_t>(step.target)];
  const auto operands = static_cast<std::size_t>(step.meeting->operands);
  for (std::size_t at = 0; at < items.size(); at += static_cast<std::size_t>(size)) {
    const int first = items[at];
    for (int lane = 0; lane < size; ++lane) {
      const std::size_t place = at + static_cast<std::size_t>(lane);
      const bool is_there = first % size == 0 && place < items.size() && items[place] == first + lane;
      if (!is_there)
        fail(fmt::format("divergent sub-group: {} does not reach \"{}\"",
                         item_name(first / size * size + lane), step.meeting->name));
    }
    if (is_product) {
      multiply(step, first);
      continue;
    }
    const bool is_reduction = step.meeting->kind == SubGroupOperationKind::Reduce;
    const std::vector<Scalar> results = is_reduction ? reduced(step, first) : exchanged(step, first);
    for (int lane = 0; lane < size; ++lane) {
      enter(first + lane);
      const std::int64_t index = eval(step.exprs[operands]).i;
      write(block, checked_offset(block, index, 0, "writes "), index,
            results[static_cast<std::size_t>(lane)]);
    }
  }
}

void KernelSimulation::multiply(const Step& step, int first) {
  using ir::kMatrixTile;
  const auto at = [](int row, int column, int columns) {
    return static_cast<std::size_t>(row * columns + column);
  };
  std::vector<float> a(kMatrixTile.rows * kMatrixTile.depth), b(kMatrixTile.columns * kMatrixTile.depth),
      c(kMatrixTile.rows * kMatrixTile.columns);
  const auto each_of_c = [&](const auto& visit) {
    for (int lane = 0; lane < kMatrixTile.lanes; ++lane) {
      enter(first + lane);
      for (int i = 0; i < 4; ++i)
        visit(i, at(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2, kMatrixTile.columns));
    }
  };
  for (int lane = 0; lane < kMatrixTile.lanes; ++lane) {
    enter(first + lane);
    const int row = lane / 4, place = lane % 4 * 2;
    for (int i = 0; i < 8; ++i)
      a[at(row + i / 2 % 2 * 8, place + i / 4 * 8 + i % 2, kMatrixTile.depth)] =
          static_cast<float>(eval(step.exprs[0], i).f);
    for (int i = 0; i < 4; ++i)
      b[at(row, place + i / 2 * 8 + i % 2, kMatrixTile.depth)] = static_cast<float>(eval(step.exprs[1], i).f);
  }
  each_of_c([&](int i, std::size_t place) { c[place] = static_cast<float>(eval(step.exprs[2], i).f); });
  for (int row = 0; row < kMatrixTile.rows; ++row) {
    for (int column = 0; column < kMatrixTile.columns; ++column) {
      for (int k = 0; k < kMatrixTile.depth; ++k)
        c[at(row, column, kMatrixTile.columns)] +=
            a[at(row, k, kMatrixTile.depth)] * b[at(column, k, kMatrixTile.depth)];
    }
  }
  MemoryBlock& block = *blocks_[static_cast<std::size_t>(step.target)];
  each_of_c([&](int i, std::size_t place) {
    const std::int64_t index = eval(step.exprs[3], block.lanes > 1 ? 0 : i).i;
    write(block, checked_offset(block, index, i, "writes "), index, Scalar{.f = c[place]});
  });
}

std::vector<Scalar> KernelSimulation::reduced(const Step& step, int first) {
  const ir::Operation combine = ir::find_operator(step.meeting->combined_by, step.source->exprs[0].type());
  Scalar total{};
  for (int lane = 0; lane < kernel_.sub_group_size; ++lane) {
    enter(first + lane);
    const Scalar value = eval(step.exprs[0]);
    total = lane == 0 ? value : combine(total, value, {});
  }
  return std::vector<Scalar>(static_cast<std::size_t>(kernel_.sub_group_size), total);
}

std::vector<Scalar> KernelSimulation::exchanged(const Step& step, int first) {
  const int size = kernel_.sub_group_size;
  std::vector<Scalar> results;
  std::int64_t shared = 0;
  for (int lane = 0; lane < size; ++lane) {
    enter(first + lane);
    const std::int64_t from = eval(step.exprs[1]).i;
    if (from < 0 || from >= size) {
      fail(fmt::format("{} asks for lane {} of a sub-group of {} work-items", item_name(first + lane), from,
                       size));
    }
    if (lane == 0) shared = from;
    if (step.meeting->kind == SubGroupOperationKind::Broadcast && from != shared) {
      fail(fmt::format("{} asks for lane {} in a broadcast of lane {}", item_name(first + lane), from,
                       shared));
    }
    // Values of other lanes are unused and may be undefined.
    enter(first + static_cast<int>(from));
    results.push_back(eval(step.exprs[0]));
  }
  return results;
}

}  // namespace tensordsl::simulator
