// Elements of a drawing, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tensordsl::hwprofile {

/// `&`, `<`, `>` and quotes as entities; characters that XML does not allow are left out.
std::string escaped(std::string_view text);

struct Place {
  double x = 0, y = 0;  ///< in pixels, from the left upper corner
};

enum class Anchor { Start, Middle, End };

/// Looks are left to the page's style sheet, by classes.
class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  void line(Place from, Place to, std::string_view style);
  void path(const std::vector<Place>& through, std::string_view style);
  void rectangle(Place corner, double width, double height, std::string_view style);
  /// `hint` is shown when the pointer rests on it.
  void dot(Place at, double radius, std::string_view style, std::string_view hint);
  void text(Place at, std::string_view what, std::string_view style, Anchor anchor = Anchor::Start);
  /// Upwards, around its middle.
  void upright_text(Place at, std::string_view what, std::string_view style);

  std::string str() const;

 private:
  std::string head_, body_;
};

}  // namespace tensordsl::hwprofile
