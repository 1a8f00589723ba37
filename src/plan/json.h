// JSON of problems and plans: taken apart with diagnostics, and laid out so that differences stay
// small.
#ifndef USMP_PLAN_JSON_H_
#define USMP_PLAN_JSON_H_

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "usmp/plan.h"
#include "usmp/result.h"

namespace usmp::plan {

using Json = nlohmann::ordered_json;

// Takes values out of a JSON document and reports every one that is not what it should be, with its
// path.
class JsonReader {
 public:
  explicit JsonReader(std::string_view source) : source_(source) {}

  void Report(const std::string& path, std::string message);

  // The document; nothing if it is not JSON.
  std::optional<Json> Parse(std::string_view text);

  // nullptr if absent or null.
  static const Json* Find(const Json& object, const char* key);

  // True if `value` is an object; keys beyond `known` are reported.
  bool IsObject(const Json& value, const std::string& path,
                std::initializer_list<const char*> known);

  // The elements of a list that may be absent; nullptr then, or if it is no list.
  const Json* List(const Json& object, const std::string& path, const char* key);

  // Absent values are no mistake where they are optional; the required ones are 0 or empty then.
  template <class Integer>
  std::optional<Integer> Number(const Json& value, const std::string& path) {
    constexpr Integer kMax = std::numeric_limits<Integer>::max();
    constexpr Integer kMin = std::numeric_limits<Integer>::min();
    if (value.is_number_unsigned() && value.get<uint64_t>() <= static_cast<uint64_t>(kMax)) {
      return static_cast<Integer>(value.get<uint64_t>());
    }
    if (value.is_number_integer() && !value.is_number_unsigned() && value.get<int64_t>() >= kMin) {
      return static_cast<Integer>(value.get<int64_t>());
    }
    Report(path,
           "must be a whole number of at most " + std::to_string(kMax) + ", not " + Shown(value));
    return std::nullopt;
  }

  template <class Integer>
  std::optional<Integer> OptionalNumber(const Json& object, const std::string& path,
                                        const char* key) {
    const Json* value = Find(object, key);
    if (value == nullptr) return std::nullopt;
    return Number<Integer>(*value, Join(path, key));
  }

  Bytes RequiredBytes(const Json& object, const std::string& path, const char* key);
  std::optional<double> OptionalReal(const Json& object, const std::string& path, const char* key);
  // Texts are not empty.
  std::optional<std::string> Text(const Json& value, const std::string& path);
  std::string RequiredText(const Json& object, const std::string& path, const char* key);

  // The value whose Name() the text is; the first of `values` if there is none.
  template <class Enum, size_t n>
  Enum Word(const Json& object, const std::string& path, const char* key, const Enum (&values)[n]) {
    const Json* value = Find(object, key);
    if (value == nullptr) return values[0];
    std::string all;
    for (Enum candidate : values) {
      const std::string_view name = Name(candidate);
      if (value->is_string() && value->get_ref<const std::string&>() == name) return candidate;
      all += (all.empty() ? "" : ", ") + std::string(name);
    }
    Report(Join(path, key), "is " + Shown(*value) + ", but must be one of " + all);
    return values[0];
  }

  // Files of format 1, or that do not say.
  void CheckFormat(const Json& document);

  static std::string Join(const std::string& path, const char* key) {
    return path.empty() ? key : path + "." + key;
  }

  bool ok() const { return found_.empty(); }
  tl::unexpected<Error> TakeError() { return Fail({ErrorCode::kInvalidInput, std::move(found_)}); }

 private:
  // "[json.exception.parse_error.101] parse error at line 1, ..." without the part in brackets.
  static std::string WithoutTag(std::string_view what);

  // The value as diagnostics quote it, in ASCII and cut short.
  static std::string Shown(const Json& value);

  std::string source_;
  std::vector<Diagnostic> found_{};
};

// The path of an element: list[3].
std::string Element(std::string_view list, size_t index);

// One element of a list on one line: long files stay readable, and differences small.
std::string Lines(const Json& list);

}  // namespace usmp::plan

#endif  // USMP_PLAN_JSON_H_
