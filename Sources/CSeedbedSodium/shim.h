#include <sodium/crypto_sign_ed25519.h>
