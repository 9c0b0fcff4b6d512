import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isoInstant} from '#content/iso-instant.ts';
import type {Emoji} from '#state/slices/emoji.ts';
import {instantOf, isoWithOffset, parseMoment} from '#std/parse-moment.ts';
import {SortedMap} from '#std/sorted-map.ts';
import {accepted, completionState, labels, nowMs, offered} from './completion-fixture.ts';

test('emoji completion: matches any name, offers each emoji once, popular ones first', () => {
  expect(accepted('nice :tad|')).toBe('nice :tada: |');
  expect(accepted('nice :tad|:')).toBe('nice :tada: |');
  expect(offered(':thumbs_u|')?.options[0]).toMatchObject({emoji: {kind: 'unicode', code: '1f44d'}});
  const codes =
    offered(':smi|')?.options.map(({emoji}) => (emoji?.kind === 'unicode' ? emoji.code : emoji?.name)) ?? [];
  expect(new Set(codes).size).toBe(codes.length);
});

test('emoji completion: only names that the server accepts are offered', () => {
  expect(labels(offered(':pleadin|'))[0]).toBe('pleading');
  expect(labels(offered(':bored|'))).not.toContain('bored');
  const unicodeEmoji = {url: 'https://chat.example/emoji.json', names: {'1f97a': ['begging'], '1f44d': ['+1']}};
  const state = completionState({unicodeEmoji});
  const offeredBy = (text: string) => labels(offered(text, {}, state));
  expect(offeredBy(':beggin|')).toEqual(['begging']);
  expect(offeredBy(':pleadin|')).toEqual([]);
  expect(offeredBy(':)|')).toEqual([]);
});

test('emoji completion: custom emoji hide others of that name; deactivated ones are left out', () => {
  const own = (name: string, deactivated: boolean) => ({id: name, name, sourceUrl: '', deactivated});
  const emoji = SortedMap.from<string, Emoji>([
    ['1', own('tada', false)],
    ['2', own('tadpole', true)],
  ]);
  const options = offered(':tad|', {}, completionState({emoji}))?.options ?? [];
  expect(options.filter(({label}) => label === 'tada').map((option) => option.emoji?.kind)).toEqual(['custom']);
  expect(options.map(({label}) => label)).not.toContain('tadpole');
  expect(offered(':zul|')?.options[0]?.emoji).toEqual({kind: 'extra', name: 'zulip'});
});

test('emoji completion: a single colon, a time, a URL and a closing colon open nothing', () => {
  for (const text of [':|', 'note: |', '10:30|', 'https://ex|', ':tada:|', 'a:smile|', ':t|']) {
    expect([text, offered(text)]).toEqual([text, undefined]);
  }
});

test('emoji completion: an emoticon is offered but not selected', () => {
  expect(offered('fine :)|')).toMatchObject({
    selects: 'none',
    options: [{insert: ':slight_smile: ', detail: ':)'}],
  });
});

test('language completion: completes the language and closes the fence', () => {
  expect(accepted('```pyth|')).toBe('```python\n|\n```');
  expect(accepted('```pyth|\nprint()\n```')).toBe('```python|\nprint()\n```');
  expect(accepted('~~~~spoil|')).toBe('~~~~spoiler |\n\n~~~~');
  expect(labels(offered('```js|'))[0]).toBe('js');
  expect(offered('```|')).toBeUndefined();
  expect(offered('```\n```py|')).toBeUndefined();
  expect(labels(offered('``` quote\n```pyth|'))[0]).toBe('python');
});

test('slash completion: only at the start of the message', () => {
  expect(labels(offered('/|'))).toEqual(['/me', '/poll', '/todo']);
  expect(accepted('/po|')).toBe('/poll |');
  expect(offered('a /po|')).toBeUndefined();
  expect(offered('/etc|')).toBeUndefined();
  expect(offered('/me |')).toBeUndefined();
});

test('time completion: offers presets and typed times', () => {
  expect(labels(offered('<time:|'))).toContain('tomorrow 9:00 AM');
  expect(accepted('at <time:tomorrow 9|', undefined, {zone: 'Europe/Berlin'})).toBe(
    'at <time:2026-05-13T09:00:00+02:00> |',
  );
  expect(accepted('at <time:in 2 hours|')).toBe('at <time:2026-05-12T12:00:00+00:00> |');
  expect(offered('<time:17:30|')?.options[0]).toMatchObject({detail: 'Tue 12 May, 5:30 PM'});
  expect(accepted('<time:2026-05-12T14:30:00+02:00|>')).toBe('<time:2026-05-12T12:30:00+00:00> |');
  expect(offered('<time:nonsense|')).toBeUndefined();
});

test('parseMoment: understands relative and named times', () => {
  const at = (text: string) => {
    const moment = parseMoment(text, nowMs, 'America/New_York');
    return moment === undefined ? undefined : isoWithOffset(moment, 'America/New_York');
  };
  expect(at('now')).toBe('2026-05-12T06:00:00-04:00');
  expect(at('5:00')).toBe('2026-05-13T05:00:00-04:00');
  expect(at('7pm')).toBe('2026-05-12T19:00:00-04:00');
  expect(at('12 am')).toBe('2026-05-13T00:00:00-04:00');
  expect(at('tue')).toBe('2026-05-19T09:00:00-04:00');
  expect(at('friday 16:15')).toBe('2026-05-15T16:15:00-04:00');
  expect(at('2026-12-24 18:00')).toBe('2026-12-24T18:00:00-05:00');
  expect(at('in an hour')).toBe('2026-05-12T07:00:00-04:00');
  expect(at('20 min')).toBe('2026-05-12T06:20:00-04:00');
  expect(at('mon 9')).toBe('2026-05-18T09:00:00-04:00');
  expect(at('tomorrow at 14:00')).toBe('2026-05-13T14:00:00-04:00');
  expect(at('25:00')).toBeUndefined();
  expect(at('5')).toBeUndefined();
  expect(at('')).toBeUndefined();
});

test('isoWithOffset: round-trips an instant in any zone', () => {
  const zones = fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Australia/Lord_Howe', 'Europe/London');
  const minutes = fc.integer({min: 0, max: 60_000_000});
  fc.assert(
    fc.property(minutes, zones, (minute, zone) => {
      const atMs = minute * 60_000;
      expect(Date.parse(isoInstant(isoWithOffset(atMs, zone)) ?? '')).toBe(atMs);
    }),
  );
  // 02:30 does not exist that night: the clocks go from 02:00 to 03:00.
  const skipped = instantOf({year: 2026, month: 3, day: 29, hour: 2, minute: 30}, 'Europe/Berlin');
  expect(isoWithOffset(skipped, 'Europe/Berlin')).toMatch(/^2026-03-29T0[13]:30:00/);
});

test('message links: completes by content', () => {
  expect(accepted('see [[count|')).toBe('see #**design>launch@90** |');
  expect(accepted('see [[hello|]]')).toContain('(#narrow/dm/12,10-dm/near/50) |');
  expect(offered('[[nobody said this|')).toBeUndefined();
});

test('message links: a URL of this server is offered as a link but not selected', () => {
  const state = completionState();
  const here = {...state, server: {...state.server, url: 'https://chat.example.com'}};
  const url = 'https://chat.example.com/#narrow/channel/1-design/topic/launch/near/90';
  expect(offered(`see ${url}|`, {}, here)).toMatchObject({
    selects: 'none',
    start: 4,
    options: [{insert: '#**design>launch@90** '}],
  });
  expect(offered(`[x](${url}|`, {}, here)).toBeUndefined();
  expect(offered('https://other.example.com/#narrow/channel/1-design|', {}, here)).toBeUndefined();
});
