import type {App} from './app.ts';

/** Returns the open accounts whose rows are shown together with those of this one. */
export function otherApps({frame, accounts}: App): readonly App[] {
  const all = frame.organizations?.all ?? [];
  return all.flatMap(({isShown, index}) => (isShown ? [] : (accounts.appAt?.(index) ?? [])));
}
