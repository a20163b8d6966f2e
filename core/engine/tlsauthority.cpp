#include "core/engine/tlsauthority.h"

#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <array>
#include <cstdint>
#include <memory>

namespace sandfish {
namespace {

template <auto Free> struct Deleter
{
    template <typename T> void operator()(T *object) const { Free(object); }
};
using Key = std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;
using Bio = std::unique_ptr<BIO, Deleter<BIO_free>>;

constexpr long kValidSeconds = 10L * 365 * 24 * 3600;
constexpr long kClockSkewSeconds = 24 * 3600;

Error opensslError()
{
    std::array<char, 256> text{};
    ERR_error_string_n(ERR_get_error(), text.data(), text.size());
    return {Error::Kind::Internal, "The certificate of the data plane could not be made.", text.data()};
}

bool setSerial(X509 *certificate)
{
    std::uint64_t serial = 0;
    return RAND_bytes(reinterpret_cast<unsigned char *>(&serial), sizeof serial) == 1
        && ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate), serial >> 1) == 1;
}

bool setName(X509_NAME *name, const char *commonName)
{
    const auto *bytes = reinterpret_cast<const unsigned char *>(commonName);
    return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, bytes, -1, -1, 0) == 1;
}

bool addExtension(X509 *certificate, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value);
    if (!extension)
        return false;
    const bool isAdded = X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return isAdded;
}

Certificate blankCertificate(EVP_PKEY *key, const char *commonName)
{
    Certificate certificate(X509_new());
    const bool isGood = certificate && X509_set_version(certificate.get(), 2) == 1 && setSerial(certificate.get())
        && X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kClockSkewSeconds)
        && X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kValidSeconds)
        && X509_set_pubkey(certificate.get(), key) == 1
        && setName(X509_get_subject_name(certificate.get()), commonName);
    return isGood ? std::move(certificate) : nullptr;
}

Certificate makeAuthority(EVP_PKEY *key)
{
    Certificate authority = blankCertificate(key, "Sandfish local engine");
    X509 *raw = authority.get();
    const bool isGood = raw && X509_set_issuer_name(raw, X509_get_subject_name(raw)) == 1
        && addExtension(raw, raw, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && addExtension(raw, raw, NID_key_usage, "critical,keyCertSign")
        && addExtension(raw, raw, NID_subject_key_identifier, "hash") && X509_sign(raw, key, EVP_sha256()) > 0;
    return isGood ? std::move(authority) : nullptr;
}

Certificate makeLeaf(EVP_PKEY *key, X509 *authority, EVP_PKEY *authorityKey)
{
    Certificate leaf = blankCertificate(key, "localhost");
    X509 *raw = leaf.get();
    const bool isGood = raw && X509_set_issuer_name(raw, X509_get_subject_name(authority)) == 1
        && addExtension(raw, authority, NID_basic_constraints, "critical,CA:FALSE")
        && addExtension(raw, authority, NID_key_usage, "critical,digitalSignature")
        && addExtension(raw, authority, NID_ext_key_usage, "serverAuth")
        && addExtension(raw, authority, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1")
        && addExtension(raw, authority, NID_subject_key_identifier, "hash")
        && addExtension(raw, authority, NID_authority_key_identifier, "keyid:always")
        && X509_sign(raw, authorityKey, EVP_sha256()) > 0;
    return isGood ? std::move(leaf) : nullptr;
}

template <typename Write> std::string pem(Write write)
{
    const Bio bio(BIO_new(BIO_s_mem()));
    if (!bio || write(bio.get()) != 1)
        return {};
    char *data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return std::string(data, static_cast<std::size_t>(size));
}

} // namespace

Result<TlsIdentity> makeTlsIdentity()
{
    const Key authorityKey(EVP_EC_gen("P-256"));
    const Key key(EVP_EC_gen("P-256"));
    if (!authorityKey || !key)
        return opensslError();
    const Certificate authority = makeAuthority(authorityKey.get());
    const Certificate leaf = authority ? makeLeaf(key.get(), authority.get(), authorityKey.get()) : nullptr;
    if (!leaf)
        return opensslError();
    TlsIdentity identity;
    identity.authorityPem = pem([&](BIO *bio) { return PEM_write_bio_X509(bio, authority.get()); });
    identity.certificatePem = pem([&](BIO *bio) { return PEM_write_bio_X509(bio, leaf.get()); });
    identity.keyPem =
        pem([&](BIO *bio) { return PEM_write_bio_PrivateKey(bio, key.get(), nullptr, nullptr, 0, nullptr, nullptr); });
    if (identity.authorityPem.empty() || identity.certificatePem.empty() || identity.keyPem.empty())
        return opensslError();
    return identity;
}

} // namespace sandfish
