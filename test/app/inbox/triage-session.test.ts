import {expect, test} from 'vitest';
import {openView} from '#app/navigation/navigation.ts';
import {triageFixture} from './triage-fixture.ts';

const words = (lines: readonly string[]) => lines.map((line) => line.trim());

test('triage session: the summary counts each conversation once, by its last action', () => {
  const {press, pane, clock} = triageFixture();
  press('b', 'h');
  clock.advance(3_660_000);
  press('F', '+', 'e', 'e', 'e', 'e', 'e');
  expect(words(pane())).toContain('5 conversations: 5 done');
});

test.each([
  [0, 1],
  [150_000, 3],
])('triage session: %i ms from the first to the last action are %i min', (passed, minutes) => {
  const {press, pane, clock} = triageFixture();
  press('e', 'e', 'e', 'e');
  clock.advance(passed);
  press('e');
  expect(words(pane())).toContain(`Inbox zero · ${minutes} min`);
});

test('triage session: a followed or reacted conversation still counts as done, and an unmuted one not as muted', () => {
  const {press, pane} = triageFixture();
  press('j', 'j', 'F', 'e', 'M', 'z', 'M', 'e', 'e', 'e');
  expect(words(pane())).toContain('5 conversations: 4 done · 1 muted');
});

test('triage session: the progress stays the same after a visit elsewhere and after undo of an earlier action', () => {
  const {press, pane, app, arrive, unread} = triageFixture();
  press('e', 'b', 'd');
  expect(pane()[0]).toContain('triage 2/5');
  openView(app, {kind: 'recent'});
  openView(app, {kind: 'inbox'});
  expect(pane()[0]).toContain('triage 2/5');
  press('z');
  expect(pane()[0]).toContain('triage 1/5');
  press('e');
  openView(app, {kind: 'recent'});
  arrive(101, 1, 'fonts');
  openView(app, {kind: 'inbox'});
  expect(unread()).toContain(101);
  expect(pane()[0]).toContain('triage 2/6');
});
