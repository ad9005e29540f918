/**
 * Names that a text gives as `/name`, lower case, each once and in their order: at the beginning, after a blank, a quote or a
 * bracket, up to a blank, a quote or punctuation. Parts of paths and addresses are none. A name that is written together with
 * what follows it, as in a script without blanks, is taken for the known one that it begins with. Source: engine-behaviour 5.5.
 */
export function mentionsIn(raw: string, isKnown: (name: string) => boolean): readonly string[] {
  const names = [...raw.matchAll(mention)].map(([, text = '']) => {
    const name = text.toLowerCase()
    const plain = /^[a-z0-9_.-]+/.exec(name)?.[0] ?? name
    return !isKnown(name) && isKnown(plain) ? plain : name
  })
  return [...new Set(names)]
}

const mention =
  /(?<=^|[\s"'([{]|[^\x20-\x7e])\/([\p{L}\p{N}](?:[\p{L}\p{N}\p{M}_.-]*[\p{L}\p{N}\p{M}_-])?)(?=$|[\s"')\]}.,;:!?]|[^\x20-\x7e])/gu
