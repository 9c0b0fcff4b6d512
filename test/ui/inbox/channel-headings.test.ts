import {expect, test} from 'vitest';
import {backend, inTopic, triageAccount, triageFixture, web} from '#test/app/inbox/triage-fixture.ts';
import * as eg from '#test/support/state-builders.ts';

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

test('channel headings: topics that arrive later are at the end of their channel, under its heading', () => {
  const {arrive, app, list, headings, press, at} = headingsFixture({size: '120x60'});
  press('G');
  const cursor = at();
  for (let count = 0; count < 12; count += 1) {
    arrive(101 + count, backend, `deploy ${count}`);
    app.frames.paintNow();
  }
  arrive(201, web, 'fonts');
  app.frames.paintNow();
  arrive(202, backend, 'last');
  app.frames.paintNow();
  expect(headings()).toEqual(['   #backend', '   #web']);
  const from = list().indexOf('   #backend');
  const names = list()
    .slice(from)
    .flatMap((line) => /\d+ (.*?)(?: new)? {2,}/.exec(line)?.[1] ?? []);
  const arrived = Array.from({length: 12}, (_, count) => `deploy ${count}`);
  expect(names.slice(0, 17)).toEqual(['logs', ...arrived, 'last', 'login', 'css', 'fonts']);
  expect(at()).toBe(cursor);
});

test('channel headings: a topic of a channel without a heading is at the end of its group', () => {
  const [calm, other] = [eg.channel({id: 40, name: 'calm'}), eg.subscription({channelId: 40})];
  const account = triageAccount();
  const {arrive, app, headings} = headingsFixture({
    account: {
      ...account,
      channels: account.channels.with(40, calm),
      subscriptions: account.subscriptions.with(40, other),
    },
  });
  arrive(101, 40, 'quiet');
  app.frames.paintNow();
  expect(headings()).toEqual(['   #backend', '   #web', '   #calm']);
});

test('channel headings: the first row shows its channel while the heading is scrolled off', () => {
  const topics = Array.from({length: 60}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const);
  const {press, list} = headingsFixture({account: triageAccount(topics), size: '120x24'});
  press('G', 'k', 'k');
  expect(list()[0]).toMatch(/#web › topic/);
  expect(list()[1]).toMatch(/\d topic/);
});

test('channel headings: a row that becomes the first one shows its channel, and its topic alone when it is not any more', () => {
  const topics = Array.from({length: 60}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const);
  const {press, list} = headingsFixture({account: triageAccount(topics), size: '120x24'});
  press(...Array.from({length: 30}, () => 'j'));
  const [first = ''] = list();
  expect(first).toMatch(/#web › topic/);
  press(...Array.from({length: 25}, () => 'k'));
  const name = /topic \d+/.exec(first)?.[0] ?? expect.unreachable();
  expect(list().filter((line) => line.includes(name))).toEqual([expect.not.stringContaining('#web')]);
  press(...Array.from({length: 25}, () => 'j'));
  expect(list().find((line) => line.includes(name))).toContain(`#web › ${name}`);
});

test('channel headings: they begin at 100 columns, where the list is beside the messages', () => {
  const headings = (size: string) =>
    headingsFixture({size})
      .pane()
      .filter((line) => /^ {3}#web\b/.test(line)).length;
  expect(headings('99x24')).toBe(0);
  expect(headings('100x24')).toBe(1);
});
