#include "graph/schedule/price_schedule.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "graph/schedule/choose_schedules.h"
#include "outline/outline_schedule.h"
#include "predict/outlined_work.h"
#include "predict/predict_kernel.h"
#include "schedule/func_schedule.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

using definitions::StoredGroup;
using schedule::ScheduledFunction;

/// Registers of compilers over those of an outline, in the order of the text: ids of work-items, addresses,
/// the order that a compiler chooses. Source: tensordsl-bench isa with Mesa 25.0; kernels of 168 to 180
/// estimated registers may spill on an Adreno 640 that has 181, and those of 64 do on a Mali-G76 that has 64.
constexpr double kOfCompiler = 1.1;

/// Returns the registers that a compiler gives to a kernel which runs with the fewest work-items. One that
/// gathers reads takes all of them, and leaves off before it spills.
double most_registers(const predict::DeviceFigures& device) {
  const double most = device.registers_per_item;
  return device.occupancy.empty() ? most : std::max<double>(most, device.occupancy.back().registers);
}

}  // namespace

/// Definitions, schedules and storage of a group.
class SchedulePricer::SavedGroup {
 public:
  explicit SavedGroup(StoredGroup& group) : group_(group), operands_(group.operands) {
    for (const auto* funcs :
         {&group.prologue, &group.anchors, &group.epilogue, &group.outputs, &group.kept}) {
      for (const Func& func : *funcs) save(func);
    }
    for (const definitions::GroupOperand& operand : group.operands) save(operand.input);
  }

  void put_back() const {
    for (const auto& [function, saved] : functions_) *function = saved;
    group_.operands = operands_;
  }

 private:
  void save(const Func& func) {
    const std::shared_ptr<ScheduledFunction> function = func.shared();
    const auto is_same = [&](const auto& entry) { return entry.first == function; };
    if (std::ranges::none_of(functions_, is_same)) functions_.emplace_back(function, *function);
  }

  StoredGroup& group_;
  std::vector<definitions::GroupOperand> operands_;
  std::vector<std::pair<std::shared_ptr<ScheduledFunction>, ScheduledFunction>> functions_;
};

bool keeps_images(const StoredGroup& group, const GroupSchedule& schedule) {
  const schedules::Strategy& strategy = *schedule.strategy;
  for (std::size_t i = 0; i < group.operands.size(); ++i) {
    const definitions::GroupOperand& operand = group.operands[i];
    if (!operand.stored.image || operand.is_constant) continue;
    if (!strategy.reads_texels || !strategy.reads_texels(group, schedule.point, i)) return false;
  }
  return std::ranges::all_of(group.stored, [&](const StoredTensor& stored) {
    return !stored.image || (strategy.writes_texels && strategy.writes_texels(group, schedule.point));
  });
}

SchedulePricer::SchedulePricer(StoredGroup& group, const Target& target, const predict::DeviceFigures& device,
                               std::int64_t most_local_bytes, StoreConstants store_constants)
    : group_(group),
      target_(target),
      device_(device),
      most_local_bytes_(most_local_bytes),
      store_constants_(std::move(store_constants)),
      saved_(std::make_unique<SavedGroup>(group)) {}

SchedulePricer::~SchedulePricer() = default;

std::optional<SchedulePrice> SchedulePricer::price_of(const GroupSchedule& schedule) {
  is_too_large_ = false;
  if (!keeps_images(group_, schedule)) return std::nullopt;
  const auto put_back = [](const SavedGroup* saved) { saved->put_back(); };
  const std::unique_ptr<const SavedGroup, decltype(put_back)> change(saved_.get());
  try {
    store_constants_(group_, schedule);
    apply_schedule(group_, schedule, target_);
    std::vector<ir::FunctionPtr> outputs;
    for (const Func& output : group_.outputs) outputs.push_back(output.shared());
    SchedulePrice price;
    for (const predict::KernelOutline& outline : outline::outline_schedule(outputs)) {
      const predict::KernelWork work = predict::work_of(outline, device_);
      is_too_large_ = work.ordered_registers * kOfCompiler > device_.registers_per_item ||
                      work.registers > most_registers(device_) || work.text > device_.most_instructions;
      if (is_too_large_ || outline.local_bytes > most_local_bytes_) return std::nullopt;
      price.us += predict::predict_kernel(work, device_).us + device_.launch_us;
      ++price.kernels;
    }
    return price;
  } catch (const ScheduleError&) {
  } catch (const DefinitionError&) {
  }
  return std::nullopt;
}

}  // namespace tensordsl::graph
