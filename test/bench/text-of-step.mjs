/** As long as asked, and another one for each step: whoever asks for the same thing again and again is stopped. */
export function textOfStep(step, bytes) {
  return String(step).padEnd(bytes, 'x')
}
