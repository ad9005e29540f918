/** One kind of secret, by its shape. `pattern` is global; its first group is the secret where the context is no part of it. */
export interface SecretFamily {
  readonly name: string
  /** A finer name, from what was found. */
  readonly nameOf?: (found: string) => string
  /** One of these stands in every match: a search for a fixed text costs a hundredth of the pattern. */
  readonly needs?: readonly string[]
  /** The same for a pattern that ignores case. */
  readonly needsFolded?: readonly string[]
  readonly pattern: RegExp
  /** Shapes that a name or a hash could have too: only a value that looks random counts. */
  readonly mustBeRandom?: true
}

const hex = (count: number) => `[0-9a-fA-F]{${count}}`
const b64u = (least: number, most: number | '' = '') => `[A-Za-z0-9_-]{${least},${most}}`
const before = '(?<![A-Za-z0-9_-])'
const after = '(?![A-Za-z0-9_-])'
const token = (body: string) => new RegExp(`${before}${body}${after}`, 'g')

/** Source: reliability 6 and the published key formats of each service. Prefixed families first: the first hit on a place counts. */
export const secretFamilies: readonly SecretFamily[] = [
  { name: 'openai-project', needs: ['sk-proj-'], pattern: token(`sk-proj-${b64u(40)}`) },
  { name: 'openai-svcacct', needs: ['sk-svcacct-'], pattern: token(`sk-svcacct-${b64u(40)}`) },
  { name: 'openai-admin', needs: ['sk-admin-'], pattern: token(`sk-admin-${b64u(40)}`) },
  { name: 'anthropic-admin', needs: ['sk-ant-'], pattern: token(`sk-ant-admin\\d\\d-${b64u(80)}`) },
  { name: 'anthropic-oauth', needs: ['sk-ant-'], pattern: token(`sk-ant-o[ar]t\\d\\d-${b64u(50)}`) },
  { name: 'anthropic-api', needs: ['sk-ant-'], pattern: token(`sk-ant-api\\d\\d-${b64u(80)}`) },
  { name: 'openrouter', needs: ['sk-or-v1-'], pattern: token(`sk-or-v1-${hex(64)}`) },
  { name: 'openai-legacy', needs: ['T3BlbkFJ'], pattern: token('sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}') },
  { name: 'groq', needs: ['gsk_'], pattern: token('gsk_[A-Za-z0-9]{30,}') },
  { name: 'xai', needs: ['xai-'], pattern: token('xai-[A-Za-z0-9]{70,}') },
  {
    name: 'huggingface',
    needs: ['hf_', 'api_org_'],
    pattern: token('(?:hf|api_org)_[A-Za-z]{34}|hf_[A-Za-z0-9]{34,40}'),
  },
  { name: 'google-api', needs: ['AIza'], pattern: token(`AIza${b64u(35, 35)}`) },
  { name: 'google-client-secret', needs: ['GOCSPX-'], pattern: token(`GOCSPX-${b64u(28, 28)}`) },
  { name: 'google-oauth-access', needs: ['ya29.'], pattern: new RegExp(`${before}ya29\\.${b64u(50)}${after}`, 'g') },
  { name: 'aws-access-id', needs: ['AKIA'], pattern: token('AKIA[A-Z2-7]{16}') },
  { name: 'aws-temp-id', needs: ['ASIA'], pattern: token('ASIA[A-Z2-7]{16}') },
  {
    name: 'aws-secret',
    needsFolded: ['aws'],
    pattern: /aws.{0,20}secret.{0,20}?[=:]["'\\\s]*([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
  },
  { name: 'azure-storage', needs: ['AccountKey='], pattern: /AccountKey=[A-Za-z0-9+/]{86}==/g },
  {
    name: 'azure-client-secret',
    needs: ['8Q~'],
    pattern: /(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}8Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~.-])/g,
  },
  { name: 'github-classic', needs: ['ghp_'], pattern: token('ghp_[A-Za-z0-9]{36,}') },
  { name: 'github-oauth', needs: ['gho_'], pattern: token('gho_[A-Za-z0-9]{36,}') },
  { name: 'github-app', needs: ['ghu_', 'ghs_'], pattern: token('gh[us]_[A-Za-z0-9]{36,}') },
  { name: 'github-refresh', needs: ['ghr_'], pattern: token('ghr_[A-Za-z0-9]{36,}') },
  { name: 'github-fine', needs: ['github_pat_'], pattern: token('github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}') },
  { name: 'gitlab-pat', needs: ['glpat-'], pattern: token(`glpat-${b64u(20)}`) },
  { name: 'gitlab-deploy', needs: ['gldt-'], pattern: token(`gldt-${b64u(20)}`) },
  {
    name: 'gitlab-runner',
    needs: ['glrt-', 'glptt-', 'glft-', 'glsoat-', 'glcbt-'],
    pattern: token(`gl(?:rt|ptt|ft|soat|cbt)-${b64u(20)}`),
  },
  { name: 'slack-user', needs: ['xoxp-'], pattern: token('xoxp-\\d{10,13}-\\d{10,13}-\\d{10,13}-[a-f0-9]{32}') },
  { name: 'slack-bot', needs: ['xoxb-'], pattern: token('xoxb-[0-9A-Za-z-]{20,}') },
  { name: 'slack-token', needs: ['xox'], pattern: token('xox[aeprs]-[0-9A-Za-z-]{20,}') },
  { name: 'slack-app', needs: ['xapp-'], pattern: token('xapp-\\d-[A-Z0-9]{8,}-\\d{10,}-[a-f0-9]{40,}') },
  {
    name: 'slack-webhook',
    needs: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/[A-Z0-9]{8,}\/[A-Z0-9]{8,}\/[A-Za-z0-9/]{18,}/g,
  },
  {
    name: 'discord-webhook',
    needs: ['/api/webhooks/'],
    pattern: /discord(?:app)?\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,72}/g,
  },
  {
    name: 'discord-bot',
    pattern: token(`[MNO][A-Za-z\\d_-]{23,27}\\.[A-Za-z\\d_-]{6}\\.[A-Za-z\\d_-]{27,40}`),
    mustBeRandom: true,
  },
  { name: 'telegram', needs: [':AA'], pattern: /(?<![A-Za-z0-9_:-])\d{8,12}:AA[A-Za-z0-9_-]{30,40}(?![A-Za-z0-9_-])/g },
  { name: 'stripe-live', needs: ['sk_live_'], pattern: token('sk_live_[A-Za-z0-9]{24,}') },
  { name: 'stripe-test', needs: ['sk_test_'], pattern: token('sk_test_[A-Za-z0-9]{24,}') },
  { name: 'stripe-restricted', needs: ['rk_live_', 'rk_test_'], pattern: token('rk_(?:live|test)_[A-Za-z0-9]{24,}') },
  { name: 'stripe-webhook', needs: ['whsec_'], pattern: token('whsec_[A-Za-z0-9+/=]{32,}') },
  { name: 'twilio-api', needs: ['SK'], pattern: token(`SK${hex(32)}`) },
  { name: 'sendgrid', needs: ['SG.'], pattern: token(`SG\\.${b64u(22, 22)}\\.${b64u(43, 43)}`) },
  { name: 'mailgun', needs: ['key-'], pattern: token(`key-${hex(32)}`) },
  { name: 'mailchimp', needs: ['-us'], pattern: token('[0-9a-f]{32}-us\\d{1,2}') },
  { name: 'npm', needs: ['npm_'], pattern: token('npm_[A-Za-z0-9]{36}') },
  { name: 'pypi', needs: ['pypi-AgE'], pattern: token(`pypi-AgE${b64u(50)}`) },
  { name: 'docker', needs: ['dckr_'], pattern: token(`dckr_(?:pat|oat)_${b64u(27)}`) },
  { name: 'digitalocean', needs: ['dop_v1_', 'doo_v1_', 'dor_v1_'], pattern: token(`do[opr]_v1_${hex(64)}`) },
  { name: 'heroku', needs: ['HRKU-'], pattern: token(`HRKU-${b64u(36)}`) },
  {
    name: 'heroku-context',
    needsFolded: ['heroku'],
    pattern: /heroku.{0,40}?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi,
  },
  {
    name: 'cloudflare-context',
    needsFolded: ['cloudflare'],
    pattern: /cloudflare.{0,40}?[=:]["'\\\s]*([A-Za-z0-9_-]{37,40})(?![A-Za-z0-9_-])/gi,
  },
  { name: 'shopify', needs: ['shpat_', 'shpca_', 'shppa_', 'shpss_'], pattern: token(`shp(?:at|ca|pa|ss)_${hex(32)}`) },
  { name: 'notion', needs: ['ntn_'], pattern: token('ntn_[A-Za-z0-9]{40,}') },
  { name: 'notion-legacy', needs: ['secret_'], pattern: token('secret_[A-Za-z0-9]{43}') },
  { name: 'linear', needs: ['lin_api_', 'lin_oauth_'], pattern: token('lin_(?:api|oauth)_[A-Za-z0-9]{40,}') },
  { name: 'figma', needs: ['figd_'], pattern: token(`figd_${b64u(40)}`) },
  { name: 'atlassian', needs: ['ATATT3'], pattern: token('ATATT3[A-Za-z0-9_=-]{60,}') },
  { name: 'databricks', needs: ['dapi'], pattern: token(`dapi${hex(32)}(?:-\\d)?`) },
  {
    name: 'vault',
    needs: ['hvs.', 'hvb.', 'hvr.'],
    pattern: /(?<![A-Za-z0-9_-])hv[sbr]\.[A-Za-z0-9_-]{24,}(?![A-Za-z0-9_-])/g,
  },
  { name: 'age-secret', needs: ['AGE-SECRET-KEY-1'], pattern: token('AGE-SECRET-KEY-1[A-Z0-9]{58}') },
  {
    name: 'pem',
    needs: ['PRIVATE KEY'],
    nameOf: pemName,
    pattern:
      /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----[\s\S]{16,20000}?(?:-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { name: 'jwt', needs: ['eyJ'], pattern: token(`eyJ${b64u(10)}\\.eyJ${b64u(10)}\\.${b64u(10)}`) },
  {
    name: 'url-password',
    needs: ['://'],
    nameOf: (found) => urlNames[found.slice(0, found.indexOf(':'))] ?? 'url-password',
    pattern: /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,30}:\/\/[^\s/:@?#"'<>]{0,100}:([^\s/@"'<>]{3,200})@[A-Za-z0-9[]/g,
  },
  {
    name: 'bearer',
    needsFolded: ['bearer'],
    pattern: /(?<![A-Za-z0-9_-])bearer["'\s:]+([A-Za-z0-9._~+/-]{20,}=*)/gi,
    mustBeRandom: true,
  },
  {
    name: 'basic-auth',
    needsFolded: ['basic'],
    pattern: /authorization["'\s:=]+basic\s+([A-Za-z0-9+/]{16,}={0,2})/gi,
  },
  {
    name: 'generic-assign',
    needsFolded: ['key', 'token', 'secret', 'passw', 'pwd', 'id_token'],
    pattern:
      /(?:api|access|auth|secret|private|client|encryption|session)[_-]?(?:key|token|secret|password|id_token)["'\\\s]{0,3}(?:=>|[=:])["'\\\s]{0,3}([A-Za-z0-9+/_.=-]{20,64})(?![A-Za-z0-9+/_.=-])/gi,
    mustBeRandom: true,
  },
  {
    name: 'generic-assign',
    needsFolded: ['key', 'token', 'secret', 'passw', 'pwd', 'id_token'],
    pattern:
      /(?:password|passwd|pwd|secret|token)["'\\\s]{0,3}(?:=>|[=:])["'\\\s]{0,3}([A-Za-z0-9+/_.=-]{20,64})(?![A-Za-z0-9+/_.=-])/gi,
    mustBeRandom: true,
  },
]

const urlNames: Readonly<Record<string, string>> = {
  postgres: 'postgres-url',
  postgresql: 'postgres-url',
  mysql: 'mysql-url',
  mongodb: 'mongodb-url',
  'mongodb+srv': 'mongodb-url',
  redis: 'redis-url',
  rediss: 'redis-url',
  amqp: 'amqp-url',
  amqps: 'amqp-url',
}

function pemName(found: string): string {
  if (/-----\\n/.test(found)) return 'pem-one-line'
  const kind = /^-----BEGIN ([A-Z0-9 ]*?) ?PRIVATE KEY/.exec(found)?.[1] ?? ''
  return kind === '' ? 'pem' : `pem-${kind.toLowerCase().replaceAll(' ', '-')}`
}
