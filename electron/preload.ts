import { contextBridge, ipcRenderer } from 'electron'
import { callChannel, pushChannel } from './channels.ts'

// All that the page gets. Nothing of ipcRenderer itself crosses, so the page can reach no other channel.
contextBridge.exposeInMainWorld('threadsmith', {
  call: (name: unknown, input: unknown): Promise<unknown> => ipcRenderer.invoke(callChannel, name, input),
  subscribe(listener: (push: unknown) => void): () => void {
    const forward = (_event: unknown, push: unknown): void => listener(push)
    ipcRenderer.on(pushChannel, forward)
    return () => {
      ipcRenderer.off(pushChannel, forward)
    }
  },
})
