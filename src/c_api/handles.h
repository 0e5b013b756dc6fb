// Objects that the handles of the C API refer to.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensordsl/package.h"
#include "tensordsl/runner.h"
#include "tensordsl/runtime.h"

struct tdsl_package {
  std::shared_ptr<const tensordsl::Package> package;
};

struct tdsl_device {
  std::shared_ptr<tensordsl::Device> device;
};

struct tdsl_instance {
  std::shared_ptr<const tensordsl::Package> package;
  std::shared_ptr<tensordsl::Device> device;
  tensordsl::Runner runner;
  std::map<std::string, std::span<std::byte>> host_inputs, host_outputs;  // bound, by name
  bool was_run = false;
  mutable std::map<std::string, std::string> layouts = {};  // texts of layouts that were returned, by name
};
