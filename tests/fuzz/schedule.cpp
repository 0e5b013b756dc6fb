#include "fuzz/schedule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "schedule/func_schedule.h"
#include "tensordsl/error.h"
#include "tensordsl/schedule.h"

namespace tensordsl::fuzz {
namespace {

using schedule::Axis;
using schedule::ComputeLevel;
using schedule::StageSchedule;

class Scheduler {
 public:
  Scheduler(Random& random, Definition& definition, std::vector<Directive>& directives)
      : random_(random), definition_(definition), directives_(directives) {}

  void run() {
    const bool uses_gpu = random_.chance(65);
    for (std::size_t i = 0; i < definition_.functions.size(); ++i) {
      if (!is_reachable(definition_.functions[i])) continue;
      draw_placement(i);
      draw_storage(definition_.functions[i]);
      if (is_inline(i)) continue;
      draw_copies(i);
      for (int s = 1; s <= definition_.functions[i].updates(); ++s)
        draw_factoring(definition_.functions[i], s);
      const bool is_root = definition_.is_output(definition_.functions[i]) ||
                           definition_.functions[i].contents().level().kind == ComputeLevel::Kind::Root;
      if (random_.chance(is_root ? 25 : 1))
        add(on(definition_.functions[i], 0, DirectiveKind::Autobroadcast));
      const bool has_halves = definition_.features.contains("type f16");
      if (has_halves && random_.chance(is_root ? 25 : 1))
        add(on(definition_.functions[i], 0, DirectiveKind::HalfArithmetic));
      const int stages = definition_.functions[i].updates() + 1;
      for (int s = 0; s < stages; ++s) {
        if (is_root || random_.chance(1)) draw_specializations(definition_.functions[i], s, uses_gpu);
        draw_loops(definition_.functions[i], s, uses_gpu);
        if (i > 0 && is_root && random_.chance(45)) draw_companion(i, s);
      }
    }
    for (const Input& input : definition_.inputs) draw_storage(input);
  }

 private:
  /// True if the directive was obeyed.
  bool add(Directive d) {
    directives_.push_back(std::move(d));
    const bool is_obeyed = apply(directives_.back(), definition_);
    if (!is_obeyed) directives_.pop_back();
    return is_obeyed;
  }

  const StageSchedule& loops(const Func& f, int stage) const {
    const StageSchedule& whole = f.contents().stages[static_cast<std::size_t>(stage)];
    return specialization_ < 0 ? whole
                               : whole.specializations[static_cast<std::size_t>(specialization_)].schedule;
  }

  /// Stages of other Funcs that read `f`.
  struct Reader {
    std::size_t function;
    int stage;
  };
  std::vector<Reader> readers_of(const Func& f) const {
    std::vector<Reader> readers;
    for (std::size_t i = 0; i < definition_.functions.size(); ++i) {
      const auto& definitions = definition_.functions[i].contents().definitions;
      for (int s = 0; s < static_cast<int>(definitions.size()); ++s) {
        bool reads = false;
        const auto look = [&](const Expr& e) {
          reads = reads || (e->kind == ir::ExprKind::Call && e->function == f.shared());
          return !reads;
        };
        for (const Expr& e : definitions[static_cast<std::size_t>(s)].expressions()) ir::visit(e, look);
        if (reads) readers.push_back({i, s});
      }
    }
    return readers;
  }

  bool is_reachable(const Func& f) const { return definition_.is_output(f) || !readers_of(f).empty(); }

  bool is_inline(std::size_t i) const {
    const Func& f = definition_.functions[i];
    return !definition_.is_output(f) && f.contents().is_substituted();
  }

  /// Returns the loops in which a Func read by `reader` can be computed; sees through inlined Funcs.
  std::optional<Reader> home_of(const Reader& reader) const {
    if (!is_inline(reader.function)) return reader;
    const auto next = readers_of(definition_.functions[reader.function]);
    return next.size() == 1 ? home_of(next[0]) : std::nullopt;
  }

  void draw_placement(std::size_t i) {
    const Func& f = definition_.functions[i];
    Directive d;
    d.target = f.name();
    if (definition_.is_output(f)) {
      if (random_.chance(20)) {
        d.kind = DirectiveKind::ComputeRoot;
        add(d);
      }
      return;
    }
    const bool is_pure = f.updates() == 0;
    const auto readers = readers_of(f);
    const auto home = readers.size() == 1 || random_.chance(6) ? home_of(readers[0]) : std::nullopt;
    if (home && random_.chance(65)) {
      const Func& consumer = definition_.functions[home->function];
      const auto& axes = loops(consumer, home->stage).axes;
      d.kind = DirectiveKind::ComputeAt;
      d.consumer = consumer.name();
      d.consumer_stage = random_.chance(97) ? home->stage : random_.between(0, consumer.updates());
      if (axes.empty() || random_.chance(2)) {
        d.vars = {"nowhere"};
      } else {
        d.vars = {draw_home_loop(axes)};
      }
      if (add(d)) {
        if (random_.chance(35)) draw_store_level(f, consumer, home->stage, d.vars[0]);
        return;
      }
    }
    if (!is_pure && random_.chance(15)) {
      d.kind = DirectiveKind::ComputeInline;
      add(d);
    } else if (!is_pure || random_.chance(60)) {
      if (random_.chance(is_pure ? 100 : 40)) {
        d.kind = DirectiveKind::ComputeRoot;
        add(d);
      }
      if (const auto extents = definition_.enclosing.find(f.name());
          extents != definition_.enclosing.end() && random_.chance(25)) {
        d.kind = DirectiveKind::Bound;
        d.factors = extents->second;
        add(d);
      }
    } else if (random_.chance(40)) {
      d.kind = DirectiveKind::ComputeInline;
      add(d);
    }
  }

  /// Any loop, with a preference for the innermost block loop, below which local memory is.
  std::string draw_home_loop(const std::vector<Axis>& axes) {
    std::vector<std::string> names;
    std::string block;
    for (const Axis& a : axes) {
      if (a.loop != ir::LoopKind::Vectorized || random_.chance(1)) names.push_back(a.name);
      if (ir::is_block_loop(a.loop)) block = a.name;
    }
    if (names.empty()) return "nowhere";
    return !block.empty() && random_.chance(50) ? block : random_.pick(names);
  }

  /// Draws copies of the Func's inputs, to be placed like any Func.
  void draw_copies(std::size_t i) {
    const Func consumer = definition_.functions[i];
    const bool is_copy = consumer.name().find("_in_") != std::string::npos;
    if (!random_.chance(is_copy ? 5 : 30) || consumer.name().size() > 60) return;
    std::vector<std::string> sources;
    const auto look = [&](const Expr& e) {
      if (e->kind == ir::ExprKind::Call && e->function && e->function != consumer.shared())
        sources.push_back(e->name);
      return true;
    };
    for (const auto& d : consumer.contents().definitions) {
      for (const Expr& e : d.expressions()) ir::visit(e, look);
    }
    if (sources.empty()) return;
    Directive d;
    d.kind = DirectiveKind::In;
    d.target = random_.pick(sources);
    d.consumer = consumer.name();
    for (std::size_t other = i + 1; other < definition_.functions.size() && random_.chance(40); ++other) {
      const Func& f = definition_.functions[other];
      if (is_reachable(f) && reads(f, d.target) && !reads(*find(definition_, d.target), f.name()))
        d.others.push_back(f.name());
    }
    add(d);
  }

  static bool reads(const Func& reader, const std::string& name) {
    bool found = false;
    for (const auto& d : reader.contents().definitions) {
      for (const Expr& e : d.expressions()) {
        ir::visit(e, [&](const Expr& part) {
          found = found || (part->kind == ir::ExprKind::Call && part->function && part->name == name);
          return !found;
        });
      }
    }
    return found;
  }

  /// Kept from an outer loop on.
  void draw_store_level(const Func& f, const Func& consumer, int stage, const std::string& inner) {
    const auto& axes = loops(consumer, stage).axes;
    std::vector<std::string> outside;
    for (const Axis& a : axes) {
      // Mostly not across the loops over work-items.
      const bool is_mapped = ir::is_block_loop(a.loop) || ir::is_thread_loop(a.loop);
      if (is_mapped && !random_.chance(3)) outside.clear();
      if (a.name == inner) break;
      outside.push_back(a.name);
    }
    if (outside.empty()) return;
    Directive d = on(f, 0, DirectiveKind::StoreAt);
    d.consumer = consumer.name();
    d.consumer_stage = stage;
    d.vars = {random_.pick(outside)};
    if (!add(d) || !random_.chance(25) || f.contents().dims.empty()) return;
    Directive fold = on(f, 0, DirectiveKind::FoldStorage);
    fold.vars = {random_.pick(f.contents().dims)};
    fold.factors = {random_.pick({1, 2, 3, 4, 5, 8, 16, 32})};
    add(fold);
  }

  /// Computes a stage in the loops of another one that was scheduled before.
  void draw_companion(std::size_t i, int stage) {
    const Func f = definition_.functions[i];
    std::vector<std::size_t> others;
    for (std::size_t j = 0; j < i; ++j) {
      const Func& g = definition_.functions[j];
      const bool is_apart = !reads(g, f.name()) || random_.chance(3);
      if (is_reachable(g) && is_computed_at_root(g) && is_apart) others.push_back(j);
    }
    if (others.empty()) return;
    const Func other = definition_.functions[random_.pick(others)];
    Directive d = on(f, stage, DirectiveKind::ComputeWith);
    d.consumer = other.name();
    d.consumer_stage = random_.between(0, other.updates());
    const auto& axes = loops(other, d.consumer_stage).axes;
    const auto& own = loops(f, stage).axes;
    std::size_t alike = 0;
    while (alike < std::min(axes.size(), own.size()) && axes[alike].loop == own[alike].loop) ++alike;
    if ((alike == 0 && !random_.chance(10)) || axes.empty()) return;
    const schedule::FuncSchedule &a = f.contents().schedule, &b = other.contents().schedule;
    const bool is_one_kernel = a.autobroadcast == b.autobroadcast && a.half_arithmetic == b.half_arithmetic &&
                               loops(f, stage).specializations.empty() &&
                               loops(other, d.consumer_stage).specializations.empty();
    if (!is_one_kernel && !random_.chance(3)) return;
    d.vars = {axes[alike == 0 ? 0 : static_cast<std::size_t>(random_.between(0, static_cast<int>(alike) - 1))]
                  .name};
    add(d);
  }

  bool is_computed_at_root(const Func& f) const {
    return definition_.is_output(f) || f.contents().level().kind == ComputeLevel::Kind::Root;
  }

  /// A reduction in two steps.
  void draw_factoring(const Func f, int stage) {
    const auto& domain = f.contents().definitions[static_cast<std::size_t>(stage)].domain;
    if (domain.empty() || !random_.chance(45)) return;
    Directive d = on(f, stage, random_.chance(40) ? DirectiveKind::SplitK : DirectiveKind::Rfactor);
    std::string axis = random_.pick(domain).name;
    if (random_.chance(3)) axis = draw_axis(f, stage);
    if (d.kind == DirectiveKind::Rfactor && random_.chance(60)) {
      Directive split = on(f, stage, DirectiveKind::Split);
      split.vars = {axis, draw_new_name(), draw_new_name()};
      split.factors = {random_.between(1, 5)};
      split.tail = draw_tail(f, stage, {axis}, split.factors);
      axis = split.vars[random_.chance(50) ? 1 : 2];
      if (!add(split)) return;
    }
    if (d.kind == DirectiveKind::Rfactor && random_.chance(15)) draw_fuse(f, stage);
    d.vars = {axis, random_.chance(97) ? draw_new_name() : "x"};
    d.factors = {random_.between(1, 5)};
    add(d);
  }

  /// An image, in a layout that it can have.
  void draw_image(const Func& f) {
    Directive d;
    d.target = f.name();
    d.kind = DirectiveKind::Layout;
    std::vector<std::string> terms = f.contents().dims;
    random_.shuffle(terms);
    const bool is_rgba = random_.chance(75);
    const std::string channels = terms.front();
    if (is_rgba) terms.front() += "/4";
    random_.shuffle(terms);
    d.image = random_.pick({Image2D, Image2D, Image2DArray, Image1DBuffer});
    // One group for each coordinate; a wrong number now and then.
    auto parts = static_cast<std::size_t>(coordinates_of(d.image)) - 1;
    if (random_.chance(3)) parts = static_cast<std::size_t>(random_.between(0, 3));
    for (std::size_t t = 0; t < terms.size(); ++t) {
      const bool parts_here = t > 0 && parts > 0 && (terms.size() - t <= parts || random_.chance(50));
      d.notation += parts_here ? " | " : " ";
      d.notation += terms[t];
      parts -= parts_here ? 1 : 0;
    }
    if (is_rgba) d.notation += " | " + channels + "%4";
    if (!add(d)) return;
    d.kind = DirectiveKind::SetImage;
    if (!add(d) || f.is_input() || !is_rgba || random_.chance(5)) return;
    // Texels are written whole.
    for (int s = 0; s <= f.updates(); ++s) {
      Directive v = on(f, s, DirectiveKind::VectorizeBy);
      v.vars = {channels};
      v.factors = {4};
      v.tail = random_.chance(90) ? Tail::RoundUp : Tail::Guard;
      add(v);
    }
  }

  /// Returns the loop over the work-items of dimension 0 in which, or around which, the Func is computed;
  /// null if there is none.
  const Axis* lanes_around(const Func& f) const {
    const ComputeLevel level = f.contents().level();
    for (const Axis& a : loops(*find(definition_, level.consumer), level.consumer_stage).axes) {
      if (a.loop == ir::LoopKind::Thread0) return &a;
    }
    return nullptr;
  }

  /// Stores the Func in the registers of the consumer's sub-group.
  void draw_sub_group(const Func& f, const Func& consumer, int consumer_stage, const std::string& axis,
                      int lanes) {
    if (!add(on(f, 0, DirectiveKind::StoreSubGroup)) || random_.chance(3)) return;
    // The dimension at which the consumer's work-items differ, mostly.
    const auto& dims = f.contents().dims;
    if (dims.empty()) return;
    std::string dimension = random_.pick(dims);
    const bool is_any = random_.chance(15);
    const auto roots = schedule::roots_of(loops(consumer, consumer_stage), axis);
    const auto look = [&](const Expr& e) {
      if (e->kind != ir::ExprKind::Call || e->function != f.shared() || is_any) return true;
      for (std::size_t d = 0; d < dims.size(); ++d) {
        for (const std::string& root : roots) {
          if (ir::uses_var((*e)[d], root)) dimension = dims[d];
        }
      }
      return true;
    };
    for (const Expr& value : consumer.contents().definitions[static_cast<std::size_t>(consumer_stage)].values)
      ir::visit(value, look);
    for (int stage = 0; stage <= f.updates(); ++stage) {
      Directive split = on(f, stage, DirectiveKind::Split);
      split.vars = {dimension, draw_new_name(), draw_new_name()};
      split.factors = {lanes};
      Directive threads = on(f, stage, DirectiveKind::GpuThreads);
      threads.vars = {split.vars[2]};
      if (add(split)) add(threads);
    }
  }

  void draw_storage(const Func& f) {
    const bool is_whole =
        f.is_input() || definition_.is_output(f) || f.contents().level().kind == ComputeLevel::Kind::Root;
    if (f.contents().rank() > 1 && random_.chance(is_whole ? 20 : 1)) return draw_image(f);
    const bool is_inside = !f.is_input() && f.contents().level().kind == ComputeLevel::Kind::At;
    const Axis* around = is_inside ? lanes_around(f) : nullptr;
    const ComputeLevel level = f.contents().level();
    const int lanes =
        around ? extent_of(*find(definition_, level.consumer), level.consumer_stage, around->name) : 0;
    const bool is_kept = f.contents().schedule.store_level.has_value();
    const bool is_sub_group = (lanes == 2 || lanes == 4 || lanes == 8) && (!is_kept || random_.chance(3));
    if (is_sub_group && random_.chance(65)) {
      draw_sub_group(f, *find(definition_, level.consumer), level.consumer_stage, around->name, lanes);
    } else if (is_inside && random_.chance(50)) {
      add(on(f, 0, random_.chance(75) ? DirectiveKind::StoreLocal : DirectiveKind::StorePrivate));
      if (random_.chance(is_kept ? 2 : 25)) add(on(f, 0, DirectiveKind::DoubleBuffer));
    }
    if (f.contents().rank() > 0 && random_.chance(5)) {
      Directive align = on(f, 0, DirectiveKind::AlignStorage);
      align.specialization = -1;
      align.vars = {random_.pick(f.contents().dims)};
      align.factors = {random_.pick({1, 2, 3, 4, 8})};
      add(align);
    }
    if (!random_.chance(15) || f.contents().rank() == 0) return;
    Directive d;
    d.target = f.name();
    d.kind = DirectiveKind::Layout;
    std::vector<std::string> dims = f.contents().dims;
    random_.shuffle(dims);
    std::vector<std::string> terms, remainders;
    const std::string& swizzling = dims[0];  // which is not swizzled itself
    for (const std::string& dim : dims) {
      if (random_.chance(70)) {
        terms.push_back(dim);
        if (random_.chance(10)) {
          const int gap = random_.between(1, 3), lead = random_.between(0, 3);
          terms.back() = lead > 0 ? fmt::format("{}+{}+{}", lead, dim, gap) : fmt::format("{}+{}", dim, gap);
        } else if (dim != swizzling && random_.chance(15)) {
          terms.back() += fmt::format("^{}/{}%{}*{}", swizzling, random_.between(1, 3),
                                      1 << random_.between(0, 2), 1 << random_.between(0, 2));
        }
        continue;
      }
      const int k = random_.between(2, 4);
      terms.push_back(fmt::format("{}/{}", dim, k));
      const std::string remainder = fmt::format("{}%{}", dim, random_.chance(97) ? k : 5);
      (random_.chance(50) ? terms : remainders).push_back(remainder);
    }
    d.notation = fmt::format("{} {}", fmt::join(terms, " "), fmt::join(remainders, " "));
    add(d);
  }

  // Loops.

  Directive on(const Func& f, int stage, DirectiveKind kind) {
    Directive d;
    d.kind = kind;
    d.target = f.name();
    d.stage = stage;
    d.specialization = specialization_;
    return d;
  }

  /// The extent of a loop of a Func that is computed at the root; 0 if it is not known here.
  int extent_of(const Func& f, int stage, const std::string& axis) const {
    for (const schedule::Transform& t : loops(f, stage).transforms) {
      if (t.split && t.split->inner == axis) return t.split->factor;
      if (t.split && t.split->outer == axis) {
        return (extent_of(f, stage, t.split->axis) + t.split->factor - 1) / t.split->factor;
      }
      if (t.fuse && t.fuse->fused == axis)
        return extent_of(f, stage, t.fuse->outer) * extent_of(f, stage, t.fuse->inner);
    }
    for (const ir::ReductionAxis& r : f.contents().definitions[static_cast<std::size_t>(stage)].domain) {
      const std::int64_t* extent = ir::as_int(r.extent);
      if (r.name == axis) return extent ? static_cast<int>(*extent) : 0;
    }
    const auto extents = definition_.extents.find(f.name());
    if (extents == definition_.extents.end() || f.contents().level().kind == ComputeLevel::Kind::At) return 0;
    const auto& dims = f.contents().dims;
    const auto dim = std::find(dims.begin(), dims.end(), axis);
    return dim == dims.end() ? 0 : extents->second[static_cast<std::size_t>(dim - dims.begin())];
  }

  /// Mostly one that fits the axes.
  Tail draw_tail(const Func& f, int stage, const std::vector<std::string>& axes,
                 const std::vector<int>& factors) {
    if (random_.chance(3)) return random_.pick({Tail::Guard, Tail::RoundUp, Tail::ShiftInwards, Tail::Exact});
    const bool is_output = definition_.is_output(f);
    // A read that is outside only at some sizes would go unnoticed.
    const bool may_grow = !is_output && f.contents().schedule.bounds.empty() &&
                          !definition_.features.contains("symbolic extent") &&
                          !f.contents().schedule.store_level &&
                          (definition_.features.contains("roomy inputs") || random_.chance(6));
    bool divides = true, shifts = f.updates() == 0, rounds = may_grow;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const int extent = extent_of(f, stage, axes[i]);
      divides = divides && extent > 0 && extent % factors[i] == 0;
      shifts = shifts && extent >= factors[i];
      const auto& dims = f.contents().dims;
      rounds = rounds && std::find(dims.begin(), dims.end(), axes[i]) != dims.end();
    }
    std::vector<Tail> fitting{Tail::Guard, Tail::Guard};
    if (divides) fitting.push_back(Tail::Exact);
    if (shifts) fitting.insert(fitting.end(), 2, Tail::ShiftInwards);
    if (rounds || divides) fitting.insert(fitting.end(), 2, Tail::RoundUp);
    return random_.pick(fitting);
  }

  std::string draw_axis(const Func& f, int stage) {
    const auto& axes = loops(f, stage).axes;
    if (axes.empty() || random_.chance(1)) return random_.pick({std::string("q"), std::string("x")});
    const Axis& drawn = random_.pick(axes);
    if (drawn.loop == ir::LoopKind::Serial || random_.chance(5)) return drawn.name;
    return random_.pick(axes).name;
  }

  std::string draw_new_name() { return fmt::format("v{}", names_++); }

  void draw_loops(const Func& f, int stage, bool uses_gpu) {
    const bool is_root = definition_.is_output(f) || f.contents().level().kind == ComputeLevel::Kind::Root;
    const int before = random_.pick({0, 0, 1, 1, 2});
    const bool is_mapped = uses_gpu && random_.chance(is_root ? 85 : 50);
    // Loops over work-items do not stand in a vector.
    for (int i = 0; i < before; ++i) draw_loop_directive(f, stage, is_mapped && !random_.chance(5) ? 10 : 15);
    if (is_mapped) draw_mapping(f, stage, is_root);
    const int after = random_.pick({0, 1, 1, 2, 3});
    for (int i = 0; i < after; ++i) draw_loop_directive(f, stage, 15);
  }

  /// Other loops where a Param, or an extent that is given at the launch, has a certain value.
  void draw_specializations(const Func& f, int stage, bool uses_gpu) {
    std::vector<std::string> params;
    for (const auto& [name, value] : definition_.params) {
      if (name.find("s_") == std::string::npos || name.ends_with("s_i32")) params.push_back(name);
    }
    for (int i = 0; i < 2 && !params.empty() && random_.chance(35); ++i) {
      Directive d = on(f, stage, DirectiveKind::Specialize);
      d.param = random_.pick(params);
      const auto value = static_cast<int>(definition_.params.at(d.param).integer());
      d.test = random_.pick({Directive::Test::Equal, Directive::Test::AtLeast, Directive::Test::Divisible});
      const bool is_divisor = d.test == Directive::Test::Divisible;
      d.factors = {is_divisor ? random_.between(1, 4) : random_.chance(60) ? value : random_.between(1, 17)};
      if (!add(d)) return;
      specialization_ = specializations_of(f, stage) - 1;
      if (is_divisor && random_.chance(50) && !loops(f, stage).axes.empty()) {
        Directive split = on(f, stage, DirectiveKind::Split);
        split.vars = {draw_axis(f, stage), draw_new_name(), draw_new_name()};
        split.factors = d.factors;
        split.tail = random_.pick({Tail::Exact, Tail::RoundUp});
        add(split);
      }
      draw_loops(f, stage, uses_gpu);
      specialization_ = -1;
    }
  }

  /// A reduction over a sub-group, perhaps with partial results of each work-item.
  bool draw_lanes(const Func& f, int stage) {
    std::vector<std::string> reductions;
    for (const Axis& a : loops(f, stage).axes) {
      if (a.is_reduction && a.loop == ir::LoopKind::Serial) reductions.push_back(a.name);
    }
    if (reductions.empty()) return false;
    std::string axis = random_.pick(reductions);
    const int extent = extent_of(f, stage, axis);
    if (extent != 2 && extent != 4 && extent != 8) {
      Directive split = on(f, stage, DirectiveKind::Split);
      split.vars = {axis, draw_new_name(), draw_new_name()};
      split.factors = {random_.pick({2, 4, 8})};
      split.tail = draw_tail(f, stage, {axis}, split.factors);
      axis = split.vars[2];
      if (!add(split)) return false;
    }
    Directive d = on(f, stage, DirectiveKind::GpuLanes);
    d.vars = {axis};
    return add(d);
  }

  void draw_mapping(const Func& f, int stage, bool is_root) {
    if (stage > 0 && random_.chance(20) && draw_lanes(f, stage)) return;
    std::vector<std::string> pure;
    for (const Axis& a : loops(f, stage).axes) {
      if (a.loop == ir::LoopKind::Serial && (!a.is_reduction || random_.chance(10))) pure.push_back(a.name);
    }
    if (pure.empty()) return;
    const auto count =
        static_cast<std::size_t>(random_.between(1, std::min(3, static_cast<int>(pure.size()))));
    if (is_root && random_.chance(60)) {
      Directive d = on(f, stage, DirectiveKind::GpuTile);
      random_.shuffle(pure);
      d.vars.assign(pure.begin(), pure.begin() + static_cast<std::ptrdiff_t>(count));
      for (std::size_t i = 0; i < count; ++i) d.factors.push_back(random_.pick({1, 2, 2, 3, 4, 4, 5, 8}));
      d.tail = draw_tail(f, stage, d.vars, d.factors);
      add(d);
      return;
    }
    // Places loops explicitly: outermost axes become blocks, axes of constant extent threads.
    if (is_root && random_.chance(85)) {
      Directive blocks = on(f, stage, DirectiveKind::GpuBlocks);
      for (std::size_t i = std::min(count, std::size_t{2}); i-- > 0;) blocks.vars.push_back(pure[i]);
      add(blocks);
    }
    if (random_.chance(75)) {
      std::vector<std::string> rest;
      for (const Axis& a : loops(f, stage).axes) {
        if (a.loop == ir::LoopKind::Serial && !a.is_reduction) rest.push_back(a.name);
      }
      if (rest.empty()) return;
      Directive threads = on(f, stage, DirectiveKind::GpuThreads);
      std::string axis = random_.chance(70) ? rest[0] : random_.pick(rest);
      if (random_.chance(60)) {
        Directive split = on(f, stage, DirectiveKind::Split);
        split.vars = {axis, draw_new_name(), draw_new_name()};
        split.factors = {random_.pick({2, 3, 4, 4, 8})};
        split.tail = draw_tail(f, stage, {axis}, split.factors);
        axis = random_.chance(80) ? split.vars[2] : split.vars[1];
        if (!add(split)) return;
      }
      threads.vars.push_back(axis);
      if (rest.size() > 1 && random_.chance(25)) threads.vars.push_back(rest[1]);
      add(threads);
    }
  }

  /// One of those up to `last`; from 11 on they vectorize.
  void draw_loop_directive(const Func& f, int stage, int last) {
    const int drawn = random_.between(0, last);
    if (drawn <= 3) {
      Directive d = on(f, stage, DirectiveKind::Split);
      d.vars = {draw_axis(f, stage), draw_new_name(), draw_new_name()};
      d.factors = {random_.between(1, 8)};
      d.tail = draw_tail(f, stage, {d.vars[0]}, d.factors);
      add(d);
    } else if (drawn <= 5) {
      draw_fuse(f, stage);
    } else if (drawn <= 7) {
      draw_reorder(f, stage);
    } else if (drawn == 8) {
      Directive d = on(f, stage, DirectiveKind::Tile);
      d.vars = {draw_axis(f, stage), draw_axis(f, stage)};
      for (int i = 0; i < 4; ++i) d.vars.push_back(draw_new_name());
      d.factors = {random_.between(1, 5), random_.between(1, 5)};
      d.tail = draw_tail(f, stage, {d.vars[0], d.vars[1]}, d.factors);
      add(d);
    } else if (drawn <= 10) {
      Directive d = on(f, stage, random_.chance(40) ? DirectiveKind::Unroll : DirectiveKind::UnrollBy);
      d.vars = {draw_axis(f, stage)};
      d.factors = {random_.between(1, 4)};
      d.tail = draw_tail(f, stage, d.vars, d.factors);
      add(d);
    } else {
      Directive d = on(f, stage, random_.chance(6) ? DirectiveKind::Vectorize : DirectiveKind::VectorizeBy);
      d.vars = {draw_axis(f, stage)};
      d.factors = {random_.pick({2, 3, 4, 4, 8, 16, 5})};
      if (random_.chance(80) && !loops(f, stage).axes.empty()) d.vars = {innermost_pure(f, stage)};
      d.tail = draw_tail(f, stage, d.vars, d.factors);
      add(d);
    }
  }

  std::string innermost_pure(const Func& f, int stage) const {
    const auto& axes = loops(f, stage).axes;
    for (std::size_t i = axes.size(); i-- > 0;) {
      if (!axes[i].is_reduction && axes[i].loop == ir::LoopKind::Serial) return axes[i].name;
    }
    return axes.back().name;
  }

  void draw_fuse(const Func& f, int stage) {
    const auto& axes = loops(f, stage).axes;
    Directive d = on(f, stage, DirectiveKind::Fuse);
    if (axes.size() < 2) return;
    const auto at = static_cast<std::size_t>(random_.between(0, static_cast<int>(axes.size()) - 2));
    d.vars = {axes[at].name, axes[random_.chance(97) ? at + 1 : 0].name, draw_new_name()};
    add(d);
  }

  void draw_reorder(const Func& f, int stage) {
    Directive d = on(f, stage, DirectiveKind::Reorder);
    for (const Axis& a : loops(f, stage).axes) {
      const bool is_mapped = ir::is_block_loop(a.loop) || ir::is_thread_loop(a.loop);
      if (random_.chance(is_mapped ? 3 : 70)) d.vars.push_back(a.name);
    }
    if (d.vars.empty()) return;
    random_.shuffle(d.vars);
    add(d);
  }

  Random& random_;
  Definition& definition_;
  std::vector<Directive>& directives_;
  int names_ = 0;
  int specialization_ = -1;  // whose loops are drawn
};

}  // namespace

void draw_schedule(Random& random, Definition& definition, std::vector<Directive>& directives) {
  Scheduler(random, definition, directives).run();
}

std::string print_schedule(const Definition& definition) {
  try {
    return Schedule::of(definition.outputs).to_cpp("schedule");
  } catch (const ScheduleError& e) {
    return fmt::format("{}\n", e.what());
  }
}

}  // namespace tensordsl::fuzz
