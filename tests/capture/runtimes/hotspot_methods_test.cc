#include "capture/runtimes/hotspot_methods.hh"

#include <array>

#include "tests/capture/runtimes/hotspot_memory.hh"
#include "tests/catch.hh"

using namespace tcplab;
using capture::Address;
using capture::UnreadableMemory;

namespace {

constexpr Address kMethod = 0x10000;
constexpr Address kConstMethod = 0x11000;
constexpr Address kPool = 0x12000;
constexpr Address kClass = 0x13000;
constexpr Address kListed = 0x14000;
constexpr Address kTags = 0x15000;
constexpr Address kClassName = 0x16000;
constexpr Address kName = 0x16100;
constexpr Address kFile = 0x16200;

constexpr Address kConstMethodSize = 48;
constexpr Address kCode = kConstMethod + kConstMethodSize;
constexpr std::uint16_t kCodeSize = 10;
constexpr Address kPoolSize = 72;

/// srv.Client.fetch, in Client.java. Its bytecode 4 is in line 9.
struct Fetch {
  Fetch() {
    describe();
    put_method();
    put_pool();
    put_class();
  }

  capture::HotspotMethods methods() const {
    return {memory, capture::HotspotTables(memory, exports.symbols()),
            capture::HotspotPacking::with_zeros};
  }

  void describe() {
    exports.field("Method", "_constMethod", 8);
    exports.field("Method", "_access_flags", 40);
    exports.field("ConstMethod", "_constants", 8);
    exports.field("ConstMethod", "_flags", 28);
    exports.constant("ConstMethod::_has_linenumber_table", 1);
    exports.field("ConstMethod", "_constMethod_size", 24);
    exports.field("ConstMethod", "_name_index", 34);
    exports.field("ConstMethod", "_code_size", 32);
    exports.size("ConstMethod", kConstMethodSize);
    exports.field("ConstantPool", "_pool_holder", 24);
    exports.field("ConstantPool", "_length", 60);
    exports.field("ConstantPool", "_source_file_name_index", 54);
    exports.field("ConstantPool", "_tags", 8);
    exports.size("ConstantPool", kPoolSize);
    exports.field("Klass", "_name", 24);
    exports.field("InstanceKlass", "_methods", 408);
    exports.field("Array<int>", "_length", 0);
    exports.field("Array<Method*>", "_data", 8);
    exports.field("Array<u1>", "_data", 4);
    exports.field("Symbol", "_length", 4);
    exports.field("Symbol", "_body", 6);
  }

  void put_method() {
    memory.put(kMethod + 8, kConstMethod);
    memory.put(kMethod + 40, 1);  // public
    memory.put(kConstMethod + 8, kPool);
    memory.put(kConstMethod + 24, 8);                 // words
    memory.put(kConstMethod + 28, std::uint16_t{1});  // it has lines
    memory.put(kConstMethod + 32, kCodeSize);
    memory.put(kConstMethod + 34, std::uint16_t{2});
    memory.write(kCode, std::vector<std::byte>(kCodeSize));
    memory.put(kCode + kCodeSize, std::array<std::uint8_t, 6>{7, 4 << 3 | 2, 0, 0, 0, 0});
  }

  void put_pool() {
    memory.put(kPool + 8, kTags);
    memory.put(kPool + 24, kClass);
    memory.put(kPool + 54, std::uint16_t{3});
    memory.put(kPool + 60, 4);
    memory.put(kTags + 4, std::array<std::uint8_t, 4>{0, 7, 1, 1});
    memory.put(kPool + kPoolSize + 16, std::array<Address, 2>{kName, kFile});
    put_symbol(kName, "fetch");
    put_symbol(kFile, "Client.java");
  }

  void put_class() {
    memory.put(kClass + 24, kClassName);
    put_symbol(kClassName, "srv/Client");
    memory.put(kClass + 408, kListed);
    memory.put(kListed, 2);
    memory.put(kListed + 8, std::array<Address, 2>{0x99000, kMethod});
  }

  void put_symbol(Address at, const std::string& text) {
    memory.put(at + 4, static_cast<std::uint16_t>(text.size()));
    memory.put_text(at + 6, text);
  }

  test::HotspotMemory memory;
  test::HotspotExports exports{memory};
};

}  // namespace

TEST_CASE("a method of HotSpot has its class, file and line") {
  const Fetch fetch;
  CHECK(to_text(fetch.methods().name(kMethod, 4)) == "srv.Client.fetch (Client.java:9)");
  CHECK(to_text(fetch.methods().name(kMethod, 3)) == "srv.Client.fetch (Client.java:7)");
}

TEST_CASE("a method of HotSpot without lines or a file has none") {
  Fetch fetch;
  CHECK(to_text(fetch.methods().name(kMethod, -1)) == "srv.Client.fetch (Client.java)");
  fetch.memory.put(kConstMethod + 28, std::uint16_t{2});  // another flag
  CHECK(to_text(fetch.methods().name(kMethod, 4)) == "srv.Client.fetch (Client.java)");
  fetch.memory.put(kPool + 54, std::uint16_t{0});
  CHECK(to_text(fetch.methods().name(kMethod, 4)) == "srv.Client.fetch");
}

TEST_CASE("a hidden class of HotSpot is written as Java writes it") {
  Fetch fetch;
  fetch.put_symbol(kClassName, "srv/A$$Lambda$1+0x00000008010");
  CHECK(fetch.methods().name(kMethod, 4).function == "srv.A$$Lambda$1/0x00000008010.fetch");
}

TEST_CASE("the address of a bytecode gives its index") {
  Fetch fetch;
  CHECK(fetch.methods().bytecode(kMethod, kCode) == 0);
  CHECK(fetch.methods().bytecode(kMethod, kCode + kCodeSize - 1) == kCodeSize - 1);
  CHECK_THROWS_AS(fetch.methods().bytecode(kMethod, kCode + kCodeSize), UnreadableMemory);
  CHECK_THROWS_AS(fetch.methods().bytecode(kMethod, kCode - 1), UnreadableMemory);
  fetch.memory.put(kMethod + 40, 0x101);  // public native
  CHECK(fetch.methods().bytecode(kMethod, 0) == capture::HotspotMethods::kNoBytecode);
}

TEST_CASE("what its class does not list is no method") {
  Fetch fetch;
  fetch.memory.put(kListed + 16, Address{0x98000});
  CHECK_THROWS_AS(fetch.methods().name(kMethod, 4), UnreadableMemory);
}

TEST_CASE("a constant of another kind is no name") {
  Fetch fetch;
  SECTION("it is a class") { fetch.memory.put(kTags + 4 + 2, std::uint8_t{7}); }
  SECTION("it is outside of the pool") { fetch.memory.put(kConstMethod + 34, std::uint16_t{4}); }
  SECTION("it has no characters") { fetch.put_symbol(kName, ""); }
  CHECK_THROWS_AS(fetch.methods().name(kMethod, 4), UnreadableMemory);
}

TEST_CASE("a version of HotSpot without a field is not known") {
  test::HotspotMemory memory;
  test::HotspotExports exports(memory);
  exports.field("Method", "_constMethod", 8);
  exports.static_field("CodeCache", "_heaps", 0x7000);
  const capture::HotspotTables tables(memory, exports.symbols());
  CHECK(tables.offset("Method::_constMethod") == 8);
  CHECK(tables.address("CodeCache::_heaps") == 0x7000);
  CHECK_THROWS_AS(tables.offset("Method::_access_flags"), UnreadableMemory);
  CHECK_THROWS_AS(tables.offset("CodeCache::_heaps"), UnreadableMemory);
  CHECK_THROWS_AS(tables.address("Method::_constMethod"), UnreadableMemory);
  CHECK_THROWS_AS(capture::HotspotMethods(memory, tables, capture::HotspotPacking::with_zeros),
                  UnreadableMemory);
}
