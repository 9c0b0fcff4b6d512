import {expect, test} from 'vitest';
import {paintedScreens, type Scenario} from '#test/support/painted-screen.ts';

const steps = [
  {keys: ['h', 'i', '!'], until: '> hi!'},
  {keys: ['j', 'j'], until: '2 unread'},
  {keys: ['n', 'n', 'n'], until: 'Person 5'},
  {keys: ['o'], until: 'go to topic 3'},
  {keys: ['j'], until: 'go to topic 9'},
  {keys: ['o', '?'], until: '> hi!?'},
];

test.each([
  {cols: 200, rows: 50},
  {cols: 80, rows: 24},
])(
  'bundle and sources paint the same cells at $cols x $rows',
  async (size) => {
    const scenario: Scenario = {
      entry: 'test/build/fixture/start.ts',
      size,
      ready: 'for keys',
      steps,
    };
    const [ours, stock] = await Promise.all([paintedScreens('bundle', scenario), paintedScreens('source', scenario)]);
    expect(ours).toEqual(stock);
  },
  60_000,
);
