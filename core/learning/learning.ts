export { issueDoc, issuesWorthKeeping } from './issues.ts'
export { analyseTrace } from './trace-analysis.ts'
export { createTraceWatch } from './trace-watch.ts'
