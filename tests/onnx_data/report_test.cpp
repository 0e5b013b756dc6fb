#include "onnx_data/report.h"

#include <doctest/doctest.h>

#include "onnx_data/document.h"
#include "onnx_data/expected.h"
#include "support/error_text.h"

namespace tensordsl::conformance {
namespace {

using Strings = std::vector<std::string>;

Finding finding(const std::string& name, const std::string& op, Outcome outcome,
                const std::string& reason = "") {
  return {name, {17, {op}, 1, false, {}}, {outcome, reason}};
}

std::vector<Finding> some() {
  return {finding("node/test_abs", "Abs", Outcome::Passed),
          finding("node/test_abs_u16", "Abs", Outcome::Refused, "tensor 'x' has elements of type UINT16"),
          finding("node/test_mod", "NotThere", Outcome::Refused,
                  "node 'y': operator NotThere (opset 17) is not supported"),
          finding("simple/test_abs", "Abs", Outcome::Wrong, "1 of 1 elements differ")};
}

}  // namespace

TEST_CASE("a list has the cases of one outcome") {
  CHECK(list(some(), "passed") == "node/test_abs\n");
  CHECK(list(some(), "wrong") == "simple/test_abs: 1 of 1 elements differ\n");
  CHECK(error_of([] { list(some(), "bad"); }) ==
        "there is no list 'bad'; there are: passed, refused, wrong, failed, out of scope");
}

TEST_CASE("a case that passed before is to pass, and one that passes now is to be written down") {
  const auto lost = [](const std::string& expected) { return changes(some(), expected).lost; };
  const auto gained = [](const std::string& expected) { return changes(some(), expected).gained; };
  CHECK(expected_text(some()).ends_with(".\nnode/test_abs\n"));
  CHECK(lost(expected_text(some())).empty());
  CHECK(gained(expected_text(some())).empty());
  CHECK(gained("# none\n") == Strings{"node/test_abs"});
  CHECK(lost("node/test_abs\nnode/test_abs_u16\n") ==
        Strings{"node/test_abs_u16: refused: tensor 'x' has elements of type UINT16"});
  CHECK(gained("node/test_abs\nnode/test_gone\n") == Strings{"node/test_gone is not in the data"});
  CHECK(changes(some(), "").wrong == Strings{"simple/test_abs: wrong: 1 of 1 elements differ"});
}

TEST_CASE("what only the data has wrong is out of scope") {
  const auto outcome = [](const char* name, Outcome found) {
    return in_scope(name, {}, {found, ""}).outcome;
  };
  CHECK(outcome("node/test_qlinearmatmul_2D_int8_float32", Outcome::Wrong) == Outcome::OutOfScope);
  CHECK(outcome("node/test_qlinearmatmul_2D_int8_float32", Outcome::Refused) == Outcome::Refused);
  CHECK(outcome("node/test_qlinearmatmul_2D_uint8_float32", Outcome::Wrong) == Outcome::Wrong);
}

TEST_CASE("a device without f64 loses no case by that") {
  const Finding refused = finding("node/test_f64", "Abs", Outcome::Refused, "it does not have cl_khr_fp64");
  CHECK(needs_missing_double(refused));
  CHECK(changes({refused}, "node/test_f64\n").lost.empty());
}

TEST_CASE("the document counts the cases of operators, and tells why they are refused") {
  const std::string document = operators_document(some());
  const auto has = [&](const std::string& line) { return document.find(line + "\n") != std::string::npos; };
  CHECK(has("| node | 1 | 2 | | | |"));
  CHECK(has("| Abs | 6–28 | 1 | 1 | 1 | | | |"));
  CHECK(has("| NotThere | | 1 | | | | |"));
  CHECK(has("### Abs\n\n- tensor 'x' has elements of type UINT16: abs_u16"));
  CHECK(has("## Cases that are wrong\n\n### Abs\n\n- simple/abs"));
  CHECK_FALSE(has("### NotThere"));
}

}  // namespace tensordsl::conformance
