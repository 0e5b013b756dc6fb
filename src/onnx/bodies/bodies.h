// Reads nodes of a file, and the bodies of some: the branches of If, the steps of Loop and Scan, and the
// functions of a model. A body's nodes replace its node while a model is read, in the order of execution, so
// that values that its node must know may be computed before. The few steps of a short Loop or Scan are
// unrolled; of others one step is put between marks (ops/loop_marks.h).
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "onnx/onnx_graph.h"
#include "tensordsl/operator_table.h"

namespace onnx {
class AttributeProto;
class FunctionProto;
class GraphProto;
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace tensordsl::onnx {

class Bodies {
 public:
  /// `data_type`: the element type in the file; 0 if the value has it.
  using AddConstant = std::function<void(const std::string& tensor, Buffer value, int data_type)>;

  /// The forms of some loops' steps, by the first output of each.
  struct Steps {
    std::set<std::string> written_out{}, repeated{};
  };

  /// `names` holds the names of all tensors; the tensors of bodies are added to it, renamed if their name is
  /// in use. All arguments passed by reference must outlive the object.
  Bodies(const ::onnx::ModelProto& model, const std::filesystem::path& folder, Graph& graph,
         const OperatorTable& operators, const Steps& steps, std::set<std::string>& names,
         AddConstant add_constant);

  /// Checks that every operator is supported, also in bodies and in functions that are called. Throws
  /// ModelError otherwise.
  void require_supported() const;
  /// The nodes of the model's graph, in the order of the file; Constant nodes become constants. A node with a
  /// body reads what its body reads, too.
  std::vector<ops::Node> read();
  /// Returns the nodes that replace one with a body: If becomes its branch, a function its nodes, Scan its
  /// steps. A Loop becomes its next iteration and then the Loop again, or its end. A Scan or Loop that is not
  /// unrolled becomes one step between marks. Nullopt if the node has no body. Needs: the inputs of the node
  /// are known. Throws ModelError if the condition of an If is not a constant, UnknownSteps if the condition
  /// of a loop to be unrolled is not.
  std::optional<std::vector<ops::Node>> expand(const ops::Node& node);
  /// The operator set that the node was written in.
  std::int64_t opset_of(const ops::Node& node) const;

 private:
  struct Scope;
  using ScopePtr = std::shared_ptr<const Scope>;
  struct Body {
    const ::onnx::NodeProto* proto = nullptr;
    ScopePtr scope;          ///< around the node
    std::size_t inputs = 0;  ///< number of the node's inputs; the tensors that the body reads follow them

    // Set for the body of a Loop.
    std::int64_t iteration = 0;
    std::vector<std::string> carried;               ///< passed on to each step: the condition, the values
    std::vector<std::vector<std::string>> scanned;  ///< the elements of each output, by iteration
  };
  using Protos = std::vector<const ::onnx::NodeProto*>;
  /// A tensor that Scan takes an element of in each step.
  struct ScannedInput {
    std::size_t rank = 0;
    std::int64_t axis = 0;
    ops::Size extent;
    bool is_reversed = false;  ///< true if steps read it from its end
  };

  const ::onnx::FunctionProto* function_of(const ::onnx::NodeProto& node) const;
  bool has_body(const ::onnx::NodeProto& node) const;
  void require_supported(const Protos& nodes, std::int64_t opset,
                         std::vector<const ::onnx::FunctionProto*>& callers) const;
  static std::set<std::string> names_from_outside(const ::onnx::GraphProto& graph);

  std::string fresh(const std::string& base);
  std::string resolve(const Scope& scope, const std::string& name) const;
  const ::onnx::NodeProto& with_attributes(const ::onnx::NodeProto& node, const Scope& scope);
  std::vector<ops::Node> read(const Protos& protos, const std::shared_ptr<Scope>& scope,
                              std::set<std::string> used, const std::string& prefix);
  void define_outputs(const ::onnx::NodeProto& proto, Scope& scope, const std::string& prefix);
  void name_outputs(ops::Node& node);

  std::shared_ptr<Scope> scope_in(const Body& body) const;
  std::vector<ops::Node> instance(const ops::Node& node, const ::onnx::GraphProto& graph,
                                  const std::shared_ptr<Scope>& scope, const std::string& prefix);
  const Buffer* constant(const std::string& tensor) const;
  /// Reports a tensor that must be a constant, with the inputs that it is computed from. Throws ModelError.
  [[noreturn]] void refuse_computed(const ops::Node& node, const char* what, const std::string& tensor) const;
  std::vector<ops::Node> expand_if(const ops::Node& node, const Body& body);
  std::vector<ops::Node> expand_loop(const ops::Node& node, Body& body);
  std::vector<ops::Node> end_loop(const ops::Node& node, const Body& body, const ::onnx::GraphProto& graph);
  std::vector<ops::Node> expand_scan(const ops::Node& node, const Body& body);
  std::vector<ops::Node> expand_function(const ops::Node& node, const Body& body);

  /// Collects the nodes of one iteration of a Loop or Scan, from LoopBegin to LoopEnd.
  struct Repetition;
  /// True if the steps of a Scan or Loop are known to be few, or must be written out.
  bool is_written_out(const ops::Node& node, const ::onnx::GraphProto& graph,
                      const std::optional<ops::Size>& steps) const;
  /// True if the steps of a Loop must be written out, or if its condition may be known step by step.
  bool is_written_out(const ops::Node& node, const ::onnx::GraphProto& graph) const;
  /// True if memory for a row of each step is bounded.
  bool is_bounded(const ops::Size& steps) const;
  std::vector<ops::Node> repeat_loop(const ops::Node& node, const Body& body,
                                     const ::onnx::GraphProto& graph);
  std::vector<ops::Node> repeat_scan(const ops::Node& node, const Body& body, const ::onnx::GraphProto& graph,
                                     const std::vector<ScannedInput>& sources);
  Repetition begin_repetition(const ops::Node& node, const std::vector<std::string>& begin);
  std::vector<ops::Node> end_repetition(const ops::Node& node, Repetition repetition, const ops::Size& steps,
                                        const std::string& condition, std::vector<std::string> outputs);
  ops::Size steps_of_loop(const ops::Node& node, std::vector<ops::Node>& nodes);

  const ::onnx::ModelProto& model_;
  const std::filesystem::path& folder_;
  Graph& graph_;
  const OperatorTable& operators_;
  const Steps& steps_;
  std::set<std::string>& names_;
  AddConstant add_constant_;
  std::map<std::string, Body> bodies_;          // by their nodes' last outputs
  std::map<std::string, std::int64_t> opsets_;  // opsets that are not the model's
  std::map<const void*, std::string>
      constants_;  // constants of bodies, by their names in the file: once for all iterations
  std::vector<std::shared_ptr<const ::onnx::NodeProto>> bound_;  // nodes with the attributes of a call
  std::int64_t nodes_ = 0;                                       // that bodies have become
};

}  // namespace tensordsl::onnx
