import {expect, test} from 'vitest';
import {inTopic, triageAccount, triageFixture, web} from '#test/app/inbox/triage-fixture.ts';

function headingsFixture(options: Parameters<typeof triageFixture>[0] = {}) {
  const fixture = triageFixture(options);
  /** The lines of the list: what is left of the preview. */
  const list = () =>
    fixture.pane().flatMap((line) => (line.includes('│') ? [(line.split('│')[0] ?? '').trimEnd()] : []));
  return {...fixture, list, headings: () => list().filter((line) => /^ {3}(#|Direct)/.test(line))};
}

test('channel headings: the cursor moves from topic to topic', () => {
  const {press, at} = headingsFixture();
  press('j', 'j', 'j');
  expect(at()).toBe('#web › login');
  press('k');
  expect(at()).toBe('#backend › logs');
  press('g', 'g');
  expect(at()).toBe('#backend › freeze');
});

test('channel headings: a filter keeps those of its matches, and a folded group has none', () => {
  const {press, headings} = headingsFixture();
  expect(headings()).toEqual(['   #backend', '   #web']);
  press('f');
  expect(headings()).toEqual([]);
  press('f', 'f', 'j', 'j', '-');
  expect(headings()).toEqual([]);
});

test('channel headings: a topic that arrives later is at the end of its group, under another heading', () => {
  const {arrive, app, list} = headingsFixture();
  arrive(101, 2, 'deploy');
  app.frames.paintNow();
  const end = list().findIndex((line) => line.includes('MUTED'));
  expect(list().slice(end - 3, end)).toEqual([
    expect.stringMatching(/ 1 css/),
    '   #backend',
    expect.stringMatching(/ 1 deploy new/),
  ]);
});

test('channel headings: the first row shows its channel while the heading is scrolled off', () => {
  const topics = Array.from({length: 60}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const);
  const {press, list} = headingsFixture({account: triageAccount(topics), size: '120x24'});
  press('G', 'k', 'k');
  expect(list()[0]).toMatch(/#web › topic/);
  expect(list()[1]).toMatch(/\d topic/);
});
