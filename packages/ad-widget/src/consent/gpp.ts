/** What a choice allows: ads, and storing something for them. */
export interface Allowed {
  readonly ads: boolean;
  readonly storage: boolean;
}

interface EuropeanSegment {
  readonly PurposeConsents?: readonly unknown[];
  readonly PurposeLegitimateInterests?: readonly unknown[];
}

/** In a section of the United States a 1 in one of these fields is "opted out"; platforms write it as a text, too. */
const OPTED_OUT = /"((Sale|Sharing|TargetedAdvertising)OptOut|Gpc)":"?(true|1)/i;

/** What all sections of a GPP string allow together. None at all, one that is not known or has no field allow nothing. */
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
    return {
      ads: isSet(PurposeConsents[1]) || isSet(PurposeLegitimateInterests[1]),
      storage: isSet(PurposeConsents[0]),
    };
  }
  let allowed = false;
  if (name === 'uspv1') allowed = typeof section === 'string' && /^1.[^Y]/i.test(section);
  else if (/^us(nat|[a-z]{2})$/.test(name)) {
    allowed = segments.some(hasFields) && !OPTED_OUT.test(JSON.stringify(segments));
  }
  return { ads: allowed, storage: allowed };
}

/** One bit of a field. A number of two or more is not a bit and means something else. */
function isSet(bit: unknown): boolean {
  return bit === true || bit === 1;
}

function hasFields(segment: unknown): boolean {
  return typeof segment === 'object' && segment !== null && Object.keys(segment).length > 0;
}
