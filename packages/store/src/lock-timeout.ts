import { StoreUnavailable } from '@broadsheet/core';

/** Thrown when rows stay locked for longer than a statement may wait for them; the database itself is available. */
export class LockTimeout extends StoreUnavailable {}
