import fc from 'fast-check';
import {expect, test} from 'vitest';
import {bodyRows, listTop} from '#app/lists/list-pane.ts';
import {cursorIndex, cursorRow, visibleRowsOf} from '#app/lists/visible-rows.ts';
import {backend, inTopic, triageAccount, triageFixture, web} from './triage-fixture.ts';

type Stage = ReturnType<typeof triageFixture>;

/** Where the row with the cursor is in the window of the list, and how far that can go down. */
function placeOf({app}: Stage) {
  const frame = app.frames.paintedFrame;
  const room = bodyRows(frame, 'inbox') ?? 0;
  const top = listTop(frame, 'inbox', room);
  const {rows} = visibleRowsOf(frame, 'inbox');
  const at = cursorIndex(frame, 'inbox');
  return {key: cursorRow(frame, 'inbox')?.key, line: at - top, top, last: Math.max(0, rows.length - room)};
}

/** Nothing that asks for attention but topics: the group of mentions is not there yet. */
function quietStage(size: string, topics = 30): Stage {
  const more = Array.from({length: topics}, (_, at) => [inTopic(20 + at, web, `topic ${at}`)] as const);
  const stage = triageFixture({account: triageAccount(more), size});
  stage.readElsewhere(1, 2, 3);
  stage.press('Ctrl-L', 'g', 'g');
  return stage;
}

const sizes = ['200x50', '120x30', '80x24', '80x18', '40x15', '40x9'];

test.each(sizes)('a group that appears above the cursor leaves its row on its line, at %s', (size) => {
  const stage = quietStage(size, 60);
  for (const steps of [0, 1, 7]) {
    stage.press('g', 'g', ...new Array<string>(steps).fill('j'));
    const before = placeOf(stage);
    stage.arrive(1000 + steps, backend, `alarm ${steps}`, ['mentioned']);
    stage.app.frames.paintNow();
    const {key, line} = placeOf(stage);
    expect({key, line}).toEqual({key: before.key, line: before.line});
  }
  expect(stage.pane()[0]).toMatch(/@ 3/);
  stage.press('g', 'g');
  expect(stage.at()).toBe('#backend › alarm 0');
  expect(placeOf(stage).top).toBe(0);
});

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
  'whatever arrives, the row under the cursor moves only where the list ends, at %s',
  (size) => {
    fc.assert(
      fc.property(
        fc.integer({min: 0, max: 20}),
        fc.array(fc.constantFrom('j', 'k', 'J', 'Ctrl-E', 'Ctrl-Y', 'G'), {maxLength: 8}),
        arrivals,
        (topics, keys, given) => {
          const stage = quietStage(size, topics);
          stage.press(...keys);
          let before = placeOf(stage);
          for (const [at, {topic, channelId, isMention, isPainted}] of given.entries()) {
            stage.arrive(1000 + at, channelId, topic, isMention ? ['mentioned'] : []);
            if (!isPainted) continue;
            stage.app.frames.paintNow();
            const now = placeOf(stage);
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

test('a key goes on from the line where the cursor was seen, although something came above it since', () => {
  const stage = quietStage('80x24', 40);
  stage.press('j', 'j');
  const before = placeOf(stage);
  stage.arrive(1000, backend, 'alarm', ['mentioned']);
  stage.press('j');
  expect(placeOf(stage).line).toBe(before.line + 1);
  stage.arrive(1001, backend, 'fire', ['mentioned']);
  stage.press('e');
  expect(placeOf(stage).line).toBe(before.line + 1);
});

test('what is read elsewhere above the cursor leaves its row on its line too', () => {
  const stage = quietStage('80x24', 40);
  stage.press(...new Array<string>(20).fill('j'));
  const before = placeOf(stage);
  const [first = ''] = visibleRowsOf(stage.app.frame, 'inbox').rows.flatMap(({kind, key}) =>
    kind === 'item' ? [key] : [],
  );
  stage.readElsewhere(...(stage.app.state.unreads.conversations.get(first)?.ids ?? []));
  const {key, line} = placeOf(stage);
  expect({key, line}).toEqual({key: before.key, line: before.line});
});
