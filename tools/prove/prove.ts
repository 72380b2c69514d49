import { setTimeout as sleep } from 'node:timers/promises';
import { checkRun, type Findings } from './checker.ts';
import { type ReaderOptions, runCalmClient, runClient } from './clients.ts';
import { BLOGS } from './content.ts';
import { type Deployment, startDeployment, type Target } from './deployment.ts';
import { CALM } from './fault-proxy.ts';
import { findMissing, KINDS } from './floors.ts';
import { Gate } from './gate.ts';
import { type Entry, History, type Outcome } from './history.ts';
import { faultsOf, runNemesis } from './nemesis.ts';
import { addHooks, countPending, runOperator } from './operators.ts';
import { createRandom } from './random.ts';
import { openReceiver, type Receiver } from './receivers.ts';
import { SLOW_MACHINE } from './rules/refusals.ts';
import type { Figures } from './rules/rule.ts';

export interface ProveOptions {
  readonly target: Target;
  readonly minutes: number;
  readonly seed: number;
  readonly clients: number;
  /** Where the servers have their files. */
  readonly folder: string;
  /** The file into which the history is written. */
  readonly history?: string;
  /** Called every few seconds with what has happened so far. */
  readonly onProgress?: (text: string) => void;
}

export interface Proof extends Findings {
  /** What did not happen, so that nothing is proved about it. */
  readonly missing: readonly string[];
  readonly entries: readonly Entry[];
  /** The number of events of each kind. */
  readonly summary: string;
}

/** Runs clients, operators and a nemesis against servers, and checks what they have seen. */
export async function prove(options: ProveOptions): Promise<Proof> {
  const { target, minutes, seed, clients, folder, history: file } = options;
  const random = createRandom(seed);
  const history = new History(file);
  const deployment = await startDeployment(target, folder, random.fork('network'));
  const receivers = await Promise.all(BLOGS.map(({ id }) => openReceiver(id, history, random.fork(`receiver ${id}`))));
  const stopProgress = showProgress(history, options);
  try {
    await addHooks(
      deployment,
      receivers.map(({ blog, url }) => [blog, url] as const),
    );
    const keys = new Map(BLOGS.map(({ id, apiKey }) => [id, [apiKey]]));
    const gate = new Gate();
    const ended = new AbortController();
    const shared = { history, gate, keys };
    const nemesisOptions = { deployment, history, receivers, gate };
    const everybody = [
      ...Array.from({ length: clients }, (_, at) =>
        runClient(at + 1, { ...shared, url: deployment.url, random: random.fork(`client ${at}`) }),
      ),
      ...BLOGS.map((blog) => runOperator(blog, { ...shared, deployment, random: random.fork(`operator ${blog.id}`) })),
    ];
    const watched = watchSpeed(deployment, history, ended.signal);
    const nemesis = runNemesis({ ...nemesisOptions, signal: ended.signal, random: random.fork('nemesis') });
    await Promise.race([sleep(minutes * 60_000, undefined, { signal: ended.signal }), ...everybody, nemesis]);
    ended.abort();
    await nemesis;
    await watched;
    gate.end();
    await Promise.all(everybody);
    await settle(deployment, history, receivers);
    await checkCalm(deployment, { ...shared, url: deployment.url, random: random.fork('calm client') });
    const figures = Object.fromEntries(
      await Promise.all(BLOGS.map(async ({ id }) => [id, (await deployment.run('stats', id, {})) as Figures] as const)),
    );
    const { entries } = history;
    const findings = checkRun({ entries, blogs: BLOGS, figures });
    const missing = findMissing(entries, faultsOf(nemesisOptions));
    return { ...findings, missing, entries, summary: summaryOf(entries, figures) };
  } finally {
    stopProgress();
    await Promise.all(receivers.map((receiver) => receiver.close()));
    await deployment.close();
  }
}

/** Milliseconds for a short question to the database, beyond which servers may refuse requests because of the machine. */
const SLOW = 300;

/** Records when the machine is too slow, such as while other tests run: servers refuse what would take too long. */
async function watchSpeed({ probe }: Deployment, history: History, signal: AbortSignal): Promise<void> {
  while (probe && !signal.aborted) {
    const [began, end] = [performance.now(), history.begin()];
    await probe().catch(() => undefined);
    if (performance.now() - began > SLOW) end({ kind: 'fault', what: SLOW_MACHINE });
    await sleep(100);
  }
}

/** The longest wait until messages arrive, once nothing is in the way. */
const SETTLE = 180_000;

/** Waits until every webhook has arrived, and advances the clock of the servers so that retries come sooner. */
async function settle(deployment: Deployment, history: History, receivers: readonly Receiver[]): Promise<void> {
  for (const receiver of receivers) receiver.mood = 'well';
  for (const { weather } of deployment.proxies) Object.assign(weather, CALM);
  const end = performance.now() + SETTLE;
  for (;;) {
    const pending = await countPending(deployment).catch(() => undefined);
    if (pending === 0) return;
    // The checker reports messages that have not arrived by then as a contradiction.
    if (performance.now() > end) return;
    // The longest wait of a retry is a day.
    if (deployment.hasClock) await history.advance(60 * 60_000, deployment.setClock);
    await sleep(2000);
  }
}

interface CalmOptions extends ReaderOptions {
  readonly keys: ReadonlyMap<string, string[]>;
}

/** After the last fault, requests with a valid key must succeed. */
async function checkCalm(deployment: Deployment, { keys, ...options }: CalmOptions): Promise<void> {
  for (const { id } of BLOGS) {
    // The response to the last rotation may be lost, so that nobody knows a valid key.
    const { apiKey } = (await deployment.run('keys.create', id, {})) as { apiKey: string };
    keys.get(id)?.push(apiKey);
  }
  await sleep(2000);
  await runCalmClient(0, { ...options, keys });
}

/** Milliseconds between two reports of the progress. */
const PROGRESS = 15_000;

function showProgress({ entries }: History, { minutes, onProgress }: ProveOptions): () => void {
  if (!onProgress) return () => {};
  const began = performance.now();
  const show = () => {
    const seconds = Math.round((performance.now() - began) / 1000);
    const count = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).length;
    const counts = KINDS.map(({ kind, plural }) => `${count(kind)} ${plural}`).join(', ');
    onProgress(`${seconds} of ${minutes * 60} s: ${counts}, ${count('message')} webhooks, ${count('fault')} faults`);
  };
  const timer = setInterval(show, PROGRESS);
  return () => clearInterval(timer);
}

function summaryOf(entries: readonly Entry[], figures: Readonly<Record<string, Figures>>): string {
  const lines = KINDS.map(({ kind, plural }) => {
    const own = entries.filter((entry) => entry.kind === kind);
    const count = (outcome: Outcome) => own.filter((entry) => 'outcome' in entry && entry.outcome === outcome).length;
    return `${own.length} ${plural}: ${count('ok')} acknowledged, ${count('refused')} refused, ${count('unknown')} lost`;
  });
  const faults = entries.flatMap((entry) => (entry.kind === 'fault' ? entry.what : []));
  const times = [...Map.groupBy(faults, (what) => what)].map(([what, own]) => `${what} ${own.length}`);
  const rows = Object.values(figures).flatMap(({ days }) => days);
  const sum = (of: 'delivered' | 'viewable' | 'clicks') => rows.reduce((total, row) => total + row[of], 0);
  const days = new Set(rows.map(({ day }) => day)).size;
  return [
    ...lines,
    `${entries.filter(({ kind }) => kind === 'message').length} webhooks received`,
    `Counted: ${sum('delivered')} impressions, ${sum('viewable')} viewable, ${sum('clicks')} clicks, on ${days} days`,
    `Faults: ${times.join(', ')}`,
  ].join('\n');
}
