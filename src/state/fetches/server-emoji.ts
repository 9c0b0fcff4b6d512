import type {SessionContext} from '#state/session-context.ts';
import type {UnicodeEmoji} from '#state/slices/emoji.ts';
import {decodeTolerantly} from '#wire/decode-tolerantly.ts';
import {emojiData} from '#wire/objects/organization.ts';
import {fetchOnce} from './fetch-page.ts';

const storageKey = 'server emoji';
/** A list of all Unicode emoji with their names takes 100 kB. */
const maxBytes = 4 * 1024 * 1024;
/** The names that messages can contain between colons. */
const usableName = /^[\p{L}\p{N}\p{M}_+-]+$/u;

/**
 * Loads the names that the server has for Unicode emoji, if they were downloaded from its URL before. Returns false
 * if they must be downloaded. Servers that do not say theirs have the built-in names.
 */
export function loadSavedEmoji({cache, store}: SessionContext): boolean {
  const {server, unicodeEmoji, connection} = cache.state;
  const {serverEmojiDataUrl: url} = server;
  if (url === undefined || unicodeEmoji?.url === url) return true;
  const emoji = decodedEmoji(url, store.keyValues.get(storageKey));
  if (emoji === undefined) return connection.phase !== 'online';
  cache.apply({type: 'unicode_emoji_loaded', emoji});
  return true;
}

export async function downloadEmoji(context: SessionContext): Promise<void> {
  const {cache, store} = context;
  const {serverEmojiDataUrl: url} = cache.state.server;
  if (url === undefined) return;
  const emoji = await fetchEmoji(context, url);
  cache.apply({type: 'unicode_emoji_loaded', emoji});
  store.keyValues.set(storageKey, JSON.stringify(emoji));
}

function fetchEmoji(context: SessionContext, url: string): Promise<UnicodeEmoji> {
  return fetchOnce(context, ['emoji', url], async (signal) => {
    const {body} = await context.api.connection.download(url, {signal, maxBytes});
    const decoded = decodeTolerantly(emojiData, JSON.parse(Buffer.concat(await Array.fromAsync(body)).toString()));
    if (!decoded.ok) throw new Error(`The list of emoji cannot be read: ${decoded.reason}`);
    return {url, names: usableNames(decoded.value.code_to_names)};
  });
}

function usableNames(names: UnicodeEmoji['names']): UnicodeEmoji['names'] {
  const entries = Object.entries(names).map(
    ([code, all]) => [code, all.filter((name) => usableName.test(name))] as const,
  );
  return Object.fromEntries(entries.filter(([, all]) => all.length > 0));
}

/** Returns the saved list, if it is that of this URL. */
function decodedEmoji(url: string, json: string | undefined): UnicodeEmoji | undefined {
  if (json === undefined) return undefined;
  const saved: Partial<UnicodeEmoji> = JSON.parse(json);
  return saved.url === url && saved.names !== undefined ? {url, names: saved.names} : undefined;
}
