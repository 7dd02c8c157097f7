#pragma once
// The functions of one algorithm. The manual prefers EVP, which brings every algorithm along: a
// static library of 3 MB in place of 20 KB. Both run the same assembly.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
