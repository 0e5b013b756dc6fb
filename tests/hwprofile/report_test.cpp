// The page for people, and what it is drawn with.
#include "hwprofile/report/report.h"

#include <doctest/doctest.h>

#include <cmath>

#include "hwprofile/report/axis.h"
#include "hwprofile/report/chart.h"
#include "hwprofile/report/quantity.h"
#include "hwprofile/report/roofline.h"
#include "hwprofile/report/svg.h"
#include "hwprofile/synthetic_architecture.h"

namespace tensordsl::hwprofile {
namespace {

DeviceProfile synthetic_profile(unsigned seed) {
  std::mt19937 random(seed);
  const SyntheticArchitecture architecture = draw_architecture(random);
  DeviceProfile profile;
  profile.results = architecture.measure(random);
  const auto again = architecture.measure(random);
  for (std::size_t i = 0; i < again.size(); ++i) profile.results[i].passes.push_back(again[i].passes[0]);
  profile.profile = profile_of(architecture.info(), profile.results);
  return profile;
}

/// The first thing that keeps the text from being well-formed, or nothing: tags that do not close each other,
/// stray brackets.
std::string flaw_of(const std::string& html) {
  std::vector<std::string> open;
  std::size_t at = html.find('>') + 1;  // behind the document's type
  for (;;) {
    const std::size_t begin = html.find('<', at);
    if (html.substr(at, begin - at).find('>') != std::string::npos)
      return "a stray > at " + std::to_string(at);
    if (begin == std::string::npos) break;
    const std::size_t end = html.find('>', begin);
    if (end == std::string::npos) return "a tag without an end";
    const std::string tag = html.substr(begin + 1, end - begin - 1);
    if (tag.find('<') != std::string::npos) return "a stray < in " + tag;
    at = end + 1;
    const std::string name = tag.substr(tag[0] == '/', tag.find_first_of(" /", 1) - (tag[0] == '/'));
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "</" + tag.substr(1) + "> closes nothing";
      open.pop_back();
    } else if (tag.back() != '/' && name != "meta") {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace

TEST_CASE(
    "report_page: of random profiles is well-formed, the same each time, and needs nothing from elsewhere") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const DeviceProfile profile = synthetic_profile(seed);
    const std::string page = report_page(profile);
    CHECK(flaw_of(page) == "");
    CHECK(page == report_page(profile));
    for (const char* stranger : {"http:", "https:", "url(", "@import", "<script", "nan", "inf\"", "inf,"}) {
      CAPTURE(stranger);
      CHECK(page.find(stranger) == std::string::npos);
    }
    for (const ProbeResult& result : profile.results) {
      CHECK(page.find("<h2>" + result.probe + "</h2>") != std::string::npos);
      for (const Curve& curve : result.passes[0].curves)
        CHECK(page.find(escaped(curve.name)) != std::string::npos);
    }
  }
}

TEST_CASE(
    "report_page: of a profile that knows nothing has question marks, and of a probe that failed the "
    "reason") {
  DeviceProfile nothing;
  nothing.profile.device = "<b>\"a\" & 'b'</b>\x01";
  nothing.results = {{"warp", {{{}, "the device <is> gone"}}, {}}, {"registers", {}, {}}};
  const std::string page = report_page(nothing);
  CHECK(flaw_of(page) == "");
  CHECK(page.find("&lt;b&gt;&quot;a&quot; &amp; &#39;b&#39;&lt;/b&gt;</h1>") != std::string::npos);
  CHECK(page.find("could not be run: the device &lt;is&gt; gone") != std::string::npos);
  CHECK(page.find("pool of ?") != std::string::npos);
  CHECK(page.find("Roofline") == std::string::npos);
}

TEST_CASE("draw: a mark is a line with its label, a second pass is faint, one point is enough") {
  const Chart chart{"a title",
                    "footprint (B)",
                    "ns",
                    {{"one", {{1024, {5, 4, 6}}, {2048, {7, 6, 8}}, {4096, {9, 9, 9}}}, {{1024, {5, 5, 5}}}}},
                    {{2048, "an end"}}};
  const std::string drawing = draw(chart);
  CHECK(flaw_of("<!>" + drawing) == "");
  CHECK(drawing.find("an end (2 KiB)") != std::string::npos);
  CHECK(drawing.find("class=\"curve c0 again\"") != std::string::npos);
  CHECK(drawing.find("one: 7 ns at 2 KiB, between 6 ns and 8 ns") != std::string::npos);
  CHECK(drawing.find(">1 KiB<") != std::string::npos);
  CHECK(flaw_of("<!>" + draw({"t", "x", "s", {{"one", {{3, {1e-6, 1e-6, 1e-6}}}, {}}}, {}})) == "");
  CHECK(flaw_of("<!>" + draw({"t", "x", "s", {}, {{1, "nothing to mark"}}})) == "");
  const std::string columns =
      draw({"t", "0: no, 1: yes", "GB/s", {{"one", {{0, {5, 5, 5}}, {1, {10, 10, 10}}}, {}}}, {}});
  CHECK(columns.find("class=\"column c0\"") != std::string::npos);
  CHECK(columns.find("polyline") == std::string::npos);
}

TEST_CASE("draw: values that differ by rounding alone are one value") {
  const double one = 3e-4, next = std::nextafter(one, 1);
  CHECK(flaw_of("<!>" +
                draw({"t",
                      "x",
                      "s",
                      {{"one", {{1, {one, one, one}}, {2, {next, next, next}}, {3, {one, one, one}}}, {}}},
                      {}})) == "");
  CHECK(flaw_of(
            "<!>" +
            draw({"t",
                  "x",
                  "s",
                  {{"one", {{one, {1, 1, 1}}, {next, {1, 1, 1}}, {std::nextafter(next, 1), {2, 2, 2}}}, {}}},
                  {}})) == "");
  for (const double extreme : {1e-300, 1e300})
    CHECK(Axis(extreme, 2 * extreme, 0, 1, "").ticks().size() <= 9);
  CHECK(Axis(1e-300, 1e300, 0, 1, "B").ticks().size() <= 9);
}

TEST_CASE("Axis: places go from end to end in the order of the values, and ticks lie on round ones between") {
  for (const auto& [low, high, unit] : {std::tuple{1.0, 2.0, ""},
                                        {1.0, 1e6, ""},
                                        {1024.0, 256.0 * (1 << 20), "B"},
                                        {3e-7, 4e-7, "s"},
                                        {5.0, 5.0, ""},
                                        {1e-9, 1e9, ""},
                                        {0.5, 29.0, ""}}) {
    CAPTURE(low);
    const Axis axis(low, high, 300, 20, unit);
    CHECK(axis.place(low) <= 300);
    CHECK(axis.place(high) >= 20);
    double before = 301;
    for (int i = 0; i <= 10; ++i) {
      const double place = axis.place(low * std::pow(high / low, i / 10.0));
      CHECK(place <= before);
      before = place;
    }
    const std::vector<double> ticks = axis.ticks();
    CHECK(ticks.size() <= 9);
    CHECK(std::is_sorted(ticks.begin(), ticks.end()));
  }
  CHECK(Axis(1, 1000, 0, 1, "").ticks() == std::vector<double>{1, 10, 100, 1000});
  CHECK(Axis(0, 5.9, 0, 1, "").ticks() == std::vector<double>{0, 2, 4, 6});
}

TEST_CASE("quantity: numbers with the prefix that leaves three digits") {
  CHECK(quantity(49152, "B") == "48 KiB");
  CHECK(quantity(256, "B") == "256 B");
  CHECK(quantity(33.5 * (1 << 20), "B") == "33.5 MiB");
  CHECK(quantity(3.2e-4, "s") == "320 us");
  CHECK(quantity(0.5e-6, "s") == "500 ns");
  CHECK(quantity(65400, "GFLOPS") == "65.4 TFLOPS");
  CHECK(quantity(132, "") == "132");
  CHECK(quantity(Measurement{5.25, 4, 7, false}, "us") == "about 5.25 us");
  CHECK(quantity(std::nullopt, "us") == "?");
}

TEST_CASE("unit_of and name_of: what an axis is called") {
  CHECK(unit_of("footprint (B)") == "B");
  CHECK(name_of("footprint (B)") == "footprint");
  CHECK(unit_of("GB/s") == "GB/s");
  CHECK(name_of("GB/s") == "bandwidth");
  CHECK(unit_of("launches") == "");
  CHECK(name_of("launches") == "launches");
}

TEST_CASE("draw_roofline: a roof for each memory that is known, under the peak") {
  HwProfile profile;
  CHECK(draw_roofline(profile) == "");
  profile.fma_gflops.f32 = Measurement::exact(890);
  CHECK(draw_roofline(profile) == "");
  profile.dram_gbs = Measurement::exact(28);
  profile.image_caches = {{{}, {}, {}, Measurement::exact(194)}};
  const std::string drawing = draw_roofline(profile);
  CHECK(flaw_of("<!>" + drawing) == "");
  CHECK(drawing.find("images, cache 1, 194 GB/s") != std::string::npos);
  CHECK(drawing.find("memory, 28 GB/s") != std::string::npos);
  // The ridges, where both roofs meet the peak.
  CHECK(drawing.find("890 GFLOPS at 4.59") != std::string::npos);
  CHECK(drawing.find("890 GFLOPS at 31.8") != std::string::npos);
}

}  // namespace tensordsl::hwprofile
