import type { Article } from './article.ts';

/** The articles of the section Weather. */
export const WEATHER: readonly Article[] = [
  {
    slug: 'nine-words-for-rain',
    title: 'Nine Words for Rain',
    subtitle: 'A field guide to what is coming down, by somebody who is standing in it.',
    author: 'rosalind-fisk',
    tags: ['rain', 'walking'],
    daysAgo: 4,
    content: `There is no such thing as *rain*. There is only this rain, now, on this hat. The valley where I grew up had nine words for it, and I give them here while there is still somebody to check them with.

1. **Smirr.** So fine it does not fall. You notice it on a cat.
2. **Dropple.** Large, few, and each one personal.
3. **Plash.** Rain you hear from indoors and are glad.
4. **Lether.** Comes sideways, with intentions.
5. **Thunder-plump.** Three minutes, out of nowhere; the street laughs.
6. **Slow-wet.** Starts on Tuesday.
7. **Silver.** With the sun through it. Weddings are forgiven.
8. **Roke.** Which is fog that has made up its mind.
9. **Old rain.** What drips from trees when it has stopped.

## The use of them

A name is an instrument. With one word for rain you own a thing that is either happening or not; you look out of the window and say *oh, it’s raining*, and stay in. With nine you go to the door. Is it dropple still, or has it gone to plash? You put your hand out.

My aunt kept a rain diary for sixty years. It has no measurements in it at all. It says *smirr till noon, then silver. Hung out the sheets, took a chance.* On the last page, in a hand you can hardly read: *old rain all day. Lovely.*`,
  },
  {
    slug: 'the-forecast-of-1926',
    title: 'The Forecast of 1926',
    subtitle: 'A hundred years ago this week, our paper printed a forecast so wrong that it is still remembered.',
    author: 'rosalind-fisk',
    tags: ['archives', 'wind', 'paper'],
    daysAgo: 15,
    motif: 'hills',
    content: `*Fair,* it said. One word, in nine-point, at the foot of page two.

By noon the glass had fallen so far that the harbour master tapped it, then hit it. By three the roof was off the fish market and travelling inland. The steeple of St Brannoc’s, which had leaned a little to the east since 1640, was found in the morning to be leaning a little to the west.

Nobody was hurt, which is why it could become funny, and it became funny at once. “Fair” was painted on the boarded windows. There was a Fair Ball. The man who had written the forecast, a schoolmaster called Osric Dunn who did it for half a crown a week, put on his coat, walked down to the office and offered to resign.

The editor’s answer is in the letter book. *Mr Dunn: you have been right on four thousand mornings and nobody has ever once spoken of it. You may take today as your wages. Same hour tomorrow, if you please.*

Dunn forecast for another nineteen years. He was right a little more often than chance. He never again used the word.

> We print it now on every first of December, by tradition: **Fair.** It has been correct eleven times in a hundred.`,
  },
  {
    slug: 'wind-for-beginners',
    title: 'Wind, for Beginners',
    subtitle: 'How to see the invisible with a handkerchief, a poplar and a little patience.',
    author: 'bram-okafor',
    tags: ['wind', 'maps', 'walking'],
    daysAgo: 24,
    motif: 'contours',
    content: `You cannot see wind. You can see everything it touches, and it touches everything.

Admiral Beaufort’s scale, which sailors know by heart, was written for the sea: it counts how much canvas a frigate can carry. A translation for people without a frigate:

| Force | The sailor says | The street says |
| ---: | --- | --- |
| 0 | Calm | Smoke stands up; so do you |
| 2 | Light breeze | A newspaper turns its own page |
| 4 | Moderate breeze | Hats are spoken to |
| 6 | Strong breeze | Umbrellas: a comedy |
| 8 | Gale | Umbrellas: a tragedy |
| 10 | Storm | You have stopped looking at umbrellas |

## An exercise

Stand at a crossroads with a handkerchief held up by one corner. Turn until your face is cold on both cheeks alike: that is where it comes from. Now look up. The clouds are going somewhere else, more to the right, faster. The wind up there has not heard about the houses.

Between the two lies every kite, every swift and the smell of the brewery. I have been drawing it for three years, street by street, with little arrows. My wife says it is the only map she knows that is wrong the moment it is finished. I say that it is the only one that is honest about it.`,
  },
  {
    slug: 'first-frost-a-correspondence',
    title: 'First Frost: A Correspondence',
    subtitle: 'Readers write in from the edge of the cold.',
    author: 'rosalind-fisk',
    tags: ['slow', 'night'],
    daysAgo: 41,
    motif: 'tiles',
    content: `Each year we ask for a postcard on the morning of the first frost. No letter, no photograph; a card, posted that day. Four hundred and twelve came. These are seven.

> *The dahlias have fainted.* — Mrs L., Upper Wick

> *Wrote DAD in it on the windscreen, as I do. He has been gone nine years and still comes out to scrape it.* — Unsigned

> *The postman has changed to the long trousers. Official.* — Gregor, 11

> *Six this morning. Stood on the step in slippers and heard it. You can hear it. It is like somebody folding a very large cloth, very far off.* — T. Venn, lamplighter

> *No frost here, but I wished to send the card.* — Signal box, South Pier

> *The cat has come in and declared it.* — The Almonds

> *Put the sheets out anyway. They came in like doors.* — R. Fisk’s aunt`,
  },
  {
    slug: 'a-cloud-kept-for-evidence',
    title: 'A Cloud Kept for Evidence',
    subtitle: 'The amateur who photographed the same square of sky for fifteen thousand days.',
    author: 'mo-lindqvist',
    tags: ['archives', 'slow', 'rain'],
    daysAgo: 52,
    motif: 'hills',
    content: `The window is a yard wide and faces north. Through it, at eight each morning from 1961 until last May, Edda Quist took one photograph of the sky over her neighbour’s chimney. She did this on the morning of both her weddings. She did it with a broken wrist, and it is a bit tilted.

There are fifteen thousand and four. They are in shoe boxes, and the shoe boxes are in the bath.

She was not a scientist. She disliked being asked why. But when the university came, to look and to be polite, they stayed for a week, because the chimney was in every one of them. It had always been the same height. Nobody has a ruler like that. From fifteen thousand chimneys they could measure how low the cloud was on each of fifteen thousand mornings, and there is now a paper about it with her name first.

I asked which was her favourite. She went to the bath without hesitating, third box, and drew it out. It was entirely blue.

“Nothing,” she said happily. “All that way up, and nothing.”`,
  },
];
