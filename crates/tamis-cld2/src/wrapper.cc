// The part of CLD2 that tamis-words calls, with C linkage. Languages and encodings are plain ints: the caller passes numbers, and a
// number that is no value of a Rust enumeration would be undefined behaviour there.

#include <cstddef>
#include <cstdio>  // FILE, which CLD2's header uses

#include "internal/lang_script.h"
#include "public/compact_lang_det.h"
#include "public/encodings.h"

extern "C" {

CLD2::ResultChunkVector* tamis_cld2_chunks_new() { return new CLD2::ResultChunkVector(); }

void tamis_cld2_chunks_delete(CLD2::ResultChunkVector* chunks) { delete chunks; }

std::size_t tamis_cld2_chunks_size(const CLD2::ResultChunkVector* chunks) { return chunks->size(); }

// Null if there are none.
const CLD2::ResultChunk* tamis_cld2_chunks_data(const CLD2::ResultChunkVector* chunks) {
  return chunks->empty() ? 0 : &(*chunks)[0];
}

// A string constant, "un" for numbers that are no language.
const char* tamis_cld2_language_code(int language) {
  return CLD2::LanguageCode(static_cast<CLD2::Language>(language));
}

// `language3`, `percent3` and `normalized_score3` have room for three; `chunks` may be null.
void tamis_cld2_detect(const char* buffer, int buffer_length, bool is_plain_text, const char* content_language,
                       const char* tld, int* language3, int* percent3, double* normalized_score3,
                       CLD2::ResultChunkVector* chunks, int* text_bytes, bool* is_reliable) {
  const CLD2::CLDHints hints = {content_language, tld, CLD2::UNKNOWN_ENCODING, CLD2::UNKNOWN_LANGUAGE};
  CLD2::Language languages[3] = {CLD2::UNKNOWN_LANGUAGE, CLD2::UNKNOWN_LANGUAGE, CLD2::UNKNOWN_LANGUAGE};
  CLD2::ExtDetectLanguageSummary(buffer, buffer_length, is_plain_text, &hints, 0, languages, percent3,
                                 normalized_score3, chunks, text_bytes, is_reliable);
  for (int i = 0; i < 3; ++i) language3[i] = static_cast<int>(languages[i]);
}

}  // extern "C"
