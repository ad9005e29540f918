import { builtinNames, codeFunctions } from './advice.ts'
import { type PreparedCode, prepareCode } from './prepare.ts'
import { createProgram, isFree } from './program.ts'
import { childrenOf, parsePython, type Syntax, textOf } from './syntax.ts'

/** A function of an active skill that code may call (RULES 9, 38). */
export interface Snippet {
  readonly skill: string
  /** Of the skill. */
  readonly version: number
  readonly name: string
  readonly code: string
}

/** A snippet as the sandbox takes it: what it defines, with nothing of its own run. */
export interface PreparedSnippet extends Pick<PreparedCode, 'program' | 'definitions'> {
  /** Of its functions. */
  readonly names: readonly string[]
}

/**
 * The snippets that code names, and those that they name, in the order in which they are offered. A name that the code gives a
 * meaning of its own is the code's.
 */
export function namedSnippets(source: string, offered: readonly Snippet[]): readonly Snippet[] {
  const wanted = new Set<Snippet>()
  const texts = [source]
  for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
    for (const snippet of namedIn(text, offered)) {
      if (wanted.has(snippet)) continue
      wanted.add(snippet)
      texts.push(snippet.code)
    }
  }
  return offered.filter((snippet) => wanted.has(snippet))
}

function namedIn(source: string, offered: readonly Snippet[]): readonly Snippet[] {
  const possible = offered.filter(({ name }) => source.includes(name))
  if (possible.length === 0) return []
  const syntax = parsePython(source.replace(/\r\n?/g, '\n'))
  if (typeof syntax === 'string') return []
  const program = createProgram(syntax, new Set())
  const used = new Set<string>()
  for (const node of syntax.nodes) {
    if (node.name === 'VariableName' && !program.names.notUsed.has(node.from)) used.add(textOf(syntax, node))
  }
  return possible.filter(({ name }) => used.has(name) && isFree(program, name))
}

/**
 * A snippet by itself, as code is prepared; a text where it cannot be used, for the model. It holds functions and imports and
 * nothing that would run by being there, and it takes no name of an action.
 */
export function prepareSnippet({ name, code }: Snippet, known: readonly string[]): PreparedSnippet | string {
  const text = code.replace(/\r\n?/g, '\n').trimEnd()
  const syntax = parsePython(text)
  if (typeof syntax === 'string') return 'it is no Python that can be read'
  const prepared = prepareCode(text, { known, inputs: [] })
  const [problem] = prepared.problems
  if (problem !== undefined) return `line ${problem.line}: ${problem.text}`
  const defined = childrenOf(syntax.top).flatMap((node) => (node.name === 'FunctionDefinition' ? [node] : []))
  const others = childrenOf(syntax.top).filter((node) => !harmless.includes(node.name))
  if (others.length > 0) return 'it holds more than functions and imports'
  const names = defined
    .flatMap((node) => node.getChildren('VariableName').slice(0, 1))
    .map((node) => textOf(syntax, node))
  if (!names.includes(name)) return `it defines no function ${name}`
  const own = new Set<string>([...known, ...codeFunctions, ...builtinNames])
  const taken = [...names, ...importedAs(syntax)].find((each) => own.has(each))
  if (taken !== undefined) return `${taken} is a name of the engine’s own`
  return { program: prepared.program, definitions: prepared.definitions, names }
}

/** Names that imports give: `import json as j`, `from math import floor`. A module’s own name stays what code expects of it. */
function importedAs(syntax: Syntax): readonly string[] {
  return childrenOf(syntax.top).flatMap((node) => {
    if (node.name !== 'ImportStatement') return []
    const text = textOf(syntax, node)
    const listed = /^from\s+\S+\s+import\s+(.*)$/s.exec(text)?.[1]?.match(/\w+/g) ?? []
    return [...listed, ...Array.from(text.matchAll(/\bas\s+(\w+)/g), ([, name]) => name ?? '')]
  })
}

const harmless = ['FunctionDefinition', 'ImportStatement', 'Comment']
