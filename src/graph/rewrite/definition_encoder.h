// Encodes definitions as bytes that differ if they compute different things: records are keyed by hashes of
// them (group_key.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/nodes/function.h"
#include "tensordsl/stored_tensor.h"

namespace tensordsl::graph {

/// Adds values to a text from which they could be read again.
class KeyBytes {
 public:
  KeyBytes& add(char code);
  KeyBytes& add_number(std::uint64_t number);
  KeyBytes& add_text(std::string_view text);
  KeyBytes& add_type(Type type);
  KeyBytes& append(const KeyBytes& other);

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

struct DefinitionEncoding {
  std::string bytes;
  /// Returns the numbers that are left out, in their order. Those of a shared sub-expression are repeated for
  /// each use, which may be exponentially often.
  std::vector<std::int64_t> left_out;
  bool has_too_many = false;  ///< true if `left_out` would be too long
};

/// Encodes Functions and tensors one after the other. Nodes of expressions are numbered, equal ones alike
/// however they are shared, and each is written at its first use. Axes are named by position, Params by name.
class DefinitionEncoder {
 public:
  /// Numbers are integers of expressions, without their signs, and integers of layouts.
  enum class Numbers { LeftOut, Kept };
  /// Numbers Functions, to distinguish those that are read, and the one itself.
  using NumberOfFunction = std::function<std::uint64_t(const ir::Function&)>;

  DefinitionEncoder(Numbers numbers, NumberOfFunction number_of)
      : numbers_(numbers), number_of_(std::move(number_of)) {}

  void add(char code) { bytes_.add(code); }
  void add_number(std::uint64_t number) { bytes_.add_number(number); }
  void add_definitions(const ir::Function& function);
  void add_stored(const StoredTensor& stored);

  DefinitionEncoding take() { return {bytes_.bytes(), std::move(left_out_), has_too_many_}; }

 private:
  struct Node {
    std::uint64_t number = 0;
    std::uint64_t left_out = 0;  // numbers in it; those of a sub-expression are counted for each use
  };

  void add_definition(const ir::Function& function, const ir::Definition& definition);
  void add_layout(const Layout& layout);
  void add_layout_number(int number);
  void add_layout_number_unless(int number, int usual);
  void add_list(const std::vector<Expr>& exprs);
  void add_expression(const Expr& expr);
  Node encoded(const Expr& expr);
  void add_payload(const ir::ExprNode& e, KeyBytes& text) const;
  bool leaves_out(const ir::ExprNode& e) const;
  void collect_left_out(const Expr& expr);

  Numbers numbers_;
  NumberOfFunction number_of_;
  KeyBytes bytes_;
  std::vector<std::int64_t> left_out_;
  bool has_too_many_ = false;
  std::unordered_map<std::string, std::uint64_t> numbers_of_;  // of nodes, by their encoding
  const ir::Function* function_ = nullptr;                     // whose definitions are being added
  std::map<std::string, std::string> axes_;                    // in scope, by name
  std::unordered_map<const ir::ExprNode*, Node> nodes_;        // with these axes
};

}  // namespace tensordsl::graph
