#include "hwprofile/report/svg.h"

#include <fmt/format.h>

namespace tensordsl::hwprofile {

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') result += c;
    }
  }
  return result;
}

Svg::Svg(double width, double height, std::string_view title)
    : head_(fmt::format("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n", width, height,
                        escaped(title))) {}

void Svg::line(Place from, Place to, std::string_view style) {
  body_ += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       style, from.x, from.y, to.x, to.y);
}

void Svg::path(const std::vector<Place>& through, std::string_view style) {
  if (through.empty()) return;
  body_ += fmt::format("<polyline class=\"{}\" points=\"", style);
  for (std::size_t i = 0; i < through.size(); ++i)
    body_ += fmt::format("{}{:.1f},{:.1f}", i ? " " : "", through[i].x, through[i].y);
  body_ += "\"/>\n";
}

void Svg::rectangle(Place corner, double width, double height, std::string_view style) {
  body_ += fmt::format(
      "<rect class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\"/>\n", style,
      corner.x, corner.y, width, height);
}

void Svg::dot(Place at, double radius, std::string_view style, std::string_view hint) {
  body_ += fmt::format(
      "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}</title></circle>\n", style,
      at.x, at.y, radius, escaped(hint));
}

void Svg::text(Place at, std::string_view what, std::string_view style, Anchor anchor) {
  constexpr const char* kAnchors[] = {"start", "middle", "end"};
  body_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", style,
                       at.x, at.y, kAnchors[static_cast<int>(anchor)], escaped(what));
}

void Svg::upright_text(Place at, std::string_view what, std::string_view style) {
  body_ += fmt::format(
      "<text class=\"{0}\" transform=\"translate({1:.1f},{2:.1f}) rotate(-90)\" "
      "text-anchor=\"middle\">{3}</text>\n",
      style, at.x, at.y, escaped(what));
}

std::string Svg::str() const { return head_ + body_ + "</svg>\n"; }

}  // namespace tensordsl::hwprofile
