#include "lower/place/sliding_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "ir/nodes/substitute.h"
#include "ir/simplify/monotonic.h"
#include "ir/simplify/simplify.h"
#include "lower/analyze/largest_value.h"
#include "lower/place/infer_bounds.h"
#include "tensordsl/error.h"

namespace tensordsl::lower {

using namespace ir;

namespace {

Expr end_of(const Range& range) { return simplify(range.min + range.extent); }

Expr last_of(const StmtNode& loop) { return simplify(loop.min() + loop.extent() - 1); }

/// Returns the union of `box` over the loops of `path` from `first` on; nothing if it is known to be empty.
std::optional<Box> over_loops(const Box& box, const std::vector<Stmt>& path, std::size_t first) {
  std::vector<Expr> element;
  for (std::size_t d = 0; d < box.size(); ++d) element.push_back(make_var(fmt::format("box.{}", d)));
  Stmt body = make_store("box", Expr(0), element);
  for (std::size_t d = 0; d < box.size(); ++d)
    body = make_for(element[d]->name, box[d].min, box[d].extent, LoopKind::Serial, body);
  for (std::size_t i = path.size(); i-- > first;) {
    const StmtNode& around = *path[i];
    if (around.kind == StmtKind::For)
      body = make_for(around.name, around.min(), around.extent(), LoopKind::Serial, body);
  }
  auto all = required_box(body, "box", true);
  if (!all) return all;
  // The ends may cross where nothing is needed.
  for (Range& r : *all) r.extent = simplify(max(r.extent, 0));
  return all;
}

/// Returns the values of the Lets of a path.
Substitution lets_of(const std::vector<Stmt>& path) {
  Substitution lets;
  for (const Stmt& s : path) {
    if (s->kind == StmtKind::Let) lets[s->name] = simplify(substitute(s->value(), lets));
  }
  return lets;
}

WindowUse without_lets(const WindowUse& use) {
  const Substitution lets = lets_of(use.path);
  WindowUse result{use.path, {}};
  for (const Range& r : use.needed)
    result.needed.push_back({simplify(substitute(r.min, lets)), simplify(substitute(r.extent, lets))});
  return result;
}

class WindowFinder {
 public:
  WindowFinder(const schedule::ScheduledFunction& function, const WindowUse& use,
               const std::vector<WindowUse>& earlier)
      : function_(function), path_(use.path), needed_(without_lets(use).needed), lets_(lets_of(use.path)) {
    for (std::size_t i = 0; i < path_.size(); ++i) {
      if (path_[i]->kind == StmtKind::For) loops_.push_back(i);
    }
    window_.computed = needed_;
    std::ranges::transform(earlier, std::back_inserter(earlier_), without_lets);
    for (const WindowUse& e : earlier_) window_.earlier.push_back(e.needed);
  }

  SlidingWindow run(bool may_slide) {
    window_.stored = over_loops(needed_, path_, 0).value_or(Box(needed_.size(), Range{Expr(0), Expr(1)}));
    for (const WindowUse& e : earlier_) {
      if (const auto all = over_loops(e.needed, e.path, 0)) window_.stored = hull(window_.stored, *all);
    }
    for (std::size_t d = 0; may_slide && d < needed_.size() && !window_.slides; ++d) slide(d);
    for (const auto& [name, factor] : function_.schedule.folds) {
      const auto at = std::find(function_.dims.begin(), function_.dims.end(), name);
      fold(static_cast<std::size_t>(at - function_.dims.begin()), factor);
    }
    return std::move(window_);
  }

 private:
  const StmtNode& loop(std::size_t i) const { return *path_[loops_[i]]; }

  static bool is_in_order(const StmtNode& loop) {
    return loop.loop == LoopKind::Serial || loop.loop == LoopKind::Unrolled;
  }

  /// True if the position of another dimension depends on the loop.
  bool moves_others(std::size_t dimension, const std::string& variable) const {
    for (std::size_t d = 0; d < needed_.size(); ++d) {
      const Range& r = needed_[d];
      if (d != dimension && (uses_var(r.min, variable) || uses_var(r.extent, variable))) return true;
    }
    return false;
  }

  /// True if the tests around the computation, inside the loop, stay false once they are: they cut off only
  /// its last iterations.
  bool is_entered_in_order(std::size_t loop_at, const std::string& variable) const {
    for (std::size_t i = loops_[loop_at] + 1; i < path_.size(); ++i) {
      if (path_[i]->kind != StmtKind::If) continue;
      if (path_[i]->body.size() > 1 ||
          !stays_false(simplify(substitute(path_[i]->condition(), lets_)), variable))
        return false;
    }
    return true;
  }

  static bool stays_false(const Expr& condition, const std::string& variable) {
    if (!uses_var(condition, variable)) return true;
    if (condition->kind == ExprKind::And)
      return stays_false((*condition)[0], variable) && stays_false((*condition)[1], variable);
    const bool is_less = condition->kind == ExprKind::Lt || condition->kind == ExprKind::Le;
    return is_less && is_non_decreasing((*condition)[0], variable) &&
           is_non_increasing((*condition)[1], variable);
  }

  bool moves_on(std::size_t dimension, std::size_t loop_at) const {
    const StmtNode& l = loop(loop_at);
    const Range& r = needed_[dimension];
    return is_in_order(l) && !moves_others(dimension, l.name) && is_non_decreasing(r.min, l.name) &&
           is_non_decreasing(end_of(r), l.name) && is_entered_in_order(loop_at, l.name);
  }

  /// True if the first iteration of the loops from `inner` on continues where their last one ended, in the
  /// previous iteration of loop `outer`.
  bool is_seamless(std::size_t dimension, std::size_t outer, std::size_t inner) const {
    const Range& r = needed_[dimension];
    Substitution before_first, first, last;
    before_first[loop(inner).name] = simplify(loop(inner).min() - 1);
    first[loop(inner).name] = loop(inner).min();
    for (std::size_t i = outer + 1; i <= inner; ++i) last[loop(i).name] = last_of(loop(i));
    for (std::size_t i = outer + 1; i < inner; ++i)
      first[loop(i).name] = before_first[loop(i).name] = loop(i).min();
    last[loop(outer).name] = simplify(make_var(loop(outer).name) - 1);
    return can_prove(simplify(substitute(end_of(r), before_first)) <=
                     simplify(substitute(end_of(r), last))) &&
           can_prove(simplify(substitute(r.min, last)) <= simplify(substitute(r.min, first)));
  }

  void slide(std::size_t d) {
    const Range& r = needed_[d];
    std::size_t inner = loops_.size();
    for (std::size_t i = loops_.size(); i-- > 0 && inner == loops_.size();) {
      if (uses_var(r.min, loop(i).name) || uses_var(r.extent, loop(i).name)) inner = i;
    }
    if (inner == loops_.size() || !moves_on(d, inner)) return;
    const Expr end = end_of(r);
    const Expr before = simplify(substitute(end, loop(inner).name, make_var(loop(inner).name) - 1));
    if (can_prove(before <= r.min)) return;  // iterations share nothing
    std::size_t outer = inner;
    while (outer > 0 && uses_var(end, loop(outer - 1).name) && moves_on(d, outer - 1) &&
           is_seamless(d, outer - 1, inner))
      --outer;
    if (!starts_with_earlier(loop(outer).name)) return;
    // If a loop around them moves the window too, the window starts again in each of its iterations.
    window_.computed[d].min = simplify(max(r.min, before));
    window_.computed[d].extent = simplify(end - window_.computed[d].min);
    start(d, outer, inner);
    fold_to_need(d);
  }

  /// True if all earlier uses come right before the loop.
  bool starts_with_earlier(const std::string& name) const {
    return std::ranges::all_of(earlier_, [&](const WindowUse& e) {
      const auto first = std::ranges::find_if(e.path, [](const Stmt& s) { return s->kind == StmtKind::For; });
      return first != e.path.end() && (*first)->name == name;
    });
  }

  /// Sets the warm-up: the elements that the first iteration needs but does not compute itself.
  void start(std::size_t d, std::size_t outer, std::size_t inner) {
    Substitution first;
    Expr runs;
    for (std::size_t i = outer; i <= inner; ++i) {
      const StmtNode& l = loop(i);
      first[l.name] = i == inner ? simplify(l.min() - 1) : l.min();
      if (can_prove(Expr(0) < l.extent())) continue;
      runs = runs.defined() ? runs && Expr(0) < l.extent() : Expr(0) < l.extent();
    }
    const Expr end = simplify(substitute(end_of(needed_[d]), first));
    first[loop(inner).name] = loop(inner).min();
    Box box;
    for (const Range& r : needed_)
      box.push_back({simplify(substitute(r.min, first)), simplify(substitute(r.extent, first))});
    box[d].extent = simplify(end - box[d].min);
    window_.warm_up = over_loops(box, path_, loops_[inner] + 1);
    window_.slides = true;
    window_.runs = runs;
    window_.loop = loops_[outer];
    slides_at_ = loops_[inner];
    if (!earlier_.empty()) start_earlier();
  }

  /// Makes the first of the earlier uses compute all of it.
  void start_earlier() {
    std::optional<Box>& all = window_.warm_up;
    for (std::size_t i = 0; i < earlier_.size(); ++i) {
      window_.earlier[i].reset();
      const auto more = over_loops(earlier_[i].needed, earlier_[i].path, 0);
      if (more) all = all ? hull(*all, *more) : *more;
    }
    window_.earlier[0] = std::move(all);
    window_.warm_up.reset();
  }

  /// Returns how much of the dimension the earlier uses need at once, if that is known.
  std::optional<std::int64_t> most_earlier(std::size_t d) const {
    std::int64_t most = 1;
    for (const std::optional<Box>& box : window_.earlier) {
      const auto some = box ? most_of((*box)[d].extent) : 1;
      if (!some) return some;
      most = std::max(most, *some);
    }
    return most;
  }

  static std::optional<std::int64_t> larger(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
    return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
  }

  /// Returns the most of the dimension that is kept at once, if that is known. Where the window slides, it is
  /// kept for all iterations of the loops inside.
  std::optional<std::int64_t> most_kept(std::size_t d) const {
    if (!window_.slides) return larger(most_of(needed_[d].extent), most_earlier(d));
    const auto inside = over_loops(needed_, path_, slides_at_ + 1);
    return larger(inside ? most_of((*inside)[d].extent) : 0, most_earlier(d));
  }

  std::optional<std::int64_t> most_of(const Expr& extent) const {
    LoopScope scope;
    for (const std::size_t i : loops_) scope = with_loop(std::move(scope), *path_[i]);
    const std::int64_t most = largest_value(extent, scope);
    return most < INT32_MAX / 2 ? std::optional(std::max<std::int64_t>(most, 1)) : std::nullopt;
  }

  void fold_to_need(std::size_t d) {
    const auto most = larger(most_of(needed_[d].extent), most_earlier(d));
    if (most && !can_prove(window_.stored[d].extent <= Expr(static_cast<int>(*most))))
      window_.stored[d].fold = static_cast<int>(*most);
  }

  void fold(std::size_t d, int factor) {
    const auto most = most_kept(d);
    if (!most || *most > factor) {
      throw ScheduleError(fmt::format(
          "{}.fold_storage({}, {}): an iteration needs {} elements of that dimension at once{}",
          function_.name, function_.dims[d], factor, most ? fmt::format("{}", *most) : "an unknown number of",
          most ? "; use at least that factor" : "; drop it"));
    }
    window_.stored[d].fold = factor;
  }

  const schedule::ScheduledFunction& function_;
  const std::vector<Stmt>& path_;
  Box needed_;  // box that an iteration of the loop of the computation needs
  Substitution lets_;
  std::vector<WindowUse> earlier_;
  std::vector<std::size_t> loops_;  // positions in the path
  std::size_t slides_at_ = 0;       // index of the innermost loop that slides
  SlidingWindow window_;
};

}  // namespace

SlidingWindow sliding_window(const schedule::ScheduledFunction& function, const WindowUse& use,
                             const std::vector<WindowUse>& earlier, bool may_slide) {
  return WindowFinder(function, use, earlier).run(may_slide);
}

}  // namespace tensordsl::lower
