import {expect} from 'vitest';
import {applyEvent} from '#state/apply-event.ts';
import type {AccountState} from '#state/state.ts';
import {decodeEvent} from '#wire/events.ts';

/** Decodes and applies events; applying them a second time must return the same object. */
export function applyRawEvents(state: AccountState, ...raw: readonly object[]): AccountState {
  return raw.reduce<AccountState>((before, body, id) => {
    const event = decodeEvent({id, ...body}, (oddity) => expect.fail(`${oddity.path}: ${oddity.reason}`));
    if (event.type === 'unknown') expect.fail(`${JSON.stringify(body)} cannot be decoded`);
    const after = applyEvent(before, event);
    expect(applyEvent(after, event), `${JSON.stringify(body)} once more`).toBe(after);
    return after;
  }, state);
}
