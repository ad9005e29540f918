import type { Integration, IntegrationCredential } from '../../../../core/domain/integration.ts'

export function credential(patch: Partial<IntegrationCredential> = {}): IntegrationCredential {
  return {
    ...{ name: 'github_token', provider: 'github', place: 'bearer', placeName: null, hosts: ['api.github.com'] },
    ...{ paths: [], instructions: 'Make one in your account.', state: 'connected', connectedAt: 1_000 },
    ...{ lastCheck: null, isTestable: true },
    ...patch,
  }
}

export function integration(patch: Partial<Integration> = {}): Integration {
  return {
    ...{ skill: 'github', description: 'Issues and files.', credentials: [credential()], openHosts: [], addresses: {} },
    ...patch,
  }
}
