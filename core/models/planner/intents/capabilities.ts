import type { IntentFamily } from '../intent.ts'
import { type Answer, answered, type Plan } from '../plan.ts'

const asking =
  /^\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|ok|okay|please|so|well)\b[\s,!.]*)*(?:(?:there|you|threadsmith|planner)\b[\s,!.]*)*(?:(?:please )?(?:can|could|would) you (?:please )?)?(?:(?:i would like to know|tell me|show me|explain|give me|i want to know|list)\s+)?(?:help(?: me)?(?: out)?(?: please)?|what (?:all )?(?:can|could) (?:you|i|this planner|the planner|this app|threadsmith|it|we) (?:do|ask|use|help|handle|answer|be used for)(?: (?:for me|here|you|with|with you|me with|in here|with this|exactly|right now|about))*|what (?:are|is) (?:your|the planner's) (?:capabilit(?:y|ies)|abilit(?:y|ies)|skills?|features?|functions?|purpose|commands?)|what are you (?:able to do|capable of|for|good at)(?: for me)?|what do you do|how (?:can|could|do) you help(?: me)?|how (?:do|can|should) i use (?:you|this|it|threadsmith|the planner)|(?:which|what) (?:kinds? of |sorts? of |types? of )?(?:things|questions|requests|tasks|commands|actions)(?: (?:can|could|do|are) (?:i|you|we|there)(?: (?:ask|do|answer|handle|support|understand|have|perform|available))*(?: you)?| are supported| work| are possible)?|who are you|what are you|introduce yourself|(?:your|the) capabilities|what is possible(?: here)?|what else can you do|options|commands|how does this work|get(?:ting)? started)\W*$/i
const greeting =
  /^\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|greetings)(?: there| you| threadsmith| planner)?|thanks|thank you|thanks a lot)\W*$/i

/** "What can you do?", "help", "hello". */
export const capabilities: IntentFamily = {
  name: 'capabilities',
  read(reading) {
    if (!asking.test(reading.text) && !greeting.test(reading.text)) return []
    return [{ intent: 'help', score: 1, slots: {}, plan }]
  },
}

// biome-ignore lint/correctness/useYield: a plan that needs no action is still a plan
function* plan(): Plan<Answer> {
  return answered(capabilitiesText)
}

const capabilitiesText = `This is the built-in planner: it works without a model and without an account. It understands a fixed set of requests about this project's folder, and every figure comes from an action that you can look up in the thread.

- **Look around**: "What is in this folder, and what is each file about?", "How many CSV files are there?", "Which files changed this week?", "The five largest files", "Are there duplicates?"
- **Read and find**: "Show lines 10 to 20 of notes.md", "Which files mention budget?", "How many times does TODO occur?", "Where is total defined?"
- **Summarise**: "Summarise report.md" (sentences taken from the text, not written anew)
- **Work with tables** (CSV, JSON): "Total amount per customer in orders.csv", "Average price where category is books", "Top 5 products by price", "How many orders are from Germany?", "Which columns does orders.csv have?"
- **Count and compare**: "How many words does notes.md have?", "Compare a.csv and b.csv", "Which is larger, a.txt or b.txt?"
- **Dates and arithmetic**: "What is 17 % of 349.90?", "How many days until 24 December?", "90 days after 2026-01-15"
- **Remember**: "Remember that our release day is Thursday", "What did I tell you about the release day?"

It only reads your files. It cannot write or change files, run code, look things up on the web, translate, or give opinions. For those, connect a model in Settings → Models.`
