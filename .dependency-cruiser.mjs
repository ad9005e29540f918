// The house plan's rule of who may import what (see docs/adr/001-house-plan.md).
// A core module imports only modules that stand before it, and only their face or domain/.
const order = [
  'domain',
  'store',
  'sandbox',
  'events',
  'models',
  'memory',
  'skills',
  'capabilities',
  'orchestrator',
  'threads',
  'runs',
  'missions',
  'learning',
  'export',
]

const upward = order.slice(0, -1).map((name, at) => ({
  name: `core-order-${name}`,
  comment: `core/${name} may import only modules that stand before it in the list`,
  severity: 'error',
  from: { path: `^core/${name}/` },
  to: { path: `^core/(${order.slice(at + 1).join('|')})/|^core/[^/]+[.]ts$` },
}))

const faces = order
  .filter((name) => name !== 'domain')
  .map((name) => ({
    name: `face-only-${name}`,
    comment: `other modules see core/${name} through core/${name}/${name}.ts`,
    severity: 'error',
    from: { path: '^core/', pathNot: `^core/${name}/` },
    to: { path: `^core/${name}/`, pathNot: `^core/${name}/${name}[.]ts$` },
  }))

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-imports-zod-only',
      severity: 'error',
      from: { path: '^core/domain/' },
      to: { pathNot: '^core/domain/|node_modules/zod/' },
    },
    ...upward,
    ...faces,
    {
      name: 'core-is-plain-node',
      severity: 'error',
      from: { path: '^core/' },
      to: { path: '^(electron|renderer)/|node_modules/(electron|react|react-dom)/' },
    },
    {
      name: 'electron-hosts-the-engine',
      severity: 'error',
      from: { path: '^electron/' },
      to: { path: '^core/', pathNot: '^core/(engine|api)[.]ts$|^core/domain/' },
    },
    {
      name: 'renderer-sees-types-and-domain',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(core|electron)/', pathNot: '^core/api[.]ts$|^core/domain/' },
    },
    { name: 'renderer-has-no-node', severity: 'error', from: { path: '^renderer/' }, to: { dependencyTypes: ['core'] } },
    {
      name: 'renderer-takes-only-types-of-the-api',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^core/api[.]ts$', dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
}
