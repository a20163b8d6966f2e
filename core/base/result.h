#pragma once

#include "core/base/error.h"

#include <cassert>
#include <utility>
#include <variant>

namespace sandfish {

/// A value of type T, or the Error that prevented it. \ref value and \ref error assert that they match the state.
///
/// `Result<>` carries no value; a default constructed one is a success.
template <typename T = std::monostate> class [[nodiscard]] Result
{
public:
    Result() requires std::is_default_constructible_v<T> : m_state(std::in_place_index<0>) { }
    Result(T value)
        : m_state(std::in_place_index<0>, std::move(value))
    {
    }
    Result(Error error)
        : m_state(std::in_place_index<1>, std::move(error))
    {
    }

    bool isOk() const { return m_state.index() == 0; }
    explicit operator bool() const { return isOk(); }

    T &value()
    {
        assert(isOk());
        return *std::get_if<0>(&m_state);
    }
    const T &value() const
    {
        assert(isOk());
        return *std::get_if<0>(&m_state);
    }
    T &operator*() { return value(); }
    const T &operator*() const { return value(); }
    T *operator->() { return &value(); }
    const T *operator->() const { return &value(); }
    T take() { return std::move(value()); }

    const Error &error() const
    {
        assert(!isOk());
        return *std::get_if<1>(&m_state);
    }

private:
    std::variant<T, Error> m_state;
};

} // namespace sandfish
