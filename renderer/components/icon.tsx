/** Line icons on a 16 px grid, 1.5 px round strokes: one path each. */
const paths = {
  chat: 'M2.5 3.5h11v8h-6l-3 2.5v-2.5h-2z',
  threads: 'M2.5 3.5h6M5.5 8h8M4 12.5h5',
  approvals: 'M8 1.8l5 1.9v4.1c0 3-2.1 5.2-5 6.4-2.9-1.2-5-3.4-5-6.4V3.7zM5.8 8l1.6 1.6 2.9-3',
  skills: 'M4 2.5h8M4 13.5h8M5.5 2.5v11M10.5 2.5v11M5.5 5.5l5 1.5M5.5 8l5 1.5M5.5 10.500l5 1.2',
  missions: 'M2.8 8.5a5.2 5.2 0 1 0 10.4 0a5.2 5.2 0 1 0 -10.4 0zM8 5.500v3.200l2.100 1.300M6.500 1.500h3',
  learnt: 'M5.800 11.200a4.300 4.300 0 1 1 4.400 0v1.300h-4.400zM6.500 14.500h3',
  settings:
    'M2.5 4.5h6M12 4.5h1.5M2.5 11.5H4M7.5 11.5h6M8.5 4.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0zM4.1 11.5a1.7 1.7 0 1 0 3.4 0a1.7 1.7 0 1 0 -3.4 0z',
  search: 'M2.8 7a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0zM10.2 10.2l3.3 3.3',
  left: 'M10 3.5L5.5 8l4.5 4.5',
  right: 'M6 3.5l4.5 4.5L6 12.5',
  down: 'M3.5 6L8 10.5 12.5 6',
  diff: 'M8 2.5v6M5 5.500h6M5 12.500h6',
  download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M3 13.5h10',
  up: 'M3.5 10L8 5.5 12.5 10',
  dash: 'M4 8h8',
  plus: 'M8 3v10M3 8h10',
  expand: 'M9.5 2.5h4v4M13.5 2.5l-5 5M6.5 13.5h-4v-4M2.5 13.5l5-5',
  stop: 'M5.2 4h5.6a1.2 1.2 0 0 1 1.2 1.2v5.6a1.2 1.2 0 0 1 -1.2 1.2h-5.6a1.2 1.2 0 0 1 -1.2 -1.2v-5.6a1.2 1.2 0 0 1 1.2 -1.2z',
  copy: 'M7 5.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1 -1.5 1.5h-5a1.5 1.5 0 0 1 -1.5 -1.5v-5a1.5 1.5 0 0 1 1.5 -1.5zM10.5 5.5v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2',
  folder: 'M2 4.2a1 1 0 0 1 1-1h3.2l1.5 1.6H13a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1z',
  file: 'M4 2h5l3.5 3.5V14H4zM9 2v3.5h3.5',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  more: 'M2.9 8a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0zM7.4 8a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0zM11.9 8a.6 .6 0 1 0 1.2 0a.6 .6 0 1 0 -1.2 0z',
  link: 'M6.8 9.2l2.4-2.4M7.5 4.8l1.7-1.7a2.6 2.6 0 0 1 3.7 3.7l-1.7 1.7M8.5 11.2l-1.7 1.7a2.6 2.6 0 0 1-3.7-3.7l1.7-1.7',
  x: 'M4 4l8 8M12 4l-8 8',
  check: 'M3 8.5l3.3 3.3L13 5',
  alert: 'M8 2.3L14.2 13H1.8zM8 6.5v3M8 11.2v.1',
  info: 'M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0zM8 7.3v3.5M8 5.1v.1',
  play: 'M5 3.5l7.5 4.5L5 12.5z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  clock: 'M2.2 8a5.8 5.8 0 1 0 11.6 0a5.8 5.8 0 1 0 -11.6 0zM8 4.8V8l2.2 1.4',
  undo: 'M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6M3 6.5L6 3.5M3 6.5L6 9.5',
  send: 'M8 13V3M4 7l4-4 4 4',
  key: 'M2.5 11a2.5 2.5 0 1 0 5 0a2.5 2.5 0 1 0 -5 0zM7 9l6-6M11 5l1.8 1.8M9.2 6.8l1.3 1.3',
  plug: 'M5.8 2v3M10.2 2v3M3.8 5h8.4v2.300a4.200 4.200 0 0 1 -8.400 0zM8 11.500V14',
  server:
    'M3.5 3h9a1 1 0 0 1 1 1v2.3a1 1 0 0 1 -1 1h-9a1 1 0 0 1 -1 -1v-2.3a1 1 0 0 1 1 -1zM3.5 8.7h9a1 1 0 0 1 1 1v2.3a1 1 0 0 1 -1 1h-9a1 1 0 0 1 -1 -1v-2.3a1 1 0 0 1 1 -1zM5 5.1v.1M5 10.8v.1',
  book: 'M3 3h4a1 1 0 0 1 1 1v9a1 1 0 0 0-1-1H3zM13 3H9a1 1 0 0 0-1 1v9a1 1 0 0 1 1-1h4z',
  eye: 'M1.8 8S4 3.8 8 3.8 14.2 8 14.2 8 12 12.2 8 12.2 1.8 8 1.8 8zM6.2 8a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0z',
  term: 'M3 4.5L6.5 8 3 11.5M8 12h5',
  spark: 'M2.5 12.5l3-5 2.5 3 2-4 3.5 6',
  box: 'M2.5 5L8 2.3 13.5 5v6L8 13.7 2.5 11zM2.5 5L8 7.7 13.5 5M8 7.7v6',
  sun: 'M5.2 8a2.8 2.8 0 1 0 5.6 0a2.8 2.8 0 1 0 -5.6 0zM8 1.8v1.4M8 12.8v1.4M1.8 8h1.4M12.8 8h1.4M3.6 3.6l1 1M11.4 11.4l1 1M12.4 3.6l-1 1M4.6 11.4l-1 1',
  person:
    'M5.4 5.2a2.6 2.6 0 1 0 5.2 0a2.6 2.6 0 1 0 -5.2 0zM2.8 13.6c.5-2.900 2.500-4.300 5.200-4.300s4.700 1.400 5.200 4.300',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4v.1M2.5 8v.1M2.5 12v.1',
  lock: 'M4.7 7h6.6a1.2 1.2 0 0 1 1.2 1.2v4.1a1.2 1.2 0 0 1 -1.2 1.2h-6.6a1.2 1.2 0 0 1 -1.2 -1.2v-4.1a1.2 1.2 0 0 1 1.2 -1.2zM5.5 7V5a2.5 2.5 0 0 1 5 0v2',
} as const
export type IconName = keyof typeof paths

interface IconProps {
  readonly name: IconName
  /** 18 in the rail, 16 by default, 14 in buttons, 12 in chips. */
  readonly size?: 'rail' | 'base' | 'small' | 'tiny'
  readonly className?: string
}

const sizes = { rail: 'ic', base: 'ic', small: 'ic s', tiny: 'ic xs' } as const

/** Decoration beside a word or in a labelled control: never the only name of anything. */
export function Icon({ name, size = 'base', className }: IconProps) {
  return (
    <svg className={className ? `${sizes[size]} ${className}` : sizes[size]} viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
