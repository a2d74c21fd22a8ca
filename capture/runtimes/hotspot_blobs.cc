#include "capture/runtimes/hotspot_blobs.hh"

namespace tcplab::capture {

namespace {

/// What all versions have.
struct BlobBasis {
  BlobBasis(const ProcessMemory& process, const HotspotTables& tables)
      : memory(process),
        name(tables.offset("CodeBlob::_name")),
        frame_size(tables.offset("CodeBlob::_frame_size")),
        true_return(tables.offset("nmethod::_orig_pc_offset")) {}

  /// A number of 32 bits.
  Address number(Address from) const { return memory.value<std::uint32_t>(from); }

  HotspotBlob read(Address begin) const {
    const std::string kind = memory.c_string(memory.pointer(begin + name));
    const bool is_native = kind == "native nmethod";
    const bool is_compiled = is_native || kind == "nmethod";
    return {.frame_size = number(begin + frame_size) * kHotspotWord,
            .is_compiled = is_compiled,
            .is_native = is_native,
            .true_return = is_compiled ? number(begin + true_return) : 0};
  }

  const ProcessMemory& memory;
  Address name;
  Address frame_size;
  Address true_return;
};

/// Java 17: everything is in the blob itself.
class BlobsInOnePart final : public HotspotBlobs {
public:
  BlobsInOnePart(const ProcessMemory& memory, const HotspotTables& tables)
      : basis_(memory, tables),
        code_(tables.offset("CodeBlob::_code_begin")),
        code_end_(tables.offset("CodeBlob::_code_end")),
        method_(tables.offset("CompiledMethod::_method")),
        places_(tables.offset("nmethod::_scopes_pcs_offset")),
        places_end_(tables.offset("nmethod::_dependencies_offset")),
        scopes_(tables.offset("CompiledMethod::_scopes_data_begin")),
        metadata_(tables.offset("nmethod::_metadata_offset")),
        deoptimizes_(tables.offset("CompiledMethod::_deopt_handler_begin")),
        deoptimizes_handle_(tables.offset("CompiledMethod::_deopt_mh_handler_begin")) {}

  HotspotBlob read(Address begin) const override {
    HotspotBlob blob = basis_.read(begin);
    const ProcessMemory& memory = basis_.memory;
    blob.code = memory.pointer(begin + code_);
    blob.code_end = memory.pointer(begin + code_end_);
    if (!blob.is_compiled) return blob;
    blob.method = memory.pointer(begin + method_);
    blob.places = begin + basis_.number(begin + places_);
    blob.places_end = begin + basis_.number(begin + places_end_);
    blob.scopes = memory.pointer(begin + scopes_);
    blob.metadata = begin + basis_.number(begin + metadata_);
    blob.metadata_end = blob.scopes;
    blob.deoptimizes = memory.pointer(begin + deoptimizes_);
    blob.deoptimizes_handle = memory.pointer(begin + deoptimizes_handle_);
    return blob;
  }

private:
  BlobBasis basis_;
  Address code_;
  Address code_end_;
  Address method_;
  Address places_;
  Address places_end_;
  Address scopes_;
  Address metadata_;
  Address deoptimizes_;
  Address deoptimizes_handle_;
};

/// Java 25: the scopes, and the addresses of methods, are each in a part of their own.
class BlobsInThreeParts final : public HotspotBlobs {
public:
  BlobsInThreeParts(const ProcessMemory& memory, const HotspotTables& tables)
      : basis_(memory, tables),
        code_(tables.offset("CodeBlob::_code_offset")),
        code_end_(tables.offset("CodeBlob::_data_offset")),
        metadata_part_(tables.offset("CodeBlob::_mutable_data")),
        metadata_(tables.offset("CodeBlob::_relocation_size")),
        metadata_end_(tables.offset("CodeBlob::_mutable_data_size")),
        method_(tables.offset("nmethod::_method")),
        scopes_part_(tables.offset("nmethod::_immutable_data")),
        places_(tables.offset("nmethod::_scopes_pcs_offset")),
        scopes_(tables.offset("nmethod::_scopes_data_offset")),
        deoptimizes_(tables.offset("nmethod::_deopt_handler_offset")),
        deoptimizes_handle_(tables.offset("nmethod::_deopt_mh_handler_offset")) {}

  HotspotBlob read(Address begin) const override {
    HotspotBlob blob = basis_.read(begin);
    const ProcessMemory& memory = basis_.memory;
    blob.code = begin + basis_.number(begin + code_);
    blob.code_end = begin + basis_.number(begin + code_end_);
    if (!blob.is_compiled) return blob;
    const Address scopes_part = memory.pointer(begin + scopes_part_);
    const Address metadata_part = memory.pointer(begin + metadata_part_);
    blob.method = memory.pointer(begin + method_);
    blob.places = scopes_part + basis_.number(begin + places_);
    blob.scopes = scopes_part + basis_.number(begin + scopes_);
    blob.places_end = blob.scopes;
    blob.metadata = metadata_part + basis_.number(begin + metadata_);
    blob.metadata_end = metadata_part + basis_.number(begin + metadata_end_);
    blob.deoptimizes = begin + basis_.number(begin + deoptimizes_);
    blob.deoptimizes_handle = begin + basis_.number(begin + deoptimizes_handle_);
    return blob;
  }

private:
  BlobBasis basis_;
  Address code_;
  Address code_end_;
  Address metadata_part_;
  Address metadata_;
  Address metadata_end_;
  Address method_;
  Address scopes_part_;
  Address places_;
  Address scopes_;
  Address deoptimizes_;
  Address deoptimizes_handle_;
};

}  // namespace

std::unique_ptr<HotspotBlobs> hotspot_blobs(const ProcessMemory& memory,
                                            const HotspotTables& tables) {
  if (tables.has("CodeBlob::_mutable_data"))
    return std::make_unique<BlobsInThreeParts>(memory, tables);
  return std::make_unique<BlobsInOnePart>(memory, tables);
}

}  // namespace tcplab::capture
