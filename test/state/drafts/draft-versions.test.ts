import {expect, test} from 'vitest';
import {
  type DraftContent,
  isSameDraftText,
  isSameOnServer,
  versionToSend,
  wireDraft,
} from '#state/drafts/draft-versions.ts';
import {draft} from '#test/storage/storage-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

const state = eg.state();
const topic = (channelId: number, name: string, content = 'text'): DraftContent => ({
  target: {kind: 'topic', channelId, topic: name},
  content,
});
const direct = (...userIds: number[]): DraftContent => ({target: {kind: 'direct', userIds}, content: 'text'});
const none = (name: string): DraftContent => ({target: {kind: 'none', topic: name}, content: 'text'});

test('drafts: those for other channels, topics or people are different drafts', () => {
  const all = [
    topic(1, 'a'),
    topic(2, 'a'),
    topic(1, 'b'),
    direct(),
    direct(4),
    direct(4, 5),
    none(''),
    topic(1, 'a', 'x'),
  ];
  for (const [at, one] of all.entries()) {
    for (const [other, two] of all.entries()) {
      expect(isSameOnServer(one, two, state), `${at} and ${other}`).toBe(at === other);
      expect(isSameDraftText(one, two), `${at} and ${other}`).toBe(at === other);
    }
  }
});

test('drafts: a server trims texts, cuts long topics, and drops a topic without a channel', () => {
  const long = 'x'.repeat(60);
  for (const [one, two] of [
    [topic(1, 'a', ' \ttext\n'), topic(1, 'a')],
    [topic(1, `${long}y`), topic(1, `${long}z`)],
    [none('a'), none('b')],
  ] as const) {
    expect(isSameOnServer(one, two, state)).toBe(true);
    expect(isSameDraftText(one, two)).toBe(false);
  }
  expect(isSameOnServer(topic(1, 'a'), topic(1, 'A'), state)).toBe(false);
});

test('drafts: are sent with the second of their last edit, and a note to oneself to oneself', () => {
  const note = versionToSend(draft('d', {target: {kind: 'direct', userIds: []}, editedAt: 2999}));
  expect(wireDraft(note, 7)).toEqual({type: 'private', to: [7], topic: '', content: 'draft d', timestamp: 2});
  const {target, content} = topic(3, 'a');
  expect(wireDraft({target, content, timestamp: 5}, 7)).toEqual({
    ...{type: 'stream', to: [3], topic: 'a', content: 'text', timestamp: 5},
  });
  expect(wireDraft({...none('a'), timestamp: 5}, 7)).toMatchObject({type: '', to: [], topic: ''});
});
