/**
 * The contexts in which keys are bound. Several are active at once, and the innermost wins. By default no context binds a key
 * of a context around it to another command, except `n` in the channel browser, where nothing is unread.
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
  'form',
] as const;
export type KeyContext = (typeof keyContextNames)[number];

/** Returns a record with one value for each context. */
export function byContext<T>(makeValue: (context: KeyContext) => T): Readonly<Record<KeyContext, T>> {
  return {
    global: makeValue('global'),
    nav: makeValue('nav'),
    msgs: makeValue('msgs'),
    list: makeValue('list'),
    inbox: makeValue('inbox'),
    drafts: makeValue('drafts'),
    browser: makeValue('browser'),
    banner: makeValue('banner'),
    composer: makeValue('composer'),
    menu: makeValue('menu'),
    form: makeValue('form'),
  };
}
