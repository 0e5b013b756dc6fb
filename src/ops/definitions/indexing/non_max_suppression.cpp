#include "ops/definitions/building_blocks.h"
#include "ops/definitions/operator_definitions.h"

namespace tensordsl::ops::definitions {
namespace {

/// A box by its corners.
struct Corners {
  Expr low[2], high[2];

  Expr area() const { return (high[0] - low[0]) * (high[1] - low[1]); }
};

class Suppression {
 public:
  explicit Suppression(const OperatorOperands& operands)
      : operands_(operands),
        boxes_(operands.infos[0].shape[1]),
        most_(operands.output().shape[2]),
        batch_("b"),
        class_("c"),
        slot_("s") {}

  Func run() {
    find_candidates();
    sort();
    choose();
    const std::vector<Var> vars = index_vars(operands_.output().shape);
    const Expr chosen = chosen_(vars[0], vars[1], vars[2]);
    return output(operands_, vars, select(vars[2] < chosen_(vars[0], vars[1], index(most_)) / 2, chosen, 0));
  }

 private:
  /// The numbers of the boxes above the threshold, in order; in slot N how many they are.
  void find_candidates() {
    const Expr end = index(boxes_);
    RDom r({{0, end}, {0, 2}}, "r");
    if (operands_.has_input(4)) r.where(score(r[0]) > scalar(4));
    candidates_(batch_, class_, slot_) = 0;
    const Expr found = candidates_(batch_, class_, end);
    // First the box is listed, then the list is longer.
    candidates_(batch_, class_, select(r[1] == 0, found, end)) = select(r[1] == 0, r[0], found + 1);
  }

  /// Merges runs of 1, 2, 4, .. candidates from slots [0, N) into [N, 2N), and back. In slot 2N is how many
  /// are taken from the first of two runs.
  void sort() {
    const Expr end = index(boxes_);
    RDom r({{0, merges()}, {0, end}, {0, 2}}, "r");
    const Expr place = r[1];
    r.where(place < count());
    sorted_(batch_, class_, slot_) = candidates_(batch_, class_, min(slot_, end));
    const auto sorted = [&](const Expr& at) { return sorted_(batch_, class_, at); };
    const Expr run = Expr(1) << r[0], from = r[0] % 2 * end, to = end - from;
    const Expr in_runs = place % (2 * run);
    const Expr taken = select(in_runs == 0, 0, sorted(2 * end));
    const Expr left = place - in_runs + taken, right = place + run - taken;
    const auto box = [&](const Expr& at) { return sorted(from + clamp(at, 0, end - 1)); };
    // Breaks ties of scores by order: the candidate in front comes first.
    const Expr is_right =
        in_runs - taken < run && right < count() && (taken >= run || score(box(right)) > score(box(left)));
    sorted_(batch_, class_, select(r[2] == 0, to + place, 2 * end)) =
        select(r[2] == 0, select(is_right, box(right), box(left)), taken + select(is_right, 0, 1));
  }

  /// The numbers of the boxes that are chosen, from 1; in slot M twice how many they are, and 1 more while
  /// the candidate overlaps one of them.
  void choose() {
    const Expr end = index(boxes_), most = index(most_);
    RDom r({{0, end}, {0, most + 2}}, "r");
    const Expr step = r[1];
    chosen_(batch_, class_, slot_) = 0;
    const Expr state = chosen_(batch_, class_, most);
    const Expr count = state / 2, overlaps = state % 2 == 1;
    r.where(r[0] < this->count());
    r.where(count < limit() && (step >= most || (step < count && !overlaps)));
    const Expr candidate = sorted_(batch_, class_, merges() % 2 * end + r[0]);
    const Expr other = chosen_(batch_, class_, clamp(step, 0, most));
    chosen_(batch_, class_, select(step == most, select(overlaps, -1, count), most)) =
        select(step < most, state + cast(Int(32), overlap(other - 1, candidate)),
               select(step == most, candidate + 1, select(overlaps, state - 1, state + 2)));
  }

  Expr overlap(const Expr& a, const Expr& b) const {
    const Corners p = corners(a), q = corners(b);
    Corners both;
    for (int d = 0; d < 2; ++d) {
      both.low[d] = max(p.low[d], q.low[d]);
      both.high[d] = min(p.high[d], q.high[d]);
    }
    const Expr shared = both.area(), together = p.area() + q.area() - shared;
    const Expr threshold = operands_.has_input(3) ? scalar(3) : Expr(0.0F);
    return both.high[0] > both.low[0] && both.high[1] > both.low[1] && p.area() > 0.0F && q.area() > 0.0F &&
           together > 0.0F && shared / together > threshold;
  }

  Corners corners(const Expr& box) const {
    const auto number = [&](int i) {
      return read(operands_, 0, {batch_, clamp(box, 0, index(boxes_) - 1), Expr(i)});
    };
    Corners result;
    for (int d = 0; d < 2; ++d) {
      if (operands_.attributes.get<std::int64_t>("center_point_box") != 0) {
        const Expr half = number(d + 2) / 2.0F;
        result.low[d] = number(d) - half;
        result.high[d] = number(d) + half;
      } else {
        result.low[d] = min(number(d), number(d + 2));
        result.high[d] = max(number(d), number(d + 2));
      }
    }
    return result;
  }

  Expr score(const Expr& box) const {
    return read(operands_, 1, {batch_, class_, clamp(box, 0, index(boxes_) - 1)});
  }
  Expr count() const { return candidates_(batch_, class_, index(boxes_)); }
  /// The most boxes that are chosen of a class.
  Expr limit() const {
    if (!operands_.has_input(2)) return index(most_);
    return cast(Int(32), clamp(scalar(2), cast(Int(64), 0), cast(Int(64), index(most_))));
  }
  Expr scalar(std::size_t i) const {
    return read(operands_, i,
                std::vector<Expr>(std::max<std::size_t>(operands_.infos[i].shape.size(), 1), 0));
  }
  int merges() const {
    constexpr int kMost = 30;
    int steps = 0;
    while (steps < kMost && (!boxes_.is_known() || (std::int64_t{1} << steps) < boxes_.value())) ++steps;
    return steps;
  }

  const OperatorOperands& operands_;
  Size boxes_, most_;
  Var batch_, class_, slot_;
  Func candidates_{operands_.name + "_candidates"}, sorted_{operands_.name + "_sorted"},
      chosen_{operands_.name + "_chosen"};
};

}  // namespace

std::vector<Func> non_max_suppression(const OperatorOperands& operands) {
  return {Suppression(operands).run()};
}

}  // namespace tensordsl::ops::definitions
