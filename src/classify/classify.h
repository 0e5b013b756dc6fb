// Classifies a Func by its definitions; it does not know names of operators.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "classify/access_map.h"
#include "ir/nodes/function.h"

namespace tensordsl::classify {

/// The class of a Func; if its definitions are of several classes, the last of them in this order.
enum class Class {
  Movement,     ///< its value is one read, or a select among reads and constants, without arithmetic
  Pointwise,    ///< pure, with arithmetic
  Reduction,    ///< each element is accumulated over a domain, on its own
  Contraction,  ///< a Reduction by sums of products of two reads
  Scan,         ///< an element depends on others of the same Func
  Scatter,      ///< the written element depends on the point of a domain, or on data
  Sort          ///< elements of the same Func are swapped
};

/// A reduction axis and a dimension that slide over one input dimension together: the element
/// stride * dim + dilation * axis + offset.
struct Window {
  std::string dim;   ///< dimension of the Func
  std::string axis;  ///< axis of the domain
  Expr extent;       ///< extent of the axis
  std::int64_t stride = 1, dilation = 1, offset = 0;
};

/// The roles of a contraction's axes. `a` is the factor that windows slide over; without windows it is the
/// first.
struct Contraction {
  Access a, b;
  std::vector<std::string> batch;  ///< dimensions that index both factors (a depthwise channel)
  std::vector<std::string> m;      ///< ... only a: rows, pixels
  std::vector<std::string> n;      ///< ... only b: columns, output channels
  std::vector<std::string> group;  ///< ... b, and a by their quotient
  std::vector<std::string> k;      ///< axes of the domain that are in no window
};

struct Classification {
  Class kind = Class::Pointwise;
  std::vector<Access> reads;         ///< reads of other tensors, in all definitions
  std::vector<Window> windows;       ///< windows of a Reduction or Contraction
  std::optional<Contraction> roles;  ///< roles of the axes of a Contraction
  /// Points of the domain for each element; undefined without one.
  Expr steps;
};

/// Classifies a Func. Needs: it is defined, and no Input.
Classification classify(const ir::Function& function);

/// True if a pure Func reads `tensor` only at the index that it computes: f(n, c) = g(t(n, c), ..). False for
/// a smaller tensor that is broadcast.
bool reads_in_place(const ir::Function& function, const std::string& tensor);

const char* to_string(Class kind);
/// "contraction m(h, w) n(c) k(r_2) window(h: r_0, w: r_1)" and a line for each read.
std::string to_string(const Classification& classification);

}  // namespace tensordsl::classify
