import type * as contract from '@broadsheet/contract';
import { expectTypeOf, test } from 'vitest';
import type { SlotRequest, SlotResult } from './creative.ts';

// The published declarations must not need zod, so the shapes are written out; this compares them with the contract.
test('the wire shapes match the contract', () => {
  expectTypeOf<SlotRequest>().toEqualTypeOf<contract.AdSlot>();
  expectTypeOf<contract.AdDeliverySlotResult>().toExtend<SlotResult>();
  expectTypeOf<SlotResult>().toExtend<contract.AdDeliverySlotResult>();
});
