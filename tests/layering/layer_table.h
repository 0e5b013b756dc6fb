// src/layers.txt as data, and the check of every #include against it.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "layering/source_tree.h"

namespace tensordsl::layering {

struct Layer {
  std::string name;
  std::string folder;
  std::set<std::string> may_include;  ///< names of layers; "public" stands for every public header
};

struct LayerTable {
  std::vector<Layer> layers;
  std::map<std::string, std::string> public_headers;  ///< file name below include/tensordsl -> layer
};

/// Throws std::runtime_error naming the line if it is neither a layer nor a public line, or if it names a
/// layer that is not declared above it: so the layers have no cycles.
LayerTable parse_layers(std::string_view text);

/// One line for each #include that breaks the table: file, line, include, and the two layers. `files` is the
/// whole tree that is checked; an #include <...> that names none of them is the system's.
std::vector<std::string> check_includes(const LayerTable& table, const std::vector<SourceFile>& files);

}  // namespace tensordsl::layering
