import type { Timed } from './timed.mjs'
export function generateTextLoop(steps: number, textBytes: number): Promise<Timed>
