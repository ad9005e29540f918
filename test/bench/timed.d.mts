export interface Timed {
  readonly usPerStep: number
  readonly cpuUsPerStep: number
}
export function timed(steps: number, work: () => Promise<unknown>): Promise<Timed>
