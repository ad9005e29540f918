export { parseSkill } from './file/parse.ts'
