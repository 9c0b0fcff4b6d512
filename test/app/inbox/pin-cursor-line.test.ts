import fc from 'fast-check';
import {expect, test} from 'vitest';
import {inboxList} from '#ui/inbox/inbox-list.ts';
import {bodyRows, listTop} from '#ui/lists/list-position.ts';
import {cursorIndex, cursorRow, visibleRowsOf} from '#ui/lists/visible-rows.ts';
import {screenLayout} from '#ui/screen-layout.ts';
import {backend, inTopic, triageAccount, triageFixture, web} from './triage-fixture.ts';

type Fixture = ReturnType<typeof triageFixture>;

/** Returns the screen line of the cursor's row, the scroll position and its maximum. */
function cursorLineOf({app}: Fixture) {
  const frame = app.frames.paintedFrame;
  const room = bodyRows(frame, inboxList, screenLayout(frame)) ?? 0;
  const top = listTop(frame, inboxList, room);
  const {rows} = visibleRowsOf(frame, inboxList);
  const at = cursorIndex(frame, inboxList);
  return {key: cursorRow(frame, inboxList)?.key, line: at - top, top, last: Math.max(0, rows.length - room)};
}

/** An inbox with topics only, without mentions and direct messages. */
function quietFixture(size: string, topics = 30): Fixture {
  const more = Array.from({length: topics}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const);
  const fixture = triageFixture({account: triageAccount(more), size});
  fixture.readElsewhere(1, 2, 3);
  fixture.press('Ctrl-L', 'g', 'g');
  return fixture;
}

const sizes = ['200x50', '120x30', '80x24', '80x18', '40x15', '40x9'];

test.each(sizes)(
  'pinned cursor line: a group that appears above the cursor leaves its row on its line, at %s',
  (size) => {
    const fixture = quietFixture(size, 60);
    for (const steps of [0, 1, 7]) {
      fixture.press('g', 'g', ...new Array<string>(steps).fill('j'));
      const before = cursorLineOf(fixture);
      fixture.arrive(1000 + steps, backend, `alarm ${steps}`, ['mentioned']);
      fixture.app.frames.paintNow();
      const {key, line} = cursorLineOf(fixture);
      expect({key, line}).toEqual({key: before.key, line: before.line});
    }
    expect(fixture.pane()[0]).toMatch(/@3/);
    fixture.press('g', 'g');
    expect(fixture.at()).toBe('#backend › alarm 0');
    expect(cursorLineOf(fixture).top).toBe(0);
  },
);

const arrivals = fc.array(
  fc.record({
    topic: fc.constantFrom('topic 3', 'css', 'new one', 'new two', 'new three'),
    channelId: fc.constantFrom(web, backend),
    isMention: fc.boolean(),
    isPainted: fc.boolean(),
  }),
  {maxLength: 12},
);

test.each(sizes)(
  "pinned cursor line: whatever arrives, the cursor's row moves only where the list ends, at %s",
  (size) => {
    fc.assert(
      fc.property(
        fc.integer({min: 0, max: 20}),
        fc.array(fc.constantFrom('j', 'k', 'J', 'Ctrl-E', 'Ctrl-Y', 'G'), {maxLength: 8}),
        arrivals,
        (topics, keys, newMessages) => {
          const fixture = quietFixture(size, topics);
          fixture.press(...keys);
          let before = cursorLineOf(fixture);
          for (const [at, {topic, channelId, isMention, isPainted}] of newMessages.entries()) {
            fixture.arrive(1000 + at, channelId, topic, isMention ? ['mentioned'] : []);
            if (!isPainted) continue;
            fixture.app.frames.paintNow();
            const now = cursorLineOf(fixture);
            expect(now.key).toBe(before.key);
            if (now.top !== now.last) expect(now.line).toBe(before.line);
            before = now;
          }
        },
      ),
      {numRuns: 12},
    );
  },
);

test('pinned cursor line: a key moves from the line where the cursor was painted, although rows arrived above it', () => {
  const fixture = quietFixture('80x24', 40);
  fixture.press('j', 'j');
  const before = cursorLineOf(fixture);
  fixture.arrive(1000, backend, 'alarm', ['mentioned']);
  fixture.press('j');
  expect(cursorLineOf(fixture).line).toBe(before.line + 1);
  fixture.arrive(1001, backend, 'fire', ['mentioned']);
  fixture.press('e');
  expect(cursorLineOf(fixture).line).toBe(before.line + 1);
});

test('pinned cursor line: rows read elsewhere above the cursor leave its row on its line', () => {
  const fixture = quietFixture('80x24', 40);
  fixture.press(...new Array<string>(20).fill('j'));
  const before = cursorLineOf(fixture);
  const [first = ''] = visibleRowsOf(fixture.app.frame, inboxList).rows.flatMap(({kind, key}) =>
    kind === 'item' ? [key] : [],
  );
  fixture.readElsewhere(...(fixture.app.state.unreads.conversations.get(first)?.ids ?? []));
  const {key, line} = cursorLineOf(fixture);
  expect({key, line}).toEqual({key: before.key, line: before.line});
});
