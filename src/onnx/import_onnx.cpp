#include "onnx/import_onnx.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "base/text/printable.h"
#include "onnx/bodies/bodies.h"
#include "onnx/file/external_files.h"
#include "onnx/file/parse_model_file.h"
#include "onnx/file/random_weights.h"
#include "onnx/file/read_dimension.h"
#include "onnx/file/read_node.h"
#include "onnx/file/read_tensor.h"
#include "onnx/rewrite/normalize_nodes.h"
#include "onnx/rewrite/order_nodes.h"
#include "onnx/rewrite/part_of_model.h"
#include "onnx/shapes/constant_of_input.h"
#include "onnx/shapes/fix_by_inputs.h"
#include "ops/loop_marks.h"
#include "ops/narrow_types.h"
#include "ops/tables/tables.h"
#include "runtime/memory/memory_text.h"
#include "tensordsl/conversion.h"
#include "tensordsl/error.h"

namespace tensordsl::onnx {
namespace {

using ops::kMaxRank;
using ops::Shape;
using ops::TensorInfo;

namespace fs = std::filesystem;

constexpr std::int64_t kMinOpset = 6;

template <typename... Arguments>
[[noreturn]] void refuse(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  throw ModelError(fmt::format(format, std::forward<Arguments>(arguments)...));
}

/// Builds a Graph from a parsed file, in the order of the functions below.
class Importer {
 public:
  Importer(const ::onnx::ModelProto& model, const fs::path& folder, const ImportOptions& options)
      : model_(model),
        proto_(model.graph()),
        folder_(folder),
        options_(options),
        bodies_(model, folder, graph_, options.operators, options.steps, defined_,
                [this](const std::string& tensor, Buffer value, int data_type) {
                  note_element_type(tensor, data_type);
                  add_constant(tensor, std::move(value));
                }) {}

  Graph run() {
    read_opset();
    bodies_.require_supported();
    graph_.name = printable(proto_.name());
    read_initializers();
    read_inputs();
    read_nodes();
    read_outputs();
    check_names();
    order_nodes(graph_);
    note_file_tensors();
    normalize_nodes(graph_, bodies_, defined_, options_.evaluate, options_.values,
                    [this](std::int64_t bytes) { reserve_constant(bytes); });
    check_outputs();
    return std::move(graph_);
  }

 private:
  void read_opset() {
    if (!model_.has_graph()) refuse("the file has no graph; is it an ONNX model?");
    for (const auto& set : model_.opset_import()) {
      if (is_own_domain(set.domain())) graph_.opset = set.version();
    }
    if (graph_.opset < kMinOpset || graph_.opset > ops::tables::kLatest) {
      refuse("opset {} is not supported; supported: {} to {}", graph_.opset, kMinOpset, ops::tables::kLatest);
    }
  }

  /// Registers the definition of a tensor.
  void define(const std::string& tensor, std::string_view what) {
    if (tensor.empty() || !is_printable(tensor))
      refuse("the {} '{}' has a name that is not printable text", what, printable(tensor));
    if (!defined_.insert(tensor).second)
      refuse("tensor '{}' is defined twice, the second time as {}", tensor, what);
  }

  void add_constant(const std::string& tensor, Buffer value) {
    reserve_constant(static_cast<std::int64_t>(value.size_bytes()));
    graph_.add_constant(tensor, std::move(value));
  }

  void note_element_type(const std::string& tensor, int data_type) {
    if (ops::find_narrow_type(data_type)) graph_.element_types.insert_or_assign(tensor, data_type);
  }

  /// Says of an input or output in which type its elements are given.
  void note_given_type(std::string_view what, const std::string& tensor, int data_type) {
    const ops::NarrowType* type = ops::find_narrow_type(data_type);
    if (!type) return;
    graph_.warnings.push_back(fmt::format("the {} '{}' is {}, but is given as {}", what, tensor, type->name,
                                          to_string(type->held)));
  }

  void reserve_constant(std::int64_t bytes) {
    if (bytes > options_.max_constant_bytes - constant_bytes_) {
      refuse("its constants are larger than the limit of {} bytes", options_.max_constant_bytes);
    }
    constant_bytes_ += bytes;
  }

  /// Refuses constants that are too large before minutes are spent on reading or making them.
  void check_initializers() const {
    std::vector<TensorInfo> infos;
    std::vector<runtime::TensorMemory> tensors;
    std::int64_t bytes = 0;
    for (const auto& tensor : proto_.initializer()) {
      infos.push_back(read_tensor_info(tensor));
      const TensorInfo& info = infos.back();
      tensors.push_back({printable(info.name), to_string(info), checked_bytes(info.type, info.shape)});
      bytes += tensors.back().bytes;
    }
    if (bytes > options_.max_constant_bytes) {
      refuse("its initializers need {}, but the limit is {}; the largest are {}", runtime::bytes_text(bytes),
             runtime::bytes_text(options_.max_constant_bytes), runtime::largest_text(std::move(tensors)));
    }
    if (options_.check_initializers) options_.check_initializers(infos);
  }

  void read_initializers() {
    check_initializers();
    for (const auto& tensor : proto_.sparse_initializer()) {
      define(tensor.values().name(), "initializer");
      add_constant(tensor.values().name(), read_sparse_tensor(tensor, folder_));
    }
    const auto uses = first_uses(proto_);
    for (const auto& tensor : proto_.initializer()) {
      const TensorInfo info = read_tensor_info(tensor);
      define(info.name, "initializer");
      note_element_type(info.name, tensor.data_type());
      reserve_constant(checked_bytes(info.type, info.shape));
      if (override_initializer(info)) continue;
      if (!options_.random_weights || !external_file_is_absent(tensor, folder_)) {
        graph_.add_constant(info.name, read_tensor(tensor, folder_));
        continue;
      }
      graph_.add_constant(info.name, random_weight(info, uses));
    }
  }

  /// Only an initializer that is listed as an input may get another value, and before IR version 4 every
  /// initializer had to be listed.
  bool override_initializer(const TensorInfo& info) {
    const auto given = options_.initializers.find(info.name);
    if (given == options_.initializers.end() || model_.ir_version() < 4) return false;
    if (!is_listed_as_input(info.name)) return false;
    const Buffer& value = given->second;
    const bool has_type = converts_exactly(value.type(), info.type);
    if (!has_type || Shape(value.shape()) != info.shape) {
      refuse("the initializer '{}' is {}; the value given for it is {}{}{}", info.name, to_string(info),
             to_string(value.type()), ops::to_string(value.shape()),
             has_type ? "" : conversion_remedy(info.type));
    }
    graph_.add_constant(info.name, value.type() == info.type ? value : value.converted(info.type));
    graph_.overridden.push_back(info.name);
    return true;
  }

  void read_inputs() {
    for (const auto& value : proto_.input()) {
      if (graph_.is_constant(value.name()))
        continue;  // an initializer listed as an input, as before IR version 4
      define(value.name(), "input");
      const std::string& name = value.name();
      if (!value.type().has_tensor_type() || !value.type().tensor_type().has_shape()) {
        refuse("input '{}' is not a tensor of known shape", name);
      }
      const auto& type = value.type().tensor_type();
      TensorInfo info{name, read_type(type.elem_type(), fmt::format("input '{}'", name)), {}};
      if (type.shape().dim_size() > static_cast<int>(kMaxRank))
        refuse("input '{}' has more than {} dimensions", name, kMaxRank);
      for (int d = 0; d < type.shape().dim_size(); ++d) {
        const auto& dim = type.shape().dim(d);
        const std::string own_name = fmt::format("{}[{}]", name, d);
        const bool is_number = dim.has_dim_value() && dim.dim_value() >= 0;
        info.shape.push_back(is_number ? ops::Size(dim.dim_value())
                                       : dimensions_.read(own_name, dim.dim_param()));
      }
      try {
        check_tensor(info.type, info.shape);
      } catch (const ShapeError& error) {
        refuse("input '{}': {}", name, error.what());
      }
      note_element_type(name, type.elem_type());
      if (const auto given = options_.constants.find(name); given != options_.constants.end()) {
        add_constant(name, constant_of_input(info, given->second));
        continue;
      }
      note_given_type("input", name, type.elem_type());
      graph_.inputs.push_back(name);
      graph_.tensors.emplace(name, std::move(info));
    }
    dimensions_.check_given_are_used();
    for (const auto& [name, value] : options_.constants) {
      if (!graph_.is_constant(name) || !is_listed_as_input(name))
        refuse("the model has no input '{}', for which a constant is given; its inputs are {}",
               printable(name), fmt::join(graph_.inputs, ", "));
    }
  }

  bool is_listed_as_input(const std::string& name) const {
    return std::ranges::any_of(proto_.input(), [&](const auto& input) { return input.name() == name; });
  }

  void read_nodes() { graph_.nodes = bodies_.read(); }

  void read_outputs() {
    if (proto_.output_size() == 0) refuse("the graph has no output");
    for (const auto& output : proto_.output()) {
      if (!defined_.contains(output.name()))
        refuse("the output '{}' is not defined by any node", printable(output.name()));
      if (graph_.is_output(output.name())) refuse("the output '{}' is listed twice", output.name());
      graph_.outputs.push_back(output.name());
    }
  }

  void check_names() {
    for (const ops::Node& node : graph_.nodes) {
      for (const std::string& input : node.inputs) {
        if (!input.empty() && !defined_.contains(input)) {
          refuse("{}: its input '{}' is not defined: no input, initializer or node output has this name",
                 label(node), printable(input));
        }
      }
    }
  }

  void note_file_tensors() {
    for (const ops::Node& node : graph_.nodes) {
      for (const std::string& output : node.outputs) {
        if (!output.empty()) graph_.file_tensors.push_back({output, node.op, node.name});
      }
    }
  }

  /// Refuses an output that is declared with another type, and warns of another shape: the computed shape is
  /// right; some exporters write others.
  void check_outputs() {
    for (const auto& output : proto_.output()) {
      if (!output.type().has_tensor_type()) continue;
      const auto& declared = output.type().tensor_type();
      const TensorInfo& found = graph_.info(output.name());
      const Type type = read_type(declared.elem_type(), fmt::format("output '{}'", output.name()));
      const Shape shape = declared_shape(declared, found.shape);
      note_given_type("output", output.name(), declared.elem_type());
      if (type != found.type) {
        refuse("the output '{}' is declared as {}{} but computed as {}", output.name(), to_string(type),
               to_string(shape), to_string(found));
      }
      if (shape != found.shape) {
        graph_.warnings.push_back(fmt::format("the output '{}' is declared as {}{}; it is {}", output.name(),
                                              to_string(type), to_string(shape), to_string(found)));
      }
    }
  }

  /// Dimensions without a size are those that are found.
  static Shape declared_shape(const ::onnx::TypeProto::Tensor& declared, Shape found) {
    if (!declared.has_shape()) return found;
    found.resize(std::min(declared.shape().dim_size(), static_cast<int>(kMaxRank) + 1));
    for (std::size_t d = 0; d < found.size(); ++d) {
      const auto& dim = declared.shape().dim(static_cast<int>(d));
      if (dim.has_dim_value() && dim.dim_value() >= 0) found[d] = dim.dim_value();
    }
    return found;
  }

  const ::onnx::ModelProto& model_;
  const ::onnx::GraphProto& proto_;
  const fs::path& folder_;
  const ImportOptions& options_;
  Graph graph_;
  std::set<std::string> defined_;  // the name of every tensor
  Bodies bodies_;
  Dimensions dimensions_{options_.dims};
  std::int64_t constant_bytes_ = 0;
};

ModelFile model_file(const ::onnx::ModelProto& model) {
  ModelFile file;
  for (const auto& input : model.graph().input()) file.inputs.push_back(input.name());
  const std::set<std::string> weights = external_files(model);
  file.weights.assign(weights.begin(), weights.end());
  return file;
}

/// Returns the value of a tensor that a node of the model's graph gives; nothing if it does not follow from
/// the constants of the options.
std::optional<Buffer> value_of(const ::onnx::ModelProto& model, const fs::path& folder,
                               const std::string& tensor, ImportOptions options) {
  const std::optional<::onnx::ModelProto> part = part_for(model, tensor);
  if (!part) return std::nullopt;
  options.inputs.clear();
  const Graph graph = Importer(*part, folder, options).run();
  return graph.is_constant(tensor) ? std::optional(graph.constants.at(tensor)) : std::nullopt;
}

/// Imports the model for all inputs or, where that is impossible, specialized for the given ones.
Graph import_for_inputs(const ::onnx::ModelProto& model, const fs::path& folder, ImportOptions options) {
  std::vector<std::string> warnings;
  const std::map<std::string, Buffer> constants = options.constants;
  const std::size_t dims = options.dims.size();
  const ModelFile file = model_file(model);
  if (options.before_weights) options.before_weights(file);
  const ValueOf evaluated = [&](const std::string& tensor, const ImportOptions& all_constants) {
    return value_of(model, folder, tensor, all_constants);
  };
  for (;;) {
    try {
      Graph graph = Importer(model, folder, options).run();
      if (const auto misfit = find_misfit(model.graph(), graph, options.inputs)) {
        // Sizes that were taken to be equal, or multiples, are not in these inputs.
        if (auto fixed = fix_by_inputs(model.graph(), options, ShapeError(*misfit), evaluated)) {
          warnings.push_back(fmt::format("the model is loaded only for {}, the sizes of the inputs: {}",
                                         fixed->text, *misfit));
          options = std::move(fixed->options);
          continue;
        }
      }
      graph.warnings.insert(graph.warnings.begin(), warnings.begin(), warnings.end());
      graph.has_sizes_of_inputs = options.dims.size() > dims;
      graph.external_files = file.weights;
      graph.is_for_values.assign(options.value_sources.begin(), options.value_sources.end());
      for (const auto& [name, value] : options.constants)
        if (!constants.contains(name)) graph.overridden.push_back(name);
      return graph;
    } catch (const ops::UnknownSteps& error) {
      if (!options.steps.repeated.insert(error.loop).second) throw;
      options.steps.written_out.erase(error.loop);
    } catch (const ops::UnevenSteps& error) {
      // One form was tried after the other.
      if (options.steps.repeated.contains(error.loop) || !options.steps.written_out.insert(error.loop).second)
        throw;
    } catch (const Error& error) {
      auto fixed = fix_by_inputs(model.graph(), options, error, evaluated);
      if (!fixed) throw;
      warnings.push_back(fmt::format("the model is loaded only for {}, the sizes of the inputs: {}",
                                     fixed->text, error.what()));
      options = std::move(fixed->options);
    }
  }
}

/// Runs `import` and makes every failure one printable line that starts with `name`.
template <typename Import>
Graph with_name(const std::string& name, Import import) {
  try {
    return import();
  } catch (const Error& error) {
    throw ModelError(printable(fmt::format("{}: {}", name, error.what())));
  } catch (const std::bad_alloc&) {
    throw ModelError(printable(fmt::format("{}: out of memory while loading it", name)));
  }
}

}  // namespace

Graph import_onnx(const fs::path& path, const ImportOptions& options) {
  return with_name(path.string(), [&] {
    ::onnx::ModelProto model;
    parse_model_file(path, model);
    return import_for_inputs(model, path.parent_path(), options);
  });
}

Graph import_onnx(std::string_view bytes, const std::string& name, const fs::path& folder,
                  const ImportOptions& options) {
  return with_name(name, [&] {
    ::onnx::ModelProto model;
    if (bytes.size() > std::numeric_limits<std::int32_t>::max() ||
        !model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      refuse("the file is damaged, or not an ONNX model");
    }
    return import_for_inputs(model, folder, options);
  });
}

}  // namespace tensordsl::onnx
