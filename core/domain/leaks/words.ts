import { type Redaction, storedKey } from './mark.ts'

/** What was taken out, for people: `GitHub token`. */
export function secretWords(what: string): string {
  const exact = words[what]
  if (exact !== undefined) return exact
  const service = Object.entries(services).find(([family]) => what === family || what.startsWith(`${family}-`))?.[1]
  return service ?? 'secret'
}

/** `GitHub token, 2 stored keys`. */
export function secretsInWords(redactions: readonly Pick<Redaction, 'what'>[]): string {
  const counted = Map.groupBy(redactions, ({ what }) => secretWords(what))
  return [...counted].map(([word, each]) => (each.length === 1 ? word : `${each.length} ${word}s`)).join(', ')
}

const words: Readonly<Record<string, string>> = {
  [storedKey]: 'stored key',
  'aws-access-id': 'AWS key id',
  'aws-temp-id': 'AWS key id',
  jwt: 'signed token',
  bearer: 'bearer token',
  'basic-auth': 'password',
  'generic-assign': 'key or password',
  'url-password': 'password in an address',
  'postgres-url': 'database password',
  'mysql-url': 'database password',
  'mongodb-url': 'database password',
  'redis-url': 'database password',
  'amqp-url': 'password in an address',
  pem: 'private key',
  'age-secret': 'private key',
  'slack-webhook': 'Slack webhook',
  'discord-webhook': 'Discord webhook',
}

const services: Readonly<Record<string, string>> = {
  openai: 'OpenAI key',
  anthropic: 'Anthropic key',
  openrouter: 'OpenRouter key',
  groq: 'Groq key',
  xai: 'xAI key',
  huggingface: 'Hugging Face token',
  google: 'Google key',
  aws: 'AWS secret key',
  azure: 'Azure key',
  github: 'GitHub token',
  gitlab: 'GitLab token',
  slack: 'Slack token',
  discord: 'Discord token',
  telegram: 'Telegram token',
  stripe: 'Stripe key',
  twilio: 'Twilio key',
  sendgrid: 'SendGrid key',
  mailgun: 'Mailgun key',
  mailchimp: 'Mailchimp key',
  npm: 'npm token',
  pypi: 'PyPI token',
  docker: 'Docker token',
  digitalocean: 'DigitalOcean token',
  heroku: 'Heroku key',
  cloudflare: 'Cloudflare key',
  shopify: 'Shopify token',
  notion: 'Notion token',
  linear: 'Linear key',
  figma: 'Figma token',
  atlassian: 'Atlassian token',
  databricks: 'Databricks token',
  vault: 'Vault token',
  pem: 'private key',
}
