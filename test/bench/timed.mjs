/** µs per step by the clock, and of the processor in this thread: other programs hardly show in the latter. */
export async function timed(steps, work) {
  const cpu = process.threadCpuUsage()
  const from = performance.now()
  await work()
  const usPerStep = ((performance.now() - from) * 1_000) / steps
  const { user, system } = process.threadCpuUsage(cpu)
  return { usPerStep, cpuUsPerStep: (user + system) / steps }
}
