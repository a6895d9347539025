/**
 * English words as people type them to an assistant: words that say nothing about a tool, words that say
 * little, and synonyms. The lists are general and not made for a certain catalogue.
 */
import { stem } from './stem.ts'

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Ignored, unless the query contains nothing else. */
export const STOP_WORDS: ReadonlySet<string> =
  listed(`a an the and or but if of to in on at by for with from into about as is are was were be been being am do
  does did doing done have has had having i me my mine myself we our ours us you your yours he him his she her hers it
  its they them their this that these those there here what which who whom whose when where why how can could would
  should will shall may might must not no nor so than then too very just also any some all each both more most other
  such only own same s t d ll m re ve don didn doesn isn aren wasn weren won wouldn couldn shouldn let lets please need
  want like help know tell give show looking find wanna gonna get got thanks thank hi hello hey using use used up out
  over under again further once because while during before after above below between through`)

/** Common in any request, so a match means less than the word's rarity in the catalogue suggests. */
export const WEAK_WORDS: ReadonlySet<string> =
  listed(`able actually additional already always another anything appropriate around available based basic best better
  big bit brief certain come comprehensive current currently day decide different early easy effective enough even ever
  every exactly example excited far feel few first following found full fun general going good great happen hard high
  huge idea ideal important include including information interested interesting issue keep kind last late latest least
  left little long look lot made main major make many maybe mean meet much multiple name necessary never new next nice
  now number often old one ones open part particular people perfect person personal place plan planning point popular
  possible probably problem proper provide put question quick quickly quite ready real really recent recently related
  relevant require right see seem set several significant simple since small something sometimes soon sort specific
  specifically start step still stuff successful suitable sure take thing things think thought time today together
  tomorrow tonight top total true try trying two type understand unique useful usually various view visit way ways week
  well whether without wonder wondering work worth year years yesterday yet`)

const GROUPS = `create add make new insert generate build compose
delete remove erase drop clear
get fetch retrieve obtain read
show display list view
find search lookup locate discover query
update edit modify change alter
calculate compute determine evaluate
convert transform translate conversion
send deliver dispatch
start begin launch run execute
stop end cancel terminate halt
verify check validate
compare comparison difference
analyze analysis analyse
recommend recommendation suggest suggestion
picture image photo photograph
picture draw drawing art artwork painting
movie film cinema
video clip youtube
song music track audio
podcast episode
book novel reading
car vehicle automobile auto
flight airline plane airfare
hotel accommodation lodging stay
trip travel journey vacation holiday itinerary tour
ticket booking reservation book reserve
house home property apartment estate
job career employment vacancy hiring
resume cv
stock share equity ticker
price cost fare rate quote
money currency cash
crypto cryptocurrency bitcoin coin
loan mortgage credit
invoice bill receipt
discount coupon deal promo
company business corporation firm enterprise
marketing advertising ad campaign
seo keyword ranking
news headline article
weather forecast temperature climate
air pollution quality
food meal dish cuisine
recipe cooking cook ingredient
restaurant dining eatery
wine drink cocktail beverage beer
doctor physician medical health
medicine drug medication
exercise workout fitness gym
shop shopping store buy purchase
product item goods
gift present
student education learning learn study teach tutor course
university college school
research paper scholarly academic scientific
law legal lawyer attorney
contract agreement
document file doc paper
pdf document
folder directory
text string
summary summarize overview
chart graph plot diagram visualization visualize
logo design
map location address place directions route
near nearby close around
country nation
city town
website site webpage url link domain
email mail message
chat conversation talk
phone mobile telephone
speech voice speak
translate translation language
calendar schedule event appointment meeting
event concert festival
task todo reminder
date day
user account profile
password credential login
database table sql
code program programming script software
bug issue error
repository repo github
game play puzzle
quiz trivia test
question answer faq
joke humor funny
quote quotation
sport football basketball soccer
team player
kid child children toddler
dog cat pet animal
plant garden gardening
star astronomy space planet
horoscope astrology zodiac
vote election political
distance length
size dimension
area surface
sum total add
mean average`

let synonyms: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** Stems with about the same meaning as this one. */
export const synonymsOf = (stemmed: string): Iterable<string> =>
  (synonyms ??= synonymTable()).get(stemmed) ?? NONE

const NONE: readonly string[] = []

function synonymTable(): ReadonlyMap<string, ReadonlySet<string>> {
  const table = new Map<string, Set<string>>()
  for (const group of GROUPS.split('\n')) {
    const stems = group.split(' ').map(stem)
    for (const each of stems) {
      const related = table.get(each) ?? new Set()
      for (const other of stems) if (other !== each) related.add(other)
      table.set(each, related)
    }
  }
  return table
}
