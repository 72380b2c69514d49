import type { Article } from './article.ts';

/** The articles of the section Letterpress. */
export const LETTERPRESS: readonly Article[] = [
  {
    slug: 'the-weight-of-a-full-stop',
    title: 'The Weight of a Full Stop',
    subtitle: 'In metal, silence is something you have to pick up and put there.',
    author: 'august-pell',
    tags: ['type', 'ink', 'slow'],
    daysAgo: 2,
    content: `A full stop in twelve-point Caslon weighs four tenths of a gram. The space after it weighs more.

This is the thing nobody tells you about setting type by hand. On a screen, white is what is left when you have not written anything. In the composing stick there is no such thing as nothing. The gap between two words is a piece of lead; the margin is a piece of wood; the empty half of the last line is eleven separate small objects, and if you leave one out the whole page falls on the floor.

## Minding the quads

Apprentices are taught the letters in a week. The spaces take a year. There are six widths in the case and a competent compositor uses all of them in one line, a hair here, a thin there, so that the words stand as far from each other as they *seem* to, which is not at all the same as how far apart they are. An **A** beside a **V** needs less than nothing. After a comma the eye rests a little, and takes some of the white with it.

> You are not placing words in a space. You are placing spaces, and the words go where they are let.

I have set type for twenty-six years and I still, when I read a page I like, read it once through for the white.

## A small experiment

Take a paragraph you have written, and lift each full stop in your mind. Ask if it is worth four tenths of a gram, and a space. You will find one, I promise, that you only put there because you had run out of breath.`,
  },
  {
    slug: 'how-this-paper-is-made',
    title: 'How This Paper Is Made',
    subtitle: 'Seven people, one press from 1911, and a great deal of tea.',
    author: 'august-pell',
    tags: ['ink', 'paper', 'type'],
    daysAgo: 14,
    motif: 'halftone',
    content: `Readers write to ask how *The Broadsheet* is made, and whether we are quite well. The answer to the first follows.

**Monday** we argue. **Tuesday** we write. On **Wednesday** August locks the door of the composing room and sets the front page, and on **Thursday** the press, which is called Marguerite and was built in 1911 for a seed catalogue, is woken with an oil can and a little flattery.

She prints four pages at a pass, eleven hundred sheets an hour. The sheet is damped the night before. The ink is black; we are sometimes asked which black, and the honest answer is *the one that is left when you add a spoon of blue*.

## What goes wrong

1. A letter drops out. We have a drawer for found letters. It is mostly *e*.
2. The weather. Above eighty per cent humidity the paper grows by two millimetres, and so does the margin, and so does August.
3. Somebody has a better idea on Thursday.

## The other edition

You are reading the other edition. The words are the same. It is kept in a small database, asked for through an interface with fourteen doors, and set by a machine that has no opinion about spaces. August has inspected it with a loupe. He found three things to object to, and we have mended two of them.

~~~
$ broadsheet demo
The Broadsheet is at http://localhost:4500
~~~`,
  },
  {
    slug: 'the-ampersand-problem',
    title: 'The Ampersand Problem',
    subtitle: 'Every type designer leaves one letter until last. It is always the same one.',
    author: 'mo-lindqvist',
    tags: ['type', 'archives'],
    daysAgo: 25,
    content: `Ask a type designer when they drew the ampersand and they will look at the floor.

It should be easy. It is two letters, *e* and *t*, holding hands. But it is also the only character in the case with no duty to match the others: it need not sit in a word, it keeps no company, it appears once in a page and then usually in somebody’s name. It is a holiday. And like all holidays it has to be perfect.

In the type archive on Mercer Row there is a cabinet of trial proofs. Foundry after foundry sent their new faces to be cut, and with each proof is a letter, and in each letter there is a postscript. *The ampersand to follow.* *We beg your patience as to the &.* One, from 1788, says only: *It came to me in church.*

## What it wants

A good ampersand does three things at once. It moves forward, because the sentence does. It looks back, because it joins. And it takes its time, because when we write *bread & butter* and not *bread and butter* it is time that we are asking for.

The best one in the cabinet was cut by a man who drew nothing else in his life. He was the foundry’s bookkeeper. He had written it forty times a day for thirty years: Pell & Sons, Ink & Paper, Received & Paid.`,
  },
  {
    slug: 'a-vocabulary-of-smudges',
    title: 'A Vocabulary of Smudges',
    subtitle: 'Monks, friars, hickeys and other marks that printers have given names to.',
    author: 'august-pell',
    tags: ['ink', 'paper', 'type'],
    daysAgo: 38,
    content: `A trade shows what it loves by what it has words for, and what it fears by how many.

- A **monk** is a blot, too much ink in one place.
- A **friar** is a pale patch, too little. They are seldom seen on the same sheet.
- A **hickey** is a speck with a white ring round it, like a small surprised eye.
- **Set-off** is the ghost of one page on the back of the next.
- **Bottle-arse** is a piece of type worn wider at the foot, and I’m afraid that is what it is called.
- A **pie** is a page that has been dropped. To pie is a verb. There is no word for the minute after.

The old hands used them tenderly. “There’s a friar in your second column,” the overseer would say, in the voice of somebody who tells you there is a bird in the garden.

We have not stopped making mistakes, but ours have numbers. A number is precise. You can look it up. You cannot, I think, ever quite forgive it.`,
  },
  {
    slug: 'the-winter-specimen',
    title: 'The Winter Specimen',
    subtitle: 'A new face for the cold months, and the story of its descent from a shop sign.',
    author: 'august-pell',
    tags: ['type', 'paper'],
    daysAgo: -9,
    status: 'SCHEDULED',
    content: `Each December we print a single sheet in a single face, and send it to subscribers rolled, not folded.

This year’s was drawn from a shop sign on Alder Lane that had been under plaster since 1922. It reads FISH, and from those four letters a whole alphabet had to be guessed.`,
  },
];
