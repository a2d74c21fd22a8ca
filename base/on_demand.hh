// A value that takes memory only once somebody changes it. Until then it reads as a default, which
// all such values share.
#pragma once

#include <memory>

namespace tcplab::base {

template <typename T>
class OnDemand {
public:
  OnDemand() = default;
  ~OnDemand() = default;
  OnDemand(const OnDemand& other) : value_(copy_of(other)) {}
  OnDemand(OnDemand&& other) noexcept = default;
  OnDemand& operator=(const OnDemand& other) {
    if (this != &other) value_ = copy_of(other);
    return *this;
  }
  OnDemand& operator=(OnDemand&& other) noexcept = default;

  const T& operator*() const { return value_ ? *value_ : kDefault; }
  const T* operator->() const { return &**this; }
  /// Returns the value to change it. Makes it first, if nobody has changed it before.
  T& edit() {
    if (!value_) value_ = std::make_unique<T>();
    return *value_;
  }

private:
  static std::unique_ptr<T> copy_of(const OnDemand& other) {
    return other.value_ ? std::make_unique<T>(*other.value_) : nullptr;
  }

  static inline const T kDefault{};
  std::unique_ptr<T> value_;
};

}  // namespace tcplab::base
