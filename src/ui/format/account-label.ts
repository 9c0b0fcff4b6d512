import type {AccountState} from '#state/state.ts';
import type {AppInfo} from '#ui/core/frame.ts';

/**
 * Returns how the screen calls the account: by its name if there are several accounts, else by its organization. An
 * account that was opened by its file has the path as its name, which is too long to show.
 */
export function accountLabel({realm}: AccountState, {accountName, accountCount}: AppInfo): string {
  const hasShortName = accountCount > 1 && !accountName.includes('/');
  return hasShortName ? accountName : (realm.name ?? accountName.slice(accountName.lastIndexOf('/') + 1));
}
