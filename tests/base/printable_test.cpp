#include "base/text/printable.h"

#include <doctest/doctest.h>

using namespace tensordsl;

TEST_CASE("printable: text without control characters passes unchanged") {
  for (const char* text : {"", "conv1/weights:0",
                           "gr\xC3\xB6\xC3\x9F"
                           "e",
                           "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    CHECK(is_printable(text));
    CHECK(printable(text) == text);
  }
}

TEST_CASE("printable: control characters and what is not UTF-8 become question marks") {
  CHECK(printable("a\nb\x7F") == "a?b?");
  CHECK(printable(std::string_view("a\0b", 3)) == "a?b");
  for (const char* text :
       {"\x80", "\xC3", "\xC0\xAF", "\xC2\x85", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    CHECK_FALSE(is_printable(text));
    CHECK(printable(text) == std::string(std::string_view(text).size(), '?'));
  }
}

TEST_CASE("printable: long text is cut") {
  CHECK_FALSE(is_printable(std::string(1001, 'a')));
  CHECK(printable(std::string(5000, 'a')) == std::string(1000, 'a') + "...");
}
