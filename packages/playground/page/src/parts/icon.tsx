/** Drawings of 16 by 16. They say nothing to a screen reader: what they are on is named. */
const PATHS = {
  add: 'M8 3v10M3 8h10',
  back: 'M10 3 5 8l5 5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M6 6h7v7H6zM10 6V3H3v7h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  down: 'M8 3v10M4 9l4 4 4-4',
  up: 'M8 13V3M4 7l4-4 4 4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5 14 14',
  tools:
    'M10.5 2.5a3.5 3.5 0 0 0-3.3 4.6L2.5 11.8l1.7 1.7 4.7-4.7a3.5 3.5 0 0 0 4.5-4.4L11.2 6.5 9.5 4.8l2.1-2.1a3.5 3.5 0 0 0-1.1-.2z',
  chat: 'M2.5 3h11v8h-6l-3 2.5V11h-2z',
  trace: 'M2.5 4h6M5 8h6M8 12h5.5',
  inbox: 'M2.5 9h3.5l1 2h2l1-2h3.5M2.5 9 4 3h8l1.5 6v4h-11z',
  sun: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5M8 1.5v1.5M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  auto: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 2.5v11M10 3v10M12 4.5v7',
  save: 'M8 2.5v7M5 7l3 3 3-3M3 13h10',
  send: 'M2.5 8 13.5 3 11 13 7.5 9.5zM7.5 9.5 13.5 3',
  stop: 'M4.5 4.5h7v7h-7z',
  again: 'M13 8a5 5 0 1 1-1.5-3.5M13 2.5V5h-2.5',
  keys: 'M5.8 6a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.5M8 12.3v.1',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.5 9h6l.5-9',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  )
}
