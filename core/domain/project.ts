/** Unit of context: a folder that scopes threads and memory. Source: seed E, Five Primitives. */
export interface Project {
  readonly id: string
  readonly folder: string
  readonly name: string
  readonly createdAt: number
  /** False when the folder is gone or cannot be read now. */
  readonly available: boolean
}
