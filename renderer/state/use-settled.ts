import { useEffect, useState } from 'react'

const typingMs = 120

/** A value once it has not changed for a moment: what somebody types, what events move. */
export function useSettled<Value>(value: Value, delayMs = typingMs): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
