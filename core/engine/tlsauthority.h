#pragma once

#include "core/base/result.h"

#include <string>

namespace sandfish {

/// A certificate authority that lives as long as the daemon, and the certificate it gave to the data plane.
///
/// Vendor clients insist on https; they trust this authority through SSL_CERT_FILE or NODE_EXTRA_CA_CERTS
/// (protocols.md §1.1). The authority's key is dropped at once, so nothing else can ever be signed with it.
struct TlsIdentity
{
    std::string authorityPem;   ///< what clients must trust
    std::string certificatePem; ///< for localhost, 127.0.0.1 and ::1
    std::string keyPem;         ///< of the certificate; a secret
};

/// Makes both, P-256, valid for ten years. Cost: about 1 ms.
Result<TlsIdentity> makeTlsIdentity();

} // namespace sandfish
