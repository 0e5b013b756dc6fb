// A way to run a kind of kernel.
#pragma once

#include <cstdint>
#include <string_view>

#include "definitions/stored_group.h"
#include "schedules/support/point.h"
#include "schedules/support/point_outline.h"
#include "schedules/support/target_of_profile.h"
#include "schedules/support/wanted_storage.h"

namespace tensordsl::schedules {

/// The choice that prices of outlines make about a strategy.
enum class PricedChoice : std::uint8_t {
  Configuration,  ///< the cheapest one
  Strategy,       ///< whether this strategy; its default configuration is nearer to the best than prices are
  Elsewhere       ///< as Strategy, but a first choice stays: rates of the unit gave it, by a formula that is
                  ///< nearer to real kernels than the price of an outline
};

/// Written with public directives only, for whatever group has the classes and axis roles that it asks for
/// (src/classify). Every function is pure but apply, which schedules the group's Funcs.
struct Strategy {
  std::string_view name;
  /// True if the strategy fits the group. Needs: operands and outputs with their layouts.
  bool (*applies)(const definitions::StoredGroup& group, const Target& target);
  Space (*space)(const definitions::StoredGroup& group, const Target& target);
  /// Returns the layouts that the strategy wants for constants. Null: all keep their layouts.
  WantedStorage (*wanted_storage)(const definitions::StoredGroup& group, const Point& point);
  /// Needs: Inputs and outputs with their layouts, constants as it wants them. Throws ScheduleError on a
  /// configuration that does not fit the group's extents.
  void (*apply)(const definitions::StoredGroup& group, const Point& point, const Target& target);
  /// True if the kernel with that configuration reads an operand, and writes its output, in aligned vectors
  /// of four, so that both may be images. Null: it does neither.
  bool (*reads_texels)(const definitions::StoredGroup& group, const Point& point,
                       std::size_t operand) = nullptr;
  bool (*writes_texels)(const definitions::StoredGroup& group, const Point& point) = nullptr;
  /// The name of the strategy that replaces this one where a device refuses its kernel. It applies to every
  /// group to which this one applies. Empty if there is none.
  std::string_view fallback = {};
  /// Returns a function that estimates configurations, for spaces that are too large to lower every one. The
  /// function may cache, so it is for one thread. Null: only the configurations near the default are
  /// evaluated.
  PointOutlines (*outlines)(const definitions::StoredGroup& group, const Target& target) = nullptr;
  PricedChoice priced = PricedChoice::Configuration;
};

}  // namespace tensordsl::schedules
