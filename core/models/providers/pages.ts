/** A provider that always names another page must not keep a person waiting. */
const mostPages = 20

/** Every row of a list that comes in pages. */
export async function allPages<Row>(
  read: (after: string | undefined) => Promise<{ readonly rows: readonly Row[]; readonly next: string | undefined }>,
): Promise<readonly Row[]> {
  const rows: Row[] = []
  let after: string | undefined
  for (let page = 0; page < mostPages; page += 1) {
    const found = await read(after)
    rows.push(...found.rows)
    if (found.next === undefined) break
    after = found.next
  }
  return rows
}
