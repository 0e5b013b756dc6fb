#include "apps/tensordsl/diff/model_diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <range/v3/range/conversion.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/transform.hpp>

#include "apps/tensordsl/console/progress.h"
#include "apps/tensordsl/diff/onnx_runtime.h"
#include "apps/tensordsl/model/assignments.h"
#include "apps/tensordsl/model/params_from_arrays.h"
#include "apps/tensordsl/report/run_report.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

using Fate = NodeOutput::Fate;

std::string names_text(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    if (shown.size() < kShown) shown.push_back("\"" + name + "\"");
  }
  if (names.size() > kShown) shown.emplace_back("..");
  return shown.empty() ? "none" : fmt::format("{}", fmt::join(shown, ", "));
}

/// The expected tensors, and the name of their source.
struct Reference {
  std::string name;
  Arrays tensors;
};

class Diff {
 public:
  explicit Diff(const DiffArguments& options) : options_(options), device_(open(options)) {}

  DiffReport run() {
    if (!options_.model.pictures.empty())
      throw Error(
          "--picture: diff compares the tensors of the model as its file defines them; drop --picture");
    report_.model = options_.model.model;
    report_.device = device_->info().name;
    report_.lists_all = options_.all;
    report_.keeps_fusion = options_.fused;
    Arrays given = read_arrays("--inputs", options_.inputs);
    file_ = read_arrays("--against", options_.against);
    arguments_ = options_.model;
    arguments_.arrays = given;
    params_ = parse_params(arguments_.params);
    const Model model = load_model_file(arguments_, {[this] { return device_->info(); }, {}, {}});
    warnings_.print(model.warnings());
    infer_params_of(model.inputs(), given, params_);
    check_params(arguments_.model, model.params(), params_);
    take_inputs(model, std::move(given));
    target_ = compile_target(arguments_, device_->info());
    report_.precision = target_.precision == Precision::Float16 ? "fp16" : "fp32";
    report_.rtol = options_.rtol.value_or(target_.precision == Precision::Float16 ? 2e-2 : 1e-3);
    reference_ = reference_of(model);
    report_.against = reference_.name;
    compare(model);
    return std::move(report_);
  }

 private:
  static std::shared_ptr<Device> open(const DiffArguments& options) {
    return Device::open(options.model.device);
  }

  void take_inputs(const Model& model, Arrays given) {
    const Signature signature = signature_of(model, params_);
    for (const std::string& name : signature.initializers) {
      initializers_.emplace(name, given.at(name));
      given.erase(name);
    }
    check_inputs(signature, given);
    for (const Signature::Value& input : signature.inputs) {
      report_.inputs.push_back(input_text(
          input, given.contains(input.name) ? "from " + options_.inputs : "generated (--inputs gives it)"));
    }
    inputs_ = all_inputs(signature, given);
  }

  Reference reference_of(const Model& model) {
    if (!options_.against.empty()) return {options_.against, file_};
    if (options_.onnx_runtime) {
      Arrays inputs = inputs_;
      inputs.insert(initializers_.begin(), initializers_.end());
      OnnxRuntimeResult result = run_onnx_runtime(arguments_.model, arguments_.random_weights, inputs);
      return {"ONNX Runtime " + result.version, std::move(result.tensors)};
    }
    Progress progress("computing the definitions on the host (--onnxruntime is faster)");
    return {"the definitions, computed on the host",
            with_known_sizes(model).interpret(inputs_,
                                              [&](int done, int total) { progress.update(done, total); })};
  }

  /// The Program may leave sizes open, the interpreter of definitions not.
  Model with_known_sizes(const Model& model) const {
    if (params_.empty()) return model;
    ModelArguments fixed = arguments_;
    for (const auto& [name, value] : params_)
      fixed.dims.push_back(fmt::format("{}={}", name, value.to_string()));
    return load_model_file(fixed);
  }

  void compare(const Model& model) {
    std::vector<NodeOutput> computed;
    for (NodeOutput& tensor : model.node_outputs()) {
      if (tensor.fate == Fate::Constant && reference_.tensors.contains(tensor.name)) {
        report_.tensors.push_back(check(tensor, *tensor.value));
      } else if (tensor.fate == Fate::Computed && reference_.tensors.contains(tensor.name)) {
        computed.push_back(std::move(tensor));
      } else {
        report_.left_out.push_back({tensor.name, reason(tensor.fate)});
      }
    }
    compare_outputs(model);
    if (computed.empty() && report_.tensors.empty() && report_.outputs.empty()) {
      if (reference_.tensors.empty()) {
        throw Error(
            fmt::format("{} has no node that is computed at run time; compare its outputs with --against or "
                        "--onnxruntime",
                        arguments_.model));
      }
      std::vector<std::string> has;
      for (const auto& [name, value] : reference_.tensors) has.push_back(name);
      throw Error(fmt::format(
          "{}: no tensor has the name of one that the model computes; it has {}, and the model computes {}",
          reference_.name, names_text(has), names_text(names_of(model.node_outputs()))));
    }
    if (options_.fused && report_.outputs.empty()) {
      throw Error(
          fmt::format("--fused: needs reference values for an output of the model, and {} has none; drop "
                      "--fused, or add {}",
                      reference_.name, names_text(output_names(model))));
    }
    if (!computed.empty()) options_.fused ? bisect(model, computed) : compare_each(model, computed);
  }

  static std::vector<std::string> output_names(const Model& model) {
    const std::vector<ModelTensor> outputs = model.outputs();
    return outputs | ranges::views::transform(&ModelTensor::name) | ranges::to<std::vector>();
  }

  static std::vector<std::string> names_of(const std::vector<NodeOutput>& tensors) {
    return tensors |
           ranges::views::filter([](const NodeOutput& tensor) { return tensor.fate == Fate::Computed; }) |
           ranges::views::transform(&NodeOutput::name) | ranges::to<std::vector>();
  }

  std::string reason(Fate fate) const {
    if (fate == Fate::Merged) return "merged with a node that reads it";
    if (fate == Fate::Unused) return "not needed by any output, a constant, or a recurrent state";
    if (fate == Fate::Constant) return "computed when the model is loaded";
    return options_.against.empty() ? "of a node that the importer added" : "not in " + options_.against;
  }

  TensorCheck check(const NodeOutput& tensor, const Buffer& found) const {
    return {tensor, found.shape(), difference(found, reference_.tensors.at(tensor.name), report_.rtol)};
  }

  std::unique_ptr<Runner> run_program(const Model& model) {
    const auto program = [&] {
      Progress progress("lowering");
      target_.progress = [&](int done, int total) { progress.update(done, total); };
      return std::make_shared<const Program>(model.compile(target_));
    }();
    // Warnings are of the model, whatever its outputs are.
    warnings_.print(program->warnings);
    Progress progress("building kernels");
    auto runner = std::make_unique<Runner>(program, *device_, params_,
                                           [&](int done, int total) { progress.update(done, total); });
    runner->write_all(inputs_);
    runner->run();
    return runner;
  }

  void compare_outputs(const Model& model) {
    const auto runner = run_program(model);
    const std::vector<NodeOutput> of_nodes = model.node_outputs();
    for (const ModelTensor& output : model.outputs()) {
      if (!reference_.tensors.contains(output.name)) continue;
      const auto found = std::ranges::find(of_nodes, output.name, &NodeOutput::name);
      // An input may be an output too.
      NodeOutput tensor;
      static_cast<ModelTensor&>(tensor) = output;
      if (found != of_nodes.end()) tensor = *found;
      report_.outputs.push_back(check(tensor, runner->read(output.name)));
    }
  }

  /// Every tensor as an output: a kernel for each group of nodes with one tensor that is stored.
  void compare_each(const Model& model, const std::vector<NodeOutput>& computed) {
    const auto runner = run_program(model.with_outputs(names_of(computed)));
    for (const NodeOutput& tensor : computed)
      report_.tensors.push_back(check(tensor, runner->read(tensor.name)));
  }

  /// The model's own outputs and one tensor at a time: other kernels are those that run.
  void bisect(const Model& model, const std::vector<NodeOutput>& computed) {
    const auto wrong =
        std::ranges::find_if(report_.outputs, [](const TensorCheck& c) { return !c.difference.holds(); });
    if (wrong == report_.outputs.end()) return;
    const auto named = [&](const NodeOutput& tensor) { return tensor.name == wrong->tensor.name; };
    const auto last = std::ranges::find_if(computed, named);
    if (last == computed.end()) return;  // nothing before it is computed
    const std::vector<std::string> outputs = output_names(model);
    std::size_t low = 0, high = static_cast<std::size_t>(last - computed.begin());
    std::map<std::size_t, TensorCheck> looked_at{{high, *wrong}};
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      std::vector<std::string> with_one = outputs;
      if (std::ranges::find(outputs, computed[middle].name) == outputs.end())
        with_one.push_back(computed[middle].name);
      const auto runner = run_program(model.with_outputs(with_one));
      TensorCheck found = check(computed[middle], runner->read(computed[middle].name));
      const bool holds = found.difference.holds();
      looked_at.emplace(middle, std::move(found));
      holds ? low = middle + 1 : high = middle;
    }
    for (auto& [place, found] : looked_at) report_.tensors.push_back(std::move(found));
  }

  const DiffArguments& options_;
  std::shared_ptr<Device> device_;
  DiffReport report_;
  ModelArguments arguments_;
  ParamValues params_;
  CompileTarget target_;
  Arrays file_, initializers_, inputs_;
  Reference reference_;
  Warnings warnings_;
};

}  // namespace

DiffReport diff_model(const DiffArguments& arguments) { return Diff(arguments).run(); }

}  // namespace tensordsl::cli
