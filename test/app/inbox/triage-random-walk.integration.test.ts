import fc from 'fast-check';
import {test} from 'vitest';
import {expectSame} from '#test/support/differences.ts';
import {fewOrAll} from '#test/support/tier.ts';
import {TriageWalker} from './random-walk-fixture.ts';

const topics = ['ale', 'bread', 'cake', 'dill', 'egg'] as const;
const topic = fc.constantFrom(...topics);

type Step = (walker: TriageWalker) => Promise<void> | void;

const keys =
  (...names: readonly string[]): Step =>
  (walker) =>
    walker.press(...names);

const steps: fc.Arbitrary<Step> = fc.oneof(
  {weight: 6, arbitrary: fc.constant<Step>(keys('e'))},
  {
    weight: 9,
    arbitrary: fc.constantFrom<Step>(
      keys('Space'),
      keys('n'),
      keys('j'),
      keys('M'),
      keys('F'),
      keys('+'),
      keys('S'),
      (walker) => walker.markGroup(),
      (walker) => walker.snooze('n'),
      (walker) => walker.snooze('d'),
      (walker) => walker.snooze('Enter'),
      keys('v', 'j', 'j', 'v', 'j', 'e'),
    ),
  },
  {weight: 5, arbitrary: fc.constant<Step>(keys('z'))},
  {weight: 2, arbitrary: fc.constant<Step>(keys('Z'))},
  {
    weight: 5,
    arbitrary: topic.map(
      (name): Step =>
        (walker) =>
          walker.arrive(name),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.nat(20).map(
      (which): Step =>
        (walker) =>
          walker.readElsewhere(which),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(20), topic).map(
      ([which, name]): Step =>
        (walker) =>
          walker.rename(which, name),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(topic, fc.constantFrom(0 as const, 1 as const)).map(
      ([name, policy]): Step =>
        (walker) =>
          walker.muteElsewhere(name, policy),
    ),
  },
  {weight: 1, arbitrary: fc.constant<Step>((walker) => walker.reply())},
  {weight: 1, arbitrary: fc.constant<Step>((walker) => walker.goOffline())},
  {weight: 2, arbitrary: fc.constant<Step>((walker) => walker.goOnline())},
  {weight: 1, arbitrary: fc.constant<Step>((walker) => walker.restart())},
);

const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b);

test('triage random walk: the server has exactly the messages unread that no key marked read, and undo restores the rest', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, {minLength: 10, maxLength: 40}), async (stepList) => {
      const walker = await TriageWalker.start();
      for (const name of [...topics, ...topics]) await walker.arrive(name);
      walker.app.frames.paintNow();
      for (const step of stepList) await step(walker);
      await walker.goOnline();
      await walker.settle();
      expectSame(await walker.serverUnreadIds(), sorted(walker.unread), walker.storyText());
      const all = sorted([...walker.unread, ...walker.dismissed]);
      await walker.restart();
      walker.undoAll();
      await walker.settle();
      expectSame(await walker.serverUnreadIds(), all, walker.storyText());
      expectSame(sorted(walker.app.state.unreads.byId.keys()), all, walker.storyText());
    }),
    {numRuns: fewOrAll(3, 20), endOnFailure: true},
  );
});

test('triage random walk: undo unmutes a topic that was muted here and renamed since', async () => {
  const walker = await TriageWalker.start();
  await walker.arrive('ale');
  walker.app.frames.paintNow();
  walker.press('M');
  await walker.settle();
  await walker.rename(0, 'beer');
  walker.press('z');
  await walker.settle();
  const policies = [...walker.app.state.userTopics.values()].filter(({policy}) => policy !== 0);
  expectSame(policies, [], walker.storyText());
});
