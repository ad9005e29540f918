export function missingPackages(found: {
  readonly linkerList: string
  readonly withXvfb: boolean
  readonly hasXvfb: boolean
}): readonly string[]
