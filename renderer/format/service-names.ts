const spellings: Readonly<Record<string, string>> = {
  api: 'API',
  crm: 'CRM',
  github: 'GitHub',
  gitlab: 'GitLab',
  id: 'ID',
  oauth: 'OAuth',
  openai: 'OpenAI',
  url: 'URL',
}

/** A skill or provider as it is written: `github` is GitHub, `web-research` is Web research. */
export function serviceTitle(name: string): string {
  const words = name.split(/[-_ ]+/).map(spelt)
  const text = words.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** `slack_bot_token` of the provider slack: Slack bot token. */
export function credentialTitle({ name, provider, skill }: Record<'name' | 'provider' | 'skill', string>): string {
  const words = name.split('_')
  const own = words[0] === provider || words[0] === skill ? words.slice(1) : words
  return `${serviceTitle(provider)} ${own.length === 0 ? 'key' : own.map(spelt).join(' ')}`
}

function spelt(word: string): string {
  return spellings[word.toLowerCase()] ?? word
}
