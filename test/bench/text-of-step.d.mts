export function textOfStep(step: number, bytes: number): string
