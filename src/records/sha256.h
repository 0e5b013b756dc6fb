// SHA-256 of byte strings.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace tensordsl::records {

using Digest = std::array<unsigned char, 32>;

class Sha256 {
 public:
  Sha256();
  Sha256& add(std::span<const unsigned char> bytes);
  /// Adds the eight bytes of `number`, the lowest first.
  Sha256& add_number(std::uint64_t number);
  /// The text's length in bytes, then the text: so that no two lists of texts hash alike by their joints.
  Sha256& add_text(std::string_view text);
  Digest finish();

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

std::string to_hex(std::span<const unsigned char> bytes);

}  // namespace tensordsl::records
