import {expect} from 'vitest';
import {organizationAppliers} from '#state/events/organization-appliers.ts';
import {personalAppliers} from '#state/events/personal-appliers.ts';
import type {AccountState} from '#state/state.ts';
import {decodeEvent} from '#wire/events.ts';

const appliers: object = {...personalAppliers, ...organizationAppliers};

/** Decodes and applies events; applying them a second time must return the same object. */
export function applyRawEvents(state: AccountState, ...raw: readonly object[]): AccountState {
  return raw.reduce<AccountState>((before, body, id) => {
    const event = decodeEvent({id, ...body}, (oddity) => expect.fail(`${oddity.path}: ${oddity.reason}`));
    const applier = Reflect.get(appliers, event.type);
    expect(applier, JSON.stringify(event)).toBeTypeOf('function');
    const after = applier(before, event);
    expect(applier(after, event), `${JSON.stringify(body)} once more`).toBe(after);
    return after;
  }, state);
}
