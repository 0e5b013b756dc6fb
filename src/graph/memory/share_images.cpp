#include "graph/memory/share_images.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/iota.hpp>
#include <tuple>
#include <vector>

#include "graph/memory/lifetimes.h"
#include "runtime/values/evaluate.h"
#include "schedules/support/texels.h"

namespace tensordsl::graph {
namespace {

using Sides = std::array<std::int64_t, 3>;

Sides sides_of(const Program::Tensor& tensor) {
  return {runtime::evaluate(tensor.image->width, {}), runtime::evaluate(tensor.image->height, {}),
          runtime::evaluate(tensor.image->layers, {})};
}

struct SharedImage {
  std::size_t first = 0;  // the tensor that it is made for
  Sides sides{};
  std::int64_t bytes = 0;
  std::vector<Lifetime> lives;
};

bool is_alike(const Program::Tensor& a, const Program::Tensor& b) {
  return a.stored.type == b.stored.type && a.stored.image == b.stored.image &&
         a.image->channels == b.image->channels;
}

bool is_free(const SharedImage& image, const Lifetime& life) {
  return std::ranges::all_of(
      image.lives, [&](const Lifetime& other) { return life.last < other.first || other.last < life.first; });
}

bool fits_image(const Sides& sides, const SharedImage& image, bool is_exact) {
  if (is_exact) return sides == image.sides;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i] > image.sides[i]) return false;
  }
  return true;
}

/// Returns the tensors (DefinedTensor::name of the owner) outside of which a kernel may read, where it relies
/// on zeros: at indices that are not plain dimensions, or reach further than the tensor.
std::set<std::string> images_read_beside(const Graph& graph) {
  std::set<std::string> names;
  for (const ScheduledGroup& scheduled : graph.scheduled) {
    const definitions::StoredGroup& group = scheduled.group;
    for (std::size_t i = 0; i < group.operands.size(); ++i) {
      if (group.operands[i].stored.image && !schedules::stays_within(group, i))
        names.insert(graph.definitions.tensors[graph.storage.owner(group.operands[i].tensor)].name);
    }
  }
  return names;
}

}  // namespace

void share_images(Program& program, const std::set<std::string>& exact) {
  const std::vector<std::optional<Lifetime>> lives = find_lifetimes(program);
  const auto is_image = [&](std::size_t t) { return lives[t] && program.tensors[t].image; };
  auto order = ranges::views::iota(std::size_t{0}, lives.size()) | ranges::views::filter(is_image) |
               ranges::to<std::vector>();
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t t) {
    return std::tuple(lives[t]->bytes, exact.contains(program.tensors[t].name));
  });
  std::vector<SharedImage> images;
  for (const std::size_t t : order) {
    Program::Tensor& tensor = program.tensors[t];
    const Sides sides = sides_of(tensor);
    SharedImage* best = nullptr;
    for (SharedImage& image : images) {
      const bool is_possible = is_alike(tensor, program.tensors[image.first]) && is_free(image, *lives[t]) &&
                               fits_image(sides, image, exact.contains(tensor.name));
      if (is_possible && (!best || image.bytes < best->bytes)) best = &image;
    }
    if (!best) {
      images.push_back({t, sides, lives[t]->bytes, {}});
      best = &images.back();
    }
    best->lives.push_back(*lives[t]);
    tensor.slot =
        static_cast<int>(program.slot_bytes.size() + static_cast<std::size_t>(best - images.data()));
  }
  for (const SharedImage& image : images) program.slot_bytes.push_back(image.bytes);
}

void share_images(Graph& graph, const GraphContext&) {
  share_images(graph.program, images_read_beside(graph));
}

}  // namespace tensordsl::graph
