#include "report/timeline_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/escape.h"
#include "report/quantity.h"
#include "report/series_style.h"

namespace tensordsl::report {
namespace {

constexpr double kWidth = 1140, kHeight = 420, kLeft = 84, kRight = 12, kTop = 26, kBottom = 40;

/// A round number of steps between ticks, such that some ten fit.
int tick_distance(int steps) {
  int distance = 1;
  while (steps / distance > 12) {
    const int digit = distance / static_cast<int>(std::pow(10, std::floor(std::log10(distance))));
    distance = digit == 2 ? distance / 2 * 5 : distance * 2;
  }
  return distance;
}

class Drawing {
 public:
  explicit Drawing(const Timeline& timeline) : timeline_(timeline) {
    for (const TimelineBar& bar : timeline.bars) {
      steps_ = std::max(steps_, bar.last + 1);
      high_ = std::max(high_, bar.high);
    }
    for (const Mark& mark : timeline.marks) high_ = std::max(high_, mark.value);
    if (high_ <= 0) high_ = 1;
  }

  std::string run() {
    svg_ = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth, kHeight,
                       html_text(timeline_.title));
    draw_axes();
    for (std::size_t i = 0; i < timeline_.bars.size(); ++i) draw(timeline_.bars[i], i);
    for (const double rule : timeline_.rules) draw_level(rule, "rule");
    for (const Mark& mark : timeline_.marks) {
      draw_level(mark.value, "mark");
      text(kWidth - kRight - 4, y(mark.value) - 4, "end", mark.label, "mark");
    }
    return svg_ + "</svg>\n";
  }

 private:
  double x(double step) const { return kLeft + step / steps_ * (kWidth - kLeft - kRight); }
  double y(double value) const { return kHeight - kBottom - value / high_ * (kHeight - kTop - kBottom); }

  void text(double x, double y, const char* anchor, const std::string& what, const char* kind) {
    svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x, y,
                        anchor, kind, html_text(what));
  }

  void draw_level(double value, const char* kind) {
    svg_ += fmt::format("<line x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                        kLeft, kWidth - kRight, y(value), y(value), kind);
  }

  void draw_axes() {
    constexpr int kParts = 4;
    for (int part = 0; part <= kParts; ++part) {
      const double value = high_ * part / kParts;
      draw_level(value, "grid");
      text(kLeft - 6, y(value) + 4, "end", quantity(value, timeline_.y.unit), "tick");
    }
    for (int step = 0; step < steps_; step += tick_distance(steps_))
      text(x(step + 0.5), kHeight - kBottom + 16, "middle", fmt::format("{}", step), "tick");
    text((kLeft + kWidth - kRight) / 2, kHeight - 6, "middle", timeline_.step, "tick");
    text(kLeft, kTop - 10, "start", timeline_.y.name, "tick");
  }

  void draw(const TimelineBar& bar, std::size_t index) {
    const double left = x(bar.first), width = std::max(1.0, x(bar.last + 1) - left);
    const double top = y(bar.high), height = std::max(1.0, y(bar.low) - top);
    svg_ += fmt::format(
        "<g class=\"bar\"><title>{}\n{}</title><rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" "
        "height=\"{:.2f}\" "
        "fill=\"{}\" stroke=\"{}\"/>",
        html_text(bar.name), html_text(bar.hint), left, top, width, height, series_style(index).color,
        series_style(index).color);
    constexpr double kCharacter = 6.2, kLine = 14;
    if (height >= kLine && width >= kCharacter * static_cast<double>(bar.name.size()) + 8)
      text(left + width / 2, top + height / 2 + 4, "middle", bar.name, "name");
    svg_ += "</g>\n";
  }

  const Timeline& timeline_;
  int steps_ = 1;
  double high_ = 0;
  std::string svg_;
};

}  // namespace

std::string timeline_svg(const Timeline& timeline) { return Drawing(timeline).run(); }

}  // namespace tensordsl::report
