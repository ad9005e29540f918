import type { JsonObject } from '../../../core/domain/json.ts'
import type { BenchCall } from './bench-folder.ts'

/** The bench's actions as the product calls them. What they do is the same; what they answer need not be. */
export function productCall({ action, args }: BenchCall): { readonly name: string; readonly arguments: JsonObject } {
  switch (action) {
    case 'list_files':
      return { name: action, arguments: { ...args, recursive: true } }
    case 'search_files': {
      const { pattern = '', ...rest } = args
      return { name: action, arguments: { query: pattern, ...rest, caseSensitive: true } }
    }
    default:
      return { name: action, arguments: args }
  }
}

/** Back again: what the scripted model remembers of its calls, and of those of functions. */
export function benchCallOf(action: string, args: JsonObject): BenchCall {
  switch (action) {
    case 'list_files': {
      const { recursive: _, ...rest } = args
      return { action, args: rest }
    }
    case 'search_files': {
      const { query = '', caseSensitive: _, ...rest } = args
      return { action, args: { pattern: query, ...rest } }
    }
    default:
      return { action, args }
  }
}
