import type { Article } from './article.ts';

/** The articles of the section Craft. */
export const CRAFT: readonly Article[] = [
  {
    slug: 'in-praise-of-the-visible-mend',
    title: 'In Praise of the Visible Mend',
    subtitle: 'A good repair does not hide. It signs its name.',
    author: 'saskia-thorne',
    tags: ['repair', 'tools', 'slow'],
    daysAgo: 3,
    content: `My grandmother darned in the colour of the sock. The point of a darn, she held, was that nobody should know. She was so good at it that when she died we found eleven pairs in her drawer that were, as far as any of us could tell, entirely new.

I darn in orange.

It began as laziness; orange was what I had. But something odd happened in the first week. People looked at my elbow and told me things. A man on a train described the coat his father wore to be married in. A child asked if it hurt. A mend that shows is a sentence in a language everyone speaks: *this was worth an evening.*

## Three rules

1. **Repair early.** A thin place is an afternoon; a hole is a weekend.
2. **Use something stronger than the cloth, and softer than the person.**
3. **Stop when it works.** The mend that tries to improve on the garment tears it.

The third is the hard one. Every craft has its own form of it. Joiners say that the last pass of the plane is the one that ruins the board; cooks, that the soup was right before you tasted it again.

## On being finished

The new jumper has no history, and so nothing to say. The mended one has been chosen twice. I own fewer things than I did and know the name of each, and on winter evenings I sit under the lamp with a wooden mushroom and a needle and go over them, one at a time, like somebody answering letters.`,
  },
  {
    slug: 'the-knife-sharpener-keeps-a-diary',
    title: 'The Knife Sharpener Keeps a Diary',
    subtitle: 'Thirty years of edges, one line a day.',
    author: 'mo-lindqvist',
    tags: ['tools', 'archives', 'repair'],
    daysAgo: 12,
    motif: 'contours',
    content: `He writes in pencil, because ink does not like the damp of the van. One line a day, no more. When he let me read the notebooks (there are thirty-one, all the same, all from the same shop) I had expected names and sums. This is what I found instead.

> *4 March.* Cleaver, school kitchen. Somebody has been opening tins with it. Forgave them.

> *19 March.* Scissors, Mrs Abara. They have cut nothing but thread since 1970 and it shows.

> *2 April.* Rain. Nobody cooks in the rain.

> *3 April.* Everybody cooked yesterday, it seems.

An edge, he says, is a record. A right-hander’s knife leans; a nervous cook’s has a flat near the heel, where it waits. He can tell a house that eats together from a house that eats in turns by how evenly the bread knife is worn.

He sharpens on three stones and finishes on a strip of newspaper. I asked, with a certain professional interest, which pages work best. “The weather,” he said. “No photographs. Photographs have clay in them.”

The last line in the last notebook is from the morning I came. *Visitor. Asked good questions. Carries no knife.*

I bought one that afternoon.`,
  },
  {
    slug: 'a-bench-for-one-tree',
    title: 'A Bench for One Tree',
    subtitle: 'What the ash on Coldharbour Green became after the storm.',
    author: 'saskia-thorne',
    tags: ['tools', 'wind', 'slow'],
    daysAgo: 22,
    motif: 'hills',
    content: `The ash came down at twenty to four on a Tuesday morning and blocked the road until noon. By evening eleven people had written to ask for a piece of it.

It had stood on Coldharbour Green for about a hundred and forty years. It had a swing in it, and the ghost of an earlier swing: an iron ring that the trunk had swallowed to the lip. The saw found that at once.

We are three in the workshop and none of us had ever made a bench from a tree we knew. It changes the order of the work. Usually you draw a bench and look for boards. Here we laid out the boards, all of them, on the grass, and walked about between them for most of a week with our hands in our pockets.

In the end the tree was clear about it. There was one limb with a long slow curve, and if you sat a person against that curve they leaned back and looked *up*, at exactly the place where the crown had been.

## Particulars

- Seat: one board, no joints, oiled
- Legs: wedged, so they may be renewed
- Ring: left where it was

The bench seats three, or two and a cello. On the first warm day I watched a girl find the ring with her finger, and trace it, and go round to look at the back to see where it came out. It does not come out. She has been back every day to check.`,
  },
  {
    slug: 'paste-paper-patience',
    title: 'Paste, Paper, Patience',
    subtitle: 'A morning with the woman who puts old books back together.',
    author: 'ines-calloway',
    tags: ['paper', 'repair', 'archives'],
    daysAgo: 35,
    motif: 'weave',
    content: `The first thing she does with a broken book is nothing. It lies on the bench for a day, under a cloth, getting used to the room.

“Paper is always a little late,” says Hanne Brandt. “It is still in the weather of last week. If you hurry it, it cockles.”

Then she opens it, not at the beginning but at the place where it wants to open. That is where the last reader stopped.

## The kit

Wheat paste, cooked each Monday. Japanese paper, so thin that a sheet of it laid on your hand shows the lines. A bone folder her teacher gave her, which was *his* teacher’s. And a domestic iron, on low, at which visiting conservators have been known to gasp.

She works towards one idea, that whatever she does can be undone: “Somebody will come after me who knows more. I leave the door unlocked.”

<figure>
<blockquote>Glue says for ever. Paste says for now. For now has turned out to last about three hundred years.</blockquote>
</figure>

On the shelf by the window stand the finished ones, waiting for their owners: a hymnal, an atlas, a school arithmetic. And one very small cookery book, whose spine she has rebuilt and whose pages she has washed, all but one. On page 42 there is a stain in the shape of a thumb. It says: *lemon pudding.* That, she explained, is not damage.`,
  },
  {
    slug: 'notes-towards-a-better-drawer',
    title: 'Notes Towards a Better Drawer',
    subtitle: 'A draft on the ethics of where we keep the string.',
    author: 'saskia-thorne',
    tags: ['tools', 'slow'],
    daysAgo: 0,
    status: 'DRAFT',
    content: `Every house has one drawer that tells the truth.

(To do: the string. The keys to doors we no longer own. The nine identical pencils and the one good one.)`,
  },
];
