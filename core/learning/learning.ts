export { issueDoc, issuesWorthKeeping } from './issues.ts'
export { analyseTrace } from './trace-analysis.ts'
