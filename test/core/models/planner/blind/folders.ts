const shop: Readonly<Record<string, string>> = {
  'README.md': `# Lantern & Thread bookkeeping

This folder holds the books of our haberdashery in Station Road for the year 2025.
Orders are typed in every Friday afternoon, expenses at the end of the month.
The accountant collects everything in the second week of July.

## Where things are

- sales: what customers bought
- costs: what the shop paid
- letters: everything we sent or received
- stock: suppliers and the count of January
`,
  'sales/orders-2025.csv': `Order No,Date,Customer,Category,Items,Net Amount,VAT,Paid
T-1040,2025-01-06,Priory Theatre,Repairs,8,66.94,13.39,no
T-1041,2025-01-08,Ivo Petersen,Yarn,3,79.53,15.91,yes
T-1042,2025-01-12,"Hatch & Sons, Tailors",Buttons,1,6.54,1.31,no
T-1043,2025-01-16,"Hatch & Sons, Tailors",Classes,1,129.26,25.85,yes
T-1044,2025-01-17,Bea Ashdown,Fabric,1,68.32,13.66,no
T-1045,2025-01-20,Bea Ashdown,Repairs,9,50.46,10.09,yes
T-1046,2025-01-23,Marlow Quilters,Repairs,8,15.28,3.06,yes
T-1047,2025-01-27,Priory Theatre,Classes,2,179.38,35.88,yes
T-1048,2025-01-30,Marlow Quilters,Yarn,2,55.08,11.02,yes
T-1049,2025-02-03,Ivo Petersen,Fabric,2,207.48,41.50,yes
T-1050,2025-02-04,Marlow Quilters,Yarn,8,29.62,5.92,no
T-1051,2025-02-08,Rosa Lindqvist,Repairs,4,19.38,3.88,yes
T-1052,2025-02-11,Marlow Quilters,Fabric,7,93.98,18.80,yes
T-1053,2025-02-13,Marlow Quilters,Yarn,1,71.39,14.28,no
T-1054,2025-02-17,Bea Ashdown,Yarn,8,69.29,13.86,yes
T-1055,2025-02-19,Marlow Quilters,Repairs,7,53.62,10.72,no
T-1056,2025-02-21,Priory Theatre,Fabric,5,85.20,17.04,yes
T-1057,2025-02-23,Priory Theatre,Yarn,2,45.12,9.02,yes
T-1058,2025-02-25,Marlow Quilters,Yarn,6,49.09,9.82,yes
T-1059,2025-03-01,Bea Ashdown,Fabric,4,43.75,8.75,yes
T-1060,2025-03-04,Bea Ashdown,Buttons,8,18.55,3.71,yes
T-1061,2025-03-08,Thornbury School,Yarn,4,64.69,12.94,yes
T-1062,2025-03-10,"Hatch & Sons, Tailors",Yarn,4,74.11,14.82,no
T-1063,2025-03-14,Marlow Quilters,Classes,2,46.38,9.28,yes
T-1064,2025-03-15,Bea Ashdown,Classes,7,174.59,34.92,yes
T-1065,2025-03-19,"Hatch & Sons, Tailors",Classes,3,106.19,21.24,yes
T-1066,2025-03-21,Rosa Lindqvist,Yarn,2,52.26,10.45,yes
T-1067,2025-03-23,Marlow Quilters,Yarn,5,74.91,14.98,no
T-1068,2025-03-27,Bea Ashdown,Yarn,5,17.08,3.42,yes
T-1069,2025-03-29,Ivo Petersen,Fabric,6,104.77,20.95,yes
T-1070,2025-03-30,Thornbury School,Fabric,5,128.66,25.73,yes
T-1071,2025-03-31,Ivo Petersen,Classes,2,127.25,25.45,yes
T-1072,2025-04-03,Marlow Quilters,Yarn,8,95.95,19.19,yes
T-1073,2025-04-04,Thornbury School,Yarn,6,78.63,15.73,yes
T-1074,2025-04-08,Ivo Petersen,Fabric,1,212.67,42.53,no
T-1075,2025-04-09,Ivo Petersen,Classes,1,131.03,26.21,yes
T-1076,2025-04-10,Thornbury School,Fabric,7,163.55,32.71,yes
T-1077,2025-04-14,Ivo Petersen,Classes,9,101.37,20.27,yes
T-1078,2025-04-15,Ivo Petersen,Buttons,1,18.03,3.61,yes
T-1079,2025-04-16,Rosa Lindqvist,Repairs,8,61.80,12.36,yes
T-1080,2025-04-17,Rosa Lindqvist,Buttons,4,10.53,2.11,yes
T-1081,2025-04-20,Bea Ashdown,Repairs,6,44.90,8.98,no
`,
  'sales/gift vouchers.csv': `Voucher,Sold On,Value,Redeemed
GV-01,2025-01-18,25.00,yes
GV-02,2025-01-25,50.00,no
GV-03,2025-02-14,30.00,yes
GV-04,2025-02-14,30.00,no
GV-05,2025-03-29,100.00,no
GV-06,2025-04-19,25.00,yes
`,
  'costs/expenses.csv': `Date,Kind,What,Paid Out
2025-01-31,Rent,Station Road unit,640.00
2025-02-03,Electricity,Quarterly bill,212.48
2025-02-11,Stock,Wool from Hebridean Mill,388.10
2025-02-28,Rent,Station Road unit,640.00
2025-03-04,Insurance,Annual contents cover,274.95
2025-03-17,Stock,"Linen bolts, two colours",459.60
2025-03-31,Rent,Station Road unit,640.00
2025-04-08,Equipment,Overlocker service,86.00
2025-04-30,Rent,Station Road unit,640.00
2025-05-06,Electricity,Quarterly bill,187.32
`,
  'costs/petty-cash.txt': `Petty cash, spring 2025

12.40 stamps for the catalogue mailing
 6.95 tea and milk
18.00 window cleaner, March
 4.20 till rolls
 9.99 replacement bulb for the cutting table
Left in the tin on 30 April: 48.46
`,
  'letters/landlord-reply.md': `# Reply to the landlord

Dear Mr Okafor,

Thank you for your letter of 3 March about the lease of the Station Road unit.
We would like to stay for another three years at the present rent of 640 pounds a month.
The damp in the back room has come back since the gutter was patched in November.
Please have the gutter replaced before the new lease is signed.
A surveyor, Ms Trent, will look at the wall on 22 April at ten o'clock.
She asks that the stock shelves be moved at least half a metre from the wall.

If the repair is done by the end of May, we will sign for the full term.
Otherwise we ask for a lease of one year with the option to extend.

Kind regards,
Agnes Lantern
`,
  'letters/school-offer.md': `# Offer to Thornbury School

The school plans a sewing club for eleven pupils, starting after the Easter break.
We offer six lessons of ninety minutes each at a flat price of 420 pounds.
Fabric scraps and thread are included, scissors are lent by the shop.
The headteacher wants a written risk assessment for the irons.
Payment is due within thirty days of the last lesson.
`,
  'letters/school-offer copy.md': `# Offer to Thornbury School

The school plans a sewing club for eleven pupils, starting after the Easter break.
We offer six lessons of ninety minutes each at a flat price of 420 pounds.
Fabric scraps and thread are included, scissors are lent by the shop.
The headteacher wants a written risk assessment for the irons.
Payment is due within thirty days of the last lesson.
`,
  'letters/reminder-ashdown.txt': `Dear Bea,

your order of February has not been paid yet, although the goods were collected on the day.
Could you settle the invoice by the end of the month?
If the surveyor's visit closes the shop, please push an envelope through the door.

Agnes
`,
  'stock/suppliers.json': `[
  {"name": "Hebridean Mill", "country": "Scotland", "leadDays": 14, "openBalance": 388.1, "rating": 5},
  {"name": "Leinen Huber", "country": "Austria", "leadDays": 21, "openBalance": 0, "rating": 4},
  {"name": "Botões do Norte", "country": "Portugal", "leadDays": 18, "openBalance": 142.75, "rating": 4},
  {"name": "Fjord Yarns", "country": "Norway", "leadDays": 12, "openBalance": 96.4, "rating": 3},
  {"name": "Bergen Garn", "country": "Norway", "leadDays": 16, "openBalance": 210.05, "rating": 5},
  {"name": "Casa Textil", "country": "Portugal", "leadDays": 25, "openBalance": 57.2, "rating": 2},
  {"name": "Nålen AS", "country": "Norway", "leadDays": 9, "openBalance": 33.6, "rating": 4}
]
`,
  'stock/january count.txt': `Count of 11 January 2025, done by Agnes and Tom

Fabric bolts: 64
Balls of yarn: 418
Cards of buttons: 927
Zips: 233
Shelf C is still wet because of the damp, nothing was counted there.
`,
  'stock/price-list.md': `# Price list

| Article | Price |
| --- | --- |
| Cotton lawn, metre | 14.50 |
| Linen, metre | 19.80 |
| Sock yarn, 100 g | 11.25 |
| Horn button | 0.90 |
| Zip, 20 cm | 2.40 |

Prices include VAT and hold until the end of September.
`,
  'till-settings': `drawer=2
receipt_footer=Thank you for mending instead of buying
vat=20
`,
  'todo.md': `# To do

- [x] Send the offer to the school
- [ ] Ask the surveyor for a second date
- [ ] Write to Bea Ashdown about her invoice
- [ ] Order horn buttons before the summer fair
`,
  'scan-notes.txt': '',
}

const research: Readonly<Record<string, string>> = {
  'overview.md': `# Waders of the Holm salt marsh

We study how the rising water changes where waders feed and roost on the Holm salt marsh.
Birds are caught with mist nets at four sites between August and February.
Each bird is ringed, measured and weighed, and released within twenty minutes.

## Questions

1. Do juveniles feed closer to the sea wall than adults?
2. Does the weight of a bird predict its return in the next winter?
3. Which sites are lost first when the marsh is flooded?
`,
  'data/ringing_2024.csv': `ring,date,species,site,age,wing_mm,weight_g,remark
BK20411,2024-08-03,Curlew,North Creek,juvenile,251,727.5,moult on left wing
BK20414,2024-08-10,Curlew,Saltern,adult,149,718.8,
BK20417,2024-08-11,Turnstone,Sea Wall,juvenile,127,90.7,moult on left wing
BK20420,2024-08-16,Dunlin,Sea Wall,adult,297,46.5,
BK20423,2024-08-23,Curlew,Saltern,adult,155,873.6,
BK20426,2024-08-30,Curlew,Gull Island,adult,180,786.1,moult on left wing
BK20429,2024-08-31,Knot,Sea Wall,adult,264,123.6,
BK20432,2024-09-07,Curlew,Saltern,adult,129,678.1,moult on left wing
BK20435,2024-09-07,Turnstone,Gull Island,adult,171,114.3,
BK20438,2024-09-07,Curlew,Gull Island,adult,178,856.8,moult on left wing
BK20441,2024-09-14,Redshank,Gull Island,juvenile,127,131.6,
BK20444,2024-09-19,Redshank,Gull Island,adult,136,144.5,"old injury, healed"
BK20447,2024-09-19,Knot,Saltern,adult,108,119.9,moult on left wing
BK20450,2024-09-24,Dunlin,Saltern,juvenile,275,46.1,
BK20453,2024-09-24,Turnstone,Sea Wall,adult,123,99.1,moult on left wing
BK20456,2024-09-29,Redshank,North Creek,juvenile,167,125.0,
BK20459,2024-10-04,Curlew,Saltern,juvenile,126,782.4,
BK20462,2024-10-11,Turnstone,Saltern,adult,125,101.5,
BK20465,2024-10-16,Curlew,Sea Wall,juvenile,257,811.3,moult on left wing
BK20468,2024-10-16,Redshank,Gull Island,adult,204,117.9,"old injury, healed"
BK20471,2024-10-23,Turnstone,North Creek,adult,127,88.8,
BK20474,2024-10-26,Turnstone,Sea Wall,juvenile,142,118.4,
BK20477,2024-10-29,Turnstone,North Creek,juvenile,243,118.6,moult on left wing
BK20480,2024-11-01,Dunlin,Gull Island,adult,106,53.1,
BK20483,2024-11-06,Redshank,North Creek,juvenile,267,124.3,moult on left wing
BK20486,2024-11-06,Knot,Gull Island,adult,252,141.4,"old injury, healed"
BK20489,2024-11-13,Redshank,Gull Island,adult,122,114.7,
BK20492,2024-11-18,Knot,North Creek,adult,216,138.6,
BK20495,2024-11-21,Knot,Gull Island,adult,170,150.6,
BK20498,2024-11-22,Knot,North Creek,adult,309,140.7,"old injury, healed"
BK20501,2024-11-25,Turnstone,Gull Island,adult,122,100.3,
BK20504,2024-11-26,Turnstone,Gull Island,juvenile,258,102.8,
BK20507,2024-11-29,Turnstone,Sea Wall,juvenile,109,96.3,
BK20510,2024-11-30,Turnstone,Sea Wall,juvenile,204,113.8,
BK20513,2024-12-01,Curlew,Saltern,adult,299,679.9,"old injury, healed"
BK20516,2024-12-06,Turnstone,Gull Island,adult,120,108.0,"old injury, healed"
BK20519,2024-12-07,Dunlin,North Creek,adult,146,54.9,
BK20522,2024-12-14,Redshank,Gull Island,adult,281,117.7,
`,
  'data/tides.csv': `date,high_m,low_m
2024-08-03,5.42,0.81
2024-08-17,6.08,0.44
2024-09-03,5.97,0.52
2024-09-18,6.41,0.19
2024-10-04,6.02,0.47
2024-10-18,6.55,0.12
2024-11-02,5.71,0.69
2024-11-16,6.33,0.28
2024-12-01,5.64,0.73
`,
  'data/stations.json': `[
  {"station": "HM-1", "site": "North Creek", "substrate": "mud", "elevation": 1.42, "samples": 18},
  {"station": "HM-2", "site": "North Creek", "substrate": "sand", "elevation": 1.87, "samples": 11},
  {"station": "HM-3", "site": "Saltern", "substrate": "mud", "elevation": 2.05, "samples": 24},
  {"station": "HM-4", "site": "Gull Island", "substrate": "shell", "elevation": 2.6, "samples": 7},
  {"station": "HM-5", "site": "Gull Island", "substrate": "mud", "elevation": 1.15, "samples": 15},
  {"station": "HM-6", "site": "Sea Wall", "substrate": "sand", "elevation": 3.3, "samples": 9},
  {"station": "HM-7", "site": "Sea Wall", "substrate": "mud", "elevation": 2.91, "samples": 13},
  {"station": "HM-8", "site": "Saltern", "substrate": "mud", "elevation": 1.76, "samples": 20}
]
`,
  'data/backup/tides-old.csv': `date,high_m,low_m
2024-08-03,5.42,0.81
2024-08-17,6.08,0.44
2024-09-03,5.97,0.52
2024-09-18,6.41,0.19
2024-10-04,6.02,0.47
2024-10-18,6.55,0.12
2024-11-02,5.71,0.69
2024-11-16,6.33,0.28
2024-12-01,5.64,0.73
`,
  'notes/field-diary.md': `# Field diary, autumn 2024

The first catch of the season was small because the wind turned at dusk.
Two nets at North Creek were torn by driftwood and have to be mended before October.
On 18 September the spring tide covered the whole of Gull Island for the first time.
A flock of about four hundred knots moved to the sea wall and stayed there until the water fell.
We lost one evening to fog and one to a broken outboard motor.
Sørensen counted nine colour-ringed redshanks, three of them from the Danish programme.
The scales drifted by half a gram in the cold and were calibrated again on 4 October.
Juveniles were clearly over-represented at the saltern, which fits our first question.

## Open points

- Ask the harbour office for the bathymetry of the creek
- Replace the batteries of the headlamps
- Compare the catch with the winter of 2019
`,
  'notes/literature.md': `# Literature

Bathymetry decides how long a mudflat stays open to waders, according to Larsen and Holt (2018).
Their survey found that a rise of ten centimetres shortens the feeding time by a quarter.
Petrov (2021) disagrees and sees no effect on heavy species such as the curlew.
A review from 2023 recommends to weigh birds at least twice in a winter.
None of the papers looks at artificial roosts behind a sea wall.
`,
  'notes/meeting 12 November.md': `# Meeting of 12 November

Present: Ingrid Sørensen, Tom Achebe, Wei Zhang.

The budget for the second season was cut by eight per cent.
Tom will write the chapter about bathymetry until the end of January.
Wei brings the loggers to the workshop because three of them report wrong temperatures.
The next meeting takes place at the field station.
`,
  'notes/ideas.txt': `Ideas that may or may not lead anywhere

Use the old wind pump as a roosting platform.
Photograph the flock from the lighthouse each Sunday at high tide.
Let the school in Holm count footprints in the mud.
Borrow a drone from the geography department, if the birds tolerate it.
`,
  'manuscript/abstract.md': `# Abstract

Salt marshes lose feeding grounds faster than models predict.
We followed five species of waders over one winter on four sites.
Birds shifted to higher ground within two weeks of the first flooding.
Weight fell in adults but not in juveniles.
`,
  'manuscript/cover letter.txt': `Dear editor,

please consider our manuscript on waders and rising water for your journal.
It has not been published elsewhere and all authors agree with the submission.
The data will be archived under an open licence after acceptance.

Ingrid Sørensen
`,
  'manuscript/résumé.md': `# Résumé

Les marais salants perdent leurs zones de nourrissage plus vite que prévu.
Nous avons suivi cinq espèces de limicoles pendant un hiver.
`,
  equipment: `12 mist nets
3 scales
8 loggers
1 boat, 4.2 m
`,
  'permits/licence-2024.txt': `Ringing licence 2024/117

Valid from 1 August 2024 to 28 February 2025 for the Holm salt marsh.
No more than sixty birds may be caught in one night.
A report is due four weeks after the licence ends.
`,
  'permits/boat.json': `{
  "name": "Strandläufer",
  "registration": "HM 2217",
  "lengthM": 4.2,
  "inspected": "2024-06-20"
}
`,
  'manuscript/figures.md': '',
}

const software: Readonly<Record<string, string>> = {
  'README.md': `# tidepool

tidepool keeps a vault of plain text notes in step between several computers.
It has no server: two computers that see each other exchange only what has changed.
Conflicts are kept side by side and never overwritten.

## Install

Download the archive for your system and put the program into your path.
Run "tidepool init" once in the folder that holds your notes.

## Licence

MIT
`,
  'package.json': `{
  "name": "tidepool",
  "version": "0.9.3",
  "type": "module",
  "scripts": {
    "build": "tsc -p .",
    "test": "node --test"
  }
}
`,
  'CHANGELOG.md': `# Changelog

## 0.9.3 (2025-04-28)

- The quarantine folder is emptied after thirty days
- Fixed: exit code 0 after a failed merge

## 0.9.2 (2025-03-30)

- Accents are honoured when names are compared
- Fixed: lock file left behind after a crash

## 0.9.0 (2025-02-14)

- First public version
`,
  'src/main.ts': `import { parse } from './parse.ts'
import { sync } from './sync.ts'

// Entry point: reads the arguments and starts one exchange.
const request = parse(process.argv.slice(2))
if (request.help) {
  console.log('usage: tidepool [init|sync|status]')
} else {
  await sync(request.folder)
}
`,
  'src/parse.ts': `export type Request = { readonly folder: string; readonly help: boolean }

// TODO: support the dry-run switch
export const parse = (words: readonly string[]): Request => ({
  folder: words.at(-1) ?? '.',
  help: words.includes('--help'),
})
`,
  'src/sync.ts': `// TODO: retry after a timeout
export const sync = async (folder: string): Promise<void> => {
  const started = performance.now()
  console.log('syncing', folder)
  // A file that fails its checksum goes to quarantine.
  console.log('done in', Math.round(performance.now() - started), 'ms')
}
`,
  'src/helpers/clock.ts': `export const seconds = (ms: number): number => Math.round(ms / 1000)
`,
  'test/clock.test.ts': `import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { seconds } from '../src/helpers/clock.ts'

test('milliseconds become seconds', () => {
  equal(seconds(2400), 2)
})
`,
  'docs/design.md': `# Design of the exchange

Every note is cut into blocks of about four kilobytes, and each block has a checksum.
Two computers compare the checksums first and send only the blocks that differ.
A block that arrives damaged is put into quarantine and asked for again.
After the third failure the whole note is skipped and reported.
The index is a single file that can be rebuilt from the notes at any time.
Clocks are not trusted: each computer counts its own changes.
A merge keeps both versions when the counters have diverged.
We decided against a central server because most users have two computers only.
Encryption is left to the transport, which is either ssh or a local socket.

## Limits

Vaults with more than fifty thousand notes start slowly.
Names that differ only in case are refused on every system.
`,
  'docs/release checklist.md': `# Release checklist

1. Run all tests on the three systems
2. Raise the version in the package file
3. Write the changelog in whole sentences
4. Tag the commit and build the archives
5. Announce the release on the mailing list

Nobody publishes on a Friday.
`,
  'docs/faq.txt': `Frequently asked questions

Does tidepool upload my notes?
No. It talks to your own computers only.

What happens to a damaged block?
It waits in quarantine until a good copy has arrived.

Can I use it with pictures?
Yes, but pictures are copied whole.
`,
  'docs/hilfe-für-einsteiger.md': `# Hilfe für Einsteiger

Das Programm gleicht Notizen zwischen zwei Rechnern ab.
Beim ersten Start wird ein Verzeichnis angelegt, das nie gelöscht wird.
`,
  'planning/issues.csv': `id,opened,title,component,priority,hours,status
201,2025-02-03,Crash on empty input,storage,high,22.25,closed
202,2025-02-08,Wrong exit code,sync,high,19.75,closed
203,2025-02-09,Add colour switch,sync,high,3.25,open
204,2025-02-14,Slow start on large vaults,parser,low,20.25,open
205,2025-02-16,Typo in help text,parser,high,21.75,closed
206,2025-02-18,Lost lock file,parser,medium,27.25,closed
207,2025-02-20,Dates off by one,parser,high,24.25,open
208,2025-02-22,Support YAML header,storage,high,27,open
209,2025-02-24,Retry after timeout,sync,low,20.75,closed
210,2025-02-26,Broken link in guide,cli,medium,16.75,open
211,2025-02-28,Memory grows during import,storage,high,1.5,closed
212,2025-03-01,Flag order matters,docs,medium,20.5,open
213,2025-03-02,Conflict marker left behind,storage,high,12.25,open
214,2025-03-03,Unicode names mangled,docs,high,14.5,open
215,2025-03-05,Export skips last row,storage,low,17.25,open
216,2025-03-07,Progress bar flickers,parser,high,25.75,open
217,2025-03-09,Config file ignored,sync,medium,3.75,closed
218,2025-03-10,Docs lack an example,sync,low,29.75,closed
219,2025-03-12,Tests flaky on Windows,cli,low,15,open
220,2025-03-14,Checksum mismatch,docs,high,19.5,closed
221,2025-03-15,Undo restores wrong note,storage,medium,9.5,open
222,2025-03-16,"Password echoed, must be hidden",cli,low,12.5,closed
223,2025-03-21,Add dry-run switch,storage,low,24,open
224,2025-03-22,Cache never expires,storage,low,14,open
225,2025-03-24,Table wider than screen,docs,high,26.5,closed
226,2025-03-29,Search ignores accents,storage,high,5,closed
227,2025-03-30,Sync stops at 500 files,sync,high,2,open
228,2025-04-01,Installer asks twice,parser,medium,29.25,closed
229,2025-04-02,Index rebuilt each time,storage,high,13.5,closed
230,2025-04-04,Rename loses history,storage,high,2.75,closed
231,2025-04-06,Backlinks missing,storage,low,17.75,closed
232,2025-04-11,Clock skew breaks merge,parser,medium,24.75,closed
`,
  'planning/roadmap.md': `# Roadmap to 1.0

The next version brings a preview of every exchange before anything is written.
After that the storage layer is rewritten so that large vaults open in under two seconds.
Version 1.0 follows when the file format has been stable for three months.
Mobile clients are not planned.
`,
  'planning/benchmarks.json': `{
  "machine": "ThinkPad T14",
  "results": [
    {
      "case": "cold start",
      "suite": "startup",
      "ms": 412.5,
      "runs": 20
    },
    {
      "case": "warm start",
      "suite": "startup",
      "ms": 96.25,
      "runs": 20
    },
    {
      "case": "1k notes",
      "suite": "sync",
      "ms": 733,
      "runs": 10
    },
    {
      "case": "10k notes",
      "suite": "sync",
      "ms": 4180.75,
      "runs": 5
    },
    {
      "case": "one change",
      "suite": "sync",
      "ms": 58.5,
      "runs": 40
    },
    {
      "case": "word search",
      "suite": "search",
      "ms": 31.25,
      "runs": 50
    },
    {
      "case": "phrase search",
      "suite": "search",
      "ms": 47,
      "runs": 50
    },
    {
      "case": "conflict",
      "suite": "sync",
      "ms": 88,
      "runs": 30
    },
    {
      "case": "rebuild",
      "suite": "startup",
      "ms": 2210,
      "runs": 5
    }
  ]
}
`,
  LICENSE: `MIT License

Copyright (c) 2025 the tidepool authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software,
to deal in the software without restriction.
`,
  'docs/licence.txt': `MIT License

Copyright (c) 2025 the tidepool authors

Permission is hereby granted, free of charge, to any person obtaining a copy of this software,
to deal in the software without restriction.
`,
  'planning/empty.log': '',
}

const travelClub: Readonly<Record<string, string>> = {
  'welcome.txt': `Welcome to the Slow Travel Club

We are eleven friends who travel by train, by ferry and on foot.
Every member plans one journey a year and hands the plan to the others.
Nobody is paid, and the kitty covers only what was shared.
`,
  'accounts/Receipts.csv': `Receipt,Day,Member,Country,Kind,Cost,Paid By
R001,2025-04-10,Bertram,Norway,Ferry,72.78,cash
R002,2025-04-12,Anneli,Italy,Train,107.35,cash
R003,2025-04-12,Anneli,Norway,Lodging,141.47,card
R004,2025-04-13,Chloé,Norway,Lodging,185.17,cash
R005,2025-04-17,Anneli,Norway,Museum,8.52,cash
R006,2025-04-19,Bertram,Norway,Museum,8.57,card
R007,2025-04-21,Bertram,Spain,Museum,25.55,card
R008,2025-04-21,Anneli,Norway,Train,128.72,cash
R009,2025-04-22,Anneli,Norway,Lodging,77.95,card
R010,2025-04-23,Chloé,Norway,Ferry,68.62,cash
R011,2025-04-24,Dai,Spain,Ferry,55.36,cash
R012,2025-04-24,Anneli,Norway,Museum,6.78,card
R013,2025-04-26,Dai,Spain,Lodging,244.56,card
R014,2025-04-27,Dai,Spain,Ferry,35.63,card
R015,2025-05-01,Bertram,Spain,Meals,29.99,cash
R016,2025-05-02,Anneli,Norway,Museum,10.65,card
R017,2025-05-06,Chloé,Spain,Museum,20.95,cash
R018,2025-05-10,Dai,Italy,Ferry,63.88,card
R019,2025-05-11,Fergus,Spain,Ferry,22.79,cash
R020,2025-05-13,Fergus,Spain,Train,80.50,cash
R021,2025-05-14,Fergus,Italy,Museum,6.23,cash
R022,2025-05-16,Anneli,Spain,Ferry,94.07,card
R023,2025-05-17,Anneli,Norway,Meals,57.69,card
R024,2025-05-17,Dai,Spain,Ferry,81.03,card
R025,2025-05-19,Bertram,Italy,Ferry,26.07,cash
R026,2025-05-19,Anneli,Italy,Ferry,88.73,card
R027,2025-05-23,Anneli,Italy,Ferry,40.34,card
R028,2025-05-27,Chloé,Italy,Museum,7.77,cash
R029,2025-05-28,Anneli,Italy,Museum,25.51,cash
R030,2025-05-29,Bertram,Italy,Lodging,112.24,cash
R031,2025-05-30,Dai,Italy,Museum,10.58,cash
R032,2025-05-31,Anneli,Italy,Ferry,71.30,cash
R033,2025-06-01,Bertram,Italy,Lodging,116.60,cash
R034,2025-06-02,Anneli,Slovenia,Ferry,89.96,card
R035,2025-06-02,Anneli,Italy,Train,59.39,cash
R036,2025-06-04,Dai,Italy,Meals,65.89,card
R037,2025-06-04,Dai,Slovenia,Museum,8.98,cash
R038,2025-06-05,Bertram,Slovenia,Train,26.86,cash
R039,2025-06-06,Elif,Norway,Meals,10.47,cash
R040,2025-06-07,Bertram,Slovenia,Ferry,52.16,cash
R041,2025-06-11,Fergus,Slovenia,Ferry,94.73,card
R042,2025-06-12,Anneli,Slovenia,Ferry,90.88,card
R043,2025-06-13,Fergus,Slovenia,Museum,12.46,card
R044,2025-06-13,Chloé,Slovenia,Meals,73.74,card
R045,2025-06-15,Dai,Slovenia,Lodging,133.88,cash
R046,2025-06-17,Bertram,Slovenia,Museum,25.39,card
`,
  'accounts/kitty.csv': `Month;Paid in;Paid out
2025-01;220,00;35,50
2025-02;220,00;0,00
2025-03;240,00;118,20
2025-04;240,00;402,75
2025-05;240,00;190,10
`,
  'accounts/rules.md': `# Rules of the kitty

Each member pays twenty euros a month by the fifth day.
Shared lodging is paid from the kitty, meals are not.
A receipt older than sixty days is not refunded.
`,
  'trips/Lofoten.md': `# Lofoten by ferry

The ferry from Bodø to Moskenes takes a little over three hours and runs twice a day in May.
Book the cabins early because the fishing season fills the harbour.
From Moskenes a bus follows the coast to Reine, where the hostel keeps six beds for us.
The path to the viewpoint is steep and was closed after a landslide in 2023.
Pack rain trousers, a head torch and a warm hat even in June.
On the third day we rest, wash and write postcards.
Bertram carries the stove, Elif carries the map.

## Costs we expect

The whole journey should cost about 780 euros a person, without the meals.
Half of that goes to the trains between Hamburg and Bodø.
`,
  'trips/Málaga.md': `# Málaga in spring

The overnight train ends in Barcelona, and the fast train reaches Málaga in six hours.
The Picasso museum is free on Sunday evenings.
Chloé knows a rooftop where the procession can be watched without a crowd.
Sardines are grilled on the beach until midnight.
`,
  'trips/Trieste and Ljubljana.md': `# Trieste and Ljubljana

Two cities, one slow train and a viewpoint above the bay.
The climb to the castle takes forty minutes, or five by funicular.
We return through the Karst and stop at the caves of Škocjan.
`,
  'trips/old/Málaga (2).md': `# Málaga in spring

The overnight train ends in Barcelona, and the fast train reaches Málaga in six hours.
The Picasso museum is free on Sunday evenings.
Chloé knows a rooftop where the procession can be watched without a crowd.
Sardines are grilled on the beach until midnight.
`,
  'trips/old/bornholm 2022.txt': `Bornholm, September 2022

It rained for four days and nobody complained.
The smokehouse in Hasle was the best meal of the year.
From the viewpoint at Hammeren we saw Sweden.
Lost: one umbrella, two gloves.
Fergus fell into the harbour, but only up to his knees.
`,
  'people/members.json': `[
  {"name": "Anneli", "city": "Turku", "joined": 2018, "journeys": 9, "kilometres": 8420.5},
  {"name": "Bertram", "city": "Hamburg", "joined": 2018, "journeys": 12, "kilometres": 11260},
  {"name": "Chloé", "city": "Lyon", "joined": 2019, "journeys": 7, "kilometres": 6105.25},
  {"name": "Dai", "city": "Cardiff", "joined": 2021, "journeys": 4, "kilometres": 3890},
  {"name": "Elif", "city": "Hamburg", "joined": 2020, "journeys": 8, "kilometres": 7714.75},
  {"name": "Fergus", "city": "Cardiff", "joined": 2022, "journeys": 3, "kilometres": 2044},
  {"name": "Gudrun", "city": "Hamburg", "joined": 2023, "journeys": 2, "kilometres": 1980.5},
  {"name": "Ines", "city": "Porto", "joined": 2024, "journeys": 1, "kilometres": 1312}
]
`,
  'people/birthdays.csv': `Name,Birthday
Anneli,1971-05-30
Bertram,1964-11-02
Chloé,1980-08-19
Dai,1975-03-01
Elif,1988-12-24
Fergus,1969-07-07
`,
  'minutes/2025-03 meeting.md': `# Minutes of March

The meeting took place in the back room of the station café.
Seven members came, two sent their regrets.
The landslide on the Lofoten path was discussed, and a detour was found.
Elif was elected keeper of the kitty with six votes.
The autumn journey goes to Trieste, the winter journey is still open.
Dai proposes to lend the tents to the scouts in July.
`,
  'minutes/2025-05 meeting.md': `# Minutes of May

Five members met on the platform before the train left.
The viewpoint in Reine has been opened again.
Receipts of the first quarter are complete, apart from two of Fergus.
`,
  packing: `rain trousers
head torch
warm hat
earplugs
mug
`,
  'addresses.txt': '',
}

const kitchen: Readonly<Record<string, string>> = {
  'index.md': `# Our kitchen folder

Recipes that worked twice are kept here, the others are thrown away.
The pantry table is checked on the first Saturday of the month.
Guests and their allergies are listed in the guests file.
`,
  'pantry/Pantry List.csv': `Item,Shelf,Stock,Unit Price,Best Before
Flour,Baking,7,7.08,2025-08-19
Brown sugar,Baking,11,10.86,2026-01-13
Yeast,Baking,15,0.62,2025-07-23
Cocoa,Baking,22,5.87,2025-06-14
Vanilla pods,Baking,8,3.62,2026-04-09
Butter,Dairy,5,4.53,2025-08-22
"Cream, double",Dairy,8,5.84,2026-06-16
Gruyère,Dairy,17,2.22,2025-12-02
Yoghurt,Dairy,10,10.94,2026-03-27
Eggs,Dairy,1,1.57,2025-10-10
Lentils,Dry goods,12,12.62,2025-09-18
Basmati rice,Dry goods,13,4.41,2025-06-18
Spaghetti,Dry goods,3,10.78,2025-07-23
Chickpeas,Dry goods,8,0.94,2025-07-24
Onions,Vegetables,10,11.23,2025-08-14
Carrots,Vegetables,14,7.93,2026-02-03
Leeks,Vegetables,16,9.81,2026-07-03
Potatoes,Vegetables,19,3.11,2026-04-04
Garlic,Vegetables,12,7.60,2025-11-02
Cumin,Spices,4,3.86,2025-09-16
Smoked paprika,Spices,10,1.20,2026-04-18
Nutmeg,Spices,7,7.57,2025-08-25
Saffron,Spices,19,12.87,2026-01-15
Salmon,Freezer,16,1.07,2026-03-10
Peas,Freezer,11,8.40,2025-10-15
Stock cubes,Dry goods,4,12.39,2026-05-14
`,
  'pantry/freezer.txt': `Freezer, top to bottom

2 boxes of stock from the chicken of Easter
1 bag of sourdough crumbs
6 portions of lentil soup
blackcurrants, 900 g
`,
  'pantry/shopping.md': `# Shopping

- [ ] Cardamom, whole
- [ ] Two bunches of parsley
- [x] Rye flour from the mill
- [ ] Lemons, unwaxed
`,
  'recipes/soups/lentil soup.md': `# Lentil soup

Serves six and tastes better on the second day.

1. Soften two onions and a leek in butter for ten minutes
2. Add the lentils, a litre of stock and a bay leaf
3. Simmer for thirty-five minutes and season with cumin
`,
  'recipes/soups/bouillabaisse.txt': `Bouillabaisse the short way

Buy the fish on the day and ask for the heads.
The broth needs fennel, orange peel and a pinch of saffron.
Never let it boil once the fish is in.
`,
  'recipes/bread/sourdough.md': `# Sourdough loaf

The starter is fed the evening before and kept next to the oven.
Mix flour, water and salt in the morning and let the dough rest for forty minutes.
Fold it four times, half an hour apart, with wet hands.
A slow night in the refrigerator gives the crust its blisters.
Bake with steam for twenty minutes and without steam for another twenty-five.
The loaf is done when it sounds hollow and the core has 97 degrees.
Let it cool on a rack for two hours, however hard that is.
Rye flour makes the crumb darker and the sourdough more sour.

## What went wrong so far

In February the dough collapsed because the kitchen was too warm.
In March the salt was forgotten, and nobody finished the loaf.
`,
  'recipes/bread/focaccia.md': `# Focaccia

Stretch the dough in the tin and press your fingers to the bottom.
Brush with brine and olive oil, then scatter rosemary over it.
Bake at 230 degrees until the edges are dark.
`,
  'recipes/sweet/crème brûlée.md': `# Crème brûlée

Warm the cream with the vanilla and let it steep for an hour.
Whisk the yolks with the sugar, but do not make them foam.
Set the dishes in a water bath at 140 degrees for fifty minutes.
Burn the sugar at the table, since the guests like the fire.
`,
  'recipes/sweet/plum cake.md': `# Plum cake

Line the tin, spread the dough thinly and stand the plums upright.
Cardamom goes into the crumble, cinnamon onto the fruit.
It freezes well for three months.
`,
  'archive/focaccia 2021.md': `# Focaccia

Stretch the dough in the tin and press your fingers to the bottom.
Brush with brine and olive oil, then scatter rosemary over it.
Bake at 230 degrees until the edges are dark.
`,
  'recipes/recipes.json': `[
  {"title": "Lentil soup", "course": "main", "minutes": 55, "cost": 4.8, "servings": 6},
  {"title": "Bouillabaisse", "course": "main", "minutes": 80, "cost": 31.5, "servings": 4},
  {"title": "Sourdough loaf", "course": "bread", "minutes": 95, "cost": 2.15, "servings": 10},
  {"title": "Focaccia", "course": "bread", "minutes": 50, "cost": 3.4, "servings": 8},
  {"title": "Crème brûlée", "course": "dessert", "minutes": 75, "cost": 7.25, "servings": 6},
  {"title": "Plum cake", "course": "dessert", "minutes": 70, "cost": 6.9, "servings": 12},
  {"title": "Leek tart", "course": "main", "minutes": 65, "cost": 8.6, "servings": 6},
  {"title": "Cheese soufflé", "course": "main", "minutes": 48, "cost": 9.3, "servings": 4}
]
`,
  'guests/guests.csv': `Guest,Diet,Visits
Marta,vegetarian,7
Ole,none,3
Priya,vegan,5
Jean-Luc,no nuts,2
Saoirse,vegetarian,4
Hiro,none,6
`,
  'guests/dinner in may.md': `# Dinner on 17 May

Nine guests come, three of them eat no meat.
We start with the sourdough and salted butter, followed by a leek tart.
Jean-Luc must not get any nuts, not even traces.
The dessert is prepared on Friday so that the oven is free.
Ole brings the wine and two folding chairs.
`,
  'guests/thank-you note.txt': `Dear Marta,

thank you for the jar of blackcurrant jelly.
It did not survive the weekend.
The cardamom buns you asked about are from the bakery at the canal.

Yours, Nell
`,
  'oven-temperatures': `bread 240
tart 190
cake 175
custard 140
`,
  'ideas for winter.md': '',
}
/** Five invented project folders: folder name → relative path → text. */
const folders: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  shop,
  research,
  software,
  'travel-club': travelClub,
  kitchen,
}

/** What the templates of requests and refusals fill in. File slots are base names, unique in their folder. */
export type Slots = {
  readonly table: string
  /** The heading of a numeric column, and the same as users type it: other case or plural. */
  readonly amount: string
  readonly amountLoose: string
  /** The heading of a column of names, as users type it in the singular, its plural, and two of its values. */
  readonly category: string
  readonly per: string
  readonly categories: string
  readonly value: string
  /** The heading of a second column of names and its plural as users type it. */
  readonly kind: string
  readonly kinds: string
  /** Columns any of which identifies a row. */
  readonly keys: readonly string[]
  readonly threshold: number
  readonly json: string
  readonly jsonNumber: string
  readonly jsonCategory: string
  readonly jsonValue: string
  /** A Markdown file of at least ten lines, another prose file, and one without an extension. */
  readonly note: string
  readonly story: string
  readonly bare: string
  readonly namePart: string
  readonly subfolder: string
  /** A word of several files, and a phrase. */
  readonly word: string
  readonly phrase: string
  readonly changedAfter: string
  readonly sizeLimit: number
  readonly factor: number
  readonly times: number
  readonly percent: number
  readonly whole: number
  readonly firstDay: string
  readonly lastDay: string
  readonly weeks: number
  readonly weekdayOf: string
  readonly weekdayWords: string
  readonly factSubject: string
  readonly factValue: string
  readonly reminder: string
  readonly reminderTopic: string
  readonly reminderValue: string
}

const slots: Readonly<Record<string, Slots>> = {
  shop: {
    table: 'orders-2025.csv',
    amount: 'Net Amount',
    amountLoose: 'net amounts',
    category: 'Customer',
    per: 'customer',
    categories: 'customers',
    value: 'Bea Ashdown',
    kind: 'Category',
    kinds: 'categories',
    keys: ['Order No'],
    threshold: 100,
    json: 'suppliers.json',
    jsonNumber: 'openBalance',
    jsonCategory: 'country',
    jsonValue: 'Norway',
    note: 'landlord-reply.md',
    story: 'reminder-ashdown.txt',
    bare: 'till-settings',
    namePart: 'voucher',
    subfolder: 'letters',
    word: 'surveyor',
    phrase: 'risk assessment',
    changedAfter: '2025-03-01',
    sizeLimit: 600,
    factor: 14.5,
    times: 12,
    percent: 20,
    whole: 349,
    firstDay: '2025-03-03',
    lastDay: '2025-04-22',
    weeks: 6,
    weekdayOf: '2025-07-11',
    weekdayWords: '11 July 2025',
    factSubject: 'our accountant',
    factValue: 'Ms Varga',
    reminder: 'the summer fair stall is number 27',
    reminderTopic: 'the summer fair stall',
    reminderValue: 'number 27',
  },
  research: {
    table: 'ringing_2024.csv',
    amount: 'weight_g',
    amountLoose: 'Weight_G',
    category: 'species',
    per: 'species',
    categories: 'species',
    value: 'Redshank',
    kind: 'site',
    kinds: 'sites',
    keys: ['ring'],
    threshold: 120,
    json: 'stations.json',
    jsonNumber: 'samples',
    jsonCategory: 'substrate',
    jsonValue: 'mud',
    note: 'field-diary.md',
    story: 'literature.md',
    bare: 'equipment',
    namePart: 'licence',
    subfolder: 'manuscript',
    word: 'bathymetry',
    phrase: 'feeding time',
    changedAfter: '2025-03-11',
    sizeLimit: 700,
    factor: 38,
    times: 2.75,
    percent: 8,
    whole: 12500,
    firstDay: '2024-08-03',
    lastDay: '2025-02-28',
    weeks: 4,
    weekdayOf: '2024-09-18',
    weekdayWords: 'September 18, 2024',
    factSubject: 'the grant number',
    factValue: 'NW-5583',
    reminder: 'the boat key hangs behind the freezer',
    reminderTopic: 'the boat key',
    reminderValue: 'freezer',
  },
  software: {
    table: 'issues.csv',
    amount: 'hours',
    amountLoose: 'Hours',
    category: 'component',
    per: 'component',
    categories: 'components',
    value: 'storage',
    kind: 'priority',
    kinds: 'priorities',
    keys: ['id', 'title'],
    threshold: 23,
    json: 'benchmarks.json',
    jsonNumber: 'ms',
    jsonCategory: 'suite',
    jsonValue: 'sync',
    note: 'design.md',
    story: 'roadmap.md',
    bare: 'LICENSE',
    namePart: 'checklist',
    subfolder: 'planning',
    word: 'quarantine',
    phrase: 'lock file',
    changedAfter: '2025-04-01',
    sizeLimit: 800,
    factor: 1024,
    times: 48,
    percent: 15,
    whole: 260,
    firstDay: '2025-02-14',
    lastDay: '2025-04-28',
    weeks: 10,
    weekdayOf: '2025-05-01',
    weekdayWords: 'May 1st 2025',
    factSubject: 'the release day',
    factValue: 'Thursday',
    reminder: 'Hanna reviews every change to the merge code',
    reminderTopic: 'the merge code',
    reminderValue: 'Hanna',
  },
  'travel-club': {
    table: 'Receipts.csv',
    amount: 'Cost',
    amountLoose: 'costs',
    category: 'Country',
    per: 'country',
    categories: 'countries',
    value: 'Norway',
    kind: 'Member',
    kinds: 'members',
    keys: ['Receipt'],
    threshold: 80,
    json: 'members.json',
    jsonNumber: 'kilometres',
    jsonCategory: 'city',
    jsonValue: 'Hamburg',
    note: 'Lofoten.md',
    story: '2025-03 meeting.md',
    bare: 'packing',
    namePart: 'bornholm',
    subfolder: 'trips',
    word: 'viewpoint',
    phrase: 'rain trousers',
    changedAfter: '2025-02-24',
    sizeLimit: 600,
    factor: 6,
    times: 37.8,
    percent: 12.5,
    whole: 780,
    firstDay: '2025-04-10',
    lastDay: '2025-06-17',
    weeks: 3,
    weekdayOf: '2025-10-04',
    weekdayWords: '4 October 2025',
    factSubject: 'the hostel booking code',
    factValue: 'QX81P',
    reminder: 'Gudrun is allergic to shellfish',
    reminderTopic: 'Gudrun',
    reminderValue: 'shellfish',
  },
  kitchen: {
    table: 'Pantry List.csv',
    amount: 'Unit Price',
    amountLoose: 'unit prices',
    category: 'Shelf',
    per: 'shelf',
    categories: 'shelves',
    value: 'Baking',
    kind: 'Shelf',
    kinds: 'shelves',
    keys: ['Item'],
    threshold: 5,
    json: 'recipes.json',
    jsonNumber: 'minutes',
    jsonCategory: 'course',
    jsonValue: 'main',
    note: 'sourdough.md',
    story: 'dinner in may.md',
    bare: 'oven-temperatures',
    namePart: 'plum',
    subfolder: 'guests',
    word: 'sourdough',
    phrase: 'olive oil',
    changedAfter: '2025-03-06',
    sizeLimit: 700,
    factor: 2.35,
    times: 9,
    percent: 65,
    whole: 480,
    firstDay: '2025-05-17',
    lastDay: '2025-12-24',
    weeks: 5,
    weekdayOf: '2025-05-17',
    weekdayWords: '17 May 2025',
    factSubject: 'the butcher',
    factValue: 'Mr Delacroix',
    reminder: 'Saoirse does not like coriander',
    reminderTopic: 'Saoirse',
    reminderValue: 'coriander',
  },
}

/** When each file is to have been changed last (set its time before a request is sent): five days apart, shuffled. */
const changes = (paths: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    paths.map((path, index) => {
      const place = (index * 7 + 3) % paths.length
      return [path, new Date(Date.UTC(2025, 0, 15 + place * 5, 12)).toISOString()]
    }),
  )

export type Folder = {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly modified: Readonly<Record<string, string>>
  readonly slots: Slots
}

export const testFolders: readonly Folder[] = Object.entries(folders).flatMap(([name, files]) => {
  const own = slots[name]
  return own ? [{ name, files, modified: changes(Object.keys(files)), slots: own }] : []
})
