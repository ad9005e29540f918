/**
 * A short doc and a question about it in other words: title, content, question. Many fields, so that no topic repeats. A third
 * of the questions share a telling word with their doc, a third a word in another form, a third none at all.
 */
export const pairs: readonly (readonly [title: string, content: string, question: string])[] = [
  [
    'Greenhouse watering',
    'The drip lines in the tomato beds run at six in the morning for twelve minutes; in heat waves they run twice.',
    'how often are the greenhouses irrigated when it is very hot?',
  ],
  [
    'Invoice terms for Halden',
    'Halden pays within 45 days of the invoice date. Remind them after 50 days, never earlier.',
    'when may I chase Halden about an unpaid bill?',
  ],
  [
    'Deploy window',
    'Production is released on Tuesdays and Thursdays between 10:00 and 12:00. No deployments on Friday.',
    'which weekdays may we be deploying a new version?',
  ],
  [
    'Sourdough starter',
    'Feed it with equal weights of rye flour and lukewarm water, eight hours before baking.',
    'what does the starter eat, and how long in advance?',
  ],
  [
    'Violin strings',
    'The E string of the practice violin breaks often; spare ones are in the blue case under the piano.',
    'where do we keep a replacement in case the violin breaks one?',
  ],
  [
    'CSV exports from the till',
    'The cash register writes amounts with a decimal comma and separates columns by semicolons.',
    'why do prices from the point of sale file come out a hundred times too large?',
  ],
  [
    'Meeting minutes',
    'Minutes are sent the same day, with decisions first and open questions last, one page at most.',
    'how should I write up what two colleagues agreed when they met, and how is it being sent out?',
  ],
  [
    'Backup drive',
    'The external disk labelled NORTH holds monthly copies of the photo archive. It is stored at the office.',
    'where do I recover photographs of past years from?',
  ],
  [
    'Database timeouts',
    'Queries over the orders table time out when the statistics are stale; running ANALYZE after the nightly import mended it.',
    'the orders report is suddenly very slow, what helped last time?',
  ],
  [
    'Allergies at the team lunch',
    'Priya cannot eat peanuts, Tomas avoids gluten, and Ines is vegan.',
    'what do I have to think of when I order lunch for everybody?',
  ],
  [
    'Car tyres',
    'Winter tyres go on in late October; the garage needs an appointment two weeks ahead.',
    'when is the wintry tyre set mounted, and does the garage want to know in advance?',
  ],
  [
    'Brand colours',
    'The primary colour is deep teal, #0B5563; headings never use pure black.',
    'what coloured tone is right for a logo?',
  ],
  [
    'Tax documents',
    'Receipts above 250 euros need the seller’s address and VAT number, otherwise the advisor sends them back.',
    'what has to stand on a costly voucher so that the advisor accepts it?',
  ],
  [
    'Log rotation',
    'The gateway keeps seven days of logs, compressed; older ones are deleted without notice.',
    'how far back does the logging of the proxy reach?',
  ],
  [
    'Hiking boots',
    'The left boot rubs at the heel after ten kilometres; wear the thick merino socks.',
    'how do I avoid blisters when I hike far?',
  ],
  [
    'Unit tests and time zones',
    'Tests of the calendar failed in the evening because they took the local date; they pass with a fixed UTC clock.',
    'why were tests red only after sunset?',
  ],
  [
    'Library cards',
    'Borrowed books can be renewed twice online; reserved titles cannot be extended.',
    'can I renew a novel that I took home, even a second time?',
  ],
  [
    'Newsletter tone',
    'Readers are addressed informally, sentences stay under twenty words, no exclamation marks.',
    'what voice do we use in newsletters?',
  ],
  [
    'Rate limits of the map service',
    'The geocoding API allows ten requests a second; above that it answers 429 for a minute.',
    'address lookups are refused, what limit is there?',
  ],
  [
    'Cat medication',
    'Miso gets half a tablet of thyroid medicine in the morning, hidden in tuna.',
    'how do we make the pet swallow her pills and medicaments?',
  ],
  [
    'Coffee machine',
    'Descale the espresso machine monthly with citric acid; vinegar damages the seals.',
    'which product is safe for descaling?',
  ],
  [
    'Contract with the landlord',
    'The lease ends on 31 March and prolongs by a year unless cancelled three months before.',
    'by what day do we have to cancel so that the flat is not prolonged automatically?',
  ],
  [
    'Chemistry lab gloves',
    'Nitrile gloves do not protect from acetone; take the butyl ones from the second drawer.',
    'what hand protection is right for solvents?',
  ],
  [
    'Spreadsheet of volunteers',
    'Column F holds the emergency contact; it must not be included in shared copies.',
    'which field is private when I pass the helpers list on?',
  ],
  [
    'Bicycle lock code',
    'The combination of the shed is the year that grandmother was born, backwards.',
    'how do I open the bike store?',
  ],
  [
    'Encoding of old letters',
    'Files from before 2009 are in Windows-1252; read as UTF-8 their umlauts become question marks.',
    'special characters in wrongly encoded documents',
  ],
  [
    'Podcast recording',
    'Record at 48 kHz, mono, and leave two seconds of silence at the start for noise reduction.',
    'which settings do I choose before recordings begin?',
  ],
  [
    'Swimming pool',
    'The pH drifts up after rain; add 200 grams of acid granules and measure again after four hours.',
    'the water has drifted to the alkaline side following a storm, what now?',
  ],
  [
    'Survey results 2025',
    'Customers complained most about delivery times and about unclear return labels.',
    'what were buyers unhappy with last year?',
  ],
  [
    'Docker images',
    'The build failed with no space left on device; pruning dangling images freed 40 GB on the runner.',
    'the continuous integration machine has a full disk',
  ],
  [
    'Wedding seating',
    'Aunt Rosa must not sit next to uncle Bernd; children share the round table near the garden door.',
    'which relatives must be kept apart from aunt Rosa?',
  ],
  [
    'Solar panels',
    'Output drops by a third in November because the chimney shades the lower row until eleven.',
    'why do the photovoltaics produce less when shadows are long?',
  ],
  [
    'Password policy',
    'Shared accounts live in the vault; passphrases have four words and are changed when somebody leaves.',
    'what happens to a shared passphrase after an employee quits?',
  ],
  [
    'Marathon training',
    'Long runs are on Sundays and grow by two kilometres a week, with every fourth week shorter.',
    'how should the distance of my weekly jog increase?',
  ],
  [
    'Translating the manual',
    'German text grows by about thirty percent, so buttons need room; never translate product names.',
    'what has to be thought of for a translation of the guide?',
  ],
  [
    'Water heater',
    'Error E4 means that the flame sensor is dirty; switching the boiler off for ten minutes clears it once.',
    'the appliance shows E4, how is it reset?',
  ],
  [
    'Grant application',
    'The foundation wants a budget in thousands, a two-page summary and letters from two partners.',
    'what does the foundation expect us to attach?',
  ],
  [
    'Chess club',
    'Juniors play on Wednesdays at five; the hall is closed in the school holidays.',
    'at which hour do the juniors have their games?',
  ],
  [
    'Payroll run',
    'Salaries are transferred on the 27th; changes must reach the office by the 15th.',
    'until when can I correct my hours so that this month’s salaries are right?',
  ],
  [
    'Vaccination record',
    'The tetanus booster was given in May 2019 and lasts ten years.',
    'do I need another shot against tetanus?',
  ],
  [
    'Aquarium',
    'The neon tetras died when the filter was off overnight; keep a battery-powered air pump ready.',
    'how do the tetras survive a power cut?',
  ],
  [
    'Press embargo',
    'Nothing about the merger may be published before 3 June, 08:00 London time.',
    'when are journalists free to report on the merger?',
  ],
  [
    'Memory leak in the importer',
    'The worker held every parsed row; reading the stream in batches of a thousand kept it under 200 MB.',
    'the loading process eats all the RAM',
  ],
  [
    'Curtain measurements',
    'The bedroom window is 142 cm wide and 210 cm high; the rail is mounted 5 cm above.',
    'what size of drapes do I buy for the sleeping room?',
  ],
  [
    'Parental leave cover',
    'While Lena is away until August, Jonas handles the suppliers and Mei the forecasts.',
    'who stands in for Lena with vendors?',
  ],
  [
    'Museum tickets',
    'Groups above ten book a guided tour by phone; online orders allow nine visitors.',
    'can fifteen people get tickets on the website?',
  ],
  [
    'Email signatures',
    'Signatures hold name, role and telephone; quotes, pictures and legal notices are left out.',
    'what belongs at the bottom of a mail?',
  ],
  [
    'Beehive inspection',
    'Inspect the hives only above 15 degrees; swarm cells in May mean that the colony needs splitting.',
    'how warm must it be before I open the hives?',
  ],
  [
    'Shipping to Norway',
    'Parcels to Norway need a customs declaration in English and three copies of the invoice.',
    'which papers go along with a package to Norway?',
  ],
  [
    'Search index rebuild',
    'After changing the analyser the whole index has to be built anew; it takes forty minutes on the small cluster.',
    'how long does reindexing last?',
  ],
  [
    'Piano lessons',
    'The teacher moved to Zoom for January; lessons start ten minutes later than usual.',
    'is the keyboard class online this winter?',
  ],
  [
    'Old house insulation',
    'Mineral wool was blown between the rafters; the wall to the north stays cold and collects damp behind cupboards.',
    'which side of the building gets mouldy?',
  ],
  [
    'Refund rules',
    'Goods come back within thirty days, unopened software is refunded in full, opened software is exchanged only.',
    'can a customer get the money back for a program that was already unpacked?',
  ],
  [
    'Network printer',
    'The printer on the third floor forgets its address after power loss; assign 10.0.3.40 by hand.',
    'the printer upstairs is silent since the outage',
  ],
  [
    'Trail camera',
    'Deer pass the clearing shortly before dawn; foxes come in the evening. Batteries last six weeks.',
    'when are wild animals seen at the forest opening?',
  ],
  [
    'Accessibility review',
    'Icons without labels were the most frequent finding; contrast of the grey hints was below 4.5 to 1.',
    'what did the check for blind and low-vision users criticise?',
  ],
  [
    'Theatre lights',
    'Dimmer channel 12 flickers below twenty percent; use channel 14 for the slow fade.',
    'which lamp control is unreliable in dark scenes?',
  ],
  [
    'Fuel card',
    'The company pays diesel and petrol but no car wash; the PIN is asked for above 80 litres.',
    'is cleaning the vehicle covered by the firm?',
  ],
  [
    'Data retention',
    'Applicant files are deleted six months after the decision, candidates’ consent extends that to two years.',
    'how long may we keep CVs of people we did not hire?',
  ],
  [
    'Robot vacuum',
    'It gets stuck on the fringe of the living room carpet; draw a no-go line in the app.',
    'the automatic hoover keeps stopping at the rug',
  ],
]

/** Everyday goals that none of the docs was written for. */
export const foreignGoals: readonly string[] = [
  'Summarise the CSV files in this folder',
  'Rename all photos by date',
  'What changed in the last commit?',
  'Write a letter to the bank',
  'Find duplicate lines in the log',
  'Compare the two reports and tell me the differences',
  'Plan my holiday in Portugal',
  'Fix the failing build',
  'Draft a birthday speech',
  'Count the words of each chapter',
  'Which customers bought nothing this year?',
  'List the largest files',
  'Convert the images to webp',
  'Explain how this function works',
  'Translate this text into French',
  'How many rows does data.csv have?',
  'Make a chart of the sales per month',
  'Look up the weather in Rome',
  'Sort my bookmarks',
  'Write a haiku about rain',
]
