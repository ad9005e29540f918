import type { Node } from 'web-tree-sitter'
import { withSyntaxTree } from './grammar.ts'
import { readWord, type Word } from './word.ts'

/** What a bash text consists of, as far as somebody must know who decides on it. */
export interface Script {
  /** The words of the one plain command that this is; null where it takes a shell to run it. */
  readonly argv: readonly string[] | null
  /** False where the grammar could not read all of it. */
  readonly isWhole: boolean
  /** Every command in it, however deep; a word that a shell would expand has no literal. */
  readonly commands: readonly (readonly Word[])[]
  /** Where redirections write to. */
  readonly writes: readonly Word[]
  /** What only a shell can do, in words. */
  readonly constructs: readonly string[]
  readonly isForkBomb: boolean
}

export function readScript(text: string): Promise<Script> {
  return withSyntaxTree(text, (root) => {
    const argv = plainWords(root, text)
    return {
      argv,
      isWhole: !root.hasError,
      commands: root.descendantsOfType(commandTypes).map(wordsOf),
      writes: root.descendantsOfType('file_redirect').flatMap(writtenBy),
      constructs: argv === null ? constructsOf(root) : [],
      isForkBomb: root.descendantsOfType('function_definition').some(callsItselfTwice),
    }
  })
}

const commandTypes = ['command', 'declaration_command', 'unset_command', 'test_command']

function wordsOf(command: Node): Word[] {
  if (command.type !== 'command') return command.children.map(readWord)
  return command.children
    .filter(({ type }) => type !== 'variable_assignment' && !type.includes('redirect'))
    .map(readWord)
}

function plainWords(root: Node, text: string): string[] | null {
  const [command, ...more] = root.children
  if (root.hasError || command?.type !== 'command' || more.length > 0) return null
  if (command.text !== text.trim() || command.children.some(({ isNamed }) => !isNamed)) return null
  const words = command.children.map(readWord)
  const literals = words.flatMap(({ literal }) => literal ?? [])
  const [program] = literals
  if (literals.length !== words.length || command.firstChild?.type !== 'command_name') return null
  return program && !needsShell.has(program) ? literals : null
}

/** Reserved words that the grammar lets pass as names, and commands that only exist inside a shell. */
const needsShell = new Set(
  '! [ [[ { } . : alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done elif else enable esac eval exec exit export fc fg fi for function getopts hash help history if in jobs let local logout mapfile popd pushd read readarray readonly return select set shift shopt source suspend then time times trap type typeset ulimit umask unalias unset until wait while'.split(
    ' ',
  ),
)

function writtenBy(redirect: Node): Word[] {
  const target = redirect.childForFieldName('destination')
  return target && />/.test(redirect.text) ? [readWord(target)] : []
}

/** A function that calls itself twice and more is the fork bomb, however it is spelled. */
function callsItselfTwice(definition: Node): boolean {
  const name = definition.childForFieldName('name')?.text
  const calls = definition.descendantsOfType('command_name').filter(({ text }) => text === name)
  const isSpread = definition.descendantsOfType(['pipeline', '&']).length > 0
  return calls.length > 1 || (calls.length === 1 && isSpread)
}

const constructs: Readonly<Record<string, string>> = {
  command_substitution: 'a command inside the command',
  process_substitution: 'a process substitution',
  heredoc_redirect: 'a here-document',
  herestring_redirect: 'a here-string',
  pipeline: 'a pipe',
  list: 'several commands',
  file_redirect: 'a redirection',
  variable_assignment: 'a variable set for the command',
  simple_expansion: 'a variable',
  expansion: 'a variable',
  arithmetic_expansion: 'a calculation',
  ansi_c_string: 'an encoded string',
  brace_expression: 'braces',
  function_definition: 'a function',
  subshell: 'a subshell',
  compound_statement: 'a block of commands',
  if_statement: 'a condition',
  case_statement: 'a condition',
  test_command: 'a condition',
  negated_command: 'a negation',
  while_statement: 'a loop',
  for_statement: 'a loop',
  c_style_for_statement: 'a loop',
  declaration_command: 'a command of the shell itself',
  unset_command: 'a command of the shell itself',
  comment: 'a comment',
  '&': 'a command in the background',
}

function constructsOf(root: Node): string[] {
  const found = root.descendantsOfType(Object.keys(constructs)).flatMap(({ type }) => constructs[type] ?? [])
  const several = root.namedChildCount > 1 ? ['several commands'] : []
  const names = root.descendantsOfType('command_name').filter(({ text }) => needsShell.has(text))
  const own = names.map(({ text }) => `${text}, a command of the shell itself`)
  const all = new Set([...several, ...found, ...own])
  return all.size > 0 ? [...all] : ['words that a shell expands, or that cannot be read with certainty']
}
