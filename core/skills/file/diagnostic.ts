/** Verdicts on a SKILL.md: a closed list of its own beside the dotted codes (RULES 31). Source: reliability 13. */
export const skillErrors = [
  'E_TOO_LARGE',
  'E_ENCODING',
  'E_NUL',
  'E_FM_MISSING',
  'E_FM_ENGINE',
  'E_FM_UNCLOSED',
  'E_YAML_SYNTAX',
  'E_YAML_DUPKEY',
  'E_YAML_ALIAS',
  'E_YAML_TAG',
  'E_YAML_DEPTH',
  'E_FM_NOT_MAP',
  'E_KEY_FORBIDDEN',
  'E_NAME_MISSING',
  'E_NAME_TYPE',
  'E_NAME_INVALID',
  'E_DESC_MISSING',
  'E_DESC_TYPE',
  'E_TYPE',
  'E_LIMIT',
  'E_PATTERN_INVALID',
  'E_PATTERN_UNSUPPORTED',
  'E_CRED_HOST',
] as const
export const skillWarnings = [
  'W_BOM',
  'W_YAML_COLON',
  'W_NAME_MISMATCH',
  'W_NAME_STYLE',
  'W_DESC_LONG',
  'W_BODY_LARGE',
  'W_MARKUP',
  'W_HIDDEN_CHARS',
] as const
export type SkillError = (typeof skillErrors)[number]
export type SkillWarning = (typeof skillWarnings)[number]

/** What is the matter with a file, and where. `line` counts from 1; null where it is about the whole file. */
export interface Diagnostic {
  readonly code: SkillError | SkillWarning
  readonly line: number | null
  /** For the person who wrote the file: what is wrong, and what would be right. */
  readonly message: string
}

/** The file cannot be used. Only thrown inside the parser. */
export class Rejection extends Error {
  readonly diagnostic: Diagnostic
  constructor(code: SkillError, line: number | null, message: string) {
    super(message)
    this.name = 'Rejection'
    this.diagnostic = { code, line, message }
  }
}
