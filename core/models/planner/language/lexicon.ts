/**
 * The words that the planner knows, by what they mean. A phrase wins over its parts. A word that is not here is *open*: it
 * must turn out to be a file, a folder, a column, a value or a text to look for, else the request is refused.
 */
const phrases = {
  // what to do
  show: 'show|shows|display|print|output|view|open|read|cat|let me see|i want to see|pull up|present|give me the text of|dump|type out|read out|read me|take a look at|look at|look into|have a look at|have a look|take a look|see|give me|get me|get|return|fetch me',
  list: 'list|list of|a list of|enumerate|listing|list out|name all|name the|name every|list up',
  find: 'find|search|search for|look for|locate|grep|looking for|hunt for|search through|look through|look up|scan|searching for|find me|find out|seek',
  where: 'where|where abouts|in what place',
  which: 'which|what',
  who: 'who|whom',
  when: 'when|what time|at what time|on what day|what day',
  count:
    'count|count up|counting|how many|how many of|number of|the number of|total number of|count of|quantity of|tally|how many times|how often|amount of times|number of times|no of|nr of|total count|total count of|how much times',
  sum: 'sum|total|sum of|sum up|total of|total up|add up|adds up|added up|altogether|in total|in all|combined|together|overall|how much|grand total|totals|totalled|totaled|sums|all together|cumulative|aggregate',
  average: 'average|avg|mean|on average|averages|averaged|arithmetic mean|typical',
  median: 'median|medians|middle value',
  range: 'range|spread|span',
  share: 'percentage|percent|share|proportion|fraction|what part|ratio',
  distinct: 'distinct|unique|different|distinct values|unique values|various|deduplicated|individual',
  sort: 'sort|sorted|sorting|order by|ordered by|sorted by|sort by|order the|order them|order all|order these|rank|ranked|ranking|ranked by|arrange|arranged|in order of|in order|by order of|ordering',
  ascending:
    'ascending|asc|smallest first|lowest first|oldest first|a to z|a-z|alphabetical|alphabetically|alphabetical order|in alphabetical order|increasing|from low to high|low to high|from lowest to highest|lowest to highest|cheapest first|smallest to largest|youngest to oldest|from youngest to oldest|oldest to newest|from oldest to newest|from smallest to largest|least first',
  descending:
    'descending|desc|largest first|biggest first|highest first|newest first|latest first|z to a|decreasing|from high to low|high to low|from highest to lowest|highest to lowest|most expensive first|largest to smallest|oldest to youngest|from oldest to youngest|newest to oldest|from newest to oldest|from largest to smallest|most first|most recent first|reverse',
  compare: 'compare|comparison|comparing|compared|versus|vs|comparison of|comparison between',
  difference: 'difference|differ|differs|difference between|differences|gap|differ from|margin',
  same: 'same|identical|equal|match each other|the same as|exactly alike|alike',
  duplicate:
    'duplicate|duplicates|duplicated|dupe|dupes|copies|identical files|twice|more than once|exact copies|double|doubles|repeated|redundant|exact copy|same content|same contents|identical content|identical contents|the same content|copied|duplication',
  summarise:
    'summarise|summarize|summary|summaries|summary of|summarised|summarized|summarising|summarizing|sum it up|tl dr|tldr|tl;dr|gist|gist of|key points|main points|key point|main point|digest|recap|synopsis|abstract|in a nutshell|in short|shorten|boil down|main idea|main ideas|essence|brief summary|highlights|short version|most important points|most important sentences|key sentences|outline|condense|takeaways|key takeaways',
  overview:
    'overview|overview of|describe|description|description of|structure|layout|contents|content|walk me through|walk through|what do we have|what have we got|what do i have|what have i got|what i have|what i have got|what we have|what we have got|rundown',
  about:
    'about|deal with|deals with|concern|concerns|topic|topics|topic of|subject|subject of|regarding|concerning|purpose|purpose of|on the subject of|related to|relating to|all about',
  compute: 'calculate|compute|work out|evaluate|figure out|solve|do the math|calc|reckon',
  remember:
    'remember|remember that|note|note that|make a note|take a note|keep in mind|memorise|memorize|store|save|jot down|write down|take note|do not forget|note down',
  recall:
    'recall|remind me|what did i tell you|what do you remember|do you remember|what do you know|what have i told you|remembered',
  help: 'help|what can you do|what can i ask|capabilities|what are you able to do|abilities',

  // things
  file: 'file|files|document|documents|doc|docs file|filename|filenames|file name|file names|names of files',
  folder:
    'folder|folders|directory|directories|dir|dirs|subfolder|subfolders|subdirectory|subdirectories|sub-folder|sub-folders|project|workspace|repository|repo|project folder',
  line: 'line|lines|how long is|how long are|line of text|lines of text|lines of code|loc',
  word: 'word|words|word count|words count|wordcount',
  character: 'character|characters|chars|letters|char',
  row: 'row|rows|record|records|entry|entries|data row|data rows|data point|data points|datapoints|rows of data|line item|line items|observations|tuples',
  column:
    'column|columns|field|fields|header|headers|schema|attribute|attributes|column name|column names|heading of the columns|column headers|property|properties|variables',
  value: 'value|values|options',
  key: 'key|keys|top-level keys|top level keys',
  item: 'item|items|element|elements|things|thing|stuff',
  size: 'size|sizes|file size|file sizes|how big|how large|bytes|byte|disk space|disk usage|space|storage|kilobytes|megabytes|how heavy|byte size|weigh|weighs|weight on disk|take up|takes up|taken up|occupy|occupies',
  type: 'type|types|kind|kinds|sort of|sorts of|extension|extensions|file type|file types|file extension|file extensions|format|formats|filetype|filetypes|type of|types of|kind of|kinds of',
  name: 'name|names|named|called|titled',
  time: 'modified|last modified|changed|last changed|edited|last edited|updated|last updated|touched|modification|modification date|modification time|date modified|altered|change date|last change|last touched|saved|last saved|written last|modification dates|modification times',
  hash: 'hash|sha256|sha-256|checksum|fingerprint|digest of|sha 256',
  begin: 'beginning|the start|start of|head|top of|the top of|beginning of|head of',
  tail: 'tail|the end of|end of|bottom of|ending|very end',
  level: 'level|top level|top-level|root|directly|immediately|not in subfolders|without subfolders',

  // superlatives and order
  largest:
    'largest|biggest|bigest|greatest|heaviest|takes the most space|take the most space|most space|max size|largest in size|huge|hugest',
  smallest: 'smallest|tiniest|littlest|lightest|min size',
  newest: 'newest|latest|most recent|most recently|last modified file|freshest|recent|recently|youngest',
  oldest: 'oldest|earliest|least recently|least recent|longest ago|stalest',
  highest:
    'highest|maximum|max|top value|peak|upper|record high|maximal|topmost|priciest|dearest|most expensive|costliest|hottest|warmest|tallest|richest|strongest|deepest|widest|best paid|highest paid|best-paid|most',
  lowest:
    'lowest|minimum|min|bottom value|minimal|cheapest|least expensive|least|fewest|coldest|coolest|poorest|weakest|shallowest|narrowest|worst paid|lowest paid|least costly|inexpensive',
  longest: 'longest',
  shortest: 'shortest',
  top: 'top|best|leading',
  bottom: 'bottom|worst',
  first: 'first',
  last: 'last|final',
  larger: 'more|larger|bigger|greater|heavier|longer',
  smaller: 'less|fewer|smaller|lighter|shorter',
  newer: 'newer|more recent|more recently|younger',
  older: 'older|less recent',

  // comparison
  over: 'over|above|more than|greater than|larger than|bigger than|higher than|exceeding|exceeds|exceed|longer than|beyond|upwards of|costlier than|more expensive than|pricier than|heavier than|older than|in excess of|bigger then|larger then|more then|greater then|>',
  under:
    'under|below|less than|smaller than|lower than|fewer than|cheaper than|shorter than|lighter than|less expensive than|younger than|less then|smaller then|lower then|<',
  atLeast:
    'at least|no less than|not less than|minimum of|or more|or higher|or above|and above|and up|or greater|and higher|not under|no fewer than|>=|≥|greater than or equal to|upwards',
  atMost:
    'at most|no more than|not more than|maximum of|or less|or lower|or below|and below|up to|not over|or fewer|<=|≤|less than or equal to|not exceeding',
  between: 'between|ranging from|in the range',
  after: 'after|since|later than|as of|newer than|more recent than|following|starting from|starting on|starting in',
  before: 'before|until|till|earlier than|prior to|up until|til|up to and including|less recent than',
  equals: 'equals|equal to|is exactly|exactly|==|=|equaling|precisely',
  not: 'not|without|except|excluding|other than|no|apart from|except for|but not|non|lacking|lack|lacks|exclude|!=|never|aside from',
  empty:
    'empty|blank|missing|null|unset|unfilled|not filled|not set|not filled in|left blank|incomplete|no value|n/a|void',
  soldOut: 'out of stock|sold out|not in stock|no longer in stock|not available',
  startsWith: 'starts with|start with|starting with|begins with|beginning with|begin with|that start with',
  endsWith: 'ends with|end with|ending with|ending in|end in|ends in',
  contain:
    'contain|contains|containing|contained|mention|mentions|mentioned|mentioning|include|includes|including|included|occur|occurs|occurring|appear|appears|appearing|appeared|occurrence|occurrences|occurrence of|occurrences of|refer to|refers to|referring to|talk about|talks about|talking about|say about|says about|say|says|reference|references|referenced|instances|instance of|instances of|hits|hits for|mention of|mentions of|show up|shows up|showing up|turn up|used|use|uses|using|come up|comes up|matching|match|matches|found|discuss|discusses|speak of|write about|speaks of|with the text|with the word|the string|the text|the phrase|the term|keyword|references to|reference to|spoken of|to be found|cited|cite|cites',
  define:
    'defined|define|defines|definition|definition of|declared|declare|declaration of|declaration|implemented|implementation of',

  // structure
  each: 'each|every|each one|each of the|each of them|every one|every single|one by one|individually|each single|respective|every one of the|each of|one line per file|one line each|one sentence each|one sentence per file|per file|for each file|file by file|separately',
  per: 'per|by|for each|for every|grouped by|group by|broken down by|split by|according to|depending on|in each|of each|by each|grouped|group|breakdown by|split|broken down|breakdown|distributed by|distributed across|distributed over|across|within each|from each|with each|at each|grouping|split up by|split per|distribution|distribution of|breakdown of',
  with: 'with|having|that have|which have|that has|which has|where|whose|who have|who has|that is|that are|which are|which is|that was|that were|for which|such that|satisfying|in which',
  than: 'than|then',
  and: 'and|&|plus also|as well as|along with|also',
  or: 'or|either|and/or',
} as const

/** What a word or phrase stands for. */
export type Concept = keyof typeof phrases

/** Words that carry no meaning of their own here. */
const fillers =
  'a|an|the|this|that|these|those|here|there|it|its|is|are|am|was|were|be|been|being|do|does|did|done|has|have|had|can|could|would|will|shall|may|might|please|pls|plz|kindly|me|my|mine|i|im|we|us|our|you|your|yours|they|them|their|he|she|his|her|of|in|on|at|to|for|from|into|inside|as|so|if|any|all|some|both|just|only|really|actually|currently|now|right now|at the moment|existing|exist|exists|anywhere|somewhere|everywhere|available|like|want|wish|need|know|tell|let|hey|hi|hello|ok|okay|thanks|thank you|thanks a lot|quick|quickly|simply|would like to know|wonder|wondering|curious|interested|question|got|gets|much|many|one|ones|within|through|how|whole|entire|complete|full|current|given|such|very|quite|roughly|approximately|around|up|off|down|via|too|well|again|back|next|go|go ahead|stored|listed|recorded|located|sitting|lying|live|lie|dear|friend|good morning|good afternoon|good evening|able|possible|possibly|maybe|perhaps|ever|happen|come|comes|going|gonna|wanna|lot|bit|actual|possess|hold|holds|held|must|own|everything|anything|something|nothing|else|amongst|break down|break it down|split up|breaking down|among|upon|per se|in terms of|terms|based on|based|by chance|each other|one another|side by side|against|go through|looks|looked|yes|no worries|sure|hmm|um|well|say it|figure|figures|information|info|details|detail|idea|clue|thing is|during|year of|month of|a total|there been|right|away|real|simple|brief|briefly|short|nice|clear|in a few sentences|in one sentence|in two sentences|in three sentences|in a sentence|in bullet points|in a few words|in a few lines|a few sentences|one sentence|bullet points|a few|few|a couple of|single|euro|euros|eur|dollar|dollars|usd|pounds|gbp|bucks|chf|proper|certain|particular|specific|given|respective|corresponding|appropriate|various ones|using up'

/** Verbs of requests that no plan serves: always when they lead a clause. */
const strongVerbs =
  'write|create|generate|delete|remove|rename|move|copy|edit|modify|change|update|fix|repair|refactor|rewrite|replace|translate|run|execute|install|uninstall|compile|build|deploy|send|publish|download|upload|browse|google|buy|paint|draw|visualise|visualize|improve|optimise|optimize|debug|proofread|convert|encrypt|decrypt|compress|unzip|clean|tidy|organise|organize|reorganise|reorganize|sing|invent|imagine|pretend|compose|develop|predict|forecast|guess|teach|train|interpret|critique|recommend|suggest|advise|propose|brainstorm|paraphrase|reword|rephrase|append|insert|prettify|erase|wipe|overwrite|notify|tweet|transform|launch|kill|restart|reboot|populate|reformat|backup|restore|rotate|transcribe|configure|import|migrate|upgrade|derive|cook|chmod|mkdir|rm|mv|cp|sudo|ssh|curl|wget|npm|pip|make|turn|set|merge|push|commit|pull|extract|analyse|analyze|explain|justify|discuss|argue|finish|continue|stop|schedule|call|lint'

/** Verbs that are nouns too: only when something that they act on follows. */
const weakVerbs =
  'email|mail|post|book|plot|chart|graph|test|review|zip|plan|program|code|design|draft|text|message|answer|reply|order|record|sync|archive|drop|export|share|format|pick|choose|decide|play|rate|judge|estimate|track|monitor|watch|learn|pay|transfer|sign|touch|save|store|print|implement|alert|correct|fill|render|parse|sort out|name'

/** Requests for judgement or reasons, wherever they stand outside quotes. */
const judgements =
  'why|how come|explain|explanation|should i|should we|should|shall i|would you recommend|what do you think|do you think|your opinion|your view|your advice|do you believe|how do you feel|how do i|how can i|how to|what if|poem|haiku|limerick|joke|pros and cons|meaning of life|in your own words|is it a good idea|root cause|what caused|implications|sentiment|on the internet|on the web|online|from the web'

export type WordClass = Concept | 'filler' | 'judgement'

interface Entry {
  readonly words: readonly string[]
  readonly means: WordClass
}
const split = (text: string): readonly (readonly string[])[] => text.split('|').map((phrase) => phrase.split(' '))
const conceptNames: readonly Concept[] = Object.keys(phrases).filter(isConcept)
const entries: readonly Entry[] = [
  ...split(judgements).map((words) => ({ words, means: 'judgement' as const })),
  ...conceptNames.flatMap((concept) => split(phrases[concept]).map((words) => ({ words, means: concept }))),
  ...split(fillers).map((words) => ({ words, means: 'filler' as const })),
]
const byFirstWord = new Map<string, Entry[]>()
for (const entry of entries) {
  const first = entry.words[0] ?? ''
  byFirstWord.set(
    first,
    [...(byFirstWord.get(first) ?? []), entry].sort((a, b) => b.words.length - a.words.length),
  )
}

function isConcept(name: string): name is Concept {
  return Object.hasOwn(phrases, name)
}

/** The longest phrase that the words begin with, and what it means. */
export function lookUp(words: readonly string[]): { readonly means: WordClass; readonly length: number } | undefined {
  const found = (byFirstWord.get(words[0] ?? '') ?? []).find((entry) => entry.words.every((w, at) => words[at] === w))
  return found && { means: found.means, length: found.words.length }
}

const strong = new Set(strongVerbs.split('|'))
const weak = new Set(weakVerbs.split('|'))
export const isStrongVerb = (word: string): boolean => strong.has(word)
export const isWeakVerb = (word: string): boolean => weak.has(word)

/** Known words of four letters and more: what a typing slip is measured against. */
export const spellings: readonly string[] = [
  ...new Set([
    ...entries
      .filter((e) => e.means !== 'filler' && e.means !== 'judgement')
      .flatMap((e) =>
        e.words.length === 1 ? e.words.filter((w) => w.length >= 5) : e.words.filter((w) => w.length >= 4),
      ),
    ...'file line word show list find rows this what which many much most there their where have does with from that about these could would please today yesterday tomorrow'.split(
      ' ',
    ),
  ]),
]
