#include "predict/kernel_work.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "ir/nodes/dot_product.h"
#include "lower/analyze/registers.h"
#include "predict/function_cost.h"
#include "predict/lane_values.h"
#include "predict/straight_reads.h"
#include "predict/warp_addresses.h"

namespace tensordsl::predict {

using namespace ir;

namespace {

constexpr std::int64_t kLikelySize = 64;
constexpr int kMostVisitedItems = 256;  // most work-items of a group that are examined
constexpr int kMostLoops = 24;          // one around the other

struct Loop {
  double iterations = 1;
  std::size_t probe = 0;  // the lane that is one iteration further than lane 0
  StraightReads memory_reads{}, local_reads{};
};

/// Counts a kernel's work. The first lanes are the work-items of a group; after them are copies of the first
/// one that are one step further in a work-group's dimension or in a loop. Differences to lane 0 are strides.
class WorkCounter {
 public:
  WorkCounter(const lower::LoweredKernel& kernel, const CountingOptions& options)
      : options_(options),
        pairs_halves_(options.takes_halves && kernel.half_arithmetic),
        variables_(kernel.body.defined() ? lower::register_names(kernel.body) : std::set<std::string>()),
        items_(
            std::min(kMostVisitedItems, kernel.group_size[0] * kernel.group_size[1] * kernel.group_size[2])),
        values_(static_cast<std::size_t>(items_ + 3 + kMostLoops)) {
    work_.group_items = kernel.group_size[0] * kernel.group_size[1] * kernel.group_size[2];
    work_.registers = kernel.resources.live_registers;
    work_.local_bytes = kernel.resources.local_bytes;
    work_.private_bytes = kernel.resources.private_bytes;
    for (const lower::ScalarArgument& scalar : kernel.scalars) {
      if (!scalar.type.is_float()) values_.set(scalar.name, Lanes(values_.lanes(), kLikelySize));
    }
    for (const lower::BufferArgument& buffer : kernel.buffers) {
      places_[buffer.name] = buffer.image         ? Place::Image
                             : buffer.is_constant ? Place::Constant
                                                  : Place::Buffer;
    }
    place_groups(kernel);
    place_items(kernel);
    loops_.push_back({});
  }

  KernelWork run(const Stmt& body) {
    if (body.defined()) count(body, 1);
    join_copies();
    if (reached_ > 0) work_.running = std::max(run_ / reached_, 1.0 / kMostVisitedItems);
    return std::move(work_);
  }

 private:
  std::size_t lanes() const { return values_.lanes(); }
  std::size_t group_probe(int dimension) const { return static_cast<std::size_t>(items_ + dimension); }
  std::size_t loop_probe(std::size_t depth) const { return static_cast<std::size_t>(items_ + 3) + depth; }

  std::int64_t number(const Expr& expr) const {
    const auto value = values_.evaluate(expr);
    return value ? (*value)[0] : kLikelySize;
  }

  void place_groups(const lower::LoweredKernel& kernel) {
    for (int d = 0; d < 3; ++d) {
      const std::int64_t groups =
          std::max<std::int64_t>(0, number(kernel.groups[static_cast<std::size_t>(d)]));
      groups_[static_cast<std::size_t>(d)] = static_cast<double>(groups);
      work_.groups *= static_cast<double>(groups);
      // Of two groups the first: the last one may be cut off.
      Lanes lanes(this->lanes(), std::max<std::int64_t>(0, groups - 1) / 2);
      lanes[group_probe(d)] += 1;
      values_.set(lower::kBlockNames[d], std::move(lanes));
    }
  }

  void place_items(const lower::LoweredKernel& kernel) {
    std::int64_t stride = 1;
    for (int d = 0; d < 3; ++d) {
      const std::int64_t size = kernel.group_size[static_cast<std::size_t>(d)];
      Lanes lanes(this->lanes(), 0);
      for (std::int64_t i = 0; i < items_; ++i) lanes[static_cast<std::size_t>(i)] = i / stride % size;
      values_.set(lower::kThreadNames[d], std::move(lanes));
      stride *= size;
    }
  }

  /// `times`: how often a work-item comes here.
  void count(const Stmt& stmt, double times) {
    switch (stmt->kind) {
      case StmtKind::Block:
        for (const Stmt& inner : stmt->body) count(inner, times);
        return;
      case StmtKind::For:
        return count_loop(stmt, times);
      case StmtKind::If: {
        count_value(stmt->condition(), times);
        const double share = share_of(stmt->condition());
        count_branch(stmt->body[0], times, share);
        if (stmt->body.size() > 1) count_branch(stmt->body[1], times, 1 - share);
        return;
      }
      case StmtKind::Let:
        count_address_or_value(stmt->value(), times);
        if (options_.moves_repeated && stmt->value()->kind == ExprKind::Broadcast)
          add(work_.operations.others, stmt->value().type().lanes, times);
        values_.set(stmt->name, values_.evaluate(stmt->value()));
        count(stmt->body[0], times);
        return;
      case StmtKind::Store:
        count_value(stmt->value(), times);
        run_ += times;
        if (share_ > 0) reached_ += times / share_;
        if (!variables_.contains(stmt->name))
          add_access(stmt->name, true, stmt->value().type(), stmt->indices(), times);
        return;
      case StmtKind::Allocate:
        if (stmt->memory != Memory::Register)
          places_[stmt->name] = stmt->memory == Memory::Local ? Place::Local : Place::Private;
        count(stmt->body[0], times);
        return;
      case StmtKind::Barrier:
        work_.barriers += times;
        return;
    }
  }

  /// Counts a statement that a share of the warps reaches.
  void count_branch(const Stmt& stmt, double times, double share) {
    const double around = share_;
    share_ *= share;
    count_inside(stmt, times * share);
    share_ = around;
  }

  /// Counts a nested statement; values computed in it are not available after it.
  void count_inside(const Stmt& stmt, double times) {
    const std::size_t before = counted_last_.size();
    count(stmt, times);
    for (; counted_last_.size() > before; counted_last_.pop_back()) counted_.erase(counted_last_.back());
  }

  void count_loop(const Stmt& stmt, double times) {
    const std::int64_t iterations = number(stmt->extent());
    if (iterations <= 0) return;
    if (loops_.size() > kMostLoops)
      return count_inside(stmt->body[0], times * static_cast<double>(iterations));
    const std::size_t probe = loop_probe(loops_.size() - 1);
    // The beginning may depend on the work-group: a tile's own rows.
    Lanes lanes = values_.evaluate(stmt->min()).value_or(Lanes(this->lanes(), kLikelySize));
    for (std::int64_t& lane : lanes) lane += iterations / 2;
    lanes[probe] += 1;
    values_.set(stmt->name, std::move(lanes));
    loops_.push_back({static_cast<double>(iterations), probe});
    count_inside(stmt->body[0], times * static_cast<double>(iterations));
    work_.iterations += times * static_cast<double>(iterations);
    loops_.pop_back();
    values_.forget(stmt->name);
  }

  /// Returns the share of a group's work-items for which the condition holds, in whole warps.
  double share_of(const Expr& condition) const {
    const auto holds = values_.evaluate(condition);
    if (!holds) return 1;
    int warps = 0, running = 0;
    for (int first = 0; first < items_; first += options_.warp, ++warps) {
      const auto begin = holds->begin() + first;
      if (std::any_of(begin, begin + std::min(options_.warp, items_ - first), [](auto v) { return v != 0; }))
        ++running;
    }
    return static_cast<double>(running) / warps;
  }

  /// Adds instructions of the text, to which a work-item comes that often.
  void add(double& operations, double count, double times) {
    operations += count * times;
    work_.text += count;
  }

  /// Returns the number of instructions; two halves count as one f32 in kernels that compute with halves.
  double instructions(Type type) const {
    const int lanes = options_.vector_lanes * (pairs_halves_ && type.element() == Float(16) ? 2 : 1);
    return std::ceil(static_cast<double>(type.lanes) / lanes);
  }

  void count_address_or_value(const Expr& expr, double times) {
    if (expr.type().is_float()) {
      count_value(expr, times);
    } else {
      count_address(expr, times);
    }
  }

  void count_address(const Expr& expr, double times) {
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load) {
        add_load(e, times);
        return false;
      }
      const bool is_leaf = e->operands.empty() || e->kind == ExprKind::Ramp || e->kind == ExprKind::Broadcast;
      // A constant is part of the offset that an access or an instruction adds by itself.
      const bool is_offset = e->kind == ExprKind::Add && (is_const((*e)[0]) || is_const((*e)[1]));
      if (!is_leaf && !is_offset) work_.operations.addresses += times;
      return true;
    });
  }

  /// True for a conversion that takes no instruction, as reads of images give floats.
  bool widens_half(const ExprNode& node) const {
    if (node.kind != ExprKind::Cast || node[0].type().element() != Float(16)) return false;
    const auto place = node[0]->kind == ExprKind::Load ? places_.find(node[0]->name) : places_.end();
    return options_.takes_halves || (place != places_.end() && place->second == Place::Image);
  }

  /// True if the value depends only on variables.
  bool is_pure(const Expr& e) {
    if (e->kind == ExprKind::Load) return false;
    const auto known = pure_.find(e.get());
    if (known != pure_.end()) return known->second;
    const bool is =
        std::ranges::all_of(e->operands, [this](const Expr& operand) { return is_pure(operand); });
    return pure_.emplace(e.get(), is).first->second;
  }

  void count_value(const Expr& expr, double times) {
    std::set<const ExprNode*> in_multiply_adds;
    visit(expr, [&](const Expr& e) {
      if (e->kind == ExprKind::Load) {
        if (!variables_.contains(e->name)) add_load(e, times);
        return false;
      }
      if (e->operands.empty() || e->kind == ExprKind::Ramp) return true;
      if (is_pure(e)) {
        if (!counted_.insert(e).second) return false;
        counted_last_.push_back(e);
      }
      const bool is_rearrangement =
          e->kind == ExprKind::Broadcast || e->kind == ExprKind::Slice || e->kind == ExprKind::Concat;
      if (is_rearrangement && (options_.swizzles_operands || e->kind == ExprKind::Broadcast)) return true;
      if (widens_half(*e)) return true;
      const double count = instructions(e.type());
      if (is_dot_product(*e)) {
        add(work_.operations.multiply_adds, count, times);
      } else if (!e.type().is_float()) {
        add(work_.operations.others, count * integer_instructions(*e), times);
      } else if (const double divisions = divisions_of(*e); divisions > 0) {
        add(work_.operations.special, count * divisions, times);
      } else if (e->kind == ExprKind::Intrinsic && (e->name == "fma" || e->name == "mad")) {
        add(work_.operations.multiply_adds, count, times);
      } else if (e->kind == ExprKind::Add || e->kind == ExprKind::Sub) {
        const auto product = std::ranges::find_if(
            e->operands, [](const Expr& operand) { return operand->kind == ExprKind::Mul; });
        if (product == e->operands.end()) {
          add(work_.operations.others, count, times);
        } else {
          add(work_.operations.multiply_adds, count, times);
          in_multiply_adds.insert(product->get());
        }
      } else if (!in_multiply_adds.contains(e.get())) {
        add(work_.operations.others, count, times);
      }
      return true;
    });
  }

  void add_load(const Expr& load, double times) {
    add_access(load->name, false, load.type(), load->operands, times);
  }

  void add_access(const std::string& tensor, bool is_store, Type type, const std::vector<Expr>& indices,
                  double times) {
    const auto place = places_.find(tensor);
    AccessWork access;
    access.tensor = tensor;
    access.place = place == places_.end() ? Place::Private : place->second;
    access.is_store = is_store;
    access.bytes = type.bytes() * type.lanes;
    access.elements = type.lanes;
    access.times = times;
    // An image's texels lie in blocks near each other: rows count as if they followed one another.
    std::optional<Lanes> bytes;
    for (const Expr& index : indices) {
      count_address(index, times);
      const auto value = values_.evaluate(index);
      const std::int64_t scale = access.place == Place::Image ? access.bytes : type.bytes();
      if (!value) {
        bytes.reset();
        break;
      }
      if (!bytes) bytes = Lanes(lanes(), 0);
      constexpr std::int64_t kRow = 4096;  // texels
      for (std::size_t i = 0; i < lanes(); ++i)
        (*bytes)[i] = access.place == Place::Image && &index != &indices.front()
                          ? (*bytes)[i] * kRow + (*value)[i] * scale
                          : (*value)[i] * scale;
    }
    add(is_store ? work_.operations.stores : work_.operations.loads,
        instructions_of_access(access.bytes, options_.vector_lanes), times);
    note_wait(access, times);
    offsets_.push_back(0);
    if (bytes) {
      describe(*bytes, access);
    } else {
      access.lines = options_.warp;
      access.warp_bytes = static_cast<double>(options_.warp) * access.bytes;
      access.together = {{static_cast<double>(work_.group_items),
                          static_cast<double>(std::max(access.bytes, options_.line_bytes))}};
    }
    work_.accesses.push_back(std::move(access));
  }

  void note_wait(const AccessWork& access, double times) {
    if (access.is_store || access.place == Place::Private) return;
    Loop& loop = loops_.back();
    const bool is_local = access.place == Place::Local;
    StraightReads& reads = is_local ? loop.local_reads : loop.memory_reads;
    (is_local ? work_.local_waits : work_.memory_waits) +=
        times * reads.add(registers_of(access.bytes), options_.registers);
  }

  void describe(const Lanes& bytes, AccessWork& access) {
    const auto first = bytes.begin();
    const WarpAddresses warps{bytes, items_, options_.warp};
    const double instructions = instructions_of_access(access.bytes, options_.vector_lanes);
    const int bytes_at_once = static_cast<int>(access.bytes / instructions);
    access.lines =
        instructions * (access.place == Place::Local ? bank_turns(warps, bytes_at_once)
                                                     : lines_of(warps, bytes_at_once, options_.line_bytes));
    access.warp_bytes = access.bytes * addresses_of(warps);
    std::vector<std::int64_t> items(first, first + items_);
    offsets_.back() = *std::ranges::min_element(items);
    access.together = repetitions_of(std::move(items));
    // For large groups only the first work-items were examined.
    if (items_ < work_.group_items && !access.together.empty())
      access.together.back().times *= static_cast<double>(work_.group_items) / items_;
    for (std::size_t i = 1; i < loops_.size(); ++i)
      access.loops.push_back({loops_[i].iterations, distance(bytes, loops_[i].probe)});
    for (int d = 0; d < 3; ++d)
      access.groups[static_cast<std::size_t>(d)] = {groups_[static_cast<std::size_t>(d)],
                                                    distance(bytes, group_probe(d))};
  }

  /// Joins accesses that differ by offsets only.
  void join_copies() {
    std::vector<AccessWork> joined_accesses;
    std::vector<std::vector<std::int64_t>> offsets;
    for (std::size_t i = 0; i < work_.accesses.size(); ++i) {
      AccessWork& access = work_.accesses[i];
      const auto same = std::ranges::find_if(joined_accesses, [&](const AccessWork& other) {
        return other.tensor == access.tensor && other.is_store == access.is_store &&
               other.bytes == access.bytes && other.loops == access.loops && other.groups == access.groups &&
               other.together == access.together;
      });
      if (same == joined_accesses.end()) {
        joined_accesses.push_back(std::move(access));
        offsets.push_back({offsets_[i]});
        continue;
      }
      const double times = same->times + access.times;
      const auto average = [&](double a, double b) { return (a * same->times + b * access.times) / times; };
      if (times > 0) same->lines = average(same->lines, access.lines);
      if (times > 0) same->warp_bytes = average(same->warp_bytes, access.warp_bytes);
      same->times = times;
      offsets[static_cast<std::size_t>(same - joined_accesses.begin())].push_back(offsets_[i]);
    }
    for (std::size_t i = 0; i < joined_accesses.size(); ++i) {
      for (const Repetition& copies : repetitions_of(std::move(offsets[i])))
        joined_accesses[i].together.push_back(copies);
    }
    work_.accesses = std::move(joined_accesses);
  }

  static double distance(const Lanes& bytes, std::size_t lane) {
    return std::abs(static_cast<double>(bytes[lane] - bytes[0]));
  }

  const CountingOptions& options_;
  const bool pairs_halves_;
  std::set<std::string> variables_;
  int items_;
  LaneValues values_;
  std::map<std::string, Place> places_;
  std::array<double, 3> groups_{};
  std::vector<Loop> loops_;
  std::unordered_map<const ExprNode*, bool> pure_;
  /// Expressions that depend only on variables; compilers compute them once for all statements that have
  /// them.
  std::unordered_set<Expr, ExprHash, ExprSame> counted_;
  std::vector<Expr> counted_last_;     // counted_ in the order of insertion
  double share_ = 1;                   // of the warps, that run a statement
  double run_ = 0, reached_ = 0;       // stores of an average warp, and of one that runs
  std::vector<std::int64_t> offsets_;  // the first address of each access
  KernelWork work_;
};

}  // namespace

KernelWork count_work(const lower::LoweredKernel& kernel, const CountingOptions& options) {
  return WorkCounter(kernel, options).run(kernel.body);
}

}  // namespace tensordsl::predict
