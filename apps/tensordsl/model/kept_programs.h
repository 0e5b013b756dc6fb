// Programs that earlier calls have lowered: a second run of a model compiles nothing.
//
// They are stored next to the built kernels (runtime/device/program_cache.h), as packages. An entry never
// grows stale, because its key has everything that a Program depends on: the checksums of this executable, of
// the model's file, of the files of its weights and of those that options name, the options, and the device's
// identity. If a Program depends on the given inputs, these are in its key too; a first entry records that.
// The checksums are those of files before the model was loaded, and nothing is kept if a file was written or
// replaced since.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/tensordsl/model/data_files.h"
#include "apps/tensordsl/model/file_states.h"
#include "apps/tensordsl/model/loaded_model.h"
#include "runtime/device/program_cache.h"

namespace tensordsl::cli {

/// A Program, and all that a run needs of the model that it was compiled from.
struct KeptProgram {
  std::shared_ptr<const Program> program;
  std::vector<std::string> overridden, warnings;  ///< see Model
};

class KeptPrograms {
 public:
  /// `target` has the device. Programs are neither found nor kept where a file cannot be read, there is no
  /// cache, or TENSORDSL_CACHE is off.
  KeptPrograms(const ModelArguments& arguments, const CompileTarget& target);

  /// Returns a Program whose inputs have the sizes of those that are given.
  std::optional<KeptProgram> find();
  /// Reads the files of weights, relative to the model's folder, before the model is loaded.
  void note_weights(const std::vector<std::string>& files);
  /// Says that the model's constants were computed on folding_device().
  void note_folding() { folds_ = true; }
  /// Keeps the Program of the model, after note_weights(). Does not keep a Program that cannot be written, or
  /// was made of files that have changed, or is larger than a quarter of the cache. Returns a warning in the
  /// last case.
  std::optional<std::string> keep(const Model& model, const std::shared_ptr<const Program>& program);

 private:
  /// Names everything that a Program depends on in addition to the first key.
  struct Dependence {
    std::vector<std::string> files;   // of weights
    std::vector<std::string> values;  // of inputs and initializers that are given
    bool on_sizes = false;            // of the inputs that are given
    bool on_folding = false;          // on the device that computed constants
    friend bool operator==(const Dependence&, const Dependence&) = default;
  };
  /// Returns the dependences of the entry under the first key: with inputs of other sizes they may differ.
  std::vector<Dependence> dependences() const;
  void note(const Dependence& dependence);
  runtime::ProgramKey second_key(const Dependence& dependence);
  std::optional<KeptProgram> find(const Dependence& dependence);
  const std::string& checksum_of_weights(const std::string& file);

  const ModelArguments& arguments_;
  bool folds_ = false;
  FileStates files_;
  runtime::ProgramCache cache_{std::nullopt};
  runtime::ProgramKey key_;
};

}  // namespace tensordsl::cli
