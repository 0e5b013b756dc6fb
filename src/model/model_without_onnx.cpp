// The public Model of a build without ONNX: it can be linked, and says what is missing.
#include "model/export_model.h"
#include "tensordsl/error.h"
#include "tensordsl/model.h"

namespace tensordsl {

struct Model::Impl {};

namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw ModelError(path +
                   ": this build cannot read models, because it was configured with TENSORDSL_ONNX=OFF; pass "
                   "the folder of a Program, or build with TENSORDSL_ONNX=ON");
}

}  // namespace

Model Model::load(const std::string& path, const ModelOptions&) { refuse(path); }

// A Model cannot exist in this build, so these are never called.
const std::vector<std::string>& Model::overridden() const { refuse("Model"); }
const std::vector<std::string>& Model::external_files() const { refuse("Model"); }
bool Model::has_sizes_of_inputs() const { refuse("Model"); }
const std::vector<std::string>& Model::is_for_values() const { refuse("Model"); }
const std::vector<std::string>& Model::warnings() const { refuse("Model"); }
std::vector<ModelTensor> Model::inputs() const { refuse("Model"); }
std::vector<ModelTensor> Model::outputs() const { refuse("Model"); }
Program Model::compile(const CompileTarget&) const { refuse("Model"); }
std::vector<NodeOutput> Model::node_outputs() const { refuse("Model"); }
Model Model::with_outputs(const std::vector<std::string>&) const { refuse("Model"); }
std::map<std::string, Buffer> Model::interpret(const std::map<std::string, Buffer>&,
                                               const std::function<void(int, int)>&) const {
  refuse("Model");
}
std::vector<Program::Param> Model::params() const { refuse("Model"); }
Runner Model::run(Device&, Precision, const ParamValues&) const { refuse("Model"); }
std::vector<std::string> export_model(const std::filesystem::path& model, const std::filesystem::path&,
                                      bool) {
  refuse(model.string());
}
Program Model::autoschedule(const CompileTarget&, const AutoscheduleOptions&, AutoscheduleReport*) const {
  refuse("Model");
}
std::string Model::explain(const CompileTarget&, const std::string&) const { refuse("Model"); }
Inspection Model::inspect(const CompileTarget&) const { refuse("Model"); }
std::string Model::emit(const std::string&, const CompileTarget&, const std::string&) const {
  refuse("Model");
}

}  // namespace tensordsl
