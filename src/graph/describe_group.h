// The stages of a group as text.
#pragma once

#include <string>

#include "definitions/definition_graph.h"
#include "graph/lower_groups.h"

namespace tensordsl {

/// Whether the group's label, its output's name in the model or its kernel's name contains `filter`.
bool matches(const DefinitionGraph& graph, const Group& group, const std::string& filter);

/// "classes", "groups", "layouts", or a stage of Pipeline::emit. The group's Funcs are scheduled by the
/// latter, as they are compiled for `device`, if it is known.
std::string describe_group(const DefinitionGraph& graph, ScheduledGroup& scheduled, const std::string& stage,
                           const std::optional<DeviceInfo>& device);

}  // namespace tensordsl
