/** As it was before anybody's tests put a clock of their own in its place. */
const atEnd = setImmediate;

/**
 * Handles items one after the other at the end of the turn of the event loop that they came in. Between the events of
 * sockets the processor forgets the code and the data of each item; in a row it has them at hand.
 *
 * @param handle must not throw: the items after it would be lost
 */
export function atEndOfTurn<Item>(handle: (item: Item) => void): (item: Item) => void {
  let waiting: Item[] = [];
  const flush = () => {
    const items = waiting;
    waiting = [];
    for (const item of items) handle(item);
  };
  return (item) => {
    if (waiting.push(item) === 1) atEnd(flush);
  };
}
