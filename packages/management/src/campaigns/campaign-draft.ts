import { accept, SnapshotCampaign } from '@broadsheet/contract';
import { neverRuns, readInstant } from '../operations/instants.ts';
import { OperationError, type OperationProblem } from '../operations/operation-error.ts';
import { CAMPAIGN_FIELDS, type CampaignDraft, type CampaignFieldName } from './campaign-fields.ts';

type CampaignField = (typeof CAMPAIGN_FIELDS)[number];

/**
 * Reads a campaign by the rules of a snapshot; it also needs a sponsor and a name, at most one goal, and a period that
 * is not over. Fields that the draft omits keep their value in `before`; an empty string removes a field.
 *
 * @throws OperationError with every problem
 */
export function readCampaignDraft(before: SnapshotCampaign, draft: CampaignDraft, now: number): SnapshotCampaign {
  const problems: OperationProblem[] = [];
  const fields: Partial<Record<CampaignFieldName, unknown>> = fieldsOf(before);
  for (const field of CAMPAIGN_FIELDS) {
    const typed = draft[field.name];
    if (typed === undefined) continue;
    try {
      fields[field.name] = readField(field, typed?.trim() ?? '');
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      problems.push(...error.problems);
    }
  }
  const { goalImpressions, goalClicks, ...rest } = fields;
  if (goalImpressions && goalClicks) {
    problems.push({ at: 'goalClicks', message: 'a campaign has one goal: give either impressions or clicks' });
  }
  const goal = goalImpressions ? { impressions: goalImpressions } : goalClicks ? { clicks: goalClicks } : null;
  const result = accept(SnapshotCampaign, { ...rest, id: before.id, goal });
  if (!result.ok) {
    for (const { field, message } of result.fields)
      problems.push({ at: field, message: message.slice(field.length + 2) });
    throw new OperationError(problems);
  }
  problems.push(...neverRuns('campaign', result.value, draft, now));
  if (problems.length > 0) throw new OperationError(problems);
  return withStart(result.value, now);
}

function fieldsOf({ id: _, goal, ...rest }: SnapshotCampaign): Partial<Record<CampaignFieldName, unknown>> {
  return { ...rest, goalImpressions: goal?.impressions ?? null, goalClicks: goal?.clicks ?? null };
}

/** The value of a field that was typed. @throws OperationError */
function readField(field: CampaignField, typed: string): string | number | null | undefined {
  const { name: at, kind } = field;
  if (kind === 'text') {
    if (typed !== '') return typed;
    throw new OperationError([{ at, message: `a campaign needs a ${at}` }]);
  }
  // An omitted choice gets its default.
  if (typed === '') return kind === 'choice' ? undefined : null;
  if (kind === 'choice') return typed.toLowerCase();
  if (kind === 'first day') return readInstant(at, typed, '00:00:00.000');
  if (kind === 'last day') return readInstant(at, typed, '23:59:59.999');
  if (/^[1-9]\d{0,11}$/.test(typed)) return Number(typed);
  throw new OperationError([{ at, message: `expected a whole number above 0, received ${JSON.stringify(typed)}` }]);
}

/** An even pace needs a start. */
function withStart(campaign: SnapshotCampaign, now: number): SnapshotCampaign {
  const { startsAt, endsAt, goal, pace } = campaign;
  const isPaced = pace === 'even' && goal !== null && endsAt !== null;
  return isPaced && startsAt === null ? { ...campaign, startsAt: new Date(now).toISOString() } : campaign;
}
