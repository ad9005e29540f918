import { Notification } from 'electron'

const longest = 240

/** Tells the person something while the window may be hidden; a click brings it to the front. */
export function createNotify(show: () => void): (text: string) => void {
  return (text) => {
    if (!Notification.isSupported()) return
    const body = text.length <= longest ? text : `${text.slice(0, longest - 1)}…`
    const notification = new Notification({ title: 'Threadsmith', body })
    notification.on('click', show)
    notification.show()
  }
}
