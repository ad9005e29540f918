const irregular: Readonly<Record<string, string>> = {
  people: 'person',
  children: 'child',
  men: 'man',
  women: 'woman',
  indices: 'index',
  indexes: 'index',
  criteria: 'criterion',
  analyses: 'analysis',
  leaves: 'leaf',
  shelves: 'shelf',
  wives: 'wife',
  lives: 'life',
  mice: 'mouse',
  feet: 'foot',
  geese: 'goose',
  data: 'data',
  news: 'news',
  series: 'series',
  species: 'species',
  movies: 'movie',
  cookies: 'cookie',
  pies: 'pie',
  caches: 'cache',
  heroes: 'hero',
  potatoes: 'potato',
  tomatoes: 'tomato',
}

/** A word without its plural or possessive ending; both sides of every comparison go through it. */
export function lemmaOf(lower: string): string {
  const word = lower.replace(/['’]s?$/, '')
  const known = Object.hasOwn(irregular, word) ? irregular[word] : undefined
  if (known) return known
  if (word.length <= 3 || !word.endsWith('s')) return word
  if (/(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(x|ch|sh|ss|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** The words of a name: `unitPrice`, `unit_price` and `Unit price` are the same two. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/['’]s(?![\p{L}\p{N}])/gu, '')
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
    .map(lemmaOf)
}
