import {expect, test} from 'vitest';
import {egFrame} from '#test/support/frame-fixture.ts';
import * as eg from '#test/support/state-builders.ts';
import {isAwaited} from '#ui/core/app-reader.ts';
import type {Frame} from '#ui/core/frame.ts';

const painted = egFrame({screen: {toast: {id: 1, text: 'Saved', tone: 'plain'}}});
const {account, screen} = painted;
const changed = (fields: Partial<Frame>): Frame => ({...painted, ...fields});

test('held changes: a toast, an overlay, a view, an own message and the display are awaited', () => {
  const toast = {id: 2, text: 'Not sent', tone: 'error'} as const;
  expect(isAwaited(changed({screen: {...screen, toast}}), painted)).toBe(true);
  expect(isAwaited(changed({screen: {...screen, overlays: []}}), painted)).toBe(true);
  expect(isAwaited(changed({screen: {...screen, view: {kind: 'recent'}}}), painted)).toBe(true);
  expect(isAwaited(changed({account: {...account, outbox: []}}), painted)).toBe(true);
  expect(isAwaited(changed({display: {...painted.display}}), painted)).toBe(true);
});

test('held changes: a toast that ends, a new minute and other users are not awaited', () => {
  expect(isAwaited(changed({screen: {...screen, toast: undefined}}), painted)).toBe(false);
  expect(isAwaited(changed({minute: painted.minute + 60_000}), painted)).toBe(false);
  expect(isAwaited(changed({account: {...account, presences: {...account.presences}}}), painted)).toBe(false);
});

test('held changes: while a view loads, and until the first connection, everything is awaited', () => {
  const loading = egFrame({view: {kind: 'messages', narrow: [{operator: 'channel', operand: 1}]}});
  expect(isAwaited({...loading, account: {...loading.account}}, loading)).toBe(true);
  const starting = egFrame({account: eg.state({connection: {phase: 'starting', savedAt: undefined}})});
  expect(isAwaited({...starting, account: {...starting.account}}, starting)).toBe(true);
});
