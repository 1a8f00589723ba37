#ifndef USMP_SUPPORT_APPEND_H_
#define USMP_SUPPORT_APPEND_H_

#include <iterator>
#include <utility>
#include <vector>

namespace usmp {

// Moves `more` to the end of `all`.
template <class T>
void Append(std::vector<T>& all, std::vector<T> more) {
  all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

}  // namespace usmp

#endif  // USMP_SUPPORT_APPEND_H_
