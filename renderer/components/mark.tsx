interface MarkProps {
  readonly size: number
  /** Below 24 px the thread takes the ink's colour. */
  readonly isPlain?: boolean
}

/** The anvil that is a spool. */
export function Mark({ size, isPlain = false }: MarkProps) {
  return (
    <svg className={isPlain ? 'mark plain' : 'mark'} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <path
        d="M2 7.2h27.500v4.300h-6v1.500h-13v-1.500C6.500 11.500 3.500 10 2 7.200z M8.500 25.500h17a1 1 0 0 1 1 1v1.800h-19v-1.800a1 1 0 0 1 1-1z"
        fill="currentColor"
      />
      <path className="mark-thread" d="M10.500 16h13M10.500 19.300h13M10.500 22.600h13" />
    </svg>
  )
}
