export function generateTextLoop(steps: number, resultBytes: number): Promise<number>
