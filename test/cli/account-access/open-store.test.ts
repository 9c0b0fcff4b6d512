import {expect, test} from 'vitest';
import {openStore} from '#cli/account-access/open-store.ts';
import {testIo} from '#test/support/cli-io.ts';
import * as eg from '#test/support/state-builders.ts';

test.each([
  ['2', [2, 3]],
  ['0', []],
] as const)(
  'store: with keep_messages = %s, the newest of three messages that stay after a restart are %j',
  (keep, kept) => {
    const io = testIo({env: {PARLEY_KEEP_MESSAGES: keep}});
    const store = openStore({id: 'work'}, io);
    store.messages.save([1, 2, 3].map((id) => eg.message({id})));
    store.close();
    const again = openStore({id: 'work'}, io);
    expect(again.messages.newest(10).map(({id}) => id)).toEqual(kept);
    again.close();
  },
);
