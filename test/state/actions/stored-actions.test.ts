import {expect, test} from 'vitest';
import {isMarkOlderReadAction} from '#state/actions/message-flags.ts';

const stored = {id: 'a', narrow: [], upTo: 7, before: 9, pages: 0};

test('stored actions: marking older messages read is taken from the disk only if each field is whole', () => {
  expect(isMarkOlderReadAction(stored)).toBe(true);
  const damaged: readonly object[] = [
    {id: 1},
    {narrow: undefined},
    {narrow: 'all'},
    ...['upTo', 'before', 'pages'].flatMap((name) => [{[name]: '7'}, {[name]: 1.5}, {[name]: undefined}]),
  ];
  for (const fields of damaged)
    expect(isMarkOlderReadAction({...stored, ...fields}), JSON.stringify(fields)).toBe(false);
});
