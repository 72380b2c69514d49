import { SingleBar } from 'cli-progress';

/** Below this nobody waits long enough to see a bar. */
const WORTH_SHOWING = 200;

/** A progress bar on a terminal, nothing elsewhere. It appears with the first update of a work that is long. */
export function createProgress(what: string, unit: string) {
  let shown: SingleBar | undefined;
  return {
    update(done: number, total: number): void {
      if (!process.stderr.isTTY || total < WORTH_SHOWING) return;
      if (!shown) {
        shown = new SingleBar({
          format: `${what} {bar} {value}/{total} ${unit}`,
          barCompleteChar: '█',
          barIncompleteChar: '░',
          clearOnComplete: true,
          hideCursor: true,
          stream: process.stderr,
        });
        shown.start(total, done);
      }
      shown.update(done);
    },
    stop(): void {
      shown?.stop();
    },
  };
}
