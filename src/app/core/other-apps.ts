import type {App} from './app.ts';

/** Returns the app that has the screen. */
export function shownApp({accounts}: App): App | undefined {
  return accounts.appAt?.(accounts.list().findIndex(({isShown}) => isShown));
}

/** Returns the open accounts whose rows are shown together with those of this one. */
export function otherApps({frame, accounts}: App): readonly App[] {
  const all = frame.organizations?.all ?? [];
  return all.flatMap(({isShown, index}) => (isShown ? [] : (accounts.appAt?.(index) ?? [])));
}

/** Returns the open accounts that are shown together, this one among them. */
export function appsTogether(app: App): readonly App[] {
  const shown = shownApp(app);
  const together = shown === undefined ? [] : [shown, ...otherApps(shown)];
  return together.includes(app) ? together : [app];
}
