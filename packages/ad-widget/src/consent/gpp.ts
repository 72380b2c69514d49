/** What a choice allows: ads, and storing something for them. */
export interface Allowed {
  readonly ads: boolean;
  readonly storage: boolean;
}

interface EuropeanSegment {
  readonly PurposeConsents?: readonly boolean[];
  readonly PurposeLegitimateInterests?: readonly boolean[];
}

/** What all sections of a GPP string allow together. None at all, and one that is not known, allow nothing. */
export function readSections(sections: Readonly<Record<string, unknown>> = {}): Allowed {
  const read = Object.entries(sections).map(([name, section]) => readSection(name, section));
  return {
    ads: read.length > 0 && read.every(({ ads }) => ads),
    storage: read.length > 0 && read.every(({ storage }) => storage),
  };
}

function readSection(name: string, section: unknown): Allowed {
  // A section is one segment or a list of them.
  const segments: readonly unknown[] = Array.isArray(section) ? section : [section];
  if (name === 'tcfeuv2') {
    const { PurposeConsents = [], PurposeLegitimateInterests = [] }: EuropeanSegment = Object.assign({}, ...segments);
    return { ads: !!(PurposeConsents[1] || PurposeLegitimateInterests[1]), storage: !!PurposeConsents[0] };
  }
  let allowed = false;
  if (name === 'uspv1') allowed = typeof section === 'string' && /^1.[^Y]/i.test(section);
  // In every section of the United States a 1 in one of these fields is "opted out".
  else if (/^us(nat|[a-z]{2})$/.test(name)) {
    allowed = !/"(Sale|Sharing|TargetedAdvertising)OptOut":1|"Gpc":(true|1)/.test(JSON.stringify(segments));
  }
  return { ads: allowed, storage: allowed };
}
