#include "plan/json.h"

#include <fmt/format.h>

#include <algorithm>

namespace usmp::plan {

std::optional<Json> JsonReader::Parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception& e) {
    Report("", fmt::format("is not JSON: {}", WithoutTag(e.what())));
    return std::nullopt;
  }
}

const Json* JsonReader::Find(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

bool JsonReader::IsObject(const Json& value, const std::string& path,
                          std::initializer_list<const char*> known) {
  if (!value.is_object()) {
    Report(path, "must be an object: {...}");
    return false;
  }
  for (const auto& item : value.items()) {
    if (std::ranges::find(known, item.key()) != known.end()) continue;
    Report(path, fmt::format("has an unknown key '{}': known are {}", item.key(),
                             fmt::join(known, ", ")));
  }
  return true;
}

const Json* JsonReader::List(const Json& object, const std::string& path, const char* key) {
  const Json* value = Find(object, key);
  if (value == nullptr || value->is_array()) return value;
  Report(Join(path, key), "must be a list: [...]");
  return nullptr;
}

Bytes JsonReader::RequiredBytes(const Json& object, const std::string& path, const char* key) {
  const Json* value = Find(object, key);
  if (value == nullptr) Report(path, fmt::format("has no '{}'", key));
  return value == nullptr ? 0 : Number<Bytes>(*value, Join(path, key)).value_or(0);
}

std::optional<double> JsonReader::OptionalReal(const Json& object, const std::string& path,
                                               const char* key) {
  const Json* value = Find(object, key);
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  Report(Join(path, key), fmt::format("must be a number, not {}", Shown(*value)));
  return std::nullopt;
}

std::optional<std::string> JsonReader::Text(const Json& value, const std::string& path) {
  if (value.is_string() && !value.get_ref<const std::string&>().empty()) {
    return value.get<std::string>();
  }
  Report(path, fmt::format("must be a text that is not empty, not {}", Shown(value)));
  return std::nullopt;
}

std::string JsonReader::RequiredText(const Json& object, const std::string& path, const char* key) {
  const Json* value = Find(object, key);
  if (value == nullptr) Report(path, fmt::format("has no '{}'", key));
  return value == nullptr ? "" : Text(*value, Join(path, key)).value_or("");
}

void JsonReader::CheckFormat(const Json& document) {
  const Json* format = Find(document, "format");
  if (format == nullptr || *format == 1) return;
  Report("format", fmt::format("is {}, but this version of usmp reads format 1", Shown(*format)));
}

std::string JsonReader::WithoutTag(std::string_view what) {
  const size_t end = what.find("] ");
  return std::string(end == std::string_view::npos ? what : what.substr(end + 2));
}

std::string JsonReader::Shown(const Json& value) {
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (text.size() > 40) text = text.substr(0, 40) + "...";
  return text;
}

void JsonReader::Report(const std::string& path, std::string message) {
  found_.push_back({path.empty() ? source_ : source_ + ": " + path, std::move(message)});
}

std::string Element(std::string_view list, size_t index) {
  return fmt::format("{}[{}]", list, index);
}

std::string Lines(const Json& list) {
  std::string out;
  for (const Json& element : list) {
    out += out.empty() ? "\n" : ",\n";
    out += "    " + element.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  return "[" + out + (out.empty() ? "]" : "\n  ]");
}

}  // namespace usmp::plan
