#pragma once
#include <zlib.h>

// Swift cannot import inflateInit2, a macro that passes the size of the caller's struct.
static inline int seedbed_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}

// The same for deflateInit2.
static inline int seedbed_deflate_init(z_stream *stream, int level, int window_bits) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, 9, Z_DEFAULT_STRATEGY);
}
