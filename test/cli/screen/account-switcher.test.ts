import {expect, onTestFinished, test} from 'vitest';
import type {App} from '#app/core/app.ts';
import {AccountSwitcher} from '#cli/screen/account-switcher.ts';
import {accountAppFixture} from './account-app-fixture.ts';

test.each([
  ['all are shown together', true, ['meg', 'otto']],
  ['the first is the demo or a file', false, ['meg']],
] as const)(
  'account switcher: where %s, the other accounts are opened by themselves: %s',
  async (_, canBeTogether, expected) => {
    const {io, open} = await accountAppFixture();
    let shown: App | undefined;
    const host = {
      show: (app: App) => {
        shown = app;
      },
      get shown() {
        return shown;
      },
    };
    const switcher = new AccountSwitcher({
      host,
      names: ['meg', 'otto'],
      io,
      openNamed: open,
      remove: () => {},
      canBeTogether,
    });
    onTestFinished(() => switcher.stop());
    switcher.arrange('grouped');
    (await switcher.openFirst('meg')).start(false);
    await switcher.openOthers();
    expect(switcher.opened.map(({app}) => app.info.accountName)).toEqual(expected);
    expect(shown?.info.accountName).toBe('meg');
    switcher.show(1);
    await expect.poll(() => shown?.info.accountName).toBe('otto');
    expect(switcher.opened).toHaveLength(2);
  },
);
