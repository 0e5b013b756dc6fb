#include "graph/schedule/choose_images.h"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "graph/schedule/image_layout.h"
#include "graph/schedule/schedule_group.h"
#include "schedules/support/texels.h"
#include "tensordsl/error.h"

namespace tensordsl::graph {
namespace {

/// Limits of an unknown device: those that every mobile GPU has at least.
constexpr ImageLimits kCommonLimits{16384, 16384, 2048, 65536};

/// Returns the layout without the elements that are left free around a part.
Layout without_gaps(const Layout& layout) {
  std::vector<Layout::Term> terms = layout.terms();
  for (Layout::Term& term : terms) {
    term.lead = term.gap = 0;
    term.lead_param.clear();
  }
  return Layout::of(terms);
}

class ImageChooser {
 public:
  ImageChooser(const Graph& graph, const ImageLimits& limits, TensorStorage& storage)
      : graph_(graph.definitions),
        kept_buffers_(graph.fallbacks.refused(Refusal::Images)),
        limits_(limits),
        storage_(storage) {}

  void run(const std::vector<ScheduledGroup>& groups) {
    for (std::size_t tensor = 0; tensor < graph_.tensors.size(); ++tensor) look_at(tensor);
    for (const ScheduledGroup& group : groups) look_at(group);
    std::map<std::size_t, std::vector<std::size_t>> families;
    for (std::size_t tensor = 0; tensor < graph_.tensors.size(); ++tensor) {
      if (is_intermediate(tensor) && !graph_.tensors[tensor].is_image)
        families[storage_.owner(tensor)].push_back(tensor);
    }
    for (const auto& [owner, tensors] : families) choose(owner, tensors);
  }

 private:
  bool is_intermediate(std::size_t tensor) const {
    return !graph_.tensors[tensor].constant && stored_.contains(storage_.owner(tensor));
  }

  /// A buffer, for the first reason that there is.
  void refuse(std::size_t tensor, const std::string& reason) {
    refused_.try_emplace(storage_.owner(tensor), reason);
  }

  void look_at(std::size_t tensor) {
    const definitions::DefinedTensor& t = graph_.tensors[tensor];
    if (t.is_image) return;
    if (t.func.is_input() || graph_.is_read_by_host(tensor)) refuse(tensor, "the host reads or writes it");
    if (kept_buffers_.contains(t.name)) refuse(tensor, "the device refused a kernel with it");
    const std::size_t owner = storage_.owner(tensor);
    const Layout &own = storage_.layouts[tensor], &whole = storage_.layouts[owner];
    if (own.rank() != whole.rank() || !(without_gaps(own) == without_gaps(whole)))
      refuse(tensor, "it shares memory with another tensor in another layout");
  }

  void look_at(const ScheduledGroup& scheduled) {
    const definitions::StoredGroup& group = scheduled.group;
    const schedules::Strategy& strategy = *scheduled.schedule.strategy;
    const bool is_kernel = scheduled.refusal.empty();
    for (std::size_t i = 0; i < group.operands.size(); ++i) {
      const std::size_t tensor = group.operands[i].tensor;
      if (group.operands[i].is_constant) continue;
      stored_.insert(storage_.owner(tensor));
      if (!is_kernel || !strategy.reads_texels || !strategy.reads_texels(group, scheduled.schedule.point, i))
        refuse(tensor, fmt::format("{} does not read four neighbors at a time", group.label));
      for (const int dim : schedules::window_dims(group, i)) sliding_[storage_.owner(tensor)].insert(dim);
    }
    for (const std::size_t tensor : group.stored_tensors) {
      stored_.insert(storage_.owner(tensor));
      if (!is_kernel || !strategy.writes_texels || !strategy.writes_texels(group, scheduled.schedule.point))
        refuse(tensor, fmt::format("{} does not write four neighbors at a time", group.label));
    }
  }

  void choose(std::size_t owner, const std::vector<std::size_t>& tensors) {
    std::map<std::size_t, Layout> chosen;
    for (const std::size_t tensor : tensors) {
      if (refused_.contains(owner)) break;
      const definitions::DefinedTensor& t = graph_.tensors[tensor];
      const auto layout =
          image_layout({t.type(), t.extents(), storage_.layouts[tensor]}, last_sliding(owner), limits_);
      if (layout) {
        chosen.emplace(tensor, *layout);
      } else {
        refuse(tensor, "its layout does not fit texels of four elements, or it exceeds the image limits");
      }
    }
    const auto refused = refused_.find(owner);
    for (const std::size_t tensor : tensors) {
      std::string& reason = storage_.reasons[tensor];
      if (!reason.empty()) reason += "; ";
      if (refused != refused_.end()) {
        reason += "a buffer: " + refused->second;
      } else {
        storage_.layouts[tensor] = chosen.at(tensor);
        reason += "an image: its kernels read and write four neighbors at a time";
      }
    }
  }

  /// Returns the innermost dimension over which windows slide.
  std::optional<int> last_sliding(std::size_t owner) const {
    const auto sliding = sliding_.find(owner);
    if (sliding == sliding_.end()) return std::nullopt;
    std::optional<int> last;
    for (const Layout::Term& term : storage_.layouts[owner].terms()) {
      if (sliding->second.contains(term.dim)) last = term.dim;
    }
    return last;
  }

  const definitions::DefinitionGraph& graph_;
  const std::set<std::string>& kept_buffers_;
  const ImageLimits& limits_;
  TensorStorage& storage_;
  std::set<std::size_t> stored_;                  // tensors that groups read or write, by owner
  std::map<std::size_t, std::string> refused_;    // by owner
  std::map<std::size_t, std::set<int>> sliding_;  // by owner
};

/// In an image of the kind that is wanted; if there is none of this size, in any.
std::optional<Layout> layout_of_constant(const StoredTensor& stored, ImageKind wanted,
                                         const ImageLimits& limits) {
  if (auto layout = image_layout(stored, wanted, limits)) return layout;
  return image_layout(stored, std::nullopt, limits);
}

}  // namespace

std::optional<ImageLimits> image_limits(const LoweringOptions& options) {
  if (!options.target.prefers_images) return std::nullopt;
  if (!options.device) return kCommonLimits;
  return options.device->has_images ? std::optional(options.device->image_limits) : std::nullopt;
}

void place_pictures(Graph& graph, const GraphContext& context) {
  const definitions::DefinitionGraph& definitions = graph.definitions;
  const std::optional<DeviceInfo>& device = context.options.device;
  for (std::size_t i = 0; i < definitions.tensors.size(); ++i) {
    if (!definitions.tensors[i].is_image) continue;
    if (device && !device->has_images)
      throw Error(
          fmt::format("the picture \"{}\" must be an image, but {} has no images; store it in a buffer",
                      definitions.tensors[i].name, device->name));
    graph.storage.layouts[i] = Layout::parse("n h | w | c", {"n", "h", "w", "c"});
    graph.storage.reasons[i] = "an image: as requested";
  }
}

void choose_images(Graph& graph, const GraphContext& context) {
  const std::vector<ScheduledGroup> groups = scheduled_groups(graph, context.options);
  graph.image_limits = image_limits(context.options);
  ImageChooser(graph, *graph.image_limits, graph.storage).run(groups);
}

void store_constants_in_images(const Graph& graph, definitions::StoredGroup& group,
                               const GroupSchedule& schedule) {
  const schedules::Strategy& strategy = *schedule.strategy;
  if (!graph.image_limits || !strategy.reads_texels || !strategy.wanted_storage) return;
  for (const auto& [operand, wanted] : strategy.wanted_storage(group, schedule.point)) {
    if (!wanted.image) continue;
    definitions::GroupOperand& constant = group.operands[operand];
    if (graph.fallbacks.is_refused(Refusal::Images, graph.definitions.tensors[constant.tensor].name))
      continue;
    if (!strategy.reads_texels(group, schedule.point, operand)) continue;
    const auto layout = layout_of_constant(constant.stored, *wanted.image, *graph.image_limits);
    if (!layout) continue;
    constant.stored.layout = *layout;
    constant.stored.image = image_of(*layout);
  }
}

}  // namespace tensordsl::graph
