import {expect, test} from 'vitest';
import {focusPane} from '#app/panes/pane-focus.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {backend, inTopic, random, triageAccount, triageFixture} from './triage-fixture.ts';

type Fixture = ReturnType<typeof triageFixture>;

function hints({app}: Fixture): string {
  const shown = app.frame.info.keys?.hints(app.frame) ?? [];
  return shown.map(({key, label}) => `${key} ${label}`).join('  ');
}

test('inbox texts: the hint for M says mute, or unmute on a muted row', () => {
  const fixture = triageFixture();
  expect(hints(fixture)).toContain('M mute');
  fixture.press('6');
  expect(fixture.at()).toBe('#random › cats');
  expect(hints(fixture)).toContain('M unmute');
});

test('inbox texts: M and F without a row say that no conversation is selected', () => {
  const fixture = triageFixture();
  fixture.press('4', 'M');
  expect(fixture.toast()).toBe('No conversation is selected');
  fixture.press('F');
  expect(fixture.toast()).toBe('No conversation is selected');
});

test('inbox texts: views in the sidebar cannot be selected', () => {
  const fixture = triageFixture();
  focusPane(fixture.app, 'channels');
  fixture.press('g', 'g', 'v', 'j');
  expect(fixture.app.screen.lists.channels.selected.size).toBe(0);
  expect(fixture.toast()).toBe('Only conversations and channels can be selected');
});

test('inbox texts: the number of unread messages below is exact, however many there are', () => {
  const many = Array.from({length: 300}, (_, at) => [inTopic(1000 + at, backend, 'freeze')] as const);
  const fixture = triageFixture({account: triageAccount(many)});
  fixture.load(topicConversation(backend, 'freeze'));
  const [, more = '0'] = /↓ (\d+) more/.exec(fixture.pane().join('\n')) ?? [];
  expect(Number(more)).toBeGreaterThan(200);
});

test('inbox texts: the snippet of a row shows mentioned users by name', () => {
  const message = inTopic(50, random, 'dogs', 'ask @_**Carol Diaz|11** or @**Carol Diaz**');
  const fixture = triageFixture({account: triageAccount([[message, true]]), size: '98x40'});
  expect(fixture.pane().join('\n')).toMatch(/ask Carol Diaz or @Ca/);
});
