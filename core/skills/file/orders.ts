/** Texts that tell a reader to fetch a program and run it at once: how hostile skills get out. Source: reliability 7. */
const fetchAndRun =
  /\b(?:curl|wget)\b[^\n|;&]{0,200}\|\s{0,10}(?:sudo\s{1,10})?(?:[\w/]{0,30}\/)?(?:ba|z|da|k|fi)?sh\b|\b(?:iex|invoke-expression)\b[^\n]{0,200}\b(?:irm|iwr|invoke-webrequest|downloadstring)\b|\b(?:irm|iwr|invoke-webrequest)\b[^\n|]{0,200}\|\s{0,10}iex\b/i

/** The line of the first such text, counted from 1; null for none. */
export function lineOfFetchAndRun(text: string): number | null {
  const at = fetchAndRun.exec(text)?.index
  return at === undefined ? null : text.slice(0, at).split('\n').length
}
