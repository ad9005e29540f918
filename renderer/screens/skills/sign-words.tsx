/** Words, patterns or names in a row, each as it is written. */
export function Words({ words }: { readonly words: readonly string[] }) {
  return (
    <ul className="sk-words">
      {words.map((word) => (
        <li key={word} className="chip line mono" title={word}>
          {word}
        </li>
      ))}
    </ul>
  )
}
