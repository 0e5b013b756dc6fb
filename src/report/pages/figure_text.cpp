#include "report/pages/figure_text.h"

#include "report/quantity.h"

namespace tensordsl::hwprofile {

std::string figure_text(const std::optional<Measurement>& figure, std::string_view unit) {
  if (!figure) return "?";
  return (figure->confident ? "" : "about ") + report::quantity(figure->value, unit);
}

}  // namespace tensordsl::hwprofile
