#include "fuzz/plan.h"

#include <algorithm>

namespace tensordsl::fuzz {
namespace {

int floor_div(int a, int b) { return (a >= 0 ? a : a - b + 1) / b; }

Span range_of(const IndexPlan& index, const std::vector<Span>& variables) {
  if (index.gather >= 0) return *index.clamp;
  Span range{index.offset, index.offset};
  const auto add = [&](int variable, int stride) {
    if (variable < 0) return;
    const Span& v = variables[static_cast<std::size_t>(variable)];
    range.low += std::min(v.low * stride, v.high * stride);
    range.high += std::max(v.low * stride, v.high * stride);
  };
  add(index.variable, index.stride);
  add(index.second, 1);
  if (index.divisor) range = {floor_div(range.low, index.divisor), floor_div(range.high, index.divisor)};
  if (index.modulus) range = {0, index.modulus - 1};
  if (index.clamp) {
    range = {std::clamp(range.low, index.clamp->low, index.clamp->high),
             std::clamp(range.high, index.clamp->low, index.clamp->high)};
  }
  return range;
}

int points(const std::vector<Span>& box) {
  int result = 1;
  for (const Span& s : box) result *= std::max(s.extent(), 1);
  return result;
}

class Planner {
 public:
  Planner(Random& random, const Simplification& simplification)
      : random_(random),
        simplification_(simplification),
        most_points_(most_points(simplification.drawn_extent)) {}

  PipelinePlan run() {
    const int functions = random_.pick({1, 1, 2, 2, 2, 3, 3, 4});
    const int inputs = random_.between(1, 3);
    functions_ = functions;
    plan_.tensors.resize(static_cast<std::size_t>(functions + inputs));
    for (int i = 0; i < functions + inputs; ++i) {
      TensorPlan& t = plan_.tensors[static_cast<std::size_t>(i)];
      t.is_input = i >= functions;
      t.types.push_back(draw_type());
      while (!t.is_input && t.types.size() < 3 && random_.chance(t.types.size() == 1 ? 15 : 30))
        t.types.push_back(draw_type());
      t.box.resize(static_cast<std::size_t>(random_.pick({0, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4})));
      if (i > 0 && (i >= functions || !random_.chance(8))) continue;
      t.is_output = t.is_read = true;
      for (Span& s : t.box) s = {0, draw_extent() - 1};
      shrink(t.box);
    }
    for (int i = 0; i < functions; ++i) draw_function(i);
    return std::move(plan_);
  }

 private:
  /// The most points of one tensor: three times the square of the largest extent, but no fewer than usual.
  static int most_points(int drawn_extent) {
    constexpr int kUsual = 1200;
    return std::max(kUsual, 3 * drawn_extent * drawn_extent);
  }

  Type draw_type() {
    return random_.pick({Float(32), Float(32), Float(32), Float(32), Float(16), Float(16), Float(64), Int(8),
                         UInt(8), Int(16), UInt(16), Int(32), Int(32), UInt(32), Int(64), UInt(64), Bool()});
  }

  int draw_extent() {
    int extent = random_.pick({1, 2, 3, 4, 5, 7, 8, 9, 16, 17});
    if (draws_larger() && random_.chance(50)) extent = random_.between(1, simplification_.drawn_extent);
    return std::min(extent, simplification_.largest_extent);
  }

  int draw_reduction_extent(int most) {
    int extent = random_.pick({1, 2, 3, 3, 4, 5, 7});
    if (draws_larger() && random_.chance(25)) extent = random_.between(1, simplification_.drawn_extent);
    return std::min(extent, std::max(most, 1));
  }

  bool draws_larger() const { return simplification_.drawn_extent > kUsualExtent; }

  void shrink(std::vector<Span>& box) const {
    while (points(box) > most_points_ / 3) {
      Span& largest = *std::max_element(box.begin(), box.end(),
                                        [](const Span& a, const Span& b) { return a.extent() < b.extent(); });
      largest.high = largest.low + largest.extent() / 2;
    }
  }

  void draw_function(int number) {
    TensorPlan& t = plan_.tensors[static_cast<std::size_t>(number)];
    if (!t.is_read) return;
    draw_stages(t);
    // A scan reads what it wrote before: that lies inside the box too.
    for (StagePlan& stage : t.stages) {
      if (stage.kind == StageKind::Scan)
        stage.domain = {{1, t.box[static_cast<std::size_t>(stage.dimension)].high}};
    }
    for (StagePlan& stage : t.stages) {
      const int count = random_.pick({1, 1, 1, 2, 2, 3});
      for (int i = 0; i < count; ++i) draw_read(number, t, stage, i == 0);
    }
  }

  std::vector<Span> draw_domain(int most) {
    std::vector<Span> domain(static_cast<std::size_t>(random_.pick({1, 1, 2, 3})));
    for (Span& s : domain) {
      const int extent = draw_reduction_extent(most);
      most /= extent;
      const int first = random_.pick({0, 0, 0, -1, 2});
      s = {first, first + std::min(extent, simplification_.largest_extent) - 1};
    }
    return domain;
  }

  StageKind draw_stage_kind(const TensorPlan& t) {
    const bool has_bool = std::ranges::any_of(t.types, [](Type type) { return type.is_bool(); });
    if (t.types.size() > 1 && !t.types[0].is_bool() && random_.chance(30)) return StageKind::Extremum;
    if (t.box.empty()) {
      return has_bool ? StageKind::InPlace
                      : random_.pick({StageKind::Sum, StageKind::Sum, StageKind::Product, StageKind::Minimum,
                                      StageKind::Maximum, StageKind::InPlace});
    }
    return has_bool ? random_.pick({StageKind::InPlace, StageKind::Concat, StageKind::ConstantIndex})
                    : random_.pick({StageKind::Sum, StageKind::Sum, StageKind::Sum, StageKind::Product,
                                    StageKind::Minimum, StageKind::Maximum, StageKind::InPlace,
                                    StageKind::Neighbor, StageKind::Concat, StageKind::ConstantIndex,
                                    StageKind::Scan});
  }

  void draw_stages(TensorPlan& t) {
    t.stages.push_back({});
    const int updates = random_.pick({0, 0, 0, 1, 1, 1, 2});
    for (int i = 0; i < updates; ++i) {
      StagePlan stage;
      stage.kind = draw_stage_kind(t);
      stage.dimension = random_.between(0, std::max(static_cast<int>(t.box.size()) - 1, 0));
      const Span along = t.box.empty() ? Span{0, 0} : t.box[static_cast<std::size_t>(stage.dimension)];
      if (stage.kind == StageKind::Scan && (along.low > 0 || along.high < 1)) stage.kind = StageKind::InPlace;
      switch (stage.kind) {
        case StageKind::Sum:
        case StageKind::Minimum:
        case StageKind::Maximum:
        case StageKind::Extremum:
          stage.domain = draw_domain(std::max(24, simplification_.drawn_extent));
          break;
        case StageKind::Product:
          stage.domain = draw_domain(6);
          break;
        case StageKind::Concat: {
          // Part of it may be outside of all reads.
          stage.offset = random_.between(along.low, along.high);
          const int extent = random_.chance(70) ? along.high - stage.offset + 1 : draw_extent();
          stage.domain = {{0, extent - 1}};
          break;
        }
        case StageKind::Neighbor:
        case StageKind::ConstantIndex:
          stage.offset = random_.between(along.low, along.high);
          break;
        case StageKind::Pure:
        case StageKind::InPlace:
        case StageKind::Scan:
          break;
      }
      t.stages.push_back(std::move(stage));
    }
  }

  void draw_read(int reader, const TensorPlan& t, StagePlan& stage, bool is_first) {
    const int tensors = static_cast<int>(plan_.tensors.size());
    ReadPlan read;
    read.source = is_first && reader + 1 < functions_ && random_.chance(75)
                      ? reader + 1
                      : random_.between(reader + 1, tensors - 1);
    TensorPlan& source = plan_.tensors[static_cast<std::size_t>(read.source)];
    const bool is_tuple = source.types.size() > 1;
    read.component = random_.between(0, static_cast<int>(source.types.size()) - 1);
    if (random_.chance(8)) read.domain = draw_domain(6);
    auto variables = variables_of(t, stage);
    variables.insert(variables.end(), read.domain.begin(), read.domain.end());
    for (std::size_t d = 0; d < source.box.size(); ++d) read.index.push_back(draw_index(variables, d));
    if (!source.box.empty() && random_.chance(25)) {
      read.boundary =
          is_tuple
              ? Boundary::Select
              : random_.pick({Boundary::Zero, Boundary::Constant, Boundary::RepeatEdge, Boundary::Select});
    }
    std::vector<Span> box;
    const auto measure = [&] {
      box = source.box;
      for (std::size_t d = 0; d < box.size(); ++d) {
        const Span range = range_of(read.index[d], variables);
        box[d] = !source.is_read ? range
                                 : Span{std::min(box[d].low, range.low), std::max(box[d].high, range.high)};
      }
    };
    measure();
    for (IndexPlan& index : read.index) {
      if (random_.chance(3)) index.promise = range_of(index, variables);
    }
    for (std::size_t fixed = 0; fixed < box.size() && points(box) > most_points_; ++fixed) {
      const auto largest = std::max_element(
          box.begin(), box.end(), [](const Span& a, const Span& b) { return a.extent() < b.extent(); });
      const auto d = static_cast<std::size_t>(largest - box.begin());
      read.index[d] = IndexPlan{};
      read.index[d].offset = std::max(source.box[d].low, 0);
      measure();
    }
    if (read.boundary != Boundary::None) {
      // The source is [0, E) in each dimension; what is read of it is extended.
      for (std::size_t d = 0; d < box.size(); ++d) {
        const int extent = std::clamp(box[d].extent() - random_.between(0, 3), 1,
                                      std::max(kUsualExtent, simplification_.drawn_extent));
        read.inside.push_back({0, extent - 1});
      }
      cover(source, read.inside);
    } else {
      if (source.is_input || source.is_output) shift_inside(read, variables);
      std::vector<Span> covered;
      for (const IndexPlan& index : read.index) covered.push_back(range_of(index, variables));
      cover(source, covered);
      if (source.is_input && !source.box.empty() && !plan_.ill_formed && random_.chance(1)) {
        plan_.ill_formed = true;
        shift_outside(read);
      }
    }
    stage.reads.push_back(std::move(read));
  }

  static void cover(TensorPlan& source, const std::vector<Span>& box) {
    for (std::size_t d = 0; d < box.size(); ++d) {
      Span& s = source.box[d];
      s = !source.is_read ? box[d] : Span{std::min(s.low, box[d].low), std::max(s.high, box[d].high)};
      if (source.is_input || source.is_output) s.low = 0;
    }
    source.is_read = true;
  }

  /// An Input's elements count from 0.
  static void shift_inside(ReadPlan& read, const std::vector<Span>& variables) {
    for (IndexPlan& index : read.index) {
      const int low = range_of(index, variables).low;
      if (low >= 0) continue;
      index.promise.reset();
      if (index.divisor || index.modulus || index.clamp) {
        const int high = std::max(range_of(index, variables).high, 0);
        index.clamp = Span{0, high};
      } else {
        index.offset -= low;
      }
    }
  }

  static void shift_outside(ReadPlan& read) {
    read.index[0] = IndexPlan{};
    read.index[0].offset = -1;
  }

  IndexPlan draw_index(const std::vector<Span>& variables, std::size_t dimension) {
    IndexPlan index;
    std::vector<int> usable;
    for (int v = 0; v < static_cast<int>(variables.size()); ++v) {
      if (!variables[static_cast<std::size_t>(v)].empty()) usable.push_back(v);
    }
    index.offset = random_.pick({0, 0, 0, 0, 1, -1, 2, -3});
    if (usable.empty() || random_.chance(5)) {
      index.offset = std::abs(index.offset);
      return index;
    }
    const bool aligned = random_.chance(60) && dimension < variables.size() && !variables[dimension].empty();
    index.variable = aligned ? static_cast<int>(dimension) : random_.pick(usable);
    const Span& range = variables[static_cast<std::size_t>(index.variable)];
    if (random_.chance(35)) index.second = random_.pick(usable);
    if (index.second == index.variable) index.second = -1;
    switch (random_.between(0, 12)) {
      case 0:
        index.stride = 2;
        break;
      case 1:
        index.stride = range.extent() <= 5 ? 3 : 1;
        break;
      case 2:
        index.stride = -1;
        break;
      case 3:
        index.divisor = random_.between(2, 4);
        break;
      case 4:
        index.modulus = random_.between(2, 5);
        break;
      case 5: {
        const int low = range.low + random_.between(0, 2);
        index.clamp = Span{low, std::max(low, range.high - random_.between(0, 2))};
        break;
      }
      case 6:
        draw_gather(index, variables);
        break;
      default:
        break;
    }
    return index;
  }

  /// An index that is read from an Input of i32, which one variable or none indexes in each dimension.
  void draw_gather(IndexPlan& index, const std::vector<Span>& variables) {
    std::vector<int> tables;
    for (int i = functions_; i < static_cast<int>(plan_.tensors.size()); ++i) {
      const Type type = plan_.tensors[static_cast<std::size_t>(i)].types[0];
      if (type.is_integer() && type.bits <= 32) tables.push_back(i);
    }
    if (tables.empty()) return;
    index.gather = random_.pick(tables);
    const int low = random_.between(-1, 2);
    index.clamp = Span{low, low + random_.between(0, 5)};
    TensorPlan& table = plan_.tensors[static_cast<std::size_t>(index.gather)];
    ReadPlan read;
    for (std::size_t d = 0; d < table.box.size(); ++d) {
      IndexPlan at;
      const int v = random_.between(-1, static_cast<int>(variables.size()) - 1);
      if (v >= 0 && !variables[static_cast<std::size_t>(v)].empty()) at.variable = v;
      read.index.push_back(at);
    }
    shift_inside(read, variables);
    std::vector<Span> box;
    for (const IndexPlan& at : read.index) box.push_back(range_of(at, variables));
    cover(table, box);
    index.gather_index = read.index;
  }

  Random& random_;
  const Simplification& simplification_;
  const int most_points_;
  PipelinePlan plan_;
  int functions_ = 0;
};

}  // namespace

std::vector<Span> variables_of(const TensorPlan& tensor, const StagePlan& stage) {
  std::vector<Span> variables = tensor.box;
  const bool takes_a_dimension = stage.kind == StageKind::Concat || stage.kind == StageKind::ConstantIndex ||
                                 stage.kind == StageKind::Scan;
  if (takes_a_dimension) variables[static_cast<std::size_t>(stage.dimension)] = Span{};
  variables.insert(variables.end(), stage.domain.begin(), stage.domain.end());
  return variables;
}

PipelinePlan draw_plan(Random& random, const Simplification& simplification) {
  return Planner(random, simplification).run();
}

}  // namespace tensordsl::fuzz
