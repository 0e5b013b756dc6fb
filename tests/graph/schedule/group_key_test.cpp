// Equal kernels have equal keys, and the sizes of others of their family are close.
#include "graph/schedule/group_key.h"

#include <doctest/doctest.h>

#include <functional>

#include "ir/nodes/expr_node.h"

namespace tensordsl {

using definitions::StoredGroup;

using namespace graph;

namespace {

/// y(i) = `value`, of an operand of this type and extent.
StoredGroup group_of(const std::function<Expr(const Func& x, const Var& i)>& value, Type type = Float(32),
                     const Expr& extent = 16, const std::string& prefix = "a",
                     const Layout& layout = Layout::row_major(1)) {
  const Input x(prefix + "_x", type, {extent}, {prefix + "_d"});
  const Var i(prefix + "_i");
  Func y(prefix + "_y");
  y(i) = value(x, i);
  StoredGroup group;
  group.operands = {{0, x, {type, {extent}, layout}}};
  group.anchors = {y};
  group.outputs = {y};
  group.stored = {{y.type(), {extent}, Layout::row_major(1)}};
  return group;
}

using Value = std::function<Expr(const Func& x, const Var& i)>;

records::KernelKey key_of(const Value& value) { return group_key(group_of(value)); }

const Value kSum = [](const Func& x, const Var& i) { return x(i) + x(i + 3); };

}  // namespace

TEST_CASE("group key: names do not matter, and those of Params do") {
  CHECK(key_of(kSum) == group_key(group_of(kSum, Float(32), 16, "b")));
  const Param n("n"), m("m");
  CHECK(group_key(group_of(kSum, Float(32), n)) == group_key(group_of(kSum, Float(32), n, "b")));
  CHECK(group_key(group_of(kSum, Float(32), n)).family != group_key(group_of(kSum, Float(32), m)).family);
}

TEST_CASE("group key: integers are sizes, each as often as it is used, from left to right") {
  const records::KernelKey key = key_of(kSum);
  CHECK(key.sizes == std::vector<std::int64_t>{16, 3, 16});
  const records::KernelKey other = key_of([](const Func& x, const Var& i) { return x(i) + x(i + 5); });
  CHECK(other.family == key.family);
  CHECK(other.structure != key.structure);
  CHECK(other.sizes == std::vector<std::int64_t>{16, 5, 16});
}

TEST_CASE("group key: a Func that is kept in a tile is another kernel than one that is inlined") {
  StoredGroup group = group_of(kSum);
  const records::KernelKey inlined = group_key(group);
  group.kept = group.anchors;
  CHECK(group_key(group).family != inlined.family);
}

TEST_CASE("group key: a sub-expression may be shared or written out") {
  const auto shared = [](const Func& x, const Var& i) {
    const Expr sum = x(i) + x(i + 3);
    return sum * sum;
  };
  const auto written_out = [](const Func& x, const Var& i) { return (x(i) + x(i + 3)) * (x(i) + x(i + 3)); };
  CHECK(key_of(shared) == key_of(written_out));
  CHECK(key_of(shared).sizes == std::vector<std::int64_t>{16, 3, 3, 16});
}

TEST_CASE("group key: equal and different integers in the same places are of one family") {
  const auto with = [](int a, int b) {
    return key_of([=](const Func& x, const Var& i) { return x(i + a) + x(i + b); });
  };
  CHECK(with(3, 3).family == with(3, 4).family);
  CHECK(with(3, 3).structure != with(3, 4).structure);
  CHECK(with(3, 4).structure != with(4, 3).structure);
}

TEST_CASE("group key: types, signs, other constants, operators and layouts are of the family") {
  const records::KernelKey key = key_of(kSum);
  CHECK(group_key(group_of(kSum, Float(16))).family != key.family);
  const auto minus = [](const Func& x, const Var& i) { return x(i) - x(i + 3); };
  CHECK(key_of(minus).family != key.family);
  const auto back = [](const Func& x, const Var& i) { return x(i) + x(i + -3); };
  CHECK(key_of(back).family != key.family);
  CHECK(key_of(back).sizes == key.sizes);
  const auto scaled = [](double by) {
    return key_of([by](const Func& x, const Var& i) { return x(i) * ir::make_float(Float(32), by); });
  };
  CHECK(scaled(1e-5).family != scaled(1e-6).family);
  CHECK(scaled(0.0).family != scaled(-0.0).family);
  CHECK(scaled(1e-5).sizes == std::vector<std::int64_t>{16, 16});
  const auto stored = [](const char* layout) {
    return group_key(group_of(kSum, Float(32), 16, "a", Layout::parse(layout, {"d"})));
  };
  CHECK(stored("d/4 d%4").family == stored("d/8 d%8").family);
  CHECK(stored("d/4 d%4").structure != stored("d/8 d%8").structure);
  CHECK(stored("d/4 d%4").sizes == std::vector<std::int64_t>{16, 4, 4, 3, 16});
  CHECK(stored("d/4 d%4").family != key.family);
  CHECK(stored("d+4").family != key.family);
}

TEST_CASE("group key: constants and images are told apart") {
  StoredGroup group = group_of(kSum);
  const std::string family = group_key(group).family;
  group.operands[0].is_constant = true;
  const std::string of_constant = group_key(group).family;
  group.operands[0].stored.image = ImageKind::Image2D;
  CHECK(family != of_constant);
  CHECK(group_key(group).family != of_constant);
}

TEST_CASE("group key: a group of exponentially many numbers has a family of its own") {
  const auto doubled = [](int first) {
    return key_of([first](const Func& x, const Var& i) {
      Expr sum = x(i + first);
      for (int k = 0; k < 60; ++k) sum = sum + sum;
      return sum;
    });
  };
  CHECK(doubled(3).sizes.empty());
  CHECK(doubled(3) == doubled(3));
  CHECK(doubled(3).family != doubled(4).family);
}

TEST_CASE("group key: records in files are found again, so keys stay as they are") {
  CHECK(key_of(kSum).family == "363adaa49237d9d6916d91284f75df748db60faadfa634b3965f7eec62910a31");
  CHECK(key_of(kSum).structure == "bca1f45ace7f98102a98b03830d1468a8ea547b585652afd6b958ff28d5f5727");
}

}  // namespace tensordsl
