#include "records/sha256.h"

#include <doctest/doctest.h>

namespace tensordsl::records {

TEST_CASE("SHA-256: the standard's test vector") {
  const std::string text = "abc";
  const Digest digest = Sha256().add({reinterpret_cast<const unsigned char*>(text.data()), 3}).finish();
  CHECK(to_hex(digest) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace tensordsl::records
