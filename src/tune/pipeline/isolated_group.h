// Funcs of a pipeline that are computed together -> a group of its own, over Inputs
#pragma once

#include <map>
#include <string>
#include <vector>

#include "definitions/stored_group.h"
#include "tune/pipeline/pipeline_copy.h"

namespace tensordsl::tune {

/// The placement of a Func of a pipeline: where it is computed.
enum class Place {
  Inline,  ///< substituted into its readers
  Root,    ///< computed before its readers, by kernels of its own
  Item,    ///< computed by the work-item that needs it; only for accumulated Funcs
  Tile,    ///< once for a tile or a row of the output
};

/// The placements of all Funcs that are neither Inputs nor outputs, by name.
using Places = std::map<std::string, Place>;

/// Returns the Funcs that have kernels of their own, producers before readers.
std::vector<Func> roots_of(const PipelineCopy& pipeline, const Places& places);

/// Returns the Funcs that are computed with `root`, producers before readers; `root` is the last.
std::vector<Func> members_of(const PipelineCopy& pipeline, const Places& places, const Func& root);

struct IsolatedGroup {
  definitions::StoredGroup group;
  std::map<std::string, std::string> names;  ///< names of variables, by their names in the group
};

/// The members with Funcs of the same names; other roots that they read are Inputs. Variables have names that
/// no strategy gives loops, and every index counts from 0, whatever box the Func is computed on. An extent
/// that is not known is a Param.
IsolatedGroup isolate(const PipelineCopy& pipeline, const std::map<std::string, Box>& boxes,
                      const Places& places, const Func& root);

}  // namespace tensordsl::tune
