#include "apps/tensordsl/onnx_runtime.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <vector>

#include "model/export_model.h"
#include "runtime/npz.h"
#include "tensordsl/error.h"

namespace tensordsl::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kNoPackage = 3;

constexpr const char* kScript = R"(
import os, sys
try:
    import numpy as np
    import onnxruntime as ort
except ImportError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
model, inputs, outputs = sys.argv[1:]
options = ort.SessionOptions()
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
options.log_severity_level = 3
session = ort.InferenceSession(model, options, providers=['CPUExecutionProvider'])
given = dict(np.load(inputs)) if os.path.exists(inputs) else {}
values = session.run(None, given)
np.savez(outputs, **{str(i): v for i, v in enumerate(values)
                     if isinstance(v, np.ndarray) and v.dtype.kind in 'biuf'})
print(ort.__version__)
)";

constexpr const char* kOtherwise =
    "; or compare with a file (--against), or with the definitions (leave --onnxruntime out)";

/// Vanishes with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "tensordsl-diff-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      throw Error(fmt::format("--onnxruntime: cannot make a folder {}: {}", name, std::strerror(errno)));
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The last line that says anything.
std::string last_line(const fs::path& path) {
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) last = line;
  }
  return last;
}

/// The exit code; -1 if a signal ended it.
int run_python(const std::vector<std::string>& arguments, const fs::path& out, const fs::path& err) {
  std::vector<std::string> words{"python3", "-c", kScript};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kFlags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kFlags, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kFlags, 0600);
  pid_t child = 0;
  const int error = posix_spawnp(&child, "python3", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT) {
    throw Error(fmt::format("--onnxruntime: there is no python3; install it, with its package onnxruntime{}",
                            kOtherwise));
  }
  if (error != 0) throw Error(fmt::format("--onnxruntime: cannot start python3: {}", std::strerror(error)));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

OnnxRuntimeResult run_onnx_runtime(const std::string& model, bool random_weights, const Arrays& inputs) {
  const TemporaryFolder folder;
  const auto file = [&](const char* name) { return folder.path() / name; };
  const std::vector<std::string> outputs = export_model(model, folder.path(), random_weights);
  if (!inputs.empty()) write_npz(file("inputs.npz"), inputs);
  const int code = run_python({file("model.onnx"), file("inputs.npz"), file("outputs.npz")}, file("stdout"),
                              file("stderr"));
  const std::string error = last_line(file("stderr"));
  if (code == kNoPackage) {
    throw Error(fmt::format(
        "--onnxruntime: python3 has not what it takes ({}); install the package onnxruntime of PyPI{}", error,
        kOtherwise));
  }
  if (code != 0)
    throw Error(fmt::format("--onnxruntime: ONNX Runtime cannot run {}: {}", model,
                            error.empty() ? "its process ended early" : error));
  OnnxRuntimeResult result{last_line(file("stdout")), {}};
  for (auto& [number, value] : read_npz(file("outputs.npz")))
    result.tensors.emplace(outputs.at(std::stoul(number)), std::move(value));
  return result;
}

}  // namespace tensordsl::cli
