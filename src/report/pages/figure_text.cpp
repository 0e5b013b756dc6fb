#include "report/pages/figure_text.h"

#include "report/quantity.h"

namespace tensordsl::report {

std::string figure_text(const std::optional<Measurement>& figure, std::string_view unit) {
  if (!figure) return "?";
  return (figure->confident ? "" : "about ") + quantity(figure->value, unit);
}

}  // namespace tensordsl::report
