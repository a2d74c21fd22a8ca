// A vector whose copies share their elements until one of them changes. For lists that are in the
// configuration of each of a thousand hosts: a copy costs nothing, and neither does a fork(2).
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace tcplab::base {

template <typename T>
class SharedVector {
public:
  SharedVector() = default;
  SharedVector(std::initializer_list<T> elements) : SharedVector(std::vector<T>(elements)) {}
  explicit SharedVector(std::vector<T> elements)
      : elements_(std::make_shared<std::vector<T>>(std::move(elements))) {}

  const T* data() const { return elements_ ? elements_->data() : nullptr; }
  std::size_t size() const { return elements_ ? elements_->size() : 0; }
  bool empty() const { return size() == 0; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& operator[](std::size_t index) const { return (*elements_)[index]; }

  void push_back(T element) { own().push_back(std::move(element)); }
  void clear() { elements_.reset(); }
  /// Whether both have the same elements in memory, or none.
  bool shares_with(const SharedVector& other) const { return elements_ == other.elements_; }

private:
  std::vector<T>& own() {
    if (!elements_ || elements_.use_count() > 1)
      elements_ = std::make_shared<std::vector<T>>(begin(), end());
    return *elements_;
  }

  std::shared_ptr<std::vector<T>> elements_;
};

}  // namespace tcplab::base
