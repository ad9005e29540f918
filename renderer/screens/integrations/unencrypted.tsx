import { Icon } from '../../components/icon.tsx'

/** Icon, words and colour for an address of plain http. */
export function Unencrypted() {
  return (
    <span className="st waiting">
      <Icon name="alert" size="tiny" />
      not encrypted
    </span>
  )
}
