type Fields = Readonly<Record<string, unknown>>;

// The checks that the generated validators are made of.

export const isString = (v: unknown): boolean => typeof v === 'string';
export const isBoolean = (v: unknown): boolean => typeof v === 'boolean';
export const isCount = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) >= 0;
export const isPositive = (v: unknown): boolean => Number.isSafeInteger(v) && (v as number) > 0;
export const isFields = (v: unknown): v is Fields => typeof v === 'object' && v !== null && !Array.isArray(v);
export const isList = (v: unknown, item: (v: unknown) => boolean): boolean => Array.isArray(v) && v.every(item);
