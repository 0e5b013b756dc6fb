// Programs that earlier calls have lowered: a second run of a model compiles nothing.
//
// They lie beside the built kernels (runtime/program_cache.h), as packages. An entry never grows stale: its
// key is all that a Program depends on, as the checksums of this executable, the model's file, the files of
// its weights and what options name, the options, and what is known of the device. What depends on the given
// inputs has these in its key too; a first entry says whether that is so. The checksums are those of files
// before the model was loaded, and nothing is kept where a file was written or replaced since.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/tensordsl/data_files.h"
#include "apps/tensordsl/file_states.h"
#include "apps/tensordsl/model.h"
#include "runtime/program_cache.h"

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

  std::optional<KeptProgram> find();
  /// Reads the files of weights, relative to the model's folder, before the model is loaded.
  void note_weights(const std::vector<std::string>& files);
  /// Keeps what the model was compiled to, after note_weights(). What cannot be written, is larger than a
  /// quarter of the cache, or was made of files that have changed, is not kept.
  void keep(const Model& model, const std::shared_ptr<const Program>& program);

 private:
  /// Names all that a Program depends on beside the first key.
  struct Dependence {
    std::vector<std::string> files;   // of weights
    std::vector<std::string> values;  // of inputs and initializers that are given
    bool on_sizes = false;            // of the inputs that are given
  };
  ProgramKey second_key(const Dependence& dependence);
  const std::string& checksum_of_weights(const std::string& file);

  const ModelArguments& arguments_;
  FileStates files_;
  ProgramCache cache_{std::nullopt};
  ProgramKey key_;
};

}  // namespace tensordsl::cli
