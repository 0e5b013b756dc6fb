// Two devices of one key are alike.
#include "runtime/device/device_key.h"

#include <doctest/doctest.h>

#include <set>

namespace tensordsl {
namespace {

void change(std::string& text) { text += "!"; }
void change(bool& flag) { flag = !flag; }
void change(int& number) { ++number; }
void change(std::int64_t& number) { ++number; }
void change(std::optional<std::int64_t>& number) { number = number.value_or(0) + 1; }
void change(std::vector<int>& numbers) { numbers.push_back(1); }
void change(std::vector<std::string>& texts) { texts.emplace_back("cl_khr_fp16"); }

/// Calls `check` after each change of one field, of one element of it where it has several.
template <typename Check>
class Changes {
 public:
  Changes(DeviceInfo& info, const Check& check) : info_(info), check_(check) {}

  template <typename... Fields>
  void of(Fields&... fields) {
    (one(fields), ...);
  }

 private:
  template <typename Field>
  void one(Field& field) {
    const DeviceInfo before = info_;
    change(field);
    check_();
    info_ = before;
  }
  void one(std::array<std::int64_t, 3>& field) { of(field[0], field[1], field[2]); }
  void one(ImageLimits& field) {
    auto& [width, height, layers, texels] = field;
    of(width, height, layers, texels);
  }

  DeviceInfo& info_;
  const Check& check_;
};

}  // namespace

TEST_CASE("device key: a change of each field changes it, and no two changes give the same") {
  DeviceInfo info;
  std::set<std::string> keys{runtime::device_key(info)};
  const auto is_new = [&] { CHECK(keys.insert(runtime::device_key(info)).second); };
  auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae, af,
         ag, ah, ai, aj, ak, al, am, an, ao] = info;
  Changes(info, is_new)
      .of(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x, y, z, aa, ab, ac, ad, ae,
          af, ag, ah, ai, aj, ak, al, am, an, ao);
  CHECK(keys.size() == 1 + 41 + 2 + 3);
  CHECK(keys.contains(runtime::device_key(info)));
}

TEST_CASE("device key: texts are not run together") {
  DeviceInfo one, other;
  one.name = "ab";
  other.name = "a";
  other.vendor = "b";
  CHECK(runtime::device_key(one) != runtime::device_key(other));
  one = other = {};
  one.extensions = {"a b"};
  other.extensions = {"a", "b"};
  CHECK(runtime::device_key(one) != runtime::device_key(other));
}

}  // namespace tensordsl
