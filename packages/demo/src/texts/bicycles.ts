import type { Article } from './article.ts';

/** The articles of the section Bicycles. */
export const BICYCLES: readonly Article[] = [
  {
    slug: 'the-slow-century',
    title: 'The Slow Century',
    subtitle: 'A hundred miles in a day is easy. A hundred miles in five is an expedition.',
    author: 'bram-okafor',
    tags: ['slow', 'maps', 'rivers'],
    daysAgo: 5,
    content: `In cycling, a *century* is a hundred miles ridden in one day. There are badges for it. There is no badge for riding it in five, and so we have had to make our own; it is cut from felt and looks like a snail.

The rules of the Slow Century are few. You carry a lunch. You follow the river, not the road. If anybody waves, you stop. And you may not, under any circumstances, know how fast you are going.

## Day one, eleven miles

A lock-keeper waved. He wished to show somebody the otter. There was no otter, but we stayed for it until four.

## Day three, twenty-six miles

Rain, and of the sideways kind. We sat in a church porch with a farmer, his dog and a man who was walking to Rome. He had started that morning. “It’s going very well,” he said.

## Day five

You arrive at the sea as you would at a party: first the noise, then the light under the door. We leaned the bicycles against the rail, the way you do when there is no further to go, and ate the last of the lunch.

Fast riders come home and tell you the distance. I have noticed that I cannot tell you the distance. I can tell you about the dog.`,
  },
  {
    slug: 'truing-a-wheel-by-ear',
    title: 'Truing a Wheel by Ear',
    subtitle: 'Thirty-six spokes, one note, and the oldest tuning fork in the workshop.',
    author: 'saskia-thorne',
    tags: ['tools', 'repair'],
    daysAgo: 11,
    content: `Pluck a spoke. It sings. On a good wheel every spoke on one side sings the same note, and that is all there is to it, in the way that all there is to a piano is that you press the right keys.

A wheel is held up by being pulled. This surprises people. The hub does not stand on the lower spokes; it *hangs* from the upper ones, and as the wheel turns the hanging is passed from hand to hand, thirty-six hands, several times in a second. If one of them is not pulling, its neighbours must.

## The method

1. Hang the wheel so that it turns freely. Be quiet.
2. Go round once and pluck every spoke. Do not touch anything. Listen for the stranger.
3. A quarter turn. Never a half.
4. Go round again.

Mr Oduya, who taught me, did it with his eyes shut, and hummed. He hummed the note the wheel ought to have, slightly ahead of it, as you might walk slightly ahead of somebody in a dark house.

> The rim will tell you where it is wrong. The spokes will tell you why.

The gauge came out afterwards, for the customer’s sake. It was always within a hair. He would show it to them, wipe it, put it back in its box and say the same thing each time: *it agrees with us.*`,
  },
  {
    slug: 'letters-carried-by-bicycle',
    title: 'Letters Carried by Bicycle',
    subtitle: 'The night post of the hill villages, and the six women who rode it.',
    author: 'ines-calloway',
    tags: ['night', 'archives', 'paper'],
    daysAgo: 20,
    motif: 'skyline',
    content: `From 1919 until 1953 the post for the hill villages went up by night, by bicycle, with a carbide lamp and a whistle. It was carried by six women in turn. Nobody appears to have thought this remarkable, and so it was very nearly forgotten.

The log is a school exercise book. Each rider signed out at the foot of the hill and in at the top. Between the two lie nine miles and fourteen hundred feet, and a column headed *Remarks*.

*Owl again.* *Snow from the second gate.* *Chain; mended with a hairpin.* *Met N. coming down, we stopped and had the other half of the sandwich.* And in March of 1941, in full: *Telegram for Highfold. Sat with her till it was light.*

## The lamp

One of the lamps survives. You drip water on a grey stone and the stone breathes out a gas and the gas burns with a light like the moon. Its whole range is about twenty feet. I have ridden the hill with it now, on a night without stars, and can report that twenty feet is enough; it is always enough; it is only that you have to go on believing so, every twenty feet, for nine miles.`,
  },
  {
    slug: 'the-parliament-of-bells',
    title: 'The Parliament of Bells',
    subtitle: 'What your bicycle bell says about you, according to the man who has tuned four thousand.',
    author: 'mo-lindqvist',
    tags: ['repair', 'walking'],
    daysAgo: 28,
    motif: 'tiles',
    content: `“A bell is not a horn,” says Florian Reyes, with the weariness of somebody who has said so before. “A horn says *move*. A bell says *good morning*.”

He has a shop four feet wide, between a bank and a bank, and in it there are bells. He will sell you one, but not at once. First you ride past the window while he listens to how you ride.

The brisk get a single strike, high and clean. The shy get a double, ding and then *dong*, since the second apologises for the first. Parents with a child on the back get a large slow one with a long tail, which gives the child something to listen to. Once he sold a customer no bell at all. “He whistled,” he explained. “Beautifully. It would have been vandalism.”

At six in the evening, when the offices close, everybody he has ever fitted comes down Mercer Row at once. I stood in the doorway with him. It sounded like a cutlery drawer falling very slowly downstairs, and then, for about two seconds, it sounded like a chord.

He was looking at his watch. “Tuesdays,” he said, “are nearly in tune.”`,
  },
  {
    slug: 'an-atlas-of-punctures',
    title: 'An Atlas of Punctures',
    subtitle: 'Every flat tyre is a meeting with a particular place.',
    author: 'bram-okafor',
    tags: ['maps', 'repair', 'rivers'],
    daysAgo: 47,
    motif: 'contours',
    content: `I have had one hundred and nineteen punctures and I can show you all of them. They are on the wall, on a one-inch map, each a red pin with a number, and in the drawer below there is an envelope for each, with the number on it, and in the envelope the thing itself.

Number 7: a hawthorn. Number 31: hawthorn, the same hedge. Number 44 is a gramophone needle, and I should dearly like to know. Number 60 is a filing from the foundry that had been closed for thirty years; the road remembers. Number 88, a tooth. Not mine.

What the pins show, when there are enough of them, is not danger. It is affection. They lie thick along the river and the two lanes to the sea and on the hill behind the school; they are missing from the by-pass entirely, since I have been there only once. A map of where it went wrong turns out to be a map of where I go.

## How to mend one

Sit down. That is the whole secret. Everybody tries to do it bent over, in a temper, as if it were an interruption. Sit on the verge. Take out the wheel and the lunch. Find the hole by holding the tube to your cheek, which is the most sensitive thing you have with you.

Then look about for a while. You have been stopped here in particular.`,
  },
];
