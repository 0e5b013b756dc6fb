#include "predict/outlined_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <set>

#include "predict/straight_reads.h"

namespace tensordsl::predict {
namespace {

constexpr double kTexel = 4;  // elements

/// As bytes_of_step, but elements of one texel have the same address.
double bytes_of_address(const NestAccess& access, const NestLoop& loop) {
  const double bytes = bytes_of_step(access, loop);
  if (access.place != Place::Image) return bytes;
  const double texel = kTexel * access.element_bytes;
  return std::trunc(bytes / texel) * texel;
}

double active_items(const NestLoop& loop) { return loop.active > 0 ? loop.active : loop.extent; }

/// The steps of some loops in memory; those that do not move the address are left out.
std::vector<Repetition> steps_of(const NestAccess& access, const NestStage& stage, Runs runs) {
  std::vector<Repetition> steps;
  for (const NestLoop& loop : stage.loops) {
    const double bytes = loop.runs == runs && loop.extent > 1 ? std::abs(bytes_of_address(access, loop)) : 0;
    if (bytes > 0) steps.push_back({active_items(loop), bytes});
  }
  return steps;
}

/// Returns the number of addresses that the copies of an access have: windows of neighbors overlap.
double distinct_copies(const NestAccess& access, const NestStage& stage) {
  return addresses_of(joined(steps_of(access, stage, Runs::Unrolled)));
}

/// The accesses that take the place of one of a vector's lanes, or of a copy.
struct VectorAccess {
  double accesses = 1;
  int elements = 1;
};

/// Returns the vector that an access of a loop of copies becomes: coalesce_loads reads scalars that lie one
/// after the other in vectors of up to 128 bits. It leaves apart what a test guards.
VectorAccess unrolled_vector(const NestAccess& access, const NestStage& stage) {
  if (access.is_bordered) return {};
  constexpr int kVectorBytes = 16, kRepeatedAsRead = 8;
  int elements = 1;
  for (const NestLoop& loop : stage.loops) {
    // Vector units repeat a scalar as they read it.
    if (loop.runs == Runs::Vector && loop.extent >= kRepeatedAsRead) return {};
    if (loop.runs != Runs::Unrolled || bytes_of_step(access, loop) != access.element_bytes) continue;
    while (elements * 2 <= loop.extent && elements * 2 * access.element_bytes <= kVectorBytes) elements *= 2;
  }
  return {1.0 / elements, elements};
}

VectorAccess vector_access(const NestAccess& access, const NestStage& stage) {
  double lanes = 1, bytes = 0, together = 0;
  for (const NestLoop& loop : stage.loops) {
    if (loop.runs != Runs::Vector) continue;
    lanes *= loop.extent;
    bytes = bytes_of_step(access, loop);
    for (const AddressTerm& term : access.terms) {
      if (term.variable == loop.variable && term.bytes == access.element_bytes) together = term.modulus;
    }
  }
  if (access.place == Place::Image) {
    return bytes == 0 ? VectorAccess{1, 4} : VectorAccess{std::ceil(lanes / kTexel), 4};
  }
  if (lanes == 1 || bytes == 0) return access.is_store ? VectorAccess{} : unrolled_vector(access, stage);
  if (bytes != access.element_bytes) return {lanes, 1};
  const double elements = together > 0 ? std::min(lanes, together) : lanes;
  return {std::ceil(lanes / elements), static_cast<int>(elements)};
}

/// Returns the loops over the work-items of a group, the fastest first.
std::vector<const NestLoop*> item_loops(const NestStage& stage) {
  std::vector<const NestLoop*> loops;
  for (auto loop = stage.loops.rbegin(); loop != stage.loops.rend(); ++loop) {
    if (loop->runs == Runs::Items) loops.push_back(&*loop);
  }
  std::ranges::stable_sort(loops, {}, &NestLoop::dimension);
  return loops;
}

/// Returns the steps between the addresses of a warp's work-items.
std::vector<Repetition> steps_of_warp(const NestAccess& access, const NestStage& stage,
                                      const DeviceFigures& device) {
  std::vector<Repetition> steps;
  double left = device.warp;
  for (const NestLoop* loop : item_loops(stage)) {
    if (left <= 1) break;
    const double times = std::min(active_items(*loop), left);
    left = std::floor(left / loop->extent);
    const double step = std::abs(bytes_of_address(access, *loop));
    if (times > 1 && step > 0) steps.push_back({times, step});
  }
  std::ranges::stable_sort(steps, {}, &Repetition::bytes);
  return steps;
}

/// Returns the number of lines that the work-items of a warp touch at once.
double lines_of_warp(const std::vector<Repetition>& steps, double line, int bytes) {
  double span = bytes, lines = std::ceil(span / line);
  for (const Repetition& step : steps) {
    const bool is_dense = step.bytes <= std::max(span, line);
    span += step.bytes * (step.times - 1);
    lines = is_dense ? std::min(lines * step.times, std::ceil(span / line)) : lines * step.times;
  }
  return lines;
}

/// Returns the turns that a warp takes in local memory: words of one bank follow one another.
double turns_of_warp(const NestAccess& access, const NestStage& stage, const DeviceFigures& device,
                     int bytes) {
  constexpr int kBanks = 32, kWord = 4;
  const std::vector<const NestLoop*> loops = item_loops(stage);
  double items = 1;
  for (const NestLoop* loop : loops) items *= loop->extent;
  const int words = std::max(1, bytes / kWord),
            warp = static_cast<int>(std::min<double>(device.warp, std::max(1.0, items)));
  const int together = std::max(1, std::min(device.warp, kBanks / words));
  double turns = 0;
  for (int first = 0; first < warp; first += together) {
    std::set<std::int64_t> wanted;
    for (int i = first; i < std::min(first + together, warp); ++i) {
      double address = 0, left = i;
      for (const NestLoop* loop : loops) {
        address += std::fmod(left, loop->extent) * bytes_of_step(access, *loop);
        left = std::floor(left / loop->extent);
      }
      wanted.insert(static_cast<std::int64_t>(address) / kWord);
    }
    std::array<int, kBanks> of_bank{};
    for (const std::int64_t word : wanted) {
      for (int w = 0; w < words; ++w) ++of_bank[static_cast<std::size_t>((word + w) & (kBanks - 1))];
    }
    turns += std::ranges::max(of_bank);
  }
  return turns;
}

/// Work-items of a group, by dimension.
using GroupSize = std::array<double, 3>;

double items_of(const GroupSize& size) { return size[0] * size[1] * size[2]; }

/// Returns the work-items that a stage's loops have; a group has the most that a stage needs, by dimension.
GroupSize group_size_of(const NestStage& stage) {
  GroupSize size{1, 1, 1};
  for (const NestLoop& loop : stage.loops) {
    if (loop.runs == Runs::Items) size[static_cast<std::size_t>(loop.dimension)] *= loop.extent;
  }
  return size;
}

/// Returns the share of a group's warps that have work: tests let whole warps skip a stage.
double share_of_warps(const NestStage& stage, const GroupSize& group, const DeviceFigures& device) {
  const std::vector<const NestLoop*> loops = item_loops(stage);
  const bool uses_all = group_size_of(stage) == group;
  if (uses_all &&
      std::ranges::all_of(loops, [](const NestLoop* loop) { return active_items(*loop) >= loop->extent; }))
    return 1;
  const auto is_active = [&](double item) {
    GroupSize place{};
    for (std::size_t d = 0; d < place.size(); ++d) {
      place[d] = std::fmod(item, group[d]);
      item = std::floor(item / group[d]);
    }
    for (const NestLoop* loop : loops) {
      double& left = place[static_cast<std::size_t>(loop->dimension)];
      if (std::fmod(left, loop->extent) >= active_items(*loop)) return false;
      left = std::floor(left / loop->extent);
    }
    return std::ranges::all_of(place, [](double left) { return left == 0; });
  };
  const double items = items_of(group);
  double warps = 0, running = 0;
  for (double first = 0; first < items; first += device.warp, ++warps) {
    double item = first;
    while (item < std::min(first + device.warp, items) && !is_active(item)) ++item;
    if (item < std::min(first + device.warp, items)) ++running;
  }
  return running / warps;
}

/// Variables and steps of the serial loops around a stage's text.
using SerialLoops = std::vector<std::pair<int, double>>;

SerialLoops serial_loops(const NestStage& stage) {
  SerialLoops loops;
  for (const NestLoop& loop : stage.loops) {
    if (loop.runs == Runs::Serial && loop.extent > 1) loops.emplace_back(loop.variable, loop.step);
  }
  return loops;
}

/// Returns the registers of all that a stage's straight-line code reads, and of the addresses of what it
/// reads and stores.
double registers_of_accesses(const NestStage& stage) {
  constexpr double kOfAddress = 2;  // of 64 bits, or coordinates, which an image's result replaces
  constexpr double kOfAccess = 4;   // registers that an instruction reads or stores
  double registers = 0;
  for (const NestAccess& access : stage.accesses) {
    if (access.is_kept) continue;
    const VectorAccess vector = vector_access(access, stage);
    const double of_value = registers_of(access.element_bytes * vector.elements);
    double of_access = access.is_store || stage.fills_registers ? 0 : of_value;
    if (access.place == Place::Buffer) of_access += std::ceil(of_value / kOfAccess) * kOfAddress;
    if (access.place == Place::Image && access.is_store) of_access += kOfAddress;
    registers += distinct_copies(access, stage) * vector.accesses * of_access;
  }
  return registers;
}

/// Returns the steps between the accesses of a group's work-items and of copies in the text.
std::vector<Repetition> steps_together(const NestAccess& access, const NestStage& stage) {
  std::vector<Repetition> steps = steps_of(access, stage, Runs::Items);
  for (const Runs runs : {Runs::Unrolled, Runs::Vector}) {
    for (const Repetition& step : steps_of(access, stage, runs)) {
      if (runs == Runs::Unrolled || step.bytes > access.element_bytes) steps.push_back(step);
    }
  }
  return steps;
}

/// Returns the vectors whose special functions run at once.
double vectors_at_once(const NestStage& stage) {
  // Instructions of single lanes until a result is there: 10 of ir3, after the 4 cycles of its issue.
  constexpr double kWait = 10 + 4, kFewest = 2;
  double lanes = 1;
  for (const NestLoop& loop : stage.loops) {
    if (loop.runs == Runs::Vector) lanes *= loop.extent;
  }
  return std::max(kFewest, std::ceil(kWait / lanes));
}

class OutlineCounter {
 public:
  OutlineCounter(const KernelOutline& outline, const DeviceFigures& device)
      : outline_(outline), device_(device) {}

  KernelWork run() {
    work_.registers = work_.ordered_registers = outline_.registers;
    if (device_.gathers_reads) count_gathered();
    work_.local_bytes = outline_.local_bytes;
    work_.private_bytes = outline_.private_bytes;
    for (const NestStage& stage : outline_.stages) {
      const GroupSize size = group_size_of(stage);
      for (std::size_t d = 0; d < size.size(); ++d) group_[d] = std::max(group_[d], size[d]);
    }
    work_.group_items = static_cast<int>(std::lround(items_of(group_)));
    for (const NestStage& stage : outline_.stages) count(stage);
    join_passes();
    if (reached_ > 0) work_.running = run_ / reached_;
    return std::move(work_);
  }

 private:
  /// Counts the registers of all accesses that one loop's body begins with. While special functions of one
  /// vector are computed, the next one begins, or so many as fill the wait.
  void count_gathered() {
    std::map<SerialLoops, std::pair<int, double>> registers;  // held, and of accesses
    for (const NestStage& stage : outline_.stages) {
      auto& [held, gathered] = registers[serial_loops(stage)];
      held = std::max(held, stage.held);
      gathered += registers_of_accesses(stage);
      if (stage.special > 0)
        note_ordered(stage.held + vectors_at_once(stage) * stage.values + kAddressRegisters);
    }
    for (const auto& [loops, of_loop] : registers)
      work_.registers = std::max(work_.registers, of_loop.first + static_cast<int>(of_loop.second));
  }

  void note_ordered(double registers) {
    work_.ordered_registers = std::max(work_.ordered_registers, static_cast<int>(registers));
    work_.registers = std::max(work_.registers, work_.ordered_registers);
  }

  void count(const NestStage& stage) {
    double groups = 1, copies = 1, lanes = 1;
    // All work-items come to a barrier.
    share_ = stage.barriers > 0 ? 1 : share_of_warps(stage, group_, device_);
    serial_ = share_;
    SerialLoops around;
    for (const NestLoop& loop : stage.loops) {
      if (loop.runs == Runs::Groups) groups *= loop.extent;
      if (loop.runs == Runs::Unrolled) copies *= loop.extent;
      if (loop.runs == Runs::Vector) lanes *= loop.extent;
      if (loop.runs != Runs::Serial || loop.extent <= 1) continue;
      serial_ *= loop.extent;
      around.emplace_back(loop.variable, loop.step);
      if (counted_loops_.insert(around).second) work_.iterations += serial_;
    }
    work_.groups = std::max(work_.groups, groups);
    const double points = serial_ * copies * std::ceil(lanes / device_.vector_lanes);
    work_.text += copies * std::ceil(lanes / device_.vector_lanes) *
                  (stage.multiply_adds + stage.others + stage.special);
    run_ += points;
    reached_ += points / share_;
    work_.operations.multiply_adds += points * stage.multiply_adds;
    work_.operations.others += points * stage.others;
    work_.operations.special += points * stage.special;
    work_.barriers += serial_ * stage.barriers;
    for (const NestAccess& access : stage.accesses) {
      add(access, stage);
      if (access.is_store || access.place == Place::Private) continue;
      const VectorAccess vector = vector_access(access, stage);
      const double registers = distinct_copies(access, stage) * vector.accesses *
                               registers_of(access.element_bytes * vector.elements);
      const bool is_local = access.place == Place::Local;
      StraightReads& reads = reads_[{around, is_local ? Place::Local : Place::Buffer}];
      (is_local ? work_.local_waits : work_.memory_waits) +=
          serial_ * reads.add(registers, device_.registers_per_item);
    }
  }

  /// Returns how often a work-item comes to the access.
  double iterations_of(const NestAccess& access, const NestStage& stage) const {
    double iterations = 1;
    bool is_inside = access.is_kept;
    for (std::size_t i = stage.loops.size(); i-- > 0;) {
      const NestLoop& loop = stage.loops[i];
      if (loop.runs != Runs::Serial) continue;
      is_inside = is_inside && bytes_of_step(access, loop) == 0;
      if (!is_inside) iterations *= loop.extent;
    }
    return iterations;
  }

  void add(const NestAccess& access, const NestStage& stage) {
    const VectorAccess vector = vector_access(access, stage);
    AccessWork work;
    work.tensor = access.tensor;
    work.place = access.place;
    work.is_store = access.is_store;
    work.elements = vector.elements;
    work.bytes = access.element_bytes * vector.elements;
    work.times = share_ * iterations_of(access, stage) * distinct_copies(access, stage) * vector.accesses;
    const double instructions = instructions_of_access(work.bytes, device_.vector_lanes);
    const int bytes_at_once = static_cast<int>(work.bytes / instructions);
    (access.is_store ? work_.operations.stores : work_.operations.loads) += work.times * instructions;
    constexpr double kTest = 6;  // instructions
    const bool is_tested = access.is_bordered && access.place != Place::Image;
    work_.text += distinct_copies(access, stage) * vector.accesses * (is_tested ? 1 + kTest : 1);
    count_addresses(access, stage);
    const std::vector<Repetition> steps = steps_of_warp(access, stage, device_);
    work.lines = instructions * (access.place == Place::Local
                                     ? turns_of_warp(access, stage, device_, bytes_at_once)
                                     : lines_of_warp(steps, device_.line_bytes, bytes_at_once));
    work.warp_bytes = work.bytes * addresses_of(joined(steps));
    work.together = steps_together(access, stage);
    for (const NestLoop& loop : stage.loops) {
      const double bytes = std::abs(bytes_of_step(access, loop));
      if (loop.runs == Runs::Serial && loop.extent > 1) work.loops.push_back({loop.extent, bytes});
      if (loop.runs != Runs::Groups) continue;
      Repetition& of_dimension = work.groups[static_cast<std::size_t>(loop.dimension)];
      of_dimension.times *= loop.extent;
      if (bytes > 0) of_dimension.bytes = bytes;
    }
    work_.accesses.push_back(std::move(work));
  }

  /// Joins the accesses of passes over the same elements, as count_work does: caches keep what a pass reads
  /// for the next.
  void join_passes() {
    std::vector<AccessWork> joined_accesses;
    for (AccessWork& access : work_.accesses) {
      const auto same = std::ranges::find_if(joined_accesses, [&](const AccessWork& other) {
        return other.tensor == access.tensor && other.is_store == access.is_store &&
               other.bytes == access.bytes && other.loops == access.loops && other.groups == access.groups &&
               other.together == access.together;
      });
      if (same == joined_accesses.end()) {
        joined_accesses.push_back(std::move(access));
      } else {
        same->times += access.times;
      }
    }
    work_.accesses = std::move(joined_accesses);
  }

  /// An access adds to its address in each loop that moves it; elsewhere it is an offset, or computed before.
  void count_addresses(const NestAccess& access, const NestStage& stage) {
    double times = share_;
    for (const NestLoop& loop : stage.loops) {
      if (loop.runs == Runs::Serial) times *= loop.extent;
      const bool moves = loop.extent > 1 && bytes_of_step(access, loop) != 0;
      const bool is_computed =
          loop.runs == Runs::Serial || loop.runs == Runs::Groups || loop.runs == Runs::Items;
      if (moves && is_computed) work_.operations.addresses += times;
    }
    if (access.is_bordered && access.place != Place::Image)
      work_.operations.addresses += times * distinct_copies(access, stage);
  }

  const KernelOutline& outline_;
  const DeviceFigures& device_;
  double serial_ = 1;  // iterations of the stage's loops
  double share_ = 1;   // of warps that run the stage
  GroupSize group_{1, 1, 1};
  double run_ = 0, reached_ = 0;  // points of an average warp, and of one that runs
  /// Loops whose iterations are counted, each with those around it: stages share their outer loops.
  std::set<SerialLoops> counted_loops_;
  /// The reads of the bodies of loops.
  std::map<std::pair<SerialLoops, Place>, StraightReads> reads_;
  KernelWork work_;
};

}  // namespace

double bytes_of_step(const NestAccess& access, const NestLoop& loop) {
  double bytes = 0;
  for (const AddressTerm& term : access.terms) {
    if (term.variable != loop.variable) continue;
    double digit = std::trunc(loop.step * term.coefficient / term.divisor);
    if (term.modulus > 0) digit = std::fmod(digit, term.modulus);
    bytes += digit * term.bytes;
  }
  return bytes;
}

int elements_of_read(const NestAccess& access, const NestStage& stage) {
  return vector_access(access, stage).elements;
}

KernelWork work_of(const KernelOutline& outline, const DeviceFigures& device) {
  return OutlineCounter(outline, device).run();
}

}  // namespace tensordsl::predict
