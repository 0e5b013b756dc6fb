#include "search/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tensordsl::search {
namespace {

double logarithm(double value) { return std::log2(1 + std::max(0.0, value)); }

}  // namespace

Features features_of(const ChosenSchedule& schedule, const std::vector<predict::KernelWork>& works,
                     const std::vector<predict::KernelUsage>& usages,
                     const std::vector<predict::Prediction>& predictions) {
  Features sums;
  const auto add = [&](const std::string& name, double value) { sums[name] += value; };
  double us = 0;
  for (const predict::Prediction& prediction : predictions) {
    us += prediction.us;
    for (const auto& [name, bound] : prediction.bounds) add("bound " + name, bound);
    add("rounds", prediction.rounds);
    add("groups of unit", prediction.groups_of_unit);
    add("spilled", prediction.spilled_registers);
  }
  for (const predict::KernelWork& work : works) {
    const double items = work.groups * work.group_items;
    add("groups", work.groups);
    add("work of item", work.operations.all());
    add("iterations", work.iterations);
    add("barriers", work.barriers);
    add("private bytes", static_cast<double>(work.private_bytes));
    add("multiply-adds", items * work.operations.multiply_adds);
    add("other operations", items * work.operations.others);
    add("special operations", items * work.operations.special);
    add("address operations", items * work.operations.addresses);
    add("loads", items * work.operations.loads);
    add("stores", items * work.operations.stores);
  }
  for (const predict::KernelUsage& usage : usages) {
    add("group items", static_cast<double>(usage.group_items));
    add("registers", static_cast<double>(usage.registers));
    add("local bytes", static_cast<double>(usage.local_bytes));
    add("iteration bytes", static_cast<double>(usage.iteration_bytes));
    add("access elements", usage.access_elements);
    add("reads images", usage.reads_images ? 1 : 0);
  }
  Features features;
  for (const auto& [name, value] : sums) {
    // Bounds as shares: what bounds a kernel says how wrong the model may be.
    features[name] = name.starts_with("bound ") ? value / std::max(us, 1e-9) : logarithm(value);
  }
  features["us"] = logarithm(us);
  features["kernels"] = static_cast<double>(predictions.size());
  features[fmt::format("strategy {}", schedule.strategy->name)] = 1;
  for (const auto& [knob, value] : schedule.point.values())
    features[fmt::format("{}.{}", schedule.strategy->name, knob)] = value;
  return features;
}

}  // namespace tensordsl::search
