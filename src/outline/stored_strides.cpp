#include "outline/stored_strides.h"

namespace tensordsl::outline {

void StoredStrides::add_terms(int dim, int variable, double coefficient, predict::NestAccess& access) const {
  for (const Term& term : terms) {
    if (term.of.dim != dim) continue;
    predict::AddressTerm address{variable, coefficient, 1, 0, term.bytes};
    if (term.of.part == Layout::Term::Part::Quotient) address.divisor = term.of.factor;
    if (term.of.part == Layout::Term::Part::Remainder) {
      address.divisor = term.of.divisor;
      address.modulus = term.of.factor;
    }
    access.terms.push_back(address);
  }
}

StoredStrides stored_strides(const Layout& layout, const std::vector<std::int64_t>& extents,
                             int element_bytes, std::optional<ImageKind> image) {
  constexpr double kRow = 4096, kTexel = 4;  // texels, elements
  const std::vector<std::int64_t> stored = layout.stored_extents(extents);
  StoredStrides strides;
  strides.terms.resize(stored.size());
  double bytes = element_bytes, coordinate = kTexel * element_bytes, elements = 1;
  std::size_t group = image ? layout.group_ends().size() : 0;
  for (std::size_t i = stored.size(); i-- > 0;) {
    if (group > 1 && i + 1 == layout.group_ends()[group - 2]) {
      bytes = coordinate;
      coordinate *= kRow;
      --group;
    }
    const Layout::Term& term = layout.terms()[i];
    strides.terms[i] = {term, bytes};
    const double places = static_cast<double>(stored[i]) + term.gap + term.lead;
    bytes *= places;
    elements *= places;
  }
  strides.bytes = elements * element_bytes;
  return strides;
}

}  // namespace tensordsl::outline
