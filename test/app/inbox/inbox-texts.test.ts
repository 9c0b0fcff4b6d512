import {expect, test} from 'vitest';
import {focusPane} from '#app/layout/pane-focus.ts';
import {topicConversation} from '#state/model/conversation.ts';
import {backend, inTopic, random, triageAccount, triageFixture} from './triage-fixture.ts';

type Stage = ReturnType<typeof triageFixture>;

function hints({app}: Stage): string {
  const shown = app.frame.info.keys?.hints(app.frame) ?? [];
  return shown.map(({key, label}) => `${key} ${label}`).join('  ');
}

test('the hint for M says what it does to the row: mute, or unmute what is muted', () => {
  const stage = triageFixture();
  expect(hints(stage)).toContain('M mute');
  stage.press('6');
  expect(stage.at()).toBe('#random › cats');
  expect(hints(stage)).toContain('M unmute');
});

test('M and F where no row is say that, and nothing about topics', () => {
  const stage = triageFixture();
  stage.press('4', 'M');
  expect(stage.toast()).toBe('No conversation is selected');
  stage.press('F');
  expect(stage.toast()).toBe('No conversation is selected');
});

test('views beside the inbox are not selected', () => {
  const stage = triageFixture();
  focusPane(stage.app, 'channels');
  stage.press('g', 'g', 'v');
  expect(stage.app.screen.lists.channels.selected.size).toBe(0);
  expect(stage.toast()).toBe('Only conversations and channels can be selected');
});

test('how many more are unread below is a number, however many they are', () => {
  const many = Array.from({length: 300}, (_, at) => [inTopic(1000 + at, backend, 'freeze')] as const);
  const stage = triageFixture({account: triageAccount(many)});
  stage.load(topicConversation(backend, 'freeze'));
  const [, more = '0'] = /↓ (\d+) more/.exec(stage.pane().join('\n')) ?? [];
  expect(Number(more)).toBeGreaterThan(200);
});

test('the first line of a row names whom it mentions', () => {
  const said = inTopic(50, random, 'dogs', 'ask @_**Carol Diaz|11** or @**Carol Diaz**');
  const stage = triageFixture({account: triageAccount([[said, true]]), size: '98x40'});
  expect(stage.pane().join('\n')).toMatch(/ask Carol Diaz or @Ca/);
});
