import type { Article } from './article.ts';

/** The articles of the section City. */
export const CITY: readonly Article[] = [
  {
    slug: 'the-last-lamplighter-of-harrow-street',
    title: 'The Last Lamplighter of Harrow Street',
    subtitle: 'Forty-one gas lamps still burn in the old quarter, and one man knows each of them by its cough.',
    author: 'ines-calloway',
    tags: ['night', 'walking', 'repair'],
    daysAgo: 1,
    content: `At ten past five in November, Tobias Venn leans his ladder against the first lamp on Harrow Street and listens. The timers lit it a minute ago. He is not here to light anything. He is here to hear whether it has *caught*.

“A happy lamp hisses,” he says. “An unhappy one coughs.”

There are forty-one gas lamps left in the old quarter, from some four thousand before the war. Each has four mantles, each mantle lives about a year, and each dies a little before the others, so that on any given evening two or three lamps are burning lopsided. Venn can see this from the far end of the street. Most of us, he concedes, cannot see it from underneath.

## A round of eleven miles

The round takes him a fortnight. He cleans the glass with newspaper (“yours is rather good for it”), winds the clocks, changes the mantles, and talks. Talking was not in the contract, but people come out when they see the ladder. He has been asked to settle a bet, hold a baby and witness a will.

> The electric lamp shows you the street. The gas lamp shows you that there is an evening.

The council has costed the replacement twice. Both times the engineers brought a sample lamp, hung it beside the church, and lit it at dusk. Both times the meeting was held in the street, the two lights side by side, and both times nobody needed to speak. The electric one was brighter, cheaper and perfectly white. Under it, the moths looked like paper.

## What stays

Venn retires in the spring. His successor is Wren Adeyemi, who is twenty-three, repaired espresso machines before this, and can already tell a cough from a hiss. She walks the round with him on Thursdays. He carries the ladder out; she carries it home.

I ask what he will do with the evenings. He thinks about it for the length of a lamp.

“Look at them,” he says. “I’ve only ever listened.”`,
  },
  {
    slug: 'how-to-read-a-pavement',
    title: 'How to Read a Pavement',
    subtitle: 'Kerbs, covers and coal holes: the city has been writing under our feet for two hundred years.',
    author: 'bram-okafor',
    tags: ['walking', 'maps', 'archives'],
    daysAgo: 9,
    motif: 'tiles',
    content: `Look down. Nobody does, which is why the best-preserved text in the city is the one we stand on.

Start with the kerb. Granite from the islands is grey and sparkles after rain; granite from the mainland is pink. Where pink meets grey in one gutter, two parishes met, and could not agree to buy from the same quarry. You can walk the old parish line from the fish market to the gaol without a map, by colour alone.

## A short grammar

| What you see | What it says |
| --- | --- |
| A small iron disc, a hand wide | a coal hole: there is a cellar under you |
| Three parallel grooves in stone | a tram turned here until 1938 |
| A brass stud with a cross | the boundary of a market, and of its taxes |
| A slab worn like a saucer | a doorway that is no longer there |

The saucers are my favourites. There is one outside the bank on Pell Street, a shallow dip in an otherwise level pavement, eight feet from the nearest door. A bakery stood there for ninety years. The door is gone, the baker is gone, the wall is gone; the waiting is still there.

## Take a pencil

You need nothing for this but a soft pencil, a sheet of thin paper and the willingness to kneel in public. Lay the paper on a coal hole and rub. In a minute you will have the foundry’s name, its street, and a pattern of stars meant to stop a horse from slipping.

I have two hundred and six rubbings now. Strangers ask what I am looking for. I tell them the truth, that I am reading, and mostly they kneel down too.`,
  },
  {
    slug: 'the-ferry-that-goes-nowhere',
    title: 'The Ferry That Goes Nowhere',
    subtitle: 'Since the bridge opened nobody needs the boat. It has never been so full.',
    author: 'ines-calloway',
    tags: ['rivers', 'slow', 'trains'],
    daysAgo: 17,
    motif: 'bridge',
    content: `The bridge takes ninety seconds. The ferry takes eleven minutes, if the tide is kind, and lands you a quarter of a mile downstream of where you wished to be. By every measure the transport office owns, it should have been scrapped in the year the bridge opened.

It carried 310,000 people last year. That is more than it did when there was no other way to cross.

## Eleven minutes

I spent a week on it with a notebook, asking people why. A surgeon: *because nobody can ask me anything.* A boy with a cello: *because you can practise on the top deck and it’s not rude.* Two women who had been crossing together every morning for six years and had never, they told me with some pride, exchanged a word.

The crew have a theory. The river is the only place in the city with a horizon, and a person who has not seen a horizon by nine o’clock is, in the mate’s phrase, “not fit to be spoken to until lunch”.

## The arithmetic

The subsidy is four pence for each citizen a year. Last winter a councillor proposed to abolish it and invited the press aboard to see the waste for themselves. There was mist. A seal came up, looked at the councillor and went down again. The motion was withdrawn before we landed.

- First boat: 6.10, earlier by request
- Last boat: when the mate says
- Dogs: free, and counted`,
  },
  {
    slug: 'a-map-of-quiet',
    title: 'A Map of Quiet',
    subtitle: 'Sixty volunteers, one summer, and the search for the places where the city stops talking.',
    author: 'bram-okafor',
    tags: ['maps', 'walking', 'slow'],
    daysAgo: 31,
    motif: 'contours',
    content: `The rules were simple. Stand still for five minutes. Count what you hear. If you can hear your own coat, mark the place with a ring.

Sixty of us did this on every Sunday from May to August, each with a square of the city the size of a farm. We had expected parks. Parks, it turns out, are loud: the traffic goes round them like water round a stone, and the noise meets in the middle.

What we found instead were **corners**. The inner court of the tax office after four. The north side of any church. Stairs, always stairs: a flight of twenty steps turns a corner for the ear as a wall does for the eye. The quietest place in the city, by a clear two coats, is a bus shelter on Alder Lane whose route was withdrawn in spring.

We printed the map in one colour, blue, with a ring for every place and the hour at which it is best. Then we argued for a month about whether to publish it. A quiet place that everyone knows is a square with people in it.

So the map we sell has two hundred rings on it and the map we keep has two hundred and one.`,
  },
  {
    slug: 'night-shift-at-the-flower-market',
    title: 'Night Shift at the Flower Market',
    subtitle: 'Between two and five in the morning the colour arrives.',
    author: 'mo-lindqvist',
    tags: ['night', 'trains'],
    daysAgo: 44,
    motif: 'halftone',
    content: `The lorries come over the bridge at two, and for a minute the whole hall smells of cold water. Then they open.

Nothing prepares you for it. You have walked through a city that has been grey and orange since teatime, and here under white tubes are nine thousand tulips, all of them still asleep, heads down, like an audience.

The buyers walk fast and touch nothing. A good one reads a bunch from the side, the way you would read a book’s spine. “You look at the stems,” says Perpetua Ng, who has bought for the hotels since 1994. “Anybody can make a face. The stem tells you what sort of week it’s had.”

By four the noise is tremendous. By half past five it is over, and men with wide brooms push the fallen petals into one long heap down the middle of the hall, every colour there is, knee high, forty yards. It is the most beautiful thing in the city and it is collected at six by the council.

I asked whether anyone ever comes just to look at that. The man with the broom considered me for a while. “You have,” he said.`,
  },
];
