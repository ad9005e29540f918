interface UsedTodayProps {
  readonly what: string
  readonly used: number
  readonly limit: number | null
  readonly text: (value: number) => string
}

const warnsFrom = 0.8

/** What was used since midnight; a bar only where there is a limit to measure by. */
export function UsedToday({ what, used, limit, text }: UsedTodayProps) {
  if (limit === null) return <>Used today: {text(used)}</>
  const share = Math.min(1, used / limit)
  const [look, word] =
    share >= 1 ? ['failed', ', used up'] : share >= warnsFrom ? ['waiting', ', close to the limit'] : ['', '']
  return (
    <>
      Used today: {text(used)} of {text(limit)}
      {word}
      <div
        className={`meter used ${look}`}
        role="meter"
        aria-label={`${what} used today`}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={`${text(used)} of ${text(limit)}`}
      >
        <svg width="100%" height="4" aria-hidden="true">
          <rect width={`${share * 100}%`} height="4" rx="2" />
        </svg>
      </div>
    </>
  )
}
