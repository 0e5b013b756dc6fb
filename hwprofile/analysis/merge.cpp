#include "hwprofile/analysis/merge.h"

#include "hwprofile/profile_fields.h"

namespace tensordsl::hwprofile {
namespace {

/// The fields of a profile in their order.
class Fields {
 public:
  std::vector<std::optional<Measurement>*> figures;
  std::vector<std::optional<BoolMeasurement>*> findings;
  std::vector<std::vector<CacheLevel>*> lists;
  std::vector<std::vector<int>*> sizes;
  std::vector<std::vector<OccupancyStep>*> occupancies;

  void text(const char*, std::string&) {}
  void texts(const char*, std::vector<std::string>&) {}
  void numbers(const char*, std::vector<int>& values) { sizes.push_back(&values); }
  void steps(const char*, std::vector<OccupancyStep>& steps) { occupancies.push_back(&steps); }
  void field(const char*, const char*, std::optional<Measurement>& f) { figures.push_back(&f); }
  void field(const char*, const char*, std::optional<BoolMeasurement>& f) { findings.push_back(&f); }
  template <typename F>
  void group(const char*, F visit) {
    visit();
  }
  void levels(const char*, std::vector<CacheLevel>& levels) { lists.push_back(&levels); }
};

}  // namespace

void merge_into(HwProfile& whole, const HwProfile& part) {
  HwProfile from = part;
  Fields mine, others;
  visit_fields(whole, mine);
  visit_fields(from, others);
  for (std::size_t i = 0; i < mine.figures.size(); ++i)
    if (*others.figures[i]) *mine.figures[i] = *others.figures[i];
  for (std::size_t i = 0; i < mine.findings.size(); ++i)
    if (*others.findings[i]) *mine.findings[i] = *others.findings[i];
  for (std::size_t i = 0; i < mine.lists.size(); ++i)
    if (!others.lists[i]->empty()) *mine.lists[i] = *others.lists[i];
  for (std::size_t i = 0; i < mine.sizes.size(); ++i)
    if (!others.sizes[i]->empty()) *mine.sizes[i] = *others.sizes[i];
  for (std::size_t i = 0; i < mine.occupancies.size(); ++i)
    if (!others.occupancies[i]->empty()) *mine.occupancies[i] = *others.occupancies[i];
}

}  // namespace tensordsl::hwprofile
