// Fixtures of nodes as models have them: tests/ops/make_fixtures.py writes what is expected of them.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "ops/operator_cases.h"
#include "support/load_model.h"

namespace tensordsl::testing {

/// The cases of one operator as one model, so that a driver builds their kernels together.
struct NodeCases {
  explicit NodeCases(std::int64_t opset) : model(opset) {}
  void add(const nlohmann::json& one);

  OnnxModel model;
  std::map<std::string, Buffer> inputs;
  std::map<std::string, OperatorCase> expected;  // by output

 private:
  int count_ = 0;
};

/// Calls `use` with each case of tests/ops/fixtures/FILE.
void for_each_node_case(const std::string& file, const std::function<void(const nlohmann::json&)>& use);

/// The cases of tests/ops/fixtures/FILE by the keys of their operators.
std::map<std::string, NodeCases> node_cases(const std::string& file, std::int64_t opset);

/// Runs them on the default device.
void check_node_cases(const std::map<std::string, NodeCases>& all);

}  // namespace tensordsl::testing
