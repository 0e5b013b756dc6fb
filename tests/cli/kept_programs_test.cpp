// Programs that are kept are those of the files that they are found for, whenever these are written.
#include <doctest/doctest.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
#include <set>

#include "apps/tensordsl/model/kept_programs.h"
#include "cli/command_line.h"
#include "device/environment.h"
#include "support/onnx_model.h"

namespace tensordsl::testing {
namespace {

/// y = x*w, whose weights are in a file next to the model's.
class KeptModel : public CommandLine {
 public:
  KeptModel() {
    model_.input("x", {2});
    auto& weight = model_.initializer("w", {2}, ::onnx::TensorProto::FLOAT);
    weight.set_data_location(::onnx::TensorProto::EXTERNAL);
    auto& place = *weight.add_external_data();
    place.set_key("location");
    place.set_value("w.bin");
    model_.node("Mul", {"x", "w"}, {"y"}).output("y");
    write("model.onnx", model_.proto.SerializeAsString());
    write("w.bin", "01234567");
    arguments.model = path("model.onnx");
    target.device.emplace();
  }

  /// Replaces a file by another one, as exporters do.
  void replace(const std::string& name, const std::string& content) const {
    write("new", content);
    std::filesystem::rename(path("new"), path(name));
  }

  /// True if a Program compiled from the current files is found.
  bool is_kept() const { return cli::KeptPrograms(arguments, target).find().has_value(); }

  /// The model's file, of a graph that has another name.
  std::string renamed() const {
    OnnxModel other = model_;
    other.proto.mutable_graph()->set_name("renamed");
    return other.proto.SerializeAsString();
  }

  /// Compiles and keeps as a run does, with what happens on the way.
  void run() const {
    cli::KeptPrograms programs(arguments, target);
    CHECK_FALSE(programs.find());
    before_loading();
    cli::LoadingCalls calls;
    calls.before_weights = [&](const ModelFile& file) {
      CHECK(file.inputs == std::vector<std::string>{"x"});
      CHECK(file.weights == std::vector<std::string>{"w.bin"});
      programs.note_weights(file.weights);
      before_weights();
    };
    const Model model = load_model_file(arguments, calls);
    if (folds) programs.note_folding();
    before_keeping();
    programs.keep(model, std::make_shared<const Program>(model.compile(target)));
  }

  std::function<void()> before_loading = [] {}, before_weights = [] {}, before_keeping = [] {};
  bool folds = false;
  cli::ModelArguments arguments;
  CompileTarget target;

 private:
  OnnxModel model_;
  test::ScopedVariable cache_{"TENSORDSL_CACHE_DIR", path("cache")}, state_{"TENSORDSL_CACHE", "on"};
};

}  // namespace

TEST_CASE("kept programs: what a model was compiled to is found until its weights change") {
  const KeptModel model;
  model.run();
  CHECK(model.is_kept());
  model.replace("w.bin", "76543210");
  CHECK_FALSE(model.is_kept());
  model.replace("w.bin", "01234567");
  CHECK(model.is_kept());
}

TEST_CASE("kept programs: nothing is kept where a file was replaced while the model was compiled") {
  KeptModel model;
  const auto replace = [&](const std::string& name, const std::string& text) {
    return [&model, name, text] { model.replace(name, text); };
  };
  const std::string file = file_text(model.path("model.onnx"));
  SUBCASE("its weights, before they are read") { model.before_weights = replace("w.bin", "76543210"); }
  SUBCASE("its weights, after they were read") { model.before_keeping = replace("w.bin", "76543210"); }
  SUBCASE("its weights, which are put back") {
    model.before_weights = replace("w.bin", "76543210");
    model.before_keeping = replace("w.bin", "01234567");
  }
  SUBCASE("the model, before it is loaded") { model.before_loading = replace("model.onnx", model.renamed()); }
  SUBCASE("the model, which is put back") {
    model.before_loading = replace("model.onnx", model.renamed());
    model.before_keeping = replace("model.onnx", file);
  }
  SUBCASE("its weights, by nothing") {
    model.before_keeping = [&] { std::filesystem::remove(model.path("w.bin")); };
  }
  model.run();
  for (const char* weights : {"01234567", "76543210"}) {
    for (const std::string& text : {file, model.renamed()}) {
      model.replace("w.bin", weights);
      model.replace("model.onnx", text);
      CHECK_FALSE(model.is_kept());
    }
  }
}

TEST_CASE("kept programs: weights that are replaced before they are looked at are the ones of the entry") {
  KeptModel model;
  model.before_loading = [&] { model.replace("w.bin", "76543210"); };
  model.run();
  CHECK(model.is_kept());
  model.replace("w.bin", "01234567");
  CHECK_FALSE(model.is_kept());
}

TEST_CASE("kept programs: every option of a model that says how to compile it is in the key") {
  const std::map<std::string, std::string> values{
      {"--precision", "fp16"}, {"--weights", "int8"}, {"--winograd-memory", "1"}};
  const std::set<std::string> without{"--device", "--json", "MODEL", "--help"};
  std::set<std::vector<std::string>> keys{cli::compile_options_of({})};
  cli::ModelArguments none;
  CLI::App all;
  add_model_options(all, none);
  std::size_t counted = 0;
  for (const CLI::Option* option : all.get_options()) {
    const std::string name = option->get_name();
    CAPTURE(name);
    cli::ModelArguments given;
    CLI::App app;
    add_model_options(app, given);
    std::vector<std::string> words{"model.onnx"};
    if (option->get_positional()) continue;
    if (option->get_items_expected() > 0) words.push_back(values.contains(name) ? values.at(name) : "x=1");
    words.push_back(name);
    if (name == "--help") continue;
    app.parse(words);  // which takes them from the last on
    const bool is_new = keys.insert(cli::compile_options_of(given)).second;
    CHECK(is_new == !without.contains(name));
    given.model = "package.tdsl";
    if (is_new) {
      ++counted;
      CHECK_THROWS_WITH_AS(check_no_compile_options(given),
                           (name + ": package.tdsl is already compiled; drop this option").c_str(), Error);
    } else {
      CHECK_NOTHROW(check_no_compile_options(given));
    }
  }
  CHECK(counted == keys.size() - 1);
  CHECK(counted > 15);
}

TEST_CASE("kept programs: what was folded on a device is found while that is there") {
  KeptModel model;
  model.folds = true;
  model.run();
  CHECK(model.is_kept());
}

TEST_CASE("kept programs: random weights are kept until there is a file with others") {
  KeptModel model;
  model.arguments.random_weights = true;
  std::filesystem::remove(model.path("w.bin"));
  model.run();
  CHECK(model.is_kept());
  model.replace("w.bin", "01234567");
  CHECK_FALSE(model.is_kept());
}

TEST_CASE("kept programs: records that are in the log of a database count") {
  KeptModel model;
  model.arguments.database = model.path("records.db");
  model.replace("records.db", "records");
  model.run();
  CHECK(model.is_kept());
  model.replace("records.db-wal", "more records");
  CHECK_FALSE(model.is_kept());
}

}  // namespace tensordsl::testing
