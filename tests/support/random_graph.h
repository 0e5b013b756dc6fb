// Random models with many layout transformations.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "support/onnx_model.h"

namespace tensordsl::testing {

/// Draws operators over the values drawn before: transposes, reshapes, slices, concatenations and splits, and
/// arithmetic among them. All values that no operator reads are outputs, and now and then another one.
class RandomGraph {
 public:
  RandomGraph(std::mt19937& random, int operators) : random_(random) {
    const std::size_t inputs = 1 + below(2);
    for (std::size_t i = 0; i < inputs; ++i) {
      Ints shape(2 + below(3));
      for (std::int64_t& extent : shape) extent = 1 + number(6);
      add("x" + std::to_string(i), shape);
      model_.input(values_.back().name, shape);
    }
    for (int i = 0; i < operators; ++i) draw();
    for (std::size_t i = inputs; i < values_.size(); ++i) {
      if (!read_.contains(values_[i].name) || below(12) == 0) model_.output(values_[i].name);
    }
  }

  const OnnxModel& model() const { return model_; }

 private:
  struct Value {
    std::string name;
    Ints shape;
  };

  static constexpr std::int64_t kMostElements = 600;
  static constexpr std::size_t kMostDimensions = 5;

  std::size_t below(std::size_t end) { return random_() % end; }
  std::int64_t number(std::int64_t end) {
    return static_cast<std::int64_t>(below(static_cast<std::size_t>(end)));
  }
  static std::int64_t count(const Ints& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  }

  void add(const std::string& name, const Ints& shape) { values_.push_back({name, shape}); }

  /// Rather one of the last.
  Value pick() {
    const std::size_t last = std::min<std::size_t>(values_.size(), below(4) == 0 ? values_.size() : 3);
    const Value value = values_[values_.size() - 1 - below(last)];
    read_.insert(value.name);
    return value;
  }

  std::string fresh() { return "v" + std::to_string(made_++); }
  std::string constant(const Ints& values) {
    const std::string name = "c" + std::to_string(made_++);
    model_.ints(name, {static_cast<std::int64_t>(values.size())}, values);
    return name;
  }

  void node(const char* op, const Names& inputs, const Ints& shape,
            const std::vector<::onnx::AttributeProto>& attributes = {}) {
    const std::string name = fresh();
    model_.node(op, inputs, {name}, attributes);
    add(name, shape);
  }

  void draw() {
    const Value x = pick();
    const std::size_t axis = x.shape.empty() ? 0 : below(x.shape.size());
    if (x.shape.empty()) return node("Neg", {x.name}, x.shape);
    switch (below(14)) {
      case 0:
      case 1:
        return transpose(x);
      case 2:
      case 3:
        return reshape(x, axis);
      case 4:
        return slice(x, axis);
      case 5:
        return concat(x, axis);
      case 6:
        return split(x, axis);
      case 7:
        return node(below(2) == 0 ? "Sigmoid" : "Neg", {x.name}, x.shape);
      case 8:
        return binary(x);
      case 9:
        return node("Softmax", {x.name}, x.shape, {attribute("axis", static_cast<int>(axis))});
      case 10:
        return mean(x, axis);
      case 11:
        return attention(x);
      case 12:
        return roll(x, axis);
      default:
        return product(x);
    }
  }

  void transpose(const Value& x) {
    Ints perm(x.shape.size()), shape;
    std::iota(perm.begin(), perm.end(), 0);
    std::shuffle(perm.begin(), perm.end(), random_);
    for (const std::int64_t d : perm) shape.push_back(x.shape[static_cast<std::size_t>(d)]);
    node("Transpose", {x.name}, shape, {attribute("perm", perm)});
  }

  /// Merges two neighbors, or splits one.
  void reshape(const Value& x, std::size_t axis) {
    Ints shape = x.shape;
    const auto at = shape.begin() + static_cast<std::ptrdiff_t>(axis);
    if (axis + 1 < shape.size() && (below(2) == 0 || shape.size() == kMostDimensions)) {
      *at *= *(at + 1);
      shape.erase(at + 1);
    } else if (shape.size() < kMostDimensions) {
      const std::int64_t part = *at % 2 == 0 ? 2 : *at % 3 == 0 ? 3 : 1;
      *at /= part;
      shape.insert(at + 1, part);
    }
    node("Reshape", {x.name, constant(shape)}, shape);
  }

  void slice(const Value& x, std::size_t axis) {
    const std::int64_t begin = number(x.shape[axis]), step = 1 + number(2);
    Ints shape = x.shape;
    shape[axis] = (shape[axis] - begin + step - 1) / step;
    node("Slice",
         {x.name, constant({begin}), constant({x.shape[axis]}), constant({static_cast<std::int64_t>(axis)}),
          constant({step})},
         shape);
  }

  void concat(const Value& x, std::size_t axis) {
    if (2 * count(x.shape) > kMostElements) return slice(x, axis);
    Ints shape = x.shape;
    shape[axis] *= 2;
    std::string other = x.name;
    for (const Value& value : values_) {
      if (value.shape == x.shape && below(2) == 0) other = value.name;
    }
    read_.insert(other);
    node("Concat", {x.name, other}, shape, {attribute("axis", static_cast<int>(axis))});
  }

  /// Rolls: moves the end before the beginning.
  void roll(const Value& x, std::size_t axis) {
    if (x.shape[axis] < 2) return slice(x, axis);
    const std::int64_t first = 1 + number(x.shape[axis] - 1);
    const Names parts{fresh(), fresh()};
    const std::string at = constant({static_cast<std::int64_t>(axis)}), middle = constant({first});
    model_.node("Slice", {x.name, middle, constant({x.shape[axis]}), at}, {parts[0]});
    model_.node("Slice", {x.name, constant({0}), middle, at}, {parts[1]});
    node("Concat", parts, x.shape, {attribute("axis", static_cast<int>(axis))});
  }

  void split(const Value& x, std::size_t axis) {
    if (x.shape[axis] < 2) return slice(x, axis);
    const std::int64_t first = 1 + number(x.shape[axis] - 1);
    Ints a = x.shape, b = x.shape;
    a[axis] = first;
    b[axis] -= first;
    const Names names{fresh(), fresh()};
    model_.node("Split", {x.name, constant({a[axis], b[axis]})}, names,
                {attribute("axis", static_cast<int>(axis))});
    add(names[0], a);
    add(names[1], b);
  }

  void binary(const Value& x) {
    const char* op = below(2) == 0 ? "Add" : "Sub";
    for (auto other = values_.rbegin(); other != values_.rend(); ++other) {
      if (other->shape != x.shape || below(3) == 0) continue;
      read_.insert(other->name);
      return node(op, {x.name, other->name}, x.shape);
    }
    node("Sigmoid", {x.name}, x.shape);
  }

  void mean(const Value& x, std::size_t axis) {
    Ints shape = x.shape;
    const bool keeps = below(2) == 0 || shape.size() == 1;
    shape[axis] = 1;
    if (!keeps) shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    node("ReduceMean", {x.name}, shape,
         {attribute("axes", Ints{static_cast<std::int64_t>(axis)}), attribute("keepdims", keeps ? 1 : 0)});
  }

  /// Multiplies by weights, or by the value's own transpose like the scores of an attention.
  void product(const Value& x) {
    const std::int64_t length = x.shape.back();
    if (x.shape.size() < 2) return node("Neg", {x.name}, x.shape);
    const std::int64_t rows = x.shape[x.shape.size() - 2];
    Ints shape = x.shape;
    if (below(2) == 0 && count(shape) / length * rows <= kMostElements) {
      Ints perm(shape.size());
      std::iota(perm.begin(), perm.end(), 0);
      std::swap(perm[perm.size() - 1], perm[perm.size() - 2]);
      const std::string turned = fresh();
      model_.node("Transpose", {x.name}, {turned}, {attribute("perm", perm)});
      shape.back() = rows;
      return node("MatMul", {x.name, turned}, shape);
    }
    const std::int64_t columns = 1 + number(9);
    if (count(shape) / length * columns > kMostElements) return node("Neg", {x.name}, x.shape);
    const std::string weights = fresh();
    Floats values(static_cast<std::size_t>(length * columns));
    for (float& value : values) value = static_cast<float>(number(21) - 10) / 16.0F;
    model_.floats(weights, {length, columns}, values);
    shape.back() = columns;
    node("MatMul", {x.name, weights}, shape);
  }

  /// Adds an attention of a tensor to itself, with a scale and, at times, layout transformations of the
  /// scores and a bias.
  void attention(const Value& x) {
    const std::size_t rank = x.shape.size();
    if (rank < 2 || count(x.shape) / x.shape.back() * x.shape[rank - 2] > kMostElements) return product(x);
    const std::int64_t rows = x.shape[rank - 2];
    Ints perm(rank), scores = x.shape;
    std::iota(perm.begin(), perm.end(), 0);
    std::swap(perm[rank - 1], perm[rank - 2]);
    scores.back() = rows;
    std::string turned = fresh(), of = fresh();
    model_.node("Transpose", {x.name}, {turned}, {attribute("perm", perm)});
    model_.node("MatMul", {x.name, turned}, {of});
    const auto then = [&](const char* op, const Names& inputs) {
      of = fresh();
      model_.node(op, inputs, {of});
    };
    if (below(2) == 0) {
      const std::string scale = fresh();
      model_.floats(scale, {}, {0.5F});
      then("Mul", {of, scale});
    }
    if (below(2) == 0) {
      Ints apart = scores;
      apart.insert(apart.begin(), 1);
      then("Reshape", {of, constant(apart)});
      then("Sigmoid", {of});
      then("Reshape", {of, constant(scores)});
    }
    if (below(2) == 0) {
      const std::string bias = fresh();
      Floats values(static_cast<std::size_t>(rows * rows));
      for (float& value : values) value = static_cast<float>(number(21) - 10) / 4.0F;
      model_.floats(bias, {rows, rows}, values);
      then("Add", {of, bias});
    }
    then("Softmax", {of});
    node("MatMul", {of, x.name}, x.shape);
  }

  std::mt19937& random_;
  OnnxModel model_;
  std::vector<Value> values_;
  std::set<std::string> read_;
  int made_ = 0;
};

}  // namespace tensordsl::testing
