/**
 * Where a key means what. Those further in come first; no context gives a key of one around it another meaning, but for
 * `n` among all channels, where nothing is unread.
 */
export const keyContextNames = [
  'global',
  'nav',
  'msgs',
  'list',
  'inbox',
  'drafts',
  'browser',
  'banner',
  'composer',
  'menu',
] as const;
export type KeyContext = (typeof keyContextNames)[number];

/** Something for each of them. */
export function byContext<T>(of: (context: KeyContext) => T): Readonly<Record<KeyContext, T>> {
  return {
    global: of('global'),
    nav: of('nav'),
    msgs: of('msgs'),
    list: of('list'),
    inbox: of('inbox'),
    drafts: of('drafts'),
    browser: of('browser'),
    banner: of('banner'),
    composer: of('composer'),
    menu: of('menu'),
  };
}
