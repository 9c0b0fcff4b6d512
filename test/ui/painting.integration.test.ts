import fc from 'fast-check';
import {expect, test} from 'vitest';
import {noonMs, triageFixture} from '#test/app/inbox/triage-fixture.ts';
import {copiedFrame} from '#test/support/copied-frame.ts';
import {paintedPanes} from '#test/support/painted-panes.ts';
import {fewOrAll} from '#test/support/tier.ts';
import type {Frame} from '#ui/core/frame.ts';
import type {ServerEvent} from '#wire/events.ts';

type Step =
  | {readonly press: readonly string[]}
  | {readonly arrive: readonly [channelId: number, topic: string, isMention: boolean]}
  | {readonly readElsewhere: number}
  | {readonly muteElsewhere: readonly [channelId: number, topic: string, policy: number]}
  | {readonly size: readonly [columns: number, rows: number]}
  | {readonly glyphs: 'unicode' | 'ascii'}
  | {readonly minutes: number}
  | {readonly event: string};

/** Server events by subject. Each call with another `id` changes the state. */
const serverEvents: Readonly<Record<string, (id: number) => ServerEvent>> = {
  person: (id) => ({
    type: 'realm_user',
    op: 'update',
    id,
    person: {user_id: 11, full_name: `Carol ${id}`},
  }),
  channel: (id) => ({
    type: 'stream',
    op: 'update',
    id,
    stream_id: 2,
    name: 'backend',
    property: 'name',
    value: `back ${id}`,
  }),
  guests: (id) => ({
    type: 'realm',
    op: 'update',
    id,
    property: 'enable_guest_user_indicator',
    value: id % 2 === 0,
  }),
  noTopic: (id) => ({
    type: 'realm',
    op: 'update',
    id,
    property: 'realm_empty_topic_display_name',
    value: `chat ${id}`,
  }),
  hours: (id) => ({
    type: 'user_settings',
    op: 'update',
    id,
    property: 'twenty_four_hour_time',
    value: id % 2 === 0,
  }),
  mutedPerson: (id) => ({
    type: 'muted_users',
    id,
    muted_users: id % 2 === 0 ? [] : [{id: 11, timestamp: 1}],
  }),
  alertWords: (id) => ({type: 'alert_words', id, alert_words: [`message ${id - 1}`]}),
  presence: (id) => ({
    type: 'presence',
    id,
    user_id: 11,
    server_timestamp: noonMs / 1000,
    presence: {website: {client: 'website', status: 'active', timestamp: noonMs / 1000, pushable: false}},
    presences: {'11': {active_timestamp: noonMs / 1000, idle_timestamp: noonMs / 1000}},
  }),
  star: (id) => ({
    type: 'update_message_flags',
    id,
    op: 'add',
    flag: 'starred',
    messages: [1 + (id % 8)],
    all: false,
  }),
  pinned: (id) => ({
    type: 'subscription',
    op: 'update',
    id,
    stream_id: 2,
    property: 'pin_to_top',
    value: id % 2 === 0,
  }),
};

const press = (...sequences: readonly string[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...sequences).map((keys) => ({press: keys.split(' ')}));
const topic = fc.constantFrom(
  ...['freeze', 'logs', 'css', 'login', 'cats', 'new', 'newer'],
  'the rollout of the new web front end to customers in the north',
  'the rollout of the new web front end to customers in the south',
);
const channelId = fc.integer({min: 1, max: 3});

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 7,
    arbitrary: press('e', 'j', 'k', 'n', 'M', 'F', 'z', 'v', 'X', 'S', 'G', 'u', '+', 'Space', 'b n'),
  },
  {weight: 5, arbitrary: press('I', 't', 'T', 'P', 'A', 'L', 'd', 'Enter', 'Esc', 'Tab', 'l', 'h', '6', '1')},
  {weight: 2, arbitrary: press('?', 'b', 'g', '/ l o', 'Ctrl-K w e', 'r h i Space @ C', 'f l', 'Esc Esc I')},
  {weight: 6, arbitrary: fc.record({arrive: fc.tuple(channelId, topic, fc.boolean())})},
  {weight: 3, arbitrary: fc.record({readElsewhere: fc.integer({min: 1, max: 8})})},
  {weight: 2, arbitrary: fc.record({muteElsewhere: fc.tuple(channelId, topic, fc.constantFrom(0, 1, 3))})},
  {
    weight: 2,
    arbitrary: fc.record({
      size: fc.constantFrom<[number, number][]>([120, 40], [80, 24], [160, 50], [60, 18], [30, 8]),
    }),
  },
  {weight: 1, arbitrary: fc.record({glyphs: fc.constantFrom('unicode' as const, 'ascii' as const)})},
  {weight: 1, arbitrary: fc.record({minutes: fc.integer({min: 1, max: 90})})},
  {weight: 4, arbitrary: fc.record({event: fc.constantFrom(...Object.keys(serverEvents))})},
);

/** Applies a step; `id` is a new message or event id. */
function applyStep(fixture: ReturnType<typeof triageFixture>, step: Step, id: number): void {
  if ('press' in step) fixture.press(...step.press);
  else if ('arrive' in step) {
    const [channel, name, isMention] = step.arrive;
    fixture.arrive(id, channel, name, isMention ? ['mentioned'] : []);
  } else if ('readElsewhere' in step) fixture.readElsewhere(step.readElsewhere);
  else if ('muteElsewhere' in step) {
    const [channel, name, policy] = step.muteElsewhere;
    fixture.session.cache.apply({
      type: 'user_topic',
      id,
      stream_id: channel,
      topic_name: name,
      last_updated: id,
      visibility_policy: policy,
    });
  } else if ('size' in step) {
    const [columns, rows] = step.size;
    fixture.app.set({size: {columns, rows}});
  } else if ('glyphs' in step) fixture.app.setDisplay({glyphs: step.glyphs});
  else if ('event' in step) {
    const serverEvent = serverEvents[step.event]?.(id);
    if (serverEvent !== undefined) fixture.session.cache.apply(serverEvent);
  } else fixture.clock.advance(step.minutes * 60_000);
}

test('painting: the same frame gives the same lines, whatever was painted before and in between', () => {
  fc.assert(
    fc.property(
      fc.array(steps, {minLength: 5, maxLength: 30}),
      fc.array(fc.nat(1000), {minLength: 10, maxLength: 30}),
      (stepList, order) => {
        const fixture = triageFixture();
        const linesByFrame = new Map<Frame, readonly string[]>();
        const paint = (frame: Frame) => {
          const painted = paintedPanes(frame);
          const before = linesByFrame.get(frame);
          if (before === undefined) linesByFrame.set(frame, painted);
          else expect(painted).toEqual(before);
        };
        for (const [at, step] of stepList.entries()) {
          applyStep(fixture, step, 100 + at);
          // The frame that a key would use, and the frame that is painted.
          paint(fixture.app.frame);
          fixture.app.frames.paintNow();
          paint(fixture.app.frames.paintedFrame);
        }
        const frames = [...linesByFrame.keys()];
        for (const at of order) {
          const frame = frames[at % frames.length];
          if (frame !== undefined) paint(frame);
        }
        for (const frame of frames.toReversed()) {
          paint(frame);
          expect(paintedPanes(copiedFrame(frame))).toEqual(linesByFrame.get(frame));
        }
        fixture.app.end();
      },
    ),
    {numRuns: fewOrAll(5, 20)},
  );
});
